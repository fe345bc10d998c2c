//! Grades of hardware classes and figures of texts as claims: two sides by rows, a fact of a device, or a citation.

use super::document::{ClaimEvidence, ClaimKind, Comparison, EvidenceVerdict, PeriodEvidence};
use super::judge::{Claimed, Judge};
use super::measured::{Period, class_filter};
use super::select::Selection;
use super::words::would_change;
use crate::ask::parse::QueryError;
use crate::model::{
    Citation, CitedFigure, Claim, Device, EvidenceDefinition, EvidenceKind, Fact, GradeRecord, GradedKind,
    HardwareClassRecord, MetricDefinition, Source, Value, rank_of,
};
use crate::values::{Decimal, EntityId};

/// A grade, and the definition by which it is judged.
pub(super) struct GradeClaim<'g> {
    pub class: &'g HardwareClassRecord,
    pub grade: &'g GradeRecord,
    pub metric: &'g MetricDefinition,
    pub definition: &'g EvidenceDefinition,
}

impl GradeClaim<'_> {
    /// `gpu/energy-efficiency`.
    pub fn id(&self) -> String {
        format!("{}/{}", <&str>::from(self.class.id), self.metric.id)
    }

    /// The claim in a sentence.
    pub fn text(&self) -> String {
        format!("{} of {}: {}", self.metric.name, self.class.name, self.grade.grade)
    }

    /// Whether a question means it: by its class, its metric, its source.
    pub fn is_meant(&self, by: &Selection) -> bool {
        let names =
            self.class.aliases.iter().filter(|alias| !alias.contains(' ')).cloned().collect::<Vec<_>>().join(" ");
        by.takes(&[&self.id(), &self.class.name, &names, &self.metric.name, self.grade.source.as_str(), "grade"])
    }

    /// Holds the grade against the rows of its time and of today.
    pub fn judged(&self, judge: &mut Judge<'_>, classes: &[HardwareClassRecord]) -> Result<ClaimEvidence, QueryError> {
        let source: Option<Source> = judge.measured.stores.database.entity(self.grade.source.as_str())?;
        let year = source.and_then(|source| source.year);
        let mut periods = Vec::new();
        let speaks = self.definition.speaks != EvidenceKind::Nothing;
        for period in year
            .and_then(|year| u32::try_from(year).ok())
            .filter(|_| speaks)
            .iter()
            .flat_map(|year| Period::of_claim(*year))
        {
            let mut comparisons: Vec<Comparison> = Vec::new();
            for other in classes.iter().filter(|other| other.id != self.class.id) {
                let Some(grade) = other.grades.get(&self.metric.id).filter(|grade| grade.source == self.grade.source)
                else {
                    continue;
                };
                let claimed = match rank_of(self.grade.grade).total_cmp(&rank_of(grade.grade)) {
                    std::cmp::Ordering::Greater => Claimed::More,
                    std::cmp::Ordering::Less => Claimed::Less,
                    std::cmp::Ordering::Equal => Claimed::Alike,
                };
                let sides = [class_filter(self.class.id), class_filter(other.id)];
                let compared = judge.comparison(self.definition, [&sides[0], &sides[1]], claimed, period)?;
                comparisons.push(Comparison {
                    subject: <&str>::from(self.class.id).to_owned(),
                    baseline: <&str>::from(other.id).to_owned(),
                    ..compared
                });
            }
            let verdict = EvidenceVerdict::of_all(comparisons.iter().filter_map(|comparison| comparison.verdict));
            periods.push(PeriodEvidence { period: period.word().to_owned(), verdict, comparisons });
        }
        let wording = ClaimWording {
            id: self.id(),
            kind: ClaimKind::Grade,
            about: <&str>::from(self.class.id).to_owned(),
            metric: Some(self.metric.id.to_string()),
            claimed: self.grade.grade.to_string(),
            text: self.text(),
            said_by: self.grade.source.to_string(),
            place: self.definition.place.clone(),
            year,
            notes: self.grade.notes.clone(),
        };
        Ok(wording.with(periods, self.definition))
    }
}

/// What is said of a claim before it is judged.
pub(super) struct ClaimWording {
    pub id: String,
    pub kind: ClaimKind,
    pub about: String,
    pub metric: Option<String>,
    pub claimed: String,
    pub text: String,
    pub said_by: String,
    pub place: Option<String>,
    pub year: Option<i64>,
    pub notes: Option<String>,
}

