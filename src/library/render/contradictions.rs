//! Contradictions among sources (table, paragraphs, flat rows), and the verdict on whether measurements are comparable.

use super::paragraph;
use super::table::{Cell, Column, Section, Table};
use crate::ask::compare::PairVerdict;
use crate::ask::contradictions::{
    Allowance, Contradiction, ContradictionSide, Contradictions, Disagreement, DisagreementSide,
};
use crate::model::{Field, Metric};
use crate::values::text::counted;

/// The configuration fields shown in a table, in this order.
const SUBJECT: &[Field] = &[
    Field::Network,
    Field::Device,
    Field::DeviceCount,
    Field::Stage,
    Field::Scenario,
    Field::Division,
    Field::Precision,
    Field::BatchSize,
    Field::Framework,
];

/// One row per contradiction, then one per ratio on which the evidence disagrees, largest factor first.
pub fn table(found: &Contradictions) -> Table {
    let text = |heading: &str| Column::key(heading, false);
    let columns = vec![
        Column::key("factor", true),
        Column::key("usual", true),
        Column::key("further", true),
        text("metric"),
        text("of what"),
        Column { whole: true, ..text("higher") },
        Column { whole: true, ..text("lower") },
        text("what differs"),
    ];
    let row = |line: &Contradiction| {
        let sides = [
            format!("{} {}", line.higher.measurement, line.higher.value),
            format!("{} {}", line.lower.measurement, line.lower.value),
            line.differing(),
        ];
        let cells = contradiction_cells(line).into_iter().chain(sides);
        cells.map(|text| Cell::from(text.as_str())).collect()
    };
    let sections = [
        (None, found.contradictions.iter().map(row).collect::<Vec<_>>()),
        (Some("ratios on which the evidence disagrees"), found.disagreements.iter().map(disagreement).collect()),
    ];
    let sections = sections.into_iter().filter(|(_, rows)| !rows.is_empty());
    let sections = sections.map(|(title, rows)| Section { title: title.map(str::to_owned), rows });
    Table { columns, sections: sections.collect(), ..Table::default() }
}

/// A table row for a ratio on which the evidence disagrees.
fn disagreement(line: &Disagreement) -> Vec<Cell> {
    let (higher, lower) = line.sides();
    let side = |side: &DisagreementSide| format!("{} {}", side.ratio, part(side));
    let cells = disagreement_cells(line).into_iter().chain([side(higher), side(lower), String::new()]);
    cells.map(|text| Cell::from(text.as_str())).collect()
}

/// The cells that state the size of a disagreement and its ratio, matching [`contradiction_cells`].
fn disagreement_cells(line: &Disagreement) -> [String; 5] {
    let small = if line.small_batches { ", small batches" } else { "" };
    let ratio = format!("{} {} / {}{small}", line.of, line.subject, line.baseline);
    [line.factor.to_string(), String::new(), line.further.to_string(), "ratio".to_owned(), ratio]
}

/// One part of the evidence, with its interval.
fn part(side: &DisagreementSide) -> String {
    let who = if side.measurers.is_empty() { String::new() } else { format!(" by {}", side.measurers.join(", ")) };
    let of = match side.settings {
        0 => side.by.clone(),
        many => format!("{}, {}{who}", side.by, counted(many, "setting", "settings")),
    };
    format!("({} to {}; {of})", side.low, side.high)
}

/// The cells that state the size of a contradiction and its configuration.
fn contradiction_cells(line: &Contradiction) -> [String; 5] {
    [line.factor.to_string(), line.usual.to_string(), line.further.to_string(), line.metric.clone(), subject(line)]
}

fn subject(line: &Contradiction) -> String {
    let stated = SUBJECT.iter().filter_map(|field| {
        let value = line.under.get(field.key())?.as_ref()?.to_string();
        Some(match field {
            Field::DeviceCount => counted(value.parse().unwrap_or(0), "device", "devices"),
            Field::BatchSize => format!("batch {value}"),
            _ => value,
        })
    });
    stated.collect::<Vec<_>>().join(" ")
}

/// One paragraph per contradiction, and the usual factors.
pub fn text(found: &Contradictions, width: usize) -> String {
    let mut text = String::new();
    for line in &found.contradictions {
        let further = match line.further {
            0 => String::new(),
            further => format!(", and {} with one of these values", counted(further, "more pair", "more pairs")),
        };
        let told = format!(
            "{} times ({} would be usual) the {} of {}{further}:",
            line.factor,
            line.usual,
            line.metric,
            subject(line)
        );
        text.push_str(&paragraph("", &told, width));
        for side in [&line.higher, &line.lower] {
            text.push_str(&paragraph("  ", &side_in_words(side), width));
        }
        let differing = line.differing();
        let differing = if differing.is_empty() { "nothing that both state".to_owned() } else { differing };
        text.push_str(&paragraph("  ", &format!("What differs: {differing}."), width));
        text.push('\n');
    }
    for line in &found.disagreements {
        let further = match line.further {
            0 => String::new(),
            further => format!(" (and with {})", counted(further, "other baseline", "other baselines")),
        };
        let [.., ratio] = disagreement_cells(line);
        text.push_str(&paragraph("", &format!("Evidence disagrees on {ratio}{further}:"), width));
        let (higher, lower) = line.sides();
        for side in [higher, lower] {
            text.push_str(&paragraph("  ", &format!("{} {}", side.ratio, part(side)), width));
        }
        text.push_str(&paragraph("  ", &format!("Rows: {}.", line.measurements.join(", ")), width));
        text.push('\n');
    }
    for line in about(found) {
        text.push_str(&paragraph("", &line, width));
    }
    text
}

