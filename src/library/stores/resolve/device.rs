//! Reads a device as a source spells it: which device, how many, in which cloud instance, which slice of it.

use std::sync::LazyLock;

use regex::Regex;
use serde::Serialize;
use strum::{Display, IntoStaticStr};

use super::words::nearest_names;
use crate::model::{Facet, Lookup};
use crate::values::spelling::normalise;
use crate::values::text::or_list;

/// How sure a reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Display, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Certainty {
    /// Exactly this entity.
    Sku,
    /// A family; which member is not stated.
    Family,
    /// Several entities fit, and no family holds them all.
    Ambiguous,
    /// No entity of the catalog.
    Unknown,
}

/// What a spelling means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resolved {
    /// The spelling.
    pub input: String,
    /// How sure the reading is.
    pub reading: Certainty,
    /// The entity, the family, or the candidates.
    pub ids: Vec<String>,
    /// How many devices the spelling states.
    pub count: Option<u32>,
    /// The cloud instance it states.
    pub instance: Option<String>,
    /// What it says of the machine around the device.
    pub host: Option<String>,
    /// The part of the device it states.
    pub slice: Option<String>,
    /// The version it states, of a framework.
    pub version: Option<String>,
    /// What decided, or what would.
    pub why: String,
}

impl Resolved {
    /// The id of the entity or family that the spelling means; `None` where that is open.
    pub fn entity(&self) -> Option<&str> {
        match (self.reading, self.ids.as_slice()) {
            (Certainty::Sku | Certainty::Family, [id]) => Some(id),
            _ => None,
        }
    }

    /// Whether nothing in the catalog is called so.
    pub fn is_unknown(&self) -> bool {
        self.reading == Certainty::Unknown
    }

    pub(super) fn new(input: &str, reading: Certainty, ids: Vec<String>, why: impl Into<String>) -> Self {
        Self {
            input: input.to_owned(),
            reading,
            ids,
            count: None,
            instance: None,
            host: None,
            slice: None,
            version: None,
            why: why.into(),
        }
    }
}

/// What tells the members of a family apart in a spelling.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The device's id.
    pub id: String,
    /// Memory, GiB.
    pub memory_gib: Option<f64>,
    /// `SXM2`, `PCIe` …
    pub form_factor: Option<String>,
}

/// Where the members of a family are looked up.
pub trait Families: Lookup {
    /// All members below a device, not the device itself; empty when it is no family.
    fn members(&self, id: &str) -> Result<Vec<Member>, Self::Error>;
}

/// Reads a device string.
pub fn resolve_device<F: Families>(input: &str, names: &F) -> Result<Resolved, F::Error> {
    let (stated, rest) = StatedDetails::of(input);
    let found = find_names(&rest, names)?;
    let other = found.iter().find_map(|found| Some((&found.id, found.suffix.as_ref()?)));
    let mut resolved = match found.as_slice() {
        [] => unknown(input, &rest, names)?,
        _ if let Some((id, suffix)) = other => {
            let why = format!("it is no {id}: `{suffix}` behind the name makes another product of it");
            Resolved::new(input, Certainty::Unknown, Vec::new(), why)
        }
        [one] => one_device(input, one, &stated, names)?,
        several => {
            let why = format!("it names {}", or_list(&several.iter().map(|f| f.id.clone()).collect::<Vec<_>>()));
            Resolved::new(input, Certainty::Ambiguous, several.iter().map(|f| f.id.clone()).collect(), why)
        }
    };
    // A count of what is not known, or of several devices at once, would count something else.
    if matches!(resolved.reading, Certainty::Sku | Certainty::Family) {
        resolved.count = stated.count;
    }
    if resolved.reading != Certainty::Ambiguous {
        resolved.instance = stated.instance;
    }
    resolved.slice = stated.slice;
    resolved.host = stated.host;
    Ok(resolved)
}

/// What a spelling states besides the device's name.
#[derive(Debug, Default, PartialEq)]
struct StatedDetails {
    count: Option<u32>,
    instance: Option<String>,
    slice: Option<String>,
    host: Option<String>,
    memory_gib: Option<f64>,
    form_factor: Option<String>,
}

