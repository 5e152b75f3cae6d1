# SPDX-License-Identifier: GPL-3.0-or-later
# Files and directories reserved for one action, whatever names of jobs, users, links or mounts lead to them.

GET_LOCK, SET_LOCK = 36, 37              # F_OFD_GETLK, F_OFD_SETLK: Python has names for them since 3.9
LOCK = struct.Struct("hhqqi0q")
ASKS, HAS = 1, 2                         # bytes


def lock_call(fd, call, kind, start, length):
    """(kind, start, length) of the lock that conflicts with the requested one, or of the lock that was set."""
    found = LOCK.unpack(fcntl.fcntl(fd, call, LOCK.pack(kind, os.SEEK_SET, start, length, 0)))
    return found[0], found[2], found[3]


def levels_of(path):
    """[(directory, the rest of the path to the place)]: the place itself and all directories above it."""
    at, rest, levels = os.path.realpath(path), b"", []
    while True:
        levels.append((at, rest))
        if at in (b"/", b""):
            return levels
        at, name = os.path.split(at)
        rest = os.path.join(name, rest) if rest else name


class Places(object):
    """Read locks on directories, which claim places for an action. Each directory and all directories above it get a lock, at an
    offset made of the remaining path and of the action. Two actions that mean one place therefore meet in the kernel. This
    also works if the place is not made yet, was moved, or is reached by another link or mount. Nothing is written, and the
    locks do not disturb other programs. They live as long as the open files, which a supervisor inherits.

    An action first asks with a lock of one byte. If no other action is seen, it takes the place with a lock of two bytes. If two
    actions ask at once, each sees the other: both release their locks and try again after different pauses."""

    def __init__(self, paths):
        self.paths, self.files, self.keys = paths, {}, []

    def close(self):
        for fd in self.files.values():
            os.close(fd)
        self.files, self.keys = {}, []

    def descriptors(self):
        return list(self.files.values())

    def open(self):
        """Directories that cannot be opened are not locked: the directories above them must suffice."""
        self.close()
        for path in self.paths:
            for directory, rest in levels_of(path):
                try:
                    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                except OSError as error:
                    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ELOOP, errno.ENAMETOOLONG):
                        continue
                    raise
                st = os.fstat(fd)
                kept = self.files.setdefault((st.st_dev, st.st_ino), fd)
                if kept != fd:
                    os.close(fd)
                self.keys.append((kept, zlib.crc32(rest) << 30, path))

    def meant(self):
        """The directories that the paths lead to now; they change when a directory is made or moved."""
        now = Places(self.paths)
        try:
            now.open()
            inodes = {fd: inode for inode, fd in now.files.items()}
            return {(inodes[fd], key) for fd, key, _ in now.keys}
        finally:
            now.close()

    def other(self, action):
        """(bytes of its lock, fd, path) where another action is met, otherwise None."""
        met = None
        for fd, key, path in self.keys:
            mine = key + ((zlib.crc32(action) >> 3) << 1)
            for start, end in ((key, mine), (mine + HAS, key + (1 << 30))):
                if end <= start:
                    continue
                kind, _, length = lock_call(fd, GET_LOCK, fcntl.F_WRLCK, start, end - start)
                if kind != fcntl.F_UNLCK and (met is None or length > met[0]):
                    met = length, fd, path
        return met

    def put(self, action, length):
        for fd, key, _ in self.keys:
            lock_call(fd, SET_LOCK, fcntl.F_RDLCK, key + ((zlib.crc32(action) >> 3) << 1), length)

    def take(self, action):
        """Generator. Afterwards the places belong to the action; Refusal if another action has one."""
        deadline = time.monotonic() + 5
        while self.paths:
            try:
                self.open()
                self.put(action, ASKS)
            except OSError as error:
                self.close()
                if error.errno == errno.EINVAL:  # a kernel before 3.15
                    return
                raise
            met = self.other(action)
            if met is None:
                inodes = {fd: inode for inode, fd in self.files.items()}
                if self.meant() == {(inodes[fd], key) for fd, key, _ in self.keys}:
                    self.put(action, HAS)
                    return
            elif met[0] >= HAS or time.monotonic() > deadline:
                text, _ = self.who(met)
                self.close()
                raise Refusal(CONFLICT, text + b". Nothing was started", HELD)
            self.close()
            yield 0.001 + os.urandom(1)[0] / 5000.0

    def holder(self, action):
        """(one line about the holder of one of them or b"", its launches); changes nothing."""
        try:
            self.open()
            met = self.other(action)
            return self.who(met) if met is not None and met[0] >= HAS else (b"", [])
        except OSError as error:
            if error.errno == errno.EINVAL:
                return b"", []
            raise
        finally:
            self.close()

    def who(self, met):
        st = os.fstat(met[1])
        text = b"another action has " + met[2] + b" for its logs or checkpoints, whatever its job is called"
        holders, launches = lock_holders((st.st_dev, st.st_ino)), set()
        for pid in processes_here():
            try:
                if int(process_stat(pid)[1][1]) in holders:
                    launches |= {word[19:] for word in slurp("/proc/%d/environ" % pid).split(b"\0")
                                 if word.startswith(b"RANKDECK_LAUNCH_ID=")}
            except (OSError, IndexError, ValueError):
                continue
        if holders:
            text += b" (process " + b", ".join(b"%d" % pid for pid in sorted(holders)[:4])
            text += b"".join(b", launch " + one_line(launch) for launch in sorted(launches)[:4]) + b")"
        return text, sorted(launches)


def processes_here():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def lock_holders(inode):
    """Other processes that have a lock of this kind on it, as far as their files may be seen, and within two seconds."""
    found, deadline = set(), time.monotonic() + 2
    for pid in processes_here():
        if pid == os.getpid():
            continue
        if time.monotonic() > deadline:
            break
        folder = "/proc/%d/" % pid
        try:
            for fd in os.listdir(folder + "fd"):
                st = os.stat(folder + "fd/" + fd)
                if (st.st_dev, st.st_ino) == inode and b"OFDLCK" in slurp(folder + "fdinfo/" + fd):
                    found.add(pid)
        except OSError:
            continue                     # it has ended, or is closed to us
    return found
