//! Judges what a survey's table says about frameworks, item by item: by today's facts from other sources, and by rows.

use std::collections::{BTreeMap, BTreeSet};

use super::document::{ClaimEvidence, ClaimKind, Comparison, EvidenceVerdict, PeriodEvidence};
use super::judge::Judge;
use super::measured::Period;
use super::select::Selection;
use crate::ask::hits::{HitColumns, PartNumbers, SharedValues};
use crate::ask::parse::QueryError;
use crate::model::{
    Aspect, Citation, EvidenceDefinition, Facet, Fact, Field, Framework, Lookup as _, MetricDefinition, Part,
    ReportedFramework, Source, license_family,
};
use crate::stores::index::Condition;
use crate::values::text::and_list;
use crate::values::text::normalise;
use crate::values::{EntityId, EntityKind, Target};

/// A fact of a framework as a survey printed it, with the definition by which it is judged.
pub(super) struct FactClaim<'f> {
    pub framework: &'f Framework,
    pub survey: &'f EntityId,
    pub reported: &'f ReportedFramework,
    pub metric: &'f MetricDefinition,
    pub definition: &'f EvidenceDefinition,
    pub fact: Fact,
}

/// The year of a row, the row, and its parts.
type DatedRow = (u32, u64, PartNumbers);

/// The field and values by which a row confirms an item. For a device the value is its class; for hosts, that there are several.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Sought {
    pub field: Field,
    pub values: Vec<String>,
}

impl Sought {
    /// Whether a row has one of the values.
    pub fn is_met(&self, values: &SharedValues, parts: &PartNumbers) -> bool {
        stated(values, self.field, parts).is_some_and(|value| self.values.iter().any(|sought| sought == value))
    }
}

/// The value that means more than one host.
const SEVERAL: &str = "several";

/// The value of a row that can confirm an item.
fn stated<'v>(values: &'v SharedValues, field: Field, parts: &PartNumbers) -> Option<&'v str> {
    match field {
        Field::Device => values.text(Aspect::Fact(Fact::Class), parts),
        Field::Hosts => values.count(Field::Hosts, parts).filter(|hosts| *hosts > 1).map(|_| SEVERAL),
        field => values.text(Aspect::Field(field), parts),
    }
}

/// The rows of each framework by network, data set, hardware class, or use of several hosts.
#[derive(Default)]
pub(super) struct FrameworkRows {
    rows: BTreeMap<(String, Field, String), Vec<DatedRow>>,
}

impl FrameworkRows {
    /// Reads all rows; a row also counts for its backend.
    pub fn read(judge: &Judge<'_>) -> Result<Self, QueryError> {
        let (stores, values) = (judge.measured.stores, judge.measured.values);
        let hits = HitColumns::of(stores, &Condition::All(Vec::new()), &[])?;
        let mut seen: BTreeSet<(u32, u32)> = BTreeSet::new();
        let mut found = Self::default();
        for hit in 0..hits.len() {
            let parts = hits.parts(hit);
            // Rows that share setup and workload confirm the same items.
            if !seen.insert((parts[Part::Setup as usize], parts[Part::Workload as usize])) {
                continue;
            }
            let text = |aspect| values.text(aspect, &parts);
            let of = [Field::Framework, Field::Backend].into_iter().filter_map(|field| text(Aspect::Field(field)));
            for framework in of {
                for field in [Field::Network, Field::Dataset, Field::Device, Field::Hosts] {
                    if let Some(value) = stated(values, field, &parts) {
                        let witness = (judge.measured.year(&parts), hits.row(hit), parts);
                        found.rows.entry((framework.to_owned(), field, value.to_owned())).or_default().push(witness);
                    }
                }
            }
        }
        Ok(found)
    }

    fn of(&self, framework: &str, field: Field, value: &str, period: Period) -> Option<DatedRow> {
        let key = (framework.to_owned(), field, value.to_owned());
        self.rows.get(&key)?.iter().find(|(year, ..)| period.holds(*year)).copied()
    }
}

