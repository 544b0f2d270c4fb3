//! One JSON line an event.

use crate::Result;
use serde_json::Value;
use std::io::Write;

/// Writes `event` with its name, and what there is to say about it.
pub(crate) fn report(event: &str, mut facts: Value) -> Result<()> {
    if let Some(facts) = facts.as_object_mut() {
        facts.insert("event".to_owned(), event.into());
    }
    let mut line = facts.to_string();
    line.push('\n');
    let mut out = std::io::stdout().lock();
    out.write_all(line.as_bytes())?;
    Ok(out.flush()?)
}
