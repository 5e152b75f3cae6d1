# SPDX-License-Identifier: GPL-3.0-or-later
"""Real MindSpore 2.7.0 in the pods of a vcjob on a real Kubernetes: four ranks in two pods. They are watched line by line, stopped
through the ConfigMap, resumed through the cluster from the chosen set, and proven. Usage: --bin DIR --mindspore-python PYTHON
[--directory DIR] [--keep]. PYTHON belongs to a virtual environment. Needs root and a built cache (cluster.sh build); starts and
ends a cluster of its own."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MINDSPORE = os.path.join(HERE, "..", "..", "packaging", "mindspore")
sys.path[:0] = [HERE, os.path.join(HERE, "..", "testbed")]
from checks import check, wait_for  # noqa: E402
from private_kubernetes import on_private_cluster  # noqa: E402
from vcjob import StandIn, VcTraining  # noqa: E402

LOSS = re.compile(r"^epoch: (\d+) step: (\d+), loss is (\S+)$", re.M)
# MindSpore's dynamic cluster starts like this without msrun: a scheduler in the first pod, and its address in the environment of
# the ranks. On a CPU there is no rank table to read.
START = """\
export MS_WORKER_NUM=4 MS_SCHED_HOST=127.0.0.1 MS_SCHED_PORT={port} MS_ENABLE_GRACEFUL_EXIT=1 RANK_SIZE=4
train="{trainer} --graceful-dir {job}/{name}-worker-$VC_TASK_INDEX"
[ $VC_TASK_INDEX != 0 ] || MS_ROLE=MS_SCHED $train >log/scheduler.log 2>&1 &
for device in 0 1; do
    rank=$((VC_TASK_INDEX * 2 + device))
    MS_ROLE=MS_WORKER MS_NODE_ID=$rank RANK_ID=$rank DEVICE_ID=$device $train >log/worker_$rank.log 2>&1 &
