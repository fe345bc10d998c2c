//! Tables, in every output format.

mod author_style;
mod by_format;
mod content;
mod csv;
mod html;
mod latex;
mod markdown;
mod text;
mod typst;

pub use self::csv::CsvWriter;
pub use author_style::{AuthorStyle, UnitScale};
pub(super) use content::DARKEST;
pub use content::spanners;
pub use content::{Cell, Column, Role, Section, Table, TableNote};
pub use html::{escaped as html_escaped, provenance_comments, xml_escaped};
pub use latex::{
    Paper, comment as latex_comment, escaped as latex_escaped, is_of_label as is_of_latex_label,
    label_name as latex_label, width as latex_width,
};
pub use markdown::escaped as markdown_escaped;
pub use text::{remarks, remarks_in_one};
pub use typst::escaped as typst_escaped;
