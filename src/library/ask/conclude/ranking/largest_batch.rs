//! The largest batch that was measured, and the one with the highest throughput: what fits beyond them nobody measured.

use indexmap::IndexMap;

use crate::ask::conclude::basis::axis_condition::condition_beside;
use crate::ask::conclude::basis::conclusion::{Conclusion, Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources};
use crate::ask::conclude::basis::wording::{Names, three, unit};
use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::question::{Quantity, QueryError, Question, Superlative};
use crate::model::{Aspect, Field, Measure, Metric, Value};
use crate::stores::Stores;
use crate::values::text::counted;

/// What varies along the axis.
const VARIED: &[Field] = &[Field::BatchSize, Field::BatchSizeGlobal];

/// Tells the largest batch; `None` where a question asks for something else.
pub(in crate::ask::conclude) fn conclude(
    stores: &Stores,
    question: &Question,
) -> Result<Option<Conclusion>, QueryError> {
    let of_batch =
        |facet: &str, values: &[String]| facet == "along" && values.iter().any(|value| value == Field::BatchSize.key());
    let asked = question.asides.iter().any(|read| of_batch(&read.facet, &read.values));
    let is_largest = match question.wanted.superlative {
        Some(Superlative::Most) => true,
        Some(Superlative::Least) => false,
        _ => return Ok(None),
    };
    // What a batch was used for is no measure of it.
    let is_measure = |quantity: &Quantity| matches!(quantity, Quantity::Metric(_) | Quantity::Derived(_));
    if !asked || question.wanted.quantities.iter().any(is_measure) {
        return Ok(None);
    }
    let values = SharedValues::read(stores)?;
    let (condition, _) = condition_beside(question, Field::BatchSize);
    let hits = HitColumns::of(stores, &condition, &[Metric::ThroughputPerS])?;
    let ran = hits_that_ran(stores, &hits)?;
    let mut batches: Vec<(i64, usize)> =
        ran.iter().filter_map(|hit| Some((values.batch(&hits.parts(*hit))?, *hit))).collect();
    batches.sort_unstable();
    let ends = batches.first().zip(batches.last()).map(|(first, last)| (first.0, last.0));
    let ends = ends.map(|(first, last)| if is_largest { (last, first) } else { (first, last) });
    let (word, other_word) = if is_largest { ("largest", "smallest") } else { ("smallest", "largest") };
    let Some((extreme, other_end)) = ends else {
        let rows = counted(hits.len(), "row", "rows");
        let text = format!("The {word} batch is not known: none of {rows} states a batch size.");
        return Ok(Some(Conclusion { text, entries: Vec::new() }));
    };
    let with: Vec<usize> = batches.iter().filter(|(batch, _)| *batch == extreme).map(|(_, hit)| *hit).collect();
    let parts: Vec<_> = with.iter().map(|hit| hits.parts(*hit)).collect();
    let under = shared(&values, &parts, VARIED);
    let stated = under.iter().filter(|(_, value)| value.is_some()).map(|(key, value)| (key.clone(), value.clone()));
    let mut names = Names::default();
    let frame = names.frame(&stated.collect(), stores)?;
    let measured = match other_end == extreme {
        true => "no other batch was measured".to_owned(),
        false => format!("the {other_word} is {other_end}"),
    };
    let frame = if frame.is_empty() { String::new() } else { format!(" ({frame})") };
    let stating = format!("{} of {} state a batch.", batches.len(), counted(hits.len(), "row", "rows"));
    let mut text = format!("The {word} batch of one device that was measured is {extreme}{frame}; {measured}.");
    if is_largest {
        text.extend(of_all_devices(&values, &hits, extreme, (&mut names, stores))?);
        text.push_str(&format!(" What would still fit is not known: {stating}"));
        text.extend(best(&values, &hits));
    } else {
        text.push_str(&format!(" {stating}"));
    }
    let mut ids = RowIds::default();
    let rows: Vec<u64> = with.iter().take(3).map(|hit| hits.row(*hit)).collect();
    let entry = Entry {
        subjects: IndexMap::from([(Field::BatchSize.key().to_owned(), Value::Count(extreme))]),
        quantity: Field::BatchSize.key().to_owned(),
        value: Some(EntryValue::Number(extreme as f64)),
        n: with.len(),
        under,
        measurements: ids.of(stores, &rows)?,
        sources: sources(&values, &parts),
        ..Entry::default()
    };
    Ok(Some(Conclusion { text, entries: vec![entry] }))
}

