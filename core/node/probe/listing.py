# SPDX-License-Identifier: GPL-3.0-or-later
# Lists of directories.


class Entry(object):
    __slots__ = ("packed", "link", "error", "inner", "mtime", "plain")

    def __init__(self, packed, link=b"", error=b"", inner=None, mtime=0, plain=False):
        self.packed, self.link, self.error = packed, link, error
        self.inner = inner               # (device, inode) of a directory that may be entered
        self.mtime, self.plain = mtime, plain

    def encode(self, path):
        return self.packed + blob(path) + blob(self.link) + blob(self.error)


def describe(path, item, real_root):
    """One entry. A link to a directory counts as one only inside the root; links to files show the file."""
    try:
        st = item.stat(follow_symlinks=False)
    except OSError as error:
        return Entry(NO_STAT, error=why(error))
    mode = st.st_mode
    if not stat.S_ISLNK(mode):
        inner = (st.st_dev, st.st_ino) if stat.S_ISDIR(mode) else None
        return Entry(pack_stat(st), inner=inner, mtime=st.st_mtime_ns, plain=stat.S_ISREG(mode))
    try:
        link = os.readlink(path)
    except OSError as error:
        return Entry(pack_stat(st), error=why(error))
    try:
        there = os.stat(path)
    except OSError as error:
        return Entry(pack_stat(st), link, b"" if error.errno == errno.ENOENT else why(error))
    if stat.S_ISDIR(there.st_mode):
        real = os.path.realpath(path)
        if real != real_root and not real.startswith(real_root.rstrip(b"/") + b"/"):
            return Entry(pack_stat(st), link)
        return Entry(pack_stat(there), link, inner=(there.st_dev, there.st_ino))
    return Entry(pack_stat(there), link, mtime=there.st_mtime_ns, plain=stat.S_ISREG(there.st_mode))


def scan(directory, real_root, into, limit):
    """Fills into with path → Entry; a generator, so that a huge directory does not hold up the rest."""
    prefix = directory if directory.endswith(b"/") else directory + b"/"
    count = 0
    with os.scandir(directory) as items:
        for item in items:
            if len(into) >= limit:
                break
            path = prefix + item.name
            into[path] = describe(path, item, real_root)
            count += 1
            if count % 100 == 0:
                yield


def list_directory(directory, real_root, into, limit):
    """As scan(), but encodes plain files at once, because most entries are plain files and need no other data."""
    prefix = directory if directory.endswith(b"/") else directory + b"/"
    pack, nothing, kind, regular = PLAIN.pack, b"\0" * 8, stat.S_IFMT(0xffffffff), stat.S_IFREG
    with os.scandir(directory) as items:
        for item in items:
            if len(into) >= limit:
                break
            path = prefix + item.name
            try:
                st = item.stat(follow_symlinks=False)
                mode = st.st_mode
                if mode & kind == regular:
                    into.append((None, pack(1, b"f", st.st_size, st.st_mtime_ns, mode & 0o7777, st.st_uid, st.st_dev,
                                            st.st_ino, len(path)) + path + nothing))
                else:
                    into.append((path, describe(path, item, real_root)))
            except (OSError, struct.error):      # removed since, or a time that does not fit into 64 bits
                into.append((path, describe(path, item, real_root)))
            if len(into) % 100 == 0:
                yield


def list_job(probe, request, reply):
    root, depth, limit = request.path(), min(request.u32(), 32), request.u32()
    total, truncated = 0, 0
    try:
        st = os.stat(root)
        real_root = os.path.realpath(root)
    except OSError as error:
        reply.write(b"\0\0" + blob(why(error)))
        return
    todo = [(root, None, 1, ((st.st_dev, st.st_ino),))]
    while todo:
        directory, entry, level, chain = todo.pop()
        found = []
        try:
            for _ in list_directory(directory, real_root, found, limit - total + 1):
                yield 0
        except OSError as error:
            if entry is None:
                reply.write(b"\0\0" + blob(why(error)))
                return
            entry.error = why(error)
        told = [] if entry is None else [b"\1" + entry.encode(directory)]
        for path, child in found:
            if total >= limit:
                truncated = 1
                break
            total += 1
            if path is None:
                told.append(child)
            elif child.inner and level < depth and child.inner not in chain:
                todo.append((path, child, level + 1, chain + (child.inner,)))
            else:
                told.append(b"\1" + child.encode(path))
        reply.write(b"".join(told))
        yield 0
    reply.write(b"\0" + bytes((truncated,)) + blob(b""))
