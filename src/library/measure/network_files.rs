//! The files that give every worker the same network, and the check that a worker's outputs are those of that network.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{fs, io};

use dlbench_protocol::{Event, Exported, Ready, WorkerRequest};
use xxhash_rust::xxh3::xxh3_64;

use super::worker::{Worker, WorkerCommand, WorkerError};
use crate::model::Network;
use crate::reading::{WriteError, create_folder};
use crate::values::{Allocator, Decimal, Precision, Shape, Stage};

/// The file with the description of the exported network, beside the other files.
const KNOWN: &str = "exported.json";

/// Minimum distance between the outputs for two samples, in multiples of the fp32 tolerance …
const LEAST_LIVELINESS: f64 = 10.0;

/// … and between the outputs before and after the update (ResNet-152: 10).
const LEAST_MOVE: f64 = 4.0;

/// The exported files of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkFiles {
    /// Their folder.
    pub folder: PathBuf,
    /// The description that the exporting worker gave.
    pub exported: Exported,
}

/// Distance of outputs from the reference, as a share of the reference's range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deviations {
    /// With the weights of the files …
    pub outputs: f64,
    /// … and with updated weights, if the stage has gradients and the files describe an update.
    pub updated: Option<f64>,
}

/// A request to export a network.
#[derive(Debug, Clone, Copy)]
pub struct ExportRequest<'r> {
    /// Its entry in the catalog.
    pub network: &'r Network,
    /// Extents of one sample; the network's own when absent.
    pub shape: Option<&'r Shape>,
    /// Seed of its random weights.
    pub seed: u64,
    /// The worker that exports it.
    pub launch: &'r WorkerCommand,
    /// A text that identifies the worker and its version.
    pub of: &'r str,
    /// The timeout for its answer.
    pub patience: Duration,
}

/// Why a network could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The worker failed.
    #[error("cannot write the files of {network}: {error}")]
    Worker {
        /// The network's id.
        network: String,
        /// The cause.
        error: WorkerError,
    },
    /// The files are not of the catalog's network, or could not reveal deviations.
    #[error("the files of {network} are of no use: {why}")]
    Unfit {
        /// The network's id.
        network: String,
        /// The reason.
        why: String,
    },
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl NetworkFiles {
    /// The files in a cache folder; the worker writes them if they are missing, after a call of `begins`.
    pub fn of(
        request: &ExportRequest<'_>,
        cache: &Path,
        begins: &mut dyn FnMut(),
        stop: &AtomicBool,
    ) -> Result<Self, ExportError> {
        let shape = request.shape.map_or_else(String::new, |shape| format!("-{shape}"));
        let digest = xxh3_64(request.of.as_bytes());
        let folder = cache.join(format!("{}{shape}-seed-{}-{digest:016x}", request.network.id, request.seed));
        if let Some(exported) = known(&folder) {
            return Ok(Self { folder, exported });
        }
        begins();
        create_folder(cache)?;
        let write = WriteError::at(&folder);
        let new = match tempfile::Builder::new().prefix(".new-").tempdir_in(cache) {
            Ok(new) => new,
            Err(error) => return Err(write(error).into()),
        };
        let network = || request.network.id.to_string();
        let exported =
            written(request, new.path(), stop).map_err(|error| ExportError::Worker { network: network(), error })?;
        if let Some(why) = objection(&exported, request.network.parameters_m) {
            return Err(ExportError::Unfit { network: network(), why });
        }
        let text = serde_json::to_string(&exported).map_err(|error| write(io::Error::other(error)))?;
        fs::write(new.path().join(KNOWN), text).map_err(WriteError::at(&folder))?;
        let new = new.keep();
        if let Err(error) = fs::rename(&new, &folder) {
            let _ = fs::remove_dir_all(&new);
            // Another process may have been faster.
            return match known(&folder) {
                Some(exported) => Ok(Self { folder, exported }),
                None => Err(WriteError::at(&folder)(error).into()),
            };
        }
        Ok(Self { folder, exported })
    }

    /// Compares the outputs of a prepared worker with the reference outputs of the files.
    ///
    /// # Errors
    ///
    /// The difference, in one line.
    pub fn compared(
        &self,
        ready: &Ready,
        stage: Stage,
        batch: u32,
        precision: Precision,
    ) -> Result<Deviations, String> {
        if let Some(parameters) = ready.parameters.filter(|&parameters| parameters != self.exported.parameters) {
            return Err(format!("it has {parameters} parameters, the network {}", self.exported.parameters));
        }
        let outputs = ready.outputs.as_ref().ok_or("it did not answer the samples that it was handed")?;
        let outputs = Reference::outputs(&self.exported).deviation(outputs, batch, precision)?;
        let updated = match Reference::updated(&self.exported).filter(|_| has_gradients(stage)) {
            Some(reference) => {
                let outputs = ready.updated_outputs.as_ref();
                let outputs = outputs.ok_or("it did not answer the samples after the update that it was handed")?;
                Some(reference.deviation(outputs, batch, precision)?)
            }
            None => None,
        };
        Ok(Deviations { outputs, updated })
    }

    /// The tolerances, by record key.
    pub fn tolerances(&self, stage: Stage, precision: Precision) -> impl Iterator<Item = (&'static str, f64)> {
        let updated = Reference::updated(&self.exported).filter(|_| has_gradients(stage));
        let of = [("output-tolerance", Some(Reference::outputs(&self.exported))), ("update-tolerance", updated)];
        of.into_iter().filter_map(move |(key, reference)| Some((key, reference?.tolerance(precision)?)))
    }
}

