//! Finds entries whose name or URL contradicts their facts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::networks::{is_channels_last, is_picture};
use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{CatalogEntity, Citation, CloudOffer, Code, Field, Network, Severity};
use crate::reading::Located;
use crate::values::text::or_list;
use crate::values::{EntityId, EntityKind, Shape};

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(220),
    title: "an entry whose name says something else",
    severity: Severity::Warning,
    page: "The number in an id stands in the name too; CIFAR-10 has ten classes; a board called SXM2 has that form factor, one called 12 GB that memory; a name that begins with a maker has that vendor; the year of a network is that of its paper's number at arXiv or the next, and a source called 2018 is of that year; the latest release of a framework is one that the title of its citation names; an instance of a cloud holds as many devices as its name says, the same by every offer, at a price that other offers of the device come near; pictures have their channels first; more samples are for training than for the test, and some row ran a data set at its own shape; a network is for what its family is for, or for something of the same kind; a network whose name begins like a family is in no other one, and one called 8B has about 8,000 million parameters. Instances of one series hold one device, and those of one size as many.",
    sample: Sample::edited("catalog/networks/deepnet-50.toml", "DeepNet-50", "DeepNet-60"),
    check: Check::Catalog(find),
};

fn find(context: &LintContext<'_>, found: &mut Findings) {
    let catalog = &context.loaded.catalog;
    let devices = catalog.devices.values().map(|device| device as &dyn CatalogEntity);
    let networks = catalog.networks.values().map(|network| network as &dyn CatalogEntity);
    for entity in devices.chain(networks) {
        if let Some(place) = context.place(entity.kind(), entity.id()) {
            numbers(entity, place, found);
        }
    }
    devices_of(context, found);
    offers_of(context, found);
    networks_of(context, found);
    datasets_of(context, found);
    sources_of(context, found);
    frameworks_of(context, found);
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is tested")
}

static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\d+"));

/// Reports a number in the id that the name lacks, if the name has a number that the id lacks.
fn numbers(entity: &dyn CatalogEntity, place: &Located<()>, found: &mut Findings) {
    let (id, name) = (entity.id(), entity.name());
    let numbers = |text| -> Vec<&str> { NUMBER.find_iter(text).map(|number| number.as_str()).collect() };
    let (in_id, in_name) = (numbers(id), numbers(name));
    // `efficientnet-b12` may be written "B1 2"; equal digits count as equal numbers.
    if in_id.concat() == in_name.concat() {
        return;
    }
    let lacks = in_id.iter().find(|number| !in_name.contains(number) && !in_name.concat().contains(**number));
    let lacks = lacks.or_else(|| in_id.iter().find(|number| !in_name.contains(number)));
    let more = in_name.iter().find(|number| !in_id.contains(number));
    if let (Some(lacks), Some(more)) = (lacks, more) {
        let message = format!("`{id}` is called {name:?}: {more} stands for {lacks}");
        found.at(place, ["name".into()], message, "another number than in the id").of(id);
    }
}

fn devices_of(context: &LintContext<'_>, found: &mut Findings) {
    let devices = &context.loaded.catalog.devices;
    let vendors: std::collections::BTreeSet<&str> = devices.values().filter_map(|d| d.vendor.as_deref()).collect();
    for (id, device) in devices {
        let Some(place) = context.place(EntityKind::Device, id.as_str()) else { continue };
        let first = device.name.split_whitespace().next().unwrap_or_default();
        if let Some(own) = device.vendor.as_deref()
            && own != first
            && vendors.contains(first)
        {
            let message = format!("`{id}` is called {:?}, its vendor is {own:?}", device.name);
            found.at(place, ["vendor".into()], message, "another maker than in its name").of(id);
        }
        if let Some(form) = device.form_factor.as_deref() {
            let (form, name) = (form.to_lowercase(), device.name.to_lowercase());
            let wrong = ["sxm", "pcie", "nvl"].into_iter().find(|kind| name.contains(kind) && !form.contains(kind));
            if let Some(kind) = wrong {
                let message = format!("`{id}` is called {:?}, and its form factor is not {kind}", device.name);
                found.at(place, ["form-factor".into()], message, "another form than in its name").of(id);
            }
        }
        if let Some(year) = device.release_date.map(|date| date.year()).filter(|year| !(1970..2100).contains(year)) {
            found.at(place, ["release-date".into()], format!("`{id}` is of {year}"), "is that the year?").of(id);
        }
    }
}

