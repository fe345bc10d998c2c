//! Rules about batch sizes, device counts, units and token rates that contradict each other.

use std::collections::HashMap;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Metric, Severity};
use crate::values::{Counted, Scenario, Stage};

pub(in crate::contribute) const GLOBAL_BATCH: Rule = Rule {
    code: Code::new(308),
    title: "batch sizes that do not fit together",
    severity: Severity::Error,
    page: "`batch-size` is per device, `batch-size-global` over all `device-count` devices; the second is a multiple of the first times the count (several steps of gradient accumulation included).",
    sample: Sample::edited(
        "measurements/imagined-2018/training.toml",
        "batch-size-global = 64",
        "batch-size-global = 16",
    ),
    check: Check::Row(find_global_batch),
};

fn find_global_batch(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let count = |field| row.get().count(field);
    let (Some(own), Some(global)) = (count(Field::BatchSize), count(Field::BatchSizeGlobal)) else { return };
    let devices = row.get().devices();
    if global % own.saturating_mul(devices) != 0 {
        let message = format!("a batch of {own} on each of {devices} is not {global} over all");
        found
            .in_row(
                row,
                "batch-size-global",
                message,
                format!("expected {} or a multiple", own.saturating_mul(devices)),
            )
            .help("`batch-size` is per device, `batch-size-global` over all devices");
    }
}

pub(in crate::contribute) const DIVIDED_DEVICES: Rule = Rule {
    code: Code::new(319),
    title: "parts of the devices that are not all of them",
    severity: Severity::Error,
    page: "In disaggregated serving some devices read the prompts (`prefill-devices`) and the others write the answers (`decode-devices`). Together they are the `device-count`: a rate per device is over the devices of its stage, and that of all work over all of them. Tensors, layers, samples, experts and the tokens of a sequence are split among those devices, and among no more.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "device-raw = \"Acme Nova 100 16GB\"\n",
        "device-raw = \"Acme Nova 100 16GB\"\ndevice-count = 2\nprefill-devices = 2\ndecode-devices = 2\n",
    ),
    check: Check::Row(find_divided_devices),
};

fn find_divided_devices(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let count = |field| measurement.count(field);
    let (prefill, decode) = (count(Field::PrefillDevices), count(Field::DecodeDevices));
    let message = count(Field::DeviceCount).and_then(|all| match (prefill, decode) {
        (Some(prefill), Some(decode)) => (prefill.saturating_add(decode) != all)
            .then(|| format!("{prefill} devices for prefill and {decode} for decode are not {all}")),
        // The other part also needs devices.
        (Some(part), None) => {
            (part >= all).then(|| format!("{part} devices for prefill leave none of {all} for decode"))
        }
        (None, Some(part)) => {
            (part >= all).then(|| format!("{part} devices for decode leave none of {all} for prefill"))
        }
        (None, None) => None,
    });
    if let Some(message) = message {
        let finding = found.in_row(row, Field::DeviceCount.key(), message, "all devices together");
        let parts = [
            (prefill, Field::PrefillDevices, "those that read prompts"),
            (decode, Field::DecodeDevices, "those that write answers"),
        ];
        for (_, field, what) in parts.into_iter().filter(|(stated, ..)| stated.is_some()) {
            finding.beside([field.key().into()], what);
        }
    }
    let Some(all) = count(Field::DeviceCount) else { return };
    for fields in SPLIT {
        let stated: Vec<(Field, i64)> = fields.iter().filter_map(|field| Some((*field, count(*field)?))).collect();
        let among = stated.iter().fold(1_i64, |product, (_, among)| product.saturating_mul(*among));
        if let Some((field, _)) = stated.iter().max_by_key(|(_, among)| among).filter(|_| among > all) {
            let keys: Vec<String> = stated.iter().map(|(field, _)| format!("`{field}`")).collect();
            let message = format!("{} is {among}, and there are {all} devices", keys.join(" x "));
            found
                .in_row(row, field.key(), message, "among more devices than there are")
                .beside([Field::DeviceCount.key().into()], "all devices together");
        }
    }
}

/// Fields that split work among devices; degrees in one group multiply, as each pipeline stage splits its tensors itself.
const SPLIT: &[&[Field]] = &[
    &[Field::TensorParallel, Field::PipelineParallel],
    &[Field::DataParallel],
    &[Field::ExpertParallel],
    &[Field::ContextParallel],
];

