//! The answer as a document: Markdown, HTML, LaTeX.

use super::super::table::{Paper, Table, html_escaped, latex_comment, markdown_escaped, recorded, typst_escaped};
use super::conclusion;
use super::counts;
use super::facts::{cited_sources, cited_sources_by_id, fact_tables};
use super::layout::Numbers;
use super::view::AnswerView;
use crate::ask::answer::Answer;
use crate::values::text::counted;

/// What the first lines of a document record of an answer; `content` is the hash of the knowledge base.
pub fn about(answer: &Answer, content: &str) -> Vec<String> {
    vec![
        format!("dlbench query: {}", answer.query),
        format!("canonical question: {}", answer.question),
        format!("content of the knowledge base: {content}"),
    ]
}

/// All of it in Markdown.
pub fn markdown(answer: &Answer, view: &AnswerView, about: &[String]) -> String {
    let numbers = Numbers::of(answer, view);
    let mut text = recorded(about);
    let title = view.caption.as_deref().unwrap_or(&answer.query);
    text.push_str(&format!("**{}**\n", markdown_escaped(title)));
    for sentence in conclusion::sentences(answer) {
        text.push_str(&format!("\n{}\n", markdown_escaped(&sentence)));
    }
    if let Some(entries) = conclusion::table(answer) {
        text.push_str(&format!("\n{}", entries.markdown()));
    }
    if counts_rows(answer) {
        text.push_str(&format!("\n{}\n", markdown_escaped(&numbers.summary())));
    }
    if !answer.measurements.is_empty() {
        text.push_str(&format!("\n{}", numbers.table().markdown()));
    }
    if let Some(facets) = &answer.facets {
        let all = counted(answer.total, "measurement", "measurements");
        text.push_str(&format!("\n### Values in all {all}\n\n{}", counts::table(facets).markdown()));
    }
    for facts in fact_tables(answer) {
        text.push_str(&format!("\n### {}\n\n{}", markdown_escaped(&facts.caption), facts.markdown()));
    }
    let sources = cited_sources(answer);
    if !sources.is_empty() {
        text.push_str("\n### Sources\n\n");
        for (number, source) in sources {
            text.push_str(&format!("{number}. {}\n", markdown_escaped(&source)));
        }
    }
    if !answer.remarks.is_empty() {
        text.push_str("\n### Notes\n\n");
        for remark in &answer.remarks {
            text.push_str(&format!("- {}\n", markdown_escaped(&remark.text)));
        }
    }
    text
}

/// All of it in HTML: a section to put into a page, or a page of its own.
pub fn html(answer: &Answer, view: &AnswerView, about: &[String], standalone: bool) -> String {
    let numbers = Numbers::of(answer, view);
    let title = view.caption.as_deref().unwrap_or(&answer.query);
    let mut text = recorded(about);
    text.push_str(&format!("<section class=\"dlbench\">\n<h2>{}</h2>\n", html_escaped(title)));
    for sentence in conclusion::sentences(answer) {
        text.push_str(&format!("<p class=\"conclusion\">{}</p>\n", html_escaped(&sentence)));
    }
    if let Some(entries) = conclusion::table(answer) {
        text.push_str(&entries.html());
    }
    if counts_rows(answer) {
        text.push_str(&format!("<p>{}</p>\n", html_escaped(&numbers.summary())));
    }
    if !answer.measurements.is_empty() {
        text.push_str(&numbers.table().html());
    }
    if let Some(facets) = &answer.facets {
        let caption = format!("Values in all {}", counted(answer.total, "measurement", "measurements"));
        text.push_str(&Table { caption, ..counts::table(facets) }.html());
    }
    for facts in fact_tables(answer) {
        text.push_str(&facts.html());
    }
    let sources = cited_sources(answer);
    if !sources.is_empty() {
        text.push_str("<h3>Sources</h3>\n<ol>\n");
        for (number, source) in sources {
            text.push_str(&format!("<li value=\"{number}\">{}</li>\n", html_escaped(&source)));
        }
        text.push_str("</ol>\n");
    }
    if !answer.remarks.is_empty() {
        text.push_str("<h3>Notes</h3>\n<ul>\n");
        for remark in &answer.remarks {
            text.push_str(&format!("<li>{}</li>\n", html_escaped(&remark.text)));
        }
        text.push_str("</ul>\n");
    }
    text.push_str(&told(about));
    if standalone { whole_page(title, &text) } else { text }
}

/// Whether rows are shown, so that it is said of how many; where nothing is concluded their number is the answer.
fn counts_rows(answer: &Answer) -> bool {
    !answer.measurements.is_empty() || answer.conclusion.text.is_empty()
}

