//! Rules about URLs: invalid, dead, or shared by two entities.

use std::collections::{BTreeMap, BTreeSet};

use crate::contribute::rule_interface::{
    Check, Findings, LinkStatus, LintContext, Rule, Sample, cited_urls, without_fragment,
};
use crate::model::{Catalog, Code, Device, Severity};
use crate::reading::{FileKind, Located, Step};
use crate::values::{Decimal, EntityKind};

pub(in crate::contribute) const INVALID_URL: Rule = Rule {
    code: Code::new(214),
    title: "an address that is none",
    severity: Severity::Error,
    page: "A URL begins with `https://` or `http://`, names a host, and has no blanks. A host that differs in one letter from one that many entries cite is a slip. A DOI is `10.…/…` without an address in front.",
    sample: Sample::edited("catalog/sources/imagined-2018.toml", "https://example.org", "example.org"),
    check: Check::Catalog(find_invalid_url),
};

fn find_invalid_url(context: &LintContext<'_>, found: &mut Findings) {
    let addresses = cited_urls(context.loaded);
    let mut cited: BTreeMap<&str, usize> = BTreeMap::new();
    for host in addresses.iter().filter_map(|address| host_of(&address.url)) {
        *cited.entry(host).or_default() += 1;
    }
    for address in &addresses {
        let host = host_of(&address.url);
        let times = |host: &str| cited.get(host).copied().unwrap_or_default();
        let known = host.and_then(|own| {
            let is_usual = |(other, count): &(&&str, &usize)| {
                **count >= USUAL.max(times(own) * USUAL) && strsim::osa_distance(other, own) == 1
            };
            cited.iter().find(is_usual)
        });
        if let Some((known, count)) = known {
            let message =
                format!("{:?} is one letter off {known:?}, which {count} others cite", host.unwrap_or_default());
            let steps = address.steps.iter().cloned();
            found.at(&address.place, steps, message, "a slip in the host?").of(&address.id);
        }
        let good = host.is_some_and(|host| host.contains('.')) && !address.url.contains(char::is_whitespace);
        if !good {
            let message = format!("{:?} is not an address", address.url);
            found.at(&address.place, address.steps.iter().cloned(), message, "expected https://…").of(&address.id);
        }
    }
    for (id, source) in &context.loaded.catalog.sources {
        let Some(place) = context.place(EntityKind::Source, id.as_str()) else { continue };
        let own = source.doi.iter().map(|doi| (doi, vec![Step::from("doi")]));
        let published = source.published.iter().map(|version| (&version.doi, vec!["published".into(), "doi".into()]));
        for (doi, steps) in own.chain(published).filter(|(doi, _)| !(doi.starts_with("10.") && doi.contains('/'))) {
            found.at(place, steps, format!("{doi:?} is not a DOI"), "expected 10.…/…").of(id);
        }
    }
}

/// A host is suspected to be a typo of a similar host that is cited this many times as often, and at least this many times.
const USUAL: usize = 5;

fn host_of(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    rest.split(['/', '?', '#']).next()
}

pub(in crate::contribute) const DEAD_LINK: Rule = Rule {
    code: Code::new(215),
    title: "an address that does not answer",
    severity: Severity::Info,
    page: "Only `dlbench check --online` asks. The page is gone, has moved for good, or its server does not answer now. Cite where it is today, or a copy in an archive; a citation with commit and date stays good when the page is gone. Servers that refuse programs are named in `catalog/kb.toml`, under `[[unasked]]` with the beginning of their addresses and the reason, and are not asked again.",
    sample: Sample::edited("catalog/sources/imagined-2018.toml", "https://example.org", "https://gone.example.org"),
    check: Check::Online(find_dead_link),
};

