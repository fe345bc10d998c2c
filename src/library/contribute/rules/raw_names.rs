//! Finds spellings and words of a source that contradict the row, and fields that hold something else.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::contribute::rule_interface::{CatalogNames, Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Severity};
use crate::values::text::{normalise, or_list};
use crate::values::{EntityKind, HardwareClass, Precision, Stage};

pub(in crate::contribute) const RAW_NAME: Rule = Rule {
    code: Code::new(309),
    title: "a spelling that names something else",
    severity: Severity::Error,
    page: "`device-raw`, `network-raw`, `framework-raw` and `dataset-raw` keep the source's own spelling. Where that is, or holds, the name of another entity than the row's (one that is neither its family nor its relative), one of the two is wrong: most often the id was copied from a neighbour.

Names are read as everywhere: without case, blanks and hyphens, the longest first, so that a \"GTX 1080 Ti\" is not a 1080. Where sources call an entity by the name of another one, an alias says so with the occasion in brackets: RetinaNet has the alias \"SSD (MLPerf Training from v2.0 on)\".",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "Acme Nova 100 16GB", "Acme Core 9"),
    check: Check::Rows(find_raw_name),
};

fn find_raw_name(context: &LintContext<'_>, found: &mut Findings) {
    for (field, kind) in Field::of_entities() {
        if let Some(raw) = field.raw() {
            find_field(context, (field, kind, raw), found);
        }
    }
}

fn find_field(context: &LintContext<'_>, (field, kind, raw): (Field, EntityKind, Field), found: &mut Findings) {
    let names = CatalogNames::of(&context.loaded.catalog, kind);
    let called = called_at_times(context, kind);
    // Rows of a batch repeat their spellings, so results are cached.
    let mut seen: HashMap<(&str, &str), Vec<String>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let (Some(id), Some(spelling)) = (measurement.text(field), measurement.text(raw)) else { continue };
        // With a backend, the spelling may name either.
        if field == Field::Framework && measurement.text(Field::Backend).is_some() {
            continue;
        }
        let others = seen.entry((id, spelling)).or_insert_with(|| {
            // An id without an entry is reported by DL0101.
            let is_right = called.contains(&(id, normalise(spelling))) || context.place(kind, id).is_none();
            if is_right { Vec::new() } else { other_than(context, &names, (kind, id), spelling) }
        });
        let Some(other) = others.first() else { continue };
        let named = or_list(&others.iter().map(|other| format!("`{other}`")).collect::<Vec<_>>());
        let message = format!("the source's {spelling:?} is {named}, the row says `{id}`");
        let finding = found.in_row(&IndexedRow { at, row }, field.key(), message, "not what the source spells");
        let help = match others.len() {
            1 => format!(
                "write `{} = \"{other}\"`; or mend `{}`, if the source spells it otherwise",
                field.key(),
                raw.key()
            ),
            _ => format!("the name alone does not tell which; write one of {named} only if the source does"),
        };
        finding.beside([raw.key().into()], "its spelling").help(help);
        // With such a `variant-of` the entities would be related, so the finding depends on it.
        for id in others.iter().map(String::as_str).chain([id]) {
            finding.rests_on(kind, Some(id), "variant-of");
        }
    }
}

/// The short names that aliases give an entity in a stated context: `SSD (MLPerf Training from v2.0 on)`.
fn called_at_times<'c>(context: &LintContext<'c>, kind: EntityKind) -> HashSet<(&'c str, String)> {
    let entities = context.loaded.catalog.entities().filter(|entity| entity.kind() == kind);
    let called = entities.flat_map(|entity| entity.aliases().iter().map(move |alias| (entity.id(), alias)));
    called.filter_map(|(id, alias)| Some((id, normalise(alias.split_once(" (")?.0)))).collect()
}

