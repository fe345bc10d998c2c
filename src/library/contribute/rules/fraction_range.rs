//! A fraction or percentage out of its range.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Metric, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(306),
    title: "a fraction or percentage out of its range",
    severity: Severity::Error,
    page: "`accuracy`, `error-rate` and `accuracy-target` are fractions from 0 to 1: 75.9 % is 0.759; a demanded share of the reference's accuracy is 0.9 or more. Utilisations are percentages from 0 to 100.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "0.759", "75.9"),
    check: Check::Claim(find),
};
fn find(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
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
            // Several cores add up.
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

/// Nobody trains until a network is wrong more often than right.
const LEAST_TARGET: f64 = 0.2;
/// MLPerf asks for 0.97 and more of the reference's accuracy.
const LEAST_RELATIVE_TARGET: f64 = 0.9;
