#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the tests of MODULE (a test_*.py next to it) under the newest or the oldest python3 of this machine, 3.6 or later. Candidates
are python3 and python3.N in PATH, $PYENV_ROOT/versions and ~/.pyenv/versions, and the interpreters in RANKDECK_PYTHONS, separated by
colons. The oldest runs nothing if it has the version of the newest.
Usage: run_oldest_newest.py newest|oldest MODULE
       run_oldest_newest.py --syntax        checks only that the probe is written in the language of Python 3.6"""
import ast
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
import probe_client  # noqa: E402

ALLOWED = {"_signal", "_thread", "errno", "fcntl", "os", "resource", "select", "stat", "struct", "sys", "time", "zlib",
           "_collections", "_sha256", "_sha2", "ctypes", "hashlib", "pwd"}


def candidates():
    found = os.environ.get("RANKDECK_PYTHONS", "").split(":")
    for folder in os.environ.get("PATH", "").split(":"):
        found += glob.glob(os.path.join(folder, "python3")) + glob.glob(os.path.join(folder, "python3.[0-9]*"))
    for root in (os.environ.get("PYENV_ROOT", ""), os.path.expanduser("~/.pyenv")):
        found += glob.glob(os.path.join(root, "versions", "*", "bin", "python3")) if root else []
    return [path for path in found if path and not path.endswith("config") and "/shims/" not in path] + [sys.executable]


def version(python):
    ask = "import sys;print(sys.version_info[0],sys.version_info[1],sys.version_info[2])"
    try:
        done = subprocess.run([python, "-ISc", ask], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    fields = done.stdout.split()
    return tuple(map(int, fields)) if done.returncode == 0 and len(fields) == 3 else None


def check_syntax():
    """No newer syntax, no module outside the list, at most one definition per two blank lines."""
    text = probe_client.joined()
    tree = ast.parse(text, "probe", feature_version=(3, 6)) if sys.version_info >= (3, 8) else ast.parse(text, "probe")
    used = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            used |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            used.add(node.module.split(".")[0])
    if used - ALLOWED:
        sys.exit("the probe imports %s; add it to ALLOWED only if Python 3.6 has it and it costs no memory" % sorted(used - ALLOWED))
    for piece in text.split("\n\n\n"):
        compile(piece, "probe", "exec")        # the loader compiles it in these pieces
    print("the probe is Python 3.6, %d modules" % len(used))


def main():
    if "--syntax" in sys.argv:
        check_syntax()
        return 0
    known = {}
    for python in candidates():
        number = version(python)
        if number and number >= (3, 6):
            known.setdefault(number[:2], (number, python))
    which, module = sys.argv[1:3]
    if which == "oldest" and len(known) == 1:
        print("the oldest Python is the newest")
        return 0
    exact, python = known[min(known) if which == "oldest" else max(known)]
    print("== Python %d.%d.%d: %s" % (exact + (python,)), flush=True)
    return subprocess.call([python, "-B", "-m", "unittest", "-v", module], cwd=HERE)


if __name__ == "__main__":
    sys.exit(main())
