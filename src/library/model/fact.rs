//! The table of facts: the catalog's data on frameworks, devices, networks, data sets and sources; and their values.

use FactType::{Entity, Number, Text};
use NumberFormat::*;
use Unit::{Count, Gibibytes, GigabytesPerSecond, Megahertz, TeraOperations};
use strum::VariantArray as _;

use super::facet::registry;
use super::{
    Catalog, CatalogEntity, Dataset, Device, Facet, Field, Framework, HardwareClassRecord, Network, NumberFormat, Part,
    ReportedFramework, Source, Value,
};
use crate::values::{
    Date, Decimal, EntityId, EntityKind, FrameworkStatus, Grade, HardwareClass, Platform, Shape, Target, Unit,
};

macro_rules! fact_entities {
    ($($entity:ident by $reader:ident $(, filter ($self:ident, $fact:ident, $catalog:ident) $filter:expr)?;)+) => {
        $(impl FactEntity for $entity {
            fn reader(fact: Fact) -> Option<Reader<Self>> {
                fact.row().$reader
            }

            $(fn filter_values(&$self, $fact: Fact, $catalog: &Catalog) -> Option<Vec<FactValue>> {
                $filter
            })?
        })+
    };
}

macro_rules! texts {
    ($($type:ty),+) => {
        $(impl Stated for $type {
            fn stated(&self) -> Vec<Value> {
                vec![Value::Text(self.to_string().into())]
            }
        })+
    };
}

