//! The questions that a site answers: which devices are fastest on the networks that were measured on most of them.

use std::collections::{BTreeMap, BTreeSet};

use super::address::SiteFiles;
use super::error::SiteError;
use super::output::Output;
use crate::pages::figures::{self, FigureRequest};
use crate::pages::forms::{AnswerForm, WholeAnswer};
use crate::pages::links::about;
use crate::pages::{question, ranking};
use crate::requests::{CompareArguments, QueryRequest};
use dlbench::KnowledgeBase;
use dlbench::model::{Field, Knowledge};
use dlbench::render::figure::Theme;
use dlbench::values::{EntityId, Stage};
use strum::VariantArray as _;

/// So many rankings at most, so that a site is built in a minute however much has been measured: those of most devices.
const MOST: usize = 400;

/// A question, and the files of its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ranking {
    pub network: EntityId,
    pub stage: Stage,
    pub devices: usize,
}

impl Ranking {
    /// The rankings, those of most devices first.
    pub fn all(knowledge: &Knowledge) -> Vec<Self> {
        let mut devices: BTreeMap<(EntityId, Stage), BTreeSet<EntityId>> = BTreeMap::new();
        let mut lineages: BTreeMap<EntityId, Vec<EntityId>> = BTreeMap::new();
        for row in &knowledge.measurements {
            let (Some(network), Some(device), Some(stage)) =
                (row.entity(Field::Network), row.entity(Field::Device), row.stage())
            else {
                continue;
            };
            let lineage =
                lineages.entry(network).or_insert_with_key(|network| knowledge.catalog.network_lineage(network));
            for ancestor in lineage {
                devices.entry((ancestor.clone(), stage)).or_default().insert(device.clone());
            }
        }
        let many = devices.into_iter().filter(|(_, devices)| devices.len() > 1);
        let mut all: Vec<Self> = many
            .map(|((network, stage), devices)| Self { network, stage, devices: devices.len() })
            .filter(|ranking| knowledge.catalog.networks.contains_key(&ranking.network))
            .collect();
        all.sort_by_key(|ranking| std::cmp::Reverse(ranking.devices));
        all.truncate(MOST);
        all
    }

    pub fn question(&self) -> String {
        ranking::question(self.network.as_str(), self.stage.into(), None, None)
    }

    /// The page, without what its name ends with.
    fn stem(&self) -> String {
        format!("answers/{}-{}", self.network, self.stage)
    }

    pub fn file(&self) -> String {
        self.stem() + ".html"
    }

    /// The page, its figure, its comparison and its other forms.
    pub fn written(&self, files: &SiteFiles, kb: &KnowledgeBase, out: &dyn Output) -> Result<(), SiteError> {
        let (question, stem) = (self.question(), self.stem());
        let request = QueryRequest { question: question.clone(), on_site: true, ..QueryRequest::default() };
        let mut own = Vec::new();
        if let Ok(figure) = FigureRequest::of(&question).figure(kb) {
            let (light, dark, data) = (format!("{stem}.svg"), format!("{stem}-dark.svg"), format!("{stem}-figure.csv"));
            out.write(&light, figures::svg(&figure, Theme::Light))?;
            out.write(&dark, figures::svg(&figure, Theme::Dark))?;
            out.write(&data, figures::csv(&figure)?)?;
            let address = about("/figure.svg", &question);
            own.extend([
                (format!("{address}&theme=dark"), dark),
                (address, light),
                (about("/figure.csv", &question), data),
            ]);
        }
        let whole = WholeAnswer::of(&request, kb)?;
        for form in AnswerForm::VARIANTS {
            let file = format!("{stem}.{}", form.extension());
            out.write(&file, whole.written(*form, kb)?)?;
            own.push((about(&format!("/query/{}", form.key()), &question), file));
        }
        let arguments = CompareArguments { question: question.clone(), ..CompareArguments::default() };
        let compared = question::compared(&arguments, kb).ok().map(|page| (format!("{stem}-compared.html"), page));
        own.extend(compared.iter().map(|(file, _)| (about("/compare", &question), file.clone())));
        let files = files.with(&own);
        if let Some((file, page)) = &compared {
            out.page(&files, file, page)?;
        }
        out.page(&files, &self.file(), &question::page(&request, kb)?)
    }
}
