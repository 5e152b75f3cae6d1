# SPDX-License-Identifier: GPL-3.0-or-later
"""A training of four ranks in two pods of a vcjob, started from the YAML of MindX DL's documentation in the form that operators
use. It has comments, ConfigMaps next to the job, policies that restart, a preStop for an emergency checkpoint, and shared memory. A
script waits for the rank table and starts the ranks of a pod. volcano_stand_in.py makes the pods and the table."""
import json
import os
import subprocess
import sys

from private_kubernetes import FRESH, HERE, KUBECTL, free_port

YAML = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: rings-config-{name}          # must match metadata.name of the job below
  namespace: vcjob
  labels:
    ring-controller.atlas: ascend-910
data:
  hccl.json: |
    {{
        "status":"initializing"
    }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: fault-config-{name}
  namespace: vcjob
data:
  fault-npus: |
    {{
        "status":"initializing"
    }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: reset-config-{name}          # the device plugin copies it to the node
  namespace: vcjob
  labels:
    reset: "true"
data:
  reset.json: |
    {fresh}
  checkCode: of another time
---
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata:
  name: {name}                       # must be consistent with the names of the ConfigMaps
  namespace: vcjob                   # the same for ConfigMaps and job
  labels:
    ring-controller.atlas: ascend-910
    fault-scheduling: "force"
spec:
  minAvailable: 1
  schedulerName: volcano
  policies:
  - event: PodEvicted
    action: RestartJob
  plugins:
    ssh: []
    env: []
    svc: []
  maxRetry: 3
  queue: default
  tasks:
  - name: worker
    replicas: 2
    template:
      metadata:
        labels: {{app: {name}, ring-controller.atlas: ascend-910}}
      spec:
        restartPolicy: Never
        terminationGracePeriodSeconds: 5
        containers:
        - name: main
          image: localhost/host:1
          imagePullPolicy: Never
          command: ["/bin/sh", "-c", "cd {job} && exec sh ./train_start.sh"]
          #args: [ "while true; do sleep 30000; done;" ]   # for a look by hand
          lifecycle:                 # for the dying gasp
            preStop:
              exec:
                command: ["/bin/sh", "-c", "cd {job} && sh ./pre_stop.sh"]
          resources:
            requests:
              huawei.com/Ascend910: 2
            limits:
              huawei.com/Ascend910: 2   # the same as in requests
          volumeMounts:
          - {{name: usr, mountPath: /usr, readOnly: true}}
          - {{name: programs, mountPath: {programs}, readOnly: true}}
          - {{name: job, mountPath: {job}}}
          - {{name: rings, mountPath: /user/serverid/devindex/config}}
          - {{name: reset, mountPath: /user/restore/reset/config}}
          - {{name: scratch, mountPath: /scratch}}
          - {{name: shm, mountPath: /dev/shm}}
        volumes:
        - {{name: usr, hostPath: {{path: /usr}}}}
        - {{name: programs, hostPath: {{path: {programs}}}}}
        - {{name: job, hostPath: {{path: {job}}}}}
        - {{name: rings, configMap: {{name: rings-config-{name}}}}}
        - {{name: reset, configMap: {{name: reset-config-{name}}}}}
        - {{name: scratch, emptyDir: {{sizeLimit: 4Mi}}}}
        - {{name: shm, emptyDir: {{medium: Memory, sizeLimit: 64Mi}}}}
"""

START = """\
table=/user/serverid/devindex/config/hccl.json
until grep -q '"status": *"completed"' $table; do sleep 1; done
export RANK_TABLE_FILE=$table RANK_SIZE=4 MS_ENABLE_GRACEFUL_EXIT=1
for device in 0 1; do
    rank=$((VC_TASK_INDEX * 2 + device))
    RANK_ID=$rank DEVICE_ID=$device {trainer} --device $rank >log/worker_$rank.log 2>&1 &
done
wait
"""

PRE_STOP = "pkill -15 -f rankdeck-demo-trainer\n"


class StandIn:
    """The controller, for as long as the cluster runs."""

    def __init__(self, cluster, tables=True):
        cluster.kubectl("apply", "--filename=" + os.path.join(HERE, "vcjob.crd.yaml"))
        with open(os.path.join(cluster.directory, "log", "volcano_stand_in.log"), "w") as log:
            self.process = subprocess.Popen([sys.executable, os.path.join(HERE, "volcano_stand_in.py"), KUBECTL, cluster.kubeconfig("admin")] +
                                            ([] if tables else ["--no-tables"]),
                                            stdout=log, stderr=log)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


class VcTraining:
    """The job's directory is on this machine, like that of a file server: the pods and the console see the same files."""

    def __init__(self, cluster, name, programs, step_seconds=0.2, save_steps=20):
        self.cluster, self.name, self.programs = cluster, name, programs
        self.job = os.path.join(cluster.directory, "jobs", name)
        for part in ("log", "ckpt"):
            os.makedirs(os.path.join(self.job, part))
        self.config_map = "reset-config-" + name
        self.pods = ["%s-worker-%d" % (name, index) for index in (0, 1)]
        self.yaml = os.path.join(self.job, "vcjob.yaml")
        self.port = free_port()
        self.trainer = ["%s/rankdeck-demo-trainer" % programs, "--out", self.job + "/ckpt", "--graceful", "/user/restore/reset/config/reset.json",
                        "--epochs", "1000", "--steps", "100", "--step-seconds", str(step_seconds), "--save-steps", str(save_steps), "--keep", "5", "--seed", "1",
                        "--collective-seconds", "60", "--build-seconds", "300", "--host", "127.0.0.1", "--port", str(self.port)]
        with open(self.yaml, "w") as file:
            file.write(YAML.format(name=name, fresh=FRESH, job=self.job, programs=programs))
        with open(os.path.join(self.job, "train_start.sh"), "w") as file:
            file.write(START.format(trainer=" ".join(self.trainer)))
        with open(os.path.join(self.job, "pre_stop.sh"), "w") as file:
            file.write(PRE_STOP)

    def start(self):
        self.cluster.kubectl("create", "--filename=" + self.yaml)

    def log(self, rank):
        path = os.path.join(self.job, "log", "worker_%d.log" % rank)
        if not os.path.exists(path):
            return ""
        with open(path, errors="replace") as file:
            return file.read()

    def object(self):
        return json.loads(self.cluster.kubectl("get", "vcjob", self.name, "--output=json"))

    def phase(self):
        return self.cluster.kubectl("get", "vcjob", self.name, "--ignore-not-found", "--output=jsonpath={.status.state.phase}")

    def data(self):
        return self.cluster.get("configmap", self.config_map)["data"]

    def end(self):
        self.cluster.kubectl("delete", "vcjob", self.name, "--ignore-not-found")
        self.cluster.kubectl("delete", "pods", "--selector=volcano.sh/job-name=" + self.name, "--timeout=120s")

    def described(self, user="actor"):
        """The job file as an operator writes it by hand."""
        return {
            "rankdeck": 1, "name": self.name, "world_size": 4, "framework": "mindspore", "paths_shared": True,
            "kubernetes": {"kubectl": KUBECTL, "kubeconfig": self.cluster.kubeconfig(user)},
            "nodes": [{"name": pod, "host": "k8s:vcjob/%s:main" % pod, "ranks": [2 * i, 2 * i + 1]} for i, pod in enumerate(self.pods)] +
                     [{"name": "console", "host": "local", "ranks": []}],
            "logs": {"path": self.job + "/log/worker_{rank}.log"}, "checkpoints": {"path": self.job + "/ckpt/rank_{rank}"},
            "graceful_exit": {"configmap": self.config_map, "config": "/user/restore/reset/config/reset.json",
                              "saves": self.job + "/ckpt/rank_{rank}/LeNet5_train.ckpt"},
            "launch": {"recipe": "volcano", "submit_on": "console", "workdir": self.job, "command": self.trainer + ["--device", "{rank}", "--resume", "{checkpoint}"],
                       "env": {"MS_ENABLE_GRACEFUL_EXIT": "1"},
                       "volcano": {"file": self.yaml}},
            "steps_per_epoch": 100}
