//! For the time of the rewrite: how questions are read, one line each; from the standard input.
use std::io::BufRead as _;
use std::ops::Bound;

use dlbench::ask::parse::{Filter, Is, Key, Quantity, Term, Test, parse};
use dlbench::stores::Stores;

fn key(key: &Key) -> String {
    match key {
        Key::Facet(facet) => facet.key().into(),
        Key::Aspect(aspect) => aspect.key().into(),
        Key::Grade(id) => id.clone(),
        other => format!("{other:?}"),
    }
}

fn test(test: &Test) -> String {
    let is = match &test.is {
        Is::OneOf(values) if values.len() > 6 => format!("{}..({})", values[0], values.len()),
        Is::OneOf(values) => values.join(","),
        Is::Stated => "*".into(),
        Is::Within(low, high) => {
            let end = |bound: &Bound<f64>, open: &str| match bound {
                Bound::Included(value) => format!("{value}"),
                Bound::Excluded(value) => format!("{open}{value}"),
                Bound::Unbounded => String::new(),
            };
            format!("{}..{}", end(low, ">"), end(high, "<"))
        }
    };
    format!("{}:{is}", key(&test.key))
}

fn filter(of: &Filter) -> String {
    let terms: Vec<String> = of
        .terms
        .iter()
        .map(|term| match term {
            Term::Test(one) => test(one),
            Term::Not(inner) => format!("-({})", filter(inner)),
            Term::Any(all) => format!("({})", all.iter().map(filter).collect::<Vec<_>>().join(" OR ")),
        })
        .collect();
    terms.join(" ")
}

fn quantity(of: &Quantity) -> String {
    match of {
        Quantity::Metric(metric) => metric.key().into(),
        Quantity::Derived(derived) => derived.key().into(),
        Quantity::Fact(fact) => format!("fact.{}", fact.key()),
        Quantity::Field(field) => format!("field.{}", field.key()),
        Quantity::HardwareMetric(id) => format!("grade.{id}"),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn main() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let stores = Stores::open(root, std::path::Path::new("/tmp/dlbench-engine")).expect("the stores open");
    let start = std::time::Instant::now();
    let mut count = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("a line");
        count += 1;
        let question = match parse(&line, &stores.database) {
            Ok(question) => question,
            Err(error) => {
                println!("{line}\terror\t{error}");
                continue;
            }
        };
        let mut parts = vec![filter(&question.subject)];
        let sides: Vec<String> = question.sides.iter().map(|side| format!("({})", filter(side))).collect();
        if !sides.is_empty() {
            parts.push(sides.join(" vs "));
        }
        if !question.wants.is_empty() {
            parts.push(format!("show:{}", question.wants.iter().map(quantity).collect::<Vec<_>>().join(",")));
        }
        if let Some(of) = &question.of {
            parts.push(format!("of:{}", key(of)));
        }
        if let Some(order) = &question.order {
            parts.push(format!("{}:{}", order.end, quantity(&order.by)));
        }
        if let Some(along) = &question.along {
            parts.push(format!("along:{}", along.key()));
        }
        if let Some(lines) = &question.lines {
            parts.push(format!("lines:{}", key(lines)));
        }
        if let Some(beyond) = &question.beyond {
            parts.push(format!("beyond:{}({})", beyond.better, filter(&beyond.than)));
        }
        if let Some(claim) = &question.claim {
            parts.push(format!("claim:{claim:?}"));
        }
        if let Some(take) = question.take {
            parts.push(format!("take:{take}"));
        }
        let unread: Vec<String> = question
            .spans
            .iter()
            .filter(|span| span.how.is_unread())
            .map(|span| format!("{}={:?}", span.text, span.how))
            .collect();
        println!("{line}\t{}\t{}\t{}", question.ask, parts.join(" "), unread.join("; "));
        if std::env::var("SPANS").is_ok() {
            for span in &question.spans {
                println!("    {:?} {} {:?} {:?} {}", span.text, span.facet, span.values, span.how, span.rule);
            }
        }
    }
    eprintln!("{count} questions, {:?} each", start.elapsed() / count.max(1));
}
