# SPDX-License-Identifier: GPL-3.0-or-later
"""Every case number in the name of a test has its row in docs/corpus.md, and every row has a test. Code, tests and docs refer to no
paper that is missing in the repository. Usage: corpus.py SOURCE_DIRECTORY"""
import os
import re
import sys

TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*\w+\s*,\s*((?:[A-Z]\d\d_)+)")
ROW = re.compile(r"^\| ([A-Z]\d\d) \| [^|]{3,} \| [^|]{3,} \|$", re.M)
# Names of papers, and sections of any paper except published standards.
PAPER = re.compile(r"\b(?:CONTRACT|PRODUCT|HOUSE|UI)(?:\.md|,? §)|(?<!resume/)\bfacts(?:/|,? §|\.md)|\bfindings/|(?<!RFC \d{4} )§ ?\d")
TEXTS = (".h", ".cpp", ".py", ".md", ".txt", ".sh", ".cmake", ".1", ".5")


def cases(text):
    return {case for names in TEST.findall(text) for case in re.findall(r"[A-Z]\d\d", names)}


def papers(text):
    return [line.strip() for line in text.splitlines() if PAPER.search(line)]


def texts(root):
    for folder, rooms, names in os.walk(root):
        rooms[:] = [room for room in rooms if room != "build" and not room.startswith(".")]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), root)
            if path.endswith(TEXTS) and path != "tests/house/corpus.py":
                yield path


def main():
    assert cases("TEST(X, C06_C07_TimesDoNotOrder) TEST_F(Y, Z01_Empty) TEST(Z, F1IsFirst)") == {"C06", "C07", "Z01"}
    assert papers("// as CONTRACT §3 says") and papers("(facts, §7.1)") and papers("see facts/ssh.md") and papers("UI.md §4")
    assert not papers("RFC 4254 §5.1") and not papers("the facts of a set")
    assert not papers("core/recover/resume/facts/")
    root = sys.argv[1]
    used, bad = set(), []
    for path in texts(root):
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            text = file.read()
        if path.startswith("tests/"):
            used |= cases(text)
        if not path.startswith("tests/data/"):
            bad += [f"{path} refers to a paper that a reader does not have: {line}" for line in papers(text)]
    with open(os.path.join(root, "docs", "corpus.md"), encoding="utf-8") as file:
        rows = set(ROW.findall(file.read()))
    bad += [f"docs/corpus.md has no row for the case {case}" for case in sorted(used - rows)]
    bad += [f"docs/corpus.md has a row for {case}, which no test names" for case in sorted(rows - used)]
    assert len(used) > 50, "the cases of the tests are not found"
    print("\n".join(bad) or f"{len(used)} cases")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
