//! Figures of a device that cannot be.

use crate::contribute::rule_interface::{Check, Findings, LintContext, Rule, Sample};
use crate::model::{Code, Severity};
use crate::reading::Step;
use crate::values::EntityKind;

pub(in crate::contribute) const RULE: Rule = Rule {
    code: Code::new(212),
    title: "figures of a device that cannot be",
    severity: Severity::Error,
    page: "Units slip: MB for GiB, GFLOP/s for TFLOP/s, mW for W. And some figures bound each other: a matrix unit is not slower than the plain one of its format, fp16 not much slower on it than fp32, the boost clock not below the base clock.",
    sample: Sample::edited("catalog/devices/nova-100-32gb.toml", "memory-gib = 32", "memory-gib = 32768"),
    check: Check::Catalog(find),
};
fn find(context: &LintContext<'_>, found: &mut Findings) {
    for (id, device) in &context.loaded.catalog.devices {
        let Some(place) = context.place(EntityKind::Device, id.as_str()) else { continue };
        for (key, value, least, most, unit) in [
            ("memory-gib", device.memory_gib, 0.000_01, 8192.0, "GiB"),
            ("bandwidth-gb-per-s", device.bandwidth_gb_per_s, 0.01, 50_000.0, "GB/s"),
            ("tdp-w", device.tdp_w, 0.000_1, 30_000.0, "W"),
            ("base-clock-mhz", device.base_clock_mhz, 1.0, 10_000.0, "MHz"),
            ("boost-clock-mhz", device.boost_clock_mhz, 1.0, 10_000.0, "MHz"),
            ("process-nm", device.process_nm, 1.0, 1000.0, "nm"),
            ("launch-price-usd", device.launch_price_usd, 0.5, 5_000_000.0, "US dollars"),
        ] {
            if let Some(value) = value.filter(|value| !(least..=most).contains(&value.value())) {
                let message = format!("`{key}` of `{id}` is {value} {unit}");
                found.at(place, [key.into()], message, "is the unit right?").of(id);
            }
        }
        if let (Some(base), Some(boost)) = (device.base_clock_mhz, device.boost_clock_mhz)
            && boost.value() < base.value()
        {
            let message = format!("the boost clock of `{id}` is below its base clock of {base} MHz");
            found.at(place, ["boost-clock-mhz".into()], message, "below the base clock").of(id);
        }
        for (format, peak) in &device.peak_tflops {
            let key = || ["peak-tflops".into(), Step::from(<&str>::from(format))];
            if peak.value() > 100_000.0 {
                let message = format!("the {format} peak of `{id}` is {peak} TFLOP/s");
                found.at(place, key(), message, "is it in GFLOP/s?").of(id);
            }
            let Some(plain) =
                format.on_plain_units().and_then(|plain| device.peak_tflops.get(&plain).map(|p| (plain, p)))
            else {
                continue;
            };
            if peak.value() < plain.1.value() * 0.99 {
                let message = format!("the {format} peak of `{id}` is below its {} peak of {}", plain.0, plain.1);
                found.at(place, key(), message, "a matrix unit is not slower").of(id);
            }
        }
    }
}
