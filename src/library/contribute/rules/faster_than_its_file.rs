//! Finds a row that is much faster than all comparable rows in its file or source.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::physics::operations_of_row;
use crate::model::{Code, Field, Measurement, Metric, Severity};
use crate::values::{Counted, HardwareClass, Stage, Statistic};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(419),
    title: "faster than everything beside it",
    severity: Severity::Warning,
    page: "The other rows of the file, or of the source, with this network on this device, or with this network on devices of this class (each by its peak), or on this device, or of tokens in this stage, agree with each other better than with this row, which is more than five times as fast as the fastest of them: most often it has a digit too many. Rows on one device with different networks are compared by the operations a second. The row must be faster for each device and for all of them together, and no other row with its network may come near it. A table in which one row alone has a better kernel may be right: then except it with the reason.",
    sample: Sample::edited(
        "measurements/imagined-2018/serving.toml",
        r#"["decode", "fourth quantisation", 63.0]"#,
        r#"["decode", "fourth quantisation", 630.0]"#,
    ),
    check: Check::Rows(find),
};

/// A suspect row is more than this many times as fast as the fastest other row.
const FAR: f64 = 5.0;
/// Its distance to that row must also exceed this share of the logarithmic range of the other rows.
const SPREAD: f64 = 0.7;
/// A row of the same network within this factor shows that the rate is possible.
const NEAR: f64 = 3.0;

/// A way to compare rows: where the others are, their minimum number, and what they must share besides stage and
/// counted unit; `None` if a row cannot be compared this way.
type Comparison = (Scope, usize, for<'r> fn(&Cell<'r>) -> Option<Common<'r>>);

/// Where the compared rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    File,
    Source,
}

/// The texts that rows must share, and the quantity that is compared.
type Common<'r> = ([&'r str; 4], Quantity);

/// The quantity that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Quantity {
    /// Items per second.
    Items,
    /// Operations per second.
    Work,
    /// Items per second relative to the device's peak.
    Peak,
}

const COMPARISONS: &[Comparison] = &[
    (Scope::File, 3, |cell| Some(([cell.network?, cell.device?, cell.framework, cell.scenario], Quantity::Items))),
    (Scope::File, 4, |cell| {
        cell.peak.and(Some(([cell.network?, cell.class?, cell.framework, cell.scenario], Quantity::Peak)))
    }),
    (Scope::File, 4, |cell| cell.operations.and(Some((["", cell.device?, "", cell.scenario], Quantity::Work)))),
    (Scope::File, 4, |cell| (cell.counts == Some(Counted::Token)).then_some(([""; 4], Quantity::Items))),
    (Scope::Source, 4, |cell| Some(([cell.network?, cell.device?, "", cell.scenario], Quantity::Items))),
    (Scope::Source, 4, |cell| cell.peak.and(Some(([cell.network?, cell.class?, "", cell.scenario], Quantity::Peak)))),
];

/// A row with a rate; all quantities are logarithms.
struct Cell<'r> {
    at: usize,
    file: &'r Path,
    /// Items per second of one device.
    rate: f64,
    devices: f64,
    /// Operations per item.
    operations: Option<f64>,
    /// The highest peak of the device.
    peak: Option<f64>,
    network: Option<&'r str>,
    device: Option<&'r str>,
    class: Option<&'static str>,
    framework: &'r str,
    scenario: &'r str,
    stage: Option<Stage>,
    counts: Option<Counted>,
}

impl Cell<'_> {
    /// The file, or the folder of its source.
    fn place(&self, beside: Scope) -> &Path {
        match beside {
            Scope::File => self.file,
            Scope::Source => self.file.parent().unwrap_or(self.file),
        }
    }

    /// The speed per device, and of all devices together.
    fn speeds(&self, by: Quantity) -> [f64; 2] {
        let speed = match by {
            Quantity::Items => self.rate,
            Quantity::Work => self.rate + self.operations.unwrap_or_default(),
            Quantity::Peak => self.rate - self.peak.unwrap_or_default(),
        };
        [speed, speed + self.devices]
    }
}

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let cells: Vec<Cell<'_>> = (0..rows.len()).into_par_iter().filter_map(|at| cell_of(context, at)).collect();
    let mut told: Vec<(usize, f64)> =
        COMPARISONS.par_iter().flat_map_iter(|comparison| faster(&cells, *comparison)).collect();
    told.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
    told.dedup_by_key(|(at, _)| *at);
    for (at, times) in told {
        let cell = &cells[at];
        let row = IndexedRow { at: cell.at, row: &rows[cell.at] };
        let message = format!("{:.0} times as fast as the fastest row beside it", times.exp());
        let finding = found.in_row(&row, Metric::ThroughputPerS.key(), message, "a digit too many, or another unit?");
        for field in [Field::BatchSize, Field::DeviceCount].into_iter().filter(|field| row.get().get(*field).is_some())
        {
            finding.beside([field.key().into()], "or this");
        }
    }
}

