# SPDX-License-Identifier: GPL-3.0-or-later
"""Every crash point of an act. Runs an exit, a cancel and a kill ladder once each on two local nodes, numbers every
request that the act makes of a node and every entry of the journal, then repeats the run once for each number and each
fault, and once more with a fresh console after it. Checks the world (processes, files, flags), and that what was answered
is true of it.
Usage: crash_points.py --bin DIR [--sample N] [--seed S] [--scenario NAME] [--only NODE:KIND:NUMBER:FAULT] [--jobs N]
--sample N: N points chosen by the seed; without it, every one."""
import argparse
import concurrent.futures
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
RANK = os.path.join(HERE, "..", "core", "recover", "fake_rank.py")
BEFORE_AND_AFTER = ["answer_lost", "answer_lost_away", "dies", "dies_away", "ESTALE", "EIO", "ENOSPC", "EIO_after", "late",
                    "hang", "console_killed", "console_killed_after", "second_same", "second_opposite"]
SLOW = {"hang"}
MOST_OF_A_KIND = 24  # what waits asks the same question again and again
NODES = ["n0", "n1"]
CONFIG = '{\n  "comment": "kept",\n  "GracefulExit": %d\n}\n'


class World:
    """One job of two ranks on two nodes of this machine, a stranger in the same directory, and a console's state."""

    def __init__(self, ctl, scenario):
        self.ctl, self.scenario = ctl, scenario
        self.root = tempfile.mkdtemp(prefix="rankdeck-crash-")
        self.job, self.state = os.path.join(self.root, "job"), os.path.join(self.root, "state")
        for folder in ("job", "job/log", "state"):
            os.makedirs(os.path.join(self.root, folder))
        self.ranks = []

    def path(self, *names):
        return os.path.join(self.root, *names)

    def set_up(self, fault):
        for node in NODES:
            with open(self.path("job", node + ".json"), "w") as file:
                file.write(CONFIG % 0)
            wrapper = self.path(node + ".python")
            hook = "WORLD, NODE, FAULT = %r, %r, %r\nexec(open(%r).read())\n" % (
                self.root, node, fault, os.path.join(HERE, "probe_faults.py"))
            with open(self.path(node + ".hook.py"), "w") as file:
                file.write(hook)
            with open(wrapper, "w") as file:
                file.write('#!/bin/sh\n[ -e %s ] && exit 1\nif [ "$3" = rankdeck-probe ]; then exec /usr/bin/python3 -ISBc '
                           '"exec(open(\'%s\').read())\n$2" rankdeck-probe; fi\nexec /usr/bin/python3 "$@"\n'
                           % (self.path("away." + node), self.path(node + ".hook.py")))
            os.chmod(wrapper, 0o700)
        with open(self.path("job.rankdeck.json"), "w") as file:
            json.dump({"rankdeck": 1, "name": "crash", "world_size": 2, "framework": "mindspore", "steps_per_epoch": 10,
                       "nodes": [{"name": node, "host": "local", "ranks": [rank], "python": self.path(node + ".python")}
                                 for rank, node in enumerate(NODES)],
                       "logs": {"path": self.path("job/log/worker_{rank}.log")},
                       "checkpoints": {"path": self.path("job/ckpt/rank_{rank}")},
                       "graceful_exit": {"config": self.path("job/{node}.json"),
                                         "saves": self.path("job/ckpt/rank_{rank}/LeNet5_train.ckpt")},
                       "launch": {"recipe": "command", "workdir": self.job,
                                  "command": ["python3", RANK, "--resume", "{checkpoint}"]}}, file)
        for rank, node in enumerate(NODES):
            self.start_rank(rank, node)
        self.stranger = subprocess.Popen(["sleep", "1000"], cwd=self.job, stdout=subprocess.DEVNULL,
                                         env=dict(os.environ, MS_ROLE="MS_WORKER", MS_NODE_ID="9", RANK_ID="9"))
        until("steps", lambda: all(self.steps(rank) >= 6 for rank in range(2)))

    def start_rank(self, rank, node):
        env = dict(os.environ, MS_ROLE="MS_WORKER", MS_NODE_ID=str(rank), RANK_ID=str(rank), RANK_SIZE="2", DEVICE_ID="0",
                   FAKE_JOB=self.job, FAKE_CONFIG=self.path("job", node + ".json"), MS_ENABLE_GRACEFUL_EXIT="1",
                   RANKDECK_LAUNCH_ID="first." + node, FAKE_FAULT=self.scenario.fault)
        with open(self.path("job/log/worker_%d.log" % rank), "w") as log:
            self.ranks.append(subprocess.Popen([sys.executable, RANK], cwd=self.job, stdout=log, stderr=log, env=env,
                                               start_new_session=True))

    def steps(self, rank):
        with open(self.path("job/log/worker_%d.log" % rank)) as log:
            return log.read().count(", loss is ")

    def alive(self):
        return [rank for rank, process in enumerate(self.ranks) if process.poll() is None]

    def flags(self):
        values = []
        for node in NODES:
            with open(self.path("job", node + ".json")) as file:
                text = file.read()
            if '"comment": "kept"' not in text:
                raise AssertionError("the rest of %s.json is lost: %r" % (node, text))
            values.append(json.loads(text)["GracefulExit"])
        return values

    def console(self, *words, preload=None):
        env = dict(os.environ, **(preload or {}))
        return subprocess.Popen([self.ctl, "--json", "--job", self.path("job.rankdeck.json"), "--state-dir", self.state,
                                 "--timeout", "20"] + list(words), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                stdin=subprocess.DEVNULL, env=env)

    def entries(self):
        path = os.path.join(self.state, "journal.jsonl")
        if not os.path.exists(path):
            return []
        with open(path) as file:
            return [json.loads(line) for line in file.read().splitlines() if line.endswith("}")]

    def end(self):
        for process in self.ranks + [self.stranger]:
            if process.poll() is None:
                process.kill()
            process.wait()
        shutil.rmtree(self.root, ignore_errors=True)


