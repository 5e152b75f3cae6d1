# SPDX-License-Identifier: GPL-3.0-or-later
"""Recipes that start real MindSpore: four ranks and their scheduler. They run on two sshd nodes (`command`) and under a private
Slurm (`slurm`). They also run by the program of Volcano's pods (`volcano`: its two pods are two processes here).

The first set is trained by one process and represents four data-parallel ranks. Usage: --bin DIR --mindspore-python PYTHON
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "..", "packaging", "mindspore"), os.path.join(HERE, "..", "testbed")]
from checks import check, wait_for  # noqa: E402
import job as mindspore_job  # noqa: E402
import private_slurm  # noqa: E402
from scratch import Scratch  # noqa: E402


class Scene:
    def __init__(self, directory, binaries, python):
        self.directory, self.binaries, self.python = directory, binaries, python
        self.job = mindspore_job.Job(os.path.join(directory, "job"), python)
        self.described = self.job.description()
        self.described["launch"].update(recipe="command", command=[python] + self.job.script + ["--resume", "{checkpoint}"])

    def write(self, **changes):
        self.described["launch"].update(changes)
        with open(self.job.job_file, "w") as file:
            json.dump(self.described, file, indent=2)

    def first_set(self):
        for rank in range(4):
            os.makedirs(os.path.dirname(self.job.log(rank)), exist_ok=True)
        with open(self.job.log(0), "w") as log:
            subprocess.run([self.python, "train_lenet.py", "--net", "tiny", "--out", "ckpt", "--epochs", "1"], cwd=self.job.directory,
                           stdout=log, stderr=log, check=True, timeout=120)
        for rank in (1, 2, 3):
            shutil.copy(self.job.log(0), self.job.log(rank))
        saved = os.path.join(self.job.directory, "ckpt", "rank_%d")
        for rank in (1, 2, 3):
            shutil.copytree(saved % 0, saved % rank)
        then = time.time() - 600  # as if it had ended long ago
        for rank in range(4):
            for path in [self.job.log(rank)] + glob.glob(os.path.join(saved % rank, "*")):
                os.utime(path, (then, then))

    def ctl(self, *arguments, codes=(0,)):
        words = [os.path.join(self.binaries, "rankdeckctl"), "--json", "--job", self.job.job_file, "--state-dir", os.path.join(self.directory, "state")]
        done = subprocess.run(words + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode not in codes:
            raise AssertionError(f"{arguments}: exit code {done.returncode}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}")
        return json.loads(done.stdout)

    def log(self, rank):
        with open(self.job.log(rank), errors="replace") as log:
            return log.read()

    def resume(self, recipe):
        report = self.ctl("resume", "--wait", "180", codes=(0, 1))
        check(report["outcome"] == "proven" and report["proof"]["continues"], f"{recipe}: four real ranks continue: {report['text']}")
        ranks = report["proof"]["ranks"]
        check(len(ranks) == 4 and all({"line", "path", "step"} <= set(rank["witness"]) for rank in ranks), "line, path and step agree on every rank")
        check(all(rank["loaded_path"].find(f"rank_{rank['rank']}/") > 0 for rank in ranks), "and name each rank's own file")
        return report

    def stop(self):
        stopped = self.ctl("exit", "--wait", "120", codes=(0, 1))
        check(stopped["outcome"] == "stopped", "and stop together: " + stopped["text"])
        wait_for("the scheduler's end", lambda: not self.schedulers(), 60)

    def schedulers(self):
        found = []
        for pid in mindspore_job.processes_in(self.job.directory):
            try:
                with open(f"/proc/{pid}/environ", "rb") as environ:
                    if b"MS_ROLE=MS_SCHED" in environ.read().split(b"\0"):
                        found.append(pid)
            except OSError:
                continue
        return found


def by_command(scene):
    scene.write()
    wait_for("the set of the one process as VALID", lambda: scene.ctl("checkpoints", codes=(0, 1))["recommended"] == "0:1-10", 60)
    dry = scene.ctl("resume", "--dry-run")
    check([len(node["commands"]) for node in dry["plan"]["nodes"]] == [3, 2], "command: a scheduler and two ranks, and two ranks")
    report = scene.resume("command")
    check(report["set"] == "0:1-10" and len(scene.schedulers()) == 1, "one scheduler runs")
    scene.stop()
    report = scene.resume("command, from its own set")
    check(int(report["set"].split(":")[0]) >= 1, "the set of the second attempt is taken: " + report["set"])
    scene.stop()


def by_slurm(scene):
    slurm = private_slurm.PrivateSlurm(os.path.join(scene.directory, "slurm"), nodes=2, cpus=2)
    slurm.start()
    try:
        env = dict(scene.described["launch"]["env"], SLURM_CONF=slurm.conf, RANKDECK_SLURM_POLL="1")
        for node in scene.described["nodes"]:
            node["env"]["PATH"] += ":" + slurm.env["PATH"]
        scene.described["paths_shared"] = True
        scene.write(recipe="slurm", env=env, submit_on="node0", options=["--ntasks-per-node=2"])
        del scene.described["launch"]["master_addr"]
        scene.write(master_port=mindspore_job.free_port())
        scene.resume("slurm")
        check("rank 0 of 4" in scene.log(0), "MindSpore counts four ranks")
        scene.stop()
    finally:
        slurm.stop()


def by_pods(scene):
    scene.write(recipe="volcano", master_addr="127.0.0.1", master_port=mindspore_job.free_port(), options=[],
                volcano={"image": "train:1", "mounts": {scene.job.directory: scene.job.directory}})
    plan = scene.ctl("resume", "--dry-run", codes=(0, 1))["plan"]
    diff = next(edit["diff"] for node in plan["nodes"] for edit in node["edits"] if edit["path"].endswith("/pod.py"))
    program = os.path.join(scene.directory, "pod.py")
    with open(program, "w") as file:
        file.write("\n".join(line[1:] for line in diff.splitlines() if line.startswith("+") and not line.startswith("+++")) + "\n")
    for stale in glob.glob(os.path.join(scene.job.directory, "*", "rank_*", "*_train.ckpt")):
        os.remove(stale)  # as the plan does: MindSpore 2.7 crashes on it
    for rank in range(4):
        os.rename(scene.job.log(rank), scene.job.log(rank) + ".old")
    pods = [subprocess.Popen([sys.executable, program], cwd=scene.job.directory, env=dict(os.environ, VC_TASK_INDEX=str(pod))) for pod in (0, 1)]
    try:
        wait_for("losses of four ranks", lambda: all(os.path.exists(scene.job.log(rank)) and re.search(r"^epoch: \d+ step: \d+, loss is ", scene.log(rank), re.M)
                                                     for rank in range(4)), 120)
        check(all(re.search(r"^resume from \S+rank_%d/" % rank, scene.log(rank), re.M) for rank in range(4)), "volcano: the pods' four ranks train from their own files")
        for pod in pods:
            pod.terminate()
        codes = [pod.wait(60) for pod in pods]
        check(codes == [0, 0] and not scene.schedulers(), f"SIGTERM ends pods, ranks and scheduler, exit codes {codes}")
    finally:
        for pod in pods:
            pod.kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--mindspore-python", required=True)
    parser.add_argument("--keep", action="store_true", help="leave the directory")
    options = parser.parse_args()
    with Scratch(prefix="rankdeck-interop-", stays=options.keep) as directory:
        scene = Scene(directory, options.bin, options.mindspore_python)
        try:
            scene.job.start_nodes()
            scene.first_set()
            for part in (by_command, by_slurm, by_pods):
                part(scene)
        except AssertionError as error:
            print("FAILED " + str(error), flush=True)
            for rank in range(4):
                if os.path.exists(scene.job.log(rank)):
                    print(f"--- worker_{rank}.log\n" + subprocess.run(["tail", "-5", scene.job.log(rank)], stdout=subprocess.PIPE, text=True).stdout)
            sys.exit(1)
        finally:
            scene.job.stop()


if __name__ == "__main__":
    main()
