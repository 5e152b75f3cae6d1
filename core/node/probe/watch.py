# SPDX-License-Identifier: GPL-3.0-or-later
# Watching of directories: changes since the last scan.


class Folder(object):
    """One directory of a watched tree, as it was reported to the console."""
    __slots__ = ("path", "level", "chain", "mtime", "entries", "newest", "hot", "full_at", "not_before", "problem")

    def __init__(self, path, level, chain):
        self.path, self.level, self.chain = path, level, chain
        self.mtime, self.entries, self.newest, self.hot = None, {}, [], True
        self.full_at = self.not_before = 0.0
        self.problem = b""


class DirectoryWatch(object):
    def __init__(self, wire, root, depth):
        self.wire, self.root, self.depth = wire, root, min(depth, 32)
        self.real_root, self.folders, self.problem = root, {}, None
        self.changed, self.removed, self.full = {}, set(), True
        self.truncated = self.told_truncated = False
        self.order, self.next, self.count = [], 0, 0
        # began: start of the reported scan, by our clock; it contains everything that existed then.
        self.began, self.held, self.as_of, self.told_as_of, self.told_at = 0, False, 0, 0, 0.0

    def cycle(self, budget):
        """Generator: scans up to budget directories; the rest follows in the next cycles."""
        began = int(time.time() * 1e9)
        if self.root not in self.folders:
            self.start()
        if self.next >= len(self.order):
            self.order, self.next = list(self.folders), 0
            self.began, self.held = began, False
        stop = min(len(self.order), self.next + budget)
        while self.next < stop:
            folder = self.folders.get(self.order[self.next])
            if folder is not None:
                for _ in self.visit(folder, time.monotonic()):
                    yield
            self.next += 1               # only now: a partly scanned directory is not reported
            yield
        if self.next >= len(self.order) and not self.held:
            self.as_of = self.began

    def start(self):
        try:
            st = os.stat(self.root)
            self.real_root = os.path.realpath(self.root)
        except OSError as error:
            self.fail(why(error))
            return
        self.folders[self.root] = Folder(self.root, 1, ((st.st_dev, st.st_ino),))

    def fail(self, text):
        if self.problem != text:
            self.problem, self.full = text, True
        self.changed, self.removed, self.folders, self.count = {}, set(), {}, 0
        self.order, self.next = [], 0

    def visit(self, folder, now):
        """Generator."""
        try:
            st = os.stat(folder.path)
            if not stat.S_ISDIR(st.st_mode):
                raise OSError(errno.ENOTDIR, "")
        except OSError as error:
            if folder.path == self.root:
                self.fail(why(error))
            return                       # its parent's rescan drops it
        if (st.st_dev, st.st_ino) != folder.chain[-1]:
            folder.chain, folder.hot = folder.chain[:-1] + ((st.st_dev, st.st_ino),), True
        if (st.st_mtime_ns != folder.mtime or folder.hot or now >= folder.full_at) and now >= folder.not_before:
            for _ in self.rescan(folder, st.st_mtime_ns, now):
                yield
            return
        self.held = self.held or st.st_mtime_ns != folder.mtime or folder.hot    # it changed, and is scanned later
        for path in folder.newest:
            self.touch(folder, path)

    def touch(self, folder, path):
        """Growth of a file does not change its directory: the newest files are checked each time."""
        entry = folder.entries.get(path)
        try:
            st = os.stat(path)
        except OSError:
            return                       # removed: the directory has changed, which the next cycle finds
        if entry is not None and not entry.error:
            packed = pack_stat(st)
            if packed != entry.packed and stat.S_ISREG(st.st_mode):
                entry.packed, entry.mtime = packed, st.st_mtime_ns
                self.changed[path] = entry

    def rescan(self, folder, mtime, now):
        """Generator: one directory may have more entries than a slow file server returns at once."""
        found, problem = {}, b""
        try:
            for _ in scan(folder.path, self.real_root, found, DIRECTORY_LIMIT - self.count + len(folder.entries)):
                yield
        except OSError as error:
            found, problem = {}, why(error)
        if self.folders.get(folder.path) is not folder:
            return                       # removed during the scan
        if self.count + len(found) - len(folder.entries) >= DIRECTORY_LIMIT:
            self.truncated = True
        if folder.path == self.root:
            if problem:
                self.fail(problem)
                return
            if self.problem is None or self.problem:
                self.problem, self.full = b"", True
        self.compare(folder, found)
        if problem != folder.problem:
            folder.problem = problem
            self.note_problem(folder)
        folder.mtime = mtime
        wall = time.time()
        folder.hot = -2 < wall - mtime / 1e9 < 2     # a second change in the same clock tick leaves no trace
        cost = time.monotonic() - now
        folder.full_at, folder.not_before = now + max(FULL_RESCAN, cost * 1000), now + cost * 50
        files = [path for path, entry in found.items() if entry.plain]
        if len(files) > 3:
            files.sort(key=lambda path: found[path].mtime)
        folder.newest = files[-3:]

    def compare(self, folder, found):
        old = folder.entries
        for path, entry in found.items():
            before = old.get(path)
            if before is not None and before.error and not entry.error and path in self.folders:
                entry.error = before.error
            if before is None or before.packed != entry.packed or before.link != entry.link or before.error != entry.error:
                self.changed[path] = entry
                self.removed.discard(path)
            inside = self.folders.get(path)
            if entry.inner and folder.level < self.depth and entry.inner not in folder.chain:
                if inside is None:
                    fresh = Folder(path, folder.level + 1, folder.chain + (entry.inner,))
                    self.folders[path] = fresh
                    self.order.append(path)
            elif inside is not None:
                self.drop(path)
        for path in [path for path in old if path not in found]:
            self.forget(path)
        self.count += len(found) - len(old)
        folder.entries = found

    def forget(self, path):
        self.changed.pop(path, None)
        self.removed.add(path)
        if path in self.folders:
            self.drop(path)

    def drop(self, path):
        folder = self.folders.pop(path)
        self.count -= len(folder.entries)
        for child in folder.entries:
            self.forget(child)

    def note_problem(self, folder):
        """A directory that cannot be read carries the reason in its own entry."""
        parent = self.folders.get(os.path.dirname(folder.path))
        entry = parent.entries.get(folder.path) if parent is not None else None
        if entry is not None:
            entry.error = folder.problem
            self.changed[folder.path] = entry

    def message(self, accompanied=False):
        """Changes since the last message, or None. A directory without changes is reported every two seconds if another message
        is on its way, otherwise every four."""
        settled = self.next >= len(self.order)
        if self.problem is None or (self.full and not settled):
            return None
        now = time.monotonic()
        if not (self.full or self.changed or self.removed or self.truncated != self.told_truncated):
            if self.as_of == self.told_as_of or now - self.told_at < (1 if accompanied else 2) * UNCHANGED_PAUSE:
                return None
        if self.full:
            entries = [entry.encode(path) for folder in self.folders.values() for path, entry in folder.entries.items()]
            removed = ()
        else:
            entries, removed = [entry.encode(path) for path, entry in self.changed.items()], self.removed
        data = (struct.pack(">BB", self.full, self.truncated) + blob(self.problem) + U32.pack(len(removed))
                + b"".join(blob(path) for path in removed) + U32.pack(len(entries)) + b"".join(entries)
                + U64.pack(self.as_of))
        self.told_as_of, self.told_at = self.as_of, now
        self.changed, self.removed, self.full, self.told_truncated = {}, set(), False, self.truncated
        return data
