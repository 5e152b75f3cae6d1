# SPDX-License-Identifier: GPL-3.0-or-later
"""Time comes from core/base/clock.h alone, so that tests can advance it. No other file of core, app or ui reads a clock of the system
or waits for a point in time on one. The demo cluster is a program of its own and is left out. Usage: clock.py SOURCE_DIRECTORY"""
import os
import re
import sys

FORBIDDEN = re.compile(r"_clock::now\(\)|\.wait_until\(|\btime\(nullptr\)|\bclock_gettime\(|currentDateTime(Utc)?\(|currentM?SecsSinceEpoch\(")
SOURCE = "core/base/clock.cpp"
# Processor time of a thread, which no clock of a test replaces.
ALLOWED = {"core/base/work.cpp": "clock_gettime("}


def faults(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        found = FORBIDDEN.search(line.split("//")[0])
        if found and path != SOURCE and ALLOWED.get(path) != found.group(0):
            yield "%s:%d: %s; use steadyNow(), wallNow(), waitUntil() or waitFor() of core/base/clock.h" % (path, number, found.group(0))


def main():
    root = sys.argv[1]
    assert list(faults("core/a.cpp", "x = std::chrono::steady_clock::now();")) and list(faults("ui/a.cpp", "m.wait_until(lock, d)"))
    assert not list(faults("core/a.cpp", "// steady_clock::now()")) and not list(faults(SOURCE, "return std::chrono::system_clock::now();"))
    found = []
    for room in ("core", "app", "ui"):
        for folder, _, names in os.walk(os.path.join(root, room)):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), root)
                if name.endswith((".cpp", ".h")) and not path.startswith("app/demo/"):
                    with open(os.path.join(root, path), encoding="utf-8") as file:
                        found += faults(path, file.read())
    print("\n".join(found) or "time comes from one place")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
