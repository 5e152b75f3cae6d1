# SPDX-License-Identifier: GPL-3.0-or-later
# The processes of the machine.


# Programs that run everywhere and close their /proc to all but root; system services also do so.
CLOSED_ANYWAY = (b"sshd", b"sshd-session", b"ssh-agent", b"gpg-agent", b"(sd-pam)", b"systemd", b"sudo", b"su", b"login", b"agetty")
MOST_PROCESSES = 20000       # of one answer
MOST_EXITS = 64


class Known(object):
    __slots__ = ("start", "first", "looked", "head", "rest", "exe", "closed", "comm", "runs", "opened", "reads", "writes")

    def __init__(self, start, first):
        self.start, self.first, self.looked = start, first, first
        self.head, self.rest, self.exe, self.closed = None, None, b"", False
        self.comm, self.runs = b"", True
        self.opened, self.reads, self.writes = (), b"", ()     # files asked for; the pipes at its input and its outputs


def exe_of(pid):
    try:
        return os.readlink(b"/proc/%d/exe" % pid)
    except OSError:
        return b""


def may_be_a_rank(pid, comm, uid, parent):
    """Whether a process that we cannot read may be a rank, and not just a tool or service of the system."""
    if pid == 1 or 2 in (pid, parent) or comm in CLOSED_ANYWAY:
        return False
    try:
        group = slurp("/proc/%d/cgroup" % pid, 65536).rstrip().rpartition(b"\n")[2]
    except OSError as error:
        return error.errno not in (errno.ENOENT, errno.ESRCH)
    service = b"/system.slice/" in group and group.endswith(b".service") and b"slurm" not in group
    return not (service and (uid < 1000 or uid == 65534))


def own_words():
    """The command line of this probe behind the interpreter: the loader's text, which no other program has. None when it is
    unknown."""
    try:
        words = slurp("/proc/self/cmdline", 65536).split(b"\0")[1:-1]
    except OSError:
        return None
    return words if words[-1:] == [MARK] else None


class Files(object):
    """The files that a process may have open, asked for by path: a file itself, or all below a directory."""

    def __init__(self, paths):
        self.paths = {}
        for path in paths:
            self.paths.setdefault(os.path.realpath(path), path)
        self.names = {os.path.basename(real): real for real in self.paths}

    def found(self, target, link):
        """The requested file that a descriptor's target is, with its requested path; None for another file."""
        if target.endswith(b" (deleted)"):
            target = target[:-10]
        at = target
        while len(at) > 1:
            if at in self.paths:
                return self.paths[at]
            at = os.path.dirname(at)
        real = self.names.get(os.path.basename(target))
        if real is not None:             # under another name, as a container mounts it
            try:
                if os.path.samestat(os.stat(link), os.stat(real)):
                    return self.paths[real]
            except OSError:
                return None
        return None


