//! Words that carry a question and by which no fact, metric or axis is called: `successor`, `merged`, `backbone`, `disagree`. What
//! they ask for is read off the catalog or the rows where nothing stands beside the names that asks for something else; where
//! something does, they are told as words that were not heeded.

use super::carrying_word::{AskedOfTable, Carried};
use super::clause::Clause;
use super::facing::kind_of;
use super::intent::Intent;
use super::interpreter::Interpreter;
use super::nouns::is_noun;
use super::question::{Quantity, Wanted};
use super::seen::Seen;
use super::survey_tables::words_heard;
use super::vocabulary::{Cue, Meaning, meaning_of, plain};
use crate::model::{Facet, Fact, Field};
use crate::values::EntityKind;

impl Carried {
    /// Whether it sets grades of classes against each other, which no rows say anything of.
    fn is_of_grades(self) -> bool {
        matches!(self, Self::SameGrades | Self::BestGrades)
    }

    /// Whether a turn of phrase beside it says no more than it tells.
    pub(super) fn tells(self, cue: Cue) -> bool {
        match self {
            Self::Ratings | Self::Reported => matches!(cue, Cue::Grades | Cue::Survey),
            Self::Graded(_) => matches!(cue, Cue::Grades | Cue::Survey | Cue::Rank),
            Self::History | Self::Successor => matches!(cue, Cue::Maintained | Cue::Abandoned | Cue::Newest),
            Self::Verdicts | Self::ChangedVerdicts => matches!(cue, Cue::Evidence | Cue::Grades | Cue::Survey),
            Self::SameGrades | Self::BestGrades => {
                matches!(cue, Cue::Grades | Cue::Survey | Cue::Rank | Cue::Compare | Cue::Which)
            }
            Self::Table(_) => matches!(cue, Cue::Survey | Cue::Which | Cue::Maintained | Cue::Abandoned),
            Self::Disagreement => matches!(cue, Cue::WhoMeasured | Cue::Compare | Cue::Evidence),
            _ => false,
        }
    }
}

/// Words for what is graded, beside a grade.
const OF_GRADES: &[&str] = &["metric", "metrics", "criterion", "attribute", "attributes", "property", "properties"];

/// Words by which one framework is said to stand on another one.
const OF_STANDING: &[&str] = &["run", "runs", "running", "built", "based", "layer", "wrapper", "stand", "stands"];

/// How many of each kind the clauses of a question name.
#[derive(Debug, Default)]
struct Named {
    devices: usize,
    architectures: usize,
    networks: usize,
    frameworks: usize,
    datasets: usize,
    classes: usize,
    /// Conditions that are none of these.
    others: usize,
    /// Of these, bounds on the number of devices.
    counts: usize,
    /// Of these, sources.
    sources: usize,
    /// By how many words frameworks are named, as backends of others too.
    framework_names: usize,
}

impl Named {
    fn by(clauses: &[Clause]) -> Self {
        let mut named = Self::default();
        for clause in clauses {
            named.sources += usize::from(kind_of(clause) == Facet::Source.key());
            *match kind_of(clause) {
                _ if clause.is_excluded() || clause.sides.len() > 1 => &mut named.others,
                "device" => &mut named.devices,
                "architecture" => &mut named.architectures,
                "network" => &mut named.networks,
                "framework" => {
                    named.framework_names += clause.readings.len();
                    &mut named.frameworks
                }
                "dataset" => &mut named.datasets,
                "class" | "hardware" => &mut named.classes,
                // They say of which kind the named one is.
                "vendor" | "task" => continue,
                kind if kind == Field::DeviceCount.key() => &mut named.counts,
                _ => &mut named.others,
            } += 1;
        }
        named
    }

    /// How many entities are named.
    fn entities(&self) -> usize {
        self.devices + self.networks + self.frameworks + self.datasets
    }

    fn no_conditions(&self) -> bool {
        self.others + self.counts == 0
    }
}

