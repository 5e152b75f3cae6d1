# SPDX-License-Identifier: GPL-3.0-or-later
"""Rankdeck on a real Kubernetes. A training in two pods is watched line by line and stopped through its ConfigMap, also by two
consoles at once. Other scenes: a bastion, roles that refuse, a login that expires. Pods are killed, come back under their name or
another, crash and end, or have no python3. Another program writes the ConfigMap between our read and our write, and the API server
goes away. Usage: --bin DIR [--directory DIR] [--keep]
Needs root and a built cache (cluster.sh build); starts and ends a cluster of its own."""
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "testbed"), os.path.join(HERE, "..", "..", "packaging", "mindspore")]
from checks import check, wait_for  # noqa: E402
from job import Sshd  # noqa: E402
from private_kubernetes import FRESH, KUBECTL, Training, on_private_cluster  # noqa: E402


class Console:
    """rankdeckctl with a job file and a state of its own."""

    def __init__(self, options, directory, name, training, **job):
        self.state = os.path.join(directory, "state-" + name)
        self.file = training.job_file(os.path.join(directory, name + ".rankdeck.json"), **job)
        self.words = [os.path.join(options.bin, "rankdeckctl"), "--json", "--job", self.file, "--state-dir", self.state]

    def run(self, *arguments):
        done = subprocess.run(self.words + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return done.returncode, json.loads(done.stdout) if done.stdout.strip() else {}, done.stderr

    def status(self):
        return self.run("status")[1]

    def node(self, name="n0"):
        return next(node for node in self.status()["nodes"] if node["name"] == name)

    def start(self, output, *arguments):
        with open(output, "w") as file:
            return subprocess.Popen(self.words + list(arguments), stdout=file, stderr=subprocess.STDOUT)


def lines_of(path):
    with open(path) as file:
        for line in file:
            if line.startswith("{") and line.endswith("}\n"):
                yield json.loads(line)


def codes(report):
    return {finding["code"]: finding for finding in report["preflight"]}


def watched_line_by_line(options, directory, training):
    console = Console(options, directory, "watch", training, user="watcher")
    output = os.path.join(directory, "watch.out")
    watching = console.start(output, "watch")
    samples = lambda rank: [line for line in lines_of(output) if line["type"] == "sample" and line["rank"] == rank]
    wait_for("30 samples of every rank", lambda: all(len(samples(rank)) >= 30 for rank in range(4)))
    watching.send_signal(signal.SIGINT)
    watching.wait(60)
    for rank in range(4):
        seen = [(line["epoch"], line["step"], "%.4f" % line["loss"]) for line in samples(rank)]
        logged = [(int(e), int(s), "%.4f" % float(loss))
                  for e, s, loss in re.findall(r"epoch: (\d+) step: (\d+), loss is ([-\d.e]+)", training.log(rank))]
        first = logged.index(seen[0])
        check(logged[first:first + len(seen)] == seen, "rank %d: %d lines in a row, each once, with the role for watching" % (rank, len(seen)))
    status = console.status()
    check({node["name"]: node["state"] for node in status["nodes"]} == {"n0": "live", "n1": "live", "console": "live"}, "the nodes are live")
    check(all(rank["alive"] and rank["pid"] for rank in status["ranks"]), "the processes are found in the pods")
    return console


def refused_by_role(options, directory, training, watcher):
    before = training.cluster.get("configmap", training.config_map)
    code, report, _ = watcher.run("exit")
    check(report["outcome"] == "refused" and "config_not_writable" in codes(report), "the role for watching may not stop: " + str(sorted(codes(report))))
    check("docs/kubernetes.md" in codes(report)["config_not_writable"]["fix"], "and which role is missing is said")
    check(training.cluster.get("configmap", training.config_map) == before, "nothing was written")
    nobody = Console(options, directory, "nobody", training, user="nobody").node()
    check(nobody["state"] == "refused" and "docs/kubernetes.md" in nobody["reason"], "without a role: " + nobody["reason"])
    expired = Console(options, directory, "expired", training, user="expired").node()
    check(expired["state"] == "refused" and "Log in again" in expired["reason"], "with a token that is unknown: " + expired["reason"])
    none = Console(options, directory, "no-kubectl", training, kubernetes={"kubectl": "/nowhere/kubectl"}).node()
    check(none["state"] == "unsupported" and "There is no /nowhere/kubectl on this machine" in none["reason"], "without kubectl: " + none["reason"])
    wrong = Console(options, directory, "context", training,
                    kubernetes={"kubectl": KUBECTL, "kubeconfig": training.cluster.kubeconfig("admin"), "context": "prod's"}).node()
    check(wrong["state"] == "refused" and "get-contexts" in wrong["reason"], "with a wrong context: " + wrong["reason"])


def wrong_places(options, directory, training):
    cluster = training.cluster
    cluster.pod("bare", "sleep 100000", image="localhost/bare:1")
    cluster.pod("done", "exit 0")
    cluster.pod("crash", "echo there is no module >&2; exit 3", restart="Always")
    wait_for("the pods", lambda: cluster.phase("bare") == "Running" and cluster.phase("done") == "Succeeded")
    wait_for("the crash loop", lambda: "CrashLoopBackOff" in cluster.kubectl("get", "pod", "crash"))
    places = {"bare": ("unsupported", "No python3"), "done": ("lost", "The pod is Succeeded"), "crash": ("lost", "exit code 3"),
              "none": ("lost", "There is no pod vcjob/none now"), "bare:nope": ("refused", "nodes[].host")}
    nodes = [{"name": "p%d" % i, "host": "k8s:vcjob/" + pod, "ranks": [] if i else [0, 1, 2, 3]} for i, pod in enumerate(places)]
    console = Console(options, directory, "places", training, nodes=nodes)
    output = os.path.join(directory, "places.out")
    watching = console.start(output, "watch")
    for i, (pod, (state, words)) in enumerate(places.items()):
        reasons = lambda: [line["reason"] for line in lines_of(output) if line["type"] == "node" and line["node"] == "p%d" % i and line["state"] == state]
        wait_for("the state %s of %s" % (state, pod), reasons)
        check(words in reasons()[0] and "rankdeck-" not in reasons()[0], "%s: %s" % (pod, reasons()[0]))
        if pod == "crash":
            check("Its last output: there is no module" in reasons()[0], "with what it wrote last")
    watching.send_signal(signal.SIGINT)
    watching.wait(60)
    for pod in ("bare", "done", "crash"):
        cluster.delete(pod)


PRINTS = 'i=0; while :; do i=$((i + 1)); echo "epoch: 1 step: $i, loss is 0.$i"; sleep 0.5; done'


def only_what_it_prints(options, directory, training):
    """A pod whose image has no python3: its one rank is watched only by its output."""
    cluster = training.cluster
    cluster.pod("printing", PRINTS, image="localhost/bare:1")
    wait_for("the printing pod", lambda: cluster.phase("printing") == "Running")
    console = Console(options, directory, "printing", training, user="watcher")
    with open(console.file, "w") as file:
        json.dump({"rankdeck": 1, "name": "printing", "world_size": 1, "framework": "mindspore", "steps_per_epoch": 100000,
                   "kubernetes": {"kubectl": KUBECTL, "kubeconfig": cluster.kubeconfig("watcher")},
                   "nodes": [{"name": "p0", "host": "k8s:vcjob/printing:main", "ranks": [0]}], "logs": {"path": "/job/log/worker_{rank}.log"}}, file)
    output = os.path.join(directory, "printing.out")
    watching = console.start(output, "watch")
    samples = lambda: [line["step"] for line in lines_of(output) if line["type"] == "sample"]
    wait_for("samples of the printing pod", lambda: len(samples()) > 5)
    status = console.status()
    node, rank = status["nodes"][0], status["ranks"][0]
    check(node["state"] == "unsupported" and "No python3" in node["reason"] and "follows only its output" in node["reason"], "a pod without python3: " + node["reason"])
    check(rank["alive"] is None and rank["step"] >= 5, "its rank is at step %s, and whether it lives is not known" % rank["step"])
    code, report, errors = console.run("exit")
    check(code != 0, "and it is not stopped from here: " + (report.get("text") or errors).strip())
    return watching, output, samples


def gone_on_printing(cluster, watching, output, samples):
    count = len(samples())
    wait_for("the printing pod to be followed again", lambda: len(samples()) > count + 5)
    seen = samples()
    check(seen == list(range(seen[0], seen[0] + len(seen))), "no line of the printing pod is missing or twice (%d)" % len(seen))
    check({line["attempt"] for line in lines_of(output) if line["type"] == "sample"} == {0}, "and it is one attempt")
    cluster.delete("printing")
    wait_for("its end", lambda: any(line["type"] == "node" and line["state"] == "lost" and "There is no pod" in line["reason"] for line in lines_of(output)))
    cluster.pod("printing", PRINTS, image="localhost/bare:1")
    wait_for("its successor", lambda: any(line["type"] == "sample" and line["attempt"] == 1 for line in lines_of(output)))
    check(True, "a pod of the same name is the next attempt")
    watching.send_signal(signal.SIGINT)
    watching.wait(60)
    cluster.delete("printing")


def through_a_bastion(options, directory, training):
    """kubectl, its kubeconfig and the way to the cluster are on an ssh host."""
    bastion = Sshd(directory, "bastion")
    try:
        with open(os.path.join(directory, "ssh_config"), "w") as file:
            os.chmod(file.name, 0o600)
            file.write(bastion.client_config(os.path.join(directory, "known_hosts")))
        spec = {"via": "bastion", "kubectl": KUBECTL, "kubeconfig": training.cluster.kubeconfig("actor")}
        console = Console(options, directory, "bastion", training, kubernetes=spec)
        console.words += ["--ssh-config", os.path.join(directory, "ssh_config")]
        status = console.status()
        check({node["state"] for node in status["nodes"]} == {"live"} and all(rank["alive"] for rank in status["ranks"]), "through a bastion: both pods are live")
        check(not [one for one in status["scheduler"]["answers"] if one["question"] == "pods" and one["problem"]], "and the cluster answers there")
        report = console.run("exit", "--dry-run")[1]
        check(not [one for one in report["preflight"] if one["result"] == "refuse"], "and the ConfigMap may be written from there")
    finally:
        bastion.process.terminate()
        bastion.process.wait()


def api_server_away(options, directory, training):
    printing = only_what_it_prints(options, directory, training)
    console = Console(options, directory, "away", training)
    output = os.path.join(directory, "away.out")
    watching = console.start(output, "watch")
    states = lambda: [line["state"] for line in lines_of(output) if line["type"] == "node" and line["node"] == "n1"]
    wait_for("n1 to be live", lambda: "live" in states())
    training.cluster.script("api-stop")
    gone = time.monotonic()
    wait_for("n1 to be lost", lambda: "lost" in states())
    wait_for("half a minute", lambda: time.monotonic() - gone > 30)
    code, _, errors = console.run("exit")
    check(code != 0 and "the API server does not answer" in errors, "no stop without the API server")
    training.cluster.script("api-start")
    wait_for("n1 to be live again", lambda: states().index("lost") < len(states()) - 1 - states()[::-1].index("live"))
    count = sum(line["type"] == "sample" and line["rank"] == 3 for line in lines_of(output))
    wait_for("rank 3 to go on", lambda: sum(line["type"] == "sample" and line["rank"] == 3 for line in lines_of(output)) > count + 5)
    watching.send_signal(signal.SIGINT)
    watching.wait(60)
    steps = [(line["epoch"], line["step"]) for line in lines_of(output) if line["type"] == "sample" and line["rank"] == 3]
    check(len(steps) == len(set(steps)) and all((b[0] - a[0]) * 100 + b[1] - a[1] == 1 for a, b in zip(steps, steps[1:])),
          "the API server was away for 30 s: lost, then live again, and no line of rank 3 is missing or twice")
    gone_on_printing(training.cluster, *printing)


# Just before kubectl replaces the ConfigMap for the first time, another program writes to it.
MEDDLER = """#!/bin/sh
case " $* " in *" replace "*) [ -e {0}/meddled ] || {{ touch {0}/meddled; {1} --kubeconfig={2} -n vcjob annotate configmap {3} plugin=wrote >/dev/null; }} ;; esac
exec {1} "$@"
"""


def stopped_by_config_map(options, directory, training):
    meddler = os.path.join(directory, "kubectl")
    with open(meddler, "w") as file:
        file.write(MEDDLER.format(directory, KUBECTL, training.cluster.kubeconfig("admin"), training.config_map))
    os.chmod(meddler, 0o755)
    console = Console(options, directory, "stop", training, kubernetes={"kubectl": meddler, "kubeconfig": training.cluster.kubeconfig("actor")})
    wait_for("a VALID set", lambda: console.run("checkpoints")[0] == 0)
    code, report, errors = console.run("exit", "--wait", "300")
    check(report["outcome"] == "stopped" and code == 0, "stopped through the ConfigMap: " + report["text"])
    check(report["flag_reset"], "and the request is taken back")
    data = training.data()
    check(data == {"reset.json": FRESH, "checkCode": hashlib.sha256(FRESH.encode()).hexdigest(), "restartType": "kept"},
          "GracefulExit is 0, checkCode fits, other keys are as they were")
    check(all("Graceful exit is triggered" in training.log(rank) for rank in range(4)), "every rank says so itself")
    with open(os.path.join(console.state, "journal.jsonl")) as file:
        journal = file.read()
    seen = re.search(r"all pods see the ConfigMap [^\"]* after it was written", journal)
    check(seen, "the delay is measured: " + (seen.group(0) if seen else "no"))
    with open(os.path.join(training.cluster.directory, "log", "audit.log")) as file:
        updates = [line for line in map(json.loads, file) if line["verb"] == "update" and line["objectRef"].get("name") == training.config_map]
    check([(line["user"]["username"], line["responseStatus"]["code"]) for line in updates] == [("actor", 409), ("actor", 200), ("actor", 200)],
          "the server refused the write over another's change; the next was made on top of it, and the request taken back: " + str(
              [line["responseStatus"]["code"] for line in updates]))
    check(training.cluster.get("configmap", training.config_map)["metadata"]["annotations"]["plugin"] == "wrote", "and the other's change is still there")


def pod_killed(options, directory, training):
    cluster = training.cluster
    console = Console(options, directory, "killed", training)
    output = os.path.join(directory, "killed.out")
    watching = console.start(output, "watch")
    last = lambda node: [line for line in lines_of(output) if line["type"] == "node" and line["node"] == node][-1]
    wait_for("both to be live", lambda: os.path.getsize(output) and all(
        any(line["type"] == "node" and line["node"] == node and line["state"] == "live" for line in lines_of(output)) for node in ("n0", "n1")))
    cluster.kubectl("exec", training.pods[1], "-c", "main", "--", "/bin/sh", "-c", "pkill -9 rankdeck-demo-t", check=False)  # the pod may end before kubectl has its answer
    wait_for("the pod to end", lambda: cluster.phase(training.pods[1]) in ("Succeeded", "Failed"))
    wait_for("n1 to be lost", lambda: last("n1")["state"] == "lost" and "The pod is" in last("n1")["reason"])
    check(True, "its end is said: " + last("n1")["reason"])
    status = console.status()
    check(all(rank["alive"] is False for rank in status["ranks"] if rank["rank"] in (2, 3)), "and its ranks are known to be gone")
    for pod in training.pods:
        cluster.delete(pod)
    wait_for("n1 to be missed", lambda: "There is no pod" in last("n1")["reason"])
    for node in (0, 1):
        training.start_pod(node)
    wait_for("n1 to be live again", lambda: last("n1")["state"] == "live")
    check(True, "a pod of the same name is the same node again")
    watching.send_signal(signal.SIGINT)
    watching.wait(60)


def login_ends(options, directory, training):
    """A token that the server revokes while it is in use, like an expiring one: it is bound to a Secret, which is deleted."""
    cluster = training.cluster
    cluster.create({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "short"}})
    cluster.kubectl("create", "rolebinding", "short", "--role=rankdeck-watch", "--serviceaccount=vcjob:short")

    def log_in():
        cluster.create({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "login"}})
        bound = {"apiVersion": "v1", "kind": "Secret", "name": "login", "uid": cluster.get("secret", "login")["metadata"]["uid"]}
        request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 3600, "boundObjectRef": bound}}
        said = cluster.kubectl("create", "--raw=/api/v1/namespaces/vcjob/serviceaccounts/short/token", "--filename=-", stdin=json.dumps(request))
        with open(cluster.kubeconfig("admin")) as file:
            config = re.sub(r"token: \w+", "token: " + json.loads(said)["status"]["token"], file.read())
        with open(cluster.kubeconfig("short"), "w") as file:
            os.chmod(cluster.kubeconfig("short"), 0o600)
            file.write(config)

    log_in()
    console = Console(options, directory, "short", training, user="short")
    output = os.path.join(directory, "short.out")
    watching = console.start(output, "watch")
    count = lambda: sum(line["type"] == "sample" and line["rank"] == 3 for line in lines_of(output))
    wait_for("samples of rank 3", lambda: count() > 5)
    cluster.kubectl("delete", "secret", "login")
    wait_for("the server to know", lambda: "nauthorized" in subprocess.run(
        [KUBECTL, "--kubeconfig", cluster.kubeconfig("short"), "get", "pods"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout)
    before = count()
    wait_for("rank 3 to go on", lambda: count() > before + 5)
    check(True, "what is watched goes on when the login ends")
    late = console.node()
    check(late["state"] == "refused" and "Log in again" in late["reason"], "and who comes then is told: " + late["reason"])
    log_in()
    check(console.node()["state"] == "live", "after the next login it is live")
    watching.send_signal(signal.SIGINT)
    watching.wait(60)


def replaced_under_another_name(options, directory, training):
    """A node by the labels of its place: its pod ends, and a pod with another name takes its place."""
    cluster = training.cluster
    host = "k8s:vcjob/example.com/job=%s,example.com/index=%d:main"
    nodes = [{"name": "n%d" % i, "host": host % (training.name, i), "ranks": [2 * i, 2 * i + 1]} for i in (0, 1)]
    console = Console(options, directory, "labels", training, nodes=nodes + [{"name": "console", "host": "local", "ranks": []}])
    output = os.path.join(directory, "labels.out")
    watching = console.start(output, "watch")
    of = lambda node: [line for line in lines_of(output) if line["type"] == "node" and line["node"] == node]
    wait_for("both to be live", lambda: all(of(node) and of(node)[-1]["state"] == "live" for node in ("n0", "n1")))
    cluster.kubectl("exec", training.pods[1], "-c", "main", "--", "/bin/sh", "-c", "pkill -9 rankdeck-demo-t", check=False)
    wait_for("the pod to end", lambda: cluster.phase(training.pods[1]) in ("Succeeded", "Failed"))
    wait_for("n1 to be lost", lambda: of("n1")[-1]["state"] == "lost" and "The pod is" in of("n1")[-1]["reason"])
    check(True, "its end is said: " + of("n1")[-1]["reason"])
    cluster.delete(training.pods[0])
    training.start_pod(0)
    training.start_pod(1, "another-7xk2")
    wait_for("both to be live again", lambda: all(of(node)[-1]["state"] == "live" for node in ("n0", "n1")))
    samples = lambda: [line for line in lines_of(output) if line["type"] == "sample" and line["rank"] == 3 and line["attempt"] > 0]
    wait_for("rank 3 to go on", lambda: len(samples()) > 5)
    check(True, "a pod of another name at the same place is the same node of the job, though the old one is still listed")
    said = console.status()["scheduler"]
    check(any(training.pods[1] in fact["text"] and fact["node"] == "n1" for fact in said["facts"]), "and the end of the old one is this node's")
    watching.send_signal(signal.SIGINT)
    watching.wait(60)
    cluster.delete(training.pods[1])
    cluster.delete("another-7xk2")
    cluster.delete(training.pods[0])


def stopped_by_two(options, directory, training):
    """Two consoles that know nothing of each other send the request at the same time."""
    for node in (0, 1):
        training.start_pod(node)
    consoles = [Console(options, directory, "two-%d" % i, training, user="actor") for i in (0, 1)]
    wait_for("the training", lambda: all(rank["alive"] for rank in consoles[0].status()["ranks"]))
    wait_for("a VALID set", lambda: consoles[0].run("checkpoints")[0] == 0)
    both = [subprocess.Popen(console.words + ["exit", "--wait", "300"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for console in consoles]
    reports = [json.loads(one.communicate(timeout=400)[0]) for one in both]
    outcomes = sorted(report["outcome"] for report in reports)
    check(outcomes in (["stopped", "stopped"], ["refused", "stopped"]), "of two consoles at once none is told what is not so: " + "; ".join(
        "%s: %s" % (report["outcome"], report["text"]) for report in reports))
    check(training.data()["reset.json"] == FRESH, "and the request is taken back")


def scenes(options, work, cluster):
    # The demo saves and ends within milliseconds; its last lines can be read only as long as the container lives.
    training = Training(cluster, "lenet", options.bin, after="sleep 30")
    training.start()
    wait_for("the training", lambda: all(os.path.exists(training.job + "/log/worker_%d.log" % r) and "loss is" in training.log(r) for r in range(4)))
    watcher = watched_line_by_line(options, work, training)
    refused_by_role(options, work, training, watcher)
    wrong_places(options, work, training)
    through_a_bastion(options, work, training)
    api_server_away(options, work, training)
    login_ends(options, work, training)
    stopped_by_config_map(options, work, training)
    second = Training(cluster, "second", options.bin)
    second.start()
    pod_killed(options, work, second)
    replaced_under_another_name(options, work, second)
    stopped_by_two(options, work, second)


if __name__ == "__main__":
    on_private_cluster("rankdeck-k8s-", scenes)
