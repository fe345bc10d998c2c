//! Rules about the content of a row: a subject, no values for failures, fractions in range, values within their spread.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Metric, Severity, Value};
use crate::values::{Decimal, Statistic};

pub(in crate::contribute) const NO_SUBJECT: Rule = Rule {
    code: Code::new(317),
    title: "a row without a device or a network",
    severity: Severity::Warning,
    page: "A measurement is of a network on a device. A row that lacks one lost it most often on the way: in a table whose cells are merged, the first row of a group names the device for all of them (`fill` in a recipe carries it down), and one of several tables may lack the column. A hosted service states no device; a cloud instance says it. Where the source states none, an exception in its entry says why.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "device = \"nova-100-16gb\"\n", ""),
    check: Check::Row(find_no_subject),
};

fn find_no_subject(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let lacks = |field: Field| measurement.text(field).is_none();
    if lacks(Field::Device) && lacks(Field::Instance) {
        found.in_row(row, Field::Framework.key(), "a row without `device`", "on which device?");
    }
    if lacks(Field::Network) {
        found.in_row(row, Field::Framework.key(), "a row without `network`", "of which network?");
    }
}

pub(in crate::contribute) const OUTCOME_WITH_VALUE: Rule = Rule {
    code: Code::new(314),
    title: "a failed attempt with a value",
    severity: Severity::Error,
    page: "`outcome` says why there is no number: out of memory, crashed, not supported, not finished. A row with a number did not fail; what disturbed it stands in `notes`.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "latency-ms = 20.0",
        "outcome = \"oom\"\nlatency-ms = 20.0",
    ),
    check: Check::Row(find_outcome_with_value),
};

fn find_outcome_with_value(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    if let (Some(outcome), Some((metric, value))) = (row.get().outcome(), row.get().metrics().first()) {
        let message = format!("the attempt ended with `{outcome}`, and yet `{metric}` is {value}");
        found
            .in_row(row, Field::Outcome.key(), message, "a failed attempt has no value")
            .beside([metric.key().into()], "the value");
    }
}

pub(in crate::contribute) const FRACTION_RANGE: Rule = Rule {
    code: Code::new(306),
    title: "a fraction or percentage out of its range",
    severity: Severity::Error,
    page: "`accuracy`, `error-rate` and `accuracy-target` are fractions from 0 to 1: 75.9 % is 0.759; a demanded share of the reference's accuracy is 0.9 or more. Utilisations are percentages from 0 to 100.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "0.759", "75.9"),
    check: Check::Claim(find_fraction_range),
};

fn find_fraction_range(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let targets = [(Field::AccuracyTarget, LEAST_TARGET), (Field::RelativeAccuracyTarget, LEAST_RELATIVE_TARGET)];
    for (field, least) in targets {
        if let Some(target) = row.get().number(field).filter(|target| !(least..=1.0).contains(&target.value())) {
            let message = format!("`{field}` is {target}");
            let finding = found.in_row(row, field.key(), message, format!("expected {least} to 1"));
            if (least..=1.0).contains(&(target.value() / 100.0)) {
                finding.help("is it in percent? Divide by 100 and keep the digits");
            }
        }
    }
    for (metric, value) in row.get().metrics() {
        let (most, unit) = match metric {
            Metric::Accuracy | Metric::ErrorRate => (1.0, "a fraction from 0 to 1"),
            // CPU utilisation has no limit, because several cores add up.
            Metric::GpuUtilPct => (100.0, "a percentage from 0 to 100"),
            _ => continue,
        };
        if value.value() > most {
            let finding = found.in_row(row, metric.key(), format!("`{metric}` is {value}"), format!("expected {unit}"));
            if most == 1.0 && value.value() <= 100.0 {
                finding.help("is it in percent? Divide by 100 and keep the digits");
            }
        }
    }
}

/// Minimum accuracy target; a target so low is a mistake.
const LEAST_TARGET: f64 = 0.2;

/// Minimum relative target: MLPerf asks for 0.97 and more of the reference's accuracy.
const LEAST_RELATIVE_TARGET: f64 = 0.9;

pub(in crate::contribute) const OUTSIDE_SPREAD: Rule = Rule {
    code: Code::new(307),
    title: "a value outside its own spread",
    severity: Severity::Error,
    page: "`lowest` and `highest` bound the samples behind the row's first metric, or of the one that `samples-of` names, in its unit, so the value lies between them whatever statistic it is (the maximum at the upper one, the minimum at the lower one), and the lowest below the highest. The deviation of positive samples is hardly larger than their value, unless the bounds lie as far apart; one sample has none, and the only sample is not one of several.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "lowest = 4.5", "lowest = 5.5"),
    check: Check::Claim(find_outside_spread),
};

