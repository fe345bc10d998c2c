//! Files as contributors have them (merged cells, decimal commas, JSON lines, corrected labels), and malformed files of every
//! format: the error names the file, the line and what was expected, and nothing is written.

use std::fs;
use std::path::Path;

use crate::{KbCopy, REPOSITORY, Ran};

const SET: &str = "framework = \"firelight\"\nstage = \"eval\"\nprecision = \"fp32\"\ncounts = \"image\"\nbatch-size = \"{batch}\"\n\
     device = { from = \"{GPU}\", resolve = \"device\" }\nnetwork = { from = \"{Net}\", resolve = \"network\" }\nlatency-ms = \"{ms}\"\n";

/// The output of an import of some files, and the rows that it writes.
struct Imported {
    kb: KbCopy,
    ran: Ran,
    recipe: String,
    folder: String,
}

impl Imported {
    fn of(files: &[(&str, &[u8])], part: &str, set: &str) -> Self {
        let kb = KbCopy::new();
        let folder = kb.path("new");
        for (name, bytes) in files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
            fs::write(path, bytes).expect("the file can be written");
        }
        let recipe = format!("source = \"imagined-2018\"\n[[table]]\nbatch = \"new\"\n{part}\n[table.set]\n{set}");
        kb.write("new.recipe", recipe);
        let (recipe, folder) =
            (kb.path("new.recipe").to_string_lossy().into_owned(), folder.to_string_lossy().into_owned());
        let ran = kb.dlbench().run(&["import", "--recipe", &recipe, &folder]);
        Self { kb, ran, recipe, folder }
    }

    /// Repeats the import.
    fn again(&self, more: &[&str]) -> Ran {
        let mut words = vec!["import", "--recipe", &self.recipe, &self.folder];
        words.extend(more);
        self.kb.dlbench().run(&words)
    }

    fn written(&self) -> String {
        fs::read_to_string(self.kb.path("measurements/imagined-2018/new.toml")).unwrap_or_default()
    }

    /// Device and value of each row, as `16gb 1.5`.
    fn rows(&self) -> Vec<String> {
        let text = self.written();
        let table: toml::Table = text.parse().expect("TOML");
        let mut rows = Vec::new();
        for part in table["table"].as_array().into_iter().flatten() {
            let of = |key: &str| part.get(key).or_else(|| table.get("defaults")?.get(key)).map(ToString::to_string);
            let columns: Vec<&str> =
                part["columns"].as_array().into_iter().flatten().filter_map(toml::Value::as_str).collect();
            for row in part["rows"].as_array().into_iter().flatten() {
                let cell = |key: &str| {
                    let at = columns.iter().position(|column| *column == key)?;
                    Some(row[at].to_string())
                };
                let value = |key: &str| cell(key).or_else(|| of(key)).unwrap_or_default().replace('"', "");
                rows.push(format!("{} {}", value("device").replace("nova-100-", ""), value("latency-ms")));
            }
        }
        rows
    }
}

#[track_caller]
fn imported(files: &[(&str, &str)], part: &str, rows: &[&str], told: &[&str]) -> Imported {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let imported = Imported::of(&files, part, SET);
    assert_eq!(imported.ran.stderr, "", "{}", imported.ran.stdout);
    let said = imported.ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in told {
        assert!(said.contains(told), "{told:?} is not in\n{}", imported.ran.stdout);
    }
    assert_eq!(imported.rows(), rows, "{}", imported.ran.stdout);
    imported
}

#[track_caller]
fn refused(files: &[(&str, &str)], part: &str, told: &[&str]) {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let imported = Imported::of(&files, part, SET);
    assert_eq!(imported.ran.code, 2, "{}", imported.ran.stdout);
    for told in told {
        assert!(imported.ran.stderr.contains(told), "{told:?} is not in\n{}", imported.ran.stderr);
    }
}

