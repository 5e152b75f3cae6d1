# SPDX-License-Identifier: GPL-3.0-or-later
"""`rankdeckctl checkpoints DIR --prove SET` with real PyTorch (Debian's, CPU) as the framework. The sets load, have values that are
not finite, have a pickle that wants to run something, or need a package that the node lacks. Usage: --bin DIR
"""
import argparse
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testbed"))
from checks import check  # noqa: E402
from scratch import Scratch  # noqa: E402

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
PYTHON = "/usr/bin/python3"
SAVE = '''import os, sys, torch
out = sys.argv[1]
torch.manual_seed(0)
model = torch.nn.Linear(8, 8)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
model(torch.ones(2, 8)).sum().backward()
optimizer.step()

class Runs:
    def __reduce__(self):
        return os.system, ("touch " + out + "/it-ran",)

def save(folder, rank, change=None, **more):
    state = {"global_step": 10, "lr": 0.01, "model": {k: v.clone() for k, v in model.state_dict().items()}, "optimizer": optimizer.state_dict(), **more}
    if change:
        change(state["model"])
    os.makedirs("%s/%s/rank_%d" % (out, folder, rank), exist_ok=True)
    torch.save(state, "%s/%s/rank_%d/step_10.pt" % (out, folder, rank))

for rank in (0, 1):
    save("same", rank)
    save("differs", rank, lambda m: m["bias"].fill_(3) if rank else None)
    save("nan", rank, lambda m: m["weight"].view(-1)[:3].fill_(float("nan")))
    save("runs", rank, extra=Runs())
'''


class Prove:
    def __init__(self, binaries, python_first, state):
        self.program = os.path.join(binaries, "rankdeckctl")
        self.env = dict(os.environ, XDG_STATE_HOME=state, PATH=python_first + os.pathsep + os.environ["PATH"], OMP_NUM_THREADS="1")

    def newest(self, directory):
        report = subprocess.run([self.program, "checkpoints", directory, "--json"], env=self.env, capture_output=True)
        return json.loads(report.stdout)["sets"][0]["id"]

    def ask(self, directory):
        """Exit code and proofs of the newest set."""
        name = self.newest(directory)
        asked = subprocess.run([self.program, "checkpoints", directory, "--prove", name, "--json"], env=self.env, capture_output=True)
        chosen = next(one for one in json.loads(asked.stdout)["sets"] if one["id"] == name)
        return asked.returncode, [member["proof"] for member in chosen["members"] if "proof" in member]

    def shown(self, directory):
        """The same for a terminal."""
        asked = subprocess.run([self.program, "checkpoints", directory, "--prove", self.newest(directory)], env=self.env, capture_output=True, text=True)
        return asked.returncode, asked.stdout


def prove_torch(scene, out):
    subprocess.run([PYTHON, "-c", SAVE, out], check=True)
    code, proofs = scene.ask(out + "/same")
    check(code == 0 and len(proofs) == 2, "a set of torch loads: %s" % proofs)
    for proof in proofs:
        check(proof["error"] is None and proof["tensors"] == 8 and proof["non_finite"] == 0 and proof["step"] == 10, "every tensor and the step: %s" % proof)
        check(proof["by"].startswith("torch "), "by the framework itself: " + proof["by"])
        check(len(proof["hashes"]) == 8 and proof["hash"], "a hash for each tensor")
    check(proofs[0]["hashes"] == proofs[1]["hashes"], "replicas have the same hashes")
    check(all(proof["loaded"] is None for proof in proofs), "what was loaded now says no other time")
    code, kept = scene.ask(out + "/same")
    check(code == 0 and all(proof["loaded"] for proof in kept), "what has not changed is not loaded again: %s" % kept)
    check([dict(proof, loaded=None) for proof in kept] == proofs, "and says the same")
    os.utime(out + "/same/rank_1/step_10.pt")
    code, kept = scene.ask(out + "/same")
    check(code == 0 and [proof["loaded"] is None for proof in kept] == [False, True], "only what has changed is")
    code, proofs = scene.ask(out + "/differs")
    unlike = [name for name, made in proofs[0]["hashes"].items() if proofs[1]["hashes"][name] != made]
    check(unlike == ["model.bias"], "the one that differs has another hash: %s" % unlike)
    code, text = scene.shown(out + "/differs")
    check("in 1 of 8 tensors, model.bias first" in text, "and is named: " + text)
    code, proofs = scene.ask(out + "/nan")
    check(code == 1 and proofs[0]["non_finite"] == 3 and scene.ask(out + "/nan")[0] == 1, "values that are not finite are counted, and the answer is no")
    code, proofs = scene.ask(out + "/runs")
    check(code == 1 and proofs[0]["error"] and not proofs[0]["hash"], "a pickle that needs code is refused: %s" % proofs[0]["error"])
    check(not os.path.exists(out + "/it-ran"), "and nothing of it ran")
    path = out + "/same/rank_1/step_10.pt"
    with open(path, "r+b") as file:
        file.truncate(os.path.getsize(path) // 2)
    code, proofs = scene.ask(out + "/same")
    check(code == 1 and [proof["error"] is None for proof in proofs] == [True, False], "a cut file is not loaded")


def prove_distributed(scene, out):
    has = subprocess.run([PYTHON, "-c", "import torch.distributed.checkpoint"], capture_output=True).returncode == 0
    shutil.copytree(os.path.join(DATA, "torch/dcp/step-100"), out + "/dcp/step-100")
    code, proofs = scene.ask(out + "/dcp")
    if has:
        check(code == 0 and proofs[0]["tensors"] > 0 and proofs[0]["non_finite"] == 0, "a distributed set loads: %s" % proofs)
    else:  # that of torch before 2.0
        check(code == 3 and "framework is not installed" in proofs[0]["error"], "what this torch has not got is no proof against a set: " + proofs[0]["error"])


def prove_safetensors(binaries, out):
    sample = os.path.join(DATA, "huggingface/trainer/checkpoint-24")
    shutil.copytree(sample, out + "/hf/checkpoint-24")
    for name in ("optimizer.pt", "rng_state.pth", "scheduler.pt", "training_args.bin"):  # only the weights are loaded here
        if os.path.exists(out + "/hf/checkpoint-24/" + name):
            os.remove(out + "/hf/checkpoint-24/" + name)
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", out + "/bare"], check=True)
    code, proofs = Prove(binaries, out + "/bare/bin", out + "/state").ask(out + "/hf")
    check(code == 3 and "framework is not installed" in proofs[0]["error"], "without the library the answer is neither yes nor no: " + proofs[0]["error"])
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", out + "/library", "safetensors", "numpy"], check=True)
    scene = Prove(binaries, os.path.dirname(sys.executable), out + "/state")
    scene.env["PYTHONPATH"] = out + "/library"
    code, proofs = scene.ask(out + "/hf")
    check(code == 0 and proofs[0]["by"].startswith("safetensors ") and proofs[0]["tensors"] > 0, "weights of safetensors load: %s" % proofs)
    check(proofs[0]["hashes"], "with a hash for each")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    binaries = os.path.abspath(parser.parse_args().bin)
    with Scratch(prefix="rankdeck-prove-test-") as out:
        scene = Prove(binaries, os.path.dirname(PYTHON), out + "/state")
        prove_torch(scene, out)
        prove_distributed(scene, out)
        prove_safetensors(binaries, out)


if __name__ == "__main__":
    main()
