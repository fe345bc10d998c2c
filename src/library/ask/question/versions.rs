//! Versions behind the name of what has them: `cuda 9`, `pytorch 1.0`, `tensorflow 2.x`.

use std::collections::BTreeSet;

use super::clause::Clause;
use super::error::QueryError;
use super::filters::is_version_of;
use super::idioms::Idiom;
use super::interpreter::Interpreter;
use super::vocabulary::plain;
use crate::model::{Aspect, Facet, Field, Lookup as _, Part};
use crate::stores::index::Condition;
use crate::values::spelling::normalise;

/// Fields of a row that are asked for by their name and a version.
pub(super) const NAMED_FIELDS: &[(&str, Field)] =
    &[("cuda", Field::Cuda), ("cudnn", Field::Cudnn), ("driver", Field::Driver)];

impl Interpreter<'_> {
    /// The version that these words begin with: of a framework, or of a part of the software that a row names.
    pub(super) fn version(
        &mut self,
        words: &[&str],
        first: &str,
        second: &str,
    ) -> Result<Option<(usize, Idiom)>, QueryError> {
        if let Some((_, field)) = NAMED_FIELDS.iter().find(|(word, _)| *word == first)
            && is_version(second)
        {
            return self.versioned(&words[..2], second, None, *field);
        }
        if let Some(found) = self.major_version(words, first, second)? {
            return Ok(Some(found));
        }
        if is_version(second) {
            for name in self.stores.database.exact(&normalise(first))? {
                if name.facet == Facet::Framework {
                    let known = self.versioned(&words[..2], second, Some(&name.value), Field::FrameworkVersion)?;
                    // `tensorflow 2.0`, which no row has: a number without a point may count what stands behind it.
                    let is_said = second.contains('.') || second.starts_with('v');
                    let unknown = if known.is_none() && is_said { self.unknown_version(&words[..2])? } else { None };
                    return Ok(known.or(unknown.map(|clause| (2, Idiom::Clause(clause)))));
                }
            }
        }
        Ok(None)
    }

    /// A version behind the name of what has it; no idiom when no row has that version.
    fn versioned(
        &mut self,
        words: &[&str],
        version: &str,
        framework: Option<&str>,
        field: Field,
    ) -> Result<Option<(usize, Idiom)>, QueryError> {
        let mut condition = self.with_value(field, |value| is_version_of(version, value))?.0;
        let mut equivalent = format!("{field}:{version}");
        let mut values = vec![version.to_owned()];
        if let Some(framework) = framework {
            let (numbers, backends) = self.setups_of(framework, version)?;
            if numbers.is_empty() {
                return Ok(None);
            }
            condition = Condition::Shares(Part::Setup, numbers);
            equivalent = format!("framework:{framework} {field}:{version}");
            if backends {
                equivalent = format!("({equivalent} OR (backend:{framework} backend-version:{version}))");
            }
            values.insert(0, framework.to_owned());
        }
        if condition == Condition::Any(Vec::new()) {
            return Ok(None);
        }
        let clause = Clause::of(&words.join(" "), field.key(), values, equivalent, condition);
        Ok(Some((words.len(), Idiom::Clause(clause))))
    }

    /// `pytorch 1.x`: any version that begins so.
    fn major_version(
        &mut self,
        words: &[&str],
        first: &str,
        second: &str,
    ) -> Result<Option<(usize, Idiom)>, QueryError> {
        let Some(version) = second.strip_suffix(".x").or_else(|| second.strip_suffix(".*")) else { return Ok(None) };
        let version = version.trim_start_matches('v');
        if !is_version(version) {
            return Ok(None);
        }
        let names = self.stores.database.exact(&normalise(first))?;
        match names.into_iter().find(|name| name.facet == Facet::Framework) {
            Some(name) => self.versioned(&words[..2], version, Some(&name.value), Field::FrameworkVersion),
            None => Ok(None),
        }
    }

    /// `pytorch 2.0` where no row has that version: a side of a comparison without rows.
    pub(super) fn unknown_version(&self, words: &[&str]) -> Result<Option<Clause>, QueryError> {
        let [name, version] = words else { return Ok(None) };
        let version = plain(version);
        let names = self.stores.database.exact(&normalise(name))?;
        let Some(name) = names.into_iter().find(|name| name.facet == Facet::Framework && is_version(&version)) else {
            return Ok(None);
        };
        let field = Field::FrameworkVersion;
        // A range, since a version that nothing has is a mistake in a filter.
        let filter = format!("framework:{} {field}:{version}..{version}", name.value);
        let values = vec![name.value, version];
        Ok(Some(Clause::of(&words.join(" "), field.key(), values, filter, Condition::Any(Vec::new()))))
    }

    /// The setups that run a version of a framework, and whether any has it as a backend.
    fn setups_of(&self, framework: &str, version: &str) -> Result<(Vec<u32>, bool), QueryError> {
        let store = &self.stores.database;
        let running = |name: Field, of: Field| -> Result<BTreeSet<u32>, QueryError> {
            let named = store.aspect(Aspect::Field(name))?.shares_with(|value| value == framework);
            let of = store.aspect(Aspect::Field(of))?;
            let is = |share: &u32| of.of(*share).is_some_and(|value| is_version_of(version, value));
            Ok(named.into_iter().filter(is).collect())
        };
        let mut setups = running(Field::Framework, Field::FrameworkVersion)?;
        let behind = running(Field::Backend, Field::BackendVersion)?;
        let backends = !behind.is_empty();
        setups.extend(behind);
        Ok((setups.into_iter().collect(), backends))
    }
}

/// Whether a word is a version: numbers with points.
pub(super) fn is_version(word: &str) -> bool {
    let word = word.strip_prefix('v').unwrap_or(word);
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || c == '.')
        && !word.ends_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_numbers_with_points() {
        assert!(is_version("1.0") && is_version("9") && is_version("v2.1.0"));
        assert!(!is_version("1.") && !is_version("v") && !is_version("16gb"));
    }
}
