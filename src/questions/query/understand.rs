//! From the parts of a question to conditions on documents, keeping how each was read.

use strum::VariantArray as _;

use super::QueryError;
use super::answer::{Note, ReadAs};
use super::clause::{Clause, combine, either, filter_text, joined, negated, text_clause};
use super::grammar::{Alternatives, Part, PartKind};
use super::idioms::{Idiom, Superlative};
use crate::derived::Stores;
use crate::derived::index::{Condition, Sort, SortKey, Subject};
use crate::derived::resolve::{self, How, nearest_names, read_words};
use crate::derived::store::Store;
use crate::model::{Direction, Facet, Metric, Name};
use crate::values::text::and_list;
use crate::values::{EntityKind, Precision};

/// What a question means.
#[derive(Debug, Default)]
pub(super) struct Understood {
    /// All of these hold.
    pub clauses: Vec<Clause>,
    /// The order that was asked for.
    pub sort: Option<Sort>,
    /// How many measurements are wanted, and how many are passed over.
    pub limit: Option<usize>,
    pub offset: Option<usize>,
    /// The kind of entity that is asked for.
    pub about: Option<EntityKind>,
    /// How words were read that leave no clause.
    pub asides: Vec<ReadAs>,
    /// What must be said about the reading.
    pub notes: Vec<Note>,
}

impl Understood {
    /// All clauses but one, or all of them.
    pub fn condition_without(&self, left_out: Option<usize>) -> Condition {
        let kept = self.clauses.iter().enumerate().filter(|(at, _)| Some(*at) != left_out);
        Condition::All(kept.map(|(_, clause)| clause.condition.clone()).collect())
    }

    /// Every reading of the question.
    pub fn read_as(&self) -> impl Iterator<Item = &ReadAs> {
        let readings = self.clauses.iter().flat_map(|clause| &clause.readings);
        readings.map(|reading| &reading.read_as).chain(&self.asides)
    }

    /// The question in explicit filters; asked again, it gives the same answer.
    pub fn equivalent(&self) -> String {
        let mut parts: Vec<String> = self.clauses.iter().map(|clause| clause.equivalent.clone()).collect();
        parts.extend(self.about.map(|kind| kind.plural().to_owned()));
        if let Some(sort) = self.sort {
            parts.push(format!("sort:{}{}", if sort.descending { "-" } else { "" }, sort.by.key()));
        }
        parts.extend(self.limit.map(|limit| format!("limit:{limit}")));
        parts.extend(self.offset.map(|offset| format!("offset:{offset}")));
        parts.join(" ")
    }
}

/// Understands a parsed question.
pub(super) fn understand(
    question: &str,
    alternatives: &Alternatives<'_>,
    stores: &Stores,
) -> Result<Understood, QueryError> {
    let mut interpreter = Interpreter {
        question,
        stores,
        sort: None,
        limit: None,
        offset: None,
        about: None,
        superlative: None,
        asides: Vec::new(),
        notes: Vec::new(),
    };
    let clauses = match alternatives.as_slice() {
        [only] => interpreter.sequence(only)?,
        many => interpreter.alternatives(many, 0..question.len())?.into_iter().collect(),
    };
    interpreter.complete_superlative(&clauses);
    Ok(Understood {
        clauses,
        sort: interpreter.sort,
        limit: interpreter.limit,
        offset: interpreter.offset,
        about: interpreter.about,
        asides: interpreter.asides,
        notes: interpreter.notes,
    })
}

/// Reads the parts of one question.
pub(super) struct Interpreter<'q> {
    pub(super) question: &'q str,
    pub(super) stores: &'q Stores,
    pub(super) sort: Option<Sort>,
    pub(super) limit: Option<usize>,
    pub(super) offset: Option<usize>,
    about: Option<EntityKind>,
    superlative: Option<(String, Superlative)>,
    asides: Vec<ReadAs>,
    notes: Vec<Note>,
}

/// Words between two things that are compared.
const LINKS: &[&str] = &["vs", "vs.", "versus", "or", "against"];

/// Some words as they were read; `linked` to those before by a `vs`.
struct Read {
    facet: Option<Facet>,
    clause: Clause,
    linked: bool,
}

/// A run of words and what it can mean.
struct Run {
    text: String,
    readings: Vec<resolve::Reading>,
}

