# SPDX-License-Identifier: GPL-3.0-or-later
"""MindX DL's ResNet50 for MindSpore (tests/sources/resnet50_mindspore): two real ranks on two sshd nodes, and a YAML file of two
documents that alone says where they save. Discovered, killed, resumed by the file's own pre_trained, one copy for each rank; killed,
resumed by the option --pre_trained, which was a directory. Usage: --bin DIR --mindspore-python PYTHON
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from source_job import SourceJob, check, codes, scenes, wait_for

LOSS = re.compile(r"^epoch: (\d+) step: (\d+), loss is (\S+)$", re.M)


def make(options):
    def one(directory):
        job = SourceJob(directory, options.bin, "resnet50_mindspore", ranks=2)
        job.python, job.outputs = options.mindspore_python, job.path("cache", "train")
        for node in job.nodes:  # as on a disk that both see, but for the name of the node
            config = job.path(node, "resnet50_imagenet2012_config.yaml")
            with open(config) as file:
                text = file.read().replace("@OUTPUT@", job.outputs)
            with open(config, "w") as file:
                file.write(text)
        return job
    return one


def words(job, *more):
    return [job.python, "train.py", "--run_distribute=True", "--device_num=2", "--data_path=/job/data/imagenet_full/train",
            "--config_path=resnet50_imagenet2012_config.yaml", *more]


def describe(job, *more, **launch):
    job.describe({"recipe": "command", "script": "resnet", "command": words(job, *more), **launch}, framework="mindspore", steps_per_epoch=5,
                 checkpoints={"path": os.path.join(job.outputs, "checkpoint", "ckpt_{rank}"), "prefix": "resnet"})


def start(job):
    """A scheduler and two ranks, as MindSpore's own documents start them without msrun."""
    common = {"MS_WORKER_NUM": "2", "MS_SCHED_HOST": "127.0.0.1", "MS_SCHED_PORT": str(job.port), "RANK_SIZE": "2"}
    job.started.append(subprocess.Popen(words(job), cwd=job.path(job.nodes[0]), env=dict(os.environ, **common, MS_ROLE="MS_SCHED"),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    job.start(lambda rank: words(job), lambda rank, local: dict(common, MS_ROLE="MS_WORKER", MS_NODE_ID=str(rank), RANK_ID=str(rank), DEVICE_ID="0"))


def saved(job, epochs):
    wait_for("%d epochs saved by both" % epochs, lambda: all(len(glob.glob(os.path.join(job.outputs, "checkpoint", "ckpt_%d" % rank, "resnet*-%d_5.ckpt" % epochs)))
                                                            for rank in (0, 1)), 200)


def discovered(job):
    done = subprocess.run([job.words[0], "--json", "discover", "--ssh-config", job.path("ssh_config"), *job.nodes], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for found in json.loads(done.stdout)["jobs"]:
        if found["job"]["launch"]["workdir"].startswith(job.directory):
            return found
    raise AssertionError("discover did not find the job: " + done.stderr[-2000:])


def resumed(job):
    out = job.resume()
    chosen = next(s for s in job.ctl("checkpoints", codes=(0, 1))["sets"] if s["id"] == out["set"])
    for rank in (0, 1):
        first = LOSS.search(job.text(rank))
        check((int(first[1]), int(first[2])) == (chosen["epoch"] + 1, 1), "rank %d goes on behind epoch %d: %s" % (rank, chosen["epoch"], first[0]))
    return chosen


def by_yaml_and_by_option(job):
    start(job)
    saved(job, 2)
    found = discovered(job)["job"]
    check(found["checkpoints"]["path"] == os.path.join(job.outputs, "checkpoint", "ckpt_{rank}"),
          "discover reads in the YAML file where they save: " + found["checkpoints"]["path"])
    job.kill()
    config = job.path("{node}", "resnet50_imagenet2012_config.yaml")
    describe(job, config=config)
    resumed(job)
    for rank, node in enumerate(job.nodes):
        with open(job.path(node, "resnet50_imagenet2012_config.yaml")) as file:
            text = file.read()
        check("/ckpt_%d/resnet" % rank in text and text.count("\n---\n") == 1, node + ": the first document names the rank's own file, the second is as it was")
    wait_for("an epoch of the second attempt", lambda: glob.glob(os.path.join(job.outputs, "checkpoint", "ckpt_1", "resnet_1-*.ckpt")), 100)
    job.kill()
    for node in job.nodes:
        path = job.path(node, "resnet50_imagenet2012_config.yaml")
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(re.sub(r"^pre_trained: .*$", 'pre_trained: ""', text, flags=re.M))
    describe(job, "--pre_trained=" + job.outputs)
    dry = job.ctl("resume", "--dry-run")
    commands = " ".join(command for node in dry["plan"]["nodes"] for command in node["commands"])
    check("--pre_trained=" + job.outputs + " " not in commands and "/ckpt_1/resnet" in commands, "the directory is replaced by each rank's own file")
    resumed(job)


def half_written_yaml(job):
    """It is said with its line and nothing of it is used."""
    path = job.path("node1", "resnet50_imagenet2012_config.yaml")
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text[:text.index("pre_trained")] + 'pre_trained: "/job/co')
    start(job)
    saved(job, 1)
    job.kill()
    describe(job, config=job.path("{node}", "resnet50_imagenet2012_config.yaml"))
    out = job.ctl("resume", "--wait", "60", codes=(0, 1))
    check(out["outcome"] == "refused" and "config_not_editable" in codes(out), "refused: " + out["text"])
    with open(path) as file:
        check(file.read().endswith('"/job/co'), "and the file is as it was")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--mindspore-python", required=True)
    parser.add_argument("--story")
    options = parser.parse_args()
    os.environ["PATH"] = os.path.dirname(options.mindspore_python) + ":" + os.environ["PATH"]
    directory = tempfile.mkdtemp(prefix="rankdeck-interop-")
    try:
        stories = (by_yaml_and_by_option, half_written_yaml)
        return scenes(directory, [(story.__name__, make(options), story) for story in stories if options.story in (None, story.__name__)])
    finally:
        shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
