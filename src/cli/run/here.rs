//! What of wanted measurements this machine can make: by its devices, and by what its worker has.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::launching::{launch_of, worker_failure};
use super::worker_has::{computes_in, network};
use crate::cli::failure::Failure;
use dlbench::ask::conclude::evidence::WantedCell;
use dlbench::measure::{InputData, MeasuredModel, OWN, PlanPoint, RunLimits, Worker, reproduced};
use dlbench::model::Device;
use dlbench::values::EntityId;
use dlbench::{KnowledgeBase, default_cache};
use dlbench_protocol::Hello;

/// What the runner states of a run, or what follows from it and the device's facts.
const MEASURED: &[&str] = &["throughput-per-s", "latency-ms", "items-per-tdp-joule"];

/// The machine as its worker describes it.
pub(in crate::cli) struct Here {
    hello: Hello,
    devices: Vec<DeviceHere>,
}

/// A device of the machine.
struct DeviceHere {
    /// `cpu`, `cuda:0`.
    name: String,
    /// Its id in the catalog, or the one that a draft of its entry would have.
    id: String,
    class: String,
}

impl Here {
    /// Asks the worker of a command, or the one beside this program.
    pub(in crate::cli) fn ask(worker: Option<&str>, kb: &KnowledgeBase) -> Result<Self, Failure> {
        let launch = launch_of(worker)?;
        let stop = Arc::new(AtomicBool::new(false));
        let hello = Worker::greeting(&launch, RunLimits::default().patience(), &stop).map_err(worker_failure)?;
        Self::of(hello, kb)
    }

    /// The machine whose worker greeted so.
    pub(super) fn of(hello: Hello, kb: &KnowledgeBase) -> Result<Self, Failure> {
        let mut devices = Vec::new();
        for (name, id) in kb.devices_here(&hello, &default_cache())? {
            let class = match kb.entity::<Device>(&id)? {
                Some(device) => <&str>::from(device.class).to_owned(),
                None => if name == "cpu" { "cpu" } else { "gpu" }.to_owned(),
            };
            devices.push(DeviceHere { name, id, class });
        }
        Ok(Self { hello, devices })
    }

    /// Its devices by their ids.
    pub(in crate::cli) fn known_devices(&self) -> Vec<EntityId> {
        self.devices.iter().filter_map(|device| device.id.parse().ok()).collect()
    }

    /// The device and the point of a plan that would measure a cell, on one of these devices where some are named; else why
    /// nothing here can.
    pub(in crate::cli) fn point(
        &self,
        cell: &WantedCell,
        kb: &KnowledgeBase,
        on: Option<&[String]>,
    ) -> Result<Result<(String, PlanPoint), String>, Failure> {
        let is_meant = |device: &&DeviceHere| {
            let is_it = cell.on == format!("class:{}", device.class) || cell.on == format!("device:{}", device.id);
            is_it
                && on.is_none_or(|names| names.iter().any(|name| *name == device.name || is_first(name, &device.name)))
        };
        let Some(device) = self.devices.iter().find(is_meant) else {
            return Ok(Err(format!("no {} here", cell.on.replace(':', " "))));
        };
        if !MEASURED.contains(&cell.measure.as_str()) {
            return Ok(Err(format!("the runner states no {}", cell.measure)));
        }
        let Some(known) = kb.measurements_by_prefix(&cell.like, 1)?.into_iter().next() else {
            return Ok(Err(format!("{} is not there", cell.like)));
        };
        let data = |dataset: &EntityId| InputData::Folder {
            path: std::path::PathBuf::new(),
            dataset: Some(dataset.clone()),
            timed: true,
        };
        let point = match reproduced(&known, &device.name, data) {
            Ok((point, _)) => point,
            Err(error) => return Ok(Err(error.to_string())),
        };
        if let InputData::Folder { dataset, .. } = &point.data {
            let dataset = dataset.as_ref().map(ToString::to_string).unwrap_or_default();
            return Ok(Err(format!("it was measured on the data set {dataset}")));
        }
        let MeasuredModel::Network(asked) = &point.subject else { return Ok(Err("it is no network".to_owned())) };
        let subject = match network(asked, &self.hello, kb) {
            Ok(network) => MeasuredModel::Network(network),
            Err(Failure::Usage { message, .. }) => return Ok(Err(message)),
            Err(failure) => return Err(failure),
        };
        // Conditions decide what is comparable; how long it takes is a matter of the runner's own method, which has limits.
        let point = PlanPoint { subject, method: &OWN, ..point };
        match computes_in(&point, &self.hello) {
            Ok(()) => Ok(Ok((device.name.clone(), point))),
            Err(Failure::Usage { message, .. }) => Ok(Err(message)),
            Err(failure) => Err(failure),
        }
    }
}

/// Whether `cuda` means the first of its devices.
fn is_first(name: &str, device: &str) -> bool {
    name == "cuda" && device == "cuda:0"
}
