//! Reads a device as a source spells it: which device, how many, in which cloud instance, which slice of it.

use super::families::{Families, Member};
use super::instance;
use super::named_device::{NamedDevice, find_names};
use super::nearest::nearest_names;
use super::product_words::memory_gib;
use super::resolved::{Certainty, Resolved};
use super::stated::StatedDetails;
use super::tokens::{Token, tokens};
use super::tpu_cores::cores_of_tpu_chip;
use crate::model::Facet;
use crate::values::spelling::normalise;
use crate::values::text::or_list;

/// Reads a device string.
///
/// What the catalog does not have under this very name is unknown, never the nearest relative: every word beside a known
/// name that is not known to say nothing makes another product of it.
///
/// # Errors
///
/// When the lookup fails.
pub fn resolve_device<F: Families>(input: &str, names: &F) -> Result<Resolved, F::Error> {
    let (stated, rest) = StatedDetails::of(input, |text| instance::find(text, names))?;
    // `Intel(R) Xeon(R)`: an alias may be spelled with the marks or without them.
    let mut plain = without_marks(&rest);
    let mut found = find_names(&tokens(&plain), names)?;
    if found.is_empty() && plain != rest {
        plain = rest;
        found = find_names(&tokens(&plain), names)?;
    }
    let offers = match &stated.instance {
        Some(instance) => names.offers(&normalise(instance))?,
        None => Vec::new(),
    };
    let words = tokens(&plain);
    let plural = found.iter().flat_map(|found| &words[found.words.clone()]).find(|word| is_plural(word.text));
    let another = found.iter().find_map(|found| Some((&found.id, found.beside.another.as_ref()?)));
    let ids = || found.iter().map(|found| found.id.clone()).collect::<Vec<_>>();
    let mut resolved = match found.as_slice() {
        _ if let Some((id, word)) = another => {
            Resolved::unknown(input, format!("it is no {id}: `{word}` beside the name makes another product of it"))
        }
        _ if let Some(word) = plural.filter(|_| stated.count.is_some_and(|count| count > 1)) => {
            let text = word.text;
            Resolved::unknown(input, format!("`{text}` may be several of one product or the name of another"))
        }
        [] if !offers.is_empty() => instance::offered(input, &stated, &offers, names)?,
        [] => unknown(input, &plain, &stated, names)?,
        [one] => one_device(input, one, &plain, names)?,
        several if one_name(several) => {
            Resolved::new(input, Certainty::Ambiguous, ids(), format!("it is a name of {}", or_list(&ids())))
        }
        _ => Resolved::new(input, Certainty::List, ids(), format!("it names several: {}", or_list(&ids()))),
    };
    if let [one] = found.as_slice()
        && resolved.entity().is_some()
    {
        resolved.count = match stated.count {
            Some(count) => Some(count),
            None => joined_count(one, &words, names)?.or_else(|| instance::counted(&one.id, &stated, &offers)),
        };
        if let Some(why) = instance::disagrees(&one.id, &stated, &offers, names)? {
            resolved = Resolved::unknown(input, why);
        }
    }
    if let Some(slice) = stated.slice
        && resolved.entity().is_some()
    {
        resolved.why = format!("it is a part of {}: {slice}", or_list(&resolved.ids));
        resolved.reading = Certainty::Slice;
        resolved.count = None;
        resolved.slice = Some(slice);
    }
    if !matches!(resolved.reading, Certainty::Ambiguous | Certainty::List) {
        resolved.instance = stated.instance;
    }
    resolved.host = stated.host;
    Ok(resolved)
}

/// Whether a word may be the plural of a name that ends in a digit: several `V100s` are no V100S.
fn is_plural(word: &str) -> bool {
    let one = word.strip_suffix('s').filter(|one| one.ends_with(|c: char| c.is_ascii_digit()));
    one.is_some_and(|one| one.contains(|c: char| c.is_uppercase()))
}

/// Whether the names found stand in one place: then they are readings of one name, not of several things.
fn one_name(found: &[NamedDevice]) -> bool {
    found.iter().all(|one| one.words == found[0].words)
}

