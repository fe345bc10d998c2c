//! Which frame a ranking takes: alike rows of the task that most candidates did, where there are a few, else that task.

use std::sync::Arc;

use rayon::prelude::*;

use super::candidate_kind::{CandidateKind, reaches_target};
use super::frame_weights::FrameWeights;
use super::frames::{Frame, Scope};
use super::known_peak::of_known_peak;
use super::ranked_rows::RankedRows;
use crate::ask::conclude::basis::measures::measures_named;
use crate::ask::conclude::basis::share_keys::ShareKeys;
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::question::{QueryError, Question, Superlative};
use crate::model::{Aspect, Derived, Facet, Field, Measure, Metric};
use crate::stores::Stores;

/// Fewer candidates than this are few.
pub(super) const FEW: usize = 3;

/// So many measures are looked at in any case: throughput and latency where nothing is named.
const USUAL: usize = 2;

/// So many candidates under one frame are enough for a ranking.
const MANY: usize = 6;

/// A frame of the usual measure is taken although another has more candidates, as long as it has this share of them.
const ENOUGH: f64 = 0.5;

/// A measure, with its values where they follow from others.
type MeasureWithValues = (Measure, Option<Arc<[f64]>>);

/// The frames of all measures.
pub(super) fn frames_of(
    stores: &Stores,
    rows: &RankedRows<'_>,
    measures: &[Measure],
    kind: &CandidateKind,
    (scope, one_device): (Scope, bool),
) -> Result<Vec<Frame>, QueryError> {
    let of_measure = |(measure, derived): &MeasureWithValues| {
        let measured = match measure {
            Measure::Metric(metric) => rows.hits.values(*metric),
            Measure::Derived(_) => derived.as_deref().unwrap_or_default(),
        };
        // What is told for each device may be measured on several.
        let any_count = !one_device || *measure == Measure::Derived(Derived::ThroughputPerDevice);
        let is_ranked = |parts: &PartNumbers| {
            any_count || rows.values.count(Field::DeviceCount, parts).is_none_or(|count| count == 1)
        };
        rows.frames((*measure, measured), kind, scope, is_ranked)
    };
    // What follows from the catalog is read before; the store is of one thread.
    let with_derived = |measure: &Measure| -> Result<MeasureWithValues, QueryError> {
        let derived = match measure {
            Measure::Metric(_) => None,
            Measure::Derived(Derived::PeakFraction) => {
                let shares = rows.derived(stores, Derived::PeakFraction)?;
                Some(of_known_peak(stores, rows.values, rows.hits, &shares)?.into())
            }
            Measure::Derived(derived) => Some(rows.derived(stores, *derived)?),
        };
        Ok((*measure, derived))
    };
    let (usual, others) = measures.split_at(measures.len().min(USUAL));
    let usual: Vec<MeasureWithValues> = usual.iter().map(with_derived).collect::<Result<_, _>>()?;
    let frames: Vec<Vec<Frame>> = usual.par_iter().map(of_measure).collect();
    let mut all: Vec<Frame> = frames.into_iter().flatten().collect();
    for measure in others {
        // Where the usual measures rank many, the others are not looked at.
        if all.iter().any(|frame| frame.candidates.len() >= MANY) {
            break;
        }
        all.extend(of_measure(&with_derived(measure)?));
    }
    Ok(all)
}

/// Frames of rows that did the same task, and what they rank where that is whole systems.
#[derive(Default)]
pub(super) struct TaskFrames {
    pub frames: Vec<Frame>,
    pub systems: Option<CandidateKind>,
}

impl TaskFrames {
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
}

/// The frames of rows that did the same task: where a target is to be reached, or the highest of all is asked for, whole
/// systems are ranked; else devices by what each of them does.
pub(super) fn task_frames(
    stores: &Stores,
    question: &Question,
    rows: &RankedRows<'_>,
    measures: &[Measure],
    (aspect, kind, one_device): (Aspect, &CandidateKind, bool),
) -> Result<TaskFrames, QueryError> {
    if kind.are_settings {
        return Ok(TaskFrames {
            frames: frames_of(stores, rows, measures, kind, (Scope::Task, one_device))?,
            systems: None,
        });
    }
    let of_devices = aspect == Aspect::Field(Field::Device);
    let is_cheapest = question.wanted.superlative == Some(Superlative::Cheapest);
    // Where rows state no more than when a target was reached, that is what is fastest.
    let is_stated = |metric: Metric| rows.hits.values(metric).iter().any(|value| !value.is_nan());
    let only_targets =
        is_stated(Metric::TimeToAccuracyS) && ![Metric::ThroughputPerS, Metric::LatencyMs].into_iter().any(is_stated);
    let asked = of_devices && (is_cheapest || only_targets || !measures_named(question).is_empty());
    let targets: Vec<Measure> =
        measures.iter().copied().filter(|measure| asked && reaches_target(measure.basis())).collect();
    let systems = CandidateKind::of_systems(true);
    let frames = frames_of(stores, rows, &targets, &systems, (Scope::Task, false))?;
    if frames.iter().any(|frame| frame.candidates.len() > 1) {
        return Ok(TaskFrames { frames, systems: Some(systems) });
    }
    let of_all = matches!(question.wanted.superlative, Some(Superlative::Most | Superlative::Least));
    let says_class = question.read_as().any(|read_as| read_as.facet == Facet::Class.key());
    let are_asked_for = question.wanted.of_systems || of_all && !says_class && !measures_named(question).is_empty();
    if of_devices && are_asked_for {
        let systems = CandidateKind::of_systems(false);
        let frames = frames_of(stores, rows, measures, &systems, (Scope::Task, false))?;
        return Ok(TaskFrames { frames, systems: Some(systems) });
    }
    let per_device = |measure: &Measure| match measure {
        Measure::Metric(Metric::ThroughputPerS) if of_devices && one_device => {
            Measure::Derived(Derived::ThroughputPerDevice)
        }
        other => *other,
    };
    let measures: Vec<Measure> = measures.iter().map(per_device).collect();
    Ok(TaskFrames { frames: frames_of(stores, rows, &measures, kind, (Scope::Task, one_device))?, systems: None })
}

