//! Finds rows that do not fit their network, and networks whose figures differ from those of their family.

use std::collections::BTreeMap;

use crate::comparability::nearest_factors;
use crate::contribute::rule_interface::{Check, Findings, IndexedRow, LintContext, Rule, Sample};
use crate::model::{Code, Field, LANGUAGE_TASKS, Network, Severity};
use crate::values::text::and_list;
use crate::values::{Counted, Decimal, EntityId, EntityKind, Shape, Stage};

pub(in crate::contribute) const UNFIT_FOR_NETWORK: Rule = Rule {
    code: Code::new(312),
    title: "a row that does not fit its network",
    severity: Severity::Error,
    page: "A network of pictures counts no tokens, reads no sequence of them and has no prefill; a network of language counts no images and no frames; its data set is of its kind; a picture has its channels first (`3x224x224`); no text has more than ten million tokens. One of the two is of another row.",
    sample: Sample::edited("measurements/imagined-2018/training.toml", r#"counts = "image""#, r#"counts = "token""#),
    check: Check::Row(find_unfit_for_network),
};

/// The kind of input that networks of a task read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Input {
    Pictures,
    Language,
    Sound,
    Tables,
}

/// The kind of input of a task, by its name; `None` if it is ambiguous.
fn input_of(task: &str) -> Option<Input> {
    const PICTURES: &[&str] = &[
        "image-classification",
        "object-detection",
        "instance-segmentation",
        "semantic-segmentation",
        "face-detection",
        "face-recognition",
        "pose-estimation",
        "panoptic-segmentation",
        "super-resolution",
        "depth-estimation",
        "image-denoising",
    ];
    const SOUND: &[&str] = &["speech-recognition", "speech-synthesis", "keyword-spotting", "sound-classification"];
    const TABLES: &[&str] = &["recommendation", "forecasting", "regression"];
    let kinds = [
        (Input::Pictures, PICTURES),
        (Input::Language, LANGUAGE_TASKS),
        (Input::Sound, SOUND),
        (Input::Tables, TABLES),
    ];
    kinds.into_iter().find(|(_, tasks)| tasks.contains(&task)).map(|(input, _)| input)
}

fn find_unfit_for_network(context: &LintContext<'_>, row: &IndexedRow<'_>, found: &mut Findings) {
    let measurement = row.get();
    if let Some(shape) = measurement.input_shape().filter(is_channels_last) {
        let message = format!("the input {shape} has its channels last");
        found.in_row(row, Field::InputShape.key(), message, "channels first: 3x224x224");
    }
    if let Some(length) = measurement.count(Field::SequenceLength).filter(|length| *length > MOST_TOKENS) {
        let message = format!("a sample of {length} tokens");
        found.in_row(row, Field::SequenceLength.key(), message, "longer than any text");
    }
    let Some(network) = measurement.text(Field::Network) else { return };
    let reads_pictures = || {
        let shape = context.loaded.catalog.networks.get(network)?.input_shape.as_ref()?;
        is_picture(shape).then_some(Input::Pictures)
    };
    let Some(input) = context.task(network).and_then(input_of).or_else(reads_pictures) else { return };
    let pictures = input == Input::Pictures;
    if let Some(counts) = measurement.counts() {
        let unfit = match input {
            Input::Pictures => matches!(counts, Counted::Token | Counted::Sequence),
            Input::Language => matches!(counts, Counted::Image | Counted::Frame),
            Input::Sound | Input::Tables => false,
        };
        if unfit {
            let what = if pictures { "pictures" } else { "language" };
            let message = format!("`{network}` is a network of {what} and counts no {counts}s");
            found.in_row(row, Field::Counts.key(), message, "counts something else").rests_on(
                EntityKind::Network,
                Some(network),
                "task",
            );
        }
    }
    for field in [Field::SequenceLength, Field::InputLength, Field::OutputLength] {
        if pictures && measurement.count(field).is_some() {
            let message = format!("`{network}` is a network of pictures and reads no sequence of tokens");
            found.in_row(row, field.key(), message, "a length of language models").rests_on(
                EntityKind::Network,
                Some(network),
                "task",
            );
        }
    }
    if let Some(stage) = measurement.stage().filter(|stage| pictures && matches!(stage, Stage::Prefill | Stage::Decode))
    {
        let message = format!("`{network}` is a network of pictures and has no {stage}");
        found.in_row(row, Field::Stage.key(), message, "a stage of language models").rests_on(
            EntityKind::Network,
            Some(network),
            "task",
        );
    }
    let dataset = measurement.text(Field::Dataset).and_then(|id| context.loaded.catalog.datasets.get(id));
    if let Some(dataset) = dataset
        && let Some(of) = dataset.task.as_deref()
        && of != context.task(network).unwrap_or_default()
        && input_of(of) != Some(input)
    {
        let message = format!("`{network}` is not run on `{}`, a data set for {of}", dataset.id);
        found
            .in_row(row, Field::Dataset.key(), message, "a data set for another task")
            .rests_on(EntityKind::Network, Some(network), "task")
            .rests_on(EntityKind::Dataset, Some(dataset.id.as_str()), "task");
    }
}

