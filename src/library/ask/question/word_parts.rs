//! What a person writes as one word, as the words that it is read as: `8xV100`, `fp16|fp32`, `w/o`, plurals of products,
//! slips.

use super::error::QueryError;
use super::interpreter::Interpreter;
use super::signs::{around_arrow, is_arrow};
use super::targets::share_of_reference;
use super::vocabulary::{Meaning, meaning_of, near_word, plain};
use crate::model::{Device, Facet, Lookup as _, Name};
use crate::rows::Note;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::EntityKind;
use crate::values::spelling::normalise;

/// So many slips of words of the vocabulary are mended.
const MOST_SLIPS: usize = 8;

/// A product with so many times fewer rows than another is hardly meant where either may be.
const SELDOM: usize = 20;

/// Short forms of words that a sign is part of.
const SHORT_FORMS: &[(&str, &str)] = &[("w/", "with"), ("w/o", "without"), ("&", "and")];

/// What products and networks are called in short or often misspelt, and their names, which a number may follow: `raspi4`.
const NICKNAMES: &[(&str, &[&str])] = &[
    ("raspi", &["raspberry", "pi"]),
    ("raspis", &["raspberry", "pi"]),
    ("rasppi", &["raspberry", "pi"]),
    ("raspberrypi", &["raspberry", "pi"]),
    ("wave2vec", &["wav2vec"]),
    ("wav2vec2", &["wav2vec", "2"]),
    ("wave2vec2", &["wav2vec", "2"]),
];

/// What stands behind the name of who something is of.
const OF_OWNERS: &[&str] = &["'s", "’s"];

/// A name of several words in the plural is at least so long: `raspberry pis`.
const LEAST_LETTERS: usize = 6;

/// The plural of the name of a line of products is one of at least so many letters: `titans`.
const LEAST_LETTERS_OF_LINE: usize = 5;

