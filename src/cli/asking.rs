//! A question without a command, as in `dlbench "fp16 V100"`.

use std::ffi::OsString;

use dlbench::values::text::nearest;

/// The command for a question.
const QUERY: &str = "query";
/// Global options with a value.
const WITH_VALUE: &[&str] = &["--kb", "--color"];
/// Options that need no command.
const ALONE: &[&str] = &["-h", "--help", "-V", "--version"];

/// Inserts `query` before a question. A first word that is nearly the name of a command stays unchanged: it is more
/// likely a typo than a question.
pub(super) fn with_command(mut arguments: Vec<OsString>, is_command: fn(&str) -> bool) -> Vec<OsString> {
    if let Some(place) = place_of_question(&arguments, is_command) {
        arguments.insert(place, QUERY.into());
    }
    arguments
}

/// The index of the question; `None` where a command is given or there is no question.
fn place_of_question(arguments: &[OsString], is_command: fn(&str) -> bool) -> Option<usize> {
    let mut at = 1;
    loop {
        let word = arguments.get(at)?.to_str()?;
        at += match word {
            word if ALONE.contains(&word) => return None,
            "--no-pager" => 1,
            word if WITH_VALUE.contains(&word) => 2,
            word if WITH_VALUE
                .iter()
                .any(|option| word.strip_prefix(option).is_some_and(|rest| rest.starts_with('='))) =>
            {
                1
            }
            _ => break,
        };
    }
    let word = arguments.get(at)?.to_str()?;
    let options = word.starts_with('-');
    // An option of `query` may precede the question; without a question, clap reports what is missing.
    let asks = !options || arguments[at..].iter().any(|argument| !argument.to_string_lossy().starts_with('-'));
    let rest_is_command = options && arguments[at..].iter().any(|argument| argument.to_str().is_some_and(is_command));
    (asks && !is_command(word) && !rest_is_command && !is_slip(word)).then_some(at)
}

/// Whether a word is nearly the name of a command.
fn is_slip(word: &str) -> bool {
    let names = [
        "query",
        "compare",
        "show",
        "list",
        "table",
        "plot",
        "paper",
        "export",
        "import",
        "resolve",
        "check",
        "diff",
        "explain",
        "stats",
        "schema",
        "index",
        "completions",
        "evidence",
        "wanted",
        "workers",
        "snapshot",
    ];
    word.len() > 3 && word.chars().all(|c| c.is_ascii_lowercase()) && !nearest(word, names, 1).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(words: &[&str]) -> String {
        let arguments = std::iter::once("dlbench").chain(words.iter().copied()).map(OsString::from).collect();
        let is_command = |word: &str| matches!(word, "query" | "compare" | "help");
        let words: Vec<String> =
            with_command(arguments, is_command).iter().map(|word| word.to_string_lossy().into_owned()).collect();
        words[1..].join(" ")
    }

    #[test]
    fn a_question_needs_no_command() {
        assert_eq!(completed(&["fp16 V100"]), "query fp16 V100");
        assert_eq!(completed(&["fp16", "V100"]), "query fp16 V100");
        assert_eq!(completed(&["--kb", "query", "v100"]), "--kb query query v100");
        assert_eq!(completed(&["--color=never", "v100", "-f", "json"]), "--color=never query v100 -f json");
        assert_eq!(completed(&["--facts", "v100"]), "query --facts v100");
    }

    #[test]
    fn commands_slips_and_help_stay_as_they_are() {
        for words in [&["query", "v100"][..], &["compare", "v100"], &["help"], &["--help"], &["--version"], &[]] {
            assert_eq!(completed(words), words.join(" "));
        }
        assert_eq!(completed(&["qurey", "v100"]), "qurey v100");
        assert_eq!(completed(&["--no-pager"]), "--no-pager");
    }
}
