//! Languages that are written without blanks between their words, and those whose endings stand at names of other letters: names are
//! cut out of them, and the words between them are read by the longest that a list has.

use super::words::Words;
use super::{chinese, japanese, korean};

const LANGUAGES: &[Words] = &[chinese::WORDS, japanese::WORDS, korean::WORDS];

/// In front of what stands behind a name here and in front of it in English: `V100より`, `CPU以外`.
const BEHIND_NAMES: char = '^';

/// What an English comparative has behind it where these have it in front: `V100より速い`.
const THAN: &str = "than";
const COMPARATIVES: &[&str] = &["faster", "slower", "cheaper", "better"];

/// Whether a sign belongs to a writing without blanks: Han, kana, hangul, their punctuation and its full-width forms.
fn is_of_it(sign: char) -> bool {
    matches!(
        sign,
        '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{ff00}'..='\u{ffef}'
    )
}

/// Whether words have signs of such a writing.
pub(super) fn is_written_so(words: &[&str]) -> bool {
    words.iter().any(|word| word.contains(is_of_it))
}

/// Whether a text has kana or hangul, by which it is not Chinese.
fn language_of(words: &[&str]) -> Words {
    let has = |first: char, last: char| words.iter().any(|word| word.contains(|sign| (first..=last).contains(&sign)));
    match () {
        () if has('\u{3041}', '\u{30ff}') => japanese::WORDS,
        () if has('\u{ac00}', '\u{d7af}') => korean::WORDS,
        () => chinese::WORDS,
    }
}

/// The English words of a question in such a writing. Names stay as they are, and so does what no list has.
pub(super) fn in_english<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let own = language_of(words);
    let mut reader = Reader { english: Vec::new(), last_name: None, than: None };
    for word in words {
        let mut rest = *word;
        while !rest.is_empty() {
            let name = rest.find(is_of_it).unwrap_or(rest.len());
            if name > 0 {
                reader.last_name = Some(reader.english.len());
                reader.english.push(&rest[..name]);
                rest = &rest[name..];
                continue;
            }
            if let Some((length, meant)) = longest(own, rest) {
                reader.says(meant);
                rest = &rest[length..];
                continue;
            }
            // What no list has, up to what one has.
            let ends = |at: &usize| {
                let behind = &rest[*at..];
                longest(own, behind).is_some_and(|(length, _)| behind[..length].chars().count() > 1)
                    || !behind.starts_with(is_of_it)
            };
            let end = rest.char_indices().map(|(at, _)| at).skip(1).find(ends).unwrap_or(rest.len());
            reader.english.push(&rest[..end]);
            rest = &rest[end..];
        }
    }
    reader.english
}

/// The longest word of a language that a text begins with, in bytes, and what it means; else that of another such language.
fn longest(own: Words, text: &str) -> Option<(usize, &'static str)> {
    let of = |language: &Words| {
        let begins = language.iter().filter(|(foreign, _)| text.starts_with(foreign));
        begins.max_by_key(|(foreign, _)| foreign.len()).map(|(foreign, meant)| (foreign.len(), *meant))
    };
    let of_others = || LANGUAGES.iter().filter_map(of).max_by_key(|(length, _)| *length);
    of(&own).into_iter().chain(of_others()).max_by_key(|(length, _)| *length)
}

/// English words as they come.
struct Reader<'w> {
    english: Vec<&'w str>,
    /// Where the last name is.
    last_name: Option<usize>,
    /// Where a `than` is that no comparative stands in front of yet.
    than: Option<usize>,
}

impl Reader<'_> {
    fn says(&mut self, meant: &'static str) {
        if let Some(in_front) = meant.strip_prefix(BEHIND_NAMES) {
            let at = self.last_name.unwrap_or(self.english.len());
            // `和GPU相比`
            let joined = at.checked_sub(1).filter(|before| self.english[*before] == "and" && in_front == "vs");
            match joined {
                Some(before) => self.english[before] = in_front,
                None => {
                    let in_front: Vec<&'static str> = in_front.split(' ').collect();
                    self.than = (in_front == [THAN]).then_some(at).or(self.than);
                    self.english.splice(at..at, in_front);
                }
            }
            return;
        }
        if COMPARATIVES.contains(&meant)
            && let Some(at) = self.than.take()
        {
            self.english.insert(at, meant);
            return;
        }
        if meant == THAN {
            self.than = Some(self.english.len());
        }
        self.english.extend(meant.split(' ').filter(|word| !word.is_empty()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_out_and_the_words_between_them_are_read() {
        for (question, expected) in [
            ("FPGA的功耗效率评级是什么？和GPU相比呢", "FPGA energy efficiency grade what vs GPU"),
            ("V100和A100哪个训练ResNet-50更快？", "V100 and A100 which training ResNet-50 faster"),
            ("V100比A100快多少", "V100 faster than A100 how much"),
            ("V100 と A100 ではどちらが速いですか", "V100 and A100 which faster"),
            ("V100より速いGPU", "faster than V100 GPU"),
            ("NVIDIA以外のGPU", "except NVIDIA GPU"),
            ("RTX 3090 显存多大", "RTX 3090 memory how large"),
            ("A100에서 BERT 학습 속도", "A100 on BERT training speed"),
            ("H100の消費電力", "H100 power consumption"),
            ("最快的GPU训练ResNet-50", "fastest GPU training ResNet-50"),
            // What no list has stays, to be told.
            ("V100の蕎麦", "V100 蕎麦"),
        ] {
            let words: Vec<&str> = question.split_whitespace().collect();
            assert!(is_written_so(&words), "{question}");
            assert_eq!(in_english(&words).join(" "), expected, "{question}");
        }
        assert!(!is_written_so(&["welche", "Größe", "какая"]));
    }
}
