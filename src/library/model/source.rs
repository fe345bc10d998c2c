//! Sources of facts or numbers: their methods, their standing, the owners of their pages, and what a paper cites.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::{CODE_DIGITS, Field, Measurement, Value};
use crate::values::{Data, Date, Dating, EntityId, Standing as Word};

/// A paper, a repository or a page: what a citation needs, and how its numbers were measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Source {
    /// The file name without its extension.
    pub id: EntityId,
    /// Its title.
    pub name: String,
    /// Short names in use.
    pub aliases: Vec<String>,
    /// BibTeX entry type.
    #[serde(rename = "type")]
    pub entry_type: String,
    /// `Family, Given`; organisations unchanged.
    pub authors: Vec<String>,
    /// Year of the version cited; unknown for a page without a date.
    pub year: Option<i64>,
    /// Journal, proceedings or publisher.
    pub venue: Option<String>,
    /// URL.
    pub url: Option<String>,
    /// DOI.
    pub doi: Option<String>,
    /// The published version, if another version was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<Publication>,
    /// Commit of the version cited.
    pub commit: Option<String>,
    /// Date of that commit.
    pub commit_date: Option<Date>,
    /// Publication date, if neither its commit nor its year alone states it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dated: Option<Date>,
    /// What `dated` is the date of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dated_by: Option<Dating>,
    /// Date of access.
    pub accessed: Option<Date>,
    /// Its own licence, in words or SPDX.
    pub license: Option<String>,
    /// Whether it is still valid: `None` means yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
    /// How its numbers were measured.
    pub method: Option<Method>,
    /// What its files contain and the knowledge base does not, by reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutRows>,
    /// Remarks.
    pub notes: Option<String>,
}

impl Source {
    /// Its authors as named in running text: `Dai and Berleant`, `Reuther et al.`
    pub fn people(&self) -> String {
        let family = |author: &String| author.split_once(',').map_or(author.clone(), |(family, _)| family.to_owned());
        match self.authors.as_slice() {
            [] => self.name.clone(),
            [one] => family(one),
            [one, two] => format!("{} and {}", family(one), family(two)),
            [one, ..] => format!("{} et al.", family(one)),
        }
    }

    /// The authors with the year: `Dai and Berleant (2019)`.
    pub fn people_and_year(&self) -> String {
        self.year.map_or_else(|| self.people(), |year| format!("{} ({year})", self.people()))
    }
}

/// The published version of a source, as cited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Publication {
    /// BibTeX entry type.
    #[serde(rename = "type")]
    pub entry_type: String,
    /// Its title, which can differ from that of the version read.
    pub name: String,
    /// Year of publication.
    pub year: i64,
    /// Journal or proceedings.
    pub venue: String,
    /// Pages, such as `148-155`.
    pub pages: String,
    /// Publisher.
    pub publisher: String,
    /// Location of the conference.
    pub place: Option<String>,
    /// DOI.
    pub doi: String,
}

/// How a source measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Method {
    /// What was timed.
    pub timed: Option<String>,
    /// Untimed runs before the timed ones.
    pub warm_up: Option<i64>,
    /// Timed runs.
    pub iterations: Option<i64>,
    /// Which statistic of the timed runs the figure is, in words.
    pub statistic: Option<String>,
    /// Synthetic or real input.
    pub data: Option<Data>,
    /// Anything else.
    pub description: Option<String>,
}

/// Records in a source's files that were not imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LeftOutRows {
    /// The reason.
    pub reason: String,
    /// Number of records; unknown if they were not counted.
    pub rows: Option<i64>,
}

/// The knowledge base as a citable reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KbReference {
    /// Its name.
    pub name: String,
    /// Hash of the knowledge base's content.
    pub content: String,
    /// Its address, where stated.
    pub url: Option<String>,
    /// SPDX expression of the licence of its records.
    pub license: String,
    /// The latest date on which one of its sources was read.
    pub accessed: Option<Date>,
}

/// Something that a paper can cite.
#[derive(Debug, Clone, PartialEq)]
pub enum Reference {
    /// A source in the catalog.
    Source(Box<Source>),
    /// A page that a fact cites and that is not in the catalog.
    Page {
        /// Its address.
        url: String,
        /// Its title.
        title: Option<String>,
        /// Date of access.
        accessed: Option<Date>,
    },
    /// The knowledge base.
    KnowledgeBase(KbReference),
}

impl Reference {
    /// The citation key. It depends only on the id or the address, so that it never changes.
    pub fn key(&self) -> String {
        match self {
            Self::Source(source) => source.id.to_string(),
            Self::Page { url, .. } => {
                // Eight base-32 digits: among 10^4 pages, a collision has a probability of 5 in 10^5.
                let mut bits = xxh3_64(url.as_bytes());
                let digits = (0..8).map(|_| {
                    let digit = char::from(CODE_DIGITS[(bits & 31) as usize]);
                    bits >>= 5;
                    digit
                });
                format!("page-{}", digits.collect::<String>())
            }
            Self::KnowledgeBase(_) => "dlbench-kb".to_owned(),
        }
    }
}

