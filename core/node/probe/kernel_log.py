# SPDX-License-Identifier: GPL-3.0-or-later
# Processes that the kernel killed because memory ran out, from its own log. Many systems allow only root to read it; then nothing
# is reported.


KERNEL_LOG = "/dev/kmsg"                 # a record for each read: Documentation/ABI/testing/dev-kmsg
FIRST_PID_NAMESPACE = "pid:[4026531836]"     # include/linux/proc_ns.h, PROC_PID_INIT_INO: the kernel's log has its numbers
OF_GROUP, OF_MACHINE = b"Memory cgroup out of memory", b"Out of memory"      # mm/oom_kill.c
KILLED = (b": Killed", b": Kill")        # the second text up to Linux 4
MOST_KILLS = 64
LOOK = 0.02                              # seconds of reading at once; the rest follows with the next call


class KernelLog(object):
    """Records that are added from now on; read only when a listed process is gone."""

    def __init__(self):
        self.log, self.gone, self.kills, self.told = None, {}, {}, []
        try:
            if os.readlink("/proc/self/ns/pid") == FIRST_PID_NAMESPACE and os.stat(KERNEL_LOG).st_rdev == os.makedev(1, 11):
                self.log = open(KERNEL_LOG, "rb", 0, opener=lambda path, flags: os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC))
                self.log.seek(0, os.SEEK_END)
        except OSError:
            self.log = None
        self.ticks = float(os.sysconf("SC_CLK_TCK"))

    def record(self, text):
        """One record: "level,number,microseconds,flags;text"."""
        head, _, words = text.partition(b";")
        how, _, whom = words.partition(b" process ")
        pid, _, name = whom.partition(b" (")
        if not (how.startswith((OF_GROUP, OF_MACHINE)) and how.endswith(KILLED) and pid.isdigit()):
            return
        try:
            at = int(head.split(b",")[2]) / 1e6
        except (IndexError, ValueError):
            return
        if len(self.kills) >= MOST_KILLS:
            self.kills.pop(next(iter(self.kills)))
        self.kills[int(pid)] = at, how, name

    def read(self):
        """True when all is read."""
        until = time.monotonic() + LOOK
        while time.monotonic() < until:
            try:
                text = self.log.read(8192)
            except OSError as error:
                if error.errno == errno.EPIPE:
                    continue             # overwritten before this read; the next one continues with what is there
                return True
            if not text:
                return True
            self.record(text)
        return False

    def left(self, processes):
        """processes: {(pid, start ticks): comm} that were listed and are gone."""
        if self.log is None:
            return
        self.gone.update(processes)
        if not self.gone or not self.read():
            return
        for (pid, start), comm in self.gone.items():
            at, how, name = self.kills.get(pid, (0, b"", b""))
            # The log's clock is not corrected as the other one is. A minute is much less than a number needs to be used again.
            if name.startswith(comm + b")") and at > start / self.ticks - 60:
                text = b"%s process %d (%s)" % (how, pid, comm)
                self.told = self.told[1 - MOST_KILLS:] + [(pid, start, how.startswith(OF_GROUP), text)]
        self.gone = {}

    def encode(self):
        return U32.pack(len(self.told)) + b"".join(
            struct.pack(">IQB", pid, start, of_group) + blob(text) for pid, start, of_group, text in self.told)
