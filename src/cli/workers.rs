//! `dlbench workers`: the frameworks that can be measured, and whether their workers are ready.

use std::sync::atomic::AtomicBool;

use clap::Args;

use super::failure::Failure;
use super::global::Outcome;
use super::options::choice;
use super::run::frameworks::LIBTORCH;
use super::screen::Screen;
use super::worker_kit::{InstallProgress, worker_kit, worker_shell};
use super::worker_kit::{launch_of, worker_failure};
use dlbench::measure::{KitWorker, RunLimits, Worker, WorkerKit, first_greeting, prepared};
use dlbench::render::Format;
use dlbench::render::table::Table;
use dlbench::values::text::or_list;
use dlbench::values::{Grid, GridColumn};
use dlbench_protocol::{Capability, Hello};

#[derive(Debug, Args)]
#[command(after_help = "`dlbench run --framework pytorch,onnxruntime resnet-50` measures with them.")]
pub(super) struct WorkersArgs {
    /// Show the networks, stages and precisions of one worker
    #[arg(value_name = "WORKER")]
    name: Option<String>,
    /// Install packages now instead of on first use [without a value: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    install: Vec<String>,
    /// Output format
    #[arg(short, long, value_parser = choice::<Format>(), default_value = "table")]
    format: Format,
}

/// A worker with its description and state.
struct Known<'k> {
    name: &'k str,
    hello: Hello,
    state: String,
    entry: Option<&'k KitWorker>,
}

pub(super) fn run(args: &WorkersArgs, screen: &Screen) -> Result<Outcome, Failure> {
    let kit = worker_kit()?;
    for worker in wanted(&args.install, &kit)? {
        let mut progress = InstallProgress::new(screen);
        let patience = RunLimits::default().patience();
        prepared(&kit, worker, &worker_shell()?, patience, &mut progress, &AtomicBool::new(false))?;
    }
    let known: Vec<Known<'_>> =
        std::iter::once(libtorch()).chain(kit.workers().iter().map(|worker| of(worker, &kit))).collect();
    let grid = match &args.name {
        None => overview(&known),
        Some(name) => match known.iter().find(|known| known.name == name) {
            Some(known) => of_one(&known.hello),
            None => return Err(unknown(name, &kit)),
        },
    };
    screen.print(&Table::from(&grid.without_empty_columns()).draw(args.format, screen.width())?)?;
    Ok(Outcome::Done)
}

fn wanted<'k>(names: &[String], kit: &'k WorkerKit) -> Result<Vec<&'k KitWorker>, Failure> {
    if names.iter().any(|name| name == "all") {
        return Ok(kit.workers().iter().collect());
    }
    names.iter().map(|name| kit.worker(name).ok_or_else(|| unknown(name, kit))).collect()
}

fn unknown(name: &str, kit: &WorkerKit) -> Failure {
    let names: Vec<&str> = kit.workers().iter().map(|worker| worker.name.as_str()).collect();
    Failure::usage(format!("there is no worker `{name}`"), format!("there are {}", or_list(&names)))
}

/// The worker built with the program, which describes itself if it exists.
fn libtorch() -> Known<'static> {
    let greeted = launch_of(None).and_then(|launch| {
        let patience = RunLimits::default().patience();
        Worker::greeting(&launch, patience, &AtomicBool::new(false)).map_err(worker_failure)
    });
    let (hello, state) = match greeted {
        Ok(hello) => (hello, "ready".to_owned()),
        Err(_) => (Hello { framework: "pytorch".to_owned(), ..Hello::default() }, "`make runner` builds it".to_owned()),
    };
    Known { name: LIBTORCH, hello, state, entry: None }
}

fn of<'k>(worker: &'k KitWorker, kit: &'k WorkerKit) -> Known<'k> {
    let (hello, state) = match (kit.packages(worker), first_greeting(kit, worker)) {
        (_, Some(hello)) => (hello, "ready".to_owned()),
        (None, None) => (kit.declared(worker), "needs no packages".to_owned()),
        (Some(packages), None) if packages.are_ready() => (kit.declared(worker), "ready".to_owned()),
        (Some(_), None) => (kit.declared(worker), "on first use".to_owned()),
    };
    Known { name: &worker.name, hello, state, entry: Some(worker) }
}

fn overview(known: &[Known<'_>]) -> Grid {
    let text = GridColumn::text;
    let mut grid = Grid {
        columns: vec![
            text("worker"),
            text("framework"),
            text("version"),
            text("installed"),
            GridColumn::number("networks"),
            text("stages"),
            text("precisions"),
            GridColumn::number("to fetch [MB]"),
            GridColumn::number("on disk [MB]"),
            text("licences"),
            text("value"),
        ],
        rows: Vec::new(),
    };
    for Known { name, hello, state, entry } in known {
        let size = |size: Option<u32>| size.map_or_else(String::new, |size| size.to_string());
        grid.push(vec![
            (*name).to_owned(),
            hello.framework.clone(),
            hello.framework_version.clone(),
            state.clone(),
            if hello.networks.is_empty() { String::new() } else { hello.networks.len().to_string() },
            words(hello, |capability| &capability.stages),
            words(hello, |capability| &capability.precisions),
            size(entry.and_then(|entry| entry.download_mb)),
            size(entry.and_then(|entry| entry.disk_mb)),
            entry.and_then(|entry| entry.licenses.clone()).unwrap_or_default(),
            entry.map_or_else(|| "libtorch from Rust, built with this program".to_owned(), |entry| entry.about.clone()),
        ]);
    }
    grid
}

/// The distinct words of all capabilities.
fn words(hello: &Hello, of: fn(&Capability) -> &Vec<String>) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in hello.capabilities.iter().flat_map(of) {
        if !words.contains(&word.as_str()) {
            words.push(word);
        }
    }
    words.join(", ")
}

/// A row for each network of a worker.
fn of_one(hello: &Hello) -> Grid {
    let mut grid = Grid::of_texts(&["network", "stages", "precisions"]);
    for capability in &hello.capabilities {
        for network in &capability.networks {
            grid.push(vec![network.clone(), capability.stages.join(", "), capability.precisions.join(", ")]);
        }
    }
    grid
}
