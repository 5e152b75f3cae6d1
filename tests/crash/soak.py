# SPDX-License-Identifier: GPL-3.0-or-later
"""A soak: the demo cluster with random faults, and two consoles with a journal each that stop and resume it at random, at
once, and are killed at random. Throughout at most one attempt runs, and each rank writes to the log of its name; at the
end of an act what it answered is true. The memory of a console that watches all the time and of its probes is recorded.
Usage: soak.py --bin DIR [--minutes M] [--seed S] [--ranks N] [--nodes N]"""
import argparse
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time


def content(path):
    try:
        with open(path, "rb") as file:
            return file.read()
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
        self.folder = tempfile.mkdtemp(prefix="rankdeck-soak-")
        self.demo = subprocess.Popen([self.ctl, "--json", "demo", "--ranks", str(options.ranks), "--nodes", str(options.nodes),
                                      "--step-seconds", "0.2", "--save-steps", "10"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=open(os.path.join(self.folder, "demo.err"), "w"))
        self.cluster = json.loads(self.demo.stdout.readline())
        self.base = self.cluster["directory"].encode()
        with open(self.cluster["job"]) as file:
            self.mark = b"RANKDECK_DEMO=" + json.load(file)["launch"]["env"]["RANKDECK_DEMO"].encode()
        self.nodes = [node["name"] for node in self.cluster["nodes"]]
        self.faults, self.outcomes, self.memory = [], collections.Counter(), []
        self.applied, self.over = collections.Counter(), False
        self.acting = 0
        self.lock = threading.Lock()
        self.watch = self.console("watch", ["watch"], stdout=subprocess.DEVNULL)

    def console(self, state, words, stdout=subprocess.PIPE):
        return subprocess.Popen([self.ctl, "--json", "--job", self.cluster["job"], "--ssh-config", self.cluster["ssh_config"],
                                 "--state-dir", os.path.join(self.folder, state), "--timeout", "30"] + words,
                                stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.DEVNULL)

    def trainers(self):
        """[(rank, attempt, output)] of what trains now."""
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

    def fault(self, text):
        with self.lock:
            self.faults.append("%s %s" % (time.strftime("%H:%M:%S"), text))
            print("FAULT " + text, flush=True)

    def look(self):
        """The invariants, ten times a second."""
        last = None
        while not self.over:
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
            time.sleep(0.1)

    def measure(self):
        while not self.over:
            probes = [pid for pid in processes() if content("/proc/%d/cmdline" % pid).endswith(b"\0rankdeck-probe\0")
                      and self.mark in content("/proc/%d/environ" % pid)]
            self.memory.append((resident_mib([self.watch.pid]), resident_mib(probes) / max(1, len(probes))))
            time.sleep(10)

    def say(self, line):
        self.applied[line.partition(":")[0]] += 1
        self.demo.stdin.write(line.encode() + b"\n")
        self.demo.stdin.flush()

    def disturb(self):
        rank, node = self.random.randrange(self.options.ranks), self.random.choice(self.nodes)
        what = self.random.choice(["kill", "raise", "hang", "tear", "slow", "cut", "hole"])
        if what in ("slow", "cut", "hole"):
            self.say("%s:%s" % (what, node))
            time.sleep(self.random.uniform(0.5, 8))
            self.say("heal:%s" % node)
        else:
            self.say("%s:%d" % (what, rank))

    def act(self, state, words, kill_after=None):
        console = self.console(state, words)
        killed = False
        if kill_after is not None:
            try:
                console.wait(kill_after)
            except subprocess.TimeoutExpired:
                console.send_signal(self.random.choice([signal.SIGKILL, signal.SIGINT, signal.SIGHUP]))
                killed = True
        try:
            out = console.communicate(timeout=240)[0]
        except subprocess.TimeoutExpired:
            console.kill()
            console.communicate()
            return self.fault("%s of %s did not end in 240 s" % (words[0], state))
        if killed or not out.strip():
            self.outcomes[words[0] + (" interrupted" if killed else " without an answer")] += 1
            return None
        answer = json.loads(out)
        self.outcomes["%s %s" % (words[0], answer["outcome"])] += 1
        if answer["outcome"] == "refused":
            for finding in answer["preflight"]:
                if finding["result"] == "refuse":
                    self.outcomes["  %s refused by %s" % (words[0], finding["code"])] += 1
        return answer

    def alone(self, state):
        """One act, and what it says is looked at, as nobody else acts."""
        running = bool(self.trainers())
        kill_after = self.random.uniform(0.1, 8) if self.random.random() < 0.25 else None
        if running and self.random.random() < 0.7:
            words = ["exit", "--wait", "20"] + (["--escalate", "kill"] if self.random.random() < 0.5 else [])
        else:
            words = ["resume", "--wait", "30", "--fix", "survivors", "--fix", "run_moving"]
        answer = self.act(state, words, kill_after)
        if not answer:
            return
        ranks = sorted({rank for rank, _, _ in self.trainers()})
        if answer["outcome"] == "stopped" and ranks:
            self.fault("stopped, and ranks %s run" % ranks)
        if answer["outcome"] == "proven" and len(ranks) != self.options.ranks:
            self.fault("proven, and only ranks %s run" % ranks)
        if answer.get("flag_reset"):
            armed = [node for node in self.nodes
                     if b'"GracefulExit": 1' in content(os.path.join(self.cluster["directory"], node, "graceful.json"))]
            if armed:
                self.fault("flag_reset, and armed on %s" % armed)

    def together(self):
        acts = [("a", self.random.choice([["exit", "--wait", "10"], ["resume", "--wait", "20", "--fix", "survivors", "--fix", "run_moving"]])),
                ("b", self.random.choice([["exit", "--wait", "10"], ["resume", "--wait", "20", "--fix", "survivors", "--fix", "run_moving"]]))]
        threads = [threading.Thread(target=self.act, args=act) for act in acts]
        for thread in threads:
            thread.start()
        if self.random.random() < 0.5:
            self.disturb()
        for thread in threads:
            thread.join()

    def run(self):
        threads = [threading.Thread(target=self.look), threading.Thread(target=self.measure)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + 60 * self.options.minutes
        while time.monotonic() < end and self.demo.poll() is None:
            for node in self.nodes:
                self.say("heal:%s" % node)
            choice = self.random.random()
            if choice < 0.35:
                self.disturb()
                time.sleep(self.random.uniform(0, 3))
            elif choice < 0.75:
                self.alone(self.random.choice("ab"))
            else:
                self.together()
        if self.demo.poll() is not None:
            self.fault("the demo cluster ended by itself")
        if self.watch.poll() is not None:
            self.fault("the watching console ended by itself: %s" % self.watch.returncode)
        self.over = True
        for thread in threads:
            thread.join()
        self.watch.terminate()
        self.watch.wait()
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
            print("console: first %.1f MiB, after a quarter %.1f, last %.1f, most %.1f; a probe: %.1f, %.1f, %.1f, %.1f" % (
                console[0], console[part - 1], console[-1], max(console), probe[0], probe[part - 1], probe[-1], max(probe)))
        print("%d faults" % len(self.faults))
        for fault in self.faults:
            print("  " + fault)
        shutil.rmtree(self.folder, ignore_errors=True)
        return 1 if self.faults else 0


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--bin", required=True)
    options.add_argument("--minutes", type=float, default=120)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--ranks", type=int, default=4)
    options.add_argument("--nodes", type=int, default=2)
    sys.exit(Soak(options.parse_args()).run())


if __name__ == "__main__":
    main()
