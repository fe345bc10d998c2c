//! Compares `nvidia-smi` output with the catalog: which device a board is and what differs, or a draft of a new entry.

use std::collections::BTreeMap;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::error::ImportError;
use super::records::{LineNumbers, MalformedInput};
use crate::model::{Device, Facet};
use crate::reading::{read_limited, toml_text};
use crate::stores::database::Database;
use crate::stores::resolve::Certainty;
use crate::stores::resolve_spelling;
use crate::values::{Decimal, EntityId};

/// A board as the file describes it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Board {
    /// The product's name.
    pub name: String,
    /// Micro-architecture.
    pub architecture: Option<String>,
    /// Memory available to programs, MiB; somewhat less than the board has.
    pub memory_mib: Option<u64>,
    /// Default power limit, W.
    pub power_limit_w: Option<Decimal>,
    /// PCI vendor and device, `10de:1db1`.
    pub pci_id: Option<String>,
    /// Part number of the board.
    pub part_number: Option<String>,
    /// CUDA compute capability.
    pub compute_capability: Option<String>,
    /// Version of the driver.
    pub driver: Option<String>,
    /// The date, `2024-05-07`.
    pub date: Option<String>,
}

/// Values by name: the path in the XML (`gpu/pci/pci_device_id`) or the column of the CSV.
type BoardValues = BTreeMap<String, String>;

/// The boards in a file, in file order.
pub(super) fn boards(text: &str) -> Result<Vec<Board>, MalformedInput> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('<') { of_xml(text) } else { of_csv(text) }
}

fn of_xml(text: &str) -> Result<Vec<Board>, MalformedInput> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().trim_text(true);
    let (mut path, mut of_machine, mut of_gpu, mut boards) =
        (Vec::new(), BoardValues::new(), BoardValues::new(), Vec::new());
    let mut lines = LineCounter { text, at: 0, line: 1 };
    loop {
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => return Err(MalformedInput::new(lines.of(reader.error_position()), error.to_string())),
        };
        let here = lines.of(reader.buffer_position());
        match event {
            Event::Start(tag) => {
                let name = tag.name().as_ref().to_owned();
                if path.is_empty() && name != "nvidia_smi_log" {
                    let expected = "expected <nvidia_smi_log>, the XML of `nvidia-smi -q -x`";
                    return Err(MalformedInput::new(here, format!("{expected}; found <{name}>")));
                }
                path.push(name);
                if path.len() > DEEPEST {
                    return Err(MalformedInput::new(
                        here,
                        format!("expected at most {DEEPEST} tags inside each other"),
                    ));
                }
            }
            Event::Text(part) => {
                let inside = path.get(1..).unwrap_or_default().join("/");
                let values = if inside.starts_with("gpu/") { &mut of_gpu } else { &mut of_machine };
                values.entry(inside).or_default().push_str(&part.xml10_content());
            }
            Event::End(_) => {
                let closed = path.pop();
                if closed.as_deref() == Some("gpu") && path.len() == 1 {
                    boards.push(
                        board_of_xml(&std::mem::take(&mut of_gpu), &of_machine)
                            .map_err(|message| MalformedInput::new(here, message))?,
                    );
                }
            }
            Event::Eof if path.is_empty() => break,
            Event::Eof => return Err(MalformedInput::new(here, format!("the file ends inside <{}>", path.join("/")))),
            _ => {}
        }
    }
    if boards.is_empty() { Err(MalformedInput::new(1, "expected a <gpu> in <nvidia_smi_log>")) } else { Ok(boards) }
}

/// Maximum nesting depth of XML tags; `nvidia-smi` writes fewer than ten levels.
const DEEPEST: usize = 64;

/// Counts the lines of a text incrementally.
struct LineCounter<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl LineCounter<'_> {
    /// The line of a byte offset, counted from 1. An offset before the last one asked for gets the line of that one.
    fn of(&mut self, at: u64) -> usize {
        let at = usize::try_from(at).unwrap_or(usize::MAX).min(self.text.len());
        let passed = self.text.as_bytes().get(self.at..at).unwrap_or_default();
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
        self.at = self.at.max(at);
        self.line
    }
}

