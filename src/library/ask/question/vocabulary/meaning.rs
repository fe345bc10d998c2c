//! What a phrase of the vocabulary can mean.

use crate::ask::question::carrying_word::Carried;
use crate::ask::question::question::Quantity;
use crate::model::{Aspect, Derived, Facet, Fact, Metric};
use crate::values::EntityKind;

/// What a phrase means.
#[derive(Debug, Clone, Copy)]
pub(in crate::ask::question) enum Meaning {
    /// It says nothing that a measurement could meet.
    Nothing,
    /// It asks for a quantity; which one depends on what else is named.
    Asks(&'static NamedQuantity),
    /// It asks for one quantity, whatever else is named.
    AsksFor(StaticQuantity),
    /// It asks how numbers change along an aspect.
    Along(Aspect),
    /// It asks for entities of a kind.
    About(EntityKind),
    /// It hints at the kind of answer.
    Cue(Cue),
    /// It carries the question: what it asks for is read off the catalog or the rows.
    Carries(Carried),
    /// It sets what stands around it against each other.
    Link(Link),
    /// It excludes what follows.
    Without,
    /// It is another name for a value of a facet.
    Names(Facet, &'static str),
    /// It is near to a value of a facet, and says more than is kept, which is told.
    NamesNearest(Facet, &'static str),
    /// It stands for any of several values of a facet: `nlp` for the tasks of language.
    NamesAny(Facet, &'static [&'static str]),
    /// It stands for the values of a facet with a name that matches one of these patterns: `phone`, `arm`. Beside the
    /// name of a device, a word for devices adds nothing.
    NamesLike(Facet, &'static [&'static str]),
    /// It stands for a kind of networks, by the parts of their ids: `transformers`.
    NetworksOf(&'static NetworkKind),
    /// It stands for the networks of which the catalog states a fact: those with active parameters are mixtures of experts.
    NetworksStating(Fact),
    /// It asks for something that the knowledge base does not keep, which is said; the quantity is the nearest to it.
    NotKept(Option<StaticQuantity>),
}

impl Meaning {
    /// Whether it is another name for values of a facet.
    pub fn names_values(self) -> bool {
        matches!(
            self,
            Self::Names(..)
                | Self::NamesNearest(..)
                | Self::NamesAny(..)
                | Self::NamesLike(..)
                | Self::NetworksOf(_)
                | Self::NetworksStating(_)
        )
    }
}

/// A kind of networks, by what parts of their ids have in them or begin with, and what parts of others have.
#[derive(Debug, Clone, Copy)]
pub(in crate::ask::question) struct NetworkKind {
    /// A part with one of these in it is of one.
    pub containing: &'static [&'static str],
    /// A part that begins so is of one.
    pub beginning: &'static [&'static str],
    /// A network with such a part is none, whatever else it is called.
    pub none: &'static [&'static str],
}

impl NetworkKind {
    /// Whether a network with an id is one.
    pub fn has(&self, id: &str) -> bool {
        let parts = || id.split(['-', '_', '.']);
        let is_of = |part: &str| {
            self.containing.iter().any(|word| part.contains(word))
                || self.beginning.iter().any(|word| part.starts_with(word))
        };
        parts().any(is_of) && !parts().any(|part| self.none.contains(&part))
    }
}

