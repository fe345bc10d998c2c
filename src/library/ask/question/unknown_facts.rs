//! Facts that entities are to state, or not to: `gpus whose tdp is unknown`, `frameworks without a license`, `oldest gpu with tensor
//! cores`.

use std::collections::BTreeSet;

use super::clause::Clause;
use super::error::QueryError;
use super::hints::{Hints, Mention};
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::question::Quantity;
use super::sentence::Sentence;
use super::vocabulary::plain;
use crate::model::{Aspect, Fact};
use crate::values::EntityKind;

/// Words behind the name of a fact that say that it is not known.
const UNKNOWN: &[&str] = &["unknown", "unstated", "undisclosed", "unspecified"];

/// What is not so, behind a negation: `not known`.
const KNOWN: &[&str] = &["known", "stated", "given", "specified", "disclosed", "recorded"];

/// Words in front of what something is to have.
const HAVING: &[&str] = &["with", "having", "has", "have"];

/// The kinds whose facts are asked for, each beside what names entities of it.
const KINDS: &[(EntityKind, Context)] = &[
    (EntityKind::Device, Context { devices: true, ..NOTHING }),
    (EntityKind::Network, Context { networks: true, ..NOTHING }),
    (EntityKind::Framework, Context { frameworks: true, ..NOTHING }),
    (EntityKind::Dataset, Context { datasets: true, ..NOTHING }),
];

const NOTHING: Context = Context {
    classes: false,
    devices: false,
    networks: false,
    datasets: false,
    frameworks: false,
    sources: false,
    precisions: false,
    tasks: false,
    workload: false,
    text: false,
};

impl Interpreter<'_> {
    /// `is unknown`, `not stated` behind the name of a fact or of a field: how many words say it.
    pub(super) fn says_unknown(
        &mut self,
        words: &[&str],
        sentence: &mut Sentence<'_>,
    ) -> Result<Option<usize>, QueryError> {
        let word = |at: usize| words.get(at).map(|word| plain(word)).unwrap_or_default();
        // `with no known tdp`: what is not known is named behind it.
        if sentence.without.is_some() && sentence.names.is_empty() && KNOWN.contains(&word(0).as_str()) {
            self.heard.push(words[0].to_owned());
            return Ok(Some(1));
        }
        let lead = usize::from(matches!(word(0).as_str(), "is" | "are" | "was" | "were"));
        let taken = match (word(lead).as_str(), word(lead + 1).as_str()) {
            (first, _) if UNKNOWN.contains(&first) => lead + 1,
            ("not", second) if KNOWN.contains(&second) => lead + 2,
            _ => return Ok(None),
        };
        if !sentence.names.is_empty() || sentence.without.is_some() {
            return Ok(None);
        }
        if sentence.after_quantity {
            let Some(last) = self.hints.mentions.last_mut() else { return Ok(None) };
            last.without = Some(words[..taken].join(" "));
            sentence.after_quantity = false;
            return Ok(Some(taken));
        }
        // `batch size not stated`
        let is_last =
            |text: &String| self.words_read_before(words).is_some_and(|before| before.ends_with(&plain(text)));
        let Some((text, Aspect::Field(field))) = self.hints.along.last().cloned().filter(|(text, _)| is_last(text))
        else {
            return Ok(None);
        };
        self.hints.along.pop();
        self.heard.push(words[..taken].join(" "));
        sentence.without = Some(words[..taken].join(" "));
        self.push_stated(&text, field, sentence)?;
        Ok(Some(taken))
    }

    /// The words of the question in front of some that it ends with or goes on from, in lower case.
    fn words_read_before(&self, words: &[&str]) -> Option<String> {
        let all: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let at = all.len().checked_sub(words.len())?;
        Some(all[..at].join(" ").trim_end_matches(" is").trim_end_matches(" are").to_owned())
    }

    /// The entities that state a fact which no number is of, by themselves or by a relative; `None` where a name asks for none.
    pub(super) fn stating_words(&self, mention: &Mention, hints: &Hints) -> Result<Option<Clause>, QueryError> {
        let about = self.about.as_ref().map(|(_, kind)| *kind);
        let spoken = |kind: EntityKind| about == Some(kind) || hints.speaks_of(kind);
        for (kind, context) in KINDS.iter().filter(|(kind, _)| spoken(*kind)) {
            let fact = mention.asked.quantities(*context).into_iter().find_map(|quantity| match quantity {
                Quantity::Fact(fact) if fact.kind() == *kind => Some(fact),
                _ => None,
            });
            let Some(fact) = fact else { continue };
            let all = self.words_stated(*kind, fact)?;
            let mut stating: BTreeSet<String> = BTreeSet::new();
            for (id, _) in all.iter().filter(|(_, words)| !words.is_empty()) {
                stating.extend(self.stores.database.ancestors(*kind, id)?);
                stating.extend(self.stores.database.descendants(*kind, id)?);
                stating.insert(id.clone());
            }
            if stating.is_empty() {
                return Ok(None);
            }
            let condition = self.naming(*kind, stating.into_iter().collect())?;
            let filter = format!("{}:*", fact.key());
            return Ok(Some(Clause::of(&mention.text, fact.key(), vec!["stated".to_owned()], filter, condition)));
        }
        Ok(None)
    }

    /// `oldest gpu with tensor cores`: beside a superlative that says by what it orders, what candidates are to have is a condition.
    pub(super) fn facts_to_have(&mut self, clauses: &mut Vec<Clause>, hints: &mut Hints) -> Result<(), QueryError> {
        if hints.superlatives.is_empty() && !hints.has(super::vocabulary::Cue::Newest) {
            return Ok(());
        }
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let is_had = |mention: &Mention| {
            let own: Vec<String> = mention.text.split_whitespace().map(plain).collect();
            let at = words.windows(own.len().max(1)).position(|window| window == own);
            at.and_then(|at| words.get(at.checked_sub(1)?)).is_some_and(|before| HAVING.contains(&before.as_str()))
        };
        let devices = Context { devices: true, ..NOTHING };
        let number = |mention: &Mention| {
            mention.asked.quantities(devices).into_iter().find_map(|quantity| match quantity {
                Quantity::Fact(fact) if fact.unit().is_some() && Fact::filter(fact.key()).is_some() => Some(fact),
                _ => None,
            })
        };
        for mention in std::mem::take(&mut hints.mentions) {
            match number(&mention).filter(|_| mention.without.is_none() && is_had(&mention)) {
                Some(fact) => clauses.push(self.having(fact, &mention.text)?),
                None => hints.mentions.push(mention),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    const ROWS: &str = r#"
[[table]]
columns = ["device", "batch-size", "latency-ms"]
rows = [["nova", 8, 200], ["core", "", 100]]
"#;

    #[test]
    fn what_is_not_known_is_no_quantity() {
        let sample = Sample::without("batch-size = 16\n", &[("paper-2020", ROWS)]);
        for (question, filter) in [
            ("gpus whose tdp is unknown", "-tdp>=0"),
            ("gpus whose memory is not known", "-memory>=0"),
            ("gpus with no known tdp", "-tdp>=0"),
            ("deepnet-50 batch size not stated", "-batch-size>=0"),
            ("frameworks without a license", "-license:*"),
            ("cheapest gpu with memory", "memory>=0"),
        ] {
            let read = understand(question, &sample.stores).unwrap();
            let filters: Vec<&str> = read.clauses.iter().map(|clause| clause.equivalent.as_str()).collect();
            assert!(filters.contains(&filter), "{question}: {filters:?}, {:?}", read.ignored);
        }
    }
}
