//! Evaluates a recipe's rules and templates for a record, before their text becomes a field.

use std::collections::BTreeMap;

use regex::Captures;

use super::records::Record;
use crate::contribute::recipe::{Choice, Compiled, Rule, plain_names};

/// Adds to a record the values that the recipe derives from it; the inner error is the reason to leave it out when a map lacks one.
pub(super) fn with_values(recipe: &Compiled<'_>, record: &Record) -> Result<Result<Record, String>, OverlongText> {
    let mut with = record.clone();
    for (name, choices) in &recipe.values {
        let text = match applying(choices, record)? {
            Some(choice) => text_of(choice, record)?,
            None => Ok(String::new()),
        };
        if let Some(choice) = applying(choices, record)?.filter(|_| !record.notes.is_empty()) {
            let notes = plain_names(choice.template());
            let notes: Vec<&str> = notes.iter().filter_map(|name| record.notes.get(name)).map(String::as_str).collect();
            if !notes.is_empty() {
                with.notes.insert((*name).to_owned(), notes.join("; "));
            }
        }
        match text {
            Ok(text) => drop(with.values.insert((*name).to_owned(), text)),
            Err(text) => return Ok(Err(format!("{name} `{text}` is not in the recipe"))),
        }
    }
    Ok(Ok(with))
}

/// The first rule whose condition holds.
pub(super) fn applying<'c, 'p>(
    choices: &'c [Choice<'p>],
    record: &Record,
) -> Result<Option<&'c Choice<'p>>, OverlongText> {
    for choice in choices {
        let holds = match &choice.condition {
            Some((when, pattern)) => pattern.is_match(&filled(when, &record.values)?),
            None => true,
        };
        if holds {
            return Ok(Some(choice));
        }
    }
    Ok(None)
}

/// The text that a rule yields: its template filled in, the picked part, then the map applied. The inner error is the
/// text that the map lacks.
pub(super) fn text_of(choice: &Choice<'_>, record: &Record) -> Result<Result<String, String>, OverlongText> {
    let (template, into, map, others) = match choice.rule {
        // The recipe parser has already expanded lists.
        Rule::First(_) => return Ok(Ok(String::new())),
        Rule::Template(template) => (template, None, None, false),
        Rule::Integer(number) => return Ok(Ok(number.to_string())),
        Rule::ProcessedTemplate(worked) => (&worked.from, worked.into.as_deref(), Some(&worked.map), worked.others),
    };
    let mut text = filled(template, &record.values)?.trim().to_owned();
    if let Some(pick) = &choice.pick {
        text = match pick.captures(&text) {
            Some(found) => picked(&found, into)?,
            None => String::new(),
        };
    }
    Ok(match map.filter(|map| !map.is_empty()) {
        None => Ok(text),
        Some(map) => match map.get(&text).or_else(|| in_any_case(map, &text)) {
            Some(mapped) => Ok(mapped.clone()),
            None if others || text.is_empty() => Ok(text),
            None => Err(text),
        },
    })
}

/// Looks a text up in a map, ignoring case (`Preview` for `preview`); `None` unless all matching keys have the same value.
fn in_any_case<'m>(map: &'m BTreeMap<String, String>, text: &str) -> Option<&'m String> {
    let mut alike = map.iter().filter(|(key, _)| key.eq_ignore_ascii_case(text)).map(|(_, value)| value);
    let first = alike.next()?;
    alike.all(|other| other == first).then_some(first)
}

/// The first group of a match, or the whole match; if the recipe has an `into` text, that text with `{1}`, `{2}` … filled in.
fn picked(found: &Captures<'_>, into: Option<&str>) -> Result<String, OverlongText> {
    let text = match into {
        Some(into) => {
            let group = |at: usize| found.get(at).map_or_else(String::new, |group| group.as_str().trim().to_owned());
            filled(into, &(0..found.len()).map(|at| (at.to_string(), group(at))).collect())?
        }
        None => found.get(1).or_else(|| found.get(0)).map_or_else(String::new, |group| group.as_str().to_owned()),
    };
    Ok(text.trim().to_owned())
}

