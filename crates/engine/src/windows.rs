//! Finding windows and workspaces by what a user writes.

use crate::fault::from_platform;
use crossmacro_model::Fault;
use crossmacro_platform::{Window, Windows};

/// Windows that are meant, the topmost first: the one that a person sees comes before one that it covers.
///
/// # Errors
/// Those of [`Windows::list`].
pub fn matching(windows: &dyn Windows, is_meant: impl Fn(&Window) -> bool) -> Result<Vec<Window>, Fault> {
    let mut windows = windows.list().map_err(from_platform)?;
    windows.retain(is_meant);
    windows.reverse();
    Ok(windows)
}

/// The index of a workspace by its name, or by its number from 1. A name comes first, because a workspace may be
/// named "2".
pub fn workspace(names: &[String], wanted: &str) -> Option<usize> {
    let by_name = names.iter().position(|name| name == wanted);
    let by_number = || {
        let number = wanted.trim().parse::<usize>().ok()?;
        (1..=names.len()).contains(&number).then(|| number - 1)
    };
    by_name.or_else(by_number)
}
