//! The state shared by all requests.

use std::net::SocketAddr;
use std::sync::Arc;

use super::answer_cache::AnswerCache;
use super::export::Exports;
use super::visitors::Visitors;
use crate::live::LiveKnowledgeBase;
use dlbench::measure::protocol::Hello;

/// The options of a server.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The address to listen on; port 0 picks a free port.
    pub address: SocketAddr,
    /// Accepted host names besides `localhost` and IP addresses. This rejects pages of others that resolve their own
    /// name to this address (DNS rebinding).
    pub hosts: Vec<String>,
    /// Origins (`https://lab.example`) whose pages may read the API in a browser; `*` allows all. Without any, no
    /// foreign page can read a server on the user's own machine.
    pub origins: Vec<String>,
    /// Requests per second from one address; 0 means no limit.
    pub rate: u32,
    /// Memory for cached answers, in MiB; 0 disables the cache.
    pub keep_mib: u32,
    /// The self-description of this machine's worker, if it was asked: wanted measurements then show what can be measured here.
    pub worker: Option<Hello>,
    /// The program's version.
    pub version: &'static str,
}

/// The state shared by all requests.
pub(super) struct Shared {
    pub live: Arc<LiveKnowledgeBase>,
    pub options: ServeOptions,
    pub visitors: Visitors,
    pub exports: Exports,
    pub answer_cache: AnswerCache,
}
