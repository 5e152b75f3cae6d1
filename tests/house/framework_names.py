# SPDX-License-Identifier: GPL-3.0-or-later
"""Variables of frameworks are named in core/framework only: engine, discover and parse ask its list. Usage: framework_names.py SOURCE_DIRECTORY"""
import glob
import os
import re
import sys

ROOMS = ("core/engine", "core/discover", "core/parse", "core/job", "core/follow", "core/node")
NAME = re.compile(r'"([A-Z][A-Z0-9_]{3,})\*?"')


def names_of(texts):
    return {name for text in texts for name in NAME.findall(text)}


def faults(path, text, names):
    for number, line in enumerate(text.split("\n"), 1):
        for name in NAME.findall(line):
            if name in names:
                yield f"{path}:{number}: {name} is a framework's: ask core/framework/frameworks.h"


def texts_in(root, folder, ending):
    for path in glob.glob(os.path.join(root, folder, "**", "*" + ending), recursive=True):
        with open(path, encoding="utf-8") as file:
            yield os.path.relpath(path, root), file.read()


def main():
    root = sys.argv[1]
    names = names_of(text for _, text in texts_in(root, "core/framework", ".h"))
    bad = []
    read = 0
    for room in ROOMS:
        for ending in (".h", ".cpp"):
            for path, text in texts_in(root, room, ending):
                bad += faults(path, text, names)
                read += 1
    print("\n".join(bad) or f"{read} files name none of {len(names)} variables")
    assert len(names) > 20 and "MS_ROLE" in names and "RANK" in names, "the list of names is not found"
    assert list(faults("x", 'env("MS_ROLE")', names)), "a name is not noticed"
    assert read > 50
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
