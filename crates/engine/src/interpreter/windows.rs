//! The steps on windows. A change that can't be made, or that is not seen, fails the step.

use super::Interpreter;
use crate::fault::from_platform;
use crate::windows::{matching, workspace};
use crossmacro_model::pattern::Pattern;
use crossmacro_model::run::{By, Fact, Template, Which, Window as Step, WindowState};
use crossmacro_model::{Code, Fault, Point, Size};
use crossmacro_platform::{Change, Window, WindowId, Windows, clock};
use std::time::Duration;

/// How long a step waits for a window unless it says otherwise.
const TIMEOUT: Duration = Duration::from_millis(5000);
/// How often it looks.
const LOOK: Duration = Duration::from_millis(50);

impl Interpreter<'_> {
    pub(super) fn do_window(&mut self, step: &Step) -> Result<(), Fault> {
        self.tally.has_acted = true;
        let Some(windows) = self.hands.windows()? else { return self.rehearse_window(step) };
        let windows = &*windows;
        let (told, into) = match step {
            Step::Active { fact, into } => (active(windows)?.map(|window| tell(&window, *fact)), into),
            Step::Search { by, term, into } => {
                (self.find_window(windows, *by, term)?.map(|window| window.id.to_string()), into)
            }
            Step::Wait { by, term, timeout, into } => {
                let time = match timeout {
                    Some(time) => Duration::from_millis(time.get(&self.variables)?.0.into()),
                    None => TIMEOUT,
                };
                let time = if time.is_zero() { TIMEOUT } else { time };
                (self.await_window(windows, *by, term, time)?.map(|window| window.id.to_string()), into)
            }
            Step::GetDesktop { into } => {
                let (names, current) = windows.workspaces().map_err(from_platform)?;
                (names.get(current).cloned(), into)
            }
            change => {
                self.change(windows, change)?;
                self.hands.has_acted();
                self.schedule.resume();
                return Ok(());
            }
        };
        self.variables.set(into, told.unwrap_or_default()).map_err(Fault::from)
    }

    fn rehearse_window(&mut self, step: &Step) -> Result<(), Fault> {
        let (Step::Active { into, .. }
        | Step::Search { into, .. }
        | Step::Wait { into, .. }
        | Step::GetDesktop { into }) = step
        else {
            return Ok(());
        };
        let unknown = self.unknown();
        self.variables.set(into, unknown).map_err(Fault::from)
    }

    fn change(&self, windows: &dyn Windows, step: &Step) -> Result<(), Fault> {
        let number =
            |value: &crossmacro_model::run::Value<i32>| value.get(&self.variables).map_err(Fault::from);
        let change = |window: &Window, change: Change| {
            windows.change(window.id, change, &self.cancel).map_err(from_platform)
        };
        match step {
            Step::Focus(which) => change(&self.meant(windows, which)?, Change::Focus),
            Step::Close(which) => change(&self.meant(windows, which)?, Change::Close),
            Step::Move { x, y } => {
                let to = Point::new(number(x)?, number(y)?);
                change(&self.movable(windows)?, Change::Move(to))
            }
            Step::Resize { width, height } => {
                let side = |side: i32| {
                    let side = u32::try_from(side).ok().filter(|side| *side > 0);
                    side.ok_or_else(|| Fault::arguments("the size of a window is 1 or more"))
                };
                let size = Size::new(side(number(width)?)?, side(number(height)?)?);
                change(&self.movable(windows)?, Change::Resize(size))
            }
            Step::State(WindowState::Center) => change(&self.movable(windows)?, Change::Center),
            Step::State(state) => {
                let window = self.meant(windows, &Which::Active)?;
                let wanted = match state {
                    WindowState::Maximize => Change::Maximize(!window.is_maximized),
                    WindowState::Fullscreen => Change::Fullscreen(!window.is_fullscreen),
                    WindowState::Float | WindowState::Center => Change::Above(!window.is_above),
                };
                change(&window, wanted)
            }
            Step::SetDesktop { workspace } => self.to_workspace(windows, None, workspace),
            Step::SendTo { which, workspace } => {
                let window = self.meant(windows, which)?;
                self.to_workspace(windows, Some(window.id), workspace)
            }
            // These change nothing.
            Step::Active { .. } | Step::Search { .. } | Step::Wait { .. } | Step::GetDesktop { .. } => Ok(()),
        }
    }

    fn to_workspace(
        &self,
        windows: &dyn Windows,
        window: Option<WindowId>,
        name: &Template,
    ) -> Result<(), Fault> {
        let (names, _) = windows.workspaces().map_err(from_platform)?;
        let wanted = name.expand(&self.variables)?;
        let index = workspace(&names, &wanted).ok_or_else(|| {
            Fault::new(Code::RuntimeError, format!("there is no such workspace; there are {}", names.len()))
        })?;
        windows.to_workspace(window, index, &self.cancel).map_err(from_platform)
    }

    /// The focused window, out of the states in which it can't be moved.
    fn movable(&self, windows: &dyn Windows) -> Result<Window, Fault> {
        let window = self.meant(windows, &Which::Active)?;
        let leave = [
            (window.is_fullscreen, Change::Fullscreen(false)),
            (window.is_maximized, Change::Maximize(false)),
        ];
        for (is_in, change) in leave {
            if is_in {
                windows.change(window.id, change, &self.cancel).map_err(from_platform)?;
            }
        }
        Ok(window)
    }

    fn meant(&self, windows: &dyn Windows, which: &Which) -> Result<Window, Fault> {
        let found = match which {
            Which::Active => {
                let none = || Fault::new(Code::RuntimeError, "no window has the keyboard focus");
                return active(windows)?.ok_or_else(none);
            }
            Which::Matching(by, term) => self.find_window(windows, *by, term)?,
            Which::Address(address) => {
                let address = address.expand(&self.variables)?;
                let is_it = |window: &Window| window.id.to_string().eq_ignore_ascii_case(address.trim());
                matching(windows, is_it)?.into_iter().next()
            }
        };
        found.ok_or_else(|| Fault::new(Code::RuntimeError, "no window matches"))
    }

    /// The topmost window that matches.
    fn find_window(&self, windows: &dyn Windows, by: By, term: &Template) -> Result<Option<Window>, Fault> {
        let term = term.expand(&self.variables)?;
        if term.trim().is_empty() {
            return Err(Fault::arguments("the text to look for is blank: it would match every window"));
        }
        let pattern = Pattern::parse(&term).map_err(Fault::arguments)?;
        let is_meant = |window: &Window| {
            pattern.matches(match by {
                By::Title => &window.title,
                By::Class => &window.class,
            })
        };
        Ok(matching(windows, is_meant)?.into_iter().next())
    }

    fn await_window(
        &mut self,
        windows: &dyn Windows,
        by: By,
        term: &Template,
        time: Duration,
    ) -> Result<Option<Window>, Fault> {
        let end = clock::now().checked_add(time);
        loop {
            let found = self.find_window(windows, by, term)?;
            let now = clock::now();
            if found.is_some() || end.is_some_and(|end| now >= end) {
                self.schedule.resume();
                return Ok(found);
            }
            let next = now + LOOK;
            if self.cancel.sleep_until(end.map_or(next, |end| end.min(next))) {
                self.go_on()?;
            }
        }
    }
}

fn active(windows: &dyn Windows) -> Result<Option<Window>, Fault> {
    let Some(id) = windows.active().map_err(from_platform)? else { return Ok(None) };
    windows.get(id).map(Some).map_err(from_platform)
}

fn tell(window: &Window, fact: Fact) -> String {
    match fact {
        Fact::Title => window.title.clone(),
        Fact::Class => window.class.clone(),
        Fact::Address => window.id.to_string(),
        Fact::Fullscreen => window.is_fullscreen.to_string(),
        Fact::Maximize => window.is_maximized.to_string(),
        Fact::Float => window.is_above.to_string(),
        Fact::Pinned => window.is_sticky.to_string(),
        Fact::Hidden => window.is_hidden.to_string(),
        Fact::Geometry => {
            let frame = window.frame;
            format!("{} {} {} {}", frame.x, frame.y, frame.width, frame.height)
        }
    }
}