/// Maximum sequence length: the longest context of a published model is 10^7 tokens (Llama 4 Scout).
const MOST_TOKENS: i64 = 10_000_000;

/// Whether a shape is a picture with channels first: `3x224x224`.
pub(super) fn is_picture(shape: &Shape) -> bool {
    matches!(shape.extents(), [1 | 3, height, width] if *height > 16 && *width > 16)
}

/// Whether a shape is a picture with channels last: `224x224x3`.
pub(super) fn is_channels_last(shape: &Shape) -> bool {
    matches!(shape.extents(), [height, width, channels] if [1, 3, 4].contains(channels) && *height > 4 && *width > 4)
}

pub(in crate::contribute) const NETWORK_RELATIONS: Rule = Rule {
    code: Code::new(218),
    title: "figures of a network unlike those of its family",
    severity: Severity::Warning,
    page: "Networks of one family use each of their parameters about as often for each pixel: multiply-adds over parameters and pixels of the nearest member differ by less than three times, and a network with about twice those of its three nearest relatives, which agree, states operations: a multiply-add is two. None has the multiply-adds of a relative with other parameters, or with another input, to the third digit. A network that stands alone does not do so a hundred times more or less often than every network of its task. Networks that are called alike (`efficientnet-b4` and `tf-efficientnet-b4`) and have the same parameters have nearly the same multiply-adds for a pixel, and the other way. More is a unit (millions, operations, an input of another size), a digit, or the figure of another column.",
    sample: Sample::edited("catalog/networks/deepnet-50.toml", "multiply-adds-g = 4.0", "multiply-adds-g = 400.0"),
    check: Check::Catalog(find_network_relations),
};

/// Maximum factor to the nearest member of the family.
const WITHIN_FAMILY: f64 = 2.5;

/// Maximum factor to the nearest network of the task; super-resolution and denoising use few weights.
const WITHIN_TASK: f64 = 20.0;

const UNIT: f64 = 10_000.0;

/// A comparison needs at least this many other networks.
const FEWEST_OTHERS: usize = 2;

