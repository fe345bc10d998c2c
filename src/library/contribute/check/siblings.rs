//! Whether a file of measurements can hold the same measurement as others: told by its defaults, without reading its rows.

use std::path::Path;

use crate::model::Field;
use crate::reading::{KbFile, MAX_FILE_BYTES};

/// Whether no row of `file` can be the same measurement as a row of one of `others`, the texts of files of the same source:
/// a default of all its rows that tells measurements apart has a value which none of the others mentions.
pub(super) fn stands_apart(root: &Path, file: &KbFile, others: &[String]) -> bool {
    if file.len > MAX_FILE_BYTES {
        return false;
    }
    std::fs::read_to_string(root.join(&file.path)).is_ok_and(|text| apart(&text, others))
}

fn apart(text: &str, others: &[String]) -> bool {
    let Some(defaults) = text.split("[defaults]\n").nth(1) else { return false };
    let lines = defaults.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split_once(" = ")).any(|(key, value)| {
        let tells = key.parse::<Field>().is_ok_and(Field::is_identity);
        let plain = value.len() > 2 && value.starts_with('"') && value.ends_with('"') && !value.contains('\\');
        // Nothing may override it: no row, no table, no column.
        let only = || text.matches(&format!("\n{key} =")).count() == 1 && !text.contains(&format!("\"{key}\""));
        tells && plain && only() && !others.iter().any(|other| other.contains(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_default_that_the_other_file_does_not_mention_tells_them_apart() {
        let text = "[defaults]\ndevice = \"nova\"\nnotes = \"so\"\n\n[[table]]\ncolumns = [\"n\"]\n";
        let apart = |text: &str, other: &str| apart(text, &[other.to_owned()]);
        assert!(apart(text, "[defaults]\ndevice = \"weave\"\n"));
        assert!(!apart(text, "[[table]]\nrows = [[\"nova\"]]\n"));
        assert!(!apart(&text.replace("\"n\"", "\"device\""), "[defaults]\ndevice = \"weave\"\n"));
        assert!(!apart(&text.replace("device =", "notes ="), "[defaults]\ndevice = \"weave\"\n"));
        assert!(!apart(&format!("{text}[[run]]\ndevice = \"weave\"\n"), "[defaults]\ndevice = \"weave\"\n"));
    }
}
