"""What `dlbench run` measures, as these pages read it: complete runs of the program, and the rows of their files."""

import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]


def options(parser):
    """The options of every page that runs the program."""
    parser.add_argument("--dlbench", default=str(REPOSITORY / "target/release/dlbench"), help="the program")
    parser.add_argument("--kb", default=str(REPOSITORY), help="the knowledge base with the networks")
    parser.add_argument("--worker", help="the worker, where it is not the one beside the program")
    parser.add_argument("--device-id", help="the device, where the catalog does not know its name")
    parser.add_argument("-o", "--output", help="a page in Markdown, in place of the terminal")


def run(arguments, *more):
    """One complete run into a folder of its own: the rows of its file, and the environment that it wrote."""
    folder = tempfile.mkdtemp(prefix="dlbench-run-")
    command = [arguments.dlbench, "--kb", arguments.kb, "run", "--output", folder, *more]
    for option, value in [("--worker", arguments.worker), ("--device-id", arguments.device_id)]:
        command += [option, value] if value else []
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        if ran.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{ran.stderr}")
        [file] = [path for path in pathlib.Path(folder).glob("*.toml")]
        read = tomllib.loads(file.read_text())
    finally:
        shutil.rmtree(folder)
    # What failed has no levels, and what says nothing of times is not part of these pages.
    rows = [row for row in read["run"] if "levels-ms" in row["record"]]
    if len(rows) < len(read["run"]):
        sys.exit(f"some configurations failed:\n{ran.stderr}")
    return {row["record"]["point"]: row for row in rows}, read["environment"]


def is_disturbed(row):
    """Whether the row says that other processes computed beside it."""
    return "Busy machine: " in row.get("caveats", "")


def about(environment):
    """The machine and the day, for the head of a page."""
    commit = environment.get("worker-commit", "an unknown commit")[:10]
    return (f"{time.strftime('%Y-%m-%d', time.gmtime())}: {environment.get('cpu-model', platform.machine())}, "
            f"{os.cpu_count()} processors, {environment.get('os', platform.system())}, kernel {environment.get('kernel', platform.release())}; "
            f"{environment['worker']} of {commit}.")


def write(text, arguments):
    if arguments.output:
        pathlib.Path(arguments.output).write_text(text)
    else:
        print(text)
