//! A campaign: somebody repeats a published batch on other hardware, with other versions and batch sizes.

use std::collections::HashSet;

use dlbench::model::{Field, Measurement, Metric, Value};
use dlbench::values::{Decimal, EntityId};
use fastrand::Rng;

use super::popularity::{noise, zipf};
use super::templates::{Batch, Templates};

/// One file of measurements.
pub struct Campaign {
    pub source: EntityId,
    /// Its name in the source's folder.
    pub file: String,
    /// All of them differ in their identity.
    pub rows: Vec<Measurement>,
}

/// An endless series of campaigns, the same for the same seed.
pub struct Campaigns<'t> {
    templates: &'t Templates,
    rng: Rng,
    count: usize,
}

/// What all rows of a campaign have in common.
struct Setting {
    /// Tells the rows from those of every other campaign.
    host: String,
    device: Option<EntityId>,
    version: Option<(String, String)>,
    date: Option<String>,
    /// How much faster than the batch it repeats.
    speed: f64,
}

impl<'t> Campaigns<'t> {
    pub fn new(templates: &'t Templates, seed: u64) -> Self {
        Self { templates, rng: Rng::with_seed(seed), count: 0 }
    }

    /// The next one, of about `mean` rows and `most` at most.
    pub fn next(&mut self, mean: f64, most: usize) -> Result<Campaign, &'static str> {
        // The longest file stays below the reader's limit of 64 MiB.
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
        // Most was measured lately; half of the sources do not say when.
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

    /// A row like the template that is not yet among the campaign's.
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
        // Every usual configuration was run: there are more runs of each.
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
        // A larger batch takes longer and yet uses the device better.
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
        // The spread was that of the template's values.
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
                // Shares stay what they were.
                _ => 1.0,
            };
            (*metric, scaled(*value, factor))
        });
        let metrics = metrics.collect();
        Measurement::new(source.clone(), fields, metrics)
    }
}

/// The value times the factor, with as many decimals as before, but never 0 where it was not.
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
