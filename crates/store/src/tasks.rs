//! The lists of tasks of the active profile: read at any time, changed under the lock.
//!
//! An entry that can't be read stays in its list as it is, is never run, and can be removed by its identity; the
//! others are not touched by it. Of an entry that is changed, only the fields that differ are written, so whatever
//! else it holds stays.

mod list;

pub use list::{Entry, TaskList};

use crate::folder::{Damage, Loaded, Locked};
use crate::settings::{migration, registry};
use crate::{Profile, SettingsHandle};
use crossmacro_model::Fault;
use crossmacro_model::task::{Hotkey, Task};
use serde_json::Value;
use std::path::Path;

/// A list as it is at this moment.
#[derive(Debug)]
pub struct Tasks<T> {
    /// The tasks that can be read, in the order of the file.
    pub tasks: Vec<T>,
    /// What the user should know: damage, in words that hold nothing of the content.
    pub warnings: Vec<String>,
}

/// Reads a list of the active profile.
pub fn read<T: Task>(settings: &SettingsHandle) -> Tasks<T> {
    let folder = settings.folder();
    let file = settings.current().profile().folder().join(T::FILE);
    // The usual case, without a tree of values between the text and the tasks.
    if let Ok(Some(bytes)) = folder.read_text(&file)
        && let Ok(tasks) = serde_json::from_slice::<Vec<T>>(&bytes)
        && list::are_distinct(&tasks)
    {
        return Tasks { tasks, warnings: Vec::new() };
    }
    let (value, warnings) = sound(&file, folder.read(&file), || folder.read_backup(&file));
    let list = TaskList::<T>::new(value, warnings);
    Tasks { warnings: list.warnings(&file), tasks: list.into_tasks() }
}

/// Reads a list of the active profile, lets `change` change it, and saves it when it is another one. Other processes
/// wait meanwhile.
///
/// # Errors
/// The fault of `change`, or that of saving; the list is as it was.
pub fn change<T: Task, R>(
    settings: &SettingsHandle,
    change: impl FnOnce(&mut TaskList<T>) -> Result<R, Fault>,
) -> Result<(R, Vec<String>), Fault> {
    let locked = settings.folder().lock()?;
    migration::run(&locked)?;
    let file = active(&locked).folder().join(T::FILE);
    let loaded = locked.read(&file);
    let is_shapeless = matches!(loaded, Loaded::Good(Value::Object(_)));
    let (value, warnings) = sound(&file, loaded, || settings.folder().read_backup(&file));
    let mut list = TaskList::<T>::new(value, warnings);
    let warnings = list.warnings(&file);
    let result = change(&mut list)?;
    if let Some(value) = list.changed() {
        if is_shapeless {
            locked.keep_aside(&file)?;
        }
        locked.write(&file, &value)?;
    }
    Ok((result, warnings))
}

/// The profile that a name or an identifier means.
pub fn profile(settings: &SettingsHandle, named: &str) -> Option<Profile> {
    let registry = match settings.folder().read(Path::new(registry::FILE)) {
        Loaded::Good(registry) => registry,
        Loaded::Missing | Loaded::Damaged(_) => Value::Null,
    };
    registry::resolve(&registry, named)
}

/// The hotkeys of the program itself in the active profile, by what they do.
pub fn global_hotkeys(settings: &SettingsHandle) -> Vec<(&'static str, Hotkey)> {
    let file = settings.current().profile().folder().join("hotkeys.json");
    let stored = match settings.folder().read(&file) {
        Loaded::Good(stored) => stored,
        Loaded::Missing | Loaded::Damaged(_) => Value::Null,
    };
    let table = [
        ("recording", "recordingHotkey", "F8"),
        ("playback", "playbackHotkey", "F9"),
        ("the pause of playback", "pauseHotkey", "F10"),
    ];
    let one = |(name, key, default)| {
        let text = stored.get(key).and_then(Value::as_str).unwrap_or(default);
        Some((name, Hotkey::parse(text).ok()?))
    };
    table.into_iter().filter_map(one).collect()
}

fn active(locked: &Locked<'_>) -> Profile {
    match locked.read(Path::new(registry::FILE)) {
        Loaded::Good(registry) => registry::active(&registry, &mut Vec::new()),
        Loaded::Missing | Loaded::Damaged(_) => Profile::standard(),
    }
}

/// The entries of a list: those of the last save when the file is damaged.
fn sound(file: &Path, loaded: Loaded, backup: impl FnOnce() -> Option<Value>) -> (Vec<Value>, Vec<String>) {
    let damage = match loaded {
        Loaded::Missing => return (Vec::new(), Vec::new()),
        Loaded::Good(Value::Array(entries)) => return (entries, Vec::new()),
        Loaded::Good(_) => Damage::Shape,
        Loaded::Damaged(damage) => damage,
    };
    match backup() {
        Some(Value::Array(entries)) => {
            (entries, vec![format!("`{}` {damage}; it is taken as last saved", file.display())])
        }
        _ => (Vec::new(), vec![format!("`{}` {damage}; it is taken to be empty", file.display())]),
    }
}
