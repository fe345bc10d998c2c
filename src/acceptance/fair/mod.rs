//! Fairness: what must be refused, split or pointed out, tested on the real knowledge base case by case (`cases.tsv`).
//!
//! Each line is a question that mixes things which must not be compared, given to a query, a comparison, a figure or a catalog
//! table. Besides its own demands, every answer, table and figure is checked against this file's rule, which is independent of
//! the program's: rows marked as best, rows compared with each other and rows in one panel must agree in every field of [`ALIKE`]
//! that is not visible.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::rc::Rc;

use dlbench::ask::FigureError;
use dlbench::ask::answer::{Answer, Page};
use dlbench::ask::compare::{CompareRequest, Pivot, PivotAxis, measure_called};
use dlbench::ask::execute::Entry;
use dlbench::ask::parse::Ask;
use dlbench::ask::plot::{Figure, FigureKind, PlotError, PlotRequest, Remedy};
use dlbench::ask::tables::{CatalogTable, TableRequest};
use dlbench::model::{Aspect, Direction, Field, Measurement, Metric};
use dlbench::render::answer;
use dlbench::render::answer::AnswerView;
use dlbench::rows::JoinedRow;

use crate::real_kb::{OpenBase, knowledge_base};

const CASES: &str = include_str!("cases.tsv");

/// The commands that cases are given to.
const FACES: [&str; 4] = ["query", "compare", "plot", "table"];

/// Number of cases.
const ALL: usize = 45;

/// The fields that compared numbers must share; each with other fields that show the same difference when visible.
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
    (Field::InputShape, &[]),
    (Field::SequenceLength, &[]),
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

/// A line of `cases.tsv`.
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

    /// The fields of each measurement that the options make visible.
    fn seen(&self) -> Vec<Field> {
        let keys = ["rows", "cols", "x", "group", "facet", "label"];
        let aspects = keys.into_iter().flat_map(|key| self.aspects(key));
        aspects.filter_map(|aspect| if let Aspect::Field(field) = aspect { Some(field) } else { None }).collect()
    }
}

/// The knowledge base, and a cache of the rows read from it: cases share rows.
struct Base {
    kb: OpenBase,
    rows: RefCell<HashMap<String, Rc<Measurement>>>,
}

impl Base {
    fn measurement(&self, id: &str) -> Rc<Measurement> {
        if let Some(row) = self.rows.borrow().get(id) {
            return Rc::clone(row);
        }
        let row = self.kb.measurement(id).expect("the database").unwrap_or_else(|| panic!("no measurement {id}"));
        let row = Rc::new(row);
        self.rows.borrow_mut().insert(id.to_owned(), Rc::clone(&row));
        row
    }
}

/// Maximum number of unmet demands: words missing from the page, three marks and the advice of three plots. Only lower it.
const MOST_UNMET: usize = 16;

#[test]
fn what_cannot_be_compared_is_refused_split_or_said() {
    let base = Base { kb: knowledge_base(), rows: RefCell::default() };
    let mut wrong = String::new();
    let mut put: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for case in CASES.lines().skip(1).map(Case::of) {
        put.entry(case.face).or_default().insert(case.number);
        let mistakes = match case.face {
            "compare" => compare_mistakes(&base, &case),
            "plot" => plot_mistakes(&base, &case),
            "query" => query_mistakes(&base, &case),
            "table" => mistakes(&base, &case),
            other => panic!("no face is called {other}"),
        };
        for mistake in mistakes {
            let _ = writeln!(wrong, "{} {} {:?} {:?}: {mistake}", case.number, case.face, case.question, case.options);
        }
    }
    for face in FACES {
        let missing: Vec<usize> = (1..=ALL).filter(|number| !put[face].contains(number)).collect();
        assert!(missing.is_empty(), "{face} lacks the cases {missing:?}");
    }
    let count = wrong.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count();
    assert!(count <= MOST_UNMET, "{count} demands are not held, {MOST_UNMET} were:\n{wrong}");
}

/// The words demanded by `must` that the text lacks, as error messages.
fn lacking(must: &str, text: &str) -> Vec<String> {
    let wanted = must.split(';').map(str::trim).filter_map(|part| part.strip_prefix("says "));
    let lacks = |one: &&str| !one.split('|').any(|word| text.to_lowercase().contains(&word.to_lowercase()));
    wanted.filter(lacks).map(|words| format!("does not say {words:?}: {text}")).collect()
}

fn demands(must: &str, word: &str) -> bool {
    must.split(';').any(|part| part.trim() == word)
}

