//! From the parts of a question to conditions on documents, keeping how each was read.

use strum::VariantArray as _;

use super::QueryError;
use super::answer::{Note, ReadAs};
use super::clause::{Clause, combine, filter_text, joined, negated, text_clause};
use super::grammar::{Alternatives, Part, PartKind};
use crate::derived::Stores;
use crate::derived::index::{Condition, Sort, Subject};
use crate::derived::resolve::{How, Reading, nearest_names, read_words};
use crate::model::Facet;
use crate::values::{EntityKind, Precision};

/// What a question means.
#[derive(Debug, Default)]
pub(super) struct Understood {
    /// All of these hold.
    pub clauses: Vec<Clause>,
    /// The order that was asked for.
    pub sort: Option<Sort>,
    /// What must be said about the reading.
    pub notes: Vec<Note>,
}

impl Understood {
    /// All clauses but one, or all of them.
    pub fn condition_without(&self, left_out: Option<usize>) -> Condition {
        let kept = self.clauses.iter().enumerate().filter(|(at, _)| Some(*at) != left_out);
        Condition::All(kept.map(|(_, clause)| clause.condition.clone()).collect())
    }
}

/// Understands a parsed question.
pub(super) fn understand(
    question: &str,
    alternatives: &Alternatives<'_>,
    stores: &Stores,
) -> Result<Understood, QueryError> {
    let mut interpreter = Interpreter { question, stores, sort: None, notes: Vec::new() };
    let clauses = match alternatives.as_slice() {
        [only] => interpreter.sequence(only)?,
        many => interpreter.alternatives(many, 0..question.len())?.into_iter().collect(),
    };
    Ok(Understood { clauses, sort: interpreter.sort, notes: interpreter.notes })
}

/// Reads the parts of one question.
pub(super) struct Interpreter<'q> {
    pub(super) question: &'q str,
    pub(super) stores: &'q Stores,
    pub(super) sort: Option<Sort>,
    notes: Vec<Note>,
}

