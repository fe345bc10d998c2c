//! Rankings by price: what was paid to whom and when stands beside the value, and one device is one candidate, whatever its sources
//! call it and however many prices it has.

use super::frames::{Candidate, Frame, RankedRun, Scope};
use super::inputs::Ranking;
use super::like_runs::best_of_like;
use crate::ask::conclude::basis::derived_values::{PricePaid, price_paid};
use crate::ask::conclude::basis::wording::three;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Derived, Direction, Field, Measure};
use crate::values::EntityKind;

/// Whether values hang on a price of the catalog.
fn is_priced(measure: Measure) -> bool {
    matches!(measure, Measure::Derived(Derived::ItemsPerDollar | Derived::RatePerLaunchUsd))
}

impl Ranking<'_> {
    /// Rows that say no more than a family are of its member where one alone of its members stands in the frame: a family and its
    /// member at two prices are one device.
    pub(super) fn one_for_each_device(&self, frame: &mut Frame) -> Result<(), QueryError> {
        if !is_priced(frame.measure) || !self.kind.is_of_devices() {
            return Ok(());
        }
        let device = |candidate: &Candidate| {
            self.values.text(Aspect::Field(Field::Device), &self.hits.parts(candidate.hit(frame))).unwrap_or_default()
        };
        let ids: Vec<&str> = frame.candidates.iter().map(device).collect();
        let mut families: Vec<Vec<usize>> = Vec::new();
        for id in &ids {
            let ancestors = self.stores.database.ancestors(EntityKind::Device, id)?;
            let is_family = |other: &str| other != *id && ancestors.iter().any(|family| family == other);
            families.push((0..ids.len()).filter(|at| is_family(ids[*at])).collect());
        }
        let only_member_of = |family: usize| {
            let mut members = (0..ids.len()).filter(|at| families[*at].contains(&family));
            members.next().filter(|_| members.next().is_none())
        };
        let of: Vec<usize> = (0..ids.len()).map(|at| only_member_of(at).unwrap_or(at)).collect();
        if of.iter().enumerate().all(|(at, of)| at == *of) {
            return Ok(());
        }
        let lower = frame.measure.direction() == Direction::Lower;
        let (mut runs, mut candidates): (Vec<RankedRun>, Vec<Candidate>) = (Vec::new(), Vec::new());
        for at in 0..ids.len() {
            let begin = runs.len();
            for (own, _) in frame.candidates.iter().zip(&of).filter(|(_, of)| **of == at) {
                runs.extend(frame.runs_of(own));
            }
            let own = &mut runs[begin..];
            own.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let alike = Some(&*own).filter(|_| frame.scope == Scope::Alike);
            let like = alike.and_then(|runs| best_of_like(runs, |hit| self.hits.parts(hit), lower));
            candidates.extend((runs.len() > begin).then_some(Candidate { own: begin..runs.len(), like }));
        }
        (frame.candidates, frame.runs) = (candidates.into(), runs.into());
        Ok(())
    }

    /// At what price the value of a candidate is: ` (at 1.29 USD/h: Lambda, gpu_1x_a100, 2025-03)`; where its runs have several the
    /// price of the lowest value, too.
    pub(super) fn price_in_words(&self, frame: &Frame, at: usize) -> Result<String, QueryError> {
        let Some(candidate) = frame.candidates.get(at).filter(|_| is_priced(frame.measure)) else {
            return Ok(String::new());
        };
        let Measure::Derived(measure) = frame.measure else { return Ok(String::new()) };
        let paid = |hit: usize| price_paid(self.stores, self.values, measure, &self.hits.parts(hit));
        let Some(own) = paid(candidate.hit(frame))? else { return Ok(String::new()) };
        let mut told = in_words(&own);
        if let Some((value, hit)) = frame.runs_of(candidate).first()
            && let Some(other) = paid(*hit)?
            && other != own
        {
            told.push_str(&format!("; {} at {}", three(*value), in_words(&other)));
        }
        Ok(format!(" (at {told})"))
    }
}

/// `1.29 USD/h (Lambda, gpu_1x_a100, 2025-03)`, `a launch price of 699 USD`.
fn in_words(paid: &PricePaid) -> String {
    match paid {
        PricePaid::AtLaunch(price) => format!("a launch price of {} USD", three(*price)),
        PricePaid::Rent { usd_per_hour, provider, instance, as_of } => {
            let date = as_of.map_or_else(|| "undated".to_owned(), |date| date.to_string());
            format!("{} USD/h, {provider}, {instance}, {date}", three(*usd_per_hour))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::{Sample, told};
    use crate::ask::question::{Intent, Quantity};
    use crate::model::Derived;

    #[test]
    fn two_prices_of_one_device_are_one_candidate_and_what_was_paid_is_told() {
        let offer = |instance: &str, price: &str| {
            format!(
                "[[cloud]]\nprovider = \"Cloudy\"\ninstance = \"{instance}\"\ndevices = 1\nusd-per-hour = {price}\nas-of = 2025-03-07\nsource = \"paper-2020\"\n"
            )
        };
        let member = format!("variant-of = \"alpha\"\n{}", offer("a.big", "1.0"));
        let (family, other) = (offer("a.any", "4.0"), offer("b.one", "2.0"));
        let devices = [("Alpha", family.as_str()), ("Alpha-96", member.as_str()), ("Beta", other.as_str())];
        let rows = "\n[[table]]\ncolumns = [\"device\", \"throughput-per-s\"]\nrows = [[\"alpha\", 100], [\"alpha-96\", 100], [\"beta\", 100]]\n";
        let sample = Sample::with_devices(&devices, &[("paper-2020", rows)]);
        let mut question = sample.question("", Intent::Ranking);
        question.wanted.quantities = vec![Quantity::Derived(Derived::ItemsPerDollar)];
        let conclusion = sample.conclude(&question);
        let lines: Vec<String> = conclusion.entries.iter().map(told).collect();
        assert_eq!(lines, ["device alpha-96 360000", "device beta 180000"], "{}", conclusion.text);
        let paid = "(at 1 USD/h, Cloudy, a.big, 2025-03-07; 90000 at 4 USD/h, Cloudy, a.any, 2025-03-07)";
        assert!(conclusion.text.contains(paid), "{}", conclusion.text);
    }
}
