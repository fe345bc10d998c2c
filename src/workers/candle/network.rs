//! A network of an ONNX file as a list of candle's operations.

use std::collections::HashMap;
use std::path::Path;

use candle_core::Tensor;

use crate::onnx_file::{Graph, Numbers};
use crate::operations::{Operation, operation};

/// What batch normalisation keeps beside its parameters, as PyTorch calls it.
const STATISTICS: [&str; 3] = ["running_mean", "running_var", "num_batches_tracked"];

/// Where the input lies among the values.
const INPUT: usize = 0;

/// A network.
pub struct Network {
    steps: Vec<Step>,
    output: usize,
    /// Trainable numbers.
    pub parameters: u64,
}

/// An operation with the places of what goes in and comes out.
struct Step {
    operation: Operation,
    inputs: Vec<usize>,
    output: usize,
    /// What no later step needs, and is given back.
    done_with: Vec<usize>,
}

impl Network {
    /// The network of a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or holds an operation that this worker does not have.
    pub fn of(path: &Path) -> Result<Self, String> {
        let graph = Graph::read(path)?;
        let is_learnt = |numbers: &&Numbers| {
            let last = numbers.name.rsplit('.').next().unwrap_or_default();
            !STATISTICS.contains(&last)
        };
        let parameters = graph.initializers.iter().filter(is_learnt).map(|numbers| numbers.len() as u64).sum();
        let mut held: HashMap<&str, &Numbers> =
            graph.initializers.iter().map(|numbers| (numbers.name.as_str(), numbers)).collect();
        let input = graph.inputs.iter().find(|input| !held.contains_key(input.name.as_str()));
        let input = input.ok_or("the network has no input")?;
        let mut places: HashMap<&str, usize> = HashMap::from([(input.name.as_str(), INPUT)]);
        let mut steps: Vec<Step> = Vec::new();
        for node in &graph.nodes {
            let [output] = node.outputs.as_slice() else {
                return Err(format!("this worker has no operation {} with several results", node.op));
            };
            let constant = match node.op.as_str() {
                "Constant" => node.numbers(),
                // A weight that two layers share goes by several names.
                "Identity" => node.inputs.first().and_then(|input| held.get(input.as_str()).copied()),
                _ => None,
            };
            if let Some(numbers) = constant {
                held.insert(output, numbers);
                continue;
            }
            let operation = operation(node, &held)?;
            let computed = node.inputs.iter().filter_map(|input| places.get(input.as_str()).copied());
            let inputs: Vec<usize> = computed.collect();
            let place = places.len();
            places.insert(output, place);
            steps.push(Step { operation, inputs, output: place, done_with: Vec::new() });
        }
        let output = graph.outputs.first().and_then(|output| places.get(output.name.as_str()).copied());
        let output = output.ok_or("the network has no output")?;
        let mut needed = vec![false; places.len()];
        needed[output] = true;
        for step in steps.iter_mut().rev() {
            for input in &step.inputs {
                if !std::mem::replace(&mut needed[*input], true) {
                    step.done_with.push(*input);
                }
            }
        }
        Ok(Self { steps, output, parameters })
    }

    /// The answers to a batch.
    ///
    /// # Errors
    ///
    /// When candle cannot compute it.
    pub fn forward(&self, batch: &Tensor) -> candle_core::Result<Tensor> {
        let mut values: Vec<Option<Tensor>> = vec![None; self.steps.len() + 1];
        values[INPUT] = Some(batch.clone());
        for step in &self.steps {
            let inputs: Vec<Tensor> = step.inputs.iter().filter_map(|at| values[*at].clone()).collect();
            values[step.output] = Some((step.operation)(&inputs)?);
            for at in &step.done_with {
                values[*at] = None;
            }
        }
        let output = values[self.output].take();
        output.ok_or_else(|| candle_core::Error::Msg("the network has no output".to_owned()))
    }
}
