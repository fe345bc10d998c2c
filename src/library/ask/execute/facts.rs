//! Facts of entities: values with sources, families by their members, yes-or-no questions, overviews, and grades of classes.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use strum::VariantArray as _;

use super::condition::{entities_meeting, rows_meeting};
use super::counted::values;
use super::key::{NamedEntity, named, named_so, names_in, subject};
use super::lookup::lookup;
use super::measure::By;
use super::spread::in_order;
use super::statement::{Attribute, Statement, has, statement, unit_of};
use super::{Entry, EntryValue, Outcome, Remark};
use crate::ask::parse::{Ask, End, Filter, Is, Key, Quantity, Question, Result, Term, Test};
use crate::model::{
    Aspect, Device, Direction, Facet, Fact, GradeRecord, HardwareClassRecord, MetricDefinition, rank_of,
};
use crate::stores::Stores;
use crate::values::{Decimal, EntityKind, Grade};

/// Default maximum number of entities with an entry.
pub(super) const MOST_ENTITIES: usize = 30;

/// Maximum number of entries for a metric that rows state.
const MAX_ROW_ENTRIES: usize = 2;

/// Maximum number of members of a family with an entry of their own.
const MOST_MEMBERS: usize = 12;

/// The facts of the entities that a question names, or of all that match it if it names none.
pub(super) fn facts(stores: &Stores, question: &Question) -> Result<Outcome> {
    let mut outcome = Outcome::of(Ask::Fact);
    if question.holds {
        holds(stores, question, &mut outcome)?;
        // If no row ran in a format, the peaks show what a device has: `does the P40 have fast fp16`.
        let is_open = matches!(outcome.entries.first(), Some(Entry { value: None, .. }));
        if is_open && question.subject.has(Facet::Precision) {
            let known = formats(stores, question)?.without_unknown_facts();
            if !known.entries.is_empty() {
                return Ok(known.prepending([Remark::NoRow { side: question.subject.clone(), alone: 0 }]));
            }
        }
    }
    let mut relaxed = Vec::new();
    let entities = entities_asked(stores, question, &mut relaxed)?;
    outcome.remarks.extend(relaxed.into_iter().filter(|_| !question.holds));
    // A number format left over beside a wanted peak means that the catalog has no peak for it.
    let is_peak = |want: &Quantity| matches!(want, Quantity::Fact(fact) if fact.key().starts_with("peak-"));
    let asks_peak = question.wants.iter().any(is_peak);
    if let Some(format) = question.subject.names(Facet::Precision).next().filter(|_| asks_peak) {
        let subject = entities.first().map(|entity| entity.id.clone()).unwrap_or_default();
        let unknown = Remark::FactUnknown { subject, quantity: format!("{format}-peak") };
        return Ok(formats(stores, question)?.without_unknown_facts().prepending([unknown]));
    }
    for quantity in &question.wants {
        match quantity {
            Quantity::Fact(Fact::Price) if question.subject.names(Facet::Instance).next().is_some() => {
                let devices = entities_meeting(stores, EntityKind::Device, &question.subject)?;
                outcome.entries.extend(rents(stores, question, devices)?);
            }
            Quantity::Fact(_) | Quantity::Ratio(..) => {
                let Some(attribute) = Attribute::wanted(quantity) else { continue };
                let of_kind = entities.iter().filter(|entity| has(entity.kind, attribute.fact));
                for entity in of_kind.take(MOST_ENTITIES) {
                    add_fact(stores, entity, attribute, &mut outcome)?;
                }
            }
            Quantity::Field(field) => {
                outcome.entries.extend(values(stores, question, &Key::Aspect(Aspect::Field(*field)))?)
            }
            Quantity::HardwareMetric(_) => {
                let graded = grades(stores, question)?;
                outcome.entries.extend(graded.entries);
                outcome.remarks.extend(graded.remarks);
            }
            // A metric that rows state for the same subject: `parameters and top-1 accuracy of …`.
            Quantity::Metric(_) | Quantity::Derived(_) if question.sides.is_empty() => {
                let own = Question { ask: Ask::Lookup, wants: vec![quantity.clone()], ..question.clone() };
                let is_of = |entry: &Entry| By::ladder(&own.wants)[0].key() == entry.quantity;
                let before = outcome.entries.len();
                outcome.entries.extend(lookup(stores, &own)?.entries.into_iter().filter(is_of).take(MAX_ROW_ENTRIES));
                let asked = Aspect::keyed(By::ladder(&own.wants)[0].key());
                if let (true, Some(asked)) = (outcome.entries.len() == before, asked) {
                    let side = question.subject.with(Term::of(Key::Aspect(asked), Is::Stated));
                    outcome.remarks.push(Remark::NoRow { side, alone: 0 });
                }
            }
            _ => {}
        }
    }
    // In a long list, entities without the fact are noise.
    let is_noise = entities.len() > MOST_MEMBERS && outcome.entries.iter().any(|entry| entry.n > 0);
    Ok(if is_noise { outcome.without_unknown_facts() } else { outcome })
}

