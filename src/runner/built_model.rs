//! What is measured: a network of ours or a TorchScript file, on a device, in a format.

use std::path::Path;

use tch::nn::VarStore;
use tch::{CModule, Device, Kind, Reduction, Tensor};

use crate::failure::WorkerFailure;
use crate::layers::Forward;
use crate::networks::{self, Input, Loss};

/// A network with its weights, ready to be called.
pub struct BuiltModel {
    pub variables: VarStore,
    pub shape: Vec<i64>,
    pub input: Input,
    pub counts: &'static str,
    pub loss: Loss,
    forward: Forward,
    /// Weights of a TorchScript file, which no store of ours holds.
    pub module_parameters: Option<u64>,
}

impl BuiltModel {
    /// One of our networks.
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

    /// A TorchScript file. It is only run forward: its weights are its own.
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

    /// Trainable numbers.
    pub fn parameters(&self) -> u64 {
        let own = || self.variables.trainable_variables().iter().map(|tensor| tensor.numel() as u64).sum();
        self.module_parameters.unwrap_or_else(own)
    }

    /// One pass.
    pub fn forward(&self, x: &Tensor, train: bool) -> Tensor {
        (self.forward)(x, train)
    }

    /// A batch of random input and random labels for it.
    pub fn made_up(&self, batch: i64, kind: Kind, device: Device) -> (Tensor, Tensor) {
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

    /// What training minimises.
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

/// Lays four-dimensional weights out with their channels last.
pub fn channels_last(tensor: &Tensor) -> Tensor {
    match tensor.dim() {
        4 => tensor.permute([0, 2, 3, 1]).contiguous().permute([0, 3, 1, 2]),
        _ => tensor.shallow_clone(),
    }
}
