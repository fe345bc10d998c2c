//! The workers given by `--framework`: looked up by name, prepared, and supplied with identical networks.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dlbench::KnowledgeBase;
use dlbench::measure::{
    ExportRequest, KitWorker, MeasuredModel, NetworkFiles, PlanPoint, RunLimits, RunWorker, RunWorkers, WEIGHTS_SEED,
    Worker, WorkerCommand, WorkerKit, computes_in, is_capable, prepared,
};
use dlbench::model::{Facet, Network};
use dlbench::values::text::{counted, nearest, or_list};
use dlbench_protocol::Hello;

use super::super::worker_kit::{launch_of, worker_failure};
use super::plan::Plan;
use crate::cli::failure::Failure;
use crate::cli::screen::Screen;
use crate::cli::worker_kit::{InstallProgress, worker_kit, worker_shell};

/// The name of the worker that is built with the program.
pub(in crate::cli) const LIBTORCH: &str = "libtorch";

/// The selected workers, by name.
pub(super) struct Frameworks {
    kit: WorkerKit,
    /// Each worker, `None` for libtorch's.
    named: Vec<(String, Option<KitWorker>)>,
}

impl Frameworks {
    /// Selects workers by name: of a worker, or of a framework in the catalog that a worker runs.
    pub fn named(names: &[String], kb: &KnowledgeBase) -> Result<Self, Failure> {
        let kit = worker_kit()?;
        let mut named: Vec<(String, Option<KitWorker>)> = Vec::new();
        for name in names {
            let found = found(name, &kit, kb)?;
            if !named.contains(&found) {
                named.push(found);
            }
        }
        Ok(Self { kit, named })
    }

    /// The names of the workers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|(name, _)| name.as_str())
    }

    /// The self-descriptions of the workers, or the declared ones until their packages are installed.
    pub fn declared(&self, limits: &RunLimits, stop: &AtomicBool) -> Result<Vec<(String, Hello)>, Failure> {
        let hello = |worker: &Option<KitWorker>| match worker {
            Some(worker) => Ok(self.kit.declared(worker)),
            None => Worker::greeting(&launch_of(None)?, limits.patience(), stop).map_err(worker_failure),
        };
        self.named.iter().map(|(name, worker)| Ok((name.clone(), hello(worker)?))).collect()
    }

    /// All workers, ready to measure: missing packages are installed.
    pub fn ready(&self, screen: &Screen, limits: &RunLimits, stop: &AtomicBool) -> Result<RunWorkers, Failure> {
        let mut workers = Vec::new();
        for (name, worker) in &self.named {
            let launch = match worker {
                Some(worker) => self.launch(worker, screen, limits, stop)?,
                None => launch_of(None)?,
            };
            let hello = Worker::greeting(&launch, limits.patience(), stop).map_err(worker_failure)?;
            workers.push(RunWorker { name: Some(name.clone()), launch, hello });
        }
        let mut workers = workers.into_iter();
        match workers.next() {
            Some(first) => Ok(RunWorkers::new(first, workers.collect())),
            None => Err(Failure::usage("--framework names none", "`dlbench workers` lists them")),
        }
    }

    /// The first worker that comes from the kit.
    fn of_kit(&self) -> Option<&KitWorker> {
        self.named.iter().find_map(|(_, worker)| worker.as_ref())
    }

    fn launch(
        &self,
        worker: &KitWorker,
        screen: &Screen,
        limits: &RunLimits,
        stop: &AtomicBool,
    ) -> Result<WorkerCommand, Failure> {
        let mut progress = InstallProgress::new(screen);
        Ok(prepared(&self.kit, worker, &worker_shell()?, limits.patience(), &mut progress, stop)?)
    }

    /// Passes network files to the points whose workers accept them; missing files are written first.
    pub fn hand_over(
        &self,
        points: &mut [PlanPoint],
        workers: &RunWorkers,
        kb: &KnowledgeBase,
        screen: &Screen,
        (limits, stop): (&RunLimits, &AtomicBool),
    ) -> Result<(), Failure> {
        let mut written: BTreeMap<String, Arc<NetworkFiles>> = BTreeMap::new();
        for point in points {
            let worker = self.named.iter().find(|(name, _)| Some(name) == point.worker.as_ref());
            let (Some((_, worker)), MeasuredModel::Network(id)) = (worker, &point.subject) else { continue };
            // libtorch's own worker has no packages to write files: it gets the files of the other workers.
            let Some(worker) = worker.as_ref().or_else(|| self.of_kit()) else { continue };
            if !workers.of(point).hello.model_files {
                continue;
            }
            let from = worker.files_from.as_deref().and_then(|name| self.kit.worker(name)).unwrap_or(worker);
            let shape = point.shape.as_ref();
            let key = format!("{id} {} {}", shape.map_or_else(String::new, ToString::to_string), writer(from));
            let files = match written.get(&key) {
                Some(files) => Arc::clone(files),
                None => {
                    let network = kb.entity::<Network>(id.as_str())?.ok_or_else(|| {
                        Failure::usage(
                            format!("`{id}` is not a network of the catalog"),
                            "`dlbench list networks` shows all",
                        )
                    })?;
                    let launch = self.launch(from, screen, limits, stop)?;
                    let of = format!("{} {}", self.kit.digest(), writer(from));
                    let (network, launch) = (&network, &launch);
                    let request = ExportRequest {
                        network,
                        shape,
                        seed: WEIGHTS_SEED,
                        launch,
                        of: &of,
                        patience: limits.patience(),
                    };
                    let mut begins =
                        || screen.tell(&format!("{id}: {} writes its weights and its reference", from.name));
                    Arc::new(NetworkFiles::of(&request, &self.kit.network_folder(), &mut begins, stop)?)
                }
            };
            written.insert(key, Arc::clone(&files));
            point.files = Some(files);
        }
        Ok(())
    }
}