pub(in crate::contribute) const SCENARIO_UNIT: Rule = Rule {
    code: Code::new(318),
    title: "a unit that is not that of the scenario",
    severity: Severity::Warning,
    page: "MLPerf's inference rules give each scenario its metric: offline samples a second, server and interactive queries (or tokens) a second that meet a latency, single stream and multi-stream the latency that 90 or 99 % of the queries keep. A row with the unit of another scenario is of that scenario, or its value is of another metric.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "batch-size = 16\nlatency-ms = 20.0",
        "scenario = \"offline\"\nstatistic = \"p99\"\nlatency-ms = 20.0",
    ),
    check: Check::Claim(find_scenario_unit),
};

fn find_scenario_unit(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let Some(scenario) = measurement.scenario() else { return };
    let has = |metric| measurement.metric(metric).is_some();
    let is_query = measurement.counts() == Some(Counted::Query);
    let is_percentile = measurement.text(Field::Statistic).is_some_and(|statistic| statistic.starts_with('p'));
    let is_of_rules = measurement.text(Field::Division).is_some() || is_percentile;
    let rate = has(Metric::ThroughputPerS);
    let latency = has(Metric::LatencyMs);
    let told = match scenario {
        Scenario::Offline if rate && is_query => {
            (Field::Counts.key(), "queries a second are the unit of the server scenario; offline counts samples")
        }
        Scenario::Offline if latency && !rate && is_of_rules => (
            Metric::LatencyMs.key(),
            "a latency is the metric of single stream and multi-stream; offline has a throughput",
        ),
        Scenario::Server | Scenario::Interactive if latency && !rate && is_of_rules => (
            Metric::LatencyMs.key(),
            "a latency is the metric of single stream and multi-stream; a server has a throughput",
        ),
        Scenario::SingleStream | Scenario::MultiStream
            if rate
                && !latency
                && measurement.counts().is_some_and(|counts| matches!(counts, Counted::Sample | Counted::Query)) =>
        {
            (Metric::ThroughputPerS.key(), "a throughput is the metric of offline and server; a stream has a latency")
        }
        _ => return,
    };
    let (key, message) = told;
    found
        .in_row(row, key, format!("`{scenario}`: {message}"), "of another scenario?")
        .beside([Field::Scenario.key().into()], "the scenario");
}

pub(in crate::contribute) const STAGES_PER_DEVICE: Rule = Rule {
    code: Code::new(420),
    title: "rates per device of the stages that do not make that of all work",
    severity: Severity::Error,
    page: "The tokens that a server reads and those that it writes are all its tokens, so where one setting has a rate per device for prefill, for decode and for both, each times the devices that it is over gives the two parts and their sum. Where the rate of a part is more than that of all work, it is over the devices of that part alone: `prefill-devices` and `decode-devices` say how many these are, or one of the rates is of another setting.",
    sample: Sample::edited(
        "measurements/imagined-2018/serving.toml",
        "  [\"decode\", \"fifth quantisation\", 57.0],\n]",
        "]\n\n[[table]]\ndevice-count = 12\nconcurrency = 64\ncolumns = [\"stage\", \"device-throughput-per-s\"]\nrows = [\n  [\"prefill\", 36.0],\n  [\"decode\", 18.0],\n  [\"eval\", 24.0],\n]",
    ),
    check: Check::Rows(find_stages_per_device),
};

/// Maximum factor between the sum of two rates of a run and the total: they differ by rounding and by effects at the run's ends.
const OFF_THE_SUM: f64 = 1.15;

