# SPDX-License-Identifier: GPL-3.0-or-later
"""Every crash point of an action. Runs an exit, a cancel, a force stop, a resume and a resume that is rolled back once each on two
local nodes. Numbers every request that the action makes to a node and every entry of the journal. Then repeats the run once for
each number and each fault, and once more with a fresh console after it. Checks the world (processes, files, flags), and that the
answers are true for it.
Usage: crash_points.py --bin DIR [--sample N] [--seed S] [--scenario NAME,…] [--only NODE[:KIND:NUMBER:FAULT]] [--jobs N]
--sample N: N points chosen by the seed; without it, every one. NODE may be "journal"."""
import argparse
import concurrent.futures
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

from resume_world import ResumeWorld
from worlds import NODES, World, until
from leftovers import content, processes_of

HERE = os.path.dirname(os.path.abspath(__file__))
BEFORE_AND_AFTER = ["answer_lost", "answer_lost_away", "dies", "dies_away", "ESTALE", "EIO", "ENOSPC", "EIO_after", "late",
                    "hang", "console_killed", "console_killed_after", "second_same", "second_opposite"]
ALIAS = ["second_alias"]  # the same action by a job file of another name over the same directories
ENTRY_FAULTS = ["at", "after", "ENOSPC", "ENOSPC_stays", "torn", "EIO"]
SLOW = {"hang"}
MOST_OF_A_KIND = 24  # a console that waits repeats the same question


class Scenario:
    def __init__(self, name, world, fault, words, opposite, refused=False):
        self.name, self.world, self.fault, self.words, self.opposite, self.refused = name, world, fault, words, opposite, refused


SCENARIOS = [Scenario("exit", World, "", ["exit", "--wait", "20"], ["exit", "--cancel"]),
             Scenario("cancel", World, "deaf", ["exit", "--wait", "60"], ["exit", "--wait", "3"]),
             Scenario("kill", World, "swallow", ["exit", "--wait", "1", "--escalate", "kill"], ["exit", "--cancel"]),
             Scenario("resume", ResumeWorld, "", ["resume", "--wait", "20"], ["exit", "--wait", "3"]),
             Scenario("rollback", ResumeWorld, "", ["resume", "--wait", "20"], ["exit", "--wait", "3"], refused=True)]


def act(world, preload=None):
    """Runs the scenario's action in one console; if the fault asks for it, a second console starts. Returns the answer, or None."""
    open(world.path("counting"), "w").close()
    console = world.console(*world.scenario.words, preload=preload)
    with open(world.path("console.pid"), "w") as file:
        file.write(str(console.pid))
    second, cancelled, begun = None, False, time.monotonic()
    while console.poll() is None:
        if os.path.exists(world.path("second")) and second is None:
            second = world.console(*world.second_words, alias=world.alias)
            os.remove(world.path("counting"))     # questions of the second console are not numbered
        if second is not None and (second.poll() is not None or time.monotonic() > begun + 15):
            open(world.path("second.done"), "w").close()
        if world.scenario.name == "cancel" and not cancelled and \
                any(entry["state"] == "armed" for entry in world.entries()):
            cancelled = True
            console.send_signal(signal.SIGINT)
        if time.monotonic() > begun + 150:
            console.kill()
            raise AssertionError("the console did not end in 150 s")
        time.sleep(0.02)  # wait: poll
    out = console.stdout.read()
    answers = [json.loads(out)] if out.strip() else []
    if second is not None:
        text = second.communicate(timeout=150)[0]
        answers += [json.loads(text)] if text.strip() else []
    if os.path.exists(world.path("counting")):
        os.remove(world.path("counting"))
    return answers, console.returncode


