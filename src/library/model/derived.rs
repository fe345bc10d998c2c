//! The registry of derived measures, which are computed from metrics of a measurement and facts of the catalog.

use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use super::measurement::{MOST_DIGITS, devices_of_stage};
use super::{Dataset, Device, Direction, Field, Measurement, Metric, Network, Value, physics};
use crate::values::{Date, Decimal, Stage, Statistic, Unit};

/// A measure that is computed from metrics and facts of the catalog and never read from a file, unlike a [`Metric`],
/// which a source states. The kebab-case name is its key, as for a metric.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Derived {
    /// Items finished for each US dollar of rent.
    ItemsPerDollar,
    /// Items finished for each US dollar of the price of the row's own instance.
    ItemsPerInstanceDollar,
    /// Fraction of the dense peak that the network's arithmetic reaches, 0 to 1.
    PeakFraction,
    /// Time of one pass over a data set at the measured throughput, in seconds.
    EpochTimeS,
    /// Energy of one pass over a data set at the measured throughput and power, in joules.
    EpochEnergyJ,
    /// As `EpochEnergyJ`, if the devices drew their TDP.
    EpochTdpEnergyJ,
    /// Energy of one item at the measured throughput if the devices drew their TDP, in joules.
    ItemTdpEnergyJ,
    /// Energy of a request divided by the tokens of its answer, in joules.
    OutputTokenEnergyJ,
    /// Energy until the accuracy target is met if the devices drew their TDP, in joules.
    TargetTdpEnergyJ,
    /// Throughput over the number of devices times the throughput of one device; 1 is linear scaling.
    ScalingEfficiency,
    /// Items finished for each joule if the devices drew their TDP.
    ItemsPerTdpJoule,
    /// Throughput divided by the number of devices.
    ThroughputPerDevice,
    /// Time for one item at the measured throughput, in milliseconds.
    TimePerItemMs,
    /// Rent of the machine until the accuracy target is met, in US dollars.
    CostToAccuracyUsd,
    /// Rent of the machine for one pass over the data set, in US dollars.
    CostPerEpochUsd,
    /// Items finished per second for each US dollar of the devices' launch price.
    RatePerLaunchUsd,
}