/// An instance, as described by one offer.
struct Offered<'l> {
    device: &'l EntityId,
    /// The index of the offer among those of the device.
    at: usize,
    offer: &'l CloudOffer,
}

fn offers_of(context: &LintContext<'_>, found: &mut Findings) {
    let mut instances: BTreeMap<(&str, &str), Vec<Offered<'_>>> = BTreeMap::new();
    for (device, entry) in &context.loaded.catalog.devices {
        for (at, offer) in entry.cloud.iter().enumerate() {
            let key = (offer.provider.as_str(), offer.instance.as_str());
            instances.entry(key).or_default().push(Offered { device, at, offer });
        }
    }
    for offered in instances.values().flatten() {
        let Offered { device, offer, .. } = offered;
        let devices = offer.devices.unwrap_or(1);
        if devices > MOST_IN_AN_INSTANCE || devices > 8 && devices % 4 != 0 {
            let message = format!("{} holds {devices} of `{device}`", offer.instance);
            tell_offer(context, offered, "devices", message, "1, 2, 4, 8, 12 or 16 in an instance?", found);
        }
        let price = offer.usd_per_hour.map(|price| price.value() / devices.max(1) as f64);
        if let Some(price) = price.filter(|price| !(0.01..=MOST_AN_HOUR).contains(price)) {
            let message = format!("an hour of one `{device}` in {} costs {price:.2} dollars", offer.instance);
            tell_offer(context, offered, "usd-per-hour", message, "for an hour, in dollars", found);
        }
        for (whose, most) in [("its provider", MOST_TIMES_OF_PROVIDER), ("any provider", MOST_TIMES)] {
            let is_far = |(price, other): &(f64, f64)| price.max(*other) > price.min(*other) * most;
            // If two prices of a provider differ, the one far from most providers' prices is wrong.
            let prices = prices_of_kin(context, offered, false);
            if price.zip(prices.get(prices.len() / 2).copied()).is_none_or(|prices| !is_far(&prices)) {
                continue;
            }
            let apart = |other: &f64| (other / price.unwrap_or(1.0)).ln().abs();
            let of_kin = prices_of_kin(context, offered, most < MOST_TIMES).into_iter();
            let nearest = of_kin.min_by(|a, b| apart(a).total_cmp(&apart(b)));
            if let Some((price, nearest)) = price.zip(nearest).filter(is_far) {
                let message = format!("an hour of one `{device}` in {} costs {price:.2} dollars", offer.instance);
                let label = format!("{nearest:.2} in the nearest other offer of {whose}");
                tell_offer(context, offered, "usd-per-hour", message, &label, found);
                break;
            }
        }
        if let Some((said, own)) = count_in_name(offer).zip(offer.devices)
            && said != own
        {
            let message = format!("{} holds {own} of `{device}`", offer.instance);
            tell_offer(context, offered, "devices", message, "another count than in its name", found);
        }
    }
    series_of(context, &instances, found);
    for all in instances.values().filter(|all| all.len() > 1) {
        for offered in all {
            let others = || all.iter().filter(|other| other.at != offered.at || other.device != offered.device);
            let instance = &offered.offer.instance;
            let counts = |other: &&Offered<'_>| other.offer.devices.zip(offered.offer.devices);
            let differs = others().find(|other| counts(other).is_some_and(|(other, own)| other != own));
            let agrees = others().any(|other| counts(&other).is_some_and(|(other, own)| other == own));
            if let Some((other, own)) =
                differs.as_ref().and_then(counts).filter(|_| !agrees && count_in_name(offered.offer).is_none())
            {
                let message = format!("{instance} holds {own} of `{}`, by another offer {other}", offered.device);
                tell_offer(context, offered, "devices", message, "one of the two is wrong", found);
            }
            let strange = others().find(|other| !context.is_kin(other.device.as_str(), offered.device.as_str()));
            let is_alone = !others().any(|other| context.is_kin(other.device.as_str(), offered.device.as_str()));
            if let Some(other) = strange.filter(|_| is_alone) {
                let message = format!("{instance} holds `{}`, by another offer `{}`", offered.device, other.device);
                tell_offer(context, offered, "device", message, "one of the two is wrong", found);
            }
        }
    }
}

