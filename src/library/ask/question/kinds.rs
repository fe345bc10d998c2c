//! Which kind of answer a question wants.

use super::asked_axis::is_per_unit;
use super::clause::{Clause, ClauseReading};
use super::facing::kind_of;
use super::intent::Intent;
use super::mentions::{Context, is_of_devices};
use super::nouns::is_noun_of_devices;
use super::order::Superlative;
use super::question::Quantity;
use super::seen::Seen;
use super::vocabulary::{Cue, GAINS, plain};
use crate::model::{Aspect, Derived, Facet, Fact, Field, Metric};
use crate::stores::index::Condition;
use crate::values::EntityKind;

impl Seen<'_, '_> {
    pub(super) fn intent(
        &self,
        quantities: &[Quantity],
        sides: &[Clause],
        superlative: Option<Superlative>,
        along: Option<Aspect>,
    ) -> Intent {
        let hints = self.hints;
        let context = self.context;
        let grades = quantities.iter().filter(|quantity| matches!(quantity, Quantity::HardwareMetric(_))).count();
        let facts = quantities.iter().filter(|quantity| matches!(quantity, Quantity::Fact(_))).count();
        let only_grades = grades > 0 && grades == quantities.len();
        let compared = sides.len() > 1;
        let by_precision = compared && kind_of(&sides[0]) == "precision";
        let is_count = |side: &Clause| kind_of(side) == Field::DeviceCount.key() && side.readings.len() == 1;
        let by_count = compared && sides.iter().all(is_count);
        let how_much = hints.has(Cue::Comparative) && !matches!(hints.cues.first(), Some(Cue::YesOrNo));
        let has_candidates = !hints.nouns.is_empty();
        let levels = hints.mentions.iter().any(|mention| mention.level.is_some());
        let per_unit_named =
            hints.mentions.iter().any(|mention| mention.text.contains(['/', 'j']) || mention.text.contains("per "));
        let framework = self.clauses.iter().any(|clause| kind_of(clause) == "framework");
        match () {
            // What an instance has is told with it.
            () if quantities == [Quantity::Fact(Fact::DeviceName)]
                && superlative.is_none()
                && self.names_one_instance() =>
            {
                Intent::Overview
            }
            () if hints.has(Cue::Principles) || self.lists_unmeasured() => Intent::List,
            () if hints.has(Cue::MostMeasured) && has_candidates && !compared => Intent::List,
            () if self.asks_for_oldest_source() && !context.sources => Intent::List,
            () if quantities.contains(&Quantity::Criteria) && !compared => Intent::List,
            () if quantities.contains(&Quantity::MemoryFit) => Intent::Relation,
            () if only_grades && levels && superlative.is_some() && has_candidates && !self.asks_for_class() => {
                Intent::Ranking
            }
            () if only_grades && context.is_of_classes() => Intent::Grade,
            // `which hardware class has a high chip price by the survey`: the source says who grades.
            () if only_grades
                && levels
                && !compared
                && (self.asks_for_class()
                    || matches!(self.interpreter.about, Some((_, EntityKind::HardwareClass)))) =>
            {
                Intent::Grade
            }
            () if !self.grades.is_empty() => Intent::Grade,
            () if compared && by_precision && how_much || by_count => Intent::Relation,
            () if compared && !by_precision && self.gain_of_precision() => Intent::Relation,
            () if compared && self.compares_effects(sides) => Intent::Relation,
            // `scaling of VGG-16 vs ResNet-50`: that of each.
            () if compared
                && along == Some(Aspect::Field(Field::DeviceCount))
                && (hints.has(Cue::Scaling) || quantities.contains(&Quantity::Derived(Derived::ScalingEfficiency)))
                && sides.iter().all(|side| matches!(kind_of(side), "network" | "device" | "framework")) =>
            {
                Intent::Relation
            }
            () if compared => Intent::Comparison,
            // `yolov8 on any jetson in at least two of fp32, fp16, int8`: those that have rows of each.
            () if hints.at_least.is_some()
                && quantities.is_empty()
                && superlative.is_none()
                && self.names_families() =>
            {
                Intent::List
            }
            // Of a device its class is graded.
            () if only_grades && superlative.is_none() && (!context.has_entity() || context.is_of_devices(true)) => {
                Intent::Grade
            }
            // Whether a framework runs on several servers has no order.
            () if superlative.is_some() && quantities == [Quantity::Fact(Fact::MultiServer)] => Intent::List,
            () if hints.superlative_of_axis && along.is_some() => Intent::Relation,
            // `scales worst`
            () if superlative.is_some()
                && along == Some(Aspect::Field(Field::DeviceCount))
                && self.is_of_scaling(quantities) =>
            {
                Intent::Relation
            }
            () if superlative.is_some() && per_unit_named && quantities.iter().any(is_per_unit) && !has_candidates => {
                Intent::Relation
            }
            () if superlative.is_some() => Intent::Ranking,
            () if self.asks_for_formats() => Intent::Fact,
            () if hints.has(Cue::Overview) && quantities.is_empty() && !self.clauses.is_empty() => Intent::Overview,
            () if self.lists_values() && !(facts > 0 && framework) => Intent::List,
            () if self.members().is_some() && quantities.is_empty() => Intent::List,
            () if hints.opposed || [Cue::Scaling, Cue::SpeedUp, Cue::Effect].iter().any(|cue| hints.has(*cue)) => {
                Intent::Relation
            }
            // `compatible hardware per framework`: a fact has no curve.
            () if facts > 0 && facts == quantities.len() && self.along_entities().is_some() => Intent::List,
            () if !hints.along.is_empty() => Intent::Relation,
            () if along.is_some() => Intent::Relation,
            () if hints.has(Cue::WhoMeasured) => Intent::List,
            // `which mlperf training rounds do you have`
            () if hints.rounds
                && context.sources
                && quantities.is_empty()
                && !context.has_work()
                && self.noun_listed() == Some(Aspect::Source) =>
            {
                Intent::List
            }
            // `latest mlperf round`
            () if (hints.has(Cue::Newest) && (hints.rounds || !context.has_work())
                || self.asks_for_oldest_source())
                && context.sources
                && hints.nouns.iter().any(|noun| noun.aspect == Aspect::Source) =>
            {
                Intent::List
            }
            () if facts > 0 && (framework || self.names_one_of_kind() || self.context.text) => Intent::Fact,
            () if self.interpreter.about.is_some() && self.is_list_of_kind() => Intent::List,
            // `gpus released after 2021`: the release is what selects them.
            () if facts > 0 && facts == quantities.len() && self.limits(quantities) && self.is_list_of_devices() => {
                Intent::List
            }
            () if facts > 0 && (context.has_entity() || context.tasks) => Intent::Fact,
            () if facts > 0 => Intent::List,
            () if quantities.is_empty() && self.lists_devices_for_work() => Intent::List,
            () if self.is_list_of_devices() || self.is_list_of_results() || self.is_list_of_frameworks() => {
                Intent::List
            }
            () if quantities.is_empty() && self.names_networks_by_task() => Intent::List,
            () if self.is_overview(quantities) => Intent::Overview,
            () => Intent::Lookup,
        }
    }

