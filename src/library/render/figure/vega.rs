//! Renders a figure as a Vega-Lite specification (version 5) with embedded data.

use serde_json::{Map, Value, json};

use super::canvas::FigureStyle;
use super::palette::Palette;
use crate::ask::plot::{Figure, FigureAxis, FigureKind, Link, Scale};

/// The Vega-Lite specification.
pub fn vega_lite(figure: &Figure, look: &FigureStyle) -> Value {
    let palette = Palette::of(look.theme);
    let mut values = Vec::new();
    for (panel, series, point) in figure.points() {
        let group = series.group.and_then(|group| figure.groups.get(group)).map_or("", |group| group.name.as_str());
        let mut datum = Map::new();
        let mut put = |key: &str, value: Value| datum.insert(key.to_owned(), value);
        put("panel", panel.title.as_str().into());
        put("group", group.into());
        put("layer", <&str>::from(layer(series.link)).into());
        // The series index keeps the points of one line together, whatever their labels are.
        let line = figure.panels.iter().flat_map(|panel| &panel.series).position(|other| std::ptr::eq(other, series));
        put("line", line.into());
        match &figure.x.scale {
            Scale::Names(_) => put("x", point.texts[0].as_str().into()),
            _ => put("x", point.x.into()),
        };
        match figure.kind {
            FigureKind::Heatmap => {
                put("y", point.texts[1].as_str().into());
                put("measurements", point.count.into());
            }
            _ => {
                put("y", point.y.into());
            }
        }
        if let Some((low, high)) = point.spread {
            put("low", low.into());
            put("high", high.into());
        }
        if point.numbered {
            put("aside", true.into());
        }
        for (key, text) in [("label", &point.label), ("id", &point.id), ("source", &point.source)] {
            if !text.is_empty() {
                put(key, text.as_str().into());
            }
        }
        values.push(Value::Object(datum));
    }
    let layers = layers(figure, &palette);
    let mut spec = json!({
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "description": format!("dlbench plot: {}", figure.origin.query),
        "usermeta": { "dlbench": {
            "query": figure.origin.query,
            "equivalent": figure.origin.equivalent,
            "content": figure.origin.content,
            "sources": figure.sources,
            "notes": figure.notes,
        }},
        "title": { "text": look.title.as_ref().unwrap_or(&figure.title), "anchor": "start" },
        "background": format!("#{}", palette.background.hex()),
        "config": config(&palette, look.zoom()),
        "data": { "values": values },
    });
    let size = look.width_mm / 25.4 * 96.0;
    let many = figure.panels.len() > 1;
    let (width, height) = if many { (size / 3.0, size / 4.0) } else { (size, size * 0.6) };
    let down = if many { figure.panels.len().div_ceil(3) as f64 } else { 1.0 };
    let height = look.height_mm.map_or(height, |height| height / 25.4 * 96.0 / down);
    let inner = json!({ "width": width.round(), "height": height.round(), "layer": layers });
    if let (Value::Object(spec), Value::Object(mut inner)) = (&mut spec, inner) {
        if many {
            spec.insert(
                "facet".to_owned(),
                json!({ "field": "panel", "type": "nominal", "title": null, "sort": panels(figure) }),
            );
            spec.insert("columns".to_owned(), json!(if figure.panels.len() == 4 { 2 } else { 3 }));
            spec.insert("spec".to_owned(), Value::Object(inner));
            if !figure.shared {
                spec.insert("resolve".to_owned(), json!({ "scale": { "y": "independent" } }));
            }
        } else {
            spec.append(&mut inner);
        }
    }
    spec
}

fn panels(figure: &Figure) -> Vec<&str> {
    figure.panels.iter().map(|panel| panel.title.as_str()).collect()
}

/// The layer of the specification that draws a series.
fn layer(link: Link) -> Layer {
    match link {
        Link::Marks | Link::Line => Layer::Marks,
        Link::Bare => Layer::Bare,
        Link::Steps => Layer::Steps,
    }
}

#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
enum Layer {
    Marks,
    Bare,
    Steps,
}

fn config(palette: &Palette, zoom: f64) -> Value {
    let (ink, grid) = (format!("#{}", palette.ink.hex()), format!("#{}", palette.grid.hex()));
    let font = super::scene::FAMILY;
    json!({
        "font": font,
        "title": { "color": ink, "fontSize": 14.0 * zoom },
        "axis": { "labelColor": ink, "titleColor": ink, "gridColor": grid, "labelFontSize": 11.0 * zoom, "titleFontSize": 12.0 * zoom, "labelLimit": 300 },
        "legend": { "labelColor": ink, "titleColor": ink, "labelFontSize": 11.0 * zoom, "orient": "top", "columns": 3, "labelLimit": 400 },
        "header": { "labelColor": ink, "labelFontSize": 12.0 * zoom, "labelFontWeight": "bold" },
        "view": { "stroke": null },
    })
}