impl Seen<'_, '_> {
    /// What the carrying word of the question asks for; `None` where there is none, or where the rest asks for something else.
    pub(super) fn carried(&self, mentioned: &[Vec<Quantity>]) -> Option<Carried> {
        let hints = self.hints;
        let of_words = self.of_chip().or_else(|| self.on_claims());
        // The usual question has none.
        let frameworks = self.clauses.iter().any(|clause| kind_of(clause) == Facet::Framework.key());
        if hints.carried.is_empty() && of_words.is_none() && !frameworks {
            return None;
        }
        let named = Named::by(self.clauses);
        let is_chip = |quantity: &&Quantity| !matches!(quantity, Quantity::Fact(Fact::Chip));
        let asks_facts =
            mentioned.iter().flatten().filter(is_chip).any(|quantity| !matches!(quantity, Quantity::Metric(_)));
        let asks_criteria = mentioned.iter().flatten().any(|quantity| *quantity == Quantity::Criteria);
        let asks_numbers = mentioned.iter().flatten().any(|quantity| matches!(quantity, Quantity::Metric(_)));
        let others = [Cue::Scaling, Cue::SpeedUp, Cue::Effect, Cue::Correlation, Cue::Speed, Cue::MostMeasured];
        let is_other = self.superlative().is_some() || hints.opposed || others.iter().any(|cue| hints.has(*cue));
        let fits = |carried: &Carried| match carried {
            Carried::Disagreement => {
                !asks_facts && !is_other && !self.context.is_of_classes() || self.clauses.is_empty()
            }
            Carried::Graded(_) | Carried::Verdicts | Carried::SameGrades | Carried::BestGrades
                if asks_facts && !asks_criteria =>
            {
                false
            }
            Carried::SameGrades | Carried::BestGrades => named.no_conditions() && named.entities() == 0,
            Carried::ChangedVerdicts => named.others == named.sources && named.entities() == 0,
            Carried::Table(_) => named.entities() == 0 && self.is_of_table(),
            // `where does that rank` asks for no order of what was measured.
            Carried::Graded(_)
                if !is_other || hints.has(Cue::Rank) && self.interpreter.superlative.is_none() && !hints.opposed =>
            {
                named.no_conditions() && named.entities() == 0 && !hints.speaks_of(EntityKind::Framework)
            }
            _ if asks_facts || asks_numbers || is_other => false,
            Carried::Successor | Carried::Predecessor => {
                named.no_conditions() && named.entities() + named.architectures == 1 && named.datasets == 0
            }
            Carried::History => named.no_conditions() && named.entities() > 0,
            Carried::Parts | Carried::Chip => named.devices == 1 && named.entities() == 1 && named.others == 0,
            // `is Keras built on top of Theano` names two.
            Carried::RunsOn | Carried::Backends => {
                named.no_conditions()
                    && (1..=2).contains(&named.framework_names)
                    && named.entities() == named.frameworks
            }
            Carried::Backbone => named.no_conditions() && named.networks == 1 && named.devices + named.frameworks == 0,
            Carried::Ratings => named.no_conditions() && named.frameworks > 0 && named.devices == 0,
            Carried::Reported => {
                named.no_conditions() && named.frameworks > 0 && named.devices + named.datasets + named.classes == 0
            }
            Carried::Graded(_) => false,
            Carried::SeveralDevices => named.others == 0 && named.devices + named.networks + named.datasets == 0,
            Carried::Verdicts => named.no_conditions() && named.entities() == named.frameworks,
            Carried::OperatingSystem => named.others == 0 && named.devices + named.networks + named.datasets == 0,
        };
        let said = hints.carried.iter().map(|(text, carried)| match carried {
            Carried::RunsOn if self.ends_with_phrase(text) => Carried::Backends,
            // Of one that is named its row is told, beside what holds today.
            Carried::Table(_) if named.frameworks > 0 => Carried::Reported,
            Carried::Reported if named.frameworks == 0 => Carried::Table(AskedOfTable::Rows),
            carried => *carried,
        });
        self.on_periods()
            .into_iter()
            .chain(self.of_table().filter(|_| named.frameworks == 0))
            .chain(self.on_claims().filter(|_| hints.carried.iter().all(|(_, carried)| !carried.is_of_grades())))
            .chain(self.on_another(&named))
            .chain(said)
            .chain(of_words)
            .chain(self.reported(&named))
            .chain(self.appraised(&named))
            .chain(self.on_several(&named))
            .find(fits)
    }

