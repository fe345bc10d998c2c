//! Who answers what a request leaves open: a person at a terminal, a form, nobody.

use super::error::NewError;

/// Asks for the facts that a request does not state.
pub trait Interview {
    /// The answer to one question; `None` when it is left open or nobody is asked.
    ///
    /// # Errors
    ///
    /// When the answers end or cannot be read.
    fn ask(&mut self, key: &str, example: &str) -> Result<Option<String>, NewError>;

    /// Says why the last answer cannot be right; the question comes again.
    fn refuse(&mut self, why: &str);

    /// Says what may matter for the answers.
    fn tell(&mut self, remark: &str);
}

/// Nobody: everything that is not stated stays open.
#[derive(Debug, Clone, Copy)]
pub struct NoInterview;

impl Interview for NoInterview {
    fn ask(&mut self, _: &str, _: &str) -> Result<Option<String>, NewError> {
        Ok(None)
    }

    fn refuse(&mut self, _: &str) {}

    fn tell(&mut self, _: &str) {}
}

/// Asks until an answer is accepted or empty; `accept` says why not.
///
/// # Errors
///
/// When the answers end or cannot be read.
pub(super) fn ask_for(
    interview: &mut dyn Interview,
    key: &str,
    example: &str,
    mut accept: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), NewError> {
    while let Some(answer) = interview.ask(key, example)? {
        match accept(&answer) {
            Ok(()) => break,
            Err(why) => interview.refuse(&why),
        }
    }
    Ok(())
}
