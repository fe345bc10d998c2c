#!/usr/bin/env python3
"""Measures the same configurations by many runs, and counts how often their 95 % intervals hold.

Nobody knows the true value of a real configuration, but two runs of it have the same one: their difference is 0. The runs take turns,
one process of each configuration at a time, so that the processes of every run are spread over the whole time, as those of
`dlbench run` are by default.

    make same-against-same RUNS=60
"""

import argparse
import itertools
import statistics

from levels import difference, holds, interval, mean, share
from measured import about, is_disturbed, options, run, write


def at_once(runs, size):
    """Measurements of so many processes that followed each other: one of each of so many neighbouring runs, in one round."""
    return [[levels[place] for levels in runs[first:first + size]]
            for place in range(min(map(len, runs))) for first in range(0, len(runs) - size + 1, size)]


def half_width(levels):
    """Half the interval of a run, in percent of its value."""
    low, high = interval(levels)
    return 50 * (high - low) / mean(levels)


class Counted:
    """What the runs of one configuration, or of several, come to."""

    def __init__(self):
        self.held, self.at_once, self.alike, self.all_alike = [], [], [], []

    def add(self, runs):
        every = [level for own in runs for level in own]

        def holds_the_others(group):
            # The best that is known of the true value without this measurement.
            return holds(interval(group), (sum(every) - sum(group)) / (len(every) - len(group)))

        self.held += map(holds_the_others, runs)
        self.at_once += map(holds_the_others, at_once(runs, len(runs[0])))
        pairs = list(itertools.combinations(range(len(runs)), 2))
        alike = {pair: holds(difference(*(runs[at] for at in pair)), 0) for pair in pairs}
        self.all_alike += alike.values()
        # Each run in one pair only.
        self.alike += [alike[(at, at + 1)] for at in range(0, len(runs) - 1, 2)]

    def cells(self):
        shares = [share(sum(count), len(count)) if count else "" for count in (self.held, self.at_once, self.alike)]
        return " | ".join([*shares, f"{100 * mean(self.all_alike):.1f}"])


def page(rounds, environment, arguments):
    """`rounds` holds the rows of each process: by round, then by run, then by the title of the configuration."""
    rows = [row for runs in rounds for of_run in runs for row in of_run.values()]
    began = [row["record"]["process"][0]["began-s"] for row in rows]
    minutes = (max(began) - min(began)) / 60
    whole, lines, values = Counted(), [], {}
    for title in rounds[0][0]:
        runs = [[of_round[number][title]["record"]["levels-ms"][0] for of_round in rounds] for number in range(len(rounds[0]))]
        counted = Counted()
        counted.add(runs)
        whole.add(runs)
        means = [mean(own) for own in runs]
        values[title] = [f"{mean(own):.4g} ± {half_width(own):.1f} %" for own in runs]
        lines.append(f"| {title} | {statistics.median(means):.4g} ({min(means):.4g} to {max(means):.4g}) "
                     f"| {statistics.median(map(half_width, runs)):.1f} | {counted.cells()} |\n")
    heads = "| run | " + " | ".join(values) + " |\n| --: |" + " --: |" * len(values)
    every = "\n".join(f"| {number} | " + " | ".join(of_run) + " |" for number, of_run in enumerate(zip(*values.values()), 1))
    return f"""# The same against itself

`make same-against-same` wrote this page. {about(environment)}

{len(rounds[0])} runs of the same configurations took turns: one process of each configuration, then the next run, for {len(rounds)} rounds
in {minutes:.0f} minutes. The processes of a run are therefore {minutes / len(rounds):.0f} minutes apart; those of `dlbench run` are five minutes apart by
default. Other programs were busy beside {sum(map(is_disturbed, rows))} of {len(rows)} processes; these count like the rest.

The last four columns are percentages, with their 95 % confidence intervals in brackets:

- *interval*: the share of runs whose interval contains the mean of all other runs. 95 is claimed.
- *at once*: the same for measurements composed of {len(rounds)} processes that ran directly after each other. `--quick` measures like
  this, so its rows say that their interval holds for a quarter of an hour only.
- *neighbours*: the share of differences between two runs whose interval contains 0; each run is in one pair only.
- *all pairs*: the same for all pairs of runs. The pairs share runs, so there is no confidence interval.

| configuration | value [ms] (lowest to highest) | ± [%], median | interval | at once | neighbours | all pairs |
| :-- | --: | --: | --: | --: | --: | --: |
{''.join(lines)}| **all** | | | {whole.cells()} |

## Every run

Value and interval, in ms.

{heads}
{every}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options(parser)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5, help="processes of each configuration in a run")
    parser.add_argument("--networks", default="lenet,squeezenet-1.1,mobilenet-v2")
    parser.add_argument("--stages", default="eval")
    parser.add_argument("--batch-size", default="1")
    parser.add_argument("--time-limit", default="1", help="seconds of a process")
    parser.add_argument("--wait", default="60", help="seconds that the processes of a turn may wait for others to leave the processors alone")
    arguments = parser.parse_args()
    plan = [*arguments.networks.split(","), "--stage", arguments.stages, "--batch-size", arguments.batch_size, "--processes", "1",
            "--quick", "--goal", "2", "--time-limit", arguments.time_limit, "--wait", arguments.wait]
    rounds = []
    for number in range(arguments.rounds):
        measured = [run(arguments, *plan, "--seed", str(1 + number * arguments.runs + at)) for at in range(arguments.runs)]
        rounds.append([rows for rows, _ in measured])
        print(f"round {number + 1} of {arguments.rounds} ended", flush=True)
        if number:
            # What ends early leaves a page of the rounds so far.
            write(page(rounds, measured[0][1], arguments), arguments)


if __name__ == "__main__":
    main()
