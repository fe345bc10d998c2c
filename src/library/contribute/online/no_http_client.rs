//! Replaces the HTTP client in builds without the feature `online`.

use std::time::Duration;

use super::requests::RequestUrl;
use crate::contribute::rule_interface::LinkStatus;

/// A client whose construction always fails.
pub(super) struct HttpClient;

impl HttpClient {
    pub fn new(_: Duration, _: &[String]) -> Result<Self, &'static str> {
        Err("this dlbench was built without the feature `online`")
    }
}

impl RequestUrl for HttpClient {
    fn request(&self, _: &str) -> Option<LinkStatus> {
        Some(LinkStatus::Unreachable("there is no client".to_owned()))
    }
}
