//! A rate of tokens that batch, lengths and times do not give.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Metric, Severity};
use crate::values::{Counted, Scenario, Stage};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(418),
    title: "a rate of tokens that batch, length and time do not give",
    severity: Severity::Error,
    page: "Reading a batch of prompts gives batch x input length / time tokens a second, and writing gives the batch for each time per token; a whole request gives batch x output length / latency, or more where the prompt counts. Programs print batch / time under the name of tokens a second: that is the rate of requests, or of first tokens. Where a row states the rate, the batch, the length and the time of one stage, they agree within what pauses and overlapping batches explain; a load from several clients at once is left out.",
    sample: Sample::edited("measurements/imagined-2018/serving.toml", "800000", "800"),
    check: Check::Claim(find),
};

/// Loading and waiting between batches cost at most this share.
const LEAST: f64 = 0.45;
/// Batches that overlap, and tokens accepted from a draft, give at most so many times more.
const MOST: f64 = 4.0;
/// A slip explains a factor within this.
const NEAR: f64 = 1.3;

fn find(_: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
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
    // The time of the stage, the tokens of one sample in it, and what these are.
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
    // The rate of a whole request may count the tokens of its prompt as well.
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

/// The tokens of a sample with those of its prompt, where `of` says that `length` is of its answer.
fn length_of_both(measurement: &Measurement, length: f64, of: Field) -> f64 {
    let prompt = measurement.count(Field::InputLength).filter(|_| of == Field::OutputLength);
    length + prompt.unwrap_or(0) as f64
}
