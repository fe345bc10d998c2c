"""An open knowledge base."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from . import _dlbench
from .errors import KnowledgeBaseWarning
from .figure import Figure
from .results import Answer, Card, Citations, Comparison, Evidence, Kind, Pick, Reading, Reference, Relative, Spelled, Verdict
from .table import Table

Names = str | Iterable[str]
"""Names parted by commas, or several of them."""

Values = str | int | Iterable[str]
"""A value of a filter, a bound (``">=32"``), or several values of which one holds."""

Shape = Literal["bars", "lines", "scatter", "timeline", "roofline", "heatmap"]
"""The kinds of figure."""

Ask = Literal["lookup", "rank", "compare", "along", "fact", "grade", "list", "overview", "fits"]
"""The kinds of answer."""

MOST_WARNINGS = 10


class KnowledgeBase:
    """An open knowledge base. Several threads may ask it at a time; Python's other threads go on while it computes.

    All answers are of the state in which it was opened: :func:`open` it again for newer files.
    """

    def __init__(self, opened: _dlbench.KnowledgeBase) -> None:
        self._kb = opened

    @property
    def content(self) -> str:
        """Hash of the knowledge base's content: the same content has the same hash, wherever the files lie. A paper cites it."""
        return self._kb.content

    @property
    def root(self) -> str:
        """The folder of its files."""
        return os.fspath(self._kb.root)

    @property
    def origin(self) -> str:
        """Where it comes from: its folder, or which day and commit the built-in or the pulled one is of."""
        return self._kb.elsewhere or self.root

    @property
    def warnings(self) -> list[str]:
        """Parts that could not be used: files with mistakes, the cache, the pulled snapshot."""
        return self._kb.warnings

    @property
    def counts(self) -> dict[str, int]:
        """How many measurements and entities of each kind there are."""
        return self._kb.counts()

    def __repr__(self) -> str:
        return f"<dlbench.KnowledgeBase: {self.origin}, {self.counts['measurements']} measurements, content {self.content}>"

    def query(
        self,
        question: str = "",
        *,
        where: Mapping[str, Values] | None = None,
        sides: Sequence[Mapping[str, Values]] = (),
        wants: Names = (),
        of: str | None = None,
        along: str | None = None,
        order: Mapping[str, str] | None = None,
        ask: Ask | None = None,
        take: int | None = None,
        limit: int | None = None,
        offset: int = 0,
        facets: bool = False,
    ) -> Answer:
        """The answer to a question in words (``"fp16 V100 resnet152"``, ``"fastest GPU for training resnet50"``, ``"V100 tdp"``) or
        filters (``"device:v100 batch>=32 -framework:caffe2"``).

        Or the question as data, so that nothing is left to the reading of words: ``query(where={"network": "resnet-50", "stage":
        "train"}, sides=[{"device": "a100"}, {"device": "h100"}])``. ``where`` holds of everything (``{"batch-size": ">=32"}`` is a
        bound), ``sides`` are compared, ``wants`` names metrics or facts, ``of`` is what a ranking or list has one line for, ``order``
        is ``{"best": "speed"}`` or ``{"least": "tdp"}``.

        All measurements that match are in the answer, or ``limit`` after the first ``offset``. With ``facets`` the values of each
        field are counted over all that match.

        Raises :class:`QuestionError` where the question has a mistake. An answer that found nothing is false, and says why.
        """
        structured = {
            "where": None if where is None else {key: _values(value) for key, value in where.items()},
            "sides": [{key: _values(value) for key, value in side.items()} for side in sides],
            "wants": _names(wants),
            "of": of,
            "along": along,
            "order": None if order is None else dict(order),
            "ask": ask,
            "take": take,
        }
        given = {key: value for key, value in structured.items() if value}
        return Answer(self._kb.query(question, json.dumps(given) if given else None, limit, offset, facets), self.query)

    def compare(
        self,
        question: str,
        *,
        rows: Names = (),
        columns: Names = (),
        metric: Names = (),
        baseline: str | None = None,
        relative: Relative | None = None,
        pick: Pick | None = None,
        relax: Names = (),
    ) -> Comparison:
        """Sets the measurements of a question against each other: ``compare("resnet152 v100", rows="framework",
        columns="precision")``.

        ``rows`` and ``columns`` are fields of measurements or facts of the catalog (``device``, ``architecture``); left out, they
        are made out from the question. ``metric`` names metrics or derived measures (``throughput``, ``items-per-joule``).
        ``relative`` adds ratios to the row or column ``baseline``. ``pick`` says which of several measurements stands in a cell,
        the best where nothing is said. Differences in the fields of ``relax`` are allowed, and told.

        Raises :class:`QuestionError` where the request has a mistake, and :class:`NotFoundError` where no measurement matches.
        """
        arguments = {
            "question": question,
            "rows": _names(rows),
            "columns": _names(columns),
            "metric": _names(metric),
            "baseline": baseline,
            "relative": relative,
            "pick": pick,
            "relax": _names(relax),
        }
        return Comparison(self._kb.compare(json.dumps(arguments)))

    def verdict(self, *ids: str, metric: str | None = None, relax: Names = ()) -> Verdict:
        """Whether two or more measurements can be compared, field by field: ``verdict("u39kun-2018:8w", "u39kun-2018:7f")``. The
        beginning of an id will do.

        Raises :class:`QuestionError` where an id leads to none or several, or they have no metric in common.
        """
        arguments = {"ids": list(ids), "metric": [] if metric is None else [metric], "relax": _names(relax)}
        return Verdict(self._kb.compare(json.dumps(arguments)))

    def evidence(self, question: str = "", *, explain: bool = False) -> Evidence:
        """Holds the claims of surveys that have all words of ``question`` against what was measured; without any, all claims. With
        ``explain`` every pair of measurements behind a verdict is told.

        Raises :class:`NotFoundError` where no claim has all words.
        """
        return Evidence(self._kb.evidence(question, explain))

    def show(self, name: str, *, kind: Kind | None = None) -> Card:
        """Everything that is recorded of one entity or measurement, by an id, a name or the beginning of a measurement's id: ``v100``,
        ``ResNet-152``, ``u39kun-2018:8w``. ``kind`` decides where several are called so.

        Raises :class:`NotFoundError` with the nearest ids in ``near``.
        """
        return Card(self._kb.show(name, kind))

    def plot(
        self,
        question: str,
        *,
        x: str | None = None,
        y: str | None = None,
        group: Names = (),
        facet: Names = (),
        kind: Shape | None = None,
        pareto: bool = False,
        theme: Literal["light", "dark"] = "light",
    ) -> Figure:
        """A figure of the measurements of a question, as ``dlbench plot`` draws it: ``plot("resnet50 v100 training", x="batch-size",
        y="throughput", group="framework")``. Axes that are not named are made out from the question.

        Raises :class:`QuestionError` where numbers would stand together that cannot be compared, and says what to ask instead.
        """
        names = (_names(group), _names(facet))
        return Figure(*self._kb.plot(question, x, y, *names, kind, pareto, theme == "dark"))

    def resolve(self, spelling: str, *, kind: Spelled = "device") -> Reading:
        """How a name is read, in any spelling, and how sure that is: ``resolve("8 * V100 (AWS p3.16xlarge)")``."""
        return Reading(json.loads(self._kb.resolve(kind, spelling)))

    def cite(self, *ids: str) -> Citations:
        """References of sources, or of the sources of measurements, by their ids.

        Raises :class:`NotFoundError` where an id leads to nothing.
        """
        cited = json.loads(self._kb.cite(list(ids)))
        return Citations([Reference(**reference) for reference in cited["references"]], cited["bibtex"])

    def measurements(self) -> Table:
        """Every measurement with every field and metric, for analyses of one's own. Who only wants some of them asks :meth:`query`."""
        return Table(self._kb.measurements())

    def export(self) -> dict[str, Table]:
        """Everything there is, as tables by name: ``measurements``, each kind of entity (``devices``, ``sources`` …), and ``columns``,
        which says what every column means."""
        return {table.name: table for table in map(Table, self._kb.export())}


def open(folder: str | os.PathLike[str] | None = None) -> KnowledgeBase:
    """Opens the knowledge base in ``folder``. Without one: the folder that the environment names in ``DLBENCH_KB``, the nearest
    folder at or above the working directory that holds one, what ``dlbench pull`` fetched, or the one that came with the module.

    Raises :class:`KnowledgeBaseError` where there is none, or it cannot be read; what of it could not be used is a
    :class:`KnowledgeBaseWarning`.
    """
    kb = KnowledgeBase(_dlbench.open(None if folder is None else os.fspath(folder)))
    for warning in kb.warnings[:MOST_WARNINGS]:
        warnings.warn(warning, KnowledgeBaseWarning, stacklevel=2)
    return kb


def _names(names: Names) -> list[str]:
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)


def _values(values: Values) -> str | int | list[str]:
    return values if isinstance(values, str | int) else list(values)
