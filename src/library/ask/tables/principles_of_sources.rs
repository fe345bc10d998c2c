//! The principles of benchmarking, applied to each source: what its rows show about each principle, as shares and counts.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::parse::QueryError;
use crate::model::{Aspect, Fact, Field, Indicator, Metric, Part, Source, lacks};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::{EvidenceGrade, Grid, GridColumn};

/// A column: its heading, whether it is numeric, and its principle with the basis of the figure.
type Column = (String, bool, String);

/// The columns in order. Indicators have the same basis as the evidence grade of a row.
fn columns() -> Vec<Column> {
    let own = |heading: &str, numeric: bool, rests: &str| (heading.to_owned(), numeric, rests.to_owned());
    let share = |heading: &str, indicator: Indicator| {
        let rests =
            format!("{}: share of the rows of which this holds: {}", indicator.principle(), indicator.rests_on());
        (heading.to_owned(), true, rests)
    };
    vec![
        own("source", false, ""),
        own("rows", true, "the source's rows, failed attempts among them"),
        own("networks", true, "relevance: how many networks"),
        own("tasks", true, "relevance: how many tasks these are for"),
        own(
            "measured elsewhere [%]",
            true,
            "representativeness: share of the rows on a network that another source measured, too",
        ),
        share("same conditions [%]", Indicator::SameConditions),
        own("commit", false, "repeatability: whether the entry names the commit of the version that was read"),
        share("environment [%]", Indicator::Environment),
        share("samples [%]", Indicator::Samples),
        share("spread [%]", Indicator::Spread),
        own(
            "one device [%]",
            true,
            "cost-effectiveness: share of the rows that one device alone gave, so that one is enough to run them again",
        ),
        own("cost [%]", true, "cost-effectiveness: share of the rows that state a cost, or the price of the machine"),
        own("devices at most", true, "scalability: the most devices that worked together"),
        own("counts of devices", true, "scalability: how many numbers of devices there are"),
        share("batch and precision [%]", Indicator::Recipe),
        share("timed [%]", Indicator::Timed),
        share("statistic [%]", Indicator::Statistic),
        own(
            "evidence a or b [%]",
            true,
            "all of these together: share of the rows whose grade of evidence is a or b (`dlbench explain evidence`)",
        ),
    ]
}

/// The indicators that are shown as shares.
const SHARES: [Indicator; 7] = [
    Indicator::SameConditions,
    Indicator::Environment,
    Indicator::Samples,
    Indicator::Spread,
    Indicator::Recipe,
    Indicator::Timed,
    Indicator::Statistic,
];

/// Counts for one source.
#[derive(Default)]
struct Counted<'v> {
    rows: usize,
    networks: BTreeSet<&'v str>,
    tasks: BTreeSet<&'v str>,
    device_counts: BTreeSet<i64>,
    elsewhere: usize,
    one_device: usize,
    cost: usize,
    /// For each indicator: the rows that meet it, and the rows to which it applies.
    met: [(usize, usize); SHARES.len()],
    good: usize,
}

/// The table of those sources that have rows, and the basis of each column.
pub(super) fn principles_of_sources(stores: &Stores, ids: &[String]) -> Result<(Grid, Vec<String>), QueryError> {
    let values = SharedValues::read(stores)?;
    let hits = HitColumns::of(stores, &Condition::All(Vec::new()), &[Metric::CostUsd])?;
    let counted = counted(stores, &values, &hits)?;
    let sources: Vec<Source> = stores.database.entities()?;
    let known: HashMap<&str, &Source> = sources.iter().map(|source| (source.id.as_str(), source)).collect();
    let columns = columns();
    let heads = columns.iter().map(|(heading, numeric, _)| {
        if *numeric { GridColumn::number(heading.as_str()) } else { GridColumn::text(heading.as_str()) }
    });
    let mut grid = Grid { columns: heads.collect(), rows: Vec::new() };
    for id in ids {
        let (Some(source), Some(counted)) = (known.get(id.as_str()), counted.get(id.as_str())) else { continue };
        grid.push(counted.cells(source));
    }
    let rests = columns.iter().filter(|(_, _, rests)| !rests.is_empty());
    Ok((grid, rests.map(|(heading, _, rests)| format!("{heading}: {rests}")).collect()))
}

