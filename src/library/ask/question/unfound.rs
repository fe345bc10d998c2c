//! Words that are no name and that no text holds together with the rest: they are left out, and said.

use std::cell::Cell;

use super::carrying_word::Carried;
use super::clause::{Clause, ClauseReading, either, text_clause};
use super::error::QueryError;
use super::hints::Mention;
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::products::{is_branded, is_other_product};
use super::question::Quantity;
use super::vocabulary::{Cue, meaning_of, plain};
use super::years::year_of;
use crate::model::{Facet, Field, Lookup as _, Name};
use crate::rows::Note;
use crate::stores::database::Database;
use crate::stores::index::{Condition, DocumentKind};
use crate::stores::resolve::{begins_product, is_english};
use crate::values::EntityKind;
use crate::values::spelling::normalise;

/// Each is a search; what is behind the last is left out unseen.
const MOST_SEARCHES: usize = 12;

/// So many sides of a comparison are looked at for words, and so many searches are made for each of these in all.
const MOST_SIDES: usize = 8;
const MOST_SEARCHES_OF_SIDES: usize = 32;

/// So many words are looked for inside of labels: all labels are read for each.
const MOST_OF_LABELS: usize = 2;

/// Fewer letters stand in too many labels.
const LEAST_OF_LABEL: usize = 3;

/// With so many letters more and a number behind them a word in a label is still the word: `dgxa100`.
const MOST_LETTERS_ON: usize = 2;

/// A word of fewer letters is as likely to be slang as a name.
const LEAST_LETTERS: usize = 5;