/// Splits `p5.48xlarge`, `g2-standard-16` or `Standard_NC24ads_A100_v4` into series, the prefix shared by sibling series, and size.
static SERIES: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?<series>(?<siblings>[a-z]+\d+)[\w-]*(?:\.|-[a-z]+-))(?<size>\d+\w*)$"));

/// Minimum number of other instances of a series or size that agree.
const FEWEST_LIKE: usize = 2;

/// Reports the one instance in a series with another device, and the one instance of a size with another device count.
fn series_of(context: &LintContext<'_>, instances: &BTreeMap<(&str, &str), Vec<Offered<'_>>>, found: &mut Findings) {
    let mut series: BTreeMap<(&str, &str), Vec<&Offered<'_>>> = BTreeMap::new();
    let mut sizes: BTreeMap<(&str, &str, &str), Vec<&Offered<'_>>> = BTreeMap::new();
    for ((provider, instance), all) in instances {
        if let (Some(name), Some(offered)) = (SERIES.captures(instance), all.first()) {
            let part = |name: Option<regex::Match<'_>>| name.map_or("", |part| &instance[part.range()]);
            series.entry((provider, part(name.name("series")))).or_default().push(offered);
            if instance.contains('.') {
                let siblings = (*provider, part(name.name("siblings")), part(name.name("size")));
                sizes.entry(siblings).or_default().push(offered);
            }
        }
    }
    let kin = |a: &Offered<'_>, b: &Offered<'_>| context.is_kin(a.device.as_str(), b.device.as_str());
    for all in series.values().filter(|all| all.len() > FEWEST_LIKE) {
        for own in all {
            let others: Vec<_> = all.iter().filter(|other| other.offer.instance != own.offer.instance).collect();
            if others.iter().all(|other| !kin(own, other) && kin(other, others[0])) {
                let message = format!(
                    "{} holds `{}`, all others of its series `{}`",
                    own.offer.instance, own.device, others[0].device
                );
                tell_offer(context, own, "device", message, "another device than its series", found);
            }
        }
    }
    for all in sizes.values().filter(|all| all.len() > FEWEST_LIKE) {
        for own in all {
            let mut others = all.iter().filter(|other| other.offer.instance != own.offer.instance);
            let first = others.clone().next().and_then(|other| other.offer.devices);
            if own.offer.devices.is_some()
                && own.offer.devices != first
                && others.all(|other| other.offer.devices == first)
            {
                let (own_count, usual) = (own.offer.devices.unwrap_or(1), first.unwrap_or(1));
                let message = format!("{} holds {own_count} of `{}`", own.offer.instance, own.device);
                let label = format!("the others of its size hold {usual}");
                tell_offer(context, own, "devices", message, &label, found);
            }
        }
    }
}

/// The price per device hour in the other offers of related devices, cheapest first.
fn prices_of_kin(context: &LintContext<'_>, offered: &Offered<'_>, of_provider: bool) -> Vec<f64> {
    let price = |offer: &CloudOffer| Some(offer.usd_per_hour?.value() / offer.devices.unwrap_or(1).max(1) as f64);
    let devices = context.loaded.catalog.devices.values();
    let kin = devices.filter(|other| context.is_kin(other.id.as_str(), offered.device.as_str()));
    let is_other = |other: &&CloudOffer| {
        !std::ptr::eq(*other, offered.offer) && (!of_provider || other.provider == offered.offer.provider)
    };
    let mut prices: Vec<f64> = kin.flat_map(|other| &other.cloud).filter(is_other).filter_map(price).collect();
    prices.sort_unstable_by(f64::total_cmp);
    prices
}

