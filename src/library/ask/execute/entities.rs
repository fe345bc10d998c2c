//! Lists entities, or values of a field, that match a question: by the catalog, and by the rows that reference them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeBounds as _;

use indexmap::{IndexMap, IndexSet};

use super::condition::{checked_later, condition, entities_meeting, rows_meeting};
use super::counted::{Counts, Found, rows_by_value, sorted, values};
use super::facts::{MOST_ENTITIES, fact_of, rents, stated_facts};
use super::key::subject;
use super::lookup::{bounded, is_measure};
use super::statement::{Attribute, Statement, has, statement};
use super::{Entry, EntryValue, Outcome, Remark};
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::parse::{Ask, End, Filter, Is, Key, Order, Quantity, Question, Result, Term, Test};
use crate::model::{Aspect, Device, Direction, Facet, Fact, Field, Metric, Source, Value};
use crate::stores::index::Condition;
use crate::stores::{Stores, source_dated};
use crate::values::{Dating, EntityKind};

/// The source of the lists of principles and metrics.
const SURVEY: &str = "dai-berleant-2019";

/// Maximum number of listed entities for which wanted facts are looked up.
const MAX_ENTITIES_WITH_FACTS: usize = 30;

/// Lists what a question asks for: `frameworks tested on lstm`, `which precisions were measured on the A30`.
pub(super) fn entities(stores: &Stores, question: &Question) -> Result<Outcome> {
    let of = question.of.clone().unwrap_or(Key::Facet(Facet::Device));
    let mut outcome = Outcome::of(Ask::List);
    outcome.entries = definitions(stores, question)?;
    if !outcome.entries.is_empty() {
        return Ok(outcome);
    }
    let Some(kind) = (if let Key::Facet(facet) = &of { facet.entity_kind() } else { None }) else {
        outcome.entries = values(stores, question, &of)?;
        // Few rows state their instance, and none its price; the catalog lists offers.
        let asks_price = question.wants.contains(&Quantity::Fact(Fact::Price));
        if of == Key::Facet(Facet::Instance) && (outcome.entries.is_empty() || asks_price) {
            // `rents` tests the instance, and a device has no count.
            let is_of_device = |term: &Term| !term.is_of(Facet::Instance) && !term.is_of(Field::DeviceCount);
            let devices = entities_meeting(stores, EntityKind::Device, &question.subject.only(is_of_device))?;
            let offers = rents(stores, question, devices)?;
            outcome.entries = if offers.is_empty() { outcome.entries } else { offers };
        }
        outcome.entries.truncate(question.take.unwrap_or(usize::MAX));
        return Ok(outcome);
    };
    if let Some(order) = &question.order
        && order.by == Quantity::Fact(Fact::Year)
        && kind == EntityKind::Source
    {
        outcome.entries = by_date(stores, question, order)?;
        return Ok(outcome);
    }
    if let Some(order) = &question.order
        && let Some(attribute) = Attribute::wanted(&order.by)
        && attribute.fact.kind() == kind
        && question.subject.terms.iter().all(|term| is_of_entity(term, kind))
    {
        return Ok(Outcome { ask: Ask::List, ..rank_by_attribute(stores, question, order)? });
    }
    // A source counts if it has rows with each wanted metric; all energy metrics count as one.
    let wants = question.wants.iter().filter(|_| kind == EntityKind::Source);
    let metrics = wants.filter_map(|want| if let Quantity::Metric(metric) = want { Some(*metric) } else { None });
    let (energies, others): (Vec<Metric>, Vec<Metric>) = metrics.partition(|metric| metric.is_of_energy());
    let groups = others.into_iter().map(|metric| vec![metric]).chain([energies]).filter(|group| !group.is_empty());
    let stated = |metric: Metric| Filter::of([Term::of(Key::Aspect(Aspect::Metric(metric)), Is::Stated)]);
    let of_group = |group: Vec<Metric>| {
        let any = Term::Any(group.into_iter().map(stated).collect());
        condition(stores, &question.subject.with(any))
    };
    let stating: Vec<Condition> = groups.map(of_group).collect::<Result<_, _>>()?;
    let each = if stating.is_empty() { conditions_on_rows(stores, kind, &question.subject)? } else { stating.clone() };
    let (mut found, remarks) = listed(stores, kind, question, &each, stating.is_empty())?;
    found.truncate(question.take.unwrap_or(usize::MAX));
    let wants = question.wants.iter();
    let wanted = wants.filter_map(|want| if let Quantity::Fact(fact) = want { Some(*fact) } else { None });
    // Facts that the question bounds are also shown.
    let keys = question.subject.tests().map(|test| &test.key);
    let tested = keys.filter_map(|key| if let Key::Aspect(Aspect::Fact(fact)) = key { Some(*fact) } else { None });
    let tested = tested.filter(|fact| fact.is_numeric());
    let facts: BTreeSet<Fact> = wanted.chain(tested).filter(|fact| has(kind, *fact)).collect();
    let facts: Vec<Fact> = facts.into_iter().collect();
    let measured = match metric_to_show(question).filter(|_| kind != EntityKind::Source) {
        Some(metric) => ranges(stores, kind, question, metric)?,
        None => BTreeMap::new(),
    };
    for (at, found) in found.iter().enumerate() {
        outcome.entries.push(found.entry(kind));
        if at < MAX_ENTITIES_WITH_FACTS {
            outcome.entries.extend(stated_facts(stores, (kind, &found.id), &facts)?);
            outcome.entries.extend(measured.get(&found.id).cloned());
        }
    }
    outcome.remarks.extend(remarks);
    Ok(outcome)
}

