//! What a question names side by side: `rank volta, turing and ampere cards`, `energy of an epoch on V100 and A100`. It is no
//! question about one of them.

use super::row_groups::GroupRows;
use crate::ask::hits::HitColumns;
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Aspect, Fact, Field, Part};
use crate::stores::Stores;
use crate::stores::database::AspectColumn;

/// More than this nobody names side by side to be told of each.
const MOST: usize = 16;

/// The values of an aspect that a question names side by side.
pub(in crate::ask::conclude) struct NamedAlternatives {
    /// What they are of.
    pub aspect: Aspect,
    /// The part of rows that states them.
    pub part: Part,
    /// The values that rows have.
    pub column: AspectColumn,
    /// The word for each, and the numbers of the values that it stands for.
    pub named: Vec<(String, Vec<u32>)>,
}

impl NamedAlternatives {
    /// Those of each clause that names several.
    pub fn of(stores: &Stores, question: &Question) -> Result<Vec<Self>, QueryError> {
        let mut all = Vec::new();
        for clause in question
            .clauses
            .iter()
            .filter(|clause| (2..=MOST).contains(&clause.readings.len()) && !clause.is_excluded())
        {
            let aspect = clause.plain_kind().and_then(Aspect::keyed);
            let Some((aspect, part)) = aspect.and_then(|aspect| Some((aspect, aspect.part()?))) else { continue };
            let column = stores.database.aspect(aspect)?;
            let named = alternatives(clause, &column);
            all.extend((named.len() > 1).then_some(Self { aspect, part, column, named }));
        }
        Ok(all)
    }

    /// Whether each is told for itself: hardware and frameworks of which none stands for what another one does, as the STM32 of
    /// a board do. Networks and stages are told apart in any case.
    pub fn are_told_apart(&self) -> bool {
        let is_kind = matches!(
            self.aspect,
            Aspect::Field(Field::Device | Field::Framework | Field::Instance)
                | Aspect::Fact(Fact::Vendor | Fact::Architecture | Fact::Class)
        );
        let of = |at: usize| &self.named[at].1;
        let all = 0..self.named.len();
        let meets = |one: usize, other: usize| one != other && of(one).iter().any(|id| of(other).contains(id));
        is_kind && !all.clone().any(|one| all.clone().any(|other| meets(one, other)))
    }

    /// The rows of a group by the alternative that they are of, in the order of the question; those without rows are left out.
    pub fn apart(&self, hits: &HitColumns, group: &GroupRows) -> Vec<(&str, GroupRows)> {
        let of = |numbers: &[u32]| group.kept(|hit| numbers.contains(&self.column.number(hits.part(hit, self.part))));
        let all = self.named.iter().map(|(word, numbers)| (word.as_str(), of(numbers)));
        all.filter(|(_, group)| !group.hits.is_empty()).collect()
    }

    /// Those that none of some shares of the part states.
    pub fn missing(&self, shares: impl Iterator<Item = u32>) -> Vec<&str> {
        let mut numbers: Vec<u32> = shares.map(|share| self.column.number(share)).collect();
        numbers.sort_unstable();
        let stands = |of: &[u32]| of.iter().any(|number| numbers.binary_search(number).is_ok());
        self.named.iter().filter(|(_, of)| !stands(of)).map(|(word, _)| word.as_str()).collect()
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
