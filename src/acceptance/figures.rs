//! Figures: they show what is recorded, in every format; what cannot be compared is never drawn together.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::latex::{papers_are_set, pdflatex};
use crate::{Dlbench, KbCopy, REPOSITORY};

/// The rows of a CSV file as pairs of heading and cell.
fn rows(path: &Path) -> Vec<Vec<(String, String)>> {
    let mut csv = csv::Reader::from_path(path).expect("the data lies beside the figure");
    let headings: Vec<String> = csv.headers().unwrap().iter().map(str::to_owned).collect();
    let row = |row: csv::StringRecord| headings.iter().cloned().zip(row.iter().map(str::to_owned)).collect();
    csv.records().map(|record| row(record.unwrap())).collect()
}

fn cell<'r>(row: &'r [(String, String)], key: &str) -> &'r str {
    row.iter().find(|(heading, _)| heading == key).map_or_else(|| panic!("no {key} in {row:?}"), |(_, text)| text)
}

/// The question behind one of u39kun's four graphs.
fn graph(network: &str, stage: &str) -> String {
    format!(
        "source:u39kun-2018 device:titan-v,geforce-gtx-1080-ti framework-version:0.3.0,1.4.0,0.8.1 network:{network} stage:{stage}"
    )
}

const AXES: &[&str] = &["--x", "framework", "--y", "throughput", "--group", "device,precision"];

#[test]
fn u39kuns_four_graphs_are_redrawn_from_the_knowledge_base() {
    let dlbench = Dlbench::on(REPOSITORY);
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut document = "\\documentclass{article}\n".to_owned();
    let mut pictures = String::new();
    for (network, stage, bar, latency) in [
        ("vgg-16", "eval", "Titan V, fp16", 14.7),
        ("vgg-16", "train", "GeForce GTX 1080 Ti, fp32", 131.9),
        ("resnet-152", "eval", "Titan V, fp32", 48.9),
        ("resnet-152", "train", "GeForce GTX 1080 Ti, fp16", 193.5),
    ] {
        let question = graph(network, stage);
        for format in ["svg", "png", "pdf", "tex", "json"] {
            let file = at(&format!("{network}-{stage}.{format}"));
            dlbench.ok(&[&["plot", &question, "-o", file.to_str().unwrap()], AXES].concat());
        }
        let data = rows(&at(&format!("{network}-{stage}.csv")));
        assert_eq!(data.len(), 12, "three frameworks, two devices, two precisions");
        let drawn = data.iter().find(|row| cell(row, "framework") == "PyTorch 0.3.0" && cell(row, "group") == bar);
        let drawn: f64 = cell(drawn.expect("a bar"), "throughput_per_s").parse().unwrap();
        assert!((drawn - 16_000.0 / latency).abs() < 0.51, "{network} {stage}: {drawn}");
        let read = |format: &str| fs::read(at(&format!("{network}-{stage}.{format}"))).unwrap();
        let svg = String::from_utf8(read("svg")).unwrap();
        // Four more are in the legend, and one is the page.
        assert_eq!(svg.matches("<rect ").count(), 12 + 4 + 1);
        for row in &data {
            assert!(svg.contains(cell(row, "id")), "each bar names its measurement");
        }
        assert!(read("png").starts_with(b"\x89PNG") && read("pdf").starts_with(b"%PDF"));
        let vega: Value = serde_json::from_slice(&read("json")).unwrap();
        let mut set: Vec<f64> =
            vega["data"]["values"].as_array().unwrap().iter().map(|datum| datum["y"].as_f64().unwrap()).collect();
        let mut expected: Vec<f64> = data.iter().map(|row| cell(row, "throughput_per_s").parse().unwrap()).collect();
        set.sort_by(f64::total_cmp);
        expected.sort_by(f64::total_cmp);
        assert_eq!(set, expected);
        let tex = String::from_utf8(read("tex")).unwrap();
        for row in &data {
            assert!(tex.contains(&format!(",{})", cell(row, "throughput_per_s"))), "{tex}");
        }
        let needs = tex.lines().find_map(|line| line.strip_prefix("% needs ")).expect("what it needs");
        if !document.contains(needs) {
            document.push_str(needs);
        }
        pictures.push_str(&tex);
    }
    document.push_str(&format!("\\begin{{document}}\n{pictures}\\end{{document}}\n"));
    fs::write(at("main.tex"), document).unwrap();
    match papers_are_set() && has_pgfplots() {
        true => drop(pdflatex(folder.path())),
        false => eprintln!("SKIPPED: pdflatex with pgfplots is not installed, so the pictures were not set"),
    }
}

