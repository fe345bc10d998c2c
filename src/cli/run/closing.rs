//! The closing table: each new number beside the nearest known ones.

use crate::cli::failure::Failure;
use crate::cli::render::table::Table;
use crate::model::{Field, Measurement, Metric};
use crate::questions::KnowledgeBase;
use crate::questions::bench::{Finished, Point};
use crate::questions::query::Page;
use crate::values::{Grid, GridColumn};

/// Known numbers beside each new one.
const NEIGHBOURS: usize = 2;

/// Known numbers that are looked through for the nearest.
const LOOKED_THROUGH: usize = 200;

/// The table; for a repetition, with what differs from the known row.
pub(super) fn table(
    finished: &Finished,
    points: &[Point],
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
            GridColumn::text("device"),
            GridColumn::number("batch"),
            GridColumn::number("latency [ms]"),
            GridColumn::number("items/s"),
            GridColumn::number("total [s]"),
            GridColumn::number("error rate"),
            GridColumn::text("outcome"),
            GridColumn::text("where from"),
        ],
        rows: Vec::new(),
    };
    for (at, row) in &finished.rows {
        drawn.push(cells(points[*at].title(), row, "measured here"));
        let known = match repeated {
            Some(known) => vec![known.clone()],
            None => neighbours(row, kb)?,
        };
        for known in known {
            let framework = known.text(Field::Framework).unwrap_or_default();
            let version = known.text(Field::FrameworkVersion).unwrap_or_default();
            let from = format!("{} ({})", known.id(), format!("{framework} {version}").trim());
            let title = match known.text(Field::Precision) == row.text(Field::Precision) {
                true => "  known".to_owned(),
                false => format!("  known, {}", known.text(Field::Precision).unwrap_or("precision unknown")),
            };
            drawn.push(cells(title, &known, &from));
        }
    }
    let mut text = Table::from(&drawn.without_empty_columns()).text(width);
    if let (Some(known), Some((_, row))) = (repeated, finished.rows.first()) {
        text.push_str(&differences(known, row, width)?);
    }
    Ok(text)
}

fn cells(title: String, row: &Measurement, from: &str) -> Vec<String> {
    let metric = |metric| row.metric(metric).map_or_else(String::new, |value| value.to_string());
    let text = |field| row.get(field).map_or_else(String::new, |value| value.to_string());
    let rate = row.metric(Metric::ThroughputPerS).or_else(|| row.implied_throughput());
    vec![
        title,
        text(Field::Device),
        text(Field::BatchSize),
        metric(Metric::LatencyMs),
        rate.map_or_else(String::new, |rate| rate.to_string()),
        metric(Metric::TotalS),
        metric(Metric::ErrorRate),
        text(Field::Outcome),
        from.to_owned(),
    ]
}

/// Known rows of the same network and stage: first those of the same kind of device, precision and batch, then those
/// whose batch is nearest.
fn neighbours(row: &Measurement, kb: &KnowledgeBase) -> Result<Vec<Measurement>, Failure> {
    let (Some(network), Some(stage)) = (row.text(Field::Network), row.text(Field::Stage)) else {
        return Ok(Vec::new());
    };
    let question = format!("network:{network} stage:{stage}");
    let page = Page { offset: 0, limit: LOOKED_THROUGH };
    let answer = kb.query_page(&question, &page).map_err(|error| Failure::Query { question, error })?;
    let ids: Vec<&str> = answer.measurements.iter().map(|found| found.id()).collect();
    let mut known = Vec::new();
    for id in ids {
        known.extend(kb.stores().store.measurements_by_prefix(id, 1)?);
    }
    let number = |row: &Measurement| {
        row.metric(Metric::LatencyMs)
            .or_else(|| row.metric(Metric::ThroughputPerS))
            .or_else(|| row.metric(Metric::TotalS))
    };
    known.retain(|found| number(found).is_some());
    let distance = |found: &Measurement| {
        let differs = |field| usize::from(found.text(field) != row.text(field));
        let batches = found.count(Field::BatchSize).zip(row.count(Field::BatchSize));
        let batch = batches.map_or(10.0, |(a, b)| (a as f64 / b as f64).log2().abs());
        let fields = 4 * differs(Field::Device) + 2 * differs(Field::Precision) + differs(Field::Framework);
        ((fields as f64 + batch) * 1000.0) as u64
    };
    known.sort_by_cached_key(|found| (distance(found), found.id().to_owned()));
    known.truncate(NEIGHBOURS);
    Ok(known)
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
            let times = now.value() / before.value();
            text.push_str(&format!("{metric}: {before} known, {now} here: {times:.3} times\n"));
        }
    }
    if known.metric(Metric::LatencyMs).is_none()
        && let (Some(before), Some(now)) = (known.metric(Metric::ThroughputPerS), row.implied_throughput())
    {
        let times = now.value() / before.value();
        text.push_str(&format!("throughput-per-s: {before} known, {now} here: {times:.3} times\n"));
    }
    Ok(text + &Table::from(&drawn).text(width))
}
