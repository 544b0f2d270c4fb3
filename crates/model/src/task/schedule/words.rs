//! How people write intervals, dates and times of day.

use super::{Unit, When};
use jiff::Timestamp;
use jiff::civil::{DateTime, Time};

/// Why a text is no such value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// No interval.
    #[error("an interval is a whole number from 1 to 2147483647, with s, m or h after it (30s, 5m, 2h)")]
    Interval,
    /// No date and time.
    #[error("a date and time is written like 2030-02-03T04:05 or 2030-02-03T04:05:06+01:00")]
    DateTime,
    /// No time of day.
    #[error("a time of day is written H, HH:MM or HH:MM:SS, from 0 to 23:59:59")]
    Time,
    /// No day.
    #[error(
        "{word:?} is no day: use mon to sun, full names, weekdays, weekends, everyday, daily or all, separated by commas"
    )]
    Day {
        /// The word.
        word: String,
        /// The words most like it.
        nearest: Vec<String>,
    },
}

impl From<WordError> for crate::Fault {
    fn from(error: WordError) -> Self {
        let argument = match error {
            WordError::Interval => "interval",
            WordError::DateTime => "at",
            WordError::Time => "time",
            WordError::Day { .. } => "weekly",
        };
        let fault = Self::arguments(error.to_string()).detail("argument", argument);
        match error {
            WordError::Day { nearest, .. } if !nearest.is_empty() => {
                fault.remedy(format!("did you mean {}?", nearest.join(" or ")))
            }
            _ => fault,
        }
    }
}

/// Reads a positive whole number with `s`, `m` or `h` after it, in any case; without, it is seconds.
///
/// # Errors
/// [`WordError::Interval`].
pub fn interval(text: &str) -> Result<(i32, Unit), WordError> {
    let text = text.trim();
    let units = [('s', Unit::Seconds), ('m', Unit::Minutes), ('h', Unit::Hours)];
    let found = units.into_iter().find(|(letter, _)| text.to_ascii_lowercase().ends_with(*letter));
    let (digits, unit) = match found {
        Some((_, unit)) => (text[..text.len() - 1].trim_end(), unit),
        None => (text, Unit::Seconds),
    };
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(WordError::Interval);
    }
    match digits.parse() {
        Ok(value) if value >= 1 => Ok((value, unit)),
        _ => Err(WordError::Interval),
    }
}

/// Reads an ISO 8601 date and time, with a blank or a `T` between the two; with an offset it is an instant.
///
/// # Errors
/// [`WordError::DateTime`].
pub fn date_time(text: &str) -> Result<When, WordError> {
    let text = text.trim();
    let wall = || text.parse::<DateTime>().map(When::Wall);
    text.parse::<Timestamp>().map(When::Instant).or_else(|_| wall()).map_err(|_| WordError::DateTime)
}

/// Reads `H`, `HH:MM` or `HH:MM:SS`.
///
/// # Errors
/// [`WordError::Time`].
pub fn time_of_day(text: &str) -> Result<Time, WordError> {
    let parts: Vec<&str> = text.trim().split(':').collect();
    if parts.len() > 3 {
        return Err(WordError::Time);
    }
    let mut numbers = [0_i8; 3];
    for (place, part) in numbers.iter_mut().zip(&parts) {
        if !(1..=2).contains(&part.len()) || !part.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(WordError::Time);
        }
        *place = part.parse().map_err(|_| WordError::Time)?;
    }
    let [hour, minute, second] = numbers;
    Time::new(hour, minute, second, 0).map_err(|_| WordError::Time)
}

