//! The page and its JSON API over HTTP.
//!
//! Everything can be read without a script (the only one completes names in the box), every state is an address, and nothing is asked
//! of any other host. What one visitor may take is limited (`visitors`), and every response says what a browser may do with it
//! (`response_headers`).

mod admission;
mod api;
mod documents;
mod endpoint;
mod etag;
mod export;
mod kept_answers;
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
