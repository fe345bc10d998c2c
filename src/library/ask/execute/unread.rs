//! Handles words that were not read: some are only reported, others stop the conclusion.

use indexmap::IndexSet;

use super::condition::rows_meeting;
use super::outcome::{MissingWord, Outcome, Remark};
use super::plan::rows_asked;
use crate::ask::parse::{Ask, Filter, How, Is, Key, Question, Result, Span, Term, is_out_of_scope, print_filter};
use crate::stores::Stores;
use crate::stores::resolve::{is_english, nearest_names};

/// Maximum number of similar names suggested for a word.
const NEAR_NAMES: usize = 3;

/// Longer suggestions are dropped: nobody would type them.
pub(in crate::ask) const LONGEST_QUERY: usize = 120;

/// Searches for unknown words in the text of rows, and uses them as a filter if rows that match the rest contain them: `horovod`.
pub(in crate::ask) fn found_in_text(stores: &Stores, mut question: Question) -> Result<Question> {
    if !matches!(question.ask, Ask::Lookup | Ask::Rank | Ask::Compare | Ask::Along | Ask::Overview | Ask::List) {
        return Ok(question);
    }
    let is_open = |span: &Span| matches!(span.how, How::Unread | How::UnreadSubject) && span.facet.is_empty();
    // Rows that contain a word do not show what supports it: `accelerators that support sparsity`.
    if question.spans.iter().any(|span| span.values.iter().any(|value| value == "support")) {
        let open = question.spans.iter_mut().filter(|span| is_open(span) && !is_english(&span.text.to_lowercase()));
        open.for_each(|span| span.how = How::UnreadSubject);
        return Ok(question);
    }
    let is_side = |spans: &[Span], at: Option<usize>| {
        let values = at.and_then(|at| Some(&spans.get(at)?.values));
        values.is_some_and(|all| all.iter().any(|value| matches!(value.as_str(), "versus" | "than" | "beats" | "or")))
    };
    let mut at = 0;
    while at < question.spans.len() {
        let length = question.spans[at..].iter().take_while(|span| is_open(span)).count();
        let run = at..at + length;
        at = run.end + 1;
        if run.is_empty() {
            without_text(&mut question, run.start);
            continue;
        }
        if is_side(&question.spans, run.start.checked_sub(1)) || is_side(&question.spans, Some(run.end)) {
            continue;
        }
        let each = run.clone().map(|place| place..place + 1);
        // `pixel 4` is one name.
        let is_number = |span: &Span| span.text.bytes().all(|byte| byte.is_ascii_digit());
        let is_name = question.spans[run.clone()].iter().any(is_number);
        for part in [run.clone()].into_iter().chain(each.filter(|_| run.len() > 1 && !is_name)) {
            let words: Vec<&str> = question.spans[part.clone()].iter().map(|span| span.text.as_str()).collect();
            let text = words.join(" ");
            if is_searched_in_rows(&words) && rows_with_text(stores, &question, &text)? > 0 {
                let is_whole = part == run;
                for span in &mut question.spans[part] {
                    span.how = How::Text;
                    span.facet = "text".to_owned();
                    span.values = vec![text.clone()];
                }
                question.subject.terms.push(text_term(text));
                question.ask = if question.ask == Ask::Overview { Ask::Lookup } else { question.ask };
                if is_whole {
                    break;
                }
            }
        }
    }
    Ok(question)
}

/// Excludes rows that contain the unknown word after a `without` or `-` at this position.
fn without_text(question: &mut Question, at: usize) {
    let Some([not, word]) = question.spans.get_mut(at..at + 2) else { return };
    let is_open = |span: &Span| span.how == How::UnreadBound && span.facet.is_empty();
    if is_open(not) && is_open(word) && is_searched_in_rows(&[&word.text]) {
        word.values = vec![word.text.clone()];
        question.subject.terms.push(Term::Not(Filter { terms: vec![text_term(word.text.clone())] }));
        [not, word].into_iter().for_each(|span| (span.how, span.facet) = (How::Text, "not".to_owned()));
    }
}

