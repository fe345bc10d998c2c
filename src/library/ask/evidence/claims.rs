//! Judges grades of hardware classes and figures from texts: by rows of two sides, by a device fact, or by a citation.

use super::document::{ClaimEvidence, ClaimKind, Comparison, EvidenceVerdict, PeriodEvidence};
use super::judge::{Claimed, Judge};
use super::measured::{Period, class_filter};
use super::select::Selection;
use crate::ask::parse::QueryError;
use crate::model::{
    Citation, CitedFigure, Claim, Device, EvidenceDefinition, EvidenceKind, Fact, GradeRecord, HardwareClassRecord,
    MetricDefinition, Source, Value, rank_of,
};
use crate::values::Decimal;

/// A grade, with the definition by which it is judged.
pub(super) struct GradeClaim<'g> {
    pub class: &'g HardwareClassRecord,
    pub grade: &'g GradeRecord,
    pub metric: &'g MetricDefinition,
    pub definition: &'g EvidenceDefinition,
}

impl GradeClaim<'_> {
    /// `gpu/energy-efficiency`.
    fn id(&self) -> String {
        format!("{}/{}", <&str>::from(self.class.id), self.metric.id)
    }

    /// Whether a question selects this claim: by class, metric or source.
    pub fn is_meant(&self, by: &Selection) -> bool {
        let names: Vec<&str> =
            self.class.aliases.iter().map(String::as_str).filter(|alias| !alias.contains(' ')).collect();
        let source = self.grade.source.as_str();
        by.takes(&[&self.id(), &self.class.name, &names.join(" "), &self.metric.name, source, "grade"])
    }

    /// Judges the grade by rows up to its year and by rows since then, against each other class that the same survey grades.
    pub fn judged(&self, judge: &mut Judge<'_>, classes: &[HardwareClassRecord]) -> Result<ClaimEvidence, QueryError> {
        let source: Option<Source> = judge.measured.stores.database.entity(self.grade.source.as_str())?;
        let year = source.and_then(|source| source.year);
        let judged_year = year.filter(|_| self.definition.speaks != EvidenceKind::Nothing);
        let mut periods = Vec::new();
        for period in Period::around_year(judged_year) {
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
                let [subject, baseline] = [self.class.id, other.id].map(|class| <&str>::from(class).to_owned());
                comparisons.push(Comparison { subject, baseline, ..compared });
            }
            periods.push(PeriodEvidence::of(period, comparisons));
        }
        let claim = ClaimEvidence {
            id: self.id(),
            kind: ClaimKind::Grade,
            about: <&str>::from(self.class.id).to_owned(),
            metric: Some(self.metric.id.to_string()),
            claimed: self.grade.grade.to_string(),
            text: format!("{} of {}: {}", self.metric.name, self.class.name, self.grade.grade),
            said_by: self.grade.source.to_string(),
            place: self.definition.place.clone(),
            year,
            notes: self.grade.notes.clone(),
            ..ClaimEvidence::default()
        };
        Ok(claim.with(periods, self.definition))
    }
}

/// Relative tolerance for equal figures, because printed figures are rounded.
const ROUNDING: f64 = 0.01;

/// Whether a question selects this figure.
pub(super) fn is_meant(claim: &Claim, by: &Selection) -> bool {
    let metric = claim.by.as_ref().map(ToString::to_string).unwrap_or_default();
    by.takes(&[claim.id.as_str(), &claim.text, claim.source.as_str(), &metric, "figure"])
}

