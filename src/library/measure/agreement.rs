//! Whether a worker's outputs are those of the network that was handed over: how far apart they lie, and how far they may.

use dlbench_protocol::Exported;

use crate::values::Precision;

/// How far an output may lie from the reference, as a share of the range of the reference's outputs for that sample; `None` where no
/// tolerance is set.
///
/// The reference is fp32. Another order of sums, fusion and Winograd's convolutions moved outputs by 10⁻⁷ to 3·10⁻⁵ of the range in ten
/// networks of ONNX Runtime and OpenVINO, bf16 by 10⁻³ to 0.13 (Inception v3); fp16 and tf32 have three bits more.
pub fn tolerance(precision: Precision) -> Option<f64> {
    match precision {
        Precision::Fp64 | Precision::Fp32 => Some(1e-4),
        Precision::Tf32 | Precision::Fp16 | Precision::AmpFp16 => Some(2e-2),
        Precision::Bf16 | Precision::AmpBf16 => Some(2e-1),
        _ => None,
    }
}

/// In bf16 nine of ten networks lay within this share of the range, and a ResNet-18 with a mistake further off.
const SHORTER_FORMAT: f64 = 6e-2;

/// The largest difference of an output from the reference's, as a share of the range of the latter; of as many samples as fit into a
/// batch.
///
/// # Errors
///
/// What differs, in one line.
pub fn deviation(outputs: &[Vec<f64>], reference: &Exported, batch: u32, precision: Precision) -> Result<f64, String> {
    let allowed =
        tolerance(precision).ok_or_else(|| format!("nothing says how far outputs in {precision} may differ"))?;
    let asked = reference.outputs.len().min(batch as usize);
    if outputs.len() != asked {
        return Err(format!("it answered {} samples of {asked}", outputs.len()));
    }
    let mut largest = Difference::default();
    for (sample, (outputs, reference)) in outputs.iter().zip(&reference.outputs).enumerate() {
        if outputs.len() != reference.len() {
            return Err(format!("it has {} outputs for a sample, the network {}", outputs.len(), reference.len()));
        }
        let range = range(reference);
        for (at, (&output, &expected)) in outputs.iter().zip(reference).enumerate() {
            let share = (output - expected).abs() / range;
            // What is no number is never near enough.
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
        "its outputs are not those of {}: output {} of sample {} is {output:.6} and not {expected:.6}, which is {}% of their range \
         where {precision} allows {}%{as_in}",
        reference.made_by,
        at + 1,
        sample + 1,
        percent(share),
        percent(allowed),
    ))
}

/// How far the answers to two samples lie apart, as a share of the range of the first one's: a network that answers all samples alike
/// would hide what differs.
pub fn liveliness(reference: &Exported) -> f64 {
    match reference.outputs.as_slice() {
        [first, second, ..] => {
            let apart = first.iter().zip(second).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            apart / range(first)
        }
        _ => 0.0,
    }
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

/// With the digits that matter.
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
        let share = deviation(&near, &reference(), 16, Precision::Fp32).unwrap();
        assert!((share - 5e-5).abs() < 1e-9, "{share}");
        let short = [vec![0.0, 1.02, 2.0], vec![5.0, 3.0, 4.0]];
        let why = deviation(&short, &reference(), 16, Precision::Fp32).unwrap_err();
        assert!(why.contains("output 2 of sample 1 is 1.020000 and not 1.000000"), "{why}");
        assert!(
            why.contains("1% of their range where fp32 allows 0.01%, as if it computed in a shorter format"),
            "{why}"
        );
        assert!(deviation(&short, &reference(), 16, Precision::Bf16).is_ok());
        let far = [vec![2.0, 1.0, 0.0], vec![5.0, 3.0, 4.0]];
        let why = deviation(&far, &reference(), 16, Precision::Bf16).unwrap_err();
        assert!(why.contains("100%") && !why.contains("shorter"), "{why}");
        assert!(deviation(&near, &reference(), 16, Precision::Int8).unwrap_err().contains("int8"));
    }

    #[test]
    fn as_many_samples_are_answered_as_fit_and_each_has_all_outputs_as_numbers() {
        let one = [vec![0.0, 1.0, 2.0]];
        assert_eq!(deviation(&one, &reference(), 1, Precision::Fp32), Ok(0.0));
        assert!(deviation(&one, &reference(), 2, Precision::Fp32).unwrap_err().contains("1 samples of 2"));
        assert!(deviation(&[vec![0.0]], &reference(), 1, Precision::Fp32).unwrap_err().contains("1 outputs"));
        let none = [vec![0.0, f64::NAN, 2.0]];
        assert!(deviation(&none, &reference(), 1, Precision::Fp32).is_err());
    }

    #[test]
    fn a_network_that_answers_everything_alike_is_seen() {
        assert_eq!(liveliness(&reference()), 2.5);
        let dull = Exported { outputs: vec![vec![1.0, 2.0]; 2], ..Exported::default() };
        assert_eq!(liveliness(&dull), 0.0);
    }
}
