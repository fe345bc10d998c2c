//! A prepared configuration: its input (random numbers, idx files, images), the work of one iteration, and its timing.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use dlbench_protocol::{Configuration, InputSource, IterationUnit, Ready, SgdUpdate, Timing};
use tch::nn::{Optimizer, OptimizerConfig};
use tch::{Cuda, Device, Kind, Tensor, nn};

use crate::built_model::{BuiltModel, channels_last};
use crate::failure::WorkerFailure;
use crate::libtorch::Events;
use crate::networks::network::MEMORY_COPY;
use crate::precision::{ComputeRecipe, GradientScaler};
use crate::{built_model, count, layers, libtorch, stated};

/// Iterations of the empty loop that measures the overhead of timing.
const EMPTY_TURNS: u32 = 10_000;

/// GPU memory is sampled only after each of the first iterations (warm-up): libtorch never returns memory it has allocated.
const MEMORY_LOOKS: u64 = 10;

/// Maximum attempts at a scaled update: the gradient scaler starts at 65536 and halves its factor after each overflow.
const MOST_SCALINGS: u32 = 17;

/// What an iteration runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Eval,
    Train,
    Forward,
    Backward,
}

/// The model, its data and everything else that an iteration needs.
pub struct Workload {
    subject: BuiltModel,
    device: Device,
    recipe: ComputeRecipe,
    stage: Stage,
    unit: IterationUnit,
    timing: Timing,
    batch: i64,
    channels_last: bool,
    optimizer: Option<(Optimizer, SgdUpdate)>,
    scaler: Option<GradientScaler>,
    updates: u64,
    fixed: Option<(Tensor, Tensor)>,
    set: Option<(LabelledData, bool)>,
    /// Index batches of real data that remain in the current pass.
    rest: Vec<Tensor>,
    events: Option<Events>,
    last_loss: Option<Tensor>,
    least_free: Option<usize>,
    iterations: u64,
    data: InputSource,
}

/// The time of one iteration, ns.
pub struct RunSample {
    pub host_ns: u64,
    pub device_ns: Option<u64>,
}

