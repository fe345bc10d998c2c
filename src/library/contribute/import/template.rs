//! Templates of recipes: `{name}` stands for what a record has under that name.

use std::collections::BTreeMap;

/// The longest text of a template, in bytes: twice the largest cell of a spreadsheet.
const LONGEST: usize = 1 << 16;

/// A template whose text would be longer than any that a measurement has.
#[derive(Debug, thiserror::Error)]
#[error("the recipe's template `{0}` becomes longer than {LONGEST} bytes with the values of a record")]
pub struct OverlongText(String);

/// The text of a template; an unknown name is nothing. A name may hold another: `{batch.{net}}`.
pub(super) fn filled(template: &str, values: &BTreeMap<String, String>) -> Result<String, OverlongText> {
    /// So much of a template tells which one it is.
    const SHOWN: usize = 60;
    let mut length = 0;
    let mut levels = vec![String::new()];
    for c in template.chars() {
        match c {
            '{' => levels.push(String::new()),
            '}' if levels.len() > 1 => {
                let name = levels.pop().unwrap_or_default();
                let value = values.get(&name).map_or("", String::as_str);
                length += value.len();
                if length > LONGEST {
                    let more = if template.chars().count() > SHOWN { "…" } else { "" };
                    return Err(OverlongText(template.chars().take(SHOWN).collect::<String>() + more));
                }
                levels.last_mut().into_iter().for_each(|outer| outer.push_str(value));
            }
            c => levels.last_mut().into_iter().for_each(|level| level.push(c)),
        }
    }
    Ok(levels.join("{"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_their_values_and_a_name_may_hold_another() {
        let values = [("net", "ssd"), ("batch.ssd", "96"), ("", "unnamed")];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        assert_eq!(filled("{net}: {batch.{net}}; {}{nothing}", &values).unwrap(), "ssd: 96; unnamed");
        assert_eq!(filled("a } b { c", &values).unwrap(), "a } b { c");
    }

    #[test]
    fn a_text_that_multiplies_is_refused_with_its_limit() {
        let values = [("x".to_owned(), "a".repeat(20_000))].into();
        assert_eq!(filled("{x}{x}{x}", &values).unwrap().len(), 60_000);
        let error = filled(&"{x}".repeat(5_000), &values).unwrap_err().to_string();
        assert!(error.contains("`{x}{x}") && error.contains("65536 bytes") && error.len() < 300, "{error}");
    }
}
