//! `dlbench site`: writes the web page as static files.

use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::global::{Global, Outcome};
use super::screen::Screen;
use dlbench::values::text::counted;
use dlbench_server::{serve, site};

#[derive(Debug, Args)]
pub(super) struct SiteArgs {
    /// Output folder; an unmodified site in it is replaced
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

pub(super) fn run(args: &SiteArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let kb = global.open(screen)?;
    let written = site::build(kb, &args.output, env!("CARGO_PKG_VERSION"), serve::answers_at_a_time());
    let written = written.map_err(|error| match error {
        site::SiteError::NotOurs { .. } => Failure::usage(error.to_string(), "name an empty folder, or a new one"),
        other => other.into(),
    })?;
    screen.tell(&format!(
        "{}, {:.1} MB: open {}",
        counted(written.files, "file", "files"),
        written.bytes as f64 / 1e6,
        args.output.join("index.html").display()
    ));
    Ok(Outcome::Done)
}
