//! Leaves values out, predicts them from the rest, and prints a page on how well that worked: `make leave-one-out`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::error::Error;
use std::path::Path;

use dlbench::KnowledgeBase;
use dlbench::ask::ComparableValues;
use dlbench::model::physics::DeviceLimits;
use dlbench::model::{Device, Direction, Field, Measurement, Metric, Network};
use dlbench_effects::{Effects, Observation};
use strum::VariantArray as _;

/// Pairs of a candidate and a setting that are left out for each kind of candidate, divided into `FOLDS` folds.
const LEFT_OUT: usize = 5000;
const FOLDS: usize = 10;
/// The same for candidates with few pairs.
const LEFT_OUT_OF_FEW: usize = 1500;
/// A prediction wrong by more than this factor may be listed as a failure.
const FAR: f64 = 3.0;
/// Maximum number of failures listed.
const MOST_LISTED: usize = 12;
/// A ranking is checked if it has at least this many devices.
const LEAST_DEVICES: usize = 5;

const HEAD: &str = "| | left out | median error | 90 % within | 90 % interval holds | median half width | ratio of peaks: median, 90 % | nearest by roofline: median, 90 % |\n|---|---|---|---|---|---|---|---|";

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let kb = KnowledgeBase::open(root)?;
    println!("# Leave one pair out\n");
    println!(
        "A pair is a candidate in a setting: its value there is left out, the model is fitted to the rest, variances included, and the \
         value is predicted from what is left in the setting. {LEFT_OUT} pairs for each kind of candidate in {FOLDS} folds, of those \
         whose candidate has another pair and whose setting holds another candidate. The error is the factor between measured and \
         predicted value, the interval that of one new measurement at 90 %. `make leave-one-out` writes this page.\n\n\
         Rivals: *ratio of peaks* predicts from the setting's other values, each divided by its device's dense peak in the format; \
         *nearest by roofline* from the one nearest in peak and bandwidth, times the geometric mean of both ratios. Both apply to \
         devices whose peak (and bandwidth) the catalog states; n says to how many pairs.\n"
    );
    let (mut everything, mut training) = (Vec::new(), Vec::new());
    for field in [Field::Device, Field::Framework, Field::Precision, Field::BatchSize] {
        let all = kb.comparable_values(field)?;
        let rows = Rows::read(&kb, &all)?;
        for left in report(field, &all, &rows) {
            let is_training = rows.text(left.at, Field::Stage) == "train";
            training.extend(is_training.then(|| left.clone()));
            everything.push(left);
        }
        if field == Field::Device {
            report_rankings(&kb, &rows)?;
        }
    }
    println!("## Devices, frameworks, precisions and batch sizes together\n\n{HEAD}");
    for (name, left) in [("everything", &everything), ("training", &training)] {
        println!("{}", line(name, &left.iter().collect::<Vec<_>>()));
    }
    Ok(())
}

/// Counts the device rankings in which a measured ratio to the first device is outside the printed interval.
fn report_rankings(kb: &KnowledgeBase, rows: &Rows<'_>) -> Result<(), Failure> {
    let mut kinds: BTreeMap<(&str, &str), HashSet<&str>> = BTreeMap::new();
    for at in 0..rows.measurements.len() {
        let kind = (rows.text(at, Field::Network), rows.text(at, Field::Stage));
        kinds.entry(kind).or_default().insert(rows.text(at, Field::Device));
    }
    kinds.retain(|(_, stage), devices| !stage.is_empty() && devices.len() >= LEAST_DEVICES);
    let (mut rankings, mut shown, mut outside) = (0, 0u32, 0);
    for (network, stage) in kinds.keys() {
        let answer = kb.query(&format!("network:{network} stage:{stage} of:device best:speed ask:rank"))?;
        let Some((first, others)) = answer.conclusion.entries.split_first() else { continue };
        let Some(of_first) = first.measured.as_ref().filter(|_| first.rank.is_some()) else { continue };
        rankings += 1;
        for other in others.iter().filter(|other| other.under == first.under) {
            let Some(own) = other.measured.as_ref().filter(|own| own.quantity == of_first.quantity) else { continue };
            let metric = Metric::VARIANTS.iter().find(|metric| metric.key() == own.quantity);
            let is_lower = metric.is_some_and(|metric| metric.direction() == Direction::Lower);
            let ratio = if is_lower { of_first.value / own.value } else { own.value / of_first.value };
            shown += 1;
            outside +=
                u32::from(other.low.is_some_and(|low| ratio < low) || other.high.is_some_and(|high| ratio > high));
        }
    }
    println!(
        "Of {rankings} rankings (each network and stage of {LEAST_DEVICES} devices or more), {shown} devices are shown in one setting with the \
         first; of {outside} the ratio there is outside the 90 % interval of their factor ({:.1} %).\n",
        100.0 * f64::from(outside) / f64::from(shown.max(1))
    );
    Ok(())
}

