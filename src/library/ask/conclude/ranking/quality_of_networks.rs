//! A limit on accuracy where networks are ranked by something else: how accurate a network is was mostly measured elsewhere than
//! how fast it runs, so that the limit selects networks and not rows.

use crate::ask::hits::{HitColumns, SharedValues};
use crate::ask::question::{Clause, QueryError, Question};
use crate::model::{Aspect, Facet, Field, Metric};
use crate::stores::Stores;
use crate::stores::index::Condition;

/// A question whose limits on accuracy select networks.
pub(super) struct QualityOfNetworks {
    /// The question with the networks in the place of the limits.
    pub question: Question,
    /// The words of the limits.
    words: Vec<String>,
    networks: usize,
}

impl QualityOfNetworks {
    /// The networks of which some row meets the limits of a question; `None` where it has none, or ranks something else.
    pub fn of(stores: &Stores, question: &Question, ranked: Option<Aspect>) -> Result<Option<Self>, QueryError> {
        let field = Aspect::Field(Field::Network);
        let is_limit = |clause: &Clause| {
            let facets = clause.readings.iter().map(|reading| reading.read_as.facet.as_str());
            let is_quality = |facet: &str| facet.parse::<Metric>().is_ok_and(Metric::is_of_quality);
            clause.sides.is_empty() && !clause.readings.is_empty() && facets.into_iter().all(is_quality)
        };
        let of_data =
            |clause: &Clause| clause.readings.iter().any(|reading| reading.read_as.facet == Facet::Dataset.key());
        let limits: Vec<usize> = (0..question.clauses.len()).filter(|at| is_limit(&question.clauses[*at])).collect();
        if ranked != Some(field) || limits.is_empty() {
            return Ok(None);
        }
        let of_quality = question.clauses.iter().filter(|clause| is_limit(clause) || of_data(clause));
        let condition = Condition::All(of_quality.map(|clause| clause.condition.clone()).collect());
        let values = SharedValues::read(stores)?;
        let hits = HitColumns::of(stores, &condition, &[])?;
        let mut networks: Vec<String> =
            (0..hits.len()).filter_map(|hit| values.text(field, &hits.parts(hit))).map(str::to_owned).collect();
        networks.sort_unstable();
        networks.dedup();
        let words = limits.iter().map(|at| format!("`{}`", question.clauses[*at].text)).collect();
        let mut question = question.clone();
        let count = networks.len();
        for at in limits {
            let condition = Condition::Facet(Facet::Network, networks.clone());
            let clause = &mut question.clauses[at];
            *clause = Clause { text: String::new(), condition, readings: Vec::new(), ..clause.clone() };
        }
        Ok(Some(Self { question, words, networks: count }))
    }

    /// What they select, in words: `top-1 above 75` of any row (120 networks).
    pub fn in_words(&self) -> String {
        format!("{} in some row of theirs ({} networks)", self.words.join(" and "), self.networks)
    }
}
