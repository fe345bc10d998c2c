//! Families of entities that a question names: by a word for their kind, in the plural, behind `which` or a superlative.

use super::clause::Clause;
use super::error::QueryError;
use super::interpreter::Interpreter;
use super::vocabulary::{Cue, plain};
use crate::model::{Aspect, Facet, Field, Lookup as _};
use crate::values::EntityKind;
use crate::values::spelling::normalise;

impl Interpreter<'_> {
    /// The values of a facet whose names match any of some patterns, such as the devices that are phones; `None` where the
    /// word means something else, or nothing has such a name.
    pub(super) fn names_like(
        &mut self,
        text: &str,
        facet: Facet,
        patterns: &[&str],
    ) -> Result<Option<Clause>, QueryError> {
        // What a framework runs on is no list of devices.
        let runs_on = self.hints.turns.iter().any(|(_, cue)| *cue == Cue::Support);
        let of_frameworks = self.about.as_ref().is_some_and(|(_, kind)| *kind == EntityKind::Framework)
            || runs_on && self.named_last == Some(Facet::Framework);
        if of_frameworks && facet == Facet::Device {
            let is_phone = patterns.iter().any(|pattern| pattern.starts_with("iphone"));
            let kind = if is_phone { "mobile" } else { text };
            let exact = self.stores.database.exact(&normalise(kind))?;
            let named = exact.into_iter().find(|name| name.facet == Facet::Hardware);
            return Ok(match named {
                Some(name) => Some(self.facet_clause(text, name.facet, vec![name.value], "exact")?),
                None => None,
            });
        }
        let mut values: Vec<String> = Vec::new();
        for pattern in patterns {
            // A sign in front takes away what is no such thing.
            let (pattern, is_none) = pattern.strip_prefix('!').map_or((*pattern, false), |pattern| (pattern, true));
            let names = self.stores.database.names_like(pattern)?;
            for name in names.into_iter().filter(|name| name.facet == facet) {
                if is_none {
                    values.retain(|value| *value != name.value);
                } else if !values.contains(&name.value) {
                    values.push(name.value);
                }
            }
        }
        if values.is_empty() {
            self.leave_out(text);
            return Ok(None);
        }
        Ok(Some(self.facet_clause(text, facet, values, "family")?))
    }

    /// What a superlative right in front of a family of devices ranks: the boards of `fastest jetson`.
    pub(super) fn ranked_family(&mut self, name: &[&str]) -> Result<(), QueryError> {
        let normal = normalise(&name.concat());
        // A number is that of one product, of which the variants are no field to rank.
        if normal.contains(|c: char| c.is_ascii_digit()) {
            return Ok(());
        }
        let exact = self.stores.database.exact(&normal)?;
        // `jetson` is none itself, but what the names of several begin with.
        let names = if exact.is_empty() && normal.len() > 2 { self.stores.database.beginning(&normal)? } else { exact };
        let of_devices = names.into_iter().filter(|name| name.facet == Facet::Device);
        let mut devices: Vec<String> = of_devices.map(|name| name.value).collect();
        if let [family] = devices.as_slice() {
            devices = self.stores.database.descendants(EntityKind::Device, family)?;
        }
        devices.dedup();
        if devices.len() > 1 {
            self.hints.family_asked_for = self.hints.family_asked_for.or(Some(Aspect::Field(Field::Device)));
        }
        Ok(())
    }

    /// The members of a family that is named in the plural, where they are asked for: `list cnns`, `transformers measured on A100`.
    pub(super) fn plural_of_name(&mut self, words: &[&str], taken: usize, begins: bool) -> Result<(), QueryError> {
        let normal = normalise(&words[..taken].concat());
        let Some(singular) = normal.strip_suffix('s').filter(|one| one.len() > 2) else { return Ok(()) };
        if singular.ends_with(|c: char| c.is_ascii_digit() || c == 's') {
            return Ok(());
        }
        let names = self.stores.database.exact(singular)?;
        if let Some(name) = names.into_iter().find(|name| name.facet == Facet::Network)
            && self.stores.database.descendants(EntityKind::Network, &name.value)?.len() > 1
        {
            let aspect = Aspect::Field(Field::Network);
            self.hints.note_asked(aspect);
            self.hints.note_leading(aspect, begins, words.get(taken).copied());
        }
        Ok(())
    }

    /// `jetsons with more than 8 GB`, `rank the radeons`: a family of devices in the plural is a field to list or to rank.
    pub(super) fn plural_of_family(&mut self, name: &[&str], begins: bool, next: Option<&str>) {
        if name.last().is_some_and(|last| self.plural_names.contains(&plain(last))) {
            self.hints.note_device(true);
            self.hints.note_leading(Aspect::Field(Field::Device), begins, next);
        }
    }

    /// What `which` asks for where a name stands right behind it: the networks of `which EfficientNet`.
    pub(super) fn asked_family(&mut self, before: &[&str], name: &[&str]) -> Result<(), QueryError> {
        let asking = before.last().is_some_and(|word| matches!(plain(word).as_str(), "which" | "what"));
        if !asking || self.hints.family_asked_for.is_some() {
            return Ok(());
        }
        let names = self.stores.database.exact(&normalise(&name.concat()))?;
        let of = |facet: Facet| match facet {
            Facet::Network => Some(Aspect::Field(Field::Network)),
            Facet::Device => Some(Aspect::Field(Field::Device)),
            Facet::Framework => Some(Aspect::Field(Field::Framework)),
            _ => None,
        };
        self.hints.family_asked_for = names.iter().find_map(|name| of(name.facet));
        Ok(())
    }
}
