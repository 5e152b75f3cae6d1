# SPDX-License-Identifier: GPL-3.0-or-later
# The loop: frames in, a slice of each request, frames out.


class Job(object):
    __slots__ = ("kind", "steps", "reply", "wake", "begun")

    def __init__(self, kind, steps, reply):
        self.kind, self.steps, self.reply, self.wake, self.begun = kind, steps, reply, 0.0, False


JOBS = {LIST: list_job, READ: read_job, SKIM: skim_job, READ_FILE: read_file_job, REPLACE: replace_job, ACT: act_job,
        HASH: hash_job, PROCESSES: processes_job, SIGNAL: signal_job, LAUNCH: launch_job, LAUNCHED: launched_job,
        APPEND: append_job, ROOM: room_job, JOB_HOLDER: job_holder_job, LOGOUT: logout_job,
        RESERVE: reserve_job}

CHANGES = {REPLACE, ACT, SIGNAL, LAUNCH, APPEND, RESERVE}


class Probe(object):
    def __init__(self, source, sink):
        self.source, self.output = source, Output(sink)
        self.input, self.parts, self.fresh = bytearray(), {}, False
        self.tails, self.directories = Tails(self.output, self.is_written), {}
        self.process_watch, self.process_due, self.process_last = None, 0.0, None
        self.poller = select.poll()
        self.end_due, self.last_read, self.ends, self.woken, self.listed_at = 0.0, False, Ends(self.poller), False, -QUICK
        self.directory_due, self.walks = 0.0, []
        self.jobs, self.waiting = [], deque()
        self.lease, self.heard, self.ending = LEASE, time.monotonic(), False
        self.lost, self.turned = LOST, time.monotonic()
        self.launcher, self.limits = None, []
        self.reserved = {}                   # (run directory, job key) → the Claim that holds it until this probe ends

    # ---- input
    def fill(self):
        try:
            data = os.read(self.source, 262144)
        except BlockingIOError:
            return
        if data:
            self.heard, self.fresh = time.monotonic(), True
        self.ending = self.ending or not data
        self.input += data

    def given_up(self):
        """Whether the console may have stopped waiting for this probe: then nothing may be changed any more. A request that was
        delayed, for example by a hanging disk, calls this just before it makes its change."""
        before = -1
        while not self.ending and len(self.input) != before:
            before = len(self.input)
            self.fill()
        now = time.monotonic()
        return self.ending or now - self.heard > self.lease or now - self.turned > self.lost * 0.75

    def receive(self):
        self.fresh = False
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
            self.waiting.append(Job(kind, JOBS[kind](self, request, reply), reply))
        elif kind == PING:
            self.output.frame(PONG, ident, payload[:8] + U64.pack(int(time.time() * 1e9)), urgent=True)
        elif kind == CREDIT:
            self.tails.credit = min(WINDOW, self.tails.credit + request.u32())
        elif kind == WATCH:
            try:
                self.watch(request)
            except Refusal as refusal:   # the console never sends this; what was watched before continues
                complain(refusal.text)
        elif kind == HELLO:
            self.lease = max(1.0, request.u32() / 1000.0)
            self.output.compress = bool(request.u8())
            self.lost = max(0.5, request.u32() / 1000.0)
            self.hello(ident)

    def hello(self, ident):
        version = "%d.%d.%d" % sys.version_info[:3]
        self.output.frame(HELLO, ident, struct.pack(">IIQ", PROTOCOL, os.geteuid(), int(time.time() * 1e9))
                          + blob(as_bytes(os.uname().nodename)) + blob(boot_id()) + blob(as_bytes(version))
                          + blob(user_name(os.geteuid())), urgent=True)

    def watch(self, request):
        def tail():
            wire, path, pace, last = request.u32(), request.path(), request.u8(), request.u64()
            resume = None
            if request.u8():
                resume = (request.u64(), request.u64(), request.u64(), request.blob())
            return wire, path, resume, last, pace

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
        self.walks = [(watch, steps) for watch, steps in self.walks if self.directories.get(watch.wire) is watch]
        on, names, paths = request.u8(), frozenset(request.many(request.blob)), tuple(request.many(request.path))
        pids = frozenset(request.many(request.u32))
        if not on:
            self.process_watch = None
            self.ends.attend([])
        elif self.process_watch is None or self.process_watch.wanted[:2] != (names, paths):
            self.process_watch, self.process_due, self.process_last = Processes(names, paths, pids=pids), 0.0, None
            self.process_watch.kernel = KernelLog()
        else:
            self.process_watch.want_pids(pids)

    # ---- running requests
    def run_jobs(self, now):
        """A slice of each running request. True when one can continue at once."""
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
        """True when the request is answered. A slice of another request may have taken long since this one came."""
        if not job.begun and job.kind in CHANGES and self.given_up():
            job.reply.refuse(TIMEOUT, b"the node was held up for so long that the answer is no longer awaited; nothing was done")
            return True
        job.begun = True
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
            job.reply.refuse(NO_SPACE, b"the request needs more memory than the probe may use; request less at once")
        return True

    def push_directories(self, now):
        """One slice of the scan of the watched directories. True if it can continue at once."""
        if now < self.directory_due:
            return False
        if not self.walks:
            self.walks = [(watch, watch.cycle(max(20, 100 // len(self.directories)))) for watch in self.directories.values()]
        while self.walks:
            watch, steps = self.walks[-1]
            try:
                for _ in steps:
                    if time.monotonic() - now > 0.01:
                        return True
            except (OSError, struct.error, OverflowError, ValueError) as error:
                watch.fail(why(error) if isinstance(error, OSError) else as_bytes(str(error)))
            except MemoryError:
                watch.fail(b"more entries than the probe has memory for")
            self.walks.pop()
        self.directory_due = beat(time.monotonic(), 0.75)
        return False

    def send_directories(self):
        for watch in self.directories.values():
            if not self.output.room():
                return
            data = watch.message(bool(self.output.pending()))
            if data is not None:
                self.output.message(DIRECTORY, watch.wire, data)

    def ends_first(self, now):
        """Returns True if the process list must wait for the next turn, because a rank's end has woken us, or a listed process
        has ended. All logs are read before the list then, so that a rank's last output comes before its end."""
        if self.last_read or (now < self.end_due and now < self.process_due):
            return False
        self.end_due = beat(now, QUICK if self.ends.blind else SLOW)
        if self.woken or self.process_watch.ended():
            self.tails.hurry(now)
            self.process_due, self.last_read, self.woken = now, True, False
        return self.last_read

    def is_written(self, dev, ino):
        return self.process_watch is not None and (dev, ino) in self.process_watch.outputs(time.monotonic())

    def wake(self, process, now):
        """A rank has ended. A series of ends does not cause one list for each."""
        if process is None or self.process_watch is None:
            return
        self.process_watch.note_exit(*process)
        self.woken, self.end_due = True, max(now, self.listed_at + QUICK)

    def push_processes(self, now):
        if self.process_watch is None or not self.output.room() or self.ends_first(now) or now < self.process_due:
            return
        if self.last_read:
            self.last_read, self.end_due, self.listed_at = False, beat(now, SLOW), now   # one list covers many short-lived children
        self.process_due = beat(now, 2.0)
        try:
            data = self.process_watch.encode(self.process_watch.collect())
            self.ends.attend([one for one in self.process_watch.listed if one[0] in self.process_watch.pids])
        except (OSError, struct.error, MemoryError) as error:
            complain(b"the processes cannot be listed: " + as_bytes(str(error) or "no memory"))
            self.process_due = self.end_due = now + 10.0
            return
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
            until = min(until, self.process_due, self.end_due if self.process_watch.listed else self.process_due)
        for job in self.jobs:
            if job.wake > now:
                until = min(until, job.wake)
        return max(0, int((until - now) * 1000) + 1)

    def run(self):
        poller = self.poller
        poller.register(self.source, select.POLLIN)
        writing, busy, starved = False, False, False
        while not self.ending:
            self.output.flush()
            # Work that waited for room can go on now: no descriptor would wake us for it.
            busy = busy or (starved and self.output.room())
            if bool(self.output.pending()) != writing:
                writing = not writing
                if writing:
                    poller.register(self.output.fd, select.POLLOUT)
                else:
                    poller.unregister(self.output.fd)
            for fd, _ in poller.poll(self.pause(time.monotonic(), busy)):
                if fd == self.source:
                    self.fill()
                else:
                    self.wake(self.ends.woke(fd), time.monotonic())
            self.turned = now = time.monotonic()
            self.receive()
            if now - self.heard > self.lease:
                return
            busy = self.run_jobs(now) or self.fresh
            self.tails.poll(now)
            busy = self.tails.pump() or busy
            if self.directories:
                busy = self.push_directories(now) or busy
                self.send_directories()
            self.push_processes(now)
            starved = not self.output.room()
            if time.monotonic() - now > self.lost:
                return                   # one turn took too long: the console has given this probe up


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
