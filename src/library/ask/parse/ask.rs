//! Chooses the kind of answer from one table, the most specific row first.

use super::piece::{Means, Piece, Word};
use super::question::{Ask, Is, Key, Quantity, Question, Term, Test};
use super::rules::Pieces;
use super::span::How;
use crate::model::{Aspect, Derived, Facet, Fact, Field, Metric};
use crate::values::EntityKind;

/// The properties of a question that the table tests.
struct Traits {
    /// The facets that its subject tests.
    facets: Vec<Facet>,
    sides: bool,
    ranks: bool,
    along: bool,
    /// Whether the question names nothing but hardware classes and their grades.
    graded_only: bool,
    wants_grade: bool,
    wants_fact: bool,
    wants_metric: bool,
    lists: bool,
    kind: bool,
    /// Whether a word for a kind is plural; a question about one thing may ask for a number.
    several: bool,
    bounds: bool,
    unread: bool,
    supports: bool,
    memory: bool,
    /// Whether the question states a number of parameters.
    sized: bool,
    timed: bool,
    filters: bool,
    entities: usize,
}

impl Traits {
    fn of(question: &Question, pieces: &Pieces<'_>) -> Self {
        let tests = question.subject.all_tests();
        // The survey is the source of the grades, so naming it adds no condition.
        let (survey, own): (Vec<&Test>, Vec<&Test>) = tests.iter().partition(|test| is_survey(test));
        let (years, own): (Vec<&Test>, Vec<&Test>) =
            own.into_iter().partition(|test| test.facet() == Some(Facet::Year));
        let mut facets: Vec<Facet> = own.iter().filter_map(|test| test.facet()).collect();
        let is_grade = |test: &&Test| matches!(test.key, Key::Grade(_));
        let grades = own.iter().any(is_grade);
        let bounds = !years.is_empty() || own.iter().any(|test| test.facet().is_none() && !is_grade(test));
        // A vendor next to its own device adds no entity.
        let is_maker = |facet: &&Facet| facets.contains(&Facet::Device) && **facet == Facet::Vendor;
        let mut entities = facets.len() - facets.iter().filter(is_maker).count();
        if entities == 0 && !survey.is_empty() {
            facets.push(Facet::Source);
            entities = 1;
        }
        let graded = |want: &Quantity| matches!(want, Quantity::HardwareMetric(_));
        let fact = |want: &Quantity| matches!(want, Quantity::Fact(_) | Quantity::Ratio(..));
        let metric = |want: &Quantity| {
            matches!(want, Quantity::Metric(_) | Quantity::Derived(_) | Quantity::Speed | Quantity::Field(_))
        };
        let mut of_sides = question.sides.iter().flat_map(|side| &side.terms);
        let classes_of_sides = of_sides.all(|term| term.facet() == Some(Facet::Class));
        let first = pieces.list.iter().position(|piece| !piece.is_filler());
        let leads = question.of.is_some()
            && first.is_some_and(|at| match pieces.means(at) {
                Means::Kind(..) => {
                    let of_rows = [Facet::Network, Facet::Stage, Facet::Device];
                    let is_of_rows = |test: &&Test| test.facet().is_some_and(|facet| of_rows.contains(&facet));
                    pieces.is_plural(&pieces.list[at]) || !tests.iter().any(is_of_rows)
                }
                Means::Ask("which" | "how-many") => true,
                Means::Test(_) => pieces.is_group(at),
                _ => false,
            });
        let wants_metric = question.wants.iter().any(metric) && !question.wants.iter().any(fact);
        // `what tokens per second can I expect on a 12 GB card` asks for a number.
        let asks_number = wants_metric
            && (0..pieces.list.len()).any(|at| {
                matches!(pieces.means(at), Means::Ask("which" | "how-many"))
                    && pieces.next_is(at, |next| next.quantity().is_some())
            });
        let is_plural_kind = |at: usize| {
            (pieces.means(at).kind().is_some() || pieces.is_group(at)) && pieces.is_plural(&pieces.list[at])
        };
        let has_fact = question.wants.iter().any(fact);
        // In a comparison of classes, naming a stage does not rule out grades.
        let is_graded = |of: &Facet| *of == Facet::Class || *of == Facet::Stage && question.sides.len() > 1;
        Self {
            sides: question.sides.len() > 1,
            ranks: question.order.is_some(),
            along: question.along.is_some(),
            graded_only: facets.iter().all(is_graded) && classes_of_sides && !bounds,
            wants_grade: question.quantities().any(graded) || grades,
            wants_fact: has_fact && question.wants.iter().all(|want| fact(want) || matches!(want, Quantity::Metric(_))),
            wants_metric,
            lists: !asks_number && (leads || pieces.asks("which") && question.of.is_some()),
            kind: question.of.is_some(),
            several: (0..pieces.list.len()).any(is_plural_kind),
            bounds,
            filters: pieces.list.iter().all(|piece| piece.how == How::Filter || piece.is_filler()),
            memory: tests.iter().any(|test| test.key == Key::from(Fact::Memory)),
            sized: tests.iter().any(|test| test.key == Key::from(Fact::Parameters)),
            timed: tests.iter().any(|test| matches!(test.key, Key::Aspect(Aspect::Metric(_)))),
            supports: pieces.asks("support")
                || pieces.says(&["use"])
                || facets.contains(&Facet::Precision) && pieces.says(&["have"]),
            unread: pieces.list.iter().any(|piece| piece.how == How::UnreadSubject),
            entities,
            facets,
        }
    }