fn find_outside_spread(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let number = |field| match measurement.get(field) {
        Some(Value::Number(number)) => Some(number.value()),
        _ => None,
    };
    let named = measurement.text(Field::SamplesOf).and_then(|name| name.parse::<Metric>().ok());
    let is_named = |(metric, _): &&(Metric, Decimal)| named.is_none_or(|named| named == *metric);
    let Some((metric, value)) = measurement.metrics().iter().find(is_named) else {
        if let Some(named) = named {
            let message = format!("the samples are of `{named}`, which the row does not have");
            found.in_row(row, Field::SamplesOf.key(), message, "a metric of this row?");
        }
        return;
    };
    spread(row, found, value.value());
    // A value may be rounded while its bounds are not.
    let slack = 10f64.powi(-i32::from(value.decimals()));
    if let Some(lowest) = number(Field::Lowest).filter(|lowest| value.value() < lowest - slack) {
        let message = format!("`{metric}` is {value}, below its lowest sample {lowest}");
        let finding = found.in_row(row, metric.key(), message, "outside lowest..highest");
        if let Some(other) = within(measurement, *metric, lowest, number(Field::Highest)) {
            finding.help(format!("the bounds fit `{other}`: `samples-of = \"{other}\"` says so"));
        }
    }
    if let Some(highest) = number(Field::Highest).filter(|highest| value.value() > highest + slack) {
        let message = format!("`{metric}` is {value}, above its highest sample {highest}");
        let finding = found.in_row(row, metric.key(), message, "outside lowest..highest");
        if let Some(other) = within(measurement, *metric, number(Field::Lowest).unwrap_or(0.0), Some(highest)) {
            finding.help(format!("the bounds fit `{other}`: `samples-of = \"{other}\"` says so"));
        }
    }
}

/// Another metric of the row that lies within the bounds.
fn within(measurement: &Measurement, own: Metric, lowest: f64, highest: Option<f64>) -> Option<Metric> {
    let fits = |value: f64| lowest <= value && highest.is_none_or(|highest| value <= highest);
    measurement
        .metrics()
        .iter()
        .find(|(metric, value)| *metric != own && fits(value.value()))
        .map(|(metric, _)| *metric)
}

/// Checks the bounds, the deviation and the number of samples against each other.
fn spread(row: &IndexedRow<'_>, found: &mut Findings, value: f64) {
    let measurement = row.get();
    let number = |field| measurement.number(field).map(|number| number.value());
    if let (Some(lowest), Some(highest)) = (number(Field::Lowest), number(Field::Highest))
        && lowest > highest
    {
        let message = format!("the lowest sample {lowest} is above the highest {highest}");
        found
            .in_row(row, Field::Lowest.key(), message, "above the highest")
            .beside([Field::Highest.key().into()], "the highest");
    }
    let bound = match measurement.statistic() {
        Some(Statistic::Max) => Some((Field::Highest, "highest")),
        Some(Statistic::Min) => Some((Field::Lowest, "lowest")),
        _ => None,
    };
    if let Some((field, what)) = bound
        && let Some(end) = number(field).filter(|end| (end - value).abs() > end.abs() * NEAR_BOUND)
    {
        let message = format!("the value {value} is not the {what} sample {end}");
        let statistic = Field::Statistic.key();
        found.in_row(row, statistic, message, "another statistic").beside([field.key().into()], "the sample");
    }
    let range = number(Field::Highest).zip(number(Field::Lowest)).map(|(highest, lowest)| highest - lowest);
    // A few much longer samples show in the bounds; a deviation no larger than their distance is explained by them.
    let is_explained = |deviation: f64| range.is_some_and(|range| deviation <= range);
    let large = |deviation: &f64| *deviation > value * MOST_DEVIATION && !is_explained(*deviation);
    if let Some(deviation) = number(Field::StdDeviation).filter(large) {
        let message = format!("a deviation of {deviation} around {value}");
        found.in_row(row, Field::StdDeviation.key(), message, "larger than the value: is its unit the metric's?");
    }
    if let Some(n) =
        measurement.count(Field::N).filter(|n| *n > 1 && measurement.statistic() == Some(Statistic::Single))
    {
        let message = format!("the only sample is one of {n}");
        found
            .in_row(row, Field::Statistic.key(), message, "contradicts the number of samples")
            .beside([Field::N.key().into()], "the samples");
    }
}

/// Tolerance, because a value and its bound may be rounded differently.
const NEAR_BOUND: f64 = 0.01;

/// Maximum deviation over the mean of positive samples, unless a few are many times as long.
const MOST_DEVIATION: f64 = 2.0;
