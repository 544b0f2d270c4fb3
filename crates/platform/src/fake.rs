//! A simulated desktop for tests: monitors, windows with stacking and focus, pixels, pointer, keys and a
//! clipboard, and a timeline in text of everything that it received.
//!
//! It refuses on request ([`FakeDesktop::refuse`], [`FakeDesktop::fail_next`]), so that every error path of
//! the layers above can be walked. It is a simulation, not a witness: that a real back end behaves like it is
//! what the conformance kit proves.

mod input;
mod listener;
mod screen;
mod windows;

use crate::desktop::{Desktop, DesktopSource, Session, SessionKind, Slot, Unavailable};
use crate::error::{Error, Result};
use crate::facets::displays::{Display, Layout};
use crate::facets::listener::Heard;
use crate::facets::windows::{Window, WindowId};
use crossmacro_model::{Button, KeyCode, Logical, Point, Rect};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The simulated desktop. Clones are the same desktop.
#[derive(Clone)]
pub struct FakeDesktop {
    state: Arc<Mutex<State>>,
}

pub(crate) struct State {
    layout: Layout,
    background: [u8; 3],
    windows: Vec<FakeWindow>,
    pictures: Vec<FakePicture>,
    redraws: Vec<Rect<Logical>>,
    looks: usize,
    focus: Option<WindowId>,
    workspaces: Vec<String>,
    workspace: usize,
    pointer: Point<Logical>,
    buttons: BTreeSet<Button>,
    keys: BTreeSet<KeyCode>,
    clipboard: FakeClipboard,
    timeline: Vec<String>,
    refused: BTreeMap<&'static str, String>,
    failures: VecDeque<Error>,
    acts: Vec<Heard>,
    next_id: u64,
}

/// What the simulated clipboard holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FakeClipboard {
    /// Text, as another program would have put it there.
    pub text: Option<String>,
    /// An encoded PNG.
    pub png: Option<Vec<u8>>,
}

pub(crate) struct FakeWindow {
    window: Window,
    color: [u8; 3],
    text: String,
    is_stubborn: bool,
}

/// Pixels on top of the windows.
pub(crate) struct FakePicture {
    area: Rect<Logical>,
    pixels: Vec<[u8; 3]>,
}

