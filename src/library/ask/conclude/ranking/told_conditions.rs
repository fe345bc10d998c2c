//! What a question asks for and the frame of a ranking does not say by itself: it is told in the first sentence.

use indexmap::IndexMap;

use super::candidate_kind::TOLD_OF_SETTING;
use super::frames::{Frame, Scope};
use super::inputs::Ranking;
use crate::ask::question::{Clause, Question, ReadAs};
use crate::model::{Aspect, Facet, Fact, Field, Value};
use crate::values::spelling::normalise;

impl Ranking<'_> {
    /// The words of what the question asks for and neither the frame nor a candidate says: `with `2019` and without `GPU``.
    pub(super) fn heeded(
        &self,
        question: &Question,
        frame: &Frame,
        under: &IndexMap<String, Option<Value>>,
    ) -> Vec<String> {
        let of_clause = |clause: &&Clause| {
            let mut readings = clause.readings.iter().map(|reading| &reading.read_as);
            !clause.text.is_empty() && clause.sides.is_empty() && !readings.any(|read| self.is_told(read, frame, under))
        };
        // A grade stands in front of its metric, which alone says nothing.
        let words = |clause: &Clause| {
            let is_graded =
                clause.equivalent.contains(['<', '>']) && !clause.text.contains(|c: char| c.is_ascii_digit());
            let words = if is_graded { &clause.equivalent } else { &clause.text };
            let words = words.trim_matches(|c: char| matches!(c, '?' | '!' | ','));
            match words.strip_prefix('-') {
                Some(left_out) => format!("no `{left_out}`"),
                None => format!("`{words}`"),
            }
        };
        question.clauses.iter().filter(of_clause).map(words).collect()
    }

    /// Whether the text of a ranking says by itself what a word was read as: it names the measure, what its rows share, what
    /// tells candidates apart, and of each its own setting. Of what is left out it says nothing.
    fn is_told(&self, read: &ReadAs, frame: &Frame, under: &IndexMap<String, Option<Value>>) -> bool {
        let is_shared = |key: &str| under.get(key).is_some_and(Option::is_some);
        let facet = read.facet.as_str();
        let is_of_setting = || frame.scope == Scope::Task && TOLD_OF_SETTING.iter().any(|field| field.key() == facet);
        // Whose parameters are asked for is named by the frame's network.
        let by_network = || facet == Fact::Parameters.key() && is_shared(Field::Network.key());
        !read.text.starts_with('-')
            && ([Facet::Class.key(), Facet::Metric.key()].contains(&facet)
                || is_shared(facet)
                || is_of_setting()
                || by_network()
                || self.kind.identity.iter().any(|aspect| aspect.key() == facet))
    }

    /// `, one of the 18 networks that `bert` names`, where a frame is of a member of what is asked for.
    pub(super) fn one_of(&self, question: &Question, frame: &Frame) -> String {
        let mut told = String::new();
        for field in [Field::Network, Field::Device].into_iter().filter(|field| !self.kind.varied.contains(field)) {
            let Some(own) = self.values.text(Aspect::Field(field), &frame.parts) else { continue };
            let named =
                question.read_as().find(|read| read.facet == field.key() && read.values.iter().any(|id| id == own));
            let Some(named) = named.filter(|read| read.values.len() > 1 && read.values[0] != own) else { continue };
            if normalise(own) == normalise(&named.text) {
                continue;
            }
            let kind = if field == Field::Network { "networks" } else { "devices" };
            let name = named.text.trim_matches(|c: char| !c.is_alphanumeric());
            told.push_str(&format!(", one of the {} {kind} that `{name}` names", named.values.len()));
        }
        told
    }
}
