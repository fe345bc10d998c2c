//! The libtorch worker of `dlbench run`. It speaks the protocol of `PROTOCOL.md` and measures one configuration.

mod built_model;
mod count;
mod failure;
mod layers;
mod libtorch;
mod networks;
mod precision;
mod serve;
mod stated;
mod workload;

use std::process::ExitCode;

fn main() -> ExitCode {
    serve::end_with_parent();
    precision::ComputeRecipe::announce(&std::env::var("DLBENCH_PRECISION").unwrap_or_default());
    // libtorch's exceptions arrive as panics, which are caught and reported to the parent; print nothing here.
    std::panic::set_hook(Box::new(|_| {}));
    match serve::serve(std::io::stdin().lock(), &mut std::io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // The parent has exited, so there is no one to report to.
        Err(_) => ExitCode::FAILURE,
    }
}
