//! The command line: parse, dispatch, turn an error into text and an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    dlbench::cli::main()
}
