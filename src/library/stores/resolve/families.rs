//! What the resolver asks of the catalog.

use crate::model::Lookup;

/// What tells devices of one name apart in a spelling.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The device's id.
    pub id: String,
    /// Who makes it.
    pub vendor: Option<String>,
    /// Memory, GiB.
    pub memory_gib: Option<f64>,
    /// `SXM2`, `PCIe` …
    pub form_factor: Option<String>,
}

/// A device of a cloud instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// The device's id.
    pub device: String,
    /// How many of it an instance has; `None` where that is not known.
    pub count: Option<u32>,
}

/// Where devices, the members of families and cloud instances are looked up.
pub trait Families: Lookup {
    /// The device itself; `None` when there is none.
    fn device(&self, id: &str) -> Result<Option<Member>, Self::Error>;

    /// All members below a device, not the device itself; empty when it is no family.
    fn members(&self, id: &str) -> Result<Vec<Member>, Self::Error>;

    /// The devices of a cloud instance, by its normalised name; empty when the catalog has no such instance.
    fn offers(&self, instance: &str) -> Result<Vec<Offered>, Self::Error>;
}
