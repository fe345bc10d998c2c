//! Reads explicit language and words in one question. Each part becomes pieces that tile the words, and a term or a directive.

use std::cell::Cell;
use std::ops::Range;

use super::directive::{self, Directive};
use super::error::Result;
use super::filter::{key_named, known_keys, near_help, term, unit_of, unknown_key};
use super::grammar::{self, Alternatives, FilterPart, Part, PartKind};
use super::piece::{Means, Piece, Word};
use super::question::{Ask, Filter, Is, Key, Question, Reach, Term, Test};
use super::rules::{self, Pieces};
use super::span::{How, Span};
use super::spans;
use super::{ask, names};
use crate::model::Lookup;
use crate::stores::database::DatabaseError;
use crate::stores::resolve::without_marks;
use crate::values::Unit;

/// At most this many unknown keys of a question are checked for misspelling.
const MOST_WORDS_WITH_COLONS: usize = 8;

/// A question has at most this many words and filters.
const MOST_WORDS: usize = 500;

/// A unit has at most this many words.
const LONGEST_UNIT: usize = 3;

/// Parses a question. Looks up names and the lexicon, but never rows, so the same words always read the same.
///
/// # Errors
///
/// When explicit language has a mistake or the lookup fails.
pub fn parse<L>(text: &str, names: &L) -> Result<Question>
where
    L: Lookup<Error = DatabaseError>,
{
    let (typed, text) = (text, &without_marks(text));
    let checked = Cell::new(0);
    let alternatives = grammar::read(text, &|part| is_filter(part, names, &checked))?;
    let mut reader =
        Reader { text, names, said: Question::default(), asks: false, spans: Vec::new(), depth: 0, words: 0 };
    let mut read = Sequence::default();
    let (mut question, list) = match <[_; 1]>::try_from(alternatives) {
        Ok([parts]) => reader.sequence(parts, &mut read)?,
        Err(several) => (Question { subject: reader.alternatives(several)?, ..Question::default() }, Vec::new()),
    };
    reader.answer(&mut question, &Pieces { list, words: &read.words });
    question.spans.iter_mut().for_each(|span| span.text = typed[span.from..span.to].to_owned());
    Ok(question)
}

/// Whether text in the form of a filter is one. A key that is not close to any known key is a plain word (`at the edge:`).
fn is_filter<L>(part: &FilterPart<'_>, names: &L, checked: &Cell<usize>) -> Result<bool>
where
    L: Lookup<Error = DatabaseError>,
{
    if Directive::named(part.key).is_some() || key_named(part.key, names)?.is_some() {
        return Ok(true);
    }
    if checked.replace(checked.get() + 1) >= MOST_WORDS_WITH_COLONS {
        return Ok(false);
    }
    let others: Vec<&str> = Directive::keys().collect();
    match near_help(part.key, known_keys().chain(others.iter().copied())) {
        Some(_) => Err(unknown_key(part.key, part.key_place.clone(), &others).into()),
        None => Ok(false),
    }
}

struct Reader<'q, 'n, L> {
    text: &'q str,
    names: &'n L,
    /// The directives and sides of explicit parts.
    said: Question,
    /// Whether an explicit part sets the kind of answer.
    asks: bool,
    /// The spans of explicit parts and of groups.
    spans: Vec<Span>,
    /// The number of open groups.
    depth: usize,
    /// The number of words and filters read so far.
    words: usize,
}

/// A sequence of parts while it is being read.
#[derive(Default)]
struct Sequence<'q> {
    words: Vec<Word<'q>>,
    pieces: Vec<Piece>,
    /// Explicit conditions, each with whether a piece states the same test.
    terms: Vec<(Term, bool)>,
    has_words: bool,
}

impl Sequence<'_> {
    /// Adds a condition unless it is already there.
    fn add(&mut self, term: Term, is_piece: bool) {
        if self.terms.iter().all(|(there, _)| *there != term) {
            self.terms.push((term, is_piece));
        }
    }
}

