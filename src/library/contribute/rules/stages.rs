//! Rules about stages and times: training against inference, a step against its passes, throughput against latency and batch.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::path::Path;

use crate::contribute::rule_interface::plausible_rate::rate;
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::physics::{forward_passes, is_one_image, items_per_second};
use crate::model::{Code, Field, Measurement, Metric, Severity};
use crate::values::{Counted, Scenario, Stage};

pub(in crate::contribute) const STAGE_ORDER: Rule = Rule {
    code: Code::new(412),
    title: "training faster than a part of it",
    severity: Severity::Error,
    page: "A training step holds a forward and a backward pass, so of two rows that differ in the stage only, the training is the slower one. The stages were exchanged, or one is of another batch or network. Where the backward pass is the slower one in all pairs of a file but one, the two times of that pair were exchanged.",
    sample: Sample::edited(
        "measurements/imagined-2018/matrix.toml",
        r#"["deepnet-34", "NCHW", 45.0],"#,
        r#"["deepnet-34", "NCHW", 45.0],
]

[[table]]
stage = "train"
columns = ["network", "layout", "latency-ms"]
rows = [
  ["deepnet-34", "NCHW", 20.0],"#,
    ),
    check: Check::Rows(find_stage_order),
};

fn find_stage_order(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut groups: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        let measurement = row.get();
        if measurement.stage().is_some()
            && rate(measurement).is_some()
            && context.is_whole_network(measurement)
            && context.is_undisputed(measurement)
        {
            groups.entry(context.setting_but_for(at, &[Field::Stage, Field::Timed])).or_default().push(at);
        }
    }
    let mut told: Vec<(usize, usize)> = Vec::new();
    find_slow_prefill(context, &groups, found);
    find_exchanged(context, found);
    for members in groups.into_values().filter(|members| members.len() > 1) {
        let of = |stage: Stage| members.iter().copied().filter(move |at| rows[*at].get().stage() == Some(stage));
        let fastest = of(Stage::Train).max_by(|a, b| speed(context, *a).total_cmp(&speed(context, *b)));
        let Some(train) = fastest else { continue };
        let parts = [Stage::Eval, Stage::Forward, Stage::Backward].into_iter().flat_map(of);
        told.extend(
            parts.filter(|part| speed(context, train) > speed(context, *part) * SLACK).map(|part| (train, part)),
        );
    }
    told.sort_unstable();
    for (train, part) in told {
        for (at, other) in [(train, part), (part, train)] {
            let row = IndexedRow { at, row: &rows[at] };
            let stage = |at: usize| rows[at].get().stage().map(|stage| stage.to_string()).unwrap_or_default();
            let message = format!(
                "`{}` makes {:.1} a second, `{}` in the same setting {:.1}",
                stage(at),
                speed(context, at),
                stage(other),
                speed(context, other)
            );
            let key = rate(row.get()).map_or(Field::Stage.key(), |(_, key)| key);
            found
                .in_row(&row, key, message, "training takes longer than its parts")
                .beside([Field::Stage.key().into()], "or this")
                .related(&rows[other], "the other one");
        }
    }
}

/// Minimum number of other pairs in a file whose backward pass is slower, and the minimum factor in each.
const FEWEST_PAIRS: usize = 4;
const APART: f64 = 1.2;

/// Reports the one pair in a file whose forward pass is the slower one.
fn find_exchanged(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    // For each setting, the rows of the forward and backward pass with their times.
    let mut settings: HashMap<u64, [Vec<(usize, f64)>; 2]> = HashMap::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| context.is_undisputed(row.get())) {
        let passes = [Stage::Forward, Stage::Backward];
        let pass = row.get().stage().and_then(|stage| passes.iter().position(|pass| *pass == stage));
        if let (Some(pass), Some(time)) = (pass, row.get().metric(Metric::LatencyMs)) {
            let setting = context.setting_but_for(at, &[Field::Stage, Field::Timed]);
            settings.entry(setting).or_default()[pass].push((at, time.value()));
        }
    }
    let mut files: BTreeMap<&Path, Vec<(usize, usize, f64)>> = BTreeMap::new();
    for [forward, backward] in settings.into_values() {
        if let ([(forward, own)], [(backward, other)]) = (&forward[..], &backward[..]) {
            files.entry(&rows[*forward].file().path).or_default().push((*forward, *backward, other / own));
        }
    }
    for pairs in files.into_values().filter(|pairs| pairs.len() > FEWEST_PAIRS) {
        let mut slower = pairs.iter().filter(|(.., ratio)| *ratio <= APART);
        let (Some((forward, backward, ratio)), None) = (slower.next(), slower.next()) else { continue };
        if ratio * APART > 1.0 {
            continue;
        }
        for (at, other) in [(*forward, *backward), (*backward, *forward)] {
            let row = IndexedRow { at, row: &rows[at] };
            let message = format!(
                "the forward pass takes longer than the backward pass here, and not in {} other pairs of the file",
                pairs.len() - 1
            );
            let finding = found.in_row(&row, Metric::LatencyMs.key(), message, "exchanged with the other?");
            finding.related(&rows[other], "the other one");
        }
    }
}

