//! Claims held against what was measured: the page of all of them, effects recomputed from their pairs, and claims whose verdict
//! a person knows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use boon::{Compiler, Schemas};
use serde_json::Value;

use crate::{Dlbench, REPOSITORY};

const PAGE: &str = "src/acceptance/EVIDENCE.md";

/// What stands above the table.
const ABOVE: &str = "\
# Evidence

Every grade of hardware classes, every fact of frameworks and every figure that a survey states, held against what was measured:
by the rows up to the claim's year (`then`) and by those since. How each metric is made a number, and what that leaves out, stands
in `catalog/evidence.toml`; `dlbench evidence CLAIM --explain` tells the pairs behind a verdict. Places are tables and sections of
the survey: no copy of it that could be read has page numbers. `make docs` writes this page from `dlbench evidence -f markdown`.

";

/// What stands above the second table.
const CHANCE: &str = "\n## By chance\n\nHow often chance alone would give these verdicts: the real pairs, with directions exchanged at random.\n\n";

/// Claims that a person made up or took from what everybody knows, and claims as they stand in public texts, each with the verdict
/// that it should get.
const LABELLED: &str = include_str!("claims.tsv");

#[test]
fn the_page_of_evidence_among_the_documents_is_current() {
    let path = Path::new(REPOSITORY).join(PAGE);
    let page = fs::read_to_string(&path).unwrap_or_default();
    let dlbench = Dlbench::on(REPOSITORY);
    let current = [
        ABOVE,
        &dlbench.ok(&["evidence", "-f", "markdown"]),
        CHANCE,
        &dlbench.ok(&["evidence", "--chance=100", "-f", "markdown"]),
    ]
    .concat();
    if std::env::var_os("DLBENCH_UPDATE_DOCS").is_some() {
        fs::write(&path, current).expect("the page can be written");
    } else {
        assert!(current == page, "{PAGE} is not current: `make docs` writes it");
    }
}

#[test]
fn claims_get_the_verdict_that_a_person_gives_them() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let file = folder.path().join("claims.toml");
    let mut expected: BTreeMap<String, &str> = BTreeMap::new();
    let mut text = String::new();
    for (at, line) in LABELLED.lines().filter(|line| !line.starts_with('#')).enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [verdict, by, subject, baseline, low, high, ..] = cells[..] else { panic!("six cells: {line}") };
        let id = format!("claim-{at}");
        text.push_str(&format!(
            "[[claim]]\nid = \"{id}\"\ntext = \"made up\"\nsource = \"dai-berleant-2019\"\nyear = 2026\n"
        ));
        match by.strip_prefix("fact ") {
            Some(fact) => text.push_str(&format!("device = \"{subject}\"\nfact = \"{fact}\"\nlow = {low}\n\n")),
            None => {
                let high = if high.is_empty() { String::new() } else { format!("high = {high}\n") };
                text.push_str(&format!(
                    "subject = \"{subject}\"\nbaseline = \"{baseline}\"\nby = \"{by}\"\nlow = {low}\n{high}\n"
                ));
            }
        }
        expected.insert(id, verdict);
    }
    assert!(expected.len() >= 70, "{} claims", expected.len());
    fs::write(&file, text).expect("the claims can be written");
    let file = file.to_str().expect("a path of letters");
    let found = Dlbench::on(REPOSITORY).json(&["evidence", "--claims", file, "-f", "json"]);
    let mut wrong = Vec::new();
    for claim in found["claims"].as_array().expect("claims") {
        let (id, verdict) = (claim["id"].as_str().unwrap_or_default(), claim["verdict"].as_str().unwrap_or_default());
        if expected[id].replace(' ', "-") != verdict {
            let line = LABELLED.lines().filter(|line| !line.starts_with('#')).nth(id[6..].parse().unwrap_or(0));
            wrong.push(format!("{}: {verdict}\n  {}", line.unwrap_or_default(), claim["periods"]));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), expected.len(), wrong.join("\n"));
}

#[test]
fn with_directions_exchanged_at_random_verdicts_come_no_more_often_than_the_level() {
    let found = Dlbench::on(REPOSITORY).json(&["evidence", "--chance=100", "-f", "json"]);
    let chance = &found["by_chance"];
    let (level, shuffles) =
        (chance["level"].as_f64().expect("a level"), chance["shuffles"].as_f64().expect("a number"));
    let rates = chance["rates"].as_array().expect("rates");
    let metrics: BTreeSet<&str> = rates.iter().filter_map(|rate| rate["metric"].as_str()).collect();
    assert!(rates.len() >= 8 && metrics.len() >= 5, "{metrics:?}: {rates:#?}");
    let of = |rate: &Value| {
        let share = |key: &str| rate[key].as_f64().expect("a share");
        share("supported") + share("contradicted")
    };
    let all = rates.iter().map(of).sum::<f64>() / rates.len() as f64;
    assert!(all <= level, "{all} of all exchanges give a verdict");
    // Three standard deviations of a single rate above the level.
    let most = level + 3.0 * (level * (1.0 - level) / shuffles).sqrt();
    for rate in rates {
        assert!(of(rate) <= most, "{most}: {rate:#}");
    }
}

