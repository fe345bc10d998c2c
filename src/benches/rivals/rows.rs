//! The rows as the rivals have them: one flat record for each measurement, the facts of the catalog joined in beforehand.

use std::error::Error;
use std::fs;
use std::path::Path;

use dlbench::model::{Catalog, Field, Measurement, Metric};
use dlbench::reading::{self, FileKind};
use dlbench::values::{ComputeUnit, EntityId};

/// The columns, and how a database should keep them.
pub const COLUMNS: &[(&str, &str)] = &[
    ("id", "VARCHAR"),
    ("source", "VARCHAR"),
    ("framework", "VARCHAR"),
    ("framework_version", "VARCHAR"),
    ("backend", "VARCHAR"),
    ("license", "VARCHAR"),
    ("multi_server", "VARCHAR"),
    ("device", "VARCHAR"),
    ("class", "VARCHAR"),
    ("vendor", "VARCHAR"),
    ("device_count", "INTEGER"),
    ("network", "VARCHAR"),
    ("task", "VARCHAR"),
    ("dataset", "VARCHAR"),
    ("stage", "VARCHAR"),
    ("precision", "VARCHAR"),
    ("batch_size", "INTEGER"),
    ("input_shape", "VARCHAR"),
    ("counts", "VARCHAR"),
    ("date", "VARCHAR"),
    ("year", "INTEGER"),
    ("outcome", "VARCHAR"),
    ("latency_ms", "DOUBLE"),
    ("throughput_per_s", "DOUBLE"),
    ("epoch_s", "DOUBLE"),
    ("accuracy", "DOUBLE"),
    ("power_w", "DOUBLE"),
    ("text", "VARCHAR"),
];

/// Where a column stands.
pub fn place(name: &str) -> usize {
    COLUMNS.iter().position(|(column, _)| *column == name).expect("a column of the rows")
}

/// Hands every measurement of a knowledge base to `take`, file after file.
pub fn each(
    root: &Path,
    catalog: &Catalog,
    mut take: impl FnMut(&[String]) -> Result<(), Box<dyn Error>>,
) -> Result<usize, Box<dyn Error>> {
    let mut count = 0;
    for file in reading::list(root)? {
        let FileKind::Measurements(source) = file.kind else { continue };
        let text = fs::read_to_string(root.join(&file.path))?;
        for row in reading::check_measurements(&file.path, &text, &source)? {
            take(&flat(&row, catalog))?;
            count += 1;
        }
    }
    Ok(count)
}

fn flat(row: &Measurement, catalog: &Catalog) -> Vec<String> {
    let text = |field| row.text(field).unwrap_or_default().to_owned();
    let count = |field| row.count(field).map(|count| count.to_string()).unwrap_or_default();
    let metric = |metric| row.metric(metric).map(|value| value.to_string()).unwrap_or_default();
    let entity = |field| row.text(field).and_then(|id| id.parse::<EntityId>().ok());
    let framework = entity(Field::Framework).and_then(|id| catalog.frameworks.get(&id));
    let device = entity(Field::Device).and_then(|id| catalog.devices.get(&id));
    let unit = row.text(Field::ComputeUnit).and_then(|unit| unit.parse::<ComputeUnit>().ok());
    let class = device.and_then(|device| unit.map_or(Some(device.class), |unit| unit.class_on(device.class)));
    let network = entity(Field::Network).and_then(|id| catalog.networks.get(&id));
    let year = row.text(Field::Date).and_then(|date| date.get(..4)).map(str::to_owned);
    let year = year.or_else(|| Some(catalog.sources.get(row.source())?.year?.to_string()));
    let throughput = row.metric(Metric::ThroughputPerS).or_else(|| row.implied_throughput());
    let cells = vec![
        row.id().to_owned(),
        row.source().to_string(),
        text(Field::Framework),
        text(Field::FrameworkVersion),
        text(Field::Backend),
        framework.map(|framework| framework.license_ids().join("|")).unwrap_or_default(),
        framework
            .and_then(|framework| framework.multi_server)
            .map_or("", |yes| if yes { "yes" } else { "no" })
            .to_owned(),
        text(Field::Device),
        class.map(|class| class.to_string()).unwrap_or_default(),
        device.and_then(|device| device.vendor.clone()).unwrap_or_default(),
        count(Field::DeviceCount),
        text(Field::Network),
        network.and_then(|network| network.task.clone()).unwrap_or_default(),
        text(Field::Dataset),
        text(Field::Stage),
        text(Field::Precision),
        count(Field::BatchSize),
        text(Field::InputShape),
        text(Field::Counts),
        text(Field::Date),
        year.unwrap_or_default(),
        text(Field::Outcome),
        metric(Metric::LatencyMs),
        throughput.map(|value| value.to_string()).unwrap_or_default(),
        metric(Metric::EpochS),
        metric(Metric::Accuracy),
        metric(Metric::PowerW),
        words(row),
    ];
    // So that no tool has to read quotes.
    cells.into_iter().map(|cell| cell.replace([',', '"', '\n'], " ")).collect()
}

/// The words that dlbench finds a measurement by, in lower case, one blank before and after each.
fn words(row: &Measurement) -> String {
    let mut words = String::from(" ");
    for (field, _) in row.fields() {
        let text = row.text(*field).filter(|_| field.is_searched()).unwrap_or_default().to_lowercase();
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            words.push_str(word);
            words.push(' ');
        }
    }
    words
}