/// Whether words are searched in the text of rows. An English word would match by chance; part of a name (`i7`) would not.
fn is_searched_in_rows(words: &[&str]) -> bool {
    if is_out_of_scope(&words.join(" ")) {
        return false;
    }
    let words: Vec<&str> = words.iter().flat_map(|word| word.split(' ')).collect();
    let is_part = |word: &str| word.contains(char::is_alphabetic) && word.contains(|c: char| c.is_ascii_digit());
    let is_capital = |word: &str| word.starts_with(char::is_uppercase);
    let is_telling = words.len() > 1 && words.iter().any(|word| word.len() > 3)
        || words.iter().all(|word| is_capital(word) || !is_english(&word.to_lowercase()));
    // `DGX`
    let is_acronym = |word: &str| word.len() == 3 && word.chars().all(char::is_uppercase);
    let is_long = |word: &str| word.len() > 3 && word.contains(char::is_alphabetic);
    is_telling && words.iter().all(|word| is_part(word) || is_long(word) || is_acronym(word))
}

fn text_term(text: String) -> Term {
    Term::of(Key::Text, Is::OneOf(vec![text]))
}

/// The number of rows of a question whose text contains these words.
fn rows_with_text(stores: &Stores, question: &Question, text: &str) -> Result<usize> {
    let with = text_term(text.to_owned());
    let is_not = |term: &Term| matches!(term, Term::Not(not) if not.terms.contains(&with));
    rows_meeting(stores, &rows_asked(question).only(|term| !is_not(term)).with(with.clone()))
}

/// The outcome if an unread word stops the conclusion: what was not found, and what the rest of the question would find.
pub(in crate::ask) fn not_found(stores: &Stores, question: &Question) -> Result<Option<Outcome>> {
    let stopping: Vec<&Span> =
        question.spans.iter().filter(|span| span.how.stops() && span.text.contains(char::is_alphanumeric)).collect();
    if stopping.is_empty() {
        return Ok(None);
    }
    let mut words = Vec::new();
    // `pixel 6` is one name.
    let mut phrases: Vec<(usize, String)> = Vec::new();
    for span in stopping {
        match phrases.last_mut().filter(|(end, _)| *end + 1 == span.from) {
            Some((end, phrase)) => {
                *end = span.to;
                phrase.push_str(&format!(" {}", span.text));
            }
            None => phrases.push((span.to, span.text.clone())),
        }
    }
    for (_, phrase) in phrases {
        let is_not_kept = is_out_of_scope(&phrase);
        let near = if is_not_kept { Vec::new() } else { nearest_names(&phrase, &stores.database, NEAR_NAMES)? };
        let near: IndexSet<String> = near.into_iter().map(|name| name.value).collect();
        let said = Filter { terms: vec![text_term(phrase.clone())] };
        let rows = if is_searched_in_rows(&[phrase.as_str()]) { rows_meeting(stores, &said)? } else { 0 };
        words.push(MissingWord { text: phrase, near: near.into_iter().collect(), rows, is_not_kept });
    }
    let filter = rows_asked(question);
    // If there are no other conditions, a count of all rows says nothing.
    let rest = if filter.terms.is_empty() { 0 } else { rows_meeting(stores, &filter)? };
    let query = Some(print_filter(&filter)).filter(|text| rest > 0 && text.len() <= LONGEST_QUERY).unwrap_or_default();
    // Other unread words do not stop the conclusion, but are reported as well.
    let others = question.spans.iter().filter(|span| span.how == How::Unread).map(|span| span.text.clone());
    let others: Vec<String> = others.filter(|text| text.contains(char::is_alphanumeric)).collect();
    let mut remarks = vec![Remark::NotFound { words, rest, query }];
    remarks.extend((!others.is_empty()).then_some(Remark::Unread(others)));
    Ok(Some(Outcome { ask: question.ask, remarks, ..Outcome::default() }))
}

