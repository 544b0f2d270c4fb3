//! A whole macro.

use super::event::{Action, Event, Place, RandomDelay, Space};
use crate::run::{self, Program, SourceStep};
use jiff::{Timestamp, civil, tz};

/// Everything that a `.macro` file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Macro {
    /// Its name, which is one line.
    pub name: String,
    /// When it was made.
    pub created: Option<Created>,
    /// What a place with [`Space::Unstated`] means: a point of the desktop, or else a raw distance.
    pub is_absolute: bool,
    /// Whether playing starts where the pointer is, and not in the corner.
    pub skip_initial_zero: bool,
    /// The wait after the last event, in microseconds.
    pub trailing_us: u64,
    /// A wait after the last event that is picked anew at each playing, on top of the fixed one.
    pub trailing_random: Option<RandomDelay>,
    /// Which key events came from typing a text. For editors; playing takes no notice.
    pub text_boundaries: Vec<TextBoundary>,
    /// The pictures that steps look for, sorted by name; no name twice.
    pub images: Vec<Image>,
    /// The steps of `[Script]`, without comments.
    pub script: Vec<SourceStep>,
    /// The events of `[Events]`.
    pub events: Vec<Event>,
    /// Comments, which are kept where they stand.
    pub comments: Vec<Comment>,
}

impl Default for Macro {
    fn default() -> Self {
        Self {
            name: "Unnamed Macro".to_owned(),
            created: None,
            is_absolute: false,
            skip_initial_zero: false,
            trailing_us: 0,
            trailing_random: None,
            text_boundaries: Vec::new(),
            images: Vec::new(),
            script: Vec::new(),
            events: Vec::new(),
            comments: Vec::new(),
        }
    }
}

/// A moment as the file spells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created(String);

impl Created {
    /// The text of a moment; `None` for a text that is none.
    pub fn parse(text: &str) -> Option<Self> {
        moment(text).map(|_| Self(text.to_owned()))
    }

    /// This moment, in universal time with seven digits of a second.
    pub fn at(moment: Timestamp) -> Self {
        let time = tz::Offset::UTC.to_datetime(moment);
        let date = time.strftime("%Y-%m-%dT%H:%M:%S");
        Self(format!("{date}.{:07}Z", time.subsec_nanosecond() / 100))
    }

    /// As it stands in the file.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The moment; one without a zone is taken as universal time.
    pub fn timestamp(&self) -> Option<Timestamp> {
        moment(&self.0)
    }
}

fn moment(text: &str) -> Option<Timestamp> {
    text.parse().ok().or_else(|| {
        let time: civil::DateTime = text.parse().ok()?;
        tz::Offset::UTC.to_timestamp(time).ok()
    })
}

/// Key events that came from typing a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextBoundary {
    /// Index of the first event.
    pub start: u32,
    /// How many events.
    pub count: u32,
    /// The text.
    pub text: String,
}

/// A picture that steps look for.
#[derive(Clone, PartialEq, Eq)]
pub struct Image {
    /// The name that steps use.
    pub name: String,
    /// The encoded PNG. Only its first bytes have been looked at: decode it with bounds.
    pub png: Vec<u8>,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Image({}, {} bytes)", self.name, self.png.len())
    }
}

/// A line for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// Where it stands.
    pub section: Section,
    /// Index of the step or event before which it stands; of no use in the header.
    pub before: usize,
    /// The whole line, `#` included.
    pub text: String,
}

/// A part of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Before the first marker.
    Header,
    /// `[Script]`
    Script,
    /// `[Events]`
    Events,
}

impl Action {
    /// Where it happens; `None` for keys and the wheel.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::Move(at) | Self::Button { at, .. } | Self::Click { at, .. } => Some(*at),
            Self::Wheel(_) | Self::Key { .. } => None,
        }
    }

    /// The same, to be changed.
    pub fn place_mut(&mut self) -> Option<&mut Place> {
        match self {
            Self::Move(at) | Self::Button { at, .. } | Self::Click { at, .. } => Some(at),
            Self::Wheel(_) | Self::Key { .. } => None,
        }
    }

    /// Whether it presses, releases or clicks a button.
    pub fn is_button(&self) -> bool {
        matches!(self, Self::Button { .. } | Self::Click { .. })
    }
}

impl Macro {
    /// What `space` means in this macro: never [`Space::Unstated`].
    pub fn resolve(&self, space: Space) -> Space {
        match space {
            Space::Unstated if self.is_absolute => Space::Absolute,
            Space::Unstated => Space::RelativeRaw,
            stated => stated,
        }
    }

    /// The events as they are to be played: every place says what it means, and where a macro only ever
    /// presses buttons at an unstated (0,0) and never moves, they act wherever the pointer is.
    pub fn playable(&self) -> impl Iterator<Item = Event> + '_ {
        let in_place = self.plays_in_place();
        self.events.iter().map(move |event| {
            let mut event = *event;
            let is_button = event.action.is_button();
            if let Some(place) = event.action.place_mut() {
                place.space = if in_place && is_button { Space::Current } else { self.resolve(place.space) };
            }
            event
        })
    }

    /// The script, where its steps are what is played, and not its events: there are no events, or a step looks at
    /// the desktop. Otherwise the steps are the source that the events were made of.
    ///
    /// # Errors
    /// Those of [`Macro::program`], where there are no events to be played instead.
    pub fn played_script(&self) -> Result<Option<Program>, run::Diagnostics> {
        if self.script.is_empty() {
            return Ok(None);
        }
        match self.program() {
            Ok(program) => {
                Ok(Some(program).filter(|program| self.events.is_empty() || program.asks_outside()))
            }
            Err(wrong) if self.events.is_empty() => Err(wrong),
            Err(_) => Ok(None),
        }
    }

    fn plays_in_place(&self) -> bool {
        let is_plain = |place: Place| place.space == Space::Unstated && (place.x, place.y) == (0, 0);
        self.events.iter().filter_map(|event| event.action.place()).all(is_plain)
    }

    /// The script as a program. Its places carry the lines of the file.
    ///
    /// # Errors
    /// Everything that is wrong with it, pictures that are not in the macro included.
    pub fn program(&self) -> Result<Program, run::Diagnostics> {
        let program = run::parse(&self.script)?;
        let names: Vec<&str> = self.images.iter().map(|image| image.name.as_str()).collect();
        program.check_assets(&names)?;
        Ok(program)
    }

    /// The time of the last event, in microseconds from the first one: fixed waits and the shortest random
    /// ones. The wait before the first event does not count.
    pub fn duration_us(&self) -> u64 {
        let waits = self.events.iter().skip(1).map(Event::shortest_us);
        waits.fold(0, u64::saturating_add)
    }
}

impl Event {
    /// The shortest wait before it, in microseconds.
    pub fn shortest_us(&self) -> u64 {
        let random = self.random.map_or(0, |random| u64::from(random.min_ms) * 1000);
        self.wait_us.saturating_add(random)
    }
}