impl Derived {
    /// Its key on the command line.
    pub fn key(self) -> &'static str {
        self.into()
    }

    /// The heading of a column, with its unit.
    pub fn heading(self) -> &'static str {
        match self {
            Self::ItemsPerDollar => "items [/USD]",
            Self::ItemsPerInstanceDollar => "items of the instance [/USD]",
            Self::PeakFraction => "fraction of peak",
            Self::EpochTimeS => "epoch at this rate [s]",
            Self::EpochEnergyJ => "epoch at this rate [J]",
            Self::EpochTdpEnergyJ => "epoch at TDP [J]",
            Self::ItemTdpEnergyJ => "energy of an item at TDP [J]",
            Self::OutputTokenEnergyJ => "energy of an output token [J]",
            Self::TargetTdpEnergyJ => "training to the target at TDP [J]",
            Self::ScalingEfficiency => "scaling efficiency",
            Self::ItemsPerTdpJoule => "items at TDP [/J]",
            Self::ThroughputPerDevice => "throughput per device [/s]",
            Self::TimePerItemMs => "time per item [ms]",
            Self::CostToAccuracyUsd => "cost to accuracy [USD]",
            Self::CostPerEpochUsd => "cost of an epoch [USD]",
            Self::RatePerLaunchUsd => "throughput per launch price [/s/USD]",
        }
    }

    /// The unit of the value.
    pub fn unit(self) -> Unit {
        match self {
            Self::ItemsPerDollar | Self::ItemsPerInstanceDollar | Self::ItemsPerTdpJoule | Self::RatePerLaunchUsd => {
                Unit::Count
            }
            Self::PeakFraction | Self::ScalingEfficiency => Unit::Fraction,
            Self::EpochTimeS => Unit::Seconds,
            Self::EpochEnergyJ
            | Self::EpochTdpEnergyJ
            | Self::ItemTdpEnergyJ
            | Self::OutputTokenEnergyJ
            | Self::TargetTdpEnergyJ => Unit::Joules,
            Self::ThroughputPerDevice => Unit::PerSecond,
            Self::TimePerItemMs => Unit::Milliseconds,
            Self::CostToAccuracyUsd | Self::CostPerEpochUsd => Unit::Dollars,
        }
    }

    /// Which way is better.
    pub fn direction(self) -> Direction {
        match self {
            Self::EpochTimeS
            | Self::EpochEnergyJ
            | Self::EpochTdpEnergyJ
            | Self::ItemTdpEnergyJ
            | Self::OutputTokenEnergyJ
            | Self::TargetTdpEnergyJ
            | Self::TimePerItemMs
            | Self::CostToAccuracyUsd
            | Self::CostPerEpochUsd => Direction::Lower,
            _ => Direction::Higher,
        }
    }

    /// The fields of a row that determine its factor; a field that names an entity represents the catalog's facts about it.
    pub fn inputs(self) -> &'static [Field] {
        use Field::{
            Counts, Dataset, Date, DecodeDevices, Device, DeviceCount, Epochs, InputShape, Instance, Label,
            MeanOutputLength, Mode, Network, Partition, Precision, PrefillDevices, PriceUsdPerHour, Stage, Timed,
        };
        match self {
            Self::ItemsPerDollar => &[Device, DeviceCount],
            Self::PeakFraction => &[
                Device,
                DeviceCount,
                PrefillDevices,
                DecodeDevices,
                Partition,
                Mode,
                Label,
                Timed,
                Precision,
                Network,
                InputShape,
                Stage,
                Counts,
            ],
            Self::EpochTimeS | Self::EpochEnergyJ => &[Counts, Stage, Dataset],
            Self::EpochTdpEnergyJ => &[Counts, Stage, Dataset, Device, DeviceCount],
            Self::ScalingEfficiency | Self::TimePerItemMs => &[],
            Self::OutputTokenEnergyJ => &[MeanOutputLength],
            Self::ItemsPerTdpJoule | Self::ItemTdpEnergyJ | Self::RatePerLaunchUsd | Self::TargetTdpEnergyJ => {
                &[Device, DeviceCount]
            }
            Self::ThroughputPerDevice => &[DeviceCount, PrefillDevices, DecodeDevices, Partition, Mode, Label, Stage],
            Self::CostToAccuracyUsd | Self::ItemsPerInstanceDollar => {
                &[Device, DeviceCount, Instance, Date, PriceUsdPerHour]
            }
            Self::CostPerEpochUsd => &[Device, DeviceCount, Instance, Date, PriceUsdPerHour, Epochs],
        }
    }

    /// The metric whose rules decide how two values are compared.
    pub fn basis(self) -> Metric {
        match self {
            Self::EpochTimeS => Metric::EpochS,
            Self::EpochEnergyJ | Self::EpochTdpEnergyJ | Self::TargetTdpEnergyJ => Metric::EnergyJ,
            Self::ItemTdpEnergyJ | Self::OutputTokenEnergyJ => Metric::EnergyPerItemJ,
            Self::CostToAccuracyUsd | Self::CostPerEpochUsd => Metric::TimeToAccuracyS,
            Self::TimePerItemMs => Metric::LatencyMs,
            _ => Metric::ThroughputPerS,
        }
    }

    /// The metric that its factor is applied to.
    pub fn rate(self) -> Metric {
        match self {
            Self::CostToAccuracyUsd | Self::CostPerEpochUsd | Self::TargetTdpEnergyJ => Metric::TimeToAccuracyS,
            Self::OutputTokenEnergyJ => Metric::EnergyPerRequestJ,
            _ => Metric::ThroughputPerS,
        }
    }

    /// The unit that items are counted per; `None` where the measure does not count items.
    pub fn items_per(self) -> Option<&'static str> {
        match self {
            Self::ItemsPerDollar | Self::ItemsPerInstanceDollar => Some("USD"),
            Self::ItemsPerTdpJoule => Some("J"),
            Self::ThroughputPerDevice => Some("s per device"),
            Self::RatePerLaunchUsd => Some("s per USD"),
            _ => None,
        }
    }

    /// The metrics that it is derived from.
    pub fn needs(self) -> &'static [Metric] {
        match self {
            Self::EpochEnergyJ => &[Metric::ThroughputPerS, Metric::PowerW],
            Self::CostToAccuracyUsd | Self::CostPerEpochUsd | Self::TargetTdpEnergyJ => &[Metric::TimeToAccuracyS],
            Self::OutputTokenEnergyJ => &[Metric::EnergyPerRequestJ],
            _ => &[Metric::ThroughputPerS],
        }
    }

    /// The number that differs from row to row and enters the factor, where it is not among the shared fields.
    pub fn own_number(self) -> Option<Field> {
        (self == Self::OutputTokenEnergyJ).then_some(Field::MeanOutputLength)
    }

    /// The definition, with its source.
    pub fn definition(self) -> &'static str {
        match self {
            Self::ItemsPerDollar => {
                "throughput x 3600 / hourly rent of the devices: the cheapest offer of the device or its family that is at most a \
                 year older than the newest"
            }
            Self::ItemsPerInstanceDollar => {
                "throughput x 3600 / price of the machine an hour, as the source states it, else the catalog's for the row's own \
                 instance"
            }
            Self::PeakFraction => {
                "throughput x operations an item / (devices x dense peak of the recipe's format); operations are 2 a \
                 multiply-add, three passes for a training step, two where adapters alone are trained (LoRA; model FLOPs \
                 utilisation, Chowdhery et al. 2022, PaLM, appendix B)"
            }
            Self::EpochTimeS => "training samples of the data set / throughput",
            Self::EpochEnergyJ => "training samples of the data set x power / throughput",
            Self::EpochTdpEnergyJ => {
                "training samples of the data set x devices x TDP / throughput: what a board may draw stands for what it drew, \
                 the host is left out"
            }
            Self::ItemTdpEnergyJ => {
                "devices x TDP / throughput: uses the TDP instead of a measured power, without the host"
            }
            Self::OutputTokenEnergyJ => {
                "energy of a request / tokens of its answer on average: what the prompt took is in it"
            }
            Self::TargetTdpEnergyJ => {
                "time to accuracy x devices x TDP: uses the TDP instead of a measured power, without the host"
            }
            Self::ScalingEfficiency => {
                "throughput on n devices / (n x throughput on one), all else being equal (parallel efficiency; \
                 weak scaling where the batch of a device is the same)"
            }
            Self::ItemsPerTdpJoule => {
                "throughput / (devices x TDP): uses the TDP instead of a measured power, without the host"
            }
            Self::ThroughputPerDevice => "throughput / devices",
            Self::TimePerItemMs => "1000 / throughput: not a latency where several items are on their way at once",
            Self::CostToAccuracyUsd => {
                "time to accuracy x price of the machine an hour, as the source states it, else the catalog's for the \
                 row's own instance"
            }
            Self::CostPerEpochUsd => "cost to accuracy / epochs",
            Self::RatePerLaunchUsd => {
                "throughput / (devices x launch price): what the boards cost when they were new; the host and the power are \
                 left out"
            }
        }
    }

    /// Other common names.
    pub fn spellings(self) -> &'static [&'static str] {
        match self {
            Self::ItemsPerDollar => &["images per dollar", "images/dollar", "per dollar", "items per dollar"],
            Self::ItemsPerInstanceDollar => &["items per instance dollar"],
            Self::PeakFraction => &["fraction of dense peak"],
            Self::EpochTimeS => &["epoch time s", "time of an epoch"],
            Self::EpochEnergyJ => &["energy per epoch", "epoch energy"],
            Self::EpochTdpEnergyJ => &["energy per epoch at tdp"],
            Self::ItemTdpEnergyJ => &["energy per item at tdp"],
            Self::OutputTokenEnergyJ => &["energy per output token"],
            Self::TargetTdpEnergyJ => &["training energy at tdp"],
            Self::ScalingEfficiency => &["parallel efficiency"],
            Self::ItemsPerTdpJoule => &["items per tdp joule", "throughput per tdp watt", "per tdp watt"],
            Self::ThroughputPerDevice => &["throughput per device"],
            Self::TimePerItemMs => &["time per item"],
            Self::CostToAccuracyUsd => &["cost to accuracy"],
            Self::CostPerEpochUsd => &[],
            Self::RatePerLaunchUsd => &["throughput per launch price", "throughput per launch dollar"],
        }
    }

    /// The value from the metric that [`Self::rate`] names, the power, and the factor from fields and catalog.
    pub fn value(self, factor: f64, rate: f64, power: Option<f64>) -> Option<f64> {
        let value = match self {
            Self::EpochTimeS | Self::TimePerItemMs | Self::EpochTdpEnergyJ | Self::ItemTdpEnergyJ => factor / rate,
            Self::EpochEnergyJ => factor * power? / rate,
            _ => rate * factor,
        };
        value.is_finite().then_some(value)
    }

    /// The value for a measurement, with one digit more than the least exact of its metrics.
    ///
    /// `None` where the measurement or the catalog does not state enough. Scaling efficiency needs two measurements.
    pub fn of(self, measurement: &Measurement, catalog: &CatalogInputs<'_>) -> Option<Decimal> {
        let rate = measurement.metric_or_implied(self.rate())?;
        let power = measurement.metric(Metric::PowerW);
        let factor = catalog.factor(self, |field| measurement.get(field))?;
        let value = self.value(factor, rate.value(), power.map(Decimal::value))?;
        let digits = [Some(rate), power.filter(|_| self == Self::EpochEnergyJ)];
        let digits = digits.into_iter().flatten().map(Decimal::significant_digits).min()?;
        Decimal::derived(value, digits.min(MOST_DIGITS))
    }
}

