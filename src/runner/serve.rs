//! The worker's side of the protocol: one request per line in, one event per line out.

use std::collections::BTreeMap;
use std::io;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use dlbench_protocol::{
    Capability, Configuration, DeviceInfo, Event, Hello, SystemUsage, Timing, VERSION, WorkerRequest,
};
use tch::{Cuda, Device};

use crate::failure::WorkerFailure;
use crate::networks::network::MEMORY_COPY;
use crate::precision::ComputeRecipe;
use crate::stated::WORKER;
use crate::workload::Workload;
use crate::{libtorch, networks};

/// The torch release that this build of the worker needs.
const LIBTORCH: &str = "2.11.0";

/// The commit that the worker was built from, if the build set it. It is compiled into this small program because everything
/// that contains it is rebuilt after each commit.
const COMMIT: Option<&str> = option_env!("DLBENCH_COMMIT");

/// Serves requests until `finish`, a failure, or the end of the input.
pub fn serve(input: impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let cuda = libtorch::load_cuda();
    let mut server = Server { workload: None };
    send(output, &Event::Hello(hello(&cuda)))?;
    for line in input.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let event = match serde_json::from_str::<WorkerRequest>(&line) {
            Err(error) => failed(WorkerFailure::crashed(format!("not a request: {error}"))),
            Ok(request) => match catch_unwind(AssertUnwindSafe(|| server.answer(&request))) {
                Ok(Ok(event)) => event,
                Ok(Err(failure)) => failed(failure),
                Err(panic) => failed(WorkerFailure::of_panic(&*panic)),
            },
        };
        send(output, &event)?;
        if matches!(event, Event::Done { .. } | Event::Failed { .. }) {
            break;
        }
    }
    Ok(())
}

struct Server {
    workload: Option<Workload>,
}

impl Server {
    fn answer(&mut self, request: &WorkerRequest) -> Result<Event, WorkerFailure> {
        match request {
            WorkerRequest::Prepare { configuration } => {
                let device = device(configuration)?;
                let (workload, ready) = Workload::prepare(configuration, device)?;
                self.workload = Some(workload);
                Ok(Event::Ready(ready))
            }
            WorkerRequest::Iterate { count } => {
                let workload = self.prepared()?;
                let (mut host_ns, mut device_ns) = (Vec::new(), Vec::new());
                let before = libtorch::system_usage();
                let times: Result<Vec<_>, WorkerFailure> = match workload.timing() {
                    Timing::Latency => (0..*count).map(|_| workload.iterate()).collect(),
                    Timing::Throughput => workload.iterate_together(*count).map(|sample| vec![sample]),
                };
                for sample in times? {
                    host_ns.push(sample.host_ns);
                    device_ns.extend(sample.device_ns);
                }
                let device_ns = (device_ns.len() == host_ns.len()).then_some(device_ns);
                let usage = before.zip(libtorch::system_usage()).map(|(before, after)| SystemUsage {
                    minor_faults: after.minor_faults - before.minor_faults,
                    major_faults: after.major_faults - before.major_faults,
                    system_ns: after.system_ns - before.system_ns,
                });
                let loss = workload.loss();
                let diverged = loss.is_some_and(|loss| !loss.is_finite());
                Ok(Event::Samples { host_ns, device_ns, loss: loss.filter(|_| !diverged), diverged, usage })
            }
            WorkerRequest::Evaluate => {
                let (wrong, samples) = self.prepared()?.evaluate()?;
                Ok(Event::Evaluated { error_rate: wrong as f64 / samples.max(1) as f64, samples: samples as u64 })
            }
            WorkerRequest::Export { .. } => Err(WorkerFailure::unsupported("this worker writes no files of a network")),
            WorkerRequest::Finish => {
                Ok(Event::Done { device_memory_mib: self.workload.as_ref().and_then(Workload::device_memory_mib) })
            }
        }
    }

    fn prepared(&mut self) -> Result<&mut Workload, WorkerFailure> {
        self.workload.as_mut().ok_or_else(|| WorkerFailure::crashed("nothing was prepared"))
    }
}

