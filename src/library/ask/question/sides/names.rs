//! What stands on a side of a comparison besides its name: words in front of it that say nothing here, `native tensorrt`, and names
//! of several words that nothing is called by, `quantum processors`.

use super::chain::ReadClause;
use crate::ask::question::clause::{Clause, text_clause};
use crate::ask::question::error::QueryError;
use crate::ask::question::facing::{can_face, kind_of};
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::nouns::is_noun_of_devices;
use crate::ask::question::vocabulary::{Link, plain};
use crate::stores::resolve::is_english;

impl Interpreter<'_> {
    /// The clauses with the names of sides as they are meant.
    pub(in crate::ask::question) fn named_sides(
        &mut self,
        read: Vec<ReadClause>,
    ) -> Result<Vec<ReadClause>, QueryError> {
        if !read.iter().any(|one| one.link == Some(Link::Versus) && is_text(one)) && !begins_unknown(&read) {
            return Ok(read);
        }
        let read = self.without_words_in_front(read);
        self.whole_unknown_names(read)
    }

    /// The name of several words behind a `vs` that nothing is called by: the last says what kind of hardware it is, `quantum
    /// processors`, or is of no language.
    pub(in crate::ask::question) fn unknown_side(
        &mut self,
        words: &[&str],
        link: Option<Link>,
    ) -> Result<Option<Clause>, QueryError> {
        let [front @ .., last] = words else { return Ok(None) };
        let last = plain(last);
        let is_word = |word: &&str| word.len() > 2 && word.chars().all(char::is_alphabetic);
        let is_kind = is_noun_of_devices(&last) || !is_english(&last);
        if link != Some(Link::Versus) || front.is_empty() || !words.iter().all(is_word) || !is_kind {
            return Ok(None);
        }
        for word in words {
            if self.longest_name(&[word])? > 0 {
                return Ok(None);
            }
        }
        let whole = words.join(" ");
        let clause = text_clause(&whole);
        if self.longest_name(words)? > 0 || self.finds(&clause.condition)? {
            return Ok(None);
        }
        self.unknown_names.push(whole);
        Ok(Some(clause))
    }

    /// Leaves out words of English between what sets sides against each other and the name of the second: the `native` of `tf-trt
    /// better than native tensorrt`.
    fn without_words_in_front(&mut self, mut read: Vec<ReadClause>) -> Vec<ReadClause> {
        let mut at = 1;
        while at + 1 < read.len() {
            let next = kind_of(&read[at + 1].clause).to_owned();
            let is_in_front = read[at].link == Some(Link::Versus)
                && is_text(&read[at])
                && is_english(&read[at].clause.text.to_lowercase())
                && read[at + 1].link.is_none()
                && next != "text"
                && read[..at].iter().any(|one| !is_text(one) && can_face(kind_of(&one.clause), &next));
            if !is_in_front {
                at += 1;
                continue;
            }
            let word = read.remove(at);
            self.leave_out(&word.clause.text);
            read[at].link = word.link;
        }
        read
    }

    /// Joins words of one side that nothing is called by and no text has together: they are one name.
    fn whole_unknown_names(&mut self, read: Vec<ReadClause>) -> Result<Vec<ReadClause>, QueryError> {
        let mut named: Vec<ReadClause> = Vec::new();
        let mut left = read.into_iter().peekable();
        while let Some(one) = left.next() {
            let mut texts = vec![one];
            while texts.iter().all(is_text)
                && let Some(next) = left.next_if(|next| is_text(next) && next.link.is_none())
            {
                texts.push(next);
            }
            let stands_against =
                texts[0].link == Some(Link::Versus) || left.peek().is_some_and(|next| next.link == Some(Link::Versus));
            let whole = texts.iter().map(|one| one.clause.text.as_str()).collect::<Vec<_>>().join(" ");
            let clause = text_clause(&whole);
            if texts.len() < 2 || !stands_against || self.finds(&clause.condition)? {
                named.append(&mut texts);
                continue;
            }
            self.unknown_names.push(whole);
            let link = texts[0].link;
            named.push(ReadClause { facet: None, clause, link });
        }
        Ok(named)
    }
}

fn is_text(one: &ReadClause) -> bool {
    kind_of(&one.clause) == "text" && !one.clause.is_excluded()
}

/// Whether the first side is of several words that nothing is called by.
fn begins_unknown(read: &[ReadClause]) -> bool {
    let facing = read.iter().position(|one| one.link == Some(Link::Versus));
    facing.is_some_and(|at| at > 1 && read[at - 2..at].iter().all(is_text))
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::{Sample, TWO_LATENCIES};

    #[test]
    fn a_side_is_named_by_its_name_alone_and_by_all_words_of_an_unknown_one() {
        let sample = Sample::of(&[("paper-2020", TWO_LATENCIES)]);
        for (question, sides, ignored) in [
            ("nova vs native core", &["nova", "core"][..], &["native"][..]),
            ("is nova better than the native core", &["nova", "core"], &["native"]),
            ("quantum blorbic vs nova", &["quantum blorbic", "nova"], &[]),
            ("nova vs quantum processors", &["nova", "quantum processors"], &[]),
            ("nova vs core", &["nova", "core"], &[]),
        ] {
            let read = understand(question, &sample.stores).unwrap();
            let found: Vec<&str> = read.wanted.sides.iter().map(|side| side.text.as_str()).collect();
            assert_eq!(found, sides, "{question}");
            assert_eq!(read.ignored, ignored, "{question}");
        }
    }
}
