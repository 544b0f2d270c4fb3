//! Why a profile was not found or not changed.

use super::name::NameProblem;
use crate::folder::{Damage, SaveError};
use crossmacro_model::{Code, Fault};

/// What protects a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// It always exists.
    Standard,
    /// It is in use.
    Active,
}

/// Why a profile was not found or not changed.
#[derive(Debug, thiserror::Error)]
pub enum ProfileFault {
    /// There is no such profile.
    #[error("there is no such profile")]
    Unknown {
        /// Names of profiles that were perhaps meant.
        nearest: Vec<String>,
    },
    /// It can't be the name of one.
    #[error(transparent)]
    Name(#[from] NameProblem),
    /// Another profile has the name.
    #[error("there is a profile of this name already")]
    Taken,
    /// It may not be deleted.
    #[error("{}", match .0 {
        Protection::Standard => "the profile `default` always exists and can't be deleted",
        Protection::Active => "the active profile can't be deleted",
    })]
    Protected(Protection),
    /// It can't become the active one.
    #[error("the profile can't be used: its {file} {damage}")]
    Unusable {
        /// Which of its files.
        file: &'static str,
        /// What is wrong.
        damage: Damage,
    },
    /// It can't be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
}

impl From<ProfileFault> for Fault {
    fn from(fault: ProfileFault) -> Self {
        let message = fault.to_string();
        match fault {
            ProfileFault::Unknown { nearest } => {
                let remedy = match nearest.first() {
                    Some(near) => format!("did you mean {near}? `crossmacro profile list` names them all"),
                    None => "`crossmacro profile list` names them all".to_owned(),
                };
                Self::arguments(message).detail("nearest", nearest).remedy(remedy)
            }
            ProfileFault::Name(_) => Self::arguments(message),
            ProfileFault::Taken => Self::arguments(message).remedy("choose another name"),
            ProfileFault::Protected(Protection::Active) => {
                Self::arguments(message).remedy("switch to another profile first")
            }
            ProfileFault::Protected(Protection::Standard) => Self::arguments(message),
            ProfileFault::Unusable { .. } => Self::new(Code::RuntimeError, message)
                .remedy("mend or remove that file; the active profile is the same as before"),
            ProfileFault::Save(error) => error.into(),
        }
    }
}
