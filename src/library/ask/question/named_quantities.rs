//! What the names of quantities in a question ask for, by what else it names.

use super::asked::as_grade;
use super::facing::kind_of;
use super::hints::Mention;
use super::mentions::Context;
use super::order::Superlative;
use super::question::Quantity;
use super::seen::Seen;
use super::vocabulary::{Cue, OF_SHARES, PER_DEVICE, plain, plain_words};
use crate::model::{Aspect, Derived, Facet, Fact, Field, Metric};

/// Nouns of what a throughput counts, which alone ask for one.
const COUNTED: &[&str] = &["token", "tokens", "image", "images", "sample", "samples", "frame", "frames"];

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

fn is_fact(quantity: &Quantity) -> bool {
    matches!(quantity, Quantity::Fact(_))
}

impl Seen<'_, '_> {
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
        // `squeezenet vs shufflenet: flops, params, speed`: what each of the networks is.
        let are_networks = self.clauses.iter().any(|clause| {
            clause.sides.len() > 1 && clause.sides.iter().all(|side| kind_of(side) == Field::Network.key())
        });
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
            if matches!(plain(&mention.text).as_str(), "efficient" | "efficiency")
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
            let facts = mention.asked.quantities(of_networks);
            let is_size = |fact: &Quantity| matches!(fact, Quantity::Fact(Fact::MultiplyAdds | Fact::Parameters));
            if are_networks && !facts.is_empty() && facts.iter().all(is_size) {
                return facts;
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
            let first_peak =
                [Fact::PeakFp32, Fact::PeakInt8].map(Quantity::Fact).into_iter().find(|peak| own.contains(peak));
            if let Some(peak) = first_peak.filter(|_| by_facts && own.len() > 1 && !precisions) {
                own = vec![peak];
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
            // `java and python interfaces`: of which languages they are is a condition.
            if named(Facet::Language.key()) && !named(Facet::Framework.key()) {
                own.retain(|quantity| *quantity != Quantity::Fact(Fact::ApiLanguage));
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
            } else if mention.asked.takes_precision()
                && !own.is_empty()
                && own.iter().all(|one| format(&one.key()).is_some())
            {
                // `fp16 tops`: the peak in that format.
                own.clear();
                own.extend(Fact::filters().map(Quantity::Fact).filter(has));
            }
        }
    }
}
