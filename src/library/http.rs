//! Requests to servers: the one client that makes them, and its failures in words.

use std::collections::{BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use reqwest::Url;
use reqwest::blocking::{Client, ClientBuilder};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;

/// As many redirections as browsers follow, about.
pub(crate) const MOST_REDIRECTIONS: usize = 10;

/// A client that follows no redirection by itself. It tells servers what it is for, so that their owners know, and waits for
/// as long as `silence` for a response, and again for each part of its body.
///
/// # Errors
///
/// When the system offers no certificates, or no threads.
pub(crate) fn client(purpose: &str, silence: Duration) -> reqwest::Result<Client> {
    builder(purpose, silence).build()
}

/// The same before it is built, for one that resolves names in its own way.
pub(crate) fn builder(purpose: &str, silence: Duration) -> ClientBuilder {
    // ring is built by a C compiler alone; that somebody has chosen another provider before is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let user_agent = format!("dlbench/{} ({purpose})", env!("CARGO_PKG_VERSION"));
    Client::builder().user_agent(user_agent).timeout(silence).redirect(Policy::none())
}

/// Why there is no answer: the innermost cause says it best.
pub(crate) fn in_words(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it took too long".to_owned();
    }
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// The last labels of names that no public server has (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`).
const LOCAL_NAMES: &[&str] =
    &["localhost", "local", "internal", "home.arpa", "lan", "intranet", "test", "invalid", "onion"];

/// Variables that name a proxy, through which requests go.
const PROXIES: &[&str] = &["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];

/// Resolves names, and keeps what public ones resolved to, so that a request goes to an address that was looked at.
#[derive(Debug, Clone)]
pub(crate) struct PublicHosts {
    /// Hosts that the user allows, whatever their addresses.
    allowed: Arc<BTreeSet<String>>,
    proxies: Arc<BTreeSet<String>>,
    pinned: Arc<Mutex<HashMap<String, Vec<SocketAddr>>>>,
    timeout: Duration,
    lookup: Lookup,
}

/// What the system says of a name and a port within a time; nothing where it says nothing.
type Lookup = fn(&str, u16, Duration) -> Vec<SocketAddr>;

/// Why a host is not asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HostRefusal {
    /// Another protocol.
    #[error("`{0}` is not asked, only http and https")]
    Scheme(String),
    /// There is no host.
    #[error("it names no server")]
    Nameless,
    /// A name or password of somebody.
    #[error("it holds a user name")]
    User,
    /// The host is not of the Internet.
    #[error("`{0}` is of this machine or its network")]
    Local(String),
}

impl PublicHosts {
    /// All public hosts, and those that are `allowed` although they are not.
    pub fn and(allowed: &[String], timeout: Duration) -> Self {
        let set = |hosts: Vec<String>| Arc::new(hosts.into_iter().collect());
        let proxy = |name: &&str| Url::parse(&std::env::var(name).ok()?).ok()?.host_str().map(str::to_owned);
        Self {
            allowed: set(allowed.to_vec()),
            proxies: set(PROXIES.iter().filter_map(proxy).collect()),
            pinned: Arc::default(),
            timeout,
            lookup: resolved,
        }
    }

    /// Why the host of an address is not asked; `None` where it may be. Its name is resolved for that.
    pub fn refusal(&self, url: &Url) -> Option<HostRefusal> {
        if !matches!(url.scheme(), "http" | "https") {
            return Some(HostRefusal::Scheme(url.scheme().to_owned()));
        }
        let Some(name) = url.host_str() else { return Some(HostRefusal::Nameless) };
        if !url.username().is_empty() || url.password().is_some() {
            return Some(HostRefusal::User);
        }
        if self.allowed.contains(name) {
            return None;
        }
        // The parser of addresses has made one spelling of all (0x7f.1, 2130706433, [::ffff:7f00:1]).
        let is_public = match name.trim_matches(['[', ']']).parse() {
            Ok(address) => is_public(address),
            Err(_) => has_public_name(name) && self.leads_out(name, url.port_or_known_default()),
        };
        (!is_public).then(|| HostRefusal::Local(name.to_owned()))
    }

    /// Whether a name resolves to public addresses alone, which are kept. One that does not resolve leads nowhere, or is known
    /// to the proxy.
    fn leads_out(&self, name: &str, port: Option<u16>) -> bool {
        let found = (self.lookup)(name, port.unwrap_or(443), self.timeout);
        if !found.iter().all(|address| is_public(address.ip())) {
            return false;
        }
        self.pinned.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), found);
        true
    }

    /// The addresses of a name that a request may go to.
    fn addresses(&self, name: &str) -> Vec<SocketAddr> {
        let pinned = self.pinned.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        match pinned {
            Some(pinned) => pinned,
            None if self.allowed.contains(name) || self.proxies.contains(name) => (self.lookup)(name, 0, self.timeout),
            None => Vec::new(),
        }
    }
}

