//! Rules about spellings: a name of two entities, a source's spelling read in two ways, a word other entries spell differently.

use std::collections::{BTreeMap, HashMap};

use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, LocatedEntity, Rule, Sample};
use crate::model::{Code, Field, Measurement, Severity};
use crate::reading::{Located, Step};
use crate::values::text::normalise;
use crate::values::{EntityId, EntityKind};

pub(in crate::contribute) const AMBIGUOUS_NAME: Rule = Rule {
    code: Code::new(104),
    title: "one name for two entities",
    severity: Severity::Error,
    page: "A question that uses the name would mean both, and an import could not tell which was measured. Names are compared without case, blanks, hyphens and dots.

Keep the name with the entity that people mean by it; make it longer at the other (`GeForce GTX 1080 mobile`). Where a maker gave two products one name, keep it at both and except this rule at one with the reason.",
    sample: Sample::edited("catalog/networks/deepnet-18.toml", "deepnet eighteen", "deepnet 50"),
    check: Check::Catalog(find_ambiguous_name),
};

/// An entity with a name, by index, and which of its aliases it is (`None` for its id or name).
type Owner = (usize, Option<usize>);

fn find_ambiguous_name(context: &LintContext<'_>, found: &mut Findings) {
    let mut owners: BTreeMap<(EntityKind, String), Vec<Owner>> = BTreeMap::new();
    let entities: Vec<LocatedEntity<'_>> = context.entities().collect();
    for (at, entity) in entities.iter().map(|located| located.entity).enumerate() {
        let own = [entity.id(), entity.name()].map(|name| (name, None));
        let others = entity.aliases().iter().enumerate().map(|(alias, name)| (name.as_str(), Some(alias)));
        for (name, alias) in own.into_iter().chain(others) {
            let named = owners.entry((entity.kind(), normalise(name))).or_default();
            if !named.iter().any(|(other, _)| *other == at) {
                named.push((at, alias));
            }
        }
    }
    for ((kind, _), named) in &owners {
        // Report an alias if there is one, because the name of an entity is harder to change; of two aliases, the one
        // less similar to its entity's name.
        let mut named = named.clone();
        let is_foreign = |at: usize, alias: usize| {
            let entity = entities[at].entity;
            let alias = normalise(&entity.aliases()[alias]);
            ![entity.id(), entity.name()].iter().any(|own| normalise(own).contains(&alias))
        };
        named.sort_by_key(|(at, alias)| (alias.is_some(), alias.is_some_and(|alias| is_foreign(*at, alias))));
        let [(first, _), rest @ ..] = named.as_slice() else { continue };
        for (second, alias) in rest {
            let (first, second) = (&entities[*first], &entities[*second]);
            let name = alias.map_or(second.entity.name(), |alias| &second.entity.aliases()[alias]);
            let steps = match alias {
                Some(alias) => vec!["aliases".into(), (*alias).into()],
                None => vec!["name".into()],
            };
            let message = format!(
                "the name {name:?} leads to two {}: `{}` and `{}`",
                kind.plural(),
                first.entity.id(),
                second.entity.id()
            );
            found
                .at(second.place, steps, message, "this name")
                .of(second.entity.id())
                .related(first.place, "the other one")
                .help("keep it at one of them, or make it longer");
        }
    }
}

pub(in crate::contribute) const ONE_SPELLING: Rule = Rule {
    code: Code::new(320),
    title: "one spelling of a source read in two ways",
    severity: Severity::Warning,
    page: "A source that writes \"V100\" and no more does not say which V100. Where its rows of one spelling, host and instance name the family and some of them a member, the member is a guess, or the others could name it, too: the finding stands at the rows that are fewer.",
    sample: Sample::edited(
        "measurements/imagined-2018/inference.toml",
        "device = \"nova-100-16gb\"\ndevice-raw = \"Acme Nova 100 16GB\"\nnetwork = \"deepnet-50\"\nstage = \"eval\"\nprecision = \"fp32\"\n\n[[run]]\n",
        "device = \"nova-100\"\ndevice-raw = \"Nova\"\nnetwork = \"deepnet-50\"\nstage = \"eval\"\nprecision = \"fp32\"\n\n[[run]]\ndevice = \"nova-100-16gb\"\n",
    ),
    check: Check::Rows(find_one_spelling),
};

