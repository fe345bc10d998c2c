//! One row of facts for each entity.

use crate::model::{Dataset, Device, Framework, Network, NumberFormat, Source};
use crate::values::{Grid, GridColumn};

fn shown<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map_or_else(String::new, T::to_string)
}

/// `yes`, `no`, or nothing when it is not known.
fn yes_no(flag: Option<bool>) -> String {
    flag.map_or_else(String::new, |flag| if flag { "yes" } else { "no" }.to_owned())
}

fn list<T: ToString>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

/// The seven framework metrics of today, with how alive each framework is.
pub fn framework_facts<'f>(frameworks: impl IntoIterator<Item = &'f Framework>) -> Grid {
    let mut grid = Grid::of_texts(&[
        "framework",
        "status",
        "license",
        "core",
        "API",
        "hardware",
        "multi-server",
        "tested networks",
        "tested data sets",
    ]);
    for framework in frameworks {
        grid.push(vec![
            framework.name.clone(),
            shown(&framework.status),
            shown(&framework.license),
            framework.core_languages.join(", "),
            framework.api_languages.join(", "),
            list(&framework.hardware),
            yes_no(framework.multi_server),
            list(&framework.tested_networks),
            list(&framework.tested_datasets),
        ]);
    }
    grid
}

/// Specifications.
pub fn device_facts<'d>(devices: impl IntoIterator<Item = &'d Device>) -> Grid {
    let mut grid = Grid {
        columns: vec![
            GridColumn::text("device"),
            GridColumn::text("class"),
            GridColumn::text("architecture"),
            GridColumn::number("memory [GiB]"),
            GridColumn::number("bandwidth [GB/s]"),
            GridColumn::number("fp32 [TFLOP/s]"),
            GridColumn::number("fp16 [TFLOP/s]"),
            GridColumn::number("fp16 tensor [TFLOP/s]"),
            GridColumn::number("TDP [W]"),
            GridColumn::text("released"),
        ],
        rows: Vec::new(),
    };
    for device in devices {
        let peak = |format: NumberFormat| device.peak_tflops.get(&format).map_or_else(String::new, ToString::to_string);
        grid.push(vec![
            device.name.clone(),
            device.class.to_string(),
            shown(&device.architecture),
            shown(&device.memory_gib),
            shown(&device.bandwidth_gb_per_s),
            peak(NumberFormat::Fp32),
            peak(NumberFormat::Fp16),
            peak(NumberFormat::Fp16Tensor),
            shown(&device.tdp_w),
            shown(&device.release_date),
        ]);
    }
    grid
}

/// Size and cost of networks.
pub fn network_facts<'n>(networks: impl IntoIterator<Item = &'n Network>) -> Grid {
    let mut grid = Grid {
        columns: vec![
            GridColumn::text("network"),
            GridColumn::text("family"),
            GridColumn::text("task"),
            GridColumn::text("input"),
            GridColumn::number("parameters [10^6]"),
            GridColumn::number("multiply-adds [10^9]"),
            GridColumn::number("year"),
        ],
        rows: Vec::new(),
    };
    for network in networks {
        grid.push(vec![
            network.name.clone(),
            shown(&network.family),
            shown(&network.task),
            shown(&network.input_shape),
            shown(&network.parameters_m),
            shown(&network.multiply_adds_g),
            shown(&network.year),
        ]);
    }
    grid
}

/// Size of data sets.
pub fn dataset_facts<'d>(datasets: impl IntoIterator<Item = &'d Dataset>) -> Grid {
    let mut grid = Grid {
        columns: vec![
            GridColumn::text("data set"),
            GridColumn::text("task"),
            GridColumn::number("classes"),
            GridColumn::number("training samples"),
            GridColumn::number("test samples"),
            GridColumn::text("input"),
            GridColumn::text("license"),
        ],
        rows: Vec::new(),
    };
    for dataset in datasets {
        grid.push(vec![
            dataset.name.clone(),
            shown(&dataset.task),
            shown(&dataset.classes),
            shown(&dataset.train_size),
            shown(&dataset.test_size),
            shown(&dataset.input_shape),
            shown(&dataset.license),
        ]);
    }
    grid
}

/// Who published what, and how many measurements of it are here.
pub fn source_facts<'s>(sources: impl IntoIterator<Item = (&'s Source, u64)>) -> Grid {
    let mut grid = Grid {
        columns: vec![
            GridColumn::text("source"),
            GridColumn::text("authors"),
            GridColumn::number("year"),
            GridColumn::text("title"),
            GridColumn::text("license"),
            GridColumn::number("measurements"),
        ],
        rows: Vec::new(),
    };
    for (source, measurements) in sources {
        let authors: Vec<&str> = source
            .authors
            .iter()
            .map(|author| author.split_once(',').map_or(author.as_str(), |(family, _)| family))
            .collect();
        grid.push(vec![
            source.id.to_string(),
            authors.join(", "),
            shown(&source.year),
            source.name.clone(),
            shown(&source.license),
            measurements.to_string(),
        ]);
    }
    grid
}
