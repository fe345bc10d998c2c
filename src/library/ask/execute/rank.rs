//! Ranks candidates: by all comparable evidence, or, if none connects two of them, by the best row of each.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use dlbench_effects::{Mix, Observation, Ranked};

use super::Outcome;
use super::condition::rows_meeting;
use super::effects::{Contenders, EvidenceScope, Net, SIDES, under_load};
use super::entities::{entities, meeting, rank_by_attribute};
use super::facts::{grades, rents};
use super::key::subjects_of;
use super::measure::{By, Possible, ShareKey, ShareKeys};
use super::outcome::{Entry, EntryValue, Measured, Remark, Subjects};
use super::pair::gain;
use super::plan::hits_of;
use super::ranking::{Candidates, MAX_ENTRIES, MAX_UNRANKED, Ranking, possible_hits, unranked};
use super::spread::{in_order, rounded};
use super::under::{RowIds, shared, sources, unit};
use crate::ask::hits::{NumberMap, PartNumbers, Run, SharedValues};
use crate::ask::parse::{Ask, Beyond, End, Is, Key, Order, Quantity, Question, Result, Term};
use crate::model::{Aspect, Derived, Device, Direction, Facet, Fact, Field, Metric, Part, Value};
use crate::rows::by_value;
use crate::stores::Stores;
use crate::values::EntityKind;

/// A narrower filter needs at least this many rows to be used for a ranking.
const MIN_ROWS: usize = 3;

/// How many of the first candidates are checked against their direct pairs (as many as a terminal shows).
const MOST_CHECKED: usize = 12;

/// Ranks the candidates of a question.
pub(super) fn rank(stores: &Stores, question: &Question) -> Result<Outcome> {
    let is_fact = |quantity: &&Quantity| matches!(quantity, Quantity::Fact(_) | Quantity::Ratio(..));
    if question.along == Some(Aspect::Fact(Fact::Year))
        && let Some(by) = question.wants.iter().find(is_fact)
    {
        return best_of_years(stores, question, by);
    }
    match &question.order {
        // If the order names no fact, a wanted fact decides: `top 10 gpus by memory`.
        Some(order @ Order { by: Quantity::Speed, .. }) if question.wants.iter().any(|wanted| is_fact(&wanted)) => {
            let by = question.wants.iter().find(is_fact).cloned().unwrap_or(Quantity::Speed);
            return rank(stores, &Question { order: Some(Order { by, ..order.clone() }), ..question.clone() });
        }
        Some(Order { by: Quantity::Fact(Fact::Price), end, .. })
            if question.of == Some(Key::Facet(Facet::Instance)) =>
        {
            return rank_by_rent(stores, question, *end);
        }
        Some(order @ Order { by: Quantity::Fact(_) | Quantity::Ratio(..), .. }) => {
            return rank_by_attribute(stores, question, order);
        }
        Some(order @ Order { by: Quantity::Field(field), .. }) => {
            let by = |field: Field| by_field(stores, question, field, order);
            let largest = |outcome: &Outcome| outcome.entries.first().and_then(Entry::number).unwrap_or_default();
            let own = by(*field)?;
            // The largest batch is usually a global one, but a memory limit applies to one device.
            let is_limited = question.subject.has(Fact::Memory);
            if *field == Field::BatchSize && order.end == End::Most && !is_limited {
                let over_all = by(Field::BatchSizeGlobal)?;
                return Ok(if largest(&over_all) > largest(&own) { over_all } else { own });
            }
            return Ok(own);
        }
        Some(Order { by: Quantity::HardwareMetric(_), .. }) => return grades(stores, question),
        Some(Order { by: Quantity::Rows | Quantity::Sources, .. }) => return entities(stores, question),
        _ => {}
    }
    let question = &narrow_to_batch_one(stores, question)?;
    let kind = Candidates::of(question);
    let fact = kind.identity.iter().find_map(|aspect| if let Aspect::Fact(fact) = aspect { Some(*fact) } else { None });
    let values = SharedValues::read_with(stores, fact)?;
    let by = question.order.iter().map(|order| order.by.clone());
    let wanted: Vec<Quantity> = by.chain(question.wants.clone()).collect();
    let ladder = By::ladder_of(question, &wanted);
    let mut first: Option<(Outcome, &By)> = None;
    for by in &ladder {
        let Some(ranking) = Ranking::of(stores, question, &values, &kind, by)? else { continue };
        let outcome = if let Some(beyond) = &question.beyond { ranking.beyond(beyond)? } else { ranking.outcome()? };
        let many = outcome.entries.len();
        if many > 0 && first.as_ref().is_none_or(|(first, _)| many > first.entries.len()) {
            first = Some((outcome, by));
        }
        // Two candidates by the requested measure are more to the point than many by a fallback.
        if many >= 2 {
            break;
        }
    }
    let Some((mut outcome, by)) = first else { return Ok(Outcome::of(Ask::Rank)) };
    if by.key() == Derived::ItemsPerDollar.key() {
        outcome.remarks.extend(add_rents(stores, &mut outcome.entries)?);
    }
    // Along an axis, entries are in the order of the axis, whatever their values.
    if let Some(axis @ Aspect::Fact(fact)) = question.along
        && (question.order.is_none() || fact == Fact::Year)
    {
        let place = |entry: &Entry| entry.subjects.get(axis.key()).map(ToString::to_string).unwrap_or_default();
        if fact.unit().is_some() || fact == Fact::Year {
            outcome.entries.sort_by(|a, b| by_value(axis, Some(&place(a)), Some(&place(b))));
        }
    }
    if by != &ladder[0] {
        let (asked, by) = (ladder[0].key().to_owned(), by.key().to_owned());
        outcome.remarks.push(Remark::Instead { asked, by });
    }
    Ok(outcome)
}

