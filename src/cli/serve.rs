//! `dlbench serve`: serves the web page and its JSON API.

use std::net::{Ipv4Addr, SocketAddr};

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use super::worker_kit::greeting_of;
use dlbench_server::serve::{self, ServeOptions};

#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// Address to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8017")]
    address: SocketAddr,
    /// Listen on this port, for this machine only
    #[arg(long, value_name = "PORT", conflicts_with = "address")]
    port: Option<u16>,
    /// Also accept this host name, besides localhost and IP addresses; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// An origin whose pages may read the API, such as `https://lab.example`; `*` allows all
    #[arg(long = "allow-origin", value_name = "ORIGIN", value_parser = origin)]
    origins: Vec<String>,
    /// Maximum requests per second from one address; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 100)]
    rate: u32,
    /// Memory for cached answers, in MiB; 0 disables the cache
    #[arg(long, value_name = "MIB", default_value_t = 128)]
    keep: u32,
    /// Show which device of this machine could make each missing measurement; asks the worker at startup
    #[arg(long)]
    ask_worker: bool,
    /// The worker command with its arguments [default: dlbench-runner beside this program]
    #[arg(long, value_name = "COMMAND")]
    worker: Option<String>,
}

pub(super) fn run(args: &ServeArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let live = global.open_live(serve::answers_at_a_time(), screen)?;
    let asks = args.ask_worker || args.worker.is_some();
    let options = ServeOptions {
        address: args.port.map_or(args.address, |port| (Ipv4Addr::LOCALHOST, port).into()),
        hosts: args.hosts.clone(),
        origins: args.origins.clone(),
        rate: args.rate,
        keep_mib: args.keep,
        worker: asks.then(|| greeting_of(args.worker.as_deref())).transpose()?,
        version: env!("CARGO_PKG_VERSION"),
    };
    serve::run(live, options, |address| screen.tell(&format!("listening on http://{address}/ (Ctrl-C ends it)")))?;
    Ok(Outcome::Done)
}

/// Parses an origin as browsers send it: scheme, host and port, nothing else.
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
