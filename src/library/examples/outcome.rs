//! For the time of the rewrite: what the engine answers to the corpus. `… --example outcome -- baseline FILE` sets the ratios of
//! comparisons against those of a file (question, subject, baseline, ratio, n, under), `… -- first` the first entries against the
//! corpus, `… -- QUESTION …` prints entries and remarks.
use std::collections::BTreeMap;
use std::time::Instant;

use dlbench::ask::execute::{Entry, EntryValue, Outcome, execute};
use dlbench::ask::parse::parse;
use dlbench::stores::Stores;

fn main() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let cache = std::env::var("DLBENCH_ENGINE").unwrap_or_else(|_| "/tmp/dlbench-engine".to_owned());
    let stores = Stores::open(root, std::path::Path::new(&cache)).expect("the stores open");
    let words: Vec<String> = std::env::args().skip(1).collect();
    let ask = |question: &str| -> Result<Outcome, String> {
        let read = parse(question, &stores.database).map_err(|error| error.to_string())?;
        execute(&stores, &read).map_err(|error| error.to_string())
    };
    match words.first().map(String::as_str) {
        Some("baseline") => baseline(&std::fs::read_to_string(&words[1]).expect("the file"), ask),
        Some("first") => {
            let table = std::fs::read_to_string(root.join("src/acceptance/questions.tsv")).expect("the corpus");
            first(&table, &stores);
        }
        Some("text") => {
            for question in &words[1..] {
                match dlbench::ask::answer::ask(&stores, question, &dlbench::ask::answer::Page::default()) {
                    Ok(answer) => println!("{question}\n    {}\n    {}", answer.question, answer.conclusion.text),
                    Err(error) => println!("{question}\n    {error}"),
                }
            }
        }
        _ => {
            for question in &words {
                let start = Instant::now();
                match ask(question) {
                    Ok(outcome) => {
                        println!("{question}: {} in {:?}", outcome.ask, start.elapsed());
                        outcome.entries.iter().take(8).for_each(|entry| println!("  {}", shown(entry)));
                        outcome.remarks.iter().for_each(|remark| println!("  - {remark:?}"));
                    }
                    Err(error) => println!("{question}: {error}"),
                }
            }
        }
    }
}

fn named(of: &indexmap::IndexMap<String, dlbench::model::Value>) -> String {
    of.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}

fn shown(entry: &Entry) -> String {
    let under: Vec<String> = entry
        .under
        .iter()
        .map(|(key, value)| format!("{key}={}", value.as_ref().map_or_else(|| "?".to_owned(), ToString::to_string)))
        .collect();
    format!(
        "{} [{}]{} {:?} {} {:?}..{:?} n={} under {}",
        entry.quantity,
        named(&entry.subjects),
        entry.baseline.as_ref().map_or_else(String::new, |of| format!(" vs [{}]", named(of))),
        entry.value,
        entry.unit.as_deref().unwrap_or_default(),
        entry.low,
        entry.high,
        entry.n,
        under.join(" ")
    )
}