/// How a source identifies where something ran: source, spelling of the device, host, instance.
type Spelling<'l> = (&'l str, &'l str, Option<&'l str>, Option<&'l str>);

fn spelling(measurement: &Measurement) -> Option<(Spelling<'_>, &str)> {
    let raw = measurement.text(Field::DeviceRaw)?;
    let machine = (measurement.text(Field::Host), measurement.text(Field::Instance));
    Some(((measurement.source().as_str(), raw, machine.0, machine.1), measurement.text(Field::Device)?))
}

fn find_one_spelling(context: &LintContext<'_>, found: &mut Findings) {
    let rows = &context.loaded.rows;
    let mut devices: HashMap<Spelling<'_>, BTreeMap<&str, usize>> = HashMap::new();
    for (spelling, device) in rows.iter().filter_map(|row| spelling(row.get())) {
        *devices.entry(spelling).or_default().entry(device).or_default() += 1;
    }
    devices.retain(|_, named| named.len() > 1);
    for (at, row) in rows.iter().enumerate() {
        let Some((spelling, device)) = spelling(row.get()) else { continue };
        let Some(named) = devices.get(&spelling) else { continue };
        let own = named[device];
        let kin = named.iter().find(|(other, rows)| {
            let is_fewer = own < **rows || own == **rows && is_member(context, device, other);
            is_fewer && (is_member(context, device, other) || is_member(context, other, device))
        });
        if let Some((other, rows)) = kin {
            let raw = spelling.1;
            let message = format!("{raw:?} is `{device}` here, and `{other}` in {rows} other rows of the source");
            found
                .in_row(&IndexedRow { at, row }, Field::Device.key(), message, "does the source say which?")
                .beside([Field::DeviceRaw.key().into()], "all that it says");
        }
    }
}

/// Whether a device is a member of a family.
fn is_member(context: &LintContext<'_>, device: &str, family: &str) -> bool {
    let members = context.members.iter().find(|(id, _)| id.as_str() == family).map(|(_, members)| members);
    members.is_some_and(|members| members.iter().map(|id| EntityId::as_str(id)).any(|id| id == device))
}

pub(in crate::contribute) const OTHER_SPELLING: Rule = Rule {
    code: Code::new(225),
    title: "a word that other entries spell otherwise",
    severity: Severity::Warning,
    page: "Vendors, architectures, dies, kinds of memory, languages and tasks are words that many entries share, and filters find them as they are written: `image classification` is another task than `image-classification`, `nvidia` another vendor than `NVIDIA`. The rule takes spellings that differ in case, blanks and hyphens only, words of one entry that differ in one letter from a word of at least three, and other names of a language (`cpp` for `C++`), and tells of those that are fewer.",
    sample: Sample::edited(
        "catalog/datasets/tiny-pictures.toml",
        r#""image-classification""#,
        r#""image classification""#,
    ),
    check: Check::Catalog(find_other_spelling),
};

/// A word of an entry: its place, the entry's id, the key, the index in the key's list (if it is a list), and the word.
type Word<'l> = (&'l Located<()>, &'l str, &'static str, Option<usize>, &'l str);

/// Other names of languages, in normalised form, with the name that frameworks use.
const LANGUAGES: &[(&str, &str)] = &[
    ("cpp", "C++"),
    ("cxx", "C++"),
    ("cplusplus", "C++"),
    ("csharp", "C#"),
    ("golang", "Go"),
    ("js", "JavaScript"),
    ("py", "Python"),
    ("python3", "Python"),
    ("ts", "TypeScript"),
];