/// The rows of runs that came to an end: a batch that ran out of memory was tried, and is none that ran.
fn hits_that_ran(stores: &Stores, hits: &HitColumns) -> Result<Vec<usize>, QueryError> {
    let outcome = Aspect::Field(Field::Outcome);
    let Some(part) = outcome.part() else { return Ok((0..hits.len()).collect()) };
    let failed = stores.database.aspect(outcome)?;
    Ok((0..hits.len()).filter(|hit| failed.number(hits.part(*hit, part)) == 0).collect())
}

/// The largest batch of several devices together, where it is larger: ` Over all devices together it is 86016 (2048 x V100;
/// mlperf-training-v0.6).`
fn of_all_devices(
    values: &SharedValues,
    hits: &HitColumns,
    of_one: i64,
    (names, stores): (&mut Names, &Stores),
) -> Result<Option<String>, QueryError> {
    let global = |hit: usize| values.count(Field::BatchSizeGlobal, &hits.parts(hit));
    let ran = hits_that_ran(stores, hits)?;
    let largest = ran
        .into_iter()
        .filter_map(|hit| Some((global(hit)?, hit)))
        .max_by_key(|(batch, hit)| (*batch, usize::MAX - hit));
    let Some((batch, hit)) = largest.filter(|(batch, _)| *batch > of_one) else { return Ok(None) };
    let parts = hits.parts(hit);
    let told = shared(values, [&parts], VARIED).into_iter().filter(|(key, value)| {
        let telling = [Field::Network, Field::Stage, Field::DeviceCount, Field::Device];
        value.is_some() && telling.iter().any(|field| field.key() == key)
    });
    let setting = names.frame(&told.collect(), stores)?;
    Ok(Some(format!(" Over all devices of a system it is {batch} ({setting}; {}).", values.source(&parts))))
}

/// The batch of the row with the highest throughput of all, where several batches were measured.
pub(in crate::ask::conclude) fn best(values: &SharedValues, hits: &HitColumns) -> Option<String> {
    let throughput =
        |hit: usize| hits.values(Metric::ThroughputPerS).get(hit).copied().filter(|value| value.is_finite());
    // The batch is that of one device, and so is the rate.
    let of_one = |hit: &usize| values.count(Field::DeviceCount, &hits.parts(*hit)).is_none_or(|count| count == 1);
    let ones = (0..hits.len()).filter(of_one);
    let rates = ones.filter_map(|hit| Some((throughput(hit)?, values.batch(&hits.parts(hit))?, hit)));
    let (rate, batch, hit) = rates.clone().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let counts = values.text(Aspect::Field(Field::Counts), &hits.parts(hit));
    let unit = unit(Measure::Metric(Metric::ThroughputPerS), counts).unwrap_or_default();
    let mut several = rates.map(|(_, other, _)| other != batch);
    several.any(|other| other).then(|| format!(" The highest throughput, {} {unit}, has batch {batch}.", three(rate)))
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::{Intent, ReadAs, Superlative};

    #[test]
    fn the_largest_batch_that_was_measured_is_told() {
        let rows =
            "\n[[table]]\ncolumns = [\"batch-size\", \"throughput-per-s\"]\nrows = [[1, 100], [8, 300], [32, 290]]\n";
        let failed = "\n[[run]]\nbatch-size = 64\noutcome = \"oom\"\n";
        let sample = Sample::of(&[("paper-2020", &format!("{rows}{failed}"))]);
        let mut question = sample.question("device:nova", Intent::Ranking);
        question.wanted.superlative = Some(Superlative::Most);
        let values = vec!["batch-size".to_owned()];
        question.asides.push(ReadAs {
            text: "batch size".to_owned(),
            facet: "along".to_owned(),
            values,
            how: "exact".to_owned(),
        });
        let conclusion = sample.conclude(&question);
        assert_eq!(told(&conclusion.entries[0]), "batch-size 32 32");
        assert!(conclusion.text.ends_with("The highest throughput, 300 images/s, has batch 8."), "{}", conclusion.text);
    }
}