#[test]
fn a_merged_cell_is_carried_down_and_never_lost_in_silence() {
    let markdown = "| GPU | Net | batch | ms |\n|-|-|-|-|\n| Nova 100 16GB | DeepNet-50 | 1 | 1.5 |\n| | | 2 | 2.5 |\n| Nova 100 32GB | DeepNet-50 | 1 | 1.2 |\n| - | 〃 | 2 | 2.2 |\n";
    let fill = "files = \"*.md\"\nformat = \"markdown\"\nfill = [\"GPU\", \"Net\"]";
    imported(&[("a.md", markdown)], fill, &["16gb 1.5", "16gb 2.5", "32gb 1.2", "32gb 2.2"], &["4 read", "4 written"]);
    // Without `fill`, each row without a device is counted under that reason.
    let plain = "files = \"*.md\"\nformat = \"markdown\"";
    imported(
        &[("a.md", markdown)],
        plain,
        &["16gb 1.5", "32gb 1.2"],
        &["1 left out: no device: `GPU` is empty", "1 left out: unknown"],
    );
    // A tab-separated export of a sheet with merged cells.
    let tsv = "GPU\tNet\tbatch\tms\nNova 100 16GB\tDeepNet-50\t1\t1.5\n\t\t2\t2.5\n\tDeepNet-101\t1\t3.5\n";
    let fill = "files = \"*.tsv\"\nformat = \"tsv\"\nfill = [\"GPU\", \"Net\"]";
    imported(&[("a.tsv", tsv)], fill, &["16gb 1.5", "16gb 2.5", "16gb 3.5"], &["3 written"]);
    // A page whose second table lacks the column: no value of the first table is filled in.
    let two = format!(
        "{markdown}\ntext\n\n| Net | batch | ms |\n|-|-|-|\n| DeepNet-50 | 4 | 9.5 |\n| DeepNet-50 | 8 | 9.9 |\n"
    );
    let fill = "files = \"*.md\"\nformat = \"markdown\"\nfill = [\"GPU\", \"Net\"]";
    let rows = ["16gb 1.5", "16gb 2.5", "32gb 1.2", "32gb 2.2"];
    imported(&[("a.md", &two)], fill, &rows, &["2 left out: no device: `GPU` is not in this table"]);
    // A heading without a device ends the scope of the device above.
    let headed = "### Nova 100 16GB\n|Net|batch|ms|\n|-|-|-|\n|DeepNet-50|1|1.5|\n\nXeon, 48 cores\n---\n|Net|batch|ms|\n|-|-|-|\n|DeepNet-50|2|9.5|\n";
    let fill = "files = \"*.md\"\nformat = \"markdown\"\nheading = \"^(?P<GPU>.+)$\"";
    imported(&[("a.md", headed)], fill, &["16gb 1.5"], &["1 left out: unknown device `Xeon, 48 cores`"]);
    // HTML rows with blank cells.
    let html = "<table><tr><th>GPU</th><th>Net</th><th>batch</th><th>ms</th></tr><tr><td>Nova 100 16GB</td><td>DeepNet-50</td><td>1</td><td>1.5<sup>1</sup></td></tr><tr><td></td><td>DeepNet-50</td><td>2</td><td>2.5</td></tr></table>\n<sup>1</sup> after a reboot\n";
    let fill = "files = \"*.html\"\nformat = \"html\"\nfill = [\"GPU\"]";
    let html = imported(&[("a.html", html)], fill, &["16gb 1.5", "16gb 2.5"], &["2 written"]);
    assert!(html.written().contains("after a reboot"), "{}", html.written());
}

#[test]
fn a_footnote_of_a_value_becomes_a_note_of_its_row() {
    let page = "| GPU | Net | batch | ms |\n|-|-|-|-|\n| Nova 100 16GB | DeepNet-50 | 1 | 1.5[^a] |\n| Nova 100 16GB | DeepNet-50 | 2 | 2.5\\* |\n| Nova 100 16GB | DeepNet-50 | 4 | 3.5 |\n\n[^a]: with the fan at full speed\n\\* of two runs\n";
    let part = "files = \"*.md\"\nformat = \"markdown\"";
    let noted = imported(&[("a.md", page)], part, &["16gb 1.5", "16gb 2.5", "16gb 3.5"], &["3 written"]).written();
    for note in ["with the fan at full speed", "of two runs"] {
        assert_eq!(noted.matches(note).count(), 1, "{noted}");
    }
}

#[test]
fn decimal_commas_are_read_or_refused() {
    let german = "GPU;Net;batch;ms\nNova 100 16GB;DeepNet-50;1;1,163\nNova 100 16GB;DeepNet-50;64;1.024,500\n";
    let part = "files = \"*.csv\"\nformat = \"csv\"\n";
    let comma = format!("{part}delimiter = \";\"\ndecimal = \",\"");
    let rows = ["16gb 1.163", "16gb 1024.5"];
    imported(&[("a.csv", german)], &comma, &rows, &["2 written"]);
    // The separator is detected from the header; the decimal mark is not guessed.
    refused(&[("a.csv", german)], part, &["`ms` reads in two ways: `1,163` is 1163 or 1.163", "decimal = \",\""]);
    imported(&[("a.csv", &format!("sep=;\n{german}"))], &format!("{part}decimal = \",\""), &rows, &["2 written"]);
    // The column does not show which mark it uses.
    let thousands = "GPU;Net;batch;ms\nNova 100 16GB;DeepNet-50;1;1,163\nNova 100 16GB;DeepNet-50;64;2,500\n";
    refused(&[("a.csv", thousands)], part, &["reads in two ways"]);
    imported(&[("a.csv", thousands)], &format!("{part}decimal = \".\""), &["16gb 1163", "16gb 2500"], &[]);
    // A page with spaces as thousands separators.
    let french = "| GPU | Net | batch | ms |\n|-|-|-|-|\n| Nova 100 16GB | DeepNet-50 | 1 | 17,89 |\n| Nova 100 16GB | DeepNet-50 | 64 | 1\u{202f}024,5 |\n";
    let part = "files = \"*.md\"\nformat = \"markdown\"\ndecimal = \",\"";
    imported(&[("a.md", french)], part, &["16gb 17.89", "16gb 1024.5"], &[]);
}

