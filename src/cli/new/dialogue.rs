//! Asking on the terminal, one thing after the other; what cannot be right is asked for again.

use std::io::{BufRead, IsTerminal as _};

use super::super::failure::Failure;
use super::super::screen::Screen;

/// A person at a terminal, or nobody.
pub(super) struct Dialogue<'s> {
    pub screen: &'s Screen,
    answers: Option<Box<dyn BufRead>>,
}

impl<'s> Dialogue<'s> {
    /// Asks if that is wanted and somebody is there.
    pub fn new(screen: &'s Screen, wanted: bool) -> Self {
        let asking = wanted && std::io::stdin().is_terminal();
        Self { screen, answers: asking.then(|| Box::new(std::io::stdin().lock()) as Box<dyn BufRead>) }
    }

    /// Somebody whose answers are known.
    #[cfg(test)]
    pub fn with(screen: &'s Screen, answers: &'static str) -> Self {
        Self { screen, answers: Some(Box::new(answers.as_bytes())) }
    }

    /// One answer; `None` when it is empty or nobody is asked.
    ///
    /// # Errors
    ///
    /// When the answers end.
    pub fn ask(&mut self, key: &str, example: &str) -> Result<Option<String>, Failure> {
        let Some(answers) = &mut self.answers else { return Ok(None) };
        self.screen.ask(&format!("{key} ({example}): "));
        let mut line = String::new();
        if answers.read_line(&mut line)? == 0 {
            self.screen.ask("\n");
            return Err(Failure::usage("the answers end here; nothing was written", "an empty line leaves a fact out"));
        }
        let line = line.trim();
        Ok((!line.is_empty()).then(|| line.to_owned()))
    }

    /// Asks until an answer is accepted or empty; `accept` says why not.
    ///
    /// # Errors
    ///
    /// When the answers end.
    pub fn ask_for(
        &mut self,
        key: &str,
        example: &str,
        mut accept: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<(), Failure> {
        while let Some(answer) = self.ask(key, example)? {
            match accept(&answer) {
                Ok(()) => break,
                Err(why) => self.screen.warn(&dlbench::values::text::printable(&why)),
            }
        }
        Ok(())
    }
}
