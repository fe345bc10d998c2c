//! Whether measurements can be compared, along which axes, and with which caveats.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use indexmap::IndexSet;
use serde::Serialize;

use super::criterion::ComparedRow;
use super::criterion::Criterion;
use super::criterion::is_required;
use crate::model::{Field, Metric, Tier};
use crate::values::text::and_list;

/// A difference among measurements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The criterion that differs.
    pub criterion: Criterion,
    /// The distinct values in the order of the measurements; `None` where unknown.
    pub values: Vec<Option<String>>,
}

/// The verdict on whether measurements can be compared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdict {
    /// Different identity: never ranked together.
    pub identity: Vec<Difference>,
    /// Criteria that must be known but are not, with the known values.
    pub missing: Vec<Difference>,
    /// Varied axes: the measurements can be compared along them.
    pub axes: Vec<Difference>,
    /// Circumstances and disclosures.
    pub caveats: Vec<Difference>,
    /// Differences that were relaxed.
    pub relaxed: Vec<Difference>,
    /// Different classes of hardware: comparable, but never ranked together.
    pub classes: Option<Difference>,
}

/// The verdict as one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum VerdictKind {
    /// Nothing differs.
    Comparable,
    /// Only circumstances and disclosures differ.
    WithCaveats,
    /// Comparable along the fields that differ.
    Along,
    /// Unknown fields may make them incomparable.
    Unknown,
    /// They are different things.
    NotComparable,
}

impl Verdict {
    /// The kind of the verdict: known differences take precedence over unknown values.
    pub fn kind(&self) -> VerdictKind {
        match self {
            _ if !self.identity.is_empty() => VerdictKind::NotComparable,
            _ if !self.missing.is_empty() => VerdictKind::Unknown,
            _ if !self.axes.is_empty() => VerdictKind::Along,
            _ if !self.caveats.is_empty() => VerdictKind::WithCaveats,
            _ => VerdictKind::Comparable,
        }
    }

    /// The criteria that decide the verdict.
    pub fn deciding(&self) -> Vec<Criterion> {
        let deciding = match self.kind() {
            VerdictKind::NotComparable => &self.identity,
            VerdictKind::Unknown => &self.missing,
            VerdictKind::Along => &self.axes,
            VerdictKind::WithCaveats | VerdictKind::Comparable => &self.caveats,
        };
        deciding.iter().map(|difference| difference.criterion).collect()
    }
}

impl std::fmt::Display for Verdict {
    /// `comparable along framework, with caveats [cuda: 9.0 vs 10.0]`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |differences: &[Difference]| -> String {
            differences.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        };
        let keys = |differences: &[Difference]| -> Vec<&'static str> {
            differences.iter().map(|difference| difference.criterion.key()).collect()
        };
        match self.kind() {
            VerdictKind::NotComparable => write!(f, "not comparable [{}]", list(&self.identity))?,
            VerdictKind::Unknown => write!(f, "unknown [{}]", keys(&self.missing).join(", "))?,
            VerdictKind::Along => write!(f, "comparable along {}", and_list(&keys(&self.axes)))?,
            VerdictKind::WithCaveats => write!(f, "comparable with caveats [{}]", list(&self.caveats))?,
            VerdictKind::Comparable => f.write_str("comparable")?,
        }
        if self.kind() == VerdictKind::Along && !self.caveats.is_empty() {
            write!(f, ", with caveats [{}]", list(&self.caveats))?;
        }
        if self.kind() <= VerdictKind::Along
            && let Some(classes) = &self.classes
        {
            write!(f, ", never ranked together [{classes}]")?;
        }
        if !self.relaxed.is_empty() {
            write!(f, "; relaxed [{}]", list(&self.relaxed))?;
        }
        Ok(())
    }
}

impl std::fmt::Display for Difference {
    /// `cuda: 9.0 vs not stated`; `batch-size: not stated` if no row states it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        /// Further values are only counted.
        const SHOWN: usize = 6;
        let values = self.values.iter().take(SHOWN).map(|value| value.as_deref().unwrap_or("not stated"));
        write!(f, "{}: {}", self.criterion.key(), values.collect::<Vec<_>>().join(" vs "))?;
        match self.values.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " vs {more} more"),
        }
    }
}

