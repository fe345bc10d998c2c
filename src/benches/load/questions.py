"""Distinct selective questions about a knowledge base, each in the words that are asked of dlbench and as an address of Datasette."""

import concurrent.futures
import csv
import json
import random
import sqlite3
import sys
import urllib.parse
import urllib.request

# A selective question finds no more of 10^6 rows.
MOST_FOUND = 10_000
COLUMNS = ["network", "device", "precision", "stage"]
# What people name together.
SHAPES = [["precision", "device", "network"], ["device", "network"], ["network", "stage", "precision"], ["device", "precision", "stage"]]
ORDERS = [("", []), (" sort:-throughput", [("_sort_desc", "throughput_per_s")]), (" sort:latency", [("_sort", "latency_ms")])]
NUMBERS = {"device_count": "INTEGER", "batch_size": "INTEGER", "year": "INTEGER", "latency_ms": "REAL", "throughput_per_s": "REAL",
           "epoch_s": "REAL", "accuracy": "REAL", "power_w": "REAL"}


def flat_table(folder):
    """The rows as one table of SQLite with indexes, which Datasette serves; made once of the files that ripgrep reads."""
    path = folder / "flat.db"
    files = sorted((folder / "csv").glob("*.csv"))
    if path.exists() and all(path.stat().st_mtime > file.stat().st_mtime for file in files):
        return path
    unfinished = folder / "flat.unfinished"
    unfinished.unlink(missing_ok=True)
    table = sqlite3.connect(unfinished)
    table.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192;")
    for at, file in enumerate(files):
        with open(file, newline="") as text:
            rows = csv.reader(text)
            head = next(rows)
            if at == 0:
                columns = ", ".join(f"{name} {NUMBERS.get(name, 'TEXT')}" for name in head)
                table.execute(f"CREATE TABLE measurements ({columns})")
            places = ", ".join("?" * len(head))
            table.executemany(f"INSERT INTO measurements VALUES ({places})", ([cell or None for cell in row] for row in rows))
    table.executescript("""
        CREATE INDEX by_network ON measurements (network, device, precision, stage);
        CREATE INDEX by_device ON measurements (device, network);
        ANALYZE;""")
    table.commit()
    table.close()
    unfinished.rename(path)
    return path


class Question:
    """A question, and what finds the same rows elsewhere."""

    def __init__(self, words, order):
        self.words = words
        self.order = order

    def of_dlbench(self):
        return "/api/query?" + urllib.parse.urlencode({"question": self.words})

    def of_datasette(self):
        """The rows and how many there are; what dlbench knows of families and recipes is said to it."""
        needs = [(f"{column}__in", ",".join(values)) if len(values) > 1 else (column, values[0]) for column, values in self.needs]
        plain = [("_size", "20"), ("_nofacet", "1"), ("_nosuggest", "1")]
        return "/flat/measurements.json?" + urllib.parse.urlencode(needs + self.order + plain)

    def answered(self, answer):
        """Notes how dlbench read the words; whether each was read as what it was meant as."""
        read = [reading for reading in answer["read_as"] if reading["facet"] in COLUMNS]
        self.needs = [(reading["facet"], reading["values"]) for reading in read]
        self.total = answer["total"]
        return not answer["unread"] and len({facet for facet, _ in self.needs}) == len(self.needs)

    def counted(self, table):
        """How many rows of the table meet it."""
        where = " AND ".join(f"{column} IN ({', '.join('?' * len(values))})" for column, values in self.needs)
        values = [value for _, values in self.needs for value in values]
        [[count]] = table.execute(f"SELECT count(*) FROM measurements WHERE {where}", values)
        return count


def made_up(table, most):
    """Questions in words, made of what occurs together in the rows."""
    groups = table.execute(
        f"SELECT {', '.join(COLUMNS)} FROM measurements WHERE {' AND '.join(f'{name} IS NOT NULL' for name in COLUMNS)}"
        f" GROUP BY {', '.join(COLUMNS)} ORDER BY {', '.join(COLUMNS)}").fetchall()
    questions = {}
    for group in groups:
        named = dict(zip(COLUMNS, group))
        for shape in SHAPES:
            words = " ".join(named[column] for column in shape)
            for suffix, order in ORDERS:
                questions[words + suffix] = order
    questions = sorted(questions.items())
    random.Random(1).shuffle(questions)
    return [Question(words, order) for words, order in questions[:most]]


def agreed(folder, server, most):
    """The questions of which dlbench and the table find as many rows, and why the others were left out."""
    table = sqlite3.connect(f"file:{folder / 'flat.db'}?mode=ro", uri=True)
    candidates = made_up(table, most)

    def asked(question):
        with urllib.request.urlopen(server.base + question.of_dlbench()) as answer:
            return json.load(answer)

    left_out = {"read otherwise than it was meant": 0, "found nothing, or too much": 0, "counted otherwise": 0}
    kept = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for question, answer in zip(candidates, pool.map(asked, candidates)):
            if not question.answered(answer):
                left_out["read otherwise than it was meant"] += 1
            elif not 0 < question.total <= MOST_FOUND:
                left_out["found nothing, or too much"] += 1
            elif question.counted(table) != question.total:
                left_out["counted otherwise"] += 1
            else:
                kept.append(question)
    if len(kept) < len(candidates) / 2:
        sys.exit(f"most questions cannot be asked of both: {left_out}")
    return kept, left_out