/// Judges a claim by rows, a fact or a citation.
pub(super) fn judged(
    claim: &Claim,
    definitions: &[EvidenceDefinition],
    judge: &mut Judge<'_>,
) -> Result<ClaimEvidence, QueryError> {
    let evidence = ClaimEvidence {
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
        ..ClaimEvidence::default()
    };
    let since = |comparison| vec![PeriodEvidence::of(Period::After(0), vec![comparison])];
    if let (Some(cited), None, None) = (&claim.cited, &claim.subject, &claim.device) {
        let formula = "the value that the cited work states, within 1 percent of the claim";
        let words = (formula, "whether that work is right");
        return Ok(evidence.in_periods(since(by_citation(claim, cited)), EvidenceKind::Fact, words));
    }
    if let Some(fact) = claim.fact.as_ref().and_then(|key| key.parse::<Fact>().ok()) {
        let formula = "the catalog's fact, from a source other than the claim's, within 1 percent of the claim";
        let words = (formula, "nothing: it is one stated figure");
        return Ok(evidence.in_periods(since(by_fact(claim, fact, judge)?), EvidenceKind::Fact, words));
    }
    let by = definitions.iter().find(|definition| Some(&definition.metric) == claim.by.as_ref());
    let (Some(definition), Some(subject), Some(baseline), Some(low)) = (by, &claim.subject, &claim.baseline, claim.low)
    else {
        let words = ("none", "no definition states how to measure it");
        return Ok(evidence.in_periods(Vec::new(), EvidenceKind::Nothing, words));
    };
    let claimed = Claimed::Times(low.value(), claim.high.map(Decimal::value));
    let mut periods = Vec::new();
    for period in Period::around_year(Some(claim.year)) {
        let comparison = judge.comparison(definition, [subject, baseline], claimed, period)?;
        periods.push(PeriodEvidence::of(period, vec![comparison]));
    }
    Ok(evidence.with(periods, definition))
}

/// The claimed value or range, as text.
fn range(claim: &Claim) -> String {
    let is_one = claim.fact.is_some() || claim.cited.is_some() && claim.subject.is_none();
    match (claim.low, claim.high) {
        (Some(low), Some(high)) if low.value() == high.value() => low.to_string(),
        (Some(low), Some(high)) => format!("{low} to {high}"),
        (Some(low), None) if is_one => low.to_string(),
        (Some(low), None) => format!("above {low}"),
        _ => String::new(),
    }
}

/// Compares the claim with the catalog's fact; a fact that only the claim's own source states is not evidence.
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
    let value = match device.as_ref().and_then(|device| fact.value(device)) {
        Some(Value::Number(number)) => Some(number.value()),
        Some(Value::Count(count)) => Some(count as f64),
        _ => None,
    };
    let (Some(device), Some(value), Some(low)) = (device, value, claim.low) else {
        comparison.remark = Some("the catalog does not know the fact".to_owned());
        return Ok(comparison);
    };
    let independent = Citation::covering(&device.sources, fact.cited_key())
        .filter(|citation| citation.source.as_ref() != Some(&claim.source));
    comparison.sources = independent.map(Citation::short_name).collect();
    if comparison.sources.is_empty() {
        comparison.remark = Some(format!("only {} states it", claim.source));
        return Ok(comparison);
    }
    let (low, high) = (low.value(), claim.high.unwrap_or(low).value());
    let is_so = value >= low * (1.0 - ROUNDING) && value <= high * (1.0 + ROUNDING);
    comparison.verdict = Some(EvidenceVerdict::whether(is_so));
    comparison.effect = Some(value);
    comparison.unit = Some("value".to_owned());
    comparison.units = 1;
    comparison.measurers = comparison.sources.len();
    Ok(comparison)
}

/// Compares a figure with what the cited work states.
fn by_citation(claim: &Claim, cited: &CitedFigure) -> Comparison {
    let alike = |a: Option<Decimal>, b: Option<Decimal>| match (a.map(Decimal::value), b.map(Decimal::value)) {
        (Some(a), Some(b)) => (a - b).abs() <= ROUNDING * b.abs(),
        (a, b) => a.is_none() && b.is_none(),
    };
    Comparison {
        subject: claim.id.to_string(),
        baseline: cited.work.clone(),
        claimed: range(claim),
        verdict: Some(EvidenceVerdict::whether(alike(claim.low, Some(cited.low)) && alike(claim.high, cited.high))),
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
