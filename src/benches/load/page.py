"""The page about a load: on what it was measured, what came of it, and whether it is what was promised."""

import os
import pathlib
import subprocess
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
# What is promised of selective answers, at 10^6 measurements on two processors.
LONGEST_MS = 20
# What a server holds may grow by so much after its first tenth: that is flat.
FLAT = 1.05

RATE = 2_000

ROWS = [
    ("computed", "dlbench, nothing kept (`--keep 0`)"),
    ("kept", "dlbench as it comes"),
    ("popular", "dlbench as it comes, 500 of the questions"),
    ("datasette", "Datasette"),
]


def said(*command):
    """The first line that a command says."""
    ran = subprocess.run(command, capture_output=True, text=True)
    return (ran.stdout.splitlines() or [""])[0].strip()


def machine(arguments, wrk):
    """On what and with what is measured: asked before anything is loaded."""
    processor = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    commit = said("git", "-C", str(REPOSITORY), "rev-parse", "--short=10", "HEAD")
    changed = " and changes" if said("git", "-C", str(REPOSITORY), "status", "--porcelain", "--", "src", "Cargo.toml") else ""
    return (f"{time.strftime('%Y-%m-%d', time.gmtime())}: {processor}, {os.cpu_count()} processors, Linux {os.uname().release}; "
            f"dlbench at {commit}{changed}, {said(arguments.datasette, '--version')}, {wrk}. Programs that ran or wanted to run in the "
            f"minute before: {os.getloadavg()[0]:.1f}.")


def whole(number):
    return f"{number:,.0f}"


def ms(value):
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def line(name, run):
    failures = whole(run.failures) if run.failures else "none"
    return (f"| {name} | {whole(run.per_s)} | {ms(run.ms['p50'])} | {ms(run.ms['p99'])} | {ms(run.ms['p99.9'])} | {ms(run.processor_ms)} "
            f"| {whole(run.bytes / 1024)} | {failures} |\n")


HEAD = ("| | answers a second | p50 [ms] | p99 [ms] | p99.9 [ms] | processor time of the server for one [ms] | KiB of one | failures |\n"
        "| :-- | --: | --: | --: | --: | --: | --: | --: |\n")


def verdict(kept):
    return "yes" if kept else "**no**"


def at_moments(samples):
    """What was held at the beginning, at tenths of the load, and at its end."""
    moments = [("begin", 0), ("10 %", 0.1), ("25 %", 0.25), ("50 %", 0.5), ("75 %", 0.75), ("end", 1)]
    return [(name, samples[min(int(part * len(samples)), len(samples) - 1)]) for name, part in moments]


def promises(results):
    """A table of what is promised and what was measured."""
    lines = []
    for key, name in ROWS[:3]:
        run = results[key]
        holds = run.per_s >= RATE and run.ms["p99"] <= LONGEST_MS and not run.failures
        lines.append(f"| {whole(RATE)} answers a second or more, p99 of {LONGEST_MS} ms or less: {name} "
                     f"| {whole(run.per_s)} a second, p99 {ms(run.ms['p99'])} ms | {verdict(holds)} |\n")
    long = results["long"]
    own = [own for _, own in long.memory_mib]
    early = max(own[: max(len(own) // 10, 1)])
    lines.append(f"| memory flat over {whole(long.answers)} answers (no more than {FLAT:.2f} times what it was in the first tenth) "
                 f"| {max(own) / early:.2f} | {verdict(max(own) <= FLAT * early)} |\n")
    return "".join(lines)


def draw(results):
    found = results["found"]
    left_out = ", ".join(f"{count} {why}" for why, count in results["left_out"].items())
    long = results["long"]
    memory = "".join(f"| {name} | {total:.0f} | {own:.0f} |\n" for name, (total, own) in at_moments(long.memory_mib))
    return f"""# Under load

`make load` wrote this page. {results["machine"]}

{whole(len(found))} distinct selective questions about 10^6 made-up measurements (`../generate`), such as `fp16 tesla-v100 resnet-152 sort:-throughput`: words
of precision, device, network and stage that occur together there, with and without an order. Each finds {found[0]} to {whole(found[-1])} measurements, the
median {whole(found[len(found) // 2])}. wrk draws them at random, for `/api/query` of dlbench and for the JSON of Datasette's table, on the loopback; it takes its part of the same
{os.cpu_count()} processors. Datasette serves the same rows as one table with the facts of the catalog joined in and indexes for these questions; each word
stands in its addresses as the values that dlbench reads it as, and it is asked for 20 rows and their number, without facets. Before anything was
timed, both found as many rows for each question; of those that were made up these were left out: {left_out}. An answer of dlbench holds more: how the words were
read, a conclusion, the facts of all devices, frameworks, networks and sources in it, and notes on what can be compared.

## What is promised

| promise | measured | kept |
| :-- | --: | :-- |
{promises(results)}
## As fast as it goes

{results["connections"]} connections, each of which asks as soon as it is answered, for {results["seconds"]} s. The processor time is that of the server alone: it hardly depends on what
else the machine does.

{HEAD}{"".join(line(name, results[key]) for key, name in ROWS)}
## What is kept

dlbench keeps answers in memory, packed (128 MiB unless `--keep` says otherwise), until the knowledge base or the program changes: it looks once a
second whether a file has changed, and nothing that was computed from other files is given out. An answer that is asked for again is unpacked and
sent; all questions are equally likely here, where people ask some far more often than others. Beyond that, nothing is kept of an answer; what is
kept of the catalog is the same for all questions.

## Memory

While {whole(long.answers)} requests were answered at {whole(long.per_s)} a second (p99 {ms(long.ms["p99"])} ms at worst in a load of {results["seconds"]} s, {whole(long.failures)} failures):

| | in memory, with pages of the index and the database [MiB] | of that its own [MiB] |
| :-- | --: | --: |
{memory}"""
