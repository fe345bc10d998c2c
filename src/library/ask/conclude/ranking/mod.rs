//! Candidates in their order: the frames in which they can be compared, which of them is taken, and the words for it.

mod alike_runs;
mod better_elsewhere;
mod beyond_reference;
mod candidate_kind;
mod candidate_names;
mod caveats;
mod chosen_frame;
mod conclusion;
mod entries;
mod extreme;
pub(in crate::ask::conclude) mod fact_order;
mod frame_weights;
mod frames;
mod heeded_limits;
mod inputs;
mod known_peak;
pub(in crate::ask::conclude) mod largest_batch;
mod largest_system;
mod like_runs;
mod named_alternatives;
mod network_frames;
pub(in crate::ask::conclude) mod of_facts;
mod order;
mod other_frames;
mod other_work;
mod prices;
mod quality_of_networks;
mod ranked_rows;
pub(in crate::ask::conclude) mod standing;
mod superlatives;
mod text;
mod told_conditions;
mod two_facts;

pub(in crate::ask::conclude) use order::{conclude, conclude_by, is_about};
pub(in crate::ask::conclude) use ranked_rows::of_layers;
