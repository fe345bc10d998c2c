//! Compares workers: by which factor each was faster at the same work, over the rounds of processes that both ran.
//!
//! A round has one process per worker, minutes apart at most. Disturbances of a whole round cancel in its ratio, so ratios are
//! computed per round and not from means.

use super::plan::PlanPoint;
use super::process_run::ProcessRun;
use crate::values::t95;

/// Work that several workers did; the others are compared with the first.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedWork {
    /// The title of the work, without a worker's name.
    pub title: String,
    /// The workers in the order of the plan.
    pub workers: Vec<ComparedWorker>,
}

/// The result of one worker.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedWorker {
    /// Its name.
    pub name: String,
    /// The mean level of its processes, ms.
    pub level_ms: f64,
    /// Speed relative to the first worker; `None` for the first worker itself.
    pub ratio: Option<PairedRatio>,
    /// The largest deviation of its outputs from the reference, as a share of the reference's range, if they were compared.
    pub output_deviation: Option<f64>,
    /// Time in which its slowest process built and compiled the network, s, if reported.
    pub preparing_s: Option<f64>,
}

/// A ratio of speeds, paired by rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedRatio {
    /// The geometric mean of the ratios of the rounds.
    pub value: f64,
    /// Its 95% confidence interval, Student's for the logarithms. `None` for a single round.
    pub interval: Option<(f64, f64)>,
    /// Number of rounds that both ran.
    pub rounds: usize,
}

impl PairedRatio {
    /// The speed ratio from the times of both sides by round: baseline over subject. `None` without a common round.
    pub fn of(subject: &[f64], baseline: &[f64]) -> Option<Self> {
        let logs: Vec<f64> = subject.iter().zip(baseline).map(|(own, other)| (other / own).ln()).collect();
        let rounds = logs.len();
        let mean = mean(&logs)?;
        let interval = (rounds > 1).then(|| {
            let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
            let freedom = (rounds - 1) as f64;
            let half = t95(freedom) * (squares / freedom / rounds as f64).sqrt();
            ((mean - half).exp(), (mean + half).exp())
        });
        Some(Self { value: mean.exp(), interval, rounds })
    }
}

/// A worker's speed over all work for which it was compared with the same baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct Overall {
    /// The worker's name.
    pub name: String,
    /// The baseline worker's name.
    pub baseline: String,
    /// The geometric mean of the ratios …
    pub value: f64,
    /// … their minimum and maximum …
    pub range: (f64, f64),
    /// … and their number.
    pub count: usize,
}

/// Compares the workers of points with the same work, given the processes of each point; points without processes are skipped.
pub(super) fn side_by_side<'p>(points: impl Iterator<Item = (&'p PlanPoint, &'p [ProcessRun])>) -> Vec<ComparedWork> {
    let mut titles: Vec<String> = Vec::new();
    let mut all: Vec<Vec<(&PlanPoint, &[ProcessRun])>> = Vec::new();
    for (point, processes) in points.filter(|(point, processes)| point.worker.is_some() && !processes.is_empty()) {
        let title = PlanPoint { worker: None, ..point.clone() }.title();
        match titles.iter().position(|known| *known == title) {
            Some(place) => all[place].push((point, processes)),
            None => {
                titles.push(title);
                all.push(vec![(point, processes)]);
            }
        }
    }
    let of_several = titles.into_iter().zip(all).filter(|(_, points)| points.len() > 1);
    of_several.map(|(title, points)| ComparedWork { title, workers: compared(&points) }).collect()
}

/// The speed of each worker over all work, in the order of the plan.
pub fn overall(compared: &[ComparedWork]) -> Vec<Overall> {
    let mut found: Vec<((&str, &str), Vec<f64>)> = Vec::new();
    for work in compared {
        for worker in &work.workers {
            let (Some(ratio), Some(first)) = (worker.ratio, work.workers.first()) else { continue };
            let sides = (worker.name.as_str(), first.name.as_str());
            match found.iter_mut().find(|(known, _)| *known == sides) {
                Some((_, ratios)) => ratios.push(ratio.value),
                None => found.push((sides, vec![ratio.value])),
            }
        }
    }
    let of = |((name, baseline), ratios): ((&str, &str), Vec<f64>)| {
        let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let (low, high) =
            ratios.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &ratio| (low.min(ratio), high.max(ratio)));
        let (name, baseline) = (name.to_owned(), baseline.to_owned());
        Some(Overall { name, baseline, value: mean(&logs)?.exp(), range: (low, high), count: ratios.len() })
    };
    found.into_iter().filter_map(of).collect()
}