    /// Whether an instance is named, and no instances are asked for.
    fn names_one_instance(&self) -> bool {
        let mut named = self.clauses.iter().filter(|clause| kind_of(clause) == Facet::Instance.key());
        let is_one = |clause: &Clause| clause.readings.iter().all(|reading| reading.read_as.values.len() == 1);
        named.next().is_some_and(is_one) && named.next().is_none() && self.noun(Field::Instance).is_none()
    }

    /// Whether the values of something are listed: `which networks were tested on TPUs`, `what precisions …`.
    fn lists_values(&self) -> bool {
        let Some(aspect) = self.noun_listed() else { return false };
        // `all results of …` are rows.
        let is_rows = aspect == Aspect::Source && !matches!(self.interpreter.about, Some((_, EntityKind::Source)));
        let another = self.hints.along.iter().any(|(_, along)| *along != aspect);
        !is_rows && !another && !self.hints.opposed && !self.hints.has(Cue::Scaling) && !self.hints.has(Cue::SpeedUp)
    }

    /// Whether it is asked how devices scale.
    fn is_of_scaling(&self, quantities: &[Quantity]) -> bool {
        self.hints.has(Cue::Scaling) || quantities.contains(&Quantity::Derived(Derived::ScalingEfficiency))
    }

    /// Whether each of some quantities is one that a condition limits.
    fn limits(&self, quantities: &[Quantity]) -> bool {
        let limited = |key: &str| {
            let year = key == Fact::Released.key();
            self.clauses.iter().any(|clause| kind_of(clause) == key || year && kind_of(clause) == "year")
        };
        quantities.iter().all(|quantity| limited(&quantity.key()))
    }

    /// Whether a condition is a limit on what was measured: `above 50 fps`.
    pub(super) fn has_measured_limit(&self) -> bool {
        self.clauses.iter().any(|clause| kind_of(clause).parse::<Metric>().is_ok())
    }

