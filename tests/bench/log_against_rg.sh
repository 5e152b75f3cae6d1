#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# log_against_rg.sh BENCH_PARSE [MEGABYTES]: following and parsing against `rg -c 'loss is'` and against a Python regular
# expression, on the same generated log, warm in the page cache. CPU seconds; best of five for the first two, one run of Python.
set -eu
bench=$1
megabytes=${2:-200}
here=$(cd "$(dirname "$0")" && pwd)
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT INT TERM
log=$directory/worker_0.log
python3 "$here/make_log.py" "$log" "$megabytes"

python3 - "$bench" "$log" "$here" <<'PYTHON'
import os, subprocess, sys
bench, log, here = sys.argv[1:]
def measured(*command):  # count and CPU seconds of the whole program: other load on the machine does not matter much
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    words = child.stdout.read().split()
    _, status, usage = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit("%s failed" % command[0])
    return int(words[0]), usage.ru_utime + usage.ru_stime
best = {"rg": (0, 1e9), "rankdeck": (0, 1e9)}
for _ in range(5):
    for name, command in (("rg", ("rg", "-c", "loss is", log)), ("rankdeck", (bench, "--file=" + log))):
        best[name] = min(best[name], measured(*command), key=lambda pair: pair[1])
best["python"] = measured("python3", here + "/count_losses.py", log)
for name, (count, seconds) in best.items():
    print("%-9s %9d losses  %8.3f s" % (name, count, seconds))
if len({count for count, _ in best.values()}) != 1:
    sys.exit("the counts differ")
print("rankdeck / rg     %6.2f x" % (best["rg"][1] / best["rankdeck"][1]))
print("rankdeck / python %6.2f x" % (best["python"][1] / best["rankdeck"][1]))
PYTHON
