#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Table fault × (seconds to its alarm, the right rank first, false statements afterwards), over the demo cluster.

    faults.py build/release/bin/rankdeckctl [--after SECONDS] [--only NAME,…]

Each fault has a demo cluster of its own (8 ranks on 2 nodes) that is watched for a while before; a fault may be two at once, come while
a stop is armed, or be there before the console. A statement is false when an alarm of another code than the fault explains begins, when
it blames another rank or node first, or when a set that a fault does not touch is called INCOMPLETE, INCONSISTENT or CORRUPT. The alarms
are those of the window's banner. A report, no test: it asserts nothing.
"""
import argparse
import json
import queue
import re
import signal
import subprocess
import tempfile
import threading
import time

DIED = {"rank_died", "job_died"}
# name: faults, the first alarm that must come, who is to blame (ranks, nodes; None: nobody can be told), what else may be said,
# whether a set may be spoilt: by the fault itself, or because it came into a save
FAULTS = {
    "kill one": (["kill:5"], DIED, [5], None, {"stalled"}, True),
    "kill two on two nodes": (["kill:1", "kill:6"], DIED, [1, 6], None, {"stalled"}, True),
    "raise": (["raise:2"], DIED, [2], None, {"stalled"}, True),
    "hang": (["hang:6"], {"stalled"}, [6], None, DIED, True),
    "NaN in one": (["nan:3"], {"nan_loss"}, [3], None, {"nothing_valid"}, True),
    "torn file": (["tear:2"], set(), None, None, {"nothing_valid"}, True),
    "link cut": (["cut:node1"], {"node_stale", "node_lost"}, None, ["node1"], set(), False),
    "both links cut": (["cut:node0", "cut:node1"], {"node_stale", "node_lost"}, None, ["node0", "node1"], set(), False),
    "disk full": (["full"], {"disk_full"} | DIED, None, None, {"stalled", "save_failed"} | DIED, True),
    "disk full on one node": (["full:node1"], {"disk_full"} | DIED, [4, 5, 6, 7], None, {"stalled", "save_failed"} | DIED, True),
    "kill and cut the other": (["cut:node1", "kill:1"], DIED, [1], None, {"node_stale", "node_lost", "stalled"}, True),
    "hang and cut the other": (["cut:node1", "hang:2"], {"stalled"}, [2], None, {"node_stale", "node_lost"} | DIED, False),
    "hang while armed": (["hang:6", "EXIT"], {"stalled", "stop_stuck"}, [6], None, {"stop_stuck", "left_armed"} | DIED, False),
    "kill while armed": (["EXIT", "kill:5"], DIED, [5], None, {"stop_stuck", "stalled", "left_armed"}, True),
    "kill while NaN": (["nan:3", "WAIT:8", "kill:5"], {"nan_loss"}, [3, 5], None, DIED | {"stalled", "nothing_valid"}, True),
    "stop while NaN": (["nan:3", "WAIT:8", "EXIT"], {"nan_loss"}, [3], None, {"nothing_valid", "left_armed"}, True),
    "console started late": (["LATE", "kill:5"], DIED, [5], None, {"stalled", "note"}, True),
    "late to a raise": (["LATE", "raise:2"], DIED, [2], None, {"stalled", "note"}, True),
    "late to a hang": (["LATE", "hang:6"], {"stalled"} | DIED, [6], None, DIED | {"note"}, True),
    "late to a NaN": (["LATE", "nan:3"], {"nan_loss"}, [3], None, {"nothing_valid", "note"}, True),
    "late to a full disk": (["LATE", "full"], {"disk_full"} | DIED, None, None, {"stalled", "save_failed", "note"} | DIED, True),
    "late to two deaths": (["LATE", "kill:1", "kill:6"], DIED, [1, 6], None, {"stalled", "note"}, True),
    "late to a kill while NaN": (["LATE", "nan:3", "WAIT:8", "kill:5"], {"nan_loss"} | DIED, [3, 5], None,
                                 DIED | {"stalled", "nothing_valid", "note", "nan_loss"}, True),
    "nothing at all": ([], set(), None, None, set(), False),
}


class Lines:
    """What the watch says, with the time at which it came."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.queue = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for text in self.process.stdout:
            self.queue.put((time.time(), json.loads(text)))

    def until(self, end, stop=lambda line: False):
        seen = []
        while time.time() < end:
            try:
                seen.append(self.queue.get(timeout=max(0.01, end - time.time())))
            except queue.Empty:
                break
            if stop(seen[-1][1]):
                break
        return seen

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def blamed(line):
    """Whom the others wait for where they do; nobody where none stands out or all are victims; else who stands first."""
    waited = re.search(r"wait(?:s|ing) for ranks? ([0-9]+)", line["text"])
    if waited:
        return [int(waited.group(1))]
    tells = {"stalled": "hang" in line["text"], "nan_loss": " first" in line["text"]}
    victims = "its exchange with another rank failed" in line["text"]
    return line["ranks"][:1] if tells.get(line["code"], True) and not victims else []


