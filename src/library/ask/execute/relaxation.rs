//! Relaxes conditions if nothing matches, cheapest first. A device or network is at most widened to its family.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::condition::{condition, rows_meeting};
use super::counted::values;
use super::key::{field_of, subjects_of};
use super::measure::By;
use super::nearest::nearest;
use super::outcome::{Entry, Remark};
use super::plan::rows_asked;
use crate::ask::parse::{Filter, Is, Key, Quantity, Question, Result, Term, Test};
use crate::model::{Aspect, Facet, Fact, Field, Tier};
use crate::stores::Stores;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::EntityKind;

/// A question with weaker conditions.
pub(super) struct Relaxed {
    /// The weaker question.
    pub question: Question,
    /// The conditions that were relaxed.
    pub remarks: Vec<Remark>,
}

/// The cost of dropping a field: cheapest for fields that matter least to comparability, highest for the device count.
const COSTS: &[(u32, &[Field])] = &[
    (2, &[Field::FrameworkVersion, Field::BackendVersion, Field::Dataset, Field::InputShape]),
    (3, &[Field::SequenceLength, Field::InputLength, Field::OutputLength, Field::Scenario, Field::Division]),
    (4, &[Field::BatchSize, Field::BatchSizeGlobal, Field::Concurrency, Field::Mode]),
    (6, &[Field::Precision, Field::Quantization, Field::WeightFormat]),
    (8, &[Field::Stage]),
    (9, &[Field::DeviceCount, Field::Hosts]),
];

/// The cost of dropping any other context of a row, and of dropping a bound on a measured value.
const COST_OF_CONTEXT: u32 = 1;
const COST_OF_BOUND: u32 = 10;

/// The cost of widening a device or network to its family.
const COST_OF_FAMILY: u32 = 12;

/// With more possible steps than this, only one step is taken at a time.
const MOST_TERMS: usize = 8;

/// Maximum number of weaker questions returned.
const MOST_TRIED: usize = 8;

/// Maximum number of steps considered: every combination of them is a candidate.
const MOST_STEPS: usize = 16;

/// The weaker questions that rows match, nearest first.
pub(super) fn relaxed(stores: &Stores, question: &Question) -> Result<Vec<Relaxed>> {
    if let Some(any) = with_alternatives(question)
        && has_rows(stores, &any.question, true)?
    {
        return Ok(vec![any]);
    }
    // Each step: its cost, the place of the term, and the term that replaces it.
    let mut steps: Vec<(u32, Place, Term)> = Vec::new();
    let nothing = Term::Any(Vec::new());
    // Sources seldom state the task of a language model, so a task beside a network may be dropped.
    let of_task = |term: &Term| question.subject.has(Facet::Network) && term.is_of(Facet::Task);
    for (at, term) in places(question) {
        match cost(term).or_else(|| of_task(term).then_some(COST_OF_CONTEXT)) {
            Some(cost) if at.0.is_none() => {
                // Rows that do not state the precision are closer to the question than rows in another one.
                if term.is_of(Facet::Precision) {
                    let stated = as_filter(Term::of(Facet::Precision, Is::Stated));
                    steps.push((COST_OF_CONTEXT, at, Term::Not(stated)));
                }
                steps.push((cost, at, nothing.clone()));
            }
            _ => {
                // A larger family costs more.
                let cost = |members: usize| COST_OF_FAMILY + members.ilog2();
                let families = families_of(stores, term)?.into_iter();
                steps.extend(families.map(|(family, members)| (cost(members), at, Term::Test(family))));
            }
        }
    }
    steps.truncate(MOST_STEPS);
    let mut tries: Vec<(usize, u32, Vec<usize>)> = Vec::new();
    let most = if steps.len() > MOST_TERMS { 1 } else { steps.len() };
    for chosen in 1u32..1 << steps.len() {
        let of: Vec<usize> = (0..steps.len()).filter(|at| chosen & 1 << at != 0).collect();
        let is_once = of.windows(2).all(|pair| steps[pair[0]].1 != steps[pair[1]].1);
        if of.len() <= most && is_once {
            tries.push((of.len(), of.iter().map(|at| steps[*at].0).sum(), of));
        }
    }
    tries.sort();
    let mut found: Vec<Relaxed> = Vec::new();
    let mut fewest = usize::MAX;
    for (many, _, chosen) in tries {
        // Do not relax more terms than necessary.
        if found.len() == MOST_TRIED || many > fewest {
            break;
        }
        let mut weaker = question.clone();
        let mut without = Filter::default();
        let mut remarks = Vec::new();
        for (_, (side, at), weak) in chosen.into_iter().map(|at| &steps[at]) {
            let filter = side.map_or(&mut weaker.subject, |side| &mut weaker.sides[side]);
            let term = std::mem::replace(&mut filter.terms[*at], weak.clone());
            match weak {
                Term::Test(_) => remarks.push(Remark::Widened { from: as_filter(term), to: as_filter(weak.clone()) }),
                Term::Not(_) | Term::Any(_) => without.terms.push(term),
            }
        }
        weaker.subject.terms.retain(|term| *term != nothing);
        // Without its subject, or without any term, it would be a different question.
        let is_empty = weaker.subject.terms.is_empty() && weaker.sides.is_empty();
        let is_another = is_about_something(question) && !is_about_something(&weaker);
        let widens_side = weaker.sides != question.sides;
        if is_empty || is_another || !has_rows(stores, &weaker, !widens_side)? {
            continue;
        }
        fewest = many;
        let mut closest = Filter::default();
        for term in std::mem::take(&mut without.terms) {
            if let Some(bound) = unstated_bound(stores, &weaker, &term)? {
                remarks.push(Remark::BoundUnstated(bound));
            } else if let Some(nearest) = nearest_numbers(stores, &weaker, &term)? {
                closest.terms.extend(nearest.terms.iter().cloned());
                remarks.push(Remark::NearestNumbers { asked: as_filter(term), nearest });
            } else {
                without.terms.push(term);
            }
        }
        weaker.subject.terms.extend(closest.terms);
        if !without.terms.is_empty() {
            remarks.insert(0, Remark::Relaxed(without));
        }
        found.push(Relaxed { question: weaker, remarks });
    }
    Ok(found)
}

