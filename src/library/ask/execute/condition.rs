//! Converts the filter of a question to a condition for the index.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::{Bound, RangeBounds as _};

use indexmap::IndexSet;

use crate::ask::parse::{Filter, Is, Key, Result, Term, Test};
use crate::model::{Aspect, Device, Facet, Fact, FactValue, Field, FieldType, Lookup as _, Metric, Part, rank_of};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::text::{is_like, normalise};
use crate::values::{EntityKind, Grade, Precision};

/// Years in which measurements can exist.
const YEARS: std::ops::RangeInclusive<i32> = 1940..=2200;

/// Converts a filter to an index condition. A family includes its members; a number format includes the mixed recipes that compute
/// in it. Tests that the index cannot check hold for every row here: [`checked_later`] lists them.
///
/// # Errors
///
/// When a store fails.
pub fn condition(stores: &Stores, filter: &Filter) -> Result<Condition> {
    let all = filter.terms.iter().map(|term| term_condition(stores, term)).collect::<Result<_>>()?;
    Ok(Condition::All(all))
}

/// The number of measurements that match a filter.
pub(in crate::ask) fn rows_meeting(stores: &Stores, filter: &Filter) -> Result<usize> {
    Ok(stores.index.count(DocumentKind::Measurement, &condition(stores, filter)?)?)
}

/// The entities of a kind that match a filter.
pub(super) fn entities_meeting(stores: &Stores, kind: EntityKind, filter: &Filter) -> Result<Vec<String>> {
    Ok(stores.index.entities(kind, &condition(stores, filter)?)?)
}

/// The tests that no index column can check: derived measures, and the number of rows or sources of a listed entity.
pub fn checked_later(filter: &Filter) -> impl Iterator<Item = &Test> {
    filter.tests().filter(|test| is_checked_later(&test.key))
}

fn is_checked_later(key: &Key) -> bool {
    matches!(key, Key::Aspect(Aspect::Derived(_)) | Key::Rows | Key::Sources)
}

/// The MLPerf scenario in which a system gets one sample at a time.
const SINGLE_STREAM: &str = "single-stream";

fn term_condition(stores: &Stores, term: &Term) -> Result<Condition> {
    Ok(match term {
        Term::Test(test) => test_condition(stores, test)?,
        Term::Not(filter) => {
            let mut excluded = vec![condition(stores, filter)?];
            // A row without a device may have run on the excluded one.
            if let [Term::Test(Test { key: Key::Facet(Facet::Vendor | Facet::Device), .. })] = filter.terms.as_slice() {
                excluded.push(not_stating(stores, Aspect::Field(Field::Device))?);
            }
            Condition::Not(Box::new(Condition::Any(excluded)))
        }
        Term::Any(filters) => {
            Condition::Any(filters.iter().map(|filter| condition(stores, filter)).collect::<Result<_, _>>()?)
        }
    })
}

/// The rows that do not state an aspect. Matches nothing if the aspect is not stored in a shared part.
pub(super) fn not_stating(stores: &Stores, aspect: Aspect) -> Result<Condition> {
    let Some(part) = aspect.part() else { return Ok(Condition::Any(Vec::new())) };
    let column = stores.database.aspect(aspect)?;
    // The batch size per device may follow from the global batch size.
    let of_all = || stores.database.aspect(Field::BatchSizeGlobal.into());
    let also = (aspect == Field::BatchSize.into()).then(of_all).transpose()?;
    let states_none = |share: &u32| [&column].into_iter().chain(&also).all(|of| of.number(*share) == 0);
    Ok(shares(part, (0..column.len() as u32).filter(states_none).collect()))
}

