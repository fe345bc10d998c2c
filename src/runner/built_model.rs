//! The model under test, on a device and in a number format: a built-in network, a TorchScript file, or a network with its weights.

use std::collections::HashMap;
use std::fs;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use tch::nn::VarStore;
use tch::{CModule, Device, Kind, Reduction, Tensor};

use crate::failure::WorkerFailure;
use crate::layers::Forward;
use crate::networks;
use crate::networks::{Input, Loss};

/// A network or TorchScript module with its weights, ready to run.
pub struct BuiltModel {
    pub variables: VarStore,
    pub shape: Vec<i64>,
    pub input: Input,
    pub counts: &'static str,
    pub loss: Loss,
    forward: Forward,
    /// Parameter count of a TorchScript file, whose weights are not in `variables`.
    pub module_parameters: Option<u64>,
}

impl BuiltModel {
    /// Builds one of the worker's own networks.
    pub fn network(id: &str, shape: Option<&[i64]>, device: Device, kind: Kind) -> Result<Self, WorkerFailure> {
        let network = networks::find(id)
            .ok_or_else(|| WorkerFailure::unsupported(format!("this worker has no network `{id}`")))?;
        let shape = shape.unwrap_or(network.shape).to_vec();
        if shape.len() != network.shape.len() {
            let message = format!("{id} takes samples of {} extents such as {:?}", network.shape.len(), network.shape);
            return Err(WorkerFailure::unsupported(message));
        }
        let mut variables = VarStore::new(device);
        let forward = (network.build)(&variables.root(), &shape);
        if kind != Kind::Float {
            variables.set_kind(kind);
        }
        Ok(Self {
            variables,
            shape,
            input: network.input,
            counts: network.counts,
            loss: network.loss,
            forward,
            module_parameters: None,
        })
    }

    /// Loads a TorchScript file, for forward passes only; the file brings its own weights.
    pub fn module(path: &Path, shape: Option<&[i64]>, device: Device, kind: Kind) -> Result<Self, WorkerFailure> {
        let shape =
            shape.ok_or_else(|| WorkerFailure::unsupported("a TorchScript file needs an input shape"))?.to_vec();
        let mut module = CModule::load_on_device(path, device)?;
        module.to(device, kind, false);
        module.set_eval();
        let parameters = module.named_parameters().map(|named| named.iter().map(|(_, t)| t.numel() as u64).sum());
        Ok(Self {
            variables: VarStore::new(device),
            shape,
            input: Input::Features,
            counts: "sample",
            loss: Loss::MeanSquare,
            forward: Box::new(move |x, _| module.forward_ts(&[x]).unwrap_or_else(|error| panic!("{error}"))),
            module_parameters: Some(parameters.unwrap_or(0)),
        })
    }

    /// Number of trainable parameters.
    pub fn parameters(&self) -> u64 {
        let own = || self.variables.trainable_variables().iter().map(|tensor| tensor.numel() as u64).sum();
        self.module_parameters.unwrap_or_else(own)
    }

    /// Runs a forward pass.
    pub fn forward(&self, x: &Tensor, train: bool) -> Tensor {
        (self.forward)(x, train)
    }

    /// A batch of random input and random labels.
    pub fn synthetic_batch(&self, batch: i64, kind: Kind, device: Device) -> (Tensor, Tensor) {
        let extents: Vec<i64> = std::iter::once(batch).chain(self.shape.iter().copied()).collect();
        let x = match self.input {
            Input::Features => Tensor::randn(&extents, (Kind::Float, device)).to_kind(kind),
            Input::Tokens(words) => Tensor::randint(words, &extents, (Kind::Int64, device)),
        };
        let labels = match self.loss {
            Loss::Classes(classes) => Tensor::randint(classes, [batch], (Kind::Int64, device)),
            Loss::NextToken(words) => Tensor::randint(words, &extents, (Kind::Int64, device)),
            Loss::MeanSquare => Tensor::zeros([1], (Kind::Float, device)),
        };
        (x, labels)
    }

