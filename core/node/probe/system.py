# SPDX-License-Identifier: GPL-3.0-or-later
# Small facts about the machine.


def slurp(path, limit=1 << 20):
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        pieces, size = [], 0
        while size < limit:
            piece = os.read(fd, min(65536, limit - size))
            if not piece:
                break
            pieces.append(piece)
            size += len(piece)
        return b"".join(pieces)
    finally:
        os.close(fd)


def boot_id():
    try:
        return slurp("/proc/sys/kernel/random/boot_id", 64).strip()
    except OSError:
        return b""


def user_name(uid):
    import pwd
    try:
        return as_bytes(pwd.getpwuid(uid).pw_name)
    except KeyError:
        return as_bytes(str(uid))


def process_stat(pid):
    """(comm, fields from the state on) of /proc/PID/stat; fields[19] are the start ticks."""
    text = slurp("/proc/%d/stat" % pid, 4096)
    head, _, tail = text.rpartition(b")")
    return head.partition(b"(")[2], tail.split()


def start_ticks(pid):
    try:
        return int(process_stat(pid)[1][19])
    except (OSError, IndexError, ValueError):
        return None


def open_regular(path):
    """Never blocks and never wakes a device: what is not a regular file is refused."""
    st = os.stat(path)
    if stat.S_ISDIR(st.st_mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(st.st_mode):
        raise Refusal(REFUSED, "not a regular file")
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    st = os.fstat(fd)
    if not stat.S_ISREG(st.st_mode):
        os.close(fd)
        raise Refusal(REFUSED, "not a regular file")
    return fd, st


def lives(pid, start):
    """Whether this very process runs; a zombie does not. Unreadable raises OSError, because it may still run."""
    try:
        fields = process_stat(pid)[1]
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ESRCH):
            return False
        raise
    return int(fields[19]) == start and fields[0] not in (b"Z", b"X")


def file_system(real):
    return mount_of(real)[0]


def mount_of(real):
    """(type, set of options) of the file system that holds the path, by the longest mount point in /proc/mounts."""
    best, kind, options = b"", b"", frozenset()
    try:
        lines = slurp("/proc/mounts", 4 << 20).split(b"\n")
    except OSError:
        return kind, options
    for line in lines:
        fields = line.split(b" ")
        if len(fields) < 4:
            continue
        mount = fields[1].replace(b"\\040", b" ").replace(b"\\011", b"\t").replace(b"\\012", b"\n").replace(b"\\134", b"\\")
        inside = real == mount or mount == b"/" or real.startswith(mount + b"/")
        if inside and len(mount) >= len(best):
            best, kind, options = mount, fields[2], frozenset(fields[3].split(b","))
    return kind, options
