//! Tables in LaTeX that compile when pasted: booktabs, siunitx, threeparttable.

use super::content::{Cell, Column, Role, Table, TableNote};
use super::latex_escaping::{comment, escaped, label_name};
use super::write::{TableWriter, spanners};

/// What a paper says around a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Paper {
    /// What stands in comments at the top: where the table is from.
    pub about: Vec<String>,
    /// What the table comes to, a sentence each: paragraphs before it in a document of its own, else comments.
    pub lead: Vec<String>,
    /// The label, after the caption.
    pub label: Option<String>,
    /// Whether the table comes as a whole document.
    pub standalone: bool,
    /// The numbered sources, for the notes.
    pub sources: Vec<(usize, String)>,
    /// The keys of a bibliography that the table cites, in the place of the sources' own words.
    pub cite: Vec<String>,
}

/// Characters of normal size in a line of a page, and in one that is turned.
const PAGE: usize = 75;
const TURNED: usize = 120;
/// What \footnotesize adds to a line.
const SMALLER: f64 = 1.25;
/// Tables of more rows are broken over pages.
const ROWS_OF_A_PAGE: usize = 40;
/// Texts longer than this are wrapped.
const LONG_TEXT: usize = 30;

impl Paper {
    /// The table with its comments, floated or broken over pages, as a document if that is wanted.
    pub fn wrapped(&self, table: &Table, tabular: &str) -> String {
        let shape = LatexLayout::of(table);
        let mut needs = vec!["booktabs", "siunitx"];
        if !shape.long {
            needs.push("threeparttable");
        }
        match (shape.turned, shape.long) {
            (true, true) => needs.push("pdflscape"),
            (true, false) => needs.push("rotating"),
            _ => {}
        }
        if shape.long {
            needs.push("longtable");
        }
        if shape.shrunk {
            needs.push("graphicx");
        }
        let mut text = String::new();
        for line in &self.about {
            text.push_str(&format!("% {}\n", comment(line)));
        }
        let packages: String = needs.iter().map(|package| format!("\\usepackage{{{package}}}\n")).collect();
        if self.standalone {
            text.push_str("\\documentclass{article}\n\\usepackage[margin=2.5cm]{geometry}\n");
            text.push_str(&format!("{packages}\\begin{{document}}\n"));
            for sentence in &self.lead {
                text.push_str(&format!("\\noindent {}\n\n", escaped(sentence)));
            }
        } else {
            for sentence in &self.lead {
                text.push_str(&format!("% {}\n", comment(sentence)));
            }
            text.push_str(&format!("% needs \\usepackage{{{}}}\n", needs.join(",")));
        }
        text.push_str(tabular);
        if self.standalone {
            text.push_str("\\end{document}\n");
        }
        text
    }

    fn caption(&self, table: &Table) -> String {
        let label = self.label.as_deref().map(|label| format!("\\label{{{}}}", label_name(label))).unwrap_or_default();
        format!("\\caption{{{}}}{label}", escaped(&table.caption))
    }
}

pub(super) struct Latex<'p> {
    paper: &'p Paper,
    shape: LatexLayout,
    caption: String,
}

impl<'p> Latex<'p> {
    pub(super) fn of(table: &Table, paper: &'p Paper) -> Self {
        Self { paper, shape: LatexLayout::of(table), caption: paper.caption(table) }
    }
}

/// How a table is put on the page.
#[derive(Debug, Clone, Copy)]
struct LatexLayout {
    /// In small type.
    small: bool,
    /// Turned by a quarter.
    turned: bool,
    /// Scaled down, when nothing else helps.
    shrunk: bool,
    /// Broken over pages.
    long: bool,
}

impl LatexLayout {
    fn of(table: &Table) -> Self {
        let shown = table.columns.iter().enumerate().filter(|(_, column)| column.role != Role::Trace);
        let widths = shown.map(|(at, column)| {
            let cells = table
                .rows()
                .map(|row| row[at].text.chars().count() + row[at].spread.chars().count() + row[at].notes.len());
            let cells = cells.max().unwrap_or(0);
            let cells = if column.numeric { cells } else { cells.min(LONG_TEXT) };
            cells.max(column.own_title().chars().count()) + 2
        });
        let width: usize = widths.sum();
        let small = width > PAGE;
        let turned = width as f64 > PAGE as f64 * SMALLER;
        let long = table.rows().count() > ROWS_OF_A_PAGE;
        Self { small, turned, shrunk: width as f64 > TURNED as f64 * SMALLER && !long, long }
    }
}

