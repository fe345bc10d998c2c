//! The table of fields: everything but metrics that a measurement states, and the part of the measurement to which each belongs.

use FieldType::{Count, Date, Entity, Number, Shape, Text, Word};
use Part::{Batch, Protocol, Setup, Workload};
use Phrase::{Always, Counted, Equals, InLists, Never, Prefixed, Prose};
use Tier::{Axis, Context, Disclosure, Identity};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::Facet;
use super::facet::registry;
use crate::values::EntityKind;

macro_rules! words {
    ($($list:ident = $vocabulary:ty;)+) => {
        $(const $list: &[&str] = &{
            use strum::VariantArray as _;
            const ITEMS: &[$vocabulary] = <$vocabulary>::VARIANTS;
            let mut names = [""; ITEMS.len()];
            let mut at = 0;
            while at < ITEMS.len() {
                names[at] = ITEMS[at].into_str();
                at += 1;
            }
            names
        };)+
    };
}

registry! {
    /// A field of a measurement. A new field is a row here: reader, stores, filters, columns, CSV and schemas follow.
    ///
    /// The order is that of the columns in files, stores and answers, and the order in which fields enter a
    /// measurement's id. A new field that enters ids leaves all ids unchanged until a row states it.
    pub enum Field: FieldRow {
        Framework, "framework", "the framework that was asked; with a backend, the one in front" =>
            entity(EntityKind::Framework, Axis, Setup)
                .raw_in(Field::FrameworkRaw).version_in(Field::FrameworkVersion).column(100).promised();
        FrameworkVersion, "framework-version", "the framework's version, as the source spells it" =>
            row(Text, Axis, Some(Setup))
                .heading("version", Always).varies_with(&[Field::Framework]).promised();
        FrameworkRaw, "framework-raw", "the source's own spelling of the framework" => raw(Setup);
        Backend, "backend", "the framework that computes, where another is in front" =>
            entity(EntityKind::Framework, Axis, Setup)
                .said(InLists).version_in(Field::BackendVersion).varies_with(&[Field::Framework]).promised().optional();
        BackendVersion, "backend-version", "the backend's version" =>
            row(Text, Axis, Some(Setup))
                .said(Always).varies_with(&[Field::Framework, Field::Backend]).optional();
        ApiLanguage, "api-language", "the programming language from which the framework was used" =>
            row(Text, Axis, Some(Setup))
                .heading("API", Always).prose("API language").varies_with(&[Field::Framework]).column(120).optional();
        KernelLibrary, "kernel-library", "the library of kernels that was chosen, such as a cuDNN or a BLAS" =>
            row(Text, Axis, Some(Setup))
                .heading("kernels", Always).prose("kernel library").varies_with(&[Field::Framework, Field::Cudnn]).column(110).gives_way(10).optional();
        CudnnBenchmark, "cudnn-benchmark", "whether cuDNN tried its algorithms and took the fastest, or took one by its heuristics" =>
            row(Word(SWITCHES), Axis, Some(Setup))
                .heading("cuDNN benchmark", Always)
                .varies_with(&[Field::Framework, Field::KernelLibrary, Field::Device])
                .optional();
        Device, "device", "the device, or its family where the source does not say the SKU" =>
            entity(EntityKind::Device, Axis, Setup)
                .raw_in(Field::DeviceRaw).column(60).promised().spelled(&["gpu", "hardware"]);
        DeviceRaw, "device-raw", "the source's own spelling of the device" => raw(Setup).promised();
        DeviceCount, "device-count", "how many devices worked together" =>
            row(Count, Axis, Some(Setup))
                .heading("devices", Counted("device")).prose("number of devices").column(70).promised().spelled(&["devices", "gpus"]);
        PrefillDevices, "prefill-devices", "how many of the devices read prompts, where others write the answers" =>
            disaggregated().heading("prefill devices", Counted("prefill device"));
        DecodeDevices, "decode-devices", "how many of the devices write answers, where others read the prompts" =>
            disaggregated().heading("decode devices", Counted("decode device"));
        DeviceSlice, "device-slice", "the part of the device that ran it, where that is not the whole (1g.5gb of a MIG)" =>
            // A result for a slice does not describe the whole device: the two are never ranked together.
            row(Text, Identity, Some(Setup)).heading("slice", Always).column(72).gives_way(14).optional();
        ComputeUnit, "compute-unit", "the part of a chip that ran it, where the device is a chip of several" =>
            row(Word(COMPUTE_UNITS), Axis, Some(Setup))
                .said(InLists).varies_with(&[Field::Device]).column(74).gives_way(14).optional();
        Hosts, "hosts", "how many machines hold the devices" =>
            row(Count, Context, Some(Setup)).said(Counted("host")).spelled(&["nodes"]).optional();
        TensorParallel, "tensor-parallel", "devices among which each layer's tensors are split" =>
            parallel().spelled(&["tp"]);
        PipelineParallel, "pipeline-parallel", "stages of layers, each on devices of its own" =>
            parallel().spelled(&["pp"]);
        DataParallel, "data-parallel", "replicas that each work on samples of their own" => parallel().spelled(&["dp"]);
        ExpertParallel, "expert-parallel", "devices among which the experts of a layer are split" =>
            parallel().spelled(&["ep"]);
        ContextParallel, "context-parallel", "devices among which the tokens of a sequence are split" =>
            parallel().spelled(&["cp"]);
        Instance, "instance", "the cloud instance" =>
            row(Text, Context, Some(Setup)).prose("cloud instance").facet(Facet::Instance).column(80).gives_way(5).optional();
        Host, "host", "the machine around the devices" => row(Text, Context, Some(Setup)).said(InLists).optional();
        PriceUsdPerHour, "price-usd-per-hour", "price of the machine an hour, in US dollars, as the source states it" =>
            row(Number, Context, Some(Setup)).said(Always).outside_id().uncompared().optional();
        Threads, "threads", "threads of the host that took part" =>
            row(Count, Axis, Some(Setup))
                .said(Always).varies_with(&[Field::Device]).column(90).gives_way(9).optional();
        Allocator, "allocator",
            "whether unused memory returns to the system at once (the C library's default) or is kept" =>
            row(Word(ALLOCATORS), Axis, Some(Setup)).said(Always).varies_with(&[Field::Framework]).optional();
        Network, "network", "the revision of the network that was run" =>
            entity(EntityKind::Network, Identity, Workload).raw_in(Field::NetworkRaw).column(10).promised();
        NetworkRaw, "network-raw", "the source's own spelling of the network" => raw(Workload);
        Dataset, "dataset", "the data set" =>
            entity(EntityKind::Dataset, Axis, Workload)
                .heading("data set", Never).prose("data set").raw_in(Field::DatasetRaw).column(20).promised();
        DatasetRaw, "dataset-raw", "the source's own spelling of the data set" => raw(Workload);
        InputShape, "input-shape", "one sample, channels first" =>
            row(Shape, Identity, Some(Workload)).heading("input", InLists).column(160).gives_way(11);
        SequenceLength, "sequence-length", "tokens of one sample" =>
            row(Count, Identity, Some(Workload)).heading("sequence", Always).column(150).spelled(&["sequence", "seq"]);
        Component, "component", "the part of the network that was timed, where it was not the whole (an encoder)" =>
            row(Text, Identity, Some(Workload)).said(InLists).column(15).optional();
        InputLength, "input-length", "tokens that each request brings" =>
            row(Count, Identity, Some(Workload))
                .said(Always).column(152).gives_way(15).spelled(&["prompt-length", "input-tokens"]).optional();
        OutputLength, "output-length", "tokens that each request asks for" =>
            row(Count, Identity, Some(Workload))
                .said(Always).column(154).gives_way(15).spelled(&["output-tokens"]).optional();
        MeanOutputLength, "mean-output-length", "tokens that a request was answered with, on average" =>
            // A result of the run, which differs between devices; the requested length is `output-length`.
            row(Number, Context, None).said(Always).outside_id().uncompared().optional();
        Stage, "stage", "what was timed" =>
            row(Word(STAGES), Identity, Some(Protocol)).facet(Facet::Stage).column(30).promised();
        Scenario, "scenario", "how the load arrives" =>
            row(Word(SCENARIOS), Identity, Some(Protocol))
                .said(InLists).facet(Facet::Scenario).column(40).optional();
        Concurrency, "concurrency", "the most requests that are worked on at once" =>
            row(Count, Axis, Some(Protocol))
                .said(Always).column(144).gives_way(15).spelled(&["concurrent-requests"]).optional();
        RequestRate, "request-rate-per-s", "requests that arrive in a second, as the load was set" =>
            row(Number, Axis, Some(Protocol)).heading("requests a second", Always).prose("requests a second").optional();
        Division, "division", "under which of MLPerf's rules it was run" =>
            row(Word(DIVISIONS), Identity, Some(Protocol))
                .said(InLists).prose("MLPerf division").outside_id().column(45).gives_way(13).optional();
        Availability, "availability", "whether the system that was measured can be had" =>
            row(Word(AVAILABILITIES), Context, Some(Setup))
                .said(InLists).prose("MLPerf availability").outside_id().column(76).gives_way(12).usually("available").optional();
        Precision, "precision", "the numeric recipe" =>
            row(Word(PRECISIONS), Axis, Some(Protocol)).facet(Facet::Precision).column(50).promised();
        Quantization, "quantization", "how the weights were quantised, as the source calls it" =>
            row(Text, Axis, Some(Protocol))
                .said(InLists).varies_with(&[Field::Precision]).outside_id().column(52).gives_way(13).optional();
        WeightFormat, "weight-format", "number format or GGUF type of the stored weights" =>
            format_of("weights").prose("number format of the weights").column(54).gives_way(13);
        ActivationFormat, "activation-format", "number format of what the layers exchange" => format_of("activations").prose("number format of the activations");
        KvCacheFormat, "kv-cache-format", "number format of the keys and values of earlier tokens" =>
            format_of("KV cache").prose("number format of the KV cache");
        ReducedPrecision, "reduced-precision", "what may be computed in a shorter format than the recipe's, as the framework was set" =>
            row(Text, Axis, Some(Protocol))
                .heading("reduced precision", Always)
                .varies_with(&[Field::Precision, Field::Device])
                .optional();
        BatchSize, "batch-size", "samples in a batch of one device" =>
            row(Count, Axis, Some(Batch)).heading("batch", Always).column(130).promised().spelled(&["batch", "bs"]);
        BatchSizeGlobal, "batch-size-global", "samples in a batch of all devices" =>
            row(Count, Axis, Some(Batch)).heading("global batch", Always).prose("global batch size").column(140).spelled(&["global-batch"]);
        MicroBatchSize, "micro-batch-size", "samples that a device takes at once, where a batch is worked on in pieces" =>
            row(Count, Context, Some(Batch)).heading("micro-batch", Always).prose("micro-batch size").spelled(&["mbs"]).optional();
        Layout, "layout", "order of the axes in memory, such as NCHW" =>
            row(Text, Axis, Some(Protocol))
                .said(Always).prose("memory layout").varies_with(&[Field::Framework]).column(170).gives_way(4).optional();
        Mode, "mode", "how it was executed: eager, graph, compiled …" =>
            row(Text, Axis, Some(Protocol))
                .said(InLists).prose("execution mode").varies_with(&[Field::Framework]).column(180).spelled(&["execution"]).optional();
        Partition, "partition",
            "how the work was divided, where no count states it: instances of some cores each, data parallel …" =>
            row(Text, Axis, Some(Protocol)).said(InLists).prose("division of the work").column(182).in_id_as("mode").optional();
        Setting, "setting",
            "what else was chosen of the machine or the work: big cores, a performance mode, padded kernels …" =>
            row(Text, Axis, Some(Protocol)).said(InLists).prose("other settings").column(184).in_id_as("mode").optional();
        AttentionBackend, "attention-backend", "the kernel by which attention was computed: math, flash …" =>
            row(Text, Axis, Some(Protocol))
                .heading("attention", Always).prose("attention kernel")
                .varies_with(&[Field::Framework, Field::KernelLibrary, Field::Device, Field::Precision])
                .optional();
        PrefixCache, "prefix-cache", "whether keys and values of a prefix shared by requests are cached" =>
            row(Word(SWITCHES), Axis, Some(Protocol))
                .heading("prefix cache", Always).varies_with(&[Field::Framework]).spelled(&["prefix caching"]).optional();
        SpeculativeDecoding, "speculative-decoding",
            "how tokens were drafted and then accepted or not: the method, its model, the tokens of a draft; `off` where the source says so" =>
            row(Text, Axis, Some(Protocol))
                .heading("speculative decoding", Always).varies_with(&[Field::Framework]).spelled(&["speculation"]).optional();
        Data, "data", "made-up or real input" =>
            row(Word(DATA), Context, Some(Protocol)).said(InLists).prose("input data").column(190).only_if_varying();
        Epochs, "epochs", "passes over the data set" =>
            row(Count, Identity, Some(Protocol)).said(Always).column(200).gives_way(6);
        AccuracyTarget, "accuracy-target", "the accuracy that ends a training, 0 to 1" =>
            row(Number, Identity, Some(Protocol)).heading("target", Always).prose("accuracy target").column(210).spelled(&["target"]);
        RelativeAccuracyTarget, "relative-accuracy-target",
            "the accuracy that the category asks for, as a share of the reference's (MLPerf: 0.99, 0.999)" =>
            // Compared in the same way as an accuracy target.
            row(Number, Identity, Some(Protocol)).heading("accuracy target", Always).outside_id().uncompared().column(212).gives_way(10).optional();
        Baseline, "baseline", "what a ratio is relative to" =>
            row(Text, Identity, Some(Protocol)).said(Always).column(220);
        Label, "label", "the source's own name of the run, where nothing else distinguishes it from its neighbours" =>
            row(Text, Context, None).said(InLists).prose("source's own name of the run").column(230).only_if_varying().gives_way(7).optional();
        Cuda, "cuda", "version of CUDA" =>
            row(Text, Context, Some(Setup)).heading("CUDA", Always).column(240).only_if_varying().gives_way(3);
        Cudnn, "cudnn", "version of cuDNN" =>
            row(Text, Context, Some(Setup)).heading("cuDNN", Always).column(250).only_if_varying().gives_way(2);
        Driver, "driver", "version of the device's driver" => row(Text, Context, Some(Setup)).said(Always);
        Os, "os", "the operating system" => row(Text, Context, Some(Setup)).prose("operating system").optional();
        Container, "container", "the container image" => row(Text, Context, Some(Setup)).prose("container image").optional();
        Software, "software", "other software and its versions" => row(Text, Context, Some(Setup)).prose("other software").optional();
        Date, "date", "when it was measured" => row(Date, Context, Some(Setup)).said(InLists).promised();
        Dated, "dated", "when it was measured, else when its source was published: round, page, commit or year; computed" =>
            FieldRow { part: Some(Setup), ..computed(Date) };
        DatedBy, "dated-by", "what `dated` is the date of: the measurement, the source's round, page or commit, or its year alone; computed" =>
            FieldRow { part: Some(Setup), ..computed(Word(DATINGS)) };
        Status, "status", "copied from a publication, or measured by our own runner" =>
            row(Word(PROVENANCES), Disclosure, Some(Setup))
                .said(InLists).facet(Facet::Status).outside_id().unstated_means("reported").column(260);
        Statistic, "statistic", "what the values are of their samples" =>
            row(Word(STATISTICS), Disclosure, Some(Protocol)).column(270).gives_way(8).promised();
        SamplesOf, "samples-of", "the metric that statistic, n, deviation, lowest and highest belong to, where that is not the row's first" =>
            row(Word(METRICS), Disclosure, Some(Batch)).outside_id().uncompared().uncounted().optional();
        N, "n", "how many samples there are" =>
            row(Count, Disclosure, Some(Batch)).said(Equals).prose("number of samples").outside_id().column(280).gives_way(1).promised();
        Processes, "processes", "number of fresh processes measured; the value is the mean of their statistics" =>
            row(Count, Disclosure, Some(Batch)).said(Always).outside_id().uncompared().optional();
        Lowest, "lowest", "the smallest sample of the first metric, or of `samples-of`, in its unit" => of_samples();
        Highest, "highest", "the largest sample of the first metric, or of `samples-of`, in its unit" => of_samples();
        StdDeviation, "std-deviation", "the samples' standard deviation of the first metric, or of `samples-of`, in its unit" => of_samples();
        ProcessDeviation, "process-deviation",
            "the standard deviation between the values of the processes, of the first metric, in its unit" =>
            of_samples().optional();
        Counts, "counts", "what the batch and a throughput count" =>
            row(Word(COUNTED), Identity, Some(Protocol)).said(InLists).prose("what is counted").column(290).only_if_varying();
        Metered, "metered", "what the power or energy meter covered: the devices, the machine, everything behind the plug" =>
            // Compared only for power and energy values.
            row(Word(METERED), Identity, Some(Protocol)).said(Always).prose("what was metered").column(295).gives_way(12).optional();
        TopK, "top-k", "how many answers to a sample an accuracy allows, the right one among them: 1 where the first must be right" =>
            // Compared only for accuracies and the times to reach them.
            row(Count, Identity, Some(Protocol))
                .said(Prefixed("top-")).prose("top-k").outside_id().column(297).gives_way(12).optional();
        Timed, "timed", "what lies between start and stop of the clock" =>
            row(Text, Identity, Some(Protocol)).said(Prose).prose("what was timed").uncounted();
        Protocol, "protocol", "the method of a source that our own runner followed, by name" =>
            row(Word(PROTOCOLS), Context, Some(Protocol)).said(InLists);
        Outcome, "outcome", "why there is no number" =>
            row(Word(OUTCOMES), Identity, Some(Protocol))
                .said(Always).facet(Facet::Outcome).outside_id().uncompared().column(300).promised();
        Standing, "standing", "what became of the number after it was published" =>
            // Few rows have it, so storing it with the protocol adds few protocols.
            row(Word(STANDINGS), Disclosure, Some(Protocol))
                .said(InLists).facet(Facet::Standing).outside_id().optional();
        StandingReason, "standing-reason", "why its status changed" => remark(Some(Protocol)).unsearched();
        ReplacedBy, "replaced-by",
            "the id of the measurement that replaces it, or of the source where all of its source is replaced" =>
            remark(Some(Protocol)).unsearched();
        Caveats, "caveats", "what disturbed a measurement of our own runner, and what to do about it" => remark(None);
        Notes, "notes", "remarks" => remark(None);
        Evidence, "evidence", "how well the row is attested, from a (the best) to d; computed" =>
            computed(Word(EVIDENCE_GRADES)).promised();
        EvidenceLacks, "evidence-lacks", "which indicators of evidence are not met; computed" =>
            computed(Text).unsearched().uncounted();
        #[cfg(test)] TestRack, "test-rack", "a row that only tests have" =>
            row(Count, Context, Some(Setup)).heading("rack", Always).column(75).gives_way(12).spelled(&["rack", "cabinet"]);
    }
}

