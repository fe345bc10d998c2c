//! What a question takes back of itself: `H100 PCIe… no wait, H100 SXM`. What is withdrawn constrains nothing, which is told, and what
//! is said in its place stands where it stood.

use super::error::QueryError;
use super::vocabulary::{Meaning, meaning_of};
use crate::model::{Facet, Lookup as _};
use crate::stores::Stores;
use crate::values::spelling::normalise;

/// Words that take back what stands in front of them, wherever they stand.
const CORRECTING: &[&str] = &[
    "no wait",
    "wait no",
    "oh wait",
    "no sorry",
    "sorry no",
    "no actually",
    "actually no",
    "no i mean",
    "no i meant",
    "sorry i mean",
    "sorry i meant",
    "scratch that",
    "strike that",
    "or rather",
    "err no",
    "uh no",
];

/// Those that do so only behind a pause: `V100, sorry, A100`.
const BEHIND_A_PAUSE: &[&str] =
    &["sorry", "wait", "i mean", "i meant", "i mean the", "make that", "correction", "nope", "rather"];

/// Words behind which a question begins anew.
const BEGINNING_ANEW: &[&str] = &[
    "or simply",
    "simply put",
    "forget that",
    "forget it",
    "never mind",
    "nevermind",
    "let me rephrase",
    "to rephrase",
];

/// The longest of them has so many words.
const LONGEST: usize = 3;

/// Words in front of what takes the place of what was withdrawn.
const LEADING: &[&str] =
    &["the", "a", "an", "on", "for", "with", "in", "at", "it's", "its", "rather", "actually", "wait", "no", "sorry"];

/// Words that begin a remark: why something was withdrawn.
const REMARKING: &[&str] = &["they", "that", "it", "he", "she", "we", "i", "there", "that's", "they're", "it's"];

/// So many corrections of one question are followed.
const MOST: usize = 4;

/// Longer questions are read as they stand.
const MOST_WORDS: usize = 120;

/// A name has at most this many words.
const LONGEST_NAME: usize = 5;

/// A sentence that begins again did so at most this many words before.
const MOST_RESTARTED: usize = 10;

/// A question without what it takes back.
pub(super) struct Corrected {
    /// What is asked.
    pub question: String,
    /// The words that were withdrawn, each time.
    pub withdrawn: Vec<String>,
}

/// The question without what it takes back; `None` where it takes nothing back.
pub(super) fn corrected(question: &str, stores: &Stores) -> Result<Option<Corrected>, QueryError> {
    let mut words: Vec<&str> = question.split_whitespace().collect();
    // Quoted words and groups stand as they are.
    if words.len() > MOST_WORDS || question.contains(['"', '|']) {
        return Ok(None);
    }
    let mut withdrawn = Vec::new();
    while withdrawn.len() < MOST
        && let Some((rest, text)) = once(&words, stores)?
    {
        words = rest;
        withdrawn.push(text);
    }
    Ok((!withdrawn.is_empty()).then(|| Corrected { question: words.join(" "), withdrawn }))
}

/// The words without the first that are taken back, and these.
fn once<'q>(words: &[&'q str], stores: &Stores) -> Result<Option<(Vec<&'q str>, String)>, QueryError> {
    for at in 1..words.len() {
        let Some((mut taken, said)) = correction(words, at) else { continue };
        // `wait, I meant`
        while let Some((further, _)) = correction(words, at + taken) {
            taken += further;
        }
        let (before, behind) = (&words[..at], &words[at + taken..]);
        if behind.is_empty() {
            return Ok(None);
        }
        if said == Said::Anew {
            // `or simply put it on fp16` says nothing else.
            let names_any = (0..behind.len()).map(|at| name_at(&behind[at..], stores));
            let names_any = names_any.collect::<Result<Vec<_>, _>>()?.iter().any(Option::is_some);
            return Ok(names_any.then(|| (behind.to_vec(), bare(before))));
        }
        if let Some(from) = restarted(before, behind) {
            return Ok(Some(([&before[..from], behind].concat(), bare(&before[from..]))));
        }
        let leading =
            behind.iter().take_while(|word| LEADING.contains(&bare(&[**word]).to_lowercase().as_str())).count();
        let place = &behind[leading..];
        if let Some((length, facets)) = name_at(place, stores)? {
            if let Some((from, to)) = last_of(before, &facets, stores)? {
                let rest = [&before[..from], &place[..length], &before[to..], &place[length..]].concat();
                return Ok(Some((rest, bare(&before[from..to]))));
            }
        } else if let Some((from, length)) = alike(before, place) {
            let rest = [&before[..from], &place[..length], &before[from + length..], &place[length..]].concat();
            return Ok(Some((rest, bare(&before[from..from + length]))));
        }
        // `I mean` explains as often as it corrects.
        if said == Said::Pause {
            continue;
        }
        // Nothing stands in its place: what was said last is withdrawn, and the remark with it.
        let Some((from, to)) = last_name(before, stores)?.filter(|(_, to)| *to == before.len()) else {
            return Ok(None);
        };
        let rest = [&before[..from], behind_remark(behind)].concat();
        return Ok((!rest.is_empty()).then(|| (rest, bare(&before[from..to]))));
    }
    Ok(None)
}

