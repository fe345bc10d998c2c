//! An answer in the formats for papers and other programs.

use crate::refusal::Refusal;
use crate::requests::{QueryRequest, RowLimits};
use dlbench::KnowledgeBase;
use dlbench::ask::answer::Answer;
use dlbench::render::Format;
use dlbench::render::answer::{AnswerView, flat, latex, markdown};
use dlbench::render::bibtex::bibtex;
use dlbench::render::table::Paper;
use strum::VariantArray as _;

/// Rows of an answer on a page; its other formats have the maximum.
pub(crate) const ROWS: RowLimits = RowLimits { usual: 20, most: 500 };

/// A format of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum AnswerForm {
    /// A LaTeX table.
    Latex,
    /// The sources in BibTeX.
    Bibtex,
    /// The rows for a spreadsheet.
    Csv,
    /// Markdown text.
    Markdown,
}

impl AnswerForm {
    /// The format with this name in an address.
    ///
    /// # Errors
    ///
    /// When there is no such format.
    pub fn called(name: &str) -> Result<Self, Refusal> {
        name.parse()
            .map_err(|_| Refusal::not_found(name, Self::VARIANTS.iter().map(|form| form.key().to_owned()).collect()))
    }

    /// Its name in an address.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// Its display name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Latex => "LaTeX",
            Self::Bibtex => "BibTeX",
            Self::Csv => "CSV",
            Self::Markdown => "Markdown",
        }
    }
}

/// An answer with all its rows, to be written in any format.
pub(crate) struct WholeAnswer {
    answer: Answer,
    view: AnswerView,
    about: Vec<String>,
}

impl WholeAnswer {
    /// The answer to a question, with the maximum number of rows of a page.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, or a store fails.
    pub fn of(request: &QueryRequest, kb: &KnowledgeBase) -> Result<Self, Refusal> {
        // Papers and spreadsheets need all rows, not one page.
        let request = QueryRequest { limit: request.limit.or(Some(ROWS.most)), ..request.clone() };
        let answer = request.answer(kb, ROWS)?;
        let view = AnswerView { page: request.page(ROWS)?, ..AnswerView::default() };
        let about = vec![
            format!("dlbench query: {}", answer.query),
            format!("canonical form: {}", answer.question),
            format!("content of the knowledge base: {}", kb.content()),
        ];
        Ok(Self { answer, view, about })
    }

    /// Writes the answer in a format.
    ///
    /// # Errors
    ///
    /// When a store fails.
    pub fn written(&self, form: AnswerForm, kb: &KnowledgeBase) -> Result<String, Refusal> {
        let Self { answer, view, about } = self;
        Ok(match form {
            AnswerForm::Latex => {
                let cite = kb.references_of(answer)?.keys();
                latex(answer, view, Paper { about: about.clone(), cite, ..Paper::default() })
            }
            AnswerForm::Bibtex => bibtex(&kb.references_of(answer)?),
            AnswerForm::Markdown => markdown(answer, view, about),
            AnswerForm::Csv => {
                flat(answer, view).draw(Format::Csv, usize::MAX).map_err(|error| Refusal::failed(&error))?
            }
        })
    }
}
