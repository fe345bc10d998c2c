//! The axis of a relation: what a question names on it is a side, set against what it is usually compared with.

use super::clause::{Clause, any_of, either, negated, quoted, text_clause};
use super::error::QueryError;
use super::facing::kind_of;
use super::interpreter::Interpreter;
use super::question::Wanted;
use super::vocabulary::plain_words;
use crate::model::{Aspect, Facet, Fact, FactValue, Field};
use crate::stores::index::Condition;
use crate::values::EntityKind;

/// What a precision's speed-up is over, where the question does not say.
const BASELINES: &[(&str, &[&str])] = &[
    ("fp16", &["fp32"]),
    ("bf16", &["fp32"]),
    ("tf32", &["fp32"]),
    ("amp-fp16", &["fp32"]),
    ("amp-bf16", &["fp32"]),
    ("fp8", &["fp16", "bf16"]),
    ("int8", &["fp16", "fp32"]),
    ("int4", &["int8", "fp16"]),
    ("binary", &["fp32"]),
];

/// Fields whose values a comparison names in words that are no names of the catalog.
const FIELDS_IN_WORDS: &[Field] = &[
    Field::Layout,
    Field::Mode,
    Field::Partition,
    Field::Setting,
    Field::Quantization,
    Field::KernelLibrary,
    Field::Os,
    Field::ApiLanguage,
];

/// The two values of a field that are compared where the question names none.
const USUAL_SIDES: &[(Field, [&str; 2])] = &[(Field::Mode, ["compiled", "eager"]), (Field::Layout, ["nhwc", "nchw"])];

