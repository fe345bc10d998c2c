//! Claims with the evidence for and against them: as a table, as paragraphs, and as one row per comparison.

use super::paragraph;
use super::table::{Cell, Column, Section, Table};
use crate::ask::evidence::{
    ByChance, ChanceRate, ClaimEvidence, ClaimKind, Comparison, Evidence, EvidenceVerdict, PeriodEvidence,
};

/// One row per claim: the claim, the verdicts, and the comparisons behind them.
pub fn table(evidence: &Evidence) -> Table {
    let text = |heading: &str| Column::key(heading, false);
    let columns = vec![
        Column { whole: true, ..text("claim") },
        text("place"),
        text("claimed"),
        text("then"),
        text("since"),
        text("what was measured"),
    ];
    let row = |claim: &ClaimEvidence| {
        let verdict = |period: &str| {
            let found = claim.periods.iter().find(|found| found.period == period);
            found.map_or_else(|| "no evidence".to_owned(), |found| found.verdict.to_string())
        };
        let place = claim.place.clone().unwrap_or_default();
        [claim.id.clone(), place, claim.claimed.clone(), verdict("then"), verdict("since"), measured(claim)]
            .map(|text| Cell::from(text.as_str()))
            .to_vec()
    };
    let sections = [ClaimKind::Grade, ClaimKind::Fact, ClaimKind::Figure].into_iter().filter_map(|kind| {
        let rows: Vec<Vec<Cell>> = evidence.claims.iter().filter(|claim| claim.kind == kind).map(row).collect();
        (!rows.is_empty()).then_some(Section { title: None, rows })
    });
    Table { columns, sections: sections.collect(), ..Table::default() }
}

/// The comparisons of the deciding period, else of the last one.
fn measured(claim: &ClaimEvidence) -> String {
    let Some(period) = deciding(claim) else { return claim.formula.clone() };
    if claim.kind == ClaimKind::Fact {
        return items(period);
    }
    let told = period.comparisons.iter().map(Comparison::in_words).collect::<Vec<_>>().join("; ");
    match claim.notes.as_deref().filter(|_| claim.kind == ClaimKind::Figure) {
        Some(notes) => format!("{told}. {notes}"),
        None => told,
    }
}

