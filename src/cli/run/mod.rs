//! `dlbench run`: measures on this machine.

mod closing;
mod fit;
mod plan;
mod progress;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use strum::VariantArray;

use super::failure::Failure;
use super::screen::Screen;
use super::{Global, Outcome};
use dlbench::KnowledgeBase;
use dlbench::measure::{
    BatchSizes, FinishedRun, PlanPoint, Probe, RunLimits, Session, Worker, WorkerCommand, default_worker, launch,
    reproduced,
};
use dlbench::values::text::counted;
use dlbench::values::{EntityId, Precision, Protocol, Shape, Stage};
use progress::Progress;

#[derive(Debug, Args)]
#[command(after_help = plan::help())]
pub(super) struct RunArgs {
    /// Networks by name or id
    #[arg(value_name = "NETWORK")]
    networks: Vec<String>,
    /// A suite of catalog/suites/
    #[arg(long, value_name = "ID", conflicts_with_all = ["networks", "module", "reproduce"])]
    suite: Option<String>,
    /// Repeat the configuration of a known measurement here
    #[arg(long, value_name = "MEASUREMENT-ID", conflicts_with_all = ["networks", "module"])]
    reproduce: Option<String>,
    /// A TorchScript file, in place of networks
    #[arg(long, value_name = "FILE", requires = "input", conflicts_with = "networks")]
    module: Option<PathBuf>,
    /// The shape of one sample, channels first: 3x224x224 [default: the network's usual one]
    #[arg(long, value_name = "SHAPE")]
    input: Option<Shape>,
    /// Devices: cpu, cuda:0 …
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "cpu")]
    device: Vec<String>,
    /// Stages: eval, train, forward, backward [default: eval]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = word::<Stage>(), hide_possible_values = true)]
    stage: Vec<Stage>,
    /// Precisions: fp64, fp32, tf32, bf16, fp16, amp-bf16, amp-fp16 [default: fp32]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = word::<Precision>(), hide_possible_values = true)]
    precision: Vec<Precision>,
    /// Batch sizes: 16, 1,2,4, 1..256 (doubling), max (the largest that fits) [default: 16]
    #[arg(long, value_name = "LIST")]
    batch_size: Option<BatchSizes>,
    /// Lay images out with their channels last
    #[arg(long)]
    channels_last: bool,
    /// Threads of one operation: lists are allowed [default: the framework's choice]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    threads: Vec<u32>,
    /// Real data: a folder of idx files, or of one folder of images for each class [default: made-up data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Time loading the data, too
    #[arg(long, requires = "data")]
    timed_loading: bool,
    /// Measure by the method of a source
    #[arg(long, value_name = "NAME", value_parser = word::<Protocol>(), hide_possible_values = true)]
    protocol: Option<Protocol>,
    /// The wanted half-width of the median's 95% confidence interval, in percent of the median [default: 1]
    #[arg(long, value_name = "PERCENT")]
    goal: Option<f64>,
    /// Iterations at least [default: 10]
    #[arg(long, value_name = "N")]
    least: Option<u32>,
    /// The longest time for one configuration, in seconds [default: 60]
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
    /// A worker that answers nothing for so many seconds counts as hanging [default: 600]
    #[arg(long, value_name = "SECONDS")]
    patience: Option<f64>,
    /// Measure everything again, into a new file, rather than continue one
    #[arg(long)]
    fresh: bool,
    /// The device's id in the catalog, where it cannot be told from the name that the system gives
    #[arg(long, value_name = "ID")]
    device_id: Option<EntityId>,
    /// The source that the rows belong to
    #[arg(long, value_name = "ID", default_value = "dlbench-runs")]
    source: EntityId,
    /// Where to write [default: measurements/<source>/ of the knowledge base]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The worker, and its arguments [default: dlbench-runner beside this program]
    #[arg(long, value_name = "COMMAND")]
    worker: Option<String>,
    /// Show the plan and measure nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &RunArgs, global: &Global, screen: &Screen) -> Result<Outcome, Failure> {
    let kb = global.open(screen)?;
    let plan = plan::of(args, &kb)?;
    let limits = limits(args, &plan)?;
    let launch = launch_of(args)?;
    let stop = stop_on_signals()?;
    let hello = Worker::greeting(&launch, &stop).map_err(worker_failure)?;
    let plan = fit::to_worker(plan, &hello, &kb)?;
    let probe = Probe::run(&launch, &plan.points[0].device, &stop).map_err(worker_failure)?;
    screen.tell(plan::shown(&plan, &kb, probe, &limits, screen.width())?.trim_end());
    if args.dry_run {
        return Ok(Outcome::Done);
    }
    let folder = args.output.clone().unwrap_or_else(|| kb.root().join("measurements").join(args.source.as_str()));
    let drafts = match &args.output {
        Some(output) => output.join("devices"),
        None => kb.root().join("catalog/devices"),
    };
    let date = today();
    let session = Session {
        launch: &launch,
        hello: &hello,
        name: &plan.name,
        points: &plan.points,
        limits: &limits,
        source: &args.source,
        folder: &folder,
        drafts: &drafts,
        date: &date,
        fresh: args.fresh,
        device_id: args.device_id.as_ref().map(EntityId::as_str),
    };
    let mut progress = Progress::new(screen, plan.points.len());
    let finished = session.run(&kb.stores().store, &mut progress, &stop);
    progress.end();
    let finished = finished?;
    let known = plan.known.as_ref();
    screen.print(&closing::table(&finished, &plan.points, &kb, known, screen.width())?)?;
    tell_end(&finished, &plan.points, screen);
    if finished.interrupted {
        return Err(Failure::Usage {
            message: format!("stopped before the end; {} holds what was measured", finished.path.display()),
            help: Some("the same command measures the rest".to_owned()),
        });
    }
    Ok(if finished.rows.is_empty() { Outcome::NothingFound } else { Outcome::Done })
}

