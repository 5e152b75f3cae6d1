# SPDX-License-Identifier: GPL-3.0-or-later
"""MindX DL's ResNet50 for MindSpore (tests/sources/resnet50_mindspore) on two sshd nodes with disks of their own, a real rank on
each. It is resumed by its own wrapper, with pre_trained as a directory. Every rank takes the newest of ckpt_0, which the second
node does not have. The run then saves under names that begin at epoch 1 again. These files are resumed by its train.py, with
pre_trained as a file for each rank. Finally the YAML file of two ranks names the checkpoint, with its second document.
Usage: --bin DIR --mindspore-python PYTHON
"""
import glob
import os
import re
import shutil

from source_job import SourceJob, check, codes, end_processes, one_story, wait_for


class Job(SourceJob):
    def environment(self):
        return {"PATH": os.environ["PATH"], "MS_WORKER_NUM": "2", "MS_SCHED_HOST": "127.0.0.1", "MS_SCHED_PORT": str(self.port), "DEVICE_NUM": "1",
                "RANK_SIZE": "2", "OMP_NUM_THREADS": "1"}

    def describe_as(self, launch):
        nodes = [{"name": node, "host": node, "ranks": [rank], "env": {"SERVER_ID": str(rank)}} for rank, node in enumerate(self.nodes)]
        self.describe(launch, framework="mindspore", nodes=nodes, steps_per_epoch=5,
                      checkpoints={"path": self.path("{node}", "output", "checkpoint", "ckpt_{rank}")})

    def saved(self, rank):
        return glob.glob(self.path(self.nodes[rank], "output", "checkpoint", "ckpt_%d" % rank, "*.ckpt"))

    def losses(self, rank):
        return [(int(epoch), int(step)) for epoch, step in re.findall(r"^epoch: (\d+) step: (\d+), loss is", self.text(rank), re.M)]


    def end_all(self):
        """The wrapper gives each rank a working folder of its own."""
        for node in self.nodes:
            for folder in glob.glob(self.path(node, "*", "")):
                end_processes(os.path.dirname(folder), self.started)

    def kill(self):
        self.end_all()
        super().kill()

    def stop(self):
        self.end_all()
        super().stop()


def make(options):
    return lambda directory: Job(directory, options.bin, "resnet50_mindspore", ranks=2)


def newest_of_ckpt_0_and_a_file(job):
    job.describe_as({"recipe": "command", "per_node": True, "env": job.environment(), "command": ["bash", "scripts/train_start.sh"]})
    own = dict(job.environment(), SERVER_ID="0")
    job.start(lambda rank: ["bash", "scripts/train_start.sh"], lambda rank, local: dict(own, SERVER_ID=str(rank)))
    for rank in range(2):  # the wrapper writes its ranks' logs itself
        wait_for("three saves of rank %d" % rank, lambda rank=rank: len(job.saved(rank)) >= 3, 120)
    job.kill()
    check(all("Invalid pre_trained" in job.text(rank) for rank in range(2)), "a first start, which the script says: its output is not there yet")
    judged = job.ctl("checkpoints", codes=(0, 1))
    valid = [s for s in judged["sets"] if s["verdict"] == "VALID"]
    check(len(valid) >= 2, "the sets of both nodes are VALID: " + ", ".join(s["id"] + " " + s["verdict"] + "".join(" " + r["text"] for r in s["reasons"]) for s in judged["sets"]))
    chosen = valid[1]  # so that ckpt_0 has a newer file
    out = job.resume("--set", chosen["id"])
    name = "resnet-%d_5.ckpt" % chosen["epoch"]
    check("newer_checkpoints" in codes(out) and codes(out)["resume_by_directory"]["node"] == "node1", "what is newer in ckpt_0 goes aside, and node1 is given one")
    for rank in range(2):
        proof = out["proof"]["ranks"][rank]
        check({"line", "path", "step", "loss"} <= set(proof["witness"]) and proof["loaded_path"].endswith("/ckpt_0/" + name), "rank %d took %s of ckpt_0" % (rank, name))
        check(job.losses(rank)[0] == (chosen["epoch"] + 1, 1), "and goes on with the next epoch")
    again = [path for rank in range(2) for path in job.saved(rank)]
    for rank in range(2):
        wait_for("two saves of rank %d since" % rank, lambda rank=rank: len(set(job.saved(rank)) - set(again)) >= 2, 120)
    job.kill()
    judged = job.ctl("checkpoints", codes=(0, 1))
    newest = next(s for s in judged["sets"] if s["verdict"] == "VALID")
    name = os.path.basename(newest["members"][0]["path"])
    check(newest["attempt"] == 1 and name == "resnet_1-%d_5.ckpt" % (newest["epoch"] - chosen["epoch"]),
          "what the resumed run saved is VALID: %s of epoch %d; " % (name, newest["epoch"]) + ", ".join(s["id"] + " " + s["verdict"] for s in judged["sets"]))

    job.describe_as({"recipe": "command", "script": "resnet", "env": {"PATH": os.environ["PATH"], "OMP_NUM_THREADS": "1"},
                     "command": ["python", "train.py", "--run_distribute=True", "--device_num=2", "--config_path=resnet50_imagenet2012_config.yaml",
                                 "--output_path=output", "--pre_trained=output"]})
    out = job.resume()
    for rank in range(2):
        check({"step", "loss"} <= set(out["proof"]["ranks"][rank]["witness"]), "rank %d goes on, by step and loss" % rank)
        check(job.losses(rank)[0] == (newest["epoch"] + 1, 1), "behind the epoch of its own file, which the resumed run saved")
    one_yaml_of_two_ranks(job)


