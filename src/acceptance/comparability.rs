//! What makes two numbers comparable, held against pairs of the real data that were judged by hand.
//!
//! `comparability.tsv` has a pair a line: two ids, the metric, the verdict, the fields that decide it, and why. The
//! judgements were made from what the sources say, not from what the program says; where the two disagree, the test
//! prints it.

use std::collections::BTreeMap;
use std::path::Path;

use dlbench::KnowledgeBase;

use crate::{REPOSITORY, shared_cache};

const PAIRS: &str = include_str!("comparability.tsv");

/// Less agreement than this is a mistake, of the program or of the judge.
const LEAST_AGREEMENT: f64 = 0.97;

#[test]
fn verdicts_agree_with_those_made_by_hand() {
    let kb = KnowledgeBase::open_with_cache(Path::new(REPOSITORY), shared_cache()).expect("the real knowledge base");
    let (mut agreeing, mut judged, mut told) = (0, 0, Vec::new());
    let mut by_verdict: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for line in PAIRS.lines().skip(1) {
        let [a, b, metric, verdict, fields, why] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("six columns: {line}")
        };
        let ids = [a.to_owned(), b.to_owned()];
        let found = kb.verdict(&ids, metric.parse().ok(), &[]).unwrap_or_else(|error| panic!("{line}: {error}"));
        let kind = serde_json::to_value(found.kind).expect("a word");
        let decides = |field: &str| found.verdict.contains(field);
        let agrees = kind == verdict && fields.split(',').filter(|field| !field.is_empty()).all(decides);
        judged += 1;
        agreeing += usize::from(agrees);
        let counts = by_verdict.entry(verdict).or_default();
        counts.0 += usize::from(agrees);
        counts.1 += 1;
        if !agrees {
            told.push(format!(
                "{a} {b} {metric}\n  by hand: {verdict} [{fields}], {why}\n  found:   {}",
                found.verdict
            ));
        }
    }
    println!("{agreeing} of {judged} verdicts agree with those made by hand");
    for (verdict, (agreeing, judged)) in &by_verdict {
        println!("  {verdict}: {agreeing} of {judged}");
    }
    println!("{}", told.join("\n"));
    assert!(judged >= 200, "only {judged} pairs are judged");
    assert!(by_verdict.len() >= 4, "{by_verdict:?}");
    let agreement = agreeing as f64 / judged as f64;
    assert!(agreement >= LEAST_AGREEMENT, "{agreeing} of {judged}:\n{}", told.join("\n"));
}
