//! Ranges in words: `between 100 and 300 W`, `from 8 up to 512`, `16 to 24 GB`, `8…512`. What the numbers are in is told by whoever
//! reads them.

use super::units::LONGEST_UNIT;
use crate::ask::question::vocabulary::plain;

/// Words and signs between the two ends.
const TO: &[&str] = &["to", "until", "till", "upto", "through", "thru", "-", "–", "->", "→", "..", "...", "…"];

/// Signs between two ends that are written as one word: `8-512`, `8…512`.
const GLUED: &[&str] = &["...", "..", "…", "–", "->", "→", "-"];

/// How a range is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ask::question) enum Written {
    /// `between 2 and 8`
    Between,
    /// `from 2 to 8`
    From,
    /// `2 to 8`
    Bare,
    /// `2-8`
    Glued,
}

/// The two ends of a range.
#[derive(Debug, PartialEq)]
pub(in crate::ask::question) struct Ends<T> {
    pub low: T,
    pub high: T,
    /// How many words say it.
    pub taken: usize,
    pub written: Written,
}

/// The ends of the range that words begin with; `number` reads the number that words begin with, and how many of them it takes.
pub(in crate::ask::question) fn ends<T>(
    words: &[&str],
    number: &impl Fn(&[&str]) -> Option<(usize, T)>,
) -> Option<Ends<T>> {
    let (lead, written) = match plain(words.first()?).as_str() {
        "between" => (1, Written::Between),
        "from" => (1, Written::From),
        _ => (0, Written::Bare),
    };
    let rest = words.get(lead..)?;
    if let Some((low, high)) = GLUED.iter().find_map(|sign| rest.first()?.split_once(sign)) {
        let (_, low) = number(&[low])?;
        let behind: Vec<&str> = [high].into_iter().chain(rest[1..].iter().copied().take(LONGEST_UNIT)).collect();
        let (taken, high) = number(&behind)?;
        return Some(Ends { low, high, taken: lead + taken, written: Written::Glued });
    }
    let (first, low) = number(rest)?;
    let behind = rest.get(first..)?;
    // `from 8 up to 512`
    let up = usize::from(behind.first().is_some_and(|word| plain(word) == "up"));
    let joint = *behind.get(up)?;
    let is_joint = match written {
        Written::Between => up == 0 && plain(joint) == "and",
        _ => TO.contains(&plain(joint).as_str()) || TO.contains(&joint),
    };
    let (second, high) = number(behind.get(up + 1..)?).filter(|_| is_joint)?;
    Some(Ends { low, high, taken: lead + first + up + 1 + second, written })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_numbers_are_read_in_every_usual_form() {
        let number = |words: &[&str]| Some((1, plain(words.first()?).parse::<i64>().ok()?));
        for (question, expected) in [
            ("8 to 512 chips", Some((8, 512, 3, Written::Bare))),
            ("from 8 until 512 pieces", Some((8, 512, 4, Written::From))),
            ("from 8 up to 512", Some((8, 512, 5, Written::From))),
            ("between 8 and 512", Some((8, 512, 4, Written::Between))),
            ("8 … 512 chips", Some((8, 512, 3, Written::Bare))),
            ("8...512 chips", Some((8, 512, 1, Written::Glued))),
            ("8-512, please", Some((8, 512, 1, Written::Glued))),
            ("8 on 512", None),
            ("2 and 4 gpus", None),
            ("between 8 to 512", None),
            ("8 up 512", None),
            ("a-b", None),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            let found = ends(&words, &number).map(|ends| (ends.low, ends.high, ends.taken, ends.written));
            assert_eq!(found, expected, "{question}");
        }
    }
}
