//! A strict reader of one TOML table: typed keys, a span for every finding, unread keys reported with the likely intended key.

use std::fmt::Display;
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use indexmap::IndexMap;
use strum::VariantArray;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::findings;
use super::findings::{IdReference, ReadFindings};
use super::findings::{TableKeys, ValueKind};
use crate::model::{Code, Diagnostic, SourceFile};
use crate::values::text::{is_placeholder, nearest, nearest_or_begun, normalise, or_list};
use crate::values::{Date, Decimal, EntityId, EntityKind, Precision, Stage};

/// Parses a file and passes its top table to `read`. If there are syntax errors, reports all of them and reads nothing.
pub(super) fn parse<T>(
    file: &Arc<SourceFile>,
    findings: &mut ReadFindings,
    read: impl FnOnce(StrictTable<'_, '_>) -> T,
) -> Option<T> {
    let (table, errors) = DeTable::parse_recoverable(&file.text);
    if errors.is_empty() {
        let span = table.span();
        return Some(read(StrictTable::new(file, table.get_ref(), span, findings)));
    }
    if let Some(mark) = conflict_mark(&file.text) {
        findings.report(Diagnostic::error(
            findings::SYNTAX,
            file,
            Some(mark),
            "a merge conflict is not resolved".to_owned(),
            "keep one side, and delete the three lines of marks",
        ));
        return None;
    }
    if let Some(open) = unclosed_text(&file.text) {
        findings.report(Diagnostic::error(
            findings::SYNTAX,
            file,
            Some(open..open + 3),
            "a text that begins with three quotes has no end".to_owned(),
            "three quotes must follow",
        ));
        return None;
    }
    for error in errors {
        let is_of_quotes =
            ["basic string", "literal string", "opening quote"].iter().any(|word| error.message().contains(word));
        let label = match () {
            () if error.span().is_some_and(|span| is_at_decimal_comma(&file.text, span.start)) => {
                "decimals follow a point: `0.25`"
            }
            () if error.span().is_some_and(|span| is_at_date(&file.text, span.start)) => {
                "a date is written year, month, day: `2026-11-21`"
            }
            () if is_of_quotes => "does a text on this line lack a quote?",
            () => "here",
        };
        let message = format!("not valid TOML: {}", error.message());
        findings.report(Diagnostic::error(findings::SYNTAX, file, error.span(), message, label));
    }
    None
}

/// Offset of an unterminated multi-line text: the first one that swallows a key or a table, else the last one.
fn unclosed_text(text: &str) -> Option<usize> {
    let marks: Vec<usize> = text.match_indices("\"\"\"").map(|(at, _)| at).collect();
    let is_key = |line: &str| {
        let key = line.split_once(" = ").map_or("", |(key, _)| key);
        let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '-';
        line.starts_with("[[") || !key.is_empty() && key.chars().all(is_bare)
    };
    let takes_in = |open: usize, close: usize| text[open + 3..close].lines().skip(1).any(is_key);
    let pairs = marks.chunks(2).filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)));
    let first = pairs.into_iter().find(|(open, close)| takes_in(*open, *close)).map(|(open, _)| open);
    if marks.len() % 2 == 1 { first.or(marks.last().copied()) } else { None }
}

/// Whether the byte at `at`, or the one before it, is a comma between two digits.
fn is_at_decimal_comma(text: &str, at: usize) -> bool {
    let digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let is_comma = |at: usize| text.as_bytes().get(at) == Some(&b',') && at > 0 && digit(at - 1) && digit(at + 1);
    is_comma(at) || at > 0 && is_comma(at - 1)
}

/// Whether the byte at `at` is in or directly after a date in another notation: `21.11.2026`, `11/21/2026`.
fn is_at_date(text: &str, at: usize) -> bool {
    let is_of_date = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'/');
    let (before, behind) = text.as_bytes().split_at(at.min(text.len()));
    let start = before.iter().rev().take_while(|byte| is_of_date(byte)).count();
    let end = behind.iter().take_while(|byte| is_of_date(byte)).count();
    let word = text.get(before.len() - start..before.len() + end).unwrap_or_default();
    let parts: Vec<usize> = word.split(['.', '/']).map(str::len).collect();
    matches!(parts[..], [1..=2, 1..=2, 4] | [4, 1..=2, 1..=2])
}

