//! Resolves a device as a source spells it: the device, the count, the cloud instance, and the slice of a device.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::names::{Families, Member, Offered};
use super::product_name::memory_gib;
use super::product_name::{NamedDevice, find_names};
use super::resolved::{Certainty, Resolved};
use super::resolved::{Token, tokens};
use super::slip::nearest_names;
use super::spelled::without_marks;
use crate::model::Facet;
use crate::values::text::normalise;
use crate::values::text::or_list;

/// Resolves the spelling of a device.
///
/// A product that the catalog lacks under exactly this name is unknown, and never taken for its nearest relative: every word
/// beside a known name makes it another product, unless the word is known to be descriptive.
///
/// # Errors
///
/// When the lookup fails.
pub fn resolve_device<F: Families>(input: &str, names: &F) -> Result<Resolved, F::Error> {
    let (stated, rest) = StatedDetails::of(input, |text| find(text, names))?;
    // `Intel(R) Xeon(R)`: an alias may be spelled with or without the marks.
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
            Resolved::unknown(input, format!("it is not {id}: `{word}` beside the name makes it another product"))
        }
        _ if let Some(word) = plural.filter(|_| stated.count.is_some_and(|count| count > 1)) => {
            let text = word.text;
            Resolved::unknown(input, format!("`{text}` may be several of one product or the name of another"))
        }
        [] if !offers.is_empty() => offered(input, &stated, &offers, names)?,
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
            None => joined_count(one, &words, names)?.or_else(|| counted(&one.id, &stated, &offers)),
        };
        if let Some(why) = disagrees(&one.id, &stated, &offers, names)? {
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

/// Whether a word may be the plural of a name that ends in a digit: several `V100s` are not a V100S.
fn is_plural(word: &str) -> bool {
    let one = word.strip_suffix('s').filter(|one| one.ends_with(|c: char| c.is_ascii_digit()));
    one.is_some_and(|one| one.contains(|c: char| c.is_uppercase()))
}

/// Whether all names found cover the same words: then they are readings of one name, not of several products.
fn one_name(found: &[NamedDevice]) -> bool {
    found.iter().all(|one| one.words == found[0].words)
}

/// Resolves a single name: other details may leave one member of a family, or show that it is another product.
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
    // Apple computers are ordered with a choice of memory, so memory does not distinguish their chips.
    if members.iter().all(is_unified) {
        stated.memory_gib.clear();
    }
    let fits = |member: &&Member| {
        stated.memory_gib.iter().all(|gib| has_memory(member, *gib))
            && stated.forms.iter().all(|form| has_form(member, form))
    };
    let left: Vec<&Member> = members.iter().filter(fits).collect();
    // A board with two GPUs has its own memory size, which differs from that of each GPU.
    let own = names.device(&found.id)?;
    if left.is_empty() && own.as_ref().is_some_and(|own| fits(&own)) {
        return Ok(Resolved::new(input, Certainty::Family, id(), format!("it names {}", found.id)));
    }
    if left.is_empty() {
        let why = format!("it is not {}: none of its members has the stated memory and form", found.id);
        return Ok(Resolved::unknown(input, why));
    }
    // Memory elsewhere in the spelling may be that of the machine, and a machine may have had other boards: both narrow the
    // choice, but never contradict the name.
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

/// Drops members whose id extends that of another one, such as the SXM4 80 GB CTS: they must be named explicitly.
fn without_special_forms(members: Vec<&Member>) -> Vec<&Member> {
    let goes_on = |member: &Member, other: &Member| {
        member.id.strip_prefix(other.id.as_str()).is_some_and(|rest| rest.starts_with('-'))
    };
    let plain = |member: &&Member| !members.iter().any(|other| goes_on(member, other));
    members.iter().copied().filter(plain).collect()
}

/// The members that have the stated detail, and `true`; if there are none, all members and `false`.
fn chosen<T>(members: Vec<&Member>, stated: Option<T>, has: impl Fn(&Member, &T) -> bool) -> (Vec<&Member>, bool) {
    let Some(stated) = stated else { return (members, false) };
    let having: Vec<&Member> = members.iter().copied().filter(|member| has(member, &stated)).collect();
    if having.is_empty() { (members, false) } else { (having, true) }
}

/// NVIDIA's machines that were built with boards of one form, whatever their memory. Source: NVIDIA's system descriptions for
/// MLPerf Training (github.com/mlcommons/training_results_v0.6 and v0.7, NVIDIA/systems): Tesla V100-SXM2 in the DGX-1,
/// V100-SXM3 in the DGX-2, V100-SXM3-H in the DGX-2H, A100-SXM4 in the DGX A100.
const MACHINES: &[(&[&str], &str)] =
    &[(&["dgx", "1"], "sxm2"), (&["dgx", "2"], "sxm3"), (&["dgx", "2h"], "sxm3"), (&["dgx", "a100"], "sxm4")];

/// The form of the boards in the machine that a spelling mentions: `DGX-2 (16x V100 32GB)`.
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

/// Why a device contradicts the details beside its name; `None` if it does not.
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

/// Whether a device has Apple's unified memory, whose size is chosen with the computer and not fixed by the chip.
fn is_unified(device: &Member) -> bool {
    device.memory_gib.is_none() && device.vendor.as_deref() == Some("Apple")
}

fn has_memory(member: &Member, gib: f64) -> bool {
    member.memory_gib == Some(gib)
}

/// `SXM` matches any SXM; a form in the id counts as well.
fn has_form(member: &Member, form: &str) -> bool {
    let own = member.form_factor.as_deref().map(normalise).unwrap_or_default();
    own.starts_with(form) || member.id.split('-').any(|part| part.starts_with(form))
}

/// The count in a spelling such as `V100-8`. But the 16 of `V100-16` is its memory, and the number behind a TPU counts cores,
/// of which chips of some generations have two.
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

/// Maximum number of words in the name of an instance: `Standard ND96isr H100 v5`.
const LONGEST_NAME: usize = 6;

/// The range of the longest name of a catalog instance in a text.
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
            // A name that is also that of a device does not count as an instance.
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

/// Resolves a spelling with an instance and no device.
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

/// The number of devices in several whole instances: `16 p3.16xlarge`. Beside a device's name, a single instance does not show how
/// many of its devices took part.
pub(super) fn counted(device: &str, stated: &StatedDetails, offers: &[Offered]) -> Option<u32> {
    let offer = offers.iter().find(|offer| offer.device == device)?;
    stated.instances?.checked_mul(offer.count?)
}

/// Why a device contradicts the instance; `None` if the instance has it.
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

/// Details in a spelling other than the device's name.
#[derive(Debug, Default, PartialEq)]
pub(super) struct StatedDetails {
    /// Number of devices.
    pub count: Option<u32>,
    /// The cloud instance.
    pub instance: Option<String>,
    /// Number of these instances.
    pub instances: Option<u32>,
    pub slice: Option<String>,
    pub host: Option<String>,
}

/// Replaces text that was cut out, so that the words around it do not become neighbours.
const CUT: &str = " ; ";

/// `p3.16xlarge`, `c5n.18xlarge`, `n1-standard-64`, `a2-highgpu-8g`, `Standard_NC6`, `ecs.gn6v-c8g1.2xlarge`.
static INSTANCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:ecs\.[a-z0-9-]+\.\d*x?large|[a-z]{1,3}\d[a-z]*(?:-[a-z]\d+)?\.(?:metal|\d*x?large|medium|small|micro)(?:\.\d+)?|(?:n1|n2|a2|a3|a4|a4x|g2|g4|e2|c2|m1)-(?:standard|highmem|highcpu|highgpu|megagpu|megamem|ultragpu)-\w+|ct\d[a-z]*-\w+-\d+t|(?:Standard_)?N[CDV]C?\d+[a-z]*(?:_[a-z0-9]+)*(?:_v\d)?)\b",
    )
});