    /// Computes the training loss.
    pub fn loss_of(&self, y: &Tensor, labels: &Tensor) -> Tensor {
        let entropy =
            |y: &Tensor, labels: &Tensor| y.cross_entropy_loss(labels, None::<Tensor>, Reduction::Mean, -100, 0.0);
        match self.loss {
            Loss::Classes(_) => entropy(y, labels),
            Loss::NextToken(words) => entropy(&y.view([-1, words]), &labels.view([-1])),
            Loss::MeanSquare => y.square().mean(y.kind()),
        }
    }
}

/// Converts four-dimensional tensors to channels-last memory format; others stay as they are.
pub fn channels_last(tensor: &Tensor) -> Tensor {
    match tensor.dim() {
        4 => tensor.permute([0, 2, 3, 1]).contiguous().permute([0, 3, 1, 2]),
        _ => tensor.shallow_clone(),
    }
}

const WEIGHTS: &str = "weights.safetensors";

const SAMPLES: &str = "input.f32";

const UPDATE: &str = "update.json";

/// Buffers of batch normalisation that are not parameters but are needed in evaluation.
const STATISTICS: [&str; 2] = ["running_mean", "running_var"];

/// The counter of batches seen, which the layers of this worker do not have.
const COUNTER: &str = "num_batches_tracked";

/// Loads the weights in a folder into a network's variables, which keep their number format and device.
pub fn load_weights(variables: &VarStore, folder: &Path) -> Result<(), WorkerFailure> {
    let path = folder.join(WEIGHTS);
    let order = order(&path)?;
    let theirs: HashMap<String, Tensor> = Tensor::read_safetensors(&path)?.into_iter().collect();
    let named: HashMap<usize, String> =
        variables.variables().into_iter().map(|(name, tensor)| (tensor.data_ptr() as usize, name)).collect();
    let ours = variables.trainable_variables();
    let is_learnt = |name: &&String| {
        let last = ending(name).1;
        last != COUNTER && !STATISTICS.contains(&last)
    };
    let learnt: Vec<&String> = order.iter().filter(is_learnt).collect();
    if learnt.len() != ours.len() {
        let message = format!("the network has {} weights and biases, its file {}", ours.len(), learnt.len());
        return Err(WorkerFailure::crashed(message));
    }
    let mut all = variables.variables();
    let mut statistics = 0;
    for (name, own) in learnt.into_iter().zip(ours) {
        let Some(own_name) = named.get(&(own.data_ptr() as usize)) else {
            return Err(WorkerFailure::crashed("a weight of the network has no name"));
        };
        copy(&theirs, name, own_name, own)?;
        let ((layer, last), own_layer) = (ending(name), ending(own_name).0);
        if last != "weight" {
            continue;
        }
        for statistic in STATISTICS {
            if let Some(own) = all.remove(&format!("{own_layer}.{statistic}")) {
                copy(&theirs, &format!("{layer}.{statistic}"), own_name, own)?;
                statistics += 1;
            }
        }
    }
    let expected = order.iter().filter(|name| STATISTICS.contains(&ending(name).1)).count();
    if statistics != expected {
        let message = format!("the network has {statistics} means and variances, its file {expected}");
        return Err(WorkerFailure::crashed(message));
    }
    Ok(())
}

/// Reads the samples in a folder, each of the given shape.
pub fn samples(folder: &Path, shape: &[i64]) -> Result<Tensor, WorkerFailure> {
    let path = folder.join(SAMPLES);
    let bytes = fs::read(&path).map_err(|error| WorkerFailure::crashed(format!("{}: {error}", path.display())))?;
    let numbers: Vec<f32> =
        bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
    let of_each: i64 = shape.iter().product();
    if numbers.is_empty() || of_each <= 0 || numbers.len() as i64 % of_each != 0 {
        let message = format!("{} holds no whole samples of {shape:?}", path.display());
        return Err(WorkerFailure::crashed(message));
    }
    let extents: Vec<i64> = std::iter::once(-1).chain(shape.iter().copied()).collect();
    Ok(Tensor::from_slice(&numbers).to_kind(Kind::Float).view(extents.as_slice()))
}

