//! Kinds of processors that no survey grades: the grades of classes of hardware are none of theirs, which is said.

use super::clause::{Clause, either};
use super::error::QueryError;
use super::facing::kind_of;
use super::hints::Hints;
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::question::Quantity;
use super::seen::Seen;
use super::vocabulary::{COUNTS, Cue, Meaning, StaticQuantity, longest_phrase, plain};
use crate::model::{Device, Facet, Field, HardwareClassRecord};
use crate::values::EntityKind;
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

/// So many words of a question are looked at for what is graded.
const MOST_WORDS: usize = 60;

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

impl Interpreter<'_> {
    /// `what would a TPU be graded`: no device is graded, but its class is, which is said.
    pub(super) fn graded_as_class(&mut self, clauses: &mut Vec<Clause>, hints: &mut Hints) -> Result<(), QueryError> {
        let [only] = clauses.as_slice() else { return Ok(()) };
        let [reading] = only.readings.as_slice() else { return Ok(()) };
        let is_device = kind_of(only) == Field::Device.key() && !only.is_excluded();
        // Of a metric that is named the grade is told by the class of the device anyway.
        let asks_other = !hints.mentions.is_empty();
        if !is_device || !hints.has(Cue::Grades) || asks_other {
            return Ok(());
        }
        let mut of_devices: Vec<String> = Vec::new();
        for id in &reading.read_as.values {
            let Some(device) = self.stores.database.entity::<Device>(id)? else { continue };
            let class = device.class.to_string();
            of_devices.extend((!of_devices.contains(&class)).then_some(class));
        }
        let [class] = of_devices.as_slice() else { return Ok(()) };
        hints.leads.push(format!(
            "`{}` is of the class {}, and grades are those of classes, not of a device.",
            only.text,
            class.to_uppercase()
        ));
        let (text, class) = (only.text.clone(), class.clone());
        *clauses = vec![self.facet_clause(&text, Facet::Class, vec![class], "alias")?];
        if matches!(self.about, Some((_, EntityKind::HardwareClass))) {
            self.about = None;
        }
        Ok(())
    }
}

impl Interpreter<'_> {
    /// `table of all grades`: where no class is named and nothing else is, those of every class that is graded.
    pub(super) fn grades_of_all_classes(&mut self, clauses: &mut Vec<Clause>, hints: &Hints) -> Result<(), QueryError> {
        let of_classes = matches!(self.about, None | Some((_, EntityKind::HardwareClass)));
        let asks_other = !hints.mentions.is_empty()
            || !hints.carried.is_empty()
            || !hints.leads.is_empty()
            || hints.has(Cue::Evidence)
            || hints.speaks_of(EntityKind::Framework)
            || !self.unknown_names.is_empty();
        if !clauses.is_empty() || !hints.has(Cue::Grades) || !of_classes || asks_other {
            return Ok(());
        }
        let Some((text, _)) = hints.turns.iter().find(|(_, cue)| *cue == Cue::Grades) else { return Ok(()) };
        let classes: Vec<HardwareClassRecord> = self.stores.database.entities()?;
        let mut named = Vec::new();
        for class in classes.into_iter().filter(|class| !class.grades.is_empty()) {
            named.push(self.facet_clause(text, Facet::Class, vec![<&str>::from(class.id).to_owned()], "alias")?);
        }
        clauses.extend(either(text.clone(), named));
        self.about = None;
        Ok(())
    }
}

impl Interpreter<'_> {
    /// The `three classes` of a question about grades: as many are graded, and no data set has three classes; how many words say it.
    pub(super) fn all_graded_classes(&mut self, words: &[&str]) -> Result<Option<usize>, QueryError> {
        let [number, noun, ..] = words else { return Ok(None) };
        let count = COUNTS.iter().find(|(name, _)| *name == plain(number)).map(|(_, count)| *count);
        let count = count.or_else(|| plain(number).parse().ok());
        let of_data = ["dataset", "datasets", "data"].iter().any(|word| self.all_words.contains(*word));
        if count.is_none() || plain(noun) != "classes" || of_data || !self.names_grade() {
            return Ok(None);
        }
        let classes: Vec<HardwareClassRecord> = self.stores.database.entities()?;
        let graded = classes.iter().filter(|class| !class.grades.is_empty()).count();
        if count != i64::try_from(graded).ok() {
            return Ok(None);
        }
        self.heard.push(words[..2].join(" "));
        Ok(Some(2))
    }

    /// Whether the question speaks of grades or names a metric by which classes are graded.
    fn names_grade(&self) -> bool {
        let words: Vec<&str> = self.question.split_whitespace().take(MOST_WORDS).collect();
        (0..words.len()).any(|at| match longest_phrase(&words[at..]) {
            Some((_, Meaning::Cue(Cue::Grades | Cue::Survey))) => true,
            Some((_, Meaning::AsksFor(StaticQuantity::Grade(_)))) => true,
            Some((_, Meaning::Asks(named))) => {
                let of_grade = |quantity: &StaticQuantity| matches!(quantity, StaticQuantity::Grade(_));
                named.classes.iter().chain(named.measured).any(of_grade)
            }
            _ => false,
        })
    }
}

impl Seen<'_, '_> {
    /// Whether a class of hardware is asked for, and none of its devices: `best class for a low research cost`.
    pub(super) fn asks_for_class(&self) -> bool {
        const ASKING: &[&str] = &["which", "what", "best", "worst", "right", "hardware"];
        let words: Vec<String> = self.interpreter.question.split_whitespace().map(plain).collect();
        let asks =
            |pair: &[String]| ASKING.contains(&pair[0].as_str()) && matches!(pair[1].as_str(), "class" | "classes");
        words.windows(2).any(asks)
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
