//! A fraction or percentage out of its range.

use crate::contribute::lint::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Metric, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(306),
    title: "a fraction or percentage out of its range",
    severity: Severity::Error,
    page: "`accuracy` and `error-rate` are fractions from 0 to 1: 75.9 % is 0.759. Utilisations are percentages from 0 to 100.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "0.759", "75.9"),
    check: Check::Claim(find),
};
fn find(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
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
