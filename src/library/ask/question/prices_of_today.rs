//! What something is sold for today, or used: the catalog has the price at which it was launched, and what it is let for with the
//! day on which that held.

use super::clause::Clause;
use super::facing::kind_of;
use super::interpreter::Interpreter;
use super::question::{Quantity, Wanted};
use super::vocabulary::plain;
use crate::model::{Facet, Fact};
use crate::rows::Note;

/// Words that ask for a price of today.
const TODAY: &[&str] = &["today", "now", "currently", "current", "nowadays", "presently", "aktuell"];

/// What was sold before.
const USED: &str = "used";

/// Words for prices.
const PRICES: &[&str] = &["price", "prices", "cost", "costs", "value", "worth", "selling", "sold"];

impl Interpreter<'_> {
    /// `what does an RTX 5090 cost today`, `used v100 price`: that what is told is no price of today is said.
    pub(super) fn note_price_of_today(&mut self, clauses: &[Clause], wanted: &Wanted) {
        let of_sale = |quantity: &Quantity| matches!(quantity, Quantity::Fact(Fact::LaunchPrice | Fact::Price));
        let is_told = self.notes.iter().any(|note| matches!(note, Note::NotKept { .. }));
        if is_told || !wanted.quantities.iter().any(of_sale) {
            return;
        }
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let begins_device = |word: &String| {
            let devices = clauses.iter().filter(|clause| kind_of(clause) == Facet::Device.key());
            devices.filter_map(|clause| clause.text.split(' ').next()).any(|first| plain(first) == *word)
        };
        let is_used = |at: usize| {
            let next = words.get(at + 1);
            let before = at.checked_sub(1).map(|before| &words[before]);
            next.is_none()
                || next.is_some_and(|next| PRICES.contains(&next.as_str()) || begins_device(next))
                || before.is_some_and(|before| PRICES.contains(&before.as_str()))
        };
        let used = words.iter().enumerate().any(|(at, word)| word == USED && is_used(at));
        let today = words.iter().any(|word| TODAY.contains(&word.as_str()));
        let text = match (used, today) {
            (true, _) => "price when used",
            (false, true) => "price of today",
            (false, false) => return,
        };
        self.notes.push(Note::NotKept { text: text.to_owned(), instead: true });
    }
}