impl Counted<'_> {
    fn cells(&self, source: &Source) -> Vec<String> {
        let share = |part: usize, of: usize| match of {
            0 => String::new(),
            of => format!("{:.0}", 100.0 * part as f64 / of as f64),
        };
        let of_rows = |part: usize| share(part, self.rows);
        let met = |at: usize| share(self.met[at].0, self.met[at].1);
        let [alike, environment, samples, spread, recipe, timed, statistic] = std::array::from_fn(met);
        let most = self.device_counts.last().map_or_else(String::new, ToString::to_string);
        let counts = self.device_counts.len();
        vec![
            source.id.to_string(),
            self.rows.to_string(),
            self.networks.len().to_string(),
            self.tasks.len().to_string(),
            of_rows(self.elsewhere),
            alike,
            if source.commit.is_some() { "yes" } else { "no" }.to_owned(),
            environment,
            samples,
            spread,
            of_rows(self.one_device),
            of_rows(self.cost),
            most,
            if counts == 0 { String::new() } else { counts.to_string() },
            recipe,
            timed,
            statistic,
            of_rows(self.good),
        ]
    }
}

/// Counts over all rows, by source.
fn counted<'v>(
    stores: &Stores,
    values: &'v SharedValues,
    hits: &HitColumns,
) -> Result<BTreeMap<&'v str, Counted<'v>>, QueryError> {
    let lacking = stores.database.aspect(Aspect::Field(Field::EvidenceLacks))?;
    let lacking = SHARES.map(|indicator| lacking.of_shares(|text| text.is_some_and(|text| lacks(text, indicator))));
    let grades = stores.database.aspect(Aspect::Field(Field::Evidence))?;
    let good: &[&str] = &[EvidenceGrade::A, EvidenceGrade::B].map(Into::into);
    let is_good = grades.of_shares(|grade| grade.is_some_and(|grade| good.contains(&grade)));
    let outcomes = stores.database.aspect(Aspect::Field(Field::Outcome))?;
    let mut sources_of: HashMap<&str, HashSet<&str>> = HashMap::new();
    for hit in 0..hits.len() {
        let parts = hits.parts(hit);
        if let Some(network) = values.text(Aspect::Field(Field::Network), &parts) {
            sources_of.entry(network).or_default().insert(values.source(&parts));
        }
    }
    let mut sources: BTreeMap<&'v str, Counted<'v>> = BTreeMap::new();
    for hit in 0..hits.len() {
        let parts = hits.parts(hit);
        let batch = parts[Part::Batch as usize] as usize;
        let holds = |of_shares: &[bool]| of_shares.get(batch).copied().unwrap_or_default();
        let source = sources.entry(values.source(&parts)).or_default();
        let network = values.text(Aspect::Field(Field::Network), &parts);
        let devices = values.count(Field::DeviceCount, &parts);
        let has_failed = outcomes.of(parts[Part::Protocol as usize]).is_some();
        source.rows += 1;
        source.networks.extend(network);
        source.tasks.extend(values.text(Aspect::Fact(Fact::Task), &parts));
        source.device_counts.extend(devices);
        source.elsewhere += usize::from(network.is_some_and(|id| sources_of.get(id).is_some_and(|all| all.len() > 1)));
        source.one_device += usize::from(devices == Some(1));
        let cost = hits.values(Metric::CostUsd)[hit];
        let has_price = values.number(Aspect::Field(Field::PriceUsdPerHour), &parts) > 0;
        source.cost += usize::from(!cost.is_nan() || has_price);
        source.good += usize::from(holds(&is_good));
        for ((met, all), (indicator, lacking)) in source.met.iter_mut().zip(SHARES.iter().zip(&lacking)) {
            let applies = !has_failed || indicator.applies_to_failed();
            *all += usize::from(applies);
            *met += usize::from(applies && !holds(lacking));
        }
    }
    Ok(sources)
}