/// The entities that the spelling names, if they are neither the row's entity nor its relatives; several if they share the name.
pub(super) fn other_than(
    context: &LintContext<'_>,
    names: &CatalogNames<'_>,
    (kind, id): (EntityKind, &str),
    spelling: &str,
) -> Vec<String> {
    let mut named = names.named_in(spelling);
    // A vendor in front is not part of a name: "NVIDIA Titan X".
    if let (true, Some((maker, rest))) = (named.is_empty(), spelling.split_once(' '))
        && ["nvidia", "amd", "intel"].contains(&normalise(maker).as_str())
    {
        named = names.named_in(rest);
    }
    let own = lineage(context, kind, id);
    let sibling = sibling(context, kind, &named, id, spelling);
    if let Some(sibling) = sibling.or_else(|| other_number(context, kind, &named, id, spelling)) {
        return vec![sibling];
    }
    let is_kin = |other: &str| {
        other == id
            || own.iter().any(|kin| kin == other)
            || lineage(context, kind, other).iter().any(|kin| own.contains(kin))
    };
    if named.is_empty() || named.iter().any(|(_, ids)| ids.iter().any(|other| is_kin(other))) {
        return Vec::new();
    }
    // Integrated graphics are identified by their processor: "Celeron N5105: UHD Graphics".
    let class = |id: &str| context.loaded.catalog.devices.get(id).map(|device| device.class);
    let whole = normalise(spelling);
    let inside = |name: &str, other: &str| {
        name != whole && class(other) == Some(HardwareClass::Cpu) && class(id) != Some(HardwareClass::Cpu)
    };
    let is_other = |name: &str, other: &str| !inside(name, other) && !is_part(kind, id, other, spelling);
    let first = named.iter().find(|(name, ids)| ids.first().is_some_and(|other| is_other(name, other)));
    first.map(|(_, ids)| ids.iter().map(|other| (*other).to_owned()).collect()).unwrap_or_default()
}

/// The entity that the whole spelling names, if it is another member of the family: a PCIe board is not an SXM module,
/// ResNet-152 is not ResNet-50. A family's name may denote each member, and the name of a member's revision the member.
fn sibling(
    context: &LintContext<'_>,
    kind: EntityKind,
    named: &[(String, &[&str])],
    id: &str,
    spelling: &str,
) -> Option<String> {
    let [(name, ids)] = named else { return None };
    let [other] = ids else { return None };
    let apart = || !lineage(context, kind, id).iter().any(|kin| kin == other);
    let is_other = *name == normalise(spelling) && *other != id && !is_part(kind, id, other, spelling) && apart();
    (is_other && !lineage(context, kind, other).iter().any(|kin| kin == id)).then(|| (*other).to_owned())
}

/// The entity named inside a spelling, if it has another number than the network: `inception_v4_299_quant` is not Inception v3.
fn other_number(
    context: &LintContext<'_>,
    kind: EntityKind,
    named: &[(String, &[&str])],
    id: &str,
    spelling: &str,
) -> Option<String> {
    let [(_, [other])] = named else { return None };
    let numbered = |id: &str| -> BTreeSet<String> {
        id.split('-').filter(|word| word.contains(|c: char| c.is_ascii_digit())).map(normalise).collect()
    };
    let stem = |id: &str| id.split('-').next().map(ToOwned::to_owned);
    let spelled: BTreeSet<String> =
        spelling.split(|c: char| !(c.is_alphanumeric() || c == '.')).map(normalise).collect();
    let (own, others) = (numbered(id), numbered(other));
    let is_other = kind == EntityKind::Network
        && *other != id
        && stem(id) == stem(other)
        && own.len() == others.len()
        && own.is_disjoint(&spelled)
        && !own.is_empty()
        && others.is_subset(&spelled)
        && !is_part(kind, id, other, spelling)
        && !lineage(context, kind, other).iter().any(|kin| kin == id);
    is_other.then(|| (*other).to_owned())
}

/// Whether the row's entity extends the named one: a network with that backbone, the CPU of that board.
fn is_part(kind: EntityKind, id: &str, other: &str, spelling: &str) -> bool {
    let (id, other) = (normalise(id), normalise(other));
    if kind == EntityKind::Network {
        // A page may write R50 for the backbone in `retinanet-r-50`.
        return id.contains(&other.replace("resnet", "r")) || id.contains(&other);
    }
    let Some((before, after)) = id.split_once(&other).map(|(a, b)| (a.to_owned(), b.to_owned())) else {
        return false;
    };
    // CIFAR-100 does not extend CIFAR-10.
    if other.ends_with(|c: char| c.is_ascii_digit()) && after.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let spelled = normalise(spelling);
    [before, after].iter().all(|rest| {
        let rest = rest.trim_end_matches("cpu").trim_end_matches("gpu");
        rest.is_empty() || spelled.contains(rest)
    })
}

/// The entity and its families, nearest first.
fn lineage(context: &LintContext<'_>, kind: EntityKind, id: &str) -> Vec<String> {
    let catalog = &context.loaded.catalog;
    let Ok(parsed) = id.parse() else { return Vec::new() };
    let all = match kind {
        EntityKind::Device => catalog.device_lineage(&parsed),
        EntityKind::Network => catalog.network_lineage(&parsed),
        _ => vec![parsed],
    };
    all.iter().map(ToString::to_string).collect()
}

