# SPDX-License-Identifier: GPL-3.0-or-later
"""The console's end of the probe's protocol, just enough for tests and measurements. Python 3.6."""
import os
import select
import struct
import subprocess
import sys
import time
import zlib

# In the environment of programs that a test starts: a mark of its own, so that parallel tests do not see each other's processes.
MARK = "PROBE_TEST_%d" % os.getpid()
PARTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "core", "node", "probe")


def joined():
    """The probe as the build joins it: the file that RANKDECK_PROBE names, else its parts, joined here."""
    if "RANKDECK_PROBE" in os.environ:
        with open(os.environ["RANKDECK_PROBE"], encoding="utf-8") as file:
            return file.read()
    texts = []
    with open(os.path.join(PARTS, "parts.txt"), encoding="utf-8") as names:
        for name in names.read().split():
            with open(os.path.join(PARTS, name), encoding="utf-8") as file:
                texts.append(file.read().strip() + "\n\n\n")
    return "".join(texts)


COMMAND = "import os;exec(bytes().join(iter(lambda:os.read(0,1)or os._exit(1),bytes([10]))))"
LOADER = ("exec('import os,zlib\\nos.write(1,b\"\\\\n%sRDY\\\\n\")\\nb=bytes()\\nwhile len(b)<%d:\\n c=os.read(0,%d-len(b))\\n"
          " if not c:os._exit(1)\\n b+=c\\ng={\"__name__\":\"rankdeck_probe\"}\\n"
          "for s in zlib.decompress(b).split(bytes([10])*3):\\n exec(compile(s,\"rankdeck-probe\",\"exec\",0,1,2),g)')\n")
NONCE = "0123456789abcdef0123456789abcdef"
HELLO, PING, PONG, WATCH, CREDIT = 1, 2, 3, 4, 5
LIST, READ, SKIM, READ_FILE, REPLACE, ACT, HASH, PROCESSES, SIGNAL, LAUNCH, LAUNCHED, APPEND = range(16, 28)
ROOM, JOB_HOLDER, LOGOUT, RESERVE = 28, 29, 30, 31
REPLY, TAIL_DATA, TAIL_EVENT, DIRECTORY, PROCESS_LIST = 64, 80, 81, 82, 83


def blob(data):
    return struct.pack(">I", len(data)) + data


class Cursor(object):
    def __init__(self, data):
        self.data, self.at = data, 0

    def unpack(self, form):
        values = struct.unpack_from(">" + form, self.data, self.at)
        self.at += struct.calcsize(">" + form)
        return values if len(values) > 1 else values[0]

    def blob(self):
        size = self.unpack("I")
        self.at += size
        assert self.at <= len(self.data)
        return self.data[self.at - size:self.at]

    def stat(self):
        return self.unpack("cQqIIQQ")

    def end(self):
        return self.at == len(self.data)


class Refused(Exception):
    def __init__(self, kind, text):
        Exception.__init__(self, text.decode("utf-8", "replace"))
        self.kind, self.text = kind, text


class Client(object):
    """Starts a probe under an interpreter and talks to it."""

    def __init__(self, python=sys.executable, lease=60.0, command=None, lost=20.0, env=None):
        self.process = subprocess.Popen(command or [python, "-ISBc", COMMAND, "rankdeck-probe"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, env=env)
        self.inbox, self.buffer, self.parts, self.ident = [], b"", {}, 0
        packed = zlib.compress(joined().encode("utf-8"), 9)
        self.process.stdin.write((LOADER % (NONCE, len(packed), len(packed))).encode())
        start = b""
        while ("\n" + NONCE + "RDY\n").encode() not in start:
            piece = os.read(self.process.stdout.fileno(), 4096)
            assert piece, self.process.stderr.read()
            start += piece
        self.write(packed)
        self.send(HELLO, 0, struct.pack(">IBI", int(lease * 1000), 0, int(lost * 1000)))
        self.hello = self.wait(HELLO)[2]

    def write(self, data):
        view = memoryview(data)
        while len(view):
            view = view[os.write(self.process.stdin.fileno(), view):]

    def send(self, kind, ident, payload):
        while True:
            part, payload = payload[:1 << 20], payload[1 << 20:]
            self.write(struct.pack(">IBBHI", len(part), kind, 0 if payload else 2, 0, ident) + part)
            if not payload:
                return

    def frame(self, timeout=20.0):
        """The next whole message (type, id, payload), or None."""
        until = time.monotonic() + timeout
        while True:
            if len(self.buffer) >= 12:
                size, kind, flags, zero, ident = struct.unpack(">IBBHI", self.buffer[:12])
                assert size <= 1 << 20 and zero == 0, "broken frame"
                if len(self.buffer) >= 12 + size:
                    payload, self.buffer = self.buffer[12:12 + size], self.buffer[12 + size:]
                    if flags & 1:
                        payload = zlib.decompress(payload)
                    payload = self.parts.pop((kind, ident), b"") + payload
                    if flags & 2:
                        return kind, ident, payload
                    self.parts[(kind, ident)] = payload
                    continue
            if not select.select([self.process.stdout], [], [], max(0, until - time.monotonic()))[0]:
                return None
            piece = os.read(self.process.stdout.fileno(), 1 << 20)
            if not piece:
                return None
            self.buffer += piece

    def wait(self, kind, ident=None, timeout=20.0):
        """The next message of that type; others are kept for later."""
        for index, message in enumerate(self.inbox):
            if message[0] == kind and (ident is None or message[1] == ident):
                return self.inbox.pop(index)
        until = time.monotonic() + timeout
        while True:
            message = self.frame(max(0, until - time.monotonic()))
            assert message is not None, "no message of type %d: %r" % (kind, self.process.poll())
            if message[0] == TAIL_DATA:
                self.send(CREDIT, 0, struct.pack(">I", len(message[2])))
            if message[0] == kind and (ident is None or message[1] == ident):
                return message
            self.inbox.append(message)

    def ask(self, kind, payload, timeout=60.0):
        self.ident += 1
        self.send(kind, self.ident, payload)
        answer = self.wait(REPLY, self.ident, timeout)[2]
        if answer[:1] == b"\1":
            cursor = Cursor(answer[2:])
            raise Refused(answer[1], cursor.blob())
        assert answer[:1] == b"\0"
        return Cursor(answer[1:])

    def watch(self, tails=(), directories=(), processes=None, paths=(), pids=()):
        """tails: (wire, path, quick, last bytes, resume or None). Also watches processes that write to the paths, and the pids."""
        out = struct.pack(">I", len(tails))
        for wire, path, quick, last, resume in tails:
            out += struct.pack(">I", wire) + blob(path) + struct.pack(">BQB", quick, last, 1 if resume else 0)
            if resume:
                out += struct.pack(">QQQ", *resume[:3]) + blob(resume[3])
        out += struct.pack(">I", len(directories))
        for wire, root, depth in directories:
            out += struct.pack(">I", wire) + blob(root) + struct.pack(">I", depth)
        names = processes or ()
        out += struct.pack(">BI", processes is not None, len(names)) + b"".join(blob(name) for name in names)
        out += struct.pack(">I", len(paths)) + b"".join(blob(path) for path in paths)
        out += struct.pack(">I", len(pids)) + b"".join(struct.pack(">I", pid) for pid in pids)
        self.send(WATCH, 0, out)

    def close(self):
        self.process.stdin.close()
        code = self.process.wait(10)
        self.process.stdout.close()
        self.process.stderr.close()
        return code