/// The text without the marks of registered names.
fn without_marks(text: &str) -> String {
    let mut plain = text.to_owned();
    for mark in ["(R)", "(r)", "(TM)", "(tm)", "(C)"] {
        plain = plain.replace(mark, " ");
    }
    plain
}

/// One name was found: what else is stated may leave one member of a family, or say that it is another product.
fn one_device<F: Families>(input: &str, found: &NamedDevice, rest: &str, names: &F) -> Result<Resolved, F::Error> {
    let members = names.members(&found.id)?;
    let id = || vec![found.id.clone()];
    if members.is_empty() {
        return Ok(match names.device(&found.id)?.and_then(|device| contradiction(&device, found)) {
            Some(why) => Resolved::unknown(input, why),
            None => Resolved::new(input, Certainty::Sku, id(), format!("it names {}", found.id)),
        });
    }
    let mut stated = found.beside.clone();
    // The memory of a computer by Apple is chosen with it, and tells its chips apart in nothing.
    if members.iter().all(is_unified) {
        stated.memory_gib.clear();
    }
    let fits = |member: &&Member| {
        stated.memory_gib.iter().all(|gib| has_memory(member, *gib))
            && stated.forms.iter().all(|form| has_form(member, form))
    };
    let left: Vec<&Member> = members.iter().filter(fits).collect();
    // A board of two GPUs has a memory of its own, beside that of each GPU.
    let own = names.device(&found.id)?;
    if left.is_empty() && own.as_ref().is_some_and(|own| fits(&own)) {
        return Ok(Resolved::new(input, Certainty::Family, id(), format!("it names {}", found.id)));
    }
    if left.is_empty() {
        let why = format!("it is no {}: none of its members has the memory and form that are stated", found.id);
        return Ok(Resolved::unknown(input, why));
    }
    // Memory that stands elsewhere may be the machine's, and a machine may have had another board: both choose, but
    // contradict nothing.
    let elsewhere = tokens(rest).iter().find_map(|token| memory_gib(token.text));
    let memory = elsewhere.filter(|_| stated.memory_gib.is_empty());
    let (left, has_memory_chosen) = chosen(left, memory, |member, gib| has_memory(member, *gib));
    let machine = form_in_machine(rest).filter(|_| stated.forms.is_empty());
    let (left, has_form_chosen) = chosen(left, machine, |member, form| has_form(member, form));
    let left = without_special_forms(left);
    let is_stated = !stated.memory_gib.is_empty() || !stated.forms.is_empty();
    let says_something = is_stated || has_memory_chosen || has_form_chosen;
    Ok(match left.as_slice() {
        [only] if says_something => {
            let why =
                format!("the memory size or form that is stated leaves only {} of the family {}", only.id, found.id);
            Resolved::new(input, Certainty::Sku, vec![only.id.clone()], why)
        }
        left => {
            let open: Vec<&str> = left.iter().map(|member| member.id.as_str()).collect();
            let why = format!("the SKU is not stated; memory size and form would decide between {}", or_list(&open));
            Resolved::new(input, Certainty::Family, id(), why)
        }
    })
}

/// Without the members that are called as another one and more, such as the SXM4 80 GB CTS: what is not said is not meant.
fn without_special_forms(members: Vec<&Member>) -> Vec<&Member> {
    let goes_on = |member: &Member, other: &Member| {
        member.id.strip_prefix(other.id.as_str()).is_some_and(|rest| rest.starts_with('-'))
    };
    let plain = |member: &&Member| !members.iter().any(|other| goes_on(member, other));
    members.iter().copied().filter(plain).collect()
}

/// The members that have what is stated, and whether there are such; else all of them.
fn chosen<T>(members: Vec<&Member>, stated: Option<T>, has: impl Fn(&Member, &T) -> bool) -> (Vec<&Member>, bool) {
    let Some(stated) = stated else { return (members, false) };
    let having: Vec<&Member> = members.iter().copied().filter(|member| has(member, &stated)).collect();
    if having.is_empty() { (members, false) } else { (having, true) }
}