fn device(configuration: &Configuration) -> Result<Device, WorkerFailure> {
    let name = configuration.device.as_str();
    if name == "cpu" {
        return Ok(Device::Cpu);
    }
    let ordinal = match name.split_once(':') {
        None if name == "cuda" => Some(0),
        Some(("cuda", ordinal)) => ordinal.parse::<usize>().ok(),
        _ => None,
    };
    let ordinal =
        ordinal.ok_or_else(|| WorkerFailure::unsupported(format!("`{name}` is not a device: cpu, cuda:0 …")))?;
    let there = Cuda::device_count();
    if (ordinal as i64) < there {
        return Ok(Device::Cuda(ordinal));
    }
    Err(WorkerFailure::unsupported(match there {
        0 => "CUDA not available: no GPU, no driver, or a libtorch without CUDA".to_owned(),
        _ => format!("there are {there} GPUs, counted from 0"),
    }))
}

fn hello(cuda: &Result<bool, String>) -> Hello {
    let computes_on = |device: Device, pci: Option<String>| {
        let id = match device {
            Device::Cuda(ordinal) => format!("cuda:{ordinal}"),
            _ => "cpu".to_owned(),
        };
        let precisions = ComputeRecipe::precisions(device).map(str::to_owned).collect();
        DeviceInfo { id, name: None, pci, precisions }
    };
    let mut devices = vec![computes_on(Device::Cpu, None)];
    let mut build = BTreeMap::new();
    if let Some(commit) = COMMIT.filter(|commit| !commit.is_empty()) {
        build.insert("commit".to_owned(), commit.to_owned());
    }
    let configuration = libtorch::build_configuration();
    let lines = configuration.lines().map(|line| line.trim().trim_start_matches("- ").trim_end_matches([',', ' ']));
    let mut parts = Vec::new();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("PyTorch built with")) {
        match line.split_once(": ") {
            Some((key, value)) => {
                drop(build.insert(key.to_lowercase().replace("c++", "cpp").replace(' ', "-"), value.to_owned()));
            }
            None => parts.push(line),
        }
    }
    build.insert("built-with".to_owned(), parts.join("; "));
    build.insert("inter-op-threads".to_owned(), tch::get_num_interop_threads().to_string());
    match cuda {
        Ok(true) => {
            for ordinal in 0..Cuda::device_count() {
                devices.push(computes_on(Device::Cuda(ordinal as usize), libtorch::pci_address(ordinal as i32)));
            }
            if Cuda::device_count() > 0 {
                build.insert("cuda".to_owned(), cuda_version(tch::utils::version_cudart()));
                build.insert("cudnn".to_owned(), cudnn_version(tch::utils::version_cudnn()));
            }
        }
        Ok(false) => {}
        Err(why) => drop(build.insert("cuda-not-loaded".to_owned(), why.clone())),
    }
    let ids = || networks::all().map(|network| network.id.to_owned());
    let mut precisions: Vec<String> = Vec::new();
    for precision in devices.iter().flat_map(|device| &device.precisions) {
        if !precisions.contains(precision) {
            precisions.push(precision.clone());
        }
    }
    let can = |networks: Vec<String>, stages: &[&str]| Capability {
        networks,
        stages: stages.iter().map(|&stage| stage.to_owned()).collect(),
        precisions: precisions.clone(),
    };
    Hello {
        protocol: VERSION,
        worker: WORKER.to_owned(),
        framework: "pytorch".to_owned(),
        framework_version: LIBTORCH.to_owned(),
        devices,
        networks: ids().collect(),
        // The memory copy has no backward pass.
        capabilities: vec![
            can(ids().filter(|id| id != MEMORY_COPY).collect(), &["eval", "train", "forward", "backward"]),
            can(vec![MEMORY_COPY.to_owned()], &["eval"]),
        ],
        model_files: true,
        build,
        ..Hello::default()
    }
}

/// CUDA encodes 13.0 as 13000.
fn cuda_version(number: i64) -> String {
    format!("{}.{}", number / 1000, number % 1000 / 10)
}

/// cuDNN encodes 9.19.0 as 91900.
fn cudnn_version(number: i64) -> String {
    format!("{}.{}.{}", number / 10_000, number % 10_000 / 100, number % 100)
}

fn failed(failure: WorkerFailure) -> Event {
    Event::Failed { outcome: failure.outcome.to_owned(), message: failure.message }
}

