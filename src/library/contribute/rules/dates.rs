//! Dates: in the wrong order, in the future, before the device was released, or something newer than its source.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::citations;
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, LocatedEntity, Rule, Sample};
use crate::model::{Citation, Code, Field, Measurement, Severity};
use crate::reading::{Located, Step};
use crate::values::text::or_list;
use crate::values::{Date, EntityKind, FrameworkStatus};

pub(in crate::contribute) const DATE_ORDER: Rule = Rule {
    code: Code::new(206),
    title: "dates in the wrong order",
    severity: Severity::Error,
    page: "A commit is not read before it was made; an offer does not precede the device, nor a latest release the first, and the title of its citation names its month; what has had no release for three years, or of which a citation says that it has none, is inactive; a network does not appear in a source that is older than its paper, and is of the year in which its paper came to arXiv, nor is a source of 2018 cited for a device of 2022. One of the two dates is wrong.",
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
        let Some(accessed) = source.accessed else { continue };
        let commit = source.commit_date.filter(|commit| accessed.is_before(*commit));
        let year = source.year.filter(|year| i64::from(accessed.year()) < *year);
        let of_commit = commit.map(|commit| format!("`{id}` was read on {accessed}, before its commit of {commit}"));
        let of_year = year.map(|year| format!("`{id}` is of {year}, but was read in {}", accessed.year()));
        // If one date contradicts both others, it is the wrong one.
        let (key, other, label) = match (&of_commit, &of_year) {
            (Some(_), Some(_)) => ("accessed", "commit-date", "earlier than `commit-date` and `year`"),
            (Some(_), None) => ("commit-date", "accessed", "later than `accessed`"),
            _ => ("year", "accessed", "later than `accessed`"),
        };
        if let Some(message) = of_commit.or(of_year) {
            found.at(place, [key.into()], message, label).of(id).beside([other.into()], "the other date");
        }
    }
    find_old_citations(context, found);
    find_years_of_papers(context, found);
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
        let months: Vec<String> = Citation::covering(&framework.sources, "latest-release-date")
            .filter_map(|citation| month_in(citation.title.as_deref()?))
            .collect();
        if let Some(latest) = framework.latest_release_date
            && !months.is_empty()
            && !months.iter().any(|month| latest.to_string().starts_with(month))
        {
            let message =
                format!("the latest release of `{id}` is of {latest}, its citation says {}", or_list(&months));
            found.at(place, ["latest-release-date".into()], message, "another month than in the title").of(id);
        }
        if let (Some(status), Some(latest), Some(seen)) =
            (framework.status, framework.latest_release_date, framework.status_date)
            && status != FrameworkStatus::Inactive
            && seen.year() >= latest.year() + YEARS_WITHOUT_RELEASE
        {
            let message = format!("`{id}` is {status} in {}, and its latest release is of {latest}", seen.year());
            found
                .at(place, ["status".into()], message, "is it developed?")
                .of(id)
                .beside(["latest-release-date".into()], "the latest release");
        }
    }
    for (id, framework) in &catalog.frameworks {
        let titles = Citation::covering(&framework.sources, "status").filter_map(|citation| citation.title.as_deref());
        let said = titles.into_iter().find(|title| INACTIVE.is_match(title));
        if let (Some(title), Some(status), Some(place)) =
            (said, framework.status, context.place(EntityKind::Framework, id.as_str()))
            && status != FrameworkStatus::Inactive
        {
            let message = format!("`{id}` is {status}, and its citation says {title:?}");
            found.at(place, ["status".into()], message, "is it developed?").of(id);
        }
    }
    for (id, device) in &catalog.devices {
        for (at, offer) in device.cloud.iter().enumerate() {
            if let (Some(released), Some(as_of), Some((place, steps))) =
                (device.release_date, offer.as_of, context.offer(id, at, "as-of"))
                && as_of.is_before(released)
            {
                let message = format!("`{id}` came out on {released}, but was for rent on {as_of}");
                found.at(place, steps, message, "before its release").of(id);
            }
        }
    }
}

