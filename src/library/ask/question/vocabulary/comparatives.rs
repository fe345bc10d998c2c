//! The words that compare one with another, in every inflection: `faster`, `outperforms`, `trails behind`, `beaten by`.

/// By what a comparative compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ask::question) enum Quality {
    /// How fast something is: less of a time, and more of a rate.
    Speed,
    /// How good it is.
    Worth,
    /// What it costs.
    Price,
    /// How much of something there is.
    Size,
    /// When it came out.
    Age,
}

/// A comparative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ask::question) struct Comparative {
    /// By what it compares.
    pub quality: Quality,
    /// Whether the first of two has more of it; of age the newer one.
    pub is_more: bool,
}

impl Comparative {
    /// Whether the first of two is the better one.
    pub fn is_better(self) -> bool {
        self.is_more != (self.quality == Quality::Price)
    }
}

/// Adjectives in the comparative, for more of what they are about and for less of it.
const ADJECTIVES: &[(Quality, &[&str], &[&str])] = &[
    (Quality::Speed, &["faster", "quicker", "speedier", "swifter", "snappier"], &["slower"]),
    (Quality::Worth, &["better", "stronger"], &["worse", "weaker"]),
    (Quality::Price, &["pricier", "dearer", "costlier"], &["cheaper"]),
    (
        Quality::Size,
        &["more", "bigger", "larger", "higher", "greater", "longer", "heavier"],
        &["less", "fewer", "smaller", "lower", "shorter", "lighter"],
    ),
    (Quality::Age, &["newer", "younger", "later"], &["older", "earlier"]),
];

/// Comparatives of two words.
const OF_TWO_WORDS: &[(&str, Comparative)] = &[
    ("more expensive", Comparative { quality: Quality::Price, is_more: true }),
    ("less expensive", Comparative { quality: Quality::Price, is_more: false }),
    ("more recent", Comparative { quality: Quality::Age, is_more: true }),
];

/// What sets the first of two in front of the second, by the forms of each verb and the words behind it.
const AHEAD: &[(&[&str], &[&str])] = &[
    (&["beat", "beats", "beating"], &[""]),
    (&["outperform", "outperforms", "outperforming", "outperformed"], &[""]),
    (&["outpace", "outpaces", "outpacing", "outpaced"], &[""]),
    (&["outclass", "outclasses", "outclassing", "outclassed"], &[""]),
    (&["outrun", "outruns", "outrunning", "outran"], &[""]),
    (&["surpass", "surpasses", "surpassing", "surpassed"], &[""]),
    (&["win", "wins", "winning", "won"], &["over", "against"]),
    (&["edge", "edges", "edging", "edged"], &["out"]),
    (&["ahead"], &["of"]),
    (&["superior"], &["to"]),
    (&["better"], &["than"]),
];

/// What sets it behind the second.
const BEHIND: &[(&[&str], &[&str])] = &[
    (&["trail", "trails", "trailing", "trailed"], &["", "behind"]),
    (&["lag", "lags", "lagging", "lagged"], &["behind"]),
    (&["fall", "falls", "falling", "fell"], &["behind"]),
    (&["lose", "loses", "losing", "lost"], &["to", "against"]),
    (&["beaten", "outperformed", "outpaced", "outclassed", "outrun", "surpassed"], &["by"]),
    (&["inferior"], &["to"]),
    (&["worse"], &["than"]),
];

/// Verbs that ask which of alternatives comes first.
const WINNING: &[&str] = &["wins", "win", "won", "leads", "winner", "beats", "ahead", "outperforms"];

/// The comparative that a word in lower case is.
pub(in crate::ask::question) fn comparative(word: &str) -> Option<Comparative> {
    ADJECTIVES.iter().find_map(|(quality, more, less)| {
        let is_more = more.contains(&word);
        (is_more || less.contains(&word)).then_some(Comparative { quality: *quality, is_more })
    })
}

/// The comparative that two words in lower case are.
pub(in crate::ask::question) fn comparative_of_two(phrase: &str) -> Option<Comparative> {
    OF_TWO_WORDS.iter().find(|(of, _)| *of == phrase).map(|(_, found)| *found)
}

/// Whether a verb in lower case asks which of alternatives comes first.
pub(in crate::ask::question) fn is_winning(word: &str) -> bool {
    WINNING.contains(&word)
}

/// Whether words in lower case say that the first of two is the worse one: `slower`, `trails behind`, `beaten by`.
pub(in crate::ask::question) fn sets_behind(text: &str) -> bool {
    phrases_of(BEHIND).any(|phrase| phrase == text)
        || comparative(text).is_some_and(|found| found.quality != Quality::Age && !found.is_better())
}

/// The phrases that set what is in front of them against what is behind them.
pub(super) fn links() -> impl Iterator<Item = String> {
    phrases_of(AHEAD).chain(phrases_of(BEHIND))
}

fn phrases_of(verbs: &'static [(&[&str], &[&str])]) -> impl Iterator<Item = String> {
    verbs.iter().flat_map(|(forms, behind)| {
        forms.iter().flat_map(|form| behind.iter().map(move |next| format!("{form} {next}").trim_end().to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparatives_are_known_in_every_inflection() {
        for (word, better) in [
            ("faster", Some(true)),
            ("quicker", Some(true)),
            ("cheaper", Some(true)),
            ("pricier", Some(false)),
            ("slower", Some(false)),
            ("higher", Some(true)),
            ("fewer", Some(false)),
            ("fast", None),
        ] {
            assert_eq!(comparative(word).map(Comparative::is_better), better, "{word}");
        }
        assert!(sets_behind("trails behind") && sets_behind("beaten by") && sets_behind("worse than"));
        assert!(comparative_of_two("less expensive").is_some_and(Comparative::is_better));
        assert!(!sets_behind("beats") && !sets_behind("older") && !sets_behind("cheaper"));
    }

    #[test]
    fn every_phrase_is_short_and_stands_once() {
        let mut all: Vec<String> = links().collect();
        assert!(all.iter().all(|phrase| phrase.split(' ').count() <= 3 && phrase.is_ascii()));
        all.sort_unstable();
        let long = all.len();
        all.dedup();
        assert_eq!(all.len(), long);
    }
}
