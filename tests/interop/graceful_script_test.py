# SPDX-License-Identifier: GPL-3.0-or-later
"""MindSpore's own example of the graceful exit (tests/sources/graceful_exit): four ranks under msrun, with only OnRequestExit to
save and load. It is stopped, resumed from its own LeNet_train.ckpt, and stopped again. Then the same with a script that loads into
its train cell, and with save_ckpt=False, which ends as stopped without a save. Also ranks whose scheduler cannot start.

Real MindSpore on this machine. Usage: --bin DIR --mindspore-python PYTHON
"""
import argparse
import functools
import glob
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "packaging", "mindspore"), os.path.join(HERE, "..", "testbed")]
from checks import check, wait_for  # noqa: E402
from job import end_processes, free_port, processes_in  # noqa: E402
from scratch import Scratch  # noqa: E402

RANKS = range(4)
LOSS = re.compile(r"^epoch: (\d+) step: (\d+), loss is (\S+)$", re.M)
NOT_REACHED = "Failed to register and try to reconnect to the meta server."
LOOK = """
import json, sys
import mindspore as ms
values = ms.load_checkpoint(sys.argv[1])
print(json.dumps({name: [list(values[name].shape), values[name].asnumpy().reshape(-1).tolist()]
                  for name in ("global_step", "graceful_exit", "graceful_init")}))
"""