class Scenario:
    def __init__(self, name, fault, words, opposite):
        self.name, self.fault, self.words, self.opposite = name, fault, words, opposite


SCENARIOS = [Scenario("exit", "", ["exit", "--wait", "20"], ["exit", "--cancel"]),
             Scenario("cancel", "deaf", ["exit", "--wait", "60"], ["exit", "--wait", "3"]),
             Scenario("kill", "swallow", ["exit", "--wait", "1", "--escalate", "kill"], ["exit", "--cancel"])]


def until(what, test, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if test():
            return
        time.sleep(0.02)
    raise AssertionError("not in time: " + what)


def act(world, preload=None):
    """The scenario's act in one console; a second console starts where the fault asks for one. The answer, or None."""
    open(world.path("counting"), "w").close()
    console = world.console(*world.scenario.words, preload=preload)
    with open(world.path("console.pid"), "w") as file:
        file.write(str(console.pid))
    second, cancelled, begun = None, False, time.monotonic()
    while console.poll() is None:
        if os.path.exists(world.path("second")) and second is None:
            second = world.console(*world.second_words)
            os.remove(world.path("counting"))     # what the second asks is not numbered
        if second is not None and (second.poll() is not None or time.monotonic() > begun + 15):
            open(world.path("second.done"), "w").close()
        if world.scenario.name == "cancel" and not cancelled and \
                any(entry["state"] == "armed" for entry in world.entries()):
            cancelled = True
            console.send_signal(signal.SIGINT)
        if time.monotonic() > begun + 150:
            console.kill()
            raise AssertionError("the console did not end in 150 s")
        time.sleep(0.02)
    out = console.stdout.read()
    answers = [json.loads(out)] if out.strip() else []
    if second is not None:
        text = second.communicate(timeout=150)[0]
        answers += [json.loads(text)] if text.strip() else []
    if os.path.exists(world.path("counting")):
        os.remove(world.path("counting"))
    return answers, console.returncode


def is_true(world, answer, settled):
    """What an answer says, against the world. settled: no other console has acted since."""
    faults, flags = [], world.flags()
    left = {flag["node"] for flag in answer.get("left", [])}
    if answer.get("flag_reset") and left:
        faults.append("flag_reset and something left: %s" % left)
    if answer["outcome"] == "stopped" and world.alive():
        faults.append("stopped, but ranks %s run" % world.alive())
    if not settled:
        return faults
    armed = {node for node, value in zip(NODES, flags) if value}
    if answer.get("flag_reset") and armed:
        faults.append("flag_reset, but armed on %s" % armed)
    if "Nothing is left behind" in answer["text"] and armed:
        faults.append("nothing left behind, but armed on %s" % armed)
    if answer["outcome"] in ("stopped", "cancelled", "timed_out", "cancel_too_late") and armed - left:
        faults.append("%s, armed on %s and not said: %s" % (answer["outcome"], armed - left, answer["text"]))
    return faults


def untouched(world):
    """What no act of these may do."""
    faults = []
    if world.stranger.poll() is not None:
        faults.append("a process that is not the job's was signalled")
    if world.scenario.name == "cancel" and len(world.alive()) != 2:
        faults.append("a cancel ended ranks")
    shown = set()
    for entry in world.entries():
        if entry["state"] == "escalating" and entry.get("data"):
            data = entry["data"] if isinstance(entry["data"], list) else json.loads(entry["data"])
            shown |= {target["pid"] for target in data}
    for rank, process in enumerate(world.ranks):
        if process.poll() in (-signal.SIGTERM, -signal.SIGKILL) and process.pid not in shown:
            faults.append("rank %d was signalled and is in no list" % rank)
    return faults


def fresh_console(world):
    """A console that is started anew ends what was left: the flag is 0 everywhere and the journal says so."""
    for node in NODES:
        if os.path.exists(world.path("away." + node)):
            os.remove(world.path("away." + node))
    faults = []
    words = ["exit", "--cancel"] if world.alive() and world.scenario.fault else ["exit", "--wait", "20"]
    console = world.console(*words)
    out = console.communicate(timeout=150)[0]
    if not out.strip():
        return ["the fresh console gave no answer (%d)" % console.returncode]
    answer = json.loads(out)
    faults += is_true(world, answer, True)
    if any(world.flags()):
        faults.append("after a fresh console: flags %s; %s" % (world.flags(), answer["text"]))
    if world.alive() and not world.scenario.fault:
        faults.append("after a fresh console ranks %s run: %s" % (world.alive(), answer["text"]))
    if len(world.alive()) == 1 and world.scenario.name == "exit":
        faults.append("one of two ranks runs")
    return faults + untouched(world)


def run(ctl, scenario, point):
    """One run with one fault: (NODE, KIND, NUMBER, FAULT), or ("journal", library, NUMBER, "at" or "after"), or none."""
    world = World(ctl, scenario)
    try:
        fault = point if point and point[0] in NODES else ("", "", 0, "")
        world.second_words = scenario.opposite if fault[3] == "second_opposite" else scenario.words
        world.set_up(fault)
        preload = None
        if point and point[0] == "journal":
            preload = {"LD_PRELOAD": point[1], "KILL_%s_JOURNAL" % point[3].upper(): str(point[2])}
        answers, code = act(world, preload)
        time.sleep(2 if fault[3] == "late" else 0)
        faults = untouched(world)
        for answer in answers:
            faults += is_true(world, answer, len(answers) == 1)
        if not answers and code >= 0:
            faults.append("no answer, exit code %d" % code)
        fired = not point or point[0] == "journal" or os.path.exists(world.path("fired"))
        orders = {}
        for node in NODES:
            if os.path.exists(world.path(node + ".order")):
                with open(world.path(node + ".order")) as file:
                    orders[node] = file.read().split()
        journal = len(world.entries())
        faults += fresh_console(world)
        if faults:
            faults.append("journal: " + "; ".join("%(kind)s %(state)s" % entry for entry in world.entries()))
        return faults, fired, orders, journal
    except (AssertionError, ValueError, subprocess.TimeoutExpired) as error:
        return ["%s: %s" % (type(error).__name__, error)], True, {}, 0
    finally:
        world.end()


def points_of(ctl, scenario, library):
    faults, _, orders, journal = run(ctl, scenario, None)
    if faults:
        raise SystemExit("%s without any fault: %s" % (scenario.name, "; ".join(faults)))
    points = [(node, kind, number + 1, fault) for node in NODES for kind in sorted(set(orders[node]))
              for number in range(min(MOST_OF_A_KIND, orders[node].count(kind))) for fault in BEFORE_AND_AFTER]
    points += [("journal", library, number + 1, when) for number in range(journal) for when in ("at", "after")]
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
    library = os.path.join(tempfile.mkdtemp(prefix="rankdeck-crash-lib-"), "journal_kill.so")
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", library, os.path.join(HERE, "journal_kill.c"), "-ldl"],
                   check=True)
    work = []
    for scenario in SCENARIOS:
        if options.scenario and scenario.name != options.scenario:
            continue
        if options.only:
            node, kind, number, fault = options.only.split(":")
            points = [(node, library if node == "journal" else kind, int(number), fault)]
        else:
            points = points_of(ctl, scenario, library)
        work += [(scenario, point) for point in points]
    if options.sample and not options.only:
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
    shutil.rmtree(os.path.dirname(library))
    print("%d points, %d not reached, %d with faults" % (len(work), missed, bad))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
