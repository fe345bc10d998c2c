//! What is faster than something that is named, or slower, `gpus faster than a V100 on bert`: how many times as fast each is over
//! pairs of rows that are alike in all else.

use std::collections::{BTreeMap, BTreeSet};

use super::ranked_rows::of_layers;
use crate::ask::conclude::basis::axis_condition::without_metric;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, sources};
use crate::ask::conclude::basis::listed_kinds::plural;
use crate::ask::conclude::basis::wording::{Names, rounded, three};
use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, NumberMap, PartNumbers, SharedValues};
use crate::ask::question::{Beyond, Clause, QueryError, Question};
use crate::model::{Aspect, Direction, Field, Metric, Part, Value};
use crate::stores::Stores;
use crate::values::text::{and_list, counted};

/// What is compared: what the first of these pairs is not paired by a later one again.
const OF_SPEED: &[Metric] = &[Metric::ThroughputPerS, Metric::LatencyMs, Metric::EpochS, Metric::TimeToAccuracyS];

/// So many are told, and so many have entries.
const TOLD: usize = 6;
const MOST_ENTRIES: usize = 30;

/// So many rows of each stand behind its entry.
const MOST_ROWS: usize = 8;

/// Measures are those of whole networks.
const NO_LAYER: u32 = 0;

/// The best value of each candidate under one key, with its row.
type BestRuns = BTreeMap<u32, (f64, u64, PartNumbers)>;

/// The pairs of one candidate with what is named.
#[derive(Default)]
struct Paired {
    /// Of each pair how many times as good the candidate is, as a logarithm.
    ratios: Vec<f64>,
    rows: Vec<u64>,
    parts: Vec<PartNumbers>,
    /// Of how many pairs neither row states its precision.
    without_precision: usize,
}

impl Paired {
    /// What is said where no row states its precision, which may differ.
    fn caveat(&self) -> &'static str {
        if self.without_precision == self.ratios.len() { ", precision not stated" } else { "" }
    }

    fn ratio(&self) -> f64 {
        (self.ratios.iter().sum::<f64>() / self.ratios.len().max(1) as f64).exp()
    }
}

