# SPDX-License-Identifier: GPL-3.0-or-later
"""`rankdeckctl resume` with the recipe slurm on a real private Slurm, as a plain user. Four ranks that really train are killed,
resumed by one sbatch, found again, refused when they run, and cancelled. A refused sbatch leaves nothing behind.
Usage: --bin DIR
"""
import argparse
import glob
import json
import os
import re
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "testbed")]
from checks import check, wait_for, was_two_minutes_ago  # noqa: E402
import private_slurm  # noqa: E402
from ports import SLURM, free_ports  # noqa: E402
from scratch import Scratch  # noqa: E402
from same_job import check_ended, check_running, discovered  # noqa: E402
from secrets_at_rest import PLANTED, check_secrets  # noqa: E402

RANKS = 4
RESUMED = r"^resume from (?P<path>.+): epoch (?P<epoch>\d+), step (?P<step>\d+), global_step (?P<global_step>\d+)$"


class Scene:
    def __init__(self, directory, binaries):
        self.directory, self.binaries = directory, binaries
        self.binary, self.state = os.path.join(binaries, "rankdeckctl"), os.path.join(directory, "state")
        self.job_directory = os.path.join(directory, "job")
        os.makedirs(os.path.join(self.job_directory, "log"))
        self.slurm = private_slurm.PrivateSlurm(os.path.join(directory, "slurm"), nodes=2, cpus=2)
        self.file = os.path.join(directory, "lenet.rankdeck.json")
        self.port = free_ports(SLURM)
        self.first = []

    def path(self, *parts):
        return os.path.join(self.job_directory, *parts)

    def command(self):
        return [os.path.join(self.binaries, "rankdeck-demo-trainer"), "--out", self.path("ckpt"), "--graceful", self.path("graceful.json"),
                "--epochs", "1000", "--steps", "20", "--step-seconds", "0.05", "--save-steps", "10", "--keep", "1000",
                "--build-seconds", "120", "--collective-seconds", "60"]

    def environment(self):
        return {"MS_SCHED_HOST": "127.0.0.1", "MS_SCHED_PORT": str(self.port), "MS_ENABLE_GRACEFUL_EXIT": "1"}

    def write_job(self, options=()):
        launch = {"recipe": "slurm", "workdir": self.job_directory, "command": self.command() + ["--resume", "{checkpoint}"],
                  "env": dict(self.environment(), WANDB_API_KEY=PLANTED, MY_SETTING=PLANTED, SLURM_CONF=self.slurm.conf, RANKDECK_SLURM_POLL="1",
                              PATH=self.slurm.env["PATH"]),
                  "options": ["--ntasks-per-node=2"] + list(options)}
        job = {"rankdeck": 1, "name": "lenet", "world_size": RANKS, "framework": "mindspore", "steps_per_epoch": 20,
               "nodes": [{"name": "login", "host": "local", "ranks": list(range(RANKS))}],
               "logs": {"path": self.path("log/worker_{rank}.log"), "resume": RESUMED},
               "checkpoints": {"path": self.path("ckpt/rank_{rank}"), "prefix": "lenet"},
               "graceful_exit": {"config": self.path("graceful.json")}, "launch": launch}
        job["launch"]["options"].append("--nodes=2")
        with open(self.file, "w") as file:
            json.dump(job, file)

    def start_first(self):
        with open(self.path("graceful.json"), "w") as config:
            config.write('{"GracefulExit": 0}\n')
        for rank in range(RANKS):
            env = dict(os.environ, RANK_ID=str(rank), RANK_SIZE=str(RANKS), DEVICE_ID=str(rank), MS_NODE_ID=str(rank),
                       MS_ROLE="MS_WORKER", **self.environment())
            with open(self.path("log", "worker_%d.log" % rank), "wb") as log:
                self.first.append(subprocess.Popen(self.command(), env=env, stdout=log, stderr=log))

    def kill_first(self):
        for process in self.first:
            process.kill()
        for process in self.first:
            process.wait()

    def saved(self):
        return min(len(glob.glob(self.path("ckpt", "rank_%d" % rank, "lenet-*.ckpt"))) for rank in range(RANKS))

    def ctl(self, *arguments, codes=(0,)):
        words = [self.binary, "--json", "--job", self.file, "--state-dir", self.state]
        done = subprocess.run(words + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        if done.returncode not in codes:
            raise AssertionError("%s: exit code %d\n%s\n%s" % (arguments, done.returncode, done.stdout[-6000:], done.stderr[-3000:]))
        return json.loads(done.stdout)

    def log(self, rank):
        with open(self.path("log", "worker_%d.log" % rank), errors="replace") as log:
            return log.read()

    def jobs(self, states="all"):
        rows = self.slurm.run("squeue", "-h", "-t", states, "-o", "%i|%j|%T|%k")
        return [row.split("|") for row in rows.splitlines()]

    def tree(self):
        return sorted(os.path.relpath(os.path.join(folder, name), self.job_directory)
                      for folder, _, names in os.walk(self.job_directory) for name in names)


def refused_by_slurm(scene):
    scene.write_job(["--partition=nowhere"])
    before, logs = scene.tree(), [scene.log(rank) for rank in range(RANKS)]
    report = scene.ctl("resume", "--wait", "60", codes=(1,))
    check(report["outcome"] == "failed" and "All files are back" in json.dumps(report) and "Invalid partition name" in json.dumps(report), "a refused sbatch fails the resume with Slurm's own words")
    left = [name for name in scene.tree() if name not in before and "/runs/" not in name]
    check(not left and set(before) <= set(scene.tree()), "it leaves every file where it was, found besides " + str(left))
    check([scene.log(rank) for rank in range(RANKS)] == logs and not scene.jobs(), "the logs are back and nothing is queued")


def resumed(scene):
    scene.write_job()
    plan = scene.ctl("resume", "--dry-run")
    commands = " ".join(plan["plan"]["nodes"][0]["commands"])
    check("sbatch --parsable --no-requeue --open-mode=append" in commands, "the plan shows the sbatch that will run")
    diffs = {os.path.basename(edit["path"]): edit["diff"] for edit in plan["plan"]["nodes"][0]["edits"]}
    check({"rank.py", "job.sbatch", "slurm.sh"} <= set(diffs) and not scene.jobs(), "and every file that it writes; a dry run submits nothing")

    report = scene.ctl("resume", "--wait", "180")
    check(report["outcome"] == "proven" and report["proof"]["continues"], "resume: proven on all ranks")
    jobs = scene.jobs()
    check(len(jobs) == 1 and jobs[0][2] == "RUNNING", "one job runs")
    number, name, _, comment = jobs[0]
    check(re.fullmatch(r"rd-lenet-[0-9a-f]+-resume-[A-Za-z0-9._-]+", name) and name in comment, "its name and its comment carry the token")
    shown = scene.slurm.run("scontrol", "show", "job", "-o", number)
    check(" Requeue=0 " in shown, "Slurm will not start it again by itself")
    check("NumNodes=2" in shown and "NumTasks=4" in shown, "it has two nodes and four tasks")
    chosen = report["set"].split(":")[1].replace("-", "_")
    for rank in range(RANKS):
        path = re.search(RESUMED, scene.log(rank), re.M).group("path")
        check(path == scene.path("ckpt", "rank_%d" % rank, "lenet-%s.ckpt" % chosen), "rank %d loaded its own file of the chosen set" % rank)
    return name, number


def found_again(scene, name, number):
    batch = os.path.dirname(glob.glob(scene.path(".rankdeck", "batch", "*", "slurm.sh"))[-1])
    with open(os.path.join(batch, "job.sbatch")) as script:
        check(scene.slurm.run("scontrol", "write", "batch_script", number, "-") == script.read().strip(), "Slurm holds the script of the plan")
    check(scene.slurm.run("bash", os.path.join(batch, "slurm.sh"), "find") == number, "the job is found by its name")
    again = subprocess.Popen(["bash", os.path.join(batch, "slurm.sh"), "submit", "sbatch", "--job-name=" + name, os.path.join(batch, "job.sbatch")],
                             env=scene.slurm.env, stdout=subprocess.PIPE, universal_newlines=True, start_new_session=True)
    check(again.stdout.readline() == "job %s is queued as %s\n" % (number, name) and len(scene.jobs()) == 1, "a second submission finds the first and adds none")
    os.killpg(again.pid, signal.SIGKILL)
    again.wait()
    refused = scene.ctl("resume", codes=(1,))
    check(refused["outcome"] == "refused" and any(f["code"] == "survivors" for f in refused["preflight"]), "a resume over the running job is refused")
    return batch


def cancelled(scene, batch, number):
    scene.slurm.run("bash", os.path.join(batch, "slurm.sh"), "cancel")
    wait_for("the job's end", lambda: [job[2] for job in scene.jobs() if job[0] == number] == ["CANCELLED"])
    wait_for("the end of what stands for it", lambda: "has ended as CANCELLED" in open(batch.replace("/batch/", "/runs/") + ".submit.out").read())
    check(True, "cancel by name ends the job, and what stands for it ends too")
    status = wait_for("no rank that is known to run", lambda: (lambda s: s if all(r["alive"] is not True for r in s["ranks"]) else None)(scene.ctl("status")))
    check(len(status["ranks"]) == RANKS, "all ranks are gone")


def left_behind(scene):
    allowed = ("lenet.rankdeck.json", "job/.rankdeck/batch/", "slurm/")  # and Slurm's own copy of the script
    check_secrets(scene.directory, scene.state, allowed)


def run(scene):
    os.makedirs(scene.path(".rankdeck", "batch"), 0o755)
    scene.write_job()
    scene.start_first()
    wait_for("three saves of every rank", lambda: scene.saved() >= 3)
    scene.kill_first()
    was_two_minutes_ago(scene.path("log"), scene.path("ckpt"))  # a console that never saw the ranks waits for a run that moved a minute ago
    check(True, "four ranks trained, saved and were killed")
    refused_by_slurm(scene)
    name, number = resumed(scene)
    batch = found_again(scene, name, number)
    found = discovered(scene.binary, ["local"], scene.job_directory, os.path.join(scene.directory, "found"))["file"]
    check_running(scene.binary, scene.file, found, scene.state)
    cancelled(scene, batch, number)
    was_two_minutes_ago(scene.path("log"), scene.path("ckpt"))
    check_ended(scene.binary, scene.file, found, scene.state)
    report = scene.ctl("resume", "--wait", "180")
    check(report["outcome"] == "proven" and len(scene.jobs("running")) == 1, "and it can be resumed again")
    left_behind(scene)
    stand_in = report["journal"]
    pids = {int(p) for p in os.listdir("/proc") if p.isdigit() and is_stand_in(int(p), stand_in)}
    pids = [pid for pid in pids if parent_of(pid) not in pids]  # it forks subshells with the same command line
    check(len(pids) == 1, "one process stands for the job")
    os.kill(pids[0], signal.SIGTERM)
    wait_for("the job's end", lambda: not scene.jobs("running"))
    check(True, "SIGTERM to it cancels the job")


def parent_of(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return int(file.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return pid  # it has ended


def is_stand_in(pid, action):
    try:
        with open("/proc/%d/cmdline" % pid) as file:
            words = file.read().split("\0")
    except OSError:
        return False
    return len(words) > 3 and words[0].endswith("bash") and action in words[1] and words[2] == "submit"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    options = parser.parse_args()
    if os.geteuid() == 0:
        private_slurm.as_plain_user(os.path.abspath(__file__), options.bin, ["rankdeckctl", "rankdeck-demo-trainer"])
    with Scratch(prefix="rankdeck-slurm-") as directory:
        scene = Scene(directory, options.bin)
        try:
            scene.slurm.start()
            check(True, "a private Slurm of two nodes is ready, as user id %d" % os.geteuid())
            run(scene)
        except AssertionError as error:
            print("FAILED " + str(error), flush=True)
            print(scene.slurm.log())
            for path in glob.glob(scene.path(".rankdeck", "*", "*", "*.out")) + glob.glob(scene.path("log", "*.log")):
                with open(path, errors="replace") as file:
                    print("--- %s\n%s" % (path, "".join(file.readlines()[-8:])))
            sys.exit(1)
        finally:
            scene.kill_first()
            scene.slurm.stop()


if __name__ == "__main__":
    main()
