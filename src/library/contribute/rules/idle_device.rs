//! Hardly any work for the device.

use crate::contribute::rule_interface::plausible_rate::{Claim, claim, judged, slips};
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(403),
    title: "hardly any work for the device",
    severity: Severity::Warning,
    page: "The row claims less than a ten-thousandth of what the device can do, or a batch that takes longer than a quarter of an hour. Small networks on large devices are slow, but not so slow.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "20.0", "200000.0"),
    check: Check::Claim(find),
};
fn find(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let idle = |claim: &Claim| claim.utilisation < LEAST;
    let Some(claim) = claim(context, row.get()).filter(idle) else { return };
    let message = format!("{:.4} % of the dense peak in {}", claim.utilisation * 100.0, claim.format);
    let finding = found.in_row(row, claim.key, message, "absurdly slow");
    judged(finding, &claim, row.get());
    if let Some(slips) = slips(&claim, row.get()) {
        finding.help(format!("this would explain it: {slips}"));
    }
}

/// No real row of the repository's knowledge base, batch 1 on the largest devices included, uses less.
const LEAST: f64 = 1e-4;
