"""The module in a Python that has nothing else, and the command that comes with it."""

import importlib.metadata
import json
import os
import subprocess
import sys
import time
from pathlib import Path

before = time.perf_counter()
import dlbench  # noqa: E402

print(f"imported in {time.perf_counter() - before:.2f} s")
before = time.perf_counter()
kb = dlbench.open()
print(f"opened in {time.perf_counter() - before:.2f} s: {kb!r}")
assert kb.origin.startswith("the built-in one of "), kb.origin
assert kb.warnings == [], kb.warnings
assert dlbench.__version__ == importlib.metadata.version("dlbench")

QUESTION = "fp16 V100 resnet152"
answer = kb.query(QUESTION)
assert answer and answer.total >= 4, answer

# What is not there is asked for in words.
try:
    answer.to_pandas()
except ImportError as error:
    assert "pip install 'dlbench[pandas]'" in str(error), error
else:
    raise AssertionError("there is no pandas here")


def ran(*words: str, code: int = 0, **options: object) -> str:
    done = subprocess.run(words, capture_output=True, text=True, **options)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout + (done.stderr if code else "")


# The command is the program, with its exit statuses.
command = str(Path(sys.executable).with_name("dlbench"))
assert json.loads(ran(command, "query", "-f", "json", "--all", QUESTION)) == answer.to_dict()
assert ran(sys.executable, "-m", "dlbench", "--version") == f"dlbench {dlbench.__version__}\n"
assert "quadrotriticale" in ran(command, "query", "quadrotriticale", code=1)
assert "unexpected argument" in ran(command, "query", "--nonsense", code=2)
# A reader that has read enough ends it without a word.
reader = subprocess.run(f"'{command}' query --all -f csv v100 | head -1", shell=True, capture_output=True, text=True)
assert reader.stdout.startswith("id,source,") and not reader.stderr, reader

# Ctrl-C ends what stays open.
import signal  # noqa: E402

served = subprocess.Popen([command, "serve", "--address", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
assert served.stdout is not None
line = ""
while "http://" not in line:
    line = served.stdout.readline()
    assert line, "it says where it answers"
served.send_signal(signal.SIGINT)
served.wait(timeout=20)

if sys.platform == "linux":
    # A worker is started by this very command, so that it dies with it.
    echo = ran(sys.executable, "-m", "dlbench", "worker", "--parent", str(os.getpid()), "--", "/bin/echo", "started", stdin=subprocess.DEVNULL)
    assert echo == "started\n", echo
print("alone: passed")
