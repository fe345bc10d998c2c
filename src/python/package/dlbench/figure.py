"""Figures: drawn for a notebook, and written for a paper or another program."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


class Figure:
    """A figure of measurements. A notebook shows it."""

    def __init__(self, svg: str, csv: str, vega_lite: str) -> None:
        self.svg = svg
        """It as SVG."""
        self.csv = csv
        """Its values, a line for each point, with the ids of their measurements."""
        self._vega_lite = vega_lite

    @property
    def vega_lite(self) -> dict[str, Any]:
        """It as a Vega-Lite specification: ``altair.Chart.from_dict(figure.vega_lite)``."""
        return json.loads(self._vega_lite)

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it to a file that ends in ``.svg``, ``.csv`` or ``.json`` (Vega-Lite). The program writes PNG, PDF and pgfplots as well:
        ``dlbench plot -o``."""
        texts = {".svg": self.svg, ".csv": self.csv, ".json": self._vega_lite}
        text = texts.get(Path(path).suffix.lower())
        if text is None:
            raise ValueError(f"{os.fspath(path)!r} ends in none of {', '.join(texts)}")
        Path(path).write_text(text, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<dlbench.Figure: {max(len(self.csv.splitlines()) - 1, 0)} values>"
