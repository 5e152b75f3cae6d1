# SPDX-License-Identifier: GPL-3.0-or-later
"""Every path that the pages for developers name is there. <x> stands for any name, a trailing .* for any ending.
Usage: guide.py SOURCE_DIRECTORY"""
import glob
import os
import re
import sys

PAGES = ("CONTRIBUTING.md", "core/README.md", "ui/README.md", "docs/corpus.md", "tests/bench/README.md")
PATH = re.compile(r"`((?:core|ui|app|tests|docs|packaging|resources)/[\w./<>*-]*)`")


def missing(root, text):
    bad = []
    for path in sorted(set(PATH.findall(text))):
        known = path.split("<")[0].rpartition("/")[0] if "<" in path else path   # up to the first free name
        if not glob.glob(os.path.join(root, known)):
            bad.append(path)
    return bad


def main():
    root = sys.argv[1]
    assert missing(root, "`core/no_such_room/x.h` and `core/no_such_room/<x>.h`") == ["core/no_such_room/<x>.h", "core/no_such_room/x.h"]
    assert not missing(root, "`core/base/result.h`, `core/base/text.*`, `core/base/<x>_test.cpp`, `core/`")
    bad, named = [], 0
    for page in PAGES:
        full = os.path.join(root, page)
        if os.path.exists(full):
            with open(full, encoding="utf-8") as file:
                text = file.read()
            named += len(PATH.findall(text))
            bad += [f"{page} names {path}, which is not there" for path in missing(root, text)]
    assert named > 10, "the paths of the pages are not found"
    print("\n".join(bad) or f"{named} paths")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
