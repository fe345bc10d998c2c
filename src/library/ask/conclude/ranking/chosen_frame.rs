//! Which frame a ranking takes: alike rows of the task that most candidates did, where there are a few, else that task.

use std::cmp::Reverse;
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

/// So many times the candidates are far more.
const FAR_MORE: usize = 2;

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
    let mut frames = frames.into_iter();
    let mut all = frames.next().unwrap_or_default();
    frames.for_each(|more| all.extend(more));
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
        Measure::Metric(Metric::ThroughputPerS) if (of_devices || kind.is_of_groups()) && one_device => {
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
    asked: usize,
) -> Option<Chosen> {
    let (values, kind, hits) = rows;
    let weights = FrameWeights::of(values, hits, asked);
    let mut chosen = chosen_by((values, kind, &weights), alike, task, measures)?;
    // Weighed once, and moved once; the heaviest come first.
    chosen.others.sort_by_cached_key(|frame| Reverse(in_order(weights.weight(frame))));
    Some(chosen)
}

/// A number as an integer in the same order.
fn in_order(number: f64) -> i64 {
    let bits = number.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
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
    if let Some(main) = main.filter(|_| kind.are_settings || kind.is_of_groups()) {
        let frame = tasks.remove(main);
        return Some(Chosen { frame, others: tasks, systems: None });
    }
    let fields = [Field::Network, Field::Stage, Field::Scenario];
    let fields = fields.into_iter().filter(|field| !kind.varied.contains(field));
    let keys = ShareKeys::of(values, fields.map(Aspect::Field));
    if let Some(main) = main {
        let many = tasks[main].candidates.len();
        let of_task = keys.key(&tasks[main].parts);
        let heaviest = tasks.iter().map(|frame| weights.weight(frame)).fold(0.0, f64::max);
        // Taken for its measure, although another one has far more candidates: alike rows must be of that measure, too.
        let for_measure = weights.weight(&tasks[main]) < ENOUGH * heaviest;
        let measured_so = |frame: &Frame| !for_measure || is_alike_in_measure(frame, &tasks[main]);
        let of_main: Vec<usize> =
            (0..alike.len()).filter(|at| keys.key(&alike[*at].parts) == of_task && measured_so(&alike[*at])).collect();
        let strict = taken_of(&alike, &of_main, measures, weights);
        let few = strict.map_or(0, |at| alike[at].candidates.len());
        let whole = systems.is_some() && many > 1;
        // Alike rows of a few say little of a task that far more did.
        let too_few = few < 2
            || few < FEW && 2 * few < many
            || few < MANY && FAR_MORE * few <= many
            || few < weights.asked
            || for_measure && few < MANY;
        if whole || many > few && too_few {
            let frame = tasks.swap_remove(main);
            let mut others = alike;
            // Beside a few those matter that stand alone under another frame.
            others.retain(|frame| frame.candidates.len() > 1 || many < FEW);
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
    let widest = eligible().map(|(_, frame)| frame.candidates.len()).max().unwrap_or_default();
    let asked = weights.asked;
    // One candidate alone is no ranking where others have several, and two are hardly one where others have a few.
    let least = widest.min(FEW);
    let wide = eligible().filter(|(_, frame)| frame.candidates.len() >= least);
    let most = wide.map(|(_, frame)| weights.weight(frame)).fold(0.0, f64::max);
    // Who says no more than `fastest` means the usual measure where it ranks many, whatever more another one ranks.
    let usual = measures.first().filter(|_| measures.len() > 1);
    let is_usual =
        |frame: &Frame| frame.candidates.len() >= MANY && usual.is_some_and(|usual| stands_for(frame, *usual));
    let enough = |frame: &Frame| {
        let weighs = weights.weight(frame) >= ENOUGH * most || is_usual(frame);
        let answers = frame.candidates.len() >= asked.min(widest);
        weighs && answers && frame.candidates.len() >= least
    };
    let best_of =
        |measure: &Measure| weights.best(eligible().filter(|(_, frame)| stands_for(frame, *measure) && enough(frame)));
    measures.iter().find_map(best_of)
}

/// Whether a frame ranks by a measure: what is told for each device stands for the throughput.
fn stands_for(frame: &Frame, measure: Measure) -> bool {
    let per_device = Measure::Derived(Derived::ThroughputPerDevice);
    let throughput = Measure::Metric(Metric::ThroughputPerS);
    frame.measure == measure || [frame.measure, measure] == [per_device, throughput]
}

/// Whether two frames rank by the same, for each device or in all.
fn is_alike_in_measure(one: &Frame, other: &Frame) -> bool {
    stands_for(one, other.measure) || stands_for(other, one.measure)
}

#[cfg(test)]
mod tests {
    use super::super::frames::Candidate;
    use super::*;
    use crate::ask::conclude::basis::sample::Sample;
    use crate::stores::index::Condition;

    fn frame(measure: Metric, candidates: usize) -> Frame {
        let own: Vec<Candidate> = (0..candidates).map(|at| Candidate { own: at..at + 1, like: None }).collect();
        Frame {
            measure: Measure::Metric(measure),
            scope: Scope::Task,
            candidates: own.into(),
            runs: Arc::default(),
            parts: PartNumbers::default(),
            is_extreme: false,
            by_highest: None,
        }
    }

    #[test]
    fn the_usual_measure_is_taken_where_it_ranks_many_or_as_many_as_are_asked_for() {
        let sample = Sample::of(&[("paper-2020", "\n[[run]]\nthroughput-per-s = 1\n")]);
        let values = SharedValues::read(&sample.stores).unwrap();
        let hits = HitColumns::of(&sample.stores, &Condition::All(Vec::new()), &[]).unwrap();
        let of_speed = [Metric::ThroughputPerS, Metric::LatencyMs].map(Measure::Metric);
        for (by_rate, by_time, asked, taken_by) in [
            (7, 20, 1, Metric::ThroughputPerS),
            (3, 20, 1, Metric::LatencyMs),
            (4, 8, 1, Metric::ThroughputPerS),
            (4, 8, 5, Metric::LatencyMs),
            (4, 3, 5, Metric::ThroughputPerS),
        ] {
            let frames = [frame(Metric::ThroughputPerS, by_rate), frame(Metric::LatencyMs, by_time)];
            let weights = FrameWeights::of(&values, &hits, asked);
            let at = taken(&frames, &of_speed, &weights).unwrap();
            assert_eq!(frames[at].measure, Measure::Metric(taken_by), "{by_rate} and {by_time} for {asked}");
        }
    }
}
