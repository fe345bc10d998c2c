//! A date in the future.

use super::stale_fact;
use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(208),
    title: "a date in the future",
    severity: Severity::Info,
    page: "It lies after today. Because the answer changes with the calendar, this never fails a check.",
    sample: Sample::edited("catalog/sources/imagined-2018.toml", "accessed = 2026-11-21", "accessed = 2027-01-01"),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let Some(today) = context.options.today else { return };
    for (place, steps, date, id) in stale_fact::dates(context) {
        if today.is_before(date) {
            found.at(place, steps, format!("{date} lies in the future"), format!("today is {today}")).of(id);
        }
    }
}
