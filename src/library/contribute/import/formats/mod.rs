//! The named formats: built-in recipes for the output of benchmark tools.

use crate::contribute::recipe::{Recipe, RecipeError};

/// A built-in format.
#[derive(Debug, Clone, Copy)]
pub struct NamedFormat {
    /// Its name on the command line.
    pub name: &'static str,
    /// One-line description.
    pub about: &'static str,
    recipe: &'static str,
}

/// Builds the table of formats: a name, which is also the recipe's file stem, and a description.
macro_rules! formats {
    ($($name:literal: $about:literal,)*) => {
        &[$(NamedFormat { name: $name, about: $about, recipe: include_str!(concat!($name, ".toml")) }),*]
    };
}

/// All named formats.
pub const FORMATS: &[NamedFormat] = formats! {
    "wrapper-csv": "the benchmark wrapper's CSV: Timestamp, Framework, Algoritem …",
    "timm": "timm's benchmark-*.csv",
    "pytorch-gpu-benchmark": "pytorch-gpu-benchmark's wide CSV: a column a network, a line a repeat",
    "cnn-benchmarks": "cnn-benchmarks' JSON, one file a run",
    "ncnn": "the log of ncnn's benchmark, below a heading for each device",
    "llama-bench": "llama.cpp's llama-bench: its tables on a page, its CSV or its JSON",
    "autumnai": "autumnai's benchmark.toml or benchmark.json",
    "undertherain": "undertherain/benchmarker's JSON, one file a run, in data/ or data_old/",
    "lambdal": "Lambda's CSV pair: throughputs, and beside them batch sizes (-bs-)",
    "dawnbench": "DAWNBench's JSON, and beside one of training its TSV",
    "mlperf-json": "MLPerf Inference's summary JSON, one object a result",
    "mlperf-csv": "MLPerf Inference results as CSV, one row a result",
    "mlperf-training": "MLPerf Training and HPC: the scores of a round, or its runs, as CSV",
};

/// The recipe of a named format.
///
/// # Errors
///
/// `None` when there is no such format; an error when the built-in recipe has a mistake, which would be a bug.
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
