# SPDX-License-Identifier: GPL-3.0-or-later
"""A real private Slurm on loopback: one slurmctld and a few slurmd as the calling user. All state is below one directory, without
munge and root. Several can run at once."""
import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from ports import SLURM, free_ports
from scratch import Scratch

CONF = """ClusterName=rankdeck
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
SlurmctldPort={port}
StateSaveLocation={d}/state
SlurmdSpoolDir={d}/spool/%n
SlurmctldPidFile={d}/run/slurmctld.pid
SlurmdPidFile={d}/run/slurmd-%n.pid
SlurmctldLogFile={d}/log/slurmctld.log
SlurmdLogFile={d}/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
SlurmctldTimeout=60
SlurmdTimeout=60
TCPTimeout=10
MessageTimeout=60
JobRequeue=1
{nodes}
PartitionName=debug Nodes=n[0-{last}] Default=YES MaxTime=INFINITE State=UP
"""


class PrivateSlurm:
    def __init__(self, directory, nodes=2, cpus=2):
        self.directory, self.nodes = directory, nodes
        for name in ("state", "log", "run", "spool"):
            os.makedirs(os.path.join(directory, name))
        host, port = socket.gethostname().split(".")[0], free_ports(SLURM, nodes + 1)
        lines = ["NodeName=n%d NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=%d State=UNKNOWN" % (i, host, port + 1 + i, cpus)
                 for i in range(nodes)]
        self.conf = os.path.join(directory, "slurm.conf")
        with open(self.conf, "w") as conf:
            conf.write(CONF.format(host=host, user=getpass.getuser(), port=port, d=directory, nodes="\n".join(lines), last=nodes - 1))
        self.env = dict(os.environ, SLURM_CONF=self.conf, PATH=os.environ["PATH"] + ":/usr/sbin:/usr/bin")

    def run(self, *words, check=True):
        done = subprocess.run(words, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        if check and done.returncode != 0:
            raise AssertionError("%s: exit code %d\n%s%s" % (" ".join(words), done.returncode, done.stdout, done.stderr))
        return done.stdout.strip()

    def daemon(self, *words):
        """The output is not a pipe: a daemon that keeps its output open would block the reader for ever."""
        with open(os.path.join(self.directory, "log", "start.log"), "ab") as log:
            code = subprocess.call(words, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        if code != 0:
            raise AssertionError("%s: exit code %d\n%s" % (" ".join(words), code, self.log()))

    def start(self):
        self.daemon("slurmctld", "-c", "-f", self.conf)
        for i in range(self.nodes):
            self.daemon("slurmd", "-c", "-N", "n%d" % i, "-f", self.conf)
        deadline = time.monotonic() + 120
        while self.run("sinfo", "-h", "-t", "idle", "-o", "%D", check=False) != str(self.nodes):
            if time.monotonic() > deadline:
                raise AssertionError("the private Slurm is not ready:\n" + self.run("sinfo", check=False) + self.log())
            time.sleep(0.2)  # wait: poll

    def log(self):
        text = ""
        for name in sorted(os.listdir(os.path.join(self.directory, "log"))):
            with open(os.path.join(self.directory, "log", name), errors="replace") as log:
                text += "--- %s\n%s" % (name, "".join(log.readlines()[-8:]))
        return text

    def pids(self):
        """slurmd first, slurmctld last."""
        folder, pids = os.path.join(self.directory, "run"), []
        for name in sorted(os.listdir(folder), reverse=True):
            with open(os.path.join(folder, name)) as file:
                text = file.read().strip()
            if text:
                pids.append(int(text))
        return pids

    @staticmethod
    def gone(pid):
        try:
            with open("/proc/%d/status" % pid) as status:
                return "\nState:\tZ" in status.read()
        except OSError:
            return True

    def stop(self):
        self.run("scancel", "--quiet", "--user=" + getpass.getuser(), check=False)
        deadline = time.monotonic() + 60
        while self.run("squeue", "-h", "-o", "%i", check=False) and time.monotonic() < deadline:
            time.sleep(0.2)  # wait: poll
        for pid in self.pids():
            for number in (signal.SIGTERM, signal.SIGKILL):
                try:
                    os.kill(pid, number)
                except ProcessLookupError:
                    break
                until = time.monotonic() + 60
                while not self.gone(pid) and time.monotonic() < until:
                    time.sleep(0.05)  # wait: poll
                if self.gone(pid):
                    break


def own_processes():
    """The start of a command that sees no process of the machine: another test's program may look like a rank that this user cannot
    inspect. The shell is the first process there and reaps those whose parents have ended. Empty if name spaces are forbidden."""
    words = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    allowed = subprocess.call(words + ["true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    return words + ["/bin/sh", "-c", '"$@"; exit $?', "sh"] if allowed else []


def as_plain_user(script, binaries, programs):
    """Runs a script as a user without rights, with copies that this user can read, and exits with its code: Slurm needs no root."""
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory(prefix="rankdeck-slurm-") as directory, Scratch(prefix="rankdeck-slurm-") as home:
        modules = [os.path.join(here, name + ".py") for name in ("private_slurm", "checks", "scratch", "ports", "same_job", "secrets_at_rest")]
        for source in [os.path.join(binaries, name) for name in programs] + [script] + modules:
            shutil.copy(source, directory)
        os.chmod(directory, 0o755)
        os.chown(home, 65534, 65534)
        # Files of a failed script stay in home and are kept from here: that user cannot write to RANKDECK_KEEP.
        env = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home, "TMPDIR": home, "RANKDECK_KEEP": home, "LC_ALL": "C.UTF-8",
               "USER": "nobody", "LOGNAME": "nobody"}
        words = own_processes() + ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3"]
        sys.exit(subprocess.call(words + [os.path.join(directory, os.path.basename(script)), "--bin", directory], env=env, cwd=home))
