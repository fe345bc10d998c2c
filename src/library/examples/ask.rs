//! For the time of the rewrite: opens the knowledge base of the repository. `cargo run -p dlbench-library --features engine-only
//! --no-default-features --example ask -- "QUESTION"…`
use dlbench::stores::Stores;

fn main() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let stores = Stores::open(root, std::path::Path::new("/tmp/dlbench-engine")).expect("the stores open");
    for question in std::env::args().skip(1) {
        println!("{question}: {}", stores.content);
    }
}
