//! The quantities that a question asks for, by name or by a superlative.

use super::facing::kind_of;
use super::hints::Mention;
use super::mentions::Context;
use super::order::Superlative;
use super::question::Quantity;
use super::seen::Seen;
use super::vocabulary::{Cue, HOLDING, OF_SHARES, POSSIBLE, RUNNING, plain, plain_words};
use crate::model::{Aspect, Derived, Facet, Fact, Field, Metric};

/// Nouns of what a throughput counts, which alone ask for one.
const COUNTED: &[&str] = &["token", "tokens", "image", "images", "sample", "samples", "frame", "frames"];

/// Words by which sides are compared by when they came out.
pub(super) const OF_AGE: &[&str] = &["newer", "older"];

fn is_fact(quantity: &Quantity) -> bool {
    matches!(quantity, Quantity::Fact(_))
}

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

/// Words that divide a throughput by the number of devices, and name none themselves.
const PER_DEVICE: &[&str] = &[
    "per accelerator",
    "per gpu",
    "per card",
    "per chip",
    "per tpu",
    "per board",
    "for each gpu",
    "for each accelerator",
    "for each device",
];

/// Whether words divide a throughput by the number of devices, and name none themselves: `per accelerator`.
pub(super) fn is_per_device(mention: &Mention) -> bool {
    PER_DEVICE.contains(&plain_words(&mention.text).as_str())
}

