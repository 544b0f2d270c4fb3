//! Operations on the running piece of work: start, look, stop.

mod get;
mod list;
mod stop;
mod view;

use crate::registry::Entry;

pub(crate) use view::{OperationView, active};

pub(crate) static OPERATIONS: [Entry; 3] =
    [Entry::of::<get::Get>(), Entry::of::<list::List>(), Entry::of::<stop::Stop>()];
