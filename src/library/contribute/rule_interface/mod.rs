//! The interface of check rules: a rule with its sample, the loaded knowledge base, findings and their places.

mod context;
mod findings;
pub(in crate::contribute) mod plausible_rate;
mod rule;

pub(in crate::contribute) use context::CatalogNames;
pub use context::LintOptions;
pub use context::RowContradiction;
pub(in crate::contribute) use context::{AxisFields, Neighbours, neighbours};
pub use context::{CitedUrl, cited_urls};
pub(in crate::contribute) use context::{IndexedRow, LintContext, LocatedEntity};
pub use context::{LinkStatus, LinkStatuses, without_fragment};
pub(in crate::contribute) use context::{hash_of, level_of};
pub(in crate::contribute) use findings::{Fact, Finding, Findings, diagnostics};
pub(in crate::contribute) use rule::Check;
pub use rule::Rule;
#[cfg(test)]
pub(in crate::contribute) use rule::SAMPLE_BASE;
pub use rule::{Sample, SampleFile};
