//! The columns that a table of entities can have: one registry for each kind, under the keys of filters where there are any.

use super::shown::{list, shown, yes_no};
use crate::model::{CloudOffer, Dataset, Device, Framework, Network, NumberFormat};
use crate::stores::store::StoredKind;
use crate::values::GridColumn;
use crate::values::spelling::normalise;
use crate::values::text::nearest;

/// A column of a table of entities.
#[derive(Debug)]
pub struct EntityColumn<E: 'static> {
    /// The kebab-case key, that of the filter where the fact is one.
    pub key: &'static str,
    /// The heading, with the unit in brackets.
    pub heading: &'static str,
    /// Whether its cells are numbers.
    pub numeric: bool,
    /// Whether it is shown unless columns are chosen.
    pub usual: bool,
    value: fn(&E) -> String,
}

/// An entity of which there is a table.
pub trait TableEntity: StoredKind + 'static {
    /// Every column, in the order of the usual table.
    fn columns() -> &'static [EntityColumn<Self>];
}

impl<E> EntityColumn<E> {
    const fn text(key: &'static str, heading: &'static str, value: fn(&E) -> String) -> Self {
        Self { key, heading, numeric: false, usual: true, value }
    }

    const fn number(key: &'static str, heading: &'static str, value: fn(&E) -> String) -> Self {
        Self { numeric: true, ..Self::text(key, heading, value) }
    }

    const fn on_request(self) -> Self {
        Self { usual: false, ..self }
    }

    /// What stands in an entity's cell; empty when it is not known.
    pub fn value(&self, entity: &E) -> String {
        (self.value)(entity)
    }

    /// The column of a grid.
    pub fn grid_column(&self) -> GridColumn {
        GridColumn { heading: self.heading.to_owned(), numeric: self.numeric }
    }

    fn is_called(&self, name: &str) -> bool {
        let plain = self.heading.split_once(" [").map_or(self.heading, |(plain, _)| plain);
        [self.key, self.heading, plain].into_iter().any(|spelling| normalise(spelling) == normalise(name))
    }
}

/// The column that a person calls so; case, blanks and hyphens do not matter.
///
/// # Errors
///
/// The keys nearest to the name, or all of them.
pub fn column_named<E: TableEntity>(name: &str) -> Result<&'static EntityColumn<E>, Vec<&'static str>> {
    let columns = E::columns();
    columns.iter().find(|column| column.is_called(name)).ok_or_else(|| {
        let keys = columns.iter().map(|column| column.key);
        let near = nearest(&name.trim().to_lowercase(), keys.clone(), 3);
        if near.is_empty() { keys.collect() } else { near }
    })
}

impl TableEntity for Framework {
    fn columns() -> &'static [EntityColumn<Self>] {
        type Column = EntityColumn<Framework>;
        const COLUMNS: &[Column] = &[
            Column::text("id", "id", |f| f.id.to_string()).on_request(),
            Column::text("framework", "framework", |f| f.name.clone()),
            Column::text("maturity", "status", |f| shown(&f.status)),
            Column::text("license", "license", |f| shown(&f.license)),
            Column::text("core-language", "core", |f| f.core_languages.join(", ")),
            Column::text("api-language", "API", |f| f.api_languages.join(", ")),
            Column::text("hardware", "hardware", |f| list(&f.hardware)),
            Column::text("multi-server", "multi-server", |f| yes_no(f.multi_server)),
            Column::text("tested-network", "tested networks", |f| list(&f.tested_networks)),
            Column::text("tested-dataset", "tested data sets", |f| list(&f.tested_datasets)),
            Column::text("steward", "steward", |f| shown(&f.steward)).on_request(),
            Column::text("first-release", "first release", |f| shown(&f.first_release)).on_request(),
            Column::text("homepage", "homepage", |f| shown(&f.homepage)).on_request(),
            Column::text("repository", "repository", |f| shown(&f.repository)).on_request(),
            Column::text("notes", "notes", |f| shown(&f.notes)).on_request(),
        ];
        COLUMNS
    }
}

/// A dense peak of a device.
fn peak(device: &Device, format: NumberFormat) -> String {
    device.peak_tflops.get(&format).map_or_else(String::new, ToString::to_string)
}