/// The update after which the outputs of two frameworks are compared, to check gradients; it uses the first sample.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct ComparedUpdate {
    /// The label of the sample.
    pub label: i64,
    /// The learning rate.
    pub rate: f64,
}

/// Reads the update from a folder; `None` if the folder has no such file.
pub fn update(folder: &Path) -> Result<Option<ComparedUpdate>, WorkerFailure> {
    let path = folder.join(UPDATE);
    let wrong = |why: String| WorkerFailure::crashed(format!("{}: {why}", path.display()));
    match fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).map(Some).map_err(|error| wrong(error.to_string())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(wrong(error.to_string())),
    }
}

/// Reads the names of the weights in layer order from the metadata in the file's header.
fn order(path: &Path) -> Result<Vec<String>, WorkerFailure> {
    let wrong = |why: String| WorkerFailure::crashed(format!("{}: {why}", path.display()));
    let unread = |error: std::io::Error| wrong(error.to_string());
    let mut file = File::open(path).map_err(unread)?;
    let mut length = [0; 8];
    file.read_exact(&mut length).map_err(unread)?;
    let mut head = Vec::new();
    file.take(u64::from_le_bytes(length)).read_to_end(&mut head).map_err(unread)?;
    let head: Value = serde_json::from_slice(&head).map_err(|error| wrong(error.to_string()))?;
    match head["__metadata__"]["order"].as_str() {
        Some(names) => Ok(names.lines().map(str::to_owned).collect()),
        None => Err(wrong("it does not say the order of its weights".to_owned())),
    }
}

/// Splits the name of a weight into its layer and the part of that layer, such as `bias`.
fn ending(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or(("", name))
}

