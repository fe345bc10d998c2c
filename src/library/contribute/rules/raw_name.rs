//! A spelling that names something else than the row.

use std::collections::{HashMap, HashSet};

use crate::contribute::rule_interface::{CatalogNames, Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, Severity};
use crate::values::text::normalise;
use crate::values::{EntityKind, HardwareClass};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(309),
    title: "a spelling that names something else",
    severity: Severity::Error,
    page: "`device-raw`, `network-raw`, `framework-raw` and `dataset-raw` keep the source's own spelling. Where that is, or holds, the name of another entity than the row's (one that is neither its family nor its relative), one of the two is wrong: most often the id was copied from a neighbour.

Names are read as everywhere: without case, blanks and hyphens, the longest first, so that a \"GTX 1080 Ti\" is no 1080. Where sources call an entity by the name of another one, an alias says so with the occasion in brackets: RetinaNet has the alias \"SSD (MLPerf Training from v2.0 on)\".",
    sample: Sample::edited("measurements/imagined-2018/inference.toml", "Acme Nova 100 16GB", "Acme Core 9"),
    check: Check::Rows(find),
};

fn find(context: &LintContext<'_>, found: &mut Findings) {
    for (field, kind) in Field::of_entities() {
        if let Some(raw) = field.raw() {
            find_field(context, (field, kind, raw), found);
        }
    }
}

fn find_field(context: &LintContext<'_>, (field, kind, raw): (Field, EntityKind, Field), found: &mut Findings) {
    let names = CatalogNames::of(&context.loaded.catalog, kind);
    let called = called_at_times(context, kind);
    // A batch repeats its spellings in every row.
    let mut seen: HashMap<(&str, &str), Option<String>> = HashMap::new();
    for (at, row) in context.loaded.rows.iter().enumerate() {
        let measurement = row.get();
        let (Some(id), Some(spelling)) = (measurement.text(field), measurement.text(raw)) else { continue };
        // With a backend the spelling may name either.
        if field == Field::Framework && measurement.text(Field::Backend).is_some() {
            continue;
        }
        let other = seen.entry((id, spelling)).or_insert_with(|| {
            let is_called = called.contains(&(id, normalise(spelling)));
            other_than(context, kind, &names, id, spelling).filter(|_| !is_called)
        });
        if let Some(other) = other {
            let message = format!("the source's {spelling:?} is `{other}`, the row says `{id}`");
            found
                .in_row(&IndexedRow { at, row }, field.key(), message, "not what the source spells")
                .beside([raw.key().into()], "its spelling")
                .help(format!("{} = \"{other}\", or mend the spelling", field.key()))
                // By these they would be kin.
                .rests_on(kind, Some(id), "variant-of")
                .rests_on(kind, Some(other), "variant-of");
        }
    }
}

/// Entities with the names that an alias gives them on an occasion: `SSD (MLPerf Training from v2.0 on)`.
fn called_at_times<'c>(context: &LintContext<'c>, kind: EntityKind) -> HashSet<(&'c str, String)> {
    let entities = context.loaded.catalog.entities().filter(|entity| entity.kind() == kind);
    let called = entities.flat_map(|entity| entity.aliases().iter().map(move |alias| (entity.id(), alias)));
    called.filter_map(|(id, alias)| Some((id, normalise(alias.split_once(" (")?.0)))).collect()
}

/// What the spelling names, if that is neither the entity nor a relative of it.
fn other_than(
    context: &LintContext<'_>,
    kind: EntityKind,
    names: &CatalogNames<'_>,
    id: &str,
    spelling: &str,
) -> Option<String> {
    let named = names.named_in(spelling);
    let own = lineage(context, kind, id);
    if let Some(sibling) = sibling(context, kind, &named, id, spelling) {
        return Some(sibling);
    }
    let is_kin = |other: &str| {
        other == id
            || own.iter().any(|kin| kin == other)
            || lineage(context, kind, other).iter().any(|kin| own.contains(kin))
    };
    if named.is_empty() || named.iter().any(|(_, ids)| ids.iter().any(|other| is_kin(other))) {
        return None;
    }
    // The graphics of a processor are told by it: "Celeron N5105: UHD Graphics".
    let class = |id: &str| context.loaded.catalog.devices.get(id).map(|device| device.class);
    let whole = normalise(spelling);
    let inside = |name: &str, other: &str| {
        name != whole && class(other) == Some(HardwareClass::Cpu) && class(id) != Some(HardwareClass::Cpu)
    };
    let first = named.iter().filter_map(|(name, ids)| Some((name, ids.first()?)));
    let mut others = first.filter(|(name, other)| !inside(name, other)).map(|(_, other)| other);
    others.find(|other| !is_part(kind, id, other, spelling)).map(|other| (*other).to_owned())
}

/// What the whole spelling is the name of, if that is another member of the entity's family: a PCIe board is no SXM module,
/// ResNet-152 no ResNet-50. A family's name may stand for each member, and a member's revision for it.
fn sibling(
    context: &LintContext<'_>,
    kind: EntityKind,
    named: &[(String, &[&str])],
    id: &str,
    spelling: &str,
) -> Option<String> {
    let [(name, ids)] = named else { return None };
    let [other] = ids else { return None };
    let apart = || !lineage(context, kind, id).iter().any(|kin| kin == other);
    let is_other = *name == normalise(spelling) && *other != id && !is_part(kind, id, other, spelling) && apart();
    (is_other && !lineage(context, kind, other).iter().any(|kin| kin == id)).then(|| (*other).to_owned())
}

/// Whether the row's entity is the named one with more: a network with that backbone, the CPU of that board.
fn is_part(kind: EntityKind, id: &str, other: &str, spelling: &str) -> bool {
    let (id, other) = (normalise(id), normalise(other));
    if kind == EntityKind::Network {
        // `retinanet-r-50` of a page that says R50.
        return id.contains(&other.replace("resnet", "r")) || id.contains(&other);
    }
    let Some((before, after)) = id.split_once(&other).map(|(a, b)| (a.to_owned(), b.to_owned())) else {
        return false;
    };
    let spelled = normalise(spelling);
    [before, after].iter().all(|rest| {
        let rest = rest.trim_end_matches("cpu").trim_end_matches("gpu");
        rest.is_empty() || spelled.contains(rest)
    })
}

/// The entity and its families.
fn lineage(context: &LintContext<'_>, kind: EntityKind, id: &str) -> Vec<String> {
    let catalog = &context.loaded.catalog;
    let Ok(parsed) = id.parse() else { return Vec::new() };
    let all = match kind {
        EntityKind::Device => catalog.device_lineage(&parsed),
        EntityKind::Network => catalog.network_lineage(&parsed),
        _ => vec![parsed],
    };
    all.iter().map(ToString::to_string).collect()
}