/// Whether nothing but energy, power or a price is asked for: of whole classes their grades say it, and hardly any rows of two
/// classes can be paired by it.
fn is_of_cost(quantities: &[Quantity]) -> bool {
    let is_cost = |quantity: &Quantity| match quantity {
        Quantity::Metric(metric) => metric.is_of_energy() && !metric.is_of_items(),
        Quantity::Fact(fact) => matches!(fact, Fact::LaunchPrice | Fact::Price | Fact::Tdp),
        _ => false,
    };
    let of_item = [Quantity::Metric(Metric::EnergyPerItemJ)];
    let mut others = quantities.iter().filter(|quantity| !of_item.contains(quantity)).peekable();
    others.peek().is_some() && others.all(is_cost)
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

    /// What each mention asks for.
    pub(super) fn mentioned(&self) -> Vec<Vec<Quantity>> {
        let ranks_devices = self.superlative().is_some() && self.hints.nouns.iter().any(|noun| !noun.vague);
        let context = Context { workload: self.context.workload || ranks_devices, ..self.context };
        // What is set against a latency over networks is theirs: the operations that each takes.
        let of_networks = Context { networks: true, ..Context::default() };
        let by_network = self.hints.has(Cue::Correlation);
        // Where nothing is run, devices are ranked by what they are.
        let Context { networks, datasets, tasks, workload, .. } = self.context;
        let by_facts = ranks_devices && !(networks || datasets || tasks || workload);
        let of_devices = Context { devices: true, precisions: self.context.precisions, ..Context::default() };
        // `which framework scales best` asks for none of the classes' grades.
        let ranks_named = self.superlative().is_some() && self.ranks_entities();
        // `fewest flops`, of networks: what each takes.
        let ranks_networks = self.superlative().is_some() && self.candidates() == Some(Aspect::Field(Field::Network));
        let of_size = |mention: &Mention| {
            let facts = mention.asked.quantities(of_networks);
            ranks_networks
                && facts.iter().any(|fact| matches!(fact, Quantity::Fact(Fact::MultiplyAdds | Fact::Parameters)))
        };
        let own_context = match () {
            () if by_network => of_networks,
            () if by_facts => of_devices,
            () => self.context,
        };
        let needs_precision = |mention: &Mention| mention.asked.needs_precision() && !self.context.precisions;
        let named = |key: &str| self.clauses.iter().any(|clause| kind_of(clause) == key);
        // Who asks for a grade is not told numbers.
        let judged = self.hints.has(Cue::Evidence)
            || self.asks_whether() && self.context.classes && self.context.is_of_classes();
        let graded = self.hints.has(Cue::Grades) || self.hints.has(Cue::Survey) || judged;
        let of_classes = graded && (self.context.is_of_classes() || self.context.is_of_devices(true));
        let compares_classes = self.names_classes();
        let of = |mention: &Mention| {
            // The first half of `images per second per dollar` asks for no speed.
            if self.is_divided(mention) {
                return Vec::new();
            }
            // `per accelerator`: of what else is named, or of nothing that is ranked, it says no more.
            if is_per_device(mention) && !self.divides_speed() {
                return Vec::new();
            }
            // `classes rated high in compatibility` are those of hardware.
            if graded && mention.asked.quantities(Context::default()) == [Quantity::Fact(Fact::Classes)] {
                return Vec::new();
            }
            let scaling = Quantity::Derived(Derived::ScalingEfficiency);
            let in_rows = Context { workload: true, ..Context::default() };
            if ranks_named && !graded && mention.asked.quantities(in_rows) == [scaling.clone()] {
                return vec![scaling];
            }
            // `how efficient is training on 16 GPUs`: as to one of them.
            let several = || self.clauses.iter().any(|clause| kind_of(clause) == Field::DeviceCount.key());
            if plain(&mention.text) == "efficient"
                && several()
                && mention.asked.quantities(in_rows) != [scaling.clone()]
            {
                return vec![scaling];
            }
            let is_compared = || compares_classes && is_of_cost(&mention.asked.quantities(Context::default()));
            if (of_classes || is_compared()) && mention.without.is_none() {
                let asked = mention.asked.quantities(Context { classes: true, ..Context::default() });
                let mut grades: Vec<Quantity> = asked.iter().filter_map(as_grade).collect();
                grades.dedup();
                if !grades.is_empty() {
                    return grades;
                }
            }
            // The tokens of `energy per 1k tokens` are no speed.
            let is_counted = |other: &Mention| COUNTED.contains(&plain(&other.text).as_str());
            if is_counted(mention) && self.hints.mentions.iter().any(|other| !is_counted(other)) {
                return Vec::new();
            }
            // A device's memory is a fact of it even where devices are ranked.
            if needs_precision(mention) || mention.without.is_some() {
                return Vec::new();
            }
            if of_size(mention) && !self.context.devices {
                return mention.asked.quantities(of_networks);
            }
            let facts = mention.asked.quantities(own_context);
            let mut own = match facts.iter().all(|quantity| matches!(quantity, Quantity::Fact(_))) {
                _ if by_network => facts,
                _ if by_facts && facts.iter().any(is_fact) => facts.into_iter().filter(is_fact).collect(),
                true => facts,
                false => mention.asked.quantities(context),
            };
            // `what fraction of its peak flops does it reach in training`
            let is_run = context.networks || context.workload || context.datasets || context.frameworks;
            if mention.asked.takes_precision() && is_run && self.asks_for_share() {
                own = vec![Quantity::Derived(Derived::PeakFraction)];
            }
            // Of all peaks one orders devices.
            let precisions = self.context.precisions || !mention.asked.takes_precision();
            if by_facts && own.contains(&Quantity::Fact(Fact::PeakFp32)) && !precisions {
                own = vec![Quantity::Fact(Fact::PeakFp32)];
            }
            // Who made a source is what its citation says.
            if self.context.is_of_sources() {
                own.retain(|quantity| !matches!(quantity, Quantity::Fact(Fact::Steward | Fact::Vendor)));
            }
            // Who does not say which units means the faster ones, too.
            if let [Quantity::Fact(fact)] = own.as_slice()
                && let Some(of_tensor_cores) = fact.of_tensor_cores()
            {
                own.push(Quantity::Fact(of_tensor_cores));
            }
            // `volta architecture`, `BSD license` say it.
            own.retain(|quantity| !matches!(quantity, Quantity::Fact(fact) if named(fact.key())));
            own
        };
        let mut mentioned: Vec<Vec<Quantity>> = self.hints.mentions.iter().map(of).collect();
        self.only_peaks_of_precision(&mut mentioned);
        mentioned
    }

    /// Whether a share of something is asked for: `what fraction of`, `how close to`.
    pub(super) fn asks_for_share(&self) -> bool {
        self.interpreter.question.split_whitespace().map(plain).any(|word| OF_SHARES.contains(&word.as_str()))
    }

    /// Whether a `per accelerator` is said of a throughput: of one that is named, or of that by which a ranking without a name ranks.
    pub(super) fn divides_speed(&self) -> bool {
        let others = self.hints.mentions.iter().filter(|mention| !is_per_device(mention)).count();
        let ranks_speed =
            matches!(self.superlative(), Some(Superlative::Best | Superlative::Worst | Superlative::Most));
        self.names_speed() || others == 0 && ranks_speed
    }

    /// Whether speed is what is asked for by a name.
    fn names_speed(&self) -> bool {
        let is_speed = |mention: &Mention| {
            mention.asked.quantities(Context::default()).contains(&Quantity::Metric(Metric::ThroughputPerS))
        };
        self.hints.mentions.iter().any(is_speed)
    }

    /// Whether a rate is divided by what another mention names: `tokens/s per watt`, `images per second on a T4 per dollar`.
    fn is_divided(&self, mention: &Mention) -> bool {
        let divides = |other: &Mention| plain_words(&other.text).starts_with("per ") || is_per_device(other);
        let divided = mention.asked.quantities(Context::default());
        divided.contains(&Quantity::Metric(Metric::ThroughputPerS)) && self.hints.mentions.iter().any(divides)
    }

    /// Of a device's peaks those in the format that is named.
    pub(super) fn only_peaks_of_precision(&self, mentioned: &mut [Vec<Quantity>]) {
        let format = |key: &str| key.strip_prefix("peak-").map(|format| format.trim_end_matches("-tensor").to_owned());
        let exact = self.hints.mentions.iter().zip(&*mentioned).find_map(|(mention, own)| match own.as_slice() {
            [Quantity::Fact(fact)] if !mention.asked.takes_precision() => format(fact.key()),
            _ => None,
        });
        // `A100 fp16 peak vs V100 fp16 peak` says it with each side.
        let mut readings = self.clauses.iter().flat_map(|clause| &clause.readings);
        let named = readings.find(|reading| reading.read_as.facet == Facet::Precision.key());
        let named = named.and_then(|reading| reading.read_as.values.first().cloned());
        let Some(precision) = exact.or(named) else { return };
        for (mention, own) in self.hints.mentions.iter().zip(mentioned) {
            let has = |quantity: &Quantity| format(&quantity.key()).as_ref() == Some(&precision);
            if mention.asked.takes_precision() && own.iter().any(has) {
                own.retain(has);
            }
        }
    }

    pub(super) fn quantities(&self, mentioned: &[Vec<Quantity>]) -> Vec<Quantity> {
        let mut quantities: Vec<Quantity> = Vec::new();
        for quantity in mentioned.iter().flatten() {
            if !quantities.contains(quantity) {
                quantities.push(quantity.clone());
            }
        }
        quantities.extend(self.grades.iter().map(|id| Quantity::HardwareMetric(id.clone())));
        // `evidence for … since the survey was published`
        let is_grade = |quantity: &Quantity| matches!(quantity, Quantity::HardwareMetric(_));
        if self.hints.has(Cue::Evidence) && quantities.iter().any(is_grade) {
            quantities.retain(|quantity| *quantity != Quantity::Fact(Fact::Published));
        }
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
        if self.hints.has(Cue::Fit) && self.context.networks && self.context.devices {
            quantities.push(Quantity::MemoryFit);
        }
        let instance = self.clauses.iter().any(|clause| kind_of(clause) == "instance");
        if instance && quantities.is_empty() && self.noun(Field::Device).is_some() && self.context.is_of_devices(false)
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