/// Reads the time span of a file, `[-][d.]hh:mm:ss[.fffffff]`, and takes what is no time of day as the nearest one.
pub(super) fn time_span(text: &str) -> Result<Time, WordError> {
    let text = text.trim();
    let (is_negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, fraction) = match text.rsplit_once(':') {
        Some((front, seconds)) => match seconds.split_once('.') {
            Some((seconds, fraction)) => (format!("{front}:{seconds}"), fraction),
            None => (text.to_owned(), ""),
        },
        None => return Err(WordError::Time),
    };
    let (days, clock) = whole.split_once('.').unwrap_or(("0", &whole));
    let time = time_of_day(clock)?;
    let days: u64 = days.parse().map_err(|_| WordError::Time)?;
    if fraction.len() > 9 || !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(WordError::Time);
    }
    if is_negative {
        return Ok(Time::midnight());
    }
    if days > 0 {
        return Ok(Time::constant(23, 59, 59, 0));
    }
    let nanoseconds: i32 = format!("{fraction:0<9}").parse().map_err(|_| WordError::Time)?;
    Time::new(time.hour(), time.minute(), time.second(), nanoseconds).map_err(|_| WordError::Time)
}

#[cfg(test)]
mod tests {
    use super::super::Days;
    use super::*;

    #[test]
    fn intervals() {
        let table = [
            ("30", Some((30, Unit::Seconds))),
            (" 5M ", Some((5, Unit::Minutes))),
            ("2 h", Some((2, Unit::Hours))),
            ("2147483647h", Some((i32::MAX, Unit::Hours))),
            ("2147483648", None),
            ("0", None),
            ("-1", None),
            ("+1", None),
            ("1.5h", None),
            ("h", None),
            ("", None),
            ("5d", None),
            ("5ä", None),
        ];
        for (given, expected) in table {
            assert_eq!(interval(given).ok(), expected, "{given}");
        }
    }

    #[test]
    fn times_of_day() {
        let time = |hour, minute, second| Some(Time::constant(hour, minute, second, 0));
        let table = [
            ("7", time(7, 0, 0)),
            ("07:30", time(7, 30, 0)),
            ("23:59:59", time(23, 59, 59)),
            ("24", None),
            ("7:60", None),
            ("7:30:60", None),
            ("007", None),
            ("7:30:00.5", None),
            ("7:", None),
            ("1.07:00", None),
            ("", None),
        ];
        for (given, expected) in table {
            assert_eq!(time_of_day(given).ok(), expected, "{given}");
        }
        let spans = [
            ("09:00:00", time(9, 0, 0)),
            ("09:00:00.5000000", Some(Time::constant(9, 0, 0, 500_000_000))),
            ("1.00:00:00", time(23, 59, 59)),
            ("-00:00:01", time(0, 0, 0)),
            ("9", None),
            ("x", None),
            ("1.09:00:00.1.1", None),
        ];
        for (given, expected) in spans {
            assert_eq!(time_span(given).ok(), expected, "{given}");
        }
    }

    #[test]
    fn dates_say_whether_they_are_instants() {
        assert!(matches!(date_time("2030-02-03T04:05:06Z"), Ok(When::Instant(_))));
        assert!(matches!(date_time("2030-02-03 04:05+01:00"), Ok(When::Instant(_))));
        assert!(matches!(date_time("2030-02-03T04:05"), Ok(When::Wall(_))));
        assert!(matches!(date_time("2030-02-03T04:05:06.1234567"), Ok(When::Wall(_))));
        for wrong in ["", "tomorrow", "2030-02-30T04:05", "03/02/2030", "2030-02-03T25:00"] {
            assert_eq!(date_time(wrong), Err(WordError::DateTime), "{wrong}");
        }
    }

    #[test]
    fn days() {
        let shown = |text: &str| Days::parse(text).map(|days| days.to_string());
        assert_eq!(shown("mon, WED").unwrap(), "Monday, Wednesday");
        assert_eq!(shown("sunday,sat").unwrap(), "Weekends");
        assert_eq!(shown("weekdays,weekends").unwrap(), "EveryDay");
        assert_eq!(shown("daily").unwrap(), "EveryDay");
        assert!(shown("").is_err() && shown("mon,,tue").is_err() && shown("mo").is_err());
        let Err(WordError::Day { nearest, .. }) = Days::parse("tusday") else { panic!() };
        assert_eq!(nearest[0], "Tuesday");
        for bits in 0..128 {
            let days = Days::from_bits(bits).unwrap();
            let read: Days = serde_json::from_value(days.to_string().into()).unwrap();
            assert_eq!(read, days);
        }
        assert_eq!(Days::from_bits(128), None);
    }
}
