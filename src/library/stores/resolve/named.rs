//! The names that some words are, all of them together, in the ways in which people write names.

use super::english::is_english;
use crate::model::{Facet, Lookup, Name};
use crate::values::spelling::normalise;

/// Series whose name people leave out in front of a number: `2080 super max-q`.
const SERIES: &[&str] = &["rtx", "gtx", "rx"];

/// Words for a form of devices that people put in front of the number.
const FORMS: &[&str] = &["laptop", "notebook"];

/// Whether a word for a form of devices stands in front of a number of four figures: `laptop 3070`.
pub fn is_form_with_number(form: &str, number: &str) -> bool {
    let number = number.trim_end_matches(['?', ',', '.', '!']);
    let is_number = number.len() == 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number && FORMS.contains(&form.to_lowercase().as_str())
}

/// The names that words are, all of them together: as they stand, with the series that is left out, in the other order
/// (`orin agx`), or as a plural (`TPUs`).
///
/// # Errors
///
/// When the lookup fails.
pub fn named<L: Lookup>(words: &[&str], names: &L) -> Result<Vec<Name>, L::Error> {
    let joined = words.concat();
    if joined.len() > 100 {
        return Ok(Vec::new());
    }
    let normal = normalise(&joined);
    let mut exact = names.exact(&normal)?;
    exact.retain(|name| keeps_point(&joined, &name.value));
    if !exact.is_empty() || normal.is_empty() {
        return Ok(exact);
    }
    let of_devices = |mut found: Vec<Name>| {
        found.retain(|name| name.facet == Facet::Device);
        found
    };
    let is_number = normal.len() == 4 && normal.bytes().all(|byte| byte.is_ascii_digit());
    if (words.len() > 1 || is_number) && normal.starts_with(|c: char| c.is_ascii_digit()) {
        for series in SERIES {
            let found = of_devices(names.exact(&format!("{series}{normal}"))?);
            if !found.is_empty() {
                return Ok(found);
            }
        }
    }
    // `laptop 3070`
    if let [form, number] = words
        && is_form_with_number(form, number)
    {
        return Ok(of_devices(named(&[*number, *form], names)?));
    }
    if let [first, second] = words {
        let turned = || names.exact(&normalise(&[*second, *first].concat()));
        let found = match first.chars().chain(second.chars()).all(char::is_alphabetic) {
            true => of_devices(turned()?),
            false => of_networks(first, second, turned)?,
        };
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let found = of_version(words, &normal, names)?;
    if !found.is_empty() {
        return Ok(found);
    }
    // The `s` of `yolov5 n s m` is a size, and makes no plural.
    if words.len() > 1 && words.last().is_some_and(|last| last.eq_ignore_ascii_case("s")) {
        return Ok(Vec::new());
    }
    // `V100S` is another product than several `V100s`.
    let last = words.last().copied().unwrap_or_default().trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_plural = last.ends_with('s') && normal.len() > 2 && !is_english(&last.to_lowercase());
    match normal.strip_suffix('s').filter(|_| is_plural) {
        Some(singular) => Ok(of_things(names.exact(singular)?)),
        None => Ok(Vec::new()),
    }
}

/// The networks whose version people write without its `v`: `yolo4tiny`, `yolo8n`. A bare number behind a word of its own may count
/// something: `mobilenet 2 gpus`.
fn of_version<L: Lookup>(words: &[&str], normal: &str, names: &L) -> Result<Vec<Name>, L::Error> {
    const LEAST_LETTERS: usize = 3;
    let is_count = words.len() > 1 && words.last().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
    let letters = normal.bytes().take_while(u8::is_ascii_lowercase).count();
    let digits = normal[letters..].bytes().take_while(u8::is_ascii_digit).count();
    if is_count || letters < LEAST_LETTERS || !(1..=2).contains(&digits) || normal[..letters].ends_with('v') {
        return Ok(Vec::new());
    }
    let mut found = names.exact(&format!("{}v{}", &normal[..letters], &normal[letters..]))?;
    found.retain(|name| name.facet == Facet::Network);
    Ok(found)
}

/// The networks that are called by the second word and then the first: `u-net 3d`, `v2 mobilenet`. Numbers alone count things.
fn of_networks<E>(first: &str, second: &str, turned: impl Fn() -> Result<Vec<Name>, E>) -> Result<Vec<Name>, E> {
    let says_which = |word: &str| {
        let digits = word.chars().filter(char::is_ascii_digit).count();
        (1..=2).contains(&digits) && word.chars().any(char::is_alphabetic) && word.len() < 4
    };
    let is_name = |word: &str| word.len() > 2 && word.chars().all(|c| c.is_alphabetic() || c == '-');
    let one_of_each = says_which(second) && is_name(first) || says_which(first) && is_name(second);
    if !one_of_each {
        return Ok(Vec::new());
    }
    let mut found = turned()?;
    found.retain(|name| name.facet == Facet::Network);
    Ok(found)
}

/// Names of what there can be several of.
fn of_things(mut found: Vec<Name>) -> Vec<Name> {
    let facets = [Facet::Device, Facet::Class, Facet::Network, Facet::Framework, Facet::Dataset];
    found.retain(|name| facets.contains(&name.facet));
    found
}

/// Whether a value has the decimal point of a name, as far as it has its digits: OPT 1.3B is not `opt-13b`.
fn keeps_point(text: &str, value: &str) -> bool {
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let mut points = text.match_indices('.').map(|(at, _)| text.split_at(at));
    points.all(|(whole, part)| {
        let (whole, part) = (whole.chars().next_back(), part.chars().nth(1));
        let joined: String = [whole, part].into_iter().flatten().collect();
        !is_digit(whole) || !is_digit(part) || !value.contains(&joined)
    })
}
