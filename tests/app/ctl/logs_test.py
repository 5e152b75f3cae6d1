# SPDX-License-Identifier: GPL-3.0-or-later
"""`rankdeckctl logs`, and the output of `status` for logs of unlisted frameworks: real files, the real program.
Usage: --bin DIR --data DIR"""
import json
import os
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testbed"))
from scratch import Scratched  # noqa: E402

CTL = os.path.join(sys.argv[sys.argv.index("--bin") + 1], "rankdeckctl")
DATA = sys.argv[sys.argv.index("--data") + 1]
MEGATRON = " iteration %d/ 1000 | learning rate: 3.0E-04 |%s loss scale: 1.0 | grad norm: %s | samples per second: 1.9 |\n"


class Logs(Scratched, unittest.TestCase):
    def setUp(self):
        self.directory = self.scratch(prefix="rankdeck-logs-")

    def run_ctl(self, *words):
        done = subprocess.run([CTL, "--json", "--state-dir", self.directory + "/state"] + list(words), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=120, text=True)
        return done.returncode, done.stdout, done.stderr

    def write(self, name, text):
        path = os.path.join(self.directory, name)
        with open(path, "w") as file:
            file.write(text)
        os.utime(path, (time.time() - 3600, time.time() - 3600))  # as if the log had ended long ago
        return path

    def job(self, text, **logs):
        self.write("train.log", text)
        return self.write("job.rankdeck.json", json.dumps({"rankdeck": 1, "name": "logs", "world_size": 1, "nodes": [{"name": "n0", "host": "local", "ranks": [0]}],
                                                           "logs": {"path": self.directory + "/train.log", **logs}}))

    def status(self, job):
        code, out, error = self.run_ctl("--job", job, "status")
        self.assertIn(code, (0, 1), error)
        return json.loads(out)

    def test_every_recorded_training_is_explained(self):
        folder = os.path.join(DATA, "recorded_logs", "training")
        with open(os.path.join(folder, "expected.txt")) as table:
            names = [row.split()[0] for row in table]
        self.assertGreater(len(names), 20)
        code, out, error = self.run_ctl("logs", "--explain", *[os.path.join(folder, name) for name in names])
        self.assertEqual(code, 0, error)
        for one in json.loads(out)["files"]:
            self.assertEqual(set(one), {"path", "lines", "matched", "offset", "size", "kinds", "unknown"})
            self.assertEqual((one["offset"], one["size"]), (0, os.path.getsize(one["path"])))
            self.assertLessEqual(one["matched"], one["lines"])
            roles = {field["role"] for kind in one["kinds"] for field in kind["fields"]}
            self.assertTrue(roles & {"loss", "step"}, one["path"])

    def test_a_log_without_a_training_is_answered_with_no(self):
        code, out, _ = self.run_ctl("logs", self.write("server.log", "GET /index.html 200 12 ms\n" * 50))
        self.assertEqual(code, 1)
        self.assertEqual(json.loads(out)["files"][0]["unknown"][0]["count"], 50)

    def test_a_file_that_is_not_there_is_an_error(self):
        code, _, error = self.run_ctl("logs", self.directory + "/none.log")
        self.assertEqual(code, 2)
        self.assertIn("none.log", error)

    def test_a_directory_is_an_error(self):
        code, out, error = self.run_ctl("logs", self.directory)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("expected a log file", error)

    def test_the_newest_part_of_a_long_log_of_a_job_is_explained(self):
        old = "".join("old line %d without anything\n" % i for i in range(60000))
        new = "".join("step %d loss %.4f\n" % (i, 3 - i / 1e5) for i in range(60000))
        code, out, error = self.run_ctl("--job", self.job(old + new), "logs")
        self.assertEqual(code, 0, error)
        one = json.loads(out)["files"][0]
        self.assertEqual(one["size"], len(old + new))
        self.assertEqual(one["offset"], len(old + new) - 2 ** 20)
        self.assertEqual((one["lines"], one["matched"], one["unknown"]), ((old + new)[-2 ** 20:].count("\n") - 1,) * 2 + ([],))

    def test_a_job_is_read_as_its_file_says(self):
        text = "".join("tick %d objective value %.3f loss 9\n" % (i, 3 - i / 100) for i in range(50))
        job = self.job(text, fields={"loss": "objective value", "step": "tick"})
        code, out, error = self.run_ctl("--job", job, "logs")
        self.assertEqual(code, 0, error)
        fields = json.loads(out)["files"][0]["kinds"][0]["fields"]
        self.assertEqual([(field["label"], field["role"]) for field in fields], [("tick", "step"), ("objective value", "loss"), ("loss", "other")])
        rank = self.status(job)["ranks"][0]
        self.assertEqual((rank["step"], rank["loss"]), (49, 2.51))

    def test_a_role_that_does_not_exist_is_a_usage_error(self):
        code, _, error = self.run_ctl("--job", self.job("", fields={"los": "x"}), "status")
        self.assertEqual(code, 2)
        self.assertIn("logs.fields.los", error)

    def test_steps_without_a_loss_are_progress_and_nan_gradients_an_alarm(self):
        good = [MEGATRON % (i, " lm loss: %.2E |" % (4 - i / 100), "0.75") for i in range(1, 12)]
        status = self.status(self.job("".join(good) + "".join(MEGATRON % (i, "", "nan") for i in range(12, 31))))
        self.assertEqual(status["ranks"][0]["step"], 30)
        alarm = next(alarm for alarm in status["alarms"] if alarm["code"] == "nan_loss")
        self.assertIn("Gradients have been NaN", alarm["text"])

    def test_a_loss_of_zero_with_nan_gradients_is_an_alarm(self):
        rows = ["{'loss': %s, 'grad_norm': %s, 'learning_rate': 1e-05, 'step': %d}\n" % (("1.2", "0.5", i) if i < 20 else ("0.0", "nan", i)) for i in range(1, 22)]
        status = self.status(self.job("".join(rows)))
        self.assertEqual([alarm["code"] for alarm in status["alarms"] if alarm["severity"] == "alarm"], ["nan_loss"])

    def test_steps_that_a_loss_scaler_skips_raise_no_alarm(self):
        rows = ["step %d loss 1.5 grad_norm %s loss_scale %g\n" % (i, "inf" if i % 5 < 2 else "0.5", 65536 / 2 ** (2 * (i // 5) + min(i % 5, 1))) for i in range(1, 40)]
        status = self.status(self.job("".join(rows)))
        self.assertNotIn("nan_loss", [alarm["code"] for alarm in status["alarms"]])

    def test_a_traceback_behind_a_bar_is_an_error(self):
        text = "\r 20%|##        | 60/300 [01:00<04:00,  1.00it/s]\r   \r{'loss': 0.9, 'epoch': 0.6}\n 20%|##        | 61/300 [01:01<04:00,  1.00it/s]"
        text += "Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\nValueError: no luck\n"
        job = self.job(text)
        status = self.status(job)
        self.assertEqual((status["ranks"][0]["step"], status["ranks"][0]["loss"]), (60, 0.9))
        done = subprocess.run([CTL, "--json", "--state-dir", self.directory + "/other", "--job", job, "watch", "--for", "3"], stdout=subprocess.PIPE, timeout=60, text=True)
        self.assertIn("ValueError: no luck", done.stdout)

    def ranks(self, texts, **more):
        """A job of as many ranks as there are logs, with a file each, or one file for all."""
        for rank, text in enumerate(texts):
            self.write("rank_%d.log" % rank, text)
        job = {"rankdeck": 1, "name": "ranks", "world_size": len(texts), "nodes": [{"name": "n0", "host": "local", "ranks": list(range(len(texts)))}],
               "logs": {"path": self.directory + "/rank_{rank}.log"}}
        return self.write("job.rankdeck.json", json.dumps({**job, **more}))

    def worst(self, job):
        return self.status(job)["alarms"][0]

    def test_ranks_that_waited_are_victims_and_the_silent_one_is_named(self):
        steps = "".join("step %d loss %.4f\n" % (i, 2 - i / 1000) for i in range(1, 200))
        watchdog = "[rank%d]:[E218 10:48:25.033625188 ProcessGroupNCCL.cpp:632] [Rank %d] Watchdog caught collective operation timeout: " \
                   "WorkNCCL(SeqNum=15, OpType=ALLREDUCE, Timeout(ms)=1200000) ran for 1200027 milliseconds before timing out.\n"
        alarm = self.worst(self.ranks([steps + "Saving the checkpoint\n"] + [steps + watchdog % (rank, rank) for rank in (1, 2, 3)]))
        self.assertEqual(alarm["cause"], {"code": "gave_up_waiting", "role": "victim", "waited_for": [0]})
        self.assertNotIn(0, alarm["ranks"])
        self.assertIn("gave up waiting for rank 0 after 20 min", alarm["text"])

    def test_one_file_of_all_ranks_is_divided_by_its_prefixes(self):
        lines = ["[default%d]:step %d loss %d.5\n" % (rank, step, rank) for step in range(1, 20) for rank in range(3)]
        lines += ["[default2]:[rank2]: Traceback (most recent call last):\n", "[default0]:step 20 loss 0.5\n",
                  "[default2]:[rank2]:   File \"train.py\", line 3, in <module>\n", "[default2]:[rank2]: ValueError: no luck\n"]
        job = self.ranks(["", "", ""], logs={"path": self.write("all.log", "".join(lines))})
        status = self.status(job)
        self.assertEqual([(rank["rank"], rank["step"], rank["loss"]) for rank in status["ranks"]], [(0, 20, 0.5), (1, 19, 1.5), (2, 19, 2.5)])
        self.assertEqual(status["alarms"][0]["ranks"], [2])
        self.assertIn("ValueError: no luck", status["alarms"][0]["text"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