impl ClaimWording {
    /// The claim with what speaks for and against it.
    pub fn with(self, periods: Vec<PeriodEvidence>, definition: &EvidenceDefinition) -> ClaimEvidence {
        let by = periods.iter().rev().find(|period| period.verdict != EvidenceVerdict::NoEvidence);
        let verdict = by.map_or(EvidenceVerdict::NoEvidence, |period| period.verdict);
        ClaimEvidence {
            verdict,
            by: by.map(|period| period.period.clone()),
            would_change: would_change(verdict, by.or(periods.last()), definition),
            id: self.id,
            kind: self.kind,
            about: self.about,
            metric: self.metric,
            claimed: self.claimed,
            text: self.text,
            said_by: self.said_by,
            place: self.place,
            year: self.year,
            notes: self.notes,
            periods,
            formula: definition.formula.clone(),
            not_captured: definition.not_captured.clone(),
        }
    }
}

/// Printed figures are rounded: so much apart they are the same.
const ROUNDING: f64 = 0.01;

/// Whether a question means the figure of a text.
pub(super) fn is_meant(claim: &Claim, by: &Selection) -> bool {
    let metric = claim.by.as_ref().map(ToString::to_string).unwrap_or_default();
    by.takes(&[claim.id.as_str(), &claim.text, claim.source.as_str(), &metric, "figure"])
}

/// Holds a claim against rows or facts.
pub(super) fn judged(
    claim: &Claim,
    definitions: &[EvidenceDefinition],
    judge: &mut Judge<'_>,
) -> Result<ClaimEvidence, QueryError> {
    let wording = ClaimWording {
        id: claim.id.to_string(),
        kind: ClaimKind::Figure,
        about: claim.subject.clone().or(claim.device.as_ref().map(ToString::to_string)).unwrap_or_default(),
        metric: claim.by.as_ref().map(ToString::to_string),
        claimed: range(claim),
        text: claim.text.clone(),
        said_by: claim.source.to_string(),
        place: claim.place.clone(),
        year: Some(claim.year),
        notes: claim.notes.clone(),
    };
    if let (Some(cited), None, None) = (&claim.cited, &claim.subject, &claim.device) {
        let comparison = by_citation(claim, cited);
        let verdict = comparison.verdict.unwrap_or(EvidenceVerdict::NoEvidence);
        let period = PeriodEvidence { period: "since".to_owned(), verdict, comparisons: vec![comparison] };
        return Ok(wording.with(vec![period], &of_citation(&claim.id)));
    }
    if let Some(fact) = claim.fact.as_ref().and_then(|key| key.parse::<Fact>().ok()) {
        let definition = of_fact(&claim.id, fact);
        let comparison = by_fact(claim, fact, judge)?;
        let verdict = comparison.verdict.unwrap_or(EvidenceVerdict::NoEvidence);
        let period = PeriodEvidence { period: "since".to_owned(), verdict, comparisons: vec![comparison] };
        return Ok(wording.with(vec![period], &definition));
    }
    let by = definitions.iter().find(|definition| Some(&definition.metric) == claim.by.as_ref());
    let (Some(definition), Some(subject), Some(baseline), Some(low)) = (by, &claim.subject, &claim.baseline, claim.low)
    else {
        return Ok(wording.with(Vec::new(), &of_nothing(&claim.id)));
    };
    let claimed = Claimed::Times(low.value(), claim.high.map(Decimal::value));
    let mut periods = Vec::new();
    for period in Period::of_claim(u32::try_from(claim.year).unwrap_or(0)) {
        let comparison = judge.comparison(definition, [subject, baseline], claimed, period)?;
        let verdict = comparison.verdict.unwrap_or(EvidenceVerdict::NoEvidence);
        periods.push(PeriodEvidence { period: period.word().to_owned(), verdict, comparisons: vec![comparison] });
    }
    Ok(wording.with(periods, definition))
}

/// What is claimed, as a range.
fn range(claim: &Claim) -> String {
    match (claim.low, claim.high) {
        (Some(low), Some(high)) if low.value() == high.value() => low.to_string(),
        (Some(low), Some(high)) => format!("{low} to {high}"),
        (Some(low), None) if claim.fact.is_some() || claim.cited.is_some() && claim.subject.is_none() => {
            low.to_string()
        }
        (Some(low), None) => format!("above {low}"),
        _ => String::new(),
    }
}