/// The number of instances before the name of one: `16 p3.16xlarge`, `2x p3.16xlarge`.
static INSTANCES: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(?:^|[\s(\[])(\d{1,4})\s*(?:[x×*]\s*)?$"));

/// `1x1g.5gb MIG`, `MIG 3g.20gb`, `(1x1g.10gb)`.
static SLICE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\(?\b(?:(?:\d+x)?\d+g\.\d+gb(?:\s*MIG)?|MIG[\s-]*(?:\d+x)?\d+g\.\d+gb)\b\)?"));

/// `MIG` alone: a slice of unknown size.
static MIG: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\bMIG\b"));

/// Text after a slash describes the machine: `/448 GB/96 CPU`, ` / 512 GB / 56 CPU`; but not the `/4` of `FT-2000/4`.
static HOST: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(?:\s+/\s+(.+)|/\s*(\d+\s*(?:GB|TB|v?CPU)\b.*))$"));

/// `2.4GHz x 4 + 1.8 GHz x 4`, `Core X2`, `SM x 80 Tensor Core x 640`: clocks and cores, which are not counts of devices.
static CORES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?:[\d.]+\s*[MG]Hz(?:\s*~\s*[\d.]+\s*[MG]Hz)?(?:\s*[x×*]\s*\d{1,3})?|\b(?:cores?|SM)\s*x\s*\d+)")
});