    /// `is the A100 faster than its predecessor`: what the one device or network that is named is compared with.
    pub(super) fn relative(&self) -> Option<Carried> {
        let hints = self.hints;
        let compares =
            hints.has_link || [Cue::Comparative, Cue::Compare, Cue::SpeedUp].iter().any(|cue| hints.has(*cue));
        let said = hints.carried.iter().map(|(_, carried)| *carried);
        let mut relatives = said.filter(|carried| matches!(carried, Carried::Successor | Carried::Predecessor));
        let named = Named::by(self.clauses);
        let is_one = |clause: &Clause| matches!(kind_of(clause), "device" | "network") && clause.readings.len() == 1;
        let ones = self.clauses.iter().filter(|clause| is_one(clause)).count();
        // Of a network on a device it is not said which of them has the successor.
        (compares && ones == 1 && named.devices + named.networks == 1).then(|| relatives.next()).flatten()
    }

    /// `which grades are contradicted by measurements`, `evidence about FPGAs`.
    fn on_claims(&self) -> Option<Carried> {
        let hints = self.hints;
        let disagrees = hints.carried.iter().any(|(_, carried)| *carried == Carried::Disagreement);
        let of_claims = hints.has(Cue::Grades) || hints.has(Cue::Survey);
        (hints.has(Cue::Evidence) || of_claims && disagrees).then_some(Carried::Verdicts)
    }

    /// `does keras run on theano`, `is fastai based on pytorch`: whether the one framework stands on the other.
    fn on_another(&self, named: &Named) -> Option<Carried> {
        let has = |word: &&str| self.interpreter.all_words.contains(*word);
        let stands = OF_STANDING.iter().any(has) && ["on", "around", "over"].iter().any(has);
        let two = named.framework_names == 2 && !self.hints.has_link && !self.hints.has(Cue::Comparative);
        (two && stands && self.asks_whether()).then_some(Carried::RunsOn)
    }

    /// Whether a phrase that ends in a preposition ends the question: `what is keras built on`.
    fn ends_with_phrase(&self, phrase: &str) -> bool {
        let words = |text: &str| text.split_whitespace().map(plain).collect::<Vec<String>>();
        let phrase = words(phrase);
        let is_open = phrase.last().is_some_and(|last| matches!(last.as_str(), "on" | "of"));
        is_open && words(self.interpreter.question).ends_with(&phrase)
    }

    /// `which SoC does the Jetson Nano use`, `how many GPUs does a K80 have`: what is asked of the one device that is named.
    fn of_chip(&self) -> Option<Carried> {
        let words = &self.interpreter.all_words;
        let has = |any: &[&str]| any.iter().any(|word| words.contains(*word));
        let is_inside =
            has(&["use", "uses", "used", "have", "has", "inside", "contain", "contains", "on", "in", "based"]);
        match () {
            () if !is_inside => None,
            () if has(&["what", "which"]) && has(&["chip", "soc", "processor", "die"]) => Some(Carried::Chip),
            () if has(&["how"]) && has(&["many"]) && has(&["gpus", "chips", "dies"]) => Some(Carried::Parts),
            () => None,
        }
    }

    /// `is Chainer good for RNNs`, `how are CNTK and Theano rated`.
    fn appraised(&self, named: &Named) -> Option<Carried> {
        let rates = self.hints.has(Cue::Grades);
        let suits = named.networks > 0 && (self.hints.has(Cue::Describe) || self.hints.has(Cue::Support));
        (named.frameworks > 0 && (rates || suits) && !self.hints.has(Cue::Survey)).then_some(Carried::Ratings)
    }

    /// `what does the survey say about caffe2`: its row, and not what holds today.
    fn reported(&self, named: &Named) -> Option<Carried> {
        const SAYING: &[&str] = &[
            "say", "says", "said", "state", "states", "claim", "claims", "report", "reports", "list", "lists", "print",
        ];
        let says = SAYING.iter().any(|word| self.interpreter.all_words.contains(*word));
        (named.frameworks > 0 && self.hints.has(Cue::Survey) && says).then_some(Carried::Reported)
    }

    /// `can theano use more than one gpu`.
    fn on_several(&self, named: &Named) -> Option<Carried> {
        let asks = self.asks_whether() || self.hints.has(Cue::Support);
        let several = self
            .clauses
            .iter()
            .any(|clause| kind_of(clause) == Field::DeviceCount.key() && clause.equivalent.ends_with(">=2"));
        (named.frameworks == 1 && asks && several).then_some(Carried::SeveralDevices)
    }
}