impl FakeDesktop {
    /// A desktop with one monitor of 1000 by 600 units, no window, and a black background.
    pub fn new() -> Self {
        let monitor = Display {
            name: "FAKE-1".into(),
            region: Rect::new(0, 0, 1000, 600),
            scale: 1.0,
            is_primary: true,
        };
        let state = State {
            layout: Layout { displays: vec![monitor] },
            background: [0, 0, 0],
            windows: Vec::new(),
            pictures: Vec::new(),
            redraws: Vec::new(),
            looks: 0,
            focus: None,
            workspaces: vec!["one".into(), "two".into()],
            workspace: 0,
            pointer: Point::new(0, 0),
            buttons: BTreeSet::new(),
            keys: BTreeSet::new(),
            clipboard: FakeClipboard::default(),
            timeline: Vec::new(),
            refused: BTreeMap::new(),
            failures: VecDeque::new(),
            acts: Vec::new(),
            next_id: 1,
        };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// The door that the layers above use.
    pub fn source(&self) -> Arc<dyn DesktopSource> {
        Arc::new(self.clone())
    }

    /// Replaces the monitors.
    pub fn set_monitors(&self, displays: Vec<Display>) {
        self.lock().layout = Layout { displays };
    }

    /// Opens a window of one colour on top of the others and gives it the focus.
    pub fn open_window(&self, title: &str, class: &str, area: Rect<Logical>, color: [u8; 3]) -> WindowId {
        let mut state = self.lock();
        let id = WindowId(state.next_id);
        state.next_id += 1;
        let window = Window {
            id,
            title: title.into(),
            class: class.into(),
            pid: Some(4242),
            process_name: Some("fake".into()),
            workspace: state.workspaces.first().cloned(),
            is_focused: false,
            is_fullscreen: false,
            is_maximized: false,
            is_above: false,
            is_sticky: false,
            is_hidden: false,
            client: area,
            frame: area,
        };
        state.windows.push(FakeWindow { window, color, text: String::new(), is_stubborn: false });
        state.focus = Some(id);
        id
    }

    /// Shows a picture on top of all windows: rows from the top of red, green and blue. Pixels that are missing
    /// are black.
    pub fn draw(&self, area: Rect<Logical>, pixels: Vec<[u8; 3]>) {
        self.lock().pictures.push(FakePicture { area, pixels });
    }

    /// Takes away all pictures.
    pub fn wipe(&self) {
        self.lock().pictures.clear();
    }

    /// Draws an area anew, so that it looks as before.
    pub fn redraw(&self, area: Rect<Logical>) {
        self.lock().redraws.push(area);
    }

    /// How often the screen was captured.
    pub fn looks(&self) -> usize {
        self.lock().looks
    }

    /// Makes a window ignore every change, as an application that asks "save first?" does.
    pub fn make_stubborn(&self, id: WindowId) {
        let mut state = self.lock();
        if let Some(window) = state.windows.iter_mut().find(|window| window.window.id == id) {
            window.is_stubborn = true;
        }
    }

    /// Removes a window, as if its program had ended.
    pub fn remove_window(&self, id: WindowId) {
        self.lock().remove(id);
    }

    /// What was typed into a window.
    pub fn text_of(&self, id: WindowId) -> String {
        let state = self.lock();
        state
            .windows
            .iter()
            .find(|window| window.window.id == id)
            .map(|window| window.text.clone())
            .unwrap_or_default()
    }

    /// The clipboard's content.
    pub fn clipboard(&self) -> FakeClipboard {
        self.lock().clipboard.clone()
    }

    /// Puts something on the clipboard, as another program would.
    pub fn set_clipboard(&self, content: FakeClipboard) {
        self.lock().clipboard = content;
    }

    /// Empties a slot: the facet ("pointer", "keyboard", "listener", "capture", "displays", "windows",
    /// "clipboard", or "display" for the whole desktop) is unavailable from now on.
    pub fn refuse(&self, facet: &'static str, why: &str) {
        self.lock().refused.insert(facet, why.into());
    }

    /// Lets the next call of any facet fail.
    pub fn fail_next(&self, error: Error) {
        self.lock().failures.push_back(error);
    }

    /// Everything that was received, a line each.
    pub fn timeline(&self) -> String {
        self.lock().timeline.join("\n")
    }

    /// The keys and buttons that are down.
    pub fn held(&self) -> Vec<String> {
        let state = self.lock();
        let keys = state.keys.iter().map(|key| format!("key {}", key.0));
        keys.chain(state.buttons.iter().map(|button| format!("button {button}"))).collect()
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The state, unless the next call is to fail.
    pub(crate) fn enter(&self) -> Result<MutexGuard<'_, State>> {
        let mut state = self.lock();
        match state.failures.pop_front() {
            Some(error) => Err(error),
            None => Ok(state),
        }
    }

    fn slot<T: ?Sized>(&self, facet: &'static str, door: Arc<T>) -> Slot<T> {
        match self.lock().refused.get(facet) {
            Some(why) => Err(Unavailable::new(facet, "fake", why.clone()).remedy("ask the test")),
            None => Ok(door),
        }
    }
}

impl Default for FakeDesktop {
    fn default() -> Self {
        Self::new()
    }
}

impl State {
    pub(crate) fn note(&mut self, line: impl Into<String>) {
        self.timeline.push(line.into());
    }

    pub(crate) fn remove(&mut self, id: WindowId) {
        self.windows.retain(|window| window.window.id != id);
        if self.focus == Some(id) {
            self.focus = self.windows.last().map(|window| window.window.id);
        }
    }
}

impl DesktopSource for FakeDesktop {
    fn desktop(&self) -> Result<Arc<Desktop>, Unavailable> {
        if let Some(why) = self.lock().refused.get("display") {
            return Err(Unavailable::new("display", "fake", why.clone()).remedy("ask the test"));
        }
        let session = Session { kind: SessionKind::Fake, name: "fake".into(), is_private: true };
        let door = Arc::new(self.clone());
        Ok(Arc::new(Desktop {
            session,
            displays: self.slot("displays", door.clone()),
            capture: self.slot("capture", door.clone()),
            pointer: self.slot("pointer", door.clone()),
            keyboard: self.slot("keyboard", door.clone()),
            listener: self.slot("listener", door.clone()),
            windows: self.slot("windows", door.clone()),
            clipboard: self.slot("clipboard", door.clone()),
            self_test: self.slot("self-test", door),
        }))
    }
}
