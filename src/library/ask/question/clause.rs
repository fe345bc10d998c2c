//! A clause: one condition of a question and the words that it came from.

use super::read_as::ReadAs;
use crate::model::{Facet, Fact};
use crate::stores::index::Condition;

/// The value of a clause that asks for whatever is stated of a fact.
pub(super) const STATED: &str = "stated";

/// One condition and the words that it came from.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The words as they were asked.
    pub text: String,
    /// The same as an explicit filter.
    pub equivalent: String,
    /// What it means.
    pub condition: Condition,
    /// How it was read.
    pub readings: Vec<ClauseReading>,
    /// What a `vs` or the like sets against each other in it.
    pub sides: Vec<Clause>,
}

/// How some words were read, and the condition that follows from them alone.
#[derive(Debug, Clone)]
pub struct ClauseReading {
    /// For people.
    pub read_as: ReadAs,
    /// The same as an explicit filter.
    pub equivalent: String,
    /// For the index.
    pub condition: Condition,
}

impl ClauseReading {
    /// A clause of this reading alone.
    pub fn clause(self) -> Clause {
        Clause {
            text: self.read_as.text.clone(),
            equivalent: self.equivalent.clone(),
            condition: self.condition.clone(),
            readings: vec![self],
            sides: Vec::new(),
        }
    }
}

impl Clause {
    /// A clause of a single reading.
    pub fn of(text: &str, facet: &str, values: Vec<String>, equivalent: String, condition: Condition) -> Self {
        let read_as = ReadAs { text: text.to_owned(), facet: facet.to_owned(), values, how: "exact".to_owned() };
        ClauseReading { read_as, equivalent, condition }.clause()
    }

    /// A clause that names one entity by its id.
    pub fn of_entity(text: &str, facet: Facet, id: &str) -> Self {
        let values = vec![id.to_owned()];
        let filter = filter_text(facet, &values);
        Self::of(text, facet.key(), values.clone(), filter, Condition::Facet(facet, values))
    }

    /// The clause with another one set against it, as a `vs` between them does; both are about one facet.
    pub fn against(self, facet: Facet, other: Self) -> Self {
        let text = format!("{} vs {}", self.text, other.text);
        let sides = vec![self.clone(), other.clone()];
        let is_of_facet = |side: &Self| matches!(side.condition, Condition::Facet(of, _) if of == facet);
        let joined = match sides.iter().all(is_of_facet) {
            true => any_of(facet, sides.clone()),
            false => either(text.clone(), sides.clone()).unwrap_or(self),
        };
        Self { text, sides, ..joined }
    }

    /// The key of what all its readings are about; `None` where they differ, and of what excludes or sets sides against each
    /// other.
    pub fn plain_kind(&self) -> Option<&str> {
        let mut kinds = self.readings.iter().map(|reading| reading.read_as.facet.as_str());
        let first = kinds.next().filter(|_| self.sides.is_empty() && !self.is_excluded())?;
        kinds.all(|other| other == first).then_some(first)
    }

    /// The fact of which it asks no more than that it is stated: `architecture stated`.
    pub fn is_stated_alone(&self) -> Option<Fact> {
        let [reading] = self.readings.as_slice() else { return None };
        let is_it = reading.read_as.values == [STATED] && self.text.ends_with(STATED) && !self.is_excluded();
        if is_it { reading.read_as.facet.parse().ok() } else { None }
    }

    /// Whether it excludes what it names.
    pub fn is_excluded(&self) -> bool {
        self.text.starts_with('-')
    }
}

pub(super) fn text_clause(text: &str) -> Clause {
    let condition = Condition::Text(text.to_owned());
    let mut clause = Clause::of(text, "text", vec![text.to_owned()], format!("text:\"{text}\""), condition);
    clause.readings[0].read_as.how = "text".to_owned();
    clause
}

