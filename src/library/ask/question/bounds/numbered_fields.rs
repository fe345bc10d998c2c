//! Numbers right behind the name of the field that they are a value of: `tensor parallel 4`, `tp8`, `concurrency of 64`, `input length
//! 1024`.

use crate::ask::question::clause::{Clause, either};
use crate::ask::question::error::QueryError;
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::vocabulary::{field_at, plain};
use crate::model::Field;
use crate::stores::index::Condition;

/// Fields whose number stands behind their name. Of batches, sequences and devices other readers know more.
const FIELDS: &[Field] = &[
    Field::TensorParallel,
    Field::PipelineParallel,
    Field::ExpertParallel,
    Field::InputLength,
    Field::OutputLength,
    Field::Concurrency,
    Field::Threads,
    Field::Hosts,
];

/// What they are called in short, with the number right behind: `tp4`.
const SHORT: &[(&str, Field)] = &[
    ("tp", Field::TensorParallel),
    ("pp", Field::PipelineParallel),
    ("ep", Field::ExpertParallel),
    ("isl", Field::InputLength),
    ("osl", Field::OutputLength),
];

/// Words between the name and the number.
const BETWEEN: &[&str] = &["of", "is", "size", "degree", "=", ":"];

impl Interpreter<'_> {
    /// The value of a field that words begin with the name of, and how many of them say it.
    pub(in crate::ask::question) fn numbered_field(
        &mut self,
        words: &[&str],
    ) -> Result<Option<(usize, Clause)>, QueryError> {
        let Some((taken, field, number)) = numbered(words) else { return Ok(None) };
        // `tensor parallel 1, 2, 4`: several are places on the axis.
        let is_number = |at: usize| words.get(at).is_some_and(|word| plain(word).parse::<i64>().is_ok());
        let joins =
            words.get(taken).is_some_and(|word| matches!(plain(word).as_str(), "to" | "and" | "or" | "vs" | "versus"));
        let goes_on = is_number(taken) || joins && is_number(taken + 1);
        if goes_on {
            return Ok(None);
        }
        let text = words[..taken].join(" ");
        let own = self.any_count(&text, field, &[number])?;
        if field != Field::TensorParallel {
            return Ok(Some((taken, own)));
        }
        // Where a row does not say how its devices share a layer, all of them do.
        let unsaid = self.any_count(&text, Field::DeviceCount, &[number])?;
        let (stated, _) = self.with_value(field, |_| true)?;
        let condition = Condition::All(vec![unsaid.condition, Condition::Not(Box::new(stated))]);
        let filter = format!("({} -{field}>=0)", unsaid.equivalent);
        let unsaid = Clause::of(&text, Field::DeviceCount.key(), vec![number.to_string()], filter, condition);
        Ok(either(text, vec![own, unsaid]).map(|clause| (taken, clause)))
    }
}

/// How many words name a field and its value, the field and the value.
fn numbered(words: &[&str]) -> Option<(usize, Field, i64)> {
    let number = |text: &str| text.parse::<i64>().ok().filter(|number| (1..10_000_000).contains(number));
    let first = plain(words.first()?);
    for (short, field) in SHORT {
        let Some(rest) = first.strip_prefix(short) else { continue };
        if let Some(number) = number(rest.trim_start_matches(['=', '-', ':'])) {
            return Some((1, *field, number));
        }
        // `tp 4`
        if rest.is_empty()
            && let Some(number) = words.get(1).and_then(|next| number(&plain(next)))
        {
            return Some((2, *field, number));
        }
    }
    let (length, field) = field_at(words)?;
    let field = FIELDS.iter().find(|known| **known == field)?;
    let between = words[length..].iter().take(2).take_while(|word| BETWEEN.contains(&plain(word).as_str())).count();
    let at = length + between;
    Some((at + 1, *field, number(&plain(words.get(at)?))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_behind_the_name_of_a_field_is_its_value() {
        for (question, expected) in [
            ("tensor parallel 4", Some((3, Field::TensorParallel, 4))),
            ("tensor parallelism of 8 on h100", Some((4, Field::TensorParallel, 8))),
            ("tp4", Some((1, Field::TensorParallel, 4))),
            ("tp 8, fp8", Some((2, Field::TensorParallel, 8))),
            ("input length 1024", Some((3, Field::InputLength, 1024))),
            ("concurrency 64", Some((2, Field::Concurrency, 64))),
            ("tensor parallel scaling", None),
            ("batch size 4", None),
            ("tpu v3", None),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            assert_eq!(numbered(&words), expected, "{question}");
        }
    }
}
