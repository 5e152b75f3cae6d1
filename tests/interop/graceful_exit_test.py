# SPDX-License-Identifier: GPL-3.0-or-later
"""`rankdeckctl exit` on a real MindSpore process: stopped, saved, proven, reset. Refused without the switch, and with a stale flag.
Also a process that is held (late, cancelled), and one that dies halfway. Four ranks: mindspore_run_test.py.

One process of MindSpore 2.7.0 on this machine, no sshd. Usage: --bin DIR --mindspore-python PYTHON
"""
import argparse
import json
import os
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "testbed"))
from checks import check, wait_for  # noqa: E402
from scratch import Scratch  # noqa: E402

SCRIPTS = os.path.join(HERE, "..", "..", "packaging", "mindspore")
BEFORE = '{\n  "kept": "as it is",\n  "GracefulExit": 0\n}\n'


class Job:
    def __init__(self, directory, options, switch="1"):
        self.directory, self.python = directory, options.mindspore_python
        os.makedirs(directory)
        self.config, self.log = self.path("graceful.json"), self.path("train.log")
        shutil.copy(os.path.join(SCRIPTS, "train_lenet.py"), directory)
        self.environment = dict(os.environ, MS_ENABLE_GRACEFUL_EXIT=switch) if switch else dict(os.environ)
        self.command = [self.python, "train_lenet.py", "--net", "tiny", "--out", "ckpt", "--epochs", "100000", "--sleep", "0.2",
                        "--graceful", self.config, "--graceful-dir", "ckpt"]
        self.set(BEFORE)
        with open(self.path("one.rankdeck.json"), "w") as file:
            json.dump({
                "rankdeck": 1, "name": "one-" + os.path.basename(directory), "world_size": 1, "framework": "mindspore",
                "nodes": [{"name": "here", "host": "local", "ranks": [0]}],
                "logs": {"path": self.log}, "checkpoints": {"path": self.path("ckpt", "rank_0"), "prefix": "lenet"},
                "graceful_exit": {"config": self.config, "saves": self.path("ckpt", "rank_{device}", "LeNet5_train.ckpt")},
                "steps_per_epoch": 10,
                "launch": {"recipe": "command", "workdir": directory, "command": self.command + ["--resume", "{checkpoint}"]}}, file)
        self.words = [os.path.join(options.bin, "rankdeckctl"), "--json", "--job", self.path("one.rankdeck.json"),
                      "--state-dir", self.path("state")]
        self.process = None

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def set(self, text):
        with open(self.config, "w") as file:
            file.write(text)

    def text(self):
        with open(self.config) as file:
            return file.read()

    def start(self):
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(self.command, cwd=self.directory, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def losses(self):
        with open(self.log, errors="replace") as log:
            return log.read().count("loss is")

    def trains(self, losses=12):
        wait_for("%d losses in %s" % (losses, self.log), lambda: self.losses() >= losses, 120)

    def ctl(self, *arguments):
        done = subprocess.run(self.words + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return done.returncode, json.loads(done.stdout)

    def valid(self):
        wait_for("a VALID set", lambda: self.ctl("checkpoints")[0] == 0, 60)

    def exit_in_background(self, *arguments):
        with open(self.path("progress"), "w") as progress:
            return subprocess.Popen(self.words + ["exit"] + list(arguments), stdout=subprocess.PIPE, stderr=progress, text=True)

    def progress(self):
        with open(self.path("progress")) as file:
            return file.read()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def codes(out):
    return {finding["code"]: finding for finding in out["preflight"]}


def without_the_switch(job):
    job.start()
    job.trains()
    code, out = job.ctl("exit", "--wait", "20")
    check((code, out["outcome"]) == (1, "refused") and codes(out)["graceful_env"]["result"] == "refuse",
          "without MS_ENABLE_GRACEFUL_EXIT the click is refused")
    check(job.text() == BEFORE and job.process.poll() is None, "nothing was written, the run goes on")
    term = [finding["text"] for finding in out["ladder"][1]["warnings"] if finding["code"] == "force_stop"]
    check(any("ignores SIGTERM" in text for text in term), "that MindSpore would swallow SIGTERM is said: its handler is installed")
    before = job.losses()
    job.process.send_signal(signal.SIGTERM)
    wait_for("steps after SIGTERM", lambda: job.losses() > before + 5, 30)
    check(job.process.poll() is None, "and it is true: SIGTERM is swallowed")


def held_and_cancelled(job):
    job.start()
    job.trains()
    job.valid()
    job.process.send_signal(signal.SIGSTOP)
    console = job.exit_in_background("--wait", "120")
    wait_for("rank 0 is late", lambda: "late, stopped by a signal" in job.progress(), 60)
    check('"GracefulExit": 1' in job.text(), "held by SIGSTOP: armed, and said to be late")
    code, out = job.ctl("exit", "--cancel")
    check((code, out["outcome"]) == (0, "cancelled") and "no rank had read the request" in out["text"], "cancelled: nobody had read it")
    check(json.loads(console.communicate(timeout=60)[0])["outcome"] == "cancelled", "the console that waited is told")
    check(job.text() == BEFORE, "the config is byte for byte as before")
    before = job.losses()
    job.process.send_signal(signal.SIGCONT)
    wait_for("more steps", lambda: job.losses() > before + 5, 30)
    check(True, "and the run really goes on")


def stopped_and_proven(job):
    code, out = job.ctl("exit", "--dry-run")
    named = codes(out)["config_named"]
    check(code == 0 and "rank 0" in named["text"], "the process itself names the config of the job file")
    check(out["price"]["kill"]["steps"] >= 0 and "answer_seconds" in out["price"], "price and time of the answer are data")
    code, out = job.ctl("exit", "--wait", "60")
    rank = out["ranks"][0]
    check((code, out["outcome"]) == (0, "stopped") and out["flag_reset"], "stopped, and the flag is back to 0: " + out["text"])
    check(rank["confirmed"] and rank["exited"] and rank["saved"]["verdict"] == "VALID", "confirmed by its line, saved VALID, gone")
    check(all(rank["evidence"][step]["by"] and rank["evidence"][step]["time"] for step in ("seen", "confirmed", "saved", "exited")),
          "each with its evidence and its time")
    check(job.process.wait(30) == 0 and job.text() == BEFORE, "exit code 0; the config is byte for byte as before")


def stale_flag(job):
    job.set(BEFORE.replace(": 0", ": 1"))
    code, out = job.ctl("exit", "--wait", "5")
    check((code, out["outcome"]) == (1, "refused") and {"already_armed", "not_running"} <= set(codes(out)), "a stale flag is found: 1, and nothing runs")
    check("since 20" in codes(out)["already_armed"]["text"], "with the time since when")
    job.start()
    check(job.process.wait(120) is not None and job.losses() <= 1, "what it would do: the next run is over after a step")
    code, out = job.ctl("exit", "--cancel")
    check((code, out["outcome"]) == (0, "cancelled") and job.text() == BEFORE, "taken back")


def killed_in_the_middle(job):
    for name in os.listdir(job.path("ckpt", "rank_0")):
        if name.endswith("_train.ckpt"):
            os.remove(job.path("ckpt", "rank_0", name))
    job.start()
    job.trains()
    job.process.send_signal(signal.SIGSTOP)
    console = job.exit_in_background("--wait", "12")
    wait_for("armed", lambda: '"GracefulExit": 1' in job.text(), 60)
    job.process.kill()
    job.process.wait()
    out = json.loads(console.communicate(timeout=120)[0])
    check((console.returncode, out["outcome"]) == (1, "timed_out"), "killed in the middle of the exit: not called stopped")
    check("its log has no exit line" in out["ranks"][0]["note"] and not out["ranks"][0]["saved"], "said what is missing: " + out["text"])
    check(out["flag_reset"] and job.text() == BEFORE, "and the flag is put back")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--mindspore-python", required=True)
    options = parser.parse_args()
    with Scratch(prefix="rankdeck-interop-") as directory:
        jobs = [Job(os.path.join(directory, "off"), options, switch=None), Job(os.path.join(directory, "on"), options)]
        try:
            without_the_switch(jobs[0])
            jobs[0].stop()
            for story in (held_and_cancelled, stopped_and_proven, stale_flag, killed_in_the_middle):
                story(jobs[1])
        except AssertionError as error:
            print("FAILED " + str(error), flush=True)
            for job in jobs:
                if os.path.exists(job.log):
                    print("--- " + job.log + "\n" + subprocess.run(["tail", "-15", job.log], stdout=subprocess.PIPE, text=True).stdout)
            sys.exit(1)
        finally:
            for job in jobs:
                job.stop()


if __name__ == "__main__":
    main()
