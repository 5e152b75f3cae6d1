# SPDX-License-Identifier: GPL-3.0-or-later
"""`rankdeckctl resume` with the recipe torchrun and real PyTorch (Debian's, CPU). Four DDP-style ranks over gloo, on two "nodes" of
this machine, save torch zips, are killed, and are resumed by two real torchrun agents. Each rank has its own number, logs to its
own file and loads its own checkpoint. Usage: --bin DIR
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testbed"))
from checks import check, wait_for, was_two_minutes_ago  # noqa: E402
from leftovers import end_all  # noqa: E402
from scratch import Scratch  # noqa: E402
from ports import JOBS, free_ports  # noqa: E402
from same_job import check_ended, check_running, discovered  # noqa: E402
from secrets_at_rest import PLANTED, check_secrets  # noqa: E402

RANKS = 4
TRAINER = '''import os, sys, time
import torch
import torch.distributed as dist

rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
dist.init_process_group("gloo")
assert dist.get_rank() == rank and dist.get_world_size() == world
torch.manual_seed(0)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
epoch = 0
for argument in sys.argv[1:]:
    if argument.startswith("--resume="):
        path = argument.split("=", 1)[1]
        state = torch.load(path)
        epoch = state["epoch"]
        model.load_state_dict(state["state_dict"])
        optimizer.load_state_dict(state["optimizer"])
        print("=> loaded checkpoint '%s' (epoch %d, global_step %d)" % (path, epoch, state["global_step"]), flush=True)
out = "ckpt/rank_%d" % rank
os.makedirs(out, exist_ok=True)
while True:
    epoch += 1
    for step in range(1, 6):
        data = torch.arange(8.).reshape(2, 4) / 8 + rank * 0.01
        loss = (model(data) - 1).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            dist.all_reduce(parameter.grad)
            parameter.grad /= world
        optimizer.step()
        print("epoch: %d step: %d, loss is %.6f" % (epoch, step, loss.item()), flush=True)
        time.sleep(0.05)
    path = out + "/checkpoint_step_%d.pth.tar" % (5 * epoch)
    torch.save({"epoch": epoch, "global_step": 5 * epoch, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}, path + ".tmp")
    os.rename(path + ".tmp", path)
'''


class Scene:
    def __init__(self, directory, binaries):
        self.directory, self.binaries = directory, binaries
        self.file, self.state = os.path.join(directory, "ddp.rankdeck.json"), os.path.join(directory, "state")
        os.makedirs(os.path.join(directory, "bin"))
        torchrun = shutil.which("torchrun")
        check(torchrun, "torchrun is there")
        with open(os.path.join(directory, "train.py"), "w") as script:
            script.write(TRAINER)
        self.port = port = free_ports(JOBS)
        job = {"rankdeck": 1, "name": "ddp", "world_size": RANKS, "framework": "pytorch", "paths_shared": True, "steps_per_epoch": 5,
               "nodes": [{"name": "n0", "host": "local", "ranks": [0, 1]}, {"name": "n1", "host": "local", "ranks": [2, 3]}],
               "logs": {"path": os.path.join(directory, "log", "rank_{rank}.log"),
                        "resume": r"^=> loaded checkpoint '(?P<path>.+)' \(epoch (?P<epoch>\d+), global_step (?P<global_step>\d+)\)$"},
               "checkpoints": {"path": os.path.join(directory, "ckpt", "rank_{rank}")},
               "launch": {"recipe": "torchrun", "script": "pytorch", "workdir": directory, "command": ["/usr/bin/python3", "train.py"],
                          "env": {"OMP_NUM_THREADS": "1", "WANDB_API_KEY": PLANTED, "MY_SETTING": PLANTED},
                          # PyTorch 1.13 under Python 3.11 does not know its own default 0 for these (an enum's zero is not iterated).
                          "options": ["--redirects=1", "--tee=1"],
                          "master_addr": "127.0.0.1", "master_port": port}}
        with open(self.file, "w") as file:
            json.dump(job, file)

    def start_first(self):
        self.first = []
        os.makedirs(os.path.join(self.directory, "log"))
        for rank in range(RANKS):
            env = dict(os.environ, RANK=str(rank), LOCAL_RANK=str(rank % 2), WORLD_SIZE=str(RANKS), MASTER_ADDR="127.0.0.1",
                       MASTER_PORT=str(self.port), OMP_NUM_THREADS="1", RANK_ID=str(rank))
            with open(self.log_path(rank), "wb") as log:
                self.first.append(subprocess.Popen(["/usr/bin/python3", "train.py"], cwd=self.directory, env=env, stdout=log, stderr=log))

    def kill_first(self):
        for process in getattr(self, "first", []):
            process.kill()
            process.wait()

    def log_path(self, rank):
        return os.path.join(self.directory, "log", "rank_%d.log" % rank)

    def saved(self):
        return min(len(glob.glob(os.path.join(self.directory, "ckpt", "rank_%d" % rank, "*.tar"))) for rank in range(RANKS))

    def ctl(self, *arguments, codes=(0,)):
        words = [os.path.join(self.binaries, "rankdeckctl"), "--json", "--job", self.file, "--state-dir", self.state]
        done = subprocess.run(words + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        if done.returncode not in codes:
            raise AssertionError("%s: exit code %d\n%s\n%s" % (arguments, done.returncode, json.dumps({k: v for k, v in json.loads(done.stdout or "{}").items() if k != "plan"})[-6000:], done.stderr[-3000:]))
        return json.loads(done.stdout)

    def processes(self):
        """pid -> command line of every process that runs in this directory."""
        found = {}
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and os.readlink("/proc/%s/cwd" % name).startswith(self.directory):
                    with open("/proc/%s/cmdline" % name) as file:
                        found[int(name)] = file.read().replace("\0", " ")
            except OSError:
                continue
        return found

    def kill_all(self):
        def none_left():
            mine = self.processes()
            for pid in mine:
                try:
                    os.kill(pid, 9)
                except ProcessLookupError:
                    pass
            return not mine
        wait_for("the end of all processes of " + self.directory, none_left)
        end_all(self.directory)  # supervisors, which run elsewhere and write when a rank ends


def run(scene):
    scene.start_first()
    wait_for("two saves of every rank", lambda: scene.saved() >= 2)
    scene.kill_first()
    was_two_minutes_ago(scene.directory + "/log", scene.directory + "/ckpt")  # a console that never saw the ranks waits for a run that moved a minute ago
    judged = scene.ctl("checkpoints", codes=(0, 1))
    chosen = judged["recommended"]
    check(chosen, "PyTorch's own checkpoints are judged VALID: " + str(chosen))
    epoch = next(s for s in judged["sets"] if s["id"] == chosen)["global_step"] // 5
    plan = scene.ctl("resume", "--dry-run")
    launches = [launch["argv"] for node in plan["plan"]["nodes"] for launch in node["launches"]]
    help_text = subprocess.run(["torchrun", "--help"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True).stdout
    options = sorted({word.split("=")[0] for argv in launches for word in argv[1:argv.index("python3")] if word.startswith("--")})
    check(len(launches) == 2 and all(re.search(re.escape(option) + r"\b", help_text) for option in options), "every option of the plan is one of this torchrun: " + " ".join(options))
    report = scene.ctl("resume", "--wait", "240")
    check(report["outcome"] == "proven" and report["proof"]["continues"], "resume: proven")
    for rank in range(RANKS):
        def loaded(rank=rank):
            with open(scene.log_path(rank)) as log:
                return re.search(r"^=> loaded checkpoint '(.+)' \(epoch (\d+), .*\)\nepoch: (\d+) step: 1,", log.read(), re.M)
        found = wait_for("rank %d's first line" % rank, loaded)
        check("rank_%d/" % rank in found[1] and int(found[2]) == epoch and int(found[3]) == epoch + 1, "rank %d loaded its own checkpoint of epoch %d and goes on" % (rank, epoch))
    agents = [words for words in scene.processes().values() if "--no_python" in words]
    check(len(agents) == 2, "two torchrun agents run")
    discovered_alike(scene)
    for words in (["keep", "--set", chosen], ["report"], ["journal"]):
        scene.ctl(*words, codes=(0, 1))
    check_secrets(scene.directory, scene.state, ("ddp.rankdeck.json",))


def discovered_alike(scene):
    ctl = os.path.join(scene.binaries, "rankdeckctl")
    found = discovered(ctl, ["local"], scene.directory, os.path.join(scene.directory, "found"))["file"]
    check_running(ctl, scene.file, found, scene.state)
    scene.kill_all()
    was_two_minutes_ago(scene.directory + "/log", scene.directory + "/ckpt")
    check_ended(ctl, scene.file, found, scene.state)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    options = parser.parse_args()
    with Scratch(prefix="rankdeck-torchrun-") as directory:
        scene = None
        try:
            scene = Scene(directory, options.bin)
            run(scene)
        except AssertionError as error:
            print("FAILED " + str(error), flush=True)
            for path in glob.glob(os.path.join(directory, "log", "*.log")) + glob.glob(os.path.join(directory, "rankdeck", "*")):
                with open(path, errors="replace") as file:
                    print("--- %s\n%s" % (path, "".join(file.readlines()[-12:])))
            sys.exit(1)
        finally:
            if scene:
                scene.kill_first()
                scene.kill_all()


if __name__ == "__main__":
    main()
