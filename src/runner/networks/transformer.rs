//! Sequence networks: transformers and recurrent networks.

use tch::nn::{Init, Path};
use tch::{Kind, Tensor};

use super::network::{Input, Loss, Network};
use crate::count;
use crate::layers::record_attention_kernel;
use crate::layers::{Forward, layer_norm, linear};

pub(super) const TRANSFORMER_NETWORKS: &[Network] = &[
    Network {
        id: "bert-base",
        shape: &[128],
        input: Input::Tokens(BERT_WORDS),
        counts: "sequence",
        loss: Loss::MeanSquare,
        build: |p, _| bert(p),
    },
    Network {
        id: "dlbench-gpt-2-small",
        shape: &[128],
        input: Input::Tokens(GPT_WORDS),
        counts: "sequence",
        loss: Loss::NextToken(GPT_WORDS),
        build: |p, _| gpt(p),
    },
];

/// Vocabulary size of bert-base-uncased.
const BERT_WORDS: i64 = 30_522;

/// Vocabulary size of GPT-2.
const GPT_WORDS: i64 = 50_257;

const WIDTH: i64 = 768;

const HEADS: i64 = 12;

const LAYERS: i64 = 12;

const DROPOUT: f64 = 0.1;

/// Initial weights, as in the code of both papers.
const INIT: Init = Init::Randn { mean: 0.0, stdev: 0.02 };

fn positions(x: &Tensor) -> Tensor {
    Tensor::arange(x.size()[1], (Kind::Int64, x.device()))
}

fn look_up(table: &Tensor, words: &Tensor) -> Tensor {
    Tensor::embedding(table, words, -1, false, false)
}

/// Embeddings, 12 layers with normalisation after each half (post-norm), and the pooler.
fn bert(p: &Path) -> Forward {
    let words = p.var("words", &[BERT_WORDS, WIDTH], INIT);
    let places = p.var("positions", &[512, WIDTH], INIT);
    let segments = p.var("segments", &[2, WIDTH], INIT);
    let norm = layer_norm(p / "norm", WIDTH, 1e-12);
    let layers: Vec<Forward> = (0..LAYERS).map(|at| layer(&(p / at), false)).collect();
    let pooler = linear(p / "pooler", WIDTH, WIDTH);
    Box::new(move |x, train| {
        let embedded = look_up(&words, x) + look_up(&places, &positions(x)) + segments.get(0);
        let mut y = norm(&embedded, train).dropout(DROPOUT, train);
        for layer in &layers {
            y = layer(&y, train);
        }
        let pooled = pooler(&y.select(1, 0), train).tanh();
        Tensor::cat(&[y, pooled.unsqueeze(1)], 1)
    })
}

/// Embeddings, 12 causal layers with normalisation before each half (pre-norm), and the token embedding as output layer.
fn gpt(p: &Path) -> Forward {
    let words = p.var("words", &[GPT_WORDS, WIDTH], INIT);
    let places = p.var("positions", &[1024, WIDTH], INIT);
    let layers: Vec<Forward> = (0..LAYERS).map(|at| layer(&(p / at), true)).collect();
    let norm = layer_norm(p / "norm", WIDTH, 1e-5);
    Box::new(move |x, train| {
        let mut y = (look_up(&words, x) + look_up(&places, &positions(x))).dropout(DROPOUT, train);
        for layer in &layers {
            y = layer(&y, train);
        }
        let scores = norm(&y, train).linear(&words, None::<Tensor>);
        count::multiply_adds(|| scores.numel() as i64 * WIDTH);
        scores
    })
}

/// Attention and two dense layers, each half with a shortcut; `decoder` normalises first and masks later positions.
fn layer(p: &Path, decoder: bool) -> Forward {
    let epsilon = if decoder { 1e-5 } else { 1e-12 };
    let (norm1, norm2) = (layer_norm(p / "norm1", WIDTH, epsilon), layer_norm(p / "norm2", WIDTH, epsilon));
    let attention = attention(p, decoder);
    let (up, down) = (linear(p / "up", WIDTH, 4 * WIDTH), linear(p / "down", 4 * WIDTH, WIDTH));
    let gelu = if decoder { "tanh" } else { "none" };
    let dense = move |x: &Tensor, train: bool| down(&up(x, train).gelu(gelu), train).dropout(DROPOUT, train);
    Box::new(move |x, train| {
        if decoder {
            let y = x + attention(&norm1(x, train), train);
            &y + dense(&norm2(&y, train), train)
        } else {
            let y = norm1(&(x + attention(x, train)), train);
            norm2(&(&y + dense(&y, train)), train)
        }
    })
}

fn attention(p: &Path, causal: bool) -> Forward {
    let joined = linear(p / "qkv", WIDTH, 3 * WIDTH);
    let out = linear(p / "out", WIDTH, WIDTH);
    Box::new(move |x, train| {
        let (batch, length) = (x.size()[0], x.size()[1]);
        let heads = joined(x, train).view([batch, length, 3, HEADS, WIDTH / HEADS]).permute([2, 0, 3, 1, 4]);
        let chance = if train { DROPOUT } else { 0.0 };
        let (q, k, v) = (heads.get(0), heads.get(1), heads.get(2));
        record_attention_kernel(|| {
            Tensor::internal_fused_sdp_choice(&q, &k, &v, None::<Tensor>, chance, causal, None, false)
        });
        let seen = Tensor::scaled_dot_product_attention(&q, &k, &v, None::<Tensor>, chance, causal, None, false);
        // Every position attends to every other, also where a decoder masks half of them.
        count::multiply_adds(|| 2 * batch * length * length * WIDTH);
        let seen = seen.transpose(1, 2).contiguous().view([batch, length, WIDTH]);
        out(&seen, train).dropout(DROPOUT, train)
    })
}

pub(super) const RECURRENT_NETWORKS: &[Network] = &[
    Network::plain("dlbench-rnn-512", SEQUENCE, "sequence", |p, s| recurrent(p, s, RecurrentCell::Rnn, false)),
    Network::plain("dlbench-lstm-512", SEQUENCE, "sequence", |p, s| recurrent(p, s, RecurrentCell::Lstm, false)),
    Network::plain("dlbench-bilstm-512", SEQUENCE, "sequence", |p, s| recurrent(p, s, RecurrentCell::Lstm, true)),
    Network::plain("dlbench-gru-512", SEQUENCE, "sequence", |p, s| recurrent(p, s, RecurrentCell::Gru, false)),
];

/// Sequence length, and features per position.
const SEQUENCE: &[i64] = &[64, 512];

const UNITS: i64 = 512;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecurrentCell {
    Rnn,
    Lstm,
    Gru,
}

impl RecurrentCell {
    /// Gates of the cell; each multiplies both the input and the state by a matrix.
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
