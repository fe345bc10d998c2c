"""The command ``dlbench``: the program, in this process."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn

from . import _dlbench


def main() -> NoReturn:
    """Runs the program with the words of the command line, and ends with its exit status."""
    # Python would only remember that somebody pressed Ctrl-C; the program ends, or handles it itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _dlbench.run_program(["dlbench", *sys.argv[1:]], [sys.executable, "-m", "dlbench"])


if __name__ == "__main__":
    main()