/// A hint at the kind of answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::ask::question) enum Cue {
    /// `compare`, `difference`: several values of one facet are sides.
    Compare,
    /// `is it fair to compare`: whether rows of several sides are comparable.
    Fair,
    /// `faster`, `slower`, `better`.
    Comparative,
    /// `speedup`, `does … help`.
    SpeedUp,
    /// `effect of`: of what is named on what is measured.
    Effect,
    /// `scaling`: over the number of devices.
    Scaling,
    /// `which`, `what are the`, `list`.
    Which,
    /// `enough for`.
    Enough,
    /// `rank`, `ranking`, `sorted by`.
    Rank,
    /// `grades`, `rated`: every grade of what is named.
    Grades,
    /// `variants`, `members`: those of a family.
    Members,
    /// `correlation between`: two quantities are set against each other.
    Correlation,
    /// `overview of`, `summary`, `everything about`.
    Overview,
    /// `does … support`, `can … run on`.
    Support,
    /// `fit`, `can I run`.
    Fit,
    /// `good for`, `tell me about`.
    Describe,
    /// `who measured`.
    WhoMeasured,
    /// `most tested`, `most results`: those of which there are the most rows and sources.
    MostMeasured,
    /// `nobody measured`, `without any benchmark`.
    Unmeasured,
    /// `newest`, `latest`.
    Newest,
    /// `still maintained`, `active`.
    Maintained,
    /// `abandoned`, `dead`.
    Abandoned,
    /// `only`: nothing else than what is named.
    Only,
    /// `both`: each of what is named.
    Both,
    /// `speed`, `how fast`: numbers are wanted.
    Speed,
    /// `low power`.
    LowPower,
    /// `principles`.
    Principles,
    /// `what does the survey say`.
    Survey,
    /// `evidence for`, `the claim that`: what the measurements say.
    Evidence,
    /// `why`: grades have their reasons, numbers have none.
    Why,
    /// `in each`: of each of what is named.
    Each,
    /// `is`, `are` at the beginning.
    YesOrNo,
    /// `how`: what neither yes nor no answers.
    How,
}

/// A word between things that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::ask::question) enum Link {
    /// `vs`, `than`, `compared to`.
    Versus,
    /// `or`, which also joins what is only listed.
    Or,
}

/// A quantity that a constant can hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::ask::question) enum StaticQuantity {
    Metric(Metric),
    Derived(Derived),
    Fact(Fact),
    /// A metric of hardware classes, by its id.
    Grade(&'static str),
    MemoryFit,
    /// What hardware and frameworks are compared by.
    Criteria,
}

impl StaticQuantity {
    pub fn quantity(self) -> Quantity {
        match self {
            Self::Metric(metric) => Quantity::Metric(metric),
            Self::Derived(measure) => Quantity::Derived(measure),
            Self::Fact(fact) => Quantity::Fact(fact),
            Self::Grade(id) => Quantity::HardwareMetric(id.to_owned()),
            Self::MemoryFit => Quantity::MemoryFit,
            Self::Criteria => Quantity::Criteria,
        }
    }
}

/// What a name asks for, by what else the question names. A list that is empty has the one below it.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::ask::question) struct NamedQuantity {
    /// Nothing but classes of hardware, or nothing at all.
    pub classes: &'static [StaticQuantity],
    /// Nothing but devices, instances and makers.
    pub devices: &'static [StaticQuantity],
    /// Nothing but networks.
    pub networks: &'static [StaticQuantity],
    /// Nothing but data sets.
    pub datasets: &'static [StaticQuantity],
    /// Nothing but frameworks.
    pub frameworks: &'static [StaticQuantity],
    /// Anything else: what was measured.
    pub measured: &'static [StaticQuantity],
    /// A precision belongs to the quantity (the peak in fp16) and constrains nothing else.
    pub takes_precision: bool,
    /// It is asked for only where a precision is named as well: `fp64 performance` of a device.
    pub needs_precision: bool,
}

impl NamedQuantity {
    /// Nothing in any context.
    pub const NONE: Self = Self {
        classes: &[],
        devices: &[],
        networks: &[],
        datasets: &[],
        frameworks: &[],
        measured: &[],
        takes_precision: false,
        needs_precision: false,
    };

    /// The same whatever else is named.
    pub const fn always(quantities: &'static [StaticQuantity]) -> Self {
        Self { measured: quantities, ..Self::NONE }
    }

    /// A grade of classes, and what is measured instead where more than classes is named.
    pub const fn grade(grade: &'static [StaticQuantity], measured: &'static [StaticQuantity]) -> Self {
        Self { classes: grade, devices: measured, networks: measured, measured, ..Self::NONE }
    }
}
