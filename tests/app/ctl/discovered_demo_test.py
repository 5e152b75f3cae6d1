# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo cluster as its own job file describes it and as it is discovered: the same sets, verdicts, stop and resume. Usage: --bin DIR"""
import json
import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testbed"))
from checks import check, wait_for  # noqa: E402
from same_job import ask, check_ended, check_running, discovered  # noqa: E402
from scratch import Scratched  # noqa: E402

CTL = os.path.join(sys.argv[sys.argv.index("--bin") + 1], "rankdeckctl")


class DiscoveredDemo(Scratched, unittest.TestCase):
    def setUp(self):
        self.directory = self.scratch(prefix="rankdeck-found-")
        self.state = os.path.join(self.directory, "state")
        self.demo = subprocess.Popen([CTL, "demo", "--ranks", "4", "--nodes", "2", "--save-steps", "5", "--step-seconds", "0.1"],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, universal_newlines=True)
        self.addCleanup(self.end)
        self.written = self.demo.stdout.readline().strip()
        with open(self.written) as file:
            self.job = json.load(file)

    def end(self):
        self.demo.send_signal(signal.SIGINT)
        self.demo.communicate()

    def ask(self, file, *words):
        return ask(CTL, file, self.state, *words)

    def test_has_the_same_answers(self):
        wait_for("two saves", lambda: sum(one["verdict"] == "VALID" for one in self.ask(self.written, "checkpoints").get("sets", [])) >= 2)
        hosts = [node["host"] for node in self.job["nodes"]]
        found = discovered(CTL, hosts, self.job["launch"]["workdir"], os.path.join(self.directory, "found"),
                           ("--ssh-config", self.job["ssh_config"]))["file"]
        check_running(CTL, self.written, found, self.state)
        stopped = self.ask(found, "exit", "--wait", "120")
        check(stopped["outcome"] == "stopped", "the discovered job is stopped: " + stopped.get("text", ""))
        check_ended(CTL, self.written, found, self.state)
        resumed = self.ask(found, "resume", "--wait", "120")
        check(resumed["outcome"] == "proven", "and resumed: " + resumed.get("text", ""))
        check_running(CTL, self.written, found, self.state)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
