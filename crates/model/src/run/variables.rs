//! The variables of a running script: texts by name, case aside, bounded in size.

use super::diagnostic::Trouble;
use super::name::Name;
use crate::limits::{RUN_VALUE, RUN_VARIABLES};
use crate::nearest::nearest;
use std::collections::BTreeMap;

/// The variables. All values are texts; one that is a decimal number of 32 bits can be counted with.
#[derive(Debug, Clone, Default)]
pub struct Variables {
    values: BTreeMap<String, (Name, String)>,
    bytes: u64,
}

impl Variables {
    /// The value.
    ///
    /// # Errors
    /// [`Trouble`] with the nearest names when it was never set.
    pub fn get(&self, name: &Name) -> Result<&str, Trouble> {
        self.values.get(&name.key()).map(|(_, value)| value.as_str()).ok_or_else(|| {
            let known = self.values.values().map(|(known, _)| known.as_str());
            Trouble::new(0, format!("the variable {name} is not set")).nearest(nearest(name.as_str(), known))
        })
    }

    /// The value as a number.
    ///
    /// # Errors
    /// [`Trouble`] when it is not set, or not a number.
    pub fn number(&self, name: &Name) -> Result<i32, Trouble> {
        self.get(name)?
            .parse()
            .map_err(|_| Trouble::new(0, format!("the variable {name} is no whole number of 32 bits")))
    }

    /// Sets it; a name set before keeps its first spelling.
    ///
    /// # Errors
    /// [`Trouble`] when the value, or all values together, would be too large.
    pub fn set(&mut self, name: &Name, value: String) -> Result<(), Trouble> {
        let key = name.key();
        let size = |text: &str| u64::try_from(text.len()).unwrap_or(u64::MAX);
        let before = self.values.get(&key).map_or(0, |(_, value)| size(value));
        let bytes = (self.bytes - before).saturating_add(size(&value));
        if size(&value) > RUN_VALUE.value || bytes > RUN_VARIABLES.value {
            let limits = format!("{} bytes, and {} together", RUN_VALUE.value, RUN_VARIABLES.value);
            return Err(Trouble::new(
                0,
                format!("the variable {name} is too large; variables may hold {limits}"),
            ));
        }
        self.bytes = bytes;
        match self.values.get_mut(&key) {
            Some((_, old)) => *old = value,
            None => drop(self.values.insert(key, (name.clone(), value))),
        }
        Ok(())
    }

    /// All of them, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.values().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Name {
        Name::parse(text).unwrap()
    }

    #[test]
    fn case_is_no_difference_and_the_first_spelling_stays() {
        let mut variables = Variables::default();
        variables.set(&name("Count"), "1".into()).unwrap();
        variables.set(&name("COUNT"), "-2".into()).unwrap();
        assert_eq!(variables.iter().collect::<Vec<_>>(), [("Count", "-2")]);
        assert_eq!(variables.number(&name("count")), Ok(-2));
        assert_eq!(variables.get(&name("cont")).unwrap_err().nearest, ["Count"]);
    }

    #[test]
    fn memory_is_bounded() {
        let mut variables = Variables::default();
        let large = "x".repeat(1 << 20);
        assert!(variables.set(&name("a"), format!("{large}x")).is_err());
        let full =
            (0..20).take_while(|i| variables.set(&name(&format!("v{i}")), large.clone()).is_ok()).count();
        assert_eq!(full, 16);
        variables.set(&name("v0"), String::new()).unwrap();
        variables.set(&name("other"), large).unwrap();
    }
}
