"""What is asked comes back as one of these: its values as attributes, drawn for a reader, and as tables."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from . import _dlbench, records
from .table import Table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Result:
    """What all results have in common."""

    _tables: tuple[str, ...] = ()

    def __init__(self, result: _dlbench.Result) -> None:
        self._result = result

    # A document is made where somebody reads it: who wants a table need not wait.
    @functools.cached_property
    def _data(self) -> dict[str, Any]:
        return json.loads(self._result.document())

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int = 100) -> str:
        """It for a person, in lines of at most ``width`` columns."""
        return self._result.text(width)

    def html(self) -> str:
        """It as a section of a page: what notebooks show."""
        return self._result.html()

    def _repr_html_(self) -> str:
        return self.html()

    def markdown(self) -> str:
        """It as Markdown."""
        return self._result.markdown()

    def latex(self) -> str:
        """It as a table of a paper, which cites its sources by the keys of :meth:`bibtex`."""
        return self._result.latex()

    def bibtex(self) -> str:
        """Its sources, and the knowledge base, as BibTeX."""
        return self._result.bibtex()

    def table(self, name: str | None = None, *, all_columns: bool = False) -> Table:
        """One of its tables, the first where none is named.

        Columns that no row states are left out, unless ``all_columns`` is true.
        """
        name = self._tables[0] if name is None else name
        if name not in self._tables:
            raise ValueError(f"there is no table {name!r}; there are {', '.join(self._tables)}")
        return Table(self._result.table(name, all_columns))

    def __arrow_c_schema__(self) -> object:
        return self.table().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.table().__arrow_c_stream__(requested_schema)

    def to_arrow(self, table: str | None = None, *, all_columns: bool = False) -> pyarrow.Table:
        """One of its tables as a ``pyarrow.Table``: see :meth:`Table.to_arrow`."""
        return self.table(table, all_columns=all_columns).to_arrow()

    def to_pandas(self, table: str | None = None, *, all_columns: bool = False) -> pandas.DataFrame:
        """One of its tables as a ``pandas.DataFrame``: see :meth:`Table.to_pandas`."""
        return self.table(table, all_columns=all_columns).to_pandas()

    def to_polars(self, table: str | None = None, *, all_columns: bool = False) -> polars.DataFrame:
        """One of its tables as a ``polars.DataFrame``: see :meth:`Table.to_polars`."""
        return self.table(table, all_columns=all_columns).to_polars()


class Answer(Result, records.AnswerDocument):
    """The answer to a question: what it comes to (``conclusion``), the measurements, the facts of what they name (``catalog``), and
    what must be known to judge them (``notes``).

    Its tables are ``measurements`` and ``entries``, the values behind the conclusion.
    """

    _tables = ("measurements", "entries")

    def __init__(self, result: _dlbench.Result, query: Callable[[str], Answer]) -> None:
        super().__init__(result)
        self._query = query

    def filter(self, **where: str | int | Iterable[str]) -> Answer:
        """The same question narrowed: ``answer.filter(precision="fp16", batch_size=">=32")``. Several values are alternatives."""
        return self._query(" ".join([self.query, *(_filter(key, value) for key, value in where.items())]))

    def sort(self, by: str, *, descending: bool = False) -> Answer:
        """The same question with its measurements in the order of a field or metric: ``answer.sort("throughput_per_s",
        descending=True)``."""
        return self._query(f"{self.query} sort:{'-' if descending else ''}{by.replace('_', '-')}")

    def __len__(self) -> int:
        """How many measurements it holds; ``total`` counts all that match."""
        return len(self._data["measurements"])

    def __iter__(self) -> Iterator[records.Measurement]:
        return iter(self.measurements)

    def __bool__(self) -> bool:
        """Whether anything was found: measurements, or values behind the conclusion."""
        return len(self) > 0 or bool(self._data["conclusion"]["entries"])

    def __repr__(self) -> str:
        return f"<dlbench.Answer to {self.query!r}: {self.conclusion.text or 'no conclusion'} ({self.total} measurements)>"


class Comparison(Result, records.PivotDocument):
    """Measurements set against each other in a table. Only what can be compared is ranked; what differs is said.

    Its table is ``cells``: a row for each cell, with its value in the unit of its ``measure``, its range, and ids.
    """

    _tables = ("cells",)

    def __repr__(self) -> str:
        return f"<dlbench.Comparison {self.query!r}: {len(self.rows)} rows, {len(self.columns)} columns>"


class Verdict(Result, records.PairVerdict):
    """Whether measurements can be compared, field by field.

    Its table is ``fields``.
    """

    _tables = ("fields",)

    def __repr__(self) -> str:
        return f"<dlbench.Verdict on {', '.join(self.ids)}: {self.verdict}>"


class Evidence(Result, records.EvidenceDocument):
    """Claims compared with measurements.

    Its table is ``comparisons``: a row for each pair of sides in each period, with the effect (a ratio), its interval and the ids
    behind it.
    """

    _tables = ("comparisons",)

    def __len__(self) -> int:
        """How many claims there are."""
        return len(self._data["claims"])

    def __iter__(self) -> Iterator[records.ClaimEvidence]:
        return iter(self.claims)

    def __repr__(self) -> str:
        return f"<dlbench.Evidence {self.query!r}: {len(self)} claims>"


class Card(Result):
    """Everything that is recorded of one thing.

    Its table is ``facts``.
    """

    _tables = ("facts",)

    @property
    def title(self) -> str:
        """Its kind and id, such as ``device tesla-v100``."""
        return self._data["title"]

    @property
    def facts(self) -> (
        records.Framework
        | records.Device
        | records.HardwareClassRecord
        | records.Network
        | records.Dataset
        | records.Source
        | records.Measurement
    ):
        """Its facts; the class of the object gives its kind."""
        return _OF_KIND[self.title.split(" ", 1)[0]](self._data["facts"])

    @property
    def references(self) -> list[Reference]:
        """The sources of the facts."""
        return [Reference(**reference) for reference in self._data["references"]]

    def to_dict(self) -> dict[str, Any]:
        """The facts as JSON has them."""
        return self._data["facts"]

    def __getitem__(self, key: str) -> Any:
        return self._data["facts"][key]

    def __repr__(self) -> str:
        return f"<dlbench.Card {self.title}>"


class Reading:
    """How a spelling is read."""

    def __init__(self, read: dict[str, Any]) -> None:
        self._read = read

    @property
    def certainty(self) -> Literal["sku", "family", "slice", "list", "ambiguous", "unknown"]:
        """How sure the reading is."""
        return self._read["reading"]

    @property
    def ids(self) -> list[str]:
        """The entity, the family, the device of a slice, the devices of a list, or the candidates."""
        return self._read["ids"]

    @property
    def why(self) -> str:
        """Why it was resolved so, or what would decide."""
        return self._read["why"]

    def to_dict(self) -> dict[str, Any]:
        """All that the spelling states, such as ``count``, ``instance`` and ``version``."""
        return self._read

    def __repr__(self) -> str:
        return f"<dlbench.Reading of {self._read['input']!r}: {self.certainty} {', '.join(self.ids)}>"


class Reference:
    """A source, a page, or the knowledge base, as it is cited."""

    def __init__(self, key: str, text: str, url: str | None = None) -> None:
        self.key = key
        """Its key in BibTeX: of a source its id."""
        self.text = text
        """In one line."""
        self.url = url
        """Where it is."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<dlbench.Reference {self.key}: {self.text}>"


