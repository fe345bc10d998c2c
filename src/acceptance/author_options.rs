//! A table as its author wants it: groups of rows, how far samples lie apart in columns of its own, digits, multiples of units, own
//! names, an own order and shaded cells, in `query`, `compare` and `table` alike.

use crate::latex::read;
use crate::{Dlbench, KbCopy};

/// Rows of two frameworks at two stages, with the dispersion of some.
fn with_spreads() -> KbCopy {
    let kb = KbCopy::new();
    let mut rows = String::new();
    for (framework, stage, latency, spread) in [
        ("firelight", "eval", "10.25", "std-deviation = 0.51"),
        ("gridflow", "eval", "11.50", "std-deviation = 0.25"),
        ("firelight", "train", "40.00", "lowest = 39.0\nhighest = 42.5"),
        ("gridflow", "train", "32.00", ""),
    ] {
        rows.push_str(&format!(
            "\n[[run]]\nframework = \"{framework}\"\nframework-version = \"7\"\nstage = \"{stage}\"\nprecision = \"bf16\"\nbatch-size = 16\nlatency-ms = {latency}\n{spread}\n"
        ));
    }
    kb.append("measurements/invented-2020/nova.toml", &rows);
    kb
}

const COMPARED: &[&str] = &["compare", "bf16", "--rows", "framework", "--cols", "stage", "--metric", "latency"];

/// The lines of a text that hold cells, without blanks at their ends.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect()
}

#[test]
fn how_far_samples_lie_apart_has_columns_of_its_own() {
    let kb = with_spreads();
    let asked = |more: &[&str]| kb.dlbench().ok(&[COMPARED, &["--cells", "value,spread"], more].concat());
    let csv = asked(&["-f", "csv"]);
    // Behind the values stands what traces them.
    for (line, begins) in lines(&csv).iter().zip([
        "framework,eval latency [ms],eval ± [ms],train latency [ms],train spread [ms],eval latency id,",
        "Firelight,10.25,0.51,40.00,39–42.5,",
        "Gridflow,11.50,0.25,32.00,,",
    ]) {
        assert!(line.starts_with(begins), "{csv}");
    }
    let text = asked(&[]);
    assert!(text.contains("0.51") && !text.contains("±0.51") && text.contains("39.00–42.50"), "{text}");
    assert!(text.contains("standard deviation of the samples"), "{text}");
    let tex = asked(&["-f", "latex"]);
    let set = read(&tex).unwrap_or_else(|mistake| panic!("{mistake}: {tex}"));
    assert!(set.numbers.contains(&"0.51".to_owned()), "{tex}");
    // Without that column it stands beside the value.
    let beside = kb.dlbench().ok(COMPARED);
    assert!(beside.contains("±0.51") && beside.contains("(39.00–42.50)"), "{beside}");
}

#[test]
fn rows_stand_in_groups_under_what_they_share() {
    let kb = with_spreads();
    let asked = ["compare", "bf16", "--rows", "framework", "--group-by", "stage", "--metric", "latency"];
    let text = kb.dlbench().ok(&asked);
    let order: Vec<usize> = ["eval", "Firelight", "train"]
        .iter()
        .map(|word| lines(&text).iter().position(|line| line.trim_start().starts_with(word)).expect("a line"))
        .collect();
    assert!(order.is_sorted(), "{text}");
    let tex = kb.dlbench().ok(&[&asked[..], &["-f", "latex"]].concat());
    assert!(tex.contains("\\textit{train}") && !tex.contains("stage &"), "{tex}");
    // A program gets a column; each group has its best.
    let csv = kb.dlbench().ok(&[&asked[..], &["-f", "csv"]].concat());
    assert!(csv.starts_with("stage,framework,"), "{csv}");
    let json = kb.dlbench().json(&[&asked[..], &["-f", "json"]].concat());
    assert_eq!(json["rows_by"], serde_json::json!(["stage", "framework"]));
    let best = json["cells"].as_array().expect("rows").iter().map(|row| row[0]["best"].as_bool().expect("a flag"));
    assert_eq!(best.filter(|best| *best).count(), 2, "{json}");
    let table = kb.dlbench().ok(&["table", "devices", "--columns", "device,class,memory", "--group-by", "class"]);
    assert!(lines(&table).iter().any(|line| line.trim() == "gpu") && !table.contains("class"), "{table}");
    let refused = kb.dlbench().run(&["table", "devices", "--group-by", "zebra"]);
    assert!(refused.code == 2 && refused.stderr.contains("no column `zebra`"), "{}", refused.stderr);
}

