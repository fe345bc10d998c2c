//! The faces of dlbench that stay open: one process answers many requests, from an assistant or from browsers.
//!
//! What can be requested is the same for all, for the Python module too, and is in [`requests`]; how the knowledge base is
//! kept open, kept current and shared among threads is in [`HeldKnowledgeBase`]. Nothing runs until one of them is asked for.

#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(
    not(all(feature = "mcp", feature = "serve")),
    allow(dead_code, unused_imports, reason = "what one face needs, another does not")
)]

mod limits;
mod refusal;

mod held;

pub mod requests;

#[cfg(feature = "serve")]
mod pages;

#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(feature = "serve")]
pub mod serve;
#[cfg(feature = "serve")]
pub mod site;

pub use held::{HeldKnowledgeBase, Opener, Teller};
pub use refusal::{Refusal, RefusalKind};
