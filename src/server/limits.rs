//! How much one request may take, so that nobody can take everything.
//!
//! What one connection may take is in `serve/sockets.rs`, what one visitor may in `serve/visitors.rs`, and how long a reply to an
//! assistant may be in `mcp/reply.rs`.

use std::time::Duration;

/// The longest question, in bytes. People's are below 200; a question in explicit filters is below 1,000.
pub(crate) const LONGEST_QUESTION: usize = 2_000;
/// The longest name or id, in bytes. Names of results in MLPerf reach 300.
pub(crate) const LONGEST_NAME: usize = 500;
/// So many names or ids at once.
pub(crate) const MOST_NAMES: usize = 100;
/// The cells of a comparison. Nobody reads more, and a program narrows the question.
pub(crate) const MOST_CELLS: usize = 20_000;
/// The measurements of a figure.
#[cfg(feature = "serve")]
pub(crate) const MOST_DRAWN: usize = 20_000;

/// A request waits so long for its turn.
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// An answer may take so long. The slowest question of the tests takes a tenth of it on a slow machine.
pub(crate) const LONGEST_ANSWER: Duration = Duration::from_secs(10);
/// The first page may take so long: it is made once for all who ask for it, while they wait.
#[cfg(feature = "serve")]
pub(crate) const LONGEST_FIRST_PAGE: Duration = Duration::from_secs(60);
/// So often it is looked whether the files have changed.
pub(crate) const LOOK_EVERY: Duration = Duration::from_secs(1);
