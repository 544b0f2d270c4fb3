//! What an operation works with.

use crate::automation::Records;
use crate::captures::Captures;
use crossmacro_engine::fault::from_platform;
use crossmacro_engine::held::Ledger;
use crossmacro_engine::operations::Operations;
use crossmacro_model::Fault;
use crossmacro_platform::{
    Cancel, Capture, Clipboard, Desktop, DesktopSource, Displays, Keyboard, Listener, Pointer, Slot, Windows,
};
use crossmacro_policy::{PathClass, Policy, Roots};
use crossmacro_store::SettingsHandle;
use crossmacro_store::held::HeldRecords;
use crossmacro_store::paths::{self, Listing, OpenedFile, Replacement};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Everything an operation may touch. One per process; shared by all calls.
pub struct Context {
    desktops: Arc<dyn DesktopSource>,
    settings: Arc<SettingsHandle>,
    is_restricted: bool,
    /// The slot of the running operation and the memory of the ended ones.
    pub operations: Operations,
    /// Earlier captures, to compare with.
    pub(crate) captures: Captures,
    records: Option<HeldRecords>,
    windows: Mutex<()>,
    clipboard: Mutex<()>,
}

/// Who asks. A person at the command line has the rights of the person; an MCP client has those of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// The command line.
    Cli,
    /// An MCP client.
    Mcp,
}

/// How far a call has come, for a surface that shows it.
pub type Report<'a> = &'a (dyn Fn(f64, Option<f64>, &str) + Sync);

/// One call.
pub struct Call<'a> {
    /// Who asks.
    pub surface: Surface,
    /// The request to stop.
    pub cancel: &'a Cancel,
    /// Takes progress: done, total where it is known, what comes next.
    pub report: Option<Report<'a>>,
}

impl<'a> Call<'a> {
    /// A call without progress.
    pub fn new(surface: Surface, cancel: &'a Cancel) -> Self {
        Self { surface, cancel, report: None }
    }
}

impl Context {
    /// A context over a desktop and the user's settings.
    pub fn new(desktops: Arc<dyn DesktopSource>, settings: Arc<SettingsHandle>, is_restricted: bool) -> Self {
        Self {
            desktops,
            settings,
            is_restricted,
            operations: Operations::new(),
            captures: Captures::default(),
            records: None,
            windows: Mutex::new(()),
            clipboard: Mutex::new(()),
        }
    }

    /// The same, which writes down what its work holds, so that the next process finds it when this one is killed.
    #[must_use]
    pub fn recording_held(mut self, records: HeldRecords) -> Self {
        self.records = Some(records);
        self
    }

    pub(crate) fn records(&self) -> Option<&HeldRecords> {
        self.records.as_ref()
    }

    /// The records as work uses them.
    pub(crate) fn ledger(&self) -> Option<Arc<dyn Ledger>> {
        self.records.clone().map(|records| Arc::new(Records(records)) as Arc<dyn Ledger>)
    }

    /// The policy of this very moment: a change made by another process counts from the next call on.
    pub fn policy(&self, surface: Surface) -> Policy {
        let settings = self.settings.current();
        match surface {
            Surface::Cli => Policy::local(),
            Surface::Mcp => Policy::client(settings.capabilities(), self.is_restricted),
        }
    }

    /// Whether `--restricted` was given.
    pub fn is_restricted(&self) -> bool {
        self.is_restricted
    }

    /// The door to the desktop, for work that may have to find it again.
    pub(crate) fn desktops(&self) -> Arc<dyn DesktopSource> {
        Arc::clone(&self.desktops)
    }

    /// The user's settings.
    pub fn settings(&self) -> &Arc<SettingsHandle> {
        &self.settings
    }

    /// Identifier and name of the profile in use.
    pub(crate) fn profile(&self) -> (String, String) {
        let settings = self.settings.current();
        let profile = settings.profile();
        (profile.id.clone(), profile.name.clone())
    }

    /// The desktop, connected anew after a loss.
    ///
    /// # Errors
    /// `environment_error` with everything that was tried.
    pub fn desktop(&self) -> Result<Arc<Desktop>, Fault> {
        self.desktops.desktop().map_err(|unavailable| from_platform(unavailable.into()))
    }

