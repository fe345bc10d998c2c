//! Fairness: what must be refused, split or said, on the real base, case by case (`fair.tsv`).
//!
//! A line is a question that mixes things which must not be compared, put to a comparison, a figure or a query. Beside
//! what its line demands, every table and figure is held against the rule of this file, which knows nothing of the program's:
//! who is marked as the best, and what stands in one panel, is alike in every field of [`ALIKE`] that nobody sees.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use dlbench::KnowledgeBase;
use dlbench::ask::FigureError;
use dlbench::ask::compare::{CompareRequest, Pivot, PivotAxis, measure_called};
use dlbench::ask::plot::{Figure, FigureKind, PlotError, PlotPick, PlotRequest};
use dlbench::model::{Aspect, Field, Measurement, Metric};

use crate::{REPOSITORY, shared_cache};

const CASES: &str = include_str!("fair.tsv");

/// The cases of the issue.
const ALL: usize = 45;

/// What numbers that are set against each other must have in common, each with the fields that show it where it is seen.
const ALIKE: &[(Field, &[Field])] = &[
    (Field::Network, &[]),
    (Field::Stage, &[]),
    (Field::Scenario, &[]),
    (Field::Division, &[]),
    (Field::AccuracyTarget, &[]),
    (Field::RelativeAccuracyTarget, &[Field::AccuracyTarget]),
    (Field::Component, &[]),
    (Field::DeviceSlice, &[]),
    (Field::Counts, &[]),
    (Field::InputLength, &[]),
    (Field::OutputLength, &[]),
    (Field::Device, &[]),
    (Field::DeviceCount, &[]),
    (Field::Precision, &[]),
    (Field::Quantization, &[Field::Precision]),
    (Field::WeightFormat, &[Field::Precision]),
    (Field::BatchSize, &[]),
    (Field::Concurrency, &[]),
    (Field::Framework, &[]),
    (Field::FrameworkVersion, &[Field::Framework]),
];

/// A line of the table.
struct Case<'c> {
    number: usize,
    face: &'c str,
    question: &'c str,
    options: BTreeMap<&'c str, &'c str>,
    must: &'c str,
}

impl<'c> Case<'c> {
    fn of(line: &'c str) -> Self {
        let [number, face, question, options, must, _why] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("six columns: {line}")
        };
        let options = options.split_whitespace().map(|option| option.split_once('=').expect("key=value")).collect();
        Self { number: number.parse().expect("a number"), face, question, options, must }
    }

    fn aspects(&self, key: &str) -> Vec<Aspect> {
        let names = self.options.get(key).copied().unwrap_or_default().split(',').filter(|name| !name.is_empty());
        names.map(|name| Aspect::called(name).unwrap_or_else(|error| panic!("{error}"))).collect()
    }

    /// What the options show of each measurement.
    fn seen(&self) -> Vec<Field> {
        let keys = ["rows", "cols", "x", "group", "facet", "label"];
        let aspects = keys.into_iter().flat_map(|key| self.aspects(key));
        aspects.filter_map(|aspect| if let Aspect::Field(field) = aspect { Some(field) } else { None }).collect()
    }
}

#[test]
fn what_cannot_be_compared_is_refused_split_or_said() {
    let kb = KnowledgeBase::open_with_cache(Path::new(REPOSITORY), shared_cache()).expect("the real knowledge base");
    let mut wrong = String::new();
    let mut numbers = BTreeSet::new();
    for case in CASES.lines().skip(1).map(Case::of) {
        numbers.insert(case.number);
        let mistakes = match case.face {
            "compare" => compared(&kb, &case),
            "plot" => plotted(&kb, &case),
            "query" => asked(&kb, &case),
            other => panic!("no face is called {other}"),
        };
        for mistake in mistakes {
            let _ = writeln!(wrong, "{} {} {:?} {:?}: {mistake}", case.number, case.face, case.question, case.options);
        }
    }
    assert_eq!(numbers, (1..=ALL).collect(), "every case of the issue");
    assert!(wrong.is_empty(), "{wrong}");
}

/// The words of a demand, and those of them that a text lacks.
fn lacking(must: &str, text: &str) -> Vec<String> {
    let wanted = must.split(';').map(str::trim).filter_map(|part| part.strip_prefix("says "));
    let lacks = |one: &&str| !one.split('|').any(|word| text.to_lowercase().contains(&word.to_lowercase()));
    wanted.filter(lacks).map(|words| format!("does not say {words:?}: {text}")).collect()
}

fn demands(must: &str, word: &str) -> bool {
    must.split(';').any(|part| part.trim() == word)
}

