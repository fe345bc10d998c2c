//! Which filter a key means: an order, a page, a facet, a number, a fact or a field.

use strum::VariantArray;

use super::mistakes::{near_help, no_order, plain_key, whole_number};
use super::number;
use crate::ask::question::bounds::{LONGEST_UNIT, unit_at};
use crate::ask::question::clause::{Clause, either, text_clause};
use crate::ask::question::error::QueryError;
use crate::ask::question::grammar::{Filter, GrammarError, Operator, PartKind, QuestionPart};
use crate::ask::question::interpreter::Interpreter;
use crate::ask::question::order::SortOrder;
use crate::model::{Aspect, Facet, Fact, Field};
use crate::values::{EntityKind, Unit};

impl<'q> Interpreter<'q> {
    /// Reads a filter; `sort:`, `limit:` and `offset:` leave no clause.
    pub(in crate::ask::question) fn filter(&mut self, filter: &Filter<'q>) -> Result<Option<Clause>, QueryError> {
        let key = plain_key(filter.key);
        match key.as_str() {
            "sort" => {
                self.sort_by(filter)?;
                Ok(None)
            }
            "limit" => {
                self.limit = Some(whole_number(filter)?);
                Ok(None)
            }
            "offset" => {
                self.offset = Some(whole_number(filter)?);
                Ok(None)
            }
            "text" if filter.operator != Operator::Is => Err(no_order(&key, filter).into()),
            "text" => {
                let clauses = filter.values.iter().map(|(text, _)| text_clause(text)).collect();
                Ok(either(self.span_text(filter), clauses))
            }
            "year" => self.year(filter).map(Some),
            _ => self.keyed(&key, filter).map(Some),
        }
    }

    /// The filter with the unit that stands in words behind its number, and how many words that are:
    /// `throughput>50 images per minute`, `latency<2 s`.
    pub(in crate::ask::question) fn with_unit(
        &self,
        filter: &Filter<'q>,
        behind: &[QuestionPart<'q>],
    ) -> Result<(Filter<'q>, usize), QueryError> {
        let mut filter = filter.clone();
        let key = plain_key(filter.key);
        let renamed = WORDS.iter().find(|(word, _)| *word == key).map_or(key.as_str(), |(_, key)| key);
        let Some((value, span)) = filter.values.last_mut() else { return Ok((filter, 0)) };
        let is_bare = span.len() == value.len() && value.ends_with(|c: char| c.is_ascii_digit());
        let word = |part: &QuestionPart<'q>| match part.kind {
            PartKind::Word(word) if !part.negated => Some(word),
            _ => None,
        };
        let words: Vec<&str> = behind.iter().take(LONGEST_UNIT).map_while(word).collect();
        if !is_bare || words.is_empty() {
            return Ok((filter, 0));
        }
        let (Some(unit), Some((length, _))) = (self.unit_of_key(renamed)?, unit_at(&words)) else {
            return Ok((filter, 0));
        };
        let whole = span.start..behind[length - 1].span.end;
        let text = &self.question[whole.clone()];
        // A count has no unit: the `x` of `batch>8 x` is none.
        let number = value.rsplit("..").next().map_or(0, str::len);
        if unit == Unit::Count || unit.parse(&text[value.len() - number..].replace(',', "")).is_none() {
            return Ok((filter, 0));
        }
        (*value, *span) = (text, whole);
        Ok((filter, length))
    }

    fn keyed(&mut self, key: &str, filter: &Filter<'q>) -> Result<Clause, QueryError> {
        if let Ok(facet) = key.parse::<Facet>() {
            return self.facet_filter(facet, filter);
        }
        if let Some(number) = self.number_key(key)? {
            return self.number_filter(number, filter);
        }
        let renamed = WORDS.iter().find(|(word, _)| *word == key).map_or(key, |(_, key)| key);
        if let Some(fact) = Fact::filter(renamed) {
            let facts = self.fact_filter(fact, filter)?;
            // A row may say itself by which interface it was run.
            return match renamed.parse::<Field>() {
                Ok(field) => match self.field_filter(field, filter) {
                    Ok(rows) => Ok(either(self.span_text(filter), vec![facts.clone(), rows]).unwrap_or(facts)),
                    // No row has that value, which is no mistake where the fact is meant.
                    Err(QueryError::Grammar(_)) => Ok(facts),
                    Err(error) => Err(error),
                },
                Err(_) => Ok(facts),
            };
        }
        if self.stores.database.fact_keys(EntityKind::HardwareClass)?.iter().any(|metric| metric == key) {
            return self.grade_filter(key, filter);
        }
        match renamed.parse::<Field>() {
            Ok(field) => self.field_filter(field, filter),
            Err(_) => Err(self.unknown_key(filter)?.into()),
        }
    }

