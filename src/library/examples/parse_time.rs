//! For the time of the rewrite: how long questions take to be read.
use dlbench::ask::parse::{parse, print};
use dlbench::stores::Stores;

fn main() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let stores = Stores::open(root, std::path::Path::new("/tmp/dlbench-engine")).expect("the stores open");
    for text in std::env::args().skip(1) {
        let first = std::time::Instant::now();
        let question = parse(&text, &stores.database).expect("a question");
        let first = first.elapsed();
        let start = std::time::Instant::now();
        for _ in 0..200 {
            parse(&text, &stores.database).expect("a question");
        }
        println!("{first:?} first, {:?} then: {text} = {}", start.elapsed() / 200, print(&question));
    }
}
