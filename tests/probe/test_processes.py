# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that the probe reports, and those that it signals."""
import os
import signal
import struct
import subprocess
import sys
import time
from unittest import mock

import probe_client as pc
from loaded_probe import Folder, probe, probe_sent, write
from checks import wait_for
from probe_client import MARK


class Processes(Folder):
    def test_signals_are_refused_for_init_self_and_reused_pids(self):
        boot = probe.boot_id()
        for pid in (0, 1, os.getpid(), 1 << 31):
            self.assertNotEqual(probe.send_signal(pid, 1, boot, 0, 0), b"")
        child = subprocess.Popen(["sleep", "60"])
        try:
            start = probe.start_ticks(child.pid)
            self.assertEqual(probe.send_signal(child.pid, start + 1, boot, signal.SIGTERM, 0), b"another process has this pid now")
            self.assertEqual(probe.send_signal(child.pid, start, b"other", signal.SIGTERM, 0), b"the machine has been restarted since")
            self.assertIsNone(child.poll())
            self.assertEqual(probe.send_signal(child.pid, start, boot, signal.SIGTERM, 0), b"")
            self.assertEqual(child.wait(10), -signal.SIGTERM)
            self.assertEqual(probe.send_signal(child.pid, start, boot, signal.SIGTERM, 0), b"gone")
        finally:
            child.kill()
            child.wait()

    def test_more_pids_forget_no_known_process(self):
        """A process whose environment is overwritten stays known while pids come and go."""
        child = subprocess.Popen(["sleep", "60"], env=dict(os.environ, **{MARK: "nine"}))
        other = subprocess.Popen(["sleep", "60"], env={})
        try:
            watch = probe.Processes(frozenset([MARK.encode()]))
            wait_for("the process", lambda: any(b"nine" in item for item in watch.collect()))
            with mock.patch.object(probe.Processes, "environment", lambda self, pid: ([], b"")):
                watch.want_pids(frozenset([other.pid]))
                for known in watch.known.values():
                    known.looked = -1e9
                listed = [struct.unpack(">I", item[:4])[0] for item in watch.collect()]
            self.assertIn(child.pid, listed)
            self.assertIn(other.pid, listed)
        finally:
            for process in (child, other):
                process.kill()
                process.wait()

    def test_processes_are_read_once(self):
        child = subprocess.Popen(["sleep", "60"], env=dict(os.environ, **{MARK: "seven"}))
        try:
            watch = probe.Processes(frozenset([MARK.encode()]))
            wait_for("the process", lambda: any(b"seven" in item for item in watch.collect()))
            known = watch.known[child.pid]
            known.first -= 20                      # no longer young
            calls = []
            watch.environment = lambda pid: (calls.append(pid), b"")
            self.assertEqual(len([item for item in watch.collect() if b"seven" in item]), 1)
            self.assertNotIn(child.pid, calls)
        finally:
            child.kill()
            child.wait()

    def test_an_end_is_reported_one_turn_after_the_last_lines(self):
        """The test chooses the times of the turns: no scan of all processes is due. As on a kernel that sends no event at an
        end."""
        watcher, told = probe_sent(self), []
        watcher.ends.descriptor = lambda *_: None
        watcher.output.message = lambda kind, ident, payload: told.append(kind)
        child = subprocess.Popen(["sleep", "60"], env={MARK: "ends"})
        try:
            watcher.process_watch = probe.Processes(frozenset([MARK.encode()]))
            watcher.process_watch.kernel = probe.KernelLog()
            watcher.process_watch.pids = frozenset([child.pid])      # before its exec, too
            watcher.push_processes(100.0)
            self.assertIn(child.pid, [pid for pid, _ in watcher.process_watch.listed])
            watcher.tails.poll(100.0)
            watcher.push_processes(100.3)
            self.assertEqual(len(told), 1)
            self.assertEqual(watcher.tails.slow_due, 101.0)
            child.kill()
            child.wait()
            watcher.push_processes(100.5)
            self.assertEqual(len(told), 1)               # the logs come first
            self.assertEqual(watcher.pause(100.5, False), 1)
            watcher.tails.poll(100.5)
            self.assertEqual(watcher.tails.slow_due, 100.75)
            watcher.push_processes(100.5)
            self.assertEqual(told, [probe.PROCESS_LIST] * 2)
            self.assertNotIn(child.pid, [pid for pid, _ in watcher.process_watch.listed])
            watcher.tails.poll(103.0)
            self.assertEqual(watcher.tails.slow_due, 104.0)
        finally:
            child.kill()
            child.wait()

    def test_a_log_that_is_rotated_or_deleted_under_its_writer_is_followed_as_a_file(self):
        for number, rotate in enumerate((os.unlink, lambda log: os.rename(log, log + b".1"),
                                         lambda log: (os.rename(log, log + b".1"), write(log, b"")))):
            log, said = self.path(b"log%d" % number), []
            write(log, b"")
            with open(log, "ab") as output:
                rank = subprocess.Popen(["sh", "-c", "echo one; read x; echo two; read x; echo three; read x"], stdin=subprocess.PIPE,
                                        stdout=output, env={MARK: "rotated", "PATH": os.environ["PATH"]}, bufsize=0)
            watcher = probe_sent(self)
            watcher.output.frame = lambda kind, wire, payload, said=said: said.append((kind, payload))
            watcher.tails.update([(1, log, None, 65536, 1)])
            watch = watcher.process_watch = probe.Processes(frozenset([MARK.encode()]), pids=frozenset([rank.pid]))
            watch.kernel = probe.KernelLog()

            def until(text, path):
                deadline = time.monotonic() + 60
                while time.monotonic() < deadline:
                    with open(path, "rb") as file:
                        if file.read().endswith(text):
                            break
                watcher.tails.slow_due = 0.0
                watcher.tails.poll(time.monotonic())
                watcher.tails.pump()
                return b"".join(payload for kind, payload in said if kind == probe.TAIL_DATA)
            try:
                self.assertIn(b"one", until(b"one\n", log))
                watch.collect()
                descriptor = "/proc/%d/fd/1" % rank.pid
                rotate(log)
                rank.stdin.write(b"\n")
                self.assertIn(b"two", until(b"two\n", descriptor))
                write(log, b"of another\n")
                watcher.tails.credit = probe.WINDOW
                for _ in range(4):
                    text = until(b"another\n", log)
                self.assertIn(b"of another", text)      # the process that writes there is the one to follow now
                self.assertEqual([payload[0] for kind, payload in said if kind == probe.TAIL_EVENT], [probe.OPENED, probe.REPLACED])
                os.unlink(log)
                until(b"two\n", descriptor)
                self.assertEqual([payload[0] for kind, payload in said if kind == probe.TAIL_EVENT][-1], probe.MISSING)
            finally:
                rank.kill()
                rank.wait()
                rank.stdin.close()
                for tail in watcher.tails.all.values():
                    tail.close()

    def test_an_end_of_a_rank_wakes_the_probe_without_any_scan(self):
        if not hasattr(os, "pidfd_open"):
            return                                       # an older interpreter: as in the test above
        watcher, told = probe_sent(self), []
        watcher.output.message = lambda kind, ident, payload: told.append(kind)
        ranks = [subprocess.Popen(["sleep", "60"], env={MARK: "wakes"}) for _ in range(2)]
        try:
            watch = watcher.process_watch = probe.Processes(frozenset([MARK.encode()]))
            watch.kernel, watch.pids = probe.KernelLog(), frozenset(rank.pid for rank in ranks)
            watcher.push_processes(100.0)
            self.assertFalse(watcher.ends.blind)
            watcher.push_processes(100.3)
            watch.ended = lambda: self.fail("a look that nobody needs")
            watcher.push_processes(100.6)
            self.assertFalse(watcher.poller.poll(0))
            ranks[0].kill()
            os.waitid(os.P_PID, ranks[0].pid, os.WEXITED | os.WNOWAIT)
            fd = watcher.poller.poll(10000)[0][0]
            self.assertEqual(watcher.ends.woke(fd)[0], ranks[0].pid)
            self.assertFalse(watcher.poller.poll(0), "it wakes once")
            watcher.wake((ranks[0].pid, probe.start_ticks(ranks[0].pid)), 100.7)
            self.assertEqual([one[::2] for one in watch.exits], [(ranks[0].pid, -signal.SIGKILL)])
            ranks[0].wait()                              # its launcher collects it
            watcher.push_processes(100.7)
            self.assertEqual(len(told), 1)               # the logs come first
            watcher.push_processes(100.7)
            self.assertEqual(len(told), 2)
            self.assertEqual([pid for pid, _ in watch.listed], [ranks[1].pid])
            watcher.wake((0, 0), 100.75)                 # the next end soon after
            watcher.push_processes(100.9)
            watcher.push_processes(100.9)
            self.assertEqual(len(told), 2)
            watcher.push_processes(100.96)
            watcher.push_processes(100.96)
            self.assertEqual(len(told), 3)
            watcher.ends.attend([])
            self.assertTrue(watcher.ends.blind)
            ranks[1].kill()
            ranks[1].wait()
            self.assertFalse(watcher.poller.poll(0))
        finally:
            for rank in ranks:
                rank.kill()
                rank.wait()

    def test_children_that_come_and_go_make_no_list_of_each(self):
        watcher, looks = probe_sent(self), []
        watcher.output.message = lambda *_: None
        watcher.process_watch = probe.Processes(frozenset([MARK.encode()]))
        watcher.process_watch.collect = lambda: looks.append(1) or []
        watcher.process_watch.ended = lambda: True
        for tenth in range(100):
            watcher.push_processes(1000 + tenth / 10.0)
        self.assertLessEqual(len(looks), 11)             # scans in ten seconds

    def test_a_zombie_has_ended(self):
        child = subprocess.Popen(["sleep", "60"], env={MARK: "zombie"})
        try:
            watch = probe.Processes(frozenset([MARK.encode()]), pids=frozenset([child.pid]))
            watch.kernel = probe.KernelLog()
            watch.collect()
            self.assertFalse(watch.ended())
            child.kill()
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
            self.assertTrue(watch.ended())
            self.assertEqual([one[::2] for one in watch.exits], [(child.pid, -signal.SIGKILL)])
            watch.collect()
            self.assertFalse(watch.ended())              # it has been reported
            self.assertEqual(len(watch.exits), 1)
        finally:
            child.kill()
            child.wait()

    def test_an_exit_code_is_reported_only_with_permission(self):
        """To other users the kernel reports 0, which would not be a failure."""
        child = subprocess.Popen([sys.executable, "-c", "import os; os._exit(7)"])
        try:
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
            watch, start = probe.Processes(frozenset([MARK.encode()])), probe.start_ticks(child.pid)
            with mock.patch.object(probe.os, "readlink", side_effect=PermissionError(13, "closed")):
                watch.note_exit(child.pid, start)
            watch.note_exit(child.pid, start + 1)        # another process
            watch.note_exit(os.getpid(), probe.start_ticks(os.getpid()))
            self.assertEqual(watch.exits, [])
            watch.note_exit(child.pid, start)
            self.assertEqual(watch.exits, [(child.pid, start, 7)])
        finally:
            child.wait()

    def test_an_argument_does_not_hide_a_process(self):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", "rankdeck-probe"], env={MARK: "hidden"})
        try:
            watch = probe.Processes(frozenset([MARK.encode()]))
            deadline = time.monotonic() + 60
            while not any(b"hidden" in item for item in watch.collect()):
                self.assertLess(time.monotonic(), deadline)
                watch.known.clear()
        finally:
            child.kill()
            child.wait()

    def test_a_process_that_overwrites_its_environment_is_still_reported(self):
        script = ("import ctypes, sys, time\nfields = open('/proc/self/stat').read().rpartition(')')[2].split()\nsys.stdin.readline()\n"
                  "ctypes.memset(int(fields[47]), 0, int(fields[48]) - int(fields[47]))\nprint('done', flush=True)\ntime.sleep(60)")
        child = subprocess.Popen([sys.executable, "-c", script], env={MARK: "titled"}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            def found():
                return [item for item in watch.collect() if struct.unpack(">I", item[:4])[0] == child.pid]

            watch = probe.Processes(frozenset([MARK.encode()]))
            deadline = time.monotonic() + 60
            while not found() and time.monotonic() < deadline:
                watch.known.clear()
            child.stdin.write(b"go\n")
            child.stdin.flush()
            self.assertEqual(child.stdout.readline(), b"done\n")
            self.assertNotIn(b"titled", probe.slurp("/proc/%d/environ" % child.pid))
            self.assertIn(b"titled", found()[0])
        finally:
            child.kill()
            child.communicate()

    def test_a_closed_process_may_be_a_rank_unless_it_is_a_service(self):
        group = {7: b"0::/system.slice/cron.service\n", 8: b"0::/system.slice/docker-1.scope\n",
                 9: b"0::/system.slice/slurmd.service\n"}
        with mock.patch.object(probe, "slurp", lambda path, limit=0: group[int(path.split("/")[2])]):
            self.assertFalse(probe.may_be_a_rank(7, b"cron", 0, 1))
            self.assertTrue(probe.may_be_a_rank(7, b"python3", 1000, 1))
            self.assertTrue(probe.may_be_a_rank(8, b"python3", 0, 1))
            self.assertTrue(probe.may_be_a_rank(9, b"python3", 0, 1))
            self.assertFalse(probe.may_be_a_rank(9, b"sshd", 0, 1))
            self.assertFalse(probe.may_be_a_rank(9, b"kworker", 0, 2))

    def test_processes_by_the_files_that_they_write(self):
        log, other = self.path(b"worker_0.log"), self.path(b"data.bin")
        os.mkdir(self.path(b"real"))
        os.symlink(b"real", self.path(b"link"))
        saved = self.path(b"link", b"model.ckpt")
        with open(log, "wb") as out, open(other, "wb") as data, open(saved, "wb") as model:
            child = subprocess.Popen(["sleep", "60"], env={}, stdout=out, pass_fds=(data.fileno(), model.fileno()))
        try:
            def found(paths, every=False, names=()):
                watch = probe.Processes(frozenset(names), tuple(paths), every)
                return [item for item in watch.collect() if struct.unpack(">I", item[:4])[0] == child.pid]

            wait_for("the process", lambda: found([log]))
            self.assertIn(pc.blob(log), found([log], names=[b"NONE"])[0])
            self.assertEqual(found([other]), [])   # only its output is checked
            self.assertIn(pc.blob(other), found([other], True)[0])
            self.assertIn(pc.blob(self.path(b"link")), found([self.path(b"link")], True)[0])
            self.assertEqual(found([self.path(b"worker_1.log")], True), [])
            os.rename(log, self.path(b"moved"))
            self.assertEqual(found([log]), [])
            self.assertEqual(len(found([self.folder])), 1)
        finally:
            child.kill()
            child.wait()

    def test_the_settings_of_logind_decide_whether_a_logout_ends_processes(self):
        def said(files, user=b"me", in_session=True):
            root = self.scratch()
            for name, text in files.items():
                os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
                write(os.path.join(root, name), text)
            return probe.logout_rule(probe.logind_settings(os.fsencode(root)), user, in_session)[0]

        main, drop = "etc/systemd/logind.conf", "etc/systemd/logind.conf.d/9.conf"
        self.assertEqual(said({}), 2)
        self.assertEqual(said({}, in_session=False), 0)
        self.assertEqual(said({main: b"[Login]\n#KillUserProcesses=no\n"}), 0)
        self.assertEqual(said({main: b"#KillUserProcesses=yes\n"}), 1)
        self.assertEqual(said({main: b"KillUserProcesses=no\n", drop: b"KillUserProcesses = yes\n"}), 1)
        self.assertEqual(said({main: b"KillUserProcesses=yes\n", drop: b"#KillUserProcesses=no\n"}), 1)
        self.assertEqual(said({main: b"KillUserProcesses=yes\n"}, b"root"), 0)
        self.assertEqual(said({main: b"KillUserProcesses=yes\nKillOnlyUsers=you\n"}), 0)
        hidden = {drop: b"KillUserProcesses=no\n", "usr/lib/systemd/logind.conf.d/9.conf": b"KillUserProcesses=yes\n"}
        self.assertEqual(said(hidden), 0)

    def test_a_user_manager_ends_processes_without_linger(self):
        root = self.scratch()
        inside = [b"0::/user.slice/user-1000.slice/user@1000.service/app.slice/rankdeck.scope"]
        self.assertIsNone(probe.user_manager_rule(b"me", [b"0::/user.slice/user-1000.slice/session-3.scope"], os.fsencode(root)))
        self.assertEqual(probe.user_manager_rule(b"me", inside, os.fsencode(root))[0], 1)
        os.makedirs(os.path.join(root, "var/lib/systemd/linger"))
        write(os.path.join(root, "var/lib/systemd/linger/me"), b"")
        self.assertEqual(probe.user_manager_rule(b"me", inside, os.fsencode(root))[0], 0)
        self.assertEqual(probe.user_manager_rule(b"you", inside, os.fsencode(root))[0], 1)

    def test_launch_ids(self):
        for bad in (b"", b"a/b", b"..", b".x", b"a b", b"x" * 129, b"a\n"):
            with self.assertRaises(probe.Refusal):
                probe.Launch(bad, b"/tmp")
        probe.Launch(b"job-1.attempt_2", b"/tmp")