/// The best device of each year of release by a fact: `memory bandwidth of gpus over the years`.
fn best_of_years(stores: &Stores, question: &Question, by: &Quantity) -> Result<Outcome> {
    let all = Question { take: Some(usize::MAX), ..question.clone() };
    let ranked = rank_by_attribute(stores, &all, &Order { end: End::Most, by: by.clone() })?;
    let mut years: BTreeMap<u16, Entry> = BTreeMap::new();
    for mut entry in ranked.entries {
        let Some(id) = entry.subjects.get(Field::Device.key()).map(ToString::to_string) else { continue };
        let device = stores.database.entity::<Device>(&id)?;
        if let Some(year) = device.and_then(|device| Some(device.release_date?.year())) {
            entry.subjects.shift_insert(0, Fact::Year.key().to_owned(), Value::Count(i64::from(year)));
            years.entry(year).or_insert(entry);
        }
    }
    Ok(Outcome { entries: years.into_values().collect(), ..Outcome::of(Ask::Rank) })
}

/// Cloud offers of the devices that match the question, ordered by hourly price.
fn rank_by_rent(stores: &Stores, question: &Question, end: End) -> Result<Outcome> {
    let mut entries = rents(stores, question, meeting(stores, EntityKind::Device, question)?)?;
    entries.retain(|entry| entry.value.is_some());
    if end.is_largest(Direction::Lower) {
        entries.reverse();
    }
    let ranked = Remark::RankedByFact { fact: Fact::Price.file_key().to_owned(), ranked: entries.len(), unknown: 0 };
    entries.truncate(question.take.unwrap_or(MAX_ENTRIES));
    Ok(Outcome { ask: Ask::Rank, entries, remarks: vec![ranked], ..Outcome::default() })
}

/// Adds rent and its source to each entry, and returns the offers as a remark.
fn add_rents(stores: &Stores, entries: &mut [Entry]) -> Result<Option<Remark>> {
    let mut rents = Vec::new();
    for entry in entries {
        let Some(id) = entry.subjects.get(Field::Device.key()).map(ToString::to_string) else { continue };
        let Some(rent) = stores.database.entity::<Device>(&id)?.and_then(|device| device.rent) else { continue };
        entry.under.insert(Field::PriceUsdPerHour.key().to_owned(), Some(Value::Number(rent.usd_per_hour)));
        if !entry.sources.iter().any(|source| *source == rent.source.as_str()) {
            entry.sources.push(rent.source.to_string());
        }
        rents.push((id, rent));
    }
    Ok((!rents.is_empty()).then_some(Remark::Rents(rents)))
}

/// A latency is that of a whole batch: if the question states no batch size, rows with batch size 1 are ranked, if enough.
fn narrow_to_batch_one(stores: &Stores, question: &Question) -> Result<Question> {
    let by_latency = matches!(&question.order, Some(Order { by: Quantity::Metric(Metric::LatencyMs), .. }));
    if by_latency && !question.subject.has(Field::BatchSize) {
        let subject = question.subject.with(Term::of(Field::BatchSize, Is::exactly(1.0)));
        if rows_meeting(stores, &subject)? >= MIN_ROWS {
            return Ok(Question { subject, ..question.clone() });
        }
    }
    Ok(question.clone())
}

