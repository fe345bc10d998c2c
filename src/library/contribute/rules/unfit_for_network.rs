//! A row that does not fit its network.

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, LANGUAGE_TASKS, Severity};
use crate::values::{Counted, EntityKind, Shape, Stage};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(312),
    title: "a row that does not fit its network",
    severity: Severity::Error,
    page: "A network of pictures counts no tokens and has no prefill; a network of language counts no images and no frames; its data set is of its kind; a picture has its channels first (`3x224x224`); no text has more than ten million tokens. One of the two is of another row.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", r#"counts = "image""#, r#"counts = "token""#),
    check: Check::Row(find),
};

/// What networks of a task read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Input {
    Pictures,
    Language,
}

/// What a task is about, by its name; `None` where it may be either or something else.
fn input_of(task: &str) -> Option<Input> {
    const PICTURES: &[&str] = &[
        "image-classification",
        "object-detection",
        "instance-segmentation",
        "semantic-segmentation",
        "face-detection",
        "face-recognition",
        "pose-estimation",
        "panoptic-segmentation",
        "super-resolution",
        "depth-estimation",
        "image-denoising",
    ];
    if LANGUAGE_TASKS.contains(&task) {
        return Some(Input::Language);
    }
    PICTURES.contains(&task).then_some(Input::Pictures)
}

fn find(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    if let Some(shape) = measurement.input_shape().filter(is_channels_last) {
        let message = format!("the input {shape} has its channels last");
        found.in_row(row, Field::InputShape.key(), message, "channels first: 3x224x224");
    }
    if let Some(length) = measurement.count(Field::SequenceLength).filter(|length| *length > MOST_TOKENS) {
        let message = format!("a sample of {length} tokens");
        found.in_row(row, Field::SequenceLength.key(), message, "longer than any text");
    }
    let Some(network) = measurement.text(Field::Network) else { return };
    let Some(input) = context.task(network).and_then(input_of) else { return };
    let pictures = input == Input::Pictures;
    if let Some(counts) = measurement.counts() {
        let unfit = match input {
            Input::Pictures => matches!(counts, Counted::Token | Counted::Sequence),
            Input::Language => matches!(counts, Counted::Image | Counted::Frame),
        };
        if unfit {
            let what = if pictures { "pictures" } else { "language" };
            let message = format!("`{network}` is a network of {what} and counts no {counts}s");
            found.in_row(row, Field::Counts.key(), message, "counts something else").rests_on(
                EntityKind::Network,
                Some(network),
                "task",
            );
        }
    }
    if let Some(stage) = measurement.stage().filter(|stage| pictures && matches!(stage, Stage::Prefill | Stage::Decode))
    {
        let message = format!("`{network}` is a network of pictures and has no {stage}");
        found.in_row(row, Field::Stage.key(), message, "a stage of language models").rests_on(
            EntityKind::Network,
            Some(network),
            "task",
        );
    }
    let dataset = measurement.text(Field::Dataset).and_then(|id| context.loaded.catalog.datasets.get(id));
    if let Some(dataset) = dataset
        && let Some(of) = dataset.task.as_deref()
        && of != context.task(network).unwrap_or_default()
        && input_of(of) != Some(input)
    {
        let message = format!("`{network}` is not run on `{}`, a data set for {of}", dataset.id);
        found.in_row(row, Field::Dataset.key(), message, "a data set for another task").rests_on(
            EntityKind::Network,
            Some(network),
            "task",
        );
    }
}

/// The longest context of a published model is 10^7 tokens (Llama 4 Scout).
const MOST_TOKENS: i64 = 10_000_000;

/// `224x224x3`: a square of many and few channels behind it.
pub(super) fn is_channels_last(shape: &Shape) -> bool {
    matches!(shape.extents(), [height, width, channels] if [1, 3, 4].contains(channels) && *height > 4 && *width > 4)
}