/// The cheapest offer by the price for one device.
fn cheapest(device: &Device) -> Option<&CloudOffer> {
    let per_device = |offer: &CloudOffer| Some(offer.usd_per_hour?.value() / offer.devices.unwrap_or(1) as f64);
    let offers = device.cloud.iter().filter_map(|offer| Some((per_device(offer)?, offer)));
    offers.min_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, offer)| offer)
}

/// `p3.2xlarge: 3.06 for 1, 2018-05`.
fn offer(device: &Device) -> String {
    let Some(offer) = cheapest(device) else { return String::new() };
    let mut text = format!("{} {}: {}", offer.provider, offer.instance, shown(&offer.usd_per_hour));
    if let Some(devices) = offer.devices.filter(|devices| *devices > 1) {
        text.push_str(&format!(" for {devices}"));
    }
    if let Some(as_of) = &offer.as_of {
        text.push_str(&format!(", {as_of}"));
    }
    text
}

impl TableEntity for Device {
    fn columns() -> &'static [EntityColumn<Self>] {
        use NumberFormat::*;
        type Column = EntityColumn<Device>;
        const COLUMNS: &[Column] = &[
            Column::text("id", "id", |d| d.id.to_string()).on_request(),
            Column::text("device", "device", |d| d.name.clone()),
            Column::text("variant-of", "variant of", |d| shown(&d.variant_of)).on_request(),
            Column::text("class", "class", |d| d.class.to_string()),
            Column::text("vendor", "vendor", |d| shown(&d.vendor)).on_request(),
            Column::text("architecture", "architecture", |d| shown(&d.architecture)),
            Column::text("chip", "chip", |d| shown(&d.chip)).on_request(),
            Column::text("form-factor", "form factor", |d| shown(&d.form_factor)).on_request(),
            Column::number("memory", "memory [GiB]", |d| shown(&d.memory_gib)),
            Column::text("memory-type", "memory type", |d| shown(&d.memory_type)).on_request(),
            Column::number("bandwidth", "bandwidth [GB/s]", |d| shown(&d.bandwidth_gb_per_s)),
            Column::number("cores", "cores", |d| shown(&d.cores)).on_request(),
            Column::number("tensor-cores", "tensor cores", |d| shown(&d.tensor_cores)).on_request(),
            Column::number("peak-fp64", "fp64 [TFLOP/s]", |d| peak(d, Fp64)).on_request(),
            Column::number("peak-fp64-tensor", "fp64 tensor [TFLOP/s]", |d| peak(d, Fp64Tensor)).on_request(),
            Column::number("peak-fp32", "fp32 [TFLOP/s]", |d| peak(d, Fp32)),
            Column::number("peak-tf32-tensor", "tf32 tensor [TFLOP/s]", |d| peak(d, Tf32Tensor)).on_request(),
            Column::number("peak-fp16", "fp16 [TFLOP/s]", |d| peak(d, Fp16)),
            Column::number("peak-fp16-tensor", "fp16 tensor [TFLOP/s]", |d| peak(d, Fp16Tensor)),
            Column::number("peak-bf16", "bf16 [TFLOP/s]", |d| peak(d, Bf16)).on_request(),
            Column::number("peak-bf16-tensor", "bf16 tensor [TFLOP/s]", |d| peak(d, Bf16Tensor)).on_request(),
            Column::number("peak-fp8-tensor", "fp8 tensor [TFLOP/s]", |d| peak(d, Fp8Tensor)).on_request(),
            Column::number("peak-int8", "int8 [TOP/s]", |d| peak(d, Int8)).on_request(),
            Column::number("peak-int8-tensor", "int8 tensor [TOP/s]", |d| peak(d, Int8Tensor)).on_request(),
            Column::number("peak-int4-tensor", "int4 tensor [TOP/s]", |d| peak(d, Int4Tensor)).on_request(),
            Column::number("tdp", "TDP [W]", |d| shown(&d.tdp_w)),
            Column::number("base-clock", "base clock [MHz]", |d| shown(&d.base_clock_mhz)).on_request(),
            Column::number("boost-clock", "boost clock [MHz]", |d| shown(&d.boost_clock_mhz)).on_request(),
            Column::number("process", "process [nm]", |d| shown(&d.process_nm)).on_request(),
            Column::text("released", "released", |d| shown(&d.release_date)),
            Column::number("launch-price", "launch price [USD]", |d| shown(&d.launch_price_usd)).on_request(),
            Column::text("price", "cheapest offer [USD/h]", offer).on_request(),
            Column::text("compute-capability", "compute capability", |d| shown(&d.compute_capability)).on_request(),
            Column::text("notes", "notes", |d| shown(&d.notes)).on_request(),
        ];
        COLUMNS
    }
}

