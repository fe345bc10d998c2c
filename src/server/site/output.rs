//! The destination of a site's files.

use super::address::SiteFiles;
use super::error::SiteError;

/// A security policy at the top of every page, for hosts that do not send one: no requests to other hosts, and no
/// inline scripts.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; img-src 'self'; \
                      script-src 'self'; form-action 'self'; base-uri 'none'\">";

/// The destination of files.
pub(super) trait Output: Sync {
    /// Writes a file.
    fn write(&self, name: &str, content: String) -> Result<(), SiteError>;

    /// Writes a page, with its addresses replaced by relative file names.
    fn page(&self, files: &SiteFiles, name: &str, page: &str) -> Result<(), SiteError> {
        let placed = files.placed(page, name);
        let placed = placed.map_err(|address| SiteError::Link { page: name.to_owned(), address })?;
        self.write(name, placed.replacen("<meta charset=\"utf-8\">", &format!("<meta charset=\"utf-8\">{POLICY}"), 1))
    }
}