/// Reports a prompt that is read no faster than its answer is generated: prefill processes all tokens at once.
fn find_slow_prefill(context: &LintContext<'_>, groups: &HashMap<u64, Vec<usize>>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut told: Vec<(usize, usize)> = Vec::new();
    for members in groups.values().filter(|members| members.len() > 1) {
        let of = |stage: Stage| members.iter().copied().filter(move |at| rows[*at].get().stage() == Some(stage));
        let tokens = |at: &usize| rows[*at].get().counts() == Some(Counted::Token);
        for prefill in of(Stage::Prefill).filter(tokens) {
            let decode =
                of(Stage::Decode).filter(tokens).find(|decode| speed(context, prefill) <= speed(context, *decode));
            told.extend(decode.map(|decode| (prefill, decode)));
        }
    }
    told.sort_unstable();
    for (at, decode) in told {
        let row = IndexedRow { at, row: &rows[at] };
        let message = format!(
            "prefill makes {:.1} tokens a second, decode in the same setting {:.1}",
            speed(context, at),
            speed(context, decode)
        );
        let key = rate(row.get()).map_or(Field::Stage.key(), |(_, key)| key);
        found.in_row(&row, key, message, "the rate of another stage?").related(&rows[decode], "decode");
    }
}

/// Tolerance for the variation between runs.
const SLACK: f64 = 1.5;

fn speed(context: &LintContext<'_>, at: usize) -> f64 {
    rate(context.loaded.rows[at].get()).map_or(0.0, |(rate, _)| rate)
}

pub(in crate::contribute) const STAGE_SUM: Rule = Rule {
    code: Code::new(415),
    title: "a step that is not its passes",
    severity: Severity::Error,
    page: "Where a source times the forward pass, the backward pass and a training step of one setting, the step takes as long as both passes together, within a tenth. One of the three has a digit too many or too few, or is of another row.",
    sample: Sample::edited(
        "measurements/imagined-2018/matrix.toml",
        r#"["deepnet-50", "NHWC", 34.0],"#,
        r#"["deepnet-50", "NHWC", 34.0],
]

[[table]]
columns = ["network", "stage", "layout", "latency-ms"]
rows = [
  ["deepnet-34", "forward", "NCHW", 44.0],
  ["deepnet-34", "backward", "NCHW", 90.0],
  ["deepnet-34", "train", "NCHW", 180.0],"#,
    ),
    check: Check::Rows(find_stage_sum),
};

/// Tolerance: hardly any time is spent between the passes; of 225 such steps in the repository's knowledge base each is within 3 %.
const WITHIN: f64 = 1.1;

fn find_stage_sum(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut groups: HashMap<u64, Vec<(usize, Stage, f64)>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        let measurement = row.get();
        let latency = measurement.metric(Metric::LatencyMs).map(|value| value.value());
        if let (Some(stage @ (Stage::Forward | Stage::Backward | Stage::Train)), Some(latency)) =
            (measurement.stage(), latency)
            && context.is_undisputed(measurement)
        {
            let setting = context.setting_but_for(at, &[Field::Stage, Field::Timed]);
            groups.entry(setting).or_default().push((at, stage, latency));
        }
    }
    let mut told: Vec<[usize; 3]> = Vec::new();
    for members in groups.into_values().filter(|members| members.len() == 3) {
        let of = |wanted: Stage| members.iter().find(|(_, stage, _)| *stage == wanted);
        let (Some(step), Some(forward), Some(backward)) = (of(Stage::Train), of(Stage::Forward), of(Stage::Backward))
        else {
            continue;
        };
        let ratio = step.2 / (forward.2 + backward.2);
        if !(1.0 / WITHIN..=WITHIN).contains(&ratio) {
            told.push([step.0, forward.0, backward.0]);
        }
    }
    told.sort_unstable();
    for [step, forward, backward] in told {
        let latency = |at: usize| rows[at].get().metric(Metric::LatencyMs).map_or(0.0, |value| value.value());
        let row = IndexedRow { at: step, row: &rows[step] };
        let message = format!(
            "a step of {} ms, where forward takes {} ms and backward {} ms",
            latency(step),
            latency(forward),
            latency(backward)
        );
        found
            .in_row(&row, Metric::LatencyMs.key(), message, "not the sum of its passes")
            .related(&rows[forward], "the forward pass")
            .related(&rows[backward], "the backward pass");
    }
}

