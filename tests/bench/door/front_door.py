#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""From ticked hosts to a watched job, and to a proven resume, in the real window with real clicks (bench_door).

    front_door.py BUILD_DIR [--job demo|mindspore --python PYTHON] [--hosts 128 --of 4 --delay 40]

Without --hosts: a job that really trains on two private sshd's, the demo's or MindSpore's LeNet. Two hosts are ticked, and the job
is watched, stopped, and resumed until that is proven. With --hosts, as root: so many machines, each with its own sshd, processes
and boot, behind links whose round trip takes --delay ms. There is a job on each --of of them. Prints seconds to the first and to all
cards.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path[:0] = [os.path.join(HERE, "..", "fleet"), os.path.join(ROOT, "packaging", "mindspore")]

from links import Way      # noqa: E402
from machines import Job, Machine   # noqa: E402

SAMPLE = os.path.join(ROOT, "tests/data/mindspore/ckpt/2.0.0/append_info/rank_0")


def door(build, state, config, hosts, *more):
    """The window without a display and without any user's settings."""
    home = os.path.join(state, "home")
    os.makedirs(os.path.join(home, ".ssh"))
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8", HOME=home, XDG_CONFIG_HOME=home + "/config")
    code = subprocess.run([os.path.join(build, "bin", "bench_door"), "--ssh-config", config, "--state-dir", os.path.join(state, "state"),
                           *more, *hosts], env=environment, stdin=subprocess.DEVNULL).returncode
    print("load %.0f" % os.getloadavg()[0])
    return code


def with_demo(build, state):
    demo = subprocess.Popen([os.path.join(build, "bin", "rankdeckctl"), "--json", "demo"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        told = json.loads(demo.stdout.readline())
        return door(build, state, told["ssh_config"], [node["host"] for node in told["nodes"]], "--resume", told["directory"], "--patience", "45")
    finally:
        demo.terminate()
        demo.wait()


def with_mindspore(build, state, python):
    job = subprocess.Popen([sys.executable, os.path.join(ROOT, "packaging/mindspore/job.py"), os.path.join(state, "job"), python],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    try:
        with open(job.stdout.readline().strip()) as file:
            told = json.load(file)
        log = os.path.join(state, "job")
        input_ready(told, log)
        return door(build, state, told["ssh_config"], [node["host"] for node in told["nodes"]], "--resume", log, "--patience", "300")
    finally:
        job.terminate()
        job.wait()


def input_ready(told, directory):
    """The job already runs when the hosts are ticked: each rank has a loss line."""
    import time
    pattern = os.path.join(directory, told["logs"]["path"])
    for node in told["nodes"]:
        for rank in node["ranks"]:
            path = pattern.replace("{rank}", str(rank)).replace("{node}", node["name"])
            while not os.path.exists(path) or "loss is" not in open(path, errors="replace").read():
                time.sleep(0.5)


def with_many(build, state, hosts, of, delay):
    keys = os.path.join(state, "ssh")
    Way.make_keys(keys)
    jobs, machines = [], {}
    try:
        for first in range(0, hosts, of):
            jobs.append(Job(os.path.join(state, "job%d" % len(jobs)), 2 * of, SAMPLE))
            for at in range(first, min(hosts, first + of)):
                machines["node%d" % at] = Machine(os.path.join(state, "node%d" % at), keys, jobs[-1], [2 * (at - first), 2 * (at - first) + 1])
        for machine in machines.values():
            machine.ready()
        way = Way(keys, {name: machine.port for name, machine in machines.items()}, delay / 1000)
        print("%d machines, %d jobs, round trip %d ms" % (hosts, len(jobs), delay), flush=True)
        return door(build, state, way.config, list(machines), "--jobs", str(len(jobs)))
    finally:
        for machine in machines.values():
            machine.end()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build")
    options.add_argument("--job", choices=("demo", "mindspore"), default="demo")
    options.add_argument("--python", default="python3", help="one that has MindSpore")
    options.add_argument("--hosts", type=int, default=0)
    options.add_argument("--of", type=int, default=4)
    options.add_argument("--delay", type=float, default=0)
    asked = options.parse_args()
    state = tempfile.mkdtemp(prefix="rankdeck-door-")
    try:
        if asked.hosts:
            return with_many(asked.build, state, asked.hosts, asked.of, asked.delay)
        if asked.job == "mindspore":
            return with_mindspore(asked.build, state, asked.python)
        return with_demo(asked.build, state)
    finally:
        shutil.rmtree(state, ignore_errors=True)


sys.exit(main())
