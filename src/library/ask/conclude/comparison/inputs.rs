//! What a comparison is made with: the sides' rows, the fields in which they differ, and what the question asks for besides.

use indexmap::IndexMap;

use crate::ask::conclude::basis::evidence::{RowIds, sources};
use crate::ask::conclude::basis::matched_pairs::{MatchedPair, Pairing, Picked};
use crate::ask::conclude::basis::sizes::Sizes;
use crate::ask::conclude::basis::wording::Names;
use crate::ask::hits::{HitColumns, SharedValues};
use crate::model::{Derived, Field, Metric};
use crate::stores::Stores;

/// What a comparison is made with.
pub(in crate::ask::conclude) struct Comparison<'c> {
    pub stores: &'c Stores,
    pub values: &'c SharedValues,
    pub sizes: Sizes,
    pub names: Names,
    /// The fields in which sides differ.
    pub varied: Vec<Field>,
    /// What stands in the place of the metric that it follows from.
    pub derived: Option<Derived>,
    /// Where the question wants a yes or a no: how many times as good the first side is said to be.
    pub whether: Option<f64>,
    /// Whether it is asked if the sides can be compared at all.
    pub fair: bool,
    /// Whether the sides are generations of devices, of which only devices of one size say what is gained.
    pub of_generations: bool,
    /// Whether the side that is asked about, the first, is the one that the others are set against.
    pub asked_is_baseline: bool,
    /// What the question names besides the sides.
    pub asked: IndexMap<String, String>,
    /// The words of what else the question asks for.
    pub conditions: Vec<String>,
    pub ids: RowIds,
}

impl<'c> Comparison<'c> {
    /// A comparison of sides that differ in these fields.
    pub fn new(stores: &'c Stores, values: &'c SharedValues, sizes: Sizes, varied: Vec<Field>) -> Self {
        Self {
            stores,
            values,
            sizes,
            names: Names::default(),
            varied,
            derived: None,
            whether: None,
            fair: false,
            of_generations: false,
            asked_is_baseline: false,
            asked: IndexMap::new(),
            conditions: Vec::new(),
            ids: RowIds::default(),
        }
    }

    /// How rows are paired: repetitions by the one in the middle.
    pub fn pairing(&self) -> Pairing<'_> {
        Pairing { values: self.values, sizes: &self.sizes, varied: &self.varied, picked: Picked::Middle, apart: None }
    }

    /// The matched pairs of two sides; with `one_source` those alone of which one source measured both.
    pub fn pairs(
        &self,
        subject: &HitColumns,
        baseline: &HitColumns,
        metrics: &[Metric],
        one_source: bool,
    ) -> Vec<MatchedPair> {
        let mut pairs = self.pairing().pairs(subject, baseline, metrics);
        if one_source {
            pairs.retain(|pair| sources(self.values, &pair.all).len() == 1);
        }
        pairs
    }
}
