//! A value that contradicts what another source measured of the same.

use std::collections::{HashMap, HashSet};

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Severity};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(416),
    title: "a value that contradicts another source",
    severity: Severity::Warning,
    page: "Only `dlbench check --contradictions` asks, most usefully of the files that are new: `dlbench check --contradictions measurements/my-source`. Two who are independent of each other measured the same configuration, and their values lie farther apart than repetitions, the circumstances that both state and their dispersions explain; `dlbench evidence --contradictions` tells how that is made out.\n\nLook at the row first: a wrong unit, a count of another thing, a batch of all devices, a percentile taken for a mean. Where the row says what its source says, what differs is worth a note; nothing else need be done, and nobody has to be right.",
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
        // A pair is told once, where both of its rows were asked for.
        if !known.insert((&told.row, &told.other)) || known.contains(&(told.other.as_str(), told.row.as_str())) {
            continue;
        }
        let row_of = |id: &str| rows.get(id).map(|at| IndexedRow { at: *at, row: &context.loaded.rows[*at] });
        let Some(row) = row_of(&told.row) else { continue };
        let message = format!(
            "{} has a {} of {}, {} of {}: {} times apart, where {} would be usual",
            told.row, told.metric, told.value, told.other, told.other_value, told.factor, told.usual
        );
        let finding = found.in_row(&row, &told.metric, message, "contradicts another source");
        finding.help(match told.differs.as_str() {
            "" => "nothing that both state differs; see whether the row says what its source says".to_owned(),
            differs => format!("what differs: {differs}; see whether the row says what its source says"),
        });
        if let Some(other) = row_of(&told.other) {
            finding.related(other.row, "the other row");
        }
    }
}
