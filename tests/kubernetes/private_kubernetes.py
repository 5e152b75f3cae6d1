# SPDX-License-Identifier: GPL-3.0-or-later
"""The private cluster of cluster.sh as the tests use it, and a training of four ranks in two of its pods. The training is
the demo's: it logs, saves and obeys GracefulExit as MindSpore does. The node is never Ready, as the cluster has no network
plugin: pods name their node and use the machine's network."""
import argparse
import json
import os
import socket
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "testbed"))
from leftovers import end_all  # noqa: E402
from scratch import Scratch  # noqa: E402

CACHE = os.environ.get("RANKDECK_KUBERNETES") or os.path.expanduser("~/.cache/rankdeck/kubernetes")
KUBECTL = os.path.join(CACHE, "root/usr/bin/kubectl")
FRESH = ('{"RankList":[],"UpdateTime":0,"RetryTime":0,"FaultFlushing":false,"GracefulExit":0,"RestartFaultProcess":false}')


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    def __init__(self, directory):
        self.directory = directory

    def script(self, command):
        subprocess.run([os.path.join(HERE, "cluster.sh"), command, self.directory], check=True)

    def kubeconfig(self, user):
        return os.path.join(self.directory, user + ".kubeconfig")

    def kubectl(self, *words, stdin=None, user="admin", check=True):
        done = subprocess.run([KUBECTL, "--kubeconfig", self.kubeconfig(user), "--namespace=vcjob", *words], input=stdin,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if check and done.returncode != 0:
            raise AssertionError("kubectl %s: %s%s" % (" ".join(words), done.stdout, done.stderr))
        return done.stdout

    def create(self, value):
        self.kubectl("create", "--filename=-", stdin=json.dumps(value))

    def get(self, kind, name):
        return json.loads(self.kubectl("get", kind, name, "--output=json"))

    def phase(self, pod):
        return self.kubectl("get", "pod", pod, "--ignore-not-found", "--output=jsonpath={.status.phase}")

    def pod(self, name, script, image="localhost/host:1", mounts=(), config_map=None, restart="Never", labels=None, memory=None, room=None):
        """mounts: directories of this machine, at the same path in the pod. room: size of a volume /scratch, beyond which the pod
        is evicted."""
        mounts = list(mounts) + (["/usr"] if image == "localhost/host:1" else [])
        volumes = [{"name": "v%d" % i, "hostPath": {"path": path}} for i, path in enumerate(mounts)]
        where = [{"name": "v%d" % i, "mountPath": path, "readOnly": path == "/usr"} for i, path in enumerate(mounts)]
        if config_map:
            volumes.append({"name": "reset", "configMap": {"name": config_map}})
            where.append({"name": "reset", "mountPath": "/user/restore/reset/config"})
        if room:
            volumes.append({"name": "scratch", "emptyDir": {"sizeLimit": room}})
            where.append({"name": "scratch", "mountPath": "/scratch"})
        self.create({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "vcjob", "labels": labels or {}},
                     "spec": {"nodeName": "localhost", "hostNetwork": True, "restartPolicy": restart, "automountServiceAccountToken": False,
                              "terminationGracePeriodSeconds": 2, "volumes": volumes,
                              "containers": [{"name": "main", "image": image, "imagePullPolicy": "Never",
                                              "command": ["/bin/sh", "-c", script], "volumeMounts": where,
                                              "resources": {"limits": {"memory": memory}} if memory else {}}]}})

    def delete(self, pod):
        self.kubectl("delete", "pod", pod, "--ignore-not-found", "--wait=true", "--timeout=120s")