fn tell_offer(
    context: &LintContext<'_>,
    offered: &Offered<'_>,
    key: &str,
    message: String,
    label: &str,
    found: &mut Findings,
) {
    if let Some((place, steps)) = context.offer(offered.device, offered.at, key) {
        found.at(place, steps, message, label).of(offered.device);
    }
}

/// The device count in the name of an instance.
fn count_in_name(offer: &CloudOffer) -> Option<i64> {
    COUNT_IN_INSTANCE.captures(&offer.instance)?[1].parse().ok()
}

/// Matches the count in `gpu_8x_h100_sxm5` and `a2-highgpu-8g`.
static COUNT_IN_INSTANCE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:^gpu_|highgpu-|megagpu-|ultragpu-)(\d+)[xg]"));

/// Maximum devices in an instance: clouds rent out machines, not racks.
const MOST_IN_AN_INSTANCE: i64 = 64;
/// Maximum price ratio to the nearest other offer of a device, and within a provider; here all are below six, and two.
const MOST_TIMES: f64 = 6.0;
const MOST_TIMES_OF_PROVIDER: f64 = 4.0;
/// Maximum price of a device hour; the most expensive accelerators cost about 15 dollars on demand.
const MOST_AN_HOUR: f64 = 40.0;

static ARXIV: LazyLock<Regex> = LazyLock::new(|| pattern(r"arxiv\.org/(?:abs|pdf)/(\d\d)(\d\d)\.\d{4,5}"));

/// Whether an arXiv number can start with this year and month; this form began in 2007.
fn is_of_a_month(year: i64, month: &str) -> bool {
    (2007..2060).contains(&year) && month.parse().is_ok_and(|month: u8| (1..=12).contains(&month))
}

fn networks_of(context: &LintContext<'_>, found: &mut Findings) {
    for (id, network) in &context.loaded.catalog.networks {
        let Some(place) = context.place(EntityKind::Network, id.as_str()) else { continue };
        let paper = network.paper.as_deref().and_then(|paper| ARXIV.captures(paper));
        let of_paper = paper.as_ref().and_then(|found| found[1].parse::<i64>().ok()).map(|year| 2000 + year);
        let strange = paper.zip(of_paper).filter(|(paper, year)| !is_of_a_month(*year, &paper[2]));
        if let Some((paper, _)) = &strange {
            let message = format!("arXiv has no paper {}", &paper[0]);
            found.at(place, ["paper".into()], message, "year and month, 1905, and a number").of(id);
        }
        let of_paper = of_paper.filter(|_| strange.is_none());
        if let (Some(year), Some(of_paper)) = (network.year, of_paper)
            && !(of_paper..=of_paper + 1).contains(&year)
        {
            let message = format!("`{id}` is of {year}, its paper came to arXiv in {of_paper}");
            found
                .at(place, ["year".into()], message, "another year than its paper's")
                .of(id)
                .beside(["paper".into()], "the paper");
        } else if let Some(year) = network.year.filter(|year| !(FIRST_NETWORK..2100).contains(year)) {
            found.at(place, ["year".into()], format!("`{id}` is of {year}"), "is that the year?").of(id);
        }
        family_of_name(context, network, place, found);
        size_of_name(network, place, found);
        if let Some(shape) = network.input_shape.as_ref().filter(|shape| is_nearly_square(shape)) {
            let message = format!("the input {shape} of `{id}` has two sides of the same digits");
            found.at(place, ["input-shape".into()], message, "a square?").of(id);
        }
        if let Some(shape) = network.input_shape.as_ref().filter(|shape| is_channels_last(shape)) {
            let message = format!("the input {shape} of `{id}` has its channels last");
            found.at(place, ["input-shape".into()], message, "channels first: 3x224x224").of(id);
        }
        if let (Some(task), Some(pictures)) = (&network.task, network.input_shape.as_ref().map(is_picture))
            && pictures
            && ["machine-translation", "text-generation", "language-model"].contains(&task.as_str())
        {
            let message = format!("`{id}` reads pictures, and its task is {task}");
            found.at(place, ["task".into()], message, "a task of language").of(id);
        }
        let family = network.family.as_ref().and_then(|family| Some((family, context.task(family.as_str())?)));
        let own = network.task.as_deref();
        if let (Some((family, of_family)), Some(own)) = (family, own)
            && is_of_language(of_family) != is_of_language(own)
            && network.input_shape.as_ref().is_some_and(is_picture)
        {
            let message = format!("`{id}` is for {own}, its family `{family}` for {of_family}");
            found
                .at(place, ["family".into()], message, "a family for something else")
                .of(id)
                .beside(["task".into()], "its task");
        }
    }
}

