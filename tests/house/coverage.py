# SPDX-License-Identifier: GPL-3.0-or-later
"""Every row of docs/coverage.md and docs/safety.md names tests that exist and has a number of its own; those of coverage.md
are whole or say in a sentence why they are open, and something runs them. A test is `Suite.Name`, a file, or `file:method`.
Usage: coverage.py SOURCE_DIRECTORY"""
import os
import re
import sys

ROW = re.compile(r"^\| (\d+) \| ([^|]{5,}) \| ([^|]+) \| ([^|]+) \|$")
ITEMS = {"coverage.md": 139, "safety.md": 43}  # rows, numbered from 1
TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+)\s*,\s*(\w+)\s*\)")
METHOD = re.compile(r"^    def (test_\w+)\(", re.MULTILINE)


def tests(root):
    names = set()
    for folder, _, files in os.walk(os.path.join(root, "tests")):
        for file in files:
            path = os.path.join(folder, file)
            if not file.endswith((".cpp", ".py")):
                continue
            with open(path, encoding="utf-8", errors="replace") as source:
                text = source.read()
            if file.endswith(".cpp"):
                names |= {".".join(found) for found in TEST.findall(text)}
            else:
                path = os.path.relpath(path, root)
                names |= {path} | {"%s:%s" % (path, method) for method in METHOD.findall(text)}
    return names


def is_state(text):
    return text == "whole" or re.fullmatch(r"open: .{10,}", text)


def faults(text, names, items, allowed):
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
        if not allowed(state):
            yield f"item {number}: expected \"whole\" or \"open: \" and a reason, found {state}"
        told = re.findall(r"`([^`]+)`", named)
        if not told:
            yield f"item {number} names no test"
        yield from (f"item {number}: there is no test {test}" for test in told if test not in names)
    yield from (f"item {number} has no row" for number in range(1, items + 1) if str(number) not in seen)


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
    names = {"A.B", "tests/a.py:test_b"}
    good = "\n".join(f"| {i} | some item | whole | `A.B`, `tests/a.py:test_b` |" for i in range(1, 26))
    assert not list(faults(good, names, 25, is_state))
    assert list(faults(good.replace("| 7 |", "| 26 |"), names, 25, is_state))
    for bad in ("| 30 | some item | whole | `A.C` |", "| 3 | some item | whole | `A.B` |", "| 31 | some item | open | `A.B` |",
                "| 32 | some item | whole | none |", "| 33 | some item | whole | `tests/a.py:test_c` |"):
        assert list(faults(good + "\n" + bad, names, 25, is_state)), bad
    root = sys.argv[1]
    known, found = tests(root), unrun(root)
    for page, allowed in (("coverage.md", is_state), ("safety.md", lambda state: True)):
        with open(os.path.join(root, "docs", page), encoding="utf-8") as file:
            found += [page + ": " + fault for fault in faults(file.read(), known, ITEMS[page], allowed)]
    print("\n".join(found) or "every item names its tests")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