impl Workload {
    /// Builds the model, its data and its optimiser; nothing is timed.
    pub fn prepare(c: &Configuration, device: Device) -> Result<(Self, Ready), WorkerFailure> {
        let recipe = ComputeRecipe::of(&c.precision, device)?;
        let stage = match c.stage.as_str() {
            "eval" => Stage::Eval,
            "train" => Stage::Train,
            "forward" => Stage::Forward,
            "backward" => Stage::Backward,
            other => return Err(WorkerFailure::unsupported(format!("this worker does not time the stage `{other}`"))),
        };
        tch::manual_seed(c.seed as i64);
        if let Some(threads) = c.threads {
            tch::set_num_threads(threads as i32);
        }
        if let Device::Cuda(ordinal) = device {
            Cuda::manual_seed_all(c.seed);
            libtorch::select_gpu(ordinal as i32);
        }
        let shape = c.input_shape.as_deref();
        let start = Instant::now();
        let subject = match (&c.network, &c.module) {
            (Some(id), None) => BuiltModel::network(id, shape, device, recipe.kind)?,
            (None, Some(path)) if stage == Stage::Eval => BuiltModel::module(path, shape, device, recipe.kind)?,
            (None, Some(_)) => return Err(WorkerFailure::unsupported("a TorchScript file is measured in `eval` only")),
            _ => {
                return Err(WorkerFailure::crashed(
                    "a configuration names a network or a module, and one of them only",
                ));
            }
        };
        if let Some(folder) = &c.model_files {
            built_model::load_weights(&subject.variables, folder)?;
        }
        let load_s = start.elapsed().as_secs_f64();
        let copying = c.network.as_deref() == Some(MEMORY_COPY);
        if copying && stage != Stage::Eval {
            return Err(WorkerFailure::unsupported("copying memory has no backward pass"));
        }
        let (multiply_adds, attention) = match c.module {
            Some(_) => (None, None),
            None => inspect_network(&subject, recipe, stage, device),
        };
        if device.is_cuda() {
            // As benchmarks do: cuDNN searches for its fastest algorithm. Set only now, so that it searches at the timed batch.
            Cuda::cudnn_set_benchmark(true);
        }
        let mut stated = stated::fields(device, &c.precision, recipe, c.module.is_some());
        stated.extend(attention.map(|kernel| ("attention-backend".to_owned(), kernel.to_owned())));
        if c.channels_last {
            tch::no_grad(|| {
                for mut variable in subject.variables.trainable_variables() {
                    variable.set_data(&channels_last(&variable));
                }
            });
        }
        let set = match &c.data {
            InputSource::Synthetic => None,
            InputSource::Folder { path, timed } => Some((LabelledData::open(path, true)?, *timed)),
        };
        if c.unit == IterationUnit::Epoch && set.is_none() {
            return Err(WorkerFailure::unsupported("an epoch needs real data"));
        }
        let optimizer = match (stage, c.update) {
            (Stage::Train, Some(update)) => {
                let sgd = nn::sgd(update.momentum, 0.0, 0.0, false);
                Some((sgd.build(&subject.variables, update.rate)?, update))
            }
            _ => None,
        };
        let learns = matches!(stage, Stage::Train | Stage::Backward);
        let new_scaler = || match learns && recipe.scales_gradients() {
            true => GradientScaler::new(device).map(Some),
            false => Ok(None),
        };
        let mut workload = Self {
            device,
            recipe,
            stage,
            unit: c.unit,
            timing: c.timing,
            batch: i64::from(c.batch_size),
            channels_last: c.channels_last,
            optimizer,
            scaler: new_scaler()?,
            updates: 0,
            fixed: None,
            set,
            rest: Vec::new(),
            events: if device.is_cuda() { Events::new() } else { None },
            last_loss: None,
            least_free: None,
            iterations: 0,
            data: c.data.clone(),
            subject,
        };
        if workload.set.is_none() {
            let (x, labels) = workload.subject.synthetic_batch(workload.batch, recipe.kind, device);
            workload.fixed = Some((workload.laid_out(x), labels));
        }
        let outputs = c.model_files.as_ref().map(|folder| workload.answers(folder)).transpose()?;
        let updated_outputs = match &c.model_files {
            Some(folder) if learns => workload.answers_after_update(folder)?,
            _ => None,
        };
        workload.scaler = new_scaler()?;
        let ready = Ready {
            parameters: Some(workload.subject.parameters()),
            multiply_adds: multiply_adds.map(|count| count as u64).filter(|&count| count > 0),
            bytes_moved: copying.then(|| 2 * workload.bytes_of_input()),
            input_shape: Some(workload.subject.shape.clone()),
            counts: Some(workload.subject.counts.to_owned()),
            samples_per_iteration: match (&workload.set, c.unit) {
                (Some((set, _)), IterationUnit::Epoch) => Some(set.len() as u64),
                _ => None,
            },
            timed: workload.timed(),
            overhead_ns: Some(workload.overhead()),
            threads: Some(tch::get_num_threads() as u32),
            stated,
            outputs,
            updated_outputs,
            load_s: Some(load_s),
            ..Ready::default()
        };
        Ok((workload, ready))
    }

    /// Outputs for the samples in the network's files, computed the way iterations are; at most one batch of samples.
    fn answers(&self, folder: &Path) -> Result<Vec<Vec<f64>>, WorkerFailure> {
        let samples = built_model::samples(folder, &self.subject.shape)?;
        let count = samples.size()[0];
        let filled = Tensor::from_slice(&(0..self.batch).map(|place| place % count).collect::<Vec<i64>>());
        let x = samples.index_select(0, &filled).to_kind(self.recipe.kind).to_device(self.device);
        let y = tch::no_grad(|| self.pass(&self.laid_out(x), false)).to_kind(Kind::Double).to_device(Device::Cpu);
        let of_sample = |place| Vec::try_from(y.get(place).flatten(0, -1)).map_err(WorkerFailure::from);
        (0..self.batch.min(count)).map(of_sample).collect()
    }

