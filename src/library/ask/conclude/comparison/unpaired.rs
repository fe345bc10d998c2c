//! Sides that nothing pairs: what the rows of one come to where the other has none, and the two rows that are nearest.

use std::collections::{BTreeMap, BTreeSet};

use super::compared_sides::ComparedSide;
use super::inputs::Comparison;
use super::nearest_pair::{NearestPair, NothingShared, nearest_pair};
use crate::ask::conclude::basis::conclusion::{Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{shared, sources, stated_alone};
use crate::ask::conclude::basis::matched_pairs::Run;
use crate::ask::conclude::basis::side::Side;
use crate::ask::conclude::basis::spans::spans;
use crate::ask::conclude::basis::wording::{name_of, rounded, stage_name, three, unit};
use crate::ask::hits::PartNumbers;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Fact, Field, Measure, Metric};
use crate::values::text::{and_list, counted, or_list, plural};

impl Comparison<'_> {
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

    /// What the rows of one side come to: `T4 has 12 rows, throughput 100 to 400 images/s`.
    fn in_numbers(&mut self, side: &ComparedSide, metrics: &[Metric]) -> Result<(String, Option<Entry>), QueryError> {
        let rows = format!("{} has {}", side.side.name, counted(side.hits.len(), "row", "rows"));
        let stating = |metric: &&Metric| side.hits.values(**metric).iter().any(|value| value.is_finite());
        let Some(&metric) = metrics.iter().find(stating) else { return Ok((rows, None)) };
        let mut runs: Vec<(f64, usize)> = Vec::new();
        for (hit, value) in side.hits.values(metric).iter().enumerate() {
            runs.extend(value.is_finite().then_some((*value, hit)));
        }
        let fallen = self.keep_standing(side, &mut runs);
        let counted_rows = self.keep_one_item(side, metric, &mut runs);
        runs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (Some((low, _)), Some((high, _))) = (runs.first(), runs.last()) else { return Ok((rows, None)) };
        let (middle, middle_hit) = runs[(runs.len() - 1) / 2];
        let parts: Vec<PartNumbers> = runs.iter().map(|(_, hit)| side.hits.parts(*hit)).collect();
        let counts = Aspect::Field(Field::Counts);
        let of_first = self.values.number(counts, &parts[0]);
        let alike = parts.iter().all(|parts| self.values.number(counts, parts) == of_first);
        let unit = unit(self.measure(metric), self.values.text(counts, &parts[0]).filter(|_| alike));
        let under = shared(self.values, &parts, &self.varied);
        let frame = self.names.frame(&stated_alone(&under), self.stores)?;
        let is_told = |field: Field| under.contains_key(field.key());
        let frame: Vec<String> = Some(frame)
            .filter(|frame| !frame.is_empty())
            .into_iter()
            .chain(spans(self.values, &parts, is_told))
            .collect();
        let frame = if frame.is_empty() { String::new() } else { format!(" ({})", frame.join(", ")) };
        let range = if low == high { three(*low) } else { format!("{} to {}", three(*low), three(*high)) };
        // Over several networks, or items of different kinds, there is no range that says anything.
        let is_of_one = alike && is_told(Field::Network) && is_told(Field::Stage);
        if !is_of_one && !self.varied.contains(&Field::Network) {
            let most = self.in_most_rows(side, metric, &runs)?;
            return Ok((format!("{rows}{fallen}{frame}{most}"), None));
        }
        let words = format!(
            "{rows}{fallen}, {} {}{counted_rows}{frame}",
            name_of(self.measure(metric)),
            in_unit(&range, unit.as_deref())
        );
        let entry = Entry {
            subjects: side.side.subjects.clone(),
            quantity: self.measure(metric).key().to_owned(),
            value: Some(EntryValue::Number(rounded(middle))),
            unit,
            low: (runs.len() > 1).then(|| rounded(*low)),
            high: (runs.len() > 1).then(|| rounded(*high)),
            n: runs.len(),
            under,
            measurements: self.ids.of(self.stores, &[side.hits.row(middle_hit)])?,
            sources: sources(self.values, &parts),
            ..Entry::default()
        };
        Ok((words, Some(entry)))
    }

    /// What most of the rows come to that are of one network, stage and item: `; most are of ResNet-50 training, 100 to 400 images/s
    /// (12 rows)`.
    fn in_most_rows(
        &mut self,
        side: &ComparedSide,
        metric: Metric,
        runs: &[(f64, usize)],
    ) -> Result<String, QueryError> {
        let [network, stage, counts] = [Field::Network, Field::Stage, Field::Counts].map(Aspect::Field);
        let mut groups: BTreeMap<[u32; 3], Vec<(f64, PartNumbers)>> = BTreeMap::new();
        for (value, hit) in runs {
            let parts = side.hits.parts(*hit);
            let key = [network, stage, counts].map(|aspect| self.values.number(aspect, &parts));
            groups.entry(key).or_default().push((*value, parts));
        }
        let largest = groups.into_iter().filter(|([network, ..], _)| *network > 0).max_by_key(|(_, runs)| runs.len());
        let Some((_, group)) = largest else { return Ok(String::new()) };
        let (Some((low, first)), Some((high, _))) = (group.first(), group.last()) else { return Ok(String::new()) };
        let id = self.values.text(network, first).unwrap_or_default();
        let name = self.names.of(network, id, self.stores)?;
        let stage = self.values.text(stage, first).map_or_else(String::new, |stage| format!(" {}", stage_name(stage)));
        let unit = unit(self.measure(metric), self.values.text(counts, first));
        let range = if low == high { three(*low) } else { format!("{} to {}", three(*low), three(*high)) };
        Ok(format!(
            "; of most, {name}{stage}, the {} is {} ({})",
            name_of(self.measure(metric)),
            in_unit(&range, unit.as_deref()),
            counted(group.len(), "row", "rows")
        ))
    }

    /// Keeps the rows that stand as they were published, where there are any; what is said of the others.
    fn keep_standing(&self, side: &ComparedSide, runs: &mut Vec<(f64, usize)>) -> String {
        let stands = |hit: usize| self.values.stands(&side.hits.parts(hit));
        let fallen: Vec<usize> = runs.iter().map(|(_, hit)| *hit).filter(|hit| !stands(*hit)).collect();
        let standing = Aspect::Field(Field::Standing);
        let words: BTreeSet<&str> =
            fallen.iter().filter_map(|hit| self.values.text(standing, &side.hits.parts(*hit))).collect();
        let words = and_list(&words.into_iter().collect::<Vec<_>>());
        match fallen.len() {
            0 => String::new(),
            all if all == runs.len() => format!(", all {words}"),
            some => {
                runs.retain(|(_, hit)| stands(*hit));
                format!(", {some} of them {words} and not told")
            }
        }
    }

    /// Keeps the rows that count what most of them count: samples and queries are no range together. How many these are.
    fn keep_one_item(&self, side: &ComparedSide, metric: Metric, runs: &mut Vec<(f64, usize)>) -> String {
        if metric.items_per().is_none() {
            return String::new();
        }
        let counts = |hit: usize| self.values.number(Aspect::Field(Field::Counts), &side.hits.parts(hit));
        let mut rows: BTreeMap<u32, usize> = BTreeMap::new();
        runs.iter().for_each(|(_, hit)| *rows.entry(counts(*hit)).or_default() += 1);
        let Some((most, kept)) = rows.iter().max_by_key(|(_, rows)| **rows).map(|(item, rows)| (*item, *rows)) else {
            return String::new();
        };
        if rows.len() < 2 {
            return String::new();
        }
        runs.retain(|(_, hit)| counts(*hit) == most);
        format!(" in {kept} of them")
    }

    /// What is compared: the derived measure in the place of the metric that it follows from.
    fn measure(&self, metric: Metric) -> Measure {
        self.derived.map_or(Measure::Metric(metric), Measure::Derived)
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

/// A number with its unit.
fn in_unit(number: &str, unit: Option<&str>) -> String {
    unit.map_or_else(|| number.to_owned(), |unit| format!("{number} {unit}"))
}

/// The metrics that rows of a side state, of those that were looked for.
fn stated_metrics(side: &ComparedSide, metrics: &[Metric]) -> String {
    let stated = metrics.iter().filter(|metric| side.hits.values(**metric).iter().any(|value| value.is_finite()));
    let names: Vec<&str> = stated.map(|metric| name_of(Measure::Metric(*metric))).collect();
    if names.is_empty() { "none of them".to_owned() } else { and_list(&names) }
}
