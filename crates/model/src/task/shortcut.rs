//! Macros that a hotkey starts.

use super::form;
use super::hotkey::Hotkey;
use super::rule::WindowRule;
use super::{Task, TaskId, clamp_speed};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

/// One entry of `shortcuts.json`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", from = "Stored")]
pub struct Shortcut {
    /// Its identity.
    pub id: TaskId,
    /// Its name.
    pub name: String,
    /// The macro it plays.
    pub macro_file_path: String,
    /// Any of these starts it.
    pub hotkeys: Vec<Hotkey>,
    /// How fast the macro is played; 1 is the speed of the recording.
    pub playback_speed: f64,
    /// Whether it is switched on.
    pub is_enabled: bool,
    /// Whether the macro starts again after its end.
    pub loop_enabled: bool,
    /// How often in a loop; 0 is without end.
    pub repeat_count: i32,
    /// Milliseconds between two passes.
    pub repeat_delay_ms: i32,
    /// Whether a random time is waited instead.
    pub use_random_repeat_delay: bool,
    /// Shortest random time.
    pub repeat_delay_min_ms: i32,
    /// Longest random time.
    pub repeat_delay_max_ms: i32,
    /// Whether it runs as long as the hotkey is held.
    pub run_while_held: bool,
    /// In which windows it works; in all of them where there is no rule.
    pub window_rules: Vec<WindowRule>,
    /// What became of the last run.
    pub last_status: Option<String>,
    /// When that was.
    pub last_triggered_time: Option<Timestamp>,
}

