#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cost of the probe on a node: CPU share and resident memory, idle and with every followed file growing.

usage: probe_cost.py [SECONDS [FILES [PYTHON]]]      prints one line per situation
"""
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "probe"))
import probe_client  # noqa: E402


def cpu_seconds(pid):
    with open("/proc/%d/stat" % pid) as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))


def cpu_nanoseconds(pid):
    """Finer than ticks if the kernel provides it; otherwise ticks."""
    try:
        total = 0
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/schedstat" % (pid, task)) as file:
                total += int(file.read().split()[0])
        return total / 1e9
    except OSError:
        return cpu_seconds(pid)


def memory_mb(pid):
    with open("/proc/%d/status" % pid) as file:
        return [int(line.split()[1]) / 1024.0 for line in file if line.startswith("VmRSS")][0]


def measure(name, client, seconds, each_second):
    pid, begin, cpu = client.process.pid, time.monotonic(), cpu_nanoseconds(client.process.pid)
    while time.monotonic() - begin < seconds:
        each_second()
        client.send(probe_client.PING, 0, b"\0" * 8)
        until = time.monotonic() + 1
        while time.monotonic() < until:
            message = client.frame(max(0, until - time.monotonic()))
            if message is not None and message[0] == probe_client.TAIL_DATA:
                client.send(probe_client.CREDIT, 0, (len(message[2])).to_bytes(4, "big"))
    share = (cpu_nanoseconds(pid) - cpu) / (time.monotonic() - begin) * 100
    print("%-42s %.3f %% of a core, %.1f MB resident" % (name, share, memory_mb(pid)))


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    python = sys.argv[3] if len(sys.argv) > 3 else sys.executable
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, "worker_%d.log" % index) for index in range(count)]
        for path in paths:
            with open(path, "w") as file:
                file.write("epoch: 1 step: 1, loss is 2.3025\n" * 100)
        for rank in range(8):
            os.makedirs(os.path.join(folder, "ckpt", "rank_%d" % rank))
            for step in range(5):
                open(os.path.join(folder, "ckpt", "rank_%d" % rank, "net-1_%d.ckpt" % step), "w").close()
        client = probe_client.Client(python)
        tails = [(index + 1, path.encode(), 0, 1 << 18, None) for index, path in enumerate(paths)]
        client.watch(tails)
        time.sleep(2)

        def nothing():
            return None

        def grow():
            for path in paths:
                with open(path, "a") as file:
                    file.write("epoch: 1 step: 2, loss is 2.2025\n")

        measure("%d files, idle" % count, client, seconds, nothing)
        measure("%d files, each grows every second" % count, client, seconds, grow)
        client.watch(tails, [(9999, os.path.join(folder, "ckpt").encode(), 2)], [b"MS_ROLE", b"RANK_ID"])
        measure("the same, with 9 directories and processes", client, seconds, nothing)
        client.close()


if __name__ == "__main__":
    main()
