//! Which networks fit in a memory: those of which the weights alone do, by the parameters that the catalog states.

use indexmap::IndexMap;

use super::ON_TOP;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::statement::statement;
use crate::ask::conclude::basis::wording::{rounded, three};
use crate::ask::question::QueryError;
use crate::model::physics::bytes_of;
use crate::model::{Fact, FactValue, Field, Value};
use crate::stores::Stores;
use crate::values::text::and_list;
use crate::values::{EntityKind, Precision};

/// Of each format so many networks that fit are entries.
const MOST_LISTED: usize = 100;

/// So many networks are named whose weights fit, the largest first.
const NAMED_NETWORKS: usize = 4;

/// Which networks have weights that fit in so many GiB, by their parameters alone; of a board its name and how many of it there are.
///
/// # Errors
///
/// When a store fails.
pub(super) fn conclude(
    stores: &Stores,
    gib: f64,
    board: Option<(&str, i64)>,
    precisions: &[Precision],
) -> Result<Conclusion, QueryError> {
    let kind = EntityKind::Network;
    let memory = gib * f64::from(1 << 30);
    let all = stores.database.ids(kind)?.len();
    let known = stores.database.entities_with(kind, Fact::Parameters.key(), |_| true)?.len();
    let (mut told, mut entries) = (Vec::new(), Vec::new());
    for precision in precisions {
        let most = memory / bytes_of(*precision) / 1e6;
        let fits = |value: &FactValue| matches!(value, FactValue::Number(millions) if *millions <= most);
        let mut fitting = Vec::new();
        for id in stores.database.entities_with(kind, Fact::Parameters.key(), fits)? {
            let stated = statement(stores, kind, &id, Fact::Parameters)?;
            fitting.extend(stated.and_then(|stated| Some((stated.number()?, stated))));
        }
        fitting.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.id.cmp(&b.1.id)));
        let named = fitting.iter().take(NAMED_NETWORKS);
        let named: Vec<String> =
            named.map(|(millions, stated)| format!("{} ({} M)", stated.name, three(*millions))).collect();
        told.push(match fitting.len() {
            0 => format!("in {precision} none"),
            number => format!("in {precision} {number}, the largest {}", and_list(&named)),
        });
        for (millions, stated) in fitting.iter().take(MOST_LISTED) {
            let subjects = IndexMap::from([
                (Field::Network.key().to_owned(), Value::Text(stated.id.as_str().into())),
                (Field::Precision.key().to_owned(), Value::Text(precision.to_string().into())),
            ]);
            entries.push(Entry {
                subjects,
                quantity: "weights-gib".to_owned(),
                value: Some(EntryValue::Number(rounded(millions * 1e6 * bytes_of(*precision) / f64::from(1 << 30)))),
                unit: Some("GiB".to_owned()),
                n: 1,
                sources: stated.sources(),
                ..Entry::default()
            });
        }
    }
    let of = match board {
        None => room(gib),
        Some((name, 1)) => name.to_owned(),
        Some((name, count)) => format!("{count} x {name}"),
    };
    let text = format!(
        "The weights alone fit in {of}: {} (of the {all} networks, {} state no parameters). {ON_TOP}",
        told.join("; "),
        all - known
    );
    Ok(Conclusion { text, entries })
}

/// A memory of so many GiB in the unit in which people speak of as much.
fn room(gib: f64) -> String {
    match gib {
        small if small < 1.0 / 1024.0 => format!("{} KiB", three(small * 1_048_576.0)),
        small if small < 1.0 => format!("{} MiB", three(small * 1024.0)),
        gib => format!("{} GiB", three(gib)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::conclude::basis::sample::Sample;
    use crate::ask::question::{Intent, Quantity};
    use crate::model::Aspect;

    #[test]
    fn who_asks_which_networks_fit_is_told_those_whose_weights_do() {
        let sample = Sample::of(&[]);
        let mut question = sample.question("memory>=1 precision:fp16", Intent::Relation);
        question.wanted.quantities = vec![Quantity::MemoryFit];
        question.wanted.candidates = Some(Aspect::Field(Field::Network));
        let conclusion = sample.conclude(&question);
        assert!(conclusion.text.starts_with("The weights alone fit in 1 GiB: in fp16 "), "{}", conclusion.text);
        assert!(conclusion.entries.iter().all(|entry| entry.quantity == "weights-gib"));
        assert!(!conclusion.entries.is_empty());
        assert_eq!([room(0.5), room(256.0 / 1_048_576.0), room(24.0)], ["512 MiB", "256 KiB", "24 GiB"]);
    }
}
