//! One fault put into a valid file at a random place is found, with its code and in its line; in what is valid nothing is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dlbench::contribute::check::report;
use dlbench::contribute::lint::LintOptions;
use dlbench::model::{Diagnostic, Severity};
use dlbench::reading::{FileKind, KbFile, list, load_texts};

use crate::REPOSITORY;

/// Faults of each class, in as many files.
const EACH: usize = 12;

/// Sources whose measurements are mutated: every shape of file, and few enough to be read once for each class.
const SOURCES: &[&str] = &["u39kun-2018", "jcjohnson-2017", "ryujaehun-2021", "soumith-2017", "undertherain-2021"];

/// A class of faults.
struct Fault {
    name: &'static str,
    code: &'static str,
    /// Which files it can be put into.
    files: &'static str,
    /// A line with the fault in it, or what takes its place; `None` where it cannot have it.
    mutate: fn(&str) -> Option<String>,
    /// Where the finding stands, counted from the line that was changed.
    offset: usize,
}

const FAULTS: &[Fault] = &[
    fault("a quote is lost", "DL0001", "catalog/", |line| of_text(line)?.strip_suffix('"').map(str::to_owned)),
    fault("letters of a key change places", "DL0004", "catalog/", |line| {
        let (key, value) =
            line.split_once(" = ").filter(|(key, _)| key.len() > 4 && !key.starts_with(['#', ' ', '"']))?;
        let swapped = format!("{}{}{}", &key[..1], &key[2..3], &key[1..2]);
        (swapped != key[..3]).then(|| format!("{swapped}{} = {value}", &key[3..]))
    }),
    fault("a key is lost", "DL0005", "catalog/devices/", |line| {
        line.starts_with("name = ").then(|| "# the name is lost".to_owned())
    }),
    fault("a number stands in quotes", "DL0006", "catalog/devices/", |line| {
        let (key, value) = line.split_once(" = ").filter(|(key, _)| ["memory-gib", "tdp-w", "cores"].contains(key))?;
        Some(format!("{key} = \"{value}\""))
    }),
    fault("a word is another", "DL0007", "catalog/devices/", |line| {
        line.starts_with("class = ").then(|| "class = \"npu\"".to_owned())
    }),
    fault("a stage is another", "DL0007", "measurements/", |line| {
        line.starts_with("stage = ").then(|| "stage = \"inference\"".to_owned())
    }),
    fault("a text is empty", "DL0008", "catalog/devices/", |line| {
        let (key, _) = of_text(line)?.split_once(" = ").filter(|(key, _)| *key != "source" && *key != "license")?;
        Some(format!("{key} = \"\""))
    }),
    fault("a cell is lost", "DL0010", "measurements/", |line| {
        let cells = line.strip_prefix("  [")?;
        cells.contains(", ").then(|| format!("  [{}", cells.split_once(", ").expect("it has a comma").1))
    }),
    fault("a citation names a source that is not there", "DL0101", "catalog/", |line| {
        line.strip_prefix("source = \"")?.strip_suffix('"').map(|id| format!("source = \"{id}x\""))
    }),
    fault("a device is misspelled", "DL0101", "measurements/", |line| {
        line.strip_prefix("device = \"")?.strip_suffix('"').map(|id| format!("device = \"{id}x\""))
    }),
    Fault {
        offset: 1,
        ..fault("a row stands twice", "DL0103", "measurements/", |line| {
            line.strip_prefix("  [")?.strip_suffix("],").map(|_| format!("{line}\n{line}"))
        })
    },
    fault("an alias is somebody else's name", "DL0104", "catalog/devices/", |line| {
        let aliases = line.strip_prefix("aliases = [")?;
        Some(format!("aliases = [\"Apple M2 Ultra\", {aliases}"))
    }),
    fault("a device is its own family", "DL0108", "catalog/devices/", |line| {
        line.starts_with("variant-of = ").then(|| "variant-of = \"<id>\"".to_owned())
    }),
    fault("a SKU has another vendor than its family", "DL0109", "catalog/devices/tesla-v100-", |line| {
        line.starts_with("vendor = ").then(|| "vendor = \"Nvidia\"".to_owned())
    }),
    fault("a licence is spelled freely", "DL0201", "catalog/frameworks/", |line| {
        // That of a survey is printed as it was.
        line.strip_prefix("license = \"")?.contains('-').then(|| "license = \"Apache 2\"".to_owned())
    }),
    fault("a citation covers what is not there", "DL0202", "catalog/", |line| {
        line.strip_prefix("facts = [").map(|facts| format!("facts = [\"colour\", {facts}"))
    }),
    fault("a fact is cited by nothing", "DL0205", "catalog/devices/geforce", |line| {
        line.starts_with("tdp-w = ").then(|| format!("{line}\npci-ids = [\"10de:1eb8\"]"))
    })
    .below(1),
    fault("a commit is read before it is made", "DL0206", "catalog/sources/", |line| {
        line.starts_with("commit-date = ").then(|| "commit-date = 2099-01-01".to_owned())
    }),
    fault("memory is in MiB", "DL0212", "catalog/devices/", |line| {
        let gib: f64 = line.strip_prefix("memory-gib = ")?.parse().ok()?;
        (gib >= 12.0).then(|| format!("memory-gib = {}", gib * 1024.0))
    }),
    fault("multiply-adds are in millions", "DL0213", "catalog/networks/", |line| {
        let work: f64 = line.strip_prefix("multiply-adds-g = ")?.parse().ok()?;
        Some(format!("multiply-adds-g = {}", work * 1e6))
    }),
    fault("an address has no scheme", "DL0214", "catalog/sources/", |line| {
        line.strip_prefix("url = \"https://").map(|rest| format!("url = \"{rest}"))
    }),
    fault("nothing was measured", "DL0303", "measurements/", |line| with_last_cell(line, |_| Some("0".to_owned()))),
    fault("a metric is a default", "DL0304", "measurements/", |line| {
        (line == "[defaults]").then(|| "[defaults]\nlatency-ms = 5".to_owned())
    })
    .below(1),
    fault("a throughput counts nothing", "DL0302", "measurements/undertherain", |line| {
        line.starts_with("counts = ").then(|| "# what it counts is lost".to_owned())
    })
    .anywhere(),
    fault("it was measured before the device came out", "DL0207", "measurements/u39kun", |line| {
        line.starts_with("stage = ").then(|| format!("date = 1999-01-01\n{line}"))
    }),
    fault("the batches do not fit", "DL0308", "measurements/u39kun", |line| {
        line.starts_with("batch-size = 16").then(|| format!("{line}\nbatch-size-global = 24"))
    })
    .below(1),
    fault("the value lies outside its spread", "DL0307", "measurements/ryujaehun", |line| {
        with_last_cell(line, |value| Some((value * 1000.0).to_string()))
    }),
    fault("seconds are taken for milliseconds", "DL0401", "measurements/u39kun", |line| {
        let latency: f64 = line.strip_prefix("latency-ms = ")?.parse().ok()?;
        Some(format!("latency-ms = {}", latency / 1000.0))
    }),
    fault("the time is that of one image", "DL0401", "measurements/jcjohnson-2017/titan", |line| {
        with_last_cell(line.contains("vgg-1").then_some(line)?, |value| Some((value / 16.0).to_string()))
    }),
    fault("the time is in microseconds", "DL0403", "measurements/u39kun", |line| {
        let latency: f64 = line.strip_prefix("latency-ms = ")?.parse().ok()?;
        Some(format!("latency-ms = {}", latency * 100_000.0))
    }),
    fault("a blank does not break", "DL0502", "catalog/", |line| {
        of_text(line).filter(|line| line.starts_with("name = ") && line[8..].contains(' ')).map(|line| {
            let (head, tail) = line.rsplit_once(' ').expect("it has a blank");
            format!("{head}\u{a0}{tail}")
        })
    }),
    fault("a letter is Cyrillic", "DL0503", "catalog/", |line| {
        line.starts_with("vendor = \"N").then(|| line.replacen('A', "\u{410}", 1))
    }),
    fault("an absent value is spelled", "DL0504", "catalog/devices/", |line| {
        line.starts_with("memory-type = ").then(|| "memory-type = \"n/a\"".to_owned())
    }),
    fault("a text ends in a blank", "DL0505", "catalog/devices/", |line| {
        of_text(line)?.strip_prefix("chip = ").map(|value| format!("chip = {} \"", &value[..value.len() - 1]))
    }),
    fault("two blanks stand for one", "DL0501", "catalog/", |line| {
        of_text(line).filter(|line| line.starts_with("name = ")).map(|line| line.replacen("= ", "=  ", 1))
    }),
    fault("an exception is not needed", "DL0506", "catalog/devices/", |line| {
        (line == "[peak-tflops]").then(|| format!("[[exceptions]]\nrule = \"DL0212\"\nreason = \"so it is\"\n\n{line}"))
    }),
];

