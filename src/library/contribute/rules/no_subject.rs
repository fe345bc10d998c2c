//! A row without a device or a network.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(317),
    title: "a row without a device or a network",
    severity: Severity::Warning,
    page: "A measurement is of a network on a device. A row that lacks one lost it most often on the way: in a table whose cells are merged, the first row of a group names the device for all of them (`fill` in a recipe carries it down), and one of several tables may lack the column. A hosted service states no device; a cloud instance says it. Where the source states none, an exception in its entry says why.",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "device = \"nova-100-16gb\"\n", ""),
    check: Check::Row(find),
};

fn find(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let lacks = |field: Field| measurement.text(field).is_none();
    if lacks(Field::Device) && lacks(Field::Instance) {
        found.in_row(row, Field::Framework.key(), "a row without `device`", "on which device?");
    }
    if lacks(Field::Network) {
        found.in_row(row, Field::Framework.key(), "a row without `network`", "of which network?");
    }
}
