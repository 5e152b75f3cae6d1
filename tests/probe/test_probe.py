# SPDX-License-Identifier: GPL-3.0-or-later
"""The probe, joined from its parts, under the interpreter that runs this file: its pieces, and the whole over pipes."""
import errno
import fcntl
import hashlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import types
import unittest
import zlib
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import probe_client as pc  # noqa: E402

probe = types.ModuleType("probe_under_test")
exec(compile(pc.joined(), "probe", "exec"), probe.__dict__)


def write(path, data, mode="wb"):
    with open(path, mode) as file:
        file.write(data)


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = os.fsencode(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder, True)

    def path(self, *names):
        return os.path.join(self.folder, *names)


class Pieces(Folder):
    def test_record_lengths(self):
        self.assertEqual(probe.record_at(b"\x0a\x03abc", 10), 5)
        self.assertEqual(probe.record_at(b"\x0a\xac\x02" + b"x" * 8, 10), 3 + 300)
        self.assertIsNone(probe.record_at(b"\x12\x03abc", 10))
        self.assertIsNone(probe.record_at(b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10))
        self.assertIsNone(probe.record_at(b"\x0a\x80", 10))
        self.assertIsNone(probe.record_at(b"", 10))

    def test_start_of_the_last_lines(self):
        path = self.path(b"log")
        write(path, b"first\nsecond\nthird\n")
        fd = os.open(path, os.O_RDONLY)
        self.addCleanup(os.close, fd)
        self.assertEqual(probe.line_start(fd, 19, 100), 0)
        self.assertEqual(probe.line_start(fd, 19, 6), 13)      # exactly a line
        self.assertEqual(probe.line_start(fd, 19, 7), 13)      # one byte of the line before is no line
        self.assertEqual(probe.line_start(fd, 19, 13), 6)
        self.assertEqual(probe.line_start(fd, 19, 0), 19)

    def test_start_of_a_line_that_is_longer_than_asked(self):
        path = self.path(b"log")
        write(path, b"short\n" * 100000 + b"x" * 200000)
        fd = os.open(path, os.O_RDONLY)
        self.addCleanup(os.close, fd)
        start = probe.line_start(fd, 800000, 1000)
        self.assertTrue(0 < start <= 600000 and start % 6 == 0, start)

    def test_file_systems_by_longest_mount(self):
        self.assertEqual(probe.file_system(b"/proc/self/stat"), b"proc")

    def test_error_kinds(self):
        for number, kind in ((errno.ENOENT, probe.NOT_FOUND), (errno.EROFS, probe.PERMISSION), (errno.ENOSPC, probe.NO_SPACE),
                             (errno.EDQUOT, probe.NO_SPACE), (errno.EEXIST, probe.CONFLICT), (errno.EIO, probe.INTERNAL)):
            self.assertEqual(probe.kind_of(OSError(number, "")), kind)

    def test_requests_that_are_too_short(self):
        with self.assertRaises(ValueError):
            probe.Reader(b"\0\0\0\5abc").blob()
        with self.assertRaises(probe.Refusal):
            probe.Reader(b"\0\0\0\3a\0c").path()

    def test_launch_ids(self):
        for bad in (b"", b"a/b", b"..", b".x", b"a b", b"x" * 129, b"a\n"):
            with self.assertRaises(probe.Refusal):
                probe.Launch(bad, b"/tmp")
        probe.Launch(b"job-1.attempt_2", b"/tmp")

    def test_signals_are_refused_for_init_self_and_reused_pids(self):
        boot = probe.boot_id()
        for pid in (0, 1, os.getpid(), 1 << 31):
            self.assertNotEqual(probe.send_signal(pid, 1, boot, 0, 0), b"")
        child = subprocess.Popen(["sleep", "60"])
        try:
            start = probe.start_ticks(child.pid)
            self.assertEqual(probe.send_signal(child.pid, start + 1, boot, signal.SIGTERM, 0), b"another process has this pid now")
            self.assertEqual(probe.send_signal(child.pid, start, b"other", signal.SIGTERM, 0), b"the machine was restarted since")
            self.assertIsNone(child.poll())
            self.assertEqual(probe.send_signal(child.pid, start, boot, signal.SIGTERM, 0), b"")
            self.assertEqual(child.wait(10), -signal.SIGTERM)
            self.assertEqual(probe.send_signal(child.pid, start, boot, signal.SIGTERM, 0), b"gone")
        finally:
            child.kill()
            child.wait()

    def test_processes_are_read_once(self):
        child = subprocess.Popen(["sleep", "60"], env=dict(os.environ, PROBE_TEST_NAME="seven"))
        try:
            watch = probe.Processes(frozenset([b"PROBE_TEST_NAME"]))
            deadline = time.monotonic() + 10
            while not any(b"seven" in item for item in watch.collect()) and time.monotonic() < deadline:
                time.sleep(0.02)
            known = watch.known[child.pid]
            known.first -= 20                      # no longer young
            calls = []
            watch.environment = lambda pid: (calls.append(pid), b"")
            self.assertEqual(len([item for item in watch.collect() if b"seven" in item]), 1)
            self.assertNotIn(child.pid, calls)
        finally:
            child.kill()
            child.wait()

    def test_a_word_in_its_arguments_does_not_hide_a_process(self):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)", "rankdeck-probe"], env={"PROBE_TEST_NAME": "hidden"})
        try:
            watch = probe.Processes(frozenset([b"PROBE_TEST_NAME"]))
            deadline = time.monotonic() + 10
            while not any(b"hidden" in item for item in watch.collect()):
                self.assertLess(time.monotonic(), deadline)
                watch.known.clear()
        finally:
            child.kill()
            child.wait()

    def test_a_process_that_writes_over_its_environment_is_still_told(self):
        script = ("import ctypes, sys, time\nfields = open('/proc/self/stat').read().rpartition(')')[2].split()\nsys.stdin.readline()\n"
                  "ctypes.memset(int(fields[47]), 0, int(fields[48]) - int(fields[47]))\nprint('done', flush=True)\ntime.sleep(60)")
        child = subprocess.Popen([sys.executable, "-c", script], env={"PROBE_TEST_NAME": "titled"}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            def found():
                return [item for item in watch.collect() if struct.unpack(">I", item[:4])[0] == child.pid]

            watch = probe.Processes(frozenset([b"PROBE_TEST_NAME"]))
            deadline = time.monotonic() + 10
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

    def test_what_is_closed_may_be_a_rank_unless_it_is_a_service(self):
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

            deadline = time.monotonic() + 10
            while not found([log]) and time.monotonic() < deadline:
                time.sleep(0.02)
            self.assertIn(pc.blob(log), found([log], names=[b"NONE"])[0])
            self.assertEqual(found([other]), [])   # only its output is looked at
            self.assertIn(pc.blob(other), found([other], True)[0])
            self.assertIn(pc.blob(self.path(b"link")), found([self.path(b"link")], True)[0])
            self.assertEqual(found([self.path(b"worker_1.log")], True), [])
            os.rename(log, self.path(b"moved"))
            self.assertEqual(found([log]), [])
            self.assertEqual(len(found([self.folder])), 1)
        finally:
            child.kill()
            child.wait()

    def test_the_lock_of_another_owner(self):
        path, lock = self.path(b"c.json"), self.path(b".c.json.lock")
        write(path, b"{}")
        os.chmod(path, 0o644)
        mask = os.umask(0o077)
        try:
            fd = probe.open_lock(lock, os.stat(path))
        finally:
            os.umask(mask)
        self.assertEqual(os.stat(lock).st_mode & 0o777, 0o644)     # as open as the file
        os.close(fd)
        opened = []

        def closed(name, flags, mode=0):
            opened.append(flags & os.O_ACCMODE)
            if opened[-1] == os.O_RDWR:
                raise PermissionError(errno.EACCES, "")
            return os.open(name, flags, mode)

        real, probe.os = probe.os, types.SimpleNamespace(**dict(vars(os), open=closed))
        try:
            os.close(probe.open_lock(lock, os.stat(path)))
        finally:
            probe.os = real
        self.assertEqual(opened, [os.O_RDWR, os.O_RDONLY])
        self.assertFalse(probe.forsaken(lock))     # young: somebody may hold it
        self.assertTrue(os.path.exists(lock))
        later, probe.time = probe.time, types.SimpleNamespace(time=lambda: time.time() + 700)
        try:
            self.assertTrue(probe.forsaken(lock))
        finally:
            probe.time = later
        self.assertFalse(os.path.exists(lock))

    def source(self, data=b"", closed=False):
        """A probe whose console has sent that much."""
        read, write_end = os.pipe()
        os.set_blocking(read, False)
        os.write(write_end, data)
        null = os.open("/dev/null", os.O_WRONLY)
        for fd in (read, null) + (() if closed else (write_end,)):
            self.addCleanup(os.close, fd)
        if closed:
            os.close(write_end)
        return probe.Probe(read, null)

    def test_a_write_that_was_given_up_does_not_land(self):
        path = self.path(b"c.json")
        write(path, b"{}")
        for node in (self.source(b"x" * 300, closed=True), self.source()):
            self.assertEqual(node.given_up(), node.ending)
            node.turned -= 16                      # so long was it held up
            with self.assertRaises(probe.Refusal):
                probe.swap(node, path, (b"{}", os.stat(path)), b"[]")
            self.assertEqual(probe.slurp(path), b"{}")
            self.assertEqual(os.listdir(self.folder), [b"c.json"])
        node = self.source()
        self.assertTrue(probe.swap(node, path, (b"{}", os.stat(path)), b"[]"))

    def test_changes_that_waited_behind_a_held_up_one_are_not_made(self):
        node = self.source()
        path = self.path(b"d")
        node.handle(probe.ACT, 1, bytes((probe.MAKE_DIRECTORY,)) + pc.blob(path) + pc.blob(b"") * 4)
        node.turned -= 16
        node.run_jobs(time.monotonic())
        self.assertFalse(os.path.exists(path))
        self.assertIn(b"nothing was done", node.output.normal[0])

    def test_hard_links_are_refused(self):
        path = self.path(b"c.json")
        write(path, b"{}")
        os.link(path, self.path(b"second"))
        with self.assertRaises(probe.Refusal) as refused:
            probe.current_content(path, path)
        self.assertIn(b"2 names", refused.exception.text)

    def test_a_link_that_is_turned_while_the_lock_is_waited_for_is_followed_again(self):
        write(self.path(b"old"), b"{}")
        write(self.path(b"new"), b"{}")
        os.symlink(b"old", self.path(b"c.json"))
        holder = os.open(self.path(b".old.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(holder, fcntl.LOCK_EX)
        found = []
        steps = probe.lock_target(self.path(b"c.json"), found)
        next(steps)
        os.unlink(self.path(b"c.json"))
        os.symlink(b"new", self.path(b"c.json"))
        os.close(holder)
        for _ in steps:
            continue
        self.assertEqual(found[0], os.path.realpath(self.path(b"new")))
        probe.unlock(found)
        self.assertFalse(os.path.exists(self.path(b".new.lock")))

    def test_a_job_that_waited_for_room_goes_on_at_once(self):
        node, pauses, told = self.source(), [], []

        def answer(reply):
            for _ in range(8):
                reply.write(b"x" * (600 << 10))
                told.append(1)
                yield 0

        for ident in (1, 2):
            reply = probe.Reply(node.output, ident)
            node.jobs.append(probe.Job(probe.LIST, answer(reply), reply))

        def poll(pause):
            if len(told) < 16 and pauses:
                self.assertEqual(pause, 0)         # with all that was written gone, nothing else would wake it
            pauses.append(pause)
            node.ending = len(told) == 16 or len(pauses) > 100
            return []

        real = probe.select
        probe.select = types.SimpleNamespace(
            POLLIN=1, POLLOUT=4, poll=lambda: types.SimpleNamespace(register=lambda *_: None, unregister=lambda *_: None, poll=poll))
        try:
            node.run()
        finally:
            probe.select = real
        self.assertEqual(len(told), 16)

    def test_what_fails_outside_a_request_does_not_end_the_probe(self):
        node = self.source()
        node.directories[1] = watch = probe.DirectoryWatch(1, self.folder, 2)
        node.process_watch = types.SimpleNamespace(collect=lambda: struct.pack(">B", 256), encode=bytes)

        def broken(*_):
            raise MemoryError()
            yield

        watch.visit = broken
        while node.push_directories(time.monotonic()):
            continue
        node.send_directories()
        node.push_processes(time.monotonic())
        self.assertIn(b"memory", b"".join(node.output.normal))
        node.handle(probe.WATCH, 0, struct.pack(">II", 1, 7) + pc.blob(b"a\0b"))
        self.assertFalse(node.ending)

    def test_a_large_directory_is_looked_at_in_slices(self):
        for index in range(1000):
            write(self.path(b"%d" % index), b"")
        watch = probe.DirectoryWatch(1, self.folder, 2)
        slices = 0
        for _ in watch.cycle(100):
            slices += 1
            self.assertIsNone(None if slices > 9 else watch.message())   # nothing half seen is told
        self.assertGreater(slices, 9)
        self.assertEqual(len(watch.folders[self.folder].entries), 1000)
        self.assertIsNotNone(watch.message())

    def test_an_unchanged_directory_is_told_as_of_when(self):
        write(self.path(b"a"), b"x")
        watch, clock = probe.DirectoryWatch(1, self.folder, 2), [100.0]
        real = probe.time
        probe.time = types.SimpleNamespace(monotonic=lambda: clock[0], time=lambda: 5000.0 + clock[0])
        try:
            def told():
                for _ in watch.cycle(100):
                    pass
                data = watch.message()
                return data and struct.unpack(">Q", data[-8:])[0] / 1e9

            self.assertEqual(told(), 5100.0)
            clock[0] += 1
            self.assertIsNone(told())                # too soon to say it again
            clock[0] += 1.5
            self.assertEqual(told(), 5102.5)         # nothing is new, and that is news
            watch.folders[self.folder].not_before = clock[0] + 60
            write(self.path(b"b"), b"y")             # a change that is looked at later: no listing as of now
            clock[0] += 5
            self.assertIsNone(told())
            clock[0] += 60
            self.assertEqual(told(), 5000.0 + clock[0])
        finally:
            probe.time = real

    def test_files_are_kept_by_name_or_as_copies(self):
        write(self.path(b"a"), b"12345")
        os.utime(self.path(b"a"), (1000, 2000))
        for action, target in ((probe.MAKE_HARD_LINK, b"link"), (probe.COPY_FILE, b"copy")):
            node = self.source()
            node.handle(probe.ACT, 1, bytes((action,)) + pc.blob(self.path(target)) + pc.blob(self.path(b"a")) + 3 * pc.blob(b""))
            while node.run_jobs(time.monotonic()):
                pass
        same = [os.stat(self.path(name)) for name in (b"a", b"link", b"copy")]
        self.assertEqual(same[0].st_ino, same[1].st_ino)
        self.assertNotEqual(same[0].st_ino, same[2].st_ino)
        self.assertEqual({(stat.st_size, stat.st_mtime) for stat in same}, {(5, 2000.0)})
        os.symlink(b"a", self.path(b"s"))
        node = self.source()                         # neither over a file nor through a link
        for source, target in ((b"a", b"copy"), (b"s", b"n1")):
            for action in (probe.MAKE_HARD_LINK, probe.COPY_FILE):
                node.handle(probe.ACT, 2, bytes((action,)) + pc.blob(self.path(target)) + pc.blob(self.path(source)))
        while node.run_jobs(time.monotonic()):
            pass
        self.assertFalse(os.path.lexists(self.path(b"n1")))
        self.assertEqual(os.stat(self.path(b"copy")).st_ino, same[2].st_ino)

    def test_what_a_logout_ends(self):
        def said(files, user=b"me", in_session=True):
            root = tempfile.mkdtemp()
            self.addCleanup(shutil.rmtree, root)
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

    def test_locks_that_do_not_leave_the_machine(self):
        real = probe.mount_of
        try:
            for kind, options, local in ((b"nfs4", b"rw,local_lock=none", False), (b"nfs", b"rw,nolock", True),
                                         (b"nfs", b"rw,local_lock=flock", True), (b"lustre", b"rw,flock", False),
                                         (b"lustre", b"rw,localflock", True), (b"ext4", b"rw", False)):
                probe.mount_of = lambda _: (kind, frozenset(options.split(b",")))
                self.assertEqual(probe.locks_are_local(b"/x"), local)
        finally:
            probe.mount_of = real

    def test_another_machine_without_common_locks_leaves_it_unknown(self):
        claim = probe.Claim(b"llama", self.folder)
        for _ in claim.take(b"a1", b"attempt 1", b"a1-0"):
            continue
        claim.launches = [(b"a1-0", b"another-boot", b"another-host")]
        claim.write()
        claim.close()
        local, probe.locks_are_local = probe.locks_are_local, lambda _: True
        try:
            other = probe.Claim(b"llama", self.folder)
            with self.assertRaises(probe.Refusal) as refused:
                for _ in other.take(b"a2", b"", b"a2-0"):
                    continue
            other.close()
            self.assertIn(b"another-host", refused.exception.text)
            write(self.path(b"a1-0.rc"), b"exit 0 1\n")
            for _ in other.take(b"a2", b"", b"a2-0"):
                continue
            other.close()
        finally:
            probe.locks_are_local = local

    def test_a_file_system_without_locks_says_so(self):
        def none(*_):
            raise OSError(errno.ENOLCK, "")

        real, probe.fcntl = probe.fcntl, types.SimpleNamespace(**dict(vars(fcntl), flock=none))
        try:
            claim = probe.Claim(b"llama", self.folder)
            with self.assertRaises(probe.Refusal) as refused:
                for _ in claim.take(b"a1", b"", b"a1-0"):
                    continue
            claim.close()
            self.assertEqual(refused.exception.kind, probe.UNSUPPORTED)
        finally:
            probe.fcntl = real

    def test_move_never_replaces(self):
        write(self.path(b"a"), b"A")
        write(self.path(b"b"), b"B")
        with self.assertRaises(FileExistsError):
            probe.move_without_replacing(self.path(b"a"), self.path(b"b"))
        os.symlink(b"nowhere", self.path(b"l"))
        with self.assertRaises(FileExistsError):
            probe.move_without_replacing(self.path(b"a"), self.path(b"l"))
        os.mkdir(self.path(b"d"))
        os.mkdir(self.path(b"e"))
        with self.assertRaises(FileExistsError):
            probe.move_without_replacing(self.path(b"d"), self.path(b"e"))
        probe.move_without_replacing(self.path(b"l"), self.path(b"m"))
        self.assertEqual(os.readlink(self.path(b"m")), b"nowhere")


class Whole(Folder):
    lease = 60.0

    def setUp(self):
        Folder.setUp(self)
        self.client = pc.Client(lease=self.lease)
        self.addCleanup(self.stop)

    def stop(self):
        if self.client.process.poll() is None:
            self.client.process.kill()
        self.client.process.wait()
        for stream in (self.client.process.stdin, self.client.process.stdout, self.client.process.stderr):
            stream.close()

    def entries(self, root, depth=1, limit=1000):
        cursor = self.client.ask(pc.LIST, pc.blob(root) + struct.pack(">II", depth, limit))
        found = {}
        while cursor.unpack("B"):
            st = cursor.stat()
            path = cursor.blob()
            found[path] = (st[0], st[1], cursor.blob(), cursor.blob())
        truncated, error = cursor.unpack("B"), cursor.blob()
        self.assertTrue(cursor.end())
        return found, truncated, error

    def test_greeting(self):
        cursor = pc.Cursor(self.client.hello)
        protocol, uid, wall = cursor.unpack("IIQ")
        self.assertEqual((protocol, uid), (1, os.geteuid()))
        self.assertLess(abs(wall / 1e9 - time.time()), 60)
        self.assertEqual(cursor.blob(), os.fsencode(socket.gethostname()))
        self.assertEqual(cursor.blob(), probe.slurp("/proc/sys/kernel/random/boot_id").strip())
        self.assertEqual(cursor.blob(), ("%d.%d.%d" % sys.version_info[:3]).encode())

    def test_listing_names_that_no_one_would_choose(self):
        names = [b"new\nline", b"\xff\xfe", b"-rf", b"  ", "学习".encode(), b"a'b\"c`d$e"]
        for name in names:
            write(self.path(name), b"x")
        found = self.entries(self.folder)[0]
        self.assertEqual(sorted(found), sorted(self.path(name) for name in names))

    def test_listing_links(self):
        os.makedirs(self.path(b"root", b"sub"))
        write(self.path(b"root", b"sub", b"file"), b"12345")
        write(self.path(b"outside"), b"123")
        os.symlink(b"..", self.path(b"root", b"sub", b"up"))
        os.symlink(b"sub/file", self.path(b"root", b"inside"))
        os.symlink(b"../outside", self.path(b"root", b"out"))
        os.symlink(b"/usr", self.path(b"root", b"usr"))
        os.symlink(b"nowhere", self.path(b"root", b"dangling"))
        root = self.path(b"root")
        found = self.entries(root, 8)[0]
        self.assertEqual(found[root + b"/inside"][:3], (b"f", 5, b"sub/file"))
        self.assertEqual(found[root + b"/out"][:3], (b"f", 3, b"../outside"))
        self.assertEqual(found[root + b"/usr"][0], b"l")
        self.assertEqual(found[root + b"/dangling"][0], b"l")
        self.assertEqual(found[root + b"/sub/up"][0], b"d")
        self.assertFalse([path for path in found if path.startswith(root + b"/sub/up/sub/up")])
        self.assertFalse([path for path in found if path.startswith(root + b"/usr/")])

    def test_listing_is_bounded_and_says_so(self):
        for index in range(50):
            write(self.path(b"%d" % index), b"")
        found, truncated, _ = self.entries(self.folder, 1, 20)
        self.assertEqual((len(found), truncated), (20, 1))
        found, truncated, _ = self.entries(self.folder, 1, 50)
        self.assertEqual((len(found), truncated), (50, 0))
        self.assertEqual(self.entries(self.path(b"none"))[2], b"No such file or directory")

    def test_hash_and_crc(self):
        data = os.urandom(3 << 20) + b"tail"
        write(self.path(b"f"), data)
        edge = 1 << 20
        spans = [(0, 0), (0, 10), (10, edge - 12), (edge - 2, 4), (edge + 2, 0), (2 * edge, edge), (3 * edge, 4), (4 * edge, 1)]
        asked = b"".join(struct.pack(">QQ", *span) for span in spans)
        cursor = self.client.ask(pc.HASH, pc.blob(self.path(b"f")) + struct.pack(">I", len(spans)) + asked)
        self.assertEqual(cursor.blob().decode(), hashlib.sha256(data).hexdigest())
        sums = tuple(zlib.crc32(data[at:at + length]) & 0xffffffff for at, length in spans)
        self.assertEqual(cursor.unpack("I%dIQ" % len(spans)), (len(spans),) + sums + (len(data),))

    def test_spans_that_overlap_are_refused(self):
        write(self.path(b"f"), b"12345")
        with self.assertRaises(pc.Refused):
            self.client.ask(pc.HASH, pc.blob(self.path(b"f")) + struct.pack(">IQQQQ", 2, 0, 3, 2, 1))

    def test_what_is_around_a_file_without_its_bytes(self):
        huge = self.path(b"huge")
        with open(huge, "wb") as file:
            file.truncate(1 << 40)
        for path, letter in ((self.folder, b"d"), (huge, b"f")):
            answer = self.client.ask(pc.READ_FILE, pc.blob(path) + struct.pack(">I", 0))
            self.assertEqual((answer.blob(), answer.blob(), answer.blob()), (b"", b"", os.path.realpath(path)))
            self.assertEqual(answer.stat()[0], letter)
            answer.blob()                # owner
            self.assertEqual(answer.unpack("B"), 1)
            answer.blob()                # file system
            self.assertGreater(answer.unpack("Q"), 0)
            self.assertTrue(answer.end())
        with self.assertRaises(pc.Refused):
            self.client.ask(pc.READ_FILE, pc.blob(self.path(b"none")) + struct.pack(">I", 0))

    def append(self, path, offset, data, last=0):
        self.client.ask(pc.APPEND, pc.blob(path) + struct.pack(">QB", offset, last) + pc.blob(data))

    def test_a_file_grows_only_at_its_end(self):
        path, link = self.path(b"part"), self.path(b"link")
        self.append(path, 0, b"one ")
        self.append(path, 4, b"two", 1)
        os.symlink(path, link)
        for name, offset, data in ((path, 0, b"again"), (path, 4, b"two"), (path, 9, b"gap"), (link, 7, b"x")):
            with self.assertRaises(pc.Refused):
                self.append(name, offset, data)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), b"one two")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)

    def test_replacing_keeps_extended_attributes(self):
        path = self.path(b"c.json")
        write(path, b"{}")
        try:
            os.setxattr(path, b"user.rankdeck", b"kept")
        except OSError as error:
            self.assertEqual(error.errno, errno.ENOTSUP)
            return
        self.client.ask(pc.REPLACE, pc.blob(path) + pc.blob(hashlib.sha256(b"{}").hexdigest().encode()) + pc.blob(b"[]") + b"\0")
        self.assertEqual(os.getxattr(path, b"user.rankdeck"), b"kept")

    def test_launched_programs_are_not_nice_and_have_their_limits_back(self):
        out = self.path(b"out")
        script = b"import os,resource,signal;print(os.nice(0),resource.getrlimit(resource.RLIMIT_AS)[0]," \
                 b"resource.getrlimit(resource.RLIMIT_NOFILE)[0],signal.getsignal(signal.SIGTERM)==signal.SIG_DFL,os.listdir('/proc/self/fd'))"
        argv = [os.fsencode(sys.executable), b"-c", script]
        request = (pc.blob(b"l1") + pc.blob(self.path(b"run")) + struct.pack(">I", len(argv)) + b"".join(map(pc.blob, argv))
                   + struct.pack(">I", 0) + pc.blob(b"") + pc.blob(out) + pc.blob(b"job") + pc.blob(b"action") + pc.blob(b"attempt 1"))
        self.assertEqual(self.client.ask(pc.LAUNCH, request).unpack("B"), 1)
        deadline = time.monotonic() + 20
        while not (os.path.exists(out) and os.path.getsize(out)) and time.monotonic() < deadline:
            time.sleep(0.02)
        import resource
        expected = "%d %d %d True ['0', '1', '2', '3']\n" % (os.nice(0), resource.getrlimit(resource.RLIMIT_AS)[0],
                                                         resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        self.assertEqual(probe.slurp(out).decode(), expected)

    def test_ends_at_end_of_input(self):
        self.client.watch([(1, self.path(b"log"), 0, 100, None)])
        self.assertEqual(self.client.close(), 0)

    def test_ends_at_a_broken_frame(self):
        self.client.write(struct.pack(">IBBHI", (1 << 20) + 1, pc.LIST, 2, 0, 1))
        self.assertEqual(self.client.process.wait(10), 0)
        self.assertIn(b"broken frame", self.client.process.stderr.read())

    def test_ends_at_a_short_request(self):
        self.client.send(pc.WATCH, 0, b"\0\0\0\5")
        self.assertEqual(self.client.process.wait(10), 0)

    def test_ends_at_sigterm(self):
        self.client.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.client.process.wait(10), 0)

    def test_watching_writes_nothing(self):
        write(self.path(b"log"), b"line\n")
        os.mkdir(self.path(b"d"))
        before = [(root, sorted(names), sorted(files), os.stat(root).st_mtime_ns) for root, names, files in os.walk(self.folder)]
        self.client.watch([(1, self.path(b"log"), 0, 100, None)], [(2, self.folder, 3)], [b"HOME"])
        self.client.wait(pc.TAIL_DATA)
        self.client.wait(pc.DIRECTORY)
        self.client.wait(pc.PROCESS_LIST)
        after = [(root, sorted(names), sorted(files), os.stat(root).st_mtime_ns) for root, names, files in os.walk(self.folder)]
        self.assertEqual(before, after)

    def test_heartbeats_overtake_an_exploding_log(self):
        write(self.path(b"log"), b"x" * 99 + b"\n")
        with open(self.path(b"log"), "ab") as file:
            for _ in range(40):
                file.write((b"y" * 99 + b"\n") * 10000)
        self.client.watch([(1, self.path(b"log"), 1, 1 << 40, None)])
        time.sleep(0.5)                            # nothing is read here: the pipe is full by now
        self.client.send(pc.PING, 0, b"\0" * 8)
        time.sleep(0.2)
        seen = 0
        while True:
            kind, _, payload = self.client.frame()
            if kind == pc.PONG:
                break
            seen += len(payload)
        self.assertLess(seen, 2 << 20)

    def test_unpaid_tail_bytes_are_bounded(self):
        with open(self.path(b"log"), "wb") as file:
            file.write((b"z" * 99 + b"\n") * 50000)
        self.client.watch([(1, self.path(b"log"), 0, 1 << 40, None)])
        seen = 0
        while True:
            message = self.client.frame(2.0)
            if message is None:
                break
            if message[0] == pc.TAIL_DATA:
                seen += len(message[2])
        self.assertGreater(seen, 900 << 10)
        self.assertLess(seen, 1200 << 10)


class Lease(Whole):
    """Only the lease; the rest ran above."""
    lease = 1.0

    def test_ends_when_the_console_is_silent(self):
        begin = time.monotonic()
        self.assertEqual(self.client.process.wait(20), 0)
        self.assertGreaterEqual(time.monotonic() - begin, 0.5)

    def test_a_heartbeat_keeps_it(self):
        until = time.monotonic() + 2.5
        while time.monotonic() < until:
            self.client.send(pc.PING, 0, b"\0" * 8)
            time.sleep(0.2)
        self.assertIsNone(self.client.process.poll())


for inherited in [name for name in dir(Whole) if name.startswith("test_")]:
    setattr(Lease, inherited, None)

if __name__ == "__main__":
    unittest.main(verbosity=2)