impl Interpreter<'_> {
    /// Completes the sides of a relation, and makes its conditions leave what they are compared with.
    pub(super) fn complete_axis(&mut self, clauses: &mut Vec<Clause>, wanted: &mut Wanted) -> Result<(), QueryError> {
        let Some(Aspect::Field(field)) = wanted.along else { return Ok(()) };
        match field {
            Field::Precision if !wanted.sides.iter().any(|side| kind_of(side) == "precision") => {
                self.over_baselines(clauses)?;
            }
            Field::DeviceCount => self.over_one_device(clauses)?,
            Field::Mode | Field::Layout if wanted.sides.is_empty() => self.over_usual_sides(field, clauses)?,
            _ => {}
        }
        Ok(())
    }

    /// `fp16 speedup`: over fp32.
    fn over_baselines(&mut self, clauses: &mut [Clause]) -> Result<(), QueryError> {
        let Some(at) = clauses.iter().position(|clause| kind_of(clause) == "precision") else { return Ok(()) };
        let Condition::Facet(Facet::Precision, values) = &clauses[at].condition else { return Ok(()) };
        let first = values.first().map(String::as_str);
        let Some((_, baselines)) = BASELINES.iter().find(|(precision, _)| Some(*precision) == first) else {
            return Ok(());
        };
        let mut sides = vec![clauses[at].clone()];
        for baseline in *baselines {
            sides.push(self.facet_clause(baseline, Facet::Precision, vec![(*baseline).to_owned()], "exact")?);
        }
        let text = clauses[at].text.clone();
        clauses[at] = Clause { text, sides: sides.clone(), ..any_of(Facet::Precision, sides) };
        Ok(())
    }

    /// `8 gpu scaling`: 8 devices and one; `multi-gpu scaling`: any number of them.
    fn over_one_device(&mut self, clauses: &mut Vec<Clause>) -> Result<(), QueryError> {
        let key = Field::DeviceCount.key();
        clauses.retain(|clause| kind_of(clause) != key || !clause.equivalent.ends_with(">=2"));
        for clause in clauses.iter_mut().filter(|clause| kind_of(clause) == key && clause.sides.is_empty()) {
            let counts = clause.readings.first().map(|reading| reading.read_as.values.as_slice());
            let Some([count]) = counts else { continue };
            let Ok(count) = count.parse::<i64>() else { continue };
            if count > 1 {
                *clause = self.any_count(&clause.text, Field::DeviceCount, &[1, count])?;
            }
        }
        Ok(())
    }

    /// `torch.compile speedup`: compiled over eager.
    fn over_usual_sides(&mut self, field: Field, clauses: &mut Vec<Clause>) -> Result<(), QueryError> {
        let Some((_, values)) = USUAL_SIDES.iter().find(|(of, _)| *of == field) else { return Ok(()) };
        if let Some(sides) = self.sides_of_field(field, values)? {
            // `torch.compile vs eager`: what is named already is one of them.
            let is_one_of = |clause: &Clause| {
                let mut stated = clause.readings.iter().flat_map(|reading| &reading.read_as.values);
                kind_of(clause) == field.key() && stated.all(|stated| values.contains(&stated.as_str()))
            };
            clauses.retain(|clause| !is_one_of(clause));
            clauses.extend(joined(sides));
        }
        Ok(())
    }

    /// Sides that are words of a text, as values of the field that has them all.
    pub(super) fn sides_in_words(&mut self, clauses: &mut [Clause]) -> Result<(), QueryError> {
        for clause in clauses.iter_mut().filter(|clause| clause.sides.len() > 1) {
            if !clause.sides.iter().all(|side| kind_of(side) == "text") {
                continue;
            }
            let values: Vec<String> = clause.sides.iter().map(|side| plain_words(&side.text)).collect();
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let mut sides = None;
            for field in FIELDS_IN_WORDS {
                if sides.is_none() {
                    sides = self.sides_of_field(*field, &values)?;
                }
            }
            // `xla vs no xla`, where no field says either.
            let opposite = || match values.as_slice() {
                [with, without] if without.strip_prefix("no ") == Some(with) => {
                    Some(vec![text_clause(with), negated(text_clause(with))])
                }
                _ => None,
            };
            if let Some(joined) = sides.or_else(opposite).and_then(joined) {
                *clause = joined;
            }
        }
        Ok(())
    }

    /// `A100 40GB vs 80GB`: members of one family, which are told apart by their memory alone.
    pub(super) fn members_by_memory(&mut self, clauses: &mut Vec<Clause>) -> Result<(), QueryError> {
        let key = Fact::Memory.key();
        let is_by_memory = |side: &Clause| side.readings.iter().any(|reading| reading.read_as.facet == key);
        let Some(at) = clauses.iter().position(|clause| clause.sides.len() > 1) else { return Ok(()) };
        if !clauses[at].sides.iter().all(is_by_memory) {
            return Ok(());
        }
        let of_device = |clause: &Clause| {
            clause
                .readings
                .iter()
                .map(|reading| &reading.read_as)
                .find(|read| read.facet == Facet::Device.key())
                .cloned()
        };
        let is_family = |clause: &Clause| clause.plain_kind() == Some(Facet::Device.key());
        let common = clauses.iter().position(is_family);
        let mut takes_common = false;
        let mut sides = Vec::new();
        for side in clauses[at].sides.clone() {
            let own = of_device(&side);
            takes_common |= own.is_none();
            let family = own.or_else(|| of_device(clauses.get(common?)?));
            let memory = side.readings.iter().map(|reading| &reading.read_as).find(|read| read.facet == key);
            let size = memory.and_then(|read| read.values.first()?.trim_end_matches(" GiB").parse::<f64>().ok());
            let (Some(family), Some(memory), Some(size)) = (family, memory, size) else { return Ok(()) };
            let is_size = |value: &FactValue| matches!(value, FactValue::Number(number) if *number == size);
            let with = self.stores.database.entities_with(EntityKind::Device, key, is_size)?;
            let members: Vec<String> = family.values.iter().filter(|id| with.contains(*id)).cloned().collect();
            if members.is_empty() {
                return Ok(());
            }
            let text = format!("{} {}", family.text, memory.text);
            sides.push(self.facet_clause(&text, Facet::Device, members, "alias")?);
        }
        let text = sides.iter().map(|side| side.text.as_str()).collect::<Vec<_>>().join(" vs ");
        clauses[at] = Clause { text, sides: sides.clone(), ..any_of(Facet::Device, sides) };
        if let Some(common) = common.filter(|_| takes_common) {
            clauses.remove(common);
        }
        Ok(())
    }

    fn sides_of_field(&self, field: Field, values: &[&str]) -> Result<Option<Vec<Clause>>, QueryError> {
        let mut sides = Vec::new();
        for value in values {
            // `cudnn` is each of its versions, `rocm` what `rocm-7.2.4` and `rocm6_4_4` are.
            let begins = |stated: &str| {
                let rest = stated.get(..value.len()).filter(|begun| begun.eq_ignore_ascii_case(value));
                rest.is_some() && stated[value.len()..].chars().next().is_none_or(|next| !next.is_alphabetic())
            };
            let (condition, others) = self.with_value(field, begins)?;
            if condition == Condition::Any(Vec::new()) {
                return Ok(None);
            }
            let column = self.stores.database.aspect(Aspect::Field(field))?;
            let is_whole = others.len() + 1 == column.values().count();
            let pattern = if is_whole { (*value).to_owned() } else { format!("{value}*") };
            let filter = format!("{field}:{}", quoted(&pattern));
            sides.push(Clause::of(value, field.key(), vec![(*value).to_owned()], filter, condition));
        }
        Ok(Some(sides))
    }
}

/// `does xla help`: rows that say the word against those that do not, where nothing else is known by it.
pub(super) fn with_and_without(clauses: &mut [Clause]) {
    let is_said = |clause: &&mut Clause| {
        matches!(kind_of(clause), "text" | "mode") && !clause.is_excluded() && clause.sides.is_empty()
    };
    let mut texts = clauses.iter_mut().filter(is_said);
    let (Some(only), None) = (texts.next(), texts.next()) else { return };
    // `speedup of XLA`
    if kind_of(only) == Field::Mode.key() {
        if let Some(both) = joined(vec![only.clone(), negated(only.clone())]) {
            *only = both;
        }
        return;
    }
    let word = only.text.clone();
    if let Some(both) = joined(vec![text_clause(&word), negated(text_clause(&word))]) {
        *only = both;
    }
}

fn joined(sides: Vec<Clause>) -> Option<Clause> {
    let text = sides.iter().map(|side| side.text.as_str()).collect::<Vec<_>>().join(" vs ");
    Some(Clause { sides: sides.clone(), ..either(text, sides)? })
}
