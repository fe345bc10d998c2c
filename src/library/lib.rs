//! dlbench: a qualitative and quantitative benchmark knowledge base for deep learning.
//!
//! [`KnowledgeBase`] is the door: open a folder, ask a question, read the [`Answer`](ask::answer::Answer).
//!
//! ```
//! use dlbench::KnowledgeBase;
//! use dlbench::model::Metric;
//! use dlbench::ask::answer::Page;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))?;
//! let kb = KnowledgeBase::open(".")?;
//! let answer = kb.query_page("fp16 V100 resnet152", &Page::of(0, 100))?;
//!
//! // How each word was read, and what must be known to judge the numbers.
//! assert_eq!(answer.read_as[1].values[0], "tesla-v100");
//! assert!(answer.remarks.iter().any(|remark| remark.code == "not-comparable"));
//!
//! // The numbers, with the digits their sources printed; a throughput may be derived from latency and batch.
//! for row in &answer.measurements {
//!     if let Some((images_per_s, derived)) = row.metric(Metric::ThroughputPerS) {
//!         println!("{} {images_per_s} derived: {derived}, best of the comparable: {}", row.id(), row.is_best(Metric::ThroughputPerS));
//!     }
//! }
//!
//! // The facts that go with them.
//! let pytorch = answer.catalog.frameworks.iter().find(|joined| joined.framework.id.as_str() == "pytorch");
//! assert_eq!(pytorch.and_then(|joined| joined.framework.multi_server), Some(true));
//!
//! // How often each value occurs, in all measurements found.
//! let facets = kb.facets(&answer)?;
//! assert!(facets.iter().any(|facet| facet.field == "precision"));
//!
//! // The same as JSON, as `dlbench query -f json` prints it; `ask::answer::SCHEMA` describes it.
//! let json = serde_json::to_string(&answer)?;
//! # assert!(json.starts_with("{\"query\""));
//! # Ok(())
//! # }
//! ```
//!
//! The folders are layers, listed here from the bottom up: a module imports only from modules above it in this list,
//! which are lower layers (enforced by a test).

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod help;
#[cfg(feature = "online")]
mod http;
pub mod values;

pub mod model;

pub mod reading;

pub mod comparability;

pub mod stores;

pub mod rows;

pub mod ask;

pub mod contribute;

pub mod measure;

pub mod pull;

pub mod render;

mod knowledge_base;

pub use knowledge_base::{
    BuiltInSnapshot, FindError, FoundKnowledgeBase, FoundRows, KnowledgeBase, KnowledgeFiles, Opening, PathError,
    Snapshot, SnapshotError, StoresStatus, default_cache, default_data,
};
pub use reading::{LocateError, ReadError, WriteError};
pub use stores::database::DatabaseError;
pub use stores::{BuildProgress, OpenError, build_progress};
