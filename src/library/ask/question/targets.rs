//! The accuracy that a training is to reach, and for how long it goes: `to 93% top5`, `94 % accuracy`, `90 epochs`.

use std::ops::Bound;

use super::clause::Clause;
use super::error::QueryError;
use super::facing::kind_of;
use super::interpreter::Interpreter;
use super::sentence::Sentence;
use super::vocabulary::plain;
use crate::model::{Facet, Field, Lookup as _, Metric};
use crate::stores::index::{Condition, DocumentKind};
use crate::values::EntityKind;
use crate::values::spelling::normalise;

/// Words in front of an accuracy that is to be reached.
const REACHING: &[&str] = &["to", "until", "till", "reach", "reaches", "reaching", "hit", "hits", "target", "achieve"];

/// Words behind an accuracy that say what it is of.
const OF_ACCURACY: &[&str] =
    &["accuracy", "acc", "top1", "top-1", "top5", "top-5", "validation", "test", "val", "target", "accurate"];

/// An accuracy in words.
#[derive(Debug, PartialEq)]
struct StatedAccuracy {
    /// 0 to 1.
    accuracy: f64,
    /// How many words say it.
    taken: usize,
    /// Whether it is to be reached.
    is_target: bool,
}

impl Interpreter<'_> {
    /// An accuracy: that which ends a training where any has this one for its target, else the least to be had. `reaches`
    /// tells whether the words in front say that it is to be reached.
    pub(super) fn accuracy(
        &mut self,
        words: &[&str],
        reaches: bool,
    ) -> Result<Option<(usize, Option<Clause>)>, QueryError> {
        let Some(stated) = stated_accuracy(words, reaches) else { return Ok(None) };
        let bound = Bound::Included(stated.accuracy);
        let text = words[..stated.taken].join(" ");
        let targets = self.within(Field::AccuracyTarget, (bound, bound))?;
        // `smallest network that reaches 75% top-1`: nothing is trained to it.
        let of_network = self.hints.speaks_of(EntityKind::Network) && !self.speaks_of_training();
        if !of_network && (stated.is_target || self.finds(&targets)?) {
            let key = Field::AccuracyTarget.key();
            let value = stated.accuracy.to_string();
            let filter = format!("{key}:{value}");
            return Ok(Some((stated.taken, Some(Clause::of(&text, key, vec![value], filter, targets)))));
        }
        let metric = Metric::Accuracy;
        let condition = Condition::Metric(metric, bound, Bound::Unbounded);
        let value = format!(">={}", stated.accuracy);
        let filter = format!("{}{value}", metric.key());
        Ok(Some((stated.taken, Some(Clause::of(&text, metric.key(), vec![value], filter, condition)))))
    }

    /// `bert 99.9`: the share of its reference's accuracy that a network keeps under the rules of a benchmark, where any of its rows
    /// states it. The number stands behind the name, or is a part of it as the benchmark spells it: `bert-99.9`.
    pub(super) fn relative_target(
        &self,
        words: &[&str],
        sentence: &Sentence<'_>,
    ) -> Result<Option<(usize, Clause)>, QueryError> {
        let Some(target) = words.first().and_then(|word| share_of_reference(word)) else { return Ok(None) };
        let taken = said_of_target(words);
        // In per cent it is no size or version, wherever it stands.
        let sign_apart = words.get(1) == Some(&"%");
        let in_percent = sign_apart || words[0].ends_with('%');
        let network = match sentence.names.last() {
            _ if taken > 1 + usize::from(sign_apart) || self.speaks_of_targets() => Condition::All(Vec::new()),
            Some(name) => {
                let names = self.stores.database.exact(&normalise(name))?;
                let ids = names.into_iter().filter(|one| one.facet == Facet::Network).map(|one| one.value);
                Condition::Facet(Facet::Network, ids.collect())
            }
            None => match sentence.read.iter().rfind(|read| kind_of(&read.clause) == Facet::Network.key()) {
                Some(read) if in_percent => read.clause.condition.clone(),
                Some(read) if self.stands_behind(words[0], &read.clause.text) => read.clause.condition.clone(),
                _ => return Ok(None),
            },
        };
        let field = Field::RelativeAccuracyTarget;
        let bound = Bound::Included(target);
        let condition = self.within(field, (bound, bound))?;
        let of_network = Condition::All(vec![network, condition.clone()]);
        if self.stores.index.count(DocumentKind::Measurement, &of_network)? == 0 {
            return Ok(None);
        }
        let (text, filter) = (words[..taken].join(" "), format!("{field}:{target}"));
        Ok(Some((taken, Clause::of(&text, field.key(), vec![target.to_string()], filter, condition))))
    }

    /// `how much slower is the 99.9 bert target compared with 99`: the number need not stand behind the network.
    fn speaks_of_targets(&self) -> bool {
        ["target", "targets"].iter().any(|word| self.all_words.contains(*word))
    }

    /// Whether a word of the question stands right behind a name.
    fn stands_behind(&self, word: &str, name: &str) -> bool {
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let last = name.split_whitespace().last().map(plain);
        words.windows(2).any(|pair| Some(&pair[0]) == last.as_ref() && pair[1] == plain(word))
    }

    /// `top-1 above 80%`: that of classifying images, where nothing says what is to be accurate.
    pub(super) fn of_top_accuracy(&mut self, clauses: &mut Vec<Clause>) -> Result<(), QueryError> {
        const TOP: &[&str] = &["top1", "top-1", "top5", "top-5"];
        let says_work = |clause: &Clause| matches!(kind_of(clause), "network" | "dataset" | "task" | "source");
        let Some(word) = TOP.iter().find(|word| self.all_words.contains(**word)) else { return Ok(()) };
        if !clauses.iter().any(says_work) {
            let task = vec!["image-classification".to_owned()];
            clauses.push(self.facet_clause(word, Facet::Task, task, "alias")?);
        }
        Ok(())
    }

    /// Whether it is asked how long or how well something trains.
    fn speaks_of_training(&self) -> bool {
        const OF_TRAINING: &[&str] = &[
            "train", "trains", "trained", "training", "time", "long", "minutes", "hours", "epochs", "cost", "quickest",
            "cheapest",
        ];
        OF_TRAINING.iter().any(|word| self.all_words.contains(*word))
    }

    /// `90 epochs`: for how many of them a time or a cost is asked.
    pub(super) fn epochs(&mut self, words: &[&str]) -> bool {
        let [number, noun, ..] = words else { return false };
        let Some(epochs) = plain(number).parse().ok().filter(|epochs| (1..1_000_000).contains(epochs)) else {
            return false;
        };
        let is_epochs = matches!(plain(noun).as_str(), "epoch" | "epochs");
        if is_epochs {
            self.hints.epochs = Some(epochs);
        }
        is_epochs
    }
}