/// Identifies the writer of network files: workers with the same program and lock file write identical files.
fn writer(worker: &KitWorker) -> String {
    format!("{} {}", worker.program, worker.lock.as_deref().unwrap_or_default())
}

fn found(name: &str, kit: &WorkerKit, kb: &KnowledgeBase) -> Result<(String, Option<KitWorker>), Failure> {
    let folded = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    if folded(name) == LIBTORCH {
        return Ok((LIBTORCH.to_owned(), None));
    }
    let by_name = kit.workers().iter().find(|worker| folded(&worker.name) == folded(name));
    let found = match by_name {
        Some(worker) => Some(worker),
        None => {
            let id = kb.resolve(Facet::Framework, name)?.entity().map(str::to_owned);
            kit.workers().iter().find(|worker| Some(&worker.framework) == id.as_ref())
        }
    };
    match found {
        Some(worker) => Ok((worker.name.clone(), Some(worker.clone()))),
        None => {
            let names: Vec<&str> = kit.workers().iter().map(|worker| worker.name.as_str()).chain([LIBTORCH]).collect();
            Err(Failure::usage(
                format!("there is no worker for `{name}`"),
                match nearest(name, names.iter().copied(), 1).first() {
                    Some(near) => format!("did you mean `{near}`? `dlbench workers` lists all"),
                    None => format!("there are {}", or_list(&names)),
                },
            ))
        }
    }
}

/// The plan with each point repeated for each worker; points that a worker cannot run are omitted and reported.
pub(super) fn for_each_worker(mut plan: Plan, workers: &[(String, Hello)]) -> Result<Plan, Failure> {
    let mut points = Vec::new();
    for (name, hello) in workers {
        let mut objection = None;
        let (all, before) = (plan.points.len(), points.len());
        for point in &plan.points {
            let point = PlanPoint { worker: Some(name.clone()), ..point.clone() };
            match is_capable(&point, hello) {
                Ok(()) => points.push(point),
                Err(lacks) => objection = Some(lacks),
            }
        }
        match (objection, points.len() - before) {
            (Some(lacks), 0) => return Err(lacks.into()),
            (Some(lacks), of_it) => {
                let left_out = counted(all - of_it, "configuration is", "configurations are");
                plan.chosen.push(format!("{left_out} left out: {lacks}"));
            }
            (None, _) => {}
        }
    }
    plan.points = points;
    Ok(plan)
}

/// The plan with families replaced by the member that all its workers implement; `hello_of` describes a point's worker.
///
/// A missing device or network is not a benchmark result, so it is reported before anything is measured.
pub(super) fn to_workers<'h>(
    mut plan: Plan,
    hello_of: &dyn Fn(&PlanPoint) -> &'h Hello,
    kb: &KnowledgeBase,
) -> Result<Plan, Failure> {
    let networks = common_networks(plan.points.iter().map(hello_of));
    for point in &mut plan.points {
        let hello = hello_of(point);
        has_device(&point.device, hello)?;
        computes_in(point, hello)?;
        let MeasuredModel::Network(asked) = &point.subject else { continue };
        let network = kb.network_of_worker(asked, &networks)??;
        if network != *asked {
            let note = format!("{asked} is run as {network}, the one of its family that the worker has");
            if !plan.chosen.contains(&note) {
                plan.chosen.push(note);
            }
            *point = PlanPoint { subject: MeasuredModel::Network(network), ..point.clone() };
        }
    }
    Ok(plan)
}

/// The networks that all workers implement; workers that list none are ignored.
fn common_networks<'h>(workers: impl Iterator<Item = &'h Hello>) -> Vec<String> {
    let mut lists = workers.map(|hello| &hello.networks).filter(|networks| !networks.is_empty());
    let mut common = lists.next().cloned().unwrap_or_default();
    for other in lists {
        common.retain(|network| other.contains(network));
    }
    common
}

fn has_device(device: &str, hello: &Hello) -> Result<(), Failure> {
    let ids: Vec<&str> = hello.devices.iter().map(|device| device.id.as_str()).collect();
    // A worker that was not started yet declares kinds of devices: `cuda` means any of them.
    let is_declared = || device.split_once(':').is_some_and(|(kind, _)| ids.contains(&kind));
    if ids.contains(&device) || device == "cuda" && ids.contains(&"cuda:0") || is_declared() {
        return Ok(());
    }
    let mut help = format!("it sees {}", or_list(&ids));
    if device.starts_with("cuda") {
        help.push_str(&match hello.build.get("cuda-not-loaded") {
            Some(why) => format!("; CUDA was not loaded: {why}"),
            None => "; DLBENCH_LIBTORCH names an installation of libtorch with CUDA".to_owned(),
        });
    }
    Err(Failure::usage(format!("the worker has no device `{device}`"), help))
}