/// The references of a result, each once, by key.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct References(BTreeMap<String, Reference>);

impl References {
    /// Adds a reference.
    pub fn add(&mut self, reference: Reference) {
        self.0.entry(reference.key()).or_insert(reference);
    }

    /// Adds all references of another set.
    pub fn extend(&mut self, others: &Self) {
        for (key, reference) in &others.0 {
            self.0.entry(key.clone()).or_insert_with(|| reference.clone());
        }
    }

    /// Adds the reference of a citation: a source, which `source` looks up by id, or a page.
    ///
    /// # Errors
    ///
    /// The errors of `source`.
    pub fn add_citation<E>(
        &mut self,
        citation: &Citation,
        source: impl FnOnce(&str) -> Result<Option<Source>, E>,
    ) -> Result<(), E> {
        if let Some(id) = &citation.source {
            if let Some(source) = source(id.as_str())? {
                self.add(Reference::Source(Box::new(source)));
            }
        } else if let Some(url) = &citation.url {
            let (title, accessed) = (citation.title.clone(), citation.accessed);
            self.add(Reference::Page { url: url.clone(), title, accessed });
        }
        Ok(())
    }

    /// The references, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Reference)> {
        self.0.iter().map(|(key, reference)| (key.as_str(), reference))
    }

    /// The keys, sorted.
    pub fn keys(&self) -> Vec<String> {
        self.0.keys().cloned().collect()
    }
}

/// Organisations by the suffix of their hosts' names, where they differ from the host's name.
const OWNERS: &[(&str, &str)] = &[
    ("9to5mac.com", "9to5Mac"),
    ("amd.com", "AMD"),
    ("aws.amazon.com", "Amazon Web Services"),
    ("amazon.com", "Amazon"),
    ("apache.org", "Apache Software Foundation"),
    ("apple.com", "Apple"),
    ("appleinsider.com", "AppleInsider"),
    ("arxiv.org", "arXiv"),
    ("google.com", "Google"),
    ("ieee.org", "IEEE"),
    ("intel.com", "Intel"),
    ("intel.io", "Intel"),
    ("keras.io", "Keras"),
    ("macrumors.com", "MacRumors"),
    ("microsoft.com", "Microsoft"),
    ("notebookcheck.net", "Notebookcheck"),
    ("nvidia.com", "NVIDIA"),
    ("pytorch.org", "PyTorch"),
    ("tensorflow.org", "TensorFlow"),
    ("wikichip.org", "WikiChip"),
    ("wikipedia.org", "Wikipedia"),
    ("xilinx.com", "AMD Xilinx"),
];

/// Hosts of pages with many owners: the owner is the first part of the path.
const HOSTS_OF_OTHERS: &[&str] =
    &["github.com", "gist.github.com", "raw.githubusercontent.com", "gitlab.com", "huggingface.co", "medium.com"];

/// Hosts that give each owner a subdomain.
const HOSTS_ABOVE_OTHERS: &[&str] = &[".github.io", ".medium.com", ".readthedocs.io"];

/// The owner of a page, from its address: the account where a host serves many owners, the name of the organisation
/// where it is known, else the host.
pub fn page_owner(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = rest.split_once(['/', '?', '#']).unwrap_or((rest, ""));
    let host = host.split(':').next().unwrap_or(host).to_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    if HOSTS_OF_OTHERS.contains(&host) {
        let account = path.split(['/', '?', '#']).find(|part| !part.is_empty()).unwrap_or_default();
        let account = account.trim_start_matches('@');
        return if account.is_empty() { host.to_owned() } else { account.to_owned() };
    }
    if let Some(account) = HOSTS_ABOVE_OTHERS.iter().find_map(|above| host.strip_suffix(above)) {
        return account.to_owned();
    }
    let is_below = |domain: &str| host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    OWNERS.iter().find(|(domain, _)| is_below(domain)).map_or(host, |(_, owner)| owner).to_owned()
}

/// Why a measurement or source should not be relied on, and what replaces it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Standing {
    /// Its status.
    pub standing: Word,
    /// The reason.
    pub reason: String,
    /// The source that replaces it.
    pub replaced_by: Option<EntityId>,
}

impl Standing {
    /// `retracted: another card was measured; replaced by invented-2020`.
    pub fn in_words(&self) -> String {
        let replaced_by = self.replaced_by.as_ref().map(EntityId::as_str);
        in_words(self.standing.into(), Some(&self.reason), replaced_by)
    }

