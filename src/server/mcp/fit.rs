//! Limits the length of replies for an assistant; omissions are always counted and reported.

use serde_json::{Map, Value};

use dlbench::values::text::counted;

/// A document without null members, which may be half of a row and which the protocol does not need.
pub(super) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let known = object.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(known.map(|(key, value)| (key, without_nulls(value))).collect())
        }
        // The position of an item may be significant.
        Value::Array(items) => Value::Array(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

/// Shortens the longest list of a document by a quarter, until the whole has at most `most` bytes, and reports under
/// `left_out` how many items of each list were removed. Items are removed from the end.
pub(super) fn shorten(document: &mut Map<String, Value>, most: usize) {
    while length(&*document) > most {
        let mut lists = Vec::new();
        find_lists(document, &mut Vec::new(), &mut lists);
        let Some((_, path)) = lists.into_iter().max_by_key(|(length, _)| *length) else { return };
        let Some(list) = list_at(document, &path) else { return };
        let gone = (list.len() / 4).max(1);
        list.truncate(list.len() - gone);
        let left_out = document.entry("left_out").or_insert_with(|| Value::Object(Map::new()));
        let before = left_out[path.join(".")].as_u64().unwrap_or(0);
        left_out[path.join(".")] = (before + gone as u64).into();
    }
}

/// The length of a value as JSON, in bytes.
pub(super) fn length(value: &impl serde::Serialize) -> usize {
    serde_json::to_string(value).map_or(0, |text| text.len())
}

/// Every non-empty list that is not inside another list, with its length in bytes and its path.
fn find_lists(object: &Map<String, Value>, path: &mut Vec<String>, found: &mut Vec<(usize, Vec<String>)>) {
    for (key, value) in object {
        path.push(key.clone());
        match value {
            Value::Array(items) if !items.is_empty() => found.push((length(value), path.clone())),
            Value::Object(inner) => find_lists(inner, path, found),
            _ => {}
        }
        path.pop();
    }
}

fn list_at<'d>(document: &'d mut Map<String, Value>, path: &[String]) -> Option<&'d mut Vec<Value>> {
    let (first, rest) = path.split_first()?;
    let value = rest.iter().try_fold(document.get_mut(first)?, |value, key| value.get_mut(key))?;
    value.as_array_mut()
}

/// The whole lines of a text within about `most` bytes, with a note if there were more.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let ends = text.match_indices('\n').map(|(at, _)| at + 1);
    let kept = ends.take_while(|end| *end <= most).last().unwrap_or(0);
    let lines = counted(text[kept..].lines().count(), "line", "lines");
    format!("{}… {lines} more left out: narrow the question, or ask for more with `most_bytes`\n", &text[..kept])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_longest_list_is_shortened_first_and_the_rest_counted() {
        let rows: Vec<Value> = (0..100).map(|at| json!({ "id": format!("source:{at:06}") })).collect();
        let Value::Object(mut document) = json!({ "total": 100, "rows": rows, "catalog": { "devices": ["a", "b"] } })
        else {
            unreachable!("an object")
        };
        shorten(&mut document, 1_000);
        let left = document["rows"].as_array().map_or(0, Vec::len);
        assert!((20..40).contains(&left), "{left}");
        assert_eq!(document["left_out"], json!({ "rows": 100 - left }));
        assert_eq!(document["catalog"]["devices"], json!(["a", "b"]));
        assert!(length(&document) <= 1_000);
        // A document without lists stays unchanged.
        let Value::Object(mut document) = json!({ "text": "long" }) else { unreachable!("an object") };
        shorten(&mut document, 3);
        assert_eq!(document.len(), 1);
    }

    #[test]
    fn what_is_not_known_is_left_out_but_keeps_its_place_in_a_list() {
        let value = without_nulls(json!({ "a": null, "b": [1, null, { "c": null }], "d": { "e": null } }));
        assert_eq!(value, json!({ "b": [1, null, {}], "d": {} }));
    }

    #[test]
    fn a_text_is_cut_between_lines() {
        assert_eq!(cut("one\ntwo\n", 8), "one\ntwo\n");
        assert_eq!(
            cut("one\ntwo\nthree\n", 8),
            "one\ntwo\n… 1 line more left out: narrow the question, or ask for more with `most_bytes`\n"
        );
        assert!(cut("ä".repeat(10).as_str(), 5).starts_with("… 1 line "));
    }
}