    fn has(&self, facet: Facet) -> bool {
        self.facets.contains(&facet)
    }

    fn only(&self, allowed: &[Facet]) -> bool {
        self.facets.iter().all(|facet| allowed.contains(facet))
    }
}

fn is_survey(test: &Test) -> bool {
    test.facet() == Some(Facet::Source)
        && matches!(&test.is, Is::OneOf(ids) if ids.iter().all(|id| id == "dai-berleant-2019"))
}

/// Determines the kind of answer that a question asks for.
pub(super) fn kind_of_answer(question: &Question, pieces: &Pieces<'_>) -> Ask {
    use Facet::{
        Architecture, Class, Dataset, Device, Framework, Instance, Language, License, Network, Precision, Source, Task,
        Vendor,
    };
    let t = Traits::of(question, pieces);
    let asks = |name| pieces.asks(name);
    let entity = [Device, Network, Framework, Class, Dataset, Source, Architecture, Vendor, Instance, Task];
    let wants = |wanted: &Quantity| question.wants.contains(wanted);
    let own_kind = question.of.as_ref().is_some_and(|of| !matches!(of, Key::Facet(Device | Class)));
    let lone = pieces.list.iter().filter(|piece| !piece.is_filler()).count() == 1 && t.entities == 1;
    let opens = |word: &Word<'_>| ["can", "will", "could"].contains(&&*word.text.to_lowercase());
    let can = pieces.is_yes_or_no() && pieces.words.first().is_some_and(opens);
    let runs = pieces.is_yes_or_no() && !pieces.compares() && pieces.says(&["run"]);
    let needs_memory = pieces.says(&["need", "needs"]) && question.wants == [Quantity::Metric(Metric::MemoryMib)];
    // `do I need NVLink for two 3090s` names a device, but does not ask what fits.
    let fits_device = t.has(Device) && (pieces.says(&["fit", "fits", "run", "hold"]) || own_kind);
    let beyond = question.beyond.is_some();
    let equals = pieces.any(|means| means.is_link(&["equals", "beats"]));
    let by = question.order.as_ref().map(|order| &order.by);
    let by_size = by == Some(&Quantity::Fact(Fact::Parameters)) && (t.memory || t.has(Device));
    let is_plural_kind = |piece: &Piece| matches!(piece.means, Means::Kind(_, None)) && pieces.is_plural(piece);
    let asks_memory = question.of == Some(Key::Facet(Device)) && t.memory && !t.has(Network) && !t.sized;
    let table = [
        // `which cards have enough memory for 40 GB`
        (Ask::List, asks("fit") && asks_memory && !t.ranks),
        // `the cheapest GPU that can hold Mixtral`
        (Ask::Fits, asks("fit") && t.has(Network) && by.is_some_and(is_of_device) && t.kind && !t.has(Device)),
        // `how many V100s match one H100` is a comparison.
        // `largest llama that fits in 16 GB` lists the networks that fit, largest first.
        (
            Ask::Fits,
            asks("fit") && (t.has(Network) || t.memory || t.sized || fits_device) && (!t.ranks || by_size) && !equals,
        ),
        // `the largest Llama I can run in 16 GB`
        (Ask::Fits, by_size && t.has(Network) && pieces.says(&["run"]) && !t.timed),
        (
            Ask::Overview,
            lone && t.only(&entity)
                && !t.sides
                && !t.bounds
                && !t.wants_grade
                && !t.ranks
                && !t.along
                && question.sort.is_none()
                && !(question.of.is_some() && pieces.first().is_some_and(|piece| pieces.is_plural(piece))),
        ),
        (Ask::Lookup, t.filters && t.wants_grade && question.wants.is_empty() && question.of.is_none()),
        (
            Ask::Fits,
            can && t.has(Network)
                && (t.memory || t.has(Device))
                && !t.timed
                && !t.has(Framework)
                && !t.sides
                && !t.ranks
                && question.wants.is_empty(),
        ),
        // `how much memory does llama 3 8b need`, `what does a 7b model need`
        (Ask::Fits, (t.has(Network) || t.sized) && t.only(&[Network, Precision]) && needs_memory),
        (Ask::Fits, runs && t.has(Network) && t.has(Device) && !t.timed && !t.sides && !t.ranks),
        (Ask::Fits, runs && t.sized && (t.memory || t.has(Device)) && !t.sides && !t.ranks),
        (Ask::List, wants(&Quantity::Principles) || wants(&Quantity::Criteria) && !t.has(Framework)),
        (Ask::Grade, asks("grades") && t.graded_only && !own_kind),
        (
            Ask::Grade,
            t.graded_only
                && t.wants_grade
                && !own_kind
                && (t.has(Class) || t.sides || !t.lists || t.ranks)
                && !t.wants_metric
                && !t.wants_fact,
        ),
        (Ask::Grade, t.graded_only && t.wants_grade && !t.wants_metric && (t.kind || asks("grades"))),
        (
            Ask::Grade,
            t.wants_grade
                && question.wants.iter().all(|want| matches!(want, Quantity::HardwareMetric(_)))
                && !question.wants.is_empty()
                && !t.ranks
                && !t.kind
                && t.only(&[Class, Device, Vendor]),
        ),
        (Ask::List, asks("who-measured") || asks("unmeasured") || asks("members") && !t.sides),
        (Ask::Along, t.along && !t.sides && !(t.lists && own_kind && !t.ranks) && !(t.ranks && t.kind && !asks("fit"))),
        (Ask::Compare, t.sides),
        (Ask::List, t.kind && by == Some(&Quantity::Rows)),
        (Ask::List, t.ranks && t.kind && beyond && !matches!(by, Some(Quantity::Speed | Quantity::Metric(_)))),
        (
            Ask::List,
            t.ranks
                && is_ordered_by_date(question)
                && (question.of.is_none() || question.of == Some(Key::Facet(Source))),
        ),
        (Ask::Rank, t.ranks || beyond),
        (Ask::Along, t.along),
        (Ask::Along, wants_relation(question) && !t.lists && !t.kind),
        (Ask::Fact, question.of.is_none() && question.holds && (asks_catalog_facts(&t) || is_of_own_facts(question))),
        // `what is the energy per inference of a Cortex-M4 board`
        (Ask::Lookup, t.kind && t.lists && t.wants_metric && !t.several && !t.bounds),
        (Ask::List, t.kind && (t.lists || asks("tested") && (t.bounds || !t.wants_fact || !t.has(Device)))),
        (
            Ask::List,
            t.kind
                && t.bounds
                && !t.wants_metric
                && t.only(&[Class, Vendor, Architecture, License, Task, Framework, Precision, Language]),
        ),
        (Ask::List, own_kind && !t.wants_metric && pieces.list.iter().any(is_plural_kind)),
        (
            Ask::Fact,
            t.wants_fact
                && t.entities > 0
                && t.facets.iter().all(|of| entity.contains(of) || matches!(of, Language | License | Precision))
                && !(t.has(Network) && t.has(Device)),
        ),
        (
            Ask::List,
            t.kind
                && !t.wants_metric
                && !t.has(Network)
                && !t.has(Device)
                && (t.lists || !t.has(Facet::Stage))
                && (t.lists || t.entities > 1 || !t.has(Class) || own_kind || t.bounds),
        ),
        // `nvidia memory > 40`, `tdp under 75 w int8 tops`
        (Ask::List, !t.filters && !t.lists && question.wants.iter().all(is_of_device) && describes_devices(question)),
        (Ask::Lookup, t.wants_metric || t.bounds),
        (
            Ask::Overview,
            t.entities == 1
                && t.only(&entity)
                && question.wants.is_empty()
                && !t.unread
                && !t.wants_grade
                && question.sort.is_none(),
        ),
        (
            Ask::Overview,
            t.entities > 0
                && asks("describe")
                && t.only(&entity)
                && !(t.has(Network) && t.has(Device))
                && !t.unread
                && question.wants.is_empty(),
        ),
        (Ask::Fact, t.wants_fact),
    ];
    table.into_iter().find(|(_, holds)| *holds).map_or(Ask::Lookup, |(ask, _)| ask)
}