/// Treats several values of one facet as alternatives if no row has two of them: `onnxruntime openvino tvm resnet50`.
fn with_alternatives(question: &Question) -> Option<Relaxed> {
    let tests = || question.subject.tests().filter(|test| matches!(test.key, Key::Facet(_)));
    let key = tests().enumerate().find_map(|(at, test)| {
        tests().skip(at + 1).any(|other| other.key == test.key && other.is != test.is).then(|| test.key.clone())
    })?;
    let is_of_key = |term: &Term| term.test().is_some_and(|test| test.key == key);
    let from = question.subject.only(is_of_key);
    let any = from.tests().flat_map(|test| test.values().iter().cloned()).collect();
    let to = as_filter(Term::of(key.clone(), Is::OneOf(any)));
    let subject = question.subject.only(|term| !is_of_key(term)).and(&to);
    let remarks = vec![Remark::Widened { from, to }];
    Some(Relaxed { question: Question { subject, ..question.clone() }, remarks })
}

/// The place of a term: its side, or `None` for the shared conditions, and its index there.
type Place = (Option<usize>, usize);

fn places(question: &Question) -> impl Iterator<Item = (Place, &Term)> {
    let sides = question.sides.iter().enumerate().map(|(side, filter)| (Some(side), filter));
    [(None, &question.subject)]
        .into_iter()
        .chain(sides)
        .flat_map(|(side, filter)| filter.terms.iter().enumerate().map(move |(at, term)| ((side, at), term)))
}

/// Row counts for a question without rows: for the nearest device and network, and without each term.
pub(super) fn rows_without_each(stores: &Stores, question: &Question) -> Result<Vec<Entry>> {
    let terms = question.subject.terms.len();
    let mut entries = nearest(stores, question)?;
    for at in (0..terms).filter(|_| terms > 1) {
        entries.push(counted(stores, &question.subject.without(at))?);
    }
    if entries.iter().any(|entry| entry.n > 0) {
        entries.retain(|entry| entry.n > 0);
    }
    Ok(entries)
}