    /// Like `answers`, but after the update that the files describe, in evaluation mode. Restores the weights afterwards.
    fn answers_after_update(&mut self, folder: &Path) -> Result<Option<Vec<Vec<f64>>>, WorkerFailure> {
        let Some(update) = built_model::update(folder)? else { return Ok(None) };
        // A batch filled with one sample has the same mean loss at any batch size.
        let first = Tensor::zeros([self.batch], (Kind::Int64, Device::Cpu));
        let x = built_model::samples(folder, &self.subject.shape)?.index_select(0, &first);
        let x = self.laid_out(x.to_kind(self.recipe.kind).to_device(self.device));
        let labels = Tensor::full([self.batch], update.label, (Kind::Int64, self.device));
        let mut optimizer = nn::sgd(0.0, 0.0, 0.0, false).build(&self.subject.variables, update.rate)?;
        // If the scaled gradients overflow, the scaler skips the update and lowers its factor.
        for _ in 0..MOST_SCALINGS {
            self.zero_gradients();
            let loss = self.loss_of(&self.pass(&x, false), &labels);
            self.backward(&loss);
            match &mut self.scaler {
                Some(scaler) => {
                    if scaler.step(&mut optimizer, &self.subject.variables.trainable_variables()) {
                        break;
                    }
                }
                None => {
                    optimizer.step();
                    break;
                }
            }
        }
        let answers = self.answers(folder)?;
        built_model::load_weights(&self.subject.variables, folder)?;
        self.zero_gradients();
        self.last_loss = None;
        Ok(Some(answers))
    }

    /// Runs and times one iteration.
    pub fn iterate(&mut self) -> Result<RunSample, WorkerFailure> {
        if self.unit == IterationUnit::Epoch {
            return self.epoch();
        }
        let timed_loading = matches!(&self.set, Some((_, true)));
        let mut batch = if timed_loading { None } else { Some(self.next()?) };
        let mut pending = None;
        if self.stage == Stage::Backward {
            let (x, labels) = batch.take().map_or_else(|| self.next(), Ok)?;
            let y = self.pass(&x, true);
            pending = Some(self.loss_of(&y, &labels));
        }
        self.synchronize();
        let start = Instant::now();
        if let Some(events) = &self.events {
            events.begin();
        }
        match pending {
            Some(loss) => self.backward(&loss),
            None => {
                let (x, labels) = batch.take().map_or_else(|| self.next(), Ok)?;
                self.step(&x, &labels);
            }
        }
        let device_ns = self.events.as_ref().and_then(Events::end);
        self.synchronize();
        let host_ns = start.elapsed().as_nanos() as u64;
        self.look_at_memory();
        self.iterations += 1;
        if self.stage == Stage::Backward {
            self.zero_gradients();
        }
        Ok(RunSample { host_ns, device_ns })
    }

    /// Runs `count` iterations back to back, without synchronising with the device in between, and times them as a whole.
    pub fn iterate_together(&mut self, count: u32) -> Result<RunSample, WorkerFailure> {
        let is_loaded_outside = matches!(&self.set, Some((_, false)));
        if self.unit == IterationUnit::Epoch || self.stage == Stage::Backward || is_loaded_outside {
            let why = "what lies between iterations and is not timed (an epoch's end, a forward pass, loading) cannot be left out of their throughput";
            return Err(WorkerFailure::unsupported(why));
        }
        self.synchronize();
        let start = Instant::now();
        if let Some(events) = &self.events {
            events.begin();
        }
        for _ in 0..count {
            let (x, labels) = self.next()?;
            self.step(&x, &labels);
        }
        let device_ns = self.events.as_ref().and_then(Events::end);
        self.synchronize();
        let host_ns = start.elapsed().as_nanos() as u64;
        self.look_at_memory();
        self.iterations += u64::from(count);
        Ok(RunSample { host_ns, device_ns })
    }

    /// The loss of the last iteration, even if it is not finite.
    pub fn loss(&self) -> Option<f64> {
        Some(self.last_loss.as_ref()?.double_value(&[]))
    }

    /// Counts wrong predictions and samples on the test part of the data.
    pub fn evaluate(&self) -> Result<(i64, i64), WorkerFailure> {
        let InputSource::Folder { path, .. } = &self.data else {
            return Err(WorkerFailure::unsupported("made-up data has no test part"));
        };
        let set = LabelledData::open(path, false)?;
        let mut wrong = 0;
        for rows in in_order(set.len(), self.batch) {
            let (x, labels) = set.batch(&rows, &self.subject.shape, self.recipe.kind, self.device)?;
            let answers = tch::no_grad(|| self.pass(&self.laid_out(x), false)).argmax(-1, false);
            wrong += i64::try_from(answers.not_equal_tensor(&labels).sum(Kind::Int64))?;
        }
        Ok((wrong, set.len()))
    }

