//! Bounds on versions in words: `before cuda 8`, `pytorch older than 1.0`, `cudnn 7 or newer`, `tensorflow 1.4 to 1.12`, `cuda 10+`.

use crate::ask::question::clause::Clause;
use crate::ask::question::error::QueryError;
use crate::ask::question::filters::passes;
use crate::ask::question::grammar::Operator;
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::versions::{NAMED_FIELDS, is_version};
use crate::ask::question::vocabulary::plain;
use crate::ask::question::years::year_of;
use crate::model::{Aspect, Facet, Field, Part};
use crate::stores::index::Condition;
use crate::stores::resolve::named;

/// Words in front of a version, or of the software whose version follows.
const IN_FRONT: &[(&[&str], Operator)] = &[
    (&["older", "than"], Operator::Less),
    (&["earlier", "than"], Operator::Less),
    (&["lower", "than"], Operator::Less),
    (&["less", "than"], Operator::Less),
    (&["prior", "to"], Operator::Less),
    (&["before"], Operator::Less),
    (&["below"], Operator::Less),
    (&["under"], Operator::Less),
    (&["<"], Operator::Less),
    (&["no", "newer", "than"], Operator::LessOrEqual),
    (&["not", "newer", "than"], Operator::LessOrEqual),
    (&["at", "most"], Operator::LessOrEqual),
    (&["up", "to"], Operator::LessOrEqual),
    (&["until"], Operator::LessOrEqual),
    (&["<="], Operator::LessOrEqual),
    (&["newer", "than"], Operator::Greater),
    (&["later", "than"], Operator::Greater),
    (&["higher", "than"], Operator::Greater),
    (&["greater", "than"], Operator::Greater),
    (&["more", "recent", "than"], Operator::Greater),
    (&["after"], Operator::Greater),
    (&["above"], Operator::Greater),
    (&[">"], Operator::Greater),
    (&["no", "older", "than"], Operator::GreaterOrEqual),
    (&["not", "older", "than"], Operator::GreaterOrEqual),
    (&["at", "least"], Operator::GreaterOrEqual),
    (&["since"], Operator::GreaterOrEqual),
    (&[">="], Operator::GreaterOrEqual),
];

/// Words behind a version.
const BEHIND: &[(&[&str], Operator)] = &[
    (&["newer"], Operator::GreaterOrEqual),
    (&["later"], Operator::GreaterOrEqual),
    (&["higher"], Operator::GreaterOrEqual),
    (&["above"], Operator::GreaterOrEqual),
    (&["up"], Operator::GreaterOrEqual),
    (&["older"], Operator::LessOrEqual),
    (&["earlier"], Operator::LessOrEqual),
    (&["lower"], Operator::LessOrEqual),
    (&["below"], Operator::LessOrEqual),
];

/// A bound says no more than this with all its words.
const LONGEST: usize = 8;

/// Which versions are meant.
#[derive(Debug, Clone, PartialEq)]
enum VersionBound {
    /// On one side of a version.
    Than(Operator, String),
    /// From one version to another.
    Range(String, String),
}

impl VersionBound {
    fn is_met_by(&self, version: &str) -> bool {
        match self {
            Self::Than(operator, bound) => passes(*operator, bound, version),
            Self::Range(..) => passes(Operator::Is, self.in_filter().trim_start_matches(':'), version),
        }
    }

    /// As a filter writes it behind its key.
    fn in_filter(&self) -> String {
        match self {
            Self::Than(operator, bound) => format!("{}{bound}", operator.sign()),
            Self::Range(low, high) => format!(":{low}..{high}"),
        }
    }

    /// The numbers that stand in it.
    fn versions(&self) -> Vec<&str> {
        match self {
            Self::Than(_, bound) => vec![bound],
            Self::Range(low, high) => vec![low, high],
        }
    }
}

/// What has versions.
enum Software {
    Field(Field),
    Framework(String),
}