/// If no row has all named entities: row counts for the nearest device and network, else for each entity alone.
pub(super) fn row_counts_of_parts(stores: &Stores, question: &Question) -> Result<Vec<Entry>> {
    let near = nearest(stores, question)?;
    if !near.is_empty() {
        return Ok(near);
    }
    let named = |test: &&Test| is_of_subject(test) && matches!(test.is, Is::OneOf(_));
    let subjects: Vec<&Test> =
        [&question.subject].into_iter().chain(&question.sides).flat_map(Filter::tests).filter(named).collect();
    let apart = subjects.iter().filter(|_| subjects.len() > 1);
    apart.map(|test| counted(stores, &as_filter(Term::Test((*test).clone())))).collect()
}

fn counted(stores: &Stores, filter: &Filter) -> Result<Entry> {
    Ok(Entry::row_count(subjects_of(filter), rows_meeting(stores, filter)?))
}

/// A family with more members says nothing about one of them.
const LARGEST_FAMILY: usize = 60;

/// Whether a test names what rows are about.
fn is_of_subject(test: &Test) -> bool {
    use Facet::{Architecture, Class, Dataset, Device, Framework, Instance, Network, Source, Vendor};
    let Key::Facet(facet) = test.key else { return false };
    matches!(facet, Network | Device | Framework | Dataset | Class | Architecture | Vendor | Source | Instance)
}

fn is_about_something(question: &Question) -> bool {
    places(question).any(|(_, term)| term.test().is_some_and(is_of_subject))
}

fn as_filter(term: Term) -> Filter {
    Filter { terms: vec![term] }
}

/// Whether rows match a question. If it has sides: whether `every` side has rows, otherwise whether any has.
fn has_rows(stores: &Stores, question: &Question, every: bool) -> Result<bool> {
    let measured = with_measures(&question.wants);
    let counts = |filter: &Filter| -> Result<bool> {
        let all = Condition::All(vec![condition(stores, filter)?, measured.clone()]);
        Ok(stores.index.count(DocumentKind::Measurement, &all)? > 0)
    };
    let of_side = |side: &Filter| counts(&question.subject.and(side));
    let sides: Vec<bool> = question.sides.iter().map(of_side).collect::<Result<_, _>>()?;
    let lacks = if every { sides.contains(&false) } else { !sides.contains(&true) };
    if lacks { Ok(false) } else { counts(&rows_asked(question)) }
}

/// Rows with a metric that the wanted quantities, or their fallbacks, need; all rows if no measure is wanted.
fn with_measures(wanted: &[Quantity]) -> Condition {
    let measures = wanted.iter().filter(|wanted| matches!(wanted, Quantity::Metric(_) | Quantity::Derived(_)));
    let measures: Vec<Quantity> = measures.cloned().collect();
    if measures.is_empty() {
        return Condition::All(Vec::new());
    }
    let ladder = By::ladder(&measures);
    let keys: BTreeSet<&str> = ladder.iter().flat_map(By::needs).map(|metric| metric.key()).collect();
    Condition::Facet(Facet::Metric, keys.into_iter().map(str::to_owned).collect())
}

/// The cost of dropping a term; `None` for the subject of a question and for exclusions, which are never dropped.
fn cost(term: &Term) -> Option<u32> {
    match term {
        Term::Test(test) => cost_of_key(&test.key),
        Term::Not(_) => None,
        Term::Any(filters) => {
            let costs = filters.iter().flat_map(|filter| &filter.terms).map(cost);
            costs.collect::<Option<Vec<u32>>>()?.into_iter().max()
        }
    }
}

fn cost_of_key(key: &Key) -> Option<u32> {
    match key {
        Key::Facet(Facet::Year | Facet::Status | Facet::Metric) => Some(COST_OF_BOUND),
        Key::Facet(Facet::Instance) => Some(COST_OF_CONTEXT),
        Key::Aspect(Aspect::Metric(_) | Aspect::Derived(_)) | Key::Text => Some(COST_OF_BOUND),
        Key::Aspect(Aspect::Fact(Fact::Memory)) => Some(COST_OF_CONTEXT),
        Key::Grade(_) | Key::Rows | Key::Sources => None,
        Key::Facet(_) | Key::Aspect(_) => {
            let field = field_of(key)?;
            let listed = COSTS.iter().find(|(_, fields)| fields.contains(&field)).map(|(cost, _)| *cost);
            let is_subject = field.entity_kind().is_some() || matches!(field, Field::Standing | Field::Outcome);
            let is_context = matches!(field.tier(), Tier::Context | Tier::Disclosure | Tier::Axis) && !is_subject;
            listed.or(is_context.then_some(COST_OF_CONTEXT))
        }
    }
}

