# SPDX-License-Identifier: GPL-3.0-or-later
"""Rankdeck and a vcjob on a real Kubernetes, with the YAML of MindX DL's documentation. The job is found in its namespace with the
role for watching, stopped through its ConfigMap, checked, resumed through the cluster and proven. Other scenes: two consoles at
once, a server that refuses, an API server that goes away. Also objects that are not a job or may not be read, and minimal roles.
Volcano is replaced by volcano_stand_in.py. Usage: --bin DIR [--directory DIR] [--keep]
Needs root and a built cache (cluster.sh build); starts and ends a cluster of its own."""
import glob
import json
import os
import shutil
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
    check(vcjob["metadata"]["labels"] == {"fault-scheduling": "force", "ring-controller.atlas": "ascend-910"} and "status" not in vcjob and "uid" not in vcjob["metadata"],
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
    old = dict(LABELS, **{"volcano.sh/job-name": training.name})   # labels of a deleted vcjob of this name
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


def checked(scene, training, job):
    """Settings in the YAML of the documentation that an operator should know about, and the operator's own file as the template."""
    described = training.described()
    path = os.path.join(scene.directory, "own.rankdeck.json")
    with open(path, "w") as file:
        json.dump(described, file)
    with open(training.yaml) as file:
        before = file.read()
    for what, code, report, errors in (("the cluster's object", *scene.ctl("--job", job, "resume", "--dry-run")),
                                       ("the operator's file", *scene.ctl("--job", path, "resume", "--dry-run", state="state-own"))):
        said = {finding["text"]: finding for finding in report["preflight"]}
        of = lambda code: "; ".join(finding["text"] for finding in report["preflight"] if finding["code"] == code)
        check(not [one for one in said.values() if one["result"] == "refuse"], what + ": nothing refuses: " + str([text for text, one in said.items() if one["result"] == "refuse"]) + errors)
        check("PodEvicted" in of("vcjob_policy") and "maxRetry 3" in of("vcjob_policy"), "it restarts by itself: " + of("vcjob_policy"))
        check("minAvailable is 1 of 2" in of("vcjob"), "some pods may start alone: " + of("vcjob"))
        check("force" in of("vcjob_policy"), "pods are deleted without their time: " + of("vcjob_policy"))
        check("/dev/shm" not in of("vcjob") and "in a pod" not in of("vcjob"), "memory and devices are as they should be")
    diff = next(edit["diff"] for node in report["plan"]["nodes"] for edit in node["edits"] if edit["path"].endswith("/vcjob.yaml"))
    changed = [line for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    check(any("pod.py" in line for line in changed) and not any("hostPath" in line or "preStop" in line for line in changed),
          "of the operator's object the command, its environment and two notes change: %d lines" % len(changed))
    with open(training.yaml) as file:
        check(file.read() == before, "and his file stays as it is")
    return path


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


def resumed_by_a_watcher(scene, training, own):
    """The role for watching: refused by the server before anything is changed, with the message of the server."""
    with open(own) as file:
        described = json.load(file)
    described["kubernetes"]["kubeconfig"] = scene.cluster.kubeconfig("watcher")
    path = os.path.join(scene.directory, "watcher.rankdeck.json")
    with open(path, "w") as file:
        json.dump(described, file)
    files = lambda: sorted(glob.glob(training.job + "/log/*") + glob.glob(training.job + "/ckpt/*/*"))
    before, there = training.object(), files()
    code, report, _ = scene.ctl("--job", path, "resume", "--wait", "60", state="state-watcher")
    check(code == 1 and "forbidden" in report["text"] and "watcher" in report["text"], "the role for watching may not resume: " + report["text"])
    check("All files are back where they were" in report["text"] and training.object() == before and files() == there, "and nothing was changed")


def resumed_by_two(scene, training, job):
    scene.cluster.kubectl("delete", "configmap", "rings-config-" + training.name)   # a missing ConfigMap is created
    consoles = [scene.start("--job", job, "resume", "--wait", "240", state="state-%d" % i) for i in range(2)]
    reports = [json.loads(one.communicate()[0]) for one in consoles]
    outcomes = sorted(report["outcome"] for report in reports)
    check(outcomes == ["proven", "refused"], "of two consoles one resumes and is proven, the other is refused: " +
          "; ".join("%s: %s" % (report["outcome"], report["text"]) for report in reports))
    won = next(report for report in reports if report["outcome"] == "proven")
    check(training.object()["metadata"]["annotations"]["rankdeck/action"] == won["journal"], "the vcjob is that one's")
    table = json.loads(scene.cluster.get("configmap", "rings-config-" + training.name)["data"]["hccl.json"])
    check(table["status"] == "completed" and len(table["server_list"]) == 2, "the rank table was begun anew, and waited for")
    check(won["proof"]["continues"] and all(rank["loaded_path"].find("rank_%d/" % rank["rank"]) > 0 for rank in won["proof"]["ranks"]),
          "each rank goes on from its own file")


def elsewhere(scene, training, job):
    """The same vcjob as another machine has it: another copy of the job's directory, without the locks of this machine's kernel."""
    other = training.job + "-elsewhere"
    shutil.copytree(training.job, other, ignore=shutil.ignore_patterns(".rankdeck"))
    with open(job) as file:
        described = file.read().replace(training.job, other)
    with open(training.yaml) as file:
        text = file.read().replace(training.job, other)
    with open(os.path.join(other, "vcjob.yaml"), "w") as file:
        file.write(text)
    path = os.path.join(scene.directory, "elsewhere.rankdeck.json")
    with open(path, "w") as file:
        file.write(described)
    return path


def resumed_from_two_machines(scene, training, own):
    other = elsewhere(scene, training, own)
    files = {own: training.job, other: training.job + "-elsewhere"}
    before = {job: sorted(glob.glob(root + "/log/*") + glob.glob(root + "/ckpt/*/*")) for job, root in files.items()}
    consoles = {job: scene.start("--job", job, "resume", "--wait", "240", state="state-machine-%d" % i) for i, job in enumerate(files)}
    reports = {job: json.loads(one.communicate()[0]) for job, one in consoles.items()}
    outcomes = sorted(report["outcome"] for report in reports.values())
    check(outcomes == ["failed", "proven"], "of two consoles on two machines one resumes and is proven, the other has failed: " +
          "; ".join("%s: %s" % (report["outcome"], report["text"]) for report in reports.values()))
    won = next(job for job, report in reports.items() if report["outcome"] == "proven")
    lost = next(job for job in files if job != won)
    check(training.object()["metadata"]["annotations"]["rankdeck/action"] == reports[won]["journal"], "the vcjob is that one's")
    table = json.loads(scene.cluster.get("configmap", "rings-config-" + training.name)["data"]["hccl.json"])
    check(table["status"] == "completed", "whose rank table the other one has not begun anew")
    now = sorted(glob.glob(files[lost] + "/log/*") + glob.glob(files[lost] + "/ckpt/*/*"))
    check(now == before[lost] and "All files are back where they were" in reports[lost]["text"], "and the files of the other one are where they were")
    check(not scene.cluster.kubectl("get", "leases", "--output=name").strip(), "no lease is left")
    return won


# The console is killed in the middle of a start, when the old vcjob is gone and the new one not yet created.
KILLER = """#!/bin/sh
case " $* " in *" create "*/vcjob.yaml*) [ -e {0}/killed ] || {{ touch {0}/killed; kill -9 $PPID; exit 1; }} ;; esac
exec {1} "$@"
"""


def killed_while_resuming(scene, training, own):
    killer = os.path.join(scene.directory, "kubectl")
    with open(killer, "w") as file:
        file.write(KILLER.format(scene.directory, KUBECTL))
    os.chmod(killer, 0o755)
    with open(own) as file:
        described = json.load(file)
    described["kubernetes"]["kubectl"] = killer
    described["launch"]["env"]["RANKDECK_LEASE_SECONDS"] = "5"
    path = os.path.join(scene.directory, "killed.rankdeck.json")
    with open(path, "w") as file:
        json.dump(described, file)
    code, report, _ = scene.ctl("--job", path, "resume", "--wait", "120", state="state-killed")
    check(code != 0 and report["outcome"] != "proven" and not training.phase(), "who makes the vcjob is killed: %s: %s" % (report["outcome"], report["text"]))
    check(scene.cluster.kubectl("get", "leases", "--output=name").strip() != "", "its lease is left")
    code, report, _ = scene.ctl("--job", path, "resume", "--wait", "240", state="state-killed")
    check(report["outcome"] == "proven", "the next one takes the lease, as nobody renews it, and is proven: " + report["text"])
    check(not scene.cluster.kubectl("get", "leases", "--output=name").strip(), "no lease is left")


def away_while_resuming(scene, training, job):
    """The API server stops when the stand-in has been launched, and starts again after half a minute."""
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


def rights(role):
    return {(group, resource, verb) for rule in role["rules"] for group in rule["apiGroups"] for resource in rule["resources"] for verb in rule["verbs"]}


def least(scene):
    """According to the server's audit log: each right of the two roles was used, and no other right was requested."""
    used, refused = set(), set()
    with open(os.path.join(scene.cluster.directory, "log", "audit.log")) as file:
        for event in map(json.loads, file):
            place = event.get("objectRef", {})
            if event["user"].get("username") not in ("watcher", "actor") or "resource" not in place or place.get("namespace") != "vcjob":
                continue
            right = (place.get("apiGroup", ""), place["resource"] + ("/" + place["subresource"] if "subresource" in place else ""), event["verb"])
            allowed = event.get("annotations", {}).get("authorization.k8s.io/decision") == "allow"
            (used if allowed else refused).add((event["user"]["username"], right))
    by = lambda *users: {right for user, right in used if user in users}
    watch, act = (rights(scene.cluster.get("role", name)) for name in ("rankdeck-watch", "rankdeck-act"))
    newer = {("", "pods/exec", "get")}   # as kubectl asks from 1.30 on
    check(watch - by("watcher", "actor") <= newer, "each right of the role for watching is used: " + str(sorted(watch - by("watcher", "actor"))))
    check(not act - by("actor"), "and each of the role for acting: " + str(sorted(act - by("actor"))))
    kubectls = {("authorization.k8s.io", "selfsubjectaccessreviews", "create"), ("", "namespaces", "get")}   # the latter if an object is missing
    missed = {right for user, right in refused if user == "actor"} - kubectls
    check(not missed, "and who acts has missed none: " + str(sorted(missed)))


def scenes(options, work, cluster):
    cluster.kubectl("apply", "--filename=" + os.path.join(HERE, "podgroup.crd.yaml"))
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
        own = checked(scene, training, job)
        server_refuses(scene, training, job)
        resumed_by_a_watcher(scene, training, own)
        resumed_by_two(scene, training, own)
        stopped(scene, training, job)
        won = resumed_from_two_machines(scene, training, own)
        stopped(scene, training, won)
        killed_while_resuming(scene, training, own)
        stopped(scene, training, job)
        away_while_resuming(scene, training, job)
        least(scene)
    finally:
        stand_in.stop()


if __name__ == "__main__":
    on_private_cluster("rankdeck-vcjob-", scenes)
