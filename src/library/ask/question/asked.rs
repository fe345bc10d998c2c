//! The quantities that a question asks for, by name or by a superlative.

use super::facing::kind_of;
use super::hints::Mention;
use super::mentions::Context;
use super::order::Superlative;
use super::question::Quantity;
use super::seen::Seen;
use super::vocabulary::{Cue, HOLDING, POSSIBLE, RUNNING, plain};
use crate::model::{Aspect, Derived, Fact, Field, Metric};
use crate::values::EntityKind;

/// Words by which sides are compared by when they came out.
pub(super) const OF_AGE: &[&str] = &["newer", "older"];

/// The grade that judges what a quantity measures.
pub(in crate::ask) fn as_grade(quantity: &Quantity) -> Option<Quantity> {
    let id = match quantity {
        Quantity::HardwareMetric(id) => id.as_str(),
        Quantity::Metric(Metric::LatencyMs | Metric::MeanLatencyMs) => "low-latency",
        Quantity::Metric(Metric::ThroughputPerS) => "computing-performance",
        Quantity::Metric(metric) if metric.is_of_energy() => "energy-efficiency",
        Quantity::Fact(Fact::LaunchPrice | Fact::Price) => "chip-price",
        Quantity::Fact(Fact::Tdp) => "energy-efficiency",
        _ => return None,
    };
    Some(Quantity::HardwareMetric(id.to_owned()))
}

impl Seen<'_, '_> {
    /// Whether several classes of hardware are named, and nothing else.
    pub(super) fn names_classes(&self) -> bool {
        let of_class = self.clauses.iter().filter(|clause| kind_of(clause) == "class" && !clause.is_excluded());
        self.context.is_of_classes() && of_class.map(|clause| clause.readings.len()).sum::<usize>() > 1
    }

    /// Whether it is asked in which precisions devices compute: `what formats does Hopper support`.
    pub(super) fn asks_for_formats(&self) -> bool {
        let supports = |(text, cue): &(String, Cue)| *cue == Cue::Support && text.to_lowercase().starts_with("support");
        let precision = Aspect::Field(Field::Precision);
        let names_formats = self.hints.along.iter().any(|(_, aspect)| *aspect == precision)
            || self.hints.nouns.iter().any(|noun| noun.aspect == precision);
        names_formats
            && self.hints.turns.iter().any(supports)
            && !self.context.precisions
            && self.context.is_of_devices(false)
    }

