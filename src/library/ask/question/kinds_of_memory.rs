//! A memory that is asked for, and no condition: the HBM of `ironwood peak fp8 + HBM` is how much of it there is, and so are the
//! sizes of `does the Titan RTX have 24 or 48 GB`.

use super::clause::Clause;
use super::facing::kind_of;
use super::hints::{AskedQuantity, Hints, Mention};
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::question::Quantity;
use super::vocabulary::{Cue, StaticQuantity, plain};
use crate::model::{Facet, Fact};

/// What is told of it.
const OF_MEMORY: &[Fact] = &[Fact::Memory, Fact::MemoryType, Fact::Bandwidth];

impl Interpreter<'_> {
    /// Of one device that is named the memory is asked for, whichever is the usual word for it.
    pub(super) fn memory_asked_by_kind(&self, clauses: &mut Vec<Clause>, hints: &mut Hints) {
        let of_kind = |clause: &Clause| kind_of(clause) == Fact::MemoryType.key();
        let is_bare = |clause: &Clause| {
            of_kind(clause) && !clause.is_excluded() && clause.text.split(' ').all(|word| plain(word) == "hbm")
        };
        let others =
            |clause: &Clause| !of_kind(clause) && !matches!(kind_of(clause), "device" | "vendor" | "precision");
        let names_device = clauses
            .iter()
            .any(|clause| kind_of(clause) == Facet::Device.key() && clause.sides.len() < 2 && !clause.is_excluded());
        let lists = hints.nouns.iter().any(|noun| noun.plural || noun.asked) || hints.ranks;
        if !names_device || lists || clauses.iter().any(others) || !clauses.iter().any(is_bare) {
            return;
        }
        clauses.retain(|clause| !is_bare(clause));
        for fact in OF_MEMORY {
            let asked = AskedQuantity::Only(StaticQuantity::Fact(*fact));
            hints.mentions.push(Mention { text: "hbm".to_owned(), asked, level: None, without: None });
        }
    }
}

impl Interpreter<'_> {
    /// The memories of `HBM amount vs DDR amount` are facts of one device, and no sides of a comparison.
    pub(super) fn memories_of_one_device(clauses: &[Clause], hints: &mut Hints) {
        let devices = Context { devices: true, ..Context::default() };
        let of_memory = |mention: &Mention| mention.asked.quantities(devices).contains(&Quantity::Fact(Fact::Memory));
        let [only] = clauses else { return };
        let is_device = kind_of(only) == Facet::Device.key() && only.sides.len() < 2;
        if is_device && hints.mentions.len() > 1 && hints.mentions.iter().all(of_memory) {
            hints.has_link = false;
            hints.opposed = false;
            hints.cues.retain(|cue| !matches!(cue, Cue::Compare | Cue::Comparative));
        }
    }

    /// Of one device that a yes-or-no question gives a size of memory, or several to choose from, it is asked how much it has.
    pub(super) fn memory_supposed(&mut self, clauses: &mut Vec<Clause>, hints: &mut Hints) {
        const HAVING: &[&str] = &["have", "has", "got", "come", "comes", "with", "only"];
        let is_size = |clause: &Clause| kind_of(clause) == Fact::Memory.key() && !clause.is_excluded();
        // Sizes that are known are sides: `40 or 80 GB`.
        let of_size = |clause: &Clause| is_size(clause) || !clause.sides.is_empty() && clause.sides.iter().all(is_size);
        let of_device =
            |clause: &Clause| kind_of(clause) == Facet::Device.key() && clause.sides.len() < 2 && !clause.is_excluded();
        let asks = hints.cues.first() == Some(&Cue::YesOrNo)
            && hints.mentions.is_empty()
            && ![Cue::Comparative, Cue::SpeedUp, Cue::Enough, Cue::Fit].iter().any(|cue| hints.has(*cue))
            && HAVING.iter().any(|word| self.all_words.contains(*word));
        let devices = clauses.iter().filter(|clause| of_device(clause)).count();
        let sizes: Vec<Clause> = clauses.iter().filter(|clause| of_size(clause)).cloned().collect();
        if !asks || devices != 1 || sizes.is_empty() || sizes.len() + devices != clauses.len() {
            return;
        }
        clauses.retain(|clause| !of_size(clause));
        // The `24` of `24 or 48 GB`.
        let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
        let (numbers, kept) = std::mem::take(&mut self.ignored).into_iter().partition(is_number);
        self.ignored = kept;
        self.heard.extend::<Vec<String>>(numbers);
        for size in sizes {
            let asked = AskedQuantity::Only(StaticQuantity::Fact(Fact::Memory));
            hints.mentions.push(Mention { text: size.text, asked, level: None, without: None });
        }
    }
}
