#!/usr/bin/env python3
"""Measures the same configurations by many runs of `dlbench run`, and counts how often their 95 % intervals hold.

Nobody knows the true value of a real configuration, but two runs of it have the same one: their difference is 0. The runs take turns,
one round of processes each, so that the processes of every run are spread over the whole time, as those of one run alone are. Each
keeps a file of its own, draws an order of its own and knows nothing of the others.

    make same-against-same RUNS=60
"""

import argparse
import itertools
import statistics
import tempfile

from levels import difference, holds, interval, mean, share
from measured import about, is_disturbed, options, run, write


def at_once(runs, size):
    """Measurements of so many processes that followed each other: one of each of so many neighbouring runs, in one round."""
    return [[levels[place] for levels in runs[first:first + size]]
            for place in range(min(map(len, runs))) for first in range(0, len(runs) - size + 1, size)]


class Counted:
    """What the runs of one configuration, or of several, come to."""

    def __init__(self):
        self.held, self.at_once, self.alike, self.all_alike = [], [], [], []

    def add(self, levels, planned):
        every = [level for own in levels for level in own]
        for own in levels:
            # The best that is known of the true value without this run.
            self.held.append(holds(interval(own, planned), (sum(every) - sum(own)) / (len(every) - len(own))))
        for group in at_once(levels, planned):
            self.at_once.append(holds(interval(group), (sum(every) - sum(group)) / (len(every) - len(group))))
        pairs = list(itertools.combinations(range(len(levels)), 2))
        alike = {pair: holds(difference(*(levels[at] for at in pair), planned), 0) for pair in pairs}
        self.all_alike += alike.values()
        # Each run in one pair only.
        self.alike += [alike[(at, at + 1)] for at in range(0, len(levels) - 1, 2)]

    def cells(self):
        shares = [share(sum(count), len(count)) if count else "" for count in (self.held, self.at_once, self.alike)]
        return " | ".join([*shares, f"{100 * mean(self.all_alike):.1f}"])


def page(runs, environment, planned, arguments):
    disturbed = sum(is_disturbed(row) for rows in runs for row in rows.values())
    whole = Counted()
    lines = []
    for title in runs[0]:
        levels = [rows[title]["record"]["levels-ms"] for rows in runs]
        counted = Counted()
        counted.add(levels, planned)
        whole.add(levels, planned)
        values = [mean(own) for own in levels]
        widths = [rows[title]["record"]["half-width-pct"] for rows in runs]
        lines.append(f"| {title} | {statistics.median(values):.4g} ({min(values):.4g} to {max(values):.4g}) "
                     f"| {statistics.median(widths):.1f} | {counted.cells()} |\n")
    began = [process["began-s"] for rows in runs for row in rows.values() for process in row["record"]["process"]]
    every = "\n".join(
        f"| {number} | " + " | ".join(
            f"{row['latency-ms']} ± {row['record']['half-width-pct']} %{' *' if is_disturbed(row) else ''}" for row in rows.values()) + " |"
        for number, rows in enumerate(runs, 1))
    heads = "| run | " + " | ".join(runs[0]) + " |\n| --: |" + " --: |" * len(runs[0])
    return f"""# The same against itself

`make same-against-same` wrote this page. {about(environment)}

{len(runs)} runs of the same configurations (`--time-limit {arguments.time_limit} --processes {planned}`), which took turns: a round of
fresh processes of each, then the next round, {planned} rounds in {(max(began) - min(began)) / 60:.0f} minutes. So the processes of each run lie
{(max(began) - min(began)) / 60 / planned:.0f} minutes apart, as those of `dlbench run` alone do by default. {disturbed} of {len(runs) * len(runs[0])} rows
say that other processes computed beside them; they count like the others.

The last four columns are counts of a hundred, in brackets where they lie with 95 % confidence:

- *interval*: how many intervals of a run hold the mean of all other runs.
- *at once*: the same of measurements that are made up from {planned} processes which followed each other. This is what `--quick` does.
- *neighbours*: how many differences of two runs, each run in one pair only, have an interval with 0 in it.
- *all pairs*: the same of every two runs. The pairs share runs, so nothing is in brackets.

| configuration | value [ms] (lowest to highest) | ± [%], median | interval | at once | neighbours | all pairs |
| :-- | --: | --: | --: | --: | --: | --: |
{''.join(lines)}| **all** | | | {whole.cells()} |

## Every run

Value and interval in ms; a star where other processes computed beside it.

{heads}
{every}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options(parser)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--networks", default="lenet,squeezenet-1.1,mobilenet-v2")
    parser.add_argument("--stages", default="eval")
    parser.add_argument("--batch-size", default="1")
    parser.add_argument("--time-limit", default="5", help="seconds of a configuration")
    parser.add_argument("--wait", default="0", help="seconds that a round may wait for others to leave the processors alone")
    parser.add_argument("--processes", type=int, default=5, help="of a configuration in each run")
    arguments = parser.parse_args()
    plan = [*arguments.networks.split(","), "--stage", arguments.stages, "--batch-size", arguments.batch_size,
            "--time-limit", arguments.time_limit, "--wait", arguments.wait]
    with tempfile.TemporaryDirectory(prefix="dlbench-same-") as folder:
        for processes in range(1, arguments.processes + 1):
            runs = []
            for number in range(arguments.runs):
                # A goal that is always met: a run has as many processes as planned.
                turn = ["--quick", "--processes", str(processes), "--goal", "100000", "--seed", str(number + 1)]
                rows, environment = run(arguments, *plan, *turn, folder=f"{folder}/{number}")
                runs.append(rows)
            print(f"round {processes} of {arguments.processes} ended", flush=True)
    write(page(runs, environment, arguments.processes, arguments), arguments)


if __name__ == "__main__":
    main()
