//! What an operation is.

use crate::context::{Call, Context};
use crossmacro_model::{Capability, Fault};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crossmacro_policy::CapabilitySet;
pub use crossmacro_policy::Needs;

/// Whether an operation may change anything outside the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It looks, and disturbs nothing.
    Read,
    /// It may act.
    Effectful,
}

/// Who may call an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Every surface; MCP lists it as a tool.
    Everyone,
    /// Only the person at the command line.
    CommandLine,
}

/// What an MCP client is told about the effect. Hints only; the policy does not read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    /// Something may be lost by it.
    pub destructive: bool,
    /// Doing it twice is the same as doing it once.
    pub idempotent: bool,
}

/// The facts about an operation that do not depend on its arguments.
#[derive(Debug, Clone, Copy)]
pub struct Spec {
    /// Name on the wire, dotted ("window.query").
    pub name: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// What it does, when to use it, and its units, in a few sentences for a model and a person.
    pub summary: &'static str,
    /// Who may call it.
    pub audience: Audience,
    /// Whether it may act.
    pub effect: Effect,
    /// What a client is told.
    pub hints: Hints,
    /// The capabilities it needs whatever its arguments are.
    pub needs: &'static [Capability],
    /// Where one of several capabilities is enough.
    pub any_of: &'static [Capability],
    /// What else it needs in one of its modes: shown by `help.get`, decided by [`Operation::needs`].
    pub modes: &'static [(&'static str, &'static [Capability])],
}

impl Spec {
    /// The capabilities of [`Spec::needs`] and [`Spec::any_of`].
    pub fn fixed_needs(&self) -> Needs {
        let set = |capabilities: &[Capability]| capabilities.iter().copied().collect::<CapabilitySet>();
        Needs { all: set(self.needs), any_of: set(self.any_of) }
    }
}

/// A picture that goes out beside the structured reply, never inside it.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// "image/png".
    pub mime: &'static str,
    /// Encoded bytes.
    pub bytes: Vec<u8>,
}

/// An operation that has done its work.
pub struct Done<R> {
    /// The structured reply.
    pub reply: R,
    /// The same facts in a sentence or two.
    pub message: String,
    /// What the caller should know all the same.
    pub warnings: Vec<String>,
    /// A picture, where one was asked for.
    pub picture: Option<Picture>,
}

impl<R> Done<R> {
    /// A reply and its sentence.
    pub fn new(reply: R, message: impl Into<String>) -> Self {
        Self { reply, message: message.into(), warnings: Vec::new(), picture: None }
    }

    /// Adds a warning.
    #[must_use]
    pub fn warn(mut self, warning: impl Into<String>) -> Self {
        self.warnings.push(warning.into());
        self
    }

    /// Adds a picture.
    #[must_use]
    pub fn with_picture(mut self, picture: Option<Picture>) -> Self {
        self.picture = picture;
        self
    }
}

/// One thing a user can ask for.
///
/// The bounds, enums and defaults of the arguments live in `Params`: the guard checks every call against the
/// schema that clients were shown, before anything else happens.
pub trait Operation: 'static {
    /// The arguments.
    type Params: DeserializeOwned + JsonSchema;
    /// The reply. Its default is what is sent beside a failure, so every field that is known only after
    /// success is an `Option`.
    type Reply: Serialize + JsonSchema + Default;

    /// The fixed facts.
    const SPEC: Spec;

    /// The full needs for these arguments, decided before anything is touched. What had to be read to know
    /// them (a compiled script) may be kept in the parameters, so that the work uses the same bytes.
    ///
    /// # Errors
    /// A fault when the arguments make no sense together.
    fn needs(_context: &Context, _call: &Call<'_>, _params: &mut Self::Params) -> Result<Needs, Fault> {
        Ok(Self::SPEC.fixed_needs())
    }

    /// The work.
    ///
    /// # Errors
    /// A fault that says how far it came.
    fn run(context: &Context, call: &Call<'_>, params: Self::Params) -> Result<Done<Self::Reply>, Fault>;
}
