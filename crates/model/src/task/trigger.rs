//! What happens when another window gets the focus.

use super::choice::{Choice, choices};
use super::form;
use super::rule::{Field, MatchMode, Matcher};
use super::{Task, TaskId};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

choices! {
    /// What a trigger does.
    Action {
        /// Switches to a profile.
        #[default]
        SwitchProfile,
        /// Plays a macro.
        RunMacro,
    }
}

choices! {
    /// When it does it.
    FireMode {
        /// When the match begins.
        #[default]
        OnceOnChange,
        /// At every look that matches.
        EveryMatch,
        /// When the match begins.
        OnEnter,
        /// When the match ends.
        OnExit,
    }
}

/// One entry of `triggers.json`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Trigger {
    /// Its identity.
    pub id: TaskId,
    /// Its name.
    #[serde(deserialize_with = "form::text")]
    pub name: String,
    /// Whether it is switched on.
    pub is_enabled: bool,
    /// The property of the focused window that is compared.
    pub field: Field,
    /// How.
    pub match_mode: MatchMode,
    /// With what.
    #[serde(deserialize_with = "form::text")]
    pub value: String,
    /// What it does.
    pub action: Action,
    /// The profile it switches to, by its identifier.
    #[serde(deserialize_with = "form::text")]
    pub target_profile_id: String,
    /// The macro it plays.
    #[serde(deserialize_with = "form::text")]
    pub macro_file_path: String,
    /// When.
    pub fire_mode: FireMode,
    /// Milliseconds of quiet after it has fired.
    pub cooldown_ms: Option<i32>,
    /// Milliseconds that the match must last before it fires.
    pub debounce_ms: Option<i32>,
    /// When it has fired last.
    #[serde(deserialize_with = "form::instant")]
    pub last_triggered_time: Option<Timestamp>,
    /// What became of it.
    pub last_status: Option<String>,
}

impl Default for Trigger {
    fn default() -> Self {
        Self {
            id: TaskId::NONE,
            name: "New Trigger".to_owned(),
            is_enabled: false,
            field: Field::default(),
            match_mode: MatchMode::default(),
            value: String::new(),
            action: Action::default(),
            target_profile_id: String::new(),
            macro_file_path: String::new(),
            fire_mode: FireMode::default(),
            cooldown_ms: None,
            debounce_ms: None,
            last_triggered_time: None,
            last_status: None,
        }
    }
}

impl Task for Trigger {
    const FILE: &'static str = "triggers.json";
    const NOUN: &'static str = "trigger";

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
        match self.action {
            Action::RunMacro => &self.macro_file_path,
            Action::SwitchProfile => "",
        }
    }

    fn missing(&self) -> Option<String> {
        if self.field != Field::None
            && let Err(error) = Matcher::new(self.match_mode, &self.value)
        {
            return Some(error.to_string());
        }
        match self.action {
            Action::SwitchProfile if self.target_profile_id.trim().is_empty() => {
                Some("it has no profile to switch to".to_owned())
            }
            Action::RunMacro if self.macro_file_path.trim().is_empty() => Some("it has no macro".to_owned()),
            Action::SwitchProfile | Action::RunMacro => None,
        }
    }

    fn fields(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("id", self.id.to_string().into()),
            ("name", self.name.as_str().into()),
            ("isEnabled", self.is_enabled.into()),
            ("field", self.field.index().into()),
            ("matchMode", self.match_mode.index().into()),
            ("value", self.value.as_str().into()),
            ("action", self.action.index().into()),
            ("targetProfileId", self.target_profile_id.as_str().into()),
            ("macroFilePath", self.macro_file_path.as_str().into()),
            ("fireMode", self.fire_mode.index().into()),
            ("cooldownMs", self.cooldown_ms.into()),
            ("debounceMs", self.debounce_ms.into()),
            ("lastTriggeredTime", form::instant_value(self.last_triggered_time)),
            ("lastStatus", self.last_status.as_deref().into()),
            ("canBeEnabled", self.missing().is_none().into()),
        ]
    }
}
