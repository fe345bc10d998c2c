//! A failed attempt with a value.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(314),
    title: "a failed attempt with a value",
    severity: Severity::Error,
    page: "`outcome` says why there is no number: out of memory, crashed, not supported, not finished. A row with a number did not fail; what disturbed it stands in `notes`.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "latency-ms = 20.0",
        "outcome = \"oom\"\nlatency-ms = 20.0",
    ),
    check: Check::Row(find),
};

fn find(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    if let (Some(outcome), Some((metric, value))) = (row.get().outcome(), row.get().metrics().first()) {
        let message = format!("the attempt ended with `{outcome}`, and yet `{metric}` is {value}");
        found
            .in_row(row, Field::Outcome.key(), message, "a failed attempt has no value")
            .beside([metric.key().into()], "the value");
    }
}
