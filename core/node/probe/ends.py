# SPDX-License-Identifier: GPL-3.0-or-later
# Ranks whose end wakes us.


MOST_ENDS = 1024


class Ends(object):
    """A descriptor for each process, readable once it has ended: Linux 5.3 and Python 3.9. Without them somebody has to look."""

    def __init__(self, poller):
        self.poller, self.known, self.open = poller, {}, {}      # (pid, start) → descriptor, None once it has ended; and back
        self.blind = True                # whether there is one whose end does not wake us, or nobody is told apart yet

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
        if start_ticks(pid) == start:    # else it is another one's, or it has ended
            return fd
        os.close(fd)
        return None

    def close(self, fd):
        if fd is not None and self.open.pop(fd, None) is not None:
            self.poller.unregister(fd)
            os.close(fd)

    def woke(self, fd):
        """Whose end it is, None when it is nobody's; told once."""
        one = self.open.get(fd)
        if one is not None:
            self.close(fd)
            self.known[one] = None
        return one
