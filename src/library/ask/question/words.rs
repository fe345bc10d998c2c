//! Reads bare words as idioms, names and text, and joins the clauses that belong together.

use strum::VariantArray as _;

use super::clause::{Clause, either, filter_text, joined, text_clause};
use super::error::QueryError;
use super::idioms::Idiom;
use super::interpreter::Interpreter;

use crate::model::Facet;
use crate::rows::Note;
use crate::stores::index::{Condition, DocumentKind};
use crate::stores::resolve::{self, MatchKind, read_words};
use crate::stores::store::Store;
use crate::values::EntityKind;

/// Words between two things that are compared.
const LINKS: &[&str] = &["vs", "vs.", "versus", "or", "against"];

/// Some words as they were read; `linked` to those before by a `vs`.
struct ReadClause {
    facet: Option<Facet>,
    clause: Clause,
    linked: bool,
}

/// A run of words and what it can mean.
struct WordRun {
    text: String,
    readings: Vec<resolve::WordReading>,
}

impl<'q> Interpreter<'q> {
    /// Reads bare words: words about one facet join in one clause, so that their order does not matter.
    pub(super) fn words(&mut self, words: &[&str]) -> Result<Vec<Clause>, QueryError> {
        let words: Vec<&str> = words.iter().flat_map(|word| times_of(word)).collect();
        let mut read: Vec<ReadClause> = Vec::new();
        let mut plain: Vec<&str> = Vec::new();
        let mut linked = false;
        let mut at = 0;
        while at < words.len() {
            if LINKS.contains(&words[at].to_lowercase().as_str()) {
                self.plain(&mut plain, linked, &mut read)?;
                linked = !read.is_empty();
                at += 1;
                continue;
            }
            let Some((taken, idiom)) = self.idiom(plain.last().copied(), &words[at..])? else {
                plain.push(words[at]);
                at += 1;
                continue;
            };
            linked &= plain.is_empty();
            self.plain(&mut plain, linked, &mut read)?;
            let text = words[at..at + taken].join(" ");
            at += taken;
            match idiom {
                Idiom::Clause(clause) => read.push(ReadClause { facet: None, clause, linked }),
                Idiom::Superlative(text, superlative) => self.superlative = Some((text, superlative)),
                Idiom::About(kind) => {
                    self.about = Some(kind);
                    self.aside(text, "kind", kind.plural());
                }
                Idiom::Done => {}
            }
            linked = false;
        }
        self.plain(&mut plain, linked, &mut read)?;
        self.joined_by_facet(read)
    }

    /// Reads the words gathered so far as names and text.
    fn plain(&mut self, words: &mut Vec<&str>, linked: bool, read: &mut Vec<ReadClause>) -> Result<(), QueryError> {
        for (at, run) in self.runs(&std::mem::take(words))?.into_iter().enumerate() {
            let mut alternatives = Vec::new();
            for reading in &run.readings {
                alternatives.push(match reading.facet {
                    Some(facet) => (Some(facet), self.facet_reading(&run.text, facet, reading)?),
                    None => (None, text_clause(&run.text)),
                });
            }
            if alternatives.len() > 1 {
                alternatives = self.with_matches(alternatives)?;
            }
            let linked = linked && at == 0;
            let facet = if alternatives.len() == 1 { alternatives[0].0 } else { None };
            let clauses = alternatives.into_iter().map(|(_, clause)| clause).collect();
            read.extend(either(run.text, clauses).map(|clause| ReadClause { facet, clause, linked }));
        }
        Ok(())
    }

    /// Joins what belongs together: what a `vs` links, and several words about one facet.
    fn joined_by_facet(&mut self, read: Vec<ReadClause>) -> Result<Vec<Clause>, QueryError> {
        let mut facets: Vec<(Facet, Vec<Clause>)> = Vec::new();
        let mut others: Vec<Clause> = Vec::new();
        let mut last: Option<Facet> = None;
        for ReadClause { facet, clause, linked } in read {
            let before = match last {
                Some(facet) => facets.iter_mut().find(|(f, _)| *f == facet).and_then(|(_, clauses)| clauses.last_mut()),
                None => others.last_mut(),
            };
            match (before, facet) {
                (Some(before), _) if linked && last == facet && same_facet(before, &clause) => {
                    let text = format!("{} vs {}", before.text, clause.text);
                    let mut sides = std::mem::take(&mut before.sides);
                    if sides.is_empty() {
                        sides.push(before.clone());
                    }
                    sides.push(clause.clone());
                    let joined = facet.map(|facet| any_of(facet, vec![before.clone(), clause.clone()]));
                    let joined = joined.or_else(|| either(text.clone(), vec![before.clone(), clause]));
                    if let Some(joined) = joined {
                        *before = Clause { text, sides, ..joined };
                    }
                }
                (_, Some(facet)) => match facets.iter_mut().find(|(f, _)| *f == facet) {
                    Some((_, entries)) => entries.push(clause),
                    None => facets.push((facet, vec![clause])),
                },
                (_, None) => others.push(clause),
            }
            last = facet;
        }
        let mut clauses = Vec::new();
        for (facet, entries) in facets {
            clauses.extend(self.facet_clauses(facet, entries)?);
        }
        clauses.append(&mut others);
        Ok(clauses)
    }

