//! Kinds of processors that no survey grades: the grades of classes of hardware are none of theirs, which is said.

use super::clause::Clause;
use super::error::QueryError;
use super::facing::kind_of;
use super::hints::Hints;
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::question::Quantity;
use super::vocabulary::{Cue, plain};
use crate::model::{Field, HardwareClassRecord};
use crate::values::text::{and_list, or_list};

/// Short names of processors that are no class of hardware here.
const PROCESSORS: &[&str] = &[
    "npu",
    "dsp",
    "vpu",
    "ipu",
    "lpu",
    "dpu",
    "apu",
    "igpu",
    "mcu",
    "microcontroller",
    "soc",
    "neuromorphic",
    "photonic",
    "quantum",
];

impl Interpreter<'_> {
    /// `grade of NPUs and DSPs in the survey`: who asks for the grades of what is graded by nobody is told that, and the grades of
    /// the classes that are.
    pub(super) fn leave_out_ungraded(
        &mut self,
        clauses: &mut Vec<Clause>,
        hints: &mut Hints,
    ) -> Result<(), QueryError> {
        let of_grade = hints.mentions.iter().any(|mention| {
            let asked = mention.asked.quantities(Context { classes: true, ..Context::default() });
            asked.iter().any(|quantity| matches!(quantity, Quantity::HardwareMetric(_)))
        });
        let asks = hints.has(Cue::Grades) || hints.has(Cue::Survey) && of_grade;
        let is_ungraded = |clause: &Clause| {
            is_processor(&clause.text)
                && matches!(kind_of(clause), "text" | "compute-unit")
                && clause.sides.is_empty()
                && !clause.is_excluded()
        };
        // Beside a framework or a network ratings are asked for, or rows.
        let others = |clause: &Clause| !is_ungraded(clause) && kind_of(clause) != "class";
        let has_any = clauses.iter().any(is_ungraded) || self.ignored.iter().any(|word| is_processor(word));
        if !asks || clauses.iter().any(others) || !has_any {
            return Ok(());
        }
        let (ungraded, kept) = std::mem::take(clauses).into_iter().partition::<Vec<Clause>, _>(is_ungraded);
        *clauses = kept;
        let (left_out, kept) = std::mem::take(&mut self.ignored).into_iter().partition(|word| is_processor(word));
        self.ignored = kept;
        self.unknown_names.retain(|name| !is_processor(name));
        let left_out: Vec<String> = left_out;
        let ungraded: Vec<String> = ungraded.into_iter().map(|clause| clause.text).chain(left_out).collect();
        let classes: Vec<HardwareClassRecord> = self.stores.database.entities()?;
        let graded: Vec<String> =
            classes.into_iter().filter(|class| !class.grades.is_empty()).map(|class| class.name).collect();
        let named: Vec<String> = ungraded.iter().map(|name| format!("`{name}`")).collect();
        hints.leads.push(format!(
            "No source here grades {}: the classes that are graded are {}.",
            or_list(&named),
            and_list(&graded)
        ));
        for name in ungraded {
            self.aside(name, Field::ComputeUnit.key(), "not graded");
        }
        hints.cues.push(Cue::Grades);
        Ok(())
    }
}

fn is_processor(name: &str) -> bool {
    let word = plain(name);
    PROCESSORS.contains(&word.as_str()) || PROCESSORS.contains(&word.trim_end_matches('s'))
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    #[test]
    fn what_is_no_graded_class_is_told_as_that() {
        let sample = Sample::of(&[]);
        for question in ["grade of NPUs", "energy efficiency grade of dsps", "how are npus graded in the survey"] {
            let read = understand(question, &sample.stores).unwrap();
            let lead = read.wanted.leads.join(" ");
            assert!(lead.starts_with("No source here grades `"), "{question}: {lead}");
        }
    }
}
