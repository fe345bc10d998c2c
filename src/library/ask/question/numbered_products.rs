//! Products of a brand or series by their numbers: one of it, an unknown generation of it, or all of which the number begins so.

use super::clause::Clause;
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::vocabulary::{HARDWARE_BRANDS, meaning_of, plain};
use super::word_run::WordRun;
use crate::model::{Facet, Lookup as _, Name};
use crate::stores::resolve::{MatchKind, ProductName, WordReading, is_english};
use crate::values::EntityKind;
use crate::values::spelling::normalise;

/// Brands in front of a number are at most so many: `nvidia geforce rtx`.
const MOST_BRANDS: usize = 3;

/// So many letters may stand between a brand and a number: the RTX of `GeForce RTX 3090`.
const LONGEST_PREFIX: usize = 3;

impl Interpreter<'_> {
    /// Whether a number makes a generation of a series that nothing here is called: the Gaudi 4, where there are 2 and 3; Llama 9.
    pub(super) fn is_other_generation(&self, before: &WordRun, run: &WordRun) -> Result<bool, QueryError> {
        let number = plain(&run.text);
        let is_number = (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
        let facet = [Facet::Device, Facet::Network].into_iter().find(|facet| before.is(*facet));
        let Some(facet) = facet.filter(|_| is_number && run.is_text() && !before.has_number()) else {
            return Ok(false);
        };
        let series = normalise(&before.text);
        let numbers = |name: &Name| {
            let known = ProductName::of(&name.value);
            let is_of_series = name.facet == facet && known.series.concat() == series;
            known.number.filter(|_| is_of_series).map(|number| number.value.to_string())
        };
        let known: Vec<String> = self.stores.database.beginning(&series)?.iter().filter_map(numbers).collect();
        Ok(!known.is_empty() && !known.contains(&number))
    }

    /// Whether words with a number are inside of devices' names and end none of them: nothing is called RTX 2080 Super, although the
    /// name of the laptop's RTX 2080 Super Max-Q has the words.
    pub(super) fn is_inside_of_names(&self, text: &str) -> Result<bool, QueryError> {
        let normal = normalise(text);
        let has_figure = normal.contains(|c: char| c.is_ascii_digit());
        if !text.contains(' ') || !has_figure || !self.stores.database.exact(&normal)?.is_empty() {
            return Ok(false);
        }
        let names = self.stores.database.names_like(&format!("*{normal}*"))?;
        let mut devices = names.iter().filter(|name| name.facet == Facet::Device).peekable();
        Ok(devices.peek().is_some() && devices.all(|name| !name.normal.ends_with(&normal)))
    }

    /// Whether a number makes another one of devices that are all called by words and a number of their own: the Core Ultra 7 258V,
    /// where there is a 255H; the Snapdragon 8 Gen 4, where there are 2 and 3.
    pub(super) fn is_unheld_of_line(&self, before: &WordRun, run: &WordRun) -> bool {
        let number = plain(&run.text);
        let [reading] = before.readings.as_slice() else { return false };
        let is_line = before.is(Facet::Device) && reading.how == MatchKind::Family && run.is_text();
        let figures = |word: &str| word.bytes().filter(u8::is_ascii_digit).count();
        let is_place = |word: &str| (1..=2).contains(&word.len()) && figures(word) == word.len();
        if !is_line || !is_place(&number) && !is_model_number(&number) {
            return false;
        }
        let line: Vec<String> = before.text.split([' ', '-']).map(normalise).collect();
        let next = |id: &String| {
            let words: Vec<&str> = id.split('-').collect();
            let at = words.windows(line.len()).position(|window| window == line.as_slice())?;
            words.get(at + line.len()).map(|next| (*next).to_owned())
        };
        let numbers: Option<Vec<String>> = reading.values.iter().map(next).collect();
        let Some(numbers) = numbers.filter(|numbers| !numbers.is_empty()) else { return false };
        let is_alike = |other: &String| is_place(other) == is_place(&number) && figures(other) > 0;
        numbers.iter().all(is_alike) && !numbers.iter().any(|other| other.starts_with(&number))
    }

    /// Whether a word goes on with the name of a product that nothing here is called: the `hx` and the `370` of `ryzen ai 9 hx 370`.
    pub(super) fn goes_on_unknown(&self, before: &WordRun, run: &WordRun) -> bool {
        let word = plain(&run.text);
        let is_number = word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_digit());
        let is_short = (1..=2).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_unknown = before.is_text() && self.unknown_names.contains(&before.text);
        let says_nothing = is_english(&word) || meaning_of(&[word.as_str()]).is_some();
        is_unknown && run.is_text() && (is_number || is_model_number(&word) || is_short && !says_nothing)
    }

    /// Whether a word that says nothing elsewhere stands in devices' names between the word in front of it and a number: the `ai` of
    /// `ryzen ai 9`.
    pub(super) fn goes_on_as_line(&self, before: Option<&&str>, words: &[&str]) -> Result<bool, QueryError> {
        let (Some(before), [word, number, ..]) = (before, words) else { return Ok(false) };
        let (brand, word) = (plain(before), plain(word));
        let is_line = HARDWARE_BRANDS.contains(&brand.as_str()) && word.chars().all(char::is_alphabetic);
        if !is_line || !number.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(false);
        }
        let line = format!("{brand}-{word}-");
        let names = self.stores.database.beginning(&normalise(&line))?;
        Ok(names.iter().any(|name| name.facet == Facet::Device && name.value.starts_with(&line)))
    }

    /// A brand or series with a number that says which of it: `xeon 6148`, `mlperf 4.1`.
    pub(super) fn narrowed(&self, before: &WordRun, number: &str) -> Result<Option<WordRun>, QueryError> {
        let number = number.trim_end_matches(['?', '.', ',', ')']);
        let (facet, values) = if before.is(Facet::Source) {
            let version = number.trim_start_matches('v');
            let is_of =
                |value: &&String| value.ends_with(&format!("v{version}")) || value.ends_with(&format!("-{version}"));
            (Facet::Source, before.readings[0].values.iter().filter(is_of).cloned().collect())
        } else if before.is_brand() {
            let names = self.stores.database.names_like(&format!("{}*{number}", before.text))?;
            (Facet::Device, devices(names, &normalise(&before.text), &normalise(number)))
        } else {
            return Ok(None);
        };
        if values.is_empty() {
            return Ok(None);
        }
        let reading = WordReading { words: 0..1, facet: Some(facet), values, how: MatchKind::Alias, taken_for: None };
        Ok(Some(WordRun { text: format!("{} {number}", before.text), readings: vec![reading] }))
    }

    /// A round of a benchmark that a number says, of the suite that the question speaks of: `training minutes, mlperf v4.1` asks for one
    /// of MLPerf Training. Where of that suite no such round is held, its others stand in for it, which is said.
    pub(super) fn round_of_suite(&mut self, run: &mut WordRun) -> Result<(), QueryError> {
        const SUITES: &[&str] = &["inference", "training", "tiny", "hpc", "mobile", "automotive", "client"];
        let text = run.text.to_lowercase();
        let is_round = run.has_number() && run.is(Facet::Source) && text.contains("mlperf");
        let speaks_of = |words: &[&str]| words.iter().any(|word| self.all_words.contains(*word));
        let trains = speaks_of(&["training", "train", "trains", "trained"]);
        let infers = speaks_of(&["inference", "inferencing", "serving"]);
        if !is_round || SUITES.iter().any(|suite| text.contains(suite)) || !trains || infers {
            return Ok(());
        }
        let is_of = |id: &String| id.contains("-training-") || id.contains("-hpc-");
        let own: Vec<String> = run.readings[0].values.iter().filter(|id| is_of(id)).cloned().collect();
        if own.is_empty() {
            let all = self.stores.database.ids(EntityKind::Source)?;
            run.readings[0].values = all.into_iter().filter(|id| id.starts_with("mlperf-training-")).collect();
            self.hints
                .leads
                .push(format!("Of MLPerf Training no round of `{}` is held; told are its others.", run.text));
        } else {
            run.readings[0].values = own;
        }
        Ok(())
    }

    /// A number behind a suite of a benchmark of which no such round is held: `mlperf training v4.1`. All its rounds stand in for it,
    /// which is said.
    pub(super) fn is_unheld_round(&mut self, before: &WordRun, number: &str) -> bool {
        let is_round = number.trim_start_matches(['v', 'V']).split('.').all(|part| part.parse::<u32>().is_ok());
        let names_suite = before.is(Facet::Source)
            && before.text.to_lowercase().contains("mlperf")
            && before.readings.iter().all(|reading| reading.values.len() > 1);
        if !is_round || !names_suite || !number.contains('.') {
            return false;
        }
        self.hints.leads.push(format!("No round `{} {number}` is held; told are its other rounds.", before.text));
        true
    }

    /// Of which suites of a benchmark a round is not held whose number is that of another suite's: `mlperf 5.1` is one of training
    /// and one of inference.
    pub(super) fn note_other_suites(&mut self, before: &WordRun, narrowed: &WordRun) {
        const SUITES: &[&str] = &["inference", "training"];
        if !before.is(Facet::Source) || SUITES.iter().any(|suite| before.text.to_lowercase().contains(suite)) {
            return;
        }
        let values = |run: &WordRun| run.readings.first().map(|reading| reading.values.clone()).unwrap_or_default();
        let (all, held) = (values(before), values(narrowed));
        for suite in SUITES.iter().filter(|suite| !held.iter().any(|id| id.contains(**suite))) {
            let of_suite = format!("mlperf-{suite}-v");
            let mut rounds: Vec<&str> = all.iter().filter_map(|id| id.strip_prefix(&of_suite)).collect();
            rounds.sort_unstable();
            // Who asks for the other suite wants no round of this one.
            let asks_other = SUITES.iter().any(|other| other != suite && self.all_words.contains(*other));
            if let (Some(first), Some(last), false) = (rounds.first(), rounds.last(), asks_other) {
                self.hints.leads.push(format!(
                    "Of `{}` no round of MLPerf {suite} is held (of that suite v{first} to v{last} are, with gaps); read as {}.",
                    narrowed.text,
                    held.join(", ")
                ));
            }
        }
    }

    /// `geforce 30 series`, `rtx 3000 series`, `rtx 40xx`: every device of a brand whose number begins so, and how many words say it.
    pub(super) fn numbered_series(&mut self, words: &[&str]) -> Result<Option<(usize, Clause)>, QueryError> {
        let is_brand_word = |word: &&&str| HARDWARE_BRANDS.contains(&plain(word).as_str());
        let brands = words.iter().take(MOST_BRANDS).take_while(is_brand_word).count();
        let Some(number) = words.get(brands).map(|word| plain(word)).filter(|_| brands > 0) else { return Ok(None) };
        let behind = words.get(brands + 1).map(|word| plain(word)).unwrap_or_default();
        let (digits, taken) = match number.strip_suffix("-series").or_else(|| number.strip_suffix("xx")) {
            Some(digits) => (digits.to_owned(), brands + 1),
            None if matches!(behind.as_str(), "series" | "serie" | "generation") => (number, brands + 2),
            None => return Ok(None),
        };
        let is_number = (2..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        let brand = plain(words[brands - 1]);
        if !is_number {
            return Ok(None);
        }
        let mut ids: Vec<String> = Vec::new();
        for name in self.stores.database.names_like(&format!("*{brand}*"))? {
            let is_of = name.facet == Facet::Device && is_numbered(&name.normal, &brand, &digits);
            if is_of && !ids.contains(&name.value) {
                ids.push(name.value);
            }
        }
        if ids.len() < 2 {
            return Ok(None);
        }
        let text = words[..taken].join(" ");
        self.hints.note_device(true);
        Ok(Some((taken, self.facet_clause(&text, Facet::Device, ids, "alias")?)))
    }
}

