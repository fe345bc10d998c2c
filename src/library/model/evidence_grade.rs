//! How well a measurement is attested: the principles of benchmarking as indicators of a row, and the grade that follows.
//!
//! The indicators rest on what the row and its source's entry state, never on the value: a number that is graded `d` may be
//! right, but a reader cannot tell. Reported numbers and those of our own runner are judged alike.

use std::collections::HashMap;
use std::fmt::Write as _;

use strum::{Display, EnumString, IntoStaticStr, VariantArray};
use xxhash_rust::xxh3::Xxh3DefaultBuilder;

use super::{Catalog, Field, Knowledge, Measurement, Part, Parts, SharedPart, Source, Tier, Value};
use crate::values::{EvidenceGrade, Standing};

/// Something that a row that is well attested states. The kebab-case name is its key.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Indicator {
    /// What lies between start and stop of the clock.
    Timed,
    /// The numeric recipe and how much ran at once.
    Recipe,
    /// What the value is of its samples.
    Statistic,
    /// Which version of the source.
    Code,
    /// Software and its version.
    Environment,
    /// How many samples.
    Samples,
    /// How far the samples lie apart.
    Spread,
    /// Another system under the same conditions.
    SameConditions,
}

/// Of which fields one states the environment besides the framework's version.
const ENVIRONMENT: &[Field] = &[Field::Driver, Field::Cuda, Field::Os, Field::Container, Field::Software];

/// What states how much ran at once where no batch does.
const LOADS: &[Field] = &[Field::Scenario, Field::Concurrency, Field::RequestRate];

/// Fewer samples than this say nothing of how the value varies.
const LEAST_SAMPLES: i64 = 2;

/// The grades, the best first, and of eight indicators how many at least are met; below the last it is `d`.
const LEAST_OF_EIGHT: &[(EvidenceGrade, u32)] = &[(EvidenceGrade::A, 7), (EvidenceGrade::B, 5), (EvidenceGrade::C, 3)];

