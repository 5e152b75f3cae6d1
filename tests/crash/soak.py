# SPDX-License-Identifier: GPL-3.0-or-later
"""A soak test: the demo cluster with random faults, and two consoles with a journal each. They stop and resume it at random
times, also at once, and are held, interrupted or killed at random. At any time at most one attempt runs, each rank writes to its
own log, and no log is lost. Processes outside of the job live on (one with a rank's environment in its directory, one that reads
its log). The answer of each action is true at its end. Each minute, the memory of a watching console and of its probes is
printed.
Usage: soak.py --bin DIR [--minutes M] [--seed S] [--ranks N] [--nodes N] [--pause SECONDS]"""
import argparse
import collections
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testbed"))
from checks import wait_for  # noqa: E402
from scratch import Scratch  # noqa: E402

EXIT, RESUME = ["exit", "--wait", "20"], ["resume", "--wait", "30", "--fix", "survivors", "--fix", "run_moving"]
LINK_FAULTS = ("slow", "cut", "hole")
MARK_LENGTH = 256  # bytes of a log's beginning that identify it


def content(path, length=-1):
    try:
        with open(path, "rb") as file:
            return file.read(length)
    except OSError:
        return b""


def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def resident_mib(pids):
    total = 0
    for pid in pids:
        for line in content("/proc/%d/status" % pid).split(b"\n"):
            if line.startswith(b"VmRSS:"):
                total += int(line.split()[1])
    return total / 1024.0