fn has_gradients(stage: Stage) -> bool {
    matches!(stage, Stage::Train | Stage::Backward)
}

/// Reads the description of exported files, if they exist.
fn known(folder: &Path) -> Option<Exported> {
    serde_json::from_str(&fs::read_to_string(folder.join(KNOWN)).ok()?).ok()
}

fn written(request: &ExportRequest<'_>, folder: &Path, stop: &AtomicBool) -> Result<Exported, WorkerError> {
    let precision = Precision::Fp32.to_string();
    let (mut worker, _) = Worker::start(request.launch, &precision, Allocator::System, request.patience, stop)?;
    let export = WorkerRequest::Export {
        network: request.network.id.to_string(),
        input_shape: request.shape.map(|shape| shape.extents().iter().map(|&extent| i64::from(extent)).collect()),
        seed: request.seed,
        folder: folder.to_owned(),
    };
    let answer = worker.ask(&export, request.patience, stop, &mut || None)?;
    worker.finish(stop);
    match answer {
        Event::Exported(exported) => Ok(exported),
        other => Err(WorkerError::Nonsense(format!("it answered `export` with {other:?}"))),
    }
}

/// Why the exported network is not that of the catalog, or cannot serve as a reference.
fn objection(exported: &Exported, parameters_m: Option<Decimal>) -> Option<String> {
    if let Some(figure) = parameters_m {
        // Half a unit of the last digit in the catalog.
        let half = 0.5 * 10f64.powi(-i32::from(figure.decimals()));
        let counted = exported.parameters as f64 / 1e6;
        if (counted - figure.value()).abs() > half * 1.1 {
            return Some(format!("they have {counted} million parameters, the catalog {figure}"));
        }
    }
    let is_dull = |apart: f64, times: f64, reference: &Reference<'_>| {
        // NaN is not a valid reference.
        apart.is_nan() || apart <= times * reference.tolerance(Precision::Fp32).unwrap_or_default()
    };
    if is_dull(liveliness(exported), LEAST_LIVELINESS, &Reference::outputs(exported)) {
        return Some("the network answers its samples alike, so that nothing would be seen of what differs".to_owned());
    }
    let updated = Reference::updated(exported)?;
    let moved = exported.outputs.iter().zip(updated.outputs).map(|(before, after)| apart(before, after));
    is_dull(moved.fold(0.0, f64::max), LEAST_MOVE, &updated)
        .then(|| "the update hardly moves the network's outputs".to_owned())
}

/// Tolerance in fp64 and fp32. A different order of summation, fusion and Winograd convolutions moved outputs by 10⁻⁷ to 3·10⁻⁵ of
/// the range, in ten networks of ONNX Runtime and OpenVINO.
const FULL_PRECISION: f64 = 1e-4;

/// … or this fraction of what TF32 (13 bits less) moves them by, because depth amplifies both alike. In four networks with other
/// kernels, another layout or fp64 it was 1/500 (ResNet-152: 1.7·10⁻⁴ of the range) to 1/1500; Winograd convolutions on GPUs cause
/// several times as much. A worker that uses TF32 unasked deviates by 32 times the tolerance.
const TF32_APART: f64 = 32.0;

