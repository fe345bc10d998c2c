//! Cloud instances in a spelling: which devices they hold, and how many.

use std::ops::Range;

use super::families::{Families, Offered};
use super::resolved::{Certainty, Resolved};
use super::stated::StatedDetails;
use super::tokens::tokens;
use crate::model::Facet;
use crate::values::spelling::normalise;
use crate::values::text::or_list;

/// The name of an instance has at most this many words: `Standard ND96isr H100 v5`.
const LONGEST_NAME: usize = 6;

/// Where in a text the name of an instance of the catalog stands; the longest one wins.
pub(super) fn find<F: Families>(text: &str, names: &F) -> Result<Option<Range<usize>>, F::Error> {
    let words = tokens(text);
    let place = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    let mut longest: Option<Range<usize>> = None;
    for start in 0..words.len() {
        for end in (start + 1..=words.len().min(start + LONGEST_NAME)).rev() {
            let first = place(words[start].text);
            let last = words[end - 1].text;
            let range = first..place(last) + last.len();
            let normal = normalise(&text[range.clone()]);
            let named = |facet| names.exact(&normal).map(|found| found.iter().any(|name| name.facet == facet));
            // What is also called so is no instance.
            if longest.as_ref().is_none_or(|longest| range.len() > longest.len())
                && named(Facet::Instance)?
                && !named(Facet::Device)?
                && !names.offers(&normal)?.is_empty()
            {
                longest = Some(range);
            }
        }
    }
    Ok(longest)
}

/// The reading of a spelling that names an instance and no device.
pub(super) fn offered<F: Families>(
    input: &str,
    stated: &StatedDetails,
    offers: &[Offered],
    names: &F,
) -> Result<Resolved, F::Error> {
    let instance = stated.instance.as_deref().unwrap_or_default();
    let ids: Vec<String> = offers.iter().map(|offer| offer.device.clone()).collect();
    let [only] = offers else {
        let why = format!("the instance {instance} is offered with {}", or_list(&ids));
        return Ok(Resolved::new(input, Certainty::Ambiguous, ids, why));
    };
    let reading = if names.members(&only.device)?.is_empty() { Certainty::Sku } else { Certainty::Family };
    let mut resolved = Resolved::new(input, reading, ids, format!("the instance {instance} has {}", only.device));
    resolved.count =
        counted(&only.device, stated, offers).or_else(|| only.count.filter(|_| stated.instances.is_none()));
    Ok(resolved)
}

/// The devices of so many whole instances: `16 p3.16xlarge`. Beside a device's name one instance says nothing of how many
/// of its devices took part.
pub(super) fn counted(device: &str, stated: &StatedDetails, offers: &[Offered]) -> Option<u32> {
    let offer = offers.iter().find(|offer| offer.device == device)?;
    stated.instances?.checked_mul(offer.count?)
}

/// Why the device that is named cannot be one of the instance that is named.
pub(super) fn disagrees<F: Families>(
    device: &str,
    stated: &StatedDetails,
    offers: &[Offered],
    names: &F,
) -> Result<Option<String>, F::Error> {
    let Some(instance) = stated.instance.as_ref().filter(|_| !offers.is_empty()) else { return Ok(None) };
    for offer in offers {
        let of_family = |family: &str, id: &str| Ok(names.members(family)?.iter().any(|member| member.id == id));
        if offer.device == device || of_family(device, &offer.device)? || of_family(&offer.device, device)? {
            return Ok(None);
        }
    }
    let ids: Vec<&str> = offers.iter().map(|offer| offer.device.as_str()).collect();
    Ok(Some(format!("it names {device}, but the instance {instance} has {}", or_list(&ids))))
}