registry! {
    /// A fact of catalog entities. A new fact is a row here: from it follow columns of lists, tables and cards, filters
    /// and, where enabled, what rows can show, count and be pivoted by.
    ///
    /// The order is that of the columns of `list` and `table`. Kinds of entities that state the same fact share a row.
    pub enum Fact: FactRow {
        Id, "id", "the file's stem" =>
            framework(Text, |f| f.id.stated())
                .and_device(|d| d.id.stated()).and_network(|n| n.id.stated()).and_dataset(|d| d.id.stated());
        FrameworkName, "framework", "the framework's name" => framework(Text, |f| f.name.stated()).usual()
                .in_files("name");
        DeviceName, "device", "the device's name" => device(Text, |d| d.name.stated()).usual()
                .in_files("name");
        NetworkName, "network", "the network's name" => network(Text, |n| n.name.stated()).usual()
                .in_files("name");
        DatasetName, "dataset", "the data set's name" => dataset(Text, |d| d.name.stated()).heading("data set").usual()
                .in_files("name");
        Family, "family", "a family that the network belongs to" =>
            network(Entity(EntityKind::Network), |n| n.family.stated())
                .usual().filter_of_network(|n, catalog| words(&catalog.network_lineage(&n.id))).of_rows(110);
        VariantOf, "variant-of", "what it is a variant of" =>
            device(Entity(EntityKind::Device), |d| d.variant_of.stated())
                .and_network(|n| n.variant_of.stated()).heading("variant of");
        DiffersIn, "differs-in", "what the revision of the network changed" =>
            network(Text, |n| n.differs_in.stated()).heading("differs in");
        Class, "class", "hardware class of the device" => device(Text, |d| d.class.stated()).usual().of_rows(10);
        Vendor, "vendor", "maker of the device" => device(Text, |d| d.vendor.stated()).of_rows(20);
        Architecture, "architecture", "micro-architecture of the device" =>
            device(Text, |d| d.architecture.stated()).usual().of_rows(30);
        Chip, "chip", "name of the die" => device(Text, |d| d.chip.stated()).filter();
        FormFactor, "form-factor", "SXM2, PCIe …" =>
            device(Text, |d| d.form_factor.stated()).heading("form factor").filter();
        Memory, "memory", "memory of the device, GiB" =>
            device(Number(Gibibytes), |d| d.memory_gib.stated()).heading("memory [GiB]").usual().filter()
                .of_rows(40).called_in_rows("device memory [GiB]", "device_memory_gib")
                .spelled(&["device memory gib", "memory gib"])
                .in_files("memory-gib");
        MemoryType, "memory-type", "HBM2, GDDR6 …" =>
            device(Text, |d| d.memory_type.stated()).heading("memory type").filter();
        Bandwidth, "bandwidth", "memory bandwidth of the device, 10^9 byte/s" =>
            device(Number(GigabytesPerSecond), |d| d.bandwidth_gb_per_s.stated())
                .heading("bandwidth [GB/s]").usual().filter()
                .of_rows(50).called_in_rows("device bandwidth [GB/s]", "device_bandwidth_gb_per_s")
                .spelled(&["device bandwidth gb per s"])
                .in_files("bandwidth-gb-per-s");
        Cores, "cores", "CUDA cores, stream processors or CPU cores" =>
            device(Number(Count), |d| d.cores.stated()).filter();
        TensorCores, "tensor-cores", "matrix units" =>
            device(Number(Count), |d| d.tensor_cores.stated()).heading("tensor cores").filter();
        PeakFp64, "peak-fp64", "dense peak in fp64, TFLOP/s" =>
            peak(|d| peak_of(d, Fp64), "fp64 [TFLOP/s]");
        PeakFp64Tensor, "peak-fp64-tensor", "dense peak in fp64 on matrix units, TFLOP/s" =>
            peak(|d| peak_of(d, Fp64Tensor), "fp64 tensor [TFLOP/s]");
        PeakFp32, "peak-fp32", "dense peak in fp32, TFLOP/s" =>
            peak(|d| peak_of(d, Fp32), "fp32 [TFLOP/s]").usual();
        PeakTf32Tensor, "peak-tf32-tensor", "dense peak in tf32 on matrix units, TFLOP/s" =>
            peak(|d| peak_of(d, Tf32Tensor), "tf32 tensor [TFLOP/s]");
        PeakFp16, "peak-fp16", "dense peak in fp16, TFLOP/s" =>
            peak(|d| peak_of(d, Fp16), "fp16 [TFLOP/s]").usual();
        PeakFp16Tensor, "peak-fp16-tensor", "dense peak in fp16 on matrix units, TFLOP/s" =>
            peak(|d| peak_of(d, Fp16Tensor), "fp16 tensor [TFLOP/s]").usual();
        PeakBf16, "peak-bf16", "dense peak in bf16, TFLOP/s" =>
            peak(|d| peak_of(d, Bf16), "bf16 [TFLOP/s]");
        PeakBf16Tensor, "peak-bf16-tensor", "dense peak in bf16 on matrix units, TFLOP/s" =>
            peak(|d| peak_of(d, Bf16Tensor), "bf16 tensor [TFLOP/s]");
        PeakFp8Tensor, "peak-fp8-tensor", "dense peak in fp8 on matrix units, TFLOP/s" =>
            peak(|d| peak_of(d, Fp8Tensor), "fp8 tensor [TFLOP/s]");
        PeakInt8, "peak-int8", "dense peak in int8, TOP/s" =>
            peak(|d| peak_of(d, Int8), "int8 [TOP/s]");
        PeakInt8Tensor, "peak-int8-tensor", "dense peak in int8 on matrix units, TOP/s" =>
            peak(|d| peak_of(d, Int8Tensor), "int8 tensor [TOP/s]");
        PeakInt4Tensor, "peak-int4-tensor", "dense peak in int4 on matrix units, TOP/s" =>
            peak(|d| peak_of(d, Int4Tensor), "int4 tensor [TOP/s]");
        Tdp, "tdp", "thermal design power of the device, W" =>
            device(Number(Unit::Watts), |d| d.tdp_w.stated()).heading("TDP [W]").usual().filter()
                .of_rows(60).called_in_rows("TDP [W]", "tdp_w").spelled(&["tdp w"])
                .in_files("tdp-w");
        BaseClock, "base-clock", "base clock, MHz" =>
            device(Number(Megahertz), |d| d.base_clock_mhz.stated()).heading("base clock [MHz]").filter()
                .in_files("base-clock-mhz");
        BoostClock, "boost-clock", "boost clock, MHz" =>
            device(Number(Megahertz), |d| d.boost_clock_mhz.stated()).heading("boost clock [MHz]").filter()
                .in_files("boost-clock-mhz");
        Process, "process", "process node, nm" =>
            device(Number(Unit::Nanometres), |d| d.process_nm.stated()).heading("process [nm]").filter()
                .in_files("process-nm");
        Released, "released", "when the device came out" =>
            device(FactType::Date, |d| d.release_date.stated()).heading("release date").usual().filter().of_rows(70).uncounted()
                .in_files("release-date");
        LaunchPrice, "launch-price", "price at launch, US dollars" =>
            device(Number(Unit::Dollars), |d| d.launch_price_usd.stated()).heading("launch price [USD]").filter()
                .of_rows(65).called_in_rows("launch price [USD]", "launch_price_usd").spelled(&["launch price usd"])
                .in_files("launch-price-usd");
        Price, "rent", "the cheapest recent offer of the device or its family, US dollars an hour for one device" =>
            device(Number(Unit::DollarsPerHour), cheapest_offer)
                .heading("cheapest offer [USD/h]").shown_as_text().filter_of_device(|d| d.rent.iter().map(|rent| FactValue::Number(rent.usd_per_hour.value())).collect())
                .in_files("usd-per-hour");
        ComputeCapability, "compute-capability", "CUDA compute capability" =>
            device(Text, |d| d.compute_capability.stated()).heading("compute capability").filter();
        Task, "task", "what the network or the data set is for" =>
            network(Text, |n| n.task.stated()).and_dataset(|d| d.task.stated()).usual().of_rows(120);
        Classes, "classes", "number of classes" => dataset(Number(Count), |d| d.classes.stated()).usual().filter();
        TrainSize, "train-size", "training samples" =>
            dataset(Number(Count), |d| d.train_size.stated()).heading("training samples").usual().filter();
        TestSize, "test-size", "test (or validation) samples" =>
            dataset(Number(Count), |d| d.test_size.stated()).heading("test samples").usual().filter();
        InputShape, "input-shape", "one sample, channels first" =>
            network(Text, |n| n.input_shape.stated()).and_dataset(|d| d.input_shape.stated()).heading("input").usual();
        Parameters, "parameters", "trainable parameters of the network, millions" =>
            network(Number(Unit::Millions), |n| n.parameters_m.stated()).heading("parameters [10^6]").usual().filter()
                .of_rows(130).called_in_rows("parameters [10^6]", "parameters_m").spelled(&["parameters m"])
                .uncounted()
                .in_files("parameters-m");
        ActiveParameters, "active-parameters", "parameters that one token passes (of a mixture of experts, those chosen), millions" =>
            network(Number(Unit::Millions), |n| n.active_parameters_m.stated()).heading("active parameters [10^6]").filter()
                .uncounted()
                .in_files("active-parameters-m");
        MultiplyAdds, "multiply-adds", "multiply-adds of a forward pass of one sample, 10^9" =>
            network(Number(Unit::Billions), |n| n.multiply_adds_g.stated())
                .heading("multiply-adds [10^9]").usual().filter()
                .of_rows(140).called_in_rows("multiply-adds [10^9]", "multiply_adds_g")
                .spelled(&["macs", "multiply adds g"]).uncounted()
                .in_files("multiply-adds-g");
        Published, "published", "year of the network's paper" =>
            network(Number(Count), |n| n.year.stated()).heading("year").usual().filter()
                .in_files("year");
        Paper, "paper", "the network's paper" => network(Text, |n| n.paper.stated());
        Maturity, "maturity", "how alive the framework is" =>
            framework(Text, |f| f.status.stated()).heading("status").usual()
                .of_rows(100).called_in_rows("maturity", "maturity").spelled(&["framework status"])
                .in_files("status");
        StatusDate, "status-date", "when the framework's status was seen to be so" =>
            framework(FactType::Date, |f| f.status_date.stated()).heading("status of").filter().uncounted();
        License, "license", "licence of the framework, an SPDX expression; terms of the data set" =>
            framework(Text, |f| f.license.stated()).and_dataset(|d| d.license.stated()).usual()
                .of_rows(80).spelled(&["licence"]);
        CoreLanguage, "core-language", "a language of the framework's core" =>
            framework(Text, |f| f.core_languages.stated()).heading("core").usual().filter().facet(Facet::Language)
                .in_files("core-languages");
        ApiLanguage, "api-language", "a language with an official interface" =>
            framework(Text, |f| f.api_languages.stated()).heading("API").usual().filter().facet(Facet::Language)
                .in_files("api-languages");
        Hardware, "hardware", "what the framework runs on" => framework(Text, |f| f.hardware.stated()).usual();
        Platforms, "platform", "hardware that the framework's own documents name as supported, by maker" =>
            framework(Text, |f| f.platforms.stated()).heading("supported hardware").filter().in_files("platforms");
        PlatformsByPlugIn, "platform-by-plug-in",
            "hardware that the framework's own documents leave to plug-ins, or call experimental" =>
            framework(Text, |f| f.platforms_by_plug_in.stated()).heading("by plug-in").filter()
                .in_files("platforms-by-plug-in");
        MultiServer, "multi-server", "whether the framework trains on several machines" =>
            framework(Text, |f| f.multi_server.stated()).usual().of_rows(90);
        TestedNetwork, "tested-network", "a network that the makers verified" =>
            framework(Entity(EntityKind::Network), |f| f.tested_networks.stated()).heading("tested networks").usual()
                // A framework tested on a family counts as tested on its members.
                .filter_of_framework(|f, catalog| words(catalog.networks_tested_by(f)))
                .in_files("tested-networks");
        TestedDataset, "tested-dataset", "a data set that the makers verified" =>
            framework(Entity(EntityKind::Dataset), |f| f.tested_datasets.stated())
                .heading("tested data sets").usual().filter()
                .in_files("tested-datasets");
        Steward, "steward", "who maintains the framework" => framework(Text, |f| f.steward.stated()).filter();
        FirstRelease, "first-release", "first public release of the framework" =>
            framework(FactType::Date, |f| f.first_release.stated()).heading("first release").filter();
        LatestRelease, "latest-release", "newest release of the framework, as it is numbered" =>
            framework(Text, |f| f.latest_release.stated()).heading("latest release").usual().uncounted();
        LatestReleaseDate, "latest-release-date", "when the framework's newest release came out" =>
            framework(FactType::Date, |f| f.latest_release_date.stated()).heading("latest release of").filter().uncounted();
        Homepage, "homepage", "web page" =>
            framework(Text, |f| f.homepage.stated()).and_dataset(|d| d.homepage.stated());
        Repository, "repository", "source code" => framework(Text, |f| f.repository.stated());
        Notes, "notes", "remarks" =>
            framework(Text, |f| f.notes.stated())
                .and_device(|d| d.notes.stated()).and_network(|n| n.notes.stated()).and_dataset(|d| d.notes.stated());
        Year, "year", "year in which it was measured, else the year of the source" => source(Number(Count), |s| s.year.stated()).of_rows(150);
        #[cfg(test)] TestPins, "test-pins", "a row that only tests have" =>
            device(Number(Count), |d| (d.pci_ids.len() as i64).stated()).heading("pins [pin]").usual().filter()
                .of_rows(75).called_in_rows("device pins [pin]", "test_pins").spelled(&["pins of the test"]);
    }
}