/// Reports networks whose `year` differs from the year in the arXiv number of their paper.
fn find_years_of_papers(context: &LintContext<'_>, found: &mut Findings) {
    for (id, network) in &context.loaded.catalog.networks {
        let number = network.paper.as_deref().and_then(|paper| paper.split_once("arxiv.org/abs/"));
        let came = number.and_then(|(_, number)| arxiv_year(number));
        let Some((year, came)) = network.year.zip(came).filter(|(year, came)| year != came) else { continue };
        let Some(place) = context.place(EntityKind::Network, id.as_str()) else { continue };
        let message = format!("`{id}` is of {year}, and its paper came to arXiv in {came}");
        found
            .at(place, ["paper".into()], message, "the paper of another network?")
            .of(id)
            .beside(["year".into()], "or is the year wrong?");
    }
}

/// The year of an arXiv number: 2015 of `1512.03385`.
fn arxiv_year(number: &str) -> Option<i64> {
    let years = number.get(..2)?.parse::<i64>().ok()?;
    (number.as_bytes().get(4) == Some(&b'.')).then_some(2000 + years)
}

/// A framework in development has a release within this many years.
const YEARS_WITHOUT_RELEASE: u16 = 3;

/// Month names by their first three letters.
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Finds the month in a title: `2026-10` in "release 1.31.1 of October 2026".
fn month_in(title: &str) -> Option<String> {
    let words: Vec<&str> = title.split(|c: char| !c.is_alphanumeric()).collect();
    words.windows(2).find_map(|pair| {
        let month = MONTHS.iter().position(|month| pair[0].starts_with(month))? + 1;
        let year = pair[1].parse::<u16>().ok().filter(|year| *year > 1990)?;
        Some(format!("{year}-{month:02}"))
    })
}

/// Titles that state that a project is inactive.
static INACTIVE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:none since|archived|unmaintained|not maintained|discontinued|end of life)\b")
        .expect("the pattern is tested")
});