/// The metric to show for each listed entity: the one that the question wants or bounds.
fn metric_to_show(question: &Question) -> Option<Metric> {
    let bounded = question.subject.tests().filter_map(bounded);
    question.wants.iter().cloned().chain(bounded).find_map(|want| match want {
        Quantity::Metric(metric) => Some(metric),
        Quantity::Speed => Some(Metric::ThroughputPerS),
        _ => None,
    })
}

/// The range of a metric over the rows of a question, for each entity.
fn ranges(stores: &Stores, kind: EntityKind, question: &Question, metric: Metric) -> Result<BTreeMap<String, Entry>> {
    let mut ranges: BTreeMap<String, Entry> = BTreeMap::new();
    let hits = HitColumns::of(stores, &condition(stores, &question.subject)?, &[metric])?;
    let shared = SharedValues::read(stores)?;
    for (aspect, _) in Aspect::of_entities().filter(|(_, of)| *of == kind) {
        let Some(part) = aspect.part() else { continue };
        let column = stores.database.aspect(aspect)?;
        let stands = |(hit, value): &(usize, &f64)| value.is_finite() && shared.is_in_good_standing(&hits.parts(*hit));
        for (hit, value) in hits.values(metric).iter().enumerate().filter(stands) {
            let Some(id) = column.of(hits.part(hit, part)) else { continue };
            let entry = ranges.entry(id.to_owned()).or_insert_with(|| Entry {
                subjects: subject(kind, id),
                quantity: metric.key().to_owned(),
                unit: metric.heading().split_once(" [").map(|(_, unit)| unit.trim_end_matches(']').to_owned()),
                ..Entry::default()
            });
            entry.low = Some(entry.low.unwrap_or(*value).min(*value));
            entry.high = Some(entry.high.unwrap_or(*value).max(*value));
            entry.n += 1;
        }
    }
    for entry in ranges.values_mut().filter(|entry| entry.low == entry.high) {
        entry.value = entry.low.take().map(EntryValue::Number);
        entry.high = None;
    }
    Ok(ranges)
}

/// The sources that match a question, newest or oldest first, each with its date and what the date is of.
fn by_date(stores: &Stores, question: &Question, order: &Order) -> Result<Vec<Entry>> {
    let each = conditions_on_rows(stores, EntityKind::Source, &question.subject)?;
    let mut dated: Vec<(String, Dating, Found)> = Vec::new();
    for found in listed(stores, EntityKind::Source, question, &each, true)?.0 {
        let source = stores.database.entity::<Source>(&found.id)?;
        if let Some((date, by)) = source.as_ref().and_then(source_dated) {
            dated.push((date, by, found));
        }
    }
    let newest_first = order.end.is_largest(Direction::Higher);
    dated.sort_by(|(a, _, one), (b, _, other)| {
        let by_date = if newest_first { b.cmp(a) } else { a.cmp(b) };
        by_date.then_with(|| other.rows.cmp(&one.rows)).then_with(|| one.id.cmp(&other.id))
    });
    dated.truncate(question.take.unwrap_or(usize::MAX));
    let entry = |(date, by, found): &(String, Dating, Found)| {
        let by: &str = by.into();
        let value = Some(EntryValue::Text(format!("{date}, {by}")));
        Entry { quantity: Field::Dated.key().to_owned(), value, ..found.entry(EntityKind::Source) }
    };
    Ok(dated.iter().map(entry).collect())
}