/// Whether height and width have the same digits in another order: `3x242x224`.
fn is_nearly_square(shape: &Shape) -> bool {
    let [_, height, width] = shape.extents() else { return false };
    let digits = |side: u32| {
        let mut digits: Vec<u8> = side.to_string().into_bytes();
        digits.sort_unstable();
        digits
    };
    height != width && digits(*height) == digits(*width)
}

/// Matches a size in billions of parameters: `8B`, `1.5b`; for `A3B` the active ones.
static BILLIONS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)(?:^|[^a-z0-9.])(\d+(?:\.\d+)?) ?b(?:[^a-z0-9]|$)"));

/// Tolerance: names are rounded, and not all count embedding layers; the largest deviation is a factor of 3.2.
const MOST_OFF_NAME: f64 = 5.0;

/// Reports a parameter count that contradicts the size in the name.
fn size_of_name(network: &Network, place: &Located<()>, found: &mut Findings) {
    let Some(parameters) = network.parameters_m.map(|parameters| parameters.value()).filter(|m| *m > 0.0) else {
        return;
    };
    let named: Vec<f64> = billions(&network.name);
    let apart = |billions: &f64| (parameters / (billions * 1000.0)).ln().abs();
    if let Some(nearest) = named.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)))
        && apart(nearest) > MOST_OFF_NAME.ln()
    {
        let id = &network.id;
        let message = format!("`{id}` is called {:?} and has {parameters} million parameters", network.name);
        let label = format!("about {} by its name: is it in billions?", nearest * 1000.0);
        found.at(place, ["parameters-m".into()], message, label).of(id);
    }
}

/// The sizes in a name, in 10^9.
fn billions(name: &str) -> Vec<f64> {
    let sizes = BILLIONS.captures_iter(name).filter_map(|found| found[1].parse().ok());
    sizes.filter(|billions: &f64| *billions > 0.0).collect()
}

/// Minimum number of family members that share the task of the family.
const FEWEST_MEMBERS: usize = 4;

/// Reports a network in another family than its id suggests, and a family whose members all have another task.
fn family_of_name(context: &LintContext<'_>, network: &Network, place: &Located<()>, found: &mut Findings) {
    let (networks, id) = (&context.loaded.catalog.networks, network.id.as_str());
    let members = |family: &str| -> Vec<&Network> {
        networks.values().filter(|other| other.family.as_ref().is_some_and(|own| own.as_str() == family)).collect()
    };
    if let Some(own) = &network.family
        && !own.as_str().split('-').any(|word| id.contains(word))
    {
        let mut stems =
            id.rmatch_indices('-').map(|(at, _)| &id[..at]).filter(|stem| members(stem).len() >= FEWEST_LIKE);
        if let Some(stem) =
            stems.next().filter(|stem| !context.network_lineage(own.as_str()).iter().any(|kin| kin == stem))
        {
            let message = format!("`{id}` is in the family `{own}`, and its name begins like the family `{stem}`");
            found.at(place, ["family".into()], message, "another family than its name says").of(id);
        }
    }
    let of_members = members(id);
    let tasks: Vec<&str> = of_members.iter().filter_map(|member| member.task.as_deref()).collect();
    if let (Some(own), Some(first)) = (network.task.as_deref(), tasks.first())
        && own != *first
        && tasks.len() >= FEWEST_MEMBERS
        && tasks.iter().all(|task| task == first)
    {
        let message = format!("`{id}` is for {own}, all members of the family for {first}");
        found.at(place, ["task".into()], message, "another task than its members'").of(id);
    }
}

