//! What was measured here: every number follows from the samples that are kept beside it.

use std::fs;
use std::path::Path;

use toml::{Table, Value};

use crate::REPOSITORY;

/// The source of what `dlbench run` measures.
pub(crate) const SOURCE: &str = "dlbench-runs";

/// Samples and numbers are rounded to five digits each.
const ROUNDING: f64 = 1e-4;

#[test]
fn measured_numbers_follow_from_their_samples() {
    let folder = Path::new(REPOSITORY).join("measurements").join(SOURCE);
    let (mut rows, mut stages) = (0, Vec::new());
    for file in fs::read_dir(&folder).expect("measured files") {
        let path = file.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("a measured file");
        let file: Table = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // One worker or several state what they are.
        let is_worker = |key: &String| key == "worker" || key.starts_with("worker-of-");
        assert!(file["environment"].as_table().is_some_and(|environment| environment.keys().any(is_worker)));
        // A run that failed has no samples.
        for run in file["run"].as_array().expect("runs").iter().filter(|run| run.get("outcome").is_none()) {
            let record = run.get("record").and_then(Value::as_table).expect("a record");
            let mut processes = processes(record);
            let mut samples = processes.concat();
            samples.sort_by(f64::total_cmp);
            processes.iter_mut().for_each(|samples| samples.sort_by(f64::total_cmp));
            let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
            let about = format!("{}: {}", path.display(), record["point"]);
            let same = |stated: &Value, sampled: f64| {
                let stated = number(stated).expect("a number");
                assert!((stated - sampled).abs() <= ROUNDING * sampled, "{about}: {stated} is not {sampled}");
            };
            same(&record["median-ms"], median(&samples));
            same(&record["minimum-ms"], samples[0]);
            same(&record["mean-ms"], mean(&samples));
            if let Some(latency) = run.get("latency-ms") {
                // Each process has a median, and the value is their mean.
                same(latency, mean(&processes.iter().map(|samples| median(samples)).collect::<Vec<_>>()));
                same(&run["lowest"], samples[0]);
                same(&run["highest"], samples[samples.len() - 1]);
                assert_eq!(run["n"].as_integer(), i64::try_from(samples.len()).ok(), "{about}");
            } else {
                // A run to its end has a sample for each epoch.
                let totals: Vec<f64> = processes.iter().map(|samples| samples.iter().sum()).collect();
                same(&Value::from(1e3 * number(&run["epoch-s"]).expect("seconds")), median(&samples));
                same(&Value::from(1e3 * number(&run["total-s"]).expect("seconds")), mean(&totals));
            }
            rows += 1;
            stages.push(run["stage"].as_str().expect("a stage").to_owned());
        }
    }
    assert!(rows >= 23, "only {rows} rows");
    for stage in ["eval", "train"] {
        assert!(stages.iter().any(|other| other == stage), "nothing was measured of {stage}");
    }
}

/// The samples of each process of a row; those of the only one stand in the record itself in files of before there were several.
fn processes(record: &Table) -> Vec<Vec<f64>> {
    let samples = |table: &Table| table["samples-ms"].as_array().expect("samples").iter().filter_map(number).collect();
    match record.get("process").and_then(Value::as_array) {
        None => vec![samples(record)],
        Some(all) => all.iter().filter_map(Value::as_table).map(samples).collect(),
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| Some(value.as_integer()? as f64))
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}
