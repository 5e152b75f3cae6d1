/* SPDX-License-Identifier: GPL-3.0-or-later
   Preloaded into a console: it is killed at the Nth fsync of the journal, before it or after it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fsync(int file)
{
    static int count;
    char link[64], path[4096];
    const char *at = getenv("KILL_AT_JOURNAL"), *after = getenv("KILL_AFTER_JOURNAL");
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    int ours = strstr(path, "journal.jsonl") != NULL && ++count;
    if (ours && at && count == atoi(at)) kill(getpid(), SIGKILL);
    int result = real(file);
    if (ours && after && count == atoi(after)) kill(getpid(), SIGKILL);
    return result;
}