impl Resolve for PublicHosts {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.addresses(name.as_str());
        Box::pin(async move {
            match found.is_empty() {
                true => Err("the name does not resolve".into()),
                false => Ok(Box::new(found.into_iter()) as Addrs),
            }
        })
    }
}

/// What the system says of a name within a time; nothing where it says nothing.
fn resolved(name: &str, port: u16, timeout: Duration) -> Vec<SocketAddr> {
    let (sender, receiver) = channel();
    let asked = (name.to_owned(), port);
    thread::spawn(move || {
        let found = asked.to_socket_addrs().map(Iterator::collect).unwrap_or_default();
        // Nobody may be waiting any more.
        let _ = sender.send(found);
    });
    receiver.recv_timeout(timeout).unwrap_or_default()
}

fn has_public_name(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let is_local = |local: &&str| name.strip_suffix(*local).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    name.contains('.') && !LOCAL_NAMES.iter().any(is_local)
}

/// Whether an address is one of the Internet: of those that IANA's registries of special-purpose addresses do not list.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        // "This network", shared by carriers (100.64/10), protocol assignments, benchmarks, reserved.
        || a == 0
        || (a == 100 && (64..128).contains(&b))
        || (a, b, c) == (192, 0, 0)
        || (a, b, c) == (192, 88, 99)
        || (a == 198 && (18..20).contains(&b))
        || a >= 240;
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, c, d, ..] = address.segments();
    let embedded = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match a {
        // Translated (64:ff9b::/96) and 6to4 (2002::/16) addresses lead to the IPv4 address in them.
        0x64 if (b, c, d) == (0xff9b, 0, 0) => embedded(address.segments()[6], address.segments()[7]),
        0x2002 => embedded(b, c),
        // Protocol assignments (2001::/23, Teredo among them) and documentation.
        0x2001 => b >= 0x0200 && b != 0x0db8,
        0x3fff => b >= 0x1000,
        // Only 2000::/3 is global; whatever maps IPv4 otherwise lies elsewhere.
        _ => (0x2000..0x4000).contains(&a),
    }
}

#[cfg(test)]
impl PublicHosts {
    /// The same with another answer to every name.
    pub fn looked_up_by(mut self, lookup: Lookup) -> Self {
        self.lookup = lookup;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(address: &str) -> bool {
        let hosts = PublicHosts::and(&["allowed.local".to_owned()], Duration::from_secs(5));
        hosts.refusal(&Url::parse(address).unwrap_or_else(|error| panic!("{address}: {error}"))).is_some()
    }

    #[test]
    fn nobody_behind_the_users_own_door_is_asked() {
        for host in [
            "127.0.0.1",
            "127.1",
            "0x7f.1",
            "0177.0.0.1",
            "2130706433",
            "0x7f000001",
            "127.0.0.1.",
            "%31%32%37.0.0.1",
            "1２7.0.0.1",
            "0",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "192.0.0.8",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "240.0.0.1",
            "[::1]",
            "[::]",
            "[::ffff:127.0.0.1]",
            "[::ffff:a00:1]",
            "[::127.0.0.1]",
            "[fe80::1]",
            "[fc00::1]",
            "[fd12:3456::1]",
            "[ff02::1]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]",
            "[2001:0:1::1]",
            "[2001:db8::1]",
            "[fec0::1]",
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "printer",
            "printer.local",
            "db.internal",
            "metadata.google.internal",
            "user@8.8.8.8",
            "user:secret@example.org",
        ] {
            assert!(refused(&format!("http://{host}/latest/meta-data")), "{host}");
        }
        assert!(refused("ftp://8.8.8.8/") && refused("file:///etc/passwd") && refused("data:text/plain,a"));
    }

    #[test]
    fn what_is_public_or_allowed_is_asked() {
        for host in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "[2606:4700::1111]", "[64:ff9b::808:808]", "allowed.local"]
        {
            assert!(!refused(&format!("https://{host}/")), "{host}");
        }
        assert!(
            has_public_name("example.org") && has_public_name("localhost.example.org") && !has_public_name("x.LAN")
        );
    }

    #[test]
    fn a_request_goes_to_an_address_that_was_looked_at_or_nowhere() {
        let hosts = PublicHosts::and(&[], Duration::from_secs(5));
        assert_eq!(hosts.addresses("localhost"), []);
        let pinned: SocketAddr = "8.8.8.8:443".parse().unwrap();
        hosts.pinned.lock().unwrap().insert("example.org".to_owned(), vec![pinned]);
        assert_eq!(hosts.clone().addresses("example.org"), [pinned], "whatever the name means by now");
    }
}
