//! The nouns of a question: what can be ranked or listed, and what is asked for by `which` or `list`.

use super::hints::{Hints, Noun};
use super::vocabulary::{COUNTS, plain};
use crate::model::{Aspect, Fact, Field};

/// A noun may stand so many words behind the `which` that asks for it: `which other nvidia data center gpus`.
const WORDS_TO_NOUN: usize = 5;

/// Words that ask for what is named next.
const ASKING: &[&str] = &["which", "what", "list", "all", "show", "whose", "every", "each"];

/// Those of them behind which one stands for all: `every Turing card`.
const EACH: &[&str] = &["every", "each"];

/// Words behind a plural at the beginning that say of what it is asked for: `networks measured on both`.
const RELATIVE: &[&str] = &[
    "with",
    "without",
    "but",
    "that",
    "which",
    "who",
    "having",
    "measured",
    "tested",
    "benchmarked",
    "except",
    "excluding",
    "other",
    "not",
    "supporting",
    "from",
    "made",
    "under",
    "on",
    "run",
    "running",
    "ran",
    "smaller",
    "larger",
    "bigger",
    "below",
    "above",
    "older",
    "newer",
    "released",
    "published",
    "since",
    "before",
    "after",
    "nobody",
    "trained",
    "comparing",
    "about",
    "in",
    "you",
    "known",
    "whose",
];

/// Words behind which nothing is asked for any more: `which is better`, `what does`.
const ENDING: &[&str] = &["is", "does", "do", "would", "should", "can", "vs"];

/// Nouns, in the singular, and what rows call them; those that are true stand for classes of hardware as well.
const NOUNS: &[(&[&str], Aspect, bool)] = &[
    (
        &[
            "gpu",
            "card",
            "device",
            "accelerator",
            "board",
            "cpu",
            "processor",
            "fpga",
            "phone",
            "tpu",
            "soc",
            "laptop",
            "microcontroller",
            "mcu",
        ],
        Aspect::Field(Field::Device),
        false,
    ),
    (&["hardware", "chip", "class", "asic"], Aspect::Field(Field::Device), true),
    (
        &["framework", "library", "librarie", "engine", "runtime", "inference engine", "toolkit"],
        Aspect::Field(Field::Framework),
        false,
    ),
    (&["network", "model", "net", "neural net"], Aspect::Field(Field::Network), false),
    (
        &["instance", "instance type", "machine type", "vm", "vm type", "vm size", "provider", "cloud provider"],
        Aspect::Field(Field::Instance),
        false,
    ),
    (&["dataset", "data set"], Aspect::Field(Field::Dataset), false),
    (&["precision", "number format", "numeric format"], Aspect::Field(Field::Precision), false),
    (&["version"], Aspect::Field(Field::FrameworkVersion), false),
    (&["batch size", "batchsize"], Aspect::Field(Field::BatchSize), false),
    (&["stage"], Aspect::Field(Field::Stage), false),
    (&["scenario"], Aspect::Field(Field::Scenario), false),
    (&["task"], Aspect::Fact(Fact::Task), false),
    (&["vendor", "manufacturer"], Aspect::Fact(Fact::Vendor), false),
    (&["source", "result", "benchmark", "submission", "entrie", "entry", "round", "edition"], Aspect::Source, true),
];

/// Nouns for sources, of those that also stand for their numbers.
const ROUNDS: &[&str] = &["round", "rounds", "source", "sources", "edition", "editions"];

/// Nouns for sources that only in the plural are no part of another name: `paper year`.
const WRITINGS: &[&str] = &["papers", "studies", "articles", "publications", "reports", "preprints", "blogs"];

/// Nouns for whole systems, of however many devices, and words in front of them that make something else of them.
const SYSTEMS: &[&str] = &[
    "system",
    "systems",
    "submission",
    "submissions",
    "submitter",
    "submitters",
    "cluster",
    "clusters",
    "supercomputer",
    "supercomputers",
    "pod",
    "pods",
];
const OF_SYSTEMS: &[&str] = &["recommender", "recommendation", "embedded", "operating", "edge"];

/// Nouns for devices of which a plain processor is none.
const ACCELERATORS: &[&str] = &["accelerator", "accelerators", "card", "cards"];