/// The families of the single device or network that a term names, with the number of members of each.
fn families_of(stores: &Stores, term: &Term) -> Result<Vec<(Test, usize)>> {
    let Term::Test(Test { key: key @ Key::Facet(facet), is: Is::OneOf(names) }) = term else { return Ok(Vec::new()) };
    // Mixed precision computes in the shorter format.
    let short: Vec<String> = names.iter().filter_map(|name| Some(name.strip_prefix("amp-")?.to_owned())).collect();
    if *facet == Facet::Precision && short.len() == names.len() {
        return Ok(vec![(Test { key: key.clone(), is: Is::OneOf(short) }, 1)]);
    }
    let (kind, [name]) = (facet.entity_kind(), names.as_slice()) else { return Ok(Vec::new()) };
    let Some(kind) = kind.filter(|kind| matches!(kind, EntityKind::Device | EntityKind::Network)) else {
        return Ok(Vec::new());
    };
    let mut families = Vec::new();
    for ancestor in stores.database.ancestors(kind, name)?.into_iter().filter(|ancestor| ancestor != name) {
        let members = stores.database.descendants(kind, &ancestor)?.len();
        // A broad group of networks does not count as the family of one of them.
        let first = |id: &str| id.split('-').next().map(str::to_owned);
        let is_line = kind == EntityKind::Device || first(&ancestor) == first(name) && !names_size(name);
        if members <= LARGEST_FAMILY && is_line {
            families.push((Test { key: key.clone(), is: Is::OneOf(vec![ancestor]) }, members.max(1)));
        }
    }
    Ok(families)
}

/// Whether an id contains a model size, such as `7b`: language models of other sizes do different work.
fn names_size(id: &str) -> bool {
    let is_size = |part: &str| part.strip_suffix('b').is_some_and(|size| size.parse::<f64>().is_ok());
    id.split('-').any(is_size)
}

/// Replaces a relaxed exact number by the nearest ones that rows state: 768 and 1536 devices for 1024.
fn nearest_numbers(stores: &Stores, weaker: &Question, term: &Term) -> Result<Option<Filter>> {
    let Term::Test(Test { key, is: Is::Within(Bound::Included(low), Bound::Included(high)) }) = term else {
        return Ok(None);
    };
    // Not for sides: their nearest numbers would differ, and a comparison keeps relaxing until nothing is left. Not for the axis of a
    // series, which needs several numbers.
    let is_axis = weaker.along.is_some_and(|along| *key == Key::Aspect(along));
    if !weaker.sides.is_empty() || low != high || is_axis || field_of(key).is_none() {
        return Ok(None);
    }
    let of_rows = Question { subject: rows_asked(weaker), ..weaker.clone() };
    let stated = values(stores, &of_rows, key)?;
    let numbers = stated.iter().filter_map(|entry| entry.subjects.values().next()?.to_string().parse::<f64>().ok());
    let numbers: Vec<f64> = numbers.collect();
    let below = numbers.iter().copied().filter(|number| number < low).reduce(f64::max);
    let above = numbers.iter().copied().filter(|number| number > low).reduce(f64::min);
    let test = |number: f64| as_filter(Term::of(key.clone(), Is::exactly(number)));
    Ok(match below.into_iter().chain(above).map(test).collect::<Vec<_>>().as_slice() {
        [] => None,
        [only] => Some(only.clone()),
        both => Some(as_filter(Term::Any(both.to_vec()))),
    })
}

/// The key of a relaxed bound, if none of the remaining rows states it.
fn unstated_bound(stores: &Stores, weaker: &Question, term: &Term) -> Result<Option<Key>> {
    let Term::Test(Test { key, is: Is::Within(low, high) }) = term else { return Ok(None) };
    let is_of_all = matches!(key, Key::Aspect(Aspect::Derived(_)) | Key::Facet(Facet::Year));
    if is_of_all || matches!((low, high), (Bound::Unbounded, Bound::Unbounded)) {
        return Ok(None);
    }
    let stating = rows_asked(weaker).with(Term::of(key.clone(), Is::Stated));
    Ok((rows_meeting(stores, &stating)? == 0).then(|| key.clone()))
}
