//! What a spelling of a device states besides its name: counts, the cloud instance, the machine, a slice.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// What a spelling states besides the device's name.
#[derive(Debug, Default, PartialEq)]
pub(super) struct StatedDetails {
    /// Devices.
    pub count: Option<u32>,
    /// The cloud instance.
    pub instance: Option<String>,
    /// How many of these instances.
    pub instances: Option<u32>,
    pub slice: Option<String>,
    pub host: Option<String>,
}

/// Stands where something was taken out, so that what stood on both sides of it are no neighbours.
const CUT: &str = " ; ";

/// `p3.16xlarge`, `c5n.18xlarge`, `n1-standard-64`, `a2-highgpu-8g`, `Standard_NC6`, `ecs.gn6v-c8g1.2xlarge`.
static INSTANCE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)\b(?:ecs\.[a-z0-9-]+\.\d*x?large|[a-z]{1,3}\d[a-z]*(?:-[a-z]\d+)?\.(?:metal|\d*x?large|medium|small|micro)(?:\.\d+)?|(?:n1|n2|a2|a3|a4|a4x|g2|g4|e2|c2|m1)-(?:standard|highmem|highcpu|highgpu|megagpu|megamem|ultragpu)-\w+|ct\d[a-z]*-\w+-\d+t|(?:Standard_)?N[CDV]C?\d+[a-z]*(?:_[a-z0-9]+)*(?:_v\d)?)\b",
    )
});
/// The number of instances before one: `16 p3.16xlarge`, `2x p3.16xlarge`.
static INSTANCES: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(?:^|[\s(\[])(\d{1,4})\s*(?:[x×*]\s*)?$"));
/// `1x1g.5gb MIG`, `MIG 3g.20gb`, `(1x1g.10gb)`.
static SLICE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\(?\b(?:(?:\d+x)?\d+g\.\d+gb(?:\s*MIG)?|MIG[\s-]*(?:\d+x)?\d+g\.\d+gb)\b\)?"));
/// `MIG` alone: a slice whose size is not said.
static MIG: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\bMIG\b"));
/// What follows a slash is the machine: `/448 GB/96 CPU`, ` / 512 GB / 56 CPU`; but not the `/4` of `FT-2000/4`.
static HOST: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(?:\s+/\s+(.+)|/\s*(\d+\s*(?:GB|TB|v?CPU)\b.*))$"));
/// `2.4GHz x 4 + 1.8 GHz x 4`, `Core X2`, `SM x 80 Tensor Core x 640`: clocks and cores, which count no devices.
static CORES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?:[\d.]+\s*[MG]Hz(?:\s*~\s*[\d.]+\s*[MG]Hz)?(?:\s*[x×*]\s*\d{1,3})?|\b(?:cores?|SM)\s*x\s*\d+)")
});
/// Lanes of a bus, which count no devices: `PCIe x16`, `PCIe 3.0 x16`; but `PCIe x 8` is a count.
static LANES: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\b(PCI-?e)(?:\s*(?:gen\s*)?\d(?:\.\d)?)?\s*x\d{1,2}\b"));
/// An address or a serial number of a machine: `192-222-57-0`.
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d{1,3}(?:[-.]\d{1,3}){3}"));
/// `2x8 V100`, `4x8xH100`, `16 * 8 * V100`: nodes times devices; not the memory of `8 x 80GB A100`.
static NODES_TIMES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:^|[\s(,;_\-\[{])(?P<cut>(?P<n>\d{1,4})\s*[x×*]\s*(?P<m>\d{1,4})(?:\s*[x×*]\s*|\s+))(?P<name>[A-Za-z]+)",
    )
});
/// What follows a number that is a quantity, not a count.
const UNITS: &[&str] = &["gb", "gib", "g", "mb", "mib", "tb", "ghz", "mhz", "w", "core", "cores", "vcpu", "vcpus"];
/// The devices of each machine, where machines are counted before: `8x NVIDIA DGX-2H (16x V100)`.
static OF_EACH: LazyLock<Regex> = LazyLock::new(|| pattern(r"\(\s*(?P<cut>(?P<n>\d{1,4})\s*[x×*]\s*)[A-Za-z]"));
/// The ways in which a count is written; `cut` goes, `n` (times `m`) is the count.
static COUNTS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        // `8 * V100`, `8xV100`, `4 x T4`, `2×A100`, but not `7900 XTX`
        r"(?:^|[\s(,;_\-\[{])(?P<cut>(?P<n>\d{1,4})(?:x\s*|\s+x\s+|\s*[×*]\s*))[A-Za-z(]",
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
    /// Takes what is stated out of the spelling and leaves the rest, in which the name stands. `instances` finds a cloud
    /// instance of the catalog: where its name begins and ends.
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

/// Takes the number of devices out of a spelling.
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

/// Whether what follows a count is no unit of something else: `(x8 cores)`.
fn counts_devices(text: &str, found: &Captures<'_>) -> bool {
    let after = found.name("cut").map_or("", |cut| text[cut.end()..].trim_start());
    let word = after.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    !UNITS.contains(&word.to_lowercase().as_str())
}

fn cut(rest: &mut String, range: &std::ops::Range<usize>) {
    rest.replace_range(range.clone(), CUT);
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
