//! What a question wants, as conditions: rows that have the metric, classes with the grade, frameworks that were tested.

use std::ops::RangeBounds as _;

use strum::VariantArray as _;

use super::carrying_word::Carried;
use super::clause::{Clause, filter_text, negated};
use super::error::QueryError;
use super::facing::kind_of;
use super::filters::bounds_of;
use super::hints::{Hints, Level};
use super::intent::Intent;
use super::interpreter::Interpreter;
use super::order::SortOrder;
use super::question::{Quantity, Wanted};
use super::vocabulary::{Cue, plain, plain_words};
use crate::model::{Aspect, Facet, Fact, FactValue, Field, HardwareClassRecord, Metric, rank_of};
use crate::rows::Note;
use crate::stores::index::{Condition, DocumentKind};
use crate::values::{EntityKind, FrameworkStatus};

/// Metrics of speed: where rows have none that is asked for, another one tells.
const OF_SPEED: &[Metric] =
    &[Metric::LatencyMs, Metric::ThroughputPerS, Metric::EpochS, Metric::TotalS, Metric::TimeToAccuracyS];

/// The class of plain processors.
const PROCESSOR: &str = "cpu";

impl Interpreter<'_> {
    /// Rows that have one of the metrics that are asked for by their names.
    pub(super) fn ask_for_metrics(
        &mut self,
        clauses: &mut Vec<Clause>,
        wanted: &mut Wanted,
        hints: &Hints,
    ) -> Result<(), QueryError> {
        let metric = |quantity: &Quantity| match quantity {
            Quantity::Metric(metric) => Some(*metric),
            _ => None,
        };
        let mut metrics: Vec<Metric> = wanted.quantities.iter().filter_map(metric).collect();
        if metrics.is_empty() || hints.opposed {
            return Ok(());
        }
        // Who looks for sources of energy or of power means any figure of either.
        if wanted.candidates == Some(Aspect::Source) && metrics.iter().any(|metric| metric.is_of_energy()) {
            let of_energy = Metric::VARIANTS.iter().copied().filter(|metric| metric.is_of_energy());
            metrics.extend(of_energy.filter(|metric| !metrics.contains(metric)).collect::<Vec<Metric>>());
        }
        let keys: Vec<String> = metrics.iter().map(|metric| metric.key().to_owned()).collect();
        let condition = Condition::Facet(Facet::Metric, keys.clone());
        if metrics.iter().all(|metric| OF_SPEED.contains(metric)) {
            let all =
                Condition::All(clauses.iter().map(|clause| &clause.condition).chain([&condition]).cloned().collect());
            if self.stores.index.count(DocumentKind::Measurement, &all)? == 0 {
                return self.ask_for_mean_latency(clauses, wanted, hints);
            }
        }
        clauses.push(metric_clause(keys, condition, hints));
        Ok(())
    }

    /// `server latency`: where no row states the latency of a batch, that of a query is meant.
    fn ask_for_mean_latency(
        &mut self,
        clauses: &mut Vec<Clause>,
        wanted: &mut Wanted,
        hints: &Hints,
    ) -> Result<(), QueryError> {
        let (asked, mean) = (Quantity::Metric(Metric::LatencyMs), Metric::MeanLatencyMs);
        let keys = vec![mean.key().to_owned()];
        let condition = Condition::Facet(Facet::Metric, keys.clone());
        let all = clauses.iter().map(|clause| &clause.condition).chain([&condition]).cloned().collect();
        if wanted.quantities == [asked.clone()]
            && self.stores.index.count(DocumentKind::Measurement, &Condition::All(all))? > 0
        {
            for quantities in wanted.mentioned.iter_mut().chain([&mut wanted.quantities]) {
                for quantity in quantities.iter_mut().filter(|quantity| **quantity == asked) {
                    *quantity = Quantity::Metric(mean);
                }
            }
            clauses.push(metric_clause(keys, condition, hints));
        }
        Ok(())
    }

    /// `where do gpus score worst`, `what are asics best at`: of the one class that is named the grades at one end.
    pub(super) fn asks_for_end_of_class(&self, clauses: &[Clause]) -> bool {
        const ASKING: &[&str] = &["where", "what", "in", "at", "on"];
        const MARKING: &[&str] = &["score", "scores", "scored", "marks", "mark", "graded", "grade", "rated"];
        let [only] = clauses else { return false };
        let names_class = kind_of(only) == Facet::Class.key() && only.readings.len() == 1 && !only.is_excluded();
        let Some((superlative, _)) = self.superlative.as_ref().filter(|_| names_class) else { return false };
        let words: Vec<String> = self.question.split_whitespace().map(plain).collect();
        let has = |any: &[&str], word: Option<&String>| word.is_some_and(|word| any.contains(&word.as_str()));
        // `what gpu is best` asks for one of them.
        let names_it = |word: &String| only.text.split(' ').any(|own| plain(own) == *word || word.starts_with(own));
        let asks = has(ASKING, words.first()) && !words.get(1).is_some_and(names_it);
        let ends_so =
            words.last().is_some_and(|last| *last == plain(superlative) || has(&["at", "in", "on"], Some(last)));
        asks && (ends_so || words.iter().any(|word| has(MARKING, Some(word))))
    }

    /// `esp32-p4, tiny ml`: beside a device the words say what it is for, and not in which suite it was measured.
    pub(super) fn without_suite_of_device(&mut self, clauses: &mut Vec<Clause>) {
        const OF_FIELD: &[&str] = &["tinyml", "tiny ml"];
        let names_device =
            |clause: &Clause| clause.readings.iter().any(|read| read.read_as.facet == Facet::Device.key());
        if !clauses.iter().any(names_device) {
            return;
        }
        let of_field = |clause: &Clause| OF_FIELD.contains(&plain(&clause.text).as_str());
        for clause in clauses.extract_if(.., |clause| of_field(clause)) {
            self.heard.push(clause.text);
        }
    }

    /// `the fastest accelerator`: a plain processor is none.
    pub(super) fn without_processors(
        &mut self,
        clauses: &mut Vec<Clause>,
        wanted: &Wanted,
        hints: &Hints,
    ) -> Result<(), QueryError> {
        let of_devices = wanted.candidates == Some(Aspect::Field(Field::Device));
        let is_named = |clause: &Clause| matches!(kind_of(clause), "class" | "device") && !clause.is_excluded();
        let lists = hints.accelerators && matches!(wanted.intent, Intent::Ranking | Intent::List);
        if lists && of_devices && !clauses.iter().any(is_named) {
            clauses.push(negated(self.facet_clause("CPU", Facet::Class, vec![PROCESSOR.to_owned()], "alias")?));
        }
        Ok(())
    }

    /// `with high upgradability`: the classes that are graded so; beside another superlative it is no more than that.
    pub(super) fn grades_as_conditions(
        &mut self,
        clauses: &mut Vec<Clause>,
        wanted: &mut Wanted,
        hints: &Hints,
    ) -> Result<(), QueryError> {
        for mention in &hints.mentions {
            let Some(Level { operator, grade }) = mention.level else { continue };
            let bounds = bounds_of(operator, rank_of(grade));
            for quantity in mention.asked.quantities(super::mentions::Context::default()) {
                let Quantity::HardwareMetric(id) = &quantity else { continue };
                let classes = self.stores.database.entities_with(
                    EntityKind::HardwareClass,
                    id,
                    |value| matches!(value, FactValue::Number(rank) if bounds.contains(rank)),
                )?;
                self.leave_who_grades(clauses)?;
                let condition = Condition::Facet(Facet::Class, classes.into_iter().collect());
                let value = format!("{}{grade}", operator.sign());
                clauses.push(Clause::of(&mention.text, id, vec![value.clone()], format!("{id}{value}"), condition));
                if wanted.intent != Intent::Grade {
                    wanted.quantities.retain(|other| *other != quantity);
                }
            }
        }
        Ok(())
    }

    /// A source that grades the classes says who says it, and selects none of them; it is told among what was read.
    fn leave_who_grades(&mut self, clauses: &mut Vec<Clause>) -> Result<(), QueryError> {
        let classes: Vec<HardwareClassRecord> = self.stores.database.entities()?;
        let is_grader =
            |id: &String| classes.iter().any(|class| class.grades.values().any(|grade| grade.source.as_str() == id));
        for clause in std::mem::take(clauses) {
            let of_sources = clause.plain_kind() == Some(Facet::Source.key());
            let grades =
                of_sources && clause.readings.iter().any(|reading| reading.read_as.values.iter().any(is_grader));
            match clause.readings.first().filter(|_| grades) {
                Some(reading) => self.asides.push(reading.read_as.clone()),
                None => clauses.push(clause),
            }
        }
        Ok(())
    }

    /// What entities that are listed must be like.
    pub(super) fn complete_list(
        &mut self,
        clauses: &mut Vec<Clause>,
        wanted: &mut Wanted,
        hints: &Hints,
    ) -> Result<(), QueryError> {
        if self.list_surveys(clauses, wanted, hints)? {
            return Ok(());
        }
        if hints.has(Cue::Newest) && self.sort.is_none() {
            self.sort = SortOrder::by(Aspect::Field(Field::Date), true);
        }
        let is_oldest = self.superlative.as_ref().is_some_and(|(text, _)| text.eq_ignore_ascii_case("oldest"));
        if is_oldest && wanted.candidates == Some(Aspect::Source) && self.sort.is_none() {
            self.sort = SortOrder::by(Aspect::Field(Field::Date), false);
        }
        if hints.has(Cue::LowPower) && self.sort.is_none() {
            self.sort = SortOrder::by(Aspect::Fact(Fact::Tdp), false);
            wanted.quantities.push(Quantity::Fact(Fact::Tdp));
        }
        if wanted.candidates == Some(Aspect::Field(Field::Device)) {
            self.able_devices(clauses, wanted, hints)?;
        }
        self.require_facts(clauses, wanted, hints)?;
        self.over_all_rows(clauses, wanted, hints)?;
        // `frameworks that do multi gpu and have a java api`: whether they do is not kept, and what ran on several is.
        let several = hints.carried.iter().find(|(_, carried)| *carried == Carried::SeveralDevices);
        if let Some((text, _)) = several
            && matches!(self.about, Some((_, EntityKind::Framework)))
        {
            self.notes.push(Note::NotKept { text: plain_words(text), instead: true });
            wanted.each_of.push(Clause { text: text.clone(), ..self.several_devices(&[text.as_str()])? });
        }
        if !matches!(self.about, Some((_, EntityKind::Framework))) {
            return Ok(());
        }
        let surveyed = hints.has(Cue::Survey);
        let described = |clause: &Clause| match kind_of(clause) {
            "source" => surveyed,
            kind => !matches!(kind, "device" | "precision" | "instance"),
        };
        if !clauses.iter().all(described) {
            return Ok(());
        }
        // Frameworks are looked for, not their runs: what they are used for is none of their facts.
        clauses.retain(|clause| !matches!(kind_of(clause), "stage"));
        for (cue, word, values) in [
            (Cue::Maintained, "maintained", &["mature", "developing"][..]),
            (Cue::Abandoned, "abandoned", &["inactive"]),
        ] {
            if hints.has(cue) {
                let values = values.iter().map(|value| (*value).to_owned()).collect();
                clauses.push(self.facet_clause(word, Facet::Maturity, values, "alias")?);
            }
        }
        // A survey says of each framework that it reports on whether it has what is asked for.
        if let Some((text, _)) = hints.turns.iter().find(|(_, cue)| *cue == Cue::Survey) {
            let is_of_status = |clause: &Clause| kind_of(clause) == Facet::Maturity.key() && !clause.is_excluded();
            let named = clauses.iter().filter(|clause| is_of_status(clause)).flat_map(|clause| &clause.readings);
            let values = named.flat_map(|reading| &reading.read_as.values);
            let statuses: Vec<FrameworkStatus> = values.filter_map(|value| value.parse().ok()).collect();
            clauses.retain(|clause| kind_of(clause) != Facet::Source.key() && !is_of_status(clause));
            let surveyed = self.surveyed(text, &statuses)?;
            if !statuses.is_empty() {
                wanted.leads.extend(self.statuses_of_today(&surveyed)?);
            }
            clauses.push(surveyed);
        } else if wanted.quantities.contains(&Quantity::Fact(Fact::MultiServer)) {
            clauses.push(self.facet_clause("multi-server", Facet::MultiServer, vec!["yes".to_owned()], "alias")?);
        }
        for (facet, fact) in [(Facet::Network, Fact::TestedNetwork), (Facet::Dataset, Fact::TestedDataset)] {
            for clause in clauses.iter_mut().filter(|clause| kind_of(clause) == facet.key()) {
                let Condition::Facet(_, ids) = &clause.condition else { continue };
                let ids = ids.clone();
                *clause = self.tested_on(&clause.text, fact, ids)?;
            }
        }
        Ok(())
    }
}

/// The rows that state any of some metrics, in the words that ask for these.
fn metric_clause(keys: Vec<String>, condition: Condition, hints: &Hints) -> Clause {
    let telling = hints.mentions.iter().filter(|mention| !mention.asked.needs_precision());
    let text = telling.map(|mention| mention.text.as_str()).collect::<Vec<_>>().join(", ");
    let equivalent = filter_text(Facet::Metric, &keys);
    Clause::of(&text, Facet::Metric.key(), keys, equivalent, condition)
}
