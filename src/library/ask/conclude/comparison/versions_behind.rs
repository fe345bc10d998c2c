//! Which versions stand behind the sides of a comparison: of libraries by a part of their version, and of frameworks.

use std::collections::BTreeSet;

use super::inputs::SideComparison;
use super::outcomes::Outcome;
use crate::ask::conclude::basis::side::Side;
use crate::ask::hits::PartNumbers;
use crate::ask::question::QueryError;
use crate::model::{Aspect, Field, Value};
use crate::values::text::and_list;

/// Libraries that are sides by a part of their version.
const LIBRARIES: &[Field] = &[Field::Cudnn, Field::Cuda, Field::Driver];

/// More versions than this are no list for a sentence.
const MOST_VERSIONS: usize = 4;

/// The versions of a framework on one side.
#[derive(Default)]
struct FrameworkVersions {
    /// Its own.
    own: BTreeSet<String>,
    /// The frameworks in front of it, with their versions: Keras on TensorFlow.
    layers: BTreeSet<String>,
}

impl SideComparison<'_> {
    /// Of libraries by a part of their version which members of it were measured: ` cudnn v5 is 5.0.05 and 5.1.05 here.` Of
    /// frameworks which versions stand against each other.
    pub(super) fn versions_behind(
        &mut self,
        outcome: &Outcome<'_>,
        baseline: &Side,
    ) -> Result<Option<String>, QueryError> {
        if let Some(library) = LIBRARIES.iter().copied().find(|field| self.varied.contains(field)) {
            return Ok(self.versions_of_library(library, outcome, baseline));
        }
        if !self.varied.contains(&Field::Framework) {
            return Ok(None);
        }
        let subjects = outcome.pairs.iter().map(|pair| pair.subject.parts);
        let baselines = outcome.pairs.iter().map(|pair| pair.baseline.parts);
        let told =
            [self.versions_of_framework(outcome.subject, subjects)?, self.versions_of_framework(baseline, baselines)?];
        let told: Vec<String> = told.into_iter().flatten().collect();
        Ok((!told.is_empty()).then(|| format!(" Versions: {}.", told.join("; "))))
    }

    fn versions_of_library(&self, library: Field, outcome: &Outcome<'_>, baseline: &Side) -> Option<String> {
        let of = |parts: &PartNumbers| self.values.text(Aspect::Field(library), parts).map(str::to_owned);
        let subjects: BTreeSet<String> = outcome.pairs.iter().filter_map(|pair| of(&pair.subject.parts)).collect();
        let baselines: BTreeSet<String> = outcome.pairs.iter().filter_map(|pair| of(&pair.baseline.parts)).collect();
        let several = [(&outcome.subject.name, subjects), (&baseline.name, baselines)];
        let told = several.into_iter().filter(|(_, versions)| versions.len() > 1);
        let told: Vec<String> = told
            .map(|(name, versions)| format!("{name} is {}", and_list(&versions.into_iter().collect::<Vec<_>>())))
            .collect();
        (!told.is_empty()).then(|| format!(" Here {}, together.", and_list(&told)))
    }

    /// `TensorFlow 1.9.0 and 1.11.0, through Keras 2.2.0`: the version of a layer is none of what computes below it.
    fn versions_of_framework(
        &mut self,
        side: &Side,
        rows: impl Iterator<Item = PartNumbers>,
    ) -> Result<Option<String>, QueryError> {
        let named = match side.subjects.get(Field::Framework.key()) {
            Some(Value::Text(id)) => Some(id.to_string()),
            _ => None,
        };
        let mut versions = FrameworkVersions::default();
        for parts in rows {
            let text = |field: Field| self.values.text(Aspect::Field(field), &parts).map(str::to_owned);
            let (framework, version) = (text(Field::Framework), text(Field::FrameworkVersion));
            let computes_below = named.is_some() && named != framework && named == text(Field::Backend);
            let Some(layer) = framework.filter(|_| computes_below) else {
                versions.own.extend(version);
                continue;
            };
            versions.own.extend(text(Field::BackendVersion));
            let layer = self.names.of(Aspect::Field(Field::Framework), &layer, self.stores)?;
            versions.layers.insert(version.map_or(layer.clone(), |version| format!("{layer} {version}")));
        }
        let FrameworkVersions { own, layers } = versions;
        if own.len() > MOST_VERSIONS || layers.len() > MOST_VERSIONS || own.is_empty() && layers.is_empty() {
            return Ok(None);
        }
        let own: Vec<String> = own.into_iter().collect();
        let own = if own.is_empty() { "of no stated version".to_owned() } else { and_list(&own) };
        let layers: Vec<String> = layers.into_iter().collect();
        let through = if layers.is_empty() { String::new() } else { format!(", through {}", and_list(&layers)) };
        Ok(Some(format!("{} {own}{through}", side.name)))
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::conclude::basis::sample::Sample;

    #[test]
    fn the_version_of_a_layer_is_none_of_what_computes_below_it() {
        let rows = r#"
[[table]]
columns = ["framework", "framework-version", "backend", "backend-version", "latency-ms"]
rows = [["firelight", "3.0", "", "", 10], ["firelight", "2.2", "gridflow", "1.9", 20]]
"#;
        let sample = Sample::of(&[("paper-2020", rows)]);
        let told = sample.conclude(&sample.versus("", &["framework:firelight", "framework:gridflow"])).text;
        assert!(told.contains("Versions: Firelight 3.0; Gridflow 1.9, through Firelight 2.2."), "{told}");
    }
}
