//! The text that a recipe's rules give for a record, before it becomes a field.

use super::records::Record;
use super::template::{OverlongText, filled};
use crate::contribute::recipe::{Choice, Compiled, Rule};

/// The record with the values that the recipe works out of it; the reason why it is left out where one is not in a map.
pub(super) fn with_values(recipe: &Compiled<'_>, record: &Record) -> Result<Result<Record, String>, OverlongText> {
    let mut with = record.clone();
    for (name, choices) in &recipe.values {
        let text = match applying(choices, record)? {
            Some(choice) => text_of(choice, record)?,
            None => Ok(String::new()),
        };
        match text {
            Ok(text) => drop(with.values.insert((*name).to_owned(), text)),
            Err(text) => return Ok(Err(format!("{name} `{text}` is not in the recipe"))),
        }
    }
    Ok(Ok(with))
}

/// The first of the rules whose condition holds.
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

/// The text that a rule gives: its template, what is picked of it, and what the map has for that. The error is the text that
/// the map does not have.
pub(super) fn text_of(choice: &Choice<'_>, record: &Record) -> Result<Result<String, String>, OverlongText> {
    let (template, map, others) = match choice.rule {
        // The parser of recipes has taken lists apart.
        Rule::First(_) => return Ok(Ok(String::new())),
        Rule::Template(template) => (template, None, false),
        Rule::Integer(number) => return Ok(Ok(number.to_string())),
        Rule::Worked(worked) => (&worked.from, Some(&worked.map), worked.others),
    };
    let mut text = filled(template, &record.values)?.trim().to_owned();
    if let Some(pick) = &choice.pick {
        let picked = pick.captures(&text).and_then(|found| found.get(1).or_else(|| found.get(0)));
        text = picked.map_or_else(String::new, |group| group.as_str().trim().to_owned());
    }
    Ok(match map.filter(|map| !map.is_empty() && !text.is_empty()) {
        None => Ok(text),
        Some(map) => match map.get(&text) {
            Some(mapped) => Ok(mapped.clone()),
            None if others => Ok(text),
            None => Err(text),
        },
    })
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
}
