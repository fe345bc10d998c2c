//! Precisions: the format of weights and inputs, automatic mixed precision, and the gradient scaler of fp16.

use tch::nn::Optimizer;
use tch::{Device, Kind, Tensor};

use crate::failure::WorkerFailure;
use crate::libtorch;

/// How a precision maps to tensor formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComputeRecipe {
    /// Format of weights and inputs.
    pub kind: Kind,
    /// The shorter format of automatic mixed precision.
    pub autocast: Option<Kind>,
}

/// All precisions that at least one device supports.
const PRECISIONS: &[&str] = &["fp64", "fp32", "tf32", "bf16", "fp16", "amp-bf16", "amp-fp16"];

impl ComputeRecipe {
    /// The precisions that a device supports.
    pub fn precisions(device: Device) -> impl Iterator<Item = &'static str> {
        PRECISIONS.iter().copied().filter(move |precision| Self::of(precision, device).is_ok())
    }

    /// Parses the name of a precision, for a device.
    pub fn of(precision: &str, device: Device) -> Result<Self, WorkerFailure> {
        let plain = |kind| Self { kind, autocast: None };
        let recipe = match precision {
            "fp64" => plain(Kind::Double),
            "fp32" | "tf32" => plain(Kind::Float),
            "bf16" => plain(Kind::BFloat16),
            "fp16" => plain(Kind::Half),
            "amp-bf16" => Self { kind: Kind::Float, autocast: Some(Kind::BFloat16) },
            "amp-fp16" => Self { kind: Kind::Float, autocast: Some(Kind::Half) },
            other => return Err(WorkerFailure::unsupported(format!("libtorch has no plain kernels for {other}"))),
        };
        if precision == "tf32" && device == Device::Cpu {
            return Err(WorkerFailure::unsupported("TF32 is a format of GPUs; the CPU has none"));
        }
        Ok(recipe)
    }

    /// Sets environment variables that tell the CUDA libraries, before they are loaded, whether fp32 products may use TF32: `fp32`
    /// forbids it everywhere (cuDNN would use it by default), `tf32` allows it everywhere (cuBLAS would not).
    pub fn announce(precision: &str) {
        let (variable, value) = match precision {
            "tf32" => ("TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "1"),
            _ => ("NVIDIA_TF32_OVERRIDE", "0"),
        };
        // SAFETY: the worker has one thread, and libtorch has not run yet.
        unsafe { std::env::set_var(variable, value) };
    }

    /// Whether training scales its loss, so that small gradients do not underflow in a format of small range.
    pub fn scales_gradients(self) -> bool {
        self.autocast == Some(Kind::Half)
    }

    /// Runs a forward pass, under autocast if the recipe is mixed precision.
    pub fn apply<T>(self, device: Device, pass: impl FnOnce() -> T) -> T {
        let Some(format) = self.autocast else { return pass() };
        libtorch::set_autocast(device, format, true);
        let result = pass();
        libtorch::set_autocast(device, format, false);
        libtorch::clear_autocast();
        result
    }
}

/// The defaults of `torch.amp.GradScaler`.
const INITIAL: f64 = 65_536.0;

const GROWTH: f64 = 2.0;

const BACKOFF: f64 = 0.5;

const GROWTH_INTERVAL: i64 = 2000;

/// The current loss scale; kept on the device, so that only the overflow check waits for the device.
#[derive(Debug)]
pub struct GradientScaler {
    scale: Tensor,
    growth_tracker: Tensor,
}

impl GradientScaler {
    /// A scaler in its initial state.
    ///
    /// # Errors
    ///
    /// When this libtorch lacks the operations.
    pub fn new(device: Device) -> Result<Self, WorkerFailure> {
        if !libtorch::can_unscale() {
            return Err(WorkerFailure::unsupported(
                "this libtorch has no gradient scaling, which fp16 mixed precision needs",
            ));
        }
        Ok(Self {
            scale: Tensor::full([0i64; 0], INITIAL, (Kind::Float, device)),
            growth_tracker: Tensor::zeros([0i64; 0], (Kind::Int, device)),
        })
    }

    /// The loss multiplied by the scale.
    pub fn scaled(&self, loss: &Tensor) -> Tensor {
        loss * &self.scale
    }

    /// Unscales the gradients, updates the weights unless a gradient is not finite, and adapts the scale; returns whether the weights
    /// were updated.
    pub fn step(&mut self, optimizer: &mut Optimizer, variables: &[Tensor]) -> bool {
        let mut found_overflow = Tensor::zeros([0i64; 0], (Kind::Float, self.scale.device()));
        let inverse = self.scale.to_kind(Kind::Double).reciprocal().to_kind(Kind::Float);
        let gradients: Vec<Tensor> = variables.iter().map(Tensor::grad).filter(Tensor::defined).collect();
        tch::no_grad(|| libtorch::unscale(&gradients, &mut found_overflow, &inverse));
        let is_finite = found_overflow.double_value(&[]) == 0.0;
        if is_finite {
            optimizer.step();
        }
        let _ = self.scale.internal_amp_update_scale_(
            &self.growth_tracker,
            &found_overflow,
            GROWTH,
            BACKOFF,
            GROWTH_INTERVAL,
        );
        is_finite
    }
}

#[cfg(test)]
mod tests {
    use tch::nn;
    use tch::nn::OptimizerConfig as _;

    use super::*;

    /// A weight of 1 whose gradient is `slope`, and its optimiser with a learning rate of 1.
    fn weight(slope: f64) -> (nn::VarStore, Tensor, Optimizer, Tensor) {
        let variables = nn::VarStore::new(Device::Cpu);
        let weight = variables.root().var("weight", &[1], nn::Init::Const(1.0));
        let optimizer = nn::sgd(0.0, 0.0, 0.0, false).build(&variables, 1.0).unwrap();
        let loss = (&weight * slope).sum(Kind::Float);
        (variables, weight, optimizer, loss)
    }

    #[test]
    fn gradients_that_are_finite_are_divided_again_before_the_weights_change() {
        let mut scaler = GradientScaler::new(Device::Cpu).unwrap();
        let (_variables, weight, mut optimizer, loss) = weight(0.25);
        scaler.scaled(&loss).backward();
        assert_eq!(weight.grad().double_value(&[0]), 0.25 * INITIAL);
        assert!(scaler.step(&mut optimizer, &[weight.shallow_clone()]));
        assert_eq!((weight.double_value(&[0]), scaler.scale.double_value(&[])), (0.75, INITIAL));
        assert_eq!(scaler.growth_tracker.int64_value(&[]), 1, "after 2000 of these the scale grows");
    }

    #[test]
    fn an_overflow_changes_no_weight_and_halves_the_scale() {
        let mut scaler = GradientScaler::new(Device::Cpu).unwrap();
        let (_variables, weight, mut optimizer, loss) = weight(1e37);
        scaler.scaled(&loss).backward();
        assert!(!scaler.step(&mut optimizer, &[weight.shallow_clone()]));
        assert_eq!((weight.double_value(&[0]), scaler.scale.double_value(&[])), (1.0, INITIAL / 2.0));
    }
}
