#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_log.py FILE MEGABYTES: a worker's log as MindSpore writes it, mostly LossMonitor lines, the same at each call."""
import random
import sys

WARNING = ("[WARNING] DISTRIBUTED(31064,7f085841ce40,python):2026-11-21-09:17:57.984.436 [mindspore/ccsrc/distributed/rpc/tcp/tcp_comm.cc:494] "
           "Connect] Waiting for the state of the connection to 127.0.0.1:8704 to be connected...Retry number: %d\n")


def main():
    path, wanted = sys.argv[1], int(sys.argv[2]) * 1000000
    rng = random.Random(1)
    losses = [repr(2.3 + rng.gauss(0, 0.05)) for _ in range(100000)]
    written, epoch = 0, 0
    with open(path, "w", encoding="ascii") as log:
        for i in range(60):
            written += log.write(WARNING % i)
        while written < wanted:
            epoch += 1
            lines = ["epoch: %d step: %d, loss is %s\n" % (epoch, step, losses[(epoch * 1875 + step) % 100000]) for step in range(1, 1876)]
            lines.append("Train epoch time: 11062.500 ms, per step time: 5.900 ms\n")
            if epoch % 10 == 0:
                lines.append(WARNING % epoch)
            written += log.write("".join(lines))


main()
