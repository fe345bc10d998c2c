//! The texts of a paper: the document to look at, the data behind all of it, and what changed since.

use std::collections::BTreeMap;

use strum::VariantArray as _;

use super::table::{Cell, Column, Paper, Section, Table, latex_comment, latex_escaped, latex_label};
use super::{RenderError, heading, paragraph};
use crate::ask::paper::{ChangedItem, DrawnItem, FigureFiles, PaperItem, PaperOutput, Spec};
use crate::model::{Field, Measurement, References};
use crate::values::text::{counted, printable};
use crate::values::{DocumentClass, TableLayout};

/// How a paper wants a table or figure.
#[derive(Debug, Clone)]
pub struct ItemSetting {
    /// The label by which the text refers to it.
    pub label: String,
    /// The caption that the specification gives.
    pub caption: Option<String>,
    /// The class of the paper.
    pub class: DocumentClass,
    /// Where on a page it stands, where the specification says so.
    pub layout: Option<TableLayout>,
}

/// Millimetres in a point of TeX.
const MM_PER_POINT: f64 = 25.4 / 72.27;

impl ItemSetting {
    /// What stands around a table, and the pages that it is set for.
    pub fn paper(&self, about: Vec<String>, references: &References) -> Paper {
        let (label, cite) = (Some(self.label.clone()), references.keys());
        Paper { about, label, cite, class: self.class, layout: self.layout, ..Paper::default() }
    }

    /// Where a figure stands: where the specification says, else in a column, unless its own width (mm) is wider.
    pub fn layout_of_figure(&self, own_mm: Option<f64>) -> TableLayout {
        let is_wider = own_mm.is_some_and(|width| width > self.width_mm(TableLayout::Column));
        let fitting = if is_wider { TableLayout::Page } else { TableLayout::Column };
        self.layout.unwrap_or(fitting)
    }

    /// How wide a figure is that stands there, mm: drawn so wide, its type is set in the size that it has.
    pub fn width_mm(&self, layout: TableLayout) -> f64 {
        self.class.room().breadth(layout) * MM_PER_POINT
    }
}

/// What the tables need; figures of pgfplots name what they need themselves.
const PACKAGES: &str = "booktabs,siunitx,longtable,rotating,graphicx,xcolor,url";

/// `main.tex`: every table and figure, and the bibliography; `content` is the hash of the knowledge base.
pub fn main_tex(spec: &Spec, made: &[(PaperItem, PaperOutput)], content: &str) -> String {
    let about = [
        "dlbench paper: a document to look at; copy what you need".to_owned(),
        format!("content of the knowledge base: {content}"),
    ];
    let mut text: String = about.iter().map(|line| format!("% {}\n", latex_comment(line))).collect();
    text.push_str(&format!("{}\\usepackage{{{PACKAGES}}}\n", spec.class.preamble()));
    let mut needs: Vec<String> = Vec::new();
    for pictured in made.iter().filter_map(|(_, output)| pictured(output)) {
        needs.extend(pictured.needs().filter(|_| !pictured.has_pdf()));
    }
    needs.sort();
    needs.dedup();
    text.extend(needs.iter().map(|line| format!("{line}\n")));
    text.push_str("\\begin{document}\n");
    text.push_str(spec.class.opening());
    if let Some(title) = &spec.title {
        text.push_str(&format!("\\section*{{{}}}\n", latex_escaped(title)));
    }
    for (item, output) in made {
        text.push_str(&format!("\n% {}: {}\n", item.name, latex_comment(&item.command)));
        match pictured(output) {
            Some(pictured) => text.push_str(&pictured.float(&item.name, spec.class)),
            None => text.push_str(&format!("\\input{{tables/{}}}\n", item.name)),
        }
    }
    let style = spec.class.bibliography_style();
    text.push_str(&format!("\n% No float stands among the references.\n\\clearpage\n\\bibliographystyle{{{style}}}\n\\bibliography{{refs}}\n\\end{{document}}\n"));
    text
}

fn pictured(output: &PaperOutput) -> Option<&FigureFiles> {
    match &output.drawn {
        DrawnItem::Figure(pictured) => Some(pictured),
        DrawnItem::Table(_) => None,
    }
}

impl FigureFiles {
    fn has_pdf(&self) -> bool {
        self.files.iter().any(|(ending, _)| ending == "pdf")
    }

