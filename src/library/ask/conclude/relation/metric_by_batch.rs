//! Another metric than speed along the batch: how power, energy or memory change with it.

use indexmap::IndexMap;

use crate::ask::conclude::basis::axis_condition::condition_beside;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources};
use crate::ask::conclude::basis::matched_pairs::Spread;
use crate::ask::conclude::basis::measures::derivable;
use crate::ask::conclude::basis::series::{Series, series_along};
use crate::ask::conclude::basis::wording::{Names, name_of, rounded, three, unit};
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::{Quantity, QueryError, Question};
use crate::model::{Aspect, Field, Measure, Metric, Value};
use crate::stores::Stores;
use crate::values::text::{and_list, counted};

/// What varies along the axis.
const VARIED: &[Field] = &[Field::BatchSize, Field::BatchSizeGlobal];

/// So many series are told, and so many places of one.
const MOST_SERIES: usize = 2;
const MOST_PLACES: usize = 10;

/// The metric that a question asks for along the batch, where it is none of speed.
pub(super) fn metric_of(question: &Question) -> Option<Metric> {
    let named = question.wanted.quantities.iter().filter_map(|quantity| match quantity {
        Quantity::Metric(metric) => Some(*metric),
        _ => None,
    });
    let named: Vec<Metric> = named.collect();
    let of_speed =
        |metric: &Metric| matches!(metric, Metric::ThroughputPerS | Metric::LatencyMs | Metric::MeanLatencyMs);
    if named.iter().any(of_speed) { None } else { named.first().copied() }
}

/// Tells how a metric changes with the batch.
pub(super) fn conclude(stores: &Stores, question: &Question, metric: Metric) -> Result<Conclusion, QueryError> {
    let values = SharedValues::read(stores)?;
    let (condition, _) = condition_beside(question, Field::BatchSize);
    let hits = HitColumns::of(stores, &condition, &[metric])?;
    let series = series_along(&values, &hits, metric, VARIED, |parts| values.batch(parts));
    let name = name_of(Measure::Metric(metric));
    if series.is_empty() {
        let stating = hits.values(metric).iter().filter(|value| value.is_finite()).count();
        let known = derivable(metric).iter().map(|derived| name_of(Measure::Derived(*derived))).next();
        let instead = known.map_or_else(String::new, |known| format!(" What may be asked for instead: {known}."));
        let text = format!(
            "How the {name} changes with the batch is not known: no two rows differ in the batch size alone and state it \
             ({} it).{instead}",
            if stating == 1 { "1 row states".to_owned() } else { format!("{stating} rows state") }
        );
        return Ok(Conclusion { text, entries: Vec::new() });
    }
    let mut names = Names::default();
    let mut ids = RowIds::default();
    let (mut told, mut entries) = (Vec::new(), Vec::new());
    for one in series.iter().take(MOST_SERIES) {
        let parts: Vec<PartNumbers> = one.values().map(|run| run.parts).collect();
        let under = shared(&values, &parts, VARIED);
        let stated = under.iter().filter(|(_, value)| value.is_some()).map(|(key, value)| (key.clone(), value.clone()));
        let frame = names.frame(&stated.collect(), stores)?;
        let source = and_list(&sources(&values, &parts));
        let counts = parts.first().and_then(|parts| values.text(Aspect::Field(Field::Counts), parts));
        let unit = unit(Measure::Metric(metric), counts);
        let places: Vec<String> =
            one.iter().take(MOST_PLACES).map(|(batch, run)| format!("{batch} {}", three(run.value))).collect();
        let more = if one.len() > MOST_PLACES { " …" } else { "" };
        let in_unit = unit.as_ref().map_or_else(String::new, |unit| format!(" [{unit}]"));
        told.push(format!("{frame}{in_unit}: {}{more} ({source})", places.join(", ")));
        for (batch, run) in one {
            entries.push(Entry {
                subjects: IndexMap::from([(Field::BatchSize.key().to_owned(), Value::Count(*batch))]),
                quantity: metric.key().to_owned(),
                value: Some(EntryValue::Number(rounded(run.value))),
                unit: unit.clone(),
                n: 1,
                under: under.clone(),
                measurements: ids.of(stores, &[run.row])?,
                sources: sources(&values, [&run.parts]),
                ..Entry::default()
            });
        }
    }
    let of_all = twice(&series).map_or_else(String::new, |spread| {
        let range = spread.in_words().map_or_else(String::new, |range| format!(", {range}"));
        format!(
            "Twice the batch makes the {name} {} times as large (geometric mean of {}{range}). ",
            three(spread.mean),
            counted(spread.n, "step", "steps")
        )
    });
    let all = counted(series.len(), "series", "series");
    let text = format!("{of_all}By batch, {} of {all}: {}.", told.len(), told.join("; "));
    Ok(Conclusion { text, entries })
}

/// What twice the batch changes, over all series that have both.
fn twice(series: &[Series]) -> Option<Spread> {
    let of_one = |series: &Series| -> Vec<f64> {
        let steps = series.iter().filter_map(|(batch, run)| Some(series.get(&(2 * batch))?.value / run.value));
        steps.collect()
    };
    Spread::of(series.iter().flat_map(of_one))
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::{Intent, Quantity};
    use crate::model::{Aspect, Field, Metric};

    #[test]
    fn power_is_told_along_the_batch() {
        let rows = r#"
[[table]]
columns = ["batch-size", "throughput-per-s", "power-w"]
rows = [[1, 100, 100], [2, 180, 110], [4, 200, 121]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let mut question = sample.question("", Intent::Relation);
        question.wanted.along = Some(Aspect::Field(Field::BatchSize));
        question.wanted.quantities = vec![Quantity::Metric(Metric::PowerW)];
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["batch-size 1 100", "batch-size 2 110", "batch-size 4 121"], "{}", conclusion.text);
        assert!(
            conclusion.text.starts_with("Twice the batch makes the power 1.10 times as large"),
            "{}",
            conclusion.text
        );
    }
}
