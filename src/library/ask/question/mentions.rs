//! What a quantity's name asks for beside what else the question names.

use super::clause::Clause;
use super::facing::kind_of;
use super::hints::AskedQuantity;
use super::question::Quantity;
use super::vocabulary::StaticQuantity;
use crate::stores::index::Condition;
use crate::values::EntityKind;

/// What a question names, by kinds of clauses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Context {
    pub classes: bool,
    pub devices: bool,
    pub networks: bool,
    pub datasets: bool,
    pub frameworks: bool,
    pub sources: bool,
    pub precisions: bool,
    /// A network's or data set's task.
    pub tasks: bool,
    /// A stage, a batch, a metric …: what only measurements have.
    pub workload: bool,
    pub text: bool,
}

impl Context {
    pub fn of(clauses: &[Clause]) -> Self {
        let mut context = Self::default();
        // Languages that frameworks have, and not those from which a run was started.
        let frameworks: Vec<&str> = clauses.iter().filter(|clause| names_frameworks(clause)).map(kind_of).collect();
        for kind in clauses.iter().filter(|clause| !clause.text.starts_with('-')).flat_map(kinds_of) {
            *match kind {
                kind if matches!(kind, "api-language" | "core-language") && frameworks.contains(&kind) => {
                    &mut context.frameworks
                }
                "class" => &mut context.classes,
                "device" | "vendor" | "architecture" | "instance" => &mut context.devices,
                "network" | "parameters" => &mut context.networks,
                "dataset" => &mut context.datasets,
                "framework" | "license" | "language" | "core-language" | "api-language" | "multi-server"
                | "maturity" | "hardware" => &mut context.frameworks,
                "source" => &mut context.sources,
                "precision" => &mut context.precisions,
                "task" => &mut context.tasks,
                "text" => &mut context.text,
                "multiply-adds" | "published" => &mut context.networks,
                "first-release" => &mut context.frameworks,
                kind if is_of_devices(kind) => &mut context.devices,
                _ => &mut context.workload,
            } = true;
        }
        context
    }

    /// Whether nothing but classes of hardware is named, or nothing at all.
    pub fn is_of_classes(self) -> bool {
        Self { classes: false, text: false, ..self } == Self::default()
    }

    pub fn is_of_devices(self, any_precision: bool) -> bool {
        let precisions = self.precisions && !any_precision;
        self.devices && Self { classes: false, devices: false, text: false, precisions, ..self } == Self::default()
    }

    pub fn is_of_networks(self) -> bool {
        self.networks && Self { networks: false, text: false, tasks: false, ..self } == Self::default()
    }

    pub fn is_of_datasets(self) -> bool {
        self.datasets && Self { datasets: false, text: false, tasks: false, ..self } == Self::default()
    }

    pub fn is_of_frameworks(self) -> bool {
        self.frameworks && Self { frameworks: false, classes: false, text: false, ..self } == Self::default()
    }

    pub fn is_of_sources(self) -> bool {
        self.sources && Self { sources: false, text: false, ..self } == Self::default()
    }

    /// Whether it is named what was run, or on what.
    pub fn has_work(self) -> bool {
        self.devices || self.networks || self.datasets || self.tasks || self.frameworks
    }

    /// Whether an entity is named of which facts are known.
    pub fn has_entity(self) -> bool {
        self.devices || self.networks || self.datasets || self.frameworks || self.sources
    }
}

/// Whether a clause is on frameworks, by what the catalog states of them.
fn names_frameworks(clause: &Clause) -> bool {
    let is_of_them = |one: &Condition| matches!(one, Condition::Entities(EntityKind::Framework, _));
    matches!(&clause.condition, Condition::Any(any) if any.iter().any(is_of_them))
}

/// The kinds of all that a clause reads.
fn kinds_of(clause: &Clause) -> Vec<&str> {
    let mut kinds = vec![kind_of(clause)];
    kinds.extend(clause.readings.iter().map(|reading| reading.read_as.facet.as_str()));
    kinds.retain(|kind| *kind != "framework-version" && *kind != "backend");
    kinds
}

/// Whether a filter is by a fact of devices.
pub(super) fn is_of_devices(key: &str) -> bool {
    crate::model::Fact::filter(key).is_some_and(|fact| fact.kind() == crate::values::EntityKind::Device)
}

impl AskedQuantity {
    /// What is asked for in a context.
    pub fn quantities(self, context: Context) -> Vec<Quantity> {
        let named = match self {
            Self::Only(quantity) => return vec![quantity.quantity()],
            Self::InContext(named) => named,
        };
        let own: &[StaticQuantity] = match () {
            () if context.is_of_classes() => named.classes,
            // `highest bf16 flops`
            () if named.takes_precision && Context { precisions: false, ..context }.is_of_classes() => named.classes,
            () if context.is_of_devices(named.takes_precision) => named.devices,
            () if context.is_of_networks() => named.networks,
            () if context.is_of_datasets() => named.datasets,
            () if context.is_of_frameworks() => named.frameworks,
            () => named.measured,
        };
        let others = [own, named.measured, named.classes, named.frameworks, named.networks];
        let chosen = others.into_iter().find(|list| !list.is_empty()).unwrap_or_default();
        chosen.iter().map(|quantity| quantity.quantity()).collect()
    }

    /// Whether it is asked for only where a precision is named as well.
    pub fn needs_precision(self) -> bool {
        matches!(self, Self::InContext(named) if named.needs_precision)
    }

    /// Whether a precision belongs to what is asked for.
    pub fn takes_precision(self) -> bool {
        matches!(self, Self::InContext(named) if named.takes_precision)
    }
}