fn compared(kb: &KnowledgeBase, case: &Case<'_>) -> Vec<String> {
    let axes = |key: &str| case.aspects(key).into_iter().map(PivotAxis::Aspect).collect();
    let metrics = case.options.get("metric").copied().unwrap_or_default().split(',').filter(|name| !name.is_empty());
    let request = CompareRequest {
        rows: axes("rows"),
        columns: axes("cols"),
        measures: metrics.map(|name| measure_called(name).expect("a measure")).collect(),
        ..CompareRequest::default()
    };
    let found = match kb.compare(case.question, &request) {
        Ok(found) => found.pivot,
        Err(error) => return vec![format!("fails: {error}")],
    };
    let mut said: Vec<String> = found.notes.iter().map(|note| note.text.clone()).collect();
    said.extend(found.shared.iter().map(|(key, value)| format!("{key} {value}")));
    let labels = found.rows.iter().map(|row| &row.labels).chain(found.columns.iter().map(|column| &column.labels));
    said.extend(labels.flatten().map(|label| label.name.clone()));
    said.extend(found.columns.iter().map(|column| column.heading.clone()));
    let outcomes = found.cells.iter().flatten().flatten().filter_map(|cell| cell.outcome.clone());
    said.extend(outcomes.map(|outcome| format!("outcome {outcome}")));
    let mut wrong = lacking(case.must, &said.join(" | "));
    let marked = found.cells.iter().flatten().flatten().filter(|cell| cell.best).count();
    if demands(case.must, "no best") && marked > 0 {
        wrong.push(format!("{marked} values are marked as the best"));
    }
    if found.cells.iter().flatten().flatten().next().is_none() {
        wrong.push("finds nothing".to_owned());
    }
    wrong.extend(unfair_marks(kb, &found, &case.seen()));
    wrong
}

/// Marks that a reader could not check: beside a better value that no label tells apart, or ranked with nothing that is alike.
fn unfair_marks(kb: &KnowledgeBase, found: &Pivot, seen: &[Field]) -> Vec<String> {
    let mut wrong = Vec::new();
    let by_column = found.along == "column";
    let lines = if by_column { found.columns.len() } else { found.rows.len() };
    for line in 0..lines {
        let cells = found.cells.iter().enumerate().flat_map(|(row, cells)| {
            cells.iter().enumerate().filter_map(move |(column, cell)| Some((row, column, cell.as_deref()?)))
        });
        let cells: Vec<_> =
            cells.filter(|(row, column, _)| if by_column { *column == line } else { *row == line }).collect();
        let best: Vec<_> = cells.iter().filter(|(.., cell)| cell.best).collect();
        for (.., cell) in &best {
            let own = measurement(kb, &cell.id);
            let ranked: Vec<Measurement> = cells
                .iter()
                .filter(|(.., other)| other.rank.is_some() && other.id != cell.id)
                .map(|(.., other)| measurement(kb, &other.id))
                .collect();
            if !ranked.iter().any(|other| unlike(&own, other, seen).is_empty()) {
                let why: Vec<_> = ranked.iter().map(|other| unlike(&own, other, seen)).collect();
                wrong.push(format!("{} is marked, and nothing ranked is like it: {why:?}", cell.id));
            }
        }
    }
    wrong
}

fn measurement(kb: &KnowledgeBase, id: &str) -> Measurement {
    kb.measurement(id).expect("the database").unwrap_or_else(|| panic!("no measurement {id}"))
}

/// In what two measurements differ that nobody sees; what one does not state it may differ in.
fn unlike(one: &Measurement, other: &Measurement, seen: &[Field]) -> Vec<&'static str> {
    let differs = |(field, _): &&(Field, &[Field])| {
        let text = |row: &Measurement| row.get(*field).map(ToString::to_string);
        text(one) != text(other)
    };
    let hidden = ALIKE
        .iter()
        .filter(|(field, shown_by)| !seen.contains(field) && !shown_by.iter().any(|shown| seen.contains(shown)));
    hidden.filter(differs).map(|(field, _)| field.key()).collect()
}

