//! The whole knowledge base as one JSON document.

use std::io;
use std::path::Path;

use super::portions::{ExportError, MeasurementPortions};
use super::{ExportDocument, ExportedCatalog, ExportedFrom, VERSION};
use crate::model::Knowledge;
use crate::reading::{WriteError, write_atomically_with};
use crate::rows::JoinedRow;

/// The text after the measurements, which come last in the document.
const END: &str = "]}";

/// Writes the document to a file, streaming measurements as they are read; `content` is the hash of the files' content.
///
/// # Errors
///
/// Fails if the measurements cannot be read, or if the file cannot be written.
pub fn json(
    knowledge: &Knowledge,
    content: &str,
    rows: &mut MeasurementPortions<'_>,
    path: &Path,
) -> Result<(), ExportError> {
    let whole = serde_json::to_string(&document(knowledge, content))?;
    let begun = whole.strip_suffix(END).unwrap_or(&whole);
    let mut is_first = knowledge.measurements.is_empty();
    write_atomically_with(path, |to| {
        let failed = |error: io::Error| ExportError::Write(WriteError::at(path)(error));
        to.write_all(begun.as_bytes()).map_err(failed)?;
        for portion in rows {
            for row in &portion? {
                if !std::mem::take(&mut is_first) {
                    to.write_all(b",").map_err(failed)?;
                }
                serde_json::to_writer(&mut *to, row)?;
            }
        }
        writeln!(to, "{END}").map_err(failed)
    })
}

/// The whole knowledge base as a document; `content` is the hash of the files' content.
pub fn document<'k>(knowledge: &'k Knowledge, content: &'k str) -> ExportDocument<'k> {
    let (info, catalog) = (&knowledge.info, &knowledge.catalog);
    ExportDocument {
        format: "dlbench-export",
        version: VERSION,
        knowledge_base: ExportedFrom {
            name: &info.name,
            content,
            schema: info.schema,
            license: &info.license,
            notes: info.notes.as_deref(),
            written_by: format!("dlbench {}", env!("CARGO_PKG_VERSION")),
        },
        catalog: ExportedCatalog {
            frameworks: catalog.frameworks.values().collect(),
            devices: catalog.devices.values().collect(),
            hardware_classes: catalog.hardware_classes.values().collect(),
            networks: catalog.networks.values().collect(),
            datasets: catalog.datasets.values().collect(),
            sources: catalog.sources.values().collect(),
            hardware_metrics: &catalog.hardware_metrics,
            framework_metrics: &catalog.framework_metrics,
            principles: &catalog.principles,
            evidence: &catalog.evidence,
            contradiction: catalog.contradiction.as_ref(),
            claims: &catalog.claims,
        },
        measurements: knowledge.measurements.iter().cloned().map(JoinedRow::from).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Catalog, KbInfo};

    #[test]
    fn measurements_end_the_document() {
        let info = KbInfo {
            name: String::new(),
            schema: 1,
            license: String::new(),
            url: None,
            unasked: Vec::new(),
            notes: None,
        };
        let knowledge = Knowledge { info, catalog: Catalog::default(), measurements: Vec::new(), skipped: Vec::new() };
        let whole = serde_json::to_string(&document(&knowledge, "hash")).unwrap();
        assert!(whole.ends_with(&format!("\"measurements\":[{END}")), "{whole}");
    }
}