fn limits(args: &RunArgs, plan: &plan::Plan) -> Result<RunLimits, Failure> {
    let default = RunLimits::default();
    let limits = RunLimits {
        goal: args.goal.map(|percent| percent / 100.0).or(plan.goal).unwrap_or(default.goal),
        least: args.least.unwrap_or(default.least),
        time_s: args.time_limit.or(plan.time_limit_s).unwrap_or(default.time_s),
        answer_s: args.patience.unwrap_or(default.answer_s),
    };
    let right = |value: f64| value.is_finite() && value > 0.0;
    if right(limits.goal) && right(limits.time_s) && right(limits.answer_s) && limits.least > 0 {
        return Ok(limits);
    }
    Err(Failure::Usage { message: "--goal, --least, --time-limit and --patience are above 0".to_owned(), help: None })
}

/// A word of a closed vocabulary, all of which a mistake names.
fn word<T>() -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err: Error + Send + Sync> + VariantArray + Copy + Into<&'static str> + Send + Sync + 'static,
{
    PossibleValuesParser::new(T::VARIANTS.iter().map(|word| -> &'static str { (*word).into() }))
        .try_map(|word| word.parse::<T>())
}

/// The worker; on Linux started through this very program, which ties its life to ours. Elsewhere a worker ends when its
/// standard input is closed.
fn launch_of(args: &RunArgs) -> Result<WorkerCommand, Failure> {
    let worker = match &args.worker {
        Some(command) => command.split_whitespace().map(Into::into).collect(),
        None => vec![default_worker()?.into_os_string()],
    };
    let program = std::env::current_exe().map_err(Failure::WorkingDirectory)?;
    let parent = std::process::id().to_string();
    let shell = match cfg!(target_os = "linux") {
        true => vec![program.into(), "worker".into(), "--parent".into(), parent.into(), "--".into()],
        false => Vec::new(),
    };
    Ok(launch(shell, worker)?)
}

/// Ctrl-C and its like stop the run in an orderly way; a second one ends the program.
fn stop_on_signals() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let handler = move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::Usage { message: format!("cannot listen for Ctrl-C: {error}"), help: None })?;
    Ok(stop)
}

fn worker_failure(error: dlbench::measure::WorkerError) -> Failure {
    Failure::Run(error.into())
}

/// Today by UTC, so that a run has the same date wherever it is read.
fn today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}

fn tell_end(finished: &FinishedRun, points: &[PlanPoint], screen: &Screen) {
    let total = points.len();
    let here = finished.rows.len();
    if here == 0 && finished.before == total {
        screen.tell(&format!(
            "{} {} in {} already; --fresh measures again",
            counted(total, "configuration", "configurations"),
            if total == 1 { "stands" } else { "stand" },
            finished.path.display()
        ));
    } else if here > 0 {
        screen.tell(&format!("{} in {}", counted(here, "new row stands", "new rows stand"), finished.path.display()));
    }
}

/// Where a data set lies: `make mnist` puts MNIST into the repository.
fn folder_of(dataset: &EntityId, root: &Path) -> Result<PathBuf, Failure> {
    if dataset.as_str() == "mnist" {
        let folder = std::env::var_os("DLBENCH_MNIST").map_or_else(|| root.join(".mnist"), PathBuf::from);
        if folder.join("train-images-idx3-ubyte").is_file() {
            return Ok(folder);
        }
        return Err(Failure::Usage {
            message: format!("MNIST is not in {}", folder.display()),
            help: Some("`make mnist` fetches it; --data DIR or DLBENCH_MNIST names another folder".to_owned()),
        });
    }
    Err(Failure::Usage {
        message: format!("nothing says where {dataset} lies"),
        help: Some("name its folder with --data DIR".to_owned()),
    })
}

/// The measurement to be repeated, with its configuration on a device of this machine.
fn reproduction(
    args: &RunArgs,
    id: &str,
    kb: &KnowledgeBase,
) -> Result<(PlanPoint, Vec<String>, dlbench::model::Measurement), Failure> {
    let mut found = kb.stores().store.measurements_by_prefix(id, 6)?;
    if found.len() != 1 {
        let near: Vec<&str> = found.iter().map(|row| row.id()).collect();
        return Err(Failure::Usage {
            message: format!("`{id}` is the id of {} measurements", if near.is_empty() { "no" } else { "several" }),
            help: Some(match near.is_empty() {
                true => "dlbench query … -f csv prints the ids of measurements".to_owned(),
                false => format!("the first are {}", near.join(", ")),
            }),
        });
    }
    let known = found.remove(0);
    let (missing, default) = (std::cell::RefCell::new(None), PathBuf::new());
    let data = |dataset: &EntityId| {
        let path = args.data.clone().map_or_else(|| folder_of(dataset, kb.root()), Ok).unwrap_or_else(|failure| {
            missing.replace(Some(failure));
            default.clone()
        });
        dlbench::measure::InputData::Folder { path, dataset: Some(dataset.clone()), timed: true }
    };
    let (point, chosen) = reproduced(&known, &args.device[0], data)?;
    match missing.into_inner() {
        Some(failure) => Err(failure),
        None => Ok((point, chosen, known)),
    }
}