fn board_of_xml(of_gpu: &BoardValues, of_machine: &BoardValues) -> Result<Board, String> {
    let value = |names: &[&str]| names.iter().find_map(|name| stated(of_gpu.get(&format!("gpu/{name}"))?));
    // `power_readings` was renamed with driver 535.
    let limits = ["gpu_power_readings/default_power_limit", "power_readings/default_power_limit"];
    Ok(Board {
        name: value(&["product_name"]).ok_or("expected a <product_name> in this <gpu>")?,
        architecture: value(&["product_architecture"]),
        memory_mib: value(&["fb_memory_usage/total"]).map(|text| quantity(&text, "MiB")).transpose()?,
        power_limit_w: value(&limits).map(|text| quantity(&text, "W")).transpose()?,
        pci_id: value(&["pci/pci_device_id"]).map(|text| pci_id(&text)).transpose()?,
        // Before driver 515, `gpu_part_number` held the board's part number; later drivers put the chip's there.
        part_number: value(&["board_part_number"])
            .or_else(|| value(&["gpu_part_number"]).filter(|part| part.starts_with("900-"))),
        compute_capability: None,
        driver: of_machine.get("driver_version").and_then(|text| stated(text)),
        date: of_machine.get("timestamp").and_then(|text| day(text)),
    })
}

fn of_csv(text: &str) -> Result<Vec<Board>, MalformedInput> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| MalformedInput::new(1, error.to_string()))?.clone();
    // `memory.total [MiB]`: the unit is in the header and, without `nounits`, also in the cells.
    let plain = |name: &str| name.split('[').next().unwrap_or_default().trim().to_owned();
    if !header.iter().any(|name| matches!(plain(name).as_str(), "name" | "gpu_name")) {
        let expected = "expected the XML of `nvidia-smi -q -x`, or the CSV of \
                        `nvidia-smi --query-gpu=name,memory.total --format=csv` with a column `name`";
        let found: Vec<&str> = header.iter().take(5).collect();
        return Err(MalformedInput::new(1, format!("{expected}; found `{}`", found.join(", "))));
    }
    let mut boards = Vec::new();
    let mut lines = LineNumbers::of(text);
    for row in reader.records() {
        let row = row.map_err(|error| MalformedInput::of_csv(&error, text))?;
        let line = row.position().map_or(0, |position| lines.at(position));
        let of_gpu: BoardValues = header.iter().map(plain).zip(row.iter().map(str::to_owned)).collect();
        boards.push(board_of_csv(&of_gpu).map_err(|message| MalformedInput::new(line, message))?);
    }
    if boards.is_empty() {
        Err(MalformedInput::new(1, "expected a row below the header, one a board"))
    } else {
        Ok(boards)
    }
}

fn board_of_csv(of_gpu: &BoardValues) -> Result<Board, String> {
    let value = |names: &[&str]| names.iter().find_map(|name| stated(of_gpu.get(*name)?));
    Ok(Board {
        name: value(&["name", "gpu_name"]).ok_or("expected the product's name in the column `name`")?,
        architecture: None,
        memory_mib: value(&["memory.total"]).map(|text| quantity(&text, "MiB")).transpose()?,
        power_limit_w: value(&["power.default_limit"]).map(|text| quantity(&text, "W")).transpose()?,
        pci_id: value(&["pci.device_id", "gpu_bus_device_id"]).map(|text| pci_id(&text)).transpose()?,
        part_number: None,
        compute_capability: value(&["compute_cap"]),
        driver: value(&["driver_version"]),
        date: value(&["timestamp"]).and_then(|text| Some(text.get(..10)?.replace('/', "-"))),
    })
}

/// The value, or `None` if the board does not support the query.
fn stated(text: &str) -> Option<String> {
    let text = text.trim();
    let bare = text.trim_matches(['[', ']']);
    let absent = matches!(bare, "" | "N/A" | "Not Supported" | "Unknown Error" | "Insufficient Permissions");
    (!absent && !bare.starts_with("Requested functionality")).then(|| text.to_owned())
}

/// Parses the number in `16160 MiB`, `300.00 W` or `300.00`.
fn quantity<N: std::str::FromStr>(text: &str, unit: &str) -> Result<N, String> {
    let number = text.strip_suffix(unit).unwrap_or(text).trim();
    number.parse().map_err(|_| format!("expected a number of {unit}, such as 300 {unit}; found `{text}`"))
}

/// Converts `1DB110DE` or `0x1DB110DE` (device before vendor) to `10de:1db1`.
fn pci_id(text: &str) -> Result<String, String> {
    let digits = text.trim_start_matches("0x").to_lowercase();
    match (digits.get(..4), digits.get(4..)) {
        (Some(device), Some(vendor)) if vendor.len() == 4 && digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Ok(format!("{vendor}:{device}"))
        }
        _ => Err(format!("expected a PCI device id of eight hexadecimal digits, such as 1DB110DE; found `{text}`")),
    }
}

