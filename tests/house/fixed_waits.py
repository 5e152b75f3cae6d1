# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuses new fixed waits in tests: a fixed wait is too short on a busy machine and too long on every other. Counts them per
file and compares with tests/house/fixed_waits.txt; a file that is not listed has none. Sleeps of programs that a test only
starts (in a string) are not counted, nor lines with one of these comments:
  wait: under test   the wait itself is what the test is about
  wait: poll         the pause of a loop that waits for a condition, with one limit of 60 s or more
Usage: fixed_waits.py [SOURCE_DIRECTORY] [--list | --lower]
  --list    prints every wait as file:line: text
  --lower   lowers the ceilings to what is found; never raises one"""
import os
import re
import sys

CEILING = "tests/house/fixed_waits.txt"
CALL = re.compile(r"\b(?:qWait|qSleep|sleep_for|sleep_until|usleep|nanosleep|msleep|sleep)\s*\((?!\s*\))")
SHELL = re.compile(r"\bsleep\s+[\d.\"$]")
MARK = re.compile(r"(?://|#).*\bwait: (?:under test|poll)\b")
CPP = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.S)
PYTHON = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*', re.S)
REMEDY = """A fixed wait makes a test slow, and wrong on a busy machine. Instead:
  wait for the event, with a helper of tests/testbed (waitFor, eventually, wait_for) and one generous limit; or
  advance an injected clock, where the code under test has one.
If the wait itself is under test, say so behind it: `wait: under test`. If a file was moved, move its line in %s.""" % CEILING


def blanked(pattern, text):
    """The text with strings and comments as spaces, so that lines and their numbers stay."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def waits(path, text):
    """(line, text) of every wait that counts."""
    if path.endswith(".sh"):
        code, call = re.sub(r"(?m)(?:^|(?<=\s))#.*$", "", text), SHELL
    else:
        code, call = blanked(PYTHON if path.endswith(".py") else CPP, text), CALL
    lines = text.split("\n")
    return [(number, lines[number - 1].strip()) for number, line in enumerate(code.split("\n"), 1)
            for _ in call.findall(line) if not MARK.search(lines[number - 1])]


def read(root):
    """path → its waits."""
    found = {}
    for folder, rooms, names in os.walk(os.path.join(root, "tests")):
        here = os.path.relpath(folder, root)
        rooms[:] = [] if here == "tests/data" else sorted(rooms)
        for name in sorted(names):
            path = f"{here}/{name}"
            if here != "tests/data" and path.endswith((".cpp", ".h", ".py", ".sh")) and path != "tests/house/fixed_waits.py":
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found[path] = waits(path, file.read())
    return found


def ceilings(root):
    try:
        with open(os.path.join(root, CEILING), encoding="utf-8") as file:
            return {path: int(count) for path, count in re.findall(r"^(tests/\S+) (\d+)$", file.read(), re.M)}
    except FileNotFoundError:
        return None


def lower(root, found):
    old = ceilings(root)
    counts = {path: len(lines) if old is None else min(len(lines), old.get(path, 0)) for path, lines in found.items()}
    with open(os.path.join(root, CEILING), "w", encoding="utf-8") as file:
        file.write("# Fixed waits that a file of tests may have; tests/house/fixed_waits.py --lower lowers a number, nothing raises one.\n")
        file.writelines(f"{path} {count}\n" for path, count in sorted(counts.items()) if count)


def self_test():
    assert len(waits("tests/a.cpp", 'QTest::qWait(5);\nstart("sleep (60)"); // sleep(1)\nstd::this_thread::sleep_for(5ms); sleep(1);\n')) == 3
    assert waits("tests/a.cpp", 'f(R"(\nsleep(2)\n)");\nqWait(5);  // wait: under test\nqWaitFor(f);\nusleep(1);\n') == [(6, "usleep(1);")]
    assert waits("tests/a.py", "'''\ntime.sleep(1)\n'''\ntime.sleep(2)\nasyncio.sleep(3)  # wait: poll\nrun('sleep(1)')\n") == [(4, "time.sleep(2)")]
    assert waits("tests/a.sh", "a\n# sleep 1\nsleep 0.1\nsleep \"$x\"  # wait: poll\n") == [(3, "sleep 0.1")]


def main():
    self_test()
    words = sys.argv[1:]
    named = [word for word in words if not word.startswith("--")]
    root = named[0] if named else os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found = read(root)
    assert len(found) > 100, "the tests are not found"
    if "--list" in words:
        print("\n".join(f"{path}:{number}: {text}" for path, lines in found.items() for number, text in lines))
        return 0
    if "--lower" in words:
        lower(root, found)
    known = ceilings(root) or {}
    over = [path for path, lines in found.items() if len(lines) > known.get(path, 0)]
    for path in over:
        print(f"{path}: {len(found[path])} fixed waits, expected at most {known.get(path, 0)}")
        print("\n".join(f"  {path}:{number}: {text}" for number, text in found[path]))
    if over:
        print(REMEDY)
    elif any(len(found.get(path, ())) < count for path, count in known.items()):
        print(f"fewer than the ceiling: run fixed_waits.py --lower and commit {CEILING}")
    print(f"{sum(len(lines) for lines in found.values())} fixed waits in {sum(1 for lines in found.values() if lines)} files")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
