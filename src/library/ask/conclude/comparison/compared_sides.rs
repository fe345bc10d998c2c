//! The sides of a comparison with the measurements of each, and the measure by which they are set against each other.

use crate::ask::conclude::basis::derived_values::derived_hits;
use crate::ask::conclude::basis::measures::{measures_named, metrics_of};
use crate::ask::conclude::basis::row_counts::RowCounts;
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::question::{QueryError, Question};
use crate::model::{Aspect, Derived, Fact, Field, Measure, Metric, Value};
use crate::stores::Stores;
use crate::values::text::{and_list, counted};

/// So many networks are named that a side ran which has nothing of what is asked for.
const MOST_RAN: usize = 3;

/// A side and its measurements.
pub(super) struct ComparedSide {
    /// What it is.
    pub side: Side,
    /// What was measured of it.
    pub hits: HitColumns,
    /// Where nothing was: how many rows it has without the other conditions of the question.
    pub rows_without_conditions: usize,
    /// Of which networks these are, in words.
    pub ran: String,
}

/// The sides of a comparison.
pub(super) struct ComparedSides {
    /// In the order of the question.
    pub sides: Vec<ComparedSide>,
    /// The metrics that are compared, the usual one first.
    pub metrics: Vec<Metric>,
    /// What stands in the place of the metric that it follows from.
    pub derived: Option<Derived>,
    /// The fields in which the sides differ.
    pub varied: Vec<Field>,
    /// What must be said first of the measure.
    pub lead: Option<String>,
    /// The words of what else the question asks for.
    pub conditions: Vec<String>,
}

/// By what price the sides can be set against each other: the rent, else that at launch; where a side has neither, by none, and
/// what is said of it.
fn priced(
    stores: &Stores,
    question: &Question,
    values: &SharedValues,
) -> Result<(Option<Derived>, Option<String>), QueryError> {
    let mut without = None;
    for by in [Derived::ItemsPerDollar, Derived::RatePerLaunchUsd] {
        without = None;
        for clause in &question.wanted.sides {
            let hits = derived_hits(stores, values, &question.condition_of_side(clause), by)?;
            // Of a side without rows it is not the price that is missing.
            let values = hits.values(by.basis());
            if !values.is_empty() && !values.iter().any(|value| value.is_finite()) {
                without = Some(clause.text.clone());
            }
        }
        if without.is_none() {
            return Ok((Some(by), None));
        }
    }
    let said = without.map(|text| {
        format!(
            "No price of `{text}` is known, neither a rent nor one at launch, so cost cannot be compared; by speed:"
        )
    });
    Ok((None, said))
}

/// Sides that are called alike are called by what selects them as well: `TensorFlow as backend`.
fn tell_apart(sides: &mut [ComparedSide]) {
    let names: Vec<String> = sides.iter().map(|side| side.side.name.clone()).collect();
    let is_alike = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    for ComparedSide { side, .. } in sides.iter_mut().filter(|side| is_alike(&side.side.name)) {
        let selected_by = side.subjects.keys().filter_map(|key| Some(Aspect::keyed(key)?.heading()));
        let selected_by: Vec<&str> = selected_by.collect();
        if !selected_by.is_empty() {
            side.name = format!("{} as {}", side.name, and_list(&selected_by));
        }
    }
}

/// Rows that belong to both of two sides show nothing of what sets these apart: they stand on the side that has fewer rows, which is
/// said. Where both have the same rows there is nothing to set against each other, and both keep them.
fn without_shared_rows(sides: &mut [ComparedSide]) -> Option<String> {
    let [first, second] = sides else { return None };
    // Frameworks and their backends, devices and their members are told apart by themselves.
    if first.side.varied.iter().any(|field| second.side.varied.contains(field)) {
        return None;
    }
    let (few, many) = if first.hits.len() <= second.hits.len() { (first, second) } else { (second, first) };
    let is_shared = |hit: usize| few.hits.rows().binary_search(&many.hits.row(hit)).is_ok();
    let shared = (0..many.hits.len()).filter(|hit| is_shared(*hit)).count();
    if shared == 0 || shared == many.hits.len() {
        return None;
    }
    many.hits = many.hits.kept(|hit| !is_shared(hit));
    let rows = counted(shared, "row is", "rows are");
    let (few, many) = (&few.side.name, &many.side.name);
    Some(format!("{rows} of both {few} and {many}: they stand for {few}, and {many} is told without them."))
}

/// What names the sides where all of them are told apart by one fact that no row shows: boards of one form against those of another
/// are other devices, while a bridge between boards is on the same one.
fn named_by_fact(sides: &[ComparedSide]) -> Option<Field> {
    let keys = sides.first()?.side.subjects.keys();
    let mut shared = keys.filter(|key| sides.iter().all(|side| side.side.subjects.contains_key(*key)));
    shared.find_map(|key| Fact::filter(key).filter(|_| Aspect::keyed(key).is_none())?.naming_fields().next())
}

