//! A clause: one condition of a question and the words that it came from.

use super::answer::ReadAs;
use crate::derived::index::Condition;
use crate::model::Facet;

/// One condition and the words that it came from.
#[derive(Debug, Clone)]
pub(super) struct Clause {
    /// The words as they were asked.
    pub text: String,
    /// The same as an explicit filter.
    pub equivalent: String,
    /// What it means.
    pub condition: Condition,
    /// How it was read.
    pub read_as: Vec<ReadAs>,
}

pub(super) fn text_clause(text: &str) -> Clause {
    Clause {
        text: text.to_owned(),
        equivalent: format!("text:\"{text}\""),
        condition: Condition::Text(text.to_owned()),
        read_as: vec![ReadAs {
            text: text.to_owned(),
            facet: "text".to_owned(),
            values: vec![text.to_owned()],
            how: "text".to_owned(),
            leaves: 0,
        }],
    }
}

pub(super) fn negated(clause: Clause) -> Clause {
    Clause {
        text: format!("-{}", clause.text),
        equivalent: format!("-{}", clause.equivalent),
        condition: Condition::Not(Box::new(clause.condition)),
        read_as: clause.read_as.into_iter().map(|read| ReadAs { text: format!("-{}", read.text), ..read }).collect(),
    }
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
        read_as: clauses.into_iter().flat_map(|clause| clause.read_as).collect(),
    })
}

pub(super) fn joined<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    texts.collect::<Vec<_>>().join(" ")
}

/// `device:tesla-v100,titan-v`, quoted where needed.
pub(super) fn filter_text(facet: Facet, values: &[String]) -> String {
    let values: Vec<String> = values
        .iter()
        .map(|value| if value.contains([' ', ',', '(', ')']) { format!("\"{value}\"") } else { value.clone() })
        .collect();
    format!("{facet}:{}", values.join(","))
}
