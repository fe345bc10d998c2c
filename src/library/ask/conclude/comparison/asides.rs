//! Pairs that say something else than the others and are told apart from them: of single layers, of frameworks on the kernels of
//! different libraries, of integers without a sign.

use super::entries::NAMED_PAIRS;
use super::inputs::SideComparison;
use super::outcomes::{Aside, Outcome};
use crate::ask::conclude::basis::conclusion::Entry;
use crate::ask::conclude::basis::matched_pairs::{MatchedPair, Spread};
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::wording::{pairs_in_words, stage_name, three};
use crate::ask::question::QueryError;
use crate::model::{Aspect, Field};
use crate::values::text::and_list;

/// So many pairs of libraries are named.
const MOST_KERNELS: usize = 2;

impl SideComparison<'_> {
    /// What they come to in each stage: ` In single layers the ratio of V100 to P100 is 1.9 in forward (12 matched pairs).`
    pub(super) fn asides(
        &mut self,
        outcome: &Outcome<'_>,
        baseline: &Side,
    ) -> Result<(Option<String>, Vec<Entry>), QueryError> {
        let (mut sentences, mut entries) = (Vec::new(), Vec::new());
        for (aside, pairs) in &outcome.asides {
            let mut told = Vec::new();
            for stage in self.by_stage(pairs.clone()) {
                let Some(spread) = Spread::of(stage.iter().map(|pair| pair.ratio)) else { continue };
                let all: Vec<&MatchedPair> = stage.iter().collect();
                told.push(format!("{}{} ({})", three(spread.mean), self.in_stage(&all), pairs_in_words(spread.n)));
                entries.push(self.entry(outcome.subject, baseline, &all, NAMED_PAIRS.0)?);
            }
            if !told.is_empty() {
                let (own, other) = (&outcome.subject.name, &baseline.name);
                let lead = self.lead_of(*aside, pairs);
                sentences.push(format!("{lead} the ratio of {own} to {other} is {}.", and_list(&told)));
            }
        }
        Ok(((!sentences.is_empty()).then(|| sentences.join(" ")), entries))
    }

    /// ` in training`, unless stages are compared.
    fn in_stage(&self, pairs: &[&MatchedPair]) -> String {
        let stage = pairs.first().and_then(|pair| self.values.text(Aspect::Field(Field::Stage), &pair.subject.parts));
        match stage.filter(|_| !self.varied.contains(&Field::Stage)) {
            Some(stage) => format!(" in {}", stage_name(stage)),
            None => String::new(),
        }
    }

    /// `With other kernels (cuDNN against native)`.
    fn lead_of(&self, aside: Aside, pairs: &[MatchedPair]) -> String {
        match aside {
            Aside::Layers => return "In single layers".to_owned(),
            Aside::Unsigned => return "With unsigned integers (uint8)".to_owned(),
            Aside::Kernels => {}
        }
        let of = |parts| self.values.text(Aspect::Field(Field::KernelLibrary), parts).unwrap_or_default();
        let mut kernels: Vec<String> = pairs
            .iter()
            .map(|pair| format!("{} against {}", of(&pair.subject.parts), of(&pair.baseline.parts)))
            .collect();
        kernels.sort_unstable();
        kernels.dedup();
        let more = kernels.len().saturating_sub(MOST_KERNELS);
        kernels.truncate(MOST_KERNELS);
        kernels.extend((more > 0).then(|| format!("{more} more")));
        format!("With kernels of different libraries ({})", and_list(&kernels))
    }
}
