# SPDX-License-Identifier: GPL-3.0-or-later
"""What the loaders of this folder stand on: one rank of a Pangu job after MindX DL's adaptation, without the model. It
reads the files that MindSpore itself wrote, and trains on from what it was given: LossMonitor's lines, ten steps an
epoch, with the loss that the first attempt had at that step."""
import argparse
import glob
import os
import struct
import time

RANK, SIZE = int(os.environ["RANK_ID"]), int(os.environ["RANK_SIZE"])


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--save_checkpoint_path")
    parser.add_argument("--ckpt_name_prefix", default="pangu")
    parser.add_argument("--pre_trained")
    return parser.parse_args()


def varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 2:
            length, at = varint(data, at)
            yield key >> 3, data[at:at + length]
            at += length
        else:
            value, at = varint(data, at)
            yield key >> 3, value


def load_checkpoint(path):
    """The scalars of a MindSpore checkpoint by their names."""
    scalars = {}
    with open(path, "rb") as file:
        for _, value in fields(file.read()):
            parts = dict(fields(value))
            content = dict(fields(parts[2])).get(3, b"")
            if len(content) in (4, 8):
                scalars[parts[1].decode()] = struct.unpack("<i" if len(content) == 4 else "<q", content)[0]
    return scalars


def newest(folder, pattern):
    return sorted(glob.glob(os.path.join(folder, pattern)), key=os.path.getmtime, reverse=True)


def restore_checkpoint(args):
    """Each rank's newest periodic file: the dying gasps are left out."""
    print("======start single checkpoint", flush=True)
    folder = os.path.join(args.save_checkpoint_path, f"rank_{RANK}")
    gasps = newest(folder, f"{args.ckpt_name_prefix}*_breakpoint.ckpt")
    files = [file for file in newest(folder, f"{args.ckpt_name_prefix}*.ckpt") if file not in gasps]
    if not files:
        print(f"There is no ckpt file in {args.save_checkpoint_path}, so skip the loading.", flush=True)
        return None
    print(f"Start to load from {files[0]}", flush=True)
    return load_checkpoint(files[0])


def train(loaded):
    step = loaded["global_step"] if loaded else 0
    for now in range(step + 1, step + 9):
        time.sleep(0.05)
        print("epoch: %d step: %d, loss is %f" % ((now - 1) // 10 + 1, (now - 1) % 10 + 1, 2.3 * 0.99 ** now + 0.01 * RANK), flush=True)
    time.sleep(1e6)
