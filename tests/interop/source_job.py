# SPDX-License-Identifier: GPL-3.0-or-later
"""A job of tests/sources on two sshd nodes of this machine, started as in its documentation, with a process for each rank. It is
started, killed, then watched, judged and resumed by rankdeckctl."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "packaging", "mindspore"), os.path.join(HERE, "..", "testbed")]
from checks import check, wait_for  # noqa: E402
from job import NODES, Sshd, end_processes, free_port  # noqa: E402
from scratch import Scratch  # noqa: E402


class SourceJob:
    """description: keys of the job file, in addition to those that are the same in all of them."""

    def __init__(self, directory, binaries, source, ranks=4, nodes=NODES):
        self.directory, self.ranks, self.nodes = directory, ranks, nodes
        self.name = os.path.basename(directory)
        for node in self.nodes:
            os.makedirs(self.path(node, "log"))
        for node in self.nodes:
            shutil.copytree(os.path.join(HERE, "..", "sources", source), self.path(node), dirs_exist_ok=True)
        self.port, self.started = free_port(), []
        self.sshds = [Sshd(directory, node) for node in self.nodes]
        with open(self.path("ssh_config"), "w") as file:
            file.write("".join(sshd.client_config(self.path("known_hosts")) for sshd in self.sshds))
        self.words = [os.path.join(binaries, "rankdeckctl"), "--json", "--timeout", "120", "--job", self.path("job.rankdeck.json"),
                      "--state-dir", self.path("state")]

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def node_of(self, rank):
        return self.nodes[rank * len(self.nodes) // self.ranks]

    def log(self, rank):
        return self.path(self.node_of(rank), "log", "rank_%d.log" % rank)

    def describe(self, launch, **more):
        own = self.ranks // len(self.nodes)
        job = {"rankdeck": 1, "name": self.name, "world_size": self.ranks, "ssh_config": self.path("ssh_config"),
               "nodes": [{"name": node, "host": node, "ranks": list(range(i * own, (i + 1) * own))} for i, node in enumerate(self.nodes)],
               "logs": {"path": self.path("{node}", "log", "rank_{rank}.log")},
               "launch": {"workdir": self.path("{node}"), "master_addr": "127.0.0.1", "master_port": self.port, **launch}}
        with open(self.path("job.rankdeck.json"), "w") as file:
            json.dump({**job, **more}, file, indent=2)

    def start(self, command, env):
        """env: variables of a rank, by its number and its place on the node."""
        own = self.ranks // len(self.nodes)
        for rank in range(self.ranks):
            with open(self.log(rank), "wb") as log:
                self.started.append(subprocess.Popen(command(rank), cwd=self.path(self.node_of(rank)), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                     env=dict(os.environ, **env(rank, rank % own))))

    def text(self, rank):
        try:
            with open(self.log(rank), errors="replace") as log:
                return log.read()
        except FileNotFoundError:
            return ""

    def kill(self):
        """The times are set back by a quarter of an hour. Otherwise a console that never saw the ranks waits for a run that has
        just moved. It would also wait for saves that may still be on their way."""
        for node in self.nodes:
            end_processes(self.path(node), self.started)
        then = time.time() - 900
        for folder, _, names in os.walk(self.directory):
            for name in names:
                path = os.path.join(folder, name)
                if folder.startswith(tuple(self.path(node) for node in self.nodes)) and not os.path.islink(path):
                    os.utime(path, (then, os.stat(path).st_mtime - 900))

    def ctl(self, *arguments, codes=(0,)):
        done = subprocess.run(self.words + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out = json.loads(done.stdout)
        except ValueError:
            raise AssertionError("%s: exit code %d\n%s\n%s" % (arguments, done.returncode, done.stdout[-3000:], done.stderr[-3000:]))
        if done.returncode not in codes:
            raise AssertionError("%s: exit code %d\n%s\n%s" % (arguments, done.returncode, json.dumps({k: v for k, v in out.items() if k != "plan"})[-5000:], done.stderr[-2000:]))
        return out

    def resume(self, *arguments):
        out = self.ctl("resume", "--wait", "240", *arguments, codes=(0, 1))
        check(out["outcome"] == "proven" and out["proof"]["continues"], "resumed and proven: " + out["text"])
        return out

    def stop(self):
        for node in self.nodes:
            end_processes(self.path(node), self.started)
        for sshd in self.sshds:
            sshd.stop()


def codes(out):
    return {finding["code"]: finding for finding in out["preflight"]}


def scenes(directory, stories):
    """Runs each (name, job, story); returns 1 if one fails, with the ends of its logs."""
    failed = 0
    for name, make, story in stories:
        print("-- " + name, flush=True)
        job = None
        try:
            job = make(os.path.join(directory, name))
            story(job)
        except AssertionError as error:
            failed = 1
            print("FAILED " + str(error), flush=True)
            for rank in range(job.ranks if job else 0):
                print("--- " + job.log(rank) + "\n" + job.text(rank)[-500:], flush=True)
        finally:
            if job:
                job.stop()
    return failed


def one_story(make, story):
    """Runs a test of one scene: reads its options, makes its folder and its job, and exits with its code."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--mindspore-python", required=True)
    options = parser.parse_args()
    os.environ["PATH"] = os.path.dirname(options.mindspore_python) + ":" + os.environ["PATH"]
    with Scratch(prefix="rankdeck-interop-") as directory:
        sys.exit(scenes(directory, [(story.__name__, make(options), story)]))


__all__ = ["Scratch", "SourceJob", "check", "codes", "end_processes", "one_story", "scenes", "wait_for"]