/// The date in `Tue May  7 09:03:41 2019`.
fn day(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [_, month, day, _, year] = words.as_slice() else { return None };
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = months.iter().position(|name| name == month)? + 1;
    Some(format!("{year}-{month:02}-{:02}", day.parse::<u8>().ok()?))
}

/// Memory sizes in which boards are sold, GiB. A board has the smallest size that holds what it reports, because a part
/// is reserved (for error correction, up to a sixteenth).
const SIZES: &[u64] =
    &[1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 16, 20, 22, 24, 32, 40, 48, 64, 80, 94, 96, 128, 141, 144, 180, 192, 288];

/// The nominal memory in GiB of a board that reports `mib` MiB.
pub(super) fn nominal_gib(mib: u64) -> u64 {
    let reported = mib as f64 / 1024.0;
    SIZES.iter().copied().find(|&size| reported <= size as f64).unwrap_or_else(|| reported.ceil() as u64)
}

/// The id and text of a draft entry: what `nvidia-smi` reports, with comments on what a person must look up.
pub(super) fn of_board(board: &Board) -> (EntityId, String) {
    let name = match board.name.strip_prefix("NVIDIA ") {
        Some(_) => board.name.clone(),
        None => format!("NVIDIA {}", board.name),
    };
    let text = |text: &str| toml_text(text).to_string();
    let list = |texts: &[String]| texts.iter().map(|one| text(one)).collect::<Vec<_>>().join(", ");
    let mut aliases: Vec<String> = (name != board.name).then(|| board.name.clone()).into_iter().collect();
    aliases.extend(board.part_number.clone());
    let mut lines = vec![format!("name = {}", text(&name))];
    if !aliases.is_empty() {
        lines.push(format!("aliases = [{}]", list(&aliases)));
    }
    lines.push("class = \"gpu\"\nvendor = \"NVIDIA\"".to_owned());
    lines.extend(board.architecture.as_ref().map(|name| format!("architecture = {}", text(name))));
    lines.extend(form(&board.name).map(|form| format!("form-factor = {}", text(form))));
    let memory = board.memory_mib;
    lines.extend(
        memory.map(|mib| format!("memory-gib = {}  # nvidia-smi reports {mib} MiB: check the size", nominal_gib(mib))),
    );
    lines.extend(board.power_limit_w.map(|watts| format!("tdp-w = {}  # the power limit by default", watts.value())));
    lines.extend(board.compute_capability.as_ref().map(|version| format!("compute-capability = {}", text(version))));
    lines.extend(board.pci_id.as_ref().map(|id| format!("pci-ids = [{}]", text(id))));
    let driver = board.driver.as_ref().map_or_else(String::new, |driver| format!(", driver {driver}"));
    lines.push(format!(
        "\n[[sources]]\nurl = \"https://docs.nvidia.com/deploy/nvidia-smi/index.html\"\ntitle = {}",
        text(&format!("nvidia-smi on the board itself{driver}"))
    ));
    lines.extend(board.date.as_ref().map(|date| format!("accessed = {date}")));
    (id(&board.name), lines.join("\n") + "\n")
}

/// Turns `NVIDIA GeForce RTX 4090` into `geforce-rtx-4090`.
fn id(name: &str) -> EntityId {
    let name = name.strip_prefix("NVIDIA ").unwrap_or(name).to_lowercase();
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let id: String = words.collect::<Vec<_>>().join("-").chars().take(80).collect();
    id.trim_end_matches('-').parse().or_else(|_| "unnamed-gpu".parse()).expect("a constant id is well-formed")
}

/// The form factor of the board, if its name states it.
fn form(name: &str) -> Option<&'static str> {
    let name = name.to_uppercase();
    let forms =
        [("SXM2", "SXM2"), ("SXM3", "SXM3"), ("SXM4", "SXM4"), ("SXM5", "SXM5"), ("PCIE", "PCIe"), ("NVL", "NVL")];
    forms.into_iter().find(|(spelling, _)| name.contains(spelling)).map(|(_, form)| form)
}

/// A board and its match in the catalog.
#[derive(Debug, Clone, PartialEq)]
pub struct IdentifiedBoard {
    /// The board as the file describes it.
    pub board: Board,
    /// Number of equal boards in the file.
    pub count: usize,
    /// Its match in the catalog.
    pub catalog_match: CatalogMatch,
}