/// The first conflict marker of a merge.
fn conflict_mark(text: &str) -> Option<Range<usize>> {
    let mark = if text.starts_with("<<<<<<< ") { 0 } else { text.find("\n<<<<<<< ")? + 1 };
    Some(mark..mark + "<<<<<<<".len())
}

/// An empty table, for dry runs of a reader.
static EMPTY: LazyLock<DeTable<'static>> = LazyLock::new(DeTable::new);

/// A word of a closed vocabulary.
pub(super) trait Word: FromStr + VariantArray + Copy + Into<&'static str> + 'static {
    /// The vocabulary.
    fn all() -> Vec<&'static str> {
        Self::VARIANTS.iter().map(|word| (*word).into()).collect()
    }
}

impl<T: FromStr + VariantArray + Copy + Into<&'static str> + 'static> Word for T {}

/// A table that is read strictly: [`StrictTable::finish`] reports every key that was not read.
pub(super) struct StrictTable<'a, 'f> {
    file: &'a Arc<SourceFile>,
    table: &'a DeTable<'a>,
    span: Range<usize>,
    known: Vec<&'static str>,
    findings: &'f mut ReadFindings,
}

impl<'a, 'f> StrictTable<'a, 'f> {
    pub fn new(
        file: &'a Arc<SourceFile>,
        table: &'a DeTable<'a>,
        span: Range<usize>,
        findings: &'f mut ReadFindings,
    ) -> Self {
        findings.open_table();
        Self { file, table, span, known: Vec::new(), findings }
    }