impl Indicator {
    /// The key.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// The principle of benchmarking (`catalog/principles.toml`) that it applies.
    pub fn principle(self) -> &'static str {
        match self {
            Self::Timed | Self::Recipe | Self::Statistic => "transparency",
            Self::Code | Self::Environment | Self::Samples | Self::Spread => "repeatability",
            Self::SameConditions => "equity",
        }
    }

    /// What it rests on.
    pub fn rests_on(self) -> &'static str {
        match self {
            Self::Timed => "the row or its source's entry says what lies between start and stop of the clock",
            Self::Recipe => "the row states precision and batch, or how the load arrives",
            Self::Statistic => "the row or its source's entry says what the value is of its samples",
            Self::Code => "its source's entry names the commit of the version that was read",
            Self::Environment => {
                "the row states the framework's version and one of driver, CUDA, operating system, container, other software"
            }
            Self::Samples => "the row, or its source's entry, states two samples or processes or more",
            Self::Spread => {
                "the row states a deviation of its samples or processes, or the least and the greatest sample"
            }
            Self::SameConditions => {
                "its source has a row on another device, or of another framework, equal in everything else that decides comparability"
            }
        }
    }

    /// Whether it applies to an attempt that gave no value.
    pub fn applies_to_failed(self) -> bool {
        matches!(self, Self::Timed | Self::Recipe | Self::Environment | Self::Code)
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// Some of the indicators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Indicators(u16);

impl Indicators {
    fn of(all: &[(Indicator, bool)]) -> Self {
        Self(all.iter().filter(|(_, holds)| *holds).fold(0, |set, (indicator, _)| set | indicator.bit()))
    }

    fn has(self, indicator: Indicator) -> bool {
        self.0 & indicator.bit() != 0
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Of a row that may have failed those that apply.
    fn applying(has_failed: bool) -> Self {
        let applies = |indicator: &&Indicator| !has_failed || indicator.applies_to_failed();
        Self(Indicator::VARIANTS.iter().filter(applies).fold(0, |set, indicator| set | indicator.bit()))
    }

    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    fn count(self) -> u32 {
        self.0.count_ones()
    }
}

/// How well one row is attested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Attested {
    grade: EvidenceGrade,
    lacks: Indicators,
}

impl Attested {
    /// By the share of the indicators that are met among those that apply; what somebody doubts or took back is `d`.
    fn of(met: Indicators, has_failed: bool, is_doubted: bool) -> Self {
        let applying = Indicators::applying(has_failed);
        let lacks = applying.without(met);
        let met = (applying.count() - lacks.count()) * Indicator::VARIANTS.len() as u32;
        let reached = LEAST_OF_EIGHT.iter().find(|(_, least)| met >= least * applying.count());
        let grade = reached.filter(|_| !is_doubted).map_or(EvidenceGrade::D, |(grade, _)| *grade);
        Self { grade, lacks }
    }

    /// As fields of the row.
    fn fields(self) -> Vec<(Field, Value)> {
        let grade: &str = self.grade.into();
        let mut fields = vec![(Field::Evidence, Value::Text(grade.into()))];
        let lacking = Indicator::VARIANTS.iter().filter(|indicator| self.lacks.has(**indicator));
        let lacking: Vec<&str> = lacking.map(|indicator| indicator.key()).collect();
        if !lacking.is_empty() {
            fields.push((Field::EvidenceLacks, Value::Text(lacking.join(", ").into())));
        }
        fields
    }
}

/// Whether a row, by its field [`Field::EvidenceLacks`], lacks an indicator.
pub fn lacks(stated: &str, indicator: Indicator) -> bool {
    stated.split(", ").any(|key| key == indicator.key())
}

/// The rule in words: each indicator with what it rests on, and which grade so many of them are.
pub fn evidence_rule() -> String {
    let mut text = String::from(
        "# How well a measurement is attested\n\n\
         Each measurement has a grade of evidence from `a` (the best) to `d`, computed when the knowledge base is read and\n\
         never stated in a file. It follows from what the measurement and its source's entry state, not from the value, and\n\
         is the same for numbers that were reported and for those of `dlbench run`.\n\n\
         | indicator | principle | met where |\n| --- | --- | --- |\n",
    );
    for indicator in Indicator::VARIANTS {
        let _ = writeln!(text, "| {indicator} | {} | {} |", indicator.principle(), indicator.rests_on());
    }
    text.push('\n');
    let all = Indicator::VARIANTS.len();
    for (grade, least) in LEAST_OF_EIGHT {
        let _ = writeln!(text, "- `{grade}`: {least} of {all} are met, or the same share of those that apply");
    }
    let _ =
        writeln!(text, "- `{}`: fewer, or the measurement or its source is disputed or retracted", EvidenceGrade::D);
    let of_failed: Vec<&str> = Indicator::VARIANTS.iter().filter(|i| i.applies_to_failed()).map(|i| i.key()).collect();
    let _ = write!(
        text,
        "\nOf an attempt that gave no value only {} apply.\n\n\
         `evidence-lacks` names what is not met. Both are fields like others: `evidence:a..b` or `evidence>=b` in a question,\n\
         `evidence-lacks:*spread*`, `--columns +evidence`, `dlbench table principles --sources` for the shares of each source.\n",
        of_failed.join(", ")
    );
    text
}

impl Parts {
    /// Adds to each row how well it is attested, as fields of its batch: that has the fewest different ones.
    pub fn with_evidence(self, measurements: &[Measurement], catalog: &Catalog) -> Self {
        let attested = attested(&self, measurements, catalog);
        self.divided(Part::Batch, |row| attested[row], Attested::fields)
    }
}

impl Knowledge {
    /// The same with how well each measurement is attested among its fields, as the stores hold it.
    pub fn with_evidence(self) -> Self {
        let attested = attested(&Parts::of(&self.measurements), &self.measurements, &self.catalog);
        let rows = self.measurements.into_iter().zip(attested);
        Self { measurements: rows.map(|(row, attested)| row.with_remarks(attested.fields())).collect(), ..self }
    }
}

/// How well each row is attested. What follows from a part is made out once for all rows that share it.
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
        let met = of_setups[numbers[Part::Setup as usize]].and(of_protocol).and(own);
        let is_doubted = matches!(measurement.standing(), Some(Standing::Disputed | Standing::Retracted));
        Attested::of(met, has_failed[protocol], is_doubted)
    });
    rows.collect()
}

/// What the source's entry says for all its rows.
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
    of_source.and(Indicators::of(&[(Indicator::Environment, environment)]))
}

/// What a protocol states, whether it states a load, and whether a precision.
fn of_protocol(share: &SharedPart) -> (Indicators, bool, bool) {
    let states = |field: &Field| share.get(*field).is_some();
    let stated =
        Indicators::of(&[(Indicator::Timed, states(&Field::Timed)), (Indicator::Statistic, states(&Field::Statistic))]);
    (stated, LOADS.iter().any(states), states(&Field::Precision))
}

/// Whether a batch states its size, and whether enough samples.
fn of_batch(share: &SharedPart) -> (bool, bool) {
    let is_stated = |field| share.get(field).is_some();
    let enough = |field| matches!(share.get(field), Some(Value::Count(count)) if *count >= LEAST_SAMPLES);
    let has_size = is_stated(Field::BatchSize) || is_stated(Field::BatchSizeGlobal);
    (has_size, enough(Field::N) || enough(Field::Processes))
}

