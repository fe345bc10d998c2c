//! The pieces of a question while rules work on them.

use std::ops::Range;

use crate::ask::parse::lexicon::Subject;
use crate::ask::parse::piece::{Means, Number, Piece, Word};
use crate::ask::parse::question::{Is, Key, Test};
use crate::ask::parse::span::How;
use crate::ask::parse::spans::key_of_dimension;
use crate::model::{Aspect, Facet, Fact, Metric};

/// A rule that makes neighbouring pieces one.
pub(super) struct Rule {
    /// Applies it at a piece; whether it did.
    pub apply: fn(&mut Pieces<'_>, usize) -> bool,
}

/// The pieces of a question while rules work on them.
pub(in crate::ask::parse) struct Pieces<'w> {
    /// The pieces, in the order of the words.
    pub list: Vec<Piece>,
    /// The words.
    pub words: &'w [Word<'w>],
}

impl Pieces<'_> {
    /// The next piece that is no filler.
    pub(in crate::ask::parse) fn after(&self, at: usize) -> Option<usize> {
        (at + 1..self.list.len()).find(|place| !self.list[*place].is_filler())
    }

    /// The last piece before that is no filler.
    pub(in crate::ask::parse) fn before(&self, at: usize) -> Option<usize> {
        (0..at).rev().find(|place| !self.list[*place].is_filler())
    }

    /// The number that a piece is.
    pub(in crate::ask::parse) fn number(&self, at: usize) -> Option<&Number> {
        match &self.list.get(at)?.means {
            Means::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Makes pieces one.
    pub(in crate::ask::parse) fn fuse(&mut self, range: Range<usize>, means: Means, how: How, rule: &'static str) {
        let words = self.list[range.start].words.start..self.list[range.end - 1].words.end;
        self.list.splice(range, [Piece { words, means, how, rule }]);
    }

    /// Marks a piece as used by a rule.
    pub(in crate::ask::parse) fn mark(&mut self, at: usize, rule: &'static str) {
        if self.list[at].rule.is_empty() {
            self.list[at].rule = rule;
        }
    }

    /// Whether a piece is an arrow: `256 -> 1024`.
    pub(in crate::ask::parse) fn is_arrow(&self, at: usize) -> bool {
        let word = &self.words[self.list[at].words.start];
        matches!(self.list[at].means, Means::Link("versus")) && matches!(word.text, "->" | "→" | "=>")
    }

    /// Whether it is asked if something fits: `will a 13b model run on 8 gb`.
    pub(in crate::ask::parse) fn is_fit(&self) -> bool {
        let runs = || self.words.iter().any(|word| word.text.eq_ignore_ascii_case("run"));
        self.asks("fit") || self.is_yes_or_no() && runs()
    }

    /// Whether sources are listed.
    pub(in crate::ask::parse) fn lists_sources(&self) -> bool {
        self.list.iter().any(|piece| matches!(piece.means, Means::Kind(Key::Facet(Facet::Source), _)))
    }

    /// The memory that something must fit into is that of a device.
    pub(in crate::ask::parse) fn key_in_fits(&self, key: Key) -> Key {
        let is_used = matches!(key, Key::Aspect(Aspect::Metric(Metric::MemoryMib)));
        if is_used && self.is_fit() { Key::Aspect(Aspect::Fact(Fact::Memory)) } else { key }
    }

    /// The key and the factor of a number's dimension where the question has what these are of: a price is of devices, a number of
    /// images of a data set, and a percentage of something else is no accuracy.
    pub(in crate::ask::parse) fn key_of(&self, number: &Number, at: usize) -> Option<(Key, f64)> {
        let has = |facet: Facet| {
            let is_of = |piece: &Piece| matches!(&piece.means, Means::Kind(Key::Facet(kind), _) if *kind == facet);
            self.list.iter().any(|piece| piece.facet() == Some(facet) || is_of(piece))
        };
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

    /// Whether the first words are a plural for several devices or for a task: `phones`, `jetsons`, `object detectors`.
    pub(in crate::ask::parse) fn is_group(&self, at: usize) -> bool {
        let piece = &self.list[at];
        let leads = self.before(at).is_none_or(|before| {
            matches!(self.list[before].means, Means::Ask("which" | "who-measured") | Means::Order(..))
        });
        let several = match piece.test() {
            Some(Test { key: Key::Facet(Facet::Device), is: Is::OneOf(values) }) => {
                values.len() > 1 || values.iter().any(|value| value.contains('*'))
            }
            Some(Test { key: Key::Facet(Facet::Task | Facet::Architecture), .. }) => piece.how == How::Lexicon,
            _ => false,
        };
        leads && several && self.is_plural(piece)
    }

    /// Whether a word for a kind is a plural.
    pub(in crate::ask::parse) fn is_plural(&self, piece: &Piece) -> bool {
        let word = self.words[piece.words.end - 1].text.to_lowercase();
        word.ends_with('s') && word != "asics"
    }

    /// Whether no rule used a piece yet.
    pub(in crate::ask::parse) fn unused(&self, at: usize) -> bool {
        self.list[at].rule.is_empty()
    }

    /// Whether there is an ask of this name.
    pub(in crate::ask::parse) fn asks(&self, name: &str) -> bool {
        self.list.iter().any(|piece| matches!(piece.means, Means::Ask(ask) if ask == name))
    }

    /// The first piece that is no filler.
    pub(in crate::ask::parse) fn first(&self) -> Option<&Piece> {
        self.list.iter().find(|piece| !piece.is_filler())
    }

    /// Whether it is asked as a question of yes or no.
    pub(in crate::ask::parse) fn is_yes_or_no(&self) -> bool {
        self.first().is_some_and(|piece| matches!(piece.means, Means::Ask("is")))
    }

    /// What kind of subject the question has, by the facets that it names.
    pub(in crate::ask::parse) fn subject(&self) -> Subject {
        let mut facets: Vec<Facet> = Vec::new();
        let mut kinds: Vec<Facet> = Vec::new();
        for piece in &self.list {
            match piece.test() {
                Some(Test { key: Key::Facet(Facet::Source), .. }) | None => {}
                Some(Test { key: Key::Facet(facet), .. }) => facets.push(*facet),
                Some(_) => {}
            }
            if let Means::Kind(Key::Facet(facet), None) = piece.means {
                kinds.push(facet);
            }
        }
        let only = |allowed: &[Facet]| facets.iter().all(|facet| allowed.contains(facet));
        let has = |wanted: &[Facet]| facets.iter().any(|facet| wanted.contains(facet));
        use Facet::{
            Architecture, Class, Dataset, Device, Framework, Hardware, Instance, Language, License, Network, Precision,
            Task, Vendor,
        };
        match kinds.first() {
            Some(Network) if !has(&[Device, Framework]) => return Subject::Network,
            Some(Framework) if !has(&[Device, Network]) => return Subject::Framework,
            _ => {}
        }
        let of_peak = self.list.iter().any(|piece| matches!(piece.means, Means::Quantity(by) if by.contains(":peak")));
        let source = self.list.iter().any(|piece| matches!(piece.test(), Some(Test { key: Key::Facet(Facet::Source), is: Is::OneOf(values) }) if values.iter().all(|id| !id.starts_with("dai-"))));
        // `FPGAs against GPUs in inference`
        let of_classes = only(&[Class, Facet::Stage]) && facets.iter().filter(|facet| **facet == Class).count() > 1;
        if facets.is_empty() && source {
            Subject::Rows
        } else if of_classes || facets.is_empty() || only(&[Class]) || of_peak && only(&[Class, Precision]) {
            Subject::Class
        } else if only(&[Class, Device, Vendor, Architecture, Instance, Precision])
            && has(&[Device, Vendor, Architecture, Instance])
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

    /// The key that a year is of: when listed things came out, which it may be behind, else when it was measured.
    pub(in crate::ask::parse) fn year_key(&self, is_of_kind: bool) -> Key {
        let fact = |fact| Key::Aspect(Aspect::Fact(fact));
        let named = |wanted: &str| {
            self.list.iter().any(|piece| matches!(piece.means, Means::Quantity(meaning) if meaning.contains(wanted)))
        };
        let kind = self.list.iter().find_map(|piece| match &piece.means {
            Means::Kind(Key::Facet(facet), _) => Some(*facet),
            _ => None,
        });
        let rows = self.list.iter().any(|piece| matches!(piece.facet(), Some(Facet::Network | Facet::Stage)));
        match kind {
            Some(Facet::Device) if !rows || named("released") || is_of_kind => fact(Fact::Released),
            Some(Facet::Network) if named("published") || !rows => fact(Fact::Published),
            Some(Facet::Framework) if !rows => fact(Fact::FirstRelease),
            _ => Key::Facet(Facet::Year),
        }
    }

    /// Whether a list of things is asked for, so that what follows `than` bounds them.
    pub(in crate::ask::parse) fn is_list(&self) -> bool {
        let plural = |at: usize| match &self.list[at].means {
            Means::Kind(Key::Facet(facet), _) => Some(*facet),
            _ => None,
        };
        let first_kind = (0..self.list.len())
            .find(|at| self.is_group(*at))
            .or((0..self.list.len()).find_map(|at| plural(at).map(|_| at)));
        let than = self.list.iter().position(|piece| matches!(piece.means, Means::Link("than")));
        // `is anything faster than an H100`
        let open = self.first().is_some_and(|piece| matches!(piece.means, Means::Ask("anything")));
        let Some(kind) = first_kind else { return open && than.is_some() };
        // A kind before the comparison is what is listed, unless another stands against it: `is a GPU faster than a CPU`.
        let named_before = self.list[..kind]
            .iter()
            .any(|piece| matches!(piece.facet(), Some(Facet::Device | Facet::Framework | Facet::Network)));
        let leads = self.first().is_some_and(|piece| {
            self.list.iter().position(|other| other == piece).is_some_and(|at| self.is_group(at))
                || matches!(
                    piece.means,
                    Means::Kind(..) | Means::Ask("which" | "how-many" | "describe") | Means::Order(..)
                )
        });
        let test_before = than.is_some_and(|than| {
            self.list[..than].iter().enumerate().any(|(at, piece)| {
                at != kind && matches!(piece.facet(), Some(Facet::Device | Facet::Framework | Facet::Network))
            })
        });
        let classes = self.list.iter().filter(|piece| matches!(piece.means, Means::Kind(_, Some(_)))).count();
        if classes > 1 && matches!(self.list[kind].means, Means::Kind(_, Some(_))) {
            return false;
        }
        leads && !named_before && !test_before && than.is_none_or(|than| kind < than)
    }
}
