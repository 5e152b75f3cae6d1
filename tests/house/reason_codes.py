# SPDX-License-Identifier: GPL-3.0-or-later
"""Every reason code that the sources use stands in docs/checkpoints.md, and no other. Usage: reason_codes.py SOURCE_DIRECTORY"""
import os
import re
import sys

FOLDERS = ("core/checkpoint", "core/verdict")
CODE = r"[a-z]+(?:_[a-z]+)*"
TELLING = r"\b(?:problem|refuse|torn|say|tell|stop|said|addReason|blameAll|conclude|makeNoReader)\("
COMPARING = r"\b(?:mustSay|agree)\("   # with the name of what is compared, too
PLAIN = {"torn", "pruned", "unreadable", "unreachable", "encrypted", "leftover"}   # codes of one word


def calls(text, start):
    """Argument texts of every call that matches start, strings respected."""
    for match in re.finditer(start, text):
        depth, at, quoted = 1, match.end(), False
        while at < len(text) and depth:
            c = text[at]
            if quoted:
                if c == "\\":
                    at += 1
                quoted = c != '"'
            elif c == '"':
                quoted = True
            elif c in "({":
                depth += 1
            elif c in ")}":
                depth -= 1
            at += 1
        yield text[match.end():at - 1]


def literals(arguments):
    """Literals that are an argument (or a branch of one) by themselves, not a piece of a sentence."""
    return re.findall(r'(?:^|[,?:{(]\s*)"(%s)"(?=\s*(?:[,:})]|$))' % CODE, arguments)


def used(text):
    found = set()
    for arguments in calls(text, TELLING):
        found.update(word for word in literals(arguments) if "_" in word or word in PLAIN)
    for arguments in calls(text, COMPARING):
        found.update(word for word in literals(arguments) if word.endswith(("_mismatch", "_mixed")))
    found.update(re.findall(r'"([a-z_]+_(?:mismatch|missing|unproven|stale|mixed|bad))"', text))
    found.update(re.findall(r'\bcode\s*[=!]?=\s*"(%s)"' % CODE, text))
    found.update(re.findall(r'\{\s*"(%s)",\s*(?:Finding::|0,)' % CODE, text))
    return found


def documented(text):
    return set(re.findall(r"^\| `(%s)` \|" % CODE, text, re.M))


def main():
    root = sys.argv[1]
    codes, words = {}, set()
    for folder in FOLDERS:
        for path in sorted(os.path.join(place, name) for place, _, names in os.walk(os.path.join(root, folder)) for name in names):
            if not path.endswith((".cpp", ".h")):
                continue
            with open(path, encoding="utf-8") as file:
                text = file.read()
            words.update(re.findall(r'"(%s)"' % CODE, text))
            for code in used(text):
                codes.setdefault(code, os.path.relpath(path, root))
    with open(os.path.join(root, "docs/checkpoints.md"), encoding="utf-8") as file:
        text = file.read()
    known = documented(text.split("## Reasons", 1)[1])
    faults = [f"{path}: the code {code} is not in docs/checkpoints.md" for code, path in sorted(codes.items()) if code not in known]
    faults += [f"docs/checkpoints.md: no source uses the code {code}" for code in sorted(known - words)]
    if len(codes) < 40:
        faults.append(f"only {len(codes)} codes were found in the sources: this test does not see them any more")
    print("\n".join(faults) or f"{len(codes)} codes")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
