//! Any sequence of operations on shortcuts gives what the same sequence gives on a simple list in memory.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::needless_pass_by_value, reason = "a test")]

mod desk;

use desk::Desk;
use proptest::prelude::*;
use serde_json::{Value, json};

/// What is known about a shortcut.
#[derive(Debug, Clone, PartialEq)]
struct Known {
    id: String,
    name: String,
    has_macro: bool,
    enabled: bool,
    hotkeys: Vec<&'static str>,
    delay: i64,
}

#[derive(Debug, Clone)]
enum Step {
    Add { name: usize, hotkey: usize, enabled: bool },
    Rename { which: usize, name: Option<usize> },
    Delay { which: usize, delay: Option<i64> },
    TakeMacro { which: usize },
    GiveMacro { which: usize, enabled: Option<bool> },
    Bind { which: usize, hotkeys: Vec<usize> },
    Unbind { which: usize },
    Enable { which: usize },
    Disable { which: usize },
    Remove { which: usize },
    Nobody,
}

const NAMES: [&str; 3] = ["Ännä", "b \"q\"", "c"];
const HOTKEYS: [&str; 4] = ["F1", "Ctrl+F2", "Ctrl+Shift+A", "Mouse Side"];

fn step() -> impl Strategy<Value = Step> {
    let which = || 0_usize..6;
    prop_oneof![
        3 => (0..NAMES.len(), 0..HOTKEYS.len(), any::<bool>())
            .prop_map(|(name, hotkey, enabled)| Step::Add { name, hotkey, enabled }),
        1 => (which(), proptest::option::of(0..NAMES.len())).prop_map(|(which, name)| Step::Rename { which, name }),
        1 => (which(), proptest::option::of(0_i64..9)).prop_map(|(which, delay)| Step::Delay { which, delay }),
        1 => which().prop_map(|which| Step::TakeMacro { which }),
        1 => (which(), any::<Option<bool>>()).prop_map(|(which, enabled)| Step::GiveMacro { which, enabled }),
        1 => (which(), proptest::collection::vec(0..HOTKEYS.len(), 0..3))
            .prop_map(|(which, hotkeys)| Step::Bind { which, hotkeys }),
        1 => which().prop_map(|which| Step::Unbind { which }),
        1 => which().prop_map(|which| Step::Enable { which }),
        1 => which().prop_map(|which| Step::Disable { which }),
        1 => which().prop_map(|which| Step::Remove { which }),
        1 => Just(Step::Nobody),
    ]
}

struct Pair {
    desk: Desk,
    path: String,
    known: Vec<Known>,
}

impl Pair {
    fn new() -> Self {
        let desk = Desk::new();
        let path = desk.home.path().canonicalize().unwrap().join("a.macro");
        std::fs::write(&path, "# Name: x\n").unwrap();
        Self { desk, path: path.to_str().unwrap().to_owned(), known: Vec::new() }
    }

    fn known(&self, which: usize) -> (String, Option<usize>) {
        match self.known.len() {
            0 => ("00000000-0000-0000-0000-0000000000ff".to_owned(), None),
            count => (self.known[which % count].id.clone(), Some(which % count)),
        }
    }

    /// Calls, and says whether it was done.
    fn call(&self, name: &str, which: usize, more: Value) -> (bool, Option<usize>) {
        let (id, index) = self.known(which);
        let mut arguments = json!({"taskId": id});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        (self.desk.call(name, arguments).outcome.success, index)
    }

    /// Calls, and changes what is known by the rules: `change` says whether the call may be done.
    fn both(&mut self, name: &str, which: usize, more: Value, change: impl FnOnce(&mut Known) -> bool) {
        let (done, index) = self.call(name, which, more);
        let expected = index.is_some_and(|index| {
            let mut after = self.known[index].clone();
            let may = change(&mut after);
            if may {
                // What can no longer run is switched off.
                after.enabled &= after.has_macro && !after.hotkeys.is_empty();
                self.known[index] = after;
            }
            may
        });
        assert_eq!(done, expected, "{name}");
    }