impl TableWriter for Latex<'_> {
    fn open(&self, table: &Table) -> String {
        let mut text = String::new();
        let sizes = if self.shape.small { "\\footnotesize\n" } else { "" };
        let setup = "\\sisetup{detect-weight=true,detect-inline-weight=math,table-align-text-after=false,group-minimum-digits=20}\n";
        let columns = column_types(table);
        if self.shape.long {
            if self.shape.turned {
                text.push_str("\\begin{landscape}\n");
            }
            text.push_str(&format!(
                "\\begingroup\n{sizes}{setup}\\providecommand{{\\tnote}}[1]{{\\textsuperscript{{#1}}}}\n"
            ));
            text.push_str(&format!("\\begin{{longtable}}{{{columns}}}\n{} \\\\\n", self.caption));
        } else {
            let float = if self.shape.turned { "sidewaystable" } else { "table" };
            let part = "\\begin{threeparttable}\n";
            text.push_str(&format!("\\begin{{{float}}}\n\\centering\n"));
            text.push_str(&match self.shape.shrunk {
                true => format!("{}\n\\resizebox{{\\linewidth}}{{!}}{{%\n{part}", self.caption),
                false => format!("{part}{}\n", self.caption),
            });
            text.push_str(&format!("{sizes}{setup}\\begin{{tabular}}{{{columns}}}\n"));
        }
        text
    }

    fn header(&self, table: &Table) -> String {
        let columns: Vec<&Column> = shown(&table.columns).map(|(_, column)| column).collect();
        let headings: Vec<String> = columns
            .iter()
            .map(|column| {
                let title = escaped(&column.own_title()) + &raised(&column.notes, &table.notes);
                if column.numeric { format!("{{{title}}}") } else { row_start(&title) }
            })
            .collect();
        let over: String = spanners(&columns).iter().map(|level| spanning(level)).collect();
        let end = if self.shape.long { "\\midrule\n\\endhead\n\\bottomrule\n\\endlastfoot\n" } else { "\\midrule\n" };
        format!("\\toprule\n{over}{} \\\\\n{end}", headings.join(" & "))
    }

    fn section(&self, title: Option<&str>, at: usize, columns: &[Column]) -> String {
        let rule = if at == 0 { "" } else { "\\midrule\n" };
        let Some(title) = title else { return rule.to_owned() };
        let count = shown(columns).count();
        format!("{rule}\\multicolumn{{{count}}}{{@{{}}l}}{{\\textit{{{}}}}} \\\\\n", escaped(title))
    }

    fn row(&self, columns: &[Column], row: &[Cell], notes: &[TableNote]) -> String {
        let cells: Vec<String> = shown(columns).map(|(at, column)| latex_cell(column, &row[at], notes)).collect();
        let ids = columns.iter().zip(row).filter(|(column, _)| column.role == Role::Trace);
        let ids: String = ids.map(|(_, cell)| format!(" % {}", comment(&cell.text))).collect();
        format!("{} \\\\{ids}\n", row_start(&cells.join(" & ")))
    }

    fn close(&self, table: &Table) -> String {
        let mut items: Vec<(String, String)> = Vec::new();
        if table.marks_best() {
            items.push((String::new(), format!("\\textbf{{Bold}}: {}", escaped(&table.best_of))));
        }
        items.extend(table.legend().map(|note| (mark(&note.mark), escaped(&note.text))));
        let sources = self.paper.sources.iter();
        items.extend(sources.map(|(number, source)| (format!("{{[}}{number}{{]}}"), escaped(source))));
        if !self.paper.cite.is_empty() {
            let keys: Vec<String> = self.paper.cite.iter().map(|key| label_name(key)).collect();
            items.push((String::new(), format!("Data: \\cite{{{}}}.", keys.join(","))));
        }
        if self.shape.long {
            let mut text = "\\end{longtable}\n".to_owned();
            for (mark, item) in &items {
                text.push_str(&format!("\\par\\noindent\\tnote{{{mark}}} {item}\n"));
            }
            text.push_str("\\par\\endgroup\n");
            if self.shape.turned {
                text.push_str("\\end{landscape}\n");
            }
            return text;
        }
        let mut text = "\\bottomrule\n\\end{tabular}\n".to_owned();
        if !items.is_empty() {
            text.push_str("\\begin{tablenotes}\\footnotesize\\raggedright\n");
            for (mark, item) in &items {
                text.push_str(&match mark.as_str() {
                    "" => format!("\\item {item}\n"),
                    mark => format!("\\item[{mark}] {item}\n"),
                });
            }
            text.push_str("\\end{tablenotes}\n");
        }
        let float = if self.shape.turned { "sidewaystable" } else { "table" };
        let shrunk = if self.shape.shrunk { "}\n" } else { "" };
        text + &format!("\\end{{threeparttable}}\n{shrunk}\\end{{{float}}}\n")
    }
}

fn shown(columns: &[Column]) -> impl Iterator<Item = (usize, &Column)> {
    columns.iter().enumerate().filter(|(_, column)| column.role != Role::Trace)
}

/// A line of what stands over columns, with a rule below each.
fn spanning(level: &[(&str, usize)]) -> String {
    let mut cells = Vec::new();
    let mut rules = String::new();
    let mut first = 1;
    for (over, count) in level {
        let last = first + count - 1;
        if over.is_empty() {
            cells.extend(vec![String::new(); *count]);
        } else {
            cells.push(format!("\\multicolumn{{{count}}}{{c}}{{{}}}", escaped(over)));
            rules.push_str(&format!("\\cmidrule(lr){{{first}-{last}}}"));
        }
        first = last + 1;
    }
    format!("{} \\\\\n{rules}\n", cells.join(" & "))
}

