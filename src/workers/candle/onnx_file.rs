//! What the networks need of the format of ONNX files, and the numbers in them.
//!
//! The tags are those of `onnx.proto`: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto

use std::path::Path;

use candle_core::{Device, Tensor};
use prost::Message;

/// `TensorProto.DataType`: FLOAT and INT64.
const FLOAT: i32 = 1;
const INT64: i32 = 7;

#[derive(Clone, PartialEq, Message)]
struct Model {
    #[prost(message, optional, tag = "7")]
    graph: Option<Graph>,
}

/// A network.
#[derive(Clone, PartialEq, Message)]
pub struct Graph {
    /// In an order in which they can be computed.
    #[prost(message, repeated, tag = "1")]
    pub nodes: Vec<Node>,
    /// Weights.
    #[prost(message, repeated, tag = "5")]
    pub initializers: Vec<Numbers>,
    #[prost(message, repeated, tag = "11")]
    pub inputs: Vec<Named>,
    #[prost(message, repeated, tag = "12")]
    pub outputs: Vec<Named>,
}

/// The name of a value.
#[derive(Clone, PartialEq, Message)]
pub struct Named {
    #[prost(string, tag = "1")]
    pub name: String,
}

/// An operation.
#[derive(Clone, PartialEq, Message)]
pub struct Node {
    #[prost(string, repeated, tag = "1")]
    pub inputs: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub outputs: Vec<String>,
    #[prost(string, tag = "4")]
    pub op: String,
    #[prost(message, repeated, tag = "5")]
    attributes: Vec<Attribute>,
}

#[derive(Clone, PartialEq, Message)]
struct Attribute {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(float, tag = "2")]
    float: f32,
    #[prost(int64, tag = "3")]
    int: i64,
    #[prost(bytes = "vec", tag = "4")]
    text: Vec<u8>,
    #[prost(message, optional, tag = "5")]
    numbers: Option<Numbers>,
    #[prost(int64, repeated, tag = "8")]
    ints: Vec<i64>,
}

/// Numbers with their extents.
#[derive(Clone, PartialEq, Message)]
pub struct Numbers {
    #[prost(int64, repeated, tag = "1")]
    dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    data_type: i32,
    #[prost(float, repeated, tag = "4")]
    floats: Vec<f32>,
    #[prost(int64, repeated, tag = "7")]
    ints: Vec<i64>,
    #[prost(string, tag = "8")]
    pub name: String,
    #[prost(bytes = "vec", tag = "9")]
    raw: Vec<u8>,
}

impl Graph {
    /// The network of a file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is no such file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let bytes = std::fs::read(path).map_err(|error| told(&error))?;
        let model = Model::decode(bytes.as_slice()).map_err(|error| told(&error))?;
        model.graph.ok_or_else(|| told(&"it holds no network"))
    }
}

impl Node {
    fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// A whole number, or what holds where it is not stated.
    pub fn int(&self, name: &str, default: i64) -> i64 {
        self.attribute(name).map_or(default, |attribute| attribute.int)
    }

    /// A decimal number, or what holds where it is not stated.
    pub fn float(&self, name: &str, default: f32) -> f32 {
        self.attribute(name).map_or(default, |attribute| attribute.float)
    }

    /// Whole numbers; none where they are not stated.
    pub fn ints(&self, name: &str) -> &[i64] {
        self.attribute(name).map_or(&[], |attribute| attribute.ints.as_slice())
    }

    /// A word; none where it is not stated.
    pub fn word(&self, name: &str) -> Option<&str> {
        std::str::from_utf8(&self.attribute(name)?.text).ok()
    }

    /// The numbers of a node that is a constant.
    pub fn numbers(&self) -> Option<&Numbers> {
        self.attribute("value")?.numbers.as_ref()
    }
}

impl Numbers {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.dims.iter().product::<i64>().unsigned_abs() as usize
    }

    /// As a tensor of 32-bit floating-point numbers.
    ///
    /// # Errors
    ///
    /// When they are no such numbers, or fewer or more than their extents say.
    pub fn tensor(&self) -> Result<Tensor, String> {
        let extents: Vec<usize> = self.dims.iter().map(|extent| extent.unsigned_abs() as usize).collect();
        let floats: Vec<f32> = match self.data_type {
            FLOAT if self.raw.is_empty() => self.floats.clone(),
            FLOAT => self.raw.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            other => return Err(format!("{} holds numbers of the type {other}", self.name)),
        };
        Tensor::from_vec(floats, extents, &Device::Cpu).map_err(|error| format!("{}: {error}", self.name))
    }

    /// As whole numbers; none where they are others.
    pub fn whole(&self) -> Option<Vec<i64>> {
        let from_raw = || self.raw.as_chunks::<8>().0.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect();
        let is_whole = self.data_type == INT64;
        is_whole.then(|| if self.raw.is_empty() { self.ints.clone() } else { from_raw() })
    }
}
