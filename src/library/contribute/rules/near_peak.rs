//! Nearly all the work that the device can do.

use crate::contribute::rule_interface::plausible_rate::{Claim, claim, judged, slips};
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(402),
    title: "nearly all the work that the device can do",
    severity: Severity::Warning,
    page: "Above 85 % of the dense peak (of a GPU at a boost 15 % above the nominal clock). Long matrix products come close, whole networks hardly: the figure may be right, but look again.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "20.0", "8.0"),
    check: Check::Claim(find),
};
fn find(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let near = |claim: &Claim| (0.85..=1.0).contains(&(claim.utilisation / claim.allowance));
    let Some(claim) = claim(context, row.get()).filter(near) else { return };
    let message = format!("{:.0} % of the dense peak in {}", claim.utilisation * 100.0, claim.format);
    let finding = found.in_row(row, claim.key, message, "hardly any network comes so near");
    judged(finding, &claim, row.get());
    if let Some(slips) = slips(&claim, row.get()) {
        finding.help(format!("or: {slips}"));
    }
}
