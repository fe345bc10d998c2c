//! The principles of benchmarking, applied: for each source what its rows say of each principle, as shares and counts.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Bound;

use crate::ask::hits::{ComparisonKey, ComparisonKeys, HitColumns, SharedValues};
use crate::ask::question::QueryError;
use crate::model::{Aspect, Fact, Field, Metric, Source};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::{Grid, GridColumn};

/// The columns: the heading, whether it is a number, and the principle with what the figure rests on.
const COLUMNS: &[(&str, bool, &str)] = &[
    ("source", false, ""),
    ("rows", true, "the source's rows, failed attempts among them"),
    ("networks", true, "relevance: how many networks"),
    ("tasks", true, "relevance: how many tasks these are for"),
    (
        "measured elsewhere [%]",
        true,
        "representativeness: share of the rows on a network that another source measured, too",
    ),
    (
        "same conditions [%]",
        true,
        "equity: of the rows with a throughput or latency the share that has a row of the same source on another device, \
         or of another framework, equal in everything else that decides comparability",
    ),
    ("commit", false, "repeatability: whether the entry names the commit of the version that was read"),
    (
        "environment [%]",
        true,
        "repeatability: share of the rows that state the framework's version and one of driver, CUDA, operating system, \
         container, other software",
    ),
    (
        "spread [%]",
        true,
        "repeatability: share of the rows that state a deviation, or the least and the greatest sample",
    ),
    (
        "one device [%]",
        true,
        "cost-effectiveness: share of the rows that one device alone gave, so that one is enough to run them again",
    ),
    ("cost [%]", true, "cost-effectiveness: share of the rows that state a cost, or the price of the machine"),
    ("devices at most", true, "scalability: the most devices that worked together"),
    ("counts of devices", true, "scalability: how many numbers of devices there are"),
    (
        "batch and precision [%]",
        true,
        "transparency: share of the rows that state precision and batch, or how the load arrives",
    ),
    ("timed", false, "transparency: whether the entry or a row says what lies between start and stop of the clock"),
];

/// Of which fields one states the environment besides the framework's version.
const ENVIRONMENT: &[Field] = &[Field::Driver, Field::Cuda, Field::Os, Field::Container, Field::Software];

/// What has been counted of a source.
#[derive(Default)]
struct Counted<'v> {
    rows: usize,
    networks: BTreeSet<&'v str>,
    tasks: BTreeSet<&'v str>,
    device_counts: BTreeSet<i64>,
    elsewhere: usize,
    compared: usize,
    alike: usize,
    environment: usize,
    spread: usize,
    one_device: usize,
    cost: usize,
    stated: usize,
    timed: bool,
}

/// The table of these sources, as far as they have rows, and what each column rests on.
pub(super) fn principles_of_sources(stores: &Stores, ids: &[String]) -> Result<(Grid, Vec<String>), QueryError> {
    let values = SharedValues::read(stores)?;
    let speeds = [Metric::ThroughputPerS, Metric::LatencyMs];
    let hits = HitColumns::of(stores, &Condition::All(Vec::new()), &[speeds[0], speeds[1], Metric::CostUsd])?;
    let counted = counted(stores, &values, &hits, &speeds)?;
    let sources: Vec<Source> = stores.database.entities()?;
    let known: HashMap<&str, &Source> = sources.iter().map(|source| (source.id.as_str(), source)).collect();
    let columns = COLUMNS.iter().map(
        |(heading, numeric, _)| {
            if *numeric { GridColumn::number(*heading) } else { GridColumn::text(*heading) }
        },
    );
    let mut grid = Grid { columns: columns.collect(), rows: Vec::new() };
    for id in ids {
        let (Some(source), Some(counted)) = (known.get(id.as_str()), counted.get(id.as_str())) else { continue };
        grid.push(counted.cells(source));
    }
    let rests = COLUMNS.iter().filter(|(_, _, rests)| !rests.is_empty());
    Ok((grid, rests.map(|(heading, _, rests)| format!("{heading}: {rests}")).collect()))
}

impl Counted<'_> {
    fn cells(&self, source: &Source) -> Vec<String> {
        let share = |part: usize, of: usize| match of {
            0 => String::new(),
            of => format!("{:.0}", 100.0 * part as f64 / of as f64),
        };
        let of_rows = |part: usize| share(part, self.rows);
        let yes = |holds: bool| if holds { "yes" } else { "no" }.to_owned();
        let timed = self.timed || source.method.as_ref().is_some_and(|method| method.timed.is_some());
        let most = self.device_counts.last().map_or_else(String::new, ToString::to_string);
        let counts = self.device_counts.len();
        vec![
            source.id.to_string(),
            self.rows.to_string(),
            self.networks.len().to_string(),
            self.tasks.len().to_string(),
            of_rows(self.elsewhere),
            share(self.alike, self.compared),
            yes(source.commit.is_some()),
            of_rows(self.environment),
            of_rows(self.spread),
            of_rows(self.one_device),
            of_rows(self.cost),
            most,
            if counts == 0 { String::new() } else { counts.to_string() },
            of_rows(self.stated),
            yes(timed),
        ]
    }
}

