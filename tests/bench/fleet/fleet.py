#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fleet of simulated nodes with real files, and the cost of a console that follows it.

    fleet.py PROGRAM SAMPLE.ckpt [--nodes 128] [--ranks 8] [--seconds 30] [--save 50] [--keep 5]
                                    [--over local|ssh] [--delay MS] [--fault KIND:WHICH@SECOND …] [--minimised]

PROGRAM is build/release/bin/rankdeck or rankdeckctl (`watch`, its lines discarded). The window is drawn offscreen, or with
--minimised on a display of its own: Xvfb, openbox, xdotool. Every node is a local probe. With
--over ssh it is a login at a real sshd, behind a proxy that makes the round trip --delay longer. Every rank writes one loss
line a second in MindSpore's format and saves a checkpoint every --save seconds, of which --keep stay. Faults come the given
seconds after the console's start. They are silent:RANK (its log stops growing), nan:RANK, torn:RANK (its saves are cut short),
cut:NODE and join:NODE (its number; over ssh).
Prints seconds and CPU to the first complete answer (`rankdeckctl status` of the same fleet). Then it prints CPU of the console
as a share of one core and its memory, also for each node, while it follows. With faults it also prints `rankdeckctl status` at
the end. There are no rank processes, so that the job looks like one whose ranks are hidden.
"""
import argparse
import json
import os
import resource
import shutil
import struct
import subprocess
import tempfile
import threading
import time

from links import SshLinks

STEPS_PER_EPOCH = 1000


def patched(data, tag, value):
    """The value of the last record of this name, which is an Int64."""
    at = data.find(b"\x1a\x08", data.rfind(tag)) + 2
    return data[:at] + struct.pack("<q", value) + data[at + 8:]


class Fleet:
    def __init__(self, root, sample, nodes, ranks, save, keep, over):
        self.root, self.save, self.keep = root, save, keep
        self.world = nodes * ranks
        with open(sample, "rb") as file:
            self.sample = file.read()
        self.saved, self.step, self.ended = [], 0, threading.Event()
        self.silent, self.nan, self.torn = set(), set(), set()  # ranks
        self.homes = ["%s/node%d/rank_%d" % (root, rank // ranks, rank) for rank in range(self.world)]
        for home in self.homes:
            os.makedirs(home)
        self.logs = [open("%s/worker_%d.log" % (root, rank), "a") for rank in range(self.world)]
        self.job = os.path.join(root, "job.json")
        with open(self.job, "w") as file:
            json.dump({"rankdeck": 1, "name": "fleet", "framework": "mindspore",
                       "nodes": [{"name": "node%d" % node, "host": "local" if over == "local" else "node%d" % node,
                                  "ranks": list(range(node * ranks, (node + 1) * ranks))} for node in range(nodes)],
                       "logs": {"path": root + "/worker_{rank}.log"},
                       "steps_per_epoch": STEPS_PER_EPOCH,
                       "checkpoints": {"path": root + "/{node}/rank_{rank}"}}, file)
        self.write(200)
        self.save_all()

    def write(self, steps):
        first = self.step + 1
        self.step += steps
        for rank, log in enumerate(self.logs):
            if rank in self.silent:
                continue
            for step in range(first, self.step + 1):
                loss = float("nan") if rank in self.nan else 2 + 1 / (step + rank)
                log.write("epoch: %d step: %d, loss is %.6f\n" % ((step - 1) // STEPS_PER_EPOCH + 1,
                                                                (step - 1) % STEPS_PER_EPOCH + 1, loss))
            log.flush()

    def save_all(self):
        epoch, step = (self.step - 1) // STEPS_PER_EPOCH + 1, (self.step - 1) % STEPS_PER_EPOCH + 1
        content = patched(patched(self.sample, b"epoch_num", epoch), b"step_num", self.step)
        name = "lenet-%d_%d.ckpt" % (epoch, step)
        for rank, home in enumerate(self.homes):
            with open("%s/.%s" % (home, name), "wb") as file:
                file.write(content[:len(content) // 2] if rank in self.torn else content)
            os.rename("%s/.%s" % (home, name), "%s/%s" % (home, name))
        self.saved.append(name)
        if len(self.saved) > self.keep:
            old = self.saved.pop(0)
            for home in self.homes:
                os.unlink("%s/%s" % (home, old))

    def run(self):
        next_save = time.monotonic() + self.save
        while not self.ended.wait(1):
            self.write(1)
            if time.monotonic() > next_save:
                next_save += self.save
                self.save_all()


class Display:
    """An X display with a window manager, on which windows can be minimised."""

    def __init__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1920x1080x24"], pass_fds=[write],
                                       stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as number:
            self.environment = dict(os.environ, DISPLAY=":" + number.readline().strip(), QT_QPA_PLATFORM="xcb")
        self.manager = subprocess.Popen(["openbox"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def minimise(self, pid):
        found = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--pid", str(pid)], env=self.environment,
                               stdout=subprocess.PIPE, check=True).stdout.split()
        for window in found:   # unknown to the window manager: cannot be minimised
            subprocess.run(["xdotool", "windowminimize", window], env=self.environment, stderr=subprocess.DEVNULL)
        still = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(pid)], env=self.environment, stdout=subprocess.PIPE)
        if still.stdout.split():
            raise SystemExit("the window could not be minimised")

    def end(self):
        for process in (self.manager, self.server):
            process.terminate()
            process.wait()


def inject(fleet, links, faults):
    """Applies each fault at its second, counted from now."""
    begun = time.monotonic()
    for second, kind, which in sorted((int(at), *what.split(":")) for what, at in (fault.split("@") for fault in faults)):
        time.sleep(max(0, begun + second - time.monotonic()))
        if kind in ("cut", "join"):
            (links.proxy.cut_off if kind == "cut" else links.proxy.join)("node" + which)
        else:
            getattr(fleet, kind).add(int(which))


def cpu_seconds(pid):
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(pid):
    with open("/proc/%d/status" % pid) as file:
        return int(next(line for line in file if line.startswith("VmRSS")).split()[1]) // 1024


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("sample")
    for name, value in (("nodes", 128), ("ranks", 8), ("seconds", 30), ("save", 50), ("keep", 5), ("settle", 20)):
        options.add_argument("--" + name, type=int, default=value)
    options.add_argument("--over", choices=("local", "ssh"), default="local")
    options.add_argument("--delay", type=float, default=0, help="milliseconds of a round trip, over ssh")
    options.add_argument("--fault", action="append", default=[])
    options.add_argument("--minimised", action="store_true")
    asked = options.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65536), hard))
    root = tempfile.mkdtemp(prefix="rankdeck-fleet-")
    program = os.path.abspath(asked.program)
    ctl = os.path.join(os.path.dirname(program), "rankdeckctl")
    display = Display() if asked.minimised else None
    links = SshLinks(root, ["node%d" % node for node in range(asked.nodes)], asked.delay / 1000) if asked.over == "ssh" else None
    reach = ["--ssh-config", links.config] if links else []
    environment = display.environment if display else dict(os.environ, QT_QPA_PLATFORM="offscreen")
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        fleet = Fleet(root, asked.sample, asked.nodes, asked.ranks, asked.save, asked.keep, asked.over)
        state = os.path.join(root, "state")
        begun = time.monotonic()
        status = [ctl, "--json", *reach, "--state-dir", state + "-look", "--timeout", "300", "status", "--job", fleet.job]
        children = os.times()
        looked = subprocess.run(status, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = time.monotonic() - begun
        used = os.times()
        newest = json.loads(looked.stdout)["newest_valid"] if looked.stdout else looked.stderr
        print("first look: %.1f s, %.1f s of CPU with its local probes, newest VALID %s; load %.0f" %
              (first, used.children_user + used.children_system - children.children_user - children.children_system, newest,
               os.getloadavg()[0]), flush=True)
        writer = threading.Thread(target=fleet.run, daemon=True)
        writer.start()
        argv = [program, *reach, "--state-dir", state]
        argv += ["watch", "--job", fleet.job, "--for", "100000"] if program.endswith("ctl") else [fleet.job]
        console = subprocess.Popen(argv, env=environment, **quiet)
        if asked.fault:
            threading.Thread(target=inject, args=(fleet, links, asked.fault), daemon=True).start()
        time.sleep(max(asked.settle, 2 * first))
        if display:
            display.minimise(console.pid)
            time.sleep(5)
        print("pid %d" % console.pid, flush=True)
        before, at, step = cpu_seconds(console.pid), time.monotonic(), fleet.step
        time.sleep(asked.seconds)
        taken, passed = cpu_seconds(console.pid) - before, time.monotonic() - at
        print("%d nodes × %d ranks over %s, %.2f lines a rank and second: %.1f %% of a core, %d MB, %.0f KiB a node; load %.0f" %
              (asked.nodes, asked.ranks, asked.over, (fleet.step - step) / passed, 100 * taken / passed, megabytes(console.pid),
               1024 * megabytes(console.pid) / asked.nodes, os.getloadavg()[0]))
        if asked.fault:
            subprocess.run([word for word in status if word != "--json"])
        console.terminate()
        console.wait()
        fleet.ended.set()
        writer.join()
    finally:
        if links:
            links.end()
        if display:
            display.end()
        shutil.rmtree(root, ignore_errors=True)


main()
