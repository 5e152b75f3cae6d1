# SPDX-License-Identifier: GPL-3.0-or-later
"""Unknown is not no: an answer that may be missing is a Known (core/base/known.h), which does not convert to bool. The sources have
no std::optional<bool>, and no value_or() that turns a missing answer into a yes or a no. Usage: known_answers.py SOURCE_DIRECTORY"""
import os
import re
import sys

COLLAPSES = re.compile(r"optional\s*<\s*bool\s*>|value_or\(\s*(?:true|false)\s*\)")


def main():
    root, faults = sys.argv[1], []
    for top in ("core", "ui", "app"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if not name.endswith((".h", ".cpp")):
                    continue
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    for number, line in enumerate(file, 1):
                        if COLLAPSES.search(line.partition("//")[0]):
                            faults.append("%s:%d: %s" % (os.path.relpath(path, root), number, line.strip()))
    for fault in faults:
        print(fault)
    if faults:
        print("expected core/base/known.h where an answer may be missing")
    sys.exit(1 if faults else 0)


main()
