//! The closed vocabularies: enums whose names are defined only here.

#![expect(missing_docs, reason = "strum's `into_str` comes without")]

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord,
            Display, EnumString, IntoStaticStr, VariantArray, Serialize, Deserialize,
        )]
        #[strum(serialize_all = "kebab-case", const_into_str)]
        #[serde(rename_all = "kebab-case")]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        pub enum $name { $($(#[$item_doc])* $item),+ }
    };
}

vocabulary! {
    /// The kinds of catalog entities.
    EntityKind {
        /// A deep-learning framework.
        Framework,
        /// A device or family of devices.
        Device,
        /// A class of hardware.
        HardwareClass,
        /// A network or family of networks.
        Network,
        /// A data set.
        Dataset,
        /// A source of facts or numbers.
        Source,
    }
}

impl EntityKind {
    /// The kind's folder under `catalog/`, and its plural in commands and answers.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Framework => "frameworks",
            Self::Device => "devices",
            Self::HardwareClass => "hardware-classes",
            Self::Network => "networks",
            Self::Dataset => "datasets",
            Self::Source => "sources",
        }
    }

    /// The kind's name in prose: `hardware class`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::HardwareClass => "hardware class",
            Self::Dataset => "data set",
            other => other.into(),
        }
    }
}

vocabulary! {
    /// The hardware classes that the 12 qualitative hardware metrics grade.
    HardwareClass {
        /// Graphics processors.
        Gpu,
        /// Field-programmable gate arrays.
        Fpga,
        /// Application-specific chips.
        Asic,
        /// General-purpose processors.
        Cpu,
    }
}

vocabulary! {
    /// What the benchmark times. `train` is a training step or epoch; `forward` and `backward` are its halves;
    /// `prefill` and `decode` are the two phases of a language model's inference.
    Stage {
        /// Inference: a forward pass for its result.
        Eval,
        /// A training step or epoch.
        Train,
        /// The forward half of a training step.
        Forward,
        /// The backward half of a training step.
        Backward,
        /// A language model reading its prompt.
        Prefill,
        /// A language model generating token by token.
        Decode,
    }
}

impl Stage {
    /// Other spellings of the stage.
    pub fn spellings(self) -> &'static [&'static str] {
        match self {
            Self::Eval => &["inference", "infer", "evaluation"],
            Self::Train => &["training"],
            Self::Forward => &["forward pass"],
            Self::Backward => &["backward pass", "backprop", "backpropagation"],
            Self::Prefill => &["prompt processing"],
            Self::Decode => &["decoding"],
        }
    }
}

vocabulary! {
    /// How the load arrives, if a source states it (MLPerf's scenarios).
    Scenario {
        /// All at once.
        Offline,
        /// One by one at random times, within a bound on latency.
        Server,
        /// One after the other.
        SingleStream,
        /// Several at a time, one set after the other.
        MultiStream,
        /// Like `server`, with tighter bounds on the time to the first token and between tokens.
        Interactive,
    }
}

vocabulary! {
    /// How much freedom a benchmark's rules give the submitter (MLPerf's divisions).
    Division {
        /// The reference network, at the required accuracy.
        Closed,
        /// Any network and any accuracy.
        Open,
        /// Like `closed`, with the load sent over a network.
        Network,
    }
}

vocabulary! {
    /// Whether the measured system is available (MLPerf's categories).
    Availability {
        /// For sale or for rent when the result was published.
        Available,
        /// Announced for a later round.
        Preview,
        /// Research, development or internal: not for sale.
        Rdi,
    }
}

vocabulary! {
    /// The part of a chip that ran the work.
    ComputeUnit {
        /// The processor cores.
        Cpu,
        /// The graphics processor.
        Gpu,
        /// The neural processing unit, whatever its vendor calls it.
        Npu,
    }
}

impl ComputeUnit {
    /// The hardware class of a row that this unit computed on a device of the given class. Results of the NPU in a
    /// phone's chip are not CPU results and belong to no class. A device that is an accelerator keeps its class.
    pub fn class_on(self, device: HardwareClass) -> Option<HardwareClass> {
        match (self, device) {
            (_, HardwareClass::Fpga | HardwareClass::Asic) => Some(device),
            (Self::Cpu, _) => Some(HardwareClass::Cpu),
            (Self::Gpu, _) => Some(HardwareClass::Gpu),
            (Self::Npu, _) => None,
        }
    }
}

vocabulary! {
    /// What a power or energy figure covers, from the smallest to the largest; different ones are never compared.
    Metered {
        /// The compute chips, without their memory.
        Chip,
        /// The devices by their own meters (NVML, RAPL): chip, memory and everything else on the board or package.
        Device,
        /// The processors, their memory and the GPUs, each by its own meter (RAPL, NVML); without the rest of the machine.
        Parts,
        /// Machines, by their own meters or those of their power supplies.
        Host,
        /// Everything that the plug feeds, including losses of the power supply.
        Wall,
    }
}

