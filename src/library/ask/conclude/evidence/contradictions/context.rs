//! The circumstances of rows as numbers: rows with equal numbers are alike in all fields of a kind of context.

use strum::VariantArray as _;

use crate::ask::hits::{CombinedNumbers, PartNumbers};
use crate::ask::question::QueryError;
use crate::model::{Aspect, ContradictionDefinition, Field, Part};
use crate::stores::Stores;
use crate::stores::database::AspectColumn;

/// For each kind of context what a row states in it, as numbers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Circumstances {
    kinds: Vec<[u32; Part::VARIANTS.len()]>,
    /// By field that may be left out; 0 is not stated.
    unstated: Vec<u32>,
}

impl Circumstances {
    /// The kinds in which two rows are unlike, by their places.
    pub fn unlike<'c>(&'c self, other: &'c Self) -> impl Iterator<Item = usize> + 'c {
        let both = self.kinds.iter().zip(&other.kinds).enumerate();
        both.filter(|(_, (own, other))| own != other).map(|(at, _)| at)
    }

    /// Whether both state the same of what may be left out, or one leaves it out.
    pub fn may_be_alike(&self, other: &Self) -> bool {
        let both = self.unstated.iter().zip(&other.unstated);
        both.into_iter().all(|(own, other)| own == other || *own == 0 || *other == 0)
    }
}

/// The numbers of all shares.
pub(super) struct Contexts {
    /// By kind of context and part: the number of each share.
    kinds: Vec<[Vec<u32>; Part::VARIANTS.len()]>,
    /// By field that may be left out.
    unstated: Vec<(Part, AspectColumn)>,
}

impl Contexts {
    /// Reads what shares state in the fields of a definition.
    pub fn read(stores: &Stores, definition: &ContradictionDefinition) -> Result<Self, QueryError> {
        let of_kinds: Vec<Vec<Field>> = definition.contexts.iter().map(|kind| kind.fields().collect()).collect();
        let unstated: Vec<Field> = definition.unstated_fields().collect();
        let is_wanted = |aspect: Aspect| match aspect {
            Aspect::Field(field) => unstated.contains(&field) || of_kinds.iter().any(|kind| kind.contains(&field)),
            _ => false,
        };
        let columns = stores.database.aspects(is_wanted)?;
        let column = |field: &Field| columns.get(&Aspect::Field(*field));
        let kinds = of_kinds.iter().map(|fields| {
            std::array::from_fn(|part| {
                let own = fields.iter().filter(|field| field.part() == Part::VARIANTS.get(part).copied());
                CombinedNumbers::of_columns(&own.filter_map(column).collect::<Vec<_>>()).into_numbers()
            })
        });
        let unstated = unstated.iter().filter_map(|field| Some((field.part()?, column(field)?.clone())));
        Ok(Self { kinds: kinds.collect(), unstated: unstated.collect() })
    }

    /// Those of a row.
    pub fn of(&self, parts: &PartNumbers) -> Circumstances {
        let number = |numbers: &Vec<u32>, part: usize| numbers.get(parts[part] as usize).copied().unwrap_or_default();
        let kinds = self.kinds.iter().map(|of_parts| std::array::from_fn(|part| number(&of_parts[part], part)));
        let unstated = self.unstated.iter().map(|(part, column)| column.number(parts[*part as usize]));
        Circumstances { kinds: kinds.collect(), unstated: unstated.collect() }
    }
}
