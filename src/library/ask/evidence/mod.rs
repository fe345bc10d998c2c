//! Claims held against what was measured: the grades of hardware classes, the facts of frameworks and the figures of texts, each
//! by the operational definition that the catalog states for its metric.

mod claims;
mod contradictions;
mod document;
mod framework_facts;
mod interval;
mod judge;
mod measured;
mod measurers;
mod observation;
mod select;
mod wanted;
mod words;

pub use contradictions::{
    Allowance, ContextDifference, Contradiction, ContradictionSide, Contradictions, SCHEMA as CONTRADICTIONS_SCHEMA,
    contradictions,
};
pub use document::{
    ByChance, ChanceRate, ClaimEvidence, ClaimKind, Comparison, Evidence, EvidenceVerdict, PairEvidence,
    PeriodEvidence, SCHEMA,
};

pub use wanted::{LackingClaim, LackingKind, SCHEMA as WANTED_SCHEMA, Wanted, WantedCell, WantedRequest, wanted};

use std::collections::HashMap;

use claims::GradeClaim;
use framework_facts::{FactClaim, FrameworkRows};
use judge::Judge;
use measured::MeasuredSides;
use measurers::Measurers;
use select::Selection;

use crate::ask::execute::under::RowIds;
use crate::ask::hits::SharedValues;
use crate::ask::parse::QueryError;
use crate::model::{Claim, EvidenceDefinition, Fact, Framework, GradedKind, HardwareClassRecord, MetricDefinition};
use crate::stores::Stores;

/// What is wanted of the evidence.
#[derive(Debug, Clone, Default)]
pub struct EvidenceRequest {
    /// Words that the claims must hold; none is all claims.
    pub question: String,
    /// Claims of somebody's own in the place of the catalog's.
    pub claims: Option<Vec<Claim>>,
    /// Whether every pair is wanted.
    pub explain: bool,
    /// So many times the directions of the real pairs are exchanged at random, to tell how often chance gives a verdict.
    pub shuffles: Option<usize>,
}

/// How intervals are made.
const METHOD: &str = "Effects are means over networks (of ratios geometric ones) of the best row of each side and year that are \
    alike in all but what may differ. Intervals hold 95 percent: networks are drawn with replacement, and where a side is a class \
    also its devices, each by itself, 2000 times from a fixed seed (Owen and Eckles 2012, Bootstrapping data arrays of arbitrary \
    order), with levels widened for few of them (expanded percentile interval: Hesterberg 2015, section 4.2). Measurers are independent where their sources share no author; of a benchmark that \
    many submit to they are the submitters.";

/// Holds claims against rows and facts.
///
/// # Errors
///
/// When a store fails, or a filter of a definition or claim is no question.
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

/// The grades of some classes by some metrics, held against the rows; metric by metric in the survey's order.
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

impl<'j> Judge<'j> {
    fn new(stores: &'j Stores, values: &'j SharedValues, explain: bool) -> Result<Self, QueryError> {
        Ok(Self {
            measured: MeasuredSides::new(stores, values),
            measurers: Measurers::read(stores, values)?,
            ids: RowIds::default(),
            explain,
            observed: HashMap::new(),
        })
    }
}

/// The operational definitions with the metrics that they are of.
struct Definitions {
    definitions: Vec<EvidenceDefinition>,
    hardware: Vec<MetricDefinition>,
    framework: Vec<MetricDefinition>,
}

impl Definitions {
    fn read(stores: &Stores) -> Result<Self, QueryError> {
        Ok(Self {
            definitions: stores.database.evidence_definitions()?,
            hardware: stores.database.definitions("hardware-metrics")?,
            framework: stores.database.definitions("framework-metrics")?,
        })
    }

    fn of(&self, grades: GradedKind, metric: &MetricDefinition) -> Option<&EvidenceDefinition> {
        self.definitions.iter().find(|definition| is_of(definition, grades, metric))
    }

    /// All grades, metric by metric in the survey's order.
    fn grades<'g>(&'g self, classes: &'g [HardwareClassRecord]) -> Vec<GradeClaim<'g>> {
        let mut claims = Vec::new();
        for metric in &self.hardware {
            let Some(definition) = self.of(GradedKind::Hardware, metric) else { continue };
            let graded = classes.iter().filter_map(|class| Some((class, class.grades.get(&metric.id)?)));
            claims.extend(graded.map(|(class, grade)| GradeClaim { class, grade, metric, definition }));
        }
        claims
    }

    /// All facts that surveys printed, framework by framework; a row that another framework shares is that one's.
    fn facts<'f>(&'f self, frameworks: &'f [Framework]) -> Vec<FactClaim<'f>> {
        let mut claims = Vec::new();
        for framework in frameworks {
            let reported = framework.reported.iter().filter(|(_, reported)| reported.same_as.is_none());
            for (survey, reported) in reported {
                for metric in &self.framework {
                    let definition = self.of(GradedKind::Framework, metric);
                    let fact = definition.and_then(|definition| definition.fact.as_ref()?.parse::<Fact>().ok());
                    if let Some((definition, fact)) = definition.zip(fact) {
                        let claim = FactClaim { framework, survey, reported, metric, definition, fact };
                        claims.extend((!claim.items().is_empty()).then_some(claim));
                    }
                }
            }
        }
        claims
    }
}

fn is_of(definition: &EvidenceDefinition, grades: GradedKind, metric: &MetricDefinition) -> bool {
    definition.grades == grades && definition.metric == metric.id
}
