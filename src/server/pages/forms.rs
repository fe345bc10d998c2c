//! An answer in the forms that papers and other programs take.

use crate::refusal::Refusal;
use crate::requests::{QueryRequest, RowLimits};
use dlbench::KnowledgeBase;
use dlbench::ask::answer::Answer;
use dlbench::render::Format;
use dlbench::render::answer::{AnswerView, flat, latex, markdown};
use dlbench::render::bibtex::bibtex;
use dlbench::render::table::Paper;
use strum::VariantArray as _;

/// Rows of an answer on a page; its other forms have the most.
pub(crate) const ROWS: RowLimits = RowLimits { usual: 20, most: 500 };

/// A form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub(crate) enum AnswerForm {
    /// A table for a paper.
    Latex,
    /// Its sources.
    Bibtex,
    /// Its rows for a spreadsheet.
    Csv,
    /// For a text.
    Markdown,
}

impl AnswerForm {
    /// The form that an address names.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn called(name: &str) -> Result<Self, Refusal> {
        name.parse()
            .map_err(|_| Refusal::not_found(name, Self::VARIANTS.iter().map(|form| form.key().to_owned()).collect()))
    }

    /// How an address names it.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Latex => "LaTeX",
            Self::Bibtex => "BibTeX",
            Self::Csv => "CSV",
            Self::Markdown => "Markdown",
        }
    }
}

/// An answer with all its rows, to be written in any form.
pub(crate) struct WholeAnswer {
    answer: Answer,
    view: AnswerView,
    about: Vec<String>,
}

impl WholeAnswer {
    /// The answer to a question, with as many rows as a page may have.
    ///
    /// # Errors
    ///
    /// When the question has a mistake, or a store fails.
    pub fn of(request: &QueryRequest, kb: &KnowledgeBase) -> Result<Self, Refusal> {
        // A paper and a spreadsheet want the rows, not a page of them.
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

    /// The answer in a form.
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
