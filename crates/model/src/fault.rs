//! One error type for everything a user meets: a stable code, a message, what to do about it, and how far
//! the work had come.

use serde_json::{Map, Value};
use std::error::Error;
use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident $text:literal $exit:literal,)*) => {
        /// The stable codes. Their texts and exit classes are part of the product's interface.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The text on the wire.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The exit class: the exit status of the command line and `outcome.exitCode`.
            pub const fn exit(self) -> u8 {
                match self { $(Self::$name => $exit,)* }
            }
        }
    };
}

codes! {
    /// The arguments can't be used as they are.
    InvalidArguments "invalid_arguments" 2,
    /// A file can't be read or written.
    FileError "file_error" 3,
    /// A file was read, and its content is wrong.
    ValidationError "validation_error" 4,
    /// The session, display or a permission does not allow it.
    EnvironmentError "environment_error" 5,
    /// It was tried, and failed.
    RuntimeError "runtime_error" 6,
    /// The caller cancelled it.
    Cancelled "cancelled" 130,
    /// The policy does not allow it.
    CapabilityDenied "capability_denied" 5,
    /// The path lies outside the allowed roots, or is of a kind that is not followed.
    PathNotAllowed "path_not_allowed" 5,
    /// A person said no.
    ApprovalDenied "approval_denied" 5,
    /// A person did not answer in time.
    ApprovalTimeout "approval_timeout" 5,
    /// Nobody can be asked.
    ApprovalUnavailable "approval_unavailable" 5,
    /// There is no such tool.
    ToolNotAllowed "tool_not_allowed" 5,
    /// Too many calls; details say when to try again.
    RateLimited "rate_limited" 6,
    /// Another operation holds the slot; details name it.
    Busy "busy" 6,
    /// Several targets match equally well.
    AmbiguousMatch "ambiguous_match" 6,
    /// A time limit expired.
    Timeout "timeout" 6,
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.text())
    }
}

/// How much of an effect had reached the desktop when the work stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Delivered {
    /// Nothing was touched.
    #[default]
    Nothing,
    /// Something may have been.
    Uncertain,
    /// The effect is there; what failed came after it.
    Done,
}

/// Why a call failed.
#[derive(Debug)]
pub struct Fault {
    /// The stable code.
    pub code: Code,
    /// What could not be done, for a person.
    pub message: String,
    /// What to do about it, where we know.
    pub remediation: Option<String>,
    /// Facts for a program.
    pub details: Map<String, Value>,
    /// How far it had come.
    pub delivered: Delivered,
    /// Fields of the reply that are known in spite of the failure.
    pub partial: Map<String, Value>,
    /// Warnings that were collected before the failure.
    pub warnings: Vec<String>,
    /// What else is wrong, where several things were found at once.
    pub others: Vec<Self>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl Fault {
    /// A fault with a code and a message.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            remediation: None,
            details: Map::new(),
            delivered: Delivered::Nothing,
            partial: Map::new(),
            warnings: Vec::new(),
            others: Vec::new(),
            source: None,
        }
    }

    /// Shorthand for [`Code::InvalidArguments`].
    pub fn arguments(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArguments, message)
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn remedy(mut self, remediation: impl Into<String>) -> Self {
        self.remediation = Some(remediation.into());
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn detail(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }

    /// Adds a field of the reply that is known in spite of the failure.
    #[must_use]
    pub fn with_partial(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.partial.insert(key.to_owned(), value.into());
        self
    }

    /// Says how far it had come.
    #[must_use]
    pub fn delivered(mut self, delivered: Delivered) -> Self {
        self.delivered = delivered;
        self
    }

    /// Keeps the cause for the log.
    #[must_use]
    pub fn caused_by(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Box::new(source));
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.code, self.message)
    }
}

impl Error for Fault {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}
