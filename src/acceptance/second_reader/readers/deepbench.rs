//! DeepBench's workbooks: sheets of operations with the precision in the first lines, and the system in the sheet "Specs".
//! They are unpacked with `unzip`, so that no code of the import is used.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use super::{Meaning, Source, canonical, entry, files_below, meaning, names, pattern};

const SOURCE: Source = Source {
    id: "deepbench-2020",
    folder: "baidu-research__DeepBench",
    also: &[
        "device-raw",
        "input-shape",
        "sequence-length",
        "timed",
        "cuda",
        "cudnn",
        "driver",
        "os",
        "counts",
        "setting",
        "kernel-library",
        "latency-ms",
    ],
};

/// Devices, by workbook name.
const DEVICES: &[(&str, &str)] = &[
    (r"NV_1080Ti\.", "geforce-gtx-1080-ti"),
    (r"NV_TitanXp\.", "titan-xp"),
    (r"NV_TitanX_Pascal\.", "titan-x-pascal"),
    (r"NV_TitanX\.", "geforce-gtx-titan-x"),
    (r"NV_([TMPV]\d+)\.", "tesla-$1"),
    (r"AMD_MI25\.", "radeon-instinct-mi25"),
    (r"AMD_VegaFE\.", "radeon-vega-frontier-edition"),
    (r"IA_KNL7250\.", "xeon-phi-7250"),
    (r"Raspberry_Pi_3\.", "raspberry-pi-3"),
    (r"iPhone_6\.", "apple-a8"),
    (r"iPhone_7\.", "apple-a10"),
];

type Cells = Vec<String>;

/// Reads a file inside a workbook as text.
fn part(book: &Path, name: &str) -> String {
    let output = Command::new("unzip").arg("-p").arg(book).arg(name).output().expect("unzip is installed");
    String::from_utf8(output.stdout).expect("a part of a workbook is UTF-8")
}

