//! A date in the future.

use super::stale_fact;
use crate::contribute::lint::findings::Found;
use crate::contribute::lint::rule::{Check, Rule};
use crate::contribute::lint::subject::Subject;
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
fn find(subject: &Subject<'_>, found: &mut Found) {
    let Some(today) = subject.scope.today else { return };
    for (place, steps, date, id) in stale_fact::dates(subject) {
        if today.is_before(date) {
            found.at(place, steps, format!("{date} lies in the future"), format!("today is {today}")).of(id);
        }
    }
}