    /// The packages that the drawing in pgfplots names in its first lines.
    fn needs(&self) -> impl Iterator<Item = String> {
        let tex = self.files.iter().filter(|(ending, _)| ending == "tex");
        tex.flat_map(|(_, content)| {
            let text = String::from_utf8_lossy(content).into_owned();
            let needs: Vec<String> =
                text.lines().filter_map(|line| line.strip_prefix("% needs ")).map(str::to_owned).collect();
            needs
        })
    }

    /// The picture with its caption, and below it what must be said.
    fn float(&self, name: &str, class: DocumentClass) -> String {
        let room = class.room();
        let own = self.width_mm.filter(|width| *width <= room.breadth(self.layout) * MM_PER_POINT);
        let width = own.map_or_else(|| "\\linewidth".to_owned(), |width| format!("{width}mm"));
        let picture = match self.has_pdf() {
            true => format!("\\includegraphics[width={width}]{{figures/{name}.pdf}}"),
            false => format!("\\input{{figures/{name}}}"),
        };
        let spans = room.has_columns() && self.layout != TableLayout::Column;
        let turned = if self.layout == TableLayout::Turned { "sideways" } else { "" };
        let environment = format!("{turned}figure{}", if spans { "*" } else { "" });
        let caption = latex_escaped(&self.caption);
        // acmart wants to be told what somebody sees who cannot see the picture.
        let described =
            if class == DocumentClass::Acm { format!("\\Description{{{caption}}}\n") } else { String::new() };
        let keys: Vec<String> = self.cite.iter().map(|key| latex_label(key)).collect();
        let mut remarks: Vec<String> = self.remarks.iter().map(|remark| latex_escaped(remark)).collect();
        remarks.push(format!("Data: \\cite{{{}}}.", keys.join(",")));
        format!(
            "\\begin{{{environment}}}\n\\centering\n{picture}\n\\caption{{{caption}}}\\label{{{}}}\n{described}\
             \\par\\vspace{{4pt}}\\footnotesize\\raggedright {}\n\\end{{{environment}}}\n",
            latex_label(&self.label),
            remarks.join(" ")
        )
    }
}

/// `data.csv`: every value that stands in a table or figure, with all that its measurement states.
///
/// # Errors
///
/// When it cannot be written as CSV.
pub fn data_csv(
    made: &[(PaperItem, PaperOutput)],
    measurements: &BTreeMap<String, Measurement>,
) -> Result<String, RenderError> {
    let stated = |field: &Field| measurements.values().any(|measurement| measurement.get(*field).is_some());
    let fields: Vec<Field> = Field::VARIANTS.iter().copied().filter(stated).collect();
    let mut columns = ["item", "at", "measure", "value", "id", "source"].map(|key| Column::key(key, false)).to_vec();
    columns.extend(fields.iter().map(|field| Column::key(&field.json_key(), false)));
    let mut rows = Vec::new();
    for (item, output) in made {
        for used in &output.used {
            let measurement = measurements.get(&used.id);
            let source = measurement.map_or("", |measurement| measurement.source().as_str());
            let texts = [&item.name, &used.at, &used.measure, &used.value, &used.id, source];
            let mut row: Vec<Cell> = texts.iter().map(|text| Cell::from(*text)).collect();
            row.extend(fields.iter().map(|field| {
                let value = measurement.and_then(|measurement| measurement.get(*field));
                Cell::from(value.map_or_else(String::new, ToString::to_string).as_str())
            }));
            rows.push(row);
        }
    }
    Table { columns, sections: vec![Section { title: None, rows }], ..Table::default() }.csv()
}

/// What changed since in a paper of so many values: a heading for each item, a line for each change, and their number.
pub fn changes(changed: &[ChangedItem], values: usize, width: usize) -> String {
    let mut text = String::new();
    for item in changed {
        text.push_str(&heading(&format!("{}: {}", item.name, printable(&item.command))));
        for change in &item.changes {
            text.push_str(&paragraph("  - ", &printable(&change.to_string()), width));
        }
    }
    let count = changed.iter().map(|item| item.changes.len()).sum();
    text.push_str(&format!(
        "\n{} among {}.\n",
        counted(count, "change", "changes"),
        counted(values, "value", "values")
    ));
    text
}
