//! From the parts of a question to conditions on documents, keeping how each was read.

use super::clause::{Clause, combine, either, joined, negated, text_clause};
use super::error::QueryError;
use super::grammar::{PartKind, QuestionPart, parse};
use super::interpreter::Interpreter;
use super::order::{SortOrder, Superlative};
use super::question::{Quantity, Question, Wanted};
use super::signs::{ARROW, arrow_as_filter, is_arrow};
use super::taken_back::corrected;
use super::vocabulary::{Meaning, StaticQuantity, in_english, longest_phrase, meaning_of, plain};
use super::wanted::wanted;
use super::words::Token;
use crate::model::{Aspect, Direction, Metric, Name};
use crate::rows::Note;
use crate::stores::Stores;
use crate::stores::database::Database;
use crate::stores::index::Condition;
use crate::stores::resolve::nearest_names;

/// More quoted words than this are no term.
const MOST_TERMS: usize = 8;

/// Words by which a question asks whether something is borne out.
const OF_EVIDENCE: &[&str] =
    &["evidence", "back", "backed", "support", "supported", "prove", "proven", "confirm", "confirmed", "contradict"];

/// More words than this are not translated.
const MOST_TRANSLATED: usize = 250;

/// Understands a question.
///
/// # Errors
///
/// A mistake in the question with its place, or a failing store.
pub fn understand(question: &str, stores: &Stores) -> Result<Question, QueryError> {
    // Where a mistake is shown, it is in the words that were asked.
    if let Some((text, english)) = translated(question)
        && let Ok(mut read) = read(&english, stores)
    {
        read.notes.insert(0, Note::Translated { text, english });
        return Ok(read);
    }
    if let Some(corrected) = corrected(question, stores)?
        && let Ok(mut read) = read(&corrected.question, stores)
    {
        read.notes.insert(0, Note::TakenBack { texts: corrected.withdrawn });
        return Ok(read);
    }
    read(question, stores)
}

/// The words of a question in another language that is known, and the same in English, of which all that is said of English
/// questions holds; `None` where it has more than bare words.
fn translated(question: &str) -> Option<(String, String)> {
    let alternatives = parse(question).ok()?;
    let [parts] = alternatives.as_slice() else { return None };
    let word = |part: &QuestionPart<'_>| match part.kind {
        PartKind::Word(word) if !part.negated => Some(&question[part.span.clone()]).filter(|text| *text == word),
        _ => None,
    };
    let words: Vec<&str> = parts.iter().map(word).collect::<Option<_>>()?;
    if words.len() > MOST_TRANSLATED {
        return None;
    }
    Some((words.join(" "), in_english(&words)?.join(" ")))
}

/// Reads a question as it stands.
fn read(question: &str, stores: &Stores) -> Result<Question, QueryError> {
    let alternatives = parse(question)?;
    let mut interpreter = Interpreter::new(question, stores);
    let mut clauses = match alternatives.as_slice() {
        [only] => interpreter.sequence(only)?,
        many => interpreter.alternatives(many, 0..question.len())?.into_iter().collect(),
    };
    interpreter.leave_out_unfound(&mut clauses)?;
    interpreter.instances_by_devices(&mut clauses)?;
    interpreter.asks_for_memory(&mut clauses);
    interpreter.note_heard(&clauses);
    let mut wanted = wanted(&mut clauses, &mut interpreter)?;
    interpreter.complete_superlative(&wanted);
    interpreter.leave_out_unsaid(&clauses, &wanted);
    interpreter.note_unknown_work(&mut clauses, &mut wanted);
    if interpreter.unread > 0 {
        interpreter.ignored.push(format!("… and {} more words", interpreter.unread));
    }
    Ok(Question {
        clauses,
        wanted,
        ignored: interpreter.ignored,
        sort: interpreter.sort,
        limit: interpreter.limit,
        offset: interpreter.offset,
        about: interpreter.about.map(|(_, kind)| kind),
        asides: interpreter.asides,
        notes: interpreter.notes,
    })
}

