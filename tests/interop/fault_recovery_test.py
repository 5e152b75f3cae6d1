# SPDX-License-Identifier: GPL-3.0-or-later
"""MindSpore's page on fault recovery (tests/sources/fault_recovery): one process that ends with an exception after its sixth epoch.
A custom script takes the newest file of ./lenet by its creation time. It gets no path and prints nothing about it. The job is
resumed from the newest set although an older one is kept, which renews the time of its file. Then it is resumed from an older set.
Usage: --bin DIR --mindspore-python PYTHON
"""
import os
import re

from source_job import SourceJob, check, codes, end_processes, one_story, wait_for


def make(options):
    def one(directory):
        job = SourceJob(directory, options.bin, "fault_recovery", ranks=1, nodes=("node0",))
        job.describe({"recipe": "command", "command": ["python", "train.py"], "env": {"PATH": os.environ["PATH"], "OMP_NUM_THREADS": "1", "FAULT": "no"}},
                     framework="mindspore", checkpoints={"path": job.path("node0", "lenet")})
        return job
    return one


def losses(job):
    return [(int(epoch), int(step)) for epoch, step in re.findall(r"^epoch: (\d+) step: (\d+), loss is", job.text(0), re.M)]


def resumed_from(job, chosen):
    out = job.resume("--set", chosen["id"])
    check({"step", "loss"} <= set(out["proof"]["ranks"][0]["witness"]) and losses(job)[0] == (chosen["epoch"] + 1, 1),
          "the script took epoch %d and goes on with the next" % chosen["epoch"])
    check("newer_checkpoints" in codes(out), "which the plan has seen to: " + codes(out)["newer_checkpoints"]["text"])
    end_processes(job.path("node0"))


def newest_by_the_time_of_creation(job):
    job.start(lambda rank: ["python", "train.py"], lambda rank, local: {"OMP_NUM_THREADS": "1"})
    wait_for("the fault", lambda: job.started[0].poll() is not None, 120)
    check("Some errors happen." in job.text(0), "an exception behind the sixth epoch")
    job.kill()
    valid = [one for one in job.ctl("checkpoints")["sets"] if one["verdict"] == "VALID"]
    check([one["epoch"] for one in valid] == [6, 5, 4, 3, 2], "the newest five are kept and VALID")
    job.ctl("keep", "--set", valid[3]["id"])
    resumed_from(job, valid[0])
    sets = [one for one in job.ctl("checkpoints")["sets"] if one["attempt"] == 0]
    resumed_from(job, next(one for one in sets if one["epoch"] == 4))


if __name__ == "__main__":
    one_story(make, newest_by_the_time_of_creation)
