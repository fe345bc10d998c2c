//! Fairness: what must be refused, split or said, on the real base, case by case (`cases.tsv`).
//!
//! A line is a question that mixes things which must not be compared, put to a query, a comparison, a figure or a table of the
//! catalog. Beside what its line demands, every answer, table and figure is held against the rule of this file, which knows
//! nothing of the program's: who is marked as the best, what is set against each other, and what stands in one panel, is alike
//! in every field of [`ALIKE`] that nobody sees.

mod answers;
mod compare;
mod plot;
mod query;
mod table;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::rc::Rc;

use dlbench::model::{Aspect, Field, Measurement};

use crate::real_kb::{OpenBase, knowledge_base};

const CASES: &str = include_str!("cases.tsv");

/// What each case is put to.
const FACES: [&str; 4] = ["query", "compare", "plot", "table"];

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

/// The knowledge base, with what was read of it: cases share their rows.
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

#[test]
#[ignore = "holds the answers from before the engine of ask/parse and ask/execute: to be rewritten for it"]
fn what_cannot_be_compared_is_refused_split_or_said() {
    let base = Base { kb: knowledge_base(), rows: RefCell::default() };
    let mut wrong = String::new();
    let mut put: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for case in CASES.lines().skip(1).map(Case::of) {
        put.entry(case.face).or_default().insert(case.number);
        let mistakes = match case.face {
            "compare" => compare::mistakes(&base, &case),
            "plot" => plot::mistakes(&base, &case),
            "query" => query::mistakes(&base, &case),
            "table" => table::mistakes(&base, &case),
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
