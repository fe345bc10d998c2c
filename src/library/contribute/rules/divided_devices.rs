//! Devices that read prompts and devices that write answers, which are not all devices together.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(319),
    title: "parts of the devices that are not all of them",
    severity: Severity::Error,
    page: "In disaggregated serving some devices read the prompts (`prefill-devices`) and the others write the answers (`decode-devices`). Together they are the `device-count`: a rate per device is over the devices of its stage, and that of all work over all of them.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "device-raw = \"Acme Nova 100 16GB\"\n",
        "device-raw = \"Acme Nova 100 16GB\"\ndevice-count = 2\nprefill-devices = 2\ndecode-devices = 2\n",
    ),
    check: Check::Row(find),
};

fn find(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let count = |field| measurement.count(field);
    let parts = count(Field::PrefillDevices).zip(count(Field::DecodeDevices));
    if let (Some(all), Some((prefill, decode))) = (count(Field::DeviceCount), parts)
        && prefill.saturating_add(decode) != all
    {
        let message = format!("{prefill} devices for prefill and {decode} for decode are not {all}");
        found
            .in_row(row, Field::DeviceCount.key(), message, "all devices together")
            .beside([Field::PrefillDevices.key().into()], "those that read prompts")
            .beside([Field::DecodeDevices.key().into()], "those that write answers");
    }
}
