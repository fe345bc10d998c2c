//! Alternatives if no row has the device and the network of a question: the same product line, generation or family.

use super::counted::values;
use super::key::subjects_of;
use super::outcome::Entry;
use crate::ask::parse::{Is, Key, Question, Result, Term};
use crate::model::{Device, Facet, Network};
use crate::stores::Stores;

/// Row counts for the nearest device and the nearest network.
pub(super) fn nearest(stores: &Stores, question: &Question) -> Result<Vec<Entry>> {
    let mut found = Vec::new();
    for (facet, other) in [(Facet::Device, Facet::Network), (Facet::Network, Facet::Device)] {
        let named = |term: &Term| term.names(facet).len() == 1;
        let Some(at) = question.subject.terms.iter().position(named) else { continue };
        let id = &question.subject.terms[at].names(facet)[0];
        // Keep all other conditions if possible, else only the network or the device.
        let rest = [question.subject.without(at), question.subject.only(|term| !term.names(other).is_empty())];
        for rest in rest.into_iter().filter(|rest| !rest.terms.is_empty()) {
            let of_rest = Question { subject: rest.clone(), order: None, ..question.clone() };
            let mut best: Option<(u32, Entry)> = None;
            for entry in values(stores, &of_rest, &Key::Facet(facet))? {
                let Some(like) = entry.subjects.values().next().map(ToString::to_string) else { continue };
                let alike = likeness(stores, facet, id, &like)?;
                if alike > best.as_ref().map_or(0, |(alike, _)| *alike) {
                    let both = rest.with(Term::of(facet, Is::OneOf(vec![like])));
                    let named = both.only(|term| term.test().is_some());
                    let mut subjects = subjects_of(&named);
                    // `EfficientNet-B0 on Raspberry Pi 5`
                    subjects.sort_by(|a, _, b, _| (a == "device").cmp(&(b == "device")));
                    best = Some((alike, Entry { subjects, ..entry }));
                }
            }
            if let Some((_, entry)) = best {
                found.push(entry);
                break;
            }
        }
    }
    Ok(found)
}

/// The similarity of two devices or two networks; 0 if they are unrelated.
fn likeness(stores: &Stores, facet: Facet, id: &str, other: &str) -> Result<u32> {
    // The same entity matches without another condition of the question.
    if id == other {
        return Ok(u32::MAX);
    }
    let line =
        |id: &str| id.split('-').next().unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let same_line = u32::from(line(id) == line(other));
    Ok(match facet {
        Facet::Device => match (stores.database.entity::<Device>(id)?, stores.database.entity::<Device>(other)?) {
            (Some(a), Some(b)) if a.class == b.class => {
                // `raspberry-pi-3-model-b-plus` for a question about `raspberry-pi-3`.
                let extends = u32::from(other.starts_with(&format!("{id}-")));
                shared(&a.vendor, &b.vendor)
                    + shared(&a.architecture, &b.architecture) * 2
                    + same_line * 3
                    + extends * 4
            }
            _ => 0,
        },
        _ => match (stores.database.entity::<Network>(id)?, stores.database.entity::<Network>(other)?) {
            (Some(a), Some(b)) if a.task == b.task => shared(&a.family, &b.family) * 2 + same_line * 3,
            _ => 0,
        },
    })
}

/// 1 if both state the same value, else 0.
fn shared<T: PartialEq>(a: &Option<T>, b: &Option<T>) -> u32 {
    u32::from(a.is_some() && a == b)
}

#[cfg(test)]
mod tests {
    use crate::ask::execute::outcome;

    #[test]
    fn a_network_without_rows_is_told_by_its_kin_on_the_same_device() {
        let rows = ("device network latency-ms", r#"["nova", "deepnet-50", 100], ["core", "deepnet-18", 50]"#);
        let told = outcome(rows, "network:deepnet-18 device:nova ask:lookup");
        let [of_network, ..] = told.entries.as_slice() else { panic!("{told:?}") };
        let subject = |key: &str| of_network.subjects.get(key).map(ToString::to_string);
        assert_eq!((subject("network").as_deref(), subject("device").as_deref()), (Some("deepnet-50"), Some("nova")));
        assert_eq!(of_network.n, 1);
    }
}
