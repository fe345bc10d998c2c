//! What a question wants to know: the kind of answer, its sides, quantities and axis, made out from what its words were read as.

use super::clause::Clause;
use super::error::QueryError;
use super::hints::{Hints, Mention};
use super::intent::Intent;
use super::interpreter::Interpreter;
use super::mentions::{Context, is_of_devices};
use super::order::Superlative;
use super::question::{Quantity, Wanted};
use super::sides::kind_of;
use super::vocabulary::Cue;
use crate::model::{Aspect, Derived, Facet, Fact, Field, Metric};
use crate::stores::index::Condition;
use crate::values::EntityKind;

/// Makes out what the question wants, and finishes its clauses: metrics that are asked for become conditions, and what
/// belongs to a quantity or to the axis of a relation is one no more.
///
/// # Errors
///
/// When a store fails.
pub(super) fn wanted(clauses: &mut Vec<Clause>, interpreter: &mut Interpreter<'_>) -> Result<Wanted, QueryError> {
    let context = Context::of(clauses);
    let hints = std::mem::take(&mut interpreter.hints);
    let seen = Seen { context, hints: &hints, clauses, interpreter };
    let (mut wanted, mentioned) = seen.wanted();
    for (mention, quantities) in hints.mentions.iter().zip(mentioned).filter(|(_, quantities)| !quantities.is_empty()) {
        say(interpreter, mention, quantities.iter().map(Quantity::key).collect());
    }
    finish(clauses, &mut wanted, &hints, interpreter)?;
    interpreter.hints = hints;
    Ok(wanted)
}

/// Everything from which it follows what is wanted.
struct Seen<'s, 'q> {
    context: Context,
    hints: &'s Hints,
    clauses: &'s [Clause],
    interpreter: &'s Interpreter<'q>,
}

impl Seen<'_, '_> {
    fn wanted(&self) -> (Wanted, Vec<Vec<Quantity>>) {
        let joined_at = self.clauses.iter().position(|clause| clause.sides.len() > 1);
        let sides = joined_at.map(|at| self.clauses[at].sides.clone()).unwrap_or_default();
        let mentioned = self.mentioned();
        let quantities = self.quantities(&mentioned);
        let candidates = self.candidates();
        let along = self.along(&quantities, &sides);
        let superlative = self.superlative();
        let intent = self.intent(&quantities, &sides, superlative, along);
        let wanted = Wanted {
            intent,
            sides,
            joined_at,
            superlative: superlative.filter(|_| matches!(intent, Intent::Ranking | Intent::Grade | Intent::Relation)),
            candidates: match intent {
                Intent::Ranking => candidates.or_else(|| self.default_candidates()),
                Intent::List if self.hints.has(Cue::WhoMeasured) => Some(Aspect::Source),
                Intent::List => candidates.or_else(|| self.listed()),
                _ => None,
            },
            along: along.filter(|_| intent == Intent::Relation),
            quantities,
        };
        (wanted, mentioned)
    }

    /// What is listed where no noun says it.
    fn listed(&self) -> Option<Aspect> {
        match () {
            () if self.is_list_of_frameworks() => Some(Aspect::Field(Field::Framework)),
            () if self.is_list_of_devices() => Some(Aspect::Field(Field::Device)),
            () if self.is_list_of_results() => Some(Aspect::Source),
            () => None,
        }
    }

    /// What each mention asks for.
    fn mentioned(&self) -> Vec<Vec<Quantity>> {
        let ranks_devices = self.superlative().is_some() && self.hints.nouns.iter().any(|noun| !noun.vague);
        let context = Context { workload: self.context.workload || ranks_devices, ..self.context };
        let named = |key: &str| self.clauses.iter().any(|clause| kind_of(clause) == key);
        let of = |mention: &Mention| {
            // A device's memory is a fact of it even where devices are ranked.
            let facts = mention.asked.quantities(self.context);
            let mut own = match facts.iter().all(|quantity| matches!(quantity, Quantity::Fact(_))) {
                true => facts,
                false => mention.asked.quantities(context),
            };
            // `volta architecture`, `BSD license` say it.
            own.retain(|quantity| !matches!(quantity, Quantity::Fact(fact) if named(fact.key())));
            own
        };
        let mut mentioned: Vec<Vec<Quantity>> = self.hints.mentions.iter().map(of).collect();
        self.only_peaks_of_precision(&mut mentioned);
        mentioned
    }