def run(ctl, scenario, point):
    """One run with one fault: (NODE, KIND, NUMBER, FAULT), or ("journal", library, NUMBER, FAULT of the entry), or none."""
    world, failed = scenario.world(ctl, scenario), True
    try:
        fault = point if point and point[0] in NODES else ("", "", 0, "")
        world.second_words = scenario.opposite if fault[3] == "second_opposite" else scenario.words
        world.alias = fault[3] in ALIAS
        world.set_up(fault)
        preload = None
        if point and point[0] == "journal":
            preload = {"LD_PRELOAD": point[1], "JOURNAL_FAULT": point[3], "JOURNAL_AT": str(point[2])}
        answers, code = act(world, preload)
        if os.path.exists(world.path("late.pid")):
            late = int(content(world.path("late.pid")))
            until("the end of the late request", lambda: late not in processes_of(world.root))
        faults = world.untouched()
        for answer in answers:
            faults += world.is_true(answer, len(answers) == 1)
        unreached = code == 3 and not world.entries()     # a node was away before anything was begun
        if not answers and code >= 0 and not unreached:
            faults.append("no answer, exit code %d" % code)
        fired = not point or point[0] == "journal" or os.path.exists(world.path("fired"))
        orders = {}
        for node in NODES:
            if os.path.exists(world.path(node + ".order")):
                with open(world.path(node + ".order")) as file:
                    orders[node] = file.read().split()
        journal = len(world.entries())
        faults += world.fresh_console()
        if faults:
            faults.append("journal: " + "; ".join("%(kind)s %(state)s" % entry for entry in world.entries()))
        failed = bool(faults)
        return faults, fired, orders, journal
    except (AssertionError, ValueError, subprocess.TimeoutExpired) as error:
        return ["%s: %s" % (type(error).__name__, error)], True, {}, 0
    finally:
        world.end(failed)


def points_of(ctl, scenario, library):
    faults, _, orders, journal = run(ctl, scenario, None)
    if faults:
        raise SystemExit("%s without any fault: %s" % (scenario.name, "; ".join(faults)))
    points = [(node, kind, number + 1, fault) for node in NODES for kind in sorted(set(orders[node]))
              for number in range(min(MOST_OF_A_KIND, orders[node].count(kind)))
              for fault in BEFORE_AND_AFTER + (ALIAS if scenario.world is ResumeWorld else [])]
    points += [("journal", library, number + 1, fault) for number in range(journal) for fault in ENTRY_FAULTS]
    print("%s: %s requests, %d journal entries: %d points" % (
        scenario.name, " + ".join("%s %d" % (node, len(orders[node])) for node in NODES), journal, len(points)), flush=True)
    return points


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--bin", required=True)
    options.add_argument("--sample", type=int, default=0)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--scenario", default="")
    options.add_argument("--only", default="")
    options.add_argument("--jobs", type=int, default=1)
    options = options.parse_args()
    ctl = os.path.join(options.bin, "rankdeckctl")
    with tempfile.TemporaryDirectory(prefix="rankdeck-crash-lib-") as folder:
        library = os.path.join(folder, "journal_faults.so")
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", library, os.path.join(HERE, "journal_faults.c"), "-ldl"],
                       check=True)
        sys.exit(run_all(ctl, options, library))


def run_all(ctl, options, library):
    work = []
    for scenario in SCENARIOS:
        if options.scenario and scenario.name not in options.scenario.split(","):
            continue
        if ":" in options.only:
            node, kind, number, fault = options.only.split(":")
            points = [(node, library if node == "journal" else kind, int(number), fault)]
        else:
            points = [point for point in points_of(ctl, scenario, library) if options.only in ("", point[0])]
        work += [(scenario, point) for point in points]
    if options.sample and ":" not in options.only:
        quick = [item for item in work if item[1][3] not in SLOW]
        work = random.Random(options.seed).sample(quick, min(options.sample, len(quick)))
    bad = missed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (scenario, point), (faults, fired, _, _) in zip(work, pool.map(lambda item: run(ctl, *item), work)):
            missed += not fired
            bad += bool(faults)
            name = "%s %s" % (scenario.name, ":".join("entry" if part == library else str(part) for part in point))
            print(("FAIL " if faults else "ok   ") + name + ("" if fired else " (not reached)"), flush=True)
            for fault in faults:
                print("     " + fault, flush=True)
    print("%d points, %d not reached, %d with faults" % (len(work), missed, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    main()
