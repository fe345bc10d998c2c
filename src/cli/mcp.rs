//! `dlbench mcp`: the interface for assistants (Model Context Protocol).

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench_server::mcp;

/// How to register the command with an assistant, for `--help`.
pub(super) const HELP: &str = "\
An assistant starts this command and talks to it on stdin and stdout. Most accept a configuration such as

  { \"mcpServers\": { \"dlbench\": { \"command\": \"dlbench\", \"args\": [\"mcp\"] } } }

Tools: query, compare, evidence, show, resolve, cite. It writes nothing and contacts no other host. A changed knowledge
base is picked up without a restart. Exit status: 0 when stdin is closed, 2 on input that is not the protocol or if
answers cannot be written.";

#[derive(Debug, Args)]
pub(super) struct McpArgs {}

pub(super) fn run(_: &McpArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    mcp::run(global.open_live(mcp::CALLS_AT_A_TIME, screen)?, env!("CARGO_PKG_VERSION"))?;
    Ok(Outcome::Done)
}
