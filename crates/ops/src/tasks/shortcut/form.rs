//! The arguments that say how a shortcut runs, and by what.

use crate::tasks::task::{self, Patch, reset};
use crossmacro_model::Fault;
use crossmacro_model::task::choice::Choice;
use crossmacro_model::task::rule::{Field, MatchMode};
use crossmacro_model::task::{Hotkey, Shortcut, WindowRule};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;

/// Hotkeys: one, or a list of them.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Keys {
    /// Modifiers Ctrl, Shift, Alt, AltGr, Super and one key or mouse button (Ctrl+Shift+F5, Ctrl+Mouse Side). Instead of hotkeys.
    #[schemars(length(max = 200))]
    hotkey: Patch<String>,
    /// Several, each of which starts it.
    #[schemars(length(max = 16))]
    hotkeys: Patch<Vec<String>>,
}

impl Keys {
    /// The list as given: `None` where neither argument is.
    pub(super) fn list(self, warnings: &mut Vec<String>) -> Result<Option<Vec<Hotkey>>, Fault> {
        let texts = match (self.hotkey, self.hotkeys) {
            (Patch::Keep, Patch::Keep) => return Ok(None),
            (Patch::Set(_), Patch::Set(_)) => {
                return Err(
                    Fault::arguments("give hotkey or hotkeys, not both").detail("argument", "hotkeys")
                );
            }
            (Patch::Set(one), _) => vec![one],
            (_, Patch::Set(several)) => several,
            (Patch::Clear, _) | (_, Patch::Clear) => Vec::new(),
        };
        let (hotkeys, dropped) = Hotkey::parse_all(&texts)?;
        if dropped > 0 {
            warnings.push(format!("{dropped} hotkey(s) were given more than once"));
        }
        Ok(Some(hotkeys))
    }

    /// The list, of which there must be one.
    pub(super) fn required(self, warnings: &mut Vec<String>) -> Result<Vec<Hotkey>, Fault> {
        self.list(warnings)?.filter(|hotkeys| !hotkeys.is_empty()).ok_or_else(|| {
            Fault::arguments("give hotkey, or hotkeys with at least one entry").detail("argument", "hotkey")
        })
    }
}

/// How it runs.
#[derive(Deserialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Form {
    /// Speed, 0.1 to 10 (beyond is clamped, with a warning). Default 1.
    speed: Patch<f64>,
    /// Start again after the end. Excludes runWhileHeld. Default false.
    r#loop: Patch<bool>,
    /// Passes of a loop; 0, the default, is without end.
    #[schemars(range(min = 0))]
    repeat_count: Patch<i32>,
    /// Milliseconds between two passes. Default 0.
    #[schemars(range(min = 0))]
    repeat_delay_ms: Patch<i32>,
    /// Random time instead: the shortest. Together with repeatDelayMaxMs; null for both ends it.
    #[schemars(range(min = 0))]
    repeat_delay_min_ms: Patch<i32>,
    /// The longest random time.
    #[schemars(range(min = 0))]
    repeat_delay_max_ms: Patch<i32>,
    /// Run as long as the hotkey is held. Excludes loop. Default false.
    run_while_held: Patch<bool>,
    /// Switched on. Default false.
    pub(super) enabled: Patch<bool>,
    /// The windows it works in, by any of the rules; all without one. Replaces all rules.
    #[schemars(length(max = 32))]
    window_rules: Patch<Vec<Rule>>,
    /// Remove all rules first. Default false.
    clear_window_rules: Patch<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Rule {
    /// Default WindowClass.
    #[serde(default)]
    field: RuleField,
    /// Case counts; Regex has no back-references or look-around. Default Contains.
    #[serde(default)]
    match_mode: NameOrNumber<MatchMode>,
    /// The text.
    #[schemars(length(min = 1, max = 1024))]
    value: String,
}

/// A property of a window, by its name or by its number in files.
#[derive(Default)]
struct RuleField(Field);

/// A member of an enum, by its name or by its number in files.
#[derive(Default)]
struct NameOrNumber<C>(C);

impl<'de> Deserialize<'de> for RuleField {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Field::deserialize(deserializer).map(Self)
    }
}

impl<'de, C: Deserialize<'de>> Deserialize<'de> for NameOrNumber<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        C::deserialize(deserializer).map(Self)
    }
}

