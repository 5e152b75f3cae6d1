# SPDX-License-Identifier: GPL-3.0-or-later
# Which action may prepare and launch a job: one at a time, however many consoles ask.


def check_name(name, what):
    if not name or len(name) > 128 or name.startswith(b".") or any(
            byte not in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-" for byte in name):
        raise Refusal(INVALID, what + " has 1 to 128 letters, digits, dots, dashes or underscores")


def one_line(text):
    return b" ".join(text.split())[:1000]


def try_lock(fd, how, folder):
    """False if another process has it."""
    try:
        fcntl.flock(fd, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL):
            raise Refusal(UNSUPPORTED, b"the file system of " + folder + b" has no locks, so Rankdeck cannot tell whether the job "
                          b"is already running; choose a run directory on a file system with locks", why(error))
        raise
    return True


# Shared file systems whose locks stay on the machine unless configured otherwise; no mount option shows that. BeeGFS without
# tuneUseGlobalFileLocks, 9p, virtiofs, and file systems in user space (except Gluster and Ceph). CephFS and GPFS lock for all
# machines.
MAY_LOCK_HERE, LOCK_FOR_ALL = (b"beegfs", b"9p", b"virtiofs", b"fuse", b"orangefs", b"pvfs"), (b"fuse.glusterfs", b"fuse.ceph")


def locks_are_local(folder):
    """Whether other machines that mount this directory may not see its locks. NFS and Lustre show it in their options (nfs(5),
    mount.lustre(8))."""
    kind, options = mount_of(os.path.realpath(folder))
    if kind.startswith(b"nfs"):
        return bool({b"nolock", b"local_lock=all", b"local_lock=flock"} & options)
    if kind == b"lustre":
        return b"localflock" in options
    if kind in (b"cifs", b"smb3"):
        return b"nobrl" in options
    return kind.startswith(MAY_LOCK_HERE) and kind not in LOCK_FOR_ALL


class Claim(object):
    """The claim of one action on a job. KEY.job names the action and its launches. The supervisor of each launch keeps a shared
    lock on it. So does a probe that reserves the job for an action that has not launched yet; the lock ends with the probe.

    Only the holder of KEY.turn briefly tries the exclusive lock. If it gets it, no supervisor lives on any machine. A program
    whose supervisor was killed is found by its launch record, and from another machine by the lock on that record."""

    def __init__(self, key, folder, places=()):
        check_name(key, "a job key")
        base = os.path.join(folder, key)
        self.folder, self.path, self.turn_path = folder, base + b".job", base + b".turn"
        self.fd = self.turn = None
        self.places = Places(places)
        self.action, self.text, self.since, self.host, self.launches = b"", b"", 0, b"", []

    def close(self):
        for fd in (self.fd, self.turn):
            if fd is not None:
                os.close(fd)
        self.fd = self.turn = None
        self.places.close()

    def descriptors(self):
        return [self.fd] + self.places.descriptors()

    def end_turn(self):
        os.close(self.turn)
        self.turn = None

    def open(self, make):
        """Generator: waits for the turn, then reads the holder of the job."""
        flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | (os.O_CREAT if make else 0)
        self.turn = os.open(self.turn_path, flags, 0o600)
        deadline = time.monotonic() + 15
        while not try_lock(self.turn, fcntl.LOCK_EX, self.folder):
            if time.monotonic() > deadline:
                raise Refusal(TIMEOUT, b"another process has held " + self.turn_path + b" for 15 s; find it with: fuser "
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
        """A program of the job that runs on this machine, as its launch record."""
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
        """(0 free, 1 held or 2 unknown, launch record of a program here or None, reason if unknown). In turn only."""
        free = try_lock(self.fd, fcntl.LOCK_EX, self.folder)
        living = self.living()
        if not free or living is not None:
            return 1, living, b""
        name, here = as_bytes(os.uname().nodename), boot_id()
        if any(Launch(ident, self.folder).runs_elsewhere() for ident, boot, _ in self.launches if boot != here):
            return 1, None, b""
        if locks_are_local(self.folder):
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
        state = b"has been started already and is running" if self.launches else b"is reserved"
        since = as_bytes(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.since / 1e9)))
        process = b", process %d" % living[0] if living is not None else b""
        raise Refusal(CONFLICT, b"this job " + state + b": " + (self.text or b"action " + self.action) + b" (on "
                      + self.host + b" since " + since + process + b"). Nothing was started", HELD)

    def take(self, action, text, ident=None):
        """Generator. Afterwards fd holds the job for the action; Refusal if another action holds it. No ident: nothing is
        launched yet."""
        for pause in self.open(True):
            yield pause
        held, living, reason = self.holder()
        if held == 2 and self.action != action:
            raise Refusal(CONFLICT, reason + b". Nothing was started")
        if held == 1 and self.action != action:
            self.refuse(living)
        for pause in self.places.take(action):
            yield pause
        name = as_bytes(os.uname().nodename)
        if held == 0:
            self.launches = []
        if not self.launches:                # free, or reserved for this very action
            self.action, self.text, self.since, self.host = action, text, int(time.time() * 1e9), name
        if ident is not None:
            self.launches.append((ident, boot_id() or b"-", name.replace(b" ", b"-") or b"-"))
        self.write()
        if not try_lock(self.fd, fcntl.LOCK_SH, self.folder):
            self.refuse(living)
        self.end_turn()