    fn apply(&mut self, step: Step) {
        match step {
            Step::Add { name, hotkey, enabled } => {
                let arguments = json!({"name": NAMES[name], "macroPath": self.path, "hotkey": HOTKEYS[hotkey].to_lowercase(), "enabled": enabled});
                let id = self.desk.ok("shortcut.add", arguments)["task"]["id"].as_str().unwrap().to_owned();
                let hotkeys = vec![HOTKEYS[hotkey]];
                let name = NAMES[name].to_owned();
                self.known.push(Known { id, name, has_macro: true, enabled, hotkeys, delay: 0 });
            }
            Step::Rename { which, name } => {
                let name = name.map(|name| NAMES[name]);
                self.both("shortcut.edit", which, json!({"name": name}), |known| {
                    known.name = name.unwrap_or("New Shortcut").to_owned();
                    true
                });
            }
            Step::Delay { which, delay } => {
                self.both("shortcut.edit", which, json!({"repeatDelayMs": delay}), |known| {
                    known.delay = delay.unwrap_or(0);
                    true
                });
            }
            Step::TakeMacro { which } => {
                self.both("shortcut.edit", which, json!({"macroPath": null}), |known| {
                    known.has_macro = false;
                    true
                });
            }
            Step::GiveMacro { which, enabled } => {
                let arguments = match enabled {
                    Some(enabled) => json!({"macroPath": self.path, "enabled": enabled}),
                    None => json!({"macroPath": self.path}),
                };
                self.both("shortcut.edit", which, arguments, |known| {
                    known.has_macro = true;
                    known.enabled = enabled.unwrap_or(known.enabled);
                    !(enabled == Some(true) && known.hotkeys.is_empty())
                });
            }
            Step::Bind { which, hotkeys } => {
                let given: Vec<&str> = hotkeys.iter().map(|hotkey| HOTKEYS[*hotkey]).collect();
                self.both("shortcut.bind", which, json!({"hotkeys": given}), |known| {
                    let mut distinct = given.clone();
                    distinct.dedup();
                    known.hotkeys = distinct;
                    !known.hotkeys.is_empty()
                });
            }
            Step::Unbind { which } => {
                self.both("shortcut.edit", which, json!({"hotkeys": null}), |known| {
                    known.hotkeys.clear();
                    true
                });
            }
            Step::Enable { which } => self.both("shortcut.enable", which, json!({}), |known| {
                known.enabled = true;
                known.has_macro && !known.hotkeys.is_empty()
            }),
            Step::Disable { which } => self.both("shortcut.disable", which, json!({}), |known| {
                known.enabled = false;
                true
            }),
            Step::Remove { which } => {
                let (done, index) = self.call("shortcut.remove", which, json!({}));
                assert_eq!(done, index.is_some());
                index.map(|index| self.known.remove(index));
            }
            Step::Nobody => {
                let nobody = json!({"taskId": "00000000-0000-0000-0000-0000000000fe"});
                assert_eq!(self.desk.fault("shortcut.enable", nobody).0, "invalid_arguments");
            }
        }
    }

    fn compare(&self) {
        let listed = self.desk.ok("shortcut.list", json!({}));
        let listed: Vec<Value> = listed["tasks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|task| {
                json!([
                    task["id"],
                    task["name"],
                    task["macroFilePath"] != "",
                    task["enabled"],
                    task["hotkeys"],
                    task["repeatDelayMs"]
                ])
            })
            .collect();
        let known: Vec<Value> = self
            .known
            .iter()
            .map(|known| {
                json!([known.id, known.name, known.has_macro, known.enabled, known.hotkeys, known.delay])
            })
            .collect();
        assert_eq!(listed, known);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_file_and_the_list_in_memory_never_part(steps in proptest::collection::vec(step(), 1..25)) {
        let mut pair = Pair::new();
        for step in steps {
            pair.apply(step);
            pair.compare();
        }
    }
}