fn cell_of<'l>(context: &LintContext<'l>, at: usize) -> Option<Cell<'l>> {
    let row = &context.loaded.rows[at];
    let measurement: &'l Measurement = row.get();
    // A rate derived from a time is left to the rules on times.
    let items = measurement.metric(Metric::ThroughputPerS).map(|value| value.value()).filter(|items| *items > 0.0)?;
    // The fastest sample of a run depends on chance.
    if !measurement.statistic().is_none_or(Statistic::is_middle) || !context.is_undisputed(measurement) {
        return None;
    }
    let device = measurement.text(Field::Device);
    let class = device.and_then(|id| context.loaded.catalog.devices.get(id)).map(|device| match device.class {
        HardwareClass::Cpu => "cpu",
        HardwareClass::Gpu => "gpu",
        _ => "other",
    });
    let network = measurement.text(Field::Network);
    let operations = network.and_then(|id| context.loaded.catalog.networks.get(id)).and_then(|network| {
        operations_of_row(network, measurement.stage()?, measurement.counts(), measurement.input_shape().as_ref())
    });
    let devices = (measurement.devices() as f64).max(1.0).ln();
    Some(Cell {
        at,
        file: &row.file().path,
        rate: items.ln() - devices,
        devices,
        peak: device.and_then(|id| context.limits.get(id)?.highest_peak()).filter(|peak| *peak > 0.0).map(f64::ln),
        operations: operations.filter(|operations| *operations > 0.0).map(f64::ln),
        network,
        device,
        class,
        framework: measurement.text(Field::Framework).unwrap_or_default(),
        scenario: measurement.text(Field::Scenario).unwrap_or_default(),
        stage: measurement.stage(),
        counts: measurement.counts(),
    })
}

/// The cells that are much faster than all others of their group, by index, each with the logarithm of the factor.
fn faster(cells: &[Cell<'_>], (beside, fewest, common): Comparison) -> Vec<(usize, f64)> {
    let mut groups: HashMap<_, Vec<usize>> = HashMap::new();
    for (at, cell) in cells.iter().enumerate() {
        if let Some(common) = common(cell) {
            groups.entry((cell.place(beside), cell.stage, cell.counts, common)).or_default().push(at);
        }
    }
    let mut told = Vec::new();
    for ((.., (_, by)), group) in groups.into_iter().filter(|(_, group)| group.len() > fewest) {
        let speed = |at: usize| cells[at].speeds(by)[0];
        let Some(first) = group.iter().copied().max_by(|a, b| speed(*a).total_cmp(&speed(*b))) else { continue };
        let others = || group.iter().copied().filter(|at| *at != first);
        let margins = [0, 1].map(|which| {
            let speeds = || others().map(|at| cells[at].speeds(by)[which]);
            let (slowest, fastest) = speeds().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
            let margin = cells[first].speeds(by)[which] - fastest;
            (margin > FAR.ln().max(SPREAD * (fastest - slowest))).then_some(margin)
        });
        if let [Some(one), Some(_)] = margins
            && !has_similar(cells, first, beside)
        {
            told.push((first, one));
        }
    }
    told
}

/// Whether the file or source has another row of the network with a similar or higher rate.
fn has_similar(cells: &[Cell<'_>], first: usize, beside: Scope) -> bool {
    let own = &cells[first];
    // Rows of one source are consecutive, and so are the rows of one file.
    let is_beside = |cell: &&Cell<'_>| cell.place(beside) == own.place(beside);
    let (before, after) =
        (cells[..first].iter().rev().take_while(is_beside), cells[first + 1..].iter().take_while(is_beside));
    let mut alike = before.chain(after).filter(|cell| (cell.network, cell.stage) == (own.network, own.stage));
    own.network.is_some() && alike.any(|cell| cell.counts == own.counts && cell.rate > own.rate - NEAR.ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(rates: &[f64]) -> Vec<Cell<'static>> {
        let cell = |(at, rate): (usize, &f64)| Cell {
            at,
            file: Path::new("a.toml"),
            rate: rate.ln(),
            devices: 0.0,
            operations: None,
            peak: None,
            network: Some("deeptext"),
            device: Some("nova"),
            class: Some("gpu"),
            framework: "firelight",
            scenario: "",
            stage: Some(Stage::Decode),
            counts: Some(Counted::Token),
        };
        rates.iter().enumerate().map(cell).collect()
    }

    #[test]
    fn a_row_stands_apart_from_rows_that_agree() {
        let told = |rates: &[f64]| faster(&cells(rates), COMPARISONS[0]).iter().map(|(at, _)| *at).collect::<Vec<_>>();
        assert_eq!(told(&[41.0, 48.0, 520.0, 63.0]), [2]);
        assert_eq!(told(&[41.0, 48.0, 520.0]), [0; 0], "two others are not company");
        assert_eq!(told(&[41.0, 48.0, 200.0, 63.0]), [0; 0], "three times is a better kernel");
        assert_eq!(told(&[0.1, 4.0, 520.0, 63.0]), [0; 0], "the others do not agree with each other");
        assert_eq!(told(&[41.0, 48.0, 520.0, 400.0, 63.0]), [0; 0], "another row comes near");
    }
}
