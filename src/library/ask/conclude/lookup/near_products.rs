//! Which products are nearest to one that nothing here is called: those of its series, by how near their numbers are.

use std::collections::BTreeMap;

use crate::ask::question::QueryError;
use crate::model::{Facet, Lookup as _, Name};
use crate::stores::Stores;
use crate::stores::resolve::{ProductName, ProductNumber, suffix_of};
use crate::values::spelling::normalise;

/// Numbers of fewer digits count generations; longer ones tell the generation and the place in it: the 4060 and the 3060.
const LONG: usize = 3;

/// What another word behind the number, a Ti or a Pro, weighs as much as.
const OTHER_SUFFIX: f64 = 0.5;

/// A place in a generation is so many numbers from the next: the 4060 from the 4070.
const PLACES: f64 = 20.0;

/// So many names make a line of products.
const LINE: usize = 8;

/// Shorter words say nothing of a series.
const LEAST_LETTERS: usize = 3;

/// A series with fewer letters is the beginning of anything, unless a maker or another word stands in front.
const LEAST_ALONE: usize = 4;

/// A number of fewer digits is part of too many names.
const LEAST_DIGITS: usize = 4;

/// What is compared of a product: the letters in front of its number, the number, and the letters behind it.
struct Numbered {
    series: String,
    number: ProductNumber,
    suffix: String,
}

impl Numbered {
    /// What a name, as names are compared, is to others; `None` where it has no number.
    fn of(normal: &str) -> Option<Self> {
        let name = ProductName::of(normal);
        let suffix = name.suffix.first().cloned().unwrap_or_default();
        // A size that stands right behind a number makes another one of it: the A40 48 GB.
        if matches!(suffix.as_str(), "gb" | "gib") {
            return None;
        }
        Some(Self { series: [name.makers, name.series].concat().concat(), number: name.number?, suffix })
    }

    /// How far another product is from it; `None` of another series.
    fn distance(&self, other: &Self) -> Option<f64> {
        let is_of_series = match (self.series.as_str(), other.series.as_str()) {
            ("", _) => self.number.digits >= LONG,
            (_, "") => false,
            // With the maker and without: `geforce rtx` and `rtx`. A letter or two are the end of anything, and so is a `pro`.
            (own, other) if own.len().min(other.len()) < LEAST_LETTERS => own == other,
            (own, other) if suffix_of(own).is_some() || suffix_of(other).is_some() => own == other,
            (own, other) => own.ends_with(other) || other.ends_with(own),
        };
        let (own, others) = (self.number, other.number);
        if !is_of_series || own.digits.abs_diff(others.digits) > 1 {
            return None;
        }
        let apart = if own.digits.max(others.digits) < LONG {
            own.value.abs_diff(others.value) as f64
        } else {
            let generations = (own.value / 100).abs_diff(others.value / 100);
            let places = (own.value % 100).abs_diff(others.value % 100);
            generations as f64 / 10.0 + places as f64 / PLACES
        };
        Some(if self.suffix == other.suffix { apart } else { apart + OTHER_SUFFIX })
    }
}

/// The devices, or else the networks, that are nearest to what nothing is called, the nearest first, each once: those of its line
/// by their numbers, else those with its number, and behind them the others of its series.
pub(super) fn near_products(stores: &Stores, word: &str) -> Result<Vec<Name>, QueryError> {
    // The size of a memory is no number of a product.
    let words: Vec<&str> = word.split([' ', '-']).filter(|part| !is_size(part)).collect();
    let names = stores.database.all()?;
    let mut near = by_number(&names, &normalise(&words.concat()));
    let of_devices = near.first().is_none_or(|name| name.facet == Facet::Device);
    if near.is_empty() {
        near = with_number(&names, word);
    }
    if of_devices {
        near.extend(of_series(&names, &ProductName::of(&words.join(" "))));
    }
    Ok(each_once(near))
}

