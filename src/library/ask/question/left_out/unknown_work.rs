//! What something is asked to be the best for and nothing here is known of: `best gpu for mining bitcoin`. Numbers of other work say
//! nothing of it.

use crate::ask::question::clause::Clause;
use crate::ask::question::intent::Intent;
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::mentions::Context;
use crate::ask::question::question::Wanted;
use crate::ask::question::vocabulary::{Meaning, meaning_of, plain};

/// Words behind which no work is named any more.
const ENDING: &[&str] =
    &["under", "below", "with", "without", "on", "in", "at", "that", "which", "and", "but", "over", "above", "from"];

impl Interpreter<'_> {
    /// Records the work that a ranking is asked for where none of its words is known, in place of the words that were left out.
    pub(in crate::ask::question) fn note_unknown_work(&mut self, clauses: &mut Vec<Clause>, wanted: &mut Wanted) {
        let Context { networks, datasets, tasks, workload, sources, .. } = Context::of(clauses);
        let is_known = networks || datasets || tasks || workload || sources;
        if wanted.intent != Intent::Ranking || is_known || !wanted.quantities.is_empty() || self.sort_is_stated() {
            return;
        }
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let Some(at) = words.iter().rposition(|word| word == "for") else { return };
        let ends = |word: &&String| ENDING.contains(&word.as_str());
        let behind: Vec<&String> = words[at + 1..].iter().take_while(|word| !ends(word)).collect();
        let says_something = |word: &&&String| !matches!(meaning_of(&[word.as_str()]), Some(Meaning::Nothing));
        let telling: Vec<&String> = behind.iter().filter(says_something).copied().collect();
        let was_left_out = |word: &&String| {
            let has = |texts: &[String]| texts.iter().any(|text| text.split(' ').any(|one| one == word.as_str()));
            has(&self.ignored) || has(&self.unknown_names)
        };
        if telling.is_empty() || !telling.iter().all(was_left_out) {
            return;
        }
        let is_of_work = |text: &str| text.split(' ').all(|one| telling.iter().any(|word| *word == one));
        self.ignored.retain(|text| !is_of_work(text));
        self.unknown_names.retain(|text| !is_of_work(text));
        wanted.unknown_names.retain(|text| !is_of_work(text));
        clauses.retain(|clause| clause.plain_kind() != Some("text") || !is_of_work(&plain(&clause.text)));
        let text = behind.into_iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        self.heard.push(text.clone());
        wanted.unknown_work = Some(text);
    }

    /// Whether the question orders rows in a filter of its own.
    fn sort_is_stated(&self) -> bool {
        self.question.contains("sort:")
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::{Sample, TWO_LATENCIES};

    #[test]
    fn work_that_nothing_is_known_of_is_no_other_work() {
        let sample = Sample::of(&[("paper-2020", TWO_LATENCIES)]);
        for (question, work) in [
            ("best gpu for mining bitcoin", Some("mining bitcoin")),
            ("fastest gpu for gaming under 500 dollars", Some("gaming")),
            ("best gpu for deepnet-50", None),
            ("best gpu for training", None),
            ("cheapest gpu for gaming", None),
            ("best gpu for deep learning", None),
            ("best gpu", None),
        ] {
            let read = understand(question, &sample.stores).unwrap();
            assert_eq!(read.wanted.unknown_work.as_deref(), work, "{question}: {:?}", read.ignored);
            let told = |word: &str| read.ignored.iter().any(|one| one == word);
            assert!(work.is_none_or(|work| !work.split(' ').any(told)), "{question}: {:?}", read.ignored);
        }
    }
}
