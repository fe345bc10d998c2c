//! The requests, common to all interfaces: arguments with their documentation and limits, and the library's answer.
//! Each interface formats answers in its own way.

mod arguments;
mod cite;
mod compare;
mod evidence;
mod query;
mod resolve;
mod show;

pub(crate) use arguments::{asked, misread, named};
pub use cite::{CiteRequest, Cited, CitedReference};
pub use compare::{CompareArguments, ComparedAnswer};
pub use evidence::EvidenceArguments;
pub(crate) use evidence::{ContradictionsArguments, WantedArguments};
pub use query::{QueryRequest, RowLimits};
pub use resolve::ResolveRequest;
pub(crate) use show::entities_of;
pub use show::{ShowRequest, Shown};
