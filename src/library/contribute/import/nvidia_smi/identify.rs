//! Which device of the catalog a board is, and where its entry says otherwise than `nvidia-smi`.

use std::path::Path;

use super::super::error::ImportError;
use super::super::records::MalformedInput;
use super::board::{Board, boards};
use super::device_draft::{self, nominal_gib};
use crate::model::{Device, Facet};
use crate::reading::read_limited;
use crate::stores::database::Database;
use crate::stores::resolve::Certainty;
use crate::stores::resolve_spelling;
use crate::values::EntityId;

/// A board and the device that it is.
#[derive(Debug, Clone, PartialEq)]
pub struct IdentifiedBoard {
    /// What the file says of it.
    pub board: Board,
    /// How many such boards the file has.
    pub count: usize,
    /// Its match in the catalog.
    pub catalog_match: CatalogMatch,
}

/// What the catalog has of a board.
#[derive(Debug, Clone, PartialEq)]
pub enum CatalogMatch {
    /// It has an entry.
    Known {
        /// The entry.
        id: String,
        /// What the file says otherwise, a sentence each.
        differences: Vec<String>,
    },
    /// It is of a family, or may be several devices.
    Ambiguous {
        /// The family or the candidates.
        ids: Vec<String>,
        /// What would decide.
        why: String,
    },
    /// It has no entry: this would be one.
    Unknown {
        /// Its id.
        id: EntityId,
        /// The text of its file.
        draft: String,
    },
}

/// Reads the XML of `nvidia-smi -q -x` or the CSV of `nvidia-smi --query-gpu=… --format=csv`; equal boards are one.
///
/// # Errors
///
/// When the file cannot be read or is neither.
pub fn identify(path: &Path, store: &Database) -> Result<Vec<IdentifiedBoard>, ImportError> {
    let bytes = read_limited(path).map_err(|error| ImportError::Io { path: path.to_owned(), error })?;
    let malformed = |MalformedInput { line, message }| ImportError::Malformed { path: path.to_owned(), line, message };
    let mut found: Vec<IdentifiedBoard> = Vec::new();
    for board in boards(&String::from_utf8_lossy(&bytes)).map_err(malformed)? {
        match found.iter_mut().find(|one| one.board == board) {
            Some(same) => same.count += 1,
            None => {
                let matched = catalog_match(&board, store)?;
                found.push(IdentifiedBoard { board, count: 1, catalog_match: matched });
            }
        }
    }
    Ok(found)
}

fn catalog_match(board: &Board, store: &Database) -> Result<CatalogMatch, ImportError> {
    // A part number or a PCI id is of one board only; the name may leave the memory open, which the file states, too.
    let memory = board.memory_mib.map(|mib| format!("{} {}GB", board.name, nominal_gib(mib)));
    let spellings = board.part_number.iter().chain([&board.name]).chain(&memory);
    let mut read = None;
    for spelling in spellings {
        let resolved = resolve_spelling(store, Facet::Device, spelling)?;
        let sure = resolved.reading == Certainty::Sku;
        if resolved.reading != Certainty::Unknown {
            read = Some(resolved);
        }
        if sure {
            break;
        }
    }
    let devices: Vec<Device> = match &board.pci_id {
        Some(_) => store.entities()?,
        None => Vec::new(),
    };
    let by_pci_id = devices.iter().find(|device| board.pci_id.as_ref().is_some_and(|id| device.pci_ids.contains(id)));
    if let Some(device) = by_pci_id {
        return Ok(CatalogMatch::Known { id: device.id.to_string(), differences: differences(board, device) });
    }
    Ok(match read {
        Some(read) if read.reading == Certainty::Sku => match store.entity::<Device>(&read.ids[0])? {
            Some(device) => CatalogMatch::Known { id: device.id.to_string(), differences: differences(board, &device) },
            None => drafted(board),
        },
        Some(read) => CatalogMatch::Ambiguous { ids: read.ids, why: read.why },
        None => drafted(board),
    })
}

fn drafted(board: &Board) -> CatalogMatch {
    let (id, draft) = device_draft::of_board(board);
    CatalogMatch::Unknown { id, draft }
}

/// What the file says otherwise than the entry, or beyond it.
fn differences(board: &Board, device: &Device) -> Vec<String> {
    let mut told = Vec::new();
    if let (Some(mib), Some(gib)) = (board.memory_mib, device.memory_gib)
        && nominal_gib(mib) as f64 != gib.value()
    {
        told.push(format!("memory: the file says {mib} MiB, the entry {gib} GiB"));
    }
    if let (Some(limit), Some(tdp)) = (board.power_limit_w, device.tdp_w)
        && limit.value() != tdp.value()
    {
        told.push(format!("power: the file says {limit} W by default, the entry {tdp} W"));
    }
    for (what, said, known) in [
        ("architecture", &board.architecture, &device.architecture),
        ("compute capability", &board.compute_capability, &device.compute_capability),
    ] {
        if let (Some(said), Some(known)) = (said, known)
            && !said.eq_ignore_ascii_case(known)
        {
            told.push(format!("{what}: the file says {said}, the entry {known}"));
        }
    }
    if let Some(id) = board.pci_id.as_ref().filter(|id| !device.pci_ids.contains(id)) {
        told.push(format!("PCI id: the file says {id}, which the entry does not have"));
    }
    told
}