/// The number formats of devices by their peaks, if no row states one.
pub(super) fn formats(stores: &Stores, question: &Question) -> Result<Outcome> {
    let peaks = Fact::VARIANTS.iter().filter(|fact| fact.key().starts_with("peak-"));
    let wants = peaks.copied().map(Quantity::Fact).collect();
    let subject = question.subject.only(|term| !term.is_of(Facet::Precision));
    let of_all = Question { subject, wants, of: None, ask: Ask::Fact, ..question.clone() };
    let mut known = facts(stores, &of_all)?;
    known.remarks.retain(|remark| !matches!(remark, Remark::FactUnknown { .. }));
    Ok(known)
}

/// Hourly prices of the named instances, or of all instances with the named devices: the offers of the catalog, cheapest first.
pub(super) fn rents(stores: &Stores, question: &Question, devices: Vec<String>) -> Result<Vec<Entry>> {
    let mut rents: Vec<(f64, Entry)> = Vec::new();
    let asked: Vec<&String> = question.subject.names(Facet::Instance).collect();
    for id in devices {
        let Some(device) = stores.database.entity::<Device>(&id)? else { continue };
        for offer in device.cloud.iter().filter(|offer| asked.is_empty() || asked.contains(&&offer.instance)) {
            let price = offer.usd_per_hour.map(Decimal::value);
            let entry = Entry {
                subjects: named_so(Facet::Instance, &offer.instance),
                quantity: Fact::Price.file_key().to_owned(),
                value: price.map(EntryValue::Number),
                unit: unit_of(Fact::Price),
                n: usize::from(price.is_some()),
                sources: vec![offer.source.to_string()],
                cited: vec![offer.source.to_string()],
                ..Entry::default()
            };
            if !rents.iter().any(|(_, known)| *known == entry) {
                rents.push((price.unwrap_or(f64::INFINITY), entry));
            }
        }
    }
    rents.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    Ok(rents.into_iter().map(|(_, entry)| entry).collect())
}

/// The entities whose facts are requested: those named by the subject or a side, and those that match if none is of the kind.
fn entities_asked(stores: &Stores, question: &Question, relaxed: &mut Vec<Remark>) -> Result<Vec<NamedEntity>> {
    let mut entities = members_meeting(stores, &question.subject, relaxed)?;
    for side in &question.sides {
        entities.extend(members_meeting(stores, &question.subject.and(side), relaxed)?);
    }
    let mut known = BTreeSet::new();
    entities.retain(|entity| known.insert((entity.kind, entity.id.clone())));
    let wanted = question.wants.iter().filter_map(Attribute::wanted).map(|attribute| attribute.fact.kind());
    // A hardware class has no memory: use its devices.
    let missing = wanted.filter(|kind| entities.iter().all(|entity| entity.kind != *kind));
    for kind in missing.collect::<BTreeSet<_>>() {
        let ids = entities_meeting(stores, kind, &question.subject)?.into_iter();
        entities.extend(ids.map(|id| NamedEntity { kind, id, members: Vec::new() }));
    }
    Ok(entities)
}

