# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes by the probe: locks, replacing, moving, keeping."""
import errno
import fcntl
import itertools
import os
import struct
import time
import types

import probe_client as pc
from loaded_probe import Folder, probe, probe_sent, write


NO_PATCHES = struct.pack(">I", 0)


class Changes(Folder):
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
        self.assertFalse(probe.forsaken(lock))     # young: a process may hold it
        self.assertTrue(os.path.exists(lock))
        later, probe.time = probe.time, types.SimpleNamespace(time=lambda: time.time() + 700)
        try:
            self.assertTrue(probe.forsaken(lock))
        finally:
            probe.time = later
        self.assertFalse(os.path.exists(lock))

    def test_the_newest_file_of_another_program_survives_any_interleaving(self):
        """The other program renames files over ours, up to three at each point, so that the inode number of a deleted file comes
        back."""
        real, temp = self.path(b"c.json"), self.path(b"temp")
        exchanged = probe.exchange
        self.addCleanup(setattr, probe, "exchange", exchanged)
        for kind, counts in itertools.product(("file", "link"), itertools.product(range(4), repeat=4)):
            write(real, b"old")
            write(temp, b"ours")
            written, points = [b"ours"], list(counts)

            def other():
                for _ in range(points.pop(0) if points else 0):
                    written.append(b"theirs %d" % len(written))
                    new = self.path(b"new")
                    if kind == "file":
                        write(new, written[-1])
                    else:
                        os.symlink(written[-1], new)
                    os.rename(new, real)

            def between(left, right):
                other()
                return exchanged(left, right)

            probe.exchange = between
            done = probe.exchange_checked(temp, real, b"old")
            seen = os.readlink(real) if os.path.islink(real) else probe.slurp(real)
            self.assertEqual((done, seen), (counts[0] == 0, written[-1]), (kind, counts))
            for path in (real, temp):
                os.unlink(path)

    def test_a_write_that_was_given_up_does_not_land(self):
        path = self.path(b"c.json")
        write(path, b"{}")
        for node in (probe_sent(self, b"x" * 300, closed=True), probe_sent(self)):
            self.assertEqual(node.given_up(), node.ending)
            node.turned -= 16                      # delayed for so long
            with self.assertRaises(probe.Refusal):
                probe.swap(node, path, (b"{}", os.stat(path)), b"[]")
            self.assertEqual(probe.slurp(path), b"{}")
            self.assertEqual(os.listdir(self.folder), [b"c.json"])
        node = probe_sent(self)
        self.assertTrue(probe.swap(node, path, (b"{}", os.stat(path)), b"[]"))

    def test_changes_that_waited_behind_a_held_up_one_are_not_made(self):
        node = probe_sent(self)
        path = self.path(b"d")
        node.handle(probe.ACT, 1, bytes((probe.MAKE_DIRECTORY,)) + pc.blob(path) + pc.blob(b"") * 4 + NO_PATCHES)
        node.turned -= 16
        node.run_jobs(time.monotonic())
        self.assertFalse(os.path.exists(path))
        self.assertIn(b"nothing was done", node.output.normal[0])

    def test_changes_that_began_beside_one_that_hung_are_not_made_either(self):
        node = probe_sent(self)
        path = self.path(b"d")

        def hangs():
            node.turned -= 16
            yield 0.5

        node.waiting.append(probe.Job(probe.LIST, hangs(), probe.Reply(node.output, 1)))
        node.handle(probe.ACT, 2, bytes((probe.MAKE_DIRECTORY,)) + pc.blob(path) + pc.blob(b"") * 4 + NO_PATCHES)
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

    def test_files_are_kept_by_name_or_as_copies(self):
        write(self.path(b"a"), b"12345")
        os.utime(self.path(b"a"), (1000, 2000))
        for action, target in ((probe.MAKE_HARD_LINK, b"link"), (probe.COPY_FILE, b"copy")):
            node = probe_sent(self)
            node.handle(probe.ACT, 1, bytes((action,)) + pc.blob(self.path(target)) + pc.blob(self.path(b"a")) + 3 * pc.blob(b"") + NO_PATCHES)
            while node.run_jobs(time.monotonic()):
                pass
        same = [os.stat(self.path(name)) for name in (b"a", b"link", b"copy")]
        self.assertEqual(same[0].st_ino, same[1].st_ino)
        self.assertNotEqual(same[0].st_ino, same[2].st_ino)
        self.assertEqual({(stat.st_size, stat.st_mtime) for stat in same}, {(5, 2000.0)})
        os.symlink(b"a", self.path(b"s"))
        node = probe_sent(self)                         # neither over a file nor through a link
        for source, target in ((b"a", b"copy"), (b"s", b"n1")):
            for action in (probe.MAKE_HARD_LINK, probe.COPY_FILE):
                node.handle(probe.ACT, 2, bytes((action,)) + pc.blob(self.path(target)) + pc.blob(self.path(source)) + 3 * pc.blob(b"") + NO_PATCHES)
        while node.run_jobs(time.monotonic()):
            pass
        self.assertFalse(os.path.lexists(self.path(b"n1")))
        self.assertEqual(os.stat(self.path(b"copy")).st_ino, same[2].st_ino)

    def test_a_copy_is_patched_only_if_it_has_the_bytes_of_the_plan(self):
        write(self.path(b"a"), b"12345")
        for target, before in ((b"good", b"3"), (b"bad", b"4")):
            node = probe_sent(self)
            patch = struct.pack(">IQ", 1, 2) + pc.blob(before) + pc.blob(b"x")
            node.handle(probe.ACT, 1, bytes((probe.COPY_FILE,)) + pc.blob(self.path(target)) + pc.blob(self.path(b"a")) + 3 * pc.blob(b"") + patch)
            while node.run_jobs(time.monotonic()):
                pass
        with open(self.path(b"good"), "rb") as file:
            self.assertEqual(file.read(), b"12x45")
        self.assertFalse(os.path.lexists(self.path(b"bad")))
        self.assertEqual(os.stat(self.path(b"a")).st_size, 5)

    def test_locks_that_do_not_leave_the_machine(self):
        real = probe.mount_of
        try:
            for kind, options, local in ((b"nfs4", b"rw,local_lock=none", False), (b"nfs", b"rw,nolock", True),
                                         (b"nfs", b"rw,local_lock=flock", True), (b"lustre", b"rw,flock", False),
                                         (b"lustre", b"rw,localflock", True), (b"ext4", b"rw", False), (b"cifs", b"rw", False),
                                         (b"cifs", b"rw,nobrl", True), (b"beegfs", b"rw", True), (b"fuse.sshfs", b"rw", True), (b"9p", b"rw", True),
                                         (b"virtiofs", b"rw", True), (b"fuse.glusterfs", b"rw", False), (b"ceph", b"rw", False), (b"gpfs", b"rw", False)):
                probe.mount_of = lambda _: (kind, frozenset(options.split(b",")))
                self.assertEqual(probe.locks_are_local(b"/x"), local)
        finally:
            probe.mount_of = real

    def test_a_place_belongs_to_the_first_action_and_a_question_delays_it(self):
        os.symlink(self.folder, self.path(b"link"))
        mine, theirs = probe.Places([self.path(b"log")]), probe.Places([self.path(b"link", b".", b"log")])
        theirs.open()
        theirs.put(b"a2", probe.ASKS)
        waits = mine.take(b"a1")
        for _ in range(3):
            next(waits)
        self.assertEqual(mine.holder(b"a1"), (b"", []))            # a question alone takes no lock
        theirs.close()
        for _ in waits:
            continue
        os.mkdir(self.path(b"log"))
        for wanted in (theirs, probe.Places([self.path(b"other"), self.path(b"log")])):
            with self.assertRaises(probe.Refusal) as refused:
                for _ in wanted.take(b"a2"):
                    continue
            self.assertEqual((refused.exception.kind, refused.exception.detail), (probe.CONFLICT, probe.HELD))
            self.assertEqual(wanted.files, {})                     # no lock of it is kept
        again = probe.Places([self.path(b"log")])
        for _ in again.take(b"a1"):                                # by the same action, with other open files
            continue
        self.assertIn(self.path(b"log"), probe.Places([self.path(b"log")]).holder(b"a2")[0])
        self.assertEqual(probe.Places([self.path(b"log")]).holder(b"a1"), (b"", []))
        self.assertEqual(probe.Places([self.folder, self.path(b"log", b"deeper")]).holder(b"a2"), (b"", []))
        mine.close()
        again.close()
        for _ in theirs.take(b"a2"):
            continue
        theirs.close()

    def test_a_directory_created_while_its_lock_is_taken(self):
        place = probe.Places([self.path(b"log")])
        real, asked = place.put, []

        def put(action, length):
            if not asked:
                os.mkdir(self.path(b"log"))
            asked.append(length)
            real(action, length)

        place.put = put
        for _ in place.take(b"a1"):
            continue
        self.assertEqual(asked, [probe.ASKS, probe.ASKS, probe.HAS])
        st = os.stat(self.path(b"log"))
        self.assertIn((st.st_dev, st.st_ino), place.files)
        place.close()

    def test_a_kernel_without_such_locks(self):
        def none(*_):
            raise OSError(errno.EINVAL, "")

        real, probe.fcntl = probe.fcntl, types.SimpleNamespace(**dict(vars(fcntl), fcntl=none))
        try:
            place = probe.Places([self.folder])
            self.assertEqual(list(place.take(b"a1")), [])
            self.assertEqual((place.files, place.holder(b"a2")), ({}, (b"", [])))
        finally:
            probe.fcntl = real

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

    def test_without_locks_the_state_of_a_supervisor_is_unknown(self):
        """The program of the launch is gone, and its exit code is not written: its supervisor may be about to write it."""
        write(self.path(b"a1-0.lock"), b"")
        write(self.path(b"a1-0.pid"), b"%d %d %s %d\n" % (os.getpid(), 1, probe.boot_id(), os.getpid()))
        launch = probe.Launch(b"a1-0", self.folder)
        record = launch.record(launch.record_path)
        real = probe.fcntl
        try:
            for number in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP):
                def none(*_):
                    raise OSError(number, "")

                probe.fcntl = types.SimpleNamespace(**dict(vars(fcntl), flock=none))
                with self.assertRaises(probe.Refusal) as refused:
                    launch.encode(record, 0)
                self.assertEqual(refused.exception.kind, probe.UNSUPPORTED)
                launch.encode(record, 0, alone=True)
            write(launch.exit_path, b"exit 3 17\n")    # then no lock is needed
            self.assertEqual(launch.encode(record, 0)[-1], 0)
        finally:
            probe.fcntl = real

    def test_hidden_processes_have_not_ended(self):
        """A record whose process is hidden in /proc for another reason than its end."""
        def hidden(pid):
            raise OSError(errno.EACCES, "")

        write(self.path(b"a1-0.pid"), b"%d %d %s %d\n" % (os.getpid(), 1, probe.boot_id(), os.getpid()))
        launch = probe.Launch(b"a1-0", self.folder)
        real, probe.process_stat = probe.process_stat, hidden
        try:
            with self.assertRaises(OSError):
                launch.encode(launch.record(launch.record_path), 0)
            claim = probe.Claim(b"llama", self.folder)
            for _ in claim.open(True):
                continue
            claim.launches = [(b"a1-0", probe.boot_id(), b"here")]
            with self.assertRaises(OSError):
                claim.holder()
            claim.close()
        finally:
            probe.process_stat = real
        os.mkdir(launch.lock_path)       # a lock that cannot be opened is not free, either
        with self.assertRaises(OSError):
            launch.supervised()

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
