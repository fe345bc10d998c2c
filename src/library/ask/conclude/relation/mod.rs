//! How a number changes along an axis: devices, batch, precision, version; and how two numbers go together.

mod against_fact;
mod along_batch;
mod along_values;
mod axis;
mod axis_value;
mod by_count;
mod each_side;
mod memory_fit;
mod metric_by_batch;
mod networks_that_fit;
mod opposites;
mod ranked_scaling;
mod scaling;
mod scaling_steps;
mod trade_axes;
mod trade_field;
mod trade_off;
mod versions;

pub(in crate::ask::conclude) use axis::conclude;
pub(in crate::ask::conclude) use each_side::comparison_on_each_side;

/// What is said of what runs beside the weights.
const ON_TOP: &str =
    "KV cache, activations and the framework's own memory come on top; training takes several times as much.";
