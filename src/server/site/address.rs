//! The addresses in pages, and the site files that replace them.

use std::collections::BTreeMap;

/// The file for each address.
#[derive(Debug, Clone, Default)]
pub(super) struct SiteFiles(BTreeMap<String, String>);

impl SiteFiles {
    /// Adds the file for an address.
    pub fn add(&mut self, address: impl Into<String>, file: impl Into<String>) {
        self.0.insert(address.into(), file.into());
    }

    /// The file for an address; a question without a page is looked up by the first page.
    fn of(&self, address: &str) -> Option<String> {
        let looked_up = || {
            let question = address.strip_prefix("/query?question=").filter(|question| !question.contains('&'))?;
            Some(format!("index.html?question={question}"))
        };
        self.0.get(address).cloned().or_else(looked_up)
    }

    /// The page as stored in the file `at`: its addresses become relative file names. A link without a file is removed;
    /// in a table, if it names the cell's subject, its text stays.
    ///
    /// # Errors
    ///
    /// The address of a style, script or image without a file.
    pub fn placed(&self, page: &str, at: &str) -> Result<String, String> {
        let mut placed = String::with_capacity(page.len());
        let mut rest = page;
        let mut before_tag = "";
        let mut left: Option<Left> = None;
        // Pages are escaped: `<` always begins a tag, and the next `>` ends it.
        while let Some((before, behind)) = rest.split_once('<') {
            if left != Some(Left::Whole) {
                placed.push_str(before);
            }
            let (tag, after) = behind.split_once('>').unwrap_or((behind, ""));
            rest = after;
            if tag == "/a" && left.take().is_some() {
                continue;
            }
            match self.tag(tag, at)? {
                Some(tag) => placed.push_str(&format!("<{tag}>")),
                None if before_tag.starts_with("td") || before_tag.starts_with("th") => left = Some(Left::Tags),
                None => left = Some(Left::Whole),
            }
            before_tag = tag;
        }
        placed.push_str(rest);
        Ok(placed)
    }

    /// A tag with its addresses relative to `at`; `None` for a link without a file.
    fn tag(&self, tag: &str, at: &str) -> Result<Option<String>, String> {
        let mut done = String::new();
        let mut rest = tag;
        while let Some(found) = ATTRIBUTES.iter().filter_map(|name| rest.find(name).map(|at| at + name.len())).min() {
            let (before, value) = rest.split_at(found);
            let (value, behind) = value.split_at(value.find('"').unwrap_or(value.len()));
            let address = value.replace("&amp;", "&");
            done.push_str(before);
            if address.starts_with('/') {
                match self.of(&address) {
                    Some(file) => done.push_str(&seen_from(at, &file)),
                    None if tag.starts_with("a ") => return Ok(None),
                    None => return Err(address),
                }
            } else {
                done.push_str(value);
            }
            rest = behind;
        }
        Ok(Some(done + rest))
    }
}

/// What to remove of a link without a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    Tags,
    Whole,
}

/// The attributes with addresses.
const ATTRIBUTES: &[&str] = &[" href=\"", " src=\"", " srcset=\"", " action=\""];

/// The path of a file relative to the file `at`.
fn seen_from(at: &str, file: &str) -> String {
    let depth = at.matches('/').count();
    "../".repeat(depth) + file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_to_files_as_seen_from_the_page() {
        let mut files = SiteFiles::default();
        files.add("/entities/devices", "devices.html");
        files.add("/figure.svg?question=a&theme=dark", "answers/a-dark.svg");
        let page = "<p><a href=\"/entities/devices\">all</a> <a href=\"/api\" rel=\"x\">API</a>\
                    <b><td><a href=\"/measurements/x\">x</a></td></b> \
                    <a href=\"/query?question=a%20b\">a</a> <a href=\"#up\">up</a> \
                    <a href=\"https://example.org/\">out</a></p>\
                    <source srcset=\"/figure.svg?question=a&amp;theme=dark\" media=\"x\">";
        assert_eq!(
            files.placed(page, "devices/nova.html").as_deref(),
            Ok(
                "<p><a href=\"../devices.html\">all</a> <b><td>x</td></b> <a href=\"../index.html?question=a%20b\">a</a> \
                <a href=\"#up\">up</a> <a href=\"https://example.org/\">out</a></p>\
                <source srcset=\"../answers/a-dark.svg\" media=\"x\">"
            )
        );
        assert_eq!(files.placed("<img src=\"/figure.svg\">", "a.html"), Err("/figure.svg".to_owned()));
    }
}
