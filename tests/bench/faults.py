#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Table fault × (seconds to its alarm, right rank, right cost, right offer, false statements afterwards), over the demo cluster.

    faults.py build/release/bin/rankdeckctl [--after SECONDS] [--only NAME,…] [--rounds N]

Each fault has a demo cluster of its own (8 ranks on 2 nodes), which is watched for a while before. A fault may be two at once, come
while a stop is armed, or exist before the console starts. Seconds count from the fault itself. It is a signal, a first line in the log
(a NaN, an error), or the cut of a link. For a console that comes late they count from its start. A statement is false if an alarm of a
code that the fault does not explain begins. It is also false if it blames another rank or node first. The third case is a set that the
fault does not touch and that is called INCOMPLETE, INCONSISTENT or CORRUPT. The alarms are those of the window's banner. Cost and offer
are those of `status` at the end, compared with the files. The cost is the number of steps from the newest complete set of all ranks
(before a NaN) to the newest step of the logs. The offer is its "Resume from" or "Keep". This is a report without assertions.
"""
import argparse
import glob
import json
import os
import queue
import re
import signal
import subprocess
import tempfile
import threading
import time

DIED = {"rank_died", "job_died"}
# name: faults, the first alarm that must come, culprits (ranks, nodes; None: cannot be known), other alarms that may come, whether
# a set may be damaged: by the fault itself, or because it happened during a save
FAULTS = {
    "kill one": (["KILL:5"], DIED, [5], None, {"stalled"}, True),
    "kill all": (["KILL:0-7"], DIED, None, None, set(), True),
    "kill two on two nodes": (["KILL:1,6"], DIED, [1, 6], None, {"stalled"}, True),
    "raise": (["raise:2"], DIED, [2], None, {"stalled"}, True),
    "stop one (SIGSTOP)": (["STOP:6"], {"stalled"}, [6], None, DIED, True),
    "hang": (["hang:6"], {"stalled"}, [6], None, DIED, True),
    "NaN in one": (["nan:3"], {"nan_loss"}, [3], None, {"nothing_valid"}, True),
    "NaN in all": (["nan:%d" % rank for rank in range(8)], {"nan_loss"}, None, None, {"nothing_valid"}, True),
    "torn file": (["tear:2"], set(), None, None, {"nothing_valid"}, True),
    "link cut": (["cut:node1"], {"node_stale", "node_lost"}, None, ["node1"], set(), False),
    "both links cut": (["cut:node0", "cut:node1"], {"node_stale", "node_lost"}, None, ["node0", "node1"], set(), False),
    "link that swallows": (["hole:node1"], {"node_stale", "node_lost"}, None, ["node1"], set(), False),
    "disk full": (["full"], {"disk_full"} | DIED, None, None, {"stalled", "save_failed"} | DIED, True),
    "disk full on one node": (["full:node1"], {"disk_full"} | DIED, [4, 5, 6, 7], None, {"stalled", "save_failed"} | DIED, True),
    "node gone (sshd and ranks)": (["cut:node1", "KILL:4-7"], {"node_stale", "node_lost"}, None, ["node1"], {"stalled"} | DIED, True),
    "kill and cut the other": (["cut:node1", "KILL:1"], DIED, [1], None, {"node_stale", "node_lost", "stalled"}, True),
    "hang and cut the other": (["cut:node1", "STOP:2"], {"stalled"}, [2], None, {"node_stale", "node_lost"} | DIED, False),
    "hang while armed": (["STOP:6", "EXIT"], {"stalled", "stop_stuck"}, [6], None, {"stop_stuck", "left_armed"} | DIED, False),
    "kill while armed": (["EXIT", "KILL:5"], DIED, [5], None, {"stop_stuck", "stalled", "left_armed"}, True),
    "kill while NaN": (["nan:3", "WAIT:8", "KILL:5"], {"nan_loss"}, [3, 5], None, DIED | {"stalled", "nothing_valid"}, True),
    "stop while NaN": (["nan:3", "WAIT:8", "EXIT"], {"nan_loss"}, [3], None, {"nothing_valid", "left_armed"}, True),
    "late to a kill": (["LATE", "KILL:5"], DIED, [5], None, {"stalled", "note"}, True),
    "late to all killed": (["LATE", "KILL:0-7"], {"stalled"} | DIED, None, None, {"note"}, True),
    "late to a kill and its victims": (["LATE", "KILL:5", "WAIT:35"], DIED, [5], None, {"stalled", "note"}, True),
    "late to a raise": (["LATE", "raise:2"], DIED, [2], None, {"stalled", "note"}, True),
    "late to a hang": (["LATE", "STOP:6"], {"stalled"} | DIED, [6], None, DIED | {"note"}, True),
    "late to a NaN": (["LATE", "nan:3"], {"nan_loss"}, [3], None, {"nothing_valid", "note"}, True),
    "late to a full disk": (["LATE", "full"], {"disk_full"} | DIED, None, None, {"stalled", "save_failed", "note"} | DIED, True),
    "late to two deaths": (["LATE", "KILL:1,6"], DIED, [1, 6], None, {"stalled", "note"}, True),
    "late to a kill while NaN": (["LATE", "nan:3", "WAIT:8", "KILL:5"], {"nan_loss"} | DIED, [3, 5], None,
                                 DIED | {"stalled", "nothing_valid", "note", "nan_loss"}, True),
    "nothing at all": ([], set(), None, None, set(), False),
}
# Text in the log of a rank once the fault has happened there.
TOLD_BY_LOG = {"nan": b"loss is nan", "raise": b"injected failure", "memory": b"alloc failed", "full": b"OSError"}


class Lines:
    """Output of the watch, with the time of each line."""

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


class Demo:
    """A demo cluster of its own, and the true state of its files."""

    def __init__(self, ctl):
        self.process = subprocess.Popen([ctl, "--json", "demo", "--ranks", "8", "--nodes", "2"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        told = json.loads(self.process.stdout.readline())
        self.job, self.directory = told["job"], told["directory"]
        self.happened = None             # time of the last fault

    def files(self, pattern):
        return glob.glob(os.path.join(self.directory, "**", pattern), recursive=True)

    def pids(self):
        """Rank to pid, for living ranks."""
        found = {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/environ" % name, "rb") as file:
                    text = file.read()
                with open("/proc/%s/cmdline" % name, "rb") as file:
                    ours = self.directory.encode() in file.read()
            except OSError:
                continue
            rank = re.search(rb"(?:^|\0)RANK_ID=(\d+)", text)
            if rank and ours:
                found[int(rank.group(1))] = int(name)
        return found

    def send(self, fault):
        if fault.startswith(("KILL:", "STOP:")):
            number = signal.SIGKILL if fault.startswith("KILL") else signal.SIGSTOP
            pids = self.pids()
            self.happened = time.time()
            for part in fault[5:].split(","):
                first, _, last = part.partition("-")
                for rank in range(int(first), int(last or first) + 1):
                    os.kill(pids[rank], number)
            return
        self.process.stdin.write(fault + "\n")
        self.process.stdin.flush()
        self.happened = time.time()
        told = TOLD_BY_LOG.get(fault.split(":")[0])
        while told and time.time() < self.happened + 20:
            if any(told in read_end(log) for log in self.files("worker_*.log")):
                self.happened = time.time()
                return
            time.sleep(0.01)

    def newest_step(self):
        return max((step for log in self.files("worker_*.log") for step in steps_of(log)), default=0)

    def newest_set(self):
        """The newest step at which all ranks have a whole file, from before the first NaN."""
        first_nan = min((steps_of(log, b"nan")[0] for log in self.files("worker_*.log") if steps_of(log, b"nan")), default=1 << 60)
        by_step = {}
        for path in self.files("*.ckpt"):
            name = re.match(r".*-(\d+)_(\d+)\.ckpt$", path)
            if name:
                by_step.setdefault((int(name.group(1)) - 1) * self.epoch() + int(name.group(2)), []).append(os.path.getsize(path))
        whole = [step for step, sizes in by_step.items() if len(sizes) == 8 and min(sizes) == max(sizes) and step < first_nan]
        return max(whole, default=None)

    def epoch(self):
        for log in self.files("worker_0.log"):
            with open(log, "rb") as file:
                told = re.search(rb"Train epoch time: ([\d.]+) ms, per step time: ([\d.]+) ms", file.read())
            if told:
                return round(float(told.group(1)) / float(told.group(2)))
        return 1 << 40                   # in the first epoch the step is the position

    def end(self):
        for pid in self.pids().values():
            os.kill(pid, signal.SIGCONT)
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def read_end(path):
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.path.getsize(path) - 4096))
            return file.read()
    except OSError:
        return b""


def steps_of(log, loss=rb"\S+"):
    with open(log, "rb") as file:
        text = file.read()
    told = re.search(rb"Train epoch time: ([\d.]+) ms, per step time: ([\d.]+) ms", text)
    epoch = round(float(told.group(1)) / float(told.group(2))) if told else 0
    return [(int(at.group(1)) - 1) * epoch + int(at.group(2)) for at in re.finditer(rb"epoch: (\d+) step: (\d+), loss is " + loss + rb"\n", text)]


def blamed(line):
    """The ranks that the others wait for, if any. No rank if none stands out or all are victims. Otherwise the first rank of the
    alarm."""
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
        taken = line["type"] == "verdict" and any(reason["code"] == "pruned" for reason in line["reasons"])  # removed by rotation, which is true
        if line["type"] == "verdict" and not bad_sets and not taken and line["verdict"] in ("INCOMPLETE", "INCONSISTENT", "CORRUPT"):
            wrong.append("set " + line["id"] + " " + line["verdict"])
    return sorted(set(wrong), key=wrong.index)


def cost_and_offer(demo, common, blind):
    """Compares the final `status` with the files: ("right", or the reported and the true value) twice."""
    before = demo.newest_step(), demo.newest_set()
    said = json.loads(subprocess.run(common + ["status"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout)
    after = demo.newest_step(), demo.newest_set()
    lost, sets = said["lost_work"], {before[1], after[1]} - {None}
    true = [newest - whole for newest in (before[0], after[0]) for whole in sets or {0}]     # from the start if no set is left
    if lost is None:
        cost = "none told"
    else:
        fits = min(true) - 1 <= lost["steps"] <= max(true) + 1
        cost = "right" if fits or (lost["at_most"] and blind) else "%d, true %s" % (lost["steps"], true)
    offers = [int(at.replace(",", "")) for alarm in said["alarms"] for at in re.findall(r"(?:Resume from|Keep) ([\d,]+\d|\d)", alarm["fix"])]
    wrong = [offer for offer in offers if offer not in sets]
    return cost, ("right" if offers else "none") if not wrong or blind else "%s, true %s" % (wrong, sorted(sets))


def measure(ctl, name, after):
    faults, first, ranks, nodes, also, bad_sets = FAULTS[name]
    with tempfile.TemporaryDirectory() as state:
        demo, exits = Demo(ctl), None
        try:
            common = [ctl, "--json", "--job", demo.job, "--state-dir", state]
            late = "LATE" in faults
            lines = None if late else Lines(common + ["watch"])
            if late:
                time.sleep(30)
                before = []
            else:  # time for some sets and for the usual silence
                before = lines.until(time.time() + 60, lambda line: line["type"] == "verdict" and line["verdict"] == "VALID")
                before += lines.until(time.time() + 15)
            begun = None
            for fault in faults:
                if fault == "EXIT":
                    exits = subprocess.Popen(common + ["exit", "--wait", str(after)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    time.sleep(0.3 if fault != faults[-1] else 0)
                elif fault.startswith("WAIT:"):
                    time.sleep(float(fault[5:]))
                elif fault != "LATE":
                    demo.send(fault)
                    begun = begun or demo.happened
            begun = begun or time.time()
            if late:
                time.sleep(10)
                begun, lines = time.time(), Lines(common + ["watch"])
            said = lines.until(begun + after)
            cost, offer = cost_and_offer(demo, common, nodes is not None or "cut the other" in name)
            lines.end()
        finally:
            if exits is not None:
                exits.send_signal(signal.SIGINT)
                exits.wait()
            demo.end()
    told = [(at - begun, line) for at, line in said if line["type"] == "alarm" and not line["ended"] and line["code"] in first]
    wrong = false_statements(before, set(), None, None, set(), False) + false_statements(said, first, ranks, nodes, also, bad_sets)
    who = "-" if not told or not (ranks or nodes) else "no" if blames_wrongly(told[0][1], ranks, nodes) else \
        "yes" if nodes or blamed(told[0][1]) else "nobody is blamed"
    return (told[0][0] if told else None), who, cost, offer, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ctl")
    parser.add_argument("--after", type=float, default=180, metavar="SECONDS", help="how long statements are looked at")
    parser.add_argument("--only", default=",".join(FAULTS), metavar="NAME,…")
    parser.add_argument("--rounds", type=int, default=1, metavar="N")
    arguments = parser.parse_args()
    print("| fault | seconds to its alarm | right rank or node | cost | offer | false statements in the %.0f s after | load |\n"
          "|---|---|---|---|---|---|---|" % arguments.after, flush=True)
    for name in arguments.only.split(",") * arguments.rounds:
        seconds, who, cost, offer, wrong = measure(arguments.ctl, name, arguments.after)
        told = "none is due" if not FAULTS[name][1] else "never" if seconds is None else "%.1f" % seconds
        print("| %s | %s | %s | %s | %s | %s | %.0f |" % (name, told, who, cost, offer, "; ".join([str(len(wrong))] + wrong),
                                                        os.getloadavg()[0]), flush=True)


if __name__ == "__main__":
    main()
