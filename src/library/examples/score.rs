//! For the time of the rewrite: how many questions of the corpus are read as they are meant. `cargo run -p dlbench-library --features
//! engine-only --no-default-features --example score -- [--ask compare] [--first 20] [--all] [WORD …]`
#[path = "../../acceptance/canonical.rs"]
mod canonical;

use std::collections::BTreeMap;

use canonical::Form;
use dlbench::ask::parse::{Claim, Filter, Is, Key, Quantity, Question, Term, parse};
use dlbench::stores::Stores;

fn main() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let cache = std::env::var("DLBENCH_ENGINE").unwrap_or_else(|_| "/tmp/dlbench-engine".to_owned());
    let stores = Stores::open(root, std::path::Path::new(&cache)).expect("the stores open");
    let table = std::fs::read_to_string(root.join("src/acceptance/questions.tsv")).expect("the corpus");
    let (mut only, mut first, mut all, mut words) = (None, usize::MAX, false, Vec::new());
    let mut options = std::env::args().skip(1);
    while let Some(option) = options.next() {
        match option.as_str() {
            "--ask" => only = options.next(),
            "--first" => first = options.next().and_then(|n| n.parse().ok()).unwrap_or(first),
            "--all" => all = true,
            word => words.push(word.to_lowercase()),
        }
    }
    let mut score: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut wrong, mut unread, mut unsaid, mut shown) = (0, 0, Vec::new(), 0);
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
        let ask = Form::of(meant).ask().to_owned();
        if only.as_ref().is_some_and(|only| *only != ask) {
            continue;
        }
        let found = Form::of(&said);
        let right = forms.iter().any(|form| form.agrees(&found));
        let of = score.entry(ask).or_default();
        of.0 += usize::from(right);
        of.1 += 1;
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

/// The canonical form, until the library prints it.
fn print(question: &Question) -> String {
    let mut parts = Vec::new();
    if !question.sides.is_empty() {
        let sides: Vec<String> = question.sides.iter().map(|side| format!("({})", filter(side))).collect();
        parts.push(sides.join(" vs "));
    }
    parts.push(filter(&question.subject));
    if let Some(of) = &question.of {
        parts.push(format!("of:{}", key(of)));
    }
    if !question.wants.is_empty() {
        parts.push(format!("show:{}", question.wants.iter().map(quantity).collect::<Vec<_>>().join(",")));
    }
    if let Some(along) = question.along {
        parts.push(format!("along:{}", along.key()));
    }
    if let Some(lines) = &question.lines {
        parts.push(format!("lines:{}", key(lines)));
    }
    if let Some(order) = &question.order {
        parts.push(format!("{}:{}", order.end, quantity(&order.by)));
    }
    if let Some(beyond) = &question.beyond {
        parts.push(format!("{}-than:({})", if beyond.better { "faster" } else { "slower" }, filter(&beyond.than)));
    }
    if let Some(claim) = question.claim {
        let times = |factor: Option<f64>| factor.map_or_else(String::new, |factor| format!("*{factor}"));
        parts.push(match claim {
            Claim::Better(factor) => format!("claim:better{}", times(factor)),
            Claim::Worse(factor) => format!("claim:worse{}", times(factor)),
            Claim::Holds => "claim:holds".to_owned(),
            Claim::Comparable => "claim:comparable".to_owned(),
        });
    }
    if let Some(take) = question.take {
        parts.push(format!("take:{take}"));
    }
    if let Some((aspect, largest)) = question.sort {
        parts.push(format!("sort:{}{}", if largest { "-" } else { "" }, aspect.key()));
    }
    parts.push(format!("ask:{}", question.ask));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

fn key(key: &Key) -> String {
    match key {
        Key::Facet(facet) => facet.key().to_owned(),
        Key::Aspect(aspect) => aspect.key().to_owned(),
        Key::Grade(id) => id.clone(),
        Key::Rows => "rows".to_owned(),
        Key::Sources => "sources".to_owned(),
        Key::Text => "text".to_owned(),
    }
}

fn quantity(quantity: &Quantity) -> String {
    match quantity {
        Quantity::Speed => "speed".to_owned(),
        Quantity::Metric(metric) => metric.key().to_owned(),
        Quantity::Derived(derived) => derived.key().to_owned(),
        Quantity::Fact(fact) => fact.key().to_owned(),
        Quantity::Field(field) => field.key().to_owned(),
        Quantity::HardwareMetric(id) | Quantity::FrameworkMetric(id) => id.clone(),
        Quantity::Rows => "rows".to_owned(),
        Quantity::Sources => "sources".to_owned(),
        Quantity::Principles => "principles".to_owned(),
        Quantity::Criteria => "criteria".to_owned(),
    }
}

fn filter(of: &Filter) -> String {
    use std::ops::Bound::{Excluded, Included, Unbounded};
    let terms: Vec<String> = of
        .terms
        .iter()
        .map(|term| match term {
            Term::Not(inner) if inner.terms.len() == 1 && !filter(inner).starts_with('-') => {
                format!("-{}", filter(inner))
            }
            Term::Not(inner) => format!("-({})", filter(inner)),
            Term::Any(ways) => format!("({})", ways.iter().map(filter).collect::<Vec<_>>().join(" OR ")),
            Term::Test(test) => {
                let name = key(&test.key);
                let quoted = |value: &String| if value.contains(' ') { format!("\"{value}\"") } else { value.clone() };
                match &test.is {
                    Is::OneOf(values) => format!("{name}:{}", values.iter().map(quoted).collect::<Vec<_>>().join(",")),
                    Is::Stated => format!("{name}:*"),
                    Is::Within(low, high) => {
                        let low = match low {
                            Included(value) => Some((">=", value)),
                            Excluded(value) => Some((">", value)),
                            Unbounded => None,
                        };
                        let high = match high {
                            Included(value) => Some(("<=", value)),
                            Excluded(value) => Some(("<", value)),
                            Unbounded => None,
                        };
                        match (low, high) {
                            (Some((">=", a)), Some(("<=", b))) if a == b => format!("{name}:{a}"),
                            (low, high) => {
                                let ends = [low, high].into_iter().flatten();
                                ends.map(|(sign, value)| format!("{name}{sign}{value}")).collect::<Vec<_>>().join(" ")
                            }
                        }
                    }
                }
            }
        })
        .collect();
    terms.join(" ")
}

/// Long lists of names, cut.
fn short(text: &str) -> String {
    let cut = |word: &str| {
        let names: Vec<&str> = word.split(',').collect();
        if names.len() > 5 { format!("{},{},… ({})", names[0], names[1], names.len()) } else { word.to_owned() }
    };
    text.split(' ').map(cut).collect::<Vec<_>>().join(" ")
}
