//! Rules about citations: entries and facts without a source, facts looked up long ago, source types, and entries nothing mentions.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::contribute::rule_interface::{Check, Findings, LintContext, LocatedEntity, Rule, Sample};
use crate::model::{Code, Field, Severity, Source, stated_facts};
use crate::reading::{Located, Step};
use crate::values::text::nearest;
use crate::values::{Date, EntityId, EntityKind};

pub(in crate::contribute) const UNCITED: Rule = Rule {
    code: Code::new(204),
    title: "an entity without a source",
    severity: Severity::Warning,
    page: "Every fact has a source. `[[sources]]` names one of `catalog/sources/` or a page; without `facts` it covers everything that no other citation covers.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "\n[[sources]]\nsource = \"imagined-2018\"\n", ""),
    check: Check::Catalog(find_uncited),
};

fn find_uncited(context: &LintContext<'_>, found: &mut Findings) {
    for LocatedEntity { entity, place } in citing(context).filter(|cited| cited.entity.citations().is_empty()) {
        let message = format!("the {} `{}` cites no source", entity.kind().noun(), entity.id());
        found
            .at(place, ["name".into()], message, "where are its facts from?")
            .of(entity.id())
            .help("add [[sources]] with a `source` of the catalog, or with `url`, `title` and `accessed`");
    }
}

pub(in crate::contribute) const UNCITED_FACT: Rule = Rule {
    code: Code::new(205),
    title: "a fact that no citation covers",
    severity: Severity::Warning,
    page: "The citations of this entry all say which `facts` they cover, and this key is in none of the lists. Add it to the one it is from.",
    sample: Sample::edited("catalog/datasets/tiny-pictures.toml", r#", "train-size""#, ""),
    check: Check::Catalog(find_uncited_fact),
};

fn find_uncited_fact(context: &LintContext<'_>, found: &mut Findings) {
    for LocatedEntity { entity, place } in citing(context) {
        let (citations, id) = (entity.citations(), entity.id());
        if citations.is_empty() || citations.iter().any(|citation| citation.facts.is_empty()) {
            continue;
        }
        for fact in stated_facts(entity) {
            if !citations.iter().any(|citation| citation.facts.contains(&fact)) {
                let message = format!("no citation covers `{fact}` of the {} `{id}`", entity.kind().noun());
                found
                    .at(place, [Step::from(fact.as_str())], message, "where is this from?")
                    .of(id)
                    .help(format!("add \"{fact}\" to the `facts` of the citation it is from"));
            }
        }
    }
}

/// The entities whose facts need citations; a source needs none.
pub(super) fn citing<'l>(context: &LintContext<'l>) -> impl Iterator<Item = LocatedEntity<'l>> {
    context.entities().filter(|cited| cited.entity.kind() != EntityKind::Source)
}

pub(in crate::contribute) const STALE_FACT: Rule = Rule {
    code: Code::new(209),
    title: "a fact that was looked up long ago",
    severity: Severity::Info,
    page: "Prices older than two years, the status of a framework that was seen more than a year ago, and pages read more than five years ago deserve another look. Because the answer changes with the calendar, this never fails a check.",
    sample: Sample::edited("catalog/sources/imagined-2018.toml", "accessed = 2026", "accessed = 2020"),
    check: Check::Catalog(find_stale_fact),
};

