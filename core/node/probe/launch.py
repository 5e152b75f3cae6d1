# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that are started once, under a supervisor that does not depend on this probe.


class Launcher(object):
    """Forks from a separate thread, which was made before this process lowered its priority: a job must not inherit that."""

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


def read_all(fd):
    text = b""
    while True:
        piece = os.read(fd, 4096)
        if not piece:
            return text
        text += piece


def write_record(path, text):
    temp = path + b".tmp"
    fd = os.open(temp, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        write_all(fd, text)
        os.fsync(fd)
    finally:
        os.close(fd)
    os.rename(temp, path)


STARTED, CALLED_OFF = b"started", b"called-off"


class Launch(object):
    """One launch: the paths of its lock and records, and the two processes that run it."""

    def __init__(self, ident, folder):
        check_name(ident, "a launch id")
        self.ident, self.folder = ident, folder
        base = os.path.join(folder, ident)
        self.lock_path, self.record_path, self.starting_path, self.exit_path, self.decision_path = (
            base + b".lock", base + b".pid", base + b".starting", base + b".rc", base + b".decided")
        self.argv, self.env, self.workdir, self.output = [], [], b"", b""
        self.limits, self.found, self.said = [], (None, False), b""

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
            raise Refusal(INTERNAL, path + b" is not a launch record; check it, and remove it if nothing is running")

    def encode(self, record, started_now, alone=False):
        """alone: this probe itself has the lock, so no supervisor lives."""
        pid, start, boot, _ = record
        here = boot_id()
        code, ended = self.result()
        # Ended, but the supervisor has not yet written how: it is not running any more.
        running = code is None and boot == here and (lives(pid, start) or (not alone and self.supervised()))
        if not running and code is None:
            code, ended = self.result()  # written since the first check
        return (struct.pack(">BIQ", started_now, pid, start) + blob(boot)
                + struct.pack(">Biq", code is not None, code or 0, ended) + blob(here) + bytes((1 if running else 0,)))

    def supervised(self):
        """Whether its supervisor lives. Refusal or OSError if that cannot be determined, for example without locks."""
        try:
            fd = os.open(self.lock_path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            return False
        try:
            return not try_lock(fd, fcntl.LOCK_SH, self.folder)
        finally:
            os.close(fd)

    def decide(self, word):
        """Whether the decision is this one. A link is made in one step and never over another, so it shows which was first.
        Either the supervisor decides, just before the program begins, or a console that cancels the launch. A cancelled
        launch never begins."""
        try:
            os.symlink(word, self.decision_path)
        except FileExistsError:
            pass
        return self.decision() == word

    def decision(self):
        try:
            return os.readlink(self.decision_path)
        except FileNotFoundError:
            return None

    def forget(self):
        """The program did not begin. The decision is removed first, so that "started" never exists without a record."""
        paths = [self.starting_path, self.exit_path + b".new"]
        if self.decision() == STARTED:
            paths.insert(0, self.decision_path)
        for path in paths:
            if os.path.lexists(path):
                os.unlink(path)

    def result(self):
        """(exit code or minus the signal, end in ns), or (None, 0): running, or its supervisor was killed."""
        try:
            word, number, ended = slurp(self.exit_path, 4096).split()[:3]
            return (int(number) if word == b"exit" else -int(number)), int(ended)
        except (OSError, ValueError):
            return None, 0

    # The supervisor: has its own session, holds the locks, waits, writes how the program ended.
    def supervise(self, kept, status):
        os.setsid()
        for number in (_signal.SIGHUP, _signal.SIGINT):
            _signal.signal(number, _signal.SIG_IGN)
        _signal.signal(_signal.SIGTERM, _signal.SIG_DFL)
        null = os.open("/dev/null", os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        for fd in range(3, 4096):
            if fd not in kept:
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
        problem = b""
        try:
            start = start_ticks(child)
            write_record(self.exit_path + b".new", b"-" * 64)
            write_record(self.starting_path, b"%d %d %s %d\n" % (child, start or 0, boot_id() or b"-", child))
            if not self.decide(STARTED):     # the disk delayed this process, and the console has put everything back since
                problem = b"%d launch %s was called off before it began" % (errno.ECANCELED, self.ident)
        except OSError as error:
            problem = b"%d cannot write the launch record in %s" % (error.errno, self.folder)
        if not problem:
            os.write(go_write, b"g")
        os.close(go_write)
        problem = problem or read_all(error_read)
        if problem:
            os.waitpid(child, 0)
            self.forget()
            for fd in kept:
                if fd != status:
                    os.close(fd)         # the job is free before the end is reported
            os.write(status, b"err " + problem)
            return
        os.rename(self.starting_path, self.record_path)
        try:
            os.write(status, b"ok")
        except OSError:
            pass                         # the probe is gone; the program runs anyway
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

    def hold_record(self):
        """A lock on its record that the program inherits: it outlives a killed supervisor, and machines that share the directory
        see it. Processes left by the program may keep it, which means nothing once its end is written."""
        fd = os.open(self.starting_path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        fcntl.flock(fd, fcntl.LOCK_SH)
        os.set_inheritable(fd, True)

    def runs_elsewhere(self):
        """Whether its program, which another machine has started, has not ended: by the lock on its record."""
        if os.path.exists(self.exit_path):
            return False
        for path in (self.record_path, self.starting_path):
            try:
                fd = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            except FileNotFoundError:
                continue
            try:
                return not try_lock(fd, fcntl.LOCK_EX, self.folder)
            finally:
                os.close(fd)
        return False

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
            self.hold_record()
            if self.output:
                step = b"cannot open the output " + self.output
                make_directories(os.path.dirname(self.output) or b".")
                if os.path.exists(self.output) and self.output != b"/dev/null" and not os.path.isfile(self.output):
                    raise OSError(errno.EINVAL, "")
                out = os.open(self.output, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOCTTY,
                              0o600 if is_ours(self.output) else 0o666)
                os.dup2(out, 1)
                os.dup2(out, 2)
            if self.workdir:
                step = b"cannot enter the work directory " + self.workdir
                os.chdir(self.workdir)
            step = b"cannot run " + self.argv[0]
            environment = dict(os.environb)
            environment.update(self.env)
            environment[b"RANKDECK_LAUNCH_ID"] = self.ident
            if environment.get(b"SHLVL", b"0") in (b"", b"0"):
                # otherwise a bash thinks that sshd started it, and ~/.bashrc changes what the job sets
                environment[b"SHLVL"] = b"1"
            os.execvpe(self.argv[0], self.argv, environment)
        except OSError as error:
            os.write(errors, b"%d %s" % (error.errno or 0, step))
        finally:
            os._exit(126)


def launch_of(request, limits):
    """(launch, claim of its job or None, action, text) of a request."""
    launch = Launch(request.blob(), request.path())
    launch.argv = request.many(request.blob)
    launch.env = request.many(lambda: (request.blob(), request.blob()))
    launch.workdir, launch.output, launch.limits = request.blob(), request.blob(), limits
    key, action, text, places = request.blob(), one_line(request.blob()), one_line(request.blob()), request.many(request.path)
    texts = launch.argv + [text for pair in launch.env for text in pair] + [launch.workdir, launch.output]
    if not launch.argv or not launch.argv[0] or any(b"\0" in text for text in texts) or any(
            not name or b"=" in name for name, _ in launch.env):
        raise Refusal(INVALID, "a program needs a name; arguments and environment must not contain zero bytes")
    if key and not action:
        raise Refusal(INVALID, "a claim must name its action")
    return launch, Claim(key, launch.folder, places) if key else None, action, text


def first_of(launch, lock):
    """Generator: waits until no other process starts it, or another one has started it. launch.found is (record, alone) then."""
    deadline = time.monotonic() + 15
    while True:
        record, alone = launch.record(launch.record_path), False
        if record is None:
            if not try_lock(lock, fcntl.LOCK_EX, launch.folder):
                if time.monotonic() > deadline:
                    raise Refusal(TIMEOUT, b"launch " + launch.ident + b" has been starting for 15 s; another process started it")
                yield 0.01
                continue
            # Starting, but the lock is free: its supervisor was killed, the program may run.
            record, alone = launch.record(launch.record_path), True
            if record is None and launch.decision() == CALLED_OFF:
                raise Refusal(CONFLICT, b"launch " + launch.ident + b" was called off; nothing was started")
            record = record or launch.record(launch.starting_path)
        launch.found = record, alone
        return


def start(probe, launch, lock, claim):
    """Generator: starts it under a supervisor; launch.said is the supervisor's answer, "ok" or "err"."""
    status, status_write = os.pipe()
    try:
        try:
            kept = [lock] + (claim.descriptors() if claim is not None else [])
            probe.launcher.run(lambda: launch.supervise(kept + [status_write], status_write))
        finally:
            os.close(status_write)
        os.set_blocking(status, False)
        while True:
            try:
                piece = os.read(status, 4096)
            except BlockingIOError:
                yield 0.005
                continue
            if not piece:
                return
            launch.said += piece
    finally:
        os.close(status)


def launch_job(probe, request, reply):
    launch, claim, action, text = launch_of(request, probe.limits)
    lock = None
    try:
        make_run_directory(launch.folder)
        lock = os.open(launch.lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        for pause in first_of(launch, lock):
            yield pause
        record, alone = launch.found
        if record is not None:
            reply.write(launch.encode(record, 0, alone))
            return
        if claim is not None:
            for pause in claim.take(action, text, launch.ident):
                yield pause
        if probe.given_up():
            raise Refusal(TIMEOUT, b"the disk of " + launch.folder + b" took so long that the answer is no longer awaited; "
                          b"nothing was started")
        for pause in start(probe, launch, lock, claim):
            yield pause
    except OSError as error:
        raise failed(error, b"cannot launch in " + launch.folder)
    finally:
        if lock is not None:
            os.close(lock)
        if claim is not None:
            claim.close()
    if launch.said.startswith(b"err "):
        number, _, step = launch.said[4:].partition(b" ")
        raise failed(OSError(int(number), ""), step)
    record = launch.record(launch.record_path)
    if launch.said != b"ok" or record is None:
        raise Refusal(INTERNAL, b"the supervisor of launch " + launch.ident + b" ended before the program ran; nothing was started")
    reply.write(launch.encode(record, 1))


def find_launch(launch, call_off):
    """Its record, or None: it never began and, when it is called off, never will."""
    record = launch.record(launch.record_path)
    if record is not None:
        return record
    if call_off:
        make_run_directory(launch.folder)    # a request that is still on its way would make it
        off = launch.decide(CALLED_OFF)
    else:
        off = launch.decision() == CALLED_OFF
    if off:
        return None
    record = launch.record(launch.starting_path) or launch.record(launch.record_path)
    if record is None and launch.supervised():
        raise Refusal(TIMEOUT, b"launch " + launch.ident + b" is being started; the result is not available yet")
    return record


def launched_job(probe, request, reply):
    launch, call_off = Launch(request.blob(), request.path()), request.u8()
    try:
        record = find_launch(launch, call_off)
    except OSError as error:
        raise failed(error, b"cannot read the launch record in " + launch.folder)
    if record is None:
        raise Refusal(NOT_FOUND, b"nothing was launched as " + launch.ident + b" in " + launch.folder)
    try:
        reply.write(launch.encode(record, 0))
    except OSError as error:             # a launch that cannot be read does not count as ended
        raise failed(error, b"cannot tell whether launch " + launch.ident + b" runs")
    yield 0
