//! `dlbench site`: every link leads to an existing file and anchor, nothing is loaded from another host, names are escaped, and the
//! same content gives the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use serde_json::Value;
use tempfile::TempDir;

use crate::{Dlbench, KbCopy};

/// Every file of a site by its path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(&at).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).expect("below it").to_owned();
                    found.insert(name, fs::read(&path).expect("a file"));
                }
            }
        }
    }
    found
}

fn built(dlbench: &Dlbench, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let ran = dlbench.run(&["site", "-o", folder.to_str().expect("UTF-8")]);
    assert!(ran.code == 0 && ran.stderr.contains("files, "), "{ran:?}");
    files(folder)
}

/// The file that a link in a file of the site leads to.
fn target(at: &Path, link: &str) -> PathBuf {
    let mut path: Vec<&str> = at.parent().expect("a folder").iter().map(|name| name.to_str().expect("UTF-8")).collect();
    for name in link.split('/') {
        match name {
            ".." => assert!(path.pop().is_some(), "{}: {link} leaves the site", at.display()),
            name => path.push(name),
        }
    }
    path.iter().collect()
}

/// Follows every link and anchor of every page; returns the pages' texts.
fn followed(site: &BTreeMap<PathBuf, Vec<u8>>) -> BTreeMap<&Path, &str> {
    let link = Regex::new(r#" (href|src|srcset|action)="([^"]*)""#).expect("a pattern");
    let is_page = |path: &Path| path.extension().is_some_and(|extension| extension == "html");
    let pages: BTreeMap<&Path, &str> = site
        .iter()
        .filter(|(path, _)| is_page(path))
        .map(|(path, bytes)| (path.as_path(), std::str::from_utf8(bytes).expect("UTF-8")))
        .collect();
    let mut reached: BTreeSet<PathBuf> = BTreeSet::from(["index.html".into()]);
    for (path, page) in &pages {
        for (_, [kind, address]) in link.captures_iter(page).map(|capture| capture.extract()) {
            let address = address.replace("&amp;", "&");
            if address.contains("://") {
                // Only links that a reader clicks lead to other sites, and only to those that sources name.
                assert!(kind == "href" && address.starts_with("https://example.org/"), "{}: {address}", path.display());
                continue;
            }
            let (file, place) = address.split_once('#').unwrap_or((address.as_str(), ""));
            let file = file.split('?').next().unwrap_or_default();
            let file = if file.is_empty() { path.to_path_buf() } else { target(path, file) };
            assert!(site.contains_key(&file), "{}: {address} leads nowhere", path.display());
            if !place.is_empty() {
                let id = format!(" id=\"{place}\"");
                assert!(pages[file.as_path()].contains(&id), "{}: there is no {address}", path.display());
            }
            reached.insert(file);
        }
    }
    let lost: Vec<&&Path> = pages.keys().filter(|path| !reached.contains(**path)).collect();
    assert!(lost.is_empty(), "no page leads to {lost:?}");
    pages
}

#[test]
fn a_site_is_whole_links_lead_to_its_own_files_and_the_same_content_makes_the_same_bytes() {
    let dlbench = Dlbench::on_miniature();
    let folder = TempDir::new().expect("a folder");
    let place = folder.path().join("below/site");
    let site = built(&dlbench, &place);
    let pages = followed(&site);
    for page in [
        "index.html",
        "devices.html",
        "devices/nova-100.html",
        "frameworks/firelight.html",
        "networks/deepnet-50.html",
        "datasets/tiny-pictures.html",
        "sources/invented-2020.html",
        "hardware-classes/gpu.html",
        "tables/hardware.html",
        "tables/frameworks.html",
        "evidence.html",
    ] {
        let text = pages.get(Path::new(page)).unwrap_or_else(|| panic!("there is no {page}"));
        assert!(text.contains("Content-Security-Policy\" content=\"default-src 'none'"), "{page}");
        assert!(text.contains("<h1") && text.contains("lang=\"en\"") && !text.contains("<script>"), "{page}");
    }
    let ranking =
        pages.iter().find(|(path, _)| path.starts_with("answers") && !path.to_string_lossy().contains("compared"));
    let (path, ranking) = ranking.expect("a network was measured on several devices");
    assert!(ranking.contains("class=\"conclusion\""), "{}: {ranking}", path.display());
    // The search data have every measurement, and nothing without a name.
    let read = |name: &str| -> Value {
        let text = String::from_utf8(site[Path::new(name)].clone()).expect("UTF-8");
        let (_, value) = text.trim_end().trim_end_matches(");").split_once(',').expect("a value");
        serde_json::from_str(value).expect("JSON")
    };
    let names = read("names.js");
    let rows = names["measured"].as_object().expect("networks").iter().map(|(network, pack)| {
        read(&format!("rows/{pack}.js"))["networks"][network]["rows"].as_array().expect("rows").len()
    });
    let all =
        dlbench.json(&["export", "-f", "json", "-o", "/dev/stdout"])["measurements"].as_array().map_or(0, Vec::len);
    let with_network = all
        - dlbench.json(&["query", "-f", "json", "--limit", "0", "-network:deepnet"])["total"].as_u64().unwrap_or(0)
            as usize;
    assert_eq!(rows.sum::<usize>(), with_network);

    // A rebuild gives the same bytes, in the same place and in another.
    assert!(built(&dlbench, &place) == site, "the second site has other bytes");
    assert!(built(&dlbench, &folder.path().join("other")) == site, "a site elsewhere has other bytes");
    let names: Vec<_> =
        fs::read_dir(folder.path().join("below")).expect("a folder").flatten().map(|e| e.file_name()).collect();
    assert_eq!(names, ["site"], "nothing is left beside it");

    // A user's own folder is not overwritten.
    let own = folder.path().join("own");
    fs::create_dir(&own).expect("a folder");
    fs::write(own.join("thesis.tex"), "mine").expect("a file");
    let refused = dlbench.run(&["site", "-o", own.to_str().expect("UTF-8")]);
    assert!(refused.code == 2 && refused.stderr.contains("site`: thesis.tex"), "{refused:?}");
    assert_eq!(files(&own).len(), 1);
}

#[test]
fn hostile_names_are_text_on_every_page_and_in_the_data_of_the_search() {
    let kb = KbCopy::new();
    let markup = "</script><img src=x onerror=alert(1)>\\\" onfocus=alert(2) \\\"&";
    kb.replace("catalog/devices/nova-100.toml", "name = \"Acme Nova 100\"", &format!("name = \"{markup}\""));
    kb.replace(
        "catalog/sources/invented-2020.toml",
        "url = \"https://example.org/invented\"",
        "url = \"https://example.org/\\\"onclick=alert(3)\"",
    );
    let folder = TempDir::new().expect("a folder");
    let site = built(&kb.dlbench(), &folder.path().join("site"));
    let mut told = 0;
    for (path, page) in followed(&site) {
        let text = page.to_lowercase();
        assert!(
            !text.contains("<img src=x") && !text.contains("\" onfocus") && !text.contains("\"onclick"),
            "{}",
            path.display()
        );
        told += usize::from(text.contains("&lt;img src=x"));
    }
    assert!(told > 2, "the name is there to be read");
    let names = String::from_utf8(site[Path::new("names.js")].clone()).expect("UTF-8");
    assert!(!names.contains('<') && names.contains("\\u003cimg src=x"), "{names}");
}
