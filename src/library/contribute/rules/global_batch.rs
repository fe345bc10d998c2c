//! Batch sizes that do not fit together.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(308),
    title: "batch sizes that do not fit together",
    severity: Severity::Error,
    page: "`batch-size` is per device, `batch-size-global` over all `device-count` devices; the second is a multiple of the first times the count (several steps of gradient accumulation included).",
    sample: Sample::edited(
        "measurements/imagined-2018/training.toml",
        "batch-size-global = 64",
        "batch-size-global = 16",
    ),
    check: Check::Row(find),
};
fn find(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let count = |field| row.get().count(field);
    let (Some(own), Some(global)) = (count(Field::BatchSize), count(Field::BatchSizeGlobal)) else { return };
    let devices = row.get().devices();
    if global % own.saturating_mul(devices) != 0 {
        let message = format!("a batch of {own} on each of {devices} is no {global} over all");
        found
            .in_row(
                row,
                "batch-size-global",
                message,
                format!("expected {} or a multiple", own.saturating_mul(devices)),
            )
            .help("`batch-size` is per device, `batch-size-global` over all devices");
    }
}