    /// Whether the gain is that of a precision, `amp speedup of turing vs ampere`, and not that of one side over the other.
    fn gain_of_precision(&self) -> bool {
        let Some(precision) = self.clauses.iter().find(|clause| kind_of(clause) == "precision") else { return false };
        let words: Vec<String> = self.interpreter.question.split_whitespace().map(plain).collect();
        let text = words_of(&precision.text);
        let Some(at) = words.windows(text.len().max(1)).position(|window| window == text) else { return false };
        let is_gain = |word: Option<&String>| word.is_some_and(|word| GAINS.contains(&word.as_str()));
        let behind = words.get(at + text.len());
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        // `gets more out of fp16`
        let takes = at.checked_sub(3).is_some_and(|at| words[at..at + 3] == ["more", "out", "of"]);
        let linked =
            before.is_some_and(|word| matches!(word.as_str(), "from" | "of" | "with" | "using" | "by" | "through"));
        let before_link = at.checked_sub(2).and_then(|at| words.get(at));
        takes || is_gain(behind) || linked && is_gain(before_link)
    }

    /// Whether it is asked on which of the sides something changes more, and not which of them is better: `does sequence length hurt
    /// more on the V100 than on the T4`, `is the effect of batch size the same on both`.
    pub(super) fn compares_effects(&self, sides: &[Clause]) -> bool {
        const MORE: &[&str] =
            &["more", "less", "bigger", "larger", "smaller", "stronger", "greater", "same", "as", "most"];
        let hints = self.hints;
        let changes = |cue: &Cue| matches!(cue, Cue::Effect | Cue::SpeedUp | Cue::Scaling);
        let of_place = |side: &Clause| {
            let kind = kind_of(side);
            // What is on the axis itself is set against each other, and so is what no name is.
            kind == "text" || kind == "precision" || hints.along.iter().any(|(_, aspect)| aspect.key() == kind)
        };
        let words: Vec<String> = self.interpreter.question.split_whitespace().map(plain).collect();
        // `more on A than on B`: behind the comparison stands where, and not what.
        let is_where = |word: &String| matches!(word.as_str(), "on" | "for" | "with" | "in");
        let than_where = words.windows(2).any(|pair| pair[0] == "than" && is_where(&pair[1]));
        let compares = words.iter().any(|word| MORE.contains(&word.as_str()));
        sides.len() > 1 && hints.cues.iter().any(changes) && compares && than_where && !sides.iter().any(of_place)
    }

    /// Whether entities are listed that no row names.
    pub(super) fn lists_unmeasured(&self) -> bool {
        self.hints.has(Cue::Unmeasured) && self.candidates().is_some_and(|aspect| aspect != Aspect::Source)
    }

    /// Whether the kind of entity that is spoken of is that of one which is named: `the COCO dataset`.
    fn names_one_of_kind(&self) -> bool {
        let Some((_, kind)) = &self.interpreter.about else { return false };
        let key = Facet::of_entities(*kind).key();
        self.clauses.iter().any(|clause| kind_of(clause) == key)
    }

    /// Whether frameworks are described, none is named.
    pub(super) fn is_list_of_frameworks(&self) -> bool {
        self.context.is_of_frameworks() && !self.clauses.iter().any(|clause| kind_of(clause) == "framework")
    }

    /// Whether entities of a kind are asked for rather than measurements.
    pub(super) fn is_list_of_kind(&self) -> bool {
        let Some((_, kind)) = &self.interpreter.about else { return false };
        let Context { devices, networks, datasets, precisions, .. } = self.context;
        let which = self.hints.has(Cue::Which) || self.noun(Field::Framework) == Some(true);
        match kind {
            EntityKind::Framework => {
                !(devices || precisions || networks && !self.hints.has(Cue::Support)) || which && !precisions
            }
            EntityKind::Network => !devices || which || self.has_measured_limit(),
            EntityKind::Device => {
                let limited = self.clauses.iter().any(|clause| is_of_devices(kind_of(clause)));
                !networks && !datasets || which || limited || self.has_measured_limit()
            }
            _ => true,
        }
    }