fn find_network_relations(context: &LintContext<'_>, found: &mut Findings) {
    let networks = &context.loaded.catalog.networks;
    let mut families: BTreeMap<&str, Vec<(&EntityId, f64)>> = BTreeMap::new();
    let mut tasks: BTreeMap<String, Vec<(&EntityId, f64)>> = BTreeMap::new();
    for (id, network) in networks {
        let Some(uses) = uses_for_a_pixel(network) else { continue };
        if let Some(family) = network.family.as_ref().or(network.variant_of.as_ref()) {
            families.entry(family.as_str()).or_default().push((id, uses));
        }
        if let Some(task) = task_of(context, network) {
            tasks.entry(task).or_default().push((id, uses));
        }
    }
    let mut told: BTreeMap<&EntityId, (f64, String)> = BTreeMap::new();
    let mut compared: Vec<&EntityId> = Vec::new();
    for (family, members) in families {
        if members.len() > FEWEST_OTHERS {
            compared.extend(members.iter().map(|(id, _)| *id));
            far(&members, WITHIN_FAMILY, &format!("its family `{family}`"), &mut told);
        }
    }
    for (task, members) in tasks.into_iter().filter(|(_, members)| members.len() > FEWEST_OTHERS) {
        let mut alone = BTreeMap::new();
        far(&members, WITHIN_TASK, &format!("all networks for {task}"), &mut alone);
        told.extend(alone.into_iter().filter(|(id, _)| !compared.contains(id)));
    }
    twins(networks, &mut told);
    against_relatives(context, &told, found);
    twice_their_equals(context, &told, found);
    for (id, (factor, among)) in told {
        let Some(place) = context.place(EntityKind::Network, id.as_str()) else { continue };
        // Reports the figure that is farther from those of related networks.
        let figures = |of: fn(&Network) -> Option<Decimal>| {
            let family = context.network_lineage(id.as_str());
            let is_like =
                |other: &&Network| context.network_lineage(other.id.as_str()).iter().any(|kin| family.contains(kin));
            let own = of(&networks[id]).map(|figure| figure.value()).filter(|own| *own > 0.0)?;
            let others = networks.values().filter(|other| other.id != *id).filter(is_like).filter_map(of);
            others.map(|other| (other.value() / own).ln().abs()).reduce(f64::min)
        };
        let (work, size) = (figures(|network| network.multiply_adds_g), figures(|network| network.parameters_m));
        let key = if size.unwrap_or(0.0) > work.unwrap_or(0.0) + UNLIKE { "parameters-m" } else { "multiply-adds-g" };
        let other = if key == "parameters-m" { "multiply-adds-g" } else { "parameters-m" };
        let message = format!(
            "for its parameters and input, `{id}` has {factor:.1} times as many or as few multiply-adds as the nearest of {among}"
        );
        found
            .at(place, [key.into()], message, "parameters are in millions, multiply-adds in 10^9 for one sample")
            .of(id)
            .beside([other.into()], "or this")
            .beside(["input-shape".into()], "channels first")
            .help("is a unit wrong, or are the figures those of another input?");
    }
}

/// How much farther a figure must be from the related ones than the other figure, as a logarithm (about a factor of two).
const UNLIKE: f64 = 0.7;

/// Number of relatives, those with the nearest parameter counts, that determine what is usual.
const NEAREST: usize = 3;

/// Maximum factor between these relatives, so that they agree on what is usual.
const AGREEMENT: f64 = 1.35;

/// A network counts operations (two per multiply-add) if its value is this many times the relatives' and this far from each.
const TWICE: std::ops::RangeInclusive<f64> = 1.6..=2.5;
const OVER_EACH: f64 = 1.4;

/// A network with this many times the parameters of another does not have the same multiply-adds to three digits.
const OTHER_SIZE: f64 = 1.3;

