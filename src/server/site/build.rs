//! Builds a site: its list of files, and their content.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::address::SiteFiles;
use super::answers::Ranking;
use super::error::SiteError;
use super::folder::NewFolder;
use super::output::Output;
use super::{index, search};
use crate::pages::evidence::EvidencePageRequest;
use crate::pages::links::about;
use crate::pages::lists::{self, ListPageRequest};
use crate::pages::tables::{self, SURVEY, TableArguments};
use crate::pages::{ICON, STYLE, cards, wanted};
use crate::refusal::Refusal;
use crate::requests::WantedArguments;
use dlbench::KnowledgeBase;
use dlbench::ask::export::sheets;
use dlbench::ask::tables::CatalogTable;
use dlbench::render::table::Table;
use dlbench::values::{EntityKind, HardwareClass};
use strum::VariantArray as _;

/// A summary of the written site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SiteSummary {
    /// Number of files.
    pub files: usize,
    /// Their total size in bytes.
    pub bytes: u64,
}

struct Counting {
    folder: NewFolder,
    files: AtomicUsize,
    bytes: AtomicU64,
}

impl Output for Counting {
    fn write(&self, name: &str, content: String) -> Result<(), SiteError> {
        self.folder.write(name, content.as_bytes())?;
        self.files.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(content.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}

/// A page to generate.
enum Job<'r> {
    Index,
    Evidence,
    Wanted,
    List(EntityKind, ListPageRequest),
    Card(EntityKind, String),
    Table(CatalogTable, TableArguments),
    Ranking(&'r Ranking),
}

/// Builds the site of a knowledge base in `folder`, completely or not at all, with identical files for identical
/// content. It replaces an earlier site. Generates `at_a_time` pages concurrently.
///
/// # Errors
///
/// When the folder contains anything else or cannot be written, or the knowledge base fails.
pub fn build(kb: KnowledgeBase, folder: &Path, version: &str, at_a_time: usize) -> Result<SiteSummary, SiteError> {
    let out = Counting { folder: NewFolder::beside(folder)?, files: AtomicUsize::new(0), bytes: AtomicU64::new(0) };
    let rankings = data(&kb, &out)?;
    let mut files = SiteFiles::default();
    for (address, file) in [
        ("/", "index.html"),
        ("/query", "index.html"),
        ("/evidence", "evidence.html"),
        ("/wanted", "wanted.html"),
        ("/style.css", "style.css"),
        ("/icon.svg", "icon.svg"),
        ("/page.js", "search.js"),
    ] {
        files.add(address, file);
    }
    out.write("style.css", STYLE.to_owned())?;
    out.write("icon.svg", ICON.to_owned())?;
    out.write("search.js", search::SCRIPT.to_owned())?;
    // Tells GitHub Pages not to process the files with Jekyll.
    out.write(".nojekyll", String::new())?;
    let content = kb.content().to_owned();
    let jobs = jobs(&kb, &rankings)?;
    for job in &jobs {
        files.add(job.address(), job.file());
    }
    for ranking in &rankings {
        // The ranking of one class is part of the ranking of all.
        for class in HardwareClass::VARIANTS {
            files.add(about("/query", &ranking.question_of(<&str>::from(*class))), ranking.file());
        }
    }
    for kind in EntityKind::VARIANTS {
        let file = format!("data/{}.csv", lists::data(*kind));
        files.add(format!("/{file}"), file);
    }
    made(kb, at_a_time, &jobs, |job, kb| job.written(&files, &rankings, kb, &out))?;
    out.folder.mark(&content, format!("dlbench {version}"))?;
    let summary = SiteSummary { files: out.files.into_inner(), bytes: out.bytes.into_inner() };
    out.folder.put()?;
    Ok(summary)
}

/// Writes the data files, and returns the rankings.
fn data(kb: &KnowledgeBase, out: &dyn Output) -> Result<Vec<Ranking>, SiteError> {
    let knowledge = kb.knowledge()?;
    let rankings = Ranking::all(&knowledge);
    let mut measured = std::collections::BTreeMap::new();
    for sheet in sheets(&knowledge, kb.content())? {
        if sheet.name == "measurements" {
            measured = search::rows(sheet, out)?;
        } else {
            let csv = Table::from(&sheet).csv().map_err(|error| SiteError::Csv(error.to_string()))?;
            out.write(&format!("data/{}.csv", sheet.name), csv)?;
        }
    }
    out.write("names.js", search::names(&knowledge, &rankings, &measured))?;
    Ok(rankings)
}

fn jobs<'r>(kb: &KnowledgeBase, rankings: &'r [Ranking]) -> Result<Vec<Job<'r>>, SiteError> {
    let mut jobs = vec![Job::Evidence, Job::Wanted, Job::Index];
    jobs.extend(rankings.iter().map(Job::Ranking));
    let surveyed = tables::surveyed(kb)?;
    for table in CatalogTable::VARIANTS {
        jobs.push(Job::Table(*table, TableArguments::default()));
        if surveyed.contains(table) {
            let as_reported = Some(SURVEY.to_owned());
            jobs.push(Job::Table(*table, TableArguments { as_reported, ..TableArguments::default() }));
        }
    }
    for kind in EntityKind::VARIANTS {
        let ids = kb.ids(*kind).map_err(Refusal::from)?;
        for offset in (0..ids.len().max(1)).step_by(lists::ROWS) {
            jobs.push(Job::List(*kind, ListPageRequest { offset, sort: None }));
        }
        jobs.extend(ids.into_iter().map(|id| Job::Card(*kind, id)));
    }
    Ok(jobs)
}