/// Whether a quantity is a fact of devices.
pub(super) fn is_of_device(want: &Quantity) -> bool {
    matches!(want, Quantity::Fact(fact) if fact.kind() == EntityKind::Device)
}

/// Whether the subject has facts of devices as conditions, and otherwise only groups of devices.
fn describes_devices(question: &Question) -> bool {
    let is_fact = |test: &Test| matches!(test.key, Key::Aspect(Aspect::Fact(of)) if of.kind() == EntityKind::Device);
    let is_group = |test: &Test| match test.facet() {
        Some(Facet::Device) => test.values().len() > 1,
        facet => matches!(facet, Some(Facet::Class | Facet::Vendor | Facet::Architecture)),
    };
    let is_either = |term: &Term| term.test().is_some_and(|test| is_fact(test) || is_group(test));
    question.subject.tests().any(is_fact) && question.subject.terms.iter().all(is_either)
}

/// Whether the order is by date, but not by the release dates of devices that the question names.
fn is_ordered_by_date(question: &Question) -> bool {
    let by = question.order.as_ref().map(|order| &order.by);
    let of_devices = question.subject.has(Facet::Device) && by == Some(&Quantity::Fact(Fact::Released));
    matches!(by, Some(Quantity::Fact(Fact::Year | Fact::Released))) && !of_devices
}

