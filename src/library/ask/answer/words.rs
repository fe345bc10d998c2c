//! Names, numbers and conditions as a person reads them: the parts that sentences are made of.

use std::borrow::Cow;

use crate::ask::execute::{Entry, EntryValue, Measured};
use crate::ask::parse::{Filter, How, Is, Key, Quantity, Span, Term, Test};
use crate::model::{Aspect, Fact, Field, Value};
use crate::rows::EntityCache;
use crate::values::text::{and_list, counted, is_like, or_list, some_of};
use crate::values::{Decimal, Grade};

/// Significant digits of numbers that sum up several.
const DIGITS_OF_SUMMARY: i32 = 3;
/// Maximum significant digits of a number from a source; a number with more was computed.
const DIGITS_OF_SOURCE: u8 = 7;
/// Significant digits of a computed number.
const DIGITS_OF_COMPUTED: u8 = 4;
/// From this many seconds on, minutes are shown as well.
const MANY_SECONDS: f64 = 120.0;
/// From this many seconds on, hours are shown instead of minutes.
const MANY_MINUTES: f64 = 7200.0;
/// Maximum number of values listed in one part of a sentence.
const MOST_VALUES: usize = 4;
/// Maximum number of items shown of a value that is a list.
const MOST_ITEMS: usize = 12;

/// The number of rows as a quantity.
pub const ROWS: &str = "rows";
pub use crate::ask::execute::SPEED_UP;

/// Formats entries and filters in words, with the names of entities.
#[derive(Debug, Clone, Copy)]
pub struct Words<'w> {
    /// The names of entities.
    pub names: &'w EntityCache<'w>,
    /// The spans of the question. Values for which the user typed one word are shown as that word.
    pub typed: &'w [Span],
}

/// Bounds of a number in words: `2 or more`, `at most 8`, `2 to 8`.
fn bounds(text: &str) -> Option<String> {
    let (low, high) = text.split_once("..")?;
    let is_number = |end: &str| end.is_empty() || end.parse::<f64>().is_ok();
    if !is_number(low) || !is_number(high) || low.is_empty() && high.is_empty() {
        return None;
    }
    Some(match (low, high) {
        (low, "") => format!("{low} or more"),
        ("", high) => format!("at most {high}"),
        (low, high) => format!("{low} to {high}"),
    })
}