impl Hints {
    /// Records the kinds of entities that the nouns among words speak of.
    pub fn note_kinds(&mut self, words: &[&str]) {
        for at in 0..words.len() {
            let first = plain(words[at]);
            // `recommender systems`, `embedded systems` are others.
            let is_of_kind =
                at.checked_sub(1).is_some_and(|before| OF_SYSTEMS.contains(&plain(words[before]).as_str()));
            self.systems |= SYSTEMS.contains(&first.as_str()) && !is_of_kind;
            let two = words.get(at + 1).map(|second| format!("{first} {}", plain(second)));
            let Some((aspect, ..)) = two.and_then(|two| noun(&two)).or_else(|| noun(&first)) else { continue };
            let kind = match aspect {
                Aspect::Field(field) => field.entity_kind(),
                _ => None,
            };
            self.kinds.extend(kind.filter(|kind| !self.kinds.contains(kind)));
            let is_counted = at.checked_sub(1).is_some_and(|before| counts(words[before]));
            self.accelerators |= ACCELERATORS.contains(&first.as_str()) && !is_counted;
        }
    }

    /// Records what words say can be listed or ranked, and whether it is what the question asks for.
    pub fn note_noun(&mut self, words: &[&str], begins: bool) {
        let Some(first) = words.first().map(|word| plain(word)) else { return };
        if ASKING.contains(&first.as_str()) {
            self.words_to_noun = WORDS_TO_NOUN;
            self.asks_each = EACH.contains(&first.as_str());
            return;
        }
        if ENDING.contains(&first.as_str()) {
            self.words_to_noun = 0;
        }
        self.rounds |= ROUNDS.contains(&first.as_str());
        let two = words.get(1).map(|second| format!("{first} {}", plain(second))).and_then(|two| noun(&two));
        let behind = 1 + usize::from(two.is_some());
        let Some((aspect, vague, plural)) = two.or_else(|| noun(&first)) else {
            self.words_to_noun = self.words_to_noun.saturating_sub(1);
            return;
        };
        // `lowest latency at batch size 1` names a value, and ranks none.
        let states_value = matches!(aspect, Aspect::Field(Field::BatchSize))
            && words
                .iter()
                .skip(1)
                .find(|next| !matches!(plain(next).as_str(), "size" | "of" | "="))
                .is_some_and(|next| plain(next).parse::<u32>().is_ok());
        if states_value {
            return;
        }
        // `fpga boards` are boards.
        let goes_on = !plural && words.get(behind).is_some_and(|next| noun(&plain(next)).is_some());
        let asked = !goes_on && std::mem::take(&mut self.words_to_noun) > 0;
        let plural = plural || asked && std::mem::take(&mut self.asks_each);
        // `fpga boards` begins with the boards, `gpu instances` with the instances.
        let is_first = self.nouns.iter().all(|noun| !noun.plural && !noun.asked);
        if plural && is_first {
            // `gpus or cpus that ran GNMT`
            let joins = words.get(behind).is_some_and(|next| matches!(plain(next).as_str(), "or" | "and"))
                && words.get(behind + 1).is_some_and(|other| is_noun(&plain(other)));
            self.note_leading(aspect, begins, words.get(if joins { behind + 2 } else { behind }).copied());
        }
        self.nouns.push(Noun { aspect, plural, vague, asked });
    }

    /// Records a plural with which the question begins, where the next word says of what it is asked for.
    pub fn note_leading(&mut self, aspect: Aspect, begins: bool, next: Option<&str>) {
        // `accelerators by Graphcore or SambaNova`
        let is_by_maker = |next: &str| aspect == Aspect::Field(Field::Device) && matches!(next, "by" | "of");
        let goes_on = |next: &str| RELATIVE.contains(&next) || is_by_maker(next);
        if begins && next.is_some_and(|next| goes_on(&plain(next))) {
            self.leading = Some(aspect);
        }
    }

    /// Records that a word for a class of devices can be ranked or listed.
    pub fn note_device(&mut self, plural: bool) {
        let asked = std::mem::take(&mut self.words_to_noun) > 0;
        self.nouns.push(Noun { aspect: Aspect::Field(Field::Device), plural, vague: false, asked });
    }

    /// Records that what a superlative stands in front of can be ranked.
    pub fn note_ranked(&mut self, aspect: Aspect) {
        self.nouns.push(Noun { aspect, plural: false, vague: false, asked: false });
    }

