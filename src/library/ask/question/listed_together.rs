//! Several nouns of one list: `networks and devices`, and what is told of each entry: `training rounds and the benchmarks in each`.

use super::clause::Clause;
use super::facing::kind_of;
use super::hints::Noun;
use super::nouns::entities_called;
use super::seen::Seen;
use super::vocabulary::{Cue, plain};
use crate::model::{Aspect, Facet, Field};

/// Words between two nouns of one list.
const JOINING: &[&str] = &["and", "&", "und", "et", "y"];

/// Words in front of the second noun.
const ARTICLES: &[&str] = &["the", "which", "what", "all", "their", "its"];

/// Words by which something is told of each entry of a list.
const EACH: &[&str] = &["each", "every"];
const OF_EACH: &[&str] = &["in", "of", "for", "per", "on", "by", "with"];

/// A noun stands so many words in front of `in each`.
const WORDS_BEFORE_EACH: usize = 4;

/// Nouns for what a source ran, which elsewhere are the sources themselves.
const WORK: &[&str] = &["benchmarks", "workloads", "tests", "tasks"];

impl Seen<'_, '_> {
    /// What is listed beside the first noun: the devices of `networks and devices`.
    pub(super) fn listed_beside(&self, first: Option<Aspect>) -> Vec<Aspect> {
        let words: Vec<&str> = self.interpreter.question.split_whitespace().collect();
        let plural = |at: usize| words.get(at).and_then(|word| entities_called(&plain(word)));
        let mut together: Vec<Aspect> = Vec::new();
        for at in 0..words.len() {
            let Some(one) = plural(at) else { continue };
            let joined = words.get(at + 1).is_some_and(|next| JOINING.contains(&plain(next).as_str()));
            let listed = words[at].ends_with(',');
            if !joined && !listed {
                continue;
            }
            let behind = at + if joined { 2 } else { 1 };
            // `networks, devices, and frameworks`
            let behind = behind + usize::from(listed && words.get(behind).is_some_and(|next| plain(next) == "and"));
            let article = words.get(behind).is_some_and(|word| ARTICLES.contains(&plain(word).as_str()));
            if let Some(other) = plural(behind + usize::from(article)) {
                together.extend([one, other]);
            }
        }
        let mut beside: Vec<Aspect> = Vec::new();
        for aspect in together.iter().copied().filter(|_| first.is_some_and(|first| together.contains(&first))) {
            if Some(aspect) != first && !beside.contains(&aspect) {
                beside.push(aspect);
            }
        }
        beside
    }

    /// `object detectors`: networks that are called by what they do, and nothing else.
    pub(super) fn names_networks_by_task(&self) -> bool {
        let of_task = |clause: &Clause| kind_of(clause) == Facet::Task.key() && !clause.is_excluded();
        let is_plural = |clause: &Clause| {
            let text = plain(&clause.text);
            text.ends_with("ers") || text.ends_with("ors") || text.ends_with("models") || text.ends_with("networks")
        };
        !self.hints.has(Cue::Speed) && self.clauses.iter().all(of_task) && self.clauses.iter().any(is_plural)
    }

    /// `the most measurements`, `by number of rows`: how much was measured is told in rows.
    pub(super) fn counts_rows(&self) -> bool {
        const ROWS: &[&str] = &["measurements", "rows", "results", "numbers", "benchmarks", "data", "submissions"];
        let of_amount = self.hints.turns.iter().filter(|(_, cue)| *cue == Cue::MostMeasured);
        of_amount.flat_map(|(text, _)| text.split(' ')).any(|word| ROWS.contains(&plain(word).as_str()))
    }

    /// `which framework has the fewest results`: alone, and not behind the most.
    pub(super) fn asks_for_fewest(&self) -> bool {
        let of_amount = self.hints.turns.iter().filter(|(_, cue)| *cue == Cue::MostMeasured);
        let mut first = of_amount.map(|(text, _)| plain(text));
        first.next().is_some_and(|text| text.starts_with("fewest") || text.starts_with("least"))
    }

    /// What is told of each entry of a list of sources: the networks of `which rounds, and what benchmarks in each`.
    pub(super) fn told_of_each(&self) -> Option<Aspect> {
        let words: Vec<String> = self.interpreter.question.split_whitespace().map(plain).collect();
        let each = words.windows(2).position(|pair| {
            OF_EACH.contains(&pair[0].as_str()) && (EACH.contains(&pair[1].as_str()) || is_of_round(&pair[0], &pair[1]))
        })?;
        let of_sources = |noun: &Noun| noun.aspect == Aspect::Source && noun.plural;
        let listed = self.hints.nouns.iter().any(of_sources);
        let before = words[..each].iter().rev().take(WORDS_BEFORE_EACH);
        let told = before.filter_map(|word| match WORK.contains(&word.as_str()) {
            true => Some(Aspect::Field(Field::Network)),
            false => entities_called(word).filter(|aspect| *aspect != Aspect::Source),
        });
        told.into_iter().next().filter(|_| listed)
    }
}

/// `by round`, `per round`
fn is_of_round(link: &str, word: &str) -> bool {
    matches!(link, "by" | "per") && matches!(word, "round" | "source" | "edition")
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::model::{Aspect, Field};
    use crate::stores::sample::Sample;

    const ROWS: &str = r#"
[[table]]
columns = ["device", "precision", "latency-ms"]
rows = [["nova", "fp16", 200], ["core", "fp16", 100]]
"#;

    #[test]
    fn several_nouns_make_several_lists() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let [device, network, framework] = [Field::Device, Field::Network, Field::Framework].map(Aspect::Field);
        for (question, beside, of_each) in [
            ("list the networks and devices measured in fp16", &[device][..], None),
            ("list the networks, devices and frameworks measured in fp16", &[device, framework], None),
            ("which networks were measured on devices in fp16", &[], None),
            ("which sources are there, and which networks in each", &[], Some(network)),
            ("which sources are there", &[], None),
        ] {
            let wanted = understand(question, &sample.stores).unwrap().wanted;
            assert_eq!(wanted.beside, beside, "{question}");
            assert_eq!(wanted.of_each, of_each, "{question}");
        }
    }

    #[test]
    fn the_fewest_are_asked_for_alone() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        for (question, by_rows, fewest) in [
            ("which framework has the fewest results", true, true),
            ("which framework has the most results and which the fewest", true, false),
            ("most tested framework", false, false),
        ] {
            let wanted = understand(question, &sample.stores).unwrap().wanted;
            assert!(wanted.most_measured, "{question}");
            assert_eq!((wanted.by_rows, wanted.fewest), (by_rows, fewest), "{question}");
        }
    }
}
