//! What of a question the answer does not heed: words that nothing is called by, turns of phrase without effect, and work that
//! nothing is known of. Each is told in the first line.

mod unfound;
mod unheeded;
mod unknown_words;
mod unknown_work;
mod unsaid;

pub(super) use unheeded::is_advice;
pub use unknown_words::is_like_a_name;