impl FactClaim<'_> {
    /// `pytorch/license-type`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.framework.id, self.metric.id)
    }

    /// Whether a question selects this claim: by framework, metric or survey.
    pub fn is_meant(&self, by: &Selection) -> bool {
        let (framework, survey) = (self.framework, self.survey.as_str());
        let names = framework.aliases.join(" ");
        let metric = &self.metric.name;
        by.takes(&[&self.id(), &framework.name, &names, metric, self.fact.key(), survey, "framework fact"])
    }

    /// The items that the survey printed.
    pub fn items(&self) -> Vec<String> {
        self.reported.printed(self.fact)
    }

    /// Judges the items by rows up to the survey's year, and by facts and rows since then.
    pub fn judged(&self, judge: &mut Judge<'_>, rows: &FrameworkRows) -> Result<ClaimEvidence, QueryError> {
        let source: Option<Source> = judge.measured.stores.database.entity(self.survey.as_str())?;
        let year = source.and_then(|source| source.year);
        let mut periods = Vec::new();
        for period in Period::around_year(Some(year.unwrap_or(0))) {
            let items = self.items();
            let compared = items.iter().map(|item| self.item(item, judge, rows, period));
            periods.push(PeriodEvidence::of(period, compared.collect::<Result<_, _>>()?));
        }
        let place = self.reported.row.zip(self.definition.place.as_ref());
        let claim = ClaimEvidence {
            id: self.id(),
            kind: ClaimKind::Fact,
            about: self.framework.id.to_string(),
            metric: Some(self.metric.id.to_string()),
            claimed: self.items().join(", "),
            text: format!("{} of {}: {}", self.metric.name, self.framework.name, and_list(&self.items())),
            said_by: self.survey.to_string(),
            place: place.map(|(row, place)| format!("{place}, row {row}")),
            year,
            notes: self.reported.notes.clone(),
            ..ClaimEvidence::default()
        };
        Ok(claim.with(periods, self.definition))
    }

    fn item(
        &self,
        item: &str,
        judge: &mut Judge<'_>,
        rows: &FrameworkRows,
        period: Period,
    ) -> Result<Comparison, QueryError> {
        let mut comparison = Comparison {
            subject: self.framework.id.to_string(),
            baseline: item.to_owned(),
            claimed: item.to_owned(),
            measure: Some(self.fact.key().to_owned()),
            ..Comparison::default()
        };
        let mut verdict = EvidenceVerdict::NoEvidence;
        if let Some((year, row, parts)) = self.row(item, judge, rows, period)? {
            verdict = EvidenceVerdict::Supported;
            comparison.measurements = judge.ids.of(judge.measured.stores, &[row])?;
            comparison.sources.push(judge.measured.values.source(&parts).to_owned());
            comparison.years = Some((year.into(), year.into()));
            comparison.pairs = 1;
        }
        let independent: Vec<String> = Citation::covering(&self.framework.sources, self.fact.cited_key())
            .filter(|citation| citation.source.as_ref() != Some(self.survey))
            .map(Citation::short_name)
            .collect();
        if matches!(period, Period::After(_)) && !independent.is_empty() {
            // A row outweighs a fact that denies it.
            if let Some(is_so) = self.stated(item)
                && verdict == EvidenceVerdict::NoEvidence
            {
                verdict = EvidenceVerdict::whether(is_so);
            }
            if verdict != EvidenceVerdict::NoEvidence {
                comparison.sources.extend(independent);
            }
        }
        comparison.units = usize::from(verdict != EvidenceVerdict::NoEvidence);
        comparison.measurers = comparison.sources.len();
        comparison.verdict = Some(verdict);
        comparison.remark = match verdict {
            EvidenceVerdict::NoEvidence => Some("neither a row nor a fact of another source".to_owned()),
            EvidenceVerdict::Contradicted => Some(format!("today {}", and_list(&self.today()))),
            _ => None,
        };
        Ok(comparison)
    }

    /// A row that confirms the item.
    fn row(
        &self,
        item: &str,
        judge: &Judge<'_>,
        rows: &FrameworkRows,
        period: Period,
    ) -> Result<Option<DatedRow>, QueryError> {
        let Some(Sought { field, values }) = self.sought(item, judge)? else { return Ok(None) };
        let framework = self.framework.id.as_str();
        Ok(values.iter().find_map(|value| rows.of(framework, field, value, period)))
    }

    /// The field and values by which a row would confirm the item; `None` if no row can.
    pub fn sought(&self, item: &str, judge: &Judge<'_>) -> Result<Option<Sought>, QueryError> {
        let database = &judge.measured.stores.database;
        let members = |facet: Facet, kind: EntityKind| -> Result<Vec<String>, QueryError> {
            let mut ids = Vec::new();
            for name in database.exact(&normalise(item))?.into_iter().filter(|name| name.facet == facet) {
                ids.extend(database.descendants(kind, &name.value)?);
                ids.push(name.value);
            }
            Ok(ids)
        };
        let (field, values) = match self.fact {
            Fact::TestedNetwork => (Field::Network, members(Facet::Network, EntityKind::Network)?),
            Fact::TestedDataset => (Field::Dataset, members(Facet::Dataset, EntityKind::Dataset)?),
            Fact::Hardware => (Field::Device, class_of(item).map(str::to_owned).into_iter().collect()),
            Fact::MultiServer if is_several(item) => (Field::Hosts, vec![SEVERAL.to_owned()]),
            _ => return Ok(None),
        };
        Ok((!values.is_empty()).then_some(Sought { field, values }))
    }

    /// Whether today's fact includes the item; `None` if it does not tell.
    fn stated(&self, item: &str) -> Option<bool> {
        let framework = self.framework;
        let today = self.today();
        if today.is_empty() {
            return None;
        }
        match self.fact {
            Fact::License => Some(license_family(framework.license.as_ref()?)? == license_family(item)?),
            Fact::Hardware => Some(framework.hardware.contains(&item.to_lowercase().parse::<Target>().ok()?)),
            Fact::MultiServer => Some(framework.multi_server? == is_several(item)),
            // `Python (Keras)` is Python. If something is not among what was tested, it may still work.
            _ => {
                let plain = normalise(item.split(" (").next().unwrap_or(item));
                Some(today.iter().any(|one| normalise(one) == plain))
            }
        }
    }

    /// Today's values of the fact; empty for tested networks and data sets.
    fn today(&self) -> Vec<String> {
        let framework = self.framework;
        let servers = |several| if several { "on several servers" } else { "on one server" };
        match self.fact {
            Fact::License => framework.license.iter().cloned().collect(),
            Fact::CoreLanguage => framework.core_languages.clone(),
            Fact::ApiLanguage => framework.api_languages.clone(),
            Fact::Hardware => framework.hardware.iter().map(ToString::to_string).collect(),
            Fact::MultiServer => {
                framework.multi_server.map(|several| servers(several).to_owned()).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The hardware class that an item names.
fn class_of(item: &str) -> Option<&'static str> {
    match item.to_lowercase().as_str() {
        "cpu" => Some("cpu"),
        "gpu" => Some("gpu"),
        "fpga" => Some("fpga"),
        "tpu" | "asic" => Some("asic"),
        _ => None,
    }
}

fn is_several(item: &str) -> bool {
    !item.to_lowercase().contains("single")
}
