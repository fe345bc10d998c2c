//! Requests to servers: the one client that makes them, and its failures in words.

mod public_hosts;

use std::time::Duration;

use reqwest::blocking::{Client, ClientBuilder};
use reqwest::redirect::Policy;

pub(crate) use public_hosts::{HostRefusal, PublicHosts};

/// As many redirections as browsers follow, about.
pub(crate) const MOST_REDIRECTIONS: usize = 10;

/// A client that follows no redirection by itself. It tells servers what it is for, so that their owners know, and waits for
/// as long as `silence` for a response, and again for each part of its body.
///
/// # Errors
///
/// When the system offers no certificates, or no threads.
pub(crate) fn client(purpose: &str, silence: Duration) -> reqwest::Result<Client> {
    builder(purpose, silence).build()
}

/// The same before it is built, for one that resolves names in its own way.
pub(crate) fn builder(purpose: &str, silence: Duration) -> ClientBuilder {
    // ring is built by a C compiler alone; that somebody has chosen another provider before is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let user_agent = format!("dlbench/{} ({purpose})", env!("CARGO_PKG_VERSION"));
    Client::builder().user_agent(user_agent).timeout(silence).redirect(Policy::none())
}

/// Why there is no answer: the innermost cause says it best.
pub(crate) fn in_words(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it took too long".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
