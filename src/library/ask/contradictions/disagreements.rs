//! Ratios on which the evidence disagrees: direct against indirect evidence, or one measurer against another.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::document::{Disagreement, DisagreementSide};
use crate::ask::execute::effects::{Contenders, Net, is_light};
use crate::ask::execute::key::varied_by;
use crate::ask::execute::measure::{By, SPEED_METRICS, ShareKeys};
use crate::ask::execute::plan::hits_of;
use crate::ask::execute::ranking::identity_of;
use crate::ask::execute::spread::rounded;
use crate::ask::execute::under::{RowIds, spread_out};
use crate::ask::hits::{PartNumbers, SharedValues};
use crate::ask::parse::{Filter, Key, QueryError};
use crate::model::{Aspect, Field};
use crate::stores::Stores;

/// Kinds of candidates.
const COMPARED: &[Field] = &[Field::Device, Field::Framework, Field::Precision];

/// Maximum number of rows cited per disagreement.
const CITED: usize = 6;

/// A candidate in at least this many disagreements is their common cause, so only the largest of them is listed.
const COMMON_CAUSE: usize = 3;

/// All disagreements of a knowledge base.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Disagreements {
    /// Number of pairs with direct evidence.
    pub compared: usize,
    /// The disagreements, each with the rows of its direct evidence.
    pairs: Vec<(Disagreement, Vec<u64>)>,
}

impl Disagreements {
    /// Computed from all evidence. This takes seconds, so the result is cached until the data or the code changes.
    pub fn read(stores: &Stores, values: &SharedValues) -> Result<Self, QueryError> {
        const NAME: &str = concat!(env!("DLBENCH_ANSWERS"), " disagreements");
        if let Some(cached) = stores.cached_result(NAME).and_then(|text| serde_json::from_str(&text).ok()) {
            return Ok(cached);
        }
        let mut found = Self::default();
        for field in COMPARED {
            found.add(stores, values, *field)?;
        }
        serde_json::to_string(&found).into_iter().for_each(|text| stores.cache_result(NAME, &text));
        Ok(found)
    }

    /// Adds the disagreements about the values of one field.
    fn add(&mut self, stores: &Stores, values: &SharedValues, field: Field) -> Result<(), QueryError> {
        let by = By::Metrics(SPEED_METRICS.to_vec());
        let hits = hits_of(stores, values, &Filter::default(), &by)?;
        let key = field.facet().map_or(Key::Aspect(Aspect::Field(field)), Key::Facet);
        let varied = varied_by(&key);
        let keys = ShareKeys::of(values, &identity_of(Aspect::Field(field)));
        let candidate = |_: u64, parts: &PartNumbers| values.value(field, parts).map(|_| keys.key(parts));
        let by_load = field == Field::Device;
        let contenders = Contenders { values, varied: &varied, candidate: &candidate, with_single: false, by_load };
        let net = Net::of(stores, &contenders, (&hits, &by.metrics()))?;
        let (compared, splits) = net.model.disagreements();
        self.compared += compared;
        let mut settings: HashMap<u32, BTreeMap<u32, Vec<usize>>> = HashMap::new();
        for (at, observation) in net.observations.iter().enumerate() {
            let own = settings.entry(observation.candidate).or_default();
            own.entry(observation.setting).or_default().push(at);
        }
        let mut ids = RowIds::default();
        for split in splits {
            let candidates = [split.candidate, split.against].map(|at| net.candidates.get_index(at as usize));
            let [Some((key, own)), Some((_, other))] = candidates else { continue };
            let [Some(subject), Some(baseline)] = [own, other].map(|parts| values.value(field, parts)) else {
                continue;
            };
            let (own, other) = (&settings[&split.candidate], &settings[&split.against]);
            let shared: Vec<_> = own.iter().filter_map(|(setting, own)| Some((own, other.get(setting)?))).collect();
            let observed = || shared.iter().flat_map(|(own, other)| own.iter().chain(*other));
            let rows: Vec<u64> = observed().map(|at| net.runs[*at].1.row).collect();
            let measurer = |at: u32| net.measurers.get_index(at as usize).cloned().unwrap_or_default();
            let measurers: BTreeSet<String> = observed().map(|at| measurer(net.observations[*at].measurer)).collect();
            let of_measurer = |at: usize| {
                let (who, estimate, settings) = &split.by_measurer[at];
                DisagreementSide::of("one measurer", vec![measurer(*who)], estimate.ratio(), *settings)
            };
            let of_evidence = split.disagreement().zip(split.indirect).map(|(gap, indirect)| {
                let who = measurers.iter().cloned().collect();
                let direct = DisagreementSide::of("direct evidence", who, split.direct.ratio(), shared.len());
                (gap, direct, DisagreementSide::of("all other evidence", Vec::new(), indirect.ratio(), 0))
            });
            let of_measurers =
                split.measurers_apart().map(|(high, low, gap)| (gap, of_measurer(high), of_measurer(low)));
            for (gap, one, other) in of_evidence.into_iter().chain(of_measurers) {
                let disagreement = Disagreement {
                    of: field.key().to_owned(),
                    subject: subject.to_string(),
                    baseline: baseline.to_string(),
                    small_batches: by_load && is_light(key),
                    factor: rounded(gap.exp()),
                    further: 0,
                    one,
                    other,
                    measurements: ids.of(stores, &spread_out(&rows, CITED))?,
                };
                self.pairs.push((disagreement, rows.clone()));
            }
        }
        Ok(())
    }