const fn fault(
    name: &'static str,
    code: &'static str,
    files: &'static str,
    mutate: fn(&str) -> Option<String>,
) -> Fault {
    Fault { name, code, files, mutate, offset: 0 }
}

/// The finding may stand in any line.
const ANYWHERE: usize = usize::MAX;

impl Fault {
    const fn below(self, offset: usize) -> Self {
        Self { offset, ..self }
    }

    const fn anywhere(self) -> Self {
        self.below(ANYWHERE)
    }
}

/// A line that holds one plain text and nothing else.
fn of_text(line: &str) -> Option<&str> {
    let (key, value) = line.split_once(" = ")?;
    let plain = !key.starts_with(['#', ' ']) && value.len() > 2 && value.starts_with('"') && !value.contains("\"\"\"");
    (plain && value.ends_with('"') && value.matches('"').count() == 2 && !value.contains('\\')).then_some(line)
}

/// A row with another number in its last cell, if that is a number above 0.
fn with_last_cell(line: &str, change: impl Fn(f64) -> Option<String>) -> Option<String> {
    let (head, last) = line.strip_suffix("],")?.rsplit_once(", ")?;
    let value: f64 = last.parse().ok()?;
    Some(format!("{head}, {}],", change(value)?))
}

/// The knowledge base in memory.
struct Texts {
    files: Vec<KbFile>,
    texts: BTreeMap<PathBuf, String>,
}