/// The condition of one test.
///
/// # Errors
///
/// When a store fails.
pub fn test_condition(stores: &Stores, test: &Test) -> Result<Condition> {
    match (&test.key, &test.is) {
        (key, _) if is_checked_later(key) => Ok(Condition::All(Vec::new())),
        (Key::Facet(Facet::Year), Is::Within(low, high)) => {
            let years = YEARS.filter(|year| (*low, *high).contains(&f64::from(*year)));
            Ok(Condition::Facet(Facet::Year, years.map(|year| year.to_string()).collect()))
        }
        (Key::Facet(Facet::Precision), Is::OneOf(names)) => precisions_condition(stores, names),
        (Key::Facet(Facet::Stage), Is::OneOf(names)) => Ok(Condition::Facet(Facet::Stage, stages(names))),
        (Key::Facet(Facet::Device), Is::OneOf(ids)) => devices_condition(stores, ids),
        (Key::Facet(facet), Is::OneOf(values)) => Ok(Condition::Facet(*facet, values.clone())),
        (Key::Facet(facet), Is::Stated | Is::Within(..)) => match Aspect::keyed(facet.key()) {
            Some(Aspect::Field(field)) => field_condition(stores, field, &Is::Stated),
            Some(Aspect::Fact(fact)) => fact_condition(stores, fact, &Is::Stated),
            _ => Ok(Condition::All(Vec::new())),
        },
        // In MLPerf, single-stream sends one sample per query: these rows state no batch size, but it is 1.
        (Key::Aspect(Aspect::Field(Field::BatchSize)), is) if *is == Is::exactly(1.0) => {
            let in_turn = vec![
                Condition::Facet(Facet::Scenario, vec![SINGLE_STREAM.to_owned()]),
                Condition::Not(Box::new(field_condition(stores, Field::BatchSize, &Is::Stated)?)),
            ];
            Ok(Condition::Any(vec![field_condition(stores, Field::BatchSize, is)?, Condition::All(in_turn)]))
        }
        (Key::Aspect(Aspect::Field(field)), is) => field_condition(stores, *field, is),
        (Key::Aspect(Aspect::Fact(fact)), is) => fact_condition(stores, *fact, is),
        (Key::Aspect(Aspect::Metric(Metric::ThroughputPerS)), Is::Within(low, high)) => {
            rate_condition(stores, *low, *high)
        }
        (Key::Aspect(Aspect::Metric(metric)), Is::Within(low, high)) => Ok(Condition::Metric(*metric, *low, *high)),
        (Key::Aspect(Aspect::Metric(metric)), Is::OneOf(_) | Is::Stated) => {
            Ok(Condition::Facet(Facet::Metric, vec![metric.key().to_owned()]))
        }
        (Key::Grade(id), is) => grade_condition(stores, id, is),
        (Key::Text, Is::OneOf(texts)) => Ok(Condition::Any(texts.iter().cloned().map(Condition::Text).collect())),
        _ => Ok(Condition::All(Vec::new())),
    }
}

/// Rows of devices. A device that is one unit of a chip, such as `rk3588-npu`, also matches rows that state the chip and the unit.
fn devices_condition(stores: &Stores, ids: &[String]) -> Result<Condition> {
    let mut any = vec![Condition::Facet(Facet::Device, ids.to_vec())];
    for (chip, unit) in ids.iter().filter_map(|id| id.rsplit_once('-')) {
        if matches!(unit, "npu" | "gpu" | "cpu") && stores.database.entity::<Device>(chip)?.is_some() {
            let of_unit = field_condition(stores, Field::ComputeUnit, &Is::OneOf(vec![unit.to_owned()]))?;
            any.push(Condition::All(vec![Condition::Facet(Facet::Device, vec![chip.to_owned()]), of_unit]));
        }
    }
    Ok(Condition::Any(any))
}

/// Rows with a throughput within bounds, or a latency of one item that corresponds to it: 30 frames/s is 33 ms.
fn rate_condition(stores: &Stores, low: Bound<f64>, high: Bound<f64>) -> Result<Condition> {
    let in_turn = |bound: Bound<f64>| match bound.map(|rate| 1000.0 / rate) {
        Bound::Included(ms) | Bound::Excluded(ms) if !ms.is_finite() => Bound::Unbounded,
        bound => bound,
    };
    let several = within(stores, Field::BatchSize, (Bound::Excluded(1.0), Bound::Unbounded))?;
    let of_one = Condition::All(vec![
        Condition::Metric(Metric::LatencyMs, in_turn(high), in_turn(low)),
        Condition::Not(Box::new(several)),
        Condition::Not(Box::new(Condition::Facet(Facet::Metric, vec![Metric::ThroughputPerS.key().to_owned()]))),
    ]);
    Ok(Condition::Any(vec![Condition::Metric(Metric::ThroughputPerS, low, high), of_one]))
}

