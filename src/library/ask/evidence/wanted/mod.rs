//! Wanted measurements: missing ones, ranked by what they would settle. A claim may lack networks measured on both of its sides, a
//! framework fact a row that confirms it, a device rows that are comparable with those of other devices.

mod claims;
mod devices;
mod document;
mod frames;
mod framework_facts;

pub use document::{LackingClaim, LackingKind, SCHEMA, Wanted, WantedCell};

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::claims::judged as judged_figure;
use super::definitions::Definitions;
use super::document::ClaimEvidence;
use super::judge::Judge;
use super::select::Selection;
use crate::ask::execute::spread::rounded;
use crate::ask::hits::SharedValues;
use crate::ask::parse::QueryError;
use crate::model::{EvidenceDefinition, Framework, HardwareClassRecord};
use crate::stores::Stores;
use crate::values::EntityId;

/// Options of [`wanted`].
#[derive(Debug, Clone, Default)]
pub struct WantedRequest {
    /// Words that a wanted measurement must contain; empty for all.
    pub question: String,
    /// Devices of this machine; more measurements are listed for them than for others.
    pub here: Vec<EntityId>,
}

/// How wanted measurements are found and ranked, as text for the reader.
const METHOD: &str = "A cell is a network on a class of hardware or a device, under the conditions of rows that others have. Of a \
    claim about two sides that has too few networks, or too few who measured, on today's rows, the networks are wanted that one side \
    has in the newest year of its rows and the other has not: those with the most devices, as many as are lacking. Of a fact of a \
    framework that a survey printed, and of which neither a row nor another source says anything, a row is wanted that bears it out: \
    on the network, the data set or the kind of hardware, on several hosts, where the most frameworks were measured so. Of a device that \
    nothing or little can be compared with, the cell is wanted that makes it comparable with the most devices of its class. First come the cells \
    that settle most: one part in so many networks, or items of a fact, as a claim lacks, summed over claims. Among equals those come first that a \
    question would need most often: the more devices were measured so, the more questions of the form `A or B` have an answer then; \
    of frameworks likewise; of devices next those with the most rows.";

/// The missing measurements, most wanted first.
///
/// # Errors
///
/// When a store fails, or a filter of a definition or claim cannot be parsed.
pub fn wanted(stores: &Stores, content: &str, request: &WantedRequest) -> Result<Wanted, QueryError> {
    let values = SharedValues::read(stores)?;
    let mut judge = Judge::new(stores, &values, false)?;
    let mut cells = merged(cells_for_claims(&mut judge)?);
    cells.extend(devices::cells(&mut judge, &request.here)?);
    cells.sort_by(|a, b| {
        let rank = |cell: &WantedCell| (Reverse(cell.comparisons), Reverse(cell.rows));
        b.share.total_cmp(&a.share).then_with(|| rank(a).cmp(&rank(b))).then_with(|| name(a).cmp(&name(b)))
    });
    let selection = Selection::of(&request.question);
    cells.retain(|cell| is_meant(cell, &selection));
    Ok(Wanted {
        query: request.question.clone(),
        knowledge_base: content.to_owned(),
        method: METHOD.split_whitespace().collect::<Vec<_>>().join(" "),
        wanted: cells,
    })
}

/// Whether a question selects a wanted measurement: by its class or device, network, claims or conditions.
fn is_meant(cell: &WantedCell, by: &Selection) -> bool {
    let settles: Vec<&str> = cell.settles.iter().map(|claim| claim.claim.as_str()).collect();
    let under: Vec<String> = cell.under.values().flatten().map(ToString::to_string).collect();
    by.takes(&[&cell.on, &cell.network, &cell.measure, &settles.join(" "), &under.join(" ")])
}

fn name(cell: &WantedCell) -> (&str, &str, &str) {
    (&cell.on, &cell.network, &cell.measure)
}

/// What the claims of the catalog lack: grades of classes, figures of texts and facts of frameworks.
fn cells_for_claims(judge: &mut Judge<'_>) -> Result<Vec<WantedCell>, QueryError> {
    let stores = judge.measured.stores;
    let catalog = Definitions::read(stores)?;
    let classes: Vec<HardwareClassRecord> = stores.database.entities()?;
    let mut judged: Vec<ClaimEvidence> = Vec::new();
    for claim in catalog.grades(&classes) {
        judged.push(claim.judged(judge, &classes)?);
    }
    for claim in stores.database.claims()? {
        judged.push(judged_figure(&claim, &catalog.definitions, judge)?);
    }
    let mut cells = Vec::new();
    for claim in &judged {
        let is_of = |definition: &&EvidenceDefinition| Some(definition.metric.as_str()) == claim.metric.as_deref();
        if let Some(definition) = catalog.definitions.iter().find(is_of) {
            cells.extend(claims::cells(claim, definition, judge)?);
        }
    }
    let frameworks: Vec<Framework> = stores.database.entities()?;
    cells.extend(framework_facts::cells(&catalog.facts(&frameworks), judge)?);
    Ok(cells)
}

/// Merges equal cells of several claims. A verdict on two sides is wanted once, whichever side is graded.
fn merged(cells: Vec<WantedCell>) -> Vec<WantedCell> {
    let mut known: BTreeMap<(String, String, String), WantedCell> = BTreeMap::new();
    for cell in cells {
        let (on, network, measure) = name(&cell);
        let key = (on.to_owned(), network.to_owned(), measure.to_owned());
        match known.get_mut(&key) {
            Some(same) => {
                same.share = rounded(same.share + cell.share);
                same.settles.extend(cell.settles);
                // Keep the conditions under which more devices were measured.
                if cell.comparisons > same.comparisons {
                    (same.comparisons, same.under, same.like) = (cell.comparisons, cell.under, cell.like);
                }
            }
            None => drop(known.insert(key, cell)),
        }
    }
    known.into_values().collect()
}