/// The earliest year of a network: LeNet-5 is of 1998, and no measured network precedes perceptron and LeNet.
const FIRST_NETWORK: i64 = 1985;

fn is_of_language(task: &str) -> bool {
    ["language", "translation", "text-generation", "question-answering", "text-classification"]
        .iter()
        .any(|of| task.contains(of))
}

static LAST_NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"-(\d+)(k?)$"));

fn datasets_of(context: &LintContext<'_>, found: &mut Findings) {
    let mut shapes: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for row in &context.loaded.rows {
        if let (Some(dataset), Some(shape)) = (row.get().text(Field::Dataset), row.get().input_shape()) {
            shapes.entry(dataset).or_default().insert(shape.to_string());
        }
    }
    for (id, dataset) in &context.loaded.catalog.datasets {
        let Some(place) = context.place(EntityKind::Dataset, id.as_str()) else { continue };
        // Rows may enlarge pictures for some networks, but not for all.
        let own = dataset.input_shape.as_ref().map(ToString::to_string);
        if let (Some(own), Some(run)) = (own, shapes.get(id.as_str()))
            && !run.contains(&own)
        {
            let run = or_list(&run.iter().map(String::as_str).collect::<Vec<_>>());
            let message = format!("the input of `{id}` is {own}, and all rows that state theirs ran it at {run}");
            found.at(place, ["input-shape".into()], message, "is that the shape of a sample?").of(id);
        }
        let said = LAST_NUMBER
            .captures(id.as_str())
            .and_then(|found| Some(found[1].parse::<i64>().ok()? * if &found[2] == "k" { 1000 } else { 1 }));
        if let (Some(said), Some(classes)) = (said, dataset.classes)
            && said != classes
        {
            let message = format!("`{id}` has {classes} classes");
            found.at(place, ["classes".into()], message, format!("its name says {said}")).of(id);
        } else if let Some(classes) = dataset.classes.filter(|classes| ODD_CLASSES.contains(classes)) {
            found.at(place, ["classes".into()], format!("`{id}` has {classes} classes"), "a digit too many?").of(id);
        }
        if let (Some(train), Some(test)) = (dataset.train_size, dataset.test_size)
            && train < test
        {
            let message = format!("`{id}` has {train} samples for training and {test} for the test");
            found
                .at(place, ["train-size".into()], message, "fewer than for the test")
                .of(id)
                .beside(["test-size".into()], "the test");
        }
        if let Some(shape) = dataset.input_shape.as_ref().filter(|shape| is_channels_last(shape)) {
            let message = format!("the samples {shape} of `{id}` have their channels last");
            found.at(place, ["input-shape".into()], message, "channels first: 3x32x32").of(id);
        }
    }
}

/// No data set has zero classes or a single one.
const ODD_CLASSES: std::ops::RangeInclusive<i64> = 0..=1;

static YEAR: LazyLock<Regex> = LazyLock::new(|| pattern(r"-((?:19|20)\d\d)$"));
static COMMIT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$"));

fn sources_of(context: &LintContext<'_>, found: &mut Findings) {
    for (id, source) in &context.loaded.catalog.sources {
        let Some(place) = context.place(EntityKind::Source, id.as_str()) else { continue };
        let said = YEAR.captures(id.as_str()).and_then(|found| found[1].parse::<i64>().ok());
        if let (Some(said), Some(year)) = (said, source.year)
            && said != year
        {
            found.at(place, ["year".into()], format!("`{id}` is of {year}"), format!("its id says {said}")).of(id);
        }
        let commit = source.commit_date.map(|date| i64::from(date.year()));
        if let (Some(commit), Some(year)) = (commit, source.year)
            && year > commit + 1
        {
            let message = format!("`{id}` is of {year}, its commit of {commit}");
            // If the id states the same year, the commit date is wrong.
            let key = if said == Some(year) { "commit-date" } else { "year" };
            found.at(place, [key.into()], message, "the commit is older by years").of(id);
        }
        if let Some(commit) = source.commit.as_deref().filter(|commit| !COMMIT.is_match(commit)) {
            let message = format!("{commit:?} is not a commit");
            found.at(place, ["commit".into()], message, "expected 40 digits of a hash").of(id);
        }
        // A remark in parentheses may follow.
        let license = source.license.as_deref().map(|text| text.split(" (").next().unwrap_or(text));
        if let Some(name) = license.and_then(nearly_spdx) {
            let message = format!("the licence of `{id}` is `{name}`, spelled otherwise");
            found.at(place, ["license".into()], message, format!("write {name:?}")).of(id);
        }
    }
}