impl Job<'_> {
    /// The address of the page in `serve`.
    fn address(&self) -> String {
        match self {
            Self::Index => "/".to_owned(),
            Self::Evidence => "/evidence".to_owned(),
            Self::Wanted => "/wanted".to_owned(),
            Self::List(kind, request) => request.address(*kind),
            Self::Card(kind, id) => crate::pages::links::card(*kind, id),
            Self::Table(table, arguments) => arguments.address(*table),
            Self::Ranking(ranking) => about("/query", &ranking.question()),
        }
    }

    fn file(&self) -> String {
        match self {
            Self::Index => "index.html".to_owned(),
            Self::Evidence => "evidence.html".to_owned(),
            Self::Wanted => "wanted.html".to_owned(),
            Self::List(kind, ListPageRequest { offset: 0, .. }) => format!("{}.html", kind.plural()),
            Self::List(kind, request) => format!("{}-{}.html", kind.plural(), request.offset / lists::ROWS + 1),
            Self::Card(kind, id) => format!("{}/{id}.html", kind.plural()),
            Self::Table(table, TableArguments { as_reported: None, .. }) => format!("tables/{table}.html"),
            Self::Table(table, _) => format!("tables/{table}-as-reported.html"),
            Self::Ranking(ranking) => ranking.file(),
        }
    }

    fn written(
        &self,
        files: &SiteFiles,
        rankings: &[Ranking],
        kb: &KnowledgeBase,
        out: &dyn Output,
    ) -> Result<(), SiteError> {
        let page = match self {
            Self::Index => index::index(kb, rankings)?,
            Self::Evidence => EvidencePageRequest::default().page(kb)?,
            Self::Wanted => wanted::page(&WantedArguments::default(), kb, None)?,
            Self::List(kind, request) => request.page(kind.plural(), kb)?,
            Self::Card(kind, id) => cards::entity(kind.plural(), id, kb, true)?,
            Self::Table(table, arguments) => tables::table(&table.to_string(), arguments, kb)?,
            Self::Ranking(ranking) => ranking.page(kb)?,
        };
        out.page(files, &self.file(), &page)
    }
}

/// Runs all jobs, several at a time; the first failure stops all.
fn made<J: Sync>(
    kb: KnowledgeBase,
    at_a_time: usize,
    jobs: &[J],
    make: impl Fn(&J, &KnowledgeBase) -> Result<(), SiteError> + Sync,
) -> Result<(), SiteError> {
    let mut kbs: Vec<KnowledgeBase> = (1..at_a_time).map_while(|_| kb.reopen()).collect();
    kbs.push(kb);
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    thread::scope(|scope| {
        for kb in kbs {
            let (next, failed, make) = (&next, &failed, &make);
            scope.spawn(move || {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = make(job, &kb) {
                        next.store(jobs.len(), Ordering::Relaxed);
                        failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).get_or_insert(error);
                    }
                }
            });
        }
    });
    failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).map_or(Ok(()), Err)
}
