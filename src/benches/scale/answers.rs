//! Whether a tool's answer is dlbench's: the same count, the same best rows, the same counts of values.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use super::Outcome;
use super::tools::Place;

/// The fields whose values every tool counts.
const FACETS: &[&str] = &["source", "framework", "device", "network", "stage", "precision"];

/// An answer in what all tools give.
#[derive(Debug, Default, PartialEq)]
pub struct Answer {
    pub total: u64,
    /// The best rows' ids and values, best first.
    rows: Vec<(String, Option<f64>)>,
    /// How many hits have each value of each facet.
    facets: BTreeMap<(String, String), u64>,
}

impl Answer {
    /// dlbench's answer.
    pub fn of_dlbench(place: &Place, ask: &str, sort: &str) -> Outcome<Self> {
        let mut command = place.dlbench(&["query", "--facets", "-f", "json", "--limit", "20", "--", ask]);
        let answer: Value = serde_json::from_slice(&command.output()?.stdout)?;
        let total = answer["total"].as_u64().ok_or("an answer has a total")?;
        let measurements = answer["measurements"].as_array().ok_or("an answer has measurements")?;
        let rows = measurements.iter().map(|row| {
            let id = row["id"].as_str().unwrap_or_default().to_owned();
            (id, row["metrics"][sort].as_f64())
        });
        let mut facets = BTreeMap::new();
        for facet in answer["facets"].as_array().into_iter().flatten() {
            let name = facet["field"].as_str().unwrap_or_default();
            for value in facet["values"].as_array().into_iter().flatten().filter(|_| FACETS.contains(&name)) {
                let text = value["value"].as_str().unwrap_or_default().to_owned();
                facets.insert((name.to_owned(), text), value["count"].as_u64().unwrap_or_default());
            }
        }
        Ok(Self { total, rows: rows.collect(), facets })
    }

    /// A rival's answer: lines of `total`, `row` and `facet`.
    pub fn of_rival(command: &mut Command) -> Outcome<Self> {
        let output = command.output()?;
        if !output.status.success() {
            return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        let mut answer = Self::default();
        for line in String::from_utf8(output.stdout)?.lines() {
            let cells: Vec<&str> = line.split('\t').collect();
            match cells.as_slice() {
                ["total", _, _, count, ..] => answer.total = count.parse()?,
                ["row", id, value, ..] => answer.rows.push(((*id).to_owned(), value.parse().ok())),
                // What is not stated is no value.
                ["facet", _, "", ..] => {}
                ["facet", name, value, count, ..] => {
                    answer.facets.insert(((*name).to_owned(), (*value).to_owned()), count.parse()?);
                }
                _ => return Err(format!("{command:?} said {line:?}").into()),
            }
        }
        Ok(answer)
    }

    /// What is wrong with `other` if this one is right. Rows of the last one's value may be any of those that have it.
    pub fn objection(&self, other: &Self) -> Option<String> {
        if self.total != other.total {
            return Some(format!("it counts {} rather than {}", other.total, self.total));
        }
        let values = |answer: &Self| answer.rows.iter().map(|(_, value)| *value).collect::<Vec<_>>();
        if values(self) != values(other) {
            return Some("its best rows have other values".to_owned());
        }
        let last = self.rows.last().and_then(|(_, value)| *value);
        let sure = |answer: &Self| -> BTreeSet<String> {
            answer.rows.iter().filter(|(_, value)| *value != last).map(|(id, _)| id.clone()).collect()
        };
        if sure(self) != sure(other) {
            return Some("its best rows are other ones".to_owned());
        }
        let differs = |key: &&(String, String)| self.facets.get(*key) != other.facets.get(*key);
        let differing = self.facets.keys().chain(other.facets.keys()).find(differs);
        differing.map(|key| {
            let (own, others) = (self.facets.get(key), other.facets.get(key));
            format!("of {} {:?} it counts {others:?} rather than {own:?}", key.0, key.1)
        })
    }
}
