//! Finds rows and files that differ from the entry and the other files of their source.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Measurement, Method, Severity, Source, Value};
use crate::reading::Located;
use crate::values::text::normalise;
use crate::values::{EntityKind, Statistic};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(324),
    title: "rows unlike their source",
    severity: Severity::Warning,
    page: "`[method]` of a source states the statistic, the number of timed runs and the origin of the data for its rows. Rows that state another one, while most rows of the source agree with the entry, have a neighbour's value; if they are right, the entry says so in words and excepts them; where all rows state one other value, which the description does not mention, the entry is wrong. A file whose devices, frameworks and stages (or what was timed) are all different from those of the other files of its source, and are not mentioned in the notes either, most often belongs in the folder of another source.",
    sample: Sample::edited(
        "measurements/imagined-2018/epochs.toml",
        "precision = \"fp16\"",
        "precision = \"fp16\"\nstatistic = \"median\"",
    ),
    check: Check::Rows(find),
};

/// Minimum number of rows that agree with the entry; they must also be at least as many as those that do not.
const FEWEST_AGREEING: usize = 8;

/// Minimum number of other files of a source.
const FEWEST_FILES: usize = 2;

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut sources: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, row) in rows.iter().enumerate() {
        sources.entry(row.get().source().as_str()).or_default().push(at);
    }
    for of_source in sources.values() {
        let Some(source) = context.loaded.catalog.sources.get(rows[of_source[0]].get().source()) else { continue };
        if let Some(method) = &source.method {
            unlike_method(rows, of_source, method, found);
            method_of_no_row(context, of_source, source, found);
        }
        foreign_files(rows, of_source, source, found);
    }
}

/// The values that a source's method states for fields of its rows.
fn stated(method: &Method) -> Vec<(Field, String)> {
    let iterations = method.iterations.map(|iterations| iterations.to_string());
    let all = [
        (Field::Statistic, method.statistic.clone()),
        (Field::N, iterations),
        (Field::Data, method.data.map(|data| data.to_string())),
    ];
    all.into_iter().filter_map(|(field, value)| Some((field, value?))).collect()
}

/// Reports the first row of each file whose rows contradict the method of the source.
fn unlike_method(rows: &[Located<Measurement>], of_source: &[usize], method: &Method, found: &mut Findings) {
    for (field, stated) in stated(method) {
        let mut agreeing = 0;
        let mut differing: BTreeMap<(&Path, String), Vec<usize>> = BTreeMap::new();
        for at in of_source {
            let measurement = rows[*at].get();
            let Some(own) = measurement.get(field).map(ToString::to_string) else { continue };
            // A percentile may accompany a mean, and a single sample has no statistic.
            let statistic = measurement.statistic();
            let is_other = statistic.is_some_and(|statistic| statistic == Statistic::Single || !statistic.is_middle());
            match own == stated {
                true => agreeing += 1,
                false if is_other => {}
                false => differing.entry((rows[*at].file().path.as_path(), own)).or_default().push(*at),
            }
        }
        let total: usize = differing.values().map(Vec::len).sum();
        if agreeing < FEWEST_AGREEING.max(total) {
            continue;
        }
        for ((_, own), differing) in differing {
            let row = IndexedRow { at: differing[0], row: &rows[differing[0]] };
            let others = match differing.len() - 1 {
                0 => String::new(),
                others => format!(" and in {others} more of the file"),
            };
            let message = format!(
                "`{field}` is {own} in this row{others}, and {stated} in {agreeing} rows and [method] of the source"
            );
            found.in_row(&row, field.key(), message, "another method than the source's");
        }
    }
}

/// Reports a value of the method that no row has, if all rows that state the field share another value.
fn method_of_no_row(context: &LintContext<'_>, of_source: &[usize], source: &Source, found: &mut Findings) {
    let (Some(method), Some(place)) = (&source.method, context.place(EntityKind::Source, source.id.as_str())) else {
        return;
    };
    for (field, stated) in stated(method) {
        let rows = of_source.iter().map(|at| context.loaded.rows[*at].get());
        let values: Vec<String> = rows.filter_map(|row| row.get(field)).map(ToString::to_string).collect();
        let is_other = |value: &String| *value != stated && *value == values[0];
        // The description may explain the difference.
        let words = method.description.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        let is_said = values.first().is_some_and(|value| words.clone().any(|word| word == value));
        if values.len() >= FEWEST_AGREEING && values.iter().all(is_other) && !is_said {
            let key = if field == Field::N { "iterations" } else { field.key() };
            let message = format!("`{key}` is {stated}; {} rows of `{}` have {}", values.len(), source.id, values[0]);
            let label = "contradicts every row of the source";
            found.at(place, ["method".into(), key.into()], message, label).of(&source.id);
        }
    }
}

