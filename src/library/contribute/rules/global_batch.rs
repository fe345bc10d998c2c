//! Batch sizes that do not fit together.

use crate::contribute::lint::{Check, Findings, IndexedRow, LintContext, Rule};
use crate::model::{Code, Field, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(308),
    title: "batch sizes that do not fit together",
    severity: Severity::Error,
    page: "`batch-size` is per device, `batch-size-global` over all `device-count` devices; the second is a multiple of the first times the count (several steps of gradient accumulation included).",
    fails: &[(
        "measurements/imagined-2018/more.toml",
        r##"[defaults]
framework = "firelight"
device = "nova-100-16gb"
device-count = 4
network = "deepnet-50"
stage = "train"
batch-size-global = 16
counts = "image"

[[table]]
columns = ["precision", "batch-size", "latency-ms"]
rows = [
  ["fp32", 16, 65.0],
  ["fp16", 16, 31.0],
]
"##,
    )],
    passes: &[(
        "measurements/imagined-2018/more.toml",
        r##"[defaults]
framework = "firelight"
device = "nova-100-16gb"
device-count = 4
network = "deepnet-50"
stage = "train"
batch-size-global = 64
counts = "image"

[[table]]
columns = ["precision", "batch-size", "latency-ms"]
rows = [
  ["fp32", 16, 65.0],
  ["fp16", 16, 31.0],
]
"##,
    )],
    check: Check::Row(find),
};
fn find(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let count = |field| row.get().count(field);
    let (Some(own), Some(global)) = (count(Field::BatchSize), count(Field::BatchSizeGlobal)) else { return };
    let devices = count(Field::DeviceCount).unwrap_or(1);
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
