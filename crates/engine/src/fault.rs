//! Placeholder until the engine lands.
use crossmacro_model::{Code, Fault};

/// Maps an error of a facet.
pub fn from_platform(error: crossmacro_platform::Error) -> Fault {
    Fault::new(Code::RuntimeError, error.to_string())
}