/// What all rows say, source by source.
fn counted<'v>(
    stores: &Stores,
    values: &'v SharedValues,
    hits: &HitColumns,
    speeds: &[Metric],
) -> Result<BTreeMap<&'v str, Counted<'v>>, QueryError> {
    // The texts of an environment are compared with nothing, so that shared values do not hold all of them.
    let environment = stores.database.aspects(|aspect| match aspect {
        Aspect::Field(field) => ENVIRONMENT.contains(&field),
        _ => false,
    })?;
    let is_stated =
        |field: Field, parts: &crate::ask::hits::PartNumbers| values.number(Aspect::Field(field), parts) > 0;
    let has_environment = |parts: &crate::ask::hits::PartNumbers| {
        environment
            .iter()
            .any(|(aspect, column)| aspect.part().is_some_and(|part| column.number(parts[part as usize]) > 0))
    };
    let any = |field| Condition::Field(field, Bound::Included(0.0), Bound::Unbounded);
    let with_spread =
        Condition::Any(vec![any(Field::StdDeviation), Condition::All(vec![any(Field::Lowest), any(Field::Highest)])]);
    let with_spread = HitColumns::of(stores, &with_spread, &[])?;
    let with_spread: HashSet<u64> = (0..with_spread.len()).map(|hit| with_spread.row(hit)).collect();
    let alike = alike(values, hits, speeds);
    let mut sources_of: HashMap<&str, HashSet<&str>> = HashMap::new();
    for hit in 0..hits.len() {
        let parts = hits.parts(hit);
        if let Some(network) = values.text(Aspect::Field(Field::Network), &parts) {
            sources_of.entry(network).or_default().insert(values.source(&parts));
        }
    }
    let mut sources: BTreeMap<&'v str, Counted<'v>> = BTreeMap::new();
    for (hit, alike) in alike.iter().enumerate() {
        let parts = hits.parts(hit);
        let source = sources.entry(values.source(&parts)).or_default();
        let network = values.text(Aspect::Field(Field::Network), &parts);
        let devices = values.count(Field::DeviceCount, &parts);
        source.rows += 1;
        source.networks.extend(network);
        source.tasks.extend(values.text(Aspect::Fact(Fact::Task), &parts));
        source.device_counts.extend(devices);
        source.elsewhere += usize::from(network.is_some_and(|id| sources_of.get(id).is_some_and(|all| all.len() > 1)));
        source.compared += usize::from(alike.is_some());
        source.alike += usize::from(*alike == Some(true));
        source.environment += usize::from(is_stated(Field::FrameworkVersion, &parts) && has_environment(&parts));
        source.spread += usize::from(with_spread.contains(&hits.row(hit)));
        source.one_device += usize::from(devices == Some(1));
        let cost = hits.values(Metric::CostUsd)[hit];
        source.cost += usize::from(!cost.is_nan() || is_stated(Field::PriceUsdPerHour, &parts));
        let load = [Field::Scenario, Field::Concurrency, Field::RequestRate];
        let has_batch = values.batch(&parts).is_some()
            || is_stated(Field::BatchSizeGlobal, &parts)
            || load.iter().any(|field| is_stated(*field, &parts));
        source.stated += usize::from(has_batch && is_stated(Field::Precision, &parts));
        source.timed |= is_stated(Field::Timed, &parts);
    }
    Ok(sources)
}

/// Whether a row's source has another one on another device, or of another framework, under the same conditions; `None` of rows
/// that state no speed.
fn alike(values: &SharedValues, hits: &HitColumns, speeds: &[Metric]) -> Vec<Option<bool>> {
    let mut alike = vec![None; hits.len()];
    for varied in [Field::Device, Field::Framework] {
        for metric in speeds {
            let keys = ComparisonKeys::new(values, *metric, &[varied]);
            let mut groups: HashMap<(ComparisonKey, &str), Vec<usize>> = HashMap::new();
            for (hit, value) in hits.values(*metric).iter().enumerate().filter(|(_, value)| !value.is_nan()) {
                let parts = hits.parts(hit);
                let is_known = alike[hit].get_or_insert(false);
                if !*is_known
                    && *value > 0.0
                    && let Some(key) = keys.key(values, &parts, 0)
                {
                    groups.entry((key, values.source(&parts))).or_default().push(hit);
                }
            }
            for group in groups.into_values() {
                let number = |hit: &usize| values.number(Aspect::Field(varied), &hits.parts(*hit));
                let numbers: HashSet<u32> = group.iter().map(number).filter(|number| *number > 0).collect();
                if numbers.len() > 1 {
                    group.into_iter().for_each(|hit| alike[hit] = Some(true));
                }
            }
        }
    }
    alike
}