/// Reports sources older than the entity they are cited for; announcements may be a year older.
fn find_old_citations(context: &LintContext<'_>, found: &mut Findings) {
    for LocatedEntity { entity, place } in citations::citing(context) {
        // Entities in rows are compared with the years of their sources by rule DL0219.
        let is_device = entity.kind() == EntityKind::Device;
        let is_dated = is_device || entity.kind() == EntityKind::Network;
        let Some(year) = year_of(context, entity.kind(), entity.id()).filter(|_| is_dated) else { continue };
        for (at, citation) in entity.citations().iter().enumerate() {
            // An older source may be cited for what a network shares with earlier ones, but not for its year.
            if !is_device && !citation.facts.iter().any(|fact| fact == "year") {
                continue;
            }
            let source = citation.source.as_ref().and_then(|id| context.loaded.catalog.sources.get(id));
            let commit = source.and_then(|source| source.commit_date).map(|date| i64::from(date.year()));
            let latest = source.and_then(|source| source.year).max(commit);
            if let (Some(source), Some(latest)) = (source, latest.filter(|latest| latest + 1 < year)) {
                let message =
                    format!("`{}` is of {year}, and `{}` of {latest} is cited for it", entity.id(), source.id);
                found
                    .at(place, ["sources".into(), at.into(), "source".into()], message, "before its time")
                    .of(entity.id());
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
    // Allows for a clock that is a day slow, or a page read in a later time zone.
    let latest = today.next_day();
    let mut tell = |place: &Located<()>, steps: Vec<Step>, date: Date, id: &str| {
        if latest.is_before(date) {
            found.at(place, steps, format!("{date} lies in the future"), format!("today is {today}")).of(id);
        }
    };
    for (place, steps, date, id) in citations::dates(context) {
        tell(place, steps, date, id.as_str());
    }
    // Sources with `accessed` have another rule for a commit after that date.
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
    page: "The date of the row lies before the release of the device, or after the copy of the source that was read, or more than ten years before the source was made. Engineering samples exist; most often one of the dates is that of something else.",
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
    if let Some(read) = source.and_then(|source| source.commit_date.or(source.accessed))
        && read.is_before(date)
    {
        let message = format!("measured on {date}, and its source is of {read}");
        found.in_row(row, "date", message, "after the copy of the source that was read");
    }
}

/// Maximum age of a row at publication; the oldest rows in the repository are nine years older than their source.
const MOST_YEARS: i64 = 10;

pub(in crate::contribute) const NEWER_THAN_SOURCE: Rule = Rule {
    code: Code::new(219),
    title: "something in a source that is older than it",
    severity: Severity::Error,
    page: "A source of 2018 measured no device that came out in 2020, ran no network of a later paper and no framework that had not been released, nor a version of it, or of CUDA that other sources have only two years later; the date of a row counts as the year of its source does. Where all sources that have measured it are older, its own year is wrong, and the finding stands there; where most are younger, the row names the wrong thing.",
    sample: Sample::edited("catalog/networks/deepnet-50.toml", "year = 2016", "year = 2023"),
    check: Check::Rows(find_newer_than_source),
};

/// The fields whose entities have a date, with the key that states it.
const DATED: &[(Field, EntityKind, &str)] = &[
    (Field::Device, EntityKind::Device, "release-date"),
    (Field::Network, EntityKind::Network, "year"),
    (Field::Framework, EntityKind::Framework, "first-release"),
];

/// This many rows cannot all name the wrong entity by mistake.
const MANY: usize = 20;

/// This many older sources outweigh younger ones.
const FEWEST_OLDER: usize = 3;

/// The rows of one entity, split by whether their source is older than the entity.
#[derive(Default)]
struct Seen<'l> {
    year: i64,
    older: Vec<usize>,
    older_sources: BTreeSet<&'l str>,
    younger: bool,
    /// In each file, the first row whose own date is older than the entity although its source is not.
    misdated: BTreeMap<&'l Path, usize>,
}

/// If a source names this many devices younger than itself, and they are at least a quarter, its own year is wrong.
const FEWEST_YOUNGER: usize = 3;

/// Sources that are older than many of the devices they name, each with the newest such device and its year.
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

/// A version of some software, a source that has it, and the year of the rows.
type Versioned<'l> = ((u64, u64), &'l str, i64);

/// Version fields, each with the field that names the software.
const VERSIONS: &[(Field, Option<Field>)] = &[
    (Field::FrameworkVersion, Some(Field::Framework)),
    (Field::BackendVersion, Some(Field::Backend)),
    (Field::Cuda, None),
];

/// A version is too early if it precedes its first appearance (or a later version's) in another source by this many years
const YEARS_AHEAD: i64 = 2;

/// To be too early, a version must also be this many minor versions ahead of every version then in use.
const MINORS_AHEAD: u64 = 3;

/// A version that is a year and month, of a container or framework: `22.10`.
static YEAR_AND_MONTH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[\s:])(1[6-9]|2\d)\.(?:0[1-9]|1[0-2])(?:\D|$)").expect("the pattern is tested"));

