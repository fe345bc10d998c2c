//! Grades the evidence of each measurement by the rule of the model. What depends on a part only is computed once for all rows that
//! share the part.

use crate::comparability::under_same_conditions;
use crate::model::{
    Attested, Catalog, Caveat, Field, Indicator, Indicators, Knowledge, Measurement, Part, Parts, SharedPart, Source,
    Value,
};
use crate::values::{Dating, EvidenceGrade, Standing};

/// Fields of which one, besides the framework's version, states the environment.
const ENVIRONMENT: &[Field] = &[Field::Driver, Field::Cuda, Field::Os, Field::Container, Field::Software];

/// Fields that state the load where there is no batch size.
const LOADS: &[Field] = &[Field::Scenario, Field::Concurrency, Field::RequestRate];

/// Minimum number of samples that shows how much the value varies.
const LEAST_SAMPLES: i64 = 2;

/// Adds the evidence grade of each row to the parts, as fields of its batch, because there are fewest distinct batches.
pub(super) fn with_evidence(parts: Parts, measurements: &[Measurement], catalog: &Catalog) -> Parts {
    let attested = attested(&parts, measurements, catalog);
    let dated = |share: &SharedPart| {
        let source = share.source.as_ref().and_then(|id| catalog.sources.get(id));
        dated(share.text(Field::Date), source)
    };
    parts.divided(Part::Batch, |row| attested[row], Attested::fields).extended(Part::Setup, dated)
}

/// The best available date of a source and what it dates: the round or page, if its entry dates it, else its commit, else its year.
/// A commit of another year than the source's is ignored, because it moved the files.
pub fn source_dated(source: &Source) -> Option<(String, Dating)> {
    let of_commit = || {
        let date = source.commit_date.filter(|date| source.year.is_none_or(|year| year == i64::from(date.year())))?;
        Some((date.to_string(), Dating::Commit))
    };
    let of_entry = || Some((source.dated?.to_string(), source.dated_by?));
    of_entry().or_else(of_commit).or_else(|| Some((source.year?.to_string(), Dating::Year)))
}

/// The date of a row and what it dates: its measurement, else the best date of its source.
fn dated(stated: Option<&str>, source: Option<&Source>) -> Vec<(Field, Value)> {
    let measured = stated.map(|date| (date.to_owned(), Dating::Measured));
    let Some((date, by)) = measured.or_else(|| source_dated(source?)) else { return Vec::new() };
    let by: &str = by.into();
    vec![(Field::Dated, Value::Text(date.into())), (Field::DatedBy, Value::Text(by.into()))]
}

/// What the date of a measurement refers to.
pub fn dated_by(measurement: &Measurement, source: Option<&Source>) -> Option<Dating> {
    let fields = dated(measurement.text(Field::Date), source);
    fields.iter().find(|(field, _)| *field == Field::DatedBy).and_then(|(_, by)| by.to_string().parse().ok())
}

/// Adds the evidence grade to the fields of each measurement, as in the stores.
pub fn graded(knowledge: Knowledge) -> Knowledge {
    let attested = attested(&Parts::of(&knowledge.measurements), &knowledge.measurements, &knowledge.catalog);
    let sources = &knowledge.catalog.sources;
    let rows = knowledge.measurements.into_iter().zip(attested).map(|(row, attested)| {
        let dated = dated(row.text(Field::Date), sources.get(row.source()));
        row.with_remarks(attested.fields().into_iter().chain(dated))
    });
    let measurements = rows.collect();
    Knowledge { measurements, ..knowledge }
}

/// The evidence of each row.
fn attested(parts: &Parts, measurements: &[Measurement], catalog: &Catalog) -> Vec<Attested> {
    let of_setups: Vec<Indicators> =
        parts.shares(Part::Setup).iter().map(|share| of_setup(share, of_source(share, catalog))).collect();
    let protocols = parts.shares(Part::Protocol);
    let has_failed: Vec<bool> = protocols.iter().map(|share| share.get(Field::Outcome).is_some()).collect();
    let of_protocols: Vec<(Indicators, bool, bool)> = protocols.iter().map(of_protocol).collect();
    let of_batches: Vec<(bool, bool)> = parts.shares(Part::Batch).iter().map(of_batch).collect();
    let alike = under_same_conditions(parts, measurements.len());
    let rows = measurements.iter().enumerate().map(|(row, measurement)| {
        let numbers = parts.of_row(row).map(|number| number as usize);
        let protocol = numbers[Part::Protocol as usize];
        let (of_protocol, has_load, has_precision) = of_protocols[protocol];
        let (has_batch, has_samples) = of_batches[numbers[Part::Batch as usize]];
        let own = Indicators::of(&[
            (Indicator::Recipe, has_precision && (has_batch || has_load)),
            (Indicator::Samples, has_samples),
            (Indicator::Spread, has_spread(measurement)),
            (Indicator::SameConditions, alike[row]),
        ]);
        let met = of_setups[numbers[Part::Setup as usize]].union(of_protocol).union(own);
        Attested::of(met, has_failed[protocol], best_possible(measurement))
    });
    rows.collect()
}

