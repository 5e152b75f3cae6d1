# SPDX-License-Identifier: GPL-3.0-or-later
"""Every row of docs/coverage.md and docs/safety.md names existing tests and has a number of its own. Rows of coverage.md are whole,
or state in a sentence why they are open. CMake starts their scenes of tests/interop. A test is `Suite.Name`, a file, or
`file:method`. The column "shown" of coverage.md follows from the folders of the tests. `run` is a scene of tests/interop or
tests/kubernetes that trains with the framework and stops, ends or resumes it. `recorded` is a test that reads files of the framework
(tests/data). Everything else is `stand-in`. A row may claim less than its tests, with a reason: `stand-in: …`.
Usage: coverage.py SOURCE_DIRECTORY"""
import os
import re
import sys

ROW = re.compile(r"^\| (\d+) \| ([^|]{5,}) \| ([^|]+) \| ([^|]+) \|$")
SHOWN = re.compile(r"^(\| \d+ \| [^|]+ \| [^|]+) \| (run|recorded|stand-in)(: [^|]{10,})? (?=\| )")
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


# Files of frameworks in tests/data; all others there were written for the tests.
REAL = r"(?:mindspore|torch|tensorflow|deepspeed|huggingface|megatron|flax|logs)/"
READS = re.compile(r"\bdata\([^;]*\"%s|testData\(\)[^;]*\"/?%s|(?<!:)\bcopy(?:Tree)?\([^;]*\"" % (REAL, REAL))


def blocks(text):
    """Blocks of a C++ file that begin in the first column: name, or Suite.Name of a test, and text."""
    found = {}
    for block in re.split(r"\n(?=[^\s{}#/):])(?!(?:public|protected|private):)", text):
        test = TEST.match(block) or re.match(r"TEST_P\(\s*(\w+)\s*,\s*(\w+)\s*\)", block)
        name = ".".join(test.groups()) if test else (re.search(r"(\w+)\s*(?:\(|=|\{|:|\n)", block) or [None, ""])[1]
        found[name] = found.get(name, "") + "\n" + re.sub(r"//.*", "", block)
    return found


def reads_real(found, name, seen):
    seen.add(name)
    text = found[name]
    return bool(READS.search(text)) or any(reads_real(found, word, seen) for word in set(re.findall(r"\w+", text)) & set(found) if word not in seen)


def is_run(root, text):
    """True for a scene with a real training of the framework, which rankdeckctl stops or resumes."""
    trains = text
    for name in re.findall(r"tests/sources/(\w+)", text):
        for folder, _, files in os.walk(os.path.join(root, "tests", "sources", name)):
            for file in files:
                with open(os.path.join(folder, file), encoding="utf-8", errors="replace") as source:
                    trains += source.read()
    return "__main__" in text and bool(re.search(r"--mindspore-python|^\s*(?:import|from) (?:torch|mindspore|tensorflow)\b", trains, re.MULTILINE)) and \
        bool(re.search(r"\"(?:exit|resume)\"|\.resume\(", text))


def kinds(root):
    """The kind of evidence of each test: run, recorded or stand-in."""
    kind = {}
    for folder, _, files in os.walk(os.path.join(root, "tests")):
        for file in files:
            path = os.path.join(folder, file)
            place = os.path.relpath(path, root)
            if not file.endswith((".cpp", ".py")):
                continue
            with open(path, encoding="utf-8", errors="replace") as source:
                text = source.read()
            if file.endswith(".cpp"):
                found = blocks(text)
                kind.update((name, "recorded") for name in found if "." in name and reads_real(found, name, set()))
            elif place.startswith(("tests/interop/", "tests/kubernetes/")) and is_run(root, text):
                kind[place] = "run"
    return kind