    /// Whether devices are listed by what they are.
    pub(super) fn is_list_of_devices(&self) -> bool {
        let by_facts = self.clauses.iter().any(|clause| is_of_devices(kind_of(clause)) || is_grade(clause));
        let plural = self.noun(Field::Device) == Some(true);
        let kinds = self.clauses.iter().map(kind_of);
        let known = |kind: &str| matches!(kind, "class" | "vendor" | "architecture" | "year") || is_of_devices(kind);
        // `edge devices` are many.
        let is_group = |clause: &Clause| {
            let many = |reading: &ClauseReading| reading.read_as.how == "alias" && reading.read_as.values.len() > 2;
            plural && kind_of(clause) == "device" && clause.readings.iter().all(many)
        };
        // `between 200 and 300 watt but no geforce`
        let is_left_out = |clause: &Clause| kind_of(clause) == "device" && clause.is_excluded();
        // `never used in any cloud`
        let is_unrented = |clause: &Clause| plural && kind_of(clause) == "instance" && clause.is_excluded();
        let all_hardware = self.clauses.iter().all(|clause| {
            known(kind_of(clause))
                || is_grade(clause)
                || is_group(clause)
                || is_unrented(clause)
                || by_facts && is_left_out(clause)
        });
        let supports = |kind: &str| known(kind) || matches!(kind, "precision" | "stage");
        let names_precision = self.clauses.iter().any(|clause| kind_of(clause) == "precision");
        let lacks = self.clauses.iter().any(|clause| kind_of(clause) == "precision" && clause.is_excluded());
        let by_support = (self.hints.has(Cue::Support) || lacks)
            && plural
            && names_precision
            && self.candidates() == Some(Aspect::Field(Field::Device))
            && self.clauses.iter().all(|clause| supports(kind_of(clause)) || is_group(clause));
        let telling = kinds.filter(|kind| *kind != "class").count() > 0;
        by_support || all_hardware && (by_facts || plural && telling) || self.hints.has(Cue::LowPower) && all_hardware
    }

    /// `asic accelerators for inference`: devices in the plural, described by what they are and by the work that they are for, which
    /// those have rows of that are measured in it.
    pub(super) fn lists_devices_for_work(&self) -> bool {
        let is_group = |clause: &Clause| {
            let many = |reading: &ClauseReading| reading.read_as.values.len() > 2;
            kind_of(clause) == "device" && clause.readings.iter().all(many)
        };
        let is_of_hardware = |clause: &Clause| {
            let kind = kind_of(clause);
            matches!(kind, "class" | "vendor" | "architecture" | "year") || is_of_devices(kind) || is_group(clause)
        };
        let is_for = |clause: &Clause| kind_of(clause) == Field::Stage.key();
        let words: Vec<String> = self.interpreter.question.split_whitespace().map(plain).collect();
        // `inference cards`
        let stands_in_front = |clause: &Clause| {
            let last = clause.text.split_whitespace().last().map(plain);
            words.windows(2).any(|pair| Some(&pair[0]) == last.as_ref() && is_noun_of_devices(&pair[1]))
        };
        let of_devices = self.clauses.iter().any(|clause| is_of_devices(kind_of(clause)));
        let says_work = words.iter().any(|word| word == "for")
            || of_devices && self.clauses.iter().filter(|clause| is_for(clause)).all(stands_in_front);
        self.noun(Field::Device) == Some(true)
            && !self.hints.has(Cue::Speed)
            && says_work
            && self.clauses.iter().all(|clause| is_of_hardware(clause) || is_for(clause))
            && self.clauses.iter().any(is_for)
    }

    pub(super) fn is_list_of_results(&self) -> bool {
        self.hints.has(Cue::Newest) && self.clauses.is_empty()
    }

    /// Whether one entity is named and nothing is asked of it.
    pub(super) fn is_overview(&self, quantities: &[Quantity]) -> bool {
        const OF_ENTITIES: &[&str] = &["device", "network", "framework", "dataset", "source", "instance", "task"];
        const OF_HARDWARE: &[&str] = &["class", "vendor", "architecture"];
        let kinds: Vec<&str> = self.clauses.iter().map(kind_of).collect();
        let entities = kinds.iter().filter(|kind| OF_ENTITIES.contains(kind)).count();
        let hardware = kinds.iter().filter(|kind| OF_HARDWARE.contains(kind)).count();
        let same_work = kinds.contains(&"task") && kinds.contains(&"network") && entities == 2;
        let devices = kinds.contains(&"device");
        let one = entities == 1 && (hardware == 0 || devices) || entities == 0 && hardware > 0 || same_work;
        let excludes = self.clauses.iter().any(|clause| clause.text.starts_with('-'));
        let describes = self.hints.has(Cue::Describe) || self.hints.has(Cue::Enough);
        let described = describes
            && kinds.iter().all(|kind| {
                OF_ENTITIES.contains(kind) || OF_HARDWARE.contains(kind) || *kind == "stage" || *kind == "text"
            });
        let alone = entities + hardware == kinds.len() || described;
        quantities.is_empty()
            && one
            && alone
            && !excludes
            && !self.hints.has(Cue::Speed)
            && self.interpreter.sort.is_none()
    }
}

fn words_of(text: &str) -> Vec<String> {
    text.split_whitespace().map(plain).collect()
}

/// Whether a clause is a filter by a grade of classes.
fn is_grade(clause: &Clause) -> bool {
    let facet = kind_of(clause);
    matches!(&clause.condition, Condition::Facet(Facet::Class, _)) && facet != "class"
}
