//! What this machine can measure (its devices, its worker's capabilities), and how to reproduce known measurements on it.

use std::path::Path;

use dlbench_protocol::Hello;

use super::method::{OWN_METHOD, TimingMethod};
use super::plan::{InputData, MeasuredModel, PlanPoint};
use super::run_workers::{computes_in, network_of_worker};
use super::session::device_ids;
use crate::model::{Device, Field, Measurement, Metric};
use crate::stores::database::{Database, DatabaseError};
use crate::values::{Allocator, Data, EntityId, Precision, Provenance, Stage, Timing};

/// The measures that the runner states, or that follow from them and the device's facts.
const MEASURED: &[&str] = &["throughput-per-s", "latency-ms", "items-per-tdp-joule"];

/// The machine as its worker describes it.
#[derive(Debug, Clone)]
pub struct Machine {
    hello: Hello,
    devices: Vec<MachineDevice>,
}

/// A device of this machine.
#[derive(Debug, Clone)]
struct MachineDevice {
    /// The worker's name for it: `cpu`, `cuda:0`.
    name: String,
    /// Its catalog id, or the id that a draft entry would have.
    id: String,
    class: String,
}

/// A missing measurement, described by its difference from a known one.
#[derive(Debug, Clone, Copy)]
pub struct WantedRun<'w> {
    /// The required devices and framework, as filters of a question: `class:cpu`, `device:l4`, `framework:pytorch`.
    pub on: &'w str,
    /// The metric or derived measure to measure.
    pub measure: &'w str,
    /// The id of the row whose conditions apply.
    pub like: &'w str,
}

/// A device of this machine and the point that measures a wanted run on it; or the reason why none can.
pub type RunHere = Result<(String, PlanPoint), String>;

impl Machine {
    /// The machine with this greeting of its worker; `cache` stores the identity of the machine.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn of(hello: Hello, database: &Database, cache: &Path) -> Result<Self, DatabaseError> {
        let mut devices = Vec::new();
        for (name, id) in device_ids(database, &hello, cache)? {
            let class = match database.entity::<Device>(&id)? {
                Some(device) => <&str>::from(device.class).to_owned(),
                None => if name == "cpu" { "cpu" } else { "gpu" }.to_owned(),
            };
            devices.push(MachineDevice { name, id, class });
        }
        Ok(Self { hello, devices })
    }

    /// The ids of its devices.
    pub fn known_devices(&self) -> Vec<EntityId> {
        self.devices.iter().filter_map(|device| device.id.parse().ok()).collect()
    }

    /// The run that makes a wanted measurement; with `on`, only on one of these devices.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub fn run_of(
        &self,
        wanted: &WantedRun<'_>,
        database: &Database,
        on: Option<&[String]>,
    ) -> Result<RunHere, DatabaseError> {
        let device = match self.device(wanted.on, on) {
            Ok(device) => device,
            Err(why) => return Ok(Err(why)),
        };
        if !MEASURED.contains(&wanted.measure) {
            return Ok(Err(format!("the runner states no {}", wanted.measure)));
        }
        let Some(known) = database.measurements_by_prefix(wanted.like, 1)?.into_iter().next() else {
            return Ok(Err(format!("{} is not there", wanted.like)));
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
        let MeasuredModel::Network(asked) = &point.subject else { return Ok(Err("it is not a network".to_owned())) };
        let subject = match network_of_worker(asked, &self.hello.networks, database)? {
            Ok(network) => MeasuredModel::Network(network),
            Err(lacks) => return Ok(Err(lacks.message)),
        };
        // The conditions decide what is comparable. The method may be the runner's own, whose duration is limited.
        let point = PlanPoint { subject, method: &OWN_METHOD, ..point };
        Ok(match computes_in(&point, &self.hello) {
            Ok(()) => Ok((device.name.clone(), point)),
            Err(lacks) => Err(lacks.message),
        })
    }

    /// The first device that meets the filters and is among `named`, or why there is none.
    fn device(&self, filters: &str, named: Option<&[String]>) -> Result<&MachineDevice, String> {
        let mut devices: Vec<&MachineDevice> = self.devices.iter().collect();
        for filter in filters.split(' ') {
            match filter.split_once(':') {
                Some(("class", class)) => devices.retain(|device| device.class == class),
                Some(("device", id)) => devices.retain(|device| device.id == id),
                Some(("framework", framework)) if framework == self.hello.framework => {}
                Some(("framework", _)) => return Err(format!("the worker here runs {}", self.hello.framework)),
                _ => return Err(format!("no run here is one of {filter}")),
            }
        }
        let is_named = |device: &&MachineDevice| {
            named.is_none_or(|names| names.iter().any(|name| *name == device.name || is_first(name, &device.name)))
        };
        devices.into_iter().find(is_named).ok_or_else(|| format!("no {} here", filters.replace(':', " ")))
    }
}