/// The question about the newest or oldest source alone, if it also asks for a measure: `training time in the latest MLPerf round`.
pub(in crate::ask) fn for_newest_source(stores: &Stores, question: &Question) -> Result<Option<Question>> {
    let is_of_sources = question.of == Some(Key::Facet(Facet::Source)) && question.wants.iter().any(is_measure);
    let by_year = question.order.as_ref().filter(|order| order.by == Quantity::Fact(Fact::Year));
    let Some(order) = by_year.filter(|_| is_of_sources) else { return Ok(None) };
    let newest = by_date(stores, question, order)?.into_iter().find_map(|entry| entry.sources.into_iter().next());
    Ok(newest.map(|source| {
        let subject = question.subject.with(Term::of(Facet::Source, Is::OneOf(vec![source])));
        let own = Question { ask: Ask::Lookup, subject, of: None, order: None, ..question.clone() };
        match question.wants.as_slice() {
            [Quantity::Speed] => {
                let order = Some(Order { end: End::Best, by: Quantity::Speed });
                Question { ask: Ask::Rank, order, wants: Vec::new(), ..own }
            }
            _ => own,
        }
    }))
}

/// Entities ordered by a fact or a ratio of facts; a remark counts the entities that do not state it.
pub(super) fn rank_by_attribute(stores: &Stores, question: &Question, order: &Order) -> Result<Outcome> {
    let Some(attribute) = Attribute::wanted(&order.by) else { return Ok(Outcome::default()) };
    let kind = attribute.fact.kind();
    // The price is that of one device, so prefer devices that ran the work alone: several devices cost more.
    let is_of_work = question.subject.has_any(&[Facet::Network, Facet::Task]);
    let has_price = matches!(attribute.fact, Fact::LaunchPrice | Fact::Price) && is_of_work;
    let alone = question.subject.with(Term::of(Field::DeviceCount, Is::exactly(1.0)));
    let by_one = Question { subject: alone, ..question.clone() };
    let mut ids = if has_price { meeting(stores, kind, &by_one)? } else { Vec::new() };
    let are_alone = !ids.is_empty();
    if !are_alone {
        ids = meeting(stores, kind, question)?;
    }
    let largest_first = order.end.is_largest(direction(attribute.fact));
    let mut ranked = by_attribute(stores, attribute, &ids, largest_first)?;
    // `older than the P100`, `more memory than a V100`: keep what comes before the reference.
    if let Some(beyond) = &question.beyond {
        let than: BTreeSet<String> = entities_meeting(stores, kind, &beyond.than)?.into_iter().collect();
        let all: BTreeSet<String> = ids.iter().chain(&than).cloned().collect();
        let ordered = by_attribute(stores, attribute, &all, largest_first)?;
        let name = |entry: &Entry| entry.subjects.values().next().map(ToString::to_string).unwrap_or_default();
        let first = ordered.iter().position(|entry| than.contains(&name(entry))).unwrap_or(ordered.len());
        let value = ordered.get(first).map(|entry| entry.value.clone());
        let before: BTreeSet<String> =
            ordered[..first].iter().filter(|entry| Some(&entry.value) != value.as_ref()).map(name).collect();
        ranked.retain(|entry| before.contains(&name(entry)));
        ids.retain(|id| before.contains(id));
    }
    let most = question.take.unwrap_or(MOST_ENTITIES);
    let unknown = ids.len() - ranked.len();
    let mut remarks = vec![Remark::RankedByFact { fact: attribute.key(), ranked: ranked.len(), unknown }];
    remarks.extend(are_alone.then_some(Remark::RanAlone));
    let entries = ranked.into_iter().take(most).collect();
    Ok(Outcome { entries, remarks, ..Outcome::of(Ask::Rank) })
}

