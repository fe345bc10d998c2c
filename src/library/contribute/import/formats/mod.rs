//! The named formats: recipes that come with the program, for what tools out there write.

use crate::contribute::recipe::{Recipe, RecipeError};

/// A named format.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    recipe: &'static str,
}

/// All named formats.
pub const FORMATS: &[Format] = &[
    Format {
        name: "wrapper-csv",
        about: "the benchmark wrapper's CSV: Timestamp, Framework, Algoritem …",
        recipe: include_str!("wrapper-csv.toml"),
    },
    Format { name: "timm", about: "timm's benchmark-*.csv", recipe: include_str!("timm.toml") },
    Format {
        name: "pytorch-gpu-benchmark",
        about: "pytorch-gpu-benchmark's wide CSV: a column a network, a line a repeat",
        recipe: include_str!("pytorch-gpu-benchmark.toml"),
    },
    Format {
        name: "cnn-benchmarks",
        about: "cnn-benchmarks' JSON, one file a run",
        recipe: include_str!("cnn-benchmarks.toml"),
    },
    Format {
        name: "ncnn",
        about: "the log of ncnn's benchmark, below a heading for each device",
        recipe: include_str!("ncnn.toml"),
    },
    Format {
        name: "autumnai",
        about: "autumnai's benchmark.toml or benchmark.json",
        recipe: include_str!("autumnai.toml"),
    },
    Format {
        name: "undertherain",
        about: "undertherain/benchmarker's JSON, one file a run, in data/ or data_old/",
        recipe: include_str!("undertherain.toml"),
    },
    Format {
        name: "lambdal",
        about: "Lambda's CSV pair: throughputs, and beside them batch sizes (-bs-)",
        recipe: include_str!("lambdal.toml"),
    },
    Format {
        name: "dawnbench",
        about: "DAWNBench's JSON, and beside one of training its TSV",
        recipe: include_str!("dawnbench.toml"),
    },
    Format {
        name: "mlperf-json",
        about: "MLPerf Inference's summary JSON, one object a result",
        recipe: include_str!("mlperf-json.toml"),
    },
    Format {
        name: "mlperf-csv",
        about: "MLPerf Inference results as CSV, one row a result",
        recipe: include_str!("mlperf-csv.toml"),
    },
];

/// The recipe of a named format.
///
/// # Errors
///
/// When there is no such format (`None`), or its recipe has a mistake, which would be ours.
pub fn recipe_of(name: &str) -> Option<Result<Recipe, RecipeError>> {
    FORMATS.iter().find(|format| format.name == name).map(|format| Recipe::parse(format.recipe))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recipe_that_comes_with_the_program_can_be_read() {
        for format in FORMATS {
            let recipe = recipe_of(format.name).unwrap().unwrap_or_else(|error| panic!("{}: {error}", format.name));
            for part in &recipe.table {
                part.compiled().unwrap_or_else(|error| panic!("{}: {error}", format.name));
            }
        }
    }
}