/// The rows behind the values, and facts on their networks and devices.
struct Rows<'r> {
    measurements: &'r [Measurement],
    tasks: HashMap<String, String>,
    limits: HashMap<String, DeviceLimits>,
}

impl<'r> Rows<'r> {
    fn read(kb: &KnowledgeBase, all: &'r ComparableValues) -> Result<Self, Failure> {
        let (mut tasks, mut limits) = (HashMap::new(), HashMap::new());
        for row in &all.measurements {
            if let Some(id) = row.text(Field::Network).filter(|id| !tasks.contains_key(*id)) {
                let network = kb.entity::<Network>(id)?;
                let task = network.and_then(|network| network.task).map(|task| task.to_string()).unwrap_or_default();
                tasks.insert(id.to_owned(), task);
            }
            if let Some(id) = row.text(Field::Device).filter(|id| !limits.contains_key(*id)) {
                let device = kb.entity::<Device>(id)?;
                limits.insert(id.to_owned(), DeviceLimits::of(device.iter()));
            }
        }
        Ok(Self { measurements: &all.measurements, tasks, limits })
    }

    fn text(&self, at: usize, field: Field) -> &str {
        self.measurements[at].text(field).unwrap_or_default()
    }

    fn task(&self, at: usize) -> &str {
        self.tasks.get(self.text(at, Field::Network)).map(String::as_str).unwrap_or_default()
    }

    /// Logarithm of the dense peak in the row's number format.
    fn peak(&self, at: usize) -> Option<f64> {
        let precision = self.text(at, Field::Precision).parse().ok();
        let (peak, _) = self.limits.get(self.text(at, Field::Device))?.peak(precision)?;
        Some(peak.ln())
    }

    fn bandwidth(&self, at: usize) -> Option<f64> {
        self.limits.get(self.text(at, Field::Device))?.bandwidth.map(f64::ln)
    }
}

/// A value that was left out and predicted; errors are logarithms of measured over predicted.
#[derive(Clone)]
struct LeftOut {
    at: usize,
    error: f64,
    half: f64,
    /// Number of pairs of the same candidate that remained in the fit.
    pairs: usize,
    by_peaks: Option<f64>,
    by_nearest: Option<f64>,
}

/// Shuffles with a fixed seed.
fn shuffled<T>(mut items: Vec<T>, seed: u64) -> Vec<T> {
    fastrand::Rng::with_seed(seed).shuffle(&mut items);
    items
}

/// Leaves pairs out and predicts them; with `few`, only those of candidates with few pairs.
fn leave_out(all: &[Observation], rows: &Rows<'_>, most: usize, few: bool) -> Vec<LeftOut> {
    const FEW: usize = 20;
    let mut pairs: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    let mut settings: HashMap<u32, Vec<usize>> = HashMap::new();
    for (at, value) in all.iter().enumerate() {
        pairs.entry((value.setting, value.candidate)).or_default().push(at);
        settings.entry(value.setting).or_default().push(at);
    }
    let mut of_candidate: HashMap<u32, usize> = HashMap::new();
    pairs.keys().for_each(|(_, candidate)| *of_candidate.entry(*candidate).or_default() += 1);
    let is_usable = |(_, candidate): &(u32, u32)| {
        let many = of_candidate[candidate];
        many >= 2 && (!few || many <= FEW)
    };
    let mut chosen = shuffled(pairs.keys().copied().filter(is_usable).collect(), 7);
    chosen.truncate(most);
    let mut left = Vec::new();
    for fold in 0..FOLDS {
        let held: HashSet<(u32, u32)> = chosen.iter().copied().skip(fold).step_by(FOLDS).collect();
        // A row can also be in the setting that compares candidates at their own batch and version.
        let held_rows: HashSet<&str> =
            held.iter().flat_map(|pair| &pairs[pair]).map(|at| rows.measurements[*at].id()).collect();
        let is_held = |at: usize| held_rows.contains(rows.measurements[at].id());
        let fitted: Vec<Observation> = (0..all.len()).filter(|at| !is_held(*at)).map(|at| all[at]).collect();
        let model = Effects::fit(&fitted);
        let mut known: HashMap<u32, HashSet<u32>> = HashMap::new();
        fitted.iter().for_each(|value| {
            known.entry(value.candidate).or_default().insert(value.setting);
        });
        for pair in &held {
            // The median value represents the pair.
            let mut own = pairs[pair].clone();
            own.sort_by(|a, b| all[*a].value.total_cmp(&all[*b].value));
            let at = own[own.len() / 2];
            let others: Vec<usize> = settings[&pair.0].iter().copied().filter(|other| !is_held(*other)).collect();
            let anchors: Vec<Observation> = others.iter().map(|other| all[*other]).collect();
            let Some(predicted) = model.predict(&all[at], &anchors) else { continue };
            left.push(LeftOut {
                at,
                error: all[at].value - predicted.log,
                half: predicted.half,
                pairs: known.get(&pair.1).map_or(0, HashSet::len),
                by_peaks: by_peaks(all, rows, at, &others),
                by_nearest: by_nearest(all, rows, at, &others),
            });
        }
    }
    left
}