/// The rows with the largest or smallest value of a field, such as the batch size or the device count; one for each candidate.
fn by_field(stores: &Stores, question: &Question, field: Field, order: &Order) -> Result<Outcome> {
    let values = SharedValues::read(stores)?;
    let hits = hits_of(stores, &values, &question.subject, &By::Metrics(Vec::new()))?;
    let mut kind = Candidates::of(question);
    if question.of.is_none() {
        kind.identity = vec![Field::Network.into()];
    }
    let identities = ShareKeys::of(&values, &kind.identity);
    let largest_first = order.end.is_largest(Direction::Higher);
    let stated = (0..hits.len())
        .map(|hit| (hits.row(hit), hits.parts(hit)))
        .filter(|(_, parts)| values.is_in_good_standing(parts));
    let count = |(row, parts)| Some(Run { row, parts, value: values.count(field, &parts)? as f64 });
    let mut best: Vec<Run> = stated.filter_map(count).collect();
    best.sort_by(|a, b| in_order(a.value, b.value, largest_first));
    let mut seen = HashSet::new();
    best.retain(|run| seen.insert(identities.key(&run.parts)));
    best.truncate(question.take.unwrap_or(MAX_ENTRIES));
    let ids = RowIds::default().of(stores, &best.iter().map(|run| run.row).collect::<Vec<_>>())?;
    let entries = best.iter().zip(ids).map(|(run, id)| Entry {
        subjects: kind.subjects(&values, &run.parts),
        quantity: field.key().to_owned(),
        value: Some(EntryValue::Number(run.value)),
        measurements: vec![id],
        ..Entry::resting_on(&values, &[run.parts], &kind.varied)
    });
    Ok(Outcome { entries: entries.collect(), ..Outcome::of(Ask::Rank) })
}

/// The id of a device, and its class.
type DeviceOfClass<'p> = (&'p str, Option<&'p str>);

/// A connected group: the mix of contexts in which it is ranked, and its candidates.
type Group = (Mix, Vec<u32>);

