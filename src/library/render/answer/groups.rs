//! Which rows of an answer belong together.

use indexmap::IndexMap;

use crate::model::{Aspect, Field};
use crate::rows::{EntityCache, JoinedRow};

/// What rows may have in common to stand together, the narrowest group first: what can be compared with each other.
///
/// With each goes how many rows a group must have on average, so that it is worth its heading.
const CANDIDATES: &[(&[Field], usize)] = &[
    (&[Field::Network, Field::Dataset, Field::Stage, Field::Scenario, Field::Counts], 3),
    (&[Field::Network, Field::Dataset, Field::Stage], 3),
    (&[Field::Network, Field::Dataset], 2),
    (&[Field::Network], 2),
];

/// Rows in groups in the order of their first rows, and what each group shares.
///
/// `by` says what was asked for: nothing at all, or to find out what belongs together (an empty list).
pub(super) fn groups<'a>(
    rows: &[&'a JoinedRow],
    names: &EntityCache<'_>,
    by: Option<&[Aspect]>,
) -> (Vec<Aspect>, Vec<Vec<&'a JoinedRow>>) {
    match by {
        None => return (Vec::new(), vec![rows.to_vec()]),
        Some([]) => {}
        Some(by) => return (by.to_vec(), divided(rows, names, by)),
    }
    for (candidate, rows_of_a_group) in CANDIDATES {
        let by: Vec<Aspect> = candidate.iter().copied().map(Aspect::Field).collect();
        let groups = divided(rows, names, &by);
        if groups.len() > 1 && groups.len() * rows_of_a_group <= rows.len() {
            return (by, groups);
        }
    }
    (Vec::new(), vec![rows.to_vec()])
}

fn divided<'a>(rows: &[&'a JoinedRow], names: &EntityCache<'_>, by: &[Aspect]) -> Vec<Vec<&'a JoinedRow>> {
    let mut groups: IndexMap<Vec<Option<String>>, Vec<&'a JoinedRow>> = IndexMap::new();
    for row in rows {
        groups.entry(by.iter().map(|aspect| names.shown(row, *aspect)).collect()).or_default().push(row);
    }
    groups.into_values().collect()
}
