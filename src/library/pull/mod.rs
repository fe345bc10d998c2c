//! A newer knowledge base from elsewhere: fetched, compared, accepted by the strict reader, and only then answered from.
//!
//! What is fetched is believed last: it lies in a file of its own until it is whole (`partial`), is unpacked beside that
//! (`accept`), and becomes the one that answers by the renaming of one small file (`installed`). Whatever a server does and
//! whenever this process ends, what answers is what answered before or what was fetched, whole.

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
