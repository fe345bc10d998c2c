#!/usr/bin/env python3
"""Measures the same configurations again and again by complete runs of `dlbench run`, and counts how often their 95 % intervals hold.

Nobody knows the true value of a real configuration, but two runs of it have the same one: their difference is 0. Each run starts
fresh processes, those of all configurations in mixed order, and knows nothing of the runs before it.

    make same-against-same RUNS=60
"""

import argparse
import itertools
import math
import statistics

from levels import difference, holds, interval, mean, share
from measured import about, is_disturbed, options, run, write


def first_process(row):
    """What runs said when they had one process: the interval of its median, by the order of its samples."""
    samples = sorted(row["record"]["process"][0]["samples-ms"])
    half = 1.959964 * math.sqrt(len(samples)) / 2
    low, high = max(math.floor(len(samples) / 2 - half), 1), min(math.ceil(len(samples) / 2 + half) + 1, len(samples))
    return samples[low - 1], samples[high - 1]


def spread(levels, size):
    """Measurements of so many processes that lie as far apart as the runs allow: each has one process of runs that lie evenly."""
    gap = len(levels) // size
    return [[levels[first + gap * step][place] for step in range(size)]
            for first in range(gap) for place in range(min(map(len, levels)))]


class Counted:
    """What the runs of one configuration, or of several, come to."""

    def __init__(self):
        self.single, self.held, self.alike, self.all_alike, self.spread = [], [], [], [], []

    def add(self, rows, planned):
        levels = [row["record"]["levels-ms"] for row in rows]
        for at, row in enumerate(rows):
            # The best that is known of the true value without this run.
            others = mean([mean(other) for place, other in enumerate(levels) if place != at])
            self.held.append(holds(interval(levels[at], planned), others))
            self.single.append(holds(first_process(row), others))
        every = [level for run in levels for level in run]
        for group in spread(levels, planned):
            others = (sum(every) - sum(group)) / max(len(every) - len(group), 1)
            self.spread.append(holds(interval(group), others))
        pairs = list(itertools.combinations(range(len(levels)), 2))
        alike = {pair: holds(difference(*(levels[at] for at in pair), planned), 0) for pair in pairs}
        self.all_alike += alike.values()
        # Neighbours in time, each run in one pair only.
        self.alike += [alike[(at, at + 1)] for at in range(0, len(levels) - 1, 2)]

    def cells(self):
        counts = [self.single, self.held, self.spread, self.alike]
        shares = [share(sum(count), len(count)) if count else "" for count in counts]
        return " | ".join([*shares, f"{100 * mean(self.all_alike):.1f}"])


def page(runs, environment, planned, arguments):
    left_out = (lambda row: False) if arguments.with_disturbed else is_disturbed
    disturbed = sum(left_out(row) for rows in runs for row in rows.values())
    whole = Counted()
    lines = []
    for title in runs[0]:
        rows = [rows[title] for rows in runs if not left_out(rows[title])]
        if len(rows) < 4:
            lines.append(f"| {title} | {len(rows)} | | | | | | | |\n")
            continue
        counted = Counted()
        counted.add(rows, planned)
        whole.add(rows, planned)
        values = [mean(row["record"]["levels-ms"]) for row in rows]
        widths = [row["record"]["half-width-pct"] for row in rows]
        processes = mean([len(row["record"]["levels-ms"]) for row in rows])
        lines.append(f"| {title} | {len(rows)} | {statistics.median(values):.4g} ({min(values):.4g} to {max(values):.4g}) "
                     f"| {statistics.median(widths):.1f} | {processes:.1f} | {counted.cells()} |\n")
    return f"""# The same against itself

`make same-against-same` wrote this page. {about(environment)}

{len(runs)} complete runs of the same configurations, one after the other, each with fresh processes in an order of its own
(`--goal {arguments.goal} --time-limit {arguments.time_limit}`). {disturbed} of {len(runs) * len(runs[0])} rows say that other processes computed
beside them, and are left out of the counts.

The last five columns are counts of a hundred, in brackets where they lie with 95 % confidence:

- *one process*: how many intervals of the first process alone, by the order of its samples, hold the mean of all other runs. This is
  what runs said when they had one process.
- *interval*: how many intervals of a run hold the mean of all other runs.
- *spread*: the same of measurements that are made up from the processes of these runs: as many processes as a run has, each of
  another run, as far apart as the runs lie. This is what `--spread` does.
- *neighbours*: how many differences of two runs that followed each other, each run in one pair only, have an interval with 0 in it.
- *all pairs*: the same of every two runs, however far apart. The pairs share runs, so nothing is in brackets.

| configuration | runs | value [ms] (lowest to highest) | ± [%], median | processes | one process | interval | spread | neighbours | all pairs |
| :-- | --: | --: | --: | --: | --: | --: | --: | --: | --: |
{''.join(lines)}| **all** | | | | | {whole.cells() if whole.held else '| | | |'} |
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options(parser)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--networks", default="lenet,squeezenet-1.1,mobilenet-v2")
    parser.add_argument("--stages", default="eval")
    parser.add_argument("--batch-size", default="1")
    parser.add_argument("--goal", default="2", help="percent")
    parser.add_argument("--time-limit", default="10", help="seconds of a configuration")
    parser.add_argument("--wait", default="60", help="seconds that a run may wait for others to leave the processors alone")
    parser.add_argument("--processes", help="of a configuration, where not the usual number")
    parser.add_argument("--with-disturbed", action="store_true", help="count rows beside which other processes computed, too")
    arguments = parser.parse_args()
    plan = [*arguments.networks.split(","), "--stage", arguments.stages, "--batch-size", arguments.batch_size,
            "--goal", arguments.goal, "--time-limit", arguments.time_limit, "--wait", arguments.wait]
    plan += ["--processes", arguments.processes] if arguments.processes else []
    runs = []
    for number in range(arguments.runs):
        rows, environment = run(arguments, *plan, "--seed", str(number + 1))
        runs.append(rows)
        print(f"run {number + 1} of {arguments.runs}: " + ", ".join(
            f"{row['latency-ms']} ms ± {row['record']['half-width-pct']} %" for row in rows.values()), flush=True)
        # What ends early leaves a page of the runs so far.
        if number + 1 == arguments.runs or number >= 3 and arguments.output:
            planned = next(iter(runs[0].values()))["record"]["planned-processes"]
            write(page(runs, environment, planned, arguments), arguments)


if __name__ == "__main__":
    main()
