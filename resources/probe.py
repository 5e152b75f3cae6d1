# SPDX-License-Identifier: GPL-3.0-or-later
"""The node's end of Rankdeck: it comes over stdin, lives in memory and speaks frames on stdin and stdout.

Python 3.6 or newer, standard library only, one file. It knows no log and no checkpoint format: it returns bytes.
To watch it writes nothing; what it changes is what a request names. It ends on end of input, on SIGTERM, and when
the console has been silent for the lease. The wire format is described at the top of core/node/protocol/frame.h; all paths
are bytes. Requests run as generators, a slice each turn, so that no long one delays a heartbeat.
"""
import _signal
import _thread
import errno
import fcntl
import os
import resource
import select
import stat
import struct
import sys
import time
import zlib
from _collections import deque

try:
    from _sha256 import sha256
except ImportError:
    try:
        from _sha2 import sha256
    except ImportError:
        from hashlib import sha256

PROTOCOL = 1
HELLO, PING, PONG, WATCH, CREDIT = 1, 2, 3, 4, 5
LIST, READ, SKIM, READ_FILE, REPLACE, ACT, HASH, PROCESSES, SIGNAL, LAUNCH, LAUNCHED, APPEND = range(16, 28)
ROOM = 28
REPLY, TAIL_DATA, TAIL_EVENT, DIRECTORY, PROCESS_LIST = 64, 80, 81, 82, 83
FLAG_ZLIB, FLAG_LAST = 1, 2
MAX_PAYLOAD = 1 << 20
MAX_REQUEST = 16 << 20
HEADER = struct.Struct(">IBBHI")
STAT = struct.Struct(">cQqIIQQ")
PLAIN = struct.Struct(">BcQqIIQQI")   # in a listing: 1, a stat, the length of the path that follows
U32 = struct.Struct(">I")
U64 = struct.Struct(">Q")

# The order of rankdeck::ErrorKind.
(INVALID, NOT_FOUND, PERMISSION, UNREACHABLE, REFUSED, TIMEOUT, CONFLICT, NO_SPACE, UNSUPPORTED, CANCELLED,
 PROTOCOL_ERROR, INTERNAL) = range(12)
OPENED, MISSING, TRUNCATED, REPLACED, GAP, UNREADABLE = range(6)

CHUNK = 32 << 10             # of a tail, at once: what a link that dies loses
CHECKED = 4096               # bytes before the offset that must not have changed
MAX_BEHIND = 64 << 20        # a tail further behind skips, and says so
WINDOW = 1 << 20             # tail bytes that the console has not yet taken
HIGH_WATER = 512 << 10       # queued output above which nothing but heartbeats is added
DIRECTORY_LIMIT = 100000     # entries of one watched directory
FULL_RESCAN = 30.0
MARK = b"rankdeck-probe"     # in our own command line: how probes know each other in /proc


class Refusal(Exception):
    """A request that is answered with an error: kind, sentence, detail."""

    def __init__(self, kind, text, detail=b""):
        Exception.__init__(self, text)
        self.kind, self.text, self.detail = kind, as_bytes(text), as_bytes(detail)


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def why(error):
    return as_bytes(os.strerror(error.errno) if error.errno else str(error))


def complain(text):
    os.write(2, b"rankdeck: " + text + b"\n")


def kind_of(error):
    number = error.errno
    if number in (errno.ENOENT, errno.ENOTDIR):
        return NOT_FOUND
    if number in (errno.EACCES, errno.EPERM, errno.EROFS):
        return PERMISSION
    if number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return NO_SPACE
    if number in (errno.EEXIST, errno.ENOTEMPTY):
        return CONFLICT
    if number in (errno.EXDEV, errno.ELOOP, errno.EISDIR, errno.ENAMETOOLONG, errno.EINVAL):
        return REFUSED
    return INTERNAL


def failed(error, doing):
    return Refusal(kind_of(error), as_bytes(doing) + b": " + why(error), "errno %s" % error.errno)


# ---- values on the wire ----------------------------------------------------------------------------------------------

def blob(data):
    return U32.pack(len(data)) + data


