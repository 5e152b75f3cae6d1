# SPDX-License-Identifier: GPL-3.0-or-later
"""The relay: it arrives over stdin on a head node, lives in memory, and opens sessions to the head's neighbours with the head's
own ssh. All of them share the one link to the console.

Python 3.6 or newer, standard library only; nothing is written. Frames, big endian: u32 length | u8 type | u32 stream | payload.
Each stream has its own window in both directions, so that a neighbour that does not read, or one that never pauses, delays no
other. Buffers are bounded: windows on the way to a neighbour, HIGH_WATER on the way to the console. It ends at the end of its
input, on SIGTERM, and when the console has been silent for the lease. Its neighbours' sessions end with it. The two ends of this
protocol are core/node/session/relay/relay_mux.h and this file.
"""
import _signal
import os
import resource
import select
import struct
import time
from _collections import deque

HELLO, PING, TEXT, OPEN, DATA, SEND_TEXT, CREDIT, CLOSE = range(1, 9)
GREETING, PONG, OUTPUT, TAKEN, END = range(16, 21)
HEADER = struct.Struct(">IBI")
U32 = struct.Struct(">I")
MAX_PAYLOAD = 1 << 20
MAX_TEXT = 4 << 20
MAX_STREAMS = 4096
PIECE = 32 << 10             # of one neighbour, at once
BATCH = 16                   # neighbours that are read between two checks of the room
HIGH_WATER = 256 << 10       # queued output above which no neighbour is read
UP_WINDOW = 256 << 10        # what the console may send to a neighbour that does not read
ERRORS = 8192                # last bytes of a session's stderr
STARTING = 32                # sessions that are being opened at once
SLOW = 3.0                   # seconds after which one that is being opened delays no other
LAST_WORDS = 1.0             # seconds between the end of its output and its exit
GRACE = 3.0                  # seconds that a session has to end when it is closed
LEASE = 60.0


class Broken(Exception):
    """The console sent bytes that are not a frame."""


class Output(object):
    """Frames on their way out; pongs overtake."""

    def __init__(self, fd):
        self.fd, self.urgent, self.normal, self.queued, self.current = fd, deque(), deque(), 0, None

    def frame(self, kind, stream, payload=b"", urgent=False):
        data = HEADER.pack(len(payload), kind, stream) + payload
        (self.urgent if urgent else self.normal).append(data)
        self.queued += len(data)

    def room(self):
        return self.queued < HIGH_WATER

    def pending(self):
        return self.current is not None or self.urgent or self.normal

    def flush(self):
        while self.pending():
            if self.current is None:
                pieces, size = [], 0
                while (self.urgent or self.normal) and size < 65536:
                    pieces.append((self.urgent or self.normal).popleft())
                    size += len(pieces[-1])
                self.queued -= size
                self.current = memoryview(b"".join(pieces))
            try:
                sent = os.write(self.fd, self.current)
            except BlockingIOError:
                return
            self.current = self.current[sent:] if sent < len(self.current) else None


class Session(object):
    """One neighbour: a child that runs ssh, and what waits to be written to it."""

    def __init__(self, stream, argv):
        self.stream, self.argv, self.pid, self.started, self.spoke = stream, argv, 0, 0.0, False
        self.input = self.output = self.errors = -1
        self.waiting, self.queued, self.taken, self.window = deque(), 0, 0, 0
        self.said, self.status, self.over = b"", None, None

    def start(self):
        self.started, pipes = time.monotonic(), []
        try:
            while len(pipes) < 3:
                pipes.append(os.pipe())
            self.pid = os.fork()
        except OSError:
            for pair in pipes:
                os.close(pair[0])
                os.close(pair[1])
            raise
        (theirs, self.input), (self.output, out), (self.errors, err) = pipes
        if self.pid == 0:
            self.become(theirs, out, err)
        for fd in (theirs, out, err):
            os.close(fd)
        for fd in (self.input, self.output, self.errors):
            os.set_blocking(fd, False)

    def become(self, *fds):
        try:
            for number in (_signal.SIGPIPE, _signal.SIGXFSZ, _signal.SIGHUP, _signal.SIGINT, _signal.SIGTERM):
                _signal.signal(number, _signal.SIG_DFL)
            for number, fd in enumerate(fds):
                os.dup2(fd, number)
            os.execvp(self.argv[0], self.argv)
        except OSError as error:
            os.write(2, b"rankdeck: cannot run " + self.argv[0] + b": " + os.strerror(error.errno).encode() + b"\n")
        finally:
            os._exit(127)

    def complain(self):
        """Reads its stderr; False at its end. A session that writes only to stderr does not delay the relay."""
        for _ in range(16):
            try:
                data = os.read(self.errors, 4096) if self.errors >= 0 else b""
            except BlockingIOError:
                return True
            if not data:
                return False
            self.said = (self.said + data)[-ERRORS:]
        return True

    def write(self):
        """Writes what it takes: how much that was. OSError: it does not read any more."""
        gone = 0
        while self.waiting:
            try:
                sent = os.write(self.input, self.waiting[0])
            except BlockingIOError:
                break
            gone += sent
            if sent < len(self.waiting[0]):
                self.waiting[0] = self.waiting[0][sent:]
            else:
                self.waiting.popleft()
        self.queued -= gone
        return gone

    def reap(self):
        if self.status is None and self.pid > 0:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        return self.status is not None


