//! Benchmarks the functions behind a query: reading, checking, building, parsing, answering, resolving, refreshing.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dlbench::contribute::rule_interface::LintOptions;
use dlbench::model::Facet;
use dlbench::reading::{self, FileKind, KbFile};
use dlbench::{KnowledgeBase, Opening};

criterion_group!(benches, read_rows, check, build, understand, answer, resolve, refresh);
criterion_main!(benches);

/// A knowledge base of `size` invented rows and its cache, created if missing.
struct Generated {
    kb: PathBuf,
    cache: PathBuf,
}

impl Generated {
    fn of(size: usize) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bench").join(size.to_string());
        let kb = folder.join("kb");
        if !kb.join("measurements").is_dir() {
            let program = Path::new(env!("CARGO_BIN_EXE_dlbench")).with_file_name("examples").join("generate");
            let args = ["--like", env!("CARGO_MANIFEST_DIR"), "--rows", &size.to_string(), "--into"];
            let made = Command::new(&program).args(args).arg(&kb).status();
            assert!(made.is_ok_and(|status| status.success()), "{}: run `make bench`", program.display());
        }
        Self { kb, cache: folder.join("cache") }
    }

    fn open(&self) -> KnowledgeBase {
        KnowledgeBase::open_with_cache(&self.kb, &self.cache).expect("the generator's files have no mistakes")
    }

    /// The longest measurement file.
    fn longest(&self) -> KbFile {
        let files = reading::list(&self.kb).expect("a knowledge base");
        files
            .into_iter()
            .filter(|file| matches!(file.kind, FileKind::Measurements(_)))
            .max_by_key(|file| file.len)
            .expect("a file")
    }
}

/// Sizes for functions whose time grows with the data.
const SIZES: [usize; 2] = [100_000, 1_000_000];

/// Size at which the time of an answer is negligible beside parsing the question; the catalog is the real one.
const SMALL: usize = 1000;

fn read_rows(c: &mut Criterion) {
    let generated = Generated::of(SIZES[0]);
    let file = generated.longest();
    let FileKind::Measurements(source) = &file.kind else { unreachable!("it has measurements") };
    let text = fs::read_to_string(generated.kb.join(&file.path)).expect("a readable file");
    let read = || reading::check_measurements(&file.path, &text, source).expect("no mistakes");
    let rows = read().len();
    let mut group = c.benchmark_group("reading");
    group.throughput(Throughput::Elements(rows as u64));
    group.bench_function(format!("a file of {rows} rows"), |b| b.iter(read));
    group.finish();
}

/// The repository's own knowledge base, as a whole and as one file of its largest source; includes reading the files.
fn check(c: &mut Criterion) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = reading::list(root).expect("a knowledge base");
    let longest = files
        .iter()
        .filter(|file| matches!(file.kind, FileKind::Measurements(_)))
        .max_by_key(|file| file.len)
        .expect("a file");
    let mut group = c.benchmark_group("check");
    group.sample_size(10);
    for (name, paths) in [
        ("the whole knowledge base", Vec::new()),
        ("its longest file of measurements", vec![longest.path.clone()]),
        ("one device", vec![PathBuf::from("catalog/devices/tesla-v100.toml")]),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| {
                dlbench::contribute::check::check(root, black_box(&paths), &LintOptions::default())
                    .expect("the files can be listed")
            })
        });
    }
    // What a user waits for: a complete process.
    let program = env!("CARGO_BIN_EXE_dlbench");
    for (name, path) in
        [("the whole knowledge base, as a process", None), ("one changed file, as a process", Some(&longest.path))]
    {
        group.bench_function(name, |b| {
            b.iter(|| {
                let checked = Command::new(program).arg("check").args(path).current_dir(root).output();
                assert!(checked.is_ok_and(|checked| checked.status.success()), "the repository checks clean");
            })
        });
    }
    group.finish();
}

fn build(c: &mut Criterion) {
    let mut group = c.benchmark_group("building");
    group.sample_size(10).measurement_time(Duration::from_secs(20));
    let generated = Generated::of(SIZES[0]);
    group.bench_function("stores and index of 10^5 measurements, from the files", |b| {
        b.iter(|| KnowledgeBase::open_as(Opening::Rebuilt, &generated.kb, &generated.cache).expect("no mistakes"));
    });
    group.finish();
}

fn understand(c: &mut Criterion) {
    let kb = Generated::of(SMALL).open();
    let mut group = c.benchmark_group("understanding, with 1000 measurements");
    for question in [
        "fp16 V100 resnet152",
        "fp16 V100 resnt152",
        "(titan v OR 1080 ti) vgg16 -framework:caffe2 batch:8..64 year:2017..2019 sort:latency",
        "no word of this means anything zyx",
    ] {
        group.bench_function(question, |b| b.iter(|| kb.query(black_box(question)).expect("no mistakes")));
    }
    group.finish();
}

fn answer(c: &mut Criterion) {
    for size in SIZES {
        let kb = Generated::of(size).open();
        let mut group = c.benchmark_group(format!("answering, with 10^{} measurements", size.ilog10()));
        group.sample_size(20);
        for (name, question) in [
            ("a selective question", "fp16 V100 resnet152 sort:-throughput"),
            ("words of the text", "\"Vulkan device 1\" sort:latency"),
            ("a range", "v100 batch:8..64 latency<20 sort:latency"),
            ("a broad question", "class:gpu sort:-throughput"),
            ("a broad question with a negation", "-device:geforce-rtx-3090 precision:amp-fp16 sort:-throughput"),
        ] {
            group.bench_function(name, |b| b.iter(|| kb.query(black_box(question)).expect("no mistakes")));
        }
        group.finish();
    }
}

fn resolve(c: &mut Criterion) {
    let kb = Generated::of(SMALL).open();
    let mut group = c.benchmark_group("resolving a name");
    for (facet, spelling) in [
        (Facet::Device, "8 * V100 (AWS p3.16xlarge)"),
        (Facet::Device, "NVIDIA GeForce RTX 2080 Ti"),
        (Facet::Network, "resnet152"),
        (Facet::Framework, "PyTorch"),
    ] {
        group.bench_function(spelling, |b| {
            b.iter(|| kb.resolve(facet, black_box(spelling)).expect("a whole store"));
        });
    }
    group.finish();
}

fn refresh(c: &mut Criterion) {
    let mut group = c.benchmark_group("refreshing");
    for size in SIZES {
        let generated = Generated::of(size);
        drop(generated.open());
        let power = size.ilog10();
        group.bench_function(format!("walk over the files of 10^{power} measurements"), |b| {
            b.iter(|| reading::list(&generated.kb).expect("a knowledge base"));
        });
        group.bench_function(format!("check and open 10^{power} unchanged measurements"), |b| {
            b.iter(|| generated.open())
        });
    }
    group.finish();
}
