//! The names nearest to a word, for whoever asks what was meant.

use crate::model::{Facet, Lookup, Name};
use crate::values::spelling::normalise;
use crate::values::text::nearest;

/// Nothing is called by a longer name, in bytes.
const LONGEST_NAME: usize = 200;

/// The names nearest to a word, best first.
///
/// # Errors
///
/// When the lookup fails.
pub fn nearest_names<L: Lookup>(word: &str, names: &L, limit: usize) -> Result<Vec<Name>, L::Error> {
    let normal = normalise(word);
    if normal.len() > LONGEST_NAME {
        return Ok(Vec::new());
    }
    let all = names.all()?;
    let candidates = all.iter().map(|name| name.normal.as_str()).filter(|name| digits(name).eq(digits(&normal)));
    let near = nearest(&normal, candidates, limit);
    let mut found: Vec<Name> =
        near.into_iter().filter_map(|near| all.iter().find(|name| name.normal == near).cloned()).collect();
    if found.is_empty() {
        found = of_line(&normal, &all, limit);
    }
    Ok(found)
}

/// The products of the same line with the nearest numbers: `iphone 12` for `iphone 11`.
fn of_line(normal: &str, all: &[Name], limit: usize) -> Vec<Name> {
    /// Shorter beginnings name no line.
    const LEAST: usize = 3;
    fn line(name: &str) -> Option<(&str, &str)> {
        name.find(|c: char| c.is_ascii_digit()).map(|at| name.split_at(at))
    }
    let number = |rest: &str| -> Option<i64> {
        rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
    };
    let Some((own, wanted)) = line(normal).and_then(|(own, rest)| Some((own, number(rest)?))) else {
        return Vec::new();
    };
    if own.len() < LEAST {
        return Vec::new();
    }
    let distance = |name: &Name| -> Option<i64> {
        let (of, rest) = line(&name.normal)?;
        (of == own).then_some(())?;
        Some((number(rest)? - wanted).abs())
    };
    let mut near: Vec<(i64, &Name)> = all
        .iter()
        .filter(|name| matches!(name.facet, Facet::Device | Facet::Network))
        .filter_map(|name| Some((distance(name)?, name)))
        .collect();
    near.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.normal.len().cmp(&b.1.normal.len())));
    let mut found: Vec<Name> = Vec::new();
    for (_, name) in near {
        if found.len() < limit && found.iter().all(|known| known.value != name.value) {
            found.push(name.clone());
        }
    }
    found
}

/// Digits must agree for one name to be a slip of another: `v10` is no slip of `v100`.
fn digits(name: &str) -> impl Iterator<Item = char> + '_ {
    name.chars().filter(char::is_ascii_digit)
}