impl Texts {
    fn read() -> Self {
        let root = Path::new(REPOSITORY);
        let mut files = list(root).expect("the knowledge base can be listed");
        files.retain(|file| match &file.kind {
            FileKind::Measurements(source) => SOURCES.contains(&source.as_str()),
            _ => true,
        });
        let text = |file: &KbFile| std::fs::read_to_string(root.join(&file.path)).expect("the file is text");
        let texts = files.iter().map(|file| (file.path.clone(), text(file))).collect();
        Self { files, texts }
    }

    /// What is found with some files changed.
    fn findings(&self, changed: &BTreeMap<PathBuf, String>) -> Vec<Diagnostic> {
        let text = |file: &KbFile| changed.get(&file.path).unwrap_or(&self.texts[&file.path]).clone();
        let loaded = load_texts(&self.files, |file| Ok(text(file)));
        let scope = LintOptions { whole: true, ..LintOptions::default() };
        let mut findings = report(loaded, &scope, |_| true).findings;
        findings.retain(|finding| finding.severity != Severity::Info);
        findings
    }
}

/// A generator of numbers that are the same every time (Knuth's MMIX constants).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

#[test]
fn faults_are_found_with_their_code_and_line() {
    let kb = Texts::read();
    // Exceptions of sources that are not read here are not needed here.
    let clean = kb.findings(&BTreeMap::new());
    let wrong: Vec<_> = clean.iter().filter(|finding| finding.code.to_string() != "DL0506").collect();
    assert!(wrong.is_empty(), "found in what is valid: {wrong:#?}");

    let mut numbers = Numbers(20_261_121);
    let (mut put, mut found) = (0, 0);
    let mut missed = Vec::new();
    // Several classes are put in at once, each into other files; what is broken in the catalog would hide what is wrong
    // with its measurements.
    let (catalog, measurements): (Vec<&Fault>, Vec<&Fault>) =
        FAULTS.iter().partition(|fault| fault.files.starts_with("catalog"));
    for faults in catalog.chunks(5).chain(measurements.chunks(1)) {
        let (mut changed, mut lines) = (BTreeMap::new(), Vec::new());
        for fault in faults {
            mutate(&kb, fault, &mut numbers, &mut changed, &mut lines);
            assert!(lines.iter().any(|(of, ..)| of.name == fault.name), "{}: no file can have it", fault.name);
        }
        let findings = kb.findings(&changed);
        for (fault, path, line) in &lines {
            put += 1;
            let here = |finding: &&Diagnostic| finding.primary.file.path == *path;
            let told: Vec<(String, usize)> = findings
                .iter()
                .filter(here)
                .map(|finding| {
                    let start = finding.primary.span.clone().map_or(0, |span| span.start);
                    (finding.code.to_string(), finding.primary.file.position(start).0)
                })
                .collect();
            let right = |(code, at): &(String, usize)| code == fault.code && (*line == ANYWHERE || at == line);
            match told.iter().any(right) {
                true => found += 1,
                false => missed.push(format!("{}: {}:{line} has {told:?}", fault.name, path.display())),
            }
        }
    }
    println!("{found} of {put} faults in {} classes are found", FAULTS.len());
    assert!(put >= 200, "only {put} faults were put in");
    assert!(found * 100 >= put * 98, "{found} of {put} are found; missed are\n{}", missed.join("\n"));
}