/// Whether a word is written as the number of one model: `258v`, `1165g7`, and neither a size nor a rate.
fn is_model_number(word: &str) -> bool {
    const UNITS: &[&str] = &[
        "gb", "gib", "mb", "mib", "tb", "w", "mhz", "ghz", "ms", "nm", "k", "x", "m", "b", "g", "px", "p", "fps", "s",
    ];
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    digits > 2 && word.len() <= 7 && word.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !UNITS.contains(&rest)
}

/// Whether the number behind the brand in a device's name is of a series: 3090 of 30 or 3000, 980 of 900. What stands in front of
/// the brand is another one.
fn is_numbered(normal: &str, brand: &str, series: &str) -> bool {
    let name = ProductName::of(normal);
    let letters: String = name.makers.iter().chain(&name.series).map(String::as_str).collect();
    let (Some((before, behind)), Some(number)) = (letters.split_once(brand), name.number) else { return false };
    let digits = number.value.to_string();
    let (begins, length) = match series.len() {
        2 => (series, 4),
        length => (series.trim_end_matches('0'), length),
    };
    let is_round = series.len() == 2 && digits.get(begins.len()..).is_some_and(|rest| rest.starts_with('0'));
    let is_own = ["", "nvidia", "amd", "intel", "geforce", "nvidiageforce", "radeon", "amdradeon"].contains(&before);
    is_own && behind.len() <= LONGEST_PREFIX && number.digits == length && digits.starts_with(begins) && !is_round
}

