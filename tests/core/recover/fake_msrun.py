#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stand-in for msrun of MindSpore 2.7, as far as a resume depends on it. It opens worker_N.log with "w" in a log directory of mode
0700. It starts a scheduler and one worker per local rank with its environment (workers in sessions of their own). It runs the
script as `python script` unless it begins with an interpreter, and with --join=True it waits."""
import os
import subprocess
import sys

options, command = {}, []
for place, argument in enumerate(sys.argv[1:], 1):
    if not argument.startswith("--"):
        command = sys.argv[place:]
        break
    name, _, value = argument[2:].partition("=")
    options[name] = value
if command[0] not in ("python", "python3", "pytest"):
    command = ["python3"] + command
if command[0] == "python":
    command[0] = "python3"
local, node = int(options["local_worker_num"]), int(options.get("node_rank", "-1"))
directory = options["log_dir"]
os.makedirs(directory, 0o700, exist_ok=True)
base = dict(os.environ, RANK_SIZE=options["worker_num"], MS_WORKER_NUM=options["worker_num"],
            MS_SCHED_HOST=options["master_addr"], MS_SCHED_PORT=options["master_port"])
children = []
if node <= 0:
    with open(directory + "/scheduler.log", "w") as log:
        children.append(subprocess.Popen(command, stdout=log, stderr=log, env=dict(base, MS_ROLE="MS_SCHED", RANK_ID="0")))
for index in range(local):
    rank = max(node, 0) * local + index
    with open("%s/worker_%d.log" % (directory, rank), "w") as log:
        children.append(subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True,
                                         env=dict(base, MS_ROLE="MS_WORKER", RANK_ID=str(rank), MS_NODE_ID=str(rank),
                                                  DEVICE_ID=str(index), MS_NODE_RANK=str(node))))
    print("Start worker process with rank id:%d, log file:%s/worker_%d.log. Environment variable [RANK_ID=%d] is exported."
          % (rank, directory, rank, rank), flush=True)
workers = children[1:] if node <= 0 else children
try:
    codes = [child.wait() for child in workers]
except KeyboardInterrupt:
    codes = [0]
for child in children:
    child.kill()
sys.exit(1 if any(codes) else 0)
