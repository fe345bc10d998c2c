//! `dlbench serve`: the page and its JSON API.

use std::net::SocketAddr;

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::run::launching::greeting_of;
use super::screen::Screen;
use dlbench_server::serve::{self, ServeOptions};

#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8017")]
    address: SocketAddr,
    /// A name by which it may be asked, besides localhost and addresses; several times for several
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// An origin whose pages may read the API in a browser, such as `https://lab.example`; `*` is every page
    #[arg(long = "allow-origin", value_name = "ORIGIN", value_parser = origin)]
    origins: Vec<String>,
    /// So many requests of one address a second; 0 is no limit
    #[arg(long, value_name = "N", default_value_t = 100)]
    rate: u32,
    /// Answers that were given lately are kept in so much memory, until the knowledge base changes; 0 keeps none
    #[arg(long, value_name = "MIB", default_value_t = 128)]
    keep: u32,
    /// Say of what is wanted which device here would measure it: the worker is asked at the start what it has
    #[arg(long)]
    ask_worker: bool,
    /// The worker that is asked, and its arguments [default: dlbench-runner beside this program]
    #[arg(long, value_name = "COMMAND")]
    worker: Option<String>,
}

pub(super) fn run(args: &ServeArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let held = global.hold(serve::answers_at_a_time(), screen)?;
    let asks = args.ask_worker || args.worker.is_some();
    let options = ServeOptions {
        address: args.address,
        hosts: args.hosts.clone(),
        origins: args.origins.clone(),
        rate: args.rate,
        keep_mib: args.keep,
        worker: asks.then(|| greeting_of(args.worker.as_deref())).transpose()?,
        version: env!("CARGO_PKG_VERSION"),
    };
    serve::run(held, options, |address| screen.tell(&format!("listening on http://{address}/ (Ctrl-C ends it)")))?;
    Ok(Outcome::Done)
}

/// An origin as browsers send it: scheme, host and port, nothing behind them.
fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_origin = host.is_some_and(|host| {
        !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte))
    });
    match is_origin || text == "*" {
        true => Ok(text.to_ascii_lowercase()),
        false => Err(
            "an origin is a scheme, a host and perhaps a port, such as https://lab.example or http://localhost:8888"
                .to_owned(),
        ),
    }
}