vocabulary! {
    /// What our own runner waits for, and thus what it times.
    Timing {
        /// Each iteration.
        Latency,
        /// Many iterations in a row, without waiting.
        Throughput,
    }
}

vocabulary! {
    /// What happens to memory that a program does not need at the moment.
    Allocator {
        /// The behaviour of the C library and its variables: large blocks are returned to the system and allocated again.
        System,
        /// The program retains all of it.
        Kept,
    }
}

vocabulary! {
    /// What the date of a measurement is based on.
    Dating {
        /// The day, month or year in which it was measured.
        Measured,
        /// The commit of the source that published it.
        Commit,
        /// The publication of the source's round of submissions.
        Round,
        /// The date on the source's page.
        Page,
        /// The year of the source.
        Year,
    }
}

vocabulary! {
    /// Whether something is on or off.
    Switch {
        /// On.
        On,
        /// Off.
        Off,
    }
}

vocabulary! {
    /// Which statistic of its samples a reported value is.
    Statistic {
        /// The mean.
        Mean,
        /// The median.
        Median,
        /// The smallest sample.
        Min,
        /// The largest sample.
        Max,
        /// The 90th percentile.
        P90,
        /// The 95th percentile.
        P95,
        /// The 99th percentile.
        P99,
        /// The only sample.
        Single,
    }
}

impl Statistic {
    /// Whether it represents all samples (mean, median or the single one), unlike a percentile or an extreme.
    pub fn is_middle(self) -> bool {
        matches!(self, Self::Mean | Self::Median | Self::Single)
    }
}

vocabulary! {
    /// Why an attempt has no number.
    Outcome {
        /// Out of memory.
        Oom,
        /// Not supported.
        Unsupported,
        /// Crashed.
        Crashed,
        /// Not finished in time.
        Timeout,
    }
}

impl Outcome {
    /// The outcome in words for readers who do not know the term.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Oom => "the attempt ran out of memory",
            Self::Unsupported => "not supported",
            Self::Crashed => "the attempt crashed",
            Self::Timeout => "the attempt did not end in time",
        }
    }
}

vocabulary! {
    /// Where a number comes from: copied from a publication, or produced by our own runner.
    #[derive(Default)]
    Provenance {
        /// Copied from a publication; the default.
        #[default]
        Reported,
        /// Produced by our own runner.
        Measured,
    }
}

vocabulary! {
    /// The measurement methods of sources that our own runner can follow.
    Protocol {
        /// Sako and Ludwiczuk: 20 warm-up iterations, then the mean of 20.
        #[strum(serialize = "u39kun-2018")]
        #[serde(rename = "u39kun-2018")]
        U39kun2018,
        /// Drozd: one pass over a set of samples.
        Benchmarker,
        /// Pafka: ten epochs on MNIST, timed as a whole.
        BenchmDl,
    }
}

vocabulary! {
    /// Development status of a framework.
    FrameworkStatus {
        /// Widely used and maintained.
        Mature,
        /// New and maintained.
        Developing,
        /// No longer developed.
        Inactive,
    }
}

vocabulary! {
    /// A qualitative grade on the scale of Dai & Berleant's Table I (which uses `Good` once).
    Grade {
        /// High.
        High,
        /// Good: between high and moderate.
        Good,
        /// Moderate.
        Moderate,
        /// Low.
        Low,
    }
}

vocabulary! {
    /// Hardware that a framework runs on.
    Target {
        /// General-purpose processors.
        Cpu,
        /// Graphics processors.
        Gpu,
        /// Field-programmable gate arrays.
        Fpga,
        /// Application-specific chips.
        Asic,
        /// Google's TPUs.
        Tpu,
        /// Phones and small boards.
        Mobile,
    }
}

