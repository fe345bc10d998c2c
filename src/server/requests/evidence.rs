//! Claims tested against measurements, contradictions between sources, and wanted measurements.

use schemars::JsonSchema;
use serde::Deserialize;

use super::arguments::asked;
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;
use dlbench::ask::contradictions::Contradictions;
use dlbench::ask::evidence::{Evidence, EvidenceRequest, Wanted, WantedRequest};
use dlbench::default_cache;
use dlbench::measure::protocol::Hello;

/// Test claims of surveys against measurements.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EvidenceArguments {
    /// Words that the claims must contain, such as `fpga energy efficiency`
    pub question: String,
    /// Whether to report every pair of measurements behind a verdict
    #[serde(default)]
    pub explain: bool,
}

impl EvidenceArguments {
    /// The claims that contain all words, with their verdicts.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, or the knowledge base fails.
    pub fn judged(&self, kb: &KnowledgeBase) -> Result<Evidence, Refusal> {
        let question = asked(&self.question)?.to_owned();
        let request =
            EvidenceRequest { question: question.clone(), claims: None, explain: self.explain, shuffles: None };
        kb.evidence(&request).map_err(|error| Refusal::of_question(&question, &error))
    }
}

/// Contradictions between sources that measured the same.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContradictionsArguments {
    /// A question that selects the measurements to compare with others, such as `dlrm a100`; by default all
    #[serde(default)]
    pub question: String,
}

impl ContradictionsArguments {
    /// The contradictions, the largest first.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, or the knowledge base fails.
    pub fn found(&self, kb: &KnowledgeBase) -> Result<Contradictions, Refusal> {
        let question = asked_or_all(&self.question)?;
        kb.contradictions(question).map_err(|error| Refusal::of_question(question, &error))
    }
}

/// Missing measurements, ranked by how much they would settle.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WantedArguments {
    /// Words that a missing measurement must contain, such as `fpga latency`; by default all are listed
    #[serde(default)]
    pub question: String,
    /// Only measurements that the server's machine can make, if its worker was asked
    #[serde(default)]
    pub here: bool,
}

impl WantedArguments {
    /// The missing measurements, with what the machine of `worker` can measure.
    ///
    /// # Errors
    ///
    /// When the question is too long, `here` is given without a worker, or the knowledge base fails.
    pub fn missing(&self, kb: &KnowledgeBase, worker: Option<&Hello>) -> Result<Wanted, Refusal> {
        let question = asked_or_all(&self.question)?;
        let found = match worker {
            Some(worker) => kb.wanted_here(question, &kb.machine(worker, &default_cache())?),
            None if self.here => {
                let refusal = Refusal::mistake("this server has asked no worker what can be measured here");
                return Err(refusal.help("`dlbench serve --ask-worker` asks the one beside it"));
            }
            None => kb.wanted(&WantedRequest { question: question.to_owned(), here: Vec::new() }),
        };
        let mut found = found.map_err(|error| Refusal::of_question(question, &error))?;
        found.wanted.retain(|cell| !self.here || cell.here.is_some());
        Ok(found)
    }
}

/// A question that may be empty, which means everything.
fn asked_or_all(question: &str) -> Result<&str, Refusal> {
    match question.trim() {
        "" => Ok(""),
        question => asked(question),
    }
}
