# SPDX-License-Identifier: GPL-3.0-or-later
"""Every instant of a cancel. Two ranks are held at each possible point when the request is taken back. The points are: before their
check, in the step after they have read the request, and before, at and after their exit line. The cancel comes by Ctrl-C in the
console that waits, or by exit --cancel in another console. The ranks continue as soon as the flags are 0, or only after the answer.
In each case, all answers must be true for the ranks.
Usage: cancel_instants.py --bin DIR [--sample N] [--seed S] [--only STAGES:WAY:WHEN] [--jobs N]"""
import argparse
import concurrent.futures
import contextlib
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import types

from worlds import World, until

# Point at which a rank is held → gate of the trainer for it.
GATES = {"unread": "check", "read": "latched", "stepped": "trigger", "farewell": "farewell", "saved": "saved", "gone": None}
LATER = ["stepped", "farewell", "saved", "gone"]  # only when both have read it
STAGES = list(itertools.product(["unread", "read"], repeat=2)) + list(itertools.product(LATER, repeat=2))
WAYS, WHEN = ["interrupt", "command"], ["at_once", "after_the_answer"]


class Instant:
    def __init__(self, ctl, stages, way, when):
        self.world = World(ctl, types.SimpleNamespace(name="instant", fault=""))
        self.stages, self.way, self.when = stages, way, when
        os.mkdir(self.world.path("gates"))

    def gate(self, what, rank, moment):
        return self.world.path("gates", "%s-%d-%s" % (what, rank, moment))

    def hold(self, rank, moment, since=0):
        path = self.gate("hold", rank, moment)
        with open(path + ".tmp", "w") as file:
            file.write("%d" % since)
        os.rename(path + ".tmp", path)

    def newest_step(self):
        steps = [0]
        for rank in range(2):
            with contextlib.suppress(FileNotFoundError), open(self.world.path("job", "sync-first", "at-%d" % rank)) as file:
                steps.append(int(file.read()))
        return max(steps)

    def hold_before_one_check(self):
        """Both at the same step: a rank that is one step ahead would wait for the other for ever."""
        since = self.newest_step() + 20
        for rank in range(2):
            self.hold(rank, "check", since)
        assert self.newest_step() < since, "this machine is too slow to hold both ranks at one step"

    def go_on(self, rank, moment):
        os.remove(self.gate("hold", rank, moment))

    def open_gates(self):
        for name in os.listdir(self.world.path("gates")):
            if name.startswith("hold-"):
                os.remove(self.world.path("gates", name))

    def is_at(self, rank):
        moment = GATES[self.stages[rank]]
        if moment is None:
            return self.world.ranks[rank].poll() is not None
        return os.path.exists(self.gate("at", rank, moment))

    def latched(self):
        return {rank for rank in range(2) if os.path.exists(self.world.path("job", "sync-first", "latched-%d" % rank))}

    def armed(self, console):
        return console.poll() is not None or any(entry["state"] == "armed" for entry in self.world.entries())

    def act(self):
        """[answer] of the console that asked and, if there is one, of the console that cancels."""
        self.hold_before_one_check()
        until("both before their check", lambda: all(os.path.exists(self.gate("at", rank, "check")) for rank in range(2)))
        asks = self.world.console("exit", "--wait", "90")
        until("armed", lambda: self.armed(asks))
        for rank, stage in enumerate(self.stages):
            if stage != "unread" and GATES[stage]:
                self.hold(rank, GATES[stage])
        for rank, stage in enumerate(self.stages):
            if stage != "unread":
                self.go_on(rank, "check")
        until("both where they shall be", lambda: all(self.is_at(rank) for rank in range(2)))
        consoles = [asks]
        if self.way == "interrupt":
            asks.send_signal(signal.SIGINT)
        else:
            consoles.append(self.world.console("exit", "--cancel"))
        over = lambda: all(console.poll() is not None for console in consoles)
        until("the flags back", lambda: over() or (self.when == "at_once" and not any(self.world.flags())), 120)
        self.open_gates()
        return [json.loads(console.communicate(timeout=120)[0]) for console in consoles]

    def ends(self):
        """Whether the run stops: both ranks have read the request."""
        stops = self.latched() == {0, 1}
        if stops:
            until("the end of both ranks", lambda: not self.world.alive())
        return stops

    def faults(self, answer, stops, settled):
        text, faults, latched = answer["text"], [], self.latched()
        for rank in answer["ranks"]:
            note, name = rank.get("note", ""), "rank %d: " % rank["rank"]
            if note == "had not read the request" and rank["rank"] in latched:
                faults.append(name + "is said not to have read it, and has")
            if note.startswith("had read the request") and rank["rank"] not in latched:
                faults.append(name + "is said to have read it, and has not")
        if "no rank had read the request" in text and "according to the logs" not in text and latched:
            faults.append("no rank had read it, but ranks %s had" % sorted(latched))
        if "the run goes on" in text and stops:
            faults.append("the run goes on, but it stops")
        if answer["outcome"] in ("cancel_too_late", "stopped") and not stops:
            faults.append("the run stops, but it goes on")
        if answer["outcome"] == "cancelled" and stops and not ("according to the logs" in text or "may still hold" in text):
            faults.append("cancelled, but the run stops")
        if self.when == "at_once" and stops and answer["outcome"] not in ("cancel_too_late", "stopped"):
            faults.append("the ranks had said their farewell in time, and the answer is " + answer["outcome"])
        return ["%s (%s: %s)" % (fault, answer["outcome"], text) for fault in faults + self.world.is_true(answer, settled)]

    def run(self):
        world, failed = self.world, True
        try:
            world.set_up(("", "", 0, ""))
            answers = self.act()
            stops = self.ends()
            faults = []
            for answer in answers:
                faults += self.faults(answer, stops, True)
            if any(world.flags()):
                faults.append("flags %s are left" % world.flags())
            if not stops:
                steps = [world.steps(rank) for rank in range(2)]
                until("more steps", lambda: all(world.steps(rank) > steps[rank] + 3 for rank in range(2)))
            faults += world.untouched()
            failed = bool(faults)
            return faults, ["%s" % answer["outcome"] for answer in answers]
        except (AssertionError, ValueError, subprocess.TimeoutExpired) as error:
            return ["%s: %s" % (type(error).__name__, error)], []
        finally:
            world.end(failed)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--bin", required=True)
    options.add_argument("--sample", type=int, default=0)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="")
    options.add_argument("--jobs", type=int, default=1)
    options = options.parse_args()
    ctl = os.path.join(options.bin, "rankdeckctl")
    work = list(itertools.product(STAGES, WAYS, WHEN))
    if options.only:
        stages, way, when = options.only.split(":")
        work = [(tuple(stages.split("+")), way, when)]
    elif options.sample:
        work = random.Random(options.seed).sample(work, min(options.sample, len(work)))
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for item, (faults, outcomes) in zip(work, pool.map(lambda item: Instant(ctl, *item).run(), work)):
            bad += bool(faults)
            print("%s %s:%s:%s  %s" % ("FAIL" if faults else "ok  ", "+".join(item[0]), item[1], item[2], ", ".join(outcomes)),
                  flush=True)
            for fault in faults:
                print("     " + fault, flush=True)
    print("%d instants, %d with faults" % (len(work), bad))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
