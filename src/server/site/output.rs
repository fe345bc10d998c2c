//! Where the files of a site go.

use super::address::SiteFiles;
use super::error::SiteError;

/// What is at the top of every page, for hosts that say nothing of it themselves: nothing is asked of another host, and nothing
/// runs that is in a page.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; img-src 'self'; \
                      script-src 'self'; form-action 'self'; base-uri 'none'\">";

/// Where files go.
pub(super) trait Output: Sync {
    /// A file.
    fn write(&self, name: &str, content: String) -> Result<(), SiteError>;

    /// A page, with its addresses as files.
    fn page(&self, files: &SiteFiles, name: &str, page: &str) -> Result<(), SiteError> {
        let placed = files.placed(page, name);
        let placed = placed.map_err(|address| SiteError::Link { page: name.to_owned(), address })?;
        self.write(name, placed.replacen("<meta charset=\"utf-8\">", &format!("<meta charset=\"utf-8\">{POLICY}"), 1))
    }
}