fn baseline(table: &str, ask: impl Fn(&str) -> Result<Outcome, String>) {
    let mut of: BTreeMap<&str, Vec<[&str; 5]>> = BTreeMap::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        if let [question, subject, baseline, ratio, n, under] = line.split('\t').collect::<Vec<_>>()[..] {
            of.entry(question).or_default().push([subject, baseline, ratio, n, under]);
        }
    }
    let (mut same, mut near, mut far, mut none) = (0, 0, 0, 0);
    for (question, was) in &of {
        // The first entry of each pair of sides.
        let mut heads: Vec<&[&str; 5]> = Vec::new();
        for entry in was {
            if !heads.iter().any(|head| head[..2] == entry[..2]) {
                heads.push(entry);
            }
        }
        let found = ask(question);
        for [subject, other, ratio, n, under] in heads {
            let was: f64 = ratio.parse().unwrap_or(f64::NAN);
            let entry = found.as_ref().ok().and_then(|outcome| {
                let of_sides = outcome.entries.iter().filter_map(|entry| {
                    let sides = (named(&entry.subjects), entry.baseline.as_ref().map(named).unwrap_or_default());
                    let Some(EntryValue::Number(value)) = entry.value else { return None };
                    let is =
                        |side: &str, wanted: &str| wanted.split(' ').all(|part| side.split(' ').any(|of| of == part));
                    if entry.quantity != "speed-up" {
                        None
                    } else if is(&sides.0, subject) && is(&sides.1, other) {
                        Some((value, entry.n))
                    } else if is(&sides.1, subject) && is(&sides.0, other) {
                        Some((1.0 / value, entry.n))
                    } else {
                        None
                    }
                });
                // The headline, else one of the stage or network that was compared before.
                let found: Vec<(f64, usize)> = of_sides.collect();
                found.iter().find(|(value, _)| (value / was - 1.0).abs() <= 0.02).or(found.first()).copied()
            });
            match entry {
                Some((value, pairs)) => {
                    let off = (value / was - 1.0).abs();
                    if off <= 0.02 {
                        same += 1;
                    } else {
                        if off <= 0.1 {
                            near += 1
                        } else {
                            far += 1
                        }
                        println!("{question}\t{subject}\t{other}\twas {was} ({n}; {under})\tis {value:.4} ({pairs})");
                    }
                }
                None => {
                    none += 1;
                    let first = found.as_ref().map_or_else(Clone::clone, |outcome| {
                        outcome.entries.first().map_or_else(|| format!("{} {:?}", outcome.ask, outcome.remarks), shown)
                    });
                    println!(
                        "{question}\t{subject}\t{other}\twas {was} ({n})\tnone: {}",
                        &first[..first.len().min(200)]
                    );
                }
            }
        }
    }
    println!("within 2 %: {same}; within 10 %: {near}; farther: {far}; none: {none}");
}

/// Whether an entry is of a quantity, and of the subject named behind it on either side.
fn begins(entry: &Entry, first: &str) -> bool {
    let mut parts = first.split(' ');
    let has = |part: &str| {
        let Some((key, value)) = part.split_once('=') else { return false };
        let of = |side: &indexmap::IndexMap<String, dlbench::model::Value>| {
            side.get(key).is_some_and(|is| is.to_string() == value)
        };
        of(&entry.subjects) || entry.baseline.as_ref().is_some_and(of)
    };
    parts.next() == Some(entry.quantity.as_str()) && parts.all(has)
}

fn first(table: &str, stores: &Stores) {
    let mut score: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut slow, mut words, mut empty, mut failed) = (Vec::new(), Vec::new(), 0, 0);
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [question, meant, wanted, must] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let start = Instant::now();
        let answer = match dlbench::ask::answer::ask(stores, question, &dlbench::ask::answer::Page::default()) {
            Ok(answer) => answer,
            Err(error) => {
                failed += 1;
                println!("FAILED {question}: {error}");
                continue;
            }
        };
        slow.push((start.elapsed().as_millis(), question.to_owned()));
        let text = &answer.conclusion.text;
        words.push((text.split_whitespace().count(), question.to_owned()));
        if meant == "-" {
            continue;
        }
        let kind = meant.rsplit("ask:").next().unwrap_or_default().to_owned();
        if answer.is_empty() {
            empty += 1;
            println!("EMPTY  {question}: {text}");
        }
        let mut held = |right: bool, mark: &str, what: &str| {
            let of = score.entry(format!("{kind} {mark}")).or_default();
            of.0 += usize::from(right);
            of.1 += 1;
            if !right {
                let first = answer.conclusion.entries.first().map(shown).unwrap_or_default();
                println!("{mark}  {question}: {what}; {text} | {}", first.chars().take(160).collect::<String>());
            }
        };
        if wanted != "-" {
            held(answer.conclusion.entries.first().is_some_and(|entry| begins(entry, wanted)), "FIRST", wanted);
        }
        let entries = serde_json::to_string(&answer.conclusion.entries).unwrap_or_default();
        let remarks = answer.remarks.iter().map(|remark| remark.text.as_str()).collect::<Vec<_>>().join("\n");
        for part in must.split('|').filter(|_| must != "-") {
            let right = match part.strip_prefix('^') {
                Some(part) => text.starts_with(part),
                None => [text, &entries, &remarks].iter().any(|text| text.contains(part)),
            };
            held(right, "MUST", part);
        }
    }
    slow.sort_unstable_by(|a, b| b.cmp(a));
    words.sort_unstable_by(|a, b| b.cmp(a));
    println!("{score:?}\nempty {empty}, failed {failed}; slowest (ms): {:?}", &slow[..10]);
    println!("words: median {}, most {:?}", words[words.len() / 2].0, &words[..10]);
    let (right, of) = score.values().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    println!("{right} of {of}");
}
