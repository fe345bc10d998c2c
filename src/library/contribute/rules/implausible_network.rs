//! Figures of a network that cannot be.

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Severity};
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(213),
    title: "figures of a network that cannot be",
    severity: Severity::Error,
    page: "Parameters are in millions, multiply-adds in 10^9 for one sample, forward. Every convolution uses each of its weights at least once, so a network of images with fewer multiply-adds than a tenth of its parameters has a unit wrong; so has one that uses a weight many times for each pixel.",
    sample: Sample::edited("catalog/networks/deepnet-18.toml", "1.8", "1800000"),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    for (id, network) in &context.loaded.catalog.networks {
        let Some(place) = context.place(EntityKind::Network, id.as_str()) else { continue };
        if let Some(parameters) = network.parameters_m.filter(|p| p.value() > 2_000_000.0) {
            let message = format!("`{id}` has {parameters} million parameters");
            found.at(place, ["parameters-m".into()], message, "is it in thousands or ones?").of(id);
        }
        let (Some(parameters), Some(work)) = (network.parameters_m, network.multiply_adds_g) else { continue };
        if parameters.value() == 0.0 {
            continue;
        }
        // Without a shape it may be an image of any camera.
        let extents = network.input_shape.as_ref().map_or_else(|| "3x4096x4096".to_owned(), ToString::to_string);
        let pixels: f64 = extents.split('x').skip(1).filter_map(|extent| extent.parse::<f64>().ok()).product();
        let uses = work.value() * 1e9 / (parameters.value() * 1e6);
        // A network that enlarges its image works on more pixels than it gets.
        let least = if network.input_shape.is_some() { 0.1 } else { 0.0 };
        if !(least..=16.0 * pixels.max(1.0)).contains(&uses) {
            let message = format!("`{id}` would use each of its {parameters} million parameters {uses:.3} times");
            found.at(place, ["multiply-adds-g".into()], message, "10^9 for one sample").of(id);
        }
    }
}
