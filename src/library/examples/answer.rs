//! For the time of the rewrite: the answers to questions as values in words.
use std::time::Instant;

use dlbench::ask::answer::{Page, ask};
use dlbench::stores::Stores;

fn main() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let stores = Stores::open(root, std::path::Path::new("/tmp/dlbench-engine")).expect("the stores open");
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [file] = arguments.as_slice()
        && let Ok(text) = std::fs::read_to_string(file)
    {
        arguments = text.lines().map(str::to_owned).collect();
    }
    for text in arguments {
        let begun = Instant::now();
        println!("# {text}");
        match ask(&stores, &text, &Page::of_a_person(0)) {
            Ok(answer) => {
                let words = answer.conclusion.text.split_whitespace().count();
                println!(
                    "  {} [{} entries, total {}, {words} words, {:?}]",
                    answer.question,
                    answer.conclusion.entries.len(),
                    answer.total,
                    begun.elapsed()
                );
                println!("  > {}", answer.conclusion.text);
                for remark in &answer.remarks {
                    println!("  ! {} {:?}: {}", remark.code, remark.place, remark.text);
                }
            }
            Err(error) => println!("error: {error}"),
        }
    }
}
