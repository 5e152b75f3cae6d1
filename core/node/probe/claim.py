# SPDX-License-Identifier: GPL-3.0-or-later
# Which action may launch a job: one at a time, whatever the consoles that ask.


def check_name(name, what):
    if not name or len(name) > 128 or name.startswith(b".") or any(
            byte not in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-" for byte in name):
        raise Refusal(INVALID, what + " has 1 to 128 letters, digits, dots, dashes or underscores")


def one_line(text):
    return b" ".join(text.split())[:1000]


def try_lock(fd, how, folder):
    """False when somebody else has it."""
    try:
        fcntl.flock(fd, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL):
            raise Refusal(UNSUPPORTED, b"the file system of " + folder + b" has no locks, so nobody can tell whether the job "
                          b"runs already; choose a run directory on one that has them", why(error))
        raise
    return True


def locks_are_local(folder):
    """Whether other machines that mount this directory do not see its locks."""
    kind, options = mount_of(os.path.realpath(folder))
    if kind.startswith(b"nfs"):
        return bool({b"nolock", b"local_lock=all", b"local_lock=flock"} & options)
    return kind == b"lustre" and b"localflock" in options


class Claim(object):
    """KEY.job names the action that has the job, and its launches; whoever supervises one of them keeps a shared lock on
    it. Only who holds KEY.turn, for the time of one look, tries its exclusive lock: to get it means that no supervisor
    lives, wherever. A program whose supervisor was killed is found by its launch record."""

    def __init__(self, key, folder):
        check_name(key, "a job key")
        base = os.path.join(folder, key)
        self.folder, self.path, self.turn_path = folder, base + b".job", base + b".turn"
        self.fd = self.turn = None
        self.action, self.text, self.since, self.host, self.launches = b"", b"", 0, b"", []

    def close(self):
        for fd in (self.fd, self.turn):
            if fd is not None:
                os.close(fd)
        self.fd = self.turn = None

    def end_turn(self):
        os.close(self.turn)
        self.turn = None

    def open(self, make):
        """Generator: waits for the turn, then reads who has the job."""
        flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | (os.O_CREAT if make else 0)
        self.turn = os.open(self.turn_path, flags, 0o600)
        deadline = time.monotonic() + 15
        while not try_lock(self.turn, fcntl.LOCK_EX, self.folder):
            if time.monotonic() > deadline:
                raise Refusal(TIMEOUT, b"somebody else has held " + self.turn_path + b" for 15 s; see who it is with: fuser "
                              + self.turn_path)
            yield 0.002
        self.fd = os.open(self.path, flags, 0o600)
        lines = os.pread(self.fd, 1 << 20, 0).split(b"\n")
        if len(lines) > 3:
            self.action, self.text = lines[0], lines[1]
            since, _, self.host = lines[2].partition(b" ")
            self.since = int(since) if since.isdigit() else 0
            self.launches = [tuple(line.split(b" ")) for line in lines[3:] if line.count(b" ") == 2]

    def living(self):
        """A program of it that runs on this machine, as its launch record."""
        here = boot_id()
        for ident, boot, _ in self.launches:
            if boot != here:
                continue
            launch = Launch(ident, self.folder)
            record = launch.record(launch.record_path) or launch.record(launch.starting_path)
            if record is not None and record[2] == here and lives(record[0], record[1]):
                return record
        return None

    def holder(self):
        """(0 nobody, 1 somebody, 2 unknown; launch record of a program here or None; why it is unknown). In turn only."""
        free = try_lock(self.fd, fcntl.LOCK_EX, self.folder)
        living = self.living()
        if not free or living is not None:
            return 1, living, b""
        if locks_are_local(self.folder):
            name, here = as_bytes(os.uname().nodename), boot_id()
            for ident, boot, host in self.launches:
                if boot != here and host != name and not os.path.exists(os.path.join(self.folder, ident + b".rc")):
                    return 2, None, (b"launch " + ident + b" was started on " + host + b" and has not been seen to end; locks "
                                     b"in " + self.folder + b" do not reach other machines. When nothing runs there, remove "
                                     + self.path)
        return 0, None, b""

    def write(self):
        lines = [self.action, self.text, b"%d %s" % (self.since, self.host)] + [b" ".join(one) for one in self.launches]
        data = b"\n".join(lines) + b"\n"
        if os.pwrite(self.fd, data, 0) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.ftruncate(self.fd, len(data))

    def refuse(self, living):
        since = as_bytes(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.since / 1e9)))
        process = b", process %d" % living[0] if living is not None else b""
        raise Refusal(CONFLICT, b"this job was started already and runs: " + (self.text or b"action " + self.action) + b" (on "
                      + self.host + b" since " + since + process + b"). Nothing was started", HELD)

    def take(self, action, text, ident):
        """Generator. Afterwards fd holds the job for the action; who else has it is a Refusal."""
        for pause in self.open(True):
            yield pause
        held, living, reason = self.holder()
        if held == 2 and self.action != action:
            raise Refusal(CONFLICT, reason + b". Nothing was started")
        if held == 1 and self.action != action:
            self.refuse(living)
        name = as_bytes(os.uname().nodename)
        if held == 0:
            self.action, self.text, self.since, self.host, self.launches = action, text, int(time.time() * 1e9), name, []
        self.launches.append((ident, boot_id() or b"-", name.replace(b" ", b"-") or b"-"))
        self.write()
        if not try_lock(self.fd, fcntl.LOCK_SH, self.folder):
            self.refuse(living)
        self.end_turn()


def job_holder_job(probe, request, reply):
    claim = Claim(request.blob(), request.path())
    held, living, reason = 0, None, b""
    try:
        for pause in claim.open(False):
            yield pause
        held, living, reason = claim.holder()
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTDIR) or os.path.lexists(claim.path):
            held, reason = 2, b"cannot look into " + claim.folder + b": " + why(error)
    except Refusal as refusal:
        held, reason = 2, refusal.text
    finally:
        claim.close()
    pid, start, boot, _ = living or (0, 0, b"", 0)
    reply.write(bytes((held,)) + blob(claim.action) + blob(claim.text) + struct.pack(">q", clamp_ns(claim.since)) + blob(claim.host)
                + struct.pack(">IQ", pid, start) + blob(boot) + blob(reason))