impl Words<'_> {
    /// The name of a value of a filter key: that of an entity, `GPU`, `training`. A value may hold several ids.
    pub fn value(&self, key: &str, value: &Value) -> String {
        let Value::Text(text) = value else { return value.to_string() };
        if let Some(group) = self.group(key, text) {
            return group.to_owned();
        }
        if let Some(bounds) = bounds(text) {
            return bounds;
        }
        let names: Vec<Cow<'_, str>> = text.split(',').map(|one| self.name(key, one)).collect();
        // SXM, SXM2, SXM3 are one form factor.
        if key == Fact::FormFactor.key() && names.iter().all(|name| name.starts_with(&*names[0])) {
            return names[0].to_string();
        }
        some_of(&names, MOST_VALUES)
    }

    /// The user's own word for several values or a pattern: `mixed precision`, `laptops`, `vulkan`.
    fn group(&self, key: &str, values: &str) -> Option<&str> {
        // `nvlink` is read as SXM. The answer says SXM, because SXM boards differ from PCIe cards in more than the link. For power
        // modes it gives the name from the source.
        if key == Fact::FormFactor.key() || key == Field::Setting.key() {
            return None;
        }
        let is_group = |span: &&Span| {
            let is_any = |id: &str| span.values.iter().any(|value| is_like(value, id));
            let is_whole = span.values.join(",") == values;
            let stands_for_many = match span.values.iter().any(|value| value.contains('*')) {
                true => values.contains(',') && values.split(',').all(is_any) || is_whole,
                false => is_whole && span.values.len() > usize::from(span.how != How::Lexicon) + 1,
            };
            span.facet == key && stands_for_many
        };
        self.typed.iter().find(is_group).map(|span| span.text.as_str())
    }

    fn name<'n>(&'n self, key: &str, id: &'n str) -> Cow<'n, str> {
        match (key, id) {
            ("class", class) => class.to_uppercase().into(),
            ("multi-server", "yes") => "several servers".into(),
            ("multi-server", "no") => "one server".into(),
            ("stage", "train") => "training".into(),
            ("stage", "eval") => "inference".into(),
            ("label" | "timed", text) => text.into(),
            ("setting", text) => text.trim_end_matches('*').into(),
            _ => Aspect::keyed(key).map_or(id, |aspect| self.names.value_name(aspect, id)).into(),
        }
    }

    /// A condition in running text: `fp16`, `batch 16`, `1 device`, `batch not stated`.
    pub fn condition(&self, key: &str, value: Option<&Value>) -> String {
        let Some(value) = value else { return format!("{} not stated", key_name(key)) };
        if let Some(group) = self.group(key, &value.to_string()) {
            return group.to_owned();
        }
        // A leading `-` means all rows without the value, as the baseline of a speed-up.
        if let Some(other) = value.to_string().strip_prefix('-').filter(|other| !other.is_empty()) {
            return format!("without {}", self.condition(key, Some(&text(other))));
        }
        let shown = self.value(key, value);
        match Aspect::keyed(key) {
            Some(Aspect::Field(field)) => field.in_words(&shown),
            Some(aspect) if aspect.is_numeric() => with_name(aspect.heading(), &shown),
            _ => shown,
        }
    }

    /// The name of the entity to which a field refers.
    pub fn called(&self, field: Field, id: &str) -> String {
        self.condition(field.key(), Some(&text(id)))
    }

    /// The name of the entity that a quantity describes: a fact has one kind of entity, a grade is of a class.
    pub fn subject(&self, quantity: &str, id: &str) -> String {
        match Fact::of_file_key(quantity) {
            Some(fact) => self.names.name(fact.kind(), id).to_owned(),
            None => self.name("class", id).into_owned(),
        }
    }

    /// Conditions in running text, a framework with its version.
    pub fn conditions<'v>(&self, conditions: impl IntoIterator<Item = (&'v str, &'v Value)>) -> Vec<String> {
        let mut shown: Vec<String> = Vec::new();
        let mut before = "";
        for (key, value) in conditions {
            match shown.last_mut() {
                Some(name) if key.strip_suffix("-version").is_some_and(|of| of == before) => {
                    name.push_str(&format!(" {}", self.value(key, value)));
                }
                _ => shown.push(self.condition(key, Some(value))),
            }
            before = key;
        }
        shown
    }

    /// The subjects of an entry: `Tesla V100`, `2 Tesla V100`, `ResNet-50 training on A100 with PyTorch`.
    pub fn subjects<'v>(&self, subjects: impl IntoIterator<Item = (&'v String, &'v Value)>) -> String {
        let subjects: Vec<(&str, &Value)> = subjects.into_iter().map(|(key, value)| (key.as_str(), value)).collect();
        let count = subjects.iter().find(|(key, _)| *key == "device-count").map(|(_, count)| count.to_string());
        let has_device = subjects.iter().any(|(key, _)| *key == "device");
        let count = count.filter(|count| count != "1" && has_device);
        let (mut about, mut by): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for (key, value) in &subjects {
            let shown = || self.condition(key, Some(value));
            match *key {
                "device" => {
                    let device = count.as_ref().map_or_else(shown, |count| format!("{count} {}", shown()));
                    if about.is_empty() { about.push(device) } else { by.push(format!("on {device}")) }
                }
                // A product has one maker and one architecture.
                "device-count" | "vendor" | "architecture" if has_device => {}
                "class" | "instance" if !about.is_empty() => by.push(format!("on {}", shown())),
                "framework" if !about.is_empty() => by.push(format!("with {}", shown())),
                "framework-version" | "backend-version" => by.push(self.value(key, value)),
                _ => about.push(shown()),
            }
        }
        about.extend(by);
        about.join(" ")
    }

    /// The conditions that all rows of an entry share, most informative first, unstated ones last, without those in `elsewhere`.
    pub fn frame(&self, entry: &Entry, elsewhere: &[&str]) -> Vec<String> {
        let is_new = |key: &&String| {
            !elsewhere.contains(&key.as_str())
                && !entry.subjects.contains_key(*key)
                && entry.baseline.as_ref().is_none_or(|baseline| !baseline.contains_key(*key))
        };
        let own = || entry.under.iter().filter(|(key, _)| is_new(key));
        let is_silent = |key: &str, value: &Value| match Aspect::keyed(key) {
            Some(Aspect::Field(field)) => field.unstated() == Some(value.to_string().as_str()),
            _ => false,
        };
        let stated = own()
            .filter_map(|(key, value)| Some((key.as_str(), value.as_ref().filter(|value| !is_silent(key, value))?)));
        let stated = self.conditions(stated);
        let missing: Vec<&str> = own().filter(|(_, value)| value.is_none()).map(|(key, _)| key_name(key)).collect();
        let missing = (!missing.is_empty()).then(|| format!("{} not stated", or_list(&missing)));
        stated.into_iter().chain(missing).collect()
    }

    /// A filter in words: `ResNet-152, fp16, not Caffe2`.
    pub fn filter(&self, filter: &Filter) -> String {
        let terms: Vec<String> = filter.terms.iter().map(|term| self.term(term)).collect();
        terms.join(", ")
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Test(test) => self.test(test),
            Term::Not(filter) => format!("not {}", self.filter(filter)),
            Term::Any(filters) => or_list(&filters.iter().map(|filter| self.filter(filter)).collect::<Vec<_>>()),
        }
    }

    fn test(&self, test: &Test) -> String {
        use std::ops::Bound::{Excluded, Included, Unbounded};
        let key = test.key.key();
        let name = key_name(key);
        match &test.is {
            Is::OneOf(texts) if test.key == Key::Text => {
                or_list(&texts.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>())
            }
            Is::OneOf(grades) if matches!(test.key, Key::Grade(_)) => {
                format!("{} {}", quantity_name(key), or_list(grades))
            }
            Is::OneOf(values) => match self.group(key, &values.join(",")) {
                Some(group) => group.to_owned(),
                None => {
                    let more = values.len().saturating_sub(MOST_VALUES);
                    let shown = values.iter().take(MOST_VALUES).map(|value| self.condition(key, Some(&text(value))));
                    or_list(&shown.chain((more > 0).then(|| format!("{more} more"))).collect::<Vec<_>>())
                }
            },
            Is::Stated => format!("{name} stated"),
            Is::Within(low, high) => match (low, high) {
                (Included(low), Included(high)) if low == high => self.condition(key, Some(&text(&number(*low)))),
                (Included(low) | Excluded(low), Included(high) | Excluded(high)) => {
                    with_name(name, &format!("{} to {}", number(*low), number(*high)))
                }
                (Included(low), Unbounded) => format!("{name} at least {}", number(*low)),
                (Excluded(low), Unbounded) => format!("{name} above {}", number(*low)),
                (Unbounded, Included(high)) => format!("{name} at most {}", number(*high)),
                (Unbounded, Excluded(high)) => format!("{name} below {}", number(*high)),
                (Unbounded, Unbounded) => format!("{name} stated"),
            },
        }
    }

    /// The value of an entry with its unit; a range if it has no single value. `None` if neither is known.
    pub fn amount(&self, entry: &Entry) -> Option<String> {
        let unit =
            entry.unit.as_deref().filter(|_| !matches!(entry.value, Some(EntryValue::Text(_) | EntryValue::List(_))));
        let shown = |value: f64| if is_own(entry) { number(value) } else { rounded(value) };
        let (text, last) = match (&entry.value, entry.low, entry.high) {
            (Some(EntryValue::Number(value)), ..) if is_share(&entry.quantity) => {
                return Some(format!("{} %", rounded(value * 100.0)));
            }
            (Some(EntryValue::Number(value)), ..) => (shown(*value), Some((*value, *value))),
            (Some(value), ..) => (self.entry_value(&entry.quantity, value), None),
            (None, Some(low), Some(high)) if shown(low) == shown(high) => (shown(low), Some((low, high))),
            (None, Some(low), Some(high)) => (format!("{} to {}", shown(low), shown(high)), Some((low, high))),
            _ => return None,
        };
        let long = last.filter(|_| unit == Some("s")).and_then(|(low, high)| longer_unit(low, high));
        let unit = unit.map_or_else(String::new, |unit| format!(" {unit}"));
        Some(format!("{text}{unit}{}", long.map_or_else(String::new, |long| format!(" ({long})"))))
    }

    /// The lowest and the highest value of an entry with their unit; the single value if there is no range.
    pub fn range(&self, entry: &Entry) -> Option<String> {
        match (entry.low, entry.high) {
            (Some(_), Some(_)) => self.amount(&Entry { value: None, ..entry.clone() }),
            _ => self.amount(entry),
        }
    }

    /// The measured value of a candidate with its unit, its device count if there are several, and its price per hour if known.
    pub fn measured(&self, of: &Entry) -> Option<String> {
        let Measured { quantity, value, unit } = of.measured.clone()?;
        let entry = Entry { quantity, value: Some(EntryValue::Number(value)), unit, ..Entry::default() };
        let amount = self.amount(&entry).unwrap_or_default();
        let amount = match of.under.get(Field::DeviceCount.key()) {
            Some(Some(Value::Count(devices))) if *devices > 1 => format!("{amount} on {devices} devices"),
            _ => amount,
        };
        Some(match of.under.get(Field::PriceUsdPerHour.key()) {
            Some(Some(price)) => format!("{amount} at {price} USD/h"),
            _ => amount,
        })
    }

    /// A value of an entry in words, with names for the ids of entities.
    pub fn entry_value(&self, quantity: &str, value: &EntryValue) -> String {
        let named = |item: &str| self.name(quantity, item).into_owned();
        match value {
            EntryValue::Flag(yes) => if *yes { "yes" } else { "no" }.to_owned(),
            EntryValue::Number(value) => number(*value),
            EntryValue::Text(text) => named(text),
            EntryValue::List(items) => some_of(&items.iter().map(|item| named(item)).collect::<Vec<_>>(), MOST_ITEMS),
        }
    }
}