/// Lanes of a bus, which are not counts of devices: `PCIe x16`, `PCIe 3.0 x16`; but `PCIe x 8` is a count.
static LANES: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(PCI-?e)(?:\s*(?:gen\s*)?\d(?:\.\d)?)?\s*x\d{1,2}\b"));

/// An address or a serial number of a machine: `192-222-57-0`.
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d{1,3}(?:[-.]\d{1,3}){3}"));

/// Nodes times devices: `2x8 V100`, `4x8xH100`, `16 * 8 * V100`; but not the memory in `8 x 80GB A100`.
static NODES_TIMES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:^|[\s(,;_\-\[{])(?P<cut>(?P<n>\d{1,4})\s*[x×*]\s*(?P<m>\d{1,4})(?:\s*[x×*]\s*|\s+))(?P<name>[A-Za-z]+)",
    )
});

/// Units that show that the number before them is not a count of devices.
const UNITS: &[&str] = &["gb", "gib", "g", "mb", "mib", "tb", "ghz", "mhz", "w", "core", "cores", "vcpu", "vcpus"];

/// Devices per machine, after a count of machines: `8x NVIDIA DGX-2H (16x V100)`.
static OF_EACH: LazyLock<Regex> = LazyLock::new(|| pattern(r"\(\s*(?P<cut>(?P<n>\d{1,4})\s*[x×*]\s*)[A-Za-z]"));

/// The notations of counts: `cut` is removed from the spelling, `n` (times `m`) is the count.
static COUNTS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        // `8 * V100`, `8xV100`, `4 x T4`, `2×A100`, but not `7900 XTX` or `9070xt`
        r"(?:^|[\s(,;_\-\[{])(?P<cut>(?P<n>\d{1,4})(?:x\s*|\s+x\s+|\s*[×*]\s*))(?:[A-SU-Za-su-z(]|[Tt](?:[A-WYZa-wyz0-9]|[Xx][A-Za-z0-9]))",
        // `8 x 80GB A100`
        r"(?:^|[\s(,;_\-\[{])(?P<cut>(?P<n>\d{1,4})\s*[x×*]\s*)\d{1,3}\s*(?i:gi?b)\b",
        // `V100 2x8`, `H100 (4x8)`: nodes times devices
        r"(?i)[\s(\[_-](?P<cut>(?P<n>\d{1,3})\s*[x×]\s*(?P<m>\d{1,3}))(?:$|[\s_,;)\]])",
        // `T4x8`, `80GBx8`, `V100 x 8`, `A100 (x8)`, but not `RTX 3090`
        r"(?:\d|(?i:gb)|\)|\(|\s)(?P<cut>x\s*(?P<n>\d{1,4}))(?:$|[\s_,;)])",
        // `24GB * 2`, `V100*1-16GB`
        r"(?P<cut>[×*]\s*(?P<n>\d{1,4}))(?:$|[\s_,;)\-])",
        // `_2_gpus_`, `4 GPUs`
        r"(?i)(?:^|[_\s(])(?P<cut>(?P<n>\d{1,4})[_\s]gpus?)",
        // `1 P100`, `[1 T4 / …`
        r"(?:^|[\[({]\s*)(?P<cut>(?P<n>\d{1,2})\s+)[A-Za-z]",
    ]
    .map(pattern)
    .into()
});

/// Two sockets: `Dual Xeon E5-2630`; but not `Dual Core` or `i.MX7 Dual`.
static DUAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?P<cut>dual(?:[\s-]socket)?\s+)(?:intel\s+|amd\s+|nvidia\s+)?(?:xeon|epyc|opteron|tesla|geforce|rtx|gtx|titan)",
    )
});

