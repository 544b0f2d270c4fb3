//! A list of tasks that is being changed.

use crossmacro_model::task::{Task, TaskId};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::path::Path;

/// One entry: what the file has, and what it means.
#[derive(Debug)]
pub struct Entry<T> {
    raw: Value,
    /// The task, or why there is none in words that hold nothing of the content.
    task: Result<T, String>,
    is_changed: bool,
}

/// A list of tasks, as it is and as it shall be.
#[derive(Debug)]
pub struct TaskList<T> {
    entries: Vec<Entry<T>>,
    warnings: Vec<String>,
    is_changed: bool,
}

/// Whether every task has an identity, and one of its own.
pub(super) fn are_distinct<T: Task>(tasks: &[T]) -> bool {
    let mut seen = HashSet::with_capacity(tasks.len());
    tasks.iter().all(|task| task.id() != TaskId::NONE && seen.insert(task.id()))
}

impl<T: Task> TaskList<T> {
    pub(super) fn new(entries: Vec<Value>, warnings: Vec<String>) -> Self {
        let mut seen = HashSet::new();
        // Null is no entry for the other program that writes these files, and not for us.
        let entries = entries.into_iter().filter(|raw| !raw.is_null()).map(|raw| {
            let task = understand(&raw, &mut seen);
            Entry { raw, task, is_changed: false }
        });
        Self { entries: entries.collect(), warnings, is_changed: false }
    }

    /// The tasks that can be read.
    pub fn tasks(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().filter_map(|entry| entry.task.as_ref().ok())
    }

    /// The task of an identity.
    pub fn get(&self, id: TaskId) -> Option<&T> {
        self.tasks().find(|task| task.id() == id)
    }

    /// Why the entry of an identity can't be read, if it is there and can't.
    pub fn damage(&self, id: TaskId) -> Option<&str> {
        let damaged = self.entries.iter().filter(|entry| entry.task.is_err());
        damaged
            .filter(|entry| identity(&entry.raw) == Some(id))
            .find_map(|entry| entry.task.as_ref().err().map(String::as_str))
    }

    /// Adds a task at the end.
    pub fn push(&mut self, task: T) {
        self.is_changed = true;
        let raw = Value::Object(Map::new());
        self.entries.push(Entry { raw, task: Ok(task), is_changed: true });
    }

    /// Puts a task in the place of the one with its identity; `false` when there is none.
    pub fn replace(&mut self, task: T) -> bool {
        let same = |entry: &&mut Entry<T>| entry.task.as_ref().is_ok_and(|known| known.id() == task.id());
        let Some(entry) = self.entries.iter_mut().find(same) else { return false };
        if entry.task.as_ref() != Ok(&task) {
            entry.task = Ok(task);
            entry.is_changed = true;
            self.is_changed = true;
        }
        true
    }

    /// Removes the entry of an identity, also one that can't be read; the task, if it was one.
    pub fn remove(&mut self, id: TaskId) -> Option<Option<T>> {
        let good = |entry: &Entry<T>| entry.task.as_ref().is_ok_and(|task| task.id() == id);
        let damaged = |entry: &Entry<T>| entry.task.is_err() && identity(&entry.raw) == Some(id);
        let place = self.entries.iter().position(good).or_else(|| self.entries.iter().position(damaged))?;
        self.is_changed = true;
        Some(self.entries.remove(place).task.ok())
    }

    /// What is wrong with the list, one sentence each.
    pub(super) fn warnings(&self, file: &Path) -> Vec<String> {
        let mut warnings = self.warnings.clone();
        for (index, entry) in self.entries.iter().enumerate() {
            if let Err(why) = &entry.task {
                let number = index + 1;
                let named = identity(&entry.raw).map(|id| format!(" ({id})")).unwrap_or_default();
                warnings.push(format!("entry {number}{named} of `{}` is off: {why}", file.display()));
            }
        }
        warnings
    }