/// The end of a section: what is recorded of it, for a reader.
fn told(about: &[String]) -> String {
    let about: Vec<String> = about.iter().map(|line| html_escaped(line)).collect();
    format!("<p><small>{}</small></p>\n</section>\n", about.join("<br>\n"))
}

/// A table with its sources in Markdown, under its caption.
pub fn sheet(table: &Table, sources: &[String], about: &[String]) -> String {
    let mut text = format!("{}**{}**\n\n{}", recorded(about), markdown_escaped(&table.caption), table.markdown());
    if !sources.is_empty() {
        text.push_str("\n### Sources\n\n");
        for (number, source) in (1..).zip(sources) {
            text.push_str(&format!("{number}. {}\n", markdown_escaped(source)));
        }
    }
    text
}

/// The rows in Typst, with what they come to and their sources.
pub fn typst_document(answer: &Answer, view: &AnswerView, about: &[String]) -> String {
    let numbers = Numbers::of(answer, view);
    let caption = view.caption.clone().unwrap_or_else(|| answer.query.clone());
    let lead: String =
        conclusion::sentences(answer).iter().map(|sentence| format!("{}\n\n", typst_escaped(sentence))).collect();
    let table = match (answer.measurements.is_empty(), conclusion::table(answer)) {
        (true, Some(entries)) => entries,
        _ => numbers.table(),
    };
    lead + &typst(&Table { caption, ..table }, cited_sources(answer), about)
}

/// A table with its sources in Typst.
pub fn typst(table: &Table, sources: impl IntoIterator<Item = (usize, String)>, about: &[String]) -> String {
    let mut text: String = about.iter().map(|line| format!("// {}\n", latex_comment(line))).collect();
    text.push_str("// over several pages: #show figure.where(kind: table): set block(breakable: true)\n");
    text.push_str(&table.typst());
    for (number, source) in sources {
        text.push_str(&format!("\n\\[{number}\\] {}\n", typst_escaped(&source)));
    }
    text
}

/// A table with its sources in HTML: a section to put into a page, or a page of its own.
pub fn page(table: &Table, sources: &[String], about: &[String], standalone: bool) -> String {
    let mut text = format!("{}<section class=\"dlbench\">\n{}", recorded(about), table.html());
    if !sources.is_empty() {
        let items = sources.iter().map(|source| format!("<li>{}</li>\n", html_escaped(source)));
        text.push_str(&format!("<h3>Sources</h3>\n<ol>\n{}</ol>\n", items.collect::<String>()));
    }
    text.push_str(&told(about));
    if standalone { whole_page(&table.caption, &text) } else { text }
}

fn whole_page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{body}</body>\n</html>\n",
        html_escaped(title)
    )
}

/// What a page of its own looks like; it reads without.
const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font-family: system-ui, sans-serif; margin: 2rem; }
table { border-collapse: collapse; margin: 1.5rem 0; display: block; overflow-x: auto; }
caption { text-align: left; font-weight: bold; padding-bottom: .4rem; }
thead th { border-bottom: 1px solid; vertical-align: bottom; }
th, td { padding: .15rem .8rem .15rem 0; text-align: left; vertical-align: top; font-weight: normal; }
thead th, th[scope=rowgroup] { font-weight: bold; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.legend { list-style: none; padding: 0; font-size: smaller; }
";

/// What the answer comes to and the numbers as tables for a paper; the facts have tables of their own (`dlbench table`).
pub fn latex(answer: &Answer, view: &AnswerView, paper: Paper) -> String {
    let paper = Paper { lead: conclusion::sentences(answer), ..paper };
    let cited = |paper: Paper| Paper { sources: cited_sources_by_id(answer), ..paper };
    let view = &AnswerView { cites: true, ..view.clone() };
    let mut table = Numbers::of(answer, view).table();
    if answer.measurements.is_empty() {
        let whole = |caption: &str| view.caption.clone().unwrap_or_else(|| format!("{}: {caption}", answer.query));
        // The catalog alone has an answer: its first table is it, unless the conclusion has one.
        if let Some(entries) = conclusion::table(answer) {
            let caption = match entries.caption.as_str() {
                "" => view.caption.clone().unwrap_or_else(|| answer.query.clone()),
                shared => whole(shared),
            };
            return Table { caption, ..entries }.latex(&cited(paper));
        }
        if let Some(facts) = fact_tables(answer).into_iter().next() {
            let caption = whole(&facts.caption);
            return Table { caption, ..facts }.latex(&paper);
        }
    }
    if view.caption.is_none() && table.caption.is_empty() {
        table.caption.clone_from(&answer.query);
    }
    table.latex(&cited(paper))
}
