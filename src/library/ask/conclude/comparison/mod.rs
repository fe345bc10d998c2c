//! Sides against each other: matched pairs where there are any, else the numbers that are nearest, and the facts that differ.

mod asides;
mod batches_apart;
mod best_batch_pairs;
mod caveats;
mod compared_sides;
pub(in crate::ask::conclude) mod entries;
pub(in crate::ask::conclude) mod facts_side_by_side;
pub(in crate::ask::conclude) mod generations;
pub(in crate::ask::conclude) mod inputs;
mod nearest_pair;
mod order_text;
mod outcomes;
mod precisions_apart;
mod side_numbers;
mod sides;
pub(in crate::ask::conclude) mod stages_compared;
mod text;
mod unpaired;
mod versions_behind;

pub(in crate::ask::conclude) use sides::conclude;
