//! Compares two sides by all comparable evidence, including what each was measured against.

use std::collections::HashSet;

use super::effects::{Contenders, EvidenceScope, Net, SIDES, under_load};
use super::key::subjects_of;
use super::measure::{ShareKey, ShareKeys};
use super::outcome::{Entry, Outcome, Remark, SPEED_UP, Subjects};
use super::plan::hits_of;
use super::ranking::identity_of;
use super::ratio::Comparison;
use crate::ask::hits::{HitColumns, PartNumbers};
use crate::ask::parse::{Filter, Question, Result};
use crate::model::{Aspect, Field};
use crate::values::Unit;

/// An indirect ratio is dropped if its interval extends by more than this factor.
const WIDEST: f64 = 3.0;

/// With this many matched pairs, the pairs are the answer; other evidence is reported beside them.
const ENOUGH_PAIRS: usize = 5;

/// Adds the ratio by all evidence. It is the answer if no setting has both sides, otherwise it is reported beside the pairs.
pub(super) fn add(of_pairs: &Comparison<'_>, question: &Question, outcome: &mut Outcome) -> Result<()> {
    let Comparison { stores, values, varied, by, .. } = *of_pairs;
    // Accuracies and other fractions do not follow the multiplicative model.
    let is_share = by.metrics().iter().any(|metric| metric.unit() == Unit::Fraction);
    let ([own, other], [field], false) = (question.sides.as_slice(), varied, is_share) else {
        return Ok(());
    };
    let asked = hits_of(stores, values, &question.subject, by)?;
    let scope = EvidenceScope::of(stores, values, &question.subject, question.reach, &asked)?;
    let evidence = hits_of(stores, values, &scope.filter, by)?;
    let rows_of = |side: &Filter| hits_of(stores, values, &scope.filter.and(side), by);
    let sides = [rows_of(own)?, rows_of(other)?];
    let keys = ShareKeys::of(values, &identity_of(Aspect::Field(*field)));
    let candidate = |row: u64, parts: &PartNumbers| match (sides[0].contains(row), sides[1].contains(row)) {
        // A row of both sides says nothing about either.
        (true, true) => None,
        (true, false) => Some(SIDES[0]),
        (false, true) => Some(SIDES[1]),
        (false, false) => (values.number(*field, parts) > 0).then(|| keys.key(parts)),
    };
    // As in a ranking, a device with small batches is another candidate than the device at full load.
    let by_load = *field == Field::Device;
    let contenders = Contenders { values, varied, candidate: &candidate, with_single: false, by_load };
    let metrics = by.metrics();
    let net = Net::of(stores, &contenders, (&evidence, &metrics))?;
    let (mix, _) = net.mix_of_rows(|row| asked.contains(row));
    let loads: &[Option<bool>] = if by_load { &[Some(false), Some(true)] } else { &[None] };
    let estimated = loads.iter().find_map(|is_light| {
        let number = |side: &ShareKey| net.candidates.get_index_of(&under_load(side, *is_light));
        let [own, other] = [number(&SIDES[0])? as u32, number(&SIDES[1])? as u32];
        Some((own, other, net.model.ratio(own, other, &mix)?))
    });
    let Some((own, other, estimate)) = estimated else { return Ok(()) };
    let of = |side: u32| net.observations.iter().filter(move |one| one.candidate == side);
    let [with, with_other] = [own, other].map(|side| of(side).map(|one| one.setting).collect::<HashSet<u32>>());
    let shared = with.intersection(&with_other).count();
    let (first, second) = (subjects_of(&question.sides[0]), subjects_of(&question.sides[1]));
    // Use the direction of the headline; without one, the better side is the subject.
    let headline = outcome.entries.first().filter(|entry| entry.quantity == SPEED_UP);
    let turned = headline.map_or(estimate.log < 0.0, |headline| headline.subjects == second);
    let [ratio, low, high] = estimate.ratio();
    let (ratio, low, high) = if turned { (ratio.recip(), high.recip(), low.recip()) } else { (ratio, low, high) };
    if high / ratio > WIDEST {
        return Ok(());
    }
    let evidence_remark = net.evidence_remark(scope, 0);
    let (subjects, baseline): (Subjects, Subjects) = if turned { (second, first) } else { (first, second) };
    let entry = Entry::evidence_ratio(subjects, baseline, [ratio, low, high], by.key());
    let entry = Entry { n: shared, is_decided: estimate.is_decided(), of_all_evidence: true, ..entry };
    match outcome.entries.first_mut().filter(|headline| headline.quantity == SPEED_UP) {
        Some(headline) => {
            let of_pairs = headline.number().unwrap_or(ratio);
            let same_direction = (of_pairs > 1.0) == (ratio > 1.0);
            let is_outside = of_pairs < low || of_pairs > high;
            let contradicts = is_outside || !same_direction && entry.is_decided;
            // A few pairs do not outweigh what all others imply; other evidence may decide what the pairs leave open.
            let is_open = headline.low.is_some_and(|low| low < 1.0) && headline.high.is_some_and(|high| high > 1.0);
            let decides = same_direction && entry.is_decided && !is_outside;
            // The pairs come from one source and decide, but the evidence of several measurers does not.
            let measurers: HashSet<u32> = of(own).chain(of(other)).map(|one| one.measurer).collect();
            let by_one = headline.is_decided && headline.sources.len() == 1;
            let is_left_open = by_one && !entry.is_decided && measurers.len() > 1;
            let leads = headline.n < ENOUGH_PAIRS && (contradicts || is_open && decides);
            let beside = leads || contradicts || is_open && decides || is_left_open;
            let holds = same_direction || !contradicts || headline.n >= ENOUGH_PAIRS;
            headline.is_decided = headline.is_decided && holds || decides;
            outcome.remarks.push(Remark::AllEvidence { entry: Box::new(entry), beside, leads });
        }
        None => {
            let counts = |hit: usize| values.is_in_good_standing(&asked.parts(hit)) && asked.has_any(hit, &metrics);
            let lacks = |hits: &HitColumns| !(0..asked.len()).any(|hit| counts(hit) && hits.contains(asked.row(hit)));
            let lacking: Vec<usize> = (0..2).filter(|side| lacks(&sides[*side])).collect();
            // Without a row on either side there is nothing to conclude.
            if lacking.len() == 2 {
                return Ok(());
            }
            outcome.remarks.retain(|remark| !matches!(remark, Remark::NoPair { .. }));
            outcome.entries.insert(0, entry);
            outcome.remarks.insert(0, Remark::Indirect);
            for side in lacking {
                let (filter, alone) = (question.sides[side].clone(), sides[side].len());
                outcome.remarks.insert(0, Remark::NoRow { side: filter, alone });
            }
        }
    }
    outcome.remarks.push(evidence_remark);
    Ok(())
}