/// All values that a test matches, to explain a family or a format; empty for bounds on measured values.
///
/// # Errors
///
/// When a store fails.
pub fn values_of(stores: &Stores, test: &Test) -> Result<Vec<String>> {
    match (&test.key, &test.is) {
        (Key::Facet(facet), Is::OneOf(names)) if let Some(kind) = facet.entity_kind() => {
            let mut ids: IndexSet<String> = names.iter().cloned().collect();
            for name in names {
                ids.extend(stores.database.descendants(kind, name)?);
            }
            Ok(ids.into_iter().collect())
        }
        (Key::Facet(Facet::Precision), Is::OneOf(names)) => Ok(recipes(names)),
        (Key::Facet(Facet::Stage), Is::OneOf(names)) => Ok(stages(names)),
        (Key::Facet(_), Is::OneOf(values)) => Ok(values.clone()),
        (Key::Aspect(Aspect::Fact(fact)), is) => Ok(with_fact(stores, *fact, is)?.into_iter().collect()),
        (Key::Aspect(Aspect::Field(field)), Is::OneOf(asked)) if field.part().is_some() => {
            let column = stores.database.aspect(Aspect::Field(*field))?;
            let is_asked = |value: &&str| asked.iter().any(|asked| passes(*field, asked, value));
            Ok(column.values().filter(is_asked).map(str::to_owned).collect())
        }
        _ => Ok(Vec::new()),
    }
}

/// Stages with their parts: inference of a language model consists of prefill and decoding.
fn stages(names: &[String]) -> Vec<String> {
    let parts = if names.iter().any(|name| name == "eval") { &["prefill", "decode"][..] } else { &[] };
    let parts = parts.iter().map(|part| (*part).to_owned()).filter(|part| !names.contains(part));
    names.iter().cloned().chain(parts).collect()
}

/// Rows of a number format: its recipe, the mixed recipes that compute in it, and for integers and fp8 rows with such weights.
fn precisions_condition(stores: &Stores, names: &[String]) -> Result<Condition> {
    let takes_weights = |name: &&String| name.starts_with("int") || name.starts_with("fp8");
    let weights: Vec<&String> = names.iter().filter(takes_weights).collect();
    let of_recipe = Condition::Facet(Facet::Precision, recipes(names));
    if weights.is_empty() {
        return Ok(of_recipe);
    }
    let is_kept_so = |value: &str| weights.iter().any(|name| value.eq_ignore_ascii_case(name));
    let of_weights = with_value(stores, Field::WeightFormat, is_kept_so)?;
    Ok(Condition::Any(vec![of_recipe, of_weights]))
}

/// The recipes that number formats include.
fn recipes(names: &[String]) -> Vec<String> {
    let mut recipes: Vec<String> = names.to_vec();
    let also = names.iter().filter_map(|name| name.parse::<Precision>().ok()?.also_meant());
    recipes.extend(also.map(|also| also.to_string()));
    recipes.dedup();
    recipes
}

fn field_condition(stores: &Stores, field: Field, is: &Is) -> Result<Condition> {
    // Sources state the recipe (`AWQ`) or the weight format that it produces (`Q4_K_M`).
    if field == Field::Quantization {
        // `q4` also means weights of four bits (`int4`) in any recipe.
        let is_of_bits = |value: &str| {
            let Is::OneOf(asked) = is else { return false };
            let bits = asked.iter().filter_map(|asked| asked.strip_prefix(['Q', 'q'])?.strip_suffix('*'));
            bits.map(|bits| format!("int{bits}")).any(|integers| integers == value)
        };
        let of = |field| with_value(stores, field, |value| is_of_values(field, is, value) || is_of_bits(value));
        return Ok(Condition::Any(vec![of(Field::Quantization)?, of(Field::WeightFormat)?]));
    }
    let is_number = matches!(field.kind(), FieldType::Count | FieldType::Number);
    match is {
        Is::Within(low, high) => within(stores, field, (*low, *high)),
        Is::Stated if field.part().is_none() && is_number => {
            Ok(Condition::Field(field, Bound::Unbounded, Bound::Unbounded))
        }
        Is::Stated => with_value(stores, field, |_| true),
        Is::OneOf(values) if is_number => {
            let numbers = values.iter().filter_map(|value| value.parse::<f64>().ok());
            let equal = |number| within(stores, field, (Bound::Included(number), Bound::Included(number)));
            Ok(Condition::Any(numbers.map(equal).collect::<Result<_, _>>()?))
        }
        Is::OneOf(_) => with_value(stores, field, |value| is_of_values(field, is, value)),
    }
}