def make_run_directory(folder):
    if is_ours(folder):
        make_directories(folder)
    else:
        os.makedirs(folder, 0o700, exist_ok=True)
    if os.stat(folder).st_uid != os.geteuid():
        raise Refusal(PERMISSION, folder + b" belongs to someone else; choose a different run directory")


def reserved_for(probe, key, folder, action):
    claim = probe.reserved.get((folder, key))
    return claim is not None and claim.action == action


def bound_to(request):
    """(job key, run directory, action): for which action the job must be reserved when the step is made."""
    return request.blob(), request.blob(), request.blob()


def check_bound(probe, bound, path):
    key, folder, action = bound
    if key and not reserved_for(probe, key, folder, action):
        raise Refusal(CONFLICT, b"the job is no longer reserved for " + action + b", because the link was cut; nothing was done "
                      b"to " + path, HELD)


def reserve_job(probe, request, reply):
    """Holds a job for an action until this probe ends, or releases it. A repeated request changes nothing."""
    key, folder, action, text, hold = request.blob(), request.path(), one_line(request.blob()), one_line(request.blob()), request.u8()
    places = request.many(request.path)
    if not action:
        raise Refusal(INVALID, "a reservation must name its action")
    place = folder, key
    if reserved_for(probe, key, folder, action):
        if not hold:
            probe.reserved.pop(place).close()
        return
    if not hold:
        return
    claim = Claim(key, folder, places)
    try:
        make_run_directory(folder)
        for pause in claim.take(action, text):
            yield pause
        if probe.given_up():
            raise Refusal(TIMEOUT, b"the disk of " + folder + b" took so long that the answer is no longer awaited; nothing "
                          b"was reserved")
        probe.reserved[place], claim = claim, None
    except OSError as error:
        raise failed(error, b"cannot reserve the job in " + folder)
    finally:
        if claim is not None:
            claim.close()


def look_at_places(places, action, claim):
    """(whether another action has one of them, or 2: unknown; the reason). The claim then names the holder, as if the claim
    itself were held."""
    try:
        text, launches = places.holder(action)
    except OSError as error:
        return 2, b"cannot check the places of its logs and checkpoints: " + why(error)
    if text:
        claim.action, claim.text, claim.since, claim.host, claim.launches = b"", text, 0, b"", launches
    return (1 if text else 0), b""


def job_holder_job(probe, request, reply):
    claim = Claim(request.blob(), request.path())
    action, places = one_line(request.blob()), Places(request.many(request.path))
    held, living, reason = 0, None, b""
    try:
        for pause in claim.open(False):
            yield pause
        held, living, reason = claim.holder()
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTDIR) or os.path.lexists(claim.path):
            held, reason = 2, b"cannot read " + claim.folder + b": " + why(error)
    except Refusal as refusal:
        held, reason = 2, refusal.text
    finally:
        claim.close()
    if held == 0:
        held, reason = look_at_places(places, action, claim)
    pid, start, boot, _ = living or (0, 0, b"", 0)
    reply.write(bytes((held,)) + blob(claim.action) + blob(claim.text) + struct.pack(">q", clamp_ns(claim.since)) + blob(claim.host)
                + struct.pack(">IQ", pid, start) + blob(boot) + blob(reason) + bytes((0 if claim.launches else 1,)))