/// How a field affects the comparison of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// What is measured. Numbers that differ in it are never ranked together.
    Identity,
    /// What is varied. Numbers are comparable only along the requested axis.
    Axis,
    /// Circumstances, reported as a difference.
    Context,
    /// Who measured and how well; reported in a footnote.
    Disclosure,
}

/// The type of a field's value, which decides how it is read, stored and compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// Id of a catalog entity.
    Entity(EntityKind),
    /// Free text.
    Text,
    /// A whole number of 1 or more.
    Count,
    /// A decimal number.
    Number,
    /// A date to the year, month or day.
    Date,
    /// Extents such as `3x224x224`.
    Shape,
    /// One of a closed list of words.
    Word(&'static [&'static str]),
}

/// When running text must name the field of a value.
#[derive(Debug, Clone, Copy)]
enum Phrase {
    /// Never: the value is self-explanatory (`fp16`).
    Never,
    /// Only in a mixed list, such as a footnote: `label run 3`.
    InLists,
    /// Always: `batch 16`.
    Always,
    /// As a count of this noun: `4 devices`.
    Counted(&'static str),
    /// With a prefix: `top-5`.
    Prefixed(&'static str),
    /// As an equation: `n = 50`.
    Equals,
    /// The value is a clause: `timed: forward pass`.
    Prose,
}

/// The definition of a field.
#[derive(Debug, Clone, Copy)]
struct FieldRow {
    kind: FieldType,
    tier: Tier,
    part: Option<Part>,
    heading: Option<&'static str>,
    prose: Option<&'static str>,
    phrase: Phrase,
    spellings: &'static [&'static str],
    facet: Option<Facet>,
    raw: Option<Field>,
    version: Option<Field>,
    varies_with: &'static [Field],
    unstated: Option<&'static str>,
    column: Option<u16>,
    gives_way: Option<u8>,
    is_in_id: bool,
    id_key: Option<&'static str>,
    is_compared: bool,
    is_counted: bool,
    is_searched: bool,
    is_expected: bool,
    is_promised: bool,
    is_shown_alike: bool,
    usual: Option<&'static str>,
    is_computed: bool,
}

/// A field that enters the id, is compared by its tier and is not a column of answers.
const fn row(kind: FieldType, tier: Tier, part: Option<Part>) -> FieldRow {
    FieldRow {
        kind,
        tier,
        part,
        heading: None,
        prose: None,
        phrase: Never,
        spellings: &[],
        facet: None,
        raw: None,
        version: None,
        varies_with: &[],
        unstated: None,
        column: None,
        gives_way: None,
        is_in_id: true,
        id_key: None,
        is_compared: true,
        is_counted: !matches!(kind, Number) || matches!(tier, Identity),
        is_searched: matches!(kind, Text),
        is_expected: true,
        is_promised: false,
        is_shown_alike: true,
        usual: None,
        is_computed: false,
    }
}

/// The id of an entity.
const fn entity(kind: EntityKind, tier: Tier, part: Part) -> FieldRow {
    row(Entity(kind), tier, Some(part)).facet(Facet::of_entities(kind))
}

/// The source's own spelling of an entity's name. Correcting it must not change cited ids.
const fn raw(part: Part) -> FieldRow {
    remark(Some(part))
}

/// A kind of parallelism among devices: a tuning choice that goes with the devices.
const fn parallel() -> FieldRow {
    row(Count, Axis, Some(Setup)).said(Always).varies_with(&[Field::Device, Field::DeviceCount]).optional()
}

/// Number of devices that do only one phase of the work.
const fn disaggregated() -> FieldRow {
    row(Count, Axis, Some(Setup)).varies_with(&[Field::Device, Field::DeviceCount]).optional()
}

/// The format of one kind of tensors, which is part of the numeric recipe.
const fn format_of(heading: &'static str) -> FieldRow {
    row(Text, Axis, Some(Protocol)).heading(heading, Always).varies_with(&[Field::Precision]).optional()
}

/// Free text about a row.
const fn remark(part: Option<Part>) -> FieldRow {
    row(Text, Disclosure, part).outside_id().uncompared().uncounted()
}

/// A number about the samples behind the row's first metric.
const fn of_samples() -> FieldRow {
    row(Number, Disclosure, None).outside_id().uncompared()
}

/// A field computed from the row and its source's entry, never read from a file.
const fn computed(kind: FieldType) -> FieldRow {
    FieldRow { is_computed: true, ..row(kind, Tier::Disclosure, Some(Batch)) }
        .outside_id()
        .uncompared()
        .optional()
        .said(InLists)
}

impl FieldRow {
    /// A short column heading, and when running text must name it with a value.
    const fn heading(self, heading: &'static str, phrase: Phrase) -> Self {
        Self { heading: Some(heading), phrase, ..self }
    }

