//! `dlbench mcp`: the door for assistants.

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench_server::mcp;

/// How an assistant is told of it.
pub(super) const HELP: &str = "\
An assistant starts it and speaks the Model Context Protocol with it on stdin and stdout. Most take a configuration such as

  { \"mcpServers\": { \"dlbench\": { \"command\": \"dlbench\", \"args\": [\"mcp\"] } } }

The tools are query, compare, show, resolve and cite. Nothing is written, and no other host is asked. A changed knowledge base is taken
up without a restart. Exit status: 0 when stdin is closed, 2 when what comes is not the protocol
or the answers cannot be written.";

#[derive(Debug, Args)]
pub(super) struct McpArgs {}

pub(super) fn run(_: &McpArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    mcp::run(global.hold(mcp::CALLS_AT_A_TIME, screen)?, env!("CARGO_PKG_VERSION"))?;
    Ok(Outcome::Done)
}
