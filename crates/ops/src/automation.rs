//! Operations on the running piece of work: start, look, stop.

mod get;
mod list;
mod start;
mod stop;
mod view;

use crate::registry::Entry;

pub(crate) use view::{OperationView, active};

pub(crate) static OPERATIONS: [Entry; 4] = [
    Entry::of::<start::Start>(),
    Entry::of::<get::Get>(),
    Entry::of::<list::List>(),
    Entry::of::<stop::Stop>(),
];