/// By what something is taken back.
#[derive(PartialEq)]
enum Said {
    /// By words that do nothing else.
    Correction,
    /// By words that do so behind a pause.
    Pause,
    /// By words behind which the question begins anew.
    Anew,
}

/// How many words at a place take something back, and how.
fn correction(words: &[&str], at: usize) -> Option<(usize, Said)> {
    let pauses = words.get(at - 1)?.ends_with([',', '.', ';', '?', '!', '…', '-', '–', '—']);
    (1..=LONGEST.min(words.len().saturating_sub(at))).rev().find_map(|length| {
        let phrase = bare(&words[at..at + length]).to_lowercase();
        let is_among = |phrases: &[&str]| phrases.contains(&phrase.as_str());
        match () {
            () if is_among(CORRECTING) => Some((length, Said::Correction)),
            () if pauses && is_among(BEHIND_A_PAUSE) => Some((length, Said::Pause)),
            () if is_among(BEGINNING_ANEW) => Some((length, Said::Anew)),
            () => None,
        }
    })
}

/// Where the last words stand that are of the form of those which a place begins with, and how many of them: a number, a word with
/// one behind it (`batch 16`), or a term with a figure (`GDDR7`).
fn alike(before: &[&str], place: &[&str]) -> Option<(usize, usize)> {
    let first = place.first()?;
    if is_number(first) {
        return before.iter().rposition(|word| is_number(word)).map(|from| (from, 1));
    }
    if let [_, number, ..] = place
        && is_number(number)
    {
        let same = |pair: &[&str]| bare(&pair[..1]).eq_ignore_ascii_case(&bare(&place[..1])) && is_number(pair[1]);
        return before.windows(2).rposition(same).map(|from| (from, 2));
    }
    let is_term = |word: &str| word.contains(|c: char| c.is_ascii_digit()) && word.contains(char::is_alphabetic);
    is_term(first).then(|| before.iter().rposition(|word| is_term(word)))?.map(|from| (from, 1))
}

/// Where a sentence began that goes on anew in the same words: `when did cuDNN… no, sorry, when did TensorRT`.
fn restarted(before: &[&str], behind: &[&str]) -> Option<usize> {
    let plain = |words: &[&str]| bare(words).to_lowercase();
    let opening = plain(behind.get(..2)?);
    let from = before.windows(2).rposition(|pair| plain(pair) == opening)?;
    (before.len() - from <= MOST_RESTARTED).then_some(from)
}

/// The name that words begin with: how many of them, and what it may be of.
fn name_at(words: &[&str], stores: &Stores) -> Result<Option<(usize, Vec<Facet>)>, QueryError> {
    for length in (1..=words.len().min(LONGEST_NAME)).rev() {
        // A comma ends a name.
        if words[..length - 1].iter().any(|word| word.ends_with([',', ';', '?', '…'])) {
            continue;
        }
        let facets = facets_of(&words[..length], stores)?;
        if !facets.is_empty() {
            return Ok(Some((length, facets)));
        }
    }
    Ok(None)
}

