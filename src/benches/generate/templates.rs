//! What a real knowledge base is like: its batches, and what is popular among its rows.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use dlbench::model::{Field, Measurement};
use dlbench::reading::{self, FileKind};
use dlbench::values::{EntityId, HardwareClass};

use super::popularity::Popularity;

/// A file of measurements as somebody published it.
pub struct Batch {
    pub source: EntityId,
    pub stem: String,
    pub rows: Vec<Measurement>,
}

/// The batches, and what occurs how often.
pub struct Templates {
    /// A batch comes up as often as it has rows.
    pub batches: Popularity<Batch>,
    /// The devices of each class.
    pub devices: BTreeMap<HardwareClass, Popularity<EntityId>>,
    pub class_of: BTreeMap<EntityId, HardwareClass>,
    /// The versions of each framework.
    pub versions: BTreeMap<String, Popularity<String>>,
    pub precisions: Popularity<String>,
}

impl Templates {
    /// Reads the knowledge base at `root`.
    pub fn read(root: &Path) -> Result<Self, Box<dyn Error>> {
        let catalog = reading::read(root).map_err(|error| format!("{}: {error}", root.display()))?.catalog;
        let class_of: BTreeMap<EntityId, HardwareClass> =
            catalog.devices.iter().map(|(id, device)| (id.clone(), device.class)).collect();
        let mut batches = Vec::new();
        let mut devices: BTreeMap<HardwareClass, BTreeMap<EntityId, f64>> = BTreeMap::new();
        let mut versions: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
        let mut precisions: BTreeMap<String, f64> = BTreeMap::new();
        for file in reading::list(root)? {
            let FileKind::Measurements(source) = file.kind else { continue };
            let text = fs::read_to_string(root.join(&file.path))?;
            let rows = reading::check_measurements(&file.path, &text, &source)?;
            for row in &rows {
                if let Some(id) = row.text(Field::Device).and_then(|id| id.parse::<EntityId>().ok()) {
                    *devices.entry(class_of[&id]).or_default().entry(id).or_default() += 1.0;
                }
                if let (Some(framework), Some(version)) =
                    (row.text(Field::Framework), row.text(Field::FrameworkVersion))
                {
                    *versions.entry(framework.to_owned()).or_default().entry(version.to_owned()).or_default() += 1.0;
                }
                if let Some(precision) = row.text(Field::Precision) {
                    *precisions.entry(precision.to_owned()).or_default() += 1.0;
                }
            }
            let stem = file.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let weight = rows.len() as f64;
            batches.push((Batch { source, stem, rows }, weight));
        }
        Ok(Self {
            batches: Popularity::new(batches),
            devices: devices.into_iter().map(|(class, counts)| (class, Popularity::new(counts))).collect(),
            class_of,
            versions: versions.into_iter().map(|(framework, counts)| (framework, Popularity::new(counts))).collect(),
            precisions: Popularity::new(precisions),
        })
    }
}
