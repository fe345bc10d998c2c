//! What a yes-or-no question supposes of a framework: `does JAX support TPUs`, `is Keras distributed`.

use super::facing::kind_of;
use super::question::Claim;
use super::seen::Seen;
use super::vocabulary::{Cue, plain};
use crate::model::{Facet, Fact, Field};

/// The fact of frameworks that a clause of a kind supposes.
pub(super) fn claimed_fact(kind: &str) -> Option<Fact> {
    Some(match kind {
        "multi-server" => Fact::MultiServer,
        "license" => Fact::License,
        "language" | "api-language" => Fact::ApiLanguage,
        "core-language" => Fact::CoreLanguage,
        "maturity" => Fact::Maturity,
        "tested-network" | "network" => Fact::TestedNetwork,
        "tested-dataset" => Fact::TestedDataset,
        "hardware" | "class" | "device" => Fact::Hardware,
        _ => return None,
    })
}

impl Seen<'_, '_> {
    /// What is supposed of the one framework that the question names; nothing where it asks for numbers.
    pub(super) fn claims(&self) -> Vec<Claim> {
        let kinds: Vec<&str> = self.clauses.iter().map(kind_of).collect();
        let frameworks = kinds.iter().filter(|kind| **kind == "framework").count();
        // `the survey says caffe is good for rnn`: of the networks that a framework was tested on.
        let surveyed = self.hints.has(Cue::Survey);
        let asks = (self.asks_whether() || surveyed && kinds.contains(&Facet::Network.key()))
            && !self.hints.has(Cue::Comparative)
            && !self.hints.has(Cue::SpeedUp);
        if !asks || frameworks != 1 || self.clauses.iter().any(|clause| clause.sides.len() > 1) {
            return Vec::new();
        }
        let mut claims = Vec::new();
        for (clause, kind) in self.clauses.iter().zip(&kinds).filter(|(_, kind)| **kind != "framework") {
            if *kind == Facet::Network.key() && !surveyed {
                return Vec::new();
            }
            // Whether it runs on several devices is no fact that is kept.
            if *kind == Field::DeviceCount.key() {
                return Vec::new();
            }
            let values = clause.readings.first().map_or(&[][..], |reading| &reading.read_as.values);
            let (Some(fact), Some(value)) = (claimed_fact(kind), values.first()) else { return Vec::new() };
            let values = if fact == Fact::License { values } else { &values[..1] };
            // Of devices the catalog says for frameworks no more than `tpu`.
            let is_hardware = fact == Fact::Hardware;
            if is_hardware && (!self.hints.has(Cue::Support) || *kind == "device" && value != "tpu") {
                return Vec::new();
            }
            claims.extend(values.iter().map(|value| Claim { fact, value: value.clone() }));
        }
        claims
    }

    /// Whether the question is one that yes or no answers.
    pub(super) fn asks_whether(&self) -> bool {
        // `by how much is it faster`: a number is asked for; `what do I gain`: what it is.
        const HELPING: &[&str] = &["is", "are", "does", "do", "did", "will", "can", "could"];
        const ASKING: &[&str] = &["what", "which", "who", "why", "when", "where", "whose", "what's", "whats"];
        let words: Vec<String> = self.interpreter.question.split_whitespace().map(plain).collect();
        let first = |of: &[&str]| words.iter().position(|word| of.contains(&word.as_str()));
        let is_asked = first(ASKING).is_some_and(|asking| first(HELPING).is_none_or(|helping| asking < helping));
        let asks = self.hints.cues.first() == Some(&Cue::YesOrNo) || ends_with_tag(&words);
        asks && !self.hints.asks_how && !is_asked
    }
}

/// Whether a sentence ends in words that ask whether it is so: `… is slower in half precision, true?`.
fn ends_with_tag(words: &[String]) -> bool {
    const TAGS: &[&[&str]] = &[
        &["true"],
        &["right"],
        &["correct"],
        &["true", "or", "not"],
        &["true", "or", "false"],
        &["is", "that", "so"],
        &["is", "that", "true"],
        &["is", "that", "right"],
        &["say", "so"],
        &["say", "so", "too"],
        &["can", "you", "confirm"],
        &["can", "you", "confirm", "that"],
    ];
    words.len() > 4
        && TAGS.iter().any(|tag| words.ends_with(&tag.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()))
}
