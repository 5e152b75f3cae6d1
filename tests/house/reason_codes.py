# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of reason codes and docs/checkpoints.md name the same codes in the same sections, and a source gives every code.
Usage: reason_codes.py SOURCE_DIRECTORY"""
import os
import re
import sys

FOLDERS = ("core/checkpoint", "core/verdict")
TABLE = "core/checkpoint/reason_codes.h"
ROW = re.compile(r'\{"([a-z_]+)", Means::[a-z]+, Law::[a-z]+, "([^"]+)"\}')


def documented(text):
    """Code → section."""
    found, section = {}, ""
    for line in text.split("## Reasons", 1)[1].splitlines():
        if line.startswith("### "):
            section = line[4:]
        match = re.match(r"\| `([a-z_]+)` \|", line)
        if match:
            found[match.group(1)] = section
    return found


def sources(root):
    for folder in FOLDERS:
        for place, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                path = os.path.relpath(os.path.join(place, name), root)
                if name.endswith((".cpp", ".h")) and path != TABLE:
                    with open(os.path.join(root, path), encoding="utf-8") as file:
                        yield file.read()


def main():
    root = sys.argv[1]
    with open(os.path.join(root, TABLE), encoding="utf-8") as file:
        table = ROW.findall(file.read())
    with open(os.path.join(root, "docs/checkpoints.md"), encoding="utf-8") as file:
        known = documented(file.read())
    rows = dict(table)
    faults = [f"{TABLE}: the code {code} stands twice" for code in sorted({c for c, _ in table if [w for w, _ in table].count(c) > 1})]
    faults += [f"docs/checkpoints.md does not have the code {code} under {section}" for code, section in table if known.get(code) != section]
    faults += [f"docs/checkpoints.md: {code} is not in {TABLE}" for code in sorted(set(known) - set(rows))]
    words = {word for text in sources(root) for word in re.findall(r'"([a-z_]+)"', text)}
    faults += [f"{TABLE}: no source tells {code}" for code in sorted(set(rows) - words)]
    if len(rows) < 60:
        faults.append(f"only {len(rows)} codes were found: this test does not see the table any more")
    print("\n".join(faults) or f"{len(rows)} codes")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