fn find_dead_link(context: &LintContext<'_>, found: &mut Findings) {
    let Some(replies) = &context.options.link_statuses else { return };
    let all = cited_urls(context.loaded);
    for address in &all {
        let (message, label, help) = match replies.get(without_fragment(&address.url)) {
            None | Some(LinkStatus::Answers) => continue,
            Some(LinkStatus::Moved(to)) => {
                let help = format!("write {to:?} if the same stands there");
                ("the address has moved for good".to_owned(), format!("now at {to}"), help)
            }
            Some(LinkStatus::HttpError(status @ (404 | 410))) => {
                let help = "cite where it is today, or a copy in an archive".to_owned();
                (format!("the page is gone: HTTP status {status}"), "not there any more".to_owned(), help)
            }
            Some(LinkStatus::HttpError(status)) => {
                let help = "look at it with a browser; a server that refuses programs goes into `[[unasked]]` of catalog/kb.toml";
                (format!("the server answers with HTTP status {status}"), "no page".to_owned(), help.to_owned())
            }
            Some(LinkStatus::NotAsked(why)) => {
                let help = "cite a page that everybody can read";
                (format!("not asked: {why}"), "leads behind a door".to_owned(), help.to_owned())
            }
            Some(LinkStatus::Unreachable(why)) => {
                (format!("no answer: {why}"), "does not answer".to_owned(), "try again another day".to_owned())
            }
        };
        let steps = address.steps.iter().cloned();
        found.at(&address.place, steps, message, label).of(&address.id).help(help);
    }
    let Some((_, file)) = context.loaded.files.iter().find(|(file, _)| matches!(file.kind, FileKind::Info)) else {
        return;
    };
    for unasked in context.loaded.info.iter().flat_map(|info| &info.unasked) {
        if !all.iter().any(|address| address.url.starts_with(&unasked.address)) {
            let start = file.text.find(&unasked.address).unwrap_or_default();
            let message = format!("no cited address begins with {}", unasked.address);
            found.in_text(file, start..start + unasked.address.len(), message, "remove this entry");
        }
    }
}

pub(in crate::contribute) const SHARED_IDENTIFIER: Rule = Rule {
    code: Code::new(113),
    title: "one address or identifier for two entities",
    severity: Severity::Warning,
    page: "Two frameworks do not share a homepage or a repository, two boards no PCI id, two sources no address, no notes and, in two repositories, no commit, two devices not all of their facts and none of a model number. One was copied with the entry; or the two entries are one.",
    sample: Sample::edited(
        "catalog/devices/nova-100-32gb.toml",
        "memory-type = \"HBM2\"",
        "memory-type = \"HBM2\"\npci-ids = [\"10de:1234\"]",
    ),
    check: Check::Catalog(find_shared_identifier),
};

/// The facts that identify a board: two boards with equal facts are the same board.
fn facts_of(device: &Device) -> Option<String> {
    let number = |value: &Option<Decimal>| value.as_ref().map(|value| value.to_string());
    let [memory, bandwidth, clock] =
        [&device.memory_gib, &device.bandwidth_gb_per_s, &device.boost_clock_mhz].map(number);
    let power = number(&device.tdp_w).unwrap_or_default();
    let released = device.release_date.map(|date| date.to_string()).unwrap_or_default();
    let (chip, cores) = (device.chip.as_deref()?, device.cores?);
    Some(format!(
        "{chip}, {cores} cores at {} MHz, {} GiB at {} GB/s, {power} W, {released}",
        clock?, memory?, bandwidth?
    ))
}

/// Words of a board's name that are often omitted.
const BRANDS: &[&str] = &["geforce", "radeon", "graphics", "gpu", "card"];

/// The name without vendor and brand, followed by the memory size and class.
fn short_name(device: &Device) -> Option<String> {
    let (vendor, memory) = (device.vendor.as_deref()?, device.memory_gib.as_ref()?.to_string());
    let name = device.name.to_lowercase().replace(&vendor.to_lowercase(), " ");
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !BRANDS.contains(word));
    let name: String = words.collect();
    let name = ["gb", "gib"].iter().find_map(|unit| name.strip_suffix(&format!("{memory}{unit}"))).unwrap_or(&name);
    Some(format!("{vendor} {name} with {memory} GiB, a {}", device.class))
}