impl<'q> Interpreter<'q> {
    fn alternatives(
        &mut self,
        alternatives: &[Vec<Part<'q>>],
        span: std::ops::Range<usize>,
    ) -> Result<Option<Clause>, QueryError> {
        let mut conditions = Vec::new();
        let mut equivalents = Vec::new();
        let mut read_as = Vec::new();
        for sequence in alternatives {
            let clauses = self.sequence(sequence)?;
            // Fillers alone (`fp16 OR the`) are no alternative.
            if clauses.is_empty() {
                continue;
            }
            equivalents.push(joined(clauses.iter().map(|clause| clause.equivalent.as_str())));
            conditions.push(Condition::All(clauses.iter().map(|clause| clause.condition.clone()).collect()));
            read_as.extend(clauses.into_iter().flat_map(|clause| clause.read_as));
        }
        Ok((!conditions.is_empty()).then(|| Clause {
            text: self.question[span].to_owned(),
            equivalent: format!("({})", equivalents.join(" OR ")),
            condition: Condition::Any(conditions),
            read_as,
        }))
    }

    fn sequence(&mut self, parts: &[Part<'q>]) -> Result<Vec<Clause>, QueryError> {
        let mut clauses = Vec::new();
        let mut words: Vec<&str> = Vec::new();
        for part in parts {
            match &part.kind {
                PartKind::Word(word) if !part.negated => words.push(word),
                kind => {
                    let clause = match kind {
                        PartKind::Word(word) => combine(self.words(&[word])?),
                        PartKind::Phrase(phrase) => {
                            Some(Clause { text: format!("\"{phrase}\""), ..text_clause(phrase) })
                        }
                        PartKind::Filter(filter) => self.filter(filter)?,
                        PartKind::Group(inner) => self.alternatives(inner, part.span.clone())?,
                    };
                    clauses.extend(clause.map(|clause| if part.negated { negated(clause) } else { clause }));
                }
            }
        }
        let mut read = self.words(&words)?;
        read.append(&mut clauses);
        Ok(read)
    }

    /// Reads bare words: words about one facet join in one clause, so that their order does not matter.
    fn words(&mut self, words: &[&str]) -> Result<Vec<Clause>, QueryError> {
        let readings = read_words::<crate::derived::store::Store>(words, &self.stores.store, |word| {
            // A failing index shows itself in the search that follows.
            Ok(self.stores.index.has_text(word).unwrap_or(true))
        })?;
        let mut clauses: Vec<Clause> = Vec::new();
        let mut facets: Vec<(Facet, Vec<FacetWord>)> = Vec::new();
        let mut at = 0;
        while at < readings.len() {
            let same_words = readings[at..].iter().take_while(|r| r.words == readings[at].words).count();
            let group = &readings[at..at + same_words];
            at += same_words;
            let text = words[group[0].words.clone()].join(" ");
            match group {
                [Reading { facet: None, .. }] => clauses.push(text_clause(&text)),
                [reading] => {
                    let Some(facet) = reading.facet else { continue };
                    let (read_as, values) = self.facet_reading(&text, facet, reading)?;
                    let entry = (text, read_as, values);
                    match facets.iter_mut().find(|(f, _)| *f == facet) {
                        Some((_, entries)) => entries.push(entry),
                        None => facets.push((facet, vec![entry])),
                    }
                }
                several => {
                    let mut conditions = Vec::new();
                    let mut equivalents = Vec::new();
                    let mut read_as = Vec::new();
                    for reading in several {
                        let Some(facet) = reading.facet else { continue };
                        let (read, values) = self.facet_reading(&text, facet, reading)?;
                        equivalents.push(filter_text(facet, &values));
                        conditions.push(Condition::Facet(facet, values));
                        read_as.push(read);
                    }
                    clauses.push(Clause {
                        text,
                        equivalent: format!("({})", equivalents.join(" OR ")),
                        condition: Condition::Any(conditions),
                        read_as,
                    });
                }
            }
        }
        for (facet, entries) in facets {
            clauses.extend(self.facet_clauses(facet, entries)?);
        }
        Ok(clauses)
    }

    /// Several words about one facet: rows that meet all of them where a row can, else rows that meet any.
    fn facet_clauses(&mut self, facet: Facet, entries: Vec<FacetWord>) -> Result<Vec<Clause>, QueryError> {
        let single = |(text, read_as, values): FacetWord| Clause {
            text,
            equivalent: filter_text(facet, &values),
            condition: Condition::Facet(facet, values),
            read_as: vec![read_as],
        };
        if entries.len() == 1 {
            return Ok(entries.into_iter().map(single).collect());
        }
        let any = |entries: Vec<FacetWord>| {
            let mut texts = Vec::new();
            let mut read = Vec::new();
            let mut values: Vec<String> = Vec::new();
            for (text, read_as, of_word) in entries {
                texts.push(text);
                read.push(read_as);
                values.extend(of_word.into_iter().filter(|value| !values.contains(value)).collect::<Vec<_>>());
            }
            Clause {
                text: texts.join(" "),
                equivalent: filter_text(facet, &values),
                condition: Condition::Facet(facet, values),
                read_as: read,
            }
        };
        if !facet.has_many_values() {
            return Ok(vec![any(entries)]);
        }
        let all =
            Condition::All(entries.iter().map(|(_, _, values)| Condition::Facet(facet, values.clone())).collect());
        let mut subjects = vec![Subject::Measurement];
        subjects.extend(EntityKind::VARIANTS.iter().map(|kind| Subject::Entity(*kind)));
        for subject in subjects {
            if self.stores.index.count(subject, &all)? > 0 {
                return Ok(entries.into_iter().map(single).collect());
            }
        }
        let texts: Vec<String> = entries.iter().map(|(text, _, _)| text.clone()).collect();
        self.notes.push(Note::new(
            "any-of",
            format!(
                "No row is about {} at once: rows about any of them are shown.",
                crate::values::text::and_list(&texts)
            ),
        ));
        Ok(vec![any(entries)])
    }

    /// How a reading is shown, and the values that it asks for. Families stand for all their members, a number format
    /// for the mixed-precision recipe that computes in it.
    fn facet_reading(
        &mut self,
        text: &str,
        facet: Facet,
        reading: &Reading,
    ) -> Result<(ReadAs, Vec<String>), QueryError> {
        if let Some(taken_for) = &reading.taken_for {
            self.notes.push(Note::new("fuzzy", format!("`{text}` is no known name; it was read as `{taken_for}`.")));
        }
        let how = match reading.how {
            How::Fuzzy => "fuzzy",
            How::Exact => "exact",
            How::Alias => "alias",
            How::Text => "text",
        };
        self.expanded(text, facet, reading.values.clone(), how)
    }

    pub(super) fn expanded(
        &mut self,
        text: &str,
        facet: Facet,
        mut values: Vec<String>,
        how: &str,
    ) -> Result<(ReadAs, Vec<String>), QueryError> {
        let kind = match facet {
            Facet::Device => Some(EntityKind::Device),
            Facet::Network => Some(EntityKind::Network),
            _ => None,
        };
        let mut shown = values.clone();
        let mut how = how.to_owned();
        if let Some(kind) = kind {
            for value in &values {
                for member in self.stores.store.descendants(kind, value)? {
                    if !shown.contains(&member) {
                        shown.push(member);
                        if how != "fuzzy" {
                            how = "family".to_owned();
                        }
                    }
                }
            }
        }
        if facet == Facet::Precision {
            let mixed: Vec<String> = values
                .iter()
                .filter_map(|value| value.parse::<Precision>().ok()?.mixed_counterpart())
                .map(|mixed| mixed.to_string())
                .collect();
            values.extend(mixed);
            shown.clone_from(&values);
        }
        let read_as = ReadAs {
            text: text.to_owned(),
            facet: facet.to_string(),
            values: shown,
            how,
            leaves: self.stores.index.count(Subject::Measurement, &Condition::Facet(facet, values.clone()))?,
        };
        Ok((read_as, values))
    }
}

/// A run of words about one facet, how it is shown, and the values it asks for.
type FacetWord = (String, ReadAs, Vec<String>);

/// Names near to the words of a clause that was read as text, as replacements for it.
pub(super) fn near_replacements(clause: &Clause, stores: &Stores) -> Result<Vec<String>, QueryError> {
    if clause.read_as.iter().any(|read| read.how != "text") {
        return Ok(Vec::new());
    }
    let names = nearest_names::<crate::derived::store::Store>(&clause.text, &stores.store, 3)?;
    Ok(names.into_iter().map(|name| name.value).collect())
}