fn plotted(kb: &KnowledgeBase, case: &Case<'_>) -> Vec<String> {
    let one = |key: &str| case.aspects(key).first().copied();
    let request = PlotRequest {
        kind: case.options.get("kind").map(|kind| kind.parse().expect("a shape")),
        x: one("x"),
        y: one("y"),
        group: case.aspects("group"),
        facet: case.aspects("facet"),
        label: case.aspects("label"),
        pick: case.options.get("pick").map(|pick| pick.parse().expect("a rule")),
        ..PlotRequest::default()
    };
    let wanted = case.must.split(';').map(str::trim).find_map(|part| part.strip_prefix("refused "));
    match (kb.figure(case.question, &request), wanted) {
        (Ok(figure), None) => {
            let mut wrong = lacking(case.must, &figure.notes.join(" | "));
            wrong.extend(unlike_marks(kb, &figure, &case.seen()));
            wrong
        }
        (Ok(figure), Some(fields)) => vec![format!("is drawn, and should be refused for {fields}: {:?}", figure.notes)],
        (Err(FigureError::Plot(PlotError::Refused { message, help, apart })), Some(fields)) => {
            let apart: Vec<&str> = apart.iter().map(|criterion| criterion.key()).collect();
            let missing = fields.split(',').filter(|field| !apart.contains(field) && !message.contains(field));
            let mut wrong: Vec<String> =
                missing.map(|field| format!("refused, but not for {field}: {message}")).collect();
            wrong.extend(untrue_advice(kb, case.question, &request, &help));
            wrong
        }
        (Err(error), None) => {
            let help = if let FigureError::Plot(PlotError::Refused { help, .. }) = &error { help.as_str() } else { "" };
            vec![format!("is not drawn: {error} ({help})")]
        }
        (Err(error), Some(_)) => vec![format!("fails otherwise: {error}")],
    }
}

/// Advice that does not help when it is followed.
fn untrue_advice(kb: &KnowledgeBase, question: &str, request: &PlotRequest, help: &str) -> Vec<String> {
    let picked = |request: &PlotRequest| PlotRequest { pick: request.pick.or(Some(PlotPick::Best)), ..request.clone() };
    let aspects = |names: &str| names.split(',').map(|name| Aspect::called(name).expect("a field")).collect::<Vec<_>>();
    let behind = |mark: &str| {
        help.split_once(mark)
            .map(|(_, rest)| rest.split(&[' ', ';'][..]).next().unwrap_or_default().trim_end_matches(','))
    };
    let mut tries: Vec<(String, PlotRequest)> = Vec::new();
    if let Some(facets) = behind("--facet ") {
        tries.push((question.to_owned(), PlotRequest { facet: aspects(facets), ..request.clone() }));
    }
    if let Some(groups) = behind("--group ") {
        tries.push((question.to_owned(), PlotRequest { group: aspects(groups), ..request.clone() }));
    }
    if let Some((_, rest)) = help.split_once("for instance ") {
        let filters = rest.split(", or ").next().unwrap_or_default();
        let filters = filters.split(" or name a rule").next().unwrap_or_default();
        tries.push(match filters.split_once(" with --pick best") {
            Some((filters, _)) => (format!("({question}) {filters}"), picked(request)),
            None => (format!("({question}) {filters}"), request.clone()),
        });
    }
    if tries.is_empty() {
        return vec![format!("gives no advice: {help:?}")];
    }
    let failed = tries.into_iter().filter_map(|(question, request)| {
        let error = kb.figure(&question, &request).err()?;
        Some(format!("advice {help:?} does not help: {error}"))
    });
    failed.collect()
}

/// Marks of one panel that differ in what nobody sees.
fn unlike_marks(kb: &KnowledgeBase, figure: &Figure, seen: &[Field]) -> Vec<String> {
    if matches!(figure.kind, FigureKind::Heatmap | FigureKind::Roofline) {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    for panel in &figure.panels {
        let ids = panel.series.iter().flat_map(|series| &series.points).filter(|point| !point.id.is_empty());
        let rows: Vec<Measurement> = ids.map(|point| measurement(kb, &point.id)).collect();
        let differing: BTreeSet<&str> = rows.iter().skip(1).flat_map(|row| unlike(&rows[0], row, seen)).collect();
        if !differing.is_empty() {
            wrong.push(format!("panel {:?} has marks that differ in {differing:?}", panel.title));
        }
    }
    wrong
}

fn asked(kb: &KnowledgeBase, case: &Case<'_>) -> Vec<String> {
    let answer = match kb.query(case.question) {
        Ok(answer) => answer,
        Err(error) => return vec![format!("fails: {error}")],
    };
    let mut said = vec![answer.conclusion.text.clone()];
    said.extend(answer.notes.iter().map(ToString::to_string));
    let mut wrong = lacking(case.must, &said.join(" | "));
    // A best value is the best of rows that are alike, however many others stand above it.
    let seen = [Field::Device, Field::Framework, Field::FrameworkVersion];
    for metric in [Metric::ThroughputPerS, Metric::LatencyMs] {
        for best in answer.measurements.iter().filter(|row| row.is_best(metric)) {
            let others =
                answer.measurements.iter().filter(|other| other.id() != best.id() && other.metric(metric).is_some());
            let alike = others.filter(|other| unlike(best.recorded(), other.recorded(), &seen).is_empty()).count();
            if alike == 0 && answer.total <= answer.measurements.len() {
                wrong.push(format!("{} is marked as the best among none", best.id()));
            }
        }
    }
    wrong
}