/// Versions released after the row or its source, judged by the date in the version or by the versions in other sources.
fn find_newer_versions(context: &LintContext<'_>, found: &mut Findings) {
    let year = |measurement: &Measurement| {
        let of_source = context.loaded.catalog.sources.get(measurement.source())?.year?;
        let dated = measurement.text(Field::Date).and_then(|date| date.parse::<Date>().ok());
        Some(dated.map_or(of_source, |date| of_source.min(i64::from(date.year()))))
    };
    let number = |text: &str| {
        let mut parts = text.trim_start_matches(['v', 'V']).split('.');
        let (major, minor) = (parts.next()?, parts.next()?);
        let digits = minor.find(|c: char| !c.is_ascii_digit()).unwrap_or(minor.len());
        Some((major.parse::<u64>().ok()?, minor[..digits].parse::<u64>().ok()?))
    };
    for (field, of) in VERSIONS {
        let version = |measurement: &'_ Measurement| {
            let software = of.map_or(Some(field.key()), |of| measurement.text(of))?.to_owned();
            Some((software, number(measurement.text(*field)?)?, year(measurement)?))
        };
        let mut all: BTreeMap<String, BTreeSet<Versioned<'_>>> = BTreeMap::new();
        for row in &context.loaded.rows {
            if let Some((software, version, year)) = version(row.get()) {
                all.entry(software).or_default().insert((version, row.get().source().as_str(), year));
            }
        }
        // If a version is too early in this source, the year of the first other source with it or a later version.
        let too_early = |versions: &BTreeSet<Versioned<'_>>, &(version, source, year): &Versioned<'_>| {
            let others = || versions.iter().filter(|(_, other, _)| *other != source);
            let first = others().filter(|(other, ..)| *other >= version).map(|(.., first)| *first).min();
            // If no other source has the version, it is newer than the latest of them.
            let first = first.or_else(|| others().map(|(.., year)| *year).max())?;
            let is_lower = |(other, _, of): &Versioned<'_>| *other < version && *of > year && *of <= first;
            let known = others().filter(|(.., of)| *of <= year).map(|(version, ..)| *version).max();
            let is_ahead = known.is_none_or(|(major, minor)| version.0 > major || version.1 >= minor + MINORS_AHEAD);
            (first >= year + YEARS_AHEAD && is_ahead && others().any(is_lower)).then_some(first)
        };
        let early: BTreeMap<(&str, &Versioned<'_>), i64> = all
            .iter()
            .flat_map(|(software, versions)| versions.iter().map(move |own| (software, versions, own)))
            .filter_map(|(software, versions, own)| Some(((software.as_str(), own), too_early(versions, own)?)))
            .collect();
        if early.is_empty() {
            continue;
        }
        for (at, row) in context.loaded.rows.iter().enumerate() {
            let Some((software, version, year)) = version(row.get()) else { continue };
            if let Some(first) = early.get(&(software.as_str(), &(version, row.get().source().as_str(), year))) {
                let text = row.get().text(*field).unwrap_or_default();
                let message = format!("`{software}` {text} in {year}, and no other source has it before {first}");
                found.in_row(&IndexedRow { at, row }, field.key(), message, "not yet released?");
            }
        }
    }
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let Some(year) = year(row.get()) else { continue };
        for field in [Field::FrameworkVersion, Field::Container] {
            let Some(text) = row.get().text(field) else { continue };
            let own =
                YEAR_AND_MONTH.captures(text).and_then(|found| found[1].parse::<i64>().ok()).map(|own| 2000 + own);
            if let Some(own) = own.filter(|own| *own > year) {
                let message = format!("{text} is a version of {own}, the row or its source is of {year}");
                found.in_row(&IndexedRow { at, row }, field.key(), message, "not yet there");
            }
        }
    }
}

fn find_newer_than_source(context: &LintContext<'_>, found: &mut Findings) {
    find_newer_versions(context, found);
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
            // Dates before a device's release are covered by another rule.
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
    let of_entity = !entity.younger || entity.older.len() >= MANY || sources.len() >= FEWEST_OLDER;
    if of_entity && let Some(place) = context.place(kind, id) {
        let first = &context.loaded.rows[entity.older[0]];
        let message = format!("`{id}` is of {}, but `{}` measured it before", entity.year, sources.join("` and `"));
        found
            .at(place, [key.into()], message, "later than a source that measured it")
            .of(id)
            .related(first, "measured here");
    }
    // A mistake in a row affects only a few rows, in one source.
    if entity.older.len() < MANY && (sources.len() < FEWEST_OLDER || !of_entity) {
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
