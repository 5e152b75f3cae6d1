# SPDX-License-Identifier: GPL-3.0-or-later
"""MindX DL's ResNet50 for TensorFlow (tests/sources/resnet50_tensorflow) under real TensorFlow on two sshd nodes with disks of
their own. It is started by its wrapper, and reads restore_path from a Python file, which it checks with os.path.exists. The resume
is refused until a file names the checkpoint. Then the file is edited, and every rank loads its own file of the chosen set.
TensorFlow from PyPI, in a private virtual environment beside MindSpore's. Usage: --bin DIR --mindspore-python PYTHON
"""
import os
import re
import subprocess

from source_job import SourceJob, check, codes, one_story, wait_for

CONFIG = "src/configs/res50_256bs_1p.py"


def tensorflow_beside(mindspore_python):
    """The bin directory; made once."""
    venv = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(mindspore_python)))), "tensorflow")
    if not os.path.exists(os.path.join(venv, "ready-2.21.0")):
        base = os.path.realpath(mindspore_python)
        subprocess.run([base, "-m", "venv", "--clear", venv], check=True)
        subprocess.run([os.path.join(venv, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", "tensorflow-cpu==2.21.0"], check=True)
        open(os.path.join(venv, "ready-2.21.0"), "w").close()
    return os.path.join(venv, "bin")


class Job(SourceJob):
    def log(self, rank):
        return self.path(self.nodes[rank], "logs", "train_%d.log" % rank)

    def command(self, node):
        return ["bash", "-c", "cd scripts; chmod +x train_start.sh; bash train_start.sh %s %s src/mains/res50.py --config_file=res50_256bs_1p" %
                (self.path(node), self.path(node, "logs"))]

    def describe_as(self, **launch):
        nodes = [{"name": node, "host": node, "ranks": [rank], "env": {"SERVER_ID": str(rank)}} for rank, node in enumerate(self.nodes)]
        self.describe({"recipe": "command", "per_node": True, "env": self.env, "command": self.command("{node}"), **launch}, framework="tensorflow", nodes=nodes,
                      logs={"path": self.path("{node}", "logs", "train_{rank}.log")}, checkpoints={"path": self.path("{node}", "d_solution", "ckpt{rank}")})

    def steps(self, rank):
        return [int(step) for step in re.findall(r"^step: *(\d+)  epoch:", self.text(rank), re.M)]


def make(options):
    def one(directory):
        job = Job(directory, options.bin, "resnet50_tensorflow", ranks=2)
        job.env = {"PATH": tensorflow_beside(options.mindspore_python) + ":" + os.environ["PATH"], "DEVICE_NUM": "1", "RANK_SIZE": "2",
                   "TF_CPP_MIN_LOG_LEVEL": "2", "OMP_NUM_THREADS": "1"}
        return job
    return one


def told_by_a_python_file(job):
    job.describe_as()
    for rank, node in enumerate(job.nodes):
        job.started.append(subprocess.Popen(job.command(node), cwd=job.path(node), stdin=subprocess.DEVNULL,
                                            env=dict(os.environ, **job.env, SERVER_ID=str(rank))))
    for rank in range(2):
        wait_for("steps of rank %d" % rank, lambda rank=rank: job.steps(rank)[-1:] >= [62], 120)
    check("load pre-trained" not in job.text(0), "a first start: its restore_path is not there yet")
    job.kill()
    judged = job.ctl("checkpoints")
    chosen = next(one for one in judged["sets"] if one["global_step"] == 40)
    check(chosen["verdict"] == "VALID" and len(chosen["members"]) == 2, "step 40 is VALID on both nodes")

    refused = job.ctl("resume", "--set", chosen["id"], codes=(1,))
    check(refused["outcome"] == "refused" and codes(refused)["starts_from_zero"]["result"] == "refuse",
          "node1 has no ckpt0, and node0's holds a newer one: " + codes(refused)["starts_from_zero"]["text"])
    job.describe_as(script="tensorflow", config=job.path("{node}", CONFIG))
    out = job.resume("--set", chosen["id"])
    for rank, node in enumerate(job.nodes):
        proof = out["proof"]["ranks"][rank]
        check({"line", "path", "step", "loss"} <= set(proof["witness"]) and proof["loaded_path"].endswith("/rank_%d" % rank),
              "rank %d: line, path, step and loss agree: %s" % (rank, proof["loaded_path"]))
        check(job.steps(rank)[0] == 45, "and goes on behind step 40")
        with open(job.path(node, CONFIG)) as file:
            check(proof["loaded_path"] in file.read(), "by restore_path in %s of %s" % (CONFIG, node))


if __name__ == "__main__":
    one_story(make, told_by_a_python_file)