/// The statements of the entities that state an attribute, ordered by its value.
pub(super) fn by_attribute<'i>(
    stores: &Stores,
    attribute: Attribute,
    ids: impl IntoIterator<Item = &'i String>,
    largest_first: bool,
) -> Result<Vec<Entry>> {
    let mut ranked: Vec<(f64, Statement)> = Vec::new();
    // Devices without matrix units are ranked by their plain peak.
    let plain = attribute.fact.on_plain_units().map(|fact| Attribute { fact, ..attribute });
    for id in ids {
        for attribute in [Some(attribute), plain].into_iter().flatten() {
            let stated = attribute.statement(stores, attribute.fact.kind(), id)?;
            if let Some(stated) = stated.and_then(|stated| Some((stated.magnitude()?, stated))) {
                ranked.push(stated);
                break;
            }
        }
    }
    let shown = |stated: &Statement| match &stated.entry.value {
        Some(EntryValue::Text(text)) => text.clone(),
        _ => String::new(),
    };
    ranked.sort_by(|(a, one), (b, other)| {
        // Dates within a year are ordered by month.
        let by_value = a.total_cmp(b).then_with(|| shown(one).cmp(&shown(other)));
        (if largest_first { by_value.reverse() } else { by_value }).then_with(|| one.id.cmp(&other.id))
    });
    Ok(ranked.into_iter().map(|(_, stated)| stated.entry).collect())
}

/// The direction in which a fact is commonly called better.
pub(super) fn direction(fact: Fact) -> Direction {
    match fact {
        Fact::Tdp | Fact::Process | Fact::LaunchPrice | Fact::Price => Direction::Lower,
        _ => Direction::Higher,
    }
}

/// The entities of a kind that match a question, by the catalog or by their rows.
pub(super) fn meeting(stores: &Stores, kind: EntityKind, question: &Question) -> Result<Vec<String>> {
    // Exclude failed runs: what ran out of memory did not run.
    let failed = condition(stores, &Filter::of([Term::of(Field::Outcome, Is::Stated)]))?;
    let ran = Condition::Not(Box::new(failed));
    let each = conditions_on_rows(stores, kind, &question.subject)?.into_iter();
    let each: Vec<Condition> = each.map(|like| Condition::All(vec![like, ran.clone()])).collect();
    Ok(listed(stores, kind, question, &each, true)?.0.into_iter().map(|found| found.id).collect())
}

/// The benchmarking principles, or the metrics that compare classes and frameworks, as defined by the survey.
fn definitions(stores: &Stores, question: &Question) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for (wanted, key, list) in [
        (Quantity::Principles, "principle", "principles"),
        (Quantity::Criteria, "metric", "hardware-metrics"),
        (Quantity::Criteria, "metric", "framework-metrics"),
    ] {
        if question.wants.contains(&wanted) {
            let defined = stores.database.definitions(list)?;
            entries.extend(defined.into_iter().map(|metric| Entry {
                subjects: IndexMap::from([(key.to_owned(), Value::Text(metric.name.as_str().into()))]),
                quantity: "definition".to_owned(),
                value: Some(EntryValue::Text(metric.definition)),
                n: 1,
                sources: vec![SURVEY.to_owned()],
                ..Entry::default()
            }));
        }
    }
    Ok(entries)
}

/// Conditions on rows; a listed entity needs rows for each. A single condition, unless the filter names a field twice.
fn conditions_on_rows(stores: &Stores, kind: EntityKind, filter: &Filter) -> Result<Vec<Condition>> {
    let own = filter.only(|term| is_of_entity(term, kind));
    let of_rows = filter.only(|term| !is_of_entity(term, kind) && !matches!(term, Term::Not(_)));
    // `sources with TPUs and GPUs`: no row has both, but a source can have rows of each.
    let apart = kind == EntityKind::Source && rows_meeting(stores, &of_rows)? == 0;
    let each = one_value_each(&of_rows.terms, apart).into_iter();
    each.map(|terms| condition(stores, &own.and(&Filter { terms }))).collect()
}

