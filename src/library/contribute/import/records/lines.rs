//! The lines of a log.

use std::collections::BTreeMap;

use regex::Regex;

use super::record::{MalformedInput, Record, add_captures};
use super::record_list::RecordList;
use crate::contribute::recipe::Compiled;

/// One record for each line that the recipe's `line` matches, with what the lines above it said.
pub(super) fn records(text: &str, compiled: &Compiled<'_>) -> Result<Vec<Record>, MalformedInput> {
    let mut records = RecordList::default();
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        if compiled.reset.as_ref().is_some_and(|reset| reset.is_match(line)) {
            said.clear();
        }
        for state in &compiled.state {
            add_state(state, line, &mut said);
        }
        let mut values = said.clone();
        if compiled.line.as_ref().is_some_and(|pattern| add_captures(pattern, line, &mut values)) {
            records.push(Record::new(values, at + 1))?;
        }
    }
    Ok(records.into_records())
}

/// What a line says of those below. Where the pattern has a group `key`, the others are named with its text: `{name.0}`.
fn add_state(pattern: &Regex, line: &str, said: &mut BTreeMap<String, String>) {
    let mut found = BTreeMap::new();
    if !add_captures(pattern, line, &mut found) {
        return;
    }
    match found.remove("key") {
        Some(key) => said.extend(found.into_iter().map(|(name, value)| (format!("{name}.{key}"), value))),
        None => said.extend(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contribute::recipe::Recipe;

    #[test]
    fn a_state_with_a_key_is_kept_for_each_of_its_keys() {
        let pattern = Regex::new(r"^\[(?P<key>\d+) (?P<gpu>[^\]]+)\]").unwrap();
        let mut said = BTreeMap::new();
        for line in ["[0 NVIDIA RTX]  queueC=1", "[1 Intel UHD]  queueC=1", "[1 Intel UHD]  fp16=1", "gpu_device = 1"] {
            add_state(&pattern, line, &mut said);
        }
        let expected = [("gpu.0", "NVIDIA RTX"), ("gpu.1", "Intel UHD")];
        assert_eq!(said, expected.map(|(name, value)| (name.to_owned(), value.to_owned())).into());
    }

    #[test]
    fn a_line_knows_what_was_said_above_it_since_the_reset() {
        let recipe = Recipe::parse(
            "[[table]]\nfiles = \"*\"\nformat = \"lines\"\nbatch = \"b\"\nreset = \"^### \"\n\
             state = [\"^### (?P<device>.*)\", \"^threads = (?P<threads>\\\\d+)\"]\nline = \"^(?P<net>\\\\w+) +avg = +(?P<avg>[0-9.]+)\"\n[table.set]\n",
        )
        .unwrap();
        let compiled = recipe.table[0].compiled().unwrap();
        let records = records("### A\nthreads = 4\nnet  avg =  6.90\n### B\nnet avg = 7\n", &compiled).unwrap();
        let value = |at: usize, name: &str| records[at].values.get(name).map(String::as_str);
        assert_eq!((value(0, "device"), value(0, "threads"), value(0, "avg")), (Some("A"), Some("4"), Some("6.90")));
        assert_eq!((value(1, "device"), value(1, "threads"), records[1].line), (Some("B"), None, 5));
    }
}