/// Whether a wanted quantity can only be computed from several rows: scaling efficiency.
fn wants_relation(question: &Question) -> bool {
    question.wants.contains(&Quantity::Derived(Derived::ScalingEfficiency))
}

/// Whether a yes/no question is about facts of the catalog: `does jax support tpus`, `is pytorch under a bsd license`.
fn asks_catalog_facts(traits: &Traits) -> bool {
    if traits.supports && !traits.has(Facet::Network) && !traits.has(Facet::Stage) && !traits.has(Facet::Dataset) {
        return true;
    }
    let facts = [Facet::Hardware, Facet::License, Facet::Language, Facet::MultiServer, Facet::Maturity];
    traits.has(Facet::Framework) && (traits.facets.iter().any(|facet| facts.contains(facet)) || traits.bounds)
}

/// Whether a question names one entity and conditions on its own facts, nothing else: `does the T4 have more than 20 GB`.
fn is_of_own_facts(question: &Question) -> bool {
    let is_of = |kind: EntityKind, facet: Facet| {
        let is_fact = |term: &&Term| matches!(term.test().map(|test| &test.key), Some(Key::Aspect(Aspect::Fact(fact))) if fact.kind() == kind);
        let (facts, others): (Vec<&Term>, Vec<&Term>) = question.subject.terms.iter().partition(is_fact);
        !facts.is_empty() && matches!(others[..], [entity] if entity.is_of(facet))
    };
    let is_own = is_of(EntityKind::Device, Facet::Device) || is_of(EntityKind::Network, Facet::Network);
    is_own && question.wants.is_empty()
}

