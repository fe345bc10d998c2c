//! Fields of rows that a question wants told: `which cuda version did u39kun use`, `googlenet k40 cudnn`. What a field does to numbers
//! is another question.

use super::clause::Clause;
use super::hints::{Hints, Noun};
use super::interpreter::Interpreter;
use super::question::ToldFields;
use super::vocabulary::{Cue, field_at, is_bare_axis, plain};
use crate::model::{Aspect, Field};

/// Fields that say under which software a row ran, and of which nobody asks the effect without saying so.
const TOLD: &[Field] = &[Field::Cuda, Field::Cudnn, Field::Driver];

/// Words that ask for what rows state.
const ASKING: &[&str] = &["which", "what", "whose"];

impl Interpreter<'_> {
    /// Takes the names of such fields out of what numbers are wanted along, and out of the words that nothing was made of.
    pub(super) fn fields_to_tell(&mut self, clauses: &[Clause], hints: &mut Hints) -> ToldFields {
        let tells_gain = [Cue::SpeedUp, Cue::Effect, Cue::Compare, Cue::Comparative, Cue::Scaling, Cue::Correlation];
        let compares = hints.has_link
            || hints.opposed
            || hints.ranks
            || clauses.is_empty()
            || clauses.iter().any(|clause| clause.sides.len() > 1)
            || tells_gain.iter().any(|cue| hints.has(*cue));
        if compares {
            return ToldFields::default();
        }
        let asks = ASKING.iter().any(|word| self.all_words.contains(*word));
        let mut fields: Vec<Field> = Vec::new();
        let is_told = |(text, aspect): &(String, Aspect)| matches!(aspect, Aspect::Field(field) if asks && TOLD.contains(field) && is_bare_axis(text));
        let (told, along) = std::mem::take(&mut hints.along).into_iter().partition::<Vec<_>, _>(is_told);
        hints.along = along;
        for (text, aspect) in told {
            if let Aspect::Field(field) = aspect {
                fields.push(field);
                self.aside(text, "told", field.key());
            }
        }
        // `and driver`: a noun for what rows state.
        let is_noun = |noun: &Noun| matches!(noun.aspect, Aspect::Field(field) if TOLD.contains(&field));
        for noun in hints.nouns.extract_if(.., |noun| is_noun(noun)) {
            if let Aspect::Field(field) = noun.aspect {
                fields.push(field);
                self.aside(field.key().to_owned(), "told", field.key());
            }
        }
        for word in std::mem::take(&mut self.ignored) {
            match field_at(&[plain(&word).as_str()]) {
                Some((1, field)) if TOLD.contains(&field) => {
                    fields.push(field);
                    self.aside(word, "told", field.key());
                }
                _ => self.ignored.push(word),
            }
        }
        let mut seen: Vec<Field> = Vec::new();
        fields.retain(|field| {
            !seen.contains(field) && {
                seen.push(*field);
                true
            }
        });
        ToldFields { alone: asks && !fields.is_empty() && hints.mentions.is_empty(), fields }
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::model::Field;
    use crate::stores::sample::Sample;

    #[test]
    fn what_rows_are_to_state_is_told_unless_its_effect_is_asked_for() {
        let sample = Sample::of(&[]);
        for (question, fields, alone) in [
            ("which cuda version was used on nova", &[Field::Cuda][..], true),
            ("deepnet-50 nova driver", &[Field::Driver], false),
            ("effect of cuda version on nova", &[], false),
            ("latency of nova", &[], false),
        ] {
            let told = understand(question, &sample.stores).unwrap().wanted.told;
            assert_eq!((told.fields.as_slice(), told.alone), (fields, alone), "{question}");
        }
    }
}
