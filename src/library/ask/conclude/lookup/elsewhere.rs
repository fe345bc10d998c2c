//! What is nearest to a device or a network that has no rows of what is asked for, in the order in which it helps who has the
//! device: the same network on it in other software, a product that is called nearly so, other networks of the same task on it,
//! and only then what ran on other devices.

use super::less::{Relaxed, metric_clauses, place_called, place_of, replaced, unmeasured};
use crate::ask::conclude::basis::near_relatives::about_relatives;
use crate::ask::question::{Clause, Intent, QueryError, Question};
use crate::model::{Facet, Field, Network};
use crate::stores::Stores;
use crate::stores::index::Condition;

/// What a question is about, in the order in which it is taken back where nothing else helps: what was run says more of another
/// device than a device says of what else ran on it, and who measured it says least.
const SUBJECTS: &[&str] = &["source", "device", "vendor", "architecture", "framework", "network", "task", "parameters"];

/// The question about the next relatives of the device that it names, which are other products.
///
/// # Errors
///
/// When a store fails.
pub(super) fn of_relatives(stores: &Stores, question: &Question) -> Result<Option<Relaxed>, QueryError> {
    Ok(about_relatives(stores, question)?.map(|(question, lead)| Relaxed {
        question,
        lead,
        says_why: true,
        follows: false,
        of_another: false,
    }))
}

/// The questions that are left without the device, the framework or the network that is named, each without one of them, as long
/// as something is left that selects rows. `free` are the clauses that may be taken back as well.
///
/// # Errors
///
/// When a store fails.
pub(super) fn elsewhere(
    stores: &Stores,
    question: &Question,
    free: &[(usize, Field)],
) -> Result<Vec<Relaxed>, QueryError> {
    let selects = |clause: &&Clause| !clause.text.is_empty() && clause.plain_kind() != Some(Facet::Metric.key());
    if question.wanted.intent == Intent::Comparison || question.clauses.iter().filter(selects).count() < 2 {
        return Ok(Vec::new());
    }
    let mut all = Vec::new();
    let [device, network] = [Field::Device, Field::Network].map(|field| place_of(question, field));
    let framework = place_of(question, Field::Framework).filter(|_| device.is_some() && network.is_some());
    if let Some(framework) = framework {
        all.push(Relaxed::without(question, &[framework], false));
        all.extend(free.iter().map(|(at, _)| Relaxed::without(question, &[framework, *at], false)));
    }
    for (at, _) in free {
        let Relaxed { question: less, lead: without, .. } = Relaxed::without(question, &[*at], false);
        all.extend(
            of_relatives(stores, &less)?.map(|near| Relaxed { lead: format!("{without} {}", near.lead), ..near }),
        );
    }
    if let (Some(device), Some(network)) = (device, network) {
        all.extend(of_same_task(stores, question, device, network)?);
    }
    let places: Vec<usize> = SUBJECTS.iter().filter_map(|key| place_called(question, key)).collect();
    all.extend(places.iter().map(|at| Relaxed::without(question, &[*at], true)));
    for place in places {
        all.extend(free.iter().map(|(at, _)| Relaxed::without(question, &[place, *at], true)));
    }
    Ok(all)
}

/// The question about all networks of the task of the one that it names, with the metric that it asks for and with any.
fn of_same_task(
    stores: &Stores,
    question: &Question,
    device: usize,
    network: usize,
) -> Result<Vec<Relaxed>, QueryError> {
    let clause = &question.clauses[network];
    let id = clause.readings.first().and_then(|reading| reading.read_as.values.first());
    let entity = id.map(|id| stores.database.entity::<Network>(id)).transpose()?.flatten();
    let (Some(task), false) = (entity.and_then(|network| network.task), question.wanted.intent == Intent::Ranking)
    else {
        return Ok(Vec::new());
    };
    let lead =
        format!("Other networks of its task ({}) on `{}`:", task.replace('-', " "), question.clauses[device].text);
    let of_task = replaced(question, &[network], Condition::Facet(Facet::Task, vec![task]));
    let (metrics, _) = metric_clauses(question);
    let of_any = unmeasured(replaced(&of_task, &metrics, Condition::All(Vec::new())));
    let relaxed =
        |question| Relaxed { question, lead: lead.clone(), says_why: false, follows: false, of_another: false };
    Ok([of_task, of_any].map(relaxed).into())
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;
    use crate::ask::question::{Intent, understand};

    const ROWS: &str = r#"
[[table]]
columns = ["device", "framework", "network", "precision", "throughput-per-s"]
rows = [
  ["nova", "gridflow", "deepnet-50", "fp32", 200],
  ["nova", "firelight", "deepnet-18", "fp16", 300],
  ["core", "firelight", "deepnet-50", "fp16", 400],
  ["core", "gridflow", "deepnet-18", "int8", 500],
]
"#;

    #[test]
    fn what_helps_who_has_the_device_comes_before_what_ran_on_others() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        for (words, lead) in [
            ("nova deepnet-50 firelight", "Without `firelight`: 1 row"),
            ("nova deepnet-50 firelight int8", "Without `firelight` and `int8`: 1 row"),
            ("ember deepnet-50 firelight", "Without `ember`: 1 row"),
        ] {
            let mut question = understand(words, &sample.stores).unwrap();
            question.wanted.intent = Intent::Lookup;
            let text = sample.conclude(&question).text;
            assert!(text.contains(lead), "{words}: {text}");
        }
    }
}
