//! Sides that nothing pairs: what the rows of one come to where the other has none, and the two rows that are nearest.

use std::collections::BTreeMap;

use super::compared_sides::ComparedSide;
use super::inputs::SideComparison;
use super::nearest_pair::{NearestPair, NothingShared, nearest_pair};
use super::side_numbers::in_unit;
use crate::ask::conclude::basis::conclusion::{Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{shared, sources, stated_alone};
use crate::ask::conclude::basis::matched_pairs::Run;
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::wording::{name_of, rounded, stage_name, three, unit};
use crate::ask::question::QueryError;
use crate::model::{Aspect, Fact, Field, Measure, Metric};
use crate::values::text::{and_list, counted, or_list, plural};

impl SideComparison<'_> {
    /// Which sides have no rows, and what the others come to.
    pub(super) fn without_rows(
        &mut self,
        without: &[&ComparedSide],
        sides: &[&ComparedSide],
        metrics: &[Metric],
    ) -> Result<(String, Vec<Entry>), QueryError> {
        let without: Vec<String> = without.iter().map(|side| self.without_any(side)).collect();
        let text = and_list(&without);
        let (mut told, mut entries) = (Vec::new(), Vec::new());
        for side in sides {
            let (words, entry) = self.in_numbers(side, metrics)?;
            told.push(words);
            entries.extend(entry);
        }
        Ok(match sides {
            [] => (format!("{text}, so nothing can be paired."), entries),
            [_] => (format!("{text}, so nothing can be paired."), entries),
            _ => (format!("{text}."), Vec::new()),
        })
    }

    /// What a side has no rows of: `A40 has no row with `llama` (64 rows without)`.
    fn without_any(&self, side: &ComparedSide) -> String {
        let name = &side.side.name;
        match (side.rows_without_conditions, self.conditions.as_slice()) {
            (0, _) | (_, []) => format!("{name} has no measurements here"),
            (rows, conditions) => {
                let all = counted(rows, "row", "rows");
                let ran = if side.ran.is_empty() { "in all".to_owned() } else { format!("in all, of {}", side.ran) };
                format!("{name} has no row with {} ({all} {ran})", and_list(conditions))
            }
        }
    }

    /// Where rows of both sides are no pairs: the two that are nearest, with their numbers and what keeps them apart.
    pub(super) fn no_pair(
        &mut self,
        subject: &ComparedSide,
        baseline: &ComparedSide,
        metrics: &[Metric],
    ) -> Result<(String, Vec<Entry>), QueryError> {
        let counts = format!(
            "No row of {} could be paired with one of {} ({} and {})",
            subject.side.name,
            baseline.side.name,
            counted(subject.hits.len(), "row", "rows"),
            baseline.hits.len()
        );
        let nearest = nearest_pair(self.stores, self.values, &subject.hits, &baseline.hits, metrics, &self.varied)?;
        let nearest = match nearest {
            Ok(nearest) => nearest,
            Err(lacking) => return Ok((self.nothing_shared(lacking, subject, baseline, metrics)?, Vec::new())),
        };
        // Numbers of two devices tell the devices apart, and not what is compared.
        if nearest.differs.contains(&Field::Device) {
            let text =
                format!("{counts}: even the two that are nearest ran on other devices, so their numbers say nothing.");
            return Ok((text, Vec::new()));
        }
        let ends = [&nearest.subject.parts, &nearest.baseline.parts];
        let under = shared(self.values, ends, &self.varied);
        let frame = self.names.frame(&stated_alone(&under), self.stores)?;
        let asked = self.asked.iter().filter(|(key, _)| !under.contains_key(*key)).map(|(_, name)| name.clone());
        let frame: Vec<String> = asked.chain(Some(frame).filter(|frame| !frame.is_empty())).collect();
        let frame = if frame.is_empty() { String::new() } else { format!(" ({})", frame.join(", ")) };
        let differs = self.differences(&nearest)?;
        let differs = if differs.is_empty() { String::new() } else { format!("; they differ in {differs}") };
        let mut told = Vec::new();
        let mut entries = Vec::new();
        for (side, run) in [(&subject.side, &nearest.subject), (&baseline.side, &nearest.baseline)] {
            let unit = unit(self.measure(nearest.metric), self.values.text(Aspect::Field(Field::Counts), &run.parts));
            let per_device = self.per_device(&nearest, run);
            let value = in_unit(&three(run.value), unit.as_deref());
            told.push(format!("{} with {value}{per_device}", self.member(side, run, &nearest)?));
            entries.push(Entry {
                subjects: side.subjects.clone(),
                quantity: self.measure(nearest.metric).key().to_owned(),
                value: Some(EntryValue::Number(rounded(run.value))),
                unit,
                n: 1,
                under: shared(self.values, [&run.parts], &self.varied),
                measurements: self.ids.of(self.stores, &[run.row])?,
                sources: sources(self.values, [&run.parts]),
                ..Entry::default()
            });
        }
        let text = format!(
            "{}{frame} are nearest, and no matched pair ({}){differs}. {counts}.",
            told.join(" and "),
            nearest.verdict,
        );
        Ok((text, entries))
    }

    /// What a row of a side ran on, with the number of devices where sides may differ in it.
    fn member(&mut self, side: &Side, run: &Run, nearest: &NearestPair) -> Result<String, QueryError> {
        let name = self.member_name(side, run)?;
        let is_free = self.varied.contains(&Field::DeviceCount) || nearest.differs.contains(&Field::DeviceCount);
        let is_of_devices = self.varied.contains(&Field::Device);
        let is_free = is_free && is_of_devices && !side.subjects.contains_key(Field::DeviceCount.key());
        let count = self.values.count(Field::DeviceCount, &run.parts).filter(|_| is_free);
        Ok(count.map_or_else(|| name.clone(), |count| format!("{count} x {name}")))
    }

    /// The share of one device in a rate, where the two that are nearest differ in their number: ` (2840 for each device)`.
    fn per_device(&self, nearest: &NearestPair, run: &Run) -> String {
        let count = |run: &Run| self.values.count(Field::DeviceCount, &run.parts);
        let differs = count(&nearest.subject) != count(&nearest.baseline);
        let is_rate = self.derived.is_none() && nearest.metric == Metric::ThroughputPerS;
        match count(run).filter(|count| *count > 1 && differs && is_rate) {
            Some(count) => format!(" ({} for each device, divided)", three(run.value / count as f64)),
            None => String::new(),
        }
    }

    /// `Jetson Nano (of jetson, 17 devices)`.
    fn member_name(&mut self, side: &Side, run: &Run) -> Result<String, QueryError> {
        let field = self.members_differ_in().filter(|_| side.is_of_several).map(Aspect::Field);
        let Some(field) = field else { return Ok(side.name.clone()) };
        let Some(id) = self.values.text(field, &run.parts) else { return Ok(side.name.clone()) };
        Ok(side.of_members(&[self.names.of(field, id, self.stores)?]))
    }

    /// Why no two rows of two sides can stand side by side, and what each side was measured in.
    fn nothing_shared(
        &mut self,
        lacking: NothingShared,
        subject: &ComparedSide,
        baseline: &ComparedSide,
        metrics: &[Metric],
    ) -> Result<String, QueryError> {
        let (own, other) = (&subject.side.name, &baseline.side.name);
        // It is said of what was asked for, and of nothing else.
        let of_asked = match self.conditions.as_slice() {
            [] => String::new(),
            conditions => format!(" with {}", and_list(conditions)),
        };
        let rows = |side: &ComparedSide| counted(side.hits.len(), "row", "rows");
        Ok(match lacking {
            NothingShared::Metric => {
                let looked_for: Vec<&str> = metrics.iter().map(|metric| name_of(self.measure(*metric))).collect();
                // Who has none of what is asked for is said before what is nearest.
                for (silent, stating) in [(subject, baseline), (baseline, subject)] {
                    if !states_any(silent, metrics) && states_any(stating, metrics) {
                        let (numbers, _) = self.in_numbers(stating, metrics)?;
                        let (name, number) = (&silent.side.name, rows(silent));
                        let measure = or_list(&looked_for);
                        return Ok(format!("No row of {name}{of_asked} tells the {measure} ({number}); {numbers}."));
                    }
                }
                if !states_any(subject, metrics) && !states_any(baseline, metrics) {
                    let (own_rows, other_rows, measure) = (rows(subject), rows(baseline), or_list(&looked_for));
                    return Ok(format!(
                        "Neither a row of {own} ({own_rows}) nor one of {other} ({other_rows}){of_asked} tells the {measure}."
                    ));
                }
                let (of_own, of_other) = (stated_metrics(subject, metrics), stated_metrics(baseline, metrics));
                format!(
                    "{own} and {other} cannot be set against each other{of_asked}: no row of both states the same of {} ({own}: \
                     {}, {}; {other}: {}, {}).",
                    or_list(&looked_for),
                    rows(subject),
                    of_own,
                    rows(baseline),
                    of_other,
                )
            }
            NothingShared::Network => {
                let (of_own, of_other) = (self.networks(subject)?, self.networks(baseline)?);
                format!(
                    "{own} and {other} have no network in common of which the same was measured{of_asked} ({} and {}). \
                     {of_own}; {of_other}.",
                    rows(subject),
                    baseline.hits.len()
                )
            }
            NothingShared::Standing => {
                let (own_numbers, _) = self.in_numbers(subject, metrics)?;
                let (other_numbers, _) = self.in_numbers(baseline, metrics)?;
                format!(
                    "{own_numbers}; {other_numbers}. They are not set against each other: what was disputed or withdrawn is \
                     the basis of no ratio."
                )
            }
            NothingShared::Kind => {
                let (of_own, of_other) = (self.kinds(subject)?, self.kinds(baseline)?);
                let (own_numbers, _) = self.in_numbers(subject, metrics)?;
                let (other_numbers, _) = self.in_numbers(baseline, metrics)?;
                format!(
                    "{own_numbers}; {other_numbers}. They are not comparable: no row of {own}{of_asked} and none of {other} \
                     are of one network, stage and item ({of_own}; {of_other})."
                )
            }
        })
    }

    /// In which stages, and counted in what, a side was measured: `A10: training in sequences (46 rows)`.
    fn kinds(&mut self, side: &ComparedSide) -> Result<String, QueryError> {
        const MOST_NAMED: usize = 3;
        let mut rows: BTreeMap<(Option<&str>, Option<&str>), usize> = BTreeMap::new();
        for hit in 0..side.hits.len() {
            let parts = side.hits.parts(hit);
            let of = |field: Field| self.values.text(Aspect::Field(field), &parts);
            *rows.entry((of(Field::Stage), of(Field::Counts))).or_default() += 1;
        }
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let told: Vec<String> = rows
            .iter()
            .take(MOST_NAMED)
            .map(|((stage, counts), count)| {
                let stage = stage.map_or("stage not stated", stage_name);
                let of = counts.map_or_else(String::new, |counts| format!(" of {}", plural(counts)));
                format!("{stage}{of} ({})", counted(*count, "row", "rows"))
            })
            .collect();
        Ok(format!("{}: {}", side.side.name, and_list(&told)))
    }

    /// Which networks a side ran most: `Coral USB Accelerator ran SSD-MobileNet v1 (2 rows)`.
    fn networks(&mut self, side: &ComparedSide) -> Result<String, QueryError> {
        const MOST_NAMED: usize = 3;
        let network = Aspect::Field(Field::Network);
        let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
        for hit in 0..side.hits.len() {
            let named = self.values.text(network, &side.hits.parts(hit));
            named.into_iter().for_each(|id| *rows.entry(id).or_default() += 1);
        }
        let mut rows: Vec<(&str, usize)> = rows.into_iter().collect();
        rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let mut told = Vec::new();
        for (id, count) in rows.iter().take(MOST_NAMED) {
            told.push(format!("{} ({count})", self.names.of(network, id, self.stores)?));
        }
        if let Some(more) = rows.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
            told.push(format!("{more} more"));
        }
        Ok(format!("{} ran {}", side.side.name, and_list(&told)))
    }

    /// In what two rows differ: `framework (vLLM against TensorRT)`.
    fn differences(&mut self, nearest: &NearestPair) -> Result<String, QueryError> {
        let mut told = Vec::new();
        for &field in &nearest.differs {
            let mut sides = Vec::new();
            for run in [&nearest.subject, &nearest.baseline] {
                sides.push(match self.values.value(field, &run.parts) {
                    Some(value) => self.names.of(Aspect::Field(field), &value.to_string(), self.stores)?,
                    None => "not stated".to_owned(),
                });
            }
            told.push(format!("{} ({})", field.heading(), sides.join(" against ")));
        }
        let instance = |run: &Run| self.values.text(Aspect::Field(Field::Instance), &run.parts);
        if let (Some(own), Some(other)) = (instance(&nearest.subject), instance(&nearest.baseline))
            && own != other
            && !self.varied.contains(&Field::Instance)
        {
            told.push(format!("machine ({own} against {other})"));
        }
        told.extend(nearest.hosts.as_ref().map(|(own, other)| format!("host ({own} against {other})")));
        // Networks of two fields do other work.
        let task = Aspect::Fact(Fact::Task);
        let [own, other] = [&nearest.subject, &nearest.baseline].map(|run| self.values.text(task, &run.parts));
        if own != other {
            let [own, other] =
                [own, other].map(|task| task.map_or_else(|| "not stated".to_owned(), |task| task.replace('-', " ")));
            told.push(format!("task ({own} against {other})"));
        }
        Ok(and_list(&told))
    }
}

/// Whether any row of a side has a value of what is looked for.
fn states_any(side: &ComparedSide, metrics: &[Metric]) -> bool {
    metrics.iter().any(|metric| side.hits.values(*metric).iter().any(|value| value.is_finite()))
}

/// The metrics that rows of a side state, of those that were looked for.
fn stated_metrics(side: &ComparedSide, metrics: &[Metric]) -> String {
    let stated = metrics.iter().filter(|metric| side.hits.values(**metric).iter().any(|value| value.is_finite()));
    let names: Vec<&str> = stated.map(|metric| name_of(Measure::Metric(*metric))).collect();
    if names.is_empty() { "none of them".to_owned() } else { and_list(&names) }
}
