//! For the time of the rewrite: each line of the standard input as canonical language, and whether it reads back as itself.
use std::io::BufRead as _;

use dlbench::ask::parse::{QueryError, Question, parse, print};
use dlbench::stores::Stores;

fn main() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let stores = Stores::open(root, std::path::Path::new("/tmp/dlbench-engine")).expect("the stores open");
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        match parse(&line, &stores.database) {
            Ok(question) => {
                let text = print(&question);
                let bare = |question: &Question| Question { spans: Vec::new(), ..question.clone() };
                let back = parse(&text, &stores.database);
                let same = back.as_ref().is_ok_and(|back| bare(back) == bare(&question));
                println!("{}{line}\t{text}", if same { "" } else { "DIFFERS " });
                if !same {
                    println!("    {:?}\n    {:?}", bare(&question), back.map(|back| bare(&back)));
                }
                let mut at = 0;
                for span in &question.spans {
                    let gap = line.get(at..span.from).unwrap_or("OVERLAP");
                    if gap.contains(|c: char| c.is_alphanumeric()) {
                        println!("    GAP {gap:?} {:?}", question.spans);
                    }
                    at = span.to;
                }
                if line[at..].contains(|c: char| c.is_alphanumeric()) {
                    println!("    GAP {:?}", &line[at..]);
                }
            }
            Err(QueryError::Grammar(error)) => println!("{line}\n    {error:?}"),
            Err(error) => println!("{line}\n    {error}"),
        }
    }
}
