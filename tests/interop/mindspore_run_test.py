# SPDX-License-Identifier: GPL-3.0-or-later
"""The main job on a real MindSpore run: watched, stopped by `rankdeckctl exit`, resumed by `rankdeckctl resume`.

LeNet under MindSpore 2.7.0, 4 ranks, two msrun agents on two sshd nodes. Usage: --bin DIR --mindspore-python PYTHON
"""
import argparse
import json
import os
import re
import signal
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "packaging", "mindspore"), os.path.join(HERE, "..", "testbed")]
from checks import check, wait_for  # noqa: E402
import job as mindspore_job  # noqa: E402
from same_job import check_ended, check_running, discovered  # noqa: E402
from scratch import Scratch  # noqa: E402

LOSS = re.compile(r"^epoch: (\d+) step: (\d+), loss is (\S+)$")


class Ctl:
    def __init__(self, binary, job_file, state):
        self.words = [binary, "--json", "--job", job_file, "--state-dir", state]

    def run(self, *arguments, codes=(0,)):
        done = subprocess.run(self.words + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode not in codes:
            raise AssertionError(f"{arguments}: exit code {done.returncode}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}")
        return json.loads(done.stdout)


class Watch:
    """`rankdeckctl watch --json` in the background; records its output."""

    def __init__(self, ctl):
        self.lines = []
        self.process = subprocess.Popen(ctl.words + ["watch"], stdout=subprocess.PIPE, text=True)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(json.loads(line))

    def losses(self, attempt):
        return sorted((s["rank"], s["epoch"], s["step"], s["loss"]) for s in list(self.lines) if s["type"] == "sample" and s["attempt"] == attempt)

    def stop(self):
        self.process.terminate()
        code = self.process.wait(20)
        self.thread.join(20)
        return code


def logged(paths):
    found = []
    for rank, path in paths.items():
        with open(path) as log:
            for line in log:
                match = LOSS.match(line.rstrip("\n"))
                if match:
                    found.append((rank, int(match[1]), int(match[2]), float(match[3])))
    return sorted(found)


def held_and_cancelled(ctl, job, pid):
    """One rank of four is stopped by a signal when the flag is written: late, and the request is taken back."""
    said = os.path.join(job.directory, "progress")
    os.kill(pid, signal.SIGSTOP)
    try:
        with open(said, "w") as progress:
            console = subprocess.Popen(ctl.words + ["exit", "--wait", "100"], stdout=subprocess.PIPE, stderr=progress, text=True)

        def progress_says(text):
            with open(said) as file:
                return text in file.read()
        wait_for("rank 2 is late", lambda: progress_says("late, stopped by a signal"), 60)
        check(True, "one rank of four is held: armed, and that rank is said to be late")
        cancelled = ctl.run("exit", "--cancel")
    finally:
        os.kill(pid, signal.SIGCONT)
    check(cancelled["outcome"] == "cancelled", "cancelled: " + cancelled["text"])
    check(json.loads(console.communicate(timeout=60)[0])["outcome"] == "cancelled", "the console that waited is told")


def run(ctl, job):
    known = ctl
    watch = Watch(ctl)
    logs = {rank: job.log(rank) for rank in range(4)}
    wait_for("losses of all four ranks", lambda: len({s[0] for s in watch.losses(0)}) == 4 and len(watch.losses(0)) > 60, 180)
    judged = wait_for("a VALID set", lambda: (lambda r: r if r["recommended"] else None)(ctl.run("checkpoints", codes=(0, 1))), 60)
    check(judged["world_size"] == 4 and judged["framework"] == "mindspore", "sets of 4 ranks are judged while it trains")

    status = ctl.run("status")
    check([node["state"] for node in status["nodes"]] == ["live", "live"], "both nodes are live")
    check([rank["alive"] for rank in status["ranks"]] == [True] * 4, "every rank's process is found in /proc")
    check(len({rank["pid"] for rank in status["ranks"]}) == 4 and not status["armed"], "four different processes; not armed")

    found = discovered(known.words[0], mindspore_job.NODES, job.directory, os.path.join(job.directory, "found"),
                       ("--ssh-config", os.path.join(job.directory, "ssh_config")))
    check([(n["name"], n["ranks"]) for n in found["job"]["nodes"]] == [("node0", [0, 1]), ("node1", [2, 3])],
          "discover finds the ranks of both nodes")
    told = job.description()
    for section, key in (("logs", "path"), ("logs", "launcher"), ("checkpoints", "path"), ("graceful_exit", "config")):
        check(found["job"][section][key] == told[section][key], f"and {section}.{key}")
    check(found["job"]["launch"]["command"] == ["python"] + told["launch"]["command"], "and the command, with the option that resumes")
    check(not [note for note in found["notes"] if note["needs_you"]], "and leaves nothing to type")
    ctl = Ctl(known.words[0], found["file"], known.words[-1])
    check_running(known.words[0], known.words[3], found["file"], known.words[-1])

    stopped = ctl.run("exit", "--wait", "120")
    check(stopped["outcome"] == "stopped" and stopped["flag_reset"], "exit: stopped, the flag is back to 0")
    check(all(r["armed"] and r["confirmed"] and r["exited"] and r["saved"] and r["saved"]["verdict"] == "VALID" for r in stopped["ranks"]),
          "all four ranks confirmed, saved a VALID set and are gone")
    for node in mindspore_job.NODES:
        with open(job.config(node)) as config:
            check(config.read() == '{\n  "GracefulExit": 0,\n  "kept": "as it is"\n}\n', f"{node}: the config is byte for byte as before")
    try:
        wait_for("the last lines", lambda: watch.losses(0) == logged(logs), 60)
    finally:
        first, seen = logged(logs), watch.losses(0)
        missing, extra = [one for one in first if one not in seen], [one for one in seen if one not in first]
        check(seen == first, f"every loss line of every worker log arrived, none twice ({len(first)} lines; missing {missing[:4]}, too many {extra[:4]})")

    # Before the first stop nothing shows the name of the callback's files: its script takes it from a variable.
    check_ended(known.words[0], known.words[3], found["file"], known.words[-1], without=("graceful",))
    judged = ctl.run("checkpoints")
    chosen = next(s for s in judged["sets"] if s["id"] == judged["recommended"])
    last = max((epoch, step) for _, epoch, step, _ in first)
    check(chosen["verdict"] == "VALID" and (chosen["epoch"], chosen["step"]) == last, f"the newest VALID set is the exit's own, {last}")
    plan = ctl.run("resume", "--dry-run")
    codes = {finding["code"]: finding["result"] for finding in plan["preflight"]}
    check(codes.get("stale_train_ckpt") in ("warn", "refuse"), "the stale *_train.ckpt that crashes 2.7.0 is found before it does")

    resumed = ctl.run("resume", "--wait", "180")
    check(resumed["outcome"] == "proven" and resumed["proof"]["continues"], "resume right after the stop: proven")
    check([process.wait(60) for process in job.runs] == [0, 0], "both msrun of the first attempt ended with 0")
    steps = {rank["loaded_global_step"] for rank in resumed["proof"]["ranks"]}
    check(len(resumed["proof"]["ranks"]) == 4 and steps == {chosen["global_step"]}, f"all four ranks continued from global step {chosen['global_step']}")
    for rank in range(4):
        with open(logs[rank]) as log:
            check(f"rank_{rank}/" in re.search(r"^resume from (\S+):", log.read(), re.M)[1], f"rank {rank} loaded its own file")
    wait_for("losses of the second attempt", lambda: len({s[0] for s in watch.losses(1)}) == 4, 60)
    check(min(epoch for _, epoch, _, _ in watch.losses(1)) == last[0] + 1, "the second attempt goes on with the next epoch")

    status = ctl.run("status")
    check([rank["attempt"] for rank in status["ranks"]] == [1] * 4 and [rank["alive"] for rank in status["ranks"]] == [True] * 4,
          "the second attempt runs on all ranks")
    held_and_cancelled(ctl, job, status["ranks"][2]["pid"])
    stopped = ctl.run("exit", "--wait", "120")
    check(stopped["outcome"] == "stopped", "and it can be stopped again")
    check(watch.stop() == 130, "watch ends with 130 at a signal")
    check(watch.losses(1) == logged(logs), "every loss line of the second attempt arrived, none twice")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--mindspore-python", required=True)
    parser.add_argument("--keep", action="store_true", help="leave the directory")
    options = parser.parse_args()
    with Scratch(prefix="rankdeck-interop-", stays=options.keep) as directory:
        job = mindspore_job.Job(os.path.join(directory, "job"), options.mindspore_python)
        ctl = Ctl(os.path.join(options.bin, "rankdeckctl"), job.start(), os.path.join(directory, "state"))
        try:
            run(ctl, job)
        except AssertionError as error:
            print("FAILED " + str(error), flush=True)
            for rank in range(4):
                if os.path.exists(job.log(rank)):
                    print(f"--- worker_{rank}.log\n" + subprocess.run(["tail", "-5", job.log(rank)], stdout=subprocess.PIPE, text=True).stdout)
            sys.exit(1)
        finally:
            job.stop()


if __name__ == "__main__":
    main()
