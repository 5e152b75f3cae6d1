# SPDX-License-Identifier: GPL-3.0-or-later
# The steps of a plan, one system call or two each, and the pieces of a copy.


def is_ours(path):
    """In the directory that Rankdeck keeps for itself on a node."""
    return b"/.rankdeck/" in path + b"/"


def make_directories(path, above=False):
    """Like os.makedirs, but .rankdeck and all below it is for its owner alone, even if it existed with another mode."""
    path = path.rstrip(b"/") or b"/"
    parent = os.path.dirname(path)
    if parent not in (b"", path) and (is_ours(parent) or not os.path.isdir(parent)):
        make_directories(parent, True)
    try:
        os.mkdir(path, 0o700 if is_ours(path) else 0o777)
    except OSError as error:
        if error.errno == errno.EEXIST and above and not os.path.isdir(path):
            raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if error.errno != errno.EEXIST or not os.path.isdir(path):
            raise
        st = os.lstat(path)
        if is_ours(path) and stat.S_ISDIR(st.st_mode) and st.st_uid == os.geteuid() and st.st_mode & 0o077:
            os.chmod(path, st.st_mode & 0o700)


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


def copy_file(source, target, patches=()):
    """Generator: a new file with the bytes, mode and times of a plain one, except for the patches; a half-made file is removed."""
    found = os.open(source, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        before = os.fstat(found)
        if not stat.S_ISREG(before.st_mode):
            raise OSError(errno.EINVAL, "not a plain file")
        made = os.open(target, os.O_RDWR | os.O_CLOEXEC | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        whole = False
        try:
            while True:
                data = os.read(found, 1 << 20)
                if not data:
                    break
                write_all(made, data)
                yield 0
            after = os.fstat(found)
            if (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
                raise Refusal(CONFLICT, b"%s was written while it was copied" % source)
            for offset, old, new in patches:
                if os.pread(made, len(old), offset) != old or len(old) != len(new):
                    raise Refusal(CONFLICT, b"%s has changed at byte %d since the plan was made" % (source, offset))
                os.lseek(made, offset, os.SEEK_SET)
                write_all(made, new)
            os.fchmod(made, stat.S_IMODE(before.st_mode) & (0o700 if is_ours(target) else 0o777))
            os.utime(made, ns=(before.st_atime_ns, before.st_mtime_ns))
            os.fsync(made)
            whole = True
        finally:
            os.close(made)
            if not whole:
                os.unlink(target)
    finally:
        os.close(found)


def hard_link(source, target):
    """Generator: a second name of a plain file, or a copy of it if the file system has no hard links."""
    if not stat.S_ISREG(os.lstat(source).st_mode):
        raise OSError(errno.EINVAL, "not a plain file")
    try:
        os.link(source, target, follow_symlinks=False)
        return
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV):
            raise
    for _ in copy_file(source, target):
        yield 0


def act_job(probe, request, reply):
    action, path, target = request.u8(), request.path(), request.blob()
    bound = bound_to(request)
    patches = request.many(lambda: (request.u64(), request.blob(), request.blob()))
    if b"\0" in target or (action in (MOVE, MAKE_LINK, MAKE_HARD_LINK, COPY_FILE) and not target):
        raise Refusal(INVALID, "the target is empty or contains a zero byte")
    doing = (b"cannot move ", b"cannot make the directory ", b"cannot make the link ", b"cannot remove ",
             b"cannot remove the directory ", b"cannot keep a second name ", b"cannot copy to ")
    if action >= len(doing):
        raise Refusal(INVALID, "unknown file action %d" % action)
    check_bound(probe, bound, path)
    try:
        if action == MOVE:
            move_without_replacing(path, target)
            sync_directory(os.path.dirname(target) or b".")
        elif action == MAKE_DIRECTORY:
            parent = os.path.dirname(path.rstrip(b"/"))
            if parent:
                make_directories(parent)
            os.mkdir(path, 0o700 if is_ours(path) else 0o777)
        elif action == MAKE_LINK:
            os.symlink(target, path)
        elif action == REMOVE:
            os.unlink(path)
        elif action in (MAKE_HARD_LINK, COPY_FILE):
            for _ in hard_link(target, path) if action == MAKE_HARD_LINK else copy_file(target, path, patches):
                yield 0
        else:
            os.rmdir(path)
        sync_directory(os.path.dirname(path.rstrip(b"/")) or b".")
    except OSError as error:
        raise failed(error, doing[action] + path + ((b" to " if action <= MAKE_LINK else b" from ") + target if target else b""))
    yield 0


def append_job(probe, request, reply):
    """Appends one piece to a file that is being made. Only its end may grow, so that a piece sent twice is noticed."""
    path, offset, last, data, bound = request.path(), request.u64(), request.u8(), request.blob(), bound_to(request)
    check_bound(probe, bound, path)
    flags = os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW | (os.O_CREAT | os.O_EXCL if offset == 0 else 0)
    try:
        fd = os.open(path, flags, 0o600)
        try:
            size = os.fstat(fd).st_size
            if size != offset:
                raise Refusal(CONFLICT, b"%s has %d bytes, expected %d: another process is writing it" % (path, size, offset))
            os.lseek(fd, offset, os.SEEK_SET)
            write_all(fd, data)
            if last:
                os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        raise failed(error, b"cannot write " + path)
    yield 0