impl Interpreter<'_> {
    /// The bound on a version that these words begin with, and how many of them say it.
    pub(in crate::ask::question) fn version_bound(
        &self,
        words: &[&str],
    ) -> Result<Option<(usize, Clause)>, QueryError> {
        let near = &words[..words.len().min(LONGEST)];
        let has_version = near.iter().any(|word| version_in(word).is_some() || range_in(word).is_some());
        if !has_version || !near.iter().any(|word| is_of_bound(word)) {
            return Ok(None);
        }
        let lead = phrase_at(IN_FRONT, near).map_or(0, |(taken, _)| taken);
        let between = usize::from(plain(near[0]) == "between");
        let at = lead.max(between);
        let Some((length, software)) = self.software(&near[at.min(near.len())..])? else { return Ok(None) };
        let behind = &near[at + length..];
        let same = |words: &[&str]| -> usize { same_name(&near[at..at + length], words) };
        let read = match (phrase_at(IN_FRONT, near), between) {
            (Some((_, operator)), _) => version_at(behind).map(|bound| (1, VersionBound::Than(operator, bound))),
            (None, 1) => range(behind, "and", &same),
            (None, _) => bound_behind_name(behind, self.hints.tells_change, &same),
        };
        let Some((taken, bound)) = read else { return Ok(None) };
        let taken = at + length + taken;
        let text = words[..taken].join(" ");
        self.bounded(&text, &software, &bound).map(|clause| clause.map(|clause| (taken, clause)))
    }

    /// The software that words begin with, and how many of them name it.
    fn software(&self, words: &[&str]) -> Result<Option<(usize, Software)>, QueryError> {
        let Some(first) = words.first().map(|word| plain(word)) else { return Ok(None) };
        if let Some((_, field)) = NAMED_FIELDS.iter().find(|(name, _)| *name == first) {
            let says_version = words.get(1).is_some_and(|word| plain(word) == "version");
            return Ok(Some((1 + usize::from(says_version), Software::Field(*field))));
        }
        for length in (1..=words.len().min(3)).rev() {
            let names = named(&words[..length], &self.stores.database)?;
            if let Some(name) = names.into_iter().find(|name| name.facet == Facet::Framework) {
                let says_version = words.get(length).is_some_and(|word| plain(word) == "version");
                return Ok(Some((length + usize::from(says_version), Software::Framework(name.value))));
            }
        }
        Ok(None)
    }

    /// The rows whose version a bound leaves; `None` where the number is a year, of which no version is called.
    fn bounded(&self, text: &str, software: &Software, bound: &VersionBound) -> Result<Option<Clause>, QueryError> {
        let (field, version, sign) = match software {
            Software::Field(field) => (*field, *field, bound.in_filter()),
            Software::Framework(_) => (Field::Framework, Field::FrameworkVersion, bound.in_filter()),
        };
        let are_years = bound.versions().iter().all(|version| year_of(version).is_some());
        let Software::Framework(id) = software else {
            if are_years {
                return Ok(None);
            }
            let (condition, _) = self.with_value(field, |value| bound.is_met_by(value))?;
            let filter = format!("{field}{sign}");
            return Ok(Some(Clause::of(text, field.key(), vec![sign], filter, condition)));
        };
        let running = |name: Field, of: Field| -> Result<Vec<(u32, String)>, QueryError> {
            let shares = self.stores.database.aspect(Aspect::Field(name))?.shares_with(|value| value == id);
            let of = self.stores.database.aspect(Aspect::Field(of))?;
            Ok(shares.into_iter().filter_map(|share| Some((share, of.of(share)?.to_owned()))).collect())
        };
        let own = running(Field::Framework, Field::FrameworkVersion)?;
        let behind = running(Field::Backend, Field::BackendVersion)?;
        // Some frameworks call their versions by years.
        let is_year =
            |(_, version): &(u32, String)| version.split('.').next().is_some_and(|first| year_of(first).is_some());
        if are_years && !own.iter().chain(&behind).any(is_year) {
            return Ok(None);
        }
        let mut filter = format!("framework:{id} framework-version{sign}");
        if !behind.is_empty() {
            filter = format!("({filter} OR (backend:{id} backend-version{sign}))");
        }
        let met = own.into_iter().chain(behind).filter(|(_, version)| bound.is_met_by(version));
        let mut shares: Vec<u32> = met.map(|(share, _)| share).collect();
        shares.sort_unstable();
        shares.dedup();
        let condition = match shares.is_empty() {
            true => Condition::Any(Vec::new()),
            false => Condition::Shares(Part::Setup, shares),
        };
        let values = vec![id.clone(), sign];
        Ok(Some(Clause::of(text, version.key(), values, filter, condition)))
    }
}

/// `older than 1.0`, `1.0 or newer`, `10+`, `1.4 to 1.12`, `9-11` behind the name of the software.
fn bound_behind_name(
    words: &[&str],
    tells_change: bool,
    same: &impl Fn(&[&str]) -> usize,
) -> Option<(usize, VersionBound)> {
    if let Some((lead, operator)) = phrase_at(IN_FRONT, words) {
        return Some((lead + 1, VersionBound::Than(operator, version_at(&words[lead..])?)));
    }
    if words.first().is_some_and(|word| plain(word) == "between") {
        return range(&words[1..], "and", same).map(|(taken, bound)| (1 + taken, bound));
    }
    let first = plain(words.first()?);
    if let Some((low, high)) = range_in(&first) {
        return Some((1, VersionBound::Range(low, high)));
    }
    if let Some(version) = first.strip_suffix('+').filter(|version| is_version(version)) {
        return Some((1, VersionBound::Than(Operator::GreaterOrEqual, version.to_owned())));
    }
    let version = version_at(words)?;
    let joins = words.get(1).is_some_and(|word| matches!(plain(word).as_str(), "or" | "and"));
    if let Some((taken, operator)) = phrase_at(BEHIND, words.get(2..).unwrap_or_default()).filter(|_| joins) {
        // `1.0 and newer than pascal` begins something else.
        let goes_on = words.get(2 + taken).is_some_and(|word| plain(word) == "than");
        return (!goes_on).then_some((2 + taken, VersionBound::Than(operator, version)));
    }
    if words.get(1).is_some_and(|word| matches!(plain(word).as_str(), "onwards" | "onward")) {
        return Some((2, VersionBound::Than(Operator::GreaterOrEqual, version)));
    }
    // `did it get faster from 1.4 to 1.12` sets the two against each other.
    if tells_change { None } else { range(words, "to", same) }
}

