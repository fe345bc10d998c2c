//! Camera-ready LaTeX tables: fitted to the document class, with booktabs and siunitx.

mod captions;
mod cells;
mod escaping;
mod layout;

pub use escaping::width;
pub use escaping::{comment, escaped, is_of_label, label_name};
pub use layout::Paper;

use self::cells::{column_types, latex_cell, row_start, spanning};
use self::escaping::running;
use super::content::{Cell, Column, Role, Table, TableNote};
use super::content::{TableWriter, spanners, write};
use crate::values::TableLayout;
use escaping::raised;
use layout::TablePlan;
use layout::{TableSetting, shown};

/// Packages that every table needs.
const PACKAGES: &str = "booktabs,siunitx";
/// siunitx settings: digits as given, bold numbers in bold, marks right after the numbers.
const NUMBERS: &str = "\\sisetup{detect-weight=true,table-align-text-after=false,group-minimum-digits=20}\n";
/// LaTeX commands of the type sizes.
const SIZES: [&str; 4] = ["\\normalsize", "\\small", "\\footnotesize", "\\scriptsize"];
/// Number of floats between page breaks: LaTeX fails when more than 18 floats wait to be placed.
const FLOATS: usize = 12;
/// Space between rows of several lines.
const BETWEEN_WRAPPED: &str = "\\addlinespace[2pt]\n";
/// Shown where there is no value.
const NO_VALUE: &str = "{--}";

/// The table with its header comments, fitted to the paper's pages, as a complete document if the paper asks for one.
pub(super) fn drawn(table: &Table, paper: &Paper) -> String {
    let table = table.clone().with_units_over_columns();
    let plan = TablePlan::of(&table, paper);
    let count = plan.parts.len();
    let label = match (&paper.label, count) {
        (None, 2..) => Some(label_of(&table)),
        (label, _) => label.clone(),
    };
    let mut tabular = String::new();
    for (at, (part, setting)) in plan.parts.iter().enumerate() {
        let place = PartPlace { first: at == 0, last: at + 1 == count };
        let label = label.as_deref();
        if at > 0 && at % FLOATS == 0 {
            tabular.push_str("\\clearpage\n");
        }
        tabular.push_str(&write(part, &Latex { paper, layout: plan.layout, long: plan.long, setting, place, label }));
    }
    let mut text = String::new();
    for line in &paper.about {
        text.push_str(&format!("% {}\n", comment(line)));
    }
    let mut needs = vec![PACKAGES];
    needs.extend((plan.layout == TableLayout::Turned && !paper.bare).then_some("rotating"));
    needs.extend((plan.long && !paper.bare).then_some("longtable"));
    needs.extend((table.mutes_some() || table.shades_some()).then_some("xcolor"));
    needs.extend(table.shades_some().then_some("colortbl"));
    if paper.standalone {
        text.push_str(paper.class.preamble());
        let packages = needs.iter().flat_map(|needs| needs.split(',')).chain(["url"]);
        text.extend(packages.map(|package| format!("\\usepackage{{{package}}}\n")));
        text.push_str("\\begin{document}\n");
        text.push_str(paper.class.opening());
        text.extend(paper.lead.iter().map(|sentence| format!("\\noindent {}\n\n", running(sentence))));
        text.push_str(&tabular);
        text.push_str(&bibliography(paper));
        text.push_str("\\end{document}\n");
        return text;
    }
    text.extend(paper.lead.iter().map(|sentence| format!("% {}\n", comment(sentence))));
    if paper.cite.is_empty() {
        let sources = paper.sources.iter();
        text.extend(sources.map(|(key, source)| format!("% cites {}: {}\n", label_name(key), comment(source))));
    }
    text.push_str(&format!("% needs \\usepackage{{{}}}\n", needs.join(",")));
    text + &tabular
}

/// The bibliography of a standalone document: its bibliography file, else the sources spelled out.
fn bibliography(paper: &Paper) -> String {
    if let Some(file) = &paper.bibliography {
        let style = paper.class.bibliography_style();
        return format!("\\bibliographystyle{{{style}}}\n\\bibliography{{{file}}}\n");
    }
    if paper.sources.is_empty() {
        return String::new();
    }
    let items =
        paper.sources.iter().map(|(key, source)| format!("\\bibitem{{{}}} {}\n", label_name(key), running(source)));
    format!("\\begin{{thebibliography}}{{99}}\\raggedright\n{}\\end{{thebibliography}}\n", items.collect::<String>())
}

/// A label for a table in several parts without one: the later parts refer to the first.
fn label_of(table: &Table) -> String {
    format!("tab:dlbench-{:08x}", xxhash_rust::xxh3::xxh3_64(table.caption.as_bytes()) & 0xffff_ffff)
}

/// Position of a part among the parts of a table.
#[derive(Debug, Clone, Copy)]
struct PartPlace {
    first: bool,
    last: bool,
}

struct Latex<'p> {
    paper: &'p Paper,
    layout: TableLayout,
    long: bool,
    setting: &'p TableSetting,
    place: PartPlace,
    label: Option<&'p str>,
}

