//! A precision that the device does not have.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::values::{EntityKind, Precision};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(311),
    title: "a precision that the device does not have",
    severity: Severity::Warning,
    page: "TF32 and bf16 came with compute capability 8.0 (Ampere), fp8 with 8.9 (Ada, Hopper): the CUDA C++ Programming Guide lists the arithmetic of each. Software can imitate bf16, so that an attempt is no proof; but a fast run in a format that the device lacks was one in another format.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", r#""fp16", 16"#, r#""fp8", 16"#),
    check: Check::Claim(find),
};

fn find(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let first = match measurement.precision() {
        Some(Precision::Tf32 | Precision::Bf16 | Precision::AmpBf16) => (8, 0),
        Some(Precision::Fp8) => (8, 9),
        _ => return,
    };
    if measurement.metrics().is_empty() {
        return;
    }
    let Some(id) = measurement.text(Field::Device) else { return };
    let Some(own) = context.capability(id).filter(|own| *own < first) else { return };
    let precision = measurement.precision().map(|precision| precision.to_string()).unwrap_or_default();
    let message = format!(
        "`{id}` has compute capability {}.{} and no {precision}, which came with {}.{}",
        own.0, own.1, first.0, first.1
    );
    found.in_row(row, Field::Precision.key(), message, "the device computes in another format").rests_on(
        EntityKind::Device,
        Some(id),
        "compute-capability",
    );
}