/// The indicators that the source's entry states for all its rows.
fn of_source(setup: &SharedPart, catalog: &Catalog) -> Indicators {
    let Some(source) = setup.source.as_ref().and_then(|id| catalog.sources.get(id)) else {
        return Indicators::default();
    };
    let Source { commit, method, .. } = source;
    let method = method.as_ref();
    Indicators::of(&[
        (Indicator::Code, commit.is_some()),
        (Indicator::Timed, method.is_some_and(|method| method.timed.is_some())),
        (Indicator::Statistic, method.is_some_and(|method| method.statistic.is_some())),
        (Indicator::Samples, method.and_then(|method| method.iterations).is_some_and(|n| n >= LEAST_SAMPLES)),
    ])
}

fn of_setup(share: &SharedPart, of_source: Indicators) -> Indicators {
    let states = |field: &Field| share.get(*field).is_some();
    let environment = states(&Field::FrameworkVersion) && ENVIRONMENT.iter().any(states);
    of_source.union(Indicators::of(&[(Indicator::Environment, environment)]))
}

/// The indicators that a protocol states, whether it states a load, and whether a precision.
fn of_protocol(share: &SharedPart) -> (Indicators, bool, bool) {
    let states = |field: &Field| share.get(*field).is_some();
    let stated =
        Indicators::of(&[(Indicator::Timed, states(&Field::Timed)), (Indicator::Statistic, states(&Field::Statistic))]);
    (stated, LOADS.iter().any(states), states(&Field::Precision))
}

/// Whether a batch states its size, and whether it states enough samples.
fn of_batch(share: &SharedPart) -> (bool, bool) {
    let is_stated = |field| share.get(field).is_some();
    let enough = |field| matches!(share.get(field), Some(Value::Count(count)) if *count >= LEAST_SAMPLES);
    let has_size = is_stated(Field::BatchSize) || is_stated(Field::BatchSizeGlobal);
    (has_size, enough(Field::N) || enough(Field::Processes))
}

/// The best possible grade: `d` for disputed and retracted rows, `c` for runs whose interval does not include slow drift.
fn best_possible(measurement: &Measurement) -> EvidenceGrade {
    match measurement.standing() {
        Some(Standing::Disputed | Standing::Retracted) => EvidenceGrade::D,
        _ if measurement.text(Field::Caveats).is_some_and(|text| Caveat::ShortSpan.is_in(text)) => EvidenceGrade::C,
        _ => EvidenceGrade::A,
    }
}

