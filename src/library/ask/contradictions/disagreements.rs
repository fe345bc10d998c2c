//! Evidence on two candidates that is at odds with itself: settings that hold both say another ratio than all others imply, or two
//! who measured both found different ratios.

use std::collections::{BTreeMap, HashMap, HashSet};

use dlbench_effects::{Estimate, Split};
use serde::{Deserialize, Serialize};

use super::document::{Disagreement, DisagreementSide};
use crate::ask::execute::candidates::identity_of;
use crate::ask::execute::effects::{Contenders, Net};
use crate::ask::execute::key::varied_by;
use crate::ask::execute::measure::{By, OF_SPEED, ShareKeys};
use crate::ask::execute::plan::hits_of;
use crate::ask::execute::spread::rounded;
use crate::ask::execute::under::{RowIds, spread_out};
use crate::ask::hits::{PartNumbers, SharedValues};
use crate::ask::parse::{Filter, Key, QueryError};
use crate::model::{Aspect, Field};
use crate::stores::Stores;

/// What is compared.
const COMPARED: &[Field] = &[Field::Device, Field::Framework, Field::Precision];

/// So many rows are named of each.
const NAMED: usize = 6;

/// A candidate that is in so many disagreements is told once: what is odd is its own evidence.
const SHARED_CAUSE: usize = 3;

/// All disagreements of a knowledge base.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Disagreements {
    /// So many pairs were compared.
    pub compared: usize,
    pairs: Vec<Divided>,
}

/// A pair on which evidence is divided.
#[derive(Serialize, Deserialize)]
struct Divided {
    told: Disagreement,
    /// The rows of settings that hold both.
    rows: Vec<u64>,
}

impl Disagreements {
    /// Those of all evidence; the splits take seconds, so they are kept until data or code change.
    pub fn read(stores: &Stores, values: &SharedValues) -> Result<Self, QueryError> {
        const NAME: &str = concat!(env!("DLBENCH_ANSWERS"), " disagreements");
        if let Some(kept) = stores.kept(NAME).and_then(|text| serde_json::from_str(&text).ok()) {
            return Ok(kept);
        }
        let mut found = Self::default();
        for field in COMPARED {
            found.add(stores, values, *field)?;
        }
        serde_json::to_string(&found).into_iter().for_each(|text| stores.keep(NAME, &text));
        Ok(found)
    }

    /// Those on what one field tells apart.
    fn add(&mut self, stores: &Stores, values: &SharedValues, field: Field) -> Result<(), QueryError> {
        let by = By::Metrics(OF_SPEED.to_vec());
        let hits = hits_of(stores, values, &Filter::default(), &by)?;
        let key = field.facet().map_or(Key::Aspect(Aspect::Field(field)), Key::Facet);
        let varied = varied_by(&key);
        let keys = ShareKeys::of(values, &identity_of(Aspect::Field(field)));
        let candidate = |_: u64, parts: &PartNumbers| values.value(field, parts).map(|_| keys.key(parts));
        let by_load = field == Field::Device;
        let contenders = Contenders { values, varied: &varied, candidate: &candidate, with_single: false, by_load };
        let net = Net::of(stores, &contenders, (&hits, &by.metrics()))?;
        let (compared, splits) = net.model.splits_in_doubt();
        self.compared += compared;
        let mut of_candidates: HashMap<u32, BTreeMap<u32, Vec<usize>>> = HashMap::new();
        for (at, observation) in net.observations.iter().enumerate() {
            let settings = of_candidates.entry(observation.candidate).or_default();
            settings.entry(observation.setting).or_default().push(at);
        }
        let name = |candidate: u32| {
            let (_, parts) = net.candidates.get_index(candidate as usize)?;
            values.value(field, parts).map(|value| value.to_string())
        };
        let mut ids = RowIds::default();
        for split in &splits {
            let (Some(own), Some(other)) = (of_candidates.get(&split.candidate), of_candidates.get(&split.against))
            else {
                continue;
            };
            let shared = own.iter().filter_map(|(setting, places)| Some((places, other.get(setting)?)));
            let shared: Vec<_> = shared.collect();
            let places: Vec<usize> = shared.iter().flat_map(|(own, other)| own.iter().chain(*other)).copied().collect();
            let (Some(subject), Some(baseline)) = (name(split.candidate), name(split.against)) else { continue };
            if subject == baseline {
                continue;
            }
            let measurer = |at: u32| net.measurers.get_index(at as usize).cloned().unwrap_or_default();
            let measurers: HashSet<u32> = places.iter().map(|at| net.observations[*at].measurer).collect();
            let mut measurers: Vec<String> = measurers.into_iter().map(measurer).collect();
            measurers.sort();
            let rows: Vec<u64> = places.iter().map(|at| net.runs[*at].1.row).collect();
            let measurements = ids.of(stores, &spread_out(&rows, NAMED))?;
            let pair = |gap: f64, one: DisagreementSide, other: DisagreementSide| {
                let (of, subject, baseline) = (field.key().to_owned(), subject.clone(), baseline.clone());
                let (factor, measurements) = (rounded(gap.exp()), measurements.clone());
                let told = Disagreement { of, subject, baseline, factor, further: 0, one, other, measurements };
                Divided { told, rows: rows.clone() }
            };
            if let (Some(gap), Some(direct), Some(indirect)) = (split.disagreement(), split.direct, split.indirect) {
                let direct = side("settings that hold both", measurers, &direct, shared.len());
                self.pairs.push(pair(gap, direct, side("all other evidence", Vec::new(), &indirect, 0)));
            }
            if let Some((high, low, gap)) = split.measurers_apart() {
                let [high, low] = [high, low].map(|at| of_measurer(split, at, &measurer));
                self.pairs.push(pair(gap, high, low));
            }
        }
        Ok(())
    }

