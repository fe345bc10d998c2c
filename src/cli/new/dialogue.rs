//! Asking on the terminal, one thing after the other.

use std::io::{BufRead as _, IsTerminal as _, StdinLock};

use super::super::screen::Screen;
use dlbench::contribute::new::{Interview, NewError};
use dlbench::values::text::printable;

/// A person at a terminal, or nobody.
pub(super) struct Dialogue<'s> {
    screen: &'s Screen,
    answers: Option<StdinLock<'static>>,
}

impl<'s> Dialogue<'s> {
    /// Asks if that is wanted and somebody is there.
    pub fn new(screen: &'s Screen, wanted: bool) -> Self {
        let asking = wanted && std::io::stdin().is_terminal();
        Self { screen, answers: asking.then(|| std::io::stdin().lock()) }
    }
}

impl Interview for Dialogue<'_> {
    fn ask(&mut self, key: &str, example: &str) -> Result<Option<String>, NewError> {
        let Some(answers) = &mut self.answers else { return Ok(None) };
        self.screen.ask(&format!("{key} ({example}): "));
        let mut line = String::new();
        if answers.read_line(&mut line)? == 0 {
            self.screen.ask("\n");
            return Err(NewError::AnswersEnd);
        }
        let line = line.trim();
        Ok((!line.is_empty()).then(|| line.to_owned()))
    }

    fn refuse(&mut self, why: &str) {
        self.screen.warn(&printable(why));
    }

    fn tell(&mut self, remark: &str) {
        self.screen.tell(remark);
    }
}
