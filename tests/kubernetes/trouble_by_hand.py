# SPDX-License-Identifier: GPL-3.0-or-later
"""A vcjob on a real Kubernetes that has trouble in the middle of an action. A pod is evicted while a stop is armed, and a container
is killed while a resume is being proven. A TERM comes while the ranks wait for their table. Run by hand, not by packaging/test.sh,
because the scenes after the stop have never been completed. Usage: --bin DIR [--directory DIR] [--keep]
Needs root and a built cache (cluster.sh build); starts and ends a cluster of its own."""
import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "testbed")]
from checks import check, wait_for  # noqa: E402
from private_kubernetes import FRESH, on_private_cluster  # noqa: E402
from vcjob import StandIn, VcTraining  # noqa: E402


class Scene:
    def __init__(self, options, directory, training):
        self.path, self.state = os.path.join(directory, "lenet.rankdeck.json"), os.path.join(directory, "state")
        with open(self.path, "w") as file:
            json.dump(training.described(), file)
        self.words = [os.path.join(options.bin, "rankdeckctl"), "--json", "--timeout", "60", "--job", self.path, "--state-dir", self.state]

    def run(self, *words):
        done = subprocess.run(self.words + list(words), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return done.returncode, json.loads(done.stdout)

    def start(self, *words):
        return subprocess.Popen(self.words + list(words), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def journal(self):
        path = os.path.join(self.state, "journal.jsonl")
        with open(path if os.path.exists(path) else os.devnull) as file:
            return [json.loads(line) for line in file if line.endswith("\n")]


def begun(training):
    training.start()
    wait_for("the training", lambda: all("loss is" in training.log(rank) for rank in range(4)))
    wait_for("the cluster to say that the pods run", lambda: all(training.cluster.phase(pod) == "Running" for pod in training.pods))


def hit_while_armed(scene, training, what, hit):
    wait_for("a VALID set", lambda: scene.run("checkpoints")[0] == 0)
    before = len(scene.journal())
    stopping = scene.start("exit", "--wait", "45")
    wait_for("the request", lambda: any(entry["state"] == "armed" for entry in scene.journal()[before:]))
    hit(training.pods[1])
    report = json.loads(stopping.communicate()[0])
    obeyed = ["Graceful exit is triggered" in training.log(rank) for rank in range(4)]
    check((report["outcome"] == "stopped") == all(obeyed) and (stopping.returncode == 0) == all(obeyed),
          "a pod is %s while the stop is armed, and %d ranks obey: %s: %s" % (what, sum(obeyed), report["outcome"], report["text"]))
    check([rank["confirmed"] for rank in sorted(report["ranks"], key=lambda rank: rank["rank"])] == obeyed, "who has confirmed it is told")
    check(report["flag_reset"] and training.data()["reset.json"].strip() == FRESH, "and the request is taken back")


def evicted_while_armed(scene, training):
    """Eviction by the API: preStop sends the ranks the TERM at which they save, within the grace period."""
    evict = lambda pod: training.cluster.kubectl("create", "--raw=/api/v1/namespaces/vcjob/pods/%s/eviction" % pod, "--filename=-", stdin=json.dumps(
        {"apiVersion": "policy/v1beta1", "kind": "Eviction", "metadata": {"name": pod, "namespace": "vcjob"}}))
    hit_while_armed(scene, training, "evicted", evict)


def killed_while_armed(scene, training):
    kill = lambda pod: training.cluster.kubectl("exec", pod, "-c", "main", "--", "/bin/sh", "-c", "pkill -9 rankdeck-demo-t", check=False)
    hit_while_armed(scene, training, "killed", kill)


def restarted(training):
    training.end()
    training.cluster.kubectl("delete", "--ignore-not-found", "--filename=" + training.yaml)
    for log in glob.glob(training.job + "/log/*"):
        os.remove(log)
    begun(training)


def ended_for_good(scene, training):
    wait_for("a VALID set", lambda: scene.run("checkpoints")[0] == 0)
    code, report = scene.run("exit", "--wait", "120")
    check(report["outcome"] == "stopped", "stopped: " + report["text"])
    wait_for("the vcjob's end", lambda: training.phase() == "Completed")


def killed_while_proving(scene, training):
    before = training.object()["metadata"]["uid"]
    resuming = scene.start("resume", "--wait", "240")
    wait_for("the new vcjob", lambda: training.cluster.kubectl("get", "vcjob", training.name, "--ignore-not-found", "--output=jsonpath={.metadata.uid}") not in ("", before))
    pod = training.pods[1]
    wait_for("the ranks of its second pod, which have waited for their table", lambda: all("rank %d of 4" % rank in training.log(rank) for rank in (2, 3)))
    training.cluster.kubectl("exec", pod, "-c", "main", "--", "/bin/sh", "-c", "pkill -9 rankdeck-demo-t", check=False)
    report = json.loads(resuming.communicate()[0])
    went_on = all("loss is" in training.log(rank) for rank in range(4))   # in the step before
    check((report["outcome"] == "proven") <= went_on and (resuming.returncode == 0) == (report["outcome"] == "proven"),
          "ranks are killed while a resume is being proven: %s: %s" % (report["outcome"], report["text"]))
    check(not training.cluster.kubectl("get", "leases", "--output=name").strip(), "no lease is left")


def term_before_the_table(scene, training):
    """The first process of a pod gets a TERM while it waits for the rank table, which is never written."""
    training.end()
    resuming = scene.start("resume", "--wait", "60")
    wait_for("the pods", lambda: all(training.cluster.phase(pod) == "Running" for pod in training.pods))
    table = json.loads(training.cluster.get("configmap", "rings-config-" + training.name)["data"]["hccl.json"])
    check(table["status"] == "initializing", "the rank table is begun anew, and nobody writes it")
    for pod in training.pods:   # a program that waits: it has asked for the signal by now
        wait_for("its program", lambda: "pod.py" in training.cluster.kubectl("exec", pod, "-c", "main", "--", "cat", "/proc/1/cmdline", check=False))
        wait_for("its handler", lambda: caught(training, pod))
        training.cluster.kubectl("exec", pod, "-c", "main", "--", "kill", "-TERM", "1", check=False)
    code = "jsonpath={.status.containerStatuses[0].state.terminated.exitCode}"
    for pod in training.pods:
        wait_for("the end of the pod", lambda: training.cluster.phase(pod) == "Failed", 30)
        check(training.cluster.kubectl("get", "pod", pod, "--output=" + code) == "143", "%s has ended at the TERM, before its grace period" % pod)
    report = json.loads(resuming.communicate()[0])
    check(report["outcome"] != "proven", "and the resume is not proven: %s: %s" % (report["outcome"], report["text"]))


def caught(training, pod):
    status = training.cluster.kubectl("exec", pod, "-c", "main", "--", "cat", "/proc/1/status", check=False)
    mask = next((line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")), "0")
    return int(mask, 16) & (1 << 14)


def scenes(options, work, cluster):
    stand_in = StandIn(cluster)
    try:
        training = VcTraining(cluster, "lenet", options.bin, step_seconds=5, save_steps=1)
        begun(training)
        scene = Scene(options, work, training)
        ended_for_good(scene, training)
        killed_while_proving(scene, training)
        stand_in.stop()
        stand_in = StandIn(cluster, tables=False)
        term_before_the_table(scene, training)
        stand_in.stop()
        stand_in = StandIn(cluster)
        restarted(training)
        evicted_while_armed(scene, training)
        restarted(training)
        killed_while_armed(scene, training)
    finally:
        stand_in.stop()


if __name__ == "__main__":
    on_private_cluster("rankdeck-trouble-", scenes)
