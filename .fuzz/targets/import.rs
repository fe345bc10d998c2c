//! Any bytes as a result file of a named format or of a shape that a recipe reads: rows that the strict reader takes, with every
//! record accounted for, or words.

#![no_main]

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use dlbench::KnowledgeBase;
use dlbench::contribute::import::{FORMATS, ImportRequest, Recipe, recipe_of};
use libfuzzer_sys::{Corpus, fuzz_target};
use tempfile::TempDir;

/// Shapes that a recipe reads: the extension of the file, and more of the recipe.
const SHAPES: &[(&str, &str)] = &[
    ("csv", "format = \"csv\""),
    ("tsv", "format = \"tsv\""),
    ("md", "format = \"markdown\"\nheading = \"Speed of (?P<gpu>.+)\""),
    ("rst", "format = \"rst\""),
    ("html", "format = \"html\""),
    ("json", "format = \"json\"\nrows = \"runs\""),
    ("toml", "format = \"json\""),
    ("log", "format = \"lines\"\nline = \"^(?P<net>\\\\S+) took (?P<ms>[0-9.]+) ms$\""),
];

/// The names of files by which a format knows them; other formats take any name.
const NAMES: &[(&str, &str)] = &[
    ("timm", "benchmark-infer-amp-nhwc-pt240-cu124-rtx4090.csv"),
    ("pytorch-gpu-benchmark", "2080TI/GeForce RTX 2080 Ti_half_model_inference_benchmark.csv"),
    ("cnn-benchmarks", "1080Ti_cudnn51/101362.json"),
    ("ncnn", "benchncnn.md"),
    ("llama-bench", "llama-bench.md"),
    ("autumnai", "benchmark.toml"),
    ("undertherain", "data/vgg16/pytorch_21.04.30_02.53.37.json"),
    ("lambdal", "pytorch-train-throughput-fp16.csv"),
    ("dawnbench", "CIFAR10/train/kakaobrain_resnet9_1v100.json"),
    ("mlperf-json", "summary_results.json"),
    ("mlperf-csv", "summary.csv"),
    ("mlperf-training", "mlperf-training/scores-derived.csv"),
];

thread_local! {
    static KB: OnceCell<(KnowledgeBase, TempDir)> = const { OnceCell::new() };
}

/// The file of each shape and of each named format, and the recipe that reads it.
static READERS: LazyLock<[Vec<(String, Recipe)>; 2]> = LazyLock::new(|| {
    let shaped = SHAPES.iter().map(|(extension, shape)| {
        let file = format!("a.{extension}");
        let text = format!(
            "source = \"imagined-2018\"\n[[table]]\nfiles = \"{file}\"\n{shape}\nbatch = \"b\"\n[table.set]\nstage = \"eval\"\n\
             network = {{ from = \"{{net}}\", resolve = \"network\" }}\nlatency-ms = \"{{ms}}\"\n"
        );
        (file, Recipe::parse(&text).expect("a recipe"))
    });
    let named = FORMATS.iter().map(|format| {
        let name = NAMES.iter().find(|(of, _)| *of == format.name).map_or("results.csv", |(_, name)| name);
        (name.to_owned(), recipe_of(format.name).expect("a format").expect("its recipe"))
    });
    [shaped.collect(), named.collect()]
});

// The first letter of the input chooses: `A` the first named format, `a` the first shape.
fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((choice, content)) = input.split_first() else { return Corpus::Reject };
    let is_shape = choice.is_ascii_lowercase();
    let readers = &READERS[usize::from(!is_shape)];
    let (name, recipe) = &readers[usize::from(choice.wrapping_sub(if is_shape { b'a' } else { b'A' })) % readers.len()];
    KB.with(|kb| {
        let (kb, folder) = kb.get_or_init(|| {
            let folder = TempDir::new().expect("a temporary folder");
            let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/acceptance/kb");
            let kb = KnowledgeBase::open_with_cache(root, folder.path().join("cache")).expect("the miniature");
            fs::create_dir(folder.path().join("in")).expect("a folder");
            (kb, folder)
        });
        let place = folder.path().join("in");
        let path = place.join(name);
        fs::create_dir_all(path.parent().expect("files lie in folders")).expect("a folder");
        fs::write(&path, content).expect("a file");
        let stated = [("device".to_owned(), "nova-100".to_owned())];
        let files: Vec<PathBuf> = if is_shape { Vec::new() } else { vec![path.clone()] };
        let folder = if is_shape { place.as_path() } else { Path::new("") };
        let source = "imagined-2018".parse().expect("a source");
        let request =
            ImportRequest { recipe, is_own_recipe: false, source, folder, files: &files, stated: &stated };
        match kb.import(&request) {
            Ok(imported) => {
                let report = &imported.report;
                let left_out: usize = report.left_out.values().map(|left| left.count).sum();
                assert_eq!(report.read, report.written + left_out, "every record is accounted for");
            }
            Err(error) => assert!(!error.to_string().trim().is_empty(), "refused without a word"),
        }
        let _ = fs::remove_file(path);
    });
    Corpus::Keep
});