def one_yaml_of_two_ranks(job):
    """Both ranks on node0, which has their saves. Their YAML file names pre_trained, and the command does not. The job has another
    name, so the console does not know the earlier attempts, whose files count separately."""
    job.kill()
    for place in (("output", "checkpoint", "ckpt_1"), ("log", "rank_1.log")):
        take = shutil.copytree if place[0] == "output" else shutil.copy2
        take(job.path("node1", *place), job.path("node0", *place))
    job.nodes = ("node0",)
    yaml = job.path("node0", "resnet50_imagenet2012_config.yaml")
    with open(yaml) as file:
        before = file.read()
    job.describe({"recipe": "command", "script": "resnet", "config": yaml, "env": {"PATH": os.environ["PATH"], "OMP_NUM_THREADS": "1"},
                  "command": ["python", "train.py", "--run_distribute=True", "--device_num=2", "--config_path=" + yaml, "--output_path=output"]},
                 name="one_yaml", framework="mindspore", steps_per_epoch=5, checkpoints={"path": job.path("node0", "output", "checkpoint", "ckpt_{rank}")})
    judged = job.ctl("checkpoints", codes=(0, 1))
    chosen = next(s for s in judged["sets"] if s["id"] == judged["recommended"])
    job.resume("--set", chosen["id"])
    told = configs_of(job.path("node0"))
    for rank, member in enumerate(chosen["members"]):
        path, text = told[rank]
        check(path != yaml and re.search(r'^pre_trained: "?%s"? ' % re.escape(member["path"]), text, re.M), "rank %d runs by a YAML of its own, with its own file: %s" % (rank, path))
        check(text.split("\n---")[1:] == before.split("\n---")[1:], "whose second document is as it was")
        check(job.losses(rank)[0] == (chosen["epoch"] + 1, 1), "and goes on with epoch %d" % (chosen["epoch"] + 1))
    with open(yaml) as file:
        check(file.read() == before, "the operator's own file is as it was")


def configs_of(folder):
    """The YAML file, and its text, with which each rank in the folder was really started."""
    told = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % name) as line, open("/proc/%s/environ" % name) as env:
                words, variables = line.read().split("\0"), dict(one.split("=", 1) for one in env.read().split("\0") if "=" in one)
            if os.readlink("/proc/%s/cwd" % name) != folder or not words[1:2] == ["train.py"] or variables.get("MS_ROLE") != "MS_WORKER":
                continue
        except OSError:
            continue
        path = next(word.partition("=")[2] for word in words if word.startswith("--config_path="))
        with open(path) as file:
            told[int(variables["RANK_ID"])] = (path, file.read())
    return told


if __name__ == "__main__":
    one_story(make, newest_of_ckpt_0_and_a_file)