fn find_stale_fact(context: &LintContext<'_>, found: &mut Findings) {
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

/// Cloud prices change about once a year, so they are stale after two.
const YEARS_OF_A_PRICE: u16 = 2;

const YEARS_OF_A_PAGE: u16 = 5;

/// A project may be archived at any time, so its status is stale after one year.
const YEARS_OF_A_STATUS: u16 = 1;

type Dated<'l> = (&'l Located<()>, Vec<Step>, Date, &'l EntityId);

/// The dates at which prices held, frameworks were looked at and sources were read.
pub(super) fn dates<'l>(context: &LintContext<'l>) -> Vec<Dated<'l>> {
    let catalog = &context.loaded.catalog;
    let mut all: Vec<Dated<'l>> = Vec::new();
    for (id, device) in &catalog.devices {
        for (at, offer) in device.cloud.iter().enumerate() {
            let place = context.offer(id, at, "as-of");
            all.extend(offer.as_of.zip(place).map(|(date, (place, steps))| (place, steps, date, id)));
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

pub(in crate::contribute) const ENTRY_TYPE: Rule = Rule {
    code: Code::new(223),
    title: "bibliographic fields that do not fit",
    severity: Severity::Error,
    page: "An article or a paper of proceedings has a `venue`; a person is an author as `Family, Given`, an organisation as it is; pages run forwards; the number at arXiv is the same in `url`, `doi`, `venue` and the aliases. `type` is the entry type under which BibTeX sets the source (`article`, `inproceedings`, `techreport`, `misc`), or one that biblatex adds (`online`, `report`, `software`, `dataset`). With another word the entry is dropped or set without its fields. What fits nowhere is `misc`.",
    sample: Sample::edited("catalog/sources/imagined-2018.toml", r#"type = "misc""#, r#"type = "webpage""#),
    check: Check::Catalog(find_entry_type),
};

/// The entry types of BibTeX (btxdoc, 3.1) and biblatex (its manual, 2.1).
const TYPES: &[&str] = &[
    "article",
    "artwork",
    "audio",
    "book",
    "bookinbook",
    "booklet",
    "collection",
    "conference",
    "dataset",
    "electronic",
    "image",
    "inbook",
    "incollection",
    "inproceedings",
    "inreference",
    "legal",
    "letter",
    "manual",
    "mastersthesis",
    "misc",
    "movie",
    "mvbook",
    "mvcollection",
    "mvproceedings",
    "mvreference",
    "online",
    "patent",
    "performance",
    "periodical",
    "phdthesis",
    "proceedings",
    "reference",
    "report",
    "review",
    "software",
    "standard",
    "suppbook",
    "suppcollection",
    "suppperiodical",
    "techreport",
    "thesis",
    "unpublished",
    "video",
    "www",
];

fn find_entry_type(context: &LintContext<'_>, found: &mut Findings) {
    for (id, source) in &context.loaded.catalog.sources {
        if let Some(place) = context.place(EntityKind::Source, id.as_str()) {
            find_fields(source, place, found);
        }
        if TYPES.contains(&source.entry_type.to_ascii_lowercase().as_str()) {
            continue;
        }
        let Some(place) = context.place(EntityKind::Source, id.as_str()) else { continue };
        let label = match nearest(&source.entry_type, TYPES.iter().copied(), 1).first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`misc` fits what nothing else does".to_owned(),
        };
        found.at(place, ["type".into()], format!("{:?} is not an entry type", source.entry_type), label).of(id);
    }
}

/// Entry types that require a venue, according to the same manuals.
const IN_A_VENUE: &[&str] = &["article", "inproceedings", "conference", "incollection"];

/// Words that mark an author as an organisation rather than a person.
static ORGANISATION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:an?|the|of|and|organi[sz]ation|society|association|company|authors?|contributors?|developers|team|group|research|services?|software|systems|foundation|facility|initiative|institute|university|labs?|inc|ltd|project|corporation|hugging|technologies|cloud|web)\b",
    )
});

/// A given name, with optional initial, before a family name: `Justin Johnson`.
static PERSON: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\p{Lu}[\p{Ll}.'-]+(?: \p{Lu}\.?)? \p{Lu}\p{Ll}[\p{L}'-]+$"));

static PAGES: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\d+)\s?[-–]+\s?(\d+)$"));

static ARXIV: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)arxiv[^\d]{0,12}(\d{4}\.\d{4,5})"));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is tested")
}

