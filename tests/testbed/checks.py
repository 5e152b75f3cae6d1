# SPDX-License-Identifier: GPL-3.0-or-later
"""What every scene against a real framework says and waits with."""
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