    /// Peak memory in use on the device, sampled between iterations, in MiB; libtorch never returns memory it has allocated.
    pub fn device_memory_mib(&self) -> Option<f64> {
        let (_, total) = libtorch::gpu_memory()?;
        let used = total.checked_sub(self.least_free?)?;
        Some(used as f64 / f64::from(1 << 20))
    }

    fn look_at_memory(&mut self) {
        if self.iterations < MEMORY_LOOKS
            && let Some((free, _)) = self.events.as_ref().and_then(|_| libtorch::gpu_memory())
        {
            self.least_free = Some(self.least_free.map_or(free, |least| least.min(free)));
        }
    }

    fn epoch(&mut self) -> Result<RunSample, WorkerFailure> {
        let Some((set, _)) = &self.set else { return Err(WorkerFailure::crashed("an epoch without data")) };
        let batches = shuffled(set.len(), self.batch);
        self.synchronize();
        let start = Instant::now();
        for rows in batches {
            let Some((set, _)) = &self.set else { break };
            let (x, labels) = set.batch(&rows, &self.subject.shape, self.recipe.kind, self.device)?;
            let x = self.laid_out(x);
            self.step(&x, &labels);
        }
        self.synchronize();
        Ok(RunSample { host_ns: start.elapsed().as_nanos() as u64, device_ns: None })
    }

    fn step(&mut self, x: &Tensor, labels: &Tensor) {
        match self.stage {
            Stage::Eval => drop(tch::no_grad(|| self.pass(x, false))),
            Stage::Forward => drop(self.pass(x, true)),
            Stage::Train | Stage::Backward => {
                self.zero_gradients();
                let y = self.pass(x, true);
                let loss = self.loss_of(&y, labels);
                self.backward(&loss);
                if let Some((optimizer, update)) = &mut self.optimizer {
                    optimizer.set_lr(update.rate / (1.0 + update.decay * self.updates as f64));
                    match &mut self.scaler {
                        Some(scaler) => {
                            scaler.step(optimizer, &self.subject.variables.trainable_variables());
                        }
                        None => optimizer.step(),
                    }
                    self.updates += 1;
                }
            }
        }
    }

    fn backward(&mut self, loss: &Tensor) {
        match &self.scaler {
            Some(scaler) => scaler.scaled(loss).backward(),
            None => loss.backward(),
        }
        self.last_loss = Some(loss.detach());
    }

    fn pass(&self, x: &Tensor, train: bool) -> Tensor {
        self.recipe.apply(self.device, || self.subject.forward(x, train))
    }

    /// Computes the loss, in fp32 under mixed precision.
    fn loss_of(&self, y: &Tensor, labels: &Tensor) -> Tensor {
        self.recipe.apply(self.device, || self.subject.loss_of(y, labels))
    }

    /// Drops the gradients instead of filling them with zeros, as `set_to_none` of PyTorch's optimisers does.
    fn zero_gradients(&mut self) {
        match &mut self.optimizer {
            Some((optimizer, _)) => optimizer.zero_grad(),
            None => self.subject.variables.trainable_variables().iter_mut().for_each(Tensor::zero_grad),
        }
    }

    /// The next batch, on the device.
    fn next(&mut self) -> Result<(Tensor, Tensor), WorkerFailure> {
        if let Some((x, labels)) = &self.fixed {
            return Ok((x.shallow_clone(), labels.shallow_clone()));
        }
        let Some((set, _)) = &self.set else { return Err(WorkerFailure::crashed("nothing to put in")) };
        let rows = loop {
            match self.rest.pop() {
                // Skip the smaller batch at the end of a pass: it would be a different workload.
                Some(rows) if rows.size()[0] == self.batch.min(set.len()) => break rows,
                Some(_) => {}
                None => self.rest = shuffled(set.len(), self.batch),
            }
        };
        let (x, labels) = set.batch(&rows, &self.subject.shape, self.recipe.kind, self.device)?;
        Ok((self.laid_out(x), labels))
    }

    fn laid_out(&self, x: Tensor) -> Tensor {
        if self.channels_last { channels_last(&x) } else { x }
    }

    fn synchronize(&self) {
        if let Device::Cuda(ordinal) = self.device {
            Cuda::synchronize(ordinal as i64);
        }
    }