fn compared(points: &[(&PlanPoint, &[ProcessRun])]) -> Vec<ComparedWorker> {
    let levels = |(point, processes): &(&PlanPoint, &[ProcessRun])| -> Vec<f64> {
        processes.iter().map(|process| point.method.level(&process.samples)).collect()
    };
    let baseline = points.first().map(levels).unwrap_or_default();
    let of = |(place, measured): (usize, &(&PlanPoint, &[ProcessRun]))| {
        let own = levels(measured);
        let greatest = |of: &dyn Fn(&ProcessRun) -> Option<f64>| measured.1.iter().filter_map(of).reduce(f64::max);
        ComparedWorker {
            name: measured.0.worker.clone().unwrap_or_default(),
            level_ms: mean(&own).unwrap_or_default(),
            ratio: if place == 0 { None } else { PairedRatio::of(&own, &baseline) },
            output_deviation: greatest(&|process| process.output_deviation),
            preparing_s: greatest(&|process| match (process.load_s, process.compile_s) {
                (None, None) => None,
                (load, compile) => Some(load.unwrap_or_default() + compile.unwrap_or_default()),
            }),
        }
    };
    points.iter().enumerate().map(of).collect()
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Stage;

    fn point(network: &str, worker: &str) -> PlanPoint {
        let point = PlanPoint::of_network(network.parse().unwrap(), Stage::Eval, 1);
        PlanPoint { worker: Some(worker.to_owned()), ..point }
    }

    fn processes(levels: &[f64]) -> Vec<ProcessRun> {
        let of = |&level: &f64| ProcessRun {
            samples: vec![level; 3],
            load_s: Some(0.5),
            compile_s: Some(level),
            ..ProcessRun::default()
        };
        levels.iter().map(of).collect()
    }

    #[test]
    fn what_happens_to_a_whole_round_is_in_no_ratio() {
        // The second round is disturbed; the subject is always twice as fast.
        let ratio = PairedRatio::of(&[1.0, 3.0, 1.1], &[2.0, 6.0, 2.2]).unwrap();
        let (low, high) = ratio.interval.unwrap();
        assert!((ratio.value - 2.0).abs() < 1e-12 && (high - low).abs() < 1e-9, "{ratio:?}");
        // By hand: logarithms 0 and ln 4, mean ln 2, half of the interval 12.706 * ln 2.
        let wide = PairedRatio::of(&[1.0, 1.0], &[1.0, 4.0]).unwrap();
        let half = (wide.interval.unwrap().1.ln() - wide.value.ln()) / 2.0_f64.ln();
        assert!((wide.value - 2.0).abs() < 1e-12 && (half - 12.706).abs() < 1e-2, "{wide:?} {half}");
        // A round that only one of them ran is ignored.
        let short = PairedRatio::of(&[1.0, 9.0], &[3.0]).unwrap();
        assert!((short.value - 3.0).abs() < 1e-12 && short.rounds == 1, "{short:?}");
        assert_eq!(PairedRatio::of(&[1.0], &[3.0]).unwrap().interval, None);
        assert_eq!(PairedRatio::of(&[], &[3.0]), None);
    }

    #[test]
    fn the_workers_of_the_same_work_stand_beside_each_other_and_over_all_work() {
        let (slow, fast, other) = (processes(&[4.0, 6.0]), processes(&[2.0, 3.0]), processes(&[8.0]));
        let plan =
            [point("a", "x"), point("b", "x"), point("a", "y"), point("b", "y"), point("c", "x"), point("d", "y")];
        let measured: [&[ProcessRun]; 6] = [&slow, &other, &fast, &fast, &fast, &[]];
        let found = side_by_side(plan.iter().zip(measured));
        let titles: Vec<&str> = found.iter().map(|work| work.title.as_str()).collect();
        assert_eq!(titles, ["a eval fp32 batch 1 cpu", "b eval fp32 batch 1 cpu"]);
        let first = &found[0].workers;
        assert_eq!((first[0].name.as_str(), first[0].level_ms, first[0].ratio), ("x", 5.0, None));
        assert_eq!((first[1].ratio.unwrap().value, first[1].preparing_s), (2.0, Some(3.5)));
        let all = overall(&found);
        assert_eq!((all.len(), all[0].name.as_str(), all[0].baseline.as_str()), (1, "y", "x"));
        assert_eq!((all[0].count, all[0].range), (2, (2.0, 8.0 / 2.0)));
        assert!((all[0].value - 8.0_f64.sqrt()).abs() < 1e-12);
    }
}