vocabulary! {
    /// Hardware that the documentation of a framework lists as supported: a vendor's kind of device, or an interface that
    /// devices of several vendors offer.
    Platform {
        /// Processors of unstated vendors.
        AnyCpu,
        /// Processors of Intel and AMD.
        X86Cpu,
        /// Processors with Arm's instruction set, including Apple's.
        ArmCpu,
        /// IBM's POWER.
        PowerCpu,
        /// IBM Z.
        S390xCpu,
        /// RISC-V processors.
        RiscVCpu,
        /// LoongArch processors.
        LoongarchCpu,
        /// Microcontrollers.
        Microcontroller,
        /// NVIDIA GPUs (CUDA).
        NvidiaGpu,
        /// AMD GPUs (ROCm, HIP).
        AmdGpu,
        /// Intel GPUs (SYCL, oneAPI, OpenVINO).
        IntelGpu,
        /// Apple GPUs (Metal).
        AppleGpu,
        /// Qualcomm's Adreno.
        QualcommGpu,
        /// Arm's Mali.
        ArmGpu,
        /// GPUs of Moore Threads (MUSA).
        MooreThreadsGpu,
        /// GPUs of Iluvatar CoreX.
        IluvatarGpu,
        /// GPUs of MetaX.
        MetaxGpu,
        /// Hygon's DCU.
        HygonDcu,
        /// Any GPU with Vulkan.
        VulkanGpu,
        /// Any device with OpenCL.
        OpenclGpu,
        /// Any GPU with DirectX 12.
        DirectxGpu,
        /// Any GPU that a browser reaches by WebGPU.
        WebgpuGpu,
        /// Google's TPU.
        GoogleTpu,
        /// Google's Edge TPU (Coral).
        EdgeTpu,
        /// Intel Gaudi.
        IntelGaudi,
        /// AWS Trainium and Inferentia.
        AwsNeuron,
        /// Huawei Ascend.
        HuaweiAscend,
        /// Cambricon's MLU.
        CambriconMlu,
        /// Baidu's Kunlun XPU.
        KunlunXpu,
        /// Graphcore's IPU.
        GraphcoreIpu,
        /// Cerebras' wafer.
        Cerebras,
        /// IBM Spyre.
        IbmSpyre,
        /// Rebellions.
        Rebellions,
        /// FuriosaAI.
        Furiosa,
        /// Tenstorrent.
        Tenstorrent,
        /// Qualcomm Cloud AI.
        QualcommCloudAi,
        /// Qualcomm's Hexagon.
        QualcommNpu,
        /// Intel's NPU in Core Ultra.
        IntelNpu,
        /// AMD's NPU in Ryzen AI.
        AmdNpu,
        /// Apple's Neural Engine.
        AppleNpu,
        /// MediaTek's APU.
        MediatekNpu,
        /// Samsung's NPU in Exynos.
        SamsungNpu,
        /// Arm Ethos.
        ArmNpu,
        /// Rockchip's NPU.
        RockchipNpu,
        /// NXP's NPU.
        NxpNpu,
        /// Hailo.
        Hailo,
        /// FPGAs of AMD (Xilinx).
        AmdFpga,
        /// FPGAs of Intel (Altera).
        IntelFpga,
    }
}

impl Platform {
    /// The hardware target of the platform.
    pub fn target(self) -> Target {
        use Platform::*;
        match self {
            AnyCpu | X86Cpu | ArmCpu | PowerCpu | S390xCpu | RiscVCpu | LoongarchCpu | Microcontroller => Target::Cpu,
            NvidiaGpu | AmdGpu | IntelGpu | AppleGpu | QualcommGpu | ArmGpu | MooreThreadsGpu | IluvatarGpu
            | MetaxGpu | HygonDcu | VulkanGpu | OpenclGpu | DirectxGpu | WebgpuGpu => Target::Gpu,
            GoogleTpu | EdgeTpu => Target::Tpu,
            AmdFpga | IntelFpga => Target::Fpga,
            _ => Target::Asic,
        }
    }

    /// Whether a device of this maker and class belongs to the platform; `None` where maker and class do not decide it.
    pub fn is_of(self, vendor: &str, class: HardwareClass) -> Option<bool> {
        let own = match (class, vendor) {
            (HardwareClass::Gpu, "NVIDIA") => Self::NvidiaGpu,
            (HardwareClass::Gpu, "AMD") => Self::AmdGpu,
            (HardwareClass::Gpu, "Intel") => Self::IntelGpu,
            (HardwareClass::Gpu, "Apple") => Self::AppleGpu,
            (HardwareClass::Cpu, "Intel" | "AMD") => Self::X86Cpu,
            (HardwareClass::Cpu, "Apple" | "Ampere" | "Phytium") => Self::ArmCpu,
            _ => return None,
        };
        let is_any = match class {
            HardwareClass::Gpu => {
                matches!(self, Self::VulkanGpu | Self::OpenclGpu | Self::DirectxGpu | Self::WebgpuGpu)
            }
            _ => self == Self::AnyCpu,
        };
        Some(self == own || is_any)
    }
}

vocabulary! {
    /// What a throughput or a batch counts. Numbers of different things are never compared.
    Counted {
        /// Images.
        Image,
        /// Samples of any kind.
        Sample,
        /// Tokens.
        Token,
        /// Sequences.
        Sequence,
        /// Queries.
        Query,
        /// Frames.
        Frame,
        /// Inferences.
        Inference,
        /// Videos.
        Video,
    }
}

vocabulary! {
    /// Whether the timed input was generated or read from a data set.
    Data {
        /// Generated.
        Synthetic,
        /// Read from a data set.
        Real,
    }
}

vocabulary! {
    /// How well a measurement is documented, best first.
    EvidenceGrade {
        /// Nearly everything that a reader needs to judge and repeat it is stated.
        A,
        /// Most of it is stated.
        B,
        /// Some of it is stated.
        C,
        /// Little of it is stated, or the number is disputed.
        D,
    }
}

vocabulary! {
    /// The status of a number or a source after its publication. Only `superseded` ones are still correct: a newer one
    /// replaces them.
    Standing {
        /// There is good reason to doubt it.
        Disputed,
        /// A newer one replaces it.
        Superseded,
        /// It is wrong.
        Retracted,
    }
}
