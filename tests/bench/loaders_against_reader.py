#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""loaders_against_reader.py BENCH_CHECKPOINTS [MEGABYTES]: judging one file to L3 through the probe against the framework's own loader.

Run it with a Python that has mindspore and safetensors. One file of each format is written by its own library; the figures are the best of three, as
seconds and as ratios. mindspore.load_checkpoint reads every byte; safe_open of all keys reads the header, get_tensor of all of them every byte."""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy
import mindspore
from safetensors import safe_open
from safetensors.numpy import save_file

PARTS = 64


def best(work):
    least = None
    for _ in range(3):
        begin = time.perf_counter()
        work()
        taken = time.perf_counter() - begin
        least = taken if least is None else min(least, taken)
    return least


def judged(program, path):
    return json.loads(subprocess.check_output([program, "--read", path]))


def report(what, ours, peers):
    print("%s: judged in %.1f ms, %d bytes in %d round trips, %d tensors" % (what, ours["seconds"] * 1e3, ours["bytes"], ours["trips"], ours["tensors"]))
    for name, taken in peers.items():
        print("    %-28s %9.1f ms, %.1f times" % (name, taken * 1e3, taken / ours["seconds"]))


def all_keys(path, values):
    with safe_open(path, framework="numpy") as file:
        for key in file.keys():
            if values:
                file.get_tensor(key)
            else:
                file.get_slice(key).get_shape()


def main():
    program = os.path.abspath(sys.argv[1])
    megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 512
    side = int((megabytes * 1e6 / PARTS / 2 / 4) ** 0.5)
    generator = numpy.random.default_rng(1)
    arrays = {}
    for part in range(PARTS):
        for start in ("", "moments."):
            arrays["%slayers.%d.weight" % (start, part)] = generator.random((side, side), dtype=numpy.float32) + 0.5
    with tempfile.TemporaryDirectory(prefix="rankdeck-bench-") as root:
        ckpt = os.path.join(root, "net-1_1.ckpt")
        mindspore.save_checkpoint([{"name": name, "data": mindspore.Tensor(array)} for name, array in arrays.items()], ckpt)
        report("MindSpore .ckpt, %d MB" % (os.path.getsize(ckpt) // 1000000), judged(program, ckpt),
               {"mindspore.load_checkpoint": best(lambda: mindspore.load_checkpoint(ckpt))})
        os.chmod(ckpt, 0o600)
        os.remove(ckpt)
        path = os.path.join(root, "net-1_1.safetensors")
        save_file(arrays, path)
        report("safetensors, %d MB" % (os.path.getsize(path) // 1000000), judged(program, path),
               {"safe_open, all shapes": best(lambda: all_keys(path, False)), "safe_open, all values": best(lambda: all_keys(path, True))})


main()
