# SPDX-License-Identifier: GPL-3.0-or-later
"""The probe, Rankdeck's program on a node: it arrives over stdin, lives in memory and speaks frames on stdin and stdout.

Python 3.6 or newer, standard library only. Its parts are in core/node/probe, listed in order in parts.txt; the build joins them
to one text. It knows no log and no checkpoint format: it returns bytes. Watching writes nothing; changes are made only on
request. It ends on end of input, on SIGTERM, and when the console has been silent for the lease. The wire format is described at
the top of core/node/protocol/frame.h; all paths are bytes. Requests run as generators, one slice per turn, so that a long one
does not delay a heartbeat.
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
ROOM, JOB_HOLDER, LOGOUT, RESERVE = 28, 29, 30, 31
REPLY, TAIL_DATA, TAIL_EVENT, DIRECTORY, PROCESS_LIST = 64, 80, 81, 82, 83
FLAG_ZLIB, FLAG_LAST = 1, 2
MAX_PAYLOAD = 1 << 20
MAX_REQUEST = 16 << 20
MAX_RANGE = 8 << 20
LEASE = 60.0                 # seconds
LOST = 20.0                  # seconds without a message from us after which the console has given us up
HEADER = struct.Struct(">IBBHI")
STAT = struct.Struct(">cQqIIQQ")
PLAIN = struct.Struct(">BcQqIIQQI")   # in a listing: 1, a stat, the length of the path that follows
U32 = struct.Struct(">I")
U64 = struct.Struct(">Q")

# The order of rankdeck::ErrorKind.
(INVALID, NOT_FOUND, PERMISSION, UNREACHABLE, REFUSED, TIMEOUT, CONFLICT, NO_SPACE, UNSUPPORTED, CANCELLED,
 PROTOCOL_ERROR, INTERNAL) = range(12)
OPENED, MISSING, TRUNCATED, REPLACED, GAP, UNREADABLE = range(6)
# The order of rankdeck::FileAction and rankdeck::Signal.
MOVE, MAKE_DIRECTORY, MAKE_LINK, REMOVE, REMOVE_EMPTY_DIRECTORY, MAKE_HARD_LINK, COPY_FILE = range(7)
SIGNALS = (_signal.SIGTERM, _signal.SIGKILL, _signal.SIGINT, _signal.SIGSTOP, _signal.SIGCONT, _signal.SIGUSR1, _signal.SIGUSR2)

CHUNK = 32 << 10             # of a tail, at once: the most that is lost when a link dies
CHECKED = 4096               # bytes before the offset that must not have changed
MAX_BEHIND = 64 << 20        # a tail further behind skips bytes and reports the gap
WINDOW = 1 << 20             # tail bytes that the console has not yet taken
HIGH_WATER = 512 << 10       # queued output above which nothing but heartbeats is added
DIRECTORY_LIMIT = 100000     # entries of one watched directory
FULL_RESCAN = 30.0
PHASE = os.urandom(1)[0] / 1024.0        # seconds: probes do not all wake at the same time


def beat(now, seconds):
    """The next time of periodic work, on a grid of quarters of a second, so that one wake-up of the console serves several."""
    return int((now + seconds - PHASE) * 4) / 4.0 + PHASE


UNCHANGED_PAUSE = 2.0                    # seconds; interval of reports about an unchanged directory
MARK = b"rankdeck-probe"     # the last argument of our own command line
HELD = b"job held"          # detail of the refusal to launch a job that another action has


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


def blob(data):
    return U32.pack(len(data)) + data


class Reader(object):
    """Decodes a request; a request that is too short is a broken peer."""

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
            raise Refusal(INVALID, "a path must not be empty nor contain a zero byte")
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
        if self.sent:                     # too late for an error: an empty, broken end shows it
            self.output.frame(REPLY, self.ident, b"")
            return
        self.output.frame(REPLY, self.ident, b"\1" + bytes((kind,)) + blob(text) + blob(detail))
