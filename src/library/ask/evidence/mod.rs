//! Judges claims by measurements: the grades of hardware classes, the facts of frameworks and the figures of texts, each by the
//! operational definition that the catalog states for its metric.

mod claims;
mod definitions;
mod document;
mod framework_facts;
mod interval;
mod judge;
pub(in crate::ask) mod measured;
mod observation;
mod select;
mod wanted;
mod words;

pub use document::{
    ByChance, ChanceRate, ClaimEvidence, ClaimKind, Comparison, Evidence, EvidenceVerdict, PairEvidence,
    PeriodEvidence, SCHEMA,
};

pub use wanted::{LackingClaim, LackingKind, SCHEMA as WANTED_SCHEMA, Wanted, WantedCell, WantedRequest, wanted};

use definitions::Definitions;
use framework_facts::{FactClaim, FrameworkRows};
use judge::Judge;
use select::Selection;

use crate::ask::hits::SharedValues;
use crate::ask::parse::QueryError;
use crate::model::{Claim, Framework, HardwareClassRecord};
use crate::stores::Stores;

/// Options of [`evidence`].
#[derive(Debug, Clone, Default)]
pub struct EvidenceRequest {
    /// Words that a claim must contain; empty for all claims.
    pub question: String,
    /// Claims to judge instead of those of the catalog.
    pub claims: Option<Vec<Claim>>,
    /// Whether to report every pair.
    pub explain: bool,
    /// How many times to flip the pairs' directions at random, to find how often chance alone gives a verdict.
    pub shuffles: Option<usize>,
}

/// How intervals are computed, as text for the reader.
const METHOD: &str = "Effects are means over networks (of ratios geometric ones) of the best row of each side and year that are \
    alike in all but what may differ. Intervals hold 95 percent: networks are drawn with replacement, and where a side is a class \
    also its devices, each by itself, 2000 times from a fixed seed (Owen and Eckles 2012, Bootstrapping data arrays of arbitrary \
    order), with levels widened for few of them (expanded percentile interval: Hesterberg 2015, section 4.2). Measurers are independent where their sources share no author; of a benchmark that \
    many submit to they are the submitters.";

/// Judges claims by rows and facts.
///
/// # Errors
///
/// When a store fails, or a filter of a definition or claim cannot be parsed.
pub fn evidence(stores: &Stores, content: &str, request: &EvidenceRequest) -> Result<Evidence, QueryError> {
    let selection = Selection::of(&request.question);
    let catalog = Definitions::read(stores)?;
    let values = SharedValues::read(stores)?;
    let mut judge = Judge::new(stores, &values, request.explain)?;
    let mut claims = Vec::new();
    if request.claims.is_none() {
        let classes: Vec<HardwareClassRecord> = stores.database.entities()?;
        for claim in catalog.grades(&classes).iter().filter(|claim| claim.is_meant(&selection)) {
            claims.push(claim.judged(&mut judge, &classes)?);
        }
        let frameworks: Vec<Framework> = stores.database.entities()?;
        let facts = catalog.facts(&frameworks);
        let facts: Vec<&FactClaim<'_>> = facts.iter().filter(|claim| claim.is_meant(&selection)).collect();
        if !facts.is_empty() {
            let rows = FrameworkRows::read(&judge)?;
            for claim in facts {
                claims.push(claim.judged(&mut judge, &rows)?);
            }
        }
    }
    let of_texts = match &request.claims {
        Some(claims) => claims.clone(),
        None => stores.database.claims()?,
    };
    for claim in of_texts.iter().filter(|claim| claims::is_meant(claim, &selection)) {
        claims.push(claims::judged(claim, &catalog.definitions, &mut judge)?);
    }
    Ok(Evidence {
        query: request.question.clone(),
        knowledge_base: content.to_owned(),
        method: METHOD.split_whitespace().collect::<Vec<_>>().join(" "),
        claims,
        by_chance: request.shuffles.map(|shuffles| judge.by_chance(shuffles)),
    })
}

/// Judges the selected grades of classes by rows; metric by metric, in the survey's order.
pub(in crate::ask) fn judged_grades(
    stores: &Stores,
    is_wanted: impl Fn(&str, &str) -> bool,
) -> Result<Vec<ClaimEvidence>, QueryError> {
    let catalog = Definitions::read(stores)?;
    let values = SharedValues::read(stores)?;
    let mut judge = Judge::new(stores, &values, false)?;
    let classes: Vec<HardwareClassRecord> = stores.database.entities()?;
    let grades = catalog.grades(&classes).into_iter();
    let wanted = grades.filter(|claim| is_wanted(claim.class.id.into(), claim.metric.id.as_str()));
    wanted.map(|claim| claim.judged(&mut judge, &classes)).collect()
}