/// Reports networks whose multiply-adds equal a relative's, or are twice what the relatives suggest. Relatives share a
/// family; without a family, their ids differ only in numbers.
fn against_relatives(context: &LintContext<'_>, told: &BTreeMap<&EntityId, (f64, String)>, found: &mut Findings) {
    let mut groups: BTreeMap<String, Vec<(&Network, f64, f64)>> = BTreeMap::new();
    for network in context.loaded.catalog.networks.values().filter(|network| !told.contains_key(&network.id)) {
        let (Some(uses), Some(parameters)) = (uses_for_a_pixel(network), network.parameters_m) else { continue };
        let numbers = |id: &EntityId| id.as_str().split(|c: char| c.is_ascii_digit()).collect::<Vec<_>>().join("#");
        let family = network.family.as_ref().or(network.variant_of.as_ref());
        let group = family.map_or_else(|| numbers(&network.id), ToString::to_string);
        groups.entry(group).or_default().push((network, uses, parameters.value()));
    }
    for members in groups.values() {
        for (own, uses, parameters) in members {
            let Some(place) = context.place(EntityKind::Network, own.id.as_str()) else { continue };
            let apart = |size: &f64| (size / parameters).ln().abs();
            let mut others: Vec<_> = members.iter().filter(|(other, ..)| other.id != own.id).collect();
            let work = |network: &Network| network.multiply_adds_g.map(|work| work.to_string()).unwrap_or_default();
            let digits = work(own).trim_start_matches(['0', '.']).bytes().filter(u8::is_ascii_digit).count();
            let is_copied = |(other, _, size): &&&(&Network, f64, f64)| {
                let input = |network: &Network| {
                    let sides = network.input_shape.as_ref()?.extents().iter();
                    Some(sides.map(|side| f64::from(*side)).product::<f64>())
                };
                let other_input = input(own).zip(input(other)).map(|(own, other)| (own / other).ln().abs());
                let is_other_work = match other.input_shape == own.input_shape {
                    true => apart(size) > OTHER_SIZE.ln(),
                    false => apart(size) < SAME_PARAMETERS.ln() && other_input > Some(OTHER_SIZE.ln()),
                };
                digits >= 3 && work(other) == work(own) && is_other_work
            };
            if let Some((other, ..)) = others.iter().find(is_copied) {
                let differs = if other.input_shape == own.input_shape { "other parameters" } else { "another input" };
                let message = format!("`{}` and `{}` have the same multiply-adds and {differs}", own.id, other.id);
                let finding =
                    found.at(place, ["multiply-adds-g".into()], message, "copied from the other?").of(&own.id);
                if let Some(other) = context.place(EntityKind::Network, other.id.as_str()) {
                    finding.related(other, "the other");
                }
                continue;
            }
            others.sort_by(|a, b| apart(&a.2).total_cmp(&apart(&b.2)));
            others.truncate(NEAREST);
            let mut usual: Vec<f64> = others.iter().map(|(_, uses, _)| *uses).collect();
            usual.sort_by(f64::total_cmp);
            let [least, .., most] = usual[..] else { continue };
            let middle = f64::midpoint(usual[(usual.len() - 1) / 2], usual[usual.len() / 2]);
            if most / least < AGREEMENT && TWICE.contains(&(uses / middle)) && *uses > most * OVER_EACH {
                let names = and_list(&others.iter().map(|(other, ..)| format!("`{}`", other.id)).collect::<Vec<_>>());
                let message = format!(
                    "for its parameters and input, `{}` has {:.1} times as many multiply-adds as {names}",
                    own.id,
                    uses / middle
                );
                found
                    .at(place, ["multiply-adds-g".into()], message, "FLOPs? A multiply-add is two of them")
                    .of(&own.id)
                    .beside(["parameters-m".into()], "in millions")
                    .help("write half of it, if the source counts multiplications and additions");
            }
        }
    }
}

/// Networks with the same input and nearly the same parameters need similar multiply-adds. One with twice as many as
/// three such networks, and unlike all others, most likely states operations.
const EQUAL_SIZE: f64 = 1.012;
const FEWEST_EQUALS: usize = 3;
const HALF: std::ops::RangeInclusive<f64> = 1.94..=2.06;
const ABOUT_AS_MANY: std::ops::RangeInclusive<f64> = 0.75..=1.34;

/// Reports networks with twice the multiply-adds of all others of the same input and size.
fn twice_their_equals(context: &LintContext<'_>, told: &BTreeMap<&EntityId, (f64, String)>, found: &mut Findings) {
    let mut groups: BTreeMap<String, Vec<(&Network, f64, f64)>> = BTreeMap::new();
    for network in context.loaded.catalog.networks.values() {
        let figures = network.parameters_m.zip(network.multiply_adds_g).zip(network.input_shape.as_ref());
        let Some(((size, work), shape)) = figures else { continue };
        groups.entry(shape.to_string()).or_default().push((network, size.value(), work.value()));
    }
    for members in groups.into_values() {
        for (own, size, work) in members.iter().filter(|(own, ..)| !told.contains_key(&own.id)) {
            let is_equal = |(other, theirs, _): &&(&Network, f64, f64)| {
                other.id != own.id && (theirs / size).max(size / theirs) <= EQUAL_SIZE
            };
            let equals: Vec<f64> = members.iter().filter(is_equal).map(|(.., theirs)| work / theirs).collect();
            let halves = equals.iter().filter(|factor| HALF.contains(factor)).count();
            let is_alone = !equals.iter().any(|factor| ABOUT_AS_MANY.contains(factor));
            if let Some(place) = context.place(EntityKind::Network, own.id.as_str())
                && halves >= FEWEST_EQUALS
                && is_alone
            {
                let message =
                    format!("`{}` has twice the multiply-adds of {halves} networks of its size and input", own.id);
                found
                    .at(place, ["multiply-adds-g".into()], message, "FLOPs? A multiply-add is two of them")
                    .of(&own.id)
                    .help("write half of it, if the source counts multiplications and additions");
            }
        }
    }
}

