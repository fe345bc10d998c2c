//! A source of facts or numbers, and the method behind its numbers.

use serde::{Deserialize, Serialize};

use super::Standing;
use crate::values::{Data, Date, Dating, EntityId};

/// A paper, a repository or a page: what a citation needs, and how its numbers came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Source {
    /// The file's stem.
    pub id: EntityId,
    /// Its title.
    pub name: String,
    /// Short names that people use.
    pub aliases: Vec<String>,
    /// BibTeX entry type.
    #[serde(rename = "type")]
    pub entry_type: String,
    /// `Family, Given`; an organisation as it is.
    pub authors: Vec<String>,
    /// Year of the version cited; unknown for a page without a date.
    pub year: Option<i64>,
    /// Journal, proceedings or publisher.
    pub venue: Option<String>,
    /// Where it is.
    pub url: Option<String>,
    /// DOI.
    pub doi: Option<String>,
    /// Where it was published, where what was read is another version of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<Publication>,
    /// Commit of the version cited.
    pub commit: Option<String>,
    /// Date of that commit.
    pub commit_date: Option<Date>,
    /// When it was published, where neither its commit nor its year alone says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dated: Option<Date>,
    /// What that is the date of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dated_by: Option<Dating>,
    /// When it was read.
    pub accessed: Option<Date>,
    /// Its own licence, in words or SPDX.
    pub license: Option<String>,
    /// Whether it is still good: `None` is yes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<Standing>,
    /// How its numbers were measured.
    pub method: Option<Method>,
    /// What its files hold and the knowledge base does not, by reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutRows>,
    /// Remarks.
    pub notes: Option<String>,
}

impl Source {
    /// Its authors as running text names them: `Dai and Berleant`, `Reuther et al.`
    pub fn people(&self) -> String {
        let family = |author: &String| author.split_once(',').map_or(author.clone(), |(family, _)| family.to_owned());
        match self.authors.as_slice() {
            [] => self.name.clone(),
            [one] => family(one),
            [one, two] => format!("{} and {}", family(one), family(two)),
            [one, ..] => format!("{} et al.", family(one)),
        }
    }

    /// The same with the year: `Dai and Berleant (2019)`.
    pub fn people_and_year(&self) -> String {
        self.year.map_or_else(|| self.people(), |year| format!("{} ({year})", self.people()))
    }
}

/// The published version of a source, as it is cited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Publication {
    /// BibTeX entry type.
    #[serde(rename = "type")]
    pub entry_type: String,
    /// Its title, which may be another than that of the version that was read.
    pub name: String,
    /// Year of publication.
    pub year: i64,
    /// Journal or proceedings.
    pub venue: String,
    /// Pages, such as `148-155`.
    pub pages: String,
    /// Who published it.
    pub publisher: String,
    /// Where the conference was held.
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
    /// Untimed runs before.
    pub warm_up: Option<i64>,
    /// Timed runs.
    pub iterations: Option<i64>,
    /// What the figure is of them, in words.
    pub statistic: Option<String>,
    /// Made-up or real input.
    pub data: Option<Data>,
    /// Anything else.
    pub description: Option<String>,
}

/// Records of a source's files that were not imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LeftOutRows {
    /// Why.
    pub reason: String,
    /// How many; unknown where nothing counts them.
    pub rows: Option<i64>,
}
