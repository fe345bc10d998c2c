//! For the time of the rewrite: opens the knowledge base of the repository. `cargo run -p dlbench-library --features engine-only
//! --no-default-features --example ask -- "QUESTION"…`
use std::time::Instant;

use dlbench::ask::execute::execute;
use dlbench::ask::parse::parse;
use dlbench::stores::Stores;

fn main() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let stores = Stores::open(root, std::path::Path::new("/tmp/dlbench-engine")).expect("the stores open");
    for text in std::env::args().skip(1) {
        println!("# {text}");
        let question = match parse(&text, &stores.database) {
            Ok(question) => question,
            Err(error) => {
                println!("error: {error}");
                continue;
            }
        };
        for span in &question.spans {
            println!("  {:?} {} = {:?} ({:?})", span.text, span.facet, span.values, span.how);
        }
        println!("  {:?} wants {:?} of {:?}", question.ask, question.wants, question.of);
        let begun = Instant::now();
        match execute(&stores, &question) {
            Ok(outcome) => {
                println!("  -> {:?} in {:?}", outcome.ask, begun.elapsed());
                for entry in outcome.entries.iter().take(12) {
                    println!("  {}", serde_json::to_string(entry).unwrap_or_default());
                }
                for remark in &outcome.remarks {
                    println!("  ! {remark:?}");
                }
                println!("  rows {:?} relaxed {:?}", outcome.rows, outcome.relaxed);
            }
            Err(error) => println!("error: {error}"),
        }
    }
}