    pub fn file(&self) -> &'a Arc<SourceFile> {
        self.file
    }

    /// The span of the table.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The keys that are present.
    pub fn keys(&self) -> Vec<&'a str> {
        self.table.keys().map(|key| key.get_ref().as_ref()).collect()
    }

    /// On a dry run, records the type of the values of a table with free keys.
    pub fn note(&mut self, key: &'static str, kind: ValueKind) {
        self.findings.note(key, || kind);
    }

    pub fn findings(&mut self) -> &mut ReadFindings {
        self.findings
    }

    /// Reports an error at a place in this file.
    pub fn report(&mut self, code: Code, span: Range<usize>, message: impl Into<String>, label: impl Into<String>) {
        self.findings.report(Diagnostic::error(code, self.file, Some(span), message, label));
    }

    /// Reports an error of the table as a whole.
    pub fn report_here(&mut self, code: Code, message: impl Into<String>, label: impl Into<String>) {
        self.report(code, self.span.clone(), message, label);
    }

    /// The raw value of a key, which is marked as read.
    pub fn value(&mut self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.known.push(key);
        self.table.get(key)
    }

    /// A text; empty and blank texts are errors, because absent facts are left out.
    pub fn text(&mut self, key: &'static str) -> Option<String> {
        self.findings.note(key, || ValueKind::Text);
        self.spanned_text(key).map(|(text, _)| text.to_owned())
    }

    /// A text that is required.
    pub fn required_text(&mut self, key: &'static str) -> Option<String> {
        self.require(key);
        self.text(key)
    }

    /// A text that is parsed as `T`.
    pub fn parsed<T: FromStr<Err: Display>>(&mut self, key: &'static str) -> Option<T> {
        self.findings.note(key, || ValueKind::Text);
        let (text, span) = self.spanned_text(key)?;
        self.parse_text(key, text, span)
    }

    /// A word of a closed vocabulary.
    pub fn word<T: Word>(&mut self, key: &'static str) -> Option<T> {
        self.findings.note(key, || ValueKind::Word(T::all()));
        let (text, span) = self.spanned_text(key)?;
        self.word_of(key, text, span)
    }

    /// A list of words of a closed vocabulary.
    pub fn words<T: Word>(&mut self, key: &'static str) -> Vec<T> {
        self.findings.note(key, || ValueKind::Words(T::all()));
        let texts = self.spanned_texts(key);
        texts.into_iter().filter_map(|(text, span)| self.word_of(key, text, span)).collect()
    }

    /// A list of texts; empty if the key is absent.
    pub fn texts(&mut self, key: &'static str) -> Vec<String> {
        self.findings.note(key, || ValueKind::Texts);
        self.spanned_texts(key).into_iter().map(|(text, _)| text.to_owned()).collect()
    }

    /// The id of an entity, which is looked up later.
    pub fn id(&mut self, key: &'static str, kind: EntityKind) -> Option<EntityId> {
        self.findings.note(key, || ValueKind::Id(kind));
        let (text, span) = self.spanned_text(key)?;
        self.id_of(key, text, span, kind)
    }

    /// The id of an entity that is required.
    pub fn required_id(&mut self, key: &'static str, kind: EntityKind) -> Option<EntityId> {
        self.require(key);
        self.id(key, kind)
    }

    /// A list of ids of entities, which are looked up later.
    pub fn ids(&mut self, key: &'static str, kind: EntityKind) -> Vec<EntityId> {
        self.findings.note(key, || ValueKind::Ids(kind));
        let texts = self.spanned_texts(key);
        texts.into_iter().filter_map(|(text, span)| self.id_of(key, text, span, kind)).collect()
    }

    /// A whole number of 1 or more.
    pub fn count(&mut self, key: &'static str) -> Option<i64> {
        let count = |value: &DeValue<'_>| integer(value).filter(|&count| count >= 1);
        self.scalar(key, ValueKind::Count, "a whole number of 1 or more", count)
    }

    /// A year of four digits, not before the invention of printing (1450).
    pub fn year(&mut self, key: &'static str) -> Option<i64> {
        let year = self.count(key)?;
        if !(1450..10_000).contains(&year) {
            let value = self.value(key)?;
            self.report(
                findings::WRONG_VALUE,
                value.span(),
                format!("`{key}` is not a year: {year}"),
                "expected one such as 2018",
            );
            return None;
        }
        Some(year)
    }

    /// A number of 0 or more that keeps the digits as written.
    pub fn decimal(&mut self, key: &'static str) -> Option<Decimal> {
        self.scalar(key, ValueKind::Number, "a number of 0 or more", not_negative)
    }

    /// A list of numbers of 0 or more; empty if the key is absent.
    pub fn numbers(&mut self, key: &'static str) -> Vec<Decimal> {
        self.findings.note(key, || ValueKind::NumberList);
        self.list_of(key, "numbers", "a number of 0 or more", not_negative)
    }

    /// A list of whole numbers of at least `least`; empty if the key is absent.
    pub fn counts(&mut self, key: &'static str, least: i64) -> Vec<i64> {
        self.findings.note(key, || ValueKind::CountList(least));
        let count = |value: &DeValue<'_>| integer(value).filter(|&count| count >= least);
        self.list_of(key, "whole numbers", &format!("a whole number of {least} or more"), count)
    }

    /// `true` or `false`.
    pub fn flag(&mut self, key: &'static str) -> Option<bool> {
        self.scalar(key, ValueKind::Flag, "true or false", |value| value.as_bool())
    }

    /// A date: a TOML date if the day is known, else a text such as "2017-12".
    pub fn date(&mut self, key: &'static str) -> Option<Date> {
        self.scalar(key, ValueKind::Date, "a date: 2017-12-07, or \"2017-12\" or \"2017\" in quotes", date)
    }

    /// Reads a table inside this one.
    pub fn one<T>(&mut self, key: &'static str, mut read: impl FnMut(StrictTable<'a, '_>) -> T) -> Option<T> {
        self.ask(key, &mut read, ValueKind::One);
        let value = self.value(key)?;
        self.inner(key, value, &format!("a table [{key}]")).map(read)
    }

    /// The entries of a table with free keys, each with the span of its key.
    pub fn entries(&mut self, key: &'static str) -> Vec<(&'a str, Range<usize>, &'a Spanned<DeValue<'a>>)> {
        self.findings.note(key, || ValueKind::Free);
        let Some(value) = self.value(key) else {
            return Vec::new();
        };
        match value.get_ref() {
            DeValue::Table(table) => {
                table.iter().map(|(key, value)| (key.get_ref().as_ref(), key.span(), value)).collect()
            }
            _ => {
                self.expected::<()>(key, value, &format!("a table [{key}]"));
                Vec::new()
            }
        }
    }

    /// Reads each table of an array of tables.
    pub fn each<T>(&mut self, key: &'static str, mut read: impl FnMut(StrictTable<'a, '_>) -> Option<T>) -> Vec<T> {
        self.ask(key, &mut read, ValueKind::Each);
        let Some(value) = self.value(key) else {
            return Vec::new();
        };
        let DeValue::Array(items) = value.get_ref() else {
            self.expected::<()>(key, value, &format!("tables [[{key}]]"));
            return Vec::new();
        };
        let what = format!("a table [[{key}]]");
        items.iter().filter_map(|item| self.inner(key, item, &what).and_then(&mut read)).collect()
    }

    /// Reads the tables inside a table whose keys are ids of entities: `[reported.<source>]`.
    pub fn each_by_id<T>(
        &mut self,
        key: &'static str,
        kind: EntityKind,
        mut read: impl FnMut(StrictTable<'a, '_>) -> T,
    ) -> Vec<(EntityId, T)> {
        self.ask(key, &mut read, ValueKind::ById);
        let mut read_items = Vec::new();
        for (name, span, value) in self.entries(key) {
            if let Some(id) = self.id_of(key, name, span, kind)
                && let Some(inner) = self.inner(key, value, &format!("a table [{key}.{name}]"))
            {
                read_items.push((id, read(inner)));
            }
        }
        read_items
    }

    /// Reads the tables inside a table whose keys are ids, but not of entities of the catalog.
    pub fn each_key<T>(
        &mut self,
        key: &'static str,
        mut read: impl FnMut(StrictTable<'a, '_>) -> Option<T>,
    ) -> IndexMap<EntityId, T> {
        self.ask(key, &mut read, ValueKind::ByKey);
        let mut read_items = IndexMap::new();
        for (name, span, value) in self.entries(key) {
            if let Some(id) = self.parse_text("key", name, span)
                && let Some(inner) = self.inner(name, value, "a table")
            {
                read_items.extend(read(inner).map(|item| (id, item)));
            }
        }
        read_items
    }

    /// On a dry run, reads an empty table to record which keys the reader reads.
    fn ask<T>(
        &mut self,
        key: &'static str,
        read: &mut impl FnMut(StrictTable<'a, '_>) -> T,
        kind: fn(TableKeys) -> ValueKind,
    ) {
        if self.findings.is_recording() {
            read(StrictTable::new(self.file, &EMPTY, 0..0, self.findings));
            let record = self.findings.record();
            self.findings.note(key, || kind(record));
        }
    }

    /// Opens a table value for strict reading.
    fn inner(&mut self, key: &str, value: &'a Spanned<DeValue<'a>>, what: &str) -> Option<StrictTable<'a, '_>> {
        match value.get_ref() {
            DeValue::Table(table) => Some(StrictTable::new(self.file, table, value.span(), self.findings)),
            _ => self.expected(key, value, what),
        }
    }

    fn scalar<T>(
        &mut self,
        key: &'static str,
        kind: ValueKind,
        what: &str,
        read: impl FnOnce(&DeValue<'_>) -> Option<T>,
    ) -> Option<T> {
        self.findings.note(key, || kind);
        let value = self.value(key)?;
        read(value.get_ref()).or_else(|| self.expected(key, value, what))
    }

    /// Reports `key` if it is missing.
    pub fn require(&mut self, key: &'static str) {
        self.findings.require(key);
        if !self.table.contains_key(key) {
            let span = self.span.start..self.span.start;
            self.report(
                findings::MISSING_KEY,
                span,
                format!("the key `{key}` is missing"),
                format!("`{key}` is needed here"),
            );
        }
    }

    /// Reports every key that was not read.
    pub fn finish(self) {
        for key in self.table.keys() {
            let name = key.get_ref().as_ref();
            if self.known.contains(&name) {
                continue;
            }
            self.findings.report(unknown_key(self.file, key.span(), name, self.known.iter().copied()));
        }
        self.findings.close_table();
    }

    fn list_of<T>(
        &mut self,
        key: &'static str,
        items_are: &str,
        item_is: &str,
        read: impl Fn(&DeValue<'_>) -> Option<T>,
    ) -> Vec<T> {
        let Some(value) = self.value(key) else {
            return Vec::new();
        };
        let DeValue::Array(items) = value.get_ref() else {
            self.expected::<()>(key, value, &format!("a list of {items_are}"));
            return Vec::new();
        };
        items.iter().filter_map(|item| read(item.get_ref()).or_else(|| self.expected(key, item, item_is))).collect()
    }

    /// A text with its span.
    fn spanned_text(&mut self, key: &'static str) -> Option<(&'a str, Range<usize>)> {
        let value = self.value(key)?;
        Some((self.text_of(key, value)?, value.span()))
    }

    /// A list of texts, each with its span.
    pub fn spanned_texts(&mut self, key: &'static str) -> Vec<(&'a str, Range<usize>)> {
        let Some(value) = self.value(key) else {
            return Vec::new();
        };
        let DeValue::Array(items) = value.get_ref() else {
            self.expected::<()>(key, value, "a list of texts, such as [\"a\", \"b\"]");
            return Vec::new();
        };
        items.iter().filter_map(|item| Some((self.text_of(key, item)?, item.span()))).collect()
    }

    fn text_of(&mut self, key: &str, value: &'a Spanned<DeValue<'a>>) -> Option<&'a str> {
        match value.get_ref() {
            DeValue::String(text) if !text.trim().is_empty() => Some(text.as_ref()),
            DeValue::String(_) => {
                let label = "leave the key out when the fact is not known";
                self.report(findings::EMPTY_TEXT, value.span(), format!("`{key}` is empty"), label);
                None
            }
            _ => self.expected(key, value, "a text in quotes"),
        }
    }

    fn parse_text<T: FromStr<Err: Display>>(&mut self, key: &str, text: &str, span: Range<usize>) -> Option<T> {
        match text.parse() {
            Ok(parsed) => Some(parsed),
            Err(error) => {
                self.report(
                    findings::WRONG_VALUE,
                    span,
                    format!("`{key}` cannot be read: {text:?}"),
                    error.to_string(),
                );
                None
            }
        }
    }

    fn word_of<T: Word>(&mut self, key: &str, text: &str, span: Range<usize>) -> Option<T> {
        let parsed = text.parse().ok();
        if parsed.is_none() {
            self.findings.report(unknown_word(self.file, span, key, text, &T::all()));
        }
        parsed
    }

    pub fn id_of(&mut self, key: &str, text: &str, span: Range<usize>, kind: EntityKind) -> Option<EntityId> {
        let id: Option<EntityId> = self.parse_text(key, text, span.clone());
        let named = id.clone().ok_or_else(|| text.to_owned());
        self.findings.refer(IdReference { file: Arc::clone(self.file), span: Some(span), kind, id: named });
        id
    }

    /// Reports that a value is not of the type that the key needs.
    pub fn expected<T>(&mut self, key: &str, value: &Spanned<DeValue<'_>>, what: &str) -> Option<T> {
        let message = format!("`{key}` must be {what}, found {}", shown(value.get_ref()));
        self.report(findings::WRONG_VALUE, value.span(), message, format!("expected {what}"));
        None
    }
}