/// `a 3090 against 2x 2080 Ti`: where others are counted, what is not is one of its kind.
fn one_where_others_are_counted(sides: &mut [ComparedSide], values: &SharedValues) {
    let counted = |side: &ComparedSide| side.side.subjects.contains_key(Field::DeviceCount.key());
    let of_devices = |side: &ComparedSide| side.side.varied.contains(&Field::Device);
    if !sides.iter().any(|side| counted(side) && of_devices(side)) {
        return;
    }
    for side in sides.iter_mut().filter(|side| of_devices(side) && !counted(side)) {
        let rows = side.hits.len();
        side.hits = side.hits.filtered(|parts| values.count(Field::DeviceCount, parts) == Some(1));
        if side.hits.is_empty() {
            side.rows_without_conditions = rows.max(side.rows_without_conditions);
        }
        side.side.name = format!("1 x {}", side.side.name);
        side.side.subjects.insert(Field::DeviceCount.key().to_owned(), Value::Count(1));
    }
}

impl ComparedSides {
    /// The sides that a question names.
    pub fn of(stores: &Stores, question: &Question, values: &SharedValues) -> Result<Self, QueryError> {
        let mut names = Names::default();
        let derived = measures_named(question).into_iter().find_map(|measure| match measure {
            // How devices scale is a relation.
            Measure::Derived(derived) if derived != Derived::ScalingEfficiency => Some(derived),
            _ => None,
        });
        // Twice the throughput is half the time for an item.
        let derived = derived.filter(|derived| derived.direction() == derived.basis().direction());
        let (derived, unpriced) = match derived {
            Some(Derived::ItemsPerDollar) => priced(stores, question, values)?,
            other => (other, None),
        };
        let metrics = derived.map_or_else(|| metrics_of(question), |derived| vec![derived.basis()]);
        let mut sides = Vec::new();
        for clause in &question.wanted.sides {
            let side = Side::of(clause, stores, values, &mut names)?;
            let condition = question.condition_of_side(clause);
            let hits = match derived {
                None => HitColumns::of(stores, &condition, &metrics)?,
                Some(derived) => derived_hits(stores, values, &condition, derived)?,
            };
            let (mut rows_without_conditions, mut ran) = (0, String::new());
            if hits.is_empty() {
                let all = stores.index.measurements(&clause.condition, None, &[], 0, 0)?;
                let network = Aspect::Field(Field::Network);
                let counts = RowCounts::of(stores, &all, network)?;
                rows_without_conditions = all.total;
                ran = counts.in_words(stores, &mut names, network, MOST_RAN)?;
            }
            sides.push(ComparedSide { side, hits, rows_without_conditions, ran });
        }
        tell_apart(&mut sides);
        one_where_others_are_counted(&mut sides, values);
        let mut varied: Vec<Field> = sides.iter().flat_map(|side| side.side.varied.iter().copied()).collect();
        varied.extend(named_by_fact(&sides));
        varied.sort_unstable();
        varied.dedup();
        let shared = without_shared_rows(&mut sides);
        let lead = match derived {
            Some(Derived::ItemsPerTdpJoule) => {
                Some("By throughput / TDP, what a board may draw and not what it drew:".to_owned())
            }
            Some(Derived::RatePerLaunchUsd) => Some(
                "No rent is known of both, so by throughput / launch price, what a board cost when it was new:"
                    .to_owned(),
            ),
            _ => unpriced,
        };
        let lead = [shared, lead].into_iter().flatten().reduce(|first, second| format!("{first} {second}"));
        let others = question.clauses.iter().enumerate().filter(|(at, _)| Some(*at) != question.wanted.joined_at);
        let conditions = others.filter(|(_, clause)| !clause.text.is_empty());
        let conditions = conditions.map(|(_, clause)| format!("`{}`", clause.text)).collect();
        Ok(Self { sides, metrics, derived, varied, lead, conditions })
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::conclusion::Entry;
    use crate::ask::conclude::basis::sample::{Sample, number};

    #[test]
    fn no_row_is_set_against_itself() {
        let rows = r#"
[[table]]
columns = ["device", "precision", "throughput-per-s"]
rows = [["nova", "fp16", 100], ["nova", "fp32", 50], ["core", "fp32", 20]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = sample.conclude(&sample.versus("", &["precision:fp32", "device:nova"]));
        assert!(told.text.starts_with("1 row is of both"), "{}", told.text);
        let is_itself = |entry: &Entry| matches!(entry.measurements.as_slice(), [a, b, ..] if a == b);
        assert!(!told.entries.iter().any(is_itself), "{}", told.text);
    }

    #[test]
    fn what_is_not_counted_is_one_where_others_are() {
        let rows = r#"
[[table]]
columns = ["device", "device-count", "throughput-per-s"]
rows = [["nova", 1, 100], ["nova", 8, 700], ["core", 2, 50]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = sample.conclude(&sample.versus("", &["device:nova", "device-count:2 device:core"]));
        assert_eq!((number(&told.entries[0]), told.entries[0].n), (2.0, 1), "{}", told.text);
        assert!(told.text.starts_with("1 x Nova is 2 times as fast as 2 x Core"), "{}", told.text);
    }
}