    fn bytes_of_input(&self) -> u64 {
        self.fixed.as_ref().map_or(0, |(x, _)| (x.numel() * x.kind().elt_size_in_bytes()) as u64)
    }

    /// Whether iterations are timed one by one (latency) or together (throughput).
    pub fn timing(&self) -> Timing {
        self.timing
    }

    /// Overhead of timing: the same loop with an empty body, in ns per iteration.
    fn overhead(&self) -> f64 {
        let mut sum = 0u128;
        let start = Instant::now();
        for _ in 0..EMPTY_TURNS {
            let turn = Instant::now();
            std::hint::black_box(&self.fixed);
            sum += turn.elapsed().as_nanos();
        }
        std::hint::black_box(sum);
        start.elapsed().as_nanos() as f64 / f64::from(EMPTY_TURNS)
    }

    fn timed(&self) -> String {
        let passes = match (self.stage, &self.optimizer) {
            (Stage::Eval, _) => "one forward pass",
            (Stage::Forward, _) => "one forward pass that keeps what the backward pass needs",
            (Stage::Backward, _) => "one backward pass",
            (Stage::Train, None) => "one forward and one backward pass",
            (Stage::Train, Some(_)) if self.scaler.is_some() => {
                "one forward pass, one backward pass of the scaled loss and one update of the weights (gradient scaler, SGD)"
            }
            (Stage::Train, Some(_)) => "one forward pass, one backward pass and one update of the weights (SGD)",
        };
        let passes = match self.timing {
            Timing::Latency => passes.to_owned(),
            Timing::Throughput => format!("{passes}, one after the other without waiting for the device in between"),
        };
        match (self.unit, &self.set) {
            (IterationUnit::Epoch, _) => {
                "a pass over the training data: loading, forward, backward and update".to_owned()
            }
            (IterationUnit::Batch, Some((_, true))) => format!("{passes}, with loading the batch"),
            (IterationUnit::Batch, _) => passes,
        }
    }
}

/// Multiply-adds of one sample's forward pass, counted while it runs on `device`; and the attention kernel, if the network has
/// attention.
fn inspect_network(
    subject: &BuiltModel,
    recipe: ComputeRecipe,
    stage: Stage,
    device: Device,
) -> (Option<i64>, Option<&'static str>) {
    let (x, _) = subject.synthetic_batch(1, recipe.kind, device);
    let pass = |train: bool| drop(recipe.apply(device, || subject.forward(&x, train)));
    let mut multiply_adds = None;
    let of_eval =
        layers::attention_kernel(|| multiply_adds = Some(count::count_during(|| tch::no_grad(|| pass(false)))));
    let attention = match stage {
        Stage::Eval => of_eval,
        // Dropout and the needs of the backward pass may select a different kernel.
        _ => of_eval.and_then(|_| layers::attention_kernel(|| pass(true))),
    };
    (multiply_adds, attention)
}

/// Samples and their labels; the samples are bytes in host memory or image files.
pub struct LabelledData {
    samples: Samples,
    labels: Tensor,
}

enum Samples {
    /// `[n, channels, height, width]` bytes.
    Loaded(Tensor),
    /// Image files, read and decoded on demand.
    Files(Vec<PathBuf>),
}

impl LabelledData {
    /// Opens the training part (`train` true) or test part of a folder: idx files under their usual names, or one folder of images
    /// per class (below `train/`, and `test/` or `val/`, if the folder has parts).
    pub fn open(folder: &Path, train: bool) -> Result<Self, WorkerFailure> {
        let stem = if train { "train" } else { "t10k" };
        let images = folder.join(format!("{stem}-images-idx3-ubyte"));
        if images.exists() {
            let samples = idx(&images)?.unsqueeze(1);
            let labels = idx(&folder.join(format!("{stem}-labels-idx1-ubyte")))?.to_kind(Kind::Int64);
            return Ok(Self { samples: Samples::Loaded(samples), labels });
        }
        let parts = if train { &["train"][..] } else { &["test", "val"] };
        let part = parts.iter().map(|name| folder.join(name)).find(|part| part.is_dir());
        images_of(&part.unwrap_or_else(|| folder.to_owned()))
    }

    /// Number of samples.
    pub fn len(&self) -> i64 {
        self.labels.size()[0]
    }