/// Whether `name` is `cuda`, which means the first GPU, and `device` is that GPU.
fn is_first(name: &str, device: &str) -> bool {
    name == "cuda" && device == "cuda:0"
}

/// Why a known measurement cannot be reproduced.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// The row does not state enough.
    #[error("{id} does not state its {missing}, so nobody can repeat it")]
    Unstated {
        /// The measurement.
        id: String,
        /// The field.
        missing: Field,
    },
    /// The row is of a kind that the runner does not support.
    #[error("{id} cannot be repeated: {why}")]
    Impossible {
        /// The measurement.
        id: String,
        /// Why.
        why: String,
    },
}

/// The point that reproduces a measurement on a device of this machine, and the choices made where the row is silent.
///
/// # Errors
///
/// When the row does not state what was run, or the runner cannot do it.
pub fn reproduced(
    known: &Measurement,
    device: &str,
    data: impl Fn(&EntityId) -> InputData,
) -> Result<(PlanPoint, Vec<String>), ReproduceError> {
    let id = || known.id().to_owned();
    let impossible = |why: &str| ReproduceError::Impossible { id: id(), why: why.to_owned() };
    let needed = |field| known.text(field).ok_or_else(|| ReproduceError::Unstated { id: id(), missing: field });
    let mut chosen = Vec::new();

    let method = match known.text(Field::Protocol) {
        Some(name) => name.parse().map_or(&OWN_METHOD, TimingMethod::named),
        None => TimingMethod::of_source(known.source().as_str()).unwrap_or(&OWN_METHOD),
    };
    if method.name.is_none() {
        chosen.push(format!("the method of {} is not one the runner knows by name; its own is used", known.source()));
    }
    let network = needed(Field::Network)?.parse().map_err(|_| impossible("its network is not an id"))?;
    let stage: Stage = needed(Field::Stage)?.parse().map_err(|_| impossible("its stage is not a word"))?;
    if let Some(why) = method.objection(stage) {
        return Err(impossible(&why));
    }
    if known.devices() > 1 {
        return Err(impossible("it was measured on several devices at once"));
    }
    let precision = known.precision().unwrap_or_else(|| {
        chosen.push("its precision is not stated; fp32 is used".to_owned());
        Precision::Fp32
    });
    let batch = known.count(Field::BatchSize).and_then(|size| u32::try_from(size).ok());
    let batch = match (batch, method.total) {
        (Some(batch), _) => batch,
        // The batch size in the program of benchm-dl, according to its network's catalog entry.
        (None, true) => 128,
        (None, false) => return Err(ReproduceError::Unstated { id: id(), missing: Field::BatchSize }),
    };
    let dataset = known.entity(Field::Dataset);
    let real = method.total || known.data() == Some(Data::Real);
    let data = match (real, dataset) {
        (true, Some(dataset)) => data(&dataset),
        (true, None) => return Err(ReproduceError::Unstated { id: id(), missing: Field::Dataset }),
        (false, _) => InputData::Synthetic,
    };
    let point = PlanPoint {
        device: device.to_owned(),
        subject: MeasuredModel::Network(network),
        stage,
        precision,
        batch: Some(batch),
        shape: known.text(Field::InputShape).and_then(|shape| shape.parse().ok()),
        channels_last: known.text(Field::Layout) == Some("channels-last"),
        threads: None,
        allocator: known.text(Field::Allocator).and_then(|word| word.parse().ok()).unwrap_or(Allocator::System),
        // Our own throughput rows were timed as throughput.
        timing: match known.provenance() == Provenance::Measured && known.metric(Metric::ThroughputPerS).is_some() {
            true => Timing::Throughput,
            false => Timing::Latency,
        },
        data,
        method,
        worker: None,
        files: None,
    };
    Ok((point, chosen))
}
