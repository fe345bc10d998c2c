#!/usr/bin/env python3
"""As much of Slurm as `dlbench run --slurm` uses, for machines without one: it is called sbatch, squeue or sacct, and really runs the jobs.

Two nodes, each for one job at a time. What lies in the folder `orders` of `FAKE_SLURM` befalls the running job of that task: `FAILED` and
`OUT_OF_MEMORY` end it with SIGKILL, `TIMEOUT` warns it first, `NODE_FAIL` ends it and puts it into the queue again, as --requeue wants;
behind it stand how often, and a pattern of files of which one must be there first. A file `down` there is a controller that answers nobody.
"""

import contextlib
import fcntl
import glob
import json
import os
import signal
import subprocess
import sys
import time

FOLDER = os.environ["FAKE_SLURM"]
NODES = ["node1", "node2"]
LIVE = ("PENDING", "RUNNING")


@contextlib.contextmanager
def queue():
    """The jobs, for one process at a time."""
    with open(os.path.join(FOLDER, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        path = os.path.join(FOLDER, "jobs.json")
        jobs = json.load(open(path)) if os.path.exists(path) else []
        yield jobs
        with open(path + ".new", "w") as file:
            json.dump(jobs, file)
        os.replace(path + ".new", path)


def tasks_of(ranges):
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def sbatch(words):
    options = dict(word.split("=", 1) for word in words if word.startswith("--") and "=" in word)
    script, *arguments = [word for word in words if not word.startswith("--")]
    # What it would refuse: options in the script that it does not know.
    known = ("nodes", "ntasks", "exclusive", "requeue", "open-mode", "signal", "partition", "time")
    for line in open(script):
        if line.startswith("#SBATCH ") and line.split("--")[1].split("=")[0].strip() not in known:
            sys.exit(f"sbatch: error: unrecognized option {line.strip()}")
    with queue() as jobs:
        array = max((job["array"] for job in jobs), default=0) + 1
        for task in tasks_of(options["--array"]):
            output = options["--output"].replace("%A", str(array)).replace("%a", str(task)).replace("%%", "%")
            jobs.append({"name": options["--job-name"], "array": array, "task": task, "state": "PENDING", "reason": "Resources",
                         "script": script, "arguments": arguments, "output": output, "restarts": 0, "folder": os.getcwd()})
    subprocess.Popen([sys.executable, __file__, "daemon"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                     stderr=subprocess.DEVNULL, start_new_session=True, cwd="/")
    print(array)


def squeue(words):
    options = dict(word.split("=", 1) for word in words if "=" in word)
    names = options["--name"].split(",")
    with queue() as jobs:
        for job in jobs:
            if job["name"] in names:
                values = {"%j": job["name"], "%F": job["array"], "%K": job["task"], "%T": job["state"], "%r": job["reason"]}
                line = options["--format"]
                for field, value in values.items():
                    line = line.replace(field, str(value))
                print(line)


def order(task):
    """What befalls a task, once less from now on."""
    path = os.path.join(FOLDER, "orders", str(task))
    if not os.path.exists(path):
        return None
    word, times, first = open(path).read().split()
    if not glob.glob(first):
        return None
    if int(times) > 1:
        with open(path, "w") as file:
            file.write(f"{word} {int(times) - 1} {first}")
    else:
        os.remove(path)
    return word


def end(child, state):
    if state == "TIMEOUT":
        child.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(5)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


def daemon():
    """Starts what waits and takes note of what has ended, until nothing is left. There is one at a time."""
    alone = open(os.path.join(FOLDER, "daemon"), "w")
    fcntl.flock(alone, fcntl.LOCK_EX)
    running = {}
    while True:
        with queue() as jobs:
            for at, job in enumerate(jobs):
                if job["state"] != "RUNNING":
                    continue
                node, child, since = running[at]
                done = child.poll() is not None
                befalls = None if done or time.time() - since < 0.2 else order(job["task"])
                if befalls:
                    end(child, befalls)
                if befalls == "NODE_FAIL":
                    job.update(state="PENDING", reason="BeginTime", restarts=job["restarts"] + 1)
                elif befalls or done:
                    state = befalls or ("COMPLETED" if child.returncode == 0 else "FAILED")
                    job.update(state=state, reason="NonZeroExitCode" if state == "FAILED" else "None")
                if befalls or done:
                    del running[at]
            free = [node for node in NODES if node not in [node for node, *_ in running.values()]]
            for at, job in enumerate(jobs):
                if job["state"] == "PENDING" and free:
                    node = free.pop()
                    environment = {**os.environ, "SLURM_ARRAY_JOB_ID": str(job["array"]), "SLURM_ARRAY_TASK_ID": str(job["task"]),
                                   "SLURM_RESTART_COUNT": str(job["restarts"]), "SLURMD_NODENAME": node}
                    output = open(job["output"], "a")
                    child = subprocess.Popen(["bash", job["script"], *job["arguments"]], cwd=job["folder"], env=environment,
                                             stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
                    running[at] = (node, child, time.time())
                    job.update(state="RUNNING", reason="None")
            if not any(job["state"] in LIVE for job in jobs):
                return
        time.sleep(0.05)


def main():
    name = os.path.basename(sys.argv[0])
    if sys.argv[1:] == ["daemon"]:
        return daemon()
    if os.path.exists(os.path.join(FOLDER, "down")):
        sys.exit(f"{name}: error: Unable to contact slurm controller (connect failure)")
    if name == "sacct":
        sys.exit("Slurm accounting storage is disabled")
    {"sbatch": sbatch, "squeue": squeue}[name](sys.argv[1:])


main()
