#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""One rank that obeys the contract of MindSpore's OnRequestExit, small enough for a test. It reads the JSON at each step when
MS_ENABLE_GRACEFUL_EXIT is 1, and never forgets a 1 that it has read. It leaves only when all ranks have read the 1, saves,
and never puts the flag back. Ranks step together, as collectives make real ranks do. It prints LossMonitor's lines and
crashes on a stale *_train.ckpt at its start, as 2.7 does. FAKE_FAULT makes it break in FAKE_RANK (all when empty). FAKE_GATES
is a directory with files hold-<rank>-<moment>, each of which contains a step. From that step on, the rank pauses at this
moment ("check", "latched", "trigger", "farewell", "saved") while the file exists, and it creates at-<rank>-<moment>. With
FAKE_STOP it is a script of another framework: "USR1" stops it after the step, or a file of that path. It then saves and exits
silently."""
import ctypes
import json
import os
import signal
import struct
import sys
import time

rank, size = int(os.environ["RANK_ID"]), int(os.environ["RANK_SIZE"])
if os.environ.get("MS_ROLE") == "MS_SCHED":
    time.sleep(1e6)
job = os.environ["FAKE_JOB"]
config = os.environ.get("FAKE_CONFIG", job + "/graceful.json")
fault = os.environ.get("FAKE_FAULT", "") if os.environ.get("FAKE_RANK", "") in ("", str(rank)) else ""
pace, per_epoch = float(os.environ.get("FAKE_PACE", "0.05")), 10
own = job + "/ckpt/rank_%d" % rank
together = job + "/sync-" + os.environ["RANKDECK_LAUNCH_ID"].split(".")[0]
start = 0


def say(text):
    print(text, flush=True)


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def parameter(name, kind, dims, content):
    tensor = b"".join(b"\x08" + varint(dim) for dim in dims) + field(2, kind) + field(3, content)
    return field(1, field(1, name) + field(2, tensor))


def checkpoint(step):
    """MindSpore's file: parameters one after another, as its own save_checkpoint writes them."""
    weights = b"".join(struct.pack("<f", 0.5 + 0.001 * ((step + i) % 97) + rank) for i in range(64))
    return (parameter(b"fc.weight", b"Float32", [8, 8], weights) +
            parameter(b"moments.fc.weight", b"Float32", [8, 8], weights) +
            parameter(b"epoch_num", b"Int64", [], struct.pack("<q", (step - 1) // per_epoch + 1)) +
            parameter(b"step_num", b"Int64", [], struct.pack("<q", (step - 1) % per_epoch + 1)) +
            parameter(b"global_step", b"Int32", [1], struct.pack("<i", step)))


def step_of(path):
    with open(path, "rb") as file:  # the last parameter is global_step
        return struct.unpack("<i", file.read()[-4:])[0]


def save(name, step):
    with open(own + "/" + name + ".tmp", "wb") as file:
        file.write(checkpoint(step))
    os.rename(own + "/" + name + ".tmp", own + "/" + name)


def tell(what, number):
    path = "%s/%s-%d" % (together, what, rank)
    with open(path + ".tmp", "w") as file:
        file.write("%d" % number)
    os.rename(path + ".tmp", path)


def told(what, other):
    try:
        with open("%s/%s-%d" % (together, what, other)) as file:
            return int(file.read())
    except FileNotFoundError:
        return None


def held(path, step):
    try:
        with open(path) as file:
            return step >= int(file.read() or 0)
    except FileNotFoundError:
        return False


def gate(moment, step):
    where = "%s/%%s-%d-%s" % (os.environ.get("FAKE_GATES", ""), rank, moment)
    while held(where % "hold", step):
        open(where % "at", "w").close()
        time.sleep(0.005)


def asked():
    if stop_by == "USR1":
        return bool(signals)
    if stop_by:
        return os.path.exists(stop_by)
    if os.environ.get("MS_ENABLE_GRACEFUL_EXIT") != "1":
        return False
    with open(config) as file:
        return json.load(file).get("GracefulExit", 0) == 1


def write_over_environment():
    """As setproctitle does, which uses that memory for its title: /proc/PID/environ is empty afterwards."""
    with open("/proc/self/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    start, end = int(fields[47]), int(fields[48])  # env_start and env_end of proc(5)
    ctypes.memset(start, 0, end - start)


stop_by, signals = os.environ.get("FAKE_STOP", ""), []
if stop_by == "USR1":
    signal.signal(signal.SIGUSR1, lambda number, frame: signals.append(number))
if fault == "swallow":
    signal.signal(signal.SIGTERM, lambda number, frame: None)
os.makedirs(own, exist_ok=True)
os.makedirs(together, exist_ok=True)
if os.path.exists(own + "/LeNet5_train.ckpt"):
    say("RuntimeError: For 'load_param_into_net', global_step in the argument 'net' should have the same shape")
    sys.exit(1)
if "--resume" in sys.argv and fault != "from_zero":
    path = sys.argv[sys.argv.index("--resume") + 1]
    if not path.endswith(".ckpt"):
        say("ValueError: For 'load_checkpoint', the checkpoint file should end with '.ckpt'")
        sys.exit(1)
    start = step_of(path)
    if fault != "no_line":
        say("resume from %s: epoch %d, step %d, global_step %d" % (path, (start - 1) // per_epoch + 1, start, start))
seen, last = False, int(os.environ.get("FAKE_LAST", "100000"))  # the step at which all ranks stay
for step in range(start + 1, 100000):
    if step > last:
        time.sleep(1e6)
    if fault == "retitle" and os.path.exists(job + "/retitle"):
        fault = ""
        write_over_environment()
    if not seen and fault not in ("deaf", "swallow"):
        gate("check", step)
        seen = asked()
        if seen:
            tell("latched", step)
            gate("latched", step)
            if fault == "die":
                os.kill(os.getpid(), 9)
    tell("at", step)
    while any((told("at", other) or 0) < step for other in range(size)):
        time.sleep(0.005)
    time.sleep(pace)
    loss = 2.3 * 0.99 ** step + 0.01 * rank + (3 if fault == "jump" and step > start else 0)
    epoch, in_epoch = (step - 1) // per_epoch + 1, (step - 1) % per_epoch + 1
    say("epoch: %d step: %d, loss is %f" % (epoch, in_epoch, loss))
    if all((told("latched", other) or 1 << 30) <= step for other in range(size)):
        gate("trigger", step)
        if not stop_by:
            say("[WARNING] ME(%d:140693871861312,MainProcess):2026-11-21-09:05:38.250.000 [mindspore/train/callback/_on_request_exit.py:240] "
                "Graceful exit is triggered, stop training." % os.getpid())
            gate("farewell", step)
            save("LeNet5_train.ckpt", step)
        save("lenet-%d_%d.ckpt" % (epoch, in_epoch), step)
        gate("saved", step)
        sys.exit(0)
    if step % 5 == 0:
        save("lenet-%d_%d.ckpt" % (epoch, in_epoch), step)