    pub(super) fn into_tasks(self) -> Vec<T> {
        self.entries.into_iter().filter_map(|entry| entry.task.ok()).collect()
    }

    /// The whole list, if it has become another one.
    pub(super) fn changed(self) -> Option<Value> {
        self.is_changed.then(|| self.entries.into_iter().map(Entry::written).collect())
    }
}

impl<T: Task> Entry<T> {
    /// The entry as it is written: the fields that mean something else now, or are missing, over those that are there.
    fn written(self) -> Value {
        let Self { raw, task, is_changed } = self;
        let (true, Ok(task)) = (is_changed, task) else { return raw };
        let before = T::deserialize(&raw).map(|task| task.fields()).unwrap_or_default();
        let mut object = match raw {
            Value::Object(object) => object,
            _ => Map::new(),
        };
        for (index, (key, value)) in task.fields().into_iter().enumerate() {
            let is_same = before.get(index).is_some_and(|(_, old)| *old == value);
            if !is_same || !object.contains_key(key) {
                object.insert(key.to_owned(), value);
            }
        }
        for (key, value) in task.older_fields() {
            if object.contains_key(key) {
                object.insert(key.to_owned(), value);
            }
        }
        Value::Object(object)
    }
}

fn understand<T: Task>(raw: &Value, seen: &mut HashSet<TaskId>) -> Result<T, String> {
    let task = T::deserialize(raw).map_err(|error| without_content(&error))?;
    if task.id() == TaskId::NONE {
        return Err("it has no id".to_owned());
    }
    if !seen.insert(task.id()) {
        return Err("an earlier entry has the same id".to_owned());
    }
    Ok(task)
}

/// The message of a parser, without what it repeats of the file. A short plain word stays: it is the name of a key or a
/// day, which whoever sees the list would see in it.
fn without_content(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if let Some((before, _)) = text.split_once("string \"") {
        return format!("a text stands where it should not ({})", before.trim_end_matches(": "));
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '_' | ' ');
    let is_harmless = |word: &str| word.len() <= 24 && word.chars().all(is_plain);
    let mut shown = String::new();
    // What is quoted is every other piece; a quote inside is escaped, and what has one is not plain.
    for (index, piece) in text.replace("\\\"", "\u{fffd}").split('"').enumerate() {
        match index % 2 {
            0 => shown.push_str(piece),
            _ if is_harmless(piece) => shown.push_str(&format!("\"{piece}\"")),
            _ => shown.push_str("\"...\""),
        }
    }
    shown.chars().take(200).collect()
}

fn identity(raw: &Value) -> Option<TaskId> {
    TaskId::parse(raw.get("id")?.as_str()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossmacro_model::task::{Schedule, Shortcut};
    use serde_json::json;

    #[test]
    fn warnings_repeat_short_plain_words_of_a_file_and_nothing_else() {
        let why = |hotkey: &str| {
            let raw = json!({"id": "00000000-0000-0000-0000-000000000001", "hotkeys": [hotkey]});
            understand::<Shortcut>(&raw, &mut HashSet::new()).unwrap_err()
        };
        assert_eq!(why("Ctrl+Foo"), "there is no key named \"Foo\"");
        for secret in [
            "p@ss:word",
            "my dog's name is \"Rex\"",
            "a long text that someone put there",
            "s\u{1b}[2J",
            "äöü",
        ] {
            let told = why(&format!("Ctrl+{secret}"));
            let said = secret.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 2);
            for word in said.filter(|word| !["key", "there", "name"].contains(word)) {
                assert!(!told.contains(word), "{told}");
            }
            assert!(told.contains("\"...\""), "{told}");
        }
        let raw = json!({"id": "00000000-0000-0000-0000-000000000001", "intervalValue": "geheim"});
        let told = understand::<Schedule>(&raw, &mut HashSet::new()).unwrap_err();
        assert!(!told.contains("geheim"), "{told}");
    }
}
