//! Grades of hardware classes as claims: each puts its class above, below or beside the others that the same survey grades.

use super::document::{ClaimEvidence, ClaimKind, Comparison, EvidenceVerdict, PeriodEvidence};
use super::judge::{Claimed, Judge};
use super::measured::{Period, class_filter};
use super::wording::{ClaimWording, would_change};
use crate::ask::question::QueryError;
use crate::model::{
    EvidenceDefinition, EvidenceKind, GradeRecord, HardwareClassRecord, MetricDefinition, Source, rank_of,
};

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
