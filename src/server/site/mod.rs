//! The knowledge base as files that any host of files can give: the pages of `serve`, with links that are relative, so that they work
//! in a folder below a host's top and from a disk. What `serve` would make of a question is there for the rankings of the networks
//! that were measured on most devices; other questions are looked up in the browser, in the same data.

mod address;
mod answers;
mod build;
mod error;
mod folder;
mod index;
mod output;
mod search;

pub use build::{SiteSummary, build};
pub use error::SiteError;