/// The entities of a kind that match a question, with row and source counts: those with rows for each condition in `each`, and with
/// `unmeasured` also those that only the catalog lists.
fn listed(
    stores: &Stores,
    kind: EntityKind,
    question: &Question,
    each: &[Condition],
    unmeasured: bool,
) -> Result<(Vec<Found>, Vec<Remark>)> {
    let own = question.subject.only(|term| is_of_entity(term, kind));
    let of_rows = question.subject.only(|term| !is_of_entity(term, kind));
    let meeting = |filter: &Filter| -> Result<BTreeSet<String>> {
        Ok(entities_meeting(stores, kind, filter)?.into_iter().collect())
    };
    let stating = |fact: Fact| stating(stores, kind, fact);
    let mut by_catalog = if unmeasured { meeting(&question.subject)? } else { BTreeSet::new() };
    // The entities that the catalog conditions allow, if there are any conditions.
    let mut allowed = if own.terms.is_empty() { None } else { Some(meeting(&own)?) };
    let mut remarks = Vec::new();
    let mut silent = |key: &Key, entities: usize| {
        remarks.extend((entities > 0).then(|| Remark::Silent(key.clone(), entities)));
    };
    // An entity that does not state a fact may still have the excluded value.
    for (key, fact) in excluded_facts(&own.terms, kind) {
        let mut stating = stating(fact)?;
        if key == Key::Facet(Facet::Architecture) {
            stating.extend(devices_of_other_vendors(stores, &own.terms)?);
        }
        by_catalog.retain(|id| stating.contains(id));
        let allowed = allowed.get_or_insert_default();
        let all = allowed.len();
        allowed.retain(|id| stating.contains(id));
        silent(&key, all - allowed.len());
    }
    for (at, term) in own.terms.iter().enumerate() {
        if let Term::Test(Test { key: key @ Key::Aspect(_), is: Is::OneOf(_) | Is::Within(..) }) = term
            && let Some(fact) = fact_of(key, kind)
        {
            silent(key, meeting(&own.without(at))?.difference(&stating(fact)?).count());
        }
    }
    let mut of_each = each.iter().map(|like| rows_by_entity(stores, kind, like));
    let mut counts = of_each.next().transpose()?.unwrap_or_default();
    for others in of_each {
        let mut others = others?;
        counts.retain(|id, (rows, sources)| {
            let Some((more, mut others)) = others.remove(id) else { return false };
            *rows += more;
            sources.append(&mut others);
            true
        });
    }
    // Entities that only the catalog lists count with no rows.
    for id in by_catalog {
        counts.entry(id).or_default();
    }
    if let Some(allowed) = allowed {
        // A row may match by another framework in it, such as its backend: for frameworks rows do not override the catalog.
        let by_rows = !of_rows.terms.is_empty() && kind != EntityKind::Framework;
        counts.retain(|id, (rows, _)| allowed.contains(id) || by_rows && *rows > 0);
    }
    for term in &of_rows.terms {
        let Term::Not(excluded) = term else { continue };
        // If a member ran the excluded work, its family is excluded as well.
        let with = rows_by_entity(stores, kind, &condition(stores, excluded)?)?;
        let with = with_ancestors(stores, kind, with.into_keys())?;
        counts.retain(|id, _| !with.contains(id));
    }
    for test in checked_later(&question.subject) {
        let Is::Within(low, high) = test.is else { continue };
        let measured = counts.iter().filter(|(_, (rows, _))| *rows > 0).map(|(id, _)| id.clone());
        let measured = with_ancestors(stores, kind, measured)?;
        counts.retain(|id, (rows, sources)| {
            let of_members = usize::from(measured.contains(id));
            let number = if test.key == Key::Sources { sources.len() } else { (*rows).max(of_members) };
            (low, high).contains(&(number as f64))
        });
    }
    // Devices that state no peak in a number format may still support it.
    for (at, term) in question.subject.terms.iter().enumerate() {
        let Term::Any(any) = term else { continue };
        let stated = any.iter().flat_map(Filter::tests).find(|test| test.is == Is::Stated);
        if let Some(Test { key, .. }) = stated.filter(|test| fact_of(&test.key, kind).is_some()) {
            let others = meeting(&question.subject.without(at))?;
            let others = others.iter().filter(|id| !counts.contains_key(*id)).count();
            remarks.extend((others > 0).then(|| Remark::Silent(key.clone(), others)));
        }
    }
    Ok((sorted(counts, question), remarks))
}

