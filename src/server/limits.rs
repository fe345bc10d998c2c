//! Limits of one request, so that no client can use up the server.
//!
//! The limits of a connection are in `serve/sockets.rs`, those of a client in `serve/visitors.rs`, and those of replies
//! to an assistant in `mcp/reply.rs`.

use std::time::Duration;

/// Maximum length of a question, in bytes. Typed questions are below 200; questions in explicit filters are below 1,000.
pub(crate) const LONGEST_QUESTION: usize = 2_000;
/// Maximum length of a name or id, in bytes. Names of MLPerf results reach 300.
pub(crate) const LONGEST_NAME: usize = 500;
/// Maximum number of names or ids in a request.
pub(crate) const MOST_NAMES: usize = 100;
/// Maximum number of cells in a comparison. More are unreadable, and a program can narrow the question.
pub(crate) const MOST_CELLS: usize = 20_000;
/// Maximum number of measurements in a figure.
#[cfg(feature = "serve")]
pub(crate) const MOST_DRAWN: usize = 20_000;

/// Maximum waiting time of a request in the queue.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Timeout of an answer. The slowest question of the tests takes a tenth of it on a slow machine.
pub(crate) const LONGEST_ANSWER: Duration = Duration::from_secs(10);
/// Timeout of the first page: it is computed once while all requests for it wait.
#[cfg(feature = "serve")]
pub(crate) const LONGEST_FIRST_PAGE: Duration = Duration::from_secs(60);
/// Interval at which the files are checked for changes.
pub(crate) const LOOK_EVERY: Duration = Duration::from_secs(1);
