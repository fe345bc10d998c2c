//! For the time of the rewrite: how many questions of the corpus are read as they are meant. `cargo run -p dlbench-library --features
//! engine-only --no-default-features --example score -- [--ask compare] [--first 20] [--all] [WORD …]`
#[path = "../../acceptance/canonical.rs"]
mod canonical;

use std::collections::BTreeMap;

use canonical::Form;
use dlbench::ask::parse::{parse, print};
use dlbench::stores::Stores;

fn main() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let cache = std::env::var("DLBENCH_ENGINE").unwrap_or_else(|_| "/tmp/dlbench-engine".to_owned());
    let stores = Stores::open(root, std::path::Path::new(&cache)).expect("the stores open");
    let table = std::fs::read_to_string(root.join("src/acceptance/questions.tsv")).expect("the corpus");
    let (mut only, mut first, mut all, mut words) = (None, usize::MAX, false, Vec::new());
    let mut forms_alone = false;
    let mut options = std::env::args().skip(1);
    while let Some(option) = options.next() {
        match option.as_str() {
            "--ask" => only = options.next(),
            "--first" => first = options.next().and_then(|n| n.parse().ok()).unwrap_or(first),
            "--all" => all = true,
            "--forms" => forms_alone = true,
            word => words.push(word.to_lowercase()),
        }
    }
    let mut score: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut wrong, mut unread, mut unsaid, mut shown, mut stopped) = (0, 0, Vec::new(), 0, Vec::new());
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [question, meant, _, must] = columns[..] else { panic!("four columns: {line:?}") };
        if !words.iter().all(|word| question.to_lowercase().contains(word)) {
            continue;
        }
        let read = parse(question, &stores.database);
        let said = read.as_ref().map_or_else(|error| format!("ERROR {error}"), print);
        let not_read: Vec<&str> = read.as_ref().map_or_else(
            |_| Vec::new(),
            |read| read.spans.iter().filter(|span| span.how.is_unread()).map(|span| span.text.as_str()).collect(),
        );
        if meant == "-" {
            if !must.split('|').all(|part| not_read.join(" ").to_lowercase().contains(&part.to_lowercase())) {
                unsaid.push(format!("{question}\n    must be unread: {must}\n    unread: {not_read:?}, read: {said}"));
            }
            continue;
        }
        let forms: Vec<Form> = meant.split(" ~ ").map(Form::of).collect();
        if forms_alone {
            for form in meant.split(" ~ ").filter(|form| !form.contains('…')) {
                match parse(form, &stores.database) {
                    Err(error) => println!("{form}\n    ERROR {error}"),
                    Ok(read) if !Form::of(form).agrees(&Form::of(&print(&read))) => {
                        println!("{form}\n    is   {}", short(&print(&read)));
                    }
                    Ok(read) => {
                        let again = parse(&print(&read), &stores.database).map(|again| print(&again));
                        if again.as_ref().ok() != Some(&print(&read)) {
                            println!("{form}\n    again {again:?}");
                        }
                    }
                }
            }
            continue;
        }
        let ask = Form::of(meant).ask().to_owned();
        if only.as_ref().is_some_and(|only| *only != ask) {
            continue;
        }
        let found = Form::of(&said);
        let right = forms.iter().any(|form| form.agrees(&found));
        let of = score.entry(ask).or_default();
        of.0 += usize::from(right);
        of.1 += 1;
        if right && read.as_ref().is_ok_and(|read| read.spans.iter().any(|span| span.how.stops())) {
            stopped.push(format!("{question}: {not_read:?}"));
        }
        if !right {
            wrong += 1;
            unread += usize::from(!not_read.is_empty());
        }
        if (!right || all) && shown < first {
            shown += 1;
            let mark = if right { "    ok" } else { "" };
            let said = short(&said);
            println!(
                "{question}{mark}\n    meant: {meant}\n    read:  {said}  {}",
                if not_read.is_empty() { String::new() } else { format!("unread {not_read:?}") }
            );
        }
    }
    println!("\nunknown names not said ({}):", unsaid.len());
    for line in unsaid.iter().take(first) {
        println!("{line}");
    }
    println!("\nread right, but stopped by a word ({}):\n{}", stopped.len(), stopped.join("\n"));
    let (right, of) = score.values().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    for (ask, (right, of)) in &score {
        println!("{ask:10} {right:4} of {of:4}");
    }
    println!(
        "{:10} {right:4} of {of:4} ({:.1} %); of {wrong} wrong {unread} say an unread word",
        "all",
        100.0 * right as f64 / of.max(1) as f64
    );
}

/// Long lists of names, cut.
fn short(text: &str) -> String {
    let cut = |word: &str| {
        let names: Vec<&str> = word.split(',').collect();
        if names.len() > 5 { format!("{},{},… ({})", names[0], names[1], names.len()) } else { word.to_owned() }
    };
    text.split(' ').map(cut).collect::<Vec<_>>().join(" ")
}
