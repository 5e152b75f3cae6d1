# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of rankdeckctl: keys, exit codes, refusals; on a demo cluster, real sshds and real files."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testbed"))
from checks import wait_for  # noqa: E402
from scratch import Scratched  # noqa: E402

BIN = sys.argv[sys.argv.index("--bin") + 1]
DATA = sys.argv[sys.argv.index("--data") + 1]
CTL = os.path.join(BIN, "rankdeckctl")
VERDICTS = {"VALID", "VALID-UNPROVEN", "IN-PROGRESS", "INCOMPLETE", "INCONSISTENT", "CORRUPT", "UNKNOWN"}
STATES = {"ok", "missing", "in_progress", "torn", "mismatch", "unreadable", "replica", "unknown"}


def ctl(*arguments, text=False):
    words = [CTL] + ([] if text else ["--json"]) + list(arguments)
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=180)
    out = done.stdout.decode()
    return done.returncode, (out if text or not out.strip() else json.loads(out)), done.stderr.decode()


class Scratch(Scratched, unittest.TestCase):
    def setUp(self):
        self.directory = self.scratch(prefix="rankdeck-ctl-")
        self.state = ["--state-dir", os.path.join(self.directory, "state")]

    def write(self, name, text):
        path = os.path.join(self.directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path


class Usage(Scratch):
    def test_help_and_version(self):
        self.assertEqual(ctl("--help", text=True)[0], 0)
        self.assertIn("rankdeckctl", ctl("--version", text=True)[1])
        code, out, _ = ctl("--help-all", text=True)
        for command in ("status", "watch", "checkpoints", "inspect", "exit", "resume", "keep", "journal", "demo", "discover", "report"):
            self.assertIn(command, out)

    def test_wrong_use_is_2(self):
        for words in ([], ["frobnicate"], ["status"], ["exit", "--escalate", "gently"], ["status", "--job", "/none.json"], ["watch", "--for", "-1"], ["discover"], ["report"]):
            self.assertEqual(ctl(*words, text=True)[0], 2, words)

    def test_the_job_file_is_named_with_or_without_its_option(self):
        for command in ("status", "watch", "checkpoints", "stacks", "exit", "resume", "report"):
            for words in ([command, "/none.rankdeck.json"], [command, "--job", "/none.rankdeck.json"]):
                code, out, message = ctl(*words, text=True)
                self.assertEqual((code, out), (2, ""), words)
                self.assertIn("/none.rankdeck.json", message, words)
        self.assertEqual(ctl("status", "/a.rankdeck.json", "--job", "/b.rankdeck.json", text=True)[0], 2)

    def test_a_slip_in_a_commands_name_is_answered_with_the_command(self):
        code, out, message = ctl("statsu", "--job", "x", text=True)
        self.assertEqual((code, out), (2, ""))
        self.assertIn('there is no command "statsu"; did you mean "status"?', message)
        self.assertIn("--help", ctl("frobnicate", text=True)[2])

    def test_a_slip_in_an_options_name_is_answered_with_the_option(self):
        code, out, message = ctl("exit", "--wiat", "5", text=True)
        self.assertEqual((code, out), (2, ""))
        self.assertIn('there is no option "--wiat"; did you mean "--wait"?', message)
        self.assertIn('did you mean "--ssh-config"', ctl("status", "--ssh-confg=x", text=True)[2])
        self.assertNotIn("did you mean", ctl("status", "--frobnicate", text=True)[2])

    def test_completion_knows_every_command_and_option(self):
        parts = {"": ctl("--help", text=True)[1]}
        for command in re.findall(r"^  ([a-z]+) {2,}", parts[""].split("Subcommands:")[1], re.M):
            parts[command] = ctl(command, "--help", text=True)[1]
        self.assertGreater(len(parts), 10)
        for shell in ("bash", "zsh", "fish"):
            code, script, _ = ctl("completion", shell, text=True)
            self.assertEqual(code, 0)
            for command, text in parts.items():
                self.assertIn(command, script)
                for option in re.findall(r"^ +(?:-\w,)?(--[a-z][a-z-]+)", text, re.M):
                    self.assertIn(" -l " + option[2:] if shell == "fish" else option, script, (shell, command))
        self.assertEqual(ctl("completion", "csh", text=True)[0], 2)

    def test_bash_completes(self):
        script = self.write("completion.bash", ctl("completion", "bash", text=True)[1])
        os.makedirs(os.path.join(self.directory, ".ssh"))
        with open(os.path.join(self.directory, ".ssh", "config"), "w") as config:
            config.write("Host ascend-01 ascend-02\nHost *\n  User lin\n")
        self.write("lenet.rankdeck.json", "{}")

        def completed(*words):
            line = 'compopt() { :; }; . "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rankdeckctl; printf "%s\\n" "${COMPREPLY[@]}"'
            done = subprocess.run(["bash", "-c", line, "bash", script, "rankdeckctl", *words], cwd=self.directory, stdout=subprocess.PIPE,
                                  env=dict(os.environ, HOME=self.directory), check=True)
            return sorted(done.stdout.decode().split())

        self.assertEqual(completed("st"), ["stacks", "status"])
        self.assertEqual(completed("exit", "--esc"), ["--escalate"])
        self.assertEqual(completed("exit", "--escalate", ""), ["kill", "term"])
        self.assertEqual(completed("discover", "asc"), ["ascend-01", "ascend-02"])
        self.assertEqual(completed("status", "--job", "len"), ["lenet.rankdeck.json"])
        self.assertEqual(completed("status", "--set"), [])

    def test_a_journal_with_nothing_in_it_says_so(self):
        code, out, message = ctl("journal", *self.state, text=True)
        self.assertEqual((code, out), (0, ""))
        self.assertIn("no action from this machine yet", message)
        self.assertEqual(ctl("journal", *self.state)[1]["entries"], [])

    def test_a_bad_job_file_names_line_key_expected_found(self):
        job = self.write("j.json", '{"rankdeck": 1, "name": "x",\n "nodes": [{"host": "h", "ranks": "all"}]}')
        code, _, message = ctl("--job", job, "status", *self.state)
        self.assertEqual(code, 2)
        self.assertIn("j.json:2: nodes[0].ranks: expected an array of ranks", message)


class Unreachable(Scratch):
    def job(self, **node):
        return self.write("j.json", json.dumps({"rankdeck": 1, "name": "x", "nodes": [node]}))

    def test_a_closed_port_is_3(self):
        code, out, message = ctl("--job", self.job(host="nobody@127.0.0.1:1", ranks=[0]), "--timeout", "20", "status", *self.state)
        self.assertEqual(code, 3)
        self.assertIn(out["nodes"][0]["state"], ("lost", "connecting"))
        self.assertIn("refused", message.lower() + out["nodes"][0]["reason"].lower())

    def test_checkpoints_of_a_node_that_is_not_reached_are_unknown(self):
        job = self.job(host="nobody@127.0.0.1:1", ranks=[0])
        code, out, _ = ctl("--job", job, "--timeout", "20", "checkpoints", *self.state, text=True)
        self.assertEqual(code, 3)
        self.assertIn("cannot tell whether", out)
        self.assertNotIn("no checkpoint found", out)
        self.assertNotIn("nothing VALID", out)

    def test_missing_python_is_reported(self):
        code, out, _ = ctl("--job", self.job(host="local", ranks=[0], python="/nonexistent/python3"), "status", *self.state)
        self.assertIn(out["nodes"][0]["state"], ("live", "unsupported"))

    def test_a_local_job_without_anything_still_has_a_status(self):
        code, out, message = ctl("--job", self.job(host="local", ranks=[0]), "status", *self.state)
        self.assertEqual(code, 0, message)
        self.assertEqual(out["nodes"][0]["state"], "live")
        self.assertFalse(out["armed"])
        self.assertIsNone(out["newest_valid"])

        self.assertEqual((out["settled"], out["awaited"]), (True, []))

    def test_an_incomplete_status_says_what_it_awaits(self):
        job = self.job(name="n0", host="local", ranks=[0])
        code, out, _ = ctl("--job", job, "--timeout", "0", "status", *self.state)
        self.assertEqual((code, out["settled"], out["awaited"]), (3, False, ["n0 to answer"]))
        code, text, message = ctl("--job", job, "--timeout", "0", "status", *self.state, text=True)
        self.assertEqual(code, 3, message)
        self.assertIn("waiting for: n0 to answer", text)
        self.assertIn("newest VALID set: none known", text)

    def test_other_values_of_loss_lines_are_reported(self):
        """MindFormers' lines: learning rate, gradient norm, loss scale, step time, throughput, and remaining time."""
        line = ("2025-04-07 15:34:2%d,308 - mindformers./output/log[mindformers/core/callback/callback.py:529] - INFO - { Epoch:[  2/  3], step:[    %d/   20], "
                "loss: 5.500, per_step_time: 500ms, lr: 1.5e-05, overflow cond: False, loss_scale: 65536.0, global_norm: [0.75], train_throughput_per_npu: 171.250T\n")
        log = self.write("worker_0.log", "".join(line % (step, step) for step in (1, 2, 3, 4)))
        job = self.write("j.json", json.dumps({"rankdeck": 1, "name": "x", "nodes": [{"host": "local", "ranks": [0], "env": {}}], "logs": {"path": log}}))
        code, out, message = ctl("--job", job, "status", *self.state)
        self.assertEqual(code, 0, message)
        rank = out["ranks"][0]
        self.assertEqual(rank["metrics"], {"lr": 1.5e-05, "grad_norm": 0.75, "loss_scale": 65536.0, "step_seconds": 0.5, "throughput": 171.25})
        self.assertEqual(rank["progress"], {"step": 24, "total": 60, "eta_seconds": 18.0})
        self.assertIsNone(rank["fault_tolerance"])  # no process, so no environment
        watch = subprocess.Popen([CTL, "--json", "--job", job, "watch", "--for", "60", *self.state], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.addCleanup(watch.stdout.close)
        self.addCleanup(watch.wait)
        self.addCleanup(watch.kill)
        for entry in map(json.loads, watch.stdout):
            if entry["type"] == "node" and entry["state"] == "live":
                with open(log, "a") as file:
                    file.write(line % (5, 5))
            if entry["type"] == "sample" and entry["step"] == 5:
                break
        self.assertEqual((entry["type"], entry.get("metrics"), entry.get("total")), ("sample", rank["metrics"], 60))
        # a script that prints none of these values: nulls, never zeros
        plain = self.write("plain.log", "epoch: 1 step: 1, loss is 2.5\nepoch: 1 step: 2, loss is 2.4\n")
        other = self.write("k.json", json.dumps({"rankdeck": 1, "name": "y", "nodes": [{"host": "local", "ranks": [0]}], "logs": {"path": plain}}))
        rank = ctl("--job", other, "status", *self.state)[1]["ranks"][0]
        self.assertEqual({key for key, value in rank["metrics"].items() if value is not None} - {"step_seconds"}, set())
        self.assertIsNone(rank["progress"]["total"])
        self.assertIsNone(rank["progress"]["eta_seconds"])

    def test_fault_tolerance_set_in_a_ranks_environment_is_reported(self):
        log = os.path.join(self.directory, "worker_0.log")
        with open(log, "w") as out:
            out.write("epoch: 1 step: 1, loss is 2.5\n")
            out.flush()
            rank = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdout=out, cwd=self.directory,
                                    env=dict(os.environ, RANK_ID="0", RANK_SIZE="1", MS_ROLE="MS_WORKER", MS_NODE_ID="0", MS_ENABLE_TFT="{TTP:1,UCE:1,ARF: 1}"))
        self.addCleanup(rank.wait)
        self.addCleanup(rank.kill)
        job = self.write("j.json", json.dumps({"rankdeck": 1, "name": "x", "nodes": [{"host": "local", "ranks": [0]}], "logs": {"path": log}}))
        out = ctl("--job", job, "status", *self.state)[1]["ranks"][0]
        self.assertEqual((out["alive"], out["pid"]), (True, rank.pid))
        self.assertEqual(sorted(out["fault_tolerance"]), ["TTP", "UCE"])  # MindSpore does not read "ARF: 1"

    def test_discover_says_which_host_it_could_not_reach(self):
        code, out, message = ctl("discover", "nobody@127.0.0.1:1", "local", "--timeout", "20")
        self.assertEqual(code, 3, message)
        hosts = {host["host"]: host for host in out["hosts"]}
        self.assertFalse(hosts["nobody@127.0.0.1:1"]["reached"])
        self.assertIn("nobody@127.0.0.1:1", message)
        self.assertTrue(hosts["local"]["reached"])
        self.assertIn("ranks", hosts["local"])


class Files(Scratch):
    """Real MindSpore files, no job."""

    def setUp(self):
        super().setUp()
        self.samples = os.path.join(DATA, "mindspore")

    def sample(self, *parts):
        for root, _, names in os.walk(self.samples):
            if all(part in root for part in parts) and any(name.endswith(".ckpt") for name in names):
                return root
        self.fail("no sample with " + "/".join(parts))

    def test_a_directory_is_judged_without_a_job(self):
        code, out, message = ctl("checkpoints", self.sample("append_info", "2.7.0"), *self.state)
        self.assertEqual(code, 0, message)
        self.assertEqual(out["world_size"], 1)
        self.assertIn(out["world_size_from"], ("metadata", "directories"))
        self.assertTrue(out["sets"])
        for found in out["sets"]:
            self.assertIn(found["verdict"], VERDICTS)
            self.assertEqual(set(found) & {"id", "attempt", "kind", "epoch", "step", "global_step", "time", "reasons", "members"},
                             {"id", "attempt", "kind", "epoch", "step", "global_step", "time", "reasons", "members"})
            self.assertTrue(all(member["state"] in STATES for member in found["members"]))
        self.assertEqual((out["sets"][0]["epoch"], out["sets"][0]["step"]), (2, 10))
        self.assertEqual(out["recommended"], out["sets"][0]["id"])
        self.assertEqual({found["verdict"] for found in out["sets"]}, {"VALID"})

    def test_explain_shows_what_was_inferred_for_each_path(self):
        _, out, message = ctl("checkpoints", "--explain", self.sample("append_info", "2.7.0"), *self.state)
        paths = [member["path"] for found in out["sets"] for member in found["members"]]
        self.assertEqual([row["path"] for row in out["table"]], paths, message)
        for row in out["table"]:
            self.assertLessEqual({"path", "save", "rank", "slot", "certainty", "evidence"}, set(row))
            self.assertIn(row["certainty"], ("stated", "inferred", "ambiguous"))
            self.assertTrue(row["evidence"])
            self.assertIn(row["save"], [found["id"] for found in out["sets"]])
        _, out, _ = ctl("checkpoints", self.sample("append_info", "2.7.0"), *self.state)
        self.assertNotIn("table", out)
        empty = os.path.join(self.directory, "empty")
        os.mkdir(empty)
        _, out, _ = ctl("checkpoints", "--explain", empty, *self.state)
        self.assertEqual((out["table"], out["world_size_from"]), ([], "directories"))

    def test_the_option_says_how_many_ranks(self):
        code, out, _ = ctl("checkpoints", "--world-size", "2", self.sample("append_info", "2.7.0"), *self.state)
        self.assertEqual((code, out["world_size"], out["world_size_from"], out["recommended"]), (1, 2, "option", None))
        self.assertEqual(out["sets"][0]["verdict"], "INCOMPLETE")
        self.assertIn(("rank_missing", "whole"), [(reason["code"], reason["law"]) for reason in out["sets"][0]["reasons"]])

    def test_a_torn_file_is_corrupt_and_the_one_before_is_chosen(self):
        copy = os.path.join(self.directory, "rank_0")
        shutil.copytree(self.sample("append_info", "2.7.0"), copy)
        newest = os.path.join(copy, "lenet-2_10.ckpt")
        os.chmod(newest, 0o600)
        os.truncate(newest, os.path.getsize(newest) - 10)
        past = time.time() - 3600
        for name in os.listdir(copy):
            os.utime(os.path.join(copy, name), (past, past))
        code, out, _ = ctl("checkpoints", copy, *self.state)
        verdicts = {(found["epoch"], found["step"]): found["verdict"] for found in out["sets"]}
        self.assertEqual(verdicts[(2, 10)], "CORRUPT")
        self.assertEqual(code, 0)
        chosen = next(found for found in out["sets"] if found["id"] == out["recommended"])
        self.assertEqual((chosen["epoch"], chosen["step"]), (2, 5))
        code, out, _ = ctl("inspect", newest, os.path.join(copy, "lenet-2_5.ckpt"))
        self.assertEqual(code, 1)
        self.assertEqual([file["complete"] for file in out["files"]], [False, True])
        self.assertTrue(out["files"][0]["problems"])

    def test_inspect_says_what_is_in_a_file(self):
        code, out, _ = ctl("inspect", os.path.join(self.sample("append_info", "2.7.0"), "lenet-2_10.ckpt"))
        self.assertEqual(code, 0)
        file = out["files"][0]
        self.assertEqual((file["format"], file["complete"]), ("mindspore-ckpt", True))
        self.assertEqual((file["meta"]["epoch_num"], file["meta"]["step_num"], file["meta"]["global_step"]), (2, 20, 20))
        self.assertEqual(file["flags"]["graceful"], False)
        self.assertGreater(file["tensors"], 5)

    def test_a_missing_directory_is_reported(self):
        code, _, message = ctl("checkpoints", os.path.join(self.directory, "none"), *self.state)
        self.assertEqual(code, 2)
        self.assertIn("No such file", message)
        empty = os.path.join(self.directory, "empty")
        os.makedirs(empty)
        code, out, _ = ctl("checkpoints", empty, *self.state)
        self.assertEqual((code, out["sets"], out["recommended"]), (1, [], None))
        self.assertEqual(ctl("inspect", os.path.join(self.directory, "none"))[0], 1)

    def trainer(self):
        """Two saves of a Hugging Face Trainer, trainer_state.json last."""
        run = os.path.join(self.directory, "out")
        shutil.copytree(os.path.join(DATA, "huggingface", "trainer"), run)
        for root, _, names in os.walk(run):
            for name in names:
                os.utime(os.path.join(root, name), (1000, 1001 if name == "trainer_state.json" else 1000))
        return run

    def test_directories_of_other_frameworks(self):
        run = self.trainer()
        code, out, message = ctl("checkpoints", run, *self.state)
        self.assertEqual(code, 0, message)
        self.assertEqual((out["framework"], out["world_size"], out["world_size_from"]), ("pytorch", 2, "metadata"))
        self.assertEqual([(found["global_step"], found["verdict"]) for found in out["sets"]], [(24, "VALID"), (16, "VALID")])
        os.remove(os.path.join(run, "checkpoint-24", "trainer_state.json"))
        code, out, _ = ctl("checkpoints", run, *self.state)
        self.assertEqual(out["sets"][0]["verdict"], "INCOMPLETE")
        self.assertEqual(out["sets"][0]["reasons"][0]["code"], "commit_missing")
        self.assertEqual(out["recommended"], out["sets"][1]["id"])

    def test_inspect_takes_directories_that_are_one_checkpoint(self):
        run = self.trainer()
        dcp = os.path.join(DATA, "torch", "dcp", "step-100")
        code, out, message = ctl("inspect", os.path.join(run, "checkpoint-24"), dcp, run)
        self.assertEqual(code, 1, message)
        self.assertEqual([file["format"] for file in out["files"]], ["hf-sharded", "dcp", "unknown"])
        self.assertEqual(out["files"][0]["complete"], True)
        self.assertEqual(out["files"][0]["meta"]["global_step"], 24)
        self.assertGreater(out["files"][1]["tensors"], 2)

    def test_trackers_are_reported_and_decide_nothing(self):
        run = os.path.join(self.directory, "megatron")
        shutil.copytree(os.path.join(DATA, "megatron", "legacy-layout"), run)
        self.write("megatron/latest_checkpointed_iteration.txt", "300")
        code, out, message = ctl("checkpoints", run, *self.state)
        self.assertEqual(code, 0, message)
        self.assertEqual([(t["kind"], t["code"], t["names"]) for t in out["trackers"]],
                         [("megatron", "tracker_target_missing", "iter_0000300")])
        self.assertIn("iter_0000300", " ".join(out["notes"]))
        self.assertEqual(out["framework"], "megatron")
        self.assertIn("note: latest_checkpointed_iteration.txt", ctl("checkpoints", run, *self.state, text=True)[1])

    def test_the_table_names_the_choice(self):
        code, out, _ = ctl("checkpoints", self.sample("append_info", "2.7.0"), "--explain", *self.state, text=True)
        self.assertIn("newest VALID set", out)
        self.assertIn("2-10", out)


class DemoCluster(Scratch):
    """A demo cluster: two sshd nodes, four ranks."""
    save_steps = "20"

    def setUp(self):
        super().setUp()
        with open(os.path.join(self.directory, "demo.err"), "w") as said:
            self.demo = subprocess.Popen([CTL, "--json", "demo", "--ranks", "4", "--nodes", "2", "--step-seconds", "0.05", "--save-steps", self.save_steps],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True)
        self.addCleanup(self.end)
        self.started = json.loads(self.demo.stdout.readline())
        self.addCleanup(lambda: self.keep(self.started["directory"]))  # before it ends
        self.job = ["--job", self.started["job"]] + self.state

    def end(self):
        if self.demo.poll() is None:
            self.demo.send_signal(signal.SIGINT)
        self.assertEqual(self.demo.wait(60), 130)
        self.demo.stdout.close()
        self.demo.stdin.close()
        self.assertFalse(os.path.exists(self.started["directory"]), "the demo leaves nothing")

    def wait_valid(self):
        def judged():
            code, out, _ = ctl(*self.job, "checkpoints")
            return out if code == 0 else None
        return wait_for("a VALID set", judged)


class Cluster(DemoCluster):
    """The whole story: watch, stop, resume."""

    def test_watch_stop_resume(self):
        watched = subprocess.run([CTL, "--json"] + self.job + ["watch", "--for", "4"], stdout=subprocess.PIPE, timeout=60, check=True)
        lines = [json.loads(line) for line in watched.stdout.splitlines()]
        samples = [line for line in lines if line["type"] == "sample"]
        self.assertEqual({sample["rank"] for sample in samples}, {0, 1, 2, 3})
        self.assertTrue(all({"time", "attempt", "epoch", "step", "global_step", "loss"} <= set(sample) for sample in samples))
        keys = [(sample["rank"], sample["attempt"], sample["epoch"], sample["step"]) for sample in samples]
        self.assertEqual(len(keys), len(set(keys)), "no sample twice")
        judged = self.wait_valid()
        self.assertEqual((judged["world_size"], judged["world_size_from"]), (4, "job"))

        code, status, message = ctl(*self.job, "status")
        self.assertEqual(code, 0, message)
        self.assertEqual([rank["alive"] for rank in status["ranks"]], [True] * 4)
        self.assertIn("steps", status["lost_work"])
        self.assertEqual(status["newest_valid"] is not None, True)

        code, dry, _ = ctl(*self.job, "exit", "--dry-run")
        self.assertEqual((code, dry["outcome"]), (0, "dry_run"))
        self.assertTrue(all(check["result"] in ("ok", "warn", "refuse") for check in dry["preflight"]))
        self.assertFalse(ctl(*self.job, "status")[1]["armed"], "a dry run writes nothing")

        _, said, _ = ctl(*self.job, "exit", "--dry-run", text=True)
        self.assertEqual(said.count("is written into"), 1, "no sentence twice: " + said)
        self.assertIn("the same processes", said)
        _, said, _ = ctl(*self.job, "resume", "--dry-run", text=True)
        self.assertEqual(said.count("found rank 0, pid"), 1, said)
        self.assertNotIn("loaded ?", said, "nothing was launched")

        code, resume, _ = ctl(*self.job, "resume", "--wait", "30")
        self.assertEqual((code, resume["outcome"]), (1, "refused"), "ranks still run")

        code, stopped, message = ctl(*self.job, "exit", "--wait", "90")
        self.assertEqual((code, stopped["outcome"]), (0, "stopped"), message)
        self.assertTrue(stopped["flag_reset"])
        self.assertTrue(all(r["armed"] and r["confirmed"] and r["exited"] and r["saved"]["verdict"] == "VALID" for r in stopped["ranks"]))
        with open(self.started["job"]) as job:
            path = json.load(job)["graceful_exit"]["config"].replace("{node}", "node0")
        with open(path) as config:
            self.assertEqual(json.load(config)["GracefulExit"], 0)

        code, again, _ = ctl(*self.job, "exit", "--wait", "10")
        self.assertEqual((code, again["outcome"]), (1, "refused"), "nothing runs any more")

        code, plan, _ = ctl(*self.job, "resume", "--dry-run")
        self.assertEqual((code, plan["outcome"], plan["set"]), (0, "dry_run", stopped["set"].rstrip("g")), "the end save, not the file that will not load")
        self.assertEqual(sum(len(node["commands"]) for node in plan["plan"]["nodes"]), 4)
        self.assertEqual(ctl(*self.job, "resume", "--set", "9:9-9")[0], 1, "no such set")

        code, resumed, message = ctl(*self.job, "resume", "--wait", "90")
        self.assertEqual((code, resumed["outcome"]), (0, "proven"), message + json.dumps(resumed)[-2000:])
        self.assertTrue(resumed["proof"]["continues"])
        chosen = next(found for found in ctl(*self.job, "checkpoints")[1]["sets"] if found["id"] == resumed["set"])
        self.assertEqual({rank["loaded_global_step"] for rank in resumed["proof"]["ranks"]}, {chosen["global_step"]})

        code, journal, _ = ctl(*self.job, "journal")
        self.assertEqual(code, 0)
        actions = {entry["action"] for entry in journal["entries"]}
        self.assertLessEqual({stopped["journal"], resumed["journal"]}, actions)

        page, note = os.path.join(self.directory, "report.html"), os.path.join(self.directory, "report.md")
        code, report, message = ctl(*self.job, "report", "--html", page, "--md", note)
        self.assertEqual(code, 0, message)
        self.assertEqual((report["html"], report["md"]), (page, note))
        ended = report["incidents"][0]
        self.assertEqual((ended["resume"], ended["lost_steps"], ended["ranks"]), ("proven", 0, []))
        self.assertIsNotNone(ended["stopped"])
        self.assertGreater(ended["seconds_to_first_step"], 0)
        for path, wanted in ((page, "<h1>Incident report: "), (page, "<polyline"), (note, "stopped gracefully by ")):
            with open(path) as file:
                self.assertIn(wanted, file.read())
        self.assertEqual(os.stat(page).st_mode & 0o077, 0, "paths and commands of a cluster are not for everybody")
        self.assertIn("# Incident report", ctl(*self.job, "report", text=True)[1])

    def discover(self, *options):
        """The job of this cluster; others may train on this machine."""
        code, out, message = ctl("discover", "node0", "node1", "--ssh-config", self.started["ssh_config"], *options)
        self.assertEqual(code, 0, message)
        return next(job for job in out["jobs"] if job["ranks"][0]["log"].startswith(self.started["directory"] + "/")), message

    def the_hosts_of_a_slurm_job_are_asked_for_where_slurm_is(self):
        words = [CTL, "discover", "slurm:4711"]
        programs = os.path.join(self.directory, "programs")  # ssh alone
        os.mkdir(programs)
        os.symlink(shutil.which("ssh"), os.path.join(programs, "ssh"))
        home = {"env": {**os.environ, "PATH": programs}, "stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "timeout": 120}
        here = subprocess.run(words, **home)
        self.assertIn("Expected squeue in the PATH of this machine for slurm:4711, found none. Give a host that has it (--via)", here.stderr)
        there = subprocess.run([*words, "--via", "node0", "--ssh-config", self.started["ssh_config"]], **home)
        self.assertNotEqual(there.returncode, 0)
        # with Slurm's programs on this machine, squeue knows no cluster
        self.assertRegex(there.stderr, "Expected squeue in the PATH of node0 for slurm:4711|Slurm job 4711, squeue said: ")

    def test_a_discovered_job_is_watched_stopped_and_resumed(self):
        self.the_hosts_of_a_slurm_job_are_asked_for_where_slurm_is()
        self.wait_valid()
        found, message = self.discover()
        with open(self.started["job"]) as file:
            known = json.load(file)
        job = found["job"]
        self.assertEqual([(n["name"], n["ranks"]) for n in job["nodes"]], [("node0", [0, 1]), ("node1", [2, 3])])
        self.assertEqual(job["world_size"], 4)
        self.assertEqual([rank["rank"] for rank in found["ranks"]], [0, 1, 2, 3])
        for key in ("logs", "checkpoints", "graceful_exit"):
            name = "config" if key == "graceful_exit" else "path"
            self.assertEqual(job[key][name].replace("node{node_index}", "{node}"), known[key][name], message)
        self.assertIn("{checkpoint}", job["launch"]["command"])
        self.assertEqual([note for note in found["notes"] if note["needs_you"]], [])
        directory = os.path.join(self.directory, "found")
        found, message = self.discover("--write", directory)
        self.assertIn(os.path.basename(found["file"]), os.listdir(directory))
        self.job = ["--job", found["file"]] + self.state
        code, judged, message = ctl(*self.job, "checkpoints")
        self.assertEqual((code, judged["world_size"]), (0, 4), message)
        code, stopped, message = ctl(*self.job, "exit", "--wait", "90")
        self.assertEqual((code, stopped["outcome"]), (0, "stopped"), message + json.dumps(stopped)[-2000:])
        exits = [found["verdict"] for found in ctl(*self.job, "checkpoints")[1]["sets"] if found["kind"] == "graceful"]
        self.assertEqual(exits, ["VALID"], "node1 has its exit's files in folders that count devices")
        code, resumed, message = ctl(*self.job, "resume", "--wait", "90")
        self.assertEqual((code, resumed["outcome"]), (0, "proven"), message + json.dumps(resumed)[-2000:])


class SlowSaves(DemoCluster):
    """Each of five sets stays for 50 s: even on a busy machine, the chosen one still exists when it is kept."""
    save_steps = "200"

    def test_a_set_is_kept_and_the_hanging_rank_is_named(self):
        best = self.wait_valid()["recommended"]
        code, out, message = ctl(*self.job, "keep", "--set", best)
        self.assertEqual((code, out["outcome"], out["set"]), (0, "kept", best), message)
        self.assertEqual([node["node"] for node in out["nodes"]], ["node0", "node1"])
        files = [path for node in out["nodes"] for path in node["paths"]]
        self.assertEqual(len(files), 4)
        self.assertTrue(all(os.path.exists(path) for path in files))
        code, again, _ = ctl(*self.job, "keep", "--list")
        self.assertEqual([one["set"] for one in again["sets"]], [best])
        kept = ctl(*self.job, "status")[1]["kept"]
        self.assertEqual((kept["listing"], [(one["set"], one["whole"]) for one in kept["sets"]]), ("listed", [(best, True)]))
        self.assertIn(ctl(*self.job, "keep", "--set", best)[1]["outcome"], ("failed", "refused"))  # kept already, or rotated since
        code, out, _ = ctl(*self.job, "keep", "--set", best, "--remove")
        self.assertEqual((code, out["outcome"]), (0, "removed"))
        self.assertFalse(any(os.path.exists(path) for path in files))
        self.assertEqual(ctl(*self.job, "keep", "--set", "9:9-9")[0], 1)
        self.assertEqual(ctl(*self.job, "keep")[0], 2)
        pid = next(rank["pid"] for rank in ctl(*self.job, "status")[1]["ranks"] if rank["rank"] == 2)
        os.kill(pid, signal.SIGSTOP)
        try:
            code, out, message = ctl(*self.job, "stacks")
        finally:
            os.kill(pid, signal.SIGCONT)
        self.assertEqual((code, out["suspects"]), (0, [2]), message)
        self.assertEqual(sorted(rank for group in out["groups"] for rank in group["ranks"]), [0, 1, 2, 3])
        stopped = next(group for group in out["groups"] if 2 in group["ranks"])
        self.assertEqual((stopped["ranks"], stopped["state"]), ([2], "is stopped"))
        self.assertIn("state T", stopped["evidence"][0])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