/// The command of this program that a question asks about.
pub(in crate::ask) fn how_to(question: &Question) -> Option<Remark> {
    let asks = || question.spans.iter().filter(|span| span.facet == "ask");
    let asks_how = asks().any(|span| span.values.iter().any(|value| value == "how"));
    // Frameworks export and measure as well; citing and contributing only refer to this program.
    let is_own = |span: &&Span, task: &str| asks_how || span.from == 0 || matches!(task, "cite" | "contribute");
    let tasks = |span: &Span| -> Option<String> {
        let task = span.values.iter().find_map(|value| value.strip_prefix("how-to-"))?;
        is_own(&span, task).then(|| task.to_owned())
    };
    asks().find_map(tasks).map(Remark::HowTo)
}

/// The remarks on how the question was read: words that were not read, and names that were guessed.
pub(in crate::ask) fn remarks(stores: &Stores, question: &Question) -> Result<Vec<Remark>> {
    let unread = question.spans.iter().filter(|span| span.how.is_unread());
    let unread: Vec<String> = unread.map(|span| span.text.clone()).collect();
    let mut remarks = Vec::new();
    remarks.extend((!unread.is_empty()).then_some(Remark::Unread(unread)));
    remarks.extend(how_to(question));
    for span in question.spans.iter().filter(|span| span.how == How::Nearest) {
        // A quantity is named without its prefix: `any:latency-ms`.
        let name = span.values.first().map(|value| value.rsplit(':').next().unwrap_or(value).to_owned());
        let name = name.unwrap_or_default();
        remarks.push(Remark::ReadAsNearest(span.text.clone(), name));
    }
    let texts = question.spans.iter().filter(|span| span.how == How::Text);
    let texts = texts.flat_map(|span| span.values.iter().map(|text| (text, span.facet == "not")));
    for (text, left_out) in texts.collect::<IndexSet<_>>() {
        let rows = rows_with_text(stores, question, text)?;
        remarks.push(Remark::ReadAsText { text: text.clone(), rows, left_out });
    }
    Ok(remarks)
}

#[cfg(test)]
mod tests {
    use crate::ask::execute::{Remark, execute};
    use crate::ask::parse::{Filter, How, Is, Key, Question, Span, Term, Test};
    use crate::model::Facet;
    use crate::stores::sample::{Sample, TWO_LATENCIES};

    fn span(text: &str, how: How) -> Span {
        Span { text: text.to_owned(), from: 0, to: text.len(), facet: String::new(), values: Vec::new(), how, rule: "" }
    }

    #[test]
    fn a_subject_that_was_not_read_stops_the_conclusion_and_any_other_word_does_not() {
        let sample = Sample::of(&[("paper-2020", TWO_LATENCIES)]);
        let device = Test { key: Key::Facet(Facet::Device), is: Is::OneOf(vec!["nova".to_owned()]) };
        let mut question = Question {
            subject: Filter { terms: vec![Term::Test(device)] },
            spans: vec![span("nova", How::Exact), span("deepnet-5", How::UnreadSubject)],
            ..Question::default()
        };
        let outcome = execute(&sample.stores, &question).unwrap();
        let [Remark::NotFound { words, rest, query }] = outcome.remarks.as_slice() else { panic!("{outcome:?}") };
        assert_eq!(
            (outcome.entries.len(), *rest, query.as_str(), words[0].text.as_str()),
            (0, 1, "device:nova", "deepnet-5")
        );
        question.spans[1].how = How::Unread;
        let outcome = execute(&sample.stores, &question).unwrap();
        assert_eq!(outcome.remarks.first(), Some(&Remark::Unread(vec!["deepnet-5".to_owned()])));
        assert_eq!(outcome.entries.len(), 1);
    }
}