impl Ranking<'_> {
    /// The order by all comparable evidence, otherwise by the best row of each candidate.
    fn outcome(&self) -> Result<Outcome> {
        let metrics = self.by.metrics();
        let hits = (0..self.hits.len()).filter(|hit| self.hits.has_any(*hit, &metrics)).map(|hit| self.hits.parts(hit));
        let hits = hits.filter(|parts| self.values.is_in_good_standing(parts));
        let all: HashMap<ShareKey, PartNumbers> = hits.filter_map(|parts| Some((self.named(&parts)?, parts))).collect();
        // The quality of networks on one data set is compared by value: no setting makes a network more accurate.
        let of_networks = !self.kind.by_row && self.kind.identity.contains(&Aspect::Field(Field::Network));
        let by_quality = of_networks && metrics.iter().all(|metric| metric.is_of_quality());
        // Each year has its best result, whether or not settings connect it with other years.
        if !self.kind.by_row && !by_quality && !self.ranks_years() && all.len() > 1 {
            let of_row = |_: u64, parts: &PartNumbers| self.candidate(parts);
            let scope = self.evidence_scope()?;
            let outcome = self.by_evidence(&self.net(&scope, self.ranks_devices(), &of_row)?, scope, &all)?;
            let ranked = outcome.entries.len();
            // If the question asks for more candidates than evidence connects, each is listed by its own best row.
            let fewer =
                self.question.take.filter(|take| ranked < *take).map(|_| self.by_own_best(&all, false)).transpose()?;
            if let Some(own) = fewer.filter(|own| own.entries.len() > ranked) {
                return Ok(own);
            }
            if ranked > 0 {
                return Ok(outcome);
            }
        }
        self.by_own_best(&all, by_quality)
    }

    /// The rows that count as evidence in addition to those of the question.
    fn evidence_scope(&self) -> Result<EvidenceScope> {
        EvidenceScope::of(self.stores, self.values, &self.question.subject, self.question.reach, &self.hits)
    }

    /// The evidence network of the candidates that `of_row` selects.
    fn net(
        &self,
        scope: &EvidenceScope,
        by_load: bool,
        of_row: &dyn Fn(u64, &PartNumbers) -> Option<ShareKey>,
    ) -> Result<Net> {
        // A value per device or per dollar is comparable across device counts.
        let is_of_any_count = self.by.is_of_any_count() && !self.by.is_of_whole_systems();
        let counts: &[Field] = if is_of_any_count { &[Field::DeviceCount] } else { &[] };
        let varied = &[&self.kind.varied, counts].concat();
        let contenders = Contenders { values: self.values, varied, candidate: of_row, with_single: false, by_load };
        let read = || possible_hits(self.stores, self.values, &scope.filter, self.by);
        let others = if scope.widened_to.is_empty() { None } else { Some(read()?) };
        Net::of(self.stores, &contenders, (others.as_ref().unwrap_or(&self.hits), &self.by.metrics()))
    }

    /// The candidates that are better (or worse) than a named reference, the largest difference first.
    fn beyond(&self, beyond: &Beyond) -> Result<Outcome> {
        let scope = self.evidence_scope()?;
        let reference = hits_of(self.stores, self.values, &scope.filter.and(&beyond.than), self.by)?;
        let candidate = |row: u64, parts: &PartNumbers| {
            self.candidate(parts).map(|own| if reference.contains(row) { SIDES[0] } else { own })
        };
        let net = self.net(&scope, false, &candidate)?;
        let mut outcome = Outcome::of(Ask::Rank);
        let Some(reference) = net.candidates.get_index_of(&SIDES[0]).map(|number| number as u32) else {
            return Ok(outcome);
        };
        let (mix, candidates) = net.mix_of_rows(|row| self.hits.contains(row));
        let (mut entries, mut unpaired) = (Vec::new(), Vec::new());
        for candidate in candidates.into_iter().filter(|candidate| *candidate != reference) {
            let subjects = self.kind.subjects(self.values, &net.candidates[candidate as usize]);
            let Some(estimate) = net.model.ratio(candidate, reference, &mix) else {
                unpaired.push(subjects);
                continue;
            };
            let own = net.observed().filter(|(one, ..)| one.candidate == candidate);
            let own: Vec<PartNumbers> = own.map(|(.., run)| run.parts).collect();
            let entry = Entry {
                n: own.len(),
                sources: sources(self.values, &own),
                of_all_evidence: true,
                is_decided: estimate.is_decided(),
                ..Entry::evidence_ratio(subjects, subjects_of(&beyond.than), estimate.ratio(), self.by.key())
            };
            if (estimate.log > 0.0) == beyond.better {
                entries.push((estimate.log.abs(), entry));
            }
        }
        entries.sort_by(|a, b| b.0.total_cmp(&a.0));
        outcome.remarks.push(net.evidence_remark(scope, entries.len()));
        outcome.remarks.extend(unranked(unpaired));
        entries.truncate(self.question.take.unwrap_or(MAX_ENTRIES));
        outcome.entries = entries.into_iter().map(|(_, entry)| entry).collect();
        Ok(outcome)
    }

    /// Whether devices are ranked.
    fn ranks_devices(&self) -> bool {
        self.kind.identity.contains(&Aspect::Field(Field::Device))
    }

    /// The device of a row and its class.
    fn device(&self, parts: &PartNumbers) -> DeviceOfClass<'_> {
        let id = self.values.text(Field::Device, parts).unwrap_or_default();
        (id, self.values.text(Fact::Class, parts))
    }

    /// Device families among the candidates with at most as many values as one of their members: they do not compete with it.
    fn families(&self, net: &Net, own: &[u32]) -> Result<HashSet<DeviceOfClass<'_>>> {
        let mut values: HashMap<DeviceOfClass<'_>, usize> = HashMap::new();
        if self.ranks_devices() {
            let own: HashSet<u32> = own.iter().copied().collect();
            for one in net.observations.iter().filter(|one| own.contains(&one.candidate)) {
                *values.entry(self.device(&net.candidates[one.candidate as usize])).or_default() += 1;
            }
        }
        let devices: Vec<DeviceOfClass<'_>> = values.keys().copied().collect();
        let families = self.with_families(&devices)?.into_iter();
        Ok(families.filter(|[member, family]| values[family] <= values[member]).map(|[_, family]| family).collect())
    }

    /// Each device with each of its families among `devices`.
    fn with_families<'d>(&self, devices: &[DeviceOfClass<'d>]) -> Result<Vec<[DeviceOfClass<'d>; 2]>> {
        let mut pairs = Vec::new();
        for member in devices {
            let of = self.stores.database.ancestors(EntityKind::Device, member.0)?;
            let is_family = |other: &&DeviceOfClass<'_>| {
                *other != member && other.1 == member.1 && of.iter().any(|family| family == other.0)
            };
            pairs.extend(devices.iter().filter(is_family).map(|family| [*member, *family]));
        }
        Ok(pairs)
    }

    /// The observations from rows of the question.
    fn own<'n>(&'n self, net: &'n Net) -> impl Iterator<Item = (&'n Observation, Metric, &'n Run)> {
        net.observed().filter(|(.., run)| self.hits.contains(run.row))
    }

    /// The index of the group to rank; `groups` are in order of size, and no evidence connects them. Take the kind of work that
    /// several groups ran, preferably one that the first of the largest group and the first of another group both ran, then the one
    /// with most candidates: the group with the best value per device leads. 0, the largest group, if groups share no work, if
    /// devices are not ranked, or if the question names no work.
    fn leading(&self, net: &Net, groups: &[Group]) -> usize {
        let names_work = self.question.subject.has_any(&[Facet::Network, Facet::Task, Facet::Stage]);
        // The speed of a framework or number format depends as much on its device, so only devices are compared this way.
        if groups.len() < 2 || !self.ranks_devices() || !names_work {
            return 0;
        }
        let own = |(group, (_, own)): (usize, &Group)| own.iter().map(move |one| (*one, group)).collect::<Vec<_>>();
        let place: HashMap<u32, usize> = groups.iter().enumerate().flat_map(own).collect();
        let first = |(mix, own): &Group| net.model.order(own, mix, self.worst_first()).first().copied();
        let firsts: Vec<u32> = groups.iter().filter_map(first).collect();
        let device = |one: u32| self.device(&net.candidates[one as usize]);
        // One device can occur under two loads.
        let (leads, others): (Vec<u32>, Vec<u32>) = firsts.iter().partition(|one| device(**one) == device(firsts[0]));
        type Places = (BTreeMap<usize, f64>, HashSet<u32>);
        let mut kinds: HashMap<(Metric, [u32; 3]), Places> = HashMap::new();
        let mut works: NumberMap<(u32, u32), [u32; 3]> = NumberMap::default();
        let rows = net.rows.iter().filter(|(.., run)| self.hits.contains(run.row));
        for (metric, _, candidate, run) in rows {
            let Some(group) = place.get(candidate) else { continue };
            let (of, value) = match metric {
                Metric::LatencyMs if matches!(self.by, By::Metrics(_)) => {
                    (Metric::ThroughputPerS, 1000.0 * self.values.batch(&run.parts).unwrap_or(1) as f64 / run.value)
                }
                metric => (*metric, gain(metric.direction(), run.value, 1.0)),
            };
            let counted = self.values.count(Field::DeviceCount, &run.parts).filter(|_| !self.by.is_of_any_count());
            let value = value / counted.unwrap_or(1).max(1) as f64;
            let value = if self.worst_first() { value.recip() } else { value };
            let [workload, protocol] = [Part::Workload, Part::Protocol].map(|part| run.parts[part as usize]);
            let work = *works.entry((workload, protocol)).or_insert_with(|| self.work(&run.parts));
            let (of_groups, candidates) = kinds.entry((of, work)).or_default();
            of_groups.entry(*group).and_modify(|best| *best = best.max(value)).or_insert(value);
            candidates.insert(*candidate);
        }
        let shared = kinds.into_iter().filter(|(_, (of_groups, _))| of_groups.len() > 1);
        let most = shared.max_by_key(|(kind, (_, candidates))| {
            let has = |firsts: &[u32]| firsts.iter().any(|first| candidates.contains(first));
            let of_firsts = has(&leads) && has(&others);
            (of_firsts, candidates.len(), *kind)
        });
        let first = most.and_then(|(_, (of_groups, _))| of_groups.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)));
        first.map(|(group, _)| group).filter(|group| !leads.contains(&firsts[*group])).unwrap_or(0)
    }

    /// Ranks the candidates with rows of the question by all evidence, in their mix of settings; empty if no two are connected.
    fn by_evidence(&self, net: &Net, scope: EvidenceScope, all: &HashMap<ShareKey, PartNumbers>) -> Result<Outcome> {
        let mut outcome = Outcome::of(Ask::Rank);
        let worst_first = self.worst_first();
        let take = self.question.take.unwrap_or(MAX_ENTRIES).max(2);
        let mut groups = net.mixes_by_component(|row| self.hits.contains(row));
        let mut families = HashSet::new();
        for (_, own) in &mut groups {
            let of_group = self.families(net, own)?;
            own.retain(|one| !of_group.contains(&self.device(&net.candidates[*one as usize])));
            families.extend(of_group);
        }
        groups.retain(|(_, candidates)| candidates.len() > 1);
        groups.sort_by_key(|(_, candidates)| Reverse(candidates.len()));
        if groups.is_empty() {
            return Ok(outcome);
        }
        let (mix, candidates) = groups.remove(self.leading(net, &groups));
        let ranked = net.model.ranking(&candidates, &mix, (take, worst_first));
        let measured = self.measured(net, &ranked)?;
        let rows: Vec<u64> = ranked.iter().map(|one| measured[&one.candidate].1.1.row).collect();
        let ids = RowIds::default().of(self.stores, &rows)?;
        let subjects = |candidate: u32| self.kind.subjects(self.values, &net.candidates[candidate as usize]);
        let first = subjects(ranked[0].candidate);
        let decided = ranked.get(1).is_some_and(|second| second.rank > 1);
        for (one, id) in ranked.iter().zip(ids) {
            let (metric, run) = &measured[&one.candidate].1;
            let own = self.own(net).filter(|(observation, ..)| observation.candidate == one.candidate);
            let own: Vec<PartNumbers> = own.map(|(.., run)| run.parts).collect();
            let measure = self.by.measure(*metric);
            outcome.entries.push(Entry {
                n: one.pairs,
                under: shared(self.values, [&run.parts], &self.kind.varied),
                measurements: vec![id],
                sources: sources(self.values, &own),
                rank: Some(one.rank),
                measurers: Some(one.measurers),
                measured: Some(Measured {
                    quantity: measure.key().to_owned(),
                    value: rounded(run.value),
                    unit: unit(measure, self.values.text(Field::Counts, &run.parts)),
                }),
                is_decided: decided,
                ..Entry::evidence_ratio(subjects(one.candidate), first.clone(), one.estimate.ratio(), measure.key())
            });
        }
        outcome.rows = rows;
        let (metric, run) = &measured[&ranked[0].candidate].1;
        outcome.remarks.extend(self.higher_elsewhere(*metric, run)?);
        outcome.remarks.extend(self.beside(&outcome.entries, &ranked, &measured));
        outcome.remarks.extend(self.pairs_against(net, &ranked, &subjects));
        outcome.remarks.extend(self.beside_members(net, &ranked)?);
        outcome.remarks.push(net.evidence_remark(scope, candidates.len()));
        let load = self.ranks_devices().then_some(false);
        let key = |one: &u32| net.candidates.get_index(*one as usize).map(|(key, _)| under_load(key, load));
        let connected: HashSet<ShareKey> = candidates.iter().filter_map(key).collect();
        let (mut apart, mut others) = (Vec::new(), HashSet::new());
        for (mix, candidates) in &groups {
            let mut is_new = |one: &u32| key(one).is_some_and(|key| !connected.contains(&key) && others.insert(key));
            let new: Vec<u32> = candidates.iter().copied().filter(|one| is_new(one)).collect();
            let few = MAX_UNRANKED.saturating_sub(apart.len());
            apart.extend(net.model.order(&new, mix, worst_first).into_iter().take(few).map(subjects));
        }
        let more = others.len() - apart.len();
        outcome.remarks.extend((!apart.is_empty()).then_some(Remark::Apart { candidates: apart, more }));
        let alone = all.iter().filter(|(key, _)| !connected.contains(*key) && !others.contains(*key));
        let alone = alone.map(|(_, parts)| parts).filter(|parts| !families.contains(&self.device(parts)));
        let alone = alone.map(|parts| self.kind.subjects(self.values, parts));
        outcome.remarks.extend(unranked(alone.collect()));
        let shown: HashSet<u32> = ranked.iter().take(MAX_UNRANKED).map(|one| one.candidate).collect();
        let outliers = net.model.outliers().into_iter().filter(|outlier| shown.contains(&outlier.candidate));
        outcome.remarks.extend(outliers.take(2).map(|outlier| Remark::Outlier {
            measurer: net.measurers.get_index(outlier.measurer as usize).cloned().unwrap_or_default(),
            subjects: subjects(outlier.candidate),
            factor: rounded(outlier.factor),
        }));
        Ok(outcome)
    }

    /// Candidates shown in one setting with the first whose ratio there lies outside the interval that all settings imply.
    fn beside(&self, entries: &[Entry], ranked: &[Ranked], measured: &Shown) -> Option<Remark> {
        let (setting, (metric, first)) = measured.get(&ranked.first()?.candidate)?;
        let candidates = entries.iter().zip(ranked).filter_map(|(entry, one)| {
            let (own, (_, run)) = measured.get(&one.candidate)?;
            let ratio = gain(self.by.measure(*metric).direction(), run.value, first.value);
            let is_outside = entry.low.is_some_and(|low| ratio < low) || entry.high.is_some_and(|high| ratio > high);
            (own == setting && is_outside).then(|| (entry.subjects.clone(), rounded(ratio)))
        });
        let candidates: Vec<_> = candidates.collect();
        (!candidates.is_empty()).then_some(Remark::OtherwiseInSetting(candidates))
    }

    /// The families near the top of the ranking that also have a member there.
    fn beside_members(&self, net: &Net, ranked: &[Ranked]) -> Result<Option<Remark>> {
        let shown = ranked.iter().take(if self.ranks_devices() { MOST_CHECKED } else { 0 });
        let shown: Vec<DeviceOfClass<'_>> =
            shown.map(|one| self.device(&net.candidates[one.candidate as usize])).collect();
        let of_shown = self.with_families(&shown)?.into_iter();
        let families: BTreeSet<String> = of_shown.map(|[_, (family, _)]| family.to_owned()).collect();
        Ok((!families.is_empty()).then(|| Remark::FamiliesRanked(families.into_iter().collect())))
    }

    /// Pairs near the top whose direct evidence, from settings of the question that contain both, contradicts the order.
    fn pairs_against(&self, net: &Net, ranked: &[Ranked], subjects: &dyn Fn(u32) -> Subjects) -> Option<Remark> {
        /// Smaller differences, on the log scale, do not count as a contradiction.
        const MIN_LOG_DIFFERENCE: f64 = 0.1;
        let place: HashMap<u32, usize> =
            ranked.iter().take(MOST_CHECKED).enumerate().map(|(at, one)| (one.candidate, at)).collect();
        let mut settings: BTreeMap<u32, BTreeMap<usize, Vec<f64>>> = BTreeMap::new();
        for (one, ..) in self.own(net) {
            if let Some(at) = place.get(&one.candidate) {
                settings.entry(one.setting).or_default().entry(*at).or_default().push(one.value);
            }
        }
        let mut gains: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        for levels in settings.values() {
            for (before, own) in levels {
                for (behind, other) in levels.range(before + 1..) {
                    gains.entry((*before, *behind)).or_default().push(mean(other) - mean(own));
                }
            }
        }
        let sign = if self.worst_first() { -1.0 } else { 1.0 };
        let against = gains.into_iter().map(|(pair, gains)| (sign * mean(&gains), gains.len(), pair));
        let mut against: Vec<_> = against.filter(|(gain, ..)| *gain > MIN_LOG_DIFFERENCE).collect();
        against.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
        let named = |at: usize| subjects(ranked[at].candidate);
        let told = |(gain, n, (before, behind)): &(f64, usize, (usize, usize))| {
            (named(*behind), named(*before), rounded((sign * gain).exp()), *n)
        };
        // One device can occur under two loads.
        let pairs: Vec<_> = against.iter().map(told).filter(|(better, other, ..)| better != other).collect();
        (!pairs.is_empty()).then_some(Remark::PairsAgainst(pairs))
    }

    /// The measured value of each candidate, from the setting that most of them share; runs on one device are preferred.
    fn measured(&self, net: &Net, ranked: &[Ranked]) -> Result<Shown> {
        let is_ranked: HashSet<u32> = ranked.iter().map(|one| one.candidate).collect();
        let own: Vec<_> = self.own(net).filter(|(one, ..)| is_ranked.contains(&one.candidate)).collect();
        let mut many: HashMap<u32, HashSet<u32>> = HashMap::new();
        for (observation, ..) in &own {
            many.entry(observation.setting).or_default().insert(observation.candidate);
        }
        let with_first: HashSet<u32> =
            own.iter().filter(|(one, ..)| one.candidate == ranked[0].candidate).map(|(one, ..)| one.setting).collect();
        let weight = |setting: u32, run: &Run| {
            let is_alone = self.alone(&run.parts).is_some();
            (with_first.contains(&setting), is_alone, many[&setting].len())
        };
        let mut measured = Shown::new();
        let mut possible = Possible::new(self.stores, self.values);
        for (observation, metric, run) in own {
            let is_possible = possible.is_possible(&run.parts, self.by.measure(metric), run.value)?;
            let known = measured.entry(observation.candidate).or_insert((observation.setting, (metric, *run)));
            if is_possible && weight(observation.setting, run) > weight(known.0, &known.1.1) {
                *known = (observation.setting, (metric, *run));
            }
        }
        Ok(measured)
    }
}

