//! What stands in the place of the client where the program was built without one.

use std::time::Duration;

use super::asking::{Asks, Heard};
use crate::contribute::lint::Reply;

/// Nobody to ask.
pub(super) struct Web;

impl Web {
    pub fn new(_: Duration) -> Result<Self, &'static str> {
        Err("this dlbench was built without the feature `online`")
    }
}

impl Asks for Web {
    fn ask(&self, _: &str) -> Heard {
        Heard::Reply(Reply::Silent("there is no client".to_owned()))
    }
}
