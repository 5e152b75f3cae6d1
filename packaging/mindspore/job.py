# SPDX-License-Identifier: GPL-3.0-or-later
"""A real MindSpore job to watch, stop and resume: LeNet on CPU, 4 ranks, two msrun agents on two sshd "nodes".

All files are in one private directory: keys, an ssh config, known hosts, logs, checkpoints, and an ordinary job file.
Each node is an sshd on loopback that runs as the current user. `python3 job.py DIRECTORY PYTHON` starts the job, prints
the job file's path, and cleans up at SIGTERM or Ctrl-C. Tests use the class.

Two msrun on one machine would each treat master_addr as their own and start a scheduler. MindSpore 2.7 gets its
addresses from `ip -j addr`, so the second node's PATH begins with an `ip` that answers "[]".
"""
import getpass
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
NODES = ("node0", "node1")


def free_port():
    """Returns a port below those that the system gives to clients: a job binds it a minute later, and again at each resume."""
    while True:
        port = random.randint(10000, 11999)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def processes_in(directory):
    """Returns all processes with this working directory, including those started by a resume."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            if os.readlink(f"/proc/{name}/cwd") == directory:
                found.append(int(name))
        except OSError:
            continue
    return found


def end_processes(directory, children=(), seconds=30):
    """Sends SIGKILL to all processes in this working directory until none is left; children: Popen objects to reap."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        alive = processes_in(directory)
        for pid in alive:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        for child in children:
            child.poll()
        if not alive:
            return
        time.sleep(0.2)


class Sshd:
    """A private sshd; does not read or write the user's ~/.ssh."""

    def __init__(self, directory, name):
        self.name = name
        self.port = free_port()
        self.directory = os.path.join(directory, "sshd-" + name)
        os.makedirs(self.directory, 0o700)
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.path(key)], check=True)
        shutil.copy(self.path("user.pub"), self.path("authorized_keys"))
        with open(self.path("sshd_config"), "w") as config:
            config.write(f"""Port {self.port}
ListenAddress 127.0.0.1
HostKey {self.path('host')}
AuthorizedKeysFile {self.path('authorized_keys')}
PidFile {self.path('pid')}
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
SetEnv HOME={self.directory}
Subsystem sftp internal-sftp
""")
        if os.getuid() == 0:
            os.makedirs("/run/sshd", 0o755, exist_ok=True)
        with open(self.path("log"), "w") as log:
            self.process = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", self.path("sshd_config")], stderr=log, stdin=subprocess.DEVNULL)

    def path(self, name):
        return os.path.join(self.directory, name)

    def client_config(self, known_hosts):
        with open(self.path("host.pub")) as key:
            kind, blob = key.read().split()[:2]
        with open(known_hosts, "a") as hosts:
            hosts.write(f"[127.0.0.1]:{self.port} {kind} {blob}\n")
        return f"""Host {self.name}
    HostName 127.0.0.1
    Port {self.port}
    User {getpass.getuser()}
    IdentityFile {self.path('user')}
    IdentitiesOnly yes
    IdentityAgent none
    UserKnownHostsFile {known_hosts}
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking yes
"""

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


