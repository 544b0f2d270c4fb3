//! Placeholder until the engine lands.
#![allow(missing_docs)]
use crossmacro_model::Fault;
use crossmacro_platform::Cancel;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
#[derive(Default)]
pub struct Operations;
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Running,
    Succeeded,
    Failed,
    Cancelled,
}
#[derive(Clone, Copy)]
pub struct Kind;
impl Kind {
    pub fn name(self) -> &'static str {
        "run"
    }
}
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Id(u128);
impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}
impl std::str::FromStr for Id {
    type Err = std::num::ParseIntError;
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        u128::from_str_radix(s, 16).map(Self)
    }
}
#[derive(Clone)]
pub struct Operation {
    pub id: Id,
    pub kind: Kind,
    pub state: State,
    pub started_at: Duration,
    pub completed_at: Option<Duration>,
    pub cancellation_requested: bool,
    pub result: Option<Result<Value, Arc<Fault>>>,
}
impl Operations {
    pub fn new() -> Self {
        Self
    }
    pub fn active(&self) -> Option<Operation> {
        None
    }
    pub fn list(&self) -> Vec<Operation> {
        Vec::new()
    }
    pub fn get(&self, _: Id) -> Option<Operation> {
        None
    }
    pub fn stop(&self, _: Id) -> bool {
        false
    }
    pub fn wait(&self, _: Id, _: Duration, _: &Cancel) -> Option<Operation> {
        None
    }
    pub fn shutdown(&self, _: Duration) {}
}