    /// Reads words that are nothing but names and text.
    fn runs(&mut self, words: &[&str]) -> Result<Vec<WordRun>, QueryError> {
        let mut runs: Vec<WordRun> = Vec::new();
        for (at, word) in words.iter().enumerate() {
            if word.contains('*') {
                let (before, after) = (&words[..at], &words[at + 1..]);
                runs.extend(self.runs(before)?);
                runs.push(WordRun { text: (*word).to_owned(), readings: self.pattern(word)? });
                runs.extend(self.runs(after)?);
                return Ok(runs);
            }
        }
        let readings = read_words::<Store>(words, &self.stores.store, |word| {
            // A failing index shows itself in the search that follows.
            Ok(self.stores.index.has_text(word).unwrap_or(true))
        })?;
        let mut last = None;
        for reading in readings {
            let text = words[reading.words.clone()].join(" ");
            match runs.last_mut() {
                Some(run) if last.as_ref() == Some(&reading.words) => run.readings.push(reading),
                _ => {
                    last = Some(reading.words.clone());
                    runs.push(WordRun { text, readings: vec![reading] });
                }
            }
        }
        Ok(runs)
    }

    /// What a word with `*` can mean: every name that matches, else a text.
    fn pattern(&self, word: &str) -> Result<Vec<resolve::WordReading>, QueryError> {
        let mut readings: Vec<resolve::WordReading> = Vec::new();
        // A star alone matches everything, which says nothing.
        let names =
            if word.chars().any(char::is_alphanumeric) { self.stores.store.names_like(word)? } else { Vec::new() };
        for name in names {
            match readings.iter_mut().find(|reading| reading.facet == Some(name.facet)) {
                Some(reading) if reading.values.contains(&name.value) => {}
                Some(reading) => reading.values.push(name.value),
                None => readings.push(resolve::WordReading {
                    words: 0..1,
                    facet: Some(name.facet),
                    values: vec![name.value],
                    how: MatchKind::Alias,
                    taken_for: None,
                }),
            }
        }
        if readings.is_empty() {
            readings.push(resolve::WordReading {
                words: 0..1,
                facet: None,
                values: vec![word.to_owned()],
                how: MatchKind::Text,
                taken_for: None,
            });
        }
        Ok(readings)
    }

    /// Of several readings of the same words those that find anything; all of them when none does.
    fn with_matches(&self, readings: Vec<(Option<Facet>, Clause)>) -> Result<Vec<(Option<Facet>, Clause)>, QueryError> {
        let mut leading = Vec::new();
        for (facet, clause) in &readings {
            for subject in subjects() {
                if self.stores.index.count(subject, &clause.condition)? > 0 {
                    leading.push((*facet, clause.clone()));
                    break;
                }
            }
        }
        Ok(if leading.is_empty() { readings } else { leading })
    }

    /// Several words about one facet: rows that meet all of them where a row can, else rows that meet any.
    fn facet_clauses(&mut self, facet: Facet, clauses: Vec<Clause>) -> Result<Vec<Clause>, QueryError> {
        if clauses.len() == 1 {
            return Ok(clauses);
        }
        if facet.has_many_values() {
            let all = Condition::All(clauses.iter().map(|clause| clause.condition.clone()).collect());
            for subject in subjects() {
                if self.stores.index.count(subject, &all)? > 0 {
                    return Ok(clauses);
                }
            }
            let texts: Vec<String> = clauses.iter().map(|clause| clause.text.clone()).collect();
            self.notes.push(Note::AnyOf { values: texts });
        }
        Ok(vec![any_of(facet, clauses)])
    }

    fn facet_reading(
        &mut self,
        text: &str,
        facet: Facet,
        reading: &resolve::WordReading,
    ) -> Result<Clause, QueryError> {
        if let Some(taken_for) = &reading.taken_for {
            self.notes.push(Note::Fuzzy { text: text.to_owned(), taken_for: taken_for.clone() });
        }
        let how: &str = reading.how.into();
        self.facet_clause(text, facet, reading.values.clone(), how)
    }
}

/// Whether two clauses are about the same, so that a `vs` between them means either.
fn same_facet(one: &Clause, other: &Clause) -> bool {
    let facet = |clause: &Clause| clause.readings.first().map(|reading| reading.read_as.facet.clone());
    facet(one) == facet(other)
}

/// One clause for any of several values of a facet.
fn any_of(facet: Facet, clauses: Vec<Clause>) -> Clause {
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

/// Everything that a question can find.
fn subjects() -> impl Iterator<Item = DocumentKind> {
    [DocumentKind::Measurement].into_iter().chain(EntityKind::VARIANTS.iter().map(|kind| DocumentKind::Entity(*kind)))
}

/// `8xV100` is `8x` and `V100`.
fn times_of(word: &str) -> Vec<&str> {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let sign = word[digits..].chars().next();
    match sign {
        Some(sign @ ('x' | 'X' | '×' | '*')) if digits > 0 && digits <= 4 => {
            let (times, rest) = word.split_at(digits + sign.len_utf8());
            // `3x224x224` is a shape.
            if rest.starts_with(|c: char| c.is_alphabetic()) { vec![times, rest] } else { vec![word] }
        }
        _ => vec![word],
    }
}
