//! How the catalog calls its entries: what a new one is called like them, learnt from those that are there.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::identity::id_of;
use crate::model::Device;
use crate::reading::Loaded;
use crate::values::spelling::normalise;
use crate::values::{EntityId, EntityKind};

/// `32 GB` of a name, which is `32gb` in an id.
static SIZE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(\d+)\s+(gb|mb|tb)\b").expect("the pattern is tested"));

/// The id that the entries there suggest for a name: sizes in one word, and without the maker where its others go without.
pub(super) fn id_like_others(loaded: &Loaded, kind: EntityKind, name: &str) -> Option<EntityId> {
    let sized = SIZE.replace_all(name, "$1$2");
    let bare = match kind {
        EntityKind::Device => without_maker(loaded, &sized).filter(|(maker, _)| ids_lack(loaded, maker)),
        _ => None,
    };
    id_of(bare.map_or(&*sized, |(_, rest)| rest))
}

/// Other spellings that the entries there suggest for a name: without its product line (`RTX 4090`) where others of the line
/// are called so, and nobody else is.
pub(super) fn aliases_like_others(loaded: &Loaded, kind: EntityKind, name: &str) -> Vec<String> {
    if kind != EntityKind::Device {
        return Vec::new();
    }
    let bare = without_maker(loaded, name).map_or(name, |(_, rest)| rest);
    let short = bare.split_once(' ').filter(|(line, _)| is_left_out(loaded, line)).map(|(_, rest)| rest.to_owned());
    // A number alone, or a few letters, is the name of too many things.
    let says_enough = |alias: &String| alias.contains(|c: char| c.is_alphabetic()) && alias.len() >= 3;
    let taken: BTreeSet<String> = names(loaded, kind);
    short.into_iter().filter(|alias| says_enough(alias) && !taken.contains(&normalise(alias))).collect()
}

/// The maker that a name begins with, and the rest.
fn without_maker<'n>(loaded: &Loaded, name: &'n str) -> Option<(&'n str, &'n str)> {
    let makers = loaded.catalog.devices.values().filter_map(|device| device.vendor.as_deref());
    let rest = makers.filter_map(|maker| after(name, maker)).min_by_key(|rest| rest.len())?;
    Some((name[..name.len() - rest.len()].trim_end(), rest))
}

/// What follows a first word, or words.
fn after<'n>(name: &'n str, first: &str) -> Option<&'n str> {
    let rest =
        name.get(..first.len()).filter(|start| start.eq_ignore_ascii_case(first)).map(|_| &name[first.len()..])?;
    rest.strip_prefix(' ').map(str::trim_start).filter(|rest| !rest.is_empty())
}

/// Whether most ids of a maker's devices do without its name.
fn ids_lack(loaded: &Loaded, maker: &str) -> bool {
    let Some(prefix) = id_of(maker) else { return false };
    let of_maker = |device: &&Device| device.vendor.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(maker));
    let own: Vec<&Device> = loaded.catalog.devices.values().filter(of_maker).collect();
    own.iter().filter(|device| !device.id.as_str().starts_with(prefix.as_str())).count() * 2 > own.len()
}

/// Whether devices of a product line are called without it, too: at least two, and half of them.
fn is_left_out(loaded: &Loaded, line: &str) -> bool {
    let mut of_line = (0, 0);
    for device in loaded.catalog.devices.values() {
        let bare = device.vendor.as_deref().and_then(|maker| after(&device.name, maker)).unwrap_or(&device.name);
        let Some(short) = after(bare, line) else { continue };
        let called = device.aliases.iter().any(|alias| normalise(alias) == normalise(short));
        of_line = (of_line.0 + 1, of_line.1 + usize::from(called));
    }
    of_line.1 >= 2 && of_line.1 * 2 >= of_line.0
}

/// Every name of a kind, normalised.
fn names(loaded: &Loaded, kind: EntityKind) -> BTreeSet<String> {
    let entities = loaded.catalog.entities().filter(|entity| entity.kind() == kind);
    let names = entities.flat_map(|entity| {
        let own = [entity.id(), entity.name()].into_iter();
        own.chain(entity.aliases().iter().map(String::as_str)).map(normalise).collect::<Vec<_>>()
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::{FileKind, KbFile, kind_of, load_texts};

    fn loaded() -> Loaded {
        let entry = |id: &str, name: &str, alias: &str, vendor: &str| {
            let path = format!("catalog/devices/{id}.toml").into();
            let text = format!("name = \"{name}\"\naliases = [\"{alias}\"]\nclass = \"gpu\"\nvendor = \"{vendor}\"\n");
            (KbFile { kind: kind_of(std::path::Path::new(&path)), path, len: 0, stamp: [0; 3] }, text)
        };
        let files = [
            entry("nebula-x-50", "Acme Nebula X 50", "X 50", "Acme"),
            entry("nebula-x-60", "Acme Nebula X 60", "X 60", "Acme"),
            entry("orbit-m1", "Orbit M1", "M1", "Orbit"),
            entry("orbit-m2", "Orbit M2", "M2", "Orbit"),
        ];
        let listed: Vec<KbFile> = files.iter().map(|(file, _)| file.clone()).collect();
        load_texts(&listed, |file| match &file.kind {
            FileKind::Misplaced(fault) => Err(fault.clone()),
            _ => Ok(files
                .iter()
                .find(|(own, _)| own.path == file.path)
                .map_or_else(String::new, |(_, text)| text.clone())),
        })
    }

    #[test]
    fn a_new_device_is_called_like_its_makers_others() {
        let loaded = loaded();
        let id = |name| id_like_others(&loaded, EntityKind::Device, name).map(|id| id.to_string());
        assert_eq!(id("Acme Nebula X 70 24 GB").as_deref(), Some("nebula-x-70-24gb"));
        assert_eq!(id("Orbit M3").as_deref(), Some("orbit-m3"));
        assert_eq!(id("Somebody's Z1").as_deref(), Some("somebody-s-z1"));
    }

    #[test]
    fn the_product_line_is_left_out_where_others_leave_it_out() {
        let loaded = loaded();
        let aliases = |name| aliases_like_others(&loaded, EntityKind::Device, name);
        assert_eq!(aliases("Acme Nebula X 70"), ["X 70"]);
        assert_eq!(aliases("Acme Nebula X 60"), [""; 0], "somebody else is called so");
        assert_eq!(aliases("Acme Comet X 70"), [""; 0], "nobody is called so");
    }
}