/// The type of a fact's value, which decides how it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FactType {
    /// A word or free text.
    Text,
    /// Id of a catalog entity.
    Entity(EntityKind),
    /// A number in this unit.
    Number(Unit),
    /// A date to the year, month or day; filters compare the year.
    Date,
}

/// How a fact is read from an entity's record.
type Reader<E> = fn(&E) -> Vec<Value>;

/// How the values that a filter compares are computed from an entity, where they are not those of its record.
type FilterReader<E> = fn(&E, &Catalog) -> Vec<FactValue>;

/// The definition of a fact.
#[derive(Debug, Clone, Copy)]
struct FactRow {
    kind: EntityKind,
    value: FactType,
    framework: Option<Reader<Framework>>,
    device: Option<Reader<Device>>,
    network: Option<Reader<Network>>,
    dataset: Option<Reader<Dataset>>,
    source: Option<Reader<Source>>,
    framework_filter: Option<FilterReader<Framework>>,
    device_filter: Option<fn(&Device) -> Vec<FactValue>>,
    network_filter: Option<FilterReader<Network>>,
    heading: Option<&'static str>,
    facet: Option<Facet>,
    row_place: Option<u16>,
    row_heading: Option<&'static str>,
    row_json_key: Option<&'static str>,
    file_key: Option<&'static str>,
    spellings: &'static [&'static str],
    is_filter: bool,
    is_usual: bool,
    is_counted: bool,
    is_shown_as_text: bool,
}