done
wait
"""


class MindSporeTraining(VcTraining):
    def __init__(self, cluster, name, python):
        super().__init__(cluster, name, os.path.dirname(os.path.dirname(python)))
        for file in ("train_lenet.py", "cpu_graceful_exit.py"):
            shutil.copy(os.path.join(MINDSPORE, file), self.job)
        for pod in self.pods:   # directory for the exit saves of its ranks
            os.makedirs(os.path.join(self.job, pod))
        self.trainer = [python, self.job + "/train_lenet.py", "--net", "tiny", "--out", self.job + "/ckpt", "--epochs", "100000", "--sleep", "0.2",
                        "--graceful", "/user/restore/reset/config/reset.json"]
        with open(os.path.join(self.job, "train_start.sh"), "w") as file:
            file.write(START.format(port=self.port, trainer=" ".join(self.trainer), job=self.job, name=name))
        with open(self.yaml) as file:   # the label asks for a rank table
            text = "".join(line for line in file if "    ring-controller.atlas: ascend-910\n" != line)
        base = subprocess.run([python, "-c", "import sys; print(sys.base_prefix)"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
        if not base.startswith("/usr"):   # the environment's interpreter is elsewhere
            for what, where in (("mountPath: %s", 10), ("hostPath: {path: %s}", 8)):
                usr = "- {name: usr, " + what.split(":")[0]
                text = text.replace(usr, "- {name: base, " + what % base + "}\n" + where * " " + usr)
        with open(self.yaml, "w") as file:
            file.write(text)

    def described(self, user="actor"):
        job = super().described(user)
        job["checkpoints"]["prefix"] = "lenet"
        job["graceful_exit"]["saves"] = self.job + "/{node}/rank_{device}/LeNet5_train.ckpt"
        job["launch"].update(command=self.trainer + ["--graceful-dir", self.job + "/{node}", "--resume", "{checkpoint}"],
                             master_addr="127.0.0.1", master_port=self.port)
        job["steps_per_epoch"] = 10
        return job

    def losses(self):
        return sorted((rank, int(epoch), int(step), float(loss)) for rank in range(4) for epoch, step, loss in LOSS.findall(self.log(rank)))


class Scene:
    def __init__(self, options, directory, training):
        path = os.path.join(directory, "lenet.rankdeck.json")
        with open(path, "w") as file:
            json.dump(training.described(), file)
        self.words = [os.path.join(options.bin, "rankdeckctl"), "--json", "--timeout", "60", "--job", path, "--state-dir", os.path.join(directory, "state")]
        self.output = os.path.join(directory, "watch.out")

    def run(self, *words):
        done = subprocess.run(self.words + list(words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return done.returncode, json.loads(done.stdout) if done.stdout.strip() else {}, done.stderr

    def watch(self):
        with open(self.output, "w") as file:
            return subprocess.Popen(self.words + ["watch"], stdout=file, stderr=subprocess.STDOUT)

    def samples(self, attempt):
        with open(self.output) as file:
            lines = [json.loads(line) for line in file if line.startswith("{") and line.endswith("}\n")]
        return sorted((one["rank"], one["epoch"], one["step"], one["loss"]) for one in lines if one["type"] == "sample" and one["attempt"] == attempt)


def run(scene, training):
    watching = scene.watch()
    wait_for("losses of all four ranks", lambda: len({sample[0] for sample in scene.samples(0)}) == 4 and len(scene.samples(0)) > 60, 300)
    wait_for("a VALID set", lambda: scene.run("checkpoints")[1].get("recommended"), 120)
    status = scene.run("status")[1]
    check([node["state"] for node in status["nodes"]] == ["live"] * 3, "both pods are live, and this machine")
    check(all(rank["alive"] for rank in status["ranks"]) and len({(rank["node"], rank["pid"]) for rank in status["ranks"]}) == 4,
          "the process of every rank is found in its pod")

    code, stopped, errors = scene.run("exit", "--wait", "300")
    check(stopped["outcome"] == "stopped" and stopped["flag_reset"], "stopped through the ConfigMap: " + stopped["text"] + errors)
    check(all(rank["confirmed"] and rank["exited"] and rank["saved"]["verdict"] == "VALID" for rank in stopped["ranks"]),
          "all four ranks confirmed, saved a VALID set and are gone")
    wait_for("the vcjob's end", lambda: training.phase() == "Completed")
    first = training.losses()
    wait_for("the last lines", lambda: scene.samples(0) == first, 60)
    check(True, "every loss line of every rank has arrived, none twice (%d lines)" % len(first))

    judged = scene.run("checkpoints")[1]
    chosen = next(one for one in judged["sets"] if one["id"] == judged["recommended"])
    last = max((epoch, step) for _, epoch, step, _ in first)
    check((chosen["epoch"], chosen["step"]) == last, "the newest VALID set is what the exit saved, %s" % (last,))
    code, resumed, errors = scene.run("resume", "--wait", "400")
    check(resumed["outcome"] == "proven" and resumed["proof"]["continues"], "resumed through the cluster and proven: " + resumed["text"] + errors)
    check(training.object()["metadata"]["annotations"]["rankdeck/action"] == resumed["journal"], "the vcjob that runs is that one's")
    steps = {rank["loaded_global_step"] for rank in resumed["proof"]["ranks"]}
    check(len(resumed["proof"]["ranks"]) == 4 and steps == {chosen["global_step"]}, "all four ranks go on from global step %d" % chosen["global_step"])
    for rank in range(4):
        check("resume from" in training.log(rank) and "global_step %d" % chosen["global_step"] in training.log(rank),
              "rank %d says so itself" % rank)
    wait_for("samples of the new attempt", lambda: len({sample[0] for sample in scene.samples(1)}) == 4, 60)
    watching.send_signal(signal.SIGINT)
    watching.wait(60)


def scenes(options, work, cluster):
    stand_in = StandIn(cluster)
    try:
        training = MindSporeTraining(cluster, "lenet", os.path.abspath(options.mindspore_python))
        training.start()
        run(Scene(options, work, training), training)
    finally:
        stand_in.stop()


if __name__ == "__main__":
    on_private_cluster("rankdeck-mindspore-", scenes, lambda parser: parser.add_argument("--mindspore-python", required=True))