    pub(super) fn quantities(&self, mentioned: &[Vec<Quantity>]) -> Vec<Quantity> {
        let mut quantities: Vec<Quantity> = Vec::new();
        let joined = mentioned.iter().zip(&self.hints.mentions).filter(|(_, mention)| !self.is_beside(mention));
        for quantity in joined.flat_map(|(quantities, _)| quantities) {
            if !quantities.contains(quantity) {
                quantities.push(quantity.clone());
            }
        }
        // `do real fps follow the TFLOPS on the spec sheet`: what share of them is reached is asked, and no order of the fps.
        let of_sheet = |mention: &Mention| {
            ["follow", "match", "live", "keep"]
                .contains(&plain(mention.text.split(' ').next().unwrap_or_default()).as_str())
        };
        if quantities.contains(&Quantity::Derived(Derived::PeakFraction)) && self.hints.mentions.iter().any(of_sheet) {
            quantities.retain(|quantity| *quantity != Quantity::Metric(Metric::ThroughputPerS));
        }
        quantities.extend(self.grades.iter().map(|id| Quantity::HardwareMetric(id.clone())));
        // `evidence for … since the survey was published`
        let is_grade = |quantity: &Quantity| matches!(quantity, Quantity::HardwareMetric(_));
        if self.hints.has(Cue::Evidence) && quantities.iter().any(is_grade) {
            quantities.retain(|quantity| *quantity != Quantity::Fact(Fact::Published));
        }
        // `scalability grade of FPGAs, since when`: no fact of a framework is asked for.
        if self.context.classes && self.context.is_of_classes() && quantities.iter().any(is_grade) {
            let of_framework =
                |quantity: &Quantity| matches!(quantity, Quantity::Fact(fact) if fact.kind() == EntityKind::Framework);
            quantities.retain(|quantity| !of_framework(quantity));
        }
        quantities.extend(self.time_in_unit(&quantities));
        if quantities.is_empty() {
            quantities.extend(self.of_superlative());
        }
        if self.context.is_of_datasets() {
            self.count_all_named(&mut quantities);
        }
        // `cost of 90 epochs`: so many times that of one.
        let cost = Quantity::Metric(Metric::CostUsd);
        if self.hints.epochs.is_some() && quantities.contains(&cost) {
            quantities.retain(|quantity| *quantity != cost && *quantity != Quantity::Metric(Metric::EpochS));
            quantities.push(Quantity::Derived(Derived::CostPerEpochUsd));
        }
        // `cheapest per epoch`: what an epoch costs, and not how long it takes.
        let is_cheapest =
            self.interpreter.superlative.as_ref().is_some_and(|(_, superlative)| *superlative == Superlative::Cheapest);
        if is_cheapest && quantities == [Quantity::Metric(Metric::EpochS)] {
            quantities = vec![Quantity::Derived(Derived::CostPerEpochUsd)];
        }
        // Of a batch the memory is what it takes, and not what a device has.
        let along_batch =
            |(_, aspect): &(String, Aspect)| matches!(aspect, Aspect::Field(Field::BatchSize | Field::BatchSizeGlobal));
        if self.hints.along.iter().any(along_batch) {
            for quantity in quantities.iter_mut().filter(|quantity| **quantity == Quantity::Fact(Fact::Memory)) {
                *quantity = Quantity::Metric(Metric::MemoryMib);
            }
        }
        // `kWh for one epoch`
        let energy = Quantity::Metric(Metric::EnergyJ);
        if quantities.contains(&energy) && quantities.contains(&Quantity::Metric(Metric::EpochS)) {
            quantities.retain(|quantity| *quantity != Quantity::Metric(Metric::EpochS));
            quantities.push(Quantity::Derived(Derived::EpochEnergyJ));
        }
        // The kWh of `energy per epoch in kWh` are its unit.
        if quantities.contains(&Quantity::Derived(Derived::EpochEnergyJ)) {
            let is_of_energy =
                |quantity: &Quantity| matches!(quantity, Quantity::Metric(metric) if metric.is_of_energy());
            quantities.retain(|quantity| !is_of_energy(quantity));
        }
        // `which is newer, T4 or P4`
        let by_age = || OF_AGE.iter().any(|word| self.interpreter.all_words.contains(*word));
        let are_devices = self.context.is_of_devices(false) && self.clauses.iter().any(|clause| clause.sides.len() > 1);
        if quantities.is_empty() && are_devices && by_age() {
            quantities.push(Quantity::Fact(Fact::Released));
        }
        // `is the T4 cheaper than the V100`: speed says nothing of it.
        if quantities.is_empty() && self.hints.turns.iter().any(|(text, _)| plain(text) == "cheaper") {
            quantities.extend(match self.context.is_of_devices(false) {
                true => vec![Quantity::Fact(Fact::LaunchPrice), Quantity::Fact(Fact::Price)],
                false if self.context.is_of_classes() => vec![Quantity::HardwareMetric("chip-price".to_owned())],
                false => vec![Quantity::Derived(Derived::ItemsPerDollar)],
            });
        }
        // `how well do GPUs scale`: of classes a grade says it.
        if quantities.is_empty() && self.hints.has(Cue::Scaling) && self.context.classes && self.context.is_of_classes()
        {
            quantities.push(Quantity::HardwareMetric("scalability".to_owned()));
        }
        let names_framework = self.clauses.iter().any(|clause| kind_of(clause) == "framework");
        let about_frameworks =
            self.context.is_of_frameworks() && (names_framework || self.noun(Field::Framework).is_none());
        if (self.hints.has(Cue::Maintained) || self.hints.has(Cue::Abandoned)) && about_frameworks {
            quantities.push(Quantity::Fact(Fact::Maturity));
        }
        if let Some(fact) = self.dated_noun().filter(|_| self.hints.has(Cue::Newest)) {
            quantities.push(Quantity::Fact(fact));
        }
        if self.asks_for_formats() && quantities.is_empty() {
            let is_peak = |fact: &Fact| fact.key().starts_with("peak-");
            quantities.extend(Fact::filters().filter(is_peak).map(Quantity::Fact));
        }
        if self.hints.has(Cue::Principles) {
            quantities.push(Quantity::Principles);
        }
        // `does the survey think that MXNet is fast`
        let is_of_graded = self.context.is_of_classes() || self.context.is_of_frameworks();
        let describes = self.hints.has(Cue::Describe) || self.hints.has(Cue::Overview) || self.hints.has(Cue::Grades);
        // `inactive frameworks of the survey` are listed.
        let only_names = self.clauses.iter().all(|clause| matches!(kind_of(clause), "framework" | "class"));
        if self.hints.has(Cue::Survey) && quantities.is_empty() && is_of_graded && !describes && only_names {
            quantities.push(Quantity::Criteria);
        }
        let memory = self.clauses.iter().any(|clause| kind_of(clause) == Fact::Memory.key()) || self.names_memory();
        if self.hints.has(Cue::Enough) && self.context.networks && memory {
            quantities.push(Quantity::MemoryFit);
        }
        if quantities.is_empty() && self.asks_to_run() {
            quantities.push(Quantity::MemoryFit);
        }
        // `batch 256 on an 8 GiB card, OOM?`: whether it fits is asked, and no failed run.
        let fails = self.clauses.iter().any(|clause| clause.plain_kind() == Some(Field::Outcome.key()));
        if quantities.is_empty() && fails && self.context.networks && memory {
            quantities.push(Quantity::MemoryFit);
        }
        // `gemma 3 27b on one 24 gb card, possible?`
        let fits = self.hints.has(Cue::Fit) && !quantities.contains(&Quantity::MemoryFit);
        if fits && self.context.networks && (self.context.devices || memory) {
            quantities.push(Quantity::MemoryFit);
        }
        let instance = self.clauses.iter().any(|clause| kind_of(clause) == "instance");
        // `aws instance types, which gpu is in which`: each is listed with its own.
        let is_one = self.noun(Field::Instance) != Some(true);
        if instance
            && is_one
            && quantities.is_empty()
            && self.noun(Field::Device).is_some()
            && self.context.is_of_devices(false)
        {
            quantities.push(Quantity::Fact(Fact::DeviceName));
        }
        quantities
    }