/// The catalog entities that a derived measure uses: those that a measurement names.
#[derive(Debug, Clone, Copy, Default)]
pub struct CatalogInputs<'c> {
    /// Its device.
    pub device: Option<&'c Device>,
    /// Its network.
    pub network: Option<&'c Network>,
    /// Its data set, or the one given in the query.
    pub dataset: Option<&'c Dataset>,
}

impl CatalogInputs<'_> {
    /// The factor for the metrics of a measurement with these fields; `None` where an input is unknown.
    pub fn factor<'v>(&self, measure: Derived, stated: impl Fn(Field) -> Option<&'v Value>) -> Option<f64> {
        let devices = || match stated(Field::DeviceCount) {
            Some(Value::Count(devices)) => Some(*devices as f64),
            _ => None,
        };
        // All devices cost rent and draw power; only those of the stage do its work.
        let of_stage = || Some(devices_of_stage(&stated)? as f64);
        let watts = || Some(self.device?.tdp_w?.value() * devices()?);
        let samples_of_epoch = || {
            let samples = physics::is_one_sample(stated(Field::Counts)?.parse()?);
            let trains = stated(Field::Stage)?.parse() == Some(Stage::Train);
            (samples && trains).then_some(self.dataset?.train_size? as f64)
        };
        // The price paid for the machine takes precedence over the device's price elsewhere.
        let paid = || match stated(Field::PriceUsdPerHour) {
            Some(Value::Number(paid)) => Some(paid.value()),
            _ => {
                let instance = stated(Field::Instance)?.to_string();
                self.price_of(&instance, stated(Field::Date).and_then(Value::parse), devices()?)
            }
        };
        match measure {
            Derived::ItemsPerInstanceDollar => Some(3600.0 / paid()?),
            Derived::ItemsPerDollar => Some(3600.0 / (self.device?.rent.as_ref()?.usd_per_hour.value() * devices()?)),
            Derived::PeakFraction => {
                let (_, peak) = physics::dense_peak(self.device?, stated(Field::Precision)?.parse()?)?;
                Some(self.operations_per_item(&stated)? / (peak * 1e12 * of_stage()?))
            }
            Derived::EpochTimeS | Derived::EpochEnergyJ => samples_of_epoch(),
            Derived::EpochTdpEnergyJ => Some(samples_of_epoch()? * watts()?),
            Derived::ItemTdpEnergyJ | Derived::TargetTdpEnergyJ => watts(),
            Derived::OutputTokenEnergyJ => match stated(Field::MeanOutputLength) {
                Some(Value::Number(tokens)) if tokens.value() > 0.0 => Some(tokens.value().recip()),
                _ => None,
            },
            Derived::ScalingEfficiency => None,
            Derived::ItemsPerTdpJoule => {
                let watts = watts()?;
                (watts > 0.0).then(|| watts.recip())
            }
            Derived::RatePerLaunchUsd => {
                let price = self.device?.launch_price_usd?.value() * devices()?;
                (price > 0.0).then(|| price.recip())
            }
            Derived::ThroughputPerDevice => Some(of_stage()?.recip()),
            Derived::TimePerItemMs => Some(1000.0),
            Derived::CostPerEpochUsd => {
                let Some(Value::Count(epochs)) = stated(Field::Epochs) else { return None };
                let of_all = self.factor(Derived::CostToAccuracyUsd, stated)?;
                (*epochs > 0).then(|| of_all / *epochs as f64)
            }
            Derived::CostToAccuracyUsd => Some(paid()? / 3600.0),
        }
    }

    /// Hourly price of this many devices in an instance, US dollars: from the offer nearest to the date, else the cheapest.
    fn price_of(&self, instance: &str, date: Option<Date>, devices: f64) -> Option<f64> {
        let offers = self.device?.cloud.iter().filter(|offer| offer.instance == instance).filter_map(|offer| {
            let in_one = offer.devices.filter(|devices| *devices > 0)?;
            let months_away = date.map_or(0, |date| offer.as_of.map_or(u32::MAX, |as_of| as_of.months_from(date)));
            Some((months_away, offer.usd_per_hour?.value() / in_one as f64 * devices))
        });
        offers
            .filter(|(_, price)| *price > 0.0)
            .min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))
            .map(|(_, price)| price)
    }

    /// Operations for one item; known only for the network's own input, because the work of layers scales differently with input
    /// size.
    fn operations_per_item<'v>(&self, stated: &impl Fn(Field) -> Option<&'v Value>) -> Option<f64> {
        let network = self.network?;
        let own_input = network.input_shape.as_ref();
        let is_own = |shape: &Value| shape.parse().as_ref() == own_input;
        let input_scale = (own_input.is_some() && stated(Field::InputShape).is_none_or(is_own)).then_some(1.0);
        let (stage, counts) = (stated(Field::Stage)?.parse()?, stated(Field::Counts)?.parse()?);
        let operations = physics::operations_per_item(network, stage, counts, input_scale)?;
        let says_adapters =
            |field: &Field| stated(*field).is_some_and(|value| value.to_string().to_lowercase().contains("lora"));
        let trains_adapters = stage == Stage::Train && [Field::Network, Field::Timed].iter().any(says_adapters);
        Some(if trains_adapters {
            operations * physics::PASSES_OF_ADAPTERS / physics::forward_passes(stage)
        } else {
            operations
        })
    }
}