/// Whether the number of an entry was printed by a source, so that its digits are preserved.
fn is_own(entry: &Entry) -> bool {
    entry.measurements.is_empty() && entry.quantity != SPEED_UP || entry.n <= 1
}

/// Whether a quantity is a fraction that reads better in per cent.
fn is_share(quantity: &str) -> bool {
    matches!(quantity, "scaling-efficiency" | "peak-fraction" | "mfu")
}

/// The name of a filter key in a sentence: `batch`, `device memory`.
pub fn key_name(key: &str) -> &str {
    match Aspect::keyed(key) {
        Some(aspect) => without_unit(aspect.heading()),
        None => key,
    }
}

/// The name of a quantity, without its unit: `TDP` of `tdp-w`, `energy efficiency`, `memory bandwidth`.
pub fn quantity_name(key: &str) -> String {
    if let Some(fact) = Fact::of_file_key(key) {
        return fact_name(fact);
    }
    if let Some((fact, per)) = key.split_once('/') {
        return format!("{} per {}", quantity_name(fact), quantity_name(per));
    }
    match Aspect::keyed(key) {
        Some(Aspect::Fact(fact)) => fact_name(fact),
        // `items [/J]`: the counted item is part of the unit.
        Some(aspect) if !aspect.heading().starts_with("items") => without_unit(aspect.heading()).to_owned(),
        _ if key == ROWS => "rows".to_owned(),
        _ => key.replace('-', " "),
    }
}

