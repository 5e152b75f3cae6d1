#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time from the last rank's rename until the set is VALID in the output of `rankdeckctl watch`.

    live_verdict.py build/release/bin/rankdeckctl [RANKS] [NODES] [SECONDS]

Starts the demo cluster and watches it. Compares the time of each verdict line with the newest time of change (ctime: the rename) of
the set's files. All nodes are on this machine and share one clock.
"""
import json, os, statistics, subprocess, sys, tempfile, time


def main():
    ctl = sys.argv[1]
    ranks, nodes, seconds = (sys.argv[2:] + ["8", "2", "60"])[:3] if len(sys.argv) < 5 else sys.argv[2:5]
    with tempfile.TemporaryDirectory() as state:
        demo = subprocess.Popen([ctl, "--json", "demo", "--ranks", ranks, "--nodes", nodes], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True)
        try:
            job = json.loads(demo.stdout.readline())["job"]
            watch = subprocess.Popen([ctl, "--json", "--state-dir", state, "watch", "--job", job, "--for", seconds],
                                     stdout=subprocess.PIPE, text=True)
            begun, progress, delays = time.time(), set(), []
            for text in watch.stdout:
                now = time.time()
                line = json.loads(text)
                if line["type"] not in ("verdict", "checkpoint"):
                    continue
                if line["verdict"] == "IN-PROGRESS":
                    progress.add(line["id"])
                if line["type"] != "verdict" or line["verdict"] != "VALID":
                    continue
                try:
                    saved = max(os.stat(member["path"]).st_ctime for member in line["members"])
                except OSError:
                    continue
                if saved > begun + 3:  # ignores sets from before the watch began
                    delays.append(now - saved)
            watch.wait()
        finally:
            demo.terminate()
            demo.wait()
    print("%d sets became VALID %.2f s (median), %.2f s (worst) after the last rename; %d were seen IN-PROGRESS before"
          % (len(delays), statistics.median(delays), max(delays), len(progress)))


main()
