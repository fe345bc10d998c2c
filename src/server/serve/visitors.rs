//! What one address may take: connections at a time, and requests a second.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// All connections. Systems give a program 1,024 open files unless it asks for more, and each state of the knowledge base needs
/// some tens.
const MOST_CONNECTIONS: usize = 512;
/// Those of one address. A browser opens six.
const MOST_OF_ONE: usize = 256;
/// So many seconds' requests may come at once: a page and its figures, or a script that begins.
const AT_ONCE: f64 = 4.0;
/// So many addresses are remembered before those are forgotten that have asked nothing lately.
const MOST_REMEMBERED: usize = 10_000;

/// Who asks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visitor(pub IpAddr);

/// Everybody who is here, or was lately.
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
}

/// The requests that an address may still make, at a moment.
#[derive(Debug, Clone, Copy)]
struct Allowance {
    left: f64,
    at: Instant,
}

/// A connection that is counted until it goes.
#[derive(Debug)]
pub(super) struct Place {
    address: IpAddr,
    open: Arc<Mutex<Open>>,
}

impl Visitors {
    /// So many requests of one address a second; 0 is no limit.
    pub fn new(rate: u32) -> Self {
        Self { rate: f64::from(rate), open: Arc::default(), asked: Arc::default() }
    }

    /// A place for a connection; `None` when there are too many.
    pub fn enter(&self, address: IpAddr) -> Option<Place> {
        let address = network_of(address);
        let mut open = locked(&self.open);
        let own = open.of.get(&address).copied().unwrap_or(0);
        if open.all >= MOST_CONNECTIONS || own >= MOST_OF_ONE {
            return None;
        }
        open.all += 1;
        open.of.insert(address, own + 1);
        Some(Place { address, open: Arc::clone(&self.open) })
    }

    /// Counts a request.
    ///
    /// # Errors
    ///
    /// When it is one too many: how long to wait.
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
        open.all = open.all.saturating_sub(1);
        let own = open.of.get(&self.address).copied().unwrap_or(0);
        if own > 1 {
            open.of.insert(self.address, own - 1);
        } else {
            open.of.remove(&self.address);
        }
    }
}

/// Whom an address counts as: of IPv6 a household has 2^64 (RFC 6177), so its network counts.
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
