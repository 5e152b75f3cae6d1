#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""distributed_directories.py RANKDECKCTL SAMPLE [DIRECTORIES]: judges that many distributed checkpoints. Each is a directory of
links to the files of one real checkpoint (tests/data/torch/dcp/step-100). Prints wall and CPU seconds of the console and of its
child processes.

All are of the step of the sample, whatever their names say: none but that one is VALID, so that every one is read."""
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time


def build(root, sample, count):
    for step in range(1, count + 1):
        directory = os.path.join(root, "step-%d" % step)
        os.makedirs(directory)
        for name in os.listdir(sample):
            os.link(os.path.join(sample, name), os.path.join(directory, name))


def main():
    program, sample = os.path.abspath(sys.argv[1]), sys.argv[2]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 2000
    root = tempfile.mkdtemp(prefix="rankdeck-bench-")
    try:
        own = os.path.join(root, "sample")  # links must be of one file system
        shutil.copytree(sample, own)
        saves = os.path.join(root, "saves")
        build(saves, own, count)
        for _ in range(2):
            before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            subprocess.call([program, "--json", "checkpoints", saves], stdout=subprocess.DEVNULL)
            wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
            print("%d directories: %.2f s, %.2f s of CPU" %
                  (count, wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    finally:
        shutil.rmtree(root)


main()