fn has_spread(measurement: &Measurement) -> bool {
    let states = |field| measurement.get(field).is_some();
    states(Field::StdDeviation) || states(Field::ProcessDeviation) || states(Field::Lowest) && states(Field::Highest)
}

/// Whether each row's source has another row that differs from it in the device, or in the framework, and in nothing else that
/// decides comparability.
fn under_same_conditions(parts: &Parts, rows: usize) -> Vec<bool> {
    let mut alike = vec![false; rows];
    for varied in [Field::Device, Field::Framework] {
        let keys: Vec<Vec<u32>> = Part::VARIANTS.iter().map(|part| keys_but_for(parts, *part, varied)).collect();
        let of_setups = numbered(parts.shares(Part::Setup).iter().map(|share| share.text(varied)));
        let mut known: HashMap<[u32; Part::VARIANTS.len()], u32, Xxh3DefaultBuilder> = HashMap::default();
        // Of each group of rows with one key the first value, and whether there is another.
        let mut groups: Vec<(u32, bool)> = Vec::new();
        let group_of = |row: usize| -> Option<u32> {
            let numbers = parts.of_row(row);
            let value = of_setups[numbers[Part::Setup as usize] as usize];
            if value == 0 {
                return None;
            }
            let key = std::array::from_fn(|part| keys[part][numbers[part] as usize]);
            let group = *known.entry(key).or_insert_with(|| {
                groups.push((value, false));
                groups.len() as u32 - 1
            });
            let (first, several) = &mut groups[group as usize];
            *several |= *first != value;
            Some(group)
        };
        let of_rows: Vec<Option<u32>> = (0..rows).map(group_of).collect();
        for (alike, group) in alike.iter_mut().zip(of_rows) {
            *alike |= group.is_some_and(|group| groups[group as usize].1);
        }
    }
    alike
}

/// For each share of a part a number: equal where the shares are of one source, measure the same and are equal in every field of
/// identity and axis but for `varied` and what goes with it.
fn keys_but_for(parts: &Parts, part: Part, varied: Field) -> Vec<u32> {
    let weighs = |field: Field| {
        // Threads belong to a device, but a device is run with many numbers of them.
        let goes_with = field.varies_with(varied) && field != Field::Threads;
        matches!(field.compared_tier(), Some(Tier::Identity | Tier::Axis)) && field != varied && !goes_with
    };
    let of_share = |share: &SharedPart| {
        let fields = share.fields.iter().filter(|(field, _)| weighs(*field));
        let mut key = share.source.as_ref().map(ToString::to_string).unwrap_or_default();
        for (field, value) in fields {
            let _ = write!(key, "\u{0}{field}\u{0}{value}");
        }
        share.metrics.iter().for_each(|metric| {
            let _ = write!(key, "\u{0}{metric}");
        });
        Some(key)
    };
    numbered(parts.shares(part).iter().map(of_share))
}

/// Numbers from 1 on in the order in which values first occur; 0 is none.
fn numbered<T: std::hash::Hash + Eq>(values: impl Iterator<Item = Option<T>>) -> Vec<u32> {
    let mut known: HashMap<T, u32> = HashMap::new();
    values
        .map(|value| match value {
            Some(value) => {
                let next = known.len() as u32 + 1;
                *known.entry(value).or_insert(next)
            }
            None => 0,
        })
        .collect()
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

    fn graded(rows: &[Measurement]) -> Vec<(String, String)> {
        let parts = Parts::of(rows).with_evidence(rows, &catalog());
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
    fn what_failed_is_judged_by_what_applies_and_what_is_doubted_is_no_evidence() {
        let failed = [STATED, &[(Field::Outcome, "oom")]].concat();
        let doubted = [STATED, &[(Field::Standing, "retracted")]].concat();
        let rows = [
            row("careful-2020", &failed, &[(Field::BatchSize, 8)], None),
            row("careful-2020", &failed, &[], None),
            row("careful-2020", &doubted, &[(Field::BatchSize, 8)], Some("1")),
        ];
        let found = graded(&rows);
        assert_eq!(found[0], ("a".to_owned(), String::new()));
        assert_eq!(found[1], ("b".to_owned(), "recipe".to_owned()));
        assert_eq!(found[2].0, "d");
    }

    #[test]
    fn the_rule_tells_every_indicator() {
        let rule = evidence_rule();
        for indicator in Indicator::VARIANTS {
            assert!(rule.contains(indicator.key()) && rule.contains(indicator.rests_on()), "{indicator}");
        }
        assert!(lacks("samples, spread", Indicator::Spread) && !lacks("samples, spread", Indicator::Code));
    }
}