impl Latex<'_> {
    /// Name of the float environment.
    fn float(&self) -> String {
        let spans = self.paper.room().has_columns() && self.layout != TableLayout::Column;
        let name = if self.layout == TableLayout::Turned { "sidewaystable" } else { "table" };
        format!("{name}{}", if spans { "*" } else { "" })
    }

    fn sizes(&self) -> String {
        format!("{}\\setlength{{\\tabcolsep}}{{{}pt}}\n{NUMBERS}", SIZES[self.setting.size], self.setting.gap)
    }
}

impl TableWriter for Latex<'_> {
    fn open(&self, table: &Table) -> String {
        let columns = column_types(table, self.setting);
        if self.paper.bare {
            let remarks: String = std::iter::once(running(&table.caption))
                .chain(self.remarks(table))
                .map(|remark| format!("% {remark}\n"))
                .collect();
            return format!("{remarks}\\begin{{tabular}}{{{columns}}}\n");
        }
        if self.long {
            return format!(
                "\\begingroup\n{}\\setlength{{\\LTcapwidth}}{{\\linewidth}}\n\\begin{{longtable}}{{{columns}}}\n{}\\\\\n",
                self.sizes(),
                self.caption(table).trim_end()
            );
        }
        format!(
            "\\begin{{{}}}\n\\centering\n{}{}{}\\begin{{tabular}}{{{columns}}}\n",
            self.float(),
            self.blank_below_caption(),
            self.caption(table),
            self.sizes()
        )
    }

    fn header(&self, table: &Table) -> String {
        let columns: Vec<&Column> = shown(&table.columns).map(|(_, column)| column).collect();
        let over: String = spanners(&columns).iter().map(|level| spanning(level)).collect();
        let lines = self.setting.columns.iter().map(|column| column.head.len()).max().unwrap_or(1);
        let mut head = String::new();
        for line in 0..lines {
            let cells = columns.iter().zip(&self.setting.columns).map(|(column, setting)| {
                // Headings are bottom-aligned.
                let missing = lines - setting.head.len();
                let Some(text) = line.checked_sub(missing).and_then(|at| setting.head.get(at)) else {
                    return String::new();
                };
                let marks = if line + 1 == lines {
                    raised(&column.notes, &table.notes, self.setting.points)
                } else {
                    String::new()
                };
                let text = escaped(text) + &marks;
                if column.numeric { format!("{{{text}}}") } else { text }
            });
            head.push_str(&format!("{} \\\\\n", row_start(&cells.collect::<Vec<_>>().join(" & "))));
        }
        if !self.long {
            return format!("\\toprule\n{over}{head}\\midrule\n");
        }
        let count = columns.len();
        format!(
            "\\toprule\n{over}{head}\\midrule\n\\endfirsthead\n\
             \\multicolumn{{{count}}}{{@{{}}l@{{}}}}{{Table~\\thetable{{}} (continued)}} \\\\\n\
             \\toprule\n{over}{head}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n"
        )
    }

    fn section(&self, title: Option<&str>, at: usize, columns: &[Column]) -> String {
        let rule = if at == 0 { "" } else { "\\midrule\n" };
        let Some(title) = title else { return rule.to_owned() };
        let count = shown(columns).count();
        // A title that is wider than its table is wrapped.
        let kind = match self.setting.title_fits(title) {
            true => "l".to_owned(),
            false => format!("p{{{}pt}}", self.setting.width.min(self.setting.room).floor()),
        };
        format!(
            "{rule}\\multicolumn{{{count}}}{{@{{}}{kind}@{{}}}}{{\\raggedright\\textit{{{}}}}} \\\\\n",
            running(title)
        )
    }

    fn row(&self, columns: &[Column], row: &[Cell], notes: &[TableNote]) -> String {
        let cells = shown(columns).zip(&self.setting.columns).map(|((at, column), setting)| {
            match row[at].text.is_empty() && column.numeric && column.role == Role::Value {
                true => NO_VALUE.to_owned(),
                false => latex_cell(column, &row[at], notes, setting.wrapped.is_some(), self.setting.points),
            }
        });
        let cells = cells.collect::<Vec<_>>().join(" & ");
        let ids = columns.iter().zip(row).filter(|(column, _)| column.role == Role::Trace);
        let ids: String = ids.map(|(_, cell)| format!(" % {}", comment(&cell.text))).collect();
        // Extra space, since adjacent rows of several lines would read as one list.
        let blank = if self.setting.wraps() { BETWEEN_WRAPPED } else { "" };
        format!("{} \\\\{ids}\n{blank}", row_start(&cells))
    }

    fn close(&self, table: &Table) -> String {
        if self.paper.bare {
            return "\\bottomrule\n\\end{tabular}\n".to_owned();
        }
        let remarks = self.remarks(table).join("\n");
        if self.long {
            let remarks = if remarks.is_empty() {
                remarks
            } else {
                format!("{}\\noindent\\raggedright\n{remarks}\\par\n", self.size_of_notes())
            };
            return format!("\\end{{longtable}}\n{remarks}\\endgroup\n");
        }
        let remarks = match remarks.is_empty() {
            true => remarks,
            false => format!(
                "\\par\\smallskip\n\\begin{{minipage}}{{\\linewidth}}\n{}\\raggedright\n{remarks}\n\\end{{minipage}}\n",
                self.size_of_notes()
            ),
        };
        format!("\\bottomrule\n\\end{{tabular}}\n{remarks}\\end{{{}}}\n", self.float())
    }
}