/// The fact of the catalog beside the claimed one; what only the claim's own source says is no evidence.
fn by_fact(claim: &Claim, fact: Fact, judge: &Judge<'_>) -> Result<Comparison, QueryError> {
    let mut comparison = Comparison {
        subject: claim.device.as_ref().map(ToString::to_string).unwrap_or_default(),
        baseline: fact.key().to_owned(),
        claimed: range(claim),
        verdict: Some(EvidenceVerdict::NoEvidence),
        measure: Some(fact.key().to_owned()),
        ..Comparison::default()
    };
    let device: Option<Device> = judge.measured.stores.database.entity(&comparison.subject)?;
    let stated = device.as_ref().and_then(|device| fact.value(device));
    let value = match &stated {
        Some(Value::Number(number)) => Some(number.value()),
        Some(Value::Count(count)) => Some(*count as f64),
        _ => None,
    };
    let (Some(device), Some(value), Some(low)) = (device, value, claim.low) else {
        comparison.remark = Some("the catalog does not know the fact".to_owned());
        return Ok(comparison);
    };
    let independent: Vec<String> = Citation::covering(&device.sources, fact.cited_key())
        .filter(|citation| citation.source.as_ref() != Some(&claim.source))
        .map(Citation::short_name)
        .collect();
    if independent.is_empty() {
        comparison.remark = Some(format!("only {} states it", claim.source));
        return Ok(comparison);
    }
    let (low, high) = (low.value(), claim.high.unwrap_or(low).value());
    let is_so = value >= low * (1.0 - ROUNDING) && value <= high * (1.0 + ROUNDING);
    comparison.verdict = Some(if is_so { EvidenceVerdict::Supported } else { EvidenceVerdict::Contradicted });
    comparison.effect = Some(value);
    comparison.unit = Some("value".to_owned());
    comparison.units = 1;
    comparison.measurers = independent.len();
    comparison.sources = independent;
    Ok(comparison)
}

/// A figure beside what another work states of the same.
fn by_citation(claim: &Claim, cited: &CitedFigure) -> Comparison {
    let alike = |a: Option<Decimal>, b: Option<Decimal>| match (a.map(Decimal::value), b.map(Decimal::value)) {
        (Some(a), Some(b)) => (a - b).abs() <= ROUNDING * b.abs(),
        (a, b) => a.is_none() && b.is_none(),
    };
    let is_so = alike(claim.low, Some(cited.low)) && alike(claim.high, cited.high);
    Comparison {
        subject: claim.id.to_string(),
        baseline: cited.work.clone(),
        claimed: range(claim),
        verdict: Some(if is_so { EvidenceVerdict::Supported } else { EvidenceVerdict::Contradicted }),
        unit: Some("cited".to_owned()),
        effect: Some(cited.low.value()),
        low: cited.high.map(|_| cited.low.value()),
        high: cited.high.map(Decimal::value),
        units: 1,
        measurers: 1,
        sources: vec![cited.url.clone()],
        ..Comparison::default()
    }
}

/// How a figure is judged that another work states.
fn of_citation(claim: &EntityId) -> EvidenceDefinition {
    EvidenceDefinition {
        speaks: EvidenceKind::Fact,
        formula: "what the work states that is cited for it, within 1 percent of what is claimed".to_owned(),
        not_captured: "whether that work is right".to_owned(),
        ..of_nothing(claim)
    }
}

/// How a fact is judged.
fn of_fact(claim: &EntityId, fact: Fact) -> EvidenceDefinition {
    EvidenceDefinition {
        speaks: EvidenceKind::Fact,
        fact: Some(fact.key().to_owned()),
        formula: "the catalog's fact, from a source other than the claim's, within 1 percent of what is claimed"
            .to_owned(),
        not_captured: "nothing: it is one stated figure".to_owned(),
        ..of_nothing(claim)
    }
}

/// How a claim is judged that nothing speaks for.
fn of_nothing(metric: &EntityId) -> EvidenceDefinition {
    EvidenceDefinition {
        metric: metric.clone(),
        grades: GradedKind::Hardware,
        speaks: EvidenceKind::Nothing,
        measures: Vec::new(),
        differ: Vec::new(),
        only: None,
        counts: None,
        fact: None,
        high_grade: None,
        least_units: None,
        least_measurers: None,
        least_devices: None,
        place: None,
        alike_within: None,
        formula: "none".to_owned(),
        not_captured: "no definition says how it would be measured".to_owned(),
    }
}
