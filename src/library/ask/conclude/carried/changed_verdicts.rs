//! Which verdicts on grades of hardware are others by what was measured since the claim than by what was until then.

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::named::{named_entities, subject_key};
use crate::ask::conclude::catalog::class_grades::classes_asked_for;
use crate::ask::conclude::evidence::{ClaimEvidence, EvidenceRequest, EvidenceVerdict, evidence};
use crate::ask::question::{QueryError, Question};
use crate::model::{HardwareClassRecord, Value};
use crate::stores::Stores;
use crate::values::EntityKind;
use crate::values::text::{and_list, counted, some_of};

/// So many claims are named of those that only later measurements say something of.
const MOST_NEWLY_JUDGED: usize = 8;

/// A claim with its verdicts of the two periods.
struct Judged {
    /// `GPU energy efficiency`
    name: String,
    class: String,
    metric: String,
    said_by: String,
    then: EvidenceVerdict,
    since: EvidenceVerdict,
}

impl Judged {
    /// `None` where one of the periods has no verdict of its own.
    fn of(class: &HardwareClassRecord, claim: &ClaimEvidence) -> Option<Self> {
        let of_period = |word: &str| claim.periods.iter().find(|own| own.period == word).map(|own| own.verdict);
        let metric = claim.metric.clone().unwrap_or_else(|| claim.id.clone());
        Some(Self {
            name: format!("{} {}", class.name, metric.replace('-', " ")),
            class: class.id.to_string(),
            said_by: claim.said_by.clone(),
            then: of_period("then")?,
            since: of_period("since")?,
            metric,
        })
    }

    fn in_words(&self) -> String {
        format!("{} ({}, since then {})", self.name, self.then, self.since)
    }

    /// An entry for each of the periods.
    fn entries(&self) -> [Entry; 2] {
        let entry = |period: &str, verdict: EvidenceVerdict| Entry {
            subjects: IndexMap::from([
                (subject_key(EntityKind::HardwareClass).to_owned(), Value::Text(self.class.as_str().into())),
                ("period".to_owned(), Value::Text(period.into())),
            ]),
            quantity: self.metric.clone(),
            value: Some(EntryValue::Text(verdict.to_string())),
            n: 1,
            sources: vec![self.said_by.clone()],
            ..Entry::default()
        };
        [entry("then", self.then), entry("since", self.since)]
    }
}

/// Tells the claims about the classes that are named, or about all, on which the two periods do not agree.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(stores: &Stores, question: &Question) -> Result<Conclusion, QueryError> {
    let named = named_entities(stores, question)?;
    let classes = classes_asked_for(stores, &named)?;
    let mut judged: Vec<Judged> = Vec::new();
    let (mut all, mut year) = (0, None);
    for class in &classes {
        let request = EvidenceRequest { question: class.id.to_string(), ..EvidenceRequest::default() };
        let begins = format!("{}/", class.id);
        let claims = evidence(stores, "", &request)?.claims;
        for claim in claims.iter().filter(|claim| claim.id.starts_with(&begins)) {
            all += 1;
            year = year.max(claim.year);
            judged.extend(Judged::of(class, claim));
        }
    }
    if all == 0 {
        return Ok(Conclusion::default());
    }
    let is_known = |verdict: EvidenceVerdict| verdict != EvidenceVerdict::NoEvidence;
    let names = |of: &dyn Fn(&Judged) -> bool| -> Vec<String> {
        judged.iter().filter(|own| of(own)).map(|own| own.name.clone()).collect()
    };
    let changed: Vec<&Judged> =
        judged.iter().filter(|own| is_known(own.then) && is_known(own.since) && own.then != own.since).collect();
    let kept = names(&|own| is_known(own.then) && own.then == own.since);
    let newly = names(&|own| !is_known(own.then) && is_known(own.since));
    let no_more = names(&|own| is_known(own.then) && !is_known(own.since));
    let until = year.map_or_else(|| "until the claim's year".to_owned(), |year| format!("until {year}"));
    let told: Vec<String> = changed.iter().map(|own| own.in_words()).collect();
    let claims = counted(all, "claim about classes of hardware", "claims about classes of hardware");
    let mut sentences = vec![match told.as_slice() {
        [] => format!("Of {claims} no verdict by rows measured {until} is another one by those measured since."),
        told => format!(
            "Of {claims} {} by the rows measured {until} than by those since: {}.",
            counted(told.len(), "is judged otherwise", "are judged otherwise"),
            and_list(told)
        ),
    }];
    for (which, lead) in [
        (kept, "The same in both periods"),
        (newly, "Without evidence then and judged since"),
        (no_more, "Judged then and without evidence since"),
    ] {
        if !which.is_empty() {
            sentences.push(format!("{lead}: {} ({}).", which.len(), some_of(&which, MOST_NEWLY_JUDGED)));
        }
    }
    sentences.push("The others have evidence in neither (dlbench evidence tells both periods).".to_owned());
    let entries = changed.iter().flat_map(|own| own.entries()).collect();
    Ok(Conclusion { text: sentences.join(" "), entries })
}