/// Minimum length in bytes for notes that only one source should have; short remarks may repeat.
const LONG_NOTES: usize = 40;

const SAME_NOTES: &str = "notes";

/// Whether sources from different repositories state this commit.
fn is_of_two_repositories(catalog: &Catalog, commit: &str) -> bool {
    let sources = catalog.sources.values().filter(|source| source.commit.as_deref() == Some(commit));
    let repositories: BTreeSet<String> = sources.filter_map(|source| repository_of(source.url.as_deref()?)).collect();
    repositories.len() > 1
}

/// Host, owner and name of the repository that a URL points into.
fn repository_of(url: &str) -> Option<String> {
    let path = url.split_once("://")?.1.to_lowercase();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).take(3).collect();
    (parts.len() == 3).then(|| parts.join("/").trim_end_matches(".git").to_owned())
}

type Owner<'l> = (&'l Located<()>, &'l str, Vec<Step>);

fn find_shared_identifier(context: &LintContext<'_>, found: &mut Findings) {
    let catalog = &context.loaded.catalog;
    let mut owners: BTreeMap<(&str, String), Vec<Owner<'_>>> = BTreeMap::new();
    let mut add = |what: &'static str, value: String, kind: EntityKind, id, steps: Vec<Step>| {
        if let Some(place) = context.place(kind, id) {
            owners.entry((what, value.trim_end_matches('/').to_lowercase())).or_default().push((place, id, steps));
        }
    };
    for framework in catalog.frameworks.values() {
        for (key, url) in [("homepage", &framework.homepage), ("repository", &framework.repository)] {
            if let Some(url) = url {
                add(key, url.clone(), EntityKind::Framework, framework.id.as_str(), vec![key.into()]);
            }
        }
    }
    for device in catalog.devices.values() {
        for (at, pci) in device.pci_ids.iter().enumerate() {
            add("PCI id", pci.clone(), EntityKind::Device, device.id.as_str(), vec!["pci-ids".into(), at.into()]);
        }
    }
    for source in catalog.sources.values() {
        if let Some(url) = &source.url {
            add("address", url.clone(), EntityKind::Source, source.id.as_str(), vec!["url".into()]);
        }
        if let Some(notes) = source.notes.as_ref().filter(|notes| notes.len() >= LONG_NOTES) {
            add(SAME_NOTES, notes.clone(), EntityKind::Source, source.id.as_str(), vec!["notes".into()]);
        }
        // Several sources may come from one repository.
        if let Some(commit) = source.commit.as_ref().filter(|commit| is_of_two_repositories(catalog, commit)) {
            add("commit", commit.clone(), EntityKind::Source, source.id.as_str(), vec!["commit".into()]);
        }
    }
    for device in catalog.devices.values() {
        for (what, value) in [("set of facts", facts_of(device)), ("name", short_name(device))] {
            if let Some(value) = value {
                add(what, value, EntityKind::Device, device.id.as_str(), vec!["name".into()]);
            }
        }
    }
    for ((what, value), owners) in owners {
        let [(first, other, _), ..] = owners.as_slice() else { continue };
        let several = owners.iter().any(|(_, id, _)| id != other);
        for (place, id, steps) in owners.iter().filter(|_| several) {
            let (with, there) = if id == other { (owners[1].1, owners[1].0) } else { (*other, *first) };
            let message = match what == SAME_NOTES {
                true => format!("`{id}` and `{with}` have the same {what}"),
                false => format!("`{id}` and `{with}` have one {what}, {value}"),
            };
            found.at(place, steps.iter().cloned(), message, "the other's, too").of(id).related(there, "the other one");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_host_owner_and_name() {
        let of = |url| repository_of(url);
        assert_eq!(of("https://github.com/Acme/bench"), of("https://github.com/acme/bench/tree/main/results"));
        assert_ne!(of("https://github.com/acme/bench"), of("https://github.com/acme/other"));
        assert_eq!(of("https://example.org/page"), None);
    }
}