impl Default for Shortcut {
    fn default() -> Self {
        Stored::default().into()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Stored {
    id: TaskId,
    #[serde(deserialize_with = "form::text")]
    name: String,
    #[serde(deserialize_with = "form::text")]
    macro_file_path: String,
    #[serde(deserialize_with = "form::list")]
    hotkeys: Vec<Hotkey>,
    /// Versions up to 1.3.1 had one hotkey.
    #[serde(deserialize_with = "older_hotkey")]
    hotkey_string: Option<Hotkey>,
    playback_speed: f64,
    is_enabled: bool,
    loop_enabled: bool,
    repeat_count: i32,
    repeat_delay_ms: i32,
    use_random_repeat_delay: bool,
    repeat_delay_min_ms: i32,
    repeat_delay_max_ms: i32,
    run_while_held: bool,
    #[serde(deserialize_with = "form::list")]
    window_rules: Vec<WindowRule>,
    last_status: Option<String>,
    #[serde(deserialize_with = "form::instant")]
    last_triggered_time: Option<Timestamp>,
}

impl Default for Stored {
    fn default() -> Self {
        Self {
            id: TaskId::NONE,
            name: "New Shortcut".to_owned(),
            macro_file_path: String::new(),
            hotkeys: Vec::new(),
            hotkey_string: None,
            playback_speed: 1.0,
            is_enabled: false,
            loop_enabled: false,
            repeat_count: 0,
            repeat_delay_ms: 0,
            use_random_repeat_delay: false,
            repeat_delay_min_ms: 0,
            repeat_delay_max_ms: 0,
            run_while_held: false,
            window_rules: Vec::new(),
            last_status: None,
            last_triggered_time: None,
        }
    }
}

fn older_hotkey<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Hotkey>, D::Error> {
    let text = form::text(deserializer)?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    Hotkey::parse(&text).map(Some).map_err(serde::de::Error::custom)
}

impl From<Stored> for Shortcut {
    fn from(stored: Stored) -> Self {
        let mut hotkeys: Vec<Hotkey> = Vec::new();
        for hotkey in stored.hotkeys {
            if !hotkeys.contains(&hotkey) {
                hotkeys.push(hotkey);
            }
        }
        if hotkeys.is_empty() {
            hotkeys.extend(stored.hotkey_string);
        }
        let shortest = stored.repeat_delay_min_ms.max(0);
        Self {
            id: stored.id,
            name: stored.name,
            macro_file_path: stored.macro_file_path,
            hotkeys,
            playback_speed: clamp_speed(stored.playback_speed).0,
            is_enabled: stored.is_enabled,
            loop_enabled: stored.loop_enabled,
            repeat_count: stored.repeat_count.max(0),
            repeat_delay_ms: stored.repeat_delay_ms.max(0),
            use_random_repeat_delay: stored.use_random_repeat_delay,
            repeat_delay_min_ms: shortest,
            repeat_delay_max_ms: stored.repeat_delay_max_ms.max(shortest),
            run_while_held: stored.run_while_held && !stored.loop_enabled,
            window_rules: stored.window_rules,
            last_status: stored.last_status,
            last_triggered_time: stored.last_triggered_time,
        }
    }
}

impl Task for Shortcut {
    const FILE: &'static str = "shortcuts.json";
    const NOUN: &'static str = "shortcut";

    fn id(&self) -> TaskId {
        self.id
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn is_enabled(&self) -> bool {
        self.is_enabled
    }

    fn set_enabled(&mut self, on: bool) {
        self.is_enabled = on;
    }

    fn macro_path(&self) -> &str {
        &self.macro_file_path
    }

    fn missing(&self) -> Option<String> {
        if self.macro_file_path.trim().is_empty() {
            return Some("it has no macro".to_owned());
        }
        if self.hotkeys.is_empty() {
            return Some("it has no hotkey".to_owned());
        }
        self.window_rules.iter().find_map(|rule| rule.check().err()).map(|error| error.to_string())
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        let hotkeys: Vec<String> = self.hotkeys.iter().map(Hotkey::to_string).collect();
        let rules: Vec<Value> = self.window_rules.iter().map(WindowRule::json).collect();
        vec![
            ("id", self.id.to_string().into()),
            ("name", self.name.as_str().into()),
            ("macroFilePath", self.macro_file_path.as_str().into()),
            ("hotkeys", hotkeys.into()),
            ("playbackSpeed", number(self.playback_speed)),
            ("isEnabled", self.is_enabled.into()),
            ("loopEnabled", self.loop_enabled.into()),
            ("repeatCount", self.repeat_count.into()),
            ("repeatDelayMs", self.repeat_delay_ms.into()),
            ("useRandomRepeatDelay", self.use_random_repeat_delay.into()),
            ("repeatDelayMinMs", self.repeat_delay_min_ms.into()),
            ("repeatDelayMaxMs", self.repeat_delay_max_ms.into()),
            ("runWhileHeld", self.run_while_held.into()),
            ("windowRules", rules.into()),
            ("lastStatus", self.last_status.as_deref().into()),
            ("lastTriggeredTime", form::instant_value(self.last_triggered_time)),
            ("canBeEnabled", self.missing().is_none().into()),
        ]
    }

    fn older_fields(&self) -> Vec<(&'static str, Value)> {
        let first = self.hotkeys.first().map(Hotkey::to_string).unwrap_or_default();
        vec![("hotkeyString", first.into())]
    }
}

/// A whole number without a point, as the other program writes it.
pub(super) fn number(value: f64) -> Value {
    let whole = value.trunc();
    if whole.to_bits() == value.to_bits() && whole.abs() < 1e9 {
        #[expect(clippy::cast_possible_truncation, reason = "whole, and below a thousand million")]
        return json!(whole as i64);
    }
    json!(value)
}

/// A press that starts more than one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The hotkey.
    pub hotkey: String,
    /// What else it starts: the name of a shortcut, or what the program does.
    pub with: String,
}

/// The hotkeys of `task` that start something else as well: other shortcuts that are switched on and work in the
/// same windows, and `globals`, the program's own (name, hotkey).
pub fn conflicts<'a>(
    task: &Shortcut,
    others: impl IntoIterator<Item = &'a Shortcut>,
    globals: &[(&str, Hotkey)],
) -> Vec<Conflict> {
    let mut found = Vec::new();
    for other in others.into_iter().filter(|other| other.is_enabled && other.id != task.id) {
        if !task.shares_windows_with(other) {
            continue;
        }
        let with = format!("the shortcut {:?}", other.name);
        let both = task.hotkeys.iter().filter(|own| other.hotkeys.iter().any(|hotkey| own.collides(hotkey)));
        found.extend(both.map(|own| Conflict { hotkey: own.to_string(), with: with.clone() }));
    }
    for (name, global) in globals {
        let own = task.hotkeys.iter().filter(|own| own.collides(global));
        found.extend(own.map(|own| Conflict { hotkey: own.to_string(), with: (*name).to_owned() }));
    }
    found
}

impl Shortcut {
    /// Whether the rules leave it open which of the two a press means. One with rules goes before one without, so
    /// these two get along.
    fn shares_windows_with(&self, other: &Self) -> bool {
        match (self.window_rules.is_empty(), other.window_rules.is_empty()) {
            (true, true) => true,
            (true, false) | (false, true) => false,
            (false, false) => self
                .window_rules
                .iter()
                .any(|own| other.window_rules.iter().any(|rule| own.may_overlap(rule))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::rule::{Field, MatchMode};

    fn shortcut(index: u8, hotkey: &str, rule: Option<&str>) -> Shortcut {
        let rule = rule.map(|value| WindowRule {
            field: Field::WindowClass,
            match_mode: MatchMode::Equals,
            value: value.to_owned(),
        });
        Shortcut {
            id: TaskId::random([index; 16]),
            name: format!("s{index}"),
            is_enabled: true,
            hotkeys: vec![Hotkey::parse(hotkey).unwrap()],
            window_rules: rule.into_iter().collect(),
            ..Shortcut::default()
        }
    }

    #[test]
    fn a_conflict_is_one_press_that_means_two_things() {
        let own = shortcut(1, "Ctrl+F1", None);
        let scoped = shortcut(2, "ctrl+f1", Some("gimp"));
        let same = shortcut(3, "RCtrl+F1", None);
        let off = Shortcut { is_enabled: false, ..shortcut(4, "Ctrl+F1", None) };
        let elsewhere = shortcut(5, "Ctrl+F1", Some("vim"));
        let all = [own.clone(), scoped.clone(), same, off, elsewhere];
        let names = |task: &Shortcut| {
            conflicts(task, &all, &[]).into_iter().map(|conflict| conflict.with).collect::<Vec<_>>()
        };
        assert_eq!(names(&own), ["the shortcut \"s3\""]);
        assert_eq!(names(&scoped), Vec::<String>::new());
        let playback = [("playback", Hotkey::parse("F9").unwrap())];
        let found = conflicts(&shortcut(6, "f9", Some("vim")), &all, &playback);
        assert_eq!(found, [Conflict { hotkey: "F9".into(), with: "playback".into() }]);
    }

    #[test]
    fn the_older_single_hotkey_counts_where_there_is_no_list() {
        let read = |json: &str| serde_json::from_str::<Shortcut>(json).map(|task| task.hotkeys);
        let f1 = vec![Hotkey::parse("F1").unwrap()];
        assert_eq!(read(r#"{"hotkeyString": "F1"}"#).unwrap(), f1);
        assert_eq!(read(r#"{"hotkeyString": "F1", "hotkeys": []}"#).unwrap(), f1);
        assert_eq!(read(r#"{"hotkeyString": "F2", "hotkeys": ["f1", "F1"]}"#).unwrap(), f1);
        assert_eq!(read(r#"{"hotkeyString": "", "hotkeys": null}"#).unwrap(), []);
        assert!(read(r#"{"hotkeyString": "Foo"}"#).is_err());
    }

    #[test]
    fn numbers_out_of_range_are_taken_as_the_nearest() {
        let read: Shortcut = serde_json::from_str(
            r#"{"playbackSpeed": 50, "repeatDelayMs": -1, "repeatDelayMinMs": 5, "repeatDelayMaxMs": 2, "runWhileHeld": true, "loopEnabled": true}"#,
        )
        .unwrap();
        assert_eq!((read.playback_speed, read.repeat_delay_ms), (10.0, 0));
        assert_eq!((read.repeat_delay_min_ms, read.repeat_delay_max_ms), (5, 5));
        assert!(!read.run_while_held);
    }
}