/// Puts the fault into files that have none yet, at a random place of each, and notes the line in which it must be found.
fn mutate<'f>(
    kb: &Texts,
    fault: &'f Fault,
    numbers: &mut Numbers,
    changed: &mut BTreeMap<PathBuf, String>,
    lines: &mut Vec<(&'f Fault, PathBuf, usize)>,
) {
    let free = |path: &&PathBuf| path.to_string_lossy().starts_with(fault.files) && !changed.contains_key(*path);
    let mut possible: Vec<&PathBuf> = kb.texts.keys().filter(free).collect();
    let mut put = 0;
    while put < EACH && !possible.is_empty() {
        let path = possible.swap_remove(numbers.below(possible.len()));
        let text = &kb.texts[path];
        let places: Vec<(usize, String)> = text
            .lines()
            .enumerate()
            .filter(|(at, line)| !line.is_empty() && !inside_text(text, *at))
            .filter_map(|(at, line)| Some((at, (fault.mutate)(line)?)))
            .collect();
        if places.is_empty() {
            continue;
        }
        let (at, line) = &places[numbers.below(places.len())];
        let stem = path.file_stem().expect("a file has a name").to_string_lossy();
        let line = line.replace("<id>", &stem);
        let whole: Vec<&str> = text.lines().enumerate().map(|(n, old)| if n == *at { &*line } else { old }).collect();
        let expected = if fault.offset == ANYWHERE { ANYWHERE } else { at + 1 + fault.offset };
        changed.insert(path.clone(), whole.join("\n") + "\n");
        lines.push((fault, path.clone(), expected));
        put += 1;
    }
}

/// Whether a line belongs to a text of several lines, or to what a survey reported.
fn inside_text(text: &str, line: usize) -> bool {
    let before: String = text.lines().take(line).map(|line| format!("{line}\n")).collect();
    before.matches("\"\"\"").count() % 2 == 1 || before.contains("\n[reported")
}