class Reader(object):
    """Takes a request apart; a request that is too short is a broken peer."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        end = self.at + count
        if end > len(self.data):
            raise ValueError("request too short")
        piece = self.data[self.at:end]
        self.at = end
        return piece

    def u8(self):
        return self.take(1)[0]

    def u32(self):
        return U32.unpack(self.take(4))[0]

    def u64(self):
        return U64.unpack(self.take(8))[0]

    def blob(self):
        return self.take(self.u32())

    def path(self):
        path = self.blob()
        if not path or b"\0" in path:
            raise Refusal(INVALID, "a path must not be empty nor hold a zero byte")
        return path

    def many(self, read):
        return [read() for _ in range(self.u32())]


def kind_letter(mode):
    return b"f" if stat.S_ISREG(mode) else b"d" if stat.S_ISDIR(mode) else b"l" if stat.S_ISLNK(mode) else b"o"


def clamp_ns(value):
    return max(-(1 << 63), min(value, (1 << 63) - 1))


def pack_stat(st, letter=None):
    return STAT.pack(letter or kind_letter(st.st_mode), st.st_size, clamp_ns(st.st_mtime_ns), st.st_mode & 0o7777,
                     st.st_uid & 0xffffffff, st.st_dev & 0xffffffffffffffff, st.st_ino)


NO_STAT = STAT.pack(b"o", 0, 0, 0, 0, 0, 0)


class Output(object):
    """Frames on their way out. Heartbeats overtake everything else."""

    def __init__(self, fd):
        self.fd, self.urgent, self.normal = fd, deque(), deque()
        self.queued, self.current, self.compress = 0, None, False

    def frame(self, kind, ident, payload, last=True, urgent=False):
        flags = FLAG_LAST if last else 0
        if self.compress and len(payload) > 4096:
            small = zlib.compress(payload, 1)
            if len(small) < len(payload):
                payload, flags = small, flags | FLAG_ZLIB
        data = HEADER.pack(len(payload), kind, flags, 0, ident) + payload
        if urgent:
            self.urgent.append(data)
        else:
            self.normal.append(data)
            self.queued += len(data)

    def message(self, kind, ident, payload):
        """One message in as many frames as it needs."""
        at = 0
        while len(payload) - at > MAX_PAYLOAD:
            self.frame(kind, ident, payload[at:at + MAX_PAYLOAD], last=False)
            at += MAX_PAYLOAD
        self.frame(kind, ident, payload[at:] if at else payload)

    def room(self):
        return self.queued < HIGH_WATER

    def pending(self):
        return self.current is not None or self.urgent or self.normal

    def flush(self):
        while True:
            if self.current is None:
                if self.urgent:
                    self.current = memoryview(self.urgent.popleft())
                elif self.normal:
                    pieces, size = [], 0
                    while self.normal and size < 65536:
                        pieces.append(self.normal.popleft())
                        size += len(pieces[-1])
                    self.queued -= size
                    self.current = memoryview(b"".join(pieces))
                else:
                    return
            try:
                sent = os.write(self.fd, self.current)
            except BlockingIOError:
                return
            self.current = self.current[sent:] if sent < len(self.current) else None


class Reply(object):
    """An answer, sent in pieces while it is made."""

    def __init__(self, output, ident):
        self.output, self.ident, self.buffer = output, ident, bytearray(b"\0")
        self.sent = False

    def write(self, data):
        self.buffer += data
        while len(self.buffer) >= 262144:
            self.output.frame(REPLY, self.ident, bytes(self.buffer[:262144]), last=False)
            del self.buffer[:262144]
            self.sent = True

    def done(self):
        self.output.frame(REPLY, self.ident, bytes(self.buffer))

    def refuse(self, kind, text, detail=b""):
        if self.sent:                     # too late to call it an error: an empty, broken end says it
            self.output.frame(REPLY, self.ident, b"")
            return
        self.output.frame(REPLY, self.ident, b"\1" + bytes((kind,)) + blob(text) + blob(detail))


# ---- small looks at the machine --------------------------------------------------------------------------------------

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


def file_system(real):
    """Type of the file system that holds the path, by the longest mount point in /proc/mounts."""
    best, kind = b"", b""
    try:
        lines = slurp("/proc/mounts", 4 << 20).split(b"\n")
    except OSError:
        return kind
    for line in lines:
        fields = line.split(b" ")
        if len(fields) < 3:
            continue
        mount = fields[1].replace(b"\\040", b" ").replace(b"\\011", b"\t").replace(b"\\012", b"\n").replace(b"\\134", b"\\")
        inside = real == mount or mount == b"/" or real.startswith(mount + b"/")
        if inside and len(mount) >= len(best):
            best, kind = mount, fields[2]
    return kind


# ---- listing ---------------------------------------------------------------------------------------------------------

class Entry(object):
    __slots__ = ("packed", "link", "error", "inner", "mtime", "plain")

    def __init__(self, packed, link=b"", error=b"", inner=None, mtime=0, plain=False):
        self.packed, self.link, self.error = packed, link, error
        self.inner = inner               # (device, inode) of a directory that may be entered
        self.mtime, self.plain = mtime, plain

    def encode(self, path):
        return self.packed + blob(path) + blob(self.link) + blob(self.error)


def describe(path, item, real_root):
    """One entry. A link to a directory counts as one only inside the root; links to files show the file."""
    try:
        st = item.stat(follow_symlinks=False)
    except OSError as error:
        return Entry(NO_STAT, error=why(error))
    mode = st.st_mode
    if not stat.S_ISLNK(mode):
        inner = (st.st_dev, st.st_ino) if stat.S_ISDIR(mode) else None
        return Entry(pack_stat(st), inner=inner, mtime=st.st_mtime_ns, plain=stat.S_ISREG(mode))
    try:
        link = os.readlink(path)
    except OSError as error:
        return Entry(pack_stat(st), error=why(error))
    try:
        there = os.stat(path)
    except OSError as error:
        return Entry(pack_stat(st), link, b"" if error.errno == errno.ENOENT else why(error))
    if stat.S_ISDIR(there.st_mode):
        real = os.path.realpath(path)
        if real != real_root and not real.startswith(real_root.rstrip(b"/") + b"/"):
            return Entry(pack_stat(st), link)
        return Entry(pack_stat(there), link, inner=(there.st_dev, there.st_ino))
    return Entry(pack_stat(there), link, mtime=there.st_mtime_ns, plain=stat.S_ISREG(there.st_mode))


def scan(directory, real_root, into, limit):
    """Fills into with path → Entry; a generator, so that a huge directory does not hold up the rest."""
    prefix = directory if directory.endswith(b"/") else directory + b"/"
    count = 0
    with os.scandir(directory) as items:
        for item in items:
            if len(into) >= limit:
                break
            path = prefix + item.name
            into[path] = describe(path, item, real_root)
            count += 1
            if count % 1000 == 0:
                yield


def list_directory(directory, real_root, into, limit):
    """As scan(), with what is a plain file encoded at once: it is what there is most of, and all that is said of it."""
    prefix = directory if directory.endswith(b"/") else directory + b"/"
    pack, nothing, kind, regular = PLAIN.pack, b"\0" * 8, stat.S_IFMT(0xffffffff), stat.S_IFREG
    with os.scandir(directory) as items:
        for item in items:
            if len(into) >= limit:
                break
            path = prefix + item.name
            try:
                st = item.stat(follow_symlinks=False)
                mode = st.st_mode
                if mode & kind == regular:
                    into.append((None, pack(1, b"f", st.st_size, st.st_mtime_ns, mode & 0o7777, st.st_uid, st.st_dev,
                                            st.st_ino, len(path)) + path + nothing))
                else:
                    into.append((path, describe(path, item, real_root)))
            except (OSError, struct.error):      # gone meanwhile, or a time that has no place in 64 bits
                into.append((path, describe(path, item, real_root)))
            if len(into) % 1000 == 0:
                yield


def list_job(probe, request, reply):
    root, depth, limit = request.path(), min(request.u32(), 32), request.u32()
    total, truncated = 0, 0
    try:
        st = os.stat(root)
        real_root = os.path.realpath(root)
    except OSError as error:
        reply.write(b"\0\0" + blob(why(error)))
        return
    todo = [(root, None, 1, ((st.st_dev, st.st_ino),))]
    while todo:
        directory, entry, level, chain = todo.pop()
        found = []
        try:
            for _ in list_directory(directory, real_root, found, limit - total + 1):
                yield 0
        except OSError as error:
            if entry is None:
                reply.write(b"\0\0" + blob(why(error)))
                return
            entry.error = why(error)
        told = [] if entry is None else [b"\1" + entry.encode(directory)]
        for path, child in found:
            if total >= limit:
                truncated = 1
                break
            total += 1
            if path is None:
                told.append(child)
            elif child.inner and level < depth and child.inner not in chain:
                todo.append((path, child, level + 1, chain + (child.inner,)))
            else:
                told.append(b"\1" + child.encode(path))
        reply.write(b"".join(told))
        yield 0
    reply.write(b"\0" + bytes((truncated,)) + blob(b""))


# ---- reading ---------------------------------------------------------------------------------------------------------

def read_job(probe, request, reply):
    count = request.u32()
    held, fd = None, None
    try:
        for _ in range(count):
            path, offset, length, from_end = request.path(), request.u64(), request.u32(), request.u8()
            length = min(length, 8 << 20)
            problem, packed = b"", NO_STAT
            try:
                if path != held:
                    if fd is not None:
                        os.close(fd)
                    held, fd = None, None
                    fd, st = open_regular(path)
                    held = path
                else:
                    st = os.fstat(fd)
                packed = pack_stat(st)
                if from_end:
                    offset = max(0, st.st_size - offset)
            except OSError as error:
                problem = why(error)
            except Refusal as refusal:
                problem = refusal.text
            reply.write(packed + U64.pack(offset))
            while length and not problem and offset < 1 << 63:
                try:
                    piece = os.pread(fd, min(length, 131072), offset)
                except OSError as error:
                    problem = why(error)
                    break
                if not piece:
                    break
                reply.write(blob(piece))
                offset += len(piece)
                length -= len(piece)
                yield 0
            reply.write(U32.pack(0) + blob(problem))
    finally:
        if fd is not None:
            os.close(fd)


def record_at(head, lead):
    """(length of the whole record) from its first bytes; None when they are no lead byte and varint."""
    if not head or head[0] != lead:
        return None
    value, shift = 0, 0
    for at in range(1, min(len(head), 11)):
        value |= (head[at] & 0x7f) << shift
        if head[at] < 0x80:
            return None if value >= 1 << 63 else 1 + at + value
        shift += 7
    return None


def skim_job(probe, request, reply):
    for _ in range(request.u32()):
        path, offset, lead, want, most = request.path(), request.u64(), request.u8(), request.u32(), request.u32()
        want = min(want, 65536)
        try:
            fd, st = open_regular(path)
        except (OSError, Refusal) as error:
            reply.write(NO_STAT + b"\0" + U64.pack(offset) + blob(error.text if isinstance(error, Refusal) else why(error)))
            continue
        problem, count = b"", 0
        reply.write(pack_stat(st))
        try:
            while count < most and offset < st.st_size:
                head = os.pread(fd, max(want, 11), offset)
                length = record_at(head, lead)
                if length is None or offset + length > st.st_size:
                    break
                reply.write(b"\1" + U64.pack(offset) + U64.pack(length) + blob(head[:min(want, length)]))
                offset += length
                count += 1
                if count % 200 == 0:
                    yield 0
        except OSError as error:
            problem = why(error)
        finally:
            os.close(fd)
        reply.write(b"\0" + U64.pack(offset) + blob(problem))
        yield 0


def span_of(request):
    start, length = request.u64(), request.u64()
    return start, start + length


def hash_job(probe, request, reply):
    path, spans = request.path(), request.many(lambda: span_of(request))
    if any(before[1] > after[0] for before, after in zip(spans, spans[1:])):
        raise Refusal(INVALID, b"the spans of a checksum must ascend and not overlap")
    try:
        fd, st = open_regular(path)
    except OSError as error:
        raise failed(error, b"cannot read " + path)
    make = sha256
    if st.st_size > 64 << 20:            # OpenSSL's is several times faster, but costs 4 MB of memory
        from hashlib import sha256 as make
    digest, crcs, span, at = make(), [0] * len(spans), 0, 0
    try:
        while True:
            piece = os.pread(fd, 1 << 20, at)
            if not piece:
                break
            digest.update(piece)
            after = at + len(piece)
            while span < len(spans) and spans[span][0] < after:
                start, end = spans[span]
                crcs[span] = zlib.crc32(piece[max(start - at, 0):end - at], crcs[span])
                if end > after:
                    break
                span += 1
            at = after
            yield 0
        now = os.fstat(fd)
    except OSError as error:
        raise failed(error, b"cannot read " + path)
    finally:
        os.close(fd)
    if (now.st_size, now.st_mtime_ns) != (st.st_size, st.st_mtime_ns) or at != st.st_size:
        raise Refusal(CONFLICT, path + b" changed while it was read; wait until nothing writes it any more")
    reply.write(blob(as_bytes(digest.hexdigest())) + U32.pack(len(crcs)) + b"".join(U32.pack(crc & 0xffffffff) for crc in crcs) +
                U64.pack(at) + pack_stat(st))


def content_of(path, limit):
    real = os.path.realpath(path)
    fd, st = open_regular(real)
    try:
        data = b""
        while len(data) <= limit:
            piece = os.pread(fd, min(65536, limit + 1 - len(data)), len(data))
            if not piece:
                break
            data += piece
    finally:
        os.close(fd)
    if len(data) > limit:
        raise Refusal(REFUSED, b"%s has %d bytes; at most %d are read as a whole" % (path, st.st_size, limit))
    return data, st, real


def encode_content(data, st, real):
    return encode_about(real, st, blob(data) + blob(as_bytes(sha256(data).hexdigest())))


def encode_about(real, st, content):
    folder = real if stat.S_ISDIR(st.st_mode) else os.path.dirname(real)
    writable = os.access(real, os.W_OK) and os.access(folder, os.W_OK | os.X_OK)
    try:
        space = os.statvfs(folder)
        free = space.f_bavail * space.f_frsize
    except OSError:
        free = 0
    return (content + blob(real) + pack_stat(st) + blob(user_name(st.st_uid))
            + bytes((1 if writable else 0,)) + blob(file_system(real)) + U64.pack(free))


def read_file_job(probe, request, reply):
    path, limit = request.path(), request.u32()
    try:
        if limit == 0:
            real = os.path.realpath(path)
            reply.write(encode_about(real, os.stat(real), blob(b"") + blob(b"")))
            return
        reply.write(encode_content(*content_of(path, min(limit, 64 << 20))))
    except OSError as error:
        raise failed(error, b"cannot read " + path)
    yield 0


def room_job(probe, request, reply):
    """Where a save would go: the directory, or the nearest one above it; what is free there, and who may write."""
    for path in request.many(request.path):
        found, problem = path, b""
        try:
            while True:
                try:
                    st = os.stat(found)
                    break
                except OSError as error:
                    above = os.path.dirname(found.rstrip(b"/"))
                    if error.errno != errno.ENOENT or not above or above == found:
                        raise
                    found = above
            if not stat.S_ISDIR(st.st_mode):
                raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            space = os.statvfs(found)
            writable = os.access(found, os.W_OK | os.X_OK) and not space.f_flag & os.ST_RDONLY
            reply.write(blob(found) + pack_stat(st) + bytes((found == path, writable)) + blob(file_system(os.path.realpath(found)))
                        + U64.pack(space.f_bavail * space.f_frsize) + U64.pack(space.f_favail) + blob(b""))
        except OSError as error:
            problem = why(error)
            reply.write(blob(found) + NO_STAT + b"\0\0" + blob(b"") + U64.pack(0) + U64.pack(0) + blob(problem))
        yield 0


# ---- changing files --------------------------------------------------------------------------------------------------

def sync_directory(path):
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EROFS):   # some network file systems cannot
            raise
    finally:
        os.close(fd)


def write_all(fd, data):
    at = 0
    while at < len(data):
        at += os.write(fd, data[at:])


def side_lock(path, mode):
    """Generator: takes the lock of a side file, which is removed by its holder; the last value is its descriptor."""
    deadline = time.monotonic() + 10
    while True:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, mode)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held, there = os.fstat(fd), os.stat(path)
            if (held.st_dev, held.st_ino) == (there.st_dev, there.st_ino):
                yield -1 - fd
                return
        except (BlockingIOError, FileNotFoundError):
            pass
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP):
                os.close(fd)
                raise
            yield -1 - fd                # no locks on this file system: the hash check stays
            return
        os.close(fd)
        if time.monotonic() > deadline:
            raise Refusal(TIMEOUT, b"somebody else has held " + path + b" for 10 s; try again, or see who it is with: fuser " + path)
        yield 0.003


def remove_stale_temps(folder, prefix):
    """Temporary files of ours that a killed probe left more than an hour ago."""
    oldest = time.time() - 3600
    with os.scandir(folder) as items:
        for count, item in enumerate(items):
            if count > 10000:
                return
            if item.name.startswith(prefix) and item.name.endswith(b".tmp"):
                try:
                    if item.stat(follow_symlinks=False).st_mtime < oldest:
                        os.unlink(item.path)
                except OSError:
                    continue             # somebody else removed it


def keep_attributes(fd, source, st):
    """Owner, mode and ACL of the file that is replaced; whoever cannot keep the owner must not replace it."""
    mine = os.fstat(fd)
    if (mine.st_uid, mine.st_gid) != (st.st_uid, st.st_gid):
        try:
            os.fchown(fd, st.st_uid, st.st_gid)
        except OSError as error:
            raise Refusal(PERMISSION, b"%s belongs to %s (group %d); this login cannot keep that. Log in as its owner."
                          % (source, user_name(st.st_uid), st.st_gid), why(error))
    os.fchmod(fd, st.st_mode & 0o7777)
    try:
        names = os.listxattr(source)
    except OSError:
        return                           # no extended attributes on this file system
    for name in names:
        try:
            os.setxattr(fd, name, os.getxattr(source, name))
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.ENODATA):
                raise


def current_content(path, real):
    """What is there now: (bytes, stat), or None."""
    if not os.path.lexists(path):
        return None
    if not os.path.exists(real):
        raise Refusal(REFUSED, path + b" is a symbolic link to " + real + b", which does not exist; remove or repair the link")
    if not stat.S_ISREG(os.stat(real).st_mode):
        raise Refusal(REFUSED, path + b" is not a regular file; only those can be replaced")
    data, st, _ = content_of(real, 64 << 20)
    return data, st


EXCHANGE = {"x86_64": 316, "aarch64": 276}   # the number of renameat2


def exchange(left, right):
    """Swaps two names in one step; False where this machine or file system cannot."""
    number = EXCHANGE.get(os.uname().machine)
    if number is None or sys.maxsize < 1 << 32:
        return False
    try:
        import ctypes
        library = ctypes.CDLL(None, use_errno=True)
    except (ImportError, OSError):
        return False
    here = ctypes.c_int(-100)
    if library.syscall(ctypes.c_long(number), here, ctypes.c_char_p(left), here, ctypes.c_char_p(right), ctypes.c_uint(2)) == 0:
        return True
    problem = ctypes.get_errno()
    if problem in (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM):
        return False
    raise OSError(problem, os.strerror(problem))


def is_written(fd):
    """Whether somebody has this file open for writing: then it gets no read lease. Unknown counts as no."""
    before = _signal.signal(_signal.SIGIO, _signal.SIG_IGN)   # comes when somebody opens it meanwhile, and would end us
    try:
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        return error.errno in (errno.EAGAIN, errno.EBUSY)
    finally:
        _signal.signal(_signal.SIGIO, before)
    return False


def identity(path):
    st = os.stat(path)
    return st.st_dev, st.st_ino


def exchange_checked(temp, real, expected):
    """Puts temp in the place of real when that still holds the expected bytes and nobody is writing it. A rename cannot
    know what it replaces, an exchange brings it along. False: somebody was faster, and theirs is in its place again.
    None: exchanging is not possible here."""
    ours = identity(temp)
    if not exchange(temp, real):
        return None
    fd = os.open(temp, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        same = not is_written(fd) and os.pread(fd, len(expected) + 1, 0) == expected
    finally:
        os.close(fd)
    placed = ours
    while not same:                      # whoever comes now is newer than what was displaced: the newest stays
        putting = identity(temp)
        exchange(temp, real)
        if identity(temp) == placed:
            return False
        placed = putting
    return True


def swap(real, current, data):
    """Temp file beside it, fsync, one rename, fsync of the directory. False: the file is no longer the current one."""
    folder, name = os.path.split(real)
    prefix = b"." + name + b".rankdeck-"
    remove_stale_temps(folder, prefix)
    temp = os.path.join(folder, prefix + as_bytes("%d-%x.tmp" % (os.getpid(), time.monotonic_ns() if hasattr(time, "monotonic_ns") else int(time.monotonic() * 1e9))))
    fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        try:
            write_all(fd, data)
            if current is not None:
                keep_attributes(fd, real, current[1])
            else:
                mask = os.umask(0)
                os.umask(mask)
                os.fchmod(fd, 0o666 & ~mask)
            os.fsync(fd)
        finally:
            os.close(fd)
        if current is None:
            move_without_replacing(temp, real)
            temp = None
        else:
            if content_of(real, 64 << 20)[0] != current[0]:
                return False
            done = exchange_checked(temp, real, current[0])
            if done is None:
                os.rename(temp, real)
                temp = None
            elif not done:
                return False
        sync_directory(folder)
        return True
    finally:
        if temp is not None:
            os.unlink(temp)


def replace_job(probe, request, reply):
    path, expected, data = request.path(), request.blob(), request.blob()
    real = os.path.realpath(path)
    folder, name = os.path.split(real)
    lock_path, lock = os.path.join(folder, b"." + name + b".lock"), None
    try:
        if os.path.lexists(path):
            current_content(path, real)
        mode = (os.stat(real).st_mode & 0o666 | 0o600) if os.path.exists(real) else 0o600
        for step in side_lock(lock_path, mode):
            if step < 0:
                lock = -1 - int(step)
            else:
                yield step
        current = current_content(path, real)
        digest = as_bytes(sha256(current[0]).hexdigest()) if current is not None else b""
        if digest != expected:
            if current is None:
                raise Refusal(NOT_FOUND, path + b" does not exist any more")
            reply.write(b"\0" + encode_content(current[0], current[1], real))
            return
        if not swap(real, current, data):
            now, st, real = content_of(real, 64 << 20)
            reply.write(b"\0" + encode_content(now, st, real))
            return
        now, st, real = content_of(real, 64 << 20)
        # Other bytes: a program that takes no lock has written since. What stands there now is for the caller to judge.
        reply.write((b"\1" if now == data else b"\0") + encode_content(now, st, real))
    except OSError as error:
        if error.errno == errno.EBUSY:
            raise Refusal(REFUSED, b"cannot replace " + path + b": it is a mount of its own, as in a container; nothing was "
                          b"changed. Change it where it is mounted from")
        raise failed(error, b"cannot replace " + path + (b"; nothing was changed" if kind_of(error) == NO_SPACE else b""))
    finally:
        if lock is not None:
            try:
                os.unlink(lock_path)
            except OSError:
                pass                     # somebody removed it; the flock itself ends with the descriptor
            os.close(lock)


def move_without_replacing(source, target):
    """link + unlink cannot replace anything; directories are checked first, as rename may only replace an empty one."""
    st = os.lstat(source)
    if not stat.S_ISDIR(st.st_mode):
        try:
            os.link(source, target, follow_symlinks=False)
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
                raise
        else:
            try:
                os.unlink(source)
            except OSError:
                os.unlink(target)
                raise
            return
    if os.path.lexists(target):
        raise OSError(errno.EEXIST, os.strerror(errno.EEXIST))
    os.rename(source, target)


def act_job(probe, request, reply):
    action, path, target = request.u8(), request.path(), request.blob()
    if b"\0" in target or (action in (0, 2) and not target):
        raise Refusal(INVALID, "the target is empty or holds a zero byte")
    doing = (b"cannot move ", b"cannot make the directory ", b"cannot make the link ", b"cannot remove ",
             b"cannot remove the directory ")
    if action >= len(doing):
        raise Refusal(INVALID, "unknown file action %d" % action)
    try:
        if action == 0:
            move_without_replacing(path, target)
            sync_directory(os.path.dirname(target) or b".")
        elif action == 1:
            parent = os.path.dirname(path.rstrip(b"/"))
            if parent:
                os.makedirs(parent, exist_ok=True)
            os.mkdir(path)
        elif action == 2:
            os.symlink(target, path)
        elif action == 3:
            os.unlink(path)
        else:
            os.rmdir(path)
        sync_directory(os.path.dirname(path.rstrip(b"/")) or b".")
    except OSError as error:
        raise failed(error, doing[action] + path + (b" to " + target if target else b""))
    yield 0


def append_job(probe, request, reply):
    """One piece of a file that is being made; only its end may grow, so that a piece sent twice is noticed."""
    path, offset, last, data = request.path(), request.u64(), request.u8(), request.blob()
    flags = os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW | (os.O_CREAT | os.O_EXCL if offset == 0 else 0)
    try:
        fd = os.open(path, flags, 0o600)
        try:
            size = os.fstat(fd).st_size
            if size != offset:
                raise Refusal(CONFLICT, b"%s has %d bytes, expected %d: somebody else writes it" % (path, size, offset))
            os.lseek(fd, offset, os.SEEK_SET)
            write_all(fd, data)
            if last:
                os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        raise failed(error, b"cannot write " + path)
    yield 0


# ---- processes -------------------------------------------------------------------------------------------------------

class Known(object):
    __slots__ = ("start", "first", "looked", "head", "rest")

    def __init__(self, start, first):
        self.start, self.first, self.looked = start, first, first
        self.head, self.rest = None, None


class Processes(object):
    """Processes that have one of the names in their environment; with no names, all but kernel threads.

    What was read once is kept by pid and start time. A young process is looked at again until it is 10 s old, as
    exec changes it; one without the names again every minute."""

    def __init__(self, names):
        self.names = names
        self.known = {}
        self.ticks = os.sysconf("SC_CLK_TCK")
        self.boot = boot_id()

    def started_ns(self, start):
        uptime = float(slurp("/proc/uptime", 64).split()[0])
        return int((time.time() - uptime + start / float(self.ticks)) * 1e9)

    def environment(self, pid):
        """[(name, value)] of the names asked for, or None when it may not be read."""
        try:
            text = slurp("/proc/%d/environ" % pid)
        except OSError:
            return None
        found = []
        for item in text.split(b"\0"):
            name, equals, value = item.partition(b"=")
            if equals and name in self.names:
                found.append((name, value[:32768]))
        return found

    def details(self, pid, fields, start):
        """The part that changes only with exec; None for a process that is not to be reported."""
        env = self.environment(pid)
        if self.names and not env:
            return None
        try:
            argv = slurp("/proc/%d/cmdline" % pid, 65536)
        except OSError:
            return None
        words = argv.split(b"\0")[:-1] if argv.endswith(b"\0") else argv.split(b"\0") if argv else []
        if MARK in words or (not words and int(fields[1]) in (0, 2)):
            return None
        links = []
        for name in ("cwd", "exe", "fd/1"):
            try:
                links.append(os.readlink(("/proc/%d/%s" % (pid, name)).encode()))
            except OSError:
                links.append(b"")
        if links[2]:
            try:
                if not stat.S_ISREG(os.stat("/proc/%d/fd/1" % pid).st_mode):
                    links[2] = b""
            except OSError:
                links[2] = b""
        parts = [struct.pack(">qI", self.started_ns(start), len(words))] + [blob(word) for word in words]
        parts.append(struct.pack(">BI", 0 if env is None else 1, len(env or ())))
        parts += [blob(name) + blob(value) for name, value in env or ()]
        return b"".join(parts + [blob(link) for link in links])

    def look(self, pid, now):
        known = self.known.get(pid)
        if known is not None and known.rest is None and now - known.first > 10 and now - known.looked < 60:
            return None
        try:
            comm, fields = process_stat(pid)
            start = int(fields[19])
        except (OSError, IndexError, ValueError):
            self.known.pop(pid, None)
            return None
        if known is None or known.start != start:
            known = self.known[pid] = Known(start, now)
            known.rest = self.details(pid, fields, start)
        elif fields[0] != b"Z" and (now - known.first <= 10 or now - known.looked >= 60):
            known.looked = now
            known.rest = self.details(pid, fields, start)
        if known.rest is None:
            return None
        try:
            uid = os.stat("/proc/%d" % pid).st_uid if known.head is None else known.head[1]
        except OSError:
            return None
        head = struct.pack(">IQIIIIc", pid, start, int(fields[1]), int(fields[2]) & 0xffffffff, int(fields[3]) & 0xffffffff,
                           uid & 0xffffffff, fields[0][:1]) + blob(comm)
        known.head = (head, uid)
        return head + known.rest

    def collect(self):
        """[encoded process]; in the order of their pids."""
        now = time.monotonic()
        me = os.getpid()
        pids = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
        found = []
        for pid in pids:
            if pid != me:
                item = self.look(pid, now)
                if item is not None:
                    found.append(item)
        if len(self.known) > len(pids):
            alive = set(pids)
            for pid in [pid for pid in self.known if pid not in alive]:
                del self.known[pid]
        return found[:20000]

    def encode(self, found):
        return blob(self.boot) + U32.pack(len(found)) + b"".join(found)


def processes_job(probe, request, reply):
    names = frozenset(request.many(request.blob))
    source = probe.process_watch
    if source is None or source.names != names:
        source = Processes(names)
    reply.write(source.encode(source.collect()))
    yield 0


def signal_job(probe, request, reply):
    pid, start, boot, number, group = request.u32(), request.u64(), request.blob(), request.u8(), request.u8()
    numbers = (_signal.SIGTERM, _signal.SIGKILL, _signal.SIGINT, _signal.SIGSTOP, _signal.SIGCONT, _signal.SIGUSR1, _signal.SIGUSR2)
    if number >= len(numbers):
        raise Refusal(INVALID, "unknown signal %d" % number)
    reason = send_signal(pid, start, boot, numbers[number], group)
    reply.write(bytes((0 if reason else 1,)) + blob(reason))
    yield 0


def send_signal(pid, start, boot, number, group):
    """Empty when sent, else why not. Identity is checked immediately before the signal leaves."""
    if pid <= 1 or pid > 0x7fffffff or pid == os.getpid():
        return b"pid %d is not a process that may be signalled" % pid
    if boot and boot != boot_id():
        return b"the machine was restarted since"
    handle = None
    try:
        if not group and hasattr(os, "pidfd_open") and hasattr(_signal, "pidfd_send_signal"):
            try:
                handle = os.pidfd_open(pid)
            except OSError as error:
                if error.errno == errno.ESRCH:
                    return b"gone"
        try:
            _, fields = process_stat(pid)
        except OSError:
            return b"gone"
        if int(fields[19]) != start:
            return b"another process has this pid now"
        if group:
            leader = int(fields[2])
            if leader <= 1 or leader == os.getpgrp():
                return b"its process group %d may not be signalled" % leader
            os.killpg(leader, number)
        elif handle is not None:
            _signal.pidfd_send_signal(handle, number)
        else:
            os.kill(pid, number)
    except OSError as error:
        return b"gone" if error.errno == errno.ESRCH else why(error)
    finally:
        if handle is not None:
            os.close(handle)
    return b""


# ---- launching -------------------------------------------------------------------------------------------------------

class Launcher(object):
    """Forks from a thread of its own, which was made before this process became nice: a job must not inherit that."""

    def __init__(self):
        self.go, self.done, self.work, self.error = _thread.allocate_lock(), _thread.allocate_lock(), None, None
        self.go.acquire()
        self.done.acquire()
        _thread.start_new_thread(self.serve, ())

    def serve(self):
        while True:
            self.go.acquire()
            try:
                middle = os.fork()
                if middle == 0:
                    leave = 1
                    try:
                        if os.fork() == 0:
                            self.work()
                        leave = 0
                    finally:
                        os._exit(leave)
                os.waitpid(middle, 0)
            except OSError as error:
                self.error = error
            self.done.release()

    def run(self, work):
        self.work, self.error = work, None
        self.go.release()
        self.done.acquire()
        self.work = None
        if self.error is not None:
            raise self.error


def write_record(path, text):
    temp = path + b".tmp"
    fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        write_all(fd, text)
        os.fsync(fd)
    finally:
        os.close(fd)
    os.rename(temp, path)


class Launch(object):
    """One launch: the paths of its lock and records, and the two processes that run it."""

    def __init__(self, ident, folder):
        if not ident or len(ident) > 128 or ident.startswith(b".") or any(
                byte not in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-" for byte in ident):
            raise Refusal(INVALID, "a launch id has 1 to 128 letters, digits, dots, dashes or underscores")
        self.ident, self.folder = ident, folder
        base = os.path.join(folder, ident)
        self.lock_path, self.record_path, self.starting_path, self.exit_path = (
            base + b".lock", base + b".pid", base + b".starting", base + b".rc")
        self.argv, self.env, self.workdir, self.output = [], [], b"", b""
        self.limits = []

    def record(self, path):
        """(pid, start ticks, boot id, group), or None."""
        try:
            fields = slurp(path, 4096).split()
            return int(fields[0]), int(fields[1]), fields[2], int(fields[3])
        except OSError as error:
            if error.errno == errno.ENOENT:
                return None
            raise
        except (IndexError, ValueError):
            raise Refusal(INTERNAL, path + b" is not a launch record; look at it, and remove it if nothing runs")

    def encode(self, record, started_now):
        pid, start, boot, _ = record
        here = boot_id()
        try:
            fields = process_stat(pid)[1]
            running = boot == here and int(fields[19]) == start and fields[0] not in (b"Z", b"X")
        except (OSError, IndexError, ValueError):
            running = False
        # Ended, but the supervisor has not yet written how: that is still the end of running.
        running = running or (boot == here and self.supervised())
        code, ended = self.result()
        running = running and code is None
        return (struct.pack(">BIQ", started_now, pid, start) + blob(boot)
                + struct.pack(">Biq", code is not None, code or 0, ended) + blob(here) + bytes((1 if running else 0,)))

    def supervised(self):
        try:
            fd = os.open(self.lock_path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:
            return False
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False                 # no locks on this file system
        finally:
            os.close(fd)
        return False

    def result(self):
        """(exit code or minus the signal, end in ns), or (None, 0): running, or its supervisor was killed."""
        try:
            word, number, ended = slurp(self.exit_path, 4096).split()[:3]
            return (int(number) if word == b"exit" else -int(number)), int(ended)
        except (OSError, ValueError):
            return None, 0

    # The supervisor: a session of its own, holds the lock, waits, writes how the program ended.
    def supervise(self, lock, status):
        os.setsid()
        for number in (_signal.SIGHUP, _signal.SIGINT):
            _signal.signal(number, _signal.SIG_IGN)
        _signal.signal(_signal.SIGTERM, _signal.SIG_DFL)
        null = os.open("/dev/null", os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        for fd in range(3, 4096):
            if fd not in (lock, status):
                try:
                    os.close(fd)
                except OSError:
                    continue             # not open
        go_read, go_write = os.pipe()
        error_read, error_write = os.pipe()
        child = os.fork()
        if child == 0:
            self.become(go_read, go_write, error_write)
        os.close(go_read)
        os.close(error_write)
        try:
            start = start_ticks(child)
            write_record(self.exit_path + b".new", b"-" * 64)
            write_record(self.starting_path, b"%d %d %s %d\n" % (child, start or 0, boot_id() or b"-", child))
        except OSError as error:
            os.close(go_write)
            os.waitpid(child, 0)
            os.write(status, b"err %d cannot write the launch record in %s" % (error.errno, self.folder))
            return
        os.write(go_write, b"g")
        problem = b""
        while True:
            piece = os.read(error_read, 4096)
            if not piece:
                break
            problem += piece
        if problem:
            os.waitpid(child, 0)
            for path in (self.starting_path, self.exit_path + b".new"):
                os.unlink(path)
            os.write(status, b"err " + problem)
            return
        os.rename(self.starting_path, self.record_path)
        try:
            os.write(status, b"ok")
        except OSError:
            pass                         # the probe is gone; the program runs all the same
        os.close(status)
        self.wait_for(child)

    def wait_for(self, child):
        _, result = os.waitpid(child, 0)
        text = (b"signal %d" % os.WTERMSIG(result)) if os.WIFSIGNALED(result) else (b"exit %d" % os.WEXITSTATUS(result))
        # Written into a file that has its blocks already: the disk may be full, and that may be why it ended.
        fd = os.open(self.exit_path + b".new", os.O_WRONLY | os.O_CLOEXEC)
        write_all(fd, (text + b" %d" % int(time.time() * 1e9)).ljust(63) + b"\n")
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
            os.rename(self.exit_path + b".new", self.exit_path)

    # The program: waits until its record is written, then execs. Errors go back through a pipe that exec closes.
    def become(self, go, go_write, errors):
        step = b"cannot start"
        try:
            os.close(go_write)
            if os.read(go, 1) != b"g":
                os._exit(125)
            os.setpgid(0, 0)
            for number in (_signal.SIGPIPE, _signal.SIGXFSZ, _signal.SIGHUP, _signal.SIGINT, _signal.SIGTERM):
                _signal.signal(number, _signal.SIG_DFL)
            for name, limit in self.limits:
                resource.setrlimit(name, limit)
            if self.output:
                step = b"cannot open the output " + self.output
                os.makedirs(os.path.dirname(self.output) or b".", exist_ok=True)
                if os.path.exists(self.output) and self.output != b"/dev/null" and not os.path.isfile(self.output):
                    raise OSError(errno.EINVAL, "")
                out = os.open(self.output, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOCTTY, 0o666)
                os.dup2(out, 1)
                os.dup2(out, 2)
            if self.workdir:
                step = b"cannot enter the work directory " + self.workdir
                os.chdir(self.workdir)
            step = b"cannot run " + self.argv[0]
            environment = dict(os.environb)
            environment.update(self.env)
            environment[b"RANKDECK_LAUNCH_ID"] = self.ident
            os.execvpe(self.argv[0], self.argv, environment)
        except OSError as error:
            os.write(errors, b"%d %s" % (error.errno or 0, step))
        finally:
            os._exit(126)


def launch_job(probe, request, reply):
    launch = Launch(request.blob(), request.path())
    launch.argv = request.many(request.blob)
    launch.env = request.many(lambda: (request.blob(), request.blob()))
    launch.workdir, launch.output, launch.limits = request.blob(), request.blob(), probe.limits
    texts = launch.argv + [text for pair in launch.env for text in pair] + [launch.workdir, launch.output]
    if not launch.argv or not launch.argv[0] or any(b"\0" in text for text in texts) or any(
            not name or b"=" in name for name, _ in launch.env):
        raise Refusal(INVALID, "a program needs a name; arguments and environment must not hold zero bytes")
    lock = None
    try:
        os.makedirs(launch.folder, 0o700, exist_ok=True)
        if os.stat(launch.folder).st_uid != os.geteuid():
            raise Refusal(PERMISSION, launch.folder + b" belongs to somebody else; choose another run directory")
        lock = os.open(launch.lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        deadline = time.monotonic() + 15
        while True:
            record = launch.record(launch.record_path)
            if record is None:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise Refusal(TIMEOUT, b"launch " + launch.ident + b" is being started by somebody else for 15 s")
                    yield 0.01
                    continue
                # Starting, but nobody holds the lock: its supervisor was killed, the program may run.
                record = launch.record(launch.record_path) or launch.record(launch.starting_path)
            if record is not None:
                reply.write(launch.encode(record, 0))
                return
            break
        status, status_write = os.pipe()
        try:
            try:
                probe.launcher.run(lambda: launch.supervise(lock, status_write))
            finally:
                os.close(status_write)
            os.set_blocking(status, False)
            text = b""
            while True:
                try:
                    piece = os.read(status, 4096)
                except BlockingIOError:
                    yield 0.005
                    continue
                if not piece:
                    break
                text += piece
        finally:
            os.close(status)
    except OSError as error:
        raise failed(error, b"cannot launch in " + launch.folder)
    finally:
        if lock is not None:
            os.close(lock)
    if text.startswith(b"err "):
        number, _, step = text[4:].partition(b" ")
        raise failed(OSError(int(number), ""), step)
    record = launch.record(launch.record_path)
    if text != b"ok" or record is None:
        raise Refusal(INTERNAL, b"the supervisor of launch " + launch.ident + b" ended before the program ran; nothing was started")
    reply.write(launch.encode(record, 1))


def launched_job(probe, request, reply):
    launch = Launch(request.blob(), request.path())
    try:
        record = launch.record(launch.record_path) or launch.record(launch.starting_path)
    except OSError as error:
        raise failed(error, b"cannot read the launch record in " + launch.folder)
    if record is None:
        raise Refusal(NOT_FOUND, b"nothing was launched as " + launch.ident + b" in " + launch.folder)
    reply.write(launch.encode(record, 0))
    yield 0


# ---- following files -------------------------------------------------------------------------------------------------

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
    __slots__ = ("wire", "path", "resume", "last", "quick", "fd", "dev", "ino", "offset", "back", "size", "mtime", "had",
                 "waited", "state", "leaving")

    def __init__(self, wire, path):
        self.wire, self.path, self.resume, self.last, self.quick = wire, path, None, 0, False
        self.fd, self.dev, self.ino, self.offset, self.back = None, 0, 0, 0, b""
        self.size, self.mtime = -1, 0
        self.had = self.waited = False
        self.state = None                # (change, text) that was told last while it cannot be read
        self.leaving = None              # the file at the path is another one or gone: read this one to its end first

    def close(self):
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None


class Tails(object):
    """All followed files: one stat each per poll, reading only what changed."""

    def __init__(self, output):
        self.output, self.all, self.ready, self.credit = output, {}, {}, WINDOW
        self.slow_due = self.quick_due = 0.0
        self.quick = []

    def update(self, specs):
        wanted = {spec[0]: spec for spec in specs}
        for wire in [wire for wire in self.all if wire not in wanted]:
            self.all.pop(wire).close()
            self.ready.pop(wire, None)
        for wire, path, resume, last, quick in specs:
            tail = self.all.get(wire)
            if tail is None:
                tail = self.all[wire] = Tail(wire, path)
                tail.resume = resume
            tail.last, tail.quick = last, quick
        self.quick = [tail for tail in self.all.values() if tail.quick]
        self.slow_due = 0.0

    def event(self, tail, change, first=0, end=0, packed=NO_STAT, text=b""):
        self.output.frame(TAIL_EVENT, tail.wire, struct.pack(">BQQ", change, first, end) + packed + blob(text))

    def due(self):
        return min(self.slow_due, self.quick_due) if self.quick else self.slow_due

    def poll(self, now):
        if now >= self.slow_due:
            self.slow_due, self.quick_due = now + 1.0, now + 0.25
            for tail in self.all.values():
                self.check(tail)
        elif self.quick and now >= self.quick_due:
            self.quick_due = now + 0.25
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
            else:
                tail.leaving = error
                self.ready[tail.wire] = tail
            return
        if tail.fd is None:
            self.open(tail)
        elif st.st_ino != tail.ino or st.st_dev != tail.dev:
            tail.leaving = True
            self.ready[tail.wire] = tail
        elif st.st_size != tail.size or st.st_mtime_ns != tail.mtime:
            tail.size, tail.mtime = st.st_size, st.st_mtime_ns
            self.ready[tail.wire] = tail

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
        """Decides where in the freshly opened file to go on, and says so."""
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
        """Reads what is ready, round robin, while the console has room. True when more waits and could go on."""
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


# ---- watching directories --------------------------------------------------------------------------------------------

class Folder(object):
    """One directory of a watched tree, as it was told to the console."""
    __slots__ = ("path", "level", "chain", "mtime", "entries", "newest", "hot", "full_at", "not_before", "problem")

    def __init__(self, path, level, chain):
        self.path, self.level, self.chain = path, level, chain
        self.mtime, self.entries, self.newest, self.hot = None, {}, [], True
        self.full_at = self.not_before = 0.0
        self.problem = b""


class DirectoryWatch(object):
    def __init__(self, wire, root, depth):
        self.wire, self.root, self.depth = wire, root, min(depth, 32)
        self.real_root, self.folders, self.problem = root, {}, None
        self.changed, self.removed, self.full = {}, set(), True
        self.truncated = self.told_truncated = False
        self.order, self.next, self.count = [], 0, 0

    def cycle(self, now, budget):
        """Looks at up to budget directories; the rest comes with the next cycles."""
        if self.root not in self.folders:
            self.start()
        if self.next >= len(self.order):
            self.order, self.next = list(self.folders), 0
        stop = min(len(self.order), self.next + budget)
        while self.next < stop:
            folder = self.folders.get(self.order[self.next])
            self.next += 1
            if folder is not None:
                self.visit(folder, now)

    def start(self):
        try:
            st = os.stat(self.root)
            self.real_root = os.path.realpath(self.root)
        except OSError as error:
            self.fail(why(error))
            return
        self.folders[self.root] = Folder(self.root, 1, ((st.st_dev, st.st_ino),))

    def fail(self, text):
        if self.problem != text:
            self.problem, self.full = text, True
        self.changed, self.removed, self.folders, self.count = {}, set(), {}, 0

    def visit(self, folder, now):
        try:
            st = os.stat(folder.path)
            if not stat.S_ISDIR(st.st_mode):
                raise OSError(errno.ENOTDIR, "")
        except OSError as error:
            if folder.path == self.root:
                self.fail(why(error))
            return                       # its parent's rescan drops it
        if (st.st_dev, st.st_ino) != folder.chain[-1]:
            folder.chain, folder.hot = folder.chain[:-1] + ((st.st_dev, st.st_ino),), True
        if (st.st_mtime_ns != folder.mtime or folder.hot or now >= folder.full_at) and now >= folder.not_before:
            self.rescan(folder, st.st_mtime_ns, now)
        elif folder.newest:
            for path in folder.newest:
                self.touch(folder, path)

    def touch(self, folder, path):
        """In-place growth does not change the directory: the newest files are looked at each time."""
        entry = folder.entries.get(path)
        try:
            st = os.stat(path)
        except OSError:
            return                       # removed: the directory has changed, which the next cycle sees
        if entry is not None and not entry.error:
            packed = pack_stat(st)
            if packed != entry.packed and stat.S_ISREG(st.st_mode):
                entry.packed, entry.mtime = packed, st.st_mtime_ns
                self.changed[path] = entry

    def rescan(self, folder, mtime, now):
        found, problem = {}, b""
        try:
            for _ in scan(folder.path, self.real_root, found, DIRECTORY_LIMIT - self.count + len(folder.entries)):
                continue
        except OSError as error:
            found, problem = {}, why(error)
        if self.count + len(found) - len(folder.entries) >= DIRECTORY_LIMIT:
            self.truncated = True
        if folder.path == self.root:
            if problem:
                self.fail(problem)
                return
            if self.problem is None or self.problem:
                self.problem, self.full = b"", True
        self.compare(folder, found)
        if problem != folder.problem:
            folder.problem = problem
            self.note_problem(folder)
        folder.mtime = mtime
        wall = time.time()
        folder.hot = -2 < wall - mtime / 1e9 < 2     # a second change in the same clock tick leaves no trace
        cost = time.monotonic() - now
        folder.full_at, folder.not_before = now + max(FULL_RESCAN, cost * 1000), now + cost * 50
        files = [path for path, entry in found.items() if entry.plain]
        if len(files) > 3:
            files.sort(key=lambda path: found[path].mtime)
        folder.newest = files[-3:]

    def compare(self, folder, found):
        old = folder.entries
        for path, entry in found.items():
            before = old.get(path)
            if before is not None and before.error and not entry.error and path in self.folders:
                entry.error = before.error
            if before is None or before.packed != entry.packed or before.link != entry.link or before.error != entry.error:
                self.changed[path] = entry
                self.removed.discard(path)
            inside = self.folders.get(path)
            if entry.inner and folder.level < self.depth and entry.inner not in folder.chain:
                if inside is None:
                    fresh = Folder(path, folder.level + 1, folder.chain + (entry.inner,))
                    self.folders[path] = fresh
                    self.order.append(path)
            elif inside is not None:
                self.drop(path)
        for path in [path for path in old if path not in found]:
            self.forget(path)
        self.count += len(found) - len(old)
        folder.entries = found

    def forget(self, path):
        self.changed.pop(path, None)
        self.removed.add(path)
        if path in self.folders:
            self.drop(path)

    def drop(self, path):
        folder = self.folders.pop(path)
        self.count -= len(folder.entries)
        for child in folder.entries:
            self.forget(child)

    def note_problem(self, folder):
        """A directory that cannot be read carries the reason in its own entry."""
        parent = self.folders.get(os.path.dirname(folder.path))
        entry = parent.entries.get(folder.path) if parent is not None else None
        if entry is not None:
            entry.error = folder.problem
            self.changed[folder.path] = entry

    def message(self):
        """What changed since the last one, or None."""
        settled = self.next >= len(self.order)
        if self.problem is None or (self.full and not settled):
            return None
        if not (self.full or self.changed or self.removed or self.truncated != self.told_truncated):
            return None
        if self.full:
            entries = [entry.encode(path) for folder in self.folders.values() for path, entry in folder.entries.items()]
            removed = ()
        else:
            entries, removed = [entry.encode(path) for path, entry in self.changed.items()], self.removed
        data = (struct.pack(">BB", self.full, self.truncated) + blob(self.problem) + U32.pack(len(removed))
                + b"".join(blob(path) for path in removed) + U32.pack(len(entries)) + b"".join(entries))
        self.changed, self.removed, self.full, self.told_truncated = {}, set(), False, self.truncated
        return data


# ---- the loop --------------------------------------------------------------------------------------------------------

class Job(object):
    __slots__ = ("ident", "steps", "reply", "wake")

    def __init__(self, ident, steps, reply):
        self.ident, self.steps, self.reply, self.wake = ident, steps, reply, 0.0


JOBS = {LIST: list_job, READ: read_job, SKIM: skim_job, READ_FILE: read_file_job, REPLACE: replace_job, ACT: act_job,
        HASH: hash_job, PROCESSES: processes_job, SIGNAL: signal_job, LAUNCH: launch_job, LAUNCHED: launched_job,
        APPEND: append_job, ROOM: room_job}


class Probe(object):
    def __init__(self, source, sink):
        self.source, self.output = source, Output(sink)
        self.input, self.parts = bytearray(), {}
        self.tails, self.directories = Tails(self.output), {}
        self.process_watch, self.process_due, self.process_last = None, 0.0, None
        self.directory_due = 0.0
        self.jobs, self.waiting = [], deque()
        self.lease, self.heard, self.ending = 60.0, time.monotonic(), False
        self.launcher, self.limits = None, []

    # ---- what comes in
    def receive(self):
        try:
            data = os.read(self.source, 262144)
        except BlockingIOError:
            return
        if not data:
            self.ending = True
            return
        self.heard = time.monotonic()
        self.input += data
        while len(self.input) >= HEADER.size:
            length, kind, flags, zero, ident = HEADER.unpack_from(self.input)
            if length > MAX_PAYLOAD or zero or flags & ~FLAG_LAST:
                complain(b"broken frame from the console")
                self.ending = True
                return
            end = HEADER.size + length
            if len(self.input) < end:
                return
            payload = bytes(self.input[HEADER.size:end])
            del self.input[:end]
            if flags & FLAG_LAST:
                payload = self.parts.pop(ident, b"") + payload
                self.handle(kind, ident, payload)
            else:
                self.parts[ident] = self.parts.get(ident, b"") + payload
                if len(self.parts[ident]) > MAX_REQUEST or len(self.parts) > 64:
                    raise ValueError("request too long")

    def handle(self, kind, ident, payload):
        request = Reader(payload)
        if kind in JOBS:
            reply = Reply(self.output, ident)
            self.waiting.append(Job(ident, JOBS[kind](self, request, reply), reply))
        elif kind == PING:
            self.output.frame(PONG, ident, payload[:8] + U64.pack(int(time.time() * 1e9)), urgent=True)
        elif kind == CREDIT:
            self.tails.credit = min(WINDOW, self.tails.credit + request.u32())
        elif kind == WATCH:
            self.watch(request)
        elif kind == HELLO:
            self.lease = max(1.0, request.u32() / 1000.0)
            self.output.compress = bool(request.u8())
            self.hello(ident)

    def hello(self, ident):
        version = "%d.%d.%d" % sys.version_info[:3]
        self.output.frame(HELLO, ident, struct.pack(">IIQ", PROTOCOL, os.geteuid(), int(time.time() * 1e9))
                          + blob(as_bytes(os.uname().nodename)) + blob(boot_id()) + blob(as_bytes(version))
                          + blob(user_name(os.geteuid())), urgent=True)

    def watch(self, request):
        def tail():
            wire, path, quick, last = request.u32(), request.path(), request.u8(), request.u64()
            resume = None
            if request.u8():
                resume = (request.u64(), request.u64(), request.u64(), request.blob())
            return wire, path, resume, last, bool(quick)

        def directory():
            return request.u32(), request.path(), request.u32()

        self.tails.update(request.many(tail))
        wanted = {wire: (root, depth) for wire, root, depth in request.many(directory)}
        for wire in [wire for wire in self.directories if wire not in wanted]:
            del self.directories[wire]
        for wire, (root, depth) in wanted.items():
            if wire not in self.directories:
                self.directories[wire] = DirectoryWatch(wire, root, depth)
        self.directory_due = 0.0
        on, names = request.u8(), frozenset(request.many(request.blob))
        if not on:
            self.process_watch = None
        elif self.process_watch is None or self.process_watch.names != names:
            self.process_watch, self.process_due, self.process_last = Processes(names), 0.0, None

    # ---- what goes on
    def run_jobs(self, now):
        """A slice of each running request. True when one can go on at once."""
        while self.waiting and len(self.jobs) < 16:
            self.jobs.append(self.waiting.popleft())
        busy = False
        for job in list(self.jobs):
            if not self.output.room():
                return False
            if job.wake > now:
                continue
            if self.step(job, now + 0.01):
                self.jobs.remove(job)
                busy = busy or bool(self.waiting)
            elif job.wake <= now:
                busy = True
        return busy

    def step(self, job, until):
        """True when the request is answered."""
        try:
            for pause in job.steps:
                if pause > 0:
                    job.wake = time.monotonic() + pause
                    return False
                if time.monotonic() >= until or not self.output.room():
                    return False
            job.reply.done()
        except Refusal as refusal:
            job.reply.refuse(refusal.kind, refusal.text, refusal.detail)
        except OSError as error:
            job.reply.refuse(kind_of(error), why(error), b"unexpected")
        except (ValueError, OverflowError, struct.error) as error:
            job.reply.refuse(INVALID, b"the request cannot be carried out: " + as_bytes(str(error)))
        except MemoryError:
            job.reply.refuse(NO_SPACE, b"the request needs more memory than the probe may use; ask for less at once")
        return True

    def push_directories(self, now):
        if now < self.directory_due:
            return
        self.directory_due = now + 0.75
        for watch in self.directories.values():
            watch.cycle(now, max(20, 100 // len(self.directories)))

    def send_directories(self):
        for watch in self.directories.values():
            if not self.output.room():
                return
            data = watch.message()
            if data is not None:
                self.output.message(DIRECTORY, watch.wire, data)

    def push_processes(self, now):
        if self.process_watch is None or now < self.process_due or not self.output.room():
            return
        self.process_due = now + 2.0
        data = self.process_watch.encode(self.process_watch.collect())
        same, self.process_last = data == self.process_last, data
        self.output.message(PROCESS_LIST, 0, b"\1" if same else b"\0" + data)

    def pause(self, now, busy):
        """Milliseconds until something is due."""
        if busy:
            return 0
        until = now + 1.0
        if self.tails.all:
            until = min(until, self.tails.due())
        if self.directories:
            until = min(until, self.directory_due)
        if self.process_watch is not None and self.output.room():
            until = min(until, self.process_due)
        for job in self.jobs:
            if job.wake > now:
                until = min(until, job.wake)
        return max(0, int((until - now) * 1000) + 1)

    def run(self):
        poller = select.poll()
        poller.register(self.source, select.POLLIN)
        writing, busy = False, False
        while not self.ending:
            self.output.flush()
            if bool(self.output.pending()) != writing:
                writing = not writing
                if writing:
                    poller.register(self.output.fd, select.POLLOUT)
                else:
                    poller.unregister(self.output.fd)
            for fd, _ in poller.poll(self.pause(time.monotonic(), busy)):
                if fd == self.source:
                    self.receive()
            now = time.monotonic()
            if now - self.heard > self.lease:
                return
            busy = self.run_jobs(now)
            self.tails.poll(now)
            busy = self.tails.pump() or busy
            if self.directories:
                self.push_directories(now)
                self.send_directories()
            self.push_processes(now)


def settle(probe):
    """Becomes small and polite; remembers the limits that a launched program must get back."""
    probe.launcher = Launcher()
    try:
        os.nice(10)
    except OSError:
        pass                             # a container may forbid it; the probe is light anyway
    used = int(slurp("/proc/self/statm", 256).split()[0]) * os.sysconf("SC_PAGE_SIZE")
    for name, wanted in ((resource.RLIMIT_AS, used + (256 << 20)), (resource.RLIMIT_NOFILE, 8192)):
        soft, hard = resource.getrlimit(name)
        probe.limits.append((name, (soft, hard)))
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        if name == resource.RLIMIT_AS or soft < wanted:
            resource.setrlimit(name, (wanted, hard))


def main():
    def end(number, frame):
        probe.ending = True

    probe = Probe(0, 1)
    for number in (_signal.SIGTERM, _signal.SIGHUP, _signal.SIGINT):
        _signal.signal(number, end)
    settle(probe)
    os.set_blocking(0, False)
    os.set_blocking(1, False)
    try:
        probe.run()
    except (BrokenPipeError, ConnectionResetError):
        pass                             # the console is gone
    except ValueError as error:
        complain(as_bytes(str(error)))
    os._exit(0)


if __name__ == "rankdeck_probe":
    main()