/// The ids of what is nearest to names that nothing here is called, the nearest first.
pub(super) fn nearest_ids(stores: &Stores, unknown: &[String]) -> Result<Vec<String>, QueryError> {
    let mut ids = Vec::new();
    for name in unknown {
        ids.extend(near_products(stores, name)?.into_iter().map(|near| near.value));
    }
    Ok(ids)
}

/// The devices, or else the networks, of the line of a product, as names are compared, by their numbers.
fn by_number<'n>(names: &'n [Name], normal: &str) -> Vec<&'n Name> {
    let Some(product) = Numbered::of(normal) else { return Vec::new() };
    for facet in [Facet::Device, Facet::Network] {
        let of_facet = names.iter().filter(|name| name.facet == facet);
        let known: Vec<(Numbered, &Name)> =
            of_facet.filter_map(|name| Some((Numbered::of(&name.normal)?, name))).collect();
        // A number without a series is one of a line that has many: of the cards, and of no single board.
        let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
        for (known, _) in &known {
            *lines.entry(known.series.as_str()).or_default() += 1;
        }
        // Of these it is one of the line that has others of its generation: of no Rockchip where there is a 4070.
        let is_of_generation = |known: &Numbered| {
            known.number.digits == product.number.digits && known.number.value / 100 == product.number.value / 100
        };
        let generations: Vec<&str> = known
            .iter()
            .filter(|(known, _)| !known.series.is_empty() && is_of_generation(known))
            .filter(|(known, _)| lines[known.series.as_str()] >= LINE)
            .map(|(known, _)| known.series.as_str())
            .collect();
        let is_of_line = |known: &Numbered| {
            let series = known.series.as_str();
            let is_likely = generations.is_empty() || generations.contains(&series);
            !product.series.is_empty() || lines[series] >= LINE && is_likely
        };
        let near = known.iter().filter(|(known, _)| is_of_line(known));
        let near = near.filter_map(|(known, name)| Some((product.distance(known)?, *name)));
        let near = nearest_first(near.collect());
        if !near.is_empty() {
            return near;
        }
    }
    Vec::new()
}

/// The devices in whose names the number of a product stands, and the first of its words: the Xeon Platinum 8380H for `xeon 8380`.
fn with_number<'n>(names: &'n [Name], word: &str) -> Vec<&'n Name> {
    let letters = normalise(word.split(' ').next().unwrap_or_default());
    let is_number = |part: &&str| part.len() >= LEAST_DIGITS && part.bytes().all(|byte| byte.is_ascii_digit());
    let Some(number) = word.split([' ', '-']).find(is_number).filter(|number| **number != letters) else {
        return Vec::new();
    };
    let has = |name: &&Name| name.normal.contains(number) && name.normal.contains(&letters);
    names.iter().filter(|name| name.facet == Facet::Device).filter(has).collect()
}

/// The devices in whose names the words of a series stand right in front of the number, or at the end: the Pixel 2 and the first
/// Pixel for `pixel 4`, the Arc A770 for `intel arc b580`.
fn of_series<'n>(names: &'n [Name], product: &ProductName) -> Vec<&'n Name> {
    let letters = product.letters_of_number();
    let words = product.series.len() - usize::from(!letters.is_empty());
    // What makes another product of one is no part of the series: `threadripper pro`.
    let forms = product.series[..words].iter().rev().take_while(|word| suffix_of(word).is_some()).count();
    let words = words - forms;
    let series = product.series[..words].concat();
    let is_alone = words < 2 && product.makers.is_empty();
    // All of a word that has no number is no series.
    if series.len() < if is_alone { LEAST_ALONE } else { LEAST_LETTERS } || product.number.is_none() {
        return Vec::new();
    }
    let of = |name: &'n Name| {
        let known = ProductName::of(&name.normal);
        let before = known.makers.iter().chain(&known.series).map(String::as_str).collect::<String>();
        let (_, rest) = before.split_once(series.as_str())?;
        let own = product.number.zip(known.number);
        let apart = own.map_or(f64::INFINITY, |(own, other)| own.value.abs_diff(other.value) as f64);
        (rest.len() == letters.len()).then_some((apart, name))
    };
    nearest_first(names.iter().filter(|name| name.facet == Facet::Device).filter_map(of).collect())
}

