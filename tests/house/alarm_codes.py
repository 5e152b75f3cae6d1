# SPDX-License-Identifier: GPL-3.0-or-later
"""Every code of core/alarm/alarm.h is in the table of docs/alarms.md, in the same order, which is the order of priority. The table
has no other code, and each code has a rule that raises it. Usage: alarm_codes.py SOURCE_DIRECTORY"""
import glob
import os
import re
import sys


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def main():
    root = sys.argv[1]
    enum = read(root, "core/alarm/alarm.h").split("enum class AlarmCode {", 1)[1].split("}", 1)[0]
    order = re.findall(r"^ +(\w+),", enum, re.M)
    names = dict(re.findall(r'case AlarmCode::(\w+): return "([a-z_]+)";', read(root, "core/alarm/alarms.cpp")))
    rows = [code for line in read(root, "docs/alarms.md").splitlines() if line.startswith("| `")
            for code in re.findall(r"`([a-z_]+)`", line.split("|")[1])]
    rules = "\n".join(read(root, path) for path in glob.glob("core/alarm/*.cpp", root_dir=root) if not path.endswith("/alarms.cpp"))
    expected = [names.get(code, code) for code in order]
    faults = [f"core/alarm/alarms.cpp: {code} has no name" for code in order if code not in names]
    faults += [f"docs/alarms.md: the code {name} is not in its table" for name in expected if name not in rows]
    faults += [f"docs/alarms.md: there is no code {name}" for name in rows if name not in expected]
    if not faults and rows != expected:
        faults.append(f"docs/alarms.md: the rows stand as {rows}, the codes weigh as {expected}")
    faults += [f"no rule says {code}" for code in order if f"AlarmCode::{code}" not in rules]
    if len(order) < 15:
        faults.append(f"only {len(order)} codes were found: this test does not see them any more")
    print("\n".join(faults) or f"{len(order)} codes")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