fn not_negative(value: &DeValue<'_>) -> Option<Decimal> {
    decimal(value).filter(|number| number.value() >= 0.0)
}

/// An integer in any radix, if it fits into `i64`.
pub(super) fn integer(value: &DeValue<'_>) -> Option<i64> {
    match value {
        DeValue::Integer(integer) => i64::from_str_radix(&integer.as_str().replace('_', ""), integer.radix()).ok(),
        _ => None,
    }
}

/// A decimal integer or a finite float, with its digits as written.
pub(super) fn decimal(value: &DeValue<'_>) -> Option<Decimal> {
    match value {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

/// The label for a value that is not a number; explains when a number has digits that cannot be represented.
pub(super) fn expected_number(value: &DeValue<'_>) -> String {
    let text = match value {
        DeValue::Integer(number) => number.as_str(),
        DeValue::Float(number) => number.as_str(),
        DeValue::String(text) if text.parse::<Decimal>().is_ok() => {
            return "expected a number: remove the quotes".to_owned();
        }
        _ => "",
    };
    text.parse::<Decimal>().map_or_else(|error| error.to_string(), |_| "expected a number".to_owned())
}

/// A date in either of its two notations.
pub(super) fn date(value: &DeValue<'_>) -> Option<Date> {
    match value {
        DeValue::String(text) => text.parse().ok(),
        DeValue::Datetime(date) if date.time.is_none() => date.date?.to_string().parse().ok(),
        _ => None,
    }
}

/// A scalar as the value of a field is displayed.
pub(super) fn plain(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.as_ref().to_owned()),
        other => integer(other)
            .map(|count| count.to_string())
            .or_else(|| decimal(other).map(|number| number.to_string()))
            .or_else(|| date(other).map(|date| date.to_string())),
    }
}