/// Adds the device count to the wants of a question such as `how many H100s do I need for llama 3 70b`.
pub(super) fn count_needed(question: &mut Question, pieces: &Pieces<'_>) {
    let count = Quantity::Field(Field::DeviceCount);
    if question.ask == Ask::Fits && pieces.asks("how-many") && !question.wants.contains(&count) {
        question.wants.push(count);
    }
}

/// Adjusts the question to its kind of answer: drops parts that the kind does not use, and fills in defaults.
pub(super) fn adjust_to_answer_kind(question: &mut Question) {
    // Only hardware classes have grades.
    if question.ask == Ask::Grade && question.order.is_some() {
        question.of = Some(Key::Facet(Facet::Class));
    }
    if question.ask == Ask::Fits
        && question.order.take_if(|order| order.by == Quantity::Fact(Fact::Parameters)).is_some()
    {
        question.of = Some(Key::Facet(Facet::Network));
    }
    let classes = question.ask == Ask::Grade && question.of == Some(Key::Facet(Facet::Class));
    if !matches!(question.ask, Ask::Rank | Ask::List | Ask::Fits | Ask::Compare) && !classes {
        question.of = None;
    }
    if question.ask == Ask::Grade
        || question.wants.iter().any(|want| matches!(want, Quantity::Criteria | Quantity::Principles))
    {
        question.subject.terms.retain(|term| !term.test().is_some_and(is_survey));
    }
    let tests = question.subject.all_tests();
    let has = |wanted: &[Facet]| tests.iter().any(|test| test.facet().is_some_and(|facet| wanted.contains(&facet)));
    let of_rows = has(&[Facet::Network, Facet::Stage, Facet::Dataset]);
    let of_classes = !of_rows && matches!(question.ask, Ask::List | Ask::Grade);
    if question.of == Some(Key::Facet(Facet::Class)) && !of_classes {
        question.of = Some(Key::Facet(Facet::Device));
    }
    let by = question.order.as_ref().map(|order| &order.by);
    if question.ask == Ask::List && question.of.is_none() && by == Some(&Quantity::Fact(Fact::Year)) {
        question.of = Some(Key::Facet(Facet::Source));
    }
    // Benchmark submissions are whole systems, so they are not ranked by device: `the fastest ResNet-50 ever submitted to MLPerf`.
    let names_device = tests.iter().any(|test| test.facet() == Some(Facet::Device) && test.values().len() == 1);
    let is_of_systems = names_device || has(&[Facet::Source]) || by.is_some_and(Quantity::is_cost);
    if question.ask == Ask::Rank && question.of.is_none() && !is_of_systems {
        // Accuracy depends on the network, not on the device.
        let is_of_quality = matches!(by, Some(Quantity::Metric(metric)) if metric.is_of_quality());
        question.of =
            Some(Key::Facet(if is_of_quality && !has(&[Facet::Network]) { Facet::Network } else { Facet::Device }));
    }
    // If a noun asks for the fact, the answer states it instead of confirming it: `did Caffe2 get merged into something`.
    let told = question.ask == Ask::Fact && question.subject.terms.len() == 1 && !question.wants.is_empty();
    let may_hold = !question.sides.is_empty() || matches!(question.ask, Ask::Compare | Ask::Fact | Ask::List);
    question.holds &= may_hold && !told;
    if question.ask == Ask::Along && question.along.is_none() {
        let axis = if wants_relation(question) { Field::DeviceCount } else { Field::Device };
        question.along = Some(Aspect::Field(axis));
    }
}