impl<'q, L> Reader<'q, '_, L>
where
    L: Lookup<Error = DatabaseError>,
{
    /// Reads a sequence as a question, with its explicit conditions in the subject.
    fn sequence(&mut self, parts: Vec<Part<'q>>, read: &mut Sequence<'q>) -> Result<(Question, Vec<Piece>)> {
        self.collect(parts, read)?;
        let terms = std::mem::take(&mut read.terms).into_iter();
        let list = std::mem::take(&mut read.pieces);
        if !read.has_words {
            let subject = Filter { terms: terms.map(|(term, _)| term).collect() };
            return Ok((Question { subject, ..Question::default() }, list));
        }
        let (mut question, pieces) = rules::compose(list, &read.words);
        for filter in question.sides.iter_mut().chain([&mut question.subject]) {
            names::expand(filter, self.names)?;
        }
        let explicit = terms.filter(|(_, is_piece)| !is_piece).map(|(term, _)| term);
        question.subject = Filter::of(question.subject.terms.into_iter().chain(explicit));
        let plain = pieces.list.iter().filter(|piece| piece.how != How::Filter);
        let plain: Vec<Span> = plain.map(|piece| spans::span(piece, &read.words, self.text)).collect();
        // If a rule fused a filter with words, the filter's own span is dropped.
        self.spans.retain(|filter| !plain.iter().any(|span| span.from <= filter.from && filter.to <= span.to));
        self.spans.extend(plain);
        Ok((question, pieces.list))
    }

    fn collect(&mut self, parts: Vec<Part<'q>>, read: &mut Sequence<'q>) -> Result<()> {
        let mut parts = parts.into_iter().peekable();
        let mut is_side = false;
        while let Some(Part { negated, place, kind }) = parts.next() {
            self.count(usize::from(!matches!(kind, PartKind::Words)), &place)?;
            match kind {
                PartKind::Words => self.plain(negated, place, read)?,
                PartKind::Quoted(text) => {
                    let test = Test { key: Key::Text, is: Is::OneOf(vec![text.to_owned()]) };
                    self.span(place, "text", vec![text.to_owned()], read);
                    read.add(not_if(negated, Term::Test(test)), false);
                }
                PartKind::Filter(mut filter) => {
                    let mut end = place.end;
                    if let Some(Part { negated: false, place: behind, kind: PartKind::Words }) = parts.peek_mut() {
                        end = self.with_unit(&mut filter, behind.start..behind.end)?.unwrap_or(end);
                        behind.start = behind.start.max(end);
                    }
                    self.filter(negated, place.start..end, filter, read)?;
                }
                PartKind::Group(side)
                    if !negated && (is_side || matches!(parts.peek(), Some(Part { kind: PartKind::Versus, .. }))) =>
                {
                    let side = self.group(side)?;
                    self.said.sides.push(side);
                    is_side = false;
                }
                PartKind::Group(mut inner) if !negated && inner.len() == 1 => {
                    self.collect(inner.pop().unwrap_or_default(), read)?;
                }
                PartKind::Group(inner) => {
                    let filter = self.group(inner)?;
                    let term = if negated { vec![Term::Not(filter)] } else { filter.terms };
                    term.into_iter().for_each(|term| read.add(term, false));
                }
                PartKind::Or => self.span(place, "link", vec!["or".to_owned()], read),
                PartKind::Versus => {
                    self.span(place, "link", vec!["versus".to_owned()], read);
                    is_side = true;
                }
            }
        }
        Ok(())
    }

    /// Reads a group as a filter. Whatever else the group asks for applies to the whole question.
    fn group(&mut self, alternatives: Alternatives<'q>) -> Result<Filter> {
        self.depth += 1;
        let filter = self.alternatives(alternatives);
        self.depth -= 1;
        filter
    }

    fn alternatives(&mut self, alternatives: Alternatives<'q>) -> Result<Filter> {
        let mut filters = Vec::new();
        for parts in alternatives {
            let (question, _) = self.sequence(parts, &mut Sequence::default())?;
            // An alternative of unread words is dropped, because an empty filter would match everything.
            filters.extend((!question.subject.terms.is_empty()).then(|| question.subject.clone()));
            absorb(&mut self.said, question);
        }
        let are_several = filters.len() > 1;
        Ok(if are_several { Filter { terms: vec![Term::Any(filters)] } } else { filters.pop().unwrap_or_default() })
    }

    /// Rejects a question that is too long.
    fn count(&mut self, words: usize, place: &Range<usize>) -> Result<()> {
        self.words += words;
        if self.words <= MOST_WORDS {
            return Ok(());
        }
        let label = format!("{MOST_WORDS} words are the limit");
        Err(grammar::error(place.clone(), "the question is too long", label).into())
    }

    fn plain(&mut self, negated: bool, place: Range<usize>, read: &mut Sequence<'q>) -> Result<()> {
        let mut from = place.start;
        if negated {
            let at = read.words.len();
            read.pieces.push(Piece::new(at..at + 1, Means::Not, How::Lexicon));
            read.words.push(Word { text: &self.text[from..from + 1], from, comma: false });
            from += 1;
        }
        let first = read.words.len();
        let mut words = spans::words(&self.text[from..place.end]);
        self.count(words.len(), &place)?;
        words.iter_mut().for_each(|word| word.from += from);
        let mut words = spans::names_apart(words, self.names)?;
        for mut piece in spans::tile(&words, self.names)? {
            piece.words = piece.words.start + first..piece.words.end + first;
            read.pieces.push(piece);
        }
        read.has_words |= !words.is_empty();
        read.words.append(&mut words);
        Ok(())
    }

    fn filter(&mut self, is_not: bool, at: Range<usize>, filter: FilterPart<'q>, to: &mut Sequence<'q>) -> Result<()> {
        let values: Vec<String> = filter.values.iter().map(|(value, _)| (*value).to_owned()).collect();
        if let Some(directive) = Directive::named(filter.key) {
            let in_brackets = self.depth > 0 && self.text[..at.start].contains('(');
            if is_not || in_brackets {
                let mistake = format!("`{}` is asked of the whole question", filter.key);
                return Err(grammar::error(filter.key_place, mistake, "write it outside of brackets").into());
            }
            // Next to other words, an unknown sort key is reported as unread and the rest is answered.
            let unsorted = match values.first().filter(|_| directive == Directive::Sort && !to.pieces.is_empty()) {
                Some(by) => directive::order_named(by, self.names)?.is_none(),
                None => false,
            };
            if unsorted {
                self.span(at, "", values, to);
                self.spans.iter_mut().next_back().into_iter().for_each(|span| span.how = How::Unread);
                return Ok(());
            }
            let mut part = filter;
            let group = part.group.take().map(|group| self.group(group)).transpose()?;
            directive::take_in(directive, &part, group, self.names, &mut self.said)?;
            self.asks |= directive == Directive::Ask;
            // The content of brackets has spans of its own.
            let at = if values.is_empty() { at.start..part.key_place.end + 1 } else { at };
            self.span(at, <&str>::from(directive), values, to);
            return Ok(());
        }
        let Some(key) = key_named(filter.key, self.names)? else { return Ok(()) };
        if filter.group.is_some() {
            let mistake = format!("the filter `{}` has no value", filter.key);
            return Err(
                grammar::error(filter.key_place, mistake, format!("write {}:… without brackets", key.key())).into()
            );
        }
        let name = key.key().to_owned();
        let term = not_if(is_not, term(key, &filter, self.names)?);
        let values = match &term {
            Term::Test(Test { is: Is::OneOf(values), .. }) => values.clone(),
            _ => vec![self.text[filter.key_place.end..at.end].trim_start_matches([':', '=']).to_owned()],
        };
        self.span(at, &name, values, to);
        let test = if let Term::Test(test) = &term { Some(test.clone()) } else { None };
        if let (Some(test), Some(piece)) = (&test, to.pieces.last_mut()) {
            piece.means = Means::Test(test.clone());
        }
        to.add(term, test.is_some());
        Ok(())
    }

    /// Adds the span of an explicit part, and a filler piece for it that rules pass over.
    fn span(&mut self, place: Range<usize>, facet: &str, values: Vec<String>, read: &mut Sequence<'q>) {
        let text = &self.text[place.clone()];
        let at = read.words.len();
        read.words.push(Word { text, from: place.start, comma: false });
        read.pieces.push(Piece { words: at..at + 1, means: Means::Filler, how: How::Filter, rule: "filter" });
        self.spans.push(Span {
            text: text.to_owned(),
            from: place.start,
            to: place.end,
            facet: facet.to_owned(),
            values,
            how: How::Filter,
            rule: "filter",
        });
    }

    /// Adds unit words after a filter's number to its value: `throughput>50 images per minute`. Returns the end of the unit.
    fn with_unit(&self, filter: &mut FilterPart<'q>, behind: Range<usize>) -> Result<Option<usize>> {
        let Some((value, place)) = filter.values.last_mut() else { return Ok(None) };
        let is_bare = place.len() == value.len() && value.ends_with(|c: char| c.is_ascii_digit());
        if !is_bare || Directive::named(filter.key).is_some() || !self.text[place.end..].starts_with(' ') {
            return Ok(None);
        }
        let key = key_named(filter.key, self.names)?;
        let Some(unit) = key.as_ref().and_then(unit_of).filter(|unit| *unit != Unit::Count) else { return Ok(None) };
        let start = place.end - value.rsplit("..").next().map_or(0, str::len);
        let ends = spans::words(&self.text[behind.clone()]).into_iter().take(LONGEST_UNIT);
        let ends: Vec<usize> = ends.map(|word| behind.start + word.to()).collect();
        let end = ends.into_iter().rev().find(|end| unit.parse(&self.text[start..*end].replace(',', "")).is_some());
        if let Some(end) = end {
            place.end = end;
            *value = &self.text[place.clone()];
        }
        Ok(end)
    }

    /// Completes a question with what explicit parts say, the kind of answer, and the spans.
    fn answer(mut self, question: &mut Question, pieces: &Pieces<'_>) {
        let asked = self.said.ask;
        absorb(question, self.said);
        match self.asks {
            true => question.ask = asked,
            false => {
                question.ask = ask::kind_of_answer(question, pieces);
                ask::count_needed(question, pieces);
                ask::adjust_to_answer_kind(question);
            }
        }
        // Whether something fits depends on its size alone, so quantities such as speed are marked unread.
        let is_size = |span: &Span| span.values.iter().any(|value| value.contains("memory") || value.contains("size"));
        let fits = question.ask == Ask::Fits && question.order.is_none();
        let beside = |span: &&mut Span| fits && span.facet == "quantity" && !is_size(span);
        self.spans.iter_mut().filter(beside).for_each(|span| span.how = How::Unread);
        // Only a grade answer uses the word `grades`; otherwise it is marked unread.
        let graded = |span: &&mut Span| question.ask != Ask::Grade && span.facet == "ask" && span.values == ["grades"];
        self.spans.iter_mut().filter(graded).for_each(|span| span.how = How::Unread);
        self.spans.sort_by_key(|span| span.from);
        question.spans = self.spans;
    }
}

