//! The facts of an answer, one line per entity: those of the question's entities first, the rest as counts.

use super::super::{DIM, heading, paragraph};
use super::facts;
use super::facts::{AskedEntities, EntitiesOfRows};
use super::layout::SEPARATOR;
use crate::ask::answer::Answer;
use crate::ask::parse::Ask;
use crate::model::{Device, Fact, FactEntity, FactType, Source, Value};
use crate::rows::{JoinedFramework, labelled_fact, short_device_name};
use crate::values::text::{and_list, counted, printable_name};
use crate::values::{Decimal, EntityKind};

/// Maximum number of lines per kind for entities that only the rows refer to.
const MOST_OTHERS: usize = 1;
/// The same for frameworks: their licences are half of an answer.
const MOST_FRAMEWORKS: usize = 2;
/// Maximum number of cited sources shown.
const MOST_SOURCES: usize = 2;

/// An entity and its facts, for one line.
struct Line {
    name: String,
    facts: Vec<String>,
}

/// One line of facts per entity, and the sources.
pub(super) fn text(answer: &Answer, width: usize) -> String {
    let catalog = &answer.catalog;
    let asked = AskedEntities::of(answer);
    // Without rows, only entities in the question get a line.
    let rows = EntitiesOfRows::by(&answer.measurements);
    let mut lines: Vec<Line> = Vec::new();
    let mut folded: Vec<String> = Vec::new();
    // In an overview without rows, the conclusion already states the facts.
    let is_told = answer.ask == Ask::Overview && answer.measurements.is_empty();
    let mut add = |kind: EntityKind, all: usize, shown: Vec<Line>| {
        // The table above already lists all entities of this kind.
        if answer.listed() == Some(kind) {
            return;
        }
        let more = all.saturating_sub(shown.len());
        if more > 0 {
            folded.push(counted(more, kind.noun(), &kind.plural().replace('-', " ")));
        }
        if !is_told {
            lines.extend(shown);
        }
    };
    let devices = asked.chosen(EntityKind::Device, &catalog.devices, |device| device.id.as_str(), &rows, MOST_OTHERS);
    // The members of a family are summarized in the family's line.
    let members = catalog.devices.iter().filter(|device| is_member_of_one(device, &devices)).count();
    add(
        EntityKind::Device,
        catalog.devices.len() - members,
        devices.iter().map(|device| device_line(device, &catalog.devices)).collect(),
    );
    let frameworks = asked.chosen(
        EntityKind::Framework,
        &catalog.frameworks,
        |joined| joined.framework.id.as_str(),
        &rows,
        MOST_FRAMEWORKS,
    );
    let of_framework = frameworks.iter().map(|joined| framework_line(joined, answer)).collect();
    add(EntityKind::Framework, catalog.frameworks.len(), of_framework);
    let networks = asked.chosen(EntityKind::Network, &catalog.networks, |network| network.id.as_str(), &rows, 1);
    let of_network = networks.iter().map(|network| line(&network.name, *network)).collect();
    add(EntityKind::Network, catalog.networks.len(), of_network);
    let datasets = asked.chosen(EntityKind::Dataset, &catalog.datasets, |dataset| dataset.id.as_str(), &rows, 0);
    let of_dataset = datasets.iter().map(|dataset| line(&dataset.name, *dataset)).collect();
    add(EntityKind::Dataset, catalog.datasets.len(), of_dataset);

    let mut text = String::new();
    for line in lines.iter().filter(|line| !line.facts.is_empty()) {
        text.push_str(&cut(&format!("  {}: ", line.name), &line.facts, SEPARATOR, width));
    }
    let has_facts = !text.is_empty();
    if !has_facts {
        folded.clear();
    }
    let (sources, more_sources) = sources(answer, width);
    if !has_facts && sources.is_empty() {
        return String::new();
    }
    folded.extend(more_sources);
    // Counts of omitted entities follow the heading on the same line if they fit.
    let more = match folded.is_empty() {
        true if has_facts => Some("--facts has them as tables".to_owned()),
        true => None,
        false => Some(format!("--facts has {} more", and_list(&folded))),
    };
    let title = if has_facts { "Facts and sources" } else { "Sources" };
    let more = more.map_or_else(String::new, |more| format!(": {more}"));
    let (title, more) = match textwrap::core::display_width(title) + textwrap::core::display_width(&more) {
        needed if needed <= width => (heading(title).trim_end().to_owned(), format!("{DIM}{more}{DIM:#}\n")),
        _ => (heading(title), format!("{DIM}{}{DIM:#}", paragraph("  ", more.trim_start_matches(": "), width))),
    };
    format!("\n{title}{more}{text}{sources}")
}