/// The devices among names between whose brand and number stand letters alone, as in `xeongold6148`; each once.
fn devices(names: Vec<Name>, brand: &str, number: &str) -> Vec<String> {
    let series = |name: &Name| {
        let rest = name.normal.strip_prefix(brand).and_then(|rest| rest.strip_suffix(number));
        rest.is_some_and(|series| series.chars().all(char::is_alphabetic))
    };
    let mut values: Vec<String> = Vec::new();
    for name in names.into_iter().filter(|name| name.facet == Facet::Device && series(name)) {
        if !values.contains(&name.value) {
            values.push(name.value);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::{is_model_number, is_numbered};

    #[test]
    fn numbers_of_models_are_told_from_sizes() {
        let models: Vec<&str> = ["258v", "7840hs", "1165g7", "370", "16gb", "512gb", "350m", "8x", "b32", "2080"]
            .into_iter()
            .filter(|word| is_model_number(word))
            .collect();
        assert_eq!(models, ["258v", "7840hs", "1165g7", "370", "2080"]);
    }

    #[test]
    fn a_series_is_told_by_the_first_figures_of_a_number() {
        for (name, brand, series, expected) in [
            ("geforcertx3090ti", "geforce", "30", true),
            ("rtx3060", "rtx", "3000", true),
            ("geforcegtx980", "gtx", "900", true),
            ("radeonrx6800xt", "radeon", "6000", true),
            ("geforcertx3090", "geforce", "40", false),
            ("rtx3000", "rtx", "30", false),
            ("quadrortx4000", "rtx", "4000", false),
            ("geforce8800gtx", "geforce", "30", false),
        ] {
            assert_eq!(is_numbered(name, brand, series), expected, "{name} of {brand} {series}");
        }
    }
}
