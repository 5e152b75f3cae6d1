# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends the processes that a test has started: they are recognised by the test's own directory."""
import os
import signal

from checks import wait_for


def content(path):
    with open(path, "rb") as file:
        return file.read()


def processes_of(root):
    """Processes with this directory in their environment or arguments that still run."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment, words, stat = [content("/proc/%s/%s" % (pid, name)) for name in ("environ", "cmdline", "stat")]
        except OSError:     # it has ended
            continue
        if root.encode() in environment + words and stat.rpartition(b")")[2].split()[0] not in (b"Z", b"X"):
            found.append(int(pid))
    return found


def end_all(root):
    """Ends consoles, probes, supervisors, schedulers and ranks that a test has started below a directory of its own."""
    def none_left():
        left = processes_of(root)
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return not left
    wait_for("the end of all processes of " + root, none_left)