impl<'q> Interpreter<'q> {
    /// The words of one without blanks; `pruning/quantization` is two where no name is spelled so.
    pub(super) fn words_in<'w>(&self, word: &'w str, before: Option<&&str>) -> Result<Vec<&'w str>, QueryError> {
        if is_arrow(word) {
            return Ok(vec![word]);
        }
        if let Some((_, written_out)) = SHORT_FORMS.iter().find(|(short, _)| word.eq_ignore_ascii_case(short)) {
            return Ok(vec![written_out]);
        }
        if let Some(around) = around_arrow(word) {
            return Ok(around.into());
        }
        if let Some(named) = by_nickname(word)
            && self.stores.database.exact(&normalise(word))?.is_empty()
        {
            return Ok(named);
        }
        if let Some((name, behind)) = self.name_and_work(word)? {
            return Ok(vec![name, behind]);
        }
        if let Some((name, size)) = self.name_and_memory(word)? {
            return Ok(vec![name, size]);
        }
        // `bert-99.9`: the name stays whole, and what it says of the accuracy is read behind it.
        if let Some((name, share)) = word.rsplit_once('-')
            && share_of_reference(share).is_some()
            && self.stores.database.exact(&normalise(name))?.iter().any(|name| name.facet == Facet::Network)
        {
            return Ok(vec![word, share]);
        }
        // `bert99`, `dlrm99.9`
        if let Some((name, share)) = self.name_and_share(word)? {
            return Ok(vec![name, share]);
        }
        // `google's tpus`: who has them is named as anywhere else.
        let owner = OF_OWNERS.iter().find_map(|ending| word.strip_suffix(ending)).filter(|owner| !owner.is_empty());
        if let Some(owner) = owner.filter(|_| meaning_of(&[word]).is_none()) {
            return Ok(parts_of(owner));
        }
        // `high/moderate/low`
        if is_scale(word) {
            return Ok(Vec::new());
        }
        // `Bow Pod16`: a pod is called by the number of its devices.
        let of_pod =
            word.get(3..).filter(|count| word[..3].eq_ignore_ascii_case("pod") && count.parse::<u32>().is_ok());
        if let Some(count) = of_pod.filter(|_| before.is_some_and(|before| plain(before) == "bow")) {
            return Ok(vec![&word[..3], count, "devices"]);
        }
        // `Bow-Pod16`
        if let Some((maker, count)) = word.split_once(['-', '_'])
            && maker.eq_ignore_ascii_case("bow")
            && count.get(..3).is_some_and(|pod| pod.eq_ignore_ascii_case("pod"))
            && count[3..].parse::<u32>().is_ok()
        {
            return Ok(vec![maker, &count[..3], &count[3..], "devices"]);
        }
        let is_word = |part: &&str| part.len() > 2 && part.chars().all(char::is_alphabetic);
        let halves: Vec<&str> = word.trim_end_matches(['?', ',', '.']).split('/').collect();
        let divides = halves.len() == 2 && halves.iter().all(is_word) && meaning_of(&[word]).is_none();
        // `flax/jax` are two frameworks, also where one of them is called by both.
        if divides && self.are_frameworks(&halves)? {
            return Ok(vec![halves[0], "or", halves[1]]);
        }
        if divides && self.stores.database.exact(&normalise(word))?.is_empty() {
            // `without dsp/npu` has neither of the two.
            let excludes = before.is_some_and(|before| matches!(meaning_of(&[before]), Some(Meaning::Without)));
            return Ok(if excludes { vec![halves[0], "or", halves[1]] } else { halves });
        }
        Ok(parts_of(word))
    }

    /// `resnet-50-inference`, `bert-training`: a name and what is done with it, where nothing is called both together.
    fn name_and_work<'w>(&self, word: &'w str) -> Result<Option<(&'w str, &'w str)>, QueryError> {
        let Some((name, behind)) = word.rsplit_once('-') else { return Ok(None) };
        let is_word = behind.len() > 3 && plain(behind).chars().all(char::is_alphabetic);
        if name.is_empty() || !is_word || meaning_of(&[word]).is_some() {
            return Ok(None);
        }
        let store = &self.stores.database;
        let says_work = |names: &[Name]| names.iter().any(|name| matches!(name.facet, Facet::Stage | Facet::Scenario));
        let is_entity =
            |name: &Name| matches!(name.facet, Facet::Network | Facet::Device | Facet::Framework | Facet::Dataset);
        let of_work = says_work(&store.exact(&normalise(behind))?) || means_work(behind);
        let is_apart = of_work
            && store.exact(&normalise(word))?.is_empty()
            && store.exact(&normalise(name))?.iter().any(is_entity);
        Ok(is_apart.then_some((name, behind)))
    }

    /// `a100-80gb`: a device and the size of its memory, where nothing is called both together.
    fn name_and_memory<'w>(&self, word: &'w str) -> Result<Option<(&'w str, &'w str)>, QueryError> {
        let Some((name, size)) = word.rsplit_once(['-', '_']) else { return Ok(None) };
        if !is_memory_size(size) || !self.stores.database.exact(&normalise(word))?.is_empty() {
            return Ok(None);
        }
        let is_device = self.stores.database.exact(&normalise(name))?.iter().any(|name| name.facet == Facet::Device);
        Ok(is_device.then_some((name, size)))
    }

    /// `bert99`, `dlrm99.9`: a network and the share of the reference's accuracy that is to be reached.
    fn name_and_share<'w>(&self, word: &'w str) -> Result<Option<(&'w str, &'w str)>, QueryError> {
        let Some(at) = word.find("99").filter(|at| *at > 0) else { return Ok(None) };
        let (name, share) = word.split_at(at);
        let word = word.trim_end_matches(['?', ',', '.', ';', ')']);
        if !name.chars().all(char::is_alphabetic) || share_of_reference(share).is_none() {
            return Ok(None);
        }
        // The name stays whole, and what it says of the accuracy is read behind it.
        let is_network = self.stores.database.exact(&normalise(word))?.iter().any(|name| name.facet == Facet::Network);
        Ok(is_network.then_some((word, share)))
    }

    /// Whether each of several words is the name of another framework.
    fn are_frameworks(&self, words: &[&str]) -> Result<bool, QueryError> {
        let mut named: Vec<Vec<String>> = Vec::new();
        for word in words {
            let names = self.stores.database.exact(&normalise(word))?;
            named
                .push(names.into_iter().filter(|name| name.facet == Facet::Framework).map(|name| name.value).collect());
        }
        let is_other = |at: usize| !named[..at].contains(&named[at]);
        Ok(named.iter().all(|ids| !ids.is_empty()) && (0..named.len()).all(is_other))
    }

    /// Whose something is, without the sign of it: the soumith of `soumith's benchmarks`.
    pub(super) fn owner<'w>(&self, word: &'w str) -> Result<&'w str, QueryError> {
        let owner = ["'s", "\u{2019}s"].iter().find_map(|sign| word.strip_suffix(sign));
        let Some(owner) = owner.filter(|owner| owner.len() > 2) else { return Ok(word) };
        let is_name =
            |word: &str| -> Result<bool, QueryError> { Ok(!self.stores.database.exact(&normalise(word))?.is_empty()) };
        Ok(if is_name(owner)? && !is_name(word)? { owner } else { word })
    }

    /// One of several products: `8 v100s`, `V100s`. A `V100S` is another product.
    pub(super) fn singular<'w>(&mut self, before: Option<&&str>, word: &'w str) -> Result<&'w str, QueryError> {
        let plain_word = word.trim_end_matches(['?', ',', '.', '!']);
        if let Some(one) = self.last_of_name(before, plain_word)? {
            self.plural_names.push(plain(one));
            return Ok(one);
        }
        if let Some(one) = self.family_of_plural(plain_word)? {
            return Ok(one);
        }
        let Some(one) = plain_word.strip_suffix('s').filter(|one| one.ends_with(|c: char| c.is_ascii_digit())) else {
            return Ok(word);
        };
        let is_count = |before: &&str| before.parse::<u32>().is_ok_and(|count| count > 1);
        let is_many = |before: &&str| matches!(plain(before).as_str(), "many" | "several" | "multiple");
        let is_several = self.has_plurals
            || before.is_some_and(|before| is_count(before) || is_many(before))
            || one.contains(|c: char| c.is_uppercase());
        let of_devices = |names: Vec<Name>| -> Vec<String> {
            names.into_iter().filter(|name| name.facet == Facet::Device).map(|name| name.value).collect()
        };
        let named = self.stores.database.exact(&normalise(plain_word))?;
        let (is_name, others) = (!named.is_empty(), of_devices(named));
        let own = of_devices(self.stores.database.exact(&normalise(one))?);
        let is_plural = !own.is_empty() && (is_several || !is_name || self.is_seldom_beside(&others, &own)?);
        self.has_plurals |= is_plural;
        if let (true, Some(other)) = (is_plural, others.first())
            && let Some(other) = self.stores.database.entity::<Device>(other)?
        {
            let note = Note::Plural { text: plain(plain_word), one: plain(one), other: other.name };
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        Ok(if is_plural { one } else { word })
    }

    /// The family of networks whose plural a word is, although one of them is called so as well: `efficientnets` are all of them,
    /// and not EfficientNet-S.
    fn family_of_plural<'w>(&self, word: &'w str) -> Result<Option<&'w str>, QueryError> {
        let is_word = |one: &&str| one.len() >= LEAST_LETTERS && one.chars().all(char::is_alphabetic);
        let Some(one) = word.strip_suffix('s').filter(is_word) else { return Ok(None) };
        if meaning_of(&[word]).is_some() {
            return Ok(None);
        }
        let networks = |word: &str| -> Result<Vec<String>, QueryError> {
            let names = self.stores.database.exact(&normalise(word))?.into_iter();
            Ok(names.filter(|name| name.facet == Facet::Network).map(|name| name.value).collect())
        };
        let (called, families) = (networks(word)?, networks(one)?);
        let [family] = families.as_slice() else { return Ok(None) };
        let is_member = !called.is_empty() && {
            let members = self.stores.database.descendants(EntityKind::Network, family)?;
            called.iter().all(|id| members.contains(id))
        };
        Ok(is_member.then_some(one))
    }

    /// The last word of a name whose plural it is, behind the rest of the name: the `pi` of `raspberry pis`.
    fn last_of_name<'w>(&self, before: Option<&&str>, word: &'w str) -> Result<Option<&'w str>, QueryError> {
        let is_word = |one: &&str| one.len() > 1 && one.chars().all(char::is_alphabetic);
        let Some(one) = word.strip_suffix('s').filter(is_word) else { return Ok(None) };
        if meaning_of(&[word]).is_some() {
            return Ok(None);
        }
        // `jetsons`
        let begins = |last: &str| -> Result<bool, QueryError> {
            let normal = match normalise(last) {
                long if long.len() >= LEAST_LETTERS_OF_LINE => long,
                short => normalise(before.map_or("", |before| before)) + &short,
            };
            let names = self.stores.database.beginning(&normal)?;
            Ok(normal.len() >= LEAST_LETTERS_OF_LINE && names.iter().any(|name| name.facet == Facet::Device))
        };
        Ok((!begins(word)? && begins(one)?).then_some(one))
    }

    /// Whether some devices have so few rows beside others that a name which both may be called by is hardly theirs: a small s
    /// behind `v100` makes several of it, one behind `l40` the L40S.
    fn is_seldom_beside(&self, few: &[String], many: &[String]) -> Result<bool, QueryError> {
        let rows = |devices: &[String]| {
            let condition = Condition::Facet(Facet::Device, devices.to_vec());
            self.stores.index.count(DocumentKind::Measurement, &condition)
        };
        Ok(!few.is_empty() && rows(few)? * SELDOM < rows(many)?)
    }

    /// The word of the vocabulary that a word is a slip of, where it is no name.
    pub(super) fn without_slip<'w>(&mut self, word: &'w str) -> Result<&'w str, QueryError> {
        if self.slips_looked_for >= MOST_SLIPS {
            return Ok(word);
        }
        let Some(near) = near_word(word) else { return Ok(word) };
        self.slips_looked_for += 1;
        let normal = normalise(word);
        if !self.stores.database.exact(&normal)?.is_empty() || !self.stores.database.beginning(&normal)?.is_empty() {
            return Ok(word);
        }
        let note = Note::Fuzzy { text: plain(word), taken_for: near.to_owned() };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
        Ok(near)
    }
}

