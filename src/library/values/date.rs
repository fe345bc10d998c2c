//! A calendar date known to the year, the month or the day.

use std::fmt;
use std::str::FromStr;

use super::ParseError;

/// A date with the precision its source gave: `2017`, `2017-12` or `2017-12-07`.
///
/// Dates of different precision order by their known parts, the less precise first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
}

impl Date {
    /// The year, which every date has.
    pub fn year(self) -> u16 {
        self.year
    }

    /// Whether it certainly lies before another date: `2017` is not before `2017-12`, `2017-11` is.
    pub fn is_before(self, other: Self) -> bool {
        match self.year.cmp(&other.year) {
            std::cmp::Ordering::Equal => {}
            order => return order.is_lt(),
        }
        match (self.month, other.month) {
            (Some(own), Some(others)) if own != others => own < others,
            (Some(_), Some(_)) => matches!((self.day, other.day), (Some(own), Some(others)) if own < others),
            _ => false,
        }
    }

    /// The distance of two dates in months, between the nearest months that both may mean: `2017` has distance 0 to
    /// `2017-05` and to `2017-12`.
    pub fn months_from(self, other: Self) -> u32 {
        let months = |date: Self| {
            let january = u32::from(date.year) * 12;
            date.month.map_or((january, january + 11), |month| {
                let month = january + u32::from(month) - 1;
                (month, month)
            })
        };
        let ((first, last), (others_first, others_last)) = (months(self), months(other));
        first.saturating_sub(others_last).max(others_first.saturating_sub(last))
    }

    /// The following day; a date without a day is returned unchanged.
    pub fn next_day(self) -> Self {
        let (Some(month), Some(day)) = (self.month, self.day) else { return self };
        let (year, month, day) = match (month, day) {
            _ if day < days_in(self.year, month) => (self.year, month, day + 1),
            (12, _) => (self.year + 1, 1, 1),
            _ => (self.year, month + 1, 1),
        };
        Self { year, month: Some(month), day: Some(day) }
    }

    /// Whether the day is known, so that TOML's own date type can represent the date.
    pub fn is_full(self) -> bool {
        self.day.is_some()
    }
}

impl FromStr for Date {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::expected("a date such as 2017, 2017-12 or 2017-12-07");
        let mut parts = text.split('-');
        let mut part = |width: usize| match parts.next() {
            None => Ok(None),
            Some(digits) if digits.len() == width && digits.bytes().all(|b| b.is_ascii_digit()) => {
                digits.parse::<u16>().map(Some).map_err(|_| error())
            }
            Some(_) => Err(error()),
        };
        let year = part(4)?.ok_or_else(error)?;
        let month = part(2)?.map(|m| m as u8);
        let day = part(2)?.map(|d| d as u8);
        let known = (1940..=2200).contains(&year)
            && month.is_none_or(|m| (1..=12).contains(&m))
            && day.is_none_or(|d| (1..=days_in(year, month.unwrap_or(1))).contains(&d));
        if parts.next().is_some() || !known {
            return Err(error());
        }
        Ok(Self { year, month, day })
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if let Some(month) = self.month {
            write!(f, "-{month:02}")?;
        }
        if let Some(day) = self.day {
            write!(f, "-{day:02}")?;
        }
        Ok(())
    }
}

super::text::serde_as_text!(Date);

fn days_in(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_keep_the_precision_they_were_given() {
        for text in ["2017", "2017-12", "2017-12-07", "2016-02-29"] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_day_follows_another_over_months_and_years() {
        let after = |text: &str| text.parse::<Date>().unwrap().next_day().to_string();
        assert_eq!(
            ["2017-12-07", "2016-02-28", "2017-02-28", "2017-12-31", "2017-12"].map(after),
            ["2017-12-08", "2016-02-29", "2017-03-01", "2018-01-01", "2017-12"]
        );
    }

    #[test]
    fn dates_are_as_far_apart_as_their_nearest_months() {
        let apart = |a: &str, b: &str| a.parse::<Date>().unwrap().months_from(b.parse().unwrap());
        assert_eq!([apart("2017", "2017-12-07"), apart("2017-12", "2018-01-31"), apart("2016", "2018")], [0, 1, 13]);
        assert_eq!(apart("2018-02", "2017"), apart("2017", "2018-02"));
    }

    #[test]
    fn one_date_is_before_another_only_where_both_say_enough() {
        let before = |a: &str, b: &str| a.parse::<Date>().unwrap().is_before(b.parse().unwrap());
        assert!(before("2016", "2017-12") && before("2017-11", "2017-12-07") && before("2017-12-06", "2017-12-07"));
        for (a, b) in [("2017", "2017-12"), ("2017-12", "2017-12-07"), ("2017-12-07", "2017-12-07"), ("2018", "2017")] {
            assert!(!before(a, b), "{a} {b}");
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in ["", "17", "2017-13", "2017-02-29", "2017-1-2", "2017-01-02-03", "07/03/2016"] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
    }
}
