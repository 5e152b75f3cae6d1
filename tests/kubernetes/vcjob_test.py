# SPDX-License-Identifier: GPL-3.0-or-later
"""Rankdeck and a vcjob on a real Kubernetes: found in its namespace with the role for watching, stopped through its ConfigMap,
resumed through the cluster and proven; two consoles at once; a server that refuses; an API server that goes away; what is no
job, or may not be seen. Volcano is stood in for by volcano_stand_in.py. Usage: --bin DIR [--directory DIR] [--keep]
Needs root and a built cache (cluster.sh build); starts and ends a cluster of its own."""
import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "testbed")]
from checks import check, wait_for  # noqa: E402
from private_kubernetes import KUBECTL, on_private_cluster  # noqa: E402
from vcjob import StandIn, VcTraining  # noqa: E402

LABELS = {"volcano.sh/job-name": "stray"}


class Scene:
    def __init__(self, options, directory, cluster):
        self.bin, self.directory, self.cluster = options.bin, directory, cluster

    def ctl(self, *words, state="state", timeout="60"):
        done = subprocess.run([os.path.join(self.bin, "rankdeckctl"), "--json", "--timeout", timeout, "--state-dir", os.path.join(self.directory, state), *words],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return done.returncode, json.loads(done.stdout) if done.stdout.strip() else {}, done.stderr

    def discover(self, *words, user="watcher", kubectl=KUBECTL):
        return self.ctl("discover", "k8s:vcjob", "--kubectl", kubectl, "--kubeconfig", self.cluster.kubeconfig(user), *words)

    def acting(self, path):
        """The job file as it was found, with the login that may act."""
        with open(path) as file:
            job = json.load(file)
        job["kubernetes"]["kubeconfig"] = self.cluster.kubeconfig("actor")
        path = os.path.join(self.directory, "acting-%s.rankdeck.json" % job["name"])
        with open(path, "w") as file:
            json.dump(job, file)
        return path

    def start(self, *words, state):
        return subprocess.Popen([os.path.join(self.bin, "rankdeckctl"), "--json", "--timeout", "60", "--state-dir", os.path.join(self.directory, state), *words],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def found(scene, training):
    code, report, errors = scene.discover("--write", os.path.join(scene.directory, "found"))
    check(code == 0 and len(report["jobs"]) == 1, "the role for watching finds one job: " + errors)
    job = report["jobs"][0]["job"]
    check(job["name"] == training.name and job["world_size"] == 4, "by the vcjob's name, four ranks")
    check([(node["name"], node["ranks"]) for node in job["nodes"]] == [(training.pods[0], [0, 1]), (training.pods[1], [2, 3]), ("console", [])],
          "its pods are the nodes, and this machine sees their files")
    check(job["logs"]["path"] == training.job + "/log/worker_{rank}.log" and job["checkpoints"]["path"] == training.job + "/ckpt/rank_{rank}",
          "logs and checkpoints are found")
    check(job["graceful_exit"]["configmap"] == "vcjob/" + training.config_map and job["graceful_exit"]["config"] == "/user/restore/reset/config/reset.json",
          "the ConfigMap is how it is stopped, and where the pods see it is known")
    launch = job["launch"]
    check(launch["recipe"] == "volcano" and launch["submit_on"] == "console" and launch["command"][-4:] == ["--device", "{rank}", "--resume", "{checkpoint}"],
          "it is resumed as a vcjob, each rank from its own checkpoint")
    with open(launch["volcano"]["file"]) as file:
        vcjob = json.load(file)
    check(vcjob["metadata"]["labels"] == {"fault-scheduling": "grace"} and "status" not in vcjob and "uid" not in vcjob["metadata"],
          "whose template is the cluster's own object, without what the cluster put there")
    notes = {note["code"] for note in report["jobs"][0]["notes"] if note["needs_you"]}
    check(not notes, "and nothing is left to be told by hand: " + str(notes))
    return scene.acting(report["jobs"][0]["file"])


def not_found(scene, training):
    code, _, errors = scene.discover(user="nobody")
    check(code == 3 and "docs/kubernetes.md" in errors, "without a role: " + errors.strip())
    code, _, errors = scene.discover("--context", "of another cluster")
    check(code != 0 and "get-contexts" in errors, "with a wrong context: " + errors.strip())
    code, _, errors = scene.discover(kubectl="/nowhere/kubectl")
    check(code != 0 and "There is no /nowhere/kubectl on this machine" in errors, "without kubectl: " + errors.strip())
    code, _, errors = scene.discover(user="expired")
    check(code == 3 and "Log in again" in errors, "with an expired token: " + errors.strip())
    code, _, errors = scene.ctl("discover", "k8s:default", "--kubectl", KUBECTL, "--kubeconfig", scene.cluster.kubeconfig("admin"))
    check(code == 1 and "There is no vcjob in the namespace default" in errors, "in an empty namespace: " + errors.strip())
    cluster = scene.cluster
    old = dict(LABELS, **{"volcano.sh/job-name": training.name})   # of a vcjob of this name that was deleted
    cluster.pod("old-worker-0", "exit 0", labels=old)
    cluster.pod("stray-bare", "sleep 100000", image="localhost/bare:1", labels=LABELS)
    cluster.pod("stray-crash", "exit 3", restart="Always", labels=LABELS)
    wait_for("the crash loop", lambda: "CrashLoopBackOff" in cluster.kubectl("get", "pod", "stray-crash"))
    wait_for("the completed pod", lambda: cluster.phase("old-worker-0") == "Succeeded")
    wait_for("the bare pod", lambda: cluster.phase("stray-bare") == "Running")
    code, report, errors = scene.discover()
    reasons = {host["host"].split("/")[1]: host.get("reason", "") for host in report["hosts"]}
    check(code == 3 and [job["name"] for job in report["jobs"]] == [training.name], "other pods do not hide the job")
    check(len(report["jobs"][0]["ranks"]) == 4 and len(report["jobs"][0]["job"]["nodes"]) == 3, "nor does a pod of an earlier job of its name become a part of it")
    check("Succeeded" in reasons["old-worker-0"], "a completed pod: " + reasons["old-worker-0"])
    # between two starts it waits (CrashLoopBackOff), or has just ended once more (Error)
    check(any(word in reasons["stray-crash"] for word in ("CrashLoopBackOff", "Error")) and "exit code 3" in reasons["stray-crash"],
          "a crash loop: " + reasons["stray-crash"])
    check("No python3" in reasons["stray-bare"], "no python3: " + reasons["stray-bare"])
    for pod in reasons.keys() & {"old-worker-0", "stray-bare", "stray-crash"}:
        cluster.delete(pod)


def stopped(scene, training, job):
    wait_for("a VALID set", lambda: scene.ctl("--job", job, "checkpoints")[0] == 0)
    code, report, errors = scene.ctl("--job", job, "exit", "--wait", "300")
    check(report["outcome"] == "stopped" and code == 0, "stopped through the ConfigMap, by words that are read when the pods are gone: " + report["text"])
    wait_for("the vcjob's end", lambda: training.phase() == "Completed")


def server_refuses(scene, training, job):
    with open(job) as file:
        described = json.load(file)
    with open(described["launch"]["volcano"]["file"]) as file:
        vcjob = json.load(file)
    vcjob["spec"]["policies"] = [{"event": "PodFailed", "action": "PanicJob"}]
    described["launch"]["volcano"]["file"] = os.path.join(scene.directory, "wrong.vcjob.json")
    with open(described["launch"]["volcano"]["file"], "w") as file:
        json.dump(vcjob, file)
    path = os.path.join(scene.directory, "wrong.rankdeck.json")
    with open(path, "w") as file:
        json.dump(described, file)
    before, logs = training.object(), [training.log(rank) for rank in range(4)]
    code, report, _ = scene.ctl("--job", path, "resume", "--wait", "60")
    check(code == 1 and 'Unsupported value: "PanicJob"' in report["text"], "the server's own words are said: " + report["text"])
    check(training.object() == before, "the old vcjob is still there")
    check([training.log(rank) for rank in range(4)] == logs, "and the logs are where they were")


def resumed_by_two(scene, training, job):
    consoles = [scene.start("--job", job, "resume", "--wait", "240", state="state-%d" % i) for i in range(2)]
    reports = [json.loads(one.communicate()[0]) for one in consoles]
    outcomes = sorted(report["outcome"] for report in reports)
    check(outcomes == ["proven", "refused"], "of two consoles one resumes and is proven, the other is refused: " +
          "; ".join("%s: %s" % (report["outcome"], report["text"]) for report in reports))
    won = next(report for report in reports if report["outcome"] == "proven")
    check(training.object()["metadata"]["annotations"]["rankdeck/action"] == won["journal"], "the vcjob is that one's")
    check(won["proof"]["continues"] and all(rank["loaded_path"].find("rank_%d/" % rank["rank"]) > 0 for rank in won["proof"]["ranks"]),
          "each rank goes on from its own file")


def away_while_resuming(scene, training, job):
    """The API server goes when the stand-in has been launched, and comes back after half a minute."""
    one = scene.start("--job", job, "resume", "--wait", "400", state="state-away")
    batch = os.path.join(training.job, ".rankdeck", "batch")
    before = set(os.listdir(batch))
    wait_for("the plan's files", lambda: any(os.path.exists(os.path.join(batch, new, "volcano.sh")) for new in set(os.listdir(batch)) - before))
    scene.cluster.script("api-stop")
    check(subprocess.run(["sleep", "30"]).returncode == 0, "the API server is away for 30 s")
    scene.cluster.script("api-start")
    report = json.loads(one.communicate()[0])
    vcjob = training.object()
    ours = vcjob["metadata"].get("annotations", {}).get("rankdeck/action") == report["journal"]
    check((report["outcome"] == "proven") == ours, "what is said is what the cluster has: %s: %s" % (report["outcome"], report["text"]))
    if not ours:
        check("kubectl" in report["text"] and training.phase() == "Completed", "nothing was started, and why is said")
        code, report, _ = scene.ctl("--job", job, "resume", "--wait", "240")
        check(report["outcome"] == "proven", "the next one is proven: " + report["text"])


def scenes(options, work, cluster):
    stand_in = StandIn(cluster)
    try:
        training = VcTraining(cluster, "lenet", options.bin)
        training.start()
        wait_for("the training", lambda: all("loss is" in training.log(rank) for rank in range(4)))
        scene = Scene(options, work, cluster)
        wait_for("the cluster to say that the pods run", lambda: all(cluster.phase(pod) == "Running" for pod in training.pods))
        wait_for("a checkpoint of every rank", lambda: all(glob.glob("%s/ckpt/rank_%d/*.ckpt" % (training.job, rank)) for rank in range(4)))
        job = found(scene, training)
        not_found(scene, training)
        stopped(scene, training, job)
        server_refuses(scene, training, job)
        resumed_by_two(scene, training, job)
        stopped(scene, training, job)
        away_while_resuming(scene, training, job)
    finally:
        stand_in.stop()


if __name__ == "__main__":
    on_private_cluster("rankdeck-vcjob-", scenes)