/// A fact that is not a filter, is shown only on request, and does not appear in rows.
const fn row(kind: EntityKind, value: FactType) -> FactRow {
    FactRow {
        kind,
        value,
        framework: None,
        device: None,
        network: None,
        dataset: None,
        source: None,
        framework_filter: None,
        device_filter: None,
        network_filter: None,
        heading: None,
        facet: match value {
            Entity(kind) => Some(Facet::of_entities(kind)),
            _ => None,
        },
        row_place: None,
        row_heading: None,
        row_json_key: None,
        file_key: None,
        spellings: &[],
        is_filter: false,
        is_usual: false,
        is_counted: true,
        is_shown_as_text: false,
    }
}

const fn framework(value: FactType, read: Reader<Framework>) -> FactRow {
    FactRow { framework: Some(read), ..row(EntityKind::Framework, value) }
}

const fn device(value: FactType, read: Reader<Device>) -> FactRow {
    row(EntityKind::Device, value).and_device(read)
}

const fn network(value: FactType, read: Reader<Network>) -> FactRow {
    row(EntityKind::Network, value).and_network(read)
}

const fn dataset(value: FactType, read: Reader<Dataset>) -> FactRow {
    row(EntityKind::Dataset, value).and_dataset(read)
}

const fn source(value: FactType, read: Reader<Source>) -> FactRow {
    FactRow { source: Some(read), ..row(EntityKind::Source, value) }
}

