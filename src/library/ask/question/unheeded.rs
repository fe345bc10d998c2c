//! Turns of phrase that the answer does not heed: what kind of answer they ask for is not the one that is given. They are told in
//! its first line, as words are that were not understood.

use super::clause::Clause;
use super::hints::Hints;
use super::intent::Intent;
use super::interpreter::Interpreter;
use super::question::{Quantity, Wanted};
use super::sides::kind_of;
use super::vocabulary::{Cue, plain};
use crate::model::{Aspect, Facet, Fact, Field};

/// Words that compare; other turns of phrase ask for advice, which any answer may be.
const COMPARING: &[&str] = &["faster", "slower", "quicker", "better", "worse", "cheaper", "superior"];

impl Interpreter<'_> {
    /// Leaves out the turns of phrase that have no effect on what is wanted.
    pub(super) fn leave_out_unheeded(&mut self, clauses: &[Clause], wanted: &Wanted, hints: &Hints) {
        let is_ordered = self.sort.is_some();
        for (text, cue) in &hints.turns {
            if !is_advice(text, *cue) && !is_heeded(*cue, wanted, clauses, is_ordered) {
                self.leave_out(text);
            }
        }
    }
}

/// Whether a turn of phrase asks for advice: `should I buy`.
pub(super) fn is_advice(text: &str, cue: Cue) -> bool {
    cue == Cue::Comparative && !COMPARING.contains(&plain(text).as_str())
}

/// Whether what is wanted is what a turn of phrase asks for.
fn is_heeded(cue: Cue, wanted: &Wanted, clauses: &[Clause], is_ordered: bool) -> bool {
    let is_one_of = |intents: &[Intent]| intents.contains(&wanted.intent);
    let compares = wanted.sides.len() > 1 || is_one_of(&[Intent::Comparison, Intent::Relation]);
    match cue {
        Cue::Compare | Cue::Comparative => {
            compares
                || !wanted.unknown_names.is_empty()
                || wanted.claimed_factor.is_some()
                || is_one_of(&[Intent::Ranking, Intent::Grade])
        }
        Cue::SpeedUp | Cue::Effect | Cue::Correlation => compares || wanted.intent == Intent::Ranking,
        Cue::Scaling => compares || is_one_of(&[Intent::Ranking, Intent::Grade]),
        Cue::Rank => is_ordered || is_one_of(&[Intent::Ranking, Intent::Grade, Intent::Relation]),
        Cue::Newest | Cue::LowPower => is_ordered || wanted.superlative.is_some(),
        Cue::Maintained | Cue::Abandoned => {
            wanted.quantities.contains(&Quantity::Fact(Fact::Maturity))
                || clauses.iter().any(|clause| kind_of(clause) == Fact::Maturity.key())
        }
        Cue::WhoMeasured | Cue::Members => wanted.intent == Intent::List,
        Cue::MostMeasured => wanted.most_measured,
        Cue::Unmeasured => wanted.unmeasured || !wanted.none_of.is_empty(),
        Cue::Grades | Cue::Survey => {
            let of_survey = |quantity: &Quantity| {
                matches!(
                    quantity,
                    Quantity::HardwareMetric(_)
                        | Quantity::Principles
                        | Quantity::Criteria
                        | Quantity::Fact(Fact::TestedNetwork | Fact::TestedDataset)
                )
            };
            // Frameworks are compared by metrics, and by none of them graded.
            let lists_classes =
                wanted.intent == Intent::List && wanted.candidates != Some(Aspect::Field(Field::Framework));
            let may_tell = is_one_of(&[Intent::Grade, Intent::Overview, Intent::Comparison]) || lists_classes;
            // `frameworks in the survey` are those that it reports on.
            let reports = cue == Cue::Survey && clauses.iter().any(|clause| kind_of(clause) == Facet::Source.key());
            may_tell || reports || wanted.quantities.iter().any(of_survey)
        }
        Cue::Why => wanted.intent == Intent::Grade,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_for_another_answer_than_is_given_is_not_heeded() {
        let heeded = |cue, intent| is_heeded(cue, &Wanted { intent, ..Wanted::default() }, &[], false);
        assert!(heeded(Cue::Comparative, Intent::Comparison) && heeded(Cue::Scaling, Intent::Grade));
        assert!(!heeded(Cue::Comparative, Intent::Fact) && !heeded(Cue::Newest, Intent::Lookup));
        assert!(!heeded(Cue::Unmeasured, Intent::Lookup) && heeded(Cue::Speed, Intent::Lookup));
    }
}
