# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts of Slurm about a job in `rankdeckctl status` and `watch`, on a real private Slurm as a plain user. The job waits, runs
under a time limit on a drained node, is requeued, and is gone. Also a controller that does not answer. Usage: --bin DIR"""
import argparse
import json
import os
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "testbed")]
from checks import check, wait_for  # noqa: E402
import private_slurm  # noqa: E402
from scratch import Scratch  # noqa: E402


class Scene:
    def __init__(self, directory, binaries):
        self.directory, self.binaries = directory, binaries
        self.slurm = private_slurm.PrivateSlurm(os.path.join(directory, "slurm"), nodes=2, cpus=2)
        self.file = os.path.join(directory, "lenet.rankdeck.json")
        os.makedirs(os.path.join(directory, "job"))

    def submit(self, *options):
        return self.slurm.run("sbatch", "--parsable", "--chdir=" + self.directory, "--output=/dev/null", *options, "--wrap=sleep 100000")

    def watch_job(self, number):
        with open(self.file, "w") as file:
            json.dump({"rankdeck": 1, "name": "lenet", "world_size": 2, "framework": "mindspore",
                       "nodes": [{"name": "n0", "host": "local", "ranks": [0, 1]}],
                       "logs": {"path": os.path.join(self.directory, "job/worker_{rank}.log")},
                       "graceful_exit": {"scancel": "USR1", "slurm_job": number},
                       "launch": {"recipe": "slurm", "command": ["true"], "workdir": os.path.join(self.directory, "job"),
                                  "env": {"SLURM_CONF": self.slurm.conf, "PATH": self.slurm.env["PATH"]}}}, file)

    def words(self):
        return [os.path.join(self.binaries, "rankdeckctl"), "--json", "--job", self.file, "--state-dir", os.path.join(self.directory, "state")]

    def said(self):
        done = subprocess.run(self.words() + ["status"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        return json.loads(done.stdout)["scheduler"]

    def state(self, number):
        return self.slurm.run("squeue", "--noheader", "--states=all", "--jobs=" + number, "--format=%T")


def texts(said, code):
    return [fact["text"] for fact in said["facts"] if fact["code"] == code]


def waits(scene):
    number = scene.submit("--nodes=2", "--hold")
    scene.watch_job(number)
    said = scene.said()
    check(said["kind"] == "slurm" and said["job"] == number and said["state"] == "PENDING", "a job that waits is PENDING")
    check(texts(said, "job_waits") == ["job %s is PENDING: JobHeldUser" % number], "and why: " + str(said["facts"]))
    scene.slurm.run("scancel", number)


def runs_and_is_drained(scene):
    number = scene.submit("--nodes=2", "--time=20", "--requeue")
    scene.watch_job(number)
    wait_for("the job to run", lambda: scene.state(number) == "RUNNING")
    said = scene.said()
    check(said["state"] == "RUNNING" and not said["facts"] and said["ends"], "a job that runs says when its time is over: %s" % said["ends"])
    with open(os.path.join(scene.directory, "watch.out"), "w") as output:
        watching = subprocess.Popen(scene.words() + ["watch"], stdout=output, stderr=output)
    lines = lambda: [json.loads(line) for line in open(output.name) if line.startswith("{") and line.endswith("}\n")]
    events = lambda: [line["text"] for line in lines() if line["type"] == "event" and line["text"].startswith("Slurm: ")]
    wait_for("the watch", lambda: any(line["type"] == "node" and line["state"] == "live" for line in lines()))
    scene.slurm.run("scontrol", "update", "node=n1", "state=drain", "reason=ECC errors on device 3")
    event = wait_for("the event of the drain", lambda: [text for text in events() if "ECC errors on device 3" in text])
    check(event[0].startswith("Slurm: machine n1 is ") and "DRAIN" in event[0], "a drained node is an event: " + event[0])
    scene.slurm.run("scontrol", "update", "node=n1", "state=resume")
    over = wait_for("its end", lambda: [text for text in events() if text.startswith("Slurm: over: machine n1")])
    check(len(over) == 1, "and that it is over")
    scene.slurm.run("scontrol", "requeue", number)
    requeued = wait_for("the event of the requeue", lambda: [text for text in events() if "requeued" in text])
    check(requeued[0] == "Slurm: job %s was requeued 1 time" % number, "a requeue is an event: " + requeued[0])
    watching.send_signal(signal.SIGINT)
    watching.wait(60)
    said = scene.said()
    accounting = [answer for answer in said["answers"] if answer["question"] == "accounting"]
    check(said["restarts"] == 1 and accounting and "disabled" in accounting[0]["problem"], "that there is no accounting is said: " + accounting[0]["problem"])
    scene.slurm.run("scancel", number)
    wait_for("its end", lambda: scene.state(number) == "CANCELLED")
    ended = texts(scene.said(), "job_state")
    check(len(ended) == 1 and ended[0].startswith("job %s is CANCELLED" % number), "how it ended: " + str(ended))


def its_hosts_are_discovered(scene):
    """Found by squeue; the machines of a private Slurm have names that cannot be resolved."""
    number = scene.submit("--nodes=2")
    wait_for("the job to run", lambda: scene.state(number) == "RUNNING")
    done = subprocess.run([os.path.join(scene.binaries, "rankdeckctl"), "--timeout", "10", "discover", "slurm:" + number], env=scene.slurm.env,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    check(done.returncode == 3 and "host n0: " in done.stderr and "host n1: " in done.stderr, "the hosts of a job: " + done.stderr.strip())
    scene.slurm.run("scancel", number)


def unknown(scene):
    scene.watch_job("4711")
    said = scene.said()
    job = next(answer for answer in said["answers"] if answer["question"] == "job")
    check("does not know this job" in job["problem"] and said["state"] is None and not said["facts"], "a job that Slurm does not know: " + job["problem"])
    with open(scene.file) as file:
        other = json.load(file)
    other["launch"]["env"]["PATH"] = "/nowhere"
    with open(scene.file, "w") as file:
        json.dump(other, file)
    job = next(answer for answer in scene.said()["answers"] if answer["question"] == "job")
    check("scontrol was not found" in job["problem"] and job["as_of"] is None, "without Slurm's programs: " + job["problem"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    options = parser.parse_args()
    if os.geteuid() == 0:
        private_slurm.as_plain_user(os.path.abspath(__file__), options.bin, ["rankdeckctl"])
    with Scratch(prefix="rankdeck-slurm-") as directory:
        scene = Scene(directory, options.bin)
        try:
            scene.slurm.start()
            waits(scene)
            runs_and_is_drained(scene)
            its_hosts_are_discovered(scene)
            unknown(scene)
        except AssertionError as error:
            print("FAILED " + str(error), flush=True)
            print(scene.slurm.log())
            sys.exit(1)
        finally:
            scene.slurm.stop()


if __name__ == "__main__":
    main()