    /// Records that the generations of a family are asked for, which are its devices: `TPU generations in your database`. Those
    /// over which something changes are none that are listed.
    pub fn note_generations(&mut self, before: Option<&str>, words: &[&str]) -> bool {
        const CHANGING: &[&str] = &[
            "over", "across", "between", "through", "by", "per", "from", "two", "three", "newer", "later", "older",
            "many",
        ];
        let is_it = words.first().is_some_and(|word| matches!(plain(word).as_str(), "generations" | "gens"));
        let changes =
            before.is_some_and(|before| CHANGING.contains(&plain(before).as_str())) || self.tells_change || self.ranks;
        if !is_it || changes {
            return false;
        }
        self.words_to_noun = 0;
        self.nouns.push(Noun { aspect: Aspect::Field(Field::Device), plural: true, vague: false, asked: true });
        true
    }

    /// Records that a plural of several words is what a `which` or `list` asks for.
    pub fn note_asked(&mut self, aspect: Aspect) {
        if std::mem::take(&mut self.words_to_noun) > 0 {
            self.nouns.push(Noun { aspect, plural: true, vague: false, asked: true });
        }
    }

    /// The plural that a `which` or `list` asks for: all that is found is to be listed.
    pub fn listed(&self) -> Option<Aspect> {
        let noun = self.nouns.iter().find(|noun| noun.asked)?;
        noun.plural.then_some(noun.aspect)
    }
}

/// What is asked for beside another plural: the devices of `networks and devices measured in fp8`; what is listed, and the other noun.
pub(super) fn joined_nouns(words: &[String]) -> Vec<(Aspect, Aspect, String)> {
    let plural = |word: &String| noun(word).filter(|(_, vague, plural)| *plural && !*vague).map(|(aspect, ..)| aspect);
    let joins = |word: &String| matches!(word.as_str(), "and" | "&");
    let both = |three: &[String]| -> Option<[(Aspect, Aspect, String); 2]> {
        let (one, other) = (plural(&three[0])?, plural(&three[2])?);
        (joins(&three[1]) && one != other).then(|| [(one, other, three[2].clone()), (other, one, three[0].clone())])
    };
    words.windows(3).filter_map(both).flatten().collect()
}

/// Whether a word counts what is named next: `max 64 accelerators` are devices of any kind.
fn counts(word: &str) -> bool {
    let word = plain(word);
    let in_words = || COUNTS.iter().any(|(name, _)| *name == word);
    word.parse::<f64>().is_ok() || in_words() || matches!(word.as_str(), "multi" | "multiple" | "several" | "per")
}

/// Whether a word says what can be ranked or listed.
pub(super) fn is_noun(word: &str) -> bool {
    noun(word).is_some()
}

/// Whether a word stands for whole systems of several devices: `pods`.
pub(super) fn is_noun_of_systems(word: &str) -> bool {
    SYSTEMS.contains(&word)
}

/// Whether a word says that devices can be ranked or listed.
pub(super) fn is_noun_of_devices(word: &str) -> bool {
    noun(word).is_some_and(|(aspect, ..)| aspect == Aspect::Field(Field::Device))
}

/// The entities or sources that a plural stands for: `networks`, `devices`, `rounds`.
pub(super) fn entities_called(word: &str) -> Option<Aspect> {
    let (aspect, _, plural) = noun(word)?;
    let is_of_entities =
        aspect == Aspect::Source || matches!(aspect, Aspect::Field(field) if field.entity_kind().is_some());
    (plural && is_of_entities).then_some(aspect)
}

/// What a noun stands for, whether also for classes of hardware, and whether it is a plural.
fn noun(word: &str) -> Option<(Aspect, bool, bool)> {
    if WRITINGS.contains(&word) {
        return Some((Aspect::Source, true, true));
    }
    let find = |singular: &str| NOUNS.iter().find(|(nouns, ..)| nouns.contains(&singular));
    if let Some((_, aspect, vague)) = find(word) {
        return Some((*aspect, *vague, false));
    }
    let singular = word.strip_suffix("es").filter(|_| word.ends_with("sses")).or_else(|| word.strip_suffix('s'))?;
    find(singular).map(|(_, aspect, vague)| (*aspect, *vague, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noun_behind_which_is_asked_for() {
        for (question, listed) in [
            ("which networks were tested", Some("network")),
            ("list all fpga boards you know", Some("device")),
            ("what precisions were measured on gpus", Some("precision")),
            ("which batch sizes", Some("batch-size")),
            ("which framework is fastest", None),
            ("what is better for gpus", None),
            ("gpus", None),
        ] {
            let mut hints = Hints::default();
            let words: Vec<&str> = question.split(' ').collect();
            for at in 0..words.len() {
                hints.note_noun(&words[at..], false);
            }
            assert_eq!(hints.listed().map(Aspect::key), listed, "{question}");
        }
    }
}
