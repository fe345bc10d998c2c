//! The device as the catalog knows it, or a draft of its entry.

use super::environment::Environment;
use super::gpu::Gpu;
use crate::model::Facet;
use crate::reading::toml_one_line;
use crate::stores::database::{Database, DatabaseError};
use crate::stores::resolve::Certainty;
use crate::stores::resolve_spelling;

/// A device of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineDevice {
    /// Its id in the catalog.
    pub id: String,
    /// The name that the system gives.
    pub raw: String,
    /// The text of its entry, when the catalog has none.
    pub draft: Option<String>,
}

/// Finds `cpu` or a GPU in the catalog.
pub fn find(
    store: &Database,
    device: &str,
    gpu: Option<&Gpu>,
    environment: &Environment,
) -> Result<MachineDevice, DatabaseError> {
    if device == "cpu" {
        let name = environment.get("cpu-model").unwrap_or("unnamed processor").to_owned();
        let id = known(store, &name)?;
        let draft = || cpu_draft(&name, environment);
        return found(store, id, name.clone(), draft);
    }
    let (name, gib) = gpu.and_then(Gpu::name).unwrap_or_else(|| (format!("unnamed device {device}"), 0.0));
    // With its memory a name such as Tesla V100-SXM2 is that of one SKU.
    let with_memory = format!("{name} {gib:.0}GB");
    let id = match known(store, &name)? {
        Some(id) => Some(id),
        None => known(store, &with_memory)?,
    };
    let draft = || gpu_draft(&name, gib, environment);
    found(store, id, name.clone(), draft)
}

fn found(
    store: &Database,
    known: Option<String>,
    raw: String,
    draft: impl FnOnce() -> (String, String),
) -> Result<MachineDevice, DatabaseError> {
    if let Some(id) = known {
        return Ok(MachineDevice { id, raw, draft: None });
    }
    let (id, text) = draft();
    // An earlier run may have drafted it, and somebody kept it.
    let there = store.entity::<crate::model::Device>(&id)?.is_some();
    Ok(MachineDevice { id, raw, draft: (!there).then_some(text) })
}

/// The entity of a name, when the name means one device and no other.
fn known(store: &Database, name: &str) -> Result<Option<String>, DatabaseError> {
    let resolved = resolve_spelling(store, Facet::Device, name)?;
    let sure = matches!(resolved.reading, Certainty::Sku | Certainty::Family);
    Ok(match resolved.ids.as_slice() {
        [id] if sure => Some(id.clone()),
        _ => None,
    })
}

fn cpu_draft(name: &str, environment: &Environment) -> (String, String) {
    let family = environment.get("cpu-family-model-stepping");
    let mut words = family.unwrap_or_default().split(' ');
    // A hypervisor may hide the model, as in "AMD EPYC": the numbers tell at least the generation.
    let hidden = !name.chars().any(|c| c.is_ascii_digit());
    let title = match (hidden, words.next(), words.next()) {
        (true, Some(family), Some(model)) if !family.is_empty() => format!("{name} (family {family}, model {model})"),
        _ => name.to_owned(),
    };
    let mut text = format!("name = {}\nclass = \"cpu\"\n", toml_one_line(&title));
    let vendor = match environment.get("cpu-vendor") {
        Some("AuthenticAMD") => Some("AMD"),
        Some("GenuineIntel") => Some("Intel"),
        other => other,
    };
    if let Some(vendor) = vendor {
        text.push_str(&format!("vendor = {}\n", toml_one_line(vendor)));
    }
    if hidden {
        text.push_str(
            "notes = \"As the system names it, without its model; the cores that a run used stand in its environment.\"\n",
        );
    }
    text.push_str("\n[[sources]]\nsource = \"dlbench-runs\"\n");
    (id_of(&title), text)
}

fn gpu_draft(name: &str, gib: f64, environment: &Environment) -> (String, String) {
    let mut text = format!("name = {}\nclass = \"gpu\"\nvendor = \"NVIDIA\"\n", toml_one_line(name));
    if gib > 0.0 {
        // Drivers tell a little less than is built in.
        text.push_str(&format!("memory-gib = {:.0}\n", gib.ceil()));
    }
    if let Some(capability) = environment.get("gpu-compute-capability") {
        text.push_str(&format!("compute-capability = {}\n", toml_one_line(capability)));
    }
    text.push_str("\n[[sources]]\nsource = \"dlbench-runs\"\n");
    (id_of(name), text)
}

/// A name in lower-case kebab.
fn id_of(name: &str) -> String {
    let mut id = String::new();
    for c in name.to_lowercase().replace("(r)", "").replace("(tm)", "").chars() {
        if c.is_ascii_alphanumeric() {
            id.push(c);
        } else if !id.ends_with('-') && !id.is_empty() {
            id.push('-');
        }
    }
    id.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_model_is_told_by_its_numbers() {
        assert_eq!(id_of("AMD EPYC (family 25, model 17)"), "amd-epyc-family-25-model-17");
        assert_eq!(id_of("Intel(R) Xeon(R) CPU E5-2650 v4 @ 2.20GHz"), "intel-xeon-cpu-e5-2650-v4-2-20ghz");
    }
}