class Job:
    def __init__(self, directory, python, net="tiny", sleep=0.2, epochs=100000):
        self.directory = os.path.abspath(directory)
        self.python = python
        self.sshds = []
        self.runs = []
        os.makedirs(self.directory, 0o700, exist_ok=True)
        for name in ("train_lenet.py", "cpu_graceful_exit.py"):
            shutil.copy(os.path.join(HERE, name), self.directory)
        fake = os.path.join(self.directory, "fake")
        os.makedirs(fake, exist_ok=True)
        with open(os.path.join(fake, "ip"), "w") as script:
            script.write('#!/bin/sh\necho "[]"\n')
        os.chmod(os.path.join(fake, "ip"), 0o755)
        for node in NODES:
            os.makedirs(os.path.join(self.directory, node), 0o700, exist_ok=True)
            with open(self.config(node), "w") as config:
                config.write('{\n  "GracefulExit": 0,\n  "kept": "as it is"\n}\n')
        venv = os.path.dirname(python)
        base = venv + ":" + "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
        self.paths = {"node0": base, "node1": fake + ":" + base}
        self.port = free_port()
        self.script = ["train_lenet.py", "--net", net, "--out", "ckpt", "--epochs", str(epochs), "--sleep", str(sleep),
                       "--graceful", os.path.join(self.directory, "{node}", "graceful.json"), "--graceful-dir", "{node}"]
        self.job_file = os.path.join(self.directory, "lenet.rankdeck.json")

    def config(self, node):
        return os.path.join(self.directory, node, "graceful.json")

    def log(self, rank):
        return os.path.join(self.directory, NODES[rank // 2], "log", f"worker_{rank}.log")

    def start_nodes(self):
        self.sshds = [Sshd(self.directory, node) for node in NODES]
        known_hosts = os.path.join(self.directory, "known_hosts")
        config = "".join(sshd.client_config(known_hosts) for sshd in self.sshds)
        with open(os.path.join(self.directory, "ssh_config"), "w") as file:
            file.write(config)

    def start(self):
        self.start_nodes()
        with open(self.job_file, "w") as file:
            json.dump(self.description(), file, indent=2)
        for index, node in enumerate(NODES):
            self.runs.append(self.launch(index, node))
        return self.job_file

    def description(self):
        here = self.directory
        return {
            "rankdeck": 1, "name": "lenet-" + os.path.basename(here), "world_size": 4, "framework": "mindspore",
            "nodes": [{"name": node, "host": node, "ranks": [2 * i, 2 * i + 1], "env": {"PATH": self.paths[node]}}
                      for i, node in enumerate(NODES)],
            "paths_shared": False,
            "logs": {"path": here + "/{node}/log/worker_{rank}.log", "launcher": here + "/{node}/msrun.out"},
            "checkpoints": {"path": here + "/ckpt/rank_{rank}", "prefix": "lenet"},
            "graceful_exit": {"config": here + "/{node}/graceful.json", "saves": here + "/{node}/rank_{rank}/LeNet5_train.ckpt"},
            "steps_per_epoch": 10,
            "ssh_config": os.path.join(here, "ssh_config"),
            "launch": {"recipe": "msrun", "workdir": here, "command": self.script + ["--resume", "{checkpoint}"],
                       "env": {"MS_ENABLE_GRACEFUL_EXIT": "1"}, "master_addr": "127.0.0.1", "master_port": self.port},
        }

    def launch(self, index, node):
        """Starts one msrun per node, each with its own output file, as an operator's start script does."""
        environment = dict(os.environ, PATH=self.paths[node], MS_ENABLE_GRACEFUL_EXIT="1")
        arguments = ["msrun", "--worker_num=4", "--local_worker_num=2", f"--node_rank={index}", "--master_addr=127.0.0.1",
                     f"--master_port={self.port}", f"--log_dir={node}/log", "--join=True", "--cluster_time_out=120"]
        with open(os.path.join(self.directory, node, "msrun.out"), "w") as output:
            msrun = os.path.join(os.path.dirname(self.python), "msrun")
            return subprocess.Popen([self.python, msrun] + arguments[1:] + [word.replace("{node}", node) for word in self.script],
                                    cwd=self.directory, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)

    def stop(self):
        end_processes(self.directory, self.runs)
        for sshd in self.sshds:
            sshd.stop()


def main():
    directory, python = sys.argv[1:3]
    shutil.rmtree(directory, ignore_errors=True)
    job = Job(directory, python)
    ended = []
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: ended.append(True))
    try:
        print(job.start(), flush=True)
        parent = os.getppid()
        while not ended and os.getppid() == parent:
            time.sleep(0.2)
    finally:
        job.stop()


if __name__ == "__main__":
    main()
