//! The tables and figures of a paper and a survey, and the document classes they are typeset in.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::Dlbench;
use crate::latex::read;

/// The tables of a paper and a survey, by name.
pub(super) const TABLES: &[(&str, &[&str])] = &[
    ("table-1", &["table", "hardware", "--as-reported", "dai-berleant-2019"]),
    ("table-2", &["table", "frameworks", "--as-reported", "dai-berleant-2019"]),
    ("rows", &["query", "fp16 V100 resnet152"]),
    (
        "u39kun",
        &[
            "compare",
            "source:u39kun-2018",
            "--rows",
            "device,framework,framework-version",
            "--cols",
            "network,stage,precision",
            "--metric",
            "latency",
        ],
    ),
    (
        "resnet-50",
        &[
            "compare",
            "resnet-50 offline division:closed device-count:1 (v100 OR t4 OR a100 OR h100 OR class:fpga OR class:asic)",
            "--group-by",
            "class",
            "--rows",
            "device",
            "--cols",
            "precision",
            "--metric",
            "throughput",
        ],
    ),
    (
        "decode",
        &[
            "compare",
            "llama stage:decode device-count:1 (a100 OR h100 OR 4090)",
            "--rows",
            "device,network",
            "--cols",
            "quantization",
        ],
    ),
    (
        "joule",
        &[
            "compare",
            "resnet-50 offline division:closed device-count:1",
            "--group-by",
            "class",
            "--rows",
            "device",
            "--cols",
            "precision",
            "--metric",
            "items-per-joule",
        ],
    ),
    (
        "scaling",
        &[
            "compare",
            "resnet-50 train (v100 OR a100) device-count:1..8",
            "--rows",
            "device,framework",
            "--cols",
            "device-count",
            "--metric",
            "throughput",
        ],
    ),
];

/// The command of the table with this name.
pub(super) fn table(name: &str) -> &'static [&'static str] {
    let named = TABLES.iter().find(|(of, _)| *of == name);
    named.unwrap_or_else(|| panic!("there is no table `{name}`")).1
}

/// The figures, by name.
const FIGURES: &[(&str, &[&str])] = &[
    (
        "bars",
        &[
            "source:u39kun-2018 device:titan-v,geforce-gtx-1080-ti framework-version:0.3.0,1.4.0,0.8.1 network:vgg-16 stage:eval",
            "--x",
            "framework",
            "--y",
            "throughput",
            "--group",
            "device,precision",
        ],
    ),
    (
        "lines",
        &[
            "source:mxnet-2023 v100 eval",
            "--x",
            "batch",
            "--y",
            "throughput",
            "--group",
            "precision",
            "--facet",
            "network",
        ],
    ),
    (
        "pareto",
        &[
            "source:keras-io-2020 accuracy>0 latency>0",
            "--x",
            "latency",
            "--y",
            "accuracy",
            "--label",
            "network",
            "--facet",
            "device",
            "--pareto",
        ],
    ),
    (
        "roofline",
        &[
            "source:nvidia-dle-2024 resnet-50-v1.5 eval tesla-v100-sxm3-32gb -mode:xla",
            "--kind",
            "roofline",
            "--group",
            "precision",
            "--label",
            "batch",
        ],
    ),
    ("heat", &["source:u39kun-2018,szilard-2017,soumith-2017", "--x", "device", "--y", "framework"]),
];

/// A paper on what a Titan V gains from fp16: tables and figures, each in column width and page width.
pub(super) const PAPER: &str = r#"
title = "What a Titan V gains from fp16"

[[item]]
name = "hardware"
command = "table hardware --as-reported dai-berleant-2019"

[[item]]
name = "speed-up"
caption = "Time of a batch by framework"
command = 'compare "u39kun titan v resnet152 eval" --rows framework --cols precision'

[[item]]
name = "all-devices"
layout = "page"
command = 'compare "source:u39kun-2018 pytorch framework-version:0.3.0" --rows device --cols network,stage,precision --relative --baseline geforce-gtx-1080-ti'

[[item]]
name = "rows"
command = 'query "fp16 V100 resnet152"'

[[item]]
name = "vgg-16"
command = 'plot "source:u39kun-2018 titan v vgg16 eval framework-version:0.3.0,1.4.0,0.8.1" --x framework --y throughput --group precision'

[[item]]
name = "batches"
layout = "page"
command = 'plot "source:mxnet-2023 v100 eval" --x batch --y throughput --group precision --facet network'
"#;

/// A document class.
pub(super) struct Class {
    /// Its name for `--class`.
    pub name: &'static str,
    /// The first lines of its documents.
    pub begins: &'static str,
    /// Its bibliography style.
    pub style: &'static str,
    /// Width of a text column in millimetres.
    pub column_mm: u32,
}