/// Small differences can switch an activation, where the gradient jumps, so deviations after an update grow with their square root.
/// In three networks, other kernels and another layout moved outputs after an update by 1/26 to 1/68 of what TF32 does.
const UPDATE_TF32_APART: f64 = 8.0;

/// Tolerance in a shorter format, in multiples of the deviation that rounding every result to that format causes. Rounding at other
/// points is another sample of the same distribution, whose maximum over thousands of outputs varies little.
const ROUNDINGS: f64 = 4.0;

/// The largest deviation by rounding to bf16 (eight bits) in ten networks, used if the exporting worker does not state it. Each
/// further bit halves it.
const UNSTATED_BF16: f64 = 5e-2;

/// In bf16 nine of ten networks deviated by less than this share of the range; a ResNet-18 with a mistake deviated by more.
const SHORTER_FORMAT: f64 = 6e-2;

/// Reference outputs.
struct Reference<'e> {
    outputs: &'e [Vec<f64>],
    rounding: &'e BTreeMap<String, f64>,
    tf32_apart: f64,
    made_by: &'e str,
    when: &'static str,
}

impl<'e> Reference<'e> {
    fn outputs(exported: &'e Exported) -> Self {
        let Exported { outputs, rounding, made_by, .. } = exported;
        Self { outputs, rounding, tf32_apart: TF32_APART, made_by, when: "" }
    }

    fn updated(exported: &'e Exported) -> Option<Self> {
        let Exported { updated_outputs: outputs, updated_rounding: rounding, made_by, .. } = exported;
        let updated = Self { outputs, rounding, tf32_apart: UPDATE_TF32_APART, made_by, when: " after one update" };
        (!outputs.is_empty()).then_some(updated)
    }

    /// The largest allowed deviation of an output from the fp32 reference, as a share of the range of the reference outputs for
    /// that sample; `None` if no tolerance is defined.
    fn tolerance(&self, precision: Precision) -> Option<f64> {
        let (format, fewer_bits) = match precision {
            Precision::Fp64 | Precision::Fp32 => {
                let by_tf32 = self.rounding.get("tf32").map_or(0.0, |moved| moved / self.tf32_apart);
                return Some(by_tf32.max(FULL_PRECISION));
            }
            Precision::Tf32 => ("tf32", 3),
            Precision::Fp16 | Precision::AmpFp16 => ("fp16", 3),
            Precision::Bf16 | Precision::AmpBf16 => ("bf16", 0),
            _ => return None,
        };
        let unstated = UNSTATED_BF16 / f64::from(1 << fewer_bits);
        let moved = self.rounding.get(format).copied().unwrap_or(unstated);
        Some((ROUNDINGS * moved).max(FULL_PRECISION))
    }

    /// The largest deviation of an output from the reference, as a share of the reference's range, over as many samples as fit into
    /// a batch.
    ///
    /// # Errors
    ///
    /// The difference, in one line.
    fn deviation(&self, outputs: &[Vec<f64>], batch: u32, precision: Precision) -> Result<f64, String> {
        let allowed =
            self.tolerance(precision).ok_or_else(|| format!("no tolerance is defined for outputs in {precision}"))?;
        let asked = self.outputs.len().min(batch as usize);
        if outputs.len() != asked {
            return Err(format!("it answered {} samples of {asked}", outputs.len()));
        }
        let mut largest = Difference::default();
        for (sample, (outputs, reference)) in outputs.iter().zip(self.outputs).enumerate() {
            if outputs.len() != reference.len() {
                return Err(format!("it has {} outputs for a sample, the network {}", outputs.len(), reference.len()));
            }
            let range = range(reference);
            for (at, (&output, &expected)) in outputs.iter().zip(reference).enumerate() {
                let share = (output - expected).abs() / range;
                // NaN never agrees.
                if share.is_nan() || share > largest.share {
                    largest = Difference { share, sample, at, output, expected };
                }
            }
        }
        if largest.share <= allowed && !largest.share.is_nan() {
            return Ok(largest.share);
        }
        let Difference { share, sample, at, output, expected } = largest;
        let is_shorter = share <= SHORTER_FORMAT && allowed < SHORTER_FORMAT;
        let as_in = if is_shorter { ", as if it computed in a shorter format" } else { "" };
        Err(format!(
            "its outputs{} are not those of {}: output {} of sample {} is {output:.6} and not {expected:.6}, which is {}% of their range \
             where {precision} allows {}%{as_in}",
            self.when,
            self.made_by,
            at + 1,
            sample + 1,
            percent(share),
            percent(allowed),
        ))
    }
}

