//! Which products are nearest to one that nothing here is called: those of its series, by how near their numbers are.

use std::collections::BTreeMap;

use crate::ask::question::QueryError;
use crate::model::{Facet, Lookup as _, Name};
use crate::stores::Stores;
use crate::values::spelling::normalise;

/// Numbers of fewer digits count generations; longer ones tell the generation and the place in it: the 4060 and the 3060.
const LONG: usize = 3;

/// What another word behind the number, a Ti or a Pro, weighs as much as.
const OTHER_SUFFIX: f64 = 0.5;

/// A place in a generation is so many numbers from the next: the 4060 from the 4070.
const PLACES: f64 = 20.0;

/// So many names make a line of products.
const LINE: usize = 8;

/// A series with fewer letters is the beginning of anything.
const BEGINNING: usize = 4;

/// Shorter words say nothing of a series.
const LEAST_LETTERS: usize = 3;

/// A product by the parts of its name: the letters in front of its number, the number, and what stands behind.
struct Product<'n> {
    series: &'n str,
    number: f64,
    digits: usize,
    suffix: &'n str,
}

impl<'n> Product<'n> {
    /// The parts of a name as names are compared; `None` where it has no number.
    fn of(normal: &'n str) -> Option<Self> {
        let (series, rest) = normal.split_at(normal.find(|c: char| c.is_ascii_digit())?);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, suffix) = rest.split_at(digits);
        // What goes on with figures is a size or a form.
        let letters = suffix.find(|c: char| c.is_ascii_digit()).map_or(suffix, |end| &suffix[..end]);
        // A size that stands right behind a number makes another one of it: the A40 48 GB.
        if matches!(letters, "gb" | "gib") {
            return None;
        }
        Some(Self { series, number: number.parse().ok()?, digits, suffix: letters })
    }

    /// How far another product is from it; `None` of another series.
    fn distance(&self, other: &Self) -> Option<f64> {
        let is_of_series = match (self.series, other.series) {
            ("", _) => self.digits >= LONG,
            (_, "") => false,
            // With the maker and without: `geforce rtx` and `rtx`. A letter or two are the end of anything.
            (own, other) if own.len().min(other.len()) < LEAST_LETTERS => own == other,
            (own, other) => own.ends_with(other) || other.ends_with(own),
        };
        if !is_of_series || self.digits.abs_diff(other.digits) > 1 {
            return None;
        }
        let apart = (self.number - other.number).abs();
        let apart = if self.digits.max(other.digits) < LONG {
            apart
        } else {
            let (generation, place) = ((self.number / 100.0).floor(), self.number % 100.0);
            let (others, its) = ((other.number / 100.0).floor(), other.number % 100.0);
            (generation - others).abs() / 10.0 + (place - its).abs() / PLACES
        };
        Some(if self.suffix == other.suffix { apart } else { apart + OTHER_SUFFIX })
    }
}

/// The devices, or else the networks, that are nearest to what nothing is called, the nearest first, each once.
pub(super) fn near_products(stores: &Stores, word: &str) -> Result<Vec<Name>, QueryError> {
    // The size of a memory is no number of a product.
    let words: Vec<String> = word.split([' ', '-']).filter(|part| !is_size(part)).map(normalise).collect();
    let normal = words.concat();
    let Some(product) = Product::of(&normal) else { return Ok(Vec::new()) };
    let names = stores.database.all()?;
    for facet in [Facet::Device, Facet::Network] {
        let of_facet = || names.iter().filter(|name| name.facet == facet);
        // A number without a series is one of a line that has many: of the cards, and of no single board.
        let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
        for known in of_facet().filter_map(|name| Product::of(&name.normal)) {
            *lines.entry(known.series).or_default() += 1;
        }
        let is_of_line = |known: &Product<'_>| !product.series.is_empty() || lines[known.series] >= LINE;
        let mut near: Vec<(f64, &Name)> = of_facet()
            .filter_map(|name| {
                let known = Product::of(&name.normal).filter(is_of_line)?;
                Some((product.distance(&known)?, name))
            })
            .collect();
        if near.is_empty() && facet == Facet::Device {
            near = of_series(&names, &words, product.number);
        }
        near.sort_by(|(a, one), (b, other)| {
            a.total_cmp(b)
                .then_with(|| one.normal.len().cmp(&other.normal.len()))
                .then_with(|| one.normal.cmp(&other.normal))
        });
        if !near.is_empty() {
            return Ok(each_once(near));
        }
    }
    Ok(Vec::new())
}