pub(in crate::contribute) const LATENCY_THROUGHPUT: Rule = Rule {
    code: Code::new(406),
    title: "a throughput that contradicts latency and batch",
    severity: Severity::Error,
    page: "One batch after another gives batch / latency items a second. A row that states all three must agree, within what rounding and overlapped input allow, and nearly as the other rows of a source that agree closely; where several batches are on their way at once (a server, several streams), more comes out, never less.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", "2064.5", "206.45"),
    check: Check::Rows(find_latency_throughput),
};

fn find_latency_throughput(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut sources: BTreeMap<&str, Vec<(usize, f64)>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| context.is_undisputed(row.get())) {
        if let Some(stated) = latency_throughput(row.get()) {
            sources.entry(row.get().source().as_str()).or_default().push((at, stated.ratio()));
        }
    }
    for of_source in sources.values() {
        let usual = usual_ratios(of_source.iter().map(|(_, ratio)| *ratio).collect());
        for (at, _) in of_source.iter().filter(|(_, ratio)| !usual.contains(ratio)) {
            tell_latency_throughput(&IndexedRow { at: *at, row: &rows[*at] }, found);
        }
    }
}

/// The plausible ratios of stated to implied throughput in a source: narrow if nearly all of its many rows have similar ratios.
fn usual_ratios(mut ratios: Vec<f64>) -> RangeInclusive<f64> {
    /// Minimum number of rows, and maximum factor between the 1st and 99th percentile, for a narrow range.
    const MANY: usize = 100;
    const ALIKE: f64 = 1.25;
    ratios.sort_by(f64::total_cmp);
    let odd = ratios.len() / 100;
    let (low, high) = match ratios.get(odd).zip(ratios.iter().rev().nth(odd)) {
        Some((low, high)) if ratios.len() >= MANY && high / low < ALIKE => (low / ALIKE, high * ALIKE),
        _ => return LEAST..=MOST,
    };
    low.max(LEAST)..=high.min(MOST)
}

/// Throughput, batch size and latency of a row.
struct LatencyThroughput {
    throughput: f64,
    latency: f64,
    batch: f64,
    /// Batch size divided by latency.
    implied: f64,
}

impl LatencyThroughput {
    fn ratio(&self) -> f64 {
        self.throughput / self.implied
    }
}

fn latency_throughput(measurement: &Measurement) -> Option<LatencyThroughput> {
    let metric = |metric| measurement.metric(metric).map(|value| value.value());
    let (latency, throughput) = (metric(Metric::LatencyMs)?, metric(Metric::ThroughputPerS)?);
    // Tokens are generated one after another; percentiles are not the mean.
    if !measurement.counts().is_some_and(is_one_image)
        || measurement.scenario().is_some_and(|scenario| scenario != Scenario::SingleStream)
        || matches!(measurement.stage(), Some(Stage::Prefill | Stage::Decode))
    {
        return None;
    }
    let batch = measurement.items_in_batch()?;
    let implied = items_per_second(batch, latency)?;
    Some(LatencyThroughput { throughput, latency, batch: batch as f64, implied })
}

fn tell_latency_throughput(row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let Some(stated) = latency_throughput(measurement) else { return };
    let (ratio, LatencyThroughput { throughput, latency, batch, implied }) = (stated.ratio(), stated);
    let message = format!("{throughput} items a second, where a batch of {batch} in {latency} ms makes {implied:.1}");
    let finding = found.in_row(row, Metric::ThroughputPerS.key(), message, "contradicts latency and batch");
    let near = |factor: f64| (0.8..1.25).contains(&(ratio * factor));
    let devices = measurement.devices() as f64;
    let slip = if batch > 1.0 && near(batch) {
        Some("the throughput counts batches, or the latency is that of one item")
    } else if batch > 1.0 && near(1.0 / batch) {
        Some("the latency is per item, not per batch")
    } else if near(1000.0) || near(1e-3) {
        Some("seconds were taken for milliseconds")
    } else if near(forward_passes(Stage::Backward)) || near(forward_passes(Stage::Train)) {
        Some("one is for the forward pass, the other for forward and backward")
    } else if devices > 1.0 && (near(devices) || near(1.0 / devices)) {
        Some("one is for one device, the other for all")
    } else {
        None
    };
    if let Some(slip) = slip {
        finding.help(format!("this would explain it: {slip}"));
    }
}

/// Minimum ratio: loading and waiting cost at most the rest; of 25,900 rows that state all three, none is below 0.7.
const LEAST: f64 = 0.65;

/// Maximum ratio, for batches that overlap.
const MOST: f64 = 4.0;