/// `9 and 11`, `9 to cuda 11`.
fn range(words: &[&str], to: &str, same: &impl Fn(&[&str]) -> usize) -> Option<(usize, VersionBound)> {
    let low = version_at(words)?;
    if plain(words.get(1)?) != to {
        return None;
    }
    let again = same(&words[2..]);
    let high = version_at(&words[2 + again..])?;
    Some((3 + again, VersionBound::Range(low, high)))
}

/// How many words repeat a name.
fn same_name(name: &[&str], words: &[&str]) -> usize {
    let repeats = words.len() >= name.len() && name.iter().zip(words).all(|(one, word)| plain(one) == plain(word));
    if repeats { name.len() } else { 0 }
}

fn phrase_at(table: &[(&[&str], Operator)], words: &[&str]) -> Option<(usize, Operator)> {
    let is = |phrase: &[&str]| {
        words.len() >= phrase.len() && phrase.iter().zip(words).all(|(one, word)| plain(word) == *one || word == one)
    };
    table.iter().find(|(phrase, _)| is(phrase)).map(|(phrase, operator)| (phrase.len(), *operator))
}

/// Whether a word is a part of what says a bound.
fn is_of_bound(word: &str) -> bool {
    let word = plain(word);
    let begins = |(phrase, _): &(&[&str], Operator)| phrase[0] == word;
    IN_FRONT.iter().any(begins)
        || BEHIND.iter().any(begins)
        || matches!(word.as_str(), "between" | "to" | "onwards" | "onward")
        || word.ends_with('+')
        || range_in(&word).is_some()
}

fn version_at(words: &[&str]) -> Option<String> {
    version_in(words.first()?)
}

/// The version that a word is, without the `v` in front.
fn version_in(word: &str) -> Option<String> {
    let word = plain(word);
    let bare = word.trim_end_matches('+').trim_end_matches(".x");
    is_version(bare).then(|| bare.trim_start_matches('v').to_owned())
}

/// `9-11`
fn range_in(word: &str) -> Option<(String, String)> {
    let word = plain(word);
    let (low, high) = word.split_once(['-', '–'])?;
    (is_version(low) && is_version(high)).then(|| (low.to_owned(), high.to_owned()))
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    const ROWS: &str = r#"
[[table]]
columns = ["framework", "framework-version", "cuda", "throughput-per-s"]
rows = [
  ["firelight", "0.9", "7.5", 100],
  ["firelight", "1.2", "8.0.61", 200],
  ["firelight", "1.10", "9.2", 300],
  ["firelight", "2.0", "10.1", 400],
]
"#;

    #[test]
    fn versions_are_bounded_in_every_usual_form() {
        let sample = Sample::without("framework = \"firelight\"\n", &[("paper-2020", ROWS)]);
        for (question, filter, rows) in [
            ("deepnet-50 before cuda 8", "cuda<8", 1),
            ("deepnet-50 older than cuda 9", "cuda<9", 2),
            ("deepnet-50 with cuda 9 or newer", "cuda>=9", 2),
            ("deepnet-50 cuda 9+", "cuda>=9", 2),
            ("deepnet-50 since cuda 8", "cuda>=8", 3),
            ("deepnet-50 after cuda 8", "cuda>8", 2),
            ("deepnet-50 cuda older than 9", "cuda<9", 2),
            ("deepnet-50 between cuda 8 and 9", "cuda:8..9", 2),
            ("deepnet-50 between cuda 8 and cuda 9", "cuda:8..9", 2),
            ("deepnet-50 cuda 8-9", "cuda:8..9", 2),
            ("deepnet-50 cuda < 8", "cuda<8", 1),
            ("deepnet-50 firelight older than 1.10", "framework:firelight framework-version<1.10", 2),
            ("deepnet-50 firelight 1.x or newer", "framework:firelight framework-version>=1", 3),
            ("deepnet-50 before firelight 1.0", "framework:firelight framework-version<1.0", 1),
            ("deepnet-50 firelight up to 1.2", "framework:firelight framework-version<=1.2", 2),
            // No version is called by a year.
            ("deepnet-50 firelight before 2016", "year<2016", 0),
        ] {
            let read = understand(question, &sample.stores).unwrap();
            let filters: Vec<&str> = read.clauses.iter().map(|clause| clause.equivalent.as_str()).collect();
            assert!(filters.contains(&filter), "{question}: {filters:?}");
            let found = sample.stores.index.measurements(&read.condition_without(None), None, &[], 0, 0).unwrap();
            assert_eq!(found.total, rows, "{question}: {filters:?}");
        }
    }
}