/// The fields in which two measurements differ without the reader seeing it; a field stated by only one counts as different.
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

/// The answer as a person gets it, and its page at 100 columns.
fn asked(question: &str) -> (Answer, String) {
    let kb = knowledge_base();
    let view = AnswerView { page: Page::for_person(0), ..AnswerView::default() };
    let found = kb.query_page(question, &view.page).unwrap_or_else(|error| panic!("{question}: {error}"));
    let page = answer::text(&found, &view, 100);
    (found, page)
}

/// The distinct values of a field in the rows of an answer.
fn stated(answer: &Answer, field: Field) -> BTreeSet<Option<String>> {
    answer.measurements.iter().map(|row| row.recorded().get(field).map(ToString::to_string)).collect()
}

#[test]
fn none_is_the_best_of_rows_that_are_not_comparable() {
    for question in [
        "llama 3.1 8b h200 tensorrt-llm-2025",
        "deepbench recurrent layers on the p100",
        "strix halo llama 2 7b prefill speeds",
    ] {
        let text = asked(question).0.conclusion.text;
        assert!(!text.contains("best"), "{question}: {text}");
    }
    // Different targets and divisions get separate ranges.
    for (question, own) in [
        ("time to accuracy of ssd with 8 v100", "target 0.212"),
        ("mlperf-inference-v3.0 bert-large offline on the a100-pcie-80gb", "closed"),
    ] {
        let text = asked(question).0.conclusion.text;
        assert!(text.contains(own) && text.contains("more setting"), "{question}: {text}");
    }
}

#[test]
fn a_ranking_is_of_one_part_of_a_network_and_names_it() {
    for question in ["whisper small en on snapdragon 8 elite, best latency", "stable diffusion v1.5 snapdragon fastest"]
    {
        let conclusion = asked(question).0.conclusion;
        let part = |entry: &Entry| entry.under.get(Field::Component.key()).cloned().flatten();
        let parts: Vec<_> = conclusion.entries.iter().map(part).collect();
        let [Some(first), ..] = parts.as_slice() else { panic!("{question}: {parts:?}") };
        // Factors cover several settings, of which the part is one; single values must all be of one part.
        let is_one = parts.iter().all(|part| part.as_ref() == Some(first));
        assert!(is_one || conclusion.entries[0].rank.is_some(), "{question}: {parts:?}");
        assert!(conclusion.text.contains(&first.to_string()), "{question}: {}", conclusion.text);
    }
}

#[test]
fn a_ratio_says_what_its_sides_do_not_state_and_what_they_are() {
    for (question, said) in [
        ("how much faster is the b200 than the h200 in resnet50 training by lambdal-2025", &["batch not stated"][..]),
        ("dlrm-v2 h100 or rtx 4090, which one is faster", &["no such row of GeForce RTX 4090"]),
    ] {
        let answer = asked(question).0;
        let remarks = answer.remarks.iter().map(|remark| remark.text.as_str());
        let text = [answer.conclusion.text.as_str()].into_iter().chain(remarks).collect::<Vec<_>>().join(" ");
        assert!(said.iter().all(|said| text.contains(said)), "{question}: {text}");
    }
}

#[test]
fn what_tells_rows_apart_has_a_column() {
    for (question, columns) in [
        ("strix halo llama 2 7b prefill speeds", &["input-length", "timed"][..]),
        ("gpt-fast llama-2-7b single a100", &["quantization", "weights"]),
        ("training tokens per second of mpt-13b on 8 a100", &["tokens/s", "per", "device"]),
        ("a30 mig bert offline", &["slice", "accuracy target"]),
        ("l4 resnet50 mlperf-inference-v3.0 one device offline", &["division", "availability"]),
    ] {
        let (answer, page) = asked(question);
        let has = |line: &&str| columns.iter().all(|column| line.contains(column));
        // A heading of several words may be spread over several lines.
        let joined = page.replace('\n', " ");
        assert!(page.lines().any(|line| has(&line)) || has(&joined.as_str()), "{question}: {page}");
        assert!(answer.measurements.len() > 1, "{question}: {page}");
    }
    let page = asked("vgg16 k80 tensorflow-docs-2026 8 devices").1;
    assert!(page.contains("\nsynthetic data\n") && !page.contains("data set not stated"), "{page}");
    let page = asked("fp32 training of resnet50 on a100").1;
    assert!(page.contains("fp32¶") && page.replace('\n', " ").contains("does not say which of the two ran"), "{page}");
}

