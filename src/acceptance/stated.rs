//! What sources state beside their figures (in a heading, a sheet, a configuration) is said of their rows, and what they do not
//! state is not filled in.

use std::path::Path;

use dlbench::model::{Field, Measurement};
use dlbench::reading::read;

use crate::REPOSITORY;

/// A source, a field, and how many of its rows state it at least. Raise a number when it has risen; never lower one.
const STATED: &[(&str, Field, usize)] = &[
    ("nvidia-dle-2024", Field::Container, 8868),
    ("nvidia-dle-2024", Field::FrameworkVersion, 9098),
    ("nvidia-dle-2024", Field::DeviceCount, 9478),
    ("nvidia-dle-2024", Field::Host, 6980),
    ("nvidia-dle-2024", Field::Mode, 1638),
    ("nvidia-dle-2024", Field::Setting, 2),
    ("nvidia-dle-2024", Field::N, 2540),
    ("nvidia-dle-2024", Field::Dataset, 8890),
    ("nvidia-dle-2024", Field::InputShape, 3238),
    ("nvidia-dle-2024", Field::BatchSizeGlobal, 168),
    ("deepbench-2020", Field::Cuda, 7133),
    ("deepbench-2020", Field::Driver, 7133),
    ("deepbench-2020", Field::Os, 8728),
    ("deepbench-2020", Field::KernelLibrary, 1275),
    ("deepbench-2020", Field::SequenceLength, 1797),
    ("deepbench-2020", Field::Setting, 1249),
    ("deepbench-2020", Field::Software, 1595),
    ("ryujaehun-2021", Field::BatchSize, 3560),
    ("ryujaehun-2021", Field::InputShape, 3560),
    ("ryujaehun-2021", Field::Cuda, 3072),
    ("mxnet-2023", Field::Instance, 447),
    ("jcjohnson-2017", Field::Host, 360),
    ("jcjohnson-2017", Field::Cuda, 360),
    ("dawnbench-2020", Field::PriceUsdPerHour, 44),
    ("lambdal-2025", Field::BatchSize, 2632),
    ("ncnn-2026", Field::Os, 2900),
    ("hailo-2026", Field::DatasetRaw, 1639),
    ("hailo-2026", Field::Setting, 68),
    ("hailo-2026", Field::InputShape, 1546),
    ("hailo-2026", Field::Software, 1640),
    ("ai-hub-models-2026", Field::FrameworkVersion, 10005),
    ("mlperf-inference-v2.0", Field::Instance, 111),
    ("mlperf-training-v1.1", Field::Instance, 22),
];

/// The measurements of the repository.
fn measurements() -> Vec<Measurement> {
    read(Path::new(REPOSITORY)).expect("the knowledge base is read").measurements
}

#[test]
fn rows_say_what_their_sources_state_elsewhere_and_nothing_more() {
    let all = measurements();
    let of = |source: &'static str| all.iter().filter(move |row| row.source().as_str() == source);
    for (source, field, least) in STATED {
        let stated = of(source).filter(|row| row.get(*field).is_some()).count();
        assert!(stated >= *least, "{source}: {stated} rows state {}, it were {least}", field.key());
    }

    let text = |row: &Measurement, field| row.text(field).unwrap_or_default().to_owned();
    // The page of MXNet states a precision for one table, and its ResNets are v2.
    assert_eq!(of("mxnet-2023").filter(|row| row.precision().is_some()).count(), 45);
    assert_eq!(of("mxnet-2023").filter(|row| text(row, Field::Network).starts_with("resnet-")).count(), 152);
    assert!(of("mxnet-2023").all(|row| !["resnet-50", "resnet-152"].contains(&text(row, Field::Network).as_str())));
    // Pseudo FP16 computes in 32 bits.
    let pseudo: Vec<_> =
        of("deepbench-2020").filter(|row| text(row, Field::Setting).starts_with("pseudo FP16")).collect();
    assert_eq!((pseudo.len(), pseudo.iter().filter(|row| row.precision().is_some()).count()), (537, 0));
    // The clouds count the GPUs of a K80 and of an M60, of which a board has two.
    for source in
        ["mxnet-2023", "minimaxir-2017", "szilard-2017", "tensorflow-docs-2026", "dawnbench-2020", "ilkarman-2018"]
    {
        let boards = ["tesla-k80", "tesla-m60"];
        assert!(of(source).all(|row| !boards.contains(&text(row, Field::Device).as_str())), "{source}");
    }
    // The machine and the memory in a heading decide which GPU it is.
    let dgx = of("nvidia-dle-2024").filter(|row| text(row, Field::Host).starts_with("NVIDIA DGX"));
    let family = dgx.filter(|row| ["a100", "tesla-v100"].contains(&text(row, Field::Device).as_str()));
    assert!(family.clone().all(|row| !text(row, Field::DeviceRaw).contains("0G")), "a DGX with its memory is a SKU");
    assert_eq!(family.count(), 64);
    // Where the file says fp32 on a GPU that has TF32, a row says so.
    for (source, rows) in [("lambdal-2025", 1610), ("ryujaehun-2021", 256)] {
        assert_eq!(of(source).filter(|row| text(row, Field::Notes).contains("in TF32")).count(), rows, "{source}");
    }
    // fb.resnet.torch has the stride of v1.5.
    for network in ["resnet-50-v1.5", "resnet-101-v1.5", "resnet-152-v1.5"] {
        assert_eq!(of("jcjohnson-2017").filter(|row| text(row, Field::Network) == network).count(), 42, "{network}");
    }
    // Passes over the data, also where a file counts them from 0.
    let passes = |label: &'static str| {
        let row = of("dawnbench-2020").find(|row| text(row, Field::Label) == label).expect(label);
        row.get(Field::Epochs).map(|value| value.to_string())
    };
    assert_eq!(passes("kakaobrain_custom-resnet9_1v100-braincloud_pytorch").as_deref(), Some("25"));
    assert_eq!(passes("davidcpage_resnet9_1v100-ec2_pytorch").as_deref(), Some("24"));
}

#[test]
fn a_gpu_of_ncnn_is_the_one_that_its_log_lists() {
    let all = measurements();
    let rows = || all.iter().filter(|row| row.source().as_str() == "ncnn-2026");
    let text = |row: &Measurement, field| row.text(field).unwrap_or_default().to_owned();
    let device = |raw: &str| -> Vec<String> {
        let mut devices: Vec<String> = rows()
            .filter(|row| text(row, Field::DeviceRaw).ends_with(raw))
            .map(|row| text(row, Field::Device))
            .collect();
        devices.dedup();
        devices
    };
    assert_eq!(device("Microsoft Direct3D12 (Intel(R) UHD Graphics)"), ["intel-uhd-graphics-11800h"]);
    assert_eq!(device("NVIDIA Tegra X2 (nvgpu)"), ["jetson-tx2-nx"]);
    assert_eq!(device(": AMD Radeon RX 6900 XT"), ["radeon-rx-6900-xt"]);
    assert!(rows().all(|row| !text(row, Field::Os).ends_with("CPU") && !text(row, Field::Os).ends_with("GPU")));
    let lost = rows().filter(|row| row.outcome().is_some());
    assert!(lost.clone().all(|row| text(row, Field::Device) == "rockchip-rk3588s-gpu"));
    assert_eq!(lost.count(), 19);
    assert!(rows().count() >= 8554);
}
