"""A worker that misbehaves: its first argument says how, by its number; the second one is only there to be found by."""

import json
import os
import random
import sys
import time

DICE = random.Random(int(sys.argv[1]))
EVIL = ["\x1b]0;title\x07", "\u202egnp", "a\rb", "x" * 100000, "", "../../../etc/passwd", "=cmd|' /C calc'!A0", "\x00", "é" * 300]
NUMBERS = [0, -1, 1, 18446744073709551615, 18446744073709551616, -9223372036854775809, 1e308, 1e-308, float("nan"), float("inf"), 0.5]


def evil(value):
    kind = DICE.randrange(6)
    if kind == 0:
        return DICE.choice(EVIL)
    if kind == 1:
        return DICE.choice(NUMBERS)
    if kind == 2:
        return None
    if kind == 3:
        return [value] * DICE.choice([0, 2, 3000])
    if kind == 4:
        return {"nested": value}
    return value


def say(event, **facts):
    trick = DICE.randrange(14)
    if trick == 0:
        print("Segmentation fault (just joking)", flush=True)
    elif trick == 1:
        os.write(1, bytes(DICE.randrange(256) for _ in range(300)) + b"\n")
    elif trick == 2:
        os.write(1, b"{" * 200000 + b"\n")
    elif trick == 3:
        while True:
            os.write(1, b"x" * 65536)
    elif trick == 4:
        time.sleep(3600)
    elif trick == 5:
        sys.stderr.write("\x1b[2J\x1b]52;c;ZXZpbA==\x07" + "y" * 1000000 + "\n")
        os._exit(DICE.choice([0, 1, 139]))
    elif trick == 6:
        os.kill(os.getpid(), DICE.choice([6, 9, 11, 15]))
    elif trick == 7:
        leave()
    if facts and DICE.random() < 0.5:
        key = DICE.choice(sorted(facts))
        facts[key] = evil(facts[key])
    line = json.dumps({"event": event, **facts})
    print(line, flush=True)
    if trick == 8:
        print(line, flush=True)


def leave():
    """Children that leave the group and the session, and that nobody waits for."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in range(3):
                os.close(number)
        time.sleep(3600)


def main():
    say("hello", protocol=1, worker="hostile 1", framework="firelight", framework_version="1.2", devices=[{"id": "cpu"}],
        networks=["deepnet-50"], build={})
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "prepare":
            say("ready", parameters=1000000, multiply_adds=2000000, input_shape=[1, 2, 3], counts="image", timed="one forward pass",
                overhead_ns=10.0, threads=1)
        elif request["do"] == "iterate":
            times = []
            for _ in range(request["count"]):
                start = time.monotonic_ns()
                time.sleep(0.0005)
                times.append(time.monotonic_ns() - start)
            if DICE.random() < 0.1:
                times = [DICE.choice([0, 1, 18446744073709551615]) for _ in times]
            say("samples", host_ns=times, loss=None)
        elif request["do"] == "evaluate":
            say("evaluated", error_rate=0.25, samples=4)
        else:
            say("done")
            return


main()