/// `16 nodes with … (8*V100 for each node)`: the counts multiply.
static NODES: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(\d{1,4})\s+nodes\b"));

/// Compiles a pattern of this file.
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of this file are tested")
}

impl StatedDetails {
    /// Splits a spelling into these details and the rest, which contains the name. `instances` finds the range of a cloud
    /// instance of the catalog.
    pub fn of<E>(
        input: &str,
        instances: impl Fn(&str) -> Result<Option<std::ops::Range<usize>>, E>,
    ) -> Result<(Self, String), E> {
        let mut stated = Self::default();
        let mut rest = input.to_owned();
        let size =
            SLICE.find(&rest).map(|found| (found.range(), found.as_str().trim_matches(['(', ')', ' ']).to_owned()));
        let slice = size.or_else(|| MIG.find(&rest).map(|found| (found.range(), found.as_str().to_owned())));
        if let Some((range, text)) = slice {
            rest.replace_range(range, CUT);
            stated.slice = Some(text);
        }
        let known = instances(&rest)?;
        if let Some(range) = known.or_else(|| INSTANCE.find(&rest).map(|found| found.range())) {
            stated.instance = Some(rest[range.clone()].to_owned());
            let number = INSTANCES.captures(&rest[..range.start]);
            stated.instances = number.as_ref().and_then(|number| number[1].parse().ok());
            let start = number.and_then(|number| number.get(1)).map_or(range.start, |number| number.start());
            rest.replace_range(start..range.end, CUT);
        }
        rest = ADDRESS.replace_all(&rest, CUT).into_owned();
        rest = LANES.replace_all(&rest, "$1").into_owned();
        rest = CORES.replace_all(&rest, CUT).into_owned();
        // NVIDIA's own spelling of its Max-Q cards.
        rest = rest.replace("with Max-Q Design", "Max-Q");
        let host = HOST.captures(&rest).and_then(|found| found.get(1).or_else(|| found.get(2)));
        if let Some(host) = host.map(|host| host.as_str().trim().to_owned()) {
            rest = HOST.replace(&rest, "").into_owned();
            stated.host = Some(host);
        }
        stated.count = take_count(&mut rest);
        Ok((stated, rest))
    }
}

/// Removes the number of devices from a spelling and returns it.
fn take_count(rest: &mut String) -> Option<u32> {
    if let Some(found) = DUAL.captures(rest) {
        cut(rest, &found.name("cut")?.range());
        return Some(2);
    }
    let nodes = NODES_TIMES.captures(rest).filter(|found| !UNITS.contains(&found["name"].to_lowercase().as_str()));
    let counted = nodes.or_else(|| {
        COUNTS.iter().find_map(|pattern| pattern.captures(rest).filter(|found| counts_devices(rest, found)))
    })?;
    let number = |found: &Captures<'_>, name| found.name(name).and_then(|digits| digits.as_str().parse::<u32>().ok());
    let count = number(&counted, "n").and_then(|n| n.checked_mul(number(&counted, "m").unwrap_or(1)));
    let nodes = NODES.captures(rest).and_then(|nodes| nodes[1].parse::<u32>().ok());
    let count = count.and_then(|count| count.checked_mul(nodes.unwrap_or(1)));
    let range = counted.name("cut")?.range();
    cut(rest, &range);
    let of_each = OF_EACH.captures(rest).and_then(|each| Some((number(&each, "n")?, each.name("cut")?.range())));
    let count = match of_each.filter(|(_, each)| each.start > range.start) {
        Some((each, range)) => {
            cut(rest, &range);
            count.and_then(|machines| machines.checked_mul(each))
        }
        None => count,
    };
    count.filter(|count| *count > 0)
}

/// Whether a count is not followed by a unit of something else: `(x8 cores)`.
fn counts_devices(text: &str, found: &Captures<'_>) -> bool {
    let after = found.name("cut").map_or("", |cut| text[cut.end()..].trim_start());
    let word = after.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    !UNITS.contains(&word.to_lowercase().as_str())
}

fn cut(rest: &mut String, range: &std::ops::Range<usize>) {
    rest.replace_range(range.clone(), CUT);
}

