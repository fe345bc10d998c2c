//! The commonest words of other languages around names and numbers, which are the same in all of them: `Geräte unter 15 W`,
//! `la plus rapide`. Each language is a list of its words.

mod before_numbers;
mod chinese;
mod french;
mod german;
mod italian;
mod japanese;
mod korean;
mod portuguese;
mod russian;
mod spanish;
mod telling;
mod unspaced;
mod words;

use before_numbers::{BEFORE_NUMBERS, IN_FRONT_OF_YEARS};
use telling::{ALSO_ENGLISH, TELLING_ALONE};
use words::Words;

use crate::stores::resolve::is_english;

/// A question is taken for one of another language from so many of its words on: `mit` and `die` are names, too.
const LEAST_WORDS: usize = 2;

/// More words than this stand for none together.
const LONGEST: usize = 5;

const LANGUAGES: &[Words] =
    &[german::WORDS, french::WORDS, spanish::WORDS, portuguese::WORDS, italian::WORDS, russian::WORDS];

/// What is left of an article or a preposition in front of a vowel: `l'architecture`.
const ELIDED: &[&str] = &["l'", "d'", "qu'", "n'", "s'", "c'", "dell'", "dall'", "un'"];

/// Pronouns behind a verb that asks, in French: the `-t-elle` of `donne-t-elle`.
const PRONOUNS: &[&str] = &["-t-il", "-t-elle", "-t-on", "-t-ils", "-t-elles", "-il", "-elle", "-on", "-ils", "-elles"];

/// Shorter words without their accents are those of other languages as often as not.
const LEAST_WITHOUT_ACCENTS: usize = 5;

/// The English words of a question in another language, and `None` of one in English. What no list has stays as it is.
pub(in crate::ask::question) fn in_english<'w>(words: &[&'w str]) -> Option<Vec<&'w str>> {
    if unspaced::is_written_so(words) {
        return Some(unspaced::in_english(words));
    }
    let (words, plain) = parts_of(words);
    let language = language_of(&plain)?;
    let split = german::half_of_verb(&plain);
    let mut english: Vec<&'w str> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if let Some((length, meant)) = in_front_of_year(&plain[at..]) {
            english.push(meant);
            at += length;
            continue;
        }
        if split == Some(at) {
            at += 1;
            continue;
        }
        let is_number = plain.get(at + 1).is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
        let of_number = BEFORE_NUMBERS.iter().find(|(foreign, _)| is_number && *foreign == plain[at]);
        // `weder … noch`; alone it says that something goes on.
        let goes_on = (plain[at] == "noch" && !plain.iter().any(|word| word == "weder")).then_some("still");
        if let Some(meant) = of_number.map(|(_, meant)| *meant).or(goes_on) {
            english.push(meant);
            at += 1;
            continue;
        }
        let longest = (1..=LONGEST.min(words.len() - at)).rev();
        let found =
            longest.into_iter().find_map(|length| Some((length, translated(language, &plain[at..at + length])?)));
        // `MIT-Lizenz`: in capitals it is a name, where not all of the question is in them.
        let is_name = at > 0 && is_acronym(words[at]) && !words.iter().all(|word| *word == word.to_uppercase());
        match found.filter(|(length, _)| !is_name || *length > 1) {
            Some((length, meant)) => {
                english.extend(meant.split(' ').filter(|word| !word.is_empty()));
                at += length;
            }
            None => {
                english.push(words[at]);
                at += 1;
            }
        }
    }
    Some(english)
}

/// The English word for the words in front of a year, and how many these are.
fn in_front_of_year(words: &[String]) -> Option<(usize, &'static str)> {
    let is_year = |word: &String| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    IN_FRONT_OF_YEARS.iter().find_map(|(foreign, meant)| {
        let length = foreign.split(' ').count();
        let begins = words.len() > length && foreign.split(' ').eq(words[..length].iter().map(String::as_str));
        (begins && is_year(&words[length])).then_some((length, *meant))
    })
}

