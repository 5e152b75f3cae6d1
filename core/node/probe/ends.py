# SPDX-License-Identifier: GPL-3.0-or-later
# Wakes the probe when a rank ends.


MOST_ENDS = 1024


class Ends(object):
    """A descriptor for each process, readable once it has ended: Linux 5.3 and Python 3.9. Without them the probe must poll."""

    def __init__(self, poller):
        self.poller, self.known, self.open = poller, {}, {}      # (pid, start) ↔ descriptor; None once it has ended
        self.blind = True                # true if the end of some rank cannot wake us, or if no rank is known yet

    def attend(self, processes):
        """processes: all (pid, start) that are wanted now."""
        for one in [one for one in self.known if one not in processes]:
            self.close(self.known.pop(one))
        for one in processes:
            if one not in self.known:
                fd = self.descriptor(*one)
                if fd is not None:
                    self.known[one], self.open[fd] = fd, one
                    self.poller.register(fd, select.POLLIN)
        self.blind = not processes or any(one not in self.known for one in processes)

    def descriptor(self, pid, start):
        if len(self.known) >= MOST_ENDS:
            return None
        try:
            fd = os.pidfd_open(pid)
        except (AttributeError, OSError):
            return None
        if start_ticks(pid) == start:    # otherwise it is another process, or it has ended
            return fd
        os.close(fd)
        return None

    def close(self, fd):
        if fd is not None and self.open.pop(fd, None) is not None:
            self.poller.unregister(fd)
            os.close(fd)

    def woke(self, fd):
        """The process that ended, reported once; None if the descriptor is of no process."""
        one = self.open.get(fd)
        if one is not None:
            self.close(fd)
            self.known[one] = None
        return one
