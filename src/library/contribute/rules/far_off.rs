//! Far off every comparable row.

use std::collections::HashMap;

use crate::contribute::rule_interface::plausible_rate::rate;
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(408),
    title: "far off every comparable row",
    severity: Severity::Warning,
    page: "Other rows measure the same network, stage and precision with about this batch on this device, and this one is more than ten times faster or slower than every one of them. Only networks with parameters or multiply-adds in the catalog count: others may be of any size. Rows of all sources that are loaded count; a check of one file compares only with files of its source that could hold the same measurement.",
    sample: Sample::edited("measurements/imagined-2018/repeats.toml", "221.0", "22100.0"),
    check: Check::Rows(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let mut groups: HashMap<[&str; 6], Vec<(usize, f64)>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let text = |field| measurement.text(field).unwrap_or_default();
        let (Some((rate, _)), Some(network)) = (rate(measurement), measurement.text(Field::Network)) else { continue };
        let Some(device) = measurement.text(Field::Device).filter(|_| context.is_claimed(measurement)) else {
            continue;
        };
        // A single layer (DeepBench) is of any size; only what has figures is the same work every time.
        let entry = context.loaded.catalog.networks.get(network);
        if entry.is_none_or(|entry| entry.parameters_m.is_none() && entry.multiply_adds_g.is_none()) {
            continue;
        }
        let size = match measurement.items_in_batch() {
            None => "",
            Some(batch) if batch <= 2 => "one",
            Some(batch) if batch <= 16 => "few",
            Some(_) => "many",
        };
        let recipe = (text(Field::Precision), text(Field::Counts));
        let devices = measurement.devices() as f64;
        let key = [network, device, text(Field::Stage), recipe.0, recipe.1, size];
        groups.entry(key).or_default().push((at, rate / devices));
    }
    let mut told = Vec::new();
    for rows in groups.into_values().filter(|rows| rows.len() >= FEWEST) {
        let mut sorted: Vec<f64> = rows.iter().map(|(_, rate)| *rate).collect();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        for (at, rate) in rows {
            // The nearest other: its neighbours in the order, for the first and last row the next one.
            let slow = rate <= sorted[0] && rate * FAR < sorted[1];
            let fast = rate >= sorted[n - 1] && rate > sorted[n - 2] * FAR;
            if slow || fast {
                let nearest = if slow { sorted[1] } else { sorted[n - 2] };
                told.push((at, rate, nearest, n - 1));
            }
        }
    }
    told.sort_by_key(|(at, ..)| *at);
    for (at, own, nearest, others) in told {
        let row = &context.loaded.rows[at];
        let Some((_, key)) = rate(row.get()) else { continue };
        let (times, how) = if own > nearest { (own / nearest, "faster") } else { (nearest / own, "slower") };
        let message = format!("{times:.0} times {how} than the nearest of {others} comparable rows");
        let finding =
            found.in_row(&IndexedRow { at, row }, key, message, format!("the nearest makes {nearest:.1} a second"));
        let batch = row.get().items_in_batch().unwrap_or(1) as f64;
        if batch > 1.0 && (0.5..2.0).contains(&(times / batch)) {
            finding.help(format!("per item taken for per batch? The batch is {batch}"));
        } else if (500.0..2000.0).contains(&times) {
            finding.help("seconds taken for milliseconds?");
        }
    }
}

/// So many times off is no other driver or framework.
const FAR: f64 = 10.0;
/// Fewer rows are no company.
const FEWEST: usize = 5;
