# SPDX-License-Identifier: GPL-3.0-or-later
# Following files: bytes, each once.


def line_start(fd, size, last):
    """Offset of the first whole line within the last bytes; looks back up to 8 MiB for the start of a long one."""
    want = min(last, MAX_BEHIND)
    if want >= size:
        return 0
    while want < size:
        at, end = size - want - 1, size
        while at < end:
            piece = os.pread(fd, min(131072, end - at), at)
            if not piece:
                break
            found = piece.find(b"\n")
            if found >= 0 and at + found + 1 < size:
                return at + found + 1
            if found >= 0 and last == 0:
                return size
            at += len(piece)
        if want >= 8 << 20:
            return size - want
        want = max(want * 2, 65536)
    return 0


class Tail(object):
    __slots__ = ("wire", "path", "resume", "last", "pace", "fd", "dev", "ino", "offset", "back", "size", "mtime", "had",
                 "waited", "state", "leaving")

    def __init__(self, wire, path):
        self.wire, self.path, self.resume, self.last, self.pace = wire, path, None, 0, 0
        self.fd, self.dev, self.ino, self.offset, self.back = None, 0, 0, 0, b""
        self.size, self.mtime = -1, 0
        self.had = self.waited = False
        self.state = None                # (change, text) that was reported last while the file cannot be read
        self.leaving = None              # the path now has another file or none: read this one to its end first

    def close(self):
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None


SLOW, QUICK, UNWATCHED = 1.0, 0.25, 2.0  # seconds between polls
LAST_WORDS = 2.0                         # seconds after the end of a process: its launcher may still write something


