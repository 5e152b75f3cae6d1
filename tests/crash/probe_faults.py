# SPDX-License-Identifier: GPL-3.0-or-later
"""Code in front of the probe, inserted by the node's "python" of a crash-point run. It numbers the requests that an action makes to
this node, and writes each number with its kind to ORDER. At the number in FAULT it causes the fault. WORLD, NODE and FAULT are set
before this text runs."""
import builtins
import errno
import os
import signal
import time

ACTS = {"READ_FILE", "REPLACE", "ACT", "PROCESSES", "SIGNAL", "LAUNCH", "LAUNCHED", "APPEND", "ROOM", "JOB_HOLDER",
        "HASH", "LIST", "RESERVE"}


def number_of(kind):
    """The number of this request among those of its kind, over all probes of this node. Polling does not change the numbers of
    actions."""
    file = os.open(os.path.join(WORLD, NODE + ".order"), os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(file, "r+") as order:
        number = order.read().split().count(kind) + 1
        order.write(kind + "\n")
    return number


def mark(name):
    with open(os.path.join(WORLD, name), "w"):
        pass


def wait_for(name, seconds):
    end = time.monotonic() + seconds
    while not os.path.exists(os.path.join(WORLD, name)) and time.monotonic() < end:
        time.sleep(0.02)  # wait: under test


def kill_console():
    with open(os.path.join(WORLD, "console.pid")) as file:
        os.kill(int(file.read()), signal.SIGKILL)


def before(fault):
    if fault in ("dies", "dies_away"):
        mark("away." + NODE) if fault == "dies_away" else None
        os._exit(1)
    if fault in ("ESTALE", "EIO", "ENOSPC"):
        raise OSError(getattr(errno, fault), os.strerror(getattr(errno, fault)))
    if fault == "late":        # the link is gone; the request is carried out after the console gave up
        with open(os.path.join(WORLD, "late.pid"), "w") as file:
            file.write(str(os.getpid()))
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        time.sleep(1.5)  # wait: under test
    if fault == "hang":
        time.sleep(45)  # wait: under test
    if fault == "console_killed":
        kill_console()
    if fault in ("second_same", "second_opposite", "second_alias"):
        mark("second")
        wait_for("second.done", 20)


def after(fault):
    if fault in ("answer_lost", "answer_lost_away"):
        mark("away." + NODE) if fault == "answer_lost_away" else None
        os._exit(1)
    if fault == "late":
        os._exit(0)
    if fault == "console_killed_after":
        kill_console()
        os._exit(1)
    if fault == "EIO_after":
        raise OSError(errno.EIO, os.strerror(errno.EIO))


def wrapped(kind, job):
    def run(probe, request, reply):
        fault = FAULT[3] if os.path.exists(os.path.join(WORLD, "counting")) and \
            (NODE, kind, number_of(kind)) == tuple(FAULT[:3]) else ""
        if fault:
            mark("fired")
            before(fault)
        if os.path.exists(os.path.join(WORLD, "refuses.%s.%s" % (NODE, kind))):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        for step in job(probe, request, reply):
            yield step
        if fault:
            after(fault)
    return run


def wrap_all(names):
    jobs = names["JOBS"]
    for kind in ACTS:
        if kind in names and names[kind] in jobs:
            jobs[names[kind]] = wrapped(kind, jobs[names[kind]])


real_compile = builtins.compile


def compile_hooked(source, name, *more, **named):
    if name == "rankdeck-probe" and b'== "rankdeck_probe"' in (source if isinstance(source, bytes) else source.encode()):
        builtins.rankdeck_wrap = wrap_all
        prefix = b"rankdeck_wrap(globals())\n"
        source = prefix + source if isinstance(source, bytes) else prefix.decode() + source
    return real_compile(source, name, *more, **named)


builtins.compile = compile_hooked
