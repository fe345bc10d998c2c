//! Products by several words: a brand and a number are one name, known or not.

use super::clause::Clause;
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::vocabulary::{HARDWARE_BRANDS, is_brand, plain};
use crate::model::{Device, Facet, Lookup as _, Name};
use crate::stores::database::Database;
use crate::stores::index::Condition;
use crate::stores::resolve::{self, MatchKind, is_english};
use crate::values::EntityKind;
use crate::values::spelling::normalise;

/// Words behind an unknown product's number that belong to it.
const SUFFIXES: &[&str] =
    &["ti", "super", "xt", "xtx", "max", "ultra", "pro", "plus", "mini", "xl", "laptop", "mobile", "d", "max-q"];

/// Words that are another thing together than the second is alone: a parameter server is no scenario.
const COMPOUNDS: &[(&str, &str)] = &[("parameter", "server"), ("parameter", "servers")];

/// Brands in front of a number are at most so many: `nvidia geforce rtx`.
const MOST_BRANDS: usize = 3;

/// So many letters may stand between a brand and a number: the RTX of `GeForce RTX 3090`.
const LONGEST_PREFIX: usize = 3;

/// Words that make another product of a known one.
const OTHER_PRODUCTS: &[&str] = &["ti", "super", "xt", "xtx", "laptop", "max-q", "ultra", "pro", "plus"];

/// Whether an excluded word makes another product of a known one.
pub(super) fn is_other_product(excluded: &str) -> bool {
    OTHER_PRODUCTS.contains(&plain(excluded.trim_start_matches('-')).as_str())
}

/// A run of words and what it can mean.
pub(super) struct WordRun {
    pub text: String,
    pub readings: Vec<resolve::WordReading>,
}

impl WordRun {
    pub fn is_text(&self) -> bool {
        self.readings.iter().all(|reading| reading.facet.is_none())
    }

    fn is_brand(&self) -> bool {
        let family = self.readings.iter().all(|reading| reading.how == MatchKind::Family || reading.facet.is_none());
        is_brand(&self.text.to_lowercase()) && family
    }

    fn is(&self, facet: Facet) -> bool {
        matches!(self.readings.as_slice(), [reading] if reading.facet == Some(facet))
    }

    fn has_number(&self) -> bool {
        self.text.contains(|c: char| c.is_ascii_digit())
    }

    /// A comma or the like ends a name.
    fn ends(&self) -> bool {
        self.text.ends_with([',', ';', ':', '?', ')'])
    }

    /// Joins what comes next to an unknown name.
    fn extend_unknown(&mut self, next: &str) {
        self.text = format!("{} {next}", self.text);
        self.readings = vec![resolve::WordReading {
            words: 0..1,
            facet: None,
            values: vec![self.text.clone()],
            how: MatchKind::Text,
            taken_for: None,
        }];
    }
}

/// Whether a name is that of one of the devices which the name in front of it begins: `stm32 nucleo l4r5zi`.
fn is_one_of(run: &WordRun, series: &WordRun) -> bool {
    let ([one], [many]) = (run.readings.as_slice(), series.readings.as_slice()) else { return false };
    run.is(Facet::Device)
        && series.is(Facet::Device)
        && one.values.len() < many.values.len()
        && one.values.iter().all(|id| many.values.contains(id))
}

