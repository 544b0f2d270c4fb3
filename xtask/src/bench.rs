//! Measurements.

pub(crate) fn run(_arguments: &[String]) -> Result<String, String> {
    Err("no measurement yet\n".into())
}
