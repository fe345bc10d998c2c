//! A date in the future.

use super::stale_fact;
use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Severity};
use crate::reading::{Located, Step};
use crate::values::{Date, EntityKind};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(208),
    title: "a date in the future",
    severity: Severity::Warning,
    page: "When a page was read, a price was seen, a commit was made or a framework was released lies in the past. A day is allowed for clocks and time zones; more is a slip of a digit, or day and month exchanged.",
    sample: Sample::edited("catalog/sources/imagined-2018.toml", "accessed = 2026-11-21", "accessed = 2027-01-01"),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let Some(today) = context.options.today else { return };
    // A clock that is a day slow, or a page read where it is tomorrow already.
    let latest = today.next_day();
    let mut tell = |place: &Located<()>, steps: Vec<Step>, date: Date, id: &str| {
        if latest.is_before(date) {
            found.at(place, steps, format!("{date} lies in the future"), format!("today is {today}")).of(id);
        }
    };
    for (place, steps, date, id) in stale_fact::dates(context) {
        tell(place, steps, date, id.as_str());
    }
    // A commit after the day on which it was read is another rule's.
    for (id, source) in context.loaded.catalog.sources.iter().filter(|(_, source)| source.accessed.is_none()) {
        if let (Some(place), Some(date)) = (context.place(EntityKind::Source, id.as_str()), source.commit_date) {
            tell(place, vec!["commit-date".into()], date, id.as_str());
        }
    }
    for (id, framework) in &context.loaded.catalog.frameworks {
        let Some(place) = context.place(EntityKind::Framework, id.as_str()) else { continue };
        for (key, date) in
            [("first-release", framework.first_release), ("latest-release-date", framework.latest_release_date)]
        {
            if let Some(date) = date {
                tell(place, vec![key.into()], date, id.as_str());
            }
        }
    }
    for entity in context.loaded.catalog.entities().filter(|entity| entity.kind() != EntityKind::HardwareClass) {
        let Some(place) = context.place(entity.kind(), entity.id()) else { continue };
        for (at, citation) in entity.citations().iter().enumerate() {
            if let Some(date) = citation.accessed {
                tell(place, vec!["sources".into(), at.into(), "accessed".into()], date, entity.id());
            }
        }
    }
}