pub(super) fn negated(clause: Clause) -> Clause {
    let readings = clause.readings.into_iter().map(|reading| ClauseReading {
        read_as: ReadAs { text: format!("-{}", reading.read_as.text), ..reading.read_as },
        equivalent: format!("-{}", as_one(&reading.equivalent)),
        condition: Condition::Not(Box::new(reading.condition)),
    });
    Clause {
        text: format!("-{}", clause.text),
        equivalent: format!("-{}", as_one(&clause.equivalent)),
        readings: readings.collect(),
        condition: Condition::Not(Box::new(clause.condition)),
        sides: Vec::new(),
    }
}

/// Filters as one part of a question, so that a minus in front takes all of them: `(framework:pytorch framework-version:1.0)`.
fn as_one(filters: &str) -> String {
    let (mut depth, mut quoted, mut several) = (0, false, false);
    for sign in filters.chars() {
        match sign {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            ' ' => several |= depth == 0 && !quoted,
            _ => {}
        }
    }
    if several || filters.starts_with('-') { format!("({filters})") } else { filters.to_owned() }
}

/// One clause of several that all hold.
pub(super) fn combine(clauses: Vec<Clause>) -> Option<Clause> {
    if clauses.len() <= 1 {
        return clauses.into_iter().next();
    }
    Some(Clause {
        text: joined(clauses.iter().map(|clause| clause.text.as_str())),
        equivalent: format!("({})", joined(clauses.iter().map(|clause| clause.equivalent.as_str()))),
        condition: Condition::All(clauses.iter().map(|clause| clause.condition.clone()).collect()),
        readings: clauses.into_iter().flat_map(|clause| clause.readings).collect(),
        sides: Vec::new(),
    })
}

/// One clause of several of which one holds.
pub(super) fn either(text: String, clauses: Vec<Clause>) -> Option<Clause> {
    if clauses.len() <= 1 {
        return clauses.into_iter().next().map(|clause| Clause { text, ..clause });
    }
    let equivalents: Vec<&str> = clauses.iter().map(|clause| clause.equivalent.as_str()).collect();
    Some(Clause {
        text,
        equivalent: format!("({})", equivalents.join(" OR ")),
        condition: Condition::Any(clauses.iter().map(|clause| clause.condition.clone()).collect()),
        readings: clauses.into_iter().flat_map(|clause| clause.readings).collect(),
        sides: Vec::new(),
    })
}

pub(super) fn joined<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    texts.collect::<Vec<_>>().join(" ")
}

/// `device:tesla-v100,titan-v`, quoted where needed.
pub(super) fn filter_text(facet: Facet, values: &[String]) -> String {
    let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
    format!("{facet}:{}", values.join(","))
}

/// A value as a filter takes it.
pub(super) fn quoted(value: &str) -> String {
    if value.contains([' ', ',', '(', ')']) { format!("\"{value}\"") } else { value.to_owned() }
}

/// One clause for any of several values of a facet.
pub(super) fn any_of(facet: Facet, clauses: Vec<Clause>) -> Clause {
    let mut values: Vec<String> = Vec::new();
    for clause in &clauses {
        if let Condition::Facet(_, of_clause) = &clause.condition {
            values.extend(of_clause.iter().filter(|value| !values.contains(value)).cloned().collect::<Vec<_>>());
        }
    }
    Clause {
        text: joined(clauses.iter().map(|clause| clause.text.as_str())),
        equivalent: filter_text(facet, &values),
        condition: Condition::Facet(facet, values),
        readings: clauses.into_iter().flat_map(|clause| clause.readings).collect(),
        sides: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minus_takes_all_filters_of_what_it_excludes() {
        for (filters, excluded) in [
            ("device:tesla-v100", "-device:tesla-v100"),
            ("license:\"apache 2.0\"", "-license:\"apache 2.0\""),
            ("(device:nova OR class:gpu)", "-(device:nova OR class:gpu)"),
            ("-device:nova", "-(-device:nova)"),
            ("framework:pytorch framework-version:1.0", "-(framework:pytorch framework-version:1.0)"),
        ] {
            let clause = Clause::of("words", "device", Vec::new(), filters.to_owned(), Condition::Any(Vec::new()));
            assert_eq!(negated(clause).equivalent, excluded);
        }
    }
}
