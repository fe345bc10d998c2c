//! Questions as people ask them: each must be read as the filters beside it mean, and find what it should.

use dlbench::ask::answer::{Answer, Page};
use dlbench::render::answer::{self, AnswerView};

use crate::real_kb::knowledge_base;
use crate::sentences::lost_words;

/// Questions with their meaning in explicit filters and what they find.
const TABLE: &str = include_str!("questions.tsv");

/// Fewer would be no sample of how people ask.
const LEAST: usize = 150;

#[test]
fn questions_are_read_as_people_mean_them() {
    let kb = knowledge_base();
    let mut asked = 0;
    let (mut wrong, mut unsaid) = (Vec::new(), Vec::new());
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let [question, filters, finds] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a line has three columns: {line:?}");
        };
        asked += 1;
        let answer = kb.query(question).unwrap_or_else(|error| panic!("{question}: {error}"));
        unsaid.extend(lost_words(question, &answer));
        let meant = kb.query(filters).unwrap_or_else(|error| panic!("{filters}: {error}"));
        let ids = |answer: &Answer| answer.measurements.iter().map(|m| m.id().to_owned()).collect::<Vec<_>>();
        let frameworks = |answer: &Answer| {
            answer.catalog.frameworks.iter().map(|joined| joined.framework.id.to_string()).collect::<Vec<_>>()
        };
        let found = match (answer.measurements.is_empty(), answer.catalog.is_empty()) {
            (false, _) => "numbers",
            (true, false) => "facts",
            (true, true) => "nothing",
        };
        let same =
            answer.total == meant.total && ids(&answer) == ids(&meant) && frameworks(&answer) == frameworks(&meant);
        if !same || found != finds {
            let read: Vec<String> = answer
                .read_as
                .iter()
                .map(|read| format!("{}={}:{}", read.text, read.facet, read.values.join(",")))
                .collect();
            wrong.push(format!(
                "{question}: {found} ({}), expected {finds} ({}); read {}",
                answer.total,
                meant.total,
                read.join(" · ")
            ));
        }
    }
    println!("questions read as meant: {} of {asked}", asked - wrong.len());
    assert!(asked >= LEAST, "only {asked} questions");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(unsaid.is_empty(), "words of which nothing was made and nothing is said: {unsaid:#?}");
}

#[test]
fn the_structured_equivalent_gives_the_same_answer() {
    let kb = knowledge_base();
    let mut wrong = Vec::new();
    for question in TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split('\t').next()) {
        let answer = kb.query(question).unwrap_or_else(|error| panic!("{question}: {error}"));
        match kb.query(&answer.equivalent) {
            Ok(again) => {
                let ids = |answer: &Answer| answer.measurements.iter().map(|m| m.id().to_owned()).collect::<Vec<_>>();
                if answer.total != again.total || ids(&answer) != ids(&again) || answer.catalog != again.catalog {
                    wrong.push(format!("{question}: {} but {} of {}", answer.total, again.total, answer.equivalent));
                }
                if again.equivalent != answer.equivalent {
                    wrong.push(format!("{question}: {} becomes {}", answer.equivalent, again.equivalent));
                }
            }
            Err(error) => wrong.push(format!("{question}: {error} in {}", answer.equivalent)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Half of the answers on our own questions are no longer than this at 100 columns; shorter ones may lower it.
const MEDIAN_LINES: usize = 30;
/// The conclusion, which comes first, is no longer than this.
const LINES_OF_CONCLUSION: usize = 12;

#[test]
fn half_of_the_answers_fit_a_screen_and_each_begins_with_what_it_comes_to() {
    let kb = knowledge_base();
    let view = AnswerView { page: Page::of_a_person(0), ..AnswerView::default() };
    let mut lengths = Vec::new();
    for question in TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split('\t').next()) {
        let found = kb.query_page(question, &view.page).unwrap_or_else(|error| panic!("{question}: {error}"));
        let text = answer::text(&found, &view, 100);
        lengths.push(text.lines().count());
        let first = answer::conclusion_text(&found, 100).lines().count();
        assert!(first <= LINES_OF_CONCLUSION, "{question}: the conclusion has {first} lines\n{text}");
    }
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    println!("lines of an answer: {median} in the median, {} at most", lengths[lengths.len() - 1]);
    assert!(median <= MEDIAN_LINES, "half of the answers have more than {median} lines");
}
