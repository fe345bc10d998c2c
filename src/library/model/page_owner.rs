//! Who stands behind a page, as its address says.

/// Organisations by the end of their hosts' names, where they call themselves otherwise than their host.
const OWNERS: &[(&str, &str)] = &[
    ("9to5mac.com", "9to5Mac"),
    ("amd.com", "AMD"),
    ("aws.amazon.com", "Amazon Web Services"),
    ("amazon.com", "Amazon"),
    ("apache.org", "Apache Software Foundation"),
    ("apple.com", "Apple"),
    ("appleinsider.com", "AppleInsider"),
    ("arxiv.org", "arXiv"),
    ("google.com", "Google"),
    ("ieee.org", "IEEE"),
    ("intel.com", "Intel"),
    ("intel.io", "Intel"),
    ("keras.io", "Keras"),
    ("macrumors.com", "MacRumors"),
    ("microsoft.com", "Microsoft"),
    ("notebookcheck.net", "Notebookcheck"),
    ("nvidia.com", "NVIDIA"),
    ("pytorch.org", "PyTorch"),
    ("tensorflow.org", "TensorFlow"),
    ("wikichip.org", "WikiChip"),
    ("wikipedia.org", "Wikipedia"),
    ("xilinx.com", "AMD Xilinx"),
];

/// Hosts of pages that others own: the owner is the first part of the path.
const HOSTS_OF_OTHERS: &[&str] =
    &["github.com", "gist.github.com", "raw.githubusercontent.com", "gitlab.com", "huggingface.co", "medium.com"];

/// Hosts that give each owner a host below theirs.
const HOSTS_ABOVE_OTHERS: &[&str] = &[".github.io", ".medium.com", ".readthedocs.io"];

/// The organisation or person whose page an address is: the account where a host serves many, the name of the organisation
/// where it is known, else the host itself.
pub fn page_owner(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = rest.split_once(['/', '?', '#']).unwrap_or((rest, ""));
    let host = host.split(':').next().unwrap_or(host).to_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    if HOSTS_OF_OTHERS.contains(&host) {
        let account = path.split(['/', '?', '#']).find(|part| !part.is_empty()).unwrap_or_default();
        let account = account.trim_start_matches('@');
        return if account.is_empty() { host.to_owned() } else { account.to_owned() };
    }
    if let Some(account) = HOSTS_ABOVE_OTHERS.iter().find_map(|above| host.strip_suffix(above)) {
        return account.to_owned();
    }
    let is_below = |domain: &str| host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    OWNERS.iter().find(|(domain, _)| is_below(domain)).map_or(host, |(_, owner)| owner).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_its_accounts_its_organisations_or_its_hosts() {
        for (url, owner) in [
            ("https://github.com/ggml-org/llama.cpp/blob/master/x.md", "ggml-org"),
            ("https://xilinx.github.io/Vitis-AI/", "xilinx"),
            ("https://medium.com/@somebody/title", "somebody"),
            ("https://developer.nvidia.com/blog/x", "NVIDIA"),
            ("https://docs.aws.amazon.com/x", "Amazon Web Services"),
            ("https://notnvidia.com/x", "notnvidia.com"),
            ("http://www.example.org:8080", "example.org"),
            ("https://github.com/", "github.com"),
        ] {
            assert_eq!(page_owner(url), owner, "{url}");
        }
    }
}
