//! What a comparison needs to know of the entities that a measurement names.

use crate::values::HardwareClass;

/// What the catalog says of the entities that a measurement names, as far as comparisons need it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ComparisonFacts {
    /// Class of the device.
    pub class: Option<HardwareClass>,
    /// Whether the device is a family whose SKUs are known.
    pub is_family: bool,
    /// The families of the device.
    pub families: Vec<String>,
    /// Task of the network.
    pub task: Option<String>,
    /// What the source says it timed.
    pub timed: Option<String>,
}

impl ComparisonFacts {
    /// Whether the network is a single layer, whose size stands in the name of the run.
    pub fn is_of_layers(&self) -> bool {
        self.task.as_deref() == Some("layer")
    }

    /// The size of a layer in the name of its run; in front of it stand names of sheets and applications.
    pub fn size_of_layer(name: &str) -> &str {
        name.rsplit_once("; ").map_or(name, |(_, size)| size)
    }

    /// Whether the network sees images, so that their size tells how much work there is.
    pub(super) fn is_of_images(&self) -> bool {
        self.task.as_deref().is_some_and(|task| {
            task.starts_with("image-")
                || task.ends_with("-segmentation")
                || matches!(task, "object-detection" | "pose-estimation")
        })
    }

    /// Whether the network reads sequences, so that their length tells how much work there is.
    pub(super) fn is_of_texts(&self) -> bool {
        let task = self.task.as_deref();
        task.is_some_and(|task| {
            matches!(task, "text-generation" | "language-model" | "text-classification" | "machine-translation")
        })
    }
}
