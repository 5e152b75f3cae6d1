# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo's checkpoints against real MindSpore: it loads them, its bytes are ours, its files resume our trainer.

    PYTHON_WITH_MINDSPORE tests/interop/demo_ckpt_check.py TRAINER [DIRECTORY]

Run by a Python that has MindSpore 2.7 or newer. TRAINER is rankdeck-demo-trainer. DIRECTORY is where the run leaves
its files (default: a temporary one). Prints a line per check, exits 1 when one fails.
"""
import os
import re
import struct
import subprocess
import sys

import numpy as np
import mindspore as ms
from mindspore import nn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testbed"))
from scratch import Scratch  # noqa: E402

STEPS, SAVE = 10, 5


class Net(nn.Cell):
    """The demo's network, with its parameter names."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Dense(64, 128)
        self.fc2 = nn.Dense(128, 64)
        self.fc3 = nn.Dense(64, 10)
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def walk(path):
    """Our own reading of the records, independent of MindSpore's: name → (dims, type, content), in file order."""
    data = open(path, "rb").read()
    at, found = 0, {}
    while at < len(data):
        assert data[at] == 0x0A, f"{path}: no record at {at}"
        length, at = varint(data, at + 1)
        record, at = data[at:at + length], at + length
        size, i = varint(record, 1)
        name, i = record[i:i + size].decode(), i + size
        size, i = varint(record, i + 1)
        end, dims, kind, content = i + size, [], "", b""
        while i < end:
            key = record[i]
            value, i = varint(record, i + 1)
            if key == 0x08:
                dims.append(value)
                continue
            if key == 0x12:
                kind = record[i:i + value].decode()
            elif key == 0x1A:
                content = record[i:i + value]
            i += value
        found[name] = (dims, kind, content)
    return found


