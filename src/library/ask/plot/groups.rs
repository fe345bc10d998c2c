//! The groups that colours and shades of a figure distinguish.

use super::figure::Group;
use super::request::{PlotError, PlotRequest};
use super::row::{PlottedRow, by_values, name_of_parts};
use crate::values::text::and_list;

/// Maximum number of groups that colour and shade can distinguish.
const MOST_GROUPS: usize = 24;
/// Maximum number of distinguishable colours.
const MOST_HUES: usize = 8;

/// The groups of rows: the first aspect sets the colour, the others the shade.
pub(super) fn groups(rows: &[&PlottedRow<'_>], request: &PlotRequest) -> Result<Vec<Group>, PlotError> {
    let mut found: Vec<Vec<Option<String>>> = rows.iter().map(|row| row.parts(&request.group)).collect();
    found.sort_unstable_by(|a, b| by_values(&request.group, a, b));
    found.dedup();
    let (mut hues, mut shades): (Vec<&[_]>, Vec<&[_]>) = (Vec::new(), Vec::new());
    for parts in &found {
        let (first, others) = parts.split_at(parts.len().min(1));
        if !hues.contains(&first) {
            hues.push(first);
        }
        if !shades.contains(&others) {
            shades.push(others);
        }
    }
    shades.sort_unstable_by(|a, b| by_values(request.group.get(1..).unwrap_or_default(), a, b));
    if found.len() > MOST_GROUPS || hues.len() > MOST_HUES {
        let keys: Vec<&str> = request.group.iter().map(|aspect| aspect.key()).collect();
        return Err(PlotError::refused(
            format!("{} groups by {} cannot be distinguished", found.len(), and_list(&keys)),
            "narrow the question, or give each a panel of its own with --facet",
        ));
    }
    let group = |parts: &Vec<Option<String>>| {
        let (first, others) = parts.split_at(parts.len().min(1));
        Group {
            hue: hues.iter().position(|known| *known == first).unwrap_or(0),
            shade: shades.iter().position(|known| *known == others).unwrap_or(0),
            name: name_of_parts(&request.group, parts),
        }
    };
    Ok(found.iter().map(group).collect())
}

/// The index of a row's group.
pub(super) fn group_of(row: &PlottedRow<'_>, request: &PlotRequest, groups: &[Group]) -> usize {
    let name = row.name(&request.group);
    groups.iter().position(|group| group.name == name).unwrap_or(0)
}
