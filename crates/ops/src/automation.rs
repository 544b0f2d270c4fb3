//! Operations on the running piece of work: start, look, stop.

mod get;
mod ledger;
mod list;
mod start;
mod stop;
mod view;

use crate::registry::operations;

pub(crate) use ledger::Records;
pub(crate) use start::play;
pub(crate) use view::{OperationView, active};

operations![start::Start, get::Get, list::List, stop::Stop];
