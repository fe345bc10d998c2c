//! A value unlike what its network and its setting give elsewhere.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use rayon::prelude::*;

use crate::contribute::rule_interface::plausible_rate::rate;
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Severity};
use crate::values::Precision;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(411),
    title: "a value unlike what its network and setting give",
    severity: Severity::Warning,
    page: "A source that runs many networks in many settings (precisions, batches, versions) on one device gives a table: a network is about so many times as fast as another in every setting. The rule takes the median over the networks out of each setting and the median over the settings out of each network; a row that is then more than ten times faster or slower is most often a slip of a digit, a unit or a neighbour's value. Where memory was short or a kernel is missing it may be true: then except it with the reason. More than eight such rows in one file are no slips, and nothing is told.",
    sample: Sample::edited(
        "measurements/imagined-2018/matrix.toml",
        r#"["deepnet-18", "NCHW", 30.0]"#,
        r#"["deepnet-18", "NCHW", 900.0]"#,
    ),
    check: Check::Rows(find),
};

/// So many times off is no kernel or cache.
const FAR: f64 = 10.0;
/// A setting has at least so many networks.
const FEWEST_NETWORKS: usize = 3;
/// A network has at least so many settings.
const FEWEST_SETTINGS: usize = 3;
/// More rows of a file are no slips: memory was short, or a kernel missing.
const MOST_SLIPS: usize = 8;
/// Rounds of taking out medians: they settle after two.
const ROUNDS: usize = 3;

/// What does not enter a setting: the network and its sample.
const NETWORK: &[Field] = &[Field::Network, Field::InputShape, Field::SequenceLength, Field::Label, Field::Date];

/// A row in the table: its index, its setting, its network on its device, the logarithm of its rate.
struct Cell {
    at: usize,
    setting: u64,
    network: u64,
    value: f64,
}

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut cells: Vec<Cell> = rows
        .par_iter()
        .enumerate()
        .filter_map(|(at, row)| {
            let measurement = row.get();
            let (rate, _) = rate(measurement).filter(|(rate, _)| *rate > 0.0)?;
            let counts = context.has_figures(measurement) && context.is_claimed(measurement);
            // In fp64 it is the device that decides which networks wait for it.
            let usual = measurement.precision() != Some(Precision::Fp64);
            let set = measurement.text(Field::Scenario).is_none() && counts && usual;
            set.then(|| Cell {
                at,
                setting: context.setting_but_for(at, NETWORK),
                network: network_on_device(measurement),
                value: rate.ln(),
            })
        })
        .collect();
    let settings = take_out_medians(&mut cells);
    let mut far: BTreeMap<&Path, Vec<Cell>> = BTreeMap::new();
    for cell in cells {
        let enough = settings.0.get(&cell.setting).is_some_and(|n| *n >= FEWEST_NETWORKS)
            && settings.1.get(&cell.network).is_some_and(|n| *n >= FEWEST_SETTINGS);
        if enough && cell.value.abs() > FAR.ln() {
            far.entry(&rows[cell.at].file().path).or_default().push(cell);
        }
    }
    for cell in far.into_values().filter(|cells| cells.len() <= MOST_SLIPS).flatten() {
        let row = IndexedRow { at: cell.at, row: &rows[cell.at] };
        let Some((_, key)) = rate(row.get()) else { continue };
        let (times, how) = (cell.value.abs().exp(), if cell.value > 0.0 { "faster" } else { "slower" });
        let message =
            format!("{times:.0} times {how} than this network in other settings and this setting with other networks");
        found.in_row(&row, key, message, "a digit, a unit, or a neighbour's value?");
    }
}

fn network_on_device(measurement: &Measurement) -> u64 {
    let mut hash = DefaultHasher::new();
    measurement.source().as_str().hash(&mut hash);
    let fields = [Field::Device, Field::Network, Field::InputShape, Field::NetworkRaw];
    for field in fields {
        measurement.text(field).hash(&mut hash);
    }
    for field in [Field::DeviceCount, Field::SequenceLength] {
        measurement.count(field).hash(&mut hash);
    }
    hash.finish()
}

type Counts = HashMap<u64, usize>;

/// Leaves in each cell what neither its setting nor its network explains; how many networks each setting has, and settings
/// each network.
fn take_out_medians(cells: &mut [Cell]) -> (Counts, Counts) {
    let mut counts = (Counts::new(), Counts::new());
    for _ in 0..ROUNDS {
        take_out(cells, |cell| cell.setting);
        take_out(cells, |cell| cell.network);
    }
    let pairs: HashSet<(u64, u64)> = cells.iter().map(|cell| (cell.setting, cell.network)).collect();
    for (setting, network) in pairs {
        *counts.0.entry(setting).or_default() += 1;
        *counts.1.entry(network).or_default() += 1;
    }
    counts
}

fn take_out(cells: &mut [Cell], by: impl Fn(&Cell) -> u64) {
    let mut groups: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, cell) in cells.iter().enumerate() {
        groups.entry(by(cell)).or_default().push(at);
    }
    for members in groups.values() {
        let mut values: Vec<f64> = members.iter().map(|at| cells[*at].value).collect();
        let middle = values.len() / 2;
        let (_, median, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
        let median = *median;
        for at in members {
            cells[*at].value -= median;
        }
    }
}