fn unescaped(xml: &str) -> String {
    let tags = pattern("<[^>]*>");
    let text = tags.replace_all(xml, "").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&amp;", "&").replace('\u{a0}', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The sheets of a workbook and their rows; missing cells are empty.
fn sheets(book: &Path) -> Vec<(String, Vec<Cells>)> {
    let shared = part(book, "xl/sharedStrings.xml");
    let phonetic = pattern("(?s)<rPh.*?</rPh>");
    let shared: Vec<String> = pattern("(?s)<si>(.*?)</si>")
        .captures_iter(&shared)
        .map(|found| unescaped(&phonetic.replace_all(&found[1], "")))
        .collect();
    let relations = part(book, "xl/_rels/workbook.xml.rels");
    let target = |id: &str| {
        let relation = pattern("<Relationship [^>]*>")
            .find_iter(&relations)
            .find(|tag| tag.as_str().contains(&format!("Id=\"{id}\"")));
        let relation = relation.expect("a sheet has a file").as_str();
        pattern("Target=\"/?(?:xl/)?([^\"]+)\"").captures(relation).expect("a target")[1].to_owned()
    };
    let cell = pattern(r#"(?s)<c r="([A-Z]+)\d+"([^>]*?)(?:/>|>(.*?)</c>)"#);
    let value = pattern("(?s)<(?:v|t)[^>]*>(.*?)</(?:v|t)>");
    let mut sheets = Vec::new();
    for sheet in
        pattern(r#"<sheet [^>]*name="([^"]+)"[^>]*r:id="([^"]+)""#).captures_iter(&part(book, "xl/workbook.xml"))
    {
        let xml = part(book, &format!("xl/{}", target(&sheet[2])));
        let mut rows = Vec::new();
        for row in pattern("(?s)<row [^>]*?(?:/>|>(.*?)</row>)").captures_iter(&xml) {
            let mut cells = Cells::new();
            for found in cell.captures_iter(row.get(1).map_or("", |row| row.as_str())) {
                let at = found[1].bytes().fold(0, |at, letter| at * 26 + usize::from(letter - b'A') + 1) - 1;
                let raw =
                    found.get(3).and_then(|inner| value.captures(inner.as_str())).map(|found| found[1].to_owned());
                let raw = raw.unwrap_or_default();
                let text = match found[2].contains("t=\"s\"") {
                    true => raw.parse::<usize>().map_or_else(|_| raw.clone(), |at| shared[at].clone()),
                    false => canonical(&unescaped(&raw)),
                };
                cells.resize(cells.len().max(at + 1), String::new());
                cells[at] = text;
            }
            rows.push(cells);
        }
        sheets.push((unescaped(&sheet[1]), rows));
    }
    sheets
}

/// The facts that apply to all rows of a workbook.
struct Workbook {
    name: String,
    is_training: bool,
    specs: BTreeMap<String, String>,
}

/// One of the tables in a sheet.
struct Block {
    /// `Dense Matrix`, `Sparse Matrix`, `Convolution`, or the kind of a recurrent layer.
    kind: String,
    header: Cells,
}

impl Block {
    /// The algorithm of a forward convolution, if the sheet names it.
    fn algorithm(&self, cells: &Cells, column: &str) -> Option<String> {
        let at = self.header.iter().position(|name| name == "Forward Algorithm")?;
        cells.get(at).filter(|_| column.starts_with("Forward")).cloned()
    }
}

impl Workbook {
    fn spec(&self, key: &str) -> &str {
        self.specs.get(key).map_or("", String::as_str)
    }

    fn os(&self, kind: &str) -> String {
        match (self.spec("Linux Kernel Version"), kind) {
            // The Raspberry Pi ran the convolutions on a separate operating system.
            ("", "Convolution") if !self.spec("OS 64 bit").is_empty() => "pi64".to_owned(),
            ("", "Dense Matrix" | "Sparse Matrix") if !self.spec("OS 32 bit").is_empty() => {
                self.spec("OS 32 bit").split(" - ").next().unwrap_or_default().to_owned()
            }
            ("", _) => self.spec("OS").to_owned(),
            (kernel, _) => format!("Linux {kernel}"),
        }
    }

    /// The precision that the first lines of a sheet state for a kind of operation.
    fn precision(&self, top: &str, kind: &str) -> &'static str {
        let is_dense = matches!(kind, "Dense Matrix" | "Convolution");
        if top.contains("Float") {
            "fp32"
        } else if top.contains("16 bit multiplication") {
            "amp-fp16"
        } else if self.is_training {
            ""
        } else if !is_dense && top.contains("RNN: single precision")
            || kind == "Convolution" && top.contains("in float")
        {
            "fp32"
        } else {
            "int8"
        }
    }

    fn of_sheet(&self, sheet: &str, rows: &[Cells]) -> Vec<Meaning> {
        let block = pattern(r"^(?:(Dense Matrix|Sparse Matrix|Convolution|All-Reduce)|Recurrent Layers - (\w+))");
        let top = rows.iter().take(2).flatten().cloned().collect::<Vec<_>>().join(" ");
        let (mut current, mut said, mut seen) = (None, Vec::new(), BTreeSet::new());
        for cells in rows.iter().filter(|cells| cells.iter().any(|cell| !cell.is_empty())) {
            let of = |at: usize| cells.get(at).map_or("", String::as_str);
            if let Some(found) = block.captures(of(0)) {
                let kind = found.get(1).or_else(|| found.get(2)).map_or("", |found| found.as_str());
                current = Some(Block { kind: kind.to_owned(), header: cells.clone() });
            } else if of(2).starts_with('W') && of(4).starts_with('C') {
                current = Some(Block { kind: "Convolution".to_owned(), header: cells.clone() });
            } else if let Some(block) = current.as_ref().filter(|block| block.kind != "All-Reduce") {
                let is_time = |name: &str| {
                    name.contains("Time ") && !name.starts_with("Total")
                        || name.starts_with("wrt ")
                        || name.starts_with("Forward") && name != "Forward Algorithm"
                };
                let first = block.header.iter().position(|name| is_time(name)).unwrap_or_default();
                for (at, name) in block.header.iter().enumerate().filter(|(_, name)| is_time(name)) {
                    let time = of(at);
                    // A repeated operation is recorded once per algorithm.
                    let mut operation = cells.iter().take(first).cloned().collect::<Vec<_>>();
                    operation.extend(block.algorithm(cells, name));
                    if time.parse::<f64>().is_ok()
                        && seen.insert((sheet.to_owned(), block.kind.clone(), name.clone(), operation))
                    {
                        said.push(self.operation(&top, block, cells, name, time));
                    }
                }
            }
        }
        said
    }

    fn operation(&self, top: &str, block: &Block, cells: &Cells, column: &str, time: &str) -> Meaning {
        let kind = block.kind.as_str();
        let named = |wanted: &str| {
            block.header.iter().position(|name| name == wanted).and_then(|at| cells.get(at)).map_or("", String::as_str)
        };
        let network = match kind {
            "Sparse Matrix" if column.starts_with("Sparse") => "deepbench-sparse-gemm",
            "Dense Matrix" | "Sparse Matrix" => "deepbench-gemm",
            "Convolution" => "deepbench-convolution",
            "Vanilla" => "deepbench-vanilla-rnn",
            "LSTM" => "deepbench-lstm",
            _ => "deepbench-gru",
        };
        let stage = match (self.is_training, kind) {
            (false, _) => "eval",
            (_, "Dense Matrix") => "",
            _ if column.contains("Forward") => "forward",
            _ => "backward",
        };
        let is_convolution = kind == "Convolution";
        let batch = match kind {
            "Convolution" => &cells[5],
            "Dense Matrix" | "Sparse Matrix" => "",
            _ => named("N"),
        };
        let is_pseudo = top.contains("32 bit multiplication");
        let setting = match named("Padded Kernels") {
            _ if is_pseudo => "pseudo FP16: 16-bit inputs, 32-bit arithmetic",
            "1" => "padded kernels",
            "0" => "kernels not padded",
            _ => "",
        };
        let model = [self.spec("GPU Model"), self.spec("CPU Model"), self.spec("CPU")];
        meaning([
            ("device", &entry(DEVICES, &self.name).expect("a device")),
            ("device-raw", model.into_iter().find(|model| !model.is_empty()).unwrap_or_default()),
            ("device-count", "1"),
            ("network", network),
            ("stage", stage),
            ("precision", self.precision(top, kind)),
            ("batch-size", batch),
            (
                "input-shape",
                &if is_convolution { format!("{}x{}x{}", cells[4], cells[3], cells[2]) } else { String::new() },
            ),
            (
                "timed",
                &column
                    .split_once("wrt ")
                    .map(|(_, of)| format!("with respect to {}", of.trim_end_matches(" (msec)").to_lowercase()))
                    .unwrap_or_default(),
            ),
            ("cuda", self.spec("CUDA Version")),
            ("cudnn", self.spec("Cudnn Version")),
            ("driver", self.spec("Nvidia Driver")),
            ("os", &self.os(kind)),
            ("counts", "sample"),
            ("sequence-length", named("Timesteps")),
            ("setting", setting),
            ("kernel-library", &block.algorithm(cells, column).unwrap_or_default()),
            ("latency-ms", time),
        ])
    }
}

fn of_workbook(path: &Path) -> Vec<Meaning> {
    let (specs, sheets): (Vec<_>, Vec<_>) = sheets(path).into_iter().partition(|(name, _)| name == "Specs");
    let facts = specs.into_iter().flat_map(|(_, rows)| rows).filter(|cells| cells.len() > 1);
    let specs = facts.map(|cells| (cells[0].clone(), cells[1].clone())).collect();
    let is_training = path.components().any(|part| part.as_os_str() == "train");
    let book = Workbook { name: names(path).1, is_training, specs };
    sheets.iter().flat_map(|(name, rows)| book.of_sheet(name, rows)).collect()
}

#[test]
fn deepbench_means_what_its_workbooks_say() {
    SOURCE.assert_matches(|folder| {
        files_below(&folder.join("results"), "xlsx").iter().flat_map(|path| of_workbook(path)).collect()
    });
}
