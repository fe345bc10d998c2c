//! What is prepared of a configuration: the network, and a batch that goes in.

use std::path::Path;
use std::time::Instant;

use candle_core::{Device, Tensor};
use dlbench_protocol::{Configuration, InputSource, IterationUnit, Ready, Timing};

use crate::greeting;
use crate::network::Network;

/// Uniform numbers whose sum is nearly normal, with a variance of 1.
const SUMMED: usize = 12;

/// Something that can be iterated.
pub struct Workload {
    network: Network,
    batch: Tensor,
    /// What is waited for.
    pub timing: Timing,
}

/// Why a configuration cannot be prepared.
pub struct Refusal {
    /// `unsupported` or `crashed`.
    pub outcome: &'static str,
    /// In one line.
    pub message: String,
}

impl From<candle_core::Error> for Refusal {
    fn from(error: candle_core::Error) -> Self {
        Self { outcome: "crashed", message: error.to_string() }
    }
}

fn unsupported(message: impl Into<String>) -> Refusal {
    Refusal { outcome: "unsupported", message: message.into() }
}

impl Workload {
    /// Prepares a configuration, and what is said of it.
    ///
    /// # Errors
    ///
    /// When this worker cannot do it, or candle fails.
    pub fn prepared(configuration: &Configuration) -> Result<(Self, Ready), Refusal> {
        let Configuration { network, stage, precision, device, .. } = configuration;
        let name = network.as_deref().unwrap_or_default();
        if !greeting::networks().iter().any(|known| known == name) {
            return Err(unsupported(format!("this worker has no network `{name}`")));
        }
        if stage != greeting::STAGE {
            return Err(unsupported(format!("this worker runs networks forward only, and has no stage `{stage}`")));
        }
        if precision != greeting::PRECISION {
            return Err(unsupported(format!("this worker does not compute in {precision}")));
        }
        if device != "cpu" {
            return Err(unsupported(format!("this worker computes on the CPU, not on `{device}`")));
        }
        if configuration.channels_last {
            return Err(unsupported("this worker takes images with their channels first"));
        }
        if configuration.unit != IterationUnit::Batch || configuration.data != InputSource::Synthetic {
            return Err(unsupported("this worker measures batches of made-up data"));
        }
        let files = configuration.model_files.as_deref();
        let files = files.ok_or_else(|| {
            unsupported("this worker needs the files of a network, which `dlbench run --framework` hands over")
        })?;
        if let Some(threads) = configuration.threads {
            use_threads(threads);
        }
        let start = Instant::now();
        let network = Network::of(&files.join("network.onnx")).map_err(unsupported)?;
        let load_s = start.elapsed().as_secs_f64();
        let shape = shape_of(name, configuration.input_shape.as_deref());
        let batch = configuration.batch_size as usize;
        let outputs = answers(&network, files, &shape, batch)?;
        let mut timed = "one forward pass".to_owned();
        if configuration.timing == Timing::Throughput {
            timed.push_str(", one after the other without waiting for the device in between");
        }
        let stated = [
            ("mode", "eager".to_owned()),
            ("api-language", "Rust".to_owned()),
            ("kernel-library", "gemm".to_owned()),
            ("reduced-precision", "not allowed".to_owned()),
            ("software", greeting::software()),
        ];
        let ready = Ready {
            parameters: Some(network.parameters),
            input_shape: Some(shape.iter().map(|extent| *extent as i64).collect()),
            counts: Some("image".to_owned()),
            timed,
            overhead_ns: Some(overhead_ns()),
            threads: u32::try_from(candle_core::utils::get_num_threads()).ok(),
            stated: stated.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
            outputs: Some(outputs),
            load_s: Some(load_s),
            ..Ready::default()
        };
        let batch = made_up(configuration.seed, batch, &shape)?;
        Ok((Self { network, batch, timing: configuration.timing }, ready))
    }

    /// One iteration.
    ///
    /// # Errors
    ///
    /// When candle fails.
    pub fn step(&self) -> candle_core::Result<()> {
        self.network.forward(&self.batch).map(drop)
    }
}

/// candle and rayon below it ask the environment how many threads to use.
fn use_threads(threads: u32) {
    // SAFETY: nothing has been computed yet, so that no other thread is there to read the environment meanwhile.
    unsafe { std::env::set_var("RAYON_NUM_THREADS", threads.to_string()) }
}

/// One sample, channels first.
fn shape_of(network: &str, asked: Option<&[i64]>) -> Vec<usize> {
    let own = if network == "inception-v3" { [3, 299, 299] } else { [3, 224, 224] };
    asked.unwrap_or(&own).iter().map(|extent| extent.unsigned_abs() as usize).collect()
}

/// The answers to the samples of the files, computed as iterations are: the batch is filled with them again and again.
fn answers(network: &Network, files: &Path, shape: &[usize], batch: usize) -> Result<Vec<Vec<f64>>, Refusal> {
    let path = files.join("input.f32");
    let unread = |why: String| unsupported(format!("{}: {why}", path.display()));
    let bytes = std::fs::read(&path).map_err(|error| unread(error.to_string()))?;
    let numbers: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let size: usize = shape.iter().product();
    let samples = numbers.len() / size.max(1);
    if samples == 0 {
        return Err(unread("it holds no whole sample".to_owned()));
    }
    let filled: Vec<f32> =
        (0..batch).flat_map(|at| &numbers[at % samples * size..(at % samples + 1) * size]).copied().collect();
    let asked = batch.min(samples);
    let input = Tensor::from_vec(filled, [&[batch][..], shape].concat(), &Device::Cpu)?;
    let outputs = network.forward(&input)?.flatten_from(1)?.narrow(0, 0, asked)?.to_vec2::<f32>()?;
    if outputs.iter().flatten().any(|number| !number.is_finite()) {
        return Err(Refusal { outcome: "crashed", message: "the outputs hold what is no number".to_owned() });
    }
    Ok(outputs.into_iter().map(|sample| sample.into_iter().map(f64::from).collect()).collect())
}

/// A batch of random numbers, of which the seed decides.
fn made_up(seed: u64, batch: usize, shape: &[usize]) -> Result<Tensor, Refusal> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut normal = || (0..SUMMED).map(|_| random.f32()).sum::<f32>() - SUMMED as f32 / 2.0;
    let count = batch * shape.iter().product::<usize>();
    let numbers: Vec<f32> = std::iter::repeat_with(&mut normal).take(count).collect();
    Ok(Tensor::from_vec(numbers, [&[batch][..], shape].concat(), &Device::Cpu)?)
}

/// What reading the clock costs, ns.
fn overhead_ns() -> f64 {
    const TURNS: u32 = 10_000;
    let start = Instant::now();
    for _ in 0..TURNS {
        std::hint::black_box(Instant::now());
    }
    start.elapsed().as_nanos() as f64 / f64::from(TURNS)
}
