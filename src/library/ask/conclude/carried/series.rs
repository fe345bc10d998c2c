//! Series of devices and networks, read off their names: what is called alike but for its number or its generation.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::stores::resolve::{ProductName, is_form};
use crate::values::Date;

/// Which way along a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// What came after.
    Next,
    /// What came before.
    Before,
}

/// A number below this counts generations; one from here on is that of a model.
const LEAST_MODEL_NUMBER: u64 = 100;

/// Two models are of one tier where these last digits of their numbers agree: the 80 of 1080 and 2080.
const TIERS: std::ops::Range<u64> = 1_000..10_000;
const LAST_DIGITS: u64 = 100;

/// A name by what a series is told by: its words without the makers, and its numbers, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeriesName {
    words: BTreeSet<String>,
    numbers: Vec<u64>,
}

/// How alike two names are; the greater, the more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Likeness {
    /// Whether they are of one tier, or of one name but for a count.
    pub is_tier: bool,
    /// How many generations lie between two that are counted; the fewer, the nearer.
    pub gap: Reverse<u64>,
    /// Whether both have the same words.
    pub is_alike: bool,
    /// How many words both have.
    pub shared: usize,
}

/// What stands in a series.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub id: String,
    pub called: String,
    pub name: SeriesName,
    pub released: Option<Date>,
    pub architecture: Option<String>,
}

impl SeriesName {
    pub fn of(name: &str) -> Self {
        let name = ProductName::of(name);
        // One line of cards under two names.
        let word = |word: &str| if word == "gtx" { "rtx".to_owned() } else { word.to_owned() };
        Self { words: name.words().map(word).collect(), numbers: name.numbers() }
    }

    /// Whether its number counts versions, and is no size: the 3 of YOLOv3, not the 18 of ResNet-18 nor the 0 of B0.
    pub fn counts_versions(&self) -> bool {
        let is_name = |word: &String| word.len() > 2 || word == "v";
        self.count().is_some_and(|count| count < 10) && self.words.iter().all(is_name)
    }

    /// Whether the other one goes on from this name with no more than a form or a size: a SKU of its family.
    pub fn is_form_of(&self, family: &Self) -> bool {
        // Gaudi 2 is no form of the Gaudi.
        if self.words == family.words && self.numbers != family.numbers {
            return false;
        }
        let more = self.words.difference(&family.words).all(|word| is_form(word));
        family.words.is_subset(&self.words) && more && self.numbers.starts_with(&family.numbers)
    }

    /// Whether it has a form that another name has not.
    fn has_other_form(&self, other: &Self) -> bool {
        self.words.difference(&other.words).any(|word| is_form(word))
    }

    /// The number that counts the generations of what has only one small one; 1 where it has none: Gaudi, Gaudi 2.
    fn count(&self) -> Option<u64> {
        match self.numbers.as_slice() {
            [] => Some(1),
            [only] if *only < LEAST_MODEL_NUMBER => Some(*only),
            _ => None,
        }
    }

    /// How far apart two of the same name with other counts are: 1 of Raspberry Pi 4 and 5; `None` where they are not.
    fn generations_to(&self, other: &Self) -> Option<u64> {
        let shared = self.words.intersection(&other.words);
        let is_same = self.words == other.words && !self.words.is_empty();
        // `Raspberry Pi 4 Model B` goes on with the name of Raspberry Pi 3.
        let goes_on = (self.words.is_subset(&other.words) || other.words.is_subset(&self.words))
            && !self.numbers.is_empty()
            && !other.numbers.is_empty()
            && shared.into_iter().any(|word| word.len() > 2);
        let apart = self.count()?.abs_diff(other.count()?);
        (apart > 0 && (is_same || goes_on)).then_some(apart)
    }

    /// Whether both are models of one tier: GTX 1080 Ti and RTX 2080 Ti, V100 and A100, P4 and T4.
    fn is_of_tier(&self, other: &Self) -> bool {
        let (Some(own), Some(others)) = (self.numbers.first(), other.numbers.first()) else { return false };
        let is_letter = |name: &Self| name.words.len() == 1 && name.words.iter().all(|word| word.len() == 1);
        let letters = is_letter(self) && is_letter(other) && self.numbers.len() == 1 && other.numbers.len() == 1;
        let by_tier = TIERS.contains(own) && TIERS.contains(others) && own % LAST_DIGITS == others % LAST_DIGITS;
        own == others && letters && self.words != other.words
            || own != others && by_tier && self.words == other.words
            || own == others && TIERS.contains(own) && self.words.intersection(&other.words).next().is_some()
    }

    /// How alike another name is; `None` where nothing but chance is shared.
    pub fn likeness(&self, other: &Self) -> Option<Likeness> {
        if other.has_other_form(self) {
            return None;
        }
        let shared: Vec<&String> = self.words.intersection(&other.words).collect();
        let apart = self.generations_to(other);
        let is_tier = apart.is_some() || self.is_of_tier(other);
        let is_series = shared.iter().any(|word| word.len() > 2);
        (is_tier || is_series).then_some(Likeness {
            is_tier,
            gap: Reverse(apart.unwrap_or_default()),
            is_alike: self.words == other.words,
            shared: shared.len(),
        })
    }
}

