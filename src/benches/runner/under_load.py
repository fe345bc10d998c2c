#!/usr/bin/env python3
"""What `dlbench run` says beside one process that computes: measures the same configurations on a quiet machine, beside a process that
computes all the time without being allowed to wait, and beside one that computes now and then with waiting allowed.

Ends with 1 where a row of the second says nothing of it, or a value of the third differs from that of the quiet machine.

    make under-load
"""

import argparse
import multiprocessing
import sys
import time

from levels import difference, holds
from measured import about, is_disturbed, options, run, write


def compute(on_s, off_s):
    """Uses one processor for so long, rests for so long, and so on."""
    while True:
        end = time.monotonic() + on_s
        while time.monotonic() < end:
            pass
        time.sleep(off_s)


class Load:
    """A process that computes, as long as this is open."""

    def __init__(self, on_s, off_s):
        self.process = multiprocessing.Process(target=compute, args=(on_s, off_s), daemon=True)

    def __enter__(self):
        self.process.start()

    def __exit__(self, *_):
        self.process.terminate()
        self.process.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options(parser)
    parser.add_argument("--networks", default="squeezenet-1.1,mobilenet-v2")
    parser.add_argument("--batch-size", default="1")
    parser.add_argument("--goal", default="2", help="percent")
    parser.add_argument("--time-limit", default="10", help="seconds of a configuration")
    parser.add_argument("--wait", default="600", help="seconds that the third may wait")
    parser.add_argument("--on", type=float, default=8, help="seconds for which the third's load computes …")
    parser.add_argument("--off", type=float, default=12, help="… and rests")
    arguments = parser.parse_args()
    plan = [*arguments.networks.split(","), "--quick", "--batch-size", arguments.batch_size, "--goal", arguments.goal,
            "--time-limit", arguments.time_limit]
    quiet, environment = run(arguments, *plan, "--wait", arguments.wait)
    print("measured on a quiet machine", flush=True)
    with Load(3600, 0):
        beside, _ = run(arguments, *plan, "--wait", "0")
    print("measured beside a load", flush=True)
    with Load(arguments.on, arguments.off):
        waited, _ = run(arguments, *plan, "--wait", arguments.wait)
    print("measured between loads", flush=True)
    failures, lines = [], []
    for title, row in quiet.items():
        low, high = row["record"]["interval-ms"]
        planned = row["record"]["planned-processes"]
        apart = difference(waited[title]["record"]["levels-ms"], row["record"]["levels-ms"], planned)
        value = waited[title]["latency-ms"]
        if is_disturbed(row):
            failures.append(f"{title}: the machine was not quiet to begin with")
        if not is_disturbed(beside[title]):
            failures.append(f"{title}: nothing is said of the load")
        if not holds(apart, 0):
            failures.append(f"{title}: between loads another value than on a quiet machine")
        told = "yes" if is_disturbed(beside[title]) else "**no**"
        marked = " (marked)" if is_disturbed(waited[title]) else ""
        inside = "yes" if low <= value <= high else "no"
        lines.append(f"| {title} | {row['latency-ms']} ({low} to {high}) | {beside[title]['latency-ms']} | {told} | {value}{marked} | {inside} "
                     f"| {'yes' if holds(apart, 0) else '**no**'} |\n")
    text = f"""# Beside a process that computes

`make under-load` wrote this page. {about(environment)}

Each configuration three times: on a quiet machine; beside a process that computes all the time, without being allowed to wait
(`--wait 0`); and beside one that computes for {arguments.on:g} s and rests for {arguments.off:g} s, with `--wait {arguments.wait}`. Times in ms.

| configuration | quiet (its interval) | beside a load | is it said | between loads | within the quiet interval | differs by no more than chance |
| :-- | --: | --: | :-- | --: | :-- | :-- |
{''.join(lines)}
{chr(10).join(failures) or 'All is as it should be.'}
"""
    write(text, arguments)
    sys.exit("\n".join(failures) or 0)


if __name__ == "__main__":
    main()
