//! Something in a source that is older than it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::values::{Date, EntityKind};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(219),
    title: "something in a source that is older than it",
    severity: Severity::Error,
    page: "A source of 2018 measured no device that came out in 2020, ran no network of a later paper and no framework that had not been released. Where all sources that have measured it are older, its own year is wrong, and the finding stands there; where most are younger, the row names the wrong thing.",
    sample: Sample::edited("catalog/networks/deepnet-50.toml", "year = 2016", "year = 2023"),
    check: Check::Rows(find),
};

/// The fields whose entities have a year, and the key that says it.
const DATED: &[(Field, EntityKind, &str)] = &[
    (Field::Device, EntityKind::Device, "release-date"),
    (Field::Network, EntityKind::Network, "year"),
    (Field::Framework, EntityKind::Framework, "first-release"),
];

/// So many rows do not name the wrong thing by a slip.
const MANY: usize = 20;

/// The rows of one entity, by whether their source is older.
#[derive(Default)]
struct Seen<'l> {
    year: i64,
    older: Vec<usize>,
    older_sources: BTreeSet<&'l str>,
    younger: bool,
    /// The first row of each file whose own date is older, and its source is not.
    misdated: BTreeMap<&'l Path, usize>,
}

/// A source names so many things that are younger than it, and hardly any other: its own year is wrong.
const FEWEST_YOUNGER: usize = 3;

/// The sources that are older than nearly all that they name of one kind, each with one such thing and its year.
fn misdated_sources<'l>(context: &LintContext<'l>) -> BTreeMap<&'l str, (&'l str, i64)> {
    let mut named: BTreeMap<&str, BTreeMap<&str, i64>> = BTreeMap::new();
    for row in &context.loaded.rows {
        let source = row.get().source().as_str();
        let device = row.get().text(Field::Device);
        if let Some((device, year)) = device.and_then(|id| Some((id, year_of(context, EntityKind::Device, id)?))) {
            named.entry(source).or_default().insert(device, year);
        }
    }
    let year = |source: &str| context.loaded.catalog.sources.get(source)?.year;
    let younger = |(source, devices): (&'l str, BTreeMap<&'l str, i64>)| {
        let own = year(source)?;
        let (all, newest) = (devices.len(), devices.iter().max_by_key(|(_, year)| **year)?);
        let newest = (*newest.0, *newest.1);
        let younger = devices.into_values().filter(|year| *year > own).count();
        (younger >= FEWEST_YOUNGER && younger * 4 >= all).then_some((source, newest))
    };
    named.into_iter().filter_map(younger).collect()
}

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let misdated = misdated_sources(context);
    for (source, (device, year)) in &misdated {
        let Some(place) = context.place(EntityKind::Source, source) else { continue };
        let message = format!("`{source}` measured `{device}` of {year} and other younger devices");
        found.at(place, ["year".into()], message, "older than what it measured").of(source);
    }
    for (field, kind, key) in DATED {
        let mut seen: BTreeMap<&str, Seen<'_>> = BTreeMap::new();
        for (at, row) in context.loaded.rows.iter().enumerate() {
            let measurement = row.get();
            if misdated.contains_key(measurement.source().as_str()) {
                continue;
            }
            let Some(id) = measurement.text(*field) else { continue };
            let Some(year) = year_of(context, *kind, id) else { continue };
            let source = context.loaded.catalog.sources.get(measurement.source());
            // Days before a release have a rule of their own.
            let dated = measurement
                .text(Field::Date)
                .filter(|_| *kind != EntityKind::Device)
                .and_then(|date| date.parse::<Date>().ok());
            let dated = dated.map(|date| i64::from(date.year()));
            let of_source = source.and_then(|source| source.year);
            let entity = seen.entry(id).or_default();
            entity.year = year;
            if dated.is_some_and(|dated| dated < year) && of_source.is_some_and(|of_source| of_source >= year) {
                entity.misdated.entry(&row.file().path).or_insert(at);
                continue;
            }
            let Some(of_source) = of_source.or(dated) else { continue };
            match of_source < year {
                true => {
                    entity.older.push(at);
                    entity.older_sources.insert(measurement.source().as_str());
                }
                false => entity.younger = true,
            }
        }
        for (id, entity) in seen {
            if !entity.older.is_empty() {
                tell(context, (*field, *kind, key), id, &entity, found);
            }
            for at in entity.misdated.values() {
                let row = IndexedRow { at: *at, row: &context.loaded.rows[*at] };
                let message = format!("`{id}` is of {}, the row is older", entity.year);
                found
                    .in_row(&row, Field::Date.key(), message, "before its time")
                    .beside([field.key().into()], "not yet there");
            }
        }
    }
}

fn tell(
    context: &LintContext<'_>,
    (field, kind, key): (Field, EntityKind, &str),
    id: &str,
    entity: &Seen<'_>,
    found: &mut Findings,
) {
    let sources: Vec<&str> = entity.older_sources.iter().copied().collect();
    if (!entity.younger || entity.older.len() >= MANY)
        && let Some(place) = context.place(kind, id)
    {
        let first = &context.loaded.rows[entity.older[0]];
        let message = format!("`{id}` is of {}, but `{}` has measured it", entity.year, sources.join("` and `"));
        found
            .at(place, [key.into()], message, "later than a source that has measured it")
            .of(id)
            .related(first, "measured here");
    }
    // A slip in a row leaves few of them.
    if entity.older.len() < MANY {
        for at in &entity.older {
            let row = IndexedRow { at: *at, row: &context.loaded.rows[*at] };
            let message = format!("`{id}` is of {}, its source or its date is older", entity.year);
            let finding = found.in_row(&row, field.key(), message, "not yet there");
            if row.get().text(Field::Date).is_some() {
                finding.beside([Field::Date.key().into()], "when it was measured");
            }
        }
    }
}

fn year_of(context: &LintContext<'_>, kind: EntityKind, id: &str) -> Option<i64> {
    let catalog = &context.loaded.catalog;
    match kind {
        EntityKind::Device => catalog.devices.get(id)?.release_date.map(|date| i64::from(date.year())),
        EntityKind::Network => catalog.networks.get(id)?.year,
        EntityKind::Framework => catalog.frameworks.get(id)?.first_release.map(|date| i64::from(date.year())),
        _ => None,
    }
}