/// Tells what is faster, or slower; `None` where a question does not ask for that.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Option<Conclusion>, QueryError> {
    let Some(Beyond { field, reference, is_faster }) = &question.wanted.beyond else { return Ok(None) };
    let field = *field;
    let values = SharedValues::read(stores)?;
    let hits = HitColumns::of(stores, &without_metric(question).condition_without(None), OF_SPEED)?;
    let named: BTreeSet<&str> =
        reference.readings.iter().flat_map(|reading| &reading.read_as.values).map(String::as_str).collect();
    let text_of = |parts: &PartNumbers| values.text(Aspect::Field(field), parts).map(str::to_owned);
    let mut paired: BTreeMap<String, Paired> = BTreeMap::new();
    let mut unpaired: BTreeSet<String> = BTreeSet::new();
    let (mut of_reference, mut rows) = (0, 0);
    for &metric in OF_SPEED {
        let keys = ComparisonKeys::new(&values, metric, varied(field));
        let of_metric = pairs_of(&Rows { values: &values, hits: &hits, keys: &keys, field }, metric, &named);
        for (id, pairs) in of_metric {
            paired.entry(id).or_insert(pairs);
        }
    }
    for hit in 0..hits.len() {
        let Some(id) = text_of(&hits.parts(hit)) else { continue };
        match named.contains(id.as_str()) {
            true => of_reference += 1,
            false => {
                rows += 1;
                if !paired.contains_key(&id) {
                    unpaired.insert(id);
                }
            }
        }
    }
    let noun = field.entity_kind().map_or("value", |kind| kind.noun());
    let nouns = field.entity_kind().map_or_else(|| "values".to_owned(), plural);
    let word = if *is_faster { "faster" } else { "slower" };
    let all = paired.len();
    let mut beyond: Vec<(String, Paired)> =
        paired.into_iter().filter(|(_, pairs)| (pairs.ratio() > 1.0) == *is_faster).collect();
    beyond.sort_by(|(one, a), (other, b)| {
        let order = b.ratio().total_cmp(&a.ratio());
        (if *is_faster { order } else { order.reverse() }).then_with(|| one.cmp(other))
    });
    let name = &reference.text;
    if all == 0 {
        let rows = counted(rows, "row", "rows");
        let text = format!(
            "It is not known which {nouns} are {word} than `{name}`: of its {} none is alike in all else to any of the {rows} of other {nouns}.",
            counted(of_reference, "row", "rows")
        );
        return Ok(Some(Conclusion { text, entries: Vec::new() }));
    }
    let (mut names, mut ids) = (Names::default(), RowIds::default());
    let mut told = Vec::new();
    for (id, pairs) in beyond.iter().take(TOLD) {
        let name = names.of(Aspect::Field(field), id, stores)?;
        told.push(format!(
            "{name} ({} times as fast, {}{})",
            three(pairs.ratio()),
            counted(pairs.ratios.len(), "pair", "pairs"),
            pairs.caveat()
        ));
    }
    if let Some(more) = beyond.len().checked_sub(TOLD).filter(|more| *more > 0) {
        told.push(format!("{more} more"));
    }
    let mut text = match beyond.len() {
        0 => format!("No {noun} is {word} than `{name}` in rows that are alike in all else"),
        1 => format!("1 {noun} is {word} than `{name}` in rows that are alike in all else: {}", told[0]),
        many => {
            format!("{many} {nouns} are {word} than `{name}` in rows that are alike in all else: {}", and_list(&told))
        }
    };
    let others = match all - beyond.len() {
        0 => "no other can be paired with it".to_owned(),
        1 => format!("of {} that can be paired with it 1 is not", counted(all, noun, &nouns)),
        many => format!("of {} that can be paired with it {many} are not", counted(all, noun, &nouns)),
    };
    text.push_str(&format!("; {others}."));
    if !unpaired.is_empty() {
        text.push_str(&format!(
            " {} more {} such rows and none that is alike in all else.",
            unpaired.len(),
            if unpaired.len() == 1 { "has" } else { "have" }
        ));
    }
    let mut entries = Vec::new();
    let subject = |id: &str| [(field.key().to_owned(), Value::Text(id.into()))].into_iter().collect();
    for (id, pairs) in beyond.iter().take(MOST_ENTRIES) {
        let ratios = || pairs.ratios.iter().copied();
        entries.push(Entry {
            subjects: subject(id),
            baseline: first_named(reference).map(subject),
            quantity: "speed-up".to_owned(),
            value: Some(EntryValue::Number(rounded(pairs.ratio()))),
            low: ratios().reduce(f64::min).filter(|_| pairs.ratios.len() > 1).map(|low| rounded(low.exp())),
            high: ratios().reduce(f64::max).filter(|_| pairs.ratios.len() > 1).map(|high| rounded(high.exp())),
            n: pairs.ratios.len(),
            measurements: ids.of(stores, &pairs.rows[..pairs.rows.len().min(MOST_ROWS)])?,
            sources: sources(&values, &pairs.parts),
            ..Entry::default()
        });
    }
    Ok(Some(Conclusion { text, entries }))
}

/// What is named itself, of which others are members.
fn first_named(reference: &Clause) -> Option<&str> {
    reference.readings.first()?.read_as.values.first().map(String::as_str)
}

/// What varies between candidates: a network comes with the input that it was made for.
fn varied(field: Field) -> &'static [Field] {
    match field {
        Field::Network => &[Field::Network, Field::InputShape],
        Field::Framework => &[Field::Framework, Field::FrameworkVersion],
        _ => &[Field::Device],
    }
}

