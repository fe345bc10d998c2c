//! The XML of `nvidia-smi -q -x` and the CSV of `nvidia-smi --query-gpu`: what they say of each board.
//!
//! The layouts are those of NVIDIA's page on nvidia-smi; what a board does not support reads `N/A` or `[N/A]`.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::super::records::MalformedInput;
use crate::values::Decimal;

/// A board as the file describes it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Board {
    /// The product's name.
    pub name: String,
    /// Micro-architecture.
    pub architecture: Option<String>,
    /// Memory that programs can use, MiB; somewhat less than the board has.
    pub memory_mib: Option<u64>,
    /// Power limit by default, W.
    pub power_limit_w: Option<Decimal>,
    /// PCI vendor and device, `10de:1db1`.
    pub pci_id: Option<String>,
    /// Part number of the board.
    pub part_number: Option<String>,
    /// CUDA compute capability.
    pub compute_capability: Option<String>,
    /// Version of the driver.
    pub driver: Option<String>,
    /// The day, `2024-05-07`.
    pub date: Option<String>,
}

/// Values by their name: a path in the XML (`gpu/pci/pci_device_id`), a column of the CSV.
type BoardValues = BTreeMap<String, String>;

/// The boards of a file, in its order.
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

/// Tags inside each other; `nvidia-smi` writes fewer than ten.
const DEEPEST: usize = 64;

/// Counts the lines of a text on the way through it.
struct LineCounter<'t> {
    text: &'t str,
    at: usize,
    line: usize,
}

impl LineCounter<'_> {
    /// The line of a byte, counted from 1. One before the last byte that was asked for is told as that.
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
    // Power limits moved with driver 535.
    let limits = ["gpu_power_readings/default_power_limit", "power_readings/default_power_limit"];
    Ok(Board {
        name: value(&["product_name"]).ok_or("expected a <product_name> in this <gpu>")?,
        architecture: value(&["product_architecture"]),
        memory_mib: value(&["fb_memory_usage/total"]).map(|text| quantity(&text, "MiB")).transpose()?,
        power_limit_w: value(&limits).map(|text| quantity(&text, "W")).transpose()?,
        pci_id: value(&["pci/pci_device_id"]).map(|text| pci_id(&text)).transpose()?,
        // Drivers before 515 give the board's under the other name, under which later ones give the chip's.
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
    // `memory.total [MiB]`: the unit stands in the header and, without `nounits`, in the cells, too.
    let plain = |name: &str| name.split('[').next().unwrap_or_default().trim().to_owned();
    if !header.iter().any(|name| matches!(plain(name).as_str(), "name" | "gpu_name")) {
        let expected = "expected the XML of `nvidia-smi -q -x`, or the CSV of \
                        `nvidia-smi --query-gpu=name,memory.total --format=csv` with a column `name`";
        let found: Vec<&str> = header.iter().take(5).collect();
        return Err(MalformedInput::new(1, format!("{expected}; found `{}`", found.join(", "))));
    }
    let mut boards = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| MalformedInput::of_csv(&error))?;
        let line = row.position().map_or(0, csv::Position::line) as usize;
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

/// A value, unless the board does not support it.
fn stated(text: &str) -> Option<String> {
    let text = text.trim();
    let bare = text.trim_matches(['[', ']']);
    let absent = matches!(bare, "" | "N/A" | "Not Supported" | "Unknown Error" | "Insufficient Permissions");
    (!absent && !bare.starts_with("Requested functionality")).then(|| text.to_owned())
}

/// `16160 MiB`, `300.00 W`, `300.00`: the number.
fn quantity<N: std::str::FromStr>(text: &str, unit: &str) -> Result<N, String> {
    let number = text.strip_suffix(unit).unwrap_or(text).trim();
    number.parse().map_err(|_| format!("expected a number of {unit}, such as 300 {unit}; found `{text}`"))
}

/// `1DB110DE` or `0x1DB110DE`, the device before the vendor: `10de:1db1`.
fn pci_id(text: &str) -> Result<String, String> {
    let digits = text.trim_start_matches("0x").to_lowercase();
    match (digits.get(..4), digits.get(4..)) {
        (Some(device), Some(vendor)) if vendor.len() == 4 && digits.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Ok(format!("{vendor}:{device}"))
        }
        _ => Err(format!("expected a PCI device id of eight hexadecimal digits, such as 1DB110DE; found `{text}`")),
    }
}

/// `Tue May  7 09:03:41 2019`: the day.
fn day(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [_, month, day, _, year] = words.as_slice() else { return None };
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = months.iter().position(|name| name == month)? + 1;
    Some(format!("{year}-{month:02}-{:02}", day.parse::<u8>().ok()?))
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
        // Each of 300,000 events looked at everything before it: half a million million bytes.
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
}