/// A dense peak of a device.
const fn peak(read: Reader<Device>, heading: &'static str) -> FactRow {
    device(Number(TeraOperations), read).heading(heading).filter()
}

fn peak_of(device: &Device, format: NumberFormat) -> Vec<Value> {
    device.peak_tflops.get(&format).copied().stated()
}

impl FactRow {
    /// Devices state it as well.
    const fn and_device(self, read: Reader<Device>) -> Self {
        Self { device: Some(read), ..self }
    }

    /// Networks state it as well.
    const fn and_network(self, read: Reader<Network>) -> Self {
        Self { network: Some(read), ..self }
    }

    /// Data sets state it as well.
    const fn and_dataset(self, read: Reader<Dataset>) -> Self {
        Self { dataset: Some(read), ..self }
    }

    /// The heading of its column, with the unit in brackets.
    const fn heading(self, heading: &'static str) -> Self {
        Self { heading: Some(heading), ..self }
    }

    /// Makes it a default column.
    const fn usual(self) -> Self {
        Self { is_usual: true, ..self }
    }

    /// Its cells are texts although it is compared as a number.
    const fn shown_as_text(self) -> Self {
        Self { is_shown_as_text: true, ..self }
    }

    /// Makes its key a query filter.
    const fn filter(self) -> Self {
        Self { is_filter: true, ..self }
    }

    /// Makes it a filter that compares values computed from the framework and the catalog.
    const fn filter_of_framework(self, read: FilterReader<Framework>) -> Self {
        Self { framework_filter: Some(read), ..self.filter() }
    }

