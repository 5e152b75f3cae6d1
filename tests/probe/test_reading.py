# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads by the probe: lines, records, file systems, directories, and its turns between them."""
import errno
import os
import struct
import time
import types

import probe_client as pc
from loaded_probe import Folder, probe, probe_sent, write


class Reading(Folder):
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
        self.assertEqual(probe.line_start(fd, 19, 6), 13)      # exactly one line
        self.assertEqual(probe.line_start(fd, 19, 7), 13)      # one byte of the line before does not count as a line
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

    def ranges(self, *wanted):
        """Results of a read of (path, offset, length, from the end): (bytes, offset, problem) for each."""
        written, data = [], struct.pack(">I", len(wanted))
        for path, offset, length, from_end in wanted:
            data += pc.blob(path) + struct.pack(">QIB", offset, length, from_end)
        reply = types.SimpleNamespace(write=written.append)
        for pause in probe.read_job(None, probe.Reader(data), reply):
            self.assertEqual(pause, 0)
        answer, said = pc.Cursor(b"".join(written)), []
        for _ in wanted:
            answer.stat()
            offset, got, piece = answer.unpack("Q"), b"", answer.blob()
            while piece:
                got, piece = got + piece, answer.blob()
            said.append((got, offset, answer.blob()))
        self.assertTrue(answer.end())
        return said

    def test_a_range_without_a_path_is_of_the_file_before(self):
        one, two, none = self.path(b"one"), self.path(b"two"), self.path(b"none")
        write(one, b"0123456789")
        write(two, b"abc" * 100000)
        self.assertEqual(self.ranges((one, 2, 3, 0), (b"", 4, 2, 1), (b"", 20, 5, 0), (two, 3, 3, 0), (b"", 0, 200001, 0),
                                     (none, 0, 1, 0), (b"", 0, 1, 0), (one, 0, 1, 0)),
                         [(b"234", 2, b""), (b"6789"[:2], 6, b""), (b"", 20, b""), (b"abc", 3, b""), (b"abc" * 66667, 0, b""),
                          (b"", 0, b"No such file or directory"), (b"", 0, b"No such file or directory"), (b"0", 0, b"")])
        with self.assertRaises(probe.Refusal):
            self.ranges((b"", 0, 1, 0))

    def test_many_small_ranges_leave_turns_to_others(self):
        path = self.path(b"many")
        write(path, b"x" * 5000)
        data = struct.pack(">I", 5000) + pc.blob(path) + struct.pack(">QIB", 0, 1, 0)
        data += b"".join(struct.pack(">IQIB", 0, at, 1, 0) for at in range(1, 5000))
        reply = types.SimpleNamespace(write=lambda data: None)
        self.assertGreater(len(list(probe.read_job(None, probe.Reader(data), reply))), 5000 // 64)

    def test_a_job_that_waited_for_room_goes_on_at_once(self):
        node, pauses, told = probe_sent(self), [], []

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
                self.assertEqual(pause, 0)         # all output is gone, so nothing else would wake it
            pauses.append(pause)
            node.ending = len(told) == 16 or len(pauses) > 100
            return []

        node.poller = types.SimpleNamespace(register=lambda *_: None, unregister=lambda *_: None, poll=poll)
        node.run()
        self.assertGreater(len(pauses), 1)
        self.assertEqual(len(told), 16)

    def test_a_failure_outside_a_request_does_not_end_the_probe(self):
        node = probe_sent(self)
        node.directories[1] = watch = probe.DirectoryWatch(1, self.folder, 2)
        node.process_watch = types.SimpleNamespace(ended=lambda: False, collect=lambda: struct.pack(">B", 256), encode=bytes)

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

    def test_a_large_directory_is_listed_in_slices(self):
        for index in range(1000):
            write(self.path(b"%d" % index), b"")
        watch = probe.DirectoryWatch(1, self.folder, 2)
        slices = 0
        for _ in watch.cycle(100):
            slices += 1
            self.assertIsNone(None if slices > 9 else watch.message())   # a partial listing is not reported
        self.assertGreater(slices, 9)
        self.assertEqual(len(watch.folders[self.folder].entries), 1000)
        self.assertIsNotNone(watch.message())

    def test_an_unchanged_directory_is_reported_with_its_time(self):
        write(self.path(b"a"), b"x")
        watch, clock = probe.DirectoryWatch(1, self.folder, 2), [100.0]
        real = probe.time
        probe.time = types.SimpleNamespace(monotonic=lambda: clock[0], time=lambda: 5000.0 + clock[0])
        try:
            def told(accompanied=False):
                for _ in watch.cycle(100):
                    pass
                data = watch.message(accompanied)
                return data and struct.unpack(">Q", data[-8:])[0] / 1e9

            self.assertEqual(told(), 5100.0)
            clock[0] += 1
            self.assertIsNone(told(True))            # too soon to report it again
            clock[0] += 1.5
            self.assertIsNone(told())                # not without other messages
            self.assertEqual(told(True), 5102.5)     # reported as unchanged
            clock[0] += 4
            self.assertEqual(told(), 5106.5)
            watch.folders[self.folder].not_before = clock[0] + 60
            write(self.path(b"b"), b"y")             # a change that is listed later: no listing with the current time
            clock[0] += 5
            self.assertIsNone(told())
            clock[0] += 60
            self.assertEqual(told(), 5000.0 + clock[0])
        finally:
            probe.time = real
