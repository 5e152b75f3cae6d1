# SPDX-License-Identifier: GPL-3.0-or-later
"""Summarizes the report of a ctest run. First line: numbers of passed and failed tests (a skipped test has failed). Each
failed test follows: its name, its first assertion, the command to run it again, its output file, and the folders of its other logs.
Usage: junit.py REPORT.xml LOG_DIRECTORY"""
import os
import re
import sys
import xml.etree.ElementTree as tree

ASSERTION = re.compile(r": Failure$|^Traceback|^\s*\w*(Error|Exception): |^FAILED |^FAIL |ERROR: |Sanitizer|^failed:|Assertion")


def first_assertion(lines):
    """Returns six lines from the first assertion on, or else the last six."""
    for at, line in enumerate(lines):
        if ASSERTION.search(line):
            if line.startswith("Traceback"):
                end = next((i for i in range(at + 1, len(lines)) if lines[i] and not lines[i].startswith(" ")), at)
                return lines[max(at, end - 3):end + 1]
            return lines[at:at + 6]
    return lines[-6:]


def main():
    report, directory = sys.argv[1:3]
    cases = list(tree.parse(report).getroot().iter("testcase"))
    failed = [case for case in cases if case.get("status") != "run"]
    print(len(cases) - len(failed), len(failed))
    os.makedirs(directory, exist_ok=True)
    for case in failed:
        name = case.get("name")
        output = case.findtext("system-out") or ""
        log = os.path.join(directory, re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:200] + ".log")
        with open(log, "w", encoding="utf-8", errors="replace") as file:
            file.write(output)
        print("FAILED  %s (%s, %.0f s)" % (name, case.get("status"), float(case.get("time") or 0)))
        for line in first_assertion(output.splitlines()):
            print("    | " + line[:200])
        print("    log: " + log)
        for kept in sorted(set(re.findall(r"^kept: (.+)$", output, re.M))):
            print("    kept: " + kept)
        print("    again: packaging/test.sh --only '%s'" % name)


if __name__ == "__main__":
    main()