#[test]
fn words_of_a_benchmarks_rules_are_read_as_what_rows_state() {
    for (question, field, value) in [
        ("mlperf-inference-v4.0 preview bert", Field::Availability, "preview"),
        ("open results of mlperf-inference-v3.0 for bert on qualcomm", Field::Division, "open"),
        ("closed mlperf-inference-v3.0 resnet50 on l4", Field::Division, "closed"),
        ("resnet152 k80 tensorflow-docs-2026 synthetic data", Field::Data, "synthetic"),
    ] {
        let (answer, page) = asked(question);
        assert!(answer.read_as.iter().any(|read| read.facet == field.key() && read.values == [value]), "{page}");
        assert_eq!(stated(&answer, field), BTreeSet::from([Some(value.to_owned())]), "{question}: {page}");
        assert!(answer.unread.is_empty(), "{question}: {:?}", answer.unread);
    }
    // In another context, `open` is an ordinary word.
    let read = asked("open source frameworks").0.read_as;
    assert!(read.iter().all(|read| read.facet != Field::Division.key()), "{read:?}");
}

fn mistakes(base: &Base, case: &Case<'_>) -> Vec<String> {
    let table: CatalogTable = case.options.get("table").expect("a table").parse().expect("a table");
    let columns = case.options.get("columns").copied().unwrap_or_default().split(',').filter(|name| !name.is_empty());
    let request = TableRequest {
        table,
        filter: case.question.to_owned(),
        as_reported: None,
        columns: columns.map(str::to_owned).collect(),
        sort: None,
        evidence: false,
        sources: case.options.get("sources") == Some(&"yes"),
    };
    let found = match request.kind().map(|kind| base.kb.entities(kind, case.question)).transpose() {
        Ok(found) => found,
        // An error is right if it says that no row states a value.
        Err(error)
            if case.must.split(',').any(|part| error.to_string().contains(part.trim_start_matches("refused "))) =>
        {
            return Vec::new();
        }
        Err(error) => return vec![format!("fails: {error}")],
    };
    let built = match base.kb.table(&request, found.as_ref()) {
        Ok(built) => built,
        Err(error) => return vec![format!("fails: {error}")],
    };
    let rows = &built.grid.rows;
    let refused = case.must.split(';').map(str::trim).filter_map(|part| part.strip_prefix("refused "));
    let unmet = found.as_ref().map(|found| found.unmet.join(" ")).unwrap_or_default();
    let mut wrong = Vec::new();
    for words in refused {
        if !rows.is_empty() {
            wrong.push(format!("shows {} rows, and should be refused for {words}", rows.len()));
        }
        let missing = words.split(',').filter(|word| !unmet.contains(word));
        wrong.extend(missing.map(|word| format!("refused, but not for {word}: {unmet:?}")));
    }
    let said: Vec<String> = built.grid.columns.iter().map(|column| column.heading.clone()).collect();
    let said = said.into_iter().chain(rows.iter().map(|row| row.join(" | "))).chain(built.notes.iter().cloned());
    wrong.extend(lacking(case.must, &said.collect::<Vec<_>>().join("\n")));
    // Entities with the same name could not be told apart.
    let names: Vec<&String> = rows.iter().map(|row| &row[0]).collect();
    let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
    wrong.extend(twice.map(|(_, name)| format!("two rows are called {name}")));
    wrong
}

fn compare_mistakes(base: &Base, case: &Case<'_>) -> Vec<String> {
    let axes = |key: &str| case.aspects(key).into_iter().map(PivotAxis::Aspect).collect();
    let metrics = case.options.get("metric").copied().unwrap_or_default().split(',').filter(|name| !name.is_empty());
    let request = CompareRequest {
        rows: axes("rows"),
        columns: axes("cols"),
        measures: metrics.map(|name| measure_called(name).expect("a measure")).collect(),
        ..CompareRequest::default()
    };
    let found = match base.kb.compare(case.question, &request) {
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
    wrong.extend(unfair_marks(base, &found, &case.seen()));
    wrong
}

/// Marks that a reader cannot verify: a better value with the same labels is next to it, or nothing comparable is ranked with it.
fn unfair_marks(base: &Base, found: &Pivot, seen: &[Field]) -> Vec<String> {
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
            let own = base.measurement(&cell.id);
            let ranked: Vec<Rc<Measurement>> = cells
                .iter()
                .filter(|(.., other)| other.rank.is_some() && other.id != cell.id)
                .map(|(.., other)| base.measurement(&other.id))
                .collect();
            if !ranked.iter().any(|other| unlike(&own, other, seen).is_empty()) {
                let why: Vec<_> = ranked.iter().map(|other| unlike(&own, other, seen)).collect();
                wrong.push(format!("{} is marked, and nothing ranked is like it: {why:?}", cell.id));
            }
        }
    }
    wrong
}