/// The ids of the entities of a kind that state a fact themselves.
fn stating(stores: &Stores, kind: EntityKind, fact: Fact) -> Result<BTreeSet<String>> {
    let mut stating = BTreeSet::new();
    for id in stores.database.ids(kind)? {
        let stated = statement(stores, kind, &id, fact)?;
        stating.extend(stated.filter(Statement::is_known).map(|stated| stated.id));
    }
    Ok(stating)
}

/// The entities and all their ancestors.
fn with_ancestors(stores: &Stores, kind: EntityKind, ids: impl Iterator<Item = String>) -> Result<BTreeSet<String>> {
    let mut all = BTreeSet::new();
    for id in ids {
        all.extend(stores.database.ancestors(kind, &id)?);
        all.insert(id);
    }
    Ok(all)
}

/// The row and source counts of each entity, over the rows that match a condition.
fn rows_by_entity(stores: &Stores, kind: EntityKind, like: &Condition) -> Result<Counts> {
    let mut counts = Counts::new();
    let aspects: Vec<Aspect> = match kind {
        EntityKind::HardwareClass => vec![Aspect::Fact(Fact::Class)],
        _ => Aspect::of_entities().filter(|(_, of)| *of == kind).map(|(aspect, _)| aspect).collect(),
    };
    let hits = HitColumns::of(stores, like, &[])?;
    for aspect in aspects {
        for (id, (rows, sources)) in rows_by_value(stores, &hits, aspect)? {
            let (all, of) = counts.entry(id).or_default();
            *all += rows;
            of.extend(sources);
        }
    }
    Ok(counts)
}

/// The devices of vendors that have no device with an excluded architecture.
fn devices_of_other_vendors(stores: &Stores, own: &[Term]) -> Result<Vec<String>> {
    let excluded = own.iter().filter_map(|term| if let Term::Not(filter) = term { Some(filter.clone()) } else { None });
    let of_architecture = Filter { terms: vec![Term::Any(excluded.collect())] };
    let mut makers: Vec<String> = Vec::new();
    for id in entities_meeting(stores, EntityKind::Device, &of_architecture)? {
        let vendor = stores.database.entity::<Device>(&id)?.and_then(|device| device.vendor);
        makers.extend(vendor.filter(|vendor| !makers.contains(vendor)));
    }
    let theirs = Term::Not(Filter::of([Term::of(Facet::Vendor, Is::OneOf(makers))]));
    let others = Filter::of([Term::of(Facet::Vendor, Is::Stated), theirs]);
    entities_meeting(stores, EntityKind::Device, &others)
}

/// The facts with excluded values, by key.
fn excluded_facts(terms: &[Term], kind: EntityKind) -> IndexSet<(Key, Fact)> {
    let excluded = terms.iter().flat_map(|term| match term {
        Term::Not(filter) => filter.terms.as_slice(),
        Term::Test(_) | Term::Any(_) => &[],
    });
    let names_entity = |key: &Key| matches!(key, Key::Facet(facet) if facet.entity_kind().is_some());
    let named = excluded.filter_map(Term::test).filter(|test| matches!(test.is, Is::OneOf(_)));
    let named = named.filter(|test| !names_entity(&test.key));
    named.filter_map(|test| Some((test.key.clone(), fact_of(&test.key, kind)?))).collect()
}

/// Whether a term restricts the entities of a kind by their own properties, not by rows.
fn is_of_entity(term: &Term, kind: EntityKind) -> bool {
    term.all_tests().iter().all(|test| is_key_of(&test.key, kind))
}

fn is_key_of(key: &Key, kind: EntityKind) -> bool {
    use Facet::{Hardware, Language, License, Maturity, MultiServer};
    match key {
        Key::Facet(facet) if facet.entity_kind() == Some(kind) => true,
        Key::Facet(facet) => match kind {
            EntityKind::Device => matches!(facet, Facet::Class | Facet::Vendor | Facet::Architecture),
            EntityKind::Framework => matches!(facet, License | Language | MultiServer | Hardware | Maturity),
            EntityKind::Network | EntityKind::Dataset => *facet == Facet::Task,
            EntityKind::Source => *facet == Facet::Year,
            EntityKind::HardwareClass => false,
        },
        Key::Aspect(Aspect::Fact(fact)) => has(kind, *fact),
        Key::Grade(_) => matches!(kind, EntityKind::HardwareClass | EntityKind::Device),
        Key::Rows | Key::Sources => true,
        Key::Aspect(_) | Key::Text => false,
    }
}