    /// Its name in sentences for readers who know the research field but not the keys, where it differs from the key
    /// with spaces.
    const fn prose(self, prose: &'static str) -> Self {
        Self { prose: Some(prose), ..self }
    }

    /// When running text must name the field with a value.
    const fn said(self, phrase: Phrase) -> Self {
        Self { phrase, ..self }
    }

    /// Other names in queries.
    const fn spelled(self, spellings: &'static [&'static str]) -> Self {
        Self { spellings, ..self }
    }

    /// The query facet of its value.
    const fn facet(self, facet: Facet) -> Self {
        Self { facet: Some(facet), is_searched: false, ..self }
    }

    /// The field with the source's own spelling.
    const fn raw_in(self, raw: Field) -> Self {
        Self { raw: Some(raw), ..self }
    }

    /// The field with the version of the entity.
    const fn version_in(self, version: Field) -> Self {
        Self { version: Some(version), ..self }
    }

    /// The fields that it goes with: it may vary in a ranking along one of them.
    const fn varies_with(self, fields: &'static [Field]) -> Self {
        Self { varies_with: fields, ..self }
    }

    /// The value implied where it is not stated.
    const fn unstated_means(self, value: &'static str) -> Self {
        Self { unstated: Some(value), ..self }
    }

    /// Makes it a column of answers, at this position; the gaps leave room for new ones.
    const fn column(self, place: u16) -> Self {
        Self { column: Some(place), ..self }
    }