/// Whether a value that rows state is one of the requested values.
fn is_of_values(field: Field, is: &Is, value: &str) -> bool {
    if let Is::OneOf(values) = is { values.iter().any(|asked| passes(field, asked, value)) } else { true }
}

/// The measurements with a number within bounds. A global batch size counts as its share per device if no other is stated.
fn within(stores: &Stores, field: Field, bounds: (Bound<f64>, Bound<f64>)) -> Result<Condition> {
    let Some(part) = field.part() else { return Ok(Condition::Field(field, bounds.0, bounds.1)) };
    let bounds = (widened(bounds.0, -SLACK), widened(bounds.1, SLACK));
    let column = stores.database.aspect(Aspect::Field(field))?;
    let is_within = |value: &str| value.parse().is_ok_and(|number: f64| bounds.contains(&number));
    let mut any = vec![shares(part, column.shares_with(is_within))];
    if field == Field::BatchSize {
        let counts = stores.database.aspect(Aspect::Field(Field::DeviceCount))?;
        let global = stores.database.aspect(Aspect::Field(Field::BatchSizeGlobal))?;
        let whole: Vec<Option<u64>> = global.of_shares(|text| text?.parse().ok());
        let of_all = (0..).zip(whole).filter(|(share, _)| column.number(*share) == 0);
        let of_all: Vec<(u32, u64)> = of_all.filter_map(|(share, whole)| Some((share, whole?))).collect();
        let mut setups: Vec<Vec<u32>> = vec![Vec::new(); counts.distinct() + 1];
        (0..).zip(counts.numbers()).for_each(|(setup, number)| setups[number as usize].push(setup));
        for (devices, setups) in counts.values().zip(setups.into_iter().skip(1)) {
            let Some(devices) = devices.parse::<u64>().ok().filter(|devices| *devices > 0) else { continue };
            let is_share = |whole: u64| whole.is_multiple_of(devices) && bounds.contains(&((whole / devices) as f64));
            let batches = of_all.iter().filter(|(_, whole)| is_share(*whole));
            let batches: Vec<u32> = batches.map(|(share, _)| *share).collect();
            if !batches.is_empty() {
                any.push(Condition::All(vec![shares(Part::Setup, setups), shares(Part::Batch, batches)]));
            }
        }
    }
    Ok(if any.len() == 1 { any.remove(0) } else { Condition::Any(any) })
}

/// Relative tolerance at a bound for computed numbers: 94 % is not exactly 0.94.
const SLACK: f64 = 1e-9;

fn widened(bound: Bound<f64>, by: f64) -> Bound<f64> {
    match bound {
        Bound::Included(number) => Bound::Included(number + number.abs() * by),
        other => other,
    }
}

/// The rows whose value of a field passes the test.
fn with_value(stores: &Stores, field: Field, passes: impl Fn(&str) -> bool) -> Result<Condition> {
    if let Some(part) = field.part() {
        return Ok(shares(part, stores.database.aspect(Aspect::Field(field))?.shares_with(passes)));
    }
    let mut numbers = Vec::new();
    stores.database.visit_remarks(|number, value| numbers.extend(passes(value).then_some(number)))?;
    Ok(if numbers.is_empty() { match_none() } else { Condition::Remarks(numbers) })
}

/// The entities whose fact passes, and the measurements that reference them.
fn fact_condition(stores: &Stores, fact: Fact, is: &Is) -> Result<Condition> {
    naming(stores, fact.kind(), with_fact(stores, fact, is)?.into_iter().collect())
}

/// The ids of the entities whose fact passes.
fn with_fact(stores: &Stores, fact: Fact, is: &Is) -> Result<BTreeSet<String>> {
    let wanted = if let Is::OneOf(values) = is { words_of_fact(stores, fact, values)? } else { Vec::new() };
    stated_so(stores, fact.kind(), fact.key(), is, |value, asked| match value {
        FactValue::Word(word) => wanted.contains(&normalise(word)) || is_within_bound(asked, word),
        FactValue::Number(number) => asked.parse::<f64>().is_ok_and(|asked| asked == *number),
    })
}