    /// Of a device's peaks those in the format that is named.
    fn only_peaks_of_precision(&self, mentioned: &mut [Vec<Quantity>]) {
        let format = |key: &str| key.strip_prefix("peak-").map(|format| format.trim_end_matches("-tensor").to_owned());
        let exact = self.hints.mentions.iter().zip(&*mentioned).find_map(|(mention, own)| match own.as_slice() {
            [Quantity::Fact(fact)] if !mention.asked.takes_precision() => format(fact.key()),
            _ => None,
        });
        let named = self.clauses.iter().find(|clause| kind_of(clause) == "precision");
        let named = named.and_then(|clause| clause.readings.first()?.read_as.values.first().cloned());
        let Some(precision) = exact.or(named) else { return };
        for (mention, own) in self.hints.mentions.iter().zip(mentioned) {
            let has = |quantity: &Quantity| format(&quantity.key()).as_ref() == Some(&precision);
            if mention.asked.takes_precision() && own.iter().any(has) {
                own.retain(has);
            }
        }
    }

    fn quantities(&self, mentioned: &[Vec<Quantity>]) -> Vec<Quantity> {
        let mut quantities: Vec<Quantity> = Vec::new();
        for quantity in mentioned.iter().flatten() {
            if !quantities.contains(quantity) {
                quantities.push(quantity.clone());
            }
        }
        if quantities.is_empty() {
            quantities.extend(self.of_superlative());
        }
        let about_frameworks = self.context.is_of_frameworks() && self.noun(Field::Framework).is_none();
        if self.hints.has(Cue::Maintained) && about_frameworks {
            quantities.push(Quantity::Fact(Fact::Maturity));
        }
        if self.hints.has(Cue::Newest) && self.noun(Field::Device).is_some() {
            quantities.push(Quantity::Fact(Fact::Released));
        }
        if self.hints.has(Cue::Principles) {
            quantities.push(Quantity::Principles);
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

    /// What a superlative is about that names no quantity: the cheapest chip, the smallest network.
    fn of_superlative(&self) -> Option<Quantity> {
        let (text, superlative) = self.interpreter.superlative.as_ref()?;
        let field = match self.candidates()? {
            Aspect::Field(field) => field,
            _ => return None,
        };
        let by_size = matches!(text.to_lowercase().as_str(), "smallest" | "largest" | "biggest");
        let vague = self.hints.nouns.first().is_some_and(|noun| noun.vague);
        let workload = self.context.networks || self.context.datasets || self.context.workload || self.context.tasks;
        match (superlative, field) {
            (_, Field::Network) if by_size => Some(Quantity::Fact(Fact::Parameters)),
            (_, Field::Dataset) if by_size => Some(Quantity::Fact(Fact::TrainSize)),
            (_, Field::Device) if by_size => Some(Quantity::Fact(Fact::Memory)),
            (Superlative::Cheapest, Field::Device) if vague && self.context.is_of_classes() => {
                Some(Quantity::HardwareMetric("chip-price".to_owned()))
            }
            (Superlative::Cheapest, Field::Device) if !workload => Some(Quantity::Fact(Fact::LaunchPrice)),
            (Superlative::Cheapest, Field::Device | Field::Instance) if !self.context.datasets => {
                Some(Quantity::Derived(Derived::ItemsPerDollar))
            }
            _ => None,
        }
    }

    fn noun(&self, field: Field) -> Option<bool> {
        self.hints.nouns.iter().find(|noun| noun.aspect == Aspect::Field(field)).map(|noun| noun.plural)
    }

    /// What is ranked or listed: the first noun behind the superlative, else the first one.
    fn candidates(&self) -> Option<Aspect> {
        let nouns = &self.hints.nouns;
        let behind = nouns.get(self.hints.nouns_before_superlative..).and_then(<[_]>::first);
        let about = self.interpreter.about.as_ref().and_then(|(_, kind)| aspect_of(*kind));
        behind.or(nouns.first()).map(|noun| noun.aspect).or(about)
    }

    fn default_candidates(&self) -> Option<Aspect> {
        let field = match self.context {
            Context { devices: false, .. } => Field::Device,
            Context { networks: false, datasets: false, .. } => Field::Network,
            _ => Field::Framework,
        };
        Some(Aspect::Field(field))
    }

    fn superlative(&self) -> Option<Superlative> {
        let stated = self.interpreter.superlative.as_ref().map(|(_, superlative)| *superlative);
        // `which GPU for …` asks for the best one.
        let which = || {
            self.hints.cues.first() == Some(&Cue::Which)
                && self.hints.nouns.first().is_some_and(|noun| {
                    !noun.plural && matches!(noun.aspect, Aspect::Field(Field::Device | Field::Framework))
                })
                && (self.context.networks || self.context.workload || self.context.tasks)
                && !self.clauses.iter().any(|clause| clause.sides.len() > 1)
        };
        let newest = self.hints.has(Cue::Newest) && self.noun(Field::Device).is_some();
        let budget = || {
            self.hints.mentions.iter().any(|mention| mention.text.contains("budget")) && self.context.is_of_classes()
        };
        let newest = newest.then_some(Superlative::Most);
        stated.or(newest).or_else(|| (which() || budget()).then_some(Superlative::Best))
    }

    fn along(&self, quantities: &[Quantity], sides: &[Clause]) -> Option<Aspect> {
        let hints = self.hints;
        if let Some((_, aspect)) = hints.along.first() {
            return Some(*aspect);
        }
        let counts = self.clauses.iter().any(|clause| kind_of(clause) == "device-count");
        let scaling = quantities.contains(&Quantity::Derived(Derived::ScalingEfficiency));
        let side = sides.first().map(kind_of);
        match () {
            () if hints.has(Cue::Scaling) || scaling => Some(Aspect::Field(Field::DeviceCount)),
            () if side == Some("precision") => Some(Aspect::Field(Field::Precision)),
            () if hints.has(Cue::SpeedUp) && counts => Some(Aspect::Field(Field::DeviceCount)),
            () if hints.has(Cue::SpeedUp) => Some(Aspect::Field(Field::Precision)),
            () if hints.opposed => Some(Aspect::Field(Field::BatchSize)),
            () if quantities.iter().any(is_per_unit) => Some(Aspect::Field(Field::Device)),
            () => None,
        }
    }

    fn intent(
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
        let how_much = hints.has(Cue::Comparative) && !matches!(hints.cues.first(), Some(Cue::YesOrNo));
        let has_candidates = !hints.nouns.is_empty();
        let levels = hints.mentions.iter().any(|mention| mention.level.is_some());
        let per_unit_named =
            hints.mentions.iter().any(|mention| mention.text.contains(['/', 'j']) || mention.text.contains("per "));
        let framework = self.clauses.iter().any(|clause| kind_of(clause) == "framework");
        match () {
            () if hints.has(Cue::Principles) => Intent::List,
            () if quantities.contains(&Quantity::MemoryFit) => Intent::Relation,
            () if only_grades && levels && superlative.is_some() && has_candidates => Intent::Ranking,
            () if only_grades && context.is_of_classes() => Intent::Grade,
            () if compared && by_precision && how_much => Intent::Relation,
            () if compared => Intent::Comparison,
            () if only_grades && superlative.is_none() && !context.has_entity() => Intent::Grade,
            () if superlative.is_some() && per_unit_named && quantities.iter().any(is_per_unit) && !has_candidates => {
                Intent::Relation
            }
            () if superlative.is_some() => Intent::Ranking,
            () if hints.opposed || hints.has(Cue::Scaling) || hints.has(Cue::SpeedUp) => Intent::Relation,
            () if !hints.along.is_empty() => Intent::Relation,
            () if along.is_some() => Intent::Relation,
            () if hints.has(Cue::WhoMeasured) => Intent::List,
            () if facts > 0 && framework => Intent::Fact,
            () if self.interpreter.about.is_some() && self.is_list_of_kind() => Intent::List,
            () if facts > 0 && (context.has_entity() || context.tasks) => Intent::Fact,
            () if facts > 0 => Intent::List,
            () if self.is_list_of_devices() || self.is_list_of_results() || self.is_list_of_frameworks() => {
                Intent::List
            }
            () if self.is_overview(quantities) => Intent::Overview,
            () => Intent::Lookup,
        }
    }

    /// Whether frameworks are described, none is named.
    fn is_list_of_frameworks(&self) -> bool {
        self.context.is_of_frameworks() && !self.clauses.iter().any(|clause| kind_of(clause) == "framework")
    }

    /// Whether entities of a kind are asked for rather than measurements.
    fn is_list_of_kind(&self) -> bool {
        let Some((_, kind)) = &self.interpreter.about else { return false };
        let Context { devices, networks, datasets, precisions, .. } = self.context;
        let which = self.hints.has(Cue::Which) || self.noun(Field::Framework) == Some(true);
        match kind {
            EntityKind::Framework => {
                !(devices || precisions || networks && !self.hints.has(Cue::Support)) || which && !precisions
            }
            EntityKind::Network => !devices || which,
            EntityKind::Device => !networks && !datasets || which,
            _ => true,
        }
    }

    /// Whether devices are listed by what they are.
    fn is_list_of_devices(&self) -> bool {
        let by_facts = self.clauses.iter().any(|clause| is_of_devices(kind_of(clause)) || is_grade(clause));
        let plural = self.noun(Field::Device) == Some(true);
        let kinds = self.clauses.iter().map(kind_of);
        let known = |kind: &str| matches!(kind, "class" | "vendor" | "architecture") || is_of_devices(kind);
        let all_hardware = self.clauses.iter().all(|clause| known(kind_of(clause)) || is_grade(clause));
        let telling = kinds.filter(|kind| *kind != "class").count() > 0;
        all_hardware && (by_facts || plural && telling) || self.hints.has(Cue::LowPower) && all_hardware
    }

    fn is_list_of_results(&self) -> bool {
        self.hints.has(Cue::Newest) && self.clauses.is_empty()
    }

    /// Whether one entity is named and nothing is asked of it.
    fn is_overview(&self, quantities: &[Quantity]) -> bool {
        const OF_ENTITIES: &[&str] = &["device", "network", "framework", "dataset", "source", "instance", "task"];
        const OF_HARDWARE: &[&str] = &["class", "vendor", "architecture"];
        let kinds: Vec<&str> = self.clauses.iter().map(kind_of).collect();
        let entities = kinds.iter().filter(|kind| OF_ENTITIES.contains(kind)).count();
        let hardware = kinds.iter().filter(|kind| OF_HARDWARE.contains(kind)).count();
        let same_work = kinds.contains(&"task") && kinds.contains(&"network") && entities == 2;
        let devices = kinds.contains(&"device");
        let one = entities == 1 && (hardware == 0 || devices) || entities == 0 && hardware > 0 || same_work;
        let excludes = self.clauses.iter().any(|clause| clause.text.starts_with('-'));
        let described = self.hints.has(Cue::Describe)
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

/// Whether a clause is a filter by a grade of classes.
fn is_grade(clause: &Clause) -> bool {
    let facet = kind_of(clause);
    matches!(&clause.condition, Condition::Facet(Facet::Class, _)) && facet != "class"
}

/// Whether a quantity is a rate per joule or dollar, which is wanted by device.
fn is_per_unit(quantity: &Quantity) -> bool {
    matches!(
        quantity,
        Quantity::Metric(Metric::ItemsPerJoule | Metric::EfficiencyRatio) | Quantity::Derived(Derived::ItemsPerDollar)
    )
}

/// Makes conditions of what is asked for, and takes back those that are none.
fn finish(
    clauses: &mut Vec<Clause>,
    wanted: &mut Wanted,
    hints: &Hints,
    interpreter: &mut Interpreter<'_>,
) -> Result<(), QueryError> {
    for (text, aspect) in &hints.along {
        interpreter.aside(text.clone(), "along", aspect.key());
    }
    interpreter.sides_in_words(clauses)?;
    match wanted.intent {
        Intent::Relation => {
            interpreter.complete_axis(clauses, wanted)?;
            interpreter.ask_for_metrics(clauses, wanted, hints)?;
        }
        Intent::Ranking => {
            interpreter.grades_as_conditions(clauses, wanted, hints)?;
            interpreter.ask_for_metrics(clauses, wanted, hints)?;
        }
        Intent::Lookup | Intent::Comparison => interpreter.ask_for_metrics(clauses, wanted, hints)?,
        Intent::Fact if hints.mentions.iter().any(|mention| mention.asked.takes_precision()) => {
            clauses.retain(|clause| kind_of(clause) != "precision");
        }
        Intent::List => interpreter.complete_list(clauses, wanted, hints)?,
        _ => {}
    }
    if let Some((text, kind)) = interpreter.about.clone() {
        match wanted.intent {
            Intent::List => interpreter.aside(text, "kind", kind.plural()),
            _ => interpreter.about = None,
        }
    }
    wanted.joined_at = clauses.iter().position(|clause| clause.sides.len() > 1);
    wanted.sides = wanted.joined_at.map(|at| clauses[at].sides.clone()).unwrap_or_default();
    Ok(())
}

/// Says how the name of a quantity was read.
fn say(interpreter: &mut Interpreter<'_>, mention: &Mention, keys: Vec<String>) {
    let read_as = super::read_as::ReadAs {
        text: mention.text.clone(),
        facet: "quantity".to_owned(),
        values: keys,
        how: "exact".to_owned(),
    };
    interpreter.asides.push(read_as);
}

/// The aspect of rows that names entities of a kind.
fn aspect_of(kind: EntityKind) -> Option<Aspect> {
    match kind {
        EntityKind::Source => Some(Aspect::Source),
        _ => Field::of_entities().find(|(_, of)| *of == kind).map(|(field, _)| Aspect::Field(field)),
    }
}