impl Interpreter<'_> {
    /// Leaves out the carrying words that ask for another thing than is answered; those of their words that mean something alone
    /// had that effect.
    pub(super) fn leave_out_uncarried(&mut self, wanted: &Wanted, carried: &[(String, Carried)]) {
        if matches!(wanted.carried, Some(Carried::Graded(_))) {
            self.heard.extend(OF_GRADES.iter().map(|word| (*word).to_owned()));
            self.ignored.retain(|word| !OF_GRADES.contains(&word.as_str()));
        }
        if wanted.carried == Some(Carried::RunsOn) {
            self.heard.extend(OF_STANDING.iter().map(|word| (*word).to_owned()));
            self.ignored.retain(|word| !OF_STANDING.contains(&word.as_str()));
        }
        let heard = match wanted.carried {
            Some(Carried::SameGrades | Carried::BestGrades) => OF_GRADES.to_vec(),
            Some(carried) => words_heard(carried),
            None => Vec::new(),
        };
        self.heard.extend(heard.iter().map(|word| (*word).to_owned()));
        self.ignored.retain(|word| !heard.contains(&word.as_str()));
        for (text, asked) in carried {
            if matches!(wanted.carried, Some(Carried::Graded(_))) && OF_GRADES.contains(&text.as_str()) {
                continue;
            }
            // Each grade comes with what the measurements say to it.
            if *asked == Carried::Verdicts && wanted.intent == Intent::Grade && wanted.carried.is_none() {
                self.heard.push(text.clone());
                continue;
            }
            // Rows of several devices stand for it.
            if *asked == Carried::SeveralDevices && wanted.each_of.iter().any(|clause| clause.text == *text) {
                continue;
            }
            let is_verdict = *asked == Carried::Disagreement && wanted.carried == Some(Carried::Verdicts);
            let is_backend = *asked == Carried::RunsOn && wanted.carried == Some(Carried::Backends);
            let is_period = *asked == Carried::Verdicts && wanted.carried == Some(Carried::ChangedVerdicts);
            let of_table = |carried: Carried| matches!(carried, Carried::Table(_) | Carried::Reported);
            let is_table = of_table(*asked) && wanted.carried.is_some_and(of_table);
            if [is_verdict, is_backend, is_period, is_table].contains(&true)
                || wanted.carried == Some(*asked)
                || wanted.relative == Some(*asked)
            {
                self.aside(text.clone(), "quantity", asked.key());
                continue;
            }
            let says_nothing = |word: &str| {
                let meaning = meaning_of(&[word]);
                is_noun(word) || !matches!(meaning, None | Some(Meaning::Carries(_)))
            };
            if !text.split_whitespace().map(plain).all(|word| says_nothing(&word)) {
                self.leave_out(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::question::understand;
    use crate::stores::sample::{Sample, TWO_LATENCIES};

    #[test]
    fn a_carrying_word_is_heeded_or_told() {
        let sample = Sample::of(&[("paper-2020", TWO_LATENCIES)]);
        for (question, carried, ignored) in [
            ("successor of the nova", Some(Carried::Successor), &[][..]),
            ("what came before nova", Some(Carried::Predecessor), &[]),
            ("latency of the successor of nova", None, &["successor of"]),
            ("backbone of deepnet-50", Some(Carried::Backbone), &[]),
            ("has firelight been merged", Some(Carried::History), &[]),
            ("do sources disagree about nova", Some(Carried::Disagreement), &[]),
            ("how many chips are on a nova board", Some(Carried::Parts), &[]),
            ("latency of nova", None, &[]),
            ("is nova faster than its predecessor", None, &[]),
        ] {
            let read = understand(question, &sample.stores).unwrap();
            assert_eq!(read.wanted.carried, carried, "{question}");
            assert_eq!(read.ignored, ignored, "{question}");
        }
        let relative = |question: &str| understand(question, &sample.stores).unwrap().wanted.relative;
        assert_eq!(relative("is nova faster than its predecessor"), Some(Carried::Predecessor));
        assert_eq!(relative("nova compared with its successor"), Some(Carried::Successor));
        assert_eq!(relative("is nova faster than core"), None);
        assert_eq!(relative("predecessor of nova"), None);
    }
}
