//! Reads a network, framework, data set or precision as a source spells it.

use std::sync::LazyLock;

use regex::Regex;

use super::families::Families;
use super::nearest::nearest_names;
use super::quantised_name::{Formats, quantised};
use super::resolved::{Certainty, Resolved};
use crate::model::Facet;
use crate::values::spelling::normalise;
use crate::values::text::or_list;

/// A version at the end of a name: ` 1.8.1+cu102`, `-2.2.0`, ` v0.11.0rc0`.
static VERSION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)[\s_-]+v?(\d+(?:\.\d+)+\S*|\d+)$").expect("the pattern is tested"));

/// Reads the spelling of an entity or word of `facet`. `has_members` tells whether a value stands for a family.
pub fn resolve_named<F: Families>(
    input: &str,
    facet: Facet,
    names: &F,
    has_members: impl Fn(&str) -> Result<bool, F::Error>,
) -> Result<Resolved, F::Error> {
    let ids = named(input, facet, names)?;
    let version = VERSION.captures(input);
    let mut formats = Formats::default();
    let (ids, version) = match version {
        Some(found) if ids.is_empty() && facet == Facet::Framework => {
            let name = &input[..found.get(0).map_or(0, |whole| whole.start())];
            (named(name, facet, names)?, Some(found[1].to_owned()))
        }
        _ if ids.is_empty() && facet == Facet::Network => {
            let mut of_base = Vec::new();
            for base in quantised(input).bases {
                of_base = named(&base.name, facet, names)?;
                if !of_base.is_empty() {
                    formats = base.formats;
                    break;
                }
            }
            (of_base, None)
        }
        _ => (ids, None),
    };
    let mut resolved = match ids.as_slice() {
        [] => {
            let near = nearest_names(input, names, 5)?;
            let near: Vec<String> = near.into_iter().filter(|n| n.facet == facet).map(|n| n.value).collect();
            let why = if near.is_empty() {
                format!("no {facet} of the catalog is called like this")
            } else {
                format!("no {facet} of the catalog is called like this; near are {}", or_list(&near))
            };
            Resolved::new(input, Certainty::Unknown, Vec::new(), why)
        }
        [one] if has_members(one)? => {
            Resolved::new(input, Certainty::Family, ids.clone(), format!("it names the family {one}"))
        }
        [one] => Resolved::new(input, Certainty::Sku, ids.clone(), format!("it names {one}")),
        several => {
            let why = format!("it is a name of {}", or_list(several));
            Resolved::new(input, Certainty::Ambiguous, ids.clone(), why)
        }
    };
    resolved.version = version;
    resolved.weight_format = formats.weights;
    resolved.activation_format = formats.activations;
    resolved.quantization = formats.quantization;
    Ok(resolved)
}

fn named<F: Families>(text: &str, facet: Facet, names: &F) -> Result<Vec<String>, F::Error> {
    let mut ids = Vec::new();
    for name in names.exact(&normalise(text))? {
        if name.facet == facet && !ids.contains(&name.value) {
            ids.push(name.value);
        }
    }
    Ok(ids)
}