#[test]
fn a_file_of_windows_is_read() {
    let set = SET.replace("{GPU}", "{Gerät}");
    let part = "files = \"*.csv\"\nformat = \"csv\"\ndecimal = \",\"";
    let text = "Gerät;Net;batch;ms\r\nNova 100 16GB;DeepNet-50;1;1,163\r\n";
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let wide: Vec<u8> = [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    for bytes in [latin, wide, [b"\xEF\xBB\xBF", text.as_bytes()].concat()] {
        let imported = Imported::of(&[("a.csv", &bytes)], part, &set);
        assert_eq!(imported.rows(), ["16gb 1.163"], "{}{}", imported.ran.stdout, imported.ran.stderr);
    }
}

#[test]
fn json_lines_are_read_as_json_and_by_name() {
    let object = |batch: u32, ms: &str| {
        format!("{{\"GPU\": \"Nova 100 16GB\", \"Net\": \"DeepNet-50\", \"batch\": {batch}, \"ms\": {ms}}}")
    };
    let lines = format!("{}\n\n{}\n", object(1, "1.5"), object(2, "2.5"));
    for (name, format) in [("a.jsonl", "json"), ("a.ndjson", "ndjson"), ("a.log", "jsonl"), ("a.txt", "json-lines")] {
        let part = format!("files = \"*\"\nformat = \"{format}\"");
        imported(&[(name, &lines)], &part, &["16gb 1.5", "16gb 2.5"], &["2 read", "2 written"]);
    }
    // Objects over several lines, digits as written, and Python's `NaN`.
    let spread = format!("{}\n{}", object(1, "1.50").replace(", ", ",\n "), object(2, "NaN"));
    let part = "files = \"*\"\nformat = \"json\"";
    let spread = imported(&[("a.json", &spread)], part, &["16gb 1.5"], &["1 left out: no value"]).written();
    assert!(spread.contains("[1.50]"), "{spread}");
    let bad = format!("{}\n{{\"GPU\": \n", object(1, "1.5"));
    refused(&[("a.jsonl", &bad)], "files = \"*\"\nformat = \"jsonl\"", &["a.jsonl:2: expected an object"]);
}

#[test]
fn one_bad_file_of_a_folder_is_counted_and_others_are_left_out_by_pattern() {
    let good = |ms: &str| format!("GPU,Net,batch,ms\nNova 100 16GB,DeepNet-50,1,{ms}\n");
    let (first, second) = (good("1.5"), good("2.5").replace(",1,", ",2,"));
    let files = [("a.csv", first.as_str()), ("bad.csv", "GPU,Net\n1,2,3\n"), ("c/d.csv", &second), ("old/e.csv", "x")];
    let part = "files = \"**/*.csv\"\nexclude = [\"old/**\"]\nformat = \"csv\"";
    let told = ["2 written", "1 file not read: expected 2 cells as in the header, found 3", "bad.csv:2"];
    imported(&files, part, &["16gb 1.5", "16gb 2.5"], &told);
    let part = "files = \"{a,c/?}.csv\"\nformat = \"csv\"";
    imported(&files, part, &["16gb 1.5", "16gb 2.5"], &["2 read"]);
    refused(&[files[1]], "files = \"*.csv\"\nformat = \"csv\"", &["expected 2 cells"]);
}

#[test]
fn a_label_that_the_source_corrected_is_told_and_kept_as_superseded() {
    let table = |precision: &str, net: &str| {
        format!("GPU,Net,batch,ms,p\nNova 100 16GB,{net},1,1.5,{precision}\nNova 100 16GB,DeepNet-50,2,2.5,fp32\n")
    };
    let set = SET.replace("\"fp32\"", "\"{p}\"");
    let part = "files = \"*.csv\"\nformat = \"csv\"";
    for (precision, net, told) in [
        ("int8", "DeepNet-50", "precision was fp16 and is int8"),
        ("fp16", "DeepNet-101", "network was deepnet-50 and is deepnet-101"),
        ("", "DeepNet-50", "precision was fp16 and is not stated"),
    ] {
        let imported = Imported::of(&[("a.csv", table("fp16", "DeepNet-50").as_bytes())], part, &set);
        let before = imported.written();
        imported.kb.write("new/a.csv", table(precision, net));
        let refused = imported.again(&[]);
        assert!(
            refused.code == 2 && refused.stderr.contains(told) && refused.stderr.contains("--supersede"),
            "{refused:#?}"
        );
        assert_eq!(imported.written(), before, "nothing is written");
        let kept = imported.again(&["--supersede"]);
        assert!(kept.code == 0 && kept.stdout.contains("1 added, 0 changed, 0 removed, 1 as they were"), "{kept:#?}");
        let written = imported.written();
        assert!(
            written.contains("superseded") && written.contains("imagined-2018:") && written.contains(told),
            "{written}"
        );
        let again = imported.again(&[]);
        assert!(again.stdout.contains("0 added, 0 changed, 0 removed, 3 as they were"), "{again:#?}");
        assert_eq!(imported.written(), written);
        // The source corrects the row again: both old rows are kept.
        imported.kb.write("new/a.csv", table("bf16", net));
        let twice = imported.again(&["--supersede"]);
        assert!(
            twice.code == 0 && twice.stdout.contains("1 added, 0 changed, 0 removed, 2 as they were"),
            "{twice:#?}"
        );
        assert_eq!(imported.written().matches("superseded").count(), 2, "{}", imported.written());
    }
}

#[test]
fn what_the_caller_states_goes_before_what_the_files_say() {
    let text = "GPU,Net,batch,ms\nSome card,DeepNet-50,1,1.5\n";
    let imported = Imported::of(&[("a.csv", text.as_bytes())], "files = \"*.csv\"\nformat = \"csv\"", SET);
    assert!(imported.ran.stdout.contains("unknown device `Some card`"), "{}", imported.ran.stdout);
    let stated = imported.again(&["--device", "Nova 100 16GB", "--set", "precision=fp16", "--set", "cuda=11.6"]);
    assert_eq!((stated.code, stated.stderr.as_str()), (0, ""), "{}", stated.stdout);
    let written = imported.written();
    assert!(written.contains("nova-100-16gb") && written.contains("fp16") && written.contains("11.6"), "{written}");
    assert!(!written.contains("Some card"), "{written}");
}

#[test]
fn a_text_that_is_no_version_leaves_it_absent_and_is_counted() {
    let text = "GPU,Net,batch,ms,cuda,cudnn\nNova 100 16GB,DeepNet-50,1,1.5,None,MIOpen 2.0\nNova 100 16GB,DeepNet-50,2,2.5,11.6,8.9\n";
    let set = format!("{SET}cuda = \"{{cuda}}\"\ncudnn = \"{{cudnn}}\"\n");
    let imported = Imported::of(&[("a.csv", text.as_bytes())], "files = \"*.csv\"\nformat = \"csv\"", &set);
    for told in [
        "2  written",
        "1  without it: cuda is not a version: `None`",
        "1  without it: cudnn is not a version: `MIOpen 2.0`",
    ] {
        assert!(imported.ran.stdout.contains(told), "{told}: {}", imported.ran.stdout);
    }
    assert!(!imported.written().contains("None") && imported.written().contains("11.6"), "{}", imported.written());
}

/// Asserts what the check reports for rows on a Nova 100 of 250 W.
#[track_caller]
fn check(rows: &[(&str, Option<&str>)]) {
    for (row, told) in rows {
        let kb = KbCopy::new();
        let head = "[defaults]\nframework = \"firelight\"\ndevice = \"nova-100-16gb\"\nnetwork = \"deepnet\"\n";
        kb.write("measurements/imagined-2018/new.toml", format!("{head}\n[[run]]\n{row}\n"));
        let path = kb.path("measurements/imagined-2018/new.toml").to_string_lossy().into_owned();
        kb.dlbench().run(&["fmt", &path]);
        let ran = kb.dlbench().run(&["check", &path]);
        let text = format!("{}{}", ran.stdout, ran.stderr);
        let codes = ["DL0315", "DL0417", "DL0418", "DL0318", "DL0319", "DL0317", "DL0307", "DL0420"];
        match told {
            Some(told) => assert!(text.contains(told), "{row}: {told:?} is not in\n{text}"),
            None => assert!(!codes.iter().any(|code| text.contains(code)), "{row}:\n{text}"),
        }
    }
}

#[test]
fn an_energy_is_power_times_time_in_joules() {
    let row = |rest: &str| format!("stage = \"eval\"\nmetered = \"device\"\n{rest}");
    let all = [
        (row("total-s = 60\npower-w = 240\nenergy-j = 14400"), None),
        (row("total-s = 60\npower-w = 240\nenergy-j = 14400000"), Some("the energy is in mJ, not J")),
        (row("total-s = 3600\npower-w = 240\nenergy-j = 240"), Some("the energy is in Wh, not J")),
        (row("total-s = 36000\npower-w = 240\nenergy-j = 2.4"), Some("the energy is in kWh, not J")),
        (row("total-s = 60\npower-w = 240\nenergy-j = 14.4"), Some("the energy is in kJ, not J, or the time")),
        // Without a stated power, the board's own power is the limit.
        (row("total-s = 60\nenergy-j = 14400000"), Some("240000 W, where the device may draw 250 W")),
        (row("total-s = 60\nenergy-j = 14400000"), Some("the energy is in mJ")),
        (row("total-s = 3600\nenergy-j = 200"), Some("less than an idle device draws")),
        (row("total-s = 60\nenergy-j = 12000"), None),
        (row("latency-ms = 100\npower-w = 200\nenergy-j = 0.005"), Some("not power times time")),
        (row("latency-ms = 100\npower-w = 200\nenergy-j = 2000"), None),
        (
            row("counts = \"image\"\nthroughput-per-s = 1000\nenergy-per-item-j = 200"),
            Some("more than the device can draw"),
        ),
        (row("latency-ms = 100\npower-w = 200000"), Some("is it in mW?")),
        (row("latency-ms = 100\npower-w = 0.2"), Some("is it in kW?")),
        (row("device-count = 8\ntotal-s = 60\npower-w = 1900\nenergy-j = 14400"), Some("one is for one device")),
        (
            row("counts = \"image\"\nthroughput-per-s = 1000\npower-w = 200\nenergy-per-item-j = 200"),
            Some("the energy is in mJ"),
        ),
        (row("latency-ms = 1000\nenergy-per-request-j = 200000"), Some("the energy is in mJ")),
        (row("latency-ms = 1000\nenergy-per-request-j = 2"), None),
    ];
    check(&all.iter().map(|(row, told)| (row.as_str(), *told)).collect::<Vec<_>>());
}

#[test]
fn a_rate_of_tokens_is_that_of_its_batch_length_and_time() {
    let row = |rest: &str| format!("precision = \"fp16\"\ncounts = \"token\"\n{rest}");
    let all = [
        (
            row("stage = \"prefill\"\ninput-length = 1000\nbatch-size = 8\nlatency-ms = 640\nthroughput-per-s = 12500"),
            None,
        ),
        (
            row("stage = \"prefill\"\ninput-length = 1000\nbatch-size = 8\nlatency-ms = 640\nthroughput-per-s = 12.5"),
            Some("requests (or first tokens) a second"),
        ),
        (
            row("stage = \"prefill\"\ninput-length = 512\nbatch-size = 4\nlatency-ms = 100\nthroughput-per-s = 10"),
            Some("batches a second"),
        ),
        (
            row(
                "stage = \"prefill\"\ninput-length = 512\nbatch-size = 1\ntime-to-first-token-ms = 0.05\nthroughput-per-s = 10240",
            ),
            Some("seconds were taken for milliseconds"),
        ),
        (row("stage = \"decode\"\nbatch-size = 8\ntime-per-output-token-ms = 16\nthroughput-per-s = 500"), None),
        (
            row("stage = \"decode\"\nbatch-size = 8\ntime-per-output-token-ms = 16\nthroughput-per-s = 62.5"),
            Some("that of one request"),
        ),
        (
            row("stage = \"decode\"\nbatch-size = 8\noutput-length = 100\nlatency-ms = 1600\nthroughput-per-s = 5"),
            Some("requests (or first tokens) a second"),
        ),
        (
            row("stage = \"decode\"\nconcurrency = 32\ninter-token-latency-ms = 20\nthroughput-per-s = 50"),
            Some("that of one request"),
        ),
        (
            row(
                "stage = \"decode\"\nbatch-size = 8\ninput-length = 1000\noutput-length = 100\nlatency-ms = 1600\nthroughput-per-s = 5500",
            ),
            Some("it counts the tokens of the prompt as well"),
        ),
        (
            row(
                "stage = \"eval\"\nbatch-size = 8\ninput-length = 1000\noutput-length = 100\nlatency-ms = 1600\nthroughput-per-s = 5500",
            ),
            None,
        ),
        (
            row("stage = \"eval\"\nbatch-size = 8\noutput-length = 100\nlatency-ms = 1600\nthroughput-per-s = 5"),
            Some("requests (or first tokens) a second"),
        ),
        (
            row(
                "stage = \"prefill\"\ninput-length = 1000\nbatch-size = 8\nlatency-ms = 640\ndevice-throughput-per-s = 12.5",
            ),
            Some("requests (or first tokens) a second"),
        ),
        (
            row(
                "stage = \"decode\"\nscenario = \"server\"\nbatch-size = 8\ntime-per-output-token-ms = 16\nthroughput-per-s = 62.5",
            ),
            None,
        ),
    ];
    check(&all.iter().map(|(row, told)| (row.as_str(), *told)).collect::<Vec<_>>());
}

#[test]
fn a_scenario_has_its_own_unit_and_a_bound_its_own_metric() {
    let row = |rest: &str| format!("stage = \"eval\"\n{rest}");
    let all = [
        (
            row("scenario = \"offline\"\ndivision = \"closed\"\ncounts = \"query\"\nthroughput-per-s = 100"),
            Some("DL0318"),
        ),
        (row("scenario = \"offline\"\ndivision = \"closed\"\ncounts = \"sample\"\nthroughput-per-s = 100"), None),
        (row("scenario = \"server\"\nstatistic = \"p99\"\nlatency-ms = 10"), Some("a server has a throughput")),
        (
            row("scenario = \"single-stream\"\ncounts = \"sample\"\nthroughput-per-s = 100"),
            Some("a stream has a latency"),
        ),
        (row("scenario = \"single-stream\"\nstatistic = \"p90\"\nlatency-ms = 10"), None),
        (
            row("counts = \"image\"\nlatency-ms = 10\nthroughput-per-s = 100\nlowest = 95\nhighest = 104"),
            Some("samples-of = \"throughput-per-s\""),
        ),
        (
            row(
                "counts = \"image\"\nlatency-ms = 10\nthroughput-per-s = 100\nsamples-of = \"throughput-per-s\"\nlowest = 95\nhighest = 104",
            ),
            None,
        ),
        (row("latency-ms = 10\nsamples-of = \"power-w\"\nlowest = 9"), Some("which the row does not have")),
        (row("device-count = 12\nprefill-devices = 4\ndecode-devices = 4\nlatency-ms = 10"), Some("DL0319")),
        (row("device-count = 12\nprefill-devices = 8\ndecode-devices = 8\nlatency-ms = 10"), Some("are not 12")),
        (row("device-count = 12\nprefill-devices = 12\nlatency-ms = 10"), Some("leave none of 12 for decode")),
        (row("device-count = 12\ndecode-devices = 16\nlatency-ms = 10"), Some("leave none of 12 for prefill")),
        (row("device-count = 12\nprefill-devices = 4\nlatency-ms = 10"), None),
        (
            row("counts = \"image\"\ndevice-count = 8\ndevice-throughput-per-s = 700\nthroughput-per-s = 700"),
            Some("DL0315"),
        ),
    ];
    check(&all.iter().map(|(row, told)| (row.as_str(), *told)).collect::<Vec<_>>());
}

#[test]
fn rates_per_device_of_prefill_and_decode_make_that_of_all_work() {
    let rates = |prefill: &str, decode: &str, all: &str, fields: &str| {
        let rows = [("prefill", prefill), ("decode", decode), ("eval", all)];
        let row = |(stage, rate)| {
            format!(
                "stage = \"{stage}\"\ncounts = \"token\"\nconcurrency = 64\n{fields}\ndevice-throughput-per-s = {rate}\n"
            )
        };
        rows.map(row).join("\n[[run]]\n")
    };
    let parts = "prefill-devices = 4\ndecode-devices = 8";
    let all = [
        (rates("36", "18", "24", "device-count = 12"), Some("`prefill-devices = 4` and `decode-devices = 8`")),
        (rates("36", "18", "24", &format!("device-count = 12\n{parts}")), None),
        (rates("36", "18", "24", "device-count = 12\npartition = \"disaggregated\""), None),
        (rates("36", "18", "24", "device-count = 12\nmode = \"4P8D\""), None),
        // One server that does both: the two rates are shares of the work of each device.
        (rates("35", "35", "70", "device-count = 8"), None),
        // More prompts than answers, and device counts that are swapped.
        (rates("80", "10", "31", "device-count = 10"), Some("`prefill-devices = 3` and `decode-devices = 7`")),
        (rates("36", "18", "24", "prefill-devices = 8\ndecode-devices = 4\ndevice-count = 12"), Some("DL0420")),
    ];
    check(&all.iter().map(|(row, told)| (row.as_str(), *told)).collect::<Vec<_>>());
}

#[test]
fn an_entry_with_a_sparse_peak_or_the_figures_of_the_desktop_board_is_told() {
    for (name, facts, told) in [
        ("Acme Nova 200", "\n[peak-tflops]\nfp32 = 12.5\nfp16-tensor = 200\n", Some("the sparse peak")),
        ("Acme Nova 200", "\n[peak-tflops]\nfp32 = 12.5\nfp16-tensor = 100\n", None),
        (
            "Acme Nova 200",
            "chip = \"SN1\"\n\n[peak-tflops]\nfp16-tensor = 170\n",
            Some("of the same die: the sparse peak"),
        ),
        ("Acme Nova 200", "chip = \"SN1\"\n\n[peak-tflops]\nfp16-tensor = 120\n", None),
        ("Acme Nova 100 Laptop GPU 16GB", "bandwidth-gb-per-s = 800\ntdp-w = 90\n", Some("as the desktop's")),
        ("Acme Nova 100 Max-Q (250W)", "tdp-w = 250\n", Some("the power of the desktop board?")),
        ("Acme Nova 100 Mobile", "tdp-w = 90\n", None),
    ] {
        let kb = KbCopy::new();
        let board = "catalog/devices/nova-100-16gb.toml";
        let text = fs::read_to_string(kb.path(board)).expect("the board");
        kb.write(board, text.replace("memory-gib = 16\n", "chip = \"SN1\"\nmemory-gib = 16\n"));
        let head = format!("name = \"{name}\"\nclass = \"gpu\"\nvendor = \"Acme\"\n");
        kb.write("catalog/devices/new.toml", format!("{head}{facts}\n[[sources]]\nsource = \"invented-2020\"\n"));
        let path = kb.path("catalog/devices/new.toml").to_string_lossy().into_owned();
        let ran = kb.dlbench().run(&["check", &path]);
        let text = format!("{}{}", ran.stdout, ran.stderr);
        match told {
            Some(told) => assert!(text.contains(told), "{name} {facts}: {told:?} is not in\n{text}"),
            None => assert!(!text.contains("DL0217") && !text.contains("DL0222"), "{name} {facts}:\n{text}"),
        }
    }
}

/// A damaged sample of each named format: the format, the file, the text replaced, and its replacement.
const BROKEN: &[(&str, &str, &str, &str)] = &[
    ("wrapper-csv", "results.csv", "fp16,92.90ms", "92.90ms"),
    ("wrapper-csv", "results.csv", "Algoritem", "Algorithm"),
    ("timm", "benchmark-infer-amp-nhwc-pt240-cu124-rtx4090.csv", "model,", "network,"),
    ("timm", "results.csv", "", ""),
    (
        "pytorch-gpu-benchmark",
        "2080TI/GeForce RTX 2080 Ti_half_model_inference_benchmark.csv",
        "7.454633712768555",
        "fast",
    ),
    ("cnn-benchmarks", "1080Ti_cudnn51/101362.json", "\"gpu_name\"", "\"gpu_name"),
    ("cnn-benchmarks", "1080Ti_cudnn51/101362.json", "\"forward_times\"", "\"forward_time\""),
    ("ncnn", "benchncnn.md", "avg =", "average"),
    ("llama-bench", "llama-bench.md", "| ---", "| x"),
    ("llama-bench", "llama-bench.json", "\"avg_ts\"", "\"avg\""),
    ("autumnai", "benchmark.toml", "quantity = 1", "quantity = "),
    ("autumnai", "benchmark.json", "\"models\"", "\"networks\""),
    ("undertherain", "data/vgg16/pytorch_21.04.30_02.53.37.json", "\"problem\"", "\"task\""),
    ("lambdal", "pytorch-train-throughput-fp16.csv", "name_gpu", "gpu"),
    ("lambdal", "pytorch-train-throughput-fp16.csv", "pytorch-train-bs-fp16.csv", ""),
    ("dawnbench", "CIFAR10/train/kakaobrain_resnet9_1v100.json", "\"hardware\"", "\"machine\""),
    ("dawnbench", "CIFAR10/train/kakaobrain_resnet9_1v100.json", "kakaobrain_resnet9_1v100.tsv", ""),
    (
        "dawnbench",
        "CIFAR10/train/kakaobrain_resnet9_1v100.json",
        "CIFAR10/train/kakaobrain_resnet9_1v100.tsv",
        "epoch\thours\ttop1Accuracy\n1\t0.1\thigh\n",
    ),
    ("mlperf-json", "summary_results.json", "\"Model\"", "\"Network\""),
    ("mlperf-csv", "summary.csv", "benchmark,scenario", "scenario"),
    ("mlperf-training", "mlperf-training/scores-derived.csv", "score_min", "score"),
    ("nvidia-smi", "nvidia-smi.xml", "<pci>", "<pci><bus>"),
    ("nvidia-smi", "nvidia-smi.xml", "275710DE", "2757"),
    ("nvidia-smi", "nvidia-smi.csv", "16384 MiB", "much"),
    ("nvidia-smi", "results.csv", "", ""),
];

/// Damaged files of each layout that a recipe reads: extra lines of the recipe, the file's name and its text.
const TABLES: &[(&str, &str, &str)] = &[
    ("format = \"csv\"", "a.csv", "net,ms\nA,1\nB,2,3\n"),
    ("format = \"csv\"\nneeds = [\"ms\"]", "a.csv", "net,s\nA,1\n"),
    ("format = \"tsv\"", "a.tsv", "net\tms\nA\n"),
    ("format = \"markdown\"", "a.md", "# Speed\n\n| net | ms |\n|---|---|\n| A | 1 | 2 |\n"),
    ("format = \"markdown\"\nheading = \"^Inference$\"", "a.md", "# Speed\n\n| net | ms |\n|---|---|\n| A | 1 |\n"),
    (
        "format = \"rst\"",
        "a.rst",
        "Speed\n-----\n\n.. list-table::\n   :header-rows: 1\n\n   * - net\n     - ms\n   * - A\n     - 1\n     - 2\n",
    ),
    (
        "format = \"html\"",
        "a.html",
        "<table>\n<tr><th>net</th><th>ms</th></tr>\n<tr><td>A</td><td>1</td><td>2</td></tr>\n</table>\n",
    ),
    ("format = \"html\"", "a.html", "<p>None</p>\n<table>\n<tr><th>net</th></tr>\n"),
    ("format = \"xlsx\"", "a.xlsx", "net,ms\nA,1\n"),
    ("format = \"json\"", "a.json", "[{\"net\": \"A\",\n  \"ms\": }]\n"),
    ("format = \"json\"\nrows = \"runs\"", "a.json", "{\"net\": \"A\"}\n"),
    ("format = \"json\"", "a.toml", "net = \"A\"\nms = \n"),
    ("format = \"lines\"\nline = \"^(?P<net>\\\\w+) took (?P<ms>[0-9.]+) ms$\"", "a.log", "A needs 1 ms\n"),
];

#[test]
fn a_malformed_file_of_each_named_format_is_told_with_its_place() {
    let mut told = Vec::new();
    for (format, file, from, to) in BROKEN {
        let kb = KbCopy::new();
        copy_samples(&kb, &Path::new(REPOSITORY).join("src/acceptance/samples"), "samples");
        let at = format!("samples/{file}");
        let beside = Path::new(&at).with_file_name(from);
        if from.contains('/') {
            kb.write(&format!("samples/{from}"), to);
        } else if to.is_empty() && kb.path(&beside.to_string_lossy()).is_file() && !from.is_empty() {
            fs::remove_file(kb.path(&beside.to_string_lossy())).expect("the file beside goes");
        } else if !from.is_empty() {
            let text = fs::read_to_string(kb.path(&at)).expect(file);
            assert!(text.contains(from), "{file} has {from:?}");
            kb.write(&at, text.replace(from, to));
        }
        let path = kb.path(&at).to_string_lossy().into_owned();
        let output = kb.path("out").to_string_lossy().into_owned();
        let ran = kb.dlbench().run(&["import", format, &path, "--source", "imagined-2018", "-o", &output]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{format} {file} {from:?}: {}", ran.stderr);
        assert!(!kb.path("out").exists() && !kb.path("measurements/imagined-2018/results.toml").exists());
        let change = if from.is_empty() { String::new() } else { format!(", {from:?} -> {to:?}") };
        told.push(format!("{format}: {file}{change}\n  {}", ran.stderr.trim_end().replace('\n', "\n  ")));
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_malformed_table_of_each_shape_is_told_with_its_place() {
    let mut told = Vec::new();
    for (shape, file, text) in TABLES {
        let kb = KbCopy::new();
        kb.write(&format!("tables/{file}"), text);
        let recipe = format!(
            "source = \"imagined-2018\"\n[[table]]\nfiles = \"{file}\"\n{shape}\nbatch = \"b\"\n[table.set]\n\
             network = {{ from = \"{{net}}\", resolve = \"network\" }}\nlatency-ms = \"{{ms}}\"\n"
        );
        kb.write("recipe.toml.txt", recipe);
        let paths = ["recipe.toml.txt", "tables", "out"].map(|name| kb.path(name).to_string_lossy().into_owned());
        let ran = kb.dlbench().run(&["import", "--recipe", &paths[0], &paths[1], "-o", &paths[2]]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{shape}: {}", ran.stderr);
        assert!(!kb.path("out").exists());
        told.push(format!("{}\n  {}", shape.replace('\n', ", "), ran.stderr.trim_end().replace('\n', "\n  ")));
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn every_named_format_has_a_malformed_sample() {
    let help = KbCopy::new().dlbench().ok(&["import", "--help"]);
    let (_, formats) = help.split_once("Formats:").expect("the help lists the formats");
    for format in formats.lines().filter_map(|line| line.split_whitespace().next()) {
        assert!(BROKEN.iter().any(|(name, ..)| *name == format), "{format} has no malformed sample");
    }
}

fn copy_samples(kb: &KbCopy, from: &Path, to: &str) {
    for entry in fs::read_dir(from).expect("the samples") {
        let path = entry.expect("an entry").path();
        let to = format!("{to}/{}", path.file_name().expect("a name").to_string_lossy());
        if path.is_dir() {
            copy_samples(kb, &path, &to);
        } else {
            kb.write(&to, fs::read(&path).expect("a sample"));
        }
    }
}