/// `l` for texts, `S` with the format that the column's numbers need.
fn column_types(table: &Table) -> String {
    let types: Vec<String> = shown(&table.columns)
        .map(|(at, column)| {
            let cells = || table.rows().map(|row| &row[at]);
            if !column.numeric {
                let long = cells().any(|cell| cell.text.chars().count() > LONG_TEXT);
                let wrapped = ">{\\raggedright\\arraybackslash}p{0.2\\linewidth}";
                return if long { wrapped } else { "l" }.to_owned();
            }
            let (mut whole, mut fraction, mut sign) = (1, 0, "");
            for (minus, before, after) in cells().filter_map(|cell| number(&cell.text)) {
                whole = whole.max(before);
                fraction = fraction.max(after);
                sign = if minus { "-" } else { sign };
            }
            let format = if fraction == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") };
            let behind = |cell: &Cell| cell.notes.len() + cell.spread.chars().count();
            let widest = cells().max_by_key(|cell| behind(cell)).filter(|cell| behind(cell) > 0);
            let post = widest
                .map(|cell| format!(",table-space-text-post={{{}{}}}", spread(cell), tnote(&cell.notes, &table.notes)));
            format!("S[table-format={format}{}]", post.unwrap_or_default())
        })
        .collect();
    format!("@{{}}{}@{{}}", types.join(""))
}

fn latex_cell(column: &Column, cell: &Cell, notes: &[TableNote]) -> String {
    let tnote = match (spread(cell), tnote(&cell.notes, notes)) {
        (spread, tnote) if spread.is_empty() => tnote,
        (spread, tnote) => format!("{{{spread}}}{tnote}"),
    };
    let text = escaped(&cell.text);
    match (column.numeric, number(&cell.text).is_some(), cell.best) {
        _ if cell.text.is_empty() => String::new(),
        (true, true, true) => format!("\\bfseries {text}{tnote}"),
        (true, true, false) => format!("{text}{tnote}"),
        // What is no number would stop siunitx.
        (true, false, _) => format!("{{{text}{tnote}}}"),
        (false, _, true) => format!("\\textbf{{{text}}}{tnote}"),
        (false, _, false) => format!("{text}{tnote}"),
    }
}

/// Sign, digits before and digits after the point of a plain decimal number.
fn number(text: &str) -> Option<(bool, usize, usize)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    (!whole.is_empty() && plain(whole) && plain(fraction)).then_some((
        text.starts_with('-'),
        whole.len(),
        fraction.len(),
    ))
}

/// The marks of notes in a heading, where they need room of their own.
fn raised(own: &[usize], notes: &[TableNote]) -> String {
    let marks: Vec<String> = own.iter().map(|note| mark(&notes[*note].mark)).filter(|mark| !mark.is_empty()).collect();
    if marks.is_empty() { String::new() } else { format!("\\textsuperscript{{{}}}", marks.join(",")) }
}

/// The marks of notes; a remark on the whole table has none.
fn tnote(own: &[usize], notes: &[TableNote]) -> String {
    let marks: Vec<String> = own.iter().map(|note| mark(&notes[*note].mark)).filter(|mark| !mark.is_empty()).collect();
    if marks.is_empty() { String::new() } else { format!("\\tnote{{{}}}", marks.join(",")) }
}

/// What stands behind a number, in smaller type.
fn spread(cell: &Cell) -> String {
    if cell.spread.is_empty() { String::new() } else { format!("\\footnotesize{{}}{}", escaped(&cell.spread)) }
}

fn mark(mark: &str) -> String {
    match mark {
        "†" => "$\\dagger$".to_owned(),
        "‡" => "$\\ddagger$".to_owned(),
        other => escaped(other),
    }
}

/// After `\\` a bracket or an asterisk would be an argument.
fn row_start(row: &str) -> String {
    if row.starts_with(['[', '*']) { format!("{{}}{row}") } else { row.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_never_begins_with_an_argument() {
        assert_eq!(row_start("[1] & 2"), "{}[1] & 2");
        assert_eq!(row_start("a & [2]"), "a & [2]");
    }

    #[test]
    fn the_format_of_a_column_fits_its_numbers() {
        assert_eq!(number("-12.345"), Some((true, 2, 3)));
        assert_eq!(number("1e5"), None);
        assert_eq!(number(""), None);
        let mut table = Table { columns: vec![Column::key("x [s]", true)], ..Table::default() };
        let rows = ["1.25", "-300", "7"].map(|text| vec![Cell::from(text)]).to_vec();
        table.sections.push(super::super::content::Section { title: None, rows });
        assert_eq!(column_types(&table), "@{}S[table-format=-3.2]@{}");
    }
}
