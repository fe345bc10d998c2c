//! The state of reading a question, and what the readers of words, idioms and filters share.

use std::collections::HashSet;

use super::clause::Clause;
use super::error::QueryError;
use super::hints::Hints;
use super::order::{SortOrder, Superlative};
use super::read_as::ReadAs;
use super::vocabulary::plain;
use crate::model::{Facet, Lookup as _};
use crate::rows::Note;
use crate::stores::Stores;
use crate::values::spelling::normalise;
use crate::values::{EntityKind, Precision};

/// The state of reading a question.
pub(super) struct Interpreter<'q> {
    pub question: &'q str,
    /// The plain words of all of it: what one means may hang on another, wherever that stands.
    pub all_words: HashSet<String>,
    pub stores: &'q Stores,
    pub sort: Option<SortOrder>,
    pub limit: Option<usize>,
    pub offset: Option<usize>,
    pub about: Option<(String, EntityKind)>,
    pub superlative: Option<(String, Superlative)>,
    pub hints: Hints,
    /// What the name that was read last is about.
    pub named_last: Option<Facet>,
    pub asides: Vec<ReadAs>,
    pub ignored: Vec<String>,
    /// The words that were read, as they were taken.
    pub words_read: Vec<String>,
    /// Words that had their effect and show up in no reading.
    pub heard: Vec<String>,
    /// Names that nothing is called by and that the question is about.
    pub unknown_names: Vec<String>,
    /// How many words behind the last one that was read.
    pub unread: usize,
    /// Whether a limit was left out.
    pub has_unmet_limits: bool,
    /// Whether products were named in the plural.
    pub has_plurals: bool,
    /// The last words of the names of whole families that were in the plural: the jetson of `jetsons`.
    pub plural_names: Vec<String>,
    /// How many words were mended, or might have been.
    pub slips_looked_for: usize,
    /// How many words had a colon behind them and were no filter.
    pub words_with_colons: usize,
    /// How many words were neither a name nor in any text.
    pub unknown_words: usize,
    /// How many words were looked for behind the names of makers.
    pub series_looked_for: usize,
    /// How many words were looked for inside of labels.
    pub labels_looked_for: usize,
    /// How many words were looked for among the values of facts.
    pub facts_looked_for: usize,
    pub notes: Vec<Note>,
    /// What ran on as many devices as an instance has, by the words that name the instance.
    pub alike_instances: Vec<Clause>,
}

impl<'q> Interpreter<'q> {
    pub fn new(question: &'q str, stores: &'q Stores) -> Self {
        let all_words: HashSet<String> = question.split_whitespace().map(plain).collect();
        // Looked at once: a question may have very many words.
        let enumerates = question.contains(", ") || all_words.contains("and") || all_words.contains("&");
        Self {
            question,
            all_words,
            stores,
            sort: None,
            limit: None,
            offset: None,
            about: None,
            superlative: None,
            hints: Hints { enumerates, ..Hints::default() },
            named_last: None,
            asides: Vec::new(),
            ignored: Vec::new(),
            words_read: Vec::new(),
            heard: Vec::new(),
            unknown_names: Vec::new(),
            unread: 0,
            has_unmet_limits: false,
            has_plurals: false,
            plural_names: Vec::new(),
            slips_looked_for: 0,
            words_with_colons: 0,
            unknown_words: 0,
            series_looked_for: 0,
            labels_looked_for: 0,
            facts_looked_for: 0,
            notes: Vec::new(),
            alike_instances: Vec::new(),
        }
    }

    /// The values of a facet as shown and as searched. A family includes all its members, a number format the
    /// mixed-precision recipe that computes in it.
    pub fn expanded(
        &mut self,
        text: &str,
        facet: Facet,
        mut values: Vec<String>,
        how: &str,
    ) -> Result<(ReadAs, Vec<String>), QueryError> {
        let kind = match facet {
            Facet::Device => Some(EntityKind::Device),
            Facet::Network => Some(EntityKind::Network),
            _ => None,
        };
        let mut shown = values.clone();
        let mut how = how.to_owned();
        if let Some(kind) = kind {
            for value in &values {
                for member in self.stores.database.descendants(kind, value)? {
                    if !shown.contains(&member) {
                        shown.push(member);
                        if how != "fuzzy" {
                            how = "family".to_owned();
                        }
                    }
                }
            }
        }
        // A group of several families is none itself: the first of them does not stand for the others.
        if let (Some(kind), "family", Some(head)) = (kind, how.as_str(), shown.first()) {
            let members = self.stores.database.descendants(kind, head)?;
            if !shown.iter().all(|value| value == head || members.contains(value)) {
                how = "alias".to_owned();
            }
        }
        if facet == Facet::Architecture {
            for value in values.clone() {
                let of_series = self.architectures_of(&value)?;
                values.extend(of_series.into_iter().filter(|one| !values.contains(one)).collect::<Vec<_>>());
            }
            shown.clone_from(&values);
        }
        if facet == Facet::Precision {
            let mixed: Vec<String> = values
                .iter()
                .filter_map(|value| value.parse::<Precision>().ok()?.also_meant())
                .map(|mixed| mixed.to_string())
                .collect();
            values.extend(mixed);
            shown.clone_from(&values);
        }
        Ok((ReadAs { text: text.to_owned(), facet: facet.to_string(), values: shown, how }, values))
    }

    /// The architectures whose names go on behind another's: Zynq UltraScale+ is a Zynq.
    fn architectures_of(&self, name: &str) -> Result<Vec<String>, QueryError> {
        let begins = |value: &str| {
            let rest = value.get(..name.len()).filter(|head| head.eq_ignore_ascii_case(name));
            // `Cortex-A72 + Cortex-A53` are two.
            rest.is_some() && value[name.len()..].starts_with(' ') && !value[name.len()..].starts_with(" +")
        };
        let names = self.stores.database.beginning(&normalise(name))?;
        let names = names.into_iter().filter(|one| one.facet == Facet::Architecture && begins(&one.value));
        let mut values: Vec<String> = names.map(|one| one.value).collect();
        values.dedup();
        Ok(values)
    }

    pub fn aside(&mut self, text: String, facet: &str, value: &str) {
        let how = "exact".to_owned();
        self.asides.push(ReadAs { text, facet: facet.to_owned(), values: vec![value.to_owned()], how });
    }
}
