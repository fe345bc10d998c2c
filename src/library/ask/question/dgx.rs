//! A DGX is called by one of its devices, and is a machine of eight, which rows count: `dgx a100`.

use super::interpreter::Interpreter;
use super::vocabulary::plain;

/// Devices of which a DGX has eight.
const OF_EIGHT: &[&str] = &["a100", "h100", "h200", "b200", "b300"];

/// Words beside which a question counts the devices or machines itself.
const COUNTING: &[&str] = &["gpus", "nodes", "node", "single", "superpod", "pod", "station", "per", "dgxs"];

/// Words of MLPerf, whose rows are of whole systems and seldom call one a DGX. Elsewhere runs on one of its devices are meant as well.
const OF_WHOLE_SYSTEMS: &[&str] = &["mlperf", "server", "offline", "closed", "round", "submission"];

impl Interpreter<'_> {
    /// Puts the number of devices in the place of the machine's name in front of theirs, which is said; nothing where the question
    /// counts itself.
    pub(super) fn eight_of_dgx(&mut self, words: &mut [&str], word: &str) {
        let [others @ .., last] = words else { return };
        let is_dgx = plain(last) == "dgx" && OF_EIGHT.contains(&plain(word).as_str());
        let counts = |word: &&str| plain(word).trim_end_matches('x').parse::<u32>().is_ok();
        let of_systems = OF_WHOLE_SYSTEMS.iter().any(|noun| self.all_words.contains(*noun));
        if !is_dgx
            || !of_systems
            || others.last().is_some_and(counts)
            || COUNTING.iter().any(|noun| self.all_words.contains(*noun))
        {
            return;
        }
        self.heard.push((*last).to_owned());
        self.hints.leads.push(format!("`{last} {}` is read as 8 of its devices.", plain(word)));
        *last = "8x";
    }
}