    /// The standing as fields of a measurement of the source; `replaced-by` is then the id of a source.
    fn fields(&self) -> impl Iterator<Item = (Field, Value)> {
        let word: &str = self.standing.into();
        let replaced_by = self.replaced_by.as_ref().map(EntityId::as_str);
        let fields = [
            (Field::Standing, Some(word)),
            (Field::StandingReason, Some(self.reason.as_str())),
            (Field::ReplacedBy, replaced_by),
        ];
        fields.into_iter().filter_map(|(field, text)| Some((field, Value::Text(text?.into()))))
    }
}

impl Measurement {
    /// Whether it is as good as when it was published. Rows that are not are shown but never ranked.
    pub fn is_in_good_standing(&self) -> bool {
        self.get(Field::Standing).is_none()
    }

    /// `retracted: another card was measured; replaced by invented-2020:7fk2qz9abc`; `None` for rows without a standing.
    pub fn standing_in_words(&self) -> Option<String> {
        let standing = self.text(Field::Standing)?;
        Some(in_words(standing, self.text(Field::StandingReason), self.text(Field::ReplacedBy)))
    }

    /// The measurement with its source's standing, unless the row states its own.
    pub fn with_standing_of(self, source: &Standing) -> Self {
        if !self.is_in_good_standing() {
            return self;
        }
        let fields = self.fields().iter().cloned().chain(source.fields()).collect();
        Self::new(self.source().clone(), fields, self.metrics().to_vec())
    }
}

fn in_words(standing: &str, reason: Option<&str>, replaced_by: Option<&str>) -> String {
    let mut text = standing.to_owned();
    if let Some(reason) = reason {
        text.push_str(": ");
        text.push_str(reason.trim_end_matches('.'));
    }
    if let Some(replaced_by) = replaced_by {
        text.push_str("; replaced by ");
        text.push_str(replaced_by);
    }
    text
}

/// A citation: a source in the catalog or a page, and the facts (keys of the entity) that it covers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Citation {
    /// A source in the catalog.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<EntityId>,
    /// A page, if the source is not in the catalog.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Title of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Date at which the page was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accessed: Option<Date>,
    /// The keys it covers; empty means every key that no other citation covers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
}

impl Citation {
    /// The citations that cover a fact, by its key in the files: those that name it, else those without keys.
    pub fn covering<'c>(citations: &'c [Self], key: &str) -> impl Iterator<Item = &'c Self> + use<'c> {
        let names = |citation: &Self| citation.facts.iter().any(|fact| fact == key);
        let is_named = citations.iter().any(names);
        let covering: Vec<&Self> = citations
            .iter()
            .filter(|citation| if is_named { names(citation) } else { citation.facts.is_empty() })
            .collect();
        covering.into_iter()
    }

    /// Its name in running text: the source's id, else the title of the page, else its address.
    pub fn short_name(&self) -> String {
        let id = self.source.as_ref().map(EntityId::to_string);
        id.or_else(|| self.title.clone()).or_else(|| self.url.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_key_of_its_address_alone() {
        let page = |title: Option<&str>| Reference::Page {
            url: "https://example.org/a".to_owned(),
            title: title.map(str::to_owned),
            accessed: None,
        };
        assert_eq!(page(None).key(), page(Some("A")).key());
        assert_eq!(page(None).key().len(), "page-".len() + 8);
        let mut references = References::default();
        references.add(page(Some("A")));
        references.add(page(None));
        assert_eq!(references.keys().len(), 1);
    }

    #[test]
    fn a_page_is_its_accounts_its_organisations_or_its_hosts() {
        for (url, owner) in [
            ("https://github.com/ggml-org/llama.cpp/blob/master/x.md", "ggml-org"),
            ("https://xilinx.github.io/Vitis-AI/", "xilinx"),
            ("https://medium.com/@somebody/title", "somebody"),
            ("https://developer.nvidia.com/blog/x", "NVIDIA"),
            ("https://docs.aws.amazon.com/x", "Amazon Web Services"),
            ("https://notnvidia.com/x", "notnvidia.com"),
            ("http://www.example.org:8080", "example.org"),
            ("https://github.com/", "github.com"),
        ] {
            assert_eq!(page_owner(url), owner, "{url}");
        }
    }

    #[test]
    fn a_row_has_the_standing_of_its_source_unless_it_has_its_own() {
        let retracted = Standing {
            standing: Word::Retracted,
            reason: "another card.".to_owned(),
            replaced_by: Some("better-2021".parse().unwrap()),
        };
        let row = |fields| Measurement::new("paper-2020".parse().unwrap(), fields, Vec::new());
        let plain = row(Vec::new());
        assert!(plain.is_in_good_standing());
        let inherited = plain.clone().with_standing_of(&retracted);
        assert_eq!(inherited.standing_in_words().as_deref(), Some("retracted: another card; replaced by better-2021"));
        assert_eq!(inherited.id(), plain.id(), "papers cite the id");
        let own = row(vec![(Field::Standing, Value::Text("disputed".into()))]).with_standing_of(&retracted);
        assert_eq!(own.standing_in_words().as_deref(), Some("disputed"));
    }
}