pub(in crate::contribute) const RAW_WORDS: Rule = Rule {
    code: Code::new(310),
    title: "a row that its own words contradict",
    severity: Severity::Error,
    page: "What the source wrote stands beside the fields: \"8x V100\" is neither 3 devices nor an unstated number, a file `benchmark-train-fp16` holds no inference in fp32, 4-bit weights are not fp32, one forward and one backward pass are not inference, `bert-99.9` asks for 0.999 of the reference's accuracy. Numbers in brackets are those of the machine (\"DGX-1 (8x V100)\"), of which a run uses a part or a multiple.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        r#"device-raw = "Acme Nova 100 16GB""#,
        "device-raw = \"4x Acme Nova 100 16GB\"\ndevice-count = 3",
    ),
    check: Check::Rows(find_raw_words),
};

fn find_raw_words(context: &LintContext<'_>, found: &mut Findings) {
    let mut read = ReadTexts::default();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let row = IndexedRow { at, row };
        counted(&row, &mut read, found);
        precise(&row, &mut read, found);
        staged(&row, &mut read, found);
        targeted(row.get(), &row, found);
    }
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is tested")
}

/// Matches a count of devices, or of machines and devices in each: `8x V100`, `2 x 7900 XTX`, `16 * 8 * V100`.
static LEADING_COUNT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(\d{1,4})\s?[x*×]\s?(?:(\d{1,3})\s?[x*×]\s?)?[A-Za-z0-9]"));

/// Matches `7900 XTX x 2`, without parentheses that may contain another count.
static TRAILING_COUNT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[^(:]*[A-Za-z0-9] ?[x*×] ?(\d{1,2})$"));

/// Matches `1 K80 / 61 GB`.
static COUNT_BEFORE_NAME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^\s*(\d{1,2}) ([A-Za-z][A-Za-z0-9-]*)(?:$|[\s,/(])"));

/// Matches `Dell 8x H100 80GB SXM5` and `Lambda Cloud - 4x GTX 1080 Ti`, before any parenthesis.
static COUNT_BEHIND_MAKER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^[A-Za-z][^(]*?\s(\d{1,2})\s?[x×]\s?[A-Z][A-Za-z]*[ -]?[A-Za-z]*\d"));

/// Matches `TPU v5e-8`: slices of v5e and v6e count chips, other versions count cores (Google's pages about the versions).
static SLICE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)\bv(?:5e|5litepod|6e)-(\d{1,4})\b"));

/// Words after a number that are not a device.
const UNITS: &[&str] = &[
    "gb", "gib", "mb", "tb", "cpu", "cpus", "core", "cores", "vcpu", "vcpus", "thread", "threads", "bit", "w", "nm",
    "node", "nodes", "x", "way", "series", "socket", "sockets", "ghz", "mhz",
];

/// Matches `DGX-1 (8x V100 16GB)`.
static COUNT_IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\((\d{1,3})\s?[x*×]\s?[A-Za-z]"));

fn counted<'l>(row: &IndexedRow<'l>, read: &mut ReadTexts<'l>, found: &mut Findings) {
    let measurement = row.row.get();
    let Some(raw) = measurement.text(Field::DeviceRaw) else { return };
    let in_brackets = |raw: &str| COUNT_IN_BRACKETS.captures(raw).and_then(|found| found[1].parse::<i64>().ok());
    let counts = *read.counts.entry(raw).or_insert_with(|| (count_of(raw), in_brackets(raw)));
    let Some(count) = measurement.count(Field::DeviceCount) else {
        if let (Some(said), None) = counts
            && said > 1
        {
            let message = format!("the source's {raw:?} has {said} devices, the row states no count");
            found
                .in_row(row, Field::DeviceRaw.key(), message, "how many were used?")
                .help(format!("{} = {said}", Field::DeviceCount.key()));
        }
        return;
    };
    let wrong = match counts {
        // A number of machines with a number of devices each; the row may use a part of them.
        (Some(machines), Some(each)) => (machines * each % count != 0).then_some(machines * each),
        (Some(said), None) => (said != count).then_some(said),
        (None, Some(said)) => (said > 0 && count % said != 0 && said % count != 0).then_some(said),
        _ => None,
    };
    if let Some(said) = wrong {
        let message = format!("the source's {raw:?} has {said} devices, the row {count}");
        found
            .in_row(row, Field::DeviceCount.key(), message, "another count than its spelling's")
            .beside([Field::DeviceRaw.key().into()], "the spelling");
    }
}

/// The device count in a spelling, outside parentheses.
fn count_of(raw: &str) -> Option<i64> {
    if let Some(found) = LEADING_COUNT.captures(raw) {
        let each = found.get(2).and_then(|each| each.as_str().parse::<i64>().ok()).unwrap_or(1);
        return found[1].parse::<i64>().ok().map(|machines| machines * each);
    }
    let named = COUNT_BEFORE_NAME.captures(raw).filter(|found| !UNITS.contains(&found[2].to_lowercase().as_str()));
    named
        .or_else(|| TRAILING_COUNT.captures(raw))
        .or_else(|| COUNT_BEHIND_MAKER.captures(raw))
        .or_else(|| SLICE.captures(raw))?[1]
        .parse()
        .ok()
}

static FORMAT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)(?:^|[^a-z0-9])(fp8|fp16|fp32|int8|int4|bf16|tf32|half|float16|float32|bfloat16|amp)(?:$|[^a-z0-9])")
});

