//! Random numbers from the operating system: ids of operations and random delays.

use std::time::Duration;

/// Random bytes.
pub(crate) fn bytes<const N: usize>() -> Result<[u8; N], getrandom::Error> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// A whole number of milliseconds from `min` to `max`, both included; the middle where there is no
/// randomness to be had.
pub(crate) fn between(min: Duration, max: Duration) -> Duration {
    let span = u64::try_from(max.saturating_sub(min).as_millis()).unwrap_or(u64::MAX);
    let pick = match bytes() {
        // Spans are tiny beside 64 bits, so the remainder favours no value to speak of.
        Ok(bytes) => u64::from_le_bytes(bytes) % span.saturating_add(1),
        Err(_) => span / 2,
    };
    min.saturating_add(Duration::from_millis(pick))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_drawn_and_nothing_outside() {
        let (min, max) = (Duration::from_millis(3), Duration::from_millis(5));
        let drawn: std::collections::BTreeSet<_> = (0..1000).map(|_| between(min, max)).collect();
        assert_eq!(drawn.into_iter().map(|time| time.as_millis()).collect::<Vec<_>>(), [3, 4, 5]);
        assert_eq!(between(max, max), max);
    }
}