/// The rows that are paired.
struct Rows<'r> {
    values: &'r SharedValues,
    hits: &'r HitColumns,
    keys: &'r ComparisonKeys,
    field: Field,
}

/// The pairs of each candidate with what is named, by one metric.
fn pairs_of(rows: &Rows<'_>, metric: Metric, named: &BTreeSet<&str>) -> BTreeMap<String, Paired> {
    let Rows { values, hits, keys, field } = rows;
    let layers = of_layers(values);
    let lower = metric.direction() == Direction::Lower;
    let mut frames: NumberMap<ComparisonKey, BestRuns> = NumberMap::default();
    for (hit, &value) in hits.values(metric).iter().enumerate().filter(|(_, value)| **value > 0.0) {
        let parts = hits.parts(hit);
        let is_layer = layers.get(parts[Part::Workload as usize] as usize).copied().unwrap_or_default();
        let candidate = values.number(Aspect::Field(*field), &parts);
        if is_layer || candidate == 0 || !values.stands(&parts) || values.is_extreme(&parts) {
            continue;
        }
        let Some(key) = keys.key(values, &parts, NO_LAYER) else { continue };
        let place = (value, hits.row(hit), parts);
        let known = frames.entry(key).or_default().entry(candidate).or_insert(place);
        if (value < known.0) == lower && value != known.0 {
            *known = place;
        }
    }
    let mut paired: BTreeMap<String, Paired> = BTreeMap::new();
    let id_of = |parts: &PartNumbers| values.text(Aspect::Field(*field), parts).map(str::to_owned);
    for frame in frames.into_values() {
        let of_named =
            frame.values().filter(|(_, _, parts)| id_of(parts).is_some_and(|id| named.contains(id.as_str())));
        let best = of_named.min_by(|a, b| if lower { a.0.total_cmp(&b.0) } else { b.0.total_cmp(&a.0) });
        let Some(&(own, row, own_parts)) = best else { continue };
        for (value, other, parts) in frame.values() {
            let Some(id) = id_of(parts).filter(|id| !named.contains(id.as_str())) else { continue };
            let ratio = if lower { own / value } else { value / own };
            let pairs = paired.entry(id).or_default();
            pairs.ratios.push(ratio.ln());
            let states = |parts: &PartNumbers| values.number(Aspect::Field(Field::Precision), parts) > 0;
            pairs.without_precision += usize::from(!states(parts) && !states(&own_parts));
            pairs.rows.extend([*other, row]);
            pairs.parts.extend([*parts, own_parts]);
        }
    }
    paired
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::{Beyond, Clause, Intent};
    use crate::model::{Facet, Field};
    use crate::stores::index::Condition;

    #[test]
    fn what_is_faster_in_like_rows_is_told_with_how_much() {
        let rows = r#"
[[table]]
columns = ["device", "batch-size", "throughput-per-s"]
rows = [["nova", 8, 200], ["core", 8, 100], ["nova", 16, 450], ["core", 16, 100], ["ember", 32, 900]]
"#;
        let sample = Sample::without("batch-size = 16\n", &[("paper-2020", rows)]);
        let mut question = sample.question("", Intent::Ranking);
        let named = |id: &str| {
            let values = vec![id.to_owned()];
            let condition = Condition::Facet(Facet::Device, values.clone());
            Clause::of(id, Facet::Device.key(), values, format!("device:{id}"), condition)
        };
        let beyond = |id, is_faster| Some(Beyond { field: Field::Device, reference: named(id), is_faster });
        question.wanted.beyond = beyond("core", true);
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device nova 3"], "{}", conclusion.text);
        assert!(
            conclusion.text.starts_with("1 device is faster than `core` in rows that are alike in all else: Nova (3.00 times as fast, 2 pairs); no other can be paired with it. 1 more has such rows"),
            "{}",
            conclusion.text
        );
        question.wanted.beyond = beyond("nova", true);
        assert!(sample.conclude(&question).text.starts_with("No device is faster than `nova`"), "none is");
    }
}
