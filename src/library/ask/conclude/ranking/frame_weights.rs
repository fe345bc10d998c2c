//! What makes one frame a better field to rank in than another: how many stand in it, how old it is, and how much is known of
//! what was run.

use super::frames::Frame;
use crate::ask::hits::{HitColumns, SharedValues};
use crate::model::{Aspect, Fact, Field, Part};
use crate::stores::database::AspectColumn;
use crate::values::Division;

/// What a year takes from the weight of a frame: a field of 2017 needs about twice the candidates of one of 2024.
const KEPT_A_YEAR: f64 = 0.9;

/// So much of its weight is left to a frame in which each candidate ran a model of its own making.
const KEPT_IF_OPEN: f64 = 0.3;

/// Frames of nearly the weight of the heaviest are as good; of these the network that most rows are of decides.
const NEARLY: f64 = 0.75;

/// What frames weigh among the rows found.
pub(super) struct FrameWeights<'v> {
    networks: Option<&'v AspectColumn>,
    years: Option<&'v AspectColumn>,
    divisions: Option<&'v AspectColumn>,
    /// What is left of a candidate of each year of source, by the year's number.
    faded: Vec<f64>,
    /// How many rows there are of each network, by its number.
    rows: Vec<u32>,
    /// How many candidates the question asks for: a field of fewer does not answer it where another one has as many.
    pub asked: usize,
}

impl<'v> FrameWeights<'v> {
    /// The weights of frames of these rows.
    pub fn of(values: &'v SharedValues, hits: &HitColumns, asked: usize) -> Self {
        let network = Aspect::Field(Field::Network);
        let networks = values.column(network).map_or(0, |column| column.values().count());
        let mut rows = vec![0; networks + 1];
        let year = Aspect::Fact(Fact::Year);
        let years = values.column(year).into_iter().flat_map(|column| column.values());
        let years: Vec<Option<f64>> = [None].into_iter().chain(years.map(|year| year.parse().ok())).collect();
        let mut newest = f64::NEG_INFINITY;
        let (networks, of_sources) = (values.column(network), values.column(year));
        for hit in 0..hits.len() {
            let named = networks.map_or(0, |column| column.number(hits.part(hit, Part::Workload)));
            if let Some(rows) = rows.get_mut(named as usize) {
                *rows += 1;
            }
            let year = of_sources.map_or(0, |column| column.number(hits.part(hit, Part::Setup)));
            newest = years.get(year as usize).copied().flatten().unwrap_or(newest).max(newest);
        }
        let faded = |year: Option<f64>| year.map_or(1.0, |year| KEPT_A_YEAR.powf((newest - year).max(0.0)));
        let faded = years.into_iter().map(faded).collect();
        let divisions = values.column(Aspect::Field(Field::Division));
        Self { networks, years: of_sources, divisions, faded, rows, asked }
    }

    /// Its candidates, faded by its age.
    pub fn weight(&self, frame: &Frame) -> f64 {
        let year = self.years.map_or(0, |column| column.number(frame.parts[Part::Setup as usize]));
        let kept = if self.is_open(frame) { KEPT_IF_OPEN } else { 1.0 };
        frame.candidates.len() as f64 * self.faded.get(year as usize).copied().unwrap_or(1.0) * kept
    }

    /// Whether its rows are of MLPerf's open division, in which everybody runs what they like.
    fn is_open(&self, frame: &Frame) -> bool {
        let protocol = frame.parts[Part::Protocol as usize];
        self.divisions.is_some_and(|column| column.of(protocol) == Some(Division::Open.into()))
    }

    /// Of some frames the one that is the best field; `None` of none.
    pub fn best<'f>(&self, frames: impl Iterator<Item = (usize, &'f Frame)>) -> Option<usize> {
        let weighed: Vec<(usize, f64, &Frame)> = frames.map(|(at, frame)| (at, self.weight(frame), frame)).collect();
        let most = weighed.iter().map(|(_, weight, _)| *weight).fold(0.0, f64::max);
        let near = weighed.into_iter().filter(|(_, weight, _)| *weight >= NEARLY * most);
        let best = near.max_by(|(a_at, a_weight, a), (b_at, b_weight, b)| {
            let by_rows = self.rows_of(a).cmp(&self.rows_of(b));
            by_rows.then(a_weight.total_cmp(b_weight)).then(b_at.cmp(a_at))
        });
        best.map(|(at, ..)| at)
    }

    /// How many rows are of its network.
    fn rows_of(&self, frame: &Frame) -> u32 {
        let network = self.networks.map_or(0, |column| column.number(frame.parts[Part::Workload as usize]));
        self.rows.get(network as usize).copied().unwrap_or_default()
    }
}
