# SPDX-License-Identifier: GPL-3.0-or-later
"""Works around a race of MindSpore 2.7 on loopback: keeps each process of a private MindSpore on one core.

Loopback connections are made at once. The thread that handles a new connection may run before the thread that
requested it has registered its handler. The answer is then lost ("Waiting for the state of the connection … to be
connected", "Connection from  to  is successfully created"), and the connection is tried again after two seconds. On
two cores, a job of four ranks lost 0 to 26 answers. It took 9 to 44 s, once five minutes, until its first step. With
one core per process and batch scheduling, no answer was lost: a thread that wakes up has to wait for its turn.

install-build-tools.sh installs this module so that the interpreter imports it at its start. It is only for tests and
the demonstration, because real ranks use real networks.
"""
import os


def keep_on_one_core():
    os.sched_setaffinity(0, range(os.cpu_count() or 1))  # undoes the parent's restriction to one core
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[os.getpid() % len(cores)]})
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


try:
    keep_on_one_core()
except OSError:  # some containers forbid it; the job is then slower, but correct
    pass
