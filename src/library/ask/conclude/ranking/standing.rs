//! Where an entity stands among others, and which of its own stand first and last: by the median of their runs under frames in
//! which they can be compared.

use super::candidate_kind::CandidateKind;
use super::frames::{Candidate, Frame, Scope};
use super::ranked_rows::RankedRows;
use crate::ask::conclude::basis::conclusion::{Entry, EntryValue};
use crate::ask::conclude::basis::evidence::{RowIds, shared, sources};
use crate::ask::conclude::basis::possible::Possible;
use crate::ask::conclude::basis::wording::{Names, rounded, three, unit};
use crate::ask::hits::{HitColumns, LayerSizes, PartNumbers, SharedValues};
use crate::ask::question::QueryError;
use crate::model::{Aspect, Direction, Facet, Field, Measure, Metric, Value};
use crate::rows::entity_kind;
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::text::counted;

/// What entities are ranked by.
const METRICS: &[Metric] = &[Metric::ThroughputPerS, Metric::LatencyMs, Metric::TimeToAccuracyS, Metric::TotalS];
/// Fewer candidates than this are no field to stand in.
const LEAST: usize = 3;

/// A sentence, and the entries behind it.
pub(in crate::ask::conclude) type Finding = (String, Vec<Entry>);

/// The first and the last of the candidates that rows name, under the frame that holds the most of them.
pub(in crate::ask::conclude) fn extremes(
    stores: &Stores,
    condition: &Condition,
    aspect: Aspect,
) -> Result<Option<Finding>, QueryError> {
    let mut field = RankedField::of(stores, condition, aspect)?;
    let Some(frame) = field.frames()?.into_iter().next() else { return Ok(None) };
    let Some((first, last)) = frame.candidates.first().zip(frame.candidates.last()) else { return Ok(None) };
    let (of, described) = (field.count(frame.candidates.len()), field.described(&frame)?);
    let entries = vec![field.entry(&frame, first)?, field.entry(&frame, last)?];
    let text = format!(
        "Fastest of {of} ({described}): {} with {}; slowest: {} with {}.",
        field.name(&frame, first)?,
        field.value(&frame, first),
        field.name(&frame, last)?,
        field.value(&frame, last),
    );
    Ok(Some((text, entries)))
}

/// The best and the worst place that any of `own` takes among all others on some networks.
pub(in crate::ask::conclude) fn places(
    stores: &Stores,
    networks: &[String],
    aspect: Aspect,
    own: &[String],
) -> Result<Option<Finding>, QueryError> {
    if networks.is_empty() {
        return Ok(None);
    }
    let condition = Condition::Facet(Facet::Network, networks.to_vec());
    let mut field = RankedField::of(stores, &condition, aspect)?;
    let mut placed: Vec<(usize, Frame)> = Vec::new();
    for frame in field.frames()? {
        let is_own = |candidate: &Candidate| own.iter().any(|id| Some(id.as_str()) == field.id(&frame, candidate));
        if let Some(place) = frame.candidates.iter().position(is_own) {
            placed.push((place, frame));
        }
    }
    // Of equal places that among the most others tells the most.
    let share = |(place, frame): &(usize, Frame)| *place as f64 / (frame.candidates.len() - 1) as f64;
    let size = |(_, frame): &(usize, Frame)| frame.candidates.len();
    let best = placed.iter().min_by(|a, b| share(a).total_cmp(&share(b)).then(size(b).cmp(&size(a))));
    let worst = placed.iter().max_by(|a, b| share(a).total_cmp(&share(b)).then(size(a).cmp(&size(b))));
    let (Some(best), Some(worst)) = (best, worst) else { return Ok(None) };
    let mut entries = Vec::new();
    let (told, entry) = field.place(best)?;
    entries.push(entry);
    if share(worst) <= share(best) {
        return Ok(Some((format!("Placed {told}."), entries)));
    }
    let (least, entry) = field.place(worst)?;
    entries.push(entry);
    Ok(Some((format!("Best placed {told}; worst {least}."), entries)))
}

/// The candidates that can be ranked on what some rows measured.
struct RankedField<'r> {
    stores: &'r Stores,
    values: SharedValues,
    hits: HitColumns,
    layers: LayerSizes,
    aspect: Aspect,
    kind: CandidateKind,
    names: Names,
}

impl<'r> RankedField<'r> {
    fn of(stores: &'r Stores, condition: &Condition, aspect: Aspect) -> Result<Self, QueryError> {
        let values = SharedValues::read(stores)?;
        let hits = HitColumns::of(stores, condition, METRICS)?;
        let layers = LayerSizes::read(stores, &values, &[&hits])?;
        let kind = CandidateKind::of(aspect);
        Ok(Self { stores, values, hits, layers, aspect, kind, names: Names::default() })
    }

