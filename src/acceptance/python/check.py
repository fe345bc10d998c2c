"""The Python module as users get it: `make test-python` builds the wheel and calls this with a Python that has pandas, Polars, pyarrow,
nbclient and mypy.

check.py WHEELS: the folder with the wheel. What it answers is held against the program, which is the command of the wheel.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]


def main(wheels: str) -> None:
    (wheel,) = Path(wheels).glob("*.whl")
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    assert "-abi3-" in wheel.name, "one wheel for every Python"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        fresh = place / "fresh"
        venv.create(fresh, with_pip=True)
        # Outside of the clone, in an empty folder, with nothing that an earlier run has left.
        empty = place / "empty"
        empty.mkdir()
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("DLBENCH_", "PYTHON"))}
        environment |= {
            "DLBENCH_CACHE": str(place / "cache"),
            "DLBENCH_DATA": str(place / "data"),
            "DLBENCH_PROGRAM": str(fresh / "bin" / "dlbench"),
            "IPYTHONDIR": str(place / "ipython"),
            "MYPY_CACHE_DIR": str(place / "mypy"),
            "PATH": f"{fresh / 'bin'}{os.pathsep}{environment.get('PATH', '')}",
        }

        def run(*words: str | Path) -> None:
            print("$", *words, flush=True)
            subprocess.run([str(word) for word in words], cwd=empty, env=environment, check=True)

        alone = fresh / "bin" / "python"
        run(alone, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel.resolve())
        run(alone, HERE / "alone.py")

        # Beside what researchers have.
        run(sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--force-reinstall", wheel.resolve())
        run(sys.executable, HERE / "test_module.py", "-v")
        run(sys.executable, HERE / "notebook.py", REPOSITORY / "src/python/tour.ipynb")
        run(sys.executable, "-m", "mypy", "--strict", HERE / "typed.py")
        settings = place / "mypy.ini"
        # pyarrow has no types, and those of pandas come apart.
        settings.write_text(f"[mypy]\ncache_dir = {place / 'mypy'}\ndisable_error_code = import-untyped\n")
        run(sys.executable, "-m", "mypy", "--config-file", settings, "--package", "dlbench")
        run(sys.executable, "-m", "mypy.stubtest", "--mypy-config-file", settings, "dlbench._dlbench")
        assert not any(empty.iterdir()), f"nothing is written where one asks: {list(empty.iterdir())}"
    print("the Python module: everything passed")


if __name__ == "__main__":
    main(*sys.argv[1:])