#[test]
fn an_effect_follows_from_its_pairs_and_these_from_rows_of_one_network() {
    let dlbench = Dlbench::on(REPOSITORY);
    let schema: Value = serde_json::from_str(&dlbench.ok(&["evidence", "--schema"])).expect("a schema");
    let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
    compiler.add_resource("evidence.json", schema).expect("a schema");
    let schema = compiler.compile("evidence.json", &mut schemas).expect("a schema");
    let found = dlbench.json(&["evidence", "asic/computing-performance", "--explain", "-f", "json"]);
    assert_eq!(schemas.validate(&found, schema).err().map(|error| error.to_string()), None);
    let mut recomputed = 0;
    for comparison in found["claims"][0]["periods"]
        .as_array()
        .expect("periods")
        .iter()
        .flat_map(|period| period["comparisons"].as_array().expect("comparisons"))
    {
        let Some(details) = comparison["details"].as_array() else { continue };
        let mut networks: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for pair in details {
            let (own, other) =
                (pair["subject"].as_f64().expect("a value"), pair["baseline"].as_f64().expect("a value"));
            networks.entry(pair["unit"].as_str().expect("a network")).or_default().push((own / other).ln());
        }
        let means = networks.values().map(|logs| logs.iter().sum::<f64>() / logs.len() as f64);
        let mean = (means.sum::<f64>() / networks.len() as f64).exp();
        let effect = comparison["effect"].as_f64().expect("an effect");
        assert!((mean / effect - 1.0).abs() < 0.002, "{mean} against {effect}");
        assert_eq!(comparison["units"], networks.len());
        recomputed += 1;
        let first = &details[0];
        let ids = first["measurements"].as_array().expect("rows");
        let rows: Vec<Value> =
            ids.iter().map(|id| dlbench.json(&["show", id.as_str().expect("an id"), "-f", "json"])).collect();
        for key in ["network", "stage", "scenario", "counts", "input_shape", "device_count"] {
            assert_eq!(rows[0][key], rows[1][key], "{key}: {first}");
        }
        assert_eq!(rows[0]["network"], first["unit"]);
    }
    assert!(recomputed >= 3, "{recomputed}");
}

#[test]
fn a_measurement_is_graded_by_what_it_states_and_files_do_not_state_the_grade() {
    let kb = crate::KbCopy::new();
    let dlbench = kb.dlbench();
    let total = |question: &str| dlbench.json(&["query", question, "-f", "json"])["total"].as_u64().unwrap_or(0);
    let of_each: Vec<u64> = ["a", "b", "c", "d"].iter().map(|grade| total(&format!("evidence:{grade}"))).collect();
    assert_eq!(of_each.iter().sum::<u64>(), total("source:imagined-2018,invented-2020"));
    assert_eq!(total("evidence>=b"), of_each[0] + of_each[1]);
    assert_eq!(total("evidence:c..d"), of_each[2] + of_each[3]);
    assert_eq!(total("-evidence:d"), of_each.iter().sum::<u64>() - of_each[3]);

    // Ten samples of a forward pass under conditions that another framework was measured under, too.
    let row = &dlbench.json(&["query", "nova-100 eval fp16 firelight batch:16", "-f", "json"])["measurements"][0];
    assert_eq!(
        (&row["evidence"], &row["evidence_lacks"]),
        (&"b".into(), &"code, environment, spread".into()),
        "{row:#}"
    );
    let told = dlbench.ok(&["query", "nova-100 eval", "--columns", "network,evidence,evidence-lacks", "-f", "csv"]);
    assert!(told.contains("\"code, environment, spread\""), "{told}");
    let rule = dlbench.ok(&["explain", "evidence"]);
    assert!(rule.contains("same-conditions") && rule.contains("`a`: 7 of 8"), "{rule}");
    let wrong = dlbench.run(&["query", "evidence:e"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("did you mean `a`, `b`, `c` or `d`?"), "{}", wrong.stderr);

    let batch = include_str!("kb/measurements/invented-2020/nova.toml");
    kb.write(
        "measurements/invented-2020/nova.toml",
        batch.replacen("[defaults]\n", "[defaults]\nevidence = \"a\"\n", 1),
    );
    let refused = dlbench.run(&["check"]);
    assert!(refused.code == 1 && refused.stdout.contains("evidence"), "{}", refused.stdout);
}
