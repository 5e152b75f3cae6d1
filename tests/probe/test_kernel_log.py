# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that the kernel killed because memory ran out, according to its own log: lines as Linux writes them. Also a real kill,
if a memory cgroup can be made and the log is readable (as root)."""
import os
import subprocess
import sys
import time
import unittest

from loaded_probe import probe
from probe_client import MARK

# Linux 6.18, 5.10 and 4.19; /dev/kmsg returns one record for each read
GROUP = (b"6,1201,1055050785,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/job,"
         b"task_memcg=/job,task=python3,pid=24450,uid=0\n",
         b"3,1202,1055050809,-;Memory cgroup out of memory: Killed process 24450 (python3) total-vm:57700kB, anon-rss:47744kB, "
         b"file-rss:6740kB, shmem-rss:0kB, UID:0 pgtables:144kB oom_score_adj:0\n SUBSYSTEM=memory\n")
MACHINE = (b"3,902,2000000000,-;Out of memory: Killed process 31 (pt main) (th) total-vm:9kB, anon-rss:4kB, file-rss:0kB, shmem-rss:0kB, "
           b"UID:1000 pgtables:1kB oom_score_adj:0\n",)
OLD = (b"3,77,3000000000,-;Memory cgroup out of memory: Kill process 812 (python) score 1974 or sacrifice child\n",
       b"3,78,3000000100,-;Killed process 812 (python) total-vm:2kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB\n")
OTHERS = (b"6,1,5,-;python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n",
          b"12,2,6,-;app: Out of memory: Killed processes are 3 (many)\n", b"3,3,x,-;Out of memory: Killed process 5 (python)\n",
          b"3,4;Out of memory: Killed process 6 (python)\n", b"", b";", b"Out of memory: Killed process 7 (python)\n")


class Recorded(object):
    """Like a read of /dev/kmsg: one record each time, then nothing; an overwritten record is an error."""

    def __init__(self, records):
        self.records = list(records)

    def read(self, most):
        if not self.records:
            return None
        record = self.records.pop(0)
        if isinstance(record, int):
            raise OSError(record, os.strerror(record))
        return record


def told(records, left):
    log = probe.KernelLog()
    if log.log is not None:
        log.log.close()
    log.log, log.ticks = Recorded(records), 100.0
    log.left(left)
    return [(pid, of_group, text) for pid, _, of_group, text in log.told]


class KernelLog(unittest.TestCase):
    def test_both_kinds_of_kill_are_reported_for_the_right_process(self):
        text = b"Memory cgroup out of memory: Killed process 24450 (python3)"
        self.assertEqual(told(OTHERS[:3] + GROUP, {(24450, 90000): b"python3"}), [(24450, True, text)])
        self.assertEqual(told((32,) + MACHINE, {(31, 7): b"pt main) (th"}),
                         [(31, False, b"Out of memory: Killed process 31 (pt main) (th)")])
        self.assertEqual(told(OLD, {(812, 7): b"python"}), [(812, True, b"Memory cgroup out of memory: Kill process 812 (python)")])

    def test_another_process_with_its_number_or_name_does_not_match(self):
        self.assertEqual(told(GROUP, {(24450, 90000): b"python"}), [])
        self.assertEqual(told(GROUP, {(24451, 90000): b"python3"}), [])
        self.assertEqual(told(GROUP, {(24450, 200000): b"python3"}), [], "it began long after that kill")
        self.assertEqual(told(OTHERS, {(pid, 0): b"python" for pid in (3, 5, 6, 7)}), [])

    def test_a_closed_log_and_a_container_say_nothing(self):
        for name, value in (("KERNEL_LOG", "/dev/null"), ("KERNEL_LOG", "/nowhere"), ("FIRST_PID_NAMESPACE", "pid:[1]")):
            was = getattr(probe, name)
            setattr(probe, name, value)
            try:
                log = probe.KernelLog()
                self.assertIsNone(log.log)
                log.left({(1, 1): b"python"})
                self.assertEqual(log.encode(), b"\0\0\0\0")
            finally:
                setattr(probe, name, was)

    def test_a_real_kill_of_a_process_that_was_not_waited_for(self):
        self.kill_for_want_of_memory(lambda child: None)

    def test_a_real_kill_of_a_process_that_is_gone_at_the_next_scan(self):
        self.kill_for_want_of_memory(lambda child: self.assertEqual(child.wait(), -9))

    def kill_for_want_of_memory(self, before_the_look):
        group = "/sys/fs/cgroup/memory/rankdeck-test-%d" % os.getpid()
        limit, log = "memory.limit_in_bytes", probe.KernelLog()
        if not os.path.isdir("/sys/fs/cgroup/memory"):
            group, limit = "/sys/fs/cgroup/rankdeck-test-%d" % os.getpid(), "memory.max"
        if log.log is None:
            self.skipTest("the kernel's log is closed here")
        self.addCleanup(log.log.close)
        try:
            os.mkdir(group)
            self.addCleanup(os.rmdir, group)
            with open(os.path.join(group, limit), "w") as file:
                file.write(str(40 << 20))
        except OSError as error:
            self.skipTest("no memory cgroup can be made here: %s" % error)
        child = subprocess.Popen([sys.executable, "-c",
                                  "import os, sys\nsys.stdin.readline()\nopen(%r, 'w').write(str(os.getpid()))\nblocks = []\n"
                                  "while True: blocks.append(bytearray(1 << 20))" % os.path.join(group, "cgroup.procs")],
                                 stdin=subprocess.PIPE, env={MARK: "big"})
        watch = probe.Processes(frozenset([MARK.encode()]))
        watch.kernel = log
        deadline = time.monotonic() + 120
        while not any(b"big" in item for item in watch.collect()):
            self.assertLess(time.monotonic(), deadline)
            watch.known.clear()
        start = probe.start_ticks(child.pid)
        child.stdin.close()
        before_the_look(child)
        while not log.told:
            self.assertLess(time.monotonic(), deadline)
            watch.collect()
            time.sleep(0.01)  # wait: poll
        self.assertEqual(child.wait(), -9)
        self.assertEqual([(pid, ticks, group) for pid, ticks, group, _ in log.told], [(child.pid, start, True)])
        self.assertTrue(log.told[0][3].startswith(b"Memory cgroup out of memory: Killed process %d (" % child.pid))
