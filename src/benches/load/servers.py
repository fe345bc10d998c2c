"""Servers that are loaded: started, watched, ended."""

import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request

TICKS = os.sysconf("SC_CLK_TCK")
# The index of 10^6 measurements is built first where there is none yet.
SECONDS_TO_START = 900


def free_port():
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A server on the loopback, as long as this is open."""

    def __init__(self, name, command, environment=None):
        self.name = name
        port = free_port()
        self.base = f"http://127.0.0.1:{port}"
        self.command = [part.replace("{port}", str(port)) for part in command]
        self.environment = {**os.environ, **(environment or {})}

    def __enter__(self):
        self.process = subprocess.Popen(
            self.command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < end:
            if self.process.poll() is not None:
                sys.exit(f"{' '.join(self.command)} ended with {self.process.returncode}")
            try:
                urllib.request.urlopen(self.base + "/").read()
                return self
            except OSError:
                time.sleep(0.1)
        sys.exit(f"{' '.join(self.command)} does not answer")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def processor_s(self):
        """Processor time that it has taken, in seconds."""
        # The name of the program stands in brackets and may hold anything.
        fields = open(f"/proc/{self.process.pid}/stat").read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory_mib(self):
        """What it holds in memory now, pages of mapped files included, and what of that is its own, in MiB."""
        status = open(f"/proc/{self.process.pid}/status").read()
        kib = {key: int(value) for key, value in re.findall(r"^(VmRSS|RssAnon):\s+(\d+) kB", status, re.MULTILINE)}
        return kib["VmRSS"] / 1024, kib["RssAnon"] / 1024


class Watch:
    """Notes what a server holds in memory, every second, as long as this is open."""

    def __init__(self, server):
        self.server = server
        self.samples = []
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)

    def look(self):
        while not self.done.is_set():
            self.samples.append(self.server.memory_mib())
            self.done.wait(1)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()