/// The error of a prediction by the ratio of peaks.
fn by_peaks(all: &[Observation], rows: &Rows<'_>, at: usize, others: &[usize]) -> Option<f64> {
    let level = |at: usize| Some(all[at].value - rows.peak(at)?);
    let known: Vec<f64> = others.iter().filter_map(|other| level(*other)).collect();
    (!known.is_empty()).then_some(())?;
    Some(level(at)? - known.iter().sum::<f64>() / known.len() as f64)
}

/// The error of a prediction from the device nearest in peak and bandwidth.
fn by_nearest(all: &[Observation], rows: &Rows<'_>, at: usize, others: &[usize]) -> Option<f64> {
    let place = |at: usize| Some((rows.peak(at)?, rows.bandwidth(at)?));
    let own = place(at)?;
    let far = |other: (f64, f64)| (own.0 - other.0).hypot(own.1 - other.1);
    let known = others.iter().filter_map(|other| Some((*other, place(*other)?)));
    let (nearest, its) = known.min_by(|a, b| far(a.1).total_cmp(&far(b.1)))?;
    Some(all[at].value - all[nearest].value - ((own.0 - its.0) + (own.1 - its.1)) / 2.0)
}

/// Leaves out all of one measurer's values of a candidate and predicts one of them; `pairs` counts the other measurers.
fn leave_measurer_out(all: &[Observation]) -> Vec<LeftOut> {
    let mut groups: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    let mut measurers: HashMap<u32, HashSet<u32>> = HashMap::new();
    let mut settings: HashMap<u32, Vec<usize>> = HashMap::new();
    for (at, value) in all.iter().enumerate() {
        groups.entry((value.candidate, value.measurer)).or_default().push(at);
        measurers.entry(value.candidate).or_default().insert(value.measurer);
        settings.entry(value.setting).or_default().push(at);
    }
    let several = groups.keys().copied().filter(|(candidate, _)| measurers[candidate].len() > 1).collect();
    let chosen: Vec<(u32, u32)> = shuffled(several, 11);
    let mut left = Vec::new();
    for fold in 0..FOLDS {
        let held: HashSet<(u32, u32)> = chosen.iter().copied().skip(fold).step_by(FOLDS).collect();
        let is_held = |value: &Observation| held.contains(&(value.candidate, value.measurer));
        let fitted: Vec<Observation> = all.iter().copied().filter(|value| !is_held(value)).collect();
        let model = Effects::fit(&fitted);
        for group in &held {
            let own = &groups[group];
            let at = own[own.len() / 2];
            let others = settings[&all[at].setting].iter().map(|other| all[*other]);
            let anchors: Vec<Observation> =
                others.filter(|other| !is_held(other) && other.candidate != group.0).collect();
            let Some(predicted) = model.predict(&all[at], &anchors) else { continue };
            let error = all[at].value - predicted.log;
            let pairs = measurers[&group.0].len() - 1;
            left.push(LeftOut { at, error, half: predicted.half, pairs, by_peaks: None, by_nearest: None });
        }
    }
    left
}

fn quantile(values: impl Iterator<Item = f64>, share: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    sorted.get((last as f64 * share).round() as usize).copied()
}