    /// The frames with enough candidates, the fastest candidate first, those with the most candidates before others. One
    /// device stands against one, and what no hardware can give is left out.
    fn frames(&self) -> Result<Vec<Frame>, QueryError> {
        let of_one = |parts: &PartNumbers| self.values.count(Field::DeviceCount, parts).is_none_or(|count| count == 1);
        let mut all = Vec::new();
        let rows = RankedRows::new(&self.values, &self.layers, &self.hits);
        for metric in METRICS {
            let measure = (Measure::Metric(*metric), self.hits.values(*metric));
            all.extend(rows.frames(measure, &self.kind, Scope::Alike, of_one));
        }
        let mut possible = Possible::new(self.stores, &self.values);
        let mut kept = Vec::new();
        for mut frame in all.into_iter().filter(|frame| !frame.is_extreme && frame.candidates.len() >= LEAST) {
            let Measure::Metric(metric) = frame.measure else { continue };
            let mut candidates = Vec::new();
            for candidate in frame.candidates.iter() {
                let parts = self.hits.parts(candidate.hit(&frame));
                if possible.is_possible(&parts, metric, candidate.value(&frame))? {
                    candidates.push(candidate.clone());
                }
            }
            let lower = metric.direction() == Direction::Lower;
            candidates.sort_by(|a, b| {
                let by_value = a.value(&frame).total_cmp(&b.value(&frame));
                (if lower { by_value } else { by_value.reverse() }).then(a.hit(&frame).cmp(&b.hit(&frame)))
            });
            frame.candidates = candidates.into();
            kept.extend((frame.candidates.len() >= LEAST).then_some(frame));
        }
        kept.sort_by_key(|frame| std::cmp::Reverse(frame.candidates.len()));
        Ok(kept)
    }

    fn id(&self, frame: &Frame, candidate: &Candidate) -> Option<&str> {
        self.values.text(self.aspect, &self.hits.parts(candidate.hit(frame)))
    }

    fn name(&mut self, frame: &Frame, candidate: &Candidate) -> Result<String, QueryError> {
        let id = self.id(frame, candidate).unwrap_or_default().to_owned();
        self.names.of(self.aspect, &id, self.stores)
    }

    /// `2900 images/s`.
    fn value(&self, frame: &Frame, candidate: &Candidate) -> String {
        let unit = self.unit(frame).map_or_else(String::new, |unit| format!(" {unit}"));
        format!("{}{unit}", three(candidate.value(frame)))
    }

    fn unit(&self, frame: &Frame) -> Option<String> {
        unit(frame.measure, self.values.text(Aspect::Field(Field::Counts), &frame.parts))
    }

    /// `31 devices`.
    fn count(&self, count: usize) -> String {
        match entity_kind(self.aspect) {
            Some(kind) => counted(count, kind.noun(), kind.plural()),
            None => counted(count, "candidate", "candidates"),
        }
    }

    fn parts(&self, frame: &Frame) -> Vec<PartNumbers> {
        frame.candidates.iter().map(|candidate| self.hits.parts(candidate.hit(frame))).collect()
    }

    /// What the candidates share: `ResNet-50 inference, fp16, batch 128`.
    fn described(&mut self, frame: &Frame) -> Result<String, QueryError> {
        let parts = self.parts(frame);
        let mut under = shared(&self.values, &parts, &self.kind.varied);
        // What is not stated or goes without saying is no help to tell the frame.
        under.retain(|key, value| {
            let telling = [Field::Network, Field::Stage, Field::Precision, Field::BatchSize, Field::Device];
            value.is_some() && telling.iter().any(|field| field.key() == key)
        });
        self.names.frame(&under, self.stores)
    }

    /// `2nd of 14 devices in BERT-large training, fp16, batch 32 (123 sequences/s; first is A100 with 400)`.
    fn place(&mut self, (place, frame): &(usize, Frame)) -> Result<(String, Entry), QueryError> {
        let own = &frame.candidates[*place];
        let entry = self.entry(frame, own)?;
        let described = self.described(frame)?;
        let first = match place {
            0 => format!(
                "second is {} with {}",
                self.name(frame, &frame.candidates[1])?,
                self.value(frame, &frame.candidates[1])
            ),
            _ => format!(
                "first is {} with {}",
                self.name(frame, &frame.candidates[0])?,
                self.value(frame, &frame.candidates[0])
            ),
        };
        let of = self.count(frame.candidates.len());
        Ok((format!("{} of {of} in {described} ({}; {first})", ordinal(place + 1), self.value(frame, own)), entry))
    }

    fn entry(&self, frame: &Frame, candidate: &Candidate) -> Result<Entry, QueryError> {
        let parts: Vec<PartNumbers> = frame.runs_of(candidate).iter().map(|(_, hit)| self.hits.parts(*hit)).collect();
        let subject = self.id(frame, candidate).unwrap_or_default();
        Ok(Entry {
            subjects: [(self.aspect.key().to_owned(), Value::Text(subject.into()))].into_iter().collect(),
            quantity: frame.measure.key().to_owned(),
            value: Some(EntryValue::Number(rounded(candidate.value(frame)))),
            unit: self.unit(frame),
            n: frame.runs_of(candidate).len(),
            under: shared(&self.values, &self.parts(frame), &self.kind.varied),
            measurements: RowIds::default().of(self.stores, &[self.hits.row(candidate.hit(frame))])?,
            sources: sources(&self.values, &parts),
            ..Entry::default()
        })
    }
}

fn ordinal(place: usize) -> String {
    match (place % 10, place % 100) {
        (1, n) if n != 11 => format!("{place}st"),
        (2, n) if n != 12 => format!("{place}nd"),
        (3, n) if n != 13 => format!("{place}rd"),
        _ => format!("{place}th"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_said_as_people_say_them() {
        let said: Vec<String> = [1, 2, 3, 4, 11, 22].into_iter().map(ordinal).collect();
        assert_eq!(said, ["1st", "2nd", "3rd", "4th", "11th", "22nd"]);
    }
}
