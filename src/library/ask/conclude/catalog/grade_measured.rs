//! What the measurements say to a grade: how many rows of each class measured what it judges.

use std::collections::{BTreeMap, BTreeSet};

use crate::ask::question::QueryError;
use crate::model::{Aspect, Facet, Fact, Field, GradeRecord, HardwareClassRecord, Metric, MetricDefinition};
use crate::stores::Stores;
use crate::stores::index::Condition;
use crate::values::text::{and_list, counted};

/// The metric of rows that measures what a grade judges.
fn measured_as(metric: &str) -> Option<(Metric, &'static str)> {
    Some(match metric {
        "computing-performance" => (Metric::ThroughputPerS, "throughput"),
        "low-latency" => (Metric::LatencyMs, "latency"),
        "energy-efficiency" => (Metric::ItemsPerJoule, "items per joule"),
        _ => return None,
    })
}

/// How many rows of each class measured what the grade judges, and on how many networks all of them did.
pub(super) fn measured(
    stores: &Stores,
    metric: &MetricDefinition,
    grades: &[(&HardwareClassRecord, &GradeRecord)],
) -> Result<Option<String>, QueryError> {
    let Some((wanted, name)) = measured_as(metric.id.as_str()) else { return Ok(None) };
    let classes: Vec<String> = grades.iter().map(|(class, _)| class.id.to_string()).collect();
    let columns = stores.index.columns(&Condition::Facet(Facet::Class, classes.clone()), &[wanted])?;
    let (class_aspect, network_aspect) = (Aspect::Fact(Fact::Class), Aspect::Field(Field::Network));
    let (Some(class_part), Some(network_part)) = (class_aspect.part(), network_aspect.part()) else { return Ok(None) };
    let (class_of, network_of) = (stores.database.aspect(class_aspect)?, stores.database.aspect(network_aspect)?);
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    let mut networks: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let values = columns.metrics.first().map(Vec::as_slice).unwrap_or_default();
    for (at, _) in values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
        let Some(class) = class_of.of(columns.parts[class_part as usize][at]) else { continue };
        *rows.entry(class).or_default() += 1;
        networks.entry(class).or_default().extend(network_of.of(columns.parts[network_part as usize][at]));
    }
    let counts = grades.iter().map(|(class, _)| {
        format!("{} of {}", counted(rows.get(<&str>::from(class.id)).copied().unwrap_or(0), "row", "rows"), class.name)
    });
    let counts = and_list(&counts.collect::<Vec<_>>());
    if classes.len() < 2 {
        return Ok(Some(format!("Measured {name}: {counts}.")));
    }
    let mut of_classes = classes.iter().map(|class| networks.get(class.as_str()).cloned().unwrap_or_default());
    let first = of_classes.next().unwrap_or_default();
    let common = of_classes.fold(first, |common, others| common.intersection(&others).copied().collect());
    Ok(Some(match common.len() {
        0 => format!("Measured {name}: {counts}, on no network in common."),
        n => format!(
            "Measured {name}: {counts}; {} all of them.",
            counted(n, "network is common to", "networks are common to")
        ),
    }))
}
