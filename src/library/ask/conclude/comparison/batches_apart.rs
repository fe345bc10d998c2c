//! From which batch on a side is the better one: `the smallest batch on which the A100 beats the V100`.

use std::collections::BTreeMap;

use super::inputs::SideComparison;
use super::outcomes::Outcome;
use crate::ask::conclude::basis::matched_pairs::Spread;
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::wording::{pairs_in_words, three};
use crate::model::Field;
use crate::values::text::{and_list, counted};

/// So many batches are told at which it is not.
const MOST_BATCHES: usize = 5;

impl SideComparison<'_> {
    /// At which batches the side that is asked about is ahead, stage by stage; `None` where that is not asked.
    pub(super) fn by_batch(&self, outcome: &Outcome<'_>, baseline: &Side) -> Option<String> {
        if !self.asks_batch || self.varied.contains(&Field::BatchSize) {
            return None;
        }
        let asked = if self.asked_is_baseline { baseline } else { outcome.subject };
        let stages: Vec<&Outcome<'_>> = match outcome.stages.as_slice() {
            [] => vec![outcome],
            stages => stages.iter().collect(),
        };
        let told: Vec<String> = stages
            .iter()
            .map(|stage| format!("In {} {}", self.stage_in_words(stage), self.ahead(stage, &asked.name)))
            .collect();
        Some(told.join(" "))
    }

    /// `the smallest batch at which A100 is ahead is 4 (1.17 times, 2 matched pairs); it is not at 1 (0.89 times).`
    fn ahead(&self, outcome: &Outcome<'_>, name: &str) -> String {
        let mut ratios: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
        for pair in &outcome.pairs {
            let ratio = if self.asked_is_baseline { pair.ratio.recip() } else { pair.ratio };
            if let Some(batch) = self.values.batch(&pair.subject.parts) {
                ratios.entry(batch).or_default().push(ratio);
            }
        }
        let by_batch: Vec<(i64, Spread)> =
            ratios.into_iter().filter_map(|(batch, ratios)| Some((batch, Spread::of(ratios)?))).collect();
        let (Some((least, _)), Some((most, _))) = (by_batch.first(), by_batch.last()) else {
            return format!("no batch is stated of the pairs, so that none is the first at which {name} is ahead.");
        };
        let (ahead, behind): (Vec<_>, Vec<_>) = by_batch.iter().partition(|(_, spread)| spread.mean > 1.0);
        let Some((batch, spread)) = ahead.first() else {
            return format!(
                "{name} is ahead at none of {} that both were measured at ({least} to {most}).",
                counted(by_batch.len(), "batch", "batches")
            );
        };
        let not: Vec<String> = behind
            .iter()
            .take(MOST_BATCHES)
            .map(|(batch, spread)| format!("{batch} ({} times)", three(spread.mean)))
            .collect();
        let not = match not.is_empty() {
            true => {
                format!(", the smallest of {} that both were measured at", counted(by_batch.len(), "batch", "batches"))
            }
            false => format!("; it is not at {}", and_list(&not)),
        };
        format!(
            "the smallest batch at which {name} is ahead is {batch} ({} times, {}){not}.",
            three(spread.mean),
            pairs_in_words(spread.n)
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;

    const ROWS: &str = r#"
[[table]]
columns = ["device", "batch-size", "throughput-per-s"]
rows = [["nova", 1, 90], ["core", 1, 100], ["nova", 8, 300], ["core", 8, 200], ["nova", 64, 900], ["core", 64, 300]]
"#;

    #[test]
    fn the_first_batch_at_which_a_side_is_ahead_is_told_where_it_is_asked() {
        let sample = Sample::without("batch-size = 16\n", &[("paper-2020", ROWS)]);
        let mut question = sample.versus("", &["device:nova", "device:core"]);
        assert!(!sample.conclude(&question).text.contains("smallest batch"));
        question.wanted.by_batch = true;
        let text = sample.conclude(&question).text;
        let first = "In inference the smallest batch at which Nova is ahead is 8 (1.50 times, 1 matched pair); it is not at 1 (0.900 times).";
        assert!(text.starts_with(first), "{text}");
    }
}
