//! The tools of the registry as MCP shows them.

use crate::instructions::underscored;
use crate::options::{Options, Spelling, UnknownTool};
use crossmacro_model::Capability;
use crossmacro_ops::operation::Audience;
use crossmacro_ops::registry::{self, Entry};
use crossmacro_ops::{Effect, Spec};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};

/// The tools that this server offers, in the order of the registry.
pub(crate) struct Catalog {
    offered: Vec<&'static Entry>,
    hides_forbidden: bool,
}

impl Catalog {
    pub(crate) fn new(options: &Options, is_restricted: bool) -> Result<Self, UnknownTool> {
        let offered = match &options.tools {
            None => registry::all().collect(),
            Some(names) => narrowed(names)?,
        };
        let hides_forbidden = options.hides_forbidden && is_restricted;
        Ok(Self { offered, hides_forbidden })
    }

    /// The operation of that name, if it is offered. What is only hidden is still found: the guard refuses it
    /// with the reason.
    pub(crate) fn find(&self, name: &str) -> Option<&'static Entry> {
        let entry = tool_named(name)?;
        self.offered.iter().any(|offered| std::ptr::eq(*offered, entry)).then_some(entry)
    }

    /// The answer to tools/list. Built anew each time: clients ask once, and it is large.
    pub(crate) fn tools(&self, spelling: Spelling) -> Vec<Tool> {
        match spelling {
            Spelling::Dotted => self.listed().map(tool).collect(),
            Spelling::Underscored => self.listed().map(tool).map(with_underscores).collect(),
        }
    }

    fn listed(&self) -> impl Iterator<Item = &'static Entry> {
        self.offered
            .iter()
            .copied()
            .filter(|entry| !self.hides_forbidden || works_when_restricted(entry.spec()))
    }
}

/// The operation that is a tool of that name, offered here or not.
pub(crate) fn tool_named(name: &str) -> Option<&'static Entry> {
    registry::find(name).filter(|entry| entry.spec().audience == Audience::Everyone)
}

/// The order is the registry's, whatever the order of the names.
fn narrowed(names: &[String]) -> Result<Vec<&'static Entry>, UnknownTool> {
    let mut chosen = Vec::new();
    for name in names {
        let unknown = || {
            let known: Vec<&str> = registry::all().map(|entry| entry.spec().name).collect();
            UnknownTool(name.clone(), known.join(", "))
        };
        chosen.push(tool_named(name).ok_or_else(unknown)?.spec().name);
    }
    Ok(registry::all().filter(|entry| chosen.contains(&entry.spec().name)).collect())
}

fn works_when_restricted(spec: &Spec) -> bool {
    let all = |needs: &[Capability]| needs.iter().all(|one| one.allowed_when_restricted());
    let any = spec.any_of.is_empty() || spec.any_of.iter().any(|one| one.allowed_when_restricted());
    let mode = spec.modes.is_empty()
        || !spec.needs.is_empty()
        || !spec.any_of.is_empty()
        || spec.modes.iter().any(|(_, needs)| all(needs));
    all(spec.needs) && any && mode
}

/// The tool without its schemas, which [`crate::listing`] puts in.
fn tool(entry: &'static Entry) -> Tool {
    let spec = entry.spec();
    let hints = ToolAnnotations::new()
        .read_only(spec.effect == Effect::Read)
        .destructive(spec.hints.destructive)
        .idempotent(spec.hints.idempotent);
    let mut tool = Tool::new(spec.name, spec.summary, JsonObject::new());
    tool.title = Some(spec.title.to_owned());
    tool.annotations = Some(hints);
    tool
}

fn with_underscores(mut tool: Tool) -> Tool {
    tool.name = tool.name.replace('.', "_").into();
    tool.description = tool.description.map(|text| underscored(&text).into());
    tool
}
