# SPDX-License-Identifier: GPL-3.0-or-later
"""MindSpore's page on UCE and TTP (tests/sources/uce_ttp): four real data-parallel ranks under msrun, of which one dumps for all.
The dump is VALID with every rank served, by the groups that the ranks' logs name. Resumed from it, every rank loads that one file.
Groups that contradict the files are reported and not used. Usage: --bin DIR --mindspore-python PYTHON
"""
import glob
import os
import re
import subprocess

from source_job import SourceJob, check, codes, one_story, wait_for


class Job(SourceJob):
    def log(self, rank):
        return self.path("node0", "uce_logs", "worker_%d.log" % rank)


def make(options):
    def one(directory):
        job = Job(directory, options.bin, "uce_ttp", nodes=("node0",))
        job.python = options.mindspore_python
        describe(job)
        return job
    return one


def describe(job, **checkpoints):
    job.describe({"recipe": "msrun", "command": ["UCE_case.py", "--load", "{checkpoint}"], "msrun": os.path.join(os.path.dirname(job.python), "msrun"),
                  "env": {"PATH": os.environ["PATH"]}},
                 framework="mindspore", steps_per_epoch=10, logs={"path": job.path("node0", "uce_logs", "worker_{rank}.log")},
                 checkpoints={"path": job.path("node0", "ttp_checkpoints"), **checkpoints})


def start(job):
    """Starts it as the page does, except for the folder."""
    msrun = os.path.join(os.path.dirname(job.python), "msrun")
    subprocess.run([job.python, msrun, "--worker_num=4", "--local_worker_num=4", "--master_port=%d" % job.port, "--join=False", "--log_dir=./uce_logs",
                    "UCE_case.py"], cwd=job.path("node0"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True,
                   env=dict(os.environ, MINDIO_FOR_MINDSPORE="1"))


def one_dump_serves_all(job):
    start(job)
    wait_for("losses of four ranks", lambda: all(job.text(rank).count("loss is") > 8 for rank in range(4)), 240)
    open(job.path("node0", "fault"), "w").close()
    wait_for("the dump", lambda: glob.glob(job.path("node0", "ttp_checkpoints", "*-step_*", "rank_0", "*.ckpt")), 60)
    job.kill()
    os.remove(job.path("node0", "fault"))
    judged = job.ctl("checkpoints", codes=(0, 1))
    chosen = next(s for s in judged["sets"] if s["kind"] == "ttp")
    check(chosen["verdict"] == "VALID" and len(chosen["members"]) == 4, "one dump is a VALID set of four ranks: " + "; ".join(r["text"] for r in chosen["reasons"]))
    check({member["from_rank"] for member in chosen["members"] if member["rank"]} == {0}, "ranks 1 to 3 are served by rank 0's")
    describe(job, replica_groups=[[0, 1], [2, 3]])
    wrong = next(s for s in job.ctl("checkpoints", codes=(0, 1))["sets"] if s["kind"] == "ttp")
    check(wrong["verdict"] != "VALID", "groups that leave ranks 2 and 3 without a file: " + wrong["verdict"] + "; " + "; ".join(r["text"] for r in wrong["reasons"]))
    describe(job)
    out = job.resume()
    for rank in range(4):
        line = re.search(r"^resume from (\S+): step (\d+)$", job.text(rank), re.M)
        first = re.search(r"^epoch: (\d+) step: (\d+), loss is", job.text(rank), re.M)
        check(line and "ttp_rank_" in line[1] and (int(first[1]) - 1) * 10 + int(first[2]) == int(line[2]) + 1, "rank %d: %s, then %s" % (rank, line[0], first[0]))
    check("disk_room" not in codes(out), "no copy was needed")


if __name__ == "__main__":
    one_story(make, one_dump_serves_all)
