//! Compares whole processes: creates the knowledge bases, asks every tool 20 questions, and writes the page.
//!
//! ```text
//! scale prepare SIZE…    create the knowledge bases, and the same rows for the rivals
//! scale measure SIZE…    measure times and memory, into target/bench/SIZE/results.json
//! scale whole            measure comparisons, figures and exports of this repository's whole knowledge base
//! scale page             write src/benches/README.md from all existing results
//! ```

mod measure;
mod page;
mod results;
mod tools;
mod whole;

use std::error::Error;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    // `cargo bench` passes an extra option.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let sizes = || -> Outcome<Vec<usize>> {
        args[1..]
            .iter()
            .map(|size| size.parse().map_err(|_| format!("{size} is not a number of rows").into()))
            .collect()
    };
    match args.first().map(String::as_str) {
        Some("prepare") => sizes()?.into_iter().try_for_each(tools::prepare),
        Some("measure") => sizes()?.into_iter().try_for_each(measure::measure),
        Some("whole") => whole::measure(),
        Some("page") => page::write(),
        _ => {
            println!("nothing to do: expected prepare, measure, whole or page; `make bench` runs them in order");
            Ok(())
        }
    }
}