def blames_wrongly(line, ranks, nodes):
    if line["code"] in DIED | {"stalled", "nan_loss", "stop_stuck"} and ranks:
        return not set(blamed(line)) <= set(ranks)
    return line["code"] in ("node_stale", "node_lost") and bool(nodes) and not set(line["nodes"]) <= set(nodes)


def false_statements(lines, first, ranks, nodes, also, bad_sets):
    wrong = []
    for _, line in lines:
        if line["type"] == "alarm" and not line["ended"] and (line["code"] not in first | also or blames_wrongly(line, ranks, nodes)):
            wrong.append(line["text"])
        taken = line["type"] == "verdict" and any(reason["code"] == "pruned" for reason in line["reasons"])  # by rotation: so it is
        if line["type"] == "verdict" and not bad_sets and not taken and line["verdict"] in ("INCOMPLETE", "INCONSISTENT", "CORRUPT"):
            wrong.append("set " + line["id"] + " " + line["verdict"])
    return sorted(set(wrong), key=wrong.index)


def measure(ctl, name, after):
    faults, first, ranks, nodes, also, bad_sets = FAULTS[name]
    with tempfile.TemporaryDirectory() as state:
        demo = subprocess.Popen([ctl, "--json", "demo", "--ranks", "8", "--nodes", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True)
        exits = None
        try:
            common = [ctl, "--json", "--job", json.loads(demo.stdout.readline())["job"], "--state-dir", state]
            late = "LATE" in faults
            lines = None if late else Lines(common + ["watch"])
            if late:
                time.sleep(30)
            else:  # some sets, some usual silences
                before = lines.until(time.time() + 60, lambda line: line["type"] == "verdict" and line["verdict"] == "VALID")
                before += lines.until(time.time() + 15)
            begun = time.time()
            for fault in faults:
                if fault == "EXIT":
                    exits = subprocess.Popen(common + ["exit", "--wait", str(after)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                elif fault.startswith("WAIT:"):
                    time.sleep(float(fault[5:]))
                elif fault != "LATE":
                    demo.stdin.write(fault + "\n")
                    demo.stdin.flush()
            if late:
                time.sleep(10)
                begun, before, lines = time.time(), [], Lines(common + ["watch"])
            said = lines.until(begun + after)
            lines.end()
        finally:
            for process in (exits, demo):
                if process is not None:
                    process.send_signal(signal.SIGINT)
                    process.wait()
    told = [at - begun for at, line in said if line["type"] == "alarm" and not line["ended"] and line["code"] in first]
    wrong = false_statements(before, set(), None, None, set(), False) + false_statements(said, first, ranks, nodes, also, bad_sets)
    return (told[0] if told else None), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ctl")
    parser.add_argument("--after", type=float, default=180, metavar="SECONDS", help="how long statements are looked at")
    parser.add_argument("--only", default=",".join(FAULTS), metavar="NAME,…")
    arguments = parser.parse_args()
    print("| fault | seconds to its alarm | false statements in the %.0f s after |\n|---|---|---|" % arguments.after, flush=True)
    for name in arguments.only.split(","):
        seconds, wrong = measure(arguments.ctl, name, arguments.after)
        told = "none is due" if not FAULTS[name][1] else "never" if seconds is None else "%.1f" % seconds
        print("| %s | %s | %s |" % (name, told, "; ".join([str(len(wrong))] + wrong)), flush=True)


main()