/// The nearest first; of equally near ones the shortest.
fn nearest_first(mut near: Vec<(f64, &Name)>) -> Vec<&Name> {
    near.sort_by(|(a, one), (b, other)| {
        let by_length = || one.normal.len().cmp(&other.normal.len());
        a.total_cmp(b).then_with(by_length).then_with(|| one.normal.cmp(&other.normal))
    });
    near.into_iter().map(|(_, name)| name).collect()
}

fn each_once(near: Vec<&Name>) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::new();
    for name in near {
        if found.iter().all(|known| known.value != name.value) {
            found.push(name.clone());
        }
    }
    found
}

/// Whether a word is the size of a memory: `16gb`.
fn is_size(word: &str) -> bool {
    let word = word.to_lowercase();
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    matches!(&word[digits.len()..], "g" | "gb" | "gib") && !digits.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::NameKind;

    fn devices(normal: &[&str]) -> Vec<Name> {
        let name = |normal: &&str| Name {
            normal: (*normal).to_owned(),
            facet: Facet::Device,
            value: (*normal).to_owned(),
            kind: NameKind::Alias,
        };
        normal.iter().map(name).collect()
    }

    fn called<'n>(near: &[&'n Name]) -> Vec<&'n str> {
        near.iter().map(|name| name.value.as_str()).collect()
    }

    #[test]
    fn the_number_and_what_stands_behind_it_say_how_near_a_product_is() {
        let cards =
            devices(&["geforcertx3060ti", "geforcertx2080ti", "geforcertx4090", "geforcegtx1060", "radeonrx6600"]);
        let near = ["geforcertx3060ti", "geforcertx4090", "geforcertx2080ti"];
        assert_eq!(called(&by_number(&cards, "rtx4060ti")), near);
        let phones = devices(&["applea10", "iphone7", "appleiphone12mini", "iphone13"]);
        assert_eq!(called(&by_number(&phones, "iphone11")), ["appleiphone12mini", "iphone13", "iphone7"]);
        assert!(by_number(&devices(&["a4048gb"]), "4060ti").is_empty());
        assert!(by_number(&devices(&["t4", "teslat4"]), "gpt2").is_empty());
        assert!(is_size("16GB") && !is_size("4060") && !is_size("gb"));
    }

    #[test]
    fn a_series_is_what_stands_in_front_of_the_number() {
        let all =
            devices(&["googlepixel2", "googlepixel", "googlepixelc2", "intelarca770", "xeonplatinum8380h", "pixel3a"]);
        let near = |word: &str| called(&of_series(&all, &ProductName::of(word)));
        assert_eq!(near("pixel 4"), ["pixel3a", "googlepixel2", "googlepixel"]);
        assert_eq!(near("Google Pixel 4"), ["pixel3a", "googlepixel2", "googlepixel"]);
        assert_eq!(near("intel arc b580"), ["intelarca770"]);
        let ryzen = devices(&["ryzenthreadripper1920x", "pro6000"]);
        let threadripper = "threadripper pro 7995wx";
        assert_eq!(called(&of_series(&ryzen, &ProductName::of(threadripper))), ["ryzenthreadripper1920x"]);
        assert!(by_number(&ryzen, "threadripperpro7995wx").is_empty());
        assert!(near("xeon 8380").is_empty() && near("pixel").is_empty() && near("intel 770").is_empty());
        assert_eq!(called(&with_number(&all, "xeon 8380")), ["xeonplatinum8380h"]);
    }
}