/// The ids of the entities whose fact or grade meets a test; `is_asked` compares a stated value with one requested value.
fn stated_so(
    stores: &Stores,
    kind: EntityKind,
    key: &str,
    is: &Is,
    is_asked: impl Fn(&FactValue, &str) -> bool,
) -> Result<BTreeSet<String>> {
    Ok(stores.database.entities_with(kind, key, |value| match (is, value) {
        (Is::Stated, _) => true,
        (Is::Within(low, high), FactValue::Number(number)) => (*low, *high).contains(number),
        (Is::Within(..), FactValue::Word(_)) => false,
        (Is::OneOf(asked), value) => asked.iter().any(|asked| is_asked(value, asked)),
    })?)
}

/// Whether a word, such as a version, meets a bound: `>=8.0`.
fn is_within_bound(asked: &str, word: &str) -> bool {
    let (bound, asked) = bound_of(asked);
    bound.is_some_and(|holds| order(word, asked).is_some_and(holds))
}

/// The normalised words that requested values mean: the entity ids that a name resolves to, and the word itself.
fn words_of_fact(stores: &Stores, fact: Fact, values: &[String]) -> Result<Vec<String>> {
    let mut words = Vec::new();
    for value in values {
        let normal = normalise(value);
        if let Some(facet) = fact.facet() {
            let names = stores.database.exact(&normal)?;
            words.extend(names.into_iter().filter(|name| name.facet == facet).map(|name| normalise(&name.value)));
        }
        words.push(normal);
    }
    Ok(words)
}

/// Entities, and the measurements that reference one of them. `ids` must be sorted.
pub(super) fn naming(stores: &Stores, kind: EntityKind, ids: Vec<String>) -> Result<Condition> {
    let Some((aspect, _)) = Aspect::of_entities().find(|(_, named)| *named == kind) else {
        return Ok(Condition::Facet(Facet::of_entities(kind), ids));
    };
    let column = stores.database.aspect(aspect)?;
    let naming = column.shares_with(|id| ids.binary_search_by(|known| known.as_str().cmp(id)).is_ok());
    let rows = aspect.part().map(|part| shares(part, naming));
    Ok(Condition::Any(rows.into_iter().chain([Condition::Entities(kind, ids)]).collect()))
}

/// The hardware classes with a grade, and the measurements of their devices.
fn grade_condition(stores: &Stores, id: &str, is: &Is) -> Result<Condition> {
    let classes = stated_so(stores, EntityKind::HardwareClass, id, is, |value, asked| {
        let grade = asked.to_lowercase().parse::<Grade>().map(rank_of);
        matches!(value, FactValue::Number(rank) if grade.is_ok_and(|grade| grade == *rank))
    })?;
    Ok(Condition::Facet(Facet::Class, classes.into_iter().collect()))
}

/// The rows that use some shares of a part.
pub(super) fn shares(part: Part, numbers: Vec<u32>) -> Condition {
    if numbers.is_empty() { match_none() } else { Condition::Shares(part, numbers) }
}

/// A condition that matches nothing.
fn match_none() -> Condition {
    Condition::Any(Vec::new())
}

/// Whether a value of a field matches the requested one: the same word, a prefix of a version or date, a pattern with `*`, a range
/// (`2018..2019-06`), a bound (`>=7.1`), a rank at least as good (`>=b`), a recipe by its first part (`q4`).
fn passes(field: Field, asked: &str, value: &str) -> bool {
    if let Some(ranks) = field.ranks() {
        return is_ranked(ranks, asked, value);
    }
    if let Some(dotted) = dotted(value).filter(|_| field == Field::Cudnn) {
        return passes(field, asked, &dotted);
    }
    if bound_of(asked).0.is_some() {
        return is_within_bound(asked, value);
    }
    if let Some((low, high)) = asked.split_once("..") {
        let above = low.is_empty() || order(value, low).is_some_and(Ordering::is_ge);
        return above && (high.is_empty() || order(value, high).is_some_and(Ordering::is_le));
    }
    if asked.contains('*') {
        return is_like(asked, value);
    }
    let begins = || value.split_once('_').is_some_and(|(first, _)| first.eq_ignore_ascii_case(asked));
    normalise(asked) == normalise(value)
        || order(value, asked).is_some_and(Ordering::is_eq)
        || field == Field::Quantization && begins()
}

/// A cuDNN version from the number in its header (`CUDNN_VERSION`: 1000 for a major version, 100 for a minor one): 7605 is 7.6.5.
fn dotted(value: &str) -> Option<String> {
    let number: u32 = value.parse().ok().filter(|number| (4000..10_000).contains(number))?;
    Some(format!("{}.{}.{}", number / 1000, number / 100 % 10, number % 100))
}