fn side_in_words(side: &ContradictionSide) -> String {
    let range = if side.rows > 1 {
        format!(", of {} from {} to {}", counted(side.rows, "row", "rows"), side.low, side.high)
    } else {
        String::new()
    };
    format!("{} by {}: {}{range}", side.value, side.measurer, side.measurement)
}

/// What was compared, the usual factors, and the definitions.
pub fn about(found: &Contradictions) -> Vec<String> {
    let usual = |allowance: &Allowance| {
        let factor = allowance.factor.map_or_else(|| "not known".to_owned(), |factor| factor.to_string());
        let pairs = counted(allowance.pairs, "pair", "pairs");
        format!("{} {factor} ({pairs} of {})", allowance.name, counted(allowance.measurers, "measurer", "measurers"))
    };
    let usual: Vec<String> = found.allowances.iter().map(usual).collect();
    let mut lines = vec![
        format!(
            "{} compared: {} within repetitions, {} explained by context, {} within the stated spread, {} not explained.",
            counted(found.compared, "pair", "pairs"),
            found.within_repetitions,
            found.explained,
            found.within_spread,
            found.unexplained
        ),
        format!("Usual factors: {}.", usual.join(", ")),
        format!(
            "{} of devices, frameworks or precisions compared: on {} the evidence disagrees (the 90 % intervals of two parts of it \
             do not overlap).",
            counted(found.pairs, "pair", "pairs"),
            found.disagreements.iter().map(|line| 1 + line.further).sum::<usize>(),
        ),
    ];
    lines.extend(found.formula.iter().map(|formula| format!("How: {formula}.")));
    lines.extend(found.not_captured.iter().map(|left_out| format!("Not captured: {left_out}.")));
    lines
}

/// One row per contradiction or disagreement, for programs.
pub fn flat(found: &Contradictions) -> Table {
    const KEYS: &[(&str, bool)] = &[
        ("factor", true),
        ("usual", true),
        ("further", true),
        ("metric", false),
        ("of_what", false),
        ("higher_measurer", false),
        ("higher_measurement", false),
        ("higher_value", true),
        ("higher_rows", true),
        ("lower_measurer", false),
        ("lower_measurement", false),
        ("lower_value", true),
        ("lower_rows", true),
        ("differences", false),
    ];
    let row = |line: &Contradiction| {
        let (higher, lower) = (&line.higher, &line.lower);
        let sides = [
            higher.measurer.clone(),
            higher.measurement.clone(),
            higher.value.to_string(),
            higher.rows.to_string(),
            lower.measurer.clone(),
            lower.measurement.clone(),
            lower.value.to_string(),
            lower.rows.to_string(),
            line.differing(),
        ];
        let cells = contradiction_cells(line).into_iter().chain(sides);
        cells.map(|text| Cell::from(text.as_str())).collect()
    };
    let columns = KEYS.iter().map(|(key, numeric)| Column::key(key, *numeric)).collect();
    let ratio = |line: &Disagreement| {
        let (higher, lower) = line.sides();
        let side = |side: &DisagreementSide| {
            [side.measurers.join(";"), side.by.clone(), side.ratio.to_string(), side.settings.to_string()]
        };
        let cells = disagreement_cells(line).into_iter().chain(side(higher)).chain(side(lower)).chain([String::new()]);
        cells.map(|text| Cell::from(text.as_str())).collect()
    };
    let rows = found.contradictions.iter().map(row).chain(found.disagreements.iter().map(ratio)).collect();
    Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }
}

/// The values of each measurement, field by field, with their consequence for comparability.
pub fn verdict_table(verdict: &PairVerdict) -> Table {
    let mut columns = vec![Column::key("tier", false), Column::key("field", false)];
    columns.extend(verdict.ids.iter().map(|id| Column { whole: true, ..Column::key(id, false) }));
    columns.push(Column::key("says", false));
    let cell = |text: &str| Cell::from(text);
    let mut values = vec![cell("value"), cell(verdict.metric.map_or("", Metric::key))];
    values.extend(verdict.values.iter().map(|value| cell(&value.map_or_else(String::new, |value| value.to_string()))));
    values.push(cell(match verdict.order_supported {
        Some(true) => "distinguished by their dispersion",
        Some(false) => "not distinguished by their dispersion",
        None => "",
    }));
    let mut rows = vec![values];
    for field in &verdict.fields {
        let mut cells = vec![cell(field.tier), cell(field.field)];
        cells.extend(field.values.iter().map(|value| cell(value.as_deref().unwrap_or("not stated"))));
        cells.push(cell(field.says));
        rows.push(cells);
    }
    Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }
}
