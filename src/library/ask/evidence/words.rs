//! Describes evidence in words: the result of a comparison, and what would change a verdict.

use super::document::{ClaimEvidence, Comparison, EvidenceVerdict, PeriodEvidence};
use super::measured::Period;
use crate::model::{EvidenceDefinition, EvidenceKind};
use crate::values::text::{counted, three};

impl PeriodEvidence {
    /// Combines the comparisons of a period.
    pub(super) fn of(period: Period, comparisons: Vec<Comparison>) -> Self {
        let verdict = EvidenceVerdict::combined(comparisons.iter().filter_map(|comparison| comparison.verdict));
        Self { period: period.word().to_owned(), verdict, comparisons }
    }
}

impl ClaimEvidence {
    /// Adds the evidence by a definition to the claim.
    pub(super) fn with(self, periods: Vec<PeriodEvidence>, definition: &EvidenceDefinition) -> Self {
        self.in_periods(periods, definition.speaks, (&definition.formula, &definition.not_captured))
    }

    /// Adds the evidence of any kind to the claim; `formula` and `not_captured` describe it.
    pub(super) fn in_periods(
        self,
        periods: Vec<PeriodEvidence>,
        speaks: EvidenceKind,
        (formula, not_captured): (&str, &str),
    ) -> Self {
        let by = periods.iter().rev().find(|period| period.verdict != EvidenceVerdict::NoEvidence);
        let verdict = by.map_or(EvidenceVerdict::NoEvidence, |period| period.verdict);
        Self {
            verdict,
            by: by.map(|period| period.period.clone()),
            would_change: would_change(verdict, by.or(periods.last()), speaks),
            formula: formula.to_owned(),
            not_captured: not_captured.to_owned(),
            periods,
            ..self
        }
    }

    /// The verdict and its basis in one line.
    pub fn in_words(&self) -> String {
        let period =
            self.periods.iter().find(|period| Some(&period.period) == self.by.as_ref()).or(self.periods.last());
        let when = match (self.by.as_deref(), self.year) {
            (Some("then"), Some(year)) => format!(" by rows up to {year}"),
            (Some("since"), Some(year)) => format!(" by rows since {year}"),
            _ => String::new(),
        };
        let comparisons = period.iter().flat_map(|period| &period.comparisons);
        let told: Vec<String> = comparisons.map(Comparison::in_words).collect();
        let told = match told.is_empty() {
            // If nothing can capture the claim, do not list what is not captured.
            true if self.not_captured == "all of it" => ": no metric here measures it".to_owned(),
            true => format!(" ({})", self.not_captured),
            false => format!(": {}", told.join("; ")),
        };
        format!("{}{when}{told}", self.verdict)
    }
}

impl Comparison {
    /// `0.28 times gpu (0.16 to 0.5), 21 networks, at least 7 devices a side`, or why nothing is known.
    pub fn in_words(&self) -> String {
        let Some(effect) = self.effect else {
            let why = self.remark.as_deref().unwrap_or("nothing known");
            return format!("{}: {why}", self.baseline);
        };
        let effect_in_words = match self.unit.as_deref() {
            Some("years") if effect < 0.0 => format!("{} years after {}", three(-effect), self.baseline),
            Some("years") => format!("{} years before {}", three(effect), self.baseline),
            Some("share") => return self.counts_in_words(effect),
            Some("cited") => {
                let ends = self.low.zip(self.high);
                let told = ends.map_or_else(|| effect.to_string(), |(low, high)| format!("{low} to {high}"));
                return format!("{} has {told}", self.baseline);
            }
            Some("value") => return format!("the catalog's {} is {effect}", self.baseline),
            _ => format!("{} times {}", three(effect), self.baseline),
        };
        let is_ratio = self.unit.as_deref() == Some("ratio");
        let ends = self.low.zip(self.high);
        // The text says `after` instead of a negative sign.
        let ends = ends.map(|(low, high)| if !is_ratio && effect < 0.0 { (-high, -low) } else { (low, high) });
        let range = ends.map(|(low, high)| format!(" ({} to {})", three(low), three(high)));
        let weak = self.measure.as_deref().filter(|_| self.weak).map(|measure| format!(", by {measure}"));
        let remark = self.remark.as_deref().map(|remark| format!(", too little: {remark}"));
        let devices = self.devices.filter(|_| self.remark.is_none());
        let devices = devices.map(|devices| format!(", at least {} a side", counted(devices, "device", "devices")));
        format!(
            "{effect_in_words}{}, {}{}{}{}",
            range.unwrap_or_default(),
            counted(self.units, "network", "networks"),
            devices.unwrap_or_default(),
            weak.unwrap_or_default(),
            remark.unwrap_or_default()
        )
    }

    /// `18 fewer than asic (6 to 29) of 54 tasks`: how many more or fewer items one side has.
    fn counts_in_words(&self, share: f64) -> String {
        let sign = if share < 0.0 { -1.0 } else { 1.0 };
        let of_all = |share: f64| (sign * share * self.units as f64).round();
        let than = if share < 0.0 { "fewer" } else { "more" };
        let mut ends = [self.low, self.high].map(|end| end.map(of_all));
        // The text says `fewer` instead of a negative sign.
        if share < 0.0 {
            ends.reverse();
        }
        let range = match ends {
            [Some(low), Some(high)] => format!(" ({low} to {high})"),
            _ => String::new(),
        };
        let what = self.measure.as_deref().unwrap_or("things");
        let remark = self.remark.as_deref().map(|remark| format!(", too little: {remark}")).unwrap_or_default();
        format!("{} {than} than {}{range} of {} {what}{remark}", of_all(share), self.baseline, self.units)
    }
}

/// What would change a verdict.
fn would_change(verdict: EvidenceVerdict, period: Option<&PeriodEvidence>, speaks: EvidenceKind) -> String {
    if speaks == EvidenceKind::Nothing {
        return "facts or rows of which the knowledge base has none".to_owned();
    }
    let lacking = period.and_then(|period| period.comparisons.iter().find(|comparison| comparison.remark.is_some()));
    match (verdict, lacking) {
        (_, Some(lacking)) if verdict == EvidenceVerdict::NoEvidence || speaks == EvidenceKind::Fact => {
            let remark = lacking.remark.as_deref().unwrap_or_default();
            format!("rows of {} and {} alike in all but what may differ: {remark}", lacking.subject, lacking.baseline)
        }
        (EvidenceVerdict::Mixed, _) => "more networks on both sides, until each interval lies on one side".to_owned(),
        (_, Some(lacking)) => format!("rows that set {} against {}", lacking.subject, lacking.baseline),
        _ => "networks on which the effect is the other way round, until the interval leaves this side".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_told_as_counts() {
        let fewer = Comparison {
            baseline: "asic".to_owned(),
            unit: Some("share".to_owned()),
            measure: Some("tasks".to_owned()),
            effect: Some(-1.0 / 3.0),
            low: Some(-0.537),
            high: Some(-0.111),
            units: 54,
            ..Comparison::default()
        };
        assert_eq!(fewer.in_words(), "18 fewer than asic (6 to 29) of 54 tasks");
        let more = Comparison { effect: Some(0.5), low: None, high: None, units: 10, ..fewer };
        assert_eq!(more.in_words(), "5 more than asic of 10 tasks");
    }
}