/// The named entities, each family narrowed to the members that meet the other conditions (`A100 80 GB price`); whole if none does,
/// and `relaxed` then says which conditions were dropped.
fn members_meeting(stores: &Stores, filter: &Filter, relaxed: &mut Vec<Remark>) -> Result<Vec<NamedEntity>> {
    let mut entities = Vec::new();
    for entity in named(stores, filter)? {
        let kind = entity.kind;
        let is_limit = |test: &Test| matches!(test.key, Key::Aspect(Aspect::Fact(fact)) if fact.kind() == kind);
        let limits = filter.only(|term| term.test().is_some_and(is_limit));
        let meeting = if limits.terms.is_empty() { Vec::new() } else { entities_meeting(stores, kind, filter)? };
        if !limits.terms.is_empty() && meeting.iter().all(|id| *id != entity.id && !entity.members.contains(id)) {
            relaxed.push(Remark::Relaxed(limits));
        }
        let members = meeting.into_iter().filter(|id| entity.members.contains(id));
        let members: Vec<_> = members.map(|id| NamedEntity { kind, id, members: Vec::new() }).collect();
        entities.extend(if members.is_empty() { vec![entity] } else { members });
    }
    Ok(entities)
}

/// Adds the fact of one entity. If the members of a family differ, the range comes first and then each member.
fn add_fact(stores: &Stores, entity: &NamedEntity, attribute: Attribute, outcome: &mut Outcome) -> Result<()> {
    let own = attribute.statement(stores, entity.kind, &entity.id)?;
    let stated = own.as_ref().filter(|own| own.is_known());
    let mut members: Vec<Statement> = Vec::new();
    for member in &entity.members {
        members.extend(attribute.statement(stores, entity.kind, member)?.filter(Statement::is_known));
    }
    let head = match stated {
        // A value stated for the entity itself does not depend on its variants.
        Some(own) => own.entry.clone(),
        None if members.is_empty() => {
            let quantity = attribute.file_key();
            outcome.remarks.push(Remark::FactUnknown { subject: entity.id.clone(), quantity });
            // A note may state the fact in words: `40 GB of memory on the wafer`.
            let note = statement(stores, entity.kind, &entity.id, Fact::Notes)?;
            if let Some(EntryValue::Text(note)) = note.and_then(|note| note.entry.value) {
                let note = Remark::CatalogNote(subject(entity.kind, &entity.id), note);
                outcome.remarks.extend(Some(note).filter(|note| !outcome.remarks.contains(note)));
            }
            Statement::of((entity.kind, &entity.id), attribute, None, &[]).entry
        }
        None => range(entity, &members),
    };
    let others = members.iter().map(|member| &member.entry).filter(|member| member.value != head.value);
    let others: Vec<Entry> = others.take(MOST_MEMBERS).cloned().collect();
    outcome.entries.extend([head].into_iter().chain(others));
    outcome.remarks.extend(stated.into_iter().chain(&members).filter_map(disputed));
    Ok(())
}

fn disputed(stated: &Statement) -> Option<Remark> {
    let (subject, quantity) = (stated.id.clone(), stated.entry.quantity.clone());
    (!stated.others.is_empty()).then(|| Remark::Disputed { subject, quantity, others: stated.others.clone() })
}

/// The entries for those facts of an entity that the catalog states.
pub(super) fn stated_facts(stores: &Stores, (kind, id): (EntityKind, &str), facts: &[Fact]) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for fact in facts {
        entries.extend(statement(stores, kind, id, *fact)?.filter(Statement::is_known).map(|stated| stated.entry));
    }
    Ok(entries)
}

