//! A fact that was looked up long ago.

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Severity};
use crate::reading::{Located, Step};
use crate::values::{Date, EntityId, EntityKind};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(209),
    title: "a fact that was looked up long ago",
    severity: Severity::Info,
    page: "Prices older than two years, and pages read more than five years ago, deserve another look. Because the answer changes with the calendar, this never fails a check.",
    sample: Sample::edited("catalog/sources/imagined-2018.toml", "accessed = 2026", "accessed = 2020"),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let Some(today) = context.options.today else { return };
    for (place, steps, date, id) in dates(context) {
        let price = steps.last() == Some(&Step::from("as-of"));
        let age = today.year().saturating_sub(date.year());
        if age > if price { YEARS_OF_A_PRICE } else { YEARS_OF_A_PAGE } {
            found.at(place, steps, format!("looked up in {}, {age} years ago", date.year()), "look again").of(id);
        }
    }
}

/// Cloud prices change about once a year.
const YEARS_OF_A_PRICE: u16 = 2;
const YEARS_OF_A_PAGE: u16 = 5;

type Dated<'l> = (&'l Located<()>, Vec<Step>, Date, &'l EntityId);

/// When prices held and sources were read.
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
    for (id, source) in &catalog.sources {
        let Some(place) = context.place(EntityKind::Source, id.as_str()) else { continue };
        all.extend(source.accessed.map(|date| (place, vec!["accessed".into()], date, id)));
    }
    all
}
