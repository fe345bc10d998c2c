//! Recurrent networks: one layer of 512 units over a sequence of 64 vectors of 512 numbers.

use tch::Tensor;
use tch::nn::{Init, Path};

use super::network::Network;
use crate::count;
use crate::layers::Forward;

pub(super) const NETWORKS: &[Network] = &[
    Network::plain("dlbench-rnn-512", SEQUENCE, "sequence", |p, s| recurrent(p, s, RecurrentCell::Rnn, false)),
    Network::plain("dlbench-lstm-512", SEQUENCE, "sequence", |p, s| recurrent(p, s, RecurrentCell::Lstm, false)),
    Network::plain("dlbench-bilstm-512", SEQUENCE, "sequence", |p, s| recurrent(p, s, RecurrentCell::Lstm, true)),
    Network::plain("dlbench-gru-512", SEQUENCE, "sequence", |p, s| recurrent(p, s, RecurrentCell::Gru, false)),
];

/// Length, and numbers at each place.
const SEQUENCE: &[i64] = &[64, 512];

const UNITS: i64 = 512;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecurrentCell {
    Rnn,
    Lstm,
    Gru,
}

impl RecurrentCell {
    /// Matrix products a step, each of the input's and the state's size.
    fn gates(self) -> i64 {
        match self {
            Self::Rnn => 1,
            Self::Lstm => 4,
            Self::Gru => 3,
        }
    }
}

fn recurrent(p: &Path, shape: &[i64], cell: RecurrentCell, bidirectional: bool) -> Forward {
    let features = shape.last().copied().unwrap_or(UNITS);
    let directions = if bidirectional { 2 } else { 1 };
    let bound = 1.0 / (UNITS as f64).sqrt();
    let init = Init::Uniform { lo: -bound, up: bound };
    let rows = cell.gates() * UNITS;
    let mut weights = Vec::new();
    for direction in 0..directions {
        let p = p / direction;
        weights.push(p.var("w_ih", &[rows, features], init));
        weights.push(p.var("w_hh", &[rows, UNITS], init));
        weights.push(p.var("b_ih", &[rows], init));
        weights.push(p.var("b_hh", &[rows], init));
    }
    Box::new(move |x, train| {
        let (batch, steps) = (x.size()[0], x.size()[1]);
        count::multiply_adds(|| batch * steps * directions * rows * (features + UNITS));
        let state = || Tensor::zeros([directions, batch, UNITS], (x.kind(), x.device()));
        match cell {
            RecurrentCell::Rnn => x.rnn_tanh(&state(), &weights, true, 1, 0.0, train, bidirectional, true).0,
            RecurrentCell::Gru => x.gru(&state(), &weights, true, 1, 0.0, train, bidirectional, true).0,
            RecurrentCell::Lstm => x.lstm(&[state(), state()], &weights, true, 1, 0.0, train, bidirectional, true).0,
        }
    })
}