/// The name that a short one stands for, with the number behind it.
fn by_nickname(word: &str) -> Option<Vec<&str>> {
    let trimmed = word.trim_end_matches(['?', ',', '.', ';', '!']);
    let lower = trimmed.to_lowercase();
    if let Some((_, name)) = NICKNAMES.iter().find(|(short, _)| *short == lower) {
        return Some(name.to_vec());
    }
    let letters = trimmed.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &trimmed[letters.len()..];
    let (_, name) = NICKNAMES.iter().find(|(short, _)| *short == letters.to_lowercase())?;
    (number.len() == 1).then(|| name.iter().copied().chain([number]).collect())
}

/// Whether a word lists the grades that there are: `high/moderate/low`.
fn is_scale(word: &str) -> bool {
    let mut grades = word.trim_end_matches(['?', ',', '.', ';', ')']).split('/');
    let is_grade =
        |grade: &str| matches!(grade.to_lowercase().as_str(), "high" | "good" | "moderate" | "medium" | "low");
    word.matches('/').count() > 1 && grades.all(is_grade)
}

/// Whether a word says what is done with a network or a device: `training`, `inference`.
fn means_work(word: &str) -> bool {
    match meaning_of(&[word]) {
        Some(Meaning::Names(facet, _) | Meaning::NamesAny(facet, _)) => facet == Facet::Stage,
        _ => false,
    }
}