/// The items of a fact, grouped by verdict.
fn items(period: &PeriodEvidence) -> String {
    let with = |verdict: EvidenceVerdict, word: &str| {
        let named = period.comparisons.iter().filter(|item| item.verdict == Some(verdict));
        let named: Vec<&str> = named.map(|item| item.baseline.as_str()).collect();
        (!named.is_empty()).then(|| format!("{word} {}", named.join(", ")))
    };
    let denied = period.comparisons.iter().find(|item| item.verdict == Some(EvidenceVerdict::Contradicted));
    let today = denied.and_then(|item| item.remark.clone());
    let parts = [
        with(EvidenceVerdict::Supported, "found:"),
        with(EvidenceVerdict::Contradicted, "not so:"),
        with(EvidenceVerdict::NoEvidence, "nothing on"),
        today,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn deciding(claim: &ClaimEvidence) -> Option<&PeriodEvidence> {
    claim.periods.iter().find(|period| Some(&period.period) == claim.by.as_ref()).or(claim.periods.last())
}

/// Paragraphs per claim: the verdicts, their basis, and what would change them.
pub fn text(evidence: &Evidence, width: usize) -> String {
    let mut text = String::new();
    for claim in &evidence.claims {
        let place = claim.place.as_deref().map(|place| format!(", {place}")).unwrap_or_default();
        let verdict = format!("{} ({}{place}): {}.", claim.text.trim_end_matches('.'), claim.said_by, claim.verdict);
        text.push_str(&paragraph("", &verdict, width));
        for period in &claim.periods {
            let year = claim.year.map_or_else(String::new, |year| year.to_string());
            let when = if period.period == "then" { format!("up to {year}") } else { format!("since {year}") };
            text.push_str(&paragraph("  ", &format!("{when}: {}", period.verdict), width));
            for comparison in &period.comparisons {
                text.push_str(&paragraph("    ", &compared(comparison), width));
                for pair in &comparison.details {
                    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
                    let told = format!(
                        "{}: {} against {} = {} ({}) {}",
                        pair.unit,
                        number(pair.subject),
                        number(pair.baseline),
                        pair.effect,
                        pair.devices.join(" against "),
                        pair.measurements.join(" ")
                    );
                    text.push_str(&paragraph("      ", &told, width));
                }
            }
        }
        if let Some(notes) = &claim.notes {
            text.push_str(&paragraph("  ", &format!("Note: {notes}"), width));
        }
        text.push_str(&paragraph("  ", &format!("How: {}.", claim.formula), width));
        text.push_str(&paragraph("  ", &format!("Not captured: {}.", claim.not_captured), width));
        text.push_str(&paragraph("  ", &format!("What would change it: {}.", claim.would_change), width));
        text.push('\n');
    }
    text.push_str(&paragraph("", &evidence.method, width));
    text
}

/// One row per pair of sides: how often chance alone supports or contradicts that the first side has more.
pub fn chance(found: &ByChance) -> Table {
    const KEYS: &[(&str, bool)] = &[
        ("metric", false),
        ("measure", false),
        ("period", false),
        ("subject", false),
        ("baseline", false),
        ("pairs", true),
        ("units", true),
        ("devices", true),
        ("supported", true),
        ("contradicted", true),
    ];
    let row = |rate: &ChanceRate| {
        let cells = [
            rate.metric.clone(),
            rate.measure.clone().unwrap_or_default(),
            rate.period.clone(),
            rate.subject.clone(),
            rate.baseline.clone(),
            rate.pairs.to_string(),
            rate.units.to_string(),
            rate.devices.map_or_else(String::new, |devices| devices.to_string()),
            rate.supported.to_string(),
            rate.contradicted.to_string(),
        ];
        cells.iter().map(|text| Cell::from(text.as_str())).collect()
    };
    let rows = found.rates.iter().map(row).collect();
    let columns = KEYS.iter().map(|(key, numeric)| Column::key(key, *numeric)).collect();
    Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }
}

/// How the directions were permuted, and how often chance may give a verdict.
pub fn about_chance(found: &ByChance) -> String {
    format!(
        "The directions of the real pairs are exchanged at random {} times, those of all pairs of a device together: half of the times by \
         the devices of the one side, half by those of the other; where things are counted, those of each thing. Supported and \
         contradicted together should be no more than {}.",
        found.shuffles, found.level
    )
}

/// A text lists at most this many rows of a comparison (two pairs); JSON and the pair listing contain all.
const MOST_ROWS: usize = 4;

/// A comparison with its verdict, pairs, measurers, years and rows.
fn compared(comparison: &Comparison) -> String {
    let verdict = comparison.verdict.unwrap_or(EvidenceVerdict::NoEvidence);
    let mut told = format!("claimed {}, {verdict}: {}", comparison.claimed, comparison.in_words());
    if comparison.pairs > 0 {
        let years = comparison.years.map(|(first, last)| format!(", {first} to {last}")).unwrap_or_default();
        told.push_str(&format!("; {} pairs, {} measurers{years}", comparison.pairs, comparison.measurers));
    }
    if !comparison.sources.is_empty() {
        told.push_str(&format!("; sources {}", comparison.sources.join(", ")));
    }
    if comparison.details.is_empty() && !comparison.measurements.is_empty() {
        let (first, others) = comparison.measurements.split_at(comparison.measurements.len().min(MOST_ROWS));
        let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        told.push_str(&format!("; rows {}{more}", first.join(" ")));
    }
    told
}

/// One row per comparison, for programs.
pub fn flat(evidence: &Evidence) -> Table {
    const KEYS: &[(&str, bool)] = &[
        ("claim", false),
        ("kind", false),
        ("claimed_of_claim", false),
        ("said_by", false),
        ("verdict_of_claim", false),
        ("period", false),
        ("subject", false),
        ("baseline", false),
        ("claimed", false),
        ("verdict", false),
        ("measure", false),
        ("weak", false),
        ("unit", false),
        ("effect", true),
        ("low", true),
        ("high", true),
        ("pairs", true),
        ("units", true),
        ("devices", true),
        ("measurers", true),
        ("first_year", true),
        ("last_year", true),
        ("sources", false),
        ("measurements", false),
        ("remark", false),
    ];
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let mut rows = Vec::new();
    for claim in &evidence.claims {
        for period in &claim.periods {
            for comparison in &period.comparisons {
                let years = comparison.years;
                let cells = [
                    claim.id.clone(),
                    claim.kind.to_string(),
                    claim.claimed.clone(),
                    claim.said_by.clone(),
                    claim.verdict.to_string(),
                    period.period.clone(),
                    comparison.subject.clone(),
                    comparison.baseline.clone(),
                    comparison.claimed.clone(),
                    comparison.verdict.unwrap_or(EvidenceVerdict::NoEvidence).to_string(),
                    comparison.measure.clone().unwrap_or_default(),
                    comparison.weak.to_string(),
                    comparison.unit.clone().unwrap_or_default(),
                    number(comparison.effect),
                    number(comparison.low),
                    number(comparison.high),
                    comparison.pairs.to_string(),
                    comparison.units.to_string(),
                    comparison.devices.map_or_else(String::new, |devices| devices.to_string()),
                    comparison.measurers.to_string(),
                    years.map_or_else(String::new, |(first, _)| first.to_string()),
                    years.map_or_else(String::new, |(_, last)| last.to_string()),
                    comparison.sources.join(" "),
                    comparison.measurements.join(" "),
                    comparison.remark.clone().unwrap_or_default(),
                ];
                rows.push(cells.iter().map(|text| Cell::from(text.as_str())).collect());
            }
        }
    }
    let columns = KEYS.iter().map(|(key, numeric)| Column::key(key, *numeric)).collect();
    Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }
}
