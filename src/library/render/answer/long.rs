//! An answer as JSON whose rows are more than memory should hold: each is written as it is read.

use std::io::{self, Write};

use super::super::{json, write_json as write_value, write_ndjson as write_lines};
use crate::ask::answer::Answer;
use crate::render::RenderError;
use crate::rows::JoinedRow;

/// Where the rows stand in an answer without rows: outside of a text nothing else begins a line so.
const NO_ROWS: &str = "\n  \"measurements\": []";

/// Writes what `-f json` promises: the answer, which holds no rows, with those of `portions` in their place.
///
/// # Errors
///
/// What the output says, and whatever `portions` gives.
pub fn write_json<E>(
    answer: &Answer,
    portions: impl Iterator<Item = Result<Vec<JoinedRow>, E>>,
    mut to: impl Write,
) -> Result<(), E>
where
    E: From<io::Error> + From<RenderError>,
{
    let text = json(answer)?;
    let Some((before, behind)) = text.split_once(NO_ROWS) else { return Ok(write_value(answer, to)?) };
    write!(to, "{before}\n  \"measurements\": [")?;
    let mut is_first = true;
    for portion in portions {
        for row in &portion? {
            let row = json(row)?.trim_end().replace('\n', "\n    ");
            write!(to, "{}\n    {row}", if is_first { "" } else { "," })?;
            is_first = false;
        }
    }
    write!(to, "{}]{behind}", if is_first { "" } else { "\n  " })?;
    Ok(to.flush()?)
}

/// Writes rows as JSON, each on a line of its own.
///
/// # Errors
///
/// As [`write_json`].
pub fn write_ndjson<E: From<io::Error>>(
    portions: impl Iterator<Item = Result<Vec<JoinedRow>, E>>,
    mut to: impl Write,
) -> Result<(), E> {
    for portion in portions {
        write_lines(&portion?, &mut to)?;
    }
    Ok(to.flush()?)
}