    /// The rank by which its column is dropped on a narrow terminal, the lowest first.
    const fn gives_way(self, rank: u8) -> Self {
        Self { gives_way: Some(rank), ..self }
    }

    /// Not shown when all rows of an answer have the same value.
    const fn only_if_varying(self) -> Self {
        Self { is_shown_alike: false, ..self }
    }

    /// The usual value, which is not shown when all rows have it; any other value is shown.
    const fn usually(self, value: &'static str) -> Self {
        Self { usual: Some(value), ..self }
    }

    /// Excluded from the id, so that correcting it leaves the measurement's id unchanged.
    const fn outside_id(self) -> Self {
        Self { is_in_id: false, ..self }
    }

    /// Enters ids under the key of an older field, so that cited ids stay valid.
    const fn in_id_as(self, key: &'static str) -> Self {
        Self { id_key: Some(key), ..self }
    }

    /// Never a reason against comparing numbers.
    const fn uncompared(self) -> Self {
        Self { is_compared: false, ..self }
    }

    /// Its values differ too much between rows to be counted.
    const fn uncounted(self) -> Self {
        Self { is_counted: false, ..self }
    }

    /// A text that query words do not search.
    const fn unsearched(self) -> Self {
        Self { is_searched: false, ..self }
    }

    /// Not counted as missing where a source does not state it.
    const fn optional(self) -> Self {
        Self { is_expected: false, ..self }
    }