/// NVIDIA's machines that were built with one form of board, whatever its memory. Source: NVIDIA's own descriptions of them
/// for MLPerf Training (github.com/mlcommons/training_results_v0.6 and v0.7, NVIDIA/systems): Tesla V100-SXM2 in the DGX-1,
/// V100-SXM3 in the DGX-2, V100-SXM3-H in the DGX-2H, A100-SXM4 in the DGX A100.
const MACHINES: &[(&[&str], &str)] =
    &[(&["dgx", "1"], "sxm2"), (&["dgx", "2"], "sxm3"), (&["dgx", "2h"], "sxm3"), (&["dgx", "a100"], "sxm4")];

/// The form of the boards of the machine that a spelling names: `DGX-2 (16x V100 32GB)`.
fn form_in_machine(rest: &str) -> Option<&'static str> {
    let words = tokens(rest);
    MACHINES.iter().find_map(|(name, form)| {
        let is_named = |at: usize| {
            let here = words.get(at..at + name.len());
            here.is_some_and(|here| here.iter().zip(*name).all(|(word, part)| word.lower() == *part))
        };
        (0..words.len()).any(is_named).then_some(*form)
    })
}

/// Why a device cannot be what stands beside its name.
fn contradiction(device: &Member, found: &NamedDevice) -> Option<String> {
    for gib in &found.beside.memory_gib {
        let why = match device.memory_gib {
            Some(own) if own == *gib => continue,
            Some(own) => format!("has {own} GiB"),
            None if is_unified(device) => continue,
            None => "has an entry that does not say its memory".to_owned(),
        };
        return Some(format!("it may be another product than {}, which {why}, not {gib}", device.id));
    }
    let other = found.beside.forms.iter().find(|form| !has_form(device, form))?;
    let own = device.form_factor.as_deref().unwrap_or("an entry that does not say its form");
    Some(format!("it may be another product than {}, which has {own}, not {other}", device.id))
}

/// What Apple calls unified memory is chosen with the computer: no chip has a size of its own.
fn is_unified(device: &Member) -> bool {
    device.memory_gib.is_none() && device.vendor.as_deref() == Some("Apple")
}

fn has_memory(member: &Member, gib: f64) -> bool {
    member.memory_gib == Some(gib)
}

/// `SXM` is any SXM; what the id says of the form holds, too.
fn has_form(member: &Member, form: &str) -> bool {
    let own = member.form_factor.as_deref().map(normalise).unwrap_or_default();
    own.starts_with(form) || member.id.split('-').any(|part| part.starts_with(form))
}

/// The count of `V100-8`: but the 16 of a `V100-16` is its memory, and the number behind a TPU counts cores of the
/// generations that have two on a chip.
fn joined_count<F: Families>(found: &NamedDevice, words: &[Token<'_>], names: &F) -> Result<Option<u32>, F::Error> {
    let Some(number) = found.beside.number.filter(|number| number.is_power_of_two()) else { return Ok(None) };
    let own = names.device(&found.id)?;
    let with_members = names.members(&found.id)?.into_iter().chain(own.clone());
    if with_members.into_iter().any(|device| has_memory(&device, f64::from(number))) {
        return Ok(None);
    }
    let is_tpu = |device: &Member| device.vendor.as_deref() == Some("Google");
    if own.as_ref().is_some_and(is_tpu) {
        let name: String = words[found.words.clone()].iter().map(|word| word.lower()).collect();
        return Ok(cores_of_tpu_chip(&name).filter(|cores| number % cores == 0).map(|cores| number / cores));
    }
    Ok(Some(number))
}

fn unknown<F: Families>(input: &str, rest: &str, stated: &StatedDetails, names: &F) -> Result<Resolved, F::Error> {
    if let Some(instance) = &stated.instance
        && !rest.contains(char::is_alphanumeric)
    {
        return Ok(Resolved::unknown(input, format!("the catalog has no devices of the instance {instance}")));
    }
    let near = nearest_names(rest, names, 3)?;
    let near: Vec<String> =
        near.into_iter().filter(|name| name.facet == Facet::Device).map(|name| name.value).collect();
    let why = if near.is_empty() {
        "no device of the catalog is called like this".to_owned()
    } else {
        format!("no device of the catalog is called like this; near are {}", or_list(&near))
    };
    Ok(Resolved::unknown(input, why))
}
