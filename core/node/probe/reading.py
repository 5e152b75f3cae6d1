# SPDX-License-Identifier: GPL-3.0-or-later
# Ranges, records, checksums and whole small files; facts about a file.


PIECE = 131072               # at most this much of a range at once
SLICE = 16                   # ranges, before other requests continue
NEXT_RANGE = struct.Struct(">IQIB")      # of the file of the range before: no path
RANGE = struct.Struct(">QIB")


def next_range(request, held):
    """(path, offset, length, from the end); without a path it is of the same file as the one before."""
    data, at = request.data, request.at
    if held is not None and len(data) - at >= NEXT_RANGE.size:
        size, offset, length, from_end = NEXT_RANGE.unpack_from(data, at)
        if size == 0:
            request.at = at + NEXT_RANGE.size
            return held, offset, length, from_end
    path = request.path()
    return (path,) + RANGE.unpack(request.take(RANGE.size))


def read_job(probe, request, reply):
    """A request may have a million ranges of four bytes each, so the work for each range decides its cost."""
    held, open_path, fd, st, about, problem, out, left = None, None, None, None, NO_STAT, b"", [], SLICE
    try:
        for _ in range(request.u32()):
            held, offset, length, from_end = next_range(request, held)
            if held != open_path or problem:
                if fd is not None:
                    os.close(fd)
                open_path, fd, about, problem = held, None, NO_STAT, b""
                try:
                    fd, st = open_regular(held)
                    about = pack_stat(st)
                except OSError as error:
                    problem = why(error)
                except Refusal as refusal:
                    problem = refusal.text
            elif left == SLICE:          # other requests ran in between: the file may have grown
                st = os.fstat(fd)
                about = pack_stat(st)
            if from_end and fd is not None:
                offset = max(0, st.st_size - offset)
            out += (about, U64.pack(offset))
            length, left = min(length, MAX_RANGE), left - 1
            while length and not problem and offset < 1 << 63:
                try:
                    piece = os.pread(fd, min(length, PIECE), offset)
                except OSError as error:
                    problem = why(error)
                    break
                if not piece:
                    break
                out += (U32.pack(len(piece)), piece)
                offset += len(piece)
                length -= len(piece)
                left -= len(piece) >> 10
                if length and left <= 0:
                    reply.write(b"".join(out))
                    out, left = [], SLICE
                    yield 0
            out += (U32.pack(0), blob(problem))
            if left <= 0:
                reply.write(b"".join(out))
                out, left = [], SLICE
                yield 0
        reply.write(b"".join(out))
    finally:
        if fd is not None:
            os.close(fd)


def record_at(head, lead):
    """Length of the whole record, from its first bytes; None if they are not the lead byte and a varint."""
    if not head or head[0] != lead:
        return None
    value, shift = 0, 0
    for at in range(1, min(len(head), 11)):
        value |= (head[at] & 0x7f) << shift
        if head[at] < 0x80:
            return None if value >= 1 << 63 else 1 + at + value
        shift += 7
    return None


def skim_job(probe, request, reply):
    for _ in range(request.u32()):
        path, offset, lead, want, most = request.path(), request.u64(), request.u8(), request.u32(), request.u32()
        want = min(want, 65536)
        try:
            fd, st = open_regular(path)
        except (OSError, Refusal) as error:
            reply.write(NO_STAT + b"\0" + U64.pack(offset) + blob(error.text if isinstance(error, Refusal) else why(error)))
            continue
        problem, count = b"", 0
        reply.write(pack_stat(st))
        try:
            while count < most and offset < st.st_size:
                head = os.pread(fd, max(want, 11), offset)
                length = record_at(head, lead)
                if length is None or offset + length > st.st_size:
                    break
                reply.write(b"\1" + U64.pack(offset) + U64.pack(length) + blob(head[:min(want, length)]))
                offset += length
                count += 1
                if count % 200 == 0:
                    yield 0
        except OSError as error:
            problem = why(error)
        finally:
            os.close(fd)
        reply.write(b"\0" + U64.pack(offset) + blob(problem))
        yield 0


def span_of(request):
    start, length = request.u64(), request.u64()
    return start, start + length


