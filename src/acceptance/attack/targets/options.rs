//! Arbitrary options of comparisons and figures, with arbitrary questions: the result is a table, a figure or an error.

use dlbench::ask::compare::{Along, ComparePick, CompareRequest, MeanPolicy, PivotAxis, Ratio};
use dlbench::ask::plot::{AxisOptions, AxisScale, CategoryOrder, FigureKind, PlotPick, PlotRequest};
use dlbench::comparability::Criterion;
use dlbench::model::{Aspect, Measure, Metric};
use dlbench::render::figure::{self, FigureStyle, Theme};
use fastrand::Rng;
use strum::VariantArray;

use super::{Target, Verdict, bytes, refused};
use crate::attack::workshop::Workshop;

/// Bytes at the start of an input that choose the options; the rest is the question.
const CHOICE: usize = 8;

const QUESTIONS: &[&str] = &[
    "12345678nova",
    "abcdefghdeepnet fp16",
    "\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}eval",
    "zyxwvutsoom",
    "AbCdEfGh",
    "00000000weave 9 int8 power",
];

pub fn targets() -> Vec<Target> {
    let compare = Target::new("compare options", bytes(QUESTIONS), || {
        let workshop = Workshop::new();
        move |input| compare(&workshop, input)
    });
    let plot = Target::new("plot options", bytes(QUESTIONS), || {
        let workshop = Workshop::new();
        move |input| plot(&workshop, input)
    });
    vec![compare, plot]
}

fn chosen(input: &[u8]) -> (Rng, String) {
    let (choice, question) = input.split_at(CHOICE.min(input.len()));
    let seed = choice.iter().fold(0u64, |seed, byte| seed << 8 | u64::from(*byte));
    (Rng::with_seed(seed), String::from_utf8_lossy(question).chars().take(500).collect())
}

fn one<T: Copy>(all: &[T], rng: &mut Rng) -> T {
    all[rng.usize(..all.len())]
}

fn maybe<T: Copy>(all: &[T], rng: &mut Rng) -> Option<T> {
    rng.bool().then(|| one(all, rng))
}

fn several<T: Copy>(all: &[T], rng: &mut Rng) -> Vec<T> {
    (0..rng.usize(..4)).map(|_| one(all, rng)).collect()
}

fn compare(workshop: &Workshop, input: &[u8]) -> Verdict {
    let (mut rng, question) = chosen(input);
    let aspects: Vec<Aspect> = Aspect::all().collect();
    let axes: Vec<PivotAxis> = aspects.iter().copied().map(PivotAxis::Aspect).chain([PivotAxis::Metric]).collect();
    let measures: Vec<Measure> = Metric::VARIANTS.iter().copied().map(Measure::Metric).collect();
    let criteria: Vec<Criterion> = Criterion::all().collect();
    let request = CompareRequest {
        rows: several(&axes, &mut rng),
        groups: several(&axes, &mut rng),
        columns: several(&axes, &mut rng),
        measures: several(&measures, &mut rng),
        baseline: maybe(&["nova-100", "fp16", "1.2", "\u{1b}[2J", ""], &mut rng).map(str::to_owned),
        relative: maybe(Ratio::VARIANTS, &mut rng),
        pick: one(ComparePick::VARIANTS, &mut rng),
        along: maybe(Along::VARIANTS, &mut rng),
        mean: maybe(MeanPolicy::VARIANTS, &mut rng),
        relaxed: several(&criteria, &mut rng),
        dataset: maybe(&["tiny-pictures", "nothing"], &mut rng).map(str::to_owned),
    };
    match workshop.kb.compare(&question, &request) {
        Ok(compared) => {
            let table = &compared.pivot;
            serde_json::to_string(table).map_err(|error| error.to_string())?;
            let is_whole = table.cells.len() == table.rows.len()
                && table.cells.iter().all(|cells| cells.len() == table.columns.len());
            if is_whole { Ok(true) } else { Err(format!("rows of unequal lengths: {table:?}")) }
        }
        Err(error) => refused(&error),
    }
}

fn plot(workshop: &Workshop, input: &[u8]) -> Verdict {
    let (mut rng, question) = chosen(input);
    let aspects: Vec<Aspect> = Aspect::all().collect();
    let request = PlotRequest {
        kind: maybe(FigureKind::VARIANTS, &mut rng),
        x: maybe(&aspects, &mut rng),
        y: maybe(&aspects, &mut rng),
        group: several(&aspects, &mut rng),
        facet: several(&aspects, &mut rng),
        label: several(&aspects, &mut rng),
        pareto: rng.bool(),
        pick: maybe(PlotPick::VARIANTS, &mut rng),
        order: one(CategoryOrder::VARIANTS, &mut rng),
        narrowed: rng.bool(),
        x_axis: AxisOptions { scale: maybe(AxisScale::VARIANTS, &mut rng), limits: None },
        y_axis: AxisOptions {
            scale: maybe(AxisScale::VARIANTS, &mut rng),
            limits: rng.bool().then_some((0.0, 1000.0)),
        },
    };
    match workshop.kb.figure(&question, &request) {
        Ok(drawn) => {
            let look = FigureStyle { theme: Theme::Light, width_mm: 90.0, plain: rng.bool(), ..FigureStyle::default() };
            let svg = figure::svg(&drawn, &look);
            match svg.contains("NaN") || svg.contains("=\"inf") {
                true => Err(format!("a place that is not a number: {svg}")),
                false => Ok(true),
            }
        }
        Err(error) => refused(&error),
    }
}
