//! Trainings that are part of one: who asks for a pretraining is told where a benchmark's run goes on from a checkpoint.

use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::question::Question;
use crate::model::Field;

/// What rounds of MLPerf Training are called by.
const SUITE: &str = "mlperf-training-";

/// Networks that MLPerf Training trains on from a checkpoint that it gives out, by the beginnings of their ids. Source: MLCommons,
/// training_policies, "Training rules", and the reference implementations of BERT (its checkpoint of phase 1), GPT-3 and Llama 3.1 405B.
const FROM_CHECKPOINT: &[&str] = &["bert-large", "gpt-3", "llama-3-1-405b"];

/// How people call a training from the beginning.
const PRETRAINING: &[&str] = &["pretrain", "pre-train"];

/// What is said first of a conclusion about a pretraining whose rows are of a part of one; `None` where they are not.
pub(super) fn partial_training(question: &Question, told: &Conclusion) -> Option<&'static str> {
    let of = |field: Field| question.read_as().filter(move |read| read.facet == field.key());
    let asks = of(Field::Stage).any(|read| PRETRAINING.iter().any(|word| read.text.to_lowercase().starts_with(word)));
    let is_partial = |id: &String| FROM_CHECKPOINT.iter().any(|network| id.starts_with(network));
    let names_one = of(Field::Network).flat_map(|read| &read.values).any(is_partial);
    let of_suite = told.entries.iter().flat_map(|entry| &entry.sources).any(|source| source.starts_with(SUITE));
    (asks && names_one && of_suite).then_some(
        "No full pretraining: MLPerf's run goes on from a checkpoint to its target, which takes a fraction of one.",
    )
}