/// A value for a message: itself if it is short, else its type.
fn shown(value: &DeValue<'_>) -> String {
    const SHORT: usize = 40;
    match value {
        DeValue::String(text) if text.len() <= SHORT => format!("the text {:?}", text.as_ref()),
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Array(items) if items.is_empty() => "an empty list".to_owned(),
        other => type_name(other).to_owned(),
    }
}

/// The type of a value, for a message.
pub(super) fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with decimals",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// The finding for an unknown key, with the nearest known keys.
pub(super) fn unknown_key<'k>(
    file: &Arc<SourceFile>,
    span: Range<usize>,
    name: &str,
    known: impl Iterator<Item = &'k str>,
) -> Diagnostic {
    let known: Vec<&str> = known.collect();
    let near = nearest_or_begun(name, &known, 3);
    let help = if name == "id" {
        "an entity in a file of its own has the name of the file as its id: remove the key".to_owned()
    } else if near.is_empty() {
        format!("the keys here are {}", known.join(", "))
    } else {
        let near: Vec<String> = near.iter().map(|key| format!("`{key}`")).collect();
        format!("did you mean {}?", or_list(&near))
    };
    Diagnostic::error(findings::UNKNOWN_KEY, file, Some(span), format!("unknown key `{name}`"), "no such key")
        .help(help)
}

