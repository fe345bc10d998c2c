//! What a question wants to know: the kind of answer, its sides, quantities and axis, made out from what its words were read as.

use super::clause::{Clause, filter_text};
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
    let mut wanted = seen.wanted();
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
    fn wanted(&self) -> Wanted {
        let joined_at = self.clauses.iter().position(|clause| clause.sides.len() > 1);
        let sides = joined_at.map(|at| self.clauses[at].sides.clone()).unwrap_or_default();
        let quantities = self.quantities();
        let candidates = self.candidates();
        let along = self.along(&quantities, &sides);
        let superlative = self.superlative();
        let intent = self.intent(&quantities, &sides, superlative, along);
        Wanted {
            intent,
            sides,
            joined_at,
            superlative: superlative.filter(|_| matches!(intent, Intent::Ranking | Intent::Grade | Intent::Relation)),
            candidates: match intent {
                Intent::Ranking => candidates.or_else(|| self.default_candidates()),
                Intent::List => candidates,
                _ => None,
            },
            along: along.filter(|_| intent == Intent::Relation),
            quantities,
        }
    }

    fn quantities(&self) -> Vec<Quantity> {
        let ranks_devices = self.superlative().is_some() && self.hints.nouns.iter().any(|noun| !noun.vague);
        let context = Context { workload: self.context.workload || ranks_devices, ..self.context };
        let mut quantities: Vec<Quantity> = Vec::new();
        for mention in &self.hints.mentions {
            // A device's memory is a fact of it even where devices are ranked.
            let facts = mention.asked.quantities(self.context);
            let own = match facts.iter().all(|quantity| matches!(quantity, Quantity::Fact(_))) {
                true => facts,
                false => mention.asked.quantities(context),
            };
            for quantity in own {
                if !quantities.contains(&quantity) {
                    quantities.push(quantity);
                }
            }
        }
        let cheap_chip = self.interpreter.superlative.as_ref().is_some_and(|(_, s)| *s == Superlative::Cheapest)
            && self.context.is_of_classes()
            && self.hints.nouns.iter().any(|noun| noun.vague)
            && quantities.is_empty();
        if cheap_chip {
            quantities.push(Quantity::HardwareMetric("chip-price".to_owned()));
        }
        let about_frameworks = self.context.is_of_frameworks() && self.noun(Field::Framework).is_none();
        if self.hints.has(Cue::Maintained) && about_frameworks {
            quantities.push(Quantity::Fact(Fact::Maturity));
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
                && self
                    .hints
                    .nouns
                    .first()
                    .is_some_and(|noun| !noun.plural && noun.aspect == Aspect::Field(Field::Device))
                && (self.context.networks || self.context.workload || self.context.tasks)
                && !self.clauses.iter().any(|clause| clause.sides.len() > 1)
        };
        let budget = || {
            self.hints.mentions.iter().any(|mention| mention.text.contains("budget")) && self.context.is_of_classes()
        };
        stated.or_else(|| (which() || budget()).then_some(Superlative::Best))
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
        let of_ranking = hints.nouns.iter().any(|noun| !noun.vague && !noun.plural) || context.has_entity();
        match () {
            () if hints.has(Cue::Principles) => Intent::List,
            () if quantities.contains(&Quantity::MemoryFit) => Intent::Relation,
            () if only_grades && context.is_of_classes() && !self.is_explicit() => Intent::Grade,
            () if compared && by_precision && how_much => Intent::Relation,
            () if compared => Intent::Comparison,
            () if only_grades && superlative.is_none() && !context.has_entity() && !self.is_explicit() => Intent::Grade,
            () if superlative.is_some() && quantities.iter().any(is_per_unit) && !of_ranking => Intent::Relation,
            () if superlative.is_some() => Intent::Ranking,
            () if hints.opposed || hints.has(Cue::Scaling) || hints.has(Cue::SpeedUp) => Intent::Relation,
            () if !hints.along.is_empty() => Intent::Relation,
            () if along.is_some() => Intent::Relation,
            () if hints.has(Cue::WhoMeasured) => Intent::List,
            () if self.interpreter.about.is_some() && self.is_list_of_kind() => Intent::List,
            () if facts > 0 && (context.has_entity() || context.tasks) => Intent::Fact,
            () if facts > 0 => Intent::List,
            () if self.is_list_of_devices() || self.is_list_of_results() => Intent::List,
            () if self.is_overview(quantities) => Intent::Overview,
            () => Intent::Lookup,
        }
    }

    /// Whether everything was asked in filters.
    fn is_explicit(&self) -> bool {
        self.hints.mentions.is_empty()
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
        let one = entities == 1 || entities == 0 && hardware > 0 || same_work;
        let described = self.hints.has(Cue::Describe)
            && kinds.iter().all(|kind| {
                OF_ENTITIES.contains(kind) || OF_HARDWARE.contains(kind) || *kind == "stage" || *kind == "text"
            });
        let alone = entities + hardware == kinds.len() || described;
        quantities.is_empty() && one && alone && self.interpreter.sort.is_none()
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
    for mention in &hints.mentions {
        let keys: Vec<String> = mention.asked.quantities(Context::of(clauses)).iter().map(Quantity::key).collect();
        say(interpreter, mention, keys);
    }
    for (text, aspect) in &hints.along {
        interpreter.aside(text.clone(), "along", aspect.key());
    }
    if matches!(wanted.intent, Intent::Lookup | Intent::Ranking | Intent::Comparison | Intent::Relation)
        && !hints.opposed
    {
        let metrics: Vec<String> = wanted
            .quantities
            .iter()
            .filter_map(|quantity| match quantity {
                Quantity::Metric(metric) => Some(metric.key().to_owned()),
                _ => None,
            })
            .collect();
        if !metrics.is_empty() {
            let condition = Condition::Facet(Facet::Metric, metrics.clone());
            let text = hints.mentions.iter().map(|mention| mention.text.as_str()).collect::<Vec<_>>().join(" ");
            let equivalent = filter_text(Facet::Metric, &metrics);
            clauses.push(Clause::of(&text, Facet::Metric.key(), metrics, equivalent, condition));
        }
    }
    if let Some((text, kind)) = interpreter.about.clone() {
        match wanted.intent {
            Intent::List => interpreter.aside(text, "kind", kind.plural()),
            _ => interpreter.about = None,
        }
    }
    wanted.joined_at = clauses.iter().position(|clause| clause.sides.len() > 1);
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