/// One entry for a family: the common value of all members, otherwise the range from the smallest to the largest.
fn range(entity: &NamedEntity, stated: &[Statement]) -> Entry {
    let mut known: Vec<&Entry> = stated.iter().map(|stated| &stated.entry).collect();
    known.sort_by(|a, b| a.number().unwrap_or(0.0).total_cmp(&b.number().unwrap_or(0.0)));
    let (first, last) = (known[0], known[known.len() - 1]);
    let mut entry = Entry { subjects: subject(entity.kind, &entity.id), n: known.len(), ..first.clone() };
    known[1..].iter().for_each(|one| entry.add_sources_of(one));
    if known.iter().any(|one| one.value != first.value) {
        entry.value = None;
        if let (Some(low), Some(high)) = (first.number(), last.number()) {
            (entry.low, entry.high) = (Some(low), Some(high));
        } else {
            let texts: BTreeSet<String> = known.iter().filter_map(|one| one.value.as_ref()).map(in_words).collect();
            entry.value = Some(EntryValue::List(texts.into_iter().collect()));
        }
    }
    entry
}

fn in_words(value: &EntryValue) -> String {
    match value {
        EntryValue::Flag(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        EntryValue::Number(number) => number.to_string(),
        EntryValue::Text(text) => text.clone(),
        EntryValue::List(items) => items.join(", "),
    }
}

/// Answers a yes-or-no question: by the catalog if an entity matches all of it, else by rows. A different value in the catalog
/// means no; without any statement the answer is unknown.
fn holds(stores: &Stores, question: &Question, outcome: &mut Outcome) -> Result<()> {
    let named = named(stores, &question.subject)?;
    let Some(entity) = named.first() else { return Ok(()) };
    let is_named = |term: &Term| names_in(term).is_some_and(|(kind, _)| kind == entity.kind);
    let key = |term: &Term| fact_of(&term.test()?.key, entity.kind);
    let facts: Vec<Fact> = question.subject.terms.iter().filter(|term| !is_named(term)).filter_map(key).collect();
    // The catalog knows hardware classes, rows know vendors and products: `does PyTorch run on AMD GPUs`.
    let is_narrow = question.subject.has_any(&[Facet::Vendor, Facet::Architecture])
        || question.subject.has(Facet::Device) && entity.kind == EntityKind::Framework;
    let meeting = entities_meeting(stores, entity.kind, &question.subject)?;
    let by_catalog = !is_narrow && !facts.is_empty() && meeting.contains(&entity.id);
    // A framework also supports the platforms that its plug-ins support.
    let by_plug_in = question.subject.terms.iter().cloned().map(|term| match term {
        Term::Test(Test { key, is }) if key == Fact::Platforms.into() => Term::of(Fact::PlatformsByPlugIn, is),
        term => term,
    });
    let by_plug_in = Question { subject: Filter { terms: by_plug_in.collect() }, ..question.clone() };
    if by_plug_in != *question
        && !by_catalog
        && entities_meeting(stores, entity.kind, &by_plug_in.subject)?.contains(&entity.id)
    {
        return holds(stores, &by_plug_in, outcome);
    }
    let rows = rows_meeting(stores, &question.subject)?;
    // A fact that is not stated refutes nothing.
    let (mut stated, mut is_refuted) = (Vec::new(), false);
    for fact in &facts {
        let Some(own) = statement(stores, entity.kind, &entity.id, *fact)? else { continue };
        let alone = question.subject.only(|term| is_named(term) || key(term) == Some(*fact));
        is_refuted |= own.is_known() && !entities_meeting(stores, entity.kind, &alone)?.contains(&entity.id);
        stated.push(own);
    }
    let is_stated = stated.iter().any(Statement::is_known);
    // Rows show what a framework runs on and with, never its maturity: a matching value may be that of the front-end framework.
    // The hardware facet matches a row by any of its frameworks, so such rows prove nothing about this one.
    let shown_by_rows = |fact: &Fact| match fact {
        Fact::Hardware => !question.subject.has(Facet::Hardware),
        fact => matches!(fact, Fact::TestedNetwork | Fact::TestedDataset),
    };
    // Conditions that are not facts are answered by rows: `does ncnn support Vulkan and int8`.
    let is_fact = |term: &Term| key(term).is_some() || is_named(term);
    let (of_facts, of_rows) = (question.subject.only(is_fact), question.subject.only(|term| !is_fact(term)));
    let names_it = |term: &Term| key(term).is_none();
    // A family is what all of its members are that state the facts.
    let is_by_members = !is_narrow && !is_stated && !facts.is_empty() && of_rows.terms.is_empty();
    let known_members = if is_by_members { members_stating(stores, entity, &facts)? } else { Vec::new() };
    let members_met = known_members.iter().filter(|member| meeting.contains(member)).count();
    let by_facts = !facts.is_empty()
        && !of_rows.terms.is_empty()
        && entities_meeting(stores, entity.kind, &of_facts)?.contains(&entity.id);
    let by_both = by_facts && rows_meeting(stores, &of_facts.only(names_it).and(&of_rows))? > 0;
    let answer = match (by_catalog || by_both, rows > 0 && facts.iter().all(shown_by_rows), is_refuted) {
        (true, ..) | (_, true, _) => Some(true),
        (false, false, true) if !is_narrow && !by_facts => Some(false),
        _ if known_members.is_empty() || members_met > 0 && members_met < known_members.len() => None,
        _ => Some(members_met > 0),
    };
    outcome.entries.push(Entry {
        subjects: subject(entity.kind, &entity.id),
        quantity: facts.first().filter(|_| !is_narrow).map_or("rows", |fact| fact.file_key()).to_owned(),
        value: answer.map(EntryValue::Flag),
        n: rows,
        sources: stated.iter().flat_map(|stated| stated.entry.sources.clone()).collect(),
        cited: stated.iter().flat_map(|stated| stated.entry.cited.clone()).collect(),
        is_decided: answer.is_some(),
        ..Entry::default()
    });
    // If only rows show it, do not list the catalog's statement, which would contradict them.
    let by_rows_alone = answer == Some(true) && !by_catalog;
    let is_told = |stated: &Statement| !by_rows_alone && (known_members.is_empty() || stated.is_known());
    for stated in stated.into_iter().filter(is_told) {
        outcome.remarks.extend(disputed(&stated));
        outcome.entries.push(stated.entry);
    }
    for fact in facts.into_iter().filter(|_| !known_members.is_empty()).map(Quantity::Fact) {
        if let Some(attribute) = Attribute::wanted(&fact) {
            add_fact(stores, entity, attribute, outcome)?;
        }
    }
    Ok(())
}

/// The members of a family that state all of these facts.
fn members_stating<'e>(stores: &Stores, entity: &'e NamedEntity, facts: &[Fact]) -> Result<Vec<&'e String>> {
    let mut stating = Vec::new();
    for member in &entity.members {
        let of = facts.iter().map(|fact| statement(stores, entity.kind, member, *fact));
        if of.collect::<Result<Vec<_>>>()?.iter().all(|of| of.as_ref().is_some_and(Statement::is_known)) {
            stating.push(member);
        }
    }
    Ok(stating)
}

