//! Turns of phrase that say which kind of answer is wanted, by what they say.

mod along;
mod asking;
mod capacity;
mod carrying;
mod comparing;
mod counting;
mod hardware;
mod kinds;
mod links;
mod qualities;
mod rows;
mod standing;
mod superlatives;
mod work;

use super::meaning::Meaning;

pub(in crate::ask::question) use capacity::{HOLDING, OF_REACHING, OF_SHARES, POSSIBLE, RUNNING};
pub(in crate::ask::question) use comparing::GAINS;
pub(in crate::ask::question) use counting::{COUNTS, DEVICE_NOUNS};
pub(in crate::ask::question) use kinds::KIND_NOUNS;
pub(in crate::ask::question) use rows::{MEASURED, MEASUREMENTS};
pub(in crate::ask::question) use superlatives::SUPERLATIVES;
pub(in crate::ask::question) use work::STAGE_OF_QUANTITY;

/// All phrases and what they mean; none stands in two of these lists.
pub(super) fn all() -> impl Iterator<Item = &'static (Meaning, &'static [&'static str])> {
    let lists = [
        links::PHRASES,
        comparing::PHRASES,
        asking::PHRASES,
        standing::PHRASES,
        qualities::PHRASES,
        along::PHRASES,
        kinds::PHRASES,
        work::PHRASES,
        hardware::PHRASES,
        carrying::PHRASES,
    ];
    lists.into_iter().flatten()
}
