#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""directory_of_10000.py RANKDECKCTL SAMPLE.ckpt [FILES]: judges a directory of many real checkpoints, and prints seconds and ratios. It
runs once with a VALID newest set. It runs once more without any VALID set, so that all of them are read and judged one after the other.

The peers of the ratios are measured in the same run: `find -ls` of the same directory, and Python opening every file to read 4 kB.
Files are hard links to copies of one sample (one per rank and step). So the directory has as many names as on a node."""
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

RANKS = 8


def patched(data, tag, value):
    """The value of the last record of this name, which is an Int64."""
    at = data.find(b"\x1a\x08", data.rfind(tag)) + 2
    return data[:at] + struct.pack("<q", value) + data[at + 8:]


def build(root, sample, files, valid):
    steps = max(1, files // RANKS)
    with open(sample, "rb") as file:
        content = file.read()
    if valid:                      # what the newest one's name says
        content = patched(patched(content, b"epoch_num", 1), b"step_num", steps)
    for rank in range(RANKS):
        directory = os.path.join(root, "rank_%d" % rank)
        os.makedirs(directory)
        first = os.path.join(directory, "lenet-1_1.ckpt")
        with open(first, "wb") as file:
            file.write(content)
        for step in range(2, steps + 1):
            path = os.path.join(directory, "lenet-1_%d.ckpt" % step)
            if step % 1000 == 0:   # ext4 has a limit of links to one file
                shutil.copy(first, path)
                first = path
            else:
                os.link(first, path)
    return steps * RANKS


def seconds(work):
    best = None
    for _ in range(3):
        begin = time.perf_counter()
        work()
        taken = time.perf_counter() - begin
        best = taken if best is None else min(best, taken)
    return best


def head_of_all(root):
    for directory, _, names in os.walk(root):
        for name in names:
            with open(os.path.join(directory, name), "rb") as file:
                file.read(4096)


def judged(program, sample, files, valid):
    root = tempfile.mkdtemp(prefix="rankdeck-bench-")
    try:
        count = build(root, sample, files, valid)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        ours = seconds(lambda: subprocess.call([program, "--json", "checkpoints", root], **quiet))
        listed = seconds(lambda: subprocess.check_call(["find", root, "-ls"], **quiet))
        opened = seconds(lambda: head_of_all(root))
        print("%d files, %s: judged in %.2f s; %.1f × find -ls (%.3f s); %.1f × reading 4 kB of each (%.3f s)" %
              (count, "the newest set VALID" if valid else "no set VALID", ours, ours / listed, listed, ours / opened, opened))
    finally:
        shutil.rmtree(root)


def main():
    program, sample = os.path.abspath(sys.argv[1]), sys.argv[2]
    files = int(sys.argv[3]) if len(sys.argv) > 3 else 10000
    for valid in (True, False):
        judged(program, sample, files, valid)


main()
