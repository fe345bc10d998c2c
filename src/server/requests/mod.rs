//! What can be requested, the same from every face: the arguments with their documentation, their limits, and the answer of the
//! library. How an answer is written is the face's own.

mod arguments;
mod cite;
mod compare;
mod evidence;
mod query;
mod resolve;
mod show;

pub(crate) use arguments::{asked, named};
pub(crate) use cite::{CiteRequest, Cited};
pub(crate) use compare::CompareArguments;
pub(crate) use evidence::{ContradictionsArguments, EvidenceArguments, WantedArguments};
pub(crate) use query::{QueryRequest, RowLimits};
pub(crate) use resolve::ResolveRequest;
pub(crate) use show::{ShowRequest, Shown, entities_of};
