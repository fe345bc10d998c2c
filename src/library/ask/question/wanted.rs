//! What a question wants to know: the kind of answer, its sides, quantities and axis, made out from what its words were read as.

use super::claims::claimed_fact;
use std::collections::HashSet;

use super::clause::Clause;
use super::error::QueryError;
use super::facing::kind_of;
use super::hints::{AskedQuantity, Hints, Mention, Noun};
use super::intent::Intent;
use super::interpreter::Interpreter;
use super::mentions::Context;
use super::named_quantities::is_per_device;
use super::question::{Claim, DerivedLimit, Quantity, Wanted};
use super::read_as::ReadAs;
use super::seen::Seen;
use super::vocabulary::{Cue, OF_REACHING, OF_SHARES, StaticQuantity, is_bare_axis, plain, plain_words};
use crate::model::{Aspect, Derived, Facet, Fact, Field, Metric};
use crate::rows::Note;
use crate::values::EntityKind;

/// More sides than this nobody sets against each other; the first of them are.
const MOST_SIDES: usize = 16;

/// Makes out what the question wants, and finishes its clauses: metrics that are asked for become conditions, and what
/// belongs to a quantity or to the axis of a relation is one no more.
///
/// # Errors
///
/// When a store fails.
pub(super) fn wanted(clauses: &mut Vec<Clause>, interpreter: &mut Interpreter<'_>) -> Result<Wanted, QueryError> {
    let mut hints = std::mem::take(&mut interpreter.hints);
    interpreter.without_suite_of_device(clauses);
    interpreter.updates_since(clauses, &hints);
    interpreter.dated_entities(clauses, &hints)?;
    interpreter.languages_of_core(clauses)?;
    interpreter.values_on_axes(clauses, &mut hints)?;
    interpreter.leave_out_ungraded(clauses, &mut hints)?;
    interpreter.graded_as_class(clauses, &mut hints)?;
    interpreter.grades_of_all_classes(clauses, &hints)?;
    interpreter.memory_asked_by_kind(clauses, &mut hints);
    interpreter.memory_supposed(clauses, &mut hints);
    Interpreter::memories_of_one_device(clauses, &mut hints);
    let context = Context::of(clauses);
    axes_as_facts(&mut hints, context, clauses);
    devices_of_runs(&mut hints, context, interpreter);
    interpreter.facts_to_have(clauses, &mut hints)?;
    let context = Context::of(clauses);
    interpreter.leave_out_unkept(&mut hints, context);
    // `classes with high scalability`: nothing else is graded.
    let is_graded = hints.mentions.iter().any(|mention| mention.level.is_some());
    if is_graded && !context.has_entity() {
        let (nouns, kept) =
            std::mem::take(&mut hints.mentions).into_iter().partition(|mention| plain(&mention.text) == "classes");
        let nouns: Vec<Mention> = nouns;
        hints.mentions = kept;
        for noun in nouns {
            interpreter.about = interpreter.about.take().or(Some((noun.text, EntityKind::HardwareClass)));
        }
    }
    let of_classes = context.classes && context.is_of_classes();
    // `in which metrics does the GPU get the worst grade`
    let of_end = interpreter.asks_for_end_of_class(clauses);
    let of_criteria = |mention: &Mention| matches!(mention.asked, AskedQuantity::Only(StaticQuantity::Criteria));
    let are_of_end = of_end && !hints.mentions.is_empty() && hints.mentions.iter().all(of_criteria);
    let grades_of_metrics = of_classes && (are_of_graded(&hints) || are_of_end);
    // `what attributes does the framework table have`
    if interpreter.about.is_none() && hints.speaks_of(EntityKind::Framework) && hints.mentions.iter().any(of_criteria) {
        interpreter.about = Some(("framework".to_owned(), EntityKind::Framework));
    }
    if grades_of_metrics {
        interpreter.heard.extend(hints.mentions.drain(..).map(|mention| mention.text));
    }
    // `does int8 make it faster`: a gain is asked for.
    let told = interpreter.fields_to_tell(clauses, &mut hints);
    let asks_whether =
        hints.cues.first() == Some(&Cue::YesOrNo) && !clauses.iter().any(|clause| clause.sides.len() > 1);
    if asks_whether && hints.has(Cue::Comparative) && says_made(interpreter.question) {
        hints.cues.push(Cue::SpeedUp);
    }
    // `is tf32 worth it`: over what it is usually run in.
    let has_precision = clauses.iter().any(|clause| kind_of(clause) == Field::Precision.key());
    if has_precision && asks_whether && has_word(interpreter.question, &["worth", "worthwhile"]) {
        hints.cues.push(Cue::SpeedUp);
    }
    hints.opposed |= hints.has(Cue::Correlation) && hints.mentions.len() > 1;
    // `what do surveys say about CPUs as a class of hardware`
    let asks_grades = hints.has(Cue::Grades)
        || of_end
        || hints.has(Cue::Survey) && matches!(interpreter.about, Some((_, EntityKind::HardwareClass)));
    // Where nothing else is named, those of all classes.
    let of_classes = of_classes || clauses.is_empty() && !hints.leads.is_empty() && asks_grades;
    let all_grades = grades_of_metrics || asks_grades && hints.mentions.is_empty() && of_classes;
    let grades =
        if all_grades { interpreter.stores.database.fact_keys(EntityKind::HardwareClass)? } else { Vec::new() };
    let seen = Seen { context, hints: &hints, clauses, interpreter, grades };
    let (mut wanted, mut mentioned) = seen.wanted();
    // `on 8 GPUs, newest MLPerf round`: of the sources the newest is meant, and no device that came out last.
    let by_age = hints.has(Cue::Newest) && wanted.quantities.contains(&Quantity::Fact(Fact::Released));
    if interpreter.newest_source(clauses, &wanted, &mut hints)? && by_age {
        let seen = Seen { context, hints: &hints, clauses, interpreter, grades: Vec::new() };
        (wanted, mentioned) = seen.wanted();
    }
    if told.alone && matches!(wanted.intent, Intent::Lookup | Intent::Overview | Intent::List | Intent::Fact) {
        wanted.intent = Intent::Fact;
    }
    wanted.told = told;
    if wanted.intent == Intent::Fact {
        let named = Interpreter::datasets_named(clauses);
        interpreter.tell_what_sizes_are(&mut wanted, &named)?;
    }
    let is_divided = |quantity: &Quantity| matches!(quantity, Quantity::Metric(metric) if *metric != Metric::MemoryMib);
    let names_metric = mentioned.iter().flatten().any(is_divided);
    for (mention, quantities) in hints.mentions.iter().zip(mentioned) {
        match quantities.is_empty() {
            // The memory of a card is per card; a latency is not.
            true if is_per_device(mention)
                && (names_metric || wanted.intent == Intent::Lookup && !context.is_of_devices(true)) =>
            {
                interpreter.leave_out(&mention.text);
            }
            true => {}
            false => say(interpreter, mention, quantities.iter().map(Quantity::key).collect()),
        }
    }
    if let Some(unkept) = &wanted.unkept {
        // That is all that the answer says.
        interpreter.notes.retain(|note| !matches!(note, Note::NotKept { text, .. } if text == unkept));
        interpreter.heard.push(unkept.clone());
    }
    if let Some(limit) = hints.counted.as_ref().filter(|_| wanted.counted.is_none()) {
        interpreter.heard.retain(|words| plain_words(words) != limit.text);
        interpreter.leave_out(&limit.text);
        interpreter.has_unmet_limits = true;
    }
    interpreter.note_price_of_today(clauses, &wanted);
    interpreter.note_undated_end(&wanted);
    finish(clauses, &mut wanted, &hints, interpreter)?;
    interpreter.leave_out_unheeded(clauses, &wanted, &hints);
    interpreter.leave_out_uncarried(&wanted, &hints.carried);
    interpreter.leave_out_beside_facts(clauses, &wanted)?;
    interpreter.hints = hints;
    Ok(wanted)
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
    if wanted.intent == Intent::Relation && wanted.along.is_none() && hints.has(Cue::SpeedUp) {
        super::axis::with_and_without(clauses);
    }
    if wanted.quantities.contains(&Quantity::MemoryFit) {
        clauses.retain(|clause| clause.plain_kind() != Some(Field::Outcome.key()));
    }
    interpreter.sides_in_words(clauses)?;
    interpreter.of_top_accuracy(clauses)?;
    interpreter.exclude_facts(clauses, hints)?;
    interpreter.without_processors(clauses, wanted, hints)?;
    if matches!(wanted.intent, Intent::Lookup | Intent::Ranking | Intent::Comparison | Intent::Relation) {
        interpreter.counting_tokens(clauses, hints)?;
        // Where two sides are paired or candidates ranked, a click for a joule must not stand for an image.
        let ranks = wanted.intent == Intent::Ranking || wanted.superlative.is_some();
        if wanted.intent == Intent::Comparison || ranks {
            interpreter.counting_images(clauses, hints)?;
        }
    }
    let maturity = Quantity::Fact(Fact::Maturity);
    if let Some((text, _)) = hints.turns.iter().find(|(_, cue)| matches!(cue, Cue::Maintained | Cue::Abandoned))
        && wanted.quantities.contains(&maturity)
    {
        interpreter.aside(text.clone(), "quantity", &maturity.key());
    }
    match wanted.intent {
        Intent::Relation => {
            interpreter.complete_axis(clauses, wanted)?;
            interpreter.note_missing_sides(clauses, wanted)?;
            interpreter.ask_for_metrics(clauses, wanted, hints)?;
        }
        Intent::Ranking => {
            interpreter.grades_as_conditions(clauses, wanted, hints)?;
            interpreter.ask_for_metrics(clauses, wanted, hints)?;
            if wanted.quantities.iter().all(|quantity| matches!(quantity, Quantity::Fact(_))) {
                without_precision_of_quantity(clauses, hints);
            }
        }
        Intent::Grade => interpreter.grades_as_conditions(clauses, wanted, hints)?,
        Intent::Lookup | Intent::Comparison => interpreter.ask_for_metrics(clauses, wanted, hints)?,
        // `how many gpus are in a p3.16xlarge`: what the instance has is told, and not its class.
        Intent::Overview if clauses.iter().any(|clause| kind_of(clause) == Facet::Instance.key()) => {
            clauses.retain(|clause| kind_of(clause) != Facet::Class.key());
        }
        Intent::Fact => {
            without_precision_of_quantity(clauses, hints);
            // What is asked is no condition.
            let (claimed, kept) = std::mem::take(clauses)
                .into_iter()
                .partition::<Vec<Clause>, _>(|clause| wanted.claims.iter().any(|claim| is_claimed(clause, claim)));
            *clauses = kept;
            for clause in claimed {
                let claims = wanted.claims.iter().filter(|claim| is_claimed(&clause, claim));
                let values: Vec<String> = claims.map(|claim| claim.value.clone()).collect();
                let facet = claimed_fact(kind_of(&clause)).map_or(String::new(), |fact| fact.key().to_owned());
                interpreter.asides.push(ReadAs { text: clause.text, facet, values, how: "exact".to_owned() });
            }
        }
        Intent::List => {
            // Sources are listed by what they measured.
            if wanted.candidates == Some(Aspect::Source) {
                interpreter.ask_for_metrics(clauses, wanted, hints)?;
            }
            interpreter.complete_list(clauses, wanted, hints)?;
        }
        _ => {}
    }
    if wanted.quantities.contains(&Quantity::Derived(Derived::PeakFraction)) {
        let says_share = |word: &str| OF_SHARES.contains(&word) || OF_REACHING.contains(&word);
        interpreter.ignored.retain(|word| !says_share(word));
    }
    let is_heeded = |limit: &DerivedLimit| match wanted.intent {
        Intent::Ranking => limit.measure != Derived::ScalingEfficiency,
        Intent::Relation => limit.measure == Derived::ScalingEfficiency,
        _ => false,
    };
    let (heeded, others) = std::mem::take(&mut wanted.limits).into_iter().partition(is_heeded);
    wanted.limits = heeded;
    for limit in others {
        interpreter.leave_out(&limit.text);
        interpreter.has_unmet_limits = true;
    }
    if let Some((text, kind)) = interpreter.about.clone() {
        match wanted.intent {
            Intent::List => interpreter.aside(text, "kind", kind.plural()),
            _ => interpreter.about = None,
        }
    }
    for clause in clauses.iter_mut().filter(|clause| clause.sides.len() > 1) {
        // Who is named twice does not stand against itself.
        let mut seen = HashSet::new();
        clause.sides.retain(|side| seen.insert(side.equivalent.clone()));
        clause.sides.truncate(MOST_SIDES);
    }
    interpreter.members_by_memory(clauses)?;
    interpreter.sides_apart(clauses)?;
    wanted.joined_at = clauses.iter().position(|clause| clause.sides.len() > 1);
    wanted.sides = wanted.joined_at.map(|at| clauses[at].sides.clone()).unwrap_or_default();
    Ok(())
}

