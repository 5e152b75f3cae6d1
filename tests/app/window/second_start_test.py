# SPDX-License-Identifier: GPL-3.0-or-later
"""A second start hands its job over to the first and ends; a start with its own settings is independent. A crash leaves a report
that names no job, and the next start marks it as reported. On a private session bus. Usage: second_start_test.py RANKDECK"""
import json
import os
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testbed"))
from scratch import Scratched  # noqa: E402

PROGRAM = sys.argv[1]


def until(test, seconds=60):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if test():
            return True
        time.sleep(0.05)  # wait: poll
    return False


class Starts(Scratched, unittest.TestCase):
    def setUp(self):
        self.home = self.scratch()
        self.bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, self.bus)
        self.state = os.path.join(self.home, "state")
        self.env = dict(os.environ, HOME=self.home, XDG_STATE_HOME=self.state, XDG_CONFIG_HOME=self.home + "/config",
                        XDG_RUNTIME_DIR=self.home, QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8",
                        DBUS_SESSION_BUS_ADDRESS=self.bus.stdout.readline().strip())

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.terminate()
        process.wait(60)
        if process.stdout:
            process.stdout.close()

    def start(self, *words):
        process = subprocess.Popen([PROGRAM, *words], env=self.env)
        self.addCleanup(self.end, process)
        return process

    def job(self, name):
        path = os.path.join(self.home, name + ".rankdeck.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"rankdeck": 1, "name": name, "world_size": 1, "nodes": [{"host": "local", "ranks": [0]}],
                       "logs": {"path": self.home + "/worker_{rank}.log"}}, file)
        return path

    def watched(self, name):
        """True if the job has a history, which only a window creates."""
        found = [entry for _, folders, files in os.walk(self.state) for entry in folders + files]
        return any(name in entry for entry in found)

    def named(self):
        words = ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.ListNames"]
        return "io.github.rankdeck.Rankdeck" in subprocess.run(words, env=self.env, capture_output=True, text=True).stdout

    def test_the_first_takes_the_job_of_the_second(self):
        first = self.start(self.job("one"))
        self.assertTrue(until(lambda: self.watched("one") and self.named()))
        second = self.start(os.path.relpath(self.job("two")))
        self.assertEqual(second.wait(60), 0)
        self.assertIsNone(first.poll())
        self.assertTrue(until(lambda: self.watched("two")), "the first has not opened it")
        self.assertEqual(self.start().wait(60), 0, "without a job the first is brought to the front")
        self.assertIsNone(first.poll())
        first.terminate()
        first.wait(60)
        self.assertFalse(self.named())

    def test_settings_of_its_own_are_a_start_of_its_own(self):
        self.start()
        self.assertTrue(until(self.named))
        other = self.start("--theme", "dark", self.job("own"))
        self.assertTrue(until(lambda: self.watched("own")))
        self.assertIsNone(other.poll())

    def test_a_crash_leaves_a_report_that_is_shown_once(self):
        crashes = os.path.join(self.state, "rankdeck", "crashes")
        names = lambda: sorted(os.listdir(crashes)) if os.path.isdir(crashes) else []
        first = self.start(self.job("secret-name"))
        self.assertTrue(until(lambda: self.watched("secret-name")))
        first.send_signal(signal.SIGSEGV)
        self.assertEqual(first.wait(60), -signal.SIGSEGV, "it ends as it would have")
        self.assertEqual(len(names()), 1)
        self.assertTrue(names()[0].endswith(".new.txt"))
        with open(os.path.join(crashes, names()[0]), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("rankdeck ", text)
        self.assertIn("ended by signal 11", text)
        self.assertGreater(len(text.splitlines()), 5)
        self.assertNotIn("secret-name", text)
        second = self.start()
        self.assertTrue(until(lambda: names() and not names()[0].endswith(".new.txt")))
        self.assertIsNone(second.poll())
        self.assertEqual(len(names()), 1, "it stays for who wants to send it")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