/// The fact that a key tests for a kind of entities.
pub(super) fn fact_of(key: &Key, kind: EntityKind) -> Option<Fact> {
    let fact = match key {
        Key::Aspect(Aspect::Fact(fact)) => Some(*fact),
        Key::Facet(Facet::License) => Some(Fact::License),
        Key::Facet(Facet::Language) => Some(Fact::ApiLanguage),
        Key::Facet(Facet::Hardware | Facet::Class | Facet::Device) if kind == EntityKind::Framework => {
            Some(Fact::Hardware)
        }
        Key::Facet(Facet::MultiServer) => Some(Fact::MultiServer),
        Key::Facet(Facet::Maturity) => Some(Fact::Maturity),
        Key::Facet(Facet::Network) if kind == EntityKind::Framework => Some(Fact::TestedNetwork),
        Key::Facet(Facet::Dataset) if kind == EntityKind::Framework => Some(Fact::TestedDataset),
        Key::Facet(facet) => Fact::filter(facet.key()),
        _ => None,
    };
    fact.filter(|fact| has(kind, *fact))
}

/// Maximum number of values listed for each field of what was measured.
const MOST_NAMED: usize = 5;

/// An overview: of the named entity if there is one, otherwise of what was measured.
pub(super) fn overview(stores: &Stores, question: &Question) -> Result<Outcome> {
    let mut outcome = Outcome::of(Ask::Overview);
    let rows = rows_meeting(stores, &question.subject)?;
    let named = named(stores, &question.subject)?;
    let counted = |subjects| Entry::row_count(subjects, rows);
    // Several named entities, such as the rounds of a benchmark, have no common introduction.
    let named = if named.len() == 1 { named } else { Vec::new() };
    match named.first() {
        Some(entity) => {
            outcome.entries.push(counted(subject(entity.kind, &entity.id)));
            // The facts that introduce an entity; for a class, its grades.
            outcome.entries.extend(match entity.kind {
                EntityKind::HardwareClass => grades_of_class(stores, &entity.id)?,
                kind => stated_facts(stores, (kind, &entity.id), facts_of(kind))?,
            });
        }
        None if rows > 0 => outcome.entries.push(counted(Default::default())),
        None => {}
    }
    let about = named.first().map(|entity| entity.kind);
    for kind in [EntityKind::Network, EntityKind::Device, EntityKind::Framework, EntityKind::Source] {
        if about == Some(kind) || rows == 0 {
            continue;
        }
        let most = values(stores, question, &Facet::of_entities(kind).into())?.into_iter().take(MOST_NAMED);
        outcome.entries.extend(most.map(|entry| Entry { sources: Vec::new(), ..entry }));
        if about.is_some() {
            break;
        }
    }
    if named.is_empty() && rows > 0 {
        outcome.entries.extend(values(stores, question, &Facet::Stage.into())?.into_iter().take(MOST_NAMED));
    }
    Ok(outcome)
}