/// An axis that is named alone, beside nothing but what has it for a fact: the `input resolution` of a network.
fn axes_as_facts(hints: &mut Hints, context: Context, clauses: &[Clause]) {
    let tells_gain = [Cue::SpeedUp, Cue::Effect, Cue::Compare, Cue::Comparative, Cue::Scaling, Cue::Correlation];
    let compares = hints.has_link || hints.opposed || clauses.iter().any(|clause| clause.sides.len() > 1);
    if !context.is_of_networks() || compares || tells_gain.iter().any(|cue| hints.has(*cue)) {
        return;
    }
    let fact_of = |(text, aspect): &(String, Aspect)| {
        let fact = aspect.key().parse::<Fact>().ok();
        fact.filter(|fact| fact.kind() == EntityKind::Network && is_bare_axis(text))
    };
    let (facts, axes) = std::mem::take(&mut hints.along).into_iter().partition(|axis| fact_of(axis).is_some());
    hints.along = axes;
    let facts: Vec<(String, Aspect)> = facts;
    for axis in facts {
        let Some(fact) = fact_of(&axis) else { continue };
        let asked = AskedQuantity::Only(StaticQuantity::Fact(fact));
        hints.mentions.push(Mention { text: axis.0, asked, level: None, without: None });
    }
}

