//! Settings as they are at this moment, and the one way to change them.
//!
//! They lie in `global-settings.json` and in the `settings.json` of the active profile; before there were profiles,
//! in one `settings.json` directly in the configuration folder, which is read as both until the first save moves
//! it (`migration`).
//!
//! Damage never widens the policy: when the global file can't be read, no MCP capability is allowed, and a single
//! value of the policy that is none counts as the narrowest.

mod form;
mod handle;
pub(crate) mod migration;
pub(crate) mod registry;

pub use handle::{Change, SettingsFault, SettingsHandle};
pub use registry::Profile;

use crate::document::Document;
use crate::folder::Folder;
use crate::stamp::Stamp;
use crossmacro_model::Capability;
use crossmacro_model::settings::{self as table, Row, Scope, Secrecy, UnknownKey, Value};
use crossmacro_policy::{Approval, Approvals, Authority, CapabilitySet, PathClass, Roots};
use std::path::{Path, PathBuf};
use std::time::Duration;

const GLOBAL: &str = "global-settings.json";
const LEGACY: &str = "settings.json";

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// No file has it.
    Default,
    /// The file for all profiles.
    Global,
    /// The file of the active profile.
    Profile,
}

impl Source {
    /// The name in listings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Global => "global",
            Self::Profile => "profile",
        }
    }
}

/// One setting and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What the table says about it.
    pub row: &'static Row,
    /// The value that holds.
    pub value: Value,
    /// Where it comes from.
    pub source: Source,
}

impl Entry {
    /// Whether a reply to `authority` must leave the value out.
    pub fn is_hidden_from(&self, authority: Authority) -> bool {
        authority == Authority::Client && self.row.secrecy != Secrecy::Open
    }
}

/// All settings at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    entries: Vec<Entry>,
    profile: Profile,
    warnings: Vec<String>,
    capabilities: CapabilitySet,
    approvals: Approvals,
    roots: [Roots; PathClass::ALL.len()],
}

impl Settings {
    /// One setting.
    ///
    /// # Errors
    /// [`UnknownKey`] with the nearest keys.
    pub fn get(&self, key: &str) -> Result<&Entry, UnknownKey> {
        let row = table::row(key)?;
        self.entries
            .iter()
            .find(|entry| entry.row.key == row.key)
            .ok_or_else(|| UnknownKey { nearest: Vec::new() })
    }

    /// All settings, in the order of the table.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether the settings allow `capability` to an MCP client.
    pub fn capability_enabled(&self, capability: Capability) -> bool {
        self.capabilities.contains(capability)
    }

    /// All capabilities that the settings allow, for [`crossmacro_policy::Policy::client`].
    pub fn capabilities(&self) -> CapabilitySet {
        self.capabilities
    }

    /// The folders that the files of a class must lie in.
    pub fn roots(&self, class: PathClass) -> &Roots {
        &self.roots[class as usize]
    }

    /// How calls of clients that act are approved.
    pub fn approvals(&self) -> &Approvals {
        &self.approvals
    }

    /// Whether a call of a client that acts may only be made when its record can be written.
    pub fn is_audit_required(&self) -> bool {
        value(&self.entries, "audit.required") == Some(&Value::Bool(true))
    }

    /// How late a scheduled run may still be made.
    pub fn misfire_grace(&self) -> Duration {
        match value(&self.entries, "schedule.misfireGraceSeconds") {
            Some(Value::Integer(seconds)) => Duration::from_secs(u64::try_from(*seconds).unwrap_or(0)),
            _ => Duration::ZERO,
        }
    }