impl Interpreter<'_> {
    /// Leaves out the bare words that find nothing together with the rest of the question.
    ///
    /// Where nothing else says what is asked about, they stay: an answer about everything would be none.
    pub(super) fn leave_out_unfound(&mut self, clauses: &mut Vec<Clause>) -> Result<(), QueryError> {
        self.leave_out_excluded(clauses)?;
        self.leave_out_alternatives(clauses)?;
        if clauses.iter().any(is_bare_text) {
            self.search_texts(clauses)?;
        }
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
        for clause in std::mem::take(clauses) {
            let is_text = clause.readings.iter().all(|reading| reading.read_as.how == "text");
            let has_effect = match &clause.condition {
                // Another product's name, which the device that is named does not have: `2080 (non ti)`.
                Condition::Not(_) if is_text && names_device && is_other_product(&clause.text) => {
                    self.heard.push(clause.text);
                    continue;
                }
                Condition::Not(inner) if is_text && !clause.text.contains(['"', ':']) => self.finds(inner)?,
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
            if alternatives.len() != clause.readings.len() || clause.readings.iter().all(is_text) {
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
            if self.hints.is_sentence() && self.says_too_little(&clause.text)? {
                self.leave_out(&clause.text);
                continue;
            }
            // `q4_0`, where no row says so: another way to write weights in as many bits.
            if let Some(near) = self.near_quantization(&clause, &names)? {
                self.notes.push(Note::Fuzzy { text: clause.text.clone(), taken_for: near.text.clone() });
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
            if let Some(labelled) = in_labels {
                held.pop();
                held.push(labelled.condition.clone());
                kept.push(labelled);
                continue;
            }
            let is_name = !is_number && searches <= MOST_SEARCHES && self.is_unknown_name(&clause)?;
            // An answer about everything, or about facts of everything, is none to who asks about a product.
            let subject = is_name && is_of_unnamed(&clause, named) && !has_sides;
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

    /// What rows of as many bits are called, where none of them is written as a word says: `q4` for `q4_0`. What is named besides
    /// the network has to have such rows.
    fn near_quantization(&self, clause: &Clause, names: &[Clause]) -> Result<Option<Clause>, QueryError> {
        let Some(bits) = bits_of_quantization(&clause.text) else { return Ok(None) };
        let is_setup = |one: &&Clause| !matches!(one.plain_kind(), Some("network" | "parameters" | "metric"));
        let setup: Vec<Condition> = names.iter().filter(is_setup).map(|one| one.condition.clone()).collect();
        let has_rows = |text: &Condition| -> Result<bool, QueryError> {
            let all = setup.iter().cloned().chain([text.clone()]).collect();
            Ok(self.stores.index.count(DocumentKind::Measurement, &Condition::All(all))? > 0)
        };
        let near = text_clause(&format!("q{bits}"));
        let is_known = has_rows(&clause.condition)? || near.text == clause.text;
        Ok(if !is_known && has_rows(&near.condition)? { Some(near) } else { None })
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

    /// A word that is no name and inside of the labels by which sources tell their rows apart: the `dgx` of `dgxa100_ngc21.05`. The
    /// last of what is held is the word itself, as text.
    fn inside_of_labels(&mut self, text: &str, held: &[Condition]) -> Result<Option<Clause>, QueryError> {
        let word = text.to_lowercase();
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        let Some((_, rest)) = held.split_last().filter(|(_, rest)| !rest.is_empty()) else { return Ok(None) };
        let is_word = word.chars().all(char::is_alphanumeric) && !is_english(&word);
        if self.labels_looked_for >= MOST_OF_LABELS || letters < LEAST_OF_LABEL || !is_word {
            return Ok(None);
        }
        self.labels_looked_for += 1;
        // As the filter has it that is told.
        let is_part = Cell::new(false);
        let has_word = |label: &str| {
            let label = label.to_lowercase();
            is_part.set(is_part.get() || is_part_of_label(&word, &label));
            label.contains(&word)
        };
        let (condition, _) = self.with_value(Field::Label, has_word)?;
        let all = rest.iter().chain([&condition]).cloned().collect();
        if !is_part.get() || self.stores.index.count(DocumentKind::Measurement, &Condition::All(all))? == 0 {
            return Ok(None);
        }
        self.notes.push(Note::InsideOfLabels { text: text.to_owned() });
        let (key, filter) = (Field::Label.key(), format!("label:*{word}*"));
        Ok(Some(Clause::of(text, key, vec![format!("*{word}*")], filter, condition)))
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

    /// Whether a word is what is said to have been run: `was deepspeech 2 trained`.
    fn is_run(&self, text: &str) -> bool {
        const BEFORE: &[&str] = &["was", "were", "is", "are", "has", "did", "does"];
        const BEHIND: &[&str] =
            &["trained", "train", "run", "ran", "measured", "tested", "benchmarked", "evaluated", "been"];
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let at = words.iter().position(|word| *word == plain(text));
        let Some(at) = at.filter(|at| *at > 0 && BEFORE.contains(&words[at - 1].as_str())) else { return false };
        words[at + 1..].iter().take(3).any(|word| BEHIND.contains(&word.as_str()))
    }

    /// Whether a word looks like the name of something: it has a number, or is long, no English, and in no text.
    fn is_unknown_name(&self, clause: &Clause) -> Result<bool, QueryError> {
        let text = clause.text.to_lowercase();
        if text.contains(|c: char| c.is_ascii_digit()) {
            return Ok(true);
        }
        let long = text.chars().filter(|c| c.is_alphabetic()).count() >= LEAST_LETTERS;
        Ok(long && !text.split(|c: char| !c.is_alphanumeric()).any(is_english) && !self.finds(&clause.condition)?)
    }

    /// Whether words stand with a capital behind others in the question: the Myriad of `who makes the Myriad`.
    fn is_written_as_name(&self, words: &str) -> bool {
        let mut behind_first = self.question.split_whitespace().skip(1);
        behind_first
            .any(|word| word.starts_with(|c: char| c.is_uppercase()) && words.split(' ').any(|of| of == plain(word)))
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

/// Whether a word begins a part of a label and ends it, or goes on with what is no word: `dgx` in `dgxa100_ngc21.05`, and no `app` in
/// `apple`.
fn is_part_of_label(word: &str, label: &str) -> bool {
    label.match_indices(word).any(|(at, _)| {
        let is_begun = label[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric());
        let behind = label[at + word.len()..].trim_start_matches(char::is_alphabetic);
        let more = label.len() - at - word.len() - behind.len();
        let has_figure = behind.starts_with(|c: char| c.is_ascii_digit());
        is_begun && (more == 0 || more <= MOST_LETTERS_ON && has_figure)
    })
}

/// Whether an unknown name is that of what the question names none of, so that the rest is about something else: a device
/// by its brand and number, or what is to run on the devices.
fn is_of_unnamed(clause: &Clause, named: Context) -> bool {
    let letters = clause.text.chars().filter(|c| c.is_alphabetic()).count();
    let digits = clause.text.chars().filter(char::is_ascii_digit).count();
    // The `mi250x` of `mi250x resnet50` is a device, as often as not.
    if !named.devices && named.networks && !named.sources && digits > 1 && letters > 1 {
        return true;
    }
    let is_branded = is_branded(&clause.text) || is_numbered_card(&clause.text);
    // `jetson orin nano super`: a product needs no number to be another one.
    let numbered = (is_branded || clause.text.contains(|c: char| c.is_ascii_digit())) && letters > 2;
    let work = named.networks || named.datasets || named.tasks || named.sources || named.frameworks;
    numbered && if is_branded { !named.devices } else { named.devices && !work }
}

/// The bits of a weight, where a word is the name of a way to write them: `q4_0`, `Q5_K_M`, `iq3_xs`.
pub(super) fn bits_of_quantization(word: &str) -> Option<u8> {
    let word = plain(word).to_lowercase();
    let rest = word.strip_prefix("iq").or_else(|| word.strip_prefix('q'))?;
    let (bits, form) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
    let bits: u8 = bits.parse().ok().filter(|bits| (1..=8).contains(bits))?;
    let is_form = form.is_empty() || form.starts_with('_') && form.len() > 1;
    is_form.then_some(bits)
}

/// Whether words are the number of a product and what makes another one of it: the `4060 ti` that has no brand in front of it.
fn is_numbered_card(text: &str) -> bool {
    let mut words = text.split(' ');
    let number = words.next().unwrap_or_default();
    number.len() > 2 && number.bytes().all(|byte| byte.is_ascii_digit()) && words.any(is_other_product)
}

/// Whether words that were left out look like the name of something, and not like a word of English: `groq`, `q4_0`.
pub fn is_like_a_name(words: &str) -> bool {
    let is_name = |word: &str| {
        let has = |of: fn(&char) -> bool| word.chars().any(|c| of(&c));
        let is_word = word.chars().all(char::is_alphabetic);
        has(char::is_ascii_digit) && has(|c| c.is_alphabetic()) || is_word && word.len() > 2 && !is_english(word)
    };
    words.split(['-', ' ']).any(|word| meaning_of(&[word]).is_none() && is_name(word))
}

/// Whether a clause is a bare word that was read as text.
fn is_bare_text(clause: &Clause) -> bool {
    let [reading] = clause.readings.as_slice() else { return false };
    reading.read_as.how == "text" && reading.read_as.values.first() == Some(&clause.text) && clause.sides.is_empty()
}

#[cfg(test)]
mod tests {
    use super::is_part_of_label;
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    const ROWS: &str = r#"
[[table]]
columns = ["device", "label", "throughput-per-s"]
rows = [["nova", "frimble", 200], ["nova", "blorbic", 210], ["core", "frimble", 100]]
"#;

    #[test]
    fn words_are_found_in_labels_as_parts_of_names() {
        for (word, label, expected) in [
            ("dgx", "nvidia; dgxa100_ngc21.05_pytorch; maskrcnn", true),
            ("dgx", "nvidia dgx station", true),
            ("dgx", "dgx2", true),
            ("app", "apple-m1", false),
            ("gx", "dgxa100", false),
            ("ngc", "dgxa100_ngc21.05", true),
        ] {
            assert_eq!(is_part_of_label(word, label), expected, "{word} in {label}");
        }
    }

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
