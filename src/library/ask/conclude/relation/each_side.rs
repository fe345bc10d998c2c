//! What something changes on each side of a question: a precision, more devices, a longer sequence, on one device and on another.

use indexmap::IndexMap;

use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::search_result::SearchResult;
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::wording::{Names, stage_name, three};
use crate::ask::conclude::comparison;
use crate::ask::hits::SharedValues;
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Aspect, Facet, Field, Value};
use crate::stores::Stores;
use crate::values::text::{first_sentences, or_list};

/// So many entities are told one by one.
const MOST_ENTITIES: usize = 6;

/// So many sides are told with all that is to be said of them; of more the first sentence of each.
const IN_FULL: usize = 2;

/// How a relation is concluded on.
type Relation<'r> = &'r dyn Fn(&Stores, &Question, &SearchResult<'_>) -> Result<Conclusion, QueryError>;

/// The effect on each side where a question asks for that; `None` where the sides are set against each other.
pub(super) fn conclude(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
    relation: Relation<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    if let Some(gains) = gain_of_each_side(stores, question, found)? {
        return Ok(Some(gains));
    }
    effect_on_each_side(stores, question, found, relation)
}

/// Two pairs of sides, `fp16 over fp32 on turing vs pascal`: the first two against each other on each of the others; `None` where
/// no second ones are named.
///
/// # Errors
///
/// When a store fails.
pub(in crate::ask::conclude) fn comparison_on_each_side(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let has_sides = |at: &usize| question.clauses[*at].sides.len() > 1;
    let mut placed = (0..question.clauses.len()).filter(has_sides);
    let (Some(first), Some(second)) = (placed.next(), placed.next()) else { return Ok(None) };
    // A format is what is chosen, and a device what it is chosen for.
    let (inner, outer) = if is_of_precisions(&question.clauses[second]) { (second, first) } else { (first, second) };
    if question.clauses[outer].sides.len() > MOST_ENTITIES {
        return Ok(None);
    }
    let told = on_each(stores, question, outer, &question.clauses[outer].sides, |of_side| {
        of_side.wanted.sides.clone_from(&question.clauses[inner].sides);
        of_side.wanted.joined_at = Some(inner);
        comparison::conclude(stores, of_side, found)
    })?;
    Ok((!told.entries.is_empty()).then_some(told))
}

/// What the gain of a precision is told of one by one: the sides of a comparison, or what is named side by side.
fn apart(clause: &Clause) -> Vec<Clause> {
    let is_named = matches!(clause.plain_kind(), Some("network" | "device" | "framework"))
        && (2..=MOST_ENTITIES).contains(&clause.readings.len())
        && !clause.is_excluded();
    match clause.sides.is_empty() {
        false => clause.sides.clone(),
        true if is_named => clause.readings.iter().map(|reading| reading.clone().clause()).collect(),
        true => Vec::new(),
    }
}

fn is_of_precisions(clause: &Clause) -> bool {
    let first = clause.sides.first().and_then(|side| side.readings.first());
    first.is_some_and(|reading| reading.read_as.facet == Field::Precision.key())
}

/// The gain of a precision on each side, `amp speedup of turing vs ampere`, or on each of several that are named, `for bert and
/// resnet`; `None` where precisions alone are the sides, or none is asked about.
fn gain_of_each_side(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let clauses = || question.clauses.iter();
    let of_precisions = clauses().position(|clause| clause.sides.len() > 1 && is_of_precisions(clause));
    let others = clauses().position(|clause| !is_of_precisions(clause) && apart(clause).len() > 1);
    let (Some(at), Some(precisions)) = (others, of_precisions) else { return Ok(None) };
    on_each(stores, question, at, &apart(&question.clauses[at]), |of_side| {
        of_side.wanted.sides.clone_from(&question.clauses[precisions].sides);
        of_side.wanted.joined_at = Some(precisions);
        comparison::conclude(stores, of_side, found)
    })
    .map(Some)
}

/// What an axis changes on each side, `scaling of VGG-16 vs ResNet-50`, `does a longer sequence hurt more on the V100 than on the
/// T4`; `None` where places on the axis are the sides, or something else is asked.
fn effect_on_each_side(
    stores: &Stores,
    question: &Question,
    found: &SearchResult<'_>,
    relation: Relation<'_>,
) -> Result<Option<Conclusion>, QueryError> {
    let Some(at) = question.wanted.joined_at else { return Ok(None) };
    let along_devices = question.wanted.along == Some(Aspect::Field(Field::DeviceCount));
    let axis = question.wanted.along.map(Aspect::key);
    let is_place = |side: &Clause| side.readings.iter().any(|reading| Some(reading.read_as.facet.as_str()) == axis);
    if !(along_devices || question.wanted.effect_of_sides) || question.wanted.sides.iter().any(is_place) {
        return Ok(None);
    }
    if question.wanted.effect_of_sides && axis.is_none() && !names_feature(question) {
        return Ok(Some(of_unknown(question)));
    }
    on_each(stores, question, at, &question.wanted.sides, |of_side| {
        of_side.wanted.sides.clear();
        of_side.wanted.joined_at = None;
        relation(stores, of_side, found)
    })
    .map(Some)
}

/// Whether something is named whose effect rows with it and without it tell.
fn names_feature(question: &Question) -> bool {
    const FEATURES: &[Field] =
        &[Field::Mode, Field::Layout, Field::Quantization, Field::KernelLibrary, Field::Precision];
    FEATURES.iter().any(|field| question.clauses.iter().any(|clause| clause.plain_kind() == Some(field.key())))
}

/// What is said where the effect of something is asked for that no row states: which of the sides is faster is no answer.
fn of_unknown(question: &Question) -> Conclusion {
    let of_text = |clause: &&Clause| clause.plain_kind() == Some("text");
    let texts = question.clauses.iter().filter(of_text).map(|clause| clause.text.clone());
    let words: Vec<String> = texts.chain(question.ignored.iter().cloned()).map(|word| format!("`{word}`")).collect();
    let sides: Vec<String> = question.wanted.sides.iter().map(|side| format!("`{}`", side.text)).collect();
    let what = match words.is_empty() {
        true => "The question names nothing whose effect rows could tell".to_owned(),
        false => format!("No field of the rows is called {}", or_list(&words)),
    };
    let text = format!(
        "{what}, so on which of {} it changes more is not known. Effects are told of the batch size, the number of devices, the \
         precision, versions, threads, the sequence length, the input size, the execution mode and the layout.",
        or_list(&sides)
    );
    Conclusion { text, entries: Vec::new() }
}

/// What is concluded of a question with each of some clauses in the place of what joins them, and what of it is the larger.
fn on_each(
    stores: &Stores,
    question: &Question,
    at: usize,
    sides: &[Clause],
    conclude: impl Fn(&mut Question) -> Result<Conclusion, QueryError>,
) -> Result<Conclusion, QueryError> {
    let values = SharedValues::read(stores)?;
    let mut names = Names::default();
    let mut all = Conclusion::default();
    let mut told = Vec::new();
    let mut headlines = Vec::new();
    for side in sides {
        let mut of_side = question.clone();
        of_side.clauses[at] = side.clone();
        // Which of them it changes more is asked, which is not yes or no of one.
        of_side.wanted.yes_or_no &= !question.wanted.effect_of_sides;
        of_side.wanted.effect_of_sides = false;
        let own = conclude(&mut of_side)?;
        let called = Side::of(side, stores, &values, &mut names)?;
        let text = match sides.len() > IN_FULL {
            true => first_sentences(&own.text, 1).to_owned(),
            false => own.text,
        };
        told.push(format!("{}: {text}", called.name));
        headlines.push((called.name.clone(), own.entries.first().cloned()));
        all.entries.extend(own.entries.into_iter().map(|mut entry| {
            for (key, value) in &called.subjects {
                entry.subjects.entry(key.clone()).or_insert_with(|| value.clone());
            }
            entry
        }));
    }
    let larger = larger_of(&headlines);
    all.text = larger.into_iter().chain(told).collect::<Vec<_>>().join(" ");
    Ok(all)
}

/// `fp16 over fp32 is a factor of 1.9 on A and of 1.2 on B in training, each over pairs of its own.`; `None` where the two are no
/// ratios of the same.
fn larger_of(headlines: &[(String, Option<Entry>)]) -> Option<String> {
    let [(one, Some(first)), (other, Some(second))] = headlines else { return None };
    let is_same = first.subjects == second.subjects && first.baseline == second.baseline && first.baseline.is_some();
    let stage = |entry: &Entry| entry.under.get(Field::Stage.key()).cloned().flatten();
    let ratio = |entry: &Entry| match entry.value {
        Some(EntryValue::Number(ratio)) if entry.n > 0 => Some(ratio),
        _ => None,
    };
    let (a, b) = (ratio(first)?, ratio(second)?);
    if !is_same || stage(first) != stage(second) || three(a) == three(b) {
        return None;
    }
    let ((more, above), (less, below)) = if a > b { ((one, a), (other, b)) } else { ((other, b), (one, a)) };
    let what = called(&first.subjects)?;
    let under = stage(first).map_or(String::new(), |stage| format!(" in {}", stage_name(&stage.to_string())));
    let against = called(first.baseline.as_ref()?)?;
    Some(format!(
        "{what} over {against} is a factor of {} on {more} and of {} on {less}{under}, each over pairs of its own.",
        three(above),
        three(below)
    ))
}

/// The value that one side of a pair has on the axis: `fp16`.
fn called(subjects: &IndexMap<String, Value>) -> Option<String> {
    let is_entity = |key: &str| key.parse::<Facet>().ok().and_then(Facet::entity_kind).is_some();
    match subjects.iter().collect::<Vec<_>>().as_slice() {
        [(key, value)] if !is_entity(key) => Some(match key.parse::<Field>() {
            Ok(Field::Precision) | Err(_) => value.to_string(),
            Ok(field) => format!("{} {value}", field.heading()),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;
    use crate::ask::question::{Intent, understand};

    const ROWS: &str = r#"
[[table]]
columns = ["device", "precision", "sequence-length", "throughput-per-s"]
rows = [
  ["nova", "fp32", 128, 100], ["nova", "fp16", 128, 300], ["nova", "fp32", 512, 25],
  ["core", "fp32", 128, 50], ["core", "fp16", 128, 75], ["core", "fp32", 512, 25],
]
"#;

    #[test]
    fn two_pairs_of_sides_are_set_against_each_other_one_in_the_other() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        for question in ["fp16 vs fp32 on nova vs core", "nova vs core, fp16 vs fp32"] {
            let read = understand(question, &sample.stores).unwrap();
            let text = sample.conclude(&read).text;
            assert!(
                text.starts_with("fp16 over fp32 is a factor of 3 on Nova and of 1.50 on Core"),
                "{question}: {text}"
            );
            assert!(
                text.contains("Nova: fp16 is 3.00 times as fast") && text.contains("Core: fp16 is 1.50 times"),
                "{text}"
            );
        }
    }

    #[test]
    fn an_effect_that_is_compared_is_told_of_each_side_and_of_none_over_the_other() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        let read = understand("does sequence length hurt more on nova than on core", &sample.stores).unwrap();
        assert_eq!(read.wanted.intent, Intent::Relation);
        let text = sample.conclude(&read).text;
        assert!(!text.starts_with("Yes") && !text.contains("Nova is "), "{text}");
        assert!(text.contains("Nova: ") && text.contains("Core: "), "{text}");
        let read = understand("does dropout hurt more on nova than on core", &sample.stores).unwrap();
        let text = sample.conclude(&read).text;
        assert!(text.contains("`dropout`") && text.contains("is not known"), "{text}");
    }
}
