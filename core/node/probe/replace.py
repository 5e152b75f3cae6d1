# SPDX-License-Identifier: GPL-3.0-or-later
# Replacing a small file by compare-and-swap.


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


def open_lock(path, like):
    """The side file, with the same access rights as the file that it guards (a stat, or None). flock() needs no right to write."""
    flags = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        return os.open(path, os.O_RDWR | flags)
    except FileNotFoundError:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | flags, 0o600)
    except PermissionError:
        return os.open(path, os.O_RDONLY | flags)
    if like is not None:
        try:
            os.fchmod(fd, like.st_mode & 0o666 | 0o600)   # not reduced by the probe's umask
            if os.fstat(fd).st_uid != like.st_uid:
                os.fchown(fd, like.st_uid, like.st_gid)
        except OSError:
            pass                         # the mode only helps other users; the lock works anyway
    return fd


def forsaken(path):
    """A lock file of another user, closed to this login, that no process can hold any more: no replacement takes ten minutes."""
    try:
        if time.time() - os.lstat(path).st_ctime < 600:
            return False
        os.unlink(path)
    except OSError:
        return False
    return True


def side_lock(path, like):
    """Generator: takes the lock of a side file, which is removed by its holder; the last value is its descriptor."""
    deadline = time.monotonic() + 10
    while True:
        try:
            fd = open_lock(path, like)
        except PermissionError:
            if not os.path.lexists(path):
                raise                    # the directory is closed to us
            if forsaken(path):
                continue
            raise Refusal(PERMISSION, b"the lock " + path + b" belongs to " + user_name(os.lstat(path).st_uid)
                          + b" and this login may not read it; if no process is replacing the file now, remove it")
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
            raise Refusal(TIMEOUT, b"another process has held " + path + b" for 10 s; try again, or find it with: fuser " + path)
        yield 0.003


def remove_stale_temps(folder, prefix):
    """Temporary files that a killed probe left more than an hour ago."""
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
                    continue             # another process removed it


def keep_attributes(fd, source, st):
    """Owner, mode and ACL of the file that is replaced. A login that cannot keep the owner must not replace it."""
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
    """The present content: (bytes, stat), or None."""
    if not os.path.lexists(path):
        return None
    if not os.path.exists(real):
        raise Refusal(REFUSED, path + b" is a symbolic link to " + real + b", which does not exist; remove or repair the link")
    if not stat.S_ISREG(os.stat(real).st_mode):
        raise Refusal(REFUSED, path + b" is not a regular file; only those can be replaced")
    data, st, _ = content_of(real, 64 << 20)
    if st.st_nlink > 1:
        raise Refusal(REFUSED, path + b" has %d names (hard links), and only this one would get the new content; give it a "
                      b"file of its own first: cp -p FILE FILE.new && mv FILE.new FILE" % st.st_nlink)
    return data, st


EXCHANGE = {"x86_64": 316, "aarch64": 276}   # the number of renameat2


def exchange(left, right):
    """Swaps two names in one step; False if this machine or file system cannot do it."""
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
    """Whether another process has this file open for writing: then it gets no read lease. Unknown counts as no."""
    before = _signal.signal(_signal.SIGIO, _signal.SIG_IGN)   # sent when another process opens the file, and would end us
    try:
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        return error.errno in (errno.EAGAIN, errno.EBUSY)
    finally:
        _signal.signal(_signal.SIGIO, before)
    return False


def still_holds(path, expected):
    """Whether a regular file has these bytes and no process is writing it; an unreadable file counts as different."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        return not is_written(fd) and stat.S_ISREG(os.fstat(fd).st_mode) and os.pread(fd, len(expected) + 1, 0) == expected
    finally:
        os.close(fd)


def exchange_checked(temp, real, expected):
    """Puts temp in the place of real if that still has the expected bytes and no process is writing it. A rename does not show
    what it replaces; an exchange returns it. False: another writer was faster, and its file is in place again. None:
    exchanging is not possible here."""
    held = []                            # the inode number of a removed file may be reused, but not while it is open

    def at_temp():
        held.append(os.open(temp, os.O_PATH | os.O_CLOEXEC | os.O_NOFOLLOW))
        st = os.fstat(held[-1])
        return st.st_dev, st.st_ino

    try:
        placed = at_temp()
        if not exchange(temp, real):
            return None
        displaced = at_temp()
        same = still_holds(temp, expected)
        while not same:                  # a file that comes now is newer than the one that was displaced: the newest stays
            before, placed = placed, displaced
            exchange(temp, real)
            displaced = at_temp()
            if displaced == before:
                return False
            os.close(held.pop(0))
        return True
    finally:
        for fd in held:
            os.close(fd)


def swap(probe, real, current, data, owner_only=False):
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
                if is_ours(real):
                    os.fchmod(fd, current[1].st_mode & 0o700)
            elif not owner_only and not is_ours(real):
                mask = os.umask(0)
                os.umask(mask)
                os.fchmod(fd, 0o666 & ~mask)
            os.fsync(fd)
        finally:
            os.close(fd)
        if probe.given_up():
            raise Refusal(TIMEOUT, b"the disk of " + real + b" took so long that the answer is no longer awaited; nothing "
                          b"was changed")
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


def lock_target(path, found):
    """Generator: locks the file that the path means; found becomes [real path, lock path, lock]. A link that was changed during
    the wait is followed again, as the lock is beside its target."""
    for _ in range(8):
        real = os.path.realpath(path)
        folder, name = os.path.split(real)
        if os.path.lexists(path):
            current_content(path, real)
        like = os.stat(real) if os.path.exists(real) else None
        found[:] = [real, os.path.join(folder, b"." + name + b".lock"), None]
        for step in side_lock(found[1], like):
            if step < 0:
                found[2] = -1 - int(step)
            else:
                yield step
        if os.path.realpath(path) == real:
            return
        unlock(found)
    raise Refusal(CONFLICT, path + b" is a link whose target keeps changing; nothing was changed")


def unlock(found):
    if found[2] is None:
        return
    try:
        os.unlink(found[1])
    except OSError:
        pass                             # another process removed it; the flock itself ends with the descriptor
    os.close(found[2])
    found[2] = None


def replace_job(probe, request, reply):
    path, expected, data, owner_only = request.path(), request.blob(), request.blob(), bool(request.u8())
    bound = bound_to(request)
    found = [b"", b"", None]
    try:
        for pause in lock_target(path, found):
            yield pause
        check_bound(probe, bound, path)
        real = found[0]
        current = current_content(path, real)
        digest = as_bytes(sha256(current[0]).hexdigest()) if current is not None else b""
        if digest != expected:
            if current is None:
                raise Refusal(NOT_FOUND, path + b" does not exist any more")
            reply.write(b"\0" + encode_content(current[0], current[1], real))
            return
        if not swap(probe, real, current, data, owner_only):
            now, st, real = content_of(real, 64 << 20)
            reply.write(b"\0" + encode_content(now, st, real))
            return
        now, st, real = content_of(real, 64 << 20)
        # Other bytes: a program that takes no lock has written since. The caller must judge the present content.
        reply.write((b"\1" if now == data else b"\0") + encode_content(now, st, real))
    except OSError as error:
        if error.errno == errno.EBUSY:
            raise Refusal(REFUSED, b"cannot replace " + path + b": it is a separate mount, as in a container; nothing was "
                          b"changed. Change the file that is mounted there")
        raise failed(error, b"cannot replace " + path + (b"; nothing was changed" if kind_of(error) == NO_SPACE else b""))
    finally:
        unlock(found)
