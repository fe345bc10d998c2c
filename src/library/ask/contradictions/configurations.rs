//! Groups rows by configuration, measurer and circumstances.

use std::collections::BTreeMap;

use strum::VariantArray as _;

use crate::ask::evidence::measured::filtered;
use crate::ask::execute::Measurers;
use crate::ask::hits::{
    CombinedNumbers, ComparisonKey, ComparisonKeys, HitColumns, NumberMap, PartNumbers, SharedValues,
};
use crate::ask::parse::QueryError;
use crate::model::{Aspect, ContradictionDefinition, Field, Metric, Part};
use crate::stores::Stores;
use crate::stores::database::AspectColumn;

/// The circumstances of a row: for each kind of context, the numbers of what the row states.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Circumstances {
    kinds: Vec<[u32; Part::VARIANTS.len()]>,
    /// The values of fields that a row may leave out; 0 if not stated.
    unstated: Vec<u32>,
}

impl Circumstances {
    /// The indices of the kinds of context in which two rows differ.
    pub fn unlike<'c>(&'c self, other: &'c Self) -> impl Iterator<Item = usize> + 'c {
        let both = self.kinds.iter().zip(&other.kinds).enumerate();
        both.filter(|(_, (own, other))| own != other).map(|(at, _)| at)
    }

    /// Whether the fields that may be left out agree, or at least one row does not state them.
    pub fn may_be_alike(&self, other: &Self) -> bool {
        let both = self.unstated.iter().zip(&other.unstated);
        both.into_iter().all(|(own, other)| own == other || *own == 0 || *other == 0)
    }
}

/// The context numbers of all shares.
pub(super) struct Contexts {
    /// The number of each share, by kind of context and part.
    kinds: Vec<[Vec<u32>; Part::VARIANTS.len()]>,
    /// The columns of fields that may be left out.
    unstated: Vec<(Part, AspectColumn)>,
}

impl Contexts {
    /// Reads the values of all shares in the fields of a definition.
    pub fn read(stores: &Stores, definition: &ContradictionDefinition) -> Result<Self, QueryError> {
        let of_kinds: Vec<Vec<Field>> = definition.contexts.iter().map(|kind| kind.fields().collect()).collect();
        let unstated: Vec<Field> = definition.unstated_fields().collect();
        let is_wanted = |aspect: Aspect| match aspect {
            Aspect::Field(field) => unstated.contains(&field) || of_kinds.iter().any(|kind| kind.contains(&field)),
            _ => false,
        };
        let columns = stores.database.aspects(is_wanted)?;
        let column = |field: &Field| columns.get(&Aspect::Field(*field));
        let kinds = of_kinds.iter().map(|fields| {
            std::array::from_fn(|part| {
                let own = fields.iter().filter(|field| field.part() == Part::VARIANTS.get(part).copied());
                CombinedNumbers::of_columns(&own.filter_map(column).collect::<Vec<_>>()).into_numbers()
            })
        });
        let unstated = unstated.iter().filter_map(|field| Some((field.part()?, column(field)?.clone())));
        Ok(Self { kinds: kinds.collect(), unstated: unstated.collect() })
    }

    /// The circumstances of a row.
    pub fn of(&self, parts: &PartNumbers) -> Circumstances {
        let number = |numbers: &Vec<u32>, part: usize| numbers.get(parts[part] as usize).copied().unwrap_or_default();
        let kinds = self.kinds.iter().map(|of_parts| std::array::from_fn(|part| number(&of_parts[part], part)));
        let unstated = self.unstated.iter().map(|(part, column)| column.number(parts[*part as usize]));
        Circumstances { kinds: kinds.collect(), unstated: unstated.collect() }
    }
}

/// Repetitions: rows of one source and measurer with equal circumstances.
pub(super) struct Repetitions {
    /// The number of the source.
    pub source: u32,
    pub circumstances: Circumstances,
    /// The values in ascending order, each with its hit.
    pub runs: Vec<(f64, usize)>,
}

impl Repetitions {
    /// The smallest and the largest value.
    pub fn range(&self) -> Option<(f64, f64)> {
        Some((self.runs.first()?.0, self.runs.last()?.0))
    }

    /// The middle value.
    pub fn middle(&self) -> Option<f64> {
        self.runs.get(self.runs.len() / 2).map(|(value, _)| *value)
    }
}

/// The number of a source, and the circumstances of its rows.
type SourcedCircumstances = (u32, Circumstances);

/// The rows of one configuration, by measurer.
pub(super) struct Configuration {
    pub metric: Metric,
    pub measurers: BTreeMap<String, Vec<Repetitions>>,
}

/// All rows, and the configurations with more than one row.
pub(super) struct Configurations {
    pub hits: HitColumns,
    pub all: Vec<Configuration>,
}

impl Configurations {
    /// Reads the rows that state a metric of the definition, and groups them into configurations.
    pub fn read(
        stores: &Stores,
        values: &SharedValues,
        definition: &ContradictionDefinition,
    ) -> Result<Self, QueryError> {
        let metrics: Vec<Metric> = definition.metrics().collect();
        let only = definition.only.as_deref().unwrap_or_default();
        let hits = HitColumns::of(stores, &filtered(stores, only)?, &metrics)?;
        let contexts = Contexts::read(stores, definition)?;
        let mut measurers = Measurers::read(stores, values)?;
        let varied: Vec<Field> = definition.varied_fields().collect();
        let mut all = Vec::new();
        for metric in metrics {
            let groups = several(values, &hits, &ComparisonKeys::new(values, metric, &varied));
            let rows = groups.iter().flatten().map(|(_, hit)| (hits.row(*hit), hits.parts(*hit)));
            measurers.read_rows(rows)?;
            for group in groups {
                let mut by_measurer: BTreeMap<String, BTreeMap<SourcedCircumstances, Vec<(f64, usize)>>> =
                    BTreeMap::new();
                for (value, hit) in group {
                    let of_measurer = by_measurer.entry(measurers.of_row(hits.row(hit)).to_owned()).or_default();
                    let parts = hits.parts(hit);
                    let setting = (values.number(Aspect::Source, &parts), contexts.of(&parts));
                    of_measurer.entry(setting).or_default().push((value, hit));
                }
                let repetitions = |((source, circumstances), mut runs): (SourcedCircumstances, Vec<(f64, usize)>)| {
                    runs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                    Repetitions { source, circumstances, runs }
                };
                let measurers =
                    by_measurer.into_iter().map(|(name, sets)| (name, sets.into_iter().map(repetitions).collect()));
                all.push(Configuration { metric, measurers: measurers.collect() });
            }
        }
        Ok(Self { hits, all })
    }
}

/// The values and hits of configurations with more than one row, in order of their first row.
fn several(values: &SharedValues, hits: &HitColumns, keys: &ComparisonKeys) -> Vec<Vec<(f64, usize)>> {
    let mut groups: NumberMap<ComparisonKey, Vec<(f64, usize)>> = NumberMap::default();
    for (hit, &value) in hits.values(keys.metric()).iter().enumerate() {
        if value.is_nan() || value <= 0.0 {
            continue;
        }
        let parts = hits.parts(hit);
        // Single layers have a key only with their size: they are not networks.
        let key = keys.key(values, &parts, 0).filter(|key| key.is_known() && values.is_in_good_standing(&parts));
        if let Some(key) = key {
            groups.entry(key).or_default().push((value, hit));
        }
    }
    let mut groups: Vec<Vec<(f64, usize)>> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_by_key(|group| group.first().map(|(_, hit)| *hit));
    groups
}
