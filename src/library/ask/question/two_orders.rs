//! Two superlatives, each of a quantity of its own: `most memory but least power`, `fastest with the lowest power`. Neither gives
//! way to the other: what is wanted is whatever nothing else beats in both.

use super::intent::Intent;
use super::question::{Order, Quantity};
use super::seen::Seen;
use super::vocabulary::plain;
use crate::model::{Aspect, Direction, Fact, FactType, Field, Metric};

impl Seen<'_, '_> {
    /// The two orders that a question asks for at once; none where it asks for one.
    pub(super) fn two_orders(&self, mentioned: &[Vec<Quantity>]) -> Vec<Order> {
        let named = &self.hints.superlatives;
        let mut orders: Vec<Order> = Vec::new();
        for (at, one) in named.iter().enumerate() {
            let end = named.get(at + 1).map_or(mentioned.len(), |next| next.mentions_before);
            let own = mentioned.get(one.mentions_before..end.min(mentioned.len())).unwrap_or_default();
            let quantity = own.iter().flatten().next().cloned().or_else(|| self.of_word(&plain(&one.text)));
            let Some(quantity) = quantity.filter(is_ordered) else { continue };
            let is_new = orders.iter().all(|order| order.quantity != quantity);
            orders.extend(is_new.then_some(Order { superlative: one.superlative, quantity }));
        }
        orders.truncate(2);
        let [first, second] = orders.as_slice() else { return Vec::new() };
        let kinds = [first, second].map(|order| match order.quantity {
            Quantity::Fact(fact) => Some(fact.kind()),
            _ => None,
        });
        match kinds {
            // Facts of devices and of networks stand beside each other of no one thing.
            [Some(one), Some(other)] if one != other => Vec::new(),
            _ => orders,
        }
    }

    /// Entities are ranked by what they state; what was measured is set against the other.
    pub(super) fn intent_of_orders(&self, quantities: &[Quantity]) -> Intent {
        let are_facts = quantities.iter().all(|quantity| matches!(quantity, Quantity::Fact(_)));
        if are_facts { Intent::Ranking } else { Intent::Relation }
    }

    /// What a superlative orders by without a noun: `fastest`, `cheapest`, `smallest`.
    fn of_word(&self, word: &str) -> Option<Quantity> {
        let candidates = self.candidates();
        let of_networks = candidates == Some(Aspect::Field(Field::Network));
        let of_devices = candidates.is_none_or(|aspect| aspect == Aspect::Field(Field::Device));
        match word {
            "fastest" | "quickest" | "slowest" => Some(Quantity::Metric(Metric::ThroughputPerS)),
            "cheapest" if of_devices => Some(Quantity::Fact(Fact::LaunchPrice)),
            "smallest" | "largest" | "biggest" if of_networks => Some(Quantity::Fact(Fact::Parameters)),
            "smallest" | "largest" | "biggest" if of_devices => Some(Quantity::Fact(Fact::Memory)),
            _ => None,
        }
    }
}

/// Whether values of a quantity have an order in which one is better than another.
fn is_ordered(quantity: &Quantity) -> bool {
    match quantity {
        Quantity::Metric(metric) => metric.direction() != Direction::Neutral,
        Quantity::Fact(fact) => matches!(fact.value_type(), FactType::Number(_)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::ask::question::understand;
    use crate::stores::sample::Sample;

    const ROWS: &str = r#"
[[table]]
columns = ["device", "throughput-per-s", "power-w"]
rows = [["nova", 200, 250], ["core", 100, 90]]
"#;

    #[test]
    fn two_superlatives_are_two_orders_where_each_has_a_quantity() {
        let sample = Sample::of(&[("paper-2020", ROWS)]);
        for (question, expected) in [
            ("which gpu has the most memory but the least power", &["Most memory", "Least tdp"][..]),
            ("gpu with the lowest tdp and the highest bandwidth", &["Least tdp", "Most bandwidth"]),
            ("cheapest gpu with the most memory", &["Cheapest launch-price", "Most memory"]),
            ("smallest network with the highest accuracy", &["Least parameters", "Most accuracy"]),
            ("highest throughput with the lowest power on deepnet-50", &["Most throughput-per-s", "Least power-w"]),
            // One of the two says nothing of its own.
            ("the best gpu with the most memory", &[]),
            ("top 3 gpus with the most memory", &[]),
            ("most memory", &[]),
            ("highest throughput at the largest batch size of deepnet-50", &[]),
        ] {
            let wanted = understand(question, &sample.stores).unwrap().wanted;
            let orders: Vec<String> =
                wanted.orders.iter().map(|order| format!("{:?} {}", order.superlative, order.quantity.key())).collect();
            assert_eq!(orders, expected, "{question}");
        }
    }
}
