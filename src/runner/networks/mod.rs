//! The networks that the worker can build, by their catalog ids.

mod convolutional;
mod inception;
mod mobile;
pub mod network;
mod transformer;

pub use network::{Input, Loss, Network};

/// All networks that can be measured.
pub fn all() -> impl Iterator<Item = &'static Network> {
    [
        convolutional::PLAIN_NETWORKS,
        convolutional::RESNET_NETWORKS,
        convolutional::DENSENET_NETWORKS,
        inception::INCEPTION_NETWORKS,
        inception::XCEPTION_NETWORKS,
        mobile::MOBILE_NETWORKS,
        mobile::EFFICIENTNET_NETWORKS,
        transformer::RECURRENT_NETWORKS,
        transformer::TRANSFORMER_NETWORKS,
        network::NETWORKS,
    ]
    .into_iter()
    .flatten()
}

/// The network with this id.
pub fn find(id: &str) -> Option<&'static Network> {
    all().find(|network| network.id == id)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use dlbench::model::Catalog;
    use dlbench::reading::{self, FileKind};
    use dlbench::values::{Decimal, EntityId};
    use tch::{Device, Kind};

    use super::network::MEMORY_COPY;
    use super::*;
    use crate::built_model::BuiltModel;
    use crate::count;

    /// Loads the catalog without measurements.
    fn catalog() -> Catalog {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let mut files = reading::list(root).unwrap();
        files.retain(|file| !matches!(file.kind, FileKind::Measurements(_)));
        reading::load(root, &files).catalog
    }

    /// A published figure, and half a unit of its last digit.
    fn figure(of: Option<Decimal>) -> Option<(f64, f64)> {
        of.map(|figure| (figure.value(), 0.5 * 10f64.powi(-i32::from(figure.decimals()))))
    }

    /// Parameters of networks without a published count, calculated by hand: weights and biases of each layer.
    const BY_HAND: &[(&str, u64)] = &[
        ("lenet", 156 + 2_416 + 48_120 + 10_164 + 850),
        ("benchm-dl-mnist-cnn", 544 + 4_624 + 51_328 + 8_256 + 650),
        ("convnet-layer-l1", 96 * (3 * 11 * 11 + 1)),
        ("convnet-layer-l2", 128 * (64 * 9 * 9 + 1)),
        ("convnet-layer-l3", 128 * (128 * 9 * 9 + 1)),
        ("convnet-layer-l4", 128 * (128 * 7 * 7 + 1)),
        ("convnet-layer-l5", 384 * (384 * 3 * 3 + 1)),
        (MEMORY_COPY, 0),
    ];

    #[test]
    fn parameters_and_multiply_adds_are_those_of_the_catalog() {
        let catalog = catalog();
        let mut by_hand = BY_HAND.iter();
        let mut multiply_adds = 0;
        for network in all() {
            let entry = &catalog.networks[&network.id.parse::<EntityId>().unwrap()];
            let subject = BuiltModel::network(network.id, None, Device::Cpu, Kind::Float).unwrap();
            match figure(entry.parameters_m) {
                Some((figure, half)) => {
                    let counted = subject.parameters() as f64 / 1e6;
                    // BERT's published figure is "110M" for 109.48.
                    assert!((counted - figure).abs() <= half * 1.1, "{}: {counted} M, published {figure}", network.id);
                }
                None => assert_eq!(Some(&(network.id, subject.parameters())), by_hand.next(), "as its layers come to"),
            }
            let shape = network.shape.iter().map(i64::to_string).collect::<Vec<_>>().join("x");
            let same_input = entry.input_shape.as_ref().is_none_or(|published| published.to_string() == shape);
            if let (true, Some((figure, half))) = (same_input, figure(entry.multiply_adds_g)) {
                let (x, _) = subject.synthetic_batch(1, Kind::Float, Device::Cpu);
                let counted = count::count_during(|| drop(tch::no_grad(|| subject.forward(&x, false)))) as f64 / 1e9;
                // Published figures differ by up to 4 % in whether they count normalisation, activations and biases.
                let near = (counted - figure).abs() <= half + 0.04 * figure;
                assert!(near, "{}: {counted} G, published {figure}", network.id);
                multiply_adds += 1;
            }
        }
        assert_eq!(by_hand.next(), None);
        assert!(multiply_adds >= 30, "only {multiply_adds} figures of multiply-adds were found");
    }

    #[test]
    fn every_id_stands_once() {
        let ids: Vec<&str> = all().map(|network| network.id).collect();
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), ids.len());
    }
}
