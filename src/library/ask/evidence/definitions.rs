//! The operational definitions of the catalog, and the claims judged by them.

use super::claims::GradeClaim;
use super::framework_facts::FactClaim;
use crate::ask::parse::QueryError;
use crate::model::{EvidenceDefinition, Fact, Framework, GradedKind, HardwareClassRecord, MetricDefinition};
use crate::stores::Stores;

/// The operational definitions, and the metrics that they define.
pub(super) struct Definitions {
    pub definitions: Vec<EvidenceDefinition>,
    hardware: Vec<MetricDefinition>,
    framework: Vec<MetricDefinition>,
}

impl Definitions {
    /// Reads the definitions and metrics.
    pub fn read(stores: &Stores) -> Result<Self, QueryError> {
        Ok(Self {
            definitions: stores.database.evidence_definitions()?,
            hardware: stores.database.definitions("hardware-metrics")?,
            framework: stores.database.definitions("framework-metrics")?,
        })
    }

    fn of(&self, grades: GradedKind, metric: &MetricDefinition) -> Option<&EvidenceDefinition> {
        let is_of = |of: &&EvidenceDefinition| of.grades == grades && of.metric == metric.id;
        self.definitions.iter().find(is_of)
    }

    /// All grades, metric by metric in the survey's order.
    pub fn grades<'g>(&'g self, classes: &'g [HardwareClassRecord]) -> Vec<GradeClaim<'g>> {
        let mut claims = Vec::new();
        for metric in &self.hardware {
            let Some(definition) = self.of(GradedKind::Hardware, metric) else { continue };
            let graded = classes.iter().filter_map(|class| Some((class, class.grades.get(&metric.id)?)));
            claims.extend(graded.map(|(class, grade)| GradeClaim { class, grade, metric, definition }));
        }
        claims
    }

    /// All facts that surveys printed, by framework; a survey row that repeats another framework's (`same_as`) is skipped.
    pub fn facts<'f>(&'f self, frameworks: &'f [Framework]) -> Vec<FactClaim<'f>> {
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
