//! Malformed files of every format: the error names the file, the line and what was expected, and nothing is written.

use std::fs;
use std::path::Path;

use crate::{KbCopy, REPOSITORY};

/// A sample of each named format, broken: the format, the file, what is replaced, and by what.
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

/// Files of each shape that a recipe reads, broken: more of the recipe, the file's name and its text.
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
