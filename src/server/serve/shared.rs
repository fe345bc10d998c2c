//! What all requests share.

use std::net::SocketAddr;
use std::sync::Arc;

use super::export::Exports;
use super::kept_answers::KeptAnswers;
use super::visitors::Visitors;
use crate::held::HeldKnowledgeBase;
use dlbench::measure::protocol::Hello;

/// What a server is told.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// Where it listens; port 0 takes a free one.
    pub address: SocketAddr,
    /// The names by which it may be asked, besides `localhost` and addresses. A page of somebody else that leads its own name to
    /// this address is refused by that.
    pub hosts: Vec<String>,
    /// Origins (`https://lab.example`) whose pages may read the API in a visitor's browser; `*` is every page. Without any, what lies
    /// on a person's own machine is read by no page of a stranger.
    pub origins: Vec<String>,
    /// So many requests of one address a second; 0 is no limit.
    pub rate: u32,
    /// So much memory holds answers that were given lately, in MiB; 0 keeps none.
    pub keep_mib: u32,
    /// What the worker of this machine says of it, where it was asked: what is wanted is told with what can be measured here.
    pub worker: Option<Hello>,
    /// The program's version.
    pub version: &'static str,
}

/// What all requests share.
pub(super) struct Shared {
    pub held: Arc<HeldKnowledgeBase>,
    pub options: ServeOptions,
    pub visitors: Visitors,
    pub exports: Exports,
    pub kept: KeptAnswers,
}