    /// Makes it a filter that compares values computed from the device.
    const fn filter_of_device(self, read: fn(&Device) -> Vec<FactValue>) -> Self {
        Self { device_filter: Some(read), ..self.filter() }
    }

    /// Makes it a filter that compares values computed from the network and the catalog.
    const fn filter_of_network(self, read: FilterReader<Network>) -> Self {
        Self { network_filter: Some(read), ..self.filter() }
    }

    /// The facet whose names its filter also accepts.
    const fn facet(self, facet: Facet) -> Self {
        Self { facet: Some(facet), ..self }
    }

    /// Makes it a fact of rows, through the entity that a measurement names, at this position; gaps leave room for more.
    const fn of_rows(self, place: u16) -> Self {
        Self { row_place: Some(place), ..self }
    }

    /// The heading and the JSON key that it has in rows.
    const fn called_in_rows(self, heading: &'static str, json_key: &'static str) -> Self {
        Self { row_heading: Some(heading), row_json_key: Some(json_key), ..self }
    }

    /// Its key in the catalog's files, with the unit, where it differs from its own.
    const fn in_files(self, key: &'static str) -> Self {
        Self { file_key: Some(key), ..self }
    }

    /// Other names in queries about rows.
    const fn spelled(self, spellings: &'static [&'static str]) -> Self {
        Self { spellings, ..self }
    }

    /// Its values differ too much between rows to be counted.
    const fn uncounted(self) -> Self {
        Self { is_counted: false, ..self }
    }
}

impl Fact {
    /// The facts that are query filters.
    pub fn filters() -> impl Iterator<Item = Self> {
        Self::VARIANTS.iter().copied().filter(|fact| fact.row().is_filter)
    }

    /// The filter with this key.
    pub fn filter(key: &str) -> Option<Self> {
        Self::filters().find(|fact| fact.key() == key)
    }

    /// The facts that a measurement has through the entities that it names, in the order of answers.
    pub fn of_rows() -> impl Iterator<Item = Self> {
        let mut facts: Vec<Self> =
            Self::VARIANTS.iter().copied().filter(|fact| fact.row().row_place.is_some()).collect();
        facts.sort_by_key(|fact| fact.row().row_place);
        facts.into_iter()
    }

    /// The facts that entities of a type can state, in the order of their columns.
    pub fn columns_of<E: FactEntity>() -> impl Iterator<Item = Self> {
        Self::VARIANTS.iter().copied().filter(|fact| E::reader(*fact).is_some())
    }

    /// The kind of entity that has the fact; where several kinds state it, the one that filters and rows refer to.
    pub fn kind(self) -> EntityKind {
        self.row().kind
    }

    /// The fields of a measurement that name the entity with the fact; none for its source.
    pub fn naming_fields(self) -> impl Iterator<Item = Field> {
        Field::of_entities().filter(move |(_, kind)| *kind == self.kind()).map(|(field, _)| field)
    }

    /// The part of a measurement that names the entity with the fact.
    pub fn part(self) -> Option<Part> {
        match self.kind() {
            EntityKind::Source => Some(Part::Setup),
            _ => self.naming_fields().next()?.part(),
        }
    }

    /// The type of its value.
    pub fn value_type(self) -> FactType {
        self.row().value
    }

    /// The unit of the number that a filter compares; `None` where the value is a word.
    pub fn unit(self) -> Option<Unit> {
        match self.value_type() {
            Number(unit) => Some(unit),
            FactType::Date => Some(Count),
            Text | Entity(_) => None,
        }
    }

    /// The year of a measurement's date, which takes precedence over the source's year. `None` for other facts.
    pub fn from_date(self, date: Option<&str>) -> Option<Value> {
        let year = date.filter(|_| self == Self::Year)?.get(..4)?;
        year.parse().ok().map(Value::Count)
    }

