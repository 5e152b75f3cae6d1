# SPDX-License-Identifier: GPL-3.0-or-later
"""The probe, joined from its parts, as a module of the interpreter that runs the test."""
import os
import sys
import types
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testbed"))
import probe_client  # noqa: E402
from scratch import Scratched  # noqa: E402

probe = types.ModuleType("probe_under_test")
exec(compile(probe_client.joined(), "probe", "exec"), probe.__dict__)
probe.PHASE = 0.0  # the same times in every run


def write(path, data, mode="wb"):
    with open(path, mode) as file:
        file.write(data)


def probe_sent(test, data=b"", closed=False):
    """A probe whose console has sent that much."""
    read, write_end = os.pipe()
    os.set_blocking(read, False)
    os.write(write_end, data)
    null = os.open("/dev/null", os.O_WRONLY)
    for fd in (read, null) + (() if closed else (write_end,)):
        test.addCleanup(os.close, fd)
    if closed:
        os.close(write_end)
    return probe.Probe(read, null)


class Folder(Scratched, unittest.TestCase):
    def setUp(self):
        self.folder = os.fsencode(self.scratch())

    def path(self, *names):
        return os.path.join(self.folder, *names)
