//! Words that are no name and that no text holds together with the rest: they are left out, and said.

use std::collections::HashSet;

use super::unknown_words::{is_like_a_name, is_of_unnamed};
use crate::ask::question::carrying_word::Carried;
use crate::ask::question::clause::{Clause, ClauseReading, either, text_clause};
use crate::ask::question::error::QueryError;
use crate::ask::question::hints::Mention;
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::mentions::Context;
use crate::ask::question::products::is_other_product;
use crate::ask::question::question::Quantity;
use crate::ask::question::vocabulary::{Cue, plain};
use crate::ask::question::years::year_of;
use crate::model::{Facet, Lookup as _, Name};
use crate::rows::Note;
use crate::stores::database::Database;
use crate::stores::index::{Condition, DocumentKind};
use crate::stores::resolve::begins_product;
use crate::values::EntityKind;
use crate::values::spelling::normalise;

/// Each is a search; what is behind the last is left out unseen.
const MOST_SEARCHES: usize = 12;

/// So many sides of a comparison are looked at for words, and so many searches are made for each of these in all.
const MOST_SIDES: usize = 8;
const MOST_SEARCHES_OF_SIDES: usize = 32;

impl Interpreter<'_> {
    /// Leaves out the bare words that find nothing together with the rest of the question.
    ///
    /// Where nothing else says what is asked about, they stay: an answer about everything would be none.
    pub(in crate::ask::question) fn leave_out_unfound(&mut self, clauses: &mut Vec<Clause>) -> Result<(), QueryError> {
        self.leave_out_excluded(clauses)?;
        self.leave_out_alternatives(clauses)?;
        if clauses.iter().any(is_bare_text) {
            self.search_texts(clauses)?;
        }
        self.unknown_work(clauses);
        // A negation of nothing that is known (`aren't`) names nothing.
        let names_something = self.ignored.iter().any(|words| !words.contains('\''));
        let nothing_is_known = clauses.is_empty() && names_something && !self.has_unmet_limits;
        if nothing_is_known && self.asks_for_something() {
            // `best mechanical keyboard`: what it is about is all that was not understood.
            let unknown = std::mem::take(&mut self.ignored).join(" ");
            clauses.push(text_clause(&unknown));
            self.unknown_names.push(unknown);
        }
        Ok(())
    }

    /// Without a word that nothing says is as with it: that it was to be excluded has no effect, which is said.
    fn leave_out_excluded(&mut self, clauses: &mut Vec<Clause>) -> Result<(), QueryError> {
        let names_device = clauses.iter().any(|clause| clause.plain_kind() == Some(Facet::Device.key()));
        // Who writes the sign means the word behind it, whatever that is in English.
        let signed: HashSet<&str> = self.question.split_whitespace().filter(|word| word.starts_with('-')).collect();
        for clause in std::mem::take(clauses) {
            let is_text = clause.readings.iter().all(|reading| reading.read_as.how == "text");
            let has_effect = match &clause.condition {
                // Another product's name, which the device that is named does not have: `2080 (non ti)`.
                Condition::Not(_) if is_text && names_device && is_other_product(&clause.text) => {
                    self.heard.push(clause.text);
                    continue;
                }
                Condition::Not(inner) if is_text && !clause.text.contains(['"', ':']) => {
                    let word = clause.text.trim_start_matches('-');
                    (signed.contains(clause.text.as_str()) || !self.says_too_little(word)?) && self.finds(inner)?
                }
                _ => true,
            };
            if has_effect {
                clauses.push(clause);
            } else {
                self.leave_out(&format!("not {}", clause.text.trim_start_matches('-')));
            }
        }
        Ok(())
    }

    /// Of alternatives those that nothing is called and no text has are left out: the GPT-9 of `bert or gpt-9 on a T4`.
    fn leave_out_alternatives(&mut self, clauses: &mut [Clause]) -> Result<(), QueryError> {
        for clause in clauses.iter_mut().filter(|clause| clause.sides.is_empty()) {
            let Condition::Any(alternatives) = &clause.condition else { continue };
            let is_text = |reading: &ClauseReading| reading.read_as.how == "text";
            // Only where each alternative was read in one way it is known which reading is which of them.
            if alternatives.len() != clause.readings.len() {
                continue;
            }
            if clause.readings.iter().all(is_text) {
                // `sockeye or opennmt on a K80`: neither is anything here.
                if !self.finds(&clause.condition)? && !self.unknown_names.contains(&clause.text) {
                    self.unknown_names.push(clause.text.clone());
                }
                continue;
            }
            let mut kept = Vec::new();
            for reading in &clause.readings {
                let is_found = match is_text(reading) {
                    true if self.about.is_none() => {
                        self.stores.index.count(DocumentKind::Measurement, &reading.condition)? > 0
                    }
                    true => self.finds(&reading.condition)?,
                    false => true,
                };
                if is_found {
                    kept.push(reading.clone().clause());
                } else {
                    self.leave_out(&reading.read_as.text);
                }
            }
            if kept.len() < alternatives.len() {
                let text = kept.iter().map(|clause| clause.text.as_str()).collect::<Vec<_>>().join(" or ");
                if let Some(less) = either(text, kept) {
                    *clause = less;
                }
            }
        }
        Ok(())
    }

    fn search_texts(&mut self, clauses: &mut Vec<Clause>) -> Result<(), QueryError> {
        let names: Vec<Clause> = clauses.iter().filter(|clause| !is_bare_text(clause)).cloned().collect();
        let named = Context::of(&names);
        let asks = named.classes
            || named.tasks
            || self.superlative.is_some()
            || self.about.is_some()
            || !self.hints.mentions.is_empty();
        let mut held: Vec<Condition> = names.iter().map(|clause| clause.condition.clone()).collect();
        let rest = self.finds(&Condition::All(held.clone()))?;
        let has_sides = names.iter().any(|clause| clause.sides.len() > 1);
        // Where the rest finds nothing, no word is searched.
        let sides = if rest { self.sides_with_rows(&names)? } else { Vec::new() };
        let (mut searches, mut of_sides) = (0, 0);
        let mut kept = Vec::new();
        for clause in std::mem::take(clauses) {
            if !is_bare_text(&clause) {
                kept.push(clause);
                continue;
            }
            if kept.iter().any(|before: &Clause| before.text == clause.text) {
                continue;
            }
            // Every second text has a small number in it.
            let is_number = clause.text.len() < 4 && clause.text.bytes().all(|byte| byte.is_ascii_digit());
            if (self.hints.is_sentence() || named.has_entity()) && self.says_too_little(&clause.text)? {
                self.leave_out(&clause.text);
                continue;
            }
            // `q4_0`, where no row says so: another way to write weights in as many bits.
            if let Some(near) = self.near_quantization(&clause, &names)? {
                let taken_for = near.readings.first().and_then(|reading| reading.read_as.values.first());
                let taken_for = taken_for.unwrap_or(&near.text).clone();
                self.notes.push(Note::Fuzzy { text: clause.text.clone(), taken_for });
                held.push(near.condition.clone());
                kept.push(near);
                continue;
            }
            if let Some(of_year) = self.bare_year(&clause.text, &held)? {
                match of_year {
                    Some(clause) => {
                        held.push(clause.condition.clone());
                        kept.push(clause);
                    }
                    None => self.heard.push(clause.text),
                }
                continue;
            }
            let clause = self.one_of_plural(clause)?;
            searches += 1;
            held.push(clause.condition.clone());
            let searched = rest && !is_number && searches <= MOST_SEARCHES;
            let found = searched
                && !begins_product::<Database>(&clause.text, &self.stores.database)?
                && self.finds(&Condition::All(held.clone()))?
                && self.each_has(&sides, &held, &mut of_sides)?;
            let in_labels = match searched && !found && sides.is_empty() {
                true => self.inside_of_labels(&clause.text, &held)?,
                false => None,
            };
            let in_names = match searched && !found && !named.networks && sides.is_empty() {
                true => self.inside_of_names(&clause.text)?,
                false => None,
            };
            if let Some(of_names) = in_names {
                held.pop();
                held.push(of_names.condition.clone());
                kept.push(of_names);
                continue;
            }
            if let Some(labelled) = in_labels {
                held.pop();
                held.push(labelled.condition.clone());
                kept.push(labelled);
                continue;
            }
            let is_name = !is_number && searches <= MOST_SEARCHES && self.is_unknown_name(&clause)?;
            // An answer about everything, or about facts of everything, is none to who asks about a product.
            let is_card = is_name && !named.devices && self.is_number_of_card(&clause.text)?;
            let subject = is_name && (is_card || is_of_unnamed(&clause, named)) && !has_sides;
            // What else is asked is answered: `chinese cpus` by CPUs. A number may be that of a product, which is no other.
            let has_figure = clause.text.contains(|c: char| c.is_ascii_digit());
            let nothing_else = names.is_empty() && self.about.is_none();
            // `which data sets was deepspeech trained with`: it is what the question is about, wherever its letters stand.
            let runs = !found
                && !has_sides
                && !named.has_entity()
                && is_like_a_name(&clause.text)
                && self.is_run(&clause.text);
            let needed = subject
                || runs
                || self.unknown_names.contains(&clause.text)
                || !named.has_entity() && (is_name && (has_figure || nothing_else) || !asks && searches == 1);
            if found || needed {
                if !found && (is_name || runs) && !self.unknown_names.contains(&clause.text) {
                    self.unknown_names.push(clause.text.clone());
                }
                kept.push(clause);
            } else {
                held.pop();
                self.leave_out(&clause.text);
            }
        }
        *clauses = kept;
        Ok(())
    }

    /// `DSPs`, where texts have a `DSP`: what is named in the plural is looked for as one.
    fn one_of_plural(&self, clause: Clause) -> Result<Clause, QueryError> {
        const LEAST_LETTERS: usize = 3;
        let one = clause.text.strip_suffix('s').filter(|one| one.chars().all(char::is_alphabetic));
        let Some(one) = one.filter(|one| one.len() >= LEAST_LETTERS) else { return Ok(clause) };
        // A failing index shows itself in the search that follows.
        let has = |word: &str| self.stores.index.has_text(word).unwrap_or(false);
        if has(&clause.text) || !has(one) {
            return Ok(clause);
        }
        let text = clause.text.clone();
        Ok(Clause { text, ..text_clause(one) })
    }

    /// A year that stands alone (`caffe on alexnet 2015`), as a condition on the rows that meet the rest; no condition where none of
    /// them is of that year, which is told. `None` of what is no year, or that of a data set or a benchmark.
    fn bare_year(&mut self, text: &str, held: &[Condition]) -> Result<Option<Option<Clause>>, QueryError> {
        if held.is_empty() || year_of(text).is_none() {
            return Ok(None);
        }
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let before = words.iter().position(|word| word == text).and_then(|at| words.get(at.checked_sub(1)?));
        let names = before.map(|before| self.stores.database.exact(&normalise(before))).transpose()?;
        let has_editions = |name: &Name| matches!(name.facet, Facet::Dataset | Facet::Source);
        if names.is_some_and(|names| names.iter().any(has_editions)) {
            return Ok(None);
        }
        let clause = self.facet_clause(text, Facet::Year, vec![text.to_owned()], "exact")?;
        let all = held.iter().chain([&clause.condition]).cloned().collect();
        if self.stores.index.count(DocumentKind::Measurement, &Condition::All(all))? > 0 {
            return Ok(Some(Some(clause)));
        }
        self.notes.push(Note::NoneOfYear { year: text.to_owned() });
        Ok(Some(None))
    }

    /// Of the sides of a comparison those that have rows with the rest of what is named.
    fn sides_with_rows(&self, names: &[Clause]) -> Result<Vec<Condition>, QueryError> {
        let Some(at) = names.iter().position(|clause| clause.sides.len() > 1) else { return Ok(Vec::new()) };
        let others = names.iter().enumerate().filter(|(other, _)| *other != at);
        let rest: Vec<Condition> = others.map(|(_, clause)| clause.condition.clone()).collect();
        let mut sides = Vec::new();
        for side in names[at].sides.iter().take(MOST_SIDES) {
            let own: Vec<Condition> = rest.iter().cloned().chain([side.condition.clone()]).collect();
            if self.stores.index.count(DocumentKind::Measurement, &Condition::All(own))? > 0 {
                sides.push(side.condition.clone());
            }
        }
        Ok(sides)
    }

    /// Whether each side has rows that meet conditions: a word that a single side has says something of that side alone, and
    /// must not deny the rows of the others. Behind so many searches every word is taken to.
    fn each_has(&self, sides: &[Condition], held: &[Condition], searches: &mut usize) -> Result<bool, QueryError> {
        for side in sides {
            if *searches >= MOST_SEARCHES_OF_SIDES {
                break;
            }
            *searches += 1;
            let own: Vec<Condition> = held.iter().cloned().chain([side.clone()]).collect();
            if self.stores.index.count(DocumentKind::Measurement, &Condition::All(own))? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the question asks for something of something, so that leaving out what of would ask about everything.
    fn asks_for_something(&self) -> bool {
        let of_everything =
            [Cue::Newest, Cue::Maintained, Cue::Abandoned, Cue::LowPower, Cue::Principles, Cue::Grades, Cue::Survey];
        let classes = matches!(self.about, Some((_, EntityKind::HardwareClass)));
        let asks = self.superlative.is_some() || !self.hints.nouns.is_empty() || !self.hints.cues.is_empty();
        // `who makes the Myriad-X`: a fact is asked of what has such a name.
        let asks_fact = |mention: &Mention| {
            let asked = mention.asked.quantities(Context { devices: true, ..Context::default() });
            !asked.is_empty() && asked.iter().all(|quantity| matches!(quantity, Quantity::Fact(_)))
        };
        let of_name = self.hints.nouns.is_empty()
            && self.about.is_none()
            && self.superlative.is_none()
            && (self.ignored.iter().any(|words| is_like_a_name(words) || self.is_written_as_name(words))
                || !self.hints.mentions.is_empty() && self.hints.mentions.iter().all(asks_fact));
        let of_all = |carried: &(String, Carried)| {
            matches!(carried.1, Carried::Graded(_) | Carried::OperatingSystem | Carried::Disagreement)
        };
        (asks && self.hints.mentions.is_empty() || of_name)
            && !self.hints.carried.iter().any(of_all)
            && !classes
            && !of_everything.iter().any(|cue| self.hints.has(*cue))
    }
}

/// Whether a clause is a bare word that was read as text.
fn is_bare_text(clause: &Clause) -> bool {
    let [reading] = clause.readings.as_slice() else { return false };
    reading.read_as.how == "text" && reading.read_as.values.first() == Some(&clause.text) && clause.sides.is_empty()
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    const ROWS: &str = r#"
[[table]]
columns = ["device", "label", "throughput-per-s"]
rows = [["nova", "frimble", 200], ["nova", "blorbic", 210], ["core", "frimble", 100]]
"#;

    #[test]
    fn a_word_of_one_side_alone_denies_no_rows_of_the_other() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        for (question, ignored) in [
            ("nova vs core frimble", &[][..]),
            ("nova vs core blorbic", &["blorbic"]),
            // A side without any rows is denied none.
            ("nova vs ember blorbic", &[]),
            ("nova blorbic", &[]),
        ] {
            assert_eq!(understand(question, &sample.stores).unwrap().ignored, ignored, "{question}");
        }
    }
}