/// Common names of licences, with their SPDX ids.
const SHORT_LICENSES: &[(&str, &str)] = &[
    ("Apache", "Apache-2.0"),
    ("Apache 2", "Apache-2.0"),
    ("Apache License 2.0", "Apache-2.0"),
    ("MIT License", "MIT"),
    ("The MIT License", "MIT"),
    ("CC0", "CC0-1.0"),
    ("MPL 2", "MPL-2.0"),
];

/// The SPDX id that equals a text except for punctuation and case; `None` for the id itself and for other words.
fn nearly_spdx(license: &str) -> Option<&'static str> {
    if spdx::license_id(license).is_some() {
        return None;
    }
    let plain = |text: &str| text.to_lowercase().replace([' ', '-', '_'], "");
    let hyphened = license.replace([' ', '_'], "-");
    let named = spdx::license_id(&hyphened).map(|id| id.name).filter(|name| plain(name) == plain(license));
    named.or_else(|| SHORT_LICENSES.iter().find(|(short, _)| plain(short) == plain(license)).map(|(_, id)| *id))
}

static RELEASE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(?:release|version) v?(\d+(?:\.\d+)+(?:[.-]?[a-z]+[\w.]*\w)?)"));

/// Whether a release is the one in a title, or a later build of it: `2.7.post2` for 2.7.
fn is_release(own: &str, title: &str) -> bool {
    own.strip_prefix(title).is_some_and(|rest| rest.is_empty() || rest.starts_with(".post") || rest.starts_with("-"))
}

fn frameworks_of(context: &LintContext<'_>, found: &mut Findings) {
    for (id, framework) in &context.loaded.catalog.frameworks {
        let Some(place) = context.place(EntityKind::Framework, id.as_str()) else { continue };
        let year = framework.first_release.map(|date| date.year());
        if let Some(year) = year.filter(|year| !(1990..2100).contains(year)) {
            found.at(place, ["first-release".into()], format!("`{id}` is of {year}"), "is that the year?").of(id);
        }
        let titles: Vec<&str> = Citation::covering(&framework.sources, "latest-release")
            .filter_map(|citation| Some(RELEASE.captures(citation.title.as_deref()?)?.get(1)?.as_str()))
            .collect();
        if let Some(latest) = framework
            .latest_release
            .as_deref()
            .filter(|own| !titles.is_empty() && !titles.iter().any(|title| is_release(own, title)))
        {
            let message = format!("the latest release of `{id}` is {latest}, its citation names {}", or_list(&titles));
            found.at(place, ["latest-release".into()], message, "another release than in the title").of(id);
        }
        let latest = framework.sources.iter().filter_map(|citation| citation.accessed).map(|date| date.year()).max();
        if let (Some(year), Some(latest)) = (year, latest)
            && year > latest
        {
            let message = format!("`{id}` was released in {year}, and its page read in {latest}");
            found.at(place, ["first-release".into()], message, "later than its citation").of(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_states_billions_of_parameters() {
        assert_eq!(billions("LLaMA 3 8B"), [8.0]);
        assert_eq!(billions("Qwen2.5 1.5B-Instruct"), [1.5]);
        assert_eq!(billions("Qwen3 30B-A3B"), [30.0]);
        assert_eq!(billions("ViT-B/16"), [0.0; 0]);
        assert_eq!(billions("YOLOv8b"), [0.0; 0]);
    }
}
