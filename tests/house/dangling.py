# SPDX-License-Identifier: GPL-3.0-or-later
"""References into an object that only a temporary pointer keeps: for (… : engine.snapshot()->nodes) and auto &x = engine.snapshot()->x.
Another thread may replace that object at once. Give the pointer a name first. Usage: dangling.py SOURCE_DIRECTORY"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rooms import sources  # noqa: E402

RETURNED = re.compile(r"\b(?:std::shared_ptr<[^;{}()]*>|EvidencePtr)\s+(?:\w+::)?(\w+)\([^;{}]*\)\s*(?:const\b)?")


def found_in(texts):
    names = sorted({name for text in texts.values() for name in RETURNED.findall(text)} - {"find"})  # which others return, too
    call = r"[^;{}\n]*\b(?:%s)\([^;{}()\n]*\)->" % "|".join(names)
    patterns = [re.compile(r"for \([^;{}\n]* : " + call), re.compile(r"&\s*\w+ = " + call + r"[\w.]+;")]
    return [f"{path}:{text.count(chr(10), 0, hit.start()) + 1}: {hit.group(0).strip()}"
            for path, text in sorted(texts.items()) for pattern in patterns for hit in pattern.finditer(text)]


def main():
    example = {"a.h": "std::shared_ptr<const View> snapshot() const;",
               "a.cpp": "void f() { for (const Node &one : m_feed.snapshot()->nodes) use(one); const Job &job = engine->snapshot()->job; }",
               "b.cpp": "void g() { const auto view = feed.snapshot(); for (const Node &one : view->nodes) use(one); }"}
    if [line.split(":")[0] for line in found_in(example)] != ["a.cpp", "a.cpp"]:
        sys.exit("the check itself does not find its example: %s" % found_in(example))
    found = found_in(sources(sys.argv[1], ("core", "ui", "app", "tests")))
    if found:
        sys.exit("\n".join(found) + "\nexpected a name for the pointer before the loop or the reference")


if __name__ == "__main__":
    main()