/// If two networks with similar names agree in one figure within its tolerance, the other may differ by at most [`ALIKE`].
const SAME_PARAMETERS: f64 = 1.003;

const SAME_WORK: f64 = 1.02;

const ALIKE: f64 = 1.5;

/// Reports networks with similar names that agree in one figure but not in the other.
fn twins<'n>(networks: &'n BTreeMap<EntityId, Network>, told: &mut BTreeMap<&'n EntityId, (f64, String)>) {
    let figures = |(id, network): (&'n EntityId, &'n Network)| {
        let parameters = network.parameters_m?.value();
        Some((id, parameters, uses_for_a_pixel(network)? * parameters))
    };
    let mut all: Vec<(&EntityId, f64, f64)> = networks.iter().filter_map(figures).collect();
    let mut compare = |key: fn(&(&EntityId, f64, f64)) -> [f64; 2], same: f64| {
        all.sort_by(|a, b| key(a)[0].total_cmp(&key(b)[0]).then(a.0.cmp(b.0)));
        for (at, one) in all.iter().enumerate() {
            let [own, other] = key(one);
            for twin in all[at + 1..].iter().take_while(|twin| key(twin)[0] <= own * same) {
                let factor = key(twin)[1] / other;
                let factor = factor.max(1.0 / factor);
                if factor > ALIKE && are_called_alike(one.0.as_str(), twin.0.as_str()) {
                    told.entry(one.0).or_insert_with(|| (factor, format!("its like, `{}`", twin.0)));
                    told.entry(twin.0).or_insert_with(|| (factor, format!("its like, `{}`", one.0)));
                }
            }
        }
    };
    compare(|(_, parameters, work)| [*parameters, *work], SAME_PARAMETERS);
    compare(|(_, parameters, work)| [*work, *parameters], SAME_WORK);
}

/// Whether one name contains the other and the rest has no digit; another number means another network.
fn are_called_alike(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    let rest = long.find(short).map(|at| [&long[..at], &long[at + short.len()..]]);
    rest.is_some_and(|rest| !rest.iter().any(|part| part.contains(|c: char| c.is_ascii_digit())))
}

fn far<'n>(
    members: &[(&'n EntityId, f64)],
    within: f64,
    among: &str,
    told: &mut BTreeMap<&'n EntityId, (f64, String)>,
) {
    let values: Vec<f64> = members.iter().map(|(_, uses)| *uses).collect();
    for ((id, _), factor) in members.iter().zip(nearest_factors(&values)) {
        // A larger factor is a unit error, which another rule reports.
        if (within..UNIT).contains(&factor) && factor > within {
            told.insert(id, (factor, among.to_owned()));
        }
    }
}

/// The task of the network or of its nearest family that states one.
fn task_of(context: &LintContext<'_>, network: &Network) -> Option<String> {
    let networks = &context.loaded.catalog.networks;
    let lineage = context.loaded.catalog.network_lineage(&network.id);
    network.task.clone().or_else(|| lineage.iter().find_map(|id| networks.get(id)?.task.clone()))
}

/// Uses of each parameter per pixel, or per sample if the input is not a picture.
fn uses_for_a_pixel(network: &Network) -> Option<f64> {
    let (parameters, work) = (network.parameters_m?.value(), network.multiply_adds_g?.value());
    let pixels = network.input_shape.as_ref().map_or(PIXELS, pixels);
    (parameters > 0.0 && work > 0.0).then(|| work * 1e3 / parameters / pixels)
}

/// Number of pixels in the usual picture.
const PIXELS: f64 = 224.0 * 224.0;

fn pixels(shape: &Shape) -> f64 {
    match shape.extents() {
        [_, height, width] => f64::from(*height) * f64::from(*width),
        _ => PIXELS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_more_is_the_same_network_and_a_number_more_another() {
        assert!(are_called_alike("efficientnet-b4", "tf-efficientnet-b4"));
        assert!(!are_called_alike("vit-base", "vit-base-patch8-224"));
        assert!(!are_called_alike("resnet-50", "resnet-101"));
    }
}
