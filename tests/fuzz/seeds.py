#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""seeds.py OUT: first inputs for the fuzz targets, made of the real samples in tests/data.

OUT/reader: single files, behind the byte that chooses a name. OUT/tree: directories, as tree_fuzz.cpp takes them apart. OUT/small: small files, behind the
byte that chooses the parser. OUT/names: listings."""
import os
import sys

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
LARGEST = 65535
ENDINGS = [".ckpt", ".safetensors", ".pt", ".index", ".tmp"]


def samples():
    for part in ("mindspore", "torch", "megatron", "deepspeed", "huggingface", "tensorflow", "numpy", "flax"):
        for directory, _, names in sorted(os.walk(os.path.join(DATA, part))):
            for name in sorted(names):
                path = os.path.join(directory, name)
                if os.path.getsize(path) <= LARGEST and name != "README.md":
                    with open(path, "rb") as file:
                        yield os.path.relpath(path, DATA), file.read()


def put(out, kind, name, data):
    os.makedirs(os.path.join(out, kind), exist_ok=True)
    with open(os.path.join(out, kind, name.replace("/", "_")), "wb") as file:
        file.write(data)


def packed(files):
    data = b""
    for name, content in files:
        encoded = name.encode()
        data += bytes([len(encoded)]) + encoded + len(content).to_bytes(2, "little") + content
    return data


def little(value, width):
    return value.to_bytes(width, "little")


def orbax():
    manifest = b"\x0c\xdb\x3a\x2a" + little(40, 8) + b"b" * 24 + little(0, 4)
    return [("5/_CHECKPOINT_METADATA", b'{"commit_timestamp_nsecs": 1}'), ("5/default/_METADATA", b"{}"), ("5/default/manifest.ocdbt", manifest),
            ("5/default/d/00", b"x"), ("5/default/ocdbt.process_0/manifest.ocdbt", manifest), ("5/commit_success.txt", b"done"),
            ("6.orbax-checkpoint-tmp/default/manifest.ocdbt", manifest)]


def main():
    out = sys.argv[1]
    all_samples = list(samples())
    trees = {}
    for path, content in all_samples:
        kind = next((i for i, ending in enumerate(ENDINGS) if path.endswith(ending)), 2)
        put(out, "reader", path, bytes([kind]) + content)
        parts = path.split("/")
        for depth in (2, 3, 4):
            if len(parts) > depth:
                trees.setdefault("/".join(parts[:depth]), []).append(("/".join(parts[depth:]), content))
        base = os.path.basename(path)
        small = {"latest_checkpointed_iteration.txt": 0, "latest": 1, "checkpoint": 2, "trainer_state.json": 3, "model.safetensors.index.json": 4, ".metadata": 5}.get(base)
        if small is None and path.endswith(".index"):
            small = 9
        if small is not None:
            put(out, "small", path, bytes([small]) + content)
        if small == 5:
            put(out, "small", "outline_" + path, bytes([11, 200, 0, 97]) + content)
    for name, files in trees.items():
        data = packed(files)
        if len(files) < 60 and len(data) < 400000:
            put(out, "tree", name, data)
    put(out, "tree", "orbax", packed(orbax()))
    put(out, "tree", "layerzero", packed([("iter_0000100/model_%d.pt" % rank, b"PK") for rank in range(4)]))
    put(out, "tree", "groups", packed([("device0/group_info.pb", b"\x12\x04\x08\x00\x08\x01"), ("rank_0/a-1_2.ckpt", b"\x0a\x00")]))
    put(out, "small", "manifest", bytes([6]) + orbax()[2][1])
    put(out, "small", "groups", bytes([7]) + b"\x12\x04\x08\x00\x08\x01")
    put(out, "small", "map", bytes([8]) + b'{"0,8": 8, "1,9": 1}')
    put(out, "names", "paths", "\n".join(path for path, _ in all_samples).encode())


main()