    /// Present in every measurement of an answer, null where unknown.
    const fn promised(self) -> Self {
        Self { is_promised: true, ..self }
    }
}

crate::values::text::serde_as_text!(Field);

impl Field {
    /// Whether the field can be an axis: it describes how a run was made, not what ran.
    pub fn is_axis(self) -> bool {
        use Field::*;
        matches!(
            self,
            BatchSize
                | BatchSizeGlobal
                | DeviceCount
                | Hosts
                | Threads
                | SequenceLength
                | Concurrency
                | TensorParallel
                | InputLength
                | OutputLength
                | Cuda
                | Cudnn
                | FrameworkVersion
                | Driver
                | Precision
                | Layout
                | Mode
                | Epochs
        )
    }

    /// The type of the field's value.
    pub fn kind(self) -> FieldType {
        self.row().kind
    }

    /// The field's tier in comparisons; `None` where the field is never compared.
    pub fn compared_tier(self) -> Option<Tier> {
        self.row().is_compared.then_some(self.row().tier)
    }

    /// The field's tier.
    pub fn tier(self) -> Tier {
        self.row().tier
    }

    /// The part that it belongs to; `None` means the row's own.
    pub fn part(self) -> Option<Part> {
        self.row().part
    }

    /// The fields of a part, in registry order.
    pub fn of_part(part: Part) -> impl Iterator<Item = Self> + Clone {
        Self::VARIANTS.iter().copied().filter(move |field| field.part() == Some(part))
    }

