# SPDX-License-Identifier: GPL-3.0-or-later
"""`rankdeckctl exit` with a console that is killed at each of its steps and started again, and with two consoles at one job. On a
demo cluster, real sshds. Usage: --bin DIR"""
import json
import os
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testbed"))
from scratch import Scratched  # noqa: E402

CTL = os.path.join(sys.argv[sys.argv.index("--bin") + 1], "rankdeckctl")


def until(what, test, seconds=120):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = test()
        if found:
            return found
        time.sleep(0.02)  # wait: poll
    raise AssertionError("not in time: " + what)


class Demo(Scratched, unittest.TestCase):
    def setUp(self):
        self.directory = self.scratch(prefix="rankdeck-exit-")
        self.journal = os.path.join(self.directory, "state", "journal.jsonl")
        self.demo = subprocess.Popen([CTL, "--json", "demo", "--ranks", "2", "--nodes", "2", "--step-seconds", "0.2"],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(self.end)
        self.started = json.loads(self.demo.stdout.readline())
        self.addCleanup(lambda: self.keep(self.started["directory"]))  # before it ends
        with open(self.started["job"]) as file:
            self.job = json.load(file)
        path = os.path.join(self.directory, "job.rankdeck.json")
        with open(path, "w") as file:
            json.dump(self.job, file)
        self.words = [CTL, "--json", "--job", path, "--state-dir", os.path.dirname(self.journal)]
        until("a VALID set", lambda: self.ctl("checkpoints")[0] == 0)

    def end(self):
        self.demo.send_signal(signal.SIGINT)
        self.assertEqual(self.demo.wait(60), 130)
        self.demo.stdout.close()
        self.demo.stdin.close()

    def ctl(self, *arguments):
        done = subprocess.run(self.words + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=180)
        return done.returncode, json.loads(done.stdout)

    def start(self, *arguments):
        return subprocess.Popen(self.words + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)

    def entries(self, kind="exit"):
        if not os.path.exists(self.journal):
            return []
        with open(self.journal) as file:
            return [entry for entry in map(json.loads, file.read().splitlines()) if entry["kind"] == kind]

    def kill_at(self, state):
        """Starts an exit and kills its console, with SIGKILL, as soon as the journal has this entry; returns the action."""
        before = {entry["action"] for entry in self.entries()}
        console = self.start("exit", "--wait", "120")

        def reached():
            found = [entry for entry in self.entries() if entry["action"] not in before and entry["state"] == state]
            return found or console.poll() is not None
        until(state, reached)
        console.kill()
        console.communicate()
        return next(entry["action"] for entry in self.entries() if entry["action"] not in before)

    def flags(self):
        values = []
        for node in self.job["nodes"]:
            with open(self.job["graceful_exit"]["config"].replace("{node}", node["name"])) as file:
                values.append(json.load(file)["GracefulExit"])
        return values

    def finished_by_the_next(self, action):
        code, out = self.ctl("exit", "--wait", "120")
        self.assertIn((code, out["outcome"]), ((0, "stopped"), (1, "refused")), out["text"])
        if out["outcome"] == "refused":  # it was over before: nothing runs, and leftovers are cleaned up
            self.assertIn("not_running", [finding["code"] for finding in out["preflight"]], out["text"])
        self.assertEqual(self.flags(), [0, 0])
        status = self.ctl("status")[1]
        self.assertEqual((status["armed"], status["exits_in_progress"]), (False, []))
        self.assertEqual([rank["alive"] for rank in status["ranks"]], [False, False])
        self.is_over(action)

    def is_over(self, action):
        last = [entry for entry in self.entries() if entry["action"] == action][-1]
        # A console that is killed late has armed already: the next console finds no running rank.
        over = ("finished", "stopped") + (("refused",) if "found no process" in last["text"] else ())
        self.assertIn(last["state"], over, last["text"])


class KilledConsole(Demo):
    def test_before_and_while_it_arms(self):
        first = self.kill_at("planned")
        second = self.kill_at("arming")
        self.finished_by_the_next(second)
        self.is_over(first)

    def test_when_ranks_have_answered(self):
        self.finished_by_the_next(self.kill_at("progress"))

    def test_while_it_takes_the_flag_back(self):
        self.finished_by_the_next(self.kill_at("resetting"))


class EndedResume(Demo):
    def test_its_act_is_answered(self):
        code, out = self.ctl("exit", "--wait", "120")
        self.assertEqual((code, out["outcome"]), (0, "stopped"), out["text"])
        console = self.start("resume", "--wait", "120")
        until("started", lambda: [entry for entry in self.entries("resume") if entry["state"] == "started"])
        console.send_signal(signal.SIGINT)
        out = json.loads(console.communicate(timeout=120)[0])
        # on a slow machine the proof may be complete before the signal arrives
        self.assertIn((console.returncode, out["outcome"]), ((130, "launched"), (130, "proven"), (0, "proven")), out["text"])
        if out["outcome"] == "launched":
            self.assertIn("stopped watching", out["text"])


class Arguments(unittest.TestCase):
    def test_times_out_of_range_are_usage_errors(self):
        for seconds in ("-1", "inf", "-inf", "nan", "1e300", "31536001", "99999999999", "soon"):
            for words in (["exit", "--wait=" + seconds], ["resume", "--wait=" + seconds], ["watch", "--for=" + seconds],
                          ["--timeout=" + seconds, "status"]):
                done = subprocess.run([CTL, "--job", "/nothing.rankdeck.json"] + words, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True, timeout=60)
                self.assertEqual(done.returncode, 2, (words, done.stderr))
                self.assertRegex(done.stderr, "--(wait|for|timeout)", words)


class NodesThatAreNotLive(Scratched, unittest.TestCase):
    """An action is always answered by its document, even if it could not begin."""
    def acts(self, said):
        directory = self.scratch(prefix="rankdeck-exit-")
        kubectl, path = os.path.join(directory, "kubectl"), os.path.join(directory, "a.rankdeck.json")
        with open(kubectl, "w") as file:
            file.write("#!/bin/sh\necho '%s' >&2\nexit 1\n" % said)
        os.chmod(kubectl, 0o755)
        with open(path, "w") as file:
            json.dump({"rankdeck": 1, "name": "a", "world_size": 1, "paths_shared": True, "kubernetes": {"kubectl": kubectl},
                       "nodes": [{"name": "p0", "host": "k8s:vcjob/a:main", "ranks": [0]}, {"name": "console", "host": "local", "ranks": []}],
                       "logs": {"path": directory + "/{rank}.log"}, "checkpoints": {"path": directory},
                       "graceful_exit": {"configmap": "reset-config-a"},
                       "launch": {"recipe": "volcano", "submit_on": "console", "workdir": directory, "command": ["true", "{checkpoint}"],
                                  "volcano": {"image": "a:1"}}}, file)
        for words in (["exit"], ["exit", "--dry-run"], ["exit", "--cancel"], ["resume"], ["resume", "--dry-run"]):
            done = subprocess.run([CTL, "--json", "--job", path, "--state-dir", directory, "--timeout", "20"] + words, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, timeout=120)
            self.assertNotEqual(done.stdout, "", (words, done.stderr))
            yield words, done.returncode, json.loads(done.stdout)

    def test_an_api_server_that_is_away(self):
        for words, code, out in self.acts("The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?"):
            self.assertEqual((code, out["outcome"]), (3, "refused"), (words, out["text"]))
            self.assertIn("the API server does not answer", out["text"], words)

    def test_a_pod_that_is_no_more(self):
        for words, code, out in self.acts('Error from server (NotFound): pods "a" not found'):
            # kubectl knows no ConfigMap either: there is nothing to take back
            self.assertEqual(out["outcome"], "cancelled" if "--cancel" in words else "refused", (words, out["text"]))
            if words[0] == "resume":   # the pod need not be back: only a set is missing
                found = [finding for finding in out["preflight"] if finding["code"] == "node_not_live"]
                self.assertEqual((code, [finding["result"] for finding in found]), (1, ["warn"] * len(found)), out["preflight"])
                self.assertTrue(found and all("has no pod" in finding["text"] for finding in found), out["preflight"])


class SeveralConsoles(Demo):
    def test_dry_runs_closed_terminals_and_two_consoles(self):
        self.dry_run_tells_price_and_ladder()
        self.demo.stdin.write("hang:0\nhang:1\n")  # a rank that only waits for the other one would give up
        self.demo.stdin.flush()
        # A terminal that closes, Ctrl-\ and Ctrl-C.
        for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGINT):
            self.ended_by(number)
        self.the_second_sees_the_first_and_can_cancel_it()

    def armed_exit(self):
        before = {entry["action"] for entry in self.entries()}
        console = self.start("exit", "--wait", "170")
        armed = lambda: [entry for entry in self.entries() if entry["state"] == "armed" and entry["action"] not in before]
        until("armed", lambda: armed() or console.poll() is not None)
        self.assertTrue(armed(), console.poll() is not None and json.loads(console.communicate()[0])["text"])
        self.assertEqual(self.flags(), [1, 1])
        return console

    def ended_by(self, number):
        console = self.armed_exit()
        console.send_signal(number)
        out = json.loads(console.communicate(timeout=120)[0])
        self.assertEqual(console.returncode, 130)
        self.assertEqual((out["outcome"], out["flag_reset"], out["left"]), ("cancelled", True, []), out["text"])
        self.assertEqual(self.flags(), [0, 0])

    def the_second_sees_the_first_and_can_cancel_it(self):
        first = self.armed_exit()
        status = self.ctl("status")[1]
        self.assertTrue(status["armed"])
        self.assertTrue(all(flag["since"] for flag in status["graceful_exit"]))
        seen = status["exits_in_progress"]
        self.assertEqual([(exit["state"], exit["live"]) for exit in seen], [("armed", True)])
        code, out = self.ctl("exit", "--wait", "20")
        self.assertEqual((code, out["outcome"]), (1, "refused"))
        self.assertIn("other_console", [finding["code"] for finding in out["preflight"]])
        self.assertIn("armed by " + seen[0]["action"] + " at ", out["text"])
        code, out = self.ctl("exit", "--cancel")
        self.assertEqual((code, out["outcome"]), (0, "cancelled"), out["text"])
        self.assertEqual(self.flags(), [0, 0])
        told = json.loads(first.communicate(timeout=120)[0])
        self.assertEqual(told["outcome"], "cancelled", told["text"])
        self.assertIn("taken the request back", told["text"])
        self.assertEqual(self.ctl("status")[1]["exits_in_progress"], [])

    def dry_run_tells_price_and_ladder(self):
        code, out = self.ctl("exit", "--dry-run")
        self.assertIn("answer_seconds", out["price"])  # null until a step was timed
        self.assertEqual((code, out["outcome"], out["way"]), (0, "dry_run", "config"))
        self.assertEqual(out["price"]["graceful"], {"steps": 0, "seconds": 0, "device_hours": 0})
        self.assertGreaterEqual(out["price"]["kill"]["steps"], 0)
        self.assertEqual([rung["rung"] for rung in out["ladder"]], ["graceful", "term", "kill"])
        for rung in out["ladder"][1:]:
            self.assertEqual({process["rank"] for process in rung["processes"]} - {None}, {0, 1})
            self.assertTrue(all(process["pid"] > 1 and process["group"] > 1 and process["start_ticks"] for process in rung["processes"]))
            self.assertEqual(set(rung["price"]), {"steps", "seconds", "device_hours"})
        self.assertEqual(self.flags(), [0, 0])


if __name__ == "__main__":
    at = sys.argv.index("--bin")
    unittest.main(argv=sys.argv[:at] + sys.argv[at + 2:], verbosity=2)