fn has_pgfplots() -> bool {
    let found = std::process::Command::new("kpsewhich").arg("pgfplots.sty").output();
    found.is_ok_and(|output| output.status.success())
}

#[test]
fn every_shape_is_drawn_in_every_format() {
    let dlbench = Dlbench::on(REPOSITORY);
    let folder = TempDir::new().unwrap();
    let mut document = "\\documentclass{article}\n\\usepackage{pgfplots}\\pgfplotsset{compat=1.16}\\usepgfplotslibrary{groupplots}\\usetikzlibrary{patterns}\n\\begin{document}\n".to_owned();
    for (name, question, args) in [
        (
            "lines",
            "source:mxnet-2023 v100 eval",
            &["--x", "batch", "--y", "throughput", "--group", "precision", "--facet", "network"][..],
        ),
        (
            "pareto",
            "source:keras-io-2020 accuracy>0 latency>0",
            &["--x", "latency", "--y", "accuracy", "--label", "network", "--facet", "device", "--pareto"],
        ),
        (
            "roofline",
            "source:nvidia-dle-2024 resnet-50-v1.5 eval tesla-v100-sxm3-32gb -mode:xla",
            &["--kind", "roofline", "--group", "precision", "--label", "batch"],
        ),
        (
            "timeline",
            "source:dawnbench-2020 imagenet time-to-accuracy>0 network:resnet-50 -network:resnet-50-v1.5 class:gpu",
            &[
                "--x",
                "date",
                "--y",
                "time-to-accuracy",
                "--label",
                "device,device-count,framework,backend,precision,batch-size",
            ],
        ),
        ("heat", "source:u39kun-2018,szilard-2017", &["--x", "device", "--y", "framework"]),
        (
            "spread",
            "source:ncnn-2026 network:resnet-18 -precision:int8 threads:4 vendor:rockchip -setting:\"big cores\" -setting:\"little cores\"",
            &["--x", "device", "--y", "latency", "--pick", "best", "--order", "value"],
        ),
    ] {
        for format in ["svg", "png", "pdf", "tex", "json"] {
            for theme in ["light", "dark"] {
                let file = folder.path().join(format!("{name}-{theme}.{format}"));
                let file = file.to_str().unwrap();
                dlbench.ok(&[&["plot", question, "-o", file, "--theme", theme], args].concat());
                let once = fs::read(file).unwrap();
                assert!(once.len() > 500, "{file}");
                if theme == "light" {
                    dlbench.ok(&[&["plot", question, "-o", file], args].concat());
                    assert!(fs::read(file).unwrap() == once, "{file}: the same bytes twice");
                }
            }
        }
        every_format_has_the_same_marks(&folder.path().join(format!("{name}-light")));
        let tex = fs::read_to_string(folder.path().join(format!("{name}-light.tex"))).unwrap();
        document.push_str(&format!("{tex}\\clearpage\n"));
        assert!(!rows(&folder.path().join(format!("{name}-light.csv"))).is_empty());
        assert!(dlbench.ok(&[&["plot", question], args].concat()).contains('█'));
    }
    fs::write(folder.path().join("main.tex"), document + "\\end{document}\n").unwrap();
    match papers_are_set() && has_pgfplots() {
        true => drop(pdflatex(folder.path())),
        false => eprintln!("SKIPPED: pdflatex with pgfplots is not installed, so the pictures were not set"),
    }
}