fn find_fields(source: &Source, place: &Located<()>, found: &mut Findings) {
    let id = &source.id;
    let mut tell = |steps: Vec<Step>, message: String, label: &str| {
        found.at(place, steps, message, label).of(id);
    };
    if IN_A_VENUE.contains(&source.entry_type.to_ascii_lowercase().as_str()) && source.venue.is_none() {
        let message = format!("`{id}` is of type {:?} and has no `venue`", source.entry_type);
        tell(vec!["type".into()], message, "add the venue, or write `misc`");
    }
    for (at, author) in source.authors.iter().enumerate() {
        if PERSON.is_match(author) && !ORGANISATION.is_match(author) {
            let message = format!("the author {author:?} is written like a person, given name first");
            tell(vec!["authors".into(), at.into()], message, "write `Family, Given`");
        }
    }
    if let Some(published) = &source.published
        && let Some(pages) = PAGES.captures(&published.pages)
        && let (Ok(first), Ok(last)) = (pages[1].parse::<u64>(), pages[2].parse::<u64>())
        && first > last
    {
        tell(vec!["published".into(), "pages".into()], format!("the pages {first} to {last}"), "backwards");
    }
    let number = |text: &str| Some(ARXIV.captures(text)?[1].to_owned());
    let fields = [("url", &source.url), ("doi", &source.doi), ("venue", &source.venue)];
    let mut numbers: Vec<(Vec<Step>, String)> = fields
        .into_iter()
        .filter_map(|(key, text)| Some((vec![key.into()], number(text.as_deref()?)?)))
        .chain(
            source
                .aliases
                .iter()
                .enumerate()
                .filter_map(|(at, alias)| Some((vec!["aliases".into(), at.into()], number(alias)?))),
        )
        .collect();
    let times = |own: &str| numbers.iter().filter(|(_, other)| other == own).count();
    let most = numbers.iter().map(|(_, own)| times(own)).max().unwrap_or_default();
    let usual = numbers.iter().find(|(_, own)| times(own) == most).map(|(_, own)| own.clone()).unwrap_or_default();
    let is_tie = most * 2 == numbers.len();
    numbers.retain(|(_, own)| *own != usual);
    for (steps, own) in numbers {
        let other = if is_tie { "another field has" } else { "its other fields have" };
        tell(steps, format!("`{id}` is {own} at arXiv here, {other} {usual}"), "one paper, one number");
    }
}

pub(in crate::contribute) const UNREFERENCED: Rule = Rule {
    code: Code::new(107),
    title: "an entity that nothing mentions",
    severity: Severity::Info,
    page: "No measurement, no framework, no other entity and no citation mentions it. That is not a mistake for a device or a network, which people look up for its own facts; a source that nothing cites is often a slip.",
    sample: Sample::edited("catalog/frameworks/firelight.toml", "tested-datasets = [\"tiny-pictures\"]\n", ""),
    check: Check::Whole(find_unreferenced),
};

fn find_unreferenced(context: &LintContext<'_>, found: &mut Findings) {
    let mentioned = mentioned(context);
    for LocatedEntity { entity, place } in context.entities() {
        if !mentioned.contains(&(entity.kind(), entity.id())) {
            let message = format!("nothing mentions the {} `{}`", entity.kind().noun(), entity.id());
            found.at(place, ["name".into()], message, "no measurement, no entity, no citation").of(entity.id());
        }
    }
}

fn mentioned<'l>(context: &LintContext<'l>) -> HashSet<(EntityKind, &'l str)> {
    use EntityKind::*;
    let mut all = HashSet::new();
    for row in &context.loaded.rows {
        let measurement = row.get();
        all.insert((Source, measurement.source().as_str()));
        all.extend(Field::of_entities().filter_map(|(field, kind)| Some((kind, measurement.text(field)?))));
    }
    let catalog = &context.loaded.catalog;
    let citations = catalog.entities().flat_map(|entity| entity.citations());
    all.extend(citations.filter_map(|citation| Some((Source, citation.source.as_ref()?.as_str()))));
    for framework in catalog.frameworks.values() {
        all.extend(framework.tested_networks.iter().map(|id| (Network, id.as_str())));
        all.extend(framework.tested_datasets.iter().map(|id| (Dataset, id.as_str())));
        all.extend(framework.reported.keys().map(|id| (Source, id.as_str())));
    }
    for device in catalog.devices.values() {
        all.extend(device.variant_of.iter().map(|id| (Device, id.as_str())));
        // Mentioning a family mentions each of its SKUs, and a SKU represents its family.
        all.extend(device.variant_of.iter().map(|_| (Device, device.id.as_str())));
        all.extend(device.reported.keys().map(|id| (Source, id.as_str())));
        all.extend(device.cloud.iter().map(|offer| (Source, offer.source.as_str())));
    }
    for network in catalog.networks.values() {
        all.extend(network.family.iter().chain(&network.variant_of).map(|id| (Network, id.as_str())));
    }
    for class in catalog.hardware_classes.values() {
        all.extend(class.reported.keys().map(|id| (Source, id.as_str())));
        all.extend(class.grades.values().map(|grade| (Source, grade.source.as_str())));
    }
    for part in context.loaded.suites.iter().flat_map(|suite| &suite.parts) {
        all.extend(part.networks.iter().map(|id| (Network, id.as_str())));
        all.extend(part.dataset.iter().map(|id| (Dataset, id.as_str())));
    }
    for source in catalog.sources.values() {
        all.extend(source.standing.iter().filter_map(|s| Some((Source, s.replaced_by.as_ref()?.as_str()))));
    }
    all
}