/// `what hardware was yolov5s run on`: the devices, and not what a framework supports.
fn devices_of_runs(hints: &mut Hints, context: Context, interpreter: &mut Interpreter<'_>) {
    let of_frameworks = context.frameworks || hints.speaks_of(EntityKind::Framework);
    if of_frameworks || !(context.networks || context.datasets || context.tasks) {
        return;
    }
    let asks_hardware = |mention: &Mention| mention.asked.quantities(context) == [Quantity::Fact(Fact::Hardware)];
    let (of_runs, kept) = std::mem::take(&mut hints.mentions).into_iter().partition::<Vec<_>, _>(asks_hardware);
    hints.mentions = kept;
    if !of_runs.is_empty() {
        let aspect = Aspect::Field(Field::Device);
        hints.nouns.retain(|noun| !noun.vague);
        hints.nouns.insert(0, Noun { aspect, plural: true, vague: false, asked: true });
        interpreter.heard.extend(of_runs.into_iter().map(|mention| mention.text));
    }
}

/// Whether nothing is asked for but the metrics by which the classes that are named are graded: `all twelve metrics of FPGA and
/// GPU`, and not which metrics there are.
fn are_of_graded(hints: &Hints) -> bool {
    let of_criteria = |mention: &Mention| {
        let first = mention.text.split_whitespace().next().map(plain).unwrap_or_default();
        matches!(mention.asked, AskedQuantity::Only(StaticQuantity::Criteria))
            && !matches!(first.as_str(), "which" | "what" | "how" | "evaluation")
    };
    !hints.mentions.is_empty() && hints.mentions.iter().all(of_criteria)
}

/// Whether something is said to make something of another.
fn says_made(question: &str) -> bool {
    has_word(question, &["make", "makes", "making"])
}

fn has_word(question: &str, words: &[&str]) -> bool {
    question.split_whitespace().any(|word| words.contains(&plain(word).as_str()))
}

/// Whether a clause is what a question supposes.
fn is_claimed(clause: &Clause, claim: &Claim) -> bool {
    claimed_fact(kind_of(clause)) == Some(claim.fact)
}

/// A precision that says of which peak a device's is asked constrains nothing else.
fn without_precision_of_quantity(clauses: &mut Vec<Clause>, hints: &Hints) {
    if hints.mentions.iter().any(|mention| mention.asked.takes_precision()) {
        clauses.retain(|clause| kind_of(clause) != "precision");
    }
}

/// Says how the name of a quantity was read.
fn say(interpreter: &mut Interpreter<'_>, mention: &Mention, keys: Vec<String>) {
    let read_as =
        ReadAs { text: mention.text.clone(), facet: "quantity".to_owned(), values: keys, how: "exact".to_owned() };
    interpreter.asides.push(read_as);
}