/// TensorCores per TPU chip, by the name of its generation; `None` for an unknown one. The names of slices count cores (`v4-8` has
/// four chips, `v5litepod-8` eight). Source: the table of system characteristics of github.com/AI-Hypercomputer/xpk; for v2 and v3,
/// cloud.google.com/tpu/docs/v3.
pub fn cores_of_tpu_chip(name: &str) -> Option<u32> {
    let one = ["v5e", "v5lite", "v6e", "trillium"];
    let two = ["v2", "v3", "v4", "v5p", "tpu7x"];
    if one.iter().any(|generation| name.contains(generation)) {
        Some(1)
    } else {
        two.iter().any(|generation| name.contains(generation)).then_some(2)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn read(input: &str) -> (StatedDetails, String) {
        StatedDetails::of(input, |_| Ok::<_, Infallible>(None)).unwrap_or_else(|never| match never {})
    }

    #[test]
    fn what_is_stated_beside_the_name_is_taken_apart() {
        let (stated, rest) = read("8 * V100 (AWS p3.16xlarge)");
        assert_eq!((stated.count, stated.instance.as_deref()), (Some(8), Some("p3.16xlarge")));
        assert!(rest.contains("V100"), "{rest}");
        let (stated, _) = read("NVIDIA A100-SXM4 (1x1g.5gb MIG)");
        assert_eq!((stated.slice.as_deref(), stated.count), (Some("1x1g.5gb MIG"), None));
        assert_eq!(read("A100 MIG").0.slice.as_deref(), Some("MIG"));
        let (stated, rest) = read("Baidu Cloud Tesla 8*V100-16GB/448 GB/96 CPU");
        assert_eq!((stated.count, stated.host.as_deref()), (Some(8), Some("448 GB/96 CPU")));
        assert!(rest.contains("V100-16GB"), "{rest}");
        let (stated, rest) = read("16 p3.16xlarge (AWS)");
        assert_eq!((stated.instances, stated.instance.as_deref()), (Some(16), Some("p3.16xlarge")));
        assert!(stated.count.is_none() && !rest.contains("16"), "{rest}");
    }

    #[test]
    fn counts_are_read_in_every_way_they_are_written() {
        for (spelling, count) in [
            ("RTX 3090", None),
            ("rx 9070xt", None),
            ("8xTX2", Some(8)),
            ("7900 XTX x 2", Some(2)),
            ("GTX 1080", None),
            ("TITAN V_2_gpus_", Some(2)),
            ("16 * 8 * V100", Some(128)),
            ("2x8 V100", Some(16)),
            ("4x8xH100", Some(32)),
            ("2 x 8 x H100 SXM", Some(16)),
            ("H100 (4x8)", Some(32)),
            ("V100 2x8", Some(16)),
            ("T4 x16", Some(16)),
            ("A100 (x8)", Some(8)),
            ("8 x 80GB A100", Some(8)),
            ("T4x8_TRT", Some(8)),
            ("Jetson TX2", None),
            ("L40S PCIe x16", None),
            ("H100 PCIe x 8", Some(8)),
            ("A10 PCIe 4.0 x16", None),
            ("Dual Xeon E5-2630 v3", Some(2)),
            ("Freescale i.MX7 Dual (Cortex A7 1.0GHz x 2)", None),
            ("Rockchip RK3588 (Quad Core A76 2.4GHz + Quad Core A55 1.8GHz)", None),
            ("NVIDIA Tesla V100 PCIe 32GB (GV100 SM x 80 Tensor Core x 640)", None),
            ("A100-SXM-80GBx8", Some(8)),
            ("8x NVIDIA DGX-2H (16x V100 32GB)", Some(128)),
            ("AMD Ryzen Threadripper 3970X (Zen2 3.7 GHz ~ 4.5 GHz x 32)", None),
            ("AMD Ryzen 5 2600X Six-Core Processor", None),
            ("HUAWEI KunPeng 920 2251K (x8 cores)", None),
            ("Radeon Pro 555X 4GB", None),
            ("RDK X3 Module", None),
            ("ATI Radeon X800", None),
        ] {
            assert_eq!(read(spelling).0.count, count, "{spelling}");
        }
        assert!(read("7900 XTX x 2").1.contains("7900 XTX"));
    }
}