def hash_job(probe, request, reply):
    path, spans = request.path(), request.many(lambda: span_of(request))
    if any(before[1] > after[0] for before, after in zip(spans, spans[1:])):
        raise Refusal(INVALID, b"the spans of a checksum must ascend and not overlap")
    try:
        fd, st = open_regular(path)
    except OSError as error:
        raise failed(error, b"cannot read " + path)
    make = sha256
    if st.st_size > 64 << 20:            # OpenSSL's is several times faster, but costs 4 MB of memory
        from hashlib import sha256 as make
    digest, crcs, span, at = make(), [0] * len(spans), 0, 0
    try:
        while True:
            piece = os.pread(fd, 1 << 20, at)
            if not piece:
                break
            digest.update(piece)
            after = at + len(piece)
            while span < len(spans) and spans[span][0] < after:
                start, end = spans[span]
                crcs[span] = zlib.crc32(piece[max(start - at, 0):end - at], crcs[span])
                if end > after:
                    break
                span += 1
            at = after
            yield 0
        now = os.fstat(fd)
    except OSError as error:
        raise failed(error, b"cannot read " + path)
    finally:
        os.close(fd)
    if (now.st_size, now.st_mtime_ns) != (st.st_size, st.st_mtime_ns) or at != st.st_size:
        raise Refusal(CONFLICT, path + b" changed while it was read; wait until no process writes it")
    reply.write(blob(as_bytes(digest.hexdigest())) + U32.pack(len(crcs)) + b"".join(U32.pack(crc & 0xffffffff) for crc in crcs) +
                U64.pack(at) + pack_stat(st))


def content_of(path, limit):
    real = os.path.realpath(path)
    fd, st = open_regular(real)
    try:
        data = b""
        while len(data) <= limit:
            piece = os.pread(fd, min(65536, limit + 1 - len(data)), len(data))
            if not piece:
                break
            data += piece
    finally:
        os.close(fd)
    if len(data) > limit:
        raise Refusal(REFUSED, b"%s has %d bytes; at most %d can be read at once" % (path, st.st_size, limit))
    return data, st, real


def encode_content(data, st, real):
    return encode_about(real, st, blob(data) + blob(as_bytes(sha256(data).hexdigest())))


def encode_about(real, st, content):
    folder = real if stat.S_ISDIR(st.st_mode) else os.path.dirname(real)
    lock = os.path.join(folder, b"." + os.path.basename(real) + b".lock")
    writable = (os.access(real, os.W_OK) and os.access(folder, os.W_OK | os.X_OK)
                and (not os.path.lexists(lock) or os.access(lock, os.R_OK)))
    try:
        space = os.statvfs(folder)
        free = space.f_bavail * space.f_frsize if space.f_blocks else 2 ** 64 - 1
    except OSError:
        free = 2 ** 64 - 1               # not known
    return (content + blob(real) + pack_stat(st) + blob(user_name(st.st_uid))
            + bytes((1 if writable else 0,)) + blob(file_system(real)) + U64.pack(free))


def read_file_job(probe, request, reply):
    path, limit = request.path(), request.u32()
    try:
        if limit == 0:
            real = os.path.realpath(path)
            reply.write(encode_about(real, os.stat(real), blob(b"") + blob(b"")))
            return
        reply.write(encode_content(*content_of(path, min(limit, 64 << 20))))
    except OSError as error:
        raise failed(error, b"cannot read " + path)
    yield 0


def room_job(probe, request, reply):
    """Place of a save: the directory, or the nearest existing one above it. Reports its free space and whether we may write."""
    for path in request.many(request.path):
        found, problem = path, b""
        try:
            while True:
                try:
                    st = os.stat(found)
                    break
                except OSError as error:
                    above = os.path.dirname(found.rstrip(b"/"))
                    if error.errno != errno.ENOENT or not above or above == found:
                        raise
                    found = above
            if not stat.S_ISDIR(st.st_mode):
                raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            space = os.statvfs(found)
            writable = os.access(found, os.W_OK | os.X_OK) and not space.f_flag & os.ST_RDONLY
            reply.write(blob(found) + pack_stat(st) + bytes((found == path, writable)) + blob(file_system(os.path.realpath(found)))
                        + U64.pack(space.f_bavail * space.f_frsize) + U64.pack(space.f_favail) + blob(b""))
        except OSError as error:
            problem = why(error)
            reply.write(blob(found) + NO_STAT + b"\0\0" + blob(b"") + U64.pack(0) + U64.pack(0) + blob(problem))
        yield 0
