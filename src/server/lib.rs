//! The long-running interfaces of dlbench: one process answers many requests, from an assistant or from browsers.
//!
//! All of them, and the Python module, accept the same requests, defined in [`requests`]; [`LiveKnowledgeBase`] keeps
//! the knowledge base open and current and shares it among threads. No server starts before it is called.

#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(
    not(all(feature = "mcp", feature = "serve")),
    allow(dead_code, unused_imports, reason = "what one face needs, another does not")
)]

mod limits;
mod refusal;

mod live;

pub mod requests;

#[cfg(feature = "serve")]
mod pages;

#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(feature = "serve")]
pub mod site;

pub use live::{LiveKnowledgeBase, Opener, Reporter};
pub use refusal::{Refusal, RefusalKind};
