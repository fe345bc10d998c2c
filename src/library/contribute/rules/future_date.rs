//! A date in the future.

use super::stale_fact;
use crate::contribute::lint::{Check, Findings, LintContext, Rule};
use crate::model::{Code, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(208),
    title: "a date in the future",
    severity: Severity::Info,
    page: "It lies after today. Because the answer changes with the calendar, this never fails a check.",
    fails: &[(
        "catalog/sources/invented-2020.toml",
        r##"name = "Invented Benchmarks"
type = "misc"
authors = ["Nobody, Ada"]
year = 2020
url = "https://example.org/invented"
accessed = 2027-01-01
"##,
    )],
    passes: &[(
        "catalog/sources/invented-2020.toml",
        r##"name = "Invented Benchmarks"
type = "misc"
authors = ["Nobody, Ada"]
year = 2020
url = "https://example.org/invented"
accessed = 2026-11-21
"##,
    )],
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
