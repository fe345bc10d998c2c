//! A fact that was looked up long ago.

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Severity};
use crate::reading::{Located, Step};
use crate::values::{Date, EntityId, EntityKind};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(209),
    title: "a fact that was looked up long ago",
    severity: Severity::Info,
    page: "Prices older than two years, the status of a framework that was seen more than a year ago, and pages read more than five years ago deserve another look. Because the answer changes with the calendar, this never fails a check.",
    sample: Sample::edited("catalog/sources/imagined-2018.toml", "accessed = 2026", "accessed = 2020"),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let Some(today) = context.options.today else { return };
    for (place, steps, date, id) in dates(context) {
        let years = match steps.last() {
            Some(Step::Key(key)) if key == "as-of" => YEARS_OF_A_PRICE,
            Some(Step::Key(key)) if key == "status-date" => YEARS_OF_A_STATUS,
            _ => YEARS_OF_A_PAGE,
        };
        let age = today.year().saturating_sub(date.year());
        if age > years {
            found.at(place, steps, format!("looked up in {}, {age} years ago", date.year()), "look again").of(id);
        }
    }
}

/// Cloud prices change about once a year.
const YEARS_OF_A_PRICE: u16 = 2;
const YEARS_OF_A_PAGE: u16 = 5;
/// A project may be archived at any time.
const YEARS_OF_A_STATUS: u16 = 1;

type Dated<'l> = (&'l Located<()>, Vec<Step>, Date, &'l EntityId);

/// When prices held, frameworks were looked at and sources were read.
pub(super) fn dates<'l>(context: &LintContext<'l>) -> Vec<Dated<'l>> {
    let catalog = &context.loaded.catalog;
    let mut all: Vec<Dated<'l>> = Vec::new();
    for (id, device) in &catalog.devices {
        let Some(place) = context.place(EntityKind::Device, id.as_str()) else { continue };
        for (at, offer) in device.cloud.iter().enumerate() {
            let steps = || vec!["cloud".into(), at.into(), "as-of".into()];
            all.extend(offer.as_of.map(|date| (place, steps(), date, id)));
        }
    }
    for (id, framework) in &catalog.frameworks {
        let Some(place) = context.place(EntityKind::Framework, id.as_str()) else { continue };
        all.extend(framework.status_date.map(|date| (place, vec!["status-date".into()], date, id)));
    }
    for (id, source) in &catalog.sources {
        let Some(place) = context.place(EntityKind::Source, id.as_str()) else { continue };
        all.extend(source.accessed.map(|date| (place, vec!["accessed".into()], date, id)));
    }
    all
}