/// The distance between the outputs for two samples, as a share of the range of the first one's: a network that gives all samples
/// the same outputs would hide deviations.
fn liveliness(reference: &Exported) -> f64 {
    match reference.outputs.as_slice() {
        [first, second, ..] => apart(first, second),
        _ => 0.0,
    }
}

/// The largest difference between two output vectors, as a share of the range of the first.
fn apart(first: &[f64], second: &[f64]) -> f64 {
    first.iter().zip(second).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / range(first)
}

#[derive(Default)]
struct Difference {
    share: f64,
    sample: usize,
    at: usize,
    output: f64,
    expected: f64,
}

fn range(outputs: &[f64]) -> f64 {
    let (low, high) =
        outputs.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &y| (low.min(y), high.max(y)));
    high - low
}

/// Formats a share as a percentage with its significant digits.
fn percent(share: f64) -> String {
    match 100.0 * share {
        percent if percent >= 1.0 => format!("{percent:.0}"),
        percent if percent >= 0.01 => format!("{percent:.2}"),
        percent => format!("{percent:.0e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_those_of_the_catalog_and_outputs_hang_on_the_sample() {
        let figure = |text: &str| text.parse::<Decimal>().ok();
        let exported =
            Exported { parameters: 25_557_032, outputs: vec![vec![0.0, 1.0], vec![1.0, 0.0]], ..Exported::default() };
        assert_eq!(objection(&exported, figure("25.56")), None);
        assert_eq!(objection(&exported, None), None);
        assert!(objection(&exported, figure("25.55")).unwrap().contains("the catalog 25.55"));
        let dull = Exported { outputs: vec![vec![0.0, 1.0]; 2], ..exported.clone() };
        assert!(objection(&dull, None).unwrap().contains("alike"));
        let none = Exported { outputs: vec![vec![f64::NAN; 2]; 2], ..exported };
        assert!(objection(&none, None).is_some());
    }

    fn reference() -> Exported {
        Exported {
            outputs: vec![vec![0.0, 1.0, 2.0], vec![5.0, 3.0, 4.0]],
            made_by: "X 1".to_owned(),
            ..Exported::default()
        }
    }

    #[test]
    fn what_lies_within_the_tolerance_of_its_precision_agrees() {
        let near = [vec![0.0, 1.0, 2.0001], vec![5.0, 3.0, 4.0]];
        let share = Reference::outputs(&reference()).deviation(&near, 16, Precision::Fp32).unwrap();
        assert!((share - 5e-5).abs() < 1e-9, "{share}");
        let short = [vec![0.0, 1.02, 2.0], vec![5.0, 3.0, 4.0]];
        let why = Reference::outputs(&reference()).deviation(&short, 16, Precision::Fp32).unwrap_err();
        assert!(why.contains("output 2 of sample 1 is 1.020000 and not 1.000000"), "{why}");
        assert!(
            why.contains("1% of their range where fp32 allows 0.01%, as if it computed in a shorter format"),
            "{why}"
        );
        assert!(Reference::outputs(&reference()).deviation(&short, 16, Precision::Bf16).is_ok());
        let far = [vec![2.0, 1.0, 0.0], vec![5.0, 3.0, 4.0]];
        let why = Reference::outputs(&reference()).deviation(&far, 16, Precision::Bf16).unwrap_err();
        assert!(why.contains("100%") && !why.contains("shorter"), "{why}");
        assert!(Reference::outputs(&reference()).deviation(&near, 16, Precision::Int8).unwrap_err().contains("int8"));
    }

    #[test]
    fn a_short_format_may_move_outputs_by_a_few_times_what_its_roundings_do() {
        let rounding = [("bf16".to_owned(), 0.01), ("fp16".to_owned(), 1e-5)].into();
        let reference = Exported { rounding, ..reference() };
        let allowed = |precision| Reference::outputs(&reference).tolerance(precision);
        assert_eq!((allowed(Precision::Bf16), allowed(Precision::AmpBf16)), (Some(0.04), Some(0.04)));
        assert_eq!((allowed(Precision::Fp16), allowed(Precision::Fp32)), (Some(1e-4), Some(1e-4)), "no less than fp32");
        assert_eq!(
            (allowed(Precision::Tf32), allowed(Precision::Int8)),
            (Some(0.025), None),
            "not stated: three bits more"
        );
        let off = [vec![0.0, 1.1, 2.0], vec![5.0, 3.0, 4.0]];
        let why = Reference::outputs(&reference).deviation(&off, 16, Precision::Bf16).unwrap_err();
        assert!(why.contains("5% of their range where bf16 allows 4%"), "{why}");
    }

    #[test]
    fn fp32_may_move_the_outputs_of_a_deep_network_by_a_small_part_of_what_tf32_does() {
        let moved_by_tf32 = |moved| Exported { rounding: [("tf32".to_owned(), moved)].into(), ..reference() };
        assert_eq!(Reference::outputs(&moved_by_tf32(0.0016)).tolerance(Precision::Fp32), Some(1e-4));
        let deep = moved_by_tf32(0.08);
        assert_eq!(
            (
                Reference::outputs(&deep).tolerance(Precision::Fp32),
                Reference::outputs(&deep).tolerance(Precision::Tf32)
            ),
            (Some(0.0025), Some(0.32))
        );
        let unasked = [vec![0.0, 1.06, 2.0], vec![5.0, 3.0, 4.0]];
        assert!(Reference::outputs(&deep).deviation(&unasked, 16, Precision::Fp32).is_err());
    }

    #[test]
    fn as_many_samples_are_answered_as_fit_and_each_has_all_outputs_as_numbers() {
        let one = [vec![0.0, 1.0, 2.0]];
        assert_eq!(Reference::outputs(&reference()).deviation(&one, 1, Precision::Fp32), Ok(0.0));
        assert!(
            Reference::outputs(&reference())
                .deviation(&one, 2, Precision::Fp32)
                .unwrap_err()
                .contains("1 samples of 2")
        );
        assert!(
            Reference::outputs(&reference())
                .deviation(&[vec![0.0]], 1, Precision::Fp32)
                .unwrap_err()
                .contains("1 outputs")
        );
        let none = [vec![0.0, f64::NAN, 2.0]];
        assert!(Reference::outputs(&reference()).deviation(&none, 1, Precision::Fp32).is_err());
    }

    #[test]
    fn stages_with_gradients_are_compared_after_an_update_as_well() {
        let exported = Exported {
            updated_outputs: vec![vec![0.0, 1.5, 2.0], vec![5.0, 3.0, 4.4]],
            updated_rounding: [("tf32".to_owned(), 0.004)].into(),
            ..reference()
        };
        assert_eq!(objection(&exported, None), None);
        let unmoved = Exported { updated_outputs: exported.outputs.clone(), ..exported.clone() };
        assert!(objection(&unmoved, None).unwrap().contains("hardly moves"));
        let files = NetworkFiles { folder: PathBuf::new(), exported };
        let ready = |updated: f64| Ready {
            outputs: Some(files.exported.outputs.clone()),
            updated_outputs: Some(vec![vec![0.0, updated, 2.0], vec![5.0, 3.0, 4.4]]),
            ..Ready::default()
        };
        let compared = |stage, ready: &Ready| files.compared(ready, stage, 16, Precision::Fp32);
        assert_eq!(compared(Stage::Train, &ready(1.5)), Ok(Deviations { outputs: 0.0, updated: Some(0.0) }));
        assert!(compared(Stage::Backward, &ready(1.5008)).is_ok(), "an 8th of what TF32 moves");
        // As if the gradient of a layer were missing.
        let why = compared(Stage::Train, &ready(1.45)).unwrap_err();
        assert!(why.contains("its outputs after one update are not those of X 1: output 2 of sample 1"), "{why}");
        let silent = Ready { updated_outputs: None, ..ready(1.5) };
        assert!(compared(Stage::Train, &silent).unwrap_err().contains("after the update"));
        assert_eq!(compared(Stage::Eval, &silent), Ok(Deviations { outputs: 0.0, updated: None }));
        let tolerances: Vec<_> = files.tolerances(Stage::Train, Precision::Fp32).collect();
        assert_eq!(tolerances, [("output-tolerance", 1e-4), ("update-tolerance", 5e-4)]);
    }

    #[test]
    fn a_network_that_answers_everything_alike_is_seen() {
        assert_eq!(liveliness(&reference()), 2.5);
        let dull = Exported { outputs: vec![vec![1.0, 2.0]; 2], ..Exported::default() };
        assert_eq!(liveliness(&dull), 0.0);
    }
}
