//! The page and its JSON API over HTTP.
//!
//! All pages work without scripts (the only one completes names in the search box), every state has an address, and no
//! other host is contacted. The resources of one client are limited (`visitors`), and response headers restrict what a
//! browser may do with a page (`response_headers`).

mod admission;
mod answer_cache;
mod api;
mod documents;
mod endpoint;
mod etag;
mod export;
mod middleware;
mod openapi;
mod page_routes;
mod respond;
mod response_headers;
mod router;
mod run;
mod shared;
mod sockets;
mod visitors;

pub use run::{ServeError, answers_at_a_time, run};
pub use shared::ServeOptions;
