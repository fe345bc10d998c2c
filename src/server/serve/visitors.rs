//! The limits of one client address: concurrent connections, and requests per second.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// Maximum connections in total. Systems allow a program 1,024 open files by default, and each state of the knowledge
/// base needs a few dozen.
const MOST_CONNECTIONS: usize = 512;
/// Maximum connections per client address (browsers open six).
const MOST_OF_ONE: usize = 256;
/// Burst size in seconds of the request rate: enough for a page with its figures, or a script's start.
const AT_ONCE: f64 = 4.0;
/// Maximum number of remembered addresses; beyond it, those without recent requests are forgotten.
const MOST_REMEMBERED: usize = 10_000;

/// The client of a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visitor(pub IpAddr);

/// All clients with open connections or recent requests.
#[derive(Debug, Clone)]
pub(super) struct Visitors {
    rate: f64,
    open: Arc<Mutex<Open>>,
    asked: Arc<Mutex<HashMap<IpAddr, Allowance>>>,
}

#[derive(Debug, Default)]
struct Open {
    all: usize,
    of: HashMap<IpAddr, usize>,
    /// Connections without a request so far, in the order of arrival.
    silent: BTreeMap<u64, (IpAddr, Arc<Notify>)>,
    /// Evicted connections that are about to close: they no longer count.
    lost: BTreeSet<u64>,
    next: u64,
}

impl Open {
    /// The connection to evict for a client with `own` connections: the oldest without a request, from the address with
    /// the most of such. None if no address has more of them than `own`.
    fn to_give_way(&self, own: usize) -> Option<u64> {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for (address, _) in self.silent.values() {
            *counts.entry(*address).or_default() += 1;
        }
        let most = counts.values().copied().max().filter(|most| *most > own)?;
        self.silent.iter().find(|(_, (address, _))| counts.get(address) == Some(&most)).map(|(number, _)| *number)
    }

    fn forget(&mut self, address: IpAddr) {
        self.all = self.all.saturating_sub(1);
        let own = self.of.get(&address).copied().unwrap_or(0);
        if own > 1 {
            self.of.insert(address, own - 1);
        } else {
            self.of.remove(&address);
        }
    }
}

/// The number of requests that an address may still make at a given time.
#[derive(Debug, Clone, Copy)]
struct Allowance {
    left: f64,
    at: Instant,
}

/// A connection, counted until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    address: IpAddr,
    number: u64,
    /// Notified when the connection is evicted.
    given_way: Arc<Notify>,
    open: Arc<Mutex<Open>>,
}

impl Place {
    /// Records a request: from then on, the connection cannot be evicted.
    pub fn asks(&self) {
        locked(&self.open).silent.remove(&self.number);
    }

    /// Waits until the connection is evicted.
    pub async fn is_lost(&self) {
        self.given_way.notified().await;
    }
}

impl Visitors {
    /// The limits, with `rate` requests per second and address; 0 means no limit.
    pub fn new(rate: u32) -> Self {
        Self { rate: f64::from(rate), open: Arc::default(), asked: Arc::default() }
    }

    /// Registers a connection; `None` when there are too many. If all places are taken, a connection without a request
    /// is evicted, so that a client that opens many silent connections cannot lock out others.
    pub fn enter(&self, address: IpAddr) -> Option<Place> {
        let address = network_of(address);
        let mut open = locked(&self.open);
        let own = open.of.get(&address).copied().unwrap_or(0);
        if own >= MOST_OF_ONE {
            return None;
        }
        if open.all >= MOST_CONNECTIONS {
            let number = open.to_give_way(own)?;
            let (of, given_way) = open.silent.remove(&number)?;
            open.lost.insert(number);
            open.forget(of);
            given_way.notify_one();
        }
        open.all += 1;
        open.of.insert(address, own + 1);
        let number = open.next;
        open.next += 1;
        let given_way = Arc::new(Notify::new());
        open.silent.insert(number, (address, Arc::clone(&given_way)));
        Some(Place { address, number, given_way, open: Arc::clone(&self.open) })
    }

    /// Counts a request.
    ///
    /// # Errors
    ///
    /// The time to wait, when the rate limit is exceeded.
    pub fn ask(&self, address: IpAddr, now: Instant) -> Result<(), Duration> {
        if self.rate == 0.0 {
            return Ok(());
        }
        let most = self.rate * AT_ONCE;
        let left_now = |allowance: &Allowance| {
            (allowance.left + now.saturating_duration_since(allowance.at).as_secs_f64() * self.rate).min(most)
        };
        let mut asked = locked(&self.asked);
        if asked.len() >= MOST_REMEMBERED {
            asked.retain(|_, allowance| left_now(allowance) < most);
        }
        let allowance = asked.entry(network_of(address)).or_insert(Allowance { left: most, at: now });
        let left = left_now(allowance);
        let granted = left >= 1.0;
        *allowance = Allowance { left: if granted { left - 1.0 } else { left }, at: now };
        if granted { Ok(()) } else { Err(Duration::from_secs_f64((1.0 - left) / self.rate)) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = locked(&self.open);
        open.silent.remove(&self.number);
        if !open.lost.remove(&self.number) {
            open.forget(self.address);
        }
    }
}

/// The address by which a client is counted: for IPv6 its network, because a household has 2^64 addresses (RFC 6177).
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 => v4,
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_has_its_rate_and_others_have_theirs() {
        let visitors = Visitors::new(10);
        let [one, other] = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse().unwrap());
        let start = Instant::now();
        let granted = (0..100).filter(|_| visitors.ask(one, start).is_ok()).count();
        assert_eq!(granted, 40);
        assert!(visitors.ask(one, start).is_err_and(|wait| wait <= Duration::from_millis(100)));
        assert!(visitors.ask(other, start).is_ok());
        let later = start + Duration::from_millis(500);
        assert_eq!((0..100).filter(|_| visitors.ask(one, later).is_ok()).count(), 5);
        assert!((0..100).all(|_| Visitors::new(0).ask(one, start).is_ok()));
    }

    #[test]
    fn connections_that_ask_nothing_give_way_to_others() {
        let visitors = Visitors::new(0);
        let enter = |last: u8| visitors.enter(IpAddr::from([192, 0, 2, last]));
        let silent: Vec<Place> = (0..MOST_CONNECTIONS).filter_map(|at| enter((at % 200) as u8)).collect();
        assert_eq!(silent.len(), MOST_CONNECTIONS);
        let other = enter(250).expect("the first of an address has a place");
        other.asks();
        assert_eq!(locked(&visitors.open).all, MOST_CONNECTIONS);
        silent.iter().for_each(Place::asks);
        assert!(enter(251).is_none(), "nobody who asked gives way");
        drop((silent, other));
        let open = locked(&visitors.open);
        assert!(open.all == 0 && open.silent.is_empty() && open.lost.is_empty() && open.of.is_empty(), "{open:?}");
    }

    #[test]
    fn connections_are_counted_until_they_go() {
        let visitors = Visitors::new(0);
        let one: IpAddr = "192.0.2.1".parse().unwrap();
        let places: Vec<Place> = (0..1_000).map_while(|_| visitors.enter(one)).collect();
        assert_eq!(places.len(), MOST_OF_ONE);
        assert!(visitors.enter("2001:db8::1".parse().unwrap()).is_some());
        drop(places);
        assert!(visitors.enter(one).is_some());
        assert_eq!(locked(&visitors.open).all, 0);
        let same = ["2001:db8::1", "2001:db8::ffff"].map(|text| network_of(text.parse().unwrap()));
        assert_eq!(same[0], same[1]);
    }
}