/// A test on the result of a comparison.
type Holds = fn(Ordering) -> bool;

/// Splits a leading comparison sign off a requested value: the test for the sign, and the rest.
fn bound_of(asked: &str) -> (Option<Holds>, &str) {
    let signs: [(&str, Holds); 4] =
        [(">=", Ordering::is_ge), ("<=", Ordering::is_le), (">", Ordering::is_gt), ("<", Ordering::is_lt)];
    let found = signs.iter().find_map(|(sign, holds)| Some((Some(*holds), asked.strip_prefix(sign)?)));
    found.unwrap_or((None, asked))
}

/// Whether a rank matches the requested one: equal, within a range, or at least as good. `ranks` lists the best first.
fn is_ranked(ranks: &[&str], asked: &str, value: &str) -> bool {
    let place = |text: &str| ranks.iter().position(|rank| rank.eq_ignore_ascii_case(text.trim()));
    let Some(own) = place(value) else { return false };
    if let Some((one, other)) = asked.split_once("..") {
        let (one, other) = (place(one).unwrap_or(0), place(other).unwrap_or(ranks.len()));
        return (one.min(other)..=one.max(other)).contains(&own);
    }
    let (bound, rank) = bound_of(asked);
    // A better rank counts as greater, but has the smaller index.
    place(rank).is_some_and(|wanted| bound.map_or(own == wanted, |holds| holds(wanted.cmp(&own))))
}

/// Compares versions or dates to the precision of the requested one: 9.0.176 equals 9. `None` if either is neither.
fn order(value: &str, asked: &str) -> Option<Ordering> {
    let numbers = |text: &str| -> Option<Vec<u64>> {
        text.strip_prefix('v').unwrap_or(text).split(['.', '-', '/']).map(|part| part.parse().ok()).collect()
    };
    let asked = numbers(asked)?;
    let mut value = leading_numbers(value)?;
    value.truncate(asked.len());
    Some(value.cmp(&asked))
}

/// The leading numbers of a version: `1.12.0rc1` gives 1, 12, 0.
fn leading_numbers(text: &str) -> Option<Vec<u64>> {
    let mut numbers = Vec::new();
    for part in text.strip_prefix('v').unwrap_or(text).split(['.', '-', '/', '+', ' ']) {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let Ok(number) = part[..digits].parse() else { break };
        numbers.push(number);
        if digits < part.len() {
            break;
        }
    }
    (!numbers.is_empty()).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_met_by_its_beginning() {
        for (asked, value, expected) in [
            ("9", "9.0.176", true),
            ("9.0", "9.0.176", true),
            ("9", "90", false),
            ("1.12", "1.12.0rc1", true),
            ("1.1", "1.12", false),
            (">=10", "9.2", false),
            (">=10", "10.1", true),
            ("<10", "9.2", true),
            ("2018..2019-06", "2019-06-15", true),
            ("2018..", "2017-12", false),
            ("NHWC", "nhwc", true),
            ("*flow*", "TensorFlow 1", true),
            ("*flow", "TensorFlow 1", false),
            ("11.0", "1111", false),
        ] {
            assert_eq!(passes(Field::Cuda, asked, value), expected, "{asked} {value}");
        }
        assert!(passes(Field::Cudnn, "7.6", "7605") && !passes(Field::Cudnn, "7.6", "8004"));
        assert!(passes(Field::Quantization, "q4", "Q4_K_M") && !passes(Field::Quantization, "q4", "Q5_K_M"));
    }

    #[test]
    fn a_better_rank_is_more() {
        const RANKS: &[&str] = &["a", "b", "c", "d"];
        let of = |asked: &str| RANKS.iter().filter(|rank| is_ranked(RANKS, asked, rank)).copied().collect::<String>();
        for (asked, expected) in [
            ("b", "b"),
            ("B", "b"),
            ("a..c", "abc"),
            ("c..a", "abc"),
            ("..b", "ab"),
            ("c..", "cd"),
            (">=b", "ab"),
            (">a", ""),
            ("<=c", "cd"),
            ("<d", ""),
            ("e", ""),
        ] {
            assert_eq!(of(asked), expected, "{asked}");
        }
    }
}
