//! A value that contradicts what others measured: of the same, or of the same device and in the same setting.

use std::collections::{HashMap, HashSet};

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(416),
    title: "a value that contradicts what others measured",
    severity: Severity::Warning,
    page: "Only `dlbench check --contradictions` asks, most usefully of the files that are new: `dlbench check --contradictions measurements/my-source`. Two who are independent of each other measured the same configuration, and their values lie farther apart than repetitions, the circumstances that both state and their dispersions explain; `dlbench evidence --contradictions` tells how that is made out. Or the value is more than three times, and more than 9 of 10 new measurements would be, from what the other devices of its setting and all other evidence on its device predict.\n\nLook at the row first: a wrong unit, a count of another thing, a batch of all devices, a percentile taken for a mean. Where the row says what its source says, what differs is worth a note; nothing else need be done, and nobody has to be right.",
    sample: Sample::edited(
        "measurements/imagined-2018/matrix.toml",
        r#"["deepnet-50", "NHWC", 34.0]"#,
        r#"["deepnet-50", "HWCN", 34.0]"#,
    ),
    check: Check::Evidence(find),
};

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let Some(contradictions) = &context.options.contradictions else { return };
    let rows: HashMap<&str, usize> =
        context.loaded.rows.iter().enumerate().map(|(at, row)| (row.get().id(), at)).collect();
    let mut known: HashSet<(&str, &str)> = HashSet::new();
    for told in contradictions {
        let other = told.other.as_deref().unwrap_or_default();
        // A pair is told once, where both of its rows were asked for.
        if !known.insert((&told.row, other)) || known.contains(&(other, told.row.as_str())) {
            continue;
        }
        let row_of = |id: &str| rows.get(id).map(|at| IndexedRow { at: *at, row: &context.loaded.rows[*at] });
        let Some(row) = row_of(&told.row) else { continue };
        let message = match &told.other {
            Some(other) => format!(
                "{} has a {} of {}, {other} of {}: {} times apart, where {} would be usual",
                told.row, told.metric, told.value, told.other_value, told.factor, told.usual
            ),
            None => format!(
                "{} has a {} of {}, {} times from the {} that its setting and its device predict, where {} would be usual",
                told.row, told.metric, told.value, told.factor, told.other_value, told.usual
            ),
        };
        let finding = found.in_row(&row, &told.metric, message, "contradicts what others measured");
        finding.help(match told.differs.as_str() {
            differs if told.other.is_none() => format!("{differs}; see whether the row says what its source says"),
            "" => "nothing that both state differs; see whether the row says what its source says".to_owned(),
            differs => format!("what differs: {differs}; see whether the row says what its source says"),
        });
        if let Some(other) = row_of(other) {
            finding.related(other.row, "the other row");
        }
    }
}