/// The devices in whose names the last word of letters in front of the number stands: the Arc A770 for `intel arc b580`.
fn of_series<'n>(names: &'n [Name], words: &[String], number: f64) -> Vec<(f64, &'n Name)> {
    let is_word = |word: &&String| word.len() >= LEAST_LETTERS && word.chars().all(char::is_alphabetic);
    let before = words.iter().take_while(|word| !word.contains(|c: char| c.is_ascii_digit()));
    let series: Vec<&String> = before.filter(is_word).collect();
    // A maker alone makes too many.
    let Some(series) = series.get(1..).and_then(<[&String]>::last) else { return Vec::new() };
    let of = |name: &'n Name| {
        let own = Product::of(&name.normal)?;
        Some(((own.number - number).abs(), name)).filter(|_| own.series.contains(series.as_str()))
    };
    names.iter().filter(|name| name.facet == Facet::Device).filter_map(of).collect()
}

fn each_once(near: Vec<(f64, &Name)>) -> Vec<Name> {
    let mut found: Vec<Name> = Vec::new();
    for (_, name) in near {
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

/// The devices of the series that a product is a number of: the Pixel 2 for `pixel 4`.
pub(super) fn whole_series(stores: &Stores, word: &str) -> Result<Vec<Name>, QueryError> {
    let words = word.split_whitespace();
    let series: Vec<&str> = words.take_while(|part| part.chars().all(char::is_alphabetic)).collect();
    let series = normalise(&series.concat());
    if series.len() < BEGINNING || series.len() == normalise(word).len() {
        return Ok(Vec::new());
    }
    // `Google Pixel 2`: the maker may stand in front.
    let is_of_it = |name: &Name| {
        let number = name.normal.split_once(series.as_str()).map_or("-", |(_, number)| number);
        name.facet == Facet::Device && (number.is_empty() || number.starts_with(|c: char| c.is_ascii_digit()))
    };
    let mut names = stores.database.names_like(&format!("*{series}*"))?;
    names.retain(is_of_it);
    names.sort_by_key(|name| name.normal.len());
    names.dedup_by(|later, first| later.value == first.value);
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_and_what_stands_behind_it_say_how_near_a_product_is() {
        let nearest = |wanted: &str, all: &[&str]| {
            let wanted = Product::of(wanted).unwrap();
            let mut near: Vec<(f64, String)> = all
                .iter()
                .filter_map(|name| Some((wanted.distance(&Product::of(name)?)?, (*name).to_owned())))
                .collect();
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
            near.into_iter().map(|(_, name)| name).collect::<Vec<String>>()
        };
        let cards = ["geforcertx3060ti", "geforcertx2080ti", "geforcertx4090", "geforcegtx1060", "radeonrx6600"];
        assert_eq!(nearest("rtx4060ti", &cards), ["geforcertx3060ti", "geforcertx4090", "geforcertx2080ti"]);
        let phones = ["applea10", "iphone7", "appleiphone12mini", "iphone13"];
        assert_eq!(nearest("iphone11", &phones), ["appleiphone12mini", "iphone13", "iphone7"]);
        assert!(nearest("4060ti", &["a4048gb"]).is_empty());
        assert!(nearest("gpt2", &["t4", "teslat4"]).is_empty());
        assert!(is_size("16GB") && !is_size("4060") && !is_size("gb"));
    }
}