class Soak:
    def __init__(self, options):
        self.ctl = os.path.join(options.bin, "rankdeckctl")
        self.options, self.random = options, random.Random(options.seed)
        self.scratch = Scratch(prefix="rankdeck-soak-")
        self.folder = self.scratch.path
        self.demo = subprocess.Popen([self.ctl, "--json", "demo", "--ranks", str(options.ranks), "--nodes", str(options.nodes),
                                      "--step-seconds", "0.2", "--save-steps", "10"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=open(os.path.join(self.folder, "demo.err"), "w"))
        self.cluster = json.loads(self.demo.stdout.readline())
        self.base = self.cluster["directory"].encode()
        with open(self.cluster["job"]) as file:
            self.job = json.load(file)
        self.mark = b"RANKDECK_DEMO=" + self.job["launch"]["env"]["RANKDECK_DEMO"].encode()
        self.nodes = [node["name"] for node in self.cluster["nodes"]]
        self.faults, self.outcomes, self.memory = [], collections.Counter(), []
        self.applied, self.over, self.logs = collections.Counter(), threading.Event(), {}
        self.lock, self.link_was_cut = threading.Lock(), False
        self.asked_to_die = set()  # ranks with a fault that may wait for the next attempt's first save
        self.others = self.strangers()
        self.watch = self.console("watch", ["watch"], stdout=subprocess.DEVNULL)

    def strangers(self):
        """Processes outside of the job that look like its own."""
        directory = os.path.join(self.cluster["directory"], self.nodes[0])
        log = wait_for("a log", self.log_files)[0]
        rank = dict(os.environ, MS_ROLE="MS_WORKER", MS_NODE_ID="0", RANK_ID="0", MS_WORKER_NUM=str(self.options.ranks))
        with open(log, "rb") as file:
            return [subprocess.Popen(["sleep", "1000000"], cwd=directory, env=rank, stdout=subprocess.DEVNULL),
                    subprocess.Popen(["sleep", "1000000"], cwd=directory, stdin=file, stdout=subprocess.DEVNULL)]

    def log_files(self):
        return [os.path.join(folder, name) for folder, _, names in os.walk(self.cluster["directory"])
                for name in names if name.startswith("worker_")]

    def console(self, state, words, stdout=subprocess.PIPE):
        return subprocess.Popen([self.ctl, "--json", "--job", self.cluster["job"], "--ssh-config", self.cluster["ssh_config"],
                                 "--state-dir", os.path.join(self.folder, state), "--timeout", "90"] + words,
                                stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.DEVNULL)

    def trainers(self):
        """[(rank, attempt, output)] of the ranks that train now."""
        found = []
        for pid in processes():
            words = content("/proc/%d/cmdline" % pid).split(b"\0")
            if not words[0].endswith(b"rankdeck-demo-trainer") or not any(self.base in word for word in words):
                continue
            stat = content("/proc/%d/stat" % pid).rpartition(b")")[2].split()
            if not stat or stat[0] in (b"Z", b"X"):
                continue
            env = dict(item.partition(b"=")[::2] for item in content("/proc/%d/environ" % pid).split(b"\0"))
            if env.get(b"MS_ROLE") != b"MS_WORKER":
                continue
            try:
                output = os.readlink("/proc/%d/fd/1" % pid)
            except OSError:
                continue
            found.append((int(env.get(b"RANK_ID", b"-1")), env.get(b"RANKDECK_LAUNCH_ID", b"first").decode().split(".")[0], output))
        return sorted(found)

    def say(self, text):
        print("%s %s" % (time.strftime("%H:%M:%S"), text), flush=True)

    def fault(self, text):
        with self.lock:
            self.faults.append("%s %s" % (time.strftime("%H:%M:%S"), text))
        self.say("FAULT " + text)

    def look(self):
        """Checks the invariants of processes, several times a second."""
        last, dead = None, set()
        while not self.over.wait(self.options.pause):
            running = self.trainers()
            attempts = {attempt for _, attempt, _ in running}
            ranks = [rank for rank, _, _ in running]
            wrong = [entry for entry in running if not entry[2].endswith("/worker_%d.log" % entry[0])]
            text = ""
            if len(attempts) > 1 or len(set(ranks)) != len(ranks):
                text = "more than one attempt runs: %s" % [entry[:2] for entry in running]
            elif wrong:
                text = "a rank writes to another file: %s" % wrong
            if text and text != last:
                self.fault(text)
            last = text
            for number, other in enumerate(self.others):
                if number not in dead and other.poll() is not None:
                    dead.add(number)
                    self.fault("who is not the job's was ended: %s by %d" % (("a stranger", "a reader of a log")[number], -other.returncode))

    def look_at_logs(self):
        """Every log that ever existed still does, under any name: by its inode, with its original beginning."""
        now = {}
        for path in self.log_files():
            with contextlib.suppress(OSError):
                now[os.stat(path).st_ino] = content(path, MARK_LENGTH)
        for inode, begins in list(self.logs.items()):
            if inode not in now:
                self.fault("a log is lost: it began with %r" % begins[:80])
                del self.logs[inode]
            elif not now[inode].startswith(begins):
                self.fault("a log was written over: it began with %r" % begins[:80])
        self.logs.update(now)

    def measure(self):
        begun = time.monotonic()
        while not self.over.wait(10):
            probes = [pid for pid in processes() if content("/proc/%d/cmdline" % pid).endswith(b"\0rankdeck-probe\0")
                      and self.mark in content("/proc/%d/environ" % pid)]
            sizes = [resident_mib([pid]) for pid in probes]
            self.memory.append((resident_mib([self.watch.pid]), max(sizes or [0])))
            minutes = (time.monotonic() - begun) / 60
            if len(self.memory) % 6 == 1:
                self.say("memory after %.0f min: console %.1f MiB, largest of %d probes %.1f MiB; %d logs; %s" % (
                    minutes, self.memory[-1][0], len(sizes), self.memory[-1][1], len(self.logs), dict(self.outcomes)))

    def ask_demo(self, line):
        self.applied[line.partition(":")[0]] += 1
        self.demo.stdin.write(line.encode() + b"\n")
        self.demo.stdin.flush()

    def disturb(self):
        """The name of the fault."""
        rank, node = self.random.randrange(self.options.ranks), self.random.choice(self.nodes)
        what = self.random.choice(["kill", "raise", "hang", "tear", "full"] + list(LINK_FAULTS) * 2)
        if what in LINK_FAULTS:
            self.link_was_cut = True
            self.ask_demo("%s:%s" % (what, node))
            time.sleep(self.random.uniform(0.5, 12))  # wait: under test
            self.ask_demo("heal:%s" % node)
        else:
            self.asked_to_die.add(rank)
            self.ask_demo("%s:%d" % (what, rank))
        return what

    def trouble(self, console):
        """Holds the console for a while and lets it go on, or interrupts it, or kills it. Returns whether it still answers."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            console.wait(self.random.uniform(0.1, 8))
            return True
        what = self.random.choice(["hold", "hold", signal.SIGKILL, signal.SIGINT, signal.SIGHUP])
        self.applied["console " + str(what)] += 1
        if what == "hold":
            console.send_signal(signal.SIGSTOP)
            time.sleep(self.random.uniform(0.5, 15))  # wait: under test
            console.send_signal(signal.SIGCONT)
            return True
        console.send_signal(what)
        return what != signal.SIGKILL

    def act(self, state, words, troubled=False):
        console = self.console(state, words)
        answers = not troubled or self.trouble(console)
        try:
            out = console.communicate(timeout=300)[0]
        except subprocess.TimeoutExpired:
            console.kill()
            console.communicate()
            return self.fault("%s of %s did not end in 300 s" % (words[0], state))
        name = words[0]
        if not out.strip():
            self.outcomes[name + (" without an answer" if answers else " killed")] += 1
            if answers and console.returncode not in (3, 130):
                self.fault("%s of %s gave no answer (%d)" % (name, state, console.returncode))
            return None
        answer = json.loads(out)
        self.outcomes["%s %s" % (name, answer["outcome"])] += 1
        if answer["outcome"] == "refused":
            for finding in answer["preflight"]:
                if finding["result"] == "refuse":
                    self.outcomes["  %s refused by %s" % (name, finding["code"])] += 1
        return answer

    def armed(self):
        return [node for node in self.nodes
                if b'"GracefulExit": 1' in content(os.path.join(self.cluster["directory"], node, "graceful.json"))]

    def is_true(self, answer):
        """Checks the answer of an action without any parallel action."""
        ranks = sorted({rank for rank, _, _ in self.trainers()})
        if answer["outcome"] == "stopped" and ranks:
            self.fault("stopped, and ranks %s run: %s" % (ranks, answer["text"]))
        missing = set(range(self.options.ranks)) - set(ranks)
        if answer["outcome"] == "proven" and not missing <= self.asked_to_die:
            self.fault("proven, and only ranks %s run: %s" % (ranks, answer["text"]))
        self.asked_to_die -= missing
        if answer.get("flag_reset") and self.armed():
            self.fault("flag_reset, and armed on %s: %s" % (self.armed(), answer["text"]))
        said = {flag["node"] for flag in answer.get("left", [])}
        if "flag_reset" in answer and answer["outcome"] not in ("refused", "dry_run") and set(self.armed()) - said:
            self.fault("%s, and armed on %s, which is not said: %s" % (answer["outcome"], self.armed(), answer["text"]))

    def alone(self, state):
        if self.trainers() and self.random.random() < 0.6:
            words = EXIT + (["--escalate", "kill"] if self.random.random() < 0.5 else [])
        else:
            words = RESUME
        answer = self.act(state, words, self.random.random() < 0.3)
        if answer:
            self.is_true(answer)

    def together(self):
        """Starts both at once; sometimes, a second later, one of them or the cluster is in trouble."""
        answers, words = {}, {state: self.random.choice([EXIT, RESUME]) for state in "ab"}
        troubled = self.random.choice(["", "", "a", "b"])

        def run(state):
            answers[state] = self.act(state, words[state], state == troubled)

        threads = [threading.Thread(target=run, args=state) for state in "ab"]
        for thread in threads:
            thread.start()
            time.sleep(self.random.choice([0, 0, self.random.uniform(0, 6)]))  # wait: under test
        disturbed = self.random.random() < 0.4 and self.disturb()
        for thread in threads:
            thread.join()
        outcomes = [answer["outcome"] for answer in answers.values() if answer]
        if outcomes.count("proven") > 1 and not disturbed:
            self.fault("two resumes at once, and both are proven")
        if "proven" in outcomes and words["a"] == words["b"] == RESUME and not disturbed and len(self.trainers()) != self.options.ranks:
            self.fault("one of two resumes is proven, and only %s run" % self.trainers())

    def await_saves(self):
        """Waits until there is a set to resume from; before that every action would be refused."""
        def saved():
            counts = collections.Counter(folder for folder, _, names in os.walk(self.cluster["directory"]) for name in names
                                         if name.endswith(".ckpt"))
            return sum(count >= 3 for count in counts.values()) >= self.options.ranks
        wait_for("saves of all ranks", saved, 600)

    def run(self):
        self.await_saves()
        threads = [threading.Thread(target=self.look), threading.Thread(target=self.measure)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + 60 * self.options.minutes
        while time.monotonic() < end and self.demo.poll() is None and self.watch.poll() is None:
            for node in self.nodes:
                self.ask_demo("heal:%s" % node)
            choice = self.random.random()
            if choice < 0.25:
                self.disturb()
                time.sleep(self.random.uniform(0, 3))  # wait: under test
            elif choice < 0.65:
                self.alone(self.random.choice("ab"))
            else:
                self.together()
            self.look_at_logs()
        if self.demo.poll() is not None:
            self.fault("the demo cluster ended by itself")
        if self.watch.poll() is not None:
            self.fault("the watching console ended by itself: %s" % self.watch.returncode)
        self.over.set()
        for thread in threads:
            thread.join()
        for process in self.others + [self.watch]:
            process.terminate()
            process.wait()
        self.demo.send_signal(signal.SIGINT)
        self.demo.wait()
        return self.report()

    def report(self):
        for name, count in sorted(self.outcomes.items()):
            print("%6d  %s" % (count, name))
        print("faults applied: %s" % dict(self.applied))
        if self.memory:
            console, probe = zip(*self.memory)
            part = max(1, len(console) // 4)
            print("console: first %.1f MiB, after a quarter %.1f, last %.1f, most %.1f; the largest probe: %.1f, %.1f, %.1f, %.1f" % (
                console[0], console[part - 1], console[-1], max(console), probe[0], probe[part - 1], probe[-1], max(probe)))
        print("%d faults" % len(self.faults))
        for fault in self.faults:
            print("  " + fault)
        self.scratch.stays = bool(self.faults) and "RANKDECK_KEEP" not in os.environ
        self.scratch.end(bool(self.faults))
        return 1 if self.faults else 0


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--bin", required=True)
    options.add_argument("--minutes", type=float, default=120)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--ranks", type=int, default=4)
    options.add_argument("--nodes", type=int, default=2)
    options.add_argument("--pause", type=float, default=0.2, help="between two looks at the processes")
    sys.exit(Soak(options.parse_args()).run())


if __name__ == "__main__":
    main()
