//! How the values of a paper changed since it was made: corrected, retracted, removed or replaced.

use std::collections::BTreeMap;
use std::fmt;

use super::lock::UsedValue;

/// A change that the author of a paper must know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaperChange {
    /// The same measurement has another value now.
    Corrected(UsedValue, UsedValue),
    /// The standing of the measurement changed; the text says how.
    Standing(UsedValue, String),
    /// The measurement was removed from the knowledge base; another one may replace it.
    Gone(UsedValue, Option<UsedValue>),
    /// Another measurement replaces it.
    Replaced(UsedValue, UsedValue),
    /// The measurement still exists, but the command no longer finds it.
    NotFound(UsedValue),
    /// The command finds a value that it did not find before.
    New(UsedValue),
    /// The command can no longer be run; the text says why.
    CommandFails(String),
}

/// The changes between the values that an item used and those that its command finds now.
///
/// `known` maps each used measurement to the current objection against it, if any; measurements missing from the map were removed
/// from the knowledge base.
pub fn changes(then: &[UsedValue], now: &[UsedValue], known: &BTreeMap<String, Option<String>>) -> Vec<PaperChange> {
    let place = |used: &UsedValue| (used.at.clone(), used.measure.clone());
    let mut left: BTreeMap<(String, String), Vec<&UsedValue>> = BTreeMap::new();
    for used in now {
        left.entry(place(used)).or_default().push(used);
    }
    // A value of the same measurement at the same place cannot replace another one.
    let mut same: Vec<Option<&UsedValue>> = Vec::with_capacity(then.len());
    for used in then {
        let candidates = left.get_mut(&place(used));
        same.push(candidates.and_then(|candidates| {
            let at = candidates.iter().position(|other| other.id == used.id)?;
            Some(candidates.remove(at))
        }));
    }
    let mut changes = Vec::new();
    for (used, same) in then.iter().zip(same) {
        let said = known.get(&used.id).and_then(Option::as_ref).filter(|said| used.standing.as_ref() != Some(said));
        changes.extend(said.map(|said| PaperChange::Standing(used.clone(), said.clone())));
        match same {
            Some(same) if same.value != used.value => changes.push(PaperChange::Corrected(used.clone(), same.clone())),
            Some(_) => {}
            None => {
                let candidates = left.get_mut(&place(used)).filter(|candidates| !candidates.is_empty());
                let instead = candidates.map(|candidates| candidates.remove(0).clone());
                let gone = !used.id.is_empty() && !known.contains_key(&used.id);
                changes.extend(match (gone, instead) {
                    (true, instead) => Some(PaperChange::Gone(used.clone(), instead)),
                    (false, Some(now)) => Some(PaperChange::Replaced(used.clone(), now)),
                    // A retracted value is expected to be no longer found.
                    (false, None) => said.is_none().then(|| PaperChange::NotFound(used.clone())),
                });
            }
        }
    }
    changes.extend(left.into_values().flatten().map(|used| PaperChange::New(used.clone())));
    changes
}

impl fmt::Display for PaperChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corrected(then, now) => write!(f, "corrected: {} was {}, is {}", Named(then), then.value, now.value),
            Self::Standing(then, said) => write!(f, "{said}: {} {}", Named(then), then.value),
            Self::Gone(then, None) => write!(f, "gone from the knowledge base: {} {}", Named(then), then.value),
            Self::Gone(then, Some(now)) => write!(
                f,
                "gone from the knowledge base: {} {}; replaced by {} ({})",
                Named(then),
                then.value,
                now.value,
                now.id
            ),
            Self::Replaced(then, now) => {
                write!(f, "replaced by another: {} {}; now {} ({})", Named(then), then.value, now.value, now.id)
            }
            Self::NotFound(then) => write!(f, "no longer found by its command: {} {}", Named(then), then.value),
            Self::New(now) => write!(f, "new: {} {}", Named(now), now.value),
            Self::CommandFails(why) => write!(f, "its command does not work any more: {why}"),
        }
    }
}

/// Formats a value by its place, measure and measurement.
struct Named<'u>(&'u UsedValue);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UsedValue { at, id, measure, .. } = self.0;
        if !at.is_empty() {
            write!(f, "{at}: ")?;
        }
        f.write_str(measure)?;
        if id.is_empty() { Ok(()) } else { write!(f, " of {id}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(at: &str, id: &str, value: &str) -> UsedValue {
        UsedValue {
            at: at.to_owned(),
            id: id.to_owned(),
            measure: "latency-ms".to_owned(),
            value: value.to_owned(),
            standing: None,
        }
    }

    #[test]
    fn every_fate_of_a_value_is_told() {
        let then = [
            used("a", "s:1", "1.0"),
            used("b", "s:2", "2.0"),
            used("c", "s:3", "3.0"),
            used("d", "s:4", "4.0"),
            used("e", "s:5", "5.0"),
            used("f", "s:6", "6.0"),
        ];
        let now = [
            used("a", "s:1", "1.0"),
            used("b", "s:2", "2.5"),
            used("c", "s:9", "3.5"),
            used("d", "s:4", "4.0"),
            used("e", "s:8", "5.5"),
            used("g", "s:7", "7.0"),
        ];
        let known =
            [("s:1", None), ("s:2", None), ("s:3", None), ("s:4", Some("retracted: wrong card")), ("s:6", None)];
        let known = known.map(|(id, said): (&str, Option<&str>)| (id.to_owned(), said.map(str::to_owned)));
        let told = changes(&then, &now, &known.into_iter().collect());
        assert_eq!(
            told,
            [
                PaperChange::Corrected(then[1].clone(), now[1].clone()),
                PaperChange::Replaced(then[2].clone(), now[2].clone()),
                PaperChange::Standing(then[3].clone(), "retracted: wrong card".to_owned()),
                PaperChange::Gone(then[4].clone(), Some(now[4].clone())),
                PaperChange::NotFound(then[5].clone()),
                PaperChange::New(now[5].clone()),
            ]
        );
    }

    #[test]
    fn what_was_known_against_a_value_is_no_news() {
        let disputed = UsedValue { standing: Some("disputed: x".to_owned()), ..used("a", "s:1", "1.0") };
        let known = BTreeMap::from([("s:1".to_owned(), Some("disputed: x".to_owned()))]);
        assert_eq!(changes(std::slice::from_ref(&disputed), std::slice::from_ref(&disputed), &known), []);
    }

    #[test]
    fn several_values_at_one_place_are_told_apart_by_their_ids() {
        let then = [used("a", "s:1", "1"), used("a", "s:2", "2")];
        let now = [used("a", "s:2", "2"), used("a", "s:1", "1")];
        let known = BTreeMap::from([("s:1".to_owned(), None), ("s:2".to_owned(), None)]);
        assert_eq!(changes(&then, &now, &known), []);
    }
}
