# SPDX-License-Identifier: GPL-3.0-or-later
"""MindX DL's ResNet50 for PyTorch (tests/sources/resnet50_pytorch) under real torch on two sshd nodes with disks of their own.
Device 0 of each node overwrites rank_R/model_best.pth.tar when the accuracy has risen. --resume=true is a switch, and the script
takes the first ./rank* that a glob finds. The run is judged, killed, resumed with its wrapper, and proven by line, file, epoch and
loss. A second run is ended at once because the script reports that it found nothing to resume.
Debian's python3-torch. Usage: --bin DIR
"""
import argparse
import glob
import os
import re
import shutil
import sys

from source_job import Scratch, SourceJob, check, codes, scenes, wait_for

ARGUMENTS = ["--data=/job/data/imagenet", "--seed=49", "--dist-backend=gloo", "--epoch=90"]


def command(job):
    return ["/usr/bin/python3", "main_apex.py"] + ARGUMENTS + ["--dist-url=tcp://127.0.0.1:%d" % job.port]


def make(options):
    def one(directory):
        job = SourceJob(directory, options.bin, "resnet50_pytorch")
        # As in MindX DL's job: a working directory on each node, and one file per node.
        job.describe({"recipe": "command", "script": "pytorch", "command": command(job) + ["--resume=true"],
                      "env": {"NODES": "2", "OMP_NUM_THREADS": "1"}},
                     framework="pytorch", checkpoints={"path": job.path("{node}"), "saved_by": "first_of_node"})
        return job
    return one


def best(job):
    return [glob.glob(job.path(node, "rank_*", "model_best.pth.tar")) for node in job.nodes]


def saved(job, rank):
    return [int(epoch) for epoch in re.findall(r"^save ckpt to \./rank_\d+/model_best\.pth\.tar done\. Best epoch for now is :(\d+)$", job.text(rank), re.M)]


def best_of_each_node(job):
    job.start(lambda rank: command(job), lambda rank, local: {"RANK": str(rank), "LOCAL_RANK": str(local), "WORLD_SIZE": "4", "NODES": "2", "OMP_NUM_THREADS": "1", "RANK_ID": str(rank)})
    wait_for("three epochs", lambda: all(len(saved(job, rank)) >= 3 for rank in (0, 2)), 60)
    wait_for("a save of both nodes that no newer one overtakes", lambda: saved(job, 0) == saved(job, 2), 30)
    job.kill()
    epoch = saved(job, 0)[-1]
    check([len(files) for files in best(job)] == [1, 1] and all("rank_0" in best(job)[0][0] and "rank_2" in best(job)[1][0] for _ in (0,)),
          "one file of each node, written over by the next best")
    judged = job.ctl("checkpoints", codes=(0, 1))
    chosen = next(s for s in judged["sets"] if s["id"] == judged["recommended"])
    check(chosen["verdict"] == "VALID" and chosen["epoch"] == epoch and len(chosen["members"]) == 4, "VALID for four ranks, of epoch %d" % epoch)
    for files in best(job):
        shutil.copy2(files[0], files[0] + ".valid")
    # A leftover of another run, which the glob might meet first.
    os.makedirs(job.path("node0", "rank_7"))
    shutil.copy2(job.path("node0", "rank_0", "model_best.pth.tar"), job.path("node0", "rank_7"))
    out = job.resume()
    check("keeps_one_checkpoint" in codes(out) and "newer_checkpoints" in codes(out), "what else lies in ./rank* went aside, and the next save is warned of")
    for rank in range(4):
        own = "./rank_%d/model_best.pth.tar" % (0 if rank < 2 else 2)
        proof = out["proof"]["ranks"][rank]
        check(set(proof["witness"]) == {"line", "path", "step", "loss"} and proof["loaded_path"] == own, "rank %d: line, file, epoch and loss agree: %s" % (rank, own))
        first = re.search(r"^\[gpu id: \d \] Epoch: \[(\d+)\]\[ 0/5\]", job.text(rank), re.M)
        check(first and int(first[1]) == epoch, "rank %d goes on with the next epoch" % rank)
    nothing_found(job)


def nothing_found(job):
    """The same, but the command first changes to a folder of its own, in which its glob finds nothing."""
    job.kill()
    for files in best(job):  # the kill may have come between the saves of the two nodes
        for file in files:
            if os.path.exists(file + ".valid"):
                os.replace(file + ".valid", file)
    job.describe({"recipe": "command", "script": "pytorch", "env": {"NODES": "2", "OMP_NUM_THREADS": "1"},
                  "command": ["sh", "-c", 'mkdir -p empty/rank_$RANK && cd empty && exec /usr/bin/python3 ../main_apex.py "$@"', "sh"] + command(job)[2:] + ["--resume=true"]},
                 framework="pytorch", checkpoints={"path": job.path("{node}"), "saved_by": "first_of_node"})
    out = job.ctl("resume", "--wait", "60", "--stop-on-alarm", "--fix", "checkpoint_not_named", codes=(1,))
    # The first rank that reports it ends the run, so that the others may not get that far.
    check(out["outcome"] != "refused", "it is started: " + out["text"])
    check(any("no valid ckpt found to resume." in job.text(rank) for rank in range(4)), "the script says that it found nothing")
    check(out["outcome"] == "failed" and not out["proof"]["continues"] and "The run was stopped, as requested." in out["text"], "which is an alarm at once, and ends it where that was asked: " + out["text"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    options = parser.parse_args()
    with Scratch(prefix="rankdeck-interop-") as directory:
        sys.exit(scenes(directory, [("best_of_each_node", make(options), best_of_each_node)]))


if __name__ == "__main__":
    main()