fn find_stages_per_device(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut groups: HashMap<u64, [Vec<(usize, f64)>; 3]> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        let measurement = row.get();
        let rate = measurement.metric(Metric::DeviceThroughputPerS).map(|value| value.value());
        let place = match measurement.stage() {
            Some(Stage::Prefill) => 0,
            Some(Stage::Decode) => 1,
            Some(Stage::Eval) => 2,
            _ => continue,
        };
        if let (Some(rate), Some(Counted::Token), true) =
            (rate, measurement.counts(), context.is_undisputed(measurement))
        {
            let setting = context.setting_but_for(at, &[Field::Stage, Field::Timed]);
            groups.entry(setting).or_default()[place].push((at, rate));
        }
    }
    let mut told: Vec<[(usize, f64); 3]> = groups
        .into_values()
        .filter_map(|[prefill, decode, all]| match (prefill.as_slice(), decode.as_slice(), all.as_slice()) {
            ([prefill], [decode], [all]) => Some([*prefill, *decode, *all]),
            _ => None,
        })
        .collect();
    told.sort_unstable_by_key(|[(at, _), ..]| *at);
    for [prefill, decode, all] in told {
        let devices = |(at, _): (usize, f64)| rows[at].get().devices_of_stage().filter(|count| *count > 0);
        // Rates without a stated device count contradict nothing.
        let (Some(of_prefill), Some(of_decode), Some(of_all)) = (devices(prefill), devices(decode), devices(all))
        else {
            continue;
        };
        // DIVIDED_DEVICES reports parts that do not add up to the whole.
        if (of_prefill, of_decode) != (of_all, of_all) && of_prefill + of_decode != of_all {
            continue;
        }
        let sum = prefill.1 * of_prefill as f64 + decode.1 * of_decode as f64;
        let whole = all.1 * of_all as f64;
        if (1.0 / OFF_THE_SUM..=OFF_THE_SUM).contains(&(sum / whole)) || prefill.1.max(decode.1) <= all.1 {
            continue;
        }
        for (part, count) in [(prefill, of_prefill), (decode, of_decode)] {
            let row = IndexedRow { at: part.0, row: &rows[part.0] };
            let message = format!(
                "{} x {count} devices, where all work is {} x {of_all}: the two parts would make {sum} tokens a second, not {whole}",
                part.1, all.1
            );
            let key = Metric::DeviceThroughputPerS.key();
            let finding = found.in_row(&row, key, message, "over these devices?");
            finding.related(&rows[all.0], "all work in the same setting");
            if let Some((reading, writing)) = split(prefill.1, decode.1, all.1, of_all) {
                finding.help(format!(
                    "this would explain it: `prefill-devices = {reading}` and `decode-devices = {writing}`"
                ));
            }
        }
    }
}

/// How many devices do prefill and how many decode, derived from the rates per device of both parts and of all devices.
fn split(prefill: f64, decode: f64, all: f64, devices: i64) -> Option<(i64, i64)> {
    let reading = devices as f64 * (all - decode) / (prefill - decode);
    let whole = reading.round();
    let reading = ((reading - whole).abs() < 0.1).then_some(whole as i64)?;
    (1..devices).contains(&reading).then_some((reading, devices - reading))
}

pub(in crate::contribute) const TOKENS_OF_A_BATCH: Rule = Rule {
    code: Code::new(418),
    title: "a rate of tokens that batch, length and time do not give",
    severity: Severity::Error,
    page: "Reading a batch of prompts gives batch x input length / time tokens a second, and writing gives the batch for each time per token; a whole request gives batch x output length / latency, or more where the prompt counts. Programs print batch / time under the name of tokens a second: that is the rate of requests, or of first tokens. Where a row states the rate, the batch, the length and the time of one stage, they agree within what pauses and overlapping batches explain; a load from several clients at once is left out.",
    sample: Sample::edited("measurements/imagined-2018/serving.toml", "800000", "800"),
    check: Check::Claim(find_tokens_of_a_batch),
};

/// Minimum ratio of the stated rate to the implied one: loading and waiting between batches cost at most the rest.
const LEAST: f64 = 0.45;

/// Maximum ratio: overlapping batches and tokens accepted from a draft model give at most this much.
const MOST: f64 = 4.0;

/// A mistake explains a factor that it predicts within this tolerance.
const NEAR: f64 = 1.3;