/// The frame that is taken, those that are offered, and what is ranked where that is whole systems.
pub(super) struct Chosen {
    pub frame: Frame,
    pub others: Vec<Frame>,
    pub systems: Option<CandidateKind>,
}

/// The frame that answers best: alike rows of the task that most candidates did, where there are a few; else that task, each
/// candidate in its own setting. The others come by their weight.
pub(super) fn chosen(
    rows: (&SharedValues, &CandidateKind, &HitColumns),
    alike: Vec<Frame>,
    task: TaskFrames,
    measures: &[Measure],
) -> Option<Chosen> {
    let (values, kind, hits) = rows;
    let weights = FrameWeights::of(values, hits);
    let mut chosen = chosen_by((values, kind, &weights), alike, task, measures)?;
    // Weighed once, and moved once.
    let mut others: Vec<Option<Frame>> = std::mem::take(&mut chosen.others).into_iter().map(Some).collect();
    let weighed = others.iter().enumerate().map(|(at, frame)| (frame.as_ref().map_or(0.0, |f| weights.weight(f)), at));
    let mut order: Vec<(f64, usize)> = weighed.collect();
    order.sort_unstable_by(|(a, a_at), (b, b_at)| b.total_cmp(a).then(a_at.cmp(b_at)));
    chosen.others = order.into_iter().filter_map(|(_, at)| others[at].take()).collect();
    Some(chosen)
}

fn chosen_by(
    (values, kind, weights): (&SharedValues, &CandidateKind, &FrameWeights<'_>),
    mut alike: Vec<Frame>,
    task: TaskFrames,
    measures: &[Measure],
) -> Option<Chosen> {
    let TaskFrames { frames: mut tasks, systems } = task;
    let main = taken(&tasks, measures, weights);
    // Settings differ in all that they chose themselves: what they have in common is the task.
    if let Some(main) = main.filter(|_| kind.are_settings) {
        let frame = tasks.remove(main);
        return Some(Chosen { frame, others: tasks, systems: None });
    }
    let fields = [Field::Network, Field::Stage, Field::Scenario];
    let fields = fields.into_iter().filter(|field| !kind.varied.contains(field));
    let keys = ShareKeys::of(values, fields.map(Aspect::Field));
    if let Some(main) = main {
        let many = tasks[main].candidates.len();
        let of_task = keys.key(&tasks[main].parts);
        let of_main: Vec<usize> = (0..alike.len()).filter(|at| keys.key(&alike[*at].parts) == of_task).collect();
        let strict = taken_of(&alike, &of_main, measures, weights);
        let few = strict.map_or(0, |at| alike[at].candidates.len());
        let whole = systems.is_some() && many > 1;
        if whole || many > few && (few < 2 || few < FEW && 2 * few < many) {
            let frame = tasks.swap_remove(main);
            let mut others = alike;
            others.retain(|frame| frame.candidates.len() > 1);
            return Some(Chosen { frame, others, systems });
        }
        // Another task under whose one frame far more stand is the better field, by the same measure where this one ranks a few.
        let measure = strict.filter(|_| few >= FEW).map(|at| alike[at].measure);
        let alike_in_measure = |at: &usize| measure.is_none_or(|measure| alike[*at].measure == measure);
        let others: Vec<usize> = (0..alike.len()).filter(alike_in_measure).collect();
        let most = taken_of(&alike, &others, measures, weights).map_or(0, |at| alike[at].candidates.len());
        if let Some(at) = strict.filter(|_| 2 * few >= most) {
            let frame = alike.remove(at);
            return Some(Chosen { frame, others: alike, systems: None });
        }
    }
    let at = taken(&alike, measures, weights)?;
    let frame = alike.remove(at);
    Some(Chosen { frame, others: alike, systems: None })
}

/// The frame that is taken: the best field, those of a usual measure before others.
fn taken(all: &[Frame], measures: &[Measure], weights: &FrameWeights<'_>) -> Option<usize> {
    taken_of(all, &(0..all.len()).collect::<Vec<_>>(), measures, weights)
}

/// The same of some of the frames.
fn taken_of(all: &[Frame], some: &[usize], measures: &[Measure], weights: &FrameWeights<'_>) -> Option<usize> {
    let middle = some.iter().any(|at| !all[*at].is_extreme);
    let eligible = || some.iter().map(|at| (*at, &all[*at])).filter(move |(_, frame)| !middle || !frame.is_extreme);
    let most = eligible().map(|(_, frame)| weights.weight(frame)).fold(0.0, f64::max);
    // What is told for each device stands for the throughput.
    let of = |frame: &Frame, measure: &Measure| {
        frame.measure == *measure
            || frame.measure == Measure::Derived(Derived::ThroughputPerDevice)
                && *measure == Measure::Metric(Metric::ThroughputPerS)
    };
    // One candidate alone is no ranking where others have several.
    let several = eligible().any(|(_, frame)| frame.candidates.len() > 1);
    let enough = |frame: &Frame| weights.weight(frame) >= ENOUGH * most && (frame.candidates.len() > 1 || !several);
    let best_of = |measure: &Measure| weights.best(eligible().filter(|(_, frame)| of(frame, measure) && enough(frame)));
    measures.iter().find_map(best_of)
}
