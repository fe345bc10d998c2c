//! Resolution of a source's spelling.

use schemars::JsonSchema;
use serde::Deserialize;

use super::arguments::named;
use crate::limits::LONGEST_NAME;
use crate::refusal::Refusal;
use dlbench::KnowledgeBase;
use dlbench::model::Facet;
use dlbench::stores::resolve::Resolved;

/// Report how a spelling is interpreted.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResolveRequest {
    /// The kind of name
    #[schemars(extend("enum" = ["device", "network", "framework", "dataset", "precision"]))]
    pub kind: String,
    /// The name as written: `8 * V100 (AWS p3.16xlarge)`, `resnet50_v1.5`
    #[schemars(length(min = 1, max = LONGEST_NAME))]
    pub spelling: String,
}

impl ResolveRequest {
    /// The resolution, which may be that nothing has this name.
    ///
    /// # Errors
    ///
    /// When spellings of this kind cannot be resolved, or the store fails.
    pub fn resolved(&self, kb: &KnowledgeBase) -> Result<Resolved, Refusal> {
        let spelling = named("spelling", &self.spelling)?;
        let kind = Facet::SPELLED.iter().find(|facet| facet.key() == self.kind.trim());
        let kind = kind.ok_or_else(|| {
            let kinds: Vec<&str> = Facet::SPELLED.iter().map(|facet| facet.key()).collect();
            Refusal::mistake(format!("spellings of `{}` are not read", self.kind))
                .help(format!("`kind` is one of {}", kinds.join(", ")))
        })?;
        Ok(kb.resolve(*kind, spelling)?)
    }
}
