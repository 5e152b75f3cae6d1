# SPDX-License-Identifier: GPL-3.0-or-later
"""Ports of 127.0.0.1 for programs that bind them later. Each kind of program has a range, so that no other test takes a port
between its choice and its use. All are below the ports that the system gives to clients.

  10000 to 11999: jobs of MindSpore and torchrun.
  12000 to 19999: a private Slurm.
  20000 to 27999: servers that start at once, such as each sshd.
  28000 to 31999: schedulers of demo clusters, which hold them.
"""
import random
import socket

JOBS, SLURM = (10000, 11999), (12000, 19900)


def free_ports(kind, count=1):
    """The first of `count` ports in a row on which no process listens."""
    while True:
        first = random.randint(*kind)
        taken = []
        try:
            for port in range(first, first + count):
                taken.append(socket.socket())
                taken[-1].bind(("127.0.0.1", port))
            return first
        except OSError:
            pass
        finally:
            for one in taken:
                one.close()
