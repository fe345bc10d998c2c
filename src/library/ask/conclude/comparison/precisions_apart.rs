//! Precisions that tell against each other: where one side is better in fp32 and the other in fp16, a mean over both tells neither.

use std::collections::BTreeMap;

use super::inputs::SideComparison;
use super::outcomes::Outcome;
use crate::ask::conclude::basis::matched_pairs::Spread;
use crate::ask::conclude::basis::wording::three;
use crate::model::{Aspect, Field};
use crate::values::text::{and_list, counted};

/// Fewer pairs of a precision tell nothing against the others.
const LEAST_PAIRS: usize = 2;

impl SideComparison<'_> {
    /// How many times as good the better side is in each precision, where one of them says otherwise; `None` where none does, and
    /// where the precisions themselves are compared.
    pub(super) fn by_precision(&self, outcome: &Outcome<'_>) -> Option<String> {
        if self.varied.contains(&Field::Precision) || !outcome.stages.is_empty() {
            return None;
        }
        let mut ratios: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for pair in &outcome.pairs {
            let stated = self.values.text(Aspect::Field(Field::Precision), &pair.subject.parts);
            stated.into_iter().for_each(|precision| ratios.entry(precision).or_default().push(pair.ratio));
        }
        let wins = outcome.spread.mean >= 1.0;
        let told =
            ratios.into_iter().filter(|(_, ratios)| ratios.len() >= LEAST_PAIRS).filter_map(|(precision, ratios)| {
                let spread = Spread::of(ratios)?;
                Some((precision, if wins { spread } else { spread.inverted() }))
            });
        let told: Vec<(&str, Spread)> = told.collect();
        let is_otherwise = told.iter().any(|(_, spread)| spread.mean < 1.0);
        let is_so = told.iter().any(|(_, spread)| spread.mean >= 1.0);
        let each = told.iter().map(|(precision, spread)| {
            format!("{} times in {precision} ({})", three(spread.mean), counted(spread.n, "pair", "pairs"))
        });
        (is_otherwise && is_so)
            .then(|| format!(" The precisions do not agree: {}.", and_list(&each.collect::<Vec<_>>())))
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;

    #[test]
    fn precisions_that_disagree_are_told_apart() {
        let rows = |fp16: u32| {
            format!(
                r#"
[[table]]
columns = ["device", "network", "precision", "throughput-per-s"]
rows = [
  ["nova", "deepnet-50", "fp32", 400], ["core", "deepnet-50", "fp32", 100],
  ["nova", "deepnet-18", "fp32", 400], ["core", "deepnet-18", "fp32", 100],
  ["nova", "deepnet-50", "fp16", {fp16}], ["core", "deepnet-50", "fp16", 100],
  ["nova", "deepnet-18", "fp16", {fp16}], ["core", "deepnet-18", "fp16", 100],
]
"#
            )
        };
        let told = |fp16: u32| {
            let sample = Sample::of(&[("paper-2020", &rows(fp16))]);
            sample.conclude(&sample.versus("", &["device:nova", "device:core"])).text
        };
        let apart = told(50);
        for part in ["The precisions do not agree: ", "times in fp16 (2 pairs)", "4 times in fp32 (2 pairs)"] {
            assert!(apart.contains(part), "{apart}");
        }
        assert!(!told(200).contains("do not agree"), "{}", told(200));
    }
}
