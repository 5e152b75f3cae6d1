# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps each process of a private MindSpore on one core, where a thread that wakes up waits for its turn.

Over loopback a connection is made at once, and the thread of MindSpore 2.7 that hears of it may run before the one that
asked for it has written down what to hear: then the answer is lost ("Waiting for the state of the connection … to be
connected", "Connection from  to  is successfully created"), and is tried again after two seconds. On a machine with
two cores a job of four ranks lost 0 to 26 answers, and stood for 9 to 44 s, once for five minutes, before its first
step; on one core each, as a batch, none.

install-build-tools.sh puts it where the interpreter reads it at its start. For tests and the demonstration only: real
ranks are on real networks.
"""
import os


def keep_on_one_core():
    os.sched_setaffinity(0, range(os.cpu_count() or 1))  # not the parent's one
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[os.getpid() % len(cores)]})
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


try:
    keep_on_one_core()
except OSError:  # a container that forbids it: slower, not wrong
    pass
