//! What the resolver says of a spelling.

use serde::Serialize;
use strum::{Display, IntoStaticStr};

/// How sure a reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Display, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Certainty {
    /// Exactly this entity.
    Sku,
    /// A family; which member is not stated.
    Family,
    /// A part of a device, such as a MIG slice: what it computes is not what the device computes.
    Slice,
    /// Several devices that are different things, such as a processor and the GPU beside it.
    List,
    /// Several entities fit, and no family holds them all.
    Ambiguous,
    /// No entity of the catalog.
    Unknown,
}

/// What a spelling means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resolved {
    /// The spelling.
    pub input: String,
    /// How sure the reading is.
    pub reading: Certainty,
    /// The entity, the family, the device of a slice, the devices of a list, or the candidates.
    pub ids: Vec<String>,
    /// How many devices the spelling states.
    pub count: Option<u32>,
    /// The cloud instance it states.
    pub instance: Option<String>,
    /// What it says of the machine around the device.
    pub host: Option<String>,
    /// The part of the device it states.
    pub slice: Option<String>,
    /// The version it states, of a framework.
    pub version: Option<String>,
    /// The format of the weights that it states, of a network: `int4`, or a GGUF type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight_format: Option<String>,
    /// The format of the activations that it states, of a network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activation_format: Option<String>,
    /// How the weights were quantised, as it spells that, of a network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantization: Option<String>,
    /// What decided, or what would.
    pub why: String,
}

impl Resolved {
    /// The id of the entity or family that the spelling means; `None` where that is open, and for a slice.
    pub fn entity(&self) -> Option<&str> {
        match (self.reading, self.ids.as_slice()) {
            (Certainty::Sku | Certainty::Family, [id]) => Some(id),
            _ => None,
        }
    }

    /// Whether nothing in the catalog is called so.
    pub fn is_unknown(&self) -> bool {
        self.reading == Certainty::Unknown
    }

    pub(super) fn new(input: &str, reading: Certainty, ids: Vec<String>, why: impl Into<String>) -> Self {
        Self {
            input: input.to_owned(),
            reading,
            ids,
            count: None,
            instance: None,
            host: None,
            slice: None,
            version: None,
            weight_format: None,
            activation_format: None,
            quantization: None,
            why: why.into(),
        }
    }

    pub(super) fn unknown(input: &str, why: impl Into<String>) -> Self {
        Self::new(input, Certainty::Unknown, Vec::new(), why)
    }
}
