#!/usr/bin/env python3
"""`dlbench serve` under load, beside Datasette on the same rows: distinct selective questions, drawn at random by wrk on the loopback,
which shares the processors with the server. Writes a page.

    make load
"""

import argparse
import json
import pathlib
import subprocess
import sys

import page
from questions import agreed, flat_table
from servers import Server, Watch

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
# As many as ask at a time; each waits for its answer before it asks again.
CONNECTIONS = 16
SCRIPT = pathlib.Path(__file__).with_name("addresses.lua")


class Loader:
    """wrk, and where its files lie."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.seed = 0

    def version(self):
        # It ends with 1 after its version.
        return " ".join(subprocess.run([self.program, "--version"], capture_output=True, text=True).stdout.split()[:2])

    def load(self, server, addresses, seconds):
        """Loads a server with addresses in any order."""
        self.seed += 1
        file = self.folder / "addresses.txt"
        file.write_text("".join(f"{address}\n" for address in addresses))
        command = [self.program, "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "10s", "-s", str(SCRIPT), server.base,
                   "--", str(file), str(self.seed)]
        before = server.processor_s()
        with Watch(server) as watch:
            ran = subprocess.run(command, capture_output=True, text=True)
        processor_s = server.processor_s() - before
        said = [line for line in ran.stdout.splitlines() if line.startswith("result ")]
        if ran.returncode != 0 or not said:
            sys.exit(f"{' '.join(command)}\n{ran.stdout}{ran.stderr}")
        return Run(json.loads(said[0].removeprefix("result ")), processor_s, watch.samples)


class Run:
    """What came of a load."""

    def __init__(self, said, processor_s, memory_mib):
        self.answers = int(said["answers"])
        self.failures = int(said["failures"])
        self.per_s = self.answers / said["s"]
        self.ms = {name: said[name] for name in ["p50", "p99", "p99.9", "most"]}
        self.bytes = said["bytes"] / max(self.answers, 1)
        self.processor_ms = processor_s * 1000 / max(self.answers, 1)
        self.memory_mib = memory_mib

    def with_more(self, run):
        """This one, and another behind it; percentiles are the worse of both."""
        answers = self.answers + run.answers
        weigh = lambda of: (of(self) * self.answers + of(run) * run.answers) / max(answers, 1)
        self.bytes, self.processor_ms = weigh(lambda of: of.bytes), weigh(lambda of: of.processor_ms)
        self.per_s = answers / (self.answers / self.per_s + run.answers / run.per_s)
        self.ms = {name: max(value, run.ms[name]) for name, value in self.ms.items()}
        self.answers, self.failures = answers, self.failures + run.failures
        self.memory_mib = self.memory_mib + run.memory_mib
        return self


def dlbench(arguments, *more):
    """dlbench on the knowledge base, without a limit for one address."""
    command = [arguments.dlbench, "serve", "--address", "127.0.0.1:{port}", "--rate", "0", *more]
    folder = pathlib.Path(arguments.folder)
    return Server("dlbench", command, {"DLBENCH_KB": str(folder / "kb"), "DLBENCH_CACHE": str(folder / "cache")})


def datasette(arguments, table):
    """Datasette on the table, which it is told will not change."""
    command = [arguments.datasette, "serve", "--immutable", str(table), "--host", "127.0.0.1", "--port", "{port}"]
    return Server("Datasette", command)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tools = REPOSITORY / "target/bench/tools/bin"
    parser.add_argument("--folder", default=str(REPOSITORY / "target/bench/1000000"), help="the knowledge base, and the rows for its rivals")
    parser.add_argument("--dlbench", default=str(REPOSITORY / "target/release/dlbench"))
    parser.add_argument("--datasette", default=str(tools / "datasette"))
    parser.add_argument("--wrk", default="wrk")
    parser.add_argument("--questions", type=int, default=20_000, help="so many distinct questions are tried")
    parser.add_argument("--seconds", type=int, default=30, help="of each load")
    parser.add_argument("--requests", type=int, default=1_000_000, help="of the long load")
    parser.add_argument("-o", "--output", help="the page, in place of the terminal")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.folder)
    loader = Loader(arguments.wrk, folder)
    results = {"machine": page.machine(arguments, loader.version()), "connections": CONNECTIONS, "seconds": arguments.seconds}
    print("the rows as one table", flush=True)
    table = flat_table(folder)

    def told(name, run):
        results[name] = run
        print(f"{name}: {run.per_s:.0f} answers/s, p50 {run.ms['p50']:.1f} ms, p99 {run.ms['p99']:.1f} ms, "
              f"{run.processor_ms:.2f} ms of processor time each, {run.failures} failures", flush=True)

    with dlbench(arguments, "--keep", "0") as server:
        questions, results["left_out"] = agreed(folder, server, arguments.questions)
        print(f"{len(questions)} questions, left out: {results['left_out']}", flush=True)
        of_dlbench = [question.of_dlbench() for question in questions]
        of_datasette = [question.of_datasette() for question in questions]
        results["found"] = sorted(question.total for question in questions)
        told("computed", loader.load(server, of_dlbench, arguments.seconds))
    with datasette(arguments, table) as server:
        told("datasette", loader.load(server, of_datasette, arguments.seconds))
    with dlbench(arguments) as server:
        told("kept", loader.load(server, of_dlbench, arguments.seconds))
        # The same few again and again, as where a link was shared.
        told("popular", loader.load(server, of_dlbench[:500], arguments.seconds))
        long = loader.load(server, of_dlbench, arguments.seconds)
        while long.answers < arguments.requests:
            long.with_more(loader.load(server, of_dlbench, arguments.seconds))
        told("long", long)
    text = page.draw(results)
    if arguments.output:
        pathlib.Path(arguments.output).write_text(text)
        print(arguments.output)
    else:
        print(text)


if __name__ == "__main__":
    main()
