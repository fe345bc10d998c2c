//! Sizes: of single layers, and of members of network families that are compared with each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::ask::hits::{HitColumns, LayerSizes, PartNumbers, SharedValues};
use crate::ask::parse::Result;
use crate::model::{Aspect, Field};
use crate::stores::Stores;
use crate::values::size_in_name;

/// A size number that keeps apart rows that are otherwise alike.
#[derive(Debug, Default)]
pub(in crate::ask) struct Sizes {
    layers: LayerSizes,
    /// Size numbers by network, if networks are compared; networks not listed have no counterpart.
    members: Option<HashMap<u32, u32>>,
}

impl Sizes {
    /// The sizes of layers, for comparisons that are not between networks.
    pub fn of_layers(stores: &Stores, values: &SharedValues, hits: &[&HitColumns]) -> Result<Self> {
        Ok(Self { layers: LayerSizes::read(stores, values, hits)?, members: None })
    }

    /// Sizes for sides that compare networks. Members with the same size name match across families: YOLOv8-n and YOLOv5-n.
    pub fn of_networks(values: &SharedValues, sides: &[(Option<&str>, &HitColumns)]) -> Self {
        Self { layers: LayerSizes::default(), members: Some(members(values, sides)) }
    }

    /// The size number of a row; `None` if its network has no counterpart.
    pub fn of(&self, values: &SharedValues, row: u64, parts: &PartNumbers) -> Option<u32> {
        match &self.members {
            Some(members) => members.get(&values.number(Field::Network, parts)).copied(),
            None => Some(self.layers.number(row)),
        }
    }

    /// Whether a row is of a single layer.
    pub fn is_layer(&self, row: u64) -> bool {
        self.layers.number(row) > 0
    }
}

/// Network names by network number.
type Names<'n> = BTreeMap<u32, &'n str>;

/// Matches the networks of the sides by the part of their name after the family name; returns size numbers.
fn members(values: &SharedValues, sides: &[(Option<&str>, &HitColumns)]) -> HashMap<u32, u32> {
    let network = Aspect::Field(Field::Network);
    let of_sides: Vec<Names<'_>> = sides
        .iter()
        .map(|(_, hits)| {
            let parts = (0..hits.len()).map(|hit| hits.parts(hit));
            parts.filter_map(|parts| Some((values.number(network, &parts), values.text(network, &parts)?))).collect()
        })
        .collect();
    let sizes: Vec<Names<'_>> = of_sides.iter().map(by_size).collect();
    let named = || of_sides.iter().zip(sides.iter().map(|(named, _)| named.unwrap_or_default()));
    let heads =
        named().map(|(networks, named)| networks.iter().find(|(_, id)| **id == named).map(|(number, _)| *number));
    let of_sides: Vec<Names<'_>> = named()
        .map(|(networks, named)| {
            // For several networks, the family name is their common prefix.
            let family = if networks.len() > 1 { in_common(networks.values()) } else { named.to_owned() };
            networks.iter().map(|(number, &id)| (*number, behind(id, &family))).collect()
        })
        .collect();
    // Language models of two families correspond by size alone, whatever their generation.
    if in_several(&of_sides).is_empty() {
        // Sides that name no network, such as those selected by parameter count, are compared over all their networks.
        if sides.iter().all(|(named, _)| named.is_none()) {
            return of_sides.iter().flatten().map(|(number, _)| (*number, 1)).collect();
        }
        let common = in_several(&sizes);
        if !common.is_empty() {
            let place = |size: &&str| common.binary_search(size).ok();
            let placed = sizes.iter().flatten().filter_map(|(number, size)| Some((*number, place(size)? as u32 + 1)));
            return placed.collect();
        }
    }
    // Two named networks stand for themselves, whatever variants they have.
    let heads = heads.collect::<Option<Vec<u32>>>().unwrap_or_default();
    let common = in_several(&of_sides);
    let single = of_sides.iter().all(|networks| networks.len() <= 1);
    let numbered = of_sides.iter().flatten().filter_map(|(number, name)| match common.binary_search(name) {
        Ok(place) => Some((*number, place as u32 + 1)),
        // Two single networks can be compared whatever their names; with two families it is unknown which members correspond.
        Err(_) => (common.is_empty() && (single || heads.contains(number))).then_some((*number, 1)),
    });
    numbered.collect()
}

/// The sorted names that more than one side has.
fn in_several<'n>(of_sides: &[Names<'n>]) -> Vec<&'n str> {
    let mut sides_with: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (at, networks) in of_sides.iter().enumerate() {
        for name in networks.values() {
            sides_with.entry(name).or_default().insert(at);
        }
    }
    sides_with.into_iter().filter(|(_, sides)| sides.len() > 1).map(|(name, _)| name).collect()
}

/// The networks with a parameter count in their name, by that part of the name: `7b`.
fn by_size<'n>(networks: &Names<'n>) -> Names<'n> {
    networks.iter().filter_map(|(number, &id)| Some((*number, size_in_name(id)?))).collect()
}

/// The common prefix of the names.
fn in_common<'n>(mut names: impl Iterator<Item = &'n &'n str>) -> String {
    let shared = |a: String, b: &&str| a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
    let first = names.next().map(|first| (*first).to_owned()).unwrap_or_default();
    names.fold(first, shared)
}

/// The name of a network without its family prefix.
fn behind<'i>(id: &'i str, family: &str) -> &'i str {
    id.strip_prefix(family).map_or(id, |rest| rest.trim_start_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::{behind, by_size, in_common, in_several};

    #[test]
    fn language_models_are_alike_by_the_size_in_their_names() {
        let networks = [(1, "qwen2-7b"), (2, "llama-3.1-8b-instruct"), (3, "gpt-j"), (4, "qwen2-0.5b")];
        let sizes = by_size(&networks.into());
        assert_eq!(sizes, [(1, "7b"), (2, "8b"), (4, "0.5b")].into());
        assert_eq!(in_several(&[sizes, [(7, "7b")].into()]), ["7b"]);
    }

    #[test]
    fn members_are_called_behind_their_family() {
        assert_eq!(behind("yolov5-n", "yolov5"), "n");
        assert_eq!(in_common(["yolov8l", "yolov8n"].iter()), "yolov8");
        assert_eq!(behind("resnet-50", "resnet-50"), "");
        assert_eq!(behind("vgg-16", "resnet"), "vgg-16");
    }
}
