//! What can be said about a macro before it is played.

use super::diagnostic::{Diagnostic, Diagnostics};
use super::document::Macro;
use super::event::{Event, Space};

/// A wait that is longer is told about, in microseconds.
pub(crate) const LONG_WAIT_US: u64 = 10_000_000;

/// A macro that lasts longer is told about, in microseconds.
const LONG_MACRO_US: u64 = 300_000_000;

/// A macro with more events is told about.
const MANY_EVENTS: usize = 10_000;

impl Macro {
    /// What keeps it from being played (errors), and what may not be meant (warnings).
    pub fn validate(&self) -> Diagnostics {
        let mut found = Diagnostics::default();
        if self.events.is_empty() && self.script.is_empty() {
            let message = "the macro is empty: it has neither an event nor a step";
            found.push(Diagnostic::error(None, message));
        }
        if !self.script.is_empty()
            && let Err(wrong) = self.program()
        {
            found.extend_from_script(wrong);
        }
        self.remarks(&mut found);
        found
    }

    fn remarks(&self, found: &mut Diagnostics) {
        let mut remark = |message: String| found.push(Diagnostic::warning(None, message));
        let longest = self.events.iter().map(longest_us).max().unwrap_or(0);
        let long = self.events.iter().filter(|event| longest_us(event) > LONG_WAIT_US).count();
        if long > 0 {
            let unit = if long == 1 { "wait is" } else { "waits are" };
            remark(format!("{long} {unit} longer than 10 s; the longest is {} ms", longest / 1000));
        }
        let lasts = self.duration_us();
        if lasts > LONG_MACRO_US {
            remark(format!("the macro lasts {} s, more than 5 minutes", lasts / 1_000_000));
        }
        if self.events.len() > MANY_EVENTS {
            remark(format!("the macro has {} events, more than {MANY_EVENTS}", self.events.len()));
        }
        let corner = self.corner_buttons();
        if corner > 0 {
            let what = if corner == 1 { "button event is" } else { "button events are" };
            remark(format!("{corner} {what} in the corner (0,0) of the desktop, while others are elsewhere"));
        }
    }

    /// How many buttons act at the absolute (0,0), where other positions are elsewhere.
    fn corner_buttons(&self) -> usize {
        let at_corner = |event: &&Event| {
            let place = event.action.place().filter(|_| event.action.is_button());
            place.is_some_and(|at| self.resolve(at.space) == Space::Absolute && (at.x, at.y) == (0, 0))
        };
        let mut places = self.events.iter().filter_map(|event| event.action.place());
        if places.any(|at| at.space != Space::Current && (at.x, at.y) != (0, 0)) {
            self.events.iter().filter(at_corner).count()
        } else {
            0
        }
    }
}

fn longest_us(event: &Event) -> u64 {
    let random = event.random.map_or(0, |random| u64::from(random.max_ms) * 1000);
    event.wait_us.saturating_add(random)
}
