//! The files of a paper (document, data behind it, changes since), and the citation of the knowledge base in CFF 1.2.0.

use std::collections::BTreeMap;

use strum::VariantArray as _;

use super::table::{Cell, Column, Paper, Section, Table, latex_comment, latex_escaped, latex_label};
use super::{RenderError, heading, paragraph};
use crate::ask::paper::{ChangedItem, DrawnItem, FigureFiles, PaperItem, PaperOutput, Spec};
use crate::model::{Field, KbReference, Measurement, References, Source};
use crate::values::text::{counted, printable};
use crate::values::{DocumentClass, TableLayout};

/// How a paper sets a table or figure.
#[derive(Debug, Clone)]
pub struct ItemSetting {
    /// The label for cross-references.
    pub label: String,
    /// The caption from the specification, if any.
    pub caption: Option<String>,
    /// The document class.
    pub class: DocumentClass,
    /// The placement on the page, if the specification sets it.
    pub layout: Option<TableLayout>,
}

/// Millimetres per TeX point.
const MM_PER_POINT: f64 = 25.4 / 72.27;

impl ItemSetting {
    /// Settings of a table in this paper: header comments, label, citations, document class and placement.
    pub fn paper(&self, about: Vec<String>, references: &References) -> Paper {
        let (label, cite) = (Some(self.label.clone()), references.keys());
        Paper { about, label, cite, class: self.class, layout: self.layout, ..Paper::default() }
    }

    /// Placement of a figure: as the specification says, else in a column, unless its own width (mm) is larger.
    pub fn layout_of_figure(&self, own_mm: Option<f64>) -> TableLayout {
        let is_wider = own_mm.is_some_and(|width| width > self.width_mm(TableLayout::Column));
        let fitting = if is_wider { TableLayout::Page } else { TableLayout::Column };
        self.layout.unwrap_or(fitting)
    }

    /// Width in mm of a figure at this placement. A figure drawn at this width is not scaled, so its type keeps its size.
    pub fn width_mm(&self, layout: TableLayout) -> f64 {
        self.class.room().breadth(layout) * MM_PER_POINT
    }
}

/// Packages that the tables need; pgfplots figures state theirs in their own first lines.
const PACKAGES: &str = "booktabs,siunitx,longtable,rotating,graphicx,xcolor,url";

/// `main.tex`: all tables and figures and the bibliography; `content` is the hash of the knowledge base.
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
    text.push_str(&format!("\n% Keep floats out of the references.\n\\clearpage\n\\bibliographystyle{{{style}}}\n\\bibliography{{refs}}\n\\end{{document}}\n"));
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

    /// Packages that a pgfplots drawing declares in its `% needs` lines.
    fn needs(&self) -> impl Iterator<Item = String> {
        let tex = self.files.iter().filter(|(ending, _)| ending == "tex");
        tex.flat_map(|(_, content)| {
            let text = String::from_utf8_lossy(content).into_owned();
            let needs: Vec<String> =
                text.lines().filter_map(|line| line.strip_prefix("% needs ")).map(str::to_owned).collect();
            needs
        })
    }

    /// A figure environment: the picture, its caption, and below it the remarks and data sources.
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
        // acmart requires a text description for readers who cannot see the picture.
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

/// `data.csv`: every value in a table or figure, with all fields of its measurement.
///
/// # Errors
///
/// Fails if the data cannot be written as CSV.
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

/// Changes in a paper of `values` values since it was made: a heading per item, a line per change, and the total.
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

/// A `CITATION.cff` that lists the sources as references.
pub fn citation<'s>(kb: &KbReference, sources: impl Iterator<Item = &'s Source>) -> String {
    let mut text = format!(
        "cff-version: 1.2.0\nmessage: Please cite the sources of the numbers that you use, and this knowledge base.\n\
         type: dataset\ntitle: {}\nauthors:\n  - name: The dlbench contributors\nversion: {}\nlicense: {}\n",
        quoted(&kb.name),
        quoted(&kb.content),
        quoted(&kb.license),
    );
    if let Some(date) = kb.accessed.filter(|date| date.is_full()) {
        text.push_str(&format!("date-released: {date}\n"));
    }
    text.push_str("references:\n");
    for source in sources {
        text.push_str(&format!("  - type: {}\n    title: {}\n", kind(&source.entry_type), quoted(&source.name)));
        text.push_str("    authors:\n");
        if source.authors.is_empty() {
            text.push_str("      - name: unknown\n");
        }
        for author in &source.authors {
            text.push_str(&match author.split_once(',') {
                Some((family, given)) => format!(
                    "      - family-names: {}\n        given-names: {}\n",
                    quoted(family.trim()),
                    quoted(given.trim())
                ),
                None => format!("      - name: {}\n", quoted(author)),
            });
        }
        let mut add = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                text.push_str(&format!("    {key}: {value}\n"));
            }
        };
        add("year", source.year.map(|year| year.to_string()));
        add("doi", source.doi.as_deref().map(quoted));
        add("url", source.url.as_deref().map(quoted));
        add("commit", source.commit.as_deref().map(quoted));
        add("date-accessed", source.accessed.filter(|date| date.is_full()).map(|date| date.to_string()));
        add("journal", source.venue.as_deref().filter(|_| source.entry_type == "article").map(quoted));
    }
    text
}

/// The CFF reference type of a BibTeX entry type.
fn kind(entry_type: &str) -> &'static str {
    match entry_type {
        "article" => "article",
        "inproceedings" | "conference" => "conference-paper",
        "book" => "book",
        "techreport" => "report",
        "phdthesis" | "mastersthesis" | "thesis" => "thesis",
        "manual" => "manual",
        "online" => "website",
        _ => "generic",
    }
}

/// A double-quoted YAML string; JSON strings are valid YAML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(printable(text)).to_string()
}