fn has_spread(measurement: &Measurement) -> bool {
    let states = |field| measurement.get(field).is_some();
    states(Field::StdDeviation) || states(Field::ProcessDeviation) || states(Field::Lowest) && states(Field::Highest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Metric;

    fn row(source: &str, fields: &[(Field, &str)], counts: &[(Field, i64)], latency: Option<&str>) -> Measurement {
        let texts = fields.iter().map(|(field, text)| (*field, Value::Text((*text).into())));
        let counts = counts.iter().map(|(field, count)| (*field, Value::Count(*count)));
        let metrics = latency.map(|value| (Metric::LatencyMs, value.parse().unwrap()));
        Measurement::new(source.parse().unwrap(), texts.chain(counts).collect(), metrics.into_iter().collect())
    }

    fn catalog() -> Catalog {
        let source = serde_json::json!({
            "id": "careful-2020", "name": "x", "aliases": [], "type": "misc", "authors": [], "year": 2020,
            "venue": null, "url": null, "doi": null, "commit": "0123456", "commit_date": null, "accessed": null,
            "license": null, "notes": null,
            "method": { "timed": "a forward pass", "warm_up": null, "iterations": 20, "statistic": "mean",
                        "data": null, "description": null }
        });
        let source: Source = serde_json::from_value(source).unwrap();
        Catalog { sources: [(source.id.clone(), source)].into(), ..Catalog::default() }
    }

    #[test]
    fn a_row_is_dated_by_what_is_nearest_to_its_measurement() {
        let mut source = catalog().sources.into_values().next().unwrap();
        let of = |stated, source: &Source| {
            dated(stated, Some(source)).iter().map(|(_, value)| value.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(of(Some("2019-03"), &source), ["2019-03", "measured"]);
        assert_eq!(of(None, &source), ["2020", "year"]);
        source.commit_date = "2020-05-06".parse().ok();
        assert_eq!(of(None, &source), ["2020-05-06", "commit"]);
        source.commit_date = "2024-05-06".parse().ok();
        assert_eq!(of(None, &source), ["2020", "year"], "the files came to another place");
        source.dated = "2020-07".parse().ok();
        source.dated_by = Some(Dating::Round);
        assert_eq!(of(None, &source), ["2020-07", "round"]);
        assert_eq!(of(Some("2019-03"), &source), ["2019-03", "measured"]);
        assert!(dated(None, None).is_empty());
    }

    fn graded(rows: &[Measurement]) -> Vec<(String, String)> {
        let parts = with_evidence(Parts::of(rows), rows, &catalog());
        let batches = parts.shares(Part::Batch);
        assert_eq!(batches.iter().map(|share| share.rows).sum::<u64>(), rows.len() as u64);
        let of_row = |row: usize| {
            let batch = &batches[parts.of_row(row)[Part::Batch as usize] as usize];
            let text = |field| batch.text(field).unwrap_or_default().to_owned();
            (text(Field::Evidence), text(Field::EvidenceLacks))
        };
        (0..rows.len()).map(of_row).collect()
    }

    const STATED: &[(Field, &str)] = &[
        (Field::Framework, "torch"),
        (Field::FrameworkVersion, "1.0"),
        (Field::Driver, "400"),
        (Field::Network, "net"),
        (Field::Precision, "fp32"),
    ];

    #[test]
    fn a_grade_follows_from_what_the_row_and_its_source_state() {
        let on = |device: &'static str| [STATED, &[(Field::Device, device)]].concat();
        let batch = [(Field::BatchSize, 8)];
        let rows = [
            row("careful-2020", &on("x"), &batch, Some("1")),
            row("careful-2020", &on("y"), &batch, Some("2")),
            row("careful-2020", &on("x"), &[(Field::BatchSize, 16)], Some("3")),
            row("careless-2020", &on("x"), &batch, Some("1")),
            row("careless-2020", &[(Field::Device, "x")], &[], Some("1")),
        ];
        let found = graded(&rows);
        let found: Vec<(&str, &str)> = found.iter().map(|(grade, lacks)| (grade.as_str(), lacks.as_str())).collect();
        assert_eq!(
            found,
            [
                ("a", "spread"),
                ("a", "spread"),
                ("b", "spread, same-conditions"),
                ("d", "timed, statistic, code, samples, spread, same-conditions"),
                ("d", "timed, recipe, statistic, code, environment, samples, spread, same-conditions"),
            ]
        );
    }

    #[test]
    fn what_failed_is_judged_by_what_applies_and_what_is_doubted_or_of_a_moment_is_less() {
        let failed = [STATED, &[(Field::Outcome, "oom")]].concat();
        let doubted = [STATED, &[(Field::Standing, "retracted")]].concat();
        let quick = [STATED, &[(Field::Caveats, "Short span: the processes began within 3 minutes.")]].concat();
        let rows = [
            row("careful-2020", &failed, &[(Field::BatchSize, 8)], None),
            row("careful-2020", &failed, &[], None),
            row("careful-2020", &doubted, &[(Field::BatchSize, 8)], Some("1")),
            row("careful-2020", &quick, &[(Field::BatchSize, 8)], Some("1")),
        ];
        let found = graded(&rows);
        assert_eq!(found[0], ("a".to_owned(), String::new()));
        assert_eq!(found[1], ("b".to_owned(), "recipe".to_owned()));
        assert_eq!((found[2].0.as_str(), found[3].0.as_str()), ("d", "c"));
    }
}