    /// The active profile.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// What is wrong with the files, one sentence each, without their values.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// Reads a file that holds the policy: what its damage means is more than other files mean.
fn policy(folder: &Folder, file: &str, warnings: &mut Vec<String>) -> Document {
    let document = Document::load_quietly(folder, file, form::is_settings);
    warnings.extend(
        document.warning("MCP clients are allowed nothing until it is saved again; apart from that, "),
    );
    document
}

/// Everything that [`Settings`] are made of.
struct Files {
    profile: Profile,
    global: Document,
    own: Document,
    registry: Document,
    warnings: Vec<String>,
}

impl Files {
    fn load(folder: &Folder) -> Self {
        let mut warnings = Vec::new();
        let registry = Document::load(folder, registry::FILE, registry::is_registry, &mut warnings);
        let profile = registry::active(&registry.value, &mut warnings);
        let mut global = policy(folder, GLOBAL, &mut warnings);
        let mut own = Document::load(folder, profile.settings_file(), form::is_settings, &mut warnings);
        if registry.missing && (global.missing || own.missing) {
            if global.missing {
                global = policy(folder, LEGACY, &mut warnings);
            }
            if own.missing {
                own = Document::load_quietly(folder, LEGACY, form::is_settings);
                // The policy has said so already where both are the same file.
                warnings.extend(own.warning("").filter(|_| global.file != own.file));
            }
        }
        Self { profile, global, own, registry, warnings }
    }

    /// Every file that settings depend on, with its stamp at the time of reading.
    fn stamps(&self) -> Vec<(PathBuf, Option<Stamp>)> {
        let mut stamps: Vec<_> = [&self.registry, &self.global, &self.own]
            .into_iter()
            .map(|document| (document.file.clone(), document.stamp))
            .collect();
        // Files that were missing, and whose place an older one took.
        for file in [Path::new(GLOBAL).to_owned(), self.profile.settings_file()] {
            if !stamps.iter().any(|(known, _)| *known == file) {
                stamps.push((file, None));
            }
        }
        stamps
    }

    /// Whether equal stamps will mean equal contents.
    fn are_settled(&self) -> bool {
        [&self.registry, &self.global, &self.own]
            .iter()
            .all(|document| !document.is_damaged() && document.stamp.is_none_or(|stamp| stamp.is_settled()))
    }

    fn settings(mut self) -> Settings {
        let entries: Vec<_> = table::rows().iter().map(|row| self.entry(row)).collect();
        let capabilities =
            Capability::ALL.iter().copied().filter(|capability| allowed(&entries, *capability)).collect();
        let roots = PathClass::ALL.map(|class| match value(&entries, class.settings_key()) {
            Some(Value::Paths(paths)) => Roots::new(paths),
            _ => Roots::UNLIMITED,
        });
        let approvals = approvals(&entries);
        Settings { entries, approvals, profile: self.profile, warnings: self.warnings, capabilities, roots }
    }

    fn entry(&mut self, row: &'static Row) -> Entry {
        let (document, source) = match row.scope {
            Scope::Global => (&self.global, Source::Global),
            Scope::Profile => (&self.own, Source::Profile),
        };
        if let Some(narrowest) = row.narrowest.clone().filter(|_| document.is_damaged()) {
            return Entry { row, value: narrowest, source };
        }
        let Some(stored) = form::find(&document.value, row.property) else {
            return Entry { row, value: row.default.clone(), source: Source::Default };
        };
        let decoded = form::decode(row, stored);
        if let Some(problem) = decoded.problem {
            self.warnings.push(format!("{} in `{}` {problem}", row.key, document.file.display()));
        }
        let fallback = || row.narrowest.clone().unwrap_or_else(|| row.default.clone());
        Entry { row, value: decoded.value.unwrap_or_else(fallback), source }
    }
}

fn value<'a>(entries: &'a [Entry], key: &str) -> Option<&'a Value> {
    entries.iter().find(|entry| entry.row.key == key).map(|entry| &entry.value)
}

fn allowed(entries: &[Entry], capability: Capability) -> bool {
    capability.settings_key().is_none_or(|key| value(entries, key) == Some(&Value::Bool(true)))
}

fn approvals(entries: &[Entry]) -> Approvals {
    let named = |key: &str| match value(entries, key) {
        Some(Value::Choice(name)) => Approval::named(name),
        _ => None,
    };
    let own = Capability::ALL
        .iter()
        .filter_map(|&capability| Some((capability, named(capability.approval_key()?)?)));
    Approvals::new(named("mcp.approvalMode").unwrap_or(Approval::Deny), own)
}