/// The setting and the run shown for each candidate.
type Shown = HashMap<u32, (u32, (Metric, Run))>;

#[cfg(test)]
mod tests {
    use crate::ask::execute::{Outcome, Remark, asked};
    use crate::model::Value;
    use crate::stores::sample::{Sample, table};

    fn outcome((columns, rows): (&str, &str), question: &str) -> Outcome {
        asked(&Sample::without("batch-size = 16\n", &[("paper-2020", &table(columns, rows))]), question)
    }

    /// The device and value of each entry.
    fn order(outcome: &Outcome) -> Vec<(&str, f64)> {
        let of_entry = outcome.entries.iter().map(|entry| match &entry.subjects["device"] {
            Value::Text(id) => (&**id, entry.number().unwrap_or(f64::NAN)),
            other => panic!("{other}"),
        });
        of_entry.collect()
    }

    const BATCHES: &str = "device batch-size throughput-per-s";

    #[test]
    fn the_order_is_by_settings_that_hold_several_with_the_row_that_beats_the_first() {
        let rows = r#"["nova", 1, 16, 200], ["core", 1, 16, 100], ["nova", 1, 24, 180], ["core", 1, 24, 90],
            ["core", 1, 64, 400], ["nova", 8, 16, 1500], ["ember", 1, 1, 50]"#;
        let rows = ("device device-count batch-size throughput-per-s", rows);
        let told = outcome(rows, "of:device best:speed stage:eval ask:rank");
        assert_eq!(order(&told), [("nova", 1.0), ("core", 0.5)]);
        // The outcome survives the cache (JSON).
        let text = serde_json::to_string(&told).unwrap();
        assert_eq!(serde_json::from_str::<Outcome>(&text).unwrap(), told);
        let second = &told.entries[1];
        assert_eq!((second.n, second.measurers), (2, Some(1)));
        assert!(second.low.unwrap() < 0.5 && second.high.unwrap() > 0.5, "{second:?}");
        let measured = |at: usize| told.entries[at].measured.as_ref().map(|measured| measured.value);
        assert_eq!(measured(0), measured(1).map(|value| 2.0 * value), "both in one setting");
        let elsewhere = told.remarks.iter().find_map(|remark| match remark {
            Remark::HigherElsewhere(entry) => entry.number(),
            _ => None,
        });
        assert_eq!(elsewhere, Some(400.0), "eight devices are no better device");
        let some = vec![[("device".to_owned(), Value::Text("ember".into()))].into()];
        assert!(told.remarks.contains(&Remark::Unranked { candidates: 1, some }), "{:?}", told.remarks);
        let worst = outcome(rows, "of:device worst:speed network:deepnet-50 ask:rank");
        assert_eq!(order(&worst)[0].0, "core");
        assert!(order(&worst)[1].1 > 1.0, "the better one is so many times as good");
    }