/// The cited sources, a single one in full or two in one line, and the count of the others.
fn sources(answer: &Answer, width: usize) -> (String, Option<String>) {
    let cited = super::facts::cited(answer).len().min(MOST_SOURCES);
    let numbered: Vec<(usize, &Source)> = (1..).zip(super::facts::ordered_sources(answer)).take(cited).collect();
    let text = match numbered.as_slice() {
        [] => String::new(),
        [(number, only)] => cut(&format!("  [{number}] "), &super::facts::citation_parts(only), " ", width),
        several => {
            let short =
                |(number, source): &(usize, &Source)| format!("[{number}] {}", super::facts::short_citation(source));
            cut("  ", &several.iter().map(short).collect::<Vec<_>>(), SEPARATOR, width)
        }
    };
    let more = answer.catalog.sources.len() - cited;
    // Questions for a fact or grade only need the source that states it, not those of measurements.
    let is_of_rows = !matches!(answer.ask, Ask::Fact | Ask::Grade);
    let told = (more > 0 && cited > 0 && is_of_rows).then(|| counted(more, "source", "sources"));
    (text, told)
}

/// Whether a device belongs to a family that has a line.
fn is_member_of_one(device: &Device, shown: &[&Device]) -> bool {
    let is_shown = |other: &Device| shown.iter().any(|shown| shown.id == other.id);
    !is_shown(device) && device.variant_of.as_ref().is_some_and(|family| shown.iter().any(|shown| shown.id == *family))
}

/// The line of a device; for a family, facts are ranges over its members.
fn device_line(device: &Device, all: &[Device]) -> Line {
    let members: Vec<&Device> = all.iter().filter(|other| other.variant_of.as_ref() == Some(&device.id)).collect();
    let mut line = line(short_device_name(device), device);
    if members.is_empty() {
        return line;
    }
    line.name.push_str(&format!(" (family of {})", members.len()));
    line.facts = shown_facts::<Device>()
        .filter_map(|fact| match fact.value(device) {
            Some(value) => Some(labelled_fact(fact, &value.to_string())),
            None => range(fact, &members),
        })
        .collect();
    line
}

/// The range of a numeric fact over a family's members.
fn range(fact: Fact, members: &[&Device]) -> Option<String> {
    let number = |device: &&Device| match fact.value(*device)? {
        Value::Number(number) => Some(number),
        Value::Count(count) => count.to_string().parse().ok(),
        Value::Text(_) => None,
    };
    let mut numbers: Vec<Decimal> = members.iter().filter_map(number).collect();
    numbers.sort_by(|a, b| a.value().total_cmp(&b.value()));
    let (least, largest) = (numbers.first()?, numbers.last()?);
    let shown = if least == largest { least.to_string() } else { format!("{least} to {largest}") };
    Some(labelled_fact(fact, &shown))
}

/// The line of a framework, with whether it was tested on the answer's network, and who says so.
fn framework_line(joined: &JoinedFramework, answer: &Answer) -> Line {
    let mut line = line(&joined.framework.name, &joined.framework);
    let tested: Vec<_> = joined.network_tested.iter().filter(|_| !answer.measurements.is_empty()).collect();
    if let [(id, listed)] = tested.as_slice() {
        line.facts.insert(1.min(line.facts.len()), facts::in_words(joined, EntityKind::Network, id, **listed, answer));
    }
    line
}

fn line<E: FactEntity>(name: &str, entity: &E) -> Line {
    let stated = |fact: Fact| Some(labelled_fact(fact, &fact.value(entity)?.to_string()));
    Line { name: name.to_owned(), facts: shown_facts::<E>().filter_map(stated).collect() }
}

/// The facts in a line: the usual ones without names, test lists and the latest release, whose number means nothing without
/// a word beside it.
fn shown_facts<E: FactEntity>() -> impl Iterator<Item = Fact> {
    let is_name = |fact: &Fact| {
        matches!(
            fact,
            Fact::FrameworkName
                | Fact::DeviceName
                | Fact::NetworkName
                | Fact::DatasetName
                | Fact::Family
                | Fact::Class
                | Fact::TestedNetwork
                | Fact::TestedDataset
                | Fact::LatestRelease
        )
    };
    let told = Fact::columns_of::<E>().filter(move |fact| fact.is_usual() && !is_name(fact));
    let (entities, others): (Vec<Fact>, Vec<Fact>) =
        told.partition(|fact| matches!(fact.value_type(), FactType::Entity(_)));
    others.into_iter().chain(entities)
}

/// The parts that fit into one line, with `…` if some do not.
fn cut(first: &str, parts: &[String], separator: &str, width: usize) -> String {
    const MORE: &str = " …";
    let length = |text: &str| textwrap::core::display_width(text);
    let mut line = printable_name(first);
    let mut is_whole = true;
    for (at, part) in parts.iter().enumerate() {
        let part = printable_name(part);
        let lead = if at == 0 { "" } else { separator };
        let rest = if at + 1 < parts.len() || !is_whole { length(MORE) } else { 0 };
        if at > 0 && length(&line) + length(lead) + length(&part) + rest > width {
            is_whole = false;
            continue;
        }
        line.push_str(lead);
        line.push_str(&part);
    }
    line + if is_whole { "\n" } else { " …\n" }
}