/// What the catalog knows about a board.
#[derive(Debug, Clone, PartialEq)]
pub enum CatalogMatch {
    /// The board has an entry.
    Known {
        /// The entry.
        id: String,
        /// What the file states differently from the entry, one sentence each.
        differences: Vec<String>,
    },
    /// The name matches a family or several devices.
    Ambiguous {
        /// The family or the candidates.
        ids: Vec<String>,
        /// Why the match is ambiguous.
        why: String,
    },
    /// The board has no entry.
    Unknown {
        /// Id of the draft entry.
        id: EntityId,
        /// Text of the draft's file.
        draft: String,
    },
}

/// Reads the XML of `nvidia-smi -q -x` or the CSV of `nvidia-smi --query-gpu=… --format=csv`; equal boards are merged.
///
/// # Errors
///
/// When the file cannot be read or has neither format.
pub fn identify(path: &Path, store: &Database) -> Result<Vec<IdentifiedBoard>, ImportError> {
    let bytes = read_limited(path).map_err(|error| ImportError::Io { path: path.to_owned(), error })?;
    let malformed = |MalformedInput { line, message }| ImportError::Malformed { path: path.to_owned(), line, message };
    let mut found: Vec<IdentifiedBoard> = Vec::new();
    for board in boards(&String::from_utf8_lossy(&bytes)).map_err(malformed)? {
        match found.iter_mut().find(|one| one.board == board) {
            Some(same) => same.count += 1,
            None => {
                let matched = catalog_match(&board, store)?;
                found.push(IdentifiedBoard { board, count: 1, catalog_match: matched });
            }
        }
    }
    Ok(found)
}

fn catalog_match(board: &Board, store: &Database) -> Result<CatalogMatch, ImportError> {
    // A part number or PCI id identifies one board; a name may leave the memory size open, so it is also tried with the size.
    let memory = board.memory_mib.map(|mib| format!("{} {}GB", board.name, nominal_gib(mib)));
    let spellings = board.part_number.iter().chain([&board.name]).chain(&memory);
    let mut read = None;
    for spelling in spellings {
        let resolved = resolve_spelling(store, Facet::Device, spelling)?;
        let sure = resolved.reading == Certainty::Sku;
        if resolved.reading != Certainty::Unknown {
            read = Some(resolved);
        }
        if sure {
            break;
        }
    }
    let devices: Vec<Device> = match &board.pci_id {
        Some(_) => store.entities()?,
        None => Vec::new(),
    };
    let by_pci_id = devices.iter().find(|device| board.pci_id.as_ref().is_some_and(|id| device.pci_ids.contains(id)));
    if let Some(device) = by_pci_id {
        return Ok(CatalogMatch::Known { id: device.id.to_string(), differences: differences(board, device) });
    }
    Ok(match read {
        Some(read) if read.reading == Certainty::Sku => match store.entity::<Device>(&read.ids[0])? {
            Some(device) => CatalogMatch::Known { id: device.id.to_string(), differences: differences(board, &device) },
            None => drafted(board),
        },
        Some(read) => CatalogMatch::Ambiguous { ids: read.ids, why: read.why },
        None => drafted(board),
    })
}

fn drafted(board: &Board) -> CatalogMatch {
    let (id, draft) = of_board(board);
    CatalogMatch::Unknown { id, draft }
}