impl<'q> Interpreter<'q> {
    /// Joins words that are one product: an unknown product is one name (`RTX 4060 Ti` is no RTX of another number), and a
    /// brand in front of a known one (`geforce 1080 ti`, `Intel Habana`) adds nothing.
    pub(super) fn products(&mut self, words: &[&str]) -> Result<Vec<WordRun>, QueryError> {
        let mut joined: Vec<WordRun> = Vec::new();
        let mut open = false;
        for run in self.runs(words)? {
            let mut run = self.as_series(run)?;
            let Some(before) = joined.last_mut().filter(|before| !before.ends()) else {
                open = run.is_text() && run.has_number();
                joined.push(run);
                continue;
            };
            let lower = run.text.to_lowercase();
            let suffix = open && SUFFIXES.contains(&lower.as_str());
            let another = run.is_text() && before.is(Facet::Device) && OTHER_PRODUCTS.contains(&lower.as_str());
            let numbered = run.is_text() && (run.has_number() || before.is_brand() && is_roman(&run.text));
            match self.member_of_series(before, &run) {
                Some(Some(member)) => {
                    *before = member;
                    open = false;
                    continue;
                }
                Some(None) => {
                    before.extend_unknown(&run.text);
                    self.unknown_names.push(before.text.clone());
                    open = true;
                    continue;
                }
                None => {}
            }
            if COMPOUNDS.iter().any(|(first, second)| plain(&before.text) == *first && plain(&run.text) == *second) {
                before.extend_unknown(&run.text);
                open = false;
                continue;
            }
            if self.is_other_generation(before, &run)?
                || run.is_text() && resolve::is_form_with_number(&before.text, &run.text)
            {
                before.extend_unknown(&run.text);
                self.unknown_names.push(before.text.clone());
                open = true;
                continue;
            }
            // `Cerebras WSE-3`: neither word is known.
            let unknown = before.is_text() && numbered && self.is_unknown_brand(&before.text)?;
            if self.is_in_all_names_of(before, &run)? || self.is_brand_of(&run, before)? {
                before.text = format!("{} {}", before.text, run.text);
                open = false;
                continue;
            }
            open = numbered || suffix;
            // `Quadro RTX 4000` is none of the Quadro RTX that are known, and no other product whose name ends so.
            let series = before.is(Facet::Device) && before.readings[0].how == MatchKind::Family;
            let is_number = run.text.len() > 2 && run.text.bytes().all(|byte| byte.is_ascii_digit());
            let other = is_number && (run.is(Facet::Device) || run.is_text());
            if series && other && (run.is(Facet::Device) || self.narrowed(before, &run.text)?.is_none()) {
                before.extend_unknown(&run.text);
                open = true;
                continue;
            }
            // `v0.7 mlperf`
            if before.is_text()
                && is_version(&before.text)
                && let Some(narrowed) = self.narrowed(&run, &before.text)?
            {
                *before = narrowed;
                open = false;
                continue;
            }
            if numbered && let Some(narrowed) = self.narrowed(before, &run.text)? {
                *before = narrowed;
                open = false;
            } else if before.is_brand() && numbered
                || suffix
                || another
                || unknown
                || self.is_unknown_of(before, &run)?
            {
                let short = before.text.clone();
                before.extend_unknown(&run.text);
                // It is one name, and no longer the shorter one.
                self.unknown_names.iter_mut().filter(|name| **name == short).for_each(|name| {
                    name.clone_from(&before.text);
                });
                open |= another;
            } else if before.is_brand() && run.is(Facet::Device) && !run.is_brand()
                || before.is(Facet::Vendor) && (is_owned(&before.text, &run) || self.is_made_by(&run, before)?)
                || before.is(Facet::Vendor) && run.is_text() && is_branded(&run.text)
                || is_one_of(&run, before)
            {
                run.text = format!("{} {}", before.text, run.text);
                *before = run;
            } else {
                joined.push(run);
            }
        }
        Ok(with_makers(joined))
    }

    /// Whether a word for a form of devices stands in front of a number that nothing here is called: the `laptop 1650`.
    pub(super) fn is_unknown_of_form(&self, words: &[&str]) -> Result<bool, QueryError> {
        let [form, number, ..] = words else { return Ok(false) };
        let is_product = resolve::is_form_with_number(form, number);
        Ok(is_product && resolve::named::<Database>(&[number], &self.stores.database)?.is_empty())
    }

