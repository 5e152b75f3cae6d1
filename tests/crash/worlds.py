# SPDX-License-Identifier: GPL-3.0-or-later
"""Worlds in which actions are interrupted: a job of two ranks on two nodes of this machine, and a console's state. Each also has an
unrelated process in the same directory and a reader of a log. Also the rules that must be true there in any case."""
import json
import os
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "testbed"))
from leftovers import content, end_all  # noqa: E402
from scratch import Scratch  # noqa: E402

RANK = os.path.join(HERE, "..", "core", "recover", "fake_rank.py")
NODES = ["n0", "n1"]
CONFIG = '{\n  "comment": "kept",\n  "GracefulExit": %d\n}\n'


def until(what, test, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if test():
            return
        time.sleep(0.02)  # wait: poll
    raise AssertionError("not in time: " + what)


class World:
    """One job of two ranks on two nodes of this machine, an unrelated process in the same directory, and a console's state."""

    def __init__(self, ctl, scenario):
        self.ctl, self.scenario, self.name = ctl, scenario, "crash"
        self.scratch = Scratch(prefix="rankdeck-crash-")
        self.root = self.scratch.path
        self.job, self.state = os.path.join(self.root, "job"), os.path.join(self.root, "state")
        for folder in ("job", "job/log", "state"):
            os.makedirs(os.path.join(self.root, folder))
        self.ranks, self.others = [], []
        with socket.socket() as free:          # other tests of this machine have schedulers, too
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

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
                file.write('#!/bin/sh\nif [ "$3" = rankdeck-probe ]; then [ -e %s ] && exit 1; exec /usr/bin/python3 -ISBc '
                           '"exec(open(\'%s\').read())\n$2" rankdeck-probe; fi\nexec /usr/bin/python3 "$@"\n'
                           % (self.path("away." + node), self.path(node + ".hook.py")))
            os.chmod(wrapper, 0o700)
        with open(self.path("job.rankdeck.json"), "w") as file:
            json.dump(self.job_file(), file)
        for rank, node in enumerate(NODES):
            self.start_rank(rank, node)
        self.stranger = subprocess.Popen(["sleep", "1000"], cwd=self.job, stdout=subprocess.DEVNULL,
                                         env=dict(os.environ, CRASH_WORLD=self.root, MS_ROLE="MS_WORKER", MS_NODE_ID="9", RANK_ID="9"))
        self.others.append(self.stranger)
        with open(self.path("job/log/worker_1.log"), "rb") as log:    # another process reads a log of the job
            self.reader = subprocess.Popen(["sleep", "1000"], cwd=self.job, stdin=log, stdout=subprocess.DEVNULL,
                                           env=dict(os.environ, CRASH_WORLD=self.root))
        self.others.append(self.reader)
        until("steps", lambda: all(self.steps(rank) >= 6 for rank in range(2)))

    def job_file(self):
        return {"rankdeck": 1, "name": self.name, "world_size": 2, "framework": "mindspore", "steps_per_epoch": 10,
                "nodes": [{"name": node, "host": "local", "ranks": [rank], "python": self.path(node + ".python")}
                          for rank, node in enumerate(NODES)],
                "logs": {"path": self.path("job/log/worker_{rank}.log")},
                "checkpoints": {"path": self.path("job/ckpt/rank_{rank}")},
                "graceful_exit": {"config": self.path("job/{node}.json"),
                                  "saves": self.path("job/ckpt/rank_{rank}/LeNet5_train.ckpt")},
                "launch": {"recipe": "command", "workdir": self.job, "master_port": self.port, "command": ["python3", RANK, "--resume", "{checkpoint}"]}}

    def start_rank(self, rank, node):
        env = dict(os.environ, MS_ROLE="MS_WORKER", MS_NODE_ID=str(rank), RANK_ID=str(rank), RANK_SIZE="2", DEVICE_ID="0",
                   FAKE_JOB=self.job, FAKE_CONFIG=self.path("job", node + ".json"), MS_ENABLE_GRACEFUL_EXIT="1",
                   RANKDECK_LAUNCH_ID="first." + node, FAKE_FAULT=self.scenario.fault,
                   FAKE_GATES=self.path("gates"))
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

    def console(self, *words, preload=None, alias=False):
        """alias: a user with another job file, home and journal, and with a link to the same directories."""
        env = dict(os.environ, CRASH_WORLD=self.root, **(preload or {}))
        name, state = ("alias.rankdeck.json", self.path("alias-state")) if alias else ("job.rankdeck.json", self.state)
        if alias:
            env["HOME"] = self.path("alias-home")
        return subprocess.Popen([self.ctl, "--json", "--job", self.path(name), "--state-dir", state,
                                 "--timeout", "60"] + list(words), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                stdin=subprocess.DEVNULL, env=env)

    def entries(self):
        path = os.path.join(self.state, "journal.jsonl")
        if not os.path.exists(path):
            return []
        with open(path) as file:
            return [json.loads(line) for line in file.read().splitlines() if line.endswith("}")]

    def end(self, failed):
        end_all(self.root)
        for process in self.ranks + self.others:
            process.wait()
        self.scratch.end(failed)

    def is_true(self, answer, settled):
        """Compares an answer with the world. settled: no other console has acted since."""
        faults, flags = [], self.flags()
        left = {flag["node"] for flag in answer.get("left", [])}
        if answer.get("flag_reset") and left:
            faults.append("flag_reset and something left: %s" % left)
        if answer["outcome"] == "stopped" and self.alive():
            faults.append("stopped, but ranks %s run" % self.alive())
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

    def untouched(self):
        """Changes that no action may make."""
        faults = []
        if self.stranger.poll() is not None or self.reader.poll() is not None:
            faults.append("a process that is not the job's was signalled")
        if self.scenario.name == "cancel" and len(self.alive()) != 2:
            faults.append("a cancel ended ranks")
        shown = set()
        for entry in self.entries():
            if entry["state"] == "escalating" and entry.get("data"):
                data = entry["data"] if isinstance(entry["data"], list) else json.loads(entry["data"])
                shown |= {target["pid"] for target in data}
        for rank, process in enumerate(self.ranks):
            if process.poll() in (-signal.SIGTERM, -signal.SIGKILL) and process.pid not in shown:
                faults.append("rank %d was signalled and is in no list" % rank)
        return faults

    def fresh_console(self):
        """A restarted console finishes the interrupted action: the flag is 0 everywhere, and the journal records it."""
        for node in NODES:
            if os.path.exists(self.path("away." + node)):
                os.remove(self.path("away." + node))
        faults = []
        words = ["exit", "--cancel"] if self.alive() and self.scenario.fault else ["exit", "--wait", "20"]
        console = self.console(*words)
        out = console.communicate(timeout=150)[0]
        if not out.strip():
            return ["the fresh console gave no answer (%d)" % console.returncode]
        answer = json.loads(out)
        faults += self.is_true(answer, True)
        if any(self.flags()):
            faults.append("after a fresh console: flags %s; %s" % (self.flags(), answer["text"]))
        if self.alive() and not self.scenario.fault:
            faults.append("after a fresh console ranks %s run: %s" % (self.alive(), answer["text"]))
        if len(self.alive()) == 1 and self.scenario.name == "exit":
            faults.append("one of two ranks runs")
        return faults + self.untouched()
