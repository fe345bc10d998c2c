"""What a type checker knows of the module; it is checked and never run."""

import dlbench
from dlbench import records

kb: dlbench.KnowledgeBase = dlbench.open("folder")
answer = kb.query("v100", limit=3)
text: str = answer.conclusion.text
row: records.Measurement = answer.measurements[0]
latency: float | None = row.metrics.latency_ms
batch: int | None = row.batch_size
for measurement in answer:
    source: str = measurement.source
for framework in answer.catalog.frameworks:
    multi_server: bool | None = framework.multi_server
cell: records.PivotCell | None = kb.compare("v100", rows=["framework"], relative="speed-up").cells[0][0]
verdict: str = kb.evidence("fpga").claims[0].verdict
facts = kb.show("v100", kind="device").facts
if isinstance(facts, records.Device):
    kind: str = facts.class_
svg: str = kb.plot("v100", x="batch-size", group=["framework"]).svg
ids: list[str] = kb.resolve("v100").ids
fast: dlbench.Answer = answer.filter(precision="fp16").sort("latency_ms")
kb.query(1)  # type: ignore[arg-type]
kb.compare("v100", relative="faster")  # type: ignore[arg-type]
row.latency  # type: ignore[attr-defined]
