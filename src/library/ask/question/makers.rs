//! Makers in front of products and behind them: whose product a name is, and whose devices another one sells.

use super::error::QueryError;
use super::interpreter::Interpreter;
use super::vocabulary::{is_branded, plain};
use super::word_run::WordRun;
use crate::model::{Device, Facet};
use crate::stores::index::Condition;
use crate::values::EntityKind;

/// Makers that belong to another one, so that both names in a row are one maker's: `AMD Xilinx`.
const OWNED: &[(&str, &[&str])] = &[
    ("amd", &["xilinx", "pensando"]),
    ("google", &["coral"]),
    ("intel", &["altera", "habana", "movidius", "mobileye", "nervana"]),
    ("nvidia", &["mellanox"]),
    ("softbank", &["graphcore"]),
];

/// Makers whose devices their owner sells as its own, so that the owner's name means them, too.
const SOLD_AS_OWN: &[(&str, &[&str])] =
    &[("huawei", &["HiSilicon"]), ("alibaba", &["T-Head"]), ("intel", &["Habana"]), ("nxp", &["Freescale"])];

/// The makers whose devices a maker sells as its own.
pub(super) fn sold_as_own(maker: &str) -> &'static [&'static str] {
    let of = SOLD_AS_OWN.iter().find(|(owner, _)| owner.eq_ignore_ascii_case(maker));
    of.map(|(_, makers)| *makers).unwrap_or_default()
}

pub(super) fn is_owned(owner: &str, run: &WordRun) -> bool {
    let (owner, owned) = (plain(owner), plain(&run.text));
    let same = run.readings.first().is_some_and(|reading| reading.values.iter().any(|value| plain(value) == owner));
    let is_of = |(of, all): &(&str, &[&str])| *of == owner && all.iter().any(|one| owned.starts_with(one));
    run.is(Facet::Vendor) && (same || OWNED.iter().any(is_of))
}

impl Interpreter<'_> {
    /// Whether a word is part of the name of each of a maker's few devices: the IPU of `Graphcore IPU`.
    pub(super) fn is_in_all_names_of(&self, before: &WordRun, run: &WordRun) -> Result<bool, QueryError> {
        const FEW: usize = 8;
        let word = plain(&run.text);
        if !before.is(Facet::Vendor) || !run.is_text() || word.len() < 3 {
            return Ok(false);
        }
        let made = Condition::Facet(Facet::Vendor, before.readings[0].values.clone());
        let ids = self.stores.index.entities(EntityKind::Device, &made)?;
        if ids.len() > FEW {
            return Ok(false);
        }
        for id in &ids {
            let device = self.stores.database.entity::<Device>(id)?;
            let has = |name: &str| name.split([' ', '-']).any(|of| of.eq_ignore_ascii_case(&word));
            if !device.is_some_and(|device| has(&device.name)) {
                return Ok(false);
            }
        }
        Ok(!ids.is_empty())
    }

    /// Whether a brand stands behind a product of it: `sapphire rapids xeon`.
    pub(super) fn is_brand_of(&self, brand: &WordRun, product: &WordRun) -> Result<bool, QueryError> {
        let ([reading], true) = (product.readings.as_slice(), brand.is_brand()) else { return Ok(false) };
        if !product.is(Facet::Device) || product.is_brand() {
            return Ok(false);
        }
        let word = plain(&brand.text);
        for id in &reading.values {
            let device = self.stores.database.entity::<Device>(id)?;
            let has = |name: &str| name.split([' ', '-']).any(|of| of.eq_ignore_ascii_case(&word));
            if !device.is_some_and(|device| has(&device.name)) {
                return Ok(false);
            }
        }
        Ok(!reading.values.is_empty())
    }

    /// Whether a device may be of the maker in front of it: `NVIDIA V100`, and not `Google V100`.
    pub(super) fn is_made_by(&self, run: &WordRun, maker: &WordRun) -> Result<bool, QueryError> {
        let ([device], [maker]) = (run.readings.as_slice(), maker.readings.as_slice()) else { return Ok(false) };
        if !run.is(Facet::Device) {
            return Ok(false);
        }
        let made = Condition::Facet(Facet::Vendor, maker.values.clone());
        let made = self.stores.index.entities(EntityKind::Device, &made)?;
        if device.values.iter().any(|id| made.contains(id)) {
            return Ok(true);
        }
        for id in &device.values {
            let own = self.stores.database.entity::<Device>(id)?;
            if own.is_some_and(|device| device.vendor.is_some()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a maker stands in front of a product of its that nothing here is called: `AMD MI100`.
    pub(super) fn is_unknown_of(&self, before: &WordRun, run: &WordRun) -> Result<bool, QueryError> {
        let letters = run.text.chars().filter(|c| c.is_alphabetic()).count();
        let digits = run.text.chars().filter(char::is_ascii_digit).count();
        let is_number = letters > 1 && digits > 0 || letters > 0 && digits > 1;
        let is_product = before.is(Facet::Vendor) && run.is_text() && is_number;
        Ok(is_product && !self.finds(&Condition::Text(run.text.clone()))?)
    }
}

/// A maker in front of a product that turned out unknown is part of its name: `Intel Arc A770`.
pub(super) fn with_makers(runs: Vec<WordRun>) -> Vec<WordRun> {
    let mut joined: Vec<WordRun> = Vec::new();
    for mut run in runs {
        let maker = joined.last().filter(|before| before.is(Facet::Vendor) && !before.ends());
        let is_product = is_branded(&run.text) || run.has_number() && run.text.contains(' ');
        if run.is_text() && is_product && maker.is_some() {
            let maker = joined.pop().map_or_else(String::new, |maker| maker.text);
            let text = std::mem::take(&mut run.text);
            run.text = maker;
            run.extend_unknown(&text);
        }
        joined.push(run);
    }
    joined
}