/// Precision words in a file name that may mean something else in other texts.
static IN_STEM: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(?:^|[^a-z0-9])(float|double)(?:$|[^a-z0-9])"));

fn precise<'l>(row: &IndexedRow<'l>, read: &mut ReadTexts<'l>, found: &mut Findings) {
    let measurement = row.row.get();
    let Some(precision) = measurement.precision() else { return };
    if let Some(recipe) = measurement.text(Field::Quantization) {
        let bits = [("4-bit", 4), ("8-bit", 8), ("int4", 4), ("int8", 8)];
        let said = bits.iter().find(|(text, _)| recipe.to_lowercase().contains(text)).map(|(_, bits)| *bits);
        let own = bits_of(precision);
        if said.is_some_and(|said| own > said * 2) {
            let message = format!("weights of {recipe:?} are not computed in {precision}");
            found.in_row(row, Field::Precision.key(), message, "contradicts the quantisation");
        }
    }
    let raw = [Field::NetworkRaw, Field::DeviceRaw, Field::FrameworkRaw].map(|field| measurement.text(field));
    let mut said: BTreeSet<String> = read.stem(row).formats.clone();
    for text in raw.into_iter().flatten() {
        said.extend(read.formats.entry(text).or_insert_with(|| formats_in(text)).iter().cloned());
    }
    if !said.is_empty() && !said.iter().any(|said| is_said(said, precision)) {
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        let message = format!("the source says {}, the row {precision}", said.join(" and "));
        found.in_row(row, Field::Precision.key(), message, "another format than in its words");
    }
}

fn formats_in(text: &str) -> BTreeSet<String> {
    FORMAT.captures_iter(text).map(|found| found[1].to_lowercase()).collect()
}

/// Cache of what texts state, because many rows share a text.
#[derive(Default)]
struct ReadTexts<'l> {
    formats: HashMap<&'l str, BTreeSet<String>>,
    counts: HashMap<&'l str, Counts>,
    stems: HashMap<&'l Path, Stem>,
}

/// The device counts in a spelling, outside and inside parentheses.
type Counts = (Option<i64>, Option<i64>);

/// What a file name states.
#[derive(Clone)]
struct Stem {
    name: String,
    formats: BTreeSet<String>,
    train: bool,
    infer: bool,
}

impl<'l> ReadTexts<'l> {
    fn stem(&mut self, row: &IndexedRow<'l>) -> &Stem {
        let path = row.row.file().path.as_path();
        self.stems.entry(path).or_insert_with(|| {
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let mut formats = formats_in(&name);
            formats.extend(IN_STEM.captures_iter(&name).map(|found| found[1].to_lowercase()));
            Stem { formats, train: IN_TRAINING.is_match(&name), infer: IN_INFERENCE.is_match(&name), name }
        })
    }
}

/// Bits of the numbers that a precision multiplies.
fn bits_of(precision: Precision) -> u32 {
    (crate::model::physics::bytes_of(precision) * 8.0) as u32
}

fn is_said(word: &str, precision: Precision) -> bool {
    let own = precision.to_string();
    let word = match word {
        "half" | "float16" => "fp16",
        "float32" | "float" => "fp32",
        "double" => "fp64",
        "bfloat16" => "bf16",
        other => other,
    };
    // A format may stand for its recipe, and quantised weights are computed in a wider format.
    own == word
        || own.strip_prefix("amp-") == Some(word)
        || word == "amp" && own.starts_with("amp")
        || bits_of(precision) <= 4
}