fn layers(figure: &Figure, palette: &Palette) -> Vec<Value> {
    let scale = |axis: &FigureAxis, zero: bool| {
        let mut scale = match axis.scale {
            Scale::Log => json!({ "type": "log", "nice": false }),
            Scale::Names(_) => json!({}),
            _ => json!({ "zero": zero && axis.limits.is_none(), "nice": axis.limits.is_none() }),
        };
        if let Some((low, high)) = axis.limits {
            scale["domain"] = json!([low, high]);
        }
        scale
    };
    let names = |scale: &Scale| match scale {
        Scale::Names(names) => json!(names),
        _ => Value::Null,
    };
    let x = match &figure.x.scale {
        Scale::Names(_) => {
            json!({ "field": "x", "type": "nominal", "title": figure.x.label, "sort": names(&figure.x.scale), "axis": { "labelAngle": if figure.kind == FigureKind::Heatmap { -60 } else { 0 } } })
        }
        Scale::Years => {
            json!({ "field": "x", "type": "quantitative", "title": figure.x.label, "scale": scale(&figure.x, false), "axis": { "format": "d" } })
        }
        _ => json!({ "field": "x", "type": "quantitative", "title": figure.x.label, "scale": scale(&figure.x, false) }),
    };
    if figure.kind == FigureKind::Heatmap {
        let y = json!({ "field": "y", "type": "nominal", "title": figure.y.label, "sort": names(&figure.y.scale) });
        let (few, many) = (format!("#{}", palette.few.hex()), format!("#{}", palette.many.hex()));
        let color = json!({ "field": "measurements", "type": "quantitative", "scale": { "type": "log", "range": [few, many] } });
        let most = figure.points().map(|(_, _, point)| point.count).max().unwrap_or(1) as f64;
        let ink = json!({ "condition": { "test": format!("datum.measurements > {:.0}", most.sqrt()), "value": "white" }, "value": "black" });
        return vec![
            json!({ "mark": { "type": "rect", "tooltip": true }, "encoding": { "x": x, "y": y, "color": color } }),
            json!({ "mark": { "type": "text", "fontSize": 9 }, "encoding": { "x": x, "y": y, "text": { "field": "measurements" }, "color": ink } }),
        ];
    }
    let from_zero = matches!(figure.kind, FigureKind::Bars | FigureKind::Lines);
    let y =
        json!({ "field": "y", "type": "quantitative", "title": figure.y.label, "scale": scale(&figure.y, from_zero) });
    let mut encoding = json!({ "x": x, "y": y });
    let groups: Vec<&str> = figure.groups.iter().map(|group| group.name.as_str()).collect();
    if !groups.is_empty() {
        let fill = |group: &crate::ask::plot::Group| match figure.kind {
            FigureKind::Bars => palette.fill(group.hue, group.shade),
            _ => palette.hue(group.hue),
        };
        let range: Vec<String> = figure.groups.iter().map(|group| format!("#{}", fill(group).hex())).collect();
        encoding["color"] = json!({ "field": "group", "type": "nominal", "title": null, "sort": groups, "scale": { "domain": groups, "range": range } });
        if figure.kind == FigureKind::Bars {
            encoding["xOffset"] = json!({ "field": "group", "type": "nominal", "sort": groups });
        } else {
            encoding["shape"] = json!({ "field": "group", "type": "nominal", "title": null, "sort": groups, "scale": { "domain": groups } });
        }
    }
    let hue = format!("#{}", palette.hue(0).hex());
    let only = |layer: &str| json!([{ "filter": format!("datum.layer == '{layer}'") }]);
    let mark = match figure.kind {
        FigureKind::Bars if groups.is_empty() => {
            json!({ "type": "bar", "tooltip": { "content": "data" }, "color": hue })
        }
        FigureKind::Bars => json!({ "type": "bar", "tooltip": { "content": "data" } }),
        FigureKind::Lines => json!({ "type": "line", "point": true, "tooltip": { "content": "data" } }),
        _ => json!({ "type": "point", "filled": true, "size": 40, "tooltip": { "content": "data" } }),
    };
    let mut line = encoding.clone();
    if let Value::Object(line) = &mut line {
        line.remove("shape");
        if figure.kind != FigureKind::Roofline {
            line.remove("color");
        }
    }
    let has = |link: Link| figure.panels.iter().flat_map(|panel| &panel.series).any(|series| series.link == link);
    let mut layers = Vec::new();
    if has(Link::Bare) {
        line["detail"] = json!([{ "field": "line" }]);
        layers
            .push(json!({ "transform": only("bare"), "mark": { "type": "line", "color": "gray" }, "encoding": line }));
    }
    if has(Link::Steps) {
        layers.push(json!({ "transform": only("steps"), "mark": { "type": "line", "interpolate": "step-after", "color": "gray" }, "encoding": line }));
    }
    layers.push(json!({ "transform": only("marks"), "mark": mark, "encoding": encoding }));
    if figure.points().any(|(_, _, point)| point.spread.is_some()) {
        let mut encoding = encoding.clone();
        if let Value::Object(encoding) = &mut encoding {
            encoding.remove("color");
            encoding.remove("shape");
        }
        encoding["y"] = json!({ "field": "low", "type": "quantitative" });
        encoding["y2"] = json!({ "field": "high" });
        layers.push(json!({ "transform": [{ "filter": "isValid(datum.low)" }], "mark": { "type": "rule" }, "encoding": encoding }));
    }
    if figure.kind != FigureKind::Bars && figure.points().any(|(_, _, point)| !point.label.is_empty()) {
        let text = json!({ "x": encoding["x"], "y": encoding["y"], "text": { "field": "label" } });
        layers.push(json!({ "transform": [{ "filter": "isValid(datum.label) && !datum.aside" }], "mark": { "type": "text", "align": "left", "dx": 6, "fontSize": 9, "color": format!("#{}", palette.ink.hex()) }, "encoding": text }));
    }
    layers
}
