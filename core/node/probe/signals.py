# SPDX-License-Identifier: GPL-3.0-or-later
# Signals, sent only to the process that was meant.


def signal_job(probe, request, reply):
    pid, start, boot, number, group = request.u32(), request.u64(), request.blob(), request.u8(), request.u8()
    if number >= len(SIGNALS):
        raise Refusal(INVALID, "unknown signal %d" % number)
    reason = send_signal(pid, start, boot, SIGNALS[number], group)
    reply.write(bytes((0 if reason else 1,)) + blob(reason))
    yield 0


def send_signal(pid, start, boot, number, group):
    """Empty when sent, otherwise the reason. Identity is checked immediately before the signal leaves."""
    if pid <= 1 or pid > 0x7fffffff or pid == os.getpid():
        return b"pid %d is not a process that may be signalled" % pid
    if boot and boot != boot_id():
        return b"the machine has been restarted since"
    handle = None
    try:
        if not group and hasattr(os, "pidfd_open") and hasattr(_signal, "pidfd_send_signal"):
            try:
                handle = os.pidfd_open(pid)
            except OSError as error:
                if error.errno == errno.ESRCH:
                    return b"gone"
        try:
            _, fields = process_stat(pid)
        except OSError:
            return b"gone"
        if int(fields[19]) != start:
            return b"another process has this pid now"
        if group:
            leader = int(fields[2])
            if leader <= 1 or leader == os.getpgrp():
                return b"its process group %d may not be signalled" % leader
            os.killpg(leader, number)
        elif handle is not None:
            _signal.pidfd_send_signal(handle, number)
        else:
            os.kill(pid, number)
    except OSError as error:
        return b"gone" if error.errno == errno.ESRCH else why(error)
    finally:
        if handle is not None:
            os.close(handle)
    return b""
