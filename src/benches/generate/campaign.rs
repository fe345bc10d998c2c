//! Invented measurement campaigns as TOML, with the frequencies and similarities of real ones.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use dlbench::model::{Field, FieldType, Measurement, Metric, Value};
use dlbench::reading;
use dlbench::reading::FileKind;
use dlbench::values::{Decimal, EntityId, HardwareClass};
use fastrand::Rng;

/// One file of measurements.
pub struct Campaign {
    pub source: EntityId,
    /// File name in the source's folder.
    pub file: String,
    /// The rows; no two have the same identity.
    pub rows: Vec<Measurement>,
}

/// An endless series of campaigns, determined by the seed.
pub struct Campaigns<'t> {
    templates: &'t Templates,
    rng: Rng,
    count: usize,
}

/// What all rows of a campaign share.
struct Setting {
    /// A unique host, which distinguishes the rows from those of every other campaign.
    host: String,
    device: Option<EntityId>,
    version: Option<(String, String)>,
    date: Option<String>,
    /// Speed relative to the batch that the campaign imitates.
    speed: f64,
}

impl<'t> Campaigns<'t> {
    pub fn new(templates: &'t Templates, seed: u64) -> Self {
        Self { templates, rng: Rng::with_seed(seed), count: 0 }
    }

    /// Generates the next campaign, with about `mean` and at most `most` rows.
    pub fn next(&mut self, mean: f64, most: usize) -> Result<Campaign, &'static str> {
        // Keeps the longest file below the reader's limit of 64 MiB.
        const LONGEST: usize = 60_000;
        self.count += 1;
        let batch = self.templates.batches.draw(&mut self.rng).ok_or("the knowledge base has no measurements")?;
        let wanted = (mean * noise(&mut self.rng, 0.6)) as usize;
        let wanted = wanted.clamp(1, LONGEST).min(most);
        let setting = self.setting(batch);
        let mut order: Vec<&Measurement> = batch.rows.iter().collect();
        self.rng.shuffle(&mut order);
        let mut rows = Vec::with_capacity(wanted);
        let mut seen = HashSet::with_capacity(wanted);
        let mut run = 0;
        while rows.len() < wanted {
            let template = order[zipf(&mut self.rng, order.len())];
            let row = self.fresh(&batch.source, template, &setting, &seen, &mut run);
            seen.insert(row.id().to_owned());
            rows.push(row);
        }
        Ok(Campaign { source: batch.source.clone(), file: format!("{}-{:06}.toml", batch.stem, self.count), rows })
    }

    fn setting(&mut self, batch: &Batch) -> Setting {
        let rng = &mut self.rng;
        let first = &batch.rows[0];
        let own = first.text(Field::Device).and_then(|id| id.parse::<EntityId>().ok());
        let class = own.and_then(|id| self.templates.class_of.get(&id));
        let elsewhere = class.and_then(|class| self.templates.devices[class].draw(rng));
        let framework = first.text(Field::Framework);
        let version = framework.and_then(|name| {
            let version = self.templates.versions.get(name)?.draw(rng)?;
            Some((name.to_owned(), version.clone()))
        });
        // Most measurements are recent; half of the sources state no date.
        let age = zipf(rng, 10);
        let date = format!("{}-{:02}-{:02}", 2026 - age, rng.u8(1..=12), rng.u8(1..=28));
        Setting {
            host: format!("host {:06}", self.count),
            device: elsewhere.cloned().filter(|_| rng.bool()),
            version: version.filter(|_| rng.bool()),
            date: rng.bool().then_some(date),
            speed: noise(rng, 0.5),
        }
    }

    /// A row like the template, but different from those that the campaign already has.
    fn fresh(
        &mut self,
        source: &EntityId,
        template: &Measurement,
        setting: &Setting,
        seen: &HashSet<String>,
        run: &mut u32,
    ) -> Measurement {
        const ATTEMPTS: usize = 4;
        for _ in 0..ATTEMPTS {
            let row = self.varied(source, template, setting);
            if !seen.contains(row.id()) {
                return row;
            }
        }
        // All usual configurations exist, so number further runs of them.
        loop {
            let row = self.varied(source, template, setting);
            let mut fields = row.fields().to_vec();
            *run += 1;
            set(&mut fields, Field::Label, text(&format!("run {run}")));
            let row = Measurement::new(source.clone(), fields, row.metrics().to_vec());
            if !seen.contains(row.id()) {
                return row;
            }
        }
    }

    fn varied(&mut self, source: &EntityId, template: &Measurement, setting: &Setting) -> Measurement {
        let rng = &mut self.rng;
        let mut fields = template.fields().to_vec();
        let mut speed = setting.speed * noise(rng, 0.1);
        // A larger batch takes longer but uses the device better.
        let (mut longer, mut better) = (1.0, 1.0);
        set(&mut fields, Field::Host, text(&setting.host));
        if let Some(device) = setting.device.as_ref().filter(|_| template.get(Field::Device).is_some()) {
            set(&mut fields, Field::Device, text(device.as_str()));
            fields.retain(|(field, _)| *field != Field::DeviceRaw);
        }
        if let Some((framework, version)) = &setting.version
            && template.text(Field::Framework) == Some(framework)
        {
            set(&mut fields, Field::FrameworkVersion, text(version));
        }
        if let Some(date) = &setting.date {
            set(&mut fields, Field::Date, text(date));
        }
        if let Some(batch) = template.count(Field::BatchSize)
            && rng.u8(0..10) < 6
        {
            let steps = zipf(rng, 5) as u32;
            let other = if rng.bool() { batch << steps } else { (batch >> steps).max(1) };
            set(&mut fields, Field::BatchSize, Value::Count(other));
            longer = (other as f64 / batch as f64).powf(0.8);
            better = (other as f64 / batch as f64).powf(0.2);
            fields.retain(|(field, _)| *field != Field::BatchSizeGlobal);
        }
        if template.get(Field::Precision).is_some()
            && rng.u8(0..20) < 3
            && let Some(precision) = self.templates.precisions.draw(rng)
        {
            set(&mut fields, Field::Precision, text(precision));
            speed *= noise(rng, 0.3);
        }
        if template.count(Field::DeviceCount) == Some(1) && rng.u8(0..20) == 0 {
            let count = 2 << zipf(rng, 3);
            set(&mut fields, Field::DeviceCount, Value::Count(count));
            better *= (count as f64).powf(0.9);
        }
        // The template's spread does not apply to the new values.
        fields.retain(|(field, _)| !matches!(field, Field::Lowest | Field::Highest | Field::StdDeviation));
        let metrics = template.metrics().iter().map(|(metric, value)| {
            let factor = match metric {
                Metric::LatencyMs => longer / speed,
                Metric::ThroughputPerS | Metric::Gflops | Metric::ItemsPerJoule | Metric::BandwidthGbPerS => {
                    speed * better
                }
                Metric::EpochS | Metric::TotalS | Metric::TimeToAccuracyS | Metric::EnergyJ | Metric::CostUsd => {
                    1.0 / (speed * better)
                }
                Metric::MemoryMib => longer,
                // Fractions stay unchanged.
                _ => 1.0,
            };
            (*metric, scaled(*value, factor))
        });
        let metrics = metrics.collect();
        Measurement::new(source.clone(), fields, metrics)
    }
}

