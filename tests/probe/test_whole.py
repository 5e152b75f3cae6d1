# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole probe as the console starts it: a separate process, over pipes."""
import errno
import fcntl
import hashlib
import os
import select
import signal
import socket
import struct
import sys
import termios
import time
import zlib

import probe_client as pc
from loaded_probe import Folder, probe, write
from checks import wait_for


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

    def test_metadata_of_a_file_without_its_bytes(self):
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
        self.client.ask(pc.APPEND, pc.blob(path) + struct.pack(">QB", offset, last) + pc.blob(data) + pc.blob(b"") * 3)

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
        self.client.ask(pc.REPLACE, pc.blob(path) + pc.blob(hashlib.sha256(b"{}").hexdigest().encode()) + pc.blob(b"[]") + b"\0" + pc.blob(b"") * 3)
        self.assertEqual(os.getxattr(path, b"user.rankdeck"), b"kept")

    def test_launched_programs_have_normal_priority_and_limits(self):
        out = self.path(b"out")
        script = b"import os,resource,signal;print(os.nice(0),resource.getrlimit(resource.RLIMIT_AS)[0]," \
                 b"resource.getrlimit(resource.RLIMIT_NOFILE)[0],signal.getsignal(signal.SIGTERM)==signal.SIG_DFL," \
                 b"sorted({os.path.basename(os.path.realpath('/proc/self/fd/'+fd)).split('.')[0] for fd in os.listdir('/proc/self/fd')" \
                 b" if os.path.exists('/proc/self/fd/'+fd)}))"
        argv = [os.fsencode(sys.executable), b"-c", script]
        request = (pc.blob(b"l1") + pc.blob(self.path(b"run")) + struct.pack(">I", len(argv)) + b"".join(map(pc.blob, argv))
                   + struct.pack(">I", 0) + pc.blob(b"") + pc.blob(out) + pc.blob(b"job") + pc.blob(b"action") + pc.blob(b"attempt 1")
                   + struct.pack(">I", 1) + pc.blob(self.path(b"out")))
        self.assertEqual(self.client.ask(pc.LAUNCH, request).unpack("B"), 1)
        wait_for("its output", lambda: os.path.exists(out) and os.path.getsize(out))
        import resource
        # The record is open in addition to input and output: the lock on it belongs to the program itself.
        expected = "%d %d %d True ['l1', 'null', 'out']\n" % (os.nice(0), resource.getrlimit(resource.RLIMIT_AS)[0],
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
        other_end = os.open("/proc/self/fd/%d" % self.client.process.stdout.fileno(), os.O_WRONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, other_end)
        # Nothing reads the output here.
        wait_for("a full pipe", lambda: not select.select([], [other_end], [], 0)[1])
        self.client.send(pc.PING, 0, b"\0" * 8)
        unread = lambda: struct.unpack("i", fcntl.ioctl(self.client.process.stdin, termios.FIONREAD, b"\0" * 4))[0]
        wait_for("the probe to read the heartbeat", lambda: unread() == 0)
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
    """Only the lease; the other tests ran above."""
    lease = 1.0

    def test_ends_when_the_console_is_silent(self):
        begin = time.monotonic()
        self.assertEqual(self.client.process.wait(20), 0)
        self.assertGreaterEqual(time.monotonic() - begin, 0.5)

    def test_a_heartbeat_keeps_it(self):
        until = time.monotonic() + 2.5
        while time.monotonic() < until:
            self.client.send(pc.PING, 0, b"\0" * 8)
            time.sleep(0.2)  # wait: under test
        self.assertIsNone(self.client.process.poll())


for inherited in [name for name in dir(Whole) if name.startswith("test_")]:
    setattr(Lease, inherited, None)