fn find_tokens_of_a_batch(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    let of_one_client = measurement.scenario().is_none_or(|scenario| scenario == Scenario::SingleStream)
        && measurement.number(Field::RequestRate).is_none();
    if measurement.counts() != Some(Counted::Token) || !of_one_client {
        return;
    }
    let metric = |metric| measurement.metric(metric).map(|value| value.value()).filter(|value| *value > 0.0);
    let of_device = || Some(metric(Metric::DeviceThroughputPerS)? * measurement.devices_of_stage().unwrap_or(1) as f64);
    let stated = metric(Metric::ThroughputPerS).map(|rate| (Metric::ThroughputPerS, rate));
    let Some((stated, rate)) = stated.or_else(|| Some((Metric::DeviceThroughputPerS, of_device()?))) else { return };
    let clients = measurement.count(Field::Concurrency).and_then(|count| u64::try_from(count).ok());
    let Some(batch) = measurement.items_in_batch().map(|items| items as f64).or(clients.map(|count| count as f64))
    else {
        return;
    };
    let length = |field: Field| measurement.count(field).map(|length| length as f64);
    let first = |metrics: &[Metric]| metrics.iter().find_map(|of| Some((*of, metric(*of)?)));
    // The time of the stage, the number of tokens per sample, and the field that states that number.
    let given = match measurement.stage() {
        Some(Stage::Prefill) => {
            let of_requests =
                if clients.is_some_and(|count| count > 1) { &[][..] } else { &[Metric::TimeToFirstTokenMs] };
            let time = metric(Metric::LatencyMs).map(|time| (Metric::LatencyMs, time)).or_else(|| first(of_requests));
            let length = length(Field::InputLength).or_else(|| length(Field::SequenceLength));
            time.zip(length).map(|(time, length)| (time, length, Field::InputLength))
        }
        Some(Stage::Decode) => {
            let a_token = first(&[Metric::TimePerOutputTokenMs, Metric::InterTokenLatencyMs]);
            let whole = || Some((metric(Metric::LatencyMs)?, length(Field::OutputLength)?));
            match (a_token, whole()) {
                (Some(time), _) => Some((time, 1.0, Field::BatchSize)),
                (None, Some((time, length))) => Some(((Metric::LatencyMs, time), length, Field::OutputLength)),
                (None, None) => None,
            }
        }
        Some(Stage::Eval) => {
            let whole = metric(Metric::LatencyMs).zip(length(Field::OutputLength));
            whole.map(|(time, length)| ((Metric::LatencyMs, time), length, Field::OutputLength))
        }
        _ => None,
    };
    let Some(((timed, milliseconds), length, of_length)) = given else { return };
    let implied = batch * length / (milliseconds / 1000.0);
    let ratio = rate / implied;
    // The rate of a whole request may also count the tokens of its prompt.
    let both = length_of_both(measurement, length, of_length);
    let most = if measurement.stage() == Some(Stage::Eval) { MOST * both / length } else { MOST };
    if (LEAST..=most).contains(&ratio) {
        return;
    }
    let tokens = if length > 1.0 { format!("{batch} x {length}") } else { format!("{batch}") };
    let message = format!("{rate} tokens a second, where {tokens} tokens in {milliseconds} ms make {implied:.1}");
    let finding = found.in_row(row, stated.key(), message, "contradicts batch, length and time");
    finding.beside([timed.key().into()], "the time");
    if length > 1.0 {
        finding.beside([of_length.key().into()], "the tokens of a sample");
    }
    let near = |factor: f64| (1.0 / NEAR..=NEAR).contains(&(ratio * factor));
    let devices = measurement.devices() as f64;
    let slip = match () {
        () if both > length && near(length / both) => "it counts the tokens of the prompt as well",
        () if length > 1.0 && near(length) => "it is batch / latency: requests (or first tokens) a second, not tokens",
        () if length > 1.0 && near(length * batch) => "it is 1 / latency: batches a second, not tokens",
        () if batch > 1.0 && near(batch) => "the rate is that of one request of the batch",
        () if batch > 1.0 && near(1.0 / batch) => "the time is that of one request, not of the batch",
        () if length > 1.0 && near(1.0 / length) => "the time is that of one token, not of the whole answer",
        () if near(1000.0) || near(1e-3) => "seconds were taken for milliseconds",
        () if devices > 1.0 && (near(devices) || near(1.0 / devices)) => "one is for one device, the other for all",
        () => return,
    };
    finding.help(format!("this would explain it: {slip}"));
}

/// The tokens of a sample including its prompt, if `of` says that `length` counts only the answer.
fn length_of_both(measurement: &Measurement, length: f64, of: Field) -> f64 {
    let prompt = measurement.count(Field::InputLength).filter(|_| of == Field::OutputLength);
    length + prompt.unwrap_or(0) as f64
}
