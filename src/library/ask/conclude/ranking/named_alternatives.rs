//! Rankings of what is named: `rank volta, turing and ampere cards` is no question about one of them, so that a frame in which
//! more of them stand is the better field.

use super::frames::Frame;
use crate::ask::hits::HitColumns;
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Aspect, Part};
use crate::stores::Stores;
use crate::stores::database::AspectColumn;
use crate::values::text::or_list;

/// The values of an aspect that a question names side by side.
pub(super) struct NamedAlternatives {
    part: Part,
    column: AspectColumn,
    /// The word for each, and the numbers of the values that it stands for.
    named: Vec<(String, Vec<u32>)>,
}

impl NamedAlternatives {
    /// Those of each clause that names several.
    pub fn of(stores: &Stores, question: &Question) -> Result<Vec<Self>, QueryError> {
        let mut all = Vec::new();
        for clause in question.clauses.iter().filter(|clause| clause.readings.len() > 1) {
            let aspect = clause.plain_kind().and_then(Aspect::keyed);
            let Some((aspect, part)) = aspect.and_then(|aspect| Some((aspect, aspect.part()?))) else { continue };
            let column = stores.database.aspect(aspect)?;
            let named = alternatives(clause, &column);
            all.extend((named.len() > 1).then_some(Self { part, column, named }));
        }
        Ok(all)
    }

    /// Keeps those frames in which the most of them stand, where that is more than one.
    pub fn keep(&self, hits: &HitColumns, frames: &mut Vec<Frame>) {
        let standing: Vec<usize> =
            frames.iter().map(|frame| self.named.len() - self.missing(hits, frame).len()).collect();
        let Some(most) = standing.iter().copied().max().filter(|most| *most > 1) else { return };
        let mut standing = standing.into_iter();
        frames.retain(|_| standing.next() == Some(most));
    }

    /// Of which no candidate stands in a frame.
    fn missing(&self, hits: &HitColumns, frame: &Frame) -> Vec<&str> {
        let parts = frame.candidates.iter().map(|candidate| hits.part(candidate.hit(frame), self.part));
        let mut numbers: Vec<u32> = parts.map(|share| self.column.number(share)).collect();
        numbers.sort_unstable();
        let stands = |of: &[u32]| of.iter().any(|number| numbers.binary_search(number).is_ok());
        self.named.iter().filter(|(_, of)| !stands(of)).map(|(word, _)| word.as_str()).collect()
    }

    /// What is said of those that a frame does not hold: `, none of them `volta` or `turing``.
    pub fn missing_in_words(&self, hits: &HitColumns, frame: &Frame) -> Option<String> {
        let missing: Vec<String> = self.missing(hits, frame).into_iter().map(|word| format!("`{word}`")).collect();
        (!missing.is_empty()).then(|| format!(", none of them {}", or_list(&missing)))
    }
}

/// The words of a clause with the numbers of the values that they stand for, where rows have any.
fn alternatives(clause: &Clause, column: &AspectColumn) -> Vec<(String, Vec<u32>)> {
    let number = |wanted: &String| {
        let at = column.values().position(|value| value.eq_ignore_ascii_case(wanted))?;
        Some(at as u32 + 1)
    };
    let numbered = clause.readings.iter().map(|reading| {
        let values = reading.read_as.values.iter().filter_map(number).collect::<Vec<u32>>();
        (reading.read_as.text.clone(), values)
    });
    numbered.filter(|(_, values)| !values.is_empty()).collect()
}
