//! Templates of recipes: `{name}` stands for what a record has under that name.

use std::collections::BTreeMap;

/// The text of a template; an unknown name is nothing. A name may hold another: `{batch.{net}}`.
pub(super) fn filled(template: &str, values: &BTreeMap<String, String>) -> String {
    let mut levels = vec![String::new()];
    for c in template.chars() {
        match c {
            '{' => levels.push(String::new()),
            '}' if levels.len() > 1 => {
                let name = levels.pop().unwrap_or_default();
                let value = values.get(&name).map_or("", String::as_str);
                levels.last_mut().into_iter().for_each(|outer| outer.push_str(value));
            }
            c => levels.last_mut().into_iter().for_each(|level| level.push(c)),
        }
    }
    levels.join("{")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_their_values_and_a_name_may_hold_another() {
        let values = [("net", "ssd"), ("batch.ssd", "96"), ("", "unnamed")];
        let values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        assert_eq!(filled("{net}: {batch.{net}}; {}{nothing}", &values), "ssd: 96; unnamed");
        assert_eq!(filled("a } b { c", &values), "a } b { c");
    }
}