/// Merges another question, except for its subject and spans.
fn absorb(question: &mut Question, other: Question) {
    if !other.sides.is_empty() {
        question.sides = other.sides;
    }
    question.wants.extend(other.wants.into_iter().filter(|want| !question.wants.contains(want)).collect::<Vec<_>>());
    question.of = other.of.or(question.of.take());
    question.along = other.along.or(question.along);
    question.lines = other.lines.or(question.lines.take());
    question.order = other.order.or(question.order.take());
    if other.reach != Reach::default() {
        question.reach = other.reach;
    }
    question.beyond = other.beyond.or(question.beyond.take());
    question.holds |= other.holds;
    question.take = other.take.or(question.take);
    question.skip = other.skip.or(question.skip);
    question.sort = other.sort.or(question.sort);
}

fn not_if(negated: bool, term: Term) -> Term {
    if negated { Term::Not(Filter { terms: vec![term] }) } else { term }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::parse::known::Known;
    use crate::ask::parse::lexicon::phrases;
    use crate::ask::parse::{QueryError, print};
    use proptest::prelude::*;
    use proptest::sample::select;

    /// The first text that no span covers, or the first span that is out of place.
    fn untiled(text: &str, question: &Question) -> Option<String> {
        let mut at = 0;
        for span in &question.spans {
            if span.from < at || text.get(span.from..span.to) != Some(span.text.as_str()) {
                return Some(format!("{span:?}"));
            }
            if text[at..span.from].contains(char::is_alphanumeric) {
                return Some(text[at..span.from].to_owned());
            }
            at = span.to;
        }
        text[at..].contains(char::is_alphanumeric).then(|| text[at..].to_owned())
    }

    #[test]
    fn explicit_language_and_words_are_one_question() {
        for (text, canonical) in [
            ("throughput>60 images per minute pytorch", "throughput-per-s>1 framework:pytorch ask:lookup"),
            ("latency<2 s", "latency-ms<2000 ask:lookup"),
            ("(v100) vs (t4) resnet50", "(device:tesla-v100) vs (device:tesla-t4) network:resnet-50 ask:compare"),
            ("device:v100 vs device:t4", "(device:tesla-v100) vs (device:tesla-t4) ask:compare"),
            ("(v100 OR \"half\") resnet50", "network:resnet-50 (device:tesla-v100 OR text:half) ask:lookup"),
            ("((network:resnet50) batch:8)", "network:resnet-50 batch-size:8 ask:lookup"),
            ("(v100 OR foo) resnet50 (v100 OR bar)", "network:resnet-50 device:tesla-v100 ask:lookup"),
            ("v100 OR t4 stage:train", "(device:tesla-v100 OR device:tesla-t4 stage:train) ask:lookup"),
            ("resnet50 ask:rank of:device best:tdp", "network:resnet-50 of:device best:tdp ask:rank"),
        ] {
            assert_eq!(print(&parse(text, &Known).unwrap()), canonical, "{text}");
        }
    }

    #[test]
    fn mistakes_say_what_was_expected() {
        let told = |text| match parse(text, &Known) {
            Err(QueryError::Grammar(error)) => {
                format!("{}; {}; {}", &text[error.span], error.message, error.help.unwrap_or_default())
            }
            other => panic!("{text}: {other:?}"),
        };
        for (text, expected) in [
            ("framwork:x", "framwork; there is no filter `framwork`; did you mean `framework`?"),
            ("v100 device:t5", "t5; no device is called `t5`; "),
            ("device>3", "device; `device` has no order; "),
            ("sort:latncy", "latncy; nothing to sort by is called `latncy`; did you mean `latency`?"),
            ("sort:latency sort:energy-j", "sort:energy-j; two orders are asked for; keep the one that matters more"),
            ("take:x", "take; `take` takes one whole number; "),
            ("counts:imag", "imag; no counts is called `imag`; did you mean `image`?"),
            ("energy-efficiency>=x", "x; no grade is called `x`; did you mean `low`, `moderate`, `good` or `high`?"),
            ("(ask:rank OR v100)", "ask; `ask` is asked of the whole question; "),
            ("device:(v100)", "device; the filter `device` has no value; "),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn a_long_text_is_read_in_linear_time() {
        let parts =
            ["resnet-50 batch>=32 wordy:x, (a OR \"b\") -stage:train zebra ", "v100,", "a:b ", "resnet ", "8 gpus "];
        for part in parts.into_iter().chain(["vs ", "(a) vs ", "not ", "batch>1 ", "v100 and ", "\"a\"", "3/4/"]) {
            let start = std::time::Instant::now();
            let _ = parse(&(part.repeat(100_000 / part.len()) + "(a)"), &Known);
            let text = part.repeat(900 / part.split(' ').count().max(1) / 3) + "(a)";
            let question = parse(&text, &Known).unwrap();
            assert_eq!(untiled(&text, &question), None, "{part}");
            assert!(start.elapsed().as_secs() < 20, "{part} {:?}", start.elapsed());
        }
    }

    proptest! {
        #[test]
        fn no_text_panics_and_mistakes_are_within_it(
            texts in ("\\PC{0,80}", "(v100|batch|show|ask|[:\"()<>=, |.*$\\-]|OR|vs| |32|é){0,24}")
        ) {
            for text in [texts.0, texts.1] {
                if let Err(QueryError::Grammar(error)) = parse(&text, &Known) {
                    prop_assert!(text.get(error.span).is_some());
                }
            }
        }

        #[test]
        fn spans_tile_the_words(words in prop::collection::vec(prop_oneof![
            select(phrases().filter(|phrase| *phrase != "|").collect::<Vec<_>>()).prop_map(str::to_owned),
            select(Known::values()).prop_map(|(_, value)| value),
            select(vec!["32", "24gb", "8x", "5 ms", "1,024", "$0.50", "90%", "zebra", ",", "?", "V100,", "vs", "-t4", "3090/a100"])
                .prop_map(str::to_owned),
            select(vec!["device:v100", "batch>=32", "(v100 OR t4)", "-stage:train", "show:tdp", "\"half precision\"", "(a100) vs (t4)"])
                .prop_map(str::to_owned),
        ], 1..9)) {
            let text = words.join(" ");
            let question = parse(&text, &Known).unwrap();
            prop_assert_eq!(untiled(&text, &question), None, "{}", text);
        }
    }
}