impl TableEntity for Network {
    fn columns() -> &'static [EntityColumn<Self>] {
        type Column = EntityColumn<Network>;
        const COLUMNS: &[Column] = &[
            Column::text("id", "id", |n| n.id.to_string()).on_request(),
            Column::text("network", "network", |n| n.name.clone()),
            Column::text("family", "family", |n| shown(&n.family)),
            Column::text("variant-of", "variant of", |n| shown(&n.variant_of)).on_request(),
            Column::text("differs-in", "differs in", |n| shown(&n.differs_in)).on_request(),
            Column::text("task", "task", |n| shown(&n.task)),
            Column::text("input-shape", "input", |n| shown(&n.input_shape)),
            Column::number("parameters", "parameters [10^6]", |n| shown(&n.parameters_m)),
            Column::number("multiply-adds", "multiply-adds [10^9]", |n| shown(&n.multiply_adds_g)),
            Column::number("published", "year", |n| shown(&n.year)),
            Column::text("paper", "paper", |n| shown(&n.paper)).on_request(),
            Column::text("notes", "notes", |n| shown(&n.notes)).on_request(),
        ];
        COLUMNS
    }
}

impl TableEntity for Dataset {
    fn columns() -> &'static [EntityColumn<Self>] {
        type Column = EntityColumn<Dataset>;
        const COLUMNS: &[Column] = &[
            Column::text("id", "id", |d| d.id.to_string()).on_request(),
            Column::text("dataset", "data set", |d| d.name.clone()),
            Column::text("task", "task", |d| shown(&d.task)),
            Column::number("classes", "classes", |d| shown(&d.classes)),
            Column::number("train-size", "training samples", |d| shown(&d.train_size)),
            Column::number("test-size", "test samples", |d| shown(&d.test_size)),
            Column::text("input-shape", "input", |d| shown(&d.input_shape)),
            Column::text("license", "license", |d| shown(&d.license)),
            Column::text("homepage", "homepage", |d| shown(&d.homepage)).on_request(),
            Column::text("notes", "notes", |d| shown(&d.notes)).on_request(),
        ];
        COLUMNS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Fact;
    use crate::values::EntityKind;
    use std::collections::BTreeSet;
    use strum::VariantArray as _;

    fn keys<E: TableEntity>() -> BTreeSet<&'static str> {
        let keys: BTreeSet<&str> = E::columns().iter().map(|column| column.key).collect();
        assert_eq!(keys.len(), E::columns().len(), "each key stands once");
        for column in E::columns() {
            assert_eq!(column_named::<E>(column.key).unwrap().key, column.key);
            assert_eq!(column_named::<E>(column.heading).unwrap().key, column.key);
        }
        keys
    }

    #[test]
    fn every_fact_that_is_a_filter_is_a_column_of_its_kind() {
        assert!(keys::<Dataset>().contains("train-size"));
        let (frameworks, devices, networks) = (keys::<Framework>(), keys::<Device>(), keys::<Network>());
        for fact in Fact::VARIANTS {
            let known = match fact.kind() {
                EntityKind::Framework => &frameworks,
                EntityKind::Device => &devices,
                _ => &networks,
            };
            assert!(known.contains(fact.key()), "{fact}");
        }
        assert_eq!(column_named::<Device>("zebra").unwrap_err().len(), Device::columns().len());
        assert_eq!(column_named::<Device>("memorytyp").unwrap_err()[0], "memory-type");
    }
}
