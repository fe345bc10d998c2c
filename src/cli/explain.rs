//! `dlbench explain`: documentation of a check rule, the recipe keys, the worker protocol, or the grades of evidence.

use clap::Args;

use super::check::codes;
use super::failure::Failure;
use super::global::Outcome;
use super::screen::Screen;
use dlbench::contribute::recipe::RECIPE_REFERENCE;
use dlbench::contribute::rule_interface::{Rule, Sample};
use dlbench::contribute::rules::{RULES, rule};
use dlbench::model::evidence_rule;
use dlbench::render::Format;
use dlbench::render::table::Table;
use dlbench::render::{heading, paragraph};
use dlbench::values::Grid;
use dlbench::values::text::printable;
use dlbench_protocol::PROTOCOL;

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// A rule code as `dlbench check` prints it; `recipe` for the keys of an import recipe, `protocol` for the messages
    /// between a run and its worker, `evidence` for the grade of a measurement [default: list the rules]
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

pub(super) fn run(args: &ExplainArgs, screen: &Screen) -> Result<Outcome, Failure> {
    let text = match &args.code {
        None => list(RULES, screen.width())?,
        Some(name) if name == "recipe" => RECIPE_REFERENCE.to_owned(),
        Some(name) if name == "protocol" => PROTOCOL.to_owned(),
        Some(name) if name == "evidence" => evidence_rule(),
        Some(name) => match codes(std::slice::from_ref(name)) {
            Ok(codes) => {
                let pages = codes.into_iter().filter_map(rule).map(|rule| page(rule, screen.width()));
                pages.collect::<Vec<_>>().join("\n")
            }
            Err(unknown) => {
                let about = |rule: &&&Rule| rule.title.contains(&name.to_lowercase());
                let found: Vec<&Rule> = RULES.iter().filter(about).copied().collect();
                if found.is_empty() {
                    return Err(unknown);
                }
                list(&found, screen.width())?
            }
        },
    };
    screen.print(&text)?;
    Ok(Outcome::Done)
}

fn list(rules: &[&Rule], width: usize) -> Result<String, Failure> {
    let mut grid = Grid::of_texts(&["rule", "severity", "finds"]);
    for rule in rules {
        grid.push(vec![rule.code.to_string(), rule.severity.to_string(), rule.title.to_owned()]);
    }
    Ok(Table::from(&grid).draw(Format::Table, width)?)
}

fn page(rule: &Rule, width: usize) -> String {
    let mut text = heading(&format!("{} ({}): {}", rule.code, rule.severity, rule.title));
    for part in rule.page.split("\n\n") {
        text.push('\n');
        text.push_str(&paragraph("", part, width));
    }
    text.push_str(&sample(&rule.sample));
    if rule.can_be_excepted() {
        text.push_str(&format!("\n{}", heading("Right all the same? State why, in the file or in its source's entry")));
        text.push_str(&format!("\n    [[exceptions]]\n    rule = \"{}\"\n    reason = \"…\"\n", rule.code));
    }
    text
}

/// The file that fails a rule, and the differing lines of the file that passes.
fn sample(sample: &Sample) -> String {
    let [failing, passing] = [sample.failing(), sample.passing()].map(|(path, text)| format!("# {path}\n{text}"));
    let [failing, passing] = [&failing, &passing].map(|text| text.lines().collect::<Vec<_>>());
    let mut text = format!("\n{}\n", heading("Found in"));
    failing.iter().for_each(|line| push_line(&mut text, "", line));
    text.push_str(&format!("\n{}\n", heading("Not found in the same file with")));
    let [wrong, right] = differing(&failing, &passing);
    wrong.iter().for_each(|line| push_line(&mut text, "- ", line));
    right.iter().for_each(|line| push_line(&mut text, "+ ", line));
    text
}

/// The lines of each text without their common beginning and end.
fn differing<'t>(a: &'t [&'t str], b: &'t [&'t str]) -> [&'t [&'t str]; 2] {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let [a, b] = [&a[start..], &b[start..]];
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    [&a[..a.len() - end], &b[..b.len() - end]]
}

fn push_line(text: &mut String, mark: &str, line: &str) {
    text.push_str(format!("    {mark}{}", printable(line)).trim_end());
    text.push('\n');
}
