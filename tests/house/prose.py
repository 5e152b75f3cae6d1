# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain English: counts the statements that break a rule of language, by kind, and fails if a kind has more of them than
tests/house/prose_ceiling.txt allows. The rules are in tests/house/prose_rules; "Language" in CONTRIBUTING.md explains them.
Usage: prose.py [SOURCE_DIRECTORY] [--list [KIND] | --lower]
  --list [KIND]   prints every place as file:line: rule: text
  --lower         lowers the ceiling to what is found; never raises it"""
import collections
import os
import re
import subprocess
import sys

from prose_rules import examples, rules, texts

CEILING = "tests/house/prose_ceiling.txt"
SHOWN = 40  # new places
Fault = collections.namedtuple("Fault", "place rule instead")


def paths(root):
    found = [name for name in os.listdir(root) if texts.is_read(name)]
    for top in ("core", "ui", "app", "tests", "packaging", "docs"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            here = os.path.relpath(folder, root)
            found += [f"{here}/{name}" for name in names if texts.is_read(f"{here}/{name}")]
    return sorted(found)


def faults_in(path, text):
    return [Fault(place, rule, instead) for place in texts.of_file(path, text) for rule, instead in rules.faults(place)]


def read(root):
    """path → faults, and how many statements each kind has."""
    found, totals = {}, collections.Counter()
    for path in paths(root):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            places = texts.of_file(path, file.read())
        totals.update(place.kind for place in places)
        found[path] = [Fault(place, rule, instead) for place in places for rule, instead in rules.faults(place)]
    return found, totals


def counts_of(found):
    """Statements with a fault, by kind; each counts once."""
    counts = collections.Counter({kind: 0 for kind in texts.KINDS})
    for faults in found.values():
        counts.update(place.kind for place in {id(fault.place): fault.place for fault in faults}.values())
    return counts


def ceiling_of(root):
    with open(os.path.join(root, CEILING), encoding="utf-8") as file:
        return {kind: int(count) for kind, count in re.findall(r"^(\w+) (\d+)$", file.read(), re.M)}


def lower(root, counts):
    old = ceiling_of(root) if os.path.exists(os.path.join(root, CEILING)) else {}
    with open(os.path.join(root, CEILING), "w", encoding="utf-8") as file:
        file.write("# Statements of each kind that tests/house/prose.py may find. --lower lowers a number; nothing raises one.\n")
        file.writelines(f"{kind} {min(counts[kind], old.get(kind, counts[kind]))}\n" for kind in texts.KINDS)


def line_of(fault):
    return f"{fault.place.path}:{fault.place.line}: {fault.rule} ({fault.instead}): {fault.place.text}"


def git(root, *words):
    try:
        ran = subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return ran.stdout if ran.returncode == 0 else None


def new_faults(root, found, kinds):
    """Those that the sources did not have when the ceiling was written; None without Git."""
    base = (git(root, "log", "-1", "--format=%H", "--", CEILING) or "").strip() or "HEAD"
    changed = git(root, "diff", "--name-only", "--relative", base)
    if changed is None:
        return None
    changed = changed.split("\n") + (git(root, "ls-files", "--others", "--exclude-standard") or "").split("\n")
    new = []
    for path in sorted(set(changed) & set(found)):
        before = git(root, "show", f"{base}:./{path}") or ""
        known = collections.Counter((fault.place.text, fault.rule) for fault in faults_in(path, before))
        for fault in found[path]:
            known[(fault.place.text, fault.rule)] -= 1
            if known[(fault.place.text, fault.rule)] < 0 and fault.place.kind in kinds:
                new.append(fault)
    return new


def report_excess(root, found, over, counts, ceiling):
    for kind in over:
        print(f"{kind}: {counts[kind]} places, expected at most {ceiling.get(kind, 0)}: rewrite the new ones (all: prose.py --list {kind})")
    new = new_faults(root, found, over)
    if new:
        print("new places:")
        print("\n".join(line_of(fault) for fault in new[:SHOWN]))
        if len(new) > SHOWN:
            print(f"and {len(new) - SHOWN} more")


def main():
    words = sys.argv[1:]
    examples.check()
    named = [word for word in words if not word.startswith("--") and word not in texts.KINDS]
    root = named[0] if named else os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found, totals = read(root)
    assert all(totals[kind] for kind in texts.KINDS), f"no statement of a kind was found: {totals}"
    counts = counts_of(found)
    if "--list" in words:
        kinds = [word for word in words if word in texts.KINDS] or texts.KINDS
        print("\n".join(line_of(fault) for path in found for fault in found[path] if fault.place.kind in kinds))
        return 0
    if "--lower" in words:
        lower(root, counts)
    ceiling = ceiling_of(root)
    over = [kind for kind in texts.KINDS if counts[kind] > ceiling.get(kind, 0)]
    print("\n".join(f"{kind:10}{counts[kind]:6} of {totals[kind]:6}  {100 * counts[kind] / totals[kind]:5.1f} %  ceiling {ceiling.get(kind, 0)}"
                    for kind in texts.KINDS))
    if over:
        report_excess(root, found, over, counts, ceiling)
    elif any(counts[kind] < ceiling[kind] for kind in texts.KINDS):
        print(f"fewer than the ceiling: run prose.py --lower and commit {CEILING}")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
