//! The categories in which MLPerf Inference takes results, edge and data centre. No row states its own, and a category is no kind of
//! device: a server's card is entered in both.

use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::vocabulary::plain;

/// What stands behind the name of a category.
const NOUNS: &[&str] = &["category", "categories", "division", "suite", "submission", "submissions", "track"];

/// How many words name a category of MLPerf: `edge category`, `data center submissions`.
fn category_at(words: &[&str]) -> Option<usize> {
    let word = |at: usize| words.get(at).map(|word| plain(word)).unwrap_or_default();
    let length = match (word(0).as_str(), word(1).as_str()) {
        ("data", "center" | "centre") => 2,
        ("edge" | "datacenter" | "datacentre" | "data-center" | "data-centre", _) => 1,
        _ => return None,
    };
    NOUNS.contains(&word(length).as_str()).then_some(length + 1)
}

impl Interpreter<'_> {
    /// `edge category`: it is said that rows do not tell it, and by which scenarios they nearly do.
    pub(super) fn category_of_suite(&mut self, words: &[&str]) -> Option<(usize, Idiom)> {
        let taken = category_at(words)?;
        self.hints.leads.push(format!(
            "`{}` is no condition here: rows do not state MLPerf's category; single-stream and multi-stream are run in that of edge \
             alone, server in that of data centres, offline in both.",
            words[..taken].join(" ").trim_matches(|c: char| !c.is_alphanumeric())
        ));
        Some((taken, Idiom::Done))
    }
}

#[cfg(test)]
mod tests {
    use super::category_at;

    #[test]
    fn a_category_is_named_with_its_noun() {
        let at = |text: &str| category_at(&text.split(' ').collect::<Vec<_>>());
        assert_eq!(at("edge category"), Some(2));
        assert_eq!(at("data center submissions, bert"), Some(3));
        assert_eq!(at("edge devices"), None);
        assert_eq!(at("data center gpus"), None);
    }
}
