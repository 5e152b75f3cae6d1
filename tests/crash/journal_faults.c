/* SPDX-License-Identifier: GPL-3.0-or-later
   Preloaded into a console: what becomes of the Nth entry of its journal (JOURNAL_FAULT, JOURNAL_AT=N).
   "at", "after": the console is killed before the entry is synced, or after it. "ENOSPC": the disk is full for this entry, and
   has room again; "ENOSPC_stays": and stays full; "torn": half of it finds room, and the disk stays full; "EIO": it is written
   and cannot be synced. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int count, torn;

static int is_journal(int file)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    return strstr(path, "journal.jsonl") != NULL;
}

static int is(const char *fault)
{
    const char *wanted = getenv("JOURNAL_FAULT");
    return wanted && strcmp(wanted, fault) == 0;
}

static int at(void) { return atoi(getenv("JOURNAL_AT") ? getenv("JOURNAL_AT") : "0"); }

ssize_t write(int file, const void *bytes, size_t size)
{
    ssize_t (*real)(int, const void *, size_t) = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (!getenv("JOURNAL_FAULT") || !is_journal(file)) return real(file, bytes, size);
    count += !torn;
    if (is("torn") && count == at() && !torn) {
        torn = 1;
        return real(file, bytes, size / 2);
    }
    if (torn || (is("ENOSPC") && count == at()) || (is("ENOSPC_stays") && count >= at())) {
        errno = ENOSPC;
        return -1;
    }
    return real(file, bytes, size);
}

int fsync(int file)
{
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    if (!getenv("JOURNAL_FAULT") || !is_journal(file) || count != at()) return real(file);
    if (is("at")) kill(getpid(), SIGKILL);
    if (is("EIO")) {
        errno = EIO;
        return -1;
    }
    int result = real(file);
    if (is("after")) kill(getpid(), SIGKILL);
    return result;
}