fn copy(theirs: &HashMap<String, Tensor>, name: &str, own_name: &str, mut own: Tensor) -> Result<(), WorkerFailure> {
    let Some(given) = theirs.get(name) else {
        return Err(WorkerFailure::crashed(format!("the file of weights has no {name}")));
    };
    if given.size() != own.size() {
        let message =
            format!("{name} is {:?} in the file, and {own_name} of the network {:?}", given.size(), own.size());
        return Err(WorkerFailure::crashed(message));
    }
    Ok(tch::no_grad(|| own.f_copy_(given))?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;
    use tch::Device;

    use super::*;
    use crate::built_model::BuiltModel;

    /// Writes tensors as `weights.safetensors`: sorted by name, with the given order in the metadata.
    fn write(folder: &Path, named: &[(String, Tensor)]) {
        let order: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
        let mut head = json!({ "__metadata__": { "order": order.join("\n") } });
        let mut data: Vec<u8> = Vec::new();
        for (name, tensor) in named.iter().map(|(name, tensor)| (name, tensor)).collect::<BTreeMap<_, _>>() {
            let numbers: Vec<f32> = Vec::try_from(tensor.flatten(0, -1)).unwrap();
            let begin = data.len();
            data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            head[name] = json!({ "dtype": "F32", "shape": tensor.size(), "data_offsets": [begin, data.len()] });
        }
        let head = head.to_string();
        let mut bytes = (head.len() as u64).to_le_bytes().to_vec();
        bytes.extend(head.as_bytes());
        bytes.extend(data);
        fs::write(folder.join(WEIGHTS), bytes).unwrap();
    }

    /// The tensors of a network under other names, in layer order.
    fn renamed(variables: &VarStore) -> Vec<(String, Tensor)> {
        let all = variables.variables();
        let name_of = |tensor: &Tensor| {
            all.iter().find(|(_, other)| other.data_ptr() == tensor.data_ptr()).map(|(name, _)| name.clone()).unwrap()
        };
        let mut named = Vec::new();
        for (at, tensor) in variables.trainable_variables().into_iter().enumerate() {
            let name = name_of(&tensor);
            let (layer, last) = ending(&name);
            // Sorted by name, 10 comes before 9: only the stated order is right.
            named.push((format!("{at}.{last}"), tensor));
            for statistic in STATISTICS.iter().filter(|_| last == "weight") {
                if let Some(own) = all.get(&format!("{layer}.{statistic}")) {
                    named.push((format!("{at}.{statistic}"), own.shallow_clone()));
                    named.push((format!("{at}.{COUNTER}"), Tensor::from_slice(&[0.0f32])));
                }
            }
        }
        named
    }

    #[test]
    fn weights_under_other_names_make_the_same_network() {
        let folder = tempfile::TempDir::new().unwrap();
        let built = || BuiltModel::network("shufflenet-v2-x0.5", Some(&[3, 64, 64]), Device::Cpu, Kind::Float).unwrap();
        let (given, own) = (built(), built());
        tch::no_grad(|| {
            for (name, mut tensor) in given.variables.variables() {
                // As after training: the statistics also differ from those of a fresh network.
                let _ =
                    if name.ends_with("running_var") { tensor.uniform_(0.5, 2.0) } else { tensor.uniform_(-0.1, 0.1) };
            }
        });
        write(folder.path(), &renamed(&given.variables));
        let (x, _) = given.synthetic_batch(2, Kind::Float, Device::Cpu);
        let numbers: Vec<f32> = Vec::try_from(x.flatten(0, -1)).unwrap();
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        fs::write(folder.path().join(SAMPLES), bytes).unwrap();
        let read = samples(folder.path(), &[3, 64, 64]).unwrap();
        let answer = |network: &BuiltModel| tch::no_grad(|| network.forward(&read, false));
        assert!((answer(&given) - answer(&own)).abs().max().double_value(&[]) > 0.0);
        load_weights(&own.variables, folder.path()).unwrap();
        assert_eq!((answer(&given) - answer(&own)).abs().max().double_value(&[]), 0.0);
        assert!(samples(folder.path(), &[3, 65, 64]).unwrap_err().message.contains("no whole samples"));
        assert_eq!(update(folder.path()).unwrap(), None);
        fs::write(folder.path().join(UPDATE), r#"{"label": 7, "rate": 0.25}"#).unwrap();
        assert_eq!(update(folder.path()).unwrap(), Some(ComparedUpdate { label: 7, rate: 0.25 }));
    }

    #[test]
    fn a_file_of_another_network_is_told() {
        let folder = tempfile::TempDir::new().unwrap();
        let lenet = BuiltModel::network("lenet", None, Device::Cpu, Kind::Float).unwrap();
        let named = renamed(&lenet.variables);
        let refused = |named: &[(String, Tensor)]| {
            write(folder.path(), named);
            load_weights(&lenet.variables, folder.path()).unwrap_err().message
        };
        assert!(refused(&named[1..]).contains("has 10 weights and biases, its file 9"));
        let mut swapped: Vec<_> = named.iter().map(|(name, tensor)| (name.clone(), tensor.shallow_clone())).collect();
        swapped.swap(0, 2);
        assert!(refused(&swapped).contains("2.weight is [16, 6, 5, 5] in the file, and c1.weight of the network"));
        let mut more: Vec<_> = named.iter().map(|(name, tensor)| (name.clone(), tensor.shallow_clone())).collect();
        more.push(("9.running_var".to_owned(), Tensor::from_slice(&[1.0f32])));
        assert!(refused(&more).contains("has 0 means and variances, its file 1"));
        fs::write(folder.path().join(WEIGHTS), [1, 0, 0]).unwrap();
        assert!(load_weights(&lenet.variables, folder.path()).is_err());
    }
}
