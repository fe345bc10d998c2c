//! The order in which processes run: each round is one process of every configuration, in an order of its own.
//!
//! What changes slowly on a machine (heat, clocks, neighbours) then falls on all configurations alike, and stands between the
//! processes of one, where the interval sees it: randomised multiple interleaved trials, as Abedi and Brecht recommend for machines
//! that others change ("Conducting Repeatable Experiments in Highly Variable Cloud Computing Environments", ICPE 2017).

/// The items in the order of a round, drawn from the seed.
pub(super) fn drawn<T>(mut items: Vec<T>, seed: u64, round: usize) -> Vec<T> {
    let mut random = SplitMix(seed ^ SplitMix(round as u64).next());
    // Fisher and Yates; the remainder prefers none of so few items by more than 1 in 10^15.
    for last in (1..items.len()).rev() {
        items.swap(last, (random.next() % (last as u64 + 1)) as usize);
    }
    items
}

/// SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014): the same on every machine.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_has_all_in_an_order_of_its_own_and_a_seed_draws_the_same() {
        let rounds: Vec<Vec<u32>> = (0..6).map(|round| drawn((0..10).collect(), 1, round)).collect();
        for (at, round) in rounds.iter().enumerate() {
            let mut sorted = round.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..10).collect::<Vec<_>>());
            assert!(!rounds[..at].contains(round), "{rounds:?}");
        }
        assert_eq!(drawn((0..10).collect::<Vec<u32>>(), 1, 3), rounds[3]);
        assert_ne!(drawn((0..10).collect::<Vec<u32>>(), 2, 3), rounds[3]);
    }

    #[test]
    fn everybody_is_first_equally_often() {
        let mut first = [0; 4];
        for round in 0..4000 {
            first[drawn(vec![0, 1, 2, 3], 7, round)[0]] += 1;
        }
        assert!(first.iter().all(|count| (880..1120).contains(count)), "{first:?}");
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // The first numbers of the authors' generator from the seed 1234567.
        let mut random = SplitMix(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }
}
