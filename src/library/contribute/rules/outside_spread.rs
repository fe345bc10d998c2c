//! A value outside its own spread.

use crate::contribute::lint::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity, Value};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(307),
    title: "a value outside its own spread",
    severity: Severity::Error,
    page: "`lowest` and `highest` bound the samples behind the row's first metric, in its unit, so the value lies between them whatever statistic it is.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "lowest = 4.5", "lowest = 5.5"),
    check: Check::Claim(find),
};
fn find(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let number = |field| match measurement.get(field) {
        Some(Value::Number(number)) => Some(number.value()),
        _ => None,
    };
    let Some((metric, value)) = measurement.metrics().first() else { return };
    // A value may be rounded where the bounds are not.
    let slack = 10f64.powi(-i32::from(value.decimals()));
    if let Some(lowest) = number(Field::Lowest).filter(|lowest| value.value() < lowest - slack) {
        let message = format!("`{metric}` is {value}, below its lowest sample {lowest}");
        found.in_row(row, metric.key(), message, "outside lowest..highest");
    }
    if let Some(highest) = number(Field::Highest).filter(|highest| value.value() > highest + slack) {
        let message = format!("`{metric}` is {value}, above its highest sample {highest}");
        found.in_row(row, metric.key(), message, "outside lowest..highest");
    }
}