    /// The disagreements whose direct evidence includes a row of the question, largest first; those with a common cause once.
    pub fn listed(self, asked: Option<&HashSet<u64>>) -> Vec<Disagreement> {
        let is_asked = |rows: &[u64]| asked.is_none_or(|asked| rows.iter().any(|row| asked.contains(row)));
        let pairs = self.pairs.into_iter().filter(|(_, rows)| is_asked(rows)).map(|(pair, _)| pair);
        let mut left: Vec<Disagreement> = pairs.collect();
        left.sort_by(|a, b| b.factor.total_cmp(&a.factor));
        let mut listed = Vec::new();
        loop {
            let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
            for pair in &left {
                for one in [&pair.subject, &pair.baseline] {
                    *counts.entry((&pair.of, one)).or_default() += 1;
                }
            }
            let most = counts.into_iter().max_by_key(|(_, many)| *many).filter(|(_, many)| *many >= COMMON_CAUSE);
            let Some(((of, cause), many)) = most else { break };
            let (of, cause) = (of.to_owned(), cause.to_owned());
            let (own, others): (Vec<_>, Vec<_>) = std::mem::take(&mut left)
                .into_iter()
                .partition(|pair| pair.of == of && (pair.subject == cause || pair.baseline == cause));
            let largest = own.into_iter().next().map(|pair| if pair.subject == cause { pair } else { pair.swapped() });
            listed.extend(largest.map(|pair| Disagreement { further: many - 1, ..pair }));
            left = others;
        }
        listed.extend(left.into_iter().map(|pair| if pair.one.ratio < 1.0 { pair.swapped() } else { pair }));
        listed.sort_by(|a, b| b.factor.total_cmp(&a.factor));
        listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::sample::Sample;

    #[test]
    fn direct_evidence_that_contradicts_indirect_evidence_is_listed() {
        let table = |rows: String| {
            format!("[[table]]\ncolumns = [\"device\", \"batch-size\", \"throughput-per-s\"]\nrows = [\n{rows}]\n")
        };
        let side_by_side = |batches: std::ops::Range<u32>, own: (&str, f64), other: (&str, f64)| {
            let row = |at: u32, (device, factor): (&str, f64)| {
                format!("[\"{device}\", {}, {}],\n", 1 << at, factor * (100.0 + 10.0 * f64::from(at)))
            };
            table(batches.map(|at| row(at, own) + &row(at, other)).collect())
        };
        // Direct ratio of Nova to Core: 1. Indirect ratio through Ember: 100.
        let sample = Sample::without(
            "batch-size = 16\n",
            &[
                ("paper-2020", &side_by_side(0..8, ("nova", 1.0), ("core", 1.0))),
                ("paper-2021", &side_by_side(0..8, ("nova", 10.0), ("ember", 1.0))),
                ("paper-2022", &side_by_side(0..8, ("ember", 10.0), ("core", 1.0))),
            ],
        );
        let values = SharedValues::read(&sample.stores).unwrap();
        let read = || Disagreements::read(&sample.stores, &values).unwrap();
        // Every pair of the triangle contradicts the other two; Nova is in two of them.
        let listed = read().listed(None);
        let line = listed.iter().find(|line| [&line.subject, &line.baseline].map(String::as_str).contains(&"nova"));
        let line = line.unwrap();
        let (higher, lower) = line.sides();
        assert!(line.of == "device" && line.factor > 1.0 && higher.low > lower.high, "{listed:?}");
        assert!(line.one.by == "direct evidence" && line.measurements.len() == CITED, "{line:?}");
        assert_eq!(read().listed(Some(&HashSet::new())).len(), 0, "no row of the question");
    }
}