pub(super) const CLASSES: &[Class] = &[
    Class { name: "article", begins: "\\documentclass{article}\n\\usepackage{url}\n", style: "plain", column_mm: 121 },
    Class {
        name: "ieee",
        begins: "\\documentclass[conference]{IEEEtran}\n\\usepackage{url}\n",
        style: "IEEEtran",
        column_mm: 88,
    },
    Class {
        name: "acm",
        // acmart requires a title.
        begins: "\\documentclass[sigconf,nonacm]{acmart}\n\\title{Tables}\n\\author{A}\n\\affiliation{\\institution{B}\\city{C}\\country{D}}\n",
        style: "ACM-Reference-Format",
        column_mm: 84,
    },
    Class { name: "llncs", begins: "\\documentclass{llncs}\n\\usepackage{url}\n", style: "splncs04", column_mm: 122 },
    Class {
        name: "neurips",
        begins: "\\documentclass{article}\n\\usepackage[textwidth=5.5in,textheight=9in]{geometry}\n\\usepackage[numbers]{natbib}\n\\usepackage{url}\n",
        style: "plainnat",
        column_mm: 139,
    },
];

/// Writes each table for a class, with a shared bibliography.
pub(super) fn tables_of(dlbench: &Dlbench, class: &str, folder: &Path) -> Vec<String> {
    let bib = folder.join("refs.bib");
    let _ = fs::remove_file(&bib);
    let tables = TABLES.iter().map(|(name, asked)| {
        let label = format!("tab:{name}");
        let written = ["-f", "latex", "--class", class, "--label", &label, "--bib", bib.to_str().expect("UTF-8")];
        let tex = dlbench.ok(&[asked, &written[..]].concat());
        read(&tex).unwrap_or_else(|mistake| panic!("{class} {name}: {mistake}\n{tex}"));
        tex
    });
    tables.collect()
}

/// Each figure for a class as pgfplots code; its PDF is written to the folder.
pub(super) fn figures_of(dlbench: &Dlbench, class: &Class, folder: &Path) -> Vec<(&'static str, String)> {
    let width = class.column_mm.to_string();
    let bib = folder.join("refs.bib");
    let drawn = FIGURES.iter().map(|(name, asked)| {
        for ending in ["pdf", "tex"] {
            let file = folder.join(format!("{name}.{ending}"));
            let written = ["--plain", "--width", &width, "-o", file.to_str().expect("UTF-8")];
            let cited = ["--bib", bib.to_str().expect("UTF-8")];
            dlbench.ok(&[&["plot"][..], asked, &written, &cited].concat());
        }
        (*name, fs::read_to_string(folder.join(format!("{name}.tex"))).expect("pgfplots"))
    });
    drawn.collect()
}

/// A document of a class with all tables and figures.
pub(super) fn document(class: &Class, tables: &[String], figures: &[(&str, String)]) -> String {
    let needs: BTreeSet<&str> = tables
        .iter()
        .flat_map(|table| table.lines().filter_map(|line| line.strip_prefix("% needs \\usepackage{")))
        .flat_map(|needs| needs.trim_end_matches('}').split(','))
        .collect();
    let packages: String = needs.iter().map(|package| format!("\\usepackage{{{package}}}\n")).collect();
    let of_figures: BTreeSet<&str> =
        figures.iter().flat_map(|(_, tex)| tex.lines().filter_map(|line| line.strip_prefix("% needs "))).collect();
    let of_figures: String = of_figures.into_iter().map(|needs| format!("{needs}\n")).collect();
    let mut body: String = tables.iter().map(|table| format!("{table}\n\\clearpage\n")).collect();
    // acmart requires a description of each picture.
    let said = if class.begins.contains("acmart") { "\\Description{A figure.}\n" } else { "" };
    for (name, tex) in figures {
        for (picture, kind) in [(tex.clone(), "in pgfplots"), (format!("\\includegraphics{{{name}.pdf}}\n"), "as PDF")]
        {
            body.push_str(&format!(
                "\\begin{{figure}}\n\\centering\n{picture}\\caption{{{name} {kind}}}\n{said}\\end{{figure}}\n"
            ));
        }
        body.push_str("\\clearpage\n");
    }
    let title = if class.begins.contains("\\title") { "\\maketitle\n" } else { "" };
    format!(
        "{}{packages}\\usepackage{{graphicx}}\n{of_figures}\\begin{{document}}\n{title}Tables.\n\n{body}\\bibliographystyle{{{}}}\n\\bibliography{{refs}}\n\\end{{document}}\n",
        class.begins, class.style
    )
}