    /// The displays facet.
    ///
    /// # Errors
    /// `environment_error` with everything that was tried.
    pub fn displays(&self) -> Result<Arc<dyn Displays>, Fault> {
        slot(&self.desktop()?.displays)
    }

    /// The capture facet.
    ///
    /// # Errors
    /// `environment_error` with everything that was tried.
    pub fn capture(&self) -> Result<Arc<dyn Capture>, Fault> {
        slot(&self.desktop()?.capture)
    }

    /// The pointer facet.
    ///
    /// # Errors
    /// `environment_error` with everything that was tried.
    pub fn pointer(&self) -> Result<Arc<dyn Pointer>, Fault> {
        slot(&self.desktop()?.pointer)
    }

    /// The keyboard facet.
    ///
    /// # Errors
    /// `environment_error` with everything that was tried.
    pub fn keyboard(&self) -> Result<Arc<dyn Keyboard>, Fault> {
        slot(&self.desktop()?.keyboard)
    }

    /// The listener facet.
    ///
    /// # Errors
    /// `environment_error` with everything that was tried.
    pub fn listener(&self) -> Result<Arc<dyn Listener>, Fault> {
        slot(&self.desktop()?.listener)
    }

    /// The windows facet.
    ///
    /// # Errors
    /// `environment_error` with everything that was tried.
    pub fn windows(&self) -> Result<Arc<dyn Windows>, Fault> {
        slot(&self.desktop()?.windows)
    }

    /// The clipboard facet.
    ///
    /// # Errors
    /// `environment_error` with everything that was tried.
    pub fn clipboard(&self) -> Result<Arc<dyn Clipboard>, Fault> {
        slot(&self.desktop()?.clipboard)
    }

    /// Orders calls that change windows.
    pub(crate) fn window_turn(&self) -> MutexGuard<'_, ()> {
        self.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Orders calls that change the clipboard.
    pub(crate) fn clipboard_turn(&self) -> MutexGuard<'_, ()> {
        self.clipboard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a user's file under the path rules of its class. The handle is what was checked.
    ///
    /// # Errors
    /// `invalid_arguments`, `file_error` and `path_not_allowed`.
    pub fn open_read(&self, call: &Call<'_>, class: PathClass, path: &str) -> Result<OpenedFile, Fault> {
        paths::open_read(class, Path::new(path), &self.roots(call, class)).map_err(Fault::from)
    }

    /// Lists the files of a class that lie directly in a folder, under the path rules of the class.
    ///
    /// # Errors
    /// `invalid_arguments`, `file_error` and `path_not_allowed`.
    pub fn list_files(
        &self,
        call: &Call<'_>,
        class: PathClass,
        folder: &str,
        skip: usize,
        most: usize,
    ) -> Result<Listing, Fault> {
        paths::list(class, Path::new(folder), &self.roots(call, class), skip, most).map_err(Fault::from)
    }

    /// Begins to replace a user's file under the path rules of its class.
    ///
    /// # Errors
    /// `invalid_arguments`, `file_error` and `path_not_allowed`.
    pub fn create_replace(
        &self,
        call: &Call<'_>,
        class: PathClass,
        path: &str,
    ) -> Result<Replacement, Fault> {
        paths::create_replace(class, Path::new(path), &self.roots(call, class)).map_err(Fault::from)
    }

    /// Writes a picture where a person at the command line asked for it.
    ///
    /// # Errors
    /// `invalid_arguments`, `file_error` and `path_not_allowed`.
    pub fn write_picture(&self, path: &Path, bytes: &[u8]) -> Result<(), Fault> {
        let mut file = paths::create_replace(PathClass::ImageWrite, path, &Roots::UNLIMITED)?;
        file.write_all(bytes).map_err(|error| {
            Fault::new(crossmacro_model::Code::FileError, format!("the file can't be written: {error}"))
        })?;
        file.commit().map_err(Fault::from)
    }

    fn roots(&self, call: &Call<'_>, class: PathClass) -> Roots {
        match call.surface {
            Surface::Cli => Roots::UNLIMITED,
            Surface::Mcp => self.settings.current().roots(class).clone(),
        }
    }
}

fn slot<T: ?Sized>(slot: &Slot<T>) -> Result<Arc<T>, Fault> {
    slot.clone().map_err(|unavailable| from_platform(unavailable.into()))
}