    /// `number of classes and images`: of what a data set holds all is told that is named.
    fn count_all_named(&self, quantities: &mut Vec<Quantity>) {
        let [classes, train, test] = [Fact::Classes, Fact::TrainSize, Fact::TestSize].map(Quantity::Fact);
        if ![&classes, &train, &test].iter().any(|size| quantities.contains(size)) {
            return;
        }
        let has = |nouns: &[&str]| nouns.iter().any(|noun| self.interpreter.all_words.contains(*noun));
        let images =
            has(&["images", "samples", "examples", "pictures", "recordings", "sentences"]).then_some([train, test]);
        let classes = has(&["classes", "categories", "labels"]).then_some(classes);
        for size in classes.into_iter().chain(images.into_iter().flatten()) {
            if !quantities.contains(&size) {
                quantities.push(size);
            }
        }
    }

    /// Whether the size of a memory is part of a product's name: `4060 ti 16gb`.
    fn names_memory(&self) -> bool {
        self.interpreter.asides.iter().any(|aside| aside.facet == Fact::Memory.key())
    }

    /// `can a 3090 run llama 70b`
    fn asks_to_run(&self) -> bool {
        let words: Vec<String> = self.interpreter.question.split_whitespace().map(plain).collect();
        let is_able = |word: &String| POSSIBLE.contains(&word.as_str());
        let Context { networks, devices, frameworks, .. } = self.context;
        let runs = |word: &String| RUNNING.contains(&word.as_str());
        // `which cards can hold falcon 40b`
        let holds = words.windows(2).any(|pair| is_able(&pair[0]) && HOLDING.contains(&pair[1].as_str()));
        let asked = match devices || self.names_memory() {
            true => words.first().is_some_and(is_able) && words.iter().any(runs),
            false => holds && self.noun(Field::Device).is_some(),
        };
        asked && networks && !frameworks && self.superlative().is_none()
    }

    /// What a superlative is about that names no quantity: the cheapest chip, the smallest network.
    pub(super) fn of_superlative(&self) -> Option<Quantity> {
        let (text, superlative) = self.interpreter.superlative.as_ref()?;
        let is_most = matches!(superlative, Superlative::Most | Superlative::Least);
        // `most HBM`: how much of it.
        if is_most && self.clauses.iter().any(|clause| kind_of(clause) == Fact::MemoryType.key()) {
            return Some(Quantity::Fact(Fact::Memory));
        }
        let field = match self.candidates()? {
            Aspect::Field(field) => field,
            _ => return None,
        };
        let by_age = text.split(' ').any(|word| matches!(plain(word).as_str(), "oldest" | "newest"));
        let by_size = matches!(text.to_lowercase().as_str(), "smallest" | "largest" | "biggest");
        let vague = self.hints.nouns.first().is_some_and(|noun| noun.vague);
        let workload = self.context.networks || self.context.datasets || self.context.workload || self.context.tasks;
        match (superlative, field) {
            (_, Field::Device) if by_age => Some(Quantity::Fact(Fact::Released)),
            (_, Field::Network) if by_age => Some(Quantity::Fact(Fact::Published)),
            (_, Field::Framework) if by_age => Some(Quantity::Fact(Fact::FirstRelease)),
            (_, Field::Network) if by_size => Some(Quantity::Fact(Fact::Parameters)),
            (_, Field::Dataset) if by_size => Some(Quantity::Fact(Fact::TrainSize)),
            (_, Field::Device) if by_size => Some(Quantity::Fact(Fact::Memory)),
            (Superlative::Cheapest, Field::Device) if vague && self.context.is_of_classes() => {
                Some(Quantity::HardwareMetric("chip-price".to_owned()))
            }
            // Who says how fast it is to be asks for the least that such a device is sold for.
            (Superlative::Cheapest, Field::Device) if self.has_measured_limit() => {
                Some(Quantity::Fact(Fact::LaunchPrice))
            }
            (Superlative::Cheapest, Field::Device) if !workload => Some(Quantity::Fact(Fact::LaunchPrice)),
            (Superlative::Cheapest, Field::Device | Field::Instance) if !self.context.datasets => {
                Some(Quantity::Derived(Derived::ItemsPerDollar))
            }
            _ => None,
        }
    }
}
