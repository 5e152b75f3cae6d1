# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulated machines that look separate to a console. Each has its own sshd, processes and boot in namespaces of the kernel (as
root), with idle ranks that have logged and saved. Nothing outside of the given directory is written."""
import os
import shutil
import subprocess
import time

from links import SERVER, free_port

LINE = ("2025-04-07 15:34:%02d,308 - mindformers./output/log[mindformers/core/callback/callback.py:529] - INFO - { Epoch:[  %d/  3], step:[    %d/   10], "
        "loss: %.3f, per_step_time: 500ms, lr: 1.5e-05, overflow cond: False, loss_scale: 65536.0, global_norm: [0.75], train_throughput_per_npu: 171.250T\n")
# In the namespaces: a /proc and a boot of its own, then the ranks, each with the variables of its launcher in its environment.
START = """
mount --bind "$1/boot_id" /proc/sys/kernel/random/boot_id
cd "$2"
for rank in $4; do
    env RANK_ID=$rank DEVICE_ID=$rank RANK_SIZE=$5 MS_ROLE=MS_WORKER MS_WORKER_NUM=$5 MS_SCHED_HOST=10.0.0.1 MS_SCHED_PORT=$6 \\
        MS_ENABLE_GRACEFUL_EXIT=1 MS_NODE_ID=$rank sleep infinity >>"$2/worker_$rank.log" 2>&1 &
done
exec %s -D -f "$1/sshd_config" -E "$1/log"
""" % SERVER


class Job:
    """A directory with logs and checkpoints of ranks. sample: a directory of checkpoints of one rank."""

    def __init__(self, directory, ranks, sample):
        self.directory, self.ranks, self.port = directory, ranks, free_port()
        for rank in range(ranks):
            shutil.copytree(sample, f"{directory}/ckpt/rank_{rank}")
            with open(f"{directory}/worker_{rank}.log", "w") as log:
                for step in range(1, 24):
                    log.write(LINE % (step, (step - 1) // 10 + 1, (step - 1) % 10 + 1, 3 - step / 20 + rank / 100))


class Machine:
    def __init__(self, directory, keys, job, ranks):
        self.port = free_port()
        os.makedirs(directory)
        self.log = os.path.join(directory, "log")
        with open(os.path.join(directory, "boot_id"), "w") as file:
            file.write("%08x-0000-4000-8000-%012x\n" % (os.getpid(), self.port))
        with open(os.path.join(directory, "sshd_config"), "w") as file:
            file.write("ListenAddress 127.0.0.1\nPort %d\nHostKey %s/host\nAuthorizedKeysFile %s/key.pub\nPidFile none\nUsePAM no\n"
                       "StrictModes no\nPasswordAuthentication no\nPermitRootLogin yes\nUseDNS no\nSetEnv HOME=%s\n"
                       % (self.port, keys, keys, directory))
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "/bin/sh", "-c", START, "machine", directory,
             job.directory, "", " ".join(map(str, ranks)), str(job.ranks), str(job.port)], stdin=subprocess.DEVNULL)

    def ready(self):
        while "Server listening" not in (open(self.log).read() if os.path.exists(self.log) else ""):
            if self.process.poll() is not None:
                raise SystemExit("a machine did not start: see " + self.log)
            time.sleep(0.02)

    def end(self):
        self.process.kill()
        self.process.wait()
