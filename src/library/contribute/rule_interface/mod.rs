//! What a rule of the check sees and says: the rule with its sample, the loaded knowledge base, findings and their places.

mod cited_urls;
mod context;
mod findings;
mod link_status;
mod names;
mod neighbours;
mod options;
pub(in crate::contribute) mod plausible_rate;
mod row_contradiction;
mod rule;
mod sample;
mod settings;

pub use cited_urls::{CitedUrl, cited_urls};
pub(in crate::contribute) use context::{IndexedRow, LintContext, LocatedEntity};
pub(in crate::contribute) use findings::{Fact, Finding, Findings, diagnostics};
pub use link_status::{LinkStatus, LinkStatuses, without_fragment};
pub(in crate::contribute) use names::CatalogNames;
pub(in crate::contribute) use neighbours::{AxisFields, Neighbours, neighbours};
pub use options::LintOptions;
pub use row_contradiction::RowContradiction;
pub(in crate::contribute) use rule::Check;
pub use rule::Rule;
#[cfg(test)]
pub(in crate::contribute) use sample::SAMPLE_BASE;
pub use sample::{Sample, SampleFile};
