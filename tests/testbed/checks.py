# SPDX-License-Identifier: GPL-3.0-or-later
"""Output and waiting functions for the scenes with a real framework."""
import os
import time


def check(condition, text):
    if not condition:
        raise AssertionError(text)
    print("ok   " + text, flush=True)


def wait_for(what, test, seconds=180):
    """The first true value of test(), asked several times a second."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = test()
        if value:
            return value
        time.sleep(0.2)  # wait: poll
    raise AssertionError("not within %d s: %s" % (seconds, what))


def was_two_minutes_ago(*folders):
    """Sets the times of all files below back, so that a console that has not seen their writers does not wait for their end."""
    for top in folders:
        for folder, _, names in os.walk(top):
            for path in (os.path.join(folder, name) for name in names):
                os.utime(path, (time.time() - 120, os.stat(path).st_mtime - 120))