class Tails(object):
    """All followed files: one stat each per poll, reading only what changed."""

    def __init__(self, output, is_written=lambda dev, ino: False):
        self.output, self.all, self.ready, self.credit = output, {}, {}, WINDOW
        self.is_written = is_written
        self.slow_due = self.quick_due = self.quick_until = 0.0
        self.quick, self.slow = [], SLOW

    def update(self, specs):
        wanted = {spec[0]: spec for spec in specs}
        for wire in [wire for wire in self.all if wire not in wanted]:
            self.all.pop(wire).close()
            self.ready.pop(wire, None)
        for wire, path, resume, last, pace in specs:
            tail = self.all.get(wire)
            if tail is None:
                tail = self.all[wire] = Tail(wire, path)
                tail.resume = resume
            tail.last, tail.pace = last, pace
        self.quick = [tail for tail in self.all.values() if tail.pace == 1]
        self.slow = SLOW if any(tail.pace != 2 for tail in self.all.values()) else UNWATCHED
        self.slow_due = 0.0

    def event(self, tail, change, first=0, end=0, packed=NO_STAT, text=b""):
        self.output.frame(TAIL_EVENT, tail.wire, struct.pack(">BQQ", change, first, end) + packed + blob(text))

    def due(self):
        return min(self.slow_due, self.quick_due) if self.quick else self.slow_due

    def hurry(self, now):
        """A process has ended: its last output is wanted now."""
        self.slow_due, self.quick_until = 0.0, now + LAST_WORDS

    def poll(self, now):
        if now >= self.slow_due:
            self.slow_due, self.quick_due = beat(now, QUICK if now < self.quick_until else self.slow), beat(now, QUICK)
            for tail in self.all.values():
                self.check(tail)
        elif self.quick and now >= self.quick_due:
            self.quick_due = beat(now, QUICK)
            for tail in self.quick:
                self.check(tail)

    def check(self, tail):
        if tail.wire in self.ready:
            return
        try:
            st = os.stat(tail.path)
        except OSError as error:
            if tail.fd is None:
                self.lost(tail, error)
            elif not self.stays(tail):
                tail.leaving = error
                self.ready[tail.wire] = tail
            return
        if tail.fd is None:
            self.open(tail)
        elif st.st_ino != tail.ino or st.st_dev != tail.dev:
            if st.st_size == 0 and self.stays(tail):
                return
            tail.leaving = True
            self.ready[tail.wire] = tail
        elif st.st_size != tail.size or st.st_mtime_ns != tail.mtime:
            tail.size, tail.mtime = st.st_size, st.st_mtime_ns
            self.ready[tail.wire] = tail

    def stays(self, tail):
        """Whether a process still writes into our file, although its path is gone or has an empty file. The file was rotated or
        deleted, and the writer does not know. Then the file is followed, not the path."""
        if not self.is_written(tail.dev, tail.ino):
            return False
        st = os.fstat(tail.fd)
        if st.st_size != tail.size or st.st_mtime_ns != tail.mtime:
            tail.size, tail.mtime = st.st_size, st.st_mtime_ns
            self.ready[tail.wire] = tail
        return True

    def lost(self, tail, error):
        tail.close()
        gone = isinstance(error, OSError) and error.errno in (errno.ENOENT, errno.ENOTDIR)
        text = error.text if isinstance(error, Refusal) else why(error)
        state = (MISSING if gone else UNREADABLE, text)
        tail.waited = tail.waited or gone
        if state != tail.state:
            tail.state = state
            self.event(tail, state[0], text=text)

    def open(self, tail):
        try:
            fd, st = open_regular(tail.path)
        except (OSError, Refusal) as error:
            self.lost(tail, error)
            return
        try:
            self.begin(tail, fd, st)
        except OSError as error:
            self.lost(tail, error)

    def adopt(self, tail, fd, st, offset):
        tail.fd, tail.dev, tail.ino, tail.size, tail.mtime = fd, st.st_dev, st.st_ino, st.st_size, st.st_mtime_ns
        tail.had, tail.state, tail.resume, tail.leaving = True, None, None, None
        self.place(tail, offset)
        self.ready[tail.wire] = tail

    def place(self, tail, offset):
        before = min(offset, CHECKED)
        tail.offset, tail.back = offset, os.pread(tail.fd, before, offset - before) if before else b""

    def begin(self, tail, fd, st):
        """Decides where in the newly opened file to continue, and reports it."""
        resume, packed = tail.resume, pack_stat(st)
        if tail.had:
            resume = (tail.dev, tail.ino, tail.offset, as_bytes(sha256(tail.back).hexdigest()) if tail.back else b"")
        if resume is None:
            offset = 0 if tail.waited else line_start(fd, st.st_size, tail.last)
            self.adopt(tail, fd, st, offset)
            self.event(tail, OPENED, offset, packed=packed)
        elif self.goes_on(fd, st, resume):
            self.adopt(tail, fd, st, resume[2])
            self.event(tail, OPENED, resume[2], packed=packed)
        else:
            older = None if tail.had or st.st_ino == resume[1] else self.renamed(tail.path, resume)
            if older is not None:
                os.close(fd)             # the rest of the rotated file first, then this one
                fd, st = older
                self.adopt(tail, fd, st, resume[2])
                tail.leaving = True
                self.event(tail, OPENED, resume[2], packed=pack_stat(st))
            else:
                self.adopt(tail, fd, st, 0)
                change = TRUNCATED if st.st_ino == resume[1] else REPLACED
                self.event(tail, change, 0, resume[2], packed)
        self.skip_far(tail, st.st_size)

    def goes_on(self, fd, st, resume):
        dev, ino, offset, digest = resume
        if st.st_ino != ino or st.st_size < offset or (st.st_dev != dev and not digest):
            return False
        if not digest:
            return True
        before = min(offset, CHECKED)
        return as_bytes(sha256(os.pread(fd, before, offset - before)).hexdigest()) == digest

    def renamed(self, path, resume):
        """The file of a resume point under its new name in the same directory, if it is there."""
        folder = os.path.dirname(path) or b"."
        try:
            with os.scandir(folder) as items:
                for count, item in enumerate(items):
                    if count > 10000:
                        return None
                    if item.inode() == resume[1]:
                        fd, st = open_regular(item.path)
                        if self.goes_on(fd, st, resume):
                            return fd, st
                        os.close(fd)
        except (OSError, Refusal):
            return None
        return None

    def skip_far(self, tail, size):
        if size - tail.offset > MAX_BEHIND:
            target = max(tail.offset, line_start(tail.fd, size, tail.last or 65536))
            self.event(tail, GAP, tail.offset, target)
            self.place(tail, target)

    def pump(self):
        """Reads what is ready, round robin, while the console has room. True when more data is ready and the console has room."""
        for wire in list(self.ready):
            if self.credit <= 0 or not self.output.room():
                return False
            tail = self.ready.pop(wire)
            try:
                if self.advance(tail):
                    self.ready[wire] = tail
            except OSError as error:
                self.lost(tail, error)
        return bool(self.ready) and self.credit > 0 and self.output.room()

    def advance(self, tail):
        before = len(tail.back)
        want = min(CHUNK, max(self.credit, 4096))
        data = os.pread(tail.fd, before + want, tail.offset - before)
        if data[:before] != tail.back:
            st = os.fstat(tail.fd)
            self.event(tail, TRUNCATED, 0, tail.offset, pack_stat(st))
            tail.offset, tail.back = 0, b""
            return True
        new = data[before:] if before else data
        if not new:
            return self.leave(tail)
        if tail.size - tail.offset > MAX_BEHIND:
            self.skip_far(tail, tail.size)
            return True
        self.credit -= len(new)
        tail.back = data[-CHECKED:]
        offset, tail.offset = tail.offset, tail.offset + len(new)
        self.output.frame(TAIL_DATA, tail.wire, struct.pack(">QQQQ", offset, tail.dev & 0xffffffffffffffff, tail.ino,
                                                            max(tail.size, tail.offset))
                          + blob(as_bytes(sha256(tail.back).hexdigest())) + blob(new))
        return len(new) == want or tail.leaving is not None

    def leave(self, tail):
        """At the end of a file whose path is gone or names another one."""
        if tail.leaving is None:
            return False
        reason, tail.leaving = tail.leaving, None
        if isinstance(reason, OSError):
            self.lost(tail, reason)
        else:
            tail.close()
            self.open(tail)
        return tail.wire in self.ready