    /// Its key in the catalog's files, with the unit: `tdp-w`.
    pub fn file_key(self) -> &'static str {
        self.row().file_key.unwrap_or(self.key())
    }

    /// The fact with this key in files.
    pub fn of_file_key(key: &str) -> Option<Self> {
        Self::VARIANTS.iter().copied().find(|fact| fact.file_key() == key)
    }

    /// The key that citations use for it: all peaks share one.
    pub fn cited_key(self) -> &'static str {
        if self.key().starts_with("peak-") { "peak-tflops" } else { self.file_key() }
    }

    /// For a peak on matrix units, the peak of the same number format on plain units.
    pub fn on_plain_units(self) -> Option<Self> {
        self.key().strip_suffix("-tensor")?.parse().ok()
    }

    /// Whether it is a version, which is ordered but not a number.
    pub fn is_version(self) -> bool {
        self == Self::ComputeCapability
    }

    /// Whether its cells are numbers.
    pub fn is_numeric(self) -> bool {
        matches!(self.value_type(), Number(_)) && !self.row().is_shown_as_text
    }

    /// The heading of its column in tables of entities, with the unit in brackets.
    pub fn heading(self) -> &'static str {
        self.row().heading.unwrap_or(self.key())
    }

    /// The heading in rows, with the unit in brackets.
    pub fn row_heading(self) -> &'static str {
        self.row().row_heading.unwrap_or(self.heading())
    }

    /// The snake_case key in rows, with the unit.
    pub fn row_json_key(self) -> String {
        self.row().row_json_key.map_or_else(|| self.json_key(), str::to_owned)
    }

    /// Other names in queries about rows.
    pub fn spellings(self) -> &'static [&'static str] {
        self.row().spellings
    }

    /// The facet whose names its filter also accepts.
    pub fn facet(self) -> Option<Facet> {
        self.row().facet
    }

    /// Whether it is a default column.
    pub fn is_usual(self) -> bool {
        self.row().is_usual
    }

    /// Whether its values are worth counting over many rows.
    pub fn is_counted(self) -> bool {
        self.row().is_counted
    }

    /// The value that an entity states, with the items of a list joined; `None` when it is unknown.
    pub fn value<E: FactEntity>(self, entity: &E) -> Option<Value> {
        let mut values = E::reader(self)?(entity);
        if values.len() < 2 {
            return values.pop();
        }
        let items: Vec<String> = values.iter().map(Value::to_string).collect();
        Some(Value::Text(items.join(", ").into()))
    }

    /// The values that a filter compares.
    pub(super) fn filter_values<E: FactEntity>(self, entity: &E, catalog: &Catalog) -> Vec<FactValue> {
        if let Some(values) = entity.filter_values(self, catalog) {
            return values;
        }
        let values = E::reader(self).map_or_else(Vec::new, |read| read(entity));
        values.into_iter().filter_map(|value| self.filter_value(&value)).collect()
    }

    fn filter_value(self, value: &Value) -> Option<FactValue> {
        Some(match (self.value_type(), value) {
            (FactType::Date, date) => FactValue::Number(f64::from(date.parse::<Date>()?.year())),
            (_, Value::Count(count)) => FactValue::Number(*count as f64),
            (_, Value::Number(number)) => FactValue::Number(number.value()),
            (_, Value::Text(text)) => FactValue::Word(text.to_string()),
        })
    }
}

impl ReportedFramework {
    /// The survey's printed values for a fact; empty for facts that surveys do not print.
    pub fn printed(&self, fact: Fact) -> Vec<String> {
        match fact {
            Fact::Maturity => self.status.iter().map(FrameworkStatus::to_string).collect(),
            Fact::License => self.license.iter().cloned().collect(),
            Fact::CoreLanguage => self.core_languages.clone(),
            Fact::ApiLanguage => self.api_languages.clone(),
            Fact::Hardware => self.hardware.clone(),
            Fact::MultiServer => self.multi_server.iter().cloned().collect(),
            Fact::TestedNetwork => self.tested_networks.clone(),
            Fact::TestedDataset => self.tested_datasets.clone(),
            _ => Vec::new(),
        }
    }
}