/// Lists what the file states differently from the entry, or in addition to it.
fn differences(board: &Board, device: &Device) -> Vec<String> {
    let mut told = Vec::new();
    if let (Some(mib), Some(gib)) = (board.memory_mib, device.memory_gib)
        && nominal_gib(mib) as f64 != gib.value()
    {
        told.push(format!("memory: the file says {mib} MiB, the entry {gib} GiB"));
    }
    if let (Some(limit), Some(tdp)) = (board.power_limit_w, device.tdp_w)
        && limit.value() != tdp.value()
    {
        told.push(format!("power: the file says {limit} W by default, the entry {tdp} W"));
    }
    for (what, said, known) in [
        ("architecture", &board.architecture, &device.architecture),
        ("compute capability", &board.compute_capability, &device.compute_capability),
    ] {
        if let (Some(said), Some(known)) = (said, known)
            && !said.eq_ignore_ascii_case(known)
        {
            told.push(format!("{what}: the file says {said}, the entry {known}"));
        }
    }
    if let Some(id) = board.pci_id.as_ref().filter(|id| !device.pci_ids.contains(id)) {
        told.push(format!("PCI id: the file says {id}, which the entry does not have"));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    const XML: &str = "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n<nvidia_smi_log>\n\
        <timestamp>Tue May  7 09:03:41 2024</timestamp>\n<driver_version>550.54.15</driver_version>\n\
        <gpu id=\"00000000:1A:00.0\">\n<product_name>Tesla V100-SXM2-16GB</product_name>\n\
        <product_architecture>Volta</product_architecture>\n<board_part_number>900-2G503-0000-000</board_part_number>\n\
        <pci><pci_device_id>1DB110DE</pci_device_id></pci>\n<fb_memory_usage><total>16384 MiB</total></fb_memory_usage>\n\
        <gpu_power_readings><default_power_limit>300.00 W</default_power_limit></gpu_power_readings>\n</gpu>\n</nvidia_smi_log>\n";

    #[test]
    fn a_board_is_read_from_xml() {
        let boards = boards(XML).unwrap();
        let board = &boards[0];
        assert_eq!((board.name.as_str(), board.memory_mib), ("Tesla V100-SXM2-16GB", Some(16384)));
        assert_eq!((board.pci_id.as_deref(), board.date.as_deref()), (Some("10de:1db1"), Some("2024-05-07")));
        assert_eq!(board.power_limit_w.map(|limit| limit.to_string()).as_deref(), Some("300.00"));
        assert_eq!(board.part_number.as_deref(), Some("900-2G503-0000-000"));
    }

    #[test]
    fn a_long_file_takes_no_longer_than_its_bytes() {
        let many = format!("<nvidia_smi_log>\n{}<gpu>\n</gpu>", "<driver_version>1</driver_version>\n".repeat(100_000));
        let start = std::time::Instant::now();
        assert_eq!(boards(&many).unwrap_err().line, 100_003);
        // A quadratic line count would read half a million million bytes for these 300,000 events.
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }

    #[test]
    fn a_board_is_read_from_csv_with_units_and_without() {
        let with = "name, pci.device_id, memory.total [MiB], power.default_limit [W], compute_cap\nTesla T4, 0x1EB810DE, 15360 MiB, 70.00 W, 7.5\n";
        let without = with.replace(" MiB,", ",").replace(" W,", ",");
        assert_eq!(boards(with), boards(&without));
        let board = &boards(with).unwrap()[0];
        assert_eq!((board.memory_mib, board.compute_capability.as_deref()), (Some(15360), Some("7.5")));
        let absent = &boards("name, power.default_limit [W]\nNVIDIA GeForce 940MX, [N/A]\n").unwrap()[0];
        assert_eq!(absent.power_limit_w, None);
    }

    #[test]
    fn what_is_neither_is_told_with_its_line() {
        for (text, line, expected) in [
            ("a,b\n1,2\n", 1, "with a column `name`"),
            ("name, memory.total [MiB]\nTesla T4\n", 2, "expected 2 cells"),
            ("name, memory.total [MiB]\nTesla T4, much\n", 2, "a number of MiB"),
            ("<html>\n</html>", 1, "expected <nvidia_smi_log>"),
            ("<nvidia_smi_log>\n<gpu>\n", 3, "ends inside <nvidia_smi_log/gpu>"),
            ("<nvidia_smi_log>\n<gpu>\n</gpu></nvidia_smi_log>", 3, "expected a <product_name>"),
            (&XML.replace("1DB110DE", "1DB"), 13, "eight hexadecimal digits"),
            (&format!("<nvidia_smi_log>\n{}", "<gpu>".repeat(100_000)), 2, "at most 64 tags"),
        ] {
            let MalformedInput { line: found, message } = boards(text).unwrap_err();
            assert!(message.contains(expected) && found == line, "{text:?}: {found}: {message}");
        }
    }

    #[test]
    fn a_size_holds_what_is_reported() {
        for (mib, gib) in [(16160, 16), (15109, 16), (11019, 11), (46068, 48), (40536, 40), (81559, 80), (143_771, 141)]
        {
            assert_eq!(nominal_gib(mib), gib, "{mib}");
        }
    }

    #[test]
    fn an_id_is_the_name_in_kebab() {
        assert_eq!(id("NVIDIA GeForce RTX 4090 Laptop GPU").as_str(), "geforce-rtx-4090-laptop-gpu");
        assert_eq!(id("???").as_str(), "unnamed-gpu");
    }
}
