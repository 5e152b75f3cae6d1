# SPDX-License-Identifier: GPL-3.0-or-later
"""The rooms of the house. No folder of core, ui, app or tests has more than 25 source files, and no two folders include each other,
directly or through others. No type has the name of another in its namespace. The READMEs of core and ui have a row for each room.
Each room has a room of tests, and each header says what it is. Usage: rooms.py SOURCE_DIRECTORY"""
import collections
import os
import re
import sys

LIMIT = 25
# Rooms whose tests are in another directory, and that directory.
TESTED_IN = {
    "core": "core/engine", "core/recover/host": "core/recover/resume", "core/node/probe": "probe",
    "core/checkpoint/inventory/folders": "core/checkpoint/inventory", "core/checkpoint/inventory/prefixes": "core/checkpoint/inventory", "core/checkpoint/codec": "core/checkpoint/formats", "core/checkpoint/formats": "core/verdict/frameworks",
    **{f"core/checkpoint/formats/{name}": "core/verdict/frameworks" for name in ("colossalai", "deepspeed", "components", "foreign", "megatron", "orbax", "splitstate", "torchtune")},
    "app": "app/window", "app/ctl/hosts": "app/ctl", "app/ctl/logs": "app/ctl", "app/ctl/output": "app/ctl", "app/ctl/shell": "app/ctl", "app/demo/program": "app/demo", "app/demo/trainer": "app/demo",
    "core/parse/lines": "core/parse",
}
SHARED = {"ui"}   # what the tests of all its rooms use
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)

def sources(root, tops):
    """path → text of every .h and .cpp under tops."""
    found = {}
    for top in tops:
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if name.endswith((".h", ".cpp")):
                    full = os.path.join(folder, name)
                    with open(full, encoding="utf-8") as file:
                        found[os.path.relpath(full, root)] = file.read()
    return found


def crowded(paths):
    held = collections.Counter(os.path.dirname(path) for path in paths)
    return [f"{folder} holds {count} source files, expected at most {LIMIT}: give what belongs together a room in it"
            for folder, count in sorted(held.items()) if count > LIMIT]


ROW = re.compile(r"^\| `([\w/]+?)/?` \|", re.M)


def unexplained(top, paths, readme):
    """Rooms without a row, and rows without a room."""
    rooms = {os.path.relpath(os.path.dirname(path), top) for path in paths if path.startswith(top + "/")} - {"."}
    rows = set(ROW.findall(readme))
    return [f"{top}/README.md has no row for {room}/: say in a sentence what it is" for room in sorted(rooms - rows)] + [
        f"{top}/README.md has a row for {room}/, which is not there" for room in sorted(rows - rooms)]


def unmirrored(rooms, tests):
    """Rooms of code without a room of tests (tests/ is not part of their names), rooms of tests without one of code, unneeded
    exceptions."""
    return [f"{room} has no tests: expected some in tests/{room}, or its row in tests/house/rooms.py" for room in sorted(rooms - tests - set(TESTED_IN))] + [
        f"tests/{room} mirrors no room: expected one in {room}" for room in sorted(tests - rooms - SHARED - set(TESTED_IN.values()))] + [
        f"tests/house/rooms.py: {room} has tests of its own, or is not there" for room in sorted(set(TESTED_IN) - (rooms - tests))]


def speechless(texts):
    """Headers that do not begin by saying what they are."""
    return [f"{path} does not say what it is and how it fails: a comment before #pragma once" for path, text in sorted(texts.items())
            if path.endswith(".h") and not re.match(r"(?://.*\n)?// (?!SPDX)", text)]


def folder_edges(texts):
    """(from, to) → one include that makes it."""
    edges = {}
    for path, text in sorted(texts.items()):
        here = os.path.dirname(path)
        for name in INCLUDE.findall(text):
            there = os.path.dirname(name)
            if here != there and name in texts:
                edges.setdefault((here, there), f"{path} includes {name}")
    return edges


def reachable(start, nexts):
    seen, queue = set(), [start]
    while queue:
        for there in nexts[queue.pop()]:
            if there not in seen:
                seen.add(there)
                queue.append(there)
    return seen


def circles(edges):
    """Every include that is part of a circle of folders."""
    nexts = collections.defaultdict(set)
    for here, there in edges:
        nexts[here].add(there)
    reach = {here: reachable(here, nexts) for here in list(nexts)}
    return [f"{here} and {there} include each other: {why}" for (here, there), why in sorted(edges.items())
            if here in reach.get(there, ())]


