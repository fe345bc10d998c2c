//! Turns of phrase that the answer does not heed: what kind of answer they ask for is not the one that is given. They are told in
//! its first line, as words are that were not understood.

use crate::ask::question::clause::Clause;
use crate::ask::question::comparative_words::is_comparative;
use crate::ask::question::error::QueryError;
use crate::ask::question::facing::kind_of;
use crate::ask::question::hints::{Hints, Mention};
use crate::ask::question::intent::Intent;
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::mentions::Context;
use crate::ask::question::question::{Quantity, Wanted};
use crate::ask::question::vocabulary::{Cue, plain, plain_words};
use crate::model::{Aspect, Facet, Fact, Field};
use crate::rows::Note;
use crate::values::EntityKind;

/// The metric of classes that each device has a value of, too.
const OF_CHIPS: &str = "die-size";

/// Kinds of clauses that say of a run how it was, and nothing of what ran.
const OF_RUNS: &[&str] = &[
    "stage",
    "scenario",
    "batch-size",
    "device-count",
    "precision",
    "mode",
    "partition",
    "setting",
    "layout",
    "threads",
    "division",
    "sequence-length",
    "text",
];

impl Interpreter<'_> {
    /// What facts are told of is an entity: of its version, of how it was run, and of words that nothing is called by they say
    /// nothing, which is told.
    pub(in crate::ask::question) fn leave_out_beside_facts(
        &mut self,
        clauses: &mut Vec<Clause>,
        wanted: &Wanted,
    ) -> Result<(), QueryError> {
        let facts: Vec<Fact> = wanted.quantities.iter().filter_map(fact_of).collect();
        let all_facts = !facts.is_empty() && facts.len() == wanted.quantities.len();
        let has_them = |clause: &Clause| {
            let kind = clause.plain_kind().and_then(|kind| kind.parse().ok()).and_then(Facet::entity_kind);
            let of_version = kind_of(clause) == Facet::Framework.key() && !clause.is_excluded();
            kind.or(of_version.then_some(EntityKind::Framework))
                .is_some_and(|kind| facts.iter().any(|fact| fact.kind() == kind))
        };
        if wanted.intent != Intent::Fact || !all_facts || !wanted.claims.is_empty() || !clauses.iter().any(has_them) {
            return Ok(());
        }
        for clause in std::mem::take(clauses) {
            let reading = clause.readings.first().map(|reading| reading.read_as.clone());
            let is_explicit = clause.text.contains([':', '"']);
            let unknown = wanted.unknown_names.contains(&clause.text);
            match reading {
                Some(read) if read.facet == Field::FrameworkVersion.key() && !clause.is_excluded() => {
                    let [framework, version] = read.values.as_slice() else {
                        clauses.push(clause);
                        continue;
                    };
                    self.leave_out(version);
                    let text = clause.text.split(' ').next().unwrap_or_default().to_owned();
                    let whole = vec![framework.clone()];
                    clauses.push(self.facet_clause(&text, Facet::Framework, whole, "exact")?);
                }
                Some(_) if OF_RUNS.contains(&kind_of(&clause)) && !is_explicit && !unknown => {
                    self.leave_out(&clause.text);
                }
                _ => clauses.push(clause),
            }
        }
        Ok(())
    }

    /// What a grade of classes is called by and a device has in another way, which no source here states: the die of the H100 is
    /// no class's.
    pub(in crate::ask::question) fn leave_out_unkept(&mut self, hints: &mut Hints, context: Context) {
        if !context.devices || context.classes {
            return;
        }
        let is_of_chip = |mention: &Mention| {
            let asked = mention.asked.quantities(Context::default());
            asked.iter().any(|quantity| matches!(quantity, Quantity::HardwareMetric(id) if id == OF_CHIPS))
        };
        let (of_chips, kept) = std::mem::take(&mut hints.mentions).into_iter().partition::<Vec<_>, _>(is_of_chip);
        hints.mentions = kept;
        self.notes.extend(
            of_chips.into_iter().map(|mention| Note::NotKept { text: plain_words(&mention.text), instead: false }),
        );
    }

    /// Leaves out the turns of phrase that have no effect on what is wanted.
    pub(in crate::ask::question) fn leave_out_unheeded(&mut self, clauses: &[Clause], wanted: &Wanted, hints: &Hints) {
        let is_ordered = self.sort.is_some();
        for (text, cue) in &hints.turns {
            if !is_advice(text, *cue) && !is_heeded(*cue, wanted, clauses, is_ordered) {
                self.leave_out(text);
            }
        }
    }
}

