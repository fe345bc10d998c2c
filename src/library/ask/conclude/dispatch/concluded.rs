//! What an answer comes to.

use crate::ask::conclude::basis::conclusion::Conclusion;
use crate::ask::question::Intent;

/// What an answer comes to, and of how much of the question.
pub struct Concluded {
    /// The conclusion.
    pub conclusion: Conclusion,
    /// What kind of answer it is: that of a comparison of which one side alone is known is a look-up.
    pub intent: Intent,
    /// Whether it answers the whole question although no row meets it: what is asked for follows from what rows state.
    pub follows: bool,
}