/// Compares measurements in a metric. Criteria in `relaxed` may differ or be unknown; they are only reported.
pub fn compared(rows: &[ComparedRow<'_>], metric: Metric, relaxed: &[Criterion]) -> Verdict {
    let of_layers = rows.iter().any(|row| row.facts.is_of_layers());
    let sources: BTreeSet<&str> = rows.iter().map(|row| row.measurement.source().as_str()).collect();
    let one_source = sources.len() <= 1;
    let mut verdict = Verdict::default();
    for criterion in Criterion::all() {
        let difference = || Difference { criterion, values: different(rows, criterion) };
        if criterion == Criterion::Class {
            let classes = difference();
            if classes.values.iter().flatten().count() > 1 {
                verdict.classes = Some(classes);
            }
            continue;
        }
        let Some(tier) = criterion.tier(metric, of_layers) else { continue };
        if !applies(criterion, rows) {
            continue;
        }
        let compared: HashSet<Option<Cow<'_, str>>> = rows.iter().map(|row| row.compared(criterion)).collect();
        let stated = compared.iter().flatten().count();
        let partly = compared.contains(&None);
        if relaxed.contains(&criterion) {
            if stated > 1 || stated == 1 && partly {
                verdict.relaxed.push(difference());
            }
            continue;
        }
        let required = is_required(criterion, metric, rows);
        let is_timed = criterion == Criterion::Field(Field::Timed);
        match (stated, partly) {
            (0, false) => {}
            (0, true) => match required {
                // One source omits fields that are the same in all its rows; but the network defines what a number measures.
                true if one_source && criterion != Criterion::Field(Field::Network) => {
                    verdict.caveats.push(difference());
                }
                true => verdict.missing.push(difference()),
                false => {}
            },
            (1, false) => {
                let shown = difference();
                let sku_unknown =
                    criterion == Criterion::Field(Field::Device) && rows.iter().all(|r| r.facts.is_family);
                let doubtful = criterion == Criterion::Field(Field::Standing);
                if sku_unknown {
                    let family = |id: Option<String>| id.map(|id| format!("{id}, a family"));
                    let values = shown.values.into_iter().map(family).collect();
                    verdict.caveats.push(Difference { criterion, values });
                } else if shown.values.len() > 1 || doubtful {
                    verdict.caveats.push(shown);
                }
            }
            (1, true) => match tier {
                Tier::Identity if !is_timed => verdict.missing.push(difference()),
                Tier::Axis if required => verdict.missing.push(difference()),
                _ => verdict.caveats.push(difference()),
            },
            _ => match tier {
                // Two sources may describe the same timing in different words.
                Tier::Identity if is_timed && !one_source => verdict.caveats.push(difference()),
                Tier::Identity => verdict.identity.push(difference()),
                Tier::Axis if criterion == Criterion::Field(Field::Device) && may_be_one(rows) => {
                    verdict.missing.push(difference());
                }
                Tier::Axis if partly && required => verdict.missing.push(difference()),
                Tier::Axis => verdict.axes.push(difference()),
                Tier::Context | Tier::Disclosure => verdict.caveats.push(difference()),
            },
        }
    }
    verdict
}

/// Whether a criterion is meaningful for all rows: versions are comparable only within one framework.
fn applies(criterion: Criterion, rows: &[ComparedRow<'_>]) -> bool {
    let Criterion::Field(field) = criterion else { return true };
    let of = Field::of_entities().find(|(named, _)| named.version() == Some(field));
    of.is_none_or(|(named, _)| rows.windows(2).all(|pair| pair[0].text(named) == pair[1].text(named)))
}

/// Whether one row's device is the family of another's, so that both may be the same SKU.
fn may_be_one(rows: &[ComparedRow<'_>]) -> bool {
    let device = |row: &ComparedRow<'_>| row.text(Field::Device).map(str::to_owned);
    rows.iter().any(|row| rows.iter().filter_map(device).any(|other| row.facts.families.contains(&other)))
}

/// The distinct displayed values, in the order of the rows.
fn different(rows: &[ComparedRow<'_>], criterion: Criterion) -> Vec<Option<String>> {
    let values: IndexSet<Option<Cow<'_, str>>> = rows.iter().map(|row| row.shown(criterion)).collect();
    values.into_iter().map(|value| value.map(Cow::into_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::criterion::ComparisonFacts;
    use super::*;
    use crate::model::{Measurement, Value};
    use crate::values::HardwareClass;

    const WHOLE: &[(Field, &str)] = &[
        (Field::Framework, "gridflow"),
        (Field::Device, "nova-100"),
        (Field::DeviceCount, "1"),
        (Field::Network, "deepnet-50"),
        (Field::InputShape, "3x224x224"),
        (Field::Stage, "eval"),
        (Field::Precision, "fp16"),
        (Field::BatchSize, "16"),
        (Field::Counts, "image"),
    ];

    fn row(source: &str, but: &[(Field, &str)]) -> Measurement {
        let kept = WHOLE.iter().filter(|(field, _)| but.iter().all(|(other, _)| other != field));
        let stated = kept.chain(but).filter(|(_, value)| !value.is_empty());
        let fields = stated.map(|(field, value)| {
            let count = value.parse::<i64>().map(Value::Count);
            (*field, count.unwrap_or_else(|_| Value::Text((*value).into())))
        });
        let metrics = vec![(Metric::ThroughputPerS, "5".parse().unwrap())];
        Measurement::new(source.parse().unwrap(), fields.collect(), metrics)
    }

    fn verdict_of(rows: &[Measurement], relaxed: &[Criterion]) -> String {
        let facts = ComparisonFacts {
            class: Some(HardwareClass::Gpu),
            task: Some("image-classification".into()),
            ..ComparisonFacts::default()
        };
        let rows: Vec<ComparedRow<'_>> =
            rows.iter().map(|measurement| ComparedRow { measurement, facts: &facts }).collect();
        compared(&rows, Metric::ThroughputPerS, relaxed).to_string()
    }

    #[test]
    fn the_tiers_decide() {
        let own = row("a", &[]);
        for (source, but, verdict) in [
            ("a", &[][..], "comparable"),
            ("b", &[], "comparable with caveats [source: a vs b]"),
            ("a", &[(Field::Stage, "train")], "not comparable [stage: eval vs train]"),
            ("a", &[(Field::Counts, "token")], "not comparable [counts: image vs token]"),
            ("a", &[(Field::Precision, "amp-fp16")], "comparable along precision"),
            ("a", &[(Field::Precision, "")], "unknown [precision]"),
            ("a", &[(Field::Stage, "train"), (Field::Precision, "")], "not comparable [stage: eval vs train]"),
            ("a", &[(Field::Cuda, "9.0")], "comparable with caveats [cuda: not stated vs 9.0]"),
            ("a", &[(Field::Statistic, "p99")], "not comparable [statistic: not stated vs p99]"),
            ("a", &[(Field::Statistic, "mean")], "comparable with caveats [statistic: not stated vs mean]"),
            ("a", &[(Field::Framework, "firelight"), (Field::FrameworkVersion, "2.0")], "comparable along framework"),
        ] {
            assert_eq!(verdict_of(&[own.clone(), row(source, but)], &[]), verdict, "{but:?}");
        }
    }

    #[test]
    fn what_is_unknown_equals_nothing_but_one_source_leaves_out_what_is_alike() {
        let without = [(Field::Precision, "")];
        assert_eq!(
            verdict_of(&[row("a", &without), row("a", &without)], &[]),
            "comparable with caveats [precision: not stated]"
        );
        assert_eq!(verdict_of(&[row("a", &without), row("b", &without)], &[]), "unknown [precision]");
        let nameless = [(Field::Network, "")];
        assert_eq!(verdict_of(&[row("a", &nameless), row("a", &nameless)], &[]), "unknown [network]");
    }

    #[test]
    fn a_relaxation_is_reported() {
        let relaxed = [Criterion::Field(Field::Precision)];
        assert_eq!(
            verdict_of(&[row("a", &[]), row("a", &[(Field::Precision, "fp32")])], &relaxed),
            "comparable; relaxed [precision: fp16 vs fp32]"
        );
    }

    #[test]
    fn what_was_metered_divides_energies_but_no_speeds() {
        let facts = ComparisonFacts::default();
        let verdict = |metric, a: &[(Field, &str)], b: &[(Field, &str)]| {
            let rows = [row("a", a), row("a", b)];
            let rows = rows.each_ref().map(|measurement| ComparedRow { measurement, facts: &facts });
            compared(&rows, metric, &[]).to_string()
        };
        let (wall, device) = ([(Field::Metered, "wall")], [(Field::Metered, "device")]);
        let told = "not comparable [metered: wall vs device]";
        for metric in [Metric::PowerW, Metric::EnergyJ, Metric::EnergyPerItemJ, Metric::ItemsPerJoule] {
            assert_eq!(verdict(metric, &wall, &device), told, "{metric}");
            assert_eq!(verdict(metric, &wall, &[]), "unknown [metered]", "{metric}");
        }
        assert_eq!(verdict(Metric::ThroughputPerS, &wall, &device), "comparable");
    }

    #[test]
    fn the_tokens_of_a_request_say_how_long_a_sequence_is() {
        let facts = ComparisonFacts { task: Some("text-generation".into()), ..ComparisonFacts::default() };
        let verdict = |a: &[(Field, &str)], b: &[(Field, &str)]| {
            let rows = [row("a", a), row("b", b)];
            let rows = rows.each_ref().map(|measurement| ComparedRow { measurement, facts: &facts });
            compared(&rows, Metric::ThroughputPerS, &[]).to_string()
        };
        let (short, long) = ([(Field::InputLength, "128")], [(Field::InputLength, "2048")]);
        assert_eq!(verdict(&[], &[]), "unknown [sequence-length]");
        assert_eq!(verdict(&short, &short), "comparable with caveats [source: a vs b]");
        assert_eq!(verdict(&short, &long), "not comparable [input-length: 128 vs 2048]");
        let load = [(Field::Concurrency, "64"), (Field::BatchSize, "")];
        assert_eq!(
            verdict(&load, &load),
            "comparable with caveats [source: a vs b]",
            "the batch is the server's affair"
        );
    }

    #[test]
    fn mlperfs_accuracy_targets_and_divisions_are_compared() {
        let run = |division: &str, target: Option<&str>| {
            let own = row("a", &[(Field::Division, division)]);
            let target = target.map(|target| (Field::RelativeAccuracyTarget, Value::Number(target.parse().unwrap())));
            let fields = own.fields().iter().cloned().chain(target).collect();
            Measurement::new(own.source().clone(), fields, own.metrics().to_vec())
        };
        assert_eq!(
            verdict_of(&[run("closed", Some("0.99")), run("closed", Some("0.999"))], &[]),
            "not comparable [accuracy-target: 99 % of the reference vs 99.9 % of the reference]"
        );
        assert!(
            verdict_of(&[run("closed", Some("0.99")), run("open", None)], &[]).starts_with("not comparable [division")
        );
    }
}
