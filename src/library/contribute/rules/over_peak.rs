//! More work than the device can do.

use crate::contribute::rule_interface::plausible_rate::{claim, judged, slips};
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(401),
    title: "more work than the device can do",
    severity: Severity::Error,
    page: "The row claims more operations a second than the dense peak of the device in that format: the network's multiply-adds (twice, a multiply-add is two operations; three passes for training) times the items a second, over the peak times the number of devices. Boards run above their nominal clock where heat and power allow it, so a GPU may claim 15 % more. Without a stated precision the fastest format counts.

The message says which slip would explain the number. Networks that consist of 3x3 convolutions (VGG, AlexNet) may claim 2.25 times the peak of a plain format, because Winograd's method makes their results with 16 multiplications for 36. A source may err: then except this rule with the reason.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "20.0", "2.0"),
    check: Check::Claim(find),
};
fn find(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let Some(claim) = claim(context, row.get()).filter(|claim| claim.utilisation > claim.allowance) else { return };
    let message = format!(
        "{:.0} % of the peak of `{}`: {:.1} of {:.1} TFLOP/s in {}",
        claim.utilisation * 100.0,
        row.get().text(Field::Device).unwrap_or_default(),
        claim.achieved,
        claim.peak * claim.devices,
        claim.format,
    );
    let finding = found.in_row(row, claim.key, message, "faster than the device can compute");
    judged(finding, &claim, row.get());
    finding.help(match slips(&claim, row.get()) {
        Some(slips) => format!("this would explain it: {slips}"),
        None => "no usual slip explains it: is it this network, this device, this precision?".to_owned(),
    });
}
