//! Placeholder until the store lands.
#![forbid(unsafe_code)]
use crossmacro_model::Capability;
use std::sync::Arc;
pub mod paths;
/// Settings.
#[derive(Default)]
pub struct Settings;
impl Settings {
    /// Enabled?
    pub fn capability_enabled(&self, c: Capability) -> bool {
        c.default_allowed()
    }
    /// Roots.
    pub fn roots(&self, _: crossmacro_policy::PathClass) -> crossmacro_policy::Roots {
        crossmacro_policy::Roots
    }
}
/// Profile.
#[derive(Default)]
pub struct Profile {
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
}
impl Settings {
    /// Profile.
    pub fn active_profile(&self) -> Profile {
        Profile::default()
    }
}
/// Handle.
#[derive(Default)]
pub struct SettingsHandle;
impl SettingsHandle {
    /// Now.
    pub fn current(&self) -> Arc<Settings> {
        Arc::new(Settings)
    }
}