/// `p3.16xlarge`, `c5n.18xlarge`, `n1-standard-64`, `a2-highgpu-8g`, `Standard_NC6`, `ecs.gn6v-c8g1.2xlarge`.
static INSTANCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:ecs\.[a-z0-9-]+\.\d*x?large|[a-z]{1,3}\d[a-z]*\.(?:metal|\d*x?large|medium|small|micro)(?:\.\d+)?|(?:n1|n2|a2|g2|e2|c2|m1|a3)-(?:standard|highmem|highcpu|highgpu|megagpu|megamem|ultragpu)-\w+|(?:Standard_)?N[CDV]\d+[a-z]*(?:_v\d)?)\b",
    )
});
/// `1x1g.5gb MIG`, `MIG 3g.20gb`, `(1x1g.10gb)`.
static SLICE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\(?\b(?:(?:\d+x)?\d+g\.\d+gb(?:\s*MIG)?|MIG[\s-]*(?:\d+x)?\d+g\.\d+gb)\b\)?"));
/// What follows a slash is the machine: `/448 GB/96 CPU`, ` / 512 GB / 56 CPU`; but not the `/4` of `FT-2000/4`.
static HOST: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(?:\s+/\s+(.+)|/\s*(\d+\s*(?:GB|TB|v?CPU)\b.*))$"));
/// `2.4GHz x 4 + 1.8 GHz x 4`, `Core X2`, `SM x 80 Tensor Core x 640`: clocks and cores, which count no devices.
static CORES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?:[\d.]+\s*[MG]Hz(?:\s*~\s*[\d.]+\s*[MG]Hz)?(?:\s*[x×*]\s*\d{1,3})?|\b(?:cores?|SM)\s*x\s*\d+)")
});
/// The ways in which a count is written; `cut` goes, `n` (times `m`) is the count.
static COUNTS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        // `16 * 8 * V100`
        r"(?P<cut>(?P<n>\d{1,4})\s*\*\s*(?P<m>\d{1,4})\s*\*\s*)",
        // `8 * V100`, `8xV100`, `4 x T4`, `2×A100`, but not `7900 XTX`
        r"(?i)(?:^|[\s(,;_\-\[{])(?P<cut>(?P<n>\d{1,4})(?:x\s*|\s+x\s+|\s*[×*]\s*))[a-z(]",
        // `T4x8`, `80GBx8`, `V100 x 8`, but not `RTX 3090`
        r"(?i)(?:\d|gb|\)|\s)(?P<cut>x\s*(?P<n>\d{1,3}))(?:$|[\s_,;)])",
        // `24GB * 2`, `V100*1-16GB`
        r"(?P<cut>[×*]\s*(?P<n>\d{1,3}))(?:$|[\s_,;)\-])",
        // `_2_gpus_`, `4 GPUs`
        r"(?i)(?:^|[_\s(])(?P<cut>(?P<n>\d{1,3})[_\s]gpus?)",
        // `1 P100`, `[1 T4 / …`
        r"(?:^|[\[({]\s*)(?P<cut>(?P<n>\d{1,2})\s+)[A-Za-z]",
    ]
    .map(pattern)
    .into()
});
/// `16 nodes with … (8*V100 for each node)`: the counts multiply.
static NODES: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(\d{1,4})\s+nodes\b"));
/// `16GB`, `80 GB`, `16 GiB`, `16G`.
static MEMORY: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(\d{1,4})\s*(?:gib|gb|g)\b"));
/// The board's form, where it tells SKUs apart.
static FORM: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)(?:^|[^a-z])(SXM[2345]?|PCIe|PCI-e|NVL|DGXS|OAM|CNX|FHHL|HGX)(?:[^a-z]|\d|$)"));

/// Compiles a pattern of this file.
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of this file are tested")
}

impl StatedDetails {
    /// Takes what is stated out of the spelling and leaves the rest, in which the name stands.
    fn of(input: &str) -> (Self, String) {
        let mut stated = Self::default();
        let mut rest = input.to_owned();
        let take = |pattern: &Regex, rest: &mut String| {
            let found = pattern.find(rest).map(|found| (found.range(), found.as_str().to_owned()));
            found.map(|(range, text)| {
                rest.replace_range(range, " ");
                text
            })
        };
        stated.slice = take(&SLICE, &mut rest).map(|slice| slice.trim_matches(['(', ')', ' ']).to_owned());
        stated.instance = take(&INSTANCE, &mut rest);
        rest = CORES.replace_all(&rest, " ").into_owned();
        // NVIDIA's own spelling of its Max-Q cards.
        rest = rest.replace("with Max-Q Design", "Max-Q");
        let host = HOST.captures(&rest).and_then(|found| found.get(1).or_else(|| found.get(2)));
        if let Some(host) = host.map(|host| host.as_str().trim().to_owned()) {
            rest = HOST.replace(&rest, "").into_owned();
            stated.host = Some(host);
        }
        for pattern in COUNTS.iter() {
            let Some(found) = pattern.captures(&rest) else { continue };
            let number = |name| found.name(name).and_then(|digits| digits.as_str().parse::<u32>().ok());
            stated.count = number("n").and_then(|n| n.checked_mul(number("m").unwrap_or(1)));
            let nodes = NODES.captures(&rest).and_then(|nodes| nodes[1].parse::<u32>().ok());
            stated.count = stated.count.and_then(|count| count.checked_mul(nodes.unwrap_or(1)));
            if let Some(cut) = found.name("cut").map(|cut| cut.range()) {
                rest.replace_range(cut, " ");
            }
            break;
        }
        stated.memory_gib = MEMORY.captures(&rest).and_then(|found| found[1].parse().ok());
        stated.form_factor = FORM.captures(&rest).map(|found| normalise(&found[1]));
        (stated, rest)
    }
}