static IN_TRAINING: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(?:^|[^a-z])train(?:ing)?(?:$|[^a-z])"));

static IN_INFERENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(?:^|[^a-z])infer(?:ence)?(?:$|[^a-z])"));

fn staged<'l>(row: &IndexedRow<'l>, read: &mut ReadTexts<'l>, found: &mut Findings) {
    let measurement = row.row.get();
    let Some(stage) = measurement.stage() else { return };
    let Stem { name: stem, train, infer, .. } = read.stem(row);
    let (train, infer) = (*train, *infer);
    let is_training = matches!(stage, Stage::Train | Stage::Forward | Stage::Backward);
    if train && !infer && !is_training || infer && !train && is_training {
        let message = format!("the file `{stem}` holds a row of `{stage}`");
        found.in_row(row, Field::Stage.key(), message, "another stage than the file's name says");
        return;
    }
    let timed = measurement.text(Field::Timed).map(str::to_lowercase).unwrap_or_default();
    if IN_TRAINING.is_match(&timed) && !IN_INFERENCE.is_match(&timed) && !is_training {
        let message = format!("a training was timed, the row says `{stage}`");
        found
            .in_row(row, Field::Stage.key(), message, "contradicts what was timed")
            .beside([Field::Timed.key().into()], "what was timed");
        return;
    }
    if timed.contains("forward pass") && !timed.contains("backward") && matches!(stage, Stage::Train | Stage::Backward)
    {
        let message = format!("a forward pass was timed, the row says `{stage}`");
        found
            .in_row(row, Field::Stage.key(), message, "contradicts what was timed")
            .beside([Field::Timed.key().into()], "what was timed");
        return;
    }
    let backward = timed.contains("backward") && !timed.contains("no backward") && !timed.contains("without");
    if backward && !matches!(stage, Stage::Train | Stage::Backward) {
        let message = format!("a backward pass was timed, the row says `{stage}`");
        found
            .in_row(row, Field::Stage.key(), message, "contradicts what was timed")
            .beside([Field::Timed.key().into()], "what was timed");
    }
}

/// Matches the accuracy target in `bert-99.9`.
static TARGET: LazyLock<Regex> = LazyLock::new(|| pattern(r"-(99(?:\.9)?)$"));

fn targeted(measurement: &Measurement, row: &IndexedRow<'_>, found: &mut Findings) {
    let Some(target) = measurement.number(Field::RelativeAccuracyTarget) else { return };
    let raw = measurement.text(Field::NetworkRaw).unwrap_or_default();
    let Some(said) = TARGET.captures(raw).and_then(|found| found[1].parse::<f64>().ok()) else { return };
    if (target.value() * 100.0 - said).abs() > 0.05 {
        let message = format!("{raw:?} asks for {said} % of the reference's accuracy, the row for {target}");
        found.in_row(row, Field::RelativeAccuracyTarget.key(), message, "another target than its name's");
    }
}

pub(in crate::contribute) const FOREIGN_FIELD: Rule = Rule {
    code: Code::new(316),
    title: "a field that holds something else",
    severity: Severity::Warning,
    page: "`host` is the machine and its processor, not the accelerator that was measured; `os` is a system, not a processor; no run has five thousand threads, or more than four for each core of its processor; an instance of a cloud holds the devices that the catalog knows of it.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        r#"device-raw = "Acme Nova 100 16GB""#,
        "device-raw = \"Acme Nova 100 16GB\"\nhost = \"Acme Nova 100 16 GB\"",
    ),
    check: Check::Rows(find_foreign_field),
};

/// Maximum number of threads; the largest single-image machines have fewer.
const MOST_THREADS: i64 = 4096;

/// Maximum threads per core: Xeon Phi runs four, other processors one or two.
const THREADS_OF_A_CORE: i64 = 4;

/// Words of processor names that occur in no operating system's name.
const PROCESSORS: &[&str] =
    &["xeon", "epyc", "ryzen", "core i3", "core i5", "core i7", "core i9", "cortex-a", "cortex-m"];

/// Names of operating systems; a text with one may also name the processor.
const SYSTEMS: &[&str] =
    &["linux", "ubuntu", "windows", "macos", "android", "debian", "centos", "red hat", "rhel", "sles", "rocky"];

