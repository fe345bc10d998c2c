//! Claims held against what was measured.

use schemars::JsonSchema;
use serde::Deserialize;

use super::arguments::asked;
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;
use dlbench::ask::conclude::evidence::{Evidence, EvidenceRequest};

/// Hold what surveys claim against what was measured.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EvidenceArguments {
    /// Words that the claims must hold, such as `fpga energy efficiency`
    pub question: String,
    /// Whether every pair of measurements behind a verdict is told
    #[serde(default)]
    pub explain: bool,
}

impl EvidenceArguments {
    /// The claims with their verdicts; none where no claim holds all words.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, or the knowledge base fails.
    pub fn judged(&self, kb: &KnowledgeBase) -> Result<Evidence, Refusal> {
        let question = asked(&self.question)?.to_owned();
        let request = EvidenceRequest { question: question.clone(), claims: None, explain: self.explain };
        kb.evidence(&request).map_err(|error| Refusal::of_question(&question, &error))
    }
}
