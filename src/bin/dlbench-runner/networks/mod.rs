//! The networks by the ids of the catalog.

mod densenet;
mod efficientnet;
mod inception;
pub mod layer;
mod mobile;
mod plain;
mod recurrent;
mod resnet;
mod transformer;
mod xception;

use tch::nn::Path;

use crate::layers::Forward;

/// What one sample of the input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Real numbers of the given extents.
    Features,
    /// Whole numbers below the given count: words of a vocabulary.
    Tokens(i64),
}

/// What training minimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Cross-entropy against one label a sample, of so many classes.
    Classes(i64),
    /// Cross-entropy against the next word at every place.
    NextToken(i64),
    /// The mean square of the output, for networks without a task.
    MeanSquare,
}

/// A network: how to build it and what it takes.
pub struct Network {
    /// The id in the catalog.
    pub id: &'static str,
    /// The extents of one sample, unless others are asked for.
    pub shape: &'static [i64],
    /// What one sample is.
    pub input: Input,
    /// What a batch counts: `image`, `sequence` or `sample`.
    pub counts: &'static str,
    /// What training minimises.
    pub loss: Loss,
    /// Lays the weights under a path; the extents of a sample are given.
    pub build: fn(&Path, &[i64]) -> Forward,
}

impl Network {
    /// A classifier of images.
    const fn image(id: &'static str, shape: &'static [i64], classes: i64, build: fn(&Path, &[i64]) -> Forward) -> Self {
        Self { id, shape, input: Input::Features, counts: "image", loss: Loss::Classes(classes), build }
    }

    /// What maps numbers to numbers.
    const fn plain(
        id: &'static str,
        shape: &'static [i64],
        counts: &'static str,
        build: fn(&Path, &[i64]) -> Forward,
    ) -> Self {
        Self { id, shape, input: Input::Features, counts, loss: Loss::MeanSquare, build }
    }
}

/// The usual crop of ImageNet.
const IMAGE: &[i64] = &[3, 224, 224];

/// The crop of the Inception networks.
const LARGE: &[i64] = &[3, 299, 299];

/// Classes of ImageNet.
const CLASSES: i64 = 1000;

/// Every network that can be measured.
pub fn all() -> impl Iterator<Item = &'static Network> {
    [
        plain::NETWORKS,
        resnet::NETWORKS,
        densenet::NETWORKS,
        inception::NETWORKS,
        xception::NETWORKS,
        mobile::NETWORKS,
        efficientnet::NETWORKS,
        recurrent::NETWORKS,
        transformer::NETWORKS,
        layer::NETWORKS,
    ]
    .into_iter()
    .flatten()
}

/// The network of an id.
pub fn find(id: &str) -> Option<&'static Network> {
    all().find(|network| network.id == id)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tch::{Device, Kind};

    use super::*;
    use crate::count;
    use crate::subject::Subject;

    /// A published figure: the number, and half a unit of its last digit.
    fn published(id: &str, key: &str) -> Option<(f64, f64)> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("catalog/networks/{id}.toml"));
        let text = std::fs::read_to_string(path).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix("= "))?.trim();
        let decimals = line.split_once('.').map_or(0, |(_, digits)| digits.len() as i32);
        Some((line.parse().ok()?, 0.5 * 10f64.powi(-decimals)))
    }

    fn shape_of(id: &str) -> Option<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("catalog/networks/{id}.toml"));
        let text = std::fs::read_to_string(path).ok()?;
        text.lines()
            .find_map(|line| line.strip_prefix("input-shape = \""))
            .map(|rest| rest.trim_end_matches('"').into())
    }

    #[test]
    fn parameters_and_multiply_adds_are_the_published_ones() {
        let (mut parameters, mut multiply_adds) = (0, 0);
        for network in all() {
            let subject = Subject::network(network.id, None, Device::Cpu, Kind::Float).unwrap();
            if let Some((figure, half)) = published(network.id, "parameters-m") {
                let counted = subject.parameters() as f64 / 1e6;
                // BERT's figure is "110M" for 109.48.
                assert!((counted - figure).abs() <= half * 1.1, "{}: {counted} M, published {figure}", network.id);
                parameters += 1;
            }
            let shape = network.shape.iter().map(i64::to_string).collect::<Vec<_>>().join("x");
            let same_input = shape_of(network.id).is_some_and(|published| published == shape);
            if let (true, Some((figure, half))) = (same_input, published(network.id, "multiply-adds-g")) {
                let (x, _) = subject.made_up(1, Kind::Float, Device::Cpu);
                let counted = count::of(|| drop(tch::no_grad(|| subject.forward(&x, false)))) as f64 / 1e9;
                // Published figures differ in whether normalisation, activations and biases count: 4 %.
                let near = (counted - figure).abs() <= half + 0.04 * figure;
                assert!(near, "{}: {counted} G, published {figure}", network.id);
                multiply_adds += 1;
            }
        }
        assert!(parameters >= 25, "only {parameters} figures of parameters were found");
        assert!(multiply_adds >= 15, "only {multiply_adds} figures of multiply-adds were found");
    }

    #[test]
    fn every_id_stands_once_and_is_in_the_catalog() {
        let ids: Vec<&str> = all().map(|network| network.id).collect();
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), ids.len());
        let catalog = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog");
        let ours = std::fs::read_to_string(catalog.join("collections/networks-dlbench.toml")).unwrap();
        for id in ids {
            let known = catalog.join(format!("networks/{id}.toml")).exists() || ours.contains(&format!("[\"{id}\","));
            assert!(known, "{id} is not in the catalog");
        }
    }
}
