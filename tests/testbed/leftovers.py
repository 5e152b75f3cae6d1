# SPDX-License-Identifier: GPL-3.0-or-later
"""What a test has started ends with it: processes are known by the test's own directory."""
import os
import signal

from checks import wait_for


def content(path):
    with open(path, "rb") as file:
        return file.read()


def processes_of(root):
    """Whatever carries this directory in its environment or its words, and still runs."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment, words, stat = [content("/proc/%s/%s" % (pid, name)) for name in ("environ", "cmdline", "stat")]
        except OSError:     # it ended meanwhile
            continue
        if root.encode() in environment + words and stat.rpartition(b")")[2].split()[0] not in (b"Z", b"X"):
            found.append(int(pid))
    return found


def end_all(root):
    """Consoles, probes, supervisors, schedulers and ranks that a test has started below a directory of its own, whatever became of it."""
    def none_left():
        left = processes_of(root)
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return not left
    wait_for("the end of all processes of " + root, none_left)
