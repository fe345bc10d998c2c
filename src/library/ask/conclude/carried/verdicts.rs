//! What the measurements say to all that is claimed of a class of hardware or a framework, by verdict.

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::named::{NamedEntity, named_entities, subject_key};
use crate::ask::conclude::catalog::class_grades::classes_asked_for;
use crate::ask::conclude::evidence::{EvidenceRequest, EvidenceVerdict, evidence};
use crate::ask::question::{Carried, QueryError, Question};
use crate::model::Value;
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::{and_list, counted};

/// Tells the verdicts on what is claimed of what the question names.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let mut conclusion = Conclusion::default();
    let mut told = Vec::new();
    let is_judged = |kind: EntityKind| matches!(kind, EntityKind::HardwareClass | EntityKind::Framework);
    let mut judged = named_entities(stores, question)?;
    judged.retain(|entity| is_judged(entity.kind));
    if judged.is_empty() {
        let classes = classes_asked_for(stores, &[])?;
        judged.extend(classes.into_iter().map(|class| NamedEntity {
            kind: EntityKind::HardwareClass,
            id: class.id.to_string(),
            members: Vec::new(),
        }));
    }
    for entity in judged {
        let request = EvidenceRequest { question: entity.id.clone(), ..EvidenceRequest::default() };
        let begins = format!("{}/", entity.id);
        let mut found = evidence(stores, "", &request)?;
        found.claims.retain(|claim| claim.id.starts_with(&begins));
        let mut verdicts: IndexMap<EvidenceVerdict, Vec<String>> = IndexMap::new();
        for claim in &found.claims {
            let metric = claim.metric.clone().unwrap_or_else(|| claim.id.clone());
            verdicts.entry(claim.verdict).or_default().push(metric.replace('-', " "));
            conclusion.entries.push(Entry {
                subjects: IndexMap::from([(
                    subject_key(entity.kind).to_owned(),
                    Value::Text(entity.id.as_str().into()),
                )]),
                quantity: metric,
                value: Some(EntryValue::Text(claim.verdict.to_string())),
                n: 1,
                sources: vec![claim.said_by.clone()],
                ..Entry::default()
            });
        }
        // Who asks what is contradicted is told that alone.
        let only_contradicted =
            question.read_as().any(|read| read.values.iter().any(|value| value == Carried::Disagreement.key()));
        verdicts.retain(|verdict, _| !only_contradicted || *verdict == EvidenceVerdict::Contradicted);
        let parts: Vec<String> = verdicts
            .iter()
            .map(|(verdict, metrics)| format!("{verdict} {} ({})", metrics.len(), and_list(metrics)))
            .collect();
        told.push(match parts.is_empty() {
            true if only_contradicted => format!("Nothing that is claimed of {} is contradicted by rows.", entity.id),
            true => format!("Nothing that is claimed of {} is held against rows.", entity.id),
            false => format!(
                "Of {} the rows say: {} (dlbench evidence {}).",
                counted(
                    found.claims.len(),
                    &format!("claim about {}", entity.id),
                    &format!("claims about {}", entity.id)
                ),
                parts.join("; "),
                entity.id
            ),
        });
    }
    conclusion.text = told.join(" ");
    Ok(conclusion)
}
