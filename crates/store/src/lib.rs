//! The only crate that writes the user's files.
//!
//! Two kinds of file, and a door for each:
//! * the configuration folder ([`Folder`]; [`SettingsHandle`], [`Profiles`] and [`Expansions`] on top of it): JSON documents that several
//!   processes share; every change is read, merged and replaced under one lock;
//! * files that a caller names ([`paths`]): opened by walking the path with handles, so that what was checked
//!   is what is used.
//!
//! What it is not: nothing here knows MCP or the command line, and nothing watches; a reader asks again and
//! sees what has changed.
//!
//! Unix only for now: it stands on `openat` and its relatives.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod archive;
mod dirs;
mod document;
mod expansions;
mod folder;
pub mod held;
mod lock;
pub mod macros;
mod new_file;
pub mod paths;
mod profiles;
mod recovery;
mod settings;
mod stamp;
pub mod tasks;

pub use dirs::{Directories, Environment, NoHome};
pub use expansions::{ExpansionChange, ExpansionFault, ExpansionList, Expansions};
pub use folder::{Damage, Folder, Loaded, Locked, SaveError};
pub use profiles::{
    NameProblem, ProfileChange, ProfileFault, ProfileInfo, ProfileList, Profiles, Protection,
};
pub use settings::{Change, Entry, Profile, Settings, SettingsFault, SettingsHandle, Source};