    /// Those that rest on a row that is asked for, the farthest apart first; what one candidate is behind is told once.
    pub fn told(self, asked: Option<&HashSet<u64>>) -> Vec<Disagreement> {
        let is_asked = |rows: &[u64]| asked.is_none_or(|asked| rows.iter().any(|row| asked.contains(row)));
        let pairs = self.pairs.into_iter().filter(|pair| is_asked(&pair.rows)).map(|pair| pair.told);
        let mut left: Vec<Disagreement> = pairs.collect();
        left.sort_by(|a, b| b.factor.total_cmp(&a.factor));
        let mut told = Vec::new();
        loop {
            let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
            for pair in &left {
                for one in [&pair.subject, &pair.baseline] {
                    *counts.entry((&pair.of, one)).or_default() += 1;
                }
            }
            let most = counts.into_iter().max_by_key(|(_, many)| *many).filter(|(_, many)| *many >= SHARED_CAUSE);
            let Some(((of, cause), many)) = most else { break };
            let (of, cause) = (of.to_owned(), cause.to_owned());
            let (own, others): (Vec<_>, Vec<_>) = std::mem::take(&mut left)
                .into_iter()
                .partition(|pair| pair.of == of && (pair.subject == cause || pair.baseline == cause));
            let farthest = own.into_iter().next().map(|pair| if pair.subject == cause { pair } else { pair.turned() });
            told.extend(farthest.map(|pair| Disagreement { further: many - 1, ..pair }));
            left = others;
        }
        told.extend(left.into_iter().map(|pair| if pair.one.ratio < 1.0 { pair.turned() } else { pair }));
        told.sort_by(|a, b| b.factor.total_cmp(&a.factor));
        told
    }
}

fn of_measurer(split: &Split, at: usize, measurer: &impl Fn(u32) -> String) -> DisagreementSide {
    let (who, estimate, settings) = &split.by_measurer[at];
    side("one measurer", vec![measurer(*who)], estimate, *settings)
}

fn side(by: &str, measurers: Vec<String>, estimate: &Estimate, settings: usize) -> DisagreementSide {
    let [ratio, low, high] = estimate.ratio().map(rounded);
    DisagreementSide { by: by.to_owned(), measurers, ratio, low, high, settings }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::sample::Sample;

    #[test]
    fn what_is_measured_side_by_side_is_held_against_the_way_round() {
        let table = |rows: String| {
            format!("[[table]]\ncolumns = [\"device\", \"batch-size\", \"throughput-per-s\"]\nrows = [\n{rows}]\n")
        };
        let side_by_side = |batches: std::ops::Range<u32>, own: (&str, f64), other: (&str, f64)| {
            let row = |at: u32, (device, factor): (&str, f64)| {
                format!("[\"{device}\", {}, {}],\n", 1 << at, factor * (100.0 + 10.0 * f64::from(at)))
            };
            table(batches.map(|at| row(at, own) + &row(at, other)).collect())
        };
        // Directly Nova is as good as Core; by what both are beside Ember, 100 times.
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
        let told = read().told(None);
        let of_pair =
            |line: &&Disagreement| (line.subject == "nova") != (line.baseline == "nova") && line.of == "device";
        let line = told.iter().find(of_pair).unwrap();
        let (higher, lower) = line.sides();
        assert!(line.factor > 1.0 && higher.low > lower.high && line.further <= 2, "{told:?}");
        assert!(line.one.by == "settings that hold both" && line.measurements.len() == NAMED, "{line:?}");
        assert_eq!(read().told(Some(&HashSet::new())).len(), 0, "none rests on a row that is asked for");
    }
}
