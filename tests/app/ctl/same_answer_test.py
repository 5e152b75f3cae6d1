# SPDX-License-Identifier: GPL-3.0-or-later
"""The same files, asked in five ways, have one answer: checkpoints DIR, checkpoints --job, status, resume --dry-run, inspect.

Over the real directories of tests/data, each whole, with a file dropped and with one cut."""
import json
import os
import shutil
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testbed"))
from scratch import Scratched  # noqa: E402

BIN = sys.argv[sys.argv.index("--bin") + 1]
DATA = sys.argv[sys.argv.index("--data") + 1]
CTL = os.path.join(BIN, "rankdeckctl")
CORPUS = ("torch/per_rank", "torch/dcp/step-100", "huggingface/trainer", "huggingface/sharded", "deepspeed/zero1-bf16", "deepspeed/zero3",
          "megatron/legacy-layout", "megatron/torch_dist", "mindspore/dp4/2.7.0/resume", "mindspore/dp4/2.7.0/suffix", "tensorflow/saver-v2",
          "tensorflow/tf2-manager", "numpy")


def ctl(*words):
    done = subprocess.run([CTL, "--json", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=300)
    return done.returncode, json.loads(done.stdout.decode() or "{}"), done.stderr.decode()


def settle(directory):
    """Sets the times to hours ago, in the order of the steps and with the marks last: no file seems to be in use."""
    begun, files = time.time() - 7200, []
    for folder, _, names in os.walk(directory):
        files += [os.path.join(folder, name) for name in names]
    last = (".metadata", "metadata.json", "trainer_state.json", "latest_checkpointed_iteration.txt", "latest", "checkpoint")
    files.sort(key=lambda path: (os.path.basename(path) in last, path))
    for number, path in enumerate(files):
        os.utime(path, (begun + number, begun + number), follow_symlinks=False)


def changes(directory):
    """Paths of one file for each kind of name, in the newest set that has it."""
    chosen = {}
    for folder, _, names in os.walk(directory):
        for name in names:
            kind = "".join(c for c in name if not c.isdigit())
            chosen[kind] = max(chosen.get(kind, ""), os.path.relpath(os.path.join(folder, name), directory))
    return sorted(chosen.values())[:4]


class SameAnswer(Scratched, unittest.TestCase):
    def ask(self, directory, about):
        _, looked, message = ctl("checkpoints", directory)
        self.assertIn("sets", looked, about + message)
        ranks = max(1, looked["world_size"])
        job = directory + ".json"
        with open(job, "w") as file:
            json.dump({"rankdeck": 1, "name": "same", "world_size": ranks, "nodes": [{"name": "node", "host": "local", "ranks": list(range(ranks))}],
                       "logs": {"path": directory + ".logs/rank_{rank}.log"}, "checkpoints": {"path": directory},
                       "launch": {"recipe": "command", "command": ["python3", "train.py", "--resume", "{checkpoint}"]}}, file)
        state = ["--state-dir", directory + ".state", "--job", job]
        _, watched, message = ctl("checkpoints", *state)
        _, status, _ = ctl("status", *state)
        _, resume, _ = ctl("resume", "--dry-run", *state)
        told = lambda report: sorted((sorted({member["path"] for member in one["members"] if member["path"]}), one["verdict"]) for one in report["sets"])
        self.assertEqual(told(looked), told(watched), about + message)
        chosen = {one["id"]: sorted({m["path"] for m in one["members"] if m["path"]}) for one in watched["sets"]}
        before = {one["id"]: sorted({m["path"] for m in one["members"] if m["path"]}) for one in looked["sets"]}
        self.assertEqual(before.get(looked["recommended"]), chosen.get(watched["recommended"]), about)
        self.assertEqual(status.get("newest_valid"), watched["recommended"], about)
        if resume.get("set"):
            self.assertEqual(resume["set"], watched["recommended"], about)
        else:
            self.assertIsNone(watched["recommended"], about + json.dumps(resume)[:800])
        torn = {m["path"] for one in watched["sets"] for m in one["members"] if m["state"] == "torn"}
        valid = {m["path"] for one in watched["sets"] for m in one["members"] if one["verdict"] == "VALID"}
        for path in sorted(torn)[:2]:
            self.assertEqual(ctl("inspect", path)[0], 1, about + path)
        for path in sorted(valid - torn)[-2:]:
            self.assertEqual(ctl("inspect", path)[0], 0, about + path)
        return len(watched["sets"])

    def one(self, name, number, path, how, scratch):
        directory = os.path.join(scratch, "%d-%s" % (number, name.replace("/", "-")), "ckpt")
        shutil.copytree(os.path.join(DATA, name), directory, symlinks=True, ignore=shutil.ignore_patterns("README*", "*.py"))
        if how == "dropped":
            os.remove(os.path.join(directory, path))
        elif how:
            os.truncate(os.path.join(directory, path), os.path.getsize(os.path.join(directory, path)) // 2)
        settle(directory)
        return self.ask(directory, "%s, %s %s: " % (name, path, how))

    def test_five_ways_to_ask_give_one_answer(self):
        scratch = self.scratch(prefix="rankdeck-same-")
        cases = []
        for name in CORPUS:
            cases.append((name, "", ""))
            paths = [path for path in changes(os.path.join(DATA, name)) if not path.endswith((".md", ".py"))]
            cases += [(name, path, how) for path, how in zip(reversed(paths), ("dropped", "cut"))]
        with ThreadPoolExecutor(4) as pool:
            sets = list(pool.map(lambda case: self.one(case[1][0], case[0], case[1][1], case[1][2], scratch), enumerate(cases)))
        self.assertGreater(len(cases), 35)
        self.assertGreater(sum(sets), 60)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