fn send(output: &mut impl Write, event: &Event) -> io::Result<()> {
    serde_json::to_writer(&mut *output, event)?;
    output.write_all(b"\n")?;
    output.flush()
}

/// Asks the kernel to kill this process when its parent dies for any reason.
///
/// The end of standard input, which [`crate::serve`] treats as the end of the session, is not enough: it is noticed only between
/// requests.
pub fn end_with_parent() {
    // SAFETY: PR_SET_PDEATHSIG takes a signal number and touches no memory.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use serde_json::{Value, json};

    use super::*;

    /// A process has one random number generator and one thread count, so the tests take turns.
    static TURN: Mutex<()> = Mutex::new(());

    /// The worker's events for these requests, without its greeting.
    fn talk(requests: &[Value]) -> Vec<Value> {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
        let mut output = Vec::new();
        serve(input.as_bytes(), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let mut events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let hello = events.remove(0);
        assert_eq!((&hello["event"], &hello["protocol"]), (&json!("hello"), &json!(VERSION)));
        events
    }

    fn lenet(changes: Value) -> Value {
        let mut configuration =
            json!({ "device": "cpu", "network": "lenet", "stage": "eval", "precision": "fp32", "batch_size": 4 });
        configuration.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        json!({ "do": "prepare", "configuration": configuration })
    }

    #[test]
    fn every_stage_and_precision_of_the_cpu_gives_as_many_times_as_were_asked_for() {
        for stage in ["eval", "train", "forward", "backward"] {
            for precision in ["fp64", "fp32", "fp16", "bf16", "amp-fp16", "amp-bf16"] {
                let changes = json!({ "stage": stage, "precision": precision, "update": { "rate": 0.01 } });
                let events = talk(&[lenet(changes), json!({ "do": "iterate", "count": 3 }), json!({ "do": "finish" })]);
                assert_eq!(events[0]["parameters"], 61_706, "{stage} {precision}: {}", events[0]);
                let times =
                    events[1]["host_ns"].as_array().unwrap_or_else(|| panic!("{stage} {precision}: {events:?}"));
                assert_eq!(times.len(), 3);
                assert!(times.iter().all(|time| time.as_u64().unwrap() > 0));
                assert!(events[1]["usage"]["minor_faults"].is_u64(), "{}", events[1]);
                assert_eq!(events[2]["event"], "done");
            }
        }
    }

    #[test]
    fn it_states_how_it_computes() {
        let stated = talk(&[lenet(json!({}))])[0]["stated"].clone();
        assert_eq!((&stated["mode"], &stated["api-language"]), (&json!("eager"), &json!("Rust")), "{stated}");
        assert_eq!((&stated["reduced-precision"], &stated["attention-backend"]), (&json!("not allowed"), &Value::Null));
        assert!(stated["kernel-library"].as_str().unwrap().starts_with("oneDNN "), "{stated}");
        assert!(stated["software"].as_str().unwrap().contains("tch "), "{stated}");
        // For the CPU libtorch has a fused attention kernel without dropout, and none with dropout.
        let gpt = |stage: &str| {
            let changes =
                json!({ "network": "dlbench-gpt-2-small", "stage": stage, "batch_size": 1, "input_shape": [4] });
            talk(&[lenet(changes)])[0]["stated"]["attention-backend"].clone()
        };
        assert_eq!((gpt("eval"), gpt("train")), (json!("flash"), json!("math")));
    }

    #[test]
    fn fp16_mixed_precision_trains_with_a_gradient_scaler() {
        let changes = json!({ "stage": "train", "precision": "amp-fp16", "update": { "rate": 0.01 } });
        let events = talk(&[lenet(changes), json!({ "do": "iterate", "count": 3 })]);
        assert!(events[0]["timed"].as_str().unwrap().contains("gradient scaler"), "{}", events[0]);
        // Without unscaling, the loss over ten classes would be 65536 times as large.
        let loss = events[1]["loss"].as_f64().unwrap_or_else(|| panic!("{events:?}"));
        assert!((1.0..4.0).contains(&loss), "{loss}");
    }

    #[test]
    fn a_throughput_is_timed_over_all_iterations_together() {
        let iterate = json!({ "do": "iterate", "count": 5 });
        let events = talk(&[lenet(json!({ "stage": "train", "timing": "throughput" })), iterate.clone()]);
        assert!(events[0]["timed"].as_str().unwrap().contains("without waiting"), "{}", events[0]);
        assert_eq!(events[1]["host_ns"].as_array().unwrap().len(), 1, "{}", events[1]);
        let events = talk(&[lenet(json!({ "stage": "backward", "timing": "throughput" })), iterate]);
        assert_eq!(events[1]["outcome"], "unsupported");
    }

    #[test]
    fn what_cannot_be_done_is_an_outcome_with_a_reason() {
        for (changes, reason) in [
            (json!({ "device": "cuda:0" }), "CUDA not available"),
            (json!({ "precision": "tf32" }), "GPUs"),
            (json!({ "precision": "int4" }), "int4"),
            (json!({ "network": "no-such-net" }), "no-such-net"),
            (json!({ "stage": "decode" }), "decode"),
            (json!({ "input_shape": [3, 224] }), "extents"),
            (json!({ "unit": "epoch" }), "real data"),
        ] {
            let events = talk(&[lenet(changes), json!({ "do": "iterate", "count": 1 })]);
            assert_eq!(events.len(), 1, "the worker ends: {events:?}");
            assert_eq!((&events[0]["event"], &events[0]["outcome"]), (&json!("failed"), &json!("unsupported")));
            assert!(events[0]["message"].as_str().unwrap().contains(reason), "{}", events[0]);
        }
        assert_eq!(talk(&[json!({ "do": "dance" })])[0]["outcome"], "crashed");
    }

    #[test]
    fn more_memory_than_there_is_ends_as_oom() {
        let huge = json!({ "network": "dlbench-memory-copy", "batch_size": 4_000_000 });
        assert_eq!(talk(&[lenet(huge)])[0]["outcome"], "oom");
    }

    #[test]
    fn a_torchscript_file_is_measured() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("double.pt");
        let x = tch::Tensor::ones([1, 3], (tch::Kind::Float, Device::Cpu));
        let mut double = |inputs: &[tch::Tensor]| vec![&inputs[0] * 2];
        tch::CModule::create_by_tracing("Double", "forward", &[x], &mut double).unwrap().save(&path).unwrap();
        let changes = json!({ "network": null, "module": path, "input_shape": [3] });
        let events = talk(&[lenet(changes), json!({ "do": "iterate", "count": 2 })]);
        assert_eq!(events[1]["host_ns"].as_array().unwrap().len(), 2, "{events:?}");
    }

    #[test]
    fn training_on_real_data_learns() {
        let folder = tempfile::tempdir().unwrap();
        write_bars(folder.path(), "train", 600);
        write_bars(folder.path(), "t10k", 100);
        let changes = json!({
            "network": "benchm-dl-mnist-cnn", "stage": "train", "batch_size": 20, "unit": "epoch",
            "update": { "rate": 0.02, "momentum": 0.9, "decay": 1e-5 },
            "data": { "from": "folder", "path": folder.path(), "timed": true },
        });
        let iterate = json!({ "do": "iterate", "count": 6 });
        let events = talk(&[lenet(changes), iterate, json!({ "do": "evaluate" })]);
        assert_eq!(events[0]["samples_per_iteration"], 600, "{events:?}");
        assert_eq!(events[2]["samples"], 100);
        assert!(events[2]["error_rate"].as_f64().unwrap() < 0.05, "{}", events[2]);
    }

    /// Ten classes that are easy to tell apart: each has a bright row at its own height.
    fn write_bars(folder: &std::path::Path, stem: &str, count: u32) {
        let header = |magic: u32, extents: &[u32]| -> Vec<u8> {
            [magic].iter().chain(extents).flat_map(|word| word.to_be_bytes()).collect()
        };
        let mut images = header(0x0803, &[count, 28, 28]);
        let mut labels = header(0x0801, &[count]);
        for at in 0..count {
            let class = (at * 7 % 10) as u8;
            labels.push(class);
            images.extend((0..28u8).flat_map(|row| [if row / 2 == class + 2 { 255 } else { row * 3 }; 28]));
        }
        std::fs::write(folder.join(format!("{stem}-images-idx3-ubyte")), images).unwrap();
        std::fs::write(folder.join(format!("{stem}-labels-idx1-ubyte")), labels).unwrap();
    }
}