class Job:
    def __init__(self, directory, options, command, change=lambda text: text):
        self.directory, self.python = directory, options.mindspore_python
        os.makedirs(directory)
        with open(os.path.join(HERE, "..", "sources", "graceful_exit", "train.py")) as file:
            text = change(file.read())
        with open(self.path("train.py"), "w") as file:
            file.write(text)
        shutil.copy(os.path.join(HERE, "..", "..", "packaging", "mindspore", "cpu_graceful_exit.py"), directory)
        self.set(0)
        self.env = dict(os.environ, PATH=os.path.dirname(self.python) + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
                        MS_ENABLE_GRACEFUL_EXIT="1")
        self.port, self.run = free_port(), None
        with open(self.path("job.rankdeck.json"), "w") as file:
            json.dump({
                "rankdeck": 1, "name": os.path.basename(directory), "world_size": 4, "framework": "mindspore",
                "nodes": [{"name": "here", "host": "local", "ranks": list(RANKS), "env": {"PATH": self.env["PATH"]}}],
                "logs": {"path": self.path("comm_subgraph_logs", "worker_{rank}.log")},
                "checkpoints": {"path": self.path("rank_{rank}")}, "steps_per_epoch": 10,
                "graceful_exit": {"config": self.path("graceful_exit.json")},
                "launch": {"recipe": "msrun", "workdir": directory, "command": command, "master_addr": "127.0.0.1",
                           "master_port": self.port, "env": {"MS_ENABLE_GRACEFUL_EXIT": "1"}}}, file)
        self.words = [os.path.join(options.bin, "rankdeckctl"), "--json", "--job", self.path("job.rankdeck.json"),
                      "--state-dir", self.path("state")]

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def set(self, value):
        with open(self.path("graceful_exit.json"), "w") as file:
            file.write('{"GracefulExit": %d}\n' % value)

    def start(self):
        """Starts it like the start script of the page."""
        msrun = os.path.join(os.path.dirname(self.python), "msrun")
        with open(self.path("msrun.out"), "w") as out:
            self.run = subprocess.Popen([self.python, msrun, "--worker_num=4", "--local_worker_num=4", "--master_port=%d" % self.port,
                                         "--join=True", "--log_dir=./comm_subgraph_logs", "train.py"], cwd=self.directory, env=self.env,
                                        stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True)

    def text(self, rank):
        try:
            with open(self.path("comm_subgraph_logs", "worker_%d.log" % rank), errors="replace") as log:
                return log.read()
        except FileNotFoundError:
            return ""

    def losses(self, rank):
        return [(int(e), int(s), float(loss)) for e, s, loss in LOSS.findall(self.text(rank))]

    def trains(self, steps):
        wait_for("%d steps of every rank" % steps, lambda: all(len(self.losses(rank)) >= steps for rank in RANKS), 300)

    def ctl(self, *arguments):
        done = subprocess.run(self.words + list(arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            return done.returncode, json.loads(done.stdout)
        except ValueError:
            raise AssertionError("%s: exit code %d\n%s\n%s" % (arguments, done.returncode, done.stdout[-3000:], done.stderr[-3000:]))

    def saved(self, rank):
        with open(self.path("look.py"), "w") as file:
            file.write(LOOK)
        done = subprocess.run([self.python, self.path("look.py"), self.path("rank_%d" % rank, "LeNet_train.ckpt")], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise AssertionError(done.stderr[-2000:])
        return json.loads(done.stdout.splitlines()[-1])

    def stop(self):
        end_processes(self.directory, [self.run] if self.run else [])


def codes(out):
    return {finding["code"]: finding for finding in out["preflight"]}


def stopped(job):
    code, out = job.ctl("exit", "--wait", "200")
    check((code, out["outcome"]) == (0, "stopped"), "stopped: " + out["text"])
    wait_for("msrun is gone", lambda: (job.run.poll() is not None if job.run else True) and not processes_in(job.directory), 60)
    return out


def resumed(job):
    code, out = job.ctl("resume", "--wait", "300")
    check((code, out["outcome"]) == (0, "proven"), "resumed and proven: " + out["text"])
    job.trains(12)
    return out


def as_it_is_printed(job):
    job.start()
    job.trains(45)
    before = [job.losses(rank) for rank in RANKS]
    check(before[0][0][2] > 1.8 and before[0][40][2] < 0.7 * before[0][0][2], "the loss falls, so that a start from zero would show")
    stopped(job)
    check(len(glob.glob(job.path("rank_*", "LeNet_train.ckpt"))) == 4, "OnRequestExit has saved LeNet_train.ckpt for each rank")
    check(len(glob.glob(job.path("rank_*", "LeNet_train.mindir"))) == 4, "and LeNet_train.mindir beside it")
    first = job.saved(2)
    check(first["global_step"][0] == [], "global_step is a scalar, which the optimizer refuses")

    code, plan = job.ctl("resume", "--dry-run")
    check((code, plan["outcome"]) == (0, "dry_run") and codes(plan)["train_ckpt_loaded"]["result"] == "warn",
          "the plan gives OnRequestExit what it loads: " + plan["text"])
    out = resumed(job)
    check(all("loss" in rank["witness"] for rank in out["proof"]["ranks"]), "by the losses of every rank")
    after = job.losses(0)
    check(after[0][:2] == (1, 1) and after[0][2] < 0.7 * before[0][0][2], "the script counts from 1 again, and its weights are those of the stop")
    mended = job.saved(2)
    check(mended["global_step"] == [[1], first["global_step"][1]], "global_step as the optimizer takes it")
    check(mended["graceful_exit"][1] == [0] and mended["graceful_init"][1] == [0], "and the tags of the stop are 0")
    room = codes(stopped(job))["disk_room"]["text"]
    check("two checkpoints and a .mindir" in room, "the .mindir is counted for the disk: " + room)
    check({len(job.losses(rank)) for rank in RANKS} == {len(job.losses(0))}, "the second stop is even: all ranks left after the same step")
    again = job.saved(2)
    check(again["global_step"][1][0] == first["global_step"][1][0] + len(job.losses(2)), "and its global_step goes on where the first one ended")
    before = job.losses(0)
    resumed(job)
    check(job.losses(0)[0][2] < 1.2 * before[-1][2] + 0.1, "resumed once more, from the second stop")
    stopped(job)


def into_the_train_cell(job):
    with open(job.path("train.py")) as file:
        text = file.read()
    job.start()
    job.trains(25)
    stopped(job)
    line = "    ms.load_param_into_net(model.train_network, ms.load_checkpoint(sys.argv[1]))\n    print('loaded ' + sys.argv[1], flush=True)\n"
    at = text.index("    model.train(")
    with open(job.path("train.py"), "w") as file:
        file.write(text[:at].replace("import os\n", "import os\nimport sys\n", 1) + line + text[at:])
    out = resumed(job)
    check("graceful_set" in codes(out) and "copy" in codes(out)["graceful_set"]["fix"], "each rank is given a mended copy")
    check(not glob.glob(job.path("rank_*", "LeNet_train.ckpt")), "the exit's own files went aside")
    stopped(job)
    check({len(job.losses(rank)) for rank in RANKS} == {len(job.losses(0))}, "and the next stop is even")


def without_a_save(job):
    job.start()
    job.trains(15)
    code, out = job.ctl("exit", "--wait", "200")
    check((code, out["outcome"]) == (0, "stopped") and "No save was requested" in out["text"], "stopped without a save: " + out["text"])
    check(codes(out)["saves_nothing"]["result"] == "warn" and out["flag_reset"], "which was said before")
    check(not glob.glob(job.path("rank_*", "*.ckpt")), "and is true")


def its_scheduler_dies(job, listens):
    """The port was taken after it was chosen: MindSpore's scheduler ends at once, and msrun and the ranks wait for ten minutes. The
    program at the port answers no connection, or refuses all."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", job.port))
        if listens:
            other.listen()
        job.start()
        watch = subprocess.Popen(job.words + ["watch"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            said = next(line for line in map(json.loads, watch.stdout) if line["type"] == "alarm" and not line["ended"])
        finally:
            watch.kill()
            watch.wait()
        # A console that comes late knows only the logs, and the last try before the alarm may be too early.
        tries = [job.text(rank).count(NOT_REACHED) for rank in RANKS]
        wait_for("one more try of every rank", lambda: all(job.text(rank).count(NOT_REACHED) > tries[rank] for rank in RANKS), 120)
        late = subprocess.run(job.words[:-1] + [job.path("late"), "status"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    check(said["code"] == "job_waits", "a rank does not reach the scheduler: " + said["text"])
    check("127.0.0.1:%d" % job.port in said["text"] and "scheduler.log" in said["fix"], "where it should be, and who says why: " + said["fix"])
    with open(job.path("comm_subgraph_logs", "scheduler.log"), errors="replace") as log:
        check("Address already in use" in log.read(), "which it does")
    alarms = json.loads(late.stdout)["alarms"]
    check([(alarm["code"], alarm["ranks"]) for alarm in alarms] == [("job_waits", list(RANKS))], "none does, for a console that comes late: " + str(alarms))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--mindspore-python", required=True)
    parser.add_argument("--story", help="one of them only")
    options = parser.parse_args()
    with Scratch(prefix="rankdeck-interop-") as directory:
        run(directory, options)


def run(directory, options):
    def saves_nothing(text):
        return text.replace('OnRequestExit(file_name="LeNet"', 'OnRequestExit(save_ckpt=False, save_mindir=False, file_name="LeNet"')
    jobs = [(Job(os.path.join(directory, "printed"), options, ["train.py"]), as_it_is_printed),
            (Job(os.path.join(directory, "cell"), options, ["train.py", "{checkpoint}"]), into_the_train_cell),
            (Job(os.path.join(directory, "nothing"), options, ["train.py"], saves_nothing), without_a_save),
            (Job(os.path.join(directory, "refused"), options, ["train.py"]), functools.partial(its_scheduler_dies, listens=False)),
            (Job(os.path.join(directory, "unanswered"), options, ["train.py"]), functools.partial(its_scheduler_dies, listens=True))]
    try:
        for job, story in jobs:
            name = os.path.basename(job.directory)
            if options.story not in (None, name):
                continue
            print("-- " + name, flush=True)
            story(job)
            job.stop()
    except AssertionError as error:
        print("FAILED at %s: %s" % (time.strftime("%T"), error), flush=True)
        for log in glob.glob(os.path.join(directory, "*", "comm_subgraph_logs", "worker_0.log")):
            print("--- " + log + "\n" + subprocess.run(["tail", "-15", log], stdout=subprocess.PIPE, text=True).stdout)
        sys.exit(1)
    finally:
        for job, _ in jobs:
            job.stop()


if __name__ == "__main__":
    main()