impl<'q> Interpreter<'q> {
    fn alternatives(
        &mut self,
        alternatives: &[Vec<QuestionPart<'q>>],
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
                sides: Vec::new(),
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

    fn sequence(&mut self, parts: &[QuestionPart<'q>]) -> Result<Vec<Clause>, QueryError> {
        let mut tokens = Vec::new();
        self.tokens(parts, &mut tokens)?;
        self.sentence(tokens)
    }

    /// The words and clauses of a sequence. Brackets around words that are no alternatives say no more than the words:
    /// `cloud instances (aws, azure)`.
    fn tokens(&mut self, parts: &[QuestionPart<'q>], tokens: &mut Vec<Token<'q>>) -> Result<(), QueryError> {
        let mut rest = parts;
        while let [part, behind @ ..] = rest {
            rest = behind;
            match &part.kind {
                // `accelerators (Gaudi, Nervana, …)`: examples of what is asked for are no condition on it.
                PartKind::Group(inner) if !part.negated && inner.len() == 1 && are_examples(&inner[0]) => {
                    self.heard.push(self.question[part.span.clone()].trim_matches(['(', ')']).replace(',', " "));
                }
                PartKind::Group(inner) if !part.negated && inner.len() == 1 && is_of_words(&inner[0]) => {
                    self.tokens(&inner[0], tokens)?;
                }
                PartKind::Word(word) if !part.negated => tokens.push(Token::Word(word)),
                // The minus of an arrow excludes nothing.
                PartKind::Word(word) if is_arrow(&format!("-{word}")) => tokens.push(Token::Word(ARROW)),
                PartKind::Filter(filter) if !part.negated && self.is_word(filter)? => {
                    tokens.push(Token::Word(filter.key));
                    tokens.extend(filter.values.iter().map(|(value, _)| Token::Word(value)));
                }
                PartKind::Filter(filter) if !part.negated && arrow_as_filter(filter).is_some() => {
                    tokens.extend(arrow_as_filter(filter).into_iter().flatten().map(Token::Word));
                }
                // `what does "low latency: high" mean`: the term is meant, and no text that has it.
                PartKind::Phrase(phrase) if !part.negated && self.is_of_terms(phrase)? => {
                    tokens.extend(phrase.split_whitespace().map(Token::Word));
                }
                kind => {
                    let clause = match kind {
                        PartKind::Word(word) => combine(self.sentence(vec![Token::Word(word)])?),
                        PartKind::Phrase(phrase) => {
                            Some(Clause { text: format!("\"{phrase}\""), ..text_clause(phrase) })
                        }
                        PartKind::Filter(filter) => {
                            let (filter, unit) = self.with_unit(filter, behind)?;
                            rest = &behind[unit..];
                            self.filter(&filter)?
                        }
                        PartKind::Group(inner) => self.alternatives(inner, part.span.clone())?,
                    };
                    let clause = clause.map(|clause| if part.negated { negated(clause) } else { clause });
                    tokens.extend(clause.map(Token::Clause));
                }
            }
        }
        Ok(())
    }

    /// Whether quoted words are all of the vocabulary, and together in no text.
    fn is_of_terms(&self, phrase: &str) -> Result<bool, QueryError> {
        let words: Vec<&str> = phrase.split_whitespace().take(MOST_TERMS + 1).collect();
        // `given "moderate"`
        let is_metric = |word: &&str| {
            let of_grade = |quantity: &StaticQuantity| matches!(quantity, StaticQuantity::Grade(_));
            matches!(meaning_of(&[*word]), Some(Meaning::Asks(named)) if named.measured.iter().any(of_grade))
        };
        // `what does "ubicomp" mean`
        if words.len() == 1 && (self.grade_alone(&words).is_some() || words.iter().all(is_metric)) {
            return Ok(true);
        }
        let mut rest = words.as_slice();
        while let Some((taken, _)) = longest_phrase(rest) {
            rest = &rest[taken..];
        }
        // `do the measurements back "asics scale well"`: a statement is quoted.
        let is_statement = OF_EVIDENCE.iter().any(|word| self.all_words.contains(*word));
        let is_read = (rest.is_empty() || is_statement) && (2..=MOST_TERMS).contains(&words.len());
        Ok(is_read && !self.finds(&Condition::Text(phrase.to_owned()))?)
    }

    /// `best` and the like order by the metric that the question names, else by throughput.
    fn complete_superlative(&mut self, wanted: &Wanted) {
        let Some(superlative) = wanted.superlative.filter(|_| self.sort.is_none()) else { return };
        // The longest batch is no order of rows.
        if self.hints.superlative_of_axis && wanted.along.is_some() {
            return;
        }
        // Grades and what follows from prices are in no column that rows could be sorted by.
        let unsorted = |quantity: &Quantity| matches!(quantity, Quantity::HardwareMetric(_) | Quantity::Derived(_));
        if wanted.quantities.first().is_some_and(unsorted) {
            return;
        }
        let named = wanted.quantities.iter().find_map(|quantity| match quantity {
            Quantity::Metric(metric) => Some(Aspect::Metric(*metric)),
            Quantity::Fact(fact) => Some(Aspect::Fact(*fact)),
            _ => None,
        });
        let named = named.unwrap_or(Aspect::Metric(match superlative {
            Superlative::Cheapest => Metric::CostUsd,
            Superlative::Least => Metric::LatencyMs,
            _ => Metric::ThroughputPerS,
        }));
        let best_is_most = !matches!(named, Aspect::Metric(metric) if metric.direction() == Direction::Lower);
        let descending = match superlative {
            Superlative::Best => best_is_most,
            Superlative::Worst => !best_is_most,
            Superlative::Most => true,
            Superlative::Least | Superlative::Cheapest => false,
        };
        let Some(order) = SortOrder::by(named, descending) else { return };
        self.sort = Some(order);
        let text = self.superlative.as_ref().map_or_else(|| "best".to_owned(), |(text, _)| text.clone());
        self.aside(text, "sort", &order.to_string());
    }
}

/// Whether a sequence holds nothing but words.
fn is_of_words(parts: &[QuestionPart<'_>]) -> bool {
    parts.iter().all(|part| !part.negated && matches!(part.kind, PartKind::Word(_)))
}

/// Whether words in brackets are examples, which go on in the same way or are announced as such.
fn are_examples(parts: &[QuestionPart<'_>]) -> bool {
    const ANNOUNCING: &[&str] = &["e.g", "eg", "z.b", "zb", "like", "such", "wie", "par", "etwa"];
    const GOING_ON: &[&str] = &["...", "…", "..", "etc", "etc.", "usw", "usw.", "u.a."];
    let word = |part: &QuestionPart<'_>| match part.kind {
        PartKind::Word(word) if !part.negated => Some(word.to_lowercase()),
        _ => None,
    };
    let words: Option<Vec<String>> = parts.iter().map(word).collect();
    let Some(words) = words else { return false };
    let is_among = |word: Option<&String>, known: &[&str]| {
        word.is_some_and(|word| known.contains(&word.as_str()) || known.contains(&plain(word).as_str()))
    };
    words.len() > 1 && (is_among(words.first(), ANNOUNCING) || is_among(words.last(), GOING_ON))
}

/// Names near to the words of a clause that was read as text, as replacements for it.
pub fn near_replacements(clause: &Clause, stores: &Stores) -> Result<Vec<String>, QueryError> {
    if clause.readings.iter().any(|reading| reading.read_as.how != "text") {
        return Ok(Vec::new());
    }
    let names: Vec<Name> = nearest_names::<Database>(&clause.text, &stores.database, 3)?;
    Ok(names.into_iter().map(|name| name.value).collect())
}