/// The words and their plain forms: what is elided stands apart from its word, and so does the last part of a compound that a list
/// has: the `Inferenz` of `ResNet-50-Inferenz`.
fn parts_of<'w>(words: &[&'w str]) -> (Vec<&'w str>, Vec<String>) {
    let (mut parts, mut plain): (Vec<&'w str>, Vec<String>) = (Vec::new(), Vec::new());
    for &word in words {
        let whole = super::plain(word).trim_start_matches(['¿', '¡']).replace('’', "'");
        let elided = ELIDED.iter().find(|elided| {
            let rest = whole.strip_prefix(**elided);
            rest.is_some_and(|rest| rest.chars().count() > 1 && rest.starts_with(char::is_alphabetic))
        });
        let rest = word.find(['\'', '’']).and_then(|at| word.get(at + word[at..].chars().next()?.len_utf8()..));
        let (word, whole) = match (elided, rest) {
            (Some(elided), Some(rest)) => {
                parts.push(&word[..word.len() - rest.len()]);
                plain.push((*elided).to_owned());
                (rest, whole[elided.len()..].to_owned())
            }
            _ => (word, whole),
        };
        let verb = PRONOUNS.iter().find_map(|pronoun| whole.strip_suffix(pronoun)).filter(|_| !is_listed(&whole));
        let (word, whole) = match verb.filter(|verb| is_listed(verb)) {
            Some(verb) => (word.get(..verb.len()).unwrap_or(word), verb.to_owned()),
            None => (word, whole),
        };
        let last = word.rfind('-').filter(|at| *at > 0 && german::is_compound(&super::plain(&word[at + 1..])));
        match last.filter(|_| !is_listed(&whole)) {
            Some(at) => {
                let (front, behind) = (&word[..at], &word[at + 1..]);
                plain.extend([super::plain(front), super::plain(behind)]);
                parts.extend([front, behind]);
            }
            None => {
                parts.push(word);
                plain.push(whole);
            }
        }
    }
    (parts, plain)
}

/// Whether a word is written as the short form of a name is: `MIT`.
fn is_acronym(word: &str) -> bool {
    word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Whether some language has a word as a whole.
fn is_listed(word: &str) -> bool {
    LANGUAGES.iter().any(|language| language.iter().any(|(foreign, _)| *foreign == word))
}

fn translated(language: Words, words: &[String]) -> Option<&'static str> {
    let matches = |foreign: &str| foreign.split(' ').eq(words.iter().map(String::as_str));
    let alike = |foreign: &str| {
        let mut own = words.iter();
        let mut parts = foreign.split(' ');
        parts.all(|part| own.next().is_some_and(|word| word == part || is_without_accents(word, part)))
            && own.next().is_none()
    };
    let found = language.iter().find(|(foreign, _)| matches(foreign));
    let found = found.or_else(|| language.iter().find(|(foreign, _)| alike(foreign)));
    found.map(|(_, english)| *english)
}

/// Whether a word is another one as people write it whose keyboards have no accents: `developpe`, `reseau`. What is English so is
/// that.
fn is_without_accents(word: &str, accented: &str) -> bool {
    !accented.is_ascii()
        && word.is_ascii()
        && word.len() >= LEAST_WITHOUT_ACCENTS
        && accented.chars().flat_map(base_letters).copied().eq(word.bytes())
        && !is_english(word)
}

/// The letters that stand for one with an accent where there are none; of an umlaut the vowel and an e.
fn base_letters(letter: char) -> &'static [u8] {
    const ASCII: &[u8] = b"abcdefghijklmnopqrstuvwxyz'-0123456789";
    match letter {
        'à' | 'á' | 'â' | 'ã' => b"a",
        'ç' => b"c",
        'è' | 'é' | 'ê' | 'ë' => b"e",
        'ì' | 'í' | 'î' | 'ï' => b"i",
        'ñ' => b"n",
        'ò' | 'ó' | 'ô' | 'õ' => b"o",
        'ù' | 'ú' | 'û' => b"u",
        'ä' => b"ae",
        'ö' => b"oe",
        'ü' => b"ue",
        'ß' => b"ss",
        other => {
            let at = u8::try_from(other).ok().and_then(|byte| ASCII.iter().position(|ascii| *ascii == byte));
            at.map_or(b"?", |at| &ASCII[at..=at])
        }
    }
}

/// The language that most words are of, where at least one of them is of no other use.
fn language_of(words: &[String]) -> Option<Words> {
    let count = |language: &Words| {
        let is_of_it =
            |word: &&String| language.iter().any(|(foreign, _)| foreign == word || is_without_accents(word, foreign));
        let of_it: Vec<&String> = words.iter().filter(is_of_it).collect();
        let telling = of_it.iter().filter(|word| !ALSO_ENGLISH.contains(&word.as_str())).count();
        let is_told_alone = |word: &&String| TELLING_ALONE.contains(&word.as_str());
        // The unit of `ms pro bild` is one word of the language and another that is also a name.
        let has_unit = words.windows(2).any(|pair| pair[0] == "pro" && is_of_it(&&pair[1]));
        // No English word has Cyrillic letters.
        let has_own_letters =
            of_it.iter().any(|word| word.contains(|letter| ('\u{400}'..='\u{4ff}').contains(&letter)));
        let enough = of_it.len() >= LEAST_WORDS
            || has_own_letters
            || of_it.iter().copied().any(|word| is_told_alone(&word))
            || has_unit;
        (if enough { of_it.len() } else { 0 }, telling)
    };
    let scored = LANGUAGES.iter().map(|language| (count(language), *language));
    let ((all, telling), language) = scored.rev().max_by_key(|(count, _)| *count)?;
    (all > 0 && telling > 0).then_some(language)
}