    /// Whether a number makes a generation of a series that nothing here is called: the Gaudi 4, where there are 2 and 3.
    fn is_other_generation(&self, before: &WordRun, run: &WordRun) -> Result<bool, QueryError> {
        let number = plain(&run.text);
        let is_number = (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || !run.is_text() || !before.is(Facet::Device) || before.has_number() {
            return Ok(false);
        }
        let series = normalise(&before.text);
        let is_of_series = |name: &Name| {
            let number = name.normal.strip_prefix(&series).unwrap_or_default();
            name.facet == Facet::Device && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        };
        Ok(self.stores.database.beginning(&series)?.iter().any(is_of_series))
    }

    /// Whether a word is part of the name of each of a maker's few devices: the IPU of `Graphcore IPU`.
    fn is_in_all_names_of(&self, before: &WordRun, run: &WordRun) -> Result<bool, QueryError> {
        const FEW: usize = 8;
        let word = plain(&run.text);
        if !before.is(Facet::Vendor) || !run.is_text() || word.len() < 3 {
            return Ok(false);
        }
        let made = Condition::Facet(Facet::Vendor, before.readings[0].values.clone());
        let ids = self.stores.index.entities(EntityKind::Device, &made)?;
        if ids.len() > FEW {
            return Ok(false);
        }
        for id in &ids {
            let device = self.stores.database.entity::<Device>(id)?;
            let has = |name: &str| name.split([' ', '-']).any(|of| of.eq_ignore_ascii_case(&word));
            if !device.is_some_and(|device| has(&device.name)) {
                return Ok(false);
            }
        }
        Ok(!ids.is_empty())
    }

    /// Whether a brand stands behind a product of it: `sapphire rapids xeon`.
    fn is_brand_of(&self, brand: &WordRun, product: &WordRun) -> Result<bool, QueryError> {
        let ([reading], true) = (product.readings.as_slice(), brand.is_brand()) else { return Ok(false) };
        if !product.is(Facet::Device) || product.is_brand() {
            return Ok(false);
        }
        let word = plain(&brand.text);
        for id in &reading.values {
            let device = self.stores.database.entity::<Device>(id)?;
            let has = |name: &str| name.split([' ', '-']).any(|of| of.eq_ignore_ascii_case(&word));
            if !device.is_some_and(|device| has(&device.name)) {
                return Ok(false);
            }
        }
        Ok(!reading.values.is_empty())
    }

    /// Whether a device may be of the maker in front of it: `NVIDIA V100`, and not `Google V100`.
    fn is_made_by(&self, run: &WordRun, maker: &WordRun) -> Result<bool, QueryError> {
        let ([device], [maker]) = (run.readings.as_slice(), maker.readings.as_slice()) else { return Ok(false) };
        if !run.is(Facet::Device) {
            return Ok(false);
        }
        let made = Condition::Facet(Facet::Vendor, maker.values.clone());
        let made = self.stores.index.entities(EntityKind::Device, &made)?;
        if device.values.iter().any(|id| made.contains(id)) {
            return Ok(true);
        }
        for id in &device.values {
            let own = self.stores.database.entity::<Device>(id)?;
            if own.is_some_and(|device| device.vendor.is_some()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a word in front of a number is the name of a product: written like one, or of no language and in no text.
    fn is_unknown_brand(&self, word: &str) -> Result<bool, QueryError> {
        let is_word = word.len() > 4 && word.chars().all(char::is_alphabetic) && !is_english(&word.to_lowercase());
        Ok(begins_name(word) || is_word && !self.finds(&Condition::Text(word.to_owned()))?)
    }

    /// Whether a maker stands in front of a product of its that nothing here is called: `AMD MI100`.
    fn is_unknown_of(&self, before: &WordRun, run: &WordRun) -> Result<bool, QueryError> {
        let letters = run.text.chars().filter(|c| c.is_alphabetic()).count();
        let digits = run.text.chars().filter(char::is_ascii_digit).count();
        let is_number = letters > 1 && digits > 0 || letters > 0 && digits > 1;
        let is_product = before.is(Facet::Vendor) && run.is_text() && is_number;
        Ok(is_product && !self.finds(&Condition::Text(run.text.clone()))?)
    }

    /// A brand or series with a number that says which of it: `xeon 6148`, `mlperf 4.1`.
    fn narrowed(&self, before: &WordRun, number: &str) -> Result<Option<WordRun>, QueryError> {
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
        let reading =
            resolve::WordReading { words: 0..1, facet: Some(facet), values, how: MatchKind::Alias, taken_for: None };
        Ok(Some(WordRun { text: format!("{} {number}", before.text), readings: vec![reading] }))
    }
}

impl Interpreter<'_> {
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

/// Whether the number behind the brand in a device's name is of a series: 3090 of 30 or 3000, 980 of 900. What stands in front of
/// the brand is another one.
fn is_numbered(normal: &str, brand: &str, series: &str) -> bool {
    let Some((before, behind)) = normal.split_once(brand) else { return false };
    let number = behind.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = behind.len() - number.len();
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    let (begins, length) = match series.len() {
        2 => (series, 4),
        length => (series.trim_end_matches('0'), length),
    };
    let is_round = series.len() == 2 && number[begins.len().min(end)..end].starts_with('0');
    let is_own = ["", "nvidia", "amd", "intel", "geforce", "nvidiageforce", "radeon", "amdradeon"].contains(&before);
    is_own && letters <= LONGEST_PREFIX && end == length && number.starts_with(begins) && !is_round
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

/// Makers that belong to another one, so that both names in a row are one maker's: `AMD Xilinx`.
const OWNED: &[(&str, &[&str])] = &[
    ("amd", &["xilinx", "pensando"]),
    ("google", &["coral"]),
    ("intel", &["altera", "habana", "movidius", "mobileye", "nervana"]),
    ("nvidia", &["mellanox"]),
    ("softbank", &["graphcore"]),
];

/// Makers whose devices their owner sells as its own, so that the owner's name means them, too.
const SOLD_AS_OWN: &[(&str, &[&str])] =
    &[("huawei", &["HiSilicon"]), ("alibaba", &["T-Head"]), ("intel", &["Habana"]), ("nxp", &["Freescale"])];

/// The makers whose devices a maker sells as its own.
pub(super) fn sold_as_own(maker: &str) -> &'static [&'static str] {
    let of = SOLD_AS_OWN.iter().find(|(owner, _)| owner.eq_ignore_ascii_case(maker));
    of.map(|(_, makers)| *makers).unwrap_or_default()
}

fn is_owned(owner: &str, run: &WordRun) -> bool {
    let (owner, owned) = (plain(owner), plain(&run.text));
    let same = run.readings.first().is_some_and(|reading| reading.values.iter().any(|value| plain(value) == owner));
    let is_of = |(of, all): &(&str, &[&str])| *of == owner && all.iter().any(|one| owned.starts_with(one));
    run.is(Facet::Vendor) && (same || OWNED.iter().any(is_of))
}

/// Whether a name of several words begins with the brand of a device.
pub(super) fn is_branded(name: &str) -> bool {
    let brand = name.split(' ').next().unwrap_or_default().to_lowercase();
    name.contains(' ') && HARDWARE_BRANDS.contains(&brand.as_str())
}

/// A maker in front of a product that turned out unknown is part of its name: `Intel Arc A770`.
fn with_makers(runs: Vec<WordRun>) -> Vec<WordRun> {
    let mut joined: Vec<WordRun> = Vec::new();
    for mut run in runs {
        let maker = joined.last().filter(|before| before.is(Facet::Vendor) && !before.ends());
        let is_product = is_branded(&run.text) || run.has_number() && run.text.contains(' ');
        if run.is_text() && is_product && maker.is_some() {
            let maker = joined.pop().map_or_else(String::new, |maker| maker.text);
            let text = std::mem::take(&mut run.text);
            run.text = maker;
            run.extend_unknown(&text);
        }
        joined.push(run);
    }
    joined
}

/// Whether a word counts as the Romans did: the Radeon VII.
fn is_roman(word: &str) -> bool {
    let word = plain(word);
    (1..=4).contains(&word.len()) && word.bytes().all(|byte| b"ivx".contains(&byte))
}

/// Whether an unknown word is written like a name: with a capital letter or all in capitals.
fn begins_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_uppercase()) && word.len() > 2 && !is_english(&word.to_lowercase())
}

/// Whether a word is the version of what stands in front of it: `v3`, `v0.7`.
pub(super) fn is_version(word: &str) -> bool {
    let word = plain(word);
    let parts = word.strip_prefix('v').map(|digits| digits.split('.'));
    parts.is_some_and(|mut parts| parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())))
}

#[cfg(test)]
mod tests {
    use super::is_numbered;

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
