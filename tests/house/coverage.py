# SPDX-License-Identifier: GPL-3.0-or-later
"""Every row of docs/coverage.md names tests that exist, is whole or says in a sentence why it is open, and has a number of its own.
Usage: coverage.py SOURCE_DIRECTORY"""
import os
import re
import sys

ROW = re.compile(r"^\| (\d+) \| ([^|]{5,}) \| ([^|]+) \| ([^|]+) \|$")
TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)")


def tests(root):
    names = set()
    for folder, _, files in os.walk(os.path.join(root, "tests")):
        for file in files:
            path = os.path.join(folder, file)
            if file.endswith(".cpp"):
                with open(path, encoding="utf-8", errors="replace") as source:
                    names |= {".".join(found) for found in TEST.findall(source.read())}
            elif file.endswith(".py"):
                names.add(os.path.relpath(path, root))
    return names


def faults(text, names):
    seen = set()
    for line in text.splitlines():
        if not re.match(r"^\| \d", line):
            continue
        row = ROW.match(line)
        if not row:
            yield f"expected | number | item | state | tests |, found {line}"
            continue
        number, _, state, named = row.groups()
        if number in seen:
            yield f"item {number} has two rows"
        seen.add(number)
        if state != "whole" and not re.fullmatch(r"open: .{10,}", state):
            yield f"item {number}: expected \"whole\" or \"open: \" and a reason, found {state}"
        told = re.findall(r"`([^`]+)`", named)
        if not told:
            yield f"item {number} names no test"
        yield from (f"item {number}: there is no test {test}" for test in told if test not in names)
    if len(seen) < 25:
        yield f"expected the table, found {len(seen)} rows"


def main():
    names = {"A.B"}
    good = "\n".join(f"| {i} | some item | whole | `A.B` |" for i in range(25))
    assert not list(faults(good, names))
    for bad in ("| 30 | some item | whole | `A.C` |", "| 3 | some item | whole | `A.B` |", "| 31 | some item | open | `A.B` |", "| 32 | some item | whole | none |"):
        assert list(faults(good + "\n" + bad, names)), bad
    root = sys.argv[1]
    with open(os.path.join(root, "docs", "coverage.md"), encoding="utf-8") as file:
        found = list(faults(file.read(), tests(root)))
    print("\n".join(found) or "every item names its tests")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
