//! Repeats of one run that differ from each other as repeats do not.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Metric, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(420),
    title: "a repeat far off the others",
    severity: Severity::Warning,
    page: "Rows of one file that differ in the number of the run alone, which their label states (`run 0`, `run 1`), repeat one thing: trainings to an accuracy take twice as long at most where the seed is bad. One that is more than three times off the middle of the others has a digit too many or too few.",
    sample: Sample::edited(
        "measurements/imagined-2018/repeats.toml",
        "[\"c\", 64, 221.0],\n  [\"d\", 64, 223.5],\n  [\"e\", 64, 224.0],",
        "[\"run 0\", 32, 121.0],\n  [\"run 1\", 32, 12.4],\n  [\"run 2\", 32, 122.0],\n  [\"run 3\", 32, 123.0],",
    ),
    check: Check::Rows(find),
};

/// Fewer others have no middle.
const FEWEST: usize = 4;

/// A repeat is within so many times of the middle one.
const MOST: f64 = 3.0;

const METRICS: &[Metric] = &[Metric::TimeToAccuracyS, Metric::TotalS, Metric::LatencyMs, Metric::ThroughputPerS];

static RUN: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\brun \d+\b").expect("the pattern is tested"));

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let mut repeats: HashMap<(&Path, u64, String), Vec<usize>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let Some(label) = row.get().text(Field::Label).filter(|label| RUN.is_match(label)) else { continue };
        let setting = context.setting_but_for(at, &[Field::Label]);
        repeats.entry((&row.file().path, setting, RUN.replace_all(label, "").into_owned())).or_default().push(at);
    }
    let mut told: Vec<(usize, Metric, f64)> = Vec::new();
    for rows in repeats.values().filter(|rows| rows.len() >= FEWEST) {
        for metric in METRICS {
            let value = |at: &usize| Some((*at, context.loaded.rows[*at].get().metric(*metric)?.value()));
            let mut values: Vec<(usize, f64)> =
                rows.iter().filter_map(value).filter(|(_, value)| *value > 0.0).collect();
            if values.len() < FEWEST {
                continue;
            }
            values.sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
            let middle = values[values.len() / 2].1;
            let far = values.iter().filter(|(_, value)| !(middle / MOST..=middle * MOST).contains(value));
            told.extend(far.map(|(at, _)| (*at, *metric, middle)));
        }
    }
    told.sort_unstable_by_key(|(at, _, _)| *at);
    for (at, metric, middle) in told {
        let row = IndexedRow { at, row: &context.loaded.rows[at] };
        let message = format!("the middle of the other runs is {middle}");
        found.in_row(&row, metric.key(), message, "a digit too many or too few?");
    }
}
