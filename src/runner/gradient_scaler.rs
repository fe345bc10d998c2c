//! The gradient scaler of fp16 mixed precision: the loss is multiplied so that small gradients do not vanish, the gradients are
//! divided again and looked through, and what overflowed changes no weight. The algorithm, its numbers and its operations are those of
//! PyTorch's `torch.amp.GradScaler`, so that an iteration costs what one of a Python program costs. bf16 has the range of fp32 and
//! needs none.

use tch::nn::Optimizer;
use tch::{Device, Kind, Tensor};

use crate::failure::WorkerFailure;
use crate::libtorch;

/// The defaults of `torch.amp.GradScaler`.
const INITIAL: f64 = 65_536.0;
const GROWTH: f64 = 2.0;
const BACKOFF: f64 = 0.5;
const GROWTH_INTERVAL: i64 = 2000;

/// By how much losses are multiplied at the moment; on the device, so that only the check for overflows is waited for.
#[derive(Debug)]
pub struct GradientScaler {
    scale: Tensor,
    growth_tracker: Tensor,
}

impl GradientScaler {
    /// A scaler as it begins.
    ///
    /// # Errors
    ///
    /// When this libtorch has not the operations.
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

    /// The loss, multiplied.
    pub fn scaled(&self, loss: &Tensor) -> Tensor {
        loss * &self.scale
    }

    /// Divides the gradients of these variables, changes the weights unless a gradient is no finite number, and judges the scale.
    pub fn step(&mut self, optimizer: &mut Optimizer, variables: &[Tensor]) {
        let mut found_overflow = Tensor::zeros([0i64; 0], (Kind::Float, self.scale.device()));
        let inverse = self.scale.to_kind(Kind::Double).reciprocal().to_kind(Kind::Float);
        let gradients: Vec<Tensor> = variables.iter().map(Tensor::grad).filter(Tensor::defined).collect();
        tch::no_grad(|| libtorch::unscale(&gradients, &mut found_overflow, &inverse));
        if found_overflow.double_value(&[]) == 0.0 {
            optimizer.step();
        }
        let _ = self.scale.internal_amp_update_scale_(
            &self.growth_tracker,
            &found_overflow,
            GROWTH,
            BACKOFF,
            GROWTH_INTERVAL,
        );
    }
}

#[cfg(test)]
mod tests {
    use tch::nn::{self, OptimizerConfig as _};

    use super::*;

    /// A weight of 1 whose gradient is `slope`, and its optimiser at a rate of 1.
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
        scaler.step(&mut optimizer, &[weight.shallow_clone()]);
        assert_eq!((weight.double_value(&[0]), scaler.scale.double_value(&[])), (0.75, INITIAL));
        assert_eq!(scaler.growth_tracker.int64_value(&[]), 1, "after 2000 of these the scale grows");
    }

    #[test]
    fn an_overflow_changes_no_weight_and_halves_the_scale() {
        let mut scaler = GradientScaler::new(Device::Cpu).unwrap();
        let (_variables, weight, mut optimizer, loss) = weight(1e37);
        scaler.scaled(&loss).backward();
        scaler.step(&mut optimizer, &[weight.shallow_clone()]);
        assert_eq!((weight.double_value(&[0]), scaler.scale.double_value(&[])), (1.0, INITIAL / 2.0));
    }
}