    /// The fields that name an entity of the catalog, with the kind of entity.
    pub fn of_entities() -> impl Iterator<Item = (Self, EntityKind)> {
        Self::VARIANTS.iter().filter_map(|&field| Some((field, field.entity_kind()?)))
    }

    /// The kind of entity that it names.
    pub fn entity_kind(self) -> Option<EntityKind> {
        match self.kind() {
            Entity(kind) => Some(kind),
            _ => None,
        }
    }

    /// Whether the field distinguishes measurements, so that it enters the measurement's id.
    ///
    /// Raw spellings, notes and sample counts do not: correcting them must not change cited ids.
    pub fn is_identity(self) -> bool {
        self.row().is_in_id
    }

    /// The key under which it enters the measurement's id: its own, or that of an older field.
    pub fn id_key(self) -> &'static str {
        self.row().id_key.unwrap_or(self.key())
    }

    /// Whether it is computed from other fields and the source's entry, so that no file states it.
    pub fn is_computed(self) -> bool {
        self.row().is_computed
    }

    /// The fields that files can state.
    pub fn of_files() -> impl Iterator<Item = Self> + Clone {
        Self::VARIANTS.iter().copied().filter(|field| !field.is_computed())
    }

    /// The words of a field whose words are ranked, the best first.
    pub fn ranks(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Evidence => Some(EVIDENCE_GRADES),
            _ => None,
        }
    }

    /// Whether it is a remark: free text of the row itself, which several rows may share.
    pub fn is_remark(self) -> bool {
        self.part().is_none() && self.kind() == Text
    }

    /// A short column heading.
    pub fn heading(self) -> &'static str {
        self.row().heading.unwrap_or(self.key())
    }

    /// Its name in sentences for a reader of a paper: `number of devices`, `sequence length`, `cuDNN`.
    pub fn in_prose(self) -> String {
        let row = self.row();
        match (row.prose, row.heading) {
            (Some(prose), _) => prose.to_owned(),
            (None, Some(heading)) if heading.chars().any(char::is_uppercase) => heading.to_owned(),
            _ => self.key().replace('-', " "),
        }
    }

    /// Other names in queries.
    pub fn spellings(self) -> &'static [&'static str] {
        self.row().spellings
    }

    /// The query facet of its value.
    pub fn facet(self) -> Option<Facet> {
        self.row().facet
    }

    /// The field with the source's own spelling.
    pub fn raw(self) -> Option<Self> {
        self.row().raw
    }

    /// The field with the version of the entity.
    pub fn version(self) -> Option<Self> {
        self.row().version
    }

    /// Whether it may vary in a ranking along another field, because it goes with that field.
    pub fn varies_with(self, other: Self) -> bool {
        self.row().varies_with.contains(&other)
    }

    /// Whether it may differ between two rows that are compared along another field: as in a ranking, except for the
    /// number of threads, of which a device is run with many, so that it distinguishes the device's rows.
    pub fn differs_along(self, other: Self) -> bool {
        self.varies_with(other) && self != Self::Threads
    }

    /// Whether it is the version field of another field.
    pub fn is_version(self) -> bool {
        Self::VARIANTS.iter().any(|field| field.version() == Some(self))
    }

    /// The usual value, which almost all rows have.
    pub fn usual(self) -> Option<&'static str> {
        self.row().usual
    }

    /// The value implied where it is not stated.
    pub fn unstated(self) -> Option<&'static str> {
        self.row().unstated
    }

    /// The fields that are columns of answers, in the order of the columns.
    pub fn columns() -> Vec<Self> {
        let mut columns: Vec<Self> = Self::VARIANTS.iter().copied().filter(|f| f.row().column.is_some()).collect();
        columns.sort_by_key(|field| field.row().column);
        columns
    }

    /// The rank by which its column is dropped on a narrow terminal, the lowest first.
    pub fn gives_way(self) -> Option<u8> {
        self.row().gives_way
    }

    /// Whether a value is shown when all rows share it.
    pub fn is_shown_alike(self, value: &str) -> bool {
        self.row().is_shown_alike && self.unstated() != Some(value) && self.row().usual != Some(value)
    }

    /// Whether its values are worth counting over many rows.
    pub fn is_counted(self) -> bool {
        self.row().is_counted
    }

    /// Whether its text is searched for words that belong to no facet.
    pub fn is_searched(self) -> bool {
        self.row().is_searched
    }

    /// Whether it counts as missing where a source does not state it.
    pub fn is_expected(self) -> bool {
        self.row().is_expected
    }

    /// Whether every measurement of an answer has it, null where unknown.
    pub fn is_promised(self) -> bool {
        self.row().is_promised
    }

    /// A value as worded in running text about rows: `fp16`, `batch 16`, `4 devices`.
    pub fn in_words(self, value: &str) -> String {
        match self.row().phrase {
            _ if self == Self::Metered => match value {
                "chip" => "of the chips alone".to_owned(),
                "device" => "of the devices alone".to_owned(),
                "parts" => "of processors, memory and GPUs".to_owned(),
                "host" => "of the whole machine".to_owned(),
                _ => "at the plug".to_owned(),
            },
            Never | InLists => value.to_owned(),
            Always => format!("{} {value}", self.heading()),
            Counted(noun) if value == "1" => format!("1 {noun}"),
            Counted(noun) => format!("{value} {noun}s"),
            Prefixed(beginning) => format!("{beginning}{value}"),
            Equals => format!("{} = {value}", self.heading()),
            Prose => format!("{}: {value}", self.heading()),
        }
    }

    /// A value as worded in a mixed list in a paper, such as a footnote of a table: `sequence length 512`, `called “run
    /// 3” by its source`.
    pub fn in_print(self, value: &str) -> String {
        match (self, self.row().phrase) {
            (Self::Label, _) => format!("called “{value}” by its source"),
            // Worded as in captions and notes; a version follows the name that it belongs to, so the number suffices.
            (Self::BatchSize | Self::FrameworkVersion, _) => self.in_words(value),
            (Self::Metered, _) => format!("power {}", self.in_words(value)),
            (Self::Availability, _) if value == "rdi" => "research, development or internal (MLPerf)".to_owned(),
            (Self::Availability, _) => format!("{value} (MLPerf)"),
            (Self::Division, _) => format!("{value} division of MLPerf"),
            (Self::InputShape, _) => format!("input {}", value.replace('x', "×")),
            (_, InLists | Always) => format!("{} {value}", self.in_prose()),
            _ => self.in_words(value),
        }
    }

    /// A value as worded in a mixed list, such as a footnote: `label run 3`.
    pub fn in_list(self, value: &str) -> String {
        match self.row().phrase {
            InLists => format!("{} {value}", self.heading()),
            _ => self.in_words(value),
        }
    }
}

