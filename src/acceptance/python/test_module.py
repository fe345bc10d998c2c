"""What the module answers, held against the program, and how it is handed to pandas, Polars and pyarrow."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path

import pandas
import polars
import pyarrow

import dlbench
from dlbench import records

PROGRAM = os.environ["DLBENCH_PROGRAM"]
QUESTIONS = [
    "fp16 V100 resnet152",
    "fastest GPU for training resnet50",
    "3090 vs V100 training",
    "V100 tdp",
    "fpga energy efficiency",
    "frameworks tested on lstm with a c++ api",
    "images per watt resnet50",
    "device:t4 batch>=32 -framework:caffe2 sort:-throughput",
    "quadrotriticale",
]


def printed(*words: str) -> str:
    """What the program prints; the statuses of done and of nothing found."""
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


class Module(unittest.TestCase):
    kb: dlbench.KnowledgeBase

    @classmethod
    def setUpClass(cls) -> None:
        cls.kb = dlbench.open()

    def test_answers_are_those_of_the_program(self) -> None:
        for question in QUESTIONS:
            with self.subTest(question):
                answer = self.kb.query(question)
                program = json.loads(printed("query", "-f", "json", "--all", question))
                self.assertEqual(answer.to_dict(), program)
                self.assertEqual(len(answer), len(program["measurements"]))
                self.assertEqual(bool(answer), bool(program["measurements"] or program["conclusion"]["entries"]))
                self.assertEqual(str(answer), printed("query", question))
                self.assertEqual(answer._repr_html_(), printed("query", "-f", "html", question))
                self.assertEqual(answer.markdown(), printed("query", "-f", "markdown", question))

    def test_an_answer_is_narrowed_and_ordered(self) -> None:
        answer = self.kb.query("v100 resnet50 inference")
        fast = answer.filter(precision="fp16", batch_size=">=32").sort("throughput_per_s", descending=True)
        rates = [row.metrics.throughput_per_s for row in fast if row.metrics.throughput_per_s is not None]
        self.assertTrue(0 < fast.total < answer.total and {row.precision for row in fast} <= {"fp16", "amp-fp16"})
        self.assertEqual(rates, sorted(rates, reverse=True))
        either = answer.filter(framework=["tensorflow", "mxnet"])
        self.assertEqual({row.framework for row in either} - {"tensorflow", "mxnet"}, set())

    def test_a_figure_and_a_name(self) -> None:
        figure = self.kb.plot("vgg16 eval titan v u39kun-2018", x="framework", y="throughput", group="precision")
        self.assertTrue(figure._repr_svg_().startswith("<svg") and "$schema" in figure.vega_lite)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "figure.svg"
            figure.save(path)
            self.assertEqual(path.read_text(encoding="utf-8"), figure.svg)
            self.assertRaises(ValueError, figure.save, Path(folder) / "figure.doc")
        self.assertRaises(dlbench.QuestionError, self.kb.plot, "v100", x="colour")
        reading = self.kb.resolve("8 * V100 SXM2 16GB (AWS p3.16xlarge)")
        self.assertEqual([reading.ids, reading.to_dict()["count"]], [["tesla-v100-sxm2-16gb"], 8])
        self.assertEqual(self.kb.resolve("quadrotriticale", kind="network").certainty, "unknown")

    def test_a_page_and_facets(self) -> None:
        answer = self.kb.query("v100", limit=5, offset=10, facets=True)
        program = json.loads(printed("query", "-f", "json", "--limit", "5", "--offset", "10", "--facets", "v100"))
        self.assertEqual(answer.to_dict(), program)
        self.assertEqual([len(answer), answer.total > 1000], [5, True])
        precision = next(facet for facet in answer.facets or [] if facet.field == "precision")
        self.assertGreater(sum(count.count for count in precision.values), 100)

    def test_values_are_attributes_with_their_units(self) -> None:
        answer = self.kb.query("fp16 V100 resnet152")
        self.assertIsInstance(answer.conclusion.entries[0], records.Entry)
        rows = [row for row in answer if row.source == "u39kun-2018" and row.framework == "pytorch"]
        row = next(row for row in rows if row.stage == "eval")
        program = json.loads(printed("show", "-f", "json", row.id))
        self.assertEqual(row.metrics.latency_ms, program["metrics"]["latency_ms"])
        self.assertIsInstance(row.metrics.latency_ms, float)
        self.assertIsNone(row.metrics.energy_j, "what is not known is no 0")
        self.assertIn("milliseconds", inspect.getdoc(records.Metrics.latency_ms) or "")
        self.assertIn("GiB", inspect.getdoc(records.Device.memory_gib) or "")
        for name in records.Metrics.__dict__:
            if not name.startswith("_"):
                self.assertTrue(inspect.getdoc(getattr(records.Metrics, name)), name)
        with self.assertRaises(AttributeError):
            row.latency  # type: ignore[attr-defined]

    def test_rows_are_data_frames(self) -> None:
        answer = self.kb.query("v100")
        frame = answer.to_pandas()
        self.assertEqual(len(frame), answer.total)
        for row, (_, cells) in zip(answer.measurements[:200], frame.iterrows()):
            self.assertEqual(cells["id"], row.id)
            latency = row.metrics.latency_ms
            self.assertTrue(pandas.isna(cells["latency_ms"]) if latency is None else cells["latency_ms"] == latency)
            self.assertTrue(pandas.isna(cells["batch_size"]) if row.batch_size is None else cells["batch_size"] == row.batch_size)
        self.assertEqual(str(frame["batch_size"].dtype), "Int64")
        self.assertEqual(str(frame["latency_ms"].dtype), "float64")
        stated, every = answer.table(), answer.table(all_columns=True)
        self.assertLess(len(stated.columns), len(every.columns))
        self.assertIn("milliseconds", every.columns["latency_ms"].about)
        frame = answer.to_polars()
        self.assertEqual(frame.height, answer.total)
        self.assertEqual(frame.schema["throughput_per_s"], polars.Float64)
        self.assertEqual(frame["latency_ms"].to_list(), [row.metrics.latency_ms for row in answer])

    def test_arrow_is_not_copied(self) -> None:
        table = self.kb.query("v100").table()
        addresses = [column(pyarrow.table(table), name) for name in ("id", "latency_ms", "batch_size") for _ in range(2)]
        self.assertEqual(addresses[::2], addresses[1::2], "each time the same buffers")
        arrow = pyarrow.table(table)
        # What Polars gives on is what it was given.
        self.assertEqual(column(polars.DataFrame(table).to_arrow(), "latency_ms"), column(arrow, "latency_ms"))
        # The buffers live as long as anybody holds them.
        del table
        self.assertEqual(arrow.num_rows, len(arrow["id"].unique()))
        self.assertEqual(arrow.schema.metadata[b"knowledge_base"].decode(), self.kb.content)
        self.assertIn(b"milliseconds", arrow.schema.field("latency_ms").metadata[b"about"])
        self.assertEqual(pyarrow.schema(self.kb.query("v100")).names, arrow.schema.names)

    def test_a_comparison(self) -> None:
        words = ["compare", "resnet152 v100", "--rows", "framework", "--cols", "precision"]
        comparison = self.kb.compare("resnet152 v100", rows="framework", columns=["precision"])
        program = json.loads(printed(*words, "-f", "json"))
        document = comparison.to_dict()
        for key in program.keys() - {"about"}:
            self.assertEqual(document[key], program[key], key)
        cells = [cell for row in comparison.cells for cell in row if cell is not None]
        frame = comparison.to_pandas()
        self.assertEqual(list(frame["value"].dropna()), [cell.value for cell in cells if cell.value is not None])
        self.assertEqual({"framework", "precision", "measure", "id"} - set(frame.columns), set())
        self.assertIn('<section class="dlbench">', comparison._repr_html_())
        self.assertIn("\\toprule", comparison.latex())
        faster = self.kb.compare("v100 resnet-50 eval", rows="framework", baseline="PyTorch", relative="speed-up")
        self.assertEqual(faster.ratio, "speed-up")
        verdict = self.kb.verdict(*[cell.id for cell in cells[:2]])
        self.assertEqual(verdict.to_dict(), json.loads(printed("compare", "-f", "json", *[cell.id for cell in cells[:2]])))
        self.assertEqual(len(verdict.to_pandas()), len(verdict.fields))

    def test_evidence(self) -> None:
        evidence = self.kb.evidence("fpga energy efficiency")
        self.assertEqual(evidence.to_dict(), json.loads(printed("evidence", "-f", "json", "fpga energy efficiency")))
        self.assertEqual(evidence._repr_html_(), printed("evidence", "-f", "html", "fpga energy efficiency"))
        comparisons = sum(len(period.comparisons) for claim in evidence for period in claim.periods)
        self.assertEqual(len(evidence.to_pandas()), comparisons)
        self.assertGreater(len(self.kb.evidence()), len(evidence))
        with self.assertRaises(dlbench.NotFoundError):
            self.kb.evidence("quadrotriticale")

    def test_cards_and_citations(self) -> None:
        device = self.kb.show("V100 SXM2 16GB").facts
        assert isinstance(device, records.Device)
        program = json.loads(printed("show", "-f", "json", "V100 SXM2 16GB"))
        self.assertEqual(device.to_dict(), program)
        self.assertEqual([device.id, device.class_], ["tesla-v100-sxm2-16gb", "gpu"])
        self.assertIsInstance(self.kb.show("resnet-50").facts, records.Network)
        card = self.kb.show("u39kun-2018", kind="source")
        assert isinstance(card.facts, records.Source)
        self.assertEqual(str(card), printed("show", "source", "u39kun-2018"))
        self.assertIn("<table>", card._repr_html_())
        row = self.kb.query("fp16 V100 resnet152").measurements[0]
        self.assertIsInstance(self.kb.show(row.id).facts, records.Measurement)
        citations = self.kb.cite(row.id)
        self.assertEqual([citations.references[0].key, citations.references[-1].key].count(row.source), 1)
        self.assertIn(f"{{{row.source},", citations.bibtex)
        self.assertIn(self.kb.content, citations.bibtex)

    def test_everything(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            printed("export", "-f", "parquet", "-o", folder)
            tables = self.kb.export()
            self.assertEqual(sorted(tables), sorted(path.stem for path in Path(folder).glob("*.parquet")))
            for name, table in tables.items():
                written = polars.read_parquet(Path(folder) / f"{name}.parquet")
                self.assertTrue(table.to_polars().equals(written), name)
            written = polars.read_parquet(Path(folder) / "measurements.parquet")
        measurements = self.kb.measurements()
        self.assertEqual(len(measurements), self.kb.counts["measurements"])
        self.assertTrue(measurements.to_polars().equals(written))

    def test_mistakes_are_exceptions_with_the_words_of_the_program(self) -> None:
        with self.assertRaises(dlbench.QuestionError) as caught:
            self.kb.query('resnet50 "v100')
        program = subprocess.run([PROGRAM, "query", 'resnet50 "v100'], capture_output=True, text=True)
        told = program.stderr.split("\n", 1)[1] if program.stderr.startswith("note: ") else program.stderr
        self.assertEqual(str(caught.exception).strip(), told.strip())
        self.assertIsInstance(caught.exception, ValueError)
        for wrong in ["", "  ", "x" * 100_000]:
            with self.assertRaises(dlbench.QuestionError):
                self.kb.query(wrong)
        with self.assertRaises(dlbench.QuestionError) as caught:
            self.kb.compare("v100", rows="colour")
        self.assertIn("colour", str(caught.exception))
        with self.assertRaises(dlbench.NotFoundError) as missing:
            self.kb.show("resnt152")
        self.assertIn("resnet-152", " ".join(missing.exception.near))
        self.assertIsInstance(missing.exception, LookupError)
        with self.assertRaises(dlbench.KnowledgeBaseError) as nowhere:
            dlbench.open("nowhere")
        self.assertIn("nowhere", str(nowhere.exception))
        with self.assertRaises(ValueError):
            self.kb.query("v100").table("nothing")

    def test_a_folder_and_what_of_it_is_left_out(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            own = Path(folder) / "own"
            subprocess.run([PROGRAM, "init", str(own)], check=True, capture_output=True)
            self.assertEqual(dlbench.open(own).content, self.kb.content)
            (own / "catalog/devices/tesla-v100.toml").write_text("name = 1\n")
            with self.assertWarns(dlbench.KnowledgeBaseWarning):
                kb = dlbench.open(str(own))
            self.assertTrue(any("tesla-v100.toml" in warning for warning in kb.warnings), kb.warnings)
            self.assertNotEqual(kb.content, self.kb.content)

    def test_threads_ask_at_a_time_and_python_goes_on(self) -> None:
        expected = {question: self.kb.query(question).to_dict() for question in QUESTIONS}
        wrong: list[str] = []

        def ask(question: str) -> None:
            for _ in range(5):
                if self.kb.query(question).to_dict() != expected[question]:
                    wrong.append(question)

        threads = [threading.Thread(target=ask, args=(question,)) for question in QUESTIONS]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

        # While everything is read, this thread is not held up.
        asking = threading.Thread(target=self.kb.export)
        longest, last = 0.0, time.perf_counter()
        began = last
        asking.start()
        while asking.is_alive():
            time.sleep(0.001)
            longest, last = max(longest, time.perf_counter() - last), time.perf_counter()
        self.assertLess(longest, (last - began) / 2, f"of {last - began:.2f} s it stood still for {longest:.2f} s")


def column(table: pyarrow.Table, name: str) -> int:
    """Where the values of a column lie."""
    return table.column(name).chunk(0).buffers()[1].address


if __name__ == "__main__":
    unittest.main()
