//! By what a server tells one state of a file from another.

use serde::{Deserialize, Serialize};

/// By what a server tells one state of a file from another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    /// `ETag`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// `Last-Modified`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

impl Validators {
    /// The header that asks for the file only if it is another one.
    pub fn if_changed(&self) -> Option<(&'static str, String)> {
        match (&self.etag, &self.last_modified) {
            (Some(etag), _) => Some(("If-None-Match", etag.clone())),
            (None, Some(time)) => Some(("If-Modified-Since", time.clone())),
            (None, None) => None,
        }
    }

    /// What tells every change of the file, so that parts of it can be joined: an entity tag that is not weak, or a time that
    /// was a minute ago when the server answered (RFC 9110, sections 8.8.2.2 and 13.1.5).
    pub fn strong(&self, answered: Option<&str>) -> Option<String> {
        if let Some(etag) = &self.etag {
            return (etag.starts_with('"')).then(|| etag.clone());
        }
        let second = |text: &str| jiff::fmt::rfc2822::parse(text).ok().map(|time| time.timestamp().as_second());
        let modified = self.last_modified.as_ref()?;
        (second(answered?)? - second(modified)? >= 60).then(|| modified.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_tells_every_change_joins_parts() {
        let of = |etag: Option<&str>, time: Option<&str>| Validators {
            etag: etag.map(str::to_owned),
            last_modified: time.map(str::to_owned),
        };
        let (time, later) = ("Sun, 22 Nov 2026 16:00:00 GMT", "Sun, 22 Nov 2026 16:01:00 GMT");
        assert_eq!(of(Some("\"a\""), None).strong(None).as_deref(), Some("\"a\""));
        assert_eq!(of(Some("W/\"a\""), Some(time)).strong(Some(later)), None);
        assert_eq!(of(None, Some(time)).strong(Some(later)).as_deref(), Some(time));
        assert_eq!(of(None, Some(time)).strong(Some("Sun, 22 Nov 2026 16:00:59 GMT")), None);
        assert_eq!(of(None, Some("yesterday")).strong(Some(later)), None);
        assert_eq!(of(None, Some(time)).strong(None), None);
        assert_eq!(of(None, Some(time)).if_changed(), Some(("If-Modified-Since", time.to_owned())));
        assert_eq!(of(Some("W/\"a\""), Some(time)).if_changed(), Some(("If-None-Match", "W/\"a\"".to_owned())));
    }
}
