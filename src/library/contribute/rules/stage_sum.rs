//! A step that is not its passes.

use std::collections::HashMap;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Metric, Severity};
use crate::values::Stage;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(415),
    title: "a step that is not its passes",
    severity: Severity::Error,
    page: "Where a source times the forward pass, the backward pass and a training step of one setting, the step takes as long as both passes together, within a tenth. One of the three has a digit too many or too few, or is of another row.",
    sample: Sample::edited(
        "measurements/imagined-2018/matrix.toml",
        r#"["deepnet-50", "NHWC", 34.0],"#,
        r#"["deepnet-50", "NHWC", 34.0],
]

[[table]]
columns = ["network", "stage", "layout", "latency-ms"]
rows = [
  ["deepnet-34", "forward", "NCHW", 44.0],
  ["deepnet-34", "backward", "NCHW", 90.0],
  ["deepnet-34", "train", "NCHW", 180.0],"#,
    ),
    check: Check::Rows(find),
};

/// Between the passes hardly any time is spent: of 225 such steps in the repository's knowledge base each is within 3 %.
const WITHIN: f64 = 1.1;

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut groups: HashMap<u64, Vec<(usize, Stage, f64)>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        let measurement = row.get();
        let latency = measurement.metric(Metric::LatencyMs).map(|value| value.value());
        if let (Some(stage @ (Stage::Forward | Stage::Backward | Stage::Train)), Some(latency)) =
            (measurement.stage(), latency)
            && context.is_claimed(measurement)
        {
            let setting = context.setting_but_for(at, &[Field::Stage, Field::Timed]);
            groups.entry(setting).or_default().push((at, stage, latency));
        }
    }
    let mut told: Vec<[usize; 3]> = Vec::new();
    for members in groups.into_values().filter(|members| members.len() == 3) {
        let of = |wanted: Stage| members.iter().find(|(_, stage, _)| *stage == wanted);
        let (Some(step), Some(forward), Some(backward)) = (of(Stage::Train), of(Stage::Forward), of(Stage::Backward))
        else {
            continue;
        };
        let ratio = step.2 / (forward.2 + backward.2);
        if !(1.0 / WITHIN..=WITHIN).contains(&ratio) {
            told.push([step.0, forward.0, backward.0]);
        }
    }
    told.sort_unstable();
    for [step, forward, backward] in told {
        let latency = |at: usize| rows[at].get().metric(Metric::LatencyMs).map_or(0.0, |value| value.value());
        let row = IndexedRow { at: step, row: &rows[step] };
        let message = format!(
            "a step of {} ms, where forward takes {} ms and backward {} ms",
            latency(step),
            latency(forward),
            latency(backward)
        );
        found
            .in_row(&row, Metric::LatencyMs.key(), message, "not the sum of its passes")
            .related(&rows[forward], "the forward pass")
            .related(&rows[backward], "the backward pass");
    }
}