/// One line of a table.
fn line(name: &str, left: &[&LeftOut]) -> String {
    let factor = |of: &dyn Fn(&LeftOut) -> Option<f64>, share| {
        quantile(left.iter().filter_map(|one| of(one)), share).map(f64::exp)
    };
    let error = |one: &LeftOut| Some(one.error.abs());
    let (Some(median), Some(most)) = (factor(&error, 0.5), factor(&error, 0.9)) else {
        return format!("| {name} | 0 |");
    };
    let held = left.iter().filter(|one| one.error.abs() <= one.half).count() as f64 / left.len() as f64;
    let half = factor(&|one| Some(one.half), 0.5).unwrap_or(1.0);
    let rival = |of: &dyn Fn(&LeftOut) -> Option<f64>| {
        let far = |one: &LeftOut| of(one).map(f64::abs);
        let many = left.iter().filter(|one| far(one).is_some()).count();
        match (factor(&far, 0.5), factor(&far, 0.9)) {
            (Some(median), Some(most)) if many >= 5 => format!("{median:.2}, {most:.2} (n {many})"),
            _ => "–".to_owned(),
        }
    };
    format!(
        "| {name} | {} | {median:.3} | {most:.2} | {:.1} % | ×{half:.2} | {} | {} |",
        left.len(),
        100.0 * held,
        rival(&|one| one.by_peaks),
        rival(&|one| one.by_nearest),
    )
}

/// Prints the tables of one kind of candidate and returns the values that were left out.
fn report(field: Field, all: &ComparableValues, rows: &Rows<'_>) -> Vec<LeftOut> {
    let values = &all.values;
    let left = leave_out(values, rows, LEFT_OUT, false);
    let few = leave_out(values, rows, LEFT_OUT_OF_FEW, true);
    let model = Effects::fit(values);
    println!("## Candidates: {}\n", field.key());
    println!("{} values in settings of two or more; {}\n\n{HEAD}", values.len(), model.variances());
    let shown = |name: &str, left: &[LeftOut], is: &dyn Fn(&LeftOut) -> bool| {
        println!("{}", line(name, &left.iter().filter(|one| is(one)).collect::<Vec<_>>()));
    };
    let is_training = |one: &LeftOut| rows.text(one.at, Field::Stage) == "train";
    shown("everything", &left, &|_| true);
    shown("training", &left, &is_training);
    shown("image classification, training", &left, &|one| {
        is_training(one) && rows.task(one.at) == "image-classification"
    });
    shown("text generation", &left, &|one| rows.task(one.at) == "text-generation");
    shown("both rivals apply", &left, &|one| one.by_peaks.is_some() && one.by_nearest.is_some());
    println!(
        "\nBy the pairs of the candidate that are left for the fit; the first three leave out pairs of candidates with few alone.\n\n{HEAD}"
    );
    for (name, pairs) in [("1 pair", 0..=1), ("2 to 4", 2..=4), ("5 to 19", 5..=19)] {
        shown(name, &few, &|one| pairs.contains(&one.pairs));
    }
    shown("20 or more", &left, &|one| one.pairs >= 20);
    let of_measurers = leave_measurer_out(values);
    println!("\nEverything that one measurer measured of a candidate left out, by the number of others.\n\n{HEAD}");
    shown("all", &of_measurers, &|_| true);
    for (name, others) in [("1 other measurer", 1..=1), ("2 to 4", 2..=4), ("5 or more", 5..=usize::MAX)] {
        shown(name, &of_measurers, &|one| others.contains(&one.pairs));
    }
    let outside = left.iter().filter(|one| one.error.abs() > one.half).count();
    let far = left.iter().filter(|one| one.error.abs() > FAR.ln()).count();
    println!(
        "\n{outside} of {} are outside their interval, {far} off by more than {FAR} times. The farthest:\n",
        left.len()
    );
    println!(
        "| candidate | network, stage, precision, framework | measurer | measured over predicted | interval | measurement |\n|---|---|---|---|---|---|"
    );
    let mut worst: Vec<&LeftOut> = left.iter().collect();
    worst.sort_by(|a, b| b.error.abs().total_cmp(&a.error.abs()));
    for one in worst.iter().take(MOST_LISTED) {
        let value = &values[one.at];
        let setting = [Field::Network, Field::Stage, Field::Precision, Field::Framework];
        println!(
            "| {} | {} | {} | {:.2} | ×{:.2} | {} |",
            all.candidates[value.candidate as usize],
            setting.map(|field| rows.text(one.at, field)).join(", "),
            all.measurers[value.measurer as usize],
            one.error.exp(),
            one.half.exp(),
            all.measurements[one.at].id(),
        );
    }
    println!();
    left
}
