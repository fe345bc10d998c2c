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
    let asked = asked_verdict(question);
    let (mut all, mut so) = (0, 0);
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
        verdicts.retain(|verdict, _| asked.is_none_or(|asked| asked == *verdict));
        all += found.claims.len();
        so += verdicts.values().map(Vec::len).sum::<usize>();
        let parts: Vec<String> = verdicts
            .iter()
            .map(|(verdict, metrics)| format!("{verdict} {} ({})", metrics.len(), and_list(metrics)))
            .collect();
        told.push(match parts.is_empty() {
            true if let Some(asked) = asked => {
                format!("Nothing that is claimed of {} is {}.", entity.id, of_claims(asked))
            }
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
    if let Some(asked) = asked.filter(|_| told.len() > 1) {
        let wanted = asked.to_string();
        conclusion
            .entries
            .retain(|entry| matches!(&entry.value, Some(EntryValue::Text(verdict)) if *verdict == wanted));
        told.insert(0, format!("{so} of {all} claims about classes of hardware are {}.", of_claims(asked)));
        told.push("Those about frameworks, and figures of texts: dlbench evidence.".to_owned());
    }
    conclusion.text = told.join(" ");
    Ok(conclusion)
}

/// The verdict that is asked for: `claims with no evidence`, `which claims are supported`; `None` where all are.
fn asked_verdict(question: &Question) -> Option<EvidenceVerdict> {
    let says = |carried: Carried, any: &[&str]| {
        let mut read = question.read_as().filter(|read| read.values.iter().any(|value| value == carried.key()));
        read.any(|read| any.is_empty() || any.iter().any(|word| read.text.to_lowercase().contains(word)))
    };
    match () {
        () if says(Carried::Disagreement, &[]) => Some(EvidenceVerdict::Contradicted),
        () if says(Carried::Verdicts, &["no evidence", "without", "lack", "unproven", "unsupported", "not "]) => {
            Some(EvidenceVerdict::NoEvidence)
        }
        () => None,
    }
}

/// What a verdict says of a claim.
fn of_claims(verdict: EvidenceVerdict) -> &'static str {
    match verdict {
        EvidenceVerdict::Supported => "supported by rows",
        EvidenceVerdict::Contradicted => "contradicted by rows",
        EvidenceVerdict::Mixed => "judged mixed by rows",
        EvidenceVerdict::NoEvidence => "without evidence in rows",
    }
}