    /// A batch scaled to the range 0 to 1, and its labels, on `device`.
    pub fn batch(
        &self,
        rows: &Tensor,
        shape: &[i64],
        kind: Kind,
        device: Device,
    ) -> Result<(Tensor, Tensor), WorkerFailure> {
        let labels = self.labels.index_select(0, rows).to_device(device);
        let samples = match &self.samples {
            Samples::Loaded(all) => all.index_select(0, rows),
            Samples::Files(files) => {
                let wanted = Vec::<i64>::try_from(rows)?;
                let images: Result<Vec<Tensor>, _> = wanted
                    .iter()
                    .map(|&row| tch::vision::image::load_and_resize(&files[row as usize], shape[2], shape[1]))
                    .collect();
                Tensor::stack(&images?, 0)
            }
        };
        if samples.size()[1..] != *shape {
            return Err(WorkerFailure::unsupported(format!(
                "the data has samples of {:?}, the network takes {shape:?}",
                &samples.size()[1..]
            )));
        }
        Ok((samples.to_device(device).to_kind(kind) / 255.0, labels))
    }
}

/// Sample indices of one pass: shuffled and split into batches, the last one possibly smaller.
pub fn shuffled(samples: i64, batch: i64) -> Vec<Tensor> {
    Tensor::randperm(samples, (Kind::Int64, Device::Cpu)).split(batch, 0)
}

/// Sample indices in file order, split into batches.
pub fn in_order(samples: i64, batch: i64) -> Vec<Tensor> {
    Tensor::arange(samples, (Kind::Int64, Device::Cpu)).split(batch, 0)
}

/// Reads an idx file of bytes: 0, 0, 8, the number of dimensions, their extents (big-endian), then the bytes.
fn idx(path: &Path) -> Result<Tensor, WorkerFailure> {
    let wrong = |what: &str| WorkerFailure::crashed(format!("{}: {what}", path.display()));
    let bytes = fs::read(path).map_err(|error| wrong(&error.to_string()))?;
    let [0, 0, 8, rank, ..] = bytes[..] else { return Err(wrong("no idx file of bytes")) };
    let start = 4 + 4 * usize::from(rank);
    let header = bytes.get(4..start).ok_or_else(|| wrong("the file ends in its header"))?;
    let extents: Vec<i64> =
        header.chunks_exact(4).map(|word| word.iter().fold(0, |sum, &byte| sum << 8 | i64::from(byte))).collect();
    let content = &bytes[start..];
    if content.len() as i64 != extents.iter().product::<i64>() {
        return Err(wrong("the file does not have as many bytes as its header says"));
    }
    Ok(Tensor::f_from_data_size(content, &extents, Kind::Uint8)?)
}

fn images_of(folder: &Path) -> Result<LabelledData, WorkerFailure> {
    let wrong = |what: String| WorkerFailure::crashed(format!("{}: {what}", folder.display()));
    let listed = |folder: &Path| -> Result<Vec<PathBuf>, WorkerFailure> {
        let entries = fs::read_dir(folder).and_then(|entries| entries.map(|e| Ok(e?.path())).collect());
        let mut paths: Vec<PathBuf> = entries.map_err(|error: std::io::Error| wrong(error.to_string()))?;
        paths.sort();
        Ok(paths)
    };
    let classes: Vec<PathBuf> = listed(folder)?.into_iter().filter(|path| path.is_dir()).collect();
    let (mut files, mut labels) = (Vec::new(), Vec::new());
    for (class, path) in classes.iter().enumerate() {
        for file in listed(path)? {
            let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            if ["jpg", "jpeg", "png", "bmp"].contains(&extension.as_str()) {
                files.push(file);
                labels.push(class as i64);
            }
        }
    }
    if files.is_empty() {
        return Err(wrong("neither idx files nor a folder of images for each class".to_owned()));
    }
    Ok(LabelledData { samples: Samples::Files(files), labels: Tensor::from_slice(&labels) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idx_file_is_read_and_a_broken_one_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let mut bytes = vec![0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3];
        bytes.extend([1, 2, 3, 4, 5, 6]);
        fs::write(&path, &bytes).unwrap();
        assert_eq!(idx(&path).unwrap().size(), [2, 3]);
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(idx(&path).unwrap_err().message.contains("as many bytes"));
        fs::write(&path, b"PNG").unwrap();
        assert!(idx(&path).unwrap_err().message.contains("no idx file"));
    }
}
