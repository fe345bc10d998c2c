//! A value outside its own spread.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Metric, Severity, Value};
use crate::values::{Decimal, Statistic};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(307),
    title: "a value outside its own spread",
    severity: Severity::Error,
    page: "`lowest` and `highest` bound the samples behind the row's first metric, or of the one that `samples-of` names, in its unit, so the value lies between them whatever statistic it is, and the lowest below the highest. The deviation of positive samples is hardly larger than their value, unless the bounds lie as far apart; one sample has none, and the only sample is not one of several.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "lowest = 4.5", "lowest = 5.5"),
    check: Check::Claim(find),
};
fn find(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
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
    // A value may be rounded where the bounds are not.
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

/// Another metric of the row that lies between the bounds.
fn within(measurement: &Measurement, own: Metric, lowest: f64, highest: Option<f64>) -> Option<Metric> {
    let fits = |value: f64| lowest <= value && highest.is_none_or(|highest| value <= highest);
    measurement
        .metrics()
        .iter()
        .find(|(metric, value)| *metric != own && fits(value.value()))
        .map(|(metric, _)| *metric)
}

/// The samples against each other.
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
    let range = number(Field::Highest).zip(number(Field::Lowest)).map(|(highest, lowest)| highest - lowest);
    // A few samples that are many times as long say so themselves: no deviation is larger than what lies between the bounds.
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

/// Of positive samples the deviation exceeds the mean only where a few are many times as long.
const MOST_DEVIATION: f64 = 2.0;
