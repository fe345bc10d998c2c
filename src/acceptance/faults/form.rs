//! Faults in form, names and references, each a change to a line of text, with the code that must report it.

use super::fault::{Fault, line};

pub const FAULTS: &[Fault] = &[
    line("a quote is lost", "DL0001", "catalog/", |line| of_text(line)?.strip_suffix('"').map(str::to_owned)),
    line("letters of a key change places", "DL0004", "catalog/", |line| {
        let (key, value) =
            line.split_once(" = ").filter(|(key, _)| key.len() > 4 && !key.starts_with(['#', ' ', '"']))?;
        let swapped = format!("{}{}{}", &key[..1], &key[2..3], &key[1..2]);
        (swapped != key[..3]).then(|| format!("{swapped}{} = {value}", &key[3..]))
    }),
    line("a key is lost", "DL0005", "catalog/devices/", |line| {
        line.starts_with("name = ").then(|| "# the name is lost".to_owned())
    }),
    line("a number stands in quotes", "DL0006", "catalog/devices/", |line| {
        let (key, value) = line.split_once(" = ").filter(|(key, _)| ["memory-gib", "tdp-w", "cores"].contains(key))?;
        Some(format!("{key} = \"{value}\""))
    }),
    line("a word is another", "DL0007", "catalog/devices/", |line| {
        line.starts_with("class = ").then(|| "class = \"npu\"".to_owned())
    }),
    line("a stage is another", "DL0007", "measurements/", |line| {
        line.starts_with("stage = ").then(|| "stage = \"inference\"".to_owned())
    }),
    line("a text is empty", "DL0008", "catalog/devices/", |line| {
        let (key, _) = of_text(line)?.split_once(" = ").filter(|(key, _)| *key != "source" && *key != "license")?;
        Some(format!("{key} = \"\""))
    }),
    line("a cell is lost", "DL0010", "measurements/", |line| {
        let cells = line.strip_prefix("  [")?;
        cells.contains(", ").then(|| format!("  [{}", cells.split_once(", ").expect("it has a comma").1))
    }),
    line("a citation names a source that is not there", "DL0101", "catalog/", |line| {
        line.strip_prefix("source = \"")?.strip_suffix('"').map(|id| format!("source = \"{id}x\""))
    }),
    line("a device is misspelled", "DL0101", "measurements/", |line| {
        line.strip_prefix("device = \"")?.strip_suffix('"').map(|id| format!("device = \"{id}x\""))
    }),
    line("a row appears twice", "DL0103", "measurements/", |line| {
        line.strip_prefix("  [")?.strip_suffix("],").map(|_| format!("{line}\n{line}"))
    })
    .below(1),
    line("an alias is somebody else's name", "DL0104", "catalog/devices/", |line| {
        let aliases = line.strip_prefix("aliases = [")?;
        Some(format!("aliases = [\"Apple M2 Ultra\", {aliases}"))
    }),
    line("a device is its own family", "DL0108", "catalog/devices/", |line| {
        line.starts_with("variant-of = ").then(|| "variant-of = \"<id>\"".to_owned())
    }),
    line("a SKU has another vendor than its family", "", "catalog/devices/tesla-v100-", |line| {
        line.starts_with("vendor = ").then(|| "vendor = \"Nvidia\"".to_owned())
    }),
    line("a licence is spelled freely", "DL0201", "catalog/frameworks/", |line| {
        // The licence in a survey's report is kept as printed.
        line.strip_prefix("license = \"")?.contains('-').then(|| "license = \"Apache 2\"".to_owned())
    }),
    line("a citation covers what is not there", "DL0202", "catalog/", |line| {
        line.strip_prefix("facts = [").map(|facts| format!("facts = [\"colour\", {facts}"))
    }),
    line("a fact is cited by nothing", "DL0205", "catalog/devices/geforce", |line| {
        line.starts_with("tdp-w = ").then(|| format!("{line}\npci-ids = [\"10de:1eb8\"]"))
    })
    .below(1),
    line("a commit is read before it is made", "DL0206", "catalog/sources/", |line| {
        line.starts_with("commit-date = ").then(|| "commit-date = 2099-01-01".to_owned())
    }),
    line("a date of access is years ago", "DL0206", "catalog/sources/mlperf-inference-v", |line| {
        line.starts_with("accessed = ").then(|| "accessed = 2011-11-26".to_owned())
    }),
    line("a card is of another class than its series", "DL0226", "catalog/devices/alveo-u", |line| {
        (line == "class = \"fpga\"").then(|| "class = \"gpu\"".to_owned())
    }),
    line("memory is in MiB", "DL0212", "catalog/devices/", |line| {
        let gib: f64 = line.strip_prefix("memory-gib = ")?.parse().ok()?;
        (gib >= 12.0).then(|| format!("memory-gib = {}", gib * 1024.0))
    }),
    line("multiply-adds are in millions", "DL0213", "catalog/networks/", |line| {
        let work: f64 = line.strip_prefix("multiply-adds-g = ")?.parse().ok()?;
        Some(format!("multiply-adds-g = {}", work * 1e6))
    }),
    line("an address has no scheme", "DL0214", "catalog/sources/", |line| {
        line.strip_prefix("url = \"https://").map(|rest| format!("url = \"{rest}"))
    }),
    line("nothing was measured", "DL0303", "measurements/", |line| with_last_cell(line, |_| Some("0".to_owned()))),
    line("a metric is a default", "DL0304", "measurements/", |line| {
        (line == "[defaults]").then(|| "[defaults]\nlatency-ms = 5".to_owned())
    })
    .below(1),
    line("a throughput counts nothing", "DL0302", "measurements/undertherain", |line| {
        line.starts_with("counts = ").then(|| "# what it counts is lost".to_owned())
    })
    .anywhere(),
    line("it was measured before the device came out", "DL0207", "measurements/u39kun", |line| {
        line.starts_with("stage = ").then(|| format!("date = 1999-01-01\n{line}"))
    }),
    line("the batches do not fit", "DL0308", "measurements/u39kun", |line| {
        line.starts_with("batch-size = 16").then(|| format!("{line}\nbatch-size-global = 24"))
    })
    .below(1),
    line("the value lies outside its spread", "DL0307", "measurements/ryujaehun", |line| {
        with_last_cell(line, |value| Some((value * 1000.0).to_string()))
    }),
    line("seconds are taken for milliseconds", "DL0401", "measurements/u39kun", |line| {
        let latency: f64 = line.strip_prefix("latency-ms = ")?.parse().ok()?;
        Some(format!("latency-ms = {}", latency / 1000.0))
    }),
    line("the time is that of one image", "DL0401", "measurements/jcjohnson-2017/titan", |line| {
        with_last_cell(line.contains("vgg-1").then_some(line)?, |value| Some((value / 16.0).to_string()))
    }),
    line("the time is in microseconds", "DL0403", "measurements/u39kun", |line| {
        let latency: f64 = line.strip_prefix("latency-ms = ")?.parse().ok()?;
        Some(format!("latency-ms = {}", latency * 100_000.0))
    }),
    line("a blank does not break", "DL0502", "catalog/", |line| {
        of_text(line).filter(|line| line.starts_with("name = ") && line[8..].contains(' ')).map(|line| {
            let (head, tail) = line.rsplit_once(' ').expect("it has a blank");
            format!("{head}\u{a0}{tail}")
        })
    }),
    line("a letter is Cyrillic", "DL0503", "catalog/", |line| {
        line.starts_with("vendor = \"N").then(|| line.replacen('A', "\u{410}", 1))
    }),
    line("an absent value is spelled", "DL0504", "catalog/devices/", |line| {
        line.starts_with("memory-type = ").then(|| "memory-type = \"n/a\"".to_owned())
    }),
    line("a text ends in a blank", "DL0505", "catalog/devices/", |line| {
        of_text(line)?.strip_prefix("chip = ").map(|value| format!("chip = {} \"", &value[..value.len() - 1]))
    }),
    line("two blanks stand for one", "DL0501", "catalog/", |line| {
        of_text(line).filter(|line| line.starts_with("name = ")).map(|line| line.replacen("= ", "=  ", 1))
    }),
    line("an exception is not needed", "DL0506", "catalog/devices/", |line| {
        (line == "[peak-tflops]").then(|| format!("[[exceptions]]\nrule = \"DL0212\"\nreason = \"so it is\"\n\n{line}"))
    }),
];

/// The line, if it holds one plain string and nothing else.
fn of_text(line: &str) -> Option<&str> {
    let (key, value) = line.split_once(" = ")?;
    let plain = !key.starts_with(['#', ' ']) && value.len() > 2 && value.starts_with('"') && !value.contains("\"\"\"");
    (plain && value.ends_with('"') && value.matches('"').count() == 2 && !value.contains('\\')).then_some(line)
}

/// A row with a changed number in its last cell, if that is a number above 0.
fn with_last_cell(line: &str, change: impl Fn(f64) -> Option<String>) -> Option<String> {
    let (head, last) = line.strip_suffix("],")?.rsplit_once(", ")?;
    let value: f64 = last.parse().ok()?;
    Some(format!("{head}, {}],", change(value)?))
}

/// The lines, with numbers from 0, that are outside multi-line strings and before any survey's reported claims.
pub fn lines_outside_texts(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut inside, mut reported) = (false, false);
    text.lines().enumerate().filter(move |(at, line)| {
        let outside = !inside && !reported && !line.is_empty();
        inside ^= line.matches("\"\"\"").count() % 2 == 1;
        reported |= *at > 0 && line.starts_with("[reported");
        outside
    })
}