#[test]
fn digits_multiples_names_and_order_are_the_authors() {
    let kb = with_spreads();
    let dlbench = kb.dlbench();
    let own = ["--digits", "2", "--order", "gridflow", "--label-of", "gridflow=GF", "--label-of", "firelight=Fire"];
    let compared = dlbench.ok(&[COMPARED, &own[..], &["-f", "markdown"]].concat());
    let rows: Vec<&str> = lines(&compared).into_iter().filter(|line| line.starts_with("| ")).collect();
    assert!(rows[rows.len() - 2].starts_with("| GF | 12"), "{compared}");
    let scaled = dlbench.ok(&[COMPARED, &["--scale", "k"]].concat());
    assert!(scaled.contains("[s]") && scaled.contains("0.01025 ±0.00051"), "{scaled}");
    let queried = dlbench.ok(&[&["query", "bf16 stage:eval"], &own[..]].concat());
    let begins = |word: &str| lines(&queried).iter().position(|line| line.starts_with(word)).expect("a row");
    assert!(begins("GF 7") < begins("Fire 7") && queried.contains("figures are rounded"), "{queried}");
    assert!(lines(&queried)[begins("Fire 7")].contains(" 10"), "{queried}");
    let table =
        dlbench.ok(&["table", "devices", "--order", "loom weave 9", "--label-of", "loom-weave-9=Weave", "-f", "csv"]);
    assert!(lines(&table)[1].starts_with("Weave,"), "{table}");
    // What one format cannot have is refused, not passed over.
    for args in
        [&["query", "bf16", "--digits", "2", "-f", "csv"][..], &["table", "devices", "--digits", "2", "-f", "json"]]
    {
        assert_eq!(dlbench.run(args).code, 2, "{args:?}");
    }
}

#[test]
fn a_shade_is_as_dark_as_its_value_is_near_the_best_that_it_can_be_compared_with() {
    let kb = with_spreads();
    let dlbench = kb.dlbench();
    let shades = |tex: &str| -> Vec<u8> {
        let grounds = tex.split("\\cellcolor{black!").skip(1);
        grounds.map(|rest| rest.split('}').next().expect("an end").parse().expect("percent")).collect()
    };
    let tex = dlbench.ok(&[COMPARED, &["--shade", "-f", "latex"]].concat());
    read(&tex).unwrap_or_else(|mistake| panic!("{mistake}: {tex}"));
    // 10.25 of 10.25 ms and 32 of 40 in the first row, then 10.25 of 11.5 and 32 of 32.
    assert_eq!(shades(&tex), [30, 24, 27, 30], "{tex}");
    assert!(tex.contains("colortbl") && tex.contains("Shaded: the darker"), "{tex}");
    // What is ranked with nothing has no ground.
    let unlike = ["compare", "deepnet50", "--rows", "framework", "--metric", "latency", "--shade", "-f", "latex"];
    assert!(shades(&dlbench.ok(&unlike)).is_empty(), "differing stages");
    let typst = dlbench.ok(&[COMPARED, &["--shade", "-f", "typst"]].concat());
    assert_eq!(typst.matches("table.cell(fill: luma(").count(), 4, "{typst}");
    let grades = dlbench.ok(&["table", "hardware", "--shade", "-f", "latex"]);
    assert!(
        shades(&grades).iter().all(|shade| [8, 15, 23, 30].contains(shade)) && !shades(&grades).is_empty(),
        "{grades}"
    );
    for args in [&["table", "devices", "--shade", "-f", "latex"][..], &["table", "hardware", "--shade"]] {
        assert_eq!(dlbench.run(args).code, 2, "{args:?}");
    }
}

#[test]
fn what_a_table_was_made_with_stands_in_its_first_line() {
    let asked =
        ["compare", "deepnet50 fp16 eval", "--rows", "framework", "--digits", "2", "--cells", "value", "-f", "latex"];
    let tex = Dlbench::on_miniature().ok(&asked);
    assert!(
        tex.lines().next().is_some_and(|line| line.contains("--cells value") && line.contains("--digits 2")),
        "{tex}"
    );
}
