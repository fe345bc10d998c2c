//! Fp16 faster than the number formats allow.

use std::collections::HashMap;

use crate::contribute::rule_interface::plausible_rate::rate;
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, NumberFormat, Severity};
use crate::values::{EntityKind, Precision};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(407),
    title: "fp16 faster than the number formats allow",
    severity: Severity::Warning,
    page: "Two rows that differ in precision only cannot differ more in speed than the peaks of their formats do; where memory is the limit, fp16 moves half the bytes of fp32 and gains twice at most.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", "31.0, 2064.5", "5.0, 12800.0"),
    check: Check::Rows(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    let mut pairs: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        if matches!(measurement.precision(), Some(Precision::Fp32 | Precision::Fp16 | Precision::AmpFp16))
            && rate(measurement).is_some()
            && context.is_claimed(measurement)
        {
            pairs.entry(context.setting_but_for(at, &[Field::Precision])).or_default().push(at);
        }
    }
    let mut told: Vec<(usize, usize)> = Vec::new();
    for rows in pairs.into_values().filter(|rows| rows.len() > 1) {
        let is_plain = |at: &usize| context.loaded.rows[*at].get().precision() == Some(Precision::Fp32);
        let Some(plain) = rows.iter().copied().find(is_plain) else { continue };
        told.extend(rows.into_iter().filter(|at| !is_plain(at)).map(|at| (at, plain)));
    }
    told.sort_unstable();
    for (at, plain) in told {
        let [row, plain] = [at, plain].map(|at| &context.loaded.rows[at]);
        let limits = row.get().text(Field::Device).and_then(|device| context.limits.get(device));
        let Some(limits) = limits else { continue };
        let (Some((short, _)), Some(long)) = (limits.peak(Some(Precision::Fp16)), limits.rate(NumberFormat::Fp32))
        else {
            continue;
        };
        let (Some((fast, key)), Some((slow, _))) = (rate(row.get()), rate(plain.get())) else { continue };
        let (gain, most) = (fast / slow, (short / long).max(2.0));
        if gain > most * SLACK {
            let message = format!("fp16 is {gain:.1} times as fast as fp32, the formats allow {most:.1}");
            found
                .in_row(&IndexedRow { at, row }, key, message, "faster than fp16 can be")
                .related(plain, "the same in fp32")
                .rests_on(EntityKind::Device, row.get().text(Field::Device), "peak-tflops.fp16")
                .rests_on(EntityKind::Device, row.get().text(Field::Device), "peak-tflops.fp16-tensor")
                .rests_on(EntityKind::Device, row.get().text(Field::Device), "peak-tflops.fp32")
                .help("is one of them another batch, network or stage?");
        }
    }
}

/// Runs differ from each other by so much.
const SLACK: f64 = 1.25;