class Checks:
    def __init__(self, trainer, directory):
        self.trainer, self.directory, self.failed = trainer, directory, 0

    def check(self, what, good, detail=""):
        self.failed += not good
        print(("ok      " if good else "FAILED  ") + what + ("" if good or not detail else f": {detail}"), flush=True)

    def train(self, name, *options, steps=STEPS, env=None):
        out = os.path.join(self.directory, name)
        command = [self.trainer, "--out", out, "--steps", str(steps), "--save-steps", str(SAVE), "--keep", "50",
                   "--step-seconds", "0", *options]
        done = subprocess.run(command, env={**os.environ, **(env or {})}, capture_output=True, text=True, timeout=120)
        return out, done

    def same_tensors(self, path):
        """MindSpore's view of a file is the records' own bytes, shapes and types."""
        records, loaded = walk(path), ms.load_checkpoint(path)
        self.check(f"{os.path.basename(path)}: the same names, in order", list(records) == list(loaded), f"{list(records)} {list(loaded)}")
        for name, (dims, kind, content) in records.items():
            value = loaded[name].asnumpy()
            if value.tobytes() != content or list(value.shape) != dims or str(loaded[name].dtype) != kind:
                self.check(f"{os.path.basename(path)}: {name}", False, f"{value.dtype}{value.shape} against {kind}{dims}")
                return
        self.check(f"{os.path.basename(path)}: {len(records)} tensors, bit for bit", True)

    def ours_in_mindspore(self):
        out, done = self.train("ours", "--epochs", "2")
        self.check("the trainer trains", done.returncode == 0, done.stdout[-500:])
        path = os.path.join(out, "rank_0", "lenet-2_5.ckpt")
        self.same_tensors(path)
        values = ms.load_checkpoint(path)
        said = [int(values[key].asnumpy()) for key in ("epoch_num", "step_num")]
        self.check("epoch_num, step_num and global_step are 2, 15, 15", said + [int(values["global_step"].asnumpy()[0])] == [2, 15, 15], said)
        net = Net()
        optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
        missing = [ms.load_param_into_net(part, dict(values))[0] for part in (net, optimizer)]
        self.check("load_param_into_net leaves nothing unloaded", missing == [[], []], missing)
        self.check("the optimizer has the step", int(optimizer.global_step.asnumpy()[0]) == 15)
        again = os.path.join(self.directory, "again.ckpt")
        ms.save_checkpoint([{"name": n, "data": p.data} for n, p in values.items()], again)
        self.check("MindSpore writes it again byte for byte", open(again, "rb").read() == open(path, "rb").read())

    def graceful_in_mindspore(self):
        flag = os.path.join(self.directory, "graceful.json")
        with open(flag, "w") as file:
            file.write('{"GracefulExit": 1}')
        out, done = self.train("graceful", "--epochs", "2", "--graceful", flag, env={"MS_ENABLE_GRACEFUL_EXIT": "1"})
        self.check("the graceful exit exits with 0", done.returncode == 0 and "Graceful exit is triggered, stop training." in done.stdout, done.stdout[-500:])
        for name in ("LeNet5_train.ckpt", "lenet-1_1.ckpt"):
            self.same_tensors(os.path.join(out, "rank_0", name))
        values = ms.load_checkpoint(os.path.join(out, "rank_0", "LeNet5_train.ckpt"))
        step = values["global_step"]
        self.check("its global_step is a scalar Int64", step.shape == () and str(step.dtype) == "Int64", f"{step.dtype}{step.shape}")

        optimizer = nn.Momentum(Net().trainable_params(), 0.1, 0.9)
        ours = subprocess.run([self.trainer, "--out", out, "--graceful", flag], env={**os.environ, "MS_ENABLE_GRACEFUL_EXIT": "1"},
                              capture_output=True, text=True, timeout=120)
        try:
            ms.load_param_into_net(optimizer, values)
            theirs = "no error"
        except RuntimeError as error:
            theirs = "RuntimeError: " + str(error).strip().splitlines()[0]
        self.check("a stale save fails with MindSpore's own sentence", ours.returncode == 1 and theirs in ours.stdout, theirs)

    def torn_in_mindspore(self):
        whole = open(os.path.join(self.directory, "ours", "rank_0", "lenet-2_5.ckpt"), "rb").read()
        path = os.path.join(self.directory, "torn.ckpt")
        with open(path, "wb") as file:
            file.write(whole[:len(whole) * 3 // 5])
        try:
            ms.load_checkpoint(path)
            theirs = "loads"
        except ValueError as error:
            theirs = str(error)
        words = "The file may be corrupted, and the content cannot be parsed."
        _, ours = self.train("torn", "--resume", path)
        self.check("a torn file is refused by both, in the same words", words in theirs and words in ours.stdout, theirs)

    def theirs_in_ours(self):
        """A file that MindSpore trained and saved resumes our trainer, which goes on by MindSpore's rule."""
        ms.set_seed(3)
        net = Net()
        optimizer = nn.Momentum(net.trainable_params(), 0.003, 0.9)
        cell = nn.TrainOneStepCell(nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")), optimizer)
        random = np.random.RandomState(0)
        for _ in range(7):
            cell(ms.Tensor(random.rand(16, 64).astype(np.float32)), ms.Tensor(random.randint(0, 10, 16).astype(np.int32)))
        path = os.path.join(self.directory, "theirs.ckpt")
        ms.save_checkpoint(cell, path, append_dict={"epoch_num": 1, "step_num": 7})
        out, done = self.train("resumed", "--resume", path, "--epochs", "1")
        self.check("our trainer resumes it", done.returncode == 0 and
                   f"resume from {path}: epoch 1, step 7, global_step 7\nepoch: 1 step: 8, loss is " in done.stdout, done.stdout[-800:])
        self.check("and goes on to its own end", os.path.exists(os.path.join(out, "rank_0", "lenet-1_10.ckpt")))
        # One step further: what is saved then is what was loaded, moved by one step of the optimizer.
        before = walk(path)
        out, done = self.train("copied", "--resume", path, "--epochs", "1", steps=8)
        after = walk(os.path.join(out, "rank_0", "lenet-1_8.ckpt"))
        self.check("records, shapes and types are the same", [(n, d, k) for n, (d, k, _) in before.items()] ==
                   [(n, d, k) for n, (d, k, _) in after.items()], f"{[(n, d, k) for n, (d, k, _) in before.items()]}")
        moved = {n for n in after if n in before and after[n][2] != before[n][2]}
        self.check("one step changed weights and moments, not the constants", "fc1.weight" in moved and "moments.fc1.weight" in moved and
                   not moved & {"learning_rate", "momentum", "epoch_num"}, moved)
        self.momentum_step(before, after)

    def momentum_step(self, before, after):
        """w' = w - lr * m' with the m' of our file: MindSpore's rule, on all weights."""
        def floats(records, name):
            return np.frombuffer(records[name][2], np.float32)
        rate = struct.unpack("<f", after["learning_rate"][2])[0]
        worst = max(np.abs(floats(before, n) - rate * floats(after, "moments." + n) - floats(after, n)).max()
                    for n in before if re.match(r"fc\d\.", n))
        self.check("weights moved by MindSpore's momentum rule", worst < 1e-6, worst)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU")
    with Scratch(prefix="demo_ckpt_check.") as temporary:
        directory = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else temporary
        os.makedirs(directory, exist_ok=True)
        checks = Checks(os.path.abspath(sys.argv[1]), directory)
        print(f"MindSpore {ms.__version__}, files in {directory}")
        checks.ours_in_mindspore()
        checks.graceful_in_mindspore()
        checks.torn_in_mindspore()
        checks.theirs_in_ours()
        print(f"{checks.failed} failed")
        sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
