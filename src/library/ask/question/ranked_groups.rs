//! Groups of devices as the candidates of a ranking: `which architecture trains it fastest`, `rank volta, ampere and hopper`.

use super::clause::ClauseReading;
use super::facing::kind_of;
use super::mentions::Context;
use super::seen::Seen;
use super::vocabulary::plain;
use crate::model::{Aspect, Fact, Field};
use crate::values::EntityKind;

/// Words for groups of devices, and the fact by which each groups them.
const GROUPS: &[(&[&str], Fact)] = &[
    (&["architecture", "architectures", "microarchitecture", "microarchitectures"], Fact::Architecture),
    (
        &["vendor", "vendors", "manufacturer", "manufacturers", "maker", "makers", "brand", "brands", "chipmaker"],
        Fact::Vendor,
    ),
];

/// Words in front of `architecture` that make something else of it.
const OF_NETWORKS: &[&str] = &["network", "model", "neural", "net", "transformer", "encoder", "decoder", "cnn", "nn"];

impl Seen<'_, '_> {
    /// The fact by which the devices are grouped of which each group has a line, by the best that any of its own did; `None`
    /// where something else is ranked, or nothing was run.
    pub(super) fn ranked_group(&self) -> Option<Fact> {
        let Context { networks, datasets, tasks, workload, .. } = self.context;
        let is_of_devices = match self.candidates() {
            None | Some(Aspect::Field(Field::Device)) => true,
            Some(Aspect::Fact(fact)) => GROUPS.iter().any(|(_, group)| *group == fact),
            Some(_) => false,
        };
        if !is_of_devices || !(networks || datasets || tasks || workload) {
            return None;
        }
        let words: Vec<String> = self.interpreter.question.split_whitespace().map(plain).collect();
        if let Some(group) = group_of_words(&words).filter(|group| self.named_of(*group) != 1) {
            return Some(group);
        }
        if matches!(self.interpreter.about, Some((_, EntityKind::HardwareClass))) {
            return Some(Fact::Class);
        }
        // `rank volta ampere hopper`, of which nobody says that cards are wanted.
        let several = GROUPS.iter().map(|(_, group)| *group).find(|group| self.named_of(*group) > 1);
        several
            .filter(|_| self.candidates().is_none() && !self.clauses.iter().any(|clause| kind_of(clause) == "device"))
    }

    /// How many values of a fact are named.
    fn named_of(&self, fact: Fact) -> usize {
        let of_fact = |reading: &&ClauseReading| reading.read_as.facet == fact.key();
        let named = self.clauses.iter().filter(|clause| !clause.is_excluded());
        named.map(|clause| clause.readings.iter().filter(of_fact).count()).sum()
    }
}

/// The group that one of the words names.
fn group_of_words(words: &[String]) -> Option<Fact> {
    let is_of_network = |at: usize| at > 0 && OF_NETWORKS.contains(&words[at - 1].as_str());
    let group = |at: usize| GROUPS.iter().find(|(names, _)| names.contains(&words[at].as_str()));
    (0..words.len()).filter(|at| !is_of_network(*at)).find_map(group).map(|(_, fact)| *fact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_for_a_group_of_devices_says_by_what_they_are_grouped() {
        for (question, group) in [
            ("which architecture is fastest for resnet50 training", Some(Fact::Architecture)),
            ("rank gpu architectures by resnet50 throughput", Some(Fact::Architecture)),
            ("fastest vendor for bert inference", Some(Fact::Vendor)),
            ("which model architecture is fastest on a V100", None),
            ("fastest gpu for resnet50", None),
        ] {
            let words: Vec<String> = question.split_whitespace().map(plain).collect();
            assert_eq!(group_of_words(&words), group, "{question}");
        }
    }
}
