//! For the time of the rewrite: opens the knowledge base of the repository. `cargo run -p dlbench-library --features engine-only
//! --no-default-features --example ask -- "QUESTION"…`
use dlbench::ask::{execute, parse};
use dlbench::stores::Stores;

fn main() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let stores = Stores::open(root, std::path::Path::new("/tmp/dlbench-engine")).expect("the stores open");
    for text in std::env::args().skip(1) {
        let question = parse::parse(&text, &stores.database).expect("a question");
        println!("== {text}\n   {:?}", question.subject);
        for span in &question.spans {
            println!("   {:?} {} {:?} {:?} {}", span.text, span.facet, span.values, span.how, span.rule);
        }
        let outcome = execute::execute(&stores, &question).expect("an outcome");
        println!("   {:?}: {} entries", outcome.ask, outcome.entries.len());
        for entry in outcome.entries.iter().take(6) {
            println!(
                "   {:?} vs {:?} {} = {:?} {:?} [{:?}..{:?}] n={} under {:?} {:?}",
                entry.subjects,
                entry.baseline,
                entry.quantity,
                entry.value,
                entry.unit,
                entry.low,
                entry.high,
                entry.n,
                entry.under,
                entry.sources
            );
        }
        println!("   {:?}", outcome.remarks);
    }
}
