# SPDX-License-Identifier: GPL-3.0-or-later
"""The world of a resume: both ranks were killed an hour ago, and their logs and checkpoints are there. The new attempt uses the
same small trainer. Whatever is interrupted, at most one attempt runs, no old byte is lost, and each answer is true. With
scenario.refused the node n1 starts nothing, so that everything is put back."""
import json
import os
import time

from worlds import RANK, World, content

HOUR = 3600


class ResumeWorld(World):
    def set_up(self, fault):
        super().set_up(fault)
        for process in self.ranks:
            process.kill()
            process.wait()
        self.ranks = []
        self.old = {}
        for folder in ("log", "ckpt/rank_0", "ckpt/rank_1"):
            for name in os.listdir(os.path.join(self.job, folder)):
                path = os.path.join(self.job, folder, name)
                if name.endswith(".tmp"):
                    os.remove(path)
                    continue
                os.utime(path, (time.time() - HOUR, time.time() - HOUR))
                self.old[path] = content(path)
        if self.alias:
            for folder in ("alias-home", "alias-state", "alias-work"):
                os.mkdir(self.path(folder), 0o700)
            os.symlink("job", self.path("link"))
            with open(self.path("alias.rankdeck.json"), "w") as file:
                job = json.loads(json.dumps(self.job_file()).replace(self.path("job/"), self.path("link/")))
                job["name"], job["launch"]["workdir"] = "another", self.path("alias-work")
                json.dump(job, file)
        if self.scenario.refused:
            open(self.path("refuses.n1.LAUNCH"), "w").close()

    def job_file(self):
        job = super().job_file()
        job["launch"]["env"] = {"FAKE_JOB": self.job, "FAKE_CONFIG": self.path("job", "{node}.json"), "MS_ENABLE_GRACEFUL_EXIT": "1"}
        return job

    def running(self):
        """[(rank, action, output path)] of the trainers of this job."""
        found = []
        for pid in os.listdir("/proc"):
            if not pid.isdigit():
                continue
            try:
                env = dict(item.partition(b"=")[::2] for item in content("/proc/%s/environ" % pid).split(b"\0"))
                words = content("/proc/%s/cmdline" % pid).split(b"\0")
                if env.get(b"FAKE_JOB") != self.job.encode() or RANK.encode() not in words or env.get(b"MS_ROLE") == b"MS_SCHED":
                    continue
                if content("/proc/%s/stat" % pid).rpartition(b")")[2].split()[0] in (b"Z", b"X"):
                    continue
                found.append((int(env[b"RANK_ID"]), env[b"RANKDECK_LAUNCH_ID"].decode().split(".")[0],
                              os.readlink("/proc/%s/fd/1" % pid), int(pid)))
            except (OSError, KeyError, ValueError):
                continue
        return sorted(found)

    def alive(self):
        return sorted({rank for rank, _, _, _ in self.running()})

    def contents(self):
        """Contents of all files of the job. A link has no content, but the target of a launch's link states the decision. A file
        that is renamed between a listing and a read would seem lost, so everything is read again."""
        while True:
            paths = [os.path.join(folder, name) for folder, _, names in os.walk(self.job) for name in names if not name.endswith(".tmp")]
            try:
                return {content(path) for path in paths if not os.path.islink(path)}
            except FileNotFoundError:
                continue

    def lost(self):
        """The old files whose content exists neither under their own name nor under another one."""
        now = self.contents()
        return sorted(os.path.basename(path) for path, bytes_ in self.old.items() if bytes_ not in now)

    def moved(self):
        def is_there(path, bytes_):
            try:
                return content(path) == bytes_
            except FileNotFoundError:
                return False
        return sorted(os.path.basename(path) for path, bytes_ in self.old.items() if not is_there(path, bytes_))

    def untouched(self):
        faults = []
        if self.stranger.poll() is not None:
            faults.append("a process that is not the job's was signalled")
        running = self.running()
        if len({action for _, action, _, _ in running}) > 1 or len(running) > len({rank for rank, _, _, _ in running}):
            faults.append("more than one attempt runs: %s" % [entry[:2] for entry in running])
        for rank, _, log, _ in running:
            if log != self.path("job/log/worker_%d.log" % rank):
                faults.append("rank %d runs and writes to %s" % (rank, log))
        if self.lost():
            faults.append("lost: %s" % self.lost())
        return faults

    def is_true(self, answer, settled):
        if "proof" not in answer:            # of an exit
            return ["stopped, but ranks %s run" % self.alive()] if answer["outcome"] == "stopped" and self.alive() and settled else []
        faults, outcome, text = [], answer["outcome"], answer["text"]
        left = {one["path"] for one in answer.get("left", [])}
        if not settled:
            return faults
        if outcome == "proven" and self.alive() != [0, 1]:
            faults.append("proven, but only ranks %s run" % self.alive())
        if outcome == "failed" and "ll files are back" in text and self.moved():
            faults.append("all files are back, but %s are not" % self.moved())
        if outcome == "failed" and not left and "cannot tell" not in text and self.alive():
            faults.append("failed, and ranks %s run: %s" % (self.alive(), text))
        if outcome == "refused" and self.alive() and not any(
                one["result"] == "refuse" and one["code"] in ("attempt_running", "survivors", "other_console") for one in answer["preflight"]):
            faults.append("refused without a word of ranks %s, which run: %s" % (self.alive(), text))
        return faults

    def fresh_console(self):
        """A new console completes the interrupted action or takes it back, and the job runs: with all ranks, once."""
        for name in os.listdir(self.root):
            if name.startswith(("away.", "refuses.")):
                os.remove(self.path(name))
        console = self.console("resume", "--wait", "20")
        out = console.communicate(timeout=200)[0]
        if not out.strip():
            return ["the fresh console gave no answer (%d)" % console.returncode]
        answer = json.loads(out)
        faults = self.is_true(answer, True) + self.untouched()
        if self.alive() != [0, 1]:
            codes = [one["code"] for one in answer["preflight"] if one["result"] == "refuse"]
            faults.append("after a fresh console ranks %s run: %s %s %s" % (self.alive(), answer["outcome"], answer["text"], codes))
        return faults