/// Fields by which a file is recognised as part of its source.
const KNOWN_BY: &[Field] = &[Field::Device, Field::Framework, Field::Stage, Field::Timed];

/// The first row of a file, and the values of its fields.
#[derive(Default)]
struct Values<'l> {
    first: usize,
    of: BTreeMap<Field, BTreeSet<&'l str>>,
}

/// Reports files that have nothing in common with the others of their source.
fn foreign_files(rows: &[Located<Measurement>], of_source: &[usize], source: &Source, found: &mut Findings) {
    let mut files: BTreeMap<&Path, Values<'_>> = BTreeMap::new();
    for at in of_source {
        let row = &rows[*at];
        let file = files.entry(row.file().path.as_path()).or_insert_with(|| Values { first: *at, ..Values::default() });
        for field in KNOWN_BY {
            if let Some(Value::Text(value)) = row.get().get(*field) {
                file.of.entry(*field).or_default().insert(value);
            }
        }
    }
    if files.len() <= FEWEST_FILES {
        return;
    }
    let mut times: BTreeMap<(Field, &str), usize> = BTreeMap::new();
    for (field, value) in
        files.values().flat_map(|file| &file.of).flat_map(|(field, of)| of.iter().map(move |v| (*field, *v)))
    {
        *times.entry((field, value)).or_default() += 1;
    }
    let notes = normalise(source.notes.as_deref().unwrap_or_default());
    let stating = |field: Field| files.values().filter(|file| file.of.contains_key(&field)).count();
    for file in files.values() {
        let is_alone = |field: Field| {
            let own = file.of.get(&field);
            own.is_some_and(|own| own.iter().all(|value| times[&(field, *value)] == 1)) && stating(field) > FEWEST_FILES
        };
        let is_mentioned = |field: Field| file.of[&field].iter().any(|value| notes.contains(&normalise(value)));
        let by_name = [Field::Device, Field::Framework];
        let is_foreign = by_name.into_iter().all(is_alone)
            && [Field::Stage, Field::Timed].into_iter().any(is_alone)
            && !by_name.into_iter().any(is_mentioned);
        if is_foreign {
            let row = IndexedRow { at: file.first, row: &rows[file.first] };
            let names = |field: Field| file.of[&field].iter().copied().collect::<Vec<_>>().join(", ");
            let message = format!(
                "no other file of `{}` has {}, {} or what was timed here",
                source.id,
                names(Field::Device),
                names(Field::Framework)
            );
            found.in_row(&row, Field::Device.key(), message, "is the file in the folder of its source?");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::contribute::rule_interface::diagnostics;
    use crate::model::SourceFile;

    /// A path, its number of rows and their fields.
    type File<'f> = (&'f str, usize, &'f [(Field, &'static str)]);

    fn rows(files: &[File<'_>]) -> Vec<Located<Measurement>> {
        let mut rows = Vec::new();
        for (path, count, fields) in files {
            let file = Arc::new(SourceFile::new(*path, ""));
            for _ in 0..*count {
                let fields = fields.iter().map(|(field, text)| (*field, Value::Text((*text).into()))).collect();
                let measurement = Measurement::new("x".parse().unwrap(), fields, Default::default());
                rows.push(Located::new(measurement, &file, 0..0));
            }
        }
        rows
    }

    #[test]
    fn rows_have_the_statistic_of_the_method() {
        let method = Method {
            timed: None,
            warm_up: None,
            iterations: None,
            statistic: Some("median".to_owned()),
            data: None,
            description: None,
        };
        let told = |other: &'static str, count| {
            let rows = rows(&[
                ("a.toml", 12, &[(Field::Statistic, "median")]),
                ("b.toml", count, &[(Field::Statistic, other)]),
            ]);
            let mut found = Findings::new(RULE.code, RULE.severity);
            unlike_method(&rows, &(0..rows.len()).collect::<Vec<_>>(), &method, &mut found);
            diagnostics(found.into_findings()).len()
        };
        assert_eq!(told("mean", 5), 1, "one for the file");
        assert_eq!(told("mean", 50), 0, "then the entry is wrong");
        assert_eq!((told("single", 5), told("p99", 5)), (0, 0));
    }
}
