//! The knowledge base as static files for any file host: the pages of `serve` with relative links, which work in any
//! folder of a host and from disk. Answers exist for the rankings of the networks that were measured on most devices;
//! other questions are looked up in the browser, in the same data.

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