class Relay(object):
    def __init__(self, source, sink):
        self.source, self.output = source, Output(sink)
        self.input, self.heard, self.lease, self.ending = bytearray(), time.monotonic(), LEASE, False
        self.texts, self.sessions, self.unstarted, self.young = {}, {}, deque(), []
        self.ended, self.leaving = [], []    # sessions whose output is over; those that were closed
        self.readers, self.writers = select.epoll(), select.epoll()
        self.by_fd = {}

    # ---- input
    def fill(self):
        try:
            data = os.read(self.source, 262144)
        except BlockingIOError:
            return
        self.ending = self.ending or not data
        self.heard = time.monotonic()
        self.input += data
        at = 0
        while len(self.input) - at >= HEADER.size:
            length, kind, stream = HEADER.unpack_from(self.input, at)
            if length > MAX_PAYLOAD:
                raise Broken("a frame of %d bytes" % length)
            end = at + HEADER.size + length
            if len(self.input) < end:
                break
            self.handle(kind, stream, bytes(self.input[at + HEADER.size:end]))
            at = end
        del self.input[:at]

    def handle(self, kind, stream, payload):
        session = self.sessions.get(stream)
        if kind == DATA:
            self.send(session, payload)
        elif kind == CREDIT:
            if session is not None:
                session.window += U32.unpack(payload)[0]
                self.want_output(session)
        elif kind == SEND_TEXT:
            self.send(session, self.texts[U32.unpack(payload)[0]])
        elif kind == OPEN:
            self.open(stream, payload)
        elif kind == CLOSE:
            self.leave(session)
        elif kind == PING:
            self.output.frame(PONG, stream, payload, urgent=True)
        elif kind == TEXT:
            self.texts[stream] = self.texts.get(stream, b"") + payload
            if len(self.texts) > 8 or len(self.texts[stream]) > MAX_TEXT:
                raise Broken("too many texts")
        elif kind == HELLO:
            self.lease = max(1.0, U32.unpack(payload)[0] / 1000.0)
            self.output.frame(GREETING, 0, U32.pack(1), urgent=True)

    def open(self, stream, payload):
        """payload: u32 window, then the arguments of the command, each with its length before it."""
        if stream in self.sessions or len(self.sessions) >= MAX_STREAMS:
            raise Broken("stream %d cannot be opened" % stream)
        window, at, argv = U32.unpack_from(payload)[0], 4, []
        while at < len(payload):
            length = U32.unpack_from(payload, at)[0]
            argv.append(payload[at + 4:at + 4 + length])
            at += 4 + length
        session = self.sessions[stream] = Session(stream, argv)
        session.window = window
        self.unstarted.append(session)

    def send(self, session, data):
        if session is None or session.over is not None:
            return                           # it has already ended
        session.waiting.append(memoryview(data))
        session.queued += len(data)
        if session.queued > UP_WINDOW:
            raise Broken("more than the window of stream %d" % session.stream)
        if session.pid:
            self.push(session)

    def push(self, session):
        try:
            session.taken += session.write()
        except OSError:
            self.shut(session, "input")
        if session.input < 0:                # its end follows
            session.queued = 0
            session.waiting.clear()
            return
        if session.taken and (session.taken >= PIECE or not session.waiting):
            self.output.frame(TAKEN, session.stream, U32.pack(session.taken))
            session.taken = 0
        if session.waiting:
            self.watch(session.input, session, self.writers, select.EPOLLOUT)
        else:
            self.forget(session.input, self.writers)

    # ---- descriptors
    def watch(self, fd, session, among, events):
        if fd not in self.by_fd:
            self.by_fd[fd] = session
            among.register(fd, events)

    def forget(self, fd, among):
        if self.by_fd.pop(fd, None) is not None:
            among.unregister(fd)

    def shut(self, session, name):
        fd = getattr(session, name)
        if fd >= 0:
            self.forget(fd, self.readers if name == "output" else self.writers)
            os.close(fd)
        setattr(session, name, -1)

    def drop(self, session):
        for name in ("input", "output", "errors"):
            self.shut(session, name)
        session.waiting.clear()

    def want_output(self, session):
        if session.output >= 0:
            if session.window > 0:
                self.watch(session.output, session, self.readers, select.EPOLLIN)
            else:
                self.forget(session.output, self.readers)

    # ---- running sessions
    def start_some(self, now):
        self.young = [one for one in self.young if not one.spoke and one.over is None and now - one.started < SLOW]
        while self.unstarted and len(self.young) < STARTING:
            session = self.unstarted.popleft()
            if self.sessions.get(session.stream) is not session:
                continue                     # closed before its turn
            try:
                session.start()
            except OSError as error:
                session.said = b"rankdeck: cannot start ssh: " + os.strerror(error.errno).encode()
                session.status = 126
                self.finish(session)
                continue
            self.young.append(session)
            self.want_output(session)
            self.watch(session.errors, session, self.writers, select.EPOLLIN)
            self.push(session)

    def read(self, session):
        try:
            data = os.read(session.output, min(PIECE, session.window))
        except BlockingIOError:
            return
        if not data:
            return self.finish(session)
        session.spoke = True
        session.window -= len(data)
        self.output.frame(OUTPUT, session.stream, data)
        self.want_output(session)

    def finish(self, session):
        """Its output is over; its exit status and last words follow."""
        self.shut(session, "output")
        session.over = time.monotonic()
        self.ended.append(session)

    def leave(self, session):
        if session is None:
            return
        del self.sessions[session.stream]
        self.drop(session)
        if session in self.ended:
            self.ended.remove(session)
        if session.pid and session.status is None:
            session.over = time.monotonic()
            self.leaving.append(session)

    def look_after(self, now):
        """Sends the ends of those that are over, and ends those that were closed."""
        for session in list(self.ended):
            if not session.reap():
                if now - session.over < LAST_WORDS:
                    continue
                os.kill(session.pid, _signal.SIGTERM)
                session.status = 255
                self.leaving.append(session)
            session.complain()
            self.ended.remove(session)
            self.drop(session)
            del self.sessions[session.stream]
            self.output.frame(END, session.stream, struct.pack(">i", session.status) + session.said)
        for session in list(self.leaving):
            pid, _ = os.waitpid(session.pid, os.WNOHANG)
            if pid:
                self.leaving.remove(session)
            elif now - session.over > GRACE:
                os.kill(session.pid, _signal.SIGKILL if now - session.over > 2 * GRACE else _signal.SIGTERM)

    def pause(self):
        if self.ended or self.leaving:
            return 20
        return 100 if self.unstarted else 1000

    def turn(self, outer):
        self.output.flush()
        outer.modify(self.output.fd, select.POLLOUT if self.output.pending() else 0)
        outer.modify(self.readers.fileno(), select.POLLIN if self.output.room() else 0)
        ready = dict(outer.poll(self.pause()))
        self.ending = self.ending or bool(ready.get(self.output.fd, 0) & (select.POLLERR | select.POLLHUP))
        if self.source in ready:
            self.fill()
        if self.writers.fileno() in ready:
            for fd, _ in self.writers.poll(0, 64):
                session = self.by_fd.get(fd)
                if session is None:
                    continue
                if fd == session.input:
                    self.push(session)
                elif not session.complain():
                    self.shut(session, "errors")
        if self.readers.fileno() in ready and self.output.room():
            for fd, _ in self.readers.poll(0, BATCH):
                session = self.by_fd.get(fd)
                if session is not None:
                    self.read(session)
        now = time.monotonic()
        self.start_some(now)
        self.look_after(now)
        if now - self.heard > self.lease:
            self.ending = True

    def run(self):
        outer = select.poll()
        for fd, events in ((self.source, select.POLLIN), (self.output.fd, 0), (self.readers.fileno(), 0),
                           (self.writers.fileno(), select.POLLIN)):
            outer.register(fd, events)
        try:
            while not self.ending:
                self.turn(outer)
        finally:
            for session in list(self.sessions.values()) + self.leaving:
                self.drop(session)
                if session.pid and session.status is None:
                    os.kill(session.pid, _signal.SIGTERM)


def main():
    def end(number, frame):
        relay.ending = True

    relay = Relay(0, 1)
    for number in (_signal.SIGTERM, _signal.SIGHUP, _signal.SIGINT):
        _signal.signal(number, end)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (65536 if hard == resource.RLIM_INFINITY else min(hard, 65536), hard))
    os.set_blocking(0, False)
    os.set_blocking(1, False)
    try:
        relay.run()
    except (BrokenPipeError, ConnectionResetError):
        pass                             # the console is gone
    except (Broken, KeyError, struct.error) as error:
        os.write(2, b"rankdeck: the relay does not understand the console: " + str(error).encode() + b"\n")
    os._exit(0)


if __name__ == "rankdeck_probe":
    main()
