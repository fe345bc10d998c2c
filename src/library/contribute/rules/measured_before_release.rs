//! A measurement before its device came out.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::values::{Date, EntityKind};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(207),
    title: "a measurement before its time",
    severity: Severity::Warning,
    page: "The date of the row lies before the release of the device, or after the source was read, or more than ten years before the source was made. Engineering samples exist; most often one of the dates is that of something else.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", "2018-03-01", "2016-03-01"),
    check: Check::Claim(find),
};
fn find(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
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