fn plot_mistakes(base: &Base, case: &Case<'_>) -> Vec<String> {
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
    match (base.kb.figure(case.question, &request), wanted) {
        (Ok(figure), None) => {
            let mut wrong = lacking(case.must, &figure.notes.join(" | "));
            wrong.extend(unlike_marks(base, &figure, &case.seen()));
            wrong
        }
        (Ok(figure), Some(fields)) => vec![format!("is drawn, and should be refused for {fields}: {:?}", figure.notes)],
        (Err(FigureError::Plot(PlotError::Refused { message, remedies, differing })), Some(fields)) => {
            let differing: Vec<&str> = differing.iter().map(|criterion| criterion.key()).collect();
            let missing = fields.split(',').filter(|field| !differing.contains(field) && !message.contains(field));
            let mut wrong: Vec<String> =
                missing.map(|field| format!("refused, but not for {field}: {message}")).collect();
            wrong.extend(untrue_advice(base, case.question, &request, &remedies));
            wrong
        }
        (Err(error), None) => {
            let help = if let FigureError::Plot(refused) = &error { refused.help() } else { String::new() };
            vec![format!("is not drawn: {error} ({help})")]
        }
        (Err(error), Some(_)) => vec![format!("fails otherwise: {error}")],
    }
}

/// Advice that does not help when followed.
fn untrue_advice(base: &Base, question: &str, request: &PlotRequest, remedies: &[Remedy]) -> Vec<String> {
    let tries: Vec<_> =
        remedies.iter().filter_map(|remedy| Some((remedy, remedy.applied(question, request)?))).collect();
    if tries.is_empty() {
        return vec![format!("gives no advice: {remedies:?}")];
    }
    let failed = tries.into_iter().filter_map(|(remedy, (question, request))| {
        let error = base.kb.figure(&question, &request).err()?;
        Some(format!("advice {:?} does not help: {error}", remedy.to_string()))
    });
    failed.collect()
}

/// Panels whose points differ in a field that is not visible.
fn unlike_marks(base: &Base, figure: &Figure, seen: &[Field]) -> Vec<String> {
    if matches!(figure.kind, FigureKind::Heatmap | FigureKind::Roofline) {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    for panel in &figure.panels {
        let ids = panel.series.iter().flat_map(|series| &series.points).filter(|point| !point.id.is_empty());
        let rows: Vec<Rc<Measurement>> = ids.map(|point| base.measurement(&point.id)).collect();
        let differing: BTreeSet<&str> = rows.iter().skip(1).flat_map(|row| unlike(&rows[0], row, seen)).collect();
        if !differing.is_empty() {
            wrong.push(format!("panel {:?} has marks that differ in {differing:?}", panel.title));
        }
    }
    wrong
}

/// A width in columns at which no column is dropped.
const WIDTH: usize = 250;

fn query_mistakes(base: &Base, case: &Case<'_>) -> Vec<String> {
    let view = AnswerView { page: Page::for_person(0), ..AnswerView::default() };
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
    wrong.extend(query_unfair_marks(&found));
    wrong.extend(unfair_pairs(base, &found));
    wrong.extend(unfair_ranks(base, &found));
    wrong
}

/// The metrics in which a row is marked as best.
fn marks(row: &JoinedRow) -> Vec<Metric> {
    row.metrics().map(|(metric, _, _)| metric).filter(|metric| row.is_best(*metric)).collect()
}

/// Rows marked as best although no comparable row exists, or a comparable row is better.
fn query_unfair_marks(answer: &Answer) -> Vec<String> {
    let seen = [Field::Device, Field::Framework, Field::FrameworkVersion];
    let mut wrong = Vec::new();
    for best in &answer.measurements {
        for metric in marks(best) {
            let others = answer.measurements.iter().filter(|other| other.id() != best.id());
            let alike: Vec<f64> = others
                .filter(|other| unlike(best.recorded(), other.recorded(), &seen).is_empty())
                .filter(|other| other.recorded().is_in_good_standing())
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

/// Pairs of a comparison that differ in fields other than those compared.
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

/// Neighbours in a ranking, under the same conditions, that differ in fields other than those ranked.
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

/// Adds the framework version if the framework is visible.
fn with_what_goes_along(seen: &[Field]) -> Vec<Field> {
    let version = seen.contains(&Field::Framework).then_some(Field::FrameworkVersion);
    seen.iter().copied().chain(version).collect()
}
