//! Dates: in the wrong order, in the future, or before the device was released.

use super::citations;
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::reading::{Located, Step};
use crate::values::{Date, EntityKind};

pub(in crate::contribute) const DATE_ORDER: Rule = Rule {
    code: Code::new(206),
    title: "dates in the wrong order",
    severity: Severity::Error,
    page: "A commit is not read before it was made; an offer does not precede the device, nor a latest release the first; a network does not appear in a source that is older than its paper. One of the two dates is wrong.",
    sample: Sample::edited(
        "catalog/sources/imagined-2018.toml",
        "commit-date = 2018-11-03",
        "commit-date = 2026-11-30",
    ),
    check: Check::Catalog(find_date_order),
};

fn find_date_order(context: &LintContext<'_>, found: &mut Findings) {
    let catalog = &context.loaded.catalog;
    for (id, source) in &catalog.sources {
        let Some(place) = context.place(EntityKind::Source, id.as_str()) else { continue };
        if let (Some(commit), Some(accessed)) = (source.commit_date, source.accessed)
            && accessed.is_before(commit)
        {
            let message = format!("`{id}` was read on {accessed}, before its commit of {commit}");
            found
                .at(place, ["commit-date".into()], message, "later than `accessed`")
                .of(id)
                .beside(["accessed".into()], "when it was read");
        }
        if let (Some(year), Some(accessed)) = (source.year, source.accessed)
            && i64::from(accessed.year()) < year
        {
            let message = format!("`{id}` is of {year}, but was read in {}", accessed.year());
            found
                .at(place, ["year".into()], message, "later than `accessed`")
                .of(id)
                .beside(["accessed".into()], "when it was read");
        }
    }
    for (id, framework) in &catalog.frameworks {
        let Some(place) = context.place(EntityKind::Framework, id.as_str()) else { continue };
        if let (Some(first), Some(latest)) = (framework.first_release, framework.latest_release_date)
            && latest.is_before(first)
        {
            found
                .at(
                    place,
                    ["latest-release-date".into()],
                    format!("`{id}` came out on {first}, its latest release on {latest}"),
                    "before the first one",
                )
                .of(id)
                .beside(["first-release".into()], "the first release");
        }
    }
    for (id, device) in &catalog.devices {
        let Some(place) = context.place(EntityKind::Device, id.as_str()) else { continue };
        for (at, offer) in device.cloud.iter().enumerate() {
            if let (Some(released), Some(as_of)) = (device.release_date, offer.as_of)
                && as_of.is_before(released)
            {
                let message = format!("`{id}` came out on {released}, but was for rent on {as_of}");
                found
                    .at(place, ["cloud".into(), at.into(), "as-of".into()], message, "before its release")
                    .of(id)
                    .beside(["release-date".into()], "the release");
            }
        }
    }
}

pub(in crate::contribute) const FUTURE_DATE: Rule = Rule {
    code: Code::new(208),
    title: "a date in the future",
    severity: Severity::Warning,
    page: "When a page was read, a price was seen, a commit was made or a framework was released lies in the past. A day is allowed for clocks and time zones; more is a slip of a digit, or day and month exchanged.",
    sample: Sample::edited("catalog/sources/imagined-2018.toml", "accessed = 2026-11-21", "accessed = 2027-01-01"),
    check: Check::Catalog(find_future_date),
};

fn find_future_date(context: &LintContext<'_>, found: &mut Findings) {
    let Some(today) = context.options.today else { return };
    // A clock that is a day slow, or a page read where it is tomorrow already.
    let latest = today.next_day();
    let mut tell = |place: &Located<()>, steps: Vec<Step>, date: Date, id: &str| {
        if latest.is_before(date) {
            found.at(place, steps, format!("{date} lies in the future"), format!("today is {today}")).of(id);
        }
    };
    for (place, steps, date, id) in citations::dates(context) {
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

pub(in crate::contribute) const MEASURED_BEFORE_RELEASE: Rule = Rule {
    code: Code::new(207),
    title: "a measurement before its time",
    severity: Severity::Warning,
    page: "The date of the row lies before the release of the device, or after the source was read, or more than ten years before the source was made. Engineering samples exist; most often one of the dates is that of something else.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", "2018-03-01", "2016-03-01"),
    check: Check::Claim(find_measured_before_release),
};

fn find_measured_before_release(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let Some(date) = measurement.text(Field::Date).and_then(|date| date.parse::<Date>().ok()) else { return };
    let catalog = &context.loaded.catalog;
    let device = measurement.text(Field::Device).and_then(|id| catalog.devices.get(id));
    if let Some(device) = device
        && let Some(released) = device.release_date
        && date.is_before(released)
    {
        let message = format!("measured on {date}, before `{}` came out on {released}", device.id);
        found.in_row(row, "date", message, "before the release").rests_on(
            EntityKind::Device,
            Some(device.id.as_str()),
            "release-date",
        );
    }
    let source = catalog.sources.get(measurement.source());
    if let Some(year) = source.and_then(|source| source.year).filter(|year| i64::from(date.year()) > *year) {
        let message = format!("measured on {date}, after its source of {year}");
        found.in_row(row, "date", message, "after the source was made");
        return;
    }
    if let Some(year) = source.and_then(|source| source.year).filter(|year| i64::from(date.year()) + MOST_YEARS < *year)
    {
        let message = format!("measured on {date}, published in {year}");
        found.in_row(row, "date", message, "long before its source");
    }
    if let Some(accessed) = source.and_then(|source| source.accessed)
        && accessed.is_before(date)
    {
        let message = format!("measured on {date}, after its source was read on {accessed}");
        found.in_row(row, "date", message, "after the source was read");
    }
}

/// Nobody publishes later what he measured; the oldest rows here are nine years older than their source.
const MOST_YEARS: i64 = 10;