    #[test]
    fn where_nothing_connects_two_each_is_at_its_best_row() {
        let rows = (BATCHES, r#"["nova", 2, 200], ["core", 1, 100], ["ember", 4, 300]"#);
        let told = outcome(rows, "of:device best:speed network:deepnet-50 ask:rank");
        assert_eq!(order(&told), [("ember", 300.0), ("nova", 200.0), ("core", 100.0)]);
        assert!(told.remarks.contains(&Remark::OwnBest), "{:?}", told.remarks);
    }

    #[test]
    fn rows_of_one_source_that_leave_the_same_unstated_are_one_setting() {
        let rows = r#"["nova", "", "d", 900], ["core", "", "e", 800], ["ember", "", "f", 700]"#;
        let rows = ("device batch-size label throughput-per-s", rows);
        let told = outcome(rows, "of:device best:speed network:deepnet-50 ask:rank");
        assert_eq!(order(&told).iter().map(|one| one.0).collect::<Vec<_>>(), ["nova", "core", "ember"]);
    }

    #[test]
    fn devices_without_a_batch_in_common_are_compared_each_with_all_that_it_takes() {
        let rows =
            r#"["nova", 32, 150], ["nova", 64, 200], ["core", 64, 100], ["ember", 256, 600], ["ember", 128, 500]"#;
        let told = outcome((BATCHES, rows), "of:device best:speed network:deepnet-50 ask:rank");
        assert_eq!(order(&told), [("ember", 1.0), ("nova", 0.3333), ("core", 0.1667)]);
    }

    #[test]
    fn what_is_beyond_a_reference_is_by_shared_settings_alone() {
        let rows = r#"["nova", 8, 200], ["core", 8, 100], ["nova", 16, 450], ["core", 16, 100], ["ember", 1, 900]"#;
        let found = |question: &str| outcome((BATCHES, rows), question);
        let told = found("of:device faster-than:(device:core) ask:rank");
        let [(device, ratio)] = <[_; 1]>::try_from(order(&told)).unwrap();
        assert!(device == "nova" && (2.0..4.5).contains(&ratio), "{ratio}");
        let faster = found("of:device faster-than:(device:nova) ask:rank");
        assert!(order(&faster).iter().all(|(_, ratio)| *ratio > 1.0), "{faster:?}");
        assert_eq!(order(&found("of:device slower-than:(device:nova) ask:rank"))[0].0, "core");
    }

    #[test]
    fn a_latency_is_better_where_it_is_lower() {
        let rows = ("device latency-ms", r#"["nova", 4], ["core", 9], ["ember", 2]"#);
        let told = outcome(rows, "of:device best:latency-ms ask:rank");
        assert_eq!(order(&told)[..2], [("ember", 1.0), ("nova", 0.5)], "twice as long is half as good");
    }
}
