# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts of a real Kubernetes about a vcjob, as Rankdeck reports them. Forbidden questions are reported as unknown. Scenes:
machines, devices, faults and reschedules as MindX DL writes them, and a PodGroup that waits. Also a pod that runs out of memory or
is killed, an invalid ConfigMap, evictions, and findings before a resume. Usage: --bin DIR [--directory DIR] [--keep]. Needs root
and a built cache (cluster.sh build); starts and ends a cluster of its own."""
import json
import os
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "testbed")]
from checks import check, wait_for  # noqa: E402
from private_kubernetes import on_private_cluster  # noqa: E402
from vcjob import StandIn, VcTraining  # noqa: E402

ROLES = os.path.join(HERE, "..", "..", "docs", "kubernetes")
UID = "141274b7-ce93-4d31-adde-6c24456a8a3b"


class Scene:
    def __init__(self, options, directory, cluster, training):
        self.bin, self.directory, self.cluster, self.training = options.bin, directory, cluster, training

    def words(self, user):
        path = os.path.join(self.directory, user + ".rankdeck.json")
        with open(path, "w") as file:
            json.dump(self.training.described(user), file)
        return [os.path.join(self.bin, "rankdeckctl"), "--json", "--job", path, "--state-dir", os.path.join(self.directory, "state-" + user)]

    def run(self, user, *words):
        done = subprocess.run(self.words(user) + list(words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def watch(self, user, output):
        with open(output, "w") as file:
            return subprocess.Popen(self.words(user) + ["watch"], stdout=file, stderr=subprocess.STDOUT)


def lines_of(path):
    with open(path) as file:
        for line in file:
            if line.startswith("{") and line.endswith("}\n"):
                yield json.loads(line)


def problems(said):
    return {answer["question"]: answer["problem"] for answer in said["answers"] if answer["problem"]}


def texts(said, code):
    return [fact["text"] for fact in said["facts"] if fact["code"] == code]


def config_map(cluster, space, name, data):
    value = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": space}, "data": data}
    cluster.kubectl("apply", "--filename=-", "--namespace=" + space, stdin=json.dumps(value))   # an operator's YAML may have made it


def not_known_without_the_role(scene):
    said = scene.run("watcher", "status")["scheduler"]
    check(said["kind"] == "kubernetes" and said["job"] == scene.training.name and said["state"] == "Running", "the vcjob runs: " + str(said["state"]))
    unknown = problems(said)
    check(set(unknown) == {"reschedules", "machines", "devices"} and all("docs/kubernetes.md" in text for text in unknown.values()),
          "what the role for watching does not let is said as not known: " + str(sorted(unknown)))
    said = scene.run("nobody", "status")["scheduler"]
    check("docs/kubernetes.md" in problems(said)["pods"] and not said["facts"] and said["state"] is None, "without a role all is not known")


def told_with_the_role(scene):
    cluster, name = scene.cluster, scene.training.name
    cluster.kubectl("create", "namespace", "mindx-dl")
    cluster.kubectl("apply", "--namespace=", "--filename=" + os.path.join(ROLES, "cluster-watch-role.yaml"))   # each in its own
    cluster.kubectl("create", "clusterrolebinding", "machines", "--clusterrole=rankdeck-cluster-watch", "--user=watcher")
    for space in ("mindx-dl", "kube-system"):
        cluster.kubectl("create", "rolebinding", "watch", "--role=rankdeck-cluster-watch", "--user=watcher", "--namespace=" + space)
    record = {"TotalRescheduleTimes": 1, "RescheduleRecords": [{"LogFileFormatTime": "I0908 11:36:10", "RescheduleTimeStamp": 1759683370, "ReasonOfTask": [
        {"RescheduleReason": "pod-failed", "PodName": name + "-worker-1", "NodeName": "node2", "NodeRankIndex": "1"}]}]}
    config_map(cluster, "mindx-dl", "job-reschedule-reason", {"recent-reschedule-records": json.dumps({"vcjob/%s-%s" % (name, UID): record})})
    config_map(cluster, "vcjob", "fault-config-" + name, {"fault-npus": '{"FaultRank":[3],"UpdateTime":1759683370}'})
    faults = [{"fault_type": "CardUnhealthy", "npu_name": "Ascend910-4", "fault_handling": "SeparateNPU", "fault_code": "A8028801"}]
    devices = {"huawei.com/Ascend910": "Ascend910-0", "huawei.com/Ascend910-Unhealthy": "Ascend910-4", "huawei.com/Ascend910-Fault": json.dumps(faults)}
    config_map(cluster, "kube-system", "mindx-dl-deviceinfo-localhost", {"DeviceInfoCfg": json.dumps({"DeviceInfo": {"DeviceList": devices, "UpdateTime": 1}})})
    cluster.kubectl("annotate", "node", "localhost", "huawei.com/Ascend910-NetworkUnhealthy=Ascend910-0")
    status = scene.run("watcher", "status")
    said = status["scheduler"]
    check(not problems(said), "with the other role nothing is not known")
    check(texts(said, "rescheduled") == ["rescheduled: %s-worker-1 on node2: pod-failed" % name], "the reschedule")
    check(texts(said, "fault_ranks") == ["recorded as failed (fault-npus): ranks 3"], "the ranks that MindX DL calls failed")
    check(any("localhost is not Ready" in text for text in texts(said, "node_trouble")), "the machine that is not Ready: " + str(texts(said, "node_trouble")))
    check(texts(said, "device_unhealthy") == ["machine localhost has no healthy network on Ascend910-0", "machine localhost has unhealthy devices: Ascend910-4",
                                              "machine localhost has a fault of Ascend910-4: CardUnhealthy, SeparateNPU, codes A8028801"],
          "its devices: " + str(texts(said, "device_unhealthy")))
    alarm = [one for one in status["alarms"] if one["code"] == "device_unhealthy"]
    check(len(alarm) == 1 and alarm[0]["ranks"] == [0, 1, 2, 3] and "Ascend910-4" in alarm[0]["text"], "and the alarm: " + alarm[0]["text"])
    cluster.kubectl("patch", "configmap", "fault-config-" + name, "--type=merge", "--patch", json.dumps({"data": {"fault-npus": "not so"}}))
    unknown = problems(scene.run("watcher", "status")["scheduler"])
    check(list(unknown) == ["recorded faults"] and "expected JSON" in unknown["recorded faults"], "a record that is no JSON: " + str(unknown))
    cluster.kubectl("delete", "configmap", "fault-config-" + name)


def pod_group_waits(scene):
    cluster, training = scene.cluster, scene.training
    condition = {"type": "Unschedulable", "status": "True", "reason": "NotEnoughResources", "lastTransitionTime": "2026-11-22T03:12:07Z",
                 "message": "2/4 tasks in gang unschedulable: pod group is not ready, 2 Pending, 4 minAvailable"}
    group = training.name + "-" + training.object()["metadata"]["uid"]
    cluster.create({"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup", "metadata": {"name": group, "namespace": "vcjob"},
                    "spec": {"minMember": 2, "queue": "default"}, "status": {"phase": "Inqueue", "conditions": [condition]}})
    said = scene.run("watcher", "status")["scheduler"]
    waits = texts(said, "job_waits")
    check(len(waits) == 1 and "2/4 tasks in gang unschedulable" in waits[0], "a PodGroup that waits: " + str(waits))
    cluster.kubectl("delete", "podgroup", group)


def wrong_config_map(scene):
    cluster, training = scene.cluster, scene.training
    good = training.data()["reset.json"]
    for text, code in (("not JSON", "config_invalid"), (None, "config_missing")):
        cluster.kubectl("patch", "configmap", training.config_map, "--type=merge", "--patch", json.dumps({"data": {"reset.json": text}}))
        before = cluster.get("configmap", training.config_map)
        report = scene.run("actor", "exit")
        codes = {finding["code"]: finding["text"] for finding in report["preflight"]}
        check(report["outcome"] == "refused" and code in codes, "a ConfigMap %s: %s" % ("without the key" if text is None else "that is not JSON", codes.get(code, codes)))
        check(cluster.get("configmap", training.config_map) == before, "is left as it is")
    cluster.kubectl("patch", "configmap", training.config_map, "--type=merge", "--patch", json.dumps({"data": {"reset.json": good}}))


def first_cause(scene):
    cluster, training = scene.cluster, scene.training
    output = os.path.join(scene.directory, "ends.out")
    watching = scene.watch("watcher", output)
    events = lambda: [line for line in lines_of(output) if line["type"] == "event" and line["text"].startswith("Kubernetes: pod")]
    wait_for("both pods", lambda: open(output).read().count('"state":"live"') >= 2)
    cluster.kubectl("exec", training.pods[1], "-c", "main", "--", "/bin/sh", "-c", "pkill -9 rankdeck-demo-t; kill -9 1", check=False)
    wait_for("the end of the pod", lambda: cluster.phase(training.pods[1]) in ("Failed", "Succeeded"))
    event = wait_for("its event", lambda: [one for one in events() if training.pods[1] in one["text"]])[0]
    check("container main: " in event["text"] and "exit code" in event["text"], "a pod that ended: " + event["text"])
    watching.send_signal(signal.SIGINT)
    watching.wait(60)
    again = scene.run("watcher", "status")["scheduler"]
    check(any(training.pods[1] in text for text in texts(again, "pod_ended")), "a console that comes late is told the same")


def said_of(scene, pod):
    """The report about a single pod that no vcjob owns."""
    job = {"rankdeck": 1, "name": pod, "world_size": 1, "kubernetes": scene.training.described("watcher")["kubernetes"],
           "nodes": [{"name": "n0", "host": "k8s:vcjob/" + pod, "ranks": [0]}]}
    path = os.path.join(scene.directory, pod + ".rankdeck.json")
    with open(path, "w") as file:
        json.dump(job, file)
    words = [os.path.join(scene.bin, "rankdeckctl"), "--json", "--timeout", "20", "--job", path, "--state-dir", os.path.join(scene.directory, "state-" + pod), "status"]
    return json.loads(subprocess.run(words, stdout=subprocess.PIPE, text=True).stdout)


def out_of_memory(scene):
    cluster = scene.cluster
    cluster.pod("greedy", "exec /usr/bin/python3 -c 'x = bytearray(300 << 20)'", memory="48Mi")
    wait_for("the end of the greedy one", lambda: cluster.phase("greedy") == "Failed")
    said = said_of(scene, "greedy")["scheduler"]
    check(any("OOMKilled, exit code 137" in text for text in texts(said, "pod_ended")), "a pod that ran out of memory: " + str(texts(said, "pod_ended")))
    check(said["job"] is None, "pods that no vcjob owns are asked for by their names")
    cluster.delete("greedy")


def evicted(scene):
    """By the kubelet itself, as the pod has filled its volume."""
    cluster, training = scene.cluster, scene.training
    cluster.pod("full", "head -c 16777216 /dev/zero >/scratch/full; sleep 100000", room="4Mi")
    wait_for("the eviction", lambda: cluster.phase("full") == "Failed", 300)
    status = said_of(scene, "full")
    ends = texts(status["scheduler"], "pod_ended")
    check(any("Evicted: Usage of EmptyDir volume" in text for text in ends), "a pod that was evicted: " + str(ends))
    check("Evicted" in status["nodes"][0]["reason"], "which is why its node is gone: " + status["nodes"][0]["reason"])
    cluster.delete("full")
    output = os.path.join(scene.directory, "evicted.out")
    watching = scene.watch("watcher", output)
    states = lambda: [line["state"] for line in lines_of(output) if line["type"] == "node" and line["node"] == training.pods[0]]
    wait_for("it to be live", lambda: states()[-1:] == ["live"])
    cluster.kubectl("exec", training.pods[0], "-c", "main", "--", "/bin/sh", "-c", "head -c 16777216 /dev/zero >/scratch/full")
    wait_for("Volcano to begin again", lambda: training.object()["status"].get("retryCount") == 1, 300)
    wait_for("the pod that takes its place", lambda: "lost" in states() and states()[-1] == "live", 300)
    told = lambda: [line["text"] for line in lines_of(output) if line["type"] == "event" and line["text"].startswith("Kubernetes: pod " + training.pods[0])]
    wait_for("the eviction to be told", lambda: any("Evicted: Usage of EmptyDir volume" in text for text in told()), 90)
    check(True, "a pod of the job that was evicted, though Volcano has replaced it: " + "; ".join(told()))
    watching.send_signal(signal.SIGINT)
    watching.wait(60)
    said = scene.run("watcher", "status")["scheduler"]
    check(said["restarts"] == 1 and said["restart_limit"] == 3, "and how often Volcano may do that: %s of %s" % (said["restarts"], said["restart_limit"]))


def before_a_resume(scene):
    wait_for("a VALID set", lambda: scene.run("watcher", "checkpoints").get("recommended"))
    def codes(user):
        texts = {}
        for finding in scene.run(user, "resume", "--dry-run")["preflight"]:
            texts[finding["code"]] = texts.get(finding["code"], "") + finding["text"] + "; "
        return texts
    told = codes("watcher")
    check("Ascend910-4" in told["device_unhealthy"] and "4 ranks of the job ran there" in told["device_unhealthy"],
          "before a resume the sick device is named: " + told["device_unhealthy"])
    check("is not Ready" in told["machine_trouble"] and "cannot get the state" not in told["machine_trouble"], "and the machine that takes no pods: " + told["machine_trouble"])
    unknown = codes("actor")
    check("docs/kubernetes.md" in unknown["machine_trouble"] and "device_unhealthy" not in unknown, "without the right it is not known: " + unknown["machine_trouble"])
    broken = json.dumps({"DeviceInfo": {"DeviceList": {"huawei.com/Ascend910-Fault": "Ascend910-4"}, "UpdateTime": 1}})
    scene.cluster.kubectl("patch", "configmap", "mindx-dl-deviceinfo-localhost", "--namespace=kube-system", "--type=merge", "--patch", json.dumps({"data": {"DeviceInfoCfg": broken}}))
    unknown = codes("watcher")
    check("expected a list of faults" in unknown["machine_trouble"], "nor from a list of faults that is none: " + unknown["machine_trouble"])


def scenes(options, work, cluster):
    cluster.kubectl("apply", "--filename=" + os.path.join(HERE, "podgroup.crd.yaml"))
    stand_in = StandIn(cluster)
    try:
        training = VcTraining(cluster, "lenet", options.bin)
        training.start()
        wait_for("the training", lambda: all("loss is" in training.log(rank) for rank in range(4)))
        wait_for("the cluster to say that the pods run", lambda: all(cluster.phase(pod) == "Running" for pod in training.pods))
        scene = Scene(options, work, cluster, training)
        not_known_without_the_role(scene)
        told_with_the_role(scene)
        before_a_resume(scene)
        pod_group_waits(scene)
        wrong_config_map(scene)
        out_of_memory(scene)
        evicted(scene)
        first_cause(scene)
    finally:
        stand_in.stop()


if __name__ == "__main__":
    on_private_cluster("rankdeck-says-", scenes)
