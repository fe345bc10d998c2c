//! Splits the output of programs and the names of hubs into the words of a question: `Intel(R) Xeon(R) Gold 6248R CPU @ 3.00GHz`,
//! `llama-2-13b-chat.Q4_K_M.gguf`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::entity::shorter_names;

/// Trademark signs, and Azure's prefix of instance names.
static MARK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\((?:[RrCc]|TM|tm)\)|\bStandard_").expect("the pattern is tested"));

/// Text that processors print after their names (clock, number of cores) or before them (generation).
static BOILERPLATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:(?:cpu )?@ [\d.]+ ?GHz|\d+-core processor|\d+(?:st|nd|rd|th) gen)\b")
        .expect("the pattern is tested")
});

/// A count after a product: `RTX3090x4`.
static COUNT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^.*\d(x\d{1,3})$").expect("the pattern is tested"));

/// Replaces marks that are not part of a name by blanks, so that all offsets stay the same.
pub fn without_marks(text: &str) -> String {
    MARK.replace_all(text, |found: &Captures<'_>| " ".repeat(found[0].len())).into_owned()
}

/// Number of leading words, separated by blanks, that a processor prints besides its name.
pub fn boilerplate(words: &str) -> usize {
    BOILERPLATE.find(words).map_or(0, |found| found.as_str().split(' ').count())
}

/// The names within a spelling, longest first, each with the ranges of the removed words that state the format of the weights or a
/// count.
pub fn names_within(spelling: &str) -> Vec<(&str, Vec<Range<usize>>)> {
    let mut within = Vec::new();
    if let Some(count) = COUNT.captures(spelling).and_then(|found| found.get(1)) {
        within.push((&spelling[..count.start()], vec![count.range()]));
    }
    let mut formats: Vec<Range<usize>> = Vec::new();
    for (name, word) in shorter_names(spelling) {
        let says = |found: &Captures<'_>| found.name("mark").or(found.name("trained")).is_none();
        if let Some(whole) = word.filter(says).and_then(|found| found.get(0)) {
            let is_sign = |c: char| !c.is_alphanumeric();
            let text = whole.as_str().trim_start_matches(is_sign);
            let start = whole.end() - text.len();
            formats.insert(0, start..start + text.trim_end_matches(is_sign).len());
        }
        within.push((name, formats.clone()));
    }
    within
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_within_spellings() {
        let last = |spelling: &'static str| {
            let (name, words) = names_within(spelling).pop().unwrap_or_default();
            (name, words.into_iter().map(|place| &spelling[place]).collect::<Vec<_>>())
        };
        assert_eq!(last("llama-2-13b-chat.Q4_K_M.gguf"), ("llama-2-13b-chat", vec!["Q4_K_M"]));
        assert_eq!(last("Meta-Llama-3.1-8B-Instruct-AWQ-INT4"), ("Meta-Llama-3.1-8B-Instruct", vec!["AWQ", "INT4"]));
        assert_eq!(last("qwen3:8b-q4_K_M"), ("qwen3:8b", vec!["q4_K_M"]));
        assert_eq!(last("Qwen3-30B-A3B-GGUF"), ("Qwen3-30B-A3B", vec![]));
        assert_eq!(last("yolov8n.pt"), ("yolov8n", vec![]));
        assert_eq!(last("resnet50.a1_in1k"), ("resnet50", vec![]));
        assert_eq!(last("RTX3090x4"), ("RTX3090", vec!["x4"]));
        assert_eq!(last("resnet50"), ("", vec![]));
    }

    #[test]
    fn what_processors_say_besides_their_names_is_known() {
        assert_eq!(boilerplate("CPU @ 3.00GHz"), 3);
        assert_eq!(boilerplate("64-Core Processor resnet50"), 2);
        assert_eq!(boilerplate("12th Gen Intel"), 2);
        assert_eq!(boilerplate("64 cores"), 0);
        assert_eq!(without_marks("Intel(R) Core(TM) i7"), "Intel    Core     i7");
        assert_eq!(without_marks("on Standard_ND96asr_v4"), "on          ND96asr_v4");
    }
}