/// A device's name found in a spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NamedDevice {
    id: String,
    words: std::ops::Range<usize>,
    length: usize,
    /// The word after the name, when it makes another product of it.
    suffix: Option<String>,
}

/// Words after a card's name that make another card of it, so that `RTX 4090 Laptop GPU` is no RTX 4090.
const OTHER_PRODUCT: &[&str] = &["laptop", "mobile", "maxq", "super", "ti", "d"];

/// The word after a name that makes another product of it: of a card's, which ends in a digit, one of the words above; of a
/// name without a number, a number that is no memory size (the `Nova 300` is another card than the Nova).
fn suffix(words: &[&str], name: std::ops::Range<usize>) -> Option<String> {
    let last = words[name.end - 1].to_lowercase();
    let numbered = last.ends_with(|c: char| c.is_ascii_digit()) || OTHER_PRODUCT.contains(&last.as_str());
    let next = words.get(name.end)?;
    let two = format!("{next}{}", words.get(name.end + 1).unwrap_or(&""));
    let is = |word: &str| OTHER_PRODUCT.contains(&word.to_lowercase().as_str()) && word != "d";
    if !numbered {
        let memory = |text: &str| MEMORY.find(text).is_some_and(|found| found.range() == (0..text.len()));
        let unnumbered = !words[name].concat().contains(|c: char| c.is_ascii_digit());
        let another = unnumbered && next.starts_with(|c: char| c.is_ascii_digit()) && !memory(next) && !memory(&two);
        another.then(|| (*next).to_owned())
    } else if is(next) {
        Some((*next).to_owned())
    } else {
        is(&two).then_some(two)
    }
}

/// The devices that the words name: the longest names win, and none of their words is read twice.
fn find_names<F: Families>(text: &str, names: &F) -> Result<Vec<NamedDevice>, F::Error> {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut found: Vec<NamedDevice> = Vec::new();
    for start in 0..words.len() {
        for end in (start + 1..=words.len().min(start + 8)).rev() {
            let run = words[start..end].concat();
            // `V100s` is more than one V100; the V100S is another card.
            let singular = run.strip_suffix('s').filter(|one| one.ends_with(|c: char| c.is_ascii_digit()));
            let normal = normalise(singular.unwrap_or(&run));
            for name in names.exact(&normal)?.into_iter().filter(|name| name.facet == Facet::Device) {
                found.push(NamedDevice {
                    id: name.value,
                    words: start..end,
                    length: normal.len(),
                    suffix: suffix(&words, start..end),
                });
            }
        }
    }
    found.sort_by(|a, b| b.length.cmp(&a.length).then(a.words.start.cmp(&b.words.start)));
    let mut kept: Vec<NamedDevice> = Vec::new();
    for one in found {
        let overlaps = |other: &NamedDevice| one.words.start < other.words.end && other.words.start < one.words.end;
        let same_words = kept.iter().any(|other| other.words == one.words);
        if same_words || !kept.iter().any(overlaps) {
            kept.push(one);
        }
    }
    kept.dedup_by(|a, b| a.id == b.id);
    // A family beside one of its members adds nothing.
    let mut specific = Vec::new();
    for (at, one) in kept.iter().enumerate() {
        let members = names.members(&one.id)?;
        let repeated = kept.iter().take(at).any(|other| other.id == one.id);
        if !repeated && !kept.iter().any(|other| members.iter().any(|member| member.id == other.id)) {
            specific.push(one.clone());
        }
    }
    Ok(specific)
}

