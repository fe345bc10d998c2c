//! A measurement of our own on a device family.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::values::Provenance;
use crate::values::text::and_list;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(105),
    title: "a measurement of our own on a device family",
    severity: Severity::Warning,
    page: "Whoever measures has the device at hand and can say which SKU it is: memory size, form factor. A number at the family cannot be compared with the SKU's limits.

Numbers of other people stay at the family where their source does not say more.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", r#""nova-100-16gb""#, r#""nova-100""#),
    check: Check::Row(find),
};
fn find(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let Some(device) = measurement.text(Field::Device) else { return };
    if measurement.provenance() != Provenance::Measured {
        return;
    }
    let Some((family, members)) = context.members.iter().find(|(family, _)| family.as_str() == device) else {
        return;
    };
    let members: Vec<String> = members.iter().take(6).map(|id| format!("`{id}`")).collect();
    found
        .in_row(row, "device", format!("`{family}` is a family, not a device one can measure on"), "which SKU was it?")
        .help(format!("its SKUs are {}", and_list(&members)));
}
