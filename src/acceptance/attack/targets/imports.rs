//! Arbitrary bytes as a result file of each format and of each layout that a recipe reads: the import writes valid rows and
//! accounts for every record, or reports an error.

use std::path::{Path, PathBuf};

use dlbench::contribute::import::{FORMATS, ImportRequest, Recipe, recipe_of};

use super::{Target, Verdict, bytes, refused};
use crate::attack::workshop::{Workshop, sample};

/// A sample of each named format, with the files that it needs.
const SAMPLES: &[(&str, &[&str])] = &[
    ("wrapper-csv", &["results.csv"]),
    ("timm", &["benchmark-infer-amp-nhwc-pt240-cu124-rtx4090.csv"]),
    ("pytorch-gpu-benchmark", &["2080TI/GeForce RTX 2080 Ti_half_model_inference_benchmark.csv"]),
    ("cnn-benchmarks", &["1080Ti_cudnn51/101362.json"]),
    ("ncnn", &["benchncnn.md"]),
    ("llama-bench", &["llama-bench.md"]),
    ("autumnai", &["benchmark.toml"]),
    ("undertherain", &["data/vgg16/pytorch_21.04.30_02.53.37.json"]),
    ("lambdal", &["pytorch-train-throughput-fp16.csv", "pytorch-train-bs-fp16.csv"]),
    ("dawnbench", &["CIFAR10/train/kakaobrain_resnet9_1v100.json", "CIFAR10/train/kakaobrain_resnet9_1v100.tsv"]),
    ("mlperf-json", &["summary_results.json"]),
    ("mlperf-csv", &["summary.csv"]),
    ("mlperf-training", &["mlperf-training/scores-derived.csv", "mlperf-training/runs-derived.csv"]),
];

/// A file of each layout that a recipe reads: extra lines of the recipe, the file's name and its text.
const SHAPES: &[(&str, &str, &str, &str)] = &[
    ("csv", "format = \"csv\"", "a.csv", "net,ms\nDeepNet-50,1.50\n\"DeepNet\"\"101\",\"2,5\"\n"),
    ("tsv", "format = \"tsv\"", "a.tsv", "net\tms\nDeepNet-50\t1.50\n"),
    (
        "markdown",
        "format = \"markdown\"\nheading = \"Speed of (?P<gpu>.+)\"",
        "a.md",
        "# Speed of Nova\n\n| net | ms |\n|---|--:|\n| DeepNet-50 | **1.50** |\n",
    ),
    (
        "rst",
        "format = \"rst\"",
        "a.rst",
        "Speed\n-----\n\n.. list-table::\n   :header-rows: 1\n\n   * - net\n     - ms\n   * - DeepNet-50\n     - 1.50\n",
    ),
    (
        "html",
        "format = \"html\"",
        "a.html",
        "<h2>Speed</h2><!-- x --><table>\n<tr><th>net</th><th>ms</th></tr>\n<tr><td rowspan=2>DeepNet&nbsp;50</td><td>1.50</td></tr><tr><td>2</td></tr>\n</table>\n",
    ),
    (
        "json",
        "format = \"json\"\nrows = \"runs\"",
        "a.json",
        "{\"runs\": [{\"net\": \"DeepNet-50\", \"ms\": 1.50, \"x\": {\"y\": [1, null]}}]}\n",
    ),
    ("toml", "format = \"json\"", "a.toml", "net = \"DeepNet-50\"\nms = 1.50\n"),
    (
        "lines",
        "format = \"lines\"\nline = \"^(?P<net>\\\\S+) took (?P<ms>[0-9.]+) ms$\"",
        "a.log",
        "DeepNet-50 took 1.50 ms\nDeepNet-101 took 3 ms\n",
    ),
];

pub fn targets() -> Vec<Target> {
    assert!(
        FORMATS.iter().all(|format| SAMPLES.iter().any(|(name, _)| *name == format.name)),
        "each format has a sample"
    );
    let mut targets: Vec<Target> = SAMPLES.iter().map(named).collect();
    targets.extend(SHAPES.iter().map(shaped));
    targets.push(boards());
    targets.push(recipes());
    targets
}

fn named((format, files): &'static (&'static str, &'static [&'static str])) -> Target {
    Target::new(format, vec![sample(files[0])], move || {
        let workshop = Workshop::new();
        let recipe = recipe_of(format).expect("a format").expect("its recipe");
        for file in &files[1..] {
            workshop.write(&format!("in/{file}"), &sample(file));
        }
        move |input| {
            let path = workshop.write(&format!("in/{}", files[0]), input);
            read(&workshop, &recipe, Path::new(""), &[path])
        }
    })
}

fn shaped((name, shape, file, text): &'static (&str, &str, &str, &str)) -> Target {
    Target::new(name, bytes(&[text]), move || {
        let workshop = Workshop::new();
        let recipe = Recipe::parse(&recipe_for(shape, file)).expect("a recipe");
        move |input| {
            workshop.write(&format!("in/{file}"), input);
            read(&workshop, &recipe, &workshop.folder.path().join("in"), &[])
        }
    })
}

pub fn recipe_for(shape: &str, file: &str) -> String {
    format!(
        "source = \"imagined-2018\"\n[[table]]\nfiles = \"{file}\"\n{shape}\nbatch = \"b\"\n[table.set]\nstage = \"eval\"\n\
         network = {{ from = \"{{net}}\", resolve = \"network\" }}\nlatency-ms = \"{{ms}}\"\n"
    )
}

/// Imports files and judges the result.
pub fn read(workshop: &Workshop, recipe: &Recipe, folder: &Path, files: &[PathBuf]) -> Verdict {
    let stated = [("device".to_owned(), "nova-100".to_owned())];
    let source = "imagined-2018".parse().expect("a source");
    let request = ImportRequest { recipe, is_own_recipe: false, source, folder, files, stated: &stated };
    match workshop.kb.import(&request) {
        Ok(imported) => {
            let report = &imported.report;
            let left_out: usize = report.left_out.values().map(|left| left.count).sum();
            match report.read == report.written + left_out {
                true => Ok(true),
                false => Err(format!("{} read, {} written, {left_out} left out", report.read, report.written)),
            }
        }
        Err(error) => refused(&error),
    }
}

/// XML and CSV output of `nvidia-smi`.
fn boards() -> Target {
    Target::new("nvidia-smi", vec![sample("nvidia-smi.xml"), sample("nvidia-smi.csv")], || {
        let workshop = Workshop::new();
        move |input| {
            let path = workshop.write("boards", input);
            match workshop.kb.identify_boards(&path) {
                Ok(boards) if boards.is_empty() => Err("neither a board nor a word".to_owned()),
                Ok(_) => Ok(true),
                Err(error) => refused(&error),
            }
        }
    })
}

/// Arbitrary text as a recipe that reads a plain table.
fn recipes() -> Target {
    let seeds = SHAPES.iter().map(|(_, shape, file, _)| recipe_for(shape, file).into_bytes()).collect();
    Target::new("recipe", seeds, || {
        let workshop = Workshop::new();
        for (_, _, file, text) in SHAPES {
            workshop.write(&format!("in/{file}"), text.as_bytes());
        }
        move |input| match Recipe::parse(&String::from_utf8_lossy(input)) {
            Ok(recipe) => read(&workshop, &recipe, &workshop.folder.path().join("in"), &[]),
            Err(error) => refused(&error),
        }
    })
}
