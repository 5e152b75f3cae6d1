# SPDX-License-Identifier: GPL-3.0-or-later
"""Observations of one console about a run, which the next console of the same state directory knows. Real processes are killed and
stopped between the two. Usage: --bin DIR"""
import json
import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testbed"))
from checks import wait_for  # noqa: E402
from scratch import Scratched  # noqa: E402

CTL = os.path.join(sys.argv[sys.argv.index("--bin") + 1], "rankdeckctl")
RANK = """
import sys, time
for step in range(1, 100000):
    print("epoch: 1 step: %d, loss is %.4f" % (step, 2 / (1 + step / 100)), flush=True)
    time.sleep(0.1)
"""


class BetweenLooks(Scratched, unittest.TestCase):
    def setUp(self):
        self.directory = self.scratch(prefix="rankdeck-between-")
        self.ranks = []
        for rank in range(3):
            with open(self.log(rank), "w") as log:
                self.ranks.append(subprocess.Popen(["python3", "-c", RANK], stdout=log, env=dict(os.environ, RANK_ID=str(rank), RANK_SIZE="3")))
        self.addCleanup(self.end)
        job = os.path.join(self.directory, "job.rankdeck.json")
        with open(job, "w") as file:
            json.dump({"rankdeck": 1, "name": "between", "framework": "mindspore", "world_size": 3, "steps_per_epoch": 1000000,
                       "nodes": [{"name": "n0", "host": "local", "ranks": [0, 1, 2]}],
                       "logs": {"path": self.log("{rank}")},
                       "checkpoints": {"path": self.directory + "/ckpt/rank_{rank}", "prefix": "net"}}, file)
        self.words = [CTL, "--json", "--job", job, "--state-dir", self.directory + "/state"]

    def log(self, rank):
        return "%s/worker_%s.log" % (self.directory, rank)

    def end(self):
        for rank in self.ranks:
            rank.kill()
            rank.wait()

    def watch(self):
        """The first console: it watches until the pace of the steps is known, and ends."""
        done = subprocess.run(self.words + ["watch", "--for", "5"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)

    def status(self, *more):
        done = subprocess.run(self.words + ["status"] + list(more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        return json.loads(done.stdout)

    def alarms(self):
        return {alarm["code"]: alarm for alarm in self.status()["alarms"]}

    def test_a_renamed_log_changes_nothing_and_killed_ranks_have_died(self):
        self.watch()
        os.rename(self.log(0), self.log(0) + ".1")
        open(self.log(0), "w").close()
        status = self.status()
        self.assertEqual([rank["state"] for rank in status["ranks"]], ["runs"] * 3)
        self.assertEqual(status["ranks"][0]["pid"], self.ranks[0].pid)
        self.ranks[1].send_signal(signal.SIGKILL)
        self.ranks[1].wait()
        for look in ("the next", "the one after"):
            alarms = self.alarms()
            self.assertIn("rank_died", alarms, look)
            self.assertEqual(alarms["rank_died"]["ranks"], [1])
        self.assertEqual([rank["state"] for rank in self.status()["ranks"]], ["runs", "died", "runs"])
        self.end()
        for look in ("the next", "the one after"):
            alarms = self.alarms()
            self.assertIn("job_died", alarms, look)
            self.assertEqual(sorted(alarms["job_died"]["ranks"]), [0, 1, 2])

    def test_stopped_ranks_are_reported_by_the_next_console(self):
        self.watch()
        for rank in self.ranks:
            rank.send_signal(signal.SIGSTOP)
        stalled = wait_for("the hang", lambda: self.alarms().get("stalled"))
        self.assertIn("usual", stalled["text"])
        for rank in self.ranks:
            rank.send_signal(signal.SIGCONT)
        wait_for("its end", lambda: "stalled" not in self.alarms())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