class Training:
    """Ranks 0 and 1 in NAME-worker-0, 2 and 3 in NAME-worker-1; /job is a directory of this machine, as a file server's would be."""

    def __init__(self, cluster, name, trainer_directory, after="true"):
        self.cluster, self.name, self.bin, self.after = cluster, name, trainer_directory, after
        self.job = os.path.join(cluster.directory, "jobs", name)
        for part in ("log", "ckpt"):
            os.makedirs(os.path.join(self.job, part))
        self.config_map = "reset-config-" + name
        self.pods = ["%s-worker-%d" % (name, i) for i in (0, 1)]

    def start(self):
        self.cluster.create({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": self.config_map, "labels": {"reset": "true"}},
                             "data": {"reset.json": FRESH, "checkCode": "of another time", "restartType": "kept"}})
        self.port = free_port()
        for node in (0, 1):
            self.start_pod(node)

    def start_pod(self, node, name=None):
        # The save of a graceful exit is named by the device: on one file server two pods would write one file.
        trainer = ("%s/rankdeck-demo-trainer --out %s/ckpt --graceful /user/restore/reset/config/reset.json --epochs 1000 --steps 100 "
                   "--step-seconds 0.2 --save-steps 20 --keep 5 --seed 1 --collective-seconds 60 --build-seconds 300" % (self.bin, self.job))
        ranks = "".join("RANK_ID=%d DEVICE_ID=%d %s --device %d >%s/log/worker_%d.log 2>&1 & " % (r, r % 2, trainer, r, self.job, r)
                        for r in (2 * node, 2 * node + 1))
        script = ("export RANK_SIZE=4 MS_ENABLE_GRACEFUL_EXIT=1 MS_SCHED_HOST=127.0.0.1 MS_SCHED_PORT=%d; %s wait; %s" %
                  (self.port, ranks, self.after))
        self.cluster.pod(name or self.pods[node], script, mounts=[self.bin, self.job], config_map=self.config_map,
                         labels={"example.com/job": self.name, "example.com/index": str(node)})

    def log(self, rank):
        with open(os.path.join(self.job, "log", "worker_%d.log" % rank), errors="replace") as file:
            return file.read()

    def data(self):
        return self.cluster.get("configmap", self.config_map)["data"]

    def job_file(self, path, user="admin", kubernetes=None, nodes=None):
        with open(path, "w") as file:
            json.dump({
                "rankdeck": 1, "name": self.name, "world_size": 4, "framework": "mindspore", "paths_shared": True,
                "kubernetes": kubernetes or {"kubectl": KUBECTL, "kubeconfig": self.cluster.kubeconfig(user)},
                "nodes": nodes or [{"name": "n%d" % i, "host": "k8s:vcjob/%s:main" % pod, "ranks": [2 * i, 2 * i + 1]}
                                   for i, pod in enumerate(self.pods)] + [{"name": "console", "host": "local", "ranks": []}],
                "logs": {"path": self.job + "/log/worker_{rank}.log"}, "checkpoints": {"path": self.job + "/ckpt/rank_{rank}"},
                "graceful_exit": {"configmap": self.config_map, "config": "/user/restore/reset/config/reset.json",
                                  "saves": self.job + "/ckpt/rank_{rank}/LeNet5_train.ckpt"}, "steps_per_epoch": 100}, file)
        return path


def on_private_cluster(prefix, scenes, more_options=lambda parser: None):
    """The frame of a test: its command line, a cluster of its own, scenes(options, directory for consoles, cluster)."""
    parser = argparse.ArgumentParser()
    more_options(parser)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--directory")
    parser.add_argument("--keep", action="store_true", help="the cluster stays, for a look by hand")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)
    made = Scratch(options.directory, prefix=prefix, dir="/tmp", stays=True)
    with made as directory:
        cluster = Cluster(os.path.join(directory, "cluster"))
        work = os.path.join(directory, "consoles")
        os.makedirs(work, exist_ok=True)
        try:
            cluster.script("start")
            scenes(options, work, cluster)
        finally:
            if not options.keep:
                end_all(work)
                end_all(os.path.join(cluster.directory, "jobs"))     # processes that consoles have launched on this machine
                cluster.script("stop")
                made.stays = False  # nothing of this machine is mounted below it any more
    print("all passed", flush=True)