/// A catalog entity with facts.
pub trait FactEntity: CatalogEntity + Sized + 'static {
    /// The function that reads a fact from the record; `None` where this kind of entity does not state it.
    fn reader(fact: Fact) -> Option<fn(&Self) -> Vec<Value>>;

    /// The values that a filter compares, where they differ from the record's.
    fn filter_values(&self, _fact: Fact, _catalog: &Catalog) -> Option<Vec<FactValue>> {
        None
    }
}

fact_entities! {
    Framework by framework, filter (self, fact, catalog) Some(fact.row().framework_filter?(self, catalog));
    Device by device, filter (self, fact, _catalog) Some(fact.row().device_filter?(self));
    Network by network, filter (self, fact, catalog) Some(fact.row().network_filter?(self, catalog));
    Dataset by dataset;
    Source by source;
}

/// The value of a fact in the form that filters compare.
#[derive(Debug, Clone, PartialEq)]
pub enum FactValue {
    /// In the fact's unit; a grade by its rank, a date by its year.
    Number(f64),
    /// A word or an id.
    Word(String),
}

/// A record field that contains a fact.
pub(super) trait Stated {
    /// Its values; empty where the fact is unknown.
    fn stated(&self) -> Vec<Value>;
}

impl Stated for Decimal {
    fn stated(&self) -> Vec<Value> {
        vec![Value::Number(*self)]
    }
}

impl Stated for i64 {
    fn stated(&self) -> Vec<Value> {
        vec![Value::Count(*self)]
    }
}

impl Stated for bool {
    fn stated(&self) -> Vec<Value> {
        vec![Value::Text(if *self { "yes" } else { "no" }.into())]
    }
}

texts!(String, EntityId, Date, Shape, HardwareClass, FrameworkStatus, Platform, Target);

impl<T: Stated> Stated for Option<T> {
    fn stated(&self) -> Vec<Value> {
        self.as_ref().map_or_else(Vec::new, T::stated)
    }
}

impl<T: Stated> Stated for Vec<T> {
    fn stated(&self) -> Vec<Value> {
        self.iter().flat_map(T::stated).collect()
    }
}

/// Ids as words, for filters.
pub(super) fn words<'i>(ids: impl IntoIterator<Item = &'i EntityId>) -> Vec<FactValue> {
    ids.into_iter().map(|id| FactValue::Word(id.to_string())).collect()
}

/// The offer that the rent is based on.
pub(super) fn cheapest_offer(device: &Device) -> Vec<Value> {
    device.rent.iter().map(|rent| Value::Text(rent.to_string().into())).collect()
}

/// The facts of one entity, by their keys.
pub type FilterFacts = Vec<(String, FactValue)>;

/// The facts of an entity that are filters, including those inherited from what it belongs to (the families that a
/// network descends from).
pub fn filter_facts<E: FactEntity>(entity: &E, catalog: &Catalog) -> FilterFacts {
    let facts = Fact::filters().filter(|fact| fact.kind() == entity.kind());
    facts
        .flat_map(|fact| fact.filter_values(entity, catalog).into_iter().map(move |value| (fact.to_string(), value)))
        .collect()
}

/// The grades of a hardware class, by hardware metric.
pub fn grades_of(class: &HardwareClassRecord) -> FilterFacts {
    class.grades.iter().map(|(metric, record)| (metric.to_string(), FactValue::Number(rank_of(record.grade)))).collect()
}

/// The rank of a grade; higher grades have larger ranks. A survey's `good` is between `moderate` and `high`.
pub fn rank_of(grade: Grade) -> f64 {
    match grade {
        Grade::Low => 1.0,
        Grade::Moderate => 2.0,
        Grade::Good => 3.0,
        Grade::High => 4.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_gives_the_year_and_no_other_fact() {
        assert_eq!(Fact::Year.from_date(Some("2018-03-12")), Some(Value::Count(2018)));
        assert_eq!([Fact::Year.from_date(None), Fact::Tdp.from_date(Some("2018-03-12"))], [None, None]);
    }
}