/// The name of a requested quantity.
pub fn wanted_name(quantity: &Quantity) -> String {
    match quantity {
        Quantity::Fact(fact) => fact_name(*fact),
        Quantity::Ratio(fact, per) => format!("{} per {}", fact_name(*fact), fact_name(*per)),
        Quantity::Field(field) => field.in_prose(),
        Quantity::HardwareMetric(id) | Quantity::FrameworkMetric(id) => id.replace('-', " "),
        other => quantity_name(&other.key()),
    }
}

/// The name of a fact, without its unit.
pub fn fact_name(fact: Fact) -> String {
    let name = match fact {
        Fact::CoreLanguage => "core language",
        Fact::ApiLanguage => "interface languages",
        Fact::Hardware => "supported hardware",
        Fact::MultiServer => "training on several servers",
        Fact::TestedNetwork => "tested networks",
        Fact::TestedDataset => "tested data sets",
        Fact::License => "licence",
        Fact::Bandwidth => "memory bandwidth",
        Fact::Published => "year of publication",
        Fact::Released => "release date",
        fact => without_unit(fact.heading()),
    };
    if fact.key().starts_with("peak-") { format!("{name} peak") } else { name.to_owned() }
}

fn without_unit(heading: &str) -> &str {
    heading.split_once(" [").map_or(heading, |(name, _)| name)
}

fn with_name(heading: &str, value: &str) -> String {
    match heading.split_once(" [") {
        Some((name, unit)) => format!("{name} {value} {}", unit.trim_end_matches(']')),
        None => format!("{heading} {value}"),
    }
}

/// The sources of a number: up to two ids, otherwise how many there are.
pub fn sources(ids: &[String]) -> Option<String> {
    match ids {
        [] => None,
        [only] => Some(only.clone()),
        [one, other] => Some(format!("{one} and {other}")),
        many => Some(format!("{} sources", many.len())),
    }
}

/// `3,182 pairs`.
pub fn count_of(count: usize, one: &str, many: &str) -> String {
    let noun = if count == 1 { one } else { many };
    format!("{} {noun}", grouped(count))
}