#[cfg(test)]
mod tests {
    use super::in_english;

    #[test]
    fn the_commonest_words_of_other_languages_are_read() {
        let read = |question: &str| {
            let words: Vec<&str> = question.split(' ').collect();
            in_english(&words).map(|words| words.join(" "))
        };
        for (question, expected) in [
            (
                "edge Geräte unter 15 W mit mindestens 8 GB Speicher",
                "edge devices under 15 W with at least 8 GB memory",
            ),
            ("lohnt sich die A40 gegenüber der T4", "is A40 vs T4"),
            ("wie groß sind die Bilder von MNIST", "which input size of MNIST"),
            ("welche Karte ist am schnellsten bei einem Sprachmodell", "which card is fastest at language model"),
            // A product is called so.
            ("M1 Pro oder M1 Max mit mehr Speicher", "M1 Pro or M1 Max with more memory"),
            ("habana goya gegen t4", "habana goya vs t4"),
            ("ncs2 tiny yolo, ms pro Bild", "ncs2 tiny yolo, ms per image"),
            ("resnet50 oder vgg16", "resnet50 or vgg16"),
            ("la plus rapide carte pour bert", "fastest card for bert"),
            ("quanto tempo leva para treinar resnet50", "how long for training resnet50"),
            ("mejor tarjeta para entrenar bert", "best card for training bert"),
            ("¿Qué tarjeta da más tokens por segundo?", "which card gives most tokens per second"),
            ("liste des frameworks écrits en Rust", "list frameworks written in Rust"),
            ("alle Geräte, die nach 2022 erschienen sind", "all devices after 2022 released are"),
            ("in welchen Quellen kommen FPGAs vor", "in which sources FPGAs"),
            ("phrases par seconde pour GNMT sur V100", "sentences per second for GNMT on V100"),
            ("cartes sauf NVIDIA avant 2018", "cards except NVIDIA before 2018"),
            ("quale scheda è più veloce di V100", "which card is faster than V100"),
            ("Quelle est l'architecture de la Tesla M40", "what is architecture of Tesla M40"),
            ("combien coûte l’A100 aujourd'hui", "how much cost A100 today"),
            (
                "temps d'inférence de resnet50 sur V100 sans fp16 et sans batch 1",
                "inference time of resnet50 on V100 without fp16 and without batch 1",
            ),
            ("EPYC 7742 gegen Xeon 8280 bei ResNet-50-Inferenz", "EPYC 7742 vs Xeon 8280 at ResNet-50 inference"),
            ("Liste alle KI-Beschleuniger von Intel auf", "list all ai accelerators of Intel"),
            ("liste alle Netze auf der V100", "list all networks on V100"),
            ("Frameworks unter der MIT Lizenz", "Frameworks under MIT license"),
            ("Liste aller Frameworks unter MIT-Lizenz", "list all Frameworks under MIT license"),
            ("was kostet eine RTX 5090 aktuell", "what cost RTX 5090 currently"),
            ("Warum bekommen FPGAs nur ein low", "why get FPGAs only low"),
            ("Netze vor 2015", "networks before 2015"),
            ("wird MXNet noch gepflegt", "is MXNet still maintained"),
            ("weder Caffe noch Theano", "neither Caffe nor Theano"),
            ("pourquoi la GPU est moins efficace", "why GPU is less efficient"),
            ("Combien coûte une heure de MI300X dans le cloud", "how much cost per hour MI300X in cloud"),
            ("depuis quand Theano n'est plus developpe", "since when Theano is no longer developed"),
            ("Quelle note donne-t-elle aux ASIC pour la compatibilité", "which grade gives ASIC for compatibility"),
            ("Was bringt XLA bei TensorFlow eigentlich", "speedup of XLA at TensorFlow"),
            ("reseaux plus rapides que vgg16", "networks faster than vgg16"),
            ("cuánto cuesta una hora de A100", "how much cost per hour A100"),
        ] {
            assert_eq!(read(question).as_deref(), Some(expected), "{question}");
        }
        for english in [
            "M1 Pro batch 1",
            "frameworks under the MIT license",
            "la vs le",
            "how fast do models die",
            "red wine data de",
        ] {
            assert_eq!(read(english), None, "{english}");
        }
    }
}