impl JsonSchema for RuleField {
    fn schema_name() -> Cow<'static, str> {
        "RuleField".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let fields = [Field::WindowClass, Field::WindowTitle, Field::ProcessName];
        named_or_numbered(&fields)
    }
}

impl<C: Choice> JsonSchema for NameOrNumber<C> {
    fn schema_name() -> Cow<'static, str> {
        "NameOrNumber".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        named_or_numbered(C::ALL)
    }
}

fn named_or_numbered<C: Choice>(members: &[C]) -> Schema {
    let names: Vec<&str> = members.iter().map(|member| member.name()).collect();
    let numbers: Vec<u64> = members.iter().map(|member| member.index()).collect();
    json_schema!({"enum": names.into_iter().map(Value::from).chain(numbers.into_iter().map(Value::from)).collect::<Vec<_>>()})
}

impl Form {
    /// Changes a shortcut. What excludes each other, or half of a pair, is refused.
    pub(super) fn apply(self, shortcut: &mut Shortcut, warnings: &mut Vec<String>) -> Result<(), Fault> {
        match self.speed {
            Patch::Set(asked) => shortcut.playback_speed = task::speed(asked, warnings),
            Patch::Clear => shortcut.playback_speed = 1.0,
            Patch::Keep => {}
        }
        modes(&self.r#loop, &self.run_while_held, shortcut, warnings)?;
        reset(self.repeat_count, &mut shortcut.repeat_count, 0);
        reset(self.repeat_delay_ms, &mut shortcut.repeat_delay_ms, 0);
        random(&self.repeat_delay_min_ms, &self.repeat_delay_max_ms, shortcut)?;
        if self.clear_window_rules == Patch::Set(true) {
            shortcut.window_rules.clear();
        }
        match self.window_rules {
            Patch::Set(rules) => shortcut.window_rules = checked(rules)?,
            Patch::Clear => shortcut.window_rules.clear(),
            Patch::Keep => {}
        }
        Ok(())
    }
}

/// A loop and a run while held exclude each other; the one that is asked for ends the other.
fn modes(
    looped: &Patch<bool>,
    held: &Patch<bool>,
    shortcut: &mut Shortcut,
    warnings: &mut Vec<String>,
) -> Result<(), Fault> {
    let on = Patch::Set(true);
    if *looped == on && *held == on {
        return Err(Fault::arguments("loop and runWhileHeld exclude each other"));
    }
    reset(*looped, &mut shortcut.loop_enabled, false);
    reset(*held, &mut shortcut.run_while_held, false);
    if shortcut.loop_enabled && shortcut.run_while_held {
        let (ended, other) = if *held == on { ("loop", "runWhileHeld") } else { ("runWhileHeld", "loop") };
        shortcut.loop_enabled = *held != on;
        shortcut.run_while_held = *held == on;
        warnings.push(format!("{ended} was switched off: it excludes {other}"));
    }
    Ok(())
}

fn random(min: &Patch<i32>, max: &Patch<i32>, shortcut: &mut Shortcut) -> Result<(), Fault> {
    match (min, max) {
        (Patch::Keep, Patch::Keep) => Ok(()),
        (Patch::Clear, Patch::Clear) => {
            shortcut.use_random_repeat_delay = false;
            (shortcut.repeat_delay_min_ms, shortcut.repeat_delay_max_ms) = (0, 0);
            Ok(())
        }
        (Patch::Set(min), Patch::Set(max)) if min > max => {
            Err(Fault::arguments("repeatDelayMinMs is greater than repeatDelayMaxMs"))
        }
        (Patch::Set(min), Patch::Set(max)) => {
            shortcut.use_random_repeat_delay = true;
            (shortcut.repeat_delay_min_ms, shortcut.repeat_delay_max_ms) = (*min, *max);
            Ok(())
        }
        _ => Err(Fault::arguments("repeatDelayMinMs and repeatDelayMaxMs belong together")),
    }
}

fn checked(rules: Vec<Rule>) -> Result<Vec<WindowRule>, Fault> {
    let rule = |(index, rule): (usize, Rule)| {
        let rule = WindowRule { field: rule.field.0, match_mode: rule.match_mode.0, value: rule.value };
        match rule.check() {
            Ok(()) => Ok(rule),
            Err(error) => Err(Fault::arguments(format!("window rule {}: {error}", index + 1))
                .detail("argument", format!("windowRules[{index}]"))),
        }
    };
    rules.into_iter().enumerate().map(rule).collect()
}