/// Compares the marks in a figure's formats with its data: their number, their measurements and their heights.
/// PNG and PDF are rendered from the SVG.
fn every_format_has_the_same_marks(stem: &Path) {
    let read = |ending: &str| fs::read_to_string(stem.with_extension(ending)).unwrap();
    let (data, name) = (rows(&stem.with_extension("csv")), stem.display());
    let is_heat = data[0].iter().any(|(heading, _)| heading == "measurements");
    let number = |text: &str| text.parse::<f64>().unwrap();
    let sorted = |mut numbers: Vec<f64>| {
        numbers.sort_by(f64::total_cmp);
        numbers
    };
    let height = |row: &Vec<(String, String)>| number(&row[if is_heat { 3 } else { 4 }].1);
    let expected = sorted(data.iter().map(height).collect());
    let vega: Value = serde_json::from_str(&read("json")).unwrap();
    let values = vega["data"]["values"].as_array().unwrap();
    let drawn = values.iter().filter(|datum| is_heat || datum["id"].is_string());
    let heights = drawn.map(|datum| datum[if is_heat { "measurements" } else { "y" }].as_f64().unwrap());
    let in_vega = sorted(heights.collect());
    let svg = read("svg");
    assert_eq!(svg.matches("><title>").count(), data.len(), "{name}: a title for each mark of the SVG");
    let tex = read("tex");
    let in_tex = if is_heat {
        assert_eq!(tex.matches("\\fill[dlbmany").count(), data.len(), "{name}");
        expected.clone()
    } else {
        for row in &data {
            assert!(svg.contains(cell(row, "id")), "{name}: {row:?}");
        }
        let plots = tex.lines().filter(|line| line.starts_with("\\addplot[") && !line.contains("no marks"));
        let coordinates = plots.flat_map(|line| line.split("coordinates {").nth(1).unwrap().split(['{', ' ', '}']));
        // The numbers after `+=` and `-=` are the ends of error bars.
        let mut is_end = false;
        let places = coordinates.filter(|word| {
            let (own, after_sign) = (word.starts_with('('), is_end);
            is_end = word.ends_with('=');
            own && !after_sign && !word.contains("nan")
        });
        let lies = tex.contains("xbar");
        let of_place = |place: &str| {
            let (x, y) = place.trim_matches(['(', ')', ';']).split_once(',').unwrap();
            number(if lies { x } else { y })
        };
        sorted(places.map(of_place).collect())
    };
    for (format, found) in [("Vega-Lite", &in_vega), ("pgfplots", &in_tex)] {
        assert_eq!(found.len(), expected.len(), "{name}: marks in {format}");
        for (found, expected) in found.iter().zip(&expected) {
            assert!((found - expected).abs() <= expected.abs() * 1e-3, "{name}: {format} has {found} for {expected}");
        }
    }
}

#[test]
fn a_roof_is_that_of_the_member_that_is_named_or_none() {
    let dlbench = Dlbench::on(REPOSITORY);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("roofline.svg");
    let plot = |question: &str| {
        dlbench.run(&["plot", question, "--kind", "roofline", "--group", "precision", "-o", file.to_str().unwrap()])
    };
    // Members of the family have peaks of 112, 125 and 130 TFLOP/s.
    let of_family = plot("source:mxnet-2023 v100 eval batch:1,32");
    assert_eq!(of_family.code, 1);
    assert!(of_family.stderr.contains("device family whose members differ"), "{}", of_family.stderr);
    let of_member = plot("source:nvidia-dle-2024 resnet-50-v1.5 eval tesla-v100-sxm3-32gb -mode:xla batch:1,32");
    assert_eq!(of_member.code, 0, "{}", of_member.stderr);
    let svg = fs::read_to_string(&file).unwrap();
    for name in ["fp16-tensor peak 125 TFLOP/s", "fp32 peak 15.67 TFLOP/s", "memory 898 GB/s"] {
        assert_eq!(svg.matches(&format!(">{name}<")).count(), 1, "{name}");
    }
}

#[test]
fn error_bars_are_the_range_that_the_source_states() {
    let dlbench = Dlbench::on(REPOSITORY);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("bars.svg");
    let args = ["--x", "threads", "--y", "latency", "--kind", "bars", "-o", file.to_str().unwrap()];
    dlbench
        .ok(&[&["plot", "source:ncnn-2026 network:resnet-18 device:allwinner-h2-plus -precision:int8"], &args[..]]
            .concat());
    let data = rows(&file.with_extension("csv"));
    let bars: Vec<[&str; 4]> = data
        .iter()
        .map(|row| [cell(row, "threads"), cell(row, "latency_ms"), cell(row, "low"), cell(row, "high")])
        .collect();
    assert_eq!(bars, [["1", "1839.17", "1837.91", "1843.95"], ["4", "698.28", "642.53", "856.58"]]);
}