/// `3,182 rows`.
pub fn rows(count: usize) -> String {
    count_of(count, "row", "rows")
}

/// A whole number with commas: `3,182`.
pub fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// A number as its source printed it; a computed one with four digits.
pub fn number(value: f64) -> String {
    let Ok(exact) = value.to_string().parse::<Decimal>() else { return value.to_string() };
    let digits = if exact.significant_digits() > DIGITS_OF_SOURCE { DIGITS_OF_COMPUTED } else { DIGITS_OF_SOURCE };
    exact.cut(digits).to_string()
}

/// A number rounded to three digits: `1.46`, `3410`, `24000`.
pub fn rounded(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = DIGITS_OF_SUMMARY - 1 - magnitude;
    let scale = 10f64.powi(decimals);
    let shown = (value * scale).round() / scale;
    format!("{shown:.*}", decimals.clamp(0, 12) as usize)
}

/// Seconds in the unit that a person thinks in: `39.8 min`, `2.70 min to 14.6 h`.
fn longer_unit(low: f64, high: f64) -> Option<String> {
    if high < MANY_SECONDS {
        return None;
    }
    let in_words = |seconds: f64| match seconds {
        hours if hours >= MANY_MINUTES => (rounded(hours / 3600.0), "h"),
        minutes => (rounded(minutes / 60.0), "min"),
    };
    let ((least, small), (most, unit)) = (in_words(low), in_words(high));
    Some(match (low == high, small == unit) {
        (true, _) => format!("{most} {unit}"),
        (_, true) => format!("{least} to {most} {unit}"),
        _ => format!("{least} {small} to {most} {unit}"),
    })
}

/// A grade as an adjective: `moderate`.
pub fn grade(text: &str) -> String {
    text.parse::<Grade>().map_or_else(|_| text.to_owned(), |grade| grade.to_string().to_lowercase())
}

/// The names of fields, four at most: `precision, batch, stage, dataset and 2 other fields`.
pub fn fields(fields: &[Field]) -> String {
    let more = fields.len().saturating_sub(MOST_VALUES);
    let more = (more > 0).then(|| counted(more, "other field", "other fields"));
    let names = fields.iter().take(MOST_VALUES).map(|field| field.in_prose());
    and_list(&names.chain(more).collect::<Vec<_>>())
}

fn text(value: &str) -> Value {
    Value::Text(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::Bound;

    #[test]
    fn bounds_are_said_in_words() {
        let said = |text: &str| super::bounds(text);
        assert_eq!(said("2..").as_deref(), Some("2 or more"));
        assert_eq!(said("..8").as_deref(), Some("at most 8"));
        assert_eq!(said("2..8").as_deref(), Some("2 to 8"));
        assert_eq!((said(".."), said("mlperf..x"), said("8")), (None, None, None));
    }

    #[test]
    fn numbers_have_three_digits_unless_a_source_printed_them() {
        assert_eq!(rounded(1.0 / 3.0), "0.333");
        assert_eq!(rounded(1.456), "1.46");
        assert_eq!(rounded(12_345.0), "12300");
        assert_eq!(rounded(0.999_6), "1.000");
        assert_eq!(number(897.28), "897.28");
        assert_eq!(number(1.0 / 3.0), "0.3333");
        assert_eq!(grouped(3182), "3,182");
        assert_eq!(grouped(150_086), "150,086");
        assert_eq!(grouped(12), "12");
    }

    #[test]
    fn long_times_are_given_in_minutes_or_hours_as_well() {
        assert_eq!(longer_unit(60.0, 100.0), None);
        assert_eq!(longer_unit(2390.0, 2390.0).as_deref(), Some("39.8 min"));
        assert_eq!(longer_unit(373.0, 8280.0).as_deref(), Some("6.22 min to 2.30 h"));
    }

    #[test]
    fn a_filter_is_said_in_the_words_of_its_fields() {
        let names = EntityCache::default();
        let words = Words { names: &names, typed: &[] };
        let batch = Test {
            key: Key::Aspect(Aspect::Field(Field::BatchSize)),
            is: Is::Within(Bound::Included(32.0), Bound::Unbounded),
        };
        let stage = Test { key: Key::Facet(crate::model::Facet::Stage), is: Is::OneOf(vec!["train".to_owned()]) };
        let filter = Filter { terms: vec![Term::Test(stage), Term::Not(Filter { terms: vec![Term::Test(batch)] })] };
        assert_eq!(words.filter(&filter), "training, not batch at least 32");
    }
}
