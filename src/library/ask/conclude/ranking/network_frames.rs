//! The frames of the network that a question names, among those of all its relatives.

use super::frames::Frame;
use crate::ask::hits::SharedValues;
use crate::ask::question::Question;
use crate::model::{Aspect, Field};
use crate::values::spelling::normalise;

/// The frames of networks whose name begins as that which is asked for: of the relatives of NASNet its variants, and not those
/// that were found in another search.
pub(super) struct FramesOfNetwork<'v> {
    values: &'v SharedValues,
    /// Whether the network of a number is called so; nothing where no network is named.
    is_called_so: Vec<bool>,
}

impl<'v> FramesOfNetwork<'v> {
    pub fn named(question: &Question, values: &'v SharedValues) -> Self {
        let named = question.read_as().filter(|read| read.facet == Field::Network.key());
        let named: Vec<String> = named.map(|read| normalise(&read.text)).collect();
        let column = values.column(Aspect::Field(Field::Network)).filter(|_| !named.is_empty());
        let networks = column.into_iter().flat_map(|column| column.values());
        let begins = |network: &str| named.iter().any(|name| normalise(network).starts_with(name));
        let is_called_so = networks.map(begins).collect();
        Self { values, is_called_so }
    }

    /// Keeps those frames, where there are any.
    pub fn keep(&self, frames: &mut Vec<Frame>) {
        let is_of = |frame: &Frame| {
            let network = self.values.number(Aspect::Field(Field::Network), &frame.parts) as usize;
            network.checked_sub(1).is_some_and(|at| self.is_called_so.get(at).copied().unwrap_or_default())
        };
        if !self.is_called_so.is_empty() && frames.iter().any(is_of) {
            frames.retain(is_of);
        }
    }
}
