//! The table at the end of a run: each new number beside the nearest known ones.

use crate::cli::failure::Failure;
use dlbench::KnowledgeBase;
use dlbench::measure::{FinishedPoint, FinishedRun, PlanPoint};
use dlbench::model::{Field, Measurement, Metric};
use dlbench::render::table::Table;
use dlbench::values::{Decimal, Grid, GridColumn, HardwareClass};

/// The table; for a repetition, with what differs from the known row.
pub(super) fn table(
    finished: &FinishedRun,
    points: &[PlanPoint],
    kb: &KnowledgeBase,
    repeated: Option<&Measurement>,
    width: usize,
) -> Result<String, Failure> {
    if finished.rows.is_empty() {
        return Ok(String::new());
    }
    let mut drawn = Grid {
        columns: vec![
            GridColumn::text("configuration"),
            GridColumn::text("framework"),
            GridColumn::text("device"),
            GridColumn::number("batch"),
            GridColumn::number("latency [ms]"),
            GridColumn::number("± [%]"),
            GridColumn::number("n"),
            GridColumn::number("items/s"),
            GridColumn::number("total [s]"),
            GridColumn::number("error rate"),
            GridColumn::text("outcome"),
            GridColumn::text("where from"),
        ],
        rows: Vec::new(),
    };
    for FinishedPoint { at, row, half_width } in &finished.rows {
        let marked = |work: String| if row.get(Field::Caveats).is_some() { format!("{work} !") } else { work };
        let width = half_width.and_then(|width| Decimal::derived(100.0 * width, 2));
        let width = width.map_or_else(String::new, |width| width.to_string());
        drawn.push(cells(marked(points[*at].work()), row, (&width, "measured here")));
        let known = match repeated {
            Some(known) => vec![known.clone()],
            // What failed has nothing to be set beside.
            None if row.get(Field::Outcome).is_some() => Vec::new(),
            None => {
                let class = if points[*at].device == "cpu" { HardwareClass::Cpu } else { HardwareClass::Gpu };
                kb.nearest(row, class).map_err(Failure::of_stores)?
            }
        };
        for known in known {
            let title = match known.text(Field::Precision) == row.text(Field::Precision) {
                true => "  known".to_owned(),
                false => format!("  known, {}", known.text(Field::Precision).unwrap_or("precision unknown")),
            };
            drawn.push(cells(title, &known, ("", known.id())));
        }
    }
    let mut table = Table::from(&drawn.without_empty_columns());
    // Ids are copied as they stand.
    if let Some(from) = table.columns.last_mut() {
        from.whole = true;
    }
    let mut text = table.text(width);
    if finished.rows.iter().any(|point| point.row.get(Field::Caveats).is_some()) {
        text.push_str("! with caveats, which stand with the row\n");
    }
    if let (Some(known), Some(FinishedPoint { row, .. })) = (repeated, finished.rows.first()) {
        text.push_str(&differences(known, row, width)?);
    }
    Ok(text)
}

fn cells(title: String, row: &Measurement, (half_width, from): (&str, &str)) -> Vec<String> {
    let metric = |metric| row.metric(metric).map_or_else(String::new, |value| value.readable().to_string());
    let text = |field| row.get(field).map_or_else(String::new, |value| value.to_string());
    let rate = row.metric(Metric::ThroughputPerS).or_else(|| row.implied_throughput());
    vec![
        title,
        format!("{} {}", text(Field::Framework), text(Field::FrameworkVersion)).trim().to_owned(),
        text(Field::Device),
        text(Field::BatchSize),
        metric(Metric::LatencyMs),
        half_width.to_owned(),
        text(Field::N),
        rate.map_or_else(String::new, |rate| rate.readable().to_string()),
        metric(Metric::TotalS),
        metric(Metric::ErrorRate),
        text(Field::Outcome),
        from.to_owned(),
    ]
}

/// What differs between a known number and its repetition.
fn differences(known: &Measurement, row: &Measurement, width: usize) -> Result<String, Failure> {
    use strum::VariantArray as _;
    let mut drawn = Grid::of_texts(&["differs", "known", "here"]);
    let shown = |row: &Measurement, field| row.get(field).map_or_else(|| "not stated".to_owned(), |v| v.to_string());
    let footnotes = [Field::Notes, Field::Caveats, Field::Status, Field::Label, Field::Lowest, Field::Highest];
    for &field in Field::VARIANTS.iter().filter(|field| !footnotes.contains(field)) {
        let (before, now) = (shown(known, field), shown(row, field));
        if before != now {
            drawn.push(vec![field.key().to_owned(), before, now]);
        }
    }
    let mut text = format!("\n{} repeated here:\n", known.id());
    for metric in [Metric::LatencyMs, Metric::ThroughputPerS, Metric::TotalS, Metric::ErrorRate] {
        if let (Some(before), Some(now)) = (known.metric(metric), row.metric(metric)) {
            text.push_str(&told(metric, before, now));
        }
    }
    if known.metric(Metric::LatencyMs).is_none()
        && let (Some(before), Some(now)) = (known.metric(Metric::ThroughputPerS), row.implied_throughput())
    {
        text.push_str(&told(Metric::ThroughputPerS, before, now));
    }
    Ok(text + &Table::from(&drawn).text(width))
}

/// Two values of a metric, and how many times the known one is here.
fn told(metric: Metric, known: Decimal, here: Decimal) -> String {
    let times = Decimal::derived(here.value() / known.value(), 2).map_or_else(String::new, |times| times.to_string());
    format!("{metric}: {known} known, {here} here: {times} times\n")
}
