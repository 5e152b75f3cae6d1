# SPDX-License-Identifier: GPL-3.0-or-later
"""Every code of core/recover/finding_codes.h is in the table of its page, and the table has no other code. A source gives each of
them, and the page shows which of them the plan fixes. Usage: finding_codes.py SOURCE_DIRECTORY"""
import os
import re
import sys

ROW = re.compile(r'FindingRow\{"([a-z_]+)"(?:, FindingPage::(\w+))?(?:, PlanFix::(\w+))?')
PAGES = {"exit": ("docs/graceful-exit.md", "## Findings of the preflight"), "resume": ("docs/resume.md", "## Findings about the recipe")}


def documented(root, page, heading):
    """code → the line of the page's table."""
    with open(os.path.join(root, page), encoding="utf-8") as file:
        text = file.read().split(heading, 1)[1]
    return {code: line for line in text.splitlines() if line.startswith("| `") for code in re.findall(r"`([a-z_]+)`", line.split("|")[1])}


def sources(root):
    for folder, _, names in os.walk(os.path.join(root, "core")):
        for name in names:
            if name.endswith((".cpp", ".h")) and name != "finding_codes.h":
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield file.read()


def main():
    root = sys.argv[1]
    with open(os.path.join(root, "core/recover/finding_codes.h"), encoding="utf-8") as file:
        rows = ROW.findall(file.read())
    text = "\n".join(sources(root))
    faults = []
    for page, (path, heading) in PAGES.items():
        known = documented(root, path, heading)
        codes = {code: fix for code, where, fix in rows if (where or "resume") in (page, "both")}
        faults += [f"{path}: the code {code} is not in its table" for code in codes if code not in known]
        faults += [f"{path}: there is no code {code}" for code in known if code not in codes]
        faults += [f"{path}: does not say that the plan mends {code} on request" for code, fix in codes.items()
                   if fix == "onRequest" and page == "resume" and code in known and "--fix" not in known[code]]
    faults += [f"no source says {code}" for code, _, _ in rows if f'"{code}"' not in text]
    if len(rows) < 80:
        faults.append(f"only {len(rows)} rows were found: this test does not see them any more")
    print("\n".join(faults) or f"{len(rows)} codes")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
