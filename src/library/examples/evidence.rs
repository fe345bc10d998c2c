//! For the time of the rewrite: writes what evidence, contradictions and wanted cells are found, as JSON into a folder.
use dlbench::ask::evidence::{EvidenceRequest, WantedRequest, contradictions, evidence, wanted};
use dlbench::stores::Stores;

fn main() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let stores = Stores::open(root, std::path::Path::new("/tmp/dlbench-engine")).expect("the stores open");
    let folder = std::path::PathBuf::from(std::env::args().nth(1).expect("a folder"));
    let shuffles = std::env::args().nth(2).and_then(|count| count.parse().ok());
    let begun = std::time::Instant::now();
    let write = |name: &str, text: Result<String, serde_json::Error>| {
        std::fs::write(folder.join(name), text.expect("it is JSON")).expect("it is written");
        println!("{name} {:?}", begun.elapsed());
    };
    let request = EvidenceRequest { shuffles, ..EvidenceRequest::default() };
    let found = evidence(&stores, &stores.content, &request).expect("evidence");
    write("evidence.json", serde_json::to_string_pretty(&found));
    let found = contradictions(&stores, &stores.content, "").expect("contradictions");
    write("contradictions.json", serde_json::to_string_pretty(&found));
    let found = wanted(&stores, &stores.content, &WantedRequest::default()).expect("wanted");
    write("wanted.json", serde_json::to_string_pretty(&found));
}