class Processes(object):
    """Processes that match by a name in their environment, an open file or a pid. If nothing is requested: all processes except
    kernel threads and probes.

    Results are cached by pid and start time. A young process is read again until it is 10 s old, because exec changes it; an
    unwanted one is read again every minute. A wanted process stays wanted while it runs the same program, because it may
    overwrite its environment, as setproctitle does."""

    def __init__(self, names, paths=(), every=False, everything=False, pids=frozenset()):
        self.wanted = names, paths, every, everything, pids
        self.names, self.every, self.pids = names, every, pids
        self.marks = [name + b"=" for name in names] + [b"RANKDECK_LAUNCH_ID="]
        self.everything = everything or not (names or paths or pids)
        self.files = Files(paths) if paths else None
        self.known, self.users, self.closed = {}, {}, False
        self.feeding = frozenset()       # pids that write through a pipe into one of the files
        self.kernel, self.listed, self.exits = None, {}, []
        self.written, self.outputs_due = set(), 0.0
        self.ticks = os.sysconf("SC_CLK_TCK")
        self.boot, self.own = boot_id(), own_words()

    def want_pids(self, pids):
        """For processes that are listed already: all cached results stay."""
        self.pids, self.wanted = pids, self.wanted[:4] + (pids,)

    def started_ns(self, start):
        uptime = float(slurp("/proc/uptime", 64).split()[0])
        return int((time.time() - uptime + start / float(self.ticks)) * 1e9)

    def user(self, uid):
        if uid not in self.users:
            self.users[uid] = user_name(uid)
        return self.users[uid]

    def environment(self, pid):
        """([(name, value)] of the requested names, launch id), or (None, empty) if it may not be read."""
        self.closed = False
        try:
            text = slurp("/proc/%d/environ" % pid)
        except OSError as error:
            self.closed = error.errno in (errno.EACCES, errno.EPERM)
            return None, b""
        found, launch = [], b""
        if not any(mark in text for mark in self.marks):
            return found, launch         # of nearly all processes, and much faster than parsing it
        for item in text.split(b"\0"):
            name, equals, value = item.partition(b"=")
            if equals and name in self.names:
                found.append((name, value[:32768]))
            if name == b"RANKDECK_LAUNCH_ID":
                launch = value[:128]
        return found, launch

    def opened(self, pid, every):
        """The requested files that it has open for writing. Usually checks only its output, because checking all files is
        expensive. A process that only reads a log, such as a pager or a log shipper, is not a rank."""
        numbers, found = ("1", "2"), []
        try:
            if every:
                numbers = os.listdir("/proc/%d/fd" % pid)
        except OSError:
            return found
        for number in numbers:
            link = "/proc/%d/fd/%s" % (pid, number)
            try:
                target = os.readlink(os.fsencode(link))
                if not os.lstat(link).st_mode & 0o200:
                    continue             # the link's mode is how it was opened
            except OSError:
                continue                 # closed since, or not readable for us
            path = self.files.found(target, link) if target.startswith(b"/") else None
            if path is not None and path not in found:
                found.append(path)
        return found

    def output(self, pid, number):
        """Path of its output, if that is a file."""
        link = "/proc/%d/fd/%d" % (pid, number)
        try:
            target = os.readlink(os.fsencode(link))
            return target if target.startswith(b"/") and stat.S_ISREG(os.stat(link).st_mode) else b""
        except OSError:
            return b""

    def details(self, pid, fields, uid):
        """The part that changes only with exec; None for a process that is not to be reported."""
        env, launch = self.environment(pid)
        opened = self.known[pid].opened
        if not (self.everything or env or opened or pid in self.pids or pid in self.feeding):
            return None
        try:
            argv = slurp("/proc/%d/cmdline" % pid, 65536)
        except OSError:
            return None
        words = argv.split(b"\0")[:-1] if argv.endswith(b"\0") else argv.split(b"\0") if argv else []
        if (self.own is not None and words[1:] == self.own) or (not words and int(fields[1]) in (0, 2)):
            return None
        parts = [struct.pack(">qI", self.started_ns(int(fields[19])), len(words))] + [blob(word) for word in words]
        parts.append(struct.pack(">BI", 0 if env is None else 1, len(env or ())))
        parts += [blob(name) + blob(value) for name, value in env or ()]
        for name in ("cwd", "exe"):
            try:
                parts.append(blob(os.readlink(("/proc/%d/%s" % (pid, name)).encode())))
            except OSError:
                parts.append(blob(b""))
        parts += [blob(self.output(pid, 1)), blob(self.output(pid, 2)), blob(self.user(uid)), blob(launch),
                  U32.pack(len(opened))] + [blob(path) for path in opened]
        return b"".join(parts)

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
        try:
            uid = os.stat("/proc/%d" % pid).st_uid if known is None or known.start != start or known.head is None else known.head[1]
        except OSError:
            return None
        if known is None or known.start != start:
            known = self.known[pid] = Known(start, now)
            self.learn(known, pid, comm, fields, uid)
        elif fields[0] != b"Z" and (now - known.first <= 10 or now - known.looked >= 60):
            known.looked = now
            self.learn(known, pid, comm, fields, uid)
        if known.rest is None:
            return None
        head = struct.pack(">IQIIIIc", pid, start, int(fields[1]), int(fields[2]) & 0xffffffff, int(fields[3]) & 0xffffffff,
                           uid & 0xffffffff, fields[0][:1]) + blob(comm)
        known.head = (head, uid)
        known.comm, known.runs = comm, fields[0] not in (b"Z", b"X")
        if not known.runs:
            self.note_exit(pid, start)
        return head + known.rest

    def pipe(self, pid, number):
        try:
            target = os.readlink(b"/proc/%d/fd/%d" % (pid, number))
            return target if target.startswith(b"pipe:") else b""
        except OSError:
            return b""

    def learn(self, known, pid, comm, fields, uid):
        if self.files is not None:
            known.reads, known.writes = self.pipe(pid, 0), (self.pipe(pid, 1), self.pipe(pid, 2))
            known.opened = self.opened(pid, self.every or known.reads)  # tee writes beside its output
        rest = self.details(pid, fields, uid)
        exe = exe_of(pid) if rest is not None or known.rest is not None else b""
        if rest is not None or known.exe != exe:
            known.rest, known.exe = rest, exe
        known.closed = known.rest is None and self.closed and may_be_a_rank(pid, comm, uid, int(fields[1]))

    def feeders(self):
        """{pid: [pids whose output it reads]} of the processes that write the files, and of their writers: sed and tee read the
        ranks' output."""
        writers = {}
        for pid, known in self.known.items():
            for pipe in set(known.writes):
                if pipe and known.runs:
                    writers.setdefault(pipe, []).append(pid)
        todo, found = [pid for pid, known in self.known.items() if known.opened and known.runs], {}
        while todo:
            pid = todo.pop()
            pids = sorted(one for one in writers.get(self.known[pid].reads, ()) if one != pid)
            if pids and pid not in found:
                found[pid] = pids
                todo += pids
        return found

    def complete(self):
        """Whether nothing that may be a rank is closed to us."""
        return os.path.exists("/proc/1") and not any(known.closed for known in self.known.values())

    def collect(self):
        """[encoded process]; in the order of their pids."""
        now = time.monotonic()
        me = os.getpid()
        pids = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
        found = {}
        for pid in pids:
            if pid != me:
                item = self.look(pid, now)
                if item is not None:
                    found[pid] = item
        if len(self.known) > len(pids):
            alive = set(pids)
            for pid in [pid for pid in self.known if pid not in alive]:
                del self.known[pid]
        if self.kernel is not None:
            alive = [(pid, self.known[pid]) for pid in pids if pid in self.known]
            before, self.listed = self.listed, {(pid, known.start): known.comm for pid, known in alive
                                                if known.rest is not None and known.runs}
            self.kernel.left({one: comm for one, comm in before.items() if one not in self.listed})
        feeders = self.feeders()
        self.feeding = frozenset(one for each in feeders.values() for one in each)
        for pid in self.feeding:
            if pid not in found and pid in self.known and self.known[pid].runs:
                self.known[pid].looked = now - 60   # only the pipe shows that it belongs to the job
                item = self.look(pid, now)
                if item is not None:
                    found[pid] = item
        return [found[pid] + U32.pack(len(feeders.get(pid, ()))) + b"".join(U32.pack(one) for one in feeders.get(pid, ()))
                for pid in sorted(found)]

    def ended(self):
        """Whether a process of the last list has ended since. Checks only those, which costs little."""
        for pid, start in self.listed:
            try:
                _, fields = process_stat(pid)
                if int(fields[19]) != start or fields[0] in (b"Z", b"X"):
                    self.note_exit(pid, start)
                    return True
            except (OSError, IndexError, ValueError, MemoryError):
                return True      # the next list shows the details
        return False

    def outputs(self, now):
        """(device, inode) of all files that the output of a listed process goes to; looked at once a second at most."""
        if now >= self.outputs_due:
            self.outputs_due, self.written = now + 1.0, set()
            for pid, _ in self.listed:
                for number in (1, 2):
                    try:
                        st = os.stat("/proc/%d/fd/%d" % (pid, number))
                    except OSError:
                        continue
                    self.written.add((st.st_dev, st.st_ino))
        return self.written

    def note_exit(self, pid, start):
        """Records how it ended, before its launcher collects the status. A status that we may not read is 0. Then its exe is not
        readable either, whereas a dead process has none."""
        if any(one[:2] == (pid, start) for one in self.exits):
            return
        try:
            os.readlink("/proc/%d/exe" % pid)
            return
        except OSError as error:
            if error.errno != errno.ENOENT:
                return
        try:
            _, fields = process_stat(pid)
            if fields[0] != b"Z" or int(fields[19]) != start:
                return
            status = int(fields[49])
        except (OSError, IndexError, ValueError):
            return
        self.exits = self.exits[1 - MOST_EXITS:] + [(pid, start, -(status & 127) or status >> 8)]

    def encode(self, found):
        whole = len(found) <= MOST_PROCESSES and self.complete()
        return blob(self.boot) + (b"\1" if whole else b"\0") + U32.pack(min(len(found), MOST_PROCESSES)) + \
            b"".join(found[:MOST_PROCESSES]) + (self.kernel.encode() if self.kernel is not None else U32.pack(0)) + \
            U32.pack(len(self.exits)) + b"".join(struct.pack(">IQi", *one) for one in self.exits)


def processes_job(probe, request, reply):
    wanted = (frozenset(request.many(request.blob)), tuple(request.many(request.path)), bool(request.u8()), bool(request.u8()),
              frozenset(request.many(request.u32)))
    source = probe.process_watch
    if source is None or source.wanted != wanted:
        source = Processes(*wanted)
    found = source.collect()
    if len(found) > MOST_PROCESSES:
        raise Refusal(UNSUPPORTED, "more than %d processes" % MOST_PROCESSES)
    reply.write(source.encode(found))
    yield 0