fn find_foreign_field(context: &LintContext<'_>, found: &mut Findings) {
    let devices = CatalogNames::of(&context.loaded.catalog, EntityKind::Device);
    let mut hosts: HashMap<&str, Option<String>> = HashMap::new();
    let offers = offers(context);
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let row = IndexedRow { at, row };
        if let Some(host) = measurement.text(Field::Host) {
            let accelerator = hosts.entry(host).or_insert_with(|| accelerator(context, &devices, host));
            if let Some(id) = accelerator {
                let message = format!("the host {host:?} is the accelerator `{id}`");
                found.in_row(&row, Field::Host.key(), message, "not a machine");
            }
        }
        if let Some(os) = measurement.text(Field::Os) {
            let lower = os.to_lowercase();
            let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
            if says(PROCESSORS) && !says(SYSTEMS) {
                found.in_row(&row, Field::Os.key(), format!("{os:?} is a processor"), "not an operating system");
            }
        }
        let cpu = measurement.text(Field::Device).and_then(|id| context.loaded.catalog.devices.get(id));
        let cores = cpu.filter(|cpu| cpu.class == HardwareClass::Cpu).and_then(|cpu| cpu.cores);
        let most = cores.map_or(MOST_THREADS, |cores| cores * measurement.devices() * THREADS_OF_A_CORE);
        if let Some(threads) = measurement.count(Field::Threads).filter(|threads| *threads > most) {
            found.in_row(
                &row,
                Field::Threads.key(),
                format!("{threads} threads of one host"),
                "more than any machine has",
            );
        }
        if let (Some(instance), Some(device)) = (measurement.text(Field::Instance), measurement.text(Field::Device))
            && let Some(holds) = offers.get(instance)
            && is_gpu(context, device)
            && holds.iter().all(|held| is_gpu(context, held) && !context.is_kin(held, device))
        {
            let message = format!("the instance {instance} holds `{}`, not `{device}`", holds[0]);
            found
                .in_row(&row, Field::Instance.key(), message, "another device is in it")
                .beside([Field::Device.key().into()], "the row's")
                .rests_on(EntityKind::Device, Some(device), "variant-of")
                .rests_on(EntityKind::Device, Some(holds[0]), "variant-of");
        }
    }
}

/// Only GPUs count: an instance may have any of several processors, and its name identifies the accelerator.
fn is_gpu(context: &LintContext<'_>, id: &str) -> bool {
    context.loaded.catalog.devices.get(id).is_some_and(|device| device.class == HardwareClass::Gpu)
}

/// The devices of each instance in the catalog.
fn offers<'l>(context: &LintContext<'l>) -> HashMap<&'l str, Vec<&'l str>> {
    let mut all: HashMap<&str, Vec<&str>> = HashMap::new();
    for device in context.loaded.catalog.devices.values() {
        for offer in &device.cloud {
            all.entry(offer.instance.as_str()).or_default().push(device.id.as_str());
        }
    }
    all
}

/// The accelerator that a text names without further content.
fn accelerator(context: &LintContext<'_>, devices: &CatalogNames<'_>, host: &str) -> Option<String> {
    let named = devices.named_in(host);
    let [(name, ids)] = named.as_slice() else { return None };
    let all = crate::values::text::normalise(host).len();
    let id = ids.first().filter(|_| name.len() + 4 >= all)?;
    let device = context.loaded.catalog.devices.get(*id)?;
    (device.class != HardwareClass::Cpu).then(|| (*id).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_count_their_devices() {
        for (raw, count) in [
            ("8x V100", Some(8)),
            ("2x 7900 XTX", Some(2)),
            ("16 * 8 * Tesla-V100", Some(128)),
            ("7900 XTX x 2", Some(2)),
            ("1 K80 / 61 GB / 4 CPU (Amazon EC2 [p2.xlarge])", Some(1)),
            ("60 GB / 16 CPU (Google Cloud)", None),
            ("3070 8GB", None),
            ("Jetson TX2 (Cortex-A57 2.0Ghz x 4)", None),
            ("16 p3.16xlarge (AWS)", None),
            ("V100*1", Some(1)),
            ("TPU v5e-8", Some(8)),
            ("TPU v3-8", None),
            ("Dell 8x H100 80GB SXM5", Some(8)),
            ("Lambda GPU Cloud - 4x GTX 1080 Ti", Some(4)),
            ("Snapdragon 8 Gen 2 (Kyro 3.20 GHz + 2.8 GHz x 2 + 2.00 GHz * 3)", None),
            ("Alibaba Cloud [ecs.gn6i-c8g1.2xlarge]", None),
        ] {
            assert_eq!(count_of(raw), count, "{raw}");
        }
    }
}
