# SPDX-License-Identifier: GPL-3.0-or-later
"""Every code of core/discover/discovery_codes.h is in the table of its page, no other is, and a source uses each.
Usage: discovery_codes.py SOURCE_DIRECTORY"""
import glob
import os
import re
import sys

TABLE = "core/discover/discovery_codes.h"
ROW = re.compile(r'DiscoveryRow\{"([a-z_]+)"(?:, DiscoveryPage::(\w+))?')
PAGES = {"hosts": ("docs/job-file.md", "## Codes of `discover`"), "cluster": ("docs/kubernetes.md", "The notes of `discover` about pods have these codes:")}


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def documented(root, page, heading):
    return set(re.findall(r"^\| `([a-z_]+)` \|", read(root, page).split(heading, 1)[1].split("\n## ", 1)[0], re.M))


def main():
    root = sys.argv[1]
    rows = ROW.findall(read(root, TABLE))
    text = "\n".join(read(root, path) for path in glob.glob(os.path.join(root, "core/discover/*.cpp")))
    faults = []
    for page, (path, heading) in PAGES.items():
        codes, known = {code for code, where in rows if (where or "hosts") == page}, documented(root, path, heading)
        faults += [f"{path}: the code {code} is not in its table" for code in sorted(codes - known)]
        faults += [f"{path}: there is no code {code}" for code in sorted(known - codes)]
    faults += [f"no source says {code}" for code, _ in rows if f'"{code}"' not in text]
    if len(rows) < 20:
        faults.append(f"only {len(rows)} rows were found: this test does not see them any more")
    print("\n".join(faults) or f"{len(rows)} codes")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
