//! A source in a line: who published what, and when.

use crate::model::Source;

/// A source by its authors, its year and its title.
pub(super) fn of_source(source: &Source) -> String {
    let year = source.year.map_or_else(String::new, |year| format!(" ({year})"));
    format!("{}: {}{year}, {}.", source.id, source.name, source.authors.join("; "))
}
