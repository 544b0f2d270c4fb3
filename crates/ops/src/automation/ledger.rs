//! The record of what is held, between the engine that keeps it and the files of the store; and what a killed process
//! left down.

use crate::context::Context;
use crossmacro_engine::held::{Ledger, Page};
use crossmacro_model::{Direction, Down};
use crossmacro_platform::Desktop;
use crossmacro_store::held::{HeldRecord, HeldRecords, Orphan};

/// The records of the store as a ledger of the engine.
pub(crate) struct Records(pub(crate) HeldRecords);

struct Record(HeldRecord);

impl Ledger for Records {
    fn page(&self, session: &str) -> Option<Box<dyn Page>> {
        self.0.create(session).map(|record| Box::new(Record(record)) as Box<dyn Page>)
    }
}

impl Page for Record {
    fn write(&mut self, downs: &[Down]) {
        self.0.write(downs);
    }
}

impl Context {
    /// Releases what killed processes have left down on the desktop of this one; how many keys and buttons that were.
    /// Without such a record, which is nearly always, the desktop is not asked for.
    pub fn release_what_was_left(&self) -> usize {
        let orphans = self.records().map(HeldRecords::orphans).unwrap_or_default();
        if orphans.is_empty() {
            return 0;
        }
        let Ok(desktop) = self.desktop() else { return 0 };
        let here = orphans.into_iter().filter(|orphan| orphan.session == desktop.session.name);
        here.map(|orphan| release(&desktop, orphan)).sum()
    }
}

fn release(desktop: &Desktop, orphan: Orphan) -> usize {
    let mut count = 0;
    for down in orphan.downs.iter().rev() {
        let released = match *down {
            Down::Key(code) => {
                desktop.keyboard.as_ref().map(|keyboard| keyboard.key(code, Direction::Release).is_ok())
            }
            Down::Button(button) => {
                desktop.pointer.as_ref().map(|pointer| pointer.button(button, Direction::Release).is_ok())
            }
        };
        count += usize::from(released.unwrap_or(false));
    }
    if count == orphan.downs.len() {
        orphan.settle();
    }
    count
}
