# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/coverage.md has a row for each of the items, which names tests that exist and that something runs, and is whole or says in a
sentence why it is open.
Usage: coverage.py SOURCE_DIRECTORY"""
import os
import re
import sys

ROW = re.compile(r"^\| (\d+) \| ([^|]{5,}) \| ([^|]+) \| ([^|]+) \|$")
ITEMS = 139
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
    yield from (f"item {number} has no row" for number in range(1, ITEMS + 1) if str(number) not in seen)


def unrun(root):
    """Scenes of tests/interop that neither a CMakeLists.txt nor packaging/test.sh starts; *_test.py are started by their names."""
    started = ""
    for path in ("tests/interop/CMakeLists.txt", "packaging/test.sh"):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            started += file.read()
    with open(os.path.join(root, "docs", "coverage.md"), encoding="utf-8") as file:
        named = set(re.findall(r"`tests/interop/(\w+\.py)`", file.read()))
    return [f"nothing runs tests/interop/{name}" for name in sorted(named) if not name.endswith("_test.py") and name not in started]


def main():
    names = {"A.B"}
    good = "\n".join(f"| {i} | some item | whole | `A.B` |" for i in range(1, ITEMS + 1))
    assert not list(faults(good, names))
    assert list(faults(good.replace("| 7 |", "| 140 |"), names))
    for bad in ("| 230 | some item | whole | `A.C` |", "| 3 | some item | whole | `A.B` |", "| 231 | some item | open | `A.B` |", "| 232 | some item | whole | none |"):
        assert list(faults(good + "\n" + bad, names)), bad
    root = sys.argv[1]
    with open(os.path.join(root, "docs", "coverage.md"), encoding="utf-8") as file:
        found = list(faults(file.read(), tests(root))) + unrun(root)
    print("\n".join(found) or "every item names its tests")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