# Comments and literals are blanked first, so that every brace counts.
BLANK = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\'', re.S)
OPENS = re.compile(
    r'\bnamespace\s+(?P<space>[\w:]*)\s*\{'
    r'|\b(?:struct|class|union|enum(?:\s+(?:class|struct))?)\s+(?:\[\[[^\]]*\]\]\s*)?(?P<type>[A-Za-z_]\w*(?:::\w+)*)(?:\s+final)?\s*(?::[^;{}()]*)?\{'
    r'|(?P<other>\{)|(?P<close>\})')


def types(text):
    """Full names of the types that a file defines, except those that only it can name (local ones, unnamed namespaces)."""
    scopes, found = [], set()   # a scope is a name, or None when what is in it is the file's own
    for match in OPENS.finditer(BLANK.sub(" ", text)):
        if match["close"]:
            if scopes:
                scopes.pop()
        elif match["type"]:
            name = match["type"]
            if None not in scopes:
                found.add("::".join(scopes + [name]))
            scopes.append(name)
        else:
            scopes.append(match["space"] or None)
    return found


def namesakes(texts):
    homes = collections.defaultdict(list)
    for path, text in sorted(texts.items()):
        for name in types(text):
            homes[name].append(path)
    return [f"{name} is defined in {' and '.join(paths)}: the linker keeps the members of one of them for both"
            for name, paths in sorted(homes.items()) if len(paths) > 1]


def self_test():
    assert crowded([f"core/x/{i}.h" for i in range(LIMIT + 1)]) and not crowded([f"core/x/{i}.h" for i in range(LIMIT)])
    assert not unexplained("core", ["core/engine.h", "core/x/a.h", "core/x/y/a.h"], "| `x/` | one |\n| `x/y/` | two |\n")
    assert len(unexplained("core", ["core/x/y/a.h"], "| `x/` | one |\n")) == 2, "a room without a row and a row without a room are not noticed"
    assert len(unmirrored({"core/x"}, {"core/y"})) >= 2, "a room without tests and tests without a room are not noticed"
    assert speechless({"a.h": "// SPDX-License-Identifier: x\n#pragma once\n"}) and not speechless({"a.h": "// SPDX-License-Identifier: x\n// A thing.\n#pragma once\n"})
    ring = {"core/a/x.h": '#include "core/b/y.h"\n', "core/b/y.h": '#include "core/c/z.h"\n', "core/c/z.h": '#include "core/a/x.h"\n'}
    assert len(circles(folder_edges(ring))) == 3, "a circle over three folders is not noticed"
    del ring["core/c/z.h"]
    assert not circles(folder_edges(ring))
    one = 'namespace n {\nclass A final : public B<int> { struct In {}; };  // struct C {\ntemplate <class T> struct D { };\nenum class E : int { x };\n}'
    assert types(one) == {"n::A", "n::A::In", "n::D", "n::E"}, types(one)
    assert types('namespace n {\nnamespace {\nstruct A {};\n}\nvoid f() { struct L {}; }\nstruct F;\nchar c = \'{\';\nstruct G {};\n}') == {"n::G"}
    assert namesakes({"a.h": "namespace n { struct A {}; }", "b.cpp": "namespace n { class A { }; }"}), "two types of one name are not noticed"
    assert not namesakes({"a.h": "namespace n { struct A {}; }", "b.cpp": "namespace n { namespace { struct A {}; } }"})


def main():
    self_test()
    root = sys.argv[1]
    texts = sources(root, ("core", "ui", "app", "tests"))
    assert len(texts) > 100, "the sources are not found"
    files = [os.path.relpath(os.path.join(folder, name), root) for top in ("core", "ui", "app", "tests") for folder, _, names in os.walk(os.path.join(root, top))
             for name in names if name.endswith((".h", ".cpp", ".py"))]
    bad = crowded(texts) + circles(folder_edges(texts)) + namesakes(texts) + speechless(texts)
    for top in ("core", "ui"):
        with open(os.path.join(root, top, "README.md"), encoding="utf-8") as file:
            bad += unexplained(top, files, file.read())
    folders = {os.path.dirname(path) for path in files}
    bad += unmirrored({path for path in folders if not path.startswith("tests")},
                      {path[len("tests/"):] for path in folders if path.startswith(("tests/core", "tests/ui", "tests/app"))})
    print("\n".join(bad) or f"{len(texts)} files, {len({os.path.dirname(p) for p in texts})} rooms, no circle")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
