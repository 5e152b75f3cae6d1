# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages for developers name only existing paths. The names of code in their instructions exist, too: a file without its folder,
a type, a function, a member. In these names, <x> represents any name, and a trailing .* any ending. Usage: guide.py SOURCE_DIRECTORY"""
import glob
import os
import re
import sys

PAGES = ("CONTRIBUTING.md", "core/README.md", "ui/README.md", "docs/corpus.md", "tests/bench/README.md")
PATH = re.compile(r"`((?:core|ui|app|tests|docs|packaging|resources)/[\w./<>*-]*)`")


FILE = re.compile(r"`(\w+\.(?:h|cpp|py))`")
NAME = re.compile(r"`([A-Za-z]\w*)(?:\(\)|\(\w+ ?&?\))?`")


def missing(root, text):
    # MindSpore has everything that a framework may have
    known = {path: re.sub(r"<\w+>", "*", path.replace("<framework>", "mindspore")) for path in PATH.findall(text)}
    return [path for path in sorted(known) if not glob.glob(os.path.join(root, known[path]))]


def unknown(files, words, text):
    """Names without their folder that do not exist: files by name, others as they are spelled in the sources."""
    return sorted(set(FILE.findall(text)) - files) + sorted(name for name in set(NAME.findall(text)) if name not in words)


def sources(root):
    """Names of files, and all identifiers in them."""
    files, words = set(), set()
    for top in ("core", "ui", "app", "tests", "packaging"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            files.update(names)
            for name in names:
                if name.endswith((".h", ".cpp", ".sh", ".txt", ".cmake", ".json")) and "data" not in folder.split(os.sep):
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                        words.update(re.findall(r"\w+", file.read()))
    return files, words


def main():
    root = sys.argv[1]
    assert missing(root, "`core/no_such_room/x.h` and `core/no_such_room/<x>.h`") == ["core/no_such_room/<x>.h", "core/no_such_room/x.h"]
    assert missing(root, "`core/base/<x>_no_test.cpp`") == ["core/base/<x>_no_test.cpp"], "what follows a free name is not looked at"
    assert missing(root, "`core/verdict/<framework>_corpus_test.cpp`"), "a path of other frameworks' files passes for this one's"
    assert not missing(root, "`core/base/result.h`, `core/base/text.*`, `core/base/<x>.cpp`, `core/`")
    files, words = sources(root)
    assert unknown(files, words, "`no_such_file.h`, `noSuchFunction()`, `Finding`") == ["no_such_file.h", "noSuchFunction"]
    bad, named = [], 0
    for page in PAGES:
        full = os.path.join(root, page)
        if os.path.exists(full):
            with open(full, encoding="utf-8") as file:
                text = file.read()
            named += len(PATH.findall(text))
            bad += [f"{page} names {path}, which is not there" for path in missing(root, text)]
            if page == "CONTRIBUTING.md":
                bad += [f"{page} names {name}, which no source has" for name in unknown(files, words, text.split("## Adding something")[1])]
    assert named > 10, "the paths of the pages are not found"
    print("\n".join(bad) or f"{named} paths")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