/// One name was found: a device without members is meant itself; of a family, what else is stated may leave one member.
fn one_device<F: Families>(
    input: &str,
    found: &NamedDevice,
    stated: &StatedDetails,
    names: &F,
) -> Result<Resolved, F::Error> {
    let members = names.members(&found.id)?;
    let id = || vec![found.id.clone()];
    if members.is_empty() {
        return Ok(Resolved::new(input, Certainty::Sku, id(), format!("it names {}", found.id)));
    }
    let fits = |member: &&Member| {
        let memory = stated.memory_gib.is_none_or(|gib| member.memory_gib == Some(gib));
        let form = stated.form_factor.as_ref().is_none_or(|form| {
            let own = member.form_factor.as_deref().map(normalise).unwrap_or_default();
            own.starts_with(form.as_str())
        });
        memory && form
    };
    let left: Vec<&Member> = members.iter().filter(fits).collect();
    let says_something = stated.memory_gib.is_some() || stated.form_factor.is_some();
    Ok(match left.as_slice() {
        [only] if says_something => {
            let why =
                format!("the memory size or form that is stated leaves only {} of the family {}", only.id, found.id);
            Resolved::new(input, Certainty::Sku, vec![only.id.clone()], why)
        }
        left => {
            let open: Vec<&str> = match left {
                [] => members.iter().map(|member| member.id.as_str()).collect(),
                left => left.iter().map(|member| member.id.as_str()).collect(),
            };
            let why = format!("the SKU is not stated; memory size and form would decide between {}", or_list(&open));
            Resolved::new(input, Certainty::Family, id(), why)
        }
    })
}

fn unknown<F: Families>(input: &str, rest: &str, names: &F) -> Result<Resolved, F::Error> {
    let near = nearest_names(rest, names, 3)?;
    let near: Vec<String> =
        near.into_iter().filter(|name| name.facet == Facet::Device).map(|name| name.value).collect();
    let why = if near.is_empty() {
        "no device of the catalog is called like this".to_owned()
    } else {
        format!("no device of the catalog is called like this; near are {}", or_list(&near))
    };
    Ok(Resolved::new(input, Certainty::Unknown, Vec::new(), why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_number_behind_a_name_without_one_is_another_product() {
        let suffix = |text: &str, name| suffix(&text.split(' ').collect::<Vec<_>>(), name);
        assert_eq!(suffix("Nova 300", 0..1).as_deref(), Some("300"));
        assert_eq!(suffix("Nova 16GB", 0..1), None);
        assert_eq!(suffix("Nova 16 GB", 0..1), None);
        assert_eq!(suffix("Ryzen 9 5950x 16 Core", 0..3), None, "its cores");
        assert_eq!(suffix("RTX 4090 Laptop", 0..2).as_deref(), Some("Laptop"));
    }

    #[test]
    fn what_is_stated_beside_the_name_is_taken_apart() {
        let (stated, rest) = StatedDetails::of("8 * V100 (AWS p3.16xlarge)");
        assert_eq!((stated.count, stated.instance.as_deref()), (Some(8), Some("p3.16xlarge")));
        assert!(rest.contains("V100"), "{rest}");
        let (stated, _) = StatedDetails::of("NVIDIA A100-SXM4 (1x1g.5gb MIG)");
        assert_eq!(stated.slice.as_deref(), Some("1x1g.5gb MIG"));
        assert_eq!(stated.count, None);
        let (stated, rest) = StatedDetails::of("Baidu Cloud Tesla 8*V100-16GB/448 GB/96 CPU");
        assert_eq!((stated.count, stated.memory_gib), (Some(8), Some(16.0)));
        assert_eq!(stated.host.as_deref(), Some("448 GB/96 CPU"));
        assert!(rest.contains("V100"), "{rest}");
        let (stated, rest) = StatedDetails::of("T4x8_TRT");
        assert_eq!(stated.count, Some(8));
        assert!(rest.starts_with("T4 "), "{rest}");
        for (spelling, count) in [
            ("RTX 3090", None),
            ("7900 XTX x 2", Some(2)),
            ("GTX 1080", None),
            ("TITAN V_2_gpus_", Some(2)),
            ("16 * 8 * V100", Some(128)),
            ("Jetson TX2", None),
            ("NVIDIA Tesla V100 PCIe 32GB (GV100 SM x 80 Tensor Core x 640)", None),
            ("A100-SXM-80GBx8", Some(8)),
        ] {
            assert_eq!(StatedDetails::of(spelling).0.count, count, "{spelling}");
        }
        assert!(StatedDetails::of("7900 XTX x 2").1.contains("7900 XTX"));
    }
}