/// Splits terms into groups that test each field once (device and class separately if `apart`). An entity needs rows for each.
fn one_value_each(terms: &[Term], apart: bool) -> Vec<Vec<Term>> {
    let mut groups: Vec<Vec<Term>> = vec![Vec::new()];
    let of = |term: &Term| match term.test()? {
        Test { key: Key::Facet(Facet::Class), is: Is::OneOf(_) } if apart => Some(Facet::Device),
        Test { key: Key::Facet(facet), is: Is::OneOf(_) } => {
            Some(*facet).filter(|facet| *facet == Facet::Framework || !facet.has_many_values())
        }
        _ => None,
    };
    let (named, shared): (Vec<Term>, Vec<Term>) = terms.iter().cloned().partition(|term| of(term).is_some());
    for term in named {
        let is_other = |other: &&Term| of(other) != of(&term);
        let others = |group: &[Term]| group.iter().filter(is_other).cloned().collect::<Vec<_>>();
        match groups.iter().position(|group| others(group).len() == group.len()) {
            Some(free) => groups[free].push(term),
            // The terms of the first group on other fields apply to every group.
            None => groups.push([others(&groups[0]), vec![term]].concat()),
        }
    }
    groups.iter_mut().for_each(|group| group.extend(shared.iter().cloned()));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::execute::asked;
    use crate::model::Field;
    use crate::stores::sample::{Sample, table};

    #[test]
    fn a_list_under_a_bound_tells_the_range_of_each() {
        let rows = r#"["nova", "deepnet-50", 90], ["nova", "deepnet-18", 40], ["core", "deepnet-18", 100], ["core", "deepnet-50", 500]"#;
        let rows = table("device network latency-ms", rows);
        let told = asked(&Sample::of(&[("paper-2020", &rows)]), "latency-ms<150 of:device ask:list");
        let ranges = told.entries.iter().filter(|entry| entry.quantity == "latency-ms");
        let ranges: Vec<_> = ranges.map(|entry| (entry.low, entry.high, entry.number())).collect();
        assert_eq!(ranges, [(Some(40.0), Some(90.0), None), (None, None, Some(100.0))], "{told:?}");
    }

    #[test]
    fn what_a_fact_is_to_be_beyond_ends_the_list() {
        let sample = Sample::of(&[("paper-2020", &table("device latency-ms", r#"["nova", 9]"#))]);
        let devices = |question: &str| asked(&sample, question).entries.len();
        assert_eq!(devices("of:device most:memory ask:list"), 2);
        assert_eq!(devices("of:device most:memory faster-than:(device:core) ask:list"), 1);
        assert_eq!(devices("of:device most:memory faster-than:(device:nova) ask:list"), 0);
    }

    fn test(facet: Facet, value: &str) -> Term {
        Term::of(facet, Is::OneOf(vec![value.to_owned()]))
    }

    #[test]
    fn a_field_that_is_named_twice_makes_two_conditions() {
        let terms = [test(Facet::Device, "a"), test(Facet::Device, "b"), test(Facet::Stage, "train")];
        let groups = one_value_each(&terms, false);
        assert_eq!(groups.len(), 2);
        assert!(groups.iter().all(|group| group.contains(&terms[2]) || group.contains(&terms[1])));
        assert_eq!(one_value_each(&terms[1..], false).len(), 1);
    }

    #[test]
    fn facts_limit_entities_and_fields_limit_rows() {
        assert!(is_of_entity(&test(Facet::Class, "gpu"), EntityKind::Device));
        assert!(!is_of_entity(&test(Facet::Network, "x"), EntityKind::Device));
        assert!(is_of_entity(&test(Facet::License, "MIT"), EntityKind::Framework));
        let memory = Test { key: Key::Aspect(Aspect::Fact(Fact::Memory)), is: Is::Stated };
        assert!(is_of_entity(&Term::Not(Filter { terms: vec![Term::Test(memory)] }), EntityKind::Device));
        assert!(!is_key_of(&Key::Aspect(Aspect::Field(Field::BatchSize)), EntityKind::Device));
    }
}