    /// Whether a word in front of a colon is no key and near to none: then it is a word like others (`at the edge: …`).
    pub(in crate::ask::question) fn is_word(&mut self, filter: &Filter<'_>) -> Result<bool, QueryError> {
        let is_long = filter.values.iter().any(|(value, _)| value.len() > LONGEST_WORD);
        if filter.operator != Operator::Is || is_long || self.words_with_colons >= MOST_WORDS_WITH_COLONS {
            return Ok(false);
        }
        let key = plain_key(filter.key);
        let renamed = WORDS.iter().find(|(word, _)| *word == key).map_or(key.as_str(), |(_, key)| key);
        let is_key = matches!(key.as_str(), "sort" | "limit" | "offset" | "text" | "year")
            || key.parse::<Facet>().is_ok()
            || Fact::filter(renamed).is_some()
            || renamed.parse::<Field>().is_ok()
            || self.number_key(&key)?.is_some();
        if is_key {
            return Ok(false);
        }
        self.words_with_colons += 1;
        let keys = self.known_keys()?;
        Ok(!keys.contains(&key) && near_help(filter.key, keys.iter().map(String::as_str)).is_none())
    }

    /// Sets the order; the first key that was asked for counts most, and a second one is a mistake.
    fn sort_by(&mut self, filter: &Filter<'q>) -> Result<(), QueryError> {
        let sort = self.sort_of(filter)?;
        if self.sort.is_some_and(|before| before != sort) {
            return Err(GrammarError {
                message: "two orders are asked for".to_owned(),
                span: filter.key_span.start..filter.values.last().map_or(filter.key_span.end, |(_, span)| span.end),
                label: "the second one".to_owned(),
                help: Some("keep the one that matters more".to_owned()),
            }
            .into());
        }
        self.sort = Some(sort);
        Ok(())
    }

    fn sort_of(&self, filter: &Filter<'q>) -> Result<SortOrder, QueryError> {
        let (text, span) = match filter.values.as_slice() {
            [one] if filter.operator == Operator::Is => one.clone(),
            _ => (filter.key, filter.key_span.clone()),
        };
        let (name, descending) = match text.strip_prefix('-') {
            Some(name) => (name, true),
            None => (text, false),
        };
        let key = plain_key(name);
        let by = self.number_key(&key)?.or_else(|| Aspect::named(&key));
        match by.and_then(|by| SortOrder::by(by, descending)) {
            Some(order) => Ok(order),
            None => Err(GrammarError {
                message: format!("nothing to sort by is called `{name}`"),
                span,
                label: "expected a metric, or a field or fact that rows share".to_owned(),
                help: near_help(name, number::names().chain(Aspect::all().map(Aspect::key))),
            }
            .into()),
        }
    }

    /// Every key that a filter can have.
    fn known_keys(&self) -> Result<Vec<String>, QueryError> {
        let grades = self.stores.database.fact_keys(EntityKind::HardwareClass)?;
        let mut known: Vec<&'static str> = vec!["sort", "limit", "offset", "text"];
        known.extend(Facet::VARIANTS.iter().map(|facet| facet.key()));
        known.extend(number::names());
        known.extend(Fact::filters().map(Fact::key));
        known.extend(Field::VARIANTS.iter().map(|field| field.key()));
        known.extend(WORDS.iter().map(|(word, _)| *word));
        Ok(known.into_iter().map(str::to_owned).chain(grades).collect())
    }

    fn unknown_key(&self, filter: &Filter<'_>) -> Result<GrammarError, QueryError> {
        let known = self.known_keys()?;
        let help = near_help(filter.key, known.iter().map(String::as_str)).unwrap_or_else(|| {
            let facets: Vec<&str> = Facet::VARIANTS.iter().map(|facet| facet.key()).collect();
            format!(
                "the filters are {}, every metric (dlbench list metrics), every field of a measurement, and facts such as memory, tdp, parameters, api-language",
                facets.join(", ")
            )
        });
        Ok(GrammarError {
            message: format!("there is no filter `{}`", filter.key),
            span: filter.key_span.clone(),
            label: "no such filter".to_owned(),
            help: Some(help),
        })
    }

    /// The filter as it was written.
    pub(in crate::ask::question) fn span_text(&self, filter: &Filter<'_>) -> String {
        let end = filter.values.last().map_or(filter.key_span.end, |(_, span)| span.end);
        self.question[filter.key_span.start..end].to_owned()
    }
}

/// So many words with a colon are words; who writes more of them means filters.
const MOST_WORDS_WITH_COLONS: usize = 8;

/// A value that is longer is no word.
const LONGEST_WORD: usize = 60;

/// Other words for keys.
const WORDS: &[(&str, &str)] = &[
    ("version", "framework-version"),
    ("params", "parameters"),
    ("parameters-m", "parameters"),
    ("macs", "multiply-adds"),
    ("multiply-adds-g", "multiply-adds"),
    ("memory-gib", "memory"),
    ("vram", "memory"),
    ("bandwidth-gb-per-s", "bandwidth"),
    ("tdp-w", "tdp"),
    ("api", "api-language"),
    ("core", "core-language"),
    ("tested", "tested-network"),
    ("release-year", "released"),
    ("kernels", "kernel-library"),
    ("input", "input-shape"),
    ("shape", "input-shape"),
];