impl Member {
    /// Whether another one stands behind it in that way; an architecture that both have is one generation.
    fn goes_on_to(&self, other: &Self, way: Way) -> bool {
        let is_count = self.name.generations_to(&other.name).is_some();
        let is_one_generation =
            self.architecture.as_ref().zip(other.architecture.as_ref()).is_some_and(|(own, others)| own == others);
        let (first, second) = if way == Way::Next { (self, other) } else { (other, self) };
        let by_date = first.released.zip(second.released).map(|(first, second)| first.is_before(second));
        match is_count {
            true => first.name.count() < second.name.count() && by_date.unwrap_or(true),
            false => by_date.unwrap_or(false) && !is_one_generation,
        }
    }

    /// The nearest of some others in that way: those most alike by name, the first to come or the last to have come in front.
    pub fn nearest<'m>(&self, others: &'m [Self], way: Way) -> Vec<(Likeness, &'m Self)> {
        let alike = |other: &'m Self| Some((self.name.likeness(&other.name)?, other));
        let behind = others.iter().filter(|other| other.id != self.id && self.goes_on_to(other, way));
        let mut found: Vec<(Likeness, &Self)> = behind.filter_map(alike).collect();
        let Some(most) = found.iter().map(|(likeness, _)| *likeness).max() else { return Vec::new() };
        found.retain(|(likeness, _)| *likeness == most);
        found.sort_by(|(_, a), (_, b)| {
            let by_date = a.released.map(|date| date.to_string()).cmp(&b.released.map(|date| date.to_string()));
            let order = by_date.then_with(|| a.name.count().cmp(&b.name.count())).then_with(|| a.id.cmp(&b.id));
            if way == Way::Next { order } else { order.reverse() }
        });
        // Of one step alone.
        let generation = found.first().and_then(|(_, first)| first.architecture.clone());
        found.retain(|(_, one)| one.architecture == generation);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(called: &str, architecture: &str, released: &str) -> Member {
        Member {
            id: called.to_owned(),
            called: called.to_owned(),
            name: SeriesName::of(called),
            released: released.parse().ok(),
            architecture: Some(architecture.to_owned()),
        }
    }

    #[test]
    fn what_comes_next_is_read_off_names_and_dates() {
        let all = [
            member("Tesla P100", "Pascal", "2016-06"),
            member("Tesla V100", "Volta", "2017-06"),
            member("Tesla T4", "Turing", "2018-09"),
            member("A100", "Ampere", "2020-05"),
            member("H100", "Hopper", "2022-03"),
            member("L4", "Ada", "2023-03"),
            member("GeForce GTX 1080", "Pascal", "2016-05"),
            member("GeForce GTX 1080 Ti", "Pascal", "2017-03"),
            member("GeForce GTX 1660 Ti", "Turing", "2018-02"),
            member("GeForce RTX 2080 Ti", "Turing", "2018-09"),
            member("GeForce RTX 2080 Super Max-Q", "Turing", "2018-04"),
            member("Jetson Nano", "Maxwell", "2019-03"),
            member("Jetson AGX Xavier", "Volta", "2018-10"),
            member("Jetson AGX Orin", "Ampere", "2022-03"),
            member("Jetson Orin Nano", "Ampere", "2023-03"),
            member("TPU v3", "", "2018-05"),
            member("TPU v4", "", "2021-05"),
            member("TPU v5e", "", "2023-08"),
            member("TPU v7", "", "2025-04"),
            member("Raspberry Pi 3", "A53", ""),
            member("Raspberry Pi 4 Model B", "A72", ""),
        ];
        for (of, way, expected) in [
            ("Tesla V100", Way::Next, Some("A100")),
            ("A100", Way::Next, Some("H100")),
            ("A100", Way::Before, Some("Tesla V100")),
            ("Tesla T4", Way::Next, Some("L4")),
            ("GeForce GTX 1080 Ti", Way::Next, Some("GeForce RTX 2080 Ti")),
            ("GeForce RTX 2080 Ti", Way::Before, Some("GeForce GTX 1080 Ti")),
            ("Jetson AGX Xavier", Way::Next, Some("Jetson AGX Orin")),
            ("Jetson Nano", Way::Next, Some("Jetson Orin Nano")),
            ("TPU v3", Way::Next, Some("TPU v4")),
            ("TPU v4", Way::Before, Some("TPU v3")),
            ("TPU v4", Way::Next, Some("TPU v5e")),
            ("Raspberry Pi 3", Way::Next, Some("Raspberry Pi 4 Model B")),
            ("H100", Way::Next, None),
        ] {
            let own = all.iter().find(|one| one.called == of).unwrap();
            let found = own.nearest(&all, way);
            assert_eq!(found.first().map(|(_, next)| next.called.as_str()), expected, "{of}");
        }
    }

    #[test]
    fn a_form_of_a_product_is_no_product_of_its_own() {
        let name = SeriesName::of;
        assert!(name("A100 PCIe 40 GB").is_form_of(&name("A100")));
        assert!(!name("Jetson AGX Orin").is_form_of(&name("Jetson Orin")));
    }
}