/// Maximum length in bytes of a filled-in template: twice the largest cell of a spreadsheet.
const LONGEST: usize = 1 << 16;

/// A filled-in template is longer than any text of a measurement.
#[derive(Debug, thiserror::Error)]
#[error("the recipe's template `{0}` becomes longer than {LONGEST} bytes with the values of a record")]
pub struct OverlongText(String);

/// Fills in a template; an unknown name becomes empty text. Names may be nested: `{batch.{net}}`.
pub(super) fn filled(template: &str, values: &BTreeMap<String, String>) -> Result<String, OverlongText> {
    /// Number of characters of the template to show in the error.
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
    use crate::contribute::recipe::Recipe;

    #[test]
    fn values_are_worked_out_of_a_record_before_its_fields() {
        let recipe = Recipe::parse(
            "[values]\nrelease = { from = \"{above}\", pick = '(\\d\\d\\.\\d\\d)' }\n\
             kind = { from = \"{file}\", map = { a = \"A\" } }\n\
             [[table]]\nfiles = \"*\"\nformat = \"csv\"\nbatch = \"b\"\n[table.set]\n",
        )
        .unwrap();
        let compiled = recipe.table[0].compiled().unwrap();
        let record = |file: &str| {
            let values =
                [("above", "in 21.03"), ("file", file)].map(|(name, value)| (name.to_owned(), value.to_owned()));
            Record::new(values.into(), 1)
        };
        let with = with_values(&compiled, &record("a")).unwrap().unwrap();
        assert_eq!((with.values["release"].as_str(), with.values["kind"].as_str()), ("21.03", "A"));
        assert_eq!(with_values(&compiled, &record("b")).unwrap().unwrap_err(), "kind `b` is not in the recipe");
    }

    #[test]
    fn a_map_reads_its_keys_in_any_case_where_they_agree() {
        let map: BTreeMap<String, String> =
            [("preview", "P"), ("AI", "one"), ("ai", "two")].map(|(key, to)| (key.to_owned(), to.to_owned())).into();
        assert_eq!(in_any_case(&map, "Preview").map(String::as_str), Some("P"));
        assert_eq!((in_any_case(&map, "Ai"), in_any_case(&map, "x")), (None, None));
    }

    #[test]
    fn groups_become_a_text_of_their_own() {
        let recipe = Recipe::parse(
            "[values]\nshape = { from = \"{size}\", pick = '(\\d+)\\D+(\\d+)', into = \"3x{1}x{2}\", map = { 3x640x640 = \"square\" }, others = true }\n\
             [[table]]\nfiles = \"*\"\nformat = \"csv\"\nbatch = \"b\"\n[table.set]\n",
        )
        .unwrap();
        let compiled = recipe.table[0].compiled().unwrap();
        for (size, shape) in [("(224, 224)", "3x224x224"), ("640×640", "square"), ("any", "")] {
            let record = Record::new([("size".to_owned(), size.to_owned())].into(), 1);
            assert_eq!(with_values(&compiled, &record).unwrap().unwrap().values["shape"], shape);
        }
    }

    #[test]
    fn an_empty_text_is_absent_unless_the_map_has_it() {
        let recipe = Recipe::parse(
            "[values]\nwith = { from = \"{cell}\", map = { \"\" = \"none\", a = \"A\" } }\n\
             without = { from = \"{cell}\", map = { a = \"A\" } }\n\
             picked = { from = \"{cell}\", pick = '\\d+', map = { \"\" = \"no number\" } }\n\
             [[table]]\nfiles = \"*\"\nformat = \"csv\"\nbatch = \"b\"\n[table.set]\n",
        )
        .unwrap();
        let compiled = recipe.table[0].compiled().unwrap();
        for (cell, told) in [("", ["none", "", "no number"]), ("a", ["A", "A", "no number"])] {
            let record = Record::new([("cell".to_owned(), cell.to_owned())].into(), 1);
            let with = with_values(&compiled, &record).unwrap().unwrap();
            assert_eq!(["with", "without", "picked"].map(|name| with.values[name].as_str()), told);
        }
    }

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
