//! The pieces of a question while rules work on them.

use std::ops::Range;

use crate::ask::parse::lexicon::{Subject, quantity};
use crate::ask::parse::piece::{Means, Number, Piece, Word};
use crate::ask::parse::question::{Is, Key, Quantity, Test};
use crate::ask::parse::span::How;
use crate::ask::parse::spans::key_of_dimension;
use crate::model::{Aspect, Facet, Fact, Field, Metric};

/// A rule that fuses neighbouring pieces. It is tried at one piece and returns whether it applied.
pub(super) type Rule = fn(&mut Pieces<'_>, usize) -> bool;

/// The pieces of a question while rules work on them.
pub(in crate::ask::parse) struct Pieces<'w> {
    /// The pieces, in the order of the words.
    pub list: Vec<Piece>,
    /// The words.
    pub words: &'w [Word<'w>],
}

impl Pieces<'_> {
    /// The index of the next piece that is not filler.
    pub(in crate::ask::parse) fn after(&self, at: usize) -> Option<usize> {
        (at + 1..self.list.len()).find(|place| !self.list[*place].is_filler())
    }

    /// The index of the last piece before `at` that is not filler.
    pub(in crate::ask::parse) fn before(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|place| !self.list[*place].is_filler())
    }

    /// The number of a piece, if it is one.
    pub(in crate::ask::parse) fn number(&self, at: usize) -> Option<&Number> {
        if let Means::Number(number) = &self.list.get(at)?.means { Some(number) } else { None }
    }

    /// Fuses a range of pieces into one. Always true, as a rule that applied.
    pub(super) fn fuse(&mut self, range: Range<usize>, means: Means, how: How, rule: &'static str) -> bool {
        let words = self.list[range.start].words.start..self.list[range.end - 1].words.end;
        self.list.splice(range, [Piece { words, means, how, rule }]);
        true
    }

    /// Fuses a range of pieces into one test of a number. Always true, as a rule that applied.
    pub(super) fn fuse_test(&mut self, range: Range<usize>, key: Key, is: Is, rule: &'static str) -> bool {
        self.fuse(range, Means::Test(Test { key, is }), How::Number, rule)
    }

    /// Marks a piece as used by a rule, unless another rule used it before.
    pub(in crate::ask::parse) fn mark(&mut self, at: usize, rule: &'static str) {
        if self.list[at].rule.is_empty() {
            self.list[at].rule = rule;
        }
    }

    /// Marks pieces as used by a rule.
    pub(super) fn mark_all(&mut self, places: impl IntoIterator<Item = usize>, rule: &'static str) {
        places.into_iter().for_each(|at| self.mark(at, rule));
    }

    /// What a piece means.
    pub(in crate::ask::parse) fn means(&self, at: usize) -> &Means {
        &self.list[at].means
    }

    /// The index of the first piece whose meaning satisfies `is`.
    pub(in crate::ask::parse) fn find(&self, is: impl Fn(&Means) -> bool) -> Option<usize> {
        self.list.iter().position(|piece| is(&piece.means))
    }

    /// Whether the meaning of any piece satisfies `is`.
    pub(in crate::ask::parse) fn any(&self, is: impl Fn(&Means) -> bool) -> bool {
        self.find(is).is_some()
    }

    /// Whether the piece before `at`, ignoring fillers, satisfies `is`.
    pub(in crate::ask::parse) fn previous_is(&self, at: usize, is: impl Fn(&Means) -> bool) -> bool {
        self.before(at).is_some_and(|before| is(self.means(before)))
    }

    /// Whether the piece after `at`, ignoring fillers, satisfies `is`.
    pub(in crate::ask::parse) fn next_is(&self, at: usize, is: impl Fn(&Means) -> bool) -> bool {
        self.after(at).is_some_and(|next| is(self.means(next)))
    }

    /// Whether some piece names a value of one of these facets.
    pub(in crate::ask::parse) fn names(&self, facets: &[Facet]) -> bool {
        self.list.iter().any(|piece| piece.is_of(facets))
    }

    /// Whether a piece is the kind of a facet.
    pub(in crate::ask::parse) fn has_kind(&self, facet: Facet) -> bool {
        self.any(|means| means.is_kind(facet))
    }

    /// Whether a piece is a comparative.
    pub(in crate::ask::parse) fn compares(&self) -> bool {
        self.any(|means| matches!(means, Means::Comparative(..)))
    }

    /// Whether a piece is an order of candidates.
    pub(in crate::ask::parse) fn orders(&self) -> bool {
        self.any(|means| matches!(means, Means::Order(..)))
    }

    /// The quantity of a piece, resolved for a subject.
    pub(in crate::ask::parse) fn quantity(&self, at: usize, subject: Subject) -> Option<Quantity> {
        quantity(self.means(at).quantity()?, subject)
    }

    /// The first word of a piece in lower case.
    pub(super) fn text(&self, at: usize) -> String {
        self.words[self.list[at].words.start].text.to_lowercase()
    }

    /// Whether one of these words is directly before a piece.
    pub(super) fn is_preceded_by(&self, at: usize, words: &[&str]) -> bool {
        let before = self.list[at].words.start.checked_sub(1).map(|before| self.words[before].text.to_lowercase());
        before.is_some_and(|before| words.contains(&&*before))
    }

    /// Whether the question contains one of these words.
    pub(in crate::ask::parse) fn says(&self, wanted: &[&str]) -> bool {
        self.words.iter().any(|word| wanted.iter().any(|wanted| word.text.eq_ignore_ascii_case(wanted)))
    }

    /// If the question asks whether something fits, memory means that of the device: `will a 13b model run on 8 gb`.
    pub(in crate::ask::parse) fn key_in_fits(&self, key: Key) -> Key {
        let is_fit = self.asks("fit") || self.is_yes_or_no() && self.says(&["run"]);
        if key == Key::from(Metric::MemoryMib) && is_fit { Key::from(Fact::Memory) } else { key }
    }

    /// The key and factor of a number's dimension, if the question names what the dimension belongs to: prices belong to devices.
    pub(in crate::ask::parse) fn key_of(&self, number: &Number, at: usize) -> Option<(Key, f64)> {
        let has = |facet: Facet| self.names(&[facet]) || self.has_kind(facet);
        let behind = self.words.get(self.list[at].words.end).map(|word| word.text);
        let is_of_it = match number.dimension? {
            "money" => has(Facet::Device) || has(Facet::Class) || has(Facet::Vendor),
            "images" => has(Facet::Dataset),
            "percent" => behind != Some("of"),
            _ => true,
        };
        let (key, scale) = key_of_dimension(number).filter(|_| is_of_it)?;
        Some((self.key_in_fits(key), scale))
    }

    /// Whether a leading piece is a plural for several devices or for a task: `phones`, `jetsons`, `object detectors`.
    pub(in crate::ask::parse) fn is_group(&self, at: usize) -> bool {
        let piece = &self.list[at];
        let leads = self.before(at).is_none_or(|before| {
            matches!(self.means(before), Means::Ask("which" | "who-measured" | "how-many") | Means::Order(..))
        });
        let values = piece.test().map_or(&[][..], Test::values);
        let several = match piece.facet() {
            Some(Facet::Device) => values.len() > 1 || values.iter().any(|value| value.contains('*')),
            Some(Facet::Task | Facet::Architecture) => piece.how == How::Lexicon,
            _ => false,
        };
        leads && several && self.is_plural(piece)
    }

    /// Whether the last word of a piece is a plural.
    pub(in crate::ask::parse) fn is_plural(&self, piece: &Piece) -> bool {
        let word = self.words[piece.words.end - 1].text.to_lowercase();
        word.ends_with('s') && word != "asics"
    }

    /// Whether no rule has used a piece yet.
    pub(in crate::ask::parse) fn unused(&self, at: usize) -> bool {
        self.list[at].rule.is_empty()
    }

    /// Whether a piece is the [`Means::Ask`] of this name.
    pub(in crate::ask::parse) fn asks(&self, name: &str) -> bool {
        self.any(|means| matches!(means, Means::Ask(ask) if *ask == name))
    }

    /// The first piece that is not filler.
    pub(in crate::ask::parse) fn first(&self) -> Option<&Piece> {
        self.list.iter().find(|piece| !piece.is_filler())
    }

    /// Whether this is a yes/no question.
    pub(in crate::ask::parse) fn is_yes_or_no(&self) -> bool {
        self.first().is_some_and(|piece| matches!(piece.means, Means::Ask("is")))
    }

    /// The kind of subject of the question, by the facets that it names.
    pub(in crate::ask::parse) fn subject(&self) -> Subject {
        let facets = self.list.iter().filter_map(Piece::facet).filter(|facet| *facet != Facet::Source);
        let facets: Vec<Facet> = facets.collect();
        let kind = self.list.iter().find_map(|piece| match piece.means {
            Means::Kind(facet, None) => Some(facet),
            _ => None,
        });
        let only = |allowed: &[Facet]| facets.iter().all(|facet| allowed.contains(facet));
        let has = |wanted: &[Facet]| facets.iter().any(|facet| wanted.contains(facet));
        use Facet::{
            Architecture, Class, Dataset, Device, Framework, Hardware, Instance, Language, License, Network, Precision,
            Task, Vendor,
        };
        match kind {
            Some(Network) if !has(&[Device, Framework]) => return Subject::Network,
            Some(Framework) if !has(&[Device, Network]) => return Subject::Framework,
            _ => {}
        }
        let of_peak = self.any(|means| means.asks_for(":peak"));
        let is_survey = |id: &String| id.starts_with("dai-");
        let names_source = |test: &Test| {
            test.facet() == Some(Facet::Source) && matches!(&test.is, Is::OneOf(ids) if !ids.iter().any(is_survey))
        };
        let source = self.list.iter().filter_map(Piece::test).any(names_source);
        // `FPGAs against GPUs in inference`
        let of_classes = only(&[Class, Facet::Stage]) && facets.iter().filter(|facet| **facet == Class).count() > 1;
        if facets.is_empty() && source {
            Subject::Rows
        } else if of_classes || facets.is_empty() || only(&[Class]) || of_peak && only(&[Class, Precision]) {
            Subject::Class
        } else if only(&[Class, Device, Vendor, Architecture, Instance, Precision])
            && has(&[Device, Vendor, Architecture, Instance])
            && !self.states_rows()
        {
            Subject::Device
        } else if only(&[Network, Task]) {
            Subject::Network
        } else if only(&[Dataset, Task]) {
            Subject::Dataset
        } else if only(&[Framework, Class, License, Language, Hardware]) {
            Subject::Framework
        } else {
            Subject::Rows
        }
    }

    /// Whether a condition is about a field that only rows have: `flash attention h100 tflops sequence length 16k`.
    fn states_rows(&self) -> bool {
        let of_all = [Field::DeviceCount, Field::ComputeUnit, Field::FrameworkVersion];
        let of_rows = |field: Field| field.facet().is_none() && !of_all.contains(&field);
        let tests = || self.list.iter().filter_map(Piece::test);
        tests().any(|test| matches!(test.key, Key::Aspect(Aspect::Field(field)) if of_rows(field)))
    }

    /// The key of a year: when listed entities came out, else when rows were measured. `is_of_kind`: the year follows a kind.
    pub(in crate::ask::parse) fn year_key(&self, is_of_kind: bool) -> Key {
        let named = |wanted| self.any(|means| means.asks_for(wanted));
        let rows = self.names(&[Facet::Network, Facet::Stage, Facet::Dataset]);
        match self.list.iter().find_map(|piece| piece.means.kind()) {
            Some(Facet::Device) if !rows || named("released") || is_of_kind => Key::from(Fact::Released),
            Some(Facet::Network) if named("published") || !rows => Key::from(Fact::Published),
            // `frameworks abandoned since 2015`
            Some(Facet::Framework) if !rows && self.names(&[Facet::Maturity]) => Key::from(Fact::LatestReleaseDate),
            Some(Facet::Framework) if !rows => Key::from(Fact::FirstRelease),
            _ => Key::Facet(Facet::Year),
        }
    }

    /// Whether the question asks for a list, so that what follows `than` restricts it.
    pub(in crate::ask::parse) fn is_list(&self) -> bool {
        let than = self.find(|means| means.is_link(&["than"]));
        let group = (0..self.list.len()).find(|at| self.is_group(*at));
        let Some(kind) = group.or_else(|| self.find(|means| means.kind().is_some())) else {
            // `is anything faster than an H100`
            return than.is_some() && self.first().is_some_and(|piece| piece.means == Means::Ask("anything"));
        };
        let first = self.list.iter().position(|piece| !piece.is_filler());
        let leads = first.is_some_and(|at| {
            let leads = |means: &Means| match means {
                Means::Ask(ask) => ["which", "how-many", "describe"].contains(ask),
                means => matches!(means, Means::Kind(..) | Means::Order(..)),
            };
            self.is_group(at) || leads(self.means(at))
        });
        // The kind before the comparison is listed, unless something else is being compared: `is a GPU faster than a CPU`.
        let names = |piece: &Piece| piece.is_of(&[Facet::Device, Facet::Framework, Facet::Network]);
        let compared = than.unwrap_or_default().max(kind);
        let stands_against = self.list[..compared].iter().enumerate().any(|(at, piece)| at != kind && names(piece));
        let is_class = |piece: &&Piece| matches!(piece.means, Means::Kind(_, Some(_)));
        let classes = self.list.iter().filter(is_class).count();
        leads && !stands_against && !(classes > 1 && is_class(&&self.list[kind])) && than.is_none_or(|than| kind < than)
    }
}