/// The facts that introduce an entity of a kind.
pub(super) fn facts_of(kind: EntityKind) -> &'static [Fact] {
    use Fact::*;
    match kind {
        EntityKind::Device => &[
            Class,
            Vendor,
            Architecture,
            Cores,
            Memory,
            Bandwidth,
            PeakFp32,
            PeakFp16Tensor,
            Tdp,
            Released,
            LaunchPrice,
            Notes,
        ],
        EntityKind::Framework => {
            &[Steward, FirstRelease, Maturity, License, CoreLanguage, ApiLanguage, MultiServer, Hardware, Notes]
        }
        EntityKind::Network => &[Task, Parameters, MultiplyAdds, InputShape, Published, DiffersIn, Notes],
        EntityKind::Dataset => &[Task, Classes, TrainSize, TestSize, License, Notes],
        EntityKind::Source => &[Year],
        EntityKind::HardwareClass => &[],
    }
}

/// The quantity name used in a remark if a class has no grades.
pub(in crate::ask) const GRADES: &str = "grades";

/// The list of hardware metric definitions.
const METRICS: &str = "hardware-metrics";

/// The grades of the named classes (a device implies its class), or of all; best first, unless the question asks for the worst.
pub(super) fn grades(stores: &Stores, question: &Question) -> Result<Outcome> {
    let mut outcome = Outcome::of(Ask::Grade);
    let definitions = stores.database.definitions(METRICS)?;
    let asked: Vec<&MetricDefinition> = metrics_of(question, &definitions);
    let metrics: Vec<&MetricDefinition> = if asked.is_empty() { definitions.iter().collect() } else { asked };
    let classes = classes_of(stores, question)?;
    let end = question.order.as_ref().map_or(End::Best, |order| order.end);
    let unknown = |subject: String, quantity: &str| Remark::FactUnknown { subject, quantity: quantity.to_owned() };
    for metric in metrics {
        let mut graded: Vec<(&HardwareClassRecord, &GradeRecord)> =
            classes.iter().filter_map(|class| Some((class, class.grades.get(&metric.id)?))).collect();
        let better = if metric.better == Some(Grade::Low) { Direction::Lower } else { Direction::Higher };
        graded.sort_by(|(_, a), (_, b)| in_order(rank_of(a.grade), rank_of(b.grade), end.is_largest(better)));
        outcome.entries.extend(graded.iter().map(|(class, grade)| entry(class, metric, grade)));
        // Report a named class that has no grade.
        let is_asked = |class: &&HardwareClassRecord| !question.wants.is_empty() && !class.grades.is_empty();
        let ungraded = classes.iter().filter(|class| !class.grades.contains_key(&metric.id)).filter(is_asked);
        outcome.remarks.extend(ungraded.map(|class| unknown(class.id.to_string(), &metric.id.to_string())));
        if question.wants.is_empty() && question.order.is_none() {
            continue;
        }
        outcome.remarks.push(Remark::GradeDirection { metric: metric.id.to_string(), better: metric.better });
        let notes = graded.iter().filter_map(|(class, grade)| Some((class, grade.notes.clone()?)));
        outcome.remarks.extend(notes.map(|(class, note)| Remark::GradeNote {
            class: class.id.to_string(),
            metric: metric.id.to_string(),
            note,
        }));
    }
    let ungraded = classes.iter().filter(|class| class.grades.is_empty());
    outcome.remarks.extend(ungraded.map(|class| unknown(class.id.to_string().to_uppercase(), GRADES)));
    outcome.entries.truncate(question.take.unwrap_or(usize::MAX));
    Ok(outcome)
}