/// `8xV100` is `8x` and `V100`; `resnet50,vgg16` and `fp16|fp32` are two words each.
fn parts_of(word: &str) -> Vec<&str> {
    if word == "$" {
        return vec!["dollars"];
    }
    if let Some(items) = word.trim_end_matches(['?', ',', '.']).strip_suffix("/$").filter(|items| !items.is_empty()) {
        return vec![items, "per", "dollar"];
    }
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    if word.contains(['|', ',']) && !is_number(word) {
        return word.split(['|', ',']).filter(|part| !part.is_empty()).flat_map(times_of).collect();
    }
    // `images/s>1000`, which is no filter for its stroke.
    if let Some(at) = word.find(['<', '>']).filter(|at| *at > 0) {
        return vec![&word[..at], &word[at..]];
    }
    if word.len() > "non-".len() && word.get(..4).is_some_and(|lead| lead.eq_ignore_ascii_case("non-")) {
        return vec![&word[..3], &word[4..]];
    }
    for suffix in ["-instruct", "-chat"] {
        if let Some(name) = word.to_lowercase().strip_suffix(suffix) {
            return vec![&word[..name.len()], &word[name.len() + 1..]];
        }
    }
    times_of(word)
}

/// Whether a word is the size of a memory: `80gb`.
fn is_memory_size(word: &str) -> bool {
    let lower = plain(word);
    let number = lower.strip_suffix("gb").or_else(|| lower.strip_suffix("gib"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn times_of(word: &str) -> Vec<&str> {
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let sign = word[digits..].chars().next();
    match sign {
        Some(sign @ ('x' | 'X' | '×' | '*')) if digits > 0 && digits <= 4 => {
            let (times, rest) = word.split_at(digits + sign.len_utf8());
            // `3x224x224` is a shape, `2x24GB` are two memories.
            let is_counted = rest.starts_with(|c: char| c.is_alphabetic()) || is_memory_size(rest);
            if is_counted { vec![times, rest] } else { vec![word] }
        }
        _ => vec![word],
    }
}

#[cfg(test)]
mod tests {
    use super::{by_nickname, times_of};

    #[test]
    fn a_short_name_stands_for_the_whole_one_with_its_number() {
        for (word, expected) in [
            ("raspi", Some("raspberry pi")),
            ("Raspi4,", Some("raspberry pi 4")),
            ("wave2vec", Some("wav2vec")),
            ("wav2vec", None),
            ("raspberry", None),
            ("raspi400", None),
        ] {
            assert_eq!(by_nickname(word).map(|words| words.join(" ")).as_deref(), expected, "{word}");
        }
    }

    #[test]
    fn what_is_counted_stands_apart_from_its_number() {
        for (word, expected) in [("8xV100", "8x V100"), ("2x24GB", "2x 24GB"), ("3x224x224", "3x224x224")] {
            assert_eq!(times_of(word).join(" "), expected);
        }
    }
}