/// The measure of a comparison or ranking: a metric or a derived measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// A metric that measurements state or imply.
    Metric(Metric),
    /// A derived measure.
    Derived(Derived),
}

impl Measure {
    /// Its key on the command line.
    pub fn key(self) -> &'static str {
        match self {
            Self::Metric(metric) => metric.key(),
            Self::Derived(derived) => derived.key(),
        }
    }

    /// The heading of a column, with its unit.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Metric(metric) => metric.heading(),
            Self::Derived(derived) => derived.heading(),
        }
    }

    /// Which way is better.
    pub fn direction(self) -> Direction {
        match self {
            Self::Metric(metric) => metric.direction(),
            Self::Derived(derived) => derived.direction(),
        }
    }

    /// The metric whose rules decide how two values are compared.
    pub fn basis(self) -> Metric {
        match self {
            Self::Metric(metric) => metric,
            Self::Derived(derived) => derived.basis(),
        }
    }

    /// The metrics that its values are computed from.
    pub fn needs(self) -> Vec<Metric> {
        match self {
            Self::Metric(metric) => vec![metric],
            Self::Derived(derived) => derived.needs().to_vec(),
        }
    }

    /// The unit that items are counted per: `s`; `None` where it does not count items.
    pub fn items_per(self) -> Option<&'static str> {
        match self {
            Self::Metric(metric) => metric.items_per(),
            Self::Derived(derived) => derived.items_per(),
        }
    }
}

