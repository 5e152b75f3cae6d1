# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the formats of all message() calls in core as C++ that lupdate reads. Fails if a format is not a literal.
Usage: core_messages.py SOURCE_DIRECTORY"""
import pathlib
import re
import sys

CALL = re.compile(r"(?<![\w:.])message\(")
LITERALS = re.compile(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+')
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
OWN = "base/message."  # defines the function


def formats(source):
    """The formats of one source, and the lines of calls that have none."""
    found, without = [], []
    for call in CALL.finditer(re.sub(r"^\s*//.*$", "", source, flags=re.M)):
        text = call.string[call.end():]
        literals = LITERALS.match(text.lstrip())
        if literals:
            found.append("".join(LITERAL.findall(literals.group())))
        else:
            without.append(text.split("\n")[0].strip())
    return found, without


def main():
    everything, faults = set(), []
    for path in sorted(pathlib.Path(sys.argv[1], "core").rglob("*")):
        if path.suffix not in (".cpp", ".h") or OWN in path.as_posix():
            continue
        found, without = formats(path.read_text(encoding="utf-8"))
        everything.update(found)
        faults += [f"{path}: expected a literal, found message({text}" for text in without]
    for fault in faults:
        print(fault, file=sys.stderr)
    for text in sorted(everything):
        print(f'QT_TRANSLATE_NOOP("Core", "{text}")')
    return 1 if faults or not everything else 0


if __name__ == "__main__":
    sys.exit(main())
