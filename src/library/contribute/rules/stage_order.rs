//! Training faster than inference.

use std::collections::HashMap;

use crate::contribute::rule_interface::plausible_rate::rate;
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::values::Stage;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(412),
    title: "training faster than a part of it",
    severity: Severity::Error,
    page: "A training step holds a forward and a backward pass, so of two rows that differ in the stage only, the training is the slower one. The stages were exchanged, or one is of another batch or network.",
    sample: Sample::edited(
        "measurements/imagined-2018/matrix.toml",
        r#"["deepnet-34", "NCHW", 45.0],"#,
        r#"["deepnet-34", "NCHW", 45.0],
]

[[table]]
stage = "train"
columns = ["network", "layout", "latency-ms"]
rows = [
  ["deepnet-34", "NCHW", 20.0],"#,
    ),
    check: Check::Rows(find),
};

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut groups: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        let measurement = row.get();
        if measurement.stage().is_some()
            && rate(measurement).is_some()
            && context.has_figures(measurement)
            && context.is_claimed(measurement)
        {
            groups.entry(context.setting_but_for(at, &[Field::Stage, Field::Timed])).or_default().push(at);
        }
    }
    let mut told: Vec<(usize, usize)> = Vec::new();
    for members in groups.into_values().filter(|members| members.len() > 1) {
        let of = |stage: Stage| members.iter().copied().filter(move |at| rows[*at].get().stage() == Some(stage));
        let fastest = of(Stage::Train).max_by(|a, b| speed(context, *a).total_cmp(&speed(context, *b)));
        let Some(train) = fastest else { continue };
        let parts = [Stage::Eval, Stage::Forward, Stage::Backward].into_iter().flat_map(of);
        told.extend(
            parts.filter(|part| speed(context, train) > speed(context, *part) * SLACK).map(|part| (train, part)),
        );
    }
    told.sort_unstable();
    for (train, part) in told {
        for (at, other) in [(train, part), (part, train)] {
            let row = IndexedRow { at, row: &rows[at] };
            let stage = |at: usize| rows[at].get().stage().map(|stage| stage.to_string()).unwrap_or_default();
            let message = format!(
                "`{}` makes {:.1} a second, `{}` in the same setting {:.1}",
                stage(at),
                speed(context, at),
                stage(other),
                speed(context, other)
            );
            let key = rate(row.get()).map_or(Field::Stage.key(), |(_, key)| key);
            found
                .in_row(&row, key, message, "training takes longer than its parts")
                .beside([Field::Stage.key().into()], "or this")
                .related(&rows[other], "the other one");
        }
    }
}

/// Runs differ from each other by so much.
const SLACK: f64 = 1.5;

fn speed(context: &LintContext<'_>, at: usize) -> f64 {
    rate(context.loaded.rows[at].get()).map_or(0.0, |(rate, _)| rate)
}