/// A value and the formula that derives it from stated metrics.
type Implied = (Decimal, &'static str);

impl Measurement {
    /// Throughput in items per second, derived where only that of a device or the time of a batch is stated: items in
    /// all batches / latency.
    ///
    /// `None` when a throughput is stated, when latency, batch size or the counted item is not stated, or when the
    /// latency is a percentile or an extreme, which does not give the time that all batches take.
    pub fn implied_throughput(&self) -> Option<Decimal> {
        self.throughput_by_formula().map(|(value, _)| value)
    }

    fn throughput_by_formula(&self) -> Option<Implied> {
        let is_average = matches!(self.statistic(), None | Some(Statistic::Mean | Statistic::Median));
        if self.metric(Metric::ThroughputPerS).is_some() || !is_average {
            return None;
        }
        self.counts()?;
        if let Some(of_one) = self.metric(Metric::DeviceThroughputPerS) {
            let devices = self.devices_of_stage()?;
            let digits = of_one.significant_digits().min(MOST_DIGITS);
            let value = Decimal::derived(of_one.value() * devices as f64, digits)?;
            return Some((value, "items a second of a device x devices"));
        }
        let latency = self.metric(Metric::LatencyMs)?;
        let throughput = physics::items_per_second(self.items_in_batch()?, latency.value())?;
        let value = Decimal::derived(throughput, latency.significant_digits().min(MOST_DIGITS))?;
        Some((value, "items in a batch / latency"))
    }

    /// Items per joule, derived where only the energy of an item, or throughput and power, are stated: throughput / power.
    fn items_per_joule_by_formula(&self) -> Option<Implied> {
        self.counts()?;
        if let Some(energy) = self.metric(Metric::EnergyPerItemJ).filter(|energy| energy.value() > 0.0) {
            let value = Decimal::derived(energy.value().recip(), energy.significant_digits().min(MOST_DIGITS))?;
            return Some((value, "1 / energy of an item"));
        }
        let (throughput, power) = (self.metric_or_implied(Metric::ThroughputPerS)?, self.metric(Metric::PowerW)?);
        if power.value() <= 0.0 {
            return None;
        }
        let digits = throughput.significant_digits().min(power.significant_digits());
        let value = Decimal::derived(throughput.value() / power.value(), digits.min(MOST_DIGITS))?;
        Some((value, "throughput / power"))
    }

    fn by_formula(&self, metric: Metric) -> Option<Implied> {
        match metric {
            metric if self.metric(metric).is_some() => None,
            Metric::ThroughputPerS => self.throughput_by_formula(),
            Metric::ItemsPerJoule => self.items_per_joule_by_formula(),
            _ => None,
        }
    }

    /// A metric that is not stated but follows by definition from stated ones: throughput, items per joule.
    pub fn implied(&self, metric: Metric) -> Option<Decimal> {
        self.by_formula(metric).map(|(value, _)| value)
    }

    /// The formula that derives a metric that is not stated.
    pub fn implied_by(&self, metric: Metric) -> Option<&'static str> {
        self.by_formula(metric).map(|(_, formula)| formula)
    }

    /// The metrics that are not stated but follow from stated ones.
    pub fn implied_metrics(&self) -> impl Iterator<Item = (Metric, Decimal)> {
        let metrics = [Metric::ThroughputPerS, Metric::ItemsPerJoule];
        metrics.into_iter().filter_map(|metric| Some((metric, self.implied(metric)?)))
    }

    /// The value of a metric, stated or implied.
    pub fn metric_or_implied(&self, metric: Metric) -> Option<Decimal> {
        self.metric(metric).or_else(|| self.implied(metric))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CloudOffer, Field, Value};
    use crate::values::HardwareClass;

    fn device() -> Device {
        let body = serde_json::json!({
            "id": "nova-100", "name": "Nova 100", "aliases": [], "class": "gpu", "pci_ids": [],
            "tdp_w": 300, "peak_tflops": { "fp32": 10.0, "fp16_tensor": 100.0 }, "sources": [], "reported": {},
            "cloud": [
                { "provider": "Hill", "instance": "h.1", "devices": 1, "usd_per_hour": 3.6, "as_of": "2019-09-27", "source": "x" },
                { "provider": "Hill", "instance": "h.8", "devices": 8, "usd_per_hour": 14.4, "source": "x" }
            ],
            "rent": { "usd_per_hour": 1.8, "device": "nova-100", "provider": "Hill", "instance": "h.8", "source": "x" }
        });
        serde_json::from_value(body).unwrap()
    }

    fn network() -> Network {
        let body = serde_json::json!({
            "id": "net", "name": "Net", "aliases": [], "input_shape": "3x224x224", "parameters_m": 60.0,
            "multiply_adds_g": 5.0, "sources": []
        });
        serde_json::from_value(body).unwrap()
    }

    fn dataset() -> Dataset {
        let body = serde_json::json!({ "id": "set", "name": "Set", "aliases": [], "train_size": 50000, "sources": [] });
        serde_json::from_value(body).unwrap()
    }

    fn row(more: &[(Field, &str)]) -> Measurement {
        let texts = more.iter().map(|(field, text)| (*field, Value::Text((*text).into())));
        let fields = [(Field::DeviceCount, Value::Count(2)), (Field::Counts, Value::Text("image".into()))];
        let metrics = vec![(Metric::ThroughputPerS, "500".parse().unwrap()), (Metric::PowerW, "250".parse().unwrap())];
        Measurement::new("x".parse().unwrap(), fields.into_iter().chain(texts).collect(), metrics)
    }

    #[test]
    fn a_factor_hangs_on_nothing_but_its_inputs() {
        let (device, network, dataset) = (device(), network(), dataset());
        let catalog = CatalogInputs { device: Some(&device), network: Some(&network), dataset: Some(&dataset) };
        let row = row(&[(Field::Stage, "train"), (Field::Precision, "fp32"), (Field::Instance, "h.1")]);
        for measure in Derived::VARIANTS {
            let of_inputs = |field: Field| measure.inputs().contains(&field).then(|| row.get(field)).flatten();
            let all = catalog.factor(*measure, |field| row.get(field));
            assert_eq!(catalog.factor(*measure, of_inputs), all, "{measure}");
            let entities =
                [Field::Device, Field::Network, Field::Dataset].map(|field| measure.inputs().contains(&field));
            let needed = CatalogInputs {
                device: catalog.device.filter(|_| entities[0]),
                network: catalog.network.filter(|_| entities[1]),
                dataset: catalog.dataset.filter(|_| entities[2]),
            };
            assert_eq!(needed.factor(*measure, |field| row.get(field)), all, "{measure}");
        }
    }

    #[test]
    fn each_measure_follows_its_definition() {
        let (device, network, dataset) = (device(), network(), dataset());
        assert_eq!(device.class, HardwareClass::Gpu);
        let catalog = CatalogInputs { device: Some(&device), network: Some(&network), dataset: Some(&dataset) };
        let train = row(&[(Field::Stage, "train"), (Field::Precision, "fp32")]);
        let of = |measure: Derived, row: &Measurement| measure.of(row, &catalog).map(|value| value.to_string());
        // 500 images/s x 3 x 2 x 5 GFLOP are 15 TFLOP/s; two devices have a peak of 20.
        assert_eq!(of(Derived::PeakFraction, &train).as_deref(), Some("0.7500"));
        // One device costs 1.80 USD/h; two devices finish 1.8 million images in an hour.
        assert_eq!(of(Derived::ItemsPerDollar, &train).as_deref(), Some("500000"));
        assert_eq!(of(Derived::EpochTimeS, &train).as_deref(), Some("100.0"));
        assert_eq!(of(Derived::EpochEnergyJ, &train).as_deref(), Some("25000"));
        // Two devices draw up to 600 W for the 100 s that 50000 images take.
        assert_eq!(of(Derived::EpochTdpEnergyJ, &train).as_deref(), Some("60000"));
        assert_eq!(of(Derived::ItemTdpEnergyJ, &train).as_deref(), Some("1.200"));
        let own = row(&[(Field::Stage, "eval"), (Field::Instance, "h.1"), (Field::Precision, "amp-fp16")]);
        assert_eq!(of(Derived::PeakFraction, &own).as_deref(), Some("0.02500"));
        assert_eq!(of(Derived::EpochTimeS, &own), None, "inference has no epochs");
        // Two devices of this instance cost 7.20 USD/h, whatever a device costs elsewhere.
        assert_eq!(of(Derived::ItemsPerInstanceDollar, &own).as_deref(), Some("250000"));
        assert_eq!(of(Derived::ItemsPerInstanceDollar, &train), None, "no instance is named");
    }

    #[test]
    fn a_machine_costs_what_it_cost_at_the_time_of_the_row() {
        let offer = |instance: &str, price: &str, as_of: &str| CloudOffer {
            instance: instance.into(),
            usd_per_hour: Some(price.parse().unwrap()),
            as_of: Some(as_of.parse().unwrap()),
            ..device().cloud[0].clone()
        };
        let offers = [offer("a", "4", "2018-06"), offer("c", "1", "2024-02-01"), offer("c", "2", "2018-01")];
        let rented = Device { cloud: offers.to_vec(), ..device() };
        let catalog = CatalogInputs { device: Some(&rented), ..CatalogInputs::default() };
        let price = |instance: &str, date: Option<&str>| {
            catalog.price_of(instance, date.map(|date| date.parse().unwrap()), 1.0)
        };
        assert_eq!(price("c", Some("2018-07")), Some(2.0), "at the nearest time");
        assert_eq!(price("c", None), Some(1.0), "the lowest, where the row has no date");
        assert_eq!(price("b", Some("2018-07")), None);
    }

    #[test]
    fn nothing_follows_from_what_is_not_known() {
        let (device, network) = (device(), network());
        let catalog = CatalogInputs { device: Some(&device), network: Some(&network), dataset: None };
        let other_input = row(&[(Field::Stage, "eval"), (Field::Precision, "fp32"), (Field::InputShape, "3x299x299")]);
        assert_eq!(Derived::PeakFraction.of(&other_input, &catalog), None);
        let no_recipe = row(&[(Field::Stage, "eval")]);
        assert_eq!(Derived::PeakFraction.of(&no_recipe, &catalog), None);
        let elsewhere = row(&[(Field::Stage, "eval"), (Field::Instance, "z.9")]);
        let unrented = Device { rent: None, ..device.clone() };
        let catalog = CatalogInputs { device: Some(&unrented), ..catalog };
        assert_eq!(Derived::ItemsPerDollar.of(&elsewhere, &catalog), None, "nobody is known to rent it out");
    }

    #[test]
    fn a_measure_and_its_basis_have_one_better_end() {
        for derived in Derived::VARIANTS {
            assert_eq!(derived.direction(), derived.basis().direction(), "{derived:?}");
        }
    }

    #[test]
    fn the_rate_of_all_devices_and_the_items_of_a_joule_follow_from_those_of_one() {
        let row = |fields: &[(Field, Value)], metrics: &[(Metric, &str)]| {
            let counts = [(Field::Counts, Value::Text("token".into()))];
            let metrics = metrics.iter().map(|(metric, text)| (*metric, text.parse().unwrap())).collect();
            Measurement::new("x".parse().unwrap(), counts.into_iter().chain(fields.iter().cloned()).collect(), metrics)
        };
        let of = |row: &Measurement, metric| row.implied(metric).map(|value: Decimal| value.to_string());
        let many = [(Field::DeviceCount, Value::Count(256))];
        let rate = [(Metric::DeviceThroughputPerS, "6288")];
        assert_eq!(of(&row(&many, &rate), Metric::ThroughputPerS).as_deref(), Some("1609728"));
        assert_eq!(of(&row(&[], &rate), Metric::ThroughputPerS), None, "of how many devices?");
        assert_eq!(row(&many, &rate).implied_by(Metric::ThroughputPerS), Some("items a second of a device x devices"));
        let energy = [(Metric::EnergyPerItemJ, "0.250")];
        assert_eq!(of(&row(&[], &energy), Metric::ItemsPerJoule).as_deref(), Some("4.000"));
    }

    #[test]
    fn the_rate_of_a_stage_is_that_of_the_devices_that_do_its_work() {
        let of = |stage: &str, fields: &[(Field, Value)], rate: &str| {
            let own = [(Field::Stage, stage), (Field::Counts, "token")];
            let own = own.map(|(field, word)| (field, Value::Text(word.into())));
            let metrics = vec![(Metric::DeviceThroughputPerS, rate.parse().unwrap())];
            let row = Measurement::new(
                "x".parse().unwrap(),
                own.into_iter().chain(fields.iter().cloned()).collect(),
                metrics,
            );
            row.implied(Metric::ThroughputPerS).map(|rate| rate.to_string())
        };
        let divided = [
            (Field::DeviceCount, Value::Count(12)),
            (Field::PrefillDevices, Value::Count(4)),
            (Field::DecodeDevices, Value::Count(8)),
        ];
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(of("prefill", &divided, "3600.0"), some("14400"));
        assert_eq!(of("decode", &divided, "1800.0"), some("14400"));
        assert_eq!(of("eval", &divided, "2400.0"), some("28800"));
        assert_eq!(of("eval", &divided[1..], "2400.0"), some("28800"), "the two together");
        let texts = [
            (Field::Partition, "disaggregated: 4 for prefill, 8 for decode"),
            (Field::Partition, "PD, 1P2D"),
            (Field::Partition, "2p6d"),
            (Field::Partition, "P4D8"),
            (Field::Partition, "P/D separation"),
            (Field::Mode, "disagg"),
            (Field::Label, "1p + 1d, 12 GPUs"),
        ];
        for (field, text) in texts {
            let row = [divided[0].clone(), (field, Value::Text(text.into()))];
            assert_eq!((of("prefill", &row, "3600.0"), of("decode", &row, "1800.0")), (None, None), "{text}");
        }
        for (field, text) in
            [(Field::Mode, "non-disaggregated"), (Field::Partition, "tensor parallel"), (Field::Label, "pd12")]
        {
            let row = [divided[0].clone(), (field, Value::Text(text.into()))];
            assert_eq!(of("decode", &row, "1800.0"), some("21600"), "{text}");
        }
        assert_eq!(of("prefill", &divided[..2], "3600.0"), some("14400"));
        assert_eq!(of("decode", &divided[..2], "1800.0"), None, "how many write?");
    }

    #[test]
    fn no_throughput_follows_from_a_percentile_or_an_extreme() {
        let of = |statistic: Option<&str>| {
            let mut fields = vec![(Field::BatchSize, Value::Count(8)), (Field::Counts, Value::Text("image".into()))];
            fields.extend(statistic.map(|word| (Field::Statistic, Value::Text(word.into()))));
            let latency = vec![(Metric::LatencyMs, "4.00".parse().unwrap())];
            Measurement::new("x".parse().unwrap(), fields, latency).implied_throughput().map(|rate| rate.to_string())
        };
        for statistic in [None, Some("mean"), Some("median")] {
            assert_eq!(of(statistic).as_deref(), Some("2000"), "{statistic:?}");
        }
        for statistic in ["p90", "p99", "max", "min"] {
            assert_eq!(of(Some(statistic)), None, "{statistic}");
        }
    }
}
