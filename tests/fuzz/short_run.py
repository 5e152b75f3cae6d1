#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""short_run.py BIN NAME [SECONDS]: a few seconds of one fuzz target on mutations of the real samples; its crashes fail it."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    program, name = os.path.abspath(sys.argv[1]), sys.argv[2]
    seconds = sys.argv[3] if len(sys.argv) > 3 else "4"
    with tempfile.TemporaryDirectory(prefix="rankdeck-fuzz-") as root:
        subprocess.check_call([sys.executable, os.path.join(HERE, "seeds.py"), root])
        result = subprocess.run([program, os.path.join(root, name), seconds], cwd=root)
        crash = os.path.join(root, "crash-input")
        if os.path.exists(crash):
            with open(crash, "rb") as file:
                data = file.read()
            print("the input of %d bytes that did it, in hex:\n%s" % (len(data), data[:4000].hex()))
        sys.exit(0 if result.returncode == 0 else 1)


main()
