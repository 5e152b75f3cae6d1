# SPDX-License-Identifier: GPL-3.0-or-later
# The steps of a plan, one system call or two each, and the pieces of a copy.


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


def act_job(probe, request, reply):
    action, path, target = request.u8(), request.path(), request.blob()
    key, folder, holder = request.blob(), request.blob(), request.blob()
    if b"\0" in target or (action in (MOVE, MAKE_LINK) and not target):
        raise Refusal(INVALID, "the target is empty or holds a zero byte")
    doing = (b"cannot move ", b"cannot make the directory ", b"cannot make the link ", b"cannot remove ",
             b"cannot remove the directory ")
    if action >= len(doing):
        raise Refusal(INVALID, "unknown file action %d" % action)
    if key and not reserved_for(probe, key, folder, holder):
        raise Refusal(CONFLICT, b"the job is no longer reserved for " + holder + b", as the link was cut meanwhile; nothing was done "
                      b"to " + path, HELD)
    try:
        if action == MOVE:
            move_without_replacing(path, target)
            sync_directory(os.path.dirname(target) or b".")
        elif action == MAKE_DIRECTORY:
            parent = os.path.dirname(path.rstrip(b"/"))
            if parent:
                os.makedirs(parent, exist_ok=True)
            os.mkdir(path)
        elif action == MAKE_LINK:
            os.symlink(target, path)
        elif action == REMOVE:
            os.unlink(path)
        else:
            os.rmdir(path)
        sync_directory(os.path.dirname(path.rstrip(b"/")) or b".")
    except OSError as error:
        raise failed(error, doing[action] + path + (b" to " + target if target else b""))
    yield 0


def append_job(probe, request, reply):
    """One piece of a file that is being made; only its end may grow, so that a piece sent twice is noticed."""
    path, offset, last, data = request.path(), request.u64(), request.u8(), request.blob()
    flags = os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW | (os.O_CREAT | os.O_EXCL if offset == 0 else 0)
    try:
        fd = os.open(path, flags, 0o600)
        try:
            size = os.fstat(fd).st_size
            if size != offset:
                raise Refusal(CONFLICT, b"%s has %d bytes, expected %d: somebody else writes it" % (path, size, offset))
            os.lseek(fd, offset, os.SEEK_SET)
            write_all(fd, data)
            if last:
                os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as error:
        raise failed(error, b"cannot write " + path)
    yield 0
