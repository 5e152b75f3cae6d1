#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stand-in for Volcano, as far as the tests need it and as in its documentation. It makes the pods of a vcjob by task and index
with Volcano's names, labels and environment. It sets the job's phase, and applies policies that restart, abort or complete the job.
It also writes the rank table that MindX DL's controller writes when all pods run. It schedules nothing: pods are put on the private
cluster's one node and use its network. Usage: volcano_stand_in.py KUBECTL KUBECONFIG [--no-tables], until a TERM."""
import json
import subprocess
import sys
import time

ENDED = ("Completed", "Failed", "Terminated", "Aborted")


class Cluster:
    def __init__(self, kubectl, kubeconfig):
        self.words = [kubectl, "--kubeconfig", kubeconfig]

    def run(self, *words, value=None):
        done = subprocess.run([*self.words, *words], input=json.dumps(value) if value is not None else None,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0 and "NotFound" not in done.stderr and "AlreadyExists" not in done.stderr:
            print(" ".join(words), done.stderr.strip(), file=sys.stderr, flush=True)
        return done.stdout if done.returncode == 0 else None

    def items(self, kind):
        text = self.run("get", kind, "--all-namespaces", "--output=json")
        return json.loads(text)["items"] if text else None


def pod_of(job, task, index):
    name, space = job["metadata"]["name"], job["metadata"]["namespace"]
    pod = json.loads(json.dumps(task["template"]))
    pod.update(apiVersion="v1", kind="Pod")
    metadata = pod.setdefault("metadata", {})
    metadata.update(name="%s-%s-%d" % (name, task["name"], index), namespace=space, ownerReferences=[
        {"apiVersion": job["apiVersion"], "kind": "Job", "name": name, "uid": job["metadata"]["uid"], "controller": True, "blockOwnerDeletion": True}])
    metadata.setdefault("labels", {}).update({"volcano.sh/job-name": name, "volcano.sh/job-namespace": space, "volcano.sh/queue-name": job["spec"].get("queue", "default"),
                                              "volcano.sh/task-index": str(index), "volcano.sh/task-spec": task["name"]})
    metadata.setdefault("annotations", {}).update({"volcano.sh/task-index": str(index), "volcano.sh/task-spec": task["name"],
                                                   "scheduling.k8s.io/group-name": "%s-%s" % (name, job["metadata"]["uid"])})
    spec = pod["spec"]
    spec.update(nodeName="localhost", hostNetwork=True, automountServiceAccountToken=False)
    spec.pop("schedulerName", None)
    for container in spec["containers"]:
        if "env" in job["spec"].get("plugins", {}):
            container.setdefault("env", []).extend([{"name": "VK_TASK_INDEX", "value": str(index)}, {"name": "VC_TASK_INDEX", "value": str(index)}])
        container.pop("resources", None)   # there are no devices here
    return pod


def rank_table(cluster, job, pods):
    """hccl.json in rings-config-JOB, in the form 1.0: all numbers are strings."""
    name, space = job["metadata"]["name"], job["metadata"]["namespace"]
    text = cluster.run("get", "configmap", "rings-config-" + name, "--namespace=" + space, "--output=jsonpath={.data.hccl\\.json}")
    if not text or "initializing" not in text:
        return
    devices = int(job["spec"]["tasks"][0]["template"]["spec"]["containers"][0]["resources"]["limits"]["huawei.com/Ascend910"])
    servers = [{"server_id": pod["status"]["hostIP"], "container_ip": pod["status"]["podIP"],
                "device": [{"device_id": str(one), "device_ip": "192.168.100.%d" % (index * devices + one), "rank_id": str(index * devices + one)}
                           for one in range(devices)]}
               for index, pod in enumerate(sorted(pods, key=lambda pod: int(pod["metadata"]["labels"]["volcano.sh/task-index"])))]
    table = {"status": "completed", "server_list": servers, "server_count": str(len(servers)), "version": "1.0"}
    cluster.run("patch", "configmap", "rings-config-" + name, "--namespace=" + space, "--type=merge", "--patch=" + json.dumps({"data": {"hccl.json": json.dumps(table)}}))


def event_of(pod):
    status = pod.get("status", {})
    if status.get("phase") == "Failed":
        return "PodEvicted" if status.get("reason") == "Evicted" else "PodFailed"
    return None


def action_of(job, event):
    for policy in job["spec"].get("policies", []):
        if policy["event"] in (event, "*"):
            return policy["action"]
    return None


def set_phase(cluster, job, phase, retries=None, message=""):
    status = dict(job.get("status", {}), state={"phase": phase, "message": message})
    if retries is not None:
        status["retryCount"] = retries
    path = "/apis/batch.volcano.sh/v1alpha1/namespaces/%s/jobs/%s/status" % (job["metadata"]["namespace"], job["metadata"]["name"])
    cluster.run("replace", "--raw", path, "--filename=-", value=dict(job, status=status))


def delete(cluster, pod):
    if "deletionTimestamp" not in pod["metadata"]:
        cluster.run("delete", "pod", pod["metadata"]["name"], "--namespace=" + pod["metadata"]["namespace"], "--wait=false")


def turn_job(cluster, job, own, others):
    phase = job.get("status", {}).get("state", {}).get("phase", "")
    retries = job.get("status", {}).get("retryCount", 0)
    wanted = [(task, index) for task in job["spec"]["tasks"] for index in range(task.get("replicas", 1))]
    if phase in ENDED:
        return
    if phase == "Restarting":
        for pod in own:
            delete(cluster, pod)
        if not own:
            set_phase(cluster, job, "Pending", retries)
        return
    if phase in ("", "Pending"):
        if others:   # pods of the job of this name that was deleted
            return
        for task, index in wanted:
            cluster.run("create", "--filename=-", value=pod_of(job, task, index))
        set_phase(cluster, job, "Running", retries)
        return
    phases = [pod.get("status", {}).get("phase") for pod in own]
    if "--no-tables" not in sys.argv and phases == ["Running"] * len(wanted) and "ring-controller.atlas" in job["metadata"].get("labels", {}):
        rank_table(cluster, job, own)
    event = next(filter(None, map(event_of, own)), None)
    action = action_of(job, event) if event else None
    if event and action in ("RestartJob", "RestartTask", "RestartPod"):
        if retries < job["spec"].get("maxRetry", 3):
            set_phase(cluster, job, "Restarting", retries + 1, event)
        else:
            set_phase(cluster, job, "Failed", retries, "maxRetry reached")
    elif event and action in ("AbortJob", "TerminateJob"):
        for pod in own:
            if pod.get("status", {}).get("phase") not in ("Succeeded", "Failed"):
                delete(cluster, pod)
        set_phase(cluster, job, "Aborted" if action == "AbortJob" else "Terminated", message=event)
    elif len(phases) == len(wanted) and all(one in ("Succeeded", "Failed") for one in phases):
        set_phase(cluster, job, "Failed" if "Failed" in phases else "Completed")


def turn(cluster):
    jobs, pods = cluster.items("jobs.batch.volcano.sh"), cluster.items("pods")
    if jobs is None or pods is None:
        return
    uids = {job["metadata"]["uid"] for job in jobs}
    owner = lambda pod: next((one for one in pod["metadata"].get("ownerReferences", []) if one["kind"] == "Job"), None)
    for pod in pods:
        if owner(pod) and owner(pod)["uid"] not in uids:
            delete(cluster, pod)
    for job in jobs:
        same = [pod for pod in pods if owner(pod) and owner(pod)["name"] == job["metadata"]["name"] and
                pod["metadata"]["namespace"] == job["metadata"]["namespace"]]
        own = [pod for pod in same if owner(pod)["uid"] == job["metadata"]["uid"]]
        turn_job(cluster, job, own, [pod for pod in same if pod not in own])


def main():
    cluster = Cluster(*sys.argv[1:3])
    while True:
        turn(cluster)
        time.sleep(0.3)


main()