/// The value times the factor, with the same number of decimals; a positive value never becomes 0.
fn scaled(value: Decimal, factor: f64) -> Decimal {
    let unit = 10f64.powi(i32::from(value.decimals()));
    let rounded = (value.value() * factor * unit).round() / unit;
    let least = if value.value() > 0.0 { 1.0 / unit } else { 0.0 };
    Decimal::new(rounded.max(least), value.decimals()).unwrap_or(value)
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn set(fields: &mut Vec<(Field, Value)>, field: Field, value: Value) {
    match fields.iter_mut().find(|(known, _)| *known == field) {
        Some((_, old)) => *old = value,
        None => fields.push((field, value)),
    }
}

/// Items with weights, for random draws.
pub struct Popularity<T> {
    things: Vec<T>,
    /// Cumulative sums of the weights.
    sums: Vec<f64>,
}

impl<T> Popularity<T> {
    /// Items that are drawn as often as their weights say.
    pub fn new(weighted: impl IntoIterator<Item = (T, f64)>) -> Self {
        let mut sum = 0.0;
        let (things, sums) = weighted
            .into_iter()
            .map(|(thing, weight)| {
                sum += weight;
                (thing, sum)
            })
            .unzip();
        Self { things, sums }
    }

    /// Draws an item; `None` if there are none.
    pub fn draw(&self, rng: &mut Rng) -> Option<&T> {
        let at = rng.f64() * self.sums.last()?;
        let found = self.sums.partition_point(|sum| *sum <= at);
        self.things.get(found.min(self.things.len() - 1))
    }
}

/// A random rank below `count`: rank r comes up about 1/(r+1) as often as rank 0 (Zipf's law with exponent 1).
pub fn zipf(rng: &mut Rng, count: usize) -> usize {
    let rank = (count as f64 + 1.0).powf(rng.f64()) - 1.0;
    (rank as usize).min(count.saturating_sub(1))
}

/// A log-normal factor around 1; its logarithm has this standard deviation (Irwin-Hall with twelve terms).
pub fn noise(rng: &mut Rng, deviation: f64) -> f64 {
    let normal: f64 = (0..12).map(|_| rng.f64()).sum::<f64>() - 6.0;
    (normal * deviation).exp()
}

/// A real file of measurements.
pub struct Batch {
    pub source: EntityId,
    pub stem: String,
    pub rows: Vec<Measurement>,
}

/// The real batches, and how often devices, versions and precisions occur in them.
pub struct Templates {
    /// The batches, weighted by their number of rows.
    pub batches: Popularity<Batch>,
    /// The devices of each class.
    pub devices: BTreeMap<HardwareClass, Popularity<EntityId>>,
    pub class_of: BTreeMap<EntityId, HardwareClass>,
    /// The versions of each framework.
    pub versions: BTreeMap<String, Popularity<String>>,
    pub precisions: Popularity<String>,
}

impl Templates {
    /// Reads the knowledge base at `root`.
    pub fn read(root: &Path) -> Result<Self, Box<dyn Error>> {
        let catalog = reading::read(root).map_err(|error| format!("{}: {error}", root.display()))?.catalog;
        let class_of: BTreeMap<EntityId, HardwareClass> =
            catalog.devices.iter().map(|(id, device)| (id.clone(), device.class)).collect();
        let mut batches = Vec::new();
        let mut devices: BTreeMap<HardwareClass, BTreeMap<EntityId, f64>> = BTreeMap::new();
        let mut versions: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
        let mut precisions: BTreeMap<String, f64> = BTreeMap::new();
        for file in reading::list(root)? {
            let FileKind::Measurements(source) = file.kind else { continue };
            let text = fs::read_to_string(root.join(&file.path))?;
            let rows = reading::check_measurements(&file.path, &text, &source)?;
            for row in &rows {
                if let Some(id) = row.text(Field::Device).and_then(|id| id.parse::<EntityId>().ok()) {
                    *devices.entry(class_of[&id]).or_default().entry(id).or_default() += 1.0;
                }
                if let (Some(framework), Some(version)) =
                    (row.text(Field::Framework), row.text(Field::FrameworkVersion))
                {
                    *versions.entry(framework.to_owned()).or_default().entry(version.to_owned()).or_default() += 1.0;
                }
                if let Some(precision) = row.text(Field::Precision) {
                    *precisions.entry(precision.to_owned()).or_default() += 1.0;
                }
            }
            let stem = file.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let weight = rows.len() as f64;
            batches.push((Batch { source, stem, rows }, weight));
        }
        Ok(Self {
            batches: Popularity::new(batches),
            devices: devices.into_iter().map(|(class, counts)| (class, Popularity::new(counts))).collect(),
            class_of,
            versions: versions.into_iter().map(|(framework, counts)| (framework, Popularity::new(counts))).collect(),
            precisions: Popularity::new(precisions),
        })
    }
}

/// Formats rows as the text of a measurement file.
pub fn file(rows: &[Measurement]) -> String {
    let fields: BTreeSet<Field> = rows.iter().flat_map(|row| row.fields().iter().map(|(field, _)| *field)).collect();
    let metrics: BTreeSet<Metric> =
        rows.iter().flat_map(|row| row.metrics().iter().map(|(metric, _)| *metric)).collect();
    let first = &rows[0];
    let is_shared = |field: &Field| rows.iter().all(|row| row.get(*field) == first.get(*field));
    let (shared, columns): (Vec<Field>, Vec<Field>) = fields.into_iter().partition(is_shared);

    let mut text = String::from("[defaults]\n");
    for field in shared {
        if let Some(value) = first.get(field) {
            let _ = writeln!(text, "{field} = {}", written(field, value));
        }
    }
    let names = columns.iter().map(|field| field.key()).chain(metrics.iter().map(|metric| metric.key()));
    let names: Vec<String> = names.map(|name| format!("\"{name}\"")).collect();
    let _ = write!(text, "\n[[table]]\ncolumns = [{}]\nrows = [\n", names.join(", "));
    for row in rows {
        let fields = columns.iter().map(|field| row.get(*field).map(|value| written(*field, value)));
        let metrics = metrics.iter().map(|metric| row.metric(*metric).map(|value| value.to_string()));
        let mut between = "  [";
        for cell in fields.chain(metrics) {
            let _ = write!(text, "{between}{}", cell.as_deref().unwrap_or("\"\""));
            between = ", ";
        }
        text.push_str("],\n");
    }
    text.push_str("]\n");
    text
}

fn written(field: Field, value: &Value) -> String {
    match value {
        // TOML has its own literal for a complete date.
        Value::Text(date) if field.kind() == FieldType::Date && date.len() == "2026-01-01".len() => date.to_string(),
        Value::Text(text) => toml::Value::String(text.to_string()).to_string(),
        Value::Count(count) => count.to_string(),
        Value::Number(number) => number.to_string(),
    }
}
