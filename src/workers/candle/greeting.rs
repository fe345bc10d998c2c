//! Who this worker is.

use std::collections::BTreeMap;

use dlbench_protocol::{Capability, DeviceInfo, Hello, VERSION};

/// The crates that it is built from, and the list of the workers' networks.
const LOCK: &str = include_str!("Cargo.lock");
const MANIFEST: &str = include_str!("../workers.toml");

/// What it computes in.
pub const PRECISION: &str = "fp32";

/// What it times.
pub const STAGE: &str = "eval";

/// The name of this program and its version.
pub fn software() -> String {
    format!("dlbench-candle {}", env!("CARGO_PKG_VERSION"))
}

/// The version of a crate that it is built from.
pub fn version(name: &str) -> Option<&'static str> {
    let (_, behind) = LOCK.split_once(&format!("\nname = \"{name}\"\nversion = \""))?;
    behind.split('"').next()
}

/// The networks by their ids in the catalog.
pub fn networks() -> Vec<String> {
    let manifest: toml::Table = MANIFEST.parse().unwrap_or_default();
    let networks = manifest.get("networks").and_then(toml::Value::as_table);
    networks.map(|networks| networks.keys().cloned().collect()).unwrap_or_default()
}

/// The first line.
pub fn hello() -> Hello {
    let networks = networks();
    let precisions = vec![PRECISION.to_owned()];
    let capability =
        Capability { networks: networks.clone(), stages: vec![STAGE.to_owned()], precisions: precisions.clone() };
    let crates = ["candle-core", "candle-nn", "gemm"];
    let build = crates.into_iter().filter_map(|name| Some((name.to_owned(), version(name)?.to_owned())));
    Hello {
        protocol: VERSION,
        worker: software(),
        framework: "candle".to_owned(),
        framework_version: version("candle-core").unwrap_or_default().to_owned(),
        devices: vec![DeviceInfo { id: "cpu".to_owned(), name: None, pci: None, precisions }],
        networks,
        capabilities: vec![capability],
        model_files: true,
        exports: false,
        build: build.collect::<BTreeMap<String, String>>(),
    }
}