/// All grades of a class, highest first.
pub(super) fn grades_of_class(stores: &Stores, id: &str) -> Result<Vec<Entry>> {
    let Some(class) = stores.database.entity::<HardwareClassRecord>(id)? else { return Ok(Vec::new()) };
    let definitions = stores.database.definitions(METRICS)?;
    let mut graded: Vec<(&MetricDefinition, &GradeRecord)> =
        definitions.iter().filter_map(|metric| Some((metric, class.grades.get(&metric.id)?))).collect();
    graded.sort_by(|(_, a), (_, b)| rank_of(b.grade).total_cmp(&rank_of(a.grade)));
    Ok(graded.into_iter().map(|(metric, grade)| entry(&class, metric, grade)).collect())
}

/// The hardware metrics that a question wants, orders by or bounds.
fn metrics_of<'d>(question: &Question, definitions: &'d [MetricDefinition]) -> Vec<&'d MetricDefinition> {
    let ids = question
        .quantities()
        .filter_map(|want| if let Quantity::HardwareMetric(id) = want { Some(id.as_str()) } else { None });
    let keys = question.subject.tests().map(|test| &test.key);
    let limited = keys.filter_map(|key| if let Key::Grade(id) = key { Some(id.as_str()) } else { None });
    let ids: IndexSet<&str> = ids.chain(limited).collect();
    ids.iter().filter_map(|id| definitions.iter().find(|metric| metric.id.as_str() == *id)).collect()
}

/// The classes that the subject or a side names or implies; otherwise all matching classes that have grades.
fn classes_of(stores: &Stores, question: &Question) -> Result<Vec<HardwareClassRecord>> {
    let mut wanted: Vec<String> = Vec::new();
    for filter in question.sides.iter().chain([&question.subject]) {
        for entity in named(stores, filter)? {
            let class = match entity.kind {
                EntityKind::HardwareClass => Some(entity.id),
                EntityKind::Device => {
                    stores.database.entity::<Device>(&entity.id)?.map(|device| device.class.to_string())
                }
                _ => None,
            };
            wanted.extend(class.filter(|class| !wanted.contains(class)));
        }
    }
    let all: Vec<HardwareClassRecord> = stores.database.entities()?;
    let of = |id: &String| all.iter().find(|class| <&str>::from(class.id) == id).cloned();
    if !wanted.is_empty() {
        return Ok(wanted.iter().filter_map(of).collect());
    }
    let meeting = entities_meeting(stores, EntityKind::HardwareClass, &question.subject)?;
    let graded = |class: &HardwareClassRecord| !class.grades.is_empty();
    Ok(meeting.iter().filter_map(of).filter(graded).collect())
}

fn entry(class: &HardwareClassRecord, metric: &MetricDefinition, grade: &GradeRecord) -> Entry {
    Entry {
        subjects: subject(EntityKind::HardwareClass, <&str>::from(class.id)),
        quantity: metric.id.to_string(),
        value: Some(EntryValue::Text(grade.grade.to_string())),
        n: 1,
        sources: vec![grade.source.to_string()],
        ..Entry::default()
    }
}
