//! The program `dlbench`: parse, dispatch, turn an error into text and an exit code.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(cli::run(std::env::args_os().collect(), None))
}
