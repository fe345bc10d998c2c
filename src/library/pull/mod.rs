//! Pulls a newer knowledge base: fetches it, verifies it, reads it strictly, and only then uses it for answers.
//!
//! Fetched data is not trusted until checked: it goes to a file of its own until it is complete (`partial`), is unpacked beside
//! it (`accept`), and becomes active by an atomic rename of one small file (`installed`). Whatever a server does and whenever
//! this process ends, the active knowledge base is either the previous one or the fetched one, complete.

#[cfg(feature = "online")]
mod client;
#[cfg(feature = "online")]
mod download;
mod error;
mod fetch;
mod installed;
#[cfg(not(feature = "online"))]
mod no_server;
mod request;
#[cfg(feature = "online")]
mod server;

pub use error::PullError;
pub use fetch::{Pulled, pull};
pub use installed::{Installed, PulledFolder, PulledState};
pub use installed::{Integrity, accepted_snapshot};
pub use request::Address;
pub use request::Validators;
pub use request::{PullLimits, PullObserver, PullRequest};