def misshown(text, kind):
    counts = dict.fromkeys(("run", "recorded", "stand-in"), 0)
    for line in text.splitlines():
        if not re.match(r"^\| \d", line):
            continue
        row = SHOWN.match(line)
        if not row:
            yield f"expected run, recorded or stand-in behind the state, found {line}"
            continue
        of = {kind.get(test, "stand-in") for test in re.findall(r"`([^`]+)`", line.rsplit("|", 2)[1])}
        is_ = next(one for one in (*counts, "stand-in") if one in of | {"stand-in"})
        counts[row[2]] += 1
        if row[2] != is_ and not (row[2] == "stand-in" and row[3]):  # the files may be real although the subject of the row is not
            yield f"item {line.split()[1]}: its tests are {is_}, the row says {row[2]}"
    for one, count in counts.items():
        if not re.search(r"^\* `%s`, %d rows?: " % (one, count), text, re.MULTILINE):
            yield f"expected at the top \"* `{one}`, {count} rows: \""


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
    """Scenes of tests/interop that docs/coverage.md names but its CMakeLists.txt does not start, by file or by name."""
    with open(os.path.join(root, "tests", "interop", "CMakeLists.txt"), encoding="utf-8") as file:
        started = set(re.findall(r"\w+", file.read()))
    with open(os.path.join(root, "docs", "coverage.md"), encoding="utf-8") as file:
        named = set(re.findall(r"`tests/interop/(\w+)\.py`", file.read()))
    return [f"nothing runs tests/interop/{name}.py" for name in sorted(named) if not {name, re.sub("_test$", "", name)} & started]


def main():
    names = {"A.B", "tests/a.py:test_b"}
    good = "\n".join(f"| {i} | some item | whole | `A.B`, `tests/a.py:test_b` |" for i in range(1, 26))
    assert not list(faults(good, names, 25, is_state))
    assert list(faults(good.replace("| 7 |", "| 26 |"), names, 25, is_state))
    for bad in ("| 30 | some item | whole | `A.C` |", "| 3 | some item | whole | `A.B` |", "| 31 | some item | open | `A.B` |",
                "| 32 | some item | whole | none |", "| 33 | some item | whole | `tests/a.py:test_c` |"):
        assert list(faults(good + "\n" + bad, names, 25, is_state)), bad
    shown = "".join("* `%s`, 1 row: .\n" % one for one in ("run", "recorded", "stand-in")) + "\n".join(
        f"| {i} | some item | whole | {one} | `{test}` |" for i, one, test in ((1, "run", "tests/a.py"), (2, "recorded", "A.B"), (3, "stand-in", "A.C")))
    kind = {"tests/a.py": "run", "A.B": "recorded"}
    assert not list(misshown(shown, kind))
    assert not list(misshown(shown.replace("`A.C`", "`A.B`").replace("| stand-in |", "| stand-in: a reason for it |"), kind))
    for bad in (shown.replace("| stand-in |", "| run |"), shown.replace("| recorded |", "| stand-in |"), shown.replace("| recorded ", ""),
                shown.replace("`run`, 1 row", "`run`, 2 rows")):
        assert list(misshown(bad, kind)), bad
    found = blocks('const char *a()\n{\n    return data("logs/x");\n}\n\nTEST(A, B)\n{\n    a();\n}\n\nTEST(A, C)\n{\n    b("logs/x");\n}\n')
    assert [name for name in ("A.B", "A.C") if reads_real(found, name, set())] == ["A.B"]
    root = sys.argv[1]
    known, found = tests(root), unrun(root)
    for page, allowed in (("coverage.md", is_state), ("safety.md", lambda state: True)):
        with open(os.path.join(root, "docs", page), encoding="utf-8") as file:
            text = file.read()
        if page == "coverage.md":
            found += [page + ": " + fault for fault in misshown(text, kinds(root))]
            text = "\n".join(SHOWN.sub(r"\1 ", line) for line in text.splitlines())
        found += [page + ": " + fault for fault in faults(text, known, ITEMS[page], allowed)]
    print("\n".join(found) or "every item names its tests")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