words! {
    STAGES = crate::values::Stage;
    SCENARIOS = crate::values::Scenario;
    DIVISIONS = crate::values::Division;
    AVAILABILITIES = crate::values::Availability;
    PRECISIONS = crate::values::Precision;
    COMPUTE_UNITS = crate::values::ComputeUnit;
    METERED = crate::values::Metered;
    STATISTICS = crate::values::Statistic;
    ALLOCATORS = crate::values::Allocator;
    SWITCHES = crate::values::Switch;
    COUNTED = crate::values::Counted;
    OUTCOMES = crate::values::Outcome;
    PROVENANCES = crate::values::Provenance;
    DATA = crate::values::Data;
    PROTOCOLS = crate::values::Protocol;
    STANDINGS = crate::values::Standing;
    EVIDENCE_GRADES = crate::values::EvidenceGrade;
    DATINGS = crate::values::Dating;
}

/// The keys of all metrics.
const METRICS: &[&str] = &{
    use strum::VariantArray as _;
    let mut keys = [""; super::Metric::VARIANTS.len()];
    let mut at = 0;
    while at < keys.len() {
        keys[at] = super::Metric::VARIANTS[at].key();
        at += 1;
    }
    keys
};

/// A part of a measurement that several measurements may share.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Part {
    /// Who ran it, and on what: source, framework, device, their software and environment.
    Setup,
    /// What ran: network, data set and the shape of one sample.
    Workload,
    /// How it ran and what was measured: stage, precision, statistic, outcome and the like, and which metrics.
    Protocol,
    /// The size of the run: batch sizes and number of samples.
    Batch,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_the_vocabularies_names() {
        let FieldType::Word(stages) = Field::Stage.kind() else { panic!("stage is a word") };
        assert_eq!(stages, ["eval", "train", "forward", "backward", "prefill", "decode"]);
        let FieldType::Word(precisions) = Field::Precision.kind() else { panic!("precision is a word") };
        assert!(precisions.contains(&"amp-fp16"));
    }
}