/// The finding for a word outside its vocabulary, with the allowed words.
pub(super) fn unknown_word(
    file: &Arc<SourceFile>,
    span: Range<usize>,
    key: &str,
    text: &str,
    words: &[&str],
) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        findings::UNKNOWN_WORD,
        file,
        Some(span),
        format!("`{key}` cannot be {text:?}"),
        format!("expected {}", or_list(words)),
    );
    if is_placeholder(text) {
        return diagnostic.help(UNKNOWN_IS_LEFT_OUT);
    }
    let meant = meant(key, text).filter(|word| words.contains(word));
    let spelled = words.iter().copied().find(|word| normalise(word) == normalise(text));
    match meant.or(spelled).or_else(|| nearest(text, words.iter().copied(), 1).first().copied()) {
        Some(near) => diagnostic.help(format!("did you mean \"{near}\"?")),
        None => diagnostic,
    }
}

/// The advice on a placeholder.
pub(super) const UNKNOWN_IS_LEFT_OUT: &str = "leave out what is not known: remove it";

/// The word of the vocabulary for a synonym: `inference` is `eval`.
fn meant(key: &str, text: &str) -> Option<&'static str> {
    let is = |spellings: &[&str]| spellings.iter().any(|spelling| normalise(spelling) == normalise(text));
    match key {
        "stage" => Stage::VARIANTS.iter().find(|stage| is(stage.spellings())).map(|stage| (*stage).into()),
        "precision" => {
            Precision::VARIANTS.iter().find(|precision| is(precision.spellings())).map(|precision| (*precision).into())
        }
        _ => None,
    }
}

/// The keys that a reader of a table reads, determined by a dry run.
pub(super) fn keys_read_by<T>(read: impl FnOnce(StrictTable<'_, '_>) -> T) -> TableKeys {
    let file = Arc::new(SourceFile::new(PathBuf::new(), ""));
    let mut findings = ReadFindings::recording();
    parse(&file, &mut findings, read);
    findings.record()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The label of each syntax error of a file.
    fn labels(text: &str) -> Vec<String> {
        let mut findings = ReadFindings::default();
        parse(&Arc::new(SourceFile::new("a.toml", text)), &mut findings, |_| ());
        findings.into_sorted().into_iter().map(|found| found.primary.label).collect()
    }

    #[test]
    fn a_text_without_an_end_is_named_where_it_begins() {
        let line = |text: &str| unclosed_text(text).map(|at| text[..at].lines().count());
        let [open, whole] = ["notes = \"\"\"\nwords\nb = 2\n", "notes = \"\"\"\nwords\n\"\"\"\n"];
        assert_eq!(line(open), Some(1));
        assert_eq!(line(&[whole, open].concat()), Some(4));
        assert_eq!(line(&[open, whole].concat()), Some(1));
        assert_eq!(line(whole), None);
        assert_eq!(labels(open), ["three quotes must follow"]);
    }

    #[test]
    fn a_date_in_another_notation_is_named_where_it_is_and_nowhere_else() {
        let is_date = |label: &String| label.starts_with("a date is written");
        for text in ["day = 21.11.2026\n", "name = \"é\"\nday = 11/21/2026\n", "day = 2026/11/21\n"] {
            assert!(labels(text).iter().any(is_date), "{text}: {:?}", labels(text));
        }
        for text in ["os = \"1.2.2026\" x\n", "version = 2.11.0\n", "a = 0,25\n"] {
            assert!(!labels(text).is_empty() && !labels(text).iter().any(is_date), "{text}: {:?}", labels(text));
        }
        // An offset inside a character.
        assert!(!is_at_date("é", 1));
    }
}