/// What words may be a name of, a word of the vocabulary such as `training` as well.
fn facets_of(words: &[&str], stores: &Stores) -> Result<Vec<Facet>, QueryError> {
    let text = bare(words);
    if let Some(Meaning::Names(facet, _) | Meaning::NamesAny(facet, _)) = meaning_of(&[&text]) {
        return Ok(vec![facet]);
    }
    if meaning_of(&[&text]).is_some() || text.len() < 2 {
        return Ok(Vec::new());
    }
    let mut facets: Vec<Facet> = stores.database.exact(&normalise(&text))?.into_iter().map(|name| name.facet).collect();
    facets.dedup();
    // L4 is a device, and also what somebody calls a layer.
    if facets.contains(&Facet::Device) {
        facets = vec![Facet::Device];
    }
    Ok(facets)
}

/// Where the last name stands that is of one of these facets.
fn last_of(words: &[&str], facets: &[Facet], stores: &Stores) -> Result<Option<(usize, usize)>, QueryError> {
    for to in (1..=words.len()).rev() {
        for from in to.saturating_sub(LONGEST_NAME)..to {
            if let Some((length, of)) = name_at(&words[from..to], stores)?
                && from + length == to
                && of.iter().any(|facet| facets.contains(facet))
            {
                return Ok(Some((from, to)));
            }
        }
    }
    Ok(None)
}

/// Where the last name of any kind stands.
fn last_name(words: &[&str], stores: &Stores) -> Result<Option<(usize, usize)>, QueryError> {
    for to in (1..=words.len()).rev() {
        for from in to.saturating_sub(LONGEST_NAME)..to {
            if name_at(&words[from..to], stores)?.is_some_and(|(length, _)| from + length == to) {
                return Ok(Some((from, to)));
            }
        }
    }
    Ok(None)
}

/// What stands behind a remark, or all where there is none: the `dgx a100` of `they never did that i think... dgx a100`.
fn behind_remark<'a, 'q>(words: &'a [&'q str]) -> &'a [&'q str] {
    if !words.first().is_some_and(|first| REMARKING.contains(&bare(&[*first]).to_lowercase().as_str())) {
        return words;
    }
    let end = words.iter().position(|word| word.ends_with(['.', ',', ';', '…', '!', '?']));
    end.map_or(words, |end| &words[end + 1..])
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// Words without the signs of a sentence around each.
fn bare(words: &[&str]) -> String {
    let signs: &[char] = &['?', '!', ',', ';', '.', ':', '…', '\'', '*', '(', ')', '-', '–', '—'];
    words.iter().map(|word| word.trim_matches(signs)).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::sample::Sample;

    #[test]
    fn what_is_withdrawn_is_out_and_what_replaces_it_stands_in_its_place() {
        let sample = Sample::of(&[]);
        for (question, asked, withdrawn) in [
            ("deepnet-50 latency on nova… no wait, core, at batch 8", "deepnet-50 latency on core, at batch 8", "nova"),
            ("nova deepnet-50, sorry, core", "core deepnet-50,", "nova"),
            ("deepnet-50 training, i mean inference, on nova", "deepnet-50 inference, on nova", "training"),
            ("nova batch 32 no wait 64 deepnet-50", "nova batch 64 deepnet-50", "32"),
            ("when did nova... no, sorry, when did core come out", "when did core come out", "when did nova"),
            ("nova batch 1... make that batch 16, deepnet-50", "nova batch 16, deepnet-50", "batch 1"),
            ("cards with HBM3, no sorry, GDDR7", "cards with GDDR7", "HBM3"),
            ("nova - wait, I meant core - for deepnet-50", "core - for deepnet-50", "nova"),
            (
                "is nova quick at deepnet-50? or simply: latency of core",
                "latency of core",
                "is nova quick at deepnet-50",
            ),
            (
                "deepnet-50 latency, core? no wait, they never ran it... nova then",
                "deepnet-50 latency, nova then",
                "core",
            ),
        ] {
            let corrected = corrected(question, &sample.stores).unwrap().unwrap_or_else(|| panic!("{question}"));
            assert_eq!((corrected.question.as_str(), corrected.withdrawn.join("|").as_str()), (asked, withdrawn));
        }
        for question in [
            "nova or core for deepnet-50",
            "no wait",
            "is there no waiting time on nova",
            "what i mean is nova",
            "deepnet-50 on nova, I mean the best one",
        ] {
            assert!(corrected(question, &sample.stores).unwrap().is_none(), "{question}");
        }
    }
}