impl<'q> Interpreter<'q> {
    fn alternatives(
        &mut self,
        alternatives: &[Vec<Part<'q>>],
        span: std::ops::Range<usize>,
    ) -> Result<Option<Clause>, QueryError> {
        let mut clauses = Vec::new();
        for sequence in alternatives {
            let parts = self.sequence(sequence)?;
            // Fillers alone (`fp16 OR the`) are no alternative.
            if parts.is_empty() {
                continue;
            }
            clauses.push(Clause {
                text: String::new(),
                equivalent: joined(parts.iter().map(|clause| clause.equivalent.as_str())),
                condition: Condition::All(parts.iter().map(|clause| clause.condition.clone()).collect()),
                readings: parts.into_iter().flat_map(|clause| clause.readings).collect(),
            });
        }
        let text = self.question[span].to_owned();
        Ok(match clauses.as_slice() {
            // In brackets, so that a minus in front takes all of it.
            [_] => {
                either(text, clauses).map(|clause| Clause { equivalent: format!("({})", clause.equivalent), ..clause })
            }
            _ => either(text, clauses),
        })
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
        let words: Vec<&str> = words.iter().flat_map(|word| times_of(word)).collect();
        let mut read: Vec<Read> = Vec::new();
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
                Idiom::Clause(clause) => read.push(Read { facet: None, clause, linked }),
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
        self.gathered(read)
    }

    /// Reads the words gathered so far as names and text.
    fn plain(&mut self, words: &mut Vec<&str>, linked: bool, read: &mut Vec<Read>) -> Result<(), QueryError> {
        for (at, run) in self.runs(&std::mem::take(words))?.into_iter().enumerate() {
            let mut alternatives = Vec::new();
            for reading in &run.readings {
                alternatives.push(match reading.facet {
                    Some(facet) => (Some(facet), self.facet_reading(&run.text, facet, reading)?),
                    None => (None, text_clause(&run.text)),
                });
            }
            if alternatives.len() > 1 {
                alternatives = self.leading_somewhere(alternatives)?;
            }
            let linked = linked && at == 0;
            let facet = if alternatives.len() == 1 { alternatives[0].0 } else { None };
            let clauses = alternatives.into_iter().map(|(_, clause)| clause).collect();
            read.extend(either(run.text, clauses).map(|clause| Read { facet, clause, linked }));
        }
        Ok(())
    }

    /// Joins what belongs together: what a `vs` links, and several words about one facet.
    fn gathered(&mut self, read: Vec<Read>) -> Result<Vec<Clause>, QueryError> {
        let mut facets: Vec<(Facet, Vec<Clause>)> = Vec::new();
        let mut others: Vec<Clause> = Vec::new();
        let mut last: Option<Facet> = None;
        for Read { facet, clause, linked } in read {
            let before = match last {
                Some(facet) => facets.iter_mut().find(|(f, _)| *f == facet).and_then(|(_, clauses)| clauses.last_mut()),
                None => others.last_mut(),
            };
            match (before, facet) {
                (Some(before), _) if linked && last == facet && alike(before, &clause) => {
                    let text = format!("{} vs {}", before.text, clause.text);
                    let joined = facet.map(|facet| any_of(facet, vec![before.clone(), clause.clone()]));
                    let joined = joined.or_else(|| either(text.clone(), vec![before.clone(), clause]));
                    if let Some(joined) = joined {
                        *before = Clause { text, ..joined };
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
    fn runs(&mut self, words: &[&str]) -> Result<Vec<Run>, QueryError> {
        let mut runs: Vec<Run> = Vec::new();
        for (at, word) in words.iter().enumerate() {
            if word.contains('*') {
                let (before, after) = (&words[..at], &words[at + 1..]);
                runs.extend(self.runs(before)?);
                runs.push(Run { text: (*word).to_owned(), readings: self.pattern(word)? });
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
                    runs.push(Run { text, readings: vec![reading] });
                }
            }
        }
        Ok(runs)
    }

    /// What a word with `*` can mean: every name that matches, else a text.
    fn pattern(&self, word: &str) -> Result<Vec<resolve::Reading>, QueryError> {
        let mut readings: Vec<resolve::Reading> = Vec::new();
        // A star alone matches everything, which says nothing.
        let names =
            if word.chars().any(char::is_alphanumeric) { self.stores.store.names_like(word)? } else { Vec::new() };
        for name in names {
            match readings.iter_mut().find(|reading| reading.facet == Some(name.facet)) {
                Some(reading) if reading.values.contains(&name.value) => {}
                Some(reading) => reading.values.push(name.value),
                None => readings.push(resolve::Reading {
                    words: 0..1,
                    facet: Some(name.facet),
                    values: vec![name.value],
                    how: How::Alias,
                    taken_for: None,
                }),
            }
        }
        if readings.is_empty() {
            readings.push(resolve::Reading {
                words: 0..1,
                facet: None,
                values: vec![word.to_owned()],
                how: How::Text,
                taken_for: None,
            });
        }
        Ok(readings)
    }

    /// Of several readings of the same words those under which anything is found; all of them when none is.
    fn leading_somewhere(
        &self,
        readings: Vec<(Option<Facet>, Clause)>,
    ) -> Result<Vec<(Option<Facet>, Clause)>, QueryError> {
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
            self.notes.push(Note::new(
                "any-of",
                format!("No row is about {} at once: rows about any of them are shown.", and_list(&texts)),
            ));
        }
        Ok(vec![any_of(facet, clauses)])
    }

    fn facet_reading(&mut self, text: &str, facet: Facet, reading: &resolve::Reading) -> Result<Clause, QueryError> {
        if let Some(taken_for) = &reading.taken_for {
            self.notes.push(Note::new("fuzzy", format!("`{text}` is no known name; it was read as `{taken_for}`.")));
        }
        let how: &str = reading.how.into();
        self.facet_clause(text, facet, reading.values.clone(), how)
    }

    /// How a facet's values are shown, and what they ask for. Families stand for all their members, a number format for
    /// the mixed-precision recipe that computes in it.
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
        Ok((ReadAs { text: text.to_owned(), facet: facet.to_string(), values: shown, how }, values))
    }

    fn aside(&mut self, text: String, facet: &str, value: &str) {
        let how = "exact".to_owned();
        self.asides.push(ReadAs { text, facet: facet.to_owned(), values: vec![value.to_owned()], how });
    }

    /// `best` and the like order by the metric that the question names, else by throughput.
    fn complete_superlative(&mut self, clauses: &[Clause]) {
        let Some((text, superlative)) = self.superlative.take() else { return };
        if self.sort.is_some() {
            return;
        }
        let named = clauses.iter().flat_map(|clause| &clause.readings).find_map(|reading| {
            let read = &reading.read_as;
            match (read.facet.as_str(), read.values.as_slice()) {
                ("metric", [metric]) => metric.parse::<Metric>().ok(),
                (facet, _) => facet.parse::<Metric>().ok(),
            }
        });
        let metric = named.unwrap_or(match superlative {
            Superlative::Cheapest => Metric::CostUsd,
            Superlative::Least => Metric::LatencyMs,
            _ => Metric::ThroughputPerS,
        });
        let best_is_most = metric.direction() != Direction::Lower;
        let descending = match superlative {
            Superlative::Best => best_is_most,
            Superlative::Worst => !best_is_most,
            Superlative::Most => true,
            Superlative::Least | Superlative::Cheapest => false,
        };
        self.sort = Some(Sort { by: SortKey::Metric(metric), descending });
        let order = format!("{}{metric}", if descending { "-" } else { "" });
        self.aside(text, "sort", &order);
    }
}

/// Whether two clauses are about the same, so that a `vs` between them means either.
fn alike(one: &Clause, other: &Clause) -> bool {
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
    }
}

/// Everything that a question can find.
fn subjects() -> impl Iterator<Item = Subject> {
    [Subject::Measurement].into_iter().chain(EntityKind::VARIANTS.iter().map(|kind| Subject::Entity(*kind)))
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

/// Names near to the words of a clause that was read as text, as replacements for it.
pub(super) fn near_replacements(clause: &Clause, stores: &Stores) -> Result<Vec<String>, QueryError> {
    if clause.readings.iter().any(|reading| reading.read_as.how != "text") {
        return Ok(Vec::new());
    }
    let names: Vec<Name> = nearest_names::<Store>(&clause.text, &stores.store, 3)?;
    Ok(names.into_iter().map(|name| name.value).collect())
}
