"""dlbench: a qualitative and quantitative benchmark knowledge base for deep learning.

>>> import dlbench
>>> kb = dlbench.open()
>>> answer = kb.query("fp16 V100 resnet152")
>>> answer.conclusion.text
>>> answer.to_pandas()[["framework", "batch_size", "latency_ms", "source"]]

Units stand in the names (``latency_ms``, ``throughput_per_s``, ``memory_gib``) and in the documentation of every attribute
(:mod:`dlbench.records`). What is not known is ``None``, never 0. Every measurement has an ``id`` and a ``source``.
"""

from . import records
from ._dlbench import __version__
from .errors import DlbenchError, KnowledgeBaseError, KnowledgeBaseWarning, NotFoundError, QuestionError
from .figure import Figure
from .knowledge_base import KnowledgeBase, open
from .results import Answer, Card, Citations, Comparison, Evidence, Reading, Reference, Verdict
from .table import Column, Table

__all__ = [
    "Answer",
    "Card",
    "Citations",
    "Column",
    "Comparison",
    "DlbenchError",
    "Evidence",
    "Figure",
    "KnowledgeBase",
    "KnowledgeBaseError",
    "KnowledgeBaseWarning",
    "NotFoundError",
    "QuestionError",
    "Reading",
    "Reference",
    "Table",
    "Verdict",
    "__version__",
    "open",
    "records",
]