/// Normalises a word for comparison.
fn form(word: &str) -> String {
    let normal = normalise(word);
    LANGUAGES.iter().find(|(other, _)| *other == normal).map_or(normal, |(_, usual)| normalise(usual))
}

fn words<'l>(context: &LintContext<'l>) -> Vec<Word<'l>> {
    let catalog = &context.loaded.catalog;
    let mut all: Vec<Word<'l>> = Vec::new();
    let mut add = |kind, id: &'l str, facts: &[(&'static str, &'l Option<String>)]| {
        let Some(place) = context.place(kind, id) else { return };
        all.extend(facts.iter().filter_map(|(key, word)| Some((place, id, *key, None, word.as_deref()?))));
    };
    for (id, device) in &catalog.devices {
        let facts = [
            ("vendor", &device.vendor),
            ("architecture", &device.architecture),
            ("chip", &device.chip),
            ("form-factor", &device.form_factor),
            ("memory-type", &device.memory_type),
        ];
        add(EntityKind::Device, id.as_str(), &facts);
    }
    for (id, network) in &catalog.networks {
        add(EntityKind::Network, id.as_str(), &[("task", &network.task)]);
    }
    for (id, dataset) in &catalog.datasets {
        add(EntityKind::Dataset, id.as_str(), &[("task", &dataset.task)]);
    }
    for (id, framework) in &catalog.frameworks {
        let Some(place) = context.place(EntityKind::Framework, id.as_str()) else { continue };
        let lists = [("core-languages", &framework.core_languages), ("api-languages", &framework.api_languages)];
        for (key, words) in lists {
            all.extend(words.iter().enumerate().map(|(at, word)| (place, id.as_str(), key, Some(at), word.as_str())));
        }
    }
    all
}

/// Minimum letters of a word that counts as a typo, and minimum number of entries that have the correct word.
const LETTERS: usize = 5;
const MANY: usize = 3;

fn find_other_spelling(context: &LintContext<'_>, found: &mut Findings) {
    let words = words(context);
    let mut spellings: HashMap<(&str, String), BTreeMap<&str, usize>> = HashMap::new();
    for (_, _, key, _, word) in &words {
        *spellings.entry((key, form(word))).or_default().entry(word).or_default() += 1;
    }
    // Finds words of a single entry that are one edit away from a word of many entries.
    let counts: Vec<(&str, &str, usize)> = spellings
        .iter()
        .flat_map(|((key, _), alike)| alike.iter().map(|(word, count)| (*key, *word, *count)))
        .collect();
    let is_word = |word: &str| word.len() >= LETTERS && !word.contains(|c: char| c.is_ascii_digit());
    for (key, word, _) in counts.iter().filter(|(_, word, count)| *count == 1 && is_word(word)) {
        let is_slip = |(_, other, _): &&(&str, &str, usize)| strsim::damerau_levenshtein(word, other) == 1;
        let usual = counts.iter().filter(|(own, _, count)| own == key && *count >= MANY).find(is_slip);
        if let (Some((_, usual, count)), Some(alike)) = (usual, spellings.get_mut(&(*key, form(word)))) {
            alike.insert(usual, *count);
        }
    }
    spellings.retain(|_, alike| alike.len() > 1);
    for (place, id, key, at, word) in words {
        let Some(alike) = spellings.get(&(key, form(word))) else { continue };
        let own = alike.get(word).copied().unwrap_or_default();
        let Some((usual, count)) = alike.iter().filter(|(other, _)| **other != word).max_by_key(|(_, count)| **count)
        else {
            continue;
        };
        if own <= *count {
            let message = format!("`{key}` is {word:?} here, and {usual:?} in {count} other entries");
            let steps = [key.into()].into_iter().chain(at.map(Step::from));
            found.at(place, steps.collect::<Vec<_>>(), message, "another spelling of one word").of(id);
        }
    }
}
