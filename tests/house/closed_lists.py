# SPDX-License-Identifier: GPL-3.0-or-later
"""A code that is in no table does not compile, wherever a source gives or compares it.
Usage: closed_lists.py SOURCE_DIRECTORY [COMPILER]"""
import subprocess
import sys

# header, type, one code of its table
LISTS = (
    ("core/checkpoint/reason_codes.h", "ReasonCode", "torn"),
    ("core/recover/finding_codes.h", "FindingCode", "rank_dead"),
    ("core/discover/discovery_codes.h", "DiscoveryCode", "no_log"),
)
USES = (
    "rankdeck::{type} given() {{ return \"{word}\"; }}",
    "bool equal(rankdeck::{type} code) {{ return code == \"{word}\"; }}",
    "bool differs(rankdeck::{type} code) {{ return \"{word}\" != code; }}",
)


def compiles(compiler, root, header, use):
    text = f'#include "{header}"\n{use}\n'
    return subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-I", root, "-x", "c++", "-"], input=text, text=True, stderr=subprocess.DEVNULL, check=False).returncode == 0


def main():
    root, compiler = sys.argv[1], (sys.argv[2:] or ["c++"])[0]
    bad = []
    for header, kind, known in LISTS:
        for use in USES:
            good = compiles(compiler, root, header, use.format(type=kind, word=known))
            assert good, f"{use.format(type=kind, word=known)} does not compile: this test sees nothing"
            wrong = use.format(type=kind, word="nonsense")
            if compiles(compiler, root, header, wrong):
                bad.append(f"{header}: {wrong} compiles")
    print("\n".join(bad) or f"{len(LISTS)} closed lists")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
