//! Windows and workspaces of the simulation.

use super::{FakeDesktop, State};
use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::facets::windows::{Change, Window, WindowId, WindowSupport, Windows};
use crossmacro_model::{Logical, Point, Rect};

const GONE: Error = Error::NotFound { what: "the window" };

impl Windows for FakeDesktop {
    fn list(&self) -> Result<Vec<Window>> {
        let state = self.enter()?;
        Ok(state.windows.iter().map(|window| shown(&state, &window.window)).collect())
    }

    fn get(&self, id: WindowId) -> Result<Window> {
        let state = self.enter()?;
        let window = state.windows.iter().find(|window| window.window.id == id).ok_or(GONE)?;
        Ok(shown(&state, &window.window))
    }

    fn active(&self) -> Result<Option<WindowId>> {
        Ok(self.enter()?.focus)
    }

    fn change(&self, id: WindowId, change: Change, _cancel: &Cancel) -> Result<()> {
        let mut state = self.enter()?;
        let index = state.windows.iter().position(|window| window.window.id == id).ok_or(GONE)?;
        state.note(format!("{} {id}", change.name()));
        if state.windows[index].is_stubborn {
            return Err(Error::NoEffect { what: change.name(), why: "the window did not react".into() });
        }
        apply(&mut state, index, change);
        Ok(())
    }

    fn workspaces(&self) -> Result<(Vec<String>, usize)> {
        let state = self.enter()?;
        Ok((state.workspaces.clone(), state.workspace))
    }

    fn to_workspace(&self, window: Option<WindowId>, index: usize, _cancel: &Cancel) -> Result<()> {
        let mut state = self.enter()?;
        let name = state.workspaces.get(index).cloned().ok_or(Error::NotFound { what: "the workspace" })?;
        state.note(format!("workspace {name}"));
        let Some(id) = window else {
            state.workspace = index;
            return Ok(());
        };
        let found = state.windows.iter_mut().find(|window| window.window.id == id).ok_or(GONE)?;
        found.window.workspace = Some(name);
        Ok(())
    }

    fn support(&self) -> Result<WindowSupport> {
        drop(self.enter()?);
        Ok(WindowSupport { manager: Some("fake".into()), missing: Vec::new() })
    }

    fn backend(&self) -> &'static str {
        "fake"
    }
}

fn shown(state: &State, window: &Window) -> Window {
    Window { is_focused: state.focus == Some(window.id), ..window.clone() }
}

fn apply(state: &mut State, index: usize, change: Change) {
    let screen = state.layout.displays.first().map_or(Rect::new(0, 0, 0, 0), |display| display.region);
    let id = state.windows[index].window.id;
    match change {
        Change::Focus => {
            let mut window = state.windows.remove(index);
            window.window.is_hidden = false;
            state.windows.push(window);
            state.focus = Some(id);
        }
        Change::Close => state.remove(id),
        other => alter(&mut state.windows[index].window, other, screen),
    }
}

fn alter(window: &mut Window, change: Change, screen: Rect<Logical>) {
    match change {
        Change::Focus | Change::Close => {}
        Change::Move(to) => place(window, Rect::at(to, window.frame.size())),
        Change::Resize(size) => place(window, Rect::at(window.frame.origin(), size)),
        Change::Center => {
            let (middle, size) = (screen.center(), window.frame.size());
            let half = |extent: u32| i32::try_from(extent / 2).unwrap_or(0);
            let origin = Point::new(middle.x - half(size.width), middle.y - half(size.height));
            place(window, Rect::at(origin, size));
        }
        Change::Maximize(on) => window.is_maximized = on,
        Change::Minimize => window.is_hidden = true,
        Change::Restore => {
            window.is_hidden = false;
            window.is_maximized = false;
            window.is_fullscreen = false;
        }
        Change::Fullscreen(on) => window.is_fullscreen = on,
        Change::Above(on) => window.is_above = on,
    }
}

fn place(window: &mut Window, area: Rect<Logical>) {
    window.client = area;
    window.frame = area;
}