#[test]
fn what_cannot_be_compared_is_not_drawn_together() {
    let dlbench = Dlbench::on_miniature();
    let refused = |args: &[&str], mistake: &str, help: &str| {
        let ran = dlbench.run(&[&["plot"], args].concat());
        assert_eq!((ran.stdout.as_str(), ran.code), ("", 2), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(mistake) && ran.stderr.contains(help), "{args:?}: {}", ran.stderr);
    };
    let axes = ["--x", "framework", "--y", "throughput"];
    refused(
        &[&["network:deepnet-50 fp16 -precision:amp-fp16 -device:nova-100-16gb"], &axes[..]].concat(),
        "differ in stage (eval, train), so that their numbers cannot be compared",
        "--facet stage",
    );
    refused(
        &[&["network:deepnet-50 stage:eval"], &axes[..]].concat(),
        "differ in precision (fp16, fp32), so that their numbers cannot be compared",
        "--facet precision, or narrow the question, for instance precision:fp16",
    );
    refused(&["", "--kind", "bars", "--x", "zebra"], "there is no column `zebra`", "the nearest are");
    refused(&["nova", "--x", "latency", "--y", "gpu-util-pct", "--pareto"], "no better way", "--x tdp --y throughput");
    refused(&["nova", "--x", "zebra", "--y", "latency"], "there is no column `zebra`", "the nearest are");
    refused(&["nova", "--x", "device", "--y", "latency", "-o", "figure.bmp"], "does not say how", ".svg");
    let ran = dlbench.run(&["plot", "nova stage:eval", "--x", "device", "--y", "power"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("", 1));
    assert!(ran.stderr.starts_with("there is nothing to draw: of "), "{}", ran.stderr);
}

#[test]
fn what_all_bars_share_is_in_the_title_and_no_legend_has_one_entry() {
    let dlbench = Dlbench::on(REPOSITORY);
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("bars.svg");
    let question = format!("{} precision:fp16 device:titan-v", graph("vgg-16", "eval"));
    let axes = ["--x", "framework", "--y", "throughput", "--group", "device"];
    dlbench.ok(&[&["plot", &question, "-o", file.to_str().unwrap()], &axes[..]].concat());
    let svg = fs::read_to_string(&file).unwrap();
    // Three bars and the page; the axis ends above the highest value, 1088.
    assert_eq!(svg.matches("<rect ").count(), 3 + 1, "{svg}");
    assert!(svg.contains("Titan V") && svg.contains(">1250</text>"), "{svg}");
    let nothing = dlbench.run(&["plot"]);
    assert_eq!(nothing.code, 2);
    assert!(nothing.stderr.contains("there is no question\nhelp: dlbench plot "), "{}", nothing.stderr);
}

#[test]
fn bars_in_a_terminal() {
    let dlbench = Dlbench::on_miniature().columns(80);
    let args = ["--x", "framework", "--y", "throughput", "--group", "precision", "--facet", "stage"];
    let text = dlbench.ok(&[&["plot", "network:deepnet-50 device:nova-100 -device:nova-100-16gb"], &args[..]].concat());
    insta::assert_snapshot!(text);
}

#[test]
fn hostile_names_do_no_harm_in_a_figure() {
    let kb = KbCopy::new();
    let hostile = "<b>&\\\"_%$#{}~^\\\\ \\u202E\\u0007=1";
    kb.replace(
        "catalog/frameworks/firelight.toml",
        "name = \"Firelight\"\naliases",
        &format!("name = \"{hostile}\"\naliases"),
    );
    let dlbench = kb.dlbench();
    let folder = TempDir::new().unwrap();
    let args = ["--x", "framework", "--y", "throughput", "--group", "precision", "--facet", "stage", "--pick", "best"];
    for format in ["svg", "png", "pdf", "tex", "json"] {
        let file = folder.path().join(format!("figure.{format}"));
        let question = "network:deepnet-50 device:nova-100 -device:nova-100-16gb";
        dlbench.ok(&[&["plot", question, "-o", file.to_str().unwrap()], &args[..]].concat());
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let svg = read("figure.svg");
    let mut reader = quick_xml::Reader::from_str(&svg);
    while !matches!(reader.read_event().expect("well-formed XML"), quick_xml::events::Event::Eof) {}
    for name in ["figure.svg", "figure.tex", "figure.json", "figure.csv"] {
        let text = read(name);
        assert!(!text.contains(['\u{202e}', '\u{7}']), "{name}: {text}");
    }
    assert!(!svg.contains("<b>") && !read("figure.csv").contains(",="), "no markup, and no cell that starts a formula");
    let main = format!(
        "\\documentclass{{article}}\\usepackage{{pgfplots}}\\pgfplotsset{{compat=1.16}}\\usepgfplotslibrary{{groupplots}}\\usetikzlibrary{{patterns}}\n\\begin{{document}}\n{}\\end{{document}}\n",
        read("figure.tex")
    );
    fs::write(folder.path().join("main.tex"), main).unwrap();
    if papers_are_set() && has_pgfplots() {
        pdflatex(folder.path());
    }
}

#[test]
fn a_figure_cites_what_it_draws() {
    let dlbench = Dlbench::on(REPOSITORY);
    let folder = TempDir::new().unwrap();
    let (svg, bib) = (folder.path().join("a.svg"), folder.path().join("a.bib"));
    let files = ["-o", svg.to_str().unwrap(), "--bib", bib.to_str().unwrap()];
    dlbench.ok(&[&["plot", &graph("vgg-16", "eval")], AXES, &files[..]].concat());
    let bib = fs::read_to_string(bib).unwrap();
    let keys: BTreeSet<&str> = bib.lines().filter_map(|line| line.strip_prefix("@misc{")).collect();
    assert_eq!(keys, BTreeSet::from(["dlbench-kb,", "u39kun-2018,"]));
}
