# SPDX-License-Identifier: GPL-3.0-or-later
"""A job that was discovered leads to the same answers as the job file that its operator wrote."""
import json
import os
import subprocess

from checks import check


def discovered(ctl, hosts, directory, out, options=()):
    """The discovered job that runs in DIRECTORY, as {"file", "job", "notes", …}; its job file is written below OUT."""
    words = [ctl, "--json", "discover", *options, "--write", out, *hosts]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode != 0:
        raise AssertionError("discover: exit code %d\n%s" % (done.returncode, done.stderr[-3000:]))
    for found in json.loads(done.stdout)["jobs"]:
        if os.path.realpath(found["job"]["launch"].get("workdir", "")) == os.path.realpath(directory):
            return found
    raise AssertionError("discover did not find the job in %s\n%s\n%s" % (directory, done.stdout[-3000:], done.stderr[-3000:]))


def ask(ctl, file, state, *words):
    done = subprocess.run([ctl, "--json", "--job", file, "--state-dir", state, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise AssertionError("%s of %s: exit code %d\n%s" % (words, file, done.returncode, done.stderr[-3000:])) from None


def sets_of(judged, without):
    return {one["id"]: (one["verdict"], one["global_step"], sorted((m["rank"], m["state"], m["path"]) for m in one["members"]))
            for one in judged["sets"] if one["kind"] not in without}


def refused(report):
    return sorted(finding["code"] for finding in report["preflight"] if finding["result"] == "refuse")


def same(written, found, text):
    check(written == found, text + ("" if written == found else "\nwritten: %s\nfound:   %s" % (written, found)))


def check_running(ctl, written, found, state):
    """The same processes are watched, and both may be stopped in the same way."""
    def ranks(file):
        return [(r["rank"], r["alive"], r["pid"]) for r in ask(ctl, file, state, "status")["ranks"]]
    same(ranks(written), ranks(found), "the discovered job has the same processes")
    stops = [ask(ctl, file, state, "exit", "--dry-run") for file in (written, found)]
    same(*((one["outcome"], refused(one)) for one in stops), "and is stopped alike")


def check_ended(ctl, written, found, state, without=()):
    """The same sets with the same verdicts, and both may be resumed in the same way. Sets of the kinds WITHOUT are not compared."""
    judged = [ask(ctl, file, state, "checkpoints") for file in (written, found)]
    same(*(sets_of(one, without) for one in judged), "the discovered job has the same %d sets and verdicts" % len(judged[0]["sets"]))
    for key in ("recommended", "world_size", "framework"):
        same(judged[0][key], judged[1][key], "the same " + key)
    plans = [ask(ctl, file, state, "resume", "--dry-run") for file in (written, found)]
    same(*((one["outcome"], one["set"], refused(one)) for one in plans), "and is resumed from the same set")
