//! A kind of memory that is asked for, and no condition: the HBM of `ironwood peak fp8 + HBM` is how much of it there is.

use super::clause::Clause;
use super::facing::kind_of;
use super::hints::{AskedQuantity, Hints, Mention};
use super::interpreter::Interpreter;
use super::vocabulary::{StaticQuantity, plain};
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
