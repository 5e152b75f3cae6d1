# SPDX-License-Identifier: GPL-3.0-or-later
"""MindX DL's ResNet50 for PyTorch (tests/sources/resnet50_pytorch), real PyTorch on two sshd nodes: four ranks, one file per
node, written over in place. Killed, judged, resumed with its own --resume=true, which takes the first folder that a glob meets.
Usage: --bin DIR
"""
import argparse
import glob
import os
import re
import shutil
import sys
import tempfile

from source_job import SourceJob, check, codes, scenes, wait_for

PYTHON = "/usr/bin/python3"  # Debian's python3-torch


def arguments(job, *more):
    return [PYTHON, "main_apex.py", "--data=/job/data/imagenet", "--seed=49", "--dist-url=tcp://127.0.0.1:%d" % job.port,
            "--dist-backend=gloo", "--epoch=90000", *more]


def make(binaries):
    def one(directory):
        job = SourceJob(directory, binaries, "resnet50_pytorch")
        job.describe({"recipe": "command", "script": "pytorch", "command": arguments(job, "--resume=true"), "env": {"NODES": "2", "OMP_NUM_THREADS": "1"}},
                     framework="pytorch", steps_per_epoch=5, checkpoints={"path": job.path("{node}", "rank_{rank}"), "saved_by": "first_of_node"})
        return job
    return one


def saved(job):
    """By the newest line of it in each node's first log."""
    found = [re.findall(r"^save ckpt to (\S+) done\. Best epoch for now is :(\d+)$", job.text(rank), re.M) for rank in (0, 2)]
    return min(int(lines[-1][1]) for lines in found) if all(found) else 0


def stray(job):
    """What another run of 16 ranks has left: the glob meets it as well."""
    left = job.path("node0", "rank_8")
    os.makedirs(left)
    shutil.copy(job.path("node0", "rank_0", "model_best.pth.tar"), left)
    with open(os.path.join(left, "model_best.pth.tar"), "r+b") as file:
        file.truncate(1000)
    return os.path.join(left, "model_best.pth.tar")


def one_file_per_node(job):
    job.start(lambda rank: arguments(job), lambda rank, local: {"RANK": str(rank), "LOCAL_RANK": str(local), "WORLD_SIZE": "4", "NODES": "2", "OMP_NUM_THREADS": "1"})
    wait_for("three saves", lambda: saved(job) >= 3)
    job.kill()
    other = stray(job)
    check(sorted(glob.glob(job.path("node*", "rank*", "*"))) == [job.path("node0", "rank_0", "model_best.pth.tar"), other, job.path("node1", "rank_2", "model_best.pth.tar")],
          "device 0 of each node has saved, over the save before")
    judged = job.ctl("checkpoints", codes=(0, 1))
    check(judged["recommended"], "one file per node is a set: " + str(judged["recommended"]))
    chosen = next(s for s in judged["sets"] if s["id"] == judged["recommended"])
    plan = job.ctl("resume", "--dry-run")
    check("newer_checkpoints" in codes(plan) and "rank_8" in codes(plan)["newer_checkpoints"]["text"], "the stray folder goes aside: " + codes(plan)["newer_checkpoints"]["text"])
    check("keeps_one_checkpoint" in codes(plan), "that the next save is written over the set is said")
    out = job.resume()
    check(not os.path.exists(other) and glob.glob(other + ".moved-*"), "it did")
    for rank in range(4):
        line = re.search(r"^\[gpu id: \d \] => loaded checkpoint '(\S+)' \(epoch (\d+)\)$", job.text(rank), re.M)
        check(line and line[1] == "./rank_%d/model_best.pth.tar" % (rank // 2 * 2) and int(line[2]) == chosen["epoch"], "rank %d: %s" % (rank, line and line[0]))
    check(all("path" in rank["witness"] for rank in out["proof"]["ranks"]), "each rank's path is a witness")
    kept = job.ctl("keep", "--set", chosen["id"], codes=(0, 1))
    check(kept["outcome"] in ("kept", "refused"), "keep: " + kept["text"])


def nothing_there(job):
    """The folders went away between two looks: the script would say that it found nothing, and train from zero."""
    job.start(lambda rank: arguments(job), lambda rank, local: {"RANK": str(rank), "LOCAL_RANK": str(local), "WORLD_SIZE": "4", "NODES": "2", "OMP_NUM_THREADS": "1"})
    wait_for("a save", lambda: saved(job) >= 1)
    job.kill()
    kept = job.ctl("keep", "--set", job.ctl("checkpoints", codes=(0, 1))["recommended"])
    check(kept["outcome"] == "kept", kept["text"])
    for rank in (0, 2):
        shutil.rmtree(job.path(job.node_of(rank), "rank_%d" % rank))
    out = job.ctl("resume", "--wait", "60", codes=(0, 1))
    check(out["outcome"] == "refused", "nothing to load is refused: " + out["text"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    options = parser.parse_args()
    directory = tempfile.mkdtemp(prefix="rankdeck-interop-")
    try:
        return scenes(directory, [("one_file_per_node", make(options.bin), one_file_per_node), ("nothing_there", make(options.bin), nothing_there)])
    finally:
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
