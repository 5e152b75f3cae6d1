#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""count_losses.py FILE: what a script of an operator does: a regular expression on each line, numbers taken out."""
import re
import sys
import time

PATTERN = re.compile(r"^epoch: (\d+),? step: (\d+), loss is (.+)$")

begin = time.perf_counter()
count, total = 0, 0.0
with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
    for line in log:
        match = PATTERN.match(line)
        if match:
            epoch, step, loss = int(match.group(1)), int(match.group(2)), float(match.group(3))
            count += 1
            total += loss
print("%d %.4f" % (count, time.perf_counter() - begin))