/// The shares of a reference's accuracy that MLPerf asks for, as it writes them: `99`, `99.9`.
pub(super) fn share_of_reference(word: &str) -> Option<f64> {
    match plain(word).trim_end_matches('%') {
        "99" => Some(0.99),
        "99.9" => Some(0.999),
        _ => None,
    }
}

/// How many words tell a share of the reference's accuracy, the number among them: `99.9% accuracy target`, `99.9 % one`.
fn said_of_target(words: &[&str]) -> usize {
    let word = |at: usize| words.get(at).map(|word| plain(word)).unwrap_or_default();
    let apart = usize::from(word(1) == "%");
    let is_percent = apart == 1 || word(0).ends_with('%');
    let at = 1 + apart;
    match (word(at).as_str(), word(at + 1).as_str()) {
        ("accuracy", "target" | "targets") => at + 2,
        ("target" | "targets", _) => at + 1,
        ("one" | "version" | "variant", _) if is_percent => at + 1,
        _ => at,
    }
}

/// `to 93%`, `reach 0.94 accuracy`, `94 % top-5 accuracy`.
fn stated_accuracy(words: &[&str], reaches: bool) -> Option<StatedAccuracy> {
    let word = |at: usize| words.get(at).map(|word| plain(word)).unwrap_or_default();
    let reaching = usize::from(REACHING.contains(&word(0).as_str()));
    let of = if reaching == 1 && matches!(word(1).as_str(), "of" | "an" | "a") { 1 } else { 0 };
    let at = reaching + of;
    let first = word(at);
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| *number > 0.0);
    let (accuracy, mut taken) = match first.strip_suffix('%').and_then(number) {
        Some(percent) => (percent / 100.0, at + 1),
        None => match (number(&first)?, word(at + 1).as_str()) {
            (percent, "%" | "percent") => (percent / 100.0, at + 2),
            (fraction, _) if fraction < 1.0 => (fraction, at + 1),
            _ => return None,
        },
    };
    let named = words[taken..].iter().take_while(|word| OF_ACCURACY.contains(&plain(word).as_str())).count();
    taken += named;
    let in_percent = words[at..taken].iter().any(|word| word.contains('%') || plain(word) == "percent");
    let is_target = (reaches || reaching == 1) && (in_percent || named > 0);
    (accuracy <= 1.0 && (is_target || named > 0)).then_some(StatedAccuracy { accuracy, taken, is_target })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_a_reference_are_told_with_the_words_behind_them() {
        for (question, expected) in [
            ("99.9% accuracy target on A30", 3),
            ("99.9 % one", 3),
            ("99% target,", 2),
            ("99.9 offline", 1),
            ("99 one", 1),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            assert_eq!(said_of_target(&words), expected, "{question}");
        }
    }

    #[test]
    fn accuracies_are_read_in_every_usual_form() {
        assert!(stated_accuracy(&["94%"], true).is_some_and(|stated| stated.is_target));
        for (question, expected) in [
            ("to 93% top5", Some((0.93, 3, true))),
            ("to 94 %", Some((0.94, 3, true))),
            ("reach 93 percent top-5 accuracy", Some((0.93, 5, true))),
            ("until 0.75 accuracy", Some((0.75, 3, true))),
            ("94 % accuracy", Some((0.94, 3, false))),
            ("94% faster", None),
            ("to 8 gpus", None),
            ("0.5 s", None),
        ] {
            let words: Vec<&str> = question.split(' ').collect();
            let found = stated_accuracy(&words, false).map(|stated| (stated.accuracy, stated.taken, stated.is_target));
            assert_eq!(found, expected, "{question}");
        }
    }
}