class Citations:
    """References, and all of them as BibTeX."""

    def __init__(self, references: list[Reference], bibtex: str) -> None:
        self.references = references
        """One for each source, and one for the knowledge base."""
        self.bibtex = bibtex
        """All of them as a BibTeX file."""

    def __str__(self) -> str:
        return "\n".join(reference.text for reference in self.references)


_OF_KIND: dict[str, Any] = {
    "framework": records.Framework,
    "device": records.Device,
    "hardware-class": records.HardwareClassRecord,
    "network": records.Network,
    "dataset": records.Dataset,
    "source": records.Source,
    "measurement": records.Measurement,
}

Relative = Literal["speed-up", "quotient"]
"""How ratios are expressed: how many times as good, or one value divided by the other."""

Spelled = Literal["device", "network", "framework", "dataset", "precision"]
"""What spellings are read of."""

Pick = Literal["best", "latest", "median", "all"]
"""Which of several measurements a cell shows."""

Kind = Literal["framework", "device", "hardware-class", "network", "dataset", "source", "measurement"]
"""What there are cards of."""


def _filter(key: str, value: str | int | Iterable[str]) -> str:
    key = key.replace("_", "-")
    if isinstance(value, str) and value.startswith(("<", ">", "=")):
        return key + value
    values = [str(value)] if isinstance(value, str | int) else list(value)
    return f"{key}:" + ",".join('"' + one.replace('"', "") + '"' if " " in one else one for one in values)
