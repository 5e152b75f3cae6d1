#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Table fault × moment × state directory: what a late console reports, compared with one that watched.

    late_console.py build/release/bin/rankdeckctl [--only NAME,…]

Each fault has a demo cluster of its own (8 ranks on 2 nodes), which one console watches from the beginning. `status` runs once at each
moment: so many seconds after the fault, and when no rank is left. It runs with an empty state directory, and with that of a console
that was closed before the fault. These are the cells.
  `=`        The same ranks are blamed, for a cause of the same kind.
  `silent`   No rank is blamed, and a sentence names the unknown.
  `NOTHING`  No rank is blamed, without a sentence.
  `WRONG`    A rank is blamed that the fault did not touch.
This is a report without assertions.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from faults import Demo, Lines, blamed  # noqa: E402

DIED = {"rank_died", "job_died"}
KINDS = [DIED, {"stalled", "logs_silent"}, {"nan_loss"}, {"disk_full", "save_failed"}, {"node_stale", "node_lost"}]
# name: faults, ranks that they touch, nodes that they touch
FAULTS = {
    "kill": (["KILL:5"], {5}, set()),
    "exit code": (["exit:2"], {2}, set()),
    "exception": (["raise:2"], {2}, set()),
    "out of memory": (["memory:3"], {3}, set()),
    "hang": (["hang:6"], {6}, set()),
    "stopped (SIGSTOP)": (["STOP:6"], {6}, set()),
    "NaN": (["nan:3"], {3}, set()),
    "full disk": (["full"], set(range(8)), set()),
    "node cut": (["cut:node1"], {4, 5, 6, 7}, {"node1"}),
}
MOMENTS = [0, 3, 10, 60, None]  # seconds after the fault; None: when no rank is left, at most two minutes after it


def kind_of(code):
    return next((at for at, kind in enumerate(KINDS) if code in kind), None)


def blames(alarms):
    """(kind, ranks or nodes) of each alarm with a culprit."""
    said = set()
    for alarm in alarms:
        kind = kind_of(alarm["code"])
        whom = alarm["nodes"] if kind == 4 else blamed(alarm)
        if kind is not None and whom:
            said.add((kind, tuple(whom)))
    return said


def look(ctl, job, state):
    done = subprocess.run([ctl, "--json", "--job", job, "--state-dir", state, "status"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True)
    return json.loads(done.stdout)


def cell(said, watched, ranks, nodes, status):
    for kind, whom in said:
        if not set(whom) <= (nodes if kind == 4 else ranks):
            return "WRONG " + "; ".join(alarm["text"] for alarm in status["alarms"])
    if said >= watched and said:
        return "="
    if not said and not watched:
        return "="
    if said & watched or {kind for kind, _ in said} & {kind for kind, _ in watched}:
        return "= (%s)" % "; ".join(alarm["text"] for alarm in status["alarms"])[:160]
    words = [alarm["text"] for alarm in status["alarms"]] + status.get("notes", []) + status.get("awaited", [])
    unknown = [rank["rank"] for rank in status["ranks"] if rank["alive"] is None]
    if words:
        return "silent: " + "; ".join(words)[:200]
    return "NOTHING; unknown ranks %s; watched %s" % (unknown, watched)


def measure(ctl, name):
    faults, ranks, nodes = FAULTS[name]
    with tempfile.TemporaryDirectory() as root:
        demo, lines = Demo(ctl), None
        try:
            before = os.path.join(root, "before")
            common = [ctl, "--json", "--job", demo.job, "--state-dir"]
            lines = Lines(common + [os.path.join(root, "watching"), "watch"])
            lines.until(time.time() + 60, lambda line: line["type"] == "verdict" and line["verdict"] == "VALID")
            subprocess.run(common + [before, "watch", "--for", "15"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for fault in faults:
                demo.send(fault)
            begun, standing, row = time.time(), {}, []
            for moment in MOMENTS:
                until = begun + (120 if moment is None else moment)
                while time.time() < until:
                    for _, line in lines.until(min(until, time.time() + 1)):
                        if line["type"] == "alarm":
                            standing[(line["code"], tuple(line["ranks"]), tuple(line["nodes"]))] = line
                            if line["ended"]:
                                standing = {key: one for key, one in standing.items() if one["code"] != line["code"] or not line["ended"]}
                    if moment is None and not demo.pids():
                        break
                for history in (False, True):
                    state = os.path.join(root, "late-%s-%s" % (moment, history))
                    if history:
                        shutil.copytree(before, state)
                    status = look(ctl, demo.job, state)
                    row.append(cell(blames(status["alarms"]), blames(standing.values()), ranks, nodes, status))
            return row
        finally:
            if lines:
                lines.end()
            demo.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ctl")
    parser.add_argument("--only", default=",".join(FAULTS), metavar="NAME,…")
    arguments = parser.parse_args()
    for name in arguments.only.split(","):
        print("## " + name, flush=True)
        for at, text in enumerate(measure(arguments.ctl, name)):
            moment = MOMENTS[at // 2]
            print("  %-5s %-8s %s" % ("gone" if moment is None else moment, "history" if at % 2 else "fresh", text), flush=True)


main()
