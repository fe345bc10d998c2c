//! A case put to a query: what the answer says, which rows it marks as the best, and what its conclusion sets against each other.

use std::collections::BTreeSet;
use std::rc::Rc;

use dlbench::ask::answer::{Answer, Page};
use dlbench::ask::parse::Ask;
use dlbench::model::{Direction, Field, Measurement, Metric};
use dlbench::render::answer::{self, AnswerView};
use dlbench::rows::JoinedRow;

use super::{Base, Case, demands, lacking, unlike};

/// Wide enough that no column gives way.
const WIDTH: usize = 250;

pub(super) fn mistakes(base: &Base, case: &Case<'_>) -> Vec<String> {
    let view = AnswerView { page: Page::of_a_person(0), ..AnswerView::default() };
    let found = match base.kb.query_page(case.question, &view.page) {
        Ok(found) => found,
        Err(error) => return vec![format!("fails: {error}")],
    };
    let page = answer::text(&found, &view, WIDTH);
    let mut wrong = lacking(case.must, &page.replace('\n', " "));
    let marked = found.measurements.iter().filter(|row| !marks(row).is_empty()).count();
    if demands(case.must, "no best") && (marked > 0 || found.conclusion.text.contains("best: ")) {
        wrong.push(format!("{marked} rows are marked as the best: {}", found.conclusion.text));
    }
    if found.measurements.is_empty() && found.conclusion.entries.is_empty() {
        wrong.push(format!("finds nothing: {page}"));
    }
    wrong.extend(unfair_marks(&found));
    wrong.extend(unfair_pairs(base, &found));
    wrong.extend(unfair_ranks(base, &found));
    wrong
}

/// The metrics in which a row is marked as the best.
fn marks(row: &JoinedRow) -> Vec<Metric> {
    row.metrics().map(|(metric, _, _)| metric).filter(|metric| row.is_best(*metric)).collect()
}

/// A row that is the best of none that are like it, or that one of them beats.
fn unfair_marks(answer: &Answer) -> Vec<String> {
    let seen = [Field::Device, Field::Framework, Field::FrameworkVersion];
    let mut wrong = Vec::new();
    for best in &answer.measurements {
        for metric in marks(best) {
            let others = answer.measurements.iter().filter(|other| other.id() != best.id());
            let alike: Vec<f64> = others
                .filter(|other| unlike(best.recorded(), other.recorded(), &seen).is_empty())
                .filter(|other| other.recorded().stands())
                .filter_map(|other| Some(other.metric(metric)?.0.value()))
                .collect();
            if alike.is_empty() {
                wrong.push(format!("{} is marked as the best among none", best.id()));
            }
            let own = best.metric(metric).map_or(f64::NAN, |(value, _)| value.value());
            let beats = |other: &&f64| match metric.direction() {
                Direction::Lower => **other < own,
                _ => **other > own,
            };
            if let Some(better) = alike.iter().find(beats) {
                wrong.push(format!("{} is marked as the best with {own}, beside {better}", best.id()));
            }
        }
    }
    wrong
}

/// Pairs of a comparison that differ in what the comparison is not about.
fn unfair_pairs(base: &Base, answer: &Answer) -> Vec<String> {
    let mut wrong = Vec::new();
    for entry in &answer.conclusion.entries {
        let Some(other_side) = &entry.baseline else { continue };
        let seen: Vec<Field> = fields(entry.subjects.keys().chain(other_side.keys()));
        for pair in entry.measurements.chunks_exact(2) {
            let [one, other] = [0, 1].map(|at| base.measurement(&pair[at]));
            let differ = unlike(&one, &other, &with_what_goes_along(&seen));
            if !differ.is_empty() {
                wrong.push(format!("{} is set against {} though they differ in {differ:?}", pair[0], pair[1]));
            }
        }
    }
    wrong
}

/// Neighbours of a ranking, under one frame, that differ in what is not ranked.
fn unfair_ranks(base: &Base, answer: &Answer) -> Vec<String> {
    if answer.ask != Ask::Rank {
        return Vec::new();
    }
    let entries: Vec<_> = answer.conclusion.entries.iter().filter(|entry| !entry.measurements.is_empty()).collect();
    let mut wrong = Vec::new();
    for two in entries.windows(2).filter(|two| two[0].under == two[1].under && two[0].quantity == two[1].quantity) {
        let seen = with_what_goes_along(&fields(two[0].subjects.keys()));
        let [one, other]: [Rc<Measurement>; 2] = [0, 1].map(|at| base.measurement(&two[at].measurements[0]));
        let differ = unlike(&one, &other, &seen);
        if !differ.is_empty() {
            wrong.push(format!("{} is ranked with {} though they differ in {differ:?}", one.id(), other.id()));
        }
    }
    wrong
}

fn fields<'k>(keys: impl Iterator<Item = &'k String>) -> Vec<Field> {
    let keys: BTreeSet<&String> = keys.collect();
    keys.into_iter().filter_map(|key| key.parse().ok()).collect()
}

/// A framework brings its version along.
fn with_what_goes_along(seen: &[Field]) -> Vec<Field> {
    let version = seen.contains(&Field::Framework).then_some(Field::FrameworkVersion);
    seen.iter().copied().chain(version).collect()
}