fn fact_of(quantity: &Quantity) -> Option<Fact> {
    match quantity {
        Quantity::Fact(fact) => Some(*fact),
        _ => None,
    }
}

/// Whether a turn of phrase asks for advice: `should I buy`.
pub(in crate::ask::question) fn is_advice(text: &str, cue: Cue) -> bool {
    cue == Cue::Comparative && !text.split_whitespace().any(|word| is_comparative(word) || plain(word) == "superior")
}

/// Whether what is wanted is what a turn of phrase asks for.
fn is_heeded(cue: Cue, wanted: &Wanted, clauses: &[Clause], is_ordered: bool) -> bool {
    let is_one_of = |intents: &[Intent]| intents.contains(&wanted.intent);
    // What a carrying word asks for says with which other turns of phrase it is told.
    if wanted.carried.is_some_and(|carried| carried.tells(cue)) {
        return true;
    }
    let compares = wanted.sides.len() > 1 || is_one_of(&[Intent::Comparison, Intent::Relation]);
    match cue {
        Cue::Compare | Cue::Comparative => {
            compares
                || !wanted.unknown_names.is_empty()
                || wanted.claimed_factor.is_some()
                || is_one_of(&[Intent::Ranking, Intent::Grade])
                // `surveys that compare frameworks`
                || wanted.intent == Intent::List && wanted.candidates == Some(Aspect::Source)
        }
        Cue::SpeedUp | Cue::Effect | Cue::Correlation => compares || wanted.intent == Intent::Ranking,
        Cue::Scaling => compares || is_one_of(&[Intent::Ranking, Intent::Grade]),
        Cue::Rank => is_ordered || is_one_of(&[Intent::Ranking, Intent::Grade, Intent::Relation]),
        Cue::Newest if wanted.newest && wanted.candidates == Some(Aspect::Field(Field::FrameworkVersion)) => true,
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
        // Of each that is named a line is told, but an order or a list is one for all.
        Cue::Each => wanted.of_each.is_some() || !is_one_of(&[Intent::Ranking, Intent::List]),
        // Numbers that were measured are evidence.
        Cue::Evidence => !is_one_of(&[Intent::Fact, Intent::List, Intent::Overview]),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    #[test]
    fn what_says_nothing_of_a_fact_is_left_out_of_the_question() {
        let sample = Sample::of(&[]);
        for (question, ignored) in [
            ("license of firelight", &[][..]),
            ("license of firelight 9.9", &["9.9"]),
            ("license of firelight in training", &["training"]),
        ] {
            let read = understand(question, &sample.stores).unwrap();
            assert_eq!(read.ignored, ignored, "{question}");
            let filters: Vec<&str> = read.clauses.iter().map(|clause| clause.equivalent.as_str()).collect();
            assert_eq!(filters, ["framework:firelight"], "{question}");
        }
    }

    #[test]
    fn what_asks_for_another_answer_than_is_given_is_not_heeded() {
        let heeded = |cue, intent| is_heeded(cue, &Wanted { intent, ..Wanted::default() }, &[], false);
        assert!(heeded(Cue::Comparative, Intent::Comparison) && heeded(Cue::Scaling, Intent::Grade));
        assert!(!heeded(Cue::Comparative, Intent::Fact) && !heeded(Cue::Newest, Intent::Lookup));
        assert!(!heeded(Cue::Unmeasured, Intent::Lookup) && heeded(Cue::Speed, Intent::Lookup));
    }
}
